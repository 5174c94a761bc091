"""What is kept in the user's cache: read back only if it is what was written, by this user, and nothing but plain values."""
from __future__ import annotations

import os
import pickle
import subprocess
import sys
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from rulewright.model.engine import compiled as compiled_module
from rulewright.model.engine.library import load_book
from rulewright.model.engine.table import Table, open_table
from rulewright.spec import document
from rulewright.spec.diagnostics import BadInput, Collector
from rulewright.spec.kept import keep, made, read_kept
from rulewright.spec.nodes import MapNode, Node
from rulewright.spec.own_folder import cache_folder
from rulewright.spec.readers import Scenario, read_scenario
from rulewright.spec.schema import read_file


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def counted(value: object) -> tuple[list[int], Callable[[], object]]:
    """A maker, and how often it was asked."""
    asked: list[int] = []

    def make() -> object:
        asked.append(1)
        return value
    return asked, make


def the_file(kind: str) -> Path:
    (file,) = cache_folder(kind).iterdir()
    return file


def test_what_was_made_is_not_made_again() -> None:
    asked, make = counted({"a": (1, frozenset({2}))})
    assert [made("things", "this", make) for _ in range(3)] == [{"a": (1, frozenset({2}))}] * 3
    assert len(asked) == 1
    made("things", "that", make)
    assert len(asked) == 2


def test_what_is_not_worth_it_is_not_kept() -> None:
    asked, make = counted(None)
    for _ in range(2):
        made("things", "this", make, lambda value: value is not None)
    assert len(asked) == 2


def test_damage_is_noticed_and_repaired() -> None:
    _, make = counted("right")
    made("things", "this", make)
    file = the_file("things")
    good = file.read_bytes()
    for bad in (b"", good[:20], good[:-1], good[:-1] + b"?", good.replace(b"kept 1", b"kept 2"), good[:40] + b"0" + good[41:]):
        file.write_bytes(bad)
        asked, make = counted("right")
        assert made("things", "this", make) == "right"
        assert len(asked) == (bad != good)
        assert file.read_bytes() == good


def test_an_entry_for_something_else_is_not_read() -> None:
    for what in ("this", "that"):
        made("things", what, counted(what)[1])
    one, two = cache_folder("things").iterdir()
    one.write_bytes(two.read_bytes())
    assert [made("things", what, counted(what)[1]) for what in ("this", "that")] == ["this", "that"]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners on this machine")
def test_what_anybody_could_have_written_is_not_read() -> None:
    folder = cache_folder("things")
    keep(folder, "0" * 64, b"content")
    assert read_kept(folder, "0" * 64) == b"content"
    (folder / ("0" * 64)).chmod(0o666)
    assert read_kept(folder, "0" * 64) is None
    keep(folder, "0" * 64, b"content")
    assert read_kept(folder, "0" * 64) == b"content"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this machine")
def test_nothing_waits_for_a_pipe_that_lies_in_the_cache() -> None:
    asked, make = counted("right")
    made("things", "this", make)
    file = the_file("things")
    file.unlink()
    os.mkfifo(file)
    assert made("things", "this", make) == "right"
    assert file.is_file() and len(asked) == 2


