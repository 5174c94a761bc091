"""The files of a rule book: what is read from them, with English and Japanese keys; and no file breaks a
reader."""
from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright import spec
from rulewright.spec.diagnostics import BadInput, Collector, Position
from rulewright.spec.document import MapNode, TextNode, compose_text
from rulewright.spec.findings import FindingClass, WhoCanStop
from rulewright.spec.readers import (
    ClauseKind,
    DeckOrder,
    Numbers,
    Status,
    parse_counted,
    read_cards,
    read_clauses,
    read_readings,
    read_scenario,
    read_terms,
)

LANGUAGES: tuple[Literal["ja", "en"], ...] = ("ja", "en")
SHIPPED = [Path(folder) for folder in spec.__path__]

CLAUSES = """\
book: sample
edition: 1.10
clauses:
  - id: 4.1
    kind: heading
    ja: 手札
    en: the hand
  - id: 4.10
    kind: duty
    ja: 手札は7枚まで。
    en: "A hand: at most seven cards."
    refs: [4.1]
    dangling: [4.11]
"""
CLAUSES_JA = """\
本: sample
版: "1.10"
条文:
  - 番号: "4.1"
    種類: 見出し
    日本語: 手札
    英語: the hand
  - 番号: "4.10"
    種類: 義務
    日本語: 手札は7枚まで。
    英語: "A hand: at most seven cards."
    参照: ["4.1"]
    参照先なし: ["4.11"]
"""
TERMS = """\
terms:
  - {id: hand, ja: 手札, en: hand, clause: 4.1}
  - id: player
    ja: プレイヤー
    en: player
"""
READINGS = """\
readings:
  - id: hand-limit
    clauses: [4.10]
    question: {ja: 上限はあるか, en: Is there a limit?}
    alternatives:
      - {id: exists, gist: {ja: ある, en: there is}}
      - {id: none, gist: {ja: ない, en: there is not}}
    default: exists
    why: {ja: 文面から, en: from the wording}
    affects: {ja: 手札が8枚, en: a hand of eight}
    status: modelled
  - id: hand-limit-number
    clauses: [4.10]
    question: {ja: 何枚か, en: How many?}
    number: {from: 0, to: 99, suggested: [5, +7]}
    default: 7
    why: 仮
    affects: {ja: いつか, en: some day}
    status: 予定
"""
CARDS = """\
cards:
  - id: P-001
    name: {ja: 見本, en: sample}
    type: character
    icons: [main, 自]
    abilities:
      - id: swap
        name: 入れ替え
        kind: auto
        when: Moved
        while: in_lane(g, this)
        if: "event.card == this"
        payable: hand(g, you) > 0
        cost: |
          discard(g, you)
        text: |
          a = await choose(you, cards)   # 選ぶ
          if a is not None:
              swap(g, a)                 #: 4.10
        once: turn
"""
CARDS_JA = """\
札:
  - カード番号: "P-001"
    カード名: 見本
    能力:
      - 種類: 自動
        誘発: Moved
        状態: a
        条件: b
        テキスト: |
          c()
"""
SCENARIO = """\
book: sample
id: eight-cards
title: {ja: 八枚の手札, en: eight cards}
about: 手札が多い。
cards:
  - {id: X-1, name: 札}
begin: end-phase
deck_order: lazy
position:
  first: {hand: [X-1 x3, X-1], 山札: []}
readings: {hand-limit-number: 7, hand-limit: exists}
policy: {first: pass}
bounds: {states: 1000, depth: 50, turns: 3, seconds: 9, memory: 512, stack: 0}
capacities: {Waiting: 4}
caps: {OnCard.bonus: 40}
expect:
  - readings: {hand-limit-number: 7}
    states: 12
    states_symmetry: 6
    complete: yes
    outcomes: {draw: 1}
    findings:
      - {class: loop, title: 終わらない, keepers: nobody, says: {4.10: draw}}
  - findings: []
control: seven-cards
"""
SCENARIO_JA = """\
本: sample
番号: 八枚
題: 八枚の手札
説明: 手札が多い。
札: []
開始: 終了
山札の順: 全通り
局面: {先攻: {}}
解釈: {上限: 7}
方針: {先攻: 何もしない}
範囲: {局面数: 1, 手順数: 2, ターン数: 3, 秒: 4, メモリ: 5}
容量: {}
上限: {}
期待: [{解釈: {}, 局面数: 1, 対称局面数: 1, 全確認: はい, 終わり方: {}, 指摘: [{分類: 永久循環, 題: 輪}]}]
対照: 七枚
"""
READERS: dict[str, Callable[[Path], Any]] = {
    "clauses": read_clauses, "terms": read_terms, "readings": read_readings, "cards": read_cards,
    "scenario": read_scenario,
}
SAMPLES = [
    ("clauses", CLAUSES), ("clauses", CLAUSES_JA), ("terms", TERMS), ("readings", READINGS), ("cards", CARDS),
    ("cards", CARDS_JA), ("scenario", SCENARIO), ("scenario", SCENARIO_JA),
]


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def file(content: str) -> Path:
    path = Path("a.yaml")
    path.write_text(content, encoding="utf-8")
    return path


