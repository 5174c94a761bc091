"""The one way to write: whatever happens while a file is written, it is the old or the new one."""
from __future__ import annotations

import ast
import errno
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rulewright.spec.diagnostics import BadInput
from rulewright.spec.own_folder import cache_folder
from rulewright.spec.writing import (
    STALE,
    file_name,
    finish_what_was_begun,
    held,
    in_folder,
    try_out,
    write_together,
    write_whole,
)

ROOT = Path(__file__).parent.parent.parent
CALLS = ("open", "fdopen", "fsync", "chmod", "replace", "unlink", "close", "mkdir", "scandir")
"""What a write asks of the system, in `os`."""
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


@contextmanager
def at_call(number: int, happens: Callable[[], None], ever_after: bool = False) -> Iterator[list[str]]:
    """Something happens at one call to the system (and at each that follows); which there were is noted."""
    real = {name: getattr(os, name) for name in CALLS}
    made: list[str] = []

    def watched(name: str) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            made.append(name)
            if len(made) == number or (ever_after and len(made) > number):
                happens()
            return real[name](*given, **named)
        return call

    for name in CALLS:
        setattr(os, name, watched(name))
    try:
        yield made
    finally:
        for name in CALLS:
            setattr(os, name, real[name])


def no_room() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def calls_of(act: Callable[[], None]) -> int:
    with at_call(0, no_room) as made:
        act()
    return len(made)


OLD, NEW = {"a.yaml": "old a", "b.yaml": "old b"}, {"a.yaml": "new a", "b.yaml": "new b", "c.yaml": "new c"}


def laid_out() -> Callable[[], None]:
    """A folder as it was before, and what changes it."""
    folder = Path("book")
    for path in folder.glob("*"):
        path.unlink()
    folder.mkdir(exist_ok=True)
    for name, text in OLD.items():
        (folder / name).write_text(text)
    return lambda: write_together({folder / name: text for name, text in NEW.items()})


def there() -> dict[str, str]:
    return {p.name: p.read_text() for p in sorted(Path("book").glob("*.yaml"))}


def one_file() -> None:
    write_whole(Path("book/a.yaml"), "new a")


def number_of_calls(several: bool) -> int:
    act = laid_out()
    return calls_of(act if several else one_file)


@forks
@pytest.mark.parametrize("several", [False, True])
def test_killed_at_any_call_it_leaves_the_old_or_the_new_as_a_whole(several: bool) -> None:
    new = NEW if several else {**OLD, "a.yaml": "new a"}
    seen: set[str] = set()
    for number in range(1, number_of_calls(several) + 2):
        act = laid_out() if several else (laid_out(), one_file)[1]
        child = os.fork()
        if not child:
            with at_call(number, lambda: os.kill(os.getpid(), signal.SIGKILL)):
                act()
            os._exit(0)
        os.waitpid(child, 0)
        finish_what_was_begun()
        assert there() in (OLD, new), number
        seen.add("old" if there() == OLD else "new")
        assert not [*cache_folder("unfinished").glob("*.json")]
    assert seen == {"old", "new"}


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("ever_after", [False, True])
def test_an_error_at_any_call_leaves_the_old_or_the_new_as_a_whole_and_is_told(several: bool, ever_after: bool) -> None:
    new = NEW if several else {**OLD, "a.yaml": "new a"}
    told = 0
    for number in range(1, number_of_calls(several) + 1):
        act = laid_out() if several else (laid_out(), one_file)[1]
        try:
            with at_call(number, no_room, ever_after):
                act()
        except BadInput as error:
            assert "cannot write to" in str(error) and "(the disk is full)" in str(error)
            told += 1
        for name, text in there().items():
            assert text in (OLD.get(name), new[name]), number
        finish_what_was_begun()
        assert there() in (OLD, new), number
        assert not [*cache_folder("unfinished").glob("*.json")]
    assert told >= 3


def test_a_disk_that_fills_up_in_the_middle_leaves_the_old_file(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out()

    real = os.fdopen

    @contextmanager
    def full(number: int, mode: str) -> Iterator[Any]:
        with real(number, mode) as out:
            yield SimpleNamespace(write=lambda data: (out.write(data[:3]), no_room()))

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(BadInput):
        one_file()
    assert there() == OLD and sorted(p.name for p in Path("book").iterdir()) == [*OLD]


def test_a_folder_that_is_read_only_is_told_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out()

    def forbidden(*_: object, **named: object) -> Any:
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))

    with monkeypatch.context() as patched, pytest.raises(BadInput) as raised:
        patched.setattr(os, "open", forbidden)
        one_file()
    assert raised.value.render("en") == (
        "cannot write to book/a.yaml (writing there is not allowed)\n    hint: the file that was there is as it was")
    assert raised.value.render("ja").startswith("book/a.yaml に書き込めません（書き込む権限がありません）")
    assert there() == OLD


def test_a_file_that_somebody_changed_after_a_command_was_killed_is_not_written_over() -> None:
    act = laid_out()
    child = os.fork() if hasattr(os, "fork") else pytest.skip("needs fork")
    if not child:
        with at_call(0, no_room) as made:
            real = os.replace

            def replace(source: Any, target: Any) -> None:
                real(source, target)
                if "unfinished" in str(target):  # the journal is there, nothing is in its place yet
                    os._exit(0)
            os.replace = replace
            act()
        os._exit(len(made))
    os.waitpid(child, 0)
    assert there() == OLD
    Path("book/b.yaml").write_text("mine")
    finish_what_was_begun()
    assert there() == {**NEW, "b.yaml": "mine"}
    assert [p.name for p in sorted(Path("book").iterdir())] == [*NEW]


