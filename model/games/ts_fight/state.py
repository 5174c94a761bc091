"""Chapter 1: what is printed on cards, where cards lie, and what a character is at the moment."""
from typing import Any

from ...kernel.turns import *
from ...lang import *


# ---------------------------------------------------------------- 3  what is printed
class Kind(Enum):  #: 第1章3
    """The card type."""

    CHARACTER = 1  #: 第1章3.1
    DRESS = 2  #: 第1章3.2
    EFFECT = 3  #: 第1章3.3
    HAPPENING = 4  #: 第1章3.4


class Sex(Enum):  #: 第1章3.1(4)
    """The sex of a character."""

    FEMALE = 1  #: 第1章3.1(4)・5
    MALE = 2  #: 第1章3.1(4)・6
    BOTH = 3  #: 第1章3.1(4)・7
    NEITHER = 4  #: 第1章3.1(4)・8


class Name(Symbols):
    """Card names."""


class Person(Symbols):
    """Personal names, those that a character goes by included (chapter 4, section 7)."""


class Attribute(Symbols):
    """Attributes (属性), of which these have an effect of their own."""

    MOB = 1  #: 第4章1「MOB」
    UNISEX = 2  #: 第6章1「男女兼用」
    ACCESSORY = 3  #: 第6章1「装飾品」
    EXCHANGE = 4  #: 第10章5


class Printed(Definition):
    """What a card says."""

    kind: Kind  #: 第1章3
    names: Set[Name]  #: 第1章3.1(3)
    persons: Set[Person]  #: 第1章3.1(3) #: 第4章7
    cost: Annotated[int, Range(0, 6)] = 0  #: 第1章3.1(2)
    charm: Annotated[int, Range(-20, 20)] = 0  #: 第1章3.1(5)
    shock: Annotated[int, Range(0, 20)] = 0  #: 第1章3.1(5)
    sex: Sex = Sex.FEMALE  #: 第1章3.1(4)
    attributes: Set[Attribute]  #: 第4章1 #: 第6章1
    deck_limit: Annotated[int, Range(1, 60)] = 3  #: 第2章1
    abilities: Set[Ability]  #: 第1章3.1(7)


class AbilityKind(Enum):  #: 第5章1.1
    """What sort of text it is. `HAPPENING`: what a happening does; `EFFECT`: whom an effect card goes on."""

    ALWAYS = 1  #: 第5章2
    AT_WILL = 2  #: 第5章3
    WITH_HELP = 3  #: 第5章4
    HAPPENING = 4  #: 第9章1.3
    EFFECT = 5  #: 第8章1


class Holder(Enum):
    """As what a character has an ability: white icons and black ones."""

    TS = 1  #: 第5章1.1
    HELPER = 2  #: 第5章1.1


class Timing(Enum):  #: 第5章1.3 #: 第9章1.1
    """When it may be used."""

    NORMAL = 1
    INTERRUPT = 2


class Moment(Enum):
    """When a part of a turn that abilities may name begins or ends."""

    TURN_START = 1  #: 第3章1
    TURN_END = 2  #: 第3章5


class Into(Enum):
    """What a TS effect can change its target into."""

    ANY = 1
    NAMELESS = 2


class Text(Definition):
    """What is said about an ability, beside its scripts. `if:` tells who may be its target, which is `this` there and
    in `text:`; without a target `this` is the character that has the ability."""

    of: Any  # marks facts about abilities
    kind: AbilityKind  #: 第5章1.1
    holders: Set[Holder]  #: 第5章1.1
    timings: Set[Timing]  #: 第5章1.3 #: 第9章1.1
    targets: bool = False  #: 第5章1.4 #: 第9章1.2
    discards: Annotated[int, Range(0, 3)] = 0  #: 第5章1.4 #: 第6章3
    """How many cards from hand are its cost, beside helping."""
    at: Option[Moment] = None  #: 第3章1 #: 第3章5
    red: bool = False  #: 第10章1
    keeps_tired: bool = False  #: 第3章2
    """Its character cannot become fresh."""
    ts: bool = False  #: 第8章1
    into: Into = Into.ANY  #: 第8章1


# ---------------------------------------------------------------- 4 and 5  zones and the state
class Act(Enum):
    """What can be under way, step by step (5.5 and 9.2)."""

    ABILITY = 1  #: 第3章4.6
    HAPPENING = 2  #: 第3章4.5
    DRESS = 3  #: 第3章4.3
    EFFECT = 4  #: 第3章4.4
    ATTACK = 5  #: 第3章4.2
    ENTRY = 6  #: 第3章4.1
    SETTING = 7  #: 第10章4.1


