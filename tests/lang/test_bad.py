"""What the front end says about programs with mistakes: whole messages, frozen beside the programs."""
from __future__ import annotations

from pathlib import Path

import pytest

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
    ("if x\n    y = 1\n", "「:」がありません"), ("def f(x)\n    pass\n", "「:」がありません"),
    ("x = f(1\ny = 2\n", "「(」が閉じられていません"), ("x = [1,\n", "「[」が閉じられていません"),
    ("x = (1]\n", "「(」が「]」で閉じられています"), ("x = 1)\n", "「)」に対応する開き括弧がありません"),
    ("x = 1\n    y = 2\n", "字下げが余分です"), ("if x:\ny = 1\n", "この行は、上の行より深く字下げします"),
    ("if x:\n        y\n    z\n", "字下げの深さが、上のどの行とも合いません"), ("if x:\n\ty\n        z\n", "字下げにタブと空白が混ざっています"),
    ('x = "abc\n', "文字列を閉じる引用符がありません"), ('x = """abc\n', "文字列を閉じる引用符がありません"), ('x = f"abc\n', "文字列を閉じる引用符がありません"),
    ("if x = 1:\n    pass\n", "「=」は代入です。等しいかを比べるには「==」と書きます"), ("if g.x[p] = 1:\n    pass\n", "「=」は代入です。等しいかを比べるには「==」と書きます"),
    ("f(a b)\n", "「,」が抜けているようです"), ("x = y　+ 1\n", "ここに使えない文字（U+3000）です"), ("x y\n", "文法に合いません"),
    ("f(a=1, 2)\n", "構文解析器の英語の説明: positional argument follows keyword argument"),
])
def test_what_pythons_parser_says_is_told_in_japanese(text: str, ja: str) -> None:
    report = Collector()
    assert read_source("rules.py", text, report) is None
    (said,) = report.diagnostics
    assert said.message.ja == f"規則言語として読めません（{ja}）"
    assert said.message.en.startswith("this is not valid rule text (")