# ---------------------------------------------------------------- what a file is besides its content
def test_links_and_permissions_stay() -> None:
    Path("real.txt").write_text("old")
    Path("real.txt").chmod(0o640)
    Path("link.txt").symlink_to("real.txt")
    write_whole(Path("link.txt"), "new")
    assert Path("link.txt").is_symlink() and Path("real.txt").read_text() == "new"
    assert Path("real.txt").stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no such thing here")
def test_what_is_no_ordinary_file_is_written_to_and_not_replaced() -> None:
    write_whole(Path("/dev/null"), "x")
    try_out(Path("/dev/null"))
    assert Path("/dev/null").is_char_device()


def test_what_killed_commands_left_behind_is_taken_away_in_time() -> None:
    laid_out()
    for age, name in ((STALE + 60, ".a.yaml.1-0.new"), (0, ".a.yaml.2-0.new")):
        Path("book", name).touch()
        os.utime(Path("book", name), (time.time() - age,) * 2)
    one_file()
    assert sorted(p.name for p in Path("book").glob(".*")) == [".a.yaml.2-0.new"]


def test_a_target_can_be_tried_before_long_work() -> None:
    laid_out()
    try_out(Path("book/a.yaml"))
    assert there() == OLD
    for bad in ("book", "book/a.yaml/x", "book/" + "x" * 300):
        with pytest.raises(BadInput, match="cannot write to"):
            try_out(Path(bad))


@forks
def test_what_many_change_at_once_has_all_their_changes() -> None:
    path = Path("list.txt")
    children: list[int] = []
    for number in range(20):
        child = os.fork()
        if not child:
            with held(path):
                write_whole(path, (path.read_text() if path.exists() else "") + f"{number}\n")
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 20
    assert sorted(map(int, path.read_text().split())) == [*range(20)]


# ---------------------------------------------------------------- names
@pytest.mark.parametrize("said", [
    "../../x", "/etc/passwd", "..", ".", "", ".hidden", "-rf", "a/b", "a\\b", "a\nb", "a\x1b[31mb", "C:x", "x" * 500, "a\0b", "NUL *?",
    "\u202egnp.exe", "💥" * 90, "字" * 200])
def test_whatever_somebody_writes_is_a_name_inside_the_folder(said: str) -> None:
    path = in_folder(Path("out"), said)
    assert path.parent == Path("out") and path.name not in ("", ".", "..") and path.name[0] not in ".-"
    assert path.name.isprintable() and len(os.fsencode(path.name)) < 255
    assert file_name(said) != file_name(said + "'")


@pytest.mark.parametrize("said", ["HANA-7.5.3-JVXC", "pass-only", "TS-第5章5.4-ABCD", "swap.dot", "001-two-suitors-RRQP.yaml"])
def test_usual_names_stay_as_they_are(said: str) -> None:
    assert file_name(said) == said


def test_a_link_that_leads_out_of_the_folder_is_not_followed() -> None:
    Path("out").mkdir()
    Path("out/x").symlink_to("../else")
    with pytest.raises(BadInput, match="a link leads out of out"):
        in_folder(Path("out"), "x")


# ---------------------------------------------------------------- no other way
ELSEWHERE = {
    "spec/writing.py": "is the one way",
    "checks/lint/command.py": "answers an editor on standard output",
    "checks/native/checkpoint.py": "appends to arrays of gigabytes, then replaces a manifest with their checksums",
}
"""Modules that write files themselves."""
WRITES = {"write_text", "write_bytes", "touch", "NamedTemporaryFile", "mkstemp"}


def test_no_other_module_writes_files() -> None:
    found = [f"{name} line {node.lineno}" for package in ("spec", "model", "checks") for path in sorted((ROOT / package).rglob("*.py"))
             if (name := path.relative_to(ROOT).as_posix()) not in ELSEWHERE
             for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call) and writes(node)]
    assert found == []


def writes(call: ast.Call) -> bool:
    """Does it look like writing a file?"""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""
    of = call.func.value.id if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) else ""
    if name in ("open", "fdopen"):
        modes = [a.value for a in (*call.args, *(k.value for k in call.keywords)) if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        return any(set(mode) <= set("rwxabt+U") and set(mode) & set("wxa+") for mode in modes)
    if name in ("rename", "replace") and of == "os":
        return True
    if name in ("copy", "move", "copyfile", "copy2", "copytree"):
        return of == "shutil"
    return name in WRITES and of != "formatter"  # a heading of the help


@pytest.mark.parametrize("line", [
    "p.write_text('x')", "p.write_bytes(b'')", "p.open('w')", "open(p, mode='ab')", "p.open('r+b')", "os.replace(a, b)", "shutil.copy(a, b)"])
def test_what_writes_is_known_as_that(line: str) -> None:
    (call,) = (n for n in ast.walk(ast.parse(line)) if isinstance(n, ast.Call))
    assert writes(call)
