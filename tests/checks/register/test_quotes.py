"""`--draft`: the user's own clauses beside the numbers, in every report, kept nowhere."""
from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest

from rulewright.checks.cli import main
from rulewright.checks.runs import session
from rulewright.checks.stored import finding_store
from rulewright.spec.kept import MAGIC

from ..samples import ORDER, RESULT
from .conftest import Run
from .helpers import write

SECRET = "ひみつの文面"
CASE = Path(str(finding_store.stored_cases())) / "hanayome" / "007-pass-only-JVXC.yaml"
HANAYOME = f"""\
7. ターン
7.5. エンドフェイズ
7.5.1. {SECRET}その一。
7.5.3. {SECRET}その三。
9. アプローチ
9.4. 判定
9.4.3. {SECRET}その四。
"""


@pytest.fixture
def draft(own_folder: Path) -> str:
    return str(write("draft.md", HANAYOME))


def test_a_clause_is_quoted_from_the_draft_and_a_missing_one_is_said_to_be_missing(rulewright: Run, draft: str) -> None:
    out = rulewright("where", "hanayome", "7.5.3", "--draft", draft, "--lang", "ja")[1]
    assert f"7.5.3: {SECRET}その三。　〔登録された文言と違います〕" in out
    out = rulewright("where", "hanayome", "7.5.2", "--draft", draft, "--lang", "ja")[1]
    assert "7.5.2: （この草案にこの条文はありません）" in out
    data = json.loads(rulewright("where", "hanayome", "7.5.2", "--draft", draft, "--json")[1])
    assert data["draft"] == draft and data["quotes"] == {"7.5.2": None}


def test_words_that_are_the_registered_ones_are_said_without_a_remark(rulewright: Run, lamps: Path) -> None:
    quote = json.loads(rulewright("where", "lamps", "2.1", "--draft", "draft.md", "--json")[1])["quotes"]["2.1"]
    assert quote == {"line": 5, "text": "ターンの初めに、山札から1枚を引きます。", "as_registered": True}
    assert "not the registered wording" not in rulewright("where", "lamps", "2.1", "--draft", "draft.md")[1]


