"""Procedures, frames and choices as LLVM code: what `engine/interpreter.py` does in `_run`, and the askers.

A procedure is one function that begins by jumping to where its frame rests. It says how it left: it called, returned,
threw, came to a label, or play stopped. `run` goes on with the top frame until a label or the end. Each choice has a
function of its own that lists the options; it serves the arrival at a label and the departure from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...model.engine.interpreter import MOST_OPTIONS
from ...model.engine.policies import Wish
from ...model.engine.state import CHANCE, NOBODY, OPEN, READING, End
from ...model.ir import nodes as ir
from ...model.ir.flow import reachable
from ...model.ir.program import Function
from ...model.ir.types import Bool, OptionType, RecordType, Role, Type, UnionType, blank
from .effects import Batches, Common, Effects
from .ends import ESCAPE
from .expressions import Shared, Val, const
from .memory import (
    BATCH,
    CROSSING,
    DEPTH,
    EPOCH,
    EVENT_TOP,
    INNER,
    LOG,
    MOST_OFFERED,
    OBJECTS,
    OPTIONS,
    OWNER,
    RETURNED,
    Site,
)
from .text import Body, Ref

CALLED, LEFT, LABEL, STOPPED, THROWN = range(5)
"""How a procedure was left."""
AT_START = -1
"""The code by which a procedure is resumed: at its beginning, at a site, or (after all sites) at a handler."""


class Procedure(Effects):
    """Writes a procedure."""

    def __init__(self, shared: Shared, fn: Function, body: Body, batches: Batches) -> None:
        super().__init__(shared, fn, body, batches)
        self.number = self.m.number[fn.name]
        self.frame: Ref = ""

    def find_frame(self, depth: Ref) -> Ref:
        """Where the frame lies that has so many below it."""
        return self.b.offset("%c", self.b.op(f"add i64 {self.b.op(f'mul i64 {depth}, {self.m.frame_bytes}')}, {self.m.frame_at}"))

    def cell(self, x: int) -> tuple[Ref, str]:
        """Where a local lies in the frame, and its type."""
        c = self.m.frames[self.number].cells[x]
        return self.b.offset(self.frame, c.offset), c.of

    def make_locals(self) -> None:
        """Objects stay in the frame, where `renew` finds them; other locals are copied from and to it."""
        for k, local in enumerate(self.fn.locals):
            of = self.m.frames[self.number].cells[k].of
            self.locals.append((self.cell(k)[0] if local.type.role is Role.OBJECT else self.b.variable(of), of))

    def in_frame(self, x: int) -> bool:
        return self.fn.locals[x].type.role is Role.OBJECT

    def fetch(self, live: Sequence[int]) -> None:
        """Take locals out of the frame."""
        for x in live:
            if not self.in_frame(x):
                where, of = self.cell(x)
                self.b.store(of, self.b.load(of, where), self.locals[x][0])

    def save(self, site: Site) -> None:
        """Rest at the site."""
        self.b.store("i64", str(site.number), self.b.offset(self.frame, 8))
        for x in site.live:
            if not self.in_frame(x):
                where, of = self.cell(x)
                self.b.store(of, self.b.load(of, self.locals[x][0]), where)

    def crossed(self, scope: int) -> None:
        """A scope was left or entered."""
        if scope:
            b, old = self.b, self.word_at(CROSSING)
            more = b.op(f"icmp sgt i64 {scope}, {old}")
            self.set_word(CROSSING, b.op(f"select i1 {more}, i64 {scope}, i64 {old}"))

    def site(self, pc: int, top: bool = True) -> Site:
        return self.m.site_at[self.number, pc, top]

    # ------------------------------------------------------------ the whole
    def emit(self) -> None:
        b, fn, m = self.b, self.fn, self.m
        self.frame = self.find_frame(b.op(f"add i64 {self.word_at(DEPTH)}, -1"))
        self.make_locals()
        for k, local in enumerate(fn.locals):
            if k >= fn.arity and not self.in_frame(k):
                b.store(self.locals[k][1], str(blank(local.type)), self.locals[k][0])
        live_code = reachable(fn.code, fn.handlers)
        resumed = {s.number: f"site{s.number}" for s in m.sites if s.function == self.number and s.pc in live_code}
        handlers = {code: pc for (f, pc), code in m.handlers.items() if f == self.number and pc in live_code}
        caught = {code: f"caught{code}" for code in handlers}
        cases = " ".join(f"i64 {k}, label %{to}" for k, to in {**resumed, **caught}.items())
        b.do(f"switch i64 %code, label %begin [{cases}]")
        b.here = ""
        b.at("begin")
        self.fetch(range(fn.arity))
        for k, local in enumerate(fn.locals):
            if k >= fn.arity and self.in_frame(k):
                b.store(self.locals[k][1], str(blank(local.type)), self.locals[k][0])
        b.jump("pc0")
        for pc in sorted(k for k in live_code if k < len(fn.code)):
            b.at(f"pc{pc}")
            i = fn.code[pc]
            if not self.effect(i, pc):
                self.control(i, pc)
        for code, pc in handlers.items():
            b.at(f"caught{code}")
            self.fetch_for_handler(pc)
            b.jump(f"pc{pc}")
        b.at(self.fail)
        b.ret(f"i64 {STOPPED}")
        b.finish()

    def fetch_for_handler(self, target: int) -> None:
        """Whatever the frame was saved with at the calls from which a signal can lead here."""
        covering = [h for h in self.fn.handlers if h.target == target]
        wanted = set[int]()
        for s in self.m.sites:
            if s.function == self.number and not s.top and any(h.first <= s.pc < h.last for h in covering):
                wanted.update(s.live)
        self.fetch(sorted(wanted))

    def control(self, i: ir.Instr, pc: int) -> None:
        """One arm for each instruction that ends a transition or moves frames."""
        b = self.b
        match i:
            case ir.Label():
                self.save(self.site(pc))
                b.ret(f"i64 {LABEL}")
                self.resume(pc)
                b.jump(f"pc{pc + 1}")
            case ir.Choose(locals=targets):
                self.ask(pc, " ".join(i.at.clauses))
                for k, x in enumerate(targets):
                    at = b.offset("%c", self.m.chosen_at + k * self.m.word)
                    self.put(x, self.load_word(at, *self.domains[x]))
                b.jump(f"pc{pc + 1}")
            case ir.ChooseSome(local=x):
                self.ask(pc, None)
                self.put(x, self.load_word(b.offset("%c", self.m.chosen_at), *self.domains[x]))
                b.jump(f"pc{pc + 1}")
            case ir.Consult(slot=slot):
                address = self.slot_address(slot, None)
                asked, on = b.fresh("asked"), f"pc{pc + 1}"
                known = self.read(slot, address, self.m.domains[slot])
                b.branch(self.compare("slt", known, const(0)), asked, on)
                b.at(asked)
                self.save(self.site(pc))
                b.ret(f"i64 {LABEL}")
                self.resume(pc)
                again = self.slot_address(slot, None)
                with b.when(self.compare("slt", self.read(slot, again, self.m.domains[slot]), const(0))):
                    self.set_slot(slot, again, self.load_word(b.offset("%c", self.m.chosen_at), *self.m.domains[slot]))
                b.jump(on)
            case ir.Invoke():
                self.invoke(i, pc)
            case ir.Return(value=value):
                v = const(0) if value is None else self.value(value)
                v = self.guard(v, *self.m.results[self.number])
                b.store("i256", self.as_i256(v), b.offset("%c", RETURNED))
                self.crossed(self.fn.scope)
                self.set_word(DEPTH, b.op(f"add i64 {self.word_at(DEPTH)}, -1"))
                b.ret(f"i64 {LEFT}")
            case ir.Throw(signal=signal):
                self.throw(signal, i, pc)
            case _:
                raise AssertionError(i)

    def as_i256(self, v: Val) -> Ref:
        if v.lo == v.hi:
            return str(v.lo)
        return v.ref if self.of(v) == "i256" else self.b.op(f"sext {self.of(v)} {v.ref} to i256")

    def resume(self, pc: int, top: bool = True) -> None:
        """Here the frame is taken up again."""
        site = self.site(pc, top)
        self.b.at(f"site{site.number}")
        self.fetch(site.live)

    def ask(self, pc: int, gap: str | None) -> None:
        """How many options are there? None: a gap (unless that cannot be); one: it is taken; else a label."""
        b, site = self.b, self.site(pc)
        self.save(site)
        n = b.op(f"call i64 @ask{site.number}(ptr %c, ptr %g)")
        none, one, several, take = (b.fresh(x) for x in ("none", "one", "several", "take"))
        b.do(f"switch i64 {n}, label %{several} [i64 -1, label %{self.fail} i64 0, label %{none} i64 1, label %{one}]")
        b.here = ""
        b.at(none)
        self.stop(self.ends.fixed(End("gap", detail=gap or "")))
        b.at(several)
        b.ret(f"i64 {LABEL}")
        b.at(one)
        b.copy(b.offset("%c", self.m.chosen_at), b.offset("%c", self.m.options_at), self.m.option_bytes)
        b.jump(take)
        self.resume(pc)
        b.jump(take)
        b.at(take)

    def invoke(self, i: ir.Invoke, pc: int) -> None:
        b, m = self.b, self.m
        if i.stop:
            self.save(self.site(pc))
            b.ret(f"i64 {LABEL}")
            self.resume(pc)
        to = m.number[i.function]
        callee = self.s.program.functions[i.function]
        args = [self.value(a) for a in i.args]
        args = [self.guard(a, *m.local_domains[to][k]) for k, a in enumerate(args)]
        self.crossed(callee.scope)
        if i.tail:
            frame = self.frame
        else:
            depth = self.word_at(DEPTH)
            end = self.ends.fixed(End("bound", detail="stack"))
            self.stop_unless(b.op(f"icmp slt i64 {depth}, {self.s.program.stack_depth}"), end)
            self.save(self.site(pc, False))
            frame = self.find_frame(depth)
            self.set_word(DEPTH, b.op(f"add i64 {depth}, 1"))
        refs = [self.as_type(a, c.of) for a, c in zip(args, m.frames[to].cells, strict=False)]
        b.store("i64", str(to), frame)
        for ref, c in zip(refs, m.frames[to].cells, strict=False):
            b.store(c.of, ref, b.offset(frame, c.offset))
        b.ret(f"i64 {CALLED}")
        if not i.tail:
            self.resume(pc, False)
            if i.local is not None:
                lo, hi = m.results[to]
                of = self.s.type_of((lo, hi))
                got = b.op(f"load {of}, ptr {b.offset('%c', RETURNED)}, align 8")
                self.put(i.local, Val(got, of != "i64", lo, hi))
            b.jump(f"pc{pc + 1}")

    def throw(self, signal: str, i: ir.Throw, pc: int) -> None:
        b = self.b
        inside = [h for h in self.fn.handlers if h.first <= pc < h.last and h.signal == signal]
        if inside:
            b.jump(f"pc{min(inside, key=lambda h: h.last - h.first).target}")
            return
        why = f"nothing catches {signal} ({i.at.file}:{i.at.line})" if i.at.line else f"nothing catches {signal}"
        end = self.ends.fixed(End("fault", detail=why))
        before = self.word_at(CROSSING)
        self.crossed(self.fn.scope)
        table = self.s.module.array("i64", [self.handler_of(s, signal) for s in self.m.sites])
        scopes = self.s.module.array("i64", [f.scope for f in self.m.functions])
        n, k = len(self.m.sites), len(self.m.functions)
        code = b.op(f"call i64 @unwind(ptr %c, ptr {table}, i64 {n}, ptr {scopes}, i64 {k})")
        caught = b.fresh("caught")
        no = b.fresh("no")
        b.branch(b.op(f"icmp sge i64 {code}, 0"), caught, no)
        b.at(no)
        self.set_word(CROSSING, before)
        self.stop(end)
        b.at(caught)
        high = b.op(f"shl i64 {code}, 8")
        b.ret(f"i64 {b.op(f'or i64 {high}, {THROWN}')}")

    def handler_of(self, site: Site, signal: str) -> int:
        """The code by which a frame that rests at a call is resumed when the signal comes; -1: not at all."""
        f = self.m.functions[site.function]
        inside = [h for h in f.handlers if h.first <= site.pc < h.last and h.signal == signal]
        return self.m.handlers[site.function, min(inside, key=lambda h: h.last - h.first).target] if inside else -1


# ---------------------------------------------------------------- options
class Asker(Procedure):
    """Writes the function that lists the options of a choice; its locals are the frame's, and what it does to them
    is forgotten."""

    def emit_asker(self, i: ir.Choose | ir.ChooseSome, pc: int) -> None:
        b = self.b
        self.frame = self.find_frame(b.op(f"add i64 {self.word_at(DEPTH)}, -1"))
        for k, local in enumerate(self.fn.locals):
            of = self.m.frames[self.number].cells[k].of
            self.locals.append((b.variable(of), of))
            b.store(of, str(blank(local.type)), self.locals[k][0])
        for x in self.site(pc).live:
            where, of = self.cell(x)
            b.store(of, b.load(of, where), self.locals[x][0])
        owner = i.owner
        if isinstance(owner, ir.ByPlayer):
            who = self.guard(self.value(owner.player), -(1 << 31), 1 << 31)
            who_ref = self.settle(who).ref
        else:
            who_ref = str(CHANCE if isinstance(owner, ir.ByChance) else OPEN)
        self.set_word(OWNER, who_ref)
        self.set_word(OPTIONS, 0)
        if isinstance(i, ir.Choose):
            width = len(i.locals)
            distinct = tell_apart(i.offers)
            if not distinct:
                self.set_word(EPOCH, b.op(f"add i64 {self.word_at(EPOCH)}, 1"))
            for o in i.offers:
                self.spread(o, 0, [self.domains[x] for x in i.locals], distinct)
        else:
            width = 1
            self.subsets(i)
        self.cut_to_policy(who_ref, i.type, width)
        b.ret(f"i64 {self.word_at(OPTIONS)}")
        b.at(self.fail)
        b.ret("i64 -1")
        b.finish()

    def spread(self, o: ir.Offer, k: int, domains: Sequence[tuple[int, int]], distinct: bool) -> None:
        if k < len(o.binders):
            binder = o.binders[k]
            self.each(binder.var, self.value(binder.domain), binder.offset, lambda head, done: self.spread(o, k + 1, domains, distinct))
            return
        skip = self.b.fresh("skip")
        self.only_if(o.test, skip)
        values = [self.guard(self.value(v), *d) for v, d in zip(o.values, domains, strict=True)]
        self.add(values, distinct)
        self.b.at(skip)

    def option(self, k: Ref) -> Ref:
        """Where option k lies."""
        b = self.b
        return b.offset("%c", b.op(f"add i64 {b.op(f'mul i64 {k}, {self.m.option_bytes}')}, {self.m.options_at}"))

    def weight(self, k: Ref) -> Ref:
        b = self.b
        return b.offset("%c", b.op(f"add i64 {b.op(f'shl i64 {k}, 3')}, {self.m.weights_at}"))

    def add(self, values: Sequence[Val], distinct: bool) -> None:
        """One more option, or one more of an option that is there."""
        b, m = self.b, self.m
        n = self.word_at(OPTIONS)
        self.stop_unless(b.op(f"icmp slt i64 {n}, {MOST_OFFERED}"), ESCAPE)
        place = self.option(n)
        for k, v in enumerate(values):
            self.store_word(v, b.offset(place, k * m.word))
        done = b.fresh("done")
        if not distinct:
            self.find_equal(n, place, len(values), done)
        b.store("i64", "1", self.weight(n))
        self.set_word(OPTIONS, b.op(f"add i64 {n}, 1"))
        b.at(done)

    def find_equal(self, n: Ref, place: Ref, width: int, done: str) -> None:
        """An option that is there already is counted once more; else it gets a bucket."""
        b, m = self.b, self.m
        word = "i64" if m.word == 8 else self.s.wide
        mine = [b.load(word, b.offset(place, k * m.word)) for k in range(width)]
        h: Ref = "0"
        for x in mine:
            part = x
            if word != "i64":
                high = b.op(f"lshr {word} {x}, 61")
                part = b.op(f"trunc {word} {b.op(f'xor {word} {x}, {high}')} to i64")
            h = b.op(f"mul i64 {b.op(f'xor i64 {h}, {part}')}, -7046029254386353131")
            h = b.op(f"xor i64 {h}, {b.op(f'lshr i64 {h}, 29')}")
        bucket = b.variable("i64")
        mask = 2 * MOST_OFFERED - 1
        b.store("i64", b.op(f"and i64 {h}, {mask}"), bucket)
        stamp = b.op(f"shl i64 {self.word_at(EPOCH)}, 16")
        head, known, again, free = b.fresh("head"), b.fresh("known"), b.fresh("again"), b.fresh("free")
        b.at(head)
        at = b.load("i64", bucket)
        note = b.offset("%c", b.op(f"add i64 {b.op(f'shl i64 {at}, 3')}, {m.buckets_at}"))
        old = b.load("i64", note)
        b.branch(b.op(f"icmp eq i64 {b.op(f'and i64 {old}, -65536')}, {stamp}"), known, free)
        b.at(known)
        other = b.op(f"and i64 {old}, 65535")
        there = self.option(other)
        for k, x in enumerate(mine):
            same = b.fresh("same")
            b.branch(b.op(f"icmp eq {word} {x}, {b.load(word, b.offset(there, k * m.word))}"), same, again)
            b.at(same)
        w = self.weight(other)
        b.store("i64", b.op(f"add i64 {b.load('i64', w)}, 1"), w)
        b.jump(done)
        b.at(again)
        b.store("i64", b.op(f"and i64 {b.op(f'add i64 {at}, 1')}, {mask}"), bucket)
        b.jump(head)
        b.at(free)
        b.store("i64", b.op(f"or i64 {stamp}, {n}"), note)

    def cut_to_policy(self, who: Ref, of: Type, width: int) -> None:
        """A player with a policy has only the options that meet the first wish that any of them meets."""
        b = self.b
        done = b.fresh("done")
        for player, wishes in sorted(self.s.policies.items()):
            looked = [(patterns, w.act == "pass") for w in wishes if (patterns := patterns_of(w, of, self.s.card_ids)) is not None]
            if not looked:
                continue
            look, on = b.fresh("look"), b.fresh("on")
            mine = b.op(f"icmp eq i64 {who}, {player}")
            b.branch(b.op(f"and i1 {mine}, {b.op(f'icmp sgt i64 {self.word_at(OPTIONS)}, 1')}"), look, on)
            b.at(look)
            for patterns, every in looked:
                self.keep_matching(patterns, every, width, done)
            b.jump(done)
            b.at(on)
        b.at(done)

    def keep_matching(self, patterns: Patterns, every: bool, width: int, done: str) -> None:
        """If options match, keep these (or the first of them), and go on at `done`."""
        b, m = self.b, self.m
        kept, over = b.variable("i64"), b.fresh("over")
        b.store("i64", "0", kept)
        with b.counting("0", self.word_at(OPTIONS)) as k:
            fits: Ref = "true"
            for group in patterns:
                some: Ref = "false"
                for column, values in group:
                    v = self.load_word(b.offset(self.option(k), column * m.word), -(1 << 62), 1 << 62)
                    for value in values:
                        some = b.op(f"or i1 {some}, {self.compare('eq', v, const(value))}")
                fits = b.op(f"and i1 {fits}, {some}")
            with b.when(fits):
                to = b.load("i64", kept)
                there, here = self.option(to), self.option(k)
                word = "i64" if m.word == 8 else self.s.wide
                for x in range(width):
                    b.store(word, b.load(word, b.offset(here, x * m.word)), b.offset(there, x * m.word))
                b.store("i64", b.load("i64", self.weight(k)), self.weight(to))
                b.store("i64", b.op(f"add i64 {to}, 1"), kept)
                if not every:
                    b.jump(over)
        b.at(over)
        left, met, on = b.load("i64", kept), b.fresh("met"), b.fresh("on")
        b.branch(b.op(f"icmp sgt i64 {left}, 0"), met, on)
        b.at(met)
        self.set_word(OPTIONS, left)
        b.jump(done)
        b.at(on)

    def subsets(self, c: ir.ChooseSome) -> None:
        """All subsets of the sizes allowed, by size, then by members."""
        b, m = self.b, self.m
        among, most, least = self.mask(self.value(c.among)), self.value(c.most), self.value(c.least)
        places = b.variable(f"[{m.wide} x i64]")
        count = b.variable("i64")
        b.store("i64", "0", count)

        def at(k: Ref) -> Ref:
            return b.op(f"getelementptr [{m.wide} x i64], ptr {places}, i64 0, i64 {k}")

        def note(k: Ref) -> None:
            n = b.load("i64", count)
            b.store("i64", k, at(n))
            b.store("i64", b.op(f"add i64 {n}, 1"), count)
        self.members(among, note)
        n = Val(b.load("i64", count), False, 0, m.wide)
        hi = self.settle(self.binary("max", const(0), self.binary("min", most, n, ir.NOWHERE), ir.NOWHERE))
        lo = self.settle(self.binary("max", const(0), self.binary("min", least, hi, ir.NOWHERE), ir.NOWHERE))
        ways = b.op(f"call i64 @ways(i64 {n.ref}, i64 {lo.ref}, i64 {hi.ref})")
        sizes = b.op(f"or i64 {b.op(f'shl i64 {hi.ref}, 16')}, {lo.ref}")
        self.stop_unless(b.op(f"icmp sle i64 {ways}, {MOST_OPTIONS}"), self.ends.options(), n, sizes)
        picked = b.variable(f"[{m.wide} x i64]")

        def pick(k: Ref) -> Ref:
            return b.op(f"getelementptr [{m.wide} x i64], ptr {picked}, i64 0, i64 {k}")
        with b.counting(lo.ref, b.op(f"add i64 {hi.ref}, 1")) as size:
            with b.counting("0", size) as k:
                b.store("i64", k, pick(k))
            again, stop, place = b.fresh("again"), b.fresh("stop"), b.variable("i64")
            b.at(again)
            mask = b.variable(self.s.wide)
            b.store(self.s.wide, "0", mask)
            with b.counting("0", size) as k:
                member = b.load("i64", at(b.load("i64", pick(k))))
                one = b.op(f"shl {self.s.wide} 1, {b.op(f'zext i64 {member} to {self.s.wide}')}")
                b.store(self.s.wide, b.op(f"or {self.s.wide} {b.load(self.s.wide, mask)}, {one}"), mask)
            self.add([self.settle(Val(b.load(self.s.wide, mask), True, 0, among.hi))], True)
            b.store("i64", b.op(f"add i64 {size}, -1"), place)
            head, look, less, more = b.fresh("head"), b.fresh("look"), b.fresh("less"), b.fresh("more")
            b.at(head)
            k = b.load("i64", place)
            b.branch(b.op(f"icmp slt i64 {k}, 0"), stop, look)
            b.at(look)
            limit = b.op(f"add i64 {b.op(f'sub i64 {n.ref}, {size}')}, {k}")
            b.branch(b.op(f"icmp eq i64 {b.load('i64', pick(k))}, {limit}"), less, more)
            b.at(less)
            b.store("i64", b.op(f"add i64 {k}, -1"), place)
            b.jump(head)
            b.at(more)
            b.store("i64", b.op(f"add i64 {b.load('i64', pick(k))}, 1"), pick(k))
            with b.counting(b.op(f"add i64 {k}, 1"), size) as j:
                before = b.load("i64", pick(b.op(f"add i64 {j}, -1")))
                b.store("i64", b.op(f"add i64 {before}, 1"), pick(j))
            b.jump(again)
            b.at(stop)


def tell_apart(offers: Sequence[ir.Offer]) -> bool:
    """Is it plain that no option is offered twice: all that varies within an offer is part of the option, and two
    offers always differ in some constant?"""
    for o in offers:
        if any(ir.Local(x.var) not in o.values for x in o.binders):
            return False
    return all(
        any(isinstance(x, ir.Const) and isinstance(y, ir.Const) and x.value != y.value for x, y in zip(a.values, b.values, strict=True))
        for k, a in enumerate(offers) for b in offers[:k])


Patterns = list[list[tuple[int, list[int]]]]
"""An option matches if in every group some column has one of its values."""


def patterns_of(wish: Wish, of: Type, ids: Sequence[str]) -> Patterns | None:
    """Which options of a type meet a wish; None: none can."""
    match wish.act:
        case "first":
            return []
        case "yes":
            return [[(0, [1])]] if isinstance(of, Bool) else None
        case "pass":
            return declining(of)
        case _:
            return speaking_of(wish, of, ids)


def declining(of: Type) -> Patterns | None:
    """Which options do nothing."""
    match of:
        case Bool():
            return [[(0, [0])]]
        case UnionType(variants=variants):
            return [[(0, tags)]] if (tags := [k for k, v in enumerate(variants) if v.name == "Pass"]) else None
        case RecordType(name=name):
            return [] if name == "Pass" else None
        case OptionType(none=none):
            return [[(0, [none])]]
        case _:
            return None


def speaking_of(wish: Wish, of: Type, ids: Sequence[str]) -> Patterns | None:
    """Which options are the record's, of the card."""
    out: Patterns = []
    first, record = 0, of
    if isinstance(of, UnionType):
        tags = [k for k, v in enumerate(of.variants) if v.name == wish.act]
        if not tags:
            return None
        out.append([(0, tags)])
        _, first, record = of.offset(wish.act)
    if not isinstance(record, RecordType) or record.name != wish.act:
        return None
    if wish.card is not None:
        named = [k for k, name in enumerate(ids) if name == wish.card]
        out.append([(first + k, named) for k, t in enumerate(record.flat()) if t.role in (Role.CARD, Role.OBJECT)])
    return out


