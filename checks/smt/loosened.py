"""A machine to which a world is too small: of cards that are counted there may be more than the world has.

Where there is one card of a sort there may be any number more of it, so wherever cards are counted or something is added up over them
the result may be larger; so may the number of what waits, where there is no room for more. What cannot be come to so either does not
fail for want of cards that are counted. That is no proof of larger worlds (a card that is not there at all is not thought of); it
tells which answers rest on how many cards a world has.
"""
from __future__ import annotations

from collections.abc import Sequence

from ...model.ir import nodes as ir
from ...model.ir.program import Program
from . import masks
from . import numbers as n
from .numbers import Beyond, Val
from .sorts import CardsFold, CardsUnary
from .states import Sym
from .there import There
from .truths import Truth

BITS = 7
"""So many bits has what may be added to a number of cards."""
MORE = (1 << BITS) - 1
MOST_VALUES = 40_000
"""Expressions that are made into terms for one rule or piece, at most: what grows beyond that is given up, the same on every machine."""
TOO_LARGE = "もっと多くのカードがありうる世界では、実行するものが多すぎる", "too much to carry out where there may be more cards"


class Loosened(There):
    """Runs rules in worlds of which it is not known how many cards they have."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.made = 0
        """Expressions that were made into terms for the rule that is carried out."""
        self.extras: dict[object, tuple[Val, Val]] = {}
        """What may be added to a number, by what number it is (which is kept with it, so that it stays what it is)."""
        containers = program.layout.containers.values()
        self.sizes = {m.head: m.capacity for m in containers if not m.is_pool}
        self.pools = {m.head: m.capacity for m in containers if m.is_pool}

    def run(self, s: Sym, option: Sequence[Val] | None, resumed: bool) -> list[Sym]:
        self.made = 0
        return super().run(s, option, resumed)

    def perform(self, s: Sym, name: str, args: list[Val]) -> tuple[Sym, Val]:
        if not s.running and not s.frames and not self.looking:
            self.made = 0
        return super().perform(s, name, args)

    def value(self, e: ir.Expr, s: Sym, f: list[Val]) -> Val:
        self.made += 1
        if self.made > MOST_VALUES:
            self.made = 0  # what is asked next begins anew
            raise Beyond(*TOO_LARGE)
        if isinstance(e, ir.Unary) and e.op == "below":  # a loop is gone round as often as without the cards that are added
            times = self.value(e.a, s, f)
            return masks.below(n.least(times, max(self.layout.card_count, n.hi_of(times) - MORE)))
        v = super().value(e, s, f)
        match e:
            case CardsUnary(op="size"):
                return self.or_more(v, n.less(0, v))
            case CardsFold(kind="sum"):
                less = n.subtract(v, self.extra(v)) if n.lo_of(v) < 0 else v
                return n.choose(n.less(0, v), n.add(v, self.extra(v)), n.choose(n.less(v, 0), less, v))
            case ir.Load(base=base, index=None) if base in self.sizes:
                return self.or_more(v, n.equal(v, self.sizes[base]))
            case ir.Unary(op="size", a=ir.Load(base=base, index=None)) if base in self.pools:
                return self.or_more(v, n.equal(v, self.pools[base]))
            case _:
                return v

    def or_more(self, v: Val, when: Truth) -> Val:
        """The number, or a larger one under a condition."""
        return v if when is False else n.choose(when, n.add(v, self.extra(v)), v)

    def extra(self, v: Val) -> Val:
        """What may be added to a number: the same wherever the same is counted."""
        key = n.identity(v)
        if key not in self.extras:
            self.extras[key] = (n.mask_variable(f"more {len(self.extras)}", BITS), v)
        return self.extras[key][0]
