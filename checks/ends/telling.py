"""What is proved to end, and what keeps the rest from being so, in words: `check BOOK --only ends` (docs/questions.md)."""
from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from ...model.engine.describe import Describer
from ...model.engine.library import load_book
from ...spec.text import Text
from ..findings.cut_off import CUTS
from ..findings.record import Assumption, Bounds, CheckResult, Examined, Given
from ..findings.words import ANYWHERE, ANYWHERE_TITLE
from ..limits.ending import NO_TIME, reason
from ..limits.ending import Part as Interruptible
from ..smt.queries.keeping import Decks, largest_game
from .proving import Found, Part, Place, parts, places, prove
from .quantities import Quantity
from .ranking import NOTHING, Doubt
from .ways import TEXTS

NAMED = 8
"""Clauses and texts that are named of one place."""
NO_CERTIFICATE = Text(ja="証明書は作られません（示していないこと: 独立した検査器による確認）", en="no certificate is made of this (not shown: that an independent checker accepts it)")
DOWN, UP = Text(ja="減る", en="goes down"), Text(ja="増える", en="goes up")


class Teller:
    """Puts what was found of a game into words."""

    def __init__(self, decks: Decks, describer: Describer) -> None:
        self.decks, self.describer, self.words = decks, describer, describer.words
        self.layout = decks.program.layout
        self.labels = {
            slot: label for name, node in self.layout.fields.items() for label, slot, _ in describer.scalars(name, node)
        }

    # ------------------------------------------------------------ what goes down
    def quantity(self, q: Quantity, rule: str) -> Text:
        """A quantity."""
        what = q.what[0]
        match q.kind:
            case "zone":
                assert isinstance(what, int)
                zone = self.describer.zone(what)
                return Text(ja=f"{zone.ja}の枚数", en=f"the number of cards in {zone.en}")
            case "entries":
                word = self.words.of(str(what))
                return Text(ja=f"{word.ja}の件数", en=f"the number of entries in {word.en}")
            case "stated":
                word = self.words.of(str(what))
                return Text(ja=f"{word.ja}（宣言、{what}:{q.what[1]}）", en=f"{word.en} (stated, {what}:{q.what[1]})")
            case "local mark" | "local number" | "local set":
                called = self.words.rule(rule)
                size = ("の要素の数", "the size of ") if q.kind == "local set" else ("", "")
                return Text(ja=f"{called.ja}の途中の値 {q.what[1]}{size[0]}", en=f"{size[1]}{q.what[1]} in {called.en}")
            case _:
                assert isinstance(what, int)
                word = self.labels.get(what) or Text.same(self.layout.slots[what].name)
                if q.kind == "none":
                    return Text(ja=f"{word.ja}がないこと", en=f"that there is no {word.en}")
                if q.kind == "set":
                    return Text(ja=f"{word.ja}の要素の数", en=f"the size of {word.en}")
                return word

    # ------------------------------------------------------------ places
    def place(self, p: Place) -> Text:
        """A loop, or rules that call each other, by name and clause."""
        clauses = " ".join(p.clauses[:NAMED])
        where = f" [{clauses}]" if clauses else ""
        if p.loop:
            name = p.rules[0].partition("[")[0]
            rule, ja, en = self.words.rule(name), "", ""
            if p.line:  # what the tool makes itself is written nowhere
                ja, en = f"（{name}:{p.line}）", f" ({name}:{p.line})"
            return Text(ja=f"「{rule.ja}」の繰り返し{ja}{where}", en=f"the loop of {rule.en}{en}{where}")
        rules = [self.words.rule(x.partition("[")[0]) for x in p.rules if not x.startswith(TEXTS)]
        more = f" +{len(rules) - 4}" if len(rules) > 4 else ""
        ja, en = "、".join(f"「{x.ja}」" for x in rules[:4]), ", ".join(f"“{x.en}”" for x in rules[:4])
        return Text(ja=f"互いを呼ぶ規則（{ja}{more}）{where}", en=f"rules that call each other ({en}{more}){where}")

    def text(self, name: str) -> Text:
        """A text of a card."""
        key = name.partition(" ")[2]
        for k, ability in enumerate(self.decks.world.abilities):
            if f"{self.describer.bearer(k).id}/{ability.id}" == key:
                return self.describer.ability(k)
        return Text.same(key)

    def found(self, f: Found) -> Text:
        """What was found of a place."""
        where = self.place(f.place)
        if f.proved:
            if not f.levels:
                return Text(ja=f"終わると証明: {where.ja}。もう一度回ることがない", en=f"proved to end: {where.en}: nothing leads round it")
            rule = f.place.rules[0].partition("[")[0]
            (first, _), *_ = f.levels
            way, other = (DOWN, UP) if first > 0 else (UP, DOWN)
            said = [(self.quantity(q, rule), None if sign == first else other) for sign, q in f.levels]
            ja = "、次に ".join(x.ja + (f"（{turned.ja}）" if turned else "") for x, turned in said)
            en = ", then ".join(x.en + (f" ({turned.en})" if turned else "") for x, turned in said)
            return Text(ja=f"終わると証明: {where.ja}。一回りごとに{way.ja}: {ja}", en=f"proved to end: {where.en}: on each way round {way.en}: {en}")
        texts = [self.text(x) for x in f.texts[:NAMED]]
        more = len(f.texts) - len(texts)
        said_ja = "、".join(x.ja for x in texts) + (f" ほか{more}" if more > 0 else "")
        said_en = ", ".join(x.en for x in texts) + (f" and {more} more" if more > 0 else "")
        clauses = " → ".join(f.clauses[:NAMED])
        if f.shown:
            return Text(
                ja=f"終わることは未証明: {where.ja}。どの数も減らない回り方がありうる: {clauses or '（条文の印なし）'}" + (f"。カードの文: {said_ja}" if said_ja else ""),
                en=f"not proved to end: {where.en}: there may be a way round on which nothing goes down: {clauses or '(no clause marked)'}" + (
                    f"; texts of cards: {said_en}" if said_en else ""))
        why = f.why or NOTHING
        return Text(ja=f"終わることは未証明: {where.ja}。{why.ja}" + (f"。その途中で行われうるカードの文: {said_ja}" if said_ja else ""),
                    en=f"not proved to end: {where.en}: {why.en}" + (f"; texts of cards that may be carried out on the way: {said_en}" if said_en else ""))

    def doubt(self, d: Doubt, f: Found) -> Text:
        """What is stated, and was not shown."""
        said, where, why = self.quantity(d.quantity, ""), self.place(f.place), d.why
        way = [*map(Text.same, d.clauses[:NAMED]), *map(self.text, d.texts[:NAMED])]
        ja, en = (f": {' → '.join(x.in_(lang) for x in way)}" if way else "" for lang in ("ja", "en"))
        return Text(ja=f"示されていない: {where.ja}の{said.ja}: {why.ja}{ja}", en=f"not shown: {said.en}, stated of {where.en}: {why.en}{en}")

    def part(self, part: Part) -> Text:
        """A phase or a step of play, by name."""
        name, kind = self.words.rule(part.rule), {"phase": ("フェイズ", "phase"), "step": ("ステップ", "step")}[part.kind]
        return Text(ja=f"【{kind[0]}】{name.ja}", en=f"{kind[1]} {name.en}")

    def proved(self, part: Part) -> Text:
        """Of one all of whose loops end."""
        said = self.part(part)
        return Text(ja=f"{said.ja}: 終わると証明（繰り返し{len(part.places)}か所）", en=f"{said.en}: proved to end (loops: {len(part.places)})")

    def unproved(self, some: Sequence[Part], left: Sequence[Place]) -> Text:
        """Of those in which the same loops stand in the way."""
        names, rows, more = [self.part(x) for x in some], [self.place(x) for x in left[:NAMED]], len(left) - NAMED
        ja, en = (f" ほか{more}か所", f" and {more} more") if more > 0 else ("", "")
        return Text(ja=f"未証明: {'、'.join(x.ja for x in names)}。妨げているもの: {'、'.join(x.ja for x in rows)}{ja}",
                    en=f"not proved: {', '.join(x.en for x in names)}; what stands in the way: {', '.join(x.en for x in rows)}{en}")


