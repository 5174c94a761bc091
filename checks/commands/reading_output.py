"""What the commands print about readings: what each does, and what a settlement does."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..console.terminal import Terminal
from ..findings import words
from ..findings.as_json import plain, result_as_json
from ..findings.layout import Block, Field, Heading, Para, Table, Title, layout
from ..findings.overview import finding_line
from ..findings.page import Names, readings, speaker
from ..findings.record import Finding
from ..findings.steps import Say
from ..readings.branching import Branches, Effect, ReadingReport
from ..readings.trials import Trial


# ---------------------------------------------------------------- what readings do
def reading_blocks(branches: Branches, terminal: Terminal) -> list[Block]:
    """Which readings change what is found, which change play, which make no difference, and which never come up."""
    say = speaker(terminal.lang)
    by_effect = {e: [r for r in branches.readings if r.effect is e] for e in Effect}
    header = tuple(say(word) for word in words.READINGS_HEADER)
    blocks: list[Block] = [Title(say(words.READINGS_TITLE, sets=len(branches.results)))]
    if branches.left_out:
        blocks.append(Para(say(words.SETS_LEFT_OUT, count=branches.left_out)))
    for effect in (Effect.FINDINGS, Effect.PLAY):
        if by_effect[effect]:
            rows = tuple(_row(r, say) for r in by_effect[effect])
            blocks += [Heading(say(words.READING_EFFECT[effect.value])), Table(header, rows)]
    for effect in (Effect.NOTHING, Effect.UNASKED):
        if by_effect[effect]:
            names = say(words.LIST).join(r.reading for r in by_effect[effect])
            blocks += [Heading(say(words.READING_EFFECT[effect.value])), Para(names)]
    return [*blocks, Para(say(words.READINGS_BOUNDS))]


def _row(report: ReadingReport, say: Say) -> tuple[str, ...]:
    answers = say(words.LIST).join(report.answers)
    seen = dict.fromkeys(one for one in (*report.findings, report.finding) if one is not None)
    return f"{report.reading}\n{say(report.question)}", answers, "\n".join(seen) or "-"


def branches_as_json(branches: Branches) -> dict[str, Any]:
    """The same for programs."""
    return {"readings": plain(branches.readings), "sets_left_out": branches.left_out}


# ---------------------------------------------------------------- what a settlement does
def show_trials(terminal: Terminal, trials: Sequence[Trial], names: Names) -> None:
    """For each reading set: what is resolved, what remains, what is new; then how many of each."""
    say = speaker(terminal.lang)
    for trial in trials:
        terminal.show(layout(_trial_blocks(trial, say, names), terminal.width, terminal.fit))
        terminal.say()
    counts = totals(trials)
    terminal.say(words.TRIED_TOTAL, results=len(trials), **counts)


def _trial_blocks(trial: Trial, say: Say, names: Names) -> list[Block]:
    before = trial.before
    blocks: list[Block] = [
        Title(f"{before.book}/{before.scenario}  {say(before.title)}"),
        Field(say(words.READINGS), readings(before.book, before.readings, say, names) or say(words.NO_READINGS)),
        Field(say(words.TRIED), readings(before.book, trial.tried, say, names)),
    ]
    if not trial.certain:
        blocks.append(Para(say(words.CUT_OFF)))
    for word, found in ((words.RESOLVED, trial.resolved), (words.REMAINING, trial.remaining), (words.NEW, trial.new)):
        blocks += [Heading(say(word, count=len(found))), *(finding_line(f, say) for f in found)]
    return blocks


def totals(trials: Iterable[Trial]) -> dict[str, int]:
    """How many findings are resolved, remain and are new, each counted once."""
    ids: dict[str, set[str]] = {"resolved": set(), "remaining": set(), "new": set()}
    for trial in trials:
        for word, found in (("resolved", trial.resolved), ("remaining", trial.remaining), ("new", trial.new)):
            ids[word] |= {f.id for f in found}
    return {word: len(found) for word, found in ids.items()}


def trials_as_json(tried: Mapping[str, str], trials: Sequence[Trial]) -> dict[str, Any]:
    """The same for programs."""

    def ids(found: Iterable[Finding]) -> list[str]:
        return [f.id for f in found]

    return {
        "tried": dict(sorted(tried.items())),
        "trials": [
            {"before": result_as_json(t.before), "after": result_as_json(t.after), "certain": t.certain,
             "resolved": ids(t.resolved), "remaining": ids(t.remaining), "new": ids(t.new)}
            for t in trials
        ],
    }
