"""What a rule book says and leaves open: `clauses.yaml`, `terms.yaml`, `readings.yaml`.

Each dataclass is what a file says; the function below it names the keys, what they hold, and their Japanese
names.
"""
from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path

from .diagnostics import Collector, Diagnostic, did_you_mean, shown
from .document import Node
from .scalars import half_width
from .schema import (
    Fields,
    Located,
    Shape,
    bilingual,
    boolean,
    choice,
    clause_id,
    identifier,
    in_both_languages,
    integer,
    list_of,
    located,
    raw_map,
    read_file,
    record,
    text,
)
from .text import Text


# ---------------------------------------------------------------- clauses.yaml
class ClauseKind(Enum):
    """What a clause does."""

    HEADING = "heading"
    DEFINITION = "definition"
    PROCEDURE = "procedure"
    PERMISSION = "permission"
    PROHIBITION = "prohibition"
    DUTY = "duty"
    VERDICT = "verdict"
    NONE = "none"


CLAUSE_KIND = choice(
    ClauseKind, 見出し=ClauseKind.HEADING, 定義=ClauseKind.DEFINITION, 手順=ClauseKind.PROCEDURE,
    許可=ClauseKind.PERMISSION, 禁止=ClauseKind.PROHIBITION, 義務=ClauseKind.DUTY, 判定=ClauseKind.VERDICT,
    なし=ClauseKind.NONE,
)


@dataclass(frozen=True)
class Clause:
    """A clause of the book: our gist of it, the clauses it refers to, and its references to no clause. `guessed`: its
    kind was guessed from its wording, and nobody has looked. `reworded`: its words have changed since the gist was written."""

    id: Located[str]
    kind: ClauseKind
    gist: Text
    refs: tuple[Located[str], ...]
    dangling: tuple[Located[str], ...]
    guessed: bool = False
    reworded: bool = False


@dataclass(frozen=True)
class Clauses:
    """The clauses of a book, in its order."""

    book: Located[str]
    edition: str
    clauses: tuple[Clause, ...]

    @property
    def ids(self) -> frozenset[str]:
        """The numbers of all clauses."""
        return frozenset(c.id.value for c in self.clauses)


def _clause(m: Fields) -> Clause:
    return Clause(
        id=m.required("id", located(clause_id), "番号"),
        kind=m.required("kind", CLAUSE_KIND, "種類"),
        gist=in_both_languages(m),
        refs=m.optional("refs", list_of(located(clause_id)), "参照", default=()),
        dangling=m.optional("dangling", list_of(located(clause_id)), "参照先なし", default=()),
        guessed=m.optional("guessed", boolean, "推測", default=False),
        reworded=m.optional("reworded", boolean, "文言変更", default=False),
    )


def _clauses(m: Fields) -> Clauses:
    return Clauses(
        book=m.required("book", located(identifier), "本"),
        edition=m.required("edition", text, "版"),
        clauses=m.required("clauses", list_of(record(_clause), unique=lambda c: c.id), "条文"),
    )


def clauses(node: Node, report: Collector) -> Clauses:
    """`clauses.yaml`: every reference is to a clause of the book, every dangling one is not."""
    found = record(_clauses)(node, report)
    for clause in found.clauses:
        for ref in clause.refs:
            _known_clause(ref, found.ids, report)
        for ref in clause.dangling:
            if ref.value in found.ids:
                report.add(Diagnostic(ref.position, "not-dangling", Text(
                    ja=f"条文 {ref.value} はあります。参照先なしではありません",
                    en=f"clause {ref.value} exists, so this reference does not dangle",
                ), Text(ja="refs に移してください", en="move it to `refs`"), ref.value))
    return found


def _known_clause(ref: Located[str], known: Collection[str], report: Collector) -> None:
    if ref.value not in known:
        report.add(Diagnostic(ref.position, "unknown-clause", Text(
            ja=f"条文 {shown(ref.value)} はこの本にありません",
            en=f"the book has no clause {shown(ref.value)}",
        ), did_you_mean(ref.value, known), ref.value))


def clause_of(known: Collection[str] | None) -> Shape[Located[str]]:
    """A clause; with `known`, it is reported if it is not among them."""
    def read(node: Node, report: Collector) -> Located[str]:
        found = located(clause_id)(node, report)
        if known is not None:
            _known_clause(found, known, report)
        return found
    return read


def read_clauses(path: Path | str) -> Clauses:
    """Read `clauses.yaml`."""
    return read_file(path, clauses, "clauses")


# ---------------------------------------------------------------- terms.yaml
@dataclass(frozen=True)
class Term:
    """A term of the book, and the clause that says what it means."""

    id: Located[str]
    name: Text
    clause: Located[str] | None


@dataclass(frozen=True)
class Terms:
    """The terms of a book."""

    book: Located[str] | None
    terms: tuple[Term, ...]


def _term(clause: Shape[Located[str]], m: Fields) -> Term:
    return Term(
        id=m.required("id", located(identifier), "番号"),
        name=in_both_languages(m),
        clause=m.optional("clause", clause, "条文"),
    )


