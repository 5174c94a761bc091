"""Reading a file: what is kept of it, where everything stands, and what is said when it cannot be read."""
from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.spec import document
from rulewright.spec.broken import PROBLEMS
from rulewright.spec.diagnostics import (
    BadInput,
    Collector,
    Diagnostic,
    Position,
    nearest,
    shown,
    underline,
    width,
)
from rulewright.spec.document import ListNode, MapNode, Node, Style, TextNode, compose_text, read_document
from rulewright.spec.text import Text

LANGUAGES: tuple[Literal["ja", "en"], ...] = ("ja", "en")

BROKEN: dict[str, str | bytes] = {
    "empty": "",
    "only a comment": "# 何もない\n",
    "Shift_JIS": "book: 五等分の花嫁\nid: x\n".encode("cp932"),
    "another encoding": b"book: caf\xe9\n",
    "UTF-16": "book: x\n".encode("utf-16"),
    "cut off within a character": "題: 五".encode()[:-1],
    "control character": "book: a\0b\n",
    "BOM in the middle": "a: 1\n\ufeffb: 2\n",
    "tab as indentation": "a:\n\tb: 1\n",
    "tab after spaces": "a:\n  b: 1\n \tc: 2\n",
    "tab before a value": "a: \t- b\n",
    "key twice": "id: 1\nname: x\nid: 2\n",
    "key twice, composed and not": "が: 1\nか\u3099: 2\n",
    "anchor and alias": "a: &x 1\nb: *x\n",
    "alias that was meant as text": "text: *3枚引く\n",
    "merge key": "a:\n  <<: {d: 1}\n",
    "tags": "a: !!int 3\nb: !札 [1]\n",
    "several documents": "a: 1\n---\nb: 2\n",
    "directive": "%YAML 1.2\n---\na: 1\n",
    "unknown directive": "%\na: 1\n",
    "quotation mark not closed": 'a: "abc\nb: 1\n',
    "text after a quotation": 'ja: "花嫁" を得る\n',
    "bracket not closed": "a: [1, 2\nb: 1\n",
    "bracket at the beginning of a text": "a: [メイン] 1枚引く\n",
    "comma missing": "a: [{x: 1} {y: 2}]\n",
    "comma in a text within braces": "a: {text: draw(g, 1), b: 2}\n",
    "brace not closed": "a: {b: 1\n",
    "colon within a text": "a: foo: bar\n",
    "line that is no pair": "a: 1\nfoo\nb: 2\n",
    "indentation that does not fit": "a:\n    b: 1\n  c: 2\n",
    "list on the line of its key": "a: - 1\n",
    "reserved characters": "a: @foo\n",
    "star": "a: * 3\n",
    "ampersand": "a: & b\n",
    "exclamation mark": "a: !<x\n",
    "question mark": "a: ? b\n",
    "unknown escape": 'a: "\\q"\n',
    "escape cut short": 'a: "\\u12"\n',
    "escape of no character": 'a: "\\UFFFFFFFF"\n',
    "escape of half a character": 'a: "\\ud800"\n',
    "text beside a block mark": "a: | foo\n  bar\n",
    "full-width colon": "book： x\nedition: 1\n",
    "full-width colon further down": "book: x\nedition： 1\nclauses: []\n",
    "full-width space as indentation": "a:\n  - id: x\n  　kind: y\n",
    "full-width space before a key": "a: 1\n　b: 2\n",
    "full-width space after a dash": "a:\n-　id: x\n- id: y\n",
    "full-width space alone on a line": "a: 1\n　\nb: 2\n",
    "full-width dash": "a:\n  － id: x\n  - id: y\n",
    "no space after a colon": "b: 2\na:1\n",
    "slips all over, a block of text between": "a： 1\ntext: |\n  　範囲：3\n　b: 2\nc:3\n\td: 4\n",
    "key that is a list": "[a]: b\n",
    "no key": ": b\n",
    "nested too deeply": "[" * 100,
    "bracket out of place": "a: ]\n",
    "something after the end": "a: 1\n... x\n",
}
"""What can be wrong with a file, by a name for it."""


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refused(path: Path | str) -> BadInput:
    with pytest.raises(BadInput) as caught:
        read_document(path)
    return caught.value


def root(text: str) -> MapNode:
    report = Collector()
    node = compose_text(text, "a.yaml", report)
    report.raise_if_any()
    assert isinstance(node, MapNode)
    return node


def text_at(text: str, key: str = "a") -> TextNode:
    node = root(text).get(key)
    assert isinstance(node, TextNode)
    return node


# ---------------------------------------------------------------- what is wrong
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_mistake_is_explained(lang: Literal["ja", "en"], frozen: Callable[[str, str], None]) -> None:
    pages: list[str] = []
    for name, content in BROKEN.items():
        Path("a.yaml").write_bytes(content if isinstance(content, bytes) else content.encode())
        pages.append(f"=== {name}\n{refused('a.yaml').render(lang)}\n")
        Path("a.yaml").unlink()
    frozen(f"document.{lang}.txt", "\n".join(pages))


