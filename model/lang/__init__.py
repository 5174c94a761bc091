"""The rule language: the words a rule module may use.

Rule modules look like ordinary Python and type-check under pyright, but Python never runs them: the front end
(`compile.py` and what it uses) reads them, checks them and turns them into the rule IR. This module declares the vocabulary with
the types that pyright sees; nothing here is called, so nothing has a body. `docs/language.md` teaches it by example.
"""
# pyright: reportReturnType=false
from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Iterator
from enum import Enum
from typing import (
    Annotated,
    Any,
    Concatenate,
    Generic,
    Literal,
    NoReturn,
    Optional,
    ParamSpec,
    TypeVar,
    dataclass_transform,
    overload,
)

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R")

Option = Optional
"""`Option[T]`: a `T`, or `None`."""
Set = set
"""`Set[T]`: a set of cards, players, abilities, enum members or small integers; a value, never shared."""


# ---------------------------------------------------------------- finite values
class Range:
    """`Annotated[int, Range(lo, hi)]` is an integer from `lo` to `hi`; a value outside ends the play as *bound
    exceeded*, it is never wrapped or clipped. A range can be iterated: `for n in LANES`."""

    def __init__(self, lo: int, hi: int, /) -> None: ...
    def __iter__(self) -> Iterator[int]: ...
    def __len__(self) -> int: ...
    def __contains__(self, value: object, /) -> bool: ...


class Player:
    """One of the two players. `FIRST` has the first turn."""


FIRST: Player
SECOND: Player
PLAYERS: Set[Player]
"""Both. Where play can be interrupted for one after the other, the order is named: `for p in (FIRST, SECOND)`."""


def other(player: Player, /) -> Player:
    """The opponent."""


class Card:
    """A physical card: the same card from the first to the last moment of the game."""


Obj = Card
"""`Option[Obj]`: a weak reference to a card as the object it now is; `renew(card)` makes every one to it `None`,
in the state, in waiting triggers and in every frame. A parameter `a: Obj` is there when the rule begins, and is `None`
from when it is renewed."""

CARDS: Set[Card]
"""Every card of the scenario."""


def owner(card: Card, /) -> Player:
    """The player whose deck holds the card."""


class Ability:
    """One ability text of the scenario's cards (shared by all copies of a card)."""


class Definition:
    """Base of what is printed: `class Printed(Definition)` lists the attributes each card of `cards.yaml` gives
    (`Printed(card).power`), `class Text(Definition)` with a field `of: Any` those of each ability. Never changes
    in play. A field with a default may be left out in the YAML. A field of type `Set[Ability]` named `abilities` is
    filled with the card's abilities; one of type `Set[Name]`, where `class Name(Symbols)`, takes any words, and named
    `names` it holds the card's (Japanese) name where the card does not give it (`names: []`: no name)."""

    def __init__(self, of: Card | Ability, /) -> None: ...


class Symbols(Enum):
    """An enumeration whose members are whatever words the scenario's cards use (card names, persons …).
    Members may be listed, when rules name them."""


# ---------------------------------------------------------------- state
class State:
    """Base of the class that lists the state of a game; exactly one in a book. A field is a finite value, a zone, or
    a container of them; a default may be given (otherwise zero, false, first member, none, empty)."""


def each(value: Any, /) -> Per[Any, Any]:
    """A `Per` field with the same value everywhere: its default (`awake: Per[Player, bool] = each(True)`), or assigned (`g.awake = each(True)`)."""


@dataclass_transform(eq_default=False)
class Record:
    """Base of a bundle of named fields. `R(a, b=c)` builds one; only fields with a default may be left out."""


class Inaction(Record):
    """Base of the record by which a player chooses to do nothing: `class Pass(Inaction)`. A policy that lets a player do nothing, and
    whoever asks whether a loop can be left, knows it by that."""


class Event(Record):
    """Base of something that triggers listen to: `emit(Moved(card, src, to))`."""


class Zone(Set[Card]):
    """A place for cards; as a value, which place (`zone_of(card) == g.hand[p]`, `z in g.lane`)."""


class Bag(Zone):
    """A zone whose order does not matter (hand, waiting room)."""


class Pile(Zone):
    """A zone with an order, first bottom, last top. Cards whose mutual order nobody knows share a rank (after
    `shuffle`): drawing among them is chance."""


class Per(Generic[K, V]):
    """`Per[Player, V]`, `Per[Card, V]`, `Per[Lane, V]`, `Per[Suit, V]`: one `V` for each value of a finite type."""

    def __getitem__(self, key: K, /) -> V: ...
    def __setitem__(self, key: K, value: V, /) -> None: ...
    def __contains__(self, zone: Zone, /) -> bool: ...


