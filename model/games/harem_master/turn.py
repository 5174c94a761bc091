"""Chapter 3: the turn."""
from ...lang import *
from .fight import *
from .moving import *
from .policies import *
from .state import *
from .triggers import *
from .using import *


class UseCharacter(Record):  #: 306.1
    """Use a character card from hand."""

    card: Card


class Attack(Record):  #: 306.5a
    """Attack with a character."""

    card: Card


Action = Pass | UseCharacter | UseEvent | UseAbility | Attack


class TurnBegan(Event):  #: 304
    """A turn has begun."""


class TurnEnded(Event):  #: 308
    """A turn is ending."""


# ---------------------------------------------------------------- 300  turns
@entry("turn")
@procedure
async def turns(g: Game) -> None:
    """Turn after turn."""
    while True:
        await turn(g)  #: 300.1


@procedure(scope=Scope.TURN)
async def turn(g: Game) -> None:
    """One turn."""
    make_ready(g)  #: 301
    stack_to_hand(g)  #: 302
    me = g.turn_player
    await take(g, g.castle[me], girls(g, me) + extra(g), g.stack[me], taken_by_owner)  #: 303 #: 215.4b
    emit(TurnBegan())  #: 304
    await resolve_triggers(g)  #: 304
    await rest_of_turn(g)


@procedure
async def rest_of_turn(g: Game) -> None:
    """The turn from the actions on."""
    await actions(g)
    await end_of_turn(g)
    next_turn(g)


# ---------------------------------------------------------------- 301 to 303  the beginning
@step
def make_ready(g: Game) -> None:
    """All characters of both players become ready."""
    for c in characters(g):
        g.card[c].acted = False  #: 301


@step
def stack_to_hand(g: Game) -> None:
    """What was not spent in the last turn goes to the hand."""
    for c in g.stack[g.turn_player]:
        put(c, g.hand[g.turn_player])  #: 302 #: 215.4b


@define
def extra(g: Game) -> int:
    """How many cards the action stack gets, apart from one for each girl."""
    if g.turn_number == 1:
        return 0  #: 101.7
    return 1 if g.turn_number == 2 else 2  #: 101.8 #: 303


# ---------------------------------------------------------------- 305 to 307  actions
@procedure(scope=Scope.PHASE)
async def actions(g: Game) -> None:
    """Before each action of the active player, and when no more are wanted, the other may use events and abilities."""
    while True:
        await other_may_use(g)  #: 305
        act = await choose(g.turn_player, possible_actions(g, g.turn_player))  #: 306
        match act:
            case Pass():
                answered = await use_one(g, other(g.turn_player), Timing.ACTIONS)  #: 307
                if not answered:
                    return  #: 307.2
            case UseCharacter(card):
                g.character_used = True  #: 306.1a
                await use_character(g, g.turn_player, card)  #: 306.1
                await resolve_triggers(g)  #: 403.1b
            case UseEvent(card):
                await use_event(g, g.turn_player, card)  #: 306.2
            case UseAbility(ability, card):
                await use_ability(g, g.turn_player, ability, card)  #: 306.4
            case Attack(card):
                await fight(g, card)  #: 306.5


@procedure(scope=Scope.STEP)
async def other_may_use(g: Game) -> None:
    """The non-active player uses events and abilities, as many as that player likes, and says when done."""
    while True:
        used = await use_one(g, asked_first(g), Timing.ACTIONS)  #: 305
        if not used:
            return  #: 305


@define
def possible_actions(g: Game, me: Player) -> Set[Action]:
    """What the active player may do, declaring the end included."""
    return (
        {Pass()}
        | {UseCharacter(c) for c in g.hand[me] if may_use_character(g, me, c)}
        | {UseEvent(c) for c in g.hand[me] if may_use_event(g, me, c, Timing.ACTIONS)}
        | {UseAbility(a, c) for c in g.field[me] for a in Printed(c).abilities if may_use(g, me, a, c, Timing.ACTIONS)}
        | {Attack(c) for c in ready(g, me)}
    )  #: 306 #: 306.5b


@define
def may_use_character(g: Game, me: Player, card: Card) -> bool:
    """Is it a character that can be paid for, and has none been used this turn?"""
    return (
        Printed(card).kind == Kind.CHARACTER and not g.character_used and can_pay(g, me, Printed(card).cost)
    )  #: 306.1 #: 306.1a


# ---------------------------------------------------------------- 308 to 310  the end
@procedure(scope=Scope.PHASE)
async def end_of_turn(g: Game) -> None:
    """Abilities of the end of the turn, then the hand limit, then the end of what lasted for the turn."""
    there = characters(g)
    emit(TurnEnded())  #: 308 #: 308.1
    for w in g.carried_over:
        g.waiting.add(w)  #: 308.1
    g.carried_over.clear()
    await resolve_triggers(g)  #: 308
    carry_over(g, characters(g) - there)
    away = await choose_excess(g.turn_player, g.hand[g.turn_player], HAND_LIMIT)  #: 309 #: 215.3b
    discard_hand(g, away)  #: 309
    effects_end(g)  #: 310


@step
def carry_over(g: Game, late: Set[Card]) -> None:
    """Abilities of the end of the turn on characters that have come into play while such abilities were resolved have triggered too late
    for this turn; by one reading they wait for the turn that they speak of."""
    with restored(g.latecomers):
        g.latecomers = late
        if late:
            emit(TurnEnded())  #: 308.1
    if g.carried_over and reading("late-turn-end") == "own-next-turn":
        g.carried_over.clear()


@step
def discard_hand(g: Game, cards: Set[Card]) -> None:
    """The cards go to the discard pile."""
    for c in cards:
        put(c, g.discard[owner(c)])  #: 309 #: 215.5a


@step
def effects_end(g: Game) -> None:
    """What lasted until the end of the turn."""
    for c in characters(g):
        g.card[c].this_turn = Change()  #: 310


@step
def next_turn(g: Game) -> None:
    """The other player's turn comes."""
    change_turn(g)  #: 300.1
    g.character_used = False  #: 306.1a
