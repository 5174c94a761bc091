"""Where things lie while a transition runs: the slots of the state, frames, and what the machinery itself needs.

Two blocks of bytes. The *slots* are those of the layout, each in the least of 1, 2, 4, 8 bytes (or whole words) that
holds its domain; slots that are indexed together lie side by side at one size. The *context* has everything else, at
fixed offsets; its head is the same for every program, so that one core runs them all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...model.ir import nodes as ir
from ...model.ir.flow import live_across_calls, liveness, walk
from ...model.ir.program import Function, Program
from ...model.ir.types import Role, domain

WIDEST = 256
"""Bits of the widest number compiled code handles."""


class Unsupported(Exception):
    """What this program needs is not available in compiled code; the interpreter takes over. `why`: what it is."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


# The head of the context: offsets of words.
(
    END,
    END_WHO,
    CROSSING,
    DEPTH,
    OWNER,
    OPTIONS,
    BATCH,
    INNER,
    LOG,
    EVENT_FIRST,
    EVENT_TOP,
    OBJECTS,
    EPOCH,
    TABLES,
    DECIDER,
) = (8 * k for k in range(15))
"""`OWNER` and `OPTIONS` are of the choice listed last; `DECIDER` is the owner of the state whose successors are made."""
END_VALUE = 128
RETURNED = END_VALUE + WIDEST // 8
KEY_WORDS = RETURNED + WIDEST // 8
HEAD = KEY_WORDS + 128

MOST_EVENTS, MOST_WRITES, MOST_OBJECTS = 512, 4096, 2048
MOST_OFFERED = 16_384
"""Different options of one choice that are collected before compiled code gives up."""


def fits(lo: int, hi: int) -> bool:
    """Does one machine word hold all numbers from lo to hi?"""
    return lo >= -(1 << 63) and hi < 1 << 63


def bits_for(lo: int, hi: int) -> int:
    """Bits that tell the numbers from lo to hi apart."""
    return max(0, hi - lo).bit_length()


def storage(lo: int, hi: int, wide: int) -> tuple[str, int]:
    """The type that holds the numbers from lo to hi, and its bytes."""
    for bits in (8, 16, 32, 64):
        if -(1 << (bits - 1)) <= lo and hi < 1 << (bits - 1):
            return f"i{bits}", bits // 8
    return f"i{wide}", wide // 8


@dataclass(frozen=True)
class Cell:
    """Where a number lies: bytes from the beginning, type, and the numbers it may be."""

    offset: int
    of: str
    lo: int
    hi: int


@dataclass(frozen=True)
class Site:
    """A place where a frame can rest: at a label (`top`), or waiting for what it called. `live`: the locals that
    matter there."""

    number: int
    function: int
    pc: int
    top: bool
    live: tuple[int, ...]


@dataclass(frozen=True)
class FrameShape:
    """The frame of a function: a cell for each local; how many bytes."""

    cells: tuple[Cell, ...]
    size: int


