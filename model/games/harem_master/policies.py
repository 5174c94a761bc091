"""What this book arranges in its own way: who is asked first, when costs are paid, what can be used when, and in which
order triggered abilities are resolved. The procedures that ask stand in `using.py`, `triggers.py` and `turn.py`.

Costs are paid as a use begins (407.2). Responses nest: what was used last is resolved first (406.3a). Triggered abilities
wait until what has triggered them is over (403.1b). Endings come at once, whatever is under way (102.1 to 102.3).
"""
from ...lang import *
from .state import *


class Timing(Enum):
    """Chances to use events and abilities."""

    ACTIONS = 1  #: 305
    FIGHT = 2  #: 306.5h
    RESPONSE = 3  #: 407.3


@define
def asked_first(g: Game) -> Player:
    """Who may use events and abilities first, as many as that player likes."""
    if g.answered is not None and reading("asked-to-respond") == "not-the-user":
        return other(g.uses[g.answered].by)  #: 407.3
    return other(g.turn_player)  #: 305 #: 406.2


@define
def belongs_to(g: Game, ability: Ability, timing: Timing) -> bool:
    """Is the ability one for this chance?"""
    match timing:
        case Timing.RESPONSE:
            return Text(ability).in_response  #: 407.3 #: 406.3a
        case Timing.FIGHT:
            if Text(ability).in_response or is_broken_off(g):
                return False  #: 402.2a #: 214.3c #: 306.5
            return Text(ability).changes_fight or reading("fight-window") == "anything"  #: 306.5h
        case Timing.ACTIONS:
            return not Text(ability).in_response and not Text(ability).changes_fight  #: 406.1


@define
def in_own_time(g: Game, p: Player, ability: Ability) -> bool:
    """In the opponent's turn only what says so can be used."""
    return p == g.turn_player or Text(ability).opponents_turn  #: 214.3a #: 402.2 #: 505


@define
def resolves_first(g: Game) -> Player:
    """Whose triggered abilities are resolved before the other's."""
    return other(g.turn_player)  #: 408.2


@define
def joins_at_once(g: Game) -> bool:
    """Do abilities that trigger while others are resolved take their place among those that wait already?"""
    return not g.due or reading("new-triggers") == "join"  #: 408.2
