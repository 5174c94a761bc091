"""A play told in few lines: what nobody chose is drawn together, what is long is shortened, and both are said."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from . import words
from .layout import Table
from .record import PlayStep

LONG, AHEAD, BEHIND = 24, 6, 12
"""More rows than this are shortened; so many at the beginning and at the end are kept."""
LONGEST_PERIOD, AGAIN = 4, 3
"""Rows that are repeated at least so often, at most so many together, are one row."""
MANY_CLAUSES = 8
"""More clauses than this are not listed one by one with what they say."""
STILL_CLAUSES = 20
"""The same where one thing at most is told to happen, so that there is little else to tell."""
SOME_CLAUSES = 5
"""More than this are not listed beside a step."""
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


def stem_table(steps: Sequence[PlayStep], say: Say, from_setup: bool = False) -> Table:
    """The steps as a table: number or turn, who chose (unless nobody ever did), what happened, clauses. What happens again and
    again is one row. A row of one cell says what was left out, or heads the rows of a turn. Of a long play each turn is drawn
    together, but the last one, in which it happens. `from_setup`: what comes before the first turn is the preparation."""
    groups = _grouped(steps, lambda step: (step.turn,) if step.decider is None else None)
    if len(groups) > LONG:
        last = steps[-1].turn
        before = next((k for k in range(len(steps), 0, -1) if last is None or steps[k - 1].turn != last), 0)
        groups = _grouped(
            steps[:before],
            lambda step: say(step.chosen) if step.decider is not None and step.chosen is not None else (step.turn,),
        )
        groups += _grouped(steps[before:], lambda step: step.decider is None and not step.changes, before + 1)
    folds = folded(groups, say)
    chosen = any(not group.quiet for group in groups)
    header = (words.STEP_HEADER if chosen else (words.STEP_HEADER[0], *words.STEP_HEADER[2:]))
    rows = _rows(folds, say, from_setup)
    if len(rows) > LONG:
        head, tail = _rows(folds[:AHEAD], say, from_setup), _rows(folds[-BEHIND:], say)
        count = sum(len(group.steps) for fold in folds[AHEAD:-BEHIND] for group in fold.groups)
        rows = [*head, (say(words.LEFT_OUT, count=count),), *tail]
    return Table(
        tuple(say(word) for word in header),
        tuple(row if chosen or len(row) == 1 else (row[0], *row[2:]) for row in rows),
    )


@dataclass(frozen=True)
class Fold:
    """Groups that are told in one row: one, or `period` of them, which are then repeated in the same way."""

    groups: tuple[Group, ...]
    period: int = 1

    @property
    def repeated(self) -> bool:
        """Is it told how often?"""
        return len(self.groups) > self.period


def folded(groups: Sequence[Group], say: Say) -> list[Fold]:
    """The groups, those drawn together that do the same again and again (the same changes by the same numbers)."""
    marks = [_signature(group, say) for group in groups]
    folds: list[Fold] = []
    k = 0
    while k < len(groups):
        repeated = [(times * p, -p) for p in range(1, LONGEST_PERIOD + 1) if (times := _times(marks, k, p)) >= AGAIN]
        count, period = max(repeated, default=(1, -1))
        folds.append(Fold(tuple(groups[k:k + count]), -period))
        k += count
    return folds


def _times(marks: Sequence[object], start: int, period: int) -> int:
    """How often what stands in the next `period` places stands there, one after the other; 0 where it is nothing to tell of."""
    first = marks[start:start + period]
    if len(first) < period or None in first:
        return 0
    times = 1
    while marks[start + times * period:start + (times + 1) * period] == first:
        times += 1
    return times


def _signature(group: Group, say: Say) -> object:
    """What is equal of groups that do the same; None where nothing changes."""
    changes = [_parted(change) for change in unnamed(changes_of(group.steps, say))]
    if not changes:
        return None
    same = tuple((what, after - before) if number else what for what, before, after, number in changes)
    return same, *((say(step.decider), say(step.chosen)) for step in group.steps if step.decider and step.chosen)


def _parted(change: str) -> tuple[str, int, int, bool]:
    """A change of a number: what, before, after, and that it is one."""
    match = _CHANGE.fullmatch(change)
    if match is None or not (match["before"].isdigit() and match["after"].isdigit()):
        return change, 0, 0, False
    return match["what"], int(match["before"]), int(match["after"]), True


def _rows(folds: Sequence[Fold], say: Say, from_setup: bool = False) -> list[Row]:
    """The rows; a turn of several rows has a head of its own, and so has the preparation."""
    rows: list[Row] = []
    turns = [
        distinct(say(step.turn) for group in fold.groups for step in group.steps if step.turn is not None)
        for fold in folds
    ]
    if from_setup:
        begun = next((k for k, turn in enumerate(turns) if turn), len(turns))
        turns = [(say(words.PREPARATION),)] * begun + turns[begun:]
    headed: str | None = None
    for k, fold in enumerate(folds):
        turn = next(iter(turns[k])) if len(turns[k]) == 1 else None
        several = turn is not None and sum(turns[k] == other for other in turns) > 1
        if several and turn is not None and turn != headed:
            rows.append((turn,))
        headed = turn if several else None
        rows.append(_folded_row(fold, say) if fold.repeated else _row(fold.groups[0], say, None if several else turn))
    return rows


def _folded_row(fold: Fold, say: Say) -> Row:
    groups, times = fold.groups, len(fold.groups) // fold.period
    first, last = groups[0].steps[0], groups[-1].steps[-1]
    number = say(words.STEP_RANGE, first=say(first.turn) if first.turn else groups[0].number,
                 last=say(last.turn) if last.turn else groups[-1].number + len(groups[-1].steps) - 1)
    if first.turn is not None and first.turn == last.turn:
        number = say(first.turn)
    told: list[str] = []
    for group in groups[:fold.period]:
        for what, before, after, is_number in map(_parted, unnamed(changes_of(group.steps, say))):
            step = after - before
            told.append(say(words.EACH_TIME, what=what, first=before, last=before + step * times, step=f"{step:+}")
                        if is_number else what)
    event = say(words.AGAIN_AND_AGAIN, times=times) + "\n" + say(words.LIST).join(told)
    who = _who(groups[:fold.period], say)
    return number, who, event, clause_list(distinct(c for group in groups[:fold.period] for c in _decisive(group)), say)


def _who(groups: Sequence[Group], say: Say) -> str:
    deciders = distinct(say(step.decider) for group in groups for step in group.steps if step.decider)
    return say(words.NOBODY_CHOOSES) if not deciders else deciders[0] if len(deciders) == 1 else say(words.SEVERAL)


def _decisive(group: Group) -> tuple[str, ...]:
    """The clauses by which something changed; where nothing did, those carried out."""
    return distinct(clause for step in group.steps for clause in step.working) or group.clauses


def cycle_items(steps: Sequence[PlayStep], say: Say, clause: Callable[[str], str]) -> list[str]:
    """The items of a numbered list. Where nobody chooses, each clause is an item of its own, told by `clause`, the first time;
    of very many, what changes something is told, and what lies between is drawn together."""
    items: list[str] = []
    told: set[str] = set()
    for group in _grouped(steps, lambda step: step.decider is None):
        if not group.quiet:
            items += [_choice(step, say) for step in group.steps]
        elif not group.clauses or len(group.clauses) > (
            MANY_CLAUSES if sum(len(step.changes) for step in group.steps) > 1 else STILL_CLAUSES
        ):
            telling = [step for step in group.steps if step.clauses or step.changes] or group.steps[:1]
            parts = _grouped(telling, lambda step: not step.changes)
            items += [f"{clause_list(_decisive(part), say)} {_event(part, say)}".strip() for part in parts]
        else:
            runs = [(known, [*run]) for known, run in groupby(group.clauses, told.__contains__)]
            *others, end = (
                one
                for known, run in runs
                for one in ([say(words.AS_BEFORE, clauses=clause_list(run, say))] if known else map(clause, run))
            )
            told.update(group.clauses)
            changes = _changes(group.steps, say)
            items += [*others, f"{end}\n{changes}" if changes else end]
    return items


def clause_list(clauses: Sequence[str], say: Say) -> str:
    """Clauses beside each other; of very many, the first and the last."""
    if len(clauses) <= SOME_CLAUSES:
        return " ".join(clauses)
    return say(words.CLAUSES_OF, first=" ".join(clauses[:2]), last=clauses[-1], count=len(clauses))


def distinct(items: Iterable[str]) -> tuple[str, ...]:
    """Each once, in order of first appearance."""
    return tuple(dict.fromkeys(items))


_CHANGE = re.compile(r"(?P<what>.*\S)\s+(?P<before>\S+?)\s*→\s*(?P<after>\S+)")


def changes_of(steps: Sequence[PlayStep], say: Say) -> list[str]:
    """The changes of steps, drawn together; not those of which one step tells twice, because they are of several equal cards."""
    told = [[say(change) for change in step.changes] for step in steps]
    of = [[match["what"] for change in changes if (match := _CHANGE.fullmatch(change))] for changes in told]
    return merged(chain(*told), {what for step in of for what, count in Counter(step).items() if count > 1})


def merged(changes: Iterable[str], apart: Collection[str] = ()) -> list[str]:
    """Changes drawn together: `hand 5→6` and then `hand 6→7` are `hand 5→7`, there and back is nothing. `apart`: what is not."""
    told: list[tuple[str, str, str] | str] = []
    latest: dict[str, int] = {}
    for change in changes:
        match = _CHANGE.fullmatch(change)
        if match is None:
            told.append(change)
            continue
        if match["what"] in apart:
            told.append((match["what"], match["before"], match["after"]))
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


_MOVED = re.compile(r"(?P<cards>「[^」]*」(?:×\d+)?(?:、「[^」]*」(?:×\d+)?)*)(?=が\S+から)"
                    r"|(?P<named>“[^”]*”(?: ×\d+)?(?:, “[^”]*”(?: ×\d+)?)*)(?= from )")


def unnamed(changes: Iterable[str]) -> list[str]:
    """Changes in which cards that move are counted, not named: what happens again and again happens to others each time."""
    def count(match: re.Match[str]) -> str:
        n = sum(int(times or 1) for times in re.findall(r"[」”](?: ?×(\d+))?", match[0]))
        if match["cards"]:
            return f"{n}枚"
        return f"{n} card{'s' if n > 1 else ''}"

    return [_MOVED.sub(count, change) for change in changes]


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


def _row(group: Group, say: Say, turn: str | None) -> Row:
    """The row is known by its turn, if that is given, else by the numbers of its steps."""
    first, last = group.number, group.number + len(group.steps) - 1
    number = turn or (str(first) if first == last else say(words.STEP_RANGE, first=first, last=last))
    return number, _who([group], say), _event(group, say), clause_list(_decisive(group), say)


def _event(group: Group, say: Say) -> str:
    count = len(group.steps)
    changes = _changes(group.steps, say)
    if group.quiet:
        return changes or say(words.NOTHING_CHANGES)
    lead = say(group.steps[0].chosen) if group.steps[0].chosen else ""
    lead = say(words.SAME_RUN, chosen=lead, count=count) if count > 1 else lead
    return "\n".join(part for part in (lead, changes) if part)


def _changes(steps: Sequence[PlayStep], say: Say) -> str:
    counted = [(change, len([*equal])) for change, equal in groupby(changes_of(steps, say))]
    return say(words.LIST).join(
        change if many == 1 else say(words.SO_MANY, change=change, count=many) for change, many in counted
    )


def _choice(step: PlayStep, say: Say) -> str:
    """Who chose what in a step of a cycle, and what else there was: it is there that the loop could be left."""
    chosen = say(step.chosen) if step.chosen else say(words.QUIET)
    said = f"{clause_list(step.working or step.clauses, say)} {say(words.CHOSEN_BY, who=step.decider, chosen=chosen)}".strip()
    others = [option for option in distinct(say(option) for option in step.alternatives) if option != chosen]
    if others:
        options = others[:MANY_OPTIONS]
        if len(others) > MANY_OPTIONS:
            options.append(say(words.AND_MORE, count=len(others) - MANY_OPTIONS))
        said += say(words.INSTEAD, options=say(words.LIST).join(options))
    changes = _changes((step,), say)
    return f"{said}\n{changes}" if changes else said