def ask(
    book: str,
    readings: Mapping[str, str] | None = None,
    stop: Callable[[], bool] | None = None,
    note: Callable[[Text], None] | None = None,
) -> CheckResult:
    """Prove of each part of play of a book that it ends, or say what keeps it from being proved. Raises BadInput."""
    begun, b = time.monotonic(), load_book(book)
    decks = largest_game(b, readings or {})
    found: list[Found] = []

    def keep(done: Sequence[Found]) -> None:
        found[:] = done
        if note is not None:
            note(Text(ja=f"終わることの証明: {len(done)}か所", en=f"proofs that play ends: {len(done)} places"))
    with Interruptible() as done_so_far:
        keep(prove(decks.program, stop, keep))
    found += [Found(place, why=NO_TIME) for place in places(decks.program)[len(found):]]
    return result(
        book,
        decks,
        Describer(decks.program, decks.world, b.vocabulary),
        found,
        readings or {},
        done_so_far.why or reason(stop),
        time.monotonic() - begun,
    )


def result(
    book: str,
    decks: Decks,
    describer: Describer,
    found: Sequence[Found],
    readings: Mapping[str, str],
    cut: str,
    seconds: float,
) -> CheckResult:
    """What was found, as a result."""
    teller = Teller(decks, describer)
    known = {f.place: f for f in found}
    sorts = list(parts(decks.program, places(decks.program)))
    stands = [(p, tuple(x for x in p.places if not known[x].proved)) for p in sorts]
    proved = [p for p, left in stands if not left]
    notes = [
        *map(teller.proved, proved),
        *(
            teller.unproved([p for p, mine in stands if mine == left], left)
            for left in dict.fromkeys(x for _, x in stands if x)
        ),
        *(teller.found(f) for f in sorted(found, key=lambda f: not f.proved)),
        *(teller.doubt(d, f) for f in found for d in f.doubts),
        NO_CERTIFICATE,
        *([CUTS[cut]] if cut in CUTS else []),
    ]
    given = (
        Assumption(Given.GAME, (decks.name, str(len(decks.world.cards)))),
        Assumption(Given.READINGS, ("default",)),
    ) if not readings else (Assumption(Given.GAME, (decks.name, str(len(decks.world.cards)))),)
    examined = (
        Examined(Text(ja="フェイズとステップ", en="phases and steps"), len(sorts), "ends"),
        Examined(Text(ja="終わると証明されたフェイズとステップ", en="phases and steps proved to end"), len(proved), ""),
        Examined(Text(ja="繰り返しと、互いを呼ぶ規則の組", en="loops, and groups of rules that call each other"), len(found), ""),
        Examined(Text(ja="終わると証明された繰り返しと組", en="loops and groups proved to end"), sum(f.proved for f in found), ""),
    )
    bounds = Bounds(all(f.proved for f in found), 0, 0, 0, tuple(notes), assumptions=given)
    return CheckResult(book, ANYWHERE, ANYWHERE_TITLE, dict(readings), bounds, (), examined, {}, False, seconds=seconds)
