"""`phrases.yaml`: the sanctioned phrases of a book's card texts (定型文), and what each of them means.

A phrase belongs to a *kind*. In it, `{N:数}` is a slot for anything of the kind 数; `?`, `*` and `+` behind the kind mean that
it may be missing or be repeated. A phrase says what it gives to the phrase around it (`gives`, an expression), to the
ability it stands in (`kind`, `when`, `if`, `while`, `payable`, `applies_to`, `how_much`, `cost`, `text`, `facts`, `also`) and to its card (`card`). In these,
`$N` is what the slot N gives, and `$N.text` what it says as `text`; `$N.number` tells the abilities that `also` makes of a card apart. What nobody
asks for goes to the ability, in the order of the text. `docs/phrases.md` describes the format.
"""
from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .cards import Raw
from .diagnostics import Collector, Diagnostic, Position, did_you_mean, shown
from .document import MapNode, Node, TextNode
from .nodes import Entry
from .normal import normal
from .schema import (
    Fields,
    Located,
    Shape,
    Unreadable,
    identifier,
    integer,
    list_of,
    located,
    map_of,
    raw_map,
    read_file,
    record,
    refuse,
    statements,
    text,
    text_node,
    words,
)
from .text import Text

SCRIPTS = {"when": "誘発", "if": "条件", "while": "状態", "payable": "支払可能", "applies_to": "対象",
           "how_much": "数値", "cost": "コスト", "text": "テキスト"}
"""What a phrase can say of its ability in rule text; `cost` and `text` are statements, `when` names an event."""
STATEMENTS = ("cost", "text")


# ---------------------------------------------------------------- what a phrase is
@dataclass(frozen=True)
class Slot:
    """A place in a phrase for something of a kind: exactly one, or `?`, `*`, `+`."""

    name: str
    kind: str
    repeat: str
    position: Position

    @property
    def optional(self) -> bool:
        """May nothing stand there?"""
        return self.repeat in ("?", "*")


Part = str | Slot
"""Of a phrase: a piece of text in its normal form, or a slot."""
Facts = Mapping[str, Located[Raw]]


@dataclass(frozen=True)
class Also:
    """One more ability that a phrase brings along; `source` is the slot all of which belongs to it, if there is one."""

    position: Position
    source: str | None
    facts: Facts
    scripts: Mapping[str, TextNode]


@dataclass(frozen=True)
class Phrase:
    """A sanctioned phrase. `written` is it as registered."""

    position: Position
    kind: str
    written: str
    parts: tuple[Part, ...]
    english: TextNode | None = None
    gives: TextNode | None = None
    scripts: Mapping[str, TextNode] = field(default_factory=dict[str, TextNode])
    facts: Facts = field(default_factory=dict[str, "Located[Raw]"])
    card: Facts = field(default_factory=dict[str, "Located[Raw]"])
    also: tuple[Also, ...] = ()

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Its slots, in order."""
        return tuple(p for p in self.parts if isinstance(p, Slot))

    @property
    def skeleton(self) -> str:
        """The phrase without its slots."""
        return "".join(p for p in self.parts if isinstance(p, str))

    @property
    def nodes(self) -> Iterator[TextNode]:
        """All that its slots can be asked for in."""
        for scripts in (self.scripts, *(a.scripts for a in self.also)):
            yield from scripts.values()
        for facts in (self.facts, self.card, *(a.facts for a in self.also)):
            for v in facts.values():
                yield from v.value if isinstance(v.value, tuple) else (v.value,)
        if self.gives is not None:
            yield self.gives

    @property
    def asked(self) -> frozenset[tuple[str, str]]:
        """Which slots it asks for, and for what of each."""
        return frozenset((m[1], m[2] or "gives") for n in self.nodes for m in ASKED.finditer(n.text))


ASKED = re.compile(r"\$(\w+)(?:\.(gives|when|if|while|payable|applies_to|how_much|cost|text|said|number)\b)?")
"""In a script: what a slot gives, or one part of what it says; `said` is its text as written on the card."""


@dataclass(frozen=True)
class Number:
    """A kind whose phrases are whole numbers."""

    low: int
    high: int


@dataclass(frozen=True)
class Anything:
    """A kind for any text up to what stands behind the slot: a card's name in brackets."""