def test_every_message_about_syntax_is_shown_to_be_possible() -> None:
    seen: set[str] = set()
    for content in BROKEN.values():
        report = Collector()
        compose_text(content, "a.yaml", report)
        seen.update(d.message.en for d in report.diagnostics)
    assert {p.message.en for p in PROBLEMS} <= seen


@pytest.mark.parametrize("lang", LANGUAGES)
def test_files_that_are_none_are_explained(
    lang: Literal["ja", "en"], frozen: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("clauses.yaml").write_text("a: 1\n", encoding="utf-8")
    Path("folder").mkdir()
    Path("large.yaml").write_text("a: 1\n", encoding="utf-8")
    pages = [refused(name).render(lang) for name in ("clause.yaml", "elsewhere/a.yaml", "folder")]
    monkeypatch.setattr(document, "MAX_BYTES", 3)
    pages.append(refused("large.yaml").render(lang))
    monkeypatch.setattr(document, "MAX_BYTES", 100)
    monkeypatch.setattr(document, "MAX_VALUES", 3)
    Path("many.yaml").write_text("[1, 2, 3]\n", encoding="utf-8")
    pages.append(refused("many.yaml").render(lang))
    frozen(f"files.{lang}.txt", "\n".join(pages) + "\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_refused_and_not_waited_for() -> None:
    os.mkfifo("pipe")
    assert refused("pipe").diagnostics[0].code == "not-a-file"


def test_mistakes_that_are_no_syntax_are_all_reported() -> None:
    Path("a.yaml").write_text("a: &x 1\nb: *x\nb: 2\n<<: 3\n[c]: d\ne: !t f\n", encoding="utf-8")
    codes = [d.code for d in refused("a.yaml").diagnostics]
    assert codes == ["anchor", "alias", "duplicate-key", "merge-key", "key-not-text", "tag"]


def test_a_byte_order_mark_is_accepted() -> None:
    Path("a.yaml").write_bytes(b"\xef\xbb\xbfa: 1\n")
    node = read_document("a.yaml")
    assert node == MapNode(root("a: 1").entries, Position("a.yaml", 1, 1))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_all_line_ends_count_alike(end: str) -> None:
    node = text_at(f"b: 1{end}a: |{end}  x{end}  y{end}")
    assert (node.text, node.place(2, 1)) == ("x\ny\n", (4, 3))


# ---------------------------------------------------------------- what is kept
@pytest.mark.parametrize("written", [
    "4.10", "+1", "-0", "007", "0x10", "1e3", ".inf", "yes", "No", "on", "null", "~", "true", "2024-05-01",
    "12:30", "1_000", "=", "五", "１２", "a：b", "　全角", "a'b", "P-001",
])
def test_scalars_stay_the_text_that_was_written(written: str) -> None:
    assert text_at(f"a: {written}\n").text == written
    assert text_at(f"a: '{written.replace(chr(39), chr(39) * 2)}'\n").text == written
    (item,) = lists(f"a: [{written}]")
    assert isinstance(item, TextNode) and item.text == written


def lists(text: str) -> tuple[Node, ...]:
    node = root(text).get("a")
    assert isinstance(node, ListNode)
    return node.items


def test_nothing_is_told_from_an_empty_text() -> None:
    assert text_at("a:\n").missing
    assert not text_at('a: ""\n').missing


def test_maps_keep_their_order_and_nodes_their_places() -> None:
    node = root("b: 1\na:\n  - x\n  - {ｙ: z}\n")
    assert [e.key.text for e in node.entries] == ["b", "a"]
    x, y = lists("b: 1\na:\n  - x\n  - {ｙ: z}\n")
    assert x.position == Position("a.yaml", 3, 5)
    assert isinstance(y, MapNode) and y.flow
    assert y.entries[0].value.position == Position("a.yaml", 4, 9)


# ---------------------------------------------------------------- places within a text
def test_places_in_a_block_are_places_in_the_file() -> None:
    node = text_at("x: 1\na: |\n\n    最初\n      if あ:\n    z\nb: 2\n")
    assert (node.style, node.indentation, node.content) == (Style.LITERAL, 4, Position("a.yaml", 3, 5))
    assert node.text == "\n最初\n  if あ:\nz\n"
    assert node.position_in(3, 6) == Position("a.yaml", 5, 10)


def test_the_indentation_of_a_block_may_be_stated() -> None:
    node = text_at("a: |2\n    x\n  y\n")
    assert (node.text, node.indentation, node.place(2, 1)) == ("  x\ny\n", 2, (3, 3))


def test_places_beyond_the_end_stay_near_it() -> None:
    assert text_at("a: |\n  x\nb: 1\n").place(9, 1) == (2, 3)
    assert text_at("a: 'xy'\n").place(9, 1) == (1, 7)
    assert text_at("a: xy\n").place(1, 5) == (1, 8)


TEXTS = st.lists(st.text("ab'\"\\ 　：é五#-", min_size=0, max_size=8), min_size=1, max_size=5).map("\n".join)


def written(text: str, style: Style, indent: int) -> str | None:
    """YAML for a text in a style; `None` if that style cannot hold it as it is."""
    pad = " " * indent
    lines = text.split("\n")
    if style is Style.LITERAL:
        return f"a: |{indent}-\n" + "".join(pad + line + "\n" for line in lines)
    if style is Style.FOLDED:
        return f"a: >{indent}-\n" + "".join(pad + line + "\n" for line in lines)
    if style is Style.SINGLE:
        return "a: '" + f"\n{pad}".join(lines).replace("'", "''") + "'\n"
    if style is Style.DOUBLE:
        for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("é", "\\xe9")):
            lines = [line.replace(plain, escaped) for line in lines]
        return 'a: "' + f"\n{pad}".join(lines) + '"\n'
    return "a: x" + f"\n{pad}".join(lines) + "\n"


@given(TEXTS, st.sampled_from([s for s in Style if s is not Style.REFUSED]), st.integers(1, 4))
def test_every_character_of_a_text_is_found_in_the_file(text: str, style: Style, indent: int) -> None:
    yaml = written(text, style, indent)
    assert yaml is not None
    report = Collector()
    node = compose_text(yaml, "a.yaml", report)
    value = node.get("a") if isinstance(node, MapNode) else None
    if report.diagnostics or not isinstance(value, TextNode):
        return
    source = yaml.split("\n")
    for number, line in enumerate(value.text.split("\n"), 1):
        for column, character in enumerate(line, 1):
            at_line, at_column = value.place(number, column)
            found = source[at_line - 1][at_column - 1 : at_column]
            if character not in " \t":
                assert found == character or (style is Style.DOUBLE and found == "\\")


# ---------------------------------------------------------------- how it is shown
def test_a_diagnostic_without_its_file_is_shown_without_the_line() -> None:
    at = Diagnostic(Position("gone.yaml", 3, 9), "x", Text("悪い", "bad"), Text("直す", "mend"), "v")
    assert at.render("ja") == "gone.yaml:3:9: 悪い\n    ヒント: 直す"
    assert Diagnostic(None, "x", Text("悪い", "bad")).render("en") == "bad"


def test_carets_stand_under_the_value_in_full_width_text_too() -> None:
    line, carets = underline('  題: "五等分" # 注', 6, "五等分")
    assert carets == "      " + "^" * 8
    assert line[: carets.index("^")].count("題") == 1
    assert width("か\u3099") == 2 and width("ｶ") == 1


def test_of_a_long_line_the_part_around_the_caret_is_shown() -> None:
    line, carets = underline("あ" * 200 + "x" + "い" * 200, 201, "x")
    before = line[: line.index("x")]
    assert width(line) <= 101 and line.startswith("…") and line.endswith("…")
    assert width(before) == carets.index("^")


@given(st.text(), st.integers(1, 50), st.none() | st.text())
def test_any_line_can_be_shown(line: str, column: int, value: str | None) -> None:
    shown_line, carets = underline(line, column, value)
    assert "\n" not in shown_line and carets.strip(" ^") == "" and "^" in carets


def test_diagnostics_are_sorted_and_said_once() -> None:
    report = Collector()
    report.raise_if_any()
    places = (Position("a", 2, 1), Position("a", 1, 9), None)
    late, early, none = (Diagnostic(place, "x", Text.same("y")) for place in places)
    for diagnostic in (late, early, none, late):
        report.add(diagnostic)
    with pytest.raises(BadInput) as caught:
        report.raise_if_any()
    assert caught.value.diagnostics == (none, early, late) == report.diagnostics
    assert str(caught.value) == "y\na:1:9: y\na:2:1: y"
    with pytest.raises(ValueError, match="at least one"):
        BadInput([])


@pytest.mark.parametrize(("word", "known", "meant"), [
    ("chracter", ["event", "character"], "character"),
    ("ハンド", ["ハンデ", "デッキ"], "ハンデ"),
    ("手礼", ["山札", "手札"], "手札"),
    ("ｉｄ", ["kind", "id"], "id"),
    ("hand_limit", ["hand-limit", "hand-limits"], "hand-limit"),
    ("7.5,3", ["7.4", "7.5.3"], "7.5.3"),
    ("控え室", ["手札", "メインデッキ"], None),
    ("x", ["y", "xyz"], None),
    ("hand", ["hand_limit", "main_hand"], None),
    ("hand", ["hands"], "hands"),
    ("hand_limit", ["hand_limits", "limit"], "hand_limits"),
    ("フェイズ", ["メインフェイズ"], None),
    ("", ["a"], None),
    ("a", [], None),
])
def test_the_nearest_word_is_found_if_one_is_near(word: str, known: list[str], meant: str | None) -> None:
    assert nearest(word, known) == meant


def test_values_in_messages_are_short_and_visible() -> None:
    assert shown("a\nb\tc\u200b　d\x07") == "a\\nb\\tc\\u200b　d\\x07"
    assert shown("あ" * 70) == "あ" * 60 + "…"
