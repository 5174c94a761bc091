"""How a draft is cut into clauses, and what a new draft changes."""
from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks.cli import main
from rulewright.checks.register.compare import Comparison, compare
from rulewright.checks.register.hashes import (
    Registered,
    hashes_of,
    likeness,
    pieces_like,
    read_hashes,
    register_draft,
    sketches,
    written,
)
from rulewright.checks.register.pieces import cut, usual_cut
from rulewright.spec.readers import read_clauses, read_readings, read_terms

from ...texts import ABSENT, TEXTS
from .conftest import Run
from .helpers import DRAFT, draft_of, write

BOOKS = ("hanayome", "harem_master", "sakura", "ts_fight", "shinso")


def registered(text: str) -> Registered:
    draft = draft_of(text)
    return register_draft("x", draft, [p.id for p in cut(draft, usual_cut(draft))])[0]


def compared(before: str, after: str) -> Comparison:
    old = registered(before)
    draft = draft_of(after)
    return compare(old.hashes, hashes_of(draft, pieces_like(draft, old)))


def told(found: Comparison) -> dict[str, str]:
    return {p.old.id: " ".join([p.new.id, *(["moved"] if p.moved else []), *(["reworded"] if p.reworded else [])])
            for p in found.pairs if not p.same}


# ---------------------------------------------------------------- cutting
@pytest.mark.parametrize(("text", "ids"), [
    ("第1章 総則\n1. 準備\n1.1. 山札を切ります。\n(1) 五枚引く。\n(2) 置く。\n第2章 ターン\n1. 開始\n1.1. 引きます。\n",
     ["第1章", "第1章1", "第1章1.1", "第1章1.1(1)", "第1章1.1(2)", "第2章", "第2章1", "第2章1.1"]),
    ("# §1 総則\n## 1-1 準備\n1) 切る。\n2) 引く。\n2-1) 見る。\n## 1-2 開始\ni: 引く。\nii: 使う。\n# §2 終了\n## 2-1 終わり\n終わります。\n",
     ["§1", "1-1", "1-1.1", "1-1.2", "1-1.2-1", "1-2", "1-2.i", "1-2.ii", "§2", "2-1"]),
    ("# 戦闘\n一つ目の段落です。\n\n二つ目の段落です。\n\n* 弾む。\n* 跳ねる。\n\n# 終了\n1. 片付ける。\n2. 帰る。\n",
     ["戦闘", "戦闘第1段落", "戦闘第2段落", "戦闘・1", "戦闘・2", "終了", "終了.1", "終了.2"]),
    ("1. 総則\n1.1. 一。\n1.1. また一。\n1.2. 二。\n", ["1", "1.1", "1.1の2", "1.2"]),
])
def test_ids_are_the_numbers_as_printed(text: str, ids: list[str]) -> None:
    draft = draft_of(text)
    assert [p.id for p in cut(draft, usual_cut(draft))] == ids


@pytest.mark.parametrize("book", BOOKS)
def test_the_text_of_a_shipped_book_is_the_registered_one(book: str, rulewright: Run) -> None:
    """Where the books' texts lie beside the project: their clauses are found under the ids of the register, unchanged."""
    texts = sorted(TEXTS.glob(f"00{BOOKS.index(book)}_*.txt"))
    if not texts:
        pytest.skip(ABSENT)
    code, out, err = rulewright("register", "--update", str(texts[0]), "--book", book)
    assert (code, err) == (0, "") and "Nothing that is compared differs from the registered draft" in " ".join(out.split())


def test_of_a_draft_that_differs_in_what_is_not_compared_it_is_said_what_that_is(rulewright: Run, lamps: Path) -> None:
    """Not that it is the registered one."""
    write("next.md", DRAFT.replace("。", "**。**"))
    for lang, says in (("en", "Nothing that is compared differs from the registered draft (white space, width, marks of emphasis"), ("ja", "空白、字の幅、強調の印、ひな形の印、リンク先は比べません")):
        code, out, _ = rulewright("register", "--update", "next.md", "--book", "lamps", "--lang", lang)
        assert code == 0 and says.replace(" ", "") in "".join(out.split())
    write("next.md", DRAFT.replace("。", "！"))
    assert "Nothing that is compared" not in rulewright("register", "--update", "next.md", "--book", "lamps")[1]


