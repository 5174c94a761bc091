"""What an audit says of a book's silent choices, beside what is true: both books are played side by side once more, all of it, by an own walk.

What could stand instead is taken as the audit writes it. Told as the same is what play never parts by; as reached by no scenario what
cannot make it part; what is told to make play part does.
"""
from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

from rulewright.checks.audit.asking import choices_of
from rulewright.checks.audit.places import with_lines, with_module
from rulewright.checks.audit.record import Choice, Tried
from rulewright.checks.audit.trying import STATES, Trials, visited
from rulewright.model.engine.library import Book as UsersBook
from rulewright.model.engine.library import load_book
from rulewright.model.engine.state import CHANCE, Point, State
from rulewright.model.engine.table import Table, open_table
from rulewright.spec.diagnostics import BadInput
from rulewright.spec.readers import read_scenario

from .books import Book
from .compare import Untrue
from .questions import NAME, as_a_users

MOST = 6_000
"""Pairs of positions that are walked at most."""
SAME, UNREACHED, PLAYED = (
    "a choice told to be the same makes play part", "a choice told to be reached by no scenario makes play part", "a play told to part does not")
AUDITING = (SAME, UNREACHED, PLAYED)


def scenario_of(book: Book) -> str:
    """A scenario that begins where the book's games begin, with what is drawn for it."""
    zone = next((line.split(":")[0].strip() for line in book.head.splitlines() if line.endswith(": Bag")), "")
    flags = {name for name in book.position if f"    {name}: bool" in book.head}
    said = {**{k: "yes" if v else "no" for k, v in book.position.items() if k in flags}, **{k: v for k, v in book.position.items() if k not in flags},
            **({zone: [f"POWER-{power}" for power, _ in book.cards]} if book.cards else {})}
    rest = [f"{key}: {dict(of)}".replace("'", "") for key, of in (("caps", book.caps), ("capacities", book.capacities), ("position", said)) if of]
    return "\n".join((f"book: {NAME}", "id: world", "title: {ja: 例, en: world}", "begin: setup", *rest, ""))


class Walk:
    """Both games, side by side: how deep the first difference lies that people can see (None: there is none), how many pairs there are, and
    whether play came to the end of a range or of what is walked (`open`)."""

    def __init__(self, a: Table, b: Table) -> None:
        self.a, self.b = a, b
        self.same_rules = a.program.functions == b.program.functions
        unread = {*a.program.unread, *b.program.unread}
        self.told = [k for k in a.describer.told_slots if a.program.layout.slots[k].name.split("[")[0] not in unread]
        self.first: int | None = None
        self.open = False
        self.seen = {(s.state, t.state) for s, t in zip(a.starts, b.starts, strict=True)}
        here, deep = [*self.seen], 0
        while here:
            beyond = {(s, t) for s, t in here if any(x.end is not None and x.end.kind == "bound" for x in (s, t))}
            self.open |= bool(beyond)
            here = [pair for pair in here if pair not in beyond]
            if any(self.differs(s, t) for s, t in here):
                self.first = deep
                break
            here, deep = [pair for s, t in here for pair in self.after(s, t)], deep + 1

    def odds(self, at: Table, point: Point) -> dict[str, Fraction]:
        """What can be chosen or happen, by what it is called; and how probable luck makes it."""
        out = dict[str, Fraction]()
        for k, o in enumerate(point.options):
            name = at.describer.option(point, o).en
            out[name] = out.get(name, Fraction(0)) + (Fraction(point.weights[k], sum(point.weights)) if point.owner == CHANCE else 0)
        return out

    def differs(self, s: State, t: State) -> bool:
        """Can people see a difference?"""
        if (s.end is None) != (t.end is None) or (s.end is not None and t.end is not None and s.end[:2] != t.end[:2]):
            return True
        if s.slots and t.slots and any(s.slots[k] != t.slots[k] for k in self.told):
            return True
        x, y = self.a.engine.point(s), self.b.engine.point(t)
        if x is None or y is None:
            return (x is None) != (y is None)
        return x.owner != y.owner or self.odds(self.a, x) != self.odds(self.b, y)

    def after(self, s: State, t: State) -> list[tuple[State, State]]:
        """The pairs that the same choices lead to."""
        x, y = self.a.engine.point(s), self.b.engine.point(t)
        out: list[tuple[State, State]] = []
        if x is None or y is None:
            return out
        theirs = {self.b.describer.option(y, o).en: o for o in y.options}
        for o in x.options:
            other = o if o in y.options else theirs[self.a.describer.option(x, o).en]
            pair = self.a.engine.apply(s, o).state, self.b.engine.apply(t, other).state
            if pair not in self.seen:
                if len(self.seen) >= MOST:
                    self.open = True
                    continue
                self.seen.add(pair)
                out.append(pair)
        return out


def written(book: UsersBook, choice: Choice) -> UsersBook | None:
    """The book with what could stand there instead."""
    source = next(s for s in book.rulebook.sources if s.file == choice.file)
    new = source if choice.edits else None
    for edit in choice.edits:
        new = None if new is None else with_lines(new, edit.first, edit.last, edit.lines)
    return None if new is None else with_module(book, source, new)


def told_of_choices(book: Book) -> tuple[list[Untrue], dict[str, int]]:
    """What an audit says of a book and is not so; and how much it says."""
    false, counts = list[Untrue](), Counter[str]()
    with as_a_users(book) as place:
        (place / "scenarios").mkdir()
        path = place / "scenarios" / "world.yaml"
        path.write_text(scenario_of(book), encoding="utf-8")
        users = load_book(NAME)
        trials = Trials(users, {"world": visited(path)})
        for choice in choices_of(users).choices:
            out = trials.outcome(choice)
            counts[f"told: {out.tried.value}{' (limited)' if out.limited else ''}"] += 1
            walk = walked(users, choice, path)
            if walk is None:
                continue
            truth = "parts" if walk.first is not None else "the range of a number ends it" if walk.open else "the same"
            counts[f"{out.tried.value}{' (limited)' if out.limited else ''}: {truth}"] += 1
            said = f"{choice.id} {choice.code!r} instead {choice.instead!r} (first difference after {walk.first}; pairs {len(walk.seen)})"
            if out.tried is Tried.ALIKE and not out.limited and (walk.first is not None or (walk.open and not walk.same_rules)):
                false.append(Untrue(SAME, said))
            if out.tried is Tried.NOT_REACHED and walk.first is not None and len(walk.seen) <= STATES // 2:
                false.append(Untrue(UNREACHED, said))
            if out.tried is Tried.PARTED and walk.first is None and len(walk.seen) < MOST:
                false.append(Untrue(PLAYED, said))
    return false, dict(counts)


def walked(users: UsersBook, choice: Choice, path: Path) -> Walk | None:
    """Both books, walked side by side; None where there is no other one."""
    try:
        other = written(users, choice)
        if other is None:
            return None
        scenario = read_scenario(path)
        return Walk(open_table(scenario, {}), open_table(scenario, {}, rules=other))
    except (BadInput, AssertionError, RecursionError, KeyError, IndexError, ValueError):
        return None
