"""Plays as ITF and graphs as DOT and GraphML: other programs read them, and they say what the reference engine did."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from ruamel.yaml import YAML

from rulewright.checks import api
from rulewright.checks.cli import main
from rulewright.checks.explore.explorer import Exploration, Limits, explore
from rulewright.checks.explore.owned_graph import FRONTIER
from rulewright.checks.explore.subject import Subject
from rulewright.checks.export.graphs import as_dot, as_graphml, by_rule, graph_of, quoted, runs
from rulewright.checks.findings.page import headline, speaker
from rulewright.checks.runs import session
from rulewright.checks.scenarios.subjects import open_table, subject_of
from rulewright.checks.stored import finding_store
from rulewright.spec.readers import read_scenario
from rulewright.spec.text import Text

SWAP = "HANA-10.5.3.3-PHJX"
SWAP_PLAY = f"{SWAP}-swap"
CASES = Path(str(finding_store.stored_cases()))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, cache_of_tests: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_of_tests))


def exported(*arguments: str) -> None:
    assert main(["export", *arguments, "--lang", "en"]) == 0


def values(value: Any) -> Any:
    """Every value inside a value of ITF; what ITF does not have is an error."""
    match value:
        case bool() | str():
            return
        case list():
            for one in value:
                values(one)
        case {"#bigint": str(number), **rest}:
            assert not rest and str(int(number)) == number
        case {"#set": list(inside), **rest}:
            assert not rest
            values(inside)
        case {"#map": list(entries), **rest}:
            assert not rest
            keys = [json.dumps(key) for key, _ in entries]
            assert len(keys) == len(set(keys))
            for key, one in entries:
                values(key), values(one)
        case dict():
            assert not any(key.startswith("#") for key in value)
            for one in value.values():
                values(one)
        case _:
            pytest.fail(f"{value!r} is no value of ITF")


def itf(name: str) -> dict[str, Any]:
    data = json.loads(Path(f"{name}.itf.json").read_text(encoding="utf-8"))
    assert {"vars", "states", "params"} <= data.keys()
    for n, state in enumerate(data["states"]):
        assert state["#meta"]["index"] == n
        inside = {key: value for key, value in state.items() if key != "#meta"}
        assert list(inside) == data["vars"]
        values(inside)
    return data


def of(field: Any, key: str) -> Any:
    """What a map has for a key."""
    return dict(map(tuple, field["#map"]))[key]


# ---------------------------------------------------------------- ITF
def test_a_lasso_says_where_it_leads_back_to() -> None:
    exported("hanayome/swap", "--to", "itf")
    data = itf(SWAP_PLAY)
    assert data["#meta"]["format"] == "ITF" and data["#meta"]["readings"]["loop-repeat-actions"] == "chosen-only"
    assert len(data["states"]) - data["loop"] == 2  # the two exchange seats, and exchange them again
    lanes = [{int(n["#bigint"]): cards for n, cards in of(state["lane"], "first")["#map"]} for state in data["states"][data["loop"]:]]
    seats = [(lane[2], lane[3]) for lane in lanes]
    assert sorted(seats) == [(["C-LIBRARY"], ["C-SWAPPER"]), (["C-SWAPPER"], ["C-LIBRARY"])]


def test_a_play_that_ends_has_no_loop_and_says_how_it_ended() -> None:
    (case,) = (CASES / "harem_master").glob("005-*.yaml")
    exported(str(case), "--to", "itf", "-o", "plays")
    (file,) = Path("plays").iterdir()
    data = itf(str(file).removesuffix(".itf.json"))
    assert "loop" not in data
    assert data["states"][-1]["end"]["kind"] == "conflict" and not any(data["states"][-2]["end"].values())


def test_a_loop_that_grows_leads_back_to_nowhere() -> None:
    (case,) = (CASES / "sakura").glob("*-mutual-nesting-*.yaml")
    exported(str(case), "--to", "itf")
    (file,) = Path().glob("*.itf.json")
    assert "loop" not in itf(file.name.removesuffix(".itf.json"))


def test_the_public_reader_opens_it() -> None:
    reader = pytest.importorskip("itf_py", reason="the public reader of ITF is not there: pip install itf-py")
    exported("hanayome/swap", "--to", "itf")
    data = json.loads(Path(f"{SWAP_PLAY}.itf.json").read_text(encoding="utf-8"))
    trace = reader.trace_from_json(data)
    assert (trace.loop, len(trace.states), trace.vars) == (data["loop"], len(data["states"]), data["vars"])
    assert any("another seat" in state.values["step"].chosen for state in trace.states)


def test_a_case_that_does_not_replay_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    (case,) = (CASES / "hanayome").glob("013-*.yaml")
    data = YAML(typ="safe").load(case.read_text(encoding="utf-8"))
    step = next(one for one in data["finding"]["play"]["stem"] if one["chosen"])
    step["chosen"] = {"ja": "別のこと", "en": "something else"}
    with Path("other.yaml").open("w", encoding="utf-8") as out:
        YAML().dump(data, out)
    assert main(["export", "other.yaml", "--to", "itf", "--lang", "en"]) == 2
    assert "the play of HANA-10.5.3.3-PHJX does not replay" in capsys.readouterr().err


def test_the_words_alone_differ_between_languages() -> None:
    for lang in ("ja", "en"):
        assert main(["export", "sakura/both-at-zero", "--to", "itf", "-o", lang, "--lang", lang]) == 0
    files = sorted(path.name for path in Path("ja").iterdir())
    assert files == ["SAKU-4-2.1-3CGK-both-at-zero.itf.json", "SAKU-4-2.1-4JJ8-both-at-zero.itf.json"]
    ja, en = ([json.loads(Path(lang, name).read_text(encoding="utf-8")) for name in files] for lang in ("ja", "en"))
    assert ja != en
    for data in (*ja, *en):
        del data["#meta"]["description"]
        for state in data["states"]:
            state["end"] = {key: said for key, said in state["end"].items() if key != "words"}
            state["step"] = {key: said for key, said in state["step"].items() if key in ("by", "clauses")}
    assert ja == en
    last = ja[0]["states"][-1]
    assert last["end"] == {"kind": "gap", "winner": "", "detail": "4-2.1"} and of(last["life"], "second") == {"#bigint": "0"}


@pytest.mark.parametrize(("order", "known"), [("lazy", False), ("given", True)])
def test_a_pile_whose_order_nobody_knows_is_a_set_in_its_place(order: str, known: bool) -> None:
    Path("draws.yaml").write_text(
        f"book: hanayome\nid: draws\ntitle: x\nbegin: turn\ndeck_order: {order}\n"
        "position: {first: {deck: [C-STUDY, BLANK, C-FIRST-BRIDE]}, second: {deck: [BLANK]}}\n", encoding="utf-8")
    api.open_scenario("draws.yaml").play().by_lot(1, 6).save("game.json")
    exported("game.json", "--to", "itf")
    states = itf("game")["states"]
    deck = of(states[0]["deck"], "first")
    assert deck == (["C-STUDY", "BLANK#1", "C-FIRST-BRIDE"] if known else [{"#set": ["C-STUDY", "BLANK#1", "C-FIRST-BRIDE"]}])
    assert any(state["step"]["by"] == "chance" for state in states) is not known


def test_what_waits_is_told_with_what_it_says() -> None:
    (case,) = (CASES / "hanayome").glob("004-*.yaml")
    exported(str(case), "--to", "itf")
    (file,) = Path().glob("*.itf.json")
    waiting = [one for state in itf(file.name.removesuffix(".itf.json"))["states"] for one in state["waiting"]]
    assert waiting and all(one["ability"] and one["this"] for one in waiting)


def test_a_field_that_is_hidden_of_the_state_is_told_of_its_records() -> None:
    play = api.open_book("sakura").scenario("limit-of-five").play()
    play.save("game.json")
    exported("game.json", "--to", "itf")
    data = itf("game")
    assert "crystals" not in data["vars"] and of(data["states"][0]["card"], "E-DOUBLE")["crystals"] == {"#bigint": "2"}
    assert "「二連」の上の桜花結晶: 2" in play.position.words.ja and "桜花結晶: 16" not in play.position.words.ja


def test_where_nothing_is_found_it_says_that_nothing_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    exported("sakura/limit-of-five", "--to", "itf")
    assert "No file was written" in capsys.readouterr().out and not list(Path().glob("*.json"))


@pytest.mark.parametrize(("scenario", "said"), [("limit-of-five", "Nothing was stored"), ("both-at-zero", "Stored: kept")])
def test_what_is_stored_is_told_and_that_nothing_is(scenario: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", f"sakura/{scenario}", "--store", "kept", "--lang", "en"])
    assert said in capsys.readouterr().out and Path("kept").exists() is said.startswith("Stored")


def test_a_japanese_title_stands_as_it_is_written() -> None:
    for lang in ("ja", "en"):
        assert headline(Text.same("xlsx を読む"), speaker(lang)) == "xlsx を読む"
    for title in (Text(ja="九枚", en="nine cards"), Text.same("nine cards")):
        assert headline(title, speaker("en")) == "Nine cards"


# ---------------------------------------------------------------- graphs
@pytest.fixture(scope="module")
def swap() -> tuple[Subject, Exploration]:
    (path,) = session.resolve("hanayome/swap")
    subject = subject_of(open_table(read_scenario(path), {}), symmetry=False)
    return subject, explore(subject.engine, subject.starts)


def test_graphml_is_read_by_networkx_and_has_every_position(swap: tuple[Subject, Exploration]) -> None:
    exported("hanayome/swap", "--to", "graphml")
    graph = nx.read_graphml("swap.graphml")
    _, out = swap
    assert (len(graph), graph.number_of_edges()) == (len(out.states), len({*zip(out.graph.source, out.graph.target, strict=True)}))
    assert sum(bool(data["end"]) for _, data in graph.nodes(data=True)) == len(out.ends())
    assert [data["first"] for _, data in graph.nodes(data=True)].count(True) == 1


def test_of_a_finding_only_the_part_that_goes_round_is_drawn() -> None:
    exported("hanayome/swap", "--to", "graphml", "--finding", "PHJX")
    graph = nx.read_graphml(f"{SWAP}.graphml")
    assert len(graph) == 2 and nx.is_strongly_connected(graph)


def test_a_large_graph_is_folded_and_says_so(swap: tuple[Subject, Exploration]) -> None:
    subject, out = swap
    whole = graph_of(subject, out, "en", 10_000)
    several = graph_of(subject, out, "en", len(whole.nodes) - 1)
    few = graph_of(subject, out, "en", 12)
    assert [g.fold for g in (whole, several, few)] == ["", "runs", "rules"]
    assert len(few.nodes) < len(several.nodes) < len(whole.nodes) == len(out.states)
    for graph in (whole, several, few):
        assert sum(node.count for node in graph.nodes.values()) == len(out.states)
        assert str(len(graph.nodes)) in graph.title
    assert "drawn together" in few.title


def test_a_run_that_is_drawn_as_one_has_no_choice_in_it(swap: tuple[Subject, Exploration]) -> None:
    subject, out = swap
    fold = runs(out, range(len(out.states)))
    for k, head in fold.items():
        if k != head:
            (before,) = [s for s, t in zip(out.graph.source, out.graph.target, strict=True) if t == k]
            assert fold[int(before)] == head and len(out.graph.out_edges(int(before))) == 1
    assert set(by_rule(out, range(len(out.states)))) == set(range(len(out.states)))
    assert subject.book == "hanayome"


def test_a_folded_graph_has_the_ends_the_choosers_and_the_ways_round_of_the_whole_one(swap: tuple[Subject, Exploration]) -> None:
    subject, out = swap
    whole, several, few = (graph_of(subject, out, "en", most) for most in (10_000, len(out.states) - 1, 12))
    for graph in (several, few):
        for what in ("end", "decider"):
            assert {getattr(n, what) for n in graph.nodes.values()} == {getattr(n, what) for n in whole.nodes.values()}
        assert not nx.is_directed_acyclic_graph(nx.DiGraph([*graph.edges]))
        words = {word for words in whole.edges.values() for word in words}
        assert {word for words in graph.edges.values() for word in words} == words
    only_round = graph_of(subject, out, "en", 1, [out.states[k] for part in nx.strongly_connected_components(nx.DiGraph([*whole.edges])) for k in part if len(part) > 1])
    assert not nx.is_directed_acyclic_graph(nx.DiGraph([*only_round.edges]))


def test_a_graph_says_where_a_limit_left_unseen_what_follows(swap: tuple[Subject, Exploration]) -> None:
    subject, _ = swap
    cut = explore(subject.engine, subject.starts, Limits(states=20))
    for most in (10_000, 10, 2):
        graph = graph_of(subject, cut, "en", most)
        unseen = sum(node.unseen for node in graph.nodes.values())
        assert unseen == sum(cut.graph.owner == FRONTIER) > 0
        assert graph.title.endswith(f"(of {unseen}, not all that follows was looked at)")
        assert as_dot(graph).count("\\n(not all that follows was looked at)\"") == sum(node.unseen > 0 for node in graph.nodes.values())
        assert sum(data["unseen"] for _, data in nx.parse_graphml(as_graphml(graph)).nodes(data=True)) == unseen


def test_dot_quotes_what_it_has_to(swap: tuple[Subject, Exploration]) -> None:
    assert quoted('a "b"\\\nc') == '"a \\"b\\"\\\\\\nc"'
    subject, out = swap
    text = as_dot(graph_of(subject, out, "ja", 10_000))
    assert text.startswith("digraph rulewright {") and text.endswith("}\n")
    assert text.count(" -> ") == len({*zip(out.graph.source, out.graph.target, strict=True)})


def test_what_does_not_loop_has_no_part_to_draw(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "harem_master/one-more-girl", "--to", "dot", "--finding", "3XJK", "--lang", "en"]) == 2
    assert "HM-102.3-3XJK has no positions that repeat" in capsys.readouterr().err
