"""効果処理の原則, リム・ブラスト: effects of cards that arise, and the order in which they are processed."""
from ...kernel.waiting import *
from ...lang import *
from .moving import *
from .policies import *
from .state import *


@define
def has_rim_blast(card: Card) -> bool:
    """Has the card an effect that works only when it is destroyed as a rim card?"""
    return any(Text(a).kind == AbilityKind.RIM_BLAST for a in Printed(card).abilities)


@define
def works(g: Game, ability: Ability, card: Card) -> bool:
    """Does the ability work where the card lies?"""
    here = zone_of(card)
    match Text(ability).kind:
        case AbilityKind.RIM_BLAST:
            return here in g.destroyed  #: リム・ブラスト第1段落
        case AbilityKind.DESTROYED:
            if here in g.destroyed:
                return not has_rim_blast(card)  #: リム・ブラスト第2段落
            return here in g.coffin  #: 除外
        case AbilityKind.ATTACKING | AbilityKind.TURN_END:
            return here in g.slot or here in g.entry_slot or here in g.domain_slot
        case _:
            return False


@trigger_policy
def arise(g: Game, ability: Ability, card: Card, cause: Cause) -> None:
    """An effect that arises waits for its turn."""
    if works(g, ability, card):
        g.waiting.add(Waiting(ability, card, card, master(g, card), cause))  #: 効果処理の原則


@procedure
async def process_effects(g: Game) -> None:
    """All effects that have arisen, the turn player's first."""
    if g.waiting:
        await one_by_one(g, g.turn_player, has_effects, process_one, look_at_nothing)  #: 効果処理の原則.2・1 #: 効果処理の原則.2


@define
def has_effects(g: Game, p: Player) -> bool:
    """Has an effect arisen that the player controls?"""
    return any(w.controller == p for w in g.waiting)


@procedure
async def process_one(g: Game, p: Player) -> None:
    """One of the player's effects, chosen by the player, is processed."""
    w = await choose(p, {w for w in g.waiting if w.controller == p})  #: 効果処理の原則.1・1 #: 効果処理の原則.1
    g.waiting.remove(w)
    await run_text(g, w.ability, w.this, p, w.cause)  #: 効果処理の原則


@step
def look_at_nothing(g: Game) -> None:
    """The book has nothing that is checked between effects: what the rules do by themselves, they do at once."""
