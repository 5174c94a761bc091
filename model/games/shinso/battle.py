"""バトルフェイズ: from the designation of an attack to its end."""
from ...lang import *
from .decks import *
from .declarations import *
from .effects import *
from .moving import *
from .playing import *
from .policies import *
from .state import *


class AttackCard(Record):
    """Attack kin, a shard or a set power."""

    attacker: Card
    target: Card


class AttackPlayer(Record):  #: 直接攻撃
    """Attack the opponent."""

    attacker: Card


BattleAction = Pass | AttackCard | AttackPlayer


@entry("battle-phase")
@procedure(scope=Scope.PHASE)
async def battle_phase(g: Game) -> None:
    """One attack after another, as long as the turn player wants."""
    if g.turn_number == 1:
        return  #: バトルフェイズ第1段落
    while True:
        await any_time(g, Moment.BETWEEN_ATTACKS)
        act = await choose(g.turn_player, battle_actions(g))  #: バトルフェイズ第2段落 #: バトルフェイズ第3段落
        match act:
            case Pass():
                return
            case AttackCard(attacker, target):
                await attack_card(g, attacker, target)
            case AttackPlayer(attacker):
                await attack_player(g, attacker)


# ---------------------------------------------------------------- 指定ステップ
@define
def battle_actions(g: Game) -> Set[BattleAction]:
    """Who may attack what."""
    return (
        {Pass()}
        | {AttackCard(a, t) for a in attackers(g) for t in targets(g, a)}
        | {AttackPlayer(a) for a in attackers(g) if may_attack_player(g, a)}
    )  #: 指定ステップ第2段落


@define
def attackers(g: Game) -> Set[Card]:
    """The turn player's kin and shards that are awake."""
    return {c for c in fighters(g, g.turn_player) if not g.card[c].asleep}  #: 指定ステップ第1段落


@define
def stands_in_entry_slot(g: Game, card: Card) -> bool:
    """Is it a shard, or kin that stands in the entry slot?"""
    return zone_of(card) in g.entry_slot  #: 指定ステップ第4段落


@define
def facing(g: Game, card: Card) -> Set[Card]:
    """The opponent's kin opposite to kin in a placement slot."""
    return {
        c for n in SLOTS for c in g.slot[other(g.turn_player)][n]
        if zone_of(card) == g.slot[g.turn_player][n] and is_kin(c)
    }  #: 指定ステップ第3段落


@define
def targets(g: Game, a: Card) -> Set[Card]:
    """The cards that this attacker may attack."""
    return fighters_in_reach(g, a) | g.power_slot[other(g.turn_player)]  #: 指定ステップ第6段落


@define
def fighters_in_reach(g: Game, a: Card) -> Set[Card]:
    """The kin and shards that this attacker may attack."""
    if stands_in_entry_slot(g, a):
        return kin_of(g, other(g.turn_player)) | sleeping_shards(g)  #: 指定ステップ第4段落
    if Printed(a).attacks_shards:
        return facing(g, a) | sleeping_shards(g)  #: 指定ステップ第3段落
    return facing(g, a)  #: 指定ステップ第3段落


@define
def sleeping_shards(g: Game) -> Set[Card]:
    """The opponent's shards that can be attacked."""
    return {c for c in g.entry_slot[other(g.turn_player)] if is_shard(c) and g.card[c].asleep}  #: 指定ステップ第7段落


@define
def would_be_fatal(g: Game) -> bool:
    """Has the opponent no rim cards?"""
    return len(g.rim[other(g.turn_player)]) == 0  #: 致命攻撃第1段落


@define
def may_attack_player(g: Game, a: Card) -> bool:
    """May this attacker attack the opponent directly?"""
    if would_be_fatal(g):
        return may_be_fatal(g, a) and no_kin_in_the_way(g, a)  #: 致命攻撃第2段落 #: 指定ステップ第4段落
    return stands_in_entry_slot(g, a) or not facing(g, a)  #: 指定ステップ第3段落 #: 指定ステップ第4段落


@define
def may_be_fatal(g: Game, a: Card) -> bool:
    """Can this attacker's attack be a fatal one? Another clause speaks of kin in the entry slot as of shards, and a text may say so."""
    if is_shard(a):
        return True  #: 致命攻撃第2段落
    if Printed(a).fatal and reading("text-against-rules") == "text":
        return True
    return stands_in_entry_slot(g, a) and reading("entry-kin-fatal") == "entry-kin-too"  #: 指定ステップ第4段落


