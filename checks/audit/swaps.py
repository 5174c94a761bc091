"""Small changes of a rule that keep it a rule: two effects exchanged, one left out, one instead of each, tried instead of done, looked at at another time."""
from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import pairwise

from .edits import exchanged, is_whole_lines, respelt
from .gists import ALL, AS_FAR, CONDITION, EACH, ONE, ORDER, WHEN, Gists
from .record import Basis, Choice, Edit, Kind
from .rules import CHOICES, SILENT, Page, awaits, leaves, names_called, names_read, names_set

Found = Iterator[Choice | None]
"""A silent choice, or None for a place that a clause or a reading fixes."""


def choice(
    page: Page,
    kind: Kind,
    first: ast.expr | ast.stmt,
    code: str,
    instead: str,
    clauses: Sequence[str],
    edits: Sequence[Edit],
    last: int | None = None,
    basis: Basis | None = None,
) -> Choice:
    """The choice at a node. Where no other `basis` is given: no clause is marked, or none that says so."""
    end = last or first.end_lineno or first.lineno
    basis = basis or (Basis.NOT_SAID if clauses else Basis.UNMARKED)
    return Choice(
        kind, basis, page.source.file, page.rule.name, first.lineno, end, code, instead, tuple(clauses), tuple(edits)
    )


# ---------------------------------------------------------------- two effects exchanged
def orders(page: Page, gists: Gists) -> Found:
    """Neighbouring effects whose order no clause gives; the players in an order that is written out."""
    for block in page.blocks():
        for a, b in pairwise(block):
            if page.effect(a) and page.effect(b) and can_change_places(page, a, b):
                yield order(page, gists, a, b)
    yield from orders_of_rounds(page, gists)


def can_change_places(page: Page, a: ast.stmt, b: ast.stmt) -> bool:
    """Would the rule still mean something?"""
    if (
        leaves(a)
        or leaves(b)
        or not (is_whole_lines(page, a) and is_whole_lines(page, b))
        or ast.dump(a) == ast.dump(b)
    ):
        return False
    bound = names_set(a) | names_set(b)
    if set(names_called(a)) & SILENT or set(names_called(b)) & SILENT:
        return False
    return not (names_set(a) & (names_read(b) | names_set(b)) or names_set(b) & names_read(a)) or not bound


def order(page: Page, gists: Gists, a: ast.stmt, b: ast.stmt) -> Choice | None:
    """Do the clauses of two neighbours say which comes first?"""
    mine, theirs = page.own_clauses(a), page.own_clauses(b)
    around = page.nearest(page.above[id(a)])
    basis = ordered(gists, mine or around, theirs or around)
    if basis is None or page.asks_reading(a, b) or (mine and theirs and gists.asked(mine, theirs)):
        return None
    clauses = tuple(dict.fromkeys((*mine, *theirs, *around)))
    return choice(page, Kind.ORDER, a, page.text(a), page.text(b), clauses, swap(page, a, b), b.end_lineno, basis)


def swap(page: Page, a: ast.stmt, b: ast.stmt) -> list[Edit]:
    """The two exchanged; what the first is done to, or whether, is still what it was before both."""
    edit = exchanged(page, a, b)
    looked = a.iter if isinstance(a, ast.For) else a.test if isinstance(a, ast.If) else None
    if (
        looked is None
        or isinstance(looked, ast.Tuple)
        or not isinstance(b, ast.Expr | ast.Assign | ast.AugAssign)
        or not looks(page, looked)
    ):
        return [edit]
    indent, first = " " * a.col_offset, edit.lines[0]
    head = len(edit.lines) - (a.end_lineno or 0) + a.lineno - 1
    lines = [*edit.lines]
    lines[0] = f"{indent}as_it_was = {ast.unparse(looked)}; {first[a.col_offset:]}"
    if looked.end_lineno == a.lineno and looked.lineno == a.lineno:
        line = lines[head].encode()
        lines[head] = (line[: looked.col_offset] + b"as_it_was" + line[looked.end_col_offset or 0 :]).decode()
        return [Edit(edit.first, edit.last, tuple(lines))]
    return [edit]


def ordered(gists: Gists, mine: Sequence[str], theirs: Sequence[str]) -> Basis | None:
    """What clauses say of the order of what is marked with these and with those; None: that it is so."""
    if not mine and not theirs:
        return Basis.UNMARKED
    if not mine or not theirs:
        return Basis.APART
    steps = [said for x in mine for y in theirs if (said := gists.in_order(x, y)) is not None]
    if any(steps):
        return None
    if steps:
        return Basis.AGAINST
    shared = {c for x in mine for c in gists.line(x)} & set(theirs) | {c for x in theirs for c in gists.line(x)} & set(
        mine
    )
    if shared:
        return None if gists.says(shared, ORDER) else Basis.NOT_SAID
    return None if gists.says([*mine, *theirs], ORDER) and set(mine) & set(theirs) else Basis.APART


