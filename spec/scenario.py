"""Scenario files: one situation of a rule book, how far to look, and what is expected to be found."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from itertools import chain
from operator import itemgetter
from pathlib import Path

from .cards import Card, Raw, card_list
from .diagnostics import Collector, Position
from .document import MapNode, Node
from .findings import FindingClass, Level, WhoCanStop
from .schema import (
    Fields,
    Located,
    bilingual,
    boolean,
    choice,
    clause_id,
    identifier,
    integer,
    list_of,
    located,
    map_of,
    name_of,
    raw_map,
    read_file,
    read_partly,
    record,
    text,
    title,
    words,
)
from .tables import card_table
from .text import Text

MOST = 10**12
"""The largest limit or count that can be written."""


class DeckOrder(Enum):
    """What is known of the order of a deck: all of it, as written; nothing until a card is drawn; every
    order is tried."""

    GIVEN = "given"
    LAZY = "lazy"
    ALL = "all"


@dataclass(frozen=True)
class Limits:
    """How far to look, and how long; `None` where nothing is said. `other` holds the limits that the book
    names."""

    states: int | None
    depth: int | None
    turns: int | None
    seconds: int | None
    memory_mib: int | None
    other: Mapping[str, Located[int]]


@dataclass(frozen=True)
class ExpectedFinding:
    """A finding that a check must report. What is `None` may be anything. `keepers` (who can stop a loop), `scope`
    (step, phase, turn or game) and `period` (transitions in a round) are about loops, and so is `says`: what each
    clause of the book about loops makes of it. `bars`: the actions that such a clause puts out of reach for the rest of
    the turn. A `stopper` is named by how the name of that player begins."""

    position: Position
    cls: FindingClass
    title: str | None
    clauses: tuple[str, ...] | None
    keepers: WhoCanStop | None
    scope: Level | None
    period: int | None
    growing: bool
    says: Mapping[str, Located[str]] | None
    bars: tuple[str, ...] | None
    stopper: str | None


@dataclass(frozen=True)
class Expectation:
    """What a check must say under one set of readings; `None` where nothing is expected."""

    position: Position
    readings: Mapping[str, Located[str]]
    states: Located[int] | None
    states_symmetry: Located[int] | None
    complete: Located[bool] | None
    outcomes: Mapping[str, Located[int]] | None
    findings: tuple[ExpectedFinding, ...] | None


@dataclass(frozen=True)
class Scenario:
    """One situation. `begin` is an entry point of the book; `state` (written `position:`) fills its state
    fields; `readings`, `policy`, `capacities` and `caps` are checked by the model. `control` names the
    scenario that is the same but for one thing, and in which the findings must be gone."""

    position: Position
    book: Located[str]
    id: Located[str]
    title: Text
    about: Text | None
    cards: tuple[Card, ...]
    """Its own, those of its tables (`card_files:`) included."""
    begin: Located[str] | None
    deck_order: DeckOrder
    state: MapNode | None
    readings: Mapping[str, Located[str]]
    policy: Mapping[str, Located[Raw]]
    bounds: Limits
    capacities: Mapping[str, Located[int]]
    caps: Mapping[str, Located[int]]
    expect: tuple[Expectation, ...]
    control: Located[str] | None
    tables: tuple[Path, ...] = ()
    """The files named in `card_files:`."""


NO_LIMITS = Limits(None, None, None, None, None, {})

ANSWERS = map_of(text, key=identifier)
COUNTS = map_of(integer(0, MOST))


def _limits(m: Fields) -> Limits:
    return Limits(
        states=m.optional("states", integer(1, MOST), "局面数"),
        depth=m.optional("depth", integer(1, MOST), "手順数"),
        turns=m.optional("turns", integer(1, MOST), "ターン数"),
        seconds=m.optional("seconds", integer(1, MOST), "秒"),
        memory_mib=m.optional("memory", integer(1, MOST), "メモリ"),
        other=m.rest(integer(0, MOST)),
    )


def _finding(m: Fields) -> ExpectedFinding:
    return ExpectedFinding(
        position=m.position,
        cls=m.required("class", choice(
            FindingClass, 永久循環=FindingClass.LOOP, 順番=FindingClass.ORDER, 決める人=FindingClass.OPEN,
            食い違い=FindingClass.CONFLICT, 定めがない=FindingClass.GAP, 解釈=FindingClass.READINGS,
            不変条件=FindingClass.INVARIANT, 条文の衝突=FindingClass.CONFLICT, 規定漏れ=FindingClass.GAP,
            処理順で結果が変わる=FindingClass.ORDER, 決める人が未規定=FindingClass.OPEN, ルールが決めていない=FindingClass.READINGS,
        ), "分類"),
        title=m.optional("title", text, "題"),
        clauses=m.optional("clauses", list_of(clause_id), "条文"),
        keepers=m.optional("keepers", name_of(
            WhoCanStop, 誰も=WhoCanStop.NOBODY, 一人=WhoCanStop.ONE, 二人で=WhoCanStop.TOGETHER, どちらでも=WhoCanStop.EITHER,
        ), "止められる人"),
        scope=m.optional("scope", choice(
            Level, ステップ=Level.STEP, フェイズ=Level.PHASE, ターン=Level.TURN, ゲーム=Level.GAME,
        ), "範囲"),
        period=m.optional("period", integer(1, MOST), "周期"),
        growing=m.optional("growing", boolean, "増え続ける", default=False),
        says=m.optional("says", map_of(text, key=clause_id), "循環の条"),
        bars=m.optional("bars", list_of(text), "できなくなる行動"),
        stopper=m.optional("stopper", text, "止める人"),
    )


def _expectation(m: Fields) -> Expectation:
    return Expectation(
        position=m.position,
        readings=m.optional("readings", ANSWERS, "解釈", default={}),
        states=m.optional("states", located(integer(1, MOST)), "局面数"),
        states_symmetry=m.optional("states_symmetry", located(integer(1, MOST)), "対称局面数"),
        complete=m.optional("complete", located(boolean), "全確認"),
        outcomes=m.optional("outcomes", COUNTS, "終わり方"),
        findings=m.optional("findings", list_of(record(_finding)), "指摘"),
    )


NOT_READ = ("no-such-file", "outside", "not-a-file", "is-folder", "unknown-format", "unreadable")
"""What can be wrong with a file before any of it is read."""


def _table(node: Node, report: Collector) -> tuple[Path, tuple[Card, ...]]:
    """A CSV file or a spreadsheet, which lies beside the scenario or elsewhere in the book's folder, and the cards in it."""
    here = Path(node.position.file).parent
    path, own = here / text(node, report), Collector()
    cards = card_table(path, own, here.parent if here.name == "scenarios" else here)
    report.add_all(
        replace(d, position=node.position, value=None) if d.code in NOT_READ else d
        for d in own.diagnostics)
    return path, cards


