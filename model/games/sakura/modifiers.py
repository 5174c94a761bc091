"""5-6, 5-7, 10-3, 10-4 and 10-35: what changes the numbers and the range of an attack, in the order of the book."""
from ...lang import *
from .state import *


class Side(Enum):  #: 5-8-2
    """The two numbers of a damage."""

    AURA = 1
    LIFE = 2


TIMES = Range(1, 9)
"""How often a modifier can apply, and how far it can reach."""


# ---------------------------------------------------------------- which modifiers apply
class Subject(Record):
    """What modifiers are about: an attack, or one that a card would make (there is no attack yet)."""

    by: Player
    card: Option[Card]
    attack: Option[Ref[Attack]]


@define
def subject(g: Game, a: Ref[Attack]) -> Subject:
    """The attack as it is. `card` only if it was made by using a card."""
    return Subject(g.attacks[a].by, g.attacks[a].card if g.attacks[a].of_card else None, a)


@define
def stands(g: Game, of: Subject, modifier: Ability, card: Card) -> bool:
    """Is it a standing effect that concerns this attack, and is its condition met? An attack has the text of the card that
    made it, wherever that card is now."""
    if Text(modifier).whose == Whose.THIS_ATTACK:
        own = card == of.card and Text(modifier).kind == EffectKind.CONSTANT  #: 6-4-1-7 #: 9-2-1.i
        return own and condition(g, modifier, card, of.by)  #: 10-12
    yours = master(g, card) == of.by
    concerns = yours == (Text(modifier).whose == Whose.YOURS)
    return concerns and in_force(g, modifier, card) and condition(g, modifier, card, master(g, card))


@define
def times(g: Game, of: Subject, modifier: Ability, card: Card) -> int:
    """How often a card's modifier applies to the attack: because it stands, and each time that it was given to it."""
    given = sum(1 for x in g.given if x.to == of.attack and x.modifier == modifier and x.card == card)
    return given + (1 if stands(g, of, modifier, card) else 0)


# ---------------------------------------------------------------- 5-6  numbers
@define
def changes(modifier: Ability, how: NumberClass, side: Side) -> bool:
    """Is it a modifier of this class, and does it speak of this number?"""
    if Text(modifier).number != how:
        return False  #: 5-6
    if how == NumberClass.SWAP:
        return True
    return (Text(modifier).aura if side == Side.AURA else Text(modifier).life) is not None


@define
def amount(modifier: Ability, side: Side) -> int:
    """The modifier's number for this side."""
    said = Text(modifier).aura if side == Side.AURA else Text(modifier).life
    return 0 if said is None else said


@define
def how_many(g: Game, of: Subject, how: NumberClass, side: Side, whose: Set[Player]) -> int:
    """How many modifiers of this class apply to this number that come from cards whose holders these players are."""
    return sum(
        times(g, of, m, c)
        for c in CARDS
        for m in Printed(c).abilities
        if changes(m, how, side) and owner(c) in whose
    )


@define
def least_assigned(g: Game, of: Subject, side: Side, whose: Player) -> int:
    """The smallest value that the cards assign to this number whose holder the player is."""
    out = 99
    for c in CARDS:
        for m in Printed(c).abilities:
            if changes(m, NumberClass.ASSIGN, side) and owner(c) == whose and times(g, of, m, c) > 0:
                out = min(out, amount(m, side))
    return out


@define
def assigned(g: Game, of: Subject, side: Side, said: int) -> int:
    """The number after assignments: of several only the turn player's count, and of several of those the smallest."""
    mine = how_many(g, of, NumberClass.ASSIGN, side, {g.turn_player})
    theirs = how_many(g, of, NumberClass.ASSIGN, side, {other(g.turn_player)})
    if mine > 0:
        return least_assigned(g, of, side, g.turn_player)  #: 5-6.i
    if theirs == 1 or (theirs > 1 and reading("opponents-assignments") == "smallest"):
        return least_assigned(g, of, side, other(g.turn_player))  #: 5-6.i
    return said


