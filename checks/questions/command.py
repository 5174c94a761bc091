"""`rulewright questions`: what a draft leaves open, shown, explained, answered."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...spec.writing import try_out
from ..console.shell import complaint
from ..console.terminal import Terminal
from ..findings.as_json import SCHEMA, plain
from ..findings.layout import Block, Facts, Heading, Para, Verbatim, layout
from . import words
from .answers import FILE, Answer, Kind, Known, read_answers, write_answers
from .asking import Asked, Naming, ask_file
from .catalogue import FAMILIES, STAKES, chosen
from .keeping import Kept, checked_answer, kept, known_of, places_meant
from .record import Family, Question

MOST_CLAUSES = 12
"""Clauses of one question that are named on the terminal."""


@dataclass(frozen=True)
class OfBook:
    """The book that a draft belongs to: what its register calls the clauses, what answers can name, and where they are kept."""

    name: str
    naming: Naming
    known: Known
    answers: Path


@dataclass(frozen=True)
class Request:
    """What was asked for on the command line."""

    draft: Path
    families: tuple[str, ...] = ()
    answered: bool = False
    everything: bool = False
    checklist: bool = False
    answers: Path | None = None
    encoding: str | None = None
    book: OfBook | None = None

    @property
    def typed(self) -> str:
        """The draft, and with what it was asked about, as they are typed: what is proposed to be typed next is about the same."""
        told = {"--book": self.book and self.book.name, "--answers": self.answers, "--encoding": self.encoding}
        return shlex.join(
            [
                str(self.draft),
                *(word for option, value in told.items() if value is not None for word in (option, str(value))),
            ]
        )


def run(terminal: Terminal, request: Request, as_json: bool) -> bool:
    """Ask, and show what is open: what is sure, unless families are named, or all or the checklist is asked for. Gives whether anything is. Raises BadInput."""
    families = chosen(request.families)
    answers = _answers(request)
    asked = ask_file(request.draft, families, request.encoding, request.book and request.book.naming)
    found = kept(asked, answers, request.book and request.book.known)
    every = request.everything or bool(request.families)
    asked = replace(asked, families=tuple(
        one for one in families if not one.only_by_shape or request.checklist or request.families))

    def is_told(one: Question) -> bool:
        by_shape = one.by_shape and not (request.families and one.family.only_by_shape)
        return one.sure or request.checklist or (every and not by_shape)
    told = replace(found, questions=tuple(filter(is_told, found.questions)))
    left_out = [one for one in found.questions if not is_told(one)]
    unsure = sum(not one.by_shape for one in left_out)
    listed = sum(len(one.places) for one in left_out if one.by_shape)
    if as_json:
        terminal.json(questions_as_json(asked, told, unsure, listed))
    else:
        _show(terminal, request, asked, told, unsure, listed)
    return bool(told.questions)


def answer(terminal: Terminal, request: Request, said: str, told: Mapping[Kind, str | None]) -> None:
    """Keep an answer to one question, for each clause that raises it. Raises BadInput."""
    path = _file(request)
    try_out(path)
    asked = ask_file(request.draft, FAMILIES, request.encoding, request.book and request.book.naming)
    given = checked_answer(told, request.book.known if request.book is not None else known_of(asked))
    places = places_meant(asked, said)
    write_answers(path, places, given)
    terminal.say(words.WRITTEN, path=path, count=len(places), id=places[0])


def explain(terminal: Terminal, name: str, as_json: bool) -> None:
    """Say what a family asks, why, what is usual, with examples. Raises BadInput for one that there is not."""
    (family,) = chosen((name,))
    if as_json:
        terminal.json({"schema": SCHEMA, "kind": "question-family", "family": family_as_json(family)})
        return
    say = terminal.phrase
    blocks: list[Block] = [
        Heading(f"{family.id}: {say(family.title)} ({say(STAKES[family.stake])})"),
        Para(say(family.asks).format(phrase="…", other="…")),
        Para(say(family.matters)),
        Para(say(words.USUAL, text=family.usual)),
    ]
    for one in family.examples:
        blocks += [
            Heading(say(words.RAISES)),
            Verbatim(one.of(one.raises).rstrip()),
            Heading(say(words.QUIET)),
            Verbatim(one.of(one.quiet).rstrip()),
        ]
    terminal.show(layout(blocks, terminal.width, terminal.fit))


def _file(request: Request) -> Path:
    return request.answers or (request.book.answers if request.book is not None else Path(FILE))


def _answers(request: Request) -> Mapping[str, Answer]:
    if request.answers is not None and not request.answers.exists():
        raise complaint("answers", words.NO_ANSWERS, str(request.answers))
    path = _file(request)
    return read_answers(path, request.book and request.book.known) if path.exists() else {}


def _show(terminal: Terminal, request: Request, asked: Asked, found: Kept, unsure: int, listed: int) -> None:
    say = terminal.phrase
    places = sum(len(one.places) for one in found.questions)
    settled = sum(one.places for one in asked.settled)
    blocks: list[Block] = [
        Facts(
            say(
                words.TOTAL,
                file=asked.source.file,
                count=len(found.questions),
                places=places,
                families=len(asked.families),
                settled=settled,
                answered=len(found.answered),
            )
        ),
        *(Para(say(note)) for note in asked.source.notes),
    ]
    stake = None
    for question in found.questions:
        if question.family.stake is not stake:
            stake = question.family.stake
            blocks.append(Heading(say(STAKES[stake])))
        blocks += _blocks(terminal, asked, question)
    if request.answered:
        blocks.append(Heading(say(words.SETTLED), str(settled + len(found.answered))))
        blocks += [
            Para(
                say(
                    words.SETTLED_AT if one.where else words.SETTLED_ALL,
                    family=one.family.id,
                    title=one.family.title,
                    by=one.by,
                    where=one.where or "",
                    count=one.places,
                )
            )
            for one in asked.settled
        ]
        blocks += [
            Para(say(words.ANSWERED, id=place.id, answer=say(words.ANSWER[given.kind], said=given.said)))
            for place, given in found.answered
        ]
    blocks += [Para(say(words.STALE, id=name)) for name in found.stale]
    if unsure:
        blocks.append(Para(say(words.UNSURE, count=unsure, file=request.typed)))
    if listed:
        blocks.append(Para(say(words.CHECKLIST, count=listed, file=request.typed)))
    terminal.show(layout(blocks, terminal.width, terminal.fit))
    if found.questions:
        first = found.questions[0].id.rpartition("-")[0]
        terminal.say(words.NEXT, family=found.questions[0].family.id, id=first, file=request.typed)


def _blocks(terminal: Terminal, asked: Asked, question: Question) -> list[Block]:
    say = terminal.phrase
    first = question.places[0]
    where = asked.source.places.get(first.line, f"{first.line}:{first.column}")
    others = [name for name in dict.fromkeys(place.clause for place in question.places) if name != first.clause]
    named = "、".join(others[:MOST_CLAUSES]) if terminal.lang == "ja" else ", ".join(others[:MOST_CLAUSES])
    more = (
        say(words.ALSO, clauses=named + (" …" if len(others) > MOST_CLAUSES else ""), count=len(others))
        if others
        else ""
    )
    return [
        Facts(f"{where}  {first.clause}  [{question.id}]"),
        Para(say(question.words)),
        Para(say(words.USUAL, text=question.family.usual)),
        *([Para(more)] if more else []),
    ]


# ---------------------------------------------------------------- for programs
def questions_as_json(asked: Asked, found: Kept, unsure: int, listed: int) -> dict[str, Any]:
    """The questions, how many more were not sure enough, how many places more a checklist has, what answers the rest, and answers that no longer fit."""
    return {
        "schema": SCHEMA,
        "kind": "questions",
        "file": asked.source.file,
        "families": [one.id for one in asked.families],
        "questions": [
            {
                "id": one.id,
                "family": one.family.id,
                "stake": one.family.stake.name.lower(),
                "by_shape": one.by_shape,
                "question": plain(one.words),
                "usual": plain(one.family.usual),
                "clauses": list(one.clauses),
                "places": [
                    {
                        "id": place.id,
                        "clause": place.clause,
                        "line": place.line,
                        "column": place.column,
                        "place": asked.source.places.get(place.line, f"{place.line}:{place.column}"),
                        "phrase": place.phrase,
                        "other": place.other,
                    }
                    for place in one.places
                ],
            }
            for one in found.questions
        ],
        "settled": [
            {"family": one.family.id, "by": one.by, "clause": one.where, "places": one.places} for one in asked.settled
        ],
        "answered": [
            {"id": place.id, "kind": given.kind.value, "answer": plain(given.said)} for place, given in found.answered
        ],
        "stale": list(found.stale),
        "checklist": listed,
        "unsure": unsure,
    }


def family_as_json(family: Family) -> dict[str, Any]:
    """A family."""
    return {
        "id": family.id,
        "stake": family.stake.name.lower(),
        "title": plain(family.title),
        "asks": plain(family.asks),
        "matters": plain(family.matters),
        "usual": plain(family.usual),
        "examples": [{"raises": one.of(one.raises), "quiet": one.of(one.quiet)} for one in family.examples],
    }
