"""The commands for findings and cases that are kept: decided, explained, replayed, made smaller, verified."""
from __future__ import annotations

import datetime
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...spec.diagnostics import INVISIBLE, BadInput
from ...spec.writing import try_out, write_whole
from ..console import words as console_words
from ..console.late import late
from ..console.shell import CLEAN, FOUND, complaint
from ..console.terminal import Terminal
from ..findings import words
from ..findings.as_json import finding_as_json
from ..findings.page import decision as decision_line
from ..findings.record import Decided, Decision
from . import output
from .shared import (
    chosen_readings,
    command,
    decisions_in,
    decisions_option,
    draft_option,
    json_option,
    one_scenario,
    only_of_scenarios,
    reading_option,
)

if TYPE_CHECKING:
    from ..findings import identity, tournament
    from ..register import command as register_command
    from ..runs import names as book_names
    from ..runs import session, verifying
    from ..scenarios import saved_plays
    from ..scenarios.minimise import Minimised
    from ..stored import decisions as decided
    from ..stored import finding_store
else:
    identity = late("findings.identity")
    tournament = late("findings.tournament")
    book_names = late("runs.names")
    decided = late("stored.decisions")
    finding_store = late("stored.finding_store")
    saved_plays = late("scenarios.saved_plays")
    register_command = late("register.command")
    session = late("runs.session")
    verifying = late("runs.verifying")


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
    finding = finding_store.find(finding_id)
    try:
        on = datetime.date.today() if day is None else datetime.date.fromisoformat(day)
    except ValueError:
        raise complaint("date", words.DECIDE_DATE, day or "", example="2026-11-20") from None
    for option, given in (("--reason", reason), ("--person", person), ("--edition", edition)):
        if given is not None and not given.strip():
            raise complaint("no-value", words.DECIDE_EMPTY, option)
        if given is not None and (hidden := INVISIBLE.search(given)):
            raise complaint("invisible-character", words.DECIDE_INVISIBLE, option, character=f"U+{ord(hidden[0]):04X}")
    decision = Decision(Decided(status), reason, person, on.isoformat(), edition, identity.about(finding))
    path = decisions or Path(decided.FILE)
    decided.write_decision(path, finding.id, decision)
    terminal.say(words.DECISION_WRITTEN, id=finding.id, path=path, decision=decision_line(decision, terminal.phrase))
    return CLEAN


@command("explain")
@click.argument("finding_id", metavar="ID")
@decisions_option
@draft_option
@click.option("--format", "report_form", type=click.Choice(("terminal", "tournament")), default="terminal")
@json_option
def explain(
    terminal: Terminal, finding_id: str, decisions: Path | None, draft: Path | None, report_form: str, as_json: bool
) -> int:
    said = decisions_in(decisions)
    found = finding_store.find(finding_id)
    if (since := finding_store.edited_since(found)) is not None:
        terminal.tell(since, target=f"{found.book}/{found.scenario}")
    (finding,) = decided.with_decisions([found], said, frozenset())
    same = decided.same_as(
        decided.defects_in([finding]), decided.abouts(said), decided.defects_in(finding_store.remembered().values())
    )
    finding = replace(finding, same_as=same.get(finding.id, ()))
    quotes = None if draft is None else register_command.quotes(draft, finding.book)
    if as_json:
        terminal.json(finding_as_json(finding) | output.quoted(quotes, [finding]))
    elif report_form == "tournament":
        for line in tournament.tournament_report(finding, terminal.lang, book_names.names()).splitlines():
            terminal.say(line)
    else:
        output.show_finding(terminal, finding, book_names.names(), quotes)
    return CLEAN


@command("replay")
@click.argument("case", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--step", is_flag=True)
@draft_option
@json_option
def replay(terminal: Terminal, case: Path, step: bool, draft: Path | None, as_json: bool) -> int:
    report = finding_store.replay(case)
    quotes = None if draft is None else register_command.quotes(draft, report.book)
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
    terminal: Terminal,
    target: str,
    finding_id: str | None,
    reading: tuple[str, ...],
    output_file: Path | None,
    as_json: bool,
) -> int:
    if output_file is not None:
        try_out(output_file)
    play = saved_plays.saved_play(target)
    if play is None:
        done = session.minimise(one_scenario(target), finding_id, session.CheckOptions(chosen_readings(reading)))
    else:
        only_of_scenarios({"--reading": reading})
        done = session.minimise(play.scenario, finding_id, session.of_play(session.CheckOptions(), play))
    unwritten = None
    if output_file is not None:
        try:
            write_whole(output_file, done.text)
        except BadInput as error:
            unwritten = error  # what was found in a long time is shown all the same
    if as_json:
        terminal.json(output.minimised_as_json(done))
    else:
        _show_minimised(terminal, done, output_file if unwritten is None else None)
    if unwritten is not None:
        raise unwritten
    return CLEAN


def _show_minimised(terminal: Terminal, done: Minimised, output_file: Path | None) -> None:
    if output_file is None:
        terminal.say(done.text.rstrip("\n") + "\n")
    terminal.say(console_words.MINIMISED, id=done.finding.id, before=done.before, after=done.after, tried=done.tried,
                 steps_before=done.steps_before, steps=done.steps)
    if output_file is not None:
        terminal.say(console_words.WRITTEN, path=output_file)


@command("verify")
@click.argument("cases", type=click.Path(path_type=Path), required=False, metavar="[FOLDER|FILE]")
@click.option("--jobs", "-j", type=click.IntRange(min=1), metavar="N")
@json_option
def verify(terminal: Terminal, cases: Path | None, jobs: int | None, as_json: bool) -> int:
    path = cases or finding_store.stored_cases()
    reports = verifying.verify(path, jobs or os.cpu_count() or 1)
    if not reports:
        raise complaint("no-cases", console_words.NO_CASES, str(path), path=path)
    if as_json:
        terminal.json(output.verified_as_json(reports))
    else:
        output.show_verified(terminal, reports)
    return CLEAN if all(report.reproduced for report in reports) else FOUND
