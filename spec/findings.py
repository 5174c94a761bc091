"""What findings are called, in what scenarios expect and in what checks report."""
from __future__ import annotations

from enum import Enum


class FindingClass(Enum):
    """What sort of defect a finding is."""

    LOOP = "loop"
    REPEATS = "repetition"
    """The same again and again, of which it is not shown that it never ends."""
    ORDER = "order"
    OPEN = "open choice"
    """Somebody must choose, and the rules do not say who."""
    CONFLICT = "conflict"
    GAP = "gap"
    READINGS = "readings"
    """The book does not decide: how it is read changes play."""
    INVARIANT = "invariant"
    DEAD = "dead"
    """A clause, or a part of it, that nothing can ever come to."""
    DEFECT = "defect"
    """The encoding itself failed (a value used that was none, say): our mistake, not the rule book's."""


class WhoCanStop(Enum):
    """Who can stop an endless loop."""

    NOBODY = "nobody can stop it"
    ONE = "only one player can stop it"
    TOGETHER = "only both together can stop it"
    EITHER = "either can stop it"
    UNKNOWN = "unknown"


class Level(Enum):
    """The part of play that a loop stays in."""

    STEP = "step"
    PHASE = "phase"
    TURN = "turn"
    GAME = "game"
