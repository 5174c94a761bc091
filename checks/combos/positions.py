"""Positions made for some cards: where cards of a kind lie in the book's own scenarios, they are put by lot.

Nothing is known here of any book: its shipped scenarios that begin at the same place (the main phase, say) show in which zones cards of each kind may
lie, how many, which plain cards lie beside them, and what else is usual. What is made is an ordinary position: the game goes on from it by the rules.
"""
from __future__ import annotations

import ast
import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random

from ...model.engine.compiled import compiled
from ...model.engine.library import Book, card_def, shape_of
from ...model.engine.placement import Laid as LaidCard
from ...model.engine.placement import Placement, Setting, lay_out, zone_number
from ...model.engine.table import Table, cards_of, place
from ...model.ir import nodes as ir
from ...model.ir.flow import nodes_of, walk
from ...model.ir.program import Keyed, PlaceNode, Program, Zones
from ...model.lang.world import CardCopy, CardDef, World
from ...spec.diagnostics import BadInput, Collector
from ...spec.filling import as_known
from ...spec.readers import Scenario, read_scenario
from ..explore.subject import Subject
from ..native.build import QUICKLY, UNOPTIMISED
from ..native.engine import Native
from ..native.playouts import Player
from ..scenarios.subjects import subject_of
from .easing import eased

Seat = tuple[str, tuple[int, ...]]
"""A zone: its field and keys, of which a player is the first."""
Where = tuple[str, int | None]
"""Zones of a field, of one player or of nobody."""
ANYWHERE: Where = "", None
"""Wherever a card lies in the scenarios."""
Hints = Mapping[str, Sequence[Where]]
Fodder = Mapping[Where, Sequence[str]]
Parked = tuple[Seat | None, Seat | None]
KINDS = "kind", "type"
"""What the kind of a card is called among what is printed on it."""
NAMED = re.compile(r"\b[A-Z]\w*\.(\w+)")
"""A word of an enumeration, in rule text."""
RARE, OFTEN = 0.005, 0.25
"""Of the cards of a kind, the part that lies in a zone where it is worth putting one; and in one where its texts are mostly used."""
USUAL = 4
"""Positions in which cards lie where those of their kind lie most often, or where another of them would take them from."""
FED = 0.6
"""How often a plain card lies where the texts of the cards could use one."""
HINTED = 0.5
"""How often a card is put where another of them would take it from."""
COPIES = 2, 1
"""Copies of each card that there are, of the player whose turn it is and of the other."""
MUCH = 99
"""Cards in a zone without a limit."""
STOCK = 1, 3
"""How much there is of what costs take."""
FEW = 32
"""Cards of a world in which so little is played that good machine code takes more time than it saves."""
PLAIN = 3
"""Plain cards that may lie in a zone, for each player."""


@dataclass(frozen=True)
class Laid:
    """A position: which cards lie where, and numbers that are not 0."""

    cards: tuple[LaidCard, ...]
    numbers: tuple[tuple[str, int], ...] = ()


