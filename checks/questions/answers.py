"""Answers to questions, kept by people in a file beside their draft or their book: a clause, a reading or a rule that answers it,
why it does not matter, or that it is open.

An answer belongs to the id of a place, so it stays while the clause keeps its name and the phrase its words. Without the mark of a
phrase (`fewer-there@4.3`, or with a word of one's own behind, `fewer-there@4.3-discard`) it is a question that a person asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from ...spec.adding import with_entry
from ...spec.diagnostics import Collector, Diagnostic, Position, did_you_mean, shown
from ...spec.document import ListNode, Node
from ...spec.reading import file_text
from ...spec.schema import Fields, Shape, bilingual, list_of, map_of, read_file, read_text, record, text
from ...spec.text import Text
from ...spec.writing import held, write_whole
from .catalogue import BY_ID
from .record import in_id

FILE = "questions.yaml"
ID = re.compile(r"(?P<family>[a-z]+(?:-[a-z]+)*)@(?P<where>.+?(?P<mark>-[0-9A-Z]{4})?)")
"""An id: of a family, at a place, which has a mark where a phrase of the draft raises the question."""
_MARK = re.compile(r"(?=-(?:[0-9A-Z]{4}|[a-z]+(?:-[a-z]+)*)$)")


HOW_TO_NAME = Text(ja="種類@条文 のように書いてください（例: fewer-there@4.3）", en="write FAMILY@CLAUSE, like fewer-there@4.3")


class Kind(Enum):
    """How a question is answered; the values are the keys of the file."""

    BY = "by"
    READING = "reading"
    RULE = "rule"
    BECAUSE = "because"
    OPEN = "open"


NAMING = frozenset({Kind.BY, Kind.READING, Kind.RULE})
"""Those that name something that there has to be."""
_ALIAS = {Kind.BY: "条文", Kind.READING: "解釈", Kind.RULE: "規則", Kind.BECAUSE: "理由", Kind.OPEN: "未決"}


@dataclass(frozen=True)
class Answer:
    """How a question is answered, and the name of what answers it (a clause, a reading, a rule), or why (it does not matter, it is open)."""

    kind: Kind
    said: Text
    at: Position | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Known:
    """What answers can name: the clauses of a draft or book, and of a book its readings and the names of its rules."""

    clauses: frozenset[str]
    readings: frozenset[str] | None = None
    rules: frozenset[str] | None = None

    def of(self, kind: Kind) -> frozenset[str]:
        """What an answer of this kind can name."""
        return {Kind.BY: self.clauses, Kind.READING: self.readings, Kind.RULE: self.rules}.get(kind) or frozenset()


def _one(kind: Kind) -> Shape[Answer]:
    def read(node: Node, report: Collector) -> Answer:
        said = Text.same(text(node, report)) if kind in NAMING else bilingual(node, report)
        return Answer(kind, said, node.position)

    return read


def _answer(m: Fields) -> Answer:
    return m.one_of(*((kind.value, _one(kind), _ALIAS[kind]) for kind in Kind))


def _latest(node: Node, report: Collector) -> Answer:
    one = record(_answer)
    return list_of(one, least=1)(node, report)[-1] if isinstance(node, ListNode) else one(node, report)


def _answers(known: Known | None = None) -> Shape[Mapping[str, Answer]]:
    def fields(m: Fields) -> dict[str, tuple[Answer, Position]]:
        found = m.required("answers", map_of(_latest), "答え")
        return {name: (one.value, one.key or one.position) for name, one in (found or {}).items()}

    def read(node: Node, report: Collector) -> Mapping[str, Answer]:
        found = record(fields)(node, report)
        if known is not None:
            by_id = {in_id(one): one for one in known.clauses}
            report.add_all(
                wrong for name, (answer, at) in found.items()
                for wrong in _wrong(name, answer, at, known, by_id))
        return {name: answer for name, (answer, _) in found.items()}

    return read


def read_answers(path: Path, known: Known | None = None) -> Mapping[str, Answer]:
    """What was answered, by the ids of places. With `known`, everything that is named must be known: families, clauses, readings,
    rules. Raises BadInput."""
    return read_file(path, _answers(known))


def _wrong(
    name: str, answer: Answer | None, at: Position, known: Known, by_id: Mapping[str, str]
) -> Iterator[Diagnostic]:
    match = ID.fullmatch(name)
    if match is None:
        yield Diagnostic(
            at,
            "question-id",
            Text(ja=f"「{shown(name)}」は問いの番号ではありません", en=f"{shown(name)!r} is no id of a question"),
            HOW_TO_NAME,
            name,
        )
        return
    if match["family"] not in BY_ID:
        yield Diagnostic(at, "no-such-family", Text(ja=f"「{match['family']}」という問いの種類はありません", en=f"there is no family of questions {match['family']!r}"),
                         did_you_mean(match["family"], [*BY_ID]), match["family"])
    if clause_of(match["where"], by_id) is None:
        where = shown(re.sub(r"-[0-9A-Z]{4}$", "", match["where"]))
        yield Diagnostic(at, "unknown-clause", Text(ja=f"条文 {where} はこの本にありません", en=f"the book has no clause {where}"),
                         did_you_mean(where, sorted(by_id)), where)
    if answer is None or answer.kind not in NAMING:
        return
    named = answer.said.en
    if named not in known.of(answer.kind):
        yield unknown(answer, known)


def unknown(answer: Answer, known: Known) -> Diagnostic:
    """What is said of an answer that names what there is not."""
    name = shown(answer.said.en)
    said = {Kind.BY: Text(ja=f"条文「{name}」はありません", en=f"there is no clause {name!r}"),
            Kind.READING: Text(ja=f"解釈「{name}」はこの本にありません", en=f"the book has no reading {name!r}"),
            Kind.RULE: Text(ja=f"規則「{name}」はこの本にありません", en=f"the book has no rule {name!r}")}[answer.kind]
    code = {Kind.BY: "no-such-clause", Kind.READING: "no-such-reading", Kind.RULE: "no-such-rule"}[answer.kind]
    return Diagnostic(
        answer.at, code, said, did_you_mean(answer.said.en, sorted(known.of(answer.kind))), answer.said.en
    )


def clause_of(where: str, by_id: Mapping[str, str]) -> str | None:
    """The clause that an id names behind its `@`; `by_id`: clauses by their names in ids."""
    if where in by_id:
        return by_id[where]
    return next((by_id[where[: m.start()]] for m in _MARK.finditer(where) if where[: m.start()] in by_id), None)


def write_answers(path: Path, places: Sequence[str], answer: Answer) -> None:
    """Put an answer into the file for each of these places; all that is in it stays as it is. Raises BadInput."""
    told = {answer.kind.value: answer.said.en}
    with held(path):
        before = read_answers(path) if path.exists() else {}
        content = file_text(path) if path.exists() else "answers:\n"
        for place in places:
            content = with_entry(content, ("answers", "答え"), place, told)
        if read_text(content, str(path), _answers()) != {**before, **dict.fromkeys(places, answer)}:
            raise AssertionError(f"{path}: the answers are not read as they were written")
        write_whole(path, content)
