"""A scenario made ready to play: its cards, its program under one reading set, and the positions it begins in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product
from math import prod

from ...spec.diagnostics import BadInput, Collector, Diagnostic, Position, did_you_mean, look, shown
from ...spec.filling import as_known
from ...spec.groups import grouped
from ...spec.kept import made
from ...spec.readers import DeckOrder, Scenario
from ...spec.schema import Located
from ...spec.text import Text
from ..ir.program import Container, Fields, Keyed, Leaf, PlaceNode, Program
from ..ir.types import Int, RecordType
from ..lang.world import CardCopy, CardDef, World
from .compiled import compile_book, compiled
from .describe import Describer
from .interpreter import Interpreter
from .library import Book, card_def, load_book, same_file, shape_of
from .placement import Placement, Reader, lay_out
from .policies import Policies, in_words, read_policies
from .state import Arrival

DEFAULT_ENTRY = "setup"
NO_CARDS: Mapping[str, CardDef] = {}
MOST_ORDERS = 5_000
"""Orders of decks that are enumerated at most."""
MOST_ENTRIES, DEEPEST = 200, 1_000
"""What a scenario can ask for at most: entries of a multiset or pool, and how deep effects nest."""


@dataclass
class Table:
    """A scenario under one reading set, ready to run.

    `positions` are the slots play begins with: one, or one for each order of the decks.
    `readings` are those given (by the scenario or the caller); all others have their defaults.
    """

    book: Book
    scenario: Scenario
    world: World
    program: Program
    positions: list[list[int]]
    readings: Mapping[str, str]
    scripts: Policies
    known_cards: Mapping[str, CardDef]

    @cached_property
    def engine(self) -> Interpreter:
        return Interpreter(self.program, self.scripts, tuple(c.definition.id for c in self.world.cards))

    @cached_property
    def describer(self) -> Describer:
        return Describer(self.program, self.world, self.book.vocabulary)

    @cached_property
    def starts(self) -> list[Arrival]:
        """The first labels play comes to; kept for programs that are known by what they were compiled from."""
        def run() -> list[Arrival]:
            return [self.engine.start(p) for p in self.positions]
        made_of = self.program.made_of
        return made("starts", f"{made_of}\n{sorted(self.scripts.items())}\n{self.positions}", run) if made_of else run()

    @property
    def policies(self) -> tuple[Text, ...]:
        """The scripted choices, in words."""
        return in_words(self.scripts, self.book.vocabulary, self.known_cards)


def open_table(
    scenario: Scenario,
    readings: Mapping[str, Located[str] | str] | None = None,
    branching: frozenset[str] = frozenset(),
    instead: Mapping[str, CardDef] = NO_CARDS,
    rules: Book | None = None,
) -> Table:
    """Compile the scenario's book for it, under its readings and those given, with some left open (`branching`); `instead`: what
    some cards are to be here, by their numbers; `rules`: the book as it is to be here, with rules that nobody will ask for again. Raises BadInput
    with every error."""
    book = rules or book_of(scenario)
    report = Collector()
    chosen, own, cards, placement, scripts = said_by(book, scenario, readings, report, instead)
    entry = scenario.begin.value if scenario.begin is not None else DEFAULT_ENTRY
    shuffled = book.shuffled_piles
    depth = scenario.bounds.other.get("stack")
    ordered = entry == DEFAULT_ENTRY and scenario.deck_order is not DeckOrder.LAZY
    world = World(
        tuple(placement.cards),
        {k: min(v.value, MOST_ENTRIES) for k, v in scenario.capacities.items()},
        {k: v.value for k, v in scenario.caps.items()},
        shuffled if ordered else frozenset(),
        {name: answer for name, answer in chosen.items() if name not in branching},
        branching,
        World.stack_depth if depth is None else min(depth.value, DEEPEST),
    )
    make = compiled if rules is None else compile_book
    lying = {c.definition.id for c in world.cards}
    left_out = tuple(CardCopy(c, 0) for c in own if c.id not in lying | set(book.cards))
    try:
        if left_out:  # they are compiled too, so that a mistake in them does not go unnoticed
            make(book.rulebook, replace(world, cards=(*world.cards, *left_out)), entry)
        program = make(book.rulebook, world, entry)
    except BadInput as e:
        begin = scenario.position if scenario.begin is None else scenario.begin.position
        report.add_all(at_place(e, "no-such-entry", begin))
        raise BadInput(report.diagnostics) from None
    slots = lay_out(
        program.layout, placement, shuffled if scenario.deck_order is DeckOrder.LAZY else frozenset(), report
    )
    report.raise_if_any()
    positions = [slots]
    if scenario.deck_order is DeckOrder.ALL:
        positions = all_orders(program, placement, shuffled, slots, scenario)
    return Table(book, scenario, world, program, positions, chosen, scripts, cards)


Said = tuple[dict[str, str], list[CardDef], dict[str, CardDef], Placement, Policies]
"""What a scenario says: readings, its own cards, all cards, its position, what is scripted."""


def said_by(
    book: Book, scenario: Scenario, readings: Mapping[str, Located[str] | str] | None, report: Collector,
    instead: Mapping[str, CardDef] = NO_CARDS,
) -> Said:
    """What a scenario says, as far as that is known without compiling anything; mistakes are reported."""
    given: dict[str, Located[str] | str] = {**scenario.readings, **(readings or {})}
    chosen = checked_readings(book, given, report)
    for expected in scenario.expect:
        checked_readings(book, expected.readings, report)
    own = [card_def(as_known(c, book.phrases, report)) for c in scenario.cards]
    book.spelt.check(own, report)
    cards = {**cards_of(book, own, scenario, report), **instead}
    placement = place(book, scenario, cards, report)
    scripts = read_policies(scenario, book.rulebook.sources, cards, report)
    check_sizes(book, scenario, report)
    return chosen, own, cards, placement, scripts


FOLLOWS = {
    "cards": {"unknown-card", "policy-card"},
    "card_files": {"unknown-card", "policy-card"},
    "begin": {"no-such-entry"},
}
"""What would be wrong with a scenario only because what stands under a key could not be read."""


def own_mistakes(found: Iterable[Diagnostic], wrong: Iterable[str]) -> list[Diagnostic]:
    """Mistakes in a scenario of which these keys could not be read, without those that come of that."""
    follows = {code for key in wrong for code in FOLLOWS.get(key, ())}
    return [d for d in found if d.code not in follows]


def scenario_mistakes(scenario: Scenario, ranges: bool = True) -> Sequence[Diagnostic]:
    """What is wrong with a scenario, but for the rule text of its own cards: no rule is compiled. `ranges`: also whether each value of its
    position is within its range, which takes a while."""
    from ..lang.compile import layout_of

    report = Collector()
    book = book_of(scenario)
    _, _, _, placement, _ = said_by(book, scenario, None, report)
    if ranges and not report.diagnostics:
        try:
            lay_out(layout_of(book.rulebook, World(tuple(placement.cards))), placement, frozenset(), report)
        except BadInput as error:
            return error.diagnostics
    return report.diagnostics


def own_cards(scenario: Scenario) -> list[CardDef]:
    """The scenario's own cards. Raises BadInput."""
    report = Collector()
    found = [card_def(as_known(c, book_of(scenario).phrases, report)) for c in scenario.cards]
    report.raise_if_any()
    return found


