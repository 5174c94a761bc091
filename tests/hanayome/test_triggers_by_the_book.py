"""Plays about auto abilities that somebody who read the book beside the rules traced: what the book says of each is what comes about."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checks.runs import session

from .test_by_the_book import ability, card, character, event, played, wins_if


def drawn(hand: int) -> dict[str, object]:
    return character("MY-WATCHER", 0, wins_if(f"len(g.hand[you]) == {hand}"))


def leave(n: int) -> str:
    return f"c{n} = character_in(g, you, {n})\nif c{n} is not None:\n    await place(g, c{n}, g.waiting_room[you], you)\n"


# ---------------------------------------------------------------- setting (5.10.1)
TICKET = {**card("MY-TICKET", "episode"), "テキスト": "【自動】このエピソードがセットされた時、1枚引く。"}
MOVES = "c = character_in(g, you, 1)\nif c is not None:\n    move_character(g, c, 3)\n"
SETS = "e = the({c for c in g.lane[you][1] if is_episode(g, c)})\nc = character_in(g, you, %d)\nif e is not None and c is not None:\n    set_episode(g, e, c, False)\n"


@pytest.mark.parametrize(("text", "draws"), [(MOVES, 1), (SETS % 1, 1), (SETS % 2, 2)])
def test_an_episode_is_set_when_it_is_linked_anew_and_not_when_it_goes_along_or_lies_there(text: str, draws: int, tmp_path: Path) -> None:  # 4.14.2.2, 1.3.2.1
    cards = [TICKET, event("MY-EVENT", "main", text), character("MY-BEARER", 1), drawn(draws)]
    place: dict[str, object] = {"first": {"hand": ["MY-TICKET", "MY-EVENT"], "lane": {1: ["MY-BEARER"], 2: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEpisode MY-TICKET", "PlayEvent MY-EVENT", "pass"])
    assert won


# ---------------------------------------------------------------- delayed triggers (10.7.5)
@pytest.mark.parametrize("cost", ["", "[このエピソードを控え室に置く]"])
@pytest.mark.parametrize("draws", [1, 0])
def test_a_delayed_trigger_is_made_wherever_the_card_of_the_ability_is(cost: str, draws: int, tmp_path: Path) -> None:  # 10.6.2.6.2, 10.12.2
    cards = [{**card("MY-NOTE", "episode"), "テキスト": f"【起動】【ターン1回】{cost}ターンの終わりに1枚引く。"}, character("MY-BEARER", 1), drawn(draws)]
    place: dict[str, object] = {"first": {"lane": {1: ["MY-NOTE", "MY-BEARER"], 2: ["MY-WATCHER"]}}, "card": {"MY-NOTE": {"set_on": "MY-BEARER"}}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["UseAbility MY-NOTE" if draws else "pass", "pass"])
    assert won


@pytest.mark.parametrize("text", ["【自動】あなたの他のキャラがレーンを離れた時、次のスタートフェイズの始めに1枚引く。", "【自動】あなたの他のキャラがレーンを離れた時、ターンの終わりに1枚引く。"])
def test_an_auto_ability_whose_card_left_while_it_waited_makes_its_delayed_trigger(text: str, tmp_path: Path) -> None:  # 10.7.7
    cards = [{**character("MY-PROMISES", 0), "テキスト": text}, character("MY-OTHER", 0), event("MY-SWEEP", "main", leave(1) + leave(2)), drawn(1)]
    place: dict[str, object] = {"first": {"hand": ["MY-SWEEP"], "lane": {1: ["MY-OTHER"], 2: ["MY-PROMISES"], 3: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-SWEEP", "pass"])
    assert won is ("ターンの" in text)


def test_an_event_that_has_gone_by_its_own_text_makes_its_delayed_trigger(tmp_path: Path) -> None:  # 10.12.2
    cards = [{**card("MY-EVENT", "event"), "テキスト": "【メイン】このカードを取り除く。その後、ターンの終わりに1枚引く。"}, drawn(1)]
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT"], "lane": {2: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-EVENT", "pass"])
    assert won


@pytest.mark.parametrize("text", ["【起動】【ターン1回】ターンの終わりに1枚引く。", "【自動】ターンの終わりに、1枚引く。"])
def test_a_delayed_trigger_is_none_of_the_abilities_that_its_card_has(text: str, tmp_path: Path) -> None:  # 10.7.5, 10.3.2
    hushes = event("MY-HUSH", "main", "c = character_in(g, you, 1)\nif c is not None:\n    disable_abilities(g, c)\n")
    cards = [{**character("MY-PROMISES", 0), "テキスト": text}, hushes, drawn(1)]
    place: dict[str, object] = {"first": {"hand": ["MY-HUSH"], "lane": {1: ["MY-PROMISES"], 2: ["MY-WATCHER"]}}}
    use = ["UseAbility MY-PROMISES"] if text.startswith("【起動】") else []
    won, _ = played(tmp_path, "main-phase", cards, place, [*use, "PlayEvent MY-HUSH", "pass"])
    assert won is bool(use)


@pytest.mark.parametrize(("text", "draws"), [
    ("【メイン】ターンの終わりに1枚引く。", 1), ("【メイン】ターンの終わりに1枚引く。その後、ターンの終わりに1枚引く。", 2),
    ("【メイン】ターンの終わりに1枚引く。\n【メイン】ターンの終わりに1枚引く。", 2),
])  # fmt: skip
def test_each_text_makes_its_own_delayed_trigger(text: str, draws: int, tmp_path: Path) -> None:  # 10.7.5
    for hand in (draws, draws + 1):
        cards = [{**card("MY-EVENT", "event"), "テキスト": text}, drawn(hand)]
        place: dict[str, object] = {"first": {"hand": ["MY-EVENT"], "lane": {2: ["MY-WATCHER"]}}}
        won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-EVENT", "pass"])
        assert won is (hand == draws)


def test_an_ability_that_was_given_makes_its_delayed_trigger(tmp_path: Path) -> None:  # 10.7.5, 10.9.1.3
    gives = {**character("MY-GIVER", 0), "テキスト": "【永続】あなたの他のキャラは『【起動】【ターン1回】ターンの終わりに1枚引く。』を得る。"}
    place: dict[str, object] = {"first": {"lane": {1: ["MY-GIVER"], 2: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "main-phase", [gives, drawn(1)], place, ["UseAbility MY-WATCHER", "pass"])
    assert won


LEAVES_ITS_CARD = "at = g.under_way\nif at is not None:\n    at_turn_end(g, at, 0, this, you)\n    await place(g, at, g.removed[other(you)], you)\n"


@pytest.mark.parametrize("delayed", [True, False])
def test_a_delayed_trigger_is_its_effect_s_master_s_wherever_the_card_lies(delayed: bool, tmp_path: Path) -> None:  # 3.1.2.3, 10.7.7
    """And a printed one, by one reading, that of whoever has its card by then."""
    goes = "c = character_in(g, you, 1)\nif c is not None:\n    await place(g, c, g.removed[other(you)], you)\n"
    leaves = ability("auto", **{"when": "Left", "if": "event.card == this"}, text="await draw(g, you)")
    made = card("MY-EVENT", "event", ability("event", asks_last=True, text=LEAVES_ITS_CARD), ability("delayed", text="await draw(g, you)"), icons=["main"])
    cards = [made if delayed else event("MY-EVENT", "main", goes), character("MY-ONE", 0, leaves), drawn(1)]
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT"], "lane": {1: ["MY-ONE"], 5: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-EVENT", "pass"], {"waiting-ability-source-gone": "card-now"})
    assert won is delayed


# ---------------------------------------------------------------- once per turn (12.4.2)
COUNTS = "あなたの他のキャラがレーンを離れた時、1枚引く。"
TOGETHER = "await place_together(g, {c for c in characters(g, you) if zone_number(zone_of(c)) in {2, 3}}, None, you)"


@pytest.mark.parametrize("once", ["", "【ターン1回】"])
@pytest.mark.parametrize("texts", [[leave(1), leave(2), leave(3)], [leave(1), leave(2) + leave(3)], [leave(1), TOGETHER], [leave(1) + TOGETHER]])
def test_what_was_played_this_turn_is_not_played_again_once_its_card_is_gone(once: str, texts: list[str], tmp_path: Path) -> None:  # 10.7.3.2
    """The first two leave, the one that counts them last or with the second; in one text or one after the other."""
    events = [event(f"MY-{k}", "main", text) for k, text in enumerate(texts)]
    counts = {**character("MY-COUNTS", 0), "テキスト": f"【自動】{once}{COUNTS}"}
    for draws in (1, 2):
        place: dict[str, object] = {"first": {"hand": [e["id"] for e in events], "lane": {1: ["MY-ONE"], 2: ["MY-TWO"], 3: ["MY-COUNTS"], 5: ["MY-WATCHER"]}}}
        cards = [*events, counts, character("MY-ONE", 0), character("MY-TWO", 0), drawn(draws)]
        won, _ = played(tmp_path, "main-phase", cards, place, [*(f"PlayEvent {e['id']}" for e in events), "yes", "pass"])
        assert won is (draws == 1 if once else draws == 2)


# ---------------------------------------------------------------- costs that are paid on resolving (10.1.1.2.2)
DISCARDS = "c = await choose(you, g.hand[you])\nawait place(g, c, g.waiting_room[you], you)\n"
HUSHES = "c = character_in(g, you, 1)\nif c is not None:\n    disable_abilities(g, c)\n"


@pytest.mark.parametrize(("time", "only", "text", "pays"), [
    ("at-resolution", "一花", "pass", False), ("at-resolution", "三玖", "pass", True), ("at-resolution", "三玖", HUSHES, False),
    ("at-play", "一花", "pass", True), ("at-play", "三玖", HUSHES, True),
])  # fmt: skip
def test_nothing_is_paid_while_resolving_what_is_not_resolved(time: str, only: str, text: str, pays: bool, tmp_path: Path) -> None:  # 12.2.3.3, 10.3.2
    costly = ability("auto", **{"when": "Played", "if": "event.by == you"}, only=[only], optional_cost=True, payable="len(g.hand[you]) > 0", cost=DISCARDS, text="pass")
    cards = [event("MY-EVENT", "main", text), character("MY-COSTLY", 0, costly), character("MY-WATCHER", 0, wins_if("not g.hand[you]"))]
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT", "BLANK"], "lane": {1: ["MY-COSTLY"], 5: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-EVENT", "yes", "pass"], {"auto-cost-time": time})
    assert won is pays


# ---------------------------------------------------------------- costs that cannot be paid (10.4.2.2)
HELD = ability("permanent", effect="cannot_leave", applies_to="card == this")


@pytest.mark.parametrize("gone", [True, False])
def test_a_card_that_is_gone_is_no_longer_given_for_an_effect(gone: bool, tmp_path: Path) -> None:
    costly = {**character("MY-COSTLY", 0), "テキスト": "【自動】[このキャラを控え室に置く]あなたの他のキャラがレーンを離れた時、1枚引く。"}
    cards = [costly, event("MY-EVENT", "main", leave(2) + (leave(1) if gone else "")), character("MY-OTHER", 0), drawn(1)]
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT"], "lane": {1: ["MY-COSTLY"], 2: ["MY-OTHER"], 5: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-EVENT", "yes", "pass"])
    assert won is not gone


@pytest.mark.parametrize("held", [True, False])
@pytest.mark.parametrize("cost", ["このキャラを控え室に置く", "このキャラを取り除く", "あなたの他のキャラ1人を控え室に置く"])
def test_what_may_not_leave_is_not_given_for_an_effect(cost: str, held: bool, tmp_path: Path) -> None:  # 1.3.3
    more = [HELD] if held else []
    cards = [
        {**character("MY-COSTLY", 0, *more), "テキスト": f"【起動】【ターン1回】[{cost}]1枚引く。"},
        character("MY-OTHER", 0, *more), character("MY-WATCHER", 0, *more, wins_if("len(g.hand[you]) == 1")),
    ]  # fmt: skip
    won, _ = played(tmp_path, "main-phase", cards, {"first": {"lane": {1: ["MY-COSTLY"], 2: ["MY-OTHER"], 5: ["MY-WATCHER"]}}})
    assert won is not held


@pytest.mark.parametrize("hand", [1, 2])
@pytest.mark.parametrize("answer", ["foreseen", "kept"])
def test_of_one_card_two_parts_of_a_cost_are_not_paid(answer: str, hand: int, tmp_path: Path) -> None:  # 10.4.2.1
    text = "【起動】【ターン1回】[手札を1枚控え室に置く、手札を1枚デッキの上に置く]このキャラはターンの終わりまで花嫁力+1。"
    helped = wins_if("any(power(g, c) == 1 for c in characters(g, you))")
    cards = [{**character("MY-COSTLY", 0), "テキスト": text}, character("MY-WATCHER", 0, helped)]
    place: dict[str, object] = {"first": {"hand": [f"BLANK x{hand}"], "lane": {1: ["MY-COSTLY"], 5: ["MY-WATCHER"]}}}
    won, clauses = played(tmp_path, "main-phase", cards, place, reading={"cost-fails-midway": answer})
    assert won is (hand == 2)
    assert not clauses, "no gap: the book says what becomes of such a cost"


@pytest.mark.parametrize("fails", [True, False])
def test_a_card_whose_cost_was_not_paid_does_nothing_and_the_next_cost_can_be_paid(fails: bool, tmp_path: Path) -> None:
    costs = ability("play_cost", payable="True", cost="cannot_go_on_paying(g)" if fails else "pass")
    dear = card("MY-EVENT", "event", costs, ability("event", text="await draw(g, you)"), icons=["main"])
    costly = {**character("MY-COSTLY", 0), "テキスト": "【起動】【ターン1回】[手札を1枚控え室に置く]このキャラはターンの終わりまで花嫁力+1。"}
    watcher = character("MY-WATCHER", 0, wins_if(f"len(g.hand[you]) == {0 if fails else 1} and any(power(g, c) == 1 for c in characters(g, you))"))
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT", "BLANK"], "lane": {1: ["MY-COSTLY"], 5: ["MY-WATCHER"]}}}
    acts = ["PlayEvent MY-EVENT", "UseAbility MY-COSTLY", "pass"]
    won, _ = played(tmp_path, "main-phase", [dear, costly, watcher], place, acts, {"cost-fails-midway": "kept"})
    assert won


# ---------------------------------------------------------------- only (12.10.3)
GOES_OVER = "a = character_in(g, you, 1)\nb = character_in(g, other(you), 1)\nif a is not None and b is not None:\n    exchange(g, a, b)\n"


@pytest.mark.parametrize(("mine", "theirs", "met"), [(["MY-MIKU"], [], True), ([], ["MY-MIKU"], False)])
def test_only_is_asked_of_the_lanes_of_whoever_is_master_of_the_card(mine: list[str], theirs: list[str], met: bool, tmp_path: Path) -> None:  # 3.1.2
    """The card has gone to the opponent's lanes by then; whose ability it is was settled when it triggered."""
    hears = ability("auto", **{"when": "Played", "if": "event.by == you"}, only=["一花"], text="win_game(g, you)")
    ichika, other_ichika = ({**character(i, 0, *has), "persons": ["一花"]} for i, has in (("MY-ICHIKA", [hears]), ("MY-OTHER", [])))
    cards = [event("MY-EVENT", "main", GOES_OVER), ichika, other_ichika, character("MY-MIKU", 0)]
    lanes = {1: ["MY-ICHIKA"], **({2: mine} if mine else {})}, {1: ["MY-OTHER"], **({2: theirs} if theirs else {})}
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT"], "lane": lanes[0]}, "second": {"lane": lanes[1]}}
    won, _ = played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-EVENT", "pass"])
    assert won is met