Kind = Number | Anything | tuple[Phrase, ...]


@dataclass(frozen=True)
class Column:
    """What else an attribute of cards is called, and its values."""

    key: str
    values: Mapping[str, str]


@dataclass(frozen=True)
class Phrases:
    """The phrases of a book. `line` is the kind that each line of a card's text has to be; `notes` are the two brackets
    of remarks that mean nothing; `columns` are other names for what is printed on cards."""

    file: str
    kinds: Mapping[str, Kind]
    line: str
    notes: str = ""
    columns: Mapping[str, Column] = field(default_factory=dict[str, Column])

    def all(self) -> Iterator[Phrase]:
        """Every phrase."""
        return (p for kind in self.kinds.values() if isinstance(kind, tuple) for p in kind)


# ---------------------------------------------------------------- one phrase
SLOT = re.compile(r"\{([^{}]*)\}")
SLOT_TEXT = re.compile(r"(?:(?P<name>\w+)\s*:\s*)?(?P<kind>\w+)\s*(?P<repeat>[?*+]?)")


def parts_of(node: TextNode, report: Collector) -> tuple[Part, ...]:
    """A phrase as written, taken apart."""
    out: list[Part] = []
    end = 0
    for m in SLOT.finditer(node.text):
        out.append(normal(node.text[end : m.start()]).text)
        at = node.position_in(1, m.start() + 1)
        slot = SLOT_TEXT.fullmatch(normal(m[1]).text)
        if slot is None:
            report.add(Diagnostic(at, "bad-slot", Text(
                ja=f"「{shown(m[0])}」は空欄として読めません", en=f"`{shown(m[0])}` cannot be read as a slot",
            ), Text(ja="`{数}` か `{N:数}` のように書きます。省けるなら `{数?}`、繰り返せるなら `{数*}`",
                    en="write `{kind}` or `{name:kind}`; `{kind?}` if it may be missing, `{kind*}` if it may be repeated"), m[0]))
            raise Unreadable
        out.append(Slot(slot["name"] or slot["kind"], slot["kind"], slot["repeat"], at))
        end = m.end()
    out.append(normal(node.text[end:]).text)
    if stray := re.search(r"[{}]", "".join(p for p in out if isinstance(p, str))):
        refuse(node, report, "bad-slot", Text(
            ja=f"空欄の「{stray[0]}」に、対になる括弧がありません", en=f"this `{stray[0]}` of a slot has no partner"))
    parts = tuple(p for p in out if p != "")
    if not parts:
        refuse(node, report, "empty-phrase", Text(ja="定型文が空です", en="this phrase is empty"))
    return parts


def _scripts(m: Fields) -> dict[str, TextNode]:
    found = {k: m.optional(k, statements if k in STATEMENTS else text_node, ja) for k, ja in SCRIPTS.items()}
    return {k: v for k, v in found.items() if v is not None}


FACTS = map_of(words, key=identifier)


def _facts(m: Fields, kind: Located[Raw] | None) -> dict[str, Located[Raw]]:
    return {**({} if kind is None else {"kind": kind}), **m.optional("facts", FACTS, "事実", default={})}


def _also(m: Fields) -> Also:
    source = m.optional("from", text, "元")
    return Also(
        m.position,
        None if source is None else normal(source).text,
        _facts(m, m.optional("kind", located(words), "種類")),
        _scripts(m),
    )


def _phrase(kind: str) -> Shape[Phrase]:
    def read(node: Node, report: Collector) -> Phrase:
        if isinstance(node, TextNode):  # a phrase that says nothing but is there
            return Phrase(node.position, kind, text(node, report), parts_of(node, report))
        return record(fields)(node, report)

    def written(node: Node, report: Collector) -> tuple[TextNode, tuple[Part, ...]]:
        found = text_node(node, report)
        return found, parts_of(found, report)

    def fields(m: Fields) -> Phrase:
        node, parts = m.required("phrase", written, "定型文") or (None, ())
        return Phrase(
            position=m.position if node is None else node.content,
            kind=kind,
            written="" if node is None else node.text,
            parts=parts,
            english=m.optional("en", text_node, "英語"),
            gives=m.optional("gives", text_node, "値"),
            scripts=_scripts(m),
            facts=_facts(m, m.optional("kind", located(words), "種類")),
            card=m.optional("card", FACTS, "札", default={}),
            also=m.optional("also", list_of(record(_also)), "別の能力", default=()),
        )

    return read