# ---------------------------------------------------------------- what is read
@pytest.mark.parametrize(("kind", "content"), SAMPLES)
def test_the_samples_are_right(kind: str, content: str) -> None:
    READERS[kind](file(content))


def test_clauses_keep_their_numbers_as_written() -> None:
    read = read_clauses(file(CLAUSES))
    assert (read.book.value, read.edition) == ("sample", "1.10")
    assert [c.id.value for c in read.clauses] == ["4.1", "4.10"]
    assert read.ids == {"4.1", "4.10"}
    duty = read.clauses[1]
    assert (duty.kind, duty.gist.en) == (ClauseKind.DUTY, "A hand: at most seven cards.")
    assert (duty.refs[0].value, duty.refs[0].position) == ("4.1", Position("a.yaml", 12, 12))
    assert [d.value for d in duty.dangling] == ["4.11"]


def test_japanese_keys_say_the_same() -> None:
    one, other = (
        [(c.id.value, c.kind, c.gist) for c in read_clauses(file(content)).clauses]
        for content in (CLAUSES, CLAUSES_JA)
    )
    assert one == other


def test_terms_are_read_and_their_clauses_looked_up() -> None:
    read = read_terms(file(TERMS), {"4.1"})
    assert [(t.id.value, t.name.ja) for t in read.terms] == [("hand", "手札"), ("player", "プレイヤー")]
    assert read.terms[1].clause is None
    with pytest.raises(BadInput) as caught:
        read_terms(file(TERMS), {"4.10", "1"})
    assert [d.code for d in caught.value.diagnostics] == ["unknown-clause"]


def test_readings_know_their_answers() -> None:
    limit, number = read_readings(file(READINGS)).readings
    assert isinstance(limit.answers, tuple)
    assert [a.gist.en for a in limit.answers] == ["there is", "there is not"]
    assert limit.allows("none") and not limit.allows("perhaps") and limit.status is Status.MODELLED
    assert isinstance(number.answers, Numbers) and [s.value for s in number.answers.suggested] == [5, 7]
    assert (number.default.value, number.why.en, number.status) == ("7", "仮", Status.PLANNED)
    tried = ("0", "99", "7", "100", "-1", "07", "7.0", "７", "", "9" * 5000)
    assert [answer for answer in tried if number.allows(answer)] == ["0", "99", "7"]


def test_a_reading_that_cannot_be_read_hides_no_other_mistake_and_makes_none() -> None:
    wrong = READINGS.replace("status: modelled", "status: modeled", 1)
    assert wrong != READINGS
    with pytest.raises(BadInput) as caught:
        read_readings(file(wrong), {"1"})
    assert [d.code for d in caught.value.diagnostics].count("unknown-clause") >= 2
    assert {d.code for d in caught.value.diagnostics} == {"unknown-clause", "unknown-value"}


