"""9-2, 9-3, 9-4 and 10-5: using cards, paying for them, and resolving attacks."""
from ...lang import *
from .crystals import *
from .damage import *
from .effects import *
from .modifiers import *
from .state import *


class How(Enum):  #: 9-2
    """In which way a card is used."""

    STANDARD = 1  #: 8-2-2.A
    FULL_POWER = 2  #: 8-2-2.B
    REACTION = 3  #: 9-4.i
    EFFECT = 4  #: 9-8


class React(Record):  #: 9-4.i
    """Use a card in reaction to an attack."""

    card: Card


class Pass(Inaction):
    """Do nothing."""


# ---------------------------------------------------------------- 9-2  which uses are improper
@define
def of_the_wrong_sort(card: Card, how: How) -> bool:
    """Does the type or subtype forbid this way of using the card?"""
    if not can_be_picked(card, how):
        return True  #: 9-2
    return how == How.STANDARD and Printed(card).subtype == Subtype.FULL_POWER  #: 9-2 #: 8-2-2.A


@define
def can_be_picked(card: Card, how: How) -> bool:
    """Are there rules for using the card, and if it is to react, is it a reaction?"""
    if Printed(card).type == CardType.INDEFINITE:
        return False  #: 6-2-1-5
    if how == How.REACTION:
        return Printed(card).subtype == Subtype.REACTION  #: 9-4.i
    return True


@define
def condition_unmet(g: Game, p: Player, card: Card) -> bool:
    """Is a special condition for using the card not met, or is the player kept from attacking?"""
    if Printed(card).usable_at and distance_now(g) not in Printed(card).usable_at:
        return True  #: 9-2 #: 10-37
    return Printed(card).type == CardType.ATTACK and has(g, other(p), Grant.OPPONENT_CANNOT_ATTACK)  #: 9-2


@define
def improper(g: Game, p: Player, card: Card, how: How) -> bool:
    """Is the use improper, whatever it costs?"""
    return of_the_wrong_sort(card, how) or condition_unmet(g, p, card)  #: 9-2


@define
def in_reach(g: Game, p: Player, card: Card) -> bool:
    """Would an attack with the card be in range?"""
    return distance_now(g) in modified_range(g, Subject(p, card, None), Printed(card).range)  #: 9-2-1.i #: 9-4-1


@define
def affordable(g: Game, p: Player, card: Card) -> bool:
    """Can the price be paid in full?"""
    return g.flare[p] >= Printed(card).price  #: 5-9 #: 9-3-1


@define
def proper(g: Game, p: Player, card: Card, how: How) -> bool:
    """Would the use of the card get as far as its being used?"""
    if improper(g, p, card, how) or not affordable(g, p, card):
        return False
    return Printed(card).type != CardType.ATTACK or in_reach(g, p, card)


@define
def usable(g: Game, p: Player, how: How) -> Set[Card]:
    """The cards that the player may choose to use: from the hand, and unused trumps."""
    if g.uses_no_more[p]:
        return set()  #: 9-2
    if reading("improper-use") == "tried":
        return {c for c in at_hand(g, p) if can_be_picked(c, how)}  #: 9-2
    return {c for c in at_hand(g, p) if proper(g, p, c, how)}  #: 9-2


@define
def at_hand(g: Game, p: Player) -> Set[Card]:
    """The cards in the player's hand, and the unused trumps."""
    return g.hand[p] | {c for c in g.trumps[p] if is_unused_trump(g, c)}  #: 9-2


# ---------------------------------------------------------------- 9-2  using a card
outranks("forbids", "permits")  #: 1-4 #: 9-2


@action
async def use_card(g: Game, p: Player, card: Card, how: How, answering: Option[Ref[Attack]]) -> None:
    """The card is used, unless that is improper or cannot be paid for: then everything is as it was before."""
    with restored(g.answered):
        g.answered = answering
        match Printed(card).type:
            case CardType.ATTACK:
                await use_attack(g, p, card, how)  #: 9-2-1
            case CardType.ACTION:
                await use_action(g, p, card)  #: 9-2-2
            case CardType.ENHANCEMENT:
                await use_enhancement(g, p, card)  #: 9-2-3
            case CardType.INDEFINITE:
                pass


@permits(use_card)
def may_be_chosen(g: Game, p: Player, card: Card, how: How, answering: Option[Ref[Attack]]) -> bool:
    """May the player use the card from where it lies? An effect says itself from where."""
    return how == How.EFFECT or card in at_hand(g, p)  #: 9-2


@forbids(use_card)
def would_be_improper(g: Game, p: Player, card: Card, how: How, answering: Option[Ref[Attack]]) -> bool:
    """Is it a use that the rules or a card make improper, or does a terminal card bar it?"""
    return g.uses_no_more[p] or improper(g, p, card, how)  #: 9-2


@step
def pay(g: Game, p: Player, card: Card) -> None:
    """The price goes from the flare to dust."""
    move_crystals(g, Printed(card).price, flare(p), dust())  #: 9-3-1 #: 5-9


