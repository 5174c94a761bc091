"""The checker of certificates: small, a stranger to whoever makes evidence, and no more easily content than it should be."""
from __future__ import annotations

import ast
import copy
import json
import os
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from rulewright.checks import certify
from rulewright.checks.certify.checker import Judged, check
from rulewright.checks.certify.further import Further
from rulewright.checks.certify.keeping import ANYWHERE, BEYOND, Graph, component, keepers_of, safe
from rulewright.checks.cli import main
from rulewright.checks.evidence import told
from rulewright.checks.evidence.made import certificate, no_states, world_of
from rulewright.checks.evidence.table import Table
from rulewright.checks.evidence.told import Evidence, evidence
from rulewright.checks.explore.explorer import Exploration, Limits, explore
from rulewright.checks.explore.loops import find_loops
from rulewright.checks.explore.owned_graph import FRONTIER, OPEN, READING, OwnedGraph, Scope
from rulewright.checks.explore.subject import Subject
from rulewright.checks.runs import session
from rulewright.checks.scenarios.checking import check_explored
from rulewright.checks.scenarios.subjects import (
    limits_of,
    open_table,
    read_scenario,
    reading_sets,
    scenario_paths,
    subject_of,
)
from rulewright.checks.smt.queries.every import queries
from rulewright.checks.smt.queries.orders import all_pairs
from rulewright.checks.smt.solving import Query, has_cvc5
from rulewright.checks.stored.finding_store import stored_cases
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.library import load_book

from ...mutation.certificates import certificates, mutants
from ...toys.harness import toy
from ..json_schema import output_schema
from ..schema import violations
from ..strategies import Oracle, random_graph
from . import every, solvers

FOLDER = Path(str(certify.__file__)).parent
MAY_IMPORT = {"...model.engine.extrapolation", "...model.engine.interpreter", "...model.engine.state", "...model.ir", "z3"}
LIBRARY = {"__future__", "collections", "collections.abc", "dataclasses", "functools", "importlib", "importlib.util", "itertools", "random", "typing"}
MOST_STATEMENTS = 500
LOOPING = "ts_fight/everything-empty"


@pytest.fixture(autouse=True)
def own_cache(cache_of_tests: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_tests))


