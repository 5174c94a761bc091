"""401.4a, 403 and 408: triggered abilities."""
from ...lang import *
from .policies import *
from .state import *


@trigger_policy
def met(g: Game, ability: Ability, card: Card, cause: Cause) -> None:
    """A triggered ability of a card in play is resolved once; its controller is looked up while the card is in play."""
    if card in characters(g):
        g.waiting.add(Waiting(ability, card, master(g, card), cause))  #: 401.4a #: 403.2 #: 408.1


@procedure
async def resolve_triggers(g: Game) -> None:
    """All triggered abilities that wait, those of one player before those of the other."""
    gather(g)
    while len(g.due) > 0:
        who = resolves_first(g) if any(w.master == resolves_first(g) for w in g.due) else other(resolves_first(g))
        w = await choose(who, {w for w in g.due if w.master == who})  #: 408.2
        g.due.remove(w)  #: 408.1
        await run_text(g, w.ability, w.this, w.master, w.cause)  #: 408.1
        gather(g)


@step
def gather(g: Game) -> None:
    """What has triggered meanwhile takes its place."""
    if joins_at_once(g) and len(g.waiting) > 0:
        for w in g.waiting:
            g.due.add(w)  #: 408.2
        g.waiting.clear()
