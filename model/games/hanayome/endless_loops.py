"""13.1: what is to be done about an endless loop that a check has found."""
from ...lang import *
from .state import *


class Loop(Record):
    """The repeated part of an endless loop, as a check describes it.

    `…_acts`: the player takes, in it, something where doing nothing was an option. `…_chooses`: the player chooses
    between several options in it. `…_plays`: a waiting ability is played in it by the player, as its duty.
    `…_can_stop`: the player can end the loop whatever the other does; `together_can_stop`: both can, agreeing;
    `known`: that much is certain. `several_actions`: whoever acts takes different actions in one round; `again_elsewhere`: one of
    them could still be taken in the same turn in another position, though none is taken in the one that came back.
    """

    same_state: bool
    """All that later play can look at comes back (else something grows)."""
    looks_same: bool
    """What is seen on the table comes back: where the cards are, their faces and numbers."""
    order_anew: bool
    """Cards are shuffled in it."""
    within_turn: bool
    turn_player_acts: bool
    other_player_acts: bool
    turn_player_chooses: bool
    other_player_chooses: bool
    turn_player_plays: bool
    other_player_plays: bool
    turn_player_can_stop: bool
    other_player_can_stop: bool
    together_can_stop: bool
    known: bool
    several_actions: bool
    again_elsewhere: bool


class LoopFate(Enum):
    """What a clause says is to be done."""

    NUMBER_NAMED = 1  #: 13.1.1.1
    FORBIDDEN = 2  #: 13.1.1.2
    DRAW = 3  #: 13.1.1.3
    NUMBER_NAMED_OR_LOWERED = 4  #: 13.1.1.1
    TO_BE_STOPPED = 5  #: 13.1.1.3
    FORBIDDEN_IN_THIS_ORDER = 6  #: 13.1.1.2
    LAST_FORBIDDEN = 7  #: 13.1.1.2
    FORBIDDEN_IN_THIS_STATE = 8  #: 13.1.1.2


@verdict("end of the game by an endless loop")
def ends_the_game(fate: LoopFate) -> bool:
    """Is the game over by what a clause says? (A number that is named, a ban and a duty to stop break the loop, and the game goes on.)"""
    return fate == LoopFate.DRAW  #: 13.1.1.3


# ---------------------------------------------------------------- 13.1.1  is it one?
@define
def is_endless_loop(loop: Loop) -> bool:
    """Does the section on endless loops apply?"""
    if not loop.same_state and reading("loop-growing") == "not-loop":
        return False
    somebody_acts = (
        loop.turn_player_chooses or loop.other_player_chooses
        or loop.turn_player_plays or loop.other_player_plays
    )
    return somebody_acts or reading("loop-without-action") == "covered"  #: 13.1.1


# ---------------------------------------------------------------- 13.1.1.1  a number is named
@define
def number_applies(loop: Loop) -> bool:
    """Is the loop acted out by somebody who can name how often?"""
    if not is_endless_loop(loop):
        return False
    if loop.turn_player_acts and loop.turn_player_can_stop:
        return True  #: 13.1.1.1
    return (
        loop.other_player_acts and loop.other_player_can_stop and reading("loop-number-by") == "whoever-acts"
    )  #: 13.1.1.1


@verdict("endless loop")
def number_is_named(loop: Loop) -> Option[LoopFate]:
    """The acting player names a number of repetitions, which the other may lower. (If the loop may be begun again after
    it, with another number, that ends nothing.)"""
    if not number_applies(loop) or (ban_applies(loop) and reading("loop-number-or-ban") == "ban-for-identical"):
        return None
    if reading("loop-again-after-number") == "again":
        return None  #: 13.1.1.1
    return LoopFate.NUMBER_NAMED_OR_LOWERED if can_be_lowered(loop) else LoopFate.NUMBER_NAMED  #: 13.1.1.1


@define
def can_be_lowered(loop: Loop) -> bool:
    """May the player who does not name the number have it done fewer times? That takes an action outside the loop."""
    if reading("loop-shorten-needs-action") == "may-just-stop":
        return True  #: 13.1.1.1
    return loop.other_player_chooses if loop.turn_player_acts else loop.turn_player_chooses  #: 13.1.1.1


# ---------------------------------------------------------------- 13.1.1.2  repeating is forbidden
@define
def is_chosen(loop: Loop) -> bool:
    """Is something in the loop an action that can come under the ban?"""
    if loop.turn_player_acts:
        return True  #: 13.1.1.2
    if loop.other_player_acts and reading("loop-ban-who") == "whoever-acted":
        return True  #: 13.1.1.2
    if not (loop.turn_player_plays or loop.turn_player_chooses) or reading("loop-repeat-actions") == "chosen-only":
        return False
    return loop.turn_player_chooses or reading("loop-banned-forced") == "ban-wins"  #: 13.1.1.2 #: 10.7.3.1


