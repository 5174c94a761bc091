"""The commands. Each asks the session for something and shows it; all that they share is in `shell`."""
from __future__ import annotations

import datetime
import gc
import os
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from ..spec import BOOKS
from ..spec.text import Text
from . import output, words
from .ahead import ahead
from .explore.interrupt import Interrupt
from .findings.as_json import finding_as_json
from .findings.page import decision as decision_line
from .findings.record import CheckResult, Decided, Decision
from .late import late
from .lint.offered import CHANGES, ENCODINGS, FORMATS
from .play_loop import play as play_by_hand
from .shell import CLEAN, FOUND, SHELL_NAME, Group, complaint, run, terminal_of
from .terminal import ProgressLine, Terminal, asked_language, language, never_fail

if TYPE_CHECKING:
    from . import decisions as decided
    from . import kept_findings, reading_output, session
    from .lint import command as lint_command
    from .native.choice import Engine
    from .register import command as register_command
    from .session import CheckOptions, Progress
else:
    decided = late("decisions")
    kept_findings = late("kept_findings")
    reading_output = late("reading_output")
    session = late("session")
    register_command = late("register.command")
    lint_command = late("lint.command")

ALL = "all"
SETTLED = 5_000
"""Of one scenario, settlements are checked at once where a run has no more positions than this."""
EXPORTS = ("promela", "itf", "dot", "graphml", "smt2")
DEMO = "hanayome/pass-only"
LARGEST_SEED = 999_999
RARELY = 5_000_000, 20, 20
"""How often Python looks for garbage in circles: compiling rules makes a great many small things, few in circles."""

