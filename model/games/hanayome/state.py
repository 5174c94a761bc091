"""Chapters 2 to 4: where cards lie, and what a card is at the moment. What is printed stands in `printed.py`."""
from ...kernel.turns import *
from ...lang import *
from .printed import *


# ---------------------------------------------------------------- 4  zones and the state
class Face(Enum):  #: 4.2.4
    """Which side of a card shows."""

    UP = 1  #: 4.2.4.1
    DOWN = 2  #: 4.2.4.2


TIMES = Range(0, 31)
Time = Annotated[int, TIMES]
"""When something arose: a place in the order of what there is now, kept only where the order can matter."""
CHANGES = Range(-99, 99)
Power = Annotated[int, Range(-127, 127)]


class OnCard(Record):
    """What play remembers of a card as the object it now is; a new card (4.1.4) begins afresh."""

    played: Set[Ability]  #: 12.4.2
    played_before: Set[Ability]  #: 12.4.2
    """Of what it was before: what was played this turn and may still wait."""
    met: Set[Ability]  #: 7.5.1
    noted: Set[Ability]  #: 10.7.6.1
    had: Set[Ability]
    """What was enabled where it came from and, next, where that is: only while its move is told to triggers."""
    moved_from: Option[Zone] = None
    stood: bool = False
    """Was it a character (not a card below one) where it came from? As long as `had`."""
    kinds_were: Set[Kind] = set()
    persons_were: Set[Person] = set()
    """What it was where it came from. As long as `had`."""
    played_from: Option[Zone] = None  #: 10.6.5
    face: Face = Face.UP  #: 4.2.4 #: 4.1.2.1 #: 4.11.2
    set_on: Option[Obj] = None  #: 5.10.1
    as_episode: bool = False  #: 10.6.4.2.1
    until_turn_end: Annotated[int, Range(-40, 40)] = 0  #: 7.5.2
    since: Time = 0  #: 10.9.1.7.1
    is_to_go: bool = False
    """Is it to be moved together with others, once it is asked of each what happens instead?"""
    declared: Option[Obj] = None
    declared_too: Option[Obj] = None
    """The hero, and a second one, that have been chosen for it, until all are chosen and the approaches begin."""
    approaches: Option[Obj] = None  #: 9.2.2.3
    partner: Option[Obj] = None  #: 9.4.2.1


class Waiting(Record):  #: 10.7.2
    """An auto ability waits to be played once. `this` is the card that has it; of a delayed one, the card that it is about."""

    ability: Ability
    card: Card  #: 10.12.2
    this: Option[Obj]
    master: Option[Player]  #: 3.1.2.3 #: 4.4.5
    cause: Cause


class Delayed(Record):  #: 10.7.5
    """An auto ability that an effect of the card made for a later time; its text says `this` to the card that it is about. It is once for
    the end of the turn or the next start phase: no other moment can be named, nor a period in which it stays (10.7.5.1)."""

    ability: Ability
    card: Card  #: 10.12.2
    about: Option[Obj]
    master: Option[Player]


class Replacing(Record):  #: 10.10.1
    """A replacement that can be applied to what would happen."""

    ability: Ability
    card: Card
    this: Option[Obj]
    cause: Cause


class Applied(Record):  #: 10.10.2.3
    """A replacement that has been applied to what is happening."""

    ability: Ability
    card: Card


class Lasting(Record):  #: 10.2.1.2
    """What an effect does to one card until the end of the turn."""

    effect: Effect
    about: Option[Obj]  #: 10.9.2
    number: Annotated[int, Range(-40, 40)] = 0
    source: Option[Card] = None  #: 10.12.2
    persons: Set[Person] = set()
    since: Time = 0  #: 10.9.1.7.2


class Further(Record):
    """An approach besides those that characters remember: to a second hero (`number` is -1); or, by one reading, of one who has left,
    with the power that the character had, or the hero needed."""

    character: Option[Obj]
    hero: Option[Obj]
    number: Annotated[int, Range(-1, 60)] = -1