@define
def state_comes_back(loop: Loop) -> bool:
    """Is the game, after a round, in a state that is completely identical?"""
    if loop.same_state and not loop.order_anew:
        return True  #: 13.1.1.2
    if not loop.looks_same:
        return False
    match reading("loop-same-state"):
        case "position-only":
            return True  #: 13.1.1.2
        case "with-hidden":
            return loop.same_state and not loop.order_anew  #: 13.1.1.2
        case _:
            return loop.same_state  #: 13.1.1.2


@verdict("number on a card")
def number_on(g: Game, card: Card) -> Option[Power]:
    """What number is seen on a card: of a hero the bride power that is needed, of others their bride power."""
    return required_power(g, card) if Printed(card).kind == Kind.HERO else power(g, card)  #: 13.1.1.2


@define
def ban_applies(loop: Loop) -> bool:
    """Does the state come back within the turn by such an action?"""
    if not is_endless_loop(loop) or not is_chosen(loop) or not state_comes_back(loop):
        return False
    return loop.within_turn or reading("loop-across-turns") == "banned-too"  #: 13.1.1.2


@define
def is_forbidden(loop: Loop) -> bool:
    """Is there something in the loop that may not be done again?"""
    if not ban_applies(loop):
        return False
    return not (number_applies(loop) and reading("loop-number-or-ban") == "number-first")  #: 13.1.1.2


@verdict("endless loop")
def repeating_is_forbidden(loop: Loop) -> Option[LoopFate]:
    """What brought the same state back may not be done again."""
    return how_forbidden(loop) if is_forbidden(loop) else None  #: 13.1.1.2


@define
def how_forbidden(loop: Loop) -> Option[LoopFate]:
    """Which actions may not be done again, and for how long? (To bar the last of several in that one state bars nothing: it was
    taken in another.)"""
    if loop.several_actions:
        match reading("loop-ban-extent"):
            case "same-sequence":
                return LoopFate.FORBIDDEN_IN_THIS_ORDER  #: 13.1.1.2
            case "last":
                return None if reading("loop-ban-duration") == "that-state" else LoopFate.LAST_FORBIDDEN  #: 13.1.1.2
            case _:
                pass
    if loop.again_elsewhere and reading("loop-ban-duration") == "that-state":
        return LoopFate.FORBIDDEN_IN_THIS_STATE  #: 13.1.1.2
    return LoopFate.FORBIDDEN  #: 13.1.1.2


class Again(Record):
    """An action that could be taken after the state came back, in the same turn, as a check describes it."""

    was_done: bool
    """It was done before the state came back."""
    was_last: bool
    """It was the one by which it came back."""
    completes: bool
    """With it, all that was done then has been done again, in the same order."""
    here: bool
    """The game is again in the state that came back."""
    begun_here: bool
    """It was, when the first of those actions was taken."""


class Barred(Enum):
    """An action that may not be taken."""

    BARRED = 1  #: 13.1.1.2


@verdict("action after an endless loop")
def action_is_barred(again: Again) -> Option[Barred]:
    """Is it one of the actions that may not be done again?"""
    here = again.here
    barred = again.was_done  #: 13.1.1.2
    match reading("loop-ban-extent"):
        case "same-sequence":
            barred = again.completes  #: 13.1.1.2
            here = again.begun_here
        case "last":
            barred = again.was_last  #: 13.1.1.2
        case _:
            pass
    if not here and reading("loop-ban-duration") == "that-state":
        return None  #: 13.1.1.2
    return Barred.BARRED if barred else None  #: 13.1.1.2


# ---------------------------------------------------------------- 13.1.1.3  a draw
@verdict("endless loop")
def game_is_drawn(loop: Loop) -> Option[LoopFate]:
    """A loop that neither player can stop draws the game."""
    if not is_endless_loop(loop):
        return None
    if (
        not loop.within_turn and loop.turn_player_acts and loop.other_player_acts
        and reading("loop-across-turns") == "draw"
    ):
        return LoopFate.DRAW  #: 13.1.1
    if loop.known and can_be_stopped(loop):
        return if_nobody_stops(loop)  #: 13.1.1.3
    if is_forbidden(loop) and reading("loop-ban-and-draw") == "ban-ends-it":
        return None  #: 13.1.1.2
    return LoopFate.DRAW if loop.known else None  #: 13.1.1.3


@define
def if_nobody_stops(loop: Loop) -> Option[LoopFate]:
    """A loop that a player could stop, and that no other clause ends: by some readings the player must, or it is drawn."""
    if number_applies(loop) or ban_applies(loop):
        return None
    match reading("loop-stop-unused"):
        case "must-use":
            return LoopFate.TO_BE_STOPPED  #: 13.1.1.3
        case "draw":
            return LoopFate.DRAW  #: 13.1.1.3
        case _:
            return None


@define
def can_be_stopped(loop: Loop) -> bool:
    """Has either player a way of stopping the loop?"""
    if loop.turn_player_can_stop or loop.other_player_can_stop:
        return True  #: 13.1.1.3
    if loop.together_can_stop and reading("loop-stop-together") == "counts":
        return True  #: 13.1.1.3
    return reading("loop-stop-concession") == "included"  #: 1.2.3
