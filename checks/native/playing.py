"""Random plays in compiled code: every choice drawn by lot, many times as fast as by the interpreter.

One call is one play. Options that count several times are as many lots. Where nobody has had a choice for a while, the
position is compared with earlier ones (Brent's way: with the one at the last power of two), so that an endless loop is
found, a little later than by comparing with all of them.

If asked, some choices are liked more than others, by lots of their own, so that plays come to more than if everything were always as likely
(`explore.random_plays.Liking`); and hashes of the positions in which something is chosen are kept in a table (of which the older is forgotten), so that it
is known when one came back.
"""

from __future__ import annotations

from ...model.engine.state import NOBODY
from ...model.ir import nodes as ir
from .common import Common
from .conditions import fails_here
from .effects import Batches
from .memory import DEPTH, END, KEY_WORDS, OPTIONS, OWNER
from .numbers import Shared
from .packing import Shape
from .text import Body, Ref

DECISIONS, STEPS, FORCED, LIMIT, LIKING, HASHES, CAME_BACK, CONDITIONS = (KEY_WORDS + 8 * k for k in range(1, 9))
"""`LIKING`: the seed of what is liked, or 0. `HASHES`: the address of the table, or 0. `CAME_BACK`: after how many steps a position with a choice came back first.
`CONDITIONS`: a bit for each invariant that is looked at."""
PLAYED, LOOPED, LONG, BROKEN = range(4)
"""How a play ended: by the rules, in a loop that nobody can leave, at the limit on steps, where an invariant does not hold."""
ROW = "start", "luck", "liking", "hashes", "how", "came_back", "end"
"""Of each of many plays: from which key, the state of its lots, what is liked, the table; how it ended, when a position came back, the number of its end."""
PATIENT = 16
"""Steps without a choice after which loops are looked for."""
MOST_CONDITIONS = 63
KEPT = 4096
"""Hashes in the table: a power of two."""
LIKING_BY = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93
"""What the place, the first number of an option and both together are multiplied by (odd numbers of 64 bits)."""


