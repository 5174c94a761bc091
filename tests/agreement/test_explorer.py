"""A search on compiled code gives the very same exploration: numbers, edges, options, depths, limits, bounds."""
from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import llvmlite.binding
import pytest

from rulewright.checks.cli import main
from rulewright.checks.explore import explorer
from rulewright.checks.explore.explorer import BoundAtStart, Exploration, Limits
from rulewright.checks.explore.explorer import explore as interpret
from rulewright.checks.explore.subject import Subject
from rulewright.checks.native import build, choice, engine, search
from rulewright.checks.native import explorer as native_explorer
from rulewright.checks.native.engine import Native
from rulewright.checks.native.explorer import explore
from rulewright.checks.native.memory import Unsupported
from rulewright.checks.scenarios.checking import check_subject
from rulewright.checks.scenarios.subjects import open_table, read_scenario, reading_sets, scenario_paths, subject_of
from rulewright.spec.text import Text

from ..toys.harness import toy
from .crystals import duel

LIMITS = [Limits(states=400), Limits(states=400, depth=3), Limits(states=400, turns=1), Limits(states=400, depth=9, turns=1)]


@pytest.fixture(autouse=True)
def own_cache(cache_of_tests: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left in the user's cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_tests))


def subject(target: str) -> Subject:
    scenario = read_scenario(scenario_paths(target)[0])
    return subject_of(open_table(scenario, reading_sets(scenario, {})[0]), symmetry=False)


def native_of(s: Subject) -> Native:
    return Native(s.program, s.engine.policies, card_ids=s.engine.card_ids, level=0)


def same(a: Exploration, b: Exploration) -> None:
    assert list(a.states) == list(b.states)
    for one, other in ((a.graph.owner, b.graph.owner), (a.graph.source, b.graph.source), (a.graph.target, b.graph.target),
                       (a.graph.crossing, b.graph.crossing), (a.depth, b.depth), (a.turns, b.turns)):
        assert list(one) == list(other)
    assert list(a.graph.label) == list(b.graph.label)
    assert (a.cut, a.transitions) == (b.cut, b.transitions)
    assert a.bound_edges == b.bound_edges
    one, other = ({kind: list(which) for kind, which in x.bound_edges.kinds().items()} for x in (a, b))
    assert one == other


@pytest.mark.parametrize("target", ["hanayome/full-game", "hanayome/episode-left-behind", "sakura/crystals-conserved",
                                    "ts_fight/endless-interrupts", "sakura/mutual-nesting", "hanayome/pass-only"])
def test_searches_are_the_same_under_all_limits(target: str) -> None:
    s = subject(target)
    native = native_of(s)
    for limits in LIMITS:
        same(interpret(s.engine, s.starts, limits), explore(native, s.engine, s.starts, limits))


@pytest.mark.parametrize("name", ["lamp", "nesting", "ping_pong", "conserved"])
def test_toys_are_searched_the_same(name: str) -> None:
    s = toy(name)
    native = native_of(s)
    try:
        expected = interpret(s.engine, s.starts, Limits(2_000))
    except BoundAtStart:
        with pytest.raises(BoundAtStart):
            explore(native, s.engine, s.starts, Limits(2_000))
    else:
        same(expected, explore(native, s.engine, s.starts, Limits(2_000)))


def test_chance_picks_one_of_several_beginnings() -> None:
    s = subject("hanayome/episode-left-behind")
    after = interpret(s.engine, s.starts, Limits(40))
    starts = [s.starts[0]._replace(state=after.states[k], crossing=0) for k in (0, 5, 9, 5)]
    same(interpret(s.engine, starts, Limits(300)), explore(native_of(s), s.engine, starts, Limits(300)))


@pytest.mark.parametrize("threads", [2, 3])
def test_searches_do_not_depend_on_the_number_of_threads(
    threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search, "WORTH", 4)
    table = open_table(read_scenario(duel(tmp_path, 10, 4, 1, 2, 1)), {})
    native = Native(table.program, table.engine.policies, card_ids=table.engine.card_ids, level=1)
    for limits in (Limits(None), Limits(7_001), Limits(20_011, depth=21), Limits(None, turns=1)):
        one, many = (explore(native, table.engine, table.starts, limits, threads=n) for n in (1, threads))
        assert (len(many.states), many.transitions, many.cut) == (len(one.states), one.transitions, one.cut)
        for name in ("owner", "source", "target", "crossing"):
            assert list(getattr(many.graph, name)) == list(getattr(one.graph, name)), name
        assert list(many.depth) == list(one.depth) and list(many.turns) == list(one.turns)
        assert all(many.states[k] == one.states[k] for k in range(0, len(one.states), 997))
    whole = explore(native, table.engine, table.starts, Limits(None), threads=threads)
    assert (len(whole.states), whole.transitions) == (87_118, 162_050)


@pytest.mark.parametrize("target", ["hanayome/full-game", "sakura/crystals-conserved", "ts_fight/endless-interrupts"])
def test_threads_give_what_the_interpreter_gives(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "WORTH", 1)
    monkeypatch.setattr(search, "ROOM", 1 << 10)
    s = subject(target)
    native = native_of(s)
    for limits in LIMITS:
        same(interpret(s.engine, s.starts, limits), explore(native, s.engine, s.starts, limits, threads=2))


def test_the_arrays_grow_without_losing_a_state() -> None:
    s = subject("sakura/crystals-conserved")
    a, b = interpret(s.engine, s.starts, Limits(9_000)), explore(native_of(s), s.engine, s.starts, Limits(9_000))
    same(a, b)


def test_the_limit_of_memory_counts_what_the_checks_will_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer, "memory_mib", lambda: 100.0)
    monkeypatch.setattr(explorer, "CHECKING_BYTES", 1_024)
    monkeypatch.setattr(native_explorer, "BUDGET", 800)
    s = subject("sakura/crystals-conserved")
    for mib, fits in ((101, False), (102, True)):
        limits = Limits(states=2_000, memory_mib=mib)
        for out in (interpret(s.engine, s.starts, limits), explore(native_of(s), s.engine, s.starts, limits)):
            assert out.cut == ("states" if fits else "memory")
            assert fits or 1_024 < len(out.states) < 2_000


