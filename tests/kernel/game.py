"""A small game that uses every module of the kernel."""
from rulewright.model.kernel.decks import *
from rulewright.model.kernel.endings import *
from rulewright.model.kernel.turns import *
from rulewright.model.kernel.waiting import *
from rulewright.model.kernel.windows import *
from rulewright.model.lang import *


class Printed(Definition):
    value: Annotated[int, Range(0, 9)] = 0


class Game(Turns):
    deck: Per[Player, Pile]
    hand: Per[Player, Bag]
    trash: Bag
    moves: Annotated[int, Range(0, 20)]
    due: Per[Player, Annotated[int, Range(0, 3)]]
    first_dealt: Option[Player]
    acted: Per[Player, Annotated[int, Range(0, 3)]]
    wins: Per[Player, bool]
    loses: Per[Player, bool]
    checks: Annotated[int, Range(0, 20)]
    deep: Annotated[int, Range(0, 2)]


@step
def move(g: Game, c: Card, to: Zone) -> None:
    put(c, to)
    g.moves += 1


# ---------------------------------------------------------------- decks
@entry("take")
@procedure
async def take_some(g: Game) -> None:
    for c in CARDS:
        put(c, g.deck[owner(c)])
    for p in PLAYERS:
        shuffle(g.deck[p])
    await take(g, g.deck[FIRST], 5, g.hand[FIRST], move=move)  #: 1.1
    finish(None)


@entry("return")
@procedure
async def return_some(g: Game) -> None:
    for c in CARDS:
        put(c, g.hand[owner(c)])
    back = await choose_excess(FIRST, g.hand[FIRST], 1)  #: 1.2
    await put_under(FIRST, back, g.deck[FIRST])  #: 1.3
    await put_under(SECOND, g.hand[SECOND], g.deck[SECOND])  #: 9.4.3
    top = await top_card(g.deck[FIRST])
    none = await top_card(g.deck[SECOND])
    if top is not None and none is not None:
        move(g, top, g.trash)
    finish(None)


@entry("rebuild")
@procedure
async def rebuild(g: Game) -> None:
    for c in CARDS:
        put(c, g.trash)
    shuffle_into(g, {c for c in g.trash if owner(c) == FIRST}, g.deck[FIRST], move)  #: 1.1
    top = await top_card(g.deck[FIRST])
    if top is not None:
        put(top, g.hand[FIRST])
    finish(None)


# ---------------------------------------------------------------- windows
@procedure
async def act(g: Game, p: Player) -> bool:
    """At most twice in the game."""
    if g.acted[p] == 2:
        return False
    acts = await may(p)
    if acts:
        g.acted[p] += 1
    return acts


@procedure
async def act_and_be_answered(g: Game, p: Player) -> bool:
    acts = await act(g, p)
    if acts and g.deep < 2:
        with restored(g.deep):
            g.deep += 1
            await alternate(g, other(p), act_and_be_answered, enough=2)  #: 1.2
    return acts


@entry("window")
@procedure
async def window(g: Game) -> None:
    await alternate(g, SECOND, act, 2)  #: 1.1
    finish(None)


@entry("nested")
@procedure
async def nested(g: Game) -> None:
    await alternate(g, FIRST, act_and_be_answered, 2)  #: 1.1
    finish(None)


@procedure
async def act_about(g: Game, p: Player, other_one: Player) -> bool:
    """What is answered is told on."""
    g.first_dealt = other_one
    acts = await act(g, p)
    return acts


@entry("answer")
@procedure
async def answers(g: Game) -> None:
    await answer(g, SECOND, first=FIRST, act=act_about, enough=2)  #: 1.1
    finish(g.first_dealt)


@entry("keep")
@procedure
async def keep(g: Game) -> None:
    await keep_acting(g, FIRST, act)  #: 1.1
    finish(None)


# ---------------------------------------------------------------- waiting
@define
def waits(g: Game, p: Player) -> bool:
    return g.due[p] > 0


@procedure
async def deal_with(g: Game, p: Player) -> None:
    """Dealing with the second player's may make something wait for the first."""
    g.due[p] -= 1
    if g.first_dealt is None:
        g.first_dealt = p
    if p == SECOND and g.due[SECOND] == 1:
        g.due[FIRST] += 1


@step
def count(g: Game) -> None:
    g.checks += 1


@entry("waiting")
@procedure
async def wait(g: Game) -> None:
    g.due[FIRST] = 1
    g.due[SECOND] = 2
    await one_by_one(g, SECOND, waits, deal_with, check=count)  #: 1.1
    finish(g.first_dealt)


# ---------------------------------------------------------------- turns and endings
@entry("turns")
@procedure
async def turns(g: Game) -> None:
    begin_turns(g, SECOND)
    while True:
        change_turn(g)  #: 1.1


@verdict("fate")
def won(g: Game, p: Player) -> Option[Fate]:
    return Fate.WINS if g.wins[p] else None


@verdict("fate")
def lost(g: Game, p: Player) -> Option[Fate]:
    return Fate.LOSES if g.loses[p] else None


@entry("ending")
@procedure
async def ending(g: Game) -> None:
    for p in (FIRST, SECOND):
        says = await choose_number(OPEN("1.1"), 0, 2)
        g.wins[p] = says == 1
        g.loses[p] = says == 2
    mine = judge("fate", g, FIRST, Fate)
    yours = judge("fate", g, SECOND, Fate)
    end_by_fate(mine, yours)  #: 10.1.1
