"""The one record behind every output: what was found, how sure it is, and the play that makes it happen."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from ...spec.findings import FindingClass, WhoCanStop
from ...spec.text import Text


class Certainty(Enum):
    """How far the finding is known to happen; never shortened."""

    FROM_SETUP = "reachable from setup"
    FROM_POSITION = "reachable from the given position"
    CONSTRUCTIBLE = "constructible"
    TEXTUAL = "textual"


class Origin(Enum):
    """What it takes to make it happen, the least first."""

    ORDINARY = "ordinary play"
    """From the preparation of a game, with no text of any card."""
    CARDS = "cards of the book"
    """From a position, or with texts of cards that the book has."""
    INVENTED = "invented cards"
    """With a card made up for the purpose."""


class Stake(Enum):
    """What depends on it, the most first."""

    WINNER = "winner"
    """Who wins, or whether anybody does."""
    RESULT = "result"
    """What is on the table afterwards."""
    ORDER = "order"
    """The way there only: the same can come out."""
    WORDING = "wording"
    """Nothing in play, as far as is known."""

    @property
    def place(self) -> int:
        """How many there are of which more depends."""
        return [*Stake].index(self)


class Severity(Enum):
    """How grave a finding is: what depends on it, by how little it takes (`severity.SEVERITIES`)."""

    S = "S"
    A = "A"
    B = "B"
    C = "C"


@dataclass(frozen=True)
class PlayStep:
    """One transition of a play, from one label to the next.

    `decider` is who chose (None where nobody had a choice), `chosen` what, `option` its number among the options of
    that state, `alternatives` what else there was; `clauses` the clauses executed, in order, each once;
    `changes` what is different afterwards, in the book's terms, and what was shuffled (`shuffled`: if anything was); `turn` the turn in
    which it ended, if play has any.
    """

    option: int
    decider: Text | None
    chosen: Text | None
    alternatives: tuple[Text, ...]
    clauses: tuple[str, ...]
    changes: tuple[Text, ...]
    turn: Text | None = None
    working: tuple[str, ...] = ()
    shuffled: bool = False


@dataclass(frozen=True)
class Play:
    """A play: `stem` leads from the beginning to the place, `cycle` is what then repeats (empty if it ends). `rounds`: of how
    many equal parts the cycle consists; after each, equal cards may have changed places, and nothing else is different."""

    stem: tuple[PlayStep, ...]
    cycle: tuple[PlayStep, ...] = ()
    end: Text | None = None
    rounds: int = 1


@dataclass(frozen=True)
class ClauseVerdict:
    """What one clause of the book makes of the case: `answer` is "applies", "does not apply" or "unclear", `effect` what
    then follows, `bars` the actions that this puts out of reach for the rest of the turn (which `why` tells of, too);
    `goes_on`: this breaks a loop, and the game goes on."""

    clause: str
    says: Text
    answer: str
    why: Text
    effect: Text | None = None
    bars: tuple[Text, ...] = field(default=(), compare=False, metadata={"told": False})
    goes_on: bool = field(default=False, compare=False, metadata={"told": False})


def said_together(verdicts: Iterable[ClauseVerdict]) -> Text | None:
    """What follows from those clauses that apply, each named; None where nothing does."""
    effects = [(v.clause, v.effect) for v in verdicts if v.answer == "applies" and v.effect is not None]
    if not effects:
        return None
    return Text(ja="、".join(f"{c} により{e.ja}" for c, e in effects), en="; ".join(f"by {c}, {e.en}" for c, e in effects))


@dataclass(frozen=True)
class Condition:
    """One of the conditions that would all have to be met for a repetition to end: `met`, and otherwise the numbers that stand
    in the way (`9 > 7`), if they are numbers; `failing` a sentence that says so, if the book has one."""

    clauses: tuple[str, ...]
    says: Text
    met: bool
    because: str | None = None
    failing: Text | None = None


@dataclass(frozen=True)
class Control:
    """The situation that differs from this one in a single thing, and in which the finding must be gone: its title, what it is
    about, and whether it is pinned that nothing is found there."""

    scenario: str
    title: Text
    about: Text | None
    pinned: bool


class Given(Enum):
    """What sort of thing a claim takes as given. What `Assumption.values` and `what` are of each:"""

    CARDS = "cards"
    """Worlds of up to so many cards (first value; the second: how many worlds), and which cards these are."""
    ENTRIES = "entries"
    """Up to so many entries at a time in what waits and is in progress, and what that is."""
    NUMBERS = "numbers"
    """A number lies between two values, the range that the encoding states."""
    CAPS = "caps"
    """Numbers that are kept lie in the ranges that the rules state for them; a scenario may widen these."""
    FIELDS = "fields"
    """Fields have the value that play begins with."""
    CONDITIONS = "conditions"
    """The book's conditions that must always hold do hold."""
    READINGS = "readings"
    """`any`: whatever the answers that are not given; `default`: these are the defaults. Or one reading, its question and its answer."""
    DECKS = "decks"
    """How the decks lie: `given`, `all` orders, or `lazy` (nobody knows)."""
    GAME = "game"
    """Plays from the preparation with the cards of a scenario (its name, how many)."""
    NESTING = "nesting"
    """Procedures nest so deep at most."""
    STEPS = "steps"
    """A round has so many steps at most, within a turn."""
    ALONE = "alone"
    """Of what can wait only so many do at the beginning, and nothing else is under way."""


