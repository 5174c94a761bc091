"""Clauses keep a name that lasts, whatever number they get, so ids of findings do not change with an edition."""
from __future__ import annotations

from pathlib import Path

from rulewright.checks.findings.identity import finding_id
from rulewright.checks.findings.record import FindingClass
from rulewright.checks.register.hashes import read_hashes
from rulewright.spec.lasting import by_lasting_names, lasting_names
from rulewright.spec.text import Text

from .conftest import Run
from .helpers import DRAFT, write

TURN = "2.1. ターンの初めに、山札から1枚を引きます。\n"
SHIFTED = (DRAFT.replace("2.3. ", "2.4. ").replace("2.4. 「", "2.5. 「").replace("2.2. 2.1", "2.3. 2.1").replace("2.2は", "2.3は")
           .replace(TURN, f"{TURN}2.2. 相手は、何もできません。\n"))
"""A clause is put in behind 2.1, and those behind it move on by one."""


def the_id(clause: str) -> str:
    return finding_id("lamps", FindingClass.GAP, (clause, "1.1"), None, Text(ja=f"{clause} は、2.1 の後のことを述べていない", en="a gap"))


def accept(rulewright: Run, draft: str) -> None:
    write("next.md", draft)
    code, _, err = rulewright("register", "--update", "next.md", "--book", "lamps", "--accept")
    assert (code, err) == (0, "")


def test_a_finding_keeps_its_id_when_its_clause_is_renumbered_and_a_new_clause_of_that_number_has_another(rulewright: Run, lamps: Path) -> None:
    before = {clause: the_id(clause) for clause in ("2.2", "2.3", "2.1")}
    assert lasting_names(lamps) == {}
    accept(rulewright, SHIFTED)
    assert lasting_names(lamps) == {"2.2": "2.2~2", "2.3": "2.2", "2.4": "2.3", "2.5": "2.4"}
    assert (the_id("2.3"), the_id("2.4"), the_id("2.1")) == (before["2.2"], before["2.3"], before["2.1"])
    assert the_id("2.2") not in before.values()


def test_names_last_through_several_editions_and_back(rulewright: Run, lamps: Path) -> None:
    before = the_id("2.2")
    accept(rulewright, SHIFTED)
    accept(rulewright, SHIFTED.replace("3. 終了\n3.1. ", "4. 終了\n4.1. ").replace("2. ターン", "3. ターン").replace("\n2.", "\n3.").replace("2.3は", "3.3は").replace(" 2.1の", " 3.1の"))
    assert lasting_names(lamps)["3.3"] == "2.2" and the_id("3.3") == before
    accept(rulewright, DRAFT)
    assert lasting_names(lamps) == {} and the_id("2.2") == before


def test_the_name_of_a_clause_that_is_gone_is_given_to_no_other(rulewright: Run, lamps: Path) -> None:
    accept(rulewright, DRAFT.replace("1.2. 先攻は、公平な方法で決めます。\n", ""))
    assert read_hashes(lamps / "clauses.hashes").retired == ("1.2",)
    accept(rulewright, DRAFT.replace("先攻は、公平な方法で決めます。", "山札の札は、裏向きに重ねて置いておく。"))
    assert lasting_names(lamps) == {"1.2": "1.2~2"}


def test_numbers_in_a_text_are_told_apart_from_parts_of_longer_ones() -> None:
    names = {"2.3": "2.2", "2.3.1": "2.2.1"}
    assert by_lasting_names("2.3、2.3.1、12.3、2.3a、2.30、2.3。2.3.9", names) == "2.2、2.2.1、12.3、2.3a、2.30、2.2。2.3.9"
    assert by_lasting_names("2.3と2.3.1は2.3条、2.3の2、追加2.3、第5章2.3", names) == "2.2と2.2.1は2.2条、2.3の2、追加2.3、第5章2.3"
