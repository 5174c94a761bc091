"""Small books of rules by lot: each from a seed alone.

What is drawn is meant to make the checks say something false: counters whose thresholds lie behind their caps, exits that are
offered late, counters set back or compared with each other, ends that need both players, nested calls, what waits in some order.
"""
from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

from .books import Book, Part, Rule

T = TypeVar("T")
COMPARE = ("<", "<=", ">", ">=", "==", "!=")
CLAUSES = tuple(f"{a}.{b}" for a in (1, 2, 3) for b in (1, 2, 3))
SHAPES = (("loop", 45), ("race", 8), ("turns", 12), ("dive", 10), ("ping-pong", 8), ("resolve", 14), ("phases", 6))


def one(line: str, *body: Part, otherwise: tuple[Part, ...] = ()) -> Part:
    """A statement."""
    return Part(line, body, otherwise)


class Draw:
    """Draws one book."""

    def __init__(self, seed: int) -> None:
        self.luck = luck = random.Random(seed)
        self.features = set[str]()
        self.shape = self.weighted(SHAPES)
        few = 1 if self.shape in ("dive", "ping-pong") else 3
        self.counters = [f"c{k}" for k in range(min(few, self.weighted(((1, 55), (2, 38), (3, 7)))))] if self.shape != "race" else ["c0", "c1"]
        self.flags = [f"f{k}" for k in range(self.weighted(((0, 30), (1, 50), (2, 20))))]
        self.turns = self.shape == "turns" or luck.random() < 0.15
        self.waits = self.shape == "resolve" or luck.random() < 0.12
        self.least = luck.randint(3, 12 if len(self.counters) == 1 else 6)
        self.far = self.least + (luck.randint(1, 48) if len(self.counters) == 1 and luck.random() < 0.5 else luck.randint(1, 12 if len(self.counters) == 1 else 7))
        self.locals, self.names = list[str](), 0
        self.rules: list[Rule] = []
        self.calls = list[str]()

    # ------------------------------------------------------------ by lot
    def weighted(self, ways: Sequence[tuple[T, int]]) -> T:
        return self.luck.choices([w for w, _ in ways], [n for _, n in ways])[0]

    def chance(self, p: float) -> bool:
        return self.luck.random() < p

    def has(self, *features: str) -> None:
        self.features.update(features)

    def fresh(self) -> str:
        self.names += 1
        return f"x{self.names}"

    def clause(self) -> str:
        return self.luck.choice(CLAUSES)

    def counter(self) -> str:
        return self.luck.choice([*(f"g.{c}" for c in self.counters), *self.locals])

    # ------------------------------------------------------------ conditions
    def number(self) -> int:
        """A threshold: at the beginning, within the cap, or behind it."""
        where = self.weighted((("low", 25), ("within", 25), ("behind", 50)))
        if where == "low":
            return self.luck.randint(0, 2)
        if where == "within":
            return self.luck.randint(1, self.least)
        self.has("threshold behind the cap")
        return self.luck.randint(self.least + 1, self.far)

    def condition(self, deep: int = 1) -> str:
        kind = self.weighted((("counter", 55), ("flag", 15 if self.flags else 0), ("two", 18 if len(self.counters) > 1 else 0),
                              ("turn", 8 if self.turns else 0), ("waiting", 10 if self.waits else 0), ("both", 12 if deep else 0)))
        match kind:
            case "counter":
                return f"{self.counter()} {self.luck.choice(COMPARE)} {self.number()}"
            case "flag":
                return f"{'' if self.chance(0.5) else 'not '}g.{self.luck.choice(self.flags)}"
            case "two":
                self.has("two counters compared")
                a, b = (f"g.{c}" for c in self.luck.sample(self.counters, 2))
                how = self.weighted((("plain", 4), ("difference", 4), ("sum", 1)))
                if how == "plain":
                    return f"{a} {self.luck.choice(COMPARE)} {b}"
                return f"{a} {'-' if how == 'difference' else '+'} {b} {self.luck.choice(COMPARE)} {self.number()}"
            case "turn":
                return f"g.active == {self.luck.choice(('FIRST', 'SECOND'))}"
            case "waiting":
                self.has("looks at what waits")
                return f"len(g.w) {self.luck.choice(COMPARE)} {self.luck.randint(0, 3)}"
            case _:
                return f"({self.condition(0)} {self.luck.choice(('and', 'or'))} {self.condition(0)})"

    def decider(self) -> str:
        kind = self.weighted((("seat", 70), ("turn", 20 if self.turns else 0), ("depends", 8), ("open", 7)))
        match kind:
            case "turn":
                return self.luck.choice(("g.active", "other(g.active)"))
            case "depends":
                self.has("who decides depends")
                return f"FIRST if {self.condition(0)} else SECOND"
            case "open":
                self.has("open decision")
                return f'OPEN("{self.clause()}")'
            case _:
                return self.luck.choice(("FIRST", "SECOND"))

    # ------------------------------------------------------------ statements
    def grow(self) -> Part:
        self.has("grows")
        return one(f"{self.counter()} += {self.weighted(((1, 75), (2, 18), (3, 7)))}  #: {self.clause()}")

    def shrink(self) -> Part:
        c = self.counter()
        self.has("shrinks")
        by = self.weighted(((1, 80), (2, 20)))
        return one(f"if {c} >= {max(by, self.number() if self.chance(0.3) else 0)}:", one(f"{c} -= {by}"))

    def set_back(self) -> Part:
        c = self.counter()
        self.has("set back")
        values = ["0", str(self.luck.randint(0, 2))]
        if len(self.counters) > 1:
            values += [f"g.{x}" for x in self.counters if f"g.{x}" != c]
        back = one(f"{c} = {self.luck.choice(values)}  #: {self.clause()}")
        return back if self.chance(0.1) else one(f"if {c} {self.luck.choice(('>', '>=', '=='))} {self.number()}:", back, *self.maybe(self.flip, 0.3))

    def flip(self) -> Part:
        if self.turns and (not self.flags or self.chance(0.5)):
            return one("g.active = other(g.active)")
        if not self.flags:
            return self.grow()
        f = self.luck.choice(self.flags)
        return one(f"g.{f} = {self.luck.choice((f'not g.{f}', 'True', 'False'))}")

    def ending(self) -> Part:
        c = self.clause()
        kind = self.weighted((("return", 40), ("win", 32), ("draw", 8), ("gap", 12), ("conflict", 6), ("not modelled", 2)))
        match kind:
            case "win":
                return one(f"finish({self.luck.choice(('FIRST', 'SECOND'))})  #: {c}")
            case "draw":
                return one(f"finish(None)  #: {c}")
            case "gap":
                return one(f'gap("{c}")')
            case "conflict":
                return one(f'conflict("{c}")')
            case "not modelled":
                return one(f'not_modelled("{c}")')
            case _:
                return one("return")

    def guarded_end(self) -> Part:
        self.has("end under a condition")
        return one(f"if {self.condition()}:", self.ending())

    def asked(self, deep: int) -> list[Part]:
        x = self.fresh()
        then = [self.ending()] if self.chance(0.45) else self.block(deep - 1)
        otherwise = tuple(self.block(deep - 1)) if self.chance(0.25) else ()
        return [one(f"{x} = await may({self.decider()})  #: {self.clause()}"), one(f"if {'' if self.chance(0.7) else 'not '}{x}:", *then, otherwise=otherwise)]

    def late_stop(self) -> list[Part]:
        self.has("late stop")
        x = self.fresh()
        c = f"{self.counter()} {self.luck.choice(('>', '>=', '=='))} {self.number()}"
        return [one(f"if {c}:", one(f"{x} = await may({self.luck.choice(('FIRST', 'SECOND'))})  #: {self.clause()}"), one(f"if {x}:", self.ending()))]

    def both_agree(self) -> list[Part]:
        self.has("end needs both")
        x, y = self.fresh(), self.fresh()
        how = self.luck.choice((f"{x} and {y}", f"{x} or {y}", f"not ({x} or {y})", f"not ({x} and {y})", f"{x} == {y}"))
        return [one(f"{x} = await may(FIRST)"), one(f"{y} = await may(SECOND)"), one(f"if {how}:", self.ending())]

    def luckily(self, deep: int) -> list[Part]:
        self.has("chance")
        x = self.fresh()
        n = self.luck.choice((2, 2, 3))
        return [one(f"{x} = await chance({{{', '.join(map(str, range(1, n + 1)))}}})"),
                one(f"if {x} == 1:", *([self.ending()] if self.chance(0.3) else self.block(deep - 1)))]

    def how_many(self) -> list[Part]:
        self.has("a number is chosen")
        x = self.fresh()
        return [one(f"{x} = await choose_number({self.decider()}, 0, {self.luck.randint(1, 2)})"), one(f"{self.counter()} += {x}")]

    def inner_loop(self) -> Part:
        self.has("loop in a loop")
        test = self.condition() if self.chance(0.8) else f"{self.counter()} >= 0"
        return one(f"while {test}:", *self.block(0), *self.maybe(self.grow, 0.6))

    def waiting(self) -> Part:
        self.has("multiset")
        kind = self.weighted((("add", 60), ("clear", 15), ("guarded", 25)))
        add = one(f"g.w.add(Wait(Kind.{self.luck.choice('ABC')}))")
        if kind == "clear":
            return one("g.w.clear()")
        return add if kind == "add" else one(f"if len(g.w) < {self.luck.randint(1, 5)}:", add)

    def call(self) -> Part:
        return one(f"await {self.luck.choice(self.calls)}(g)  #: {self.clause()}")

    def dead(self) -> Part:
        self.has("dead clause")
        c = self.luck.choice(self.counters)
        return one(f"if g.{c} < 0:", self.ending())

    def maybe(self, make: Callable[[], Part], p: float) -> tuple[Part, ...]:
        return (make(),) if self.chance(p) else ()

    def statement(self, deep: int) -> list[Part]:
        """One or a few statements; `deep`: how far down others may stand in them."""
        flat = not deep
        kind = self.weighted((
            ("grow", 26), ("shrink", 6), ("set back", 9), ("flip", 10), ("end", 12), ("ask", 0 if flat else 15), ("late", 7), ("both", 3),
            ("luck", 0 if flat else 5), ("number", 4), ("while", 0 if flat else 5), ("wait", 8 if self.waits else 0),
            ("call", 8 if self.calls and not flat else 0), ("if", 0 if flat else 9), ("dead", 1)))
        match kind:
            case "grow":
                return [self.grow()]
            case "shrink":
                return [self.shrink()]
            case "set back":
                return [self.set_back()]
            case "flip":
                return [self.flip()]
            case "end":
                return [self.guarded_end()]
            case "ask":
                return self.asked(deep)
            case "late":
                return self.late_stop()
            case "both":
                return self.both_agree()
            case "luck":
                return self.luckily(deep)
            case "number":
                return self.how_many()
            case "while":
                return [self.inner_loop()]
            case "wait":
                return [self.waiting()]
            case "call":
                return [self.call()]
            case "dead":
                return [self.dead()]
            case _:
                return [one(f"if {self.condition()}:", *self.block(deep - 1), otherwise=tuple(self.block(deep - 1)) if self.chance(0.3) else ())]

    def block(self, deep: int, least: int = 1, most: int = 2) -> list[Part]:
        """Some statements; what stands behind a certain end is left out."""
        out: list[Part] = []
        for _ in range(self.luck.randint(least, most)):
            out += self.statement(max(0, deep))
        return out or [self.grow()]

    # ------------------------------------------------------------ shapes
    def round(self) -> list[Part]:
        """What a loop does each time."""
        body = self.block(2, 1, 4)
        if self.chance(0.75):
            body.insert(self.luck.randint(0, len(body)), self.grow())
        return body

    def test(self) -> str:
        return self.weighted(((f"g.{self.counters[0]} >= 0", 30), ("True", 30), (self.condition(), 40)))

    def helper(self, name: str, scope: str, body: list[Part], params: str = "") -> None:
        self.rules.append(Rule(name, params, scope, tuple(body)))

    def behind(self) -> list[Part]:
        """What comes behind the loop."""
        return [self.ending()] if self.chance(0.6) else []

    def loop(self) -> list[Part]:
        if self.chance(0.2):
            self.helper("part", self.luck.choice(("", "PHASE", "STEP")), self.block(1))
            self.calls.append("part")
        begin = self.block(1, 0, 1) if self.chance(0.3) else []
        if self.chance(0.1):
            self.has("number in a frame")
            self.locals.append("n")
            begin = [one("n = 0"), *begin]
        if self.chance(0.08):
            self.has("the loop goes on while one of both wants")
            x, y = self.fresh(), self.fresh()
            go = [one(f"{x} = await may(FIRST)"), one(f"{y} = await may(SECOND)"), one(f"go = {x} {self.luck.choice(('or', 'and'))} {y}")]
            return [*begin, one("go = True"), one("while go:", *go, *self.maybe(self.grow, 0.5), *self.maybe(self.set_back, 0.3)), *self.behind()]
        return [*begin, one(f"while {self.test()}:", *self.round()), *self.behind()]

    def race(self) -> list[Part]:
        """Two counters together: they drift apart or stay together, or one grows as the other falls."""
        self.has("two counters compared")
        a, b = self.luck.sample(("g.c0", "g.c1"), 2)
        k = self.luck.randint(1, self.far)
        way = self.weighted((("apart", 45), ("against", 30), ("refilled", 25)))
        if way == "apart":
            test = self.luck.choice((f"{a} - {b} < {k}", f"{a} - {b} != {k}", f"{a} <= {b}", f"{a} < {b} + {k}"))
            body = [one(f"{a} += {self.luck.choice((1, 1, 2))}"), one(f"{b} += {self.luck.choice((1, 1, 2))}")]
            begin = [one(f"{b} = {self.luck.randint(0, 3)}")]
        else:
            body = [one(f"if {b} > 0:", one(f"{b} -= 1"), one(f"{a} += 1"), otherwise=(one(f"{b} = {a}") if way == "refilled" else one(f"{a} += 1"),))]
            test, begin = self.luck.choice((f"{a} < {k}", f"{b} - {a} < {k}", "True")), [one(f"{b} = {self.luck.randint(1, 3)}")]
        body.insert(self.luck.randint(0, len(body)), self.guarded_end() if self.chance(0.3) else self.flip())
        if self.chance(0.4):
            body += self.statement(1)
        return [*begin, one(f"while {test}:", *body), *self.behind()]

    def turn_by_turn(self) -> list[Part]:
        self.has("turns")
        self.helper("turn", "TURN", [*self.block(2, 1, 3), *([self.inner_loop()] if self.chance(0.3) else [])])
        return [one(f"while {self.test()}:", one("await turn(g)"), one("g.active = other(g.active)"), *self.maybe(self.grow, 0.5), *self.maybe(self.guarded_end, 0.4)),
                *self.behind()]

    def phases(self) -> list[Part]:
        self.has("phases")
        self.helper("phase", "PHASE", [one(f"while {self.condition()}:", *self.round())])
        self.helper("stage", "STEP", self.block(1))
        self.calls = ["phase", "stage"]
        return [one(f"while {self.test()}:", self.call(), *self.block(1))]

    def dive(self) -> list[Part]:
        """A procedure that calls itself, with a number that tells how deep, or without."""
        self.has("recursion")
        after = self.block(0, 1, 1) if self.chance(0.3) else []
        if self.chance(0.5):
            self.has("depth is known")
            deepest = self.luck.choice((self.luck.randint(2, 20), self.luck.randint(22, 40), self.luck.randint(30, 60)))
            self.locals.append("n")
            body = [one(f"if n {self.luck.choice(('>=', '=='))} {deepest}:", self.ending()), *self.block(1, 0, 2), one("await dive(g, n + 1)  #: 1.1"), *after]
            self.helper("dive", self.luck.choice(("", "STEP")), body, "n: int")
            self.locals.remove("n")
            return [*self.block(1, 0, 1), one("await dive(g, 0)"), *self.behind()]
        test = self.luck.choice(("True", self.condition(), f"g.{self.counters[0]} < {self.luck.randint(20, 60)}"))
        body = [*self.block(1, 0, 2), *self.maybe(self.grow, 0.5), one(f"if {test}:", one("await dive(g)  #: 1.1")), *after]
        self.helper("dive", self.luck.choice(("", "STEP")), body)
        return [*self.block(1, 0, 1), one("await dive(g)"), *self.behind()]

    def ping_pong(self) -> list[Part]:
        """Two procedures that call each other."""
        self.has("recursion", "ping-pong")
        for mine, others in (("ping", "pong"), ("pong", "ping")):
            call = one(f"await {others}(g)  #: 2.{1 if mine == 'ping' else 2}")
            test = self.weighted((("", 40), (self.condition(), 60)))
            body = [*self.block(1, 0, 1), *self.maybe(self.grow, 0.5), one(f"if {test}:", call) if test else call, *(self.block(0, 1, 1) if self.chance(0.25) else [])]
            self.helper(mine, "", body)
        return [*self.block(1, 0, 1), one("await ping(g)"), *self.behind()]

    def resolve(self) -> list[Part]:
        """What waits is carried out in some order; the rounds may bring more."""
        self.has("multiset", "orders")
        cases = [one(f"case Kind.{k}:", *self.effect()) for k in "ABC"]
        self.helper("carry", "", [one("match kind:", *cases)], "kind: Kind")
        loop = one("while len(g.w) > 0:", one(f"e = await choose({self.decider()}, {{w for w in g.w}})  #: 2.1"),
                   one("g.w.remove(e)"), one("await carry(g, e.kind)  #: 2.2"))
        self.helper("resolve", "", [loop])
        kinds = self.luck.sample("ABC", 2) if self.chance(0.7) else self.luck.choices("ABC", k=3)
        fill = [one(f"g.w.add(Wait(Kind.{k}))") for k in kinds]
        if self.chance(0.6):
            self.has("what came of an order decides who wins")
            a, b = self.luck.choice((("FIRST", "SECOND"), ("SECOND", "FIRST")))
            what = f"g.{self.luck.choice(self.counters)} {self.luck.choice(('>', '==', '<'))} {self.luck.randint(1, 4)}" if self.chance(0.7) else self.condition()
            then = [one(f"if {what}:", one(f"finish({a})")), one(f"finish({b})")]
        else:
            then = [*self.maybe(self.guarded_end, 0.8), *self.maybe(self.guarded_end, 0.4), *self.maybe(self.ending, 0.5)]
        if self.chance(0.35):
            return [one(f"while {self.test()}:", *fill, one("await resolve(g)"), *(then or [self.grow()]))]
        return [*fill, one("await resolve(g)"), *then]

    def effect(self) -> list[Part]:
        """What a waiting thing does."""
        c, kind = self.luck.choice(self.counters), self.weighted((("block", 30), ("number", 30), ("set", 15), ("flag", 30 if self.flags else 0)))
        if kind == "number":
            x = self.fresh()
            who = f"SECOND if g.{self.flags[0]} else FIRST" if self.flags and self.chance(0.6) else self.decider()
            self.has("who decides depends")
            return [one(f"{x} = await choose({who}, {{1, {self.luck.randint(2, 5)}}})"), one(f"g.{c} = {x}")]
        if kind == "set":
            return [one(f"g.{c} = {self.luck.randint(0, 3)}  #: {self.clause()}")]
        if kind == "flag":
            return [one(f"g.{self.luck.choice(self.flags)} = {self.luck.choice(('True', 'False'))}  #: {self.clause()}")]
        return self.block(1, 1, 1)

    # ------------------------------------------------------------ the whole
    def book(self) -> Book:
        shapes = {"loop": self.loop, "race": self.race, "turns": self.turn_by_turn, "phases": self.phases, "dive": self.dive, "ping-pong": self.ping_pong, "resolve": self.resolve}
        main = shapes[self.shape]()
        rules = (*self.rules, Rule("main", "", "", tuple(main)))
        caps, fields = dict[str, int](), list[str]()
        for c in self.counters:
            cap = self.luck.randint(min(3, self.least), self.least)
            if self.chance(0.35):
                self.has("range")
                fields.append(f"    {c}: Annotated[int, Range(0, {cap})]")
            else:
                self.has("cap")
                caps[c] = cap
                fields.append(f"    {c}: Annotated[int, Range(0, 99)]")
        fields += [f"    {f}: bool" for f in self.flags]
        fields += ["    active: Player"] if self.turns else []
        fields += ["    w: Multiset[Wait]"] if self.waits else []
        position = dict[str, int]()
        if self.chance(0.2):
            self.has("position")
            where = self.luck.choice([*self.counters, *self.flags])
            position[where] = self.luck.randint(1, 3) if where in self.counters else 1
        head = "class Kind(Enum):\n    A = 1\n    B = 2\n    C = 3\n\n\nclass Wait(Record):\n    kind: Kind\n\n\n" if self.waits else ""
        return Book(
            head + "class Game(State):\n" + "\n".join(fields) + "\n", rules, tuple(self.counters), caps,
            {"w": self.luck.randint(4, 8)} if self.waits else {}, position, features=frozenset((*self.features, f"shape: {self.shape}")))