# ---------------------------------------------------------------- running
def emit_control(shared: Shared, batches: Batches) -> None:
    """All procedures and askers, and what runs them."""
    m = shared.memory
    for fn in m.functions:
        if fn.kind == "procedure":
            body = Body(shared.module, shared.symbol(fn.name), "internal i64", "ptr noalias %c, ptr noalias %g, i64 %code")
            Procedure(shared, fn, body, batches).emit()
            live_code = reachable(fn.code, fn.handlers)
            for pc, i in enumerate(fn.code):
                if isinstance(i, ir.Choose | ir.ChooseSome) and pc in live_code:
                    site = m.site_at[m.number[fn.name], pc, True]
                    body = Body(shared.module, f"ask{site.number}", "internal i64", "ptr noalias %c, ptr noalias %g", "noinline")
                    Asker(shared, fn, body, batches).emit_asker(i, pc)
    emit_unwind(shared, batches)
    emit_ways(shared)
    emit_run(shared, batches)
    emit_enumerate(shared, batches)


def emit_unwind(shared: Shared, batches: Batches) -> None:
    """`unwind`: frames are dropped until one handles the signal; the code by which it is resumed, or -1."""
    m = shared.memory
    b = Body(shared.module, "unwind", "internal i64", "ptr noalias %c, ptr %codes, i64 %sites, ptr %scopes, i64 %functions", "noinline")
    x = Common(shared, b, batches)
    b.at("drop")
    depth = b.op(f"add i64 {x.word_at(DEPTH)}, -1")
    x.set_word(DEPTH, depth)
    b.branch(b.op(f"icmp eq i64 {depth}, 0"), "nobody", "look")
    b.at("look")
    frame = b.offset("%c", b.op(f"add i64 {b.op(f'mul i64 {depth}, {m.frame_bytes}')}, {m.frame_at - m.frame_bytes}"))
    site = b.load("i64", b.offset(frame, 8))
    code = b.load("i64", b.op(f"getelementptr i64, ptr %codes, i64 {site}"))
    b.branch(b.op(f"icmp sge i64 {code}, 0"), "found", "on")
    b.at("found")
    b.ret(f"i64 {code}")
    b.at("on")
    scope = b.load("i64", b.op(f"getelementptr i64, ptr %scopes, i64 {b.load('i64', frame)}"))
    old = x.word_at(CROSSING)
    x.set_word(CROSSING, b.op(f"select i1 {b.op(f'icmp sgt i64 {scope}, {old}')}, i64 {scope}, i64 {old}"))
    b.jump("drop")
    b.at("nobody")
    b.ret("i64 -1")
    b.finish()


