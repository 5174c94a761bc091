"""What the commands print: results, cases, code, for people and for programs."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...spec.text import Lang
from ..console import words as console_words
from ..console.terminal import Terminal
from ..findings import words
from ..findings.as_json import SCHEMA, finding_as_json, plain, result_as_json
from ..findings.claims import asked_only
from ..findings.cut_off import is_begun, is_cut
from ..findings.first_page import first_page, page_lines
from ..findings.formats import as_github, as_markdown, as_sarif, markdown
from ..findings.layout import Block, Field, Heading, Para, Table, Title, Verbatim, layout
from ..findings.names import NO_NAMES, Names
from ..findings.overview import (
    by_default,
    chosen_readings,
    closing_page,
    finding_line,
    not_found,
    once,
    opening_page,
    taken,
    unexamined,
    unexpected,
    unused_blocks,
)
from ..findings.page import finding_page, notes, readings, speaker
from ..findings.record import Certainty, CheckResult, Finding, PlayStep
from ..findings.steps import changes_of, clause_list
from ..findings.summary import summaries

if TYPE_CHECKING:
    from ..register.quotes import Quotes
    from ..runs.verifying import VerifyReport
    from ..scenarios.minimise import Minimised
    from ..scenarios.sizes import BookSizes
    from ..scenarios.why_not import Reason
    from ..stored.finding_store import ReplayReport

RULE = "-"
FEW = 3
"""More situations than these that were not looked at are only listed."""


def form(kind: str, **content: object) -> dict[str, Any]:
    """Data for programs: what it is, in which form, and the content."""
    return {"schema": SCHEMA, "kind": kind, **content}


def show_blocks(terminal: Terminal, blocks: Iterable[Block]) -> None:
    """Lay out and print."""
    terminal.show(layout(blocks, terminal.width, terminal.fit))


def show_finding(
    terminal: Terminal,
    finding: Finding,
    names: Names,
    quotes: Quotes | None = None,
    ranged: bool = True,
    as_in: str | None = None,
) -> None:
    """A finding in full, with the clauses of the user's draft below those that it names."""
    blocks = finding_page(finding, terminal.lang, names, ranged=ranged, as_in=as_in)
    if quotes is not None and quotes.book == finding.book:
        head = next((n for n, block in enumerate(blocks) if isinstance(block, Heading)), len(blocks))
        blocks[head:head] = quotes.about(named_clauses(finding), speaker(terminal.lang))
    show_blocks(terminal, blocks)


def named_clauses(finding: Finding) -> list[str]:
    """The clauses that a finding is about, and those that pronounce on it."""
    return [*finding.clauses, *finding.related, *(verdict.clause for verdict in finding.clause_verdicts)]


def quoted(quotes: Quotes | None, findings: Iterable[Finding]) -> dict[str, Any]:
    """What is added for programs: the draft, and its words for every clause that the findings name anywhere."""
    if quotes is None:
        return {}
    mine = [f for f in findings if f.book == quotes.book]
    steps = [step for f in mine for step in (*f.play.stem, *f.play.cycle)]
    return quotes.as_json([*(c for f in mine for c in named_clauses(f)), *(c for step in steps for c in step.clauses)])


def found(results: Iterable[CheckResult], hints: bool = False, names: Names = NO_NAMES) -> list[Finding]:
    """The findings of several runs, each once, by the run that shows it best (from the beginning of a game, if one
    does), what is found under default readings first: hints, or those that are none."""
    first: dict[str, Finding] = {}
    for result in results:
        for finding in result.findings:
            if finding.hint is not hints:
                continue
            known = first.get(finding.id)
            if known is None or (
                known.certainty is not Certainty.FROM_SETUP and finding.certainty is Certainty.FROM_SETUP
            ):
                first[finding.id] = finding
    return sorted(first.values(), key=lambda f: not by_default(f, names))


# ---------------------------------------------------------------- check
def show_first_page(
    terminal: Terminal,
    results: Sequence[CheckResult],
    names: Names,
    target: str,
    quotes: Quotes | None = None,
    more: str = "",
) -> None:
    """What came of several scenarios, on a page for each book. `target`: what was typed for them; `more`: for the books."""
    for n, summary in enumerate(summaries(results, names)):
        if n:
            terminal.say()
        quote = None if quotes is None or quotes.book != summary.book else quoting(quotes, terminal.lang)
        terminal.show(page_lines(summary, terminal.lang, target, terminal.width, terminal.fit, quote, more))


def quoting(quotes: Quotes, lang: Lang) -> Callable[[str], Block]:
    """The words of the draft for a clause."""
    return lambda clause: quotes.block(clause, speaker(lang), indent=4)


