"""401.4a, 403 and 408: triggered abilities."""
from ...kernel.waiting import *
from ...lang import *
from .policies import *
from .state import *


@trigger_policy
def met(g: Game, ability: Ability, card: Card, cause: Cause) -> None:
    """A triggered ability of a card in play is resolved once; its controller is looked up while the card is in play."""
    if card in g.latecomers:
        g.carried_over.add(Waiting(ability, card, master(g, card), cause))  #: 308.1
    elif card in characters(g) and not g.latecomers:
        g.waiting.add(Waiting(ability, card, master(g, card), cause))  #: 401.4a #: 403.2 #: 408.1


@procedure
async def resolve_triggers(g: Game) -> None:
    """All triggered abilities that wait, those of one player before those of the other."""
    await one_by_one(g, resolves_first(g), has_due, resolve_trigger, gather)  #: 408.2


@define
def has_due(g: Game, p: Player) -> bool:
    """Is an ability of the player's to be resolved?"""
    return any(w.master == p for w in g.due)


@procedure
async def resolve_trigger(g: Game, p: Player) -> None:
    """One ability, which the player chooses."""
    w = await choose(p, {w for w in g.due if w.master == p})  #: 408.2
    g.due.remove(w)  #: 408.1
    await run_text(g, w.ability, w.this, p, w.cause)  #: 408.1


@step
def gather(g: Game) -> None:
    """What has triggered meanwhile takes its place."""
    if joins_at_once(g) and g.waiting:
        for w in g.waiting:
            g.due.add(w)  #: 408.2
        g.waiting.clear()
