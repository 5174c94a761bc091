"""A play told in few lines: what nobody chose is drawn together, what is long is shortened, and both are said."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from .. import words
from .record import PlayStep

LONG, AHEAD, BEHIND = 24, 6, 12
"""More rows than this are shortened; so many at the beginning and at the end are kept."""
MANY_CLAUSES = 8
MANY_OPTIONS = 4

Say = Callable[..., str]
"""A phrase in the reader's language, its blanks filled in."""
Row = tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """Consecutive steps told as one: `number` is that of the first."""

    number: int
    steps: tuple[PlayStep, ...]

    @property
    def quiet(self) -> bool:
        """Nobody chose anything."""
        return all(step.decider is None for step in self.steps)

    @property
    def clauses(self) -> tuple[str, ...]:
        return distinct(clause for step in self.steps for clause in step.clauses)


def stem_rows(steps: Sequence[PlayStep], say: Say) -> list[Row]:
    """The rows of a table: number, who chose, what happened, clauses. A row of one cell says what was left out. Of a
    long play each turn is drawn together, but the last one, in which it happens."""
    groups = _grouped(steps, lambda step: (step.turn,) if step.decider is None else None)
    if len(groups) > LONG:
        last = steps[-1].turn
        before = next((k for k in range(len(steps), 0, -1) if last is None or steps[k - 1].turn != last), 0)
        groups = _grouped(
            steps[:before],
            lambda step: say(step.chosen) if step.decider is not None and step.chosen is not None else (step.turn,),
        )
        groups += _grouped(steps[before:], lambda step: step.decider is None and not step.changes, before + 1)
    rows = [_row(group, say) for group in groups]
    if len(rows) <= LONG:
        return rows
    count = sum(len(group.steps) for group in groups[AHEAD:-BEHIND])
    return [*rows[:AHEAD], (say(words.LEFT_OUT, count=count),), *rows[-BEHIND:]]


def cycle_items(steps: Sequence[PlayStep], say: Say, clause: Callable[[str], str]) -> list[str]:
    """The items of a numbered list. Where nobody chooses, each clause is an item of its own, told by `clause`;
    of very many, what changes something is told, and what lies between is drawn together."""
    items: list[str] = []
    for group in _grouped(steps, lambda step: step.decider is None):
        if not group.quiet:
            items += [_choice(step, say) for step in group.steps]
        elif len(group.clauses) > MANY_CLAUSES or not group.clauses:
            telling = [step for step in group.steps if step.clauses or step.changes] or group.steps[:1]
            parts = _grouped(telling, lambda step: not step.changes)
            items += [f"{clause_list(part.clauses, say)} {_event(part, say)}".strip() for part in parts]
        else:
            *others, end = (clause(one) for one in group.clauses)
            changes = _changes(group.steps, say)
            items += [*others, f"{end}\n{changes}" if changes else end]
    return items


def clause_list(clauses: Sequence[str], say: Say) -> str:
    """Clauses beside each other; of very many, the first and the last."""
    if len(clauses) <= MANY_CLAUSES:
        return " ".join(clauses)
    return say(words.CLAUSES_OF, first=" ".join(clauses[:3]), last=" ".join(clauses[-2:]), count=len(clauses))


def distinct(items: Iterable[str]) -> tuple[str, ...]:
    """Each once, in order of first appearance."""
    return tuple(dict.fromkeys(items))


_CHANGE = re.compile(r"(?P<what>.*\S)\s+(?P<before>\S+?)\s*→\s*(?P<after>\S+)")


def merged(changes: Iterable[str]) -> list[str]:
    """Changes drawn together: `hand 5→6` and then `hand 6→7` are `hand 5→7`, there and back is nothing."""
    told: list[tuple[str, str, str] | str] = []
    latest: dict[str, int] = {}
    for change in changes:
        match = _CHANGE.fullmatch(change)
        if match is None:
            told.append(change)
            continue
        what, before, after = match.group("what", "before", "after")
        earlier = told[latest[what]] if what in latest else None
        if isinstance(earlier, tuple) and earlier[2] == before:
            told[latest[what]] = (what, earlier[1], after)
        else:
            latest[what] = len(told)
            told.append((what, before, after))
    return [
        change if isinstance(change, str) else f"{change[0]} {change[1]}→{change[2]}"
        for change in told
        if isinstance(change, str) or change[1] != change[2]
    ]


def _grouped(steps: Sequence[PlayStep], key: Callable[[PlayStep], object], number: int = 1) -> list[Group]:
    """Consecutive steps with the same true key are a group, each other step is one by itself. The first step has the
    number that is given."""
    groups: list[Group] = []
    for same, run in groupby(steps, key):
        together = tuple(run)
        for part in [together] if same else [(step,) for step in together]:
            groups.append(Group(number, part))
            number += len(part)
    return groups


def _row(group: Group, say: Say) -> Row:
    first, last = group.number, group.number + len(group.steps) - 1
    number = str(first) if first == last else say(words.STEP_RANGE, first=first, last=last)
    turns = distinct(say(step.turn) for step in group.steps if step.turn is not None)
    if len(turns) == 1 and all(step.turn is not None for step in group.steps):
        number = turns[0] if group.quiet else f"{turns[0]} {number}"
    deciders = distinct(say(step.decider) for step in group.steps if step.decider)
    who = say(words.NOBODY_CHOOSES) if not deciders else deciders[0] if len(deciders) == 1 else say(words.SEVERAL)
    return number, who, _event(group, say), clause_list(group.clauses, say)


def _event(group: Group, say: Say) -> str:
    count = len(group.steps)
    changes = _changes(group.steps, say)
    if group.quiet:
        if count == 1 and changes:
            return changes
        lead = say(words.QUIET_RUN, count=count) if count > 1 else say(words.QUIET)
    else:
        lead = say(group.steps[0].chosen) if group.steps[0].chosen else ""
        lead = say(words.SAME_RUN, chosen=lead, count=count) if count > 1 else lead
    return "\n".join(part for part in (lead, changes) if part)


def _changes(steps: Sequence[PlayStep], say: Say) -> str:
    return say(words.LIST).join(merged(say(change) for step in steps for change in step.changes))


def _choice(step: PlayStep, say: Say) -> str:
    """Who chose what in a step of a cycle, and what else there was: it is there that the loop could be left."""
    chosen = say(step.chosen) if step.chosen else say(words.QUIET)
    said = f"{clause_list(step.clauses, say)} {say(words.CHOSEN_BY, who=step.decider, chosen=chosen)}".strip()
    if step.alternatives:
        options = [say(option) for option in step.alternatives[:MANY_OPTIONS]]
        if len(step.alternatives) > MANY_OPTIONS:
            options.append(say(words.AND_MORE, count=len(step.alternatives) - MANY_OPTIONS))
        said += say(words.INSTEAD, options=say(words.LIST).join(options))
    changes = _changes((step,), say)
    return f"{said}\n{changes}" if changes else said
