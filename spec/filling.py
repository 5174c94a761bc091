"""From the phrases of a card's text to abilities: what each phrase says, put together."""
from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from .cards import Ability, Card, Raw
from .diagnostics import Collector, Diagnostic, Position, did_you_mean, shown, split_lines
from .document import TextNode
from .nodes import Style
from .normal import Normal
from .phrases import ASKED, STATEMENTS, Column, Facts, Phrase, Phrases
from .schema import Located
from .text import Text
from .wording import Match, read_line


@dataclass(frozen=True)
class Line:
    """A line of rule text: the piece of the card's text that it comes from, and where it was written, if nothing of the card stands in it."""

    text: str
    at: Position
    written: Position | None = None


Lines = tuple[Line, ...]


@dataclass(frozen=True)
class MadeText(TextNode):
    """Rule text that was made of phrases: places in it are where its lines were written, or in the card's text."""

    origins: tuple[Position, ...] = ()

    def position_in(self, line: int, column: int) -> Position:
        return self.origins[min(max(line, 1), len(self.origins)) - 1] if self.origins else self.position


@dataclass
class Said:
    """What a piece of text says."""

    at: Position
    written: str
    english: str
    gives: str | None = None
    scripts: dict[str, Lines] = field(default_factory=dict[str, Lines])
    facts: dict[str, tuple[TextNode, ...]] = field(default_factory=dict[str, tuple[TextNode, ...]])
    card: dict[str, tuple[TextNode, ...]] = field(default_factory=dict[str, tuple[TextNode, ...]])
    also: list[Said] = field(default_factory=list["Said"])
    number: int = 0
    """Of what becomes an ability of its own: which of its card it is."""


# ---------------------------------------------------------------- a card
def as_known(card: Card, phrases: Phrases | None, report: Collector) -> Card:
    """The card with the attributes and abilities that the book's phrases give it. What is wrong is reported."""
    return with_texts(renamed(card, phrases, report), phrases, report)


def renamed(card: Card, phrases: Phrases | None, report: Collector) -> Card:
    """The card with its attributes under their own names, and their values too."""
    if phrases is None or not any(k in phrases.columns for k in card.attributes):
        return card
    attributes: dict[str, Located[Raw]] = {}
    for name, v in card.attributes.items():
        column = phrases.columns.get(name, Column(name, {}))
        if column.key in attributes:
            report.add(Diagnostic(v.key or v.position, "duplicate-key", Text(
                ja=f"「{shown(name)}」と「{column.key}」は同じ項目です", en=f"`{shown(name)}` and `{column.key}` are the same key",
            ), Text(ja="どちらかを消してください", en="delete one of them"), name))
        attributes[column.key] = replace(v, value=in_own_words(v.value, column, report))
    return replace(card, attributes=attributes)


def in_own_words(value: Raw, column: Column, report: Collector) -> Raw:
    """A value, or each of several, as the model calls it."""
    if isinstance(value, tuple):
        return tuple(n for v in value if isinstance(n := in_own_words(v, column, report), TextNode))
    known = column.values.get(value.text.strip())
    if known is None and column.values and value.text.strip() not in column.values.values():
        report.add(Diagnostic(value.position, "bad-value", Text(
            ja=f"「{shown(value.text)}」は、ここに書けません", en=f"`{shown(value.text)}` is not possible here",
        ), did_you_mean(value.text, [*column.values]), value.text))
        known = next(iter(column.values.values()))  # so that the same is not said again
    return value if known is None else replace(value, text=known)


def with_texts(card: Card, phrases: Phrases | None, report: Collector) -> Card:
    """The card with the abilities that its texts say, before those that are written as scripts. What is wrong is
    reported."""
    if not card.texts:
        return card
    if phrases is None:
        report.add(Diagnostic(card.texts[0].position, "no-phrases", Text(
            ja="この本には定型文（phrases.yaml）がないので、テキストは書けません", en="this book has no phrases.yaml, so cards cannot have a text"),
            Text(ja="`abilities:` に規則言語で書いてください", en="write `abilities:` in the rule language")))
        return card
    abilities: list[Ability] = []
    attributes = dict(card.attributes)
    apart = count(1)
    for node in card.texts:
        for number, line in enumerate(split_lines(node.text), 1):
            found = read_line(node, number, line, phrases, report)
            if found is None:
                continue
            said = Filler(node, number, found[1], line, report, apart).said(found[0])
            for name, nodes in said.card.items():
                attributes[name] = joined_fact(attributes.get(name), nodes)
            abilities += [a for s in (said, *said.also) if (a := ability_of(s, report)) is not None]
    return replace(card, abilities=(*abilities, *card.abilities), attributes=attributes)


