"""Sets of a pool's cards that loop together: found, minimal, shown by a play; silent where nothing loops; stopped, gone on with, done again where changed."""
from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from rulewright.checks.cli import main
from rulewright.checks.combos import words
from rulewright.checks.combos.candidates import Graph, gists_of, taken_of, texts_of, used_in
from rulewright.checks.combos.carrying import ROUNDS, STOCK
from rulewright.checks.combos.command import said_of
from rulewright.checks.combos.easing import eased
from rulewright.checks.combos.pool import Pool, content, pool_of
from rulewright.checks.combos.positions import kind_of, templates_of
from rulewright.checks.combos.results import Combo, Try, shares
from rulewright.checks.combos.searching import LAST, PART, PARTS, Search, Searched, search
from rulewright.checks.combos.told_apart import ToldApart
from rulewright.checks.combos.worlds import TOGETHER, bits_of, joined, world_of
from rulewright.checks.findings.page import speaker
from rulewright.checks.findings.record import WhoCanStop
from rulewright.checks.runs.together import Outcome
from rulewright.model.engine.compiled import compiled
from rulewright.model.engine.library import forget_books, load_book
from rulewright.model.ir.flow import members
from rulewright.model.lang.world import CardCopy, World
from rulewright.spec.text import Text

from .json_schema import output_schema
from .scaffold.drafts import NUMBERED
from .schema import violations

HEAD = "id,name,name_en,kind,names,persons,power,bonus,text\n"
FETCH = "【メイン】あなたの控え室の《{0}》1枚を選び、手札に加える。"
LOOPS = {
    "V-ASK": f"尋ねる,asking,event,尋ねる,,,,{FETCH.format('答える')}",
    "V-ANSWER": f"答える,answering,event,答える,,,,{FETCH.format('尋ねる')}",
}
HARMLESS = {
    "V-ASK": f"尋ねる,asking,event,尋ねる,,,,{FETCH.format('答える')}",
    "V-ANSWER": f"答える,answering,event,答える,,,,{FETCH.format('昼寝')}",
}
OTHERS = {
    "C-NAP": "昼寝,a nap,character,昼寝,三玖,2,1,【自動】このキャラが登場した時、1枚まで引く。",
    "C-RUN": "走る,a run,character,走る,四葉,2,1,【起動】【ターン1回】[手札を1枚控え室に置く]このキャラはターンの終わりまで花嫁力+1。",
    "C-WATCH": "見る,a look,character,見る,五月,2,1,【自動】手札からあなたの控え室にカードが置かれた時、このキャラはターンの終わりまで花嫁力+1。",
}


