"""Books by lot with what happens at once or by itself: writes together, situations, actions that are forbidden, blocks that are left
early or after which something is as before, marks brought up to date.
"""
from __future__ import annotations

from .books import Part, Rule
from .draw import one
from .draw_cards import Cards


class Rules(Cards):
    """Draws one book with such rules."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        if not self.flags:
            self.flags = ["f0"]
        self.all_cards = self.all_cards[:self.luck.choice((3, 3, 4))]
        self.acts = self.chance(0.35)
        self.at_once = 0

    # ------------------------------------------------------------ blocks
    def write(self) -> Part:
        """One thing that happens at once with others."""
        kind = self.weighted((("more", 30), ("less", 15), ("set", 10), ("flag", 12), ("cards", 35)))
        match kind:
            case "more":
                return one(f"{self.counter()} += {self.luck.choice((1, 1, 2))}")
            case "less":
                c = self.counter()
                return one(f"if {c} > 0:", one(f"{c} -= 1"))
            case "set":
                return one(f"{self.counter()} = {self.luck.choice((str(self.luck.randint(0, 2)), self.counter(), self.sum_of()))}")
            case "flag":
                return one(f"g.{self.luck.choice(self.flags)} = {self.luck.choice(('True', 'False', self.condition()))}")
            case _:
                return self.each_card()

    def together(self) -> Part:
        self.has("simultaneously")
        return one("with simultaneously():", *(self.write() for _ in range(self.luck.randint(1, 3))))

    def as_before(self, deep: int) -> Part:
        self.has("restored")
        places = [f"g.{f}" for f in self.flags] + [f"g.{c}" for c in self.counters] + (["g.target"] if self.target else [])
        return one(f"with restored({', '.join(self.luck.sample(places, 1))}):", *self.round_of(deep, self.write()))

    def left_early(self, deep: int) -> Part:
        self.has("abandon_when")
        return one(f"with abandon_when(lambda: {self.condition()}):", *self.round_of(deep, self.write()))

    def statement(self, deep: int) -> list[Part]:
        kind = self.weighted((("together", 14), ("before", 6 if deep else 0), ("early", 8 if deep else 0), ("act", 12 if self.acts else 0), ("else", 60)))
        match kind:
            case "together":
                return [self.together()]
            case "before" | "early":
                outside, self.loops = self.loops, -1
                out = self.as_before(deep - 1) if kind == "before" else self.left_early(deep - 1)
                self.loops = outside
                return [out]
            case "act":
                return [one(f"act(g, {self.player()})")]
            case _:
                return super().statement(deep)

    # ------------------------------------------------------------ rules of their own
    def alone(self) -> None:
        """No names but the state's."""
        self.locals, self.names_of_cards, self.players, self.calls = [], [], [], []

    def up_to_date(self) -> None:
        """A mark that says whether something holds."""
        self.has("a situation that keeps a mark")
        f = self.luck.choice(self.flags)
        others, self.flags = self.flags, [x for x in self.flags if x != f]
        test = self.condition()
        self.flags = others
        self.helper("kept", "", [one(f"g.{f} = {test}")])
        self.rules[-1] = Rule("kept", "", "", self.rules[-1].body, "situation")

    def by_itself(self, name: str) -> None:
        """Something that happens as long as something holds; of the first number it is often made so that it no longer does."""
        self.has("a situation that is carried out")
        params = self.luck.choice(("", "", "p: Player"))
        self.players = ["p"] if params else []
        c = self.counter()
        if self.chance(0.6):
            test, mend = f"{c} {self.luck.choice(('>', '>=', '=='))} {self.luck.randint(1, 3)}", one(f"{c} {self.luck.choice(('= 0', '-= 1', '-= 1'))}")
        else:
            test, mend = self.condition(), self.write()
        body = [one(f"when({test})"), *([mend] if self.chance(0.8) else []), *(self.statement(0) if self.chance(0.5) else [])]
        if self.chance(0.2):
            body.append(self.ending())
        self.rules.append(Rule(name, params, "", tuple(body if len(body) > 1 else [*body, mend]), "situation"))
        self.players = []

    def forbidden(self) -> None:
        self.has("an action that is forbidden")
        self.players = ["p"]
        self.rules.append(Rule("act", "p: Player", "", (self.write(), *((self.write(),) if self.chance(0.5) else ())), "action"))
        self.rules.append(Rule("not_then", "p: Player", "", (one(f"return {self.condition()}"),), "forbids(act)", "bool"))
        if self.chance(0.3):
            self.rules.append(Rule("nor_then", "p: Player", "", (one(f"return {self.condition()}"),), "forbids(act)", "bool"))
        self.players = []

    def shaped(self) -> list[Part]:
        acts, self.acts = self.acts, False
        if self.chance(0.4):
            self.up_to_date()
        for k in range(self.weighted(((0, 40), (1, 40), (2, 20)))):
            self.by_itself(f"happens{k}")
        if acts:
            self.forbidden()
        self.acts = acts
        return super().shaped()
