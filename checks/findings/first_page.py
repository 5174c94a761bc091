"""The first page about a book: what was examined, what is wrong, what is left open, and what to type next, in the words of `words`."""
from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Sequence

from ...spec.text import Lang, Text
from . import words
from .claims import QUESTION
from .layout import Block, Field, Fit, Heading, Line, Para, Title, Verbatim, cells, layout, pad
from .overview import listed
from .page import decision, headline, speaker
from .record import FindingClass, Origin, said_together
from .steps import Say
from .summary import BookSummary, Chapter, Defect, Looked

LINES = 60
"""A page has no more lines than this; defects that do not fit are counted."""
LONGEST = 32
"""Cells that the title of a chapter takes at most."""
QUESTIONS = 5
"""Open questions that are told one by one, where not everything is."""
COMMAND = 60
"""What says of a command what it does stands behind the longest one, unless it is longer than that."""
FIRST_QUESTIONS = ("conflicts", "gaps", "norms")
"""What is proposed to be asked about every position: of all questions, those that take minutes and no longer."""


def page_lines(
    summary: BookSummary,
    lang: Lang,
    target: str,
    width: int,
    fit: Fit = str,
    quote: Callable[[str], Block] | None = None,
    more: str = "",
) -> list[Line]:
    """The page laid out, with as many defects as fit on it (with quotes, all)."""
    return next(
        lines
        for most in range(len(summary.defects), -1, -1)
        if len(lines := layout(first_page(summary, lang, target, most, quote, more), width, fit)) <= LINES
        or not most
        or quote
    )


def first_page(
    summary: BookSummary,
    lang: Lang,
    target: str,
    most: int | None = None,
    quote: Callable[[str], Block] | None = None,
    more: str = "",
) -> list[Block]:
    """The page. `target`: what was typed for the scenarios; `more`: with every command; `most`: of the defects no more than these; `quote`: what the user's own
    draft has of a clause."""
    say = speaker(lang)
    return [
        Title(headline(summary.title, say) if summary.title else summary.book), *_examined(summary, say),
        *_defects(summary, say, most, quote),
        *_questions(summary, say, None if most is None else QUESTIONS, quote), *_next(summary, say, target, more)]


# ---------------------------------------------------------------- what was examined
def _examined(summary: BookSummary, say: Say) -> list[Block]:
    played = say(
        words.EXAMINED_PLAYS,
        scenarios=f"{summary.scenarios:,}",
        runs=f"{summary.runs:,}",
        positions=f"{summary.positions:,}",
    )
    looked = [played] if summary.runs or not summary.asked else []
    if any(one.count for one in summary.asked):
        looked.append(say(words.EXAMINED_ALL, asked=_counted([one for one in summary.asked if one.count], say)))
    cut: list[str] = []
    if summary.cut:
        why = say(words.LIST).join(
            say(
                words.CUT_OTHERWISE if one.why in ("user", "lost", "not modelled", "unshown") else words.CUT_COUNTED,
                why=words.CUT_WHY[one.why],
                count=one.runs,
            )
            for one in summary.cut
        )
        plays = sum(one.count for one in summary.looked if one.question == "plays")
        cut.append(
            say(
                words.CUT_PLAYED if plays else words.CUT_RUNS,
                runs=f"{summary.runs:,}",
                cut=summary.cut_runs,
                why=why,
                plays=f"{plays:,}",
            )
        )
    if summary.asked_cut:
        cut.append(say(words.CUT_ASKED, count=summary.not_asked))
    left = (
        [
            say(
                words.UNEXAMINED_DIVIDED if summary.divided else words.UNEXAMINED_KIND,
                what=listed(summary.not_examined, say),
            )
        ]
        if summary.not_examined
        else []
    )
    if summary.never:
        left.append(say(words.UNEXAMINED_SCENARIOS, count=len(summary.never), names=_some(summary.never, say)))
    if summary.scripted:
        left.append(say(words.UNEXAMINED_CHOICES, count=summary.scripted))
    if not summary.asked:
        left.append(say(words.UNEXAMINED_ALL))
    return [
        Field(say(words.EXAMINED), say(words.SENTENCE).join(looked) or say(words.NONE_CUT)),
        Field(say(words.CUT_SHORT), say(words.SENTENCE).join(cut) or say(words.NONE_CUT)),
        *([Field(say(words.UNEXAMINED), say(words.APART).join(left) + say(words.FULL_STOP))] if left else []),
        *([Field(say(words.UNEXPECTED), _some(summary.unexpected, say))] if summary.unexpected else [])]