class Game(Turns):  #: 7.1.1 #: 7.2.1
    """A game. Zones that no player is named for are shared."""

    in_end_phase: bool  #: 7.5
    character_played: bool  #: 8.2.2
    episodes_played: Annotated[int, Range(0, 2)]  #: 8.3.2
    events_named: Per[Player, Set[Name]]  #: 12.5.2
    abilities_named: Per[Player, Set[Name]]  #: 12.5.3
    hero_lane: Per[Lane, Bag]  #: 4.4.2 #: 4.4.3
    lane: Per[Player, Per[Lane, Pile]]  #: 4.5.2 #: 4.5.3 #: 4.5.4
    deck: Per[Player, Pile]  #: 4.6.2
    hero_deck: Per[Player, Pile]  #: 4.7.2
    hand: Per[Player, Bag]  #: 4.8.2
    waiting_room: Per[Player, Bag]  #: 4.9.2
    brides: Per[Player, Bag]  #: 4.10.2
    removed: Per[Player, Bag]  #: 4.11.2
    lane_resolution: Pile  #: 4.12.1
    effect_resolution: Pile  #: 4.13.1
    card: Per[Card, OnCard]
    waiting: Multiset[Waiting]  #: 10.7.2
    delayed: Multiset[Delayed]  #: 10.7.5
    delayed_further: Multiset[Delayed]
    """Made in an end phase and meant, by one reading, for the next turn."""
    delayed_to_start: Multiset[Delayed]  #: 10.7.5
    """Made for the next start phase."""
    replacing: Multiset[Replacing]  #: 10.10.1
    applied: Multiset[Applied]  #: 10.10.2.3
    abilities_removed: Per[Player, Annotated[int, Range(0, 30)]]
    """Resolved abilities that, by one reading, have been put into the removed zone (10.6.4.3)."""
    further: Multiset[Further]  #: 9.4.2.2
    tried: Set[Card]
    """Cards that rule processing could not put away; by one reading it does not try again in this check timing."""
    paying: bool  #: 10.4.2
    cost_failed: bool  #: 10.4.2.2
    target: Option[Obj]  #: 10.6.2.4
    cost_replaced: bool  #: 10.10.1.1
    under_way: Option[Card]  #: 10.12.2
    given_under_way: Option[Ability]
    """The ability of that card which is under way, if it is not printed there."""
    last_power: Power  #: 10.11.1
    was: Per[Player, Per[Lane, Power]]
    """The power of a character that has just left the lane: only while its move is told to triggers."""
    heard: Multiset[Applied]
    told: Option[Card]
    """Whose move is being told."""
    lasting: Multiset[Lasting]  #: 10.2.1.2
    played_since: Option[Time]  #: 10.9.1.7.2
    """While a card or ability is played: the place in the order of what had arisen when it was, and of what it has done since."""
    come_since_play: Set[Card]  #: 10.9.2
    """While a card or ability is played: what has come into a lane since, and not from another."""
    of_one_play: Multiset[Lasting]  #: 10.9.1.7.2
    """While a card or ability is played: by one reading, what it has laid on cards so far."""
    layer: Annotated[int, Range(0, 5)]  #: 10.9.1
    """While effects are applied: of which clause, 10.9.1.3 to .5; 2 before the first of them, 0 when nothing is under way."""
    to_come: Set[Time]
    """While effects are applied: when those of `lasting` arose that have not been."""
    carried_out: Per[Ability, Set[Card]]
    """While effects are applied: the cards whose permanent ability has been."""
    given: Per[Ability, Set[Card]]  #: 10.9.1.3
    """The cards that have an ability which stands inside a text."""
    abilityless: Set[Card]  #: 10.9.1.3
    disabled: Set[Card]  #: 10.3.2
    called: Per[Person, Set[Card]]  #: 10.9.1.4
    """The cards that have such a person name by an effect."""
    called_no_more: Per[Person, Set[Card]]  #: 10.9.1.4
    change: Per[Player, Per[Lane, Annotated[int, CHANGES]]]  #: 10.9.1.5
    hero_change: Per[Lane, Annotated[int, CHANGES]]  #: 10.9.1.5


# ---------------------------------------------------------------- 2.2, 2.10  card types
@define
def kinds(g: Game, card: Card) -> Set[Kind]:
    """What kinds of card it is now: a character card played as an episode has become one."""
    if Printed(card).also_episode:
        return halves(g, card)
    if not g.card[card].as_episode:
        return {Printed(card).kind}  #: 2.2.1
    if reading("bare-episode-type") == "also-character":
        return {Kind.EPISODE, Kind.CHARACTER}  #: 4.14.3.1
    return {Kind.EPISODE}  #: 10.6.4.2.1


