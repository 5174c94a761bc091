"""102 and 103: how the game is won, lost or drawn."""
from ...lang import *
from .state import *

BONUS = 5


class Asked(Enum):
    """What the verdicts are about."""

    GAME = 1


class Result(Enum):
    """What a clause says of the game."""

    FIRST_WINS = 1
    SECOND_WINS = 2
    DRAWN = 3


@define
def won_by(p: Player) -> Result:
    """The player wins."""
    return Result.FIRST_WINS if p == FIRST else Result.SECOND_WINS


# ---------------------------------------------------------------- 102.1, 102.2  five cards
@define
def with_five_girls(g: Game) -> Set[Player]:
    """Who has five cards or more in the own harem."""
    return {p for p in PLAYERS if len(g.harem[p]) >= HAREM_TO_WIN}  #: 102.1


@define
def with_five_males(g: Game) -> Set[Player]:
    """Who has five cards or more on the own scaffold."""
    return {p for p in PLAYERS if len(g.scaffold[p]) >= SCAFFOLD_TO_WIN}  #: 102.2


@verdict("result")
def five_in_the_harem(g: Game, of: Asked) -> Option[Result]:
    """Five cards in the harem win at once."""
    p = the(with_five_girls(g))
    return None if p is None else won_by(p)  #: 102.1


@verdict("result")
def five_on_the_scaffold(g: Game, of: Asked) -> Option[Result]:
    """Five cards on the scaffold win at once."""
    p = the(with_five_males(g))
    return None if p is None else won_by(p)  #: 102.2


# ---------------------------------------------------------------- 102.3, 103.2  a castle falls
@define
def fallen(g: Game) -> Set[Player]:
    """Whose castle has no card left."""
    return {p for p in PLAYERS if not g.castle[p]}


@define
def scores_count(g: Game) -> bool:
    """Do scores decide? Only a reading lets a fifth card come first."""
    if (with_five_girls(g) | with_five_males(g)) and reading("fifth-card-and-fall") == "fifth-card":
        return False  #: 102.1 #: 102.2
    return len(fallen(g)) > 0  #: 102.3 #: 103.2


@define
def cards_that_score(g: Game, p: Player) -> int:
    """Characters controlled, harem and scaffold."""
    return len(g.field[p]) + len(g.harem[p]) + len(g.scaffold[p])  #: 102.3 #: 103.2


@define
def felled_the_other(g: Game, p: Player) -> bool:
    """Did the player fell the opponent's castle?"""
    if other(p) not in fallen(g):
        return False
    return p not in fallen(g) if reading("felled-by") == "still-standing" else g.felled_by[other(p)] == p  #: 102.3


@step
def count_scores(g: Game) -> None:
    """Both clauses count the same cards; they differ in who gets the bonus."""
    for p in PLAYERS:
        g.score[p] = cards_that_score(g, p) + (BONUS if felled_the_other(g, p) else 0)  #: 102.3
        g.score_as_in_103[p] = cards_that_score(g, p) + (BONUS if p not in fallen(g) else 0)  #: 103.2


@define
def by_score(first: int, second: int) -> Result:
    """The higher score wins."""
    return (
        Result.DRAWN if first == second else Result.FIRST_WINS if first > second else Result.SECOND_WINS
    )  #: 102.3 #: 103.2


@verdict("result")
def bonus_for_felling(g: Game, of: Asked) -> Option[Result]:
    """Whoever felled the other's castle has the bonus."""
    if not scores_count(g) or reading("golden-rules") == "prevail":
        return None
    return by_score(g.score[FIRST], g.score[SECOND])  #: 102.3


@verdict("result")
def bonus_for_standing(g: Game, of: Asked) -> Option[Result]:
    """Whoever's castle stands has the bonus."""
    if not scores_count(g):
        return None
    return by_score(g.score_as_in_103[FIRST], g.score_as_in_103[SECOND])  #: 103.2


# ---------------------------------------------------------------- the end
@situation
async def game_ends(g: Game) -> None:
    """The game ends at the moment when it is decided."""
    when(len(with_five_girls(g)) > 0 or len(with_five_males(g)) > 0 or len(fallen(g)) > 0)
    if fallen(g):
        count_scores(g)  #: 102.3 #: 103.2
    if len(with_five_girls(g)) == 2:
        gap("102.1")
    if len(with_five_males(g)) == 2:
        gap("102.2")
    result = judge("result", g, Asked.GAME, Result)
    match result:
        case Result.FIRST_WINS:
            finish(FIRST)
        case Result.SECOND_WINS:
            finish(SECOND)
        case Result.DRAWN:
            finish(None)
        case None:
            gap("102")