@pytest.mark.parametrize("book", BOOKS)
def test_the_hashes_of_a_shipped_book_are_of_its_clauses_and_hold_no_text(book: str) -> None:
    folder = Path(str(__import__("rulewright.spec", fromlist=["x"]).__path__[0])) / book
    found = read_hashes(folder / "clauses.hashes")
    ids = {c.id.value for c in read_clauses(folder / "clauses.yaml").clauses}
    assert {*found.ids, *found.unplaced} == ids and found.book == book
    assert len(found.unplaced) <= 1
    for line in (folder / "clauses.hashes").read_text(encoding="utf-8").partition("\n\n")[2].splitlines():
        name, words, sketched, refs, *_ = line.split("\t")
        assert name in ids and len(words) == 16 and len(sketched) == 64
        assert refs == "-" or all(r.startswith("?") or r in ids for r in refs.split(" "))


def test_hashes_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    found = registered(DRAFT)
    (tmp_path / "h").write_text(written(found), encoding="utf-8")
    assert read_hashes(tmp_path / "h") == found


def test_words_are_the_same_however_they_are_set() -> None:
    loose = DRAFT.replace("2.1. ターンの初めに、", "２．１．　ターンの初めに、\n").replace("20枚", "**２０枚**")
    assert not compared(DRAFT, loose).anything


# ---------------------------------------------------------------- comparing
def test_the_same_draft_changes_nothing() -> None:
    assert not compared(DRAFT, DRAFT).anything


def test_an_inserted_clause_renumbers_what_follows_and_references_that_follow_are_no_rewording() -> None:
    after = DRAFT.replace("2.4. 「", "2.5. 「").replace("2.3. 手札", "2.4. 手札").replace("2.2は行え", "2.3は行え")
    after = after.replace("2.2. 2.1の", "2.3. 2.2の").replace("2.1. ターン", "2.1. まず、休息している札を起こします。\n2.2. ターン")
    found = compared(DRAFT, after)
    assert told(found) == {"2.1": "2.2", "2.2": "2.3", "2.3": "2.4", "2.4": "2.5"}
    assert [h.id for h in found.new] == ["2.1"] and found.gone == ()


def test_a_reference_that_did_not_follow_is_told() -> None:
    after = DRAFT.replace("2.4. 「", "2.5. 「").replace("2.3. 手札", "2.4. 手札")
    after = after.replace("2.2. 2.1の", "2.3. 2.2の").replace("2.1. ターン", "2.1. まず、休息している札を起こします。\n2.2. ターン")
    (pair,) = [p for p in compared(DRAFT, after).pairs if p.references]
    (reference,) = pair.references
    assert (pair.new.id, reference.meant, reference.says, reference.now, reference.stale) == ("2.4", "2.2", "2.2", "2.2", True)


def test_reworded_moved_gone_and_both_at_once() -> None:
    assert told(compared(DRAFT, DRAFT.replace("1枚を引き", "2枚を引き"))) == {"2.1": "2.1 reworded"}
    lines = DRAFT.splitlines()
    swapped = "\n".join([*lines[:1], "1.1. 先攻は、公平な方法で決めます。", "1.2. 両プレイヤーは20枚の山札を用意します。", *lines[3:]])
    assert sorted(told(compared(DRAFT, swapped)).values()) in (["1.1 moved", "1.2"], ["1.1", "1.2 moved"])
    without = DRAFT.replace("2.2. 2.1の処理の後、手札の札を1枚まで使えます。\n", "")
    found = compared(DRAFT, without)
    assert [h.id for h in found.gone] == ["2.2"]
    (pair,) = [p for p in found.pairs if p.references]
    assert pair.old.id == "2.3" and pair.references[0].stale and pair.references[0].now == ""
    later = without.replace("3.1. 山札", "3.1. 2.1の処理の後、手札の札を2枚まで使えます。\n3.2. 山札")
    assert told(compared(DRAFT, later))["2.2"] == "3.1 moved reworded"