@dataclass
class Template:
    """What is usual in the scenarios of a book that begin at one place."""

    scenario: Scenario
    begin: str
    seats: dict[str, Counter[Seat]] = field(default_factory=dict[str, Counter[Seat]])
    room: dict[Seat, int] = field(default_factory=dict[Seat, int])
    plain: dict[Seat, Counter[tuple[str, int]]] = field(default_factory=dict[Seat, "Counter[tuple[str, int]]"])
    cards: dict[str, CardDef] = field(default_factory=dict[str, CardDef])
    """The plain ones."""
    settings: tuple[Setting, ...] = ()
    many: int = 0
    shared: frozenset[str] = frozenset()
    """Fields whose zones belong to no player."""
    unsaid: str = ""
    """The kind of cards of which none is written."""

    def kind_of(self, card: CardDef) -> str:
        return kind_of(card, self.unsaid)

    def is_of(self, seat: Seat, player: int) -> bool:
        return seat[0] in self.shared or seat[1][:1] == (player,)

    def owner(self, seat: Seat) -> int:
        return 0 if seat[0] in self.shared else seat[1][0]

    @cached_property
    def fields_of(self) -> dict[str, list[str]]:
        """The fields in which each plain card lies, each as often as it does."""
        out: dict[str, list[str]] = {card: [] for card in self.cards}
        for seat, card, n in ((seat, card, n) for seat, some in self.plain.items() for (card, _), n in some.items()):
            out[card] += [seat[0]] * n
        return out

    @cached_property
    def fields_of_kind(self) -> dict[str, set[str]]:
        """The fields in which cards of each kind lie."""
        return {kind: {seat[0] for seat in seats} for kind, seats in self.seats.items()}

    @cached_property
    def usual(self) -> dict[tuple[str, int], Counter[str]]:
        """How often cards of each kind lie in fields, of each player; without those where they hardly do."""
        return {
            (kind, owner): Counter(
                [seat[0] for seat, n in seats.items() for _ in range(n or 1)
                 if self.is_of(seat, owner) and (n > RARE * seats.total() or not seats.total())]
            )  # only plain ones of that kind lie about
            for kind, seats in self.seats.items()
            for owner in (0, 1)
        }


def kind_of(card: CardDef, unsaid: str = "") -> str:
    """What kind of card it is, as it is printed, or as cards are of which it is not written."""
    for key in KINDS:
        if (found := card.attributes.get(key)) is not None:
            return " ".join(spelt(w.text) for w in (found if isinstance(found, tuple) else (found,)))
    return unsaid


def spelt(word: str) -> str:
    """A member of an enumeration, however it is written."""
    return word.lower().replace("_", "-")


def kind_unsaid(book: Book) -> str:
    """The kind that the rules give a card of which none is written."""
    for source in book.rulebook.sources:
        for cls in (node for node in source.tree.body if isinstance(node, ast.ClassDef)
                    and any(isinstance(b, ast.Name) and b.id == "Definition" for b in node.bases)):
            printed = {f.target.id: f.value for f in cls.body
                       if isinstance(f, ast.AnnAssign) and isinstance(f.target, ast.Name)}
            # with `of` it is what is said of abilities
            defaults = (printed.get(key) for key in KINDS if "of" not in printed)
            if (found := next((d.attr for d in defaults if isinstance(d, ast.Attribute)), None)) is not None:
                return spelt(found)
    return ""


def placed(book: Book) -> Iterator[tuple[Scenario, Placement]]:
    """The scenarios of the book with a position to begin in, and who lies where."""
    for path in book.scenarios:
        try:
            scenario = read_scenario(path)
        except BadInput:
            continue
        if scenario.begin is None or scenario.state is None or scenario.begin.value == "setup":
            continue
        report = Collector()
        own = [card_def(as_known(c, book.phrases, report)) for c in scenario.cards]
        placement = place(book, scenario, cards_of(book, own, scenario, report), report)
        if not report.diagnostics:
            yield scenario, placement


def templates_of(book: Book) -> list[Template]:
    """Templates for positions that begin where most of the scenarios begin, and elsewhere if hardly fewer do."""
    all_of = list(placed(book))
    places = Counter(s.begin.value for s, _ in all_of if s.begin is not None)
    return [template_at(book, begin, all_of) for begin, n in sorted(places.items(), key=lambda x: (-x[1], x[0]))
            if 2 * n > max(places.values())]


