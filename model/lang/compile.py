"""From the sources of a book and a world to a program."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from ...spec.diagnostics import Collector, Diagnostic, Position, nearest
from ...spec.text import Text
from ..ir import types as t
from ..ir.flow import endless_calls, mark_calls, unassigned
from ..ir.footprints import Footprints
from ..ir.program import ContractInfo, Layout, NormInfo, Program, VerdictInfo
from ..ir.tidy import tidy
from ..ir.verify import Verified, verify
from .declare import declare
from .functions import make_event, make_question, make_switch, settling, translate
from .linking import drop_unread, linked, with_slots
from .passes import hoist_static_tests, insert_consults, insert_settling, remove_unreachable, set_aside, shifting_loops
from .scope import Scope, check_marks
from .signatures import MADE_FOR_USE, RuleDecl
from .source import Refused
from .world import Rulebook, World


@dataclass(frozen=True)
class Translated:
    """A book translated for a world, whatever the answers to its readings: its program; the situations that are looked at after effects,
    those that are carried out at once and the guards of those that somebody orders; what is read and written; what was verified."""

    program: Program
    at_once: tuple[str, ...]
    guards: tuple[str, ...]
    prints: Footprints
    verified: Verified


def compile_book(book: Rulebook, world: World, entry: str, keep_unread: bool = False) -> Program:
    """Compile a book for a world, beginning with the entry point (or procedure) named `entry`.

    `keep_unread`: keep time stamps that no rule reads (to test that leaving them out is unobservable).
    Raises BadInput with every error found.
    """
    return link(translate_book(book, world, entry), book, world, keep_unread)


def translate_book(book: Rulebook, world: World, entry: str) -> Translated:
    """The part of compiling that no answer to a reading changes. Raises BadInput with every error found."""
    scope = Scope(book, world, Collector())
    check_readings(book, world, scope.collector)
    program = translated(scope, entry)
    scope.collector.raise_if_any()
    assert program is not None
    verified = Verified()
    verify(program, verified)
    check_loops(program)  # as written; again when it is linked, with situations in it
    situations = situations_of(scope)
    return Translated(
        program, tuple(r.name for r in situations if not r.is_async and matters(scope, r)),
        tuple(f"when {r.name}" for r in situations if r.is_async), Footprints(program), verified)


def link(translation: Translated, book: Rulebook, world: World, keep_unread: bool = False) -> Program:
    """The program under the world's answers to the readings of the book, after all passes. Raises BadInput."""
    collector = Collector()
    check_readings(book, world, collector)
    collector.raise_if_any()
    answers = {
        name: r.number(world.readings.get(name, r.default))
        for name, r in book.readings.items()
        if name not in world.branching
    }
    program = linked(
        with_slots(translation.program, {name: book.readings[name].alternatives for name in sorted(world.branching)}),
        answers,
    )
    verified = replace(translation.verified, functions=dict(translation.verified.functions))
    verify(program, verified)
    passed(program, verified, set_aside, hoist_static_tests, *(() if keep_unread else (drop_unread,)),
           lambda p: insert_settling(p, translation.at_once, translation.guards, translation.prints))
    check_loops(program)
    passed(program, verified, insert_consults, remove_unreachable, tidy, mark_calls)
    return program


def check_readings(book: Rulebook, world: World, report: Collector) -> None:
    """The readings that a world answers or branches over exist, and that can be done."""
    book.check_answers(world.readings, report)
    for name in sorted(world.branching):
        r = book.readings.get(name)
        if r is None:
            report.add(book.unknown_reading(name))
        elif r.numbers is not None:
            report.add(Diagnostic(
                None,
                "numeric-reading",
                Text(
                    ja=f"解釈 `{name}` は数なので、すべてを試すことはできません",
                    en=f"the reading `{name}` is a number: it cannot be branched over",
                ),
                Text(ja="調べたい数を一つ選んでください", en="choose one number"),
                name,
            ))


def layout_of(book: Rulebook, world: World) -> Layout:
    """The layout of the book's state in a world, without its rules. Raises BadInput."""
    return declared(book, world).layout


def entries_of(book: Rulebook, world: World) -> tuple[str, ...]:
    """Where a scenario of the book can begin, in the order of the book. Raises BadInput."""
    return tuple(r.entry for r in declared(book, world).d.rules.values() if r.entry)


