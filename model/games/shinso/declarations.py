"""【生命転化】, 【魂魄燃焼】 and their order in battle; set powers, which may be used at any time too."""
from ...lang import *
from .decks import *
from .effects import *
from .moving import *
from .policies import *
from .state import *


class UseSetPower(Record):  #: セットされた権能
    """Use a power that has been set."""

    card: Card


class Convert(Record):  #: 【生命転化】第2段落
    """Declare Life Conversion at the cost of a rim card."""

    effect: Effect
    rim: Card


class ConvertFor(Record):  #: 【生命転化】.2
    """Declare Life Conversion at the cost of a rim card for kin or a shard."""

    effect: Effect
    rim: Card
    on: Card


class Burn(Record):  #: 【魂魄燃焼】第2段落
    """Declare Soul Burning."""

    effect: Effect


class BurnFor(Record):  #: 【魂魄燃焼】第2段落
    """Declare Soul Burning for kin or a shard."""

    effect: Effect
    on: Card


Conversion = Convert | ConvertFor
Burning = Burn | BurnFor
Declaration = Pass | Convert | ConvertFor | Burn | BurnFor | UseSetPower


# ---------------------------------------------------------------- 【生命転化】
@define
def conversions_allowed(g: Game, p: Player) -> int:
    """How often the player may use Life Conversion in a turn."""
    return 2 if shard_has_entered(g, p) else 1  #: 【生命転化】・1 #: 【生命転化】・2


@define
def may_convert(g: Game, p: Player) -> bool:
    """May the player use Life Conversion once more (apart from the rim card it costs)?"""
    if g.burned[p] or any(d.rim is None and d.by == p for d in g.declared):
        return False  #: 【魂魄燃焼】第2段落
    return g.conversions[p] + declared_by(g, p) < conversions_allowed(g, p)  #: 【生命転化】第3段落


@define
def spare_rims(g: Game, p: Player) -> Set[Card]:
    """The rim cards that can be the cost: nothing aims at them, and they are not promised already."""
    return {c for c in g.rim[p] if c not in g.aimed and not any(d.rim == c for d in g.declared)}  #: 【生命転化】第5段落


@define
def on_the_field(g: Game) -> Set[Card]:
    """All kin and shards on the field."""
    return fighters(g, FIRST) | fighters(g, SECOND)


@define
def conversions(g: Game, p: Player, allowed: bool) -> Set[Conversion]:
    """The Life Conversions that a player may declare who may (`allowed`)."""
    return {Convert(e, c) for e in {Effect.POINTS, Effect.HAND} for c in spare_rims(g, p) if allowed} | {
        ConvertFor(Effect.POWER, c, on) for c in spare_rims(g, p) for on in on_the_field(g) if allowed
    }  #: 【生命転化】第1段落 #: 【生命転化】第2段落 #: 【生命転化】第4段落


# ---------------------------------------------------------------- 【魂魄燃焼】
@define
def may_burn(g: Game, p: Player) -> bool:
    """May the player use Soul Burning now?"""
    if g.turn_number < 3:
        return False  #: 【魂魄燃焼】第1段落
    if g.burned_this_turn is not None or any(d.rim is None for d in g.declared):
        return False  #: 【魂魄燃焼】第4段落
    if p != g.turn_player and reading("burning-whose-turn") == "own":
        return False
    return g.began_bare[p] and not g.burned[p] and len(g.core[p]) > 0  #: 【魂魄燃焼】第2段落


@define
def burnings(g: Game, allowed: bool) -> Set[Burning]:
    """The Soul Burnings that a player may declare who may (`allowed`)."""
    return {Burn(e) for e in {Effect.BURN_POINTS, Effect.BURN_SEARCH} if allowed} | {
        BurnFor(e, on) for e in {Effect.BURN_AGAIN, Effect.BURN_POWER} for on in on_the_field(g) if allowed
    }  #: 【魂魄燃焼】第2段落


