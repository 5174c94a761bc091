"""What this book arranges in its own way, in one place: who is asked first, what can be interrupted, in which order
interrupts are processed, whose turn comes next."""
from ...lang import *
from .state import *


# ---------------------------------------------------------------- whose turn comes next
@procedure
async def next_turn(g: Game) -> None:
    """The sides change. The clause points back to (6) instead of (7): read so, it is decided anew who goes first."""
    anew = g.turn_number > 1 and reading("turn-order") == "decided-anew"
    change_turn(g)  #: 第2章2(7) #: 第2章2(8) #: 第2章3
    if anew:
        who = await chance(PLAYERS)
        g.turn_player = who  #: 第2章2(6)


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
    return await take_declared(g, OPEN("第9章2.5") if reading("interrupt-order") == "open" else g.turn_player, u)


@procedure
async def take_declared(g: Game, by: Decider, u: Ref[Use]) -> Ref[Use]:
    """One of the interrupts of a use is taken out of those that wait."""
    d = await choose(by, {d for d in g.declared if d.against == u and can_be_next(g, d)})  #: 第5章5.5 #: 第9章2.5
    g.declared.remove(d)
    return d.use


@define
def can_be_next(g: Game, d: Declared) -> bool:
    """Can the interrupt be processed before the others against the same use?"""
    rank = g.uses[d.use].rank
    if reading("interrupt-order") == "as-declared":
        return all(g.uses[e.use].rank >= rank for e in g.declared if e.against == d.against)  #: 第11章3
    if reading("interrupt-order") == "last-first":
        return all(g.uses[e.use].rank <= rank for e in g.declared if e.against == d.against)
    return True  #: 第11章2