def template_at(book: Book, begin: str, all_of: Sequence[tuple[Scenario, Placement]]) -> Template:
    """What is usual where these of the scenarios begin."""
    mine = [(s, p) for s, p in all_of if s.begin is not None and s.begin.value == begin]
    out = Template(mine[0][0], begin, many=len(mine),
                   shared=frozenset(z.field for z in shape_of(book.name).zones if z.player is None),
                   unsaid=kind_unsaid(book))
    settings: Counter[tuple[tuple[str, ...], tuple[int, ...], str]] = Counter()
    written: dict[tuple[tuple[str, ...], tuple[int, ...], str], Setting] = {}
    numbers: dict[Seat, Counter[int]] = {}
    for _, placement in mine:
        there: dict[Seat, Counter[str]] = {}
        for laid in placement.laid:
            card = placement.cards[laid.card].definition
            seat = laid.field, laid.keys
            out.seats.setdefault(out.kind_of(card), Counter())[seat] += 1 if card.abilities else 0
            there.setdefault(seat, Counter())[card.id] += 1
            if not card.abilities:
                out.cards.setdefault(card.id, card)
        for seat, cards in there.items():
            numbers.setdefault(seat, Counter())[sum(cards.values())] += 1
            for card_id, many in cards.items():
                if card_id in out.cards:
                    out.plain.setdefault(seat, Counter())[card_id, min(many, PLAIN)] += 1
        for s in placement.settings:
            if s.card is None:
                key = s.path, s.keys, s.written.text
                settings[key] += 1
                written[key] = s
    out.room = {seat: 1 if len(seat[1]) > 1 and c.most_common(1)[0][0] == 1 else MUCH for seat, c in numbers.items()}
    out.settings = tuple(written[key] for key, n in settings.items() if 2 * n > len(mine))
    return out


def usual_fields(templates: Sequence[Template], least: float = 0.0) -> dict[str, set[str]]:
    """For each kind of card the fields in which it lies in scenarios, and not in less than such a part of them."""
    out: dict[str, set[str]] = {}
    for kind, seats in (x for t in templates for x in t.seats.items()):
        many = Counter[str]()
        for (name, _), n in seats.items():
            many[name] += n
        out.setdefault(kind, set()).update(name for name, n in many.items() if n >= least * seats.total())
    return out


def lying_in(templates: Sequence[Template], cards: Sequence[CardDef]) -> dict[str, int]:
    """Of the fields of zones in which cards of one kind alone lie in scenarios, which of these cards (a bit each) are of that kind."""
    kinds: dict[str, set[str]] = {}
    for kind, name in ((kind, name) for kind, fields in usual_fields(templates).items() for name in fields):
        kinds.setdefault(name, set()).add(kind)
    return {name: sum(1 << k for k, c in enumerate(cards) if templates[0].kind_of(c) in some)
            for name, some in sorted(kinds.items()) if len(some) == 1}


