"""`check`, and the demonstration of it: scenarios are played, or questions asked about every position, and findings shown."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...spec.diagnostics import BadInput
from ...spec.text import Text
from ..console import words as console_words
from ..console.late import late
from ..console.shell import CLEAN, FOUND, INTERRUPTED, complaint
from ..console.terminal import ProgressLine, Terminal
from ..findings import words
from ..findings.claims import untold
from ..findings.page import decision as decision_line
from ..findings.record import Finding
from ..limits.interrupt import Interrupt
from . import output
from .certificate_output import certificate_blocks, certificates_as_json
from .request import Request, refuse_together, written_in
from .shared import (
    books_before,
    cluster_option,
    command,
    decisions_in,
    decisions_option,
    draft_option,
    installed_version,
    json_option,
    reading_word,
    typed_books,
)

if TYPE_CHECKING:
    from ..findings.record import CheckResult
    from ..readings.branching import Branches
    from ..readings.trials import Trial
    from ..register import command as register_command
    from ..register.quotes import Quotes
    from ..runs import edited, patching, session, together
    from ..runs import names as book_names
    from ..runs.session import CheckOptions
    from ..scenarios import mistakes as file_mistakes
    from ..stored import cases, finding_store
    from ..stored import decisions as decided
    from ..validate import before_check
    from . import reading_output
else:
    cases = late("stored.cases")
    decided = late("stored.decisions")
    edited = late("runs.edited")
    finding_store = late("stored.finding_store")
    patching = late("runs.patching")
    file_mistakes = late("scenarios.mistakes")
    reading_output = late("commands.reading_output")
    session = late("runs.session")
    book_names = late("runs.names")
    together = late("runs.together")
    register_command = late("register.command")
    before_check = late("validate.before_check")

DEMO = "hanayome/pass-only"

T = TypeVar("T")
R = TypeVar("R")
W = TypeVar("W", str, Path)


@command("demo")
@json_option
def demo(terminal: Terminal, as_json: bool) -> int:
    interrupt = Interrupt()
    found = _done(terminal, session.resolve(DEMO), together.check_one, session.CheckOptions(), None, interrupt)
    if interrupt():
        return INTERRUPTED
    results = sorted((result for results in found for result in results), key=session.departs_from_defaults)
    if as_json:
        terminal.json(output.results_as_json(results, [], names=book_names.names()))
    else:
        output.show_demo(terminal, results, book_names.names())
    return CLEAN


@command("check")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("--readings", "--reading", "-r", "reading", multiple=True, metavar="default|all|NAME=CHOICE")
@click.option("--try", "tried", multiple=True, metavar="all|NAME=CHOICE|FILE")
@click.option("--second-opinion", "second", is_flag=True)
@click.option("--only", metavar=",".join(words.QUESTIONS))
@click.option("--no-symmetry", "symmetry", flag_value=False, default=True, type=bool)
@click.option("--max-states", type=click.IntRange(min=1), metavar="N")
@click.option("--max-seconds", "--max-time", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS")
@click.option("--max-memory", type=click.IntRange(min=1), metavar="MIB")
@click.option("--engine", type=click.Choice(("native", "interpreter")), default="native")
@click.option("--threads", type=click.IntRange(min=1), metavar="N")
@cluster_option
@click.option("--fingerprints", is_flag=True)
@click.option("--parts", type=click.IntRange(min=1), metavar="N")
@click.option("--disk", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER")
@click.option("--checkpoint", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER")
@click.option("--checkpoint-every", "checkpoint_seconds", type=click.FloatRange(min=0), metavar="SECONDS")
@click.option("--resume", is_flag=True)
@click.option("--store", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER")
@click.option("--show", type=click.IntRange(min=1), default=1, metavar="N")
@click.option("--no-hunt", "hunt", flag_value=False, default=True, type=bool)
@click.option("--certify", is_flag=True)
@click.option("--scenarios", is_flag=True)
@click.option("--full", is_flag=True)
@click.option("--changed", is_flag=True)
@click.option("--unused", is_flag=True)
@decisions_option
@click.option("--baseline", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@click.option("--update-baseline", is_flag=True)
@draft_option
@click.option("--format", "form", type=click.Choice(output.FORMATS), default="terminal")
@json_option
def check(terminal: Terminal, **typed: Any) -> int:
    asked = Request(**typed)
    until = None if asked.max_seconds is None else time.monotonic() + asked.max_seconds
    refuse_together(asked)
    if asked.resume and asked.checkpoint is not None and not written_in(asked.checkpoint):
        terminal.tell(console_words.BEGUN_ANEW, folder=asked.checkpoint)  # stopped before the first was written
    said, rows = decisions_in(asked.decisions), asked.baseline_rows()
    play, options = asked.play, asked.options
    for target in asked.targets:
        if target in session.books():
            before_check.refuse_mistakes(target)
    paths = paths_of(asked)
    quotes = asked.quotes(paths)
    interrupt = Interrupt()
    if asked.changed:
        every, paths = paths, edited.since(
            paths, options, decided.checked_in(asked.baseline) if asked.baseline and asked.baseline.exists() else None)
        terminal.tell(words.CHANGED_ONLY, checked=len(paths), left=len(every) - len(paths))
        if not paths and asked.form == "terminal" and not asked.as_json:
            return CLEAN
    done = partial(_done, terminal, until=until, interrupt=interrupt)
    if asked.answers or asked.files:
        trials = (_with_files(paths, asked.files, options, done) if asked.files else
                  flat(done(paths, partial(together.try_one, answers=asked.answers), options)))
        if asked.as_json:
            answers = asked.answers or dict.fromkeys(asked.tried, "file")
            terminal.json(output.form("try", **reading_output.trials_as_json(answers, trials)))
        else:
            reading_output.show_trials(terminal, trials, ", ".join(asked.tried))
        return INTERRUPTED if interrupt() else FOUND if any(trial.remaining or trial.new for trial in trials) else CLEAN
    branches: list[Branches] = []
    if asked.every_reading:
        branches = done(paths, together.all_readings_of_one, options)
        results = flat(one.results for one in branches)
    else:
        what, work, each = work_of(asked, paths, options)
        results = flat(done(what, work, each))
    unwritten: list[BadInput] = []  # what was found in a long time is shown all the same
    if asked.update_baseline and asked.baseline is not None and not interrupt():  # what was not looked at would be lost
        try:
            count = decided.update_baseline(asked.baseline, results, output.found(results), asked.only or "",
                                            {} if asked.questions else edited.rest_on(paths, options))
            terminal.tell(words.KNOWN_WRITTEN, path=asked.baseline, count=count)
            rows = decided.baseline_rows(asked.baseline)
        except BadInput as error:
            unwritten.append(error)
    known, now = decided.known_abouts(rows), decided.found_in(results)
    moved, renamed = decided.carried(now, decided.abouts(said)), decided.carried(now, known)
    lost = decided.unmatched(results, said) if play is None and asked.only is None else []  # `--only` looks for some of it
    gone = decided.not_found_any_more(results, rows, asked.only or "") if play is None else []
    results = decided.results_with_decisions(results, said, known)
    branches = [replace(b, results=decided.results_with_decisions(b.results, said, known)) for b in branches]
    stored: list[Path] = []
    try:
        if asked.store is not None:
            defects = [f for f in output.found(results) if f.is_defect]
            stored = stored_in(asked.store, defects, options, asked.word)
    except BadInput as error:
        unwritten.append(error)
    show(terminal, asked, results, branches, stored, quotes, len(paths or asked.targets) == 1)
    if asked.store is not None and not (stored or unwritten) and asked.form == "terminal" and not asked.as_json:
        terminal.say(words.NONE_STORED)
    for new, old in moved.items():
        terminal.tell(words.DECISION_CARRIED, id=new, old=old)
    for one in lost:
        terminal.tell(words.DECISION_UNMATCHED, id=one.id, decision=decision_line(said[one.id], terminal.phrase),
                      like=", ".join(one.like[:3]) or "-")
    if renamed:
        terminal.tell(words.KNOWN_CARRIED, path=asked.baseline,
                      ids=", ".join(f"{old} → {new}" for new, old in renamed.items()))
    for one in gone:
        terminal.tell(words.KNOWN_GONE, id=one.id, path=asked.baseline, like=", ".join(one.like[:3]) or "-")
    if unwritten:
        raise BadInput(d for error in unwritten for d in error.diagnostics)
    refused = any(one.refused is not None for result in results for one in result.certificates or ())
    unexpected = any(result.unexpected for result in results)
    counts = any(f.counts for f in output.found(results))
    return INTERRUPTED if interrupt() else FOUND if refused or counts or untold(results) or unexpected else CLEAN


def flat(several: Iterable[Iterable[T]]) -> list[T]:
    """All of them, in one list."""
    return [one for some in several for one in some]


def paths_of(asked: Request) -> list[Path]:
    """The scenarios that are meant, each once; none where questions are asked. Raises BadInput."""
    if asked.questions:
        return []
    if asked.play is not None:
        return [asked.play.scenario]
    found = {target: session.resolve(target) for target in asked.targets}
    named = [path for target, some in found.items() if target not in session.books() for path in some]
    if len(named) > 1:
        file_mistakes.refuse_files(named)
    paths = list(dict.fromkeys(flat(found.values())))
    if named:
        file_mistakes.refuse_twins(paths)
    if asked.parts is not None and len(paths) != 1:
        raise complaint("parts", console_words.PARTS_ALONE, " ".join(asked.targets))
    return paths


def work_of(asked: Request, paths: list[Path], options: CheckOptions) -> tuple[Sequence[Any], Any, CheckOptions]:
    """What is looked at, what is done with each of it, and how."""
    if asked.questions:
        about = partial(together.ask_one, asked=asked.questions, second=asked.second)
        return asked.targets, about, replace(options, threads=1)
    if asked.parts is not None and asked.cluster is not None:
        divided = partial(
            together.divided_one, parts=asked.parts, cluster=asked.cluster, memory=asked.max_memory
        )
        return paths, divided, replace(options, cluster=None, max_memory_mib=None)
    return paths, together.check_one, options


def show(
    terminal: Terminal, asked: Request, results: Sequence[CheckResult], branches: Sequence[Branches],
    stored: Sequence[Path], quotes: Quotes | None, alone: bool,
) -> None:
    """What was found, in the form that is asked for. `alone`: of one scenario, or of one book's questions."""
    names, full = book_names.names(), asked.full
    if asked.as_json or asked.form == "json":
        more = {"readings": [reading_output.branches_as_json(one) for one in branches]} if asked.every_reading else {}
        more |= {"certificates": certificates_as_json(results)} if asked.certify else {}
        terminal.json(output.results_as_json(results, stored, quotes, names) | more)
    elif asked.form == "markdown" and not alone:
        output.show_markdown(terminal, results, names, asked.again, quotes, asked.scenarios or full, typed_books())
    elif asked.form != "terminal":
        output.show_as(terminal, asked.form, results, names, installed_version(), finding_store.place_of, quotes)
    else:
        if not alone:
            output.show_first_page(terminal, results, names, asked.again, quotes, typed_books())
        if alone or asked.scenarios or full:
            if not alone:
                terminal.say(f"\n{output.RULE * terminal.width}\n")
            told = [one.results[0] for one in branches] if asked.every_reading and not full else results
            output.show_results(terminal, told, names, full or alone, quotes, asked.unused)
            for one in branches:
                output.show_blocks(terminal, reading_output.reading_blocks(one, terminal))
        for path in stored:
            terminal.say(words.STORED, path=path)
        if asked.certify:
            output.show_blocks(terminal, certificate_blocks(results, terminal.phrase))


