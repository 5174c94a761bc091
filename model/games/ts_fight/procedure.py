"""Chapter 5, section 5, and chapter 9, section 2: the eight steps of an ability or a happening, with the interrupts
between declaring and paying."""
from ...kernel.windows import *
from ...lang import *
from .abilities import *
from .basics import *
from .dresses import *
from .effects import *
from .main_actions import *
from .policies import *
from .state import *
from .ts import *


class Pass(Inaction):
    """Do nothing."""


class UseHappening(Record):  #: 第3章4.5
    """Use a happening card from hand."""

    card: Card
    target: Option[Obj]


class UseAbility(Record):  #: 第3章4.6
    """Use an ability of a character."""

    ability: Ability
    character: Card
    target: Option[Obj]


Usable = UseHappening | UseAbility
Interrupt = Pass | UseHappening | UseAbility


# ---------------------------------------------------------------- 1 and 2  state and target
@define
def may_be_target(g: Game, p: Player, ability: Ability, character: Card) -> bool:
    """Is it a proper target of the text?"""
    return is_character(g, character) and condition(g, ability, character, p)  #: 第5章5.2 #: 第9章2.2


@define
def may_use_happening(g: Game, p: Player, card: Card, ability: Ability, when: Timing) -> bool:
    """Can the player use this happening card now?"""
    return (
        Text(ability).kind == AbilityKind.HAPPENING
        and when in Text(ability).timings
        and g.card[card].pledged is None
        and len(able_to_help(g, p)) >= Printed(card).cost
        and len(able_to_be_discarded(g, p) - {card}) >= Text(ability).discards
    )  #: 第9章2.1 #: 第9章2.2 #: 第9章2.3


@define
def usable(g: Game, p: Player, when: Timing) -> Set[Usable]:
    """The happenings and abilities that the player can use now, each with each target."""
    return (
        {
            UseHappening(c, x)
            for c in g.hand[p]
            for a in Printed(c).abilities
            if Text(a).targets and may_use_happening(g, p, c, a, when)
            for x in CARDS
            if may_be_target(g, p, a, x)
        }
        | {
            UseHappening(c, None)
            for c in g.hand[p]
            for a in Printed(c).abilities
            if not Text(a).targets and may_use_happening(g, p, c, a, when)
        }
        | {
            UseAbility(a, c, x)
            for c in characters(g, p)
            for k in CARDS
            if k == c or g.card[k].on == c
            for a in Printed(k).abilities
            if Text(a).targets and may_use_ability(g, p, c, a, when)
            for x in CARDS
            if may_be_target(g, p, a, x)
        }
        | {
            UseAbility(a, c, None)
            for c in characters(g, p)
            for k in CARDS
            if k == c or g.card[k].on == c
            for a in Printed(k).abilities
            if not Text(a).targets and may_use_ability(g, p, c, a, when)
        }
    )  #: 第5章5.1 #: 第9章2.1


@define
def text_of(card: Card) -> Option[Ability]:
    """The text of a happening or effect card."""
    return the(
        {
            a
            for a in Printed(card).abilities
            if Text(a).kind == AbilityKind.HAPPENING or Text(a).kind == AbilityKind.EFFECT
        }
    )


# ---------------------------------------------------------------- declaring: steps 1 to 3
@procedure
async def declare_happening(g: Game, p: Player, card: Card, target: Option[Obj]) -> Ref[Use]:
    """A happening, its target and its cost are declared."""
    use = Use(p, Act.HAPPENING, card, ability=text_of(card), targets=target is not None, target=target)
    u = g.uses.new(use)  #: 第9章2.2
    lay_aside(g, card, u)
    await pledge(g, u, Printed(card).cost, discards_for(card))  #: 第9章2.3
    return u


@procedure
async def declare_ability(g: Game, p: Player, ability: Ability, character: Card, target: Option[Obj]) -> Ref[Use]:
    """An ability, its target and its cost are declared."""
    u = g.uses.new(
        Use(p, Act.ABILITY, character, user=character, ability=ability, targets=target is not None, target=target)
    )  #: 第5章5.2
    if Text(ability).kind == AbilityKind.WITH_HELP:
        pledge_card(g, character, u)  #: 第5章5.3
        g.uses[u].helpers += 1
    await pledge(g, u, 0, Text(ability).discards)  #: 第5章5.3
    return u


@define
def discards_for(card: Card) -> int:
    """How many cards from hand a card costs."""
    return sum(Text(a).discards for a in Printed(card).abilities if is_text_of(card, a))


@define
def is_text_of(card: Card, ability: Ability) -> bool:
    """Is it the card's own text, not an ability that it gives to a character?"""
    return ability == text_of(card)


@step
def lay_aside(g: Game, card: Card, u: Ref[Use]) -> None:
    """A card being used is no card in hand, unless it is read to be one until its steps are over."""
    if reading("card-in-use") == "in-hand":
        pledge_card(g, card, u)
    else:
        put(card, g.in_use)