class Memory:
    """All offsets of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        layout = program.layout
        self.functions = list(program.functions.values())
        self.number = {f.name: k for k, f in enumerate(self.functions)}
        self.domains = [domain(s.type) for s in layout.slots]
        self.local_domains = [[domain(x.type) for x in f.locals] for f in self.functions]
        self.results = [result_domain(f) for f in self.functions]
        everything = [*self.domains, *(d for f in self.local_domains for d in f), *self.results,
                      *((min(t, default=0), max(t, default=0)) for t in program.tables)]
        kept = max((max(lo.bit_length(), hi.bit_length()) + 1 for lo, hi in everything), default=1)
        constants = (
            n.value.bit_length() + 1 for f in self.functions for i in f.code for n in walk(i) if isinstance(n, ir.Const)
        )
        needed = max(
            [kept, layout.card_count + 1, *(bits for bits in constants if bits <= WIDEST)]
        )  # of larger ones code gives up
        self.wide = 128 if needed <= 128 else 192 if needed <= 192 else WIDEST
        if needed > WIDEST:
            raise Unsupported(f"a set of {needed - 1} things")
        self.word = 8 if kept <= 64 else self.wide // 8
        self._slots()
        self._tables()
        self._sites()
        self._frames()
        self._context()

    # ------------------------------------------------------------ slots
    def _slots(self) -> None:
        layout = self.program.layout
        n = len(layout.slots)
        blocks = [(b, layout.card_count) for b in layout.per_card]
        blocks += [(c, m.capacity) for m in layout.containers.values() for c in m.columns]
        blocks.extend(
            (x.base, x.count) for f in self.functions for i in f.code for x in walk(i)
            if isinstance(x, ir.Load | ir.Store) and x.index is not None)
        reach = list(range(1, n + 1))
        for base, count in blocks:
            if count > 0:
                reach[base] = max(reach[base], base + count)
        self.cells: list[Cell] = []
        offset, k = 0, 0
        while k < n:
            last, j = reach[k], k
            while j < last:  # ranges that overlap are one block
                last, j = max(last, reach[j]), j + 1
            lo = min(self.domains[j][0] for j in range(k, last))
            hi = max(self.domains[j][1] for j in range(k, last))
            of, size = storage(lo, hi, self.wide)
            offset = aligned(offset, 64 if k == layout.location and layout.card_count else min(size, 8))
            for j in range(k, last):
                self.cells.append(Cell(offset, of, *self.domains[j]))
                offset += size
            if k <= layout.location < last:
                offset = aligned(offset, 64)
            k = last
        self.slot_bytes = aligned(offset, 64) + 64
        self.objects = [k for k, s in enumerate(layout.slots) if s.type.role is Role.OBJECT]

    def size_of(self, of: str) -> int:
        return int(of[1:]) // 8

    # ------------------------------------------------------------ tables
    def _tables(self) -> None:
        """Tables are data, not code: all that code knows of them is how long they are and how wide their entries."""
        self.tables: list[tuple[int, int, int, int]] = []
        """Of each: offset, bytes of an entry, and the bounds that code may rely on."""
        offset = 0
        for t in self.program.tables:
            lo, hi = rough(min(t, default=0), max(t, default=0))
            size = 8 if fits(lo, hi) else self.wide // 8
            if size > 8:
                lo, hi = max(lo, -(1 << (self.wide - 1))), min(hi, (1 << (self.wide - 1)) - 1)
            self.tables.append((offset, size, lo, hi))
            offset += size * max(1, len(t))
        self.table_bytes = offset

    def table_data(self) -> bytes:
        """The tables as they lie in memory."""
        out = b""
        for t, (_, size, _, _) in zip(self.program.tables, self.tables, strict=True):
            out += b"".join(v.to_bytes(size, "little", signed=True) for v in (t or (0,)))
        return out

    # ------------------------------------------------------------ frames
    def _sites(self) -> None:
        self.sites: list[Site] = []
        self.site_at: dict[tuple[int, int, bool], Site] = {}
        for number, f in enumerate(self.functions):
            if f.kind != "procedure":
                continue
            live = liveness(f)
            across = live_across_calls(f, live)
            for pc, i in enumerate(f.code):
                if isinstance(i, ir.Label | ir.Choose | ir.ChooseSome | ir.Consult) or (
                    isinstance(i, ir.Invoke) and i.stop
                ):
                    self._site(number, pc, True, live[pc])
                if isinstance(i, ir.Invoke) and not i.tail:
                    self._site(number, pc, False, across[pc])
        self.handlers: dict[tuple[int, int], int] = {}
        """Where a signal can lead: (function, place in its code) → the code by which it is resumed."""
        for number, f in enumerate(self.functions):
            for h in f.handlers:
                self.handlers.setdefault((number, h.target), len(self.sites) + len(self.handlers))

    def _site(self, function: int, pc: int, top: bool, live: Iterable[int]) -> None:
        site = Site(len(self.sites), function, pc, top, tuple(sorted(live)))
        self.sites.append(site)
        self.site_at[function, pc, top] = site

    def _frames(self) -> None:
        """A frame: function, site, and the locals."""
        self.frames: list[FrameShape] = []
        for k, f in enumerate(self.functions):
            cells: list[Cell] = []
            offset = 16
            for (lo, hi), x in zip(self.local_domains[k], f.locals, strict=True):
                of, size = (
                    ("i64", 8) if x.type.role is Role.OBJECT or fits(lo, hi) else (f"i{self.wide}", self.wide // 8)
                )
                cells.append(Cell(offset, of, lo, hi))
                offset += size
            self.frames.append(FrameShape(tuple(cells), offset))
        self.frame_bytes = max(
            (s.size for s, f in zip(self.frames, self.functions, strict=True) if f.kind == "procedure"), default=16
        )
        self.depth = self.program.stack_depth

    # ------------------------------------------------------------ context
    def _context(self) -> None:
        layout, word = self.program.layout, self.word
        offset = HEAD

        def region(size: int) -> int:
            nonlocal offset
            at, offset = offset, aligned(offset + size, 64)
            return at
        arity = max((f.arity for f in self.functions), default=0)
        widths = [len(i.locals) if isinstance(i, ir.Choose) else 1 for f in self.functions for i in f.code
                  if isinstance(i, ir.Choose | ir.ChooseSome | ir.Consult)]
        columns = [len(m.columns) for m in layout.containers.values()]
        self.option_width = max(widths, default=1)
        self.option_bytes = max(1, self.option_width) * word
        self.payload = max([3, *columns])
        self.write_bytes = 24 + self.payload * word
        self.event_bytes = 8 + arity * word
        self.frame_at = region((self.depth + 1) * self.frame_bytes)
        self.chosen_at = region(self.option_bytes)
        self.objects_at = region(MOST_OBJECTS * 8)
        self.events_at = region(MOST_EVENTS * self.event_bytes)
        self.log_at = region(MOST_WRITES * self.write_bytes)
        self.places_at = region((len(layout.slots) + layout.card_count + 1) * 8)
        self.options_at = region((MOST_OFFERED + 1) * self.option_bytes)
        self.weights_at = region((MOST_OFFERED + 1) * 8)
        self.buckets_at = region(2 * MOST_OFFERED * 8)
        self.base_options_at = region((MOST_OFFERED + 1) * self.option_bytes)
        self.base_weights_at = region((MOST_OFFERED + 1) * 8)
        self.base_slots_at = region(self.slot_bytes)
        self.base_frames_at = region((self.depth + 1) * self.frame_bytes)
        self.slots_at = region(self.slot_bytes)
        self.called_at = region(len(self.functions))
        """A byte for each function: was it called?"""
        self.context_bytes = offset

    def more(self, size: int) -> int:
        """Another region of the context, for so many bytes."""
        at, self.context_bytes = self.context_bytes, aligned(self.context_bytes + size, 64)
        return at


def result_domain(f: Function) -> tuple[int, int]:
    """Between which bounds the result of a function lies."""
    return domain(f.result) if f.result.width == 1 else (0, 0)


def rough(lo: int, hi: int) -> tuple[int, int]:
    """Bounds that stay the same when a number on a card changes a little."""
    for bits in (15, 31, 62):
        if -(1 << bits) <= lo and hi < 1 << bits:
            return (0 if lo >= 0 else -1 if lo >= -1 else -(1 << bits)), (1 << bits) - 1
    return (0 if lo >= 0 else -1 if lo >= -1 else -(1 << lo.bit_length())), (1 << max(63, hi.bit_length())) - 1


def aligned(offset: int, to: int) -> int:
    return -(-offset // to) * to


