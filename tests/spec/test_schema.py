"""Shapes: what each accepts, what it says of anything else, and that nothing wrong in a file goes unsaid."""
from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.spec.diagnostics import BadInput, Collector, Diagnostic, Position
from rulewright.spec.document import ListNode, MapNode, Style, TextNode, compose_text
from rulewright.spec.schema import (
    Fields,
    Located,
    Shape,
    bilingual,
    boolean,
    card_number,
    choice,
    clause_id,
    date,
    identifier,
    integer,
    list_of,
    located,
    map_of,
    raw,
    raw_map,
    read_as,
    read_file,
    read_text,
    record,
    statements,
    text,
    text_node,
    words,
)
from rulewright.spec.text import Text

LANGUAGES: tuple[Literal["ja", "en"], ...] = ("ja", "en")


class Kind(Enum):
    """For `choice`."""

    AUTO = "auto"
    ACTIVATED = "activated"


KIND = choice(Kind, 自動=Kind.AUTO, 起動=Kind.ACTIVATED)


def value(written: str, shape: Shape[Any]) -> Any:
    """What a shape makes of the value of the key `a`."""
    return read_text(f"a: {written}\n", "a.yaml", record(lambda m: m.required("a", shape)))


# ---------------------------------------------------------------- what is accepted
@pytest.mark.parametrize(("written", "shape", "meant"), [
    ("4.10", text, "4.10"),
    ("  二語 の文  ", text, "二語 の文"),
    ("|\n  一\n  二\n", text, "一\n二"),
    ("hand-limit", identifier, "hand-limit"),
    ("手札_2", identifier, "手札_2"),
    ("か\u3099", identifier, "が"),
    ("4.10", clause_id, "4.10"),
    ('"4.10"', clause_id, "4.10"),
    ("'1'", clause_id, "1"),
    ("9-4.i", clause_id, "9-4.i"),
    ("306.5m", clause_id, "306.5m"),
    ("§1-1", clause_id, "§1-1"),
    ("3.①", clause_id, "3.①"),
    ("001", card_number, "001"),
    ("五-001 SR", card_number, "五-001 SR"),
    ("x3", card_number, "x3"),
    ("2024-02-29", date, datetime.date(2024, 2, 29)),
    ("0", integer(), 0),
    ("+1", integer(), 1),
    ("-2", integer(-2, 3), -2),
    ('"3"', integer(-2, 3), 3),
    ("007", integer(), 7),
    ("yes", boolean, True),
    ("False", boolean, False),
    ("はい", boolean, True),
    ("いいえ", boolean, False),
    ("auto", KIND, Kind.AUTO),
    ("起動", KIND, Kind.ACTIVATED),
    ("はじめ", bilingual, Text.same("はじめ")),
    ("{ja: 題, en: title}", bilingual, Text("題", "title")),
    ("{ja: 題}", bilingual, Text("題", "題")),
    ("{英語: title}", bilingual, Text("title", "title")),
    ("{日本語: 題, 英語: title}", bilingual, Text("題", "title")),
    ("[]", list_of(text), ()),
    ("[1, 2]", list_of(clause_id), ("1", "2")),
    ("{}", map_of(text), {}),
])
def test_values_are_read(written: str, shape: Shape[Any], meant: Any) -> None:
    assert value(written, shape) == meant


def test_positions_are_kept_where_they_are_asked_for() -> None:
    assert value('"x"', located(text)) == Located("x", Position("a.yaml", 1, 4))
    found = value("{c: 1, b: 2}", map_of(integer()))
    assert list(found) == ["c", "b"]
    assert found["b"] == Located(2, Position("a.yaml", 1, 14), Position("a.yaml", 1, 11))


def test_what_only_the_model_can_judge_is_passed_on() -> None:
    assert isinstance(value("[x, {y: [z]}]", raw), ListNode)
    assert isinstance(value("{y: [z]}", raw_map), MapNode)
    assert [n.text for n in value("[x, +1]", words)] == ["x", "+1"]
    assert value("+1", words).text == "+1"
    assert value("|\n  draw(1)\n", statements).style is Style.LITERAL
    assert value("draw(1)", statements).text == "draw(1)"
    assert value("a and\n   b", text_node).text == "a and b"


@dataclass(frozen=True)
class Thing:
    """For `record`."""

    id: Located[str]
    kind: Kind | None
    size: int
    answer: int | str
    rest: dict[str, Located[str]]


def thing(m: Fields) -> Thing:
    return Thing(
        id=m.required("id", located(identifier), "番号"),
        kind=m.optional("kind", KIND, "種類"),
        size=m.optional("size", integer(0, 9), "大きさ", default=1),
        answer=m.one_of(("number", integer(), "数"), ("name", identifier, "名")),
        rest=m.rest(text, key=identifier),
    )


def test_records_are_read_by_any_of_their_keys() -> None:
    read = read_text("番号: x\n種類: 自動\n数: -1\n色: 赤\n", "a.yaml", record(thing))
    assert (read.id.value, read.kind, read.size, read.answer) == ("x", Kind.AUTO, 1, -1)
    assert read.rest["色"].value == "赤"