@dataclass(frozen=True)
class Assumption:
    """What a claim takes as given: it is made of no position, play or world in which this is otherwise. `what` it is about, in the
    book's words; `questions`: of several that were asked, those that take it as given (none: all)."""

    kind: Given
    values: tuple[str, ...] = ()
    what: tuple[Text, ...] = ()
    questions: tuple[str, ...] = ()


class Unasked(Enum):
    """Why nothing is said of a place."""

    HELD = "held"
    """It would come about with something that is held there; whether that can be held then is not known."""
    WAITING = "waiting"
    """The same, with what waits."""
    CHANCE = "chance"
    """The same, with what luck may bring."""
    SHARED = "shared"
    """It has the clauses of such a place, or none, and is not told apart from it."""
    TOLD = "told"
    """The same, where a procedure that is under way does what might contradict itself."""
    MORE_CARDS = "more cards"
    """With more cards, or more that waits, than the worlds have, it might come about."""
    WIDE = "wide"
    """With numbers beyond those that the model holds it might come about."""
    CARRIED_OUT = "carried out"
    """Nothing comes to it in the worlds that were asked about, but a scenario does: these worlds are too small."""
    UNUSED = "unused"
    """Nothing uses it in the worlds that were asked about."""
    KIND = "kind"
    """Questions of its kind are not asked."""


@dataclass(frozen=True)
class NotAsked:
    """A place of the rules of which nothing is said: the rule, and what the book calls it; where it stands, its clauses; and why.
    `question`: what was to be asked about it; `what`: what it depends on, in the book's words; `values`: numbers or names that the
    reason speaks of."""

    rule: str
    name: Text
    where: str
    clauses: tuple[str, ...]
    reason: Unasked
    question: str = ""
    what: tuple[Text, ...] = ()
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Bounds:
    """How far was looked, in full. `complete` means that nothing was cut off anywhere and that every place was asked about, under the
    `assumptions`; `not_asked`: the places that were not. `omission`: where positions were told apart by fingerprints, the probability, at
    most, that one was missed."""

    complete: bool
    states: int
    transitions: int
    depth: int
    notes: tuple[Text, ...] = ()
    omission: float | None = None
    assumptions: tuple[Assumption, ...] = ()
    not_asked: tuple[NotAsked, ...] = ()

    def __post_init__(self) -> None:
        if self.complete and self.not_asked:
            raise ValueError("bounds are not complete where something was not asked")


@dataclass(frozen=True)
class Outcome:
    """What follows if `first` is done first, or chosen: what is then different from before and not so with every other
    way on."""

    first: Text
    then: tuple[Text, ...]


class Decided(Enum):
    """What people decided about a finding."""

    OPEN = "open"
    """To be decided."""
    INTENDED = "intended"
    """The rules mean it."""
    FIXED = "fixed"
    """The rules were changed, so that it should not be found any more."""
    RULED = "ruled"
    """A published ruling settles it; the rules stay as they are."""
    REJECTED = "rejected"
    """It is no defect."""


