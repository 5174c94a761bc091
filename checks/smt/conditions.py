"""What conditions say of the slots of a slice, and what always holds in them."""
from __future__ import annotations

from collections.abc import Sequence

from ...model.ir import nodes as ir
from ...model.ir.flow import walk
from . import numbers as n
from . import truths as t
from .contracts import Sliced
from .invariants import kept_by_itself, of_places, of_references
from .numbers import Beyond, Val
from .sorts import CardLoad, CardsFold
from .states import Sym
from .truths import Truth
from .universal import Broken, body_of


class Conditions:
    """The conditions of a slice. `located`: every card lies somewhere. Raises Beyond where they are none that cards which are followed, or a sum, break."""

    def __init__(self, symbolic: Sliced, located: bool) -> None:
        self.slice, self.machine, self.program, self.layout = (
            symbolic.part,
            symbolic.contracts,
            symbolic.program,
            symbolic.program.layout,
        )
        self.located = located
        self.breaking = Broken(symbolic)
        self.standing = list(self.slice.conditions)
        self.answers: dict[tuple[str, int], tuple[Sequence[Val], Truth]] = {}
        self.asked_about()

    def asked_about(self) -> None:
        for name in self.slice.conditions:
            one = body_of(self.program, name)
            if one is None:
                raise Beyond("式一つで書かれていない条件", "the condition is more than one expression")
            if self.slice.sums and any(isinstance(e, CardsFold | CardLoad | ir.Call | ir.ZoneCards) for e in walk(one)):
                raise Beyond("カードについてほかのことも問う条件の中の合計", "a sum in a condition that asks more of cards")

    def holds(self, name: str, slots: Sequence[Val]) -> Truth:
        """Does a condition hold, as far as the cards that are followed can tell? (The slots are nobody's to change.)"""
        known = self.answers.get((name, id(slots)))
        if known is None:
            known = self.answers[name, id(slots)] = slots, t.no(self.breaking.by_these(name, list(slots)))
        return known[1]

    def not_yet(self, slots: Sequence[Val]) -> bool:
        """Does some condition not hold in slots that are known?"""
        return any(self.breaking.by_these(x, list(slots)) is True for x in self.standing)

    def all_hold(self, slots: Sequence[Val]) -> list[Truth]:
        return [self.holds(x, slots) for x in self.standing]

    def difference(self, slots: Sequence[Val]) -> Val:
        """Of a condition that two numbers are equal, by how much they differ. Raises Beyond."""
        fn = self.program.functions[self.slice.conditions[0]]
        body = body_of(self.program, fn.name)
        if not isinstance(body, ir.Binary) or body.op != "eq":
            raise Beyond("等式でない条件の中の合計", "something is added up in a condition that is no equation")
        s = Sym(list(slots), shared=True)
        a, b = (self.machine.value(e, s, [0] * len(fn.locals)) for e in (body.a, body.b))
        return n.subtract(a, b)

    def contained(self, slots: Sequence[Val]) -> list[Truth]:
        """What containers keep by themselves, and that every card lies somewhere."""
        out: list[Truth] = []
        if self.slice.locations and self.located:
            out += [n.at_most(0, slots[self.layout.location + k]) for k in range(self.machine.few)]
        for c in self.layout.containers.values():
            out += [h.condition for h in kept_by_itself(self.layout, slots, c)]
        return [x for x in out if x is not True]

    def references(self, slots: Sequence[Val]) -> list[tuple[str, Truth]]:
        """What rules have to keep of references and entries."""
        pools = [h for c in self.layout.containers.values() if c.is_pool for h in of_places(self.layout, slots, c)]
        found = [*pools, *of_references(self.layout, slots, set(self.machine.live_slots))]
        return [(h.what, h.condition) for h in found if h.condition is not True]
