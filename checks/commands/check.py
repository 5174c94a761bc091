"""`check`, and the demonstration of it: scenarios are played, or questions asked about every position, and findings shown."""
from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from ...spec.diagnostics import BadInput
from ...spec.text import Text
from ...spec.writing import try_out
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
from .shared import (
    books_before,
    cluster_option,
    command,
    decisions_in,
    decisions_option,
    draft_option,
    installed_version,
    json_option,
    only_of_scenarios,
    reading_word,
    typed_books,
)

if TYPE_CHECKING:
    from ..findings.record import CheckResult
    from ..native.choice import Engine
    from ..readings.branching import Branches
    from ..readings.trials import Trial
    from ..register import command as register_command
    from ..runs import edited, patching, session, together
    from ..runs import names as book_names
    from ..runs.session import CheckOptions
    from ..scenarios import mistakes as file_mistakes
    from ..scenarios import saved_plays
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
    saved_plays = late("scenarios.saved_plays")
    reading_output = late("commands.reading_output")
    session = late("runs.session")
    book_names = late("runs.names")
    together = late("runs.together")
    register_command = late("register.command")
    before_check = late("validate.before_check")

ALL = "all"
DEMO = "hanayome/pass-only"


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
def check(terminal: Terminal, targets: tuple[str, ...], reading: tuple[str, ...], tried: tuple[str, ...], second: bool,
          only: str | None, symmetry: bool, max_states: int | None, max_seconds: float | None, max_memory: int | None,
          engine: Engine, threads: int | None, fingerprints: bool, parts: int | None, cluster: str | None,
          disk: Path | None, checkpoint: Path | None, checkpoint_seconds: float | None, resume: bool,
          store: Path | None, show: int, hunt: bool, certify: bool, scenarios: bool, full: bool, changed: bool,
          unused: bool, decisions: Path | None, baseline: Path | None, update_baseline: bool, draft: Path | None,
          form: str, as_json: bool) -> int:
    until = None if max_seconds is None else time.monotonic() + max_seconds
    if checkpoint is None and (resume or checkpoint_seconds is not None):
        raise complaint("checkpoint", console_words.CHECKPOINT_WHERE, "--resume" if resume else "--checkpoint-every")
    if resume and checkpoint is not None and not next(checkpoint.glob("*/manifest.json"), None):
        if not next(checkpoint.glob("*/lock"), None):
            raise complaint("no-checkpoint", console_words.NO_CHECKPOINT, str(checkpoint))
        terminal.tell(console_words.BEGUN_ANEW, folder=checkpoint)  # stopped before the first was written
    if disk is not None and sys.platform != "linux":
        raise complaint("disk", console_words.DISK_LINUX, "--disk")
    if disk is not None and checkpoint is not None and disk.resolve() == checkpoint.resolve():
        raise complaint("disk", console_words.DISK_APART, str(disk))
    word, given = reading_word(reading, "default", ALL)
    files = [Path(one) for one in tried if "=" not in one and Path(one).suffix]
    if files and (len(files) < len(tried) or only):
        raise complaint("try", words.TRY_FILES, tried[0])
    all_tried, answers = reading_word([] if files else tried, ALL)
    if word == ALL and tried:
        raise complaint("readings", words.TRY_WITH, ALL)
    if update_baseline and baseline is None:
        raise complaint("baseline", console_words.BASELINE_WHERE, "--update-baseline")
    said = decisions_in(decisions)
    rows = (
        decided.baseline_rows(baseline) if baseline is not None and (not update_baseline or baseline.exists()) else []
    )
    one_scenario = len(targets) == 1 and targets[0] not in session.books()
    options = session.CheckOptions(
        given, symmetry, max_states, max_seconds, max_memory, store, engine, checkpoint, resume, checkpoint_seconds,
        threads=threads, fingerprints=fingerprints, disk=disk, kept=True, defaults_only=word == "default", show=show,
        certify=certify,
        hunt=hunt and max_states is None and engine == "native" and not (store or certify or checkpoint),
        exercised=one_scenario, settle=None if all_tried == ALL else cases.USUAL.settle if one_scenario else 0,
        cluster=cluster
    )
    if cluster is not None and (
        here := [name
                 for name, folder in {"--checkpoint": checkpoint if parts is None else None, "--disk": disk}.items()
                 if folder is not None]
    ):
        raise complaint("cluster", console_words.FOLDER_HERE, here[0])
    for file in (baseline if update_baseline else None, store and store / "case.yaml",
                 checkpoint and checkpoint / "manifest.json", disk and disk / "positions"):
        if file is not None:
            try_out(file)
    play = next((record for target in targets if (record := saved_plays.saved_play(target)) is not None), None)
    if play is not None:
        only_of_scenarios(
            {" ".join(targets): len(targets) > 1, "--readings": reading, "--try": tried, "--only": only,
             "--store": store, "--certify": certify, "--checkpoint": checkpoint, "--baseline": baseline}
        )
        options = session.of_play(options, play)
    if second and only is None:
        raise complaint("only", console_words.SECOND_WITH, "--second-opinion")
    if second and not session.has_second_opinion():
        raise complaint("cvc5", console_words.NO_CVC5, "cvc5")
    asked = questions_of(
        only, targets, {"--try": tried, f"--readings {ALL}": word == ALL, "--store": store, "--cluster": cluster}
    )
    for target in targets:
        if target in session.books():
            before_check.refuse_mistakes(target)
    meant = {} if asked or play is not None else {target: session.resolve(target) for target in targets}
    if len(named := [path for target, found in meant.items() if target not in session.books() for path in found]) > 1:
        file_mistakes.refuse_files(named)
    paths = ([play.scenario] if play is not None and not asked
             else list(dict.fromkeys(path for found in meant.values() for path in found)))
    if named:
        file_mistakes.refuse_twins(paths)
    if parts is not None and cluster is None:
        raise complaint("cluster", console_words.PARTS_AND_CLUSTER, "--parts")
    if parts is not None and (
        given_too := [
            name
            for name, said in {" ".join(targets): len(paths) != 1 or play is not None, "--try": tried,
                               f"--readings {ALL}": word == ALL, "--only": only, "--engine": engine != "native",
                               "--threads": threads, "--fingerprints": fingerprints, "--store": store,
                               "--show": show > 1, "--certify": certify, "--changed": changed,
                               "--baseline": baseline}.items()
            if said
        ]
    ):
        raise complaint("parts", console_words.PARTS_ALONE, ", ".join(given_too))
    quotes = (
        None if draft is None else register_command.quotes(draft, session.book_of(paths[0]) if paths else targets[0])
    )
    interrupt = Interrupt()
    if changed:
        every, paths = paths, edited.since(
            paths, options, None if baseline is None or not baseline.exists() else decided.checked_in(baseline))
        terminal.tell(words.CHANGED_ONLY, checked=len(paths), left=len(every) - len(paths))
        if not paths and form == "terminal" and not as_json:
            return CLEAN
    if answers or files:
        tried_one = partial(together.try_one, answers=answers)
        trials = _with_files(terminal, paths, files, options, until, interrupt) if files else [
            trial for trials in _done(terminal, paths, tried_one, options, until, interrupt) for trial in trials]
        if as_json:
            terminal.json(
                output.form("try", **reading_output.trials_as_json(answers or dict.fromkeys(tried, "file"), trials))
            )
        else:
            reading_output.show_trials(terminal, trials, ", ".join(tried))
        return INTERRUPTED if interrupt() else FOUND if any(trial.remaining or trial.new for trial in trials) else CLEAN
    done = None
    if word == ALL:
        done = _done(terminal, paths, together.all_readings_of_one, options, until, interrupt)
        results = [result for one in done for result in one.results]
    elif asked:
        about = partial(together.ask_one, asked=asked, second=second)
        results = [result for one in _done(terminal, targets, about, replace(options, threads=1), until, interrupt)
                   for result in one]
    elif parts is not None and cluster is not None:
        work = partial(together.divided_one, parts=parts, cluster=cluster, memory=max_memory)
        results = [result
                   for one in _done(
                       terminal, paths, work, replace(options, cluster=None, max_memory_mib=None), until, interrupt
                   )
                   for result in one]
    else:
        results = [
            result for one in _done(terminal, paths, together.check_one, options, until, interrupt) for result in one
        ]
    unwritten: list[BadInput] = []  # what was found in a long time is shown all the same
    if update_baseline and baseline is not None and not interrupt():  # what was not looked at would be lost
        try:
            count = decided.update_baseline(
                baseline, results, output.found(results), only or "", {} if asked else edited.rest_on(paths, options))
            terminal.tell(words.KNOWN_WRITTEN, path=baseline, count=count)
            rows = decided.baseline_rows(baseline)
        except BadInput as error:
            unwritten.append(error)
    known, now = decided.known_abouts(rows), decided.found_in(results)
    moved = decided.carried(now, decided.abouts(said))
    lost = decided.unmatched(results, said) if play is None and only is None else []  # `--only` looks for some of it
    renamed, gone = (decided.carried(now, known),
                     decided.not_found_any_more(results, rows, only or "") if play is None else [])
    results = decided.results_with_decisions(results, said, known)
    if done is not None:
        done = [replace(one, results=decided.results_with_decisions(one.results, said, known)) for one in done]
    real, names, alone = output.found(results), book_names.names(), len(paths or targets) == 1
    typed = shlex.join(
        [*targets, *(word for one in reading for word in ("-r", one)), *(("--only", only) if only is not None else ())]
    )
    stored: list[Path] = []
    try:
        stored = [] if store is None else stored_in(store, [f for f in real if f.is_defect], options, word)
    except BadInput as error:
        unwritten.append(error)
    if as_json or form == "json":
        more = {} if done is None else {"readings": [reading_output.branches_as_json(one) for one in done]}
        more |= {"certificates": certificates_as_json(results)} if certify else {}
        terminal.json(output.results_as_json(results, stored, quotes, names) | more)
    elif form == "markdown" and not alone:
        output.show_markdown(terminal, results, names, typed, quotes, scenarios or full, typed_books())
    elif form != "terminal":
        output.show_as(terminal, form, results, names, installed_version(), finding_store.place_of, quotes)
    else:
        if not alone:
            output.show_first_page(terminal, results, names, typed, quotes, typed_books())
        if alone or scenarios or full:
            if not alone:
                terminal.say(f"\n{output.RULE * terminal.width}\n")
            told = results if done is None or full else [one.results[0] for one in done]
            output.show_results(terminal, told, names, full or alone, quotes, unused)
            for one in done or ():
                output.show_blocks(terminal, reading_output.reading_blocks(one, terminal))
        for path in stored:
            terminal.say(words.STORED, path=path)
        if store is not None and not stored and not unwritten:
            terminal.say(words.NONE_STORED)
        if certify:
            output.show_blocks(terminal, certificate_blocks(results, terminal.phrase))
    for new, old in moved.items():
        terminal.tell(words.DECISION_CARRIED, id=new, old=old)
    for one in lost:
        terminal.tell(words.DECISION_UNMATCHED, id=one.id, decision=decision_line(said[one.id], terminal.phrase),
                      like=", ".join(one.like[:3]) or "-")
    if renamed:
        terminal.tell(
            words.KNOWN_CARRIED, path=baseline, ids=", ".join(f"{old} → {new}" for new, old in renamed.items())
        )
    for one in gone:
        terminal.tell(words.KNOWN_GONE, id=one.id, path=baseline, like=", ".join(one.like[:3]) or "-")
    if unwritten:
        raise BadInput(d for error in unwritten for d in error.diagnostics)
    if interrupt():
        return INTERRUPTED
    refused = any(one.refused is not None for result in results for one in result.certificates or ())
    return (FOUND
            if refused or any(f.counts for f in real) or untold(results) or any(result.unexpected for result in results)
            else CLEAN)


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


