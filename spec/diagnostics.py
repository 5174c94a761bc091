"""What is wrong with something a person wrote: where, what, what to write instead; all of it at once."""
from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .plain import plain_bytes
from .text import Lang, Text

WINDOW = 100
"""Cells of a source line that are shown; of a longer line, the part around the caret."""
NEAR = 8 * WINDOW
"""Characters before and behind the caret among which they are: some take no cell."""
SHOWN = 60
"""Characters of a value that are repeated in a message."""
INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff]")
"""Characters that nobody can see and that no rule book needs: what steers a terminal, turns the direction of writing, or has no
width."""
NO_LINES = (b"PK\x03\x04", b"PK\x05\x06", b"%PDF-")
"""What documents begin with that have no lines to be shown."""
MOST_TOLD = 1_000
"""Mistakes of a run that are told."""
HINT = Text(ja="ヒント: ", en="hint: ")


@dataclass(frozen=True, order=True)
class Position:
    """A place in a file: line and column count from 1, columns in characters."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{one_line(self.file)}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong. `code` is stable, for programs; `hint` says what to write instead; `value` is
    the text that caused it. Without a position, it is about no file. Diagnostics sort by position."""

    position: Position | None
    code: str
    message: Text
    hint: Text | None = None
    value: str | None = None

    def __lt__(self, other: Diagnostic) -> bool:
        return self._rank() < other._rank()

    def _rank(self) -> tuple[Position, str]:
        return self.position or Position("", 0, 0), self.code

    def render(self, lang: Lang) -> str:
        """`file:line:column: message`, the hint, and the line with a caret where the file can be read."""
        return self._render(lang, {})

    def _render(self, lang: Lang, files: dict[str, Sequence[str]]) -> str:
        message = self.message.in_(lang)
        lines = [message if self.position is None else f"{self.position}: {message}"]
        if self.hint is not None:
            lines.append(f"    {HINT.in_(lang)}{self.hint.in_(lang)}")
        source = None if self.position is None else source_line(self.position, files)
        if self.position is not None and source is not None and source.strip(" \t"):
            lines += [f"    | {line}" for line in underline(source, self.position.column, self.value)]
        return "\n".join(lines)


