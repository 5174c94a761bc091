"""What the translation of a rule asks of the world it is translated for; where a rule gets the answers it got before, its
functions are those it was given then.

Scenarios differ in cards, capacities and readings, and most rules ask about few of these. Whatever can be another in another
world is asked for through `Asked` and `DeclarationsAsked`, and noted with its answer; what they share with every world of the
book (its classes, constants, where names are declared) is fixed by its text. A question may also do something: need another
rule, make a table. To find out whether a rule was translated before, what it asked is asked again, in the same order. As long as
the answers are the same, translating would ask the same next, so nothing is done that translating would not do.
Whatever else is looked at cannot be told, and then nothing is kept for later (`spoil`).
How many members a type has is a question too (`looked_at`): most rules speak of cards and never ask how many there are. So what
came of a rule where there were six cards is taken where there are nine, with the types that are here (`types_here.py`).
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from ..ir import types as t
from ..ir.places import Fields, Keyed, PlaceNode
from ..ir.program import ContainerInfo, Function, ZoneInfo
from .declarations import Declarations
from .declare import Outline
from .kinds import RuleDecl
from .patterns import NO_TYPES, Cited, Given, Types, name_made
from .source import Reporter
from .types_here import FunctionTranslated, Shape, TypesHere, counted_in

if TYPE_CHECKING:
    from .book import Rulebook
    from .compile import Compiler

Question = tuple[str, Hashable]
"""What is asked for, and of what."""


# ---------------------------------------------------------------- what was translated before
@dataclass(frozen=True)
class Translated:
    """The functions that translating a rule gave, and those of their types that have as many members as a scenario lists."""

    functions: tuple[FunctionTranslated, ...]
    counted: tuple[Shape, ...]
    of_numbers: dict[tuple[int, ...], tuple[FunctionTranslated, ...]]
    """The same functions with the types of each world that there was, by the numbers of these types."""

    def again(self, here: TypesHere) -> Iterator[Function]:
        """The functions, with the types that are here."""
        which = here.numbers(self.counted)
        found = self.of_numbers.get(which)
        if found is None:
            found = self.of_numbers[which] = tuple(here.function(f) for f in self.functions)
        for name, kind, arity, of_locals, code, result, handlers, scope in found:
            yield Function(name, kind, arity, of_locals, code, result, handlers, scope)


def as_translated(functions: Sequence[Function], here: TypesHere) -> Translated:
    made: tuple[FunctionTranslated, ...] = tuple(
        (f.name, f.kind, f.arity, tuple(f.locals), tuple(f.code), f.result, tuple(f.handlers), f.scope) for f in functions)
    counted = tuple({shape: None for f in made for shape in counted_in(f)})
    return Translated(made, counted, {here.numbers(counted): made})


@dataclass
class Next:
    """What a rule asks next, and how it goes on with each answer (both by their numbers)."""

    question: int
    ways: dict[int, Next | Translated] = field(default_factory=dict[int, "Next | Translated"])


class Earlier:
    """The rules of one book as they were translated for other worlds."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.outline = Outline()
        self.ways: dict[str, Next | Translated] = {}
        """By rule."""
        self.questions: dict[Question, int] = {}
        """The number of each question."""
        self.asked: list[Question] = []
        """Each question at its number."""
        self.numbers: dict[Hashable, int] = {}
        """Of answers without how many members their types have: equal ones have the same."""
        self.said: dict[Hashable, int] = {}
        """The same number for what was answered just so."""
        self.marked_well: set[tuple[str, frozenset[str]]] = set()
        """Modules in which nothing is wrong with clause marks, with those of the rules they pass that there were."""
        self.reused = self.fresh = 0
        """Rules that were found here, and that were not."""

    def number(self, answer: Hashable) -> int:
        return self.numbers.setdefault(answer, len(self.numbers))

    def question(self, question: Question) -> int:
        """The number of a question."""
        number = self.questions.setdefault(question, len(self.asked))
        if number == len(self.asked):
            self.asked.append(question)
        return number

    def number_of_answer(self, answer: Any, here: TypesHere) -> int:
        """The number of an answer to somebody who asks for the members of types by themselves."""
        said = said_of(answer)
        number = self.said.get(said)
        if number is None:
            number = self.said[said] = self.number(here.without_numbers(said))
        return number

    def keep(self, rule: str, noted: Mapping[int, int], found: Translated) -> None:
        """What a rule asked, with what number it was answered, and what came of it."""
        here: dict[Any, Next | Translated] = self.ways
        way: Hashable = rule
        for question, number in noted.items():
            then = here.setdefault(way, Next(question))
            assert isinstance(then, Next) and then.question == question, (rule, self.asked[question])
            here, way = then.ways, number
        here[way] = found