# ---------------------------------------------------------------- what they do
@procedure
async def carry_out(g: Game, d: Declare) -> None:
    """What was declared is done."""
    p = d.by
    if d.rim is None:
        await burn(g, p)
    else:
        g.conversions[p] += 1  #: 【生命転化】第3段落
        exile_card(g, d.rim)  #: 【生命転化】第2段落
    match d.effect:
        case Effect.POINTS:
            g.points[p] += 1  #: 【生命転化】.1
        case Effect.POWER:
            if d.on is not None:
                g.card[d.on].this_turn += 5000  #: 【生命転化】.2
        case Effect.HAND:
            await new_hand(g, p)  #: 【生命転化】.3
        case Effect.BURN_AGAIN:
            if d.on is not None:
                g.card[d.on].again += 1  #: 【魂魄燃焼】.1
        case Effect.BURN_POWER:
            if d.on is not None:
                g.card[d.on].gain += 10000  #: 【魂魄燃焼】.2
        case Effect.BURN_POINTS:
            g.points[p] += len(g.hand[p])  #: 【魂魄燃焼】.3
        case Effect.BURN_SEARCH:
            await search(g, p)  #: 【魂魄燃焼】.4


@procedure
async def new_hand(g: Game, p: Player) -> None:
    """The whole hand is discarded, and as many cards are drawn, five at least."""
    count = max(5, len(g.hand[p]))  #: 【生命転化】.3
    to_graveyard(g, g.hand[p])  #: 【生命転化】.3
    await draw_cards(g, p, count)  #: 【生命転化】.3


@procedure
async def burn(g: Game, p: Player) -> None:
    """The core card becomes a life card, and life cards may be added to it; Life Conversion is over for the player."""
    g.burned[p] = True  #: 【魂魄燃焼】第2段落
    g.burned_this_turn = p  #: 【魂魄燃焼】第4段落
    if g.ending and p == g.turn_player and reading("burning-count") == "from-that-turn":
        g.end_phases[p] += 1  #: 勝利条件・3
    core_becomes_rim(g, p)  #: 【魂魄燃焼】第2段落
    await may_add_rims(g, p, len(g.life_deck[p]))  #: 【魂魄燃焼】第2段落


@step
def core_becomes_rim(g: Game, p: Player) -> None:
    """The core card becomes a rim card."""
    for c in g.core[p]:
        go(g, c, g.rim[p])  #: 【魂魄燃焼】第2段落
    if reading("core-card") == "part-of-life-deck":
        look_at_life_decks(g, {p})  #: 勝利条件・2


@procedure
async def search(g: Game, p: Player) -> None:
    """As many cards as a draw phase gives are looked for; the next own draw phase is skipped."""
    found = await choose_some(p, g.deck[p], phase_draws(g, p), phase_draws(g, p))
    take_found(g, p, found)  #: 【魂魄燃焼】.4


@step
def take_found(g: Game, p: Player, found: Set[Card]) -> None:
    """The cards go to hand, and the draw pile is shuffled."""
    for c in found:
        go(g, c, g.hand[p])  #: 【魂魄燃焼】.4
    shuffle(g.deck[p])  #: 【魂魄燃焼】.4
    g.skips_draw[p] = True  #: 【魂魄燃焼】.4


# ---------------------------------------------------------------- セットされた権能
@define
def usable_set_powers(g: Game, p: Player) -> Set[Card]:
    """The set power of the player, if it may be used now."""
    return {c for c in g.power_slot[p] if may_use_set_power(g, p, c)}  #: セットされた権能


@define
def may_use_set_power(g: Game, p: Player, card: Card) -> bool:
    """May it be used now, and can its extra cost be paid?"""
    payable = Printed(card).cost <= 3 or len(payable_with(g, p, card)) > 0  #: セットされた権能の行動権について・2
    return permitted(use_set_power, g, p, card) and payable  #: セットされた権能


@define
def payable_with(g: Game, p: Player, power_card: Card) -> Set[Card]:
    """The cards that can be exiled as the extra cost of a set power that costs four or more."""
    whose = {p} if reading("extra-cost-area") == "own" else PLAYERS
    there = g.hand[p] | {c for q in whose for c in g.coffin[q] | g.rim[q] | g.shift[q] | exilable(g, q)}
    return there - {power_card} - kept_for_the_attack(g)  #: セットされた権能の行動権について・2


