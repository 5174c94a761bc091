"""What is found of a condition, or of what is stated of a procedure."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...spec.text import Text
from .segments import Begin
from .statements import Statement


@dataclass(frozen=True)
class Counterexample:
    """A state that a piece may begin in and after which what is to be shown does not hold, as far as it is followed: the cards, what is kept of each
    (by the first slot of its block), slots, and the locals there. Whether play comes to it is not known."""

    begin: Begin
    cards: tuple[int, ...]
    of_cards: Mapping[int, tuple[int, ...]]
    slots: Mapping[int, int]
    locals: tuple[int, ...]


@dataclass
class Kept:
    """What was found of a condition. `proved`: it, and others with it; `failed`: the pieces that may break each; `reason`: why it could not be asked;
    `where`: the piece then; `pieces`: how many were asked; `stuck`: those without a way on; `few`: the cards that were followed; `needed`: the statements that it rests on; `state`: how it may be broken; `certain`: no state could break it."""

    name: str
    proved: list[str] = field(default_factory=list[str])
    failed: dict[str, list[Begin]] = field(default_factory=dict[str, list[Begin]])
    reason: Text | None = None
    where: Begin | None = None
    pieces: int = 0
    stuck: list[Begin] = field(default_factory=list[Begin])
    few: int = 0
    needed: list[Statement] = field(default_factory=list[Statement])
    certain: bool = False
    state: Counterexample | None = None