# ---------------------------------------------------------------- asking
@dataclass(frozen=True)
class Made:
    """A rule that is made of another; its name says of what."""

    rule: str
    name: str
    shapes: Hashable
    """Of `types`."""
    types: Types = field(compare=False)
    given: Given = field(compare=False)
    clauses: tuple[str, ...] = field(compare=False)
    cited: Cited = field(compare=False)


class Asked:
    """Stands for the compiler where a rule is translated. `d` stands for the declarations."""

    def __init__(self, compiler: Compiler, earlier: Earlier | None) -> None:
        self.compiler = compiler
        self.earlier = earlier
        self.book = compiler.book
        self.numbers = Earlier(compiler.book) if earlier is None else earlier
        self.answers: dict[int, tuple[Any, int]] = {}
        self.noted: dict[int, int] | None = None
        """What the rule that is being translated asked so far; None if nobody wants to know."""
        self.here = TypesHere(compiler.d, self.numbers.number)
        self.d = DeclarationsAsked(compiler.d, self)
        self.bounds_of_tables = BoundsOfTables(self)

    def whole(self) -> Compiler:
        """The compiler itself."""
        self.spoil()
        return self.compiler

    def spoil(self) -> None:
        """Something is looked at that is no question: what is being translated is not kept for later."""
        self.noted = None

    def ask(self, what: str, of: Hashable = "") -> Any:
        question = self.numbers.question((what, of))
        known = self.answers.get(question) or self.known(question)
        if self.noted is not None:
            self.noted.setdefault(question, known[1])
        return known[0]

    def known(self, question: int) -> tuple[Any, int]:
        """The answer, found out now, and its number."""
        what, of = self.numbers.asked[question]
        told, t.told = t.told, None  # what others look at to answer it is not this rule's question
        try:
            answer = ANSWERS[what](self.compiler, of)
            known = answer, 0 if self.earlier is None else self.earlier.number_of_answer(answer, self.here)
        finally:
            t.told = told
        if what != "result of made":
            self.answers[question] = known
        return known

    # ------------------------------------------------------------ a rule
    def translate(self, name: str) -> None:
        """Translate a rule, or take what came of it before."""
        c, earlier = self.compiler, self.earlier
        if earlier is None or c.collector.diagnostics:
            c.translate(c.d.rules[name])
            return
        found = self.before(name, earlier)
        if found is not None:
            earlier.reused += 1
            for f in found.again(self.here):
                c.functions[f.name] = f
            return
        earlier.fresh += 1
        self.noted, first = {}, len(c.added)
        t.told = self.looked_at
        try:
            c.translate(self.d.rules[name])
            t.told = None
            if self.noted is not None and not c.collector.diagnostics:
                earlier.keep(name, self.noted, as_translated(c.added[first:], self.here))
        finally:
            t.told = self.noted = None

    def before(self, name: str, earlier: Earlier) -> Translated | None:
        """What came of the rule where it got the answers that it gets now."""
        way, answers = earlier.ways.get(name), self.answers
        while type(way) is Next:
            question = way.question
            way = way.ways.get((answers.get(question) or self.known(question))[1])
        return way  # pyright: ignore[reportReturnType]

    # ------------------------------------------------------------ what can be asked
    def looked_at(self, of: t.Counted, what: str) -> None:
        """Somebody looks at how many members a type has, or which."""
        if self.noted is not None:
            self.ask(what, (type(of), of.name))

    def need(self, name: str) -> None:
        self.ask("need", name)

    def made_for(
        self, rule: RuleDecl, given: Given, clauses: tuple[str, ...], cited: Cited, types: Types = NO_TYPES
    ) -> RuleDecl:
        clauses = clauses if rule.of_kernel else ()
        if not given and not clauses and not types:
            return rule
        name = name_made(rule, given, clauses, cited, types)
        shapes = self.here.without_numbers(tuple(types.items()))
        return self.ask("made", Made(rule.name, name, shapes, types, given, clauses, cited))

    def rules_of(self, kind: str, subject: str) -> list[RuleDecl]:
        """Rules of a kind about something, in the order of the book."""
        names = [r.name for r in self.compiler.d.rules.values() if r.kind == kind and r.subject == subject]
        if any("[" in name for name in names):
            self.spoil()  # made of others as play needs them, so not the same in each world
        return [self.d.rules[name] for name in names]

    def result_of(self, function: str) -> t.Type | None:
        return self.ask("result" if function in self.compiler.d.rules else "result of made", function)

    def constant_table(self, values: Sequence[int]) -> int:
        return self.ask("table", tuple(values))

    def printed(self, cls: str, name: str) -> tuple[t.Type, int | None]:
        """The type of an attribute, and its value where all have the same."""
        return self.ask("printed", (cls, name))

    def table_of(self, cls: str, name: str) -> int:
        """The number of the table of an attribute."""
        return self.ask("table of", (cls, name))

    def owners(self) -> int:
        return self.ask("owners")

    def slot_type(self, slot: int) -> t.Type:
        return self.ask("slot", slot)

    def field_node(self, *path: str) -> PlaceNode | None:
        """Where a field of the state lies, or a field of a record in it."""
        found = self.ask("field", path)
        return None if found is None else self.unread(found, path)

    def unread(self, node: PlaceNode, path: tuple[str, ...]) -> PlaceNode:
        """The same node; the fields of a record in it are asked for when somebody looks."""
        match node:
            case Keyed(key=key, of=inner):
                return Keyed(key, self.unread(inner, path))
            case Fields(keys=keys):
                return FieldsAsked(self, path, keys)
            case _:
                return node

    def container(self, name: str) -> ContainerInfo:
        return self.ask("container", name)

    def containers(self) -> tuple[ContainerInfo, ...]:
        return self.ask("containers")

    def zones(self) -> tuple[ZoneInfo, ...]:
        return self.ask("zones")

    def location(self) -> tuple[int, int]:
        """The first slot of where cards are, and how many there are."""
        return self.ask("location")

    def anybody_has(self, key: str) -> bool:
        """Has any ability such a script?"""
        return self.ask("having", key)

    def anybody_listens(self, event: str) -> bool:
        return self.ask("listening", event)

    def need_switch(self, key: str) -> str:
        return self.ask("switch", key)

    def need_question(self, which: str) -> None:
        self.ask("question", which)

    def need_event(self, event: str, at: Reporter, node: ast.AST) -> str:
        if self.compiler.policy is None:
            return self.compiler.scripts.need_event(event, at, node)  # refused, so nothing is kept
        return self.ask("event", event)

    def reading(self, name: str) -> tuple[str, int | None]:
        """The answer to a reading, and its slot where it is branched over; from now on it is consulted."""
        return self.ask("reading", name)


