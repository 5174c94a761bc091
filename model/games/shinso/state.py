"""カードの種類, カードの色, カードの配置: what is printed on cards, where cards lie, and what a card is at the moment."""
from typing import Any

from ...kernel.turns import *
from ...lang import *

SLOTS = Range(1, 4)
Slot = Annotated[int, SLOTS]
"""A placement slot (配置枠). The layout is a picture; the play phase speaks of one to four kin, so there are four. Slot n
faces the opponent's slot n."""

COMBAT = Range(-30000, 30000)
Combat = Annotated[int, COMBAT]


# ---------------------------------------------------------------- カードの種類, カードの色
class Kind(Enum):  #: カードの種類
    """The card type. Doubles (カードの種類・6) are not encoded."""

    KIN = 1  #: カードの種類・1
    POWER = 2  #: カードの種類・2
    DOMAIN = 3  #: カードの種類・3
    TREASURE = 4  #: カードの種類・4
    SHARD = 5  #: カードの種類・5


class Colour(Enum):  #: カードの色
    """The colour of a card."""

    RED = 1  #: カードの色・1
    BLUE = 2  #: カードの色・2
    GREEN = 3  #: カードの色・3
    BLACK = 4  #: カードの色・4
    WHITE = 5  #: カードの色・5
    COLOURLESS = 6  #: カードの色・6


class FreeCost(Enum):
    """What stands for the cost of a power where no number does: whoever uses it when it is set chooses."""

    ALL = 1  #: セットされた権能の行動権について・3
    EX = 2  #: セットされた権能の行動権について・4


class Name(Symbols):
    """Card names."""


class Printed(Definition):
    """What a card says."""

    kind: Kind  #: カードの種類
    names: Set[Name]
    colours: Set[Colour]  #: カードの色
    cost: Annotated[int, Range(0, 12)] = 0  #: 行動権第1段落
    free_cost: Option[FreeCost] = None
    power: Combat = 0  #: 戦闘力第1段落
    lends: Combat = 0
    """Combat power that a treasure adds to its bearer, or a domain to the kin of its player."""
    shift_limit: Annotated[int, Range(0, 12)] = 0  #: シフトフェイズ第1段落
    shift_increase: Annotated[int, Range(0, 12)] = 0  #: シフトフェイズ第1段落
    sacrifice: Annotated[int, Range(0, 12)] = 0
    """How many kin of one's coffin area are exiled to play it: a cost beside action points."""
    may_enter: bool = False
    """Kin that may be put into the entry slot."""
    attacks_shards: bool = False  #: 指定ステップ第3段落
    fatal: bool = False
    """Its text lets it make fatal attacks."""
    rims_at_once: Annotated[int, Range(1, 4)] = 1
    """How many rim cards its direct attack destroys."""
    again: Annotated[int, Range(0, 3)] = 0
    """Consecutive attack +n."""
    vampirism: bool = False  #: 呪縛ステップ・4
    abilities: Set[Ability]


class AbilityKind(Enum):
    """What sort of text it is."""

    RIM_BLAST = 1  #: リム・ブラスト第1段落
    DESTROYED = 2  #: リム・ブラスト第2段落
    ATTACKING = 3  #: 攻撃ステップ
    TURN_END = 4  #: エンドフェイズ.1
    ACTIVATED = 5  #: プレイフェイズ・5
    POWER = 6  #: カードの種類・2


class Text(Definition):
    """What is said about an ability, beside its script."""

    of: Any  # marks facts about abilities
    kind: AbilityKind
    takes: Annotated[int, Range(0, 4)] = 0  #: 指定ステップ第4段落
    """How many of the opponent's kin an effect of attacking takes from the placement slots, whatever is chosen."""
    may_take: Annotated[int, Range(0, 4)] = 0  #: 指定ステップ第4段落
    """How many more, if that is chosen."""


# ---------------------------------------------------------------- what play remembers
class OnCard(Record):
    """What play remembers of a card as the object it now is; a card that goes elsewhere begins afresh."""

    asleep: bool = False  #: アウェイク/スリープ第2段落
    this_turn: Combat = 0  #: 戦闘力第3段落
    loss: Annotated[int, Range(-30000, 0)] = 0  #: 戦闘力第4段落
    gain: Annotated[int, Range(0, 30000)] = 0  #: 戦闘力第5段落
    again: Annotated[int, Range(0, 3)] = 0  #: 【魂魄燃焼】.1
    woken: Annotated[int, Range(0, 6)] = 0
    """How often consecutive attack has been used this turn."""
    set_this_turn: bool = False  #: セットされた権能・1
    bound: bool = False  #: 呪縛ステップ・3
    bearer: Option[Obj] = None  #: カードの種類・4


