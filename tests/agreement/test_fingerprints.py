"""States told apart by fingerprints: the same counts, states that are made again, and what may be missed is said."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rulewright.checks.commands import output
from rulewright.checks.explore.explorer import Exploration, Limits
from rulewright.checks.findings.as_json import result_as_json, result_from_json
from rulewright.checks.findings.page import bounds, speaker
from rulewright.checks.native import choice, layout, search
from rulewright.checks.native.checkpoint import Plan
from rulewright.checks.native.engine import Native
from rulewright.checks.native.explorer import explore
from rulewright.checks.native.fingerprints import omission
from rulewright.checks.scenarios.checking import check_subject
from rulewright.checks.scenarios.subjects import open_table, read_scenario
from rulewright.model.engine.table import Table

from .crystals import duel
from .test_explorer import own_cache, same, subject  # noqa: F401  (the fixture is used)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return open_table(read_scenario(duel(tmp_path)), {})


def run(table: Table, limits: Limits, **how: object) -> Exploration:
    native = Native(table.program, table.engine.policies, card_ids=table.engine.card_ids, level=0)
    return explore(native, table.engine, table.starts, limits, **how)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("threads", [1, 2])
def test_the_exploration_is_the_same(table: Table, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "WORTH", 16)
    monkeypatch.setattr(search.Search, "forget", forget_all)
    for limits in (Limits(None), Limits(3_000, depth=25)):
        exact, found = run(table, limits), run(table, limits, fingerprints=True, threads=threads)
        assert exact.omission is None and found.omission == omission(len(found.states))
        same(exact, found)


def forget_all(s: search.Search) -> None:
    """As `forget`, of every key that is not needed: so that a test sees whether one is."""
    seen, fixed = int(s.run[layout.NEXT]), int(s.run[layout.FIXED])
    s.array("keys")[:seen * fixed if fixed else int(s.array("offsets")[seen])] = 0


def test_states_can_be_asked_for_in_any_order(table: Table) -> None:
    exact, found = run(table, Limits(None)), run(table, Limits(None), fingerprints=True)
    for k in (len(exact.states) - 1, 17, len(exact.states) // 2, 0, 4_001):
        assert found.states[k] == exact.states[k]


def test_with_checkpoints_too(table: Table, tmp_path: Path) -> None:
    run(table, Limits(2_000), plan=Plan(tmp_path / "kept"), fingerprints=True)
    resumed = run(table, Limits(None), plan=Plan(tmp_path / "kept", resume=True), fingerprints=True)
    same(run(table, Limits(None)), resumed)


def test_chance_picks_one_of_several_beginnings(table: Table) -> None:
    native = Native(table.program, table.engine.policies, card_ids=table.engine.card_ids, level=0)
    after = explore(native, table.engine, table.starts, Limits(40))
    starts = [table.starts[0]._replace(state=after.states[k], crossing=0) for k in (0, 5, 9, 5)]
    same(explore(native, table.engine, starts, Limits(900)), explore(native, table.engine, starts, Limits(900), fingerprints=True))


def test_the_hash_behaves_like_chance(tmp_path: Path) -> None:
    """Of the halves of the hashes of n states, about n² / 2³³ pairs are equal: no more than chance would give."""
    table = open_table(read_scenario(duel(tmp_path, 14, 4, 2, 2, 2)), {})
    native = Native(table.program, table.engine.policies, card_ids=table.engine.card_ids, level=0)
    s = search.Search(native, Limits(None), graph=False, fingerprints=True)
    s.begin(table.starts)
    while s.go() == layout.MORE_TIME:
        pass
    prints = s.array("prints")[:s.count]
    assert s.count == 377_018 == np.unique(prints).size
    for half in (prints >> np.uint64(32), prints & np.uint64(0xFFFFFFFF)):
        equal = s.count - np.unique(half).size
        assert 3 <= equal <= 40, equal  # 16.5 expected
    s.close()


def test_the_probability_is_the_birthday_bound() -> None:
    assert omission(0) == omission(1) == 0
    assert omission(2) == 2.0**-64
    assert omission(15_783_618) == pytest.approx(6.75e-6, rel=0.01)
    assert omission(1 << 40) == 1


def test_every_result_says_what_may_have_been_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "PATIENCE", 0)
    s = subject("sakura/mutual-nesting")
    exact = check_subject(s, Limits(3_000))
    result = check_subject(s, Limits(3_000), means=choice.Means(fingerprints=True))
    assert [f.id for f in result.findings] == [f.id for f in exact.findings] != []
    p = result.bounds.omission
    assert p == omission(result.bounds.states) and exact.bounds.omission is None
    for lang, said in (("en", f"the probability that any was missed is at most {p:.1e}."), ("ja", f"見落とした確率は {p:.1e} 以下です。")):
        assert any(said in line for line in bounds(result.bounds, speaker(lang)))  # pyright: ignore[reportArgumentType]
        assert all(any(said in line for line in bounds(f.bounds, speaker(lang))) for f in result.findings)  # pyright: ignore[reportArgumentType]
    assert "Every position that can arise was looked at" not in " ".join(bounds(result.bounds, speaker("en")))
    data = result_as_json(result)
    assert data["bounds"]["omission"] == p
    assert result_from_json(data) == result
    assert output.results_as_json([exact], [])["results"][0]["bounds"]["omission"] is None