def emit_ways(shared: Shared) -> None:
    """`ways`: how many subsets of n things have from lo to hi members; many is as good as more."""
    many = 1 << 20
    b = Body(shared.module, "ways", "internal i64", "i64 %n, i64 %lo, i64 %hi", "noinline")
    total = b.variable("i64")
    b.store("i64", "0", total)
    with b.counting("%lo", b.op("add i64 %hi, 1")) as k:
        other = b.op(f"sub i64 %n, {k}")
        few = b.op(f"select i1 {b.op(f'icmp slt i64 {k}, {other}')}, i64 {k}, i64 {other}")
        way = b.variable("i64")
        b.store("i64", "1", way)
        with b.counting("0", few) as j:
            w = b.load("i64", way)
            left = b.op(f"sub i64 %n, {j}")
            grown = b.op(f"sdiv i64 {b.op(f'mul i64 {w}, {left}')}, {b.op(f'add i64 {j}, 1')}")
            b.store("i64", b.op(f"select i1 {b.op(f'icmp sgt i64 {w}, {many}')}, i64 {w}, i64 {grown}"), way)
        b.store("i64", b.op(f"add i64 {b.load('i64', total)}, {b.load('i64', way)}"), total)
    b.ret(f"i64 {b.load('i64', total)}")
    b.finish()


