"""5-5, 9-1 and 9-5: resolving what has arisen, and the discarding of enhancements."""
from ...lang import *
from .crystals import *
from .policies import *
from .state import *


class ImproperEffect(Signal):  #: 10-5.2
    """What is being resolved has become improper: by one reading nothing more of it is done."""


# ---------------------------------------------------------------- 9-1, 9-8  effects that have arisen
@situation
@settled_by(turn_player)
async def an_effect_is_due(g: Game) -> None:
    """What has arisen is resolved at once, inside whatever is being resolved. In the middle of a reaction, too, it is none of
    the reaction's effects."""
    when(next_to_resolve(g))
    w = await choose(g.turn_player, {w for w in g.arisen if is_next(g, w)})  #: 9-1 #: 5-1-1 #: 5-5
    take_up(g, w)  #: 9-1
    if still_due(g, w):
        with restored(g.answered):
            g.answered = None
            try:
                await resolve(g, w.effect, w.card, w.arose_for, w.cause)  #: 9-8
            except ImproperEffect:
                pass  #: 10-5.2
    hold_others(g, -1, False, w)  #: 9-1
    look_again(g, w)  #: 5-5-4


@procedure
async def resolve(g: Game, effect: Option[Ability], card: Card, arose_for: Player, cause: Cause) -> None:
    """One effect is resolved."""
    you = master(g, card)
    if you != arose_for and reading("whose-when-gone") == "as-it-arose":
        you = arose_for  #: 10-12
    if effect is None:
        await discard_enhancement(g, card)  #: 5-5-2
    else:
        await run_text(g, effect, card, you, cause)  #: 5-5-4 #: 5-5-5 #: 5-5-6


@procedure
async def carry_out(g: Game, card: Card, kind: EffectKind, p: Player) -> None:
    """All effects of one kind that the card has, from top to bottom, even if the card changes meanwhile."""
    for a in Printed(card).abilities:
        if Text(a).kind == kind and (kind != EffectKind.ON_DISCARD or discarding_goes_on(g, card)):
            try:
                await run_text(g, a, card, p, NO_CAUSE)  #: 6-2-1-7
            except ImproperEffect:
                pass  #: 10-5.2


# ---------------------------------------------------------------- 9-5  discarding an enhancement
@procedure
async def discard_enhancement(g: Game, card: Card) -> None:
    """What it does when discarded; then it goes, unless crystals lie on it again, or it has left meanwhile (`move_card`)."""
    p = master(g, card)
    before = g.card[card].being_discarded
    g.card[card].being_discarded = True  #: 9-5
    await carry_out(g, card, EffectKind.ON_DISCARD, p)  #: 9-5.i
    if g.card[card].being_discarded and g.card[card].crystals == 0:
        put_away(g, card)  #: 9-5.ii
    elif g.card[card].being_discarded:
        g.card[card].being_discarded = before  #: 9-5


@define
def discarding_goes_on(g: Game, card: Card) -> bool:
    """Are further effects on discarding resolved, though the card may have left?"""
    return g.card[card].being_discarded or reading("discarded-and-gone") == "resolved"  #: 9-5 #: 6-2-1-7


# ---------------------------------------------------------------- moving cards
@step
def put_away(g: Game, card: Card) -> None:
    """A card that is done with: a normal card to its holder's discards, a trump used to its holder's trumps."""
    if is_trump(card):
        move_card(g, card, g.trumps[owner(card)])  #: 9-2-1.v #: 9-2-2.iv #: 9-5.ii
        g.card[card].use = Use.USED  #: 6-2-2-3
    else:
        move_card(g, card, g.discards[owner(card)])  #: 9-2-1.v #: 9-2-2.iv #: 9-5.ii


@step
def move_card(g: Game, card: Card, to: Zone) -> None:
    """The card goes to the zone, and its crystals with it. Where they cannot be, they go to dust."""
    src, whose = place_of(g, zone_of(card)), master(g, card)
    is_left = src != Place.ENHANCEMENTS and place_of(g, to) == Place.NOWHERE and g.card[card].crystals > 0
    if is_left and reading("unbound-crystals") == "not-said":
        gap("7-1-14")
    put(card, to)
    if src == Place.ENHANCEMENTS:
        end_discarding(g, card)  #: 9-5
    if place_of(g, to) == Place.NOWHERE:
        move_crystals(g, g.card[card].crystals, Spot(src, whose, card), dust())  #: 7-1-9 #: 6-3
    elif g.card[card].crystals > 0:
        note_moved(g, g.card[card].crystals, Spot(src, whose, card), on(g, card))  #: 6-3


@step
def end_discarding(g: Game, card: Card) -> None:
    """The card has left. If it comes back, it is an enhancement anew."""
    g.card[card].being_discarded = False  #: 9-5
    g.card[card].ran_empty = False  #: 5-5-2
    with simultaneously():
        for w in g.arisen:
            if w.effect is None and w.card == card:
                g.arisen.remove(w)  #: 9-5


@step
def cover(g: Game, card: Card) -> None:
    """The card goes face down to its holder's covered cards."""
    move_card(g, card, g.covered[owner(card)])  #: 7-1-8


@step
def make_unused(g: Game, card: Card) -> None:
    """The trump goes back, unused."""
    move_card(g, card, g.trumps[owner(card)])  #: 10-17
    g.card[card].use = Use.UNUSED  #: 10-17


@step
def revive(g: Game, card: Card) -> None:
    """The trump is unused from now on. It does not move; where it is not among the trumps, it cannot be unused."""
    if zone_of(card) in g.trumps:
        g.card[card].use = Use.UNUSED  #: 10-7 #: 10-8


@step
def remove_from_duel(g: Game, card: Card) -> None:
    """The card goes face up outside the game."""
    move_card(g, card, g.outside)  #: 10-18
