"""What a rule settles by itself: who decides, who is meant, what happens otherwise, which number, what else has to hold."""
from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from .edits import respelt
from .gists import CONDITION, ELSE, OTHER, OWNER, PERSON, TURN, Gists
from .record import Basis, Choice, Edit, Kind
from .rules import CHOICES, SILENT, Page, names_called
from .swaps import Found, choice

SEATS = {"FIRST": "SECOND", "SECOND": "FIRST"}
WHOSE = frozenset({"who", "by", "first", "chooser", "decider"})
"""Parameters that say who decides or begins."""
NOTHING = frozenset({"None", "False", "0", "set()"})
"""What is so otherwise where nothing is."""
FEW = 2
"""The smallest number that a clause is expected to state."""


# ---------------------------------------------------------------- who decides
def deciders(page: Page, gists: Gists) -> Found:
    """Who is asked, and who is told to begin."""
    for node in ast.walk(page.rule):
        match node:
            case ast.Call(func=ast.Name(id=word), args=[who, *_]) if word in CHOICES:
                yield decider(page, gists, node, who)
            case ast.Call(func=ast.Name(id=name)) if name not in CHOICES:
                for who in told_who(page, node, name):
                    yield decider(page, gists, node, who)
            case _:
                pass


def told_who(page: Page, call: ast.Call, name: str) -> Iterator[ast.expr]:
    """The arguments that say who decides or begins: by their names, or to rules that books share."""
    yield from (k.value for k in call.keywords if k.arg in WHOSE and not isinstance(k.value, ast.Name))
    source, rule = page.written.rules.get(name, (None, None))
    if source is not None and rule is not None and source.kernel:
        parameters = [a.arg for a in rule.args.args]
        for parameter, value in zip(parameters, call.args, strict=False):
            if parameter in WHOSE and not isinstance(value, ast.Name):
                yield value


def decider(page: Page, gists: Gists, call: ast.Call, who: ast.expr) -> Choice | None:
    """Does a clause say who it is?"""
    meant = where_from(page, who)
    statement = page.statement(call)
    if any(n in ("OPEN", "reading") for n in names_called(who) + names_called(meant)) or page.asks_reading(call):
        return None
    clauses = page.marks.get(id(statement), ()) or page.clauses_at(call)
    role = role_of(meant)
    turn, rest = gists.says(clauses, TURN), gists.says(clauses, OTHER)
    if not clauses:
        basis = Basis.UNMARKED
    elif (
        (role == "turn" and rest and not turn)
        or (role == "other" and turn and not rest)
        or (role != "owner" and gists.says(clauses, OWNER) and not turn and not rest)
    ):
        basis = Basis.AGAINST
    elif role and not gists.names(clauses, {"owner": OWNER, "other": OTHER}.get(role, PERSON)):
        basis = Basis.NOT_SAID
    else:
        return None
    return choice(page, Kind.DECIDER, who, page.text(statement).splitlines()[0], page.text(who), clauses,
                  [respelt(page, who, f"other({page.text(who)})")], basis=basis)


def where_from(page: Page, who: ast.expr) -> ast.expr:
    """What a name stands for, where it is set once in the rule."""
    if isinstance(who, ast.Name) and who.id not in page.parameters:
        values = [
            n.value
            for n in ast.walk(page.rule)
            if isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id == who.id for t in n.targets)
        ]
        if len(values) == 1:
            return values[0]
    return who


def role_of(who: ast.expr) -> str:
    """`turn`, `other`, `owner`, or nothing that the words of a clause could contradict."""
    text = ast.unparse(who)
    if text == "g.turn_player":
        return "turn"
    if text.startswith("other("):
        return "other"
    return "owner" if text.startswith("owner(") else ""