# ---------------------------------------------------------------- one kind, and all of them
def _kind(name: str) -> Shape[Kind]:
    phrases = list_of(_phrase(name), least=1)

    def read(node: Node, report: Collector) -> Kind:
        if isinstance(node, MapNode):
            return record(special)(node, report)
        return phrases(node, report)

    def special(m: Fields) -> Kind:
        return m.one_of(("number", record(_number), "数値"), ("anything", _anything, "自由"))

    return read


def _number(m: Fields) -> Kind:
    return Number(m.required("from", integer(), "下限"), m.required("to", integer(), "上限"))


def _anything(node: Node, report: Collector) -> Kind:
    text_node(node, report)
    return Anything()


def _kinds(node: Node, report: Collector) -> dict[str, Kind]:
    out: dict[str, Kind] = {}
    failed = False
    for entry in raw_map(node, report).entries:
        try:
            out[normal(entry.key.text).text] = _entry(entry, report)
        except Unreadable:
            failed = True
    if failed:
        raise Unreadable
    return out


def _entry(entry: Entry, report: Collector) -> Kind:
    name = normal(entry.key.text).text
    if not re.fullmatch(r"\w+", name):
        refuse(entry.key, report, "not-an-identifier", Text(
            ja=f"「{shown(entry.key.text)}」は種類の名前になりません", en=f"`{shown(entry.key.text)}` cannot name a kind",
        ), Text(ja="文字・数字・_ だけで書きます", en="use letters, digits and `_`"))
    return _kind(name)(entry.value, report)


def _brackets(node: Node, report: Collector) -> str:
    found = text(node, report)
    form = normal(found).text
    if len(form) != 2:
        refuse(node, report, "two-brackets", Text(
            ja="注釈を囲む括弧を二つ続けて書きます", en="the two brackets of remarks belong here"), Text.same('notes: "（）"'))
    return form


def _column(node: Node, report: Collector) -> Column:
    if isinstance(node, TextNode):
        return Column(identifier(node, report), {})
    return record(lambda m: Column(
        m.required("key", identifier, "項目"),
        {k: v.value for k, v in (m.optional("values", map_of(text), "値", default={}) or {}).items()},
    ))(node, report)


def _phrases(m: Fields) -> tuple[Mapping[str, Kind], Located[str], str, Mapping[str, Located[Column]]]:
    m.optional("book", identifier, "本")
    return (
        m.required("kinds", _kinds, "種類"),
        m.required("line", located(text), "一行"),
        m.optional("notes", _brackets, "注釈", default=""),
        m.optional("columns", map_of(_column), "欄", default={}),
    )


def phrases(node: Node, report: Collector) -> Phrases:
    """`phrases.yaml`: slots and scripts speak of what is there, and no phrase is another one in other words."""
    kinds, line, notes, columns = record(_phrases)(node, report)
    found = Phrases(node.position.file, kinds, normal(line.value).text, notes, {k: v.value for k, v in columns.items()})
    if found.line not in kinds:
        _no_kind(line.value, line.position, kinds, report)
    for p in found.all():
        _check_slots(p, found, report)
    _check_twice(found, report)
    _check_left(found, report)
    return found


def read_phrases(path: Path | str) -> Phrases:
    """Read `phrases.yaml`."""
    return read_file(path, phrases, "phrases")


# ---------------------------------------------------------------- checks
def _no_kind(name: str, at: Position, kinds: Collection[str], report: Collector) -> None:
    report.add(Diagnostic(at, "unknown-kind", Text(
        ja=f"「{shown(name)}」という種類の定型文はありません", en=f"there is no kind `{shown(name)}` of phrases",
    ), did_you_mean(name, list(kinds)), name))


