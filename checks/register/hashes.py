"""What is kept of a registered draft: for each clause a hash of its words, a sketch to tell likeness by, and the clauses
it refers to. None of its text.

The file `clauses.hashes` lies beside `clauses.yaml`. A line for each clause, in the order of the draft, tab-separated:
id, hash, sketch, references, what is still to be looked at, and the lasting name (`spec/lasting.py`) where it is not the id. Numbers that refer to clauses are left out of the hash:
a clause whose references only follow a renumbering has not been reworded."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path

import numpy as np

from ...spec.diagnostics import Collector, Diagnostic, Position, shown
from ...spec.groups import grouped
from ...spec.lasting import FILE, HEADS, LARGEST
from ...spec.reading import file_text
from ...spec.text import Text
from ..lint.citations import Citation
from ..lint.model import UNITS, Draft
from .pieces import ALWAYS, Cut, Piece, cut, cut_of, references, unusual

FORM = "# rulewright clause hashes, form 1"
SIZE, SKETCH = 16, 32
"""Hexadecimal digits of a hash; minima in a sketch, one byte each."""
NOTHING = "-"


@dataclass(frozen=True)
class Hash:
    """A clause as it was registered. `unchecked` is the hash of the rules that cite it at the time when its wording
    changed: as long as they are the same, nobody has looked whether they still say what it says. `first`: the number under which it was
    first registered, if that was another one. `begins`, of a draft at hand: the hashes of what it says up to the end of each of its first sentences."""

    id: str
    words: str
    sketch: bytes
    refs: tuple[str, ...] = ()
    unchecked: str = ""
    first: str = ""
    begins: frozenset[str] = field(default=frozenset(), compare=False)

    @property
    def lasting(self) -> str:
        """The name that it keeps whatever number it gets."""
        return self.first or self.id

    @property
    def blank(self) -> bool:
        """A number without words."""
        return self.words == BLANK


@dataclass(frozen=True)
class Registered:
    """The hashes of a registered draft, in its order, and how it was cut into clauses. `merged`: pieces that are no
    clauses of their own; `unplaced`: clauses of the register that the draft has under no number; `retired`: lasting names of clauses
    that are gone, which no other gets; `given`: ids of clauses that would be called otherwise by what the draft says."""

    book: str
    cut: Cut
    hashes: tuple[Hash, ...]
    merged: tuple[str, ...] = ()
    unplaced: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    given: tuple[str, ...] = ()

    @property
    def ids(self) -> list[str]:
        """The clauses that have a hash."""
        return [h.id for h in self.hashes]


# ---------------------------------------------------------------- from a draft
def hashes_of(draft: Draft, pieces: Sequence[Piece]) -> list[Hash]:
    """A hash of each piece."""
    cited = references(draft, pieces)
    words = [normal(_without(piece, [c for c, _ in cited.get(piece.id, ())])) for piece in pieces]
    return [Hash(piece.id, digest(said), sketch, tuple(target or f"?{c.name}" for c, target in cited.get(piece.id, ())),
                 begins=frozenset(map(digest, accumulate(_SENTENCE.split(said[:2000])[:-1]))))
            for piece, said, sketch in zip(pieces, words, sketches(words), strict=True)]


def _without(piece: Piece, cited: Iterable[Citation]) -> str:
    """The piece's text with a mark in place of each reference; they come in the order of their places."""
    inside = grouped((one.clause, (one.offset, one.end)) for one in cited)
    said: list[str] = []
    for clause, begin, end in piece.parts:
        at, spans = begin, inside.get(clause, [])
        for first, last in spans[bisect_left(spans, (begin,)) : bisect_left(spans, (end,))]:
            if first >= at:
                said += [clause.text[at:first], "\x00"]
                at = last
        said.append(clause.text[at:end])
        said.append("\n")
    return "".join(said)


_MARKS = re.compile(r"^[ \t]*(?:[-_*][ \t]*){3,}$|[\s*`|]+", re.MULTILINE)
_TEMPLATE = re.compile(r"\{\{[^{}]{0,300}\}\}|\{[:#][^{}]{0,300}\}|\{%(?P<said>[^{}]{0,300}?)%\}|(?<=\])\((?:https?:/|mailto:|[#/]|\.\.?/)[^()\s]{0,300}\)")
"""What a page is made with and nobody reads: `{{ page.date }}`, `{: .note}`, `{#anchor}`, `{% include … title='…' %}` but for what it quotes; and where a link leads."""