@procedure
async def pledge(g: Game, u: Ref[Use], help_needed: int, discards: int) -> None:
    """It is declared who helps and what is discarded."""
    p = g.uses[u].by
    who = await choose_some(p, able_to_help(g, p), help_needed, help_needed)
    for c in who:
        pledge_card(g, c, u)  #: 第5章5.3 #: 第9章2.3
    g.uses[u].helpers += len(who)
    away = await choose_some(p, able_to_be_discarded(g, p), discards, discards)
    for c in away:
        pledge_card(g, c, u)  #: 第5章5.3 #: 第9章2.3
    g.uses[u].discards = discards


@step
def pledge_card(g: Game, card: Card, u: Ref[Use]) -> None:
    """Until the last step is over the card cannot serve anything else."""
    g.card[card].pledged = u  #: 第5章5.3 #: 第9章2.3


# ---------------------------------------------------------------- steps 4 to 8
@procedure
async def carry_out(g: Game, u: Ref[Use]) -> None:
    """What follows once something has been declared."""
    if can_be_interrupted(g.uses[u].act):
        await interrupts(g, u)  #: 第5章5.4 #: 第9章2.4
    await pay_and_apply(g, u)


@procedure
async def carry_out_interrupt(g: Game, u: Ref[Use]) -> None:
    """What follows once a declared interrupt is processed."""
    if interrupts_have_windows():
        await interrupts(g, u)  #: 第5章5.4 #: 第9章2.4
    await pay_and_apply(g, u)


@procedure
async def interrupts(g: Game, u: Ref[Use]) -> None:
    """Interrupts are declared, the waiting side first, until both decline in a row; then they are processed."""
    await answer(g, u, first=other(g.turn_player), act=interrupt_or_decline, enough=2)  #: 第5章5.4 #: 第9章2.4
    while any(d.against == u for d in g.declared):
        interrupt = await next_interrupt(g, u)
        await carry_out_interrupt(g, interrupt)  #: 第5章5.5 #: 第9章2.5


@procedure
async def interrupt_or_decline(g: Game, who: Player, u: Ref[Use]) -> bool:
    """A player may declare an interrupt against a use, by one reading as many as wanted. Says whether that was done."""
    act = await choose(who, usable(g, who, Timing.INTERRUPT) | {Pass()})  #: 第3章4.5 #: 第3章4.6
    match act:
        case Pass():
            return False  #: 第5章5.4 #: 第9章2.4
        case UseHappening(card, target):
            interrupt = await declare_happening(g, who, card, target)  #: 第3章4.5
            wait_to_be_processed(g, interrupt, u)
        case UseAbility(ability, character, target):
            interrupt = await declare_ability(g, who, ability, character, target)  #: 第3章4.6
            wait_to_be_processed(g, interrupt, u)
    if reading("interrupt-turns") == "several":
        await interrupt_or_decline(g, who, u)
    return True


@step
def wait_to_be_processed(g: Game, interrupt: Ref[Use], u: Ref[Use]) -> None:
    """Nothing of an interrupt happens until all have been declared."""
    g.uses[interrupt].rank = sum(1 for d in g.declared if d.against == u)
    g.declared.add(Declared(g.uses[interrupt].card, interrupt, u))  #: 第5章5.4 #: 第9章2.4


@procedure
async def pay_and_apply(g: Game, u: Ref[Use]) -> None:
    """The declared cost is paid, the effect is applied if it was, and the state becomes proper."""
    paid = can_pay(g, u)
    pay(g, u)  #: 第5章5.6 #: 第9章2.6
    if paid and those_concerned_exist(g, u):
        await apply(g, u)  #: 第5章5.7 #: 第9章2.7
    else:
        take_back(g, u)
    make_proper(g, u)  #: 第5章5.8 #: 第9章2.8


# ---------------------------------------------------------------- 6  paying
@define
def pledged_helpers(g: Game, u: Ref[Use]) -> Set[Card]:
    """Those who were named as helping and can still become tired."""
    return {c for c in CARDS if g.card[c].pledged == u and fresh(g, c)}  #: 第1章5「協力」


@define
def pledged_discards(g: Game, u: Ref[Use]) -> Set[Card]:
    """The cards in hand that were named as a cost."""
    return {c for p in PLAYERS for c in g.hand[p] if g.card[c].pledged == u} - {g.uses[u].card} - shown_form(g, u)


@define
def shown_form(g: Game, u: Ref[Use]) -> Set[Card]:
    """The card shown as the new form, if there is one."""
    form = g.uses[u].form
    return set() if form is None else {form}  #: 第10章2


@define
def can_pay(g: Game, u: Ref[Use]) -> bool:
    """Can all that was declared be paid? Nobody else can stand in."""
    return (
        len(pledged_helpers(g, u)) == g.uses[u].helpers and len(pledged_discards(g, u)) == g.uses[u].discards
    )  #: 第5章5.6 #: 第9章2.6