@define
def no_kin_in_the_way(g: Game, a: Card) -> bool:
    """Has the opponent no kin on the field, the entry slot apart, or will clearly have none once the attacker's effects have worked?"""
    abilities = {x for c in {a} | treasures_on(g, a) for x in Printed(c).abilities}
    there = sum(1 for n in SLOTS for c in g.slot[other(g.turn_player)][n] if is_kin(c))
    left = there - sum(Text(x).takes for x in abilities)
    if 0 < left <= sum(Text(x).may_take for x in abilities):
        return reading("kin-obviously-gone") == "possible"  #: 指定ステップ第4段落
    return left <= 0  #: 指定ステップ第4段落


# ---------------------------------------------------------------- 攻撃ステップ
@step
def begin_attack(g: Game, a: Card) -> None:
    """The attacker falls asleep, and effects of attacking arise."""
    g.card[a].asleep = True  #: 攻撃ステップ.1
    emit(Attacking(a))  #: 攻撃ステップ #: 攻撃ステップ.4


@procedure(scope=Scope.STEP)
async def attack_card(g: Game, attacker: Obj, target: Obj) -> None:
    """An attack on a card."""
    aimed_at_kin = is_kin(target)
    front = facing(g, attacker) == {target}
    with restored(g.attacked):
        g.attacked = target
        begin_attack(g, attacker)
        await process_effects(g)  #: 攻撃ステップ.4
        if goes_on(attacker) and target is not None:
            await attack_goes_on(g, attacker, target)
        elif attacker is not None and aimed_at_kin and front and reading("target-gone") == "direct-attack":
            await direct_attack(g, attacker, attacker, would_be_fatal(g))  #: 攻撃ステップ.2
    await end_attack(g, attacker)


@procedure
async def attack_goes_on(g: Game, attacker: Option[Obj], target: Obj) -> None:
    """Battle, or an attack on a set power."""
    if Printed(target).kind == Kind.POWER:
        await any_time(g, Moment.AIMED)
        if goes_on(attacker):
            attack_power(g, target)
    elif attacker is not None:
        await any_time(g, Moment.BATTLE)  #: セットされた権能
        await declare_in_battle(g)  #: 戦闘時の【生命転化】/【魂魄燃焼】の宣言順.1
        if attacker is not None and target is not None:  #: 戦闘時の【生命転化】/【魂魄燃焼】の宣言順.4
            settle_battle(g, attacker, target)  #: 確定ステップ・3 #: 攻撃ステップ.2 #: 攻撃ステップ.3


@step
def attack_power(g: Game, target: Option[Obj]) -> None:
    """A set power has been attacked: nothing says what becomes of it."""
    if target is None:
        return
    if reading("attack-on-power") == "undecided":
        gap("指定ステップ第6段落")
    destroy(g, {target})  #: 指定ステップ第6段落


# ---------------------------------------------------------------- 確定ステップ: 戦闘
@step
def settle_battle(g: Game, a: Card, t: Card) -> None:
    """The combat powers are compared; who has less loses, and with equal powers kin are destroyed on both sides."""
    if power(g, a) > power(g, t):
        lose(g, t)  #: 戦闘.1 #: 勝利した場合 #: 戦闘時の【生命転化】/【魂魄燃焼】の宣言順.5
    elif power(g, a) < power(g, t):
        lose(g, a)  #: 戦闘.1 #: 勝利した場合
    else:
        destroy(g, {c for c in {a, t} if is_kin(c)})  #: 戦闘.2 #: 引き分けの場合.1 #: 引き分けの場合.2


@step
def lose(g: Game, card: Card) -> None:
    """Kin are destroyed, a shard retreats."""
    if is_shard(card):
        retreat(g, card)  #: 敗北した場合.2
    else:
        destroy(g, {card})  #: 敗北した場合.1


