"""The one way to read: ordinary files of a size, and nothing else; what else there may be in a place is told."""
from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.spec.diagnostics import BadInput, look
from rulewright.spec.reading import (
    MIB,
    NotOrdinary,
    TooLarge,
    file_bytes,
    file_json,
    file_text,
    near,
    plain_bytes,
    plain_bytes_if_any,
    stay_inside,
)

ROOT = Path(__file__).parent.parent.parent
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs links and pipes")


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refused(path: str, most: int = MIB, root: Path | None = None) -> str:
    with pytest.raises(BadInput) as e:
        file_bytes(Path(path), most, root)
    (told,) = e.value.diagnostics
    assert told.message.ja != told.message.en
    return told.code


# ---------------------------------------------------------------- what is read
@pytest.mark.parametrize("size", [0, 1, 4096, 100_000])
def test_an_ordinary_file_is_read_whole_up_to_its_size(size: int) -> None:
    Path("a").write_bytes(b"x" * size)
    assert file_bytes(Path("a"), size) == b"x" * size
    if size:
        assert refused("a", size - 1) == "too-large"
        with pytest.raises(TooLarge):
            plain_bytes(Path("a"), size - 1)


@posix
def test_a_file_is_read_through_a_link() -> None:
    Path("a").write_text("x")
    Path("b").symlink_to("a")
    assert file_text(Path("b")) == "x"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no such file here")
def test_a_file_that_does_not_say_how_large_it_is_has_a_largest_size_all_the_same() -> None:
    assert plain_bytes(Path("/proc/self/status"))
    assert refused("/proc/self/status", 10) == "too-large"


# ---------------------------------------------------------------- what is not
@posix
def test_pipes_devices_and_folders_are_told_and_nothing_waits() -> None:
    os.mkfifo("pipe")
    Path("folder").mkdir()
    Path("zero").symlink_to("/dev/zero")
    assert [refused(name) for name in ("pipe", "/dev/zero", "zero", "folder", "none", "a\0b")] == [
        "not-a-file", "not-a-file", "not-a-file", "is-folder", "no-such-file", "unreadable"]
    with pytest.raises(NotOrdinary):
        plain_bytes(Path("pipe"))
    assert plain_bytes_if_any(Path("none")) is None


@posix
def test_what_a_file_became_while_it_was_opened_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a").write_text("x")
    os.mkfifo("pipe")
    really = os.open
    monkeypatch.setattr(os, "open", lambda path, flags: really("pipe", flags))
    assert refused("a") == "not-a-file"


@posix
def test_a_file_of_a_book_lies_in_its_folder() -> None:
    Path("book").mkdir()
    Path("book/in.csv").write_text("x")
    Path("out.csv").write_text("x")
    Path("book/link.csv").symlink_to("../out.csv")
    Path("book/inside.csv").symlink_to("in.csv")
    root = Path("book")
    assert file_bytes(Path("book/in.csv"), MIB, root) == file_bytes(Path("book/inside.csv"), MIB, root) == b"x"
    assert [refused(name, MIB, root) for name in ("book/link.csv", "book/../out.csv", "out.csv")] == ["outside"] * 3


@posix
def test_a_link_out_of_a_book_is_told_but_not_that_of_an_editor() -> None:
    Path("book/scenarios").mkdir(parents=True)
    Path("book/scenarios/.#a.yaml").symlink_to("somebody@here.123")
    Path("out.yaml").write_text("secret")
    Path("notes").symlink_to("out.yaml")
    stay_inside(Path("book"))
    Path("book/scenarios/a.yaml").symlink_to("../../out.yaml")
    with pytest.raises(BadInput, match=r"scenarios/a\.yaml has to be a file in .*book") as e:
        stay_inside(Path("book"))
    assert "secret" not in str(e.value)


@pytest.mark.parametrize(("content", "place", "said"), [
    (b"{\n x}", "2:2", "not JSON"), (b"[" * 100_000, "1:1", "not JSON (RecursionError)"), (b"9" * 5000, "1:1", "not JSON (Exceeds"),
    (b'"\xff"', "1:2", "only UTF-8 can be read"), (b"", "1:1", "not JSON"),
    (b'[{"a": 1}, {"a": 1, "b": 2, "a": 3}]', "1:1", "the key `a` is written twice in one object")])
