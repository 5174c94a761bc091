"""破壊, 除外, 撤退: how cards leave the place where they are, and what is told of it."""
from ...lang import *
from .policies import *
from .state import *


class Destroyed(Event):  #: 破壊第1段落
    """A card has been destroyed."""

    card: Option[Obj]


class Attacking(Event):  #: 攻撃ステップ
    """Kin or a shard attacks."""

    card: Option[Obj]


class TurnEnding(Event):  #: エンドフェイズ.1
    """A turn comes to its end."""

    by: Player


# ---------------------------------------------------------------- moving at all
@step
def go(g: Game, card: Card, to: Zone) -> None:
    """The card goes there, and what applied to it applies no more."""
    anew = as_new(g, card)
    renew(card)
    g.card[card] = anew
    put(card, to)


@define
def as_new(g: Game, card: Card) -> OnCard:
    """What is remembered of a card that goes elsewhere: nothing, or by one reading what it was given for good."""
    return OnCard(gain=g.card[card].gain, again=g.card[card].again) if keeps_gifts(g, card) else OnCard()  #: 敗北した場合.2


@define
def keeps_gifts(g: Game, card: Card) -> bool:
    """Does a card that goes elsewhere keep what it was given for the whole game?"""
    given = g.card[card].gain > 0 or g.card[card].again > 0
    return given and reading("gift-after-leaving") == "kept"  #: 【魂魄燃焼】.1 #: 【魂魄燃焼】.2 #: 戦闘力第5段落


@define
def graveyard(g: Game, card: Card) -> Zone:
    """Where the card goes when it is put into the graveyard: a bound one is exiled instead, or as long as vampirism works becomes a rim card."""
    if not g.card[card].bound:
        return g.coffin[owner(card)]  #: 破壊第1段落
    if card in g.drained:
        return g.rim[g.turn_player]  #: 呪縛ステップ・4
    return g.exile[owner(card)]  #: 呪縛ステップ・3


@define
def left_behind(g: Game, cards: Set[Card]) -> Set[Card]:
    """The treasures of cards that leave the field without being destroyed, if they go along."""
    theirs = {t for c in cards for t in treasures_on(g, c)} - cards
    return theirs if theirs and reading("treasure-left") == "goes-along" else set()  #: カードの種類・4


@step
def to_graveyard(g: Game, cards: Set[Card]) -> None:
    """The cards go to the graveyard together; that is not destruction."""
    gone = cards | left_behind(g, cards)
    with simultaneously():
        for c in gone:
            go(g, c, graveyard(g, c))  #: 破壊第1段落


# ---------------------------------------------------------------- 破壊
@step
def destroy(g: Game, cards: Set[Card]) -> None:
    """The cards are destroyed together, and with them the treasures that they are equipped with."""
    gone = cards | {t for c in cards for t in treasures_on(g, c)}  #: カードの種類・4
    to_graveyard(g, gone)  #: 破壊第1段落
    for c in gone:
        emit(Destroyed(c))


@step
def retreat(g: Game, shard: Card) -> None:
    """A shard returns to its place as it is printed; its treasure is destroyed."""
    lost = treasures_on(g, shard)  #: カードの種類・4
    go(g, shard, g.shard_place[owner(shard)])  #: 敗北した場合.2
    destroy(g, lost)


@step
def destroy_rims(g: Game, cards: Set[Card]) -> None:
    """Rim cards are destroyed; they stay in the life card area until they are dealt with."""
    for c in cards:
        put(c, g.destroyed[master(g, c)])  #: 確定ステップ・1


@step
def tell_of_rims(g: Game, cards: Set[Card]) -> None:
    """All that was destroyed is looked at, then effects may arise."""
    for c in cards:
        emit(Destroyed(c))  #: 確認ステップ・1 #: 確認ステップ


# ---------------------------------------------------------------- 除外
@step
def exile_card(g: Game, card: Card) -> None:
    """The card is exiled."""
    exile_together(g, {card})  #: 除外


@step
def exile_together(g: Game, cards: Set[Card]) -> None:
    """The cards are exiled, each to the area of its owner; their treasures are put away with them."""
    lost = left_behind(g, cards)
    for c in cards:
        go(g, c, g.exile[owner(c)])  #: 除外
    to_graveyard(g, lost)


# ---------------------------------------------------------------- 戦闘力が0以下
@define
def is_spent(g: Game, card: Card) -> bool:
    """Has an effect brought the kin's combat power down to 0 or less?"""
    if power(g, card) > 0:
        return False
    lowered = g.card[card].loss < 0 or power(g, card) < Printed(card).power
    return lowered or reading("printed-zero") == "destroyed"  #: 戦闘力第2段落


@define
def spent_kin(g: Game) -> Set[Card]:
    """The kin that the rules destroy."""
    return {c for p in PLAYERS for c in kin_of(g, p) if is_spent(g, c)}


@situation
@settled_by(turn_player)
async def kin_are_spent(g: Game) -> None:
    """Kin whose combat power an effect has brought down to 0 are destroyed by the rules."""
    when(len(spent_kin(g)) > 0)
    destroy(g, spent_kin(g))  #: 戦闘力第2段落