def _counted(looked: Sequence[Looked], say: Say) -> str:
    return say(words.LIST).join(
        say(words.COUNTED, what=QUESTION[one.question], count=f"{one.count:,}") for one in looked
    )


NAMED = 3
"""Scenarios that are named in a line; of more, how many there are."""


def _some(scenarios: Sequence[str], say: Say) -> str:
    more = len(scenarios) - NAMED
    return say(words.LIST).join([*scenarios[:NAMED], *([say(words.MORE_SCENARIOS, count=more)] if more > 0 else [])])


# ---------------------------------------------------------------- what is wrong
def _defects(summary: BookSummary, say: Say, most: int | None, quote: Callable[[str], Block] | None) -> list[Block]:
    """What is wrong with the book, and apart from that where its encoding is not done."""
    told, left = summary.defects[:most], summary.defects[len(summary.defects[:most]):]
    unencoded = [d for d in told if d.cls is FindingClass.DEFECT]
    blocks = _told(summary, [d for d in told if d not in unencoded], say, quote)
    if left:
        blocks.append(Para(say(words.MORE_GRADED, count=len(left), grades=_grades(left, say))))
    if unencoded:
        blocks.append(Heading(say(words.UNENCODED, count=sum(d.cls is FindingClass.DEFECT for d in summary.defects))))
        blocks += [line for defect in unencoded for line in _line(defect, say, quote)]
    return blocks


def _told(summary: BookSummary, told: Sequence[Defect], say: Say, quote: Callable[[str], Block] | None) -> list[Block]:
    """Each in a few lines, in the order in which they are; what is not to be done any more, or not by default, under a line of its own."""
    wrong = [d for d in summary.defects if d.cls is not FindingClass.DEFECT]
    settled = sum(not d.counts for d in wrong)
    heading = Heading(say(words.DEFECTS, count=len(wrong), open=len(wrong) - settled, settled=settled))
    if not wrong:
        examined = summary.runs or any(one.count for one in summary.asked)
        return [heading, Para(say(words.NO_DEFECTS if examined else words.NOT_BEGUN))]
    blocks: list[Block] = [heading, Para(say(words.GRADES))]
    above: Text | None = None
    for defect in told:
        section = words.DEFECTS_DECIDED if not defect.counts else None if defect.by_default else words.DEFECTS_ELSEWHERE
        if section not in (None, above):
            blocks.append(Para(say(section)))
        above = section
        blocks += _line(defect, say, quote)
    return blocks


def _line(defect: Defect, say: Say, quote: Callable[[str], Block] | None) -> list[Block]:
    """A defect in a few lines."""
    line = Field(" ".join((_grade(defect), defect.id.rsplit("-", 1)[-1], _needs(defect, say))), _sentence(defect, say))
    return [line, *([quote(clause) for clause in defect.clauses] if quote is not None else [])]


def _grade(defect: Defect) -> str:
    """How grave it is; a mistake of the encoding has no grade."""
    return defect.severity.value if defect.severity else "-"


def _needs(defect: Defect, say: Say) -> str:
    """The cards that it takes."""
    if defect.origin is None:
        return "-"
    return say(
        words.NEEDS[defect.origin]
        if defect.needs_texts or defect.origin is not Origin.CARDS
        else words.NEEDS[Origin.ORDINARY]
    )