# ---------------------------------------------------------------- 直接攻撃
@procedure(scope=Scope.STEP)
async def attack_player(g: Game, attacker: Obj) -> None:
    """An attack on the opponent."""
    by: Card = attacker
    fatal = would_be_fatal(g)  #: 致命攻撃第1段落
    begin_attack(g, attacker)
    await process_effects(g)  #: 攻撃ステップ.4
    if goes_on(attacker):
        await direct_attack(g, attacker, by, fatal)  #: 攻撃ステップ.2 #: 攻撃ステップ.3
    await end_attack(g, attacker)


@define
def goes_on(attacker: Option[Obj]) -> bool:
    """Does an attack go on, if it is no battle? By one reading it does, though the attacker is gone."""
    return attacker is not None or reading("attacker-gone") == "goes-on"  #: 攻撃ステップ.2


@procedure
async def direct_attack(g: Game, attacker: Option[Obj], by: Card, fatal_at_first: bool) -> None:
    """The attack of a card (`attacker`, as long as it is there) on the opponent, from the declarations to what becomes of the rim cards.
    On a player without rim cards an attack that can be fatal ends the game; any other achieves nothing."""
    if reading("rim-aimed-at") == "at-designation":
        await aim(g, by)  #: 【生命転化】第5段落
    if reading("direct-attack-is-battle") == "battle":
        await any_time(g, Moment.BATTLE)  #: セットされた権能
        await declare_in_battle(g)  #: 戦闘時の【生命転化】/【魂魄燃焼】の宣言順
    else:
        await any_time(g, Moment.AIMED)  #: 【生命転化】第1段落
    if goes_on(attacker):
        fatal = fatal_at_first if reading("fatal-when") == "at-designation" else would_be_fatal(g)
        if fatal and may_be_fatal(g, by):
            finish(g.turn_player)  #: 確定ステップ・2 #: 致命攻撃第2段落 #: 勝利条件・1
        elif not fatal:
            await break_rims(g, by)  #: 確定ステップ・1
    g.aimed = set()


@procedure
async def aim(g: Game, a: Card) -> None:
    """Which rim cards is the attack going to destroy? As many are named as are not yet; those that are gone do not count."""
    victim = other(g.turn_player)
    g.aimed = {c for c in g.aimed if c in g.rim[victim]}
    for _ in up_to(rims_destroyed_by(a, len(g.rim[victim])) - len(g.aimed)):
        c = await pick_rim(g, g.rim[victim] - g.aimed)
        g.aimed |= {c}  #: 【生命転化】第5段落


@define
def rims_destroyed_by(a: Card, there: int) -> int:
    """How many of the rim cards that are there does a direct attack destroy? No number is given."""
    if Printed(a).rims_at_once < there and reading("rims-per-attack") == "all":
        return there  #: 確定ステップ・1
    return min(Printed(a).rims_at_once, there)  #: 確定ステップ・1


@procedure
async def pick_rim(g: Game, among: Set[Card]) -> Card:
    """One of the rim cards: nothing says whose choice it is."""
    who = g.turn_player if reading("rim-chooser") == "attacker" else other(g.turn_player)
    return await choose(OPEN("確定ステップ・1") if reading("rim-chooser") == "open" else who, among)


@procedure
async def break_rims(g: Game, a: Card) -> None:
    """Rim cards are destroyed, looked at, and played by the attacker."""
    vampire = Printed(a).vampirism
    await aim(g, a)  #: 確定ステップ・1
    destroy_rims(g, g.aimed)  #: 確定ステップ・1
    await any_time(g, Moment.RIM_DESTROYED)
    await check_step(g)  #: 確定ステップ・1
    await binding_step(g, vampire)


# ---------------------------------------------------------------- 確認ステップ
@procedure(scope=Scope.STEP)
async def check_step(g: Game) -> None:
    """The destroyed rim cards are turned up; the attacked player uses their effects, in an order of own choice."""
    tell_of_rims(g, g.destroyed[other(g.turn_player)])  #: 確認ステップ・1 #: 確認ステップ
    await process_effects(g)  #: 確認ステップ・2


