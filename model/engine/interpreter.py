"""The reference engine: what each IR node does, as directly as it can be said (expressions in `values`, instructions without control in `effects`).

Expressions become closures over (slots, locals); a transition runs instructions from one label to the next on
scratch copies, so that states stay immutable. Compare `ir/nodes.py`, which states each node's contract.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import chain, combinations
from math import comb
from typing import NamedTuple
from weakref import proxy

from ..ir import nodes as ir
from ..ir.flow import live_across_calls, liveness, mask_of, members
from ..ir.program import Function, Program
from ..ir.types import Role, blank
from .effects import Effects
from .policies import Policies, scripted
from .state import CHANCE, FORCED, OPEN, READING, Arrival, End, Option, Point, State
from .values import Effect, Halt, Locals, Slots, Value, bound, fault

MOST_OPTIONS = 10_000
"""Ways to choose some of several things that are told apart at most; more is a bound exceeded."""


class Traced(NamedTuple):
    """An instruction that was carried out: its mark, and how many frames were open (one more inside a step)."""

    at: ir.Mark
    depth: int


class Code:
    """A function to be run; what is needed for that is made when it is first asked for. It does not hold its engine."""

    def __init__(self, number: int, fn: Function, engine: Interpreter) -> None:
        self.number, self.fn, self.engine = number, fn, proxy(engine)

    @cached_property
    def fresh(self) -> tuple[int, ...]:
        """The locals as they are at the start."""
        return tuple(blank(x.type) for x in self.fn.locals)

    @cached_property
    def objects(self) -> tuple[int, ...]:
        """The locals that refer to objects."""
        return tuple(i for i, x in enumerate(self.fn.locals) if x.type.role is Role.OBJECT)

    @cached_property
    def effects(self) -> list[Effect | None]:
        return [self.engine.effects.effect(self.fn, i, k) for k, i in enumerate(self.fn.code)]

    @cached_property
    def arguments(self) -> dict[int, list[Value]]:
        """What is given to each procedure that is called."""
        return {k: [*map(self.engine.effects.value, i.args)]
                for k, i in enumerate(self.fn.code) if isinstance(i, ir.Invoke)}

    @cached_property
    def results(self) -> dict[int, Value]:
        """What comes of each return; of nothing, 0."""
        value = self.engine.effects.value
        return {k: value(i.value or ir.Const(0)) for k, i in enumerate(self.fn.code) if isinstance(i, ir.Return)}

    @cached_property
    def questions(self) -> dict[int, Callable[[Slots, Locals], Point]]:
        """What tells what is decided at each choice."""
        return {k: self.engine.asker(i) for k, i in enumerate(self.fn.code) if isinstance(i, ir.Choose | ir.ChooseSome)}

    def begun(self, args: Sequence[int]) -> Frame:
        """The function, called with these arguments."""
        return Frame(self, 0, [*args, *self.fresh[len(args):]])

    @cached_property
    def dead(self) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
        """The locals that are dead at each place, and while what is called there runs."""
        everything = frozenset(range(len(self.fn.locals)))
        live = liveness(self.fn)
        across = live_across_calls(self.fn, live)
        return [tuple(sorted(everything - x)) for x in live], [tuple(sorted(everything - x)) for x in across]


@dataclass
class Frame:
    """A procedure in progress."""

    code: Code
    pc: int
    f: Locals


Collect = Callable[[Slots, Locals, dict[Option, int]], None]
"""Adds the options there are, and how many equal ones each stands for."""


class Interpreter:
    """Runs a program. Pure: `start`, `point` and `apply` never change a state.

    `policies`: what players do by policy, wherever it is offered (`card_ids` says what each card is).
    """

    def __init__(self, program: Program, policies: Policies | None = None, card_ids: Sequence[str] = ()) -> None:
        self.program = program
        self.layout = program.layout
        self.policies = policies or {}
        self.card_ids = card_ids
        self.effects = Effects(program, *self.served)
        self.frames: list[Frame] = []
        self.running: list[tuple[Code, Locals]] = []
        self.stopped: tuple[State | None, Point] = None, FORCED
        self.trace: list[Traced] | None = None
        self.calls: list[tuple[str, tuple[int, ...]]] | None = None
        self.verdicts = {v.function: (v.answer.lo, v.clauses[:1]) for v in program.verdicts}

    @property
    def served(self) -> tuple[Callable[[str, Slots, list[int]], int], Callable[[int], None], Callable[[str], Value]]:
        """`call`, `sweep` and `result` for what is made for it, which does not hold it: so all of that goes when the engine does."""
        engine = proxy(self)
        return (
            lambda name, g, args: engine.call(name, g, args), lambda card: engine.sweep(card),
            lambda name: engine.result(name))

    @cached_property
    def numbered(self) -> list[Code]:
        """The functions to be run, in the order of the program."""
        return [self.code_of(k, fn) for k, fn in enumerate(self.program.functions.values())]

    @cached_property
    def codes(self) -> dict[str, Code]:
        """The same by name."""
        return dict(zip(self.program.functions, self.numbered, strict=True))

    def code_of(self, number: int, fn: Function) -> Code:
        """What carries the function out."""
        return Code(number, fn, self)

    # ------------------------------------------------------------ the game, from outside
    def start(self, slots: Sequence[int] | None = None, trace: list[Traced] | None = None) -> Arrival:
        """Run from the initial state (or from the given slots) to the first label."""
        return self.carry_out(
            self.program.entry, [s.initial for s in self.layout.slots] if slots is None else slots, (), trace
        )

    def resumed(self, state: State) -> Arrival:
        """Play that goes on from a state at a label."""
        return Arrival(state, 0)

    def point(self, state: State) -> Point | None:
        """What is decided in the state; None where play has ended."""
        if state.end is not None:
            return None
        if state is self.stopped[0]:
            return self.stopped[1]
        top = state.frames[-1]
        code = self.numbered[top[0]]
        match code.fn.code[top[1]]:
            case ir.Choose() | ir.ChooseSome():
                return code.questions[top[1]](list(state.slots), list(top[2:]))
            case ir.Consult() as c:
                n = len(self.program.readings[c.reading])
                return Point(READING, tuple((k,) for k in range(n)), (1,) * n, reading=c.reading)
            case _:
                return FORCED

    def apply(
        self, state: State, option: Option | None, trace: list[Traced] | None = None,
        calls: list[tuple[str, tuple[int, ...]]] | None = None,
    ) -> Arrival:
        """The next label after taking the option; None: from a place that is no label. `trace` collects the marks of the
        instructions carried out, `calls` the procedures called, with their arguments."""
        self.frames = [Frame(self.numbered[number], pc, f) for number, pc, *f in state.frames]
        return self._run(list(state.slots), option, trace, calls)

    def options(self, state: State) -> tuple[Option, ...]:
        """What can be taken; none where play has ended."""
        return () if (at := self.point(state)) is None else at.options

    def evaluate(self, function: str, state: State, args: Sequence[int] = ()) -> int | End:
        """The value of a define in a state; how it ended, where it cannot be told (a fault, an exceeded bound)."""
        return self._called(function, list(state.slots), args, None)

    def carry_out(
        self, rule: str, slots: Sequence[int], args: Sequence[int] = (), trace: list[Traced] | None = None,
    ) -> Arrival:
        """Carry out one step or procedure in a position, to its end or first label. An end `over`: it returned."""
        code, g = self.codes[rule], list(slots)
        if code.fn.kind == "procedure":
            self.frames = [code.begun(args)]
            return self._run(g, None, trace)
        end = self._called(rule, g, args, trace)
        return Arrival(State(tuple(g), (), end if isinstance(end, End) else End("over")), 0)

    # ------------------------------------------------------------ one transition
    def _run(
        self, g: Slots, option: Option | None, trace: list[Traced] | None,
        calls: list[tuple[str, tuple[int, ...]]] | None = None,
    ) -> Arrival:
        self.effects.reset()
        self.running, self.trace, self.calls = [], trace, calls
        resumed = option is not None
        crossing = 0 if resumed else self.frames[-1].code.fn.scope
        try:
            while True:
                frame = self.frames[-1]
                code, f, pc = frame.code, frame.f, frame.pc
                effects, instrs = code.effects, code.fn.code
                while True:
                    if trace is not None:
                        trace.append(Traced(instrs[pc].at, len(self.frames)))
                    effect = effects[pc]
                    if effect is None:
                        break
                    pc = effect(g, f)
                frame.pc = pc
                match instrs[pc]:
                    case ir.Label() | ir.Invoke(stop=True) if not resumed:
                        return Arrival(self._freeze(g), crossing)
                    case ir.Consult(slot=slot) if g[slot] < 0 and not resumed:
                        return Arrival(self._freeze(g), crossing)
                    case ir.Label():
                        frame.pc = pc + 1
                    case ir.Choose() | ir.ChooseSome() as c:
                        if not resumed:
                            asked = self._asked(code, pc, g, f)
                            if not asked.options:
                                raise Halt(End("gap", detail=" ".join(c.at.clauses)))
                            if len(asked.options) > 1:
                                self.stopped = self._freeze(g), asked  # it is often asked for at once
                                return Arrival(self.stopped[0], crossing)
                            option = next(iter(asked.options))
                        assert option is not None
                        for x, v in zip(c.locals if isinstance(c, ir.Choose) else (c.local,), option, strict=True):
                            f[x] = v
                        frame.pc = pc + 1
                    case ir.Consult(slot=slot):
                        if g[slot] < 0:
                            assert option is not None
                            g[slot] = option[0]  # pyright: ignore[reportGeneralTypeIssues]
                        frame.pc = pc + 1
                    case ir.Invoke(function=name, tail=tail):
                        callee = self.codes[name]
                        args = [a(g, f) for a in code.arguments[pc]]
                        crossing = max(crossing, callee.fn.scope)
                        if self.calls is not None:
                            self.calls.append((name, tuple(args)))
                        if tail:
                            self.frames.pop()
                        elif len(self.frames) >= self.program.stack_depth:
                            self.frames.append(callee.begun(args))  # loops that grow the stack are recognised by what did not fit
                            raise Halt(End("bound", detail="stack"))
                        self.frames.append(callee.begun(args))
                    case ir.Return():
                        value = code.results[pc](g, f)
                        crossing = max(crossing, code.fn.scope)
                        self.frames.pop()
                        if not self.frames:
                            return Arrival(State(tuple(g), (), End("over")), crossing)
                        caller = self.frames[-1]
                        call = caller.code.fn.code[caller.pc]
                        assert isinstance(call, ir.Invoke)
                        if call.local is not None:
                            caller.f[call.local] = value
                        caller.pc += 1
                    case ir.Throw(signal=signal) as t:
                        crossing = self._unwind(signal, t, crossing)
                    case other:
                        raise AssertionError(other)
                resumed = False
        except Halt as halt:
            if halt.end.kind == "bound":
                return Arrival(self._freeze(g, halt.end), crossing)
            return Arrival(State(tuple(g), (), halt.end), crossing)
        finally:
            self.trace = self.calls = None

    def _unwind(self, signal: str, at: ir.Throw, crossing: int) -> int:
        while self.frames:
            frame = self.frames[-1]
            inside = [h for h in frame.code.fn.handlers if h.first <= frame.pc < h.last and h.signal == signal]
            if inside:
                frame.pc = min(inside, key=lambda h: h.last - h.first).target
                return crossing
            crossing = max(crossing, frame.code.fn.scope)
            self.frames.pop()
        raise fault(f"nothing catches {signal}", at.at)

    def _freeze(self, g: Slots, end: End | None = None) -> State:
        out: list[tuple[int, ...]] = []
        last = len(self.frames) - 1
        for k, fr in enumerate(self.frames):
            f = list(fr.f)
            for x in fr.code.dead[0 if k == last else 1][fr.pc]:
                f[x] = fr.code.fresh[x]
            out.append((fr.code.number, fr.pc, *f))
        return State(tuple(g), tuple(out), end)

    def sweep(self, card: int) -> None:
        """No frame, and no event that waits, refers to the card as an object any more."""
        events = ((self.codes[name], args) for name, args in chain(self.effects.events, *self.effects.happening))
        for code, values in (*((x.code, x.f) for x in self.frames), *self.running, *events):
            for k in code.objects:
                if k < len(values) and values[k] == card:
                    values[k] = -1

    def result(self, name: str) -> Value:
        """What computes the result of a function that does nothing else."""
        return self.codes[name].results[0]

    def _called(self, name: str, g: Slots, args: Sequence[int], trace: list[Traced] | None) -> int | End:
        """The value of a define or a step that is carried out by itself; how it ended, where it has none."""
        self.running, self.frames, self.trace = [], [], trace
        self.effects.reset()
        try:
            return self.call(name, g, list(args))
        except Halt as halt:
            return halt.end
        finally:
            self.trace = None

    def call(self, name: str, g: Slots, args: list[int]) -> int:
        """Run a define or a step to its end."""
        code = self.codes[name]
        f = args + list(code.fresh[len(args):])
        self.running.append((code, f))
        effects, instrs = code.effects, code.fn.code
        trace = self.trace if code.fn.kind == "step" else None
        pc = 0
        while True:
            if trace is not None:
                trace.append(Traced(instrs[pc].at, len(self.frames) + 1))
            effect = effects[pc]
            if effect is None:
                value = code.results[pc](g, f)
                self.running.pop()
                if self.trace is not None and (said := self.verdicts.get(name)) is not None and value != said[0]:
                    self.trace.append(Traced(ir.Mark("", 0, 0, said[1]), len(self.frames) + 1))
                return value
            pc = effect(g, f)

    # ------------------------------------------------------------ who decides what
    def _asked(self, code: Code, pc: int, g: Slots, f: Locals) -> Point:
        return code.questions[pc](g, f)

    def asker(self, c: ir.Choose | ir.ChooseSome) -> Callable[[Slots, Locals], Point]:
        """What tells what is decided at a choice."""
        owner, t = c.owner, c.type
        player = self.effects.value(owner.player) if isinstance(owner, ir.ByPlayer) else None
        clause = owner.clause if isinstance(owner, ir.ByNobody) else ""
        fixed = CHANCE if isinstance(owner, ir.ByChance) else OPEN
        policies, card_ids = self.policies, self.card_ids  # so that `ask` does not hold the engine
        offers = [self._offered(o) for o in c.offers] if isinstance(c, ir.Choose) else [self._subsets(c)]

        def ask(g: Slots, f: Locals) -> Point:
            who = player(g, f) if player is not None else fixed
            found: dict[Option, int] = {}
            for collect in offers:
                collect(g, f, found)
            options = tuple(found)
            if who in policies and len(options) > 1:
                options = scripted(policies[who], t, options, card_ids)
            return Point(who, options, tuple([found[o] for o in options]), t, clause)
        return ask

    def _offered(self, o: ir.Offer) -> Collect:
        test, values = self.effects.value(o.test), [*map(self.effects.value, o.values)]

        def offered(g: Slots, f: Locals, found: dict[Option, int]) -> None:
            if test(g, f):
                option = tuple([v(g, f) for v in values])
                found[option] = found.get(option, 0) + 1
        return reduce(self._bound, reversed(o.binders), offered)

    def _bound(self, collect: Collect, b: ir.Binder) -> Collect:
        """The same for each value that the binder can have."""
        var, domain, offset = b.var, self.effects.value(b.domain), b.offset

        def each(g: Slots, f: Locals, found: dict[Option, int]) -> None:
            for i in members(domain(g, f)):
                f[var] = i + offset
                collect(g, f, found)
        return each

    def _subsets(self, c: ir.ChooseSome) -> Collect:
        among, least, most = map(self.effects.value, (c.among, c.least, c.most))

        def collect(g: Slots, f: Locals, found: dict[Option, int]) -> None:
            of = members(among(g, f))
            hi = max(0, min(most(g, f), len(of)))
            sizes = range(max(0, min(least(g, f), hi)), hi + 1)
            if (ways := sum(comb(len(of), n) for n in sizes)) > MOST_OPTIONS:
                raise bound(f"options = {ways}")
            found |= {(mask_of(some),): 1 for n in sizes for some in combinations(of, n)}
        return collect
