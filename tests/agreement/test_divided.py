"""A search divided among several workers has the states, transitions, depths and ends of one, and its plays are real."""
from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from rulewright.checks.cli import main
from rulewright.checks.explore.explorer import Limits
from rulewright.checks.explore.other_findings import settled
from rulewright.checks.explore.subject import Subject
from rulewright.checks.findings.cut_off import CUTS
from rulewright.checks.native import divided, search
from rulewright.checks.native.divided import InProcess, Share, first_states, way_to
from rulewright.checks.native.engine import Native
from rulewright.checks.native.explorer import explore
from rulewright.checks.native.search import Search
from rulewright.checks.runs import actors
from rulewright.checks.runs.dividing import check_divided, compared
from rulewright.checks.scenarios.options import CheckOptions
from rulewright.checks.scenarios.subjects import open_table, read_scenario, scenario_paths, subject_of

from ..toys.harness import toy
from .crystals import duel
from .test_explorer import own_cache  # noqa: F401  (the fixture is used)

WHOLE = Limits(None)


def subject(path: Path, symmetry: bool = True) -> Subject:
    return subject_of(open_table(read_scenario(path), {}), symmetry)


def native_of(s: Subject) -> Native:
    return Native(s.program, s.engine.policies, card_ids=s.engine.card_ids, level=0, symmetry=s.symmetry)


def compare(s: Subject, limits: Limits = WHOLE, shares: Sequence[int] = (1, 2, 3, 4)) -> int:
    """Counts to the state, whatever the order in which states are found; and a shortest play to each end. How many states."""
    native = native_of(s)
    one = explore(native, s.engine, s.starts, limits)
    starts = first_states(native, s)
    conditions = settled(s.program, one.surveyed(s.engine).places)
    failing = {name: one.depth[k] for k, name, _ in one.surveyed(s.engine).failing(s.program.invariants, conditions)}
    for many in shares:
        team = InProcess([Share(native, s, me, many) for me in range(many)])
        found = divided.search(team, limits, len(starts) > 1)
        assert (found.states, found.transitions, found.left, found.cut) == (len(one.states), one.transitions, len(one.bound_edges), one.cut)
        assert found.depths == np.bincount(np.asarray(one.depth)).tolist()
        assert {end: (met.states, met.depth) for end, (_, met) in found.ended.items()} == {
            end: (count, one.depth[k]) for end, k, count in one.surveyed(s.engine).places.ended}
        assert {name: met.depth for name, (_, met) in found.failing.items()} == failing and found.looked == len(conditions)
        for end, (share, met) in found.ended.items():
            way = [native.unpacked(key) for key in way_to(team, share, met.first)]
            assert way[-1].end == end and len(way) == met.depth + 1 and way[0] in [x.state for x in starts]
            for state, after in pairwise(way):
                point = s.engine.point(state)
                assert point is not None
                assert after in [native.representative(s.engine.apply(state, o).state) for o in point.options]
    return len(one.states)


@pytest.mark.parametrize(("target", "symmetry", "states"), [
    ("shinso/life-conversion", True, 496), ("shinso/answer-to-a-fatal-attack", False, 568), ("hanayome/declined-cost", False, 847),
    ("hanayome/one-replacement", True, 193), ("harem_master/pass-only-boy-boy", False, 219), ("ts_fight/ts-and-back", True, 216),
    ("ts_fight/user-leaves", False, 823), ("sakura/crystals-conserved", True, 1510), ("sakura/stride", False, 2385),
    ("ts_fight/endless-interrupts", False, 74)])
def test_the_counts_are_those_of_one(target: str, symmetry: bool, states: int) -> None:
    assert compare(subject(scenario_paths(target)[0], symmetry)) == states


@pytest.mark.parametrize("depth", [0, 1, 6, 1000])
def test_longer_plays_than_the_limit_are_not_looked_at(depth: int) -> None:
    compare(subject(scenario_paths("ts_fight/ts-and-back")[0]), Limits(None, depth=depth), (1, 3))