def test_cards_keep_what_only_the_model_can_judge() -> None:
    (card,) = read_cards(file(CARDS))
    assert (card.id.value, card.name.en, card.position) == ("P-001", "sample", Position("a.yaml", 2, 5))
    icons = card.attributes["icons"].value
    assert list(card.attributes) == ["type", "icons"]
    assert isinstance(icons, tuple) and [n.text for n in icons] == ["main", "自"]
    (ability,) = card.abilities
    scripts = (ability.kind, ability.when, ability.while_, ability.if_, ability.payable)
    assert [s.text for s in scripts if s] == [
        "auto", "Moved", "in_lane(g, this)", "event.card == this", "hand(g, you) > 0",
    ]
    once = ability.facts["once"]
    assert isinstance(once.value, TextNode) and once.value.text == "turn"
    assert once.key == Position("a.yaml", 20, 9)


def test_places_in_a_script_are_places_in_the_file() -> None:
    (card,) = read_cards(file(CARDS))
    script, condition = card.abilities[0].text, card.abilities[0].if_
    assert script is not None and condition is not None
    lines = CARDS.split("\n")
    for number, line in enumerate(script.text.splitlines(), 1):
        at = script.position_in(number, 1)
        assert lines[at.line - 1][at.column - 1 :] == line
    assert condition.position_in(1, 7) == Position("a.yaml", 12, 20)


def test_the_japanese_keys_of_cards() -> None:
    (card,) = read_cards(file(CARDS_JA))
    a = card.abilities[0]
    nodes = (a.kind, a.when, a.while_, a.if_, a.text)
    assert [node.text for node in nodes if node] == ["自動", "Moved", "a", "b", "c()\n"]


def test_scenarios_are_read_whole() -> None:
    read = read_scenario(file(SCENARIO))
    assert (read.book.value, read.id.value, read.title.en) == ("sample", "eight-cards", "eight cards")
    assert read.about is not None and read.about.en == "手札が多い。"
    assert read.begin is not None and read.begin.value == "end-phase"
    assert read.deck_order is DeckOrder.LAZY and [c.id.value for c in read.cards] == ["X-1"]
    assert isinstance(read.state, MapNode) and [e.key.text for e in read.state.entries] == ["first"]
    chosen = {name: answer.value for name, answer in read.readings.items()}
    assert chosen == {"hand-limit-number": "7", "hand-limit": "exists"}
    assert isinstance(first := read.policy["first"].value, TextNode) and first.text == "pass"
    bounds = read.bounds
    assert (bounds.states, bounds.depth, bounds.turns) == (1000, 50, 3)
    assert (bounds.seconds, bounds.memory_mib) == (9, 512)
    assert bounds.other["stack"].value == 0
    assert read.capacities["Waiting"].value == 4 and read.caps["OnCard.bonus"].value == 40
    assert read.control is not None and read.control.value == "seven-cards"
    full, empty = read.expect
    assert full.states is not None and full.states_symmetry is not None and full.complete is not None
    assert (full.states.value, full.states_symmetry.value, full.complete.value) == (12, 6, True)
    assert full.outcomes is not None and full.outcomes["draw"].value == 1
    assert full.findings is not None
    (finding,) = full.findings
    assert (finding.cls.value, finding.title, finding.keepers) == ("loop", "終わらない", WhoCanStop.NOBODY)
    assert finding.says is not None and finding.says["4.10"].value == "draw"
    assert (empty.findings, empty.states, empty.outcomes) == ((), None, None)


def test_the_japanese_keys_of_scenarios() -> None:
    read = read_scenario(file(SCENARIO_JA))
    assert read.deck_order is DeckOrder.ALL
    assert (read.bounds.states, read.bounds.memory_mib) == (1, 5)
    assert read.expect[0].findings is not None and read.expect[0].findings[0].cls is FindingClass.LOOP


def test_little_need_be_said_of_a_scenario() -> None:
    read = read_scenario(file("book: sample\nid: x\ntitle: X\n"))
    assert (read.cards, read.state, read.begin, read.expect) == ((), None, None, ())
    assert (read.deck_order, read.bounds.states, read.bounds.other) == (DeckOrder.GIVEN, None, {})


