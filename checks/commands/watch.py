"""`rulewright watch`: each time a file of a book is saved, what has no result any more is checked again, and what became of the findings is told."""
from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path

from ...model.engine.library import forget_books, load_book
from ...spec.diagnostics import BadInput
from ..console import words as console_words
from ..console.terminal import ProgressLine, Terminal
from ..findings import words
from ..findings.page import speaker
from ..findings.record import CheckResult
from ..limits.interrupt import Interrupt
from ..runs import edited, session, together
from ..scenarios.options import CheckOptions
from ..validate.before_check import refuse_mistakes
from .output import found
from .reading_output import show, totals, trial_table

BETWEEN = 0.2
"""Seconds between two looks at the files."""
USUAL = CheckOptions(kept=True, hunt=True)
"""As `check BOOK` has them, so that each knows what the other found."""


class Watch:
    """A book as it was when all of it was last checked (`texts`), the results of its scenarios and what these rest on (`known`), by the
    names of the scenarios, and the lines that each file of a scenario holds. `unseen`: those that something was saved before they were checked once."""

    def __init__(self, terminal: Terminal, book: str, interrupt: Interrupt) -> None:
        self.terminal, self.book, self.interrupt = terminal, book, interrupt
        self.results: dict[str, list[CheckResult]] = {}
        self.names: dict[Path, str] = {}
        self.held: dict[Path, edited.Lines] = {}
        self.known: dict[str, str] = {}
        self.unseen: set[str] = set()
        self.stamps = edited.stamps(book)
        self.texts, self.cards = edited.texts(self.stamps), edited.card_lines(book)

    def saved(self) -> bool:
        """Was anything saved since?"""
        return edited.stamps(self.book) != self.stamps

    def wait(self) -> None:
        """Until something is saved. Meanwhile, scenario by scenario, it is looked which lines they hold."""
        todo = [path for path in self.names if path not in self.held]
        while not self.saved():
            if not todo:
                time.sleep(BETWEEN)
                continue
            path = todo.pop()
            with suppress(BadInput):  # it is told when it is checked
                self.held[path] = edited.lines_of(path)

    def check(self, paths: Sequence[Path], basis: Mapping[Path, str]) -> list[Path]:
        """Check these scenarios, unless something is saved meanwhile. Gives those that were checked. `basis`: what their results rest on."""
        line, done = ProgressLine(self.terminal), list[Path]()

        def told(now: object) -> None:
            if isinstance(now, int):
                line(self.terminal.phrase(console_words.SCENARIOS_DONE, done=now, all=len(paths)))
        with closing(line), self.interrupt:
            out = together.all_done(
                paths, together.check_one, USUAL, None, told, lambda: self.interrupt() or self.saved())
        for path, outcome in zip(paths, out, strict=True):
            if outcome.done and not outcome.cut:
                name = self.names[path]
                self.results[name], self.known[name] = outcome.found or [], basis[path]
                done.append(path)
        return done

    def begin(self) -> None:
        """Check what there is no result of yet, and say what was found."""
        self.names = {path: edited.name_of(path) for path in session.scenarios_of(self.book)}
        basis = edited.resting_on_others([*self.names], USUAL, self.known)
        done = self.check(list(basis), basis)
        self.terminal.say(
            words.WATCHING, book=self.book, scenarios=len(self.results), findings=len(ids_in(self.results.values()))
        )
        self.unseen = {*self.names.values()} - self.results.keys()
        if self.unseen and not self.interrupt():
            self.terminal.say(words.SAVED_AGAIN, left=len(basis) - len(done))

    def again(self) -> None:
        """Check what was edited, first the scenarios that hold it, and say what became of the findings. Raises BadInput."""
        old = dict(self.results)
        self.stamps = edited.stamps(self.book)
        now = edited.texts(self.stamps)
        forget_books()
        refuse_mistakes(self.book)
        self.names = {path: edited.name_of(path) for path in session.scenarios_of(self.book)}
        by = edited.edited(self.texts, now, self.cards)
        basis = edited.resting_on_others([*self.names], USUAL, self.known)
        touched, others = edited.first_those_touched(list(basis), self.held, by)
        if basis or by.files:
            self.terminal.say(
                words.SAVED_FILES,
                files=", ".join(path.name for path in by.files),
                checked=len(touched) + len(others),
                touched=len(touched),
            )
        else:
            self.terminal.say(words.SAVED_AS_IT_WAS)
        self.forget()
        left = len(touched) + len(others)
        for part in (touched, others):
            done = self.check(part, basis) if part else []
            left -= len(done)
            self.tell(old, done)
            for path in done:
                self.held.pop(path, None)
            if self.interrupt() or len(done) < len(part):
                break
        if not left:
            self.texts, self.cards = now, edited.card_lines(self.book)
        elif not self.interrupt():
            self.terminal.say(words.SAVED_AGAIN, left=left)

    def forget(self) -> None:
        """Tell of situations that are no longer there, and of what was found in them."""
        for name in sorted(self.results.keys() - {*self.names.values()}):
            was = ids_in([self.results.pop(name)])
            del self.known[name]
            self.terminal.say(words.NO_LONGER_THERE, name=name, findings=len(was), ids=", ".join(was) or "-")

    def tell(self, old: dict[str, list[CheckResult]], done: Sequence[Path]) -> None:
        """What became of the findings of these scenarios, but of those that are as they were; and what was found in those that were checked for the
        first time."""
        names = [self.names[path] for path in done]
        if first := self.unseen.intersection(names):
            was = ids_in(self.results[name] for name in names if name in first)
            self.terminal.say(words.CHECKED_FIRST, done=len(first), findings=len(was), ids=", ".join(was) or "-")
            self.unseen -= first
        trials = [
            trial
            for name in names
            if name not in first
            for trial in edited.compared(old.get(name, []), self.results[name])
        ]
        if any(count for name, count in totals(trials).items() if name != "unchanged"):
            self.terminal.say(words.CHECKED_AGAIN, done=len(names) - len(first))
            show(self.terminal, [trial_table(trials, speaker(self.terminal.lang), unchanged=False)])
        elif len(names) > len(first):
            self.terminal.say(words.SAME_AGAIN, done=len(names) - len(first))


def ids_in(of: Iterable[Sequence[CheckResult]]) -> list[str]:
    """The findings that count in the results of some scenarios, each once."""
    return list(dict.fromkeys(f.id for results in of for f in found(results) if f.counts))


def watch(terminal: Terminal, book: str) -> None:
    """Watch until ctrl-C. Raises BadInput where there is no such book, or it is not right at the beginning."""
    interrupt = Interrupt()
    load_book(book)
    refuse_mistakes(book)
    now = Watch(terminal, book, interrupt)
    now.begin()
    while not interrupt():
        now.wait()
        try:
            now.again()
        except BadInput as error:
            terminal.say(error.render(terminal.lang))
