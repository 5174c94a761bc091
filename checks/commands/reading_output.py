"""What the commands print about readings: what each does, and what a settlement does."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..console.terminal import Terminal
from ..findings import words
from ..findings.as_json import plain, result_as_json
from ..findings.identity import defect
from ..findings.layout import Block, Field, Heading, Para, Table, Title, layout
from ..findings.page import headline, speaker
from ..findings.record import Finding
from ..findings.steps import Say
from ..readings.branching import Branches, Effect, ReadingReport
from ..readings.trials import Trial


# ---------------------------------------------------------------- what readings do
def reading_blocks(branches: Branches, terminal: Terminal) -> list[Block]:
    """Which readings change what is found, which change play, which make no difference, which never come up, and which were not tried."""
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
    for effect in (Effect.NOTHING, Effect.PARTLY, Effect.UNASKED, Effect.UNTRIED):
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
def show_trials(terminal: Terminal, trials: Sequence[Trial], tried: str = "") -> None:
    """What became of each finding, in one table, and how many there are of each sort."""
    say = speaker(terminal.lang)
    if tried:
        show(terminal, [Field(say(words.TRIED), tried)])
    show(terminal, [trial_table(trials, say)])
    terminal.say()
    terminal.say(words.TRIED_TOTAL, results=len(trials), **totals(trials))


def show(terminal: Terminal, blocks: Sequence[Block]) -> None:
    terminal.show(layout(blocks, terminal.width, terminal.fit))


def trial_table(trials: Sequence[Trial], say: Say, *, unchanged: bool = True) -> Table:
    """A row for each finding and what became of it, with the situations in which it did."""
    rows: dict[tuple[str, str], list[str]] = {}
    for name, word in words.BECAME.items():
        for trial in trials if unchanged or name != "unchanged" else ():
            for finding in became(trial)[name]:
                row = say(word), f"{finding.id}\n{headline(finding.title, say)}"
                rows.setdefault(row, []).append(trial.after.scenario)
    header = tuple(say(word) for word in words.TRIED_HEADER)
    return Table(
        header, tuple((*row, shortened(places, say)) for row, places in rows.items()) or ((say(words.NOTHING_BECAME),),)
    )


MOST_PLACES = 3


def shortened(places: Sequence[str], say: Say) -> str:
    """The first situations, and how many more there are."""
    found = list(dict.fromkeys(places))
    more = len(found) - MOST_PLACES
    return say(words.LIST).join(found[:MOST_PLACES]) + (say(words.AND_OTHERS, count=more) if more > 0 else "")


def became(trial: Trial) -> dict[str, Sequence[Finding]]:
    """The findings of a trial by what became of them."""
    changed = trial.changed
    same = {defect(f) for f in changed}
    return {"resolved": trial.resolved, "cut_off": trial.cut_off, "new": trial.new, "changed": changed,
            "unchanged": [f for f in trial.remaining if defect(f) not in same]}


def totals(trials: Iterable[Trial]) -> dict[str, int]:
    """How many findings became what, each counted once."""
    ids: dict[str, set[str]] = {name: set() for name in words.BECAME}
    for trial in trials:
        for name, found in became(trial).items():
            ids[name] |= {f.id for f in found}
    return {name: len(found) for name, found in ids.items()}


def trials_as_json(tried: Mapping[str, str], trials: Sequence[Trial]) -> dict[str, Any]:
    """The same for programs."""

    def ids(found: Iterable[Finding]) -> list[str]:
        return [f.id for f in found]

    return {
        "tried": dict(sorted(tried.items())),
        "trials": [
            {
                "before": result_as_json(t.before),
                "after": result_as_json(t.after),
                "certain": t.certain,
                "resolved": ids(t.resolved),
                "cut_off": ids(t.cut_off),
                "remaining": ids(t.remaining),
                "changed": ids(t.changed),
                "new": ids(t.new),
            }
            for t in trials
        ],
    }
