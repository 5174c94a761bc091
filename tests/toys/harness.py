"""Toy games made ready for the checks: one module of rules, one position, one reading set."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rulewright.checks.scenarios.checking import check_subject
from rulewright.checks.explore.explorer import Limits
from rulewright.checks.explore.growth import difference
from rulewright.checks.explore.subject import Subject
from rulewright.checks.findings.record import Certainty, CheckResult, Finding, FindingClass
from rulewright.model.engine.describe import Describer
from rulewright.model.engine.vocabulary import Vocabulary
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.lang.compile import Rulebook, compile_book
from rulewright.model.lang.world import with_kernel
from rulewright.model.lang.source import Source, read_source
from rulewright.model.lang.world import ReadingDef, World
from rulewright.spec.diagnostics import Collector
from rulewright.spec.text import Text

READINGS = {
    "rest": ReadingDef("rest", ("untaps", "stays"), "untaps"),
    "colour": ReadingDef("colour", ("red", "blue"), "red"),
}
LIMITS = Limits(states=2_000)


@dataclass(frozen=True)
class Checked:
    """What the checks say of a toy, short enough to be pinned."""

    result: CheckResult

    @property
    def size(self) -> tuple[int, int]:
        """Numbers of states and of transitions."""
        return self.result.bounds.states, self.result.bounds.transitions

    @property
    def ends(self) -> dict[str, int]:
        """How many states end play, by kind of end."""
        return dict(self.result.outcomes)

    @property
    def complete(self) -> bool:
        """Was nothing cut off?"""
        return self.result.bounds.complete

    @property
    def told(self) -> list[str]:
        """One line per finding, as they are ordered."""
        return [line(f) for f in self.result.findings]


def line(f: Finding) -> str:
    """`[hint: ][growing ]class[ KEEPERS level (who can stop it)][ clauses]`"""
    out = ("hint: " if f.hint else "") + ("growing " if f.growing else "") + f.cls.value
    if f.cls is FindingClass.LOOP:
        assert f.keepers is not None
        out += f" {f.keepers.name} {f.level}" + (f" ({f.stopper.en})" if f.stopper is not None else "")
    return " ".join((out, *f.clauses))


def toy(
    name: str, position: Mapping[str, int] | None = None, entry: str = "main", readings: Mapping[str, str] | None = None,
    branching: frozenset[str] = frozenset(), keep_unread: bool = False,
) -> Subject:
    """The toy of that name. `position` changes slots of the state that play begins with, by their names; `keep_unread`
    keeps counters that no rule reads."""
    path = Path(__file__).parent / f"{name}.py"
    report = Collector()
    source = read_source(path.name, path.read_text(encoding="utf-8"), report)
    report.raise_if_any()
    assert isinstance(source, Source)
    world = World(readings=readings or {}, branching=branching)
    modules = with_kernel([source], report)
    report.raise_if_any()
    program = compile_book(Rulebook("toys", modules, READINGS), world, entry, keep_unread)
    engine = Interpreter(program)
    slots = [s.initial for s in program.layout.slots]
    numbers = {s.name: k for k, s in enumerate(program.layout.slots)}
    for slot, value in (position or {}).items():
        slots[numbers[slot]] = value
    return Subject(
        book="toys", scenario=name, title=Text(ja=name, en=name), program=program, engine=engine,
        describer=Describer(program, world, Vocabulary()), positions=[slots], starts=[engine.start(slots)],
        readings=readings or {}, certainty=Certainty.FROM_POSITION)


def check(subject: Subject, limits: Limits = LIMITS) -> Checked:
    """All checks; every play found is replayed, option by option."""
    result = check_subject(subject, limits)
    for f in result.findings:
        assert_replays(subject, f)
    return Checked(result)


def checked(name: str, position: Mapping[str, int] | None = None, entry: str = "main") -> Checked:
    """A toy, checked."""
    return check(toy(name, position, entry))


def assert_replays(subject: Subject, f: Finding) -> None:
    """The play of a finding is possible as told, its cycle closes (or grows), and the next round is the same."""
    stem = list(f.play.stem)
    if stem and subject.opening() is not None:
        stem = stem[1:]
    state = subject.starts[0].state
    for step in stem:
        at = subject.engine.point(state)
        assert at is not None and step.option < len(at.options), f.title.en
        state = subject.engine.apply(state, at.options[step.option]).state
    for _ in range(2 if f.play.cycle else 0):
        head = state
        for step in f.play.cycle:
            at = subject.engine.point(state)
            assert at is not None and step.option < len(at.options), f.title.en
            state = subject.engine.apply(state, at.options[step.option]).state
        assert state.end is None, f.title.en
        assert difference(head, state) is not None if f.growing else state == head, f.title.en