def test_rounds_of_many_exchanges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And entries that are sent more than once."""
    s = subject(duel(tmp_path, 10, 4, 1, 2, 1))
    monkeypatch.setattr(divided, "ALONE", 1 << 10)
    monkeypatch.setattr(divided, "BUDGET", 100)
    monkeypatch.setattr(divided, "RECENT", 64)
    assert compare(s, shares=(3,)) == 87_118
    exchanges: list[divided.Explored] = []
    native = native_of(s)
    divided.explored(InProcess([Share(native, s, me, 3) for me in range(3)]), WHOLE, exchanges.append)
    assert len(exchanges) > 3 * exchanges[-1].rounds


def test_records_that_find_no_room_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """One state has more of them than a batch has room for; what was to be sent before is not lost."""
    monkeypatch.setattr(Search, "new_batch", lambda self, room, made=Search.new_batch: made(self, 150 if room > 5_000 else room))
    monkeypatch.setattr(divided, "SENT", 150)
    batches: list[int] = []
    first = divided.Share.expand

    def expand(self: Share) -> list[np.ndarray]:
        batches.append(int(self.search.batch.sizes[0]))
        return first(self)
    monkeypatch.setattr(divided.Share, "expand", expand)
    compare(subject(scenario_paths("hanayome/declined-cost")[0]), shares=(2,))
    assert len(set(batches)) > 1


def test_keys_that_are_not_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "LONG", 1 << 20)
    compare(subject(scenario_paths("hanayome/declined-cost")[0]), shares=(2, 3))


def test_chance_picks_one_of_several_beginnings() -> None:
    s = subject(scenario_paths("hanayome/episode-left-behind")[0])
    after = explore(native_of(s), s.engine, s.starts, Limits(400))
    compare(replace(s, starts=[s.starts[0]._replace(state=after.states[k], crossing=0) for k in (0, 5, 9, 5)]), shares=(1, 2, 3))


@pytest.mark.parametrize("name", ["lamp", "ping_pong", "conserved", "leaking", "half_done"])
def test_toys(name: str) -> None:
    s = toy(name)
    assert native_of(s).shape.fixed  # keys of one size
    compare(s, Limits(None, depth=40), (2, 5))


def test_a_limit_on_states_says_what_was_left(tmp_path: Path) -> None:
    s = subject(duel(tmp_path))
    native = native_of(s)
    found = divided.search(InProcess([Share(native, s, me, 2) for me in range(2)]), Limits(3_000), False)
    assert found.cut == "states" and not found.complete and found.states >= 3_000


# ---------------------------------------------------------------- on a cluster
HEAD = """
import sys
from ray.cluster_utils import Cluster
here = Cluster(initialize_head=True, head_node_args={"num_cpus": 4, "include_dashboard": False, "object_store_memory": 1 << 28})
print(here.address, flush=True)
sys.stdin.read()
here.shutdown()
"""
LOSES = """
import sys
from rulewright.checks.cli import main
from rulewright.checks.runs.actors import Actors
exchange, times = Actors.exchange, []
def once_more(team):
    times.append(1)
    if len(times) == 5:
        team.ray.kill(team.workers[1])
    return exchange(team)
Actors.exchange = once_more
sys.exit(main(sys.argv[1:]))
"""
"""One process is gone in the fifth exchange."""
COUNTS = """
import sys
from pathlib import Path
from rulewright.checks.cli import main
from rulewright.checks.native import build
from rulewright.checks.runs.actors import Actors
begin, folder = Actors.begin, Path(sys.argv.pop(1))
def alone(worker, folder, differs):
    build.cache_folder = lambda kind: folder
    make, build.compiled = build.compile_text, 0
    def counted(*given):
        build.compiled += 1
        return make(*given)
    build.compile_text = counted
    if differs:
        made = build.made
        build.made = lambda written, folder, level: made(written, folder, level - 1)
def counting(team, *given):
    team.ray.get([w.__ray_call__.remote(alone, folder / str(k), k == 2) for k, w in enumerate(team.workers)])
    out = begin(team, *given)
    print("compiled", team.ray.get([w.__ray_call__.remote(lambda worker: build.compiled) for w in team.workers]), file=sys.stderr)
    return out
