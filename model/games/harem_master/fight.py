"""306.5: fights."""
from ...lang import *
from .moving import *
from .policies import *
from .state import *
from .triggers import *
from .using import *


class Intercept(Record):  #: 306.5c
    """Intercept with a character."""

    card: Card


class Attacked(Event):  #: 306.5b
    """A character has attacked."""

    card: Option[Obj]


class Won(Event):  #: 306.5j
    """A character has won a fight."""

    card: Option[Obj]


class Lost(Event):  #: 306.5j
    """A character has lost a fight."""

    card: Option[Obj]


class FightEnded(Event):  #: 306.5n
    """A fight has ended."""


# ---------------------------------------------------------------- 306.5  the whole of it
@procedure(scope=Scope.PHASE)
async def fight(g: Game, attacker: Card) -> None:
    """A fight, from the attack to the end of its effects."""
    g.card[attacker].acted = True  #: 306.5b
    g.fight = Fight(attacker=attacker)  #: 306.5a
    await fight_it_out(g)
    if reading("attacked-when") == "after-fight":
        emit(Attacked(g.fight.attacker))  #: 403.1b
    await resolve_triggers(g)  #: 403.1b
    emit(FightEnded())  #: 306.5n
    await resolve_triggers(g)  #: 306.5n
    fight_is_over(g)  #: 306.5o


@procedure
async def fight_it_out(g: Game) -> None:
    """What is broken off when a fighter leaves play or changes sides."""
    with abandon_when(lambda: is_broken_off(g)):
        if reading("attacked-when") == "before-interception":
            emit(Attacked(g.fight.attacker))  #: 403.1b
            await resolve_triggers(g)  #: 403.1b
        await intercept(g)  #: 306.5c
        if g.fight.kind != FightKind.CASTLE or reading("fight-window") == "anything":
            await answer(
                g,
                Timing.FIGHT,
                first=asked_first(g),
                act=take_part,  #: 306.5h
                enough=2,
            )  #: 306.5h #: 406.2
        if g.fight.kind == FightKind.CASTLE:
            await attack_castle(g)  #: 306.5m
        else:
            await compare(g)  #: 306.5i
            tell_result(g)  #: 306.5j
            await resolve_triggers(g)  #: 306.5j
            take_loser(g)  #: 306.5k #: 306.5l


@situation
def sides_are_changed(g: Game) -> None:
    """A fighter that comes under the other's control is out of the fight, though it may come back."""
    if not result_stands(g):
        if g.fight.attacker is not None and g.fight.attacker not in g.field[g.turn_player]:
            g.fight.attacker = None  #: 306.5
        if g.fight.interceptor is not None and g.fight.interceptor not in g.field[other(g.turn_player)]:
            g.fight.interceptor = None  #: 306.5


@step
def fight_is_over(g: Game) -> None:
    """Nothing of the fight lasts."""
    g.fight = Fight()
    for c in characters(g):
        g.card[c].this_fight = Change()  #: 306.5o


# ---------------------------------------------------------------- 306.5c to g  interception
@procedure
async def intercept(g: Game) -> None:
    """The other player may intercept; that decides what the fight is about."""
    act = await choose(
        other(g.turn_player), {Pass()} | {Intercept(c) for c in ready(g, other(g.turn_player))}
    )  #: 306.5c #: 306.5d
    match act:
        case Pass():
            g.fight.kind = FightKind.CASTLE  #: 306.5g
        case Intercept(card):
            g.card[card].acted = True  #: 306.5d
            g.fight.interceptor = card  #: 306.5d
            g.fight.kind = FightKind.APPROACH if is_girl(card) else FightKind.COMBAT  #: 306.5e #: 306.5f


# ---------------------------------------------------------------- 306.5h  what cards may change
@step
def change_fight(g: Game) -> None:
    """An approach becomes a combat, or a combat an approach; an attack on the castle stays one."""
    if g.fight.kind == FightKind.APPROACH:
        g.fight.kind = FightKind.COMBAT  #: 306.5h
    elif g.fight.kind == FightKind.COMBAT:
        g.fight.kind = FightKind.APPROACH  #: 306.5h


# ---------------------------------------------------------------- 306.5i to l  combat and approach
@procedure
async def compare(g: Game) -> None:
    """Each player turns up a card; its random number is added, and the smaller power loses."""
    mine = await chance(on_top(g.castle[g.turn_player]))  #: 306.5i
    yours = await chance(on_top(g.castle[other(g.turn_player)]))  #: 306.5i
    attack = fighting_value(g, g.fight.attacker) + Printed(mine).random  #: 306.5i
    defence = fighting_value(g, g.fight.interceptor) + Printed(yours).random  #: 306.5i
    done_with_revealed(g, mine, yours)
    if attack > defence:
        g.fight.loser = g.fight.interceptor  #: 306.5i
    elif attack < defence:
        g.fight.loser = g.fight.attacker  #: 306.5i


@define
def fighting_value(g: Game, fighter: Option[Obj]) -> int:
    """The value that counts in this kind of fight."""
    if fighter is None:
        return 0
    return physical(g, fighter) if g.fight.kind == FightKind.COMBAT else mental(g, fighter)  #: 306.5e #: 306.5f


@step
def done_with_revealed(g: Game, mine: Card, yours: Card) -> None:
    """Where the cards go that were turned up is not said."""
    with simultaneously():
        done_with(g, mine)  #: 306.5i
        done_with(g, yours)  #: 306.5i


@step
def done_with(g: Game, card: Card) -> None:
    """A card that was turned up goes away, under the castle, or stays where everybody has seen it."""
    if reading("revealed-card") == "to-discard":
        taken_by_owner(g, card, g.discard[owner(card)])  #: 306.5i
    elif reading("revealed-card") == "to-bottom":
        put(card, g.castle[owner(card)], at=BOTTOM)  #: 306.5i
    else:
        put(card, g.castle[owner(card)])  #: 306.5i


@step
def tell_result(g: Game) -> None:
    """Triggers hear who has won and who has lost."""
    if g.fight.loser is not None:
        emit(Lost(g.fight.loser))  #: 306.5j
        emit(Won(g.fight.interceptor if g.fight.loser == g.fight.attacker else g.fight.attacker))  #: 306.5j


@step
def take_loser(g: Game) -> None:
    """The beaten character goes to the winner's harem or scaffold."""
    loser = g.fight.loser
    if loser is not None:
        winner = other(g.turn_player) if loser == g.fight.attacker else g.turn_player
        leave_play(g, loser, g.harem[winner] if is_girl(loser) else g.scaffold[winner])  #: 306.5k #: 306.5l


# ---------------------------------------------------------------- 306.5m  the castle
@procedure
async def attack_castle(g: Game) -> None:
    """As many cards as the physical value says go from the castle to the discard pile."""
    attacker = g.fight.attacker
    if attacker is not None:
        attacked = other(g.turn_player)
        await take(g, g.castle[attacked], physical(g, attacker), g.discard[attacked], taken_by_opponent)  #: 306.5m