@pytest.mark.parametrize("hand", [0, 1])
def test_a_text_gives_the_ability_that_stands_in_it_and_no_other_of_its_card(hand: int, tmp_path: Path) -> None:  # 10.9.1.3
    draws, helps = ("『【起動】【ターン1回】1枚引く。』", "『【起動】【ターン1回】このキャラはターンの終わりまで花嫁力+1。』")
    gives = {**character("MY-GIVER", 0), "テキスト": f"【永続】あなたの他のキャラは{draws}を得る。\n【永続】このキャラは{helps}を得る。"}
    place: dict[str, object] = {"first": {"lane": {1: ["MY-GIVER"], 2: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "main-phase", [gives, character("MY-WATCHER", 0, wins_if(f"len(g.hand[you]) == {hand} and power(g, this) == {1 - hand}"))], place)
    assert won is (hand == 1)


# ---------------------------------------------------------------- targets that are named on playing (10.6.2.4, by a reading)
ASKS: dict[str, object] = {"names_target": True, "applies_to": "card in g.hand[you] and Printed(card).power >= 3",
                           "text": "t = await its_target(g, you, {c for c in g.hand[you] if Printed(c).power >= 3})\nawait draw(g, you)\n"}
HEARS: dict[str, object] = {"when": "Played", "if": "event.by == you"}


@pytest.mark.parametrize("kind", ["event", "auto", "activated"])
@pytest.mark.parametrize("scope", ["whole", "that-part"])
def test_where_nothing_can_be_named_on_playing_the_effect_ends_or_goes_on_as_read(kind: str, scope: str, tmp_path: Path) -> None:  # 10.6.3.1.3
    asks = ability(kind, **ASKS, **(HEARS if kind == "auto" else {}), once_per_turn=kind == "activated")
    events = card("MY-EVENT", "event", *([asks] if kind == "event" else []), icons=["main"])
    watcher = character("MY-WATCHER", 0, wins_if(f"len(g.hand[you]) == {0 if scope == 'whole' else 1} and len(g.waiting_room[you]) == 1"))
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT"], "lane": {1: ["MY-X"], 2: ["MY-WATCHER"]}}}
    acts = ["PlayEvent MY-EVENT", *(["UseAbility MY-X"] if kind == "activated" else []), "pass"]
    cards = [events, character("MY-X", 0, *([asks] if kind != "event" else [])), watcher]
    won, clauses = played(tmp_path, "main-phase", cards, place, acts, {"target-time": "at-play", "no-target-scope": scope})
    assert won and not clauses


@pytest.mark.parametrize("disabled", [True, False])
def test_nothing_is_chosen_for_what_has_no_effect(disabled: bool, tmp_path: Path) -> None:  # 10.3.2
    states: set[int] = set()
    for power in (2, 3):
        cards = [event("MY-EVENT", "main", HUSHES if disabled else "pass"), character("MY-X", 0, ability("auto", **HEARS, **ASKS)), character("MY-ONE", 3), character("MY-TWO", power)]
        place: dict[str, object] = {"first": {"hand": ["MY-EVENT", "MY-ONE", "MY-TWO"], "lane": {1: ["MY-X"]}}, "character_played": True, "episodes_played": 2}
        played(tmp_path, "main-phase", cards, place, ["PlayEvent MY-EVENT", "pass"], {"target-time": "at-play"})
        (result,) = session.check(tmp_path / "play.yaml", session.CheckOptions())
        states.add(result.bounds.states)
    assert (len(states) == 1) is disabled


def test_what_happens_instead_makes_its_delayed_trigger(tmp_path: Path) -> None:  # 10.7.5, 10.10.1
    stays = {**character("MY-STAYS", 0), "テキスト": "【永続】このキャラがレーンから控え室に置かれる時、かわりにターンの終わりに1枚引く。"}
    puts = {**card("MY-EVENT", "event"), "テキスト": "【メイン】あなたのキャラ1人を選び、控え室に置く。その後、ターンの終わりに1枚引く。"}
    place: dict[str, object] = {"first": {"hand": ["MY-EVENT"], "lane": {1: ["MY-STAYS"], 2: ["MY-WATCHER"]}}}
    won, _ = played(tmp_path, "main-phase", [stays, puts, drawn(2)], place, ["PlayEvent MY-EVENT", "pass"])
    assert won