@dataclass
class Setup:
    """A world with copies of some cards and plain ones, compiled, in which positions are made."""

    table: Table
    template: Template
    cards: Sequence[CardDef]
    pool: Mapping[str, CardDef]
    copies: Mapping[str, Sequence[int]]
    """Of each card of the pool, its copies: those of the first player before those of the second."""
    plain: Mapping[tuple[str, int], Sequence[int]]
    parked: Parked = (None, None)
    """Where the cards lie that are not to be there, of each player: nothing is done there."""
    kept: frozenset[str] | None = None
    """If the texts are eased (`eased`): the numbers that they still change."""

    @cached_property
    def native(self) -> Native:
        return Native(self.table.program, self.table.engine.policies, card_ids=self.table.engine.card_ids,
                      level=UNOPTIMISED if len(self.cards) <= FEW else QUICKLY)

    @cached_property
    def texts(self) -> list[tuple[str, int]]:
        """The functions (by their numbers) that are texts and costs of the cards."""
        return [
            (c.id, self.native.memory.number[name]) for c in self.cards for a in c.abilities
            for key in ("text", "cost") if (name := f"{key} {a.id}") in self.native.memory.number
        ]

    @cached_property
    def subject(self) -> Subject:
        """What is checked, without a position yet."""
        return subject_of(replace(self.table, positions=[[s.initial for s in self.table.program.layout.slots]]), False)

    def lay(self, cards: Sequence[CardDef], starters: Sequence[CardDef], number: int, luck: Random, hints: Hints,
            fodder: Fodder, paid: Sequence[str] = ()) -> Laid:
        """The cards put by lot: first one copy of each, then more, sometimes on the other side; in every second position with what may begin it.
        In every second one there is some of what costs take (`paid`: names of slots)."""
        t, laid = self.template, list[LaidCard]()
        full: Counter[Seat] = Counter()

        def lay(copy: int, seat: Seat) -> None:
            laid.append(LaidCard(copy, *seat))
            full[seat] += 1

        def put(card: CardDef, copy: int, owner: int) -> None:
            fields = t.usual.get((t.kind_of(card), owner), Counter[str]())
            wanted = [f for f, player in hints.get(card.id, ()) if player in (owner, None)]
            free = {f: self.free(f, owner, full) for f in {*fields, *wanted}}
            fields, wanted = Counter({f: n for f, n in fields.items() if free[f]}), [f for f in wanted if free[f]]
            if wanted and (not fields or luck.random() < HINTED):
                lay(copy, luck.choice(free[luck.choice(wanted)]))
            elif fields:
                usual = number < USUAL
                f = (max(fields, key=lambda f: fields[f]) if usual
                     else luck.choices(list(fields), [n**0.5 for n in fields.values()])[0])
                lay(copy, luck.choice(free[f]))
        for card in cards:
            first, second = self.copies[card.id][:COPIES[0]], self.copies[card.id][COPIES[0]:]
            side = number % 4 == 3 and luck.random() < 0.4
            put(card, (second if side else first)[0], int(side))
            if number % 2 and luck.random() < 0.7:
                put(card, first[1], 0)
        for card in starters if number % 4 in (0, 1) else ():
            put(card, self.copies[card.id][0], 0)
        used: Counter[tuple[str, int]] = Counter()
        for where, some in fodder.items():
            owner = where[1] or 0
            able = [x for x in some if used[x, owner] < len(self.plain.get((x, owner), ()))
                    and (where == ANYWHERE or where[0] in t.fields_of_kind[t.kind_of(t.cards[x])])]
            x = luck.choice(able) if able and luck.random() < FED else None
            if x is not None and (
                seats := self.free(luck.choice(t.fields_of[x]) if where == ANYWHERE else where[0], owner, full)
            ):
                lay(self.plain[x, owner][used[x, owner]], luck.choice(seats))
                used[x, owner] += 1
        for seat, kinds in t.plain.items():
            if luck.random() < kinds.total() / t.many:
                (card, many), = luck.choices(list(kinds), list(kinds.values()))
                key = card, t.owner(seat)
                for _ in range(many):
                    if key in self.plain and used[key] < len(self.plain[key]) and full[seat] < t.room.get(seat, MUCH):
                        lay(self.plain[key][used[key]], seat)
                        used[key] += 1
        return Laid(tuple(laid), tuple((name, luck.randint(*STOCK)) for name in paid) if number % 4 in (0, 2) else ())

    def free(self, name: str, owner: int, full: Mapping[Seat, int]) -> list[Seat]:
        """The zones of a field, of one player if it has one, in which there is room."""
        return [seat for seat in self.seats[name, owner] if full[seat] < self.template.room.get(seat, MUCH)]

    @cached_property
    def seats(self) -> dict[tuple[str, int], list[Seat]]:
        """The zones of each field, of each player: those in which cards lie in scenarios, or else the only one."""
        t, fields, out = self.template, self.table.program.layout.fields, dict[tuple[str, int], list[Seat]]()
        for name, owner in ((x, owner) for x in {z.field for z in self.table.program.layout.zones} for owner in (0, 1)):
            plain = (name, () if name in t.shared else (owner,))
            known = [seat for seat in t.room if seat[0] == name and t.is_of(seat, owner)]
            out[name, owner] = known or ([plain] if len(keys_of(fields[name])) == len(plain[1]) else [])
        return out

    @cached_property
    def decks(self) -> dict[Seat, CardDef]:
        """Where a player's cards lie in an order, as many as there are: by zone, a plain card that usually lies there."""
        t, ordered = self.template, {z.field for z in self.table.program.layout.zones if z.ordered}
        return {seat: t.cards[some.most_common(1)[0][0][0]] for seat, some in t.plain.items()
                if seat[0] in ordered - t.shared and len(seat[1]) == 1}

    @cached_property
    def away(self) -> list[int]:
        """The position in which all cards lie where nothing is done."""
        cards = self.table.world.cards
        apart = [LaidCard(c, *seat) for c, copy in enumerate(cards) if (seat := self.parked[copy.owner]) is not None]
        return lay_out(self.table.program.layout, Placement(list(cards), apart, list(self.template.settings)),
                       frozenset(), Collector())

    def slots(self, laid: Laid) -> list[int]:
        """The position in which cards lie so, and all others where nothing is done."""
        out = list(self.away)
        for k, n in self.changes(laid).items():
            out[k] = n
        return out

    def changes(self, laid: Laid) -> dict[int, int]:
        """In which slots that is another one than where all cards lie where nothing is done."""
        layout, out, height = self.table.program.layout, dict[int, int](), Counter[int]()
        for x in laid.cards:
            zone = zone_number(layout, x.field, x.keys)
            out[layout.location + x.card], out[layout.rank + x.card] = (
                zone, height[zone] if layout.zones[zone].ordered else 0
            )
            height[zone] += 1
        for k, n in ((self.named[name], n) for name, n in laid.numbers if name in self.named):
            out[k] = min(n, layout.slots[k].type.hi)
        return out

    @cached_property
    def away_in_memory(self) -> bytes:
        """The position in which all cards lie where nothing is done, as it lies in memory."""
        self.native.enter_slots(self.away)
        return ctypes.string_at(self.native.slots, self.native.all_slots.size)

    def key(self, laid: Laid) -> tuple[int, ...] | None:
        """The key of where play begins if cards lie so. None where it ends before."""
        return self.native.key_of_start(self.away_in_memory, self.changes(laid))

    @cached_property
    def named(self) -> dict[str, int]:
        """The slots by their names."""
        return {slot.name: k for k, slot in enumerate(self.table.program.layout.slots)}

    def alone(self, laid: Laid, more: Sequence[CardCopy] = (), eased: bool = True) -> tuple[Setup, Laid]:
        """A world of no other cards than those that lie there (and those that they name), and where they lie in it; with `more` behind them.
        `eased`: with texts that are eased, if they are here."""
        cards = self.table.world.cards
        own = exactly(self.table.book, self.template, [*(cards[x.card] for x in laid.cards), *more], self.pool,
                      self.table.readings, self.parked, self.kept if eased else None)
        return own, replace(laid, cards=tuple(replace(x, card=k) for k, x in enumerate(laid.cards)))