# ---------------------------------------------------------------- what it is
def test_the_checker_is_small_and_imports_the_interpreter_the_ir_and_z3_alone() -> None:
    statements, imported = 0, set[str]()
    for path in FOLDER.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        statements += sum(isinstance(node, ast.stmt) for node in ast.walk(tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level != 1:
                imported.add("." * node.level + (node.module or ""))
            elif isinstance(node, ast.ImportFrom):
                assert (FOLDER / f"{node.module}.py").exists()
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "import_module":
                assert [ast.literal_eval(a) for a in node.args] == ["cvc5"]
            assert not (isinstance(node, ast.Name) and node.id in ("eval", "exec", "__import__"))
    assert imported - LIBRARY <= MAY_IMPORT
    assert 300 < statements <= MOST_STATEMENTS


# ---------------------------------------------------------------- who can keep play going
def graph_of(graph: OwnedGraph) -> Graph:
    """The same for the checker: what was not explored, and where a reading is chosen, is not known."""
    unknown = {k for k, owner in enumerate(graph.owner.tolist()) if owner in (FRONTIER, READING)}
    edges = [[] if k in unknown else [(BEYOND if int(graph.target[e]) in unknown else int(graph.target[e]), int(graph.crossing[e]))
                                      for e in graph.out_edges(k)] for k in range(len(graph))]
    return Graph(graph.owner.tolist(), edges)


def test_who_keeps_a_loop_going_is_what_brute_force_over_all_strategies_says() -> None:
    random, seen = Random(29), Counter[str]()
    for _ in range(600):
        graph = random_graph(random)
        oracle, mine = Oracle(graph), graph_of(graph)
        for loop in find_loops(graph):
            cycle = [step.state for step in loop.cycle]
            certain, perhaps = keepers_of(mine, (0, 1), cycle, int(loop.scope))
            for possible in oracle.keepers_of(loop.scope, {*cycle}):
                assert certain <= {frozenset(k) for k in possible} <= perhaps
            seen["sure" if certain == perhaps else "unsure"] += 1
            seen["unsure, and it is known"] += certain != perhaps and bool(loop.keepers) and not loop.causes
    assert seen["sure"] > 400 and seen["unsure"] > 20
    assert seen["unsure, and it is known"] < seen["sure"] / 50  # there it says less than could be said


def test_the_players_can_keep_play_going_exactly_where_there_is_a_loop() -> None:
    random, seen = Random(30), Counter[bool]()
    for _ in range(1_000):
        graph = random_graph(random)
        mine, everyone = graph_of(graph), frozenset((0, 1))
        left = {int(k) for k in range(len(graph)) if graph.breadth_first()[0][k] >= 0}
        if any(w == BEYOND or x == Scope.GAME for v in left for w, x in mine.edges[v]) or OPEN in graph.owner:
            continue
        loops = find_loops(graph)
        for loop in loops:
            left -= component(mine, everyone, [loop.cycle[0].state], ANYWHERE, False) or frozenset()
        assert not safe(mine, everyone, left)
        seen[bool(loops)] += 1
    assert min(seen[True], seen[False]) > 20


def test_a_loop_is_not_taken_for_that_of_somebody_who_could_be_turned_aside() -> None:
    #  0 (player 0) → 1 (player 1) → 0, and player 1 may go on to the end 2
    duel = Graph([0, 1, -1], [[(1, 0)], [(0, 0), (2, 0)], []])
    assert keepers_of(duel, (0, 1), [0, 1], 1) == ({frozenset({1})}, {frozenset({1})})
    assert component(duel, frozenset({0}), [0, 1], 1, False) is None
    unknown = Graph([0, 1, -1], [[(1, 0)], [(0, 0), (BEYOND, 0)], []])
    certain, perhaps = keepers_of(unknown, (0, 1), [0, 1], 1)
    assert certain < perhaps and frozenset() in perhaps
    crossing = Graph([0, 1], [[(1, 0)], [(0, 2)]])
    assert component(crossing, frozenset(), [0, 1], 2, False) is None  # it crosses the turn's border
    assert component(crossing, frozenset(), [0, 1], 3, False) == frozenset({0, 1})


# ---------------------------------------------------------------- evidence, and the nearest that shows nothing
def of(target: str, number: int = 0) -> tuple[Subject, Limits, Evidence]:
    """The certificate of a shipped scenario under one of its reading sets."""
    (path,) = scenario_paths(target)
    scenario = read_scenario(path)
    subject = subject_of(open_table(scenario, reading_sets(scenario, {})[number]), True)
    return (subject, limits := limits_of(scenario, None, None, None), made_of(subject, limits))


def made_of(subject: Subject, limits: Limits) -> Evidence:
    judged: list[tuple[Subject, Exploration]] = []
    result = check_explored(subject, limits, explore(subject.engine, subject.starts, limits, subject.symmetry), seen=lambda *of: judged.append(of))
    return evidence(*judged[0], limits, result.findings)


def again(certificate: Any) -> Any:
    """The certificate as another process would read it."""
    return json.loads(json.dumps(certificate))


def why(one: Judged) -> str:
    assert not one.shown
    return one.refused


def test_a_loop_of_one_player_its_closed_set_and_all_positions() -> None:
    subject, _, made = of("hanayome/swap")
    certificate, world = again(made.certificate), world_of(subject)
    everything, loop = certificate["claims"]
    all_of_it, judged = check(certificate, [world])
    assert all_of_it.shown == ("complete", "counts", "ends", "silent", "open", "broken", "regions")
    assert judged.shown == ("closes", "keeps", "exactly")

    def judge(change: Any) -> Judged:
        other = copy.deepcopy(certificate)
        change(other["claims"][1])
        return check({**other, "claims": other["claims"][1:]}, [world])[0]
    for who in ([[0]], [[1]], [[0, 1]], [[0], [1]], [[]]):
        if who != loop["keepers"]:
            said = judge(lambda c, who=who: c.update(keepers=who, closed=[{**c["closed"][0], "keepers": k} for k in who]))
            assert why(said) != ""
    assert "same state" in why(judge(lambda c: c["cycle"].pop()))
    assert "same state" in why(judge(lambda c: c.update(cycle=[])))
    assert "closed set" in why(judge(lambda c: c["closed"][0]["states"].pop()))
    assert "part of play" in why(judge(lambda c: c.update(scope=c["scope"] % 4 + 1)))
    twice = judge(lambda c: c.update(cycle=c["cycle"] * 2))
    assert twice.shown == judged.shown  # as true as before
    dropped = copy.deepcopy(certificate)
    dropped["table"]["list"].pop()
    assert why(check({**dropped, "claims": [everything]}, [world])[0])


def test_positions_that_were_cut_off_are_not_all() -> None:
    subject, _, _ = of("hanayome/swap")
    few = made_of(subject, Limits(states=20))
    certificate, world = again(few.certificate), world_of(subject)
    assert check(certificate, [world])[0].shown == ("counts", "ends")
    certificate["claims"][0]["complete"] = True
    assert why(check(certificate, [world])[0]) == "steps lead out of the table"


def test_a_gap_that_nobody_told_is_noticed() -> None:
    subject, _, made = of("shinso/consecutive-attack", 1)
    certificate, world = again(made.certificate), world_of(subject)
    assert [c["kind"] for c in certificate["claims"]] == ["positions", "play"]
    first, play = check(certificate, [world])
    assert "silent" in first.shown and play.shown == ("play", "end")
    certificate["claims"][0]["silent"].pop()
    assert why(check(certificate, [world])[0]) == "ends that no rule explains are not those told"
    certificate["claims"][1]["steps"].pop()
    assert why(check(certificate, [world])[1]) == "play does not end so"


@pytest.mark.parametrize("name", ["ping_pong", "free_action", "lamp", "conserved", "half_done", "nesting"])
def test_whatever_toys_tell_has_a_certificate(name: str) -> None:
    subject = toy(name)
    made = made_of(subject, Limits(states=2_000))
    said = check(again(made.certificate), [world_of(subject)])
    assert all(made.numbers) and not any(one.refused for one in said), said


def test_a_parting_of_readings_needs_both() -> None:
    (path,) = scenario_paths("harem_master/dash")
    results = session.check(path, session.CheckOptions(certify=True))
    parted = [c for r in results for c in r.certificates or () if any("two readings" in t.en for t in c.shows)]
    assert parted and all(c.accepted for r in results for c in r.certificates or ())


def test_readings_part_by_the_same_choices_only() -> None:
    """Whether it rests or not is another choice, not another reading: by both readings of the colour the same comes of each."""
    def said(reading: str, answer: str, steps: list[Any], theirs: list[Any], differs: str) -> Judged:
        a, b = toy("readings"), toy("readings", readings={reading: answer})
        claim = {"kind": "parting", "about": "", "start": 0, "steps": steps, "theirs": theirs, "differs": differs}
        return check(again(certificate(a, no_states(a), [claim])), [world_of(a), world_of(b)])[0]
    colour, rests = [[1, [0]]], [[1, [1]], [-1, []], [0, [1]]]
    assert said("rest", "stays", rests, rests, "slots").shown == ("parting",)
    assert why(said("colour", "blue", [*colour, [0, [1]]], [*colour, [0, [0]]], "slots")) == "something else is chosen under the other reading"
    assert why(said("colour", "blue", [*colour, [0, [1]]], colour, "slots")).endswith("more is chosen under one of them")
    assert why(said("colour", "blue", [*colour, [0, [1]]], [*colour, [0, [1]]], "slots")) == "they do not differ so"
    red, blue = (toy("readings", entry="odds", readings={"colour": x}) for x in ("red", "blue"))
    claim = {"kind": "parting", "about": "", "start": 0, "steps": [], "theirs": [], "differs": "odds"}
    told = [check(again(certificate(red, no_states(red), [claim])), [world_of(red), world_of(x)])[0] for x in (blue, red)]
    assert told[0].shown == ("parting",) and why(told[1]) == "they do not differ so"


def test_questions_are_asked_again_from_their_text() -> None:
    def ask(text: str, expected: str = "unsat") -> Judged:
        claim = {"kind": "query", "about": "", "text": text, "expected": expected}
        return check({"form": 1, "book": "", "further": None, "table": {"base": [], "list": []}, "claims": [claim]})[0]
    declared = "(set-logic QF_BV)(declare-fun x () (_ BitVec 4))"
    nothing = f"{declared}(assert (bvult x #x3))(assert (bvult #x5 x))(check-sat)"
    assert ask(nothing).shown[0] == "unsat"
    assert why(ask(nothing.replace("#x3", "#x7"))) == "z3 finds something"
    assert why(ask(f"{declared}(check-sat)")) == "nothing is asked"
    assert why(ask(nothing, "sat"))
    assert "malformed" in why(ask("(assert"))


GROWING = {
    "no exit": ["loop"], "late stop": ["loop"], "two together, alike": ["loop"], "choice": ["loop", "play"], "set back for ever": ["loop"],
    "nests": ["loop"]}


@pytest.mark.parametrize("entry", GROWING)
def test_what_grows_for_ever_is_shown_in_positions_that_stand_for_all_larger_values(entry: str) -> None:
    subject = toy("growth", entry=entry)
    made = made_of(subject, Limits(states=2_000))
    certificate, world = again(made.certificate), world_of(subject)
    assert [c["kind"] for c in certificate["claims"]] == ["positions", *GROWING[entry]]
    everything, loop, *_ = check(certificate, [world])
    assert everything.shown == ("complete", "counts", "ends", "silent", "open", "broken", "regions")
    closes = certificate["claims"][1]["growth"] is None
    assert closes == (entry == "set back for ever")
    assert loop.shown == (("closes", "keeps", "exactly") if closes else ("round", "for ever", "keeps", "exactly"))
    if closes:
        return
    lower = copy.deepcopy(certificate)
    for counters in lower["further"]["counters"]:
        counters[1] -= 1  # one value less is told apart
    assert why(check(lower, [world])[0])


def test_what_grows_by_more_each_time_is_not_shown_to_go_on_so() -> None:
    certificate = again(made_of(subject := toy("growth", entry="doubles"), Limits(states=2_000)).certificate)
    assert certificate["claims"][1]["keepers"] is None
    assert check(certificate, [world_of(subject)])[1].shown == ("round",)


def test_a_limit_below_the_threshold_is_refused_with_a_table_made_for_it() -> None:
    """The nearest that shows nothing: all is made as it should be, but values are not told apart that go on otherwise."""
    for entry, limit in (("no exit", 20), ("late stop", 39), ("choice", 11)):
        subject = toy("growth", entry=entry)
        certificate = again(made_of(subject, Limits(states=2_000)).certificate)
        certificate["further"]["counters"][0][1] = limit
        everything = trusting(subject, certificate)[0]
        assert why(everything) == "steps lead out of the table", (entry, everything)


def trusting(subject: Subject, certificate: Any) -> list[Judged]:
    """The table of somebody who takes it on trust that all values go on alike, and what the checker says of it."""
    world = world_of(subject)
    engine = Further(world.engine, certificate["further"])
    engine.alike = lambda state: True
    out = explore(cast(Interpreter, engine), starts := [engine.start(x) for x in world.positions], Limits(states=2_000))
    table = Table(subject, out, starts)
    changed = {**certificate, "table": table.plain(), "claims": [table.claim([c for c in certificate["claims"] if c["kind"] == "play"])]}
    return check(changed, [world])


def test_what_is_left_over_and_conditions_as_play_ends_are_looked_at() -> None:
    for entry, broken in (("breaks", ["few"]), ("holds", [])):
        subject = toy("sevenths", entry=entry)
        certificate = again(made_of(subject, Limits(states=2_000)).certificate)
        assert certificate["claims"][0]["broken"] == broken and certificate["claims"][0]["complete"]
        said = check(certificate, [world_of(subject)])
        assert not any(one.refused for one in said) and "for ever" in said[1].shown
        counters = certificate["further"]["counters"]
        (sevenths,) = [c for c in counters if c[2] == 7]
        sevenths[2] = 1
        assert why(trusting(subject, certificate)[0]) in ("steps lead out of the table", "a position of the table is never come to")
        sevenths[2] = 7
        counters[1 - counters.index(sevenths)][1] = 2
        if broken:
            certificate["claims"] = [c for c in certificate["claims"] if c.get("rule") is None]
            assert why(trusting(subject, certificate)[0]) == "a condition may not come out alike"


def test_counters_are_taken_as_they_are_said_or_not_at_all() -> None:
    subject = toy("growth", entry="no exit")
    certificate, world = again(made_of(subject, Limits(states=2_000)).certificate), world_of(subject)
    (name,), limit, period, sign, joined = certificate["further"]["counters"][0]
    for other in ([[name], 0, period, sign, joined], [[name], limit, 0, sign, joined], [[name], limit, period, 0, joined],
                  [[name], limit, period, -sign, joined], [[name], limit, period + 1, sign, joined], [["lamp"], limit, period, sign, joined]):
        changed = {**certificate, "further": {**certificate["further"], "counters": [other]}}
        assert all(one.refused for one in check(changed, [world])), other
    twice_said = {**certificate["further"], "counters": certificate["further"]["counters"] * 2}
    assert why(check({**certificate, "further": twice_said}, [world])[0]) == "these are no counters, or one is named twice"
    assert all(one.refused for one in check({**certificate, "further": None}, [world]))


def test_check_says_what_was_shown_and_what_was_not(capsys: pytest.CaptureFixture[str]) -> None:
    for lang, words in (("en", "2 of 2 accepted by a checker that knows only the reference engine (0 refused, 0 without evidence)."),
                        ("ja", "2件のうち2件を、参照エンジンだけを知る検査器が認めました（0件は退け、0件は証拠なし）。")):
        main(["check", LOOPING, "-r", "default", "--certify", "--lang", lang])
        said = capsys.readouterr().out
        assert "".join(words.split()) in "".join(said.split())
        assert ("not shown:" in said) == (lang == "en") and ("示していない" in said) == (lang == "ja")
    main(["check", LOOPING, "-r", "default", "--certify", "--json"])
    data, schema = json.loads(capsys.readouterr().out), output_schema()
    assert [*violations(data, schema["$defs"]["output-check"], schema)] == []
    assert all(one["accepted"] for run in data["certificates"] for one in run["certificates"])
    main(["check", LOOPING, "-r", "default", "--json"])
    assert "certificates" not in json.loads(capsys.readouterr().out)


# ---------------------------------------------------------------- by lot, and all
def test_no_mutated_certificate_is_accepted() -> None:
    seed = int.from_bytes(os.urandom(4), "big")
    rng = Random(seed)
    print(f"seed {seed}")
    found = mutants(certificates(rng, 6), 84, rng)
    assert [m for m in found if m.accepted] == [], f"seed {seed}"


@pytest.mark.slow
def test_of_a_thousand_mutated_certificates_none_is_accepted() -> None:
    rng = Random(1)
    found = mutants(certificates(rng, 60), 1_000, rng)
    assert len(found) == 1_000 and [m for m in found if m.accepted] == []


def test_every_scenario_and_every_stored_case_is_gone_through() -> None:
    listed = every.tasks()
    assert sorted(t.path for t in listed) == sorted(p for book in session.books() for p in session.scenarios_of(book))
    assert sorted(p for t in listed for p in t.cases) == sorted(Path(str(stored_cases())).rglob("*.yaml"))


def test_what_is_refused_or_has_no_certificate_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    (task,) = [t for t in every.tasks() if str(t) == LOOPING]
    sound = every.judged(task)
    assert task.cases and sound.wrong == () and sound.accepted > sound.runs
    with monkeypatch.context() as patch:
        patch.setattr(told, "check", lambda made, worlds: [Judged(refused="so")] * len(made["claims"]))  # pyright: ignore[reportUnknownLambdaType]
        refused = every.judged(task)
    assert refused.accepted == 0 and len(refused.wrong) == sound.accepted and all("refused: so" in line for line in refused.wrong)
    with monkeypatch.context() as patch:
        patch.setattr(told, "claim_of", lambda *of: None)  # pyright: ignore[reportUnknownLambdaType]
        bare = every.judged(task)
    assert any("without evidence" in line for line in bare.wrong)


@pytest.mark.slow
@pytest.mark.parametrize("task", every.tasks(), ids=str)
def test_everything_told_of_a_scenario_has_a_certificate(task: every.Task) -> None:
    assert every.judged(task).wrong == ()


QUICK = ("harem_master", "sakura", "ts_fight")
"""Books of which all questions are made within seconds; of hanayome and shinso those about clauses and loops take minutes, so orders are asked about only."""


def questions_of(book: str, luck: Random) -> Iterator[Query]:
    """Questions about all positions, and of cards drawn by lot: of all pairs of a book's cards they fill the memory."""
    cards = sorted(load_book(book).cards)
    if book in QUICK:
        for of in (None, luck.sample(cards, 5)):
            yield from islice(queries(book, of, {}), 24)
        return
    drawn = (list(islice(all_pairs.queries(book, {}, luck.sample(cards, 5)), 6)) for _ in range(20))
    yield from next(found for found in drawn if found)


@pytest.mark.slow
@pytest.mark.skipif(not has_cvc5(), reason="the extra cvc5 is not installed")
@pytest.mark.parametrize("book", session.books())
def test_cvc5_agrees_about_questions_drawn_by_lot(book: str) -> None:
    seed = int.from_bytes(os.urandom(4), "big")
    print(f"seed {seed}")
    luck = Random(seed)
    some = list(questions_of(book, luck))
    said = solvers.counted([solvers.both(question.text(), 5.0) for question in luck.sample(some, min(4, len(some)))])
    assert "DISAGREE" not in said, said
