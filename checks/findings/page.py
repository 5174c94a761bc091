"""What is said about a finding, and in which order: the page that a meeting can decide on."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ...spec.text import Lang, Text
from .. import words
from .layout import Block, Facts, Field, Heading, Items, Para, Table, Title
from .record import Bounds, CheckResult, ClauseVerdict, Decided, Decision, Finding, Keepers, Origin
from .steps import MANY_CLAUSES, Say, cycle_items, stem_rows

FIRST_CLAUSES = 5
"""So many clauses are named where there are very many."""


class Names(Protocol):
    """What the rule books call things; `None` where they have no words for it."""

    def book(self, book: str, /) -> Text | None:
        """The rule book with its edition."""
        ...

    def clause(self, book: str, clause: str, /) -> Text | None:
        """What the clause is about, in a few words."""
        ...

    def reading(self, book: str, reading: str, alternative: str, /) -> Text | None:
        """What is taken for granted when this alternative is chosen."""
        ...


class NoNames:
    """Nothing has a name: ids are shown."""

    def book(self, book: str, /) -> Text | None:
        return None

    def clause(self, book: str, clause: str, /) -> Text | None:
        return None

    def reading(self, book: str, reading: str, alternative: str, /) -> Text | None:
        return None


NO_NAMES = NoNames()


def speaker(lang: Lang) -> Say:
    """Says phrases in a language; texts among the values are said in it too."""

    def say(phrase: Text, **values: object) -> str:
        said = phrase.in_(lang)
        filled = {key: value.in_(lang) if isinstance(value, Text) else value for key, value in values.items()}
        return said.format(**filled) if values else said

    return say


def finding_page(finding: Finding, lang: Lang, names: Names = NO_NAMES) -> list[Block]:
    """The whole page of a finding."""
    say = speaker(lang)
    return [
        *_head(finding, say, names),
        Heading(say(words.SUMMARY)),
        Para(say(finding.summary)),
        *_start(finding, say),
        *_course(finding, say, names),
        *_outcomes(finding, say),
        *_stoppers(finding, say),
        *_verdicts(finding.clause_verdicts, say),
        *_as_written(finding, say),
        *_range(finding, say),
        *_question(finding, say),
    ]


def _head(finding: Finding, say: Say, names: Names) -> list[Block]:
    clauses = several(finding.clauses, say)
    if finding.related:
        clauses = say(words.RELATED, clauses=clauses, related=several(finding.related, say))
    book = names.book(finding.book)
    blocks: list[Block] = [
        Title(say(finding.title)),
        Facts(say(words.FACTS).join([finding.id, *facts(finding, say)])),
        Field(say(words.CONCERNS), say(words.CONCERNED, book=book or finding.book, clauses=clauses)),
    ]
    if finding.readings:
        blocks.append(Field(say(words.READINGS), readings(finding.book, finding.readings, say, names)))
    return blocks


def several(clauses: Sequence[str], say: Say) -> str:
    """Clauses in a row, the decisive one first; of very many, the first."""
    if len(clauses) <= MANY_CLAUSES:
        return say(words.LIST).join(clauses)
    return say(words.CLAUSES_FIRST, first=say(words.LIST).join(clauses[:FIRST_CLAUSES]), count=len(clauses))


def facts(finding: Finding, say: Say) -> list[str]:
    """Class and certainty, and what has to be said beside them."""
    said = [say(words.CLASS[finding.cls]), say(words.CERTAINTY[finding.certainty])]
    if finding.severity is not None and finding.origin is not None and finding.stake is not None:
        without_texts = finding.origin is Origin.CARDS and not finding.cards
        origin = say(words.FROM_A_POSITION if without_texts else words.ORIGIN[finding.origin])
        stake = say(words.STAKE[finding.stake])
        said.insert(0, say(words.SEVERITY, severity=finding.severity.value, origin=origin, stake=stake))
    if finding.unknown_because and finding.keepers is not Keepers.UNKNOWN:
        said.append(say(words.UNKNOWN, why=finding.unknown_because))
    if finding.invented_cards and finding.origin is not Origin.INVENTED:
        said.append(say(words.INVENTED_CARDS))
    if finding.hint:
        said.append(say(words.HINT))
    if finding.known:
        said.append(say(words.KNOWN))
    return said


def readings(book: str, chosen: Mapping[str, str], say: Say, names: Names) -> str:
    """The readings a finding or a run holds under, in the book's words where it has any."""
    said: list[str] = []
    for reading, alternative in sorted(chosen.items()):
        name = names.reading(book, reading, alternative)
        said.append(say(name) if name else say(words.READING, question=reading, answer=alternative))
    return say(words.READING_SEPARATOR).join(said)


def _start(finding: Finding, say: Say) -> list[Block]:
    """Where play begins, and the cards with texts."""
    blocks: list[Block] = []
    if finding.position is not None:
        blocks += [Heading(say(words.POSITION)), Para(say(finding.position))]
    if finding.cards:
        blocks += [Heading(say(words.CARD_TEXTS)), Para("\n".join(say(card) for card in finding.cards))]
    return blocks


