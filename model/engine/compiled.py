"""Programs that were compiled before: the last ones at hand, because a scenario is often opened several times in a row, with
equal cards as one and apart, say; all of them in the user's cache. A program never changes once it is compiled."""
from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ...spec.kept import UNREADABLE, made, read
from ...spec.kept import written as as_bytes
from ..ir.program import BODY, Function, Layout, Program
from ..ir.remembered import Remembered
from ..lang.book import Rulebook
from ..lang.world import AbilityDef, CardDef, World

if TYPE_CHECKING:
    from ..lang.asking import Earlier

MOST_BODIES, MOST_CARDS = 20_000, 2_000
MOST = 6
last: dict[Hashable, tuple[Rulebook, Program]] = {}
"""What was compiled for what, the oldest first. The rule book is kept too, so that its `id` stays its own."""


fresh_ones = [0]


def count() -> int:
    """How many programs were compiled here, and not found in the cache."""
    return fresh_ones[0]


def compiled(book: Rulebook, world: World, entry: str) -> Program:
    """The book compiled for a world. Raises BadInput."""
    key = (id(book), entry, what_of(world))
    _, program = known = last.pop(key, None) or (book, kept_or_compiled(book, world, entry))
    last[key] = known
    if len(last) > MOST:
        del last[next(iter(last))]
    return program


def compile_book(book: Rulebook, world: World, entry: str) -> Program:
    """Compiled anew. What does that is loaded only when it is needed."""
    from ..lang.compile import compile_book as compile_anew

    return compile_anew(book, world, entry, earlier=earlier_of(book))


def kept_or_compiled(book: Rulebook, world: World, entry: str) -> Program:
    """From the cache, under the texts of the rules and all that `what_of` says; else compiled."""
    what = f"{texts_of(book)}\n{entry}\n{what_of_world(world)}"
    fresh: list[Program] = []

    def anew() -> Program:
        if not fresh:
            fresh_ones[0] += 1
            fresh.append(compile_book(book, world, entry))
        return fresh[0]
    kept = made("programs", what, lambda: packed(anew()), small=True)
    program = fresh[0] if fresh else unpacked(kept, anew)
    program.made_of = hashlib.sha256(what.encode()).hexdigest()
    return program


MOST_EARLIER = 60_000
translated: dict[int, Earlier] = {}
"""What was translated of each rule book, to be taken again where nothing that a rule asked for is another."""


def earlier_of(book: Rulebook) -> Earlier:
    from ..lang.asking import Earlier

    known = translated.get(id(book))
    if known is None or known.fresh > MOST_EARLIER:
        known = translated[id(book)] = Earlier(book)
    return known


Kept = tuple[bytes, bytes, Mapping[str, bytes]]
"""A program without its functions, the heads of the functions, and their bodies one by one, all of them compressed."""


def packed(program: Program) -> Kept:
    """A program in parts that can be read by themselves."""
    functions = program.functions.values()
    return (
        zlib.compress(as_bytes(program.without_later()), 1),
        zlib.compress(as_bytes([head(f) for f in functions]), 1),
        {f.name: as_kept.of(f, lambda f=f: zlib.compress(as_bytes(body(f)), 1)) for f in functions},
    )


as_kept: Remembered[bytes] = Remembered()
"""The bodies of functions, as they are written."""


def unpacked(kept: Kept, anew: Callable[[], Program]) -> Program:
    """The program; its functions, and each one's body, are read when they are first looked at. What is no program of ours is
    compiled `anew`."""
    try:
        bare, functions, bodies = kept
        program: Program = read(zlib.decompress(bare))
        program.read_when_needed(lambda: (functions_of(functions, bodies, anew),))
    except UNREADABLE:
        return anew()
    return program


HEAD = tuple(f.name for f in fields(Function) if f.init and f.name not in BODY)
"""The fields of a function besides what it does."""
head: Callable[[Function], tuple[Any, ...]] = attrgetter(*HEAD)
"""They are written as tuples: that takes a third of the time of objects."""


def with_head(values: tuple[Any, ...]) -> Function:
    """A function of which only the head is known yet."""
    f = object.__new__(Function)
    f.__dict__.update(zip(HEAD, values, strict=True))
    return f