def emit_run(shared: Shared, batches: Batches) -> None:
    """`run`: from the top frame to the next label (1) or the end of play (0). `resume`: the same from a label, the
    option in its place. `begin`: from the beginning."""
    m = shared.memory
    b = Body(shared.module, "run", "internal i64", "ptr noalias %c, ptr noalias %g, i64 %first", "noinline")
    x = Common(shared, b, batches)
    for offset in (BATCH, INNER, LOG, EVENT_TOP, OBJECTS):
        x.set_word(offset, 0)
    code = b.variable("i64")
    b.store("i64", "%first", code)
    b.at("go")
    frame = top_frame(x)
    how = b.variable("i64")
    blocks = {k: f"do{k}" for k, f in enumerate(m.functions) if f.kind == "procedure"}
    cases = " ".join(f"i64 {k}, label %{to}" for k, to in blocks.items())
    b.do(f"switch i64 {b.load('i64', frame)}, label %never [{cases}]")
    b.here = ""
    for k, to in blocks.items():
        b.at(to)
        b.store("i64", b.op(f"call i64 @f{k}(ptr %c, ptr %g, i64 {b.load('i64', code)})"), how)
        b.jump("after")
    b.at("never")
    b.do("unreachable")
    b.here = ""
    b.at("after")
    left = b.load("i64", how)
    kinds = {CALLED: "called", LEFT: "left", LABEL: "label", STOPPED: "stop", THROWN: "thrown"}
    cases = " ".join(f"i64 {k}, label %{to}" for k, to in kinds.items())
    b.do(f"switch i64 {b.op(f'and i64 {left}, 255')}, label %never [{cases}]")
    b.here = ""
    b.at("called")
    b.store("i64", str(AT_START), code)
    b.jump("go")
    b.at("left")
    over, on = b.fresh("over"), b.fresh("on")
    b.branch(b.op(f"icmp eq i64 {x.word_at(DEPTH)}, 0"), over, on)
    b.at(on)
    b.store("i64", b.load("i64", b.offset(top_frame(x), 8)), code)
    b.jump("go")
    b.at("thrown")
    b.store("i64", b.op(f"lshr i64 {left}, 8"), code)
    b.jump("go")
    b.at(over)
    b.do(f"call void @halt(ptr %c, i64 {shared.ends.fixed(End('over'))}, i64 -1)")
    b.jump("stop")
    b.at("label")
    b.ret("i64 1")
    b.at("stop")
    b.ret("i64 0")
    b.finish()

    b = Body(shared.module, "resume", "i64", "ptr noalias %c, ptr noalias %g", "noinline")
    x = Common(shared, b, batches)
    x.set_word(CROSSING, 0)
    site = b.load("i64", b.offset(top_frame(x), 8))
    b.ret(f"i64 {b.op(f'call i64 @run(ptr %c, ptr %g, i64 {site})')}")
    b.finish()

    b = Body(shared.module, "begin", "i64", "ptr noalias %c, ptr noalias %g", "noinline")
    x = Common(shared, b, batches)
    entry = m.number[shared.program.entry]
    x.set_word(CROSSING, m.functions[entry].scope)
    x.set_word(DEPTH, 1)
    frame = top_frame(x)
    b.store("i64", str(entry), frame)
    for c, local in zip(m.frames[entry].cells, m.functions[entry].locals, strict=True):
        b.store(c.of, str(blank(local.type)), b.offset(frame, c.offset))
    b.ret(f"i64 {b.op(f'call i64 @run(ptr %c, ptr %g, i64 {AT_START})')}")
    b.finish()


