"""What a rule looks up in the whole draft is found in a long one as in a short one."""
from __future__ import annotations

import pytest

from rulewright.checks.lint.rules.references import Titles
from rulewright.checks.lint.terms import FEW, places_in

from .test_rules import found_in


@pytest.mark.parametrize("others", [0, FEW + 5])
def test_places_are_the_same_however_many_names_are_looked_for(others: int) -> None:
    texts = ["手札の札と手札", "札々々々", ""]
    names = ["札", "手札", "々々", "山札", *(f"{chr(0x4e00 + k)}{'無' * (k % 2)}" for k in range(others))]
    found = places_in(texts, names)
    assert found["札"] == [(0, 1), (0, 3), (0, 6), (1, 0)] and found["手札"] == [(0, 0), (0, 5)]
    assert found["々々"] == [(1, 1), (1, 2)] and found["山札"] == [] and found.keys() == set(names)


def harbours(many: int, said: str) -> str:
    """So many headings, and a reference that names one of them."""
    heads = "".join(f"1.{k}. {chr(0x4e00 + 7 * k)}{chr(0x5e00 + 11 * k)}エリア\n- 1.{k}.1. 船を置きます。\n" for k in range(1, many))
    return f"1. 場\n{heads}2. 港\n2.1. 港エリア\n- 2.1.1. 船を置きます。\n3. 島\n3.1. 島の船は、{said}（1.2）に戻します。\n"


@pytest.mark.parametrize("many", [5, Titles.MANY + 20])
def test_the_title_that_was_meant_is_found_among_many(many: int) -> None:
    (found,) = found_in(harbours(many, "港エリア"), select=("reference-heading",))
    assert found.suggestion is not None and "2.1" in found.suggestion.en
    right = harbours(many, "港エリア").replace("（1.2）", "（2.1）")
    assert found_in(right, select=("reference-heading",)) == []


@pytest.mark.parametrize("many", [2, FEW + 5])
def test_a_name_that_is_used_nowhere_is_told_among_many_that_are(many: int) -> None:
    used = "".join(f"1.{k}. 『語{chr(0x4e00 + k)}』と呼びます。\n1.{k}.1. 語{chr(0x4e00 + k)}を引きます。\n" for k in range(1, many))
    text = f"1. 語\n{used}2. 『語遊』と呼びます。\n"
    told = [one for one in found_in(text, select=("term-unused",)) if "語" in one.shown]
    assert [one.shown for one in told] == ["語遊"]


@pytest.mark.parametrize("many", [1, FEW])
def test_a_replaced_name_that_stays_is_told_however_many_were_replaced(many: int) -> None:
    changes = "".join(f"- 「旧名{chr(0x4e00 + k)}」を「新名{chr(0x4e00 + k)}」に変更しました。\n" for k in range(many))
    text = f"# 規則\n## 1. 札\n1.1. 控え室の札は数えません。控え室に置きます。\n1.2. 捨て札置き場から札を戻します。\n## 変更履歴\n{changes}- 「捨て札置き場」を「控え室」に変更しました。\n"
    assert [one.shown for one in found_in(text, select=("term-old",))] == ["捨て札置き場"]