# ---------------------------------------------------------------- which engine looks
def test_the_findings_do_not_depend_on_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[Subject] = []
    right = choice.compiled

    def compiled(s: Subject, *how: object, optimised: bool) -> Exploration:
        used.append(s)
        return right(s, *how, optimised=optimised)  # pyright: ignore[reportArgumentType]
    monkeypatch.setattr(choice, "compiled", compiled)
    monkeypatch.setattr(choice.explore, "__defaults__", (None, "native", None, 0.0, choice.USUAL))
    for target in ("hanayome/episode-left-behind", "ts_fight/endless-interrupts", "sakura/mutual-nesting"):
        s = subject(target)
        expected = check_subject(s, Limits(3_000), engine="interpreter")
        found = check_subject(s, Limits(3_000), engine="native")
        assert used[-1:] == [s]
        assert dataclasses.replace(found, seconds=0) == dataclasses.replace(expected, seconds=0)


@pytest.mark.parametrize(("trouble", "said"), [
    (Unsupported("a set of 300 things"), "This cannot be compiled (a set of 300 things), so the reference engine looks."),
    (engine.BeyondNative(), "A number turned up that compiled code does not handle"),
])
def test_the_interpreter_takes_over_and_says_so(trouble: Exception, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    s = subject("hanayome/episode-left-behind")

    def fails(*args: object, **how: object) -> None:
        raise trouble
    monkeypatch.setattr(engine, "Native", fails)
    told: list[Text] = []
    out = choice.explore(s, Limits(300), None, "native", told.append, patience=0)
    same(interpret(s.engine, s.starts, Limits(300)), out)
    assert len(told) == 1 and told[0].en.startswith(said)


def test_short_searches_are_left_to_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "compiled", lambda *a: pytest.fail("nothing was to be compiled"))
    assert choice.explore(subject("hanayome/swap"), Limits(1_000)).complete


# ---------------------------------------------------------------- the cache
def test_compiled_code_is_kept_and_damage_is_noticed(tmp_path: Path) -> None:
    program = toy("lamp").program
    written = build.write(program)
    assert not build.load(written, tmp_path, 0).cached
    assert build.load(written, tmp_path, 0).cached
    (file,) = tmp_path.glob("*.o")
    good = file.read_bytes()
    for bad in (b"", good[:40], good[:-1], good[:-1] + b"?", good.replace(b"kept 1", b"kept 2", 1), good[:30] + bytes([good[30] ^ 1]) + good[31:]):
        assert bad != good
        file.write_bytes(bad)
        assert not build.load(written, tmp_path, 0).cached, bad[:60]
        assert file.read_bytes() == good


def test_what_another_program_or_machine_made_is_not_used(tmp_path: Path) -> None:
    one, two = build.write(toy("lamp").program), build.write(toy("conserved").program)
    build.load(one, tmp_path, 0)
    (file,) = tmp_path.glob("*.o")
    build.load(two, tmp_path, 0)
    (other,) = set(tmp_path.glob("*.o")) - {file}
    other.write_bytes(file.read_bytes())
    assert not build.load(two, tmp_path, 0).cached


