"""What runs looked at, how far, and what they found: the overview before the findings themselves."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ...spec.text import Lang, Text
from . import words
from .claims import QUESTION, asked_only, looked_at, together, untold, worlds
from .cut_off import is_begun, is_cut, is_divided
from .layout import Block, Field, Heading, Para, Table, Title
from .names import NO_NAMES, Names
from .page import (
    assumptions,
    bounds,
    bulleted,
    decision,
    facts,
    headline,
    not_asked,
    notes,
    readings,
    scripted,
    speaker,
)
from .record import CheckResult, Decided, Finding, Given
from .steps import Say

IN_A_ROW = 5
"""So many sentences about how far was looked stand in one paragraph."""


def opening_page(results: Sequence[CheckResult], lang: Lang, names: Names = NO_NAMES) -> list[Block]:
    """What was looked at, and what was found in it: one line for each finding, before the findings themselves."""
    say = speaker(lang)
    first, book = results[0], names.book(results[0].book)
    blocks: list[Block] = [
        Title(headline(first.title, say)),
        Field(say(words.SCENARIO), f"{first.book}/{first.scenario}" + (f" ({say(book)})" if book else "")),
    ]
    if len(results) == 1:
        blocks.append(Field(say(words.READINGS), chosen_readings(first, say, names)))
    return [*blocks, *taken(results, say), *_found(once(results, names), results, say)]


def once(results: Iterable[CheckResult], names: Names = NO_NAMES) -> list[Finding]:
    """Every finding of several results once, in order; what is found only under answers that are not the defaults comes last."""
    first: dict[str, Finding] = {}
    for result in results:
        for finding in result.findings:
            first.setdefault(finding.id, finding)
    return sorted(first.values(), key=lambda f: not by_default(f, names))


def by_default(finding: Finding, names: Names) -> bool:
    """Is it found under the default readings?"""
    return all(names.default(finding.book, reading) in (None, answer) for reading, answer in finding.readings.items())


def taken(results: Sequence[CheckResult], say: Say, counted: Text = words.NOT_ASKED_COUNT) -> list[Block]:
    """What the results take as given (how readings are, is told beside them), and of how many places they say nothing."""
    given, left = together([one.bounds for one in results])
    blocks = assumptions([a for a in given if a.values not in (("any",), ("default",))], say)
    return [*blocks, Field(say(words.NOT_ASKED), say(counted, count=len(left)))] if left else blocks


def chosen_readings(result: CheckResult, say: Say, names: Names) -> str:
    """The readings of a run, and what the others are."""
    any_other = any(a.kind is Given.READINGS and a.values == ("any",) for a in result.bounds.assumptions)
    said = readings(result.book, result.readings, say, names)
    return "\n".join(x for x in (said, say(words.ANY_READINGS)) if x) if any_other else said or say(words.NO_READINGS)


def not_found(results: Sequence[CheckResult], say: Say) -> str:
    """That nothing was found, and where it was looked for; of what there was nothing to look at, that it was not examined."""
    if nothing := nothing_examined(results, say):
        return nothing
    if many := untold(results):
        return say(words.FOUND_UNTOLD, count=many)
    where = worlds(together([one.bounds for one in results])[0])
    said = say(words.NOT_FOUND) if where is None else say(words.NOT_FOUND_IN, worlds=where)
    return "\n".join([said, *unexamined(results, say)])


def unexamined(results: Sequence[CheckResult], say: Say) -> list[str]:
    """What was not looked for, and what there was nothing to look at of, if anything."""
    empty = [question for question, count in looked_at(results).items() if not count]
    return [say(words.UNASKED if is_divided(results) else words.NOT_EXAMINED, what=listed(empty, say))] if empty else []


def nothing_examined(results: Sequence[CheckResult], say: Say) -> str:
    """That nothing at all was examined; empty where something was."""
    if not any(map(is_begun, results)):
        return say(words.NOT_BEGUN)
    chances = looked_at(results)
    return (
        say(words.UNASKED if is_divided(results) else words.NOTHING_EXAMINED, what=listed(chances, say))
        if chances and not any(chances.values())
        else ""
    )


def caveats(results: Sequence[CheckResult], say: Say) -> list[tuple[Text, str]]:
    """What a bare list of findings would leave unsaid, each with its heading: that nothing was examined, what was cut off and why, where a
    result is not as its scenario expects."""
    short = [one for one in results if not one.bounds.complete]
    said = [say(words.CUT_OFF_TOTAL, count=cut, results=len(results))] if (cut := sum(map(is_cut, results))) else []
    said += [say(words.ASKED_SOME)] if any(asked_only(one.bounds) for one in short) else []
    said += dict.fromkeys(note for one in short for note in notes(one.bounds, say))
    said += [say(words.FOUND_UNTOLD, count=many)] if (many := untold(results)) else []
    told = [(words.UNEXAMINED, nothing_examined(results, say)), (words.CUT_SHORT, say(words.SENTENCE).join(said)),
            *((words.UNEXPECTED, say(line)) for one in results for line in one.unexpected)]
    return [(heading, text) for heading, text in dict.fromkeys(told) if text]


def listed(questions: Iterable[str], say: Say) -> str:
    """What is looked for, in words."""
    return say(words.LIST).join(say(QUESTION[q]) for q in questions)


def closing_page(results: Sequence[CheckResult], lang: Lang, names: Names = NO_NAMES) -> list[Block]:
    """How it was under each set of readings, how play ended, and how far was looked: after the findings. The clauses that never
    came up are told by `unused_blocks`."""
    say = speaker(lang)
    first = results[0]
    extent = [*scripted(first.policies, say), *_extent(results, say)]
    extent += [say(words.SYMMETRY)] if any(one.symmetry for one in results) else []
    looked = Counter[tuple[Text, bool]]()
    for one in results:
        for of in one.examined:
            looked[of.what, bool(of.question)] += of.count
    asides = [readings(one.book, one.readings, say, names) if len(results) > 1 else "" for one in results]
    return [
        *(_by_readings(results, say, names) if len(results) > 1 else _ends(first, say)),
        Heading(say(words.RANGE)),
        Para(say(words.SENTENCE).join(extent) if len(extent) <= IN_A_ROW else in_lines(extent, say)),
        *not_asked(together([one.bounds for one in results])[1], say),
        *_looked_for(
            looked.items(),
            say,
            words.LOOKED_FOR if len(results) == 1 else words.LOOKED_FOR_ALL,
            words.NOT_DIVIDED if is_divided(results) else words.NO_CHANCE,
        ),
        *(block for one, aside in zip(results, asides, strict=True) for block in unexpected(one, say, aside)),
    ]


def in_lines(sentences: Sequence[str], say: Say) -> str:
    """Many sentences, each but the first on a line of its own."""
    return f"{sentences[0]}\n{bulleted(sentences[1:], say)}"


def _extent(results: Sequence[CheckResult], say: Say) -> list[str]:
    """How far was looked."""
    if all(asked_only(one.bounds) for one in results):
        if nothing := nothing_examined(results, say):
            return [nothing, *(said for one in results for said in notes(one.bounds, say))]
        whole = all(one.bounds.complete for one in results)
        return [
            say(words.ASKED_ALL if whole else words.ASKED_SOME),
            *(said for one in results for said in notes(one.bounds, say)),
        ]
    if len(results) == 1:
        return bounds(results[0].bounds, say)
    whole = all(one.bounds.complete for one in results)
    return [
        say(words.COMPLETE if whole else words.CUT_OFF),
        *dict.fromkeys(said for one in results for said in notes(one.bounds, say)),
    ]


def _by_readings(results: Sequence[CheckResult], say: Say, names: Names) -> list[Block]:
    """What was found under each set of readings, and how play ended where it did; a question with several answers is asked once."""
    rows: list[tuple[str, ...]] = []
    asked = ""
    for one in results:
        said = readings(one.book, one.readings, say, names)
        question, arrow, answer = said.rpartition(ANSWER)
        if arrow and "\n" not in said:
            if question != asked:
                rows.append((question,))
            said = arrow.lstrip() + answer
        asked = question if arrow and "\n" not in said else ""
        ends = say(words.LIST).join(_endings(one, say))
        cut = "" if one.bounds.complete else say(words.CUT_MARK)
        rows.append(
            (_listed(said, say) or say(words.NO_READINGS), _outcome(one, say) + cut, ends or say(words.NOBODY_CHOOSES))
        )
    return [Heading(say(words.BY_READINGS)), Table(tuple(say(word) for word in words.BY_READINGS_HEADER), tuple(rows)),
            *([Para(say(words.DEFAULTS))] if not all(one.readings for one in results) else [])]


ANSWER = " → "
"""What stands between the question of a reading and its answer."""


def _listed(lines: str, say: Say) -> str:
    """The lines with marks before them, if there are several."""
    return lines if "\n" not in lines else bulleted(lines.split("\n"), say)


def unused_blocks(results: Sequence[CheckResult], say: Say, listed: bool = True) -> list[Block]:
    """The clauses that came up in none of the runs, by number or only how many; nothing where that was not asked for."""
    done = [one.exercised for one in results if one.exercised is not None]
    if not done or len(done) < len(results):
        return []
    never = [clause for clause in done[0].never if all(clause in other.never for other in done)]
    idle = [
        Para(say(words.IDLE_TEXT, text=say(text))) for text in dict.fromkeys(text for one in done for text in one.texts)
    ]
    if never and not listed:
        return [Heading(say(words.NEVER_EXERCISED)), Para(say(words.NEVER_COUNTED, count=len(never))), *idle]
    counted = [Para(say(words.EXERCISED, done=done[0].clauses, never=len(never)))] if len(done) == 1 else []
    return [
        Heading(say(words.NEVER_EXERCISED)),
        *counted,
        Para(say(words.LIST).join(never) or say(words.NONE_LEFT)),
        *idle,
    ]


def _outcome(result: CheckResult, say: Say) -> str:
    """What was found, by the ids."""
    if not is_begun(result):
        return say(words.NOT_BEGUN)
    return "\n".join(f.id for f in result.findings if f.is_defect) or (
        say(words.FOUND_UNTOLD, count=many) if (many := untold([result])) else say(words.NOT_FOUND))


def _endings(result: CheckResult, say: Say) -> list[str]:
    """How play ended, where it did: who won, if it is few ends; else of which sort they are."""
    if result.endings:
        return [say(one) for one in result.endings]
    return [say(words.END[outcome]) if outcome in words.END else outcome for outcome in sorted(result.outcomes)]


def _looked_for(
    looked: Iterable[tuple[tuple[Text, bool], int]],
    say: Say,
    heading: Text = words.LOOKED_FOR,
    none: Text = words.NO_CHANCE,
) -> list[Block]:
    """How often; where that is how often something had a chance to be found, that 0 says nothing (`none`)."""
    rows = [(say(what), say(none) if chance and not count else f"{count:,}") for (what, chance), count in looked]
    return [Heading(say(heading)), Table(tuple(say(word) for word in words.LOOKED_HEADER), tuple(rows))] if rows else []


def _ends(result: CheckResult, say: Say) -> list[Block]:
    rows = [(say(words.END[outcome]) if outcome in words.END else outcome, f"{count:,}")
            for outcome, count in sorted(result.outcomes.items())]
    return (
        [Heading(say(words.OUTCOMES)), Table(tuple(say(word) for word in words.OUTCOMES_HEADER), tuple(rows))]
        if rows
        else []
    )


def _found(findings: Sequence[Finding], results: Sequence[CheckResult], say: Say) -> list[Block]:
    """The findings, then the hints."""
    found, hints = ([f for f in findings if f.hint is hint] for hint in (False, True))
    blocks: list[Block] = [Heading(say(words.FOUND))]
    blocks += (
        [*(finding_line(finding, say) for finding in found), *map(Para, unexamined(results, say))]
        if found
        else [Para(not_found(results, say))]
    )
    if hints:
        blocks += [Heading(say(words.HINTS)), *(finding_line(finding, say) for finding in hints)]
    return blocks


def unexpected(result: CheckResult, say: Say, aside: str = "") -> list[Block]:
    """Where the result differs from what the scenario expects."""
    lines = [Para(say(one)) for one in result.unexpected]
    return [Heading(say(words.UNEXPECTED), aside.replace("\n", say(words.LIST))), *lines] if lines else []


def finding_line(finding: Finding, say: Say) -> Block:
    """A finding in one line: id, what happens, what sort of thing it is."""
    lines = [f"{finding.id}  {headline(finding.title, say)}", say(words.FACTS).join(facts(finding, say))]
    if finding.decision is not None:
        lines.append(decision(finding.decision, say))
    if finding.decision is not None and finding.decision.status is Decided.FIXED:
        lines.append(say(words.FIXED_AND_FOUND))
    return Para("\n    ".join(lines))