def joined_fact(known: Located[Raw] | None, more: Sequence[TextNode]) -> Located[Raw]:
    """What was written and what a text adds: of equal words, one."""
    before = () if known is None else known.value if isinstance(known.value, tuple) else (known.value,)
    out = {n.text: n for n in (*more, *before)}
    nodes = tuple(out.values())
    return Located(nodes[0] if len(nodes) == 1 else nodes, nodes[0].position)


def ability_of(said: Said, report: Collector) -> Ability | None:
    """An ability, if the line says one: a line may say something of its card only."""
    if not said.scripts and not said.facts:
        return None
    when = said.scripts.get("when", ())
    for line in when[1:]:
        report.add(Diagnostic(line.at, "two-triggers", Text(
            ja="一つの能力に、誘発条件が二つあります", en="this is a second trigger condition of one ability"),
            Text(ja="能力を二つに分けてください", en="make it two abilities")))
    facts = dict(said.facts)
    kinds = facts.pop("kind", ())
    for node in kinds[1:]:
        report.add(Diagnostic(node.position, "two-kinds", Text(
            ja=f"能力の種別が二つあります（{kinds[0].text}、{node.text}）", en=f"this ability is of two kinds ({kinds[0].text}, {node.text})")))
    made = {k: script(k, v, said.at) for k, v in said.scripts.items()}
    return Ability(
        position=said.at,
        id=None,
        name=Text(ja=said.written, en=sentences(said.english)),
        kind=kinds[0] if kinds else None,
        when=made.get("when"),
        while_=made.get("while"),
        if_=made.get("if"),
        payable=made.get("payable"),
        applies_to=made.get("applies_to"),
        how_much=made.get("how_much"),
        cost=made.get("cost"),
        text=made.get("text"),
        facts={k: joined_fact(None, v) for k, v in facts.items()},
    )


def sentences(english: str) -> str:
    """Sentences begin with a capital letter."""
    return re.sub(r"(?:^|(?<=\. ))[a-z]", lambda m: m[0].upper(), english)


def script(key: str, lines: Lines, at: Position) -> MadeText:
    """Rule text as a node: statements follow each other, of conditions all have to hold."""
    if key not in STATEMENTS and len(lines) > 1:
        lines = tuple(replace(line, text=f"{'and ' if k else ''}({line.text})") for k, line in enumerate(lines))
    origins = tuple(line.written or line.at for line in lines)
    return MadeText("\n".join(line.text for line in lines), at, Style.PLAIN, None, origins)


# ---------------------------------------------------------------- phrases
@dataclass
class Filler:
    """Puts together what the phrases of one line say."""

    node: TextNode
    number: int
    form: Normal
    line: str
    report: Collector
    apart: Iterator[int]

    def at(self, place: int) -> Position:
        return self.node.position_in(self.number, self.form.places[place] + 1)

    def written(self, m: Match) -> str:
        return self.line[self.form.places[m.start] : self.form.places[m.end]].strip()

    def said(self, m: Match) -> Said:
        """What a match says, its slots included."""
        at, written = self.at(m.start), self.written(m)
        if m.phrase is None:
            plain = self.form.text[m.start : m.end]
            return Said(at, plain, plain, gives=plain.lstrip("+"))
        parts: dict[str, list[Said]] = {s.name: [] for s in m.phrase.slots}
        order: list[tuple[str, Said]] = []
        for name, child in m.children:
            parts[name].append(self.said(child))
            order.append((name, parts[name][-1]))
        out = Said(at, written, english_of(m.phrase, parts, written))
        asked = m.phrase.asked
        apart = {a.source for a in m.phrase.also}
        for name, part in order:
            if name in apart:
                part.number = next(self.apart)
                merge(out.card, part.card)
                out.also += part.also
                continue
            for key, lines in part.scripts.items():
                if (name, key) not in asked:
                    out.scripts[key] = (*out.scripts.get(key, ()), *lines)
            merge(out.facts, part.facts)
            merge(out.card, part.card)
            out.also += part.also
        own = Filling(parts, at)
        for key, node in m.phrase.scripts.items():
            out.scripts[key] = (*out.scripts.get(key, ()), *own.lines(key, node))
        merge(out.facts, own.facts(m.phrase.facts))
        merge(out.card, own.facts(m.phrase.card))
        for a in m.phrase.also:
            more = Said(at, written, out.english)
            for part in parts[a.source] if a.source is not None else ():
                more = Said(part.at, part.written, part.english, None, dict(part.scripts), dict(part.facts))
            more.scripts.update((k, own.lines(k, n)) for k, n in a.scripts.items())
            merge(more.facts, own.facts(a.facts))
            out.also.append(more)
        out.gives = (
            own.inline(m.phrase.gives.text.strip()) if m.phrase.gives is not None else only([s.gives for _, s in order])
        )
        return out


