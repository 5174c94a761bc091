"""Everything that is wrong with a scenario file, at once."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from ...model.engine.table import open_table, own_mistakes, scenario_mistakes
from ...spec.diagnostics import BadInput, Collector, Diagnostic
from ...spec.readers import scenario_partly
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
    for look in (partial(check_control, scenario, path), partial(check_expected, scenario), partial(open_table, scenario) if compiled else named):
        try:
            look()
        except BadInput as error:
            report.add_all(own_mistakes(error.diagnostics, wrong))
    return report.diagnostics


def told_at_once(work: Callable[Concatenate[Path, P], R]) -> Callable[Concatenate[Path, P], R]:
    """The work on a scenario file. Where something is wrong with the input, everything else that is wrong with the file is told with it."""
    @wraps(work)
    def done(path: Path, *more: P.args, **named: P.kwargs) -> R:
        try:
            return work(path, *more, **named)
        except BadInput as error:
            report = Collector()
            report.add_all([*error.diagnostics, *mistakes_in(path, compiled=True)])
            raise BadInput(report.diagnostics) from None
    return done


def refuse_files(paths: Iterable[Path]) -> None:
    """Complain of everything that is wrong in several situations, at once. Raises BadInput."""
    report = Collector()
    for path in paths:
        report.add_all(mistakes_in(path, compiled=False))
    report.raise_if_any()
