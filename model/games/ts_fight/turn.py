"""Chapter 2, section 3, and chapter 3: the turn and its phases."""
from ...lang import *
from .abilities import *
from .basics import *
from .main_phase import *
from .policies import *
from .state import *


# ---------------------------------------------------------------- chapter 2, 3  turns
@entry("turn")
@procedure
async def turns(g: Game) -> None:
    """Turn after turn, until the game ends."""
    while True:
        await turn(g)  #: 第2章2(7) #: 第2章2(8)


@entry("one-turn")
@procedure(scope=Scope.TURN)
async def turn(g: Game) -> None:
    """One turn."""
    await initial_phase(g)  #: 第2章3(1)
    recovery_phase(g)  #: 第2章3(2)
    await draw_phase(g)  #: 第2章3(3)
    await main_phase(g)  #: 第2章3(4)
    await end_phase(g)  #: 第2章3(5)


# ---------------------------------------------------------------- 1  initial phase
@procedure(scope=Scope.PHASE)
async def initial_phase(g: Game) -> None:
    """What works at the start of a turn is resolved. In which order, and by whom, the section does not say."""
    note_due(g, Moment.TURN_START)  #: 第3章1
    while g.due:
        await resolve_one(g, g.turn_player if reading("phase-effects-order") == "acting-side" else OPEN("第3章1"))  #: 第3章1


@step
def note_due(g: Game, moment: Moment) -> None:
    """All abilities that name this moment, of both players' characters, are to be resolved once for each card by which
    their character has them."""
    for c in CARDS:
        for a in Printed(c).abilities:
            for k in CARDS:
                if Text(a).at == moment and (k == c or g.card[c].on == k) and (
                    has_ability(g, k, a) and gives(g, c, k, a)
                ):
                    g.due.add(Due(a, k))  #: 第3章1 #: 第3章5


@procedure
async def resolve_one(g: Game, by: Decider) -> None:
    """One of them is resolved, if its character still has it."""
    d = await choose(by, {d for d in g.due if Text(d.ability).at is not None})  #: 第11章2
    g.due.remove(d)
    whose = side(g, d.character)
    if whose is not None and is_character(g, d.character) and has_ability(g, d.character, d.ability):
        await run_text(g, d.ability, d.character, whose, NO_CAUSE)  #: 第2章3(1) #: 第2章3(5)


# ---------------------------------------------------------------- 2  recovery phase
@step
def recovery_phase(g: Game) -> None:
    """The tired characters of the acting side become fresh."""
    for c in CARDS:
        if required(refresh, g, c):
            refresh(g, c)  #: 第3章2


# ---------------------------------------------------------------- 3  draw phase
class Discard(Record):
    """Throw a card away."""

    card: Card


@procedure(scope=Scope.PHASE)
async def draw_phase(g: Game) -> None:
    """Unwanted cards are discarded; that number plus one is drawn. Left out in turn 1."""
    if g.turn_number == 1:
        return  #: 第3章3
    count = 1  #: 第3章3
    more = True
    while more:
        act = await choose(g.turn_player, {Discard(c) for c in g.hand[g.turn_player]} | {Pass()})  #: 第3章3
        match act:
            case Discard(card):
                discard(g, card)  #: 第3章3
                count += 1
            case Pass():
                more = False
    await draw(g, g.turn_player, count)  #: 第3章3


# ---------------------------------------------------------------- 5  end phase
@procedure(scope=Scope.PHASE)
async def end_phase(g: Game) -> None:
    """What works at the end of a turn is resolved; then the sides change."""
    note_due(g, Moment.TURN_END)  #: 第3章5
    while g.due:
        await resolve_one(g, g.turn_player if reading("phase-effects-order") == "acting-side" else OPEN("第3章5"))  #: 第3章5
    await next_turn(g)  #: 第2章3(5)
    g.brought_in = False  #: 第3章4.1
    g.attacked = False  #: 第3章4.2