def emit_playout(shared: Shared, batches: Batches, shape: Shape) -> None:
    """`playout(c, from, luck, room)`: play from a key until the end. `luck`: the state of the lots; `room`: two keys."""
    m = shared.memory
    b = Body(shared.module, "playout", "i64", "ptr noalias %c, ptr noalias %from, ptr noalias %luck, ptr noalias %room")
    x = Common(shared, b, batches)
    g = b.offset("%c", m.slots_at)
    choices = shared.module.array("i8", [
        int(isinstance(m.functions[s.function].code[s.pc], ir.Choose | ir.ChooseSome)) for s in m.sites])
    settled = shared.module.array(
        "i8", [int(not isinstance(m.functions[s.function].code[s.pc], ir.Consult)) for s in m.sites]
    )
    word = "i64" if m.word == 8 else f"i{m.wide}"

    def site() -> Ref:  # where play stands
        top = b.op(f"add i64 {b.op(f'mul i64 {x.word_at(DEPTH)}, {m.frame_bytes}')}, {m.frame_at - m.frame_bytes + 8}")
        return b.load("i64", b.offset("%c", top))
    now, then = "%room", b.offset("%room", 8 * (shape.most_words + 2))
    for offset in (DECISIONS, STEPS, FORCED, CAME_BACK):
        x.set_word(offset, 0)
    salt, length, power = b.variable("i64", b.load("i64", "%luck")), b.variable("i64", "0"), b.variable("i64", "1")
    b.branch(b.op(f"icmp ne i64 {b.op(f'call i64 @unpack(ptr %c, ptr {g}, ptr %from)')}, 0"), "list", "played")
    b.at("list")
    some = b.op(f"call i64 @options(ptr %c, ptr {g})")
    b.branch(b.op(f"icmp slt i64 {some}, 0"), "played", "listed")
    b.at("listed")
    conditions = x.word_at(CONDITIONS)
    looked_at = b.op(f"icmp ne i64 {conditions}, 0")
    stands = b.op(f"icmp ne i8 {b.load('i8', b.op(f'getelementptr i8, ptr {settled}, i64 {site()}'))}, 0")
    b.go_on_if(b.op(f"and i1 {looked_at}, {stands}"), "held")
    failing = b.op("add i64 0, 0")
    for k, name in enumerate(shared.program.invariants[:MOST_CONDITIONS]):
        fails = b.op(f"and i64 {b.op(f'lshr i64 {conditions}, {k}')}, {b.op(f'zext i1 {fails_here(shared, b, g, name)} to i64')}")
        failing = b.op(f"or i64 {failing}, {fails}")
    b.branch(b.op(f"icmp ne i64 {failing}, 0"), "broken", "held")
    b.at("held")
    steps = x.word_at(STEPS)
    b.leave_if(b.op(f"icmp sge i64 {steps}, {x.word_at(LIMIT)}"), "long")
    x.set_word(STEPS, b.op(f"add i64 {steps}, 1"))
    b.branch(b.op(f"icmp eq i64 {x.word_at(OWNER)}, {NOBODY}"), "forced", "draw")

    b.at("forced")
    forced = b.op(f"add i64 {x.word_at(FORCED)}, 1")
    x.set_word(FORCED, forced)
    b.leave_if(b.op(f"icmp slt i64 {forced}, {PATIENT}"), "go")
    words = b.op(f"call i64 @pack(ptr %c, ptr {g}, ptr {now}, i64 1)")
    b.leave_if(b.op(f"icmp slt i64 {words}, 0"), "played")
    same = b.variable("i1", b.op(f"icmp eq i64 {words}, {b.load('i64', length)}"))
    with b.when(b.load("i1", same)), b.counting("0", words) as k:
        one, two = (b.load("i64", b.op(f"getelementptr i64, ptr {p}, i64 {k}")) for p in (now, then))
        b.store("i1", b.op(f"and i1 {b.load('i1', same)}, {b.op(f'icmp eq i64 {one}, {two}')}"), same)
    b.leave_if(b.load("i1", same), "looped")
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
    table = x.word_at(HASHES)
    b.go_on_if(b.op(f"icmp ne i64 {table}, 0"), "drawn")
    size = b.op(f"call i64 @pack(ptr %c, ptr {g}, ptr {now}, i64 1)")
    b.leave_if(b.op(f"icmp slt i64 {size}, 0"), "played")
    mixed = b.variable("i64", b.load("i64", salt))
    with b.counting("0", size) as k:
        one = b.op(f"xor i64 {b.load('i64', mixed)}, {b.load('i64', b.op(f'getelementptr i64, ptr {now}, i64 {k}'))}")
        product = b.op(f"mul i64 {one}, {signed(LIKING_BY[0])}")
        b.store("i64", b.op(f"xor i64 {product}, {b.op(f'lshr i64 {product}, 29')}"), mixed)
    hashed = b.load("i64", mixed)
    kept = b.op(f"getelementptr i64, ptr {b.op(f'inttoptr i64 {table} to ptr')}, i64 {b.op(f'and i64 {hashed}, {KEPT - 1}')}")
    again = b.op(f"icmp eq i64 {b.load('i64', kept)}, {hashed}")
    b.store("i64", hashed, kept)
    with b.when(b.op(f"and i1 {again}, {b.op(f'icmp eq i64 {x.word_at(CAME_BACK)}, 0')}")):
        x.set_word(CAME_BACK, steps)
    b.jump("drawn")
    b.at("drawn")
    total = b.variable("i64", "0")
    n = x.word_at(OPTIONS)
    liking = x.word_at(LIKING)
    with b.when(b.op(f"icmp ne i64 {liking}, 0")):
        place = b.op(f"xor i64 {liking}, {b.op(f'mul i64 {site()}, {signed(LIKING_BY[0])}')}")
        with b.counting("0", n) as k:
            first = b.load(word, b.element("%c", k, m.option_bytes, m.options_at))
            number = first if word == "i64" else b.op(f"trunc {word} {first} to i64")
            both = b.op(f"add i64 {place}, {b.op(f'mul i64 {number}, {signed(LIKING_BY[1])}')}")
            folded = b.op(f"xor i64 {both}, {b.op(f'lshr i64 {both}, 32')}")
            stirred = b.op(f"mul i64 {folded}, {signed(LIKING_BY[2])}")
            twice = b.op(f"shl i64 {b.op(f'lshr i64 {stirred}, 61')}, 1")
            at = b.op(f"getelementptr i64, ptr {b.offset('%c', m.weights_at)}, i64 {k}")
            b.store("i64", b.op(f"shl i64 {b.load('i64', at)}, {twice}"), at)
    with b.counting("0", n) as k:
        weight = b.load("i64", b.op(f"getelementptr i64, ptr {b.offset('%c', m.weights_at)}, i64 {k}"))
        b.store("i64", b.op(f"add i64 {b.load('i64', total)}, {weight}"), total)
    lot = b.op(f"mul i64 {draw(b)}, {b.load('i64', total)}")
    pick = b.variable("i64", b.op(f"lshr i64 {lot}, 32"))
    chosen = b.variable("i64", "0")
    b.at("look")
    k = b.load("i64", chosen)
    left = b.load("i64", pick)
    weight = b.load("i64", b.op(f"getelementptr i64, ptr {b.offset('%c', m.weights_at)}, i64 {k}"))
    b.leave_if(b.op(f"icmp slt i64 {left}, {weight}"), "take")
    b.store("i64", b.op(f"sub i64 {left}, {weight}"), pick)
    b.store("i64", b.op(f"add i64 {k}, 1"), chosen)
    b.jump("look")
    b.at("take")
    option = b.element("%c", k, m.option_bytes, m.options_at)
    b.copy(b.offset("%c", m.chosen_at), option, m.option_bytes)
    b.jump("go")

    b.at("go")
    b.go_on_if(b.op(f"icmp ne i64 {b.op(f'call i64 @resume(ptr %c, ptr {g})')}, 0"), "played")  # at a choice its options have just been listed
    is_choice = b.load("i8", b.op(f"getelementptr i8, ptr {choices}, i64 {site()}"))
    b.branch(b.op(f"icmp ne i8 {is_choice}, 0"), "listed", "list")
    for name, how in (("played", PLAYED), ("looped", LOOPED), ("long", LONG), ("broken", BROKEN)):
        b.at(name)
        b.ret(f"i64 {how}")
    b.finish()


