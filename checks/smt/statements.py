"""What is said of a place in a procedure, and what a piece of the procedure has to show."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .numbers import Val
from .truths import Truth

Slots = Sequence[Val]
Locals = Sequence[Val]
Key = tuple[str, int, str]
"""A function, a place in it, and what is said of: `given` (parameters, as long as the call lasts), `in` (where it is called), `at` (a head of a loop),
`left` (its result), `keeps` and `since` (what it leaves as it was, where it is left and at a head), `state` (of every state)."""
Statement = tuple[Key, str]
"""What is said of a place, in words."""


@dataclass(frozen=True)
class Fact:
    """A statement about the locals of a frame. `lasting`: it does not depend on the state, so that it holds as long as the frame waits for a call;
    `about`: the locals that it names."""

    text: str
    holds: Callable[[Locals, Slots], Truth]
    lasting: bool
    about: frozenset[int] = frozenset()


@dataclass(frozen=True)
class EachEntry(Fact):
    """Of each entry of a multiset that is in use. `of_one`: of one entry; it says nothing of the rest of the state."""

    multiset: str = ""
    of_one: Callable[[Sequence[Val]], Truth] = lambda _: True


@dataclass(frozen=True)
class FrameCondition:
    """A frame condition: a statement about arguments, the slots at the call and the slots later. `apt`: it is what shows most caps, that nothing
    comes to a zone."""

    text: str
    holds: Callable[[Locals, Slots, Slots], Truth]
    apt: bool = False


@dataclass
class Goal:
    """What a piece has to show: `broken` is when it does not. `key`: where it counts; None for a condition."""

    key: Key | None
    text: str
    broken: Truth