@pytest.mark.parametrize(("written", "card", "count"), [
    ("P-1", "P-1", 1), ("P-1 x3", "P-1", 3), ("P-1 ×3", "P-1", 3), ("P-1×3", "P-1", 3), ("P-1 x 3", "P-1", 3),
    ("P-1 ｘ10", "P-1", 10), ("BOX", "BOX", 1), ("x3", "x3", 1), ("P-1 SR X2", "P-1 SR", 2),
    ("001 x4", "001", 4),
])
def test_cards_are_counted(written: str, card: str, count: int) -> None:
    report = Collector()
    read = parse_counted(TextNode(written, Position("a.yaml", 1, 1)), report)
    assert read is not None and (read.card.value, read.count) == (card, count)
    assert not report.diagnostics


@pytest.mark.parametrize(("written", "code", "hint"), [
    ("P-1 x３", "not-a-number", "write `3`"), ("P-1 x0", "out-of-range", "write a number from 1 to 999"),
    ("P-1 x1000", "out-of-range", "write a number from 1 to 999"), (f"P-1 x{'9' * 20}", "out-of-range", "write a number from 1 to 999"),
    ("Ｐ-1 x2", "not-a-card-number", "write `P-1`"), ("P-1 xx", "not-a-number", None),
    ("", "missing-value", None),
])
def test_wrong_counts_are_explained(written: str, code: str, hint: str | None) -> None:
    report = Collector()
    assert parse_counted(TextNode(written, Position("a.yaml", 1, 1)), report) is None
    (diagnostic,) = report.diagnostics
    assert diagnostic.code == code
    assert hint is None or (diagnostic.hint is not None and diagnostic.hint.en == hint)


