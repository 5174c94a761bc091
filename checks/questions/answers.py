"""Answers to questions, kept by people in a file beside their draft: which clause answers it, or why it does not matter.

An answer belongs to the id of a place, so it stays while the clause keeps its name and the phrase its words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...spec.adding import with_entry
from ...spec.diagnostics import INVISIBLE, BadInput, Collector, Diagnostic, did_you_mean
from ...spec.document import ListNode, Node
from ...spec.reading import file_text
from ...spec.schema import Fields, list_of, map_of, read_file, read_text, record, text
from ...spec.text import Text
from ...spec.writing import held, write_whole
from .asking import Asked
from .catalogue import BY_ID
from .record import Place, Question, in_id

FILE = "questions.yaml"
_ID = re.compile(r"(?P<family>[a-z]+(?:-[a-z]+)*)@(?P<clause>.+)-[0-9A-Z]{4}")


@dataclass(frozen=True)
class Answer:
    """Which clause answers a question (`by`), or why it does not matter (`because`)."""

    by: str | None = None
    because: str | None = None


def _answer(m: Fields) -> Answer:
    found: tuple[str, str] = m.one_of(("by", lambda node, report: ("by", text(node, report)), "条文"),
                                      ("because", lambda node, report: ("because", text(node, report)), "理由"))
    return Answer(**{found[0]: found[1]}) if found else Answer()


def _latest(node: Node, report: Collector) -> Answer:
    one = record(_answer)
    return list_of(one, least=1)(node, report)[-1] if isinstance(node, ListNode) else one(node, report)


def _answers(m: Fields) -> Mapping[str, Answer]:
    found = m.required("answers", map_of(_latest), "答え")
    return {name: one.value for name, one in (found or {}).items()}


def read_answers(path: Path) -> Mapping[str, Answer]:
    """What was answered, by the ids of places. Raises BadInput."""
    return read_file(path, record(_answers))


def write_answers(path: Path, places: Sequence[str], answer: Answer) -> None:
    """Put an answer into the file for each of these places; all that is in it stays as it is. Raises BadInput."""
    told = {"by": answer.by} if answer.by is not None else {"because": answer.because or ""}
    with held(path):
        before = read_answers(path) if path.exists() else {}
        content = file_text(path) if path.exists() else "answers:\n"
        for place in places:
            content = with_entry(content, ("answers", "答え"), place, told)
        if read_text(content, str(path), record(_answers)) != {**before, **dict.fromkeys(places, answer)}:
            raise AssertionError(f"{path}: the answers are not read as they were written")
        write_whole(path, content)


@dataclass(frozen=True)
class Kept:
    """What the answers do to the questions of a draft: those that are left, how many places are answered, and answers that
    no longer fit (the question is gone, or the clause that was to answer it)."""

    questions: tuple[Question, ...]
    answered: tuple[tuple[Place, Answer], ...]
    stale: tuple[str, ...]


def kept(asked: Asked, answers: Mapping[str, Answer]) -> Kept:
    """The questions without those that are answered."""
    names = _names(asked)
    left: list[Question] = []
    answered: list[tuple[Place, Answer]] = []
    for question in asked.questions:
        open_: list[Place] = []
        for place in question.places:
            answer = answers.get(place.id)
            if answer is None or (answer.by is not None and answer.by not in names):
                open_.append(place)
            else:
                answered.append((place, answer))
        if open_:
            left.append(replace(question, places=tuple(open_)))
    used = {place.id for place, _ in answered}
    looked = {family.id for family in asked.families}
    stale = [name for name in answers if name not in used and ((m := _ID.fullmatch(name)) is None or m["family"] in looked or m["family"] not in BY_ID)]
    return Kept(tuple(left), tuple(answered), tuple(stale))


def places_meant(asked: Asked, said: str) -> list[str]:
    """The ids of the places of the question that `FAMILY@CLAUSE` (or the whole id) names. Raises BadInput."""
    family, _, clause = said.partition("@")
    meant = in_id(clause)
    for question in asked.questions:
        if question.family.id == family and any(said == one.id or in_id(one.clause) == meant for one in question.places):
            return [one.id for one in question.places]
    known = [f"{one.family.id}@{in_id(place.clause)}" for one in asked.questions for place in one.places]
    raise BadInput([Diagnostic(None, "no-such-question", Text(
        ja=f"「{said}」という問いは出ていません", en=f"there is no open question {said!r}"),
        did_you_mean(said, known) or Text(ja="種類@条文 のように書いてください（例: fewer-there@4.3）", en="write FAMILY@CLAUSE, like fewer-there@4.3"), said)])


def checked_answer(asked: Asked, by: str | None, because: str | None) -> Answer:
    """The answer that is given. Raises BadInput for a clause that there is not, or for none or two answers."""
    if (by is None) == (because is None):
        raise BadInput([Diagnostic(None, "answer", Text(
            ja="--answer には --by 条文 か --because 理由 のどちらか一つが要ります", en="--answer needs one of --by CLAUSE and --because TEXT"))])
    if by is not None and by not in _names(asked):
        raise BadInput([Diagnostic(None, "no-such-clause", Text(ja=f"草案に条文「{by}」はありません", en=f"the draft has no clause {by!r}"),
                                   did_you_mean(by, sorted(_names(asked))), by)])
    if because is not None and (not because.strip() or INVISIBLE.search(because)):
        raise BadInput([Diagnostic(None, "answer", Text(ja="--because に理由を、見える文字だけで書いてください", en="write the reason after --because, in visible characters"))])
    return Answer(by, because)


def _names(asked: Asked) -> frozenset[str]:
    return frozenset(name for clause in asked.draft.clauses for name in (clause.name, asked.draft.placed(clause)) if name)
