"""A divided search that is kept on disk: killed at any moment, or left by a worker, it comes out the same; what does not fit is refused."""
from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks.explore.explorer import Limits
from rulewright.checks.explore.subject import Subject
from rulewright.checks.native import checkpoint, divided
from rulewright.checks.native.checkpoint import Checkpoint, Plan
from rulewright.checks.native.divided import InProcess, Kept, Lost, Outcome, Share, way_to
from rulewright.checks.native.engine import Native
from rulewright.checks.runs import actors, dividing
from rulewright.checks.scenarios.options import CheckOptions
from rulewright.checks.scenarios.subjects import scenario_paths
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.text import Text

from .test_divided import WHOLE, cluster, native_of, run, subject  # noqa: F401  (the fixture is used)
from .test_explorer import own_cache  # noqa: F401  (the fixture is used)

PATH = scenario_paths("hanayome/declined-cost")[0]


@pytest.fixture(scope="module")
def of() -> tuple[Subject, Native]:
    """What is searched, compiled once."""
    s = subject(PATH, symmetry=False)
    return s, native_of(s)


class Killed(Exception):
    """The process of a search ends here."""


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small exchanges, each of them kept."""
    monkeypatch.setattr(divided, "BUDGET", 20)
    monkeypatch.setattr(divided, "ALONE", 1 << 8)
    monkeypatch.setattr(checkpoint, "SHARE", 0)
    monkeypatch.setattr(os, "fsync", lambda file: None)  # processes are killed here, not machines


class Dying(InProcess):
    """Killed while so many parts have written their generation, the `nth` time that happens; or in an exchange."""

    def __init__(self, shares: Sequence[Share], nth: int, written: int | None) -> None:
        super().__init__(shares)
        self.nth, self.written = nth, written

    def each(self, method: str, *given: Any) -> list[Any]:
        if method != "save" or self.written is None:
            return super().each(method, *given)
        self.nth -= 1
        for share in self.shares[:self.written] if not self.nth else ():
            share.save(*given)
        if not self.nth:
            raise Killed
        return super().each(method, *given)

    def exchange(self) -> list[divided.Report]:
        self.nth -= self.written is None
        if not self.nth:
            for share in self.shares:
                share.expand()
            raise Killed
        return super().exchange()


def kept_in(folder: Path, shares: Sequence[Share], limits: Limits = WHOLE, tell: Callable[[Text], None] = lambda said: None) -> Kept:
    identity = {**shares[0].identity, "limits": f"depth {limits.depth}", "parts": str(len(shares))}
    return Kept(Checkpoint(Plan(folder, resume=True, every=0), identity), tell)


def made(s: Subject, native: Native, many: int) -> list[Share]:
    return [Share(native, s, me, many) for me in range(many)]


def told(found: Outcome, team: InProcess) -> object:
    """What does not depend on how long it took."""
    ways = [way_to(team, share, met.first) for share, met in [*found.ended.values(), *found.failing.values()]]
    return replace(found, seconds=0), ways


@pytest.mark.parametrize("written", [None, 0, 1, 3])
def test_killed_at_each_exchange_in_turn_it_comes_out_the_same(of: tuple[Subject, Native], tmp_path: Path, written: int | None) -> None:
    """Or as its generation is written: by nobody yet, by one part, by all but not as a whole."""
    s, native = of
    whole = InProcess(made(s, native, 3))
    wanted = told(divided.search(whole, WHOLE, False), whole)
    words = sum(share.words_sent for share in whole.shares)
    found, kills, team = None, 0, whole
    while found is None:
        team = Dying(made(s, native, 3), 2, written)
        try:
            found = divided.search(team, WHOLE, False, kept=kept_in(tmp_path, team.shares))
        except Killed:
            kills += 1
    assert told(found, team) == wanted
    assert kills > 20 and sum(share.words_sent for share in team.shares) == words
    assert len(list(tmp_path.glob("share-*-of-3/manifest-*.json"))) <= 6


def test_one_that_a_limit_ended_goes_on_and_one_at_its_end_has_nothing_left_to_do(of: tuple[Subject, Native], tmp_path: Path) -> None:
    s, native = of
    whole = divided.explored(InProcess(made(s, native, 2)), WHOLE)
    for most in (200, 500, None, None):
        shares = made(s, native, 2)
        done = divided.explored(InProcess(shares), Limits(most), kept=kept_in(tmp_path, shares))
        assert done.cut == ("states" if most else "") and (most is None or most <= done.states < whole.states)
    assert (done.states, done.transitions, done.rounds) == (whole.states, whole.transitions, whole.rounds)
    assert [share.depths() for share in shares] and done.seconds > 0


# ---------------------------------------------------------------- refused
@pytest.fixture
def begun(of: tuple[Subject, Native], tmp_path: Path) -> tuple[Subject, Native, Path]:
    """A search that is kept, and where."""
    keep(*of, tmp_path / "kept")
    return *of, tmp_path / "kept"


def keep(s: Subject, native: Native, folder: Path, most: int | None = 200, many: int = 2, depth: int | None = None) -> None:
    limits, shares = Limits(most, depth=depth), made(s, native, many)
    divided.explored(InProcess(shares), limits, kept=kept_in(folder, shares, limits))


def refused(*given: Any, **more: Any) -> str:
    with pytest.raises(BadInput) as caught:
        keep(*given, most=None, **more)
    (one,) = caught.value.diagnostics
    return f"{one.code}: {one.message.en}"


def test_a_damaged_part_is_refused(begun: tuple[Subject, Native, Path]) -> None:
    folder = begun[2] / "share-2-of-2"
    for file in sorted(folder.glob("*.bin")):
        good = file.read_bytes()
        file.write_bytes(good[:9] + bytes([good[9] ^ 4]) + good[10:])
        assert refused(*begun) == f"damaged-checkpoint: {file} is damaged and is not used (it does not agree with its checksum)"
        file.write_bytes(good[:-1])
        assert refused(*begun).endswith(f"({len(good) - 1} bytes instead of {len(good)})")
        file.write_bytes(good)
    for file in folder.glob("manifest-*.json"):
        file.unlink()
    assert refused(*begun) == f"no-checkpoint: there is no checkpoint in {folder}"


def test_a_part_of_another_moment_is_refused(begun: tuple[Subject, Native, Path], tmp_path: Path) -> None:
    s, native, folder = begun
    keep(s, native, tmp_path / "other", 500)
    last = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["facts"]["number"]
    other = max((tmp_path / "other" / "share-1-of-2").glob("manifest-*.json"), key=lambda file: file.stat().st_mtime)
    shutil.rmtree(folder / "share-1-of-2")
    shutil.copytree(other.parent, folder / "share-1-of-2")
    other = (folder / "share-1-of-2" / other.name).rename(folder / "share-1-of-2" / f"manifest-{last}.json")
    assert refused(*begun) == f"damaged-checkpoint: {other} is damaged and is not used (it is not of the same moment as the other parts)"


def test_another_number_of_parts_and_another_limit_are_refused(begun: tuple[Subject, Native, Path], tmp_path: Path) -> None:
    folder = begun[2]
    said = f"foreign-checkpoint: {folder} is a checkpoint of another search and is not used; different: "
    assert refused(*begun, many=3) == said + "the number of --parts"
    assert refused(*begun, depth=9) == said + "the limits on depth or turns"
    other = subject(scenario_paths("harem_master/pass-only-boy-boy")[0], symmetry=False)
    assert "the rules (book, scenario or readings)" in refused(other, native_of(other), folder)


def test_what_cannot_be_written_is_told_and_the_search_goes_on(of: tuple[Subject, Native], tmp_path: Path) -> None:
    shares, said = made(*of, 2), list[Text]()
    (tmp_path / "share-2-of-2").write_text("a file is in the way", encoding="utf-8")
    done = divided.explored(InProcess(shares), WHOLE, kept=kept_in(tmp_path, shares, tell=said.append))
    assert done.states == 847 and not done.cut
    assert said[0].en == f"The checkpoint cannot be written ({tmp_path / 'share-2-of-2'}: File exists). The search goes on."
    assert not (tmp_path / "manifest.json").exists()


def test_a_folder_that_is_not_the_same_on_all_machines_is_told(of: tuple[Subject, Native], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shares, said, save = made(*of, 2), list[Text](), Share.save
    monkeypatch.setattr(Share, "save", lambda self, number: ("/of/another/machine", save(self, number)[1]))
    divided.explored(InProcess(shares), WHOLE, kept=kept_in(tmp_path, shares, tell=said.append))
    assert said[0].en.startswith("The checkpoint cannot be written (/of/another/machine: No such file")


# ---------------------------------------------------------------- a worker that is lost
def taken_up(
    of: tuple[Subject, Native], folder: Path | None, lost: Callable[[int], bool], monkeypatch: pytest.MonkeyPatch,
) -> tuple[dividing.CheckResult, list[str], list[float]]:
    """A search in which a worker is lost in some exchanges; what is told, and what part of a processor each team takes."""
    exchanges, teams, said = count(), list[float](), list[Text]()

    class Team(InProcess):
        def __init__(self, ray: object, shares: int, processors: float = 1) -> None:
            teams.append(processors)
            super().__init__(made(*of, shares))

        def begin(self, path: Path, readings: Mapping[str, str], symmetry: bool, code: Mapping[str, bytes]) -> list[dict[str, str]]:
            return [share.identity for share in self.shares]

        def exchange(self) -> list[divided.Report]:
            if lost(next(exchanges)):
                raise Lost
            return super().exchange()

        def close(self) -> None:
            pass
    monkeypatch.setattr(actors, "Actors", Team)
    monkeypatch.setattr(actors, "native_of", lambda s: of[1])
    options = CheckOptions(symmetry=False, checkpoint=folder, checkpoint_seconds=0)
    result = dividing.divided(None, PATH, of[0], options, 2, WHOLE, lambda now: None, said.append)
    return result, [one.en for one in said], teams


def test_a_search_that_a_worker_left_is_taken_up_from_its_last_checkpoint(of: tuple[Subject, Native], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, said, _ = taken_up(of, None, lambda n: False, monkeypatch)
    assert not said
    found, said, teams = taken_up(of, tmp_path, lambda n: n in (0, 1, 2, 5, 6, 7, 10), monkeypatch)
    assert replace(found, seconds=0) == replace(wanted, seconds=0) and found.bounds.states == 847
    assert len(said) == 7 and all("goes on from its last checkpoint" in one for one in said)
    assert teams == [1, *[actors.CROWDED] * 7]


def test_three_times_in_a_row_are_enough_and_without_a_checkpoint_one_is(of: tuple[Subject, Native], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, lost, times in ((None, {3}, 0), (tmp_path, {3, 4, 5, 6}, 3)):
        found, said, _ = taken_up(of, folder, lost.__contains__, monkeypatch)
        assert len(said) == times + 1 and said[-1] == dividing.LOST.en
        assert not found.bounds.complete and not found.bounds.states


LOSES = """
import os, signal, sys
from rulewright.checks.cli import main
from rulewright.checks.runs.actors import Actors
exchange, times = Actors.exchange, []
def once_more(team):
    times.append(1)
    if len(times) in (5, 12):
        os.kill(team.ray.get(team.workers[1].__ray_call__.remote(lambda self: os.getpid())), signal.SIGKILL)
    return exchange(team)
Actors.exchange = once_more
sys.exit(main(sys.argv[1:]))
"""
"""One process is killed in the fifth exchange, and one in the twelfth."""


@pytest.mark.slow
def test_on_a_cluster_it_comes_out_the_same_though_two_processes_are_killed(cluster: str, tmp_path: Path) -> None:  # noqa: F811
    of = ("ts_fight/user-leaves", "-r", "default", "--json")
    parts = (*of, "--parts", "3", "--cluster", cluster, "--checkpoint", str(tmp_path / "kept"), "--checkpoint-every", "0")
    one, many = run(*of), run(*parts, code=LOSES)
    assert many.stderr.count("goes on from its last checkpoint") == 2 and one.returncode == many.returncode
    assert run(*parts).returncode == 2  # there is something already
    for ran in (many, run(*parts, "--resume")):
        (a,), (b,) = (json.loads(x.stdout)["results"] for x in (one, ran))
        for name in ("states", "transitions", "depth", "complete"):
            assert a["bounds"][name] == b["bounds"][name]
        assert a["outcomes"] == b["outcomes"] and a["endings"] == b["endings"]
        assert [f["id"] for f in a["findings"]] == [f["id"] for f in b["findings"]]