@define
def halves(g: Game, card: Card) -> Set[Kind]:
    """What an event & episode is: both, but one of them only while it is played, or lies in a lane."""
    here = zone_of(card)
    if here == g.effect_resolution:
        return {Kind.EVENT}  #: 10.6.2.2.1 #: 2.10.4
    if here == g.lane_resolution:
        return {Kind.EPISODE}  #: 10.6.2.2.1 #: 2.10.4
    if here in g.lane:
        return {Kind.EPISODE}  #: 2.10.5
    return {Kind.EVENT, Kind.EPISODE}  #: 2.10.3.2


@define
def is_character(g: Game, card: Card) -> bool:
    """Is it a character card, and not one that lies in a lane as an episode?"""
    return Printed(card).kind == Kind.CHARACTER and not g.card[card].as_episode  #: 2.2.2.2 #: 10.6.4.2.1


@define
def may_be_episode(card: Card) -> bool:
    """Is it printed as an episode card, perhaps among other things?"""
    return Printed(card).kind == Kind.EPISODE or Printed(card).also_episode  #: 2.2.2.4 #: 2.10.1


@define
def is_episode(g: Game, card: Card) -> bool:
    """Is a card in a lane an episode card, or a character card that is treated as one?"""
    return may_be_episode(card) or g.card[card].as_episode  #: 2.10.5 #: 5.10.3


# ---------------------------------------------------------------- 2.1  person names
@define
def persons_of(g: Game, card: Card) -> Set[Person]:
    """The person names that count: those of an episode do not, and a character card treated as one has none."""
    if may_be_episode(card):
        return set()  #: 2.1.2.4
    if g.card[card].as_episode and reading("bare-episode-type") != "also-character":
        return set()  #: 10.6.4.2.1
    return persons(g, card)  #: 2.1.2


@define
def goes_by(g: Game, card: Card, persons: Set[Person]) -> bool:
    """Has the card one of these person names?"""
    return len(persons_of(g, card) & persons) > 0  #: 2.1.2.2


# ---------------------------------------------------------------- 3.1  owners and masters
@define
def master(g: Game, card: Card) -> Option[Player]:
    """The player who uses the card: whose zone it lies in, or who put it into the resolution zone; heroes have none."""
    here, before = zone_of(card), g.card[card].played_from
    if (here == g.lane_resolution or here == g.effect_resolution) and before is not None:
        return zone_player(before)  #: 4.12.3 #: 4.13.3
    return zone_player(here)  #: 3.1.2 #: 4.4.5


@define
def master_before(g: Game, card: Card) -> Option[Player]:
    """The master of a card that has just moved, where it came from."""
    src = g.card[card].moved_from
    return None if src is None else zone_player(src)  #: 3.1.2.3


@known_as("master")
@define
def listener(g: Game, card: Card) -> Option[Player]:
    """Whose an ability is that listens: of a card whose abilities look back at where it has just left, its master there."""
    return master_before(g, card) if g.card[card].had else master(g, card)  #: 3.1.2.3 #: 10.7.4.1.2


@define
def stands_in(g: Game, card: Card) -> Player:
    """Who carries out what an ability of the card says: the turn player where the card has no master."""
    whose = master(g, card)
    return g.turn_player if whose is None else whose  #: 3.1.2.4.1 #: 3.1.2.1 #: 10.5.3.2


# ---------------------------------------------------------------- 4.14  what cards speak of
@define
def heroes(g: Game) -> Set[Card]:
    """The hero cards in hero lanes."""
    return {h for n in LANES for h in g.hero_lane[n] if Printed(h).kind == Kind.HERO}  #: 4.14.1


@define
def character_in(g: Game, p: Player, n: Lane) -> Option[Obj]:
    """The character in a lane: of several cards, the topmost."""
    return last(c for c in g.lane[p][n] if is_character(g, c))  #: 4.14.2.1


@define
def character_there(g: Game, lane: Zone) -> Option[Obj]:
    """The same of a lane given as a zone."""
    return last(c for c in lane if is_character(g, c))  #: 4.14.2.1


@define
def characters(g: Game, p: Player) -> Set[Card]:
    """The player's characters."""
    return {c for n in LANES for c in as_set(character_in(g, p, n))}  #: 4.14.2


@define
def as_set(card: Option[Card]) -> Set[Card]:
    """The card, if there is one."""
    return set() if card is None else {card}


