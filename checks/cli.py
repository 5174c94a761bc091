"""The commands. Each asks the session for something and shows it; `check` and what works on stored findings have modules of their own (`commands/`)."""
from __future__ import annotations

import gc
import os
import random
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..spec import BOOKS
from ..spec.writing import finish_what_was_begun, try_out
from .commands import output
from .commands.check import check, demo, hunt
from .commands.shared import (
    chosen_readings,
    cluster_option,
    command,
    commands,
    draft_option,
    installed_version,
    json_option,
    one_scenario,
    only_of_scenarios,
    reading_option,
    set_books,
)
from .commands.stored import decide, explain, minimise, replay, verify
from .console import words
from .console.late import late
from .console.shell import BAD, CLEAN, FOUND, complaint, run
from .console.terminal import ProgressLine, Terminal, asked_language, language, never_fail
from .limits.frames import with_room_for_frames
from .limits.interrupt import CODE as INTERRUPTED
from .limits.interrupt import answered
from .lint.offered import CHANGES, ENCODINGS, FORMATS

if TYPE_CHECKING:
    from .audit import command as audit_command
    from .combos import command as combos_command
    from .combos import searching as combos_searching
    from .commands import play_loop
    from .commands import watch as watching
    from .lint import command as lint_command
    from .phrases import command as phrases_command
    from .questions import answers as question_answers
    from .questions import command as questions_command
    from .register import asked as register_asked
    from .register import command as register_command
    from .runs import exporting, session
    from .runs import names as book_names
    from .scaffold import command as scaffold_command
    from .scenarios import playing, saved_plays, sizes
    from .stored import finding_store
    from .validate import command as validate_command
else:
    play_loop = late("commands.play_loop")
    watching = late("commands.watch")
    finding_store = late("stored.finding_store")
    audit_command = late("audit.command")
    combos_command = late("combos.command")
    combos_searching = late("combos.searching")
    session = late("runs.session")
    exporting = late("runs.exporting")
    book_names = late("runs.names")
    playing = late("scenarios.playing")
    saved_plays = late("scenarios.saved_plays")
    sizes = late("scenarios.sizes")
    register_asked = late("register.asked")
    register_command = late("register.command")
    scaffold_command = late("scaffold.command")
    validate_command = late("validate.command")
    lint_command = late("lint.command")
    phrases_command = late("phrases.command")
    question_answers = late("questions.answers")
    questions_command = late("questions.command")

EXPORTS = ("promela", "itf", "dot", "graphml", "smt2")
LARGEST_SEED = 999_999
RARELY = 10_000_000, 20, 20
"""How often Python looks for garbage in circles: compiling rules makes a great many small things, few in circles (all of hanayome some
ten million, 650 MiB)."""


@with_room_for_frames
def main(arguments: Sequence[str] | None = None) -> int:
    """The command `rulewright`: gives the exit code."""
    never_fail(sys.stdout, sys.stderr)
    gc.set_threshold(*RARELY)
    arguments = sys.argv[1:] if arguments is None else arguments
    before = os.environ.get(BOOKS)
    try:
        with answered():
            finish_what_was_begun()
            return run(commands, arguments, Terminal(language(asked_language(arguments))))
    finally:
        set_books(before)


# ---------------------------------------------------------------- drafts
@command("lint")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="DRAFT...")
@click.option("--explain", "explained", metavar="RULE")
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
def lint(terminal: Terminal, files: tuple[Path, ...], explained: str | None, select: tuple[str, ...],
         ignore: tuple[str, ...], hints: bool, full: bool, form: str, as_json: bool, baseline: Path | None,
         update_baseline: bool, fix: bool, terms: Path | None, dictionary: bool, encoding: str | None,
         changes: str) -> int:
    if explained is not None:
        lint_command.explain(terminal, explained, as_json)
        return CLEAN
    if not files:
        raise complaint("draft", words.DRAFT_WHERE, "lint")
    if update_baseline and baseline is None:
        raise complaint("baseline", words.BASELINE_WHERE, "--update-baseline")
    options = lint_command.Options(_ids(select), _ids(ignore), hints, encoding, changes, terms, dictionary)
    request = lint_command.Request(files, options, "json" if as_json else form, full, fix, baseline, update_baseline)
    return FOUND if lint_command.run(terminal, request, installed_version()) else CLEAN