def functions_of(content: bytes, bodies: Mapping[str, bytes], anew: Callable[[], Program]) -> dict[str, Function]:
    """The functions of a program by name."""
    try:
        functions: dict[str, Function] = {}
        for of_head in read(zlib.decompress(content)):
            f = with_head(of_head)
            f.read_when_needed(partial(body_of, bodies[f.name], f.name, anew))
            functions[f.name] = f
    except UNREADABLE:
        return dict(anew().functions)
    return functions


bodies: dict[bytes, tuple[Any, ...]] = {}
"""Those that were read, by their bytes: most functions are the same in many scenarios of a book."""


def body_of(content: bytes, name: str, anew: Callable[[], Program]) -> tuple[Any, ...]:
    """Locals, code and handlers of a function."""
    known = bodies.get(content)
    if known is None:
        if len(bodies) > MOST_BODIES:
            bodies.clear()
        try:
            known = read_body(content)
        except UNREADABLE:
            return body(anew().functions[name])
        bodies[content] = known
    return known


def read_body(content: bytes) -> tuple[Any, ...]:
    return read(zlib.decompress(content))


def body(f: Function) -> tuple[Any, ...]:
    return tuple(getattr(f, part) for part in BODY)


def kept_layout(book: Rulebook) -> Layout:
    """The layout of the book's state without any card: which fields there are."""
    def work_out() -> Layout:
        from ..lang.compile import layout_of

        return layout_of(book, World())
    return made("layouts", texts_of(book), work_out)


hashes: dict[int, tuple[Rulebook, str]] = {}
"""The hash of each rule book."""


def texts_of(book: Rulebook) -> str:
    """A hash of the rules of a book as they are written, its readings and clauses."""
    known = hashes.get(id(book))
    if known is None:
        text = written((
            book.name, tuple((s.file, s.text, s.kernel) for s in book.sources), tuple(sorted(book.readings.items())), book.clauses))
        known = hashes[id(book)] = book, hashlib.sha256(text.encode()).hexdigest()
    return known[1]


def written(x: object) -> str:
    """A value as text, the same in every run: the members of sets in order."""
    match x:
        case frozenset():
            return f"{{{','.join(sorted(map(written, x)))}}}"
        case tuple():
            return f"({','.join(map(written, x))})"
        case _:
            return repr(x)


def what_of(world: World) -> Hashable:
    """All that a program depends on, to be compared: the cards' texts with where they stand among it."""
    said = {id(d): what_of_card(d) for d in {id(c.definition): c.definition for c in world.cards}.values()}
    return tuple((said[id(c.definition)], c.owner) for c in world.cards), what_else(world)


def what_else(world: World) -> Hashable:
    """What a program depends on besides the cards."""
    return (
        *(tuple(sorted(x.items())) for x in (world.capacities, world.caps, world.readings)),
        world.given_piles, world.branching, world.stack_depth,
    )


def what_of_world(world: World) -> str:
    """All that a program depends on, as text."""
    lines = [f"{hash_of_card(c.definition)} {c.owner}" for c in world.cards]
    return "\n".join((*lines, written(what_else(world))))


cards: dict[int, tuple[CardDef, str]] = {}
"""The hash of each card of a book that was asked for; the card is kept too, so that its `id` stays its own."""


def hash_of_card(d: CardDef) -> str:
    known = cards.get(id(d))
    if known is None:
        if len(cards) > MOST_CARDS:
            cards.clear()
        known = cards[id(d)] = d, hashlib.sha256(written(what_of_card(d)).encode()).hexdigest()
    return known[1]


def what_of_card(d: CardDef) -> Hashable:
    return d.id, d.name, d.at, tuple(sorted(d.attributes.items())), tuple(map(what_of_ability, d.abilities))


def what_of_ability(a: AbilityDef) -> Hashable:
    scripts = tuple((k, s.text, s.file, s.place(1, 1)) for k, s in sorted(a.scripts.items()))
    return a.id, a.at, tuple(sorted(a.facts.items())), a.when, scripts, a.name