def show_markdown(
    terminal: Terminal,
    results: Sequence[CheckResult],
    names: Names,
    target: str,
    quotes: Quotes | None = None,
    full: bool = False,
    more: str = "",
) -> None:
    """The same page in Markdown; in full with every finding."""
    for summary in summaries(results, names):
        quote = None if quotes is None or quotes.book != summary.book else quoting(quotes, terminal.lang)
        terminal.say("".join(markdown(first_page(summary, terminal.lang, target, None, quote, more))))
    if full:
        terminal.say("---\n\n" + as_markdown(results, terminal.lang, names, ranged=False).rstrip("\n"))


def show_results(
    terminal: Terminal, results: Sequence[CheckResult], names: Names, full: bool, quotes: Quotes | None = None,
    unused: bool = False,
) -> None:
    """What was checked: in full, or a few lines for each run; then a line that sums up. `unused`: with the numbers of the
    clauses that never came up."""
    if full:
        shown: set[str] = set()
        played: dict[str, str] = {}
        for _, several in groupby(results, lambda result: (result.book, result.scenario)):
            alike = list(several)
            show_blocks(terminal, opening_page(alike, terminal.lang, names))
            for finding in once(alike, names):
                if finding.id not in shown and not finding.hint:
                    play = plain((finding.position, finding.play.stem, finding.play.cycle))
                    above = played.setdefault(repr(play), finding.id)
                    terminal.say("\n" + RULE * terminal.width + "\n")
                    show_finding(terminal, finding, names, quotes, False, None if above == finding.id else above)
                shown.add(finding.id)
            terminal.say("\n" + RULE * terminal.width + "\n")
            show_blocks(terminal, [*closing_page(alike, terminal.lang, names),
                                   *unused_blocks(alike, speaker(terminal.lang), unused)])
            terminal.say()
    else:
        never = [result for result in results if not is_begun(result)]
        for result in results:
            if result not in never or len(never) <= FEW:
                show_blocks(terminal, brief(result, terminal, names, quotes))
                terminal.say()
        if len(never) > FEW:
            left = terminal.phrase(words.LIST).join(f"{result.book}/{result.scenario}" for result in never)
            show_blocks(terminal, [Para(terminal.phrase(words.NEVER_LOOKED_AT, count=len(never), names=left))])
            terminal.say()
    if not results:
        terminal.say(words.NOTHING_TO_CHECK)
        return
    real, hints = found(results, names=names), found(results, True, names)
    terminal.say(words.TOTAL, results=len(results), findings=len(real), hints=len(hints))
    aside = sum(not f.counts for f in real)
    if aside:
        terminal.say(words.LEFT_ASIDE, count=aside)
    if not full and real + hints:
        terminal.say(words.READ_ONE, id=(real + hints)[0].id)
    if cut := sum(map(is_cut, results)):
        terminal.say(words.CUT_OFF_TOTAL, count=cut, results=len(results))


def brief(result: CheckResult, terminal: Terminal, names: Names, quotes: Quotes | None = None) -> list[Block]:
    """A run in a few lines."""
    say = speaker(terminal.lang)
    looked = not_found([result], say) if not result.findings else say(words.FOUND)
    blocks: list[Block] = [Title(f"{result.book}/{result.scenario}  {say(result.title)}"),
                           Field(say(words.READINGS), chosen_readings(result, say, names))]
    blocks += taken([result], say, words.NOT_ASKED_ONLY)
    if asked_only(result.bounds):
        blocks += [Para(note) for note in notes(result.bounds, say)]
    elif not result.bounds.complete:
        blocks.append(Para(say(words.SENTENCE).join([say(words.CUT_OFF), *notes(result.bounds, say)])))
    if result.bounds.omission is not None:
        blocks.append(Para(say(words.OMISSION, probability=f"{result.bounds.omission:.1e}")))
    lines: list[Block] = []
    for one in result.findings:
        lines.append(finding_line(one, say))
        if quotes is not None and quotes.book == result.book:
            lines += [quotes.block(clause, say, indent=4) for clause in one.clauses]
    lines = [*lines, *map(Para, unexamined([result], say))] if lines else [Para(looked)]
    return [*blocks, *lines, *unexpected(result, say)]


def results_as_json(
    results: Sequence[CheckResult], stored: Sequence[Path], quotes: Quotes | None = None, names: Names = NO_NAMES
) -> dict[str, Any]:
    """Everything that `check` found, and the answer for each book."""
    return form(
        "check",
        summary=plain(summaries(results, names)),
        results=[result_as_json(result) for result in results],
        stored=[str(path) for path in stored],
        **quoted(quotes, [finding for result in results for finding in result.findings]),
    )


FORMATS = ("terminal", "json", "sarif", "github", "markdown")


