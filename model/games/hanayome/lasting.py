"""10.9.2: effects that last until the end of the turn.

Verbs for texts: `change_power`, `set_power`, `double_power`, `lose_abilities`, `disable_abilities`, `give_abilities`,
`add_person`, `lose_persons`.

Each counts from when its ability was played (10.9.1.7.2), after what the same ability has done before it.
"""
from ...lang import *
from .arising import *
from .continuous import *
from .state import *


# ---------------------------------------------------------------- 10.9.2  effects until the end of the turn
@step
def lay_on(g: Game, card: Card, effect: Effect, number: int, source: Option[Obj], who: Set[Person]) -> None:
    """From now until the end of the turn this is done to the card, as long as it is the same card, and by one reading if it was when its
    ability was played."""
    if card in g.come_since_play and reading("moved-while-played") == "from-the-play":
        return  #: 10.9.2
    if reading("effects-of-one-play") == "undecided":
        find_undecided_order_in_play(g, Lasting(effect, card, number, source, who))
    if effect == Effect.ADDS_POWER and not comes_after_something(g, card):
        g.card[card].until_turn_end += number  #: 10.2.1.2
        return
    time = next_time(g)
    g.lasting.add(Lasting(effect, card, number, source, who, since=time))  #: 10.9.2 #: 10.9.1.7.2


@step
def find_undecided_order_in_play(g: Game, new: Lasting) -> None:
    """By one reading no clause ranks what one play lays on a card: where that shows, and nothing that arose later decides it."""
    card = new.about
    for x in g.of_one_play:
        if card is not None and x.about == card and layer_of(x.effect) == layer_of(new.effect):
            names = x.persons & new.persons
            shows = comes_out_otherwise(x.effect, x.number, new.effect, new.number, names, number_of(g, card))
            ranked = does_more_after(x.effect, x.persons, new.effect, new.persons)
            ranked = ranked or does_more_after(new.effect, new.persons, x.effect, x.persons)
            if shows and not ranked and not is_decided_later(g, card, layer_of(x.effect), names):
                gap("10.9.1.7.2")
    g.of_one_play.add(new)


@define
def is_decided_later(g: Game, card: Card, layer: int, names: Set[Person]) -> bool:
    """Does something that arose after what is played is done decide the number, the abilities or these person names of the card?"""
    played = g.played_since
    return played is not None and any(
        card in affected(g, a, s) and decides(layer, Text(a).effect, Text(a).persons, names)
        for s in changers(g)
        if g.card[s].since > played
        for a in possible_abilities(s)
    )  #: 10.9.1.7


@action
def change_power(g: Game, card: Card, by: int) -> None:
    """Until the end of the turn the card has so much more (or less) power, or required power if it is a hero."""
    lay_on(g, card, Effect.ADDS_POWER, by, None, set())  #: 10.2.1.2 #: 10.8.1


@define
def comes_after_something(g: Game, card: Card) -> bool:
    """Is there something older that can change the card's number? What is added before all else is one sum."""
    return any(x.about == card and layer_of(x.effect) == 5 for x in g.lasting) or any(
        layer_of(Text(a).effect) == 5 for c in changers(g) for a in possible_abilities(c)
    )  #: 10.9.1.7


@action
def set_power(g: Game, card: Card, to: int) -> None:
    """Until the end of the turn the card's power (of a hero, its required power) is this number."""
    lay_on(g, card, Effect.SETS_POWER, to, None, set())  #: 10.8.1


@action
def double_power(g: Game, card: Card) -> None:
    """Until the end of the turn the card's power (of a hero, its required power) is doubled."""
    lay_on(g, card, Effect.DOUBLES_POWER, 0, None, set())  #: 10.8.1


@action
def lose_abilities(g: Game, card: Card) -> None:
    """Until the end of the turn the card has lost its abilities."""
    lay_on(g, card, Effect.LOSES_ABILITIES, 0, None, set())  #: 10.8.1


@action
def disable_abilities(g: Game, card: Card) -> None:
    """Until the end of the turn the card's abilities are there, and have no effect."""
    lay_on(g, card, Effect.DISABLES_ABILITIES, 0, None, set())  #: 10.8.1


@action
def give_abilities(g: Game, card: Card, source: Card) -> None:
    """Until the end of the turn the card has the abilities that stand inside the source's text (`given: yes`)."""
    lay_on(g, card, Effect.GIVES_ABILITIES, 0, source, set())  #: 10.8.1


@action
def add_person(g: Game, card: Card, who: Person) -> None:
    """Until the end of the turn the card has this person name as well."""
    lay_on(g, card, Effect.ADDS_PERSONS, 0, None, {who})  #: 10.8.1


@action
def lose_persons(g: Game, card: Card) -> None:
    """Until the end of the turn the card has no person name."""
    lay_on(g, card, Effect.LOSES_PERSONS, 0, None, persons(g, card))  #: 10.8.1


@step
def effects_expire(g: Game) -> None:
    """What lasts until the end of the turn is over."""
    for c in CARDS:
        g.card[c].until_turn_end = 0  #: 7.5.2
    g.of_one_play.clear()
    if g.lasting:
        g.lasting.clear()  #: 7.5.2
        close_ranks(g)
        apply_continuous(g)