class FieldsAsked(Fields):
    """A record in the state, of which each field is asked for by itself."""

    def __init__(self, asked: Asked, path: tuple[str, ...], keys: tuple[t.Type, ...]) -> None:
        self.__dict__.update(asked=asked, path=path, keys=keys)

    if not TYPE_CHECKING:

        @property
        def type(self) -> t.RecordType:
            return self.asked.ask("record", self.path)

        @property
        def nodes(self) -> tuple[tuple[str, PlaceNode], ...]:
            return tuple((f, self.field(f)) for f, _ in self.type.fields)

        def field(self, name: str) -> PlaceNode | None:
            return self.asked.field_node(*self.path, name)


def field_at(c: Compiler, path: tuple[str, ...]) -> PlaceNode | None:
    """A field of the state, or a field of a record in it."""
    node = c.nodes.get(path[0])
    for name in path[1:]:
        node = record_in(node).field(name)
    return node


def record_in(node: PlaceNode | None) -> Fields:
    while isinstance(node, Keyed):
        node = node.of
    assert isinstance(node, Fields)
    return node


def said_of(answer: Any) -> Hashable:
    """What of an answer can be another in another world: of a rule, its types. The fields of a record in the state are questions
    of their own."""
    if isinstance(answer, Keyed):
        return "keyed", answer.key, said_of(answer.of)
    if isinstance(answer, Fields):
        return "fields", answer.keys
    if isinstance(answer, RuleDecl):
        return answer.name, tuple(answer.params), answer.result, tuple(answer.passed.items())
    return answer


def reading(c: Compiler, name: Any) -> tuple[str, int | None]:
    c.consulted.add(name)
    return c.world.readings.get(name, c.book.readings[name].default), c.branching.get(name)


def printed(c: Compiler, x: Any) -> tuple[t.Type, int | None]:
    table, of = c.facts.table(*x)
    values = set(c.tables[table])
    return of, values.pop() if len(values) == 1 else None


def members(c: Compiler, shape: Any) -> tuple[str, ...]:
    of = c.asked.here.counted(shape)[0]
    assert isinstance(of, t.EnumType)
    return of.members


def event(c: Compiler, name: Any) -> str:
    at = c.book.sources[0]
    return c.scripts.need_event(name, Reporter(at, c.collector), at.tree)


