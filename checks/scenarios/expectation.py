"""Is what a check found what the scenario says it must find? Everything that differs, in words."""
from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from ...model.engine.library import book_names, load_book
from ...model.engine.state import Ending
from ...spec.diagnostics import BadInput, Collector, Diagnostic, did_you_mean, shown
from ...spec.readers import Expectation, ExpectedFinding, Scenario, read_scenario
from ...spec.schema import Located
from ...spec.text import Text
from ..findings.cut_off import is_divided
from ..findings.record import CheckResult, Control, Finding, FindingClass

LOOKED_FOR_IN_PARTS = (FindingClass.CONFLICT, FindingClass.GAP, FindingClass.INVARIANT, FindingClass.DEFECT)
"""What a divided search finds: ends of play, and conditions on positions."""
ENDINGS: tuple[str, ...] = get_args(Ending)


def differences(result: CheckResult, want: Expectation) -> tuple[Text, ...]:
    """What the result has and should not have, or lacks; nothing if all is as expected. Hints and open questions are not counted. Of a search that
    was divided, what was not looked for is not missing (`not_compared`)."""
    return (*_numbers(result, want), *_findings(result, want))


def not_compared(result: CheckResult, want: Expectation) -> list[ExpectedFinding]:
    """The findings that are expected, and of a kind that a divided search does not look for."""
    return [one for one in want.findings or () if is_divided([result]) and one.cls not in LOOKED_FOR_IN_PARTS]


def fits(finding: Finding, want: ExpectedFinding) -> bool:
    """Is it the finding that is expected?"""
    asked = (
        (want.title, {finding.title.ja, finding.title.en}),
        (want.clauses, {finding.clauses}),
        (want.keepers, {finding.keepers}),
        (want.scope and want.scope.value, {finding.level}),
        (want.period, {len(finding.play.cycle)}),
    )
    return (
        finding.cls is want.cls
        and all(value is None or value in found for value, found in asked)
        and finding.growing is want.growing
        and (want.says is None or says(finding) == {clause: said.value for clause, said in want.says.items()})
        and (want.bars is None or any(sorted(want.bars) == sorted(names) for names in barred(finding)))
        and (want.stopper is None or _begins(finding.stopper, want.stopper))
    )


def says(finding: Finding) -> dict[str, str]:
    """What each clause about loops that applies says of it: the name that the rules give to that."""
    return {v.clause: _code(finding.book, v.effect) for v in finding.clause_verdicts if v.effect is not None}


def barred(finding: Finding) -> tuple[list[str], list[str]]:
    """The actions that clauses about loops put out of reach, in Japanese and in English."""
    actions = [action for v in finding.clause_verdicts for action in v.bars]
    return [a.ja for a in actions], [a.en for a in actions]


def _code(book: str, effect: Text) -> str:
    words = load_book(book).vocabulary.words if book in book_names() else {}
    known = (name for name, said in words.items() if said == effect and "." in name)
    return next(known, effect.en).rpartition(".")[2].lower()


def _begins(said: Text | None, name: str) -> bool:
    return said is not None and (said.ja.startswith(name) or said.en.removeprefix("the ").startswith(name))


def _numbers(result: CheckResult, want: Expectation) -> list[Text]:
    states = want.states_symmetry if result.symmetry else want.states
    rows = [
        (Text(ja="局面の数", en="positions"), states and states.value, result.bounds.states),
        (Text(ja="すべて調べたか", en="all looked at"), want.complete and want.complete.value, result.bounds.complete),
        *(
            (Text(ja=f"終わり方 {end}", en=f"games that end as {end}"), count.value, result.outcomes.get(end, 0))
            for end, count in (want.outcomes or {}).items()
            if not result.symmetry
        ),
    ]
    return [
        Text(ja=f"{what.ja}: 期待 {wanted}、結果 {found}", en=f"{what.en}: expected {wanted}, found {found}")
        for what, wanted, found in rows
        if wanted is not None and wanted != found
    ]


def _findings(result: CheckResult, want: Expectation) -> list[Text]:
    if want.findings is None:
        return []
    left = [f for f in result.findings if f.is_defect]
    missing: list[ExpectedFinding] = []
    unasked = not_compared(result, want)
    for one in want.findings:
        hit = next((f for f in left if fits(f, one)), None)
        if hit is not None:
            left.remove(hit)
        elif one not in unasked:
            missing.append(one)
    return [
        *(
            Text(ja=f"期待された指摘がありません: {told(one)}", en=f"an expected finding is missing: {told(one)}")
            for one in missing
        ),
        *(
            Text(ja=f"期待にない指摘です: {f.id} {f.title.ja}", en=f"a finding that was not expected: {f.id} {f.title.en}")
            for f in left
        ),
    ]


