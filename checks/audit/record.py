"""What is told by an audit: a silent choice of the encoding, and how far it was shown in play."""
from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import Enum, IntEnum

from ...spec.text import Text
from ..findings.record import PlayStep


class Kind(Enum):
    """What the encoding decides."""

    DECIDER = "decider"
    """Somebody decides."""
    DEFAULT_PLAYER = "default-player"
    """A player is meant where none is named."""
    ORDER = "order"
    """Of two neighbouring effects, which comes first."""
    FALLBACK = "fallback"
    """What happens otherwise, or if there is none."""
    DUTY = "duty"
    """Something is done, and nobody is asked."""
    EACH = "each"
    """All, not one; or one, not all."""
    DONE = "done"
    """What depends on something depends on its having been done; as much as possible is done."""
    WHEN = "when"
    """A value is looked at now, and not earlier; or was looked at earlier, and is not looked at again."""
    CONDITION = "condition"
    """A part of a condition that no clause states."""
    CONSTANT = "constant"
    """A number."""


class Basis(IntEnum):
    """What the book says of it, as far as clause marks and the gists of clauses tell; the gravest first."""

    AGAINST = 1
    """The marked clauses say something else: another order, somebody else, that it may be left."""
    UNMARKED = 2
    """No clause is marked."""
    APART = 3
    """Clauses are marked, at one of the two or at both, but none that orders them."""
    NOT_SAID = 4
    """A clause is marked, and its gist has no word of it."""


@dataclass(frozen=True)
class Edit:
    """Lines of a module, from `first` to `last`, and what stands there instead."""

    first: int
    last: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """A silent choice of the encoding: `code` as it stands, `instead` as it could be, in the rule `rule`. `edits`: how the module is then
    written, to see whether play differs; none where that cannot be written. `clauses`: those marked, nearest first."""

    kind: Kind
    basis: Basis
    file: str
    rule: str
    line: int
    last: int
    code: str
    instead: str
    clauses: tuple[str, ...]
    edits: tuple[Edit, ...]
    number: int = 0
    """Of equal ones in a rule, which."""

    @property
    def quiet(self) -> bool:
        """Is it likely to be how play keeps account of itself? An effect without a mark; the order of an effect and a field that is set."""
        sets = any(re.match(r"g\.[^=]*[^=!<>+\-*/]=[^=]", code) for code in (self.code, self.instead))
        return self.basis is not Basis.AGAINST and (self.kind is Kind.DUTY or (self.kind is Kind.ORDER and sets))

    @property
    def id(self) -> str:
        """`order@enter-7KQ2`: stays the same while the rule keeps its name and the place its words."""
        text = f"{self.kind.value}|{self.rule}|{''.join(self.code.split())}|{''.join(self.instead.split())}|{self.number}"
        mark = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
        return f"{self.kind.value}@{self.rule}-{''.join(_LETTERS[mark >> 5 * k & 31] for k in range(4))}"


_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Stake(IntEnum):
    """What differs where play parts; the gravest first."""

    END = 1
    """Whether play ends, or who wins."""
    OPTIONS = 2
    """Who decides, or what can be chosen."""
    POSITION = 3
    """What lies where, or what counts."""


@dataclass(frozen=True)
class Shown:
    """The shortest play of a scenario after which play differs: `differs` says how. `position`: where it begins; None: with the game."""

    scenario: str
    steps: tuple[PlayStep, ...]
    differs: Text
    stake: Stake
    position: Text | None = None


class Tried(Enum):
    """How it was looked at in play."""

    PARTED = "parted"
    ALIKE = "alike"
    """No play parted within these bounds."""
    NOT_REACHED = "not reached"
    """No scenario that was looked at comes there."""
    REFUSED = "not written"
    """The language refuses what could stand there instead, or nothing was tried."""
    CUT = "cut off"
    """The time was over."""


@dataclass(frozen=True)
class Outcome:
    """A choice and what came of it. `scenarios`: how many were compared; `limited`: a comparison stopped at the limit of positions, or where a number left its range."""

    choice: Choice
    tried: Tried
    shown: Shown | None = None
    scenarios: int = 0
    limited: bool = False


@dataclass(frozen=True)
class Audit:
    """What was looked for in a book, and what came of it. `states`: pairs of positions compared in a scenario at most, in `most_scenarios` of them;
    `answered`: the ids of choices that somebody has answered; `unmatched`: those of answers that fit none, where all kinds were looked for."""

    book: str
    places: int
    """Places that were looked at, whether a clause fixes them or not."""
    outcomes: tuple[Outcome, ...]
    fixed: int
    """Places that a clause or reading was found to fix."""
    scenarios: int
    """Shipped scenarios whose plays were looked at."""
    states: int
    most_scenarios: int
    cut: str = ""
    answered: tuple[str, ...] = ()
    unmatched: tuple[str, ...] = ()

    def of(self, *tried: Tried) -> list[Outcome]:
        """Those of which that came."""
        return [o for o in self.outcomes if o.tried in tried]