def _course(finding: Finding, say: Say, names: Names) -> list[Block]:
    play = finding.play
    blocks: list[Block] = []
    if play.stem:
        header = tuple(say(word) for word in words.STEP_HEADER)
        blocks += [Heading(say(words.STEM)), Table(header, tuple(stem_rows(play.stem, say)))]
    elif play.cycle:
        blocks += [Heading(say(words.STEM)), Para(say(words.FROM_THE_START))]
    if play.end and not play.cycle:
        blocks.append(Para(say(words.ENDING, end=play.end)))
    if finding.moment is not None and play.stem:
        blocks += [Heading(say(words.MOMENT)), Para(say(finding.moment))]
    if play.cycle:
        def clause(number: str) -> str:
            gist = names.clause(finding.book, number)
            return f"{number} {say(gist)}" if gist else number

        items = cycle_items(play.cycle, say, clause)
        aside = words.CYCLE_EXACT if any(step.decider for step in play.cycle) else words.CYCLE_NOBODY
        aside = words.CYCLE_GROWING if finding.growing else aside
        blocks += [Heading(say(words.CYCLE), say(aside, count=len(items))), Items(tuple(items))]
        notes: list[str] = []
        if finding.scope:
            notes.append(say(words.SCOPE, scope=finding.scope))
        if finding.copies > 1:
            notes.append(say(words.COPIES, count=finding.copies - 1))
        if notes:
            blocks.append(Para(say(words.SENTENCE).join(notes)))
    return blocks


def _outcomes(finding: Finding, say: Say) -> list[Block]:
    """What the ways on lead to, one beside the other."""
    if not finding.outcomes:
        return []
    rows = tuple(
        (say(one.first), say(words.LIST).join(say(change) for change in one.then) or say(words.NOTHING_ELSE))
        for one in finding.outcomes
    )
    return [Heading(say(words.OUTCOMES_DIFFER)), Table(tuple(say(word) for word in words.OUTCOMES_DIFFER_HEADER), rows)]


def _stoppers(finding: Finding, say: Say) -> list[Block]:
    if finding.keepers is None:
        return []
    if finding.keepers is Keepers.UNKNOWN and finding.unknown_because:
        said = [say(words.UNKNOWN, why=finding.unknown_because)]
    elif finding.keepers is Keepers.ONE:
        said = [say(words.KEEPERS[Keepers.ONE], who=finding.stopper or words.ONE_PLAYER)]
    else:
        said = [say(words.KEEPERS[finding.keepers]), *([say(finding.stopper)] if finding.stopper else [])]
    said += [say(assumption) for assumption in finding.assumptions]
    return [Heading(say(words.STOPPERS)), Para(say(words.SENTENCE).join(said))]


def _verdicts(verdicts: tuple[ClauseVerdict, ...], say: Say) -> list[Block]:
    if not verdicts:
        return []
    shared = _shared_part([verdict.clause for verdict in verdicts])
    heading = say(words.APPLIED, clause=shared) if shared else say(words.APPLIED_ANY)
    rows = tuple(
        (f"{verdict.clause} {say(verdict.says)}", say(words.ANSWER[verdict.answer]), say(verdict.why))
        for verdict in verdicts
    )
    return [Heading(heading), Table(tuple(say(word) for word in words.ANSWER_HEADER), rows)]