class Multiset(Generic[T]):
    """A bounded multiset of records, canonical: equal entries count, their order of arrival does not. Its capacity
    comes from the scenario (`capacities:`), 8 unless told."""

    def __iter__(self) -> Iterator[T]: ...
    def __len__(self) -> int: ...
    def __contains__(self, entry: T, /) -> bool: ...
    def add(self, entry: T, /) -> None: ...

    def remove(self, entry: T, /) -> None:
        """Take one entry equal to `entry` away; nothing happens when there is none."""

    def clear(self) -> None: ...


class Ref(Generic[T]):
    """A reference into a `Pool`: `Ref[Attack]`. When the entry is freed, every `Option[Ref[…]]` to it in the state becomes
    none; freeing one that an entry of a multiset or pool refers to and cannot do without is a mistake and ends play."""


class Pool(Generic[T]):
    """Bounded storage for records that are referred to (attacks, uses): lowest free place first, zeroed when freed."""

    def __getitem__(self, ref: Ref[T], /) -> T: ...
    def __setitem__(self, ref: Ref[T], entry: T, /) -> None: ...
    def __iter__(self) -> Iterator[Ref[T]]: ...
    def __len__(self) -> int: ...
    def new(self, entry: T, /) -> Ref[T]: ...
    def free(self, ref: Ref[T], /) -> None: ...


# ---------------------------------------------------------------- asking the state
def zone_of(card: Card, /) -> Zone:
    """Where the card is."""


def zone_player(zone: Zone, /) -> Option[Player]:
    """The player whom the zone belongs to; none for a shared zone."""


def zone_number(zone: Zone, /) -> int:
    """The number in a numbered family of zones (`Per[Lane, Pile]`): the lane; 0 for a zone without one."""


def on_top(pile: Pile, /) -> Set[Card]:
    """The cards that may be the top card: one, or several when their order is unknown; empty for an empty pile."""


def last(cards: Iterable[Card], /) -> Option[Card]:
    """The topmost of the cards of a pile that a comprehension `(c for c in pile if …)` admits."""


def first(cards: Iterable[Card], /) -> Option[Card]:
    """The bottommost of the cards of a pile that a comprehension admits."""


def the(values: Iterable[T], /) -> Option[T]:
    """The only member of a set; none if it has none or several."""


def up_to(number: int, /) -> Set[int]:
    """The numbers from 1 to this one (60 at most): `for _ in up_to(count)` does something so many times. None for 0 or
    less."""


# ---------------------------------------------------------------- changing the state (in steps, actions, procedures)
TOP: Literal["top"]
BOTTOM: Literal["bottom"]


def put(card: Card, to: Zone, at: Literal["top", "bottom"] = "top") -> None:
    """Lay the card into a zone; on a pile on top, or at the bottom."""


def shuffle(pile: Pile, /) -> None:
    """From now on nobody knows the order."""


def renew(card: Card, /) -> None:
    """The card becomes a new object: every `Option[Obj]` to it becomes none."""


def emit(event: Event, /) -> None:
    """The event happens: each listening ability of a card whose guard holds is handed to the `@trigger_policy`."""


class Cause:
    """What a trigger captured of its event: what its text reads, nothing more."""


NO_CAUSE: Cause


def condition(g: Any, ability: Ability, card: Card, you: Player, /) -> bool:
    """The ability's `if:` (true where it has none)."""


def state_holds(g: Any, ability: Ability, card: Card, you: Player, /) -> bool:
    """The ability's `while:`, the state a state trigger waits for (false where it has none)."""


def payable(g: Any, ability: Ability, card: Card, you: Player, /) -> bool:
    """The ability's `payable:`: can its cost be paid (true where it has none)."""


def applies_to(g: Any, ability: Ability, this: Card, you: Player, card: Card, /) -> bool:
    """The ability's `applies_to:`: is what it does without end done to `card`? (False where it has none.)"""


def how_much(g: Any, ability: Ability, this: Card, you: Player, card: Card, /) -> int:
    """The ability's `how_much:`: the number that it speaks of, as far as `card` is concerned (0 where it has none)."""


async def run_text(g: Any, ability: Ability, this: Option[Obj], you: Player, cause: Cause, /) -> None:
    """Carry out the ability's `text:`."""


async def run_cost(g: Any, ability: Ability, this: Option[Obj], you: Player, /) -> None:
    """Carry out the ability's `cost:`."""


# ---------------------------------------------------------------- deciding
class OPEN:
    """A decider nobody named: `choose(OPEN("9.4.3"), …)`: the clause does not say who decides."""

    def __init__(self, clause: str, /) -> None: ...


