"""Whatever is written, the front end answers with a program or with messages; and what compiles can be played."""
from __future__ import annotations

import ast
import copy
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.ir.program import Program
from rulewright.spec.diagnostics import BadInput

from .programs import CLAUSES, cards_of, compiled, world_of

HERE = Path(__file__).parent
FOLDERS = (HERE / "good", HERE / "bad", HERE.parent / "engine" / "toys")
PROGRAMS = [p.read_text(encoding="utf-8") for folder in FOLDERS for p in sorted(folder.glob("*.py"))]
RULES = (HERE / "bad" / "cards" / "rules.py").read_text(encoding="utf-8")
STRAY = ["None", "True", "0", "7", "g", "FIRST", "set()", "CARDS", "x", "g.turn", "g.hand", "other", "(1, 2)", "lambda: 0",
         "await may(g.turn)", "choose(g.turn, PLAYERS)", "[]", "'text'", "-1", "{*g}", "g[0]", "1.5", "...", "g.hand[FIRST]"]
NAMES = ["g", "p", "card", "put", "choose", "FIRST", "Set", "Card", "main", "Range", "finish", "int", "None_", "State", "event"]
edits = st.lists(st.tuples(st.sampled_from(["swap", "drop", "stray", "name", "line", "cut", "double", "rehead"]),
                           st.integers(0, 10_000), st.integers(0, 10_000)), min_size=1, max_size=4)


def mutated(text: str, changes: list[tuple[str, int, int]]) -> str:
    """The program with some places changed, as a careless writer might."""
    for kind, a, b in changes:
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            return text
        exprs = [n for n in ast.walk(tree) if isinstance(n, ast.expr)]
        bodies = [n.body for n in ast.walk(tree) if isinstance(getattr(n, "body", None), list)]
        names = [n for n in ast.walk(tree) if isinstance(n, ast.Name | ast.Attribute)]
        match kind:
            case "swap":
                replace(tree, exprs[a % len(exprs)], copy.deepcopy(exprs[b % len(exprs)]))
            case "stray":
                replace(tree, exprs[a % len(exprs)], ast.parse(STRAY[b % len(STRAY)], mode="eval").body)
            case "name" if names:
                n, new = names[a % len(names)], NAMES[b % len(NAMES)]
                if isinstance(n, ast.Name):
                    n.id = new
                else:
                    n.attr = new
            case "drop" | "double":
                body = bodies[a % len(bodies)]
                if len(body) > 1:
                    k = b % len(body)
                    body[k:k + 1] = [] if kind == "drop" else [body[k], copy.deepcopy(body[k])]
            case "rehead":
                one, two = bodies[a % len(bodies)], bodies[b % len(bodies)]
                if one and two and all(two is not x for s in one for x in [getattr(s, "body", None)]):
                    one.append(copy.deepcopy(two[-1]))
            case _:
                lines = text.split("\n")
                k = a % len(lines)
                text = "\n".join(lines[:k] + ([lines[b % len(lines)]] if kind == "line" else [lines[k][:b % (len(lines[k]) + 1)]])
                                 + lines[k + 1:])
                continue
        try:
            text = ast.unparse(tree)
        except (ValueError, RecursionError, TypeError, AttributeError):
            return text
    return text


def replace(tree: ast.AST, old: ast.expr, new: ast.expr) -> None:
    """Put one expression in place of another."""
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if value is old:
                setattr(node, name, new)
                return
            if isinstance(value, list) and any(x is old for x in value):
                value[[x is old for x in value].index(True)] = new
                return


def played(program: Program, states: int = 60) -> None:
    """Some of what can be reached; nothing but an end of play may stop it."""
    engine = Interpreter(program)
    todo = [engine.start().state]
    seen = set(todo)
    while todo and len(seen) < states:
        state = todo.pop()
        at = engine.point(state)
        for option in at.options[:6] if at is not None else ():
            after = engine.apply(state, option).state
            if after not in seen:
                seen.add(after)
                todo.append(after)


def accepted(text: str, **how: object) -> None:
    """Compile, and play what compiles."""
    try:
        program = compiled(text, **how)  # pyright: ignore[reportArgumentType]
    except BadInput as e:
        assert e.render("ja") and e.render("en")
        return
    played(program)


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(PROGRAMS), edits)
def test_changed_programs_never_crash_the_front_end(text: str, changes: list[tuple[str, int, int]]) -> None:
    accepted(mutated(text, changes), clauses=CLAUSES)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(edits)
@example([("swap", 4, 563)])
def test_changed_rules_with_cards_never_crash_the_front_end(changes: list[tuple[str, int, int]]) -> None:
    world = world_of(cards_of(HERE / "cards.yaml"))
    accepted(mutated(RULES, changes), clauses=CLAUSES, world=world)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=200))
def test_any_text_is_answered(text: str) -> None:
    accepted(text)
