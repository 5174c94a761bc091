"""What is told of readings, beside plays under each answer: of one told never to be asked for, or to make no difference, all answers lead to the same.

Plays are the same where players, luck (with the same odds) and nobody are asked the same, and end in the same ways (a bisimulation); places of the rules and
numbers of the state are not compared.
"""
from __future__ import annotations

from collections.abc import Mapping

from rulewright.checks.explore.explorer import BoundAtStart
from rulewright.checks.readings.branching import Effect
from rulewright.checks.runs.session import CheckOptions, check_all_readings
from rulewright.model.engine.state import NOBODY, End
from rulewright.model.lang.world import ReadingDef

from .books import Book
from .compare import MOST, Untrue
from .draw_readings import ALTERNATIVES, NUMBER, default
from .judge import BEYOND, Graph, alike, horizon_of, world
from .questions import as_a_users

UNASKED, SAME = "a reading told never to be asked for is", "a reading told to make no difference does"
ANSWERS = (UNASKED, SAME)
READINGS = {r: ReadingDef(r, () if r == NUMBER else a, default(r), (int(a[0]), int(a[-1])) if r == NUMBER else None) for r, a in ALTERNATIVES.items()}


def told_of_readings(book: Book) -> tuple[list[Untrue], dict[str, int]]:
    """What is told of the readings of a book and not so; and how much is told. Raises TooLarge."""
    graphs = dict[tuple[str, ...], Graph]()

    def graph(answers: Mapping[str, str]) -> Graph:
        key = tuple(answers[r] for r in ALTERNATIVES)
        if key not in graphs:
            horizon = horizon_of(book.greatest, len(book.counters))
            engine, slots = book.lifted(horizon, READINGS, answers)
            graphs[key] = world(engine, slots, book.counters, book.greatest, horizon, MOST).graph
        return graphs[key]

    def differ(reading: str, others: Mapping[str, str]) -> bool:
        """Do two answers to a reading lead to different plays?"""
        mine = [graph({**others, reading: a}) for a in ALTERNATIVES[reading]]
        return any(not same(mine[0], x) for x in mine[1:])
    usual = {r: default(r) for r in ALTERNATIVES}
    one_other = [usual, *({**usual, r: a} for r, answers in ALTERNATIVES.items() for a in answers if a != default(r))]
    truth = {r: [differ(r, x) for x in one_other] for r in ALTERNATIVES if f'"{r}"' in book.text}
    with as_a_users(book) as place:
        (place / "readings.yaml").write_text("book: oracle\nreadings:\n" + "".join(map(as_yaml, ALTERNATIVES)), encoding="utf-8")
        (place / "scenarios").mkdir()
        path = place / "scenarios" / "world.yaml"
        path.write_text("book: oracle\nid: world\ntitle: {ja: 例, en: world}\n", encoding="utf-8")
        try:
            told = check_all_readings(path, CheckOptions(engine="interpreter"))
        except BoundAtStart:
            return [], {}
    whole = not told.left_out and all(r.bounds.complete for r in told.results)
    found: list[Untrue] = []
    for x in told.readings:
        if whole and x.effect is Effect.UNASKED and any(truth.get(x.reading, [])):
            found.append(Untrue(UNASKED, x.reading))
        if whole and x.effect is Effect.NOTHING and truth.get(x.reading, [False])[0]:
            found.append(Untrue(SAME, x.reading))
    return found, {**{f"told: a reading, {e.value}": sum(x.effect is e for x in told.readings) for e in Effect},
                   "true: a reading that makes a difference": sum(x[0] for x in truth.values()),
                   "true: a reading that makes a difference by another answer only": sum(any(x) and not x[0] for x in truth.values())}


def same(a: Graph, b: Graph) -> bool:
    """Is play the same from the first state on? What nobody decides is not looked at by itself, only what it leads to, or that it goes on for ever."""
    both = Graph()
    ends = [both.add(NOBODY, End("over", detail="for ever"))]
    for g in (a, b):
        by = len(both)
        for k in range(len(g)):
            both.weights[both.add(g.owner[k], g.end[k])] = g.weights[k]
        for k in range(len(g)):
            both.edges[k + by] = [(ends[0] if x == BEYOND else x + by, 0) for x in (decided(g, to) for to, _ in g.edges[k])]
        ends.append(ends[0] if (first := decided(g, 0)) == BEYOND else first + by)
    of = alike(both)
    return of[ends[1]] == of[ends[2]]


def decided(g: Graph, k: int) -> int:
    """The next state from here in which something is decided, or play has ended; BEYOND if there is none."""
    seen = set[int]()
    while k not in seen and k != BEYOND and g.owner[k] == NOBODY and len(g.edges[k]) == 1:
        seen.add(k)
        k = g.edges[k][0][0]
    return BEYOND if k in seen else k


def as_yaml(reading: str) -> str:
    """A reading as people write it."""
    answers = ALTERNATIVES[reading]
    said = f"number: {{from: {answers[0]}, to: {answers[-1]}, suggested: [{', '.join(answers)}]}}" if reading == NUMBER else "alternatives: [" + ", ".join(
        f"{{id: {a}, gist: {{ja: 例。, en: {a}.}}}}" for a in answers) + "]"
    clause = {"way": "1.1", "else": "1.2", "most": "1.3"}[reading]
    return (f'  - {{id: {reading}, clauses: ["{clause}"], question: {{ja: どうか。, en: Which?}}, {said}, default: "{default(reading)}",\n'
            "     why: {ja: 例。, en: An example.}, affects: {ja: 例。, en: An example.}, status: modelled}\n")