def declared(book: Rulebook, world: World) -> Scope:
    """What the modules declare. Raises BadInput."""
    scope = Scope(book, world, Collector())
    declare(book.sources, world, scope.collector, scope.lay_out)
    scope.collector.raise_if_any()
    return scope


def passed(program: Program, verified: Verified, *passes: Callable[[Program], object]) -> None:
    """The program after these passes; what each leaves is verified."""
    for one in passes:
        one(program)
        verify(program, verified)


MAKE: dict[str, Callable[[Scope, str], None]] = {
    "rule": translate,
    "event": make_event,
    "question": make_question,
    "switch": make_switch,
}
"""How a function of each kind is made that was asked for."""


def drain(scope: Scope) -> None:
    """Make the functions that are asked for."""
    while scope.pending:
        kind, what = scope.pending.pop(0)
        with suppress(Refused):
            MAKE[kind](scope, what)


def translated(scope: Scope, entry: str) -> Program | None:
    """Every rule of the book, and the texts of the cards, as functions; None if something is wrong."""
    declare(scope.book.sources, scope.world, scope.collector, scope.lay_out)
    if not scope.d.state_class:
        scope.collector.add(
            Diagnostic(
                Position(scope.book.sources[0].file if scope.book.sources else scope.book.name, 1, 1),
                "no-state",
                Text(ja="状態のクラス（State）がありません", en="the book has no state class"),
                Text(ja="`class Game(State):` を書いてください", en="write `class Game(State):`"),
                None,
            )
        )
        return None
    scope.facts.check()
    for source in scope.book.sources:
        check_marks(scope, source)
    scope.policy = next((r for r in scope.d.rules.values() if r.kind == "trigger_policy"), None)
    start = entry_point(scope, entry)
    for r in list(scope.d.rules.values()):  # everything in the book is translated, so that everything is checked
        if not r.is_pattern and not (r.of_kernel and r.kind in MADE_FOR_USE):
            scope.need(r.name)
    drain(scope)
    settling(scope, situations_of(scope))
    drain(scope)
    check_flow(scope)
    check_patterns(scope)
    for r in [scope.d.rules[name] for kind, name in sorted(scope.asked) if kind == "rule"]:
        if not r.expanded and r.name not in scope.functions and not scope.collector.diagnostics:
            r.reporter.refuse(
                r.node, "lost", f"`{r.name}` could not be read, and the reason got lost: a defect of Rulewright",
                f"`{r.name}` を読めませんでした（理由を示せないのは Rulewright の不備です）",
                ("please report it, with this rule", "この規則を添えて報告してください"))
    if scope.collector.diagnostics or start is None:
        return None
    return Program(
        scope.book.name,
        scope.layout,
        scope.functions,
        scope.tables,
        start,
        scope.d.cause,
        {},
        {},
        frozenset(scope.consulted),
        tuple(r.name for r in scope.d.rules.values() if r.kind == "invariant"),
        verdicts(scope),
        scope.world.stack_depth,
        norms(scope),
        stated(scope, ("expects", "ensures")),
        stated(scope, ("decreases",)),
        known_as={r.known_as: r.name for r in scope.d.rules.values() if r.known_as},
    )


def check_loops(program: Program) -> None:
    """Nothing changes which entries there are while they are gone through. Raises BadInput."""
    collector = Collector()
    collector.add_all(
        Diagnostic(
            Position(at.file or program.book, max(1, at.line), max(1, at.column)),
            "loop-over-entries",
            Text(
                ja=f"`{name}` の要素を順に処理している途中で、ここで `{name}` の要素が変わりえます",
                en=f"the entries of `{name}` are gone through, and this may change which there are",
            ),
            Text(
                ja="残っている間、一つずつ選ばせるか、`with simultaneously():` と書いてください",
                en="let somebody choose one at a time while there are any, or write `with simultaneously():`",
            ),
        )
        for at, name in shifting_loops(program))
    collector.raise_if_any()


def situations_of(scope: Scope) -> list[RuleDecl]:
    """The situations of the book, in its order."""
    return [r for r in scope.d.rules.values() if r.kind == "situation"]