HUNTED_SECONDS = 60.0


@command("hunt")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("--readings", "--reading", "-r", "reading", multiple=True, metavar="default|NAME=CHOICE")
@click.option("--max-seconds", "--max-time", "hunted_seconds", type=click.FloatRange(min=0, min_open=True),
              default=HUNTED_SECONDS, metavar="SECONDS")
@click.option("--max-memory", type=click.IntRange(min=1), metavar="MIB")
@click.option("--seed", type=click.IntRange(min=0), default=0, metavar="N")
@cluster_option
@click.option("--no-symmetry", "symmetry", flag_value=False, default=True, type=bool)
@click.option("--full", is_flag=True)
@decisions_option
@draft_option
@click.option("--format", "form", type=click.Choice(output.FORMATS), default="terminal")
@json_option
def hunt(terminal: Terminal, targets: tuple[str, ...], reading: tuple[str, ...], hunted_seconds: float,
         max_memory: int | None, seed: int, cluster: str | None, symmetry: bool, full: bool, decisions: Path | None,
         draft: Path | None, form: str, as_json: bool) -> int:
    begun = time.monotonic()
    word, given = reading_word(reading, "default")
    said = decisions_in(decisions)
    options = session.CheckOptions(
        given, symmetry, max_memory_mib=max_memory, defaults_only=word == "default", cluster=cluster
    )
    paths = list(dict.fromkeys(path for target in targets for path in session.resolve(target)))
    file_mistakes.refuse_files(paths)  # before anything is compiled
    file_mistakes.refuse_twins(paths)
    quotes = (
        None if draft is None else register_command.quotes(draft, session.book_of(paths[0]) if paths else targets[0])
    )
    rounds = -(-len(paths) // together.processes_for(len(paths), options)) if paths else 1
    work = partial(together.hunt_one, seconds=LEFT_TO_TELL * hunted_seconds / rounds, seed=seed)
    interrupt = Interrupt()
    with interrupt:
        if (cluster is None and paths
            and together.make_ready(paths[0], options, partial(terminal.tell, console_words.MADE_READY), interrupt)):
            begun = time.monotonic()
    until = begun + hunted_seconds
    results = [
        r for one in _done(terminal, paths, work, options, until, interrupt, partial(together.all_hunted, seed=seed))
        for r in one
    ]
    results = decided.results_with_decisions(results, said, {})
    if as_json or form == "json":
        terminal.json(output.results_as_json(results, [], quotes, book_names.names()))
    elif form != "terminal":
        output.show_as(terminal, form, results, book_names.names(), installed_version(), finding_store.place_of, quotes)
    else:
        output.show_results(terminal, results, book_names.names(), full or len(paths) == 1, quotes, False)
    return (INTERRUPTED if interrupt() else FOUND if any(f.counts for f in output.found(results)) or untold(results)
            else CLEAN)


LEFT_TO_TELL = 0.95
"""Of the time, how much the hunt itself may take: what it found is shown, too."""


def stored_in(folder: Path, findings: Sequence[Finding], options: CheckOptions, readings: str | None) -> list[Path]:
    """The findings stored as cases, each with what was asked. `readings`: the word for the sets of readings, if one was given."""
    asked = cases.Asked(options.readings, cases.Sets(readings or "pinned"), options.symmetry, options.max_states,
                        options.fingerprints, options.settle)
    return [finding_store.store_case(finding, folder, asked) for finding in findings]


def _with_files(
    paths: Sequence[Path], files: Sequence[Path], options: CheckOptions, done: Callable[..., list[list[CheckResult]]]
) -> list[Trial]:
    """The scenarios without and with what these files change in their book. Raises BadInput."""
    of = {session.book_of(path) for path in paths}
    if len(of) > 1:
        raise complaint("try", words.TRY_ONE_BOOK, str(files[0]))
    made = patching.patched(book := of.pop(), files)
    with made.told_where_written(), books_before(made.folder):
        before_check.refuse_mistakes(book)
    before = done(paths, together.check_one, options)
    with made.told_where_written(), books_before(made.folder):
        after = done(paths, together.check_one, options)
    was = {one.scenario: results for results in before for one in results[:1]}
    return [trial for results in after if results and results[0].scenario in was
            for trial in edited.compared(was[results[0].scenario], results)]


def _done(terminal: Terminal, what: Sequence[W], work: Callable[[W, CheckOptions, together.Desk], R],
          options: CheckOptions, until: float | None, interrupt: Interrupt,
          all_done: Callable[..., list[together.Outcome[R]]] | None = None) -> list[R]:
    """What comes of the work on each of these, in processes of their own, with a progress line meanwhile."""
    line = ProgressLine(terminal)
    so_far = ""

    def told(now: session.Progress | Text | int | list[CheckResult] | list[Trial] | Branches) -> None:
        nonlocal so_far
        text = ""
        if isinstance(now, int):
            text = terminal.phrase(console_words.SCENARIOS_DONE, done=now, all=len(what))
        elif isinstance(now, Text):
            text = terminal.phrase(now)
        elif isinstance(now, session.Progress):
            text = terminal.phrase(console_words.PROGRESS, states=f"{now.states:,}", frontier=f"{now.frontier:,}",
                                   depth=now.depth, seconds=now.seconds, rate=now.rate, memory=f"{now.memory_mib:,.0f}")
        elif found := output.found(together.results_in(now)):
            so_far = terminal.phrase(
                console_words.FOUND_SO_FAR, count=len(found), first=terminal.phrase(found[0].title)
            )
        line(f"{so_far} {text}".strip())
    with interrupt, closing(line):
        out = (all_done or together.all_done)(what, work, options, until, told, interrupt)
    if interrupt() and what and isinstance(what[0], Path):
        begun = sum(one.begun for one in out)
        terminal.tell(console_words.CUT_BY_USER, done=begun, left=len(out) - begun)
    found: list[R] = []
    for outcome in out:
        for text in outcome.said:
            terminal.tell(text)
        found += [] if outcome.found is None else [outcome.found]
    return found