FEES = "会費は、年の初めに会計係へ払い、払った会員は、その年の大会に参加し、広場の台を使うことができます。"
SPONSORS = "協賛者は、会員ではないが会を助ける人または店であり、名前を掲示板に載せますが、投票には加わりません。"
PAPERS = "会員は、入会するときに覚え書きに署名し、写しを一部受け取り、住所が変わったときは係に知らせます。"
GUESTS = "見学者は、年の初めに会計係へ名前を知らせ、その年の大会を見ることができ、広場の台を使うことはできません。"


def test_what_an_inserted_clause_has_pushed_on_is_itself_though_a_word_of_it_is_another() -> None:
    """The number that it had is another clause's now, some of whose words every clause has."""
    before = f"2. 会員\n2.1. {FEES}\n2.2. {SPONSORS}\n2.3. {PAPERS}\n3. 終わり\n3.1. 片付けます。\n"
    pushed = [FEES.replace("年の初め", "春"), SPONSORS.replace("掲示板", "壁"), PAPERS.replace("一部", "二部")]
    found = compared(before, "2. 会員\n" + "".join(f"2.{k}. {one}\n" for k, one in enumerate([GUESTS, *pushed], 1)) + "3. 終わり\n3.1. 片付けます。\n")
    assert told(found) == {"2.1": "2.2 reworded", "2.2": "2.3 reworded", "2.3": "2.4 reworded"} and [h.id for h in found.new] == ["2.1"]
    found = compared(before, before.replace("年の初め", "春").replace("掲示板", "壁"))
    assert told(found) == {"2.1": "2.1 reworded", "2.2": "2.2 reworded"} and not found.new


def test_a_number_that_gets_other_words_altogether_is_never_the_same() -> None:
    found = compared(DRAFT, DRAFT.replace("先攻は、公平な方法で決めます。", "この競技会では賞品を配布しない。"))
    (pair,) = found.changed
    assert pair.old.id == pair.new.id == "1.2" and pair.reworded and pair.replaced


def test_any_change_of_words_is_noticed_whatever_else_changes() -> None:
    """A shuffled, thinned, reworded draft: every clause is accounted for once, and none that differs passes as equal."""
    chance = random.Random(7)
    lines = [f"{n}.{k}. {''.join(chance.choice('春夏秋冬札山手場引置見数') for _ in range(chance.randint(4, 30)))}。"
             for n in (1, 2, 3) for k in range(1, 12)]
    text = "\n".join(["1. 一", *lines[:11], "2. 二", *lines[11:22], "3. 三", *lines[22:]])
    before = {h.id: h.words for h in registered(text).hashes}
    for _ in range(60):
        after = [line for line in text.splitlines() if chance.random() > 0.1]
        for _ in range(chance.randint(0, 5)):
            at = chance.randrange(len(after))
            after[at] = after[at][:-1] + chance.choice("春夏秋冬") + "。" if "。" in after[at] else after[at]
        if chance.random() < 0.5:
            i, j = chance.sample(range(len(after)), 2)
            after[i], after[j] = after[j], after[i]
        found = compared(text, "\n".join(after))
        assert len(found.pairs) + len(found.gone) == len(before)
        assert len({p.new.id for p in found.pairs} | {h.id for h in found.new}) == len(found.order)
        assert all(p.old.words == p.new.words for p in found.pairs if p.same)


def test_sketches_tell_likeness() -> None:
    one, other = "手札が7枚を超えている場合は、超えた分を捨て札に置きます。", "場に出た札は、次の自分の番まで動けません。"
    own, near, far = sketches([one, one.replace("7枚", "8枚"), other])
    assert likeness(own, near) > 0.6
    assert likeness(own, far) < 0.3