def only(given: Iterable[str | None]) -> str | None:
    """What a phrase gives that does not say so: what its one slot with something to give does."""
    found = [x for x in given if x is not None]
    return found[0] if len(found) == 1 else None


def merge(into: dict[str, tuple[TextNode, ...]], more: Mapping[str, tuple[TextNode, ...]]) -> None:
    """Facts of several phrases: each word once."""
    for name, nodes in more.items():
        into[name] = tuple({n.text: n for n in (*into.get(name, ()), *nodes)}.values())


def english_of(p: Phrase, parts: Mapping[str, list[Said]], written: str) -> str:
    """The phrase in English: its translation, else its slots' one after another, else as written."""
    if p.english is not None:
        out = p.english.text
        for name, many in parts.items():
            out = out.replace(f"{{{name}}}", " ".join(s.english for s in many))
        out = " ".join(out.split())
        return out.replace(" .", ".").replace(" ,", ",").replace("..", ".")
    if p.skeleton:
        return written
    return " ".join(s.english for many in parts.values() for s in many)


@dataclass
class Filling:
    """Scripts of a phrase, with what its slots say put in."""

    parts: Mapping[str, list[Said]]
    at: Position

    def inline(self, text: str) -> str:
        """An expression, or a line, with what its slots give."""
        return ASKED.sub(lambda m: self.asked(m[1], m[2] or "gives"), text)

    def asked(self, name: str, what: str) -> str:
        many = self.parts.get(name, [])
        if what == "said":
            return "、".join(s.written for s in many)
        if what == "number":
            return ", ".join(str(s.number) for s in many)
        if what == "gives":
            return ", ".join(in_brackets(s.gives) for s in many if s.gives is not None) or "None"
        found = [line.text for s in many for line in s.scripts.get(what, ())]
        return " and ".join(f"({text})" for text in found) or "True"

    def lines(self, key: str, node: TextNode) -> Lines:
        """A script, line by line. `$x.text` alone on a line stands for all statements of the slot, indented as it is."""
        if key not in STATEMENTS:
            return (self.line(" ".join(node.text.split()), node.content),)
        out: list[Line] = []
        for number, line in enumerate(split_lines(textwrap.dedent(node.text)), 1):
            bare = line.strip()
            m = ASKED.fullmatch(bare)
            if m is not None and m[2] in STATEMENTS:
                indent = line[: len(line) - len(line.lstrip())]
                found = [x for s in self.parts.get(m[1], []) for x in s.scripts.get(m[2], ())]
                out += [replace(one, text=indent + one.text) for one in found] or [Line(f"{indent}pass", self.at)]
            elif bare:
                out.append(self.line(line, node.position_in(number, 1)))
        return tuple(out)

    def line(self, text: str, written: Position) -> Line:
        """A line with what the slots say."""
        filled = self.inline(text)
        return Line(filled, self.at, written if filled == text else None)

    def facts(self, facts: Facts) -> dict[str, tuple[TextNode, ...]]:
        """What is said of the ability or the card, in words."""
        out: dict[str, tuple[TextNode, ...]] = {}
        for name, v in facts.items():
            for word in v.value if isinstance(v.value, tuple) else (v.value,):
                if m := ASKED.fullmatch(word.text.strip()):  # one word for each of what stands in the slot
                    many = self.parts.get(m[1], [])
                    texts = [
                        str(s.number) if m[2] == "number" else s.written if m[2] == "said" else s.gives or s.written
                        for s in many
                    ]
                else:
                    texts = [self.inline(word.text)]
                out[name] = (*out.get(name, ()), *(TextNode(x, self.at) for x in texts))
        return {k: v for k, v in out.items() if v}


def in_brackets(expression: str | None) -> str:
    """An expression that can stand within another one."""
    text = expression or "None"
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text
    return f"({text})" if isinstance(tree, ast.BinOp | ast.BoolOp | ast.Compare | ast.UnaryOp | ast.IfExp) else text
