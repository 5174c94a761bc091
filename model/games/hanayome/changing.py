"""10.9.1.3 to .5: to which cards a continuous effect applies, and what it changes. In which order they do: `continuous.py`."""
from ...lang import *
from .abilities import *
from .arising import *
from .state import *


# ---------------------------------------------------------------- to which cards, and by how much
@define
def affected(g: Game, ability: Ability, this: Card) -> Set[Card]:
    """The cards to which a permanent ability of a card applies at the moment: of those that have, where they lie, what it changes."""
    you = stands_in(g, this)
    if not enabled(g, ability, this) or not condition(g, ability, this, you):
        return set()  #: 10.1.1.3 #: 10.3.3
    return {c for c in changed_where_they_lie(g, Text(ability).effect) if applies_to(g, ability, this, you, c)}


@define
def changed_where_they_lie(g: Game, effect: Option[Effect]) -> Set[Card]:
    """The cards that have, where they lie, what such an effect changes."""
    if effect == Effect.GIVES_ABILITIES:
        return CARDS
    if layer_of(effect) == 3:
        return cards_in_lanes(g)
    return {c for n in LANES for c in g.hero_lane[n]} | {c for p in PLAYERS for c in characters(g, p)}


@define
def amount(g: Game, ability: Ability, this: Card, card: Card) -> int:
    """The number by which it applies to a card, or of what it gives."""
    if sets_or_adds(Text(ability).effect):
        return how_much(g, ability, this, stands_in(g, this), card)
    return Text(ability).gives


# ---------------------------------------------------------------- cards are changed
@step
def change_by(g: Game, ability: Ability, this: Card) -> None:
    """The cards are changed to which a permanent ability applies."""
    with simultaneously():
        for c in affected(g, ability, this):
            change_card(g, c, Text(ability).effect, amount(g, ability, this, c), Text(ability).persons, this)


@step
def apply_lasting(g: Game, time: int) -> None:
    """The cards are changed by what lasts since then."""
    for x in g.lasting:
        if x.since == time and layer_of(x.effect) == g.layer and x.about is not None and in_a_lane(g, x.about):
            change_card(g, x.about, x.effect, x.number, x.persons, x.source)


@step
def change_card(
    g: Game, card: Card, effect: Option[Effect], number: int, persons: Set[Person], source: Option[Card]
) -> None:
    """One card is changed, as far as its number is kept with the lane in which it lies."""
    whose, n = zone_player(zone_of(card)), zone_number(zone_of(card))
    match effect:
        case Effect.LOSES_ABILITIES | Effect.DISABLES_ABILITIES:
            if effect == Effect.LOSES_ABILITIES:
                g.abilityless |= {card}  #: 10.9.1.3
            else:
                g.disabled |= {card}  #: 10.9.1.3 #: 10.3.2
            for a in given_abilities():
                g.given[a] -= {card}  #: 10.9.1.3
        case Effect.GIVES_ABILITIES:
            for a in given_abilities():
                if source is not None and a in Printed(source).abilities and Text(a).number == number:
                    g.given[a] |= {card}  #: 10.9.1.3
        case Effect.ADDS_PERSONS:
            for who in persons:
                g.called[who] |= {card}  #: 10.9.1.4
                g.called_no_more[who] -= {card}  #: 10.9.1.4
        case Effect.LOSES_PERSONS:
            for who in persons:
                g.called_no_more[who] |= {card}  #: 10.9.1.4
                g.called[who] -= {card}  #: 10.9.1.4
        case _ if whose is not None:
            g.change[whose][n] += number_after(effect, number, number_of(g, card)) - number_of(g, card)  #: 10.9.1.5
        case _:
            g.hero_change[n] += number_after(effect, number, number_of(g, card)) - number_of(g, card)  #: 10.9.1.5