class Harmful:
    """Runs something when it is read back."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch harm",)


def test_values_that_would_run_something_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made("things", "this", counted("right")[1])
    file = the_file("things")
    keep(file.parent, file.name, zlib.compress(pickle.dumps(Harmful())))
    assert made("things", "this", counted("right")[1]) == "right"
    assert not Path("harm").exists()


def test_a_cache_that_cannot_be_written_is_done_without(own_cache: Path) -> None:
    own_cache.write_text("not a folder")
    asked, make = counted(7)
    assert [made("things", "this", make) for _ in range(2)] == [7, 7]
    assert len(asked) == 2


def test_old_entries_are_thrown_away() -> None:
    folder = cache_folder("things")
    for k in range(6):
        keep(folder, f"{k}", b"x")
        os.utime(folder / f"{k}", (k, k))
    keep(folder, "0new", b"x", most=3)
    assert sorted(p.name for p in folder.iterdir()) == ["0new", "4", "5"]


# ---------------------------------------------------------------- documents and programs
YAML = "one: 1\ntwo:\n" + "".join(f"  - entry number {k}\n" for k in range(60))


def test_a_document_is_parsed_once_and_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(YAML)
    first = document.read_document(path)
    monkeypatch.setattr(document, "_Composer", lambda *a: pytest.fail("it was parsed before"))
    again = document.read_document(path)
    assert again == first and isinstance(again, MapNode)
    assert [e.key.position for e in again.entries] == [e.key.position for e in document.read_document(path).entries]  # pyright: ignore[reportAttributeAccessIssue]


def test_what_a_file_says_is_read_once_and_again_when_something_else_is_another(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(YAML)
    asked: list[object] = []

    def shape(node: Node, report: Collector) -> object:
        asked.append(node)
        return node
    first = read_file(path, shape, "things", "this")
    assert read_file(path, shape, "things", "this") == first and len(asked) == 1
    read_file(path, shape, "things", "that")
    path.write_text(YAML + "three: 3\n")
    assert read_file(path, shape, "things", "this") != first and len(asked) == 3
    path.write_text(YAML + "one: again\n")
    for _ in range(2):
        with pytest.raises(BadInput, match="one"):
            read_file(path, shape, "things", "this")


def test_a_scenario_that_reads_other_files_is_read_each_time(tmp_path: Path) -> None:
    table, path = tmp_path / "own.csv", tmp_path / "x.yaml"
    table.write_text("id,name\nA-1,One\n")
    path.write_text("book: hanayome\nid: x\ntitle: {ja: 題, en: Title}\ncard_files: [own.csv]\n")
    assert [c.id.value for c in read_scenario(path).cards] == ["A-1"]
    table.write_text("id,name\nA-2,Two\n")
    assert [c.id.value for c in read_scenario(path).cards] == ["A-2"]


def test_mistakes_of_a_document_are_said_every_time(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(YAML + "one: again\n")
    said: list[list[str]] = []
    for _ in range(2):
        with pytest.raises(BadInput) as refused:
            document.read_document(path)
        said.append([str(d) for d in refused.value.diagnostics])
    assert said[0] == said[1] and said[0]


def test_a_program_is_compiled_once_and_plays_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    path = next(p for p in load_book("hanayome").scenarios if p.stem == "swap")
    compiled_module.programs.clear()
    first = open_table(read_scenario(path))
    compiled_module.programs.clear()
    monkeypatch.setattr(compiled_module, "compile_book", lambda *a: pytest.fail("it was compiled before"))
    again = open_table(read_scenario(path))
    assert again.program is not first.program
    assert again.program == first.program and again.program.made_of == first.program.made_of != ""
    assert [s.state for s in again.starts] == [s.state for s in first.starts]
    compiled_module.programs.clear()


def test_a_kept_program_that_nobody_can_read_is_compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its sum is right, so it was not damaged by accident."""
    scenario = read_scenario(next(p for p in load_book("hanayome").scenarios if p.stem == "swap"))
    good, file = opened_again(scenario, {})
    for bad in (zlib.compress(pickle.dumps(Harmful())), zlib.compress(pickle.dumps((1, 2, 3))), pickle.dumps(good.program), b""):
        keep(file.parent, file.name, bad)
        assert opened_again(scenario, {})[0].program == good.program
        assert not Path("harm").exists()


def opened_again(scenario: Scenario, readings: Mapping[str, Any]) -> tuple[Table, Path]:
    """The scenario, as a process that does not know its program opens it; and the file of its program, the one used last."""
    compiled_module.programs.clear()
    table = open_table(scenario, readings)
    return table, max(cache_folder("programs").iterdir(), key=lambda p: p.stat().st_mtime_ns)


def test_other_readings_are_another_program() -> None:
    path = next(p for p in load_book("hanayome").scenarios if p.stem == "swap")
    scenario = read_scenario(path)
    sets = [dict(e.readings) for e in scenario.expect]
    assert len({open_table(scenario, s).program.made_of for s in sets}) == len(sets) > 1


def test_names_of_entries_are_the_same_in_every_run() -> None:
    """Sets of texts have another order in every run: the key must not."""
    say = ("from rulewright.model.engine.library import load_book\nfrom rulewright.model.engine.table import open_table\n"
           "from rulewright.spec.readers import read_scenario\n"
           "print(open_table(read_scenario(load_book('hanayome').scenarios[0])).program.made_of)")
    runs = [subprocess.run([sys.executable, "-c", say], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True,
                           check=True).stdout for seed in ("1", "2")]
    assert runs[0] == runs[1] != ""