def test_a_sketch_does_not_depend_on_the_texts_around_it() -> None:
    texts = ["手札が7枚を超えている場合。", "", "a", "場に出た札は動けません。"]
    assert sketches(texts) == [sketches([one])[0] for one in texts]
    assert sketches([]) == []


def test_a_thousand_clauses_are_compared_in_about_a_second(rulewright: Run) -> None:
    chance = random.Random(1)
    lines = []
    for n in range(1, 21):
        lines.append(f"{n}. 第{n}の手順")
        lines += [f"{n}.{k}. {''.join(chance.choice('春夏秋冬札山手場引置見数') for _ in range(60))}。" for k in range(1, 50)]
    write("big.md", "\n".join(lines))
    rulewright("register", "big.md", "-o", "spec/big")
    write("next.md", "\n".join(line for line in lines if not line.startswith("7.20.")).replace("春夏", "秋冬"))
    begun = time.process_time()
    code, out, _ = rulewright("register", "--update", "next.md", "--book", "big")
    assert code == 1 and "1 gone" in out
    assert time.process_time() - begun < 4  # about one second on an idle machine


# ---------------------------------------------------------------- the report
def test_what_is_suspect_is_named_and_a_rewording_is_never_the_same(rulewright: Run, lamps: Path) -> None:
    write("next.md", DRAFT.replace("1枚を引き", "2枚を引き").replace("7枚", "8枚"))
    code, out, _ = rulewright("register", "--update", "next.md", "--book", "lamps", "--lang", "ja")
    assert code == 1
    assert "文言のみ変更、動作は未確認。" in out and "見直す規則: spec/lamps/rules/turn.py:6、" in out
    assert "見直す解釈: too-many" in out
    data = json.loads(rulewright("register", "--update", "next.md", "--book", "lamps", "--json")[1])
    behaviour = {c["id"]: c["behaviour"] for c in data["changed"]}
    assert behaviour == {"2.1": "wording only, behaviour not checked", "2.3": None}
    assert data["unchanged"] == 8


def test_stored_cases_that_cite_a_changed_clause_are_named(rulewright: Run, lamps: Path) -> None:
    write("counterexamples/lamps/001-x.yaml", """\
form: 1
scenario: lamps/x
finding:
  id: LAMP-2.1-ABCD
  clauses: ["2.1"]
  play:
    stem: [{clauses: ["2.2"]}]
""")
    write("next.md", DRAFT.replace("1枚を引き", "2枚を引き").replace("1枚まで", "2枚まで"))
    data = json.loads(rulewright("register", "--update", "next.md", "--book", "lamps", "--json")[1])
    assert {c["id"]: [x["finding"] for x in c["cases"]] for c in data["changed"]} == {
        "2.1": ["LAMP-2.1-ABCD"], "2.2": ["LAMP-2.1-ABCD"]}


def test_another_books_draft_is_refused(rulewright: Run, lamps: Path) -> None:
    write("other.md", "1. 料理\n" + "".join(f"1.{n}. 鍋に{n}杯の水を入れて煮立てる。\n" for n in range(1, 12)))
    code, out, err = rulewright("register", "--update", "other.md", "--book", "lamps")
    assert (code, out) == (2, "") and "other.md:1:1" in err and "does not look like a draft of lamps" in err


# ---------------------------------------------------------------- accepting
INSERTED = DRAFT.replace("2.4. 「", "2.5. 「").replace("2.3. 手札", "2.4. 手札").replace("2.2は行え", "2.3は行え").replace(
    "2.2. 2.1の処理の後、手札の札を1枚", "2.3. 2.2の処理の後、手札の札を2枚").replace(
    "2.1. ターン", "2.1. まず、休息している札を起こします。\n2.2. ターン")