def test_a_file_is_read_from_its_path(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("[x, y]\n", encoding="utf-8")
    assert read_file(tmp_path / "a.yaml", list_of(text)) == ("x", "y")
    with pytest.raises(BadInput) as caught:
        read_file(tmp_path / "b.yaml", list_of(text))
    assert caught.value.diagnostics[0].code == "no-such-file"


# ---------------------------------------------------------------- what is refused
REFUSED: list[tuple[str, Shape[Any]]] = [
    ("", text),
    ('""', text),
    ("#3 を引く", text),
    ("[メイン]", text),
    ("{x}", text),
    ("\n  - x", text),
    ("\n  b: x", text),
    ("x", list_of(text)),
    ("", list_of(text)),
    ("\n  範囲： 3\n  手札:2\n  色:　赤", map_of(text)),
    ("x", record(thing)),
    ("[x]", record(thing)),
    ("ハンド リミット", identifier),
    ("１章", identifier),
    ("12", identifier),
    ("４．１０", clause_id),
    ("1.2, 1.3", clause_id),
    ("Ｐ－００１", card_number),
    ("P-1 x3", card_number),
    ("2024/5/1", date),
    ("２０２４年５月１日", date),
    ("2024-02-30", date),
    ("きのう", date),
    ("３", integer()),
    ("ー１", integer()),
    ("15,000,000", integer()),
    ("0x10", integer()),
    ("1.0", integer()),
    ("5" * 19, integer()),
    ("10", integer(0, 9)),
    ("-1", integer(0)),
    ("3", integer(None, 2)),
    ("はい。", boolean),
    ("1", boolean),
    ("auot", KIND),
    ("永続", KIND),
    ("{}", bilingual),
    ("[x]", bilingual),
    ("[x]", list_of(text, least=2)),
    ("[x, y, x]", list_of(located(text), unique=lambda item: item)),
    (">\n  draw(1)\n  draw(2)", statements),
    ("draw(1)\n   draw(2)", statements),
    ("{id: x, name: y, 数: 1}", record(thing)),
    ("{id: x}", record(thing)),
    ("{id: x, 番号: y, 数: 1}", record(thing)),
    ("{id: x, 数: 1, 色 数: 赤}", record(thing)),
    ("{ja: 題, en: title, jp: x}", bilingual),
    ("{ja: 題, en: title, ｅｎ: x, fr: y}", bilingual),
    ("{ja: 題, en：title: x}", bilingual),
]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_mistake_is_explained(
    lang: Literal["ja", "en"], frozen: Callable[[str, str], None], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    pages: list[str] = []
    for written, shape in REFUSED:
        Path("a.yaml").write_text(f"a: {written}\n", encoding="utf-8")
        with pytest.raises(BadInput) as caught:
            value(written, shape)
        pages.append(caught.value.render(lang) + "\n")
        Path("a.yaml").unlink()
    frozen(f"schema.{lang}.txt", "\n".join(pages))


def codes(content: str, shape: Shape[Any]) -> list[tuple[int, str]]:
    with pytest.raises(BadInput) as caught:
        read_text(content, "a.yaml", shape)
    return [(d.position.line, d.code) for d in caught.value.diagnostics if d.position is not None]


def test_all_mistakes_of_a_file_are_reported_at_once() -> None:
    content = """\
- id: x y
  kind: atuo
  number: ３
- number: 1
  size: 10
- id: z
  id: z
  number: &a 1
  色: [赤]
- just text
- *b
- id: w
  number: 1
- id: w
  name: v
"""
    shape = list_of(record(thing), unique=lambda t: t.id)
    assert codes(content, shape) == [
        (1, "not-an-identifier"), (2, "unknown-value"), (3, "not-a-number"), (4, "missing-key"),
        (5, "out-of-range"), (7, "duplicate-key"), (8, "anchor"), (9, "wrong-kind"), (10, "wrong-kind"),
        (11, "alias"), (14, "used-twice"),
    ]


def test_nothing_follows_from_a_mistake_but_itself() -> None:
    assert codes("<<: {id: x, number: 1}\n", record(thing)) == [(1, "merge-key")]
    assert codes("id: *x\nnumber: 1\n", record(thing)) == [(1, "alias")]
    assert codes("[a]: b\n", list_of(text)) == [(1, "key-not-text")]


def test_a_mistake_costs_only_its_own_value() -> None:
    report = Collector()
    node = compose_text("[1, x]", "a.yaml", report)
    assert isinstance(node, ListNode)
    assert [read_as(integer(), item, report) for item in node.items] == [1, None]
    assert len(report.diagnostics) == 1


def test_the_value_is_handed_on_with_each_diagnostic() -> None:
    with pytest.raises(BadInput) as caught:
        value("auot", KIND)
    assert caught.value.diagnostics == (Diagnostic(
        Position("a.yaml", 1, 4), "unknown-value",
        Text("「auot」という値はありません", "there is no value `auot`"),
        Text("もしかして「auto」ですか", "did you mean `auto`?"), "auot",
    ),)


# ---------------------------------------------------------------- whatever is written
LEAVES: list[Shape[Any]] = [
    text, identifier, clause_id, card_number, date, integer(0, 9), boolean, KIND, bilingual, raw, words,
    statements, list_of(text), map_of(text), record(thing),
]


@given(st.text(), st.sampled_from(LEAVES), st.sampled_from(list(Style)))
def test_any_text_is_read_or_explained(content: str, shape: Shape[Any], style: Style) -> None:
    report = Collector()
    read = read_as(shape, TextNode(content, Position("a.yaml", 1, 1), style), report)
    assert read is not None or report.diagnostics or style is Style.REFUSED
    for diagnostic in report.diagnostics:
        assert diagnostic.render("ja") and "\n" not in diagnostic.message.en


@given(st.integers(-10**18 + 1, 10**18 - 1), st.sampled_from(["", "+"]))
def test_every_number_is_read_as_itself(number: int, sign: str) -> None:
    assert value(f"{sign if number >= 0 else ''}{number}", integer()) == number


@given(
    st.from_regex(r"[1-9][0-9]{0,2}(\.[1-9][0-9]?){0,4}[a-z]?", fullmatch=True),
    st.sampled_from(["", '"', "'"]),
)
def test_every_clause_number_is_read_as_itself(clause: str, quote: str) -> None:
    assert value(f"{quote}{clause}{quote}", clause_id) == clause
