"""10.5: check timings. A play timing (10.5.4) is written where it is given, after a check timing."""
from ...lang import *
from .rule_processing import *
from .state import *
from .triggers import *


@procedure
async def check_timing(g: Game) -> Set[Happening]:
    """Rule processing, then waiting abilities one by one, until nothing is left. Says what happened."""
    happened: Set[Happening] = set()
    while True:
        if reading("state-trigger-mid-effect") == "settled-only":
            note_states(g)  #: 10.7.6.1
        if rule_processing_due(g):
            process_rules(g)  #: 10.5.3.1 #: 10.5.1.1
            happened |= {Happening.RULES}
        elif waits(g, None):
            what = await play_waiting(g, None, g.turn_player)  #: 10.5.3.2
            happened |= {what}
        elif waits(g, g.turn_player):
            what = await play_waiting(g, g.turn_player, g.turn_player)  #: 10.5.3.3
            happened |= {what}
        elif waits(g, other(g.turn_player)):
            what = await play_waiting(g, other(g.turn_player), other(g.turn_player))  #: 10.5.3.4
            happened |= {what}
        else:
            return happened  #: 10.5.3.5