class Effect(Enum):
    """What a declaration is for."""

    POINTS = 1  #: 【生命転化】.1
    POWER = 2  #: 【生命転化】.2
    HAND = 3  #: 【生命転化】.3
    BURN_AGAIN = 4  #: 【魂魄燃焼】.1
    BURN_POWER = 5  #: 【魂魄燃焼】.2
    BURN_POINTS = 6  #: 【魂魄燃焼】.3
    BURN_SEARCH = 7  #: 【魂魄燃焼】.4


class Declare(Record):
    """What has been declared: Life Conversion at the cost of a rim card, or (without one) Soul Burning."""

    effect: Effect
    rim: Option[Card]
    on: Option[Card]
    by: Player


class Waiting(Record):  #: 効果処理の原則
    """The effect of a card that has arisen and is still to be processed."""

    ability: Ability
    card: Card
    this: Option[Obj]
    controller: Player
    cause: Cause
    late: bool = False
    """It arose while others were processed, and waits (by one reading) until these are done."""


class Game(Turns):
    """A game."""

    begun: bool = True  #: ゲームの準備.7
    points: Per[Player, Annotated[int, Range(0, 60)]]  #: 行動権第1段落
    deck: Per[Player, Pile]  #: プレイング・デッキ第1段落
    life_deck: Per[Player, Pile]  #: ライフ・デッキ第1段落
    rim: Per[Player, Bag]  #: カードの配置
    destroyed: Per[Player, Bag]  #: 呪縛ステップ・1
    """Rim cards that have been destroyed and have not left the life card area yet."""
    core: Per[Player, Bag]  #: ゲームの準備.2
    hand: Per[Player, Bag]  #: ゲームの準備.4
    coffin: Per[Player, Bag]  #: 破壊第1段落
    shift: Per[Player, Bag]  #: シフトフェイズ第1段落
    exile: Per[Player, Bag]  #: 除外
    shard_place: Per[Player, Bag]  #: ゲームの準備.5
    slot: Per[Player, Per[Slot, Bag]]  #: プレイする・1
    entry_slot: Per[Player, Bag]  #: プレイする・2
    power_slot: Per[Player, Bag]  #: プレイする・5
    domain_slot: Per[Player, Bag]  #: プレイする・6
    treasures: Per[Player, Bag]  #: カードの種類・4
    card: Per[Card, OnCard]
    waiting: Multiset[Waiting]  #: 効果処理の原則
    processing: bool
    """An effect is being processed."""
    declared: Multiset[Declare]  #: 戦闘時の【生命転化】/【魂魄燃焼】の宣言順
    attacked: Option[Obj] = None  #: セットされた権能・2
    """The card that is the target of the attack under way."""
    aimed: Set[Card]  #: 【生命転化】第5段落
    """The rim cards that a declared attack or effect is about to destroy or exile."""
    drained: Set[Card]  #: 呪縛ステップ・4
    """The cards of the binding step under way that were destroyed by vampirism."""
    conversions: Per[Player, Annotated[int, Range(0, 2)]]  #: 【生命転化】第3段落
    entered_once: Per[Player, bool]  #: 【生命転化】・2
    deck_dealt_with: Per[Player, bool]  #: 山札が0枚になった場合
    """The draw pile has run out, and what is to be done then has been done."""
    ran_out: Set[Player]  #: ライフ・デッキ第3段落
    """Whose life deck has run out in a way that counts."""
    began_bare: Per[Player, bool]  #: 【魂魄燃焼】第2段落
    """The turn began without a rim card of the player."""
    burned: Per[Player, bool]  #: 【魂魄燃焼】第2段落
    burned_this_turn: Option[Player] = None  #: 【魂魄燃焼】第4段落
    end_phases: Per[Player, Annotated[int, Range(0, 2)]]  #: 【魂魄燃焼】第3段落
    """Own end phases since Soul Burning."""
    ending: bool  #: エンドフェイズ
    skips_draw: Per[Player, bool]  #: 【魂魄燃焼】.4
    put_away: bool  #: プレイフェイズ・9
    extra_turns: Annotated[int, Range(0, 2)]  #: ターン数第2段落
    """Extra turns that the turn player has still to take."""
    in_extra_turn: bool  #: ターン数第2段落


