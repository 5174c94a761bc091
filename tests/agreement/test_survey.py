"""What is asked of all states at once has the same answer on compiled code as state by state; and a kernel gives the
same compiled and as Python."""
from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from rulewright.checks.explore import arrays, kernels, machine_code, machine_sources, owned_graph
from rulewright.checks.explore.explorer import Exploration, Limits
from rulewright.checks.explore.subject import Subject
from rulewright.checks.explore.survey import NOWHERE, PlainSurvey
from rulewright.checks.native import choice, looking
from rulewright.checks.native.engine import Native
from rulewright.checks.native.explorer import explore
from rulewright.checks.scenarios.checking import check_subject
from rulewright.spec import kept

from ..checks.test_loops import compare
from ..toys.harness import toy
from .test_explorer import native_of, subject

SCENARIOS = ["hanayome/episode-left-behind", "hanayome/hand-over-limit", "sakura/crystals-conserved", "ts_fight/endless-interrupts",
             "sakura/mutual-nesting", "ts_fight/full-game"]
TOYS = [("conserved", "main"), ("failing", "main"), ("half_done", "main"), ("ping_pong", "main"),
        ("nesting", "main"), ("stamp", "wide"), ("stamp", "entries"), ("stamp", "two ways"), ("stamp", "read beyond the end"),
        ("join", "sensitive open"), ("join", "loops in one order"), ("nobody_named", "open choice"),
        ("nobody_named", "open way"), ("votes", "together"), ("silent", "clash"), ("silent", "said gap")]


@pytest.fixture(autouse=True)
def own_cache(cache_of_tests: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left in the user's cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_tests))


def searched(s: Subject, native: Native, states: int, fingerprints: bool) -> tuple[Exploration, PlainSurvey]:
    out = explore(native, s.engine, s.starts, Limits(states), fingerprints=fingerprints)
    return out, PlainSurvey(s.engine, out.states)


def agree(s: Subject, states: int, fingerprints: bool = False) -> int:
    """Every answer, on compiled code and without; how many conditions fail."""
    out, plain = searched(s, native_of(s), states, fingerprints)
    survey = out.surveyed(s.engine)
    assert type(survey) is not PlainSurvey
    mine, theirs = survey.places, plain.places
    for k in range(len(out.states)):
        a, b = int(mine.code[k]), int(theirs.code[k])
        assert (mine.at[a] if a >= 0 else mine.ends[-1 - a] if a != NOWHERE else None) == (
            theirs.at[b] if b >= 0 else theirs.ends[-1 - b] if b != NOWHERE else None)
        if a >= 0:
            assert (mine.depth[k], mine.join[k]) == (theirs.depth[k], theirs.join[k])
    assert mine.ended == theirs.ended
    random = Random(3)
    for size in (1, 2, 7, len(out.states)):
        some = np.array(sorted(random.sample(range(len(out.states)), min(size, len(out.states)))), np.int32)
        assert survey.changing(some) == plain.changing(some)
        assert set(mine.met(some)) == set(theirs.met(some))
        slots = random.sample(range(len(s.program.layout.slots)), min(9, len(s.program.layout.slots)))
        assert survey.columns(some, slots).tolist() == plain.columns(some, slots).tolist()
    first = out.graph.edges.first
    asked = np.flatnonzero((np.diff(first) > 0) & (mine.code != NOWHERE))[::3]
    assert survey.weights(asked, np.diff(first)[asked]).tolist() == plain.weights(asked, np.diff(first)[asked]).tolist()
    everything = np.arange(len(out.states), dtype=np.int32)
    failing = list(plain.failing(s.program.invariants, everything))
    assert list(survey.failing(s.program.invariants, everything)) == failing
    return len(failing)


@pytest.mark.parametrize("target", SCENARIOS)
def test_scenarios_are_surveyed_the_same(target: str) -> None:
    agree(subject(target), 1_500)


@pytest.mark.parametrize("target", ["hanayome/hand-over-limit", "sakura/crystals-conserved"])
def test_a_search_that_keeps_fingerprints_only_is_surveyed_the_same(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "REMADE", 400)
    agree(subject(target), 1_500, fingerprints=True)


def test_toys_are_surveyed_the_same_and_some_conditions_fail() -> None:
    assert sum(agree(toy(name, entry=entry), 1_500) for name, entry in TOYS) >= 2


def test_findings_of_every_kind_do_not_depend_on_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice.explore, "__defaults__", (None, "native", None, 0.0, choice.USUAL))
    kinds: set[object] = set()
    for name, entry in TOYS:
        a, b = (check_subject(toy(name, entry=entry), Limits(2_000), engine=engine) for engine in ("interpreter", "native"))
        assert (a.findings, a.examined, a.outcomes, a.bounds) == (b.findings, b.examined, b.outcomes, b.bounds), name
        kinds |= {f.cls for f in a.findings}
    assert len(kinds) >= 5, kinds


