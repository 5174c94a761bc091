"""Reading a line of a card's text as the phrases it consists of; what is no sanctioned phrase is refused, with the nearest
one that is."""
from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from .diagnostics import Collector, Diagnostic, Position, did_you_mean, shown
from .document import TextNode
from .normal import NUMERAL, Normal, normal
from .phrases import SLOT, Anything, Kind, Number, Phrase, Phrases, Slot
from .text import Text

MOST_ALIKE = 2
"""Readings of the same piece of text that are kept: a second one is an ambiguity, and a third says no more."""
NEAR = 0.5
"""How alike a phrase has to be that is named instead."""


@dataclass(frozen=True)
class Match:
    """A piece of text read as a phrase, or as a number or a free text (without one)."""

    kind: str
    phrase: Phrase | None
    start: int
    end: int
    children: tuple[tuple[str, Match], ...] = ()


Ends = dict[int, tuple[Match, ...]]
Rows = dict[int, tuple[tuple[tuple[str, Match], ...], ...]]


@dataclass(frozen=True)
class Failure:
    """Something that was looked for at a place in vain: a piece of text, or a kind. `phrase` wanted it."""

    at: int
    phrase: Phrase
    wanted: str | Slot


class Chart:
    """All ways to read a text, each worked out once."""

    def __init__(self, text: str, phrases: Phrases) -> None:
        self.text = text
        self.phrases = phrases
        self.kinds: dict[tuple[str, int], Ends] = {}
        self.rows: dict[tuple[int, int, int], Rows] = {}
        self.failures: list[Failure] = []
        self.beginnings: dict[int, set[str]] = {}
        """Where parts of a line were looked for, and of which kinds."""
        self.limits: dict[int, Number] = {}
        """Numbers that were there, but too small or too large."""

    def whole(self) -> tuple[Match, ...]:
        """The readings of the whole line."""
        return self.kind(self.phrases.line, 0).get(len(self.text), ())

    def kind(self, name: str, at: int) -> Ends:
        """What begins here of a kind, by where it ends."""
        known = self.kinds.get((name, at))
        if known is None:
            known = self.kinds[name, at] = self.of_kind(name, self.phrases.kinds[name], at)
        return known

    def of_kind(self, name: str, kind: Kind, at: int) -> Ends:
        match kind:
            case Number(low, high):
                found = re.compile(r"[+-]?\d+").match(self.text, at)
                if found is None:
                    return {}
                if not low <= int(found[0]) <= high:
                    self.limits[at] = kind
                    return {}
                return {found.end(): (Match(name, None, at, found.end()),)}
            case Anything():
                return {}
            case _:
                out: Ends = {}
                for p in kind:
                    for end, rows in self.row(p, 0, at).items():
                        new = tuple(Match(name, p, at, end, row) for row in rows)
                        out[end] = (*out.get(end, ()), *new)[:MOST_ALIKE]
                return out

    def row(self, p: Phrase, k: int, at: int) -> Rows:
        """What the parts of a phrase from the k-th on can be, from here on."""
        if k == len(p.parts):
            nothing: tuple[tuple[str, Match], ...] = ()
            return {at: (nothing,)}
        at = self.behind_space(at) if k else at
        key = id(p), k, at
        known = self.rows.get(key)
        if known is None:
            known = self.rows[key] = self.from_part(p, k, at)
        return known

    def behind_space(self, at: int) -> int:
        """Where what stands in a slot is in Latin letters, as is what stands beside it, a space is between them."""
        return at + self.text.startswith(" ", at)

    def from_part(self, p: Phrase, k: int, at: int) -> Rows:
        part = p.parts[k]
        if isinstance(part, str):
            if self.text.startswith(part, at):
                return self.row(p, k + 1, at + len(part))
            same = next((i for i, c in enumerate(part) if self.text[at + i : at + i + 1] != c), 0)
            self.failures.append(Failure(at + same, p, part))
            return {}
        self.note_beginning(p, k, at)
        out: Rows = dict(self.row(p, k + 1, at)) if part.optional else {}
        found = (
            self.anything(p, k, at) if isinstance(self.phrases.kinds[part.kind], Anything) else self.kind(part.kind, at)
        )
        if not found:
            self.failures.append(Failure(at, p, part))
        for end, matches in found.items():
            rests = self.row(p, k + 1, end)
            if part.repeat in ("*", "+"):
                rests = joined(rests, self.again(p, k, end))
            for after, rows in rests.items():
                new = tuple(((part.name, m), *row) for m in matches for row in rows)
                out[after] = (*out.get(after, ()), *new)[:MOST_ALIKE]
        return out

    def again(self, p: Phrase, k: int, at: int) -> Rows:
        """One more of a repeated part."""
        at = self.behind_space(at)
        key = id(p), -k - 1, at
        known = self.rows.get(key)
        if known is None:
            part = p.parts[k]
            assert isinstance(part, Slot)
            self.note_beginning(p, k, at)
            known = {}
            for end, matches in self.kind(part.kind, at).items():
                for after, rows in joined(self.row(p, k + 1, end), self.again(p, k, end)).items():
                    new = tuple(((part.name, m), *row) for m in matches for row in rows)
                    known[after] = (*known.get(after, ()), *new)[:MOST_ALIKE]
            self.rows[key] = known
        return known

    def note_beginning(self, p: Phrase, k: int, at: int) -> None:
        """Here a part of a line may begin."""
        part = p.parts[k]
        if p.kind == self.phrases.line and isinstance(part, Slot) and not any(isinstance(x, str) for x in p.parts[:k]):
            self.beginnings.setdefault(at, set()).add(part.kind)

    def anything(self, p: Phrase, k: int, at: int) -> Ends:
        """Free text up to what stands behind the slot."""
        part, behind = p.parts[k], p.parts[k + 1] if k + 1 < len(p.parts) else None
        assert isinstance(part, Slot)
        end = self.text.find(behind, at) if isinstance(behind, str) else len(self.text)
        end -= self.text.startswith(" ", end - 1)
        return {end: (Match(part.kind, None, at, end),)} if end > at else {}