class BadInput(Exception):
    """What a person wrote cannot be used; `diagnostics` (never empty, sorted) says why."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(sorted(diagnostics))
        if not self.diagnostics:
            raise ValueError("BadInput needs at least one diagnostic")
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return self.render("en")

    def render(self, lang: Lang) -> str:
        """All diagnostics, in order of position."""
        files: dict[str, Sequence[str]] = {}
        return "\n".join(d._render(lang, files) for d in self.diagnostics)


class Collector:
    """Gathers diagnostics, so that everything that is wrong is said at once. What is added twice counts
    once."""

    def __init__(self) -> None:
        self._diagnostics: dict[Diagnostic, None] = {}
        self._more = False

    def add(self, diagnostic: Diagnostic) -> None:
        """One more thing is wrong. Of very many, those that come first are kept, and that there are more."""
        if len(self._diagnostics) < MOST_TOLD or diagnostic in self._diagnostics:
            self._diagnostics.setdefault(diagnostic)
        else:
            self._more = True

    def add_all(self, diagnostics: Iterable[Diagnostic]) -> None:
        """So many more things are wrong."""
        for diagnostic in diagnostics:
            self.add(diagnostic)

    @property
    def count(self) -> int:
        """How many things are wrong so far."""
        return len(self._diagnostics)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What was gathered, sorted by position."""
        more = (
            [
                Diagnostic(
                    None,
                    "more",
                    Text(
                        ja=f"誤りが多すぎます。{MOST_TOLD} 件だけを示します",
                        en=f"there are more mistakes than these {MOST_TOLD}",
                    ),
                )
            ]
            if self._more
            else []
        )
        return tuple(sorted([*more, *self._diagnostics]))

    def raise_if_any(self) -> None:
        """Raise `BadInput` if anything is wrong."""
        if self._diagnostics:
            raise BadInput(self.diagnostics)


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that was probably meant; `None` if none is near. Full-width and half-width forms,
    capital and small letters, `_` and `-` count as equal. A word of two characters may differ in one. A word inside a longer one is not
    near it: more than a third more is another name (`hand`, `hand_limit`)."""
    wanted = _folded(word)
    best, best_likeness = None, 0.0
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    for candidate in _in_order(candidates):
        other = _folded(candidate)
        short, long = sorted((wanted, other), key=len)
        if short in long and len(long) - len(short) > max(1, len(short) // 3):
            continue
        matcher.set_seq1(other)
        if matcher.real_quick_ratio() > best_likeness and matcher.quick_ratio() > best_likeness:
            likeness = matcher.ratio()
            if likeness > best_likeness:
                best, best_likeness = candidate, likeness
    return best if best_likeness >= (0.5 if len(wanted) == 2 else 0.6) else None


def did_you_mean(word: str, candidates: Iterable[str], *, label: Text | None = None) -> Text | None:
    """A hint: the candidate that was probably meant, or all of them if they are few."""
    known = _in_order(candidates)
    near = nearest(word, known)
    if near is not None:
        return Text(ja=f"もしかして「{near}」ですか", en=f"did you mean `{near}`?")
    if not known or len(known) > 20:
        return None
    what = label or Text(ja="使えるもの", en="possible here")
    return Text(ja=f"{what.ja}: {'、'.join(known)}", en=f"{what.en}: {', '.join(known)}")


def shown(value: str) -> str:
    """A value in a form that fits into a message: one line, not long, nothing invisible."""
    visible = "".join(c if c.isprintable() or c == "\u3000" else _escape(c) for c in value[:SHOWN])
    return visible if len(value) <= SHOWN else visible + "…"


def visible(text: str) -> str:
    """Text as it may be shown anywhere: what steers a terminal, or cannot be seen, stands there as its number. Lines stay."""
    return INVISIBLE.sub(lambda found: _escape(found[0]), text.replace("\r", "\\r") if "\r" in text else text)


def one_line(text: str) -> str:
    """The same where one line is meant."""
    return visible(text).replace("\n", "\\n")


LOOKS_OTHERWISE = ("<circle>", "<super>", "<sub>", "<square>", "<fraction>", "<small>", "<vertical>")
"""Compatibility characters that are not what they stand for: ① is not 1."""
UNSEEN = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]")
"""Characters without an ink or a width of their own, besides blanks."""


def look(text: str) -> str:
    """How a text looks: equal for texts that nobody can tell apart by reading them, as with full-width and half-width letters, blanks
    at their ends, and what cannot be seen."""
    if text.isascii():
        return text.strip()
    plain = "".join(
        c if unicodedata.decomposition(c).startswith(LOOKS_OTHERWISE) else unicodedata.normalize("NFKC", c)
        for c in UNSEEN.sub("", text)
    )
    return unicodedata.normalize("NFC", re.sub(r"\s+", " ", plain).strip())


def _escape(character: str) -> str:
    code = ord(character)
    return {"\n": "\\n", "\t": "\\t"}.get(character, f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def _in_order(words: Iterable[str]) -> list[str]:
    """As they come; but sets, which come in any order, sorted: messages must not change from run to run."""
    return sorted(words) if isinstance(words, Set) else list(words)


def _folded(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold().replace("_", "-").strip()


# ---------------------------------------------------------------- the line in question
def split_lines(text: str) -> list[str]:
    """Lines as editors count them: only CR, LF and CR LF end one."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def source_line(position: Position, files: dict[str, Sequence[str]] | None = None) -> str | None:
    """The line of a position; `None` if it cannot be read. `files` keeps the lines of files read so far."""
    files = {} if files is None else files
    if position.file not in files:
        files[position.file] = _lines_of(Path(position.file))
    lines = files[position.file]
    return lines[position.line - 1] if 0 < position.line <= len(lines) else None


def _lines_of(path: Path) -> Sequence[str]:
    try:
        data = plain_bytes(path)
    except (OSError, ValueError):
        return ()
    if data.startswith(NO_LINES):
        return ()
    return split_lines(_as_written(data).removeprefix("\ufeff"))


def _as_written(data: bytes) -> str:
    """The text of a file as its writer sees it, though it may be refused for how it is saved."""
    for encoding in ("utf-16",) if data.startswith((b"\xff\xfe", b"\xfe\xff")) else ("utf-8", "cp932"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("utf-8", errors="replace")


def width(text: str) -> int:
    """Cells that a text takes on a terminal: two for a full-width character, none for a combining one."""
    return sum(map(_cells, text))


@lru_cache(maxsize=4096)
def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def underline(line: str, column: int, value: str | None = None) -> tuple[str, str]:
    """A source line in printable form, and below it carets: under the value if it stands there, else under
    one character."""
    begin, end = max(0, column - 1 - NEAR), column - 1 + NEAR  # a long line may be shown for each of many mistakes in it
    near = "".join(c if c.isprintable() or c == "\u3000" else " " if c == "\t" else "�" for c in line[begin:end])
    before, after = near[: column - 1 - begin], near[column - 1 - begin :]
    marked = 1
    for form in (value, f'"{value}"', f"'{value}'"):
        if value and form and after.startswith(form[:NEAR]):
            marked = len(form)
    if width(near) > WINDOW or len(near) < len(line):
        close = _fitting(before[::-1], WINDOW // 2)[::-1]
        before = before if close == before and not begin else "…" + close
        rest = _fitting(after, WINDOW - width(before))
        after = after if rest == after and end >= len(line) else rest + "…"
    pad = " " * width(before)
    return (before + after).rstrip(" "), pad + "^" * max(1, width(after[:marked]))


def _fitting(text: str, cells: int) -> str:
    """As much of the beginning as fits."""
    for end, character in enumerate(text):
        cells -= _cells(character)
        if cells < 0:
            return text[:end]
    return text
