"""What the front end says about programs with mistakes: whole messages, frozen beside the programs."""
from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.model.engine.library import rule_text
from rulewright.model.lang.source import read_source
from rulewright.spec.diagnostics import Collector

from .programs import CLAUSES, cards_of, check_frozen, refused, world_of

HERE = Path(__file__).parent / "bad"
PROGRAMS = sorted(HERE.glob("*.py"))


def shown(diagnostics: object) -> str:
    """All messages, in both languages, with the codes that programs go by."""
    assert isinstance(diagnostics, tuple)
    out: list[str] = []
    for d in diagnostics:
        out += [f"[{d.code}]", d.render("en"), d.render("ja"), ""]
    return "\n".join(out)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_every_mistake_is_told(path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config) -> None:
    monkeypatch.chdir(HERE)
    said = shown(refused(path, clauses=CLAUSES))
    check_frozen(path.with_suffix(".txt"), said, pytestconfig.getoption("--update-frozen"))


@pytest.mark.parametrize(("text", "column", "ja", "en"), [
    ("if x:\n    y()\n\tz()\n", 2, "タブと空白", "tabs and spaces"),
    ("if x:\n        y()\n    z()\n", 5, "前のどの行とも", "like none before"),
    ("x()\n  y()\n", 3, "余計に字下げ", "further than"),
    ("if x:\ny()\n", 1, "字下げした行が要ります", "an indented line"),
    ("while x = 2:\n    pass\n", 7, "値を入れられません", "can be assigned"),
    ("if x\n    pass\n", 5, "「:」が要ります", "`:` is needed"),
    ("f(1\n", 2, "閉じられていません", "not closed"),
    ("f(1))\n", 5, "開くかっこがありません", "nothing opens"),
    ("x = 'a\n", 5, "閉じられていません", "not closed"),
    ("x = = 2\n", 5, "文法に合いません", "not valid rule text"),
    ("f(a=1, 2)\n", 9, "positional argument", "positional argument"),  # whatever else is wrong is told in the parser's words
])
def test_common_slips_are_told_in_words_of_ours(text: str, column: int, ja: str, en: str) -> None:
    report = Collector()
    assert read_source("rules.py", text, report) is None
    (said,) = report.diagnostics
    assert ja in said.message.ja and en in said.message.en and said.position is not None and said.position.column == column


def test_a_mark_of_the_byte_order_in_front_of_a_module_means_nothing(tmp_path: Path) -> None:
    for name, mark in (("plain.py", b""), ("marked.py", b"\xef\xbb\xbf")):
        (tmp_path / name).write_bytes(mark + b"x = 1\n")
    report = Collector()
    assert rule_text(tmp_path / "marked.py", report) == rule_text(tmp_path / "plain.py", report) and not report.diagnostics


def test_every_message_says_what_to_write_instead() -> None:
    """Most messages have a hint; those that cannot are listed here, so that no new one goes without by accident."""
    without: set[str] = set()
    for path in PROGRAMS:
        without |= {d.code for d in refused(path, clauses=CLAUSES) if d.hint is None}
    assert without == NEED_NO_HINT


NEED_NO_HINT = {
    "no-fields", "not-a-number", "number-too-large", "types-differ", "unknown-name", "wrong-type",
}


def test_messages_are_whole_in_both_languages() -> None:
    for path in PROGRAMS:
        for d in refused(path, clauses=CLAUSES):
            for text in (d.message, *([d.hint] if d.hint is not None else [])):
                assert text.ja and text.en and text.ja != text.en, d
                assert not any("\u3040" <= c <= "\u30ff" for c in text.en.split("`")[0]), d


# ---------------------------------------------------------------- mistakes on cards
CARDS = sorted((HERE / "cards").glob("*.yaml"))


@pytest.mark.parametrize("path", CARDS, ids=lambda p: p.stem)
def test_mistakes_on_cards_are_told_where_they_stand(
    path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config,
) -> None:
    monkeypatch.chdir(path.parent)
    world = world_of(cards_of(Path(path.name)))
    said = refused(Path("rules.py"), clauses=CLAUSES, world=world)
    assert {d.position.file for d in said if d.position is not None} == {path.name}
    check_frozen(path.with_suffix(".txt"), shown(said), pytestconfig.getoption("--update-frozen"))


# ---------------------------------------------------------------- what is no text of the language at all
@pytest.mark.parametrize(("text", "ja"), [
    ("x = (1]\n", "「(」が「]」で閉じられています"), ("f(a b)\n", "「,」が抜けているようです"), ("x y\n", "規則言語の文法に合いません"),
    ("if g.x[p] = 1:\n    pass\n", "ここでは値を入れられません"), ('x = f"abc\n', "文字列が閉じられていません"),
    ("x = y　+ 1\n", "規則言語として読めません（ここに使えない文字（U+3000）です）"),
    ("f(a=1, 2)\n", "規則言語として読めません（構文解析器の英語の説明: positional argument follows keyword argument）"),
])
def test_what_pythons_parser_says_is_told_in_japanese(text: str, ja: str) -> None:
    report = Collector()
    assert read_source("rules.py", text, report) is None
    (said,) = report.diagnostics
    assert said.message.ja == ja and said.message.en.isascii()


@pytest.mark.parametrize(("text", "hint"), [
    ("x = y ≦ 3\n", "write `<=`"), ("x = y ≥ 3\n", "write `>=`"), ("x = y ≠ 3\n", "write `!=`"), ("x = y − 3\n", "write `-`"), ("x = y → 3\n", None)])
def test_for_a_sign_of_mathematics_it_is_told_how_it_is_written_here(text: str, hint: str | None) -> None:
    report = Collector()
    assert read_source("rules.py", text, report) is None
    (said,) = report.diagnostics
    assert (said.hint and said.hint.en) == hint


def test_of_a_name_that_no_card_here_has_it_is_told_how_a_text_may_say_it() -> None:
    said = next(d for d in refused("""from rulewright.model.lang import *

class Name(Symbols):
    pass

class Printed(Definition):
    names: Set[Name]

class Game(State):
    hand: Bag
    x: bool

@entry("main")
@procedure
async def main(g: Game) -> None:
    g.x = any(Name.fox in Printed(c).names for c in g.hand)
""") if d.code == "no-such-member")
    assert said.hint is not None
    assert "speaks_of: Set[Name]" in said.hint.en and "speaks_of: Set[Name]" in said.hint.ja
