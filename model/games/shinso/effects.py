"""効果処理の原則, リム・ブラスト: effects of cards that arise, and the order in which they are processed."""
from ...kernel.waiting import *
from ...lang import *
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
            return here in g.coffin or (here in g.exile and reading("bound-destroyed") == "does")  #: 除外 #: 呪縛ステップ・3
        case AbilityKind.ATTACKING | AbilityKind.TURN_END:
            in_slot = here in g.slot or here in g.entry_slot or here in g.domain_slot
            return in_slot or g.card[card].bearer is not None  #: プレイする・8
        case _:
            return False


@trigger_policy
def arise(g: Game, ability: Ability, card: Card, cause: Cause) -> None:
    """An effect that arises waits for its turn; by one reading, what arises while effects are processed waits until these are done."""
    if works(g, ability, card):
        late = g.processing and len(g.waiting) > 0 and reading("arising-meanwhile") == "afterwards"
        g.waiting.add(Waiting(ability, card, card, master(g, card), cause, late))  #: 効果処理の原則


@procedure
async def process_effects(g: Game) -> None:
    """All effects that have arisen, the turn player's first."""
    if g.waiting:
        await one_by_one(g, g.turn_player, has_effects, process_one, look_at_nothing)  #: 効果処理の原則.2・1 #: 効果処理の原則.2


@define
def only_late_ones(g: Game) -> bool:
    """Have all effects that wait arisen while others were processed?"""
    return all(w.late for w in g.waiting)


@define
def has_effects(g: Game, p: Player) -> bool:
    """Has an effect arisen that the player controls, and that is processed next?"""
    return any(w.controller == p and w.late == only_late_ones(g) for w in g.waiting)


@procedure
async def process_one(g: Game, p: Player) -> None:
    """One of the player's effects, chosen by the player, is processed."""
    if only_late_ones(g):
        late_ones_are_next(g)
    w = await choose(p, {w for w in g.waiting if w.controller == p and not w.late})  #: 効果処理の原則.1・1 #: 効果処理の原則.1
    g.waiting.remove(w)
    g.processing = True
    await run_text(g, w.ability, w.this, p, w.cause)  #: 効果処理の原則
    g.processing = False


@step
def late_ones_are_next(g: Game) -> None:
    """The effects that arose while others were processed are the next to be processed."""
    with simultaneously():
        for w in g.waiting:
            g.waiting.remove(w)
            g.waiting.add(Waiting(w.ability, w.card, w.this, w.controller, w.cause))


@step
def look_at_nothing(g: Game) -> None:
    """The book has nothing that is checked between effects: what the rules do by themselves, they do at once."""
