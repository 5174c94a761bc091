"""Why something is not offered: for each sort of thing that a player could do with a card, the first condition that fails,
where it stands in the rules, and its clauses."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...model.engine.library import load_book
from ...model.engine.state import State
from ...model.engine.values import Halt
from ...model.ir import nodes as ir
from ...model.ir import types as t
from ...model.ir.flow import members, walk
from ...spec.reading import plain_bytes
from ...spec.text import Text
from ..explore.subject import Subject

DEEPEST = 12
"""Rules within rules that are looked into at most."""
OPENED = re.compile(r"(return )?[(\[{]( |$)")
"""An expression that goes on in the lines below."""
NOTHING = Text(ja="選べるものがない", en="there is nothing to choose")


@dataclass(frozen=True)
class Reason:
    """Why a sort of option (`what`) is not offered with a card: what fails, as the rules write it, where, by which
    clauses. `offered` means that it is."""

    what: Text
    offered: bool
    fails: Text | None
    condition: str
    file: str
    line: int
    clauses: tuple[str, ...]


class NotAsked(Exception):
    """Nobody chooses from a list of things to do here."""


def why_not(subject: Subject, state: State, card: str) -> list[Reason]:
    """For each sort of option in which this card could stand, why none of its copies does. Raises NotAsked."""
    if state.end is not None or not state.frames:
        raise NotAsked
    number, pc, *values = state.frames[-1]
    code = subject.engine.numbered[number]
    instr = code.fn.code[pc]
    if not isinstance(instr, ir.Choose):
        raise NotAsked
    copies = [k for k, c in enumerate(subject.describer.world.cards) if c.definition.id == card]
    looker = Looker(subject, state)
    found: dict[Text, tuple[int, Reason]] = {}
    for offer in instr.offers:
        chosen = {n.index for value in offer.values for n in walk(value) if isinstance(n, ir.Local)}
        places = [
            at
            for at, binder in enumerate(offer.binders)
            if binder.var in chosen and isinstance(plain_type(code.fn.locals[binder.var].type), t.CardType | t.ObjType)
        ]
        taken = {
            values[n]
            for n in chosen - {b.var for b in offer.binders}
            if isinstance(plain_type(code.fn.locals[n].type), t.CardType | t.ObjType)
        }
        what = kind_of(subject, instr, offer)
        for copy in copies:
            told = [looker.offer(what, offer, at, copy, list(values)) for at in places]
            told = [one for k, one in enumerate(told) if k == 0 or one[1].offered]
            told += [looker.beyond(what, offer, 0, list(values))] if copy in taken else []
            for comes, reason in told:
                if what not in found or comes > found[what][0]:
                    found[what] = comes, reason
    return [reason for _, reason in found.values()]


def plain_type(of: t.Type) -> t.Type:
    """The type inside an option."""
    return of.inner if isinstance(of, t.OptionType) else of


def kind_of(subject: Subject, instr: ir.Choose, offer: ir.Offer) -> Text:
    """What an offer is called: the record's name, with its fields left blank."""
    of = instr.type
    if isinstance(of, t.UnionType) and isinstance(offer.values[0], ir.Const):
        of = of.variants[offer.values[0].value]
    if not isinstance(of, t.RecordType):
        return Text(ja="選択", en="the choice")
    word = subject.describer.words.of(of.name)
    blank = {name: "…" for name, _ in of.fields}
    ja, en = word.ja, word.en
    for name, dots in blank.items():
        ja, en = ja.replace("{" + name + "}", dots), en.replace("{" + name + "}", dots)
    return Text(ja=ja, en=en)


