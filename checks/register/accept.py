"""Taking a new draft over into the register: all of it, or nothing.

Numbers are changed wherever the book's files name a clause; new clauses get a row whose kind is a guess; clauses that are
gone lose theirs, unless something still cites them: then nothing is written. What was reworded is marked as *wording only*
until its rules change or somebody says that they were looked at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path

from ...spec.book import clauses as clauses_shape
from ...spec.diagnostics import Collector, Diagnostic, Position
from ...spec.document import read_document
from ...spec.nodes import ListNode, MapNode, TextNode
from ...spec.reading import file_bytes
from ...spec.schema import read_text
from ...spec.text import Text
from ...spec.writing import ends_as_in, write_together
from ..questions.answers import FILE as ANSWERS
from .books import BookFiles
from .changed import rules_hash
from .compare import Comparison, Pair
from .hashes import FILE, Hash, Registered, written
from .pieces import Piece
from .renumber import Edit, edited, in_answers, in_rules, in_text, in_words, in_yaml, replaced
from .rows import new_row, row_of
from .status import TO_WRITE

CARDS, PHRASES = "cards", "phrases"


def accept(
    book: BookFiles, before: Registered, found: Comparison, pieces: Sequence[Piece], cases: Iterable[Path]
) -> list[Path]:
    """Write the new draft's hashes, and its numbers into the book's files and these stored cases. Gives the files that were changed.
    Raises BadInput, with the places, where a clause that is gone is still cited."""
    refuse_cited(book, found)
    numbers = found.numbers
    files: dict[Path, str] = {}
    if numbers or found.new or found.gone or any(p.references or p.reworded for p in found.pairs):
        files[book.folder / "clauses.yaml"] = register_text(book, found, pieces)
    if numbers:
        files |= renumbered(book, numbers, cases)
    retired = (*before.retired, *(h.lasting for h in found.gone))
    hashes = tuple(_kept(book, found, retired))
    after = replace(
        before, hashes=hashes, retired=retired, given=tuple(sorted({*before.given} & {h.id for h in hashes}))
    )
    files[book.folder / FILE] = written(after)
    changed = {path: ends_as_in(path, text) for path, text in files.items() if not path.exists() or _text(path) != text}
    write_together(changed)
    return sorted(changed)


def _kept(book: BookFiles, found: Comparison, retired: Sequence[str]) -> list[Hash]:
    """The new hashes, in the order of the new draft, with what is still to be looked at, under their lasting names."""
    hashes = {
        p.new.id: replace(
            p.new, unchecked=_unchecked(book, p), first="" if p.old.lasting == p.new.id else p.old.lasting
        )
        for p in found.pairs
    }
    taken = {*retired, *(h.lasting for h in hashes.values())}
    for new in found.new:
        name = next(n for n in chain([new.id], (f"{new.id}~{k}" for k in count(2))) if n not in taken)
        taken.add(name)
        hashes[new.id] = replace(new, first="" if name == new.id else name)
    return [hashes[name] for name in found.order]


def _unchecked(book: BookFiles, pair: Pair) -> str:
    """The hash of the clause's rules, where its words changed and something carries it out."""
    if book.places.get(pair.old.id) and (pair.reworded or pair.references):
        return rules_hash(book, pair.old.id)
    return pair.old.unchecked


def refuse_cited(book: BookFiles, found: Comparison) -> None:
    """Complain of everything that cites a clause which is gone."""
    report = Collector()
    for gone in found.gone:
        name = gone.id
        said = Text(ja=f"条文 {name} は新しい草案にありませんが、まだ引かれています",
                    en=f"clause {name} is not in the new draft, and is still cited")
        hint = Text(ja="先にここを直してください（何も書き込んでいません）", en="mend this first (nothing was written)")
        report.add_all(
            Diagnostic(Position(str(place.path), place.line, 1), "still-cited", said, hint, name)
            for place in (*book.places.get(name, ()), *book.named.get(name, ())))
        for reading in book.read_by.get(name, ()):
            at = next(c.position for c in reading.clauses if c.value == name)
            report.add(Diagnostic(at, "still-cited", said, hint, name))
        report.add_all(
            Diagnostic(term.clause.position, "still-cited", said, hint, name)
            for term in book.terms_of.get(name, ()) if term.clause is not None)
    report.raise_if_any()


