"""Documents that programs write (.docx, .xlsx, .pdf) are taken apart in a process of its own, with a limit of memory and of time:
whatever such a file does to whoever reads it, the command goes on.

What reads a format is a function that takes the content and gives rows of plain data (numbers, texts, lists), one at a time; how
many, and how much text, is limited. It raises `Refused` for what it says in words of its own; whatever else it raises is the
fault of a damaged document.
"""
from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from .diagnostics import BadInput, Diagnostic, Position, shown
from .text import Text

Row = Sequence[Any]
Reader = Callable[..., Iterable[Row]]

MEMORY = 400
"""MiB for reading a document, besides three times its size."""
SECONDS = 8
"""For reading a document: whatever it is, it is read or refused within ten seconds."""
MOST_ROWS = 100_000
MOST_TEXT = 10_000_000
"""Characters in all."""
MIB = 1024 * 1024
WHERE = "from rulewright.spec.watchdog import main; main()"
"""What the other process runs; the folder in which the command was given is not among those that modules come from (`-P`)."""

AS_TEXT = Text(ja="内容をテキストか Markdown として保存し直すか、分けてください", en="save what it says as text or Markdown, or split it")
AGAIN = Text(ja="元のプログラムで開き、保存し直してください", en="open it in the program it was made with, and save it again")
NESTED = Text(ja="入れ子が深すぎます", en="this is nested too deeply")


@dataclass(frozen=True)
class Kind:
    """A format, and what a document of it is called."""

    id: str
    name: Text


class Refused(Exception):
    """A document cannot be used, for a reason that can be told."""

    def __init__(self, code: str, why: Text, hint: Text | None = None) -> None:
        super().__init__(code)
        self.code, self.why, self.hint = code, why, hint


def too_much_memory(mebibytes: int) -> Refused:
    return Refused("too-large", Text(
        ja=f"読むのに {mebibytes} MiB を超えるメモリが要ります", en=f"reading this takes more than {mebibytes} MiB of memory"), AS_TEXT)


def too_long(seconds: int) -> Refused:
    return Refused("too-large", Text(
        ja=f"{seconds} 秒では読み終わりません", en=f"this cannot be read within {seconds} seconds"), AS_TEXT)


def broken(kind: Kind, why: str) -> Refused:
    """Something is wrong with the file itself."""
    ja, en = (f"（{why}）", f" ({why})") if why else ("", "")
    return Refused(f"broken-{kind.id}", Text(
        ja=f"{kind.name.ja}として読めません。壊れているようです{ja}",
        en=f"cannot be read as {kind.name.en}: it seems to be damaged{en}"), AGAIN)


# ---------------------------------------------------------------- from outside
def read_apart(reader: Reader, kind: Kind, file: str, data: bytes, *given: str) -> list[Any]:
    """The rows that a reader (a function of a module) makes of the content. Raises BadInput."""
    memory = MEMORY + 3 * len(data) // MIB
    call = [sys.executable, "-P", "-c", WHERE, reader.__module__, reader.__name__, str(memory), str(SECONDS), *given]
    # what numpy would set aside for each processor counts as memory
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            call,
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
            env=environment,
        )
        answer = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise told(file, too_long(SECONDS)) from None
    except (ValueError, RecursionError):  # it came to an end before it could answer
        raise told(file, broken(kind, "")) from None
    if "rows" in answer:
        return answer["rows"]
    refused = {
        "memory": lambda: too_much_memory(memory),
        "nested": lambda: Refused("too-deep", NESTED, AS_TEXT),
        "broken": lambda: broken(kind, answer["why"]),
    }.get(
        answer["code"],
        lambda: Refused(answer["code"], Text(*answer["why"]), Text(*answer["hint"]) if answer["hint"] else None),
    )
    raise told(file, refused())


def told(file: str, refused: Refused) -> BadInput:
    return BadInput([Diagnostic(Position(file, 1, 1), refused.code, refused.why, refused.hint)])


# ---------------------------------------------------------------- inside
def main() -> None:
    """In the other process: the content comes in, what the reader makes of it goes out."""
    module, name, memory, seconds, *given = sys.argv[1:]
    limit(int(memory), int(seconds))
    answer = answered(lambda: getattr(import_module(module), name), sys.stdin.buffer.read(), given)
    sys.stdout.buffer.write(answer.encode())
    sys.stdout.buffer.flush()
    os._exit(0)  # taking a large document's parts apart would take long


def limit(memory: int, seconds: int) -> None:
    """No more than so many MiB and seconds, where the system can see to it."""
    try:
        import resource
    except ImportError:
        return
    for what, most in ((resource.RLIMIT_AS, memory * MIB), (resource.RLIMIT_CPU, seconds + 1)):
        try:
            _, hard = resource.getrlimit(what)
            lower = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(what, (lower, hard))
        except (OSError, ValueError):  # a system that knows the limit and does not let it be set
            continue


def answered(reader: Callable[[], Reader], data: bytes, given: Sequence[str]) -> str:
    """The rows, or why there are none, as JSON."""
    rows: list[Row] = []
    try:
        text = 0
        for row in reader()(data, *given):
            rows.append(row)
            text += sum(map(length, row))
            if len(rows) > MOST_ROWS or text > MOST_TEXT:
                raise Refused("too-large", Text(
                    ja=f"大きすぎます（上限 {MOST_ROWS} 段落・行、{MOST_TEXT} 文字）",
                    en=f"this is too large (at most {MOST_ROWS} paragraphs or rows, {MOST_TEXT} characters)"), AS_TEXT)
        return json.dumps({"rows": rows})
    except Refused as refused:
        answer = {"code": refused.code, "why": both(refused.why), "hint": both(refused.hint) if refused.hint else None}
    except MemoryError:
        answer = {"code": "memory"}
    except RecursionError:
        answer = {"code": "nested"}
    except Exception as error:
        answer = {"code": "broken", "why": shown(str(error) or type(error).__name__)}
    rows.clear()
    return json.dumps(answer)


def length(value: object) -> int:
    """Characters of a part of a row."""
    return len(value) if isinstance(value, str) else sum(map(length, value)) if isinstance(value, list | tuple) else 0


def both(text: Text) -> tuple[str, str]:
    return text.ja, text.en