_QUOTED = re.compile(r"""(?<==)(?:'(?![a-z\d_./#-]*')[^']*'|"(?![a-z\d_./#-]*")[^"]*")""")
"""What may be words: no name of a style or file."""


def normal(text: str) -> str:
    """Words without what does not change them: width, white space, line breaks, lines across, emphasis, marks of templates, where links lead."""
    if "{" in text or "](" in text:
        text = _TEMPLATE.sub(lambda m: "".join(_QUOTED.findall(m["said"] or "")), text)
    return _MARKS.sub("", unicodedata.normalize("NFKC", text))


def digest(words: str) -> str:
    """The hash of normalised words."""
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:SIZE]


BLANK = digest("")
_SENTENCE = re.compile(r"(?<=[。.!?])")
_ODD = np.array([(0x9E3779B97F4A7C15 * (2 * k + 1)) % 2**64 for k in range(1, SKETCH + 1)], dtype=np.uint64)


def sketches(words: Sequence[str]) -> list[bytes]:
    """Of each text the minima of hashed pairs of characters: two clauses have about as many in common as they share pairs."""
    points = np.frombuffer(
        "".join(f"\x01{one}\x02" for one in words).encode("utf-32-le", "surrogatepass"), dtype=np.uint32
    ).astype(np.uint64)
    couples = (points[:-1] << np.uint64(21)) ^ points[1:]
    ends = np.array([len(one) + 2 for one in words], dtype=np.int64).cumsum()
    marks = np.stack([np.append(0, ends[:-1]), ends - 1], axis=1).ravel()[:-1] if words else ends
    """Of each text where it begins, and the pair of its last sign and the next text's first, which belongs to neither."""
    lowest = np.empty((len(words), SKETCH), dtype=np.uint8)
    for k, odd in enumerate(_ODD):
        mixed = couples * odd
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        lowest[:, k] = np.minimum.reduceat(mixed, marks)[::2] >> np.uint64(32) & np.uint64(0xFF)
    return [one.tobytes() for one in lowest]


def likeness(a: bytes, b: bytes) -> float:
    """How much of two sketches is equal, from 0 to 1."""
    return sum(x == y for x, y in zip(a, b, strict=True)) / SKETCH


def register_draft(book: str, draft: Draft, ids: Collection[str]) -> tuple[Registered, list[Piece]]:
    """The hashes of a draft for a register with these ids. What the draft has and the register has not is merged with
    the clause before it."""
    how = cut_of(ids, draft)
    known = set(ids)
    given = unusual(draft, how, known)
    merged: set[str] = set()
    pieces = cut(draft, how, known, merged, given)
    for _ in range(6):
        extra = {p.id for p in pieces} - known
        if not extra:
            break
        merged |= extra
        pieces = cut(draft, how, known, merged, given)
    pieces = [p for p in pieces if p.id in known]
    there = {p.id for p in pieces}
    unplaced = tuple(i for i in dict.fromkeys(ids) if i not in there)
    return Registered(
        book,
        how,
        tuple(hashes_of(draft, pieces)),
        tuple(sorted(merged)),
        unplaced,
        given=tuple(sorted(unusual(draft, how, there, merged))),
    ), pieces


def pieces_like(draft: Draft, registered: Registered) -> list[Piece]:
    """A draft cut as the registered one was."""
    return cut(
        draft,
        registered.cut,
        {*registered.ids, *registered.unplaced},
        registered.merged,
        {*registered.given, *registered.unplaced},
    )


# ---------------------------------------------------------------- the file
def written(registered: Registered) -> str:
    """The file's content."""
    lines = [
        FORM,
        "# made by `rulewright register --update`; none of the draft's text is kept",
        f"book\t{registered.book}",
        "\t".join(["cut", *sorted(registered.cut - ALWAYS)]),
        "\t".join(["merged", *registered.merged]),
        "\t".join(["unplaced", *registered.unplaced]),
        *(
            "\t".join([name, *names])
            for name, names in (("retired", registered.retired), ("given", registered.given))
            if names
        ),
        "",
    ]
    lines += [
        "\t".join(
            [
                h.id,
                h.words,
                h.sketch.hex(),
                " ".join(h.refs) or NOTHING,
                *([h.unchecked or NOTHING] if h.unchecked or h.first else []),
                *([h.first] if h.first else []),
            ]
        )
        for h in registered.hashes
    ]
    return "\n".join(lines) + "\n"


