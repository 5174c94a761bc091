"""Chapter 2: what is printed on cards."""
from typing import Any

from ...lang import *

Lane = Annotated[int, Range(1, 5)]
LANES = Range(1, 5)


# ---------------------------------------------------------------- 2  what is printed
class Kind(Enum):  #: 2.2.2
    """The card type."""

    HERO = 1  #: 2.2.2.1
    CHARACTER = 2  #: 2.2.2.2
    EPISODE = 3  #: 2.2.2.4
    EVENT = 4  #: 2.2.2.5


class Icon(Enum):  #: 12.3.1
    """When an event may be played."""

    MAIN = 1  #: 12.3.2
    APPROACH = 2  #: 12.3.3


class Name(Symbols):
    """Card names."""


class Person(Symbols):
    """Person names."""

    風太郎 = 1  #: 2.1.2.3


class Printed(Definition):
    """What a card says."""

    kind: Kind  #: 2.2.1
    names: Set[Name]  #: 2.1.1
    persons: Set[Person]  #: 2.1.2
    power: Annotated[int, Range(-20, 20)] = 0  #: 2.3.1 #: 1.3.2.4
    bonus: Annotated[int, Range(-20, 20)] = 0  #: 2.4.1 #: 2.10.2
    required_power: Annotated[int, Range(0, 20)] = 0  #: 2.5.1 #: 2.5.1.1
    icons: Set[Icon]  #: 12.3.1
    also_episode: bool = False  #: 2.10.1
    once_per_turn_by_name: bool = False  #: 12.5.2
    growth: Set[Person]  #: 12.6.2
    requires: Set[Person]  #: 12.7.2
    exclusive: Set[Person]  #: 12.8.2
    copies: Annotated[int, Range(0, 60)] = 0
    """How many copies a deck may have, where the card itself says so (6.1.4)."""
    abilities: Set[Ability]  #: 2.6.1 #: 2.6.1.1
    speaks_of: Set[Person]  #: 2.1.2.2
    """The persons that its text names: so there are such names even where no card has them."""
    speaks_of_cards: Set[Name]  #: 2.1.3
    """The card names that its text names."""


class AbilityKind(Enum):  #: 10.1.1
    """What sort of text it is. `EVENT`: what an event card does; `DELAYED`: what a delayed trigger will do;
    `PLAY_COST`: what has to be paid for playing the card."""

    ACTIVATED = 1  #: 10.1.1.1
    AUTO = 2  #: 10.1.1.2
    PERMANENT = 3  #: 10.1.1.3
    EVENT = 4  #: 10.6.4.3
    DELAYED = 5  #: 10.7.5
    PLAY_COST = 6  #: 10.6.2.5 #: 10.3.4.1.1


class Effect(Enum):  #: 10.2.1.2
    """What a continuous effect does to the cards that it applies to. An approach is demanded or forbidden by an ability of the
    character itself, whose `applies_to:` says of heroes whether they are meant."""

    LOSES_ABILITIES = 1  #: 10.9.1.3
    DISABLES_ABILITIES = 2  #: 10.9.1.3
    GIVES_ABILITIES = 3  #: 10.9.1.3
    ADDS_PERSONS = 4  #: 10.9.1.4
    LOSES_PERSONS = 5  #: 10.9.1.4
    ADDS_POWER = 6  #: 10.9.1.5
    SETS_POWER = 7  #: 10.9.1.5
    DOUBLES_POWER = 8  #: 10.9.1.5
    CANNOT_LEAVE = 9  #: 1.3.3
    CANNOT_APPROACH = 10  #: 1.3.3
    MUST_APPROACH = 11  #: 1.3.2.3
    STAYS_IN_LANE = 12  #: 1.3.3
    APPROACHES_TWO = 13  #: 9.4.2.2


class TurnEnd(Enum):
    """Whose turn's end an ability names."""

    ANY = 1
    YOURS = 2


class Where(Enum):
    """Zones that a text may name as the place where it works (10.3.4.1)."""

    HAND = 1
    WAITING_ROOM = 2
    BRIDES = 3
    REMOVED = 4


class Text(Definition):
    """What is said about an ability, beside its scripts. An auto ability with `while:` is a state trigger."""

    of: Any  # marks facts about abilities
    kind: AbilityKind  #: 10.1.1
    half: Set[Kind]  #: 2.10.3.1
    """Of a card that is event & episode: in which half it stands, if that is named."""
    once_per_turn: bool = False  #: 12.4.1
    once_per_turn_by_name: bool = False  #: 12.5.3
    only: Set[Person]  #: 12.10.2
    optional_cost: bool = False  #: 10.1.1.2.2
    at_turn_end: Option[TurnEnd] = None  #: 10.1.1.2.1
    works_in: Set[Where]  #: 10.3.4.1
    effect: Option[Effect] = None
    """What a permanent ability does, as long as its `if:` holds, to the cards of its `applies_to:` (by its `how_much:`)."""
    persons: Set[Person]
    """The person names that its effect adds or takes away."""
    everywhere: bool = False  #: 12.9.2
    """It does so to its card in all zones: Disguise."""
    names_target: bool = False
    """Its `applies_to:` says which cards its target can be; the text gets it with `its_target`."""
    asks_last: bool = False
    """Its text asks for its card (`g.under_way`, 10.12.2) or the power of that, which may have left its lane by then (10.11.1)."""
    number: Annotated[int, Range(0, 99)] = 0  #: 10.7.5
    """Which of its card's abilities that stand inside texts it is, delayed or given."""
    gives: Annotated[int, Range(0, 99)] = 0  #: 10.9.1.3
    """Which of those its effect gives."""
    replaces: bool = False  #: 10.2.1.3
    optional: bool = False  #: 10.2.1.3.2
    given: bool = False
    """It stands inside another text of the card, and works only on cards that this text gives it to."""
