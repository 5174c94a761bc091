"""What the answers that are kept do to the questions of a draft, and an answer that is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ...spec.diagnostics import INVISIBLE, BadInput, Diagnostic, did_you_mean
from ...spec.text import Text
from .answers import HOW_TO_NAME, ID, NAMING, Answer, Kind, Known, clause_of, unknown
from .asking import Asked
from .catalogue import BY_ID
from .record import Place, Question, in_id


@dataclass(frozen=True)
class Kept:
    """What the answers do to the questions of a draft: those that are left, the places that are answered, and answers that no longer
    fit (the question is gone, or the clause that was to answer it)."""

    questions: tuple[Question, ...]
    answered: tuple[tuple[Place, Answer], ...]
    stale: tuple[str, ...]


def kept(asked: Asked, answers: Mapping[str, Answer], known: Known | None = None) -> Kept:
    """The questions without those that are answered. What is answered as open is left, and told: somebody decided that it matters. `known`: of the book that the draft belongs to."""
    clauses = (known or known_of(asked)).clauses
    left: list[Question] = []
    answered: list[tuple[Place, Answer]] = []
    used: set[str] = set()
    for question in asked.all:
        open_: list[Place] = []
        sure = question.sure
        for place in question.places:
            name = answered_as(question, place, answers)
            answer = answers.get(name)
            if answer is None or (answer.kind is Kind.BY and answer.said.en not in clauses):
                open_.append(place)
                continue
            used.add(name)
            if answer.kind is Kind.OPEN:
                open_.append(place)
                sure = True
            else:
                answered.append((place, answer))
        if open_:
            left.append(replace(question, places=tuple(open_), sure=sure))
    by_id = {in_id(one): one for one in clauses}
    looked = {family.id for family in asked.families}
    return Kept(
        tuple(left),
        tuple(answered),
        tuple(name for name in answers if name not in used and _is_stale(name, looked, by_id)),
    )


def answered_as(question: Question, place: Place, answers: Mapping[str, Answer]) -> str:
    """The id under which a place is answered, if it is: its own, or that without the mark of a phrase."""
    return place.id if place.id in answers else f"{question.family.id}@{in_id(place.clause)}"


def _is_stale(name: str, looked: set[str], by_id: Mapping[str, str]) -> bool:
    """Does an answer that answered nothing no longer fit? One to a question that a person asked fits as long as its clause is there."""
    match = ID.fullmatch(name)
    if match is None or match["family"] not in BY_ID:
        return True
    if match["mark"] and match["where"] not in by_id:
        return match["family"] in looked
    return clause_of(match["where"], by_id) is None


def places_meant(asked: Asked, said: str) -> list[str]:
    """The ids of the places of the question that `FAMILY@CLAUSE` (or the whole id) names. Raises BadInput."""
    family, _, clause = said.partition("@")
    meant = in_id(clause)
    for question in asked.all:
        if question.family.id == family and any(
            said == one.id or in_id(one.clause) == meant for one in question.places
        ):
            return [one.id for one in question.places]
    known = [f"{one.family.id}@{in_id(place.clause)}" for one in asked.all for place in one.places]
    raise BadInput([Diagnostic(None, "no-such-question", Text(
        ja=f"「{said}」という問いは出ていません", en=f"there is no open question {said!r}"),
        did_you_mean(said, known) or HOW_TO_NAME, said)])


def checked_answer(given: Mapping[Kind, str | None], known: Known) -> Answer:
    """The answer that is given. Raises BadInput for what there is not, and for none or two answers."""
    told = [(kind, said) for kind, said in given.items() if said is not None]
    if len(told) != 1:
        raise BadInput([Diagnostic(None, "answer", Text(
            ja="--answer には --by 条文、--reading 解釈、--rule 規則、--because 理由、--open 未決の点 のどれか一つが要ります",
            en="--answer needs one of --by CLAUSE, --reading READING, --rule RULE, --because TEXT and --open TEXT"))])
    kind, said = told[0]
    answer = Answer(kind, Text.same(said))
    if kind is not Kind.BY and kind in NAMING and known.readings is None:
        raise BadInput([Diagnostic(None, "answer", Text(
            ja=f"--{kind.value} は本の解釈や規則の名前です。--book 本 を添えてください", en=f"--{kind.value} names something of a book: add --book BOOK"))])
    if kind in NAMING and said not in known.of(kind):
        raise BadInput([unknown(answer, known)])
    if kind not in NAMING and (not said.strip() or INVISIBLE.search(said)):
        raise BadInput([Diagnostic(None, "answer", Text(
            ja=f"--{kind.value} に、見える文字だけで書いてください", en=f"write something after --{kind.value}, in visible characters"))])
    return answer


def known_of(asked: Asked) -> Known:
    """What answers can name where there is only the draft: its clauses."""
    return Known(
        frozenset(name for clause in asked.draft.clauses for name in (clause.name, asked.draft.placed(clause)) if name)
    )
