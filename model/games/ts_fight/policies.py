"""What this book arranges in its own way, in one place: who is asked first, what can be interrupted, in which order
interrupts are processed, whose turn comes next."""
from ...lang import *
from .state import *


# ---------------------------------------------------------------- whose turn comes next
@procedure
async def next_acting_side(g: Game) -> Player:
    """The players take turns. The clause points back to (6) instead of (7): read so, the order is decided anew."""
    if reading("turn-order") == "decided-anew" and not g.first_turn:
        who = await chance(PLAYERS)
        return who  #: 第2章2(6)
    return other(g.turn_player)  #: 第2章2(7) #: 第2章2(8)


# ---------------------------------------------------------------- what can be interrupted
@define
def can_be_interrupted(act: Act) -> bool:
    """Has the act a step in which interrupts are declared? Chapter 3 says "other actions", chapters 5 and 9 speak of
    abilities and happenings only."""
    if act == Act.ABILITY or act == Act.HAPPENING:
        return True  #: 第5章5.4 #: 第9章2.4
    if reading("interruptible-acts") == "cards-too":
        return act == Act.DRESS or act == Act.EFFECT
    return reading("interruptible-acts") == "all-acts"  #: 第3章4.5 #: 第3章4.6


@define
def interrupts_have_windows() -> bool:
    """Can an interrupt be interrupted in turn, when it is processed?"""
    return reading("interrupts-to-interrupts") == "own-window"  #: 第5章5.4 #: 第9章2.4


# ---------------------------------------------------------------- in which order interrupts are processed
@procedure
async def next_interrupt(g: Game, u: Ref[Use]) -> Ref[Use]:
    """Which interrupt is processed next? No clause says; only 11.2 and 11.3 can be read as an answer."""
    if reading("interrupt-order") == "acting-side":
        d = await choose(g.turn_player, {d for d in g.declared if d.against == u})  #: 第11章2
        g.declared.remove(d)
        return d.use
    if reading("interrupt-order") == "as-declared":
        d = await choose(g.turn_player, {d for d in g.declared if d.against == u and rank(g, d) == lowest(g, u)})
        g.declared.remove(d)
        return d.use  #: 第11章3
    if reading("interrupt-order") == "last-first":
        d = await choose(g.turn_player, {d for d in g.declared if d.against == u and rank(g, d) == highest(g, u)})
        g.declared.remove(d)
        return d.use
    d = await choose(OPEN("第9章2.5"), {d for d in g.declared if d.against == u})  #: 第5章5.5 #: 第9章2.5
    g.declared.remove(d)
    return d.use


@define
def rank(g: Game, d: Declared) -> int:
    """How many interrupts were declared before it."""
    return g.uses[d.use].rank


@define
def lowest(g: Game, u: Ref[Use]) -> int:
    """The rank of the interrupt that was declared first."""
    return min((rank(g, d) for d in g.declared if d.against == u), default=0)


@define
def highest(g: Game, u: Ref[Use]) -> int:
    """The rank of the interrupt that was declared last."""
    return max((rank(g, d) for d in g.declared if d.against == u), default=0)
