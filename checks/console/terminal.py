"""The terminal: which language is spoken, what can be shown there, and a progress line that stays out of the way."""
from __future__ import annotations

import codecs
import json
import locale
import os
import re
import sys
import time
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from rich.console import Console
from rich.text import Text as Line

from ...spec.diagnostics import INVISIBLE, one_line, visible
from ...spec.text import Lang, Text
from ..findings.layout import wrap

WIDTH = 100
"""Columns of a page where nothing else is known."""
NARROW = 40
WIDEST = 110
PATIENCE = 2.0
"""Seconds before progress is shown."""
BETWEEN = 0.2

PLAIN = {
    "→": "->", "←": "<-", "⇒": "=>", "↔": "<->", "≤": "<=", "≥": ">=", "×": "x", "…": "...",
    "─": "-", "━": "-", "│": "|", "┃": "|", "―": "-", "–": "-", "—": "-", "〜": "-", "・": "-",
    "‘": "'", "’": "'", "“": '"', "”": '"', "「": '"', "」": '"', "『": '"', "』": '"', "、": ", ", "。": ". ",
    "•": "*", "●": "*", "○": "o", "□": "[ ]", "■": "[x]", "✓": "ok", "☆": "*", "★": "*",
}
"""What stands for a character that the console does not have."""

FALLBACK = "rulewright-plain"


COMMAND = re.compile(r"(?m)^[^\S\n]*:(?=:)|#(?=#\[)")
"""What a workflow takes for a command where it stands in a log."""


def no_command(text: str) -> str:
    """The text, not to be taken for a command."""
    return COMMAND.sub(lambda found: found[0] + " ", text)


def language(asked: str | None, environment: Mapping[str, str] | None = None) -> Lang:
    """The language asked for; else that of the locale, if the console can show it; else English."""
    if asked == "ja" or asked == "en":
        return asked
    environment = os.environ if environment is None else environment
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return "ja" if environment[name].lower().startswith("ja") and _shows("日本語", sys.stdout) else "en"
    spoken = (locale.getlocale()[0] or "").lower() if sys.platform == "win32" else ""
    return "ja" if spoken.startswith("ja") and _shows("日本語", sys.stdout) else "en"


def asked_language(arguments: Iterable[str]) -> str | None:
    """What `--lang` says, wherever it stands, so that even a complaint about the other arguments is understood."""
    asked: str | None = None
    before = ""
    for argument in arguments:
        if before == "--lang":
            asked = argument
        elif argument.startswith("--lang="):
            asked = argument.removeprefix("--lang=")
        before = argument
    return asked


def _shows(text: str, stream: IO[str]) -> bool:
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def plain_form(character: str, encoding: str) -> str:
    """The character in what the encoding has: itself, a look-alike, or its number after a backslash."""
    for form in (character, PLAIN.get(character, ""), unicodedata.normalize("NFKC", character)):
        try:
            if form and form.encode(encoding):
                return form
        except UnicodeEncodeError:
            continue
    return character.encode("ascii", "backslashreplace").decode("ascii")


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    characters = error.object[error.start : error.end]
    return "".join(plain_form(character, error.encoding) for character in characters), error.end


def never_fail(*streams: IO[str]) -> None:
    """From now on a character that a stream cannot take is replaced; without this, printing it would be an error."""
    codecs.register_error(FALLBACK, _replace)
    for stream in streams:
        reconfigure: Callable[..., None] | None = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=FALLBACK)


@dataclass
class Terminal:
    """Where a command speaks: results on `out`, everything else on `err`. Colour only where a person is looking."""

    lang: Lang
    out: Console = field(default_factory=lambda: _console(sys.stdout))
    err: Console = field(default_factory=lambda: _console(sys.stderr))

    @property
    def width(self) -> int:
        """Cells in a line: those of the window, within reason; a fixed number where there is no window."""
        return max(NARROW, min(self.out.width, WIDEST)) if self.out.is_terminal else WIDTH

    def fit(self, text: str) -> str:
        """The text in characters that the console has and that do not steer it; done before lines are laid out, so that columns stay
        true."""
        text = visible(text)
        encoding = getattr(self.out.file, "encoding", None) or "utf-8"
        try:
            text.encode(encoding)
        except UnicodeEncodeError:
            return "".join(plain_form(character, encoding) for character in text)
        return text

    def phrase(self, text: Text | str, /, **values: object) -> str:
        """A phrase in the language of the terminal, its blanks filled in."""
        if isinstance(text, str):
            return text
        said = text.in_(self.lang)
        filled = {
            key: value.in_(self.lang)
            if isinstance(value, Text)
            else one_line(str(value))
            if isinstance(value, Path)
            else value
            for key, value in values.items()
        }
        return said.format(**filled) if values else said

    def show(self, lines: Iterable[Line]) -> None:
        """Print lines that are laid out already."""
        for line in lines:
            self.out.print(
                Line(no_command(line.plain), line.style) if COMMAND.search(line.plain) else line, soft_wrap=True
            )

    def say(self, text: Text | str = "", /, **values: object) -> None:
        """Print a sentence as a result."""
        self._print(self.out, self.phrase(text, **values))

    def annotate(self, lines: Iterable[str]) -> None:
        """Print workflow commands; what else is printed is never taken for one."""
        for line in lines:
            self.out.print(Line(self.fit(line)), soft_wrap=True)

    def tell(self, text: Text | str, /, **values: object) -> None:
        """Print a sentence that is no result."""
        self._print(self.err, self.phrase(text, **values))

    def json(self, data: object) -> None:
        """Print data for programs. Characters that the console does not have are written as JSON escapes."""
        text = json.dumps(data, ensure_ascii=False, indent=2)
        if not _shows(text, self.out.file):
            text = json.dumps(data, indent=2)
        text = COMMAND.sub(
            lambda found: found[0][:-1] + f"\\u{ord(found[0][-1]):04x}", text
        )  # within a string, as nothing else has these
        self.out.file.write(INVISIBLE.sub(lambda found: "".join(f"\\u{ord(c):04x}" for c in found[0]), text) + "\n")

    def ask(self, prompt: Text) -> str | None:
        """A line that the user types; `None` when there is no more input."""
        self.out.file.write(self.fit(self.phrase(prompt)))
        self.out.file.flush()
        line = sys.stdin.readline()
        if not line:
            self.out.file.write("\n")
            return None
        if not sys.stdin.isatty():
            self.out.file.write(self.fit(line.rstrip("\n")) + "\n")
        return line.strip()

    def _print(self, console: Console, text: str) -> None:
        console.print(Line(no_command(self.fit(text))), soft_wrap=True)


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to `shell.run`."""
        raise BrokenPipeError


def _console(stream: IO[str]) -> Console:
    return _Console(file=stream, force_terminal=stream.isatty(), highlight=False, markup=False, emoji=False)


class ProgressLine:
    """One line on the terminal, renewed in place; nothing at all where nobody looks, or before two seconds."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._shown = 0.0
        self._began = time.monotonic()
        self._open = False

    def __call__(self, text: str) -> None:
        now = time.monotonic()
        if not self._terminal.err.is_terminal or now - self._began < PATIENCE or now - self._shown < BETWEEN:
            return
        self._shown = now
        self._open = True
        line = wrap(self._terminal.fit(text), self._terminal.width - 1)[0]
        self._terminal.err.file.write(f"\r\x1b[K{line}")
        self._terminal.err.file.flush()

    def close(self) -> None:
        """Take the line away."""
        if self._open:
            self._terminal.err.file.write("\r\x1b[K")
            self._terminal.err.file.flush()
            self._open = False
