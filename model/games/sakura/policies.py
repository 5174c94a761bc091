"""How this book arranges what every card game has: who picks first, what interrupts what, what is looked at when.

Everything that arises is *nested* (9-8): it is resolved at once, in the middle of whatever brought it about, innermost
first; there is no moment at which waiting effects are collected. Effects that arise at the same moment are ordered by
the turn player, one at a time (9-1, 5-5); those not yet picked are held while the picked one is resolved with all that
arises in it. Winning and losing are looked at before anything else (4-2, `victory.py`). Costs are paid before a card
counts as used (9-2, 9-3, `using.py`).
"""
from ...lang import *
from .state import *


# ---------------------------------------------------------------- 5-5: what arises by itself
@trigger_policy
def arises(g: Game, effect: Ability, card: Card, cause: Cause) -> None:
    """A text whose condition has just been met is to be resolved, if it counts where its card lies."""
    if in_force(g, effect, card) and not any(x.effect == effect and x.card == card for x in g.had_turn):
        g.arisen.add(Arisen(effect, card, master(g, card), cause, 0))  #: 5-5-4 #: 5-5-5 #: 5-5-6


@situation
def states_are_noted(g: Game) -> None:
    """A text that waits for a state of affairs arises when that comes about; it can arise again once it has ceased."""
    for c in CARDS:
        for a in Printed(c).abilities:
            if state_holds(g, a, c, master(g, c)) and in_force(g, a, c):
                if a not in g.card[c].noted:
                    g.card[c].noted |= {a}
                    g.arisen.add(Arisen(a, c, master(g, c), NO_CAUSE, 0))  #: 5-5-4 #: 5-5-5 #: 5-5-6
            elif a in g.card[c].noted:
                g.card[c].noted -= {a}


@situation
def enhancements_run_empty(g: Game) -> None:
    """An enhancement without crystals is to be discarded."""
    for c in CARDS:
        if is_empty_enhancement(g, c):
            if not g.card[c].ran_empty and not (
                g.card[c].being_discarded and reading("discarded-anew") == "one-at-a-time"
            ):
                g.card[c].ran_empty = True
                g.arisen.add(Arisen(None, c, master(g, c), NO_CAUSE, 0))  #: 5-5-2
        elif g.card[c].ran_empty:
            g.card[c].ran_empty = False


@define
def is_empty_enhancement(g: Game, card: Card) -> bool:
    """Does the card lie among the enhancements without a single crystal?"""
    return zone_of(card) in g.enhancements and g.card[card].crystals == 0  #: 5-5-2


@step
def look_again(g: Game, w: Arisen) -> None:
    """By one reading a text that has been resolved arises again while its state of affairs lasts."""
    if w.effect is not None and reading("lasting-state") == "again":
        g.card[w.card].noted -= {w.effect}  #: 5-5-4


# ---------------------------------------------------------------- 9-1, 9-8: what is resolved when
@define
def next_to_resolve(g: Game) -> bool:
    """Has an effect arisen that need not wait for another one?"""
    return any(not must_wait(w.held_under) for w in g.arisen)  #: 9-8


@define
def must_wait(held_under: int) -> bool:
    """Is such an effect held until another one has been resolved?"""
    return held_under > 0 and reading("held-effects") == "held"  #: 9-1


@define
def is_next(g: Game, w: Arisen) -> bool:
    """Need it not wait, neither for another effect nor for one above it in the text of its card?"""
    above = None if w.effect is None else uppermost(g, w.card, Text(w.effect).kind)
    if above is not None and above != w.effect:
        return False  #: 6-2-1-7
    return not must_wait(w.held_under)


@define
def uppermost(g: Game, card: Card, kind: EffectKind) -> Option[Ability]:
    """Of the effects of one kind that have arisen from the card, the first in its text."""
    out: Option[Ability] = None
    for a in Printed(card).abilities:
        if out is None and Text(a).kind == kind and any(
            w.effect == a and w.card == card and not must_wait(w.held_under) for w in g.arisen
        ):
            out = a
    return out


@step
def take_up(g: Game, w: Arisen) -> None:
    """An effect is about to be resolved. What else has arisen so far waits until that is done."""
    g.arisen.remove(w)  #: 9-1
    hold_others(g, 1, still_due(g, w), w)  #: 9-1


@step
def hold_others(g: Game, by: int, begins: bool, w: Arisen) -> None:
    """What has arisen waits for one effect more, or (-1) for one less: for this one, which may begin those of one class of its card."""
    with simultaneously():
        for v in g.arisen:
            g.arisen.remove(v)
            g.arisen.add(
                Arisen(
                    v.effect, v.card, v.arose_for, v.cause, v.held_under + by,
                    v.begun or (begins and is_begun_with(v, w)),
                )
            )  #: 9-1


@define
def is_begun_with(v: Arisen, w: Arisen) -> bool:
    """Are they effects of one class of a card that arose together?"""
    if v.effect is None or w.effect is None or v.card != w.card or v.held_under != w.held_under:
        return False
    return Text(v.effect).kind == Text(w.effect).kind  #: 6-2-1-7


@define
def still_due(g: Game, w: Arisen) -> bool:
    """Is an effect that had to wait for its turn still to be resolved?"""
    if w.effect is None and reading("enhancements-together") == "looked-at-again":
        return is_empty_enhancement(g, w.card)  #: 5-5-2
    if w.effect is not None and not w.begun and not in_force(g, w.effect, w.card):  #: 6-2-1-7
        return reading("held-and-gone") == "resolved"  #: 9-1 #: 9-1-1-6 #: 9-1-1-8
    return True
