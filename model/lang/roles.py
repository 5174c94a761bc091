"""The parts that rules of a book have for those who play and examine it: declared with `@known_as`, each by one rule at most."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ...spec.diagnostics import nearest
from ..ir import types as t
from .declarations import Declarations
from .kinds import RuleDecl
from .source import Reporter


def player_or_none(of: t.Type) -> bool:
    return isinstance(of.inner if isinstance(of, t.OptionType) else of, t.PlayerType)


def players(rule: RuleDecl) -> int:
    """How many parameters are players, and never nobody."""
    return sum(isinstance(of, t.PlayerType) for _, of in rule.params)


ROLES: dict[str, tuple[Callable[[RuleDecl], bool], str]] = {
    "master": (
        lambda r: r.ir_kind == "define" and [type(of) for _, of in r.params] == [t.CardType] and player_or_none(r.result),
        "@define def {}(g: {}, card: Card) -> Option[Player]"),
    "legal deck": (
        lambda r: r.ir_kind == "define" and len(r.params) == players(r) == 1 and isinstance(r.result, t.Bool),
        "@define def {}(g: {}, p: Player) -> bool"),
    "ordinary position": (
        lambda r: r.ir_kind == "define" and not r.params and isinstance(r.result, t.Bool), "@define def {}(g: {}) -> bool"),
    "plays waiting": (
        lambda r: r.ir_kind == "procedure" and players(r) == 1, "@procedure async def {}(g: {}, who: Player) -> None"),
}
"""Each with what its rule has to be, and how that is written."""


def role_named(call: ast.Call | None, deco: ast.expr, at: Reporter) -> str:
    """The part that `@known_as("…")` names."""
    match call:
        case ast.Call(args=[ast.Constant(value=str(role))], keywords=[]) if role in ROLES:
            return role
        case ast.Call(args=[ast.Constant(value=str(role))], keywords=[]):
            near = nearest(role, list(ROLES))
        case _:
            near = None
    roles = ", ".join(f'"{r}"' for r in ROLES)
    raise at.refuse(
        deco,
        "known-as",
        "that is no part that a rule can have",
        "規則にそのような役割はありません",
        (f'did you mean "{near}"?', f'"{near}" ではありませんか') if near else (f"name one of {roles}", f"{roles} のどれかを書いてください"),
    )


def check_roles(d: Declarations) -> None:
    """Each part is had by one rule at most, which is what it has to be."""
    first: dict[str, RuleDecl] = {}
    for r in d.rules.values():
        if not r.known_as:
            continue
        fits, form = ROLES[r.known_as]
        other = first.setdefault(r.known_as, r)
        if other is not r:
            r.reporter.refuse(
                r.node,
                "known-as-twice",
                f"`{other.name}` is known as \"{r.known_as}\" already",
                f"`{other.name}` がすでに \"{r.known_as}\" です",
                ("drop it at one of them", "どちらかから取り除いてください"),
            )
        elif not fits(r):
            want = form.format(r.name, d.state_class)
            r.reporter.refuse(
                r.node,
                "known-as-shape",
                f"`{r.name}` is not what \"{r.known_as}\" has to be",
                f"`{r.name}` は \"{r.known_as}\" の形ではありません",
                (f"write `{want}`", f"`{want}` の形にしてください"),
            )