def joined(a: Rows, b: Rows) -> Rows:
    """Both, by where they end."""
    out = dict(a)
    for end, rows in b.items():
        out[end] = (*out.get(end, ()), *rows)[:MOST_ALIKE]
    return out


# ---------------------------------------------------------------- a line, and what is wrong with it
def read_line(node: TextNode, line: int, text: str, phrases: Phrases, report: Collector) -> tuple[Match, Normal] | None:
    """One line of a card's text (the `line`-th of the node); None if it is refused, which is reported."""
    form = normal(text, phrases.notes)
    if not form.text:
        return None
    chart = Chart(form.text, phrases)
    match chart.whole():
        case ():
            refuse_line(chart, Where(node, line, form, text), report)
            return None
        case (only,):
            return only, form
        case (one, two, *_):
            report.add(ambiguous(one, two, Where(node, line, form, text)))
            return None


@dataclass(frozen=True)
class Where:
    """A line of a text, in its file."""

    node: TextNode
    line: int
    form: Normal
    text: str

    def at(self, place: int) -> Position:
        """Where a character of the normal form stands in the file."""
        return self.node.position_in(self.line, self.form.places[min(place, len(self.form.places) - 1)] + 1)

    def written(self, start: int, end: int) -> str:
        """A piece of the normal form, as it was written."""
        return self.text[self.form.places[start] : self.form.places[min(end, len(self.form.places) - 1)]]


def ambiguous(a: Match, b: Match, where: Where) -> Diagnostic:
    """Two readings of one text are a mistake of `phrases.yaml`: it says two things in the same words."""
    one, two = parting(a, b)
    assert one.phrase is not None and two.phrase is not None
    text, at = where.written(one.start, max(one.end, two.end)), where.at(one.start)
    first = one.phrase.position
    return Diagnostic(two.phrase.position, "ambiguous-phrases", Text(
        ja=f"「{shown(text)}」（{at}）は、この定型文とも {first.line} 行目の定型文とも読めます",
        en=f"`{shown(text)}` ({at}) can be read as this phrase, and as the one in line {first.line}",
    ), Text(ja="どちらか一方にしか当てはまらないように、定型文を変えてください",
            en="change the phrases so that only one of them fits"), two.phrase.written)


def parting(a: Match, b: Match) -> tuple[Match, Match]:
    """Where two readings first differ."""
    if a.phrase is b.phrase:
        for (_, x), (_, y) in zip(a.children, b.children, strict=False):
            if x != y:
                return parting(x, y) if x.phrase is not None and y.phrase is not None else (a, b)
    return a, b


STOP = re.compile(r"[。\]]")


