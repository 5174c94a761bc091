"""A program as C: functions, and a driver that leads from label to label exactly as the interpreter does.

The C code offers three things: `begin()` (the first label), `options()` (how many ways on the current state has) and
`take(k)` (go on by one of them). A state is packed into bytes: how play ended, the slots, then each frame with the
locals that are still needed.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from ...model.engine.interpreter import MOST_OPTIONS, Code, Interpreter
from ...model.engine.policies import Wish
from ...model.ir import nodes as ir
from ...model.ir.program import ContainerInfo, Function
from ...model.ir.types import Bool, OptionType, RecordType, Role, Type, UnionType, blank, domain
from .c_expressions import WIDE, WORD, CannotExport, CExpressions

LONGEST, MOST_FUNCTIONS = 1 << 16, 1 << 13
"""Instructions of a function, and functions, at most: a packed state names them in so many bits."""
ENDS = ("", "win", "draw", "gap", "conflict", "not modelled", "fault", "bound", "over")
"""How play ended, by number."""


@dataclass(frozen=True)
class CModel:
    """The C code; how many bytes a state has at most; the texts by which ends are told apart; what each function is in the
    rules. Whatever somebody has written (names, ids of cards) is in those texts only: the code has numbers and fixed words."""

    code: str
    state_bytes: int
    details: tuple[str, ...]
    functions: Mapping[str, str]


def c_model(engine: Interpreter, positions: Sequence[Sequence[int]], frame_bytes: int) -> CModel:
    """The program of an interpreter as C, beginning from the first of the positions. `frame_bytes` is the room for
    frames in a packed state. Raises CannotExport."""
    if len(positions) != 1:
        raise CannotExport("a scenario with several first positions (deck_order: all) is not exported")
    return Writer(engine, frame_bytes).write(positions[0])


class Writer(CExpressions):
    """Writes a whole program."""

    def __init__(self, engine: Interpreter, frame_bytes: int) -> None:
        program = engine.program
        widest = max(
            max((abs(x).bit_length() for s in program.layout.slots for x in domain(s.type)), default=0),
            max((abs(x).bit_length() for fn in program.functions.values() for y in fn.locals for x in domain(y.type)),
                default=0),
            program.layout.card_count,
        )
        if widest > WIDE:
            raise CannotExport(f"a set has {widest} possible members, and {WIDE} is the most")
        longest = max(program.functions.values(), key=lambda fn: len(fn.code))
        if len(longest.code) > LONGEST:
            raise CannotExport(f"{longest.name} has {len(longest.code)} instructions, and {LONGEST} is the most")
        if len(program.functions) > MOST_FUNCTIONS:
            raise CannotExport(f"the rules are {len(program.functions)} functions, and {MOST_FUNCTIONS} is the most")
        names = {fn.name: f"fn{k}" for k, fn in enumerate(program.functions.values())}
        super().__init__(program, names, widest > WORD)
        self.engine = engine
        self.frame_bytes = frame_bytes
        self.codes: list[Code] = engine.numbered
        self.containers = list(program.layout.containers.values())
        self.clause_sets: list[tuple[str, ...]] = [()]
        self.widths = [bytes_for(s.type) for s in self.layout.slots]
        self.option_width = max(
            [1, *(len(i.locals) for c in self.codes for i in c.fn.code if isinstance(i, ir.Choose))]
        )

    # ------------------------------------------------------------ the whole
    def write(self, position: Sequence[int]) -> CModel:
        bodies = [self.function(c) for c in self.codes]
        size = 4 + sum(self.widths) + 2 + self.frame_bytes
        return CModel(
            "\n".join([
                self.defines(size),
                runtime("types.c"),
                self.tables(),
                self.conflicts(),
                runtime("runtime.c"),
                *(f"static {self.head(c)};" for c in self.codes),
                *bodies,
                self.dispatch(),
                self.storage(),
                self.start(position),
            ]),
            size,
            tuple(self.details.texts),
            {c: name for name, c in self.names.items()},
        )

    def defines(self, size: int) -> str:
        p, deepest = self.program, max((len(c.fn.locals) for c in self.codes), default=1)
        columns = max([1, *(len(m.columns) for m in self.containers)])
        arity = max([1, *(c.fn.arity for c in self.codes)])
        return "\n".join([
            "typedef __int128 V;" if self.wide else "typedef long long V;",
            f"#define SLOTS {len(self.layout.slots)}",
            f"#define LOCALS {max(1, deepest)}",
            f"#define DEPTH {p.stack_depth}",
            f"#define CARDS {self.layout.card_count}",
            f"#define LOCATION {self.layout.location}",
            f"#define RANK {self.layout.rank}",
            f"#define COLUMNS {columns}",
            f"#define ARITY {arity}",
            f"#define OPTION {self.option_width}",
            f"#define MOST_OPTIONS {MOST_OPTIONS}",
            f"#define STATE_BYTES {size}",
            f"#define ENTRY {self.program_number(p.entry)}",
        ])

    def program_number(self, name: str) -> int:
        return next(c.number for c in self.codes if c.fn.name == name)

    def array(self, kind: str, name: str, values: Sequence[int | str]) -> str:
        shown = ", ".join(v if isinstance(v, str) else self.number(v) for v in values) or "0"
        return f"static const {kind} {name}[] = {{{shown}}};"

    def tables(self) -> str:
        layout = self.layout
        domains = [domain(s.type) for s in layout.slots]
        objects = [k for k, s in enumerate(layout.slots) if s.type.role is Role.OBJECT]
        column = {c + n: k for k, m in enumerate(self.containers) for c in m.columns for n in range(m.capacity)}
        lines = [self.array("V", f"T{k}", t) for k, t in enumerate(self.program.tables)]
        lines += [
            self.array("V", "LOWEST", [lo for lo, _ in domains]),
            self.array("V", "HIGHEST", [hi for _, hi in domains]),
            self.array("int", "ORDERED", [int(z.ordered) for z in layout.zones]),
            self.array("int", "GIVEN", [layout.given.get(z, -1) for z in range(len(layout.zones))]),
            self.array("int", "OBJECT_SLOTS", objects),
            f"#define OBJECTS {len(objects)}",
            self.array("int", "SLOT_COLUMN", [column.get(k, -1) for k in range(len(layout.slots))]),
            f"#define CONTAINERS {len(self.containers)}",
        ]
        for k, m in enumerate(self.containers):
            lines += [self.array("int", f"COLUMNS{k}", m.columns),
                      self.array("V", f"BLANKS{k}", [blank(layout.slots[c].type) for c in m.columns])]
        boxes = [f"{{{m.head}, {m.capacity}, {int(m.is_pool)}, {len(m.columns)}, COLUMNS{k}, BLANKS{k}}}"
                 for k, m in enumerate(self.containers)]
        lines.append(f"static const struct box BOXES[] = {{{', '.join(boxes) or '{0}'}}};")
        for c in self.codes:
            lines += [self.array("V", f"FRESH{c.number}", c.fresh), self.array("int", f"OBJ{c.number}", c.objects)]
        rules = [f"{{{c.fn.arity}, {len(c.fn.locals)}, FRESH{c.number}, {len(c.objects)}, OBJ{c.number}}}" for c in self.codes]
        lines.append(f"static const struct rule RULES[] = {{{', '.join(rules)}}};")
        return "\n".join(lines)

    def conflicts(self) -> str:
        """Which text an end has where two writes with these clauses clash."""
        n = len(self.clause_sets)
        rows = [
            self.details.number(" ".join(dict.fromkeys((*a, *b)))) for a in self.clause_sets for b in self.clause_sets
        ]
        return "\n".join([f"#define CLAUSE_SETS {n}", self.array("int", "BOTH", rows)])

    def clauses(self, marks: tuple[str, ...]) -> int:
        if marks not in self.clause_sets:
            self.clause_sets.append(marks)
        return self.clause_sets.index(marks)

    # ------------------------------------------------------------ functions
    def head(self, c: Code) -> str:
        name = self.names[c.fn.name]
        return f"int {name}(V *f, int pc)" if c.fn.kind == "procedure" else f"V {name}(const V *a)"

    def function(self, c: Code) -> str:
        fn = c.fn
        procedure = fn.kind == "procedure"
        lines = [f"static {self.head(c)} {{"]
        if procedure:
            lines.append(self.entries(fn))
        else:
            lines += [f"  V f[{max(1, len(fn.locals))}];", f"  struct running here = enter({c.number}, f, a); running = &here;"]
        lines.extend(f"  L{k}: {self.instruction(c, k, i)}" for k, i in enumerate(fn.code))
        lines += ["  halt(FAULT, -1, 0);", "}"]
        return "\n".join(lines)

    def entries(self, fn: Function) -> str:
        """Where a procedure can be gone on with: its beginning, its labels, behind its calls, its handlers."""
        places = {0, *(h.target for h in fn.handlers)}
        for k, i in enumerate(fn.code):
            if resumable(i):
                places |= {k, k + 1}
        cases = " ".join(f"case {k}: goto L{k};" for k in sorted(places) if k < len(fn.code))
        return f"  switch (pc) {{ {cases} default: halt(FAULT, -1, 0); }}"

    def instruction(self, c: Code, k: int, i: ir.Instr) -> str:
        """The C statement of an instruction; what follows it is the next one."""
        v, fn = self.value, c.fn
        match i:
            case ir.Assign(local=x, value=e):
                lo, hi = domain(fn.locals[x].type)
                return f"f[{x}] = within({v(e)}, {self.number(lo)}, {self.number(hi)});"
            case ir.Store(base=base, index=index, count=count, value=e, op=op):
                at = str(base) if index is None else f"{base} + within({v(index)}, 0, {count - 1})"
                kinds = {"set": "W_SET", "add": "W_ADD", "union": "W_UNION", "without": "W_WITHOUT"}
                return f"{{ int at = {at}; V x = {v(e)}; store({kinds[op]}, at, x, {self.clauses(i.at.clauses)}); }}"
            case ir.Put(card=card, zone=zone, top=top):
                bad = self.fault("a card that is none cannot be moved", i.at)
                return (f"{{ V c = {v(card)}, z = {v(zone)}; if (c < 0 || z < 0) {bad}; "
                        f"put(c, z, {int(top)}, {self.clauses(i.at.clauses)}); }}")
            case ir.Shuffle(zone=zone):
                return f"shuffle({v(zone)});"
            case ir.Renew(card=card):
                return f"renew({v(card)});"
            case ir.Insert(multiset=m, values=values):
                return self.entry(m, values, "insert", True)
            case ir.Remove(multiset=m, values=values):
                return self.entry(m, values, "take_out", False)
            case ir.Clear(multiset=m):
                return f"clear({self.box(m)});"
            case ir.New(pool=p, values=values, local=x):
                return self.entry(p, values, f"f[{x}] = new_place", True)
            case ir.Free(pool=p, place=place):
                bad = self.fault(f"a place in {p} was freed that is not in use", i.at)
                return f"{{ V k = {v(place)}; if (!in_use({self.box(p)}, k)) {bad}; give_back({self.box(p)}, k); }}"
            case ir.Branch(test=test, otherwise=target):
                return f"if (!{v(test)}) goto L{target};"
            case ir.Jump(target=target):
                return f"goto L{target};"
            case ir.Next(rest=rest, var=var, offset=offset, done=done):
                return (f"if (!f[{rest}]) goto L{done}; f[{var}] = lowest(f[{rest}]) + ({offset}); "
                        f"f[{rest}] &= f[{rest}] - 1;")
            case ir.Do(function=name, args=args, local=x, event=event):
                return self.do(name, args, x, event)
            case ir.BatchBegin():
                return "batch_begin();"
            case ir.BatchEnd():
                return f"batch_end({self.clauses(i.at.clauses)});"
            case ir.End(kind=kind, winner=winner, detail=detail):
                number = self.details.number(detail)
                if kind == "win" and winner is not None:
                    return f"{{ V w = {v(winner)}; halt(w < 0 ? DRAW : WIN, w < 0 ? -1 : (int)w, {number}); }}"
                who = "-1" if winner is None else f"(int){v(winner)}"
                return f"halt({ENDS.index(kind)}, {who}, {number});"
            case ir.Return(value=value):
                given = "0" if value is None else v(value)
                if fn.kind == "procedure":
                    return f"return leave({given});"
                return f"{{ V r = {given}; running = here.up; return r; }}"
            case _:
                return self.control(c, k, i)

    def box(self, name: str) -> str:
        return str(next(k for k, m in enumerate(self.containers) if m.name == name))

    def entry(self, name: str, values: tuple[ir.Expr, ...], does: str, checked: bool) -> str:
        m: ContainerInfo = self.layout.containers[name]
        shown = [
            f"fitting({c}, {self.value(x)})" if checked else self.value(x)
            for c, x in zip(m.columns, values, strict=True)
        ]
        return f"{{ V e[] = {{{', '.join(shown) or '0'}}}; {does}({self.box(name)}, e); }}"

    def do(self, name: str, args: tuple[ir.Expr, ...], local: int | None, event: bool) -> str:
        call = f"{self.names[name]}({self.arguments(args)})"
        done = f"f[{local}] = {call};" if local is not None else f"{call};"
        if not event:
            return done
        return f"if (batching) later({self.program_number(name)}, {self.arguments(args)}); else {done}"

    # ------------------------------------------------------------ what ends a transition or moves frames
    def control(self, c: Code, k: int, i: ir.Instr) -> str:
        match i:
            case ir.Label():
                return f"if (!resumed) return stop({k}); resumed = 0;"
            case ir.Choose(owner=owner, offers=offers, locals=targets, type=of):
                take = " ".join(f"f[{x}] = OPTION_CHOSEN[{n}];" for n, x in enumerate(targets))
                return (f"if (!resumed) {{ options_open(); {' '.join(self.offer(o) for o in offers)} "
                        f"{self.policy(owner, of)} "
                        f"if (!option_count) halt(GAP, -1, {self.details.number(' '.join(i.at.clauses))}); "
                        f"if (option_count > 1) return stop({k}); choose_option(0); }} resumed = 0; {take}")
            case ir.ChooseSome(owner=owner, among=among, least=least, most=most, local=x, type=of):
                return (f"if (!resumed) {{ options_open(); {{ V all = {self.value(among)}; "
                        f"V hi = {self.value(most)}, lo = {self.value(least)}; subsets(all, lo, hi); }} "
                        f"{self.policy(owner, of)} "
                        f"if (option_count > 1) return stop({k}); choose_option(0); }} resumed = 0; "
                        f"f[{x}] = OPTION_CHOSEN[0];")
            case ir.Consult(reading=reading, slot=slot):
                n = len(self.program.readings[reading])
                return (f"if (g[{slot}] < 0) {{ if (!resumed) {{ options_open(); for (int r = 0; r < {n}; r++) "
                        f"offer((V[]){{r}}, 1); return stop({k}); }} g[{slot}] = OPTION_CHOSEN[0]; }} resumed = 0;")
            case ir.Invoke(function=name, args=args, stop=stop, tail=tail):
                wait = f"if (!resumed) return stop({k}); " if stop else ""
                return (f"{wait}resumed = 0; return enter_procedure({self.program_number(name)}, {k}, {int(tail)}, "
                        f"{self.arguments(args)});")
            case ir.Throw(signal=signal):
                return f"return throw_signal({self.signal(signal)}, {k});"
            case _:
                raise CannotExport(f"{type(i).__name__} is not known here")

    def offer(self, o: ir.Offer) -> str:
        values = ", ".join(map(self.value, o.values))
        inner = f"if ({self.value(o.test)}) offer((V[]){{{values or '0'}}}, {len(o.values)});"
        for b in reversed(o.binders):
            inside = inner
            inner = self.over(self.value(b.domain), b.offset, b.var, lambda inside=inside: inside)
        return inner

    # ------------------------------------------------------------ scripted choices
    def policy(self, owner: ir.Owner, of: Type) -> str:
        """Of a player with a policy, only the options are left that meet the first wish that any option meets."""
        if not self.engine.policies or not isinstance(owner, ir.ByPlayer):
            return ""
        cases = " ".join(
            f"case {player}: {' '.join(self.wish(w, of) for w in wishes)} break;"
            for player, wishes in sorted(self.engine.policies.items())
        )
        return f"if (option_count > 1) switch ((int){self.value(owner.player)}) {{ {cases} }}"

    def wish(self, wish: Wish, of: Type) -> str:
        if wish.act == "first":
            return "option_count = 1; break;"
        met = "o[0] == 1" if wish.act == "yes" and isinstance(of, Bool) else "0" if wish.act == "yes" else (
            self.declines(of) if wish.act == "pass" else self.speaks_of(wish, of)
        )
        one = int(wish.act not in ("pass", "yes"))
        return (f"{{ int n = 0; for (int k = 0; k < option_count && !({one} && n); k++) {{ const V *o = found[k]; "
                f"if ({met}) memmove(found[n++], o, sizeof found[0]); }} if (n) {{ option_count = n; break; }} }}")

    def declines(self, of: Type) -> str:
        """Is option `o` that of a player who does nothing?"""
        match of:
            case Bool():
                return "o[0] == 0"
            case UnionType(variants=variants):
                tags = [f"o[0] == {k}" for k, v in enumerate(variants) if v.does_nothing]
                return " || ".join(tags) or "0"
            case RecordType(does_nothing=nothing):
                return str(int(nothing))
            case OptionType(none=none):
                return f"o[0] == {self.number(none)}"
            case _:
                return "0"

    def speaks_of(self, wish: Wish, of: Type) -> str:
        """Is option `o` the record's, of the card?"""
        if isinstance(of, UnionType):
            found = [(tag, at, r) for r in of.variants for tag, at, _ in [of.offset(r.name)] if r.name == wish.act]
        else:
            found = [(-1, 0, of)] if isinstance(of, RecordType) and of.name == wish.act else []
        if not found:
            return "0"
        tag, at, record = found[0]
        right = "1" if tag < 0 else f"o[0] == {tag}"
        if wish.card is None:
            return right
        cards = [c for c, id in enumerate(self.engine.card_ids) if id == wish.card]
        places = [at + k for k, t in enumerate(record.flat()) if t.role in (Role.CARD, Role.OBJECT)]
        named = " || ".join(f"o[{k}] == {c}" for k in places for c in cards) or "0"
        return f"{right} && ({named})"

    def signal(self, name: str) -> int:
        return self.details.number(f"signal {name}")

    # ------------------------------------------------------------ the driver
    def dispatch(self) -> str:
        """Which function a frame runs, where its call's result goes, and where signals are caught."""
        runs = " ".join(
            f"case {c.number}: return {self.names[c.fn.name]}(f, pc);" for c in self.codes if c.fn.kind == "procedure"
        )
        steps = " ".join(
            f"case {c.number}: {self.names[c.fn.name]}(a); return;" for c in self.codes if c.fn.kind == "step"
        )
        results: list[str] = []
        catches: list[str] = []
        for c in self.codes:
            results.extend(
                f"if (fn == {c.number} && pc == {k}) return {i.local};"
                for k, i in enumerate(c.fn.code) if isinstance(i, ir.Invoke) and i.local is not None)
            for h in sorted(c.fn.handlers, key=lambda h: h.last - h.first):
                catches.append(f"if (fn == {c.number} && signal == {self.signal(h.signal)} && pc >= {h.first} && "
                               f"pc < {h.last}) return {h.target};")
        return "\n".join([
            f"static int run_frame(int fn, V *f, int pc) {{ switch (fn) {{ {runs} }} halt(FAULT, -1, 0); }}",
            f"static void run_step(int fn, const V *a) {{ (void)a; switch (fn) {{ {steps} }} halt(FAULT, -1, 0); }}",
            f"static int result_local(int fn, int pc) {{ (void)fn; (void)pc; {' '.join(results)} return -1; }}",
            f"static int handler(int fn, int pc, int signal) {{ (void)fn; (void)pc; (void)signal; {' '.join(catches)} return -1; }}",
        ])

    def storage(self) -> str:
        """Packing a state into bytes, and back."""
        pack, unpack = list[str](), list[str]()
        for k, (s, width) in enumerate(zip(self.layout.slots, self.widths, strict=True)):
            if width:
                low = self.number(least_of(s.type))
                pack.append(f"pack(&at, g[{k}] - {low}, {width});")
                unpack.append(f"g[{k}] = unpack(&at, {width}) + {low};")
            else:
                unpack.append(f"g[{k}] = {self.number(least_of(s.type))};")
        lines = [
            f"static void pack_slots(unsigned char *at) {{ {' '.join(pack)} (void)at; }}",
            f"static void unpack_slots(const unsigned char *at) {{ {' '.join(unpack)} (void)at; }}",
            f"#define SLOT_BYTES {sum(self.widths)}",
        ]
        packs, unpacks = list[str](), list[str]()
        for c in self.codes:
            if c.fn.kind != "procedure":
                continue
            for pc, i in enumerate(c.fn.code):
                if not resumable(i):
                    continue
                for last, dead in ((1, c.dead[0][pc]), (0, c.dead[1][pc])):
                    if not last and not isinstance(i, ir.Invoke):
                        continue
                    kept = [x for x in range(len(c.fn.locals)) if x not in dead]
                    types = [c.fn.locals[x].type for x in kept]
                    key = (c.number * LONGEST + pc) * 2 + last
                    packs.append(f"case {key}: " + " ".join(
                        f"pack(&at, f[{x}] - {self.number(least_of(of))}, {max(1, bytes_for(of))});"
                        for x, of in zip(kept, types, strict=True)) + " return at;")
                    unpacks.append(f"case {key}: " + " ".join(
                        f"f[{x}] = unpack(&at, {max(1, bytes_for(of))}) + {self.number(least_of(of))};"
                        for x, of in zip(kept, types, strict=True)) + " return at;")
        lines += [
            "static unsigned char *pack_frame(unsigned char *at, int fn, int pc, int last, const V *f) "
            f"{{ switch ((fn * {LONGEST} + pc) * 2 + last) {{ {' '.join(packs)} }} halt(FAULT, -1, 0); }}",
            "static const unsigned char *unpack_frame(const unsigned char *at, int fn, int pc, int last, V *f) "
            f"{{ switch ((fn * {LONGEST} + pc) * 2 + last) {{ {' '.join(unpacks)} }} halt(FAULT, -1, 0); }}",
        ]
        return "\n".join(lines)

    def start(self, position: Sequence[int]) -> str:
        return "\n".join([
            self.array("V", "FIRST_SLOTS", list(position)),
            runtime("driver.c"),
        ])


def runtime(name: str) -> str:
    """The part of the C code that is the same for every program."""
    from .. import export

    return (files(export) / name).read_text(encoding="utf-8")


def resumable(i: ir.Instr) -> bool:
    """Can a frame stand at the instruction: at a label, or while what it calls is running?"""
    return isinstance(i, ir.Label | ir.Choose | ir.ChooseSome | ir.Consult | ir.Invoke)


def least_of(of: Type) -> int:
    """What is taken off a value before it is packed."""
    return min(domain(of)[0], blank(of), 0)


def bytes_for(of: Type) -> int:
    """Bytes for the values of the type; none where there is only one."""
    span = max(domain(of)[1], blank(of), 0) - least_of(of)
    return (span.bit_length() + 7) // 8