ANSWERS: Mapping[str, Callable[[Compiler, Any], Any]] = {
    "need": lambda c, name: c.need(name),
    "made": lambda c, x: c.made_for(
        c.d.rules[x.rule], x.given, x.clauses, x.cited, {p: c.asked.here.type(of) for p, of in x.types.items()}),
    "rule": lambda c, name: c.d.rules.get(name),
    "result": lambda c, name: c.result_of(name),
    "result of made": lambda c, name: c.result_of(name),
    "type": lambda c, name: c.d.types.get(name),
    "count": lambda c, shape: c.asked.here.counted(shape)[0].count,
    "members": members,
    "card": lambda c, _: c.d.card,
    "ability": lambda c, _: c.d.ability,
    "cause": lambda c, _: c.d.cause,
    "zone": lambda c, _: c.d.zone(),
    "capacity": lambda c, name: c.d.capacity(name),
    "table": lambda c, row: c.constant_table(row),
    "bounds": lambda c, k: (min(c.tables[k] or (0,)), max(c.tables[k] or (0,))),
    "printed": printed,
    "table of": lambda c, x: c.facts.table(*x)[0],
    "owners": lambda c, _: c.facts.owners,
    "slot": lambda c, k: c.layout.slots[k].type,
    "field": field_at,
    "record": lambda c, path: record_in(field_at(c, path)).type,
    "container": lambda c, name: c.layout.containers[name],
    "containers": lambda c, _: tuple(c.layout.containers.values()),
    "zones": lambda c, _: c.layout.zones,
    "location": lambda c, _: (c.layout.location, c.layout.card_count),
    "having": lambda c, key: bool(c.scripts.having(key)),
    "listening": lambda c, name: bool(c.scripts.listened(name)),
    "switch": lambda c, key: c.scripts.need_switch(key),
    "question": lambda c, which: c.scripts.need_question(which),
    "event": event,
    "reading": reading,
}


# ---------------------------------------------------------------- declarations
class BoundsOfTables(Sequence[tuple[int, ...]]):
    """For each constant table, its least and its greatest entry."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked

    def __getitem__(self, k: Any) -> Any:
        return self.asked.ask("bounds", k)

    def __len__(self) -> int:
        self.asked.spoil()
        return len(self.asked.compiler.tables)


class ByName(dict[str, Any]):
    """Types or rules by name. What is there can be asked; going through all spoils."""

    def __init__(self, asked: Asked, what: str, of: dict[str, Any]) -> None:
        super().__init__()
        self.asked, self.what, self.of = asked, what, of

    def __getitem__(self, name: str) -> Any:
        found = self.asked.ask(self.what, name)
        return self.of[name] if found is None else found  # it may have been set since it was asked for first

    def get(self, name: str, default: Any = None) -> Any:
        found = self.asked.ask(self.what, name)
        return default if found is None else found

    def __contains__(self, name: object) -> bool:
        return self.asked.ask(self.what, name) is not None

    def __setitem__(self, name: str, value: Any) -> None:
        self.asked.spoil()
        self.of[name] = value

    def __iter__(self) -> Iterator[str]:
        self.asked.spoil()
        return iter(self.of)

    def __len__(self) -> int:
        self.asked.spoil()
        return len(self.of)

    def keys(self) -> Any:
        self.asked.spoil()
        return self.of.keys()

    def values(self) -> Any:
        self.asked.spoil()
        return self.of.values()

    def items(self) -> Any:
        self.asked.spoil()
        return self.of.items()


DEPEND = ("world", "types", "rules", "cause", "zone_count")
"""What of the declarations is not fixed by the text of the book."""


class DeclarationsAsked(Declarations):
    """The declarations of a book, as the translation of a rule sees them."""

    def __init__(self, d: Declarations, asked: Asked) -> None:
        self.__dict__.update({f.name: getattr(d, f.name) for f in fields(d) if f.name not in DEPEND})
        self.asked = asked
        self.declared = d
        self.__dict__["types"] = ByName(asked, "type", d.types)
        self.__dict__["rules"] = ByName(asked, "rule", d.rules)

    if not TYPE_CHECKING:

        @property
        def world(self) -> Any:
            self.asked.spoil()
            return self.declared.world

        @property
        def cause(self) -> t.CauseType:
            return self.asked.ask("cause")

        @property
        def zone_count(self) -> int:
            return self.zone().count

    @property
    def card(self) -> t.CardType:
        return self.asked.ask("card")

    @property
    def ability(self) -> t.AbilityType:
        return self.asked.ask("ability")

    def zone(self) -> t.ZoneType:
        return self.asked.ask("zone")

    def capacity(self, name: str) -> int:
        return self.asked.ask("capacity", name)

    def builtin(self, name: str) -> t.Type | None:
        return self.card.as_object if name == "Obj" else super().builtin(name)