Decider = Player | OPEN


def choose(who: Decider, options: Collection[T] | Multiset[T], /) -> Awaitable[T]:
    """`who` chooses one of the options. Equal options are one; a single option is nobody's choice; no option at all
    is a gap of the rules."""


def choose_some(who: Decider, options: Collection[T], at_least: int, at_most: int = ...) -> Awaitable[Set[T]]:
    """`who` chooses a subset of at least and at most so many; without `at_most` any number of them."""
    ...


def choose_number(who: Decider, at_least: int, at_most: int) -> Awaitable[int]:
    """`who` names a number."""


def may(who: Decider, /) -> Awaitable[bool]:
    """`who` says yes or no."""


def chance(options: Collection[T], /) -> Awaitable[T]:
    """One of the options at random. Each member of a set is equally likely; of a comprehension written here, each way to
    find an option counts."""


class ReadingChoice(str):
    """The alternative of a reading that holds; compare it with an alternative's id."""


def reading(id: str, /) -> ReadingChoice:
    """Which alternative of `readings.yaml` holds in this run. Where a check branches over it, it is chosen when a
    procedure or a step first asks, or first looks at a define that may ask."""


def reading_number(id: str, /) -> int:
    """The number a numeric reading has in this run."""


# ---------------------------------------------------------------- ending, and what the rules leave out
def finish(winner: Option[Player], /) -> NoReturn:
    """The game is over: somebody won, or (`None`) it is a draw."""


def gap(clause: str = "", /) -> NoReturn:
    """The rules must say what happens here, and do not. Only the kernel names no clause: it means those of the call."""


def conflict(clause: str = "", /) -> NoReturn:
    """Rules contradict each other here, and nothing ranks them."""


def not_modelled(clause: str = "", /) -> NoReturn:
    """The clause is reached, and this encoding does not have it yet."""


# ---------------------------------------------------------------- blocks
class Signal(Exception):
    """Base of what `raise` throws to leave procedures early: `class PhaseEnds(Signal)`."""


class _Block:
    def __enter__(self) -> None: ...
    def __exit__(self, *exc: object) -> Literal[False]: ...


def simultaneously() -> _Block:
    """All reads inside see the state before the block; the writes happen together at its end, then the events.
    Increases (`+=`, `-=`; of sets `|=`) of one place add up; two different values for it are a conflict of the rules."""


def abandon_when(condition: Callable[[], bool], /) -> _Block:
    """After each statement of the block the condition is looked at; once it holds, the rest of the block is dropped."""


def restored(*places: Any) -> _Block:
    """The places (single values, records or whole `Per` fields) get back what they had on entry, however the block is left."""


# ---------------------------------------------------------------- kinds of rules
class Scope(Enum):
    """What part of play a procedure is: an endless loop is reported in the narrowest that contains it."""

    STEP = 1
    PHASE = 2
    TURN = 3


def define(rule: F, /) -> F:
    """A pure function: reads the state, changes nothing."""


def value(rule: F, /) -> F:
    """A characteristic that is recomputed whenever it is asked for, never stored (a card's power)."""


def step(rule: F, /) -> F:
    """An effect that nothing can interrupt."""


def action(rule: F, /) -> F:
    """An effect that other rules can get in the way of: skipped where an `@forbids` for it holds."""


@overload
def procedure(rule: F, /) -> F: ...
@overload
def procedure(*, scope: Scope) -> Callable[[F], F]: ...
def procedure(rule: Any = None, /, *, scope: Any = None) -> Any:
    """A course of play that can be interrupted: `async def`; every `await` marks a place where it can be."""


def entry(name: str, /) -> Callable[[F], F]:
    """A procedure a scenario can begin with (`begin: name`)."""


def situation(rule: F, /) -> F:
    """Looked at after each effect that writes what it reads. A plain `def` brings memory up to date at once; an
    `async def` begins with `when(condition)` and is carried out, nested, as long as it holds."""


def when(condition: bool, /) -> None:
    """The first statement of an `async` situation."""


def settled_by(decider: Callable[..., Decider], /) -> Callable[[F], F]:
    """Who orders several situations that arise together."""


def trigger_policy(rule: F, /) -> F:
    """`def met(g, ability, card, cause)`: what it means that an ability has triggered. One per book."""


def verdict(question: str, /) -> Callable[[F], F]:
    """The function pronounces on the question about its subject: a value, or `None` where it says nothing."""


def judge(question: str, g: Any, subject: Any, answer: type[T], /) -> Option[T]:
    """What all verdicts on the question say of the subject: the one value pronounced, none if nothing is; two values
    that no clause ranks are a conflict and end the play there."""