# ---------------------------------------------------------------- kernels
@pytest.fixture
def always_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "FEW", -1)


@pytest.mark.usefixtures("always_compiled")
def test_compiled_kernels_judge_random_graphs_as_brute_force_does() -> None:
    counts, _ = compare(Random(77), 1_000)
    assert min(counts.values()) >= 10


def test_without_numba_or_a_folder_to_keep_code_in_kernels_run_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def total(numbers, to):  # a kernel
        for x in numbers:
            to[0] += x
        return to[0]
    numbers = np.arange(10)

    def answers(kernel: arrays.Kernel) -> tuple[int, int]:
        to = np.zeros(1, np.int64)
        return int(kernel(numbers, to)), int(to[0])
    assert answers(arrays.Kernel(total)) == (45, 45)
    monkeypatch.setattr(arrays, "FEW", -1)
    assert answers(arrays.Kernel(total)) == (45, 45)

    def missing(plain: object) -> None:
        raise ImportError("numba")
    monkeypatch.setattr(arrays, "translated", missing)
    assert answers(arrays.Kernel(total)) == (45, 45)


def total_of(a, b):  # a kernel
    return a + b


def test_a_kernel_is_compiled_where_no_folder_can_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert arrays.translated(total_of)(1, 2) == 3


def kept_code(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "rulewright" / machine_code.KIND).glob("*"))


def test_machine_code_is_kept_until_anything_that_it_is_made_of_changes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    fresh: list[object] = []
    saved = machine_code.KeptCode.save_overload
    monkeypatch.setattr(machine_code.KeptCode, "save_overload", lambda *a: (fresh.append(a), saved(*a)))
    assert arrays.translated(total_of)(1, 2) == 3 and len(kept_code(tmp_path)) == len(fresh) == 1
    assert arrays.translated(total_of)(3, 4) == 7 and len(kept_code(tmp_path)) == len(fresh) == 1
    monkeypatch.setattr(machine_code, "sources", lambda: "another hashing.py")
    assert arrays.translated(total_of)(1, 2) == 3 and len(kept_code(tmp_path)) == len(fresh) == 2


def test_all_that_machine_code_is_made_of_is_in_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    named = {Path(p).name for p in ("native/hashing.py", "native/tree.py", "native/core.py", "native/calling.py", "explore/kernels.py")}
    read: list[str] = []
    monkeypatch.setattr(kept, "plain_bytes", lambda path: (read.append(path.name), path.read_bytes())[1])
    machine_sources.sources.__wrapped__()
    assert named <= {*read}


@pytest.mark.parametrize("spoil", [lambda p: (p.unlink(), os.mkfifo(p)), lambda p: (p.unlink(), p.mkdir()), lambda p: p.write_bytes(b"x")])
def test_machine_code_that_is_something_else_is_made_anew(spoil: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert arrays.translated(total_of)(1, 2) == 3
    spoil(kept_code(tmp_path)[0])
    assert arrays.translated(total_of)(1, 2) == 3


def test_kernels_know_the_owners_of_the_graph() -> None:
    known = kernels._CHANCE, kernels._OPEN, kernels._READING, kernels._FRONTIER  # pyright: ignore[reportPrivateUsage]
    assert known == (owned_graph.CHANCE, owned_graph.OPEN, owned_graph.READING, owned_graph.FRONTIER)