def test_accepting_renumbers_the_register_the_readings_and_the_rules(rulewright: Run, lamps: Path) -> None:
    text = (lamps / "clauses.yaml").read_text(encoding="utf-8")
    (lamps / "clauses.yaml").write_text(text.replace('"2.2"\n    kind: procedure\n    guessed: yes\n    ja: "（要旨を書く）"',
                                                     '"2.2"  # mine\n    kind: permission\n    ja: 札を使う。'), encoding="utf-8")
    before = {c.id.value: c for c in read_clauses(lamps / "clauses.yaml").clauses}
    write("next.md", INSERTED)
    code, out, err = rulewright("register", "--update", "next.md", "--book", "lamps", "--accept")
    assert (code, err) == (0, "") and "Registered." in out
    after = read_clauses(lamps / "clauses.yaml")
    ids = [c.id.value for c in after.clauses]
    assert ids == ["1", "1.1", "1.2", "2", "2.1", "2.2", "2.3", "2.4", "2.5", "3", "3.1"]
    by_id = {c.id.value: c for c in after.clauses}
    assert by_id["2.3"].gist == before["2.2"].gist and not by_id["2.3"].guessed
    assert [r.value for r in by_id["2.3"].refs] == ["2.2"] and [r.value for r in by_id["2.4"].refs] == ["2.3"]
    assert "# mine" in (lamps / "clauses.yaml").read_text(encoding="utf-8")
    assert [c.value for c in read_readings(lamps / "readings.yaml", after.ids).readings[0].clauses] == ["2.4"]
    assert read_terms(lamps / "terms.yaml", after.ids).terms
    rules = (lamps / "rules/turn.py").read_text(encoding="utf-8")
    assert 'OPEN("2.3"), g.deck[g.turn_player])  #: 2.3' in rules and "#: 2.2, 1.1" in rules
    assert rulewright("register", "--update", "next.md", "--book", "lamps")[0] == 0
    assert rulewright("coverage", "lamps")[0] == 1


def test_wording_only_stays_until_the_rules_change_or_somebody_has_looked(rulewright: Run, lamps: Path) -> None:
    def flagged() -> list[str]:
        return [c["id"] for c in json.loads(rulewright("coverage", "lamps", "--json")[1])["clauses"] if c["wording_only"]]

    write("next.md", INSERTED)
    rulewright("register", "--update", "next.md", "--book", "lamps", "--accept")
    assert flagged() == ["2.3"]
    assert "wording only, behaviour not checked" in rulewright("where", "lamps", "2.3")[1]
    write("again.md", INSERTED + "3.2. 同時に無くなった場合は引き分けです。\n")
    rulewright("register", "--update", "again.md", "--book", "lamps", "--accept")
    assert flagged() == ["2.3"], "another accepted draft does not make it forgotten"
    rules = lamps / "rules/turn.py"
    old = rules.read_text(encoding="utf-8")
    rules.write_text(old.replace("OPEN(", "OPEN("), encoding="utf-8")
    assert flagged() == ["2.3"]
    rules.write_text(old.replace('choose(OPEN("2.3"), ', "choose(g.turn_player, "), encoding="utf-8")
    assert flagged() == []
    rules.write_text(old, encoding="utf-8")
    assert rulewright("register", "--checked", "2.3", "--book", "lamps")[0] == 0
    assert flagged() == []


