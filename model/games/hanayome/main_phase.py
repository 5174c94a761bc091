"""7.3 and chapter 8: the main phase and its actions."""
from ...lang import *
from .abilities import *
from .keywords import *
from .playing import *
from .state import *
from .timing import *


class MainPhaseBegan(Event):  #: 7.3.1
    """A main phase has begun."""


class Pass(Inaction):
    """Do nothing."""


class PlayCharacter(Record):  #: 8.2
    """Play a character card from hand into one of one's lanes."""

    card: Card
    lane: Lane


class PlayEpisode(Record):  #: 8.3
    """Play a card from hand as an episode on one of one's characters."""

    card: Card
    on: Card


class PlayEvent(Record):  #: 8.4
    """Play an event card from hand."""

    card: Card


class UseAbility(Record):  #: 8.5
    """Play an activated ability."""

    ability: Ability
    card: Card


MainAction = Pass | PlayCharacter | PlayEpisode | PlayEvent | UseAbility


# ---------------------------------------------------------------- 7.3  the phase
@procedure(scope=Scope.PHASE)
async def main_phase(g: Game) -> None:
    """The turn player takes actions until doing nothing, with a check timing before each choice."""
    emit(MainPhaseBegan())  #: 7.3.1
    await check_timing(g)  #: 7.3.1
    while True:
        await check_timing(g)  #: 10.5.4.1 #: 8.1.2
        act = await choose(g.turn_player, main_actions(g, g.turn_player))  #: 7.3.2 #: 8.1.1 #: 10.5.4.2
        match act:
            case Pass():
                await reach(g, Moment.MAIN_PHASE_ENDS)
                return  #: 7.3.3 #: 10.5.4.3
            case PlayCharacter(card, n):
                g.character_played = True  #: 8.2.2
                await play_character(g, g.turn_player, card, n)  #: 8.2.1
            case PlayEpisode(card, on):
                g.episodes_played += 1  #: 8.3.2
                await play_half(g, g.turn_player, card, Kind.EPISODE, on)  #: 8.3.1
            case PlayEvent(card):
                await play_half(g, g.turn_player, card, Kind.EVENT, None)  #: 8.4.1
            case UseAbility(ability, card):
                await play_activated(g, g.turn_player, ability, card)  #: 8.5.1


@define
def main_actions(g: Game, me: Player) -> Set[MainAction]:
    """What the turn player may do, doing nothing included."""
    return (
        {Pass()}
        | {PlayCharacter(c, n) for c in g.hand[me] for n in lanes_for(g, c, me) if may_play_character(g, c)}
        | {PlayEpisode(c, on) for c in g.hand[me] for on in characters(g, me) if may_play_episode(g, c, on)}
        | {PlayEvent(c) for c in g.hand[me] if has_icon(c, Icon.MAIN) and may_play_event(g, c, me)}
        | {UseAbility(a, c) for c in CARDS for a in possible_abilities(c) if may_use(g, me, a, c)}
    )  #: 8.1.1 #: 8.1.3


# ---------------------------------------------------------------- 8.2 to 8.5  the actions
@define
def may_play_character(g: Game, card: Card) -> bool:
    """Is it a character card, and has none been played as such this turn?"""
    return (
        Printed(card).kind == Kind.CHARACTER
        and not g.character_played
        and can_pay_to_play(g, card, g.turn_player, Kind.CHARACTER)
    )  #: 8.2.1 #: 8.2.2 #: 8.1.3


@define
def may_play_episode(g: Game, card: Card, on: Card) -> bool:
    """Is it an episode or character card, and have fewer than two been played as episodes this turn? An episode may be
    for certain persons only; a character card treated as one is for anybody."""
    if not may_be_episode(card) and Printed(card).kind != Kind.CHARACTER:
        return False  #: 8.3.1
    if not fits(g, card, on) or not can_pay_to_play(g, card, g.turn_player, Kind.EPISODE):
        return False  #: 12.8.2 #: 8.1.3
    return g.episodes_played < 2  #: 8.3.2


@define
def has_icon(card: Card, icon: Icon) -> bool:
    """Is it an event card whose text has the icon?"""
    return Printed(card).kind == Kind.EVENT and icon in Printed(card).icons  #: 8.4.1 #: 12.3.2 #: 12.3.3


@define
def may_play_event(g: Game, card: Card, me: Player) -> bool:
    """Is everybody there whom the event requires, and has none of its name been played if only one may be?"""
    return (
        requirement_met(g, card, me)
        and can_pay_to_play(g, card, me, Kind.EVENT)
        and not event_played_by_name(g, card, me)
    )  #: 12.7.2 #: 8.1.3


@define
def may_use(g: Game, me: Player, ability: Ability, card: Card) -> bool:
    """May the player play this activated ability of the card, its cost included?"""
    return (
        Text(ability).kind == AbilityKind.ACTIVATED
        and is_mine_to_use(g, me, card)
        and enabled(g, ability, card)
        and not played_this_turn(g, ability, card)
        and conditions_met(g, ability, card, me)
        and not ability_played_by_name(g, ability, card, me)
        and payable(g, ability, card, me)
    )  #: 8.5.1 #: 8.1.3 #: 10.4.2.2 #: 12.4.2 #: 12.2.3.2


@define
def is_mine_to_use(g: Game, me: Player, card: Card) -> bool:
    """Is the player master of the card? Of a hero card nobody is."""
    whose = master(g, card)
    if whose is None:
        return reading("hero-activated-ability") == "turn-player" and me == g.turn_player
    return whose == me  #: 8.5.1