def test_what_a_like_machine_sent_is_taken_and_kept_and_another_machine_compiles_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, compiled = toy("lamp").program, list[str]()
    make = build.compile_text
    monkeypatch.setattr(build, "compile_text", lambda *given: compiled.append("") or make(*given))
    here = Native(program, cache=tmp_path / "here", level=0)
    assert len(compiled) == 1
    monkeypatch.setattr(build, "sent", dict(here.compiled.code))
    there = Native(program, cache=tmp_path / "there", level=0)
    assert len(compiled) == 1 and not there.compiled.cached
    monkeypatch.setattr(build, "sent", {})
    assert Native(program, cache=tmp_path / "there", level=0).compiled.cached
    monkeypatch.setattr(build, "sent", dict(here.compiled.code))
    monkeypatch.setattr(llvmlite.binding, "get_host_cpu_features", llvmlite.binding.FeatureMap)  # of a processor without any
    other = Native(program, cache=tmp_path / "other", level=0)
    assert len(compiled) == 2 and not other.compiled.code.keys() & here.compiled.code.keys()
    assert here.start() == there.start() == other.start()


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert not build.load(build.write(toy("lamp").program), blocked / "cache", 0).cached


def test_a_changed_number_on_a_card_is_not_compiled_again() -> None:
    s = subject("hanayome/episode-left-behind")
    changed = dataclasses.replace(s.program, tables=[tuple(v + 1 if k == 0 else v for k, v in enumerate(t)) for t in s.program.tables])
    assert changed.tables != s.program.tables
    assert build.write(changed).text == build.write(s.program).text


def test_what_is_printed_for_programs_is_the_same_bytes_on_any_number_of_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(choice.explore, "__defaults__", (None, "native", None, 0.0, choice.USUAL))
    monkeypatch.setattr(search, "WORTH", 4)
    used = tmp_path / "used"  # a file, since the check may have a process of its own
    right = search.Search.go_together

    def go_together(s: search.Search, *how: object) -> int:
        with used.open("a", encoding="ascii") as f:
            f.write(f"{s.threads}\n")
        return right(s, *how)  # pyright: ignore[reportArgumentType]
    monkeypatch.setattr(search.Search, "go_together", go_together)
    model = str(duel(tmp_path, 8, 3, 1))
    said: list[str] = []
    for k, threads in enumerate(("1", "2", "3", "1", "2")):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"cache {k}"))  # else the first result is given again
        main(["check", model, "--json", "--max-states", "3000", "--threads", threads])
        said.append(capsys.readouterr().out)
    assert len(said[0]) > 500 and len(set(said)) == 1
    assert set(used.read_text(encoding="ascii").split()) == {"2", "3"}


WITHOUT = """
import sys
sys.modules.update(dict.fromkeys(("numba", "llvmlite", "llvmlite.binding")))
from rulewright.checks.explore.explorer import Limits
from rulewright.checks.native import choice
from rulewright.checks.scenarios.subjects import open_table, read_scenario, scenario_paths, subject_of
scenario = read_scenario(scenario_paths("hanayome/swap")[0])
told = []
out = choice.explore(subject_of(open_table(scenario), symmetry=True), Limits(300), None, "native", told.append, patience=0)
print(len(out.states), [t.en for t in told])
"""
COMMAND = """
import sys
sys.modules.update(dict.fromkeys(("numba", "llvmlite", "llvmlite.binding")))
from rulewright.checks.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_without_llvm_the_interpreter_looks_and_says_so() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    count, _, said = done.stdout.partition(" ")
    s = subject_of(open_table(read_scenario(scenario_paths("hanayome/swap")[0])), symmetry=True)
    assert int(count) == len(interpret(s.engine, s.starts, Limits(300), s.symmetry).states)
    assert said.count("This cannot be compiled") == 1 and "so the reference engine looks" in said


@pytest.mark.parametrize("command", [["check", "hanayome/swap", "--max-states", "30", "-r", "default"],
                                     ["check", "ts_fight", "--only", "invariants", "--max-time", "4"]], ids=["beyond", "invariants"])
def test_without_llvm_commands_do_what_can_be_done(command: list[str], tmp_path: Path) -> None:
    """What a limit cut off is not hunted beyond, and random plays are the interpreter's."""
    done = subprocess.run([sys.executable, "-c", COMMAND, *command, "--lang", "en"], capture_output=True, text=True, check=False,
                          env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)})
    assert done.returncode in (0, 1) and "inside Rulewright" not in done.stderr, done.stderr
    said = " ".join(done.stdout.split())
    assert "Cut off: 1 of 1" in said and "games were played by lot" not in said and ("random plays" in said) == ("--only" in command)