def _sentence(defect: Defect, say: Say) -> str:
    """What happens, by which clauses, and where it is seen."""
    stop, space = say(words.FULL_STOP), say(words.SENTENCE)
    title = headline(defect.title, say).removesuffix(stop)
    clauses = [clause for clause in defect.clauses if clause not in title]
    said = [say(words.DEFECT_BY, title=title, clauses=say(words.LIST).join(clauses)) if clauses else title]
    said += [say(c.failing) for c in defect.unmet if c.failing]
    said += [say(words.STOPS[defect.keepers]), _then(defect, say)] if defect.keepers else []
    if forms := len(defect.findings) - 1:
        some = defect.counts and defect.settled
        said.append(say(words.OTHER_FORMS_SETTLED if some else words.OTHER_FORMS, count=forms, settled=defect.settled))
    more = len(defect.scenarios) - 1
    scenario = say(words.ANYWHERE_TITLE) if defect.scenario == words.ANYWHERE else defect.scenario
    shown = say(words.DEFECT_SHOWN_MORE if more else words.DEFECT_SHOWN, scenario=scenario, more=more)
    marks = [
        *([say(words.KNOWN)] if defect.known else []),
        *([decision(defect.decision, say)] if defect.decision else []),
    ]
    return space.join(
        [*(part[:1].upper() + part[1:] + ("" if part.endswith("?") else stop) for part in said), shown, *marks]
    )


def _then(defect: Defect, say: Say) -> str:
    """What the clauses about loops make of a loop."""
    applied = [v for v in defect.verdicts if v.answer == "applies"]
    if len(applied) == 1 and (one := said_together(applied)) is not None:
        return say(one)
    if applied:
        return say(words.LOOP_CLAUSES, clauses=say(words.AND).join(v.clause for v in applied))
    return say(words.NO_LOOP_CLAUSE_APPLIES if defect.verdicts else words.NO_LOOP_CLAUSE)


# ---------------------------------------------------------------- what is left open, and what comes next
def _questions(summary: BookSummary, say: Say, most: int | None, quote: Callable[[str], Block] | None) -> list[Block]:
    """What the book does not decide: the gravest questions, and how many there are in each chapter."""
    asked, hints = (sum(getattr(one, word) for one in summary.chapters) for word in ("readings", "hints"))
    chapters = say(words.LIST).join(
        say(words.COUNTED, what=_called(one, say), count=one.readings) for one in summary.chapters if one.readings
    )
    told = summary.questions[:most]
    said = (
        [say(words.MORE_GRADED, count=left, grades=_grades(summary.questions[len(told) :], say))]
        if (left := len(summary.questions) - len(told))
        else []
    )
    said += [
        *([say(words.OPEN_CHAPTERS, chapters=chapters)] if chapters else []),
        *([say(words.OPEN_HINTS, count=hints)] if hints else []),
    ]
    heading = say(
        words.OPEN_QUESTIONS if summary.runs else words.OPEN_QUESTIONS_ONLY, count=asked, parting=len(summary.questions)
    )
    return [
        Heading(heading),
        *(line for one in told for line in _line(one, say, quote)),
        *([Para(say(words.SENTENCE).join(said))] if said else []),
    ]


def _grades(defects: Sequence[Defect], say: Say) -> str:
    """How many there are of each grade."""
    return say(words.LIST).join(f"{grade} {n}" for grade, n in Counter(map(_grade, defects)).items())


def _called(chapter: Chapter, say: Say) -> str:
    """A chapter by its number, with its title if it has one: what is longer than that tells what is in it."""
    title = say(chapter.title) if chapter.title else ""
    return (
        chapter.id if not title or cells(title) > LONGEST or title.startswith(chapter.id) else f"{chapter.id} {title}"
    )


def _next(summary: BookSummary, say: Say, target: str, more: str) -> list[Block]:
    rows: list[tuple[str, Text]] = []
    if (told := next((d for d in (*summary.defects, *summary.questions) if d.counts), None)) is not None:
        first = shlex.quote(told.id)
        unencoded = told.cls is FindingClass.DEFECT
        rows += [(f"coverage {summary.book}", words.NEXT_COVERAGE)] if unencoded else [
            (f"explain {first}", words.NEXT_EXPLAIN), (f"decide {first} open", words.NEXT_DECIDE)]
    if not summary.asked:
        rows.append((f"check {summary.book} --only {','.join(FIRST_QUESTIONS)}", words.NEXT_ALL))
    rows.append((f"check {target} --scenarios", words.NEXT_LOG))
    rows = [(f"{command} {more}".strip(), text) for command, text in rows]
    longest = max((n for command, _ in rows if (n := cells(command)) <= COMMAND), default=0)
    return [Heading(say(words.NEXT)), Verbatim("\n".join(f"rulewright {pad(command, longest)}  # {say(text)}" for command, text in rows))]
