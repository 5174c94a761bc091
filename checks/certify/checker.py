"""Accepts a certificate, claim by claim, or refuses it."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import z3

from .asking import query
from .claims import Worlds, loop, order, parting, play
from .further import Further
from .positions import Positions, looked_at
from .world import Refused, need

FORM = 1
PARTS = {"form", "book", "further", "table", "claims"}
TABLE = {"base", "list"}
KINDS: Mapping[str, tuple[Callable[[Any, Any, Any], list[str]], set[str]]] = {
    "positions": (
        looked_at,
        {"complete", "states", "transitions", "depth", "bounds", "ends", "silent", "open", "broken", "loops"},
    ),
    "play": (play, {"start", "steps", "end", "rule", "value", "clause", "options"}),
    "loop": (loop, {"start", "stem", "cycle", "growth", "scope", "keepers", "closed"}),
    "order": (order, {"start", "steps", "by", "first", "way", "other"}),
    "parting": (parting, {"start", "steps", "theirs", "differs"}),
    "query": (query, {"text", "expected"}),
}
"""Kinds of claims: what judges them, and what they say."""
MALFORMED = (
    KeyError,
    IndexError,
    TypeError,
    ValueError,
    AttributeError,
    AssertionError,
    OverflowError,
    RecursionError,
    z3.Z3Exception,
)


@dataclass(frozen=True)
class Judged:
    """What the checker says of one claim: what is shown, in its own words; or why it is refused."""

    shown: tuple[str, ...] = ()
    refused: str = ""


def check(certificate: Any, worlds: Worlds = ()) -> list[Judged]:
    """Each claim of a certificate. `worlds`: the program it is about, compiled anew; for the parting of readings the other one too."""
    try:
        need(set(certificate) == PARTS and certificate["form"] == FORM, "another form of certificate")
        need(all(w.engine.program.book == certificate["book"] for w in worlds), "it is about another book")
        need(set(certificate["table"]) == TABLE, "another form of table")
        further = (
            [Further(w.engine, certificate["further"]) for w in worlds] if certificate["further"] is not None else []
        )
        table = Positions(worlds[0], certificate["table"], *further[:1]) if worlds else None
        worlds = [replace(w, engine=f.endless) for w, f in zip(worlds, further, strict=True)] if further else worlds
    except (Refused, *MALFORMED) as e:
        return [Judged(refused=why(e))] * max(1, len(certificate["claims"]) if "claims" in certificate else 1)
    return [judged(worlds, table, claim) for claim in certificate["claims"]]


def judged(worlds: Worlds, table: Positions | None, claim: Any) -> Judged:
    """One claim. Whatever cannot even be looked at is refused."""
    try:
        said = {k: v for k, v in claim.items() if k not in ("kind", "about")}
        judge, keys = KINDS[claim["kind"]]
        need(set(said) == keys, "something is said that belongs to no claim of this kind")
        return Judged(tuple(judge(worlds, table, said)))
    except (Refused, *MALFORMED) as e:
        return Judged(refused=why(e))


def why(error: BaseException) -> str:
    """Why something is refused."""
    return str(error) if isinstance(error, Refused) else f"malformed: {type(error).__name__}: {error}"
