"""Books by lot in which it is stated of procedures what holds when they are called and when they come back, right or wrong."""
from __future__ import annotations

from .books import Part, Rule
from .draw import one
from .draw_cards import Cards


class Contracts(Cards):
    """Draws one book with statements about its procedures."""

    def shaped(self) -> list[Part]:
        go = super().shaped()
        for rule in [r for r in self.rules if r.kind == "procedure"]:
            for kind in ("expects", "ensures"):
                if self.chance(0.5):
                    self.has(kind)
                    params = rule.params if self.chance(0.7) else ""
                    self.players = ["p"] if "p: Player" in params else []
                    self.locals, self.names_of_cards = [], []
                    self.rules.append(Rule(f"{kind}_{rule.name}", params, "", (one(f"return {self.always()}"),), f"{kind}({rule.name})", "bool"))
                    self.players = []
        return go
