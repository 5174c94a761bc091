"""10.4, 10.6 and 10.8: how cards and abilities are played and resolved."""
from ...lang import *
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
    remember_when_played(g)
    become_new(g, card, src)  #: 4.1.4
    g.card[card].played_from = src  #: 10.6.5
    put(card, to)  #: 10.6.2.1 #: 10.6.2.3
    tell(g, {card})
    emit(Played(card, p))


@procedure
async def play_character(g: Game, p: Player, card: Card, n: Lane) -> None:
    """Play a character card: it is put into the lane that was named, if it still can be."""
    begin_playing(g, p, card, g.lane_resolution)  #: 10.6.2.3
    paid = await pay_to_play(g, p, card)
    forget_when_played(g)
    if paid and (character_in(g, p, n) is None or Printed(card).growth or reading("play-lane-changed") == "as-written"):
        await come(g, card, g.lane[p][n], None)  #: 10.6.2.6 #: 10.6.4.1
    if zone_of(card) not in g.lane and reading("action-count-failed") == "does-not":
        g.character_played = False  #: 8.2.2


@procedure
async def play_episode_card(g: Game, p: Player, card: Card, on: Obj) -> None:
    """Play an episode card, or a character card as an episode, on a character."""
    lane = zone_of(on)
    begin_playing(g, p, card, g.lane_resolution)  #: 10.6.2.3
    paid = await pay_to_play(g, p, card)
    forget_when_played(g)
    if paid:
        episode_arrives(g, p, card, on, lane)
    else:
        episode_does_not_arrive(g)


@step
def episode_does_not_arrive(g: Game) -> None:
    """By one reading an episode that is set on nobody is not counted."""
    if reading("action-count-failed") == "does-not":
        g.episodes_played -= 1  #: 8.3.2


@step
def episode_arrives(g: Game, p: Player, card: Card, on: Option[Obj], lane: Zone) -> None:
    """The card is set on the character that was named, if it is still there."""
    if on is not None and stands(g, on):
        set_episode(g, card, on, Printed(card).kind == Kind.CHARACTER)  #: 10.6.2.6 #: 10.6.4.2 #: 10.6.4.2.1
        return
    match reading("episode-host-gone"):
        case "into-lane":
            lay_into_lane(g, card, lane)  #: 10.6.4.2
        case "taken-back":
            become_new(g, card, g.lane_resolution)
            put(card, g.hand[p])  #: 8.1.3
            g.episodes_played -= 1  #: 8.3.2
        case _:
            episode_does_not_arrive(g)


@step
def lay_into_lane(g: Game, card: Card, lane: Zone) -> None:
    """An episode comes into a lane without a character to be set on."""
    become_new(g, card, counts_as_from(g, card, lane))
    put(card, lane, at=BOTTOM)  #: 5.10.1
    tell(g, {card})


@procedure
async def pay_to_play(g: Game, p: Player, card: Card) -> bool:
    """What the card costs is paid while it lies in the resolution zone. If it is not, the card is not resolved but put away, by whatever answer
    to `cost-fails-midway`: it does not go back into the hand."""
    for a in costs(card, kinds(g, card)):
        paid = await pay(g, a, card, p)  #: 10.6.2.5
        if not paid:
            return False  #: 11.5.1
    return True


@define
def costs(card: Card, as_what: Set[Kind]) -> Set[Ability]:
    """What has to be paid for playing the card as this."""
    return {
        a for a in Printed(card).abilities
        if Text(a).kind == AbilityKind.PLAY_COST and (not Text(a).half or Text(a).half & as_what)
    }  #: 2.10.4


@define
def can_pay_to_play(g: Game, card: Card, p: Player, as_what: Kind) -> bool:
    """Can the player pay what the card costs as this?"""
    return all(payable(g, a, card, p) for a in costs(card, {as_what}))  #: 10.4.2.2 #: 8.1.3


@procedure
async def play_half(g: Game, p: Player, card: Card, action: Kind, on: Option[Obj]) -> None:
    """Play a card as an event or as an episode. Which half of an event & episode is played is said first; `action` is
    what the player set out to play."""
    half = action
    if Printed(card).also_episode:
        half = await chosen_half(p, action)  #: 10.6.2.2
    if half == Kind.EVENT:
        await play_event(g, p, card)
    elif on is not None:
        await play_episode_card(g, p, card, on)
    else:
        await play_episode_somewhere(g, p, card)


@procedure
async def chosen_half(p: Player, action: Kind) -> Kind:
    """Does what the player set out to play settle it?"""
    if reading("event-episode-half") == "action-decides":
        return action  #: 10.6.2.2
    return await choose(p, {Kind.EVENT, Kind.EPISODE})  #: 10.6.2.2


