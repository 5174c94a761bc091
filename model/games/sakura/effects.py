"""5-5, 9-1 and 9-5: resolving what has arisen, and the discarding of enhancements."""
from ...lang import *
from .crystals import *
from .policies import *
from .state import *


# ---------------------------------------------------------------- 9-1, 9-8  effects that have arisen
@situation
@settled_by(turn_player)
async def an_effect_is_due(g: Game) -> None:
    """What has arisen is resolved at once, inside whatever is being resolved. In the middle of a reaction, too, it is none of
    the reaction's effects."""
    when(next_to_resolve(g))
    w = await choose(g.turn_player, {w for w in g.arisen if not must_wait(w.held_under)})  #: 9-1 #: 5-1-1 #: 5-5
    take_up(g, w)  #: 9-1
    if still_due(g, w):
        with restored(g.answered):
            g.answered = None
            await resolve(g, w.effect, w.card, w.cause)  #: 9-8
    let_the_others_go_on(g)  #: 9-1
    look_again(g, w)  #: 5-5-4


@procedure
async def resolve(g: Game, effect: Option[Ability], card: Card, cause: Cause) -> None:
    """One effect is resolved."""
    if effect is None:
        await discard_enhancement(g, card)  #: 5-5-2
    else:
        await run_text(g, effect, card, master(g, card), cause)  #: 5-5-4 #: 5-5-5 #: 5-5-6


@procedure
async def carry_out(g: Game, card: Card, kind: EffectKind, p: Player) -> None:
    """All effects of one kind that the card has, from top to bottom, even if the card changes meanwhile."""
    for a in Printed(card).abilities:
        if Text(a).kind == kind:
            await run_text(g, a, card, p, NO_CAUSE)  #: 6-2-1-7


# ---------------------------------------------------------------- 9-5  discarding an enhancement
@procedure
async def discard_enhancement(g: Game, card: Card) -> None:
    """What it does when discarded, all of it; then it goes, unless crystals lie on it again or it has left meanwhile."""
    if zone_of(card) not in g.enhancements:
        return  #: 9-5
    p = master(g, card)
    with restored(g.card[card].being_discarded):
        g.card[card].being_discarded = True  #: 9-5
        with abandon_when(lambda: zone_of(card) not in g.enhancements):  #: 9-5
            await carry_out(g, card, EffectKind.ON_DISCARD, p)  #: 9-5.i
            if g.card[card].crystals == 0:
                put_away(g, card)  #: 9-5.ii


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
    here = on(g, card)
    put(card, to)
    if place_of(g, card) == Place.NOWHERE:
        move_crystals(g, g.card[card].crystals, here, dust())  #: 7-1-9 #: 6-3
    elif g.card[card].crystals > 0:
        note_moved(g, g.card[card].crystals, here, on(g, card))  #: 6-3


@step
def cover(g: Game, card: Card) -> None:
    """The card goes face down to its holder's covered cards."""
    move_card(g, card, g.covered[owner(card)])  #: 7-1-8


@step
def make_unused(g: Game, card: Card) -> None:
    """The trump goes back, unused."""
    move_card(g, card, g.trumps[owner(card)])  #: 10-17
    g.card[card].use = Use.UNUSED  #: 10-17 #: 10-7 #: 10-8


@step
def remove_from_duel(g: Game, card: Card) -> None:
    """The card goes face up outside the game."""
    move_card(g, card, g.outside)  #: 10-18
