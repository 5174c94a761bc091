"""プレイする, プレイフェイズ: playing cards, and the play phase."""
from ...lang import *
from .decks import *
from .declarations import *
from .effects import *
from .moving import *
from .policies import *
from .state import *


class Summon(Record):  #: プレイする・1
    """Put kin from hand into a placement slot."""

    card: Card
    slot: Slot


class SummonTreasure(Record):  #: プレイする・7
    """Put a treasure from hand onto the field; slot 0 is no slot."""

    card: Card
    slot: Annotated[int, Range(0, 4)]


class Enter(Record):  #: プレイする・2 #: プレイする・3
    """Put a shard, or kin that may, into the entry slot."""

    card: Card


class SetPower(Record):  #: プレイする・5
    """Put a power from hand into the power slot."""

    card: Card


class UsePower(Record):  #: プレイする・4
    """Use a power from hand."""

    card: Card


class Deploy(Record):  #: プレイする・6
    """Put a domain from hand into the domain slot."""

    card: Card


class UseKin(Record):  #: プレイフェイズ・5
    """Use the effect of kin on the field."""

    ability: Ability
    card: Card


class Equip(Record):  #: プレイする・8
    """Equip kin or a shard with a treasure that lies on the field."""

    treasure: Card
    on: Card


class Unequip(Record):  #: プレイフェイズ・7
    """Take a treasure off."""

    treasure: Card


class GiveUp(Record):  #: プレイフェイズ・8
    """Give up a domain."""

    card: Card


class PutKinAway(Record):  #: プレイフェイズ・9
    """Put one to four kin into the graveyard."""


PlayAction = (
    Pass | Summon | SummonTreasure | Enter | SetPower | UsePower
    | Deploy | UseKin | Equip | Unequip | GiveUp | PutKinAway
)  # fmt: skip


# ---------------------------------------------------------------- プレイフェイズ
@entry("play-phase")
@procedure(scope=Scope.PHASE)
async def play_phase(g: Game) -> None:
    """The turn player does whatever is allowed, in any order and as often as wanted."""
    while True:
        await any_time(g, Moment.PLAYING)
        act = await choose(g.turn_player, play_actions(g, g.turn_player))  #: プレイフェイズ第1段落
        if act == Pass():
            return
        await play(g, g.turn_player, act)
        await process_effects(g)


@define
def play_actions(g: Game, me: Player) -> Set[PlayAction]:
    """What the turn player may do, doing nothing included."""
    return (
        {Pass()}
        | {Summon(c, n) for c in g.hand[me] if is_kin(c) and may_pay(g, me, c) for n in empty_slots(g, me)}
        | {SummonTreasure(c, n) for c in g.hand[me] if may_summon_treasure(g, me, c) for n in treasure_slots(g, me)}
        | {Enter(c) for c in entrants(g, me) if may_pay(g, me, c)}
        | {SetPower(c) for c in g.hand[me] if may_set(g, me, c)}
        | {UsePower(c) for c in g.hand[me] if may_use(g, me, c)}
        | {Deploy(c) for c in g.hand[me] if Printed(c).kind == Kind.DOMAIN and may_pay(g, me, c)}
        | {UseKin(a, c) for c in kin_of(g, me) for a in Printed(c).abilities if usable(g, me, a, c)}
        | {
            Equip(t, on)
            for t in all_treasures(g, me) if may_move(g, t)
            for on in bearers(g, me) if g.card[t].bearer != on
        }
        | {Unequip(t) for t in g.treasures[me] if g.card[t].bearer is not None and g.points[me] >= Printed(t).cost}
        | {GiveUp(c) for c in g.domain_slot[me] if g.points[me] >= Printed(c).cost}
        | {PutKinAway() for n in {1} if kin_of(g, me) and not g.put_away}
    )  #: プレイフェイズ第1段落


# ---------------------------------------------------------------- what may be played
@define
def colours_at_hand(g: Game, me: Player) -> Set[Colour]:
    """The colours of the player's shards and of the cards in the shift area."""
    return {k for c in shards(g, me) | g.shift[me] for k in Printed(c).colours}  #: プレイフェイズ・11


@define
def colours_needed(card: Card) -> Set[Colour]:
    """The colours that must be at hand; by one reading being colourless asks for nothing."""
    if reading("colourless") == "free":
        return Printed(card).colours - {Colour.COLOURLESS}  #: カードの色・6
    return Printed(card).colours  #: プレイフェイズ・11


