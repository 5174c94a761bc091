"""Would anybody notice if a rule were missing? Each clause-marked statement of a book is taken away, one at a time.

    python -m tests.mutation.removal sakura [--sample N] [--seed N] [--jobs N | --cluster auto|ADDRESS] [--seconds N] [--at-least SHARE] [--survivors]

A statement whose removal the front end refuses (a function without its result, a name that nothing sets) is weakened
instead, where that is possible: a result becomes a constant, a condition always or never holds. What is left is counted
as *refused*. Each mutant is checked with every shipped scenario and reading set that executes the statement, the
cheapest first, until one gives another result than the rules as they are: other states, transitions, ends or findings.
A mutant that no result tells apart is *executed only*, or *never executed*. What only states something of play, as an
invariant does, is counted apart: without it, play is the same.

What the rules as they are give is kept in the cache folder, and so is what became of each mutant, as long as what it
depends on stays the same: a run that is stopped (or has used up its seconds) goes on where it was, and after a scenario
was added only the mutants that nobody noticed are looked at again.

With `--cluster` the machines of a Ray cluster look at them, with the same outcome. Each needs this check-out in the same place, and the
packages it was installed with.
"""
from __future__ import annotations

import argparse
import ast
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rulewright.model.engine.library import Book, load_book
from rulewright.model.lang.compile import declared
from rulewright.model.lang.world import World

from .places import Place, places
from .runs import Run, Verdict, baseline, cache_folder, judge, key_of, rules_key
from .spread import spread

NOT_FINISHED = 3
ENOUGH = 0.9
"""The share of the statements that compile without which a result has to change, unless told otherwise."""


@dataclass
class Shared:
    """What every mutant of a book needs; handed to the processes once."""

    book: str
    runs: list[Run]
    until: float


def look(shared: Shared, place: Place, before: str) -> Verdict | None:
    """What becomes of a mutant; None if the time is up."""
    return judge(shared.book, place, shared.runs, before) if time.time() < shared.until else None


# ---------------------------------------------------------------- what is no part of play
def only_stated(book: Book) -> set[str]:
    """The rules that say of play what holds, and are no part of it: invariants, contracts, and what is permitted or
    demanded where no rule asks for that. Prohibitions are part of it: what is forbidden is not done."""
    d = declared(book.rulebook, World()).d
    calls = [n for s in book.rulebook.sources for n in s.nodes(s.tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.args]
    asked = {ast.unparse(n.args[0]) for n in calls if ast.unparse(n.func) in ("permitted", "forbidden", "required")}
    stated = {"invariant", "expects", "ensures", "decreases"}
    if all(outranked != "forbids" for _, outranked in d.rankings):
        stated |= {"permits", "requires"}
    return {r.name for r in d.rules.values() if r.kind in stated and not (r.kind in ("permits", "requires") and r.subject in asked)}


# ---------------------------------------------------------------- what is known from before
class Ledger:
    """What became of each mutant, one on a line of a file."""

    def __init__(self, book: str, scenarios: Sequence[Path]) -> None:
        self.file = cache_folder() / f"{book}.jsonl"
        self.rules = rules_key(book)
        self.all = key_of(scenarios)
        self.each = {p.stem: key_of([p]) for p in scenarios}
        self.known: dict[str, Verdict] = {}
        self.told_by: dict[str, str] = {}
        lines = self.file.read_text(encoding="utf-8").splitlines() if self.file.exists() else []
        for line in lines:
            said = json.loads(line)
            if said["verdict"]["by"]:
                self.told_by[wherever(said["place"])] = said["verdict"]["by"]
            if said["depends"] == self.depends(verdict := Verdict(**said["verdict"])):
                self.known[said["place"]] = verdict

    def depends(self, verdict: Verdict) -> list[str]:
        """What a verdict depends on: that a result changes, on the scenario that gives it; that none does, on all."""
        scenario = verdict.by.partition(" ")[0]
        return [self.rules, self.each.get(scenario, "gone") if scenario else self.all]

    def name(self, place: Place) -> str:
        return f"{place.file}:{place.first}:{place.indent} {place.text}"

    def get(self, place: Place) -> Verdict | None:
        return self.known.get(self.name(place))

    def before(self, place: Place) -> str:
        """The run that told the mutant apart the last time, whatever has changed since: it is tried first."""
        return self.told_by.get(wherever(self.name(place)), "")

    def add(self, place: Place, verdict: Verdict) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        line = {"place": self.name(place), "depends": self.depends(verdict), "verdict": asdict(verdict)}
        with self.file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
        self.known[self.name(place)] = verdict


def wherever(name: str) -> str:
    """What a mutant is called, wherever in its file the statement stands."""
    file, _, rest = name.partition(":")
    return f"{file} {rest.partition(' ')[2]}"


# ---------------------------------------------------------------- the report
def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 if too many statements could be missing without a result that changes, 3 if the time was up before all
    were looked at."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("book")
    parser.add_argument("--sample", type=int, help="look at so many statements, drawn at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cluster", metavar="auto|ADDRESS", help="the Ray cluster whose machines do it (docs/cluster.md)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin nothing new after so long")
    parser.add_argument("--at-least", type=float, default=ENOUGH, help="the share without which a result has to change")
    parser.add_argument("--survivors", action="store_true", help="list what no result notices")
    parser.add_argument("--leave-out", nargs="*", default=["full-game", "full-game-in-phrases"], help="scenarios that are too large")
    given = parser.parse_args(arguments)
    until = time.time() + given.seconds
    book = load_book(given.book)
    scenarios = [p for p in book.scenarios if p.stem not in given.leave_out]
    stated = only_stated(book)
    every = places(book)
    chosen = [p for p in every if p.rule not in stated]
    apart = len(every) - len(chosen)
    if given.sample is not None and given.sample < len(chosen):
        chosen = sorted(random.Random(given.seed).sample(chosen, given.sample), key=lambda p: (p.file, p.first))
    ledger = Ledger(given.book, scenarios)
    runs = [r for several in spread(baseline, given.book, [(str(p),) for p in scenarios], given.jobs, given.cluster) for r in several]
    runs.sort(key=lambda r: r.seconds)
    print(f"{given.book}: {len(chosen)} statements, {len(runs)} runs of {len(scenarios)} scenarios", flush=True)
    left = [p for p in chosen if ledger.get(p) is None]
    mutants = [(p, ledger.before(p)) for p in left]
    for place, verdict in zip(left, spread(look, Shared(given.book, runs, until), mutants, given.jobs, given.cluster), strict=True):
        if verdict is not None:
            ledger.add(place, verdict)
    done = [(p, v) for p in chosen if (v := ledger.get(p)) is not None]
    if given.survivors:
        for place, verdict in done:
            if verdict.outcome in ("executed only", "never executed"):
                print(f"{verdict.outcome}: {place}")
    counts = Counter(v.outcome for _, v in done)
    print(", ".join(f"{outcome} {count}" for outcome, count in counts.most_common()))
    compiled = len(done) - counts["refused"]
    print(f"of {len(done)} statements {counts['refused']} are refused when taken away; of the other {compiled}, a result "
          f"changes without {counts['result']} ({counts['result'] / max(1, compiled):.1%})")
    print(f"not among them: {apart} that only state what holds of play (invariants, contracts, permissions and demands that no rule asks for)")
    if len(done) < len(chosen):
        print(f"not looked at yet: {len(chosen) - len(done)}")
        return NOT_FINISHED
    return 0 if counts["result"] >= given.at_least * compiled else 1


if __name__ == "__main__":
    sys.exit(main())