_LINE = re.compile(r"(?P<id>\S+)\t(?P<words>[0-9a-f]{16})\t(?P<sketch>[0-9a-f]{64})\t(?P<refs>[^\t]+)(?:\t(?P<u>[0-9a-f]{16}|-)(?:\t(?P<first>\S+))?)?")
_REFERENCE = re.compile(rf"\?(?:{'|'.join(UNITS.values())}) \S+|\S+")  # `?Section 4` has a blank in it
_COLUMNS = (r"\S+", r"[0-9a-f]{16}", r"[0-9a-f]{64}", r"[^\t]+", r"[0-9a-f]{16}|-", r"\S+")
HINT = Text(ja="`rulewright register --update 草案 --book 本 --accept` で作り直せます",
            en="`rulewright register --update DRAFT --book BOOK --accept` makes it anew")


def read_hashes(path: Path) -> Registered:
    """Read `clauses.hashes`. Raises BadInput with everything that is wrong."""
    report = Collector()

    def refuse(line: int, column: int, code: str, ja: str, en: str, value: str | None = None) -> None:
        report.add(Diagnostic(Position(str(path), line, column), code, Text(ja, en), HINT, value))

    lines = file_text(path, LARGEST).removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if lines[0] != FORM:
        refuse(1, 1, "not-hashes", f"一行目が「{FORM}」ではありません", f"the first line is not `{FORM}`")
    heads: dict[str, list[str]] = {}
    found: dict[str, Hash] = {}
    for number, line in enumerate(lines[1:], 2):
        if not line or line.startswith("#"):
            continue
        name, *rest = line.split("\t")
        if name in HEADS and name not in heads and not found:
            heads[name] = [x for x in rest if x]
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            column, value = _wrong(line)
            refuse(number, column, "not-a-hash", "条文・ハッシュ・指紋・参照の四つがタブ区切りで要ります",
                   "needed: clause, hash, sketch and references, separated by tabs", value)
        elif match["id"] in found:
            refuse(number, 1, "twice", f"{shown(match['id'])} が二度あります", f"{shown(match['id'])} stands here twice",
                   match["id"])
        else:
            refs = () if match["refs"] == NOTHING else tuple(_REFERENCE.findall(match["refs"]))
            found[match["id"]] = Hash(
                match["id"],
                match["words"],
                bytes.fromhex(match["sketch"]),
                refs,
                (match["u"] or "").strip(NOTHING),
                match["first"] or "",
            )
    if len(heads.get("book", ())) != 1 and not report.diagnostics:
        refuse(1, 1, "no-book", "「book」の行がありません", "the line `book` is missing")
    report.raise_if_any()
    return Registered(
        heads["book"][0],
        ALWAYS | set(heads.get("cut", ())),
        tuple(found.values()),
        tuple(heads.get("merged", ())),
        tuple(heads.get("unplaced", ())),
        tuple(heads.get("retired", ())),
        tuple(heads.get("given", ())),
    )


def _wrong(line: str) -> tuple[int, str]:
    """The column and value of the first part of a line that is not as it should be."""
    column = 1
    parts = line.split("\t")
    for part, form in zip(parts, _COLUMNS, strict=False):
        if not re.fullmatch(form, part):
            return column, part
        column += len(part) + 1
    return min(column, len(line) + 1), parts[len(_COLUMNS)] if len(parts) > len(_COLUMNS) else ""


def with_unchecked(registered: Registered, marks: dict[str, str]) -> Registered:
    """The same with what is to be looked at set anew for the clauses named (empty: looked at)."""
    return replace(registered, hashes=tuple(
        replace(h, unchecked=marks[h.id]) if h.id in marks else h for h in registered.hashes))


__all__ = ["FILE", "Hash", "Registered", "hashes_of", "likeness", "pieces_like", "read_hashes", "register_draft",
           "with_unchecked", "written"]