@dataclass(frozen=True)
class Decision:
    """What was decided about a finding, why, by whom, when, and for which edition of the rules."""

    status: Decided
    reason: str | None = None
    person: str | None = None
    date: str | None = None
    edition: str | None = None
    about: str | None = field(default=None, metadata={"told": False})
    """What the finding is about (`identity.about`): by that it is found again when its words have changed."""


@dataclass(frozen=True)
class Settlement:
    """A way to settle the finding that the book's readings offer: reading and answer, both in words; `effect` is what
    checking under it gave: "resolved", "remains", "elsewhere" (play does not come to it at all), "cut off" or "not checked"; `new` how many findings it brings that were not
    there. `under`: the other answers with which it was checked, where they are not those of the finding; `then` what happens in
    play then; `same`: nothing that is told of the finding is different."""

    reading: str
    answer: str
    question: Text
    gist: Text
    effect: str
    new: int = 0
    under: Mapping[str, str] = field(default_factory=dict[str, str])
    then: Text | None = None
    same: bool = False


@dataclass(frozen=True)
class Finding:
    """One finding. `id` depends only on the book, class, clauses, title and decider: same defect, same id.

    `clauses` names the clauses that make it happen, the decisive one first; `related` others worth reading.
    `readings` are the alternatives it holds under that matter, `policies` the scripted choices.
    `keepers`, `scope`, `level` and `stopper` are given for loops: who can stop it, in what part of play it runs (in
    words, and as step, phase, turn or game).
    `question` is the one thing the authors have to answer.
    """

    id: str
    cls: FindingClass
    book: str
    scenario: str
    title: Text
    summary: Text
    clauses: tuple[str, ...]
    certainty: Certainty
    play: Play
    bounds: Bounds
    related: tuple[str, ...] = ()
    readings: Mapping[str, str] = field(default_factory=dict[str, str])
    policies: tuple[Text, ...] = ()
    invented_cards: bool = False
    keepers: WhoCanStop | None = None
    stopper: Text | None = None
    scope: Text | None = None
    level: str | None = None
    growing: bool = False
    copies: int = 1
    hint: bool = False
    clause_verdicts: tuple[ClauseVerdict, ...] = ()
    assumptions: tuple[Text, ...] = ()
    question: Text | None = None
    unknown_because: Text | None = None
    goes_on: Text | None = None
    """Of a loop that one player can leave: who besides can keep that part of play going, from somewhere in it."""
    position: Text | None = None
    """The position play begins from, where it is not the beginning of a game; drawn in lines."""
    moment: Text | None = None
    """The position in which it happens, or in which what repeats begins; drawn in lines."""
    cards: tuple[Text, ...] = ()
    """The cards with texts of their own, and what they say."""
    figures: tuple[Text, ...] = ()
    """The cards without a text of which what happens looks at a figure, and what is printed on them."""
    outcomes: tuple[Outcome, ...] = ()
    """What the ways on lead to, where the finding is that this differs."""
    origin: Origin | None = None
    stake: Stake | None = None
    severity: Severity | None = None
    """Origin and stake, and how grave that is; None for a mistake in the encoding, which is no finding about the book."""
    settlements: tuple[Settlement, ...] = ()
    decision: Decision | None = None
    """What people decided, from `decisions.yaml`."""
    known: bool = False
    """It is in the baseline: it was there before."""
    same_as: tuple[str, ...] = ()
    """Other ids of the very defect (`identity.one_defect`), of what was found or decided besides."""
    conditions: tuple[Condition, ...] = ()
    """Of a loop: what would have to be met for it to end, where a rule says so in several conditions."""
    control: Control | None = None
    more: tuple[Play, ...] = ()
    """Other plays that show it, the shortest first (`--show`)."""
    unwritten: tuple[Text, ...] = ()
    """What no clause states, by the readings it hangs on."""
    consulted: bool = field(default=False, compare=False, metadata={"told": False})
    """Are `readings` exactly those that the play asks for where it happens? Never part of the data."""
    elsewhere: tuple[str, ...] = field(default=(), compare=False, metadata={"told": False})
    """Answers (`reading=answer`) under which the play never comes to where it happens. Never part of the data."""
    facts: Mapping[str, int] = field(default_factory=dict[str, int], compare=False, metadata={"told": False})
    """Of a loop: what the book's clauses about loops were told of it. Never part of the data."""

    @property
    def counts(self) -> bool:
        """Is it something to do: no hint, not known from before, and not settled by a decision to leave it?"""
        left = self.decision is not None and self.decision.status in (Decided.INTENDED, Decided.RULED, Decided.REJECTED)
        return not (self.hint or self.known or left)

    @property
    def is_defect(self) -> bool:
        """Is it something wrong, and neither a hint nor a question that the book leaves open?"""
        return not self.hint and self.cls is not FindingClass.READINGS


