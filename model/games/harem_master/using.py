"""402, 406 and 407: events and abilities, when they can be used, and how they are resolved."""
from ...kernel.windows import *
from ...lang import *
from .moving import *
from .triggers import *


class Pass(Inaction):
    """Do nothing."""


class UseEvent(Record):  #: 306.2
    """Use an event card from hand."""

    card: Card


class UseAbility(Record):  #: 306.4
    """Use an ability of a character."""

    ability: Ability
    card: Card


Using = Pass | UseEvent | UseAbility


# ---------------------------------------------------------------- 402, 406.1  what can be used
@define
def uses(g: Game, p: Player, timing: Timing) -> Set[Using]:
    """What the player may use at this chance, nothing included."""
    return (
        {Pass()}
        | {UseEvent(c) for c in g.hand[p] if may_use_event(g, p, c, timing)}
        | {UseAbility(a, c) for c in g.field[p] for a in Printed(c).abilities if may_use(g, p, a, c, timing)}
    )  #: 402.3 #: 401.4a


@define
def may_use_event(g: Game, p: Player, card: Card, timing: Timing) -> bool:
    """Is it an event for this chance that the player can pay for?"""
    return (
        Printed(card).kind == Kind.EVENT
        and can_pay(g, p, Printed(card).cost)
        and any(is_timely(g, p, a, card, timing) for a in Printed(card).abilities)
    )  #: 306.2 #: 406.1


@define
def may_use(g: Game, p: Player, ability: Ability, card: Card, timing: Timing) -> bool:
    """Is it an activated ability for this chance that the player can pay for?"""
    return (
        Text(ability).kind == AbilityKind.ACTIVATED
        and is_timely(g, p, ability, card, timing)
        and can_pay(g, p, Text(ability).price)
        and not (Text(ability).acts and g.card[card].acted)
    )  #: 402.1a #: 504


@define
def is_timely(g: Game, p: Player, ability: Ability, card: Card, timing: Timing) -> bool:
    """Is the ability one for this chance, in this turn, in this situation?"""
    return (
        belongs_to(g, ability, timing) and in_own_time(g, p, ability) and condition(g, ability, card, p)
    )  #: 406.1 #: 402.2a


# ---------------------------------------------------------------- 406.2, 406.3  chances
@procedure
async def take_part(g: Game, p: Player, timing: Timing) -> bool:
    """One player uses any number and then passes; the other uses one, and it begins anew."""
    if p == asked_first(g):
        await use_any_number(g, p, timing)  #: 406.2
        return False
    return await use_one(g, p, timing)  #: 406.2


@procedure(scope=Scope.STEP)
async def use_any_number(g: Game, p: Player, timing: Timing) -> None:
    """The player uses events and abilities, one after another, as many as that player likes."""
    while True:
        if not await use_one(g, p, timing):  #: 406.2 #: 406.3
            return  #: 406.2


@procedure
async def use_one(g: Game, p: Player, timing: Timing) -> bool:
    """The player may use one event or ability. Says whether that was done."""
    act = await choose(p, uses(g, p, timing))  #: 407.2
    match act:
        case Pass():
            return False
        case UseEvent(card):
            await use_event(g, p, card)
        case UseAbility(ability, card):
            await use_ability(g, p, ability, card)
    return True


# ---------------------------------------------------------------- 407  use and resolution
@procedure
async def use_event(g: Game, p: Player, card: Card) -> None:
    """An event goes to the discard pile, its cost is paid, it can be responded to, and it does what it says."""
    forget(g, card)
    put(card, g.discard[p])  #: 306.2 #: 214.3e
    await pay(g, p, Printed(card).cost)  #: 306.2 #: 407.2
    if await survives_responses(g, p, card):  #: 407.3
        for a in Printed(card).abilities:
            await run_text(g, a, card, p, NO_CAUSE)  #: 407.4
    await resolve_triggers(g)  #: 403.1b


@action
async def use_ability(g: Game, p: Player, ability: Ability, card: Card) -> None:
    """The cost of an ability is paid, it can be responded to, and it does what it says."""
    this: Option[Obj] = card
    if Text(ability).acts:
        g.card[card].acted = True  #: 504 #: 402.1a
    await pay(g, p, Text(ability).price)  #: 306.4 #: 407.2
    if await survives_responses(g, p, card):  #: 407.3
        await run_text(g, ability, this, p, NO_CAUSE)  #: 407.4
    await resolve_triggers(g)  #: 403.1b


@permits(use_ability)
def in_turn_or_by_its_icon(g: Game, p: Player, ability: Ability, card: Card) -> bool:
    """May the player use it among the actions of a turn: the active player any, the other what has the icon?"""
    return p == g.turn_player or Text(ability).opponents_turn  #: 305 #: 306


@permits(use_ability)
def changes_the_fight(g: Game, p: Player, ability: Ability, card: Card) -> bool:
    """Does it change what the fight is about? Both players may use such abilities, whoever's turn it is."""
    fought_out = g.fight.kind == FightKind.COMBAT or g.fight.kind == FightKind.APPROACH
    return Text(ability).changes_fight and fought_out  #: 306.5h


@forbids(use_ability)
def in_the_others_turn(g: Game, p: Player, ability: Ability, card: Card) -> bool:
    """Is it the other player's turn, and does no icon say that it can be used then?"""
    return not in_own_time(g, p, ability)  #: 402.2


@procedure
async def survives_responses(g: Game, p: Player, card: Card) -> bool:
    """Events and abilities may be used in response, and are resolved first. Says whether nothing countered the use."""
    use = g.uses.new(Use(p, card))
    with restored(g.answered):
        g.answered = use
        await answer(
            g,
            Timing.RESPONSE,
            first=asked_first(g),
            act=take_part,  #: 407.3
            enough=2,
        )  #: 406.2 #: 407.3 #: 406.3a
    stands = not g.uses[use].countered  #: 411.1b
    g.uses.free(use)
    return stands


# ---------------------------------------------------------------- 411  countering
@define
def used_by(g: Game, p: Player) -> bool:
    """Is what can be responded to now a use of this player's?"""
    return g.answered is not None and g.uses[g.answered].by == p


@define
def is_event_use(g: Game) -> bool:
    """Is what can be responded to now an event?"""
    return g.answered is not None and Printed(g.uses[g.answered].card).kind == Kind.EVENT


@step
def counter(g: Game) -> None:
    """What is being responded to will have no effect. (As an event, it lies in the discard pile already.)"""
    if g.answered is not None:
        g.uses[g.answered].countered = True  #: 411.1b