def show_as(
    terminal: Terminal, form: str, results: Sequence[CheckResult], names: Names, version: str,
    file_of: Callable[[Finding], str], quotes: Quotes | None = None,
) -> None:
    """The same in the form of another tool, at the writer's own clause where there is a draft that has it."""

    def place(finding: Finding) -> tuple[str, int]:
        for clause in finding.clauses if quotes is not None and quotes.book == finding.book else ():
            quote = quotes.quotes.get(clause) if quotes is not None else None
            if quotes is not None and quote is not None:
                return quotes.file, quote.line
        return file_of(finding), 1

    if form == "sarif":
        terminal.json(as_sarif(results, terminal.lang, version, place))
    elif form == "github":
        terminal.annotate(as_github(results, terminal.lang, place))
    else:
        terminal.say(as_markdown(results, terminal.lang, names).rstrip("\n"))


# ---------------------------------------------------------------- demo
def show_demo(terminal: Terminal, results: Sequence[CheckResult], names: Names) -> None:
    """Two sentences, a finding in full, and what to type next."""
    say = speaker(terminal.lang)
    findings = found(results)
    if not findings:
        show_blocks(terminal, [Para(say(console_words.DEMO_NOTHING))])
        return
    first = findings[0]
    show_blocks(terminal, [Para(say(console_words.DEMO_INTRODUCTION))])
    terminal.say("\n" + RULE * terminal.width + "\n")
    show_finding(terminal, first, names)
    terminal.say("\n" + RULE * terminal.width + "\n")
    others = [result for result in results if first not in result.findings]
    blocks: list[Block] = []
    if others:
        blocks.append(Heading(say(console_words.DEMO_OTHER)))
        outcomes: dict[str, list[str]] = {}
        for result in results:
            chosen = readings(result.book, result.readings, say, names) or say(words.NO_READINGS)
            real = found([result])
            outcome = say(real[0].title) if real else say(words.NOT_FOUND)
            outcomes.setdefault(outcome, []).append(chosen)
        blocks.extend(
            Para("\n".join([outcome, *(f"  {line}" for line in alike(several))]))
            for outcome, several in outcomes.items())
    clause = first.clauses[0] if first.clauses else ""
    rows = [f"{command.format(clause=clause):<36}  # {say(text)}" for command, text in console_words.DEMO_COMMANDS]
    show_blocks(terminal, [*blocks, Heading(say(console_words.DEMO_NEXT)), Verbatim("\n".join(rows))])


def alike(readings: Sequence[str]) -> list[str]:
    """Answers to the same question on one line."""
    answers: dict[str, list[str]] = {}
    for reading in readings:
        question, arrow, answer = reading.rpartition(" → ")
        answers.setdefault(question + arrow, []).append(answer)
    for several in answers.values():
        several.sort(key=lambda answer: (len(answer), answer) if answer.isdigit() else (0, ""))
    return [question.replace("\n", " / ") + ", ".join(several) for question, several in answers.items()]


# ---------------------------------------------------------------- replay and verify
def step_lines(step: PlayStep, number: int, terminal: Terminal) -> str:
    """One step of a play: who chose what, what changed, by which clauses."""
    say = speaker(terminal.lang)
    chosen = say(step.chosen) if step.chosen else say(words.QUIET)
    lead = say(words.CHOSEN_BY, who=step.decider, chosen=chosen) if step.decider else chosen
    clauses = f"  [{clause_list(step.clauses, say)}]" if step.clauses else ""
    changes = "".join(f"\n      {change}" for change in changes_of((step,), say))
    return f"{number:>4}. {lead}{clauses}{changes}"


def show_replay(terminal: Terminal, report: ReplayReport, pause: bool, quotes: Quotes | None = None) -> None:
    """A case, step by step; with a draft, each clause in its words where it comes up first."""
    say = speaker(terminal.lang)
    told: set[str] = set()
    show_blocks(terminal, [Title(say(report.title))])
    for number, step in enumerate(report.steps, 1):
        if number == report.stem + 1:
            show_blocks(terminal, [Heading(say(words.CYCLE))])
        terminal.say(step_lines(step, number, terminal))
        if quotes is not None:
            show_blocks(
                terminal, [quotes.block(c, say, indent=6) for c in dict.fromkeys(step.clauses) if c not in told]
            )
            told.update(step.clauses)
        if pause and number < len(report.steps) and terminal.ask(console_words.NEXT_STEP) in (None, "q"):
            return
    if report.reproduced:
        terminal.say(console_words.REPLAY_AGREES, count=len(report.steps))
    else:
        terminal.say(console_words.REPLAY_DIFFERS, why=report.why or "?")