@command("combos")
@click.argument("book", metavar="BOOK")
@click.option("--cards", "pool", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@click.option("--size", default="2..4", metavar="2..4")
@click.option(
    "--max-seconds", "--max-time", "max_seconds", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS"
)
@click.option("--max-memory", type=click.IntRange(min=1), metavar="MIB")
@click.option("--seed", type=click.IntRange(min=0), default=0, metavar="N")
@click.option("--threads", "processes", type=click.IntRange(min=1), metavar="N")
@cluster_option
@click.option("--ends", is_flag=True)
@click.option("--stopped-by", is_flag=True)
@click.option("--one-card-away", "one_away", is_flag=True)
@click.option("--full", is_flag=True)
@reading_option
@json_option
def combos(terminal: Terminal, book: str, pool: Path | None, size: str, max_seconds: float | None,
           max_memory: int | None, seed: int, processes: int | None, cluster: str | None, ends: bool, stopped_by: bool,
           one_away: bool, full: bool, reading: tuple[str, ...], as_json: bool) -> int:
    until = None if max_seconds is None else time.monotonic() + max_seconds
    also = [
        name for name, wanted in (("ends", ends), ("stopped-by", stopped_by), ("one-card-away", one_away)) if wanted
    ]
    asked = partial(combos_searching.search, book, pool, combos_command.sizes_of(size), chosen_readings(reading), seed,
                    processes, until, memory=max_memory, cluster=cluster, also=also)
    found, interrupted = combos_command.run(terminal, asked, full, as_json)
    return INTERRUPTED if interrupted else FOUND if found else CLEAN


@command("audit")
@click.argument("book", metavar="BOOK")
@click.option("--only", "sorts", multiple=True, metavar="KIND")
@click.option("--all", "everything", is_flag=True)
@click.option("--answers", "choice_answers", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@click.option(
    "--max-seconds", "--max-time", "max_seconds", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS"
)
@click.option("--threads", type=click.IntRange(min=1), metavar="N")
@click.option("--format", "form", type=click.Choice(("terminal", "markdown", "json")), default="terminal")
@json_option
def audit(terminal: Terminal, book: str, sorts: tuple[str, ...], everything: bool, choice_answers: Path | None,
          max_seconds: float | None, threads: int | None, form: str, as_json: bool) -> int:
    asked = audit_command.Request(book, audit_command.kinds_of(_ids(sorts)), choice_answers, max_seconds, threads)
    found, interrupted = audit_command.run(terminal, asked, everything, "json" if as_json else form)
    return INTERRUPTED if interrupted else FOUND if found else CLEAN


@command("questions")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False), metavar="DRAFT")
@click.option("--explain", "family", metavar="FAMILY")
@click.option("--only", "families", multiple=True, metavar="FAMILY")
@click.option("--all", "all_questions", is_flag=True)
@click.option("--checklist", is_flag=True)
@click.option("--answered", is_flag=True)
@click.option("--answers", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@click.option("--answer", metavar="FAMILY@CLAUSE")
@click.option("--by", "by", metavar="CLAUSE")
@click.option("--reading", "by_reading", metavar="READING")
@click.option("--rule", "by_rule", metavar="RULE")
@click.option("--because", metavar="TEXT")
@click.option("--open", "left_open", metavar="TEXT")
@click.option("--book", "of_book", metavar="BOOK")
@click.option("--encoding", type=click.Choice(ENCODINGS))
@json_option
def questions(terminal: Terminal, file: Path | None, family: str | None, families: tuple[str, ...], all_questions: bool,
              checklist: bool, answered: bool, answers: Path | None, answer: str | None, by: str | None,
              by_reading: str | None, by_rule: str | None, because: str | None, left_open: str | None,
              of_book: str | None, encoding: str | None, as_json: bool) -> int:
    if family is not None:
        questions_command.explain(terminal, family, as_json)
        return CLEAN
    if file is None:
        raise complaint("draft", words.QUESTIONS_WHERE, "questions")
    told = dict(zip(question_answers.Kind, (by, by_reading, by_rule, because, left_open), strict=True))
    if answer is None and (given := next((kind for kind, said in told.items() if said is not None), None)) is not None:
        raise complaint("answer", words.ANSWER_WHAT, f"--{given.value}")
    book = None if of_book is None else register_asked.of_book(of_book)
    request = questions_command.Request(
        file, _ids(families), answered, all_questions, checklist, answers, encoding, book)
    if answer is not None:
        questions_command.answer(terminal, request, answer, told)
        return CLEAN
    return FOUND if questions_command.run(terminal, request, as_json) else CLEAN


@command("phrases")
@click.argument("book", metavar="BOOK")
@click.argument("text", required=False, metavar="[TEXT]")
@click.option("--kind", "phrase_kind", metavar="KIND")
@json_option
def phrases(terminal: Terminal, book: str, text: str | None, phrase_kind: str | None, as_json: bool) -> int:
    return FOUND if phrases_command.run(terminal, book, text, phrase_kind, as_json) else CLEAN


@command("language-server")
@click.option("--select", multiple=True, metavar="RULE")
@click.option("--ignore", multiple=True, metavar="RULE")
@click.option("--hints", is_flag=True)
@click.option("--terms", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
def language_server(
    terminal: Terminal, select: tuple[str, ...], ignore: tuple[str, ...], hints: bool, terms: Path | None
) -> int:
    options = lint_command.Options(_ids(select), _ids(ignore), hints, terms=terms)
    lint_command.chosen_rules(options)  # refuses rules that there are not, before an editor waits for an answer
    lint_command.serve(terminal.lang, installed_version(), options)
    return CLEAN


def _ids(given: Sequence[str]) -> tuple[str, ...]:
    """`a,b` and repeated options alike."""
    return tuple(name.strip() for one in given for name in one.split(",") if name.strip())


# ---------------------------------------------------------------- playing and looking up
@command("play")
@click.argument("target", metavar="TARGET")
@click.option("--seed", type=click.IntRange(min=0), metavar="N")
@reading_option
@click.option("--save", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
def play(terminal: Terminal, target: str, seed: int | None, reading: tuple[str, ...], save: Path | None) -> int:
    path = one_scenario(target)
    seed = random.randint(0, LARGEST_SEED) if seed is None else seed
    if save is not None:
        try_out(save)
    play_loop.play(terminal, playing.open_game(path, seed, chosen_readings(reading)), seed, save)
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
    found = playing.why_not_offered(path, card, chosen, chosen_readings(reading))
    if as_json:
        terminal.json(output.form("why-not", card=card, asked=output.plain_or_none(found.asked), by_luck=found.by_luck,
                                  reasons=[output.plain_or_none(reason) for reason in found.reasons]))
    else:
        if found.asked is not None:
            terminal.say(words.WHO_IS_ASKED, who=found.asked)
        if found.by_luck:
            terminal.say(words.BY_LUCK_SO, target=target, seed=playing.SEED)
        output.show_reasons(terminal, card, found.reasons, book_names.names(), session.book_of(path))
    return CLEAN


@command("where")
@click.argument("book", metavar="BOOK")
@click.argument("clause", metavar="CLAUSE")
@draft_option
@json_option
def where(terminal: Terminal, book: str, clause: str, draft: Path | None, as_json: bool) -> int:
    register_command.where(terminal, book, clause, finding_store.stored_cases(), draft, as_json)
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
    found = register_command.register_update(
        terminal, draft, book, finding_store.stored_cases(), accept, everything, encoding, as_json
    )
    return FOUND if found else CLEAN


@command("new")
@click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("--from", "source", type=click.Path(path_type=Path, dir_okay=False), metavar="DRAFT")
@click.option("--yes", is_flag=True)
@click.option("--encoding", type=click.Choice(ENCODINGS))
@json_option
def new(terminal: Terminal, folder: Path, source: Path | None, yes: bool, encoding: str | None, as_json: bool) -> int:
    if source is None:
        raise complaint("draft", words.NEW_WHERE, str(folder))
    scaffold_command.new(terminal, folder, source, yes, encoding, as_json)
    return CLEAN


@command("validate")
@click.argument("book", metavar="BOOK")
@draft_option
@json_option
def validate(terminal: Terminal, book: str, draft: Path | None, as_json: bool) -> int:
    worst = validate_command.validate(terminal, book, draft, as_json)
    return CLEAN if worst is None else BAD if worst.value == "error" else FOUND


@command("watch")
@click.argument("book", metavar="BOOK")
def watch(terminal: Terminal, book: str) -> int:
    watching.watch(terminal, book)
    return INTERRUPTED


@command("info")
@click.argument("book", metavar="BOOK")
@click.option("--full", is_flag=True)
@json_option
def info(terminal: Terminal, book: str, full: bool, as_json: bool) -> int:
    with closing(ProgressLine(terminal)) as line:
        found = sizes.sizes(book, lambda scenario: line(terminal.phrase(words.OPENING, scenario=scenario)))
    if as_json:
        terminal.json(output.sizes_as_json(found))
    else:
        output.show_sizes(terminal, found, book_names.names(), full)
    return CLEAN


@command("export")
@click.argument("target", metavar="TARGET")
@click.option("--to", "form", type=click.Choice(EXPORTS), required=True)
@click.option("--output", "-o", "output_folder", type=click.Path(path_type=Path, file_okay=False), default=Path(),
              metavar="FOLDER")
@reading_option
@click.option("--ways", type=click.IntRange(1, 10_000), default=64, metavar="N")
@click.option("--frame-bytes", type=click.IntRange(16, 100_000), default=192, metavar="N")
@click.option("--most", type=click.IntRange(1, 100_000), default=300, metavar="N")
@click.option("--finding", "finding_id", metavar="ID")
@json_option
def export(terminal: Terminal, target: str, form: str, output_folder: Path, reading: tuple[str, ...], ways: int,
           frame_bytes: int, most: int, finding_id: str | None, as_json: bool) -> int:
    chosen = chosen_readings(reading)
    if saved_plays.saved_play(target) is not None:
        only_of_scenarios({f"--to {form}": form != "itf", "--reading": reading})
    try_out(output_folder / form)

    def written(path: Path) -> list[Path]:
        if form == "itf":
            return exporting.export_plays(path, chosen, output_folder, terminal.lang)
        if form == "promela":
            return exporting.export_model(path, chosen, output_folder, ways, frame_bytes)
        return [exporting.export_graph(path, chosen, form, output_folder, terminal.lang, most, finding_id)]

    if form == "smt2":
        if target not in session.books() and len(session.resolve(target)) != 1:
            raise complaint("only", words.SMT2_BOOK, target, session.books())
        paths = exporting.export_questions(target, chosen, output_folder)
    else:
        paths = [file for path in session.resolve(target) for file in written(path)]
    if as_json:
        terminal.json(output.form("export", format=form, files=[str(path) for path in paths]))
    else:
        for path in paths:
            terminal.say(words.WRITTEN, path=path)
        if not paths:
            terminal.say(words.NO_PLAYS)
        if form == "promela":
            terminal.say(words.PROMELA_NEXT)
    return CLEAN


__all__ = ["check", "commands", "decide", "demo", "explain", "hunt", "main", "minimise", "replay", "verify"]