@define
def may_pay(g: Game, me: Player, card: Card) -> bool:
    """Are the action points and the colours there, and what else the card costs?"""
    if Printed(card).cost > g.points[me]:
        return False  #: プレイフェイズ・10
    if colours_needed(card) - colours_at_hand(g, me):
        return False  #: プレイフェイズ・11 #: プレイフェイズ第2段落 #: プレイフェイズ第3段落
    return len(offerings(g, me)) >= Printed(card).sacrifice


@define
def offerings(g: Game, me: Player) -> Set[Card]:
    """The kin in the player's coffin area."""
    return {c for c in g.coffin[me] if is_kin(c)}


@define
def entrants(g: Game, me: Player) -> Set[Card]:
    """The cards that may be put into the entry slot, if it is free (or, by one reading, if kin can make way there)."""
    if g.entry_slot[me] and not kin_makes_way(g, me):
        return set()
    return g.shard_place[me] | {c for c in g.hand[me] if Printed(c).may_enter}  #: プレイフェイズ・3


@define
def kin_makes_way(g: Game, me: Player) -> bool:
    """Do kin in the entry slot go to the graveyard when something else enters, as set powers and domains do?"""
    return all(is_kin(c) for c in g.entry_slot[me]) and reading("entry-slot-taken") == "makes-way"  #: プレイする・2


@define
def may_summon_treasure(g: Game, me: Player, card: Card) -> bool:
    """Is it a treasure that can be paid for?"""
    return Printed(card).kind == Kind.TREASURE and may_pay(g, me, card)


@define
def treasure_slots(g: Game, me: Player) -> Set[Annotated[int, Range(0, 4)]]:
    """Where a treasure may be summoned: in no slot, or (by one reading) in an empty placement slot."""
    if reading("treasure-slot") == "own-place":
        return {0}  #: カードの種類・4
    return empty_slots(g, me)  #: プレイする・7


@define
def may_move(g: Game, treasure: Card) -> bool:
    """May somebody be equipped with it? It is open whether it must be taken off first from whom it is on."""
    return g.card[treasure].bearer is None or reading("equipped-already") == "moves-over"  #: プレイフェイズ・6


@define
def bearers(g: Game, me: Player) -> Set[Card]:
    """Whom the player may equip with a treasure: whose kin and shards is not said."""
    return fighters(g, me) if reading("equip-whom") == "own" else on_the_field(g)  #: プレイフェイズ・6


@define
def may_set(g: Game, me: Player, card: Card) -> bool:
    """May the power be set? Setting takes one action point; it is open whether its own cost matters as well."""
    if Printed(card).kind != Kind.POWER or (colours_needed(card) - colours_at_hand(g, me)):
        return False
    least = 1 if reading("set-cost") == "one-point" else Printed(card).cost
    return g.points[me] >= max(1, least)  #: セットされた権能の行動権について #: プレイフェイズ・10


@define
def may_use(g: Game, me: Player, card: Card) -> bool:
    """May the power be used from hand? It is open whether that is so where its cost is no number."""
    if Printed(card).kind != Kind.POWER or not may_pay(g, me, card) or reading("power-from-hand") != "may-be-used":
        return False  #: プレイフェイズ・4
    return Printed(card).free_cost is None or reading("all-and-ex") != "not-from-hand"  #: プレイフェイズ・10


@define
def usable(g: Game, me: Player, ability: Ability, card: Card) -> bool:
    """Is it an effect of kin that can be used and paid for?"""
    return Text(ability).kind == AbilityKind.ACTIVATED and payable(g, ability, card, me)  #: プレイフェイズ・5