def _shared_part(clauses: list[str]) -> str:
    """The part of the book that all the clauses lie in: 13.1 for 13.1.1 and 13.1.2; the clause itself if alone."""
    if len(clauses) == 1:
        return clauses[0]
    shared: list[str] = []
    for parts in zip(*(clause.split(".") for clause in clauses), strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return ".".join(shared)


def _as_written(finding: Finding, say: Say) -> list[Block]:
    if not (finding.play.cycle and finding.play.end):
        return []
    return [Para(say(words.AS_WRITTEN, end=finding.play.end))]


def _range(finding: Finding, say: Say) -> list[Block]:
    said = bounds(finding.bounds, say)
    if finding.policies:
        policies = say(words.LIST).join(say(policy) for policy in finding.policies)
        said = [say(words.POLICIES, policies=policies), *said]
    if finding.keepers is None:
        said += [say(assumption) for assumption in finding.assumptions]
    return [Heading(say(words.RANGE)), Para(say(words.SENTENCE).join(said))]


def bounds(bounds: Bounds, say: Say) -> list[str]:
    """How far was looked, as sentences."""
    looked = say(words.LOOKED_AT, states=f"{bounds.states:,}", transitions=f"{bounds.transitions:,}",
                 depth=f"{bounds.depth:,}")
    notes = (say(note).rstrip("。.") + say(words.FULL_STOP) for note in bounds.notes)
    if bounds.complete and not bounds.states:
        return [*notes]  # asked of all positions at once
    if bounds.omission is None:
        return [say(words.COMPLETE if bounds.complete else words.CUT_OFF), looked, *notes]
    missed = say(words.OMISSION, probability=f"{bounds.omission:.1e}")
    return [say(words.COMPLETE_BY_PRINTS if bounds.complete else words.CUT_OFF), looked, missed, *notes]


def _question(finding: Finding, say: Say) -> list[Block]:
    if finding.question is None:
        return []
    return [Heading(say(words.QUESTION)), Para(say(finding.question)), *_settlements(finding, say),
            Para(decision(finding.decision, say) if finding.decision else say(words.DECISION))]


def decision(decided: Decision, say: Say) -> str:
    """What was decided, in a line."""
    said = [say(words.DECIDED_ABOUT, status=words.DECIDED[decided.status])]
    for name in ("reason", "person", "date", "edition"):
        value = getattr(decided, name)
        if value is not None:
            said.append(say(words.DECISION_PART[name], value=value))
    return say(words.DECISION_SEPARATOR).join(said)


def _settlements(finding: Finding, say: Say) -> list[Block]:
    """What the readings of the book would make of it."""
    if not finding.settlements:
        return []
    rows = tuple((say(words.SETTLED, question=s.question, answer=s.gist), say(words.EFFECT[s.effect], new=s.new))
                 for s in finding.settlements)
    open_one = next((s for s in finding.settlements if s.effect == "not checked"), None)
    blocks: list[Block] = [Heading(say(words.SETTLEMENTS)),
                           Table(tuple(say(word) for word in words.SETTLEMENTS_HEADER), rows)]
    if open_one is not None:
        blocks.append(Para(say(words.TRY_IT, target=f"{finding.book}/{finding.scenario}", reading=open_one.reading,
                               answer=open_one.answer)))
    return blocks


# ---------------------------------------------------------------- the overview of a run
def result_page(result: CheckResult, lang: Lang, names: Names = NO_NAMES) -> list[Block]:
    """What one run looked at, how far, and what it found: one line for each finding."""
    say = speaker(lang)
    book = names.book(result.book)
    chosen = readings(result.book, result.readings, say, names) or say(words.NO_READINGS)
    extent = bounds(result.bounds, say)
    if result.symmetry:
        extent.append(say(words.SYMMETRY))
    extent.append(say(words.SECONDS, seconds=f"{result.seconds:.1f}"))
    blocks: list[Block] = [
        Title(say(result.title)),
        Field(say(words.SCENARIO), f"{result.book}/{result.scenario}" + (f" ({say(book)})" if book else "")),
        Field(say(words.READINGS), chosen),
        Field(say(words.RANGE), say(words.SENTENCE).join(extent)),
    ]
    if result.examined:
        rows = [(say(one.what), f"{one.count:,}" if one.count else say(words.NO_CHANCE)) for one in result.examined]
        header = tuple(say(word) for word in words.LOOKED_HEADER)
        blocks += [Heading(say(words.LOOKED_FOR)), Table(header, tuple(rows))]
    if result.outcomes:
        header = tuple(say(word) for word in words.OUTCOMES_HEADER)
        rows = [(say(words.END[outcome]) if outcome in words.END else outcome, f"{count:,}")
                for outcome, count in sorted(result.outcomes.items())]
        blocks += [Heading(say(words.OUTCOMES)), Table(header, tuple(rows))]
    found = [finding for finding in result.findings if not finding.hint]
    hints = [finding for finding in result.findings if finding.hint]
    blocks.append(Heading(say(words.FOUND)))
    blocks += [finding_line(finding, say) for finding in found] or [Para(say(words.NOT_FOUND))]
    if hints:
        blocks += [Heading(say(words.HINTS)), *(finding_line(finding, say) for finding in hints)]
    if result.exercised is not None:
        blocks.append(Heading(say(words.NEVER_EXERCISED)))
        never, done = result.exercised.never, result.exercised.clauses
        listed = say(words.LIST).join(never) or say(words.NONE_LEFT)
        blocks += [Para(say(words.EXERCISED, done=done, never=len(never))), Para(listed)]
    return [*blocks, *unexpected(result, say)]


def unexpected(result: CheckResult, say: Say) -> list[Block]:
    """Where the result differs from what the scenario expects."""
    lines = [Para(say(one)) for one in result.unexpected]
    return [Heading(say(words.UNEXPECTED)), *lines] if lines else []


def finding_line(finding: Finding, say: Say) -> Block:
    """A finding in one line: id, what happens, what sort of thing it is."""
    lines = [f"{finding.id}  {say(finding.title)}", say(words.FACTS).join(facts(finding, say))]
    if finding.decision is not None:
        lines.append(decision(finding.decision, say))
    if finding.decision is not None and finding.decision.status is Decided.FIXED:
        lines.append(say(words.FIXED_AND_FOUND))
    return Para("\n    ".join(lines))