@step
def pay(g: Game, u: Ref[Use]) -> None:
    """Those who help become tired, cards are discarded. What if only a part can be paid, no clause says."""
    if can_pay(g, u) or reading("part-payment") == "what-can-be":
        for c in pledged_helpers(g, u):
            tire(g, c)  #: 第5章5.6 #: 第9章2.6
        for c in pledged_discards(g, u):
            discard(g, c)  #: 第5章5.6 #: 第9章2.6


# ---------------------------------------------------------------- 7  applying
@define
def those_concerned_exist(g: Game, u: Ref[Use]) -> bool:
    """Are the character that uses it and the target still there?"""
    use = g.uses[u]
    if use.act == Act.ABILITY and use.user is None:
        return False  #: 第5章5.7
    if use.act == Act.EFFECT and is_ts_effect(use.card) and not is_exchange(use.card) and use.form is None:
        return False  #: 第10章2
    target = still_a_character(g, use.target)
    if not use.targets:
        return True
    return target is not None and is_still_proper(g, use.by, use.ability, target)  #: 第5章5.7 #: 第9章2.7


@define
def is_still_proper(g: Game, by: Player, ability: Option[Ability], target: Card) -> bool:
    """Is it enough for a target to exist, or must it still be a proper one?"""
    if ability is None or reading("target-at-applying") == "exists":
        return True  #: 第5章5.7 #: 第9章2.7
    return may_be_target(g, by, ability, target)


@procedure
async def apply(g: Game, u: Ref[Use]) -> None:
    """What was declared happens."""
    p, card, target = g.uses[u].by, g.uses[u].card, still_a_character(g, g.uses[u].target)
    match g.uses[u].act:
        case Act.ABILITY | Act.HAPPENING:
            await apply_text(g, p, g.uses[u].ability, target if g.uses[u].targets else g.uses[u].user)
        case Act.ATTACK:
            await strike(g, p, card)  #: 第3章4.2
        case _:
            if is_being_used(g, card, u):
                lay_down(g, u, g.uses[u].act, card, target)  #: 第3章4


@step
def lay_down(g: Game, u: Ref[Use], act: Act, card: Card, target: Option[Obj]) -> None:
    """A card that stays in play goes where it belongs."""
    p = g.uses[u].by
    match act:
        case Act.DRESS:
            if target is not None:
                put_on(g, p, card, target)  #: 第3章4.3
        case Act.EFFECT:
            form = g.uses[u].form
            if target is not None and form is not None and is_being_used(g, form, u):
                change(g, p, card, target, form)  #: 第10章2
            elif target is not None and is_exchange(card):
                exchange(g, p, card, target)  #: 第10章5
            elif target is not None:
                put_effect(g, p, card, target)  #: 第3章4.4
        case Act.ENTRY:
            enter(g, p, card)  #: 第3章4.1
        case Act.SETTING:
            set_pl(g, p, card)  #: 第10章4.1
        case _:
            pass


@define
def still_a_character(g: Game, card: Option[Obj]) -> Option[Obj]:
    """The target, if it exists: a card that has been covered by another PL character is none."""
    return card if card is not None and is_character(g, card) else None  #: 第5章5.7 #: 第9章2.7


@procedure
async def apply_text(g: Game, p: Player, ability: Option[Ability], this: Option[Obj]) -> None:
    """What the text of an ability or a happening says."""
    if ability is not None:
        await run_text(g, ability, this, p, NO_CAUSE)  #: 第5章5.7 #: 第9章2.7


@step
def take_back(g: Game, u: Ref[Use]) -> None:
    """The effect was not applied. Whether the card is spent all the same, no clause says; a form was only shown."""
    for c in shown_form(g, u):
        if is_being_used(g, c, u):
            put(c, g.hand[owner(c)])  #: 第10章2
    card = g.uses[u].card
    if is_being_used(g, card, u):
        if reading("unapplied-card") == "back-to-hand":
            put(card, g.hand[owner(card)])
            g.card[card].pledged = None
        else:
            put_out_of_play(g, card)  #: 第1章3.4 #: 第1章4(5)


@define
def is_being_used(g: Game, card: Card, u: Ref[Use]) -> bool:
    """Is the card one that is not in play yet, and has it not gone elsewhere meanwhile?"""
    return zone_of(card) == g.in_use or (zone_of(card) in g.hand and g.card[card].pledged == u)


# ---------------------------------------------------------------- 8  settling
@step
def make_proper(g: Game, u: Ref[Use]) -> None:
    """The card is put away, and what was pledged is free again."""
    card = g.uses[u].card
    if g.uses[u].act == Act.HAPPENING and is_being_used(g, card, u):
        put_out_of_play(g, card)  #: 第1章3.4
    drop_improper_dresses(g)
    g.uses.free(u)  #: 第5章5.8 #: 第9章2.8
