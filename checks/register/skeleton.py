"""`rulewright register draft.md -o spec/mygame/`: the beginning of a new book.

From the draft come the clauses' numbers, a guess at their kinds, which clauses they refer to, and the terms that it
defines. Gists are to be written: nothing of the draft's text is copied unless that is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...spec.diagnostics import INVISIBLE, BadInput, Diagnostic
from ...spec.text import Text
from ...spec.writing import write_together
from ..lint.model import Draft
from ..lint.terms import defined_in, places_in
from .hashes import FILE, Registered, hashes_of, written
from .pieces import Piece, cut, usual_cut
from .rows import language_of, new_row, quoted, scalar

_NAME = re.compile(r"(?!\d+$)[^\W_][\w-]*")
LONGEST_TERM = 20


@dataclass(frozen=True)
class Skeleton:
    """What was made: the files, and how much is in them."""

    folder: Path
    book: str
    files: tuple[Path, ...]
    clauses: int
    terms: int
    references: int


def make_skeleton(draft: Draft, folder: Path, force: bool, with_text: bool) -> Skeleton:
    """Write the skeleton of a book. Raises BadInput where something is in the way."""
    files, made = skeleton_files(draft, cut(draft, usual_cut(draft)), folder, _own if with_text else None)
    there = [path for path in files if path.exists()]
    if there and not force:
        names_ = ", ".join(p.name for p in there)
        raise _trouble("exists", f"{folder} には {names_} があります。上書きしません",
                       f"{folder} has {names_} already; nothing was overwritten", str(folder),
                       Text(ja="新しい草案と比べるには --update、作り直すには --force を付けてください",
                            en="to compare a new draft use --update, to begin anew --force"))
    write_together(files)
    return made


def skeleton_files(
    draft: Draft, pieces: Sequence[Piece], folder: Path, gist: Callable[[Piece], Text] | None
) -> tuple[dict[Path, str], Skeleton]:
    """The files of a skeleton, not yet written, of a draft that is cut as usual: with these gists of the clauses, or with gists that are to be
    written. Raises BadInput where the folder cannot be a book."""
    book = folder.resolve().name
    if not _NAME.fullmatch(book):
        raise _trouble("book-name", f"「{book}」は本の名前になりません（文字・数字・-・_。数字だけは不可）",
                       f"`{book}` cannot be the name of a book (letters, digits, `-`, `_`; not digits alone)", book)
    if folder.exists() and not folder.is_dir():
        raise _trouble("not-a-folder", f"{folder} はフォルダーではありません", f"{folder} is not a folder", str(folder))
    hashes = hashes_of(draft, pieces)
    ids = {p.id for p in pieces}
    rows = [new_row(p, h, ids, gist(p) if gist is not None else None) for p, h in zip(pieces, hashes, strict=True)]
    names = terms_of(draft, pieces)
    files = {
        folder / "clauses.yaml": "".join([_ABOUT_CLAUSES, f"book: {book}\nedition: \"0\"\nclauses:\n", *rows]),
        folder / "terms.yaml": "".join([_ABOUT_TERMS, f"book: {book}\n", _terms(names)]),
        folder / "readings.yaml": f"{_ABOUT_READINGS}book: {book}\nreadings: []\n",
        folder / FILE: written(Registered(book, usual_cut(draft), tuple(hashes))),
    }
    return files, Skeleton(folder, book, tuple(files), len(rows), len(names), sum(len(h.refs) for h in hashes))


_EXPLAINED = re.compile(r"[」』”’>》]?(?:とは|と呼|とい|と言|と称)")
"""What stands behind a name where it is said what it is."""


def terms_of(draft: Draft, pieces: Sequence[Piece]) -> dict[str, str]:
    """Names that the draft defines, each with the clause that does so first."""
    names: dict[str, None] = {}
    for name in sorted(defined_in(draft), key=lambda n: (-len(n), n)):
        plain = INVISIBLE.sub("", name).strip()
        if (
            2 <= len(plain) <= LONGEST_TERM
            and not re.search(r"[\s。、「」（）()\d]", plain)
            and not re.fullmatch(r"[ぁ-ん]+", plain)
        ):
            names[plain] = None
    headings: dict[str, str] = {}
    for piece in pieces:
        if piece.heading:
            headings.setdefault(piece.text.strip(), piece.id)
    texts = [piece.text for piece in pieces]
    places = places_in(texts, (name for name in names if name not in headings))
    explained = {
        name: next((pieces[k].id for k, at in found if _EXPLAINED.match(texts[k], at + len(name))), None)
        for name, found in places.items()
    }
    found = {name: where for name in names if (where := headings.get(name) or explained.get(name)) is not None}
    order = {p.id: i for i, p in enumerate(pieces)}
    return dict(sorted(found.items(), key=lambda item: (order[item[1]], item[0])))


def _own(piece: Piece) -> Text:
    text = " ".join(piece.text.split())
    return Text.same(text) if text else Text(ja="（番号だけで文がない）", en="(a number without words)")


def _terms(names: dict[str, str]) -> str:
    if not names:
        return "terms: []\n"
    rows = [f"  - {{id: term-{n}, {language_of(name)}: {_flow(name)}, clause: {quoted(clause)}}}\n"
            for n, (name, clause) in enumerate(names.items(), 1)]
    return "terms:\n" + "".join(rows)


def _flow(text: str) -> str:
    said = scalar(text)
    return said if said.startswith('"') else quoted(text)


def _trouble(code: str, ja: str, en: str, value: str, hint: Text | None = None) -> BadInput:
    return BadInput([Diagnostic(None, code, Text(ja=ja, en=en), hint, value)])


_ABOUT_CLAUSES = """\
# 条文の登録簿。一条文一項目、本の順。Rulewright が草案から作った骨組み。
# The clauses of the book, one row each, in its order: a skeleton made from the draft.
# guessed: yes  種類(kind)は文面からの推測。確かめたらこの行を消す。 The kind is a guess; take the line out when you have looked.
# ja, en        要旨を自分の言葉で一行ずつ書く。 A gist in your own words, one line each.
# kind: heading 見出し, definition 定義, procedure 手順, permission 許可, prohibition 禁止, duty 義務, verdict 判定, none 説明
"""
_ABOUT_TERMS = """\
# 用語と、それを定める条文。草案から拾った候補。もう一方の言語の名前は、要るなら書き足す（ja: と en:）。
# Terms, and the clause that defines each: candidates found in the draft. Names in the other language are added where they are wanted.
"""
_ABOUT_READINGS = """\
# 読み方が二つ以上ある条文。問い、選択肢、既定とその理由。
# Where the book can be read in more than one way: the question, the answers, the default and why.
"""