# ---------------------------------------------------------------- a player where none is named
def players(page: Page, gists: Gists) -> Found:
    """The players by their seats, and a player where there may be none."""
    for s in (
        n
        for n in ast.walk(page.rule)
        if isinstance(n, ast.stmt) and not isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
    ):
        if not isinstance(s, ast.Expr | ast.Assign | ast.AugAssign | ast.Return):
            continue
        seats = [n for n in ast.walk(s) if isinstance(n, ast.Name) and n.id in SEATS]
        if seats and not both_named(page, s) and s.end_lineno == s.lineno:
            clauses = page.marks.get(id(s), ()) or page.clauses_at(s)
            if page.asks_reading(s) or gists.says(clauses, PERSON):
                yield None
                continue
            line = page.lines[s.lineno - 1].encode()
            for n in sorted(seats, key=lambda n: -n.col_offset):
                line = line[: n.col_offset] + SEATS[n.id].encode() + line[n.end_col_offset or 0 :]
            edit = respelt(page, s, line.decode()[s.col_offset : ].split("  #:")[0])
            yield choice(
                page,
                Kind.DEFAULT_PLAYER,
                s,
                page.text(s),
                "FIRST ⇄ SECOND",
                clauses,
                [edit],
            )
    for node in ast.walk(page.rule):
        match node:
            case ast.BoolOp(op=ast.Or(), values=[*_, last]) if is_player(last) and "OPEN" not in names_called(node):
                clauses = page.clauses_at(node)
                if page.asks_reading(node):
                    yield None
                    continue
                yield choice(
                    page,
                    Kind.DEFAULT_PLAYER,
                    last,
                    page.text(node),
                    page.text(last),
                    clauses,
                    [respelt(page, last, f"other({page.text(last)})")],
                )
            case _:
                pass


def both_named(page: Page, s: ast.stmt) -> bool:
    """Does the rule do the same for the other seat?"""
    names = {n.id for n in ast.walk(page.rule) if isinstance(n, ast.Name)}
    return names >= SEATS.keys() and any(
        same_but_for_seats(s, other) for block in page.blocks() for other in block if other is not s)


def same_but_for_seats(one: ast.stmt, other: ast.stmt) -> bool:
    """Are they called alike, with the seats exchanged?"""
    def plain(s: ast.stmt) -> str:
        return ast.dump(getattr(s, "value", None) or s)

    return plain(one).replace("'FIRST'", "'*'").replace("'SECOND'", "'FIRST'").replace("'*'", "'SECOND'") == plain(
        other
    )


def is_player(node: ast.expr) -> bool:
    text = ast.unparse(node)
    return text in (*SEATS, "g.turn_player", "other(g.turn_player)", "me", "you", "p") or text.startswith("owner(")


# ---------------------------------------------------------------- otherwise
def fallbacks(page: Page, gists: Gists) -> Found:
    """What happens otherwise, or where there is nothing, with no clause marked at it."""
    for node in ast.walk(page.rule):
        match node:
            case ast.If(test=test, orelse=[first, *_] as rest) if not isinstance(first, ast.If):
                yield otherwise(page, gists, rest, "else", test)
            case ast.If(test=test, body=[ast.Return() | ast.Pass() as only], orelse=[]) if not was_asked(page, test):
                yield otherwise(page, gists, [only], f"if {page.text(test)}", test)
            case ast.match_case(pattern=ast.MatchAs(pattern=None), body=[first, *_] as rest):
                yield otherwise(page, gists, rest, "case _", first)
            case ast.IfExp(test=test, orelse=last) if (
                not isinstance(last, ast.IfExp) and ast.unparse(last) not in NOTHING
            ):
                s = page.statement(node)
                clauses = page.marks.get(id(s), ())
                if (clauses and (gists.says(clauses, ELSE) or len(clauses) > 1)) or page.asks_reading(node, s):
                    yield None
                    continue
                yield choice(
                    page,
                    Kind.FALLBACK,
                    last,
                    page.text(node),
                    page.text(last),
                    clauses or page.clauses_at(s),
                    [respelt(page, test, "True")],
                )
            case ast.Call(keywords=[*_, ast.keyword(arg="default", value=value)]):
                s = page.statement(node)
                clauses = page.marks.get(id(s), ()) or page.clauses_at(s)
                if gists.says(clauses, ELSE) or page.asks_reading(node, s):
                    yield None
                    continue
                yield choice(
                    page,
                    Kind.FALLBACK,
                    value,
                    page.text(node),
                    page.text(value),
                    clauses,
                    [respelt(page, value, f"({page.text(value)}) + 1")],
                )
            case _:
                pass


def was_asked(page: Page, test: ast.expr) -> bool:
    """Is it only what somebody has answered just now?"""
    answers = {
        t.id
        for n in ast.walk(page.rule)
        if isinstance(n, ast.Assign) and isinstance(n.value, ast.Await)
        for t in n.targets
        if isinstance(t, ast.Name)
    }
    if any(isinstance(n, ast.Name) and n.id in answers for n in ast.walk(test)):
        return True
    return any(isinstance(n, ast.Await) for n in ast.walk(test)) or "is" in ast.unparse(test).split()