def concluded(finding: Finding) -> Text | None:
    """What the rules make of what was found; None where that is what was found."""
    if not finding.play.cycle:
        return finding.play.end
    if (said := said_together(finding.clause_verdicts)) is not None:
        return said
    goes_on = GOES_ON[finding.keepers is WhoCanStop.NOBODY]
    if finding.clause_verdicts:
        return Text(ja=f"循環についての条文が当てはまらず、{goes_on.ja}", en=f"no clause about loops applies, and {goes_on.en}")
    return Text(ja=f"循環についての条文がなく、{goes_on.ja}", en=f"there is no clause about loops, and {goes_on.en}")


def judged(finding: Finding) -> tuple[object, ...]:
    """How grave and how sure it is, who can stop it, and what the rules make of it, clause by clause; those that do not apply, too."""
    said = [(v.clause, v.answer, v.effect, v.bars) for v in finding.clause_verdicts]
    return finding.severity, finding.certainty, seat_of(finding.stopper), concluded(finding), said


def seat_of(stopper: Text | None) -> str:
    """Which player it is who can stop it, whatever part that player has in it (`行動側（先手）`)."""
    return "" if stopper is None else stopper.ja.rpartition("（")[2].rstrip("）")


GOES_ON = {
    True: Text(ja="終わらない", en="it never ends"),
    False: Text(ja="止められる人が止めない限り終わらない", en="it goes on until somebody who can stop it does"),
}
"""What a loop does that no clause ends, if nobody can stop it and if somebody may be able to."""


@dataclass(frozen=True)
class Examined:
    """How often a check had a chance to find something, so that "not found" means something. `question`: what was looked for
    (`claims.QUESTION`), where there is nothing of it to be found if this is 0; empty where it only tells more."""

    what: Text
    count: int
    question: str


@dataclass(frozen=True)
class Exercised:
    """How many clauses the plays carried out, and the clauses of rules that they could have come to and never did; the texts of cards that wait
    for what nothing brings about here, and why."""

    clauses: int
    never: tuple[str, ...]
    texts: tuple[Text, ...] = ()


@dataclass(frozen=True)
class Certificate:
    """What the checker of certificates says of one thing that a result tells: a finding (`about` is its id), or what was looked at
    altogether (`about` is empty). `shows` says what was shown, `not_shown` what is told besides; `refused` why it shows nothing."""

    about: str
    accepted: bool
    shows: tuple[Text, ...] = ()
    not_shown: tuple[Text, ...] = ()
    refused: Text | None = None


@dataclass(frozen=True)
class CheckResult:
    """Everything one run over one scenario under one reading set has to say."""

    book: str
    scenario: str
    title: Text
    readings: Mapping[str, str]
    bounds: Bounds
    findings: tuple[Finding, ...]
    examined: tuple[Examined, ...]
    outcomes: Mapping[str, int]
    symmetry: bool
    unexpected: tuple[Text, ...] = ()
    """Where the result differs from what the scenario expects."""
    exercised: Exercised | None = None
    """None where it was not asked for, or is too much to tell."""
    policies: tuple[Text, ...] = ()
    """The scripted choices: others were not looked at."""
    endings: tuple[Text, ...] = ()
    """How play ended, in words, each once."""
    left: frozenset[tuple[str, int, int]] | None = field(default=None, compare=False, metadata={"told": False})
    """What play comes to (`parting.left_by`); None where that is not known. Never part of the data."""
    certificates: tuple[Certificate, ...] | None = field(default=None, compare=False, metadata={"told": False})
    """What its certificates show; None where none were asked for. Told beside the result."""
    seconds: float = field(default=0.0, compare=False, metadata={"told": False})
    """How long it took: for people. Never part of the data, which is the same whenever it is made."""