@define
def stands(g: Game, card: Card) -> bool:
    """Is the card a character in a lane, not one below another?"""
    return zone_of(card) in g.lane and card == last(c for c in zone_of(card) if is_character(g, c))  #: 4.14.2.1


@define
def is_hero_or_character(g: Game, card: Card) -> bool:
    """Is the card a hero in a hero lane, or a character?"""
    return zone_of(card) in g.hero_lane or stands(g, card)  #: 4.14.1 #: 4.14.2


@define
def is_character_of(g: Game, card: Card, p: Player) -> bool:
    """Is the card one of the player's characters?"""
    return zone_player(zone_of(card)) == p and stands(g, card)  #: 4.14.2


@define
def episodes_on(g: Game, character: Card) -> Set[Card]:
    """The episodes that are set on the character."""
    return {e for e in zone_of(character) if g.card[e].set_on == character}  #: 4.14.3 #: 5.10.2


@define
def brides_counted(g: Game, card: Card, you: Player) -> int:
    """The number of brides that a text of the card speaks of: those of all players on a hero card."""
    if Printed(card).kind == Kind.HERO:
        return sum(len(g.brides[p]) for p in PLAYERS)  #: 4.10.3.1 #: 4.1.2.2
    return len(g.brides[you])  #: 4.10.3


@define
def removed_counted(g: Game, p: Player) -> int:
    """The number of cards in the removed zone that a text speaks of."""
    if reading("ability-removed-where") == "removed-zone":
        return len(g.removed[p]) + g.abilities_removed[p]  #: 5.4.1
    return len(g.removed[p])  #: 4.1.2.2


# ---------------------------------------------------------------- 2.3 to 2.5  values on cards
@define
def episode_bonus(g: Game, episode: Card) -> int:
    """What an episode adds to the power of its character."""
    return 2 if g.card[episode].as_episode else Printed(episode).bonus  #: 10.6.4.2.1 #: 2.4.1


@value
def power(g: Game, character: Card) -> int:
    """The bride power of a character: printed, plus its episodes, plus what lasts until the end of the turn."""
    base = Printed(character).power  #: 10.9.1.1
    base += sum(episode_bonus(g, e) for e in episodes_on(g, character))  #: 10.9.1.2
    return base + until_turn_end(g, character) + change_of(g, character)  #: 10.9.1.5


@value
def required_power(g: Game, hero: Card) -> int:
    """The bride power that an approach to the hero needs."""
    return Printed(hero).required_power + until_turn_end(g, hero) + change_of(g, hero)  #: 2.5.1 #: 10.9.1.5


@define
def until_turn_end(g: Game, card: Card) -> int:
    """What is added to a card's number until the end of the turn, with nothing before which or after which it could apply."""
    return 0 if g.layer == 3 or g.layer == 4 else g.card[card].until_turn_end  #: 10.9.1.5


@define
def change_of(g: Game, card: Card) -> int:
    """By how much permanent abilities and what is kept in `lasting` change the number of a card in a lane."""
    if zone_of(card) in g.hero_lane:
        return g.hero_change[zone_number(zone_of(card))]
    whose = zone_player(zone_of(card))
    if whose is None or not stands(g, card):
        return 0
    return g.change[whose][zone_number(zone_of(card))]


@define
def persons(g: Game, card: Card) -> Set[Person]:
    """The person names of a card, with what effects add and take away."""
    if is_hero_or_character(g, card):
        named = Printed(card).persons | {who for who in Person if card in g.called[who]}
        return named - {who for who in Person if card in g.called_no_more[who]}  #: 10.9.1.4
    everywhere = {who for a in Printed(card).abilities if Text(a).everywhere for who in Text(a).persons}
    return Printed(card).persons | everywhere  #: 2.1.2 #: 12.9.2


# ---------------------------------------------------------------- what holds throughout
@invariant
def one_hero_in_a_lane(g: Game) -> bool:
    """No hero lane holds two cards."""
    return all(len(g.hero_lane[n]) <= 1 for n in LANES)  #: 4.4.4


@invariant
def episodes_lie_with_their_characters(g: Game) -> bool:
    """A card that is set lies in the lane of its character."""
    return all(zone_of(c) == zone_of(on) for c in CARDS for on in as_set(g.card[c].set_on))  #: 5.10.1