# ---------------------------------------------------------------- playing
@procedure
async def play(g: Game, me: Player, act: PlayAction) -> None:
    """One thing of the play phase."""
    match act:
        case Pass():
            return
        case Summon(card, n):
            await pay(g, me, card)
            go(g, card, g.slot[me][n])  #: プレイフェイズ・1 #: プレイする・1
        case SummonTreasure(card, n):
            await pay(g, me, card)
            go(g, card, g.treasures[me] if n == 0 else g.slot[me][n])  #: プレイフェイズ・1 #: プレイする・7
        case Enter(card):
            await pay(g, me, card)
            enter(g, me, card)  #: プレイフェイズ・3
        case SetPower(card):
            g.points[me] -= 1  #: セットされた権能の行動権について
            place_power(g, me, card, False)  #: プレイフェイズ・2 #: プレイする・5
        case UsePower(card):
            await pay(g, me, card)
            await do_power(g, me, card)  #: プレイフェイズ・4
        case Deploy(card):
            await pay(g, me, card)
            place_domain(g, me, card, False)  #: プレイフェイズ・2 #: プレイする・6
        case UseKin(ability, card):
            await run_cost(g, ability, card, me)
            await run_text(g, ability, card, me, NO_CAUSE)  #: プレイフェイズ・5
        case Equip(treasure, on):
            equip(g, me, treasure, on)  #: プレイフェイズ・6 #: プレイする・8
        case Unequip(treasure):
            g.points[me] -= Printed(treasure).cost  #: 装備された秘宝の解除/展開された領地の破棄
            g.card[treasure].bearer = None  #: プレイフェイズ・7
        case GiveUp(card):
            g.points[me] -= Printed(card).cost  #: 装備された秘宝の解除/展開された領地の破棄
            to_graveyard(g, {card})  #: プレイフェイズ・8
        case PutKinAway():
            gone = await choose_some(me, kin_of(g, me), 1, 4)
            put_kin_away(g, gone)  #: プレイフェイズ・9


@expects(play)
def its_place_is_empty(g: Game, me: Player, act: PlayAction) -> bool:
    """Where a card is summoned no other lies."""
    match act:
        case Summon(_, n):
            return len(g.slot[me][n]) == 0
        case SummonTreasure(_, n):
            return n == 0 or len(g.slot[me][n]) == 0
        case _:
            return True


@procedure
async def pay(g: Game, me: Player, card: Card) -> None:
    """The action points are spent, and kin of the coffin area exiled where the card asks for it."""
    spent = Printed(card).cost
    if Printed(card).free_cost is not None and reading("all-and-ex") == "chosen":
        spent = await choose_number(me, 0, g.points[me])  #: セットされた権能の行動権について・3 #: セットされた権能の行動権について・4
    elif Printed(card).free_cost == FreeCost.ALL:
        spent = g.points[me]
    g.points[me] -= spent  #: 行動権第1段落
    await sacrifice(g, me, card)


@procedure
async def sacrifice(g: Game, me: Player, card: Card) -> None:
    """As many kin as the card asks for, or as there are, are exiled from the coffin area."""
    if Printed(card).sacrifice > 0:
        gone = await choose_some(me, offerings(g, me), Printed(card).sacrifice, Printed(card).sacrifice)
        exile_together(g, gone)  #: 呪縛ステップ・2


@step
def enter(g: Game, me: Player, card: Card) -> None:
    """A shard, or kin, comes into the entry slot."""
    to_graveyard(g, g.entry_slot[me])
    go(g, card, g.entry_slot[me])  #: プレイする・2 #: プレイする・3
    if is_shard(card):
        g.entered_once[me] = True  #: 【生命転化】・2


@step
def place_power(g: Game, me: Player, card: Card, bound: bool) -> None:
    """A power is set; one that was set before goes to the graveyard."""
    to_graveyard(g, g.power_slot[me])  #: プレイフェイズ・2 #: カードの種類・2
    go(g, card, g.power_slot[me])  #: プレイする・5
    g.card[card].set_this_turn = True  #: セットされた権能・1
    g.card[card].bound = bound


@step
def place_domain(g: Game, me: Player, card: Card, bound: bool) -> None:
    """A domain is deployed; one that was deployed before goes to the graveyard."""
    to_graveyard(g, g.domain_slot[me])  #: プレイフェイズ・2 #: カードの種類・3
    go(g, card, g.domain_slot[me])  #: プレイする・6
    g.card[card].bound = bound


@step
def equip(g: Game, me: Player, treasure: Card, on: Card) -> None:
    """The treasure is put on; one that was there before goes to the graveyard."""
    to_graveyard(g, treasures_on(g, on))  #: プレイフェイズ・6
    put(treasure, g.treasures[me])  #: カードの種類・4
    g.card[treasure].bearer = on  #: プレイする・8


@step
def put_kin_away(g: Game, gone: Set[Card]) -> None:
    """The kin go to the graveyard together, once a turn; they are not destroyed."""
    to_graveyard(g, gone)  #: プレイフェイズ・9
    g.put_away = True  #: プレイフェイズ・9