def written(folder: Path, **cards: str) -> Path:
    path = folder / "pool.csv"
    path.write_text(HEAD + "".join(f"{k.replace('_', '-')},{v}\n" for k, v in cards.items()), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is known of an earlier test; compiled code is."""
    import rulewright.checks.combos.searching as searching

    monkeypatch.setattr(searching, "cache_folder", lambda kind: tmp_path / kind)
    yield


def searched(
    path: Path, sizes: tuple[int, ...] = (2,), seconds: float | None = None, stopped: Any = lambda: False, also: Collection[str] = (),
) -> Searched:
    until = None if seconds is None else time.monotonic() + seconds
    return search("hanayome", path, sizes, {}, 0, 1, until, lambda now: None, stopped, also=also)[1]


def graph_in(path: Path) -> Graph:
    """What the texts of a pool give each other, and the program that it is read off."""
    book = load_book("hanayome")
    cards = pool_of(book, path)
    program = compiled(book.rulebook, World(tuple(CardCopy(c, 0) for c in cards)), "main-phase")
    kinds, zones = [kind_of(c) for c in cards], [(z.field, z.player) for z in program.layout.zones]
    texts, surely = (texts_of([program], cards, {}, surely) for surely in (False, True))
    taken = taken_of([program], kinds, {})
    return Graph(cards, texts, surely, zones, used_in(zones, kinds, taken, {}), [taken[kind] for kind in kinds])


def test_a_condition_that_is_asked_once_for_cards_alike_says_what_it_says_of_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, **LOOPS, **OTHERS, **MOVERS)
    together = graph_in(path)
    monkeypatch.setattr(ToldApart, "alike", lambda self, cards, test, others: [1 << k for k in members(cards)])
    each = graph_in(path)
    assert (together.gists, together.surely, together.played) == (each.gists, each.surely, each.played)


def test_two_events_that_fetch_each_other_are_found_with_who_can_stop_it(tmp_path: Path) -> None:
    found = searched(written(tmp_path, **LOOPS, **OTHERS))
    (combo,) = found.combos
    assert combo.cards == ("V-ASK", "V-ANSWER") and combo.starters == ()
    assert {f.keepers for f in combo.findings} == {WhoCanStop.ONE}
    assert all(f.play.cycle and f.position is not None for f in combo.findings)
    assert found.left == 0 and found.cut == ""
    assert combo.course is not None and (combo.course.rounds, combo.course.emptied, combo.course.end) == (ROUNDS, (), None)  # it costs nothing


DRAWS = {
    "D-ASK": LOOPS["V-ASK"] + "その後、1枚引く。",
    "D-ANSWER": LOOPS["V-ANSWER"],
}


@pytest.mark.slow
def test_a_set_whose_rounds_use_up_the_deck_is_found_if_asked_for_with_who_wins(tmp_path: Path) -> None:
    path = written(tmp_path, **DRAWS, **OTHERS)
    assert searched(path).combos == []  # it is not endless
    (combo,) = searched(path, also=["ends"]).combos
    assert combo.cards == ("D-ASK", "D-ANSWER") and combo.findings == ()
    assert combo.course is not None and combo.course.end is not None
    assert (combo.course.end.en, combo.course.clause) == ("the second player wins", "1.2.1")
    assert STOCK <= combo.course.rounds < ROUNDS  # one card a round


@pytest.mark.slow
def test_cards_that_draw_without_going_round_are_silent_also_then(tmp_path: Path) -> None:
    found = searched(written(tmp_path, **HARMLESS | {"V-ASK": DRAWS["D-ASK"]}, **OTHERS), also=["ends"])
    assert found.combos == [] and found.plays > 0


STOPPERS = {
    "S-TAKE": "奪う,taking,character,奪う,三玖,2,1,【自動】相手がイベントカードをプレイした時、相手は手札を1枚控え室に置く。",
    "S-ONCE": "一度奪う,taking once,character,一度奪う,五月,2,1,【自動】【ターン1回】相手がイベントカードをプレイした時、1枚引く。",
    "S-DRAW": "引く,drawing,character,引く,五月,2,1,【自動】相手がイベントカードをプレイした時、1枚まで引く。",
}


@pytest.mark.slow
def test_a_card_that_stops_a_loop_is_named_and_those_that_only_answer_it_are_not(tmp_path: Path) -> None:
    (combo,) = searched(written(tmp_path, **LOOPS, **STOPPERS), also=["stopped-by"]).combos
    assert combo.cards == ("V-ASK", "V-ANSWER") and combo.stops is not None
    assert [*combo.stops.cards] == ["S-TAKE"] and "lane" in combo.stops.cards["S-TAKE"].en
    assert (combo.stops.tried, combo.stops.unknown, combo.stops.left) == (3, 0, 0)  # to draw until the deck is gone stops nothing


PAYS = "払う,paying,character,払う,三玖,2,1,【起動】[手札を1枚控え室に置く]このキャラはターンの終わりまで花嫁力+1。"
PICKS = "拾う,picking up,character,拾う,四葉,2,1,【自動】手札からあなたの控え室にカードが置かれた時、あなたの控え室のイベントカード1枚を選び、手札に加える。"


def test_a_chain_that_lacks_one_card_is_told_with_what_is_missing_and_a_whole_circle_is_not(tmp_path: Path) -> None:
    graph = graph_in(written(tmp_path, C_PAY=PAYS, C_WATCH=OTHERS["C-WATCH"]))
    ((cards, needs, gives),) = graph.lacking((2, 3, 4))
    assert cards == (0, 1) and needs[:2] == ("counts", "card.until_turn_end")
    assert (gives[0], graph.zones[int(gives[1])]) == ("zone", ("hand", 0))  # paying needs a card in hand
    assert graph.lacking((3,)) == []  # they are only two
    assert graph_in(written(tmp_path, C_PAY=PAYS, C_TAKE=PICKS, **LOOPS)).lacking((2, 3)) == []


def test_eased_texts_leave_out_what_they_draw_and_nothing_else(tmp_path: Path) -> None:
    book = load_book("hanayome")
    cards = pool_of(book, written(tmp_path, **LOOPS, **OTHERS))
    program = compiled(book.rulebook, World(tuple(CardCopy(c, 0) for c in cards)), "main-phase")
    plain = eased(program, frozenset())
    assert [name for name, fn in program.functions.items() if plain.functions[name] != fn] == ["text C-NAP/1"]


def test_cards_that_only_nearly_loop_are_silent_and_say_what_was_played(tmp_path: Path) -> None:
    found = searched(written(tmp_path, **HARMLESS, **OTHERS))
    assert found.combos == [] and found.tried > 0 and found.plays > 0


def test_cards_without_abilities_are_said_to_be_that(tmp_path: Path) -> None:
    bare = {name: text.rsplit(",", 1)[0] + "," for name, text in OTHERS.items()}
    found = searched(written(tmp_path, **bare))
    assert found.why_not == words.NO_TEXTS and found.tried == 0
    assert searched(written(tmp_path, **bare | {"C-NAP": OTHERS["C-NAP"]})).why_not is None


def test_a_book_in_which_every_zone_is_in_use_is_told_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has positions to begin in; the cards that are not tried would change how play goes, wherever they lay."""
    import rulewright.checks.combos.positions as positions

    lots = iter(range(1_000))
    monkeypatch.setattr(positions, "plays", lambda setup: [next(lots)])
    found = searched(written(tmp_path, **LOOPS))
    assert found.why_not == words.NO_PLACE and found.tried == 0


def rounds_of(path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float) -> tuple[list[tuple[int, float]], list[float], Searched]:
    """The search in a pool of which each try goes round by all its cards: tries between two looks at what goes round, with the seconds before the end of
    the search at which they end; and those at which looking does."""
    tried: list[tuple[int, float]] = []
    looked: list[float] = []
    real, end = Search.done, list[float]()

    def done(self: Search, works: Any, processes: int, until: float, stopped: Any) -> list[Outcome[Any]]:
        asked = [getattr(work, "func", work) for work in works]
        if self.pool.taken in asked:
            end.append(until)
            return real(self, works, processes, None, stopped)
        if self.look in asked:
            looked.append(end[0] - until)
            return [Outcome([], done=True) for _ in works]
        tried.append((sum(len(work.args[1]) for work in works), end[0] - until))
        return [Outcome([Try(cards, (), [cards], 1, [frozenset(self.pool.cards[k].id for k in cards)], False) for cards in work.args[1]], done=True, cut="seconds")
                for work in works]
    monkeypatch.setattr(Search, "done", done)
    return tried, looked, searched(path, (2, 3, 4), seconds)


def test_what_goes_round_is_looked_at_before_the_time_is_over_also_in_a_small_pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = {f"C-{k}": f"走る{k}番,runner {k},character,走る{k}番,四葉,2,1,【起動】[手札を1枚控え室に置く]2枚引く。" for k in range(13)}
    tried, looked, found = rounds_of(written(tmp_path, **plain), monkeypatch, 1000.0)
    assert found.candidates > 1_000  # one world holds all of them
    assert max(n for n, _ in tried) <= PARTS * PART and looked
    assert tried[0][1] > looked[0] == 0 and found.cut == ""  # the time of the tries was over, and that of the search was not


def test_in_the_last_seconds_no_time_is_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried, looked, found = rounds_of(written(tmp_path, **LOOPS, **OTHERS), monkeypatch, LAST)
    assert [before for _, before in tried] == [0] and looked == [] and found.cut == "seconds"
    assert (found.tried, found.plays, found.left) == (0, 0, found.candidates)  # what went round was not looked at, so all of it is left


def test_what_is_tried_twice_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, looked, found = rounds_of(written(tmp_path, **LOOPS, **OTHERS), monkeypatch, 1000.0)
    assert looked and found.cut == "" and found.left == 0
    assert found.tried == found.plays == found.candidates  # one play each


@pytest.mark.slow
def test_a_loop_that_three_cards_make_is_not_one_of_two(tmp_path: Path) -> None:
    three = {f"V-{k}": f"第{k}話,part {k},event,第{k}話,,,,{FETCH.format(f'第{(k + 1) % 3}話')}" for k in range(3)}
    assert searched(written(tmp_path, **three)).combos == []
    (combo,) = searched(written(tmp_path, **three), (2, 3)).combos
    assert combo.cards == ("V-0", "V-1", "V-2")
    assert searched(written(tmp_path, **three)).combos == []  # nor is it when it is known


@pytest.mark.slow
def test_a_number_that_keeps_growing_is_told_as_that(tmp_path: Path) -> None:
    cards = {
        "C-PAY": "払う,paying,character,払う,三玖,2,1,【起動】[手札を1枚控え室に置く]このキャラはターンの終わりまで花嫁力+1。",
        "C-TAKE": "拾う,picking up,character,拾う,四葉,2,1,【自動】手札からあなたの控え室にカードが置かれた時、あなたの控え室のイベントカード1枚を選び、手札に加える。",
    }
    (combo,) = searched(written(tmp_path, **cards)).combos
    assert combo.cards == ("C-PAY", "C-TAKE") and any(f.growing for f in combo.findings)


def test_a_search_that_was_stopped_goes_on_and_one_changed_card_is_tried_alone(tmp_path: Path) -> None:
    path = written(tmp_path, **HARMLESS, **OTHERS)
    asked: list[int] = []

    def stop_at_once() -> bool:
        asked.append(1)
        return len(asked) > 1
    begun = searched(path, stopped=stop_at_once)
    assert begun.cut == "user" and begun.tried < max(1, begun.candidates)
    first = searched(path)
    again = searched(path)
    assert (again.tried, again.kept, again.plays) == (0, first.tried + first.kept, first.plays)
    edited = searched(written(tmp_path, **HARMLESS, **OTHERS | {"C-NAP": OTHERS["C-NAP"].replace("1枚まで", "2枚まで")}))
    assert 0 < edited.tried < edited.candidates == edited.tried + edited.kept


MOVES = "【自動】このキャラが他のレーンに移動した時、あなたの{0}1人を選び、キャラのいないレーンに移動する。"
MOVERS = {
    "M-A": f"四葉動,one mover,character,四葉動,四葉,2,1,{MOVES.format('五月')}",
    "M-B": f"五月動,other mover,character,五月動,五月,2,1,{MOVES.format('四葉')}",
}
BEGINS = {"S-1": '始める,starter,character,始める,三玖,2,1,"【起動】【ターン1回】あなたの四葉1人を選び、他のレーンに移動する。\n【自動】このキャラが登場した時、1枚引く。"'}


@pytest.mark.slow
def test_a_loop_is_told_with_what_begins_it_and_no_longer_when_that_is_gone_or_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nap = {"C-NAP": OTHERS["C-NAP"]}
    first = searched(written(tmp_path, **MOVERS, **BEGINS, **nap), (2, 3, 4))
    (combo,) = first.combos
    assert (combo.cards, combo.starters) == (("M-A", "M-B"), ("S-1",))  # the other card of the pool begins nothing
    again = searched(written(tmp_path, **MOVERS, **BEGINS, **nap), (2, 3, 4))
    assert again.combos == first.combos and (again.tried, again.kept, again.skipped) == (0, first.tried, first.skipped)
    edited = searched(written(tmp_path, **MOVERS, **BEGINS, **{k: v.replace("1枚まで", "2枚まで") for k, v in nap.items()}), (2, 3, 4))
    assert edited.combos == first.combos  # it has no part in it
    path = written(tmp_path, **MOVERS, **{k: v.replace("あなたの四葉1人を選び、他のレーンに移動する", "1枚引く") for k, v in BEGINS.items()}, **nap)
    assert searched(path, (2, 3, 4)).combos == []
    assert main(["combos", "hanayome", "--cards", str(written(tmp_path, **MOVERS, **nap)), "--threads", "1", "--lang", "en"]) == 0
    assert "Sets found: 0" in capsys.readouterr().out


def test_what_a_loop_is_kept_under_is_what_the_cards_say_that_it_was_shown_with(tmp_path: Path) -> None:
    book, combo = load_book("hanayome"), Combo(("M-A", "M-B"), ("S-1",), (), None, (0, (("M-A", 0), ("M-B", 0), ("S-1", 0), ("BLANK", 0)), ((), ()), ()))

    def key(**cards: str) -> str:
        return Search(Pool(book, pool_of(book, written(tmp_path, **cards)), {}), (2,)).key_of(combo)
    known = key(**MOVERS, **BEGINS)
    card = pool_of(book, written(tmp_path, **MOVERS))[0]
    assert content(card) != content(replace(card, abilities=(replace(card.abilities[0], name=Text.same("another name")),)))  # it is shown
    assert known == key(**OTHERS, **MOVERS, **BEGINS)
    assert known not in (key(**MOVERS), key(**MOVERS, **{k: v.replace("1枚引く", "2枚引く") for k, v in BEGINS.items()}))


@pytest.mark.parametrize(("found", "now"), [(2, [(0, 1), (2, 3)]), (3, [(2, 3)])])
def test_a_card_that_loops_with_several_others_waits_for_the_rest(found: int, now: list[tuple[int, int]], tmp_path: Path) -> None:
    book = load_book("hanayome")
    path = written(tmp_path, **LOOPS, **OTHERS)
    one = Search(Pool(book, pool_of(book, path), {}), (2,), processes=0)
    one.graph, one.room = graph_in(path), 8
    names = [c.id for c in one.pool.cards]
    out = Searched(book.name, len(names), (2,), combos=[Combo((names[0], names[4]), (), (), None, (0, (), ((), ()), ()))] * found)
    assert one.without_many(out, [(0, 1), (2, 3)]) == now
    assert one.go_round(out, [(0, 1), (2, 3)], {}, None, lambda: False, lambda: None) == [(0, 1), (2, 3)]  # none is lost


def test_what_a_text_may_do_is_read_off_its_code(tmp_path: Path) -> None:
    book = load_book("hanayome")
    cards = pool_of(book, written(tmp_path, **LOOPS, **OTHERS))
    program = compiled(book.rulebook, World(tuple(CardCopy(c, 0) for c in cards)), "main-phase")
    zones = [z.name for z in program.layout.zones]
    ask, _, _, run, _ = gists_of(program, cards, {})
    assert {(mask, zones[to]) for mask, _, to in ask.texts.moves} == {(1 << 1, "hand[0]")}
    assert {zones[to] for _, _, to in run.costs.moves} == {"waiting_room[0]"}
    assert run.costs.lets == {4} and ask.texts.lets == set()  # only what is put there from the hand lets C-WATCH's ability wait
    graph = graph_in(tmp_path / "pool.csv")
    assert next(graph.circles(2, range(len(cards)))) == next(s for s in graph.ordered([2]) if len(s) == 2) == (0, 1)


def test_of_cards_that_are_alike_one_comes_first_and_one_with_a_limit_is_not_like_one_without(tmp_path: Path) -> None:
    twin = OTHERS["C-WATCH"]
    path = written(tmp_path, **OTHERS, C_STARE=twin.replace("見る", "凝視"), C_SPRINT=OTHERS["C-RUN"].replace("走る", "駆ける").replace("【ターン1回】", ""))
    graph = graph_in(path)
    ids = [c.id for c in graph.cards]
    nap, run, watch, stare, sprint = (ids.index(x) for x in ("C-NAP", "C-RUN", "C-WATCH", "C-STARE", "C-SPRINT"))
    assert graph.like[watch] == graph.like[stare] and len({*graph.like}) == 4
    assert graph.like[run] != graph.like[sprint] and graph.like[nap] == nap
    order = graph.ordered([2])
    first, then = sorted(order.index((sprint, k)[::1 if sprint < k else -1]) for k in (watch, stare))
    assert first < then and {graph.alike(order[first]), graph.alike(order[then])} == {graph.alike(order[first])}
    assert all(len({graph.like[k] for k in s} & {*s}) == len(s) for s in order[:first + 1])  # none before it holds the other one


def test_what_is_like_a_loop_that_was_shown_is_tried_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = load_book("hanayome")
    path = written(tmp_path, **LOOPS, **OTHERS, C_STARE=OTHERS["C-WATCH"].replace("見る", "凝視"))
    one = Search(Pool(book, pool_of(book, path), {}), (2,), processes=0)
    one.graph, one.room = graph_in(path), 8
    asked = list[Collection[Any]]()
    monkeypatch.setattr(one, "next_parts", lambda ahead: asked.append(ahead) or [])
    names = [c.id for c in one.pool.cards]
    out = Searched(book.name, len(names), (2,))
    one.go_round(out, [(0, 1), (2, 3), (3, 5)], {}, None, lambda: False, lambda: None)
    out.add([Combo((names[3], names[4]), (), (), None, (0, (), ((), ()), ()))])
    one.go_round(out, [(0, 1), (2, 3), (3, 5)], {}, None, lambda: False, lambda: None)
    assert asked == [[(0, 1), (2, 3), (3, 5)], [(3, 5), (0, 1), (2, 3)]]


def test_several_sets_are_tried_at_once_and_none_is_lost_or_tried_with_a_loop_that_is_known(tmp_path: Path) -> None:
    path = written(tmp_path, **LOOPS, **OTHERS)
    book = load_book("hanayome")
    one = Search(Pool(book, pool_of(book, path), {}), (2, 3))
    one.graph, one.room = graph_in(path), 8
    order = [(a, b) for a in range(5) for b in range(a + 1, 5)] + [(0, 2, 3), (2, 3, 4)]
    parts = one.next_parts(order)
    assert sorted(cards for _, sets in parts for cards in sets) == sorted(order)
    assert all({*cards, *one.graph.starters(cards)} <= {*there} for there, sets in parts for cards in sets)
    left, tries = {cards: bits_of(cards) for cards in order}, list[tuple[int, list[tuple[int, ...]]]]()
    while left:
        tries.append(joined(next(iter(left)), left, [bits_of((0, 1))]))
    assert sorted(cards for _, sets in tries for cards in sets) == sorted(order) and len(tries) < len(order)
    for mine, sets in tries:
        assert mine.bit_count() <= TOGETHER and all(bits_of(cards) & ~mine == 0 for cards in sets)
        assert len(sets) == 1 or mine & 0b11 != 0b11


def test_the_cards_of_a_world_hold_many_sets() -> None:
    far = [(9, k) for k in range(10, 14)]
    near = [(a, b) for a in range(9) for b in range(a)]
    there = world_of([(0, 1), *far, *near], 9)
    assert there == {*range(9)}  # 36 sets; the first nine with those that stand before them would be eight
    assert world_of([(0, 1), (7, 8, 9, 10, 11), (2, 3)], 6) == {0, 1, 2, 3}  # cards that lead to no set are left out
    assert world_of([(0, 1, 2)], 3) == {0, 1, 2}


def test_the_command_shows_sets_and_says_what_it_does_not_claim(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(written(tmp_path, **LOOPS))
    assert main(["combos", "hanayome", "--cards", path, "--size", "2", "--threads", "1", "--lang", "en"]) == 1
    said = capsys.readouterr().out
    assert "“asking” (V-ASK), “answering” (V-ANSWER)" in said and "only one player can stop it" in said
    assert "not that there is none" in said
    assert main(["combos", "hanayome", "--cards", path, "--size", "2", "--threads", "1", "--json", "--stopped-by", "--one-card-away"]) == 1
    data = json.loads(capsys.readouterr().out)
    schema = output_schema()
    assert [*violations(data, schema["$defs"]["output-combos"], schema)] == []
    assert data["kept"] > 0 and data["combos"][0]["cards"] == ["V-ASK", "V-ANSWER"] and data["lacking"] == []
    assert data["combos"][0]["stops"] == {"cards": {}, "tried": 0, "unknown": 0, "left": 0}


@pytest.mark.parametrize(("tried", "cut", "goes_on"), [(0, "seconds", False), (1, "seconds", True), (0, "user", True)])
def test_the_same_command_is_not_said_to_go_on_where_its_time_was_too_short_for_one_set(tried: int, cut: str, goes_on: bool) -> None:
    found = Searched("hanayome", 5, (2,), candidates=10, kept=3, tried=tried, left=7 - tried, cut=cut)
    said = " ".join(said_of(cast(Search, None), found, speaker("en")))
    assert ("The same command goes on from there." in said) is goes_on and ("more time may be needed" in said) is not goes_on


def test_plays_with_several_sets_are_counted_once() -> None:
    assert shares(14, 3) == [5, 5, 4] and shares(120, 7) != [18] * 7 and sum(shares(120, 7)) == 120
    assert shares(0, 2) == [0, 0]  # could not be played
    assert shares(1, 2) == [1, 1]  # and these could


TURNED_OVER = """
cards:
  - id: M-ASK
    name: 尋ねる
    kind: event
    names: [尋ねる]
    icons: [main]
    abilities:
      - id: a
        name: デッキをすべて控え室に置いて戻し、控え室のイベントを1枚手札に加える
        kind: event
        text: |
          old = {c for c in g.waiting_room[you]}
          for c in g.deck[you]:
              move(g, c, g.waiting_room[you])
          for c in g.waiting_room[you]:
              if c not in old:
                  move(g, c, g.deck[you])
          shuffle_deck(g, you)
          mine = {c for c in g.waiting_room[you] if Printed(c).kind == Kind.EVENT}
          if len(mine) > 0:
              c = await choose(you, mine)
              move(g, c, g.hand[you])
  - {id: M-ANSWER, name: 答える, kind: event, テキスト: 【メイン】あなたの控え室の《尋ねる》1枚を選び、手札に加える。}
"""


def test_a_deck_that_is_emptied_and_filled_within_a_round_is_not_denied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pool.yaml"
    path.write_text(TURNED_OVER, encoding="utf-8")
    assert main(["combos", "hanayome", "--cards", str(path), "--size", "2", "--threads", "1", "--lang", "en"]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "(M-ASK)" in said and "after 60 rounds the game is still on, and each deck had cards at the end of each round" in said
    assert "no deck was emptied" not in said


def test_a_pool_without_candidates_is_not_examined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(written(tmp_path, C_PLAIN="ただの札,a plain card,character,ただの札,三玖,2,1,"))
    assert main(["combos", "hanayome", "--cards", path, "--max-memory", "20000", "--lang", "en"]) == 0
    assert "nothing was examined" in capsys.readouterr().out


@pytest.mark.parametrize("size", ["5", "3..2", "1..3", "two"])
def test_sizes_that_are_none_are_refused(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["combos", "hanayome", "--size", size, "--lang", "en"]) == 2
    assert size in capsys.readouterr().err


def test_a_card_of_which_no_kind_is_written_is_of_the_kind_that_the_rules_give_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So it shows where cards lie of which the kind is written, as in a pool."""
    monkeypatch.chdir(tmp_path)
    Path("draft.md").write_text(NUMBERED, encoding="utf-8")
    assert main(["new", "mygame", "--from", "draft.md", "--yes"]) == 0
    state, cards = Path("mygame/rules/state.py"), Path("mygame/cards.yaml")
    state.write_text(state.read_text("utf-8").replace("class Printed(Definition):", """class Sort(Enum):
    BIG_BEAST = 1
    TRICK = 2


class Printed(Definition):
    kind: Sort = Sort.BIG_BEAST
""").replace("    of: Any\n", "    of: Any\n    kind: Sort = Sort.TRICK\n"), encoding="utf-8")
    cards.write_text("cards:\n  - {id: PLAIN, name: a}\n  - {id: SAID, name: b, kind: big-beast}\n  - {id: LOUD, name: c, kind: BIG_BEAST}\n", encoding="utf-8")
    forget_books()
    book = load_book("mygame")
    (template,) = templates_of(book)
    assert {template.kind_of(card) for card in book.cards.values()} == {"big-beast"} == {*template.seats}
    forget_books()