def entry_point(scope: Scope, entry: str) -> str | None:
    by_name = {r.entry: r.name for r in scope.d.rules.values() if r.entry}
    name = by_name.get(entry, entry)
    rule = scope.d.rules.get(name)
    if rule is None or not rule.is_async or rule.params:
        known = sorted(by_name) or sorted(
            r.name for r in scope.d.rules.values() if r.kind == "procedure" and not r.params
        )
        near = nearest(entry, known)
        scope.collector.add(
            Diagnostic(
                None,
                "no-such-entry",
                Text(ja=f"`{entry}` から始めることはできません", en=f"a game cannot begin with `{entry}`"),
                Text(
                    ja=f"`{near}` ではありませんか" if near else "始められるのは: " + ", ".join(known),
                    en=f"did you mean `{near}`?" if near else "it can begin with: " + ", ".join(known),
                ),
                entry,
            )
        )
        return None
    return name


def matters(scope: Scope, rule: RuleDecl) -> bool:
    """A situation about state triggers is dropped where no card has one."""
    asks = any(isinstance(n, ast.Name) and n.id == "state_holds" for n in rule.reporter.source.nodes(rule.node))
    return not asks or bool(scope.abilities.having("state_holds"))


def check_patterns(scope: Scope) -> None:
    """A rule of the book that takes rules is used, or else nothing in it was looked at."""
    used = {r.base for r in scope.d.rules.values() if r.name != r.base}
    for r in scope.d.rules.values():
        if r.is_pattern and not r.of_kernel and r.base not in used and not scope.collector.diagnostics:
            r.reporter.refuse(
                r.node, "pattern-unused",
                f"`{r.base}` is given rules, and nobody uses it: so nothing in it can be checked",
                f"`{r.base}` は規則を渡されて使われるものですが、どこからも使われていないので、調べられません", ("use it, or drop it", "使うか、取り除いてください"))


def check_flow(scope: Scope) -> None:
    """Defines and steps come to an end, and no local is read before it has a value."""
    for chain in endless_calls(scope.functions):
        rule = next((scope.d.rules[n] for n in chain if n in scope.d.rules), None)
        way = " → ".join(n.partition("[")[0] for n in chain)
        at = None if rule is None else rule.reporter.source.position(rule.node)
        scope.collector.add(
            Diagnostic(
                at or Position(scope.book.name, 1, 1),
                "recursion",
                Text(
                    ja=f"`{way.partition(' ')[0]}` が自分自身を使っています（{way}）。終わらないおそれがあります",
                    en=f"`{way.partition(' ')[0]}` uses itself ({way}), and might never come to an end",
                ),
                Text(
                    ja="手順（@procedure）なら自分自身を呼べます。集合を順に調べるだけなら for か any/all/sum を使ってください",
                    en="a @procedure may call itself; to go through a set, use `for`, or any/all/sum",
                ),
            )
        )
    for f in scope.functions.values():
        for x, pc in unassigned(f).items():
            m, name = f.code[pc].at, f.locals[x].name
            scope.collector.add(
                Diagnostic(
                    Position(m.file or scope.book.name, max(1, m.line), max(1, m.column)),
                    "maybe-unset",
                    Text(ja=f"`{name}` に値が入っていない場合があります", en=f"`{name}` may have no value here"),
                    Text(
                        ja=f"先に `{name} = …` と書いてください",
                        en=f"write `{name} = …` first, for the other cases",
                    ),
                    name,
                )
            )


def stated(scope: Scope, kinds: tuple[str, ...]) -> tuple[ContractInfo, ...]:
    """What is stated of procedures that this world has."""
    made = {fn.rule for fn in scope.functions.values()}
    return tuple(ContractInfo(r.name, r.kind, r.subject) for r in scope.d.rules.values()
                 if r.kind in kinds and r.name in scope.functions and r.subject in made)


# ---------------------------------------------------------------- verdicts and norms
def norms(scope: Scope) -> tuple[NormInfo, ...]:
    return tuple(
        NormInfo(r.name, r.kind, r.subject, (), frozenset(b for a, b in scope.d.rankings if a == r.kind))
        for r in scope.d.rules.values() if r.kind in ("permits", "forbids", "requires") and r.name in scope.functions)


def verdicts(scope: Scope) -> tuple[VerdictInfo, ...]:
    return tuple(
        VerdictInfo(
            r.name,
            r.subject,
            r.result,
            r.params[0][1] if r.params else t.NOTHING,
            (),
            frozenset(b for a, b in scope.d.rankings if a == r.name),
        )
        for r in scope.d.rules.values()
        if r.kind == "verdict" and r.name in scope.functions
    )