# ---------------------------------------------------------------- what is refused
WRONG = {
    "clauses": """\
book: hana yome
edition:
clauses:
  - id: ４.1
    kind: heding
    ja: 手札
  - id: 4.2
    kind: duty
    ja: 手札
    en: hand
    ref: [4.1]
  - {id: 4.2, kind: none, ja: 無, en: nothing}
""",
    "clauses that are not there": CLAUSES.replace("[4.1]", "[4.100, 9]").replace("[4.11]", "[4.1]"),
    "terms": "terms:\n  - {id: hand, ja: 手札, en: hand}\n  - {id: hand, ja: 手, clause: 1 2}\n  - hand\n",
    "readings": """\
readings:
  - id: hand-limit
    clauses: []
    question: {ja: 上限はあるか}
    alternatives: [{id: exists, gist: ある}]
    default: exists
    why: w
    affects: a
    status: done
  - {id: r, clauses: [1], question: q, default: x, why: w, affects: a, status: planned}
""",
    "readings whose default is no answer": READINGS.replace("default: exists", "default: exist").replace(
        "suggested: [5, +7]", "suggested: [100]").replace("default: 7", "default: ７"),
    "cards": """\
cards:
  - id: P-1
    name: 見本
    stats: {power: 1}
    abilities:
      - kind: auto
        text: >
          a()
          b()
      - text：c()
  - id: P-1
    name: 見本
""",
    "scenario": """\
book: sample
id: x
titel: 題
deck_order: random
position: [hand]
bounds: {states: 1，000, depth: 0, turns: many}
readings: {hand limit: 7}
expect: [{complete: maybe, findings: [{title: t}]}]
対照: 七枚
control: seven
""",
    "scenario that is a stored case": "form: 1\nscenario: sample/x\nfinding: {id: X-1}\n",
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_mistake_is_explained(lang: Literal["ja", "en"], frozen: Callable[[str, str], None]) -> None:
    pages: list[str] = []
    for name, content in WRONG.items():
        with pytest.raises(BadInput) as caught:
            READERS[name.split()[0]](file(content))
        pages.append(f"=== {name}\n{caught.value.render(lang)}\n")
    frozen(f"readers.{lang}.txt", "\n".join(pages))


# ---------------------------------------------------------------- the shipped books
def shipped(pattern: str) -> list[Path]:
    return sorted(path for folder in SHIPPED for path in folder.glob(pattern))


@pytest.mark.parametrize("path", shipped("*/clauses.yaml"), ids=lambda path: path.parent.name)
def test_the_shipped_books_are_read(path: Path) -> None:
    clauses = read_clauses(path)
    assert clauses.book.value == path.parent.name and clauses.ids
    assert read_terms(path.with_name("terms.yaml"), clauses.ids).terms
    readings = path.with_name("readings.yaml")
    if readings.exists() or path.with_name("scenarios").exists():  # a book may be registered before it is modelled
        assert read_readings(readings, clauses.ids).readings


@pytest.mark.parametrize("path", shipped("*/cards.yaml"), ids=lambda path: path.parent.name)
def test_the_shipped_cards_are_read(path: Path) -> None:
    assert read_cards(path)


@pytest.mark.parametrize("path", shipped("*/scenarios/*.yaml"), ids=lambda path: path.stem)
def test_the_shipped_scenarios_are_read(path: Path) -> None:
    read = read_scenario(path)
    assert (read.id.value, read.book.value) == (path.stem, path.parent.parent.name)


# ---------------------------------------------------------------- whatever is in a file
def read_or_refused(kind: str, content: bytes) -> None:
    """Read a file; the only thing that may be raised is `BadInput`, and that can be shown."""
    path = Path("a.yaml")
    path.write_bytes(content)
    try:
        READERS[kind](path)
    except BadInput as error:
        assert error.render("ja") and error.render("en")
        assert all(d.position and d.position.line > 0 < d.position.column for d in error.diagnostics)


ALPHABET = "\t\n\r -:：,[]{}#&*!|>'\"%@`\\?<~　－｜×１０1aé五か\u3099\ufeff\u2028\0\ud7ff\U0001f0cf"
OFTEN = settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

PIECES = st.lists(
    st.tuples(st.floats(0, 1), st.text(ALPHABET, max_size=4) | st.text(max_size=4)), min_size=1, max_size=5,
)


@OFTEN
@given(st.sampled_from(SAMPLES), st.randoms(use_true_random=False), st.integers(1, 4))
def test_changed_bytes_break_no_reader(sample: tuple[str, str], luck: random.Random, times: int) -> None:
    content = bytearray(sample[1].encode())
    for _ in range(times):
        content[luck.randrange(len(content))] = luck.randrange(256)
    read_or_refused(sample[0], bytes(content))


@OFTEN
@given(st.sampled_from(SAMPLES), st.randoms(use_true_random=False), st.integers(1, 5))
def test_lines_lost_doubled_and_moved_break_no_reader(
    sample: tuple[str, str], luck: random.Random, times: int,
) -> None:
    lines = sample[1].split("\n")
    for _ in range(times):
        at, to = luck.randrange(len(lines)), luck.randrange(len(lines))
        line = lines[at] if luck.random() < 0.4 else lines.pop(at)
        if luck.random() < 0.6 or not lines:
            lines.insert(to, " " * luck.randrange(3) + line)
    read_or_refused(sample[0], "\n".join(lines).encode())


@OFTEN
@given(st.sampled_from(SAMPLES), st.floats(0, 1))
def test_files_cut_off_break_no_reader(sample: tuple[str, str], part: float) -> None:
    content = sample[1].encode()
    read_or_refused(sample[0], content[: int(len(content) * part)])


@OFTEN
@given(st.sampled_from(SAMPLES), PIECES)
def test_text_put_in_breaks_no_reader(sample: tuple[str, str], pieces: list[tuple[float, str]]) -> None:
    content = sample[1]
    for part, piece in pieces:
        at = int(len(content) * part)
        content = content[:at] + piece + content[at:]
    read_or_refused(sample[0], content.encode())


@OFTEN
@given(st.text(ALPHABET, max_size=60), st.sampled_from(sorted(READERS)))
def test_no_text_at_all_breaks_a_reader(content: str, kind: str) -> None:
    read_or_refused(kind, content.encode())


@OFTEN
@given(st.binary(max_size=200), st.sampled_from(sorted(READERS)))
def test_no_bytes_at_all_break_a_reader(content: bytes, kind: str) -> None:
    read_or_refused(kind, content)


def test_a_node_read_twice_is_the_same() -> None:
    one, other = (compose_text(SCENARIO, "a.yaml", Collector()) for _ in range(2))
    assert one == other