def book_of(scenario: Scenario) -> Book:
    """The scenario's book; an unknown one is reported where the scenario names it."""
    try:
        return load_book(scenario.book.value)
    except BadInput as e:
        raise BadInput(at_place(e, "unknown-book", scenario.book.position)) from None


def at_place(error: BadInput, code: str, at: Position) -> list[Diagnostic]:
    """What is wrong; of this kind, with this place."""
    return [replace(d, position=at) if d.code == code else d for d in error.diagnostics]


def check_sizes(book: Book, scenario: Scenario, report: Collector) -> None:
    """Are the capacities, caps and other bounds of something that there is, and within reason?"""
    shape = shape_of(book.name)

    def known(
        given: Mapping[str, Located[int]], names: Sequence[str], least: int, most: int | None, also: Sequence[str] = ()
    ) -> None:
        for name, n in given.items():
            if name not in names:
                missing = Text(ja=f"`{name}` というものはありません", en=f"there is no `{name}` here")
                report.add(
                    Diagnostic(n.key or n.position, "no-such-size", missing, did_you_mean(name, (*names, *also)), name)
                )
            elif n.value < least or (most is not None and n.value > most):
                out = Text(ja=f"{n.value} は範囲の外です", en=f"{n.value} is out of range")
                hint = Text(ja=f"{least} から {most} の数を書いてください", en=f"write a number from {least} to {most}")
                report.add(Diagnostic(n.position, "out-of-range", out, hint, str(n.value)))

    known(scenario.capacities, list(shape.containers), 1, MOST_ENTRIES)
    known(scenario.caps, list(dict.fromkeys(x for f, n in shape.fields.items() for x in numbers_in(f, n))), 0, None)
    known(scenario.bounds.other, ["stack"], 1, DEEPEST, ("states", "depth", "turns", "seconds", "memory"))


