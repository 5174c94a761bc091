"""5-8 and 10-10: damage, and impatience."""
from ...lang import *
from .crystals import *
from .modifiers import *


class DamageSource(Enum):
    """Where a damage comes from."""

    ATTACK = 1  #: 10-19
    EFFECT = 2
    REBUILDING = 3  #: 9-7.i


class Damaged(Event):  #: 5-5-1
    """A player has taken damage to aura, flare or life."""

    who: Player
    to: Place
    amount: Annotated[int, Range(0, 36)]
    source: DamageSource




# ---------------------------------------------------------------- 5-8-3-1  a single damage
@step
def harm(g: Game, p: Player, to: Place, amount: int, source: DamageSource) -> None:
    """Crystals for damage to aura and flare go to dust, those for damage to life to the same player's flare."""
    match to:
        case Place.LIFE:
            move_crystals(g, amount, life(p), flare(p))  #: 5-8-3-1
        case Place.FLARE:
            move_crystals(g, amount, flare(p), dust())  #: 5-8-3-1
        case _:
            move_crystals(g, amount, aura(p), dust())  #: 5-8-3-1
    emit(Damaged(p, to, amount, source))


# ---------------------------------------------------------------- 5-8-3-2  a double damage
@define
def sides(g: Game, p: Player, to_aura: Option[int], to_life: Option[int]) -> Set[Side]:
    """Which damage the player may choose to take."""
    if to_aura is None:
        return {Side.LIFE}  #: 5-8-3-2
    if to_life is None:
        return {Side.AURA}  #: 5-8-3-2
    return {Side.AURA, Side.LIFE} if g.aura[p] >= to_aura else {Side.LIFE}  #: 5-8-3-2


@procedure
async def take_damage(g: Game, p: Player, to_aura: Option[int], to_life: Option[int], source: DamageSource) -> None:
    """The player takes the damage to aura or the one to life."""
    if to_aura is None and to_life is None:
        return  #: 5-8-3-2
    side = await choose(p, sides(g, p, to_aura, to_life))  #: 5-8-3-2
    match side:
        case Side.AURA:
            if to_aura is not None:
                harm(g, p, Place.AURA, to_aura, source)  #: 5-8-3-2
        case Side.LIFE:
            if to_life is not None:
                harm(g, p, Place.LIFE, to_life, source)  #: 5-8-3-2


@step
def harm_both(g: Game, p: Player, to_aura: Option[int], to_life: Option[int], source: DamageSource) -> None:
    """The player takes both at the same time."""
    with simultaneously():
        if to_aura is not None:
            harm(g, p, Place.AURA, to_aura, source)  #: 10-26
        if to_life is not None:
            harm(g, p, Place.LIFE, to_life, source)  #: 10-26


# ---------------------------------------------------------------- 10-10  impatience
@procedure
async def impatience(g: Game, p: Player) -> None:
    """One damage to aura or one to life."""
    await take_damage(g, p, 1, 1, DamageSource.EFFECT)  #: 10-10