def outranks(winner: str, loser: str, /) -> None:
    """A clause ranks verdicts: where both of these pronounce, the first counts. So do kinds of norms:
    `outranks("forbids", "permits")`, or the reverse."""


def permits(act: Callable[..., Any], /) -> Callable[[F], F]:
    """The player may take the action where this holds."""


def forbids(act: Callable[..., Any], /) -> Callable[[F], F]:
    """The action cannot be taken where this holds, whoever asks for it."""


def requires(act: Callable[..., Any], /) -> Callable[[F], F]:
    """The action must be taken where this holds."""


def permitted(act: Callable[..., Any], /, *args: Any) -> bool:
    """Some `@permits` for the action holds for these arguments, and the action is not forbidden. `outranks` says which
    counts where both hold."""


def forbidden(act: Callable[..., Any], /, *args: Any) -> bool:
    """Some `@forbids` for the action holds for these arguments, and nothing that outranks prohibitions."""


def required(act: Callable[..., Any], /, *args: Any) -> bool:
    """Some `@requires` for the action holds for these arguments, and the action is not forbidden. `outranks` says which
    counts where both hold."""


def invariant(rule: F, /) -> F:
    """Must hold at every label."""


def expects(rule: Callable[..., Any], /) -> Callable[[F], F]:
    """Holds wherever the procedure is called: `def name(g)`, or with the parameters of the procedure. Proofs show it of every call."""


def ensures(rule: Callable[..., Any], /) -> Callable[[F], F]:
    """Holds wherever the procedure comes back: `def name(g)`, or with its parameters and, last, its `result`, if it has one. Proofs show it of the
    procedure, and know it of every call. What is stated of the state alone is tried elsewhere, too."""


def decreases(rule: Callable[..., Any], /) -> Callable[[F], F]:
    """A number that goes down with each round of the loops of a procedure: `def name(g)`, or with the parameters of the procedure, as they are when a
    round begins. It may stay as it is where the next such statement, or what is found without one, goes down. `check BOOK --only ends` proves it
    and then counts on it; play does not look at it."""


def known_as(role: Literal["legal deck", "master", "ordinary position", "plays waiting"], /) -> Callable[[F], F]:
    """The part that a rule has for those who play and examine the book, each of one rule at most. `"master"`: a define that says whose
    a card is (`you` in the `if:` of abilities that listen); `"legal deck"`: a define that says whether a player's cards make a deck
    (what begins with others is no play from the preparation on); `"ordinary position"`: a define that says whether a position is one that
    needs no odd text (what is found of any position is shown in such a one, if there is one); `"plays waiting"`: a procedure by which its
    one `Player` plays what waits (a clause on endless loops may ask who does)."""


# ---------------------------------------------------------------- rules given to rules
Procedure = Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]
"""`offer: Procedure[[Player], bool]`: a parameter that is a rule, named by whoever calls: `alternate(g, p, offer=pass_or_play)`.
The rule is called with the state first: `await offer(g, p)`. In such a type `T` is any type, the same wherever it stands."""
Step = Callable[Concatenate[Any, P], R]
"""`Step[[Card], None]`: a parameter that is a step (or an action that cannot be interrupted)."""
Define = Callable[Concatenate[Any, P], R]
"""`Define[[Player], Set[Card]]`: a parameter that is a define or a value."""


__all__ = [
    "BOTTOM", "CARDS", "FIRST", "NO_CAUSE", "OPEN", "PLAYERS", "SECOND", "TOP", "Ability", "Annotated", "Bag", "Card",
    "Cause", "Decider", "Define", "Definition", "Enum", "Event", "Inaction", "Multiset", "Obj", "Option", "Per", "Pile",
    "Player", "Pool", "Procedure", "Range", "Record", "Ref", "Scope", "Set", "Signal", "State", "Step", "Symbols", "T",
    "Zone", "abandon_when", "action", "applies_to", "chance", "choose", "choose_number", "choose_some", "condition",
    "conflict", "decreases", "define", "each", "emit", "ensures", "entry", "expects", "finish", "first", "forbidden",
    "forbids", "gap", "how_much", "invariant", "judge", "known_as", "last", "may", "not_modelled", "on_top", "other",
    "outranks", "owner", "payable", "permits", "permitted", "procedure", "put", "reading", "reading_number", "renew",
    "required", "requires", "restored", "run_cost", "run_text", "settled_by", "shuffle", "simultaneously", "situation",
    "state_holds", "step", "the", "trigger_policy", "up_to", "value", "verdict", "when", "zone_number", "zone_of",
    "zone_player",
]
