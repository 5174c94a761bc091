"""What stands at the edge of what compiled code holds: tables, constants, sums, zones and entries of numbers that are just
small enough for a word, a table or a column, and of numbers that are not."""
from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest

from rulewright.checks.native.build import write
from rulewright.checks.native.ends import ESCAPE
from rulewright.checks.native.engine import BeyondNative, Native
from rulewright.checks.native.memory import Memory, Unsupported
from rulewright.checks.smt.symbolic import Symbolic
from rulewright.model.engine.interpreter import Interpreter
from rulewright.model.engine.state import State
from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import ContainerInfo, Function, Layout, LocalInfo, Program, Slot, ZoneInfo
from rulewright.model.ir.types import CardType, CauseType, Int, OptionType, SetType, Type, ZoneType, domain
from rulewright.model.ir.verify import verify
from rulewright.model.lang.world import CardDef
from rulewright.spec.diagnostics import Position
from rulewright.spec.text import Text

from ..lang.programs import HEAD, compiled, world_of
from .harness import compare_arrivals
from .symbolic import define_agrees

FULL = (-(1 << 63), (1 << 63) - 1)


class Edge:
    """A program that does one of several things, as its slot `which` says; `out` takes what is computed."""

    def __init__(self, out: tuple[int, int]) -> None:
        self.slots = [Slot("which", Int(0, 999), 0), Slot("out", Int(*out), 0)]
        self.code: list[ir.Instr] = []
        self.locals: list[LocalInfo] = []
        self.tables: list[tuple[int, ...]] = []
        self.containers: dict[str, ContainerInfo] = {}
        self.functions: dict[str, Function] = {}
        self.cards, self.location, self.rank, self.zones = 0, 0, 0, 0
        self.things = 0

    def slot(self, name: str, of: Type, count: int = 1, group: str = "") -> int:
        lo, hi = domain(of)
        first = len(self.slots)
        self.slots += [Slot(f"{name}{k}", of, min(max(0, lo), hi), group) for k in range(count)]
        return first

    def local(self, of: Type) -> int:
        self.locals.append(LocalInfo(f"x{len(self.locals)}", of))
        return len(self.locals) - 1

    def lay_cards(self, count: int, zones: int) -> None:
        """Cards in ordered zones."""
        self.cards, self.zones = count, zones
        self.location = self.slot("location", OptionType(ZoneType("Zone", zones)), count, "zones")
        self.rank = self.slot("rank", Int(0, count), count, "zones")

    def does(self, *what: ir.Instr) -> int:
        """One more thing."""
        self.code.append(ir.Branch(ir.Binary("eq", ir.Load(0), ir.Const(self.things)), len(self.code) + 1 + len(what)))
        self.code += what
        self.things += 1
        return self.things - 1

    def computes(self, *expressions: ir.Expr) -> list[int]:
        return [self.does(ir.Store(1, None, 1, e, "set")) for e in expressions]

    def program(self) -> Program:
        zones = tuple(ZoneInfo(f"zone{k}", "zone", True, None, k) for k in range(self.zones))
        layout = Layout(tuple(self.slots), self.location, self.rank, self.cards, zones, self.containers,
                        (self.location, self.rank) if self.cards else ())
        main = Function("main", "procedure", 0, self.locals, [*self.code, ir.Label(), ir.Return()])
        out = Program("edge", layout, {**self.functions, "main": main}, self.tables, "main", CauseType(0, 0, 0, self.cards), {}, {}, frozenset())
        verify(out)
        return out


def compared(
    program: Program, starts: Iterable[Mapping[int, int]], cache: Path,
) -> tuple[int, int]:
    """From each beginning (slots that differ from the first state) the same; how many there were, how often code gave up."""
    engine, native = Interpreter(program), Native(program, cache=cache, level=0)
    first = [s.initial for s in program.layout.slots]
    count = beyond = 0
    for changes in starts:
        slots = [changes.get(k, x) for k, x in enumerate(first)]
        count += 1
        try:
            found = native.start(slots)
        except BeyondNative:
            beyond += 1
            continue
        compare_arrivals(State(tuple(slots), ()), changes, engine.start(slots), found)
    return count, beyond


