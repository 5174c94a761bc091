"""ターンの流れ: the turn and its phases."""
from ...kernel.decks import *
from ...lang import *
from .battle import *
from .decks import *
from .declarations import *
from .effects import *
from .endings import *
from .moving import *
from .playing import *
from .policies import *
from .state import *


@entry("turn")
@procedure
async def turns(g: Game) -> None:
    """Turn after turn."""
    while True:
        await turn(g)  #: ターンの流れ


@entry("one-turn")
@procedure(scope=Scope.TURN)
async def turn(g: Game) -> None:
    """One turn."""
    await cleanup_phase(g)  #: ターンの流れ
    await draw_phase(g)  #: ターンの流れ
    await shift_phase(g)  #: ターンの流れ
    await play_phase(g)  #: ターンの流れ
    await battle_phase(g)  #: ターンの流れ
    await regeneration_phase(g)  #: ターンの流れ
    await end_phase(g)  #: ターンの流れ
    next_turn(g)


# ---------------------------------------------------------------- クリンナップフェイズ
@procedure(scope=Scope.PHASE)
async def cleanup_phase(g: Game) -> None:
    """The turn player's kin and shard wake up, and there is one action point."""
    clean_up(g)
    await any_time(g, Moment.TURN_BEGAN)


@step
def clean_up(g: Game) -> None:
    """All that a turn begins with."""
    for p in PLAYERS:
        g.began_bare[p] = len(g.rim[p]) == 0
    for c in fighters(g, g.turn_player):
        g.card[c].asleep = False  #: クリンナップフェイズ第1段落
        g.card[c].loss = 0  #: クリンナップフェイズ第3段落 #: 戦闘力第4段落
    g.points[g.turn_player] = 1  #: クリンナップフェイズ第2段落


# ---------------------------------------------------------------- ドローフェイズ
@entry("draw-phase")
@procedure(scope=Scope.PHASE)
async def draw_phase(g: Game) -> None:
    """Two cards are drawn, or one."""
    if g.skips_draw[g.turn_player]:
        g.skips_draw[g.turn_player] = False  #: 【魂魄燃焼】.4
    else:
        count = phase_draws(g, g.turn_player)  #: ドローフェイズ第1段落 #: ドローフェイズ第2段落
        for k in up_to(count):
            if k > 1:
                await any_time(g, Moment.BETWEEN_DRAWS)
            await draw(g, g.turn_player)  #: ドローフェイズ第1段落
    await any_time(g, Moment.DRAWN)


# ---------------------------------------------------------------- シフトフェイズ
class Shift(Record):  #: シフトフェイズ第1段落
    """Put cards into the shift area."""


ShiftChoice = Pass | Shift


@entry("shift-phase")
@procedure(scope=Scope.PHASE)
async def shift_phase(g: Game) -> None:
    """Cards go from the coffin area to the shift area, each of which gives an action point."""
    me = g.turn_player
    if g.coffin[me]:
        act = await choose(me, {Pass()} | {Shift() for n in {1} if most_shift(g, me) > 0})  #: シフトフェイズ第3段落
        if act == Shift():
            moved = await choose_some(me, g.coffin[me], least_shift(g, me), most_shift(g, me))  #: シフトフェイズ第1段落
            shift_cards(g, me, moved)  #: シフトフェイズ第1段落
    await any_time(g, Moment.SHIFTED)


@define
def shift_limit(g: Game, p: Player) -> int:
    """The shift limit, with its increase once the shard has entered; of several shards the highest, or by one reading the lowest."""
    if len(shards(g, p)) > 1 and reading("how-many-shards") == "several-lowest":
        return min(limit_of(g, p, s) for s in shards(g, p))  #: シフトフェイズ第1段落
    return max((limit_of(g, p, s) for s in shards(g, p)), default=0)  #: シフトフェイズ第1段落


@define
def limit_of(g: Game, p: Player, shard: Card) -> int:
    """The shift limit that this shard sets."""
    return Printed(shard).shift_limit + (Printed(shard).shift_increase if shard_has_entered(g, p) else 0)


@define
def least_shift(g: Game, p: Player) -> int:
    """How many cards must be shifted, if any are."""
    if reading("shift-limit-of") == "coffin-area":
        return max(1, len(g.coffin[p]) - shift_limit(g, p))
    return 1


@define
def most_shift(g: Game, p: Player) -> int:
    """How many cards may be shifted."""
    return len(g.coffin[p]) if reading("shift-limit-of") == "coffin-area" else shift_limit(g, p)