def refuse_line(chart: Chart, where: Where, report: Collector) -> None:
    """Say what is wrong, and go on behind the next full stop with what could stand there."""
    text, start = chart.text, max(chart.beginnings, default=0)
    furthest = max((f.at for f in chart.failures), default=0)
    stop = STOP.search(text, max(furthest, start))
    end = len(text) if stop is None else stop.start()
    report.add(_said(chart, where, start, max(furthest, start), end))
    kinds = chart.beginnings.get(start, set())
    rest = end + 1
    while stop is not None and rest < len(text):
        again = Chart(text, chart.phrases)
        here = max((e for k in kinds for e in again.kind(k, rest)), default=rest)
        if here == rest:
            furthest = max((f.at for f in again.failures), default=rest)
            stop = STOP.search(text, max(furthest, rest))
            end = len(text) if stop is None else stop.start()
            again.beginnings[rest] = kinds
            report.add(_said(again, where, rest, max(furthest, rest), end))
            here = end + 1
        rest = here


def _said(chart: Chart, where: Where, start: int, furthest: int, end: int) -> Diagnostic:
    """What is wrong with the text from `start` on, of which the part before `furthest` could be read."""
    failures = [f for f in chart.failures if f.at == furthest]
    written = where.written(start, end) or where.written(start, end + 1)
    number = number_hint(chart, failures, furthest, where)
    if number is not None:
        return number
    wanted = {f.wanted for f in failures if isinstance(f.wanted, str)}
    stops = [one for one in wanted if STOP.fullmatch(one)]
    if furthest >= len(chart.text) and (
        stops or (len(wanted) == 1 and all(isinstance(f.wanted, str) for f in failures))
    ):
        rest = min(stops) if stops else wanted.pop()
        there = next(n for n in range(len(rest) - 1, -1, -1) if chart.text.endswith(rest[:n]))
        rest = rest[there:].replace("、", ", ").strip() if chart.text.replace("、", "").isascii() else rest[there:]
        return Diagnostic(where.at(furthest), "phrase-unfinished", Text(
            ja=f"「{shown(written)}」は、途中で終わっています", en=f"`{shown(written)}` breaks off",
        ), Text(ja=f"続けて「{rest}」と書いてください", en=f"go on with `{rest}`"), None)
    if (other := of_another_kind(chart, start, end)) is not None:
        kind, around = other
        return Diagnostic(where.at(start), "phrase-elsewhere", Text(
            ja=f"「{shown(written)}」は、ここに書ける定型文ではありません", en=f"`{shown(written)}` is a registered phrase, and not possible here",
        ), Text(ja=f"「{kind}」の定型文です。「{around.written}」のように書きます", en=f"it is a phrase of the kind {kind}, which stands in `{around.written}`"), where.written(start, end))
    near = nearest_phrase(chart, start, furthest, end)
    hint = None if near is None else Text(ja=f"もしかして「{near.written}」ですか", en=f"did you mean `{near.written}`?")
    slots = {f.wanted.kind for f in failures if isinstance(f.wanted, Slot)}
    only = next(iter(slots)) if len(slots) == 1 and furthest > start else None
    if only is not None and (choices := plain_words(chart.phrases.kinds[only])):
        word = where.written(furthest, end)
        longest = max(map(len, choices))
        near_word = did_you_mean(word[:longest], choices, label=Text(ja=f"「{only}」として書けるもの", en=f"possible as {only}"))
        hint = near_word or hint
    if furthest <= start:
        message = Text(ja=f"「{shown(written)}」は、登録された定型文ではありません", en=f"`{shown(written)}` is no registered phrase")
    else:
        from_here = where.written(furthest, end) or where.written(furthest, end + 1)
        message = Text(
            ja=f"「{shown(written)}」は、登録された定型文ではありません（「{shown(from_here)}」から先が違います）",
            en=f"`{shown(written)}` is no registered phrase (it differs from `{shown(from_here)}` on)")
    return Diagnostic(where.at(furthest), "unknown-phrase", message, hint, where.written(furthest, end) or None)


def of_another_kind(chart: Chart, start: int, end: int) -> tuple[str, Phrase] | None:
    """The kind of which all that stands there is a phrase, though that is not looked for there; and a phrase around such a one."""
    again, here = Chart(chart.text, chart.phrases), chart.beginnings.get(start, {chart.phrases.line})
    for name, kind in chart.phrases.kinds.items():
        if (
            name not in here
            and isinstance(kind, tuple)
            and any(m.phrase is not None and len(m.phrase.skeleton) > 1 for m in again.kind(name, start).get(end, ()))
        ):
            around = min(
                (p for p in chart.phrases.all() if any(slot.kind == name for slot in p.slots)),
                key=lambda p: len(p.written),
                default=None,
            )
            return None if around is None else (name, around)
    return None