def exactly(book: Book, template: Template, copies: Sequence[CardCopy], pool: Mapping[str, CardDef],
            readings: Mapping[str, str], parked: Parked, kept: frozenset[str] | None = None) -> Setup:
    """A world of these cards, and those that they name."""
    world, program = compiled_for(book, template, copies, pool, readings, kept)
    cards = list({c.definition.id: c.definition for c in copies}.values())
    return Setup(Table(book, template.scenario, world, program, [], readings, {}, {c.id: c for c in cards}), template,
                 cards, pool, {}, {}, parked, kept)


def compiled_for(book: Book, template: Template, copies: Sequence[CardCopy], pool: Mapping[str, CardDef],
                 readings: Mapping[str, str], kept: frozenset[str] | None = None) -> tuple[World, Program]:
    """A world of these cards, compiled; if they name cards that are not among them, with those. `kept`: with texts that are eased. Raises BadInput."""
    def made(cards: Sequence[CardCopy]) -> tuple[World, Program]:
        world = World(tuple(cards), readings=dict(readings))
        program = compiled(book.rulebook, world, template.begin)
        return world, program if kept is None else eased(program, kept)
    try:
        return made(copies)
    except BadInput:
        named = named_by([c.definition for c in copies], pool)
        if not named:
            raise
        return made([*copies, *(CardCopy(card, 0) for card in named)])


