"""Books by lot that contradict themselves or are silent: verdicts on a question, norms about an action, two values at once, choices without an
option, situations that end play together. All numbers are small, so that every position can be gone through.
"""
from __future__ import annotations

from .books import Book, Part, Rule
from .draw import one
from .draw_orders import PLAYERS, Orders

KINDS = ("permits", "forbids", "requires")


class Verdicts(Orders):
    """Draws one book with verdicts and norms."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.waits, self.turns = self.chance(0.25), self.chance(0.5)
        self.points = self.chance(0.6)
        self.questions: dict[str, str] = {}
        self.acts = list[str]()
        self.stepping = False

    # ------------------------------------------------------------ places
    def number(self) -> str:
        here = self.luck.choice((*PLAYERS, *(["p"] if "p" in self.locals else []), *(["other(p)"] if "p" in self.locals else [])))
        return f"g.points[{here}]" if self.points and self.chance(0.5) else f"g.{self.luck.choice(self.counters)}"

    def condition(self, deep: int = 1) -> str:
        kind = self.weighted((("number", 45), ("flag", 30), ("turn", 10 if self.turns else 0), ("waiting", 6 if self.waits else 0), ("both", 14 * deep), ("two", 10),
                              ("act", 8 if self.acts and deep else 0)))
        match kind:
            case "flag":
                return f"{self.luck.choice(('', 'not '))}g.{self.luck.choice(self.flags)}"
            case "turn":
                return f"g.active == {self.luck.choice((*PLAYERS, *(['p'] if 'p' in self.locals else [])))}"
            case "waiting":
                return f"len(g.w) {self.luck.choice(('>', '=='))} {self.luck.randint(0, 2)}"
            case "both":
                return f"({self.condition(0)} {self.luck.choice(('and', 'or'))} {self.condition(0)})"
            case "two":
                return f"{self.number()} {self.luck.choice(('<', '==', '>='))} {self.number()}"
            case "act":
                return f"{self.luck.choice(('permitted', 'forbidden', 'required'))}({self.luck.choice(self.acts)}, g, {self.player()})"
            case _:
                return f"{self.number()} {self.luck.choice(('>', '==', '<'))} {self.luck.randint(0, 3)}"

    def player(self) -> str:
        return self.luck.choice((*PLAYERS, *(("p", "p", "other(p)") if "p" in self.locals else ()), *(("g.active",) if self.turns else ())))

    def who(self) -> str:
        return self.player() if self.chance(0.8) else super().who()

    def changed(self) -> Part:
        if self.points and self.chance(0.35):
            x = self.player()
            return self.luck.choice((one(f"if g.points[{x}] > 0:", one(f"g.points[{x}] -= 1  #: {self.clause()}")), one(f"g.points[{x}] = {self.luck.randint(0, 2)}")))
        c, f = self.luck.choice(self.counters), self.luck.choice(self.flags)
        return self.luck.choice((one(f"g.{c} = {self.luck.randint(0, 3)}  #: {self.clause()}"), one(f"if g.{c} < 3:", one(f"g.{c} += 1")),
                                 one(f"g.{f} = {self.luck.choice(('True', 'False', f'not g.{f}'))}  #: {self.clause()}")))

    # ------------------------------------------------------------ what stops play
    def silent(self) -> Part:
        word = self.weighted((("gap", 75), ("conflict", 25)))
        return one(f"if {self.condition()}:", one(f'{word}("{self.clause()}")'))

    def at_one_time(self) -> Part:
        self.has("simultaneously")
        c = self.luck.choice(self.counters)
        values = [one(f"g.{c} = {self.luck.choice(('0', '1', '2', self.number()))}  #: {self.clause()}") for _ in range(2)]
        return one("with simultaneously():", *(v if self.chance(0.3) else one(f"if {self.condition()}:", v) for v in values))

    def of_few(self) -> list[Part]:
        """A choice that may have no option."""
        self.has("a choice that may have no option")
        x, y = self.fresh(), self.fresh()
        if self.points and self.chance(0.4):
            return [one(f"{x} = await choose({self.who()}, {{{y} for {y} in PLAYERS if g.points[{y}] {self.luck.choice(('>', '<', '=='))} {self.number()}}})  #: {self.clause()}"),
                    one(f"g.points[{x}] = {self.luck.randint(0, 2)}")]
        those = f"{{{y} for {y} in {{0, 1, 2, 3}} if {y} {self.luck.choice(('>', '<', '=='))} {self.number()}}}"
        out = [one(f"{x} = await choose({self.who()}, {those})  #: {self.clause()}"), one(f"g.{self.luck.choice(self.counters)} = {x}")]
        return out if self.chance(0.7) else [one(f"if {self.condition()}:", *out)]

    def asked_of(self) -> list[Part]:
        self.has("a question to verdicts")
        q, x = self.luck.choice([*self.questions]), self.fresh()
        asked = one(f'{x} = judge("{q}", g, {self.player()}, {self.questions[q]})  #: {self.clause()}')
        if self.questions[q] == "Player":
            return [asked, one(f"finish({x})  #: {self.clause()}") if self.chance(0.6) else one(f"if {x} == {self.luck.choice(PLAYERS)}:", self.changed())]
        return [asked, one(f"if {x} == Say.{self.luck.choice(('YES', 'NO'))}:", self.changed())]

    def statement(self, deep: int) -> list[Part]:
        kind = self.weighted((("change", 30), ("gap", 12), ("at once", 12), ("few", 0 if self.stepping else 14), ("judge", 20 if self.questions else 0), ("act", 14 if self.acts else 0),
                              ("step", 10 if self.calls else 0), ("may", 0 if self.stepping else 12), ("if", 12 if deep else 0), ("wait", 6 if self.waits else 0),
                              ("while", 6 if deep and not self.stepping else 0)))
        match kind:
            case "gap":
                return [self.silent()]
            case "at once":
                return [self.at_one_time()]
            case "few":
                return self.of_few()
            case "judge":
                return self.asked_of() if self.chance(0.3) else [one(f"if {self.condition()}:", *self.asked_of())]
            case "act":
                return [one(f"{self.luck.choice(self.acts)}(g, {self.player()})")]
            case "step":
                return [one(f"{self.luck.choice(self.calls)}(g, {self.player()})")]
            case "may":
                return [one(f"if await may({self.who()}):", *self.statement(0))]
            case "if":
                return [one(f"if {self.condition()}:", *self.statement(deep - 1), otherwise=tuple(self.statement(0)) if self.chance(0.3) else ())]
            case "wait":
                return [self.added(self.luck.choice("ABCD"))] if self.chance(0.6) else [one("if g.w:", one("w = await choose(FIRST, {w for w in g.w})"), one("g.w.remove(w)"))] if not self.stepping else [one("g.w.clear()")]
            case "while":
                return [one(f"while {self.condition()}:", one(f"if not await may({self.who()}):", one("return")), *self.statement(0))]
            case _:
                return [self.changed()]

    # ------------------------------------------------------------ rules
    def verdicts(self) -> list[str]:
        """Verdicts on one or two questions; which outranks which."""
        ranks = list[str]()
        for q, answer in self.luck.sample((("winner", "Player"), ("lawful", "Say")), self.luck.choice((1, 1, 2))):
            names = [f"{q}_{k}" for k in range(self.luck.choice((2, 2, 3)))]
            self.locals = ["p"]
            for name in names:
                def says(answer: str = answer) -> str:
                    return self.luck.choice(("p", "other(p)", *PLAYERS)) if answer == "Player" else self.luck.choice(("Say.YES", "Say.NO"))
                body = (one(f"return {says()} if {self.condition()} else {self.luck.choice(('None', 'None', says()))}  #: {self.clause()}"),) if self.chance(0.5) else (
                    one(f"if {self.condition()}:", one(f"return {says()}  #: {self.clause()}")), *self.maybe(lambda says=says: one(f"if {self.condition()}:", one(f"return {says()}  #: {self.clause()}")), 0.4),
                    one("return None"))
                self.rules.append(Rule(name, "p: Player", "", body, f'verdict("{q}")', f"Option[{answer}]"))
            self.locals = []
            pairs = [(a, b) for k, a in enumerate(names) for b in names[k + 1:]]
            ranks += [f'outranks("{a}", "{b}")' for a, b in pairs if self.chance(0.3)]
            self.questions[q] = answer
        return ranks

    def norms(self) -> list[str]:
        """An action and what is said of it; which kinds of norms outrank which."""
        self.has("norms")
        self.locals, self.stepping = ["p"], True
        self.rules.append(Rule("act", "p: Player", "", tuple(self.statement(0)), "action"))
        for k in range(self.luck.choice((2, 2, 3, 4))):
            self.rules.append(Rule(f"norm_{k}", "p: Player", "", (one(f"return {self.condition()}  #: {self.clause()}"),), f"{self.luck.choice(KINDS)}(act)", "bool"))
        self.locals, self.stepping = [], False
        self.acts = ["act"]
        return [f'outranks("{a}", "{b}")' for a, b in (("forbids", "permits"), ("forbids", "requires"), ("permits", "forbids")) if self.chance(0.2)][:1]

    def ending_situations(self) -> None:
        self.has("situations at once")
        settled = self.turns and self.chance(0.25)
        if settled:
            self.rules.append(Rule("whose_turn", "", "", (one("return g.active"),), "define", "Player"))
        for k in range(self.luck.choice((1, 2, 2, 3))):
            params = self.luck.choice(("", "p: Player"))
            self.locals = ["p"] if params else []
            asked = self.questions.get("winner") and self.chance(0.5)
            body = [one(f'x = judge("winner", g, {self.player()}, Player)'), one("finish(x)")] if asked else [*self.maybe(self.silent, 0.3), one(f"finish({self.player()})")]
            self.rules.append(Rule(f"ends_{k}", params, "", (one(f"when({self.condition()})  #: 3.{k + 1}"), *body), "situation" + "\n@settled_by(whose_turn)" * settled))
        self.locals = []

    def book(self) -> Book:
        ranks = list[str]()
        if self.chance(0.75):
            ranks += self.verdicts()
        if self.chance(0.55):
            ranks += self.norms()
        if self.chance(0.45):
            self.ending_situations()
        if self.chance(0.5):
            self.has("a step")
            self.stepping, self.locals = True, ["p"]
            self.rules.append(Rule("note", "p: Player", "", tuple(self.statement(1)), "step"))
            self.stepping, self.locals, self.calls = False, [], ["note"]
        main = [x for _ in range(self.luck.randint(2, 4)) for x in self.statement(1)]
        if self.questions and self.chance(0.7):
            self.locals = ["p"]
            self.rules.append(Rule("pronounce", "p: Player", "", tuple(self.asked_of()), "step"))
            self.locals = []
            main.insert(self.luck.randint(0, len(main)), one(f"pronounce(g, {self.player()})"))
        self.rules.append(Rule("main", "", "", tuple(main)))
        fields = [*(f"    {c}: Annotated[int, Range(0, 3)]" for c in self.counters), *(f"    {f}: bool" for f in self.flags), *(["    active: Player"] if self.turns else []),
                  *([f"    points: Per[Player, Annotated[int, Range(0, {self.luck.choice((2, 3))})]] = each(1)"] if self.points else []), *(["    w: Multiset[Wait]"] if self.waits else [])]
        kinds = "".join(f"    {k} = {n}\n" for n, k in enumerate("ABCD", 1))
        waits = f"class Kind(Enum):\n{kinds}\n\nclass Wait(Record):\n    kind: Kind\n{'    whose: Player' + chr(10) if self.whose else ''}\n\n" if self.waits else ""
        says = "class Say(Enum):\n    YES = 1\n    NO = 2\n\n\n"
        head = f"{says}{waits}class Game(State):\n" + "\n".join(fields) + "\n" + "".join(f"\n\n{r}" for r in ranks)
        return Book(head, tuple(self.rules), tuple(self.counters), {}, {"w": 3} if self.waits else {}, {}, features=frozenset(self.features))