def test_what_is_no_json_or_says_something_twice_is_told_with_its_place(content: bytes, place: str, said: str) -> None:
    Path("a.json").write_bytes(content)
    with pytest.raises(BadInput) as e:
        file_json(Path("a.json"))
    assert str(e.value).startswith(f"a.json:{place}: ") and said in str(e.value)


# ---------------------------------------------------------------- texts that look the same
@pytest.mark.parametrize(("one", "other"), [
    ("A", "Ａ"), ("カ", "ｶ"), ("T-1", "T-1\u00ad"), ("五月", "五月\u3000"), ("が", "か\u3099"), ("a b", "a\u00a0b"), ("Ⅱ", "II"), ("辻", "辻\U000e0100")])
def test_texts_that_nobody_can_tell_apart_look_the_same(one: str, other: str) -> None:
    assert look(one) == look(other)


@pytest.mark.parametrize(("one", "other"), [("①", "1"), ("A", "a"), ("²", "2"), ("か", "が"), ("a b", "ab"), ("-", "_"), ("一", "ー")])
def test_texts_that_can_be_told_apart_do_not(one: str, other: str) -> None:
    assert look(one) != look(other)


# ---------------------------------------------------------------- no other way
ELSEWHERE = {
    "spec/reading.py": "is the one way",
    "checks/native/checkpoint.py": "reads arrays of gigabytes piece by piece, to where they belong",
}
"""Modules that read files themselves."""
READS = {"read_text", "read_bytes", "fromfile", "memmap", "loadtxt", "genfromtxt"}


def test_no_other_module_reads_files() -> None:
    found = [f"{name} line {node.lineno}" for package in ("spec", "model", "checks") for path in sorted((ROOT / package).rglob("*.py"))
             if (name := path.relative_to(ROOT).as_posix()) not in ELSEWHERE for node in reading(ast.parse(path.read_text(encoding="utf-8")))]
    assert found == []


def reading(tree: ast.AST) -> Iterator[ast.Call]:
    """The calls that look like reading a file."""
    for call in (n for n in ast.walk(tree) if isinstance(n, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""
        of = call.func.value if isinstance(call.func, ast.Attribute) else None
        modes = [a.value for a in (*call.args, *(k.value for k in call.keywords)) if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        if (name in READS and of is not None and not is_packaged(of)) or (name == "open" and (of is None or is_path(of)) and not any(set(m) <= set("wxab+") and set(m) & set("wxa") for m in modes)):
            yield call


def is_path(of: ast.expr) -> bool:
    """Something of this name is opened as a file is; others (checkpoints, questions) have an `open` of their own."""
    said = ast.unparse(of)
    return said in ("io", "codecs") or any(word in said.lower() for word in ("path", "file", "folder", "place"))


def is_packaged(of: ast.expr) -> bool:
    """A part of the program, which lies where the program does."""
    return "files(" in ast.unparse(of)


@pytest.mark.parametrize("line", [
    "p.read_text()", "Path('x').read_bytes()", "open(p)", "open(p, 'rb')", "path.open()", "file.open('r+b')", "np.fromfile(p)", "io.open(p)"])
def test_what_reads_is_known_as_that(line: str) -> None:
    assert [*reading(ast.parse(line))]


@pytest.mark.parametrize("line", ["file_text(p)", "path.open('wb')", "self.open(3)", "checkpoint.open()", "read_text(x, 'a', shape)"])
def test_what_does_not_is_not(line: str) -> None:
    assert not [*reading(ast.parse(line))]


@pytest.mark.parametrize(("there", "meant"), [(("draft.md", "notes.md"), "draft.md"), (("draft.md", "draft.docx"), None), (("drafts.md",), None)])
def test_a_file_named_without_its_ending_is_known_where_there_is_one(tmp_path: Path, there: tuple[str, ...], meant: str | None) -> None:
    for name in there:
        (tmp_path / name).touch()
    hint = near(tmp_path / "draft")
    assert (hint is not None and hint.en == f"did you mean `{meant}`?") == (meant is not None)