class Use(Record):
    """Something declared and not over yet. `card` is the card used, or the character that does it."""

    by: Player
    act: Act
    card: Card
    user: Option[Obj] = None  #: 第5章5.7
    ability: Option[Ability] = None
    targets: bool = False
    target: Option[Obj] = None  #: 第5章5.2 #: 第9章2.2
    form: Option[Obj] = None  #: 第10章2
    helpers: Annotated[int, Range(0, 12)] = 0  #: 第5章5.3 #: 第9章2.3
    discards: Annotated[int, Range(0, 3)] = 0  #: 第5章5.3 #: 第9章2.3
    rank: Annotated[int, Range(0, 8)] = 0
    """How many interrupts of the same use were declared before it."""


class Declared(Record):
    """An interrupt that has been declared against a use, and not been processed."""

    card: Card
    use: Ref[Use]
    against: Ref[Use]


class Due(Record):
    """An ability that works now, at the start or end of a turn."""

    ability: Ability
    character: Card


class OnCard(Record):
    """What play remembers of a card where it lies. The cards of one character lie on its base character."""

    tired: bool = False  #: 第1章5「元気/疲労」
    face_down: bool = False  #: 第2章2(5)
    on: Option[Obj] = None  #: 第1章4(3) #: 第1章4(4)
    form: Option[Obj] = None  #: 第10章1
    """The character card into which this base character has been changed."""
    exchanged_with: Option[Obj] = None  #: 第10章5
    """For a PL character that has taken its place by an exchange: who was there before."""
    pledged: Option[Ref[Use]] = None  #: 第5章5.3 #: 第9章2.3


class Game(Turns):
    """A game. `turn_player` is the acting side, `turn_number` 1 in turn 1 (第2章3)."""

    brought_in: bool  #: 第3章4.1
    attacked: bool  #: 第3章4.2
    mental: Per[Player, Annotated[int, Range(0, 99)]] = each(30)  #: 第1章2
    deck: Per[Player, Pile]  #: 第1章4(2)
    hand: Per[Player, Bag]  #: 第1章4(1)
    pl_zone: Per[Player, Bag]  #: 第1章4(3)
    helper_zone: Per[Player, Bag]  #: 第1章4(4)
    out_of_play: Per[Player, Bag]  #: 第1章4(5)
    in_use: Bag
    card: Per[Card, OnCard]
    uses: Pool[Use]
    declared: Multiset[Declared]
    due: Multiset[Due]


# ---------------------------------------------------------------- 3.1  characters
@define
def pl_character(g: Game, p: Player) -> Option[Obj]:
    """The player's PL character: the base character in the PL zone."""
    return the({c for c in g.pl_zone[p] if g.card[c].on is None})  #: 第1章4(3)


@define
def helpers(g: Game, p: Player) -> Set[Card]:
    """The player's helpers, each told by its base character."""
    return {c for c in g.helper_zone[p] if g.card[c].on is None}  #: 第1章4(4)


@define
def characters(g: Game, p: Player) -> Set[Card]:
    """The player's characters, each told by its base character."""
    return {c for c in g.pl_zone[p] | g.helper_zone[p] if g.card[c].on is None}  #: 第1章3.1


@define
def side(g: Game, card: Card) -> Option[Player]:
    """On whose side the card lies."""
    return zone_player(zone_of(card))


@define
def is_character(g: Game, card: Card) -> bool:
    """Is it a character in play?"""
    here = zone_of(card)
    return (here in g.pl_zone or here in g.helper_zone) and g.card[card].on is None  #: 第1章3.1


@define
def is_helper(g: Game, card: Card) -> bool:
    """Is it a helper?"""
    return zone_of(card) in g.helper_zone and g.card[card].on is None  #: 第1章4(4)


@define
def is_pl(g: Game, card: Card) -> bool:
    """Is it a PL character?"""
    return zone_of(card) in g.pl_zone and g.card[card].on is None  #: 第1章4(3)


@define
def attached(g: Game, character: Card) -> Set[Card]:
    """All cards that lie on the character: forms, dresses, effects."""
    return {c for c in zone_of(character) if g.card[c].on == character}  #: 第1章4(3) #: 第1章4(4)


@define
def shown(g: Game, character: Card) -> Card:
    """The card that says what the character is now."""
    form = g.card[character].form
    return character if form is None else form  #: 第10章2


@define
def sex(g: Game, character: Card) -> Sex:
    """The sex of a character now."""
    card = shown(g, character)
    return Sex.MALE if g.card[card].face_down else Printed(card).sex  #: 第2章2(5) #: 第1章3.1(4)


@define
def is_female(g: Game, character: Card) -> bool:
    """Does the character count as female?"""
    return sex(g, character) == Sex.FEMALE or sex(g, character) == Sex.BOTH  #: 第1章3.1(4)・7