def number_hint(chart: Chart, failures: list[Failure], at: int, where: Where) -> Diagnostic | None:
    """A number is wanted, and there is one in another form, or one out of range."""
    wanted = [
        k
        for f in failures
        if isinstance(f.wanted, Slot) and isinstance(k := chart.phrases.kinds[f.wanted.kind], Number)
    ]
    if not wanted:
        return None
    character = chart.text[at : at + 1]
    if at in chart.limits:
        found = re.compile(r"[+-]?\d+").match(chart.text, at)
        low, high = min(k.low for k in wanted), max(k.high for k in wanted)
        assert found is not None
        return Diagnostic(where.at(at), "out-of-range", Text(
            ja=f"ここに書ける数は {low} から {high} までです", en=f"only numbers from {low} to {high} are possible here"), None, found[0])
    if character in NUMERAL and reads_further(chart, at, str(NUMERAL[character])):
        return Diagnostic(where.at(at), "numeral", Text(
            ja=f"「{character}」は数字で書きます", en=f"`{character}` is written in digits"),
            Text(ja=f"{NUMERAL[character]} と書いてください", en=f"write `{NUMERAL[character]}`"), character)
    return None


def reads_further(chart: Chart, at: int, digits: str) -> bool:
    """Can more be read with these digits in place of the character?"""
    again = Chart(chart.text[:at] + digits + chart.text[at + 1 :], chart.phrases)
    return bool(again.whole()) or max((f.at for f in again.failures), default=0) > at + len(digits)


def plain_words(kind: Kind) -> list[str]:
    """The words of a kind that consists of nothing but words."""
    if isinstance(kind, tuple) and all(not p.slots for p in kind):
        return [p.written for p in kind]
    return []


# ---------------------------------------------------------------- the nearest phrase
def nearest_phrase(chart: Chart, start: int, furthest: int, end: int) -> Phrase | None:
    """The phrase that was probably meant: what could be read so far counts, and how alike the rest is. Not one that is there as far as it
    was read, and lacks something in one of its slots: then what can stand in the slot is compared."""
    kinds = chart.beginnings.get(start, {chart.phrases.line})
    here = [f for f in chart.failures if f.at == furthest > start]
    reached = {f.phrase.position for f in here}
    there = {f.phrase.position for f in chart.failures if f.at > start and isinstance(f.wanted, Slot)}
    whole = [(p, start) for p in _beginning(kinds, chart.phrases)]
    inside = [
        (f.phrase, furthest - read_of(f.phrase, chart, start, furthest)) for f in here if isinstance(f.wanted, str)
    ]
    best, most = None, NEAR
    for p, begin in (*whole, *inside):
        text, example = DIGITS.sub("0", chart.text[begin : end + 1]), _example(p, chart.phrases)
        likeness = difflib.SequenceMatcher(None, text[: len(example) * 3 // 2 + 2], example, autojunk=False).ratio()
        likeness += 0.2 if p.position in reached else 0
        if likeness > most and p.position not in there:
            best, most = p, likeness
    return best


def read_of(p: Phrase, chart: Chart, start: int, end: int) -> int:
    """How many characters before `end` can be the beginning of the phrase."""
    return max(
        n
        for n in range(end - start + 1)
        if _example(p, chart.phrases).startswith(DIGITS.sub("0", chart.text[end - n : end]))
    )


DIGITS = re.compile(r"\d+")
SPACES = re.compile(r"\s+")


def _beginning(kinds: set[str], phrases: Phrases) -> Iterator[Phrase]:
    """All phrases that can begin where one of these kinds can, the ones of most words."""
    seen, new = set[str](), sorted(kinds)
    while new:
        name = new.pop(0)
        kind = phrases.kinds[name]
        if name in seen or not isinstance(kind, tuple):
            continue
        seen.add(name)
        for p in kind:
            first = p.parts[0]
            if len(p.skeleton) > 1:
                yield p
            if isinstance(first, Slot):
                new.append(first.kind)


def _example(p: Phrase, phrases: Phrases) -> str:
    """A text that the phrase fits, to compare with."""
    return DIGITS.sub("0", normal(example(p, phrases)).text)


def example(p: Phrase, phrases: Phrases, depth: int = 3) -> str:
    """A text that the phrase fits, as it is registered: what may be missing is, and of each kind the first that there is."""
    slots = iter(p.slots)

    def filled(slot: Slot) -> str:
        if isinstance(kind := phrases.kinds[slot.kind], Number):
            return str(max(kind.low, min(2, kind.high)))
        return example(kind[0], phrases, depth - 1) if isinstance(kind, tuple) and depth and not slot.optional else ""

    return SPACES.sub(" ", SLOT.sub(lambda _: filled(next(slots)), p.written)).strip()