def test_entries_of_tables_as_large_as_code_expects_and_larger(tmp_path: Path) -> None:
    edge = Edge((-(1 << 100), 1 << 100))
    k = edge.slot("k", Int(-1, 3))
    ends = [0, -1, *(s * (1 << bits) + d for bits in (15, 31, 62, 63, 70) for s, d in ((1, -1), (1, 0), (-1, 0), (-1, -1)))]
    for low in (0, -1, -2):
        for end in ends:
            edge.tables.append((min(low, end), end, max(low, end)))
            e = ir.Table(len(edge.tables) - 1, ir.Load(k))
            edge.computes(e, ir.Within(e, min(low, end) + 1, end + 2), ir.Within(e, min(low, end), max(low, end) - 1))
    program = edge.program()
    for row, (_, _, lo, hi) in zip(edge.tables, Memory(program).tables, strict=True):
        most = 4 * max(1 << 61, *map(abs, row))
        assert -most <= lo <= min(row) and max(row) <= hi <= most, (row, lo, hi)
    count, beyond = compared(program, ({0: n, k: x} for n in range(edge.things) for x in range(-1, 4)), tmp_path)
    assert count > 900 and not beyond


@pytest.mark.parametrize("bits", [127, 128, 129, 191, 192, 255])
def test_constants_as_wide_as_numbers_are_and_wider(bits: int, tmp_path: Path) -> None:
    """What is too wide gives up, and does nothing else."""
    edge = Edge((-(1 << 120), 1 << 120))
    k = edge.slot("k", Int(-3, 300))
    few: list[int] = []
    for n in (bits - 2, bits - 1, bits):
        for c in (1 << n, (1 << n) - 1, -(1 << n), -(1 << n) - 1):
            few += edge.computes(ir.Binary("member", ir.Load(k), ir.Const(c)), ir.Binary("meet", ir.Load(k), ir.Const(c)))
    asked = [{0: n, k: x} for n in few for x in (-3, 0, 5, bits - 2, bits - 1, bits, 300)]
    count, beyond = compared(edge.program(), asked, tmp_path)
    assert count == 168 and beyond == (28 if bits == 255 else 0)  # two constants of twelve are beyond all widths


@pytest.mark.parametrize(("most", "wide"), [((1 << 127) - 1, 128), (1 << 127, 192), ((1 << 191) - 1, 192), (1 << 191, 256), ((1 << 255) - 1, 256)])
def test_numbers_are_as_wide_as_they_need(most: int, wide: int) -> None:
    edge = Edge((0, most))
    assert Memory(edge.program()).wide == wide
    assert Memory(Edge((-most, 0)).program()).wide == wide


@pytest.mark.parametrize(("most", "word"), [((1 << 63) - 1, 8), (1 << 63, 16)])
def test_words_of_options_are_as_wide_as_they_need(most: int, word: int) -> None:
    assert Memory(Edge((0, most)).program()).word == Memory(Edge((-most, 0)).program()).word == word


def test_numbers_beyond_every_width_are_refused() -> None:
    edge = Edge((0, (1 << 255) - 1))
    write(edge.program())
    edge.slot("more", Int(0, 1 << 255))
    with pytest.raises(Unsupported):
        write(edge.program())


def test_more_cards_than_numbers_have_bits_are_refused() -> None:
    """Even if no set of them is stored."""
    edge, more = Edge((0, 9)), Edge((0, 9))
    edge.lay_cards(255, 3)
    write(edge.program())
    more.lay_cards(256, 3)
    with pytest.raises(Unsupported, match="a set of 256 things"):
        write(more.program())


