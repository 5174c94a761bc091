"""What is printed on cards and abilities, as constant tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from ...spec.diagnostics import Collector, Diagnostic, Position, nearest
from ...spec.text import Text
from ..ir import types as t
from .declarations import Declarations
from .declare import as_words
from .kinds import FieldDecl
from .layout import blank_of, constant_value
from .source import Refused
from .world import AbilityDef, CardDef, Word, World, scalar

SOME = 6
"""Cards that are named of many."""


class Facts:
    """Constant tables of what is printed on cards and abilities. Each attribute has one of its own, and they are made in the order of
    the book: so the number of a table is the same in every world."""

    def __init__(self, d: Declarations, world: World, collector: Collector, tables: list[tuple[int, ...]]) -> None:
        self.d = d
        self.world = world
        self.collector = collector
        self.tables = tables
        self.made: dict[tuple[str, str], tuple[int, t.Type]] = {}
        self.owners = -1
        """The number of the table of whose each card is."""

    def check(self) -> None:
        """Every attribute that is written must be known, and every one that is needed must be there. Makes all tables."""
        d = self.d
        for of_abilities in (False, True):
            known = {f.name for cls, a in d.definitions.items() if a == of_abilities for f in d.fields[cls]}
            facts = [a.facts for a in self.world.abilities] if of_abilities else [c.attributes for c in self.world.definitions]
            for name, words in (entry for one in facts for entry in one.items() if entry[0] not in known):
                near = nearest(name, sorted(known))
                for w in as_words(words)[:1]:
                    self.collector.add(Diagnostic(
                        w.at,
                        "unknown-attribute",
                        Text(ja=f"`{name}` という項目はこのゲームのカードにありません", en=f"cards of this game have no attribute `{name}`"),
                        None if near is None else Text(ja=f"`{near}` ではありませんか", en=f"did you mean `{near}`?"),
                        w.text,
                    ))
        for cls in d.definitions:
            for f in d.fields[cls]:
                with suppress(Refused):
                    self.made[cls, f.name] = self.make(d.definitions[cls], f)
        self.owners = self.new_table([c.owner for c in self.world.cards])

    def table(self, cls: str, name: str) -> tuple[int, t.Type]:
        """Number of the table of an attribute, and its type. Raises Refused."""
        if (cls, name) not in self.made:
            raise Refused
        return self.made[cls, name]

    def make(self, of_abilities: bool, f: FieldDecl) -> tuple[int, t.Type]:
        d, w, name = self.d, self.world, f.name
        of = d.type_of(f.note, f.reporter)
        f.reporter.demand(
            of.width == 1,
            f.note, "not-a-field-type", f"an attribute cannot be {of}", f"項目を {of} にはできません"
        )
        default = None if f.default is None else constant_value(d, of, f.default, f.reporter)
        if default is None and isinstance(of, t.SetType | t.OptionType):
            default = blank_of(of)
        wrong = False
        without: list[CardDef | AbilityDef] = []
        out: dict[str, int] = {}
        all_abilities = [a.id for a in w.abilities]
        things = w.abilities if of_abilities else w.definitions
        for x in things:
            if isinstance(x, CardDef) and isinstance(of, t.SetType) and isinstance(of.inner, t.AbilityType):
                out[x.id] = sum(1 << all_abilities.index(a.id) for a in x.abilities)
                continue
            words = (x.attributes if isinstance(x, CardDef) else x.facts).get(name)
            if words is None and default is not None:
                out[x.id] = default
            elif words is None:
                without.append(x)
            else:
                try:
                    out[x.id] = self.coded(of, words, x.at)
                except Refused:
                    wrong = True
        if without:
            self.say_missing(f, of, without)
        if wrong or without:
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
        self.collector.add(Diagnostic(
            without[0].at, "attribute-missing",
            Text(ja=f"{ids}{f' ほか {more} 件' if more > 0 else ''} に `{f.name}` が書かれていません",
                 en=f"`{f.name}` is missing on {ids}{f' and {more} more' if more > 0 else ''}"),
            Text(ja=f"型は {of} です。書かないものがあるなら、規則の項目に既定値を付けてください: `{f.name}: … = 既定値`",
                 en=f"its type is {of}; if it may be left out, give the field of the rules a default: `{f.name}: … = DEFAULT`"),
        ))

    def coded(self, of: t.Type, words: Word | tuple[Word, ...], at: Position) -> int:
        """The number that stands for what was written."""
        if isinstance(of, t.SetType):
            many = words if isinstance(words, tuple) else (words,)
            found: list[int] = []
            for w in many:
                with suppress(Refused):
                    found.append(self.word(of.inner, w) - of.inner.lo)
            if len(found) < len(many):
                raise Refused
            return sum(1 << k for k in set(found))
        if isinstance(words, tuple):
            if len(words) != 1:
                raise self.bad(words[0] if words else Word("", at), of)
            words = words[0]
        return self.word(of.inner if isinstance(of, t.OptionType) else of, words)

    def word(self, of: t.Type, w: Word) -> int:
        plain = not isinstance(of, t.Int) or w.text.isascii()
        found = scalar(of, w.text) if plain else None
        if found is None:
            raise self.bad(w, of)
        return found

    def bad(self, w: Word, of: t.Type) -> Refused:
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

            fixed = unicodedata.normalize("NFKC", w.text)
            hint = Text(ja=f"半角で `{fixed}` と書いてください", en=f"write `{fixed}`, in half-width digits")
        self.collector.add(
            Diagnostic(
                w.at,
                "bad-value",
                Text(ja=f"`{w.text}` は {of} ではありません", en=f"`{w.text}` is not {article(of)}"),
                hint,
                w.text,
            )
        )
        return Refused()


def article(of: t.Type) -> str:
    return f"a number in {of}" if isinstance(of, t.Int) else f"a {of}"
