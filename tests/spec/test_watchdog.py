"""Documents are read in a process of their own: whatever it comes to, the command goes on and says what happened."""
from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.spec import watchdog
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.text import Text
from rulewright.spec.watchdog import MOST_ROWS, MOST_TEXT, Kind, Refused, Row, answered, read_apart

KIND = Kind("toy", Text(ja="おもちゃ", en="a toy"))


# ---------------------------------------------------------------- readers, each with a fault
def copied(data: bytes, *given: str) -> Iterator[Row]:
    yield [data.decode(), *given, 3, ["x", [1]], Path.cwd().name, *sys.argv[5:]]


def waiting(data: bytes) -> Iterator[Row]:
    time.sleep(60)
    yield [""]


def greedy(data: bytes) -> Iterator[Row]:
    yield [len("x" * 2_000_000_000)]


def leaving(data: bytes) -> Iterator[Row]:
    os._exit(0)
    yield []


def killed(data: bytes) -> Iterator[Row]:
    os.kill(os.getpid(), signal.SIGSEGV)
    yield []


def failing(data: bytes) -> Iterator[Row]:
    yield [b"".join([])[3]]


def nested(data: bytes) -> Iterator[Row]:
    yield from nested(data)


def long(data: bytes) -> Iterator[Row]:
    yield ["x" * (MOST_TEXT + 1)]


def talking(data: bytes) -> Iterator[Row]:
    print("noise")
    yield [1]


def picky(data: bytes) -> Iterator[Row]:
    raise Refused("toy-broken", Text(ja="脚がない", en="it has no legs"), Text(ja="付ける", en="put them on"))
    yield []


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """This module, for the other process."""
    monkeypatch.setattr(watchdog, "WHERE", f"import sys; sys.path.append({str(Path(__file__).parent)!r}); {watchdog.WHERE}")
    for reader in (copied, waiting, greedy, leaving, killed, failing, nested, long, talking, picky):
        monkeypatch.setattr(reader, "__module__", Path(__file__).stem)


def refused(reader: watchdog.Reader) -> tuple[str, str]:
    with pytest.raises(BadInput) as e:
        read_apart(reader, KIND, "a.toy", b"x")
    (told,) = e.value.diagnostics
    assert str(told.position) == "a.toy:1:1" and told.message.ja != told.message.en
    return told.code, told.message.en


# ---------------------------------------------------------------- what comes back
def test_rows_come_back_as_they_were_given() -> None:
    assert read_apart(copied, KIND, "a.toy", "字".encode(), "b", "c") == [["字", "b", "c", 3, ["x", [1]], Path.cwd().name, "b", "c"]]


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of memory there")
def test_a_document_that_takes_too_much_memory_is_refused() -> None:
    assert refused(greedy) == ("too-large", "reading this takes more than 400 MiB of memory")


def test_a_document_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "SECONDS", 1)
    assert refused(waiting) == ("too-large", "this cannot be read within 1 seconds")


@pytest.mark.parametrize(("reader", "said"), [
    (leaving, "cannot be read as a toy: it seems to be damaged"), (killed, "cannot be read as a toy: it seems to be damaged"),
    (failing, "cannot be read as a toy: it seems to be damaged (index out of range)")])
def test_a_document_that_breaks_its_reader_is_told_as_damaged(reader: watchdog.Reader, said: str) -> None:
    assert refused(reader) == ("broken-toy", said)


def test_what_is_nested_too_deeply_or_too_long_is_told() -> None:
    assert refused(nested) == ("too-deep", "this is nested too deeply")
    assert refused(long)[0] == "too-large"


def test_what_a_reader_says_itself_is_told_in_both_languages() -> None:
    with pytest.raises(BadInput) as e:
        read_apart(picky, KIND, "a.toy", b"")
    assert e.value.render("ja") == "a.toy:1:1: 脚がない\n    ヒント: 付ける"


def test_as_many_rows_as_there_may_be_are_read_and_one_more_is_refused() -> None:
    assert '"rows"' in answered(lambda: lambda data: ([0] for _ in range(MOST_ROWS)), b"", ())
    assert '"too-large"' in answered(lambda: lambda data: ([0] for _ in range(MOST_ROWS + 1)), b"", ())


def test_a_module_in_the_folder_of_the_command_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("json.py").write_text("import pathlib; pathlib.Path('ran').touch()")
    assert read_apart(copied, KIND, "a.toy", b"x", "b")
    assert not Path("ran").exists()
