"""The same work on the machines of a Ray cluster: the same results, whatever becomes of the machines; and what is refused."""
from __future__ import annotations

import importlib.util
import io
import json
import os
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks.cli import main
from rulewright.checks.combos import searching
from rulewright.checks.combos.searching import search
from rulewright.checks.findings.as_json import result_as_json
from rulewright.checks.findings.cut_off import is_cut
from rulewright.checks.native import cluster
from rulewright.checks.runs import on_ray, session, together
from rulewright.checks.runs.worker import Desk, Worker
from rulewright.checks.scenarios.options import CheckOptions
from rulewright.model.engine.library import RULES, spec_folder
from rulewright.spec.diagnostics import Position
from rulewright.spec.text import Text

from ..mutation import spread
from .test_combos import LOOPS, OTHERS, written

os.environ.update(cluster.QUIET)  # Ray reads them when it is loaded
FEW = ("harem_master/seventh", "sakura/pass-only", "harem_master/mulligan", "sakura/oath", "ts_fight/recovery")


# ---------------------------------------------------------------- what is refused
@pytest.mark.parametrize("command", [["check", "sakura/oath"], ["hunt", "sakura/oath"], ["combos", "hanayome"]])
def test_without_ray_it_is_said_what_to_install(command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name == "ray" else there(name, *more))
    for lang in ("ja", "en"):
        assert main([*command, "--cluster", "auto", "--lang", lang]) == 2
        assert "`pip install 'rulewright[cluster]'`" in capsys.readouterr().err


def test_nothing_of_ray_is_loaded_where_no_cluster_is_asked_for() -> None:
    asked = ("import sys\nfrom rulewright.checks.cli import main\nmain(['check', 'sakura/oath', 'sakura/pass-only'])\n"
             "sys.exit(any(name.partition('.')[0] == 'ray' for name in sys.modules))")
    assert subprocess.run([sys.executable, "-c", asked], stdout=subprocess.DEVNULL, check=False).returncode == 0