def replay_as_json(report: ReplayReport, quotes: Quotes | None = None) -> dict[str, Any]:
    """A replayed case."""
    return form("replay", path=str(report.path), reproduced=report.reproduced, why=plain_or_none(report.why),
                steps=plain(report.steps), finding=None if report.finding is None else finding_as_json(report.finding),
                **quoted(quotes, [] if report.finding is None else [report.finding]))


MOST_DIFFERENCES = 5
"""More differences of a case are only counted."""


def show_verified(terminal: Terminal, reports: Sequence[VerifyReport]) -> None:
    """One line for each case, below it in what it differs, and how many there were."""
    for report in reports:
        said = terminal.phrase(console_words.REPRODUCED if report.reproduced else console_words.NOT_REPRODUCED)
        terminal.say(f"{said}  {report.finding}  {report.path}")
        for difference in report.differences[:MOST_DIFFERENCES]:
            terminal.say(f"    - {terminal.phrase(difference.said)}")
        if (more := len(report.differences) - MOST_DIFFERENCES) > 0:
            terminal.say(f"    - {terminal.phrase(console_words.MORE_DIFFERENCES, count=more)}")
    terminal.say(console_words.VERIFIED, count=len(reports), good=sum(report.reproduced for report in reports))


def verified_as_json(reports: Sequence[VerifyReport]) -> dict[str, Any]:
    """Which cases reproduced, and in what the others differ."""
    cases = [
        {
            "path": str(one.path),
            "finding": one.finding,
            "reproduced": one.reproduced,
            "why": plain_or_none(one.why),
            "differences": plain(one.differences),
        }
        for one in reports
    ]
    return form("verify", cases=cases)


def plain_or_none(value: object) -> object:
    """A text as plain data, or none."""
    return None if value is None else plain(value)


def minimised_as_json(done: Minimised) -> dict[str, Any]:
    """A smaller scenario and its finding."""
    return form("minimise", scenario=done.text, before=done.before, after=done.after, tried=done.tried,
                steps_before=done.steps_before, steps=done.steps, finding=finding_as_json(done.finding))


def show_reasons(terminal: Terminal, card: str, reasons: Sequence[Reason], names: Names, book: str) -> None:
    """Why a card is not offered: for each thing that could be done with one, the first condition that fails."""
    say = speaker(terminal.lang)
    blocks: list[Block] = [Title(card)]
    if not reasons:
        blocks.append(Para(say(console_words.NOTHING_WITH_CARDS)))
    for reason in reasons:
        blocks.append(
            Heading(say(reason.what), say(console_words.IS_OFFERED if reason.offered else console_words.IS_NOT_OFFERED))
        )
        if reason.offered:
            continue
        if reason.fails is not None:
            blocks.append(Para(say(reason.fails)))
        gists = ((clause, names.clause(book, clause)) for clause in reason.clauses)
        blocks += [Para(f"{clause} {say(gist) if gist else ''}".rstrip()) for clause, gist in gists]
        blocks.append(Para(f"{reason.file}:{reason.line}  {reason.condition}"))
    show_blocks(terminal, blocks)


# ---------------------------------------------------------------- info
LARGEST = 8
"""Scenarios that `info` shows unless all are asked for."""


def show_sizes(terminal: Terminal, sizes: BookSizes, names: Names, full: bool) -> None:
    """How large a book's model is, and the states of its largest scenarios (or of all)."""
    say = speaker(terminal.lang)
    book = names.book(sizes.book)
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(sizes.rules.items(), key=lambda one: -one[1]))
    rows = tuple(
        (one.scenario, *(f"{n:,}" for n in (one.cards, one.numbers, one.bits, one.frame, one.labels)))
        for one in (sizes.states if full else sizes.states[:LARGEST])
    )
    left = len(sizes.states) - len(rows)
    show_blocks(terminal, [
        Title(f"{sizes.book}  {say(book) if book else ''}".rstrip()),
        Para(say(console_words.SIZES_CLAUSES, clauses=f"{sizes.clauses:,}", cited=f"{sizes.cited:,}")),
        Para(say(console_words.SIZES_READINGS, readings=sizes.readings, modelled=sizes.modelled_readings)),
        Para(say(console_words.SIZES_CARDS, cards=sizes.cards, scenarios=len(sizes.states))),
        Para(say(console_words.SIZES_RULES, modules=sizes.modules, lines=f"{sizes.lines:,}", kinds=kinds)),
        Table(tuple(say(word) for word in console_words.SIZES_HEADER), rows),
        Para(say(console_words.SIZES_NOTE)),
        *([Para(say(console_words.SIZES_MORE, count=left))] if left else []),
    ])


def sizes_as_json(sizes: BookSizes) -> dict[str, Any]:
    """How large a book's model is."""
    return form("info", sizes=plain(sizes))