def files(folder: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_clause_that_is_gone_and_still_cited_is_not_taken_over(rulewright: Run, lamps: Path) -> None:
    write("next.md", DRAFT.replace("2.1. ターンの初めに、山札から1枚を引きます。\n", "").replace("2.1の処理の後、", ""))
    before = files(lamps)
    code, out, err = rulewright("register", "--update", "next.md", "--book", "lamps", "--accept")
    assert (code, out) == (2, "")
    assert "turn.py:16:1: clause 2.1 is not in the new draft, and is still cited" in err and "nothing was written" in err
    assert files(lamps) == before


def test_a_clause_that_is_gone_and_named_as_not_modelled_is_told_and_not_taken_over(rulewright: Run, lamps: Path) -> None:
    write("draft2.md", DRAFT + "2.9. 灯りを数えます。\n")
    assert rulewright("register", "--update", "draft2.md", "--book", "lamps", "--accept")[0] == 0
    rules = lamps / "rules/turn.py"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text + '\n\n@procedure\nasync def counting(g: Game) -> None:\n    not_modelled("2.9")\n', encoding="utf-8")
    code, out, _ = rulewright("register", "--update", "draft.md", "--book", "lamps", "--lang", "ja")
    line = rules.read_text(encoding="utf-8").count("\n")
    assert code == 1 and f"見直す規則: spec/lamps/rules/turn.py:{line}" in out
    before = files(lamps)
    code, _, err = rulewright("register", "--update", "draft.md", "--book", "lamps", "--accept")
    assert code == 2 and f"turn.py:{line}:1: clause 2.9 is not in the new draft, and is still cited" in err and files(lamps) == before
    rules.write_text(text + "\n\n# 2.9 is counted elsewhere\n", encoding="utf-8")  # a remark cites nothing
    code, out, _ = rulewright("register", "--update", "draft.md", "--book", "lamps", "--accept", "--lang", "ja")
    assert code == 0 and "これを引く規則・解釈・手順はありません。" in out


@pytest.mark.parametrize("failing", range(4))
def test_nothing_is_half_written_when_writing_fails(
    rulewright: Run, lamps: Path, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    write("next.md", INSERTED)
    before = files(lamps)
    calls = 0
    real = Path.replace

    def replace(self: Path, target: Any) -> Any:
        nonlocal calls
        if lamps.resolve() in Path(target).resolve().parents:
            calls += 1
            if calls == failing + 1:
                raise OSError(28, "No space left on device", str(target))
        return real(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", replace)
        code, _, err = rulewright("register", "--update", "next.md", "--book", "lamps", "--accept")
    assert code == 2 and "the disk is full" in err
    assert files(lamps) == before


def killed_at(number: int, arguments: Sequence[str]) -> int:
    """Runs a command in a process that ends as it puts a file in place, the journal among them; its exit code."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    real, left = os.replace, number

    def replace(source: Any, target: Any) -> None:
        nonlocal left
        if "unfinished" in str(target) or "lamps" in str(target):
            left -= 1
            if not left:
                os._exit(9)
        real(source, target)

    os.replace = replace
    os._exit(main(arguments))


def seen(folder: Path) -> dict[str, bytes]:
    """What anybody sees of it: not what a killed command left beside, which later ones take away."""
    return {path: content for path, content in files(folder).items() if not Path(path).name.startswith(".")}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_between_its_files_it_is_brought_to_its_end_by_the_next_command(rulewright: Run, lamps: Path) -> None:
    write("next.md", INSERTED)
    accept = ("register", "--update", "next.md", "--book", "lamps", "--accept")
    before = seen(lamps)
    assert rulewright(*accept)[0] == 0
    after = seen(lamps)
    assert len([path for path in after if after[path] != before.get(path)]) >= 3
    outcomes: list[bool] = []
    for number in range(1, 9):  # the journal, and each of the files
        for path, content in before.items():
            Path(path).write_bytes(content)
        status = killed_at(number, accept)
        rulewright("where", "lamps", "1.1")
        assert seen(lamps) in (before, after), number
        outcomes.append(seen(lamps) == after)
        assert rulewright(*accept)[0] == 0
        assert seen(lamps) == after, number
        if status == 0:
            break
    assert outcomes[0] is False and all(outcomes[1:]) and len(outcomes) >= 4


# ---------------------------------------------------------------- a first draft
def test_a_register_written_by_hand_gets_the_hashes_of_its_first_draft(rulewright: Run, lamps: Path) -> None:
    (lamps / "clauses.hashes").unlink()
    code, out, _ = rulewright("register", "--update", "draft.md", "--book", "lamps")
    assert code == 1 and "no draft is registered yet" in out and not (lamps / "clauses.hashes").exists()
    assert rulewright("register", "--update", "draft.md", "--book", "lamps", "--accept")[0] == 0
    assert rulewright("register", "--update", "draft.md", "--book", "lamps")[0] == 0