@pytest.mark.parametrize(("address", "said"), [("foo", "--cluster takes no foo"), ("localhost:99999", "--cluster takes no localhost:99999"), ("", "cannot be reached")])
def test_an_address_where_there_is_no_cluster_is_refused(address: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ray").shutdown()
    with socket.socket() as nobody:  # bound, and nobody listens
        nobody.bind(("127.0.0.1", 0))
        assert main(["check", "sakura/oath", "--cluster", address or f"127.0.0.1:{nobody.getsockname()[1]}", "--lang", "en"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("more", [["--only", "lassos"], ["--checkpoint", "kept"]])
def test_what_is_done_on_one_machine_is_not_done_on_a_cluster(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "sakura/oath", "--cluster", "auto", *more, "--lang", "en"]) == 2
    assert "--cluster" in capsys.readouterr().err


# ---------------------------------------------------------------- a worker that is lost
class Losing(together.Here):
    """Workers of this machine, treated as those of a cluster are."""

    def __init__(self, address: str, *of: Any) -> None:
        super().__init__(*of)

    def hire(self) -> Worker:
        worker = super().hire()
        worker.again = on_ray.AGAIN
        return worker


def killed_at_first(noted: Path, times: int, desk: Desk) -> str:
    desk.note(Text.same("begun"))
    desk.keep("half")
    noted.write_text(was := noted.read_text() + "x" if noted.exists() else "x", encoding="utf-8")
    if len(was) <= times:
        time.sleep(0.2)  # what was told is told
        os.kill(os.getpid(), signal.SIGKILL)
    return "whole"


@pytest.mark.skipif(together.START != "fork", reason="processes are killed")
def test_what_a_lost_worker_was_at_is_done_again_and_nothing_is_told_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "OnRay", Losing)
    works = [partial(killed_at_first, tmp_path / str(times), times) for times in (0, 1, 3, 4)]
    done = together.done_together(works, 2, cluster="some")
    assert [one.found for one in done] == ["whole", "whole", "whole", "half"]
    assert [one.cut for one in done] == ["", "", "", "lost"] and all(len(one.said) == 1 for one in done)
    (once,) = together.done_together([partial(killed_at_first, tmp_path / "here", 1)], 1)
    assert (once.found, once.cut) == ("half", "lost")


# ---------------------------------------------------------------- paths
def test_paths_are_those_of_the_machine_and_are_told_as_those_of_the_user(tmp_path: Path) -> None:
    home = on_ray.Home(str(tmp_path / "kept"), "/opt/spec", "/home/me/spec")
    assert home.path("/home/me/book/x.yaml") == tmp_path / "kept/home/me/book/x.yaml"
    assert home.path("/home/me/spec/sakura/clauses.yaml") == Path("/opt/spec/sakura/clauses.yaml")
    assert home.path("book/x.yaml") == Path("book/x.yaml")
    place = Position(str(home.path("/home/me/book/x.yaml")), 2, 3)
    on_ray.Sending(out := io.BytesIO(), Path, home.told).dump([place, Text.same(f"{place} too"), home.path("/home/me/spec/a"), {"n": 1}])
    assert pickle.loads(out.getvalue()) == [
        Position("/home/me/book/x.yaml", 2, 3), Text.same("/home/me/book/x.yaml:2:3 too"), Path("/home/me/spec/a"), {"n": 1}]


# ---------------------------------------------------------------- with Ray
@pytest.fixture(scope="module")
def four() -> Iterator[Any]:
    """A cluster of four machines with one processor each; the tests' own has none."""
    ray = pytest.importorskip("ray")
    ray.shutdown()
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    for _ in range(4):
        made.add_node(num_cpus=1)
    yield made
    ray.shutdown()
    made.shutdown()


def paths() -> list[Path]:
    return [path for name in FEW for path in session.resolve(name)] + session.scenarios_of("sakura")[:5]


def told(done: Sequence[together.Outcome[list[session.CheckResult]]]) -> list[object]:
    return [[{k: v for k, v in result_as_json(r).items() if k != "seconds"} for r in one.found or ()] for one in done]


def done_by(workers: int | None, address: str | None, **more: Any) -> list[together.Outcome[list[session.CheckResult]]]:
    return together.all_done(
        paths(), together.check_one, CheckOptions(threads=workers, cluster=address), more.get("until"), more.get("told", lambda n: None),
        more.get("stopped", lambda: False))


@pytest.mark.slow
def test_results_are_those_of_one_process_though_two_of_four_machines_are_lost(
    four: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
) -> None:
    cluster.connected(four.address)
    hired: list[on_ray.Hired] = []
    removed: list[float] = []
    hire = on_ray.OnRay.hire

    def noted(self: on_ray.OnRay) -> on_ray.Hired:
        hired.append(hire(self))
        return hired[-1]

    def told_of(now: object) -> None:
        if now == 2 and not removed:
            capfd.readouterr()
            for node in list(four.worker_nodes)[:2]:
                four.remove_node(node, allow_graceful=False)
            removed.append(time.monotonic())
    monkeypatch.setattr(on_ray.OnRay, "hire", noted)
    done = done_by(None, four.address, told=told_of)
    shown = "".join(capfd.readouterr())
    for _ in range(2):
        four.add_node(num_cpus=1)
    assert removed and len(hired) > 4
    assert shown == ""
    assert told(done) == told(done_by(1, None)) and all(one.done and not one.cut for one in done)


@pytest.mark.slow
def test_results_are_the_same_whatever_the_number_of_workers(four: Any) -> None:
    wanted = told(done_by(1, None))
    for workers in (1, 2, 4):
        assert told(done_by(workers, four.address)) == wanted


@pytest.mark.slow
def test_what_is_stopped_is_told_as_cut_off_and_what_was_found_counts(four: Any) -> None:
    begun: list[float] = []
    done = done_by(2, four.address, told=lambda n: begun.append(time.monotonic()), stopped=lambda: bool(begun))
    assert any(one.done and not any(map(is_cut, one.found or ())) for one in done)
    assert all(is_cut(r) for one in done if not one.begun for r in one.found or ()) and not all(one.begun for one in done)
    assert time.monotonic() - begun[0] < 30


@pytest.fixture
def own_book(tmp_path: Path) -> Path:
    """A folder with a book of the user's own."""
    book = tmp_path / "books" / "mine"
    shutil.copytree(spec_folder() / "harem_master", book, ignore=shutil.ignore_patterns("scenarios"))
    shutil.copytree(RULES / "harem_master", book / "rules")
    (book / "scenarios").mkdir()
    for name in ("mulligan", "seventh"):
        text = (spec_folder() / "harem_master" / "scenarios" / f"{name}.yaml").read_text(encoding="utf-8")
        for place in (book / "scenarios" / f"{name}.yaml", tmp_path / f"{name}-too.yaml"):
            place.write_text(text.replace("book: harem_master", "book: mine"), encoding="utf-8")
    (tmp_path / "bad.yaml").write_text("id: bad\nbook: mine\ntitle: {ja: あ, en: a}\nbegin: nowhere\n", encoding="utf-8")
    return tmp_path


@pytest.mark.slow
def test_a_book_of_the_users_own_goes_along_and_messages_name_the_users_files(
    four: Any, own_book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(own_book)
    on_it: tuple[list[str], ...] = ([], ["--cluster", four.address])
    results: list[Any] = []
    for more in on_it:
        for books in (["--books", "books"], ["--books", str(own_book / "books")]):
            assert main(["check", "mine", "mulligan-too.yaml", str(own_book / "seventh-too.yaml"), "--json", *books, *more]) in (0, 1)
            results.append([{k: v for k, v in one.items() if k != "seconds"} for one in json.loads(capsys.readouterr().out)["results"]])
    assert len(results[0]) >= 4 and all(one == results[0] for one in results)
    errors: list[str] = []
    for more in on_it:
        assert main(["check", "mine", "bad.yaml", str(own_book / "bad.yaml"), "--books", "books", "--lang", "en", *more]) == 2
        errors.append(capsys.readouterr().err)
    assert errors[0] == errors[1] and errors[0].startswith("bad.yaml:4:8: ")


@pytest.mark.slow
def test_a_machine_with_another_rulewright_is_refused(four: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(on_ray, "edition", lambda: "another")
    assert main(["check", "sakura/oath", "sakura/pass-only", "--cluster", four.address, "--lang", "en"]) == 2
    assert "is not the same as here" in capsys.readouterr().err


@pytest.mark.slow
def test_hunts_and_combos_are_done_there_too(
    four: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["hunt", "ts_fight/recovery", "--max-time", "10", "--json", "--cluster", four.address]) in (0, 1)
    (hunted,) = json.loads(capsys.readouterr().out)["results"]
    assert [note["en"] for note in hunted["bounds"]["notes"]] == ["stopped at the time limit"] or hunted["examined"]
    pool, found = written(tmp_path, **LOOPS, **OTHERS), list[Any]()
    for where in (None, four.address):
        monkeypatch.setattr(searching, "cache_folder", lambda kind, where=where: tmp_path / f"{kind}-{where is None}")
        told = search("hanayome", pool, (2,), {}, 0, 2, None, lambda now: None, lambda: False, cluster=where)[1]
        found.append((told.combos, told.tried, told.plays, told.unshown))
    assert found[0] == found[1] and [combo.cards for combo in found[0][0]] == [("V-ASK", "V-ANSWER")]


@pytest.mark.slow
def test_mutants_of_rules_are_looked_at_there_too_with_the_same_outcome(four: Any, tmp_path: Path) -> None:
    left = {"seventh", "mulligan", "dash", "pass-only-boy-boy"}
    others = sorted(p.stem for p in session.scenarios_of("harem_master") if p.stem not in left)
    told: list[str] = []
    for where in ((), ("--cluster", four.address)):
        ran = subprocess.run(
            [sys.executable, "-m", "tests.mutation.removal", "harem_master", "--sample", "8", "--survivors", *where, "--leave-out", *others],
            capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2],
            env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / str(len(told)))})
        told.append(ran.stdout + ran.stderr)
    assert told[0] == told[1] and "of 8 statements" in told[0]


def test_a_machine_with_other_code_looks_at_no_mutants() -> None:
    with pytest.raises(RuntimeError, match="other rules or another Rulewright"):
        spread.there(str, 1, (), "another")
    assert spread.there(str, 1, (), spread.same_code()) == "1"
