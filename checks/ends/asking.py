"""Questions about ways, with the facts that bear on them: leaving facts out only lets more happen."""
from __future__ import annotations

from collections.abc import Sequence

import z3

from ..smt import truths as t
from ..smt.truths import Truth
from .counting import Budget

WORK = 4_000_000
"""How much z3 may work on one question, in its own units."""
ASKED = 1_000_000
"""What it costs to put a question together, in the same units."""


class Asking:
    """Asks z3. `facts`: what is known of unknowns, whatever else is so."""

    def __init__(self, facts: Sequence[Truth], budget: Budget) -> None:
        self.all_facts, self.budget = facts, budget
        self.names: list[frozenset[str]] = []
        self.about: dict[str, list[int]] = {}
        self.known: dict[int, tuple[z3.ExprRef, frozenset[str]]] = {}
        self.questions = 0

    def names_in(self, e: z3.ExprRef) -> frozenset[str]:
        """The unknowns in a term."""
        kept = self.known.get(e.get_id())
        if kept is not None:
            return kept[1]
        out: set[str] = set()
        seen: set[int] = set()
        todo: list[z3.ExprRef] = [e]
        while todo:
            x = todo.pop()
            if x.get_id() in seen:
                continue
            seen.add(x.get_id())
            below = self.known.get(x.get_id())
            if below is not None:
                out |= below[1]
                continue
            if z3.is_app(x) and x.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                out.add(x.decl().name())
            todo += x.children()
        self.known[e.get_id()] = e, frozenset(out)
        return self.known[e.get_id()][1]

    def facts(self, about: Sequence[z3.ExprRef], limit: int) -> list[z3.BoolRef]:
        """The facts that bear on terms: of the first `limit`, and of the others those that speak of nothing else."""
        for k in range(len(self.names), len(self.all_facts)):
            mine = self.names_in(t.term(self.all_facts[k]))
            self.names.append(mine)
            for name in mine:
                self.about.setdefault(name, []).append(k)
        wanted = frozenset[str]().union(*map(self.names_in, about))
        seen, todo, chosen = set(wanted), list(wanted), set[int]()
        while todo:
            for k in self.about.get(todo.pop(), ()):
                if k not in chosen and (k < limit or self.names[k] <= seen):
                    chosen.add(k)
                    new = self.names[k] - seen
                    seen |= new
                    todo += new
        return [t.term(self.all_facts[k]) for k in sorted(chosen)]

    def ask(self, conditions: Sequence[Truth], limit: int) -> z3.ModelRef | str | None:
        """Values for which all holds; None if there are none; why that is not known. Raises TooMuch."""
        if any(c is False for c in conditions):
            return None
        asked = t.conjuncts(conditions)
        solver = z3.Solver()
        solver.add(*self.facts(asked, limit), *asked)
        self.questions += 1
        found = check(solver, self.budget)
        if found == z3.unknown:
            return solver.reason_unknown() or "unknown"
        return solver.model() if found == z3.sat else None


def check(solver: z3.Solver, budget: Budget) -> z3.CheckSatResult:
    """z3's answer, as far as it comes to one. Raises TooMuch."""
    before = work_of(solver)
    solver.set("rlimit", WORK)
    found = solver.check()
    budget.spend(ASKED + work_of(solver) - before)
    return found


def work_of(solver: z3.Solver) -> int:
    """How much z3 has worked in this process."""
    count = solver.statistics().get_key_value("rlimit count")
    assert isinstance(count, int)
    return count
