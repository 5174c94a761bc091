"""Random plays in compiled code: every choice drawn by lot, as `checks.explore.playouts` does it, many times as fast.

One call is one play. Options that count several times are as many lots. Where nobody has had a choice for a while, the
position is compared with earlier ones (Brent's way: with the one at the last power of two), so that an endless loop is
found, a little later than by comparing with all of them.
"""

from __future__ import annotations

from ...model.engine.state import NOBODY
from ...model.ir import nodes as ir
from .batches import Batches
from .common import Common
from .memory import DEPTH, KEY_WORDS, OPTIONS, OWNER
from .numbers import Shared
from .packing import Shape
from .text import Body, Ref

DECISIONS, STEPS, FORCED, LIMIT = KEY_WORDS + 8, KEY_WORDS + 16, KEY_WORDS + 24, KEY_WORDS + 32
PLAYED, LOOPED, LONG = range(3)
"""How a play ended: by the rules, in a loop that nobody can leave, at the limit on steps."""
PATIENT = 16
"""Steps without a choice after which loops are looked for."""


def emit_playout(shared: Shared, batches: Batches, shape: Shape) -> None:
    """`playout(c, from, luck, room)`: play from a key until the end. `luck`: the state of the lots; `room`: two keys."""
    m = shared.memory
    b = Body(shared.module, "playout", "i64", "ptr noalias %c, ptr noalias %from, ptr noalias %luck, ptr noalias %room")
    x = Common(shared, b, batches)
    g = b.offset("%c", m.slots_at)
    choices = shared.module.array("i8", [
        int(isinstance(m.functions[s.function].code[s.pc], ir.Choose | ir.ChooseSome)) for s in m.sites])
    now, then = "%room", b.offset("%room", 8 * (shape.most_words + 2))
    power, length = b.variable("i64"), b.variable("i64")
    for offset in (DECISIONS, STEPS, FORCED):
        x.set_word(offset, 0)
    b.store("i64", "0", length)
    b.store("i64", "1", power)
    b.branch(b.op(f"icmp ne i64 {b.op(f'call i64 @unpack(ptr %c, ptr {g}, ptr %from)')}, 0"), "list", "played")
    b.at("list")
    some = b.op(f"call i64 @options(ptr %c, ptr {g})")
    b.branch(b.op(f"icmp slt i64 {some}, 0"), "played", "listed")
    b.at("listed")
    steps = x.word_at(STEPS)
    b.branch(b.op(f"icmp sge i64 {steps}, {x.word_at(LIMIT)}"), "long", "decide")
    b.at("decide")
    x.set_word(STEPS, b.op(f"add i64 {steps}, 1"))
    b.branch(b.op(f"icmp eq i64 {x.word_at(OWNER)}, {NOBODY}"), "forced", "draw")

    b.at("forced")
    forced = b.op(f"add i64 {x.word_at(FORCED)}, 1")
    x.set_word(FORCED, forced)
    b.branch(b.op(f"icmp slt i64 {forced}, {PATIENT}"), "go", "compare")
    b.at("compare")
    words = b.op(f"call i64 @pack(ptr %c, ptr {g}, ptr {now}, i64 1)")
    b.branch(b.op(f"icmp slt i64 {words}, 0"), "played", "packed")
    b.at("packed")
    same = b.variable("i1")
    b.store("i1", b.op(f"icmp eq i64 {words}, {b.load('i64', length)}"), same)
    with b.when(b.load("i1", same)), b.counting("0", words) as k:
        one, two = (b.load("i64", b.op(f"getelementptr i64, ptr {p}, i64 {k}")) for p in (now, then))
        b.store("i1", b.op(f"and i1 {b.load('i1', same)}, {b.op(f'icmp eq i64 {one}, {two}')}"), same)
    b.branch(b.load("i1", same), "looped", "remember")
    b.at("remember")
    over = b.op(f"icmp sge i64 {forced}, {b.load('i64', power)}")
    with b.when(over):
        b.copy(then, now, b.op(f"mul i64 {words}, 8"))
        b.store("i64", words, length)
        b.store("i64", b.op(f"mul i64 {forced}, 2"), power)
    b.jump("go")

    b.at("draw")
    x.set_word(FORCED, 0)
    b.store("i64", "0", length)
    b.store("i64", "1", power)
    x.set_word(DECISIONS, b.op(f"add i64 {x.word_at(DECISIONS)}, 1"))
    total, pick = b.variable("i64"), b.variable("i64")
    b.store("i64", "0", total)
    n = x.word_at(OPTIONS)
    with b.counting("0", n) as k:
        weight = b.load("i64", b.op(f"getelementptr i64, ptr {b.offset('%c', m.weights_at)}, i64 {k}"))
        b.store("i64", b.op(f"add i64 {b.load('i64', total)}, {weight}"), total)
    lot = b.op(f"mul i64 {draw(b)}, {b.load('i64', total)}")
    b.store("i64", b.op(f"lshr i64 {lot}, 32"), pick)
    chosen = b.variable("i64")
    b.store("i64", "0", chosen)
    b.at("look")
    k = b.load("i64", chosen)
    left = b.load("i64", pick)
    weight = b.load("i64", b.op(f"getelementptr i64, ptr {b.offset('%c', m.weights_at)}, i64 {k}"))
    b.branch(b.op(f"icmp slt i64 {left}, {weight}"), "take", "next")
    b.at("next")
    b.store("i64", b.op(f"sub i64 {left}, {weight}"), pick)
    b.store("i64", b.op(f"add i64 {k}, 1"), chosen)
    b.jump("look")
    b.at("take")
    option = b.offset("%c", b.op(f"add i64 {b.op(f'mul i64 {k}, {m.option_bytes}')}, {m.options_at}"))
    b.copy(b.offset("%c", m.chosen_at), option, m.option_bytes)
    b.jump("go")

    b.at("go")
    b.branch(b.op(f"icmp ne i64 {b.op(f'call i64 @resume(ptr %c, ptr {g})')}, 0"), "alive", "played")
    b.at("alive")  # at a choice its options have just been listed
    top = b.offset("%c", b.op(f"add i64 {b.op(f'mul i64 {x.word_at(DEPTH)}, {m.frame_bytes}')}, {m.frame_at - m.frame_bytes + 8}"))
    is_choice = b.load("i8", b.op(f"getelementptr i8, ptr {choices}, i64 {b.load('i64', top)}"))
    b.branch(b.op(f"icmp ne i8 {is_choice}, 0"), "listed", "list")
    for name, how in (("played", PLAYED), ("looped", LOOPED), ("long", LONG)):
        b.at(name)
        b.ret(f"i64 {how}")
    b.finish()


def draw(b: Body) -> Ref:
    """The next 32 bits of the lots (SplitMix64)."""
    z = b.op(f"add i64 {b.load('i64', '%luck')}, -7046029254386353131")
    b.store("i64", z, "%luck")
    for shift, factor in ((30, -4658895280553007687), (27, -7723592293110705685)):
        mixed = b.op(f"xor i64 {z}, {b.op(f'lshr i64 {z}, {shift}')}")
        z = b.op(f"mul i64 {mixed}, {factor}")
    return b.op(f"lshr i64 {z}, 32")