@procedure
async def play_episode_somewhere(g: Game, p: Player, card: Card) -> None:
    """By one reading an episode may be played where an event was to be; then its character is still to be chosen."""
    if any(fits(g, card, c) for c in characters(g, p)):
        on = await choose(p, {c for c in characters(g, p) if fits(g, card, c)})  #: 10.6.2.4
        await play_episode_card(g, p, card, on)


@procedure
async def play_event(g: Game, p: Player, card: Card) -> None:
    """Play an event card, do what it says and put it away."""
    note_event_name(g, card, p)
    begin_playing(g, p, card, g.effect_resolution)  #: 10.6.2.3
    paid = await pay_to_play(g, p, card)
    for a in Printed(card).abilities:
        if Text(a).kind == AbilityKind.EVENT and paid:
            remember_source(g, a, card)
            await name_target(g, a, card, p)
            await carry_out(g, a, card, p, NO_CAUSE)  #: 10.6.2.6 #: 10.6.4.3
    g.under_way = None
    forget_when_played(g)
    await put_event_away(g, p, card)  #: 10.6.4.3


@procedure
async def put_event_away(g: Game, p: Player, card: Card) -> None:
    """A resolved event goes to the waiting room, unless it has gone elsewhere by its own effect."""
    if zone_of(card) == g.effect_resolution or reading("event-moved-itself") == "waiting-room":
        to = g.waiting_room[put_away_to(card, p)]
        if not await is_replaced(g, card, to, None):
            move(g, card, to)  #: 10.6.4.3


@define
def put_away_to(card: Card, p: Player) -> Player:
    """Whose waiting room an event goes to that `p` has played."""
    if owner(card) != p and reading("event-waiting-room-whose") == "owner":
        return owner(card)
    return p  #: 4.1.6


@procedure
async def play_activated(g: Game, p: Player, ability: Ability, this: Obj) -> None:
    """Play an activated ability: pay its cost, then do what it says even if the card is elsewhere by then."""
    begin_to_play(g, ability, this, this, p)
    await name_target(g, ability, this, p)
    await pay_and_resolve(g, ability, this, p)
    after_resolution(g, p)


@procedure
async def pay_and_resolve(g: Game, ability: Ability, this: Option[Obj], p: Player) -> None:
    """The cost, then the text; the text only if the cost was paid and its condition keywords are met."""
    if not await pay(g, ability, this, p):  #: 10.6.2.5
        return  #: 10.4.2
    if not conditions_met(g, ability, this, p):
        return  #: 12.2.3.2
    await carry_out(g, ability, this, p, NO_CAUSE)  #: 10.6.2.6.1 #: 10.6.2.6.2


@procedure
async def carry_out(g: Game, ability: Ability, this: Option[Obj], p: Player, cause: Cause) -> None:  #: caller
    """What the text says is done; by one reading only as far as there is a target to be chosen."""
    if reading("no-target-scope") != "whole":
        await run_text(g, ability, this, p, cause)
        return
    try:
        await run_text(g, ability, this, p, cause)
    except NothingToChoose:
        return  #: 10.6.3.1.3


# ---------------------------------------------------------------- 10.11, 10.12  the card whose ability it is
@step
def begin_to_play(g: Game, ability: Ability, this: Option[Obj], card: Card, p: Player) -> None:
    """That the ability was played counts where only one may be. From now on it is remembered, if the text asks for that, which its card
    is, and what that is when it leaves its lane."""
    if Text(ability).once_per_turn:
        if this is not None or reading("once-per-turn-reentry") == "same-ability":
            g.card[card].played |= {ability}  #: 12.4.2
        if this is None or not enabled(g, ability, this):
            g.card[card].played_before |= {ability}
    note_ability_name(g, ability, card, p)
    remember_when_played(g)
    remember_source(g, ability, card)


@step
def after_resolution(g: Game, p: Player) -> None:
    """A resolved ability is no more, and nobody asks for its card; or, by one reading, it lies in the removed zone like a card."""
    forget_when_played(g)
    g.under_way = None
    g.given_under_way = None
    g.last_power = 0
    g.target = None
    if reading("ability-removed-where") == "removed-zone":
        g.abilities_removed[p] += 1  #: 10.6.4.3 #: 5.4.1


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
    unpaid = (g.cost_replaced and reading("replaced-cost") == "unpaid") or g.cost_failed  #: 10.10.1.1 #: 10.4.2.2
    g.cost_replaced = False
    g.cost_failed = False
    return not unpaid


# ---------------------------------------------------------------- 10.4.2  costs of several actions
class Price(Record):  #: 10.4.2
    """What an action of a cost takes: cards in hand, other characters of the player's, episodes of the character whose ability it is,
    heroes that lie face up, the card itself."""

    hand: Annotated[int, Range(0, 20)] = 0
    others: Annotated[int, Range(0, 20)] = 0
    episodes: Annotated[int, Range(0, 20)] = 0
    heroes: Annotated[int, Range(0, 20)] = 0
    itself: bool = False


