"""Chapter 3, section 4: the main phase and what can be done in it."""
from ...lang import *
from .procedure import *


class Enter(Record):  #: 第2章3(4)・1
    """Bring in a helper."""

    card: Card


class Attack(Record):  #: 第2章3(4)・2
    """Attack with the TS character."""

    attacker: Card


class PutOn(Record):  #: 第2章3(4)・3
    """Put a dress on a character."""

    card: Card
    on: Card


class UseEffect(Record):  #: 第2章3(4)・4
    """Use an effect card on a character."""

    card: Card
    on: Card


class UseTS(Record):  #: 第10章2
    """Use a TS effect card on a character, showing the new form."""

    card: Card
    on: Card
    form: Card


class SetPL(Record):  #: 第10章4.1
    """Lay a male character on the face-down PL character."""

    card: Card


MainAction = Pass | Enter | Attack | PutOn | UseEffect | UseTS | SetPL | UseHappening | UseAbility


# ---------------------------------------------------------------- 4  the phase
@entry("one-main-phase")
@procedure(scope=Scope.PHASE)
async def main_phase(g: Game) -> None:
    """The acting side acts as often as it likes."""
    while True:
        act = await choose(g.turn_player, main_actions(g, g.turn_player))  #: 第3章4
        match act:
            case Pass():
                return  #: 第2章3(4)
            case Enter(card):
                g.brought_in = True  #: 第3章4.1
                await use_card(g, Act.ENTRY, card, None, None)  #: 第3章4.1
            case Attack(attacker):
                g.attacked = True  #: 第3章4.2
                u = g.uses.new(Use(g.turn_player, Act.ATTACK, attacker, user=attacker, helpers=1))
                pledge_card(g, attacker, u)  #: 第3章4.2
                await carry_out(g, u)  #: 第3章4.2
            case PutOn(card, on):
                await use_card(g, Act.DRESS, card, on, None)  #: 第3章4.3
            case UseEffect(card, on):
                await use_card(g, Act.EFFECT, card, on, None)  #: 第3章4.4
            case UseTS(card, on, form):
                await use_card(g, Act.EFFECT, card, on, form)  #: 第10章2
            case SetPL(card):
                await use_card(g, Act.SETTING, card, None, None)  #: 第10章4.1
            case UseHappening(card, target):
                u = await declare_happening(g, g.turn_player, card, target)  #: 第2章3(4)・5 #: 第3章4.5
                await carry_out(g, u)  #: 第9章2
            case UseAbility(ability, character, target):
                u = await declare_ability(g, g.turn_player, ability, character, target)  #: 第2章3(4)・6 #: 第3章4.6
                await carry_out(g, u)  #: 第5章5


@procedure
async def use_card(g: Game, act: Act, card: Card, target: Option[Obj], form: Option[Obj]) -> None:
    """A card that has no steps of its own is used; it is declared and paid for as if it had."""
    p = g.turn_player
    u = g.uses.new(Use(p, act, card, ability=text_of(card), targets=target is not None, target=target, form=form))
    lay_aside(g, card, u)
    if form is not None:
        lay_aside(g, form, u)  #: 第10章2
    await pledge(g, u, cost_of(act, card, form), discards_for(card))  #: 第3章4.3 #: 第3章4.4
    await carry_out(g, u)


# ---------------------------------------------------------------- costs
@define
def cost_of(act: Act, card: Card, form: Option[Obj]) -> int:
    """How many must help: the card's cost, and that of the new form in addition."""
    if act == Act.ENTRY:
        return entry_cost(card)
    return Printed(card).cost + (0 if form is None else Printed(form).cost)  #: 第3章4.3 #: 第10章2 #: 第10章4.1


@define
def payable_with(g: Game, p: Player, cost: int, discards: int) -> bool:
    """Can so many help, and so many cards be discarded beside the one that is used?"""
    return len(able_to_help(g, p)) >= cost and len(able_to_be_discarded(g, p)) > discards  #: 第3章4.3 #: 第3章4.4


# ---------------------------------------------------------------- what can be done
@define
def main_actions(g: Game, p: Player) -> Set[MainAction]:
    """What the acting side can do, doing nothing included. In turn 1 only helpers can be brought in."""
    return {Pass()} | {Enter(c) for c in g.hand[p] if may_enter(g, p, c)} | further_actions(g, p)  #: 第3章4 #: 第2章3(4)


@define
def further_actions(g: Game, p: Player) -> Set[MainAction]:
    """What can be done in all turns but the first."""
    return set() if g.turn_number == 1 else (
        {Attack(c) for c in g.pl_zone[p] if may_attack(g, p) and pl_character(g, p) == c}
        | {PutOn(d, c) for d in g.hand[p] for c in characters(g, p) if may_dress(g, p, d, c)}
        | {UseEffect(e, c) for e in g.hand[p] for c in CARDS if may_use_effect(g, p, e, c)}
        | {
            UseTS(e, c, f)
            for e in g.hand[p]
            for c in CARDS
            if is_ts_effect(e) and not is_exchange(e) and may_use_ts(g, p, e, c)
            for f in g.hand[p]
            if may_change_into(g, p, e, c, f)
        }
        | {SetPL(c) for c in g.hand[p] if may_set(g, p, c) and payable_with(g, p, Printed(c).cost, 0)}
        | usable(g, p, Timing.NORMAL)
    )  #: 第3章4


@define
def may_dress(g: Game, p: Player, dress: Card, character: Card) -> bool:
    """May and can the player put the dress on the character?"""
    return may_wear(g, p, dress, character) and payable_with(g, p, Printed(dress).cost, 0)  #: 第3章4.3


@define
def may_be_affected(g: Game, p: Player, effect: Card, character: Card) -> bool:
    """Is the character a proper target of the effect card?"""
    return any(
        Text(a).kind == AbilityKind.EFFECT and may_be_target(g, p, a, character)
        for a in Printed(effect).abilities
    )  #: 第8章1


@define
def may_use_effect(g: Game, p: Player, effect: Card, character: Card) -> bool:
    """May and can the player use the effect card on the character, no new form being needed?"""
    return (
        Printed(effect).kind == Kind.EFFECT
        and (not is_ts_effect(effect) or (is_exchange(effect) and may_exchange(g, p, character)))
        and may_be_affected(g, p, effect, character)
        and payable_with(g, p, Printed(effect).cost, discards_for(effect))
    )  #: 第3章4.4


@define
def may_use_ts(g: Game, p: Player, effect: Card, character: Card) -> bool:
    """May the player use the TS effect card on the character?"""
    return may_be_affected(g, p, effect, character) and not has_been_changed(g, character)  #: 第3章4.4 #: 第10章


@define
def may_change_into(g: Game, p: Player, effect: Card, character: Card, form: Card) -> bool:
    """May and can the player change the character into this one?"""
    return (
        any(may_change(g, p, a, character, form) for a in Printed(effect).abilities if is_text_of(effect, a))
        and len(able_to_help(g, p)) >= Printed(effect).cost + Printed(form).cost
        and len(able_to_be_discarded(g, p)) > discards_for(effect) + 1
    )  #: 第10章2