@define
def kept_for_the_attack(g: Game) -> Set[Card]:
    """The rim cards that cannot be an extra cost either, by one reading, since something aims at them."""
    return g.aimed if g.aimed and reading("aimed-at-as-extra-cost") == "not-either" else set()  #: 【生命転化】第5段落


@define
def exilable(g: Game, p: Player) -> Set[Card]:
    """The player's cards on the field; the shard only by one reading."""
    fight = fighters(g, p) if reading("shard-as-extra-cost") == "may-be" else kin_of(g, p)
    return fight | all_treasures(g, p) | g.domain_slot[p] | g.power_slot[p]


@action
async def use_set_power(g: Game, p: Player, card: Card) -> None:
    """The set power does what it says and goes to the graveyard; one of cost EX does nothing where an extra cost was chosen that cannot be paid."""
    dear = Printed(card).cost > 3  #: セットされた権能の行動権について・1
    if Printed(card).free_cost == FreeCost.EX or (Printed(card).free_cost == FreeCost.ALL and payable_with(g, p, card)):
        dear = await may(p)  #: セットされた権能の行動権について・3 #: セットされた権能の行動権について・4
    if dear and not payable_with(g, p, card):
        to_graveyard(g, {card})  #: セットされた権能の行動権について・4
        return
    if dear:
        paid = await choose(p, payable_with(g, p, card))
        exile_card(g, paid)  #: セットされた権能の行動権について・2
    await do_power(g, p, card)


outranks("forbids", "permits")  #: セットされた権能


@permits(use_set_power)
def is_set(g: Game, p: Player, card: Card) -> bool:
    """Is it a power that the player has set? It may be used at any time."""
    return card in g.power_slot[p]  #: セットされた権能


@forbids(use_set_power)
def was_just_set(g: Game, p: Player, card: Card) -> bool:
    """Was it set in this turn?"""
    return g.card[card].set_this_turn  #: セットされた権能・1


@forbids(use_set_power)
def is_being_attacked(g: Game, p: Player, card: Card) -> bool:
    """Is it what an attack is made on?"""
    return card == g.attacked  #: セットされた権能・2


@procedure
async def do_power(g: Game, p: Player, card: Card) -> None:
    """A power does what it says; then it goes to the graveyard, if it is still where it was."""
    this: Option[Obj] = card
    for a in Printed(card).abilities:
        if Text(a).kind == AbilityKind.POWER:
            await run_text(g, a, this, p, NO_CAUSE)  #: プレイする・4
    if this is not None:
        to_graveyard(g, {this})  #: プレイフェイズ・4
    await process_effects(g)


# ---------------------------------------------------------------- at any time
@define
def may_burn_at(g: Game, p: Player, m: Moment) -> bool:
    """May the player use Soul Burning at this moment? That this is possible at any time is not written."""
    if m == Moment.BATTLE or not may_burn(g, p):
        return False
    return is_free_choice(m) or reading("burning-when") == "any-time"  #: 【魂魄燃焼】第2段落


@define
def may_convert_at(g: Game, p: Player, m: Moment) -> bool:
    """The same of Life Conversion, once more."""
    return m != Moment.BATTLE and may_convert(g, p)  #: 【生命転化】第1段落


@define
def can_declare(g: Game, p: Player, m: Moment) -> bool:
    """Is there anything that the player could declare at this moment?"""
    if (may_convert_at(g, p, m) and len(spare_rims(g, p)) > 0) or may_burn_at(g, p, m):
        return True
    in_time = m != Moment.BATTLE or reading("set-power-in-battle") != "not-in-battle"
    return in_time and len(usable_set_powers(g, p)) > 0


@define
def declarations(g: Game, p: Player, m: Moment) -> Set[Declaration]:
    """What the player may do at such a moment, doing nothing included."""
    return (
        {Pass()}
        | conversions(g, p, may_convert_at(g, p, m))
        | burnings(g, may_burn_at(g, p, m))
        | {UseSetPower(c) for c in usable_set_powers(g, p) if m != Moment.DECLARING}
    )


MOST_ASKED = 18
"""Every declaration uses something up: at most two Life Conversions and a set power for each player, and one Soul Burning.
Between two of them one player may decline, and both do in the end. So this ends, and needs no head of a loop."""