# ---------------------------------------------------------------- who and what
@known_as("master")
@define
def master(g: Game, card: Card) -> Player:
    """The player who controls the card: whose area it lies in."""
    whose = zone_player(zone_of(card))
    return owner(card) if whose is None else whose


@define
def kin_of(g: Game, p: Player) -> Set[Card]:
    """The player's kin on the field."""
    return {c for n in SLOTS for c in g.slot[p][n] if is_kin(c)} | {c for c in g.entry_slot[p] if is_kin(c)}


@define
def is_kin(card: Card) -> bool:
    """Is it a kin card?"""
    return Printed(card).kind == Kind.KIN  #: カードの種類・1


@define
def is_shard(card: Card) -> bool:
    """Is it a shard of the True Ancestor?"""
    return Printed(card).kind == Kind.SHARD  #: カードの種類・5


@define
def fighters(g: Game, p: Player) -> Set[Card]:
    """The player's kin and shards on the field."""
    return kin_of(g, p) | g.entry_slot[p]


@define
def empty_slots(g: Game, p: Player) -> Set[Slot]:
    """The player's placement slots in which nothing lies."""
    return {n for n in SLOTS if not g.slot[p][n]}


@define
def shards(g: Game, p: Player) -> Set[Card]:
    """The player's shards, on the field or in their place."""
    return {c for c in g.entry_slot[p] | g.shard_place[p] if is_shard(c)}


@define
def treasures_on(g: Game, bearer: Card) -> Set[Card]:
    """The treasures that the card is equipped with."""
    return {t for p in PLAYERS for t in g.treasures[p] if g.card[t].bearer == bearer}  #: カードの種類・4


@define
def all_treasures(g: Game, p: Player) -> Set[Card]:
    """The player's treasures on the field, equipped or not; by one reading some lie in placement slots."""
    return g.treasures[p] | {c for n in SLOTS for c in g.slot[p][n] if Printed(c).kind == Kind.TREASURE}


@define
def shard_has_entered(g: Game, p: Player) -> bool:
    """Has the player's shard entered? By one reading it has not any more once it has retreated."""
    if reading("entered") == "ever":
        return g.entered_once[p]  #: 【生命転化】・2
    return any(is_shard(c) for c in g.entry_slot[p])  #: 【生命転化】・1 #: 【生命転化】・2


# ---------------------------------------------------------------- 戦闘力
@value
def power(g: Game, card: Card) -> int:
    """The combat power of kin or a shard, with all that changes it."""
    lent = sum(Printed(t).lends for t in treasures_on(g, card))  #: 戦闘第2段落
    if is_kin(card):
        lent += sum(Printed(d).lends for d in g.domain_slot[master(g, card)])  #: カードの種類・3
    return Printed(card).power + lent + changes(g, card)  #: 戦闘第2段落


@define
def changes(g: Game, card: Card) -> int:
    """What effects have added to the combat power, or taken from it."""
    return g.card[card].this_turn + g.card[card].loss + g.card[card].gain


# ---------------------------------------------------------------- what holds throughout
@invariant
def one_card_in_a_slot(g: Game) -> bool:
    """Of powers, domains and entered cards each player has one at most, and a placement slot holds one card."""
    return all(
        len(g.power_slot[p]) <= 1
        and len(g.domain_slot[p]) <= 1
        and len(g.entry_slot[p]) <= 1
        and all(len(g.slot[p][n]) <= 1 for n in SLOTS)
        for p in PLAYERS
    )  #: カードの種類・2 #: カードの種類・3


@invariant
def no_shard_in_a_deck(g: Game) -> bool:
    """A shard is on the field or in its place, or (by one reading) exiled, but never in a deck or hand."""
    return all(
        not is_shard(c) or zone_of(c) in g.shard_place or zone_of(c) in g.entry_slot or zone_of(c) in g.exile
        for c in CARDS
    )  #: デッキ第3段落


@invariant
def treasures_have_bearers_on_the_field(g: Game) -> bool:
    """What a treasure is equipped to is kin or a shard on the field."""
    return all(is_borne(g, c) for c in CARDS)  #: カードの種類・4


@define
def is_borne(g: Game, card: Card) -> bool:
    """Has the card no bearer, or one on the field?"""
    bearer = g.card[card].bearer
    return bearer is None or bearer in fighters(g, FIRST) | fighters(g, SECOND)