@define
def can_pay_both(g: Game, this: Option[Obj], you: Player, first: Price, second: Price) -> bool:
    """Is there enough for both actions of a cost, one after the other? What is set on a card, and the card itself, are gone with it."""
    return (
        len(g.hand[you]) >= first.hand + second.hand
        and len({
            c for c in characters(g, you) if c != this and not forbidden(move, g, c, g.waiting_room[owner(c)])
        }) >= first.others + second.others
        and len({h for h in heroes(g) if g.card[h].face == Face.UP}) >= first.heroes + second.heroes
        and not (first.itself and (second.itself or second.episodes > 0))
        and has_itself_to_give(g, this, first.itself or second.itself, first.episodes + second.episodes)
    )  #: 10.4.2.2


@define
def has_itself_to_give(g: Game, this: Option[Obj], itself: bool, episodes: int) -> bool:
    """Can the card be given up, if that is asked, and are so many episodes set on it?"""
    if this is None:
        return not itself and episodes == 0
    return (
        not (itself and forbidden(move, g, this, g.waiting_room[owner(this)]))
        and len(episodes_on(g, this)) >= episodes
    )  #: 1.3.3


@define
def can_begin_to_pay(first: bool, whole: bool) -> bool:
    """For `payable:` of a cost whose first action can make a later one impossible: can it be paid, if the `first` action is
    possible, and all of them one after the other are (`whole`)?"""
    return whole if reading("cost-fails-midway") == "foreseen" else first  #: 10.4.2.2 #: 8.1.3


@step
def cannot_go_on_paying(g: Game) -> None:
    """The next action of a cost is impossible: the cost has not been paid."""
    g.cost_failed = True  #: 10.4.2.2


@define
def is_taken_back(whole: bool) -> bool:
    """Is a cost that cannot be paid to its end as good as not begun, because all is taken back?"""
    return not whole and reading("cost-fails-midway") == "undone"  #: 10.4.2.2


# ---------------------------------------------------------------- 10.6.2.4  targets that are named on playing
@procedure
async def name_target(g: Game, ability: Ability, this: Card, p: Player) -> None:
    """By one reading targets are chosen as a part of playing, before anything is paid."""
    if Text(ability).names_target and reading("target-time") == "at-play" and possible_targets(g, ability, this, p):
        g.target = await choose(p, possible_targets(g, ability, this, p))  #: 10.6.2.4


@define
def possible_targets(g: Game, ability: Ability, this: Card, p: Player) -> Set[Card]:
    """The cards that can be the target of an ability with `names_target: yes`."""
    return {c for c in CARDS if applies_to(g, ability, this, p, c)}  #: 10.6.3


@procedure
async def its_target(g: Game, p: Player, among: Set[Card]) -> Option[Obj]:
    """For texts with `names_target: yes`: the target, chosen now or when the ability was played."""
    return await target(g, p, as_set(g.target) if reading("target-time") == "at-play" else among)  #: 10.6.2.4 #: 10.6.3


# ---------------------------------------------------------------- 10.6.3  choosing targets
@procedure
async def target(g: Game, p: Player, among: Set[Card]) -> Option[Obj]:
    """Choose one of the cards as a target; none if there is none."""
    if not among:
        if reading("no-target-scope") == "whole" and not g.paying:
            raise NothingToChoose  #: 10.6.3.1.3
        return None  #: 10.6.3.1.3
    chosen = await choose(p, among)
    return chosen  #: 10.6.3 #: 10.6.3.1


@procedure
async def targets(g: Game, p: Player, among: Set[Card], count: int) -> Set[Card]:
    """Choose so many of the cards, or all there are."""
    if not among and count > 0 and reading("no-target-scope") == "whole" and not g.paying:
        raise NothingToChoose  #: 10.6.3.1.3
    chosen = await choose_some(p, among, count, count)
    return chosen  #: 10.6.3.1 #: 10.6.3.1.2


@procedure
async def up_to_targets(g: Game, p: Player, among: Set[Card], count: int) -> Set[Card]:
    """Choose at most so many of the cards."""
    chosen = await choose_some(p, among, 0, count)
    return chosen  #: 10.6.3.1.1 #: 1.3.5 #: 1.3.5.1


@procedure
async def hidden_target(g: Game, p: Player, among: Set[Card]) -> Option[Obj]:
    """Choose one of the cards of a hidden zone that meet a condition; not to find one is allowed."""
    found = False
    if among:
        found = await may(p)
    if not found:
        return None  #: 10.6.3.1.4 #: 4.1.2.3
    chosen = await choose(p, among)
    return chosen  #: 10.6.3.1