@define
def product(g: Game, of: Subject, how: NumberClass, side: Side) -> int:
    """What all modifiers of this class multiply up to."""
    out = 1
    for c in CARDS:
        for m in Printed(c).abilities:
            if changes(m, how, side):
                for k in TIMES:
                    out *= amount(m, side) if k <= times(g, of, m, c) else 1
    return out


@define
def added(g: Game, of: Subject, side: Side) -> int:
    """What all modifiers add and subtract."""
    return sum(
        amount(m, side) * times(g, of, m, c)
        for c in CARDS
        for m in Printed(c).abilities
        if changes(m, NumberClass.ADD, side)
    )


@define
def after_assignments(g: Game, a: Ref[Attack], side: Side) -> Option[int]:
    """One of the two damages of an attack, assignments applied. A dash is no number, and stays a dash."""
    said = g.attacks[a].to_aura if side == Side.AURA else g.attacks[a].to_life
    return None if said is None else assigned(g, subject(g, a), side, said)  #: 5-6.i


@define
def swaps(g: Game, a: Ref[Attack]) -> int:
    """How many effects swap the two damages of an attack."""
    if (g.attacks[a].to_aura is None or g.attacks[a].to_life is None) and reading("swapped-dash") == "stays":
        return 0
    return how_many(g, subject(g, a), NumberClass.SWAP, Side.AURA, PLAYERS)  #: 5-6.ii


@define
def before_division(g: Game, a: Ref[Attack], side: Side) -> Option[int]:
    """One of the two damages of an attack, swapped and multiplied."""
    of = subject(g, a)
    base = side
    if swaps(g, a) > 0:
        base = Side.LIFE if side == Side.AURA else Side.AURA  #: 5-6.ii
    n = after_assignments(g, a, base)
    return None if n is None else n * product(g, of, NumberClass.MULTIPLY, side)  #: 5-6.iii


@value
def damage(g: Game, a: Ref[Attack], side: Side) -> Option[Damage]:
    """One of the two damages of an attack, all modifiers applied."""
    of = subject(g, a)
    n = before_division(g, a, side)
    if n is None:
        return None
    up = product(g, of, NumberClass.DIVIDE_UP, side)
    n = (n + up - 1) // up  #: 5-6.iv
    n //= product(g, of, NumberClass.DIVIDE_DOWN, side)  #: 5-6.iv
    n += added(g, of, side)  #: 5-6.v #: 10-3 #: 10-35-3
    if side == Side.AURA and not surpasses(g, a):
        n = min(n, 5)  #: 5-6.vi #: 6-4-1-4
    return max(n, 0)  #: 5-6.vi #: 6-4-1-4 #: 6-4-1-5


@define
def surpasses(g: Game, a: Ref[Attack]) -> bool:
    """Is there no limit to its damage to aura?"""
    return g.attacks[a].of_card and has_keyword(g.attacks[a].card, Keyword.SURPASSING)  #: 10-21


# ---------------------------------------------------------------- 5-7  ranges
@define
def total(g: Game, of: Subject, how: RangeClass) -> int:
    """By how much all modifiers of this class change the range together."""
    return sum(
        Text(m).by * times(g, of, m, c)
        for c in CARDS
        for m in Printed(c).abilities
        if Text(m).reach == how
    )


@define
def named(g: Game, of: Subject, how: RangeClass) -> Set[Distance]:
    """All distances that modifiers of this class name."""
    return {
        d
        for c in CARDS
        for m in Printed(c).abilities
        for d in Text(m).distances
        if Text(m).reach == how and times(g, of, m, c) > 0
    }


@define
def ranges(g: Game, of: Subject, how: RangeClass, by: int) -> int:
    """How many modifiers of this class and size apply."""
    return sum(
        times(g, of, m, c)
        for c in CARDS
        for m in Printed(c).abilities
        if Text(m).reach == how and Text(m).by == by
    )