def test_a_finding_and_a_replay_quote_the_clauses_they_name(
    rulewright: Run, draft: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = rulewright("replay", str(CASE), "--draft", draft)[1]
    assert out.count(f"7.5.3: {SECRET}その三。") == 1, "only where it comes up first"
    quotes = json.loads(rulewright("replay", str(CASE), "--draft", draft, "--json")[1])["quotes"]
    assert quotes["7.5.1"]["text"] == f"{SECRET}その一。" and quotes["10.5.3.5"] is None
    monkeypatch.setattr(finding_store, "find", lambda _: ORDER)
    data = json.loads(rulewright("explain", "x", "--draft", draft, "--json")[1])
    assert set(data["quotes"]) >= set(ORDER.clauses)


def test_coverage_lists_clauses_in_the_words_of_the_draft(rulewright: Run, lamps: Path) -> None:
    out = rulewright("coverage", "lamps", "--draft", "draft.md")[1]
    assert "1.2: 先攻は、公平な方法で決めます。" in out
    data = json.loads(rulewright("coverage", "lamps", "--draft", "draft.md", "--json")[1])
    assert len(data["quotes"]) == len(data["clauses"]) and data["quotes"]["2"]["text"] == "ターン"


def test_nothing_of_the_draft_is_kept_anywhere(
    rulewright: Run, draft: str, monkeypatch: pytest.MonkeyPatch, own_folder: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(own_folder / "cache"))
    monkeypatch.setattr(session, "check", lambda *_: finding_store.remember(Path("x"), [RESULT]) or [RESULT])
    code, out, _ = rulewright("check", "hanayome/pass-only", "--draft", draft, "--store", "kept")
    assert code == 1 and SECRET in out
    rulewright("replay", str(CASE), "--draft", draft)
    rulewright("coverage", "hanayome", "--draft", draft)
    written = [p for p in own_folder.rglob("*") if p.is_file() and p.name != "draft.md"]
    assert {p.suffix for p in written} >= {".yaml", ".jsonl"}, "a case and the cache were written"
    assert [p for p in written if SECRET.encode() in plain(p.read_bytes())] == []


def plain(data: bytes) -> bytes:
    """What an entry of the cache holds, and anything else as it is."""
    if not data.startswith(MAGIC):
        return data
    content = data.split(b"\n", 2)[2]
    return zlib.decompress(content) if content[:1] == b"x" else content


def test_a_skeleton_has_none_of_the_text_unless_asked_for(rulewright: Run, draft: str) -> None:
    rulewright("register", draft, "-o", "spec/without")
    rulewright("register", draft, "-o", "spec/with", "--with-text")
    for folder, there in (("spec/without", False), ("spec/with", True)):
        assert (SECRET in "".join(p.read_text(encoding="utf-8") for p in Path(folder).iterdir())) is there
        assert main(["coverage", Path(folder).name]) == 1


@pytest.mark.parametrize(("content", "code"), [(None, "no such file"), ("ただの文です。\n", "nothing was looked at")])
def test_a_draft_that_cannot_be_used_is_told_before_anything_is_done(rulewright: Run, content: str | None, code: str) -> None:
    if content is not None:
        write("bad.md", content)
    for arguments in (["where", "hanayome", "7.5.3"], ["coverage", "hanayome"], ["replay", str(CASE)],
                      ["check", "hanayome/swap-control"]):
        exit_code, out, err = rulewright(*arguments, "--draft", "bad.md")
        assert (exit_code, out) == (2, "") and code in err and "bad.md:1:1" in err


TABLE = "1.1. Draw.\n1.2. Pass.\n\n| No. | Text |\n|---|---|\n| 1.3. | A player may pass. |\n| ４．１ | See 1.9. |\n| 12 | 3.4 |\n"


def test_numbers_in_the_first_cells_of_a_table_are_no_clauses_which_is_said(rulewright: Run) -> None:
    write("table.md", TABLE)
    code, out, _ = rulewright("register", "table.md", "-o", "spec/table")
    assert code == 0 and "clauses 2," in out and "were not taken for clauses: 2. Which: rulewright lint table.md" in out
    _, out, _ = rulewright("register", "table.md", "-o", "spec/table", "--force", "--json")
    assert json.loads(out)["unplaced"] == [6, 7]
    assert "Lines that may have a number: 2 (6, 7); not taken for clauses" in rulewright("lint", "table.md")[1]


def test_a_skeleton_is_not_written_over(rulewright: Run, draft: str) -> None:
    assert rulewright("register", draft, "-o", "spec/mine")[0] == 0
    gists = Path("spec/mine/clauses.yaml")
    gists.write_text("# by hand\n", encoding="utf-8")
    code, out, err = rulewright("register", draft, "-o", "spec/mine")
    assert (code, out) == (2, "") and "nothing was overwritten" in err and "--force" in err
    assert gists.read_text(encoding="utf-8") == "# by hand\n"
    assert rulewright("register", draft, "-o", "spec/mine", "--force")[0] == 0
    assert rulewright("coverage", "mine")[0] == 1


@pytest.mark.parametrize("arguments", [
    ("register",), ("register", "draft.md"), ("register", "draft.md", "--update"), ("register", "-o", "spec/x"),
    ("register", "draft.md", "-o", "spec/12"), ("register", "draft.md", "-o", "draft.md"),
    ("register", "--checked", "1.1"), ("register", "draft.md", "-o", "spec/x", "--update", "--book", "hanayome"),
    ("register", "--update", "draft.md", "--book", "hanayomi"), ("register", "--checked", "99.9", "--book", "hanayome"),
])
def test_wrong_use_is_told_in_a_sentence(rulewright: Run, draft: str, arguments: tuple[str, ...]) -> None:
    for lang in ("ja", "en"):
        code, out, err = rulewright(*arguments, "--lang", lang)
        assert (code, out) == (2, "") and err.strip()