def told(want: ExpectedFinding) -> str:
    """The expected finding as it is written, with the line on which that stands."""
    facts = {
        "title": want.title,
        "clauses": want.clauses and ", ".join(want.clauses),
        "keepers": want.keepers and want.keepers.name.lower(),
        "scope": want.scope and want.scope.value,
        "period": want.period,
        "growing": "yes" if want.growing else None,
        "says": want.says and ", ".join(f"{clause}: {said.value}" for clause, said in want.says.items()),
        "bars": want.bars if want.bars is None else f"[{', '.join(want.bars)}]",
        "stopper": want.stopper,
    }
    said = [f"{key}: {value}" for key, value in facts.items() if value is not None]
    return f"{', '.join([f'class: {want.cls.value}', *said])} ({Path(want.position.file).name}:{want.position.line})"


def expectation_for(scenario: Scenario, readings: Mapping[str, Located[str] | str]) -> Expectation | None:
    """What the scenario expects under exactly these readings."""
    asked = {name: answer if isinstance(answer, str) else answer.value for name, answer in readings.items()}
    return next((e for e in scenario.expect if {r: v.value for r, v in e.readings.items()} == asked), None)


ITSELF = Text(ja="対照に自分自身は書けません", en="a scenario is no control of itself")
ANOTHER = Text(ja="この本の状況か、このファイルの隣にある状況の名前を書いてください（例: swap-control）",
               en="write the name of a scenario of this book, or of a file beside this one (for example `swap-control`)")


def check_control(scenario: Scenario, path: Path) -> None:
    """A control is a scenario of the same book, or a file beside this one. Raises BadInput. (An unknown book is told of
    elsewhere.)"""
    control = scenario.control
    if control is not None and scenario.book.value in book_names() and control_file(scenario, path) is None:
        beside = [p.stem for p in sorted(path.parent.glob("*.yaml")) if p.stem != path.stem]
        itself = control.value == scenario.id.value or control.value == path.stem
        near = [name for name in dict.fromkeys((*shipped_scenarios(scenario), *beside)) if name != scenario.id.value]
        raise BadInput([
            Diagnostic(
                control.position, "unknown-control",
                ITSELF if itself else Text(ja=f"対照のシナリオ「{control.value}」はありません",
                                           en=f"there is no scenario `{control.value}`"),
                did_you_mean(control.value, near) or ANOTHER, control.value,
            )
        ])


def check_expected(scenario: Scenario) -> None:
    """Is each way of ending that is expected one that there is, are the clauses of findings those of the book, and is it said once what is
    expected under the same readings? Raises BadInput."""
    report = Collector()
    clauses = load_book(scenario.book.value).rulebook.clauses if scenario.book.value in book_names() else None
    seen: dict[frozenset[tuple[str, str]], int] = {}
    for want in scenario.expect:
        for name, count in (want.outcomes or {}).items():
            if name not in ENDINGS:
                report.add(Diagnostic(count.key or count.position, "unknown-outcome", Text(
                    ja=f"「{shown(name)}」という終わり方はありません", en=f"no play ends as `{shown(name)}`",
                ), did_you_mean(name, ENDINGS), name))
        for of in want.findings or ():
            for clause in (c for c in of.clauses or () if clauses is not None and c not in clauses):
                report.add(
                    Diagnostic(
                        of.position,
                        "unknown-clause",
                        Text(ja=f"条文 {clause} は登録にありません", en=f"the register has no clause {clause}"),
                        did_you_mean(clause, clauses or ()),
                        clause,
                    )
                )
        first = seen.setdefault(
            frozenset((name, said.value) for name, said in want.readings.items()), want.position.line
        )
        if first != want.position.line:
            report.add(Diagnostic(want.position, "expected-twice", Text(
                ja=f"同じ解釈での期待が {first} 行目にもあります", en=f"what is expected under these readings is in line {first} too",
            ), Text(ja="一つにまとめてください", en="put them together")))
    report.raise_if_any()


def shipped_scenarios(scenario: Scenario) -> dict[str, Path]:
    """The scenarios that the scenario's book has, by their names."""
    return {p.stem: p for p in load_book(scenario.book.value).scenarios} if scenario.book.value in book_names() else {}


def control_file(scenario: Scenario, path: Path) -> Path | None:
    """The file of a scenario's control: beside it, or a scenario of the book. None if there is none, or it is the scenario
    itself."""
    name = scenario.control
    if name is None:
        return None
    beside = path.parent / f"{name.value}.yaml"
    found = beside if os.path.lexists(beside) else shipped_scenarios(scenario).get(name.value)
    return None if found is None or found.resolve() == path.resolve() else found


def control_of(scenario: Scenario, path: Path) -> Scenario | None:
    """The control of a scenario, if it has one."""
    file = control_file(scenario, path)
    return None if file is None else read_scenario(file)


def told_control(control: Scenario, readings: Mapping[str, Located[str] | str]) -> Control:
    """What a finding under these readings says of the control of its scenario: pinned is only what holds under just these."""
    expected = expectation_for(control, readings)
    return Control(control.id.value, control.title, control.about, expected is not None and expected.findings == ())