lang_option = click.option("--lang", type=click.Choice(["ja", "en"]), expose_value=False)
books_option = click.option(
    "--books", type=click.Path(file_okay=False), multiple=True, expose_value=False, metavar="FOLDER",
    callback=lambda ctx, param, value: use_books(value),
)
json_option = click.option("--json", "as_json", is_flag=True)
reading_option = click.option("--reading", "-r", multiple=True, metavar="NAME=CHOICE")
decisions_option = click.option("--decisions", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
draft_option = click.option("--draft", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `rulewright`: gives the exit code."""
    never_fail(sys.stdout, sys.stderr)
    gc.set_threshold(*RARELY)
    arguments = sys.argv[1:] if arguments is None else arguments
    before = os.environ.get(BOOKS)
    try:
        return run(commands, arguments, Terminal(language(asked_language(arguments))))
    finally:
        set_books(before)


def use_books(folders: Sequence[str]) -> None:
    """Look for books in these folders first. The environment hands it on to the processes that are started."""
    if not folders:
        return
    for folder in folders:
        if not Path(folder).is_dir():
            raise complaint("books", words.NO_BOOKS_FOLDER, folder)
    set_books(os.pathsep.join(str(Path(folder).resolve()) for folder in folders))


def set_books(folders: str | None) -> None:
    """Set the folders; books that were read from others are forgotten."""
    if folders == os.environ.get(BOOKS):
        return
    if folders is None:
        del os.environ[BOOKS]
    else:
        os.environ[BOOKS] = folders
    library = sys.modules.get("rulewright.model.engine.library")
    if library is not None:
        library.forget_books()


@click.group(
    SHELL_NAME, cls=Group, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@lang_option
@click.option("--version", is_flag=True)
@click.pass_context
def commands(ctx: click.Context, version: bool) -> None:
    if version:
        terminal_of(ctx).say(f"{SHELL_NAME} {installed_version()}")
        ctx.exit(CLEAN)
    if ctx.invoked_subcommand is None:
        terminal_of(ctx).say(commands.get_help(ctx))


def installed_version() -> str:
    """The version of the distribution."""
    return version("rulewright")


def command(name: str) -> Callable[[Callable[..., int]], click.Command]:
    """A command of the group; every one has `--lang` and `--books`, and is told the terminal first."""

    def declare(function: Callable[..., int]) -> click.Command:
        return commands.command(name)(lang_option(books_option(click.make_pass_decorator(Terminal)(function))))

    return declare


# ---------------------------------------------------------------- checking
@command("demo")
@json_option
def demo(terminal: Terminal, as_json: bool) -> int:
    results = sorted(_check(terminal, session.resolve(DEMO), session.CheckOptions()), key=session.departs_from_defaults)
    if as_json:
        terminal.json(output.results_as_json(results, []))
    else:
        output.show_demo(terminal, results, session.names())
    return CLEAN


@command("check")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("--readings", "--reading", "-r", "reading", multiple=True, metavar="default|all|NAME=CHOICE")
@click.option("--try", "tried", multiple=True, metavar="all|NAME=CHOICE")
@click.option("--second-opinion", "second", is_flag=True)
@click.option("--only", metavar=",".join(words.QUESTIONS))
@click.option("--no-symmetry", "symmetry", flag_value=False, default=True, type=bool)
@click.option("--max-states", type=click.IntRange(min=1), metavar="N")
@click.option("--max-seconds", "--max-time", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS")
@click.option("--max-memory", type=click.IntRange(min=1), metavar="MIB")
@click.option("--engine", type=click.Choice(("native", "interpreter")), default="native")
@click.option("--threads", type=click.IntRange(min=1), metavar="N")
@click.option("--fingerprints", is_flag=True)
@click.option("--checkpoint", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER")
@click.option("--checkpoint-every", "checkpoint_seconds", type=click.FloatRange(min=0), metavar="SECONDS")
@click.option("--resume", is_flag=True)
@click.option("--store", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER")
@click.option("--show", type=click.IntRange(min=1), default=1, metavar="N")
@click.option("--full", is_flag=True)
@click.option("--unused", is_flag=True)
@decisions_option
@click.option("--baseline", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@click.option("--update-baseline", is_flag=True)
@draft_option
@click.option("--format", "form", type=click.Choice(output.FORMATS), default="terminal")
@json_option
def check(
    terminal: Terminal, targets: tuple[str, ...], reading: tuple[str, ...], tried: tuple[str, ...], second: bool,
    only: str | None, symmetry: bool, max_states: int | None, max_seconds: float | None, max_memory: int | None, engine: Engine, threads: int | None,
    fingerprints: bool, checkpoint: Path | None, checkpoint_seconds: float | None, resume: bool, store: Path | None,
    show: int, full: bool, unused: bool, decisions: Path | None, baseline: Path | None, update_baseline: bool, draft: Path | None, form: str, as_json: bool,
) -> int:
    if checkpoint is None and (resume or checkpoint_seconds is not None):
        raise complaint("checkpoint", words.CHECKPOINT_WHERE, "--resume" if resume else "--checkpoint-every")
    if resume and not next(checkpoint.glob("*/manifest.json"), None):  # pyright: ignore[reportOptionalMemberAccess]
        raise complaint("no-checkpoint", words.NO_CHECKPOINT, str(checkpoint))
    word, given = reading_word(reading, "default", ALL)
    all_tried, answers = reading_word(tried, ALL)
    if word == ALL and tried:
        raise complaint("readings", words.TRY_WITH, ALL)
    if update_baseline and baseline is None:
        raise complaint("baseline", words.BASELINE_WHERE, "--update-baseline")
    said = decisions_in(decisions)
    known = decided.read_baseline(baseline) if baseline is not None and not update_baseline else frozenset[str]()
    one_scenario = len(targets) == 1 and targets[0] not in session.books()
    options = session.CheckOptions(
        given, symmetry, max_states, max_seconds, max_memory, store, engine, checkpoint, resume, checkpoint_seconds,
        threads=threads, fingerprints=fingerprints, defaults_only=word == "default", show=show, exercised=one_scenario,
        settle=None if all_tried == ALL else SETTLED if one_scenario else 0)
    if second and only is None:
        raise complaint("only", words.SECOND_WITH, "--second-opinion")
    if second and not session.has_second_opinion():
        raise complaint("cvc5", words.NO_CVC5, "cvc5")
    asked = questions_of(only, targets, {"--try": tried, f"--readings {ALL}": word == ALL, "--store": store})
    paths = [] if asked else list(dict.fromkeys(path for target in targets for path in session.resolve(target)))
    quotes = None if draft is None else register_command.quotes(draft, session.book_of(paths[0]) if paths else targets[0])
    if answers:
        trials = _watched(terminal, paths, options, lambda path, options, *tell: session.try_readings(path, options, answers, *tell))
        if as_json:
            terminal.json(output.form("try", **reading_output.trials_as_json(answers, trials)))
        else:
            reading_output.show_trials(terminal, trials, session.names())
        return FOUND if any(trial.remaining or trial.new for trial in trials) else CLEAN
    done = None
    if word == ALL:
        done = _watched(terminal, paths, options, lambda path, options, *tell: [session.check_all_readings(path, options, *tell)])
        results = [result for one in done for result in one.results]
    elif asked:
        line = ProgressLine(terminal)
        with Interrupt() as interrupted:
            try:
                results = session.ask(
                    targets, asked, replace(options, stop=interrupted), second, lambda text: line(terminal.phrase(text)))
            finally:
                line.close()
    else:
        results = _check(terminal, paths, options)
    if update_baseline and baseline is not None:
        terminal.tell(words.KNOWN_WRITTEN, path=baseline, count=decided.write_baseline(baseline, output.found(results)))
        known = frozenset(finding.id for finding in output.found(results))
    results = decided.results_with_decisions(results, said, known)
    if done is not None:
        done = [replace(one, results=decided.results_with_decisions(one.results, said, known)) for one in done]
    real = output.found(results)
    stored = [kept_findings.store_case(finding, store) for finding in real] if store else []
    if as_json or form == "json":
        more = {} if done is None else {"readings": [reading_output.branches_as_json(one) for one in done]}
        terminal.json(output.results_as_json(results, stored, quotes) | more)
    elif form != "terminal":
        output.show_as(terminal, form, results, session.names(), installed_version(), kept_findings.place_of, quotes)
    else:
        told = results if done is None or full else [one.results[0] for one in done]
        output.show_results(terminal, told, session.names(), full or len(paths or targets) == 1, quotes, unused)
        for one in done or ():
            output.show_blocks(terminal, reading_output.reading_blocks(one, terminal))
        for path in stored:
            terminal.say(words.STORED, path=path)
    return FOUND if any(f.counts for f in real) or any(result.unexpected for result in results) else CLEAN


def questions_of(only: str | None, targets: Sequence[str], others: Mapping[str, object]) -> tuple[str, ...]:
    """What `--only` asks about whole books; nothing where it is not given."""
    if only is None:
        return ()
    asked = tuple(dict.fromkeys(word.strip() for word in only.split(",") if word.strip()))
    for word in asked or ("",):
        if word not in words.QUESTIONS:
            raise complaint("only", words.ONLY_WHAT, word, words.QUESTIONS, all=", ".join(words.QUESTIONS))
    for target in targets:
        if target not in session.books() and not set(asked) <= {*words.LOOP_QUESTIONS, words.ORDER}:
            raise complaint("only", words.ONLY_BOOKS, target, session.books(), only=only)
    for option, given in others.items():
        if given:
            raise complaint("only", words.ONLY_ALONE, option)
    return asked


def decisions_in(path: Path | None) -> Mapping[str, Decision]:
    """The decisions of the file that is named, or of the one that lies here."""
    if path is not None and not path.exists():
        raise complaint("decisions", words.NO_DECISIONS, str(path))
    path = path or Path(decided.FILE)
    return decided.read_decisions(path) if path.exists() else {}


def _check(terminal: Terminal, paths: Sequence[Path], options: CheckOptions) -> list[CheckResult]:
    return _watched(terminal, paths, options, session.check)


R = TypeVar("R")


def _watched(
    terminal: Terminal, paths: Sequence[Path], options: CheckOptions,
    check: Callable[[Path, CheckOptions, Callable[[Progress], None], Callable[[Text], None]], Sequence[R]],
) -> list[R]:
    """What `check` gives for each path, with a progress line meanwhile."""
    line = ProgressLine(terminal)

    def progress(now: Progress) -> None:
        line(terminal.phrase(words.PROGRESS, states=f"{now.states:,}", frontier=f"{now.frontier:,}", depth=now.depth,
                             seconds=now.seconds, rate=now.rate, memory=f"{now.memory_mib:,.0f}"))

    results: list[R] = []
    with ahead(paths, lambda path: session.made_ready(path, options)) as turn_of, Interrupt() as interrupted:
        try:
            for done, path in enumerate(paths, 1):
                turn_of(done - 1)
                results += check(path, replace(options, stop=interrupted), progress, terminal.tell)
                if interrupted():
                    terminal.tell(words.CUT_BY_USER, done=done, left=len(paths) - done)
                    break
        finally:
            line.close()
    return results


def reading_word(given: Sequence[str], *allowed: str) -> tuple[str | None, dict[str, str]]:
    """One of the words that are allowed, alone; or chosen readings."""
    found = [one for one in given if one in allowed]
    if found and len(given) > 1:
        raise complaint("reading", words.READINGS_MIXED, found[0], word=found[0])
    return (found[0], {}) if found else (None, chosen_readings(given))


def chosen_readings(given: Sequence[str]) -> dict[str, str]:
    """`["hand-limit=7"]` as a mapping; anything else is refused."""
    chosen: dict[str, str] = {}
    for one in given:
        name, equals, alternative = one.partition("=")
        if not (name and equals and alternative):
            raise complaint("reading", words.READING_FORM, one, value=one, example="--reading hand-limit=none")
        chosen[name.strip()] = alternative.strip()
    return chosen


# ---------------------------------------------------------------- findings and cases
@command("decide")
@click.argument("finding_id", metavar="ID")
@click.argument("status", type=click.Choice([one.value for one in Decided]))
@click.option("--reason", metavar="TEXT")
@click.option("--person", metavar="NAME")
@click.option("--date", "day", metavar="YYYY-MM-DD")
@click.option("--edition", metavar="EDITION")
@decisions_option
def decide(
    terminal: Terminal, finding_id: str, status: str, reason: str | None, person: str | None, day: str | None,
    edition: str | None, decisions: Path | None,
) -> int:
    finding = kept_findings.explain(finding_id)
    try:
        on = datetime.date.today() if day is None else datetime.date.fromisoformat(day)
    except ValueError:
        raise complaint("date", words.DECIDE_DATE, day or "", example="2026-11-20") from None
    decision = Decision(Decided(status), reason, person, on.isoformat(), edition)
    path = decisions or Path(decided.FILE)
    decided.write_decision(path, finding.id, decision)
    terminal.say(words.DECISION_WRITTEN, id=finding.id, path=path, decision=decision_line(decision, terminal.phrase))
    return CLEAN


@command("explain")
@click.argument("finding_id", metavar="ID")
@decisions_option
@draft_option
@json_option
def explain(terminal: Terminal, finding_id: str, decisions: Path | None, draft: Path | None, as_json: bool) -> int:
    (finding,) = decided.with_decisions([kept_findings.explain(finding_id)], decisions_in(decisions), frozenset())
    quotes = None if draft is None else register_command.quotes(draft, finding.book)
    if as_json:
        terminal.json(finding_as_json(finding) | output.quoted(quotes, [finding]))
    else:
        output.show_finding(terminal, finding, session.names(), quotes)
    return CLEAN


@command("replay")
@click.argument("case", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--step", is_flag=True)
@draft_option
@json_option
def replay(terminal: Terminal, case: Path, step: bool, draft: Path | None, as_json: bool) -> int:
    report = kept_findings.replay(case)
    quotes = None if draft is None else register_command.quotes(draft, report.finding.book)
    if as_json:
        terminal.json(output.replay_as_json(report, quotes))
    else:
        output.show_replay(terminal, report, step, quotes)
    return CLEAN if report.reproduced else FOUND


@command("minimise")
@click.argument("target", metavar="TARGET")
@click.argument("finding_id", required=False, metavar="[ID]")
@reading_option
@click.option("--output", "-o", "output_file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@json_option
def minimise(
    terminal: Terminal, target: str, finding_id: str | None, reading: tuple[str, ...], output_file: Path | None, as_json: bool
) -> int:
    done = session.minimise(one_scenario(target), finding_id, session.CheckOptions(chosen_readings(reading)))
    if output_file is not None:
        output_file.write_text(done.text, encoding="utf-8")
    if as_json:
        terminal.json(output.minimised_as_json(done))
        return CLEAN
    if output_file is None:
        terminal.say(done.text.rstrip("\n") + "\n")
    terminal.say(words.MINIMISED, id=done.finding.id, before=done.before, after=done.after, tried=done.tried,
                 steps_before=done.steps_before, steps=done.steps)
    if output_file is not None:
        terminal.say(words.WRITTEN, path=output_file)
    return CLEAN


@command("verify")
@click.argument("cases", type=click.Path(path_type=Path), required=False, metavar="[FOLDER|FILE]")
@click.option("--jobs", "-j", type=click.IntRange(min=1), metavar="N")
@json_option
def verify(terminal: Terminal, cases: Path | None, jobs: int | None, as_json: bool) -> int:
    path = cases or kept_findings.stored_cases()
    reports = kept_findings.verify(path, jobs or os.cpu_count() or 1)
    if not reports:
        raise complaint("no-cases", words.NO_CASES, str(path), path=path)
    if as_json:
        terminal.json(output.verified_as_json(reports))
    else:
        output.show_verified(terminal, reports)
    return CLEAN if all(report.reproduced for report in reports) else FOUND


# ---------------------------------------------------------------- drafts
@command("lint")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DRAFT...")
@click.option("--select", multiple=True, metavar="RULE")
@click.option("--ignore", multiple=True, metavar="RULE")
@click.option("--hints", is_flag=True)
@click.option("--full", is_flag=True)
@click.option("--format", "form", type=click.Choice(FORMATS), default="terminal")
@json_option
@click.option("--baseline", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@click.option("--update-baseline", is_flag=True)
@click.option("--fix", is_flag=True)
@click.option("--terms", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@click.option("--no-dictionary", "dictionary", flag_value=False, default=True, type=bool)
@click.option("--encoding", type=click.Choice(ENCODINGS))
@click.option("--changes", type=click.Choice(CHANGES), default="accepted")
def lint(
    terminal: Terminal, files: tuple[Path, ...], select: tuple[str, ...], ignore: tuple[str, ...], hints: bool,
    full: bool, form: str, as_json: bool, baseline: Path | None, update_baseline: bool, fix: bool, terms: Path | None,
    dictionary: bool, encoding: str | None, changes: str,
) -> int:
    if update_baseline and baseline is None:
        raise complaint("baseline", words.BASELINE_WHERE, "--update-baseline")
    options = lint_command.Options(_ids(select), _ids(ignore), hints, encoding, changes, terms, dictionary)
    request = lint_command.Request(files, options, "json" if as_json else form, full, fix, baseline, update_baseline)
    return FOUND if lint_command.run(terminal, request, installed_version()) else CLEAN


def _ids(given: Sequence[str]) -> tuple[str, ...]:
    """`a,b` and repeated options alike."""
    return tuple(name.strip() for one in given for name in one.split(",") if name.strip())


# ---------------------------------------------------------------- playing and looking up
def one_scenario(target: str) -> Path:
    """The scenario that is meant; more than one is refused."""
    paths = session.resolve(target)
    if len(paths) != 1:
        scenarios = ", ".join(f"{target}/{path.stem}" for path in paths)
        raise complaint("one-scenario", words.ONE_SCENARIO, target, target=target, scenarios=scenarios)
    return paths[0]


@command("play")
@click.argument("target", metavar="TARGET")
@click.option("--seed", type=click.IntRange(min=0), metavar="N")
@reading_option
@click.option("--save", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
def play(terminal: Terminal, target: str, seed: int | None, reading: tuple[str, ...], save: Path | None) -> int:
    path = one_scenario(target)
    seed = random.randint(0, LARGEST_SEED) if seed is None else seed
    play_by_hand(terminal, session.open_game(path, seed, chosen_readings(reading)), seed, save)
    return CLEAN


@command("why-not")
@click.argument("target", metavar="TARGET")
@click.argument("card", metavar="CARD")
@click.option("--choose", "-c", "chosen", type=click.IntRange(min=1), multiple=True, metavar="N")
@reading_option
@json_option
def why_not(
    terminal: Terminal, target: str, card: str, chosen: tuple[int, ...], reading: tuple[str, ...], as_json: bool
) -> int:
    path = one_scenario(target)
    reasons = session.why_not(path, card, chosen, chosen_readings(reading))
    if as_json:
        terminal.json(output.form("why-not", card=card, reasons=[output.plain_or_none(reason) for reason in reasons]))
    else:
        output.show_reasons(terminal, card, reasons, session.names(), session.book_of(path))
    return CLEAN


@command("where")
@click.argument("book", metavar="BOOK")
@click.argument("clause", metavar="CLAUSE")
@draft_option
@json_option
def where(terminal: Terminal, book: str, clause: str, draft: Path | None, as_json: bool) -> int:
    register_command.where(terminal, book, clause, kept_findings.stored_cases(), draft, as_json)
    return CLEAN


@command("coverage")
@click.argument("book", metavar="BOOK")
@click.option("--all", "everything", is_flag=True)
@click.option("--executed", is_flag=True)
@click.option("--max-states", type=click.IntRange(min=1), metavar="N")
@draft_option
@json_option
def coverage(
    terminal: Terminal, book: str, everything: bool, executed: bool, max_states: int | None, draft: Path | None,
    as_json: bool,
) -> int:
    found = register_command.coverage(terminal, book, everything, executed, max_states, draft, as_json)
    return FOUND if found else CLEAN


@command("register")
@click.argument("draft", required=False, type=click.Path(path_type=Path, dir_okay=False), metavar="[DRAFT]")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("--update", is_flag=True)
@click.option("--book", metavar="BOOK")
@click.option("--accept", is_flag=True)
@click.option("--checked", multiple=True, metavar="CLAUSE")
@click.option("--with-text", is_flag=True)
@click.option("--force", is_flag=True)
@click.option("--all", "everything", is_flag=True)
@click.option("--encoding", type=click.Choice(ENCODINGS))
@json_option
def register(
    terminal: Terminal, draft: Path | None, output: Path | None, update: bool, book: str | None, accept: bool,
    checked: tuple[str, ...], with_text: bool, force: bool, everything: bool, encoding: str | None, as_json: bool,
) -> int:
    modes = [name for name, given in (("-o", output), ("--update", update), ("--checked", checked)) if given]
    if len(modes) != 1:
        raise complaint("register", words.REGISTER_HOW, "register")
    if (update or checked) and book is None:
        raise complaint("register", words.REGISTER_BOOK, modes[0])
    if not checked and draft is None:
        raise complaint("argument", words.MISSING, "DRAFT")
    if checked and book is not None:
        register_command.register_checked(terminal, book, checked, as_json)
        return CLEAN
    if output is not None and draft is not None:
        register_command.register_new(terminal, draft, output, force, with_text, encoding, as_json)
        return CLEAN
    assert draft is not None and book is not None
    cases = list(dict.fromkeys([kept_findings.stored_cases(), Path("counterexamples").resolve()]))
    found = register_command.register_update(terminal, draft, book, cases, accept, everything, encoding, as_json)
    return FOUND if found else CLEAN


@command("info")
@click.argument("book", metavar="BOOK")
@click.option("--full", is_flag=True)
@json_option
def info(terminal: Terminal, book: str, full: bool, as_json: bool) -> int:
    line = ProgressLine(terminal)
    try:
        found = session.sizes_of(book, lambda scenario: line(terminal.phrase(words.OPENING, scenario=scenario)))
    finally:
        line.close()
    if as_json:
        terminal.json(output.sizes_as_json(found))
    else:
        output.show_sizes(terminal, found, session.names(), full)
    return CLEAN


@command("export")
@click.argument("target", metavar="TARGET")
@click.option("--to", "form", type=click.Choice(EXPORTS), required=True)
@click.option("--output", "-o", "output_folder", type=click.Path(path_type=Path, file_okay=False), default=Path(), metavar="FOLDER")
@reading_option
@click.option("--ways", type=click.IntRange(1, 10_000), default=64, metavar="N")
@click.option("--frame-bytes", type=click.IntRange(16, 100_000), default=192, metavar="N")
@click.option("--most", type=click.IntRange(1, 100_000), default=300, metavar="N")
@click.option("--finding", "finding_id", metavar="ID")
@json_option
def export(
    terminal: Terminal, target: str, form: str, output_folder: Path, reading: tuple[str, ...], ways: int, frame_bytes: int,
    most: int, finding_id: str | None, as_json: bool,
) -> int:
    chosen = chosen_readings(reading)

    def written(path: Path) -> list[Path]:
        if form == "itf":
            return session.export_plays(path, chosen, output_folder, terminal.lang)
        if form == "promela":
            return session.export(path, chosen, output_folder, ways, frame_bytes)
        return [session.export_graph(path, chosen, form, output_folder, terminal.lang, most, finding_id)]

    if form == "smt2":
        if target not in session.books() and len(session.resolve(target)) != 1:
            raise complaint("only", words.SMT2_BOOK, target, session.books())
        paths = session.export_questions(target, chosen, output_folder)
    else:
        paths = [file for path in session.resolve(target) for file in written(path)]
    if as_json:
        terminal.json(output.form("export", format=form, files=[str(path) for path in paths]))
    else:
        for path in paths:
            terminal.say(words.WRITTEN, path=path)
        if form == "promela":
            terminal.say(words.PROMELA_NEXT)
    return CLEAN