def otherwise(page: Page, gists: Gists, rest: Sequence[ast.stmt], head: str, test: ast.AST) -> Choice | None:
    """Is a clause marked at what is done otherwise?"""
    first, last = rest[0], rest[-1]
    marked = [c for s in rest for node in ast.walk(s) for c in page.marks.get(id(node), ())]
    below = [c for s in rest for c in page.own_clauses(s)]
    names = {n for s in rest for n in names_called(s)}
    around = page.nearest(page.above[id(first)]) if id(first) in page.above else ()
    if (
        marked
        or below
        or names & (SILENT | {"OPEN", "reading", "conflict"})
        or page.asks_reading(*rest)
        or "reading" in names_called(test)
    ):
        return None
    if (
        around
        and not isinstance(first, ast.Pass)
        and (gists.says(around, ELSE) or (not page.marks and gists.says(around, CONDITION)))
    ):
        return None  # but that nothing happens is written down for its own sake
    clauses = around or page.clauses_at(first)
    code = "\n".join(page.text(s) for s in rest)
    return choice(
        page, Kind.FALLBACK, first, f"{head}:\n{code}", "", clauses, silent(page, gists, first), last.end_lineno
    )


def silent(page: Page, gists: Gists, first: ast.stmt) -> list[Edit]:
    """The rules say nothing there; where a rule only looks, the other answer."""
    match first:
        case ast.Return(value=ast.Constant(value=bool() as now)):
            return [respelt(page, first, f"return {not now}")]
        case _ if page.written.kind(page.rule.name) not in ("step", "procedure", "action") or (
            isinstance(first, ast.Return) and first.value and not page.is_async
        ):
            return []
        case ast.Return() | ast.Pass() | ast.Expr() | ast.Assign() | ast.AugAssign() if (
            first.lineno == first.end_lineno
        ):
            return [respelt(page, first, f'gap("{next(iter(gists.clauses))}")')]
        case _:
            return []


# ---------------------------------------------------------------- numbers
def constants(page: Page, gists: Gists) -> Found:
    """Numbers that no marked clause states."""
    for node in ast.walk(page.rule):
        match node:
            case ast.Constant(value=int() as number) if not isinstance(number, bool) and abs(number) >= FEW:
                s = page.statement(node)
                if isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef):
                    continue
                clauses = page.marks.get(id(s), ()) or page.clauses_at(s) or page.own_clauses(s)
                if gists.states(clauses, number) or page.asks_reading(s):
                    yield None
                    continue
                yield choice(
                    page,
                    Kind.CONSTANT,
                    node,
                    page.text(s).splitlines()[0],
                    str(number),
                    clauses,
                    [respelt(page, node, str(number + 1))],
                )
            case _:
                pass


# ---------------------------------------------------------------- what else has to hold
def conditions(page: Page, gists: Gists) -> Found:
    """Conditions of effects and of what may be done with no clause marked, part by part."""
    for node in ast.walk(page.rule):
        match node:
            case ast.If(test=test, orelse=[]) if any(page.effect(s) for s in node.body):
                tests = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
                clauses = page.own_clauses(node) or page.clauses_at(node)
                yield from (condition(page, gists, node, t, clauses) for t in tests)
            case ast.Return(value=ast.BoolOp(op=ast.And(), values=tests)) if not (clauses := page.clauses_at(node)):
                yield from (condition(page, gists, node, t, clauses) for t in tests)
            case _:
                pass


def condition(page: Page, gists: Gists, s: ast.stmt, test: ast.expr, clauses: Sequence[str]) -> Choice | None:
    """Does a marked clause speak of a condition, or ask a rule that has a mark of its own?"""
    below = [c for name in names_called(test) for c in page.written.clauses_below(name)]
    if (
        below
        or gists.says(clauses, CONDITION)
        or page.asks_reading(test, s)
        or any(isinstance(n, ast.Await) for n in ast.walk(test))
    ):
        return None
    if isinstance(test, ast.Name) or "is" in ast.unparse(test).split():  # what was asked just before; whether something is still there
        return None
    return choice(
        page,
        Kind.CONDITION,
        test,
        page.text(test),
        page.text(s).splitlines()[0],
        clauses,
        [respelt(page, test, "True")],
    )

