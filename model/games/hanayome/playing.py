"""10.4, 10.6 and 10.8: how cards and abilities are played and resolved."""
from ...lang import *
from .abilities import *
from .continuous import *
from .keywords import *
from .moving import *
from .specific_actions import *
from .state import *


class Played(Event):  #: 10.6.2.1
    """A player has begun to play a card from the hand."""

    card: Option[Obj]
    by: Player


# ---------------------------------------------------------------- 10.6.2  playing
@step
def begin_playing(g: Game, p: Player, card: Card, to: Zone) -> None:
    """The card is shown and goes into the resolution zone."""
    src = zone_of(card)
    become_new(g, card, src)  #: 4.1.4
    g.card[card].played_from = src  #: 10.6.5
    put(card, to)  #: 10.6.2.1 #: 10.6.2.3
    tell(g, {card})
    emit(Played(card, p))


@step
def play_character(g: Game, p: Player, card: Card, n: Lane) -> None:
    """Play a character card into a lane."""
    begin_playing(g, p, card, g.lane_resolution)  #: 10.6.2.3
    enter(g, card, g.lane[p][n])  #: 10.6.2.6 #: 10.6.4.1


@step
def play_episode(g: Game, p: Player, card: Card, on: Card) -> None:
    """Play an episode card, or a character card as an episode, on a character."""
    begin_playing(g, p, card, g.lane_resolution)  #: 10.6.2.3
    set_episode(g, card, on, Printed.of(card).kind == Kind.CHARACTER)  #: 10.6.2.6 #: 10.6.4.2 #: 10.6.4.2.1


@procedure
async def play_half(g: Game, p: Player, card: Card, action: Kind, on: Option[Obj]) -> None:
    """Play a card as an event or as an episode. Which half of an event & episode is played is said first; `action` is
    what the player set out to play."""
    half = action
    if Printed.of(card).also_episode:
        half = await chosen_half(p, action)  #: 10.6.2.2
    if half == Kind.EVENT:
        await play_event(g, p, card)
    elif on is not None:
        play_episode(g, p, card, on)
    else:
        await play_episode_somewhere(g, p, card)


@procedure
async def chosen_half(p: Player, action: Kind) -> Kind:
    """Does what the player set out to play settle it?"""
    if reading("event-episode-half") == "action-decides":
        return action  #: 10.6.2.2
    half = await choose(p, {Kind.EVENT, Kind.EPISODE})  #: 10.6.2.2
    return half


@procedure
async def play_episode_somewhere(g: Game, p: Player, card: Card) -> None:
    """By one reading an episode may be played where an event was to be; then its character is still to be chosen."""
    if any(fits(g, card, c) for c in characters(g, p)):
        on = await choose(p, {c for c in characters(g, p) if fits(g, card, c)})  #: 10.6.2.4
        play_episode(g, p, card, on)


@procedure
async def play_event(g: Game, p: Player, card: Card) -> None:
    """Play an event card, do what it says and put it away."""
    note_event_name(g, card, p)
    begin_playing(g, p, card, g.effect_resolution)  #: 10.6.2.3
    for a in Printed.of(card).abilities:
        if AbilityText.of(a).kind == AbilityKind.EVENT:
            await run_text(g, a, card, p, NO_CAUSE)  #: 10.6.2.6 #: 10.6.4.3
    put_event_away(g, p, card)  #: 10.6.4.3


@step
def put_event_away(g: Game, p: Player, card: Card) -> None:
    """A resolved event goes to the waiting room, unless it has gone elsewhere by its own effect."""
    if zone_of(card) == g.effect_resolution or reading("event-moved-itself") == "waiting-room":
        move(g, card, g.waiting_room[put_away_to(card, p)])  #: 10.6.4.3


@define
def put_away_to(card: Card, p: Player) -> Player:
    """Whose waiting room an event goes to that `p` has played."""
    if owner(card) != p and reading("event-waiting-room-whose") == "owner":
        return owner(card)
    return p  #: 4.1.6


@procedure
async def play_activated(g: Game, p: Player, ability: Ability, card: Card) -> None:
    """Play an activated ability: pay its cost, then do what it says even if the card is elsewhere by then."""
    this: Option[Obj] = card
    if AbilityText.of(ability).once_per_turn:
        mark_played(g, ability, card)  #: 12.4.2
    note_ability_name(g, ability, card, p)
    under_way(g, ability, card)
    await pay_and_resolve(g, ability, this, p)
    nothing_under_way(g)


@procedure
async def pay_and_resolve(g: Game, ability: Ability, this: Option[Obj], p: Player) -> None:
    """The cost, then the text; the text only if the cost was paid and its condition keywords are met."""
    paid = await pay(g, ability, this, p)  #: 10.6.2.5
    if not paid:
        return  #: 10.4.2
    if not conditions_met(g, ability, p):
        return  #: 12.2.3.2
    await run_text(g, ability, this, p, NO_CAUSE)  #: 10.6.2.6.1 #: 10.6.2.6.2


# ---------------------------------------------------------------- 10.11, 10.12  the card whose ability it is
@step
def under_way(g: Game, ability: Ability, card: Card) -> None:
    """From now on it is remembered what the card of the ability is when it leaves its lane, if the text asks for that."""
    if AbilityText.of(ability).asks_last:
        g.under_way = card  #: 10.12.2


@step
def nothing_under_way(g: Game) -> None:
    """The ability has been resolved: nobody asks any more."""
    g.under_way = None
    g.last_power = 0


@define
def source_power(g: Game, this: Option[Obj]) -> int:
    """For texts with `asks_last: yes`: the power of the card that has the ability, or what it last was in its lane."""
    return g.last_power if this is None else power(g, this)  #: 10.11.1


@procedure
async def pay(g: Game, ability: Ability, this: Option[Obj], p: Player) -> bool:
    """What the cost says is done, in its order. By one reading it is not paid if something else happened instead."""
    g.paying = True
    g.cost_replaced = False
    await run_cost(g, ability, this, p)  #: 10.4.2 #: 10.4.2.1
    g.paying = False
    unpaid = g.cost_replaced and reading("replaced-cost") == "unpaid"  #: 10.10.1.1
    g.cost_replaced = False
    return not unpaid


# ---------------------------------------------------------------- 10.6.3  choosing targets
@procedure
async def target(g: Game, p: Player, among: Set[Card]) -> Option[Obj]:
    """Choose one of the cards as a target; none if there is none."""
    if len(among) == 0:
        return None  #: 10.6.3.1.3
    chosen = await choose(p, among)
    return chosen  #: 10.6.3 #: 10.6.3.1


@procedure
async def targets(g: Game, p: Player, among: Set[Card], count: int) -> Set[Card]:
    """Choose so many of the cards, or all there are."""
    chosen = await choose_some(p, among, count, count)
    return chosen  #: 10.6.3.1 #: 10.6.3.1.2


@procedure
async def up_to_targets(g: Game, p: Player, among: Set[Card], count: int) -> Set[Card]:
    """Choose at most so many of the cards."""
    chosen = await choose_some(p, among, 0, count)
    return chosen  #: 10.6.3.1.1 #: 1.3.5.1


@procedure
async def hidden_target(g: Game, p: Player, among: Set[Card]) -> Option[Obj]:
    """Choose one of the cards of a hidden zone that meet a condition; not to find one is allowed."""
    found = False
    if len(among) > 0:
        found = await may(p)
    if not found:
        return None  #: 10.6.3.1.4 #: 4.1.2.3
    chosen = await choose(p, among)
    return chosen  #: 10.6.3.1