# ---------------------------------------------------------------- 呪縛ステップ
@procedure(scope=Scope.STEP)
async def binding_step(g: Game, vampire: bool) -> None:
    """What is still in the life card area is played by the attacker, as far as possible."""
    me = g.turn_player
    count = len(g.destroyed[other(me)])
    with restored(g.drained):
        if vampire:
            g.drained |= g.destroyed[other(me)]  #: 呪縛ステップ・4
        for _ in up_to(count):
            there = g.destroyed[other(me)]
            if there:
                c = await choose(OPEN("呪縛ステップ・2") if nobody_orders(there) else me, there)  #: 呪縛ステップ・1
                await bind(g, me, c)  #: 呪縛ステップ・2
                await process_effects(g)


@define
def nobody_orders(cards: Zone) -> bool:
    """Is it left open who orders several destroyed rim cards?"""
    return len(cards) > 1 and reading("order-of-binding") == "open"  #: 呪縛ステップ・2


@procedure
async def bind(g: Game, me: Player, card: Card) -> None:
    """The attacker plays a card at once, without action points but at its other costs."""
    paid = len(offerings(g, me)) >= Printed(card).sacrifice
    await sacrifice(g, me, card)  #: 呪縛ステップ・2
    if not paid:
        put_bound_away(g, card)  #: 呪縛ステップ・3
        return
    match Printed(card).kind:
        case Kind.KIN:
            await bind_kin(g, me, card)
        case Kind.POWER:
            await bind_power(g, me, card)
        case Kind.DOMAIN:
            place_domain(g, me, card, True)  #: 呪縛ステップ・2
        case Kind.TREASURE:
            await bind_treasure(g, me, card)
        case Kind.SHARD:
            put_bound_away(g, card)


@procedure
async def bind_kin(g: Game, me: Player, card: Card) -> None:
    """Kin are summoned into a free slot, if there is one."""
    if not empty_slots(g, me):
        put_bound_away(g, card)  #: 呪縛ステップ・2 #: 呪縛ステップ・3
        return
    n = await choose(me, empty_slots(g, me))
    go(g, card, g.slot[me][n])  #: 呪縛ステップ・2
    g.card[card].bound = True  #: 呪縛ステップ・3


@procedure
async def bind_power(g: Game, me: Player, this: Obj) -> None:
    """A power is used, or (by one reading) set."""
    if reading("bound-power") == "set":
        place_power(g, me, this, True)  #: 呪縛ステップ・2
        return
    for a in Printed(this).abilities:
        if Text(a).kind == AbilityKind.POWER:
            await run_text(g, a, this, me, NO_CAUSE)  #: 呪縛ステップ・2
    if this is not None:
        put_bound_away(g, this)  #: 呪縛ステップ・3


@procedure
async def bind_treasure(g: Game, me: Player, card: Card) -> None:
    """A treasure is summoned."""
    if not treasure_slots(g, me):
        put_bound_away(g, card)  #: 呪縛ステップ・3
        return
    n = await choose(me, treasure_slots(g, me))
    go(g, card, g.treasures[me] if n == 0 else g.slot[me][n])  #: 呪縛ステップ・2
    g.card[card].bound = True  #: 呪縛ステップ・3


@step
def put_bound_away(g: Game, card: Card) -> None:
    """A bound card that cannot stay is exiled to its owner's area; destroyed by vampirism it becomes a rim card."""
    if card in g.drained:
        go(g, card, g.rim[g.turn_player])  #: 呪縛ステップ・4
    else:
        exile_card(g, card)  #: 呪縛ステップ・3 #: 破壊第2段落


# ---------------------------------------------------------------- 終了ステップ
@procedure(scope=Scope.STEP)
async def end_attack(g: Game, attacker: Option[Obj]) -> None:
    """The attack is over; consecutive attack works."""
    await process_effects(g)  #: 終了ステップ第1段落
    if attacker is not None and is_still_fighting(g, attacker):
        attack_again(g, attacker)  #: 終了ステップ第2段落


@define
def is_still_fighting(g: Game, card: Card) -> bool:
    """Is the attacker still on the field?"""
    return card in fighters(g, g.turn_player)


@step
def attack_again(g: Game, card: Card) -> None:
    """Consecutive attack +n, which the book names and does not define: read as waking up, n times a turn."""
    if g.card[card].woken < Printed(card).again + g.card[card].again:
        if reading("consecutive-attack") == "undefined":
            gap("終了ステップ第2段落")
        g.card[card].woken += 1  #: 終了ステップ第2段落
        g.card[card].asleep = False  #: 終了ステップ第2段落
