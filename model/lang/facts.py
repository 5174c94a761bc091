"""What the cards of a world bring: what is printed on them, as constant tables; their abilities, whose scripts are read, and what those capture
of the events that they listen to."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from ...spec.cards import OF_ABILITIES, OF_CARDS
from ...spec.diagnostics import Diagnostic, Position, nearest
from ...spec.normal import NUMERAL
from ...spec.text import Text
from ..ir import nodes as ir
from ..ir import types as t
from ..ir.build import FALSE, TRUE
from .declarations import Declarations, FieldDecl
from .declare import as_words
from .layout import constant_value
from .source import Refused, Reporter, Source
from .values import EventRef, Val
from .world import AbilityDef, CardDef, Word, scalar, script_source

SOME = 6
"""Cards that are named of many."""


@dataclass
class Facts:
    """Constant tables of what is printed on cards and abilities. Each attribute has one of its own, and they are made in the order of
    the book: so the number of a table is the same in every world."""

    d: Declarations
    tables: list[tuple[int, ...]]
    made: dict[tuple[str, str], tuple[int, t.Type]] = field(default_factory=dict[tuple[str, str], tuple[int, t.Type]])
    owners: int = -1
    """The number of the table of whose each card is."""

    def check(self) -> None:
        """Every attribute that is written must be known, and every one that is needed must be there. Makes all tables."""
        d = self.d
        for of_abilities in (False, True):
            known = {f.name for cls, a in d.definitions.items() if a == of_abilities for f in d.fields[cls]}
            unknown: dict[str, list[Word]] = {}
            for name, words in (
                entry
                for one in (
                    [a.facts for a in d.world.abilities] if of_abilities
                    else [c.attributes for c in d.world.definitions]
                )
                for entry in one.items() if entry[0] not in known
            ):
                unknown.setdefault(name, []).extend(as_words(words)[:1])
            for name, (w, *more) in unknown.items():
                possible = sorted(known.union(OF_ABILITIES if of_abilities else OF_CARDS))
                near, there = nearest(name, possible), ", ".join(possible)
                self.d.collector.add(Diagnostic(
                    w.at,
                    "unknown-attribute",
                    Text(ja=f"`{name}` という項目はこのゲームの{'能力' if of_abilities else 'カード'}にありません"
                            + (f"（ほか{len(more)}か所）" if more else ""),
                         en=f"{'abilities' if of_abilities else 'cards'} of this game have no attribute `{name}`"
                            + (f" ({len(more)} more places)" if more else "")),
                    Text(ja=f"書けるのは {there}", en=f"possible: {there}") if near is None else
                    Text(ja=f"`{near}` ではありませんか", en=f"did you mean `{near}`?"),
                    w.text,
                ))
        for cls in d.definitions:
            for f in d.fields[cls]:
                with suppress(Refused):
                    self.made[cls, f.name] = self.make(d.definitions[cls], f)
        self.owners = self.new_table([c.owner for c in self.d.world.cards])

    def printed(self, cls: str, name: str) -> tuple[int, t.Type, int | None]:
        """The table of an attribute, its type, and its value where all have the same. Raises Refused."""
        if (cls, name) not in self.made:
            raise Refused
        table, of = self.made[cls, name]
        values = set(self.tables[table])
        return table, of, values.pop() if len(values) == 1 else None

    def make(self, of_abilities: bool, f: FieldDecl) -> tuple[int, t.Type]:
        d, w, name = self.d, self.d.world, f.name
        of = d.type_of(f.note, f.reporter)
        f.reporter.demand(
            of.width == 1,
            f.note, "not-a-field-type", f"an attribute cannot be {of}", f"項目を {of} にはできません"
        )
        default = None if f.default is None else constant_value(d, of, f.default, f.reporter)
        if default is None and isinstance(of, t.SetType | t.OptionType):
            default = t.blank(of)
        symbols = (
            isinstance(of, t.SetType) and isinstance(of.inner, t.EnumType) and d.bases.get(of.inner.name) == "Symbols"
        )
        without: list[CardDef | AbilityDef] = []
        out: dict[str, int] = {}
        all_abilities = [a.id for a in w.abilities]
        things = w.abilities if of_abilities else w.definitions
        for x in things:
            words = x.word(name, symbols) if isinstance(x, CardDef) else x.facts.get(name)
            if isinstance(x, CardDef) and isinstance(of, t.SetType) and isinstance(of.inner, t.AbilityType):
                out[x.id] = sum(1 << all_abilities.index(a.id) for a in x.abilities)
            elif words is not None:
                with suppress(Refused):
                    out[x.id] = self.coded(of, words, x.at)
            elif default is not None:
                out[x.id] = default
            else:
                without.append(x)
        if without:
            self.say_missing(f, of, without)
        if not all(x.id in out for x in things):
            raise Refused
        if of_abilities:
            return self.new_table([out[a] for a in all_abilities]), of
        return self.new_table([out[x.definition.id] for x in w.cards]), of

    def new_table(self, values: Iterable[int]) -> int:
        """The number of a new constant table, whatever the entries of others are."""
        self.tables.append(tuple(values))
        return len(self.tables) - 1

    def say_missing(self, f: FieldDecl, of: t.Type, without: Sequence[CardDef | AbilityDef]) -> None:
        """That an attribute is not given: once, however many there are without it."""
        ids, more = ", ".join(x.id for x in without[:SOME]), len(without) - SOME
        self.d.collector.add(Diagnostic(
            without[0].at, "attribute-missing",
            Text(ja=f"{ids}{f' ほか {more} 件' if more > 0 else ''} に `{f.name}` が書かれていません",
                 en=f"`{f.name}` is missing on {ids}{f' and {more} more' if more > 0 else ''}"),
            Text(ja=f"型は {of} です。書かないものがあるなら、規則の項目に既定値を付けてください: `{f.name}: … = 既定値`",
                 en=f"its type is {of}; if it may be left out, give the field of the rules a default: `{f.name}: … = DEFAULT`"),
        ))

    def coded(self, of: t.Type, words: Word | tuple[Word, ...], at: Position) -> int:
        """The number that stands for what was written."""
        many = as_words(words)
        if isinstance(of, t.SetType):
            found: list[int] = []
            for w in many:
                with suppress(Refused):
                    found.append(self.word(of.inner, w) - of.inner.lo)
            if len(found) < len(many):
                raise Refused
            return sum(1 << k for k in set(found))
        if len(many) != 1:
            raise self.bad(many[0] if many else Word("", at), of)
        return self.word(t.some(of), many[0])

    def word(self, of: t.Type, w: Word) -> int:
        found = scalar(of, w.text) if not isinstance(of, t.Int) or w.text.isascii() else None
        if found is None:
            raise self.bad(w, of)
        return found

    def bad(self, w: Word, of: t.Type) -> Refused:
        wanted = f"a number in {of}" if isinstance(of, t.Int) else f"a {of}"
        hint = None
        if isinstance(of, t.EnumType):
            near = nearest(w.text.upper(), list(of.members))
            names = ", ".join(m.lower() for m in of.members[:12])
            hint = Text(
                ja=f"`{near.lower()}` ではありませんか" if near else f"書けるのは {names}",
                en=f"did you mean `{near.lower()}`?" if near else f"possible: {names}",
            )
        elif isinstance(of, t.Int) and not w.text.isascii():
            import unicodedata

            fixed = str(NUMERAL.get(w.text, unicodedata.normalize("NFKC", w.text)))
            if fixed.isascii():
                hint = Text(ja=f"半角で `{fixed}` と書いてください", en=f"write `{fixed}`, in half-width digits")
        self.d.collector.add(
            Diagnostic(
                w.at,
                "bad-value",
                Text(ja=f"`{w.text}` は {of} ではありません", en=f"`{w.text}` is not {wanted}"),
                hint,
                w.text,
            )
        )
        return Refused()


@dataclass
class Abilities:
    """The abilities of the cards of one world."""

    d: Declarations
    all: tuple[AbilityDef, ...]
    captured: dict[str, list[tuple[str, t.Type]]] = field(default_factory=dict[str, list[tuple[str, t.Type]]])
    sources: dict[tuple[str, str], Source] = field(default_factory=dict[tuple[str, str], Source])

    # ------------------------------------------------------------ reading them
    def read(self) -> None:
        """Parse all scripts, and see what their texts read of the events they listen to."""
        d = self.d
        for a in self.all:
            for key, script in a.scripts.items():
                source = script_source(script, key not in ("text", "cost"), self.d.collector)
                if source is not None:
                    self.sources[a.id, key] = source
            if a.when is not None and d.bases.get(a.when.text) != "Event":
                near = nearest(a.when.text, sorted(d.derived("Event")))
                self.d.collector.add(
                    Diagnostic(
                        a.when.at,
                        "unknown-event",
                        Text(ja=f"`{a.when.text}` という事象はありません", en=f"there is no event `{a.when.text}`"),
                        Text(ja=f"`{near}` ではありませんか", en=f"did you mean `{near}`?")
                        if near
                        else Text(
                            ja="あるのは: " + ", ".join(sorted(d.derived("Event"))),
                            en="known: " + ", ".join(sorted(d.derived("Event"))),
                        ),
                        a.when.text,
                    )
                )
        self.capture()

    def capture(self) -> None:
        """See what each text reads of the event that its ability listens to; what can be kept of all of them makes the type of causes."""
        d = self.d
        for a in self.all:
            source = self.sources.get((a.id, "text"))
            if a.when is None or d.bases.get(a.when.text) != "Event" or source is None:
                continue
            read = dict.fromkeys(
                x.attr for x in ast.walk(source.tree)
                if isinstance(x, ast.Attribute) and isinstance(x.value, ast.Name) and x.value.id == "event")
            with suppress(Refused):
                fields = dict(d.record(a.when.text).fields)
                self.captured[a.id] = [
                    (x, fields[x]) for x in read if x in fields and self.can_be_kept(fields[x], x, source)]
        columns = [[column_of(of) for _, of in kept] for kept in self.captured.values()]
        objects, cards, numbers = (max((c.count(k) for c in columns), default=0) for k in range(3))
        d.cause = t.CauseType(objects, cards, numbers, len(d.world.cards))

    def can_be_kept(self, of: t.Type, name: str, source: Source) -> bool:
        """Can a waiting trigger remember a value of this type? Sets and bundles are too large."""
        if of.width == 1 and not isinstance(of, t.SetType):
            return True
        node = next(x for x in ast.walk(source.tree) if isinstance(x, ast.Attribute) and x.attr == name)
        Reporter(source, self.d.collector).refuse(
            node, "not-kept", f"a waiting trigger cannot remember `event.{name}`: {of} is several values",
            f"待機中の能力は `event.{name}` を覚えておけません（{of} は複数の値です）",
            ("look at it in `if:`, or give the event fields of one value each", "`if:` の中で調べるか、事象の項目を一つずつの値に分けてください"))
        return False

    # ------------------------------------------------------------ what is asked of them
    def having(self, key: str) -> list[AbilityDef]:
        """Abilities that have such a script."""
        key = {"condition": "if", "state_holds": "while"}.get(key, key)
        return [a for a in self.all if key in a.scripts and not (key == "if" and a.when is not None)]

    def listened(self, event: str) -> list[AbilityDef]:
        """Abilities that listen to the event."""
        return [a for a in self.all if a.when is not None and a.when.text == event]

    def number(self, a: AbilityDef) -> int:
        return self.all.index(a)

    def holders(self, a: AbilityDef) -> int:
        """The mask of the cards that have the ability, or may come to have it."""
        return sum(1 << k for k, c in enumerate(self.d.world.cards) if a.given or a in c.definition.abilities)

    def kept(self, a: AbilityDef) -> Iterator[tuple[str, t.Type, int]]:
        """What the ability captures of its event, with the place of each value in the cause."""
        c = self.d.cause
        free = [0, c.objects, c.objects + c.cards]
        for f, of in self.captured.get(a.id, []):
            k = column_of(of)
            yield f, of, free[k]
            free[k] += 1

    def cause_of(self, a: AbilityDef, fields: Mapping[str, Val]) -> tuple[ir.Expr, ...]:
        """The columns of the cause that the ability captures."""
        out: list[ir.Expr] = [ir.Const(t.blank(s)) for s in self.d.cause.flat()]
        for f, _, k in self.kept(a):
            out[k] = fields[f].expr
        return tuple(out)

    def event_in_text(self, a: AbilityDef, cause: tuple[ir.Expr, ...]) -> EventRef:
        fields = self.d.fields.get(a.when.text, []) if a.when is not None else []
        return EventRef(tuple((f, Val(of, (cause[k],))) for f, of, k in self.kept(a)), tuple(f.name for f in fields))

    def reporter(self, a: AbilityDef, key: str) -> Reporter:
        source = self.sources.get((a.id, key))
        if source is None:
            raise Refused
        return Reporter(source, self.d.collector)


ABOUT_A_CARD = ("applies_to", "how_much")
"""The questions that are asked about another card as well."""


def question_result(which: str) -> tuple[t.Type, ir.Expr]:
    """The type of the answer, and what it is where an ability has no such script."""
    if which == "how_much":
        return t.ANY_INT, ir.Const(0)
    return t.BOOL, FALSE if which in ("state_holds", "applies_to") else TRUE


def column_of(of: t.Type) -> int:
    """Which column of a cause holds a value: objects, cards, numbers."""
    return {t.Role.OBJECT: 0, t.Role.CARD: 1}.get(of.role, 2)