@pytest.mark.parametrize("of", [(0, 6), (-4, 3), (0, (1 << 62) - 1), (-(1 << 62), (1 << 62) - 1), (-(1 << 61), 1 << 60), FULL, (0, (1 << 64) - 1), (-(1 << 90), 1 << 90)])
def test_sums_and_extremes_of_numbers_that_do_not_fit_a_word_together(of: tuple[int, int], tmp_path: Path) -> None:
    luck = random.Random(sum(of))
    edge = Edge((-(1 << 100), 1 << 100))
    base, over, big = edge.slot("a", Int(*of), 5), edge.slot("over", SetType(Int(0, 4))), edge.slot("m", Int(0, 70), 5)
    var = edge.local(Int(0, 8))
    entry: ir.Expr = ir.Load(base, ir.Local(var), 5)
    some, small = ir.Binary("ne", ir.Local(var), ir.Const(2)), ir.Load(big, ir.Local(var), 5)
    for test in (ir.Const(1), some):
        for kind in ("sum", "min", "max"):
            fold = ir.Fold(kind, var, ir.Load(over), test, entry, 0, ir.Const(-7))
            lo, hi = (5 * of[0], 5 * of[1]) if kind == "sum" else of
            edge.computes(fold, ir.Within(fold, lo, hi), ir.Within(fold, lo + 1, hi), ir.Within(fold, lo, hi - 1))
            edge.computes(ir.Fold(kind, var, ir.Load(over), test, entry, 0, None))
        edge.computes(ir.Fold("set", var, ir.Load(over), test, small, 0), ir.Fold("set", var, ir.Load(over), test, ir.Binary("sub", small, ir.Const(1)), 0))
        if of[0] >= 0:
            edge.computes(ir.Fold("union", var, ir.Load(over), test, entry, 0))
        edge.computes(*(ir.Fold(kind, var, ir.Load(over), test, ir.Binary("gt", entry, ir.Const(0)), 0) for kind in ("any", "all")))
    values = [of[0], of[1], *(x for x in (-1, 0, 1, of[1] // 2, of[0] // 2) if of[0] <= x <= of[1])]
    starts: list[dict[int, int]] = []
    for n in range(edge.things):
        for row in ([of[0]] * 5, [of[1]] * 5, [luck.choice(values) for _ in range(5)], [luck.choice(values) for _ in range(5)]):
            chosen = {base + k: x for k, x in enumerate(row)} | {big + k: luck.choice((0, 1, 63, 64, 70)) for k in range(5)}
            starts += [{0: n, over: mask, **chosen} for mask in (31, 0, 4, luck.randrange(32))]
    count, beyond = compared(edge.program(), starts, tmp_path)
    assert count > 400 and not beyond


@pytest.mark.parametrize("cards", [0, 1, 5, 8, 32, 63, 64, 70])
def test_zones_that_there_are_not_have_no_cards(cards: int, tmp_path: Path) -> None:
    """Numbers of zones as small as locations are stored, and larger ones that end in the same bits."""
    luck = random.Random(cards)
    edge = Edge((-1, (1 << 70) - 1))
    edge.lay_cards(cards, 3)
    var = edge.local(OptionType(CardType("Card", cards)))
    numbers = [edge.slot("byte", Int(-128, 127)), edge.slot("z", Int(-300, 600)), edge.slot("y", Int(*FULL)), edge.slot("x", Int(-1, (1 << 68) - 1))]
    for z in numbers:
        there = ir.ZoneCards(ir.Load(z))
        edge.computes(there, ir.Unary("size", there), ir.PileTop(ir.Load(z)))
        edge.computes(*(ir.PileFind(ir.Load(z), var, test, top) for top in (False, True) for test in (
            ir.Const(1), ir.Binary("ne", ir.Local(var), ir.Const(1)))))
    starts: list[dict[int, int]] = []
    for n in range(edge.things):
        z = numbers[n // 7]
        lo, hi = domain(edge.slots[z].type)
        for number in (0, 1, 2, -1, 3, 127, 128, 256, 258, -254, -256, 1 << 32, (1 << 64) + 1, (1 << 68) - 1):
            if lo <= number <= hi:
                laid = {edge.location + c: luck.choice((-1, 0, 1, 2, 2)) for c in range(cards)}
                height = dict.fromkeys(range(-1, 3), 0)
                for c in luck.sample(range(cards), cards):
                    where = laid[edge.location + c]
                    laid[edge.rank + c] = height[where] if where >= 0 else 0
                    height[where] += luck.choice((1, 1, 1, 0))
                starts.append({0: n, z: number, **laid})
    count, beyond = compared(edge.program(), starts, tmp_path)
    assert count == 287 and beyond == (14 if cards else 0)  # numbers of zones that take more than a word


def test_what_no_column_holds_is_in_no_entry(tmp_path: Path) -> None:
    """Numbers that end in the same bits as those that are there; entries of one number and of several."""
    edge = Edge((0, 9))
    of: Sequence[tuple[int, int]] = ((-4, 3), (0, 6), (-1, (1 << 62) - 1))
    asked: list[tuple[list[int], int, list[int]]] = []
    for width in (1, 2, 3):
        columns = [edge.slot(f"column{k}", Int(*of[k]), 3) for k in range(width)]
        head = edge.slot("head", Int(0, 3))
        name = f"notes{width}"
        edge.containers[name] = ContainerInfo(name, head, tuple(columns), 3, Int(0, 0), False)
        for sort in (Int(*FULL), Int(-(1 << 70), 1 << 70), Int(-5, 9)):
            values = [edge.slot("value", sort) for _ in range(width)]
            asked.append((columns, head, values))
            edge.does(ir.Remove(name, tuple(ir.Load(v) for v in values)))
    luck = random.Random(1)
    starts: list[dict[int, int]] = []
    for n, (columns, head, values) in enumerate(asked):
        lo, hi = domain(edge.slots[values[0]].type)
        for _ in range(60):
            entries = sorted(tuple(luck.randint(max(of[k][0], -2), min(of[k][1], 3)) for k in range(len(columns))) for _ in range(luck.randint(1, 3)))
            chosen = {head: len(entries), **{c + k: e[x] for k, e in enumerate(entries) for x, c in enumerate(columns)}}
            for v, x in zip(values, luck.choice(entries), strict=True):
                odd = x + luck.choice((0, 0, 0, 8, 7, 256, 1 << 16, 1 << 32, 1 << 64, -(1 << 64)))
                chosen[v] = odd if lo <= odd <= hi else x
            starts.append({0: n, **chosen})
    count, beyond = compared(edge.program(), starts, tmp_path)
    assert count == 540 and not beyond


SIDE_BY_SIDE = ((0, 9), (-3, 3), (0, 200), (0, 9), (2, 5))


@pytest.mark.parametrize("alike", [False, True])
def test_slots_side_by_side_hold_each_what_it_can(alike: bool, tmp_path: Path) -> None:
    edge = Edge((0, 9))
    where, value = edge.slot("k", Int(-1, 5)), edge.slot("value", Int(-300, 300))
    base = len(edge.slots)
    for n, (lo, hi) in enumerate(SIDE_BY_SIDE):
        edge.slot(f"of {n}", Int(*(SIDE_BY_SIDE[0] if alike else (lo, hi))))
    for op in ("set", "add"):
        edge.does(ir.Store(base, ir.Load(where), 5, ir.Load(value), op))
        for n in range(5):
            edge.does(ir.Store(base + n, None, 1, ir.Load(value), op))
    starts = [{0: n, where: k, value: v} for n in range(edge.things) for k in (range(-1, 6) if n in (0, 6) else (0,))
              for v in (-300, -4, -3, -1, 0, 2, 3, 4, 5, 6, 9, 10, 199, 201, 300)]
    count, beyond = compared(edge.program(), starts, tmp_path)
    assert count == 15 * (14 + 10) and not beyond


COUNTS = """
class Game(State):
    bag: Bag
    n: Annotated[int, Range(0, 300)]

@procedure
async def main(g: Game) -> None:
    for p in PLAYERS:
        g.n += 1
    g.n += len(g.bag)
    await choose(FIRST, {1, 2})
"""


@pytest.mark.parametrize("cards", [62, 64, 126, 128, 190, 192, 254])
def test_sets_of_as_many_cards_as_numbers_have_bits(cards: int, tmp_path: Path) -> None:
    """No set is stored: what it takes to compute with one is known by the number of cards alone."""
    each = [CardDef(f"C{k}", Text.same(f"C{k}"), Position("cards", 1, 1)) for k in range(cards // 2)]
    program = compiled(HEAD + COUNTS, world_of(each), keep_unread=True)
    place = program.layout.location
    count, beyond = compared(program, [{place + c: 0 for c in range(n)} for n in (0, 1, cards // 2, cards - 1, cards)], tmp_path)
    assert count == 5 and not beyond


@pytest.mark.parametrize("capacity", [1, 3, 64, 100])
def test_the_place_of_a_new_entry_needs_no_test(capacity: int, tmp_path: Path) -> None:
    """A reference to an entry holds the places that there are, and no more."""
    edge = Edge((0, 999))
    head, column = edge.slot("head", SetType(Int(0, capacity - 1))), edge.slot("column", Int(0, 9), capacity)
    edge.containers["attacks"] = ContainerInfo("attacks", head, (column,), capacity, Int(0, 0), True)
    place = edge.local(Int(0, capacity - 1))
    edge.does(ir.New("attacks", (ir.Const(4),), place), ir.Store(1, None, 1, ir.Local(place), "set"))
    program = edge.program()
    main = next(f for f in write(program).text.split("\ndefine ") if f.startswith("internal i64 @f0("))
    assert main.count("call void @halt") == 1 and f"@halt(ptr %c, i64 {ESCAPE}," not in main
    used = [(1 << n) - 1 for n in range(capacity + 1)] + [((1 << capacity) - 1) ^ 1 << n for n in range(capacity)]
    starts = [{0: 0, head: mask, **{column + k: 5 for k in range(capacity) if mask >> k & 1}} for mask in used]
    count, beyond = compared(program, starts, tmp_path)
    assert count == 2 * capacity + 1 and not beyond


@pytest.mark.parametrize("op", ["div", "mod"])
def test_what_is_wrong_first_is_the_same_everywhere(op: ir.BinaryOp, tmp_path: Path) -> None:
    """A dividend that leaves its bounds over a divisor that is 0, or that faults itself: the divisor is looked at first."""
    edge = Edge((-99, 99))
    number, mask = edge.slot("number", Int(0, 9)), edge.slot("mask", SetType(Int(0, 3)))
    above = ir.Binary(op, ir.Within(ir.Load(number), 0, 3), ir.Binary("sub", ir.Load(number), ir.Const(5)))
    below = ir.Binary(op, ir.Within(ir.Load(number), 0, 3), ir.Unary("lowest", ir.Load(mask)))
    edge.computes(above, below)
    for name, e in (("above", above), ("below", below)):
        edge.functions[name] = Function(name, "define", 0, [], [ir.Return(e)], Int(-99, 99))
    program = edge.program()
    values = [(x, y) for x in range(10) for y in (0, 1, 2)]
    starts = [{0: which, number: x, mask: y} for which in (0, 1) for x, y in values]
    assert compared(program, starts, tmp_path) == (len(starts), 0)
    engine, symbolic = Interpreter(program), Symbolic(program)
    first = engine.start().state
    states = [first._replace(slots=tuple({number: x, mask: y}.get(k, v) for k, v in enumerate(first.slots))) for x, y in values]
    for name in ("above", "below"):
        said = define_agrees(engine, symbolic, program.functions[name], states, random.Random(1))
        assert said["fault"] and said["bound"] and said["value"]
