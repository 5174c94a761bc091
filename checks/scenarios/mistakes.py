"""Everything that is wrong with a scenario file, at once."""
from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial, wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from ...model.engine.table import open_table, own_mistakes, scenario_mistakes
from ...spec.diagnostics import BadInput, Collector, Diagnostic, shown
from ...spec.readers import read_scenario, scenario_partly
from ...spec.text import Text
from .expectation import check_control, check_expected

P = ParamSpec("P")
R = TypeVar("R")


def mistakes_in(path: Path, compiled: bool) -> Sequence[Diagnostic]:
    """What is wrong with the file, and with what it names as far as it can be read. `compiled`: with its rule text, too."""
    report = Collector()
    found = scenario_partly(path, report)
    if found is None:
        return report.diagnostics
    scenario, wrong = found

    def named() -> None:
        report.add_all(own_mistakes(scenario_mistakes(scenario, ranges=False), wrong))

    for look in (
        partial(check_control, scenario, path),
        partial(check_expected, scenario),
        partial(open_table, scenario) if compiled else named,
    ):
        try:
            look()
        except BadInput as error:
            report.add_all(own_mistakes(error.diagnostics, wrong))
    return [with_folder(path, d) for d in report.diagnostics]


def told_at_once(work: Callable[Concatenate[Path, P], R]) -> Callable[Concatenate[Path, P], R]:
    """The work on a scenario file. Where something is wrong with the input, everything else that is wrong with the file is told with it."""
    @wraps(work)
    def done(path: Path, *more: P.args, **named: P.kwargs) -> R:
        try:
            return work(path, *more, **named)
        except BadInput as error:
            report = Collector()
            report.add_all([*(with_folder(path, d) for d in error.diagnostics), *mistakes_in(path, compiled=True)])
            raise BadInput(report.diagnostics) from None
    return done


def with_folder(path: Path, wrong: Diagnostic) -> Diagnostic:
    """What is wrong with a scenario file; of a book that is not found, in whose own folder the file lies, how it is found."""
    book = path.resolve().parent.parent
    if wrong.code != "unknown-book" or wrong.value != book.name or not (book / "clauses.yaml").is_file():
        return wrong
    option = f"--books {shlex.quote(os.path.relpath(book.parent))}"
    return replace(wrong, hint=Text(ja=f"`{option}` を付けてください（この状況はその本のフォルダーにあります）",
                                    en=f"add `{option}` (this situation lies in the folder of that book)"))


TWINS = Text(ja="「{id}」という id の状況は {other} にもあり、結果を見分けられません", en="{other} has a situation with the id {id} too, and their results could not be told apart")
ANOTHER = Text(ja="どちらかの id を変えるか、別々に調べてください", en="give one of them another id, or check them one at a time")


def refuse_twins(paths: Sequence[Path]) -> None:
    """Complain of situations of one book that have the same id. Raises BadInput."""
    report, first = Collector(), dict[tuple[str, str], Path]()
    for path in paths if len(paths) > 1 else ():
        try:
            scenario = read_scenario(path)
        except BadInput:  # whoever checks it says what is wrong with it
            continue
        if (other := first.setdefault((scenario.book.value, scenario.id.value), path)) != path:
            said = {"id": scenario.id.value, "other": shown(str(other))}
            report.add(
                Diagnostic(
                    scenario.id.position,
                    "same-id",
                    Text(ja=TWINS.ja.format(**said), en=TWINS.en.format(**said)),
                    ANOTHER,
                    scenario.id.value,
                )
            )
    report.raise_if_any()


def refuse_files(paths: Iterable[Path]) -> None:
    """Complain of everything that is wrong in several situations, at once. Raises BadInput."""
    report = Collector()
    for path in paths:
        report.add_all(mistakes_in(path, compiled=False))
    report.raise_if_any()