def named_by(cards: Sequence[CardDef], pool: Mapping[str, CardDef]) -> list[CardDef]:
    """The cards of the pool, one for each word, that scripts of these name by a word of theirs; and those that these name."""
    of_word: dict[str, CardDef] = {}
    for card in pool.values():
        for words in card.attributes.values():
            for word in words if isinstance(words, tuple) else (words,):
                of_word.setdefault(word.text, card)
    out = {c.id: c for c in cards}
    todo = list(cards)
    while todo:
        said = {w for a in todo.pop().abilities for script in a.scripts.values() for w in NAMED.findall(script.text)}
        for card in [of_word[w] for w in sorted(said & of_word.keys())]:
            if card.id not in out:
                out[card.id] = card
                todo.append(card)
    return [c for c in out.values() if c.id not in {c.id for c in cards}]


def setup_for(book: Book, template: Template, cards: Sequence[CardDef], pool: Mapping[str, CardDef],
              readings: Mapping[str, str], parked: Parked = (None, None), kept: frozenset[str] | None = None) -> Setup:
    """A world for positions of these cards."""
    world_cards: list[CardCopy] = []
    copies: dict[str, list[int]] = {}
    plain: dict[tuple[str, int], list[int]] = {}
    for card in cards:
        for owner, many in enumerate(COPIES):
            for _ in range(many):
                copies.setdefault(card.id, []).append(len(world_cards))
                world_cards.append(CardCopy(card, owner))
    needed: Counter[tuple[str, int]] = Counter()
    for seat, kinds in template.plain.items():
        usual = [(card, many) for (card, many), n in kinds.most_common(2) if n > RARE * template.many]
        for card, many in usual:
            needed[card, template.owner(seat)] += many
    for (card, owner), many in needed.items():
        for _ in range(min(many, 2 * PLAIN)):
            plain.setdefault((card, owner), []).append(len(world_cards))
            world_cards.append(CardCopy(template.cards[card], owner))
    world, program = compiled_for(book, template, world_cards, pool, readings, kept)
    table = Table(book, template.scenario, world, program, [], readings, {}, {c.id: c for c in cards})
    return Setup(table, template, cards, pool, copies, plain, parked, kept)


def parking(setup: Setup, without: Setup, template: Template) -> Parked | None:
    """Where cards can lie as if they were not there: plays by the same lots go as they go without them."""
    expected = plays(without)
    layout = setup.table.program.layout
    asked = Counter(layout.zones[z].field for fn in setup.table.program.functions.values()
                    for n in nodes_of(fn, ir.ZoneCards, ir.PileTop)
                    if (z := next((x.value for x in walk(n.zone) if isinstance(x, ir.Const)), 0)) < len(layout.zones))
    for name in sorted(
        dict.fromkeys(z.field for z in layout.zones), key=lambda f: asked[f]
    ):  # what the rules look at least comes first
        if any(z.ordered for z in layout.zones if z.field == name):
            continue
        seats = tuple((name, () if name in template.shared else (p,)) for p in (0, 1))
        if any(len(keys_of(layout.fields[name])) > len(seat[1]) or template.room.get(seat) for seat in seats):
            continue
        setup.parked = seats[0], seats[1]
        setup.__dict__.pop("away", None)
        if plays(setup) == expected:
            return setup.parked
    return None


def keys_of(node: PlaceNode) -> Sequence[object]:
    while isinstance(node, Keyed):
        node = node.of
    return node.keys if isinstance(node, Zones) else (0, 0, 0)


def plays(setup: Setup) -> list[object]:
    """How some plays go from plain positions."""
    table, out = setup.table, list[object]()
    native = setup.native
    for k in range(4):
        start = table.engine.start(setup.slots(setup.lay([], [], k, Random(k), {}, {})))
        if start.state.end is not None:
            out.append(start.state.end)
            continue
        player = Player(native, start)
        out += [(p.ended, p.winner, p.decisions, p.steps) for p in (player.play(seed, 2_000) for seed in range(10))]
    return out