class Looker:
    """Looks at conditions in one state."""

    def __init__(self, subject: Subject, state: State) -> None:
        self.subject, self.state = subject, state
        self.slots = list(state.slots)

    def value(self, e: ir.Expr, f: list[int]) -> int | None:
        """The value of an expression; none where it has none."""
        self.subject.engine.effects.reset()
        try:
            return self.subject.engine.effects.value(e)(list(self.slots), f)
        except Halt:
            return None

    def offer(self, what: Text, offer: ir.Offer, at: int, card: int, given: list[int]) -> tuple[int, Reason]:
        """Why an offer is not made with this card in binder `at`, and how far it comes: 0 the card is not where those lie that are looked at, 1 a
        condition of theirs fails, 2 there is nothing else to choose with it, 3 the condition of the offer fails, 4 it is offered."""
        best: tuple[int, Reason] | None = None
        for f in self.combinations(offer.binders[:at], given):
            binder = offer.binders[at]
            inside = self.value(binder.domain, f)
            f[binder.var] = card
            if inside is None or card - binder.offset not in members(inside):
                missing = self.missing(what, binder.domain, card - binder.offset, f, offer)
                best = missing if best is None or best[0] < missing[0] else best
                continue
            told = self.beyond(what, offer, at + 1, f)
            if best is None or best[0] < told[0]:
                best = told
        return best or (0, self.nothing(what, offer.binders[:at], list(given), offer)[1])

    def beyond(self, what: Text, offer: ir.Offer, at: int, f: list[int]) -> tuple[int, Reason]:
        """The same, where all binders before this one have their values."""
        rest = list(self.combinations(offer.binders[at:], f))
        if not rest:
            return 2, self.nothing(what, offer.binders[at:], f, offer)[1]
        if any(self.value(offer.test, g) for g in rest):
            return 4, Reason(what, True, None, "", "", 0, ())
        return 3, self.failing(what, offer.test, rest[0], offer)

    def nothing(self, what: Text, binders: Sequence[ir.Binder], f: list[int], offer: ir.Offer) -> tuple[int, Reason]:
        """Why these binders have no values together, at the binder that is come to last, and how far that is: the condition before it, or that there is
        nothing to choose."""
        binder, *rest = binders
        inside = members(self.value(binder.domain, f) or 0)
        if not inside:
            unmet = self.empty(what, binder.domain, f, offer)
            return (0, unmet) if unmet is not None else (1, self.reason(what, NOTHING, binder.domain, offer))
        told = (
            self.nothing(what, rest, [*f[: binder.var], k + binder.offset, *f[binder.var + 1 :]], offer) for k in inside
        )
        comes, reason = max(told, key=lambda one: one[0])
        return comes + 2, reason

    def empty(self, what: Text, domain: ir.Expr, f: list[int], around: ir.Node) -> Reason | None:
        """The condition written before a binder, if it fails: then its domain is empty."""
        match domain:
            case ir.If(test=test, b=ir.Const(value=0)) if not self.value(test, f):
                return self.failing(what, test, f, around)
            case _:
                return None

    def combinations(self, binders: Sequence[ir.Binder], f: list[int]) -> Iterator[list[int]]:
        """The locals with every value of these binders."""
        if not binders:
            yield list(f)
            return
        first, *rest = binders
        for k in members(self.value(first.domain, f) or 0):
            f[first.var] = k + first.offset
            yield from self.combinations(rest, f)

    def missing(
        self, what: Text, domain: ir.Expr, card: int, f: list[int], around: ir.Node, depth: int = 0
    ) -> tuple[int, Reason]:
        """Why a card is not in a set, as deep inside as it can be told, and how far it comes (of `offer`, 0 or 1)."""
        name = self.subject.describer.card(card)
        fails = Text(ja=f"{name.ja}はそこにない", en=f"{name.en} is not among these")
        match domain:
            case ir.If() if (unmet := self.empty(what, domain, f, around)) is not None:
                return 1, unmet
            case ir.Binary(op="meet", a=a, b=b):
                out = next((part for part in (a, b) if card not in members(self.value(part, f) or 0)), b)
                if out is a or not isinstance(out, ir.Const):
                    return self.missing(what, out, card, f, around, depth)
                said = Text(ja=f"{name.ja}は、書かれていること（種類など）が条件に合わない",
                            en=f"what is printed on {name.en} (its kind, say) does not fulfil the condition")
                return 1, self.reason(what, said, domain, around)
            case ir.Binary(op="union", a=a, b=b):
                return max(
                    (self.missing(what, part, card, f, around, depth) for part in (a, b)), key=lambda one: one[0]
                )
            case ir.Fold(kind="set", var=var, domain=inner, test=test, body=ir.Local(index=body), offset=offset) if (
                body == var
            ):
                if card - offset not in members(self.value(inner, f) or 0):
                    return self.missing(what, inner, card - offset, f, around, depth)
                return 1, self.failing(what, test, [*f[:var], card, *f[var + 1:]], around, depth)
            case ir.Call(function=called, args=args) if depth < DEEPEST and None not in (
                given := [self.value(a, f) for a in args]
            ):
                inner = self.returned(what, called, [x for x in given if x is not None])
                if isinstance(inner, Reason):
                    return 0, replace(inner, fails=fails, clauses=inner.clauses or domain.at.clauses)
                if inner is not None:
                    comes, told = self.missing(what, inner[0], card, inner[1], domain, depth + 1)
                    return comes, told if told.clauses else replace(told, clauses=domain.at.clauses)
            case ir.ZoneCards(zone=inside) if (zone := self.value(inside, f)) is not None:
                where = self.subject.describer.zone(zone)
                fails = Text(ja=f"{name.ja}は{where.ja}にない", en=f"{name.en} is not in {where.en}")
            case _:
                pass
        return 0, self.reason(what, fails, domain, around)

    # ------------------------------------------------------------ the first condition that fails
    def failing(self, what: Text, e: ir.Expr, f: list[int], around: ir.Node, depth: int = 0) -> Reason:
        """The first condition that fails, as deep inside as it can be told; at what is `around` it where it stands nowhere itself."""
        match e:
            case ir.All(parts=parts):
                for part in parts:
                    if not self.value(part, f):
                        return self.failing(what, part, f, around, depth)
            case ir.If(test=test, a=a, b=b):
                holds = self.value(test, f)
                taken = a if holds else b
                if not isinstance(taken, ir.Const):
                    return self.failing(what, taken, f, around, depth)
                if not holds:
                    return self.failing(what, test, f, around, depth)
                return self.reason(what, None, test, around)
            case ir.Call(function=name, args=args) if depth < DEEPEST:
                given = [self.value(a, f) for a in args]
                if None not in given:
                    inner = self.returned(what, name, [x for x in given if x is not None])
                    if inner is not None:
                        told = inner if isinstance(inner, Reason) else self.failing(what, *inner, e, depth + 1)
                        return told if told.clauses else replace(told, clauses=e.at.clauses)
            case _:
                pass
        return self.reason(what, None, *walk(e), around)

    def returned(self, what: Text, name: str, args: list[int]) -> tuple[ir.Expr, list[int]] | Reason | None:
        """What a define gives, with its locals there; where it says no outright, the condition of that, by the clauses of its `return`; none where it
        goes round in a loop."""
        fn = self.subject.program.functions[name]
        f = [*args, *([0] * (len(fn.locals) - len(args)))]
        pc, asked = 0, None
        while True:
            match fn.code[pc]:
                case ir.Assign(local=local, value=e):
                    value = self.value(e, f)
                    if value is None:
                        return None
                    f[local] = value
                    pc += 1
                case ir.Branch(test=test, otherwise=otherwise) as asked:
                    pc = pc + 1 if self.value(test, f) else otherwise
                case ir.Jump(target=target) if target > pc:
                    pc = target
                case ir.Return(value=ir.Const(), at=at):
                    test = (
                        ""
                        if asked is None
                        else self.source_line(asked.at) + (" " if asked is fn.code[pc - 1] else " … ")
                    )
                    return Reason(what, False, None, test + self.source_line(at), at.file, at.line, at.clauses)
                case ir.Return(value=e) if e is not None:
                    return e, f
                case _:
                    return None

    def reason(self, what: Text, fails: Text | None, *nodes: ir.Node) -> Reason:
        """A reason at the first of these that stands in the rules."""
        at = next((n.at for n in nodes if n.at.line), nodes[0].at)
        return Reason(what, False, fails, self.source_line(at), at.file, at.line, at.clauses)

    def source_line(self, at: ir.Mark) -> str:
        """What the rules say at a mark, without its clauses."""
        for source in load_book(self.subject.book).rulebook.sources:
            if source.file == at.file:
                lines = (
                    line.partition("#:")[0].strip().removeprefix("| ")
                    for line in source.text.splitlines()[at.line - 1 :]
                )
                return whole(lines)
        try:
            return plain_bytes(Path(at.file)).decode().splitlines()[at.line - 1].strip()
        except (OSError, ValueError, IndexError):
            return ""


def whole(lines: Iterable[str]) -> str:
    """The first line; with those after it as long as there are only opening brackets, up to where they close."""
    said = ""
    for line in lines:
        said = f"{said} {line}".strip()
        if not OPENED.match(said) or all(said.count(a) <= said.count(b) for a, b in ("()", "[]", "{}")):
            break
    return said
