"""What is told of every position, of pairs and of procedures: nothing false of small books, and what is said falsely is noticed."""
from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rulewright.checks.findings.record import Bounds, CheckResult
from rulewright.checks.smt.results import Kept

from . import contradictions, keeping, pairs
from .books import Book, Part, Rule
from .compare import compare
from .contradictions import CLASHES, MISSED, NEVER, told_of_every_position
from .keeping import CALLED, told_to_be_kept
from .kinds import drawn
from .pairs import SAME, told_of_pairs
from .test_ending import book as with_cards
from .test_judge import book, parts

STATE = "class Game(State):\n    c: Annotated[int, Range(0, 3)]\n    d: Annotated[int, Range(0, 3)]\n    f: bool\n"


def rule(name: str, kind: str, body: str, params: str = "p: Player", gives: str = "bool") -> Rule:
    return Rule(name, params, "", parts(body), kind, gives)


def small(main: str, *rules: Rule) -> Book:
    b = book(main, head=STATE, caps={})
    return replace(b, rules=(*rules, *b.rules))


SAID = (rule("one", 'verdict("winner")', "return p if g.f else None  #: 1.1", gives="Option[Player]"), rule("two", 'verdict("winner")', "return FIRST if g.c == 1 else None  #: 1.2", gives="Option[Player]"),
        rule("three", 'verdict("winner")', "return SECOND if g.c == 2 else None  #: 1.3", gives="Option[Player]"), rule("ask", "step", 'x = judge("winner", g, p, Player)', gives="None"))
DISAGREEING = small("g.f = True\nx = await choose(FIRST, {0, 1, 2})\ng.c = x\ny = await choose(SECOND, PLAYERS)\nask(g, y)", *SAID)
NORMS = small("act(g, FIRST)", rule("act", "action", "g.f = False", gives="None"), rule("must", "requires(act)", "return g.c > 2  #: 1.1"), rule("must_not", "forbids(act)", "return g.f  #: 1.2"),
              rule("not_so", "forbids(act)", "return g.c < 2  #: 1.3"))
WIDE = replace(small("act(g, FIRST)", rule("act", "action", "g.f = False", gives="None"), rule("must", "requires(act)", "return g.c > 4  #: 1.1"), rule("must_not", "forbids(act)", "return g.f  #: 1.2")), caps={"c": 6})
GAPS = small("if g.c == g.d:\n    x = await choose(FIRST, {y for y in {0, 1} if y > g.c})  #: 2.1\n    g.c = x")


def test_verdicts_that_disagree_are_told_pair_by_pair() -> None:
    """Of several pairs of clauses that disagree on one question each is told."""
    out = compare(DISAGREEING)
    assert not out.false and "compared: verdicts that disagree" in out.there


@pytest.mark.parametrize(("of", "missed"), [(GAPS, {MISSED}), (NORMS, {CLASHES})])
def test_what_is_missed_of_every_position_is_noticed(of: Book, missed: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    told = told_of_every_position(of, random.Random(0))
    assert told[0] == [] and any(what.startswith("true:") and what.endswith(", told") for what in told[1])
    result = nothing_of(of)
    monkeypatch.setattr(contradictions.conflicts_and_gaps, "ask", lambda *_, **__: result)
    monkeypatch.setattr(contradictions.norms, "ask", lambda *_, **__: result)
    assert {x.kind for x in told_of_every_position(of, random.Random(0))[0]} == missed


def test_norms_that_clash_beyond_a_range_are_noticed_where_the_range_is_not_taken_as_given(monkeypatch: pytest.MonkeyPatch) -> None:
    false, counts = told_of_every_position(WIDE, random.Random(0))
    assert not false and counts["true: norms clash where a scenario widens a range"] == 1
    result = nothing_of(WIDE)
    monkeypatch.setattr(contradictions.norms, "ask", lambda *_, **__: result)
    assert {x.kind for x in told_of_every_position(WIDE, random.Random(0))[0]} == {CLASHES}


def nothing_of(of: Book) -> CheckResult:
    """A result in which nothing is told, and nothing left open."""
    with contradictions.as_a_users(of):
        real = contradictions.norms.ask(contradictions.NAME, seconds=2.0)
    return replace(real, findings=(), bounds=Bounds(True, 0, 0, 0))


def test_norms_that_never_clash_and_are_told_to_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    with contradictions.as_a_users(NORMS):
        real = contradictions.norms.ask(contradictions.NAME, seconds=2.0)
    other = replace(real, findings=tuple(replace(f, clauses=("1.1", "1.3")) for f in real.findings))
    monkeypatch.setattr(contradictions.norms, "ask", lambda *_, **__: other)
    assert NEVER in {x.kind for x in told_of_every_position(NORMS, random.Random(0))[0]}


def test_a_statement_that_does_not_hold_is_noticed_if_it_is_told_as_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    stated = Rule("before", "p: Player", "", (Part("return g.c < 2"),), "expects(of)", "bool"), Rule("after", "", "", (Part("return g.c > 0"),), "ensures(of)", "bool")
    of = Rule("of", "p: Player", "", parts("g.c += 1\nwhile g.d > 0:\n    g.d -= 1"))
    b = with_cards("await of(g, FIRST)\nawait of(g, SECOND)\nawait of(g, SECOND)", of, *stated)
    false, counts = told_to_be_kept(b)
    assert not false and counts["true: a statement that does not hold"] == 1 and counts["told: a statement proved"] == 1
    monkeypatch.setattr(keeping, "prove_each", lambda *_: {"": Kept("", proved=("before", "after"))})
    assert told_to_be_kept(b)[0] == [keeping.Untrue(CALLED, "before")]


def test_a_pair_that_is_told_to_be_the_same_and_is_not_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    b = drawn(22, "abilities")  # one can go round for ever in one order only; it was told to be the same
    assert told_of_pairs(b, random.Random(0))[0] == []
    real = pairs.orders_of

    def said(out: pairs.Orders) -> None:
        real(out)
        out.answers = [replace(a, said="commute") for a in out.answers]
    monkeypatch.setattr(pairs, "orders_of", said)
    assert {x.kind for x in told_of_pairs(b, random.Random(0))[0]} == {SAME}


@pytest.mark.slow
@pytest.mark.parametrize("stops", [
    "x = await choose(you, g.away)\nput(x, g.heap)", "with simultaneously():\n    g.f0 = True\n    if g.f1:\n        g.f0 = False", "while g.f0:\n    x = await may(you)"],
    ids=["nothing to choose", "contradicts itself", "goes round for ever"])
def test_where_play_may_stop_the_order_matters_beside_what_ends_it(stops: str) -> None:
    """These were told to lead to the same, since neither looks at what the other writes."""
    b = drawn(1, "abilities")
    texts = {p: ({"when": "Moved", "if": "event.card == this", "text": text},) for p, text in enumerate(("finish(FIRST)", stops))}
    false, counts = told_of_pairs(replace(b, texts=texts, cards=((0, 0), (1, 0), (3, 0))), random.Random(1))
    assert not false and any(n and "truly differ" in what for what, n in counts.items())