def orders_of_rounds(page: Page, gists: Gists) -> Found:
    """`for p in (FIRST, SECOND)`, and `for p in PLAYERS` or an `Enum`, which go as they are listed: what comes first?"""
    for node in ast.walk(page.rule):
        match node:
            case ast.For(iter=ast.Tuple(elts=[one, two]) as over):
                listed = [page.text(one), page.text(two)]
            case ast.For(iter=ast.Name(id=name) as over, body=body) if any(page.effect(s) for s in body):
                listed = page.written.listed.get(name, [])
            case _:
                continue
        if len(listed) < 2:
            continue
        clauses = page.clauses_at(node) or (page.own_clauses(node) if isinstance(node, ast.stmt) else ())
        if page.asks_reading(over, node) or gists.says(clauses, ORDER):
            yield None
            continue
        there, back = ", ".join(listed), ", ".join(reversed(listed))
        yield choice(
            page,
            Kind.ORDER,
            over,
            f"for … in ({there})",
            f"for … in ({back})",
            clauses,
            [respelt(page, over, f"({back})")],
        )


# ---------------------------------------------------------------- a duty left out
def duties(page: Page, gists: Gists) -> Found:
    """Effects that are done without anybody being asked, where a clause says that they may be done, or none says anything."""
    asks = page.written.asks_before(page.rule.name) or not page.written.callers.get(
        page.rule.name
    )  # what only texts call is done by their leave
    for block in page.blocks():
        for s in block:
            if (
                not isinstance(s, ast.Expr | ast.Assign | ast.AugAssign)
                or not page.effect(s)
                or not is_whole_lines(page, s)
            ):
                continue
            if names_set(s) or set(names_called(s)) & (SILENT | CHOICES) or keeps_account(s):
                continue
            own, clauses = page.marks.get(id(s), ()), page.own_clauses(s) or page.clauses_at(s)
            if not clauses:
                basis = Basis.UNMARKED
            elif not asks and own and gists.permits(own) and not page.written.asks_below(s):
                basis = Basis.AGAINST
            else:
                yield None
                continue
            if page.asks_reading(s):
                yield None
                continue
            yield choice(page, Kind.DUTY, s, page.text(s), "", clauses, [respelt(page, s, "pass")], basis=basis)


def keeps_account(s: ast.stmt) -> bool:
    """Does it only take something out of a container, or put it there? Play keeps track of what is under way like that."""
    return isinstance(s, ast.Expr) and isinstance(s.value, ast.Call) and isinstance(s.value.func, ast.Attribute)


# ---------------------------------------------------------------- each and one
def every(page: Page, gists: Gists) -> Found:
    """Something is done to all, or asked of all, where the marked clauses speak of no more than one, and the other way round."""
    for node in ast.walk(page.rule):
        match node:
            case ast.For(target=ast.Name() as name, iter=over, body=body) if not isinstance(over, ast.Tuple) and any(
                page.effect(s) for s in body
            ):
                if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "up_to":
                    continue
                clauses = page.own_clauses(node) or page.clauses_at(node)
                if gists.says(clauses, EACH) or page.asks_reading(over, node):
                    yield None
                    continue
                few = f"{{{name.id} for {name.id} in {page.text(over)} if len({page.text(over)}) < 2}}"
                yield choice(
                    page,
                    Kind.EACH,
                    over,
                    f"for {name.id} in {page.text(over)}",
                    "",
                    clauses,
                    [respelt(page, over, few)],
                )
            case ast.Call(func=ast.Name(id="any" | "all" as word) as func, args=[ast.GeneratorExp()]):
                clauses = page.clauses_at(node)
                here, there = (ONE, ALL) if word == "any" else (EACH, ONE)
                if (
                    not clauses
                    or gists.says(clauses, here)
                    or not gists.says(clauses, there)
                    or page.asks_reading(node, page.statement(node))
                ):
                    yield None
                    continue
                other = "all" if word == "any" else "any"
                yield choice(
                    page, Kind.EACH, node, page.text(node), other, clauses, [respelt(page, func, other)],
                    basis=Basis.AGAINST,
                )
            case _:
                pass


