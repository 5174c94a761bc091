"""Chapter 3, sections 4.1 and 4.2: bringing in helpers, and attacking."""
from ...lang import *
from .ts import *


# ---------------------------------------------------------------- 4.1  helpers
@define
def may_enter(g: Game, p: Player, card: Card) -> bool:
    """May this card from hand enter as a helper?"""
    return (
        Printed(card).kind == Kind.CHARACTER
        and not g.brought_in
        and not name_is_taken(g, p, card)
        and len(able_to_help(g, p)) >= entry_cost(card)
    )  #: 第3章4.1


@define
def entry_cost(card: Card) -> int:
    """What entering costs: the section names no cost, though every character card has one."""
    return Printed(card).cost if reading("entry-cost") == "printed" else 0


@step
def enter(g: Game, p: Player, card: Card) -> None:
    """The character enters as a helper."""
    put(card, g.helper_zone[p])  #: 第3章4.1


# ---------------------------------------------------------------- 4.2  attacks
@define
def may_attack(g: Game, p: Player) -> bool:
    """Is the player in the TS state, with a TS character that can become tired?"""
    pl = pl_character(g, p)
    return (
        pl is not None
        and not g.attacked
        and is_ts_player(g, p)
        and fresh(g, pl)
        and g.card[pl].pledged is None
    )  #: 第3章4.2


@define
def attack_damage(g: Game, attacker: Card) -> int:
    """The charm of the TS character with dresses and events. Chapters 7 and 8 have its charm risen by them before."""
    return charm(g, attacker) + (charm_put_on(g, attacker) if reading("attack-charm") == "added-again" else 0)  #: 第3章4.2


@procedure
async def strike(g: Game, p: Player, attacker: Card) -> None:
    """The waiting side takes the damage, the acting side one point of self-loathing."""
    if not is_ts_player(g, p):
        gap("第3章4.2")
    amount = attack_damage(g, attacker)
    if reading("attack-damage-order") == "together":
        damage_both(g, 1, amount, p)  #: 第3章4.2
    else:
        damage(g, other(p), amount, p)  #: 第3章4.2
        damage(g, p, 1, p)  #: 第3章4.2 #: 第1章5「自己嫌悪ダメージ」