@step
def begin_use(g: Game, p: Player, card: Card) -> None:
    """From now on the card counts as used."""
    move_card(g, card, g.in_use[p])  #: 9-2-1.iii #: 9-2-2.ii #: 9-2-3.ii
    if is_trump(card):
        g.card[card].use = Use.IN_USE  #: 9-2-1.iii #: 9-2-2.ii #: 9-2-3.ii


@step
def end_use(g: Game, p: Player, card: Card) -> None:
    """The card has been resolved. After a terminal one the player does no more this turn."""
    if zone_of(card) in g.in_use:
        put_away(g, card)  #: 9-2-1.v #: 9-2-2.iv
    if has_keyword(card, Keyword.TERMINAL):
        g.uses_no_more[p] = True  #: 9-2


# ---------------------------------------------------------------- 9-2-1  attack cards
@procedure
async def use_attack(g: Game, p: Player, card: Card, how: How) -> None:
    """An attack is made of the card; if it is in range and paid for, it is resolved."""
    a = g.attacks.new(attack_of(p, card, how))  #: 9-2-1.i
    look_for_unclear_range(g, a)
    if not in_range(g, a) or not affordable(g, p, card):
        g.attacks.free(a)  #: 9-2-1.i #: 9-2-1.ii
        return
    pay(g, p, card)  #: 9-2-1.ii
    begin_use(g, p, card)  #: 9-2-1.iii
    await resolve_attack(g, a)  #: 9-2-1.iv
    end_use(g, p, card)  #: 9-2-1.v


@define
def attack_of(p: Player, card: Card, how: How) -> Attack:
    """The attack that the card makes: what it has is what the card has."""
    return Attack(
        p,
        card,
        of_card=True,
        reacting=how == How.REACTION,
        range=Printed(card).range,
        to_aura=Printed(card).to_aura,
        to_life=Printed(card).to_life,
    )  #: 9-2-1.i


# ---------------------------------------------------------------- 9-2-2  action cards
@procedure
async def use_action(g: Game, p: Player, card: Card) -> None:
    """What the card says is done."""
    if not affordable(g, p, card):
        return  #: 9-2-2.i
    pay(g, p, card)  #: 9-2-2.i
    begin_use(g, p, card)  #: 9-2-2.ii
    await carry_out(g, card, EffectKind.ON_USE, p)  #: 9-2-2.iii
    end_use(g, p, card)  #: 9-2-2.iv


# ---------------------------------------------------------------- 9-2-3  enhancement cards
@procedure
async def use_enhancement(g: Game, p: Player, card: Card) -> None:
    """The card is charged with crystals and deployed."""
    if not affordable(g, p, card):
        return  #: 9-2-3.i
    pay(g, p, card)  #: 9-2-3.i
    begin_use(g, p, card)  #: 9-2-3.ii
    await charge(g, p, card)  #: 9-2-3.iii
    await carry_out(g, card, EffectKind.ON_DEPLOY, p)  #: 9-2-3.iv
    if zone_of(card) in g.in_use or reading("deployed-anyway") == "anyway":
        move_card(g, card, g.enhancements[p])  #: 9-2-3.v
    end_use(g, p, card)


@procedure
async def charge(g: Game, p: Player, card: Card) -> None:
    """As many crystals as its charge are chosen from dust and the player's aura and bound to the card, if it is still in use."""
    room = Printed(card).charge if zone_of(card) in g.in_use else 0  #: 9-2-3.iii
    wanted = min(room, g.dust + g.aura[p])  #: 5-10 #: 6-3
    from_aura = await choose_number(p, max(0, wanted - g.dust), min(wanted, g.aura[p]))  #: 9-2-3.iii
    with simultaneously():
        move_crystals(g, from_aura, aura(p), on(g, card))  #: 9-2-3.iii
        move_crystals(g, wanted - from_aura, dust(), on(g, card))  #: 9-2-3.iii


# ---------------------------------------------------------------- 9-4  resolving an attack
@define
def in_range(g: Game, a: Ref[Attack]) -> bool:
    """Is the current distance in the range of the attack?"""
    return distance_now(g) in modified_range(g, subject(g, a), g.attacks[a].range)  #: 9-4-1


@procedure
async def resolve_attack(g: Game, a: Ref[Attack]) -> None:
    """Reaction, range, damage, effects."""
    by = g.attacks[a].by
    if not has(g, other(by), Grant.OPPONENT_CANNOT_ATTACK):  #: 9-4
        await react(g, a)  #: 9-4.i
        hit = succeeds(g, a)  #: 9-4.ii #: 9-4.iii
        if hit:
            await deal_damage(g, a)  #: 9-4.iv #: 9-4.v
            await after_attack(g, a)  #: 9-4.vi #: 9-4.vii
    end_attack(g, a)  #: 9-4.viii


@step
def end_attack(g: Game, a: Ref[Attack]) -> None:
    """The attack is over, and what was given to it."""
    with simultaneously():
        for x in g.given:
            if x.to == a:
                g.given.remove(x)
    g.attacks.free(a)  #: 9-4.viii