def _scenario(m: Fields) -> Scenario:
    m.no("finding", "stored-case", Text(ja="これは状況ではなく、保存された事例です", en="this is no scenario, but a stored case"), Text(
        ja="`rulewright replay` で手順をたどれます。`rulewright verify` は、今も再現するかを調べます",
        en="`rulewright replay` steps through it, `rulewright verify` says whether it still reproduces"))
    return Scenario(
        position=m.position,
        book=m.required("book", located(identifier), "本"),
        id=m.required("id", located(identifier), "番号"),
        title=m.required("title", title, "題"),
        about=m.optional("about", bilingual, "説明"),
        cards=(
            *(m.optional("cards", card_list, "札", default=()) or ()),
            *chain.from_iterable(
                map(itemgetter(1), tables := m.optional("card_files", list_of(_table), "札の表", default=()) or ())
            ),
        ),
        begin=m.optional("begin", located(identifier), "開始"),
        deck_order=m.optional(
            "deck_order",
            choice(
                DeckOrder,
                書いた順=DeckOrder.GIVEN,
                未定=DeckOrder.LAZY,
                全通り=DeckOrder.ALL,
            ),
            "山札の順",
            default=DeckOrder.GIVEN,
        ),
        state=m.optional("position", raw_map, "局面"),
        readings=m.optional("readings", ANSWERS, "解釈", default={}),
        policy=m.optional("policy", map_of(words), "方針", default={}),
        bounds=m.optional("bounds", record(_limits), "範囲", default=NO_LIMITS),
        capacities=m.optional("capacities", COUNTS, "容量", default={}),
        caps=m.optional("caps", COUNTS, "上限", default={}),
        expect=m.optional("expect", list_of(record(_expectation)), "期待", default=()),
        control=m.optional("control", located(identifier), "対照"),
        tables=tuple(path for path, _ in tables),
    )


SCENARIO = record(_scenario)


def read_scenario(path: Path | str) -> Scenario:
    """Read a scenario file; one that reads other files too is read each time."""
    return read_file(path, SCENARIO, "scenarios", worth=lambda s: not s.tables)


def scenario_partly(path: Path, report: Collector) -> tuple[Scenario, set[str]] | None:
    """A scenario file although something in it is wrong, which is reported; and the keys in which it is. None where its book is not known."""
    found = read_partly(path, _scenario, report)
    if found is None or (said := found[0]).book is None:  # pyright: ignore[reportUnnecessaryComparison]
        return None
    return replace(said, id=said.id or said.book), found[1]