def emit_playouts(shared: Shared, words: int) -> None:
    """`playouts(c, keys, lots, many, room)`: that many plays, each from one of the keys (which are `words` long); `lots`: what decides each, and how it went (`ROW`)."""
    given = "ptr noalias %c, ptr noalias %keys, ptr noalias %lots, i64 %many, ptr noalias %room"
    b = Body(shared.module, "playouts", "void", given)
    with b.counting("0", "%many") as k:
        row = b.element("%lots", k, 8 * len(ROW), 0)

        def at(name: str) -> Ref:
            return b.offset(row, 8 * ROW.index(name))
        for name, word in (("liking", LIKING), ("hashes", HASHES)):
            b.store("i64", b.load("i64", at(name)), b.offset("%c", word))
        start = b.element("%keys", b.load("i64", at("start")), 8 * words, 0)
        b.store("i64", b.op(f"call i64 @playout(ptr %c, ptr {start}, ptr {at('luck')}, ptr %room)"), at("how"))
        for name, word in (("came_back", CAME_BACK), ("end", END)):
            b.store("i64", b.load("i64", b.offset("%c", word)), at(name))
    b.finish("void")


def signed(number: int) -> int:
    """A number of 64 bits as LLVM writes it."""
    return number - (1 << 64) if number >> 63 else number


def draw(b: Body) -> Ref:
    """The next 32 bits of the lots (SplitMix64)."""
    z = b.op(f"add i64 {b.load('i64', '%luck')}, -7046029254386353131")
    b.store("i64", z, "%luck")
    for shift, factor in ((30, -4658895280553007687), (27, -7723592293110705685)):
        mixed = b.op(f"xor i64 {z}, {b.op(f'lshr i64 {z}, {shift}')}")
        z = b.op(f"mul i64 {mixed}, {factor}")
    return b.op(f"lshr i64 {z}, 32")