def numbers_in(name: str, node: PlaceNode) -> Iterator[str]:
    """What `caps` calls the numbers in a field: `field`, or `Record.field`."""
    match node:
        case Keyed(of=inner):
            yield from numbers_in(name, inner)
        case Fields(type=of, nodes=nodes):
            for f, inner in nodes:
                yield from numbers_in(f if isinstance(inner, Fields) else f"{of.name}.{f}", inner)
        case Container(info=info) if isinstance(info.type, RecordType):
            yield from (f"{info.type.name}.{f}" for f, of in info.type.fields if isinstance(of, Int))
        case Leaf(type=Int()):
            yield name


def checked_readings(book: Book, given: Mapping[str, Located[str] | str], report: Collector) -> dict[str, str]:
    """The readings given, each known and with an answer it allows."""
    answers = {name: answer.value if isinstance(answer, Located) else answer for name, answer in given.items()}
    where = {
        name: (answer.position if name in book.readings else answer.key or answer.position)
        for name, answer in given.items()
        if isinstance(answer, Located)
    }
    book.rulebook.check_answers(answers, report, where)
    return {
        name: answer for name, answer in answers.items() if name in book.readings and book.readings[name].allows(answer)
    }


def cards_of(book: Book, own: Sequence[CardDef], scenario: Scenario, report: Collector) -> dict[str, CardDef]:
    """The book's cards and the scenario's own."""
    cards = dict(book.cards)
    placed = {look(name): card.at for name, card in cards.items()}
    for c, of_card in zip(scenario.cards, own, strict=True):
        if (first := placed.setdefault(look(c.id.value), c.id.position)) is not c.id.position and not same_file(
            first, c.id.position
        ):
            report.add(
                Diagnostic(
                    c.id.position,
                    "card-twice",
                    Text(
                        ja=f"カード {shown(c.id.value)} は {first.file} にもあります",
                        en=f"the card {shown(c.id.value)} is in {first.file} too",
                    ),
                    Text(ja="別の番号にしてください", en="choose another number"),
                    c.id.value,
                )
            )
        cards[c.id.value] = of_card
    return cards


def cards_in(scenario: Scenario) -> Sequence[CardCopy]:
    """The cards of its position; read without compiling anything, and mistakes left to `open_table`."""
    return said_by(book_of(scenario), scenario, None, Collector())[3].cards


def place(book: Book, scenario: Scenario, cards: Mapping[str, CardDef], report: Collector) -> Placement:
    """Read the position."""
    reader = Reader(shape_of(book.name), cards, report, book.vocabulary.aliases)
    return Placement() if scenario.state is None else reader.read(scenario.state)


def all_orders(
    program: Program,
    placement: Placement,
    shuffled: frozenset[str],
    slots: list[int],
    scenario: Scenario,
) -> list[list[int]]:
    """The position with the cards of each shuffled pile in every distinct order."""
    piles = grouped(((laid.field, laid.keys), laid.card) for laid in placement.laid if laid.field in shuffled)
    orders = [distinct_orders(cards, [placement.cards[c].definition.id for c in cards]) for cards in piles.values()]
    if prod(map(len, orders)) > MOST_ORDERS:
        raise BadInput([Diagnostic(
            scenario.position,
            "too-many-orders",
            Text(ja=f"山札の並べ方が {MOST_ORDERS} 通りを超えます", en=f"the decks have more than {MOST_ORDERS} orders"),
            Text(ja="`deck_order: lazy` にするか、山札を減らしてください", en="write `deck_order: lazy`, or make the decks smaller"),
        )])
    ranks = (
        {program.layout.rank + card: rank for order in combo for rank, card in enumerate(order)}
        for combo in product(*orders))
    return [[lying.get(k, value) for k, value in enumerate(slots)] for lying in ranks]


def distinct_orders(cards: list[int], names: list[str]) -> list[list[int]]:
    """Orders of the cards that differ by name, up to one more than can be looked at; equal cards keep their order
    among themselves."""
    kinds = list(dict.fromkeys(names))
    of_kind = [[c for c, n in zip(cards, names, strict=True) if n == kind] for kind in kinds]
    out: list[list[int]] = []
    for arrangement in islice(arrangements([kinds.index(n) for n in names]), MOST_ORDERS + 1):
        rest = [iter(some) for some in of_kind]
        out.append([next(rest[k]) for k in arrangement])
    return out


def arrangements(values: list[int]) -> Iterator[list[int]]:
    """The distinct arrangements of numbers, smallest first: each is made from the one before by exchanging the last
    number that has a greater one behind it, and turning round what follows (Narayana Pandita)."""
    now = sorted(values)
    while True:
        yield list(now)
        pivot = next((i for i in range(len(now) - 2, -1, -1) if now[i] < now[i + 1]), None)
        if pivot is None:
            return
        swap = next(i for i in range(len(now) - 1, pivot, -1) if now[i] > now[pivot])
        now[pivot], now[swap] = now[swap], now[pivot]
        now[pivot + 1 :] = reversed(now[pivot + 1 :])