def _terms(clause: Shape[Located[str]], m: Fields) -> Terms:
    return Terms(
        book=m.optional("book", located(identifier), "本"),
        terms=m.required("terms", list_of(record(partial(_term, clause)), unique=lambda t: t.id), "用語"),
    )


def read_terms(path: Path | str, known: Collection[str] | None = None) -> Terms:
    """Read `terms.yaml`; with `known`, its clauses must be among them."""
    return read_file(path, record(partial(_terms, clause_of(known))))


# ---------------------------------------------------------------- readings.yaml
class Status(Enum):
    """Is a reading built into the model yet?"""

    PLANNED = "planned"
    MODELLED = "modelled"


@dataclass(frozen=True)
class Alternative:
    """One answer to the question of a reading. `unwritten`: what no clause states, where that is what the answer says."""

    id: Located[str]
    gist: Text
    unwritten: Text | None = None


@dataclass(frozen=True)
class Numbers:
    """The answers to the question of a reading, where they are numbers."""

    low: int
    high: int
    suggested: tuple[Located[int], ...]


@dataclass(frozen=True)
class Reading:
    """A question that the book leaves open, and its honest answers. `default` is the id of an alternative,
    or a number as text."""

    id: Located[str]
    clauses: tuple[Located[str], ...]
    question: Text
    answers: tuple[Alternative, ...] | Numbers
    default: Located[str]
    why: Text
    affects: Text
    status: Status

    def allows(self, answer: str) -> bool:
        """Is this one of the answers?"""
        if isinstance(self.answers, Numbers):
            return bool(re.fullmatch(r"-?(0|[1-9]\d{0,17})", answer, re.ASCII)) and (
                self.answers.low <= int(answer) <= self.answers.high)
        return any(a.id.value == answer for a in self.answers)


@dataclass(frozen=True)
class Readings:
    """The readings of a book."""

    book: Located[str] | None
    readings: tuple[Reading, ...]


def _alternative(m: Fields) -> Alternative:
    return Alternative(
        id=m.required("id", located(identifier), "番号"),
        gist=m.required("gist", bilingual, "要旨"),
        unwritten=m.optional("unwritten", bilingual, "書かれていないこと"),
    )


def _numbers(m: Fields) -> Numbers:
    return Numbers(
        low=m.required("from", integer(), "下限"),
        high=m.required("to", integer(), "上限"),
        suggested=m.optional("suggested", list_of(located(integer())), "候補", default=()),
    )


def _reading(clause: Shape[Located[str]], m: Fields) -> Reading:
    return Reading(
        id=m.required("id", located(identifier), "番号"),
        clauses=m.required("clauses", list_of(clause, least=1), "条文"),
        question=m.required("question", bilingual, "問い"),
        answers=m.one_of(
            ("alternatives", list_of(record(_alternative), least=2, unique=lambda a: a.id), "選択肢"),
            ("number", record(_numbers), "数値"),
        ),
        default=m.required("default", located(text), "既定"),
        why=m.required("why", bilingual, "理由"),
        affects=m.required("affects", bilingual, "影響"),
        status=m.required("status", choice(Status, 予定=Status.PLANNED, 済み=Status.MODELLED), "状態"),
    )


def reading(node: Node, report: Collector, clause: Shape[Located[str]]) -> Reading:
    """One reading: its default and its suggestions are among its answers, as far as both can be read."""
    fields = Fields(raw_map(node, report), report)
    found = _reading(clause, fields)
    if not fields.wrong & {"alternatives", "number", "default"} and None not in (found.answers, found.default):
        check_answers(found, report)
    fields.finish()
    return found


def check_answers(found: Reading, report: Collector) -> None:
    """Are its default and its suggestions among its answers?"""
    claimed = [found.default]
    if isinstance(found.answers, Numbers):
        claimed += [Located(str(number.value), number.position) for number in found.answers.suggested]
    for answer in claimed:
        if found.allows(answer.value):
            continue
        report.add(Diagnostic(answer.position, "not-an-answer", Text(
            ja=f"「{shown(answer.value)}」は、この解釈の答えにありません",
            en=f"`{shown(answer.value)}` is not one of the answers of this reading",
        ), _answers(found, answer.value), answer.value))


def _answers(found: Reading, answer: str) -> Text | None:
    if found.allows(half_width(answer)):
        return Text(ja=f"{half_width(answer)} と書いてください", en=f"write `{half_width(answer)}`")
    if isinstance(found.answers, Numbers):
        return Text(ja=f"{found.answers.low} から {found.answers.high} までの整数です",
                    en=f"a whole number from {found.answers.low} to {found.answers.high}")
    return did_you_mean(answer, [a.id.value for a in found.answers])


def _readings(clause: Shape[Located[str]], m: Fields) -> Readings:
    return Readings(
        book=m.optional("book", located(identifier), "本"),
        readings=m.required(
            "readings", list_of(lambda node, report: reading(node, report, clause), unique=lambda r: r.id), "解釈"
        ),
    )


def read_readings(path: Path | str, known: Collection[str] | None = None) -> Readings:
    """Read `readings.yaml`; with `known`, its clauses must be among them."""
    return read_file(
        path, record(partial(_readings, clause_of(known))), "readings", None if known is None else sorted(known)
    )
