"""The cards among which sets are looked for, and what is found out of them before anything is tried."""
from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ...model.engine.compiled import compiled
from ...model.engine.library import Book, card_def
from ...model.ir.program import Program
from ...model.lang.world import CardCopy, CardDef, World
from ...spec.diagnostics import Collector
from ...spec.filling import as_known
from ...spec.readers import read_cards
from ...spec.tables import TABLES, card_table
from ...spec.text import Text
from ..native.memory import Unsupported
from ..runs.worker import Desk
from . import words
from .abstract_values import Done
from .candidates import Gist, Graph, Zone, taken_of, texts_of, used_in
from .positions import (
    COPIES,
    OFTEN,
    Parked,
    Setup,
    Template,
    lying_in,
    parking,
    setup_for,
    templates_of,
    usual_fields,
)

MOST_CARDS, ROOM = 250, 64
"""Cards of one world that compiled code can tell apart; and of which candidates are tried in one, each of which is there several times."""
PARKED = 12, 6, 3
"""Cards by which it is found out where cards can lie that are not to be there: so many, or if one of them alters plays from everywhere (as a replacement
that is printed may), fewer of them."""
Taken = tuple[list[Zone], dict[str, Done]]
"""The book's zones, and what follows by the rules if a card of a kind is taken."""


def pool_of(book: Book, path: Path | None) -> list[CardDef]:
    """The cards of a file, or all of the book. Raises BadInput."""
    if path is None:
        return list(book.cards.values())
    report = Collector()
    read = card_table(path, report) if path.suffix.lower() in TABLES else read_cards(path)
    cards = [card_def(as_known(c, book.phrases, report)) for c in read]
    book.spelt.check(cards, report)
    report.raise_if_any()
    return cards


def content(card: CardDef) -> str:
    """What a card says, wherever it is written."""
    def words(facts: Mapping[str, object]) -> list[object]:
        return sorted((k, [w.text for w in (v if isinstance(v, tuple) else (v,))]) for k, v in facts.items())  # pyright: ignore

    return json.dumps(
        [
            card.id,
            str(card.name),
            words(card.attributes),
            [
                [
                    a.id,
                    str(a.name),
                    words(a.facts),
                    a.when.text if a.when else None,
                    sorted((k, s.text) for k, s in a.scripts.items()),
                ]
                for a in card.abilities
            ],
        ],
        ensure_ascii=False,
    )


@dataclass
class Pool:
    """Cards, in a book, under some answers to its readings."""

    book: Book
    cards: Sequence[CardDef]
    readings: Mapping[str, str]

    @cached_property
    def templates(self) -> list[Template]:
        """Where positions begin, and what is usual there."""
        return templates_of(self.book)

    @cached_property
    def of_id(self) -> dict[str, CardDef]:
        return {c.id: c for c in self.cards}

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {c.id: k for k, c in enumerate(self.cards)}

    @cached_property
    def contents(self) -> list[str]:
        return [content(c) for c in self.cards]

    def setup(
        self, t: Template, cards: Sequence[CardDef], parked: Parked = (None, None), kept: frozenset[str] | None = None
    ) -> Setup:
        """A world of some cards."""
        return setup_for(self.book, t, cards, self.of_id, self.readings, parked, kept)

    def seats(self, most: int, desk: Desk) -> tuple[Sequence[Parked | None], int] | Text:
        """Where cards can lie that are not to be there, in each template, and how many cards a world holds; or why nothing can be tried (so many at once at `most`)."""
        some = [c for c in self.cards if c.abilities][:PARKED[0]]
        if not some:
            return words.NO_TEXTS
        samples = [some[k:k + many] for many in PARKED for k in range(0, len(some), many)]
        try:
            bare = [self.setup(t, []) for t in self.templates]
            parked = [
                next(filter(None, (parking(self.setup(t, cards), one, t) for cards in samples)), None)
                for t, one in zip(self.templates, bare, strict=True)
            ]
        except Unsupported as e:
            return Text(ja=words.NOT_PLAYED.ja.format(why=e.why), en=words.NOT_PLAYED.en.format(why=e.why))
        room = (MOST_CARDS - max(len(one.table.world.cards) for one in bare)) // sum(COPIES)
        if not any(parked):
            return words.NO_PLACE
        return (parked, min(ROOM, room)) if room >= most else words.NO_POSITIONS

    # ------------------------------------------------------------ what the cards do
    @cached_property
    def plain(self) -> dict[str, CardDef]:
        """Cards without texts that lie about."""
        return {x.id: x for t in self.templates for x in t.cards.values()}

    @cached_property
    def programs(self) -> list[Program]:
        """The rules in a world of all cards and what lies about, from each place where positions begin."""
        world = World(tuple(CardCopy(c, 0) for c in (*self.cards, *self.plain.values())), readings=dict(self.readings))
        return [compiled(self.book.rulebook, world, t.begin) for t in self.templates]

    @cached_property
    def lying(self) -> dict[str, int]:
        """Which cards lie in fields of one kind alone."""
        return lying_in(self.templates, [*self.cards, *self.plain.values()])

    @cached_property
    def kinds(self) -> list[str]:
        return [self.templates[0].kind_of(c) for c in self.cards]

    def texts(self, surely: bool, desk: Desk) -> list[Gist]:
        """What the texts of each card do (`surely`: as of `Meanings`)."""
        return texts_of(self.programs, self.cards, self.lying, surely)

    def taken(self, desk: Desk) -> Taken:
        """What the rules do with a card of each kind."""
        return [(z.field, z.player) for z in self.programs[0].layout.zones], taken_of(
            self.programs, self.kinds, self.lying
        )

    def graph(self, texts: Sequence[Gist], surely: Sequence[Gist], taken: Taken) -> Graph:
        """What gives what."""
        zones, follows = taken
        used = used_in(zones, self.kinds, follows, usual_fields(self.templates, OFTEN))
        return Graph(self.cards, texts, surely, zones, used, [follows[kind] for kind in self.kinds], [*self.plain])