def _no_slot(name: str, at: Position, known: Collection[str], report: Collector) -> None:
    report.add(Diagnostic(at, "unknown-slot", Text(
        ja=f"この定型文に「{name}」という空欄はありません", en=f"this phrase has no slot `{name}`",
    ), did_you_mean(name, sorted(known), label=Text(ja="空欄", en="slots")), f"${name}"))


def _check_slots(p: Phrase, found: Phrases, report: Collector) -> None:
    seen: set[str] = set()
    for slot in p.slots:
        if slot.kind not in found.kinds:
            _no_kind(slot.kind, slot.position, found.kinds, report)
        if slot.name in seen:
            report.add(Diagnostic(slot.position, "slot-twice", Text(
                ja=f"空欄「{slot.name}」が二つあります", en=f"there are two slots `{slot.name}`",
            ), Text(ja=f"`{{{slot.name}2:{slot.kind}}}` のように、別の名前にしてください", en=f"name one of them, `{{{slot.name}2:{slot.kind}}}` say"), slot.name))
        seen.add(slot.name)
    for a in p.also:
        if a.source is not None and a.source not in seen:
            _no_slot(a.source, a.position, seen, report)
    for node in p.nodes:
        for m in ASKED.finditer(node.text):
            if m[1] not in seen:
                line = node.text.count("\n", 0, m.start())
                at = node.position_in(line + 1, m.start() - node.text.rfind("\n", 0, m.start()))
                _no_slot(m[1], at, seen, report)
    if p.slots and all(isinstance(x, Slot) and x.optional for x in p.parts):
        report.add(Diagnostic(p.position, "empty-phrase", Text(
            ja="この定型文は、何も書かれていなくても当てはまってしまいます", en="this phrase fits where nothing is written"), None, p.written))


def _shape(p: Phrase) -> tuple[object, ...]:
    return tuple(x if isinstance(x, str) else (x.kind, x.repeat) for x in p.parts)


def _check_twice(found: Phrases, report: Collector) -> None:
    """Two phrases of one kind in the same words would always be ambiguous."""
    for kind in found.kinds.values():
        seen: dict[object, Phrase] = {}
        for p in kind if isinstance(kind, tuple) else ():
            first = seen.setdefault(_shape(p), p)
            if first is not p:
                report.add(Diagnostic(p.position, "phrase-twice", Text(
                    ja=f"{first.position.line} 行目の定型文と同じ文になります", en=f"this is the same phrase as in line {first.position.line}",
                ), Text(ja="どちらかを消すか、文を変えてください", en="delete one of them, or change its words"), p.written))


def _check_left(found: Phrases, report: Collector) -> None:
    """A phrase that begins with itself could never be found in a text."""
    begins = {name: {s.kind for p in kind for s in _first_slots(p)} if isinstance(kind, tuple) else set[str]()
              for name, kind in found.kinds.items()}
    for name in begins:
        if name in _reach(begins, name):
            kind = found.kinds[name]
            assert isinstance(kind, tuple)
            p = next(p for p in kind if any(s.kind == name or name in _reach(begins, s.kind) for s in _first_slots(p)))
            report.add(
                Diagnostic(
                    p.position,
                    "begins-with-itself",
                    Text(
                        ja=f"「{name}」の定型文が、また「{name}」で始まっています",
                        en=f"a phrase of the kind `{name}` begins with that kind again",
                    ),
                    Text(
                        ja="先頭に別の言葉を置くか、`{…+}` で繰り返しにしてください",
                        en="begin with other words, or repeat with `{…+}`",
                    ),
                    p.written,
                )
            )


def _reach(begins: Mapping[str, set[str]], name: str) -> set[str]:
    reached, new = set[str](), begins.get(name, set())
    while new:
        reached |= new
        new = {b for a in new for b in begins.get(a, ())} - reached
    return reached


def _first_slots(p: Phrase) -> Iterator[Slot]:
    """The slots that a phrase can begin with."""
    for x in p.parts:
        if isinstance(x, Slot):
            yield x
        if not (isinstance(x, Slot) and x.optional):
            return
