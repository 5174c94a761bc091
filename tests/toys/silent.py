"""Places where the rules, or this encoding of them, fail; the first player chooses whether to go there. Where a place
is `mended`, nothing is wrong with it."""
from rulewright.model.lang import *


class Result(Enum):
    WIN = 1
    LOSS = 2


class Case(Record):
    """Somebody, with a number."""

    who: Player
    number: Annotated[int, Range(0, 9)]


class Game(State):
    mended: bool
    life: Per[Player, Annotated[int, Range(0, 9)]] = each(1)
    deck: Per[Player, Annotated[int, Range(0, 9)]] = each(1)


@verdict("result")
def lost_by_life(g: Game, p: Player) -> Option[Result]:
    return Result.LOSS if g.life[p] == 0 else None  #: 1.1


@verdict("result")
def won_by_deck(g: Game, p: Player) -> Option[Result]:
    return Result.WIN if g.deck[other(p)] == 0 else None  #: 1.2


@entry("verdicts")
@procedure
async def verdicts(g: Game) -> None:
    """The first player loses all life at the very moment at which the second player's deck is empty."""
    goes = await may(FIRST)
    if goes:
        g.life[FIRST] = 0
        if not g.mended:
            g.deck[SECOND] = 0
        said = judge("result", g, FIRST, Result)
        match said:
            case Result.WIN:
                finish(FIRST)
            case Result.LOSS:
                finish(SECOND)
            case None:
                pass


@entry("asked of one")
@procedure
async def asked_of_one(g: Game) -> None:
    """As above, but it is asked about whoever goes, and all life and decks are gone."""
    p = FIRST if g.mended else SECOND
    goes = await may(p)
    if goes:
        for q in PLAYERS:
            g.life[q] = 0
            g.deck[q] = 0
        said = judge("fate", g, p, Result)
        if said is None:
            finish(p)


@verdict("fate")
def loses_without_life(g: Game, p: Player) -> Option[Result]:
    return Result.LOSS if g.life[p] == 0 else None  #: 1.4


@verdict("fate")
def wins_by_deck(g: Game, p: Player) -> Option[Result]:
    return Result.WIN if g.deck[other(p)] == 0 else None  #: 1.5


@verdict("winner")
def second_wins(g: Game, p: Player) -> Option[Player]:
    return SECOND if g.life[FIRST] == 0 else None  #: 1.3


@verdict("winner")
def first_wins(g: Game, p: Player) -> Option[Player]:
    return FIRST if g.life[SECOND] == 0 else None  #: 1.3


@entry("both by one clause")
@procedure
async def both_by_one_clause(g: Game) -> None:
    """Both players lose all life, and the same clause has each of them lose."""
    goes = await may(FIRST)
    if goes:
        g.life[FIRST] = 0
        if not g.mended:
            g.life[SECOND] = 0
        winner = judge("winner", g, FIRST, Player)
        finish(winner)


@verdict("stays")
def leaves(g: Game, case: Case) -> Option[bool]:
    return False if case.number == g.life[case.who] else None  #: 4.1


@verdict("stays")
def remains(g: Game, case: Case) -> Option[bool]:
    return None if g.mended else stays(g, case)


@define
def stays(g: Game, case: Case) -> Option[bool]:
    return True if case.number > 0 else None  #: 4.2


@entry("bundle")
@procedure
async def bundle(g: Game) -> None:
    """What verdicts are asked about is more than one value."""
    goes = await may(FIRST)
    if goes:
        said = judge("stays", g, Case(FIRST, g.life[FIRST]), bool)


@entry("no option")
@procedure
async def no_option(g: Game) -> None:
    """A player must choose a player without life, and there is none."""
    goes = await may(FIRST)
    if goes:
        if g.mended:
            g.life[SECOND] = 0
        victim = await choose(FIRST, {p for p in PLAYERS if g.life[p] == 0})  #: 2.1
        g.deck[victim] = 0


@entry("nothing to draw")
@procedure
async def nothing_to_draw(g: Game) -> None:
    """Luck is to name a player without life, and there is none."""
    goes = await may(FIRST)
    if goes and not g.mended:
        victim = await chance({p for p in PLAYERS if g.life[p] == 0})  #: 2.5
        g.deck[victim] = 0


@entry("there and back")
@procedure
async def there_and_back(g: Game) -> None:
    """Somebody without a life gets one from the other, in turn, until nobody is without: all within one round."""
    goes = await may(FIRST)
    if goes:
        g.life[SECOND] = 1 if g.mended else 0
        while any(g.life[p] == 0 for p in PLAYERS):
            for p in (SECOND, FIRST):
                if g.life[p] == 0 and g.life[other(p)] > 0:
                    g.life[other(p)] -= 1  #: 3.6
                    g.life[p] += 1  #: 3.6


@entry("below")
@procedure
async def below(g: Game) -> None:
    """More is paid than there is."""
    goes = await may(FIRST)
    if goes:
        g.life[FIRST] -= 1 if g.mended else 2  #: 3.5


@entry("said gap")
@procedure
async def said_gap(g: Game) -> None:
    goes = await may(FIRST)
    if goes and not g.mended:
        gap("2.2")


@entry("said conflict")
@procedure
async def said_conflict(g: Game) -> None:
    goes = await may(FIRST)
    if goes and not g.mended:
        conflict("2.3 2.4")


@entry("missing")
@procedure
async def missing(g: Game) -> None:
    goes = await may(FIRST)
    if goes and not g.mended:
        not_modelled("3.1")


@entry("faulty")
@procedure
async def faulty(g: Game) -> None:
    """Something is divided by what may be nothing."""
    goes = await may(FIRST)
    if goes:
        if not g.mended:
            g.deck[SECOND] = 0
        g.life[FIRST] = 6 // g.deck[SECOND]  #: 3.2


@entry("clash")
@procedure
async def clash(g: Game) -> None:
    """Two effects at once want different things of one place."""
    goes = await may(FIRST)
    if goes:
        with simultaneously():
            g.life[FIRST] = 3  #: 3.3
            if not g.mended:
                g.life[FIRST] = 4  #: 3.4
