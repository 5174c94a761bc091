"""What runs looked at, how far, and what they found: the overview before the findings themselves."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ...spec.text import Lang, Text
from .. import words
from .layout import Block, Field, Heading, Para, Table, Title
from .page import NO_NAMES, Names, bounds, decision, facts, notes, readings, scripted, speaker
from .record import CheckResult, Decided, Finding
from .steps import Say


def result_page(result: CheckResult, lang: Lang, names: Names = NO_NAMES, unused: bool = True) -> list[Block]:
    """What one run looked at, how far, and what it found: one line for each finding. `unused`: with the clauses that never
    came up."""
    say = speaker(lang)
    book = names.book(result.book)
    chosen = readings(result.book, result.readings, say, names) or say(words.NO_READINGS)
    extent = [*scripted(result.policies, say), *bounds(result.bounds, say)]
    if result.symmetry:
        extent.append(say(words.SYMMETRY))
    extent.append(say(words.SECONDS, seconds=f"{result.seconds:.1f}"))
    blocks: list[Block] = [
        Title(say(result.title)),
        Field(say(words.SCENARIO), f"{result.book}/{result.scenario}" + (f" ({say(book)})" if book else "")),
        Field(say(words.READINGS), chosen),
        *_found({f.id: f for f in result.findings}, [result], say),
        *_ends(result.outcomes, say),
        Heading(say(words.RANGE)), Para(say(words.SENTENCE).join(extent)),
        *_looked_for([(one.what, one.count) for one in result.examined], say),
    ]
    return [*blocks, *(unused_blocks([result], say) if unused else ()), *unexpected(result, say)]


def overview_page(results: Sequence[CheckResult], lang: Lang, names: Names = NO_NAMES) -> list[Block]:
    """Runs over one scenario under several readings, side by side; a single run as `result_page`. The clauses that never came
    up are told by `unused_blocks`."""
    if len(results) == 1:
        return result_page(results[0], lang, names, unused=False)
    say = speaker(lang)
    first, book = results[0], names.book(results[0].book)
    rows = [(_listed(readings(one.book, one.readings, say, names)) or say(words.NO_READINGS), _outcome(one, say),
             f"{one.bounds.states:,}" + ("" if one.bounds.complete else say(words.CUT_MARK))) for one in results]
    extent = scripted(first.policies, say)
    extent.append(say(words.COMPLETE if all(one.bounds.complete for one in results) else words.CUT_OFF))
    extent += dict.fromkeys(said for one in results for said in notes(one.bounds, say))
    extent += [say(words.SYMMETRY)] if any(one.symmetry for one in results) else []
    extent.append(say(words.SECONDS, seconds=f"{sum(one.seconds for one in results):.1f}"))
    looked = Counter[Text]()
    for one in results:
        looked.update({of.what: of.count for of in one.examined})
    ends = [(under, one.outcomes) for one, (under, *_) in zip(results, rows, strict=True)]
    return [
        Title(say(first.title)),
        Field(say(words.SCENARIO), f"{first.book}/{first.scenario}" + (f" ({say(book)})" if book else "")),
        Heading(say(words.BY_READINGS)), Table(tuple(say(word) for word in words.BY_READINGS_HEADER), tuple(rows)),
        *_found({f.id: f for one in reversed(results) for f in reversed(one.findings)}, results, say),
        *_ends_by_readings(ends, say),
        Heading(say(words.RANGE)), Para(say(words.SENTENCE).join(extent)),
        *_looked_for(looked.items(), say, words.LOOKED_FOR_ALL),
        *(block for one in results for block in unexpected(one, say, readings(one.book, one.readings, say, names))),
    ]


def _listed(lines: str) -> str:
    """The lines with marks before them, if there are several."""
    return lines if "\n" not in lines else "\n".join(f"・{line}" for line in lines.split("\n"))


def unused_blocks(results: Sequence[CheckResult], say: Say) -> list[Block]:
    """The clauses that came up in none of the runs; nothing where that was not asked for."""
    done = [one.exercised for one in results if one.exercised is not None]
    if not done or len(done) < len(results):
        return []
    never = [clause for clause in done[0].never if all(clause in other.never for other in done)]
    counted = [Para(say(words.EXERCISED, done=done[0].clauses, never=len(never)))] if len(done) == 1 else []
    return [Heading(say(words.NEVER_EXERCISED)), *counted, Para(say(words.LIST).join(never) or say(words.NONE_LEFT))]


def _outcome(result: CheckResult, say: Say) -> str:
    """What was found, by the ids, or how play ended where nothing was."""
    found = [f"{f.id}" for f in result.findings if not f.hint]
    if found:
        return "\n".join(found)
    ends = [say(words.END[outcome]) if outcome in words.END else outcome for outcome in sorted(result.outcomes)]
    return say(words.NOT_FOUND) + (say(words.ENDS_BRIEF, ends=say(words.LIST).join(ends)) if ends else "")


def _looked_for(looked: Iterable[tuple[Text, int]], say: Say, heading: Text = words.LOOKED_FOR) -> list[Block]:
    rows = [(say(what), f"{count:,}" if count else say(words.NO_CHANCE)) for what, count in looked]
    return [Heading(say(heading)), Table(tuple(say(word) for word in words.LOOKED_HEADER), tuple(rows))] if rows else []


def _ends(outcomes: Mapping[str, int], say: Say) -> list[Block]:
    rows = [(say(words.END[outcome]) if outcome in words.END else outcome, f"{count:,}")
            for outcome, count in sorted(outcomes.items())]
    return [Heading(say(words.OUTCOMES)), Table(tuple(say(word) for word in words.OUTCOMES_HEADER), tuple(rows))] if rows else []


def _ends_by_readings(ends: Sequence[tuple[str, Mapping[str, int]]], say: Say) -> list[Block]:
    """How play ended under which readings; where it is the same under all of them, only how."""
    if all(outcomes == ends[0][1] for _, outcomes in ends):
        return _ends(ends[0][1], say)
    rows = [("" if k else under, say(words.END[end]) if end in words.END else end, f"{n:,}")
            for under, outcomes in ends for k, (end, n) in enumerate(sorted(outcomes.items()))]
    header = (words.BY_READINGS_HEADER[0], *words.OUTCOMES_HEADER)
    return [Heading(say(words.OUTCOMES)), Table(tuple(say(word) for word in header), tuple(rows))]


def _found(findings: Mapping[str, Finding], results: Sequence[CheckResult], say: Say) -> list[Block]:
    """The findings in the order in which they came up first, then the hints."""
    order = list(dict.fromkeys(f.id for one in results for f in one.findings))
    found = [findings[k] for k in order if not findings[k].hint]
    hints = [findings[k] for k in order if findings[k].hint]
    blocks: list[Block] = [Heading(say(words.FOUND))]
    blocks += [finding_line(finding, say) for finding in found] or [Para(say(words.NOT_FOUND))]
    if hints:
        blocks += [Heading(say(words.HINTS)), *(finding_line(finding, say) for finding in hints)]
    return blocks


def unexpected(result: CheckResult, say: Say, aside: str = "") -> list[Block]:
    """Where the result differs from what the scenario expects."""
    lines = [Para(say(one)) for one in result.unexpected]
    return [Heading(say(words.UNEXPECTED), aside.replace("\n", say(words.LIST))), *lines] if lines else []


def finding_line(finding: Finding, say: Say) -> Block:
    """A finding in one line: id, what happens, what sort of thing it is."""
    lines = [f"{finding.id}  {say(finding.title)}", say(words.FACTS).join(facts(finding, say))]
    if finding.decision is not None:
        lines.append(decision(finding.decision, say))
    if finding.decision is not None and finding.decision.status is Decided.FIXED:
        lines.append(say(words.FIXED_AND_FOUND))
    return Para("\n    ".join(lines))