@define
def persons(g: Game, character: Card) -> Set[Person]:
    """The personal names that the character has by any of its character cards."""
    return {
        n
        for c in attached(g, character) | {character}
        if Printed(c).kind == Kind.CHARACTER and not g.card[c].face_down
        for n in Printed(c).persons
    }  #: 第1章3.1(3) #: 第10章1


# ---------------------------------------------------------------- 5  terms
@define
def fresh(g: Game, character: Card) -> bool:
    """Is the character in play and not tired?"""
    return is_character(g, character) and not g.card[character].tired  #: 第1章5「元気/疲労」


@define
def counts_as_ts(g: Game, of: Sex) -> bool:
    """Is a PL character of this sex in the TS state?"""
    if of == Sex.BOTH:
        return reading("both-sexes-ts") == "ts"  #: 第1章3.1(4)・7
    return of != Sex.MALE  #: 第1章5「TS」


@define
def is_ts_player(g: Game, p: Player) -> bool:
    """Is the player in the TS state?"""
    pl = pl_character(g, p)
    if pl is None:
        return False
    if attached(g, pl) and reading("ts-state-cards") == "any-card":
        return any(is_not_male(g, c) for c in g.pl_zone[p])
    return counts_as_ts(g, sex(g, pl))  #: 第1章5「TS」


@define
def is_not_male(g: Game, card: Card) -> bool:
    """Is it, face up, a card without a sex, or one whose sex makes a TS state?"""
    return not g.card[card].face_down and (Printed(card).kind != Kind.CHARACTER or counts_as_ts(g, Printed(card).sex))


@define
def has_been_changed(g: Game, character: Card) -> bool:
    """Is the character in the TS state? For a helper that can only mean that an effect has changed it."""
    whose = side(g, character)
    if is_pl(g, character) and whose is not None:
        return is_ts_player(g, whose)  #: 第1章5「TS」
    return g.card[character].form is not None  #: 第1章5「TS」


@value
def charm(g: Game, character: Card) -> int:
    """The charm of a character: that of its card, its dresses and its effects."""
    card = shown(g, character)
    own = 0 if g.card[card].face_down else Printed(card).charm  #: 第1章3.1(5) #: 第2章2(5)
    return own + charm_put_on(g, character)


@define
def charm_put_on(g: Game, character: Card) -> int:
    """What dresses and effects add."""
    return sum(
        Printed(c).charm for c in attached(g, character) if Printed(c).kind != Kind.CHARACTER
    )  #: 第7章 #: 第8章


# ---------------------------------------------------------------- what holds throughout
@invariant
def every_card_lies_with_its_character(g: Game) -> bool:
    """What lies on a character lies in its zone."""
    return all(lies_with(c, g.card[c].on) for c in CARDS)  #: 第1章4(3) #: 第1章4(4) #: 第10章5


@define
def lies_with(card: Card, character: Option[Obj]) -> bool:
    """Is there no character, or does it lie in the same zone?"""
    return character is None or zone_of(card) == zone_of(character)


@invariant
def cards_lie_on_characters(g: Game) -> bool:
    """What a card lies on is a character in play, and lies on nothing itself."""
    return all(is_none_or_character(g, g.card[c].on) for c in CARDS)  #: 第1章4(3) #: 第1章4(4)


@define
def is_none_or_character(g: Game, card: Option[Obj]) -> bool:
    """Is there no card, or is it a character in play?"""
    return card is None or is_character(g, card)


@invariant
def one_pl_character(g: Game) -> bool:
    """No PL zone holds two characters."""
    return all(len({c for c in g.pl_zone[p] if g.card[c].on is None}) <= 1 for p in PLAYERS)  #: 第1章4(3) #: 第10章4.1


@invariant
def characters_are_characters(g: Game) -> bool:
    """What lies on nothing in a PL zone or helper zone is a character card, or lies face down."""
    return all(
        Printed(c).kind == Kind.CHARACTER or g.card[c].face_down for p in PLAYERS for c in characters(g, p)
    )


@invariant
def cards_in_use_belong_to_uses(g: Game) -> bool:
    """No card is left aside when its use is over."""
    return all(any(g.uses[u].card == c or g.uses[u].form == c for u in g.uses) for c in g.in_use)


@invariant
def pledges_belong_to_uses(g: Game) -> bool:
    """Nothing is pledged for a use that is over."""
    return all(pledge_is_alive(g, c) for c in CARDS)


@define
def pledge_is_alive(g: Game, card: Card) -> bool:
    """Is the card not pledged, or for something under way?"""
    return g.card[card].pledged is None or any(g.card[card].pledged == u for u in g.uses)