Actors.begin = counting
sys.exit(main(sys.argv[1:]))
"""
"""Each process has a folder of its own for what is kept; the third would compile otherwise. Told is how often each of them did."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a cluster of this machine with four processors. Nothing of Ray is loaded here: the command forks."""
    if find_spec("ray") is None:
        pytest.skip("no Ray")
    with subprocess.Popen([sys.executable, "-c", HEAD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as head:
        assert head.stdin is not None and head.stdout is not None
        yield head.stdout.readline().strip()
        head.stdin.close()


def run(*given: str, code: str = "from rulewright.checks.cli import main; import sys; sys.exit(main(sys.argv[1:]))") -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code, "check", *given], capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.slow
@pytest.mark.parametrize("parts", ["1", "4"])
def test_a_cluster_finds_what_one_machine_finds_and_says_what_it_does_not_look_for(
    cluster: str, parts: str,
) -> None:
    ran = [run("harem_master/pass-only-boy-boy", "-r", "default", "--json", *more) for more in ((), ("--parts", parts, "--cluster", cluster))]
    assert [x.returncode for x in ran] == [1, 1]
    one, many = (json.loads(x.stdout) for x in ran)
    (a,), (b,) = one["results"], many["results"]
    for name in ("states", "transitions", "depth", "complete"):
        assert a["bounds"][name] == b["bounds"][name]
    assert a["outcomes"] == b["outcomes"] and a["endings"] == b["endings"]
    (conflict,), (same,) = a["findings"], b["findings"]
    assert {k for k in conflict if conflict[k] != same[k]} <= {"bounds", "settlements"}
    assert {x["question"]: x["count"] for x in b["examined"]} == {"loops": 0, "open": 0, "order": 0, "invariants": 657, "results": 1}
    assert many["summary"][0]["not_examined"] == ["loops", "open", "order"]


@pytest.mark.slow
def test_processes_take_the_code_that_was_made_here_and_those_for_which_it_is_not_compile(cluster: str, tmp_path: Path) -> None:
    of = ("harem_master/pass-only-boy-boy", "-r", "default", "--json")
    parts = (*of, "--parts", "3", "--cluster", cluster)
    ran = [subprocess.run([sys.executable, "-c", COUNTS, str(tmp_path), "check", *parts], capture_output=True, text=True, check=False) for _ in range(2)]
    assert "compiled [0, 0, 1]" in ran[0].stderr and "compiled [0, 0, 0]" in ran[1].stderr
    first, second, alone = (json.loads(x.stdout)["results"] for x in (*ran, run(*parts)))
    assert first == second == alone


@pytest.mark.slow
def test_nothing_is_claimed_when_a_process_is_lost(cluster: str) -> None:
    ran = run("ts_fight/user-leaves", "--parts", "3", "--cluster", cluster, "--lang", "en", code=LOSES)
    assert "A process of the cluster was lost" in ran.stderr and "Not examined." in ran.stdout
    assert "Not found" not in ran.stdout and "Every position" not in ran.stdout


@pytest.mark.parametrize(("given", "said"), [
    (["ts_fight/user-leaves", "--parts", "3"], "--parts alone is not enough: it takes --cluster auto (or an address) too."),
    (["ts_fight/user-leaves", "--parts", "2", "--cluster", "auto", "--disk", "files"], "The folder of --disk is one of this machine; it does not go with --cluster."),
    (["ts_fight/user-leaves", "--parts", "2", "--cluster", "auto", "--threads", "2", "--fingerprints"],
     "--parts divides the search of one scenario; it does not go with --threads, --fingerprints."),
    (["sakura", "--parts", "2", "--cluster", "auto"], "--parts divides the search of one scenario; it does not go with sakura."),
    (["sakura/stride", "--parts", "2", "--cluster", "auto"], "where there is a limit on turns, a search cannot be divided")])
def test_what_does_not_go_with_parts_is_refused(given: list[str], said: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *given, "--lang", "en"]) == 2
    assert said in capfd.readouterr().err


@pytest.mark.slow
def test_an_address_at_which_nothing_answers(cluster: str) -> None:
    ran = run("ts_fight/user-leaves", "--parts", "2", "--cluster", "127.0.0.1:1", "--lang", "en")
    assert ran.returncode == 2 and "the Ray cluster 127.0.0.1:1 cannot be reached" in ran.stderr


# ---------------------------------------------------------------- what a scenario expects
@pytest.mark.parametrize(("expected", "differs", "not_compared"), [
    ("[{class: conflict}]", "", 0), ("[]", "a finding that was not expected: ", 0), ("[{class: conflict}, {class: gap}]", "an expected finding is missing: class: gap", 0),
    ("[{class: conflict}, {class: loop}]", "", 1)])
def test_what_a_scenario_expects_is_compared_as_far_as_it_is_looked_for(
    expected: str, differs: str, not_compared: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Team(InProcess):
        def __init__(self, ray: object, shares: int, processors: float = 1) -> None:
            self.many = shares

        def begin(self, path: Path, readings: Mapping[str, str], symmetry: bool, code: object) -> list[dict[str, str]]:
            s = subject(path, symmetry)
            super().__init__([Share(native_of(s), s, me, self.many) for me in range(self.many)])
            return [share.identity for share in self.shares]

        def close(self) -> None:
            pass
    monkeypatch.setattr(actors, "Actors", Team)
    monkeypatch.setattr(actors, "connected", lambda address, parts: None)
    monkeypatch.setattr(actors, "native_of", native_of)
    text = scenario_paths("harem_master/both-castles-fall")[0].read_text(encoding="utf-8").partition("expect:")[0]
    path = tmp_path / "mine.yaml"
    path.write_text(f"{text}expect:\n  - readings: {{}}\n    findings: {expected}\n", encoding="utf-8")
    result, = check_divided(path, CheckOptions(defaults_only=True), 2, "")
    said = [one.en for one in result.unexpected]
    assert said == [] if not differs else len(said) == 1 and said[0].startswith(differs)
    notes = [one.en for one in result.bounds.notes if "were not compared" in one.en]
    assert notes == ([f"findings that the scenario expects and a divided search does not look for, so that they were not compared: {not_compared}"] if not_compared else [])
    late = replace(result, unexpected=(), bounds=replace(result.bounds, notes=(CUTS["seconds"],)))
    assert compared(late, read_scenario(path).expect[0]) == late