def questions_of(only: str | None, targets: Sequence[str], others: Mapping[str, object]) -> tuple[str, ...]:
    """What `--only` asks about whole books; nothing where it is not given."""
    if only is None:
        return ()
    asked = tuple(dict.fromkeys(word.strip() for word in only.split(",") if word.strip()))
    for word in asked or ("",):
        if word not in words.QUESTIONS:
            raise complaint("only", console_words.ONLY_WHAT, word, words.QUESTIONS, all=", ".join(words.QUESTIONS))
    for target in targets:
        if target not in session.books() and not set(asked) <= {*words.LOOP_QUESTIONS, words.ORDER}:
            of = [book for book in session.books() if target.startswith(f"{book}/")]
            raise complaint("only", console_words.ONLY_BOOKS, target, of or session.books(), only=only)
    for option, given in others.items():
        if given:
            raise complaint("only", console_words.ONLY_ALONE, option)
    return asked


def _with_files(terminal: Terminal, paths: Sequence[Path], files: Sequence[Path], options: CheckOptions,
                until: float | None, interrupt: Interrupt) -> list[Trial]:
    """The scenarios without and with what these files change in their book. Raises BadInput."""
    of = {session.book_of(path) for path in paths}
    if len(of) > 1:
        raise complaint("try", words.TRY_ONE_BOOK, str(files[0]))
    made = patching.patched(book := of.pop(), files)
    with made.told_where_written(), books_before(made.folder):
        before_check.refuse_mistakes(book)
    before = _done(terminal, paths, together.check_one, options, until, interrupt)
    with made.told_where_written(), books_before(made.folder):
        after = _done(terminal, paths, together.check_one, options, until, interrupt)
    was = {one.scenario: results for results in before for one in results[:1]}
    return [trial for results in after if results and results[0].scenario in was
            for trial in edited.compared(was[results[0].scenario], results)]


R = TypeVar("R")
W = TypeVar("W", str, Path)


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