@define
def nearest(r: Set[Distance]) -> int:
    """The least element."""
    return min((d for d in r), default=0)


@define
def farthest(r: Set[Distance]) -> int:
    """The greatest element."""
    return max((d for d in r), default=0)


@define
def extended(r: Set[Distance], near: int, far: int) -> Set[Distance]:
    """So much nearer and farther, and all in between. An empty range stays empty."""
    if not r:
        return r  #: 10-4-1 #: 10-4-2
    nearer = {d for d in DISTANCES if nearest(r) - near <= d and d <= nearest(r)}  #: 10-4-1
    farther = {d for d in DISTANCES if farthest(r) <= d and d <= farthest(r) + far}  #: 10-4-2
    return r | nearer | farther  #: 5-7.v


@define
def reduced_near(r: Set[Distance], x: int) -> Set[Distance]:
    """Without the nearest element and the following, so many in all."""
    return r - {d for d in DISTANCES if nearest(r) <= d and d < nearest(r) + x}  #: 10-4-3


@define
def reduced_far(r: Set[Distance], x: int) -> Set[Distance]:
    """Without the farthest element and the preceding, so many in all."""
    return r - {d for d in DISTANCES if farthest(r) - x < d and d <= farthest(r)}  #: 10-4-4


@define
def reduced(g: Game, of: Subject, r: Set[Distance]) -> Set[Distance]:
    """All reductions, one after another, in any order. Where the range has holes the order of those on one side matters."""
    out = r
    for k in TIMES:
        x = k if reading("reduction-order") == "small-first" else 10 - k
        for n in TIMES:
            if n <= ranges(g, of, RangeClass.REDUCE_NEAR, x):
                out = reduced_near(out, x)  #: 5-7.vi
            if n <= ranges(g, of, RangeClass.REDUCE_FAR, x):
                out = reduced_far(out, x)  #: 5-7.vi
    return out


@value
def modified_range(g: Game, of: Subject, printed: Set[Distance]) -> Set[Distance]:
    """A range with all modifiers applied."""
    r = printed
    if ranges(g, of, RangeClass.CHANGE, 0) > 0:
        r = named(g, of, RangeClass.CHANGE)  #: 5-7.i
    shift = total(g, of, RangeClass.SHIFT)
    r = {d + shift for d in r}  #: 5-7.ii #: 10-35-1
    r |= named(g, of, RangeClass.ADD)  #: 5-7.iii
    r -= named(g, of, RangeClass.REMOVE)  #: 5-7.iv
    r = extended(r, total(g, of, RangeClass.EXTEND_NEAR), total(g, of, RangeClass.EXTEND_FAR))  #: 5-7.v #: 10-4
    if total(g, of, RangeClass.REDUCE_NEAR) + total(g, of, RangeClass.REDUCE_FAR) > 0:
        r = reduced(g, of, r)  #: 5-7.vi #: 10-4
    return r


# ---------------------------------------------------------------- what the two stacks leave out
@step
def look_for_unclear_range(g: Game, a: Ref[Attack]) -> None:
    """Several replacements of a range apply at the same time; that says nothing of what they give."""
    if ranges(g, subject(g, a), RangeClass.CHANGE, 0) > 1:
        gap("5-7.i")


@step
def look_for_unclear_damage(g: Game, a: Ref[Attack]) -> None:
    """Several modifiers of one class apply at the same time; of these classes that says nothing, where it matters."""
    of = subject(g, a)
    if swaps(g, a) > 1 and after_assignments(g, a, Side.AURA) != after_assignments(g, a, Side.LIFE):
        gap("5-6.ii")
    for side in Side:
        n = before_division(g, a, side)
        up = product(g, of, NumberClass.DIVIDE_UP, side)
        down = product(g, of, NumberClass.DIVIDE_DOWN, side)
        if n is not None and up > 1 and down > 1 and n % (up * down) != 0:
            gap("5-6.iv")