# ---------------------------------------------------------------- clauses.yaml
def register_text(book: BookFiles, found: Comparison, pieces: Sequence[Piece]) -> str:
    """`clauses.yaml` with the new numbers, without the rows that are gone, with rows for what is new."""
    path = book.folder / "clauses.yaml"
    text = _text(path)
    head, rows = _rows(path, text, found.numbers)
    by_new = {p.new.id: p for p in found.pairs}
    renamed = {**{name: name for name in rows}, **found.numbers}
    known = {renamed[name] for name in rows} - {h.id for h in found.gone} | {h.id for h in found.new}
    gone = {h.id for h in found.gone}
    kept: dict[str, str] = {}
    for name, row in rows.items():
        if name in gone:
            continue
        pair = by_new.get(renamed[name])
        clause = book.by_id[name]
        lost = any(r.value in gone for r in clause.refs) or any(d.value in known for d in clause.dangling)
        if lost or (pair is not None and pair.references):
            refs, dangling = _references(book, name, pair, found, known)
            row = row_of(clause, renamed[name], refs, dangling)
        kept[renamed[name]] = (
            marked(row)
            if pair is not None and pair.reworded and not clause.reworded and clause.gist != TO_WRITE
            else row
        )
    order = [n for n in kept if n not in {p.new.id for p in found.pairs if p.moved}]
    by_piece = {p.id: p for p in pieces}
    hashes = {h.id: h for h in found.new}
    before = ""
    for name in found.order:
        if name in hashes:
            kept[name] = new_row(by_piece[name], hashes[name], known)
        if name not in order:
            order.insert(order.index(before) + 1 if before in order else 0, name)
        before = name
    result = head + "".join(kept[name] for name in order)
    read_text(result, str(path), clauses_shape)
    return result


def marked(row: str) -> str:
    """The row of a clause whose gist was written for other words than it has now."""
    first, end, rest = row.partition("\n")
    begin = re.match(r"(\s*-\s*)(\{?)", first)
    if begin is not None and begin[2]:
        at = row.rindex("}")
        return f"{row[:at].rstrip()}, reworded: yes{row[at:]}"
    return f"{first}{end}{' ' * len(begin[1] if begin is not None else '    ')}reworded: yes{end}{rest}"


def _references(
    book: BookFiles, name: str, pair: Pair | None, found: Comparison, known: set[str]
) -> tuple[list[str], list[str]]:
    """The references of a row: those of the new draft, and with them those that only the register knows."""
    clause = book.by_id[name]
    numbers = found.numbers
    old = [numbers.get(r.value, r.value) for r in clause.refs]
    dangling = [d.value for d in clause.dangling]
    if pair is None:
        refs = old
    else:
        said = {numbers.get(r, r) for r in pair.old.refs}
        refs = [r for r in old if r not in said] + [r for r in pair.new.refs if not r.startswith("?")]
    lost = [r for r in refs if r not in known]
    refs = [r for r in dict.fromkeys([*refs, *(d for d in dangling if d in known)]) if r in known]
    return refs, [d for d in dict.fromkeys([*dangling, *lost]) if d not in known]


def _rows(path: Path, text: str, numbers: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """What stands before the first row, and the text of each row by its old number, with the new numbers in it."""
    root = read_document(path)
    listed = root.get("clauses") or root.get("条文") if isinstance(root, MapNode) else None
    items = [i for i in listed.items if isinstance(i, MapNode)] if isinstance(listed, ListNode) else []
    words, edits = in_words(numbers), list[Edit]()
    starts: list[tuple[int, str]] = []
    for item in items:
        name = item.get("id") or item.get("番号")
        if not isinstance(name, TextNode):
            continue
        starts.append((item.position.line - 1, name.text))
        for key in ("id", "番号", "refs", "参照", "dangling", "参照先なし"):
            value = item.get(key)
            for one in value.items if isinstance(value, ListNode) else (value,):
                if isinstance(one, TextNode) and key not in ("dangling", "参照先なし"):
                    edits += replaced(one, numbers)
        for said in (item.get("ja"), item.get("en")):
            edits += in_text(said, numbers, words) if isinstance(said, TextNode) else ()
    lines = edited(text, edits).split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    ends = [*(line for line, _ in starts[1:]), len(lines)]
    if any(a >= b for (a, _), b in zip(starts, ends, strict=True)):
        report = Collector()
        report.add(Diagnostic(Position(str(path), starts[0][0] + 1, 1), "one-row-one-line", Text(
            ja="条文を一行に一つずつ書いてください（番号を書き換えられません）",
            en="write each clause on a line of its own: numbers cannot be changed here")))
        report.raise_if_any()
    rows = {name: "\n".join(lines[a:b]) + "\n" for (a, name), b in zip(starts, ends, strict=True)}
    return "\n".join(lines[: starts[0][0]]) + "\n" if starts else text, rows


# ---------------------------------------------------------------- the other files
def renumbered(book: BookFiles, numbers: Mapping[str, str], cases: Iterable[Path]) -> dict[Path, str]:
    """The other files of the book, and its stored cases, with the new numbers."""
    files: dict[Path, str] = {}
    folder = book.folder
    own = (
        *(folder / f"{name}.yaml" for name in ("readings", "terms", "words", CARDS, PHRASES)),
        *sorted((folder / "scenarios").glob("*.yaml")),
    )
    for path in (*(path for path in own if path.exists()), *cases):
        files[path] = edited(
            _text(path), in_yaml(path, numbers, path.stem not in (CARDS, PHRASES))
        )  # what is printed on cards names no clause
    answers = folder / ANSWERS
    if answers.exists():
        files[answers] = edited(_text(answers), in_answers(answers, numbers))
    for path in sorted(book.rules.glob("*.py")) if book.rules is not None else ():
        text = _text(path)
        files[path] = edited(text, in_rules(text, numbers))
    return files


def _text(path: Path) -> str:
    return file_bytes(path).decode("utf-8", "surrogateescape").replace("\r\n", "\n")