def top_frame(x: Common) -> Ref:
    m, b = x.m, x.b
    return b.offset("%c", b.op(f"add i64 {b.op(f'mul i64 {x.word_at(DEPTH)}, {m.frame_bytes}')}, {m.frame_at - m.frame_bytes}"))


def emit_enumerate(shared: Shared, batches: Batches) -> None:
    """`options`: lists what can be chosen at the label where the top frame rests; says how many."""
    m = shared.memory
    b = Body(shared.module, "options", "i64", "ptr noalias %c, ptr noalias %g", "noinline")
    x = Common(shared, b, batches)
    site = b.load("i64", b.offset(top_frame(x), 8))
    blocks: dict[int, Callable[[], None]] = {}

    def one() -> None:
        x.set_word(OWNER, NOBODY)
        x.set_word(OPTIONS, 1)
        b.store("i64", "1", b.offset("%c", m.weights_at))
        b.ret("i64 1")
    for s in m.sites:
        if not s.top:
            continue
        i = m.functions[s.function].code[s.pc]
        live_code = reachable(m.functions[s.function].code, m.functions[s.function].handlers)
        if isinstance(i, ir.Choose | ir.ChooseSome) and s.pc in live_code:
            blocks[s.number] = lambda n=s.number: b.ret(f"i64 {b.op(f'call i64 @ask{n}(ptr %c, ptr %g)')}")
        elif isinstance(i, ir.Consult):
            def readings(n: int = len(shared.program.readings.get(i.reading, ()))) -> None:
                x.set_word(OWNER, READING)
                x.set_word(OPTIONS, n)
                for k in range(n):
                    x.store_word(const(k), b.offset("%c", m.options_at + k * m.option_bytes))
                    b.store("i64", "1", b.offset("%c", m.weights_at + 8 * k))
                b.ret(f"i64 {n}")
            blocks[s.number] = readings
    cases = " ".join(f"i64 {k}, label %at{k}" for k in blocks)
    b.do(f"switch i64 {site}, label %forced [{cases}]")
    b.here = ""
    for k, write in blocks.items():
        b.at(f"at{k}")
        write()
    b.at("forced")
    one()
    b.finish()