@procedure
async def react(g: Game, a: Ref[Attack]) -> None:
    """Whoever is attacked may use one card in reaction, unless the attack is itself a reaction."""
    who = other(g.attacks[a].by)
    if g.attacks[a].reacting:
        return  #: 9-4.i
    act = await choose(who, {Pass()} | {React(c) for c in usable(g, who, How.REACTION) if may_answer(g, a, c)})  #: 9-4.i
    match act:
        case React(card):
            await use_card(g, who, card, How.REACTION, a)  #: 9-4.i #: 9-8
        case Pass():
            return


@define
def may_answer(g: Game, a: Ref[Attack], card: Card) -> bool:
    """Does the attack leave room for this card as a reaction?"""
    if not g.attacks[a].of_card:
        return True
    attacker = g.attacks[a].card
    if has_keyword(attacker, Keyword.NO_REACTION):
        return False  #: 10-22
    return is_trump(card) or not has_keyword(attacker, Keyword.NO_NORMAL_REACTION)  #: 10-22


@step
def succeeds(g: Game, a: Ref[Attack]) -> bool:
    """Is the attack neither countered nor out of range? Where that is decided already, its range is not looked at."""
    if g.attacks[a].countered:
        return False  #: 9-4.ii
    if g.attacks[a].of_card and has_keyword(g.attacks[a].card, Keyword.UNAVOIDABLE):
        return True  #: 9-4.iii
    look_for_unclear_range(g, a)
    return in_range(g, a)  #: 9-4.iii


@procedure
async def deal_damage(g: Game, a: Ref[Attack]) -> None:
    """The attacked player takes the damage, unless that was countered."""
    if g.attacks[a].damage_countered:
        return  #: 9-4.iv
    look_for_unclear_damage(g, a)
    who, to_aura, to_life = other(g.attacks[a].by), damage(g, a, Side.AURA), damage(g, a, Side.LIFE)
    if g.attacks[a].of_card and has_keyword(g.attacks[a].card, Keyword.BOTH_DAMAGES):
        harm_both(g, who, to_aura, to_life, DamageSource.ATTACK)  #: 10-26
    else:
        await take_damage(g, who, to_aura, to_life, DamageSource.ATTACK)  #: 9-4.v


@procedure
async def after_attack(g: Game, a: Ref[Attack]) -> None:
    """The effects after the attack, unless they were countered. The book sends a countered one to the same step."""
    if g.attacks[a].effects_countered and reading("countered-effects") == "skipped":
        return  #: 9-4.vi
    if g.attacks[a].of_card:
        await carry_out(g, g.attacks[a].card, EffectKind.AFTER_ATTACK, g.attacks[a].by)  #: 9-4.vii


# ---------------------------------------------------------------- 10-5  attacks that effects make
@procedure
async def make_attack(
    g: Game, source: Option[Obj], p: Player, reach: Set[Distance], to_aura: Option[int], to_life: Option[int]
) -> None:
    """An effect of the source makes an attack; it is resolved inside the effect."""
    if source is None:
        return
    reacting = g.answered is not None and reading("reactions-attack") == "reacting"  #: 9-4.i
    a = g.attacks.new(Attack(p, source, False, reacting, reach, to_aura, to_life))  #: 10-5.1
    look_for_unclear_range(g, a)
    if in_range(g, a):  #: 10-5.2
        await resolve_attack(g, a)  #: 10-5.3 #: 9-8
    else:
        g.attacks.free(a)  #: 10-5.2
        if reading("improper-effect") == "ends":
            raise ImproperEffect  #: 10-5.2


# ---------------------------------------------------------------- what effects do to attacks
@define
def can_be_countered(g: Game, a: Ref[Attack]) -> bool:
    """May an effect counter the attack or parts of it?"""
    return not (g.attacks[a].of_card and has_keyword(g.attacks[a].card, Keyword.NOT_COUNTERED))  #: 10-23


@step
def counter_attack(g: Game) -> None:
    """The attack that is reacted to fails."""
    if g.answered is not None and can_be_countered(g, g.answered):
        g.attacks[g.answered].countered = True  #: 9-4.ii


@step
def counter_damage(g: Game) -> None:
    """The attack that is reacted to deals no damage."""
    if g.answered is not None and can_be_countered(g, g.answered):
        g.attacks[g.answered].damage_countered = True  #: 9-4.iv


@step
def counter_effects(g: Game) -> None:
    """The attack that is reacted to has no effects after it."""
    if g.answered is not None and can_be_countered(g, g.answered):
        g.attacks[g.answered].effects_countered = True  #: 9-4.vi


@step
def modify_answered(g: Game, source: Option[Obj]) -> None:
    """The attack that is reacted to is given what the source has to give."""
    if source is not None and g.answered is not None:
        for m in Printed(source).abilities:
            if Text(m).kind == EffectKind.GIVEN:
                g.given.add(Given(g.answered, m, source))  #: 10-3 #: 10-4 #: 10-35