@procedure
async def any_time(g: Game, m: Moment) -> None:
    """A moment at which both players may declare what can be declared at any time, until both in a row decline."""
    if not is_offered(m) or not any(can_declare(g, p, m) for p in PLAYERS):
        return
    who = await first_asked(g, {p for p in PLAYERS if can_declare(g, p, m)})
    declined = 0
    for _ in up_to(MOST_ASKED):
        if declined < 2:
            declared = await declare(g, who, m, do=carry_out)
            declined = 0 if declared else declined + 1
            who = other(who)


@procedure
async def declare(g: Game, p: Player, m: Moment, do: Procedure[[Declare], None]) -> bool:  #: caller
    """The player may declare one thing. It is asked between steps, never inside an effect. Says whether it was done."""
    act = await choose(p, declarations(g, p, m))
    match act:
        case Pass():
            return False
        case Convert(effect, rim):
            await do(g, Declare(effect, rim, None, p))  #: 【生命転化】第1段落
        case ConvertFor(effect, rim, on):
            await do(g, Declare(effect, rim, on, p))  #: 【生命転化】第1段落
        case Burn(effect):
            await do(g, Declare(effect, None, None, p))  #: 【魂魄燃焼】第2段落
        case BurnFor(effect, on):
            await do(g, Declare(effect, None, on, p))  #: 【魂魄燃焼】第2段落
        case UseSetPower(card):
            await use_set_power(g, p, card)  #: セットされた権能 #: セットされた権能・3 #: セットされた権能・4
    return True


@procedure
async def first_asked(g: Game, able: Set[Player]) -> Player:
    """Who is asked first of the players who could declare something?"""
    if len(able) == 1:
        return g.turn_player if g.turn_player in able else other(g.turn_player)
    if reading("declaration-order") == "open":
        return await choose(OPEN("【生命転化】第1段落"), PLAYERS)
    return g.turn_player if asks_the_turn_player_first(g) else other(g.turn_player)


# ---------------------------------------------------------------- 戦闘時の宣言順
@procedure
async def declare_in_battle(g: Game) -> None:
    """The attacked side declares first, then the turn player, each once."""
    await declare_once(g, other(g.turn_player))  #: 戦闘時の【生命転化】/【魂魄燃焼】の宣言順.2
    if not waits_for_the_other(g):
        await do_declared(g, other(g.turn_player))  #: 戦闘時の【生命転化】/【魂魄燃焼】の宣言順.2
    await declare_once(g, g.turn_player)  #: 戦闘時の【生命転化】/【魂魄燃焼】の宣言順.3
    await do_declared(g, other(g.turn_player))
    await do_declared(g, g.turn_player)  #: 戦闘時の【生命転化】/【魂魄燃焼】の宣言順.3


@define
def waits_for_the_other(g: Game) -> bool:
    """Is what the attacked side has declared done only once the turn player has declared too?"""
    return len(g.declared) > 0 and reading("declared-carried-out") == "after-both"


MOST_AT_ONCE = 3
"""Two Life Conversions and one Soul Burning."""


@procedure
async def declare_once(g: Game, p: Player) -> None:
    """The player says how often and what for, all at once."""
    more = True
    for _ in up_to(MOST_AT_ONCE):
        if more:
            more = await declare(g, p, Moment.DECLARING, do=promise)  #: 戦闘時の【生命転化】/【魂魄燃焼】の宣言順


@procedure
async def promise(g: Game, d: Declare) -> None:
    """What was declared is done later."""
    g.declared.add(d)  #: 戦闘時の【生命転化】/【魂魄燃焼】の宣言順


@define
def declared_by(g: Game, p: Player) -> int:
    """How many things has the player declared that are still to be done?"""
    return sum(1 for d in g.declared if d.by == p)


@procedure
async def do_declared(g: Game, p: Player) -> None:
    """What the player has declared is done, Soul Burning last."""
    count = declared_by(g, p)
    for _ in up_to(count):
        last = declared_by(g, p) == 1
        next_one = await choose(p, {d for d in g.declared if d.by == p and (d.rim is not None or last)})
        g.declared.remove(next_one)
        await carry_out(g, next_one)  #: 戦闘時の【生命転化】/【魂魄燃焼】の宣言順