@step
def shift_cards(g: Game, p: Player, cards: Set[Card]) -> None:
    """The cards go to the shift area, which gives action points."""
    for c in cards:
        go(g, c, g.shift[p])  #: シフトフェイズ第1段落
    g.points[p] += len(g.shift[p])  #: シフトフェイズ第2段落


# ---------------------------------------------------------------- リジェネレイトフェイズ
@entry("regeneration-phase")
@procedure(scope=Scope.PHASE)
async def regeneration_phase(g: Game) -> None:
    """A player with fewer than four life cards may add rim cards from the life deck."""
    me = g.turn_player
    if g.turn_number == 1:
        return  #: リジェネレイトフェイズ第3段落
    if life_cards(g, me) < 4:  #: リジェネレイトフェイズ第1段落
        await may_add_rims(g, me, most_rims(g, me))  #: リジェネレイトフェイズ第2段落
    await any_time(g, Moment.REGENERATED)


@define
def life_cards(g: Game, p: Player) -> int:
    """How many life cards the player has: rim cards, and by one reading the core card too."""
    if reading("life-card") == "core-too":
        return len(g.rim[p]) + len(g.core[p])
    return len(g.rim[p])  #: リジェネレイトフェイズ第1段落


@define
def most_rims(g: Game, p: Player) -> int:
    """How many rim cards may be added this turn; by one reading not beyond four life cards."""
    most = 2 if shard_has_entered(g, p) else 1  #: リジェネレイトフェイズ・1 #: リジェネレイトフェイズ・2
    if life_cards(g, p) + most > 4 and reading("regenerate-over-four") == "up-to-four":
        return 4 - life_cards(g, p)  #: リジェネレイトフェイズ第1段落
    return most


# ---------------------------------------------------------------- エンドフェイズ
@entry("end-phase")
@procedure(scope=Scope.PHASE)
async def end_phase(g: Game) -> None:
    """Effects of the end of the turn; then hand, changes and shift area are brought back."""
    begin_end_phase(g)
    if reading("turn-effects-end") == "on-reaching":
        turn_effects_end(g)  #: 戦闘力第3段落
    emit(TurnEnding(g.turn_player))  #: エンドフェイズ.1
    await process_effects(g)  #: エンドフェイズ.1
    await any_time(g, Moment.TURN_ENDS)
    await discard_down(g)  #: エンドフェイズ.2
    turn_effects_end(g)  #: エンドフェイズ.3
    exile_shift(g)  #: エンドフェイズ.4


@step
def begin_end_phase(g: Game) -> None:
    """The end phase has been reached."""
    g.ending = True
    count_end_phase(g)  #: 【魂魄燃焼】第3段落


@procedure
async def discard_down(g: Game) -> None:
    """A hand of eight or more cards is brought down to seven."""
    me = g.turn_player
    if len(g.hand[me]) >= 8:  #: エンドフェイズ.2
        gone = await choose_excess(me, g.hand[me], 7)
        to_graveyard(g, gone)  #: エンドフェイズ.2


@step
def turn_effects_end(g: Game) -> None:
    """What lasts until the end of the turn is over."""
    for c in CARDS:
        g.card[c].this_turn = 0  #: エンドフェイズ.3 #: 戦闘力第3段落


@step
def exile_shift(g: Game) -> None:
    """The shift area is emptied."""
    exile_together(g, g.shift[g.turn_player])  #: エンドフェイズ.4


# ---------------------------------------------------------------- ターン数
@step
def next_turn(g: Game) -> None:
    """The declared end of a turn makes the next number, and the other player's turn begins, or else an extra turn."""
    if g.extra_turns > 0:
        g.extra_turns -= 1
        if not g.in_extra_turn and reading("extra-turn-number") == "as-formula":
            g.turn_number = min(g.turn_number + 1, 3)  #: ターン数第1段落
        g.in_extra_turn = True
    elif g.in_extra_turn and reading("extra-turn-number") == "as-formula":
        g.in_extra_turn = False
        g.turn_player = other(g.turn_player)  #: ターン数第2段落
    else:
        g.in_extra_turn = False
        change_turn(g)  #: ターンの流れ #: ターン数・4 #: ターン数・6
    begin_counting_anew(g)


@step
def begin_counting_anew(g: Game) -> None:
    """What is counted by the turn begins anew."""
    g.ending = False
    g.put_away = False
    g.burned_this_turn = None
    for p in PLAYERS:
        g.conversions[p] = 0
    for c in CARDS:
        g.card[c].woken = 0
        g.card[c].set_this_turn = False