# ---------------------------------------------------------------- done and tried
def done(page: Page, gists: Gists) -> Found:
    """What follows only if something was done; as much as there is, instead of all or nothing."""
    for block in page.blocks():
        for k, s in enumerate(block):
            match s:
                case ast.Assign(
                    targets=[ast.Name(id=name)], value=ast.Await(value=ast.Call(func=ast.Name(id=called)))
                ) if called not in CHOICES:
                    for later in block[k + 1 :]:
                        if isinstance(later, ast.If) and isinstance(later.test, ast.Name) and later.test.id == name:
                            yield tried(page, gists, later, later.test)
                case _:
                    pass
    for node in ast.walk(page.rule):
        match node:
            case ast.Call(func=ast.Name(id="min"), args=[a, b]) if any("len" in names_called(x) for x in (a, b)):
                whole, there = (b, a) if "len" in names_called(a) else (a, b)
                clauses = page.clauses_at(node)
                if gists.says(clauses, AS_FAR) or page.asks_reading(node, page.statement(node)):
                    yield None
                    continue
                text = f"({page.text(whole)} if {page.text(whole)} <= {page.text(there)} else 0)"
                yield choice(
                    page,
                    Kind.DONE,
                    node,
                    page.text(node),
                    text,
                    clauses,
                    [respelt(page, node, text)],
                )
            case _:
                pass


def tried(page: Page, gists: Gists, s: ast.If, test: ast.expr) -> Choice | None:
    """Does a clause say that it depends on the other having been done?"""
    clauses = page.own_clauses(s) or page.clauses_at(s)
    if gists.says(clauses, CONDITION) or page.asks_reading(s):
        return None
    return choice(
        page,
        Kind.DONE,
        test,
        f"if {page.text(test)}",
        "",
        clauses,
        [respelt(page, test, "True")],
    )


# ---------------------------------------------------------------- then and now
def times(page: Page, gists: Gists) -> Found:
    """A value that was looked at before something could come between and is used behind it; one that is looked at only behind it."""
    if not page.is_async:
        return
    for block in page.blocks():
        for k, s in enumerate(block):
            match s:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if looks(page, value):
                    yield from used_later(page, gists, block[k + 1 :], s, name, value)
                case ast.If(test=test) if (
                    not awaits(test) and any(awaits(x) for x in block[:k]) and "g" in names_read(test)
                ):
                    yield looked_at_first(page, gists, block[:k], s, test)
                case _:
                    pass


def looks(page: Page, value: ast.expr) -> bool:
    """Is it something that is worked out from the state, and changes nothing?"""
    calls = [n for n in ast.walk(value) if isinstance(n, ast.Call)]
    return bool(calls) and not awaits(value) and "g" in names_read(value) and all(
        isinstance(c.func, ast.Name) and not page.written.does(c.func.id) for c in calls)


def used_later(page: Page, gists: Gists, rest: Sequence[ast.stmt], s: ast.Assign, name: str, value: ast.expr) -> Found:
    """Uses of a value behind what may change it."""
    between = False
    for later in rest:
        if name in names_set(later):
            return
        between |= awaits(later) and name not in names_read(later)
        uses = [n for n in ast.walk(later) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]
        if between and uses:
            clauses = page.nearest(s) or page.clauses_at(later)
            if gists.says(clauses, WHEN) or page.asks_reading(s, later):
                yield None
            else:
                yield choice(page, Kind.WHEN, s, page.text(s), page.text(later).splitlines()[0], clauses,
                             [respelt(page, uses[0], f"({page.text(value)})")], later.end_lineno)
            return
        between |= awaits(later)


def looked_at_first(page: Page, gists: Gists, before: Sequence[ast.stmt], s: ast.If, test: ast.expr) -> Choice | None:
    """A condition that is looked at behind what may change it."""
    opening = next(k for k, x in enumerate(before) if awaits(x))
    bound = {name for x in before[opening:] for name in names_set(x)}
    clauses = page.nearest(s)
    if (
        bound & names_read(test)
        or any(isinstance(n, ast.NamedExpr) for n in ast.walk(test))
        or not is_whole_lines(page, before[opening])
    ):
        return None
    if "is" in ast.unparse(test).split() or gists.says(clauses, WHEN) or page.asks_reading(s, test):
        return None
    first, line = before[opening], page.lines[before[opening].lineno - 1]
    indent = line[: first.col_offset]
    if not isinstance(first, ast.Expr | ast.Assign | ast.AugAssign | ast.Return):
        return None
    made = Edit(first.lineno, first.lineno, (f"{indent}as_it_was = {ast.unparse(test)}; {line[first.col_offset:]}",))
    return choice(page, Kind.WHEN, test, f"if {page.text(test)}", page.text(first).splitlines()[0], clauses,
                  [made, respelt(page, test, "as_it_was")])
