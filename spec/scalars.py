"""The shapes of single values: texts, names, clause and card numbers, days, whole numbers, yes and no,
choices.

Nothing is guessed: `4.10` is the clause 4.10, `+1` the number 1, and a full-width `３` is refused, with the
form to write. """
from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Callable, Iterator
from enum import Enum
from itertools import islice
from typing import NoReturn, TypeAlias, TypeVar

from .broken import MOST_ALIKE, Slip, key_slip, slips, wide_brackets
from .diagnostics import Collector, Diagnostic, did_you_mean, shown
from .document import ListNode, MapNode, Node, Style, TextNode
from .text import Text

T = TypeVar("T")
E = TypeVar("E", bound=Enum)

Shape: TypeAlias = Callable[[Node, Collector], T]
"""Reads a node into a value, or reports what is wrong and raises `Unreadable`."""


class Unreadable(Exception):
    """A node does not have the shape; why has been reported."""


# ---------------------------------------------------------------- what is wrong
def refuse(node: Node, report: Collector, code: str, message: Text, hint: Text | None = None) -> NoReturn:
    """Report what is wrong with a node, and give it up. Nothing is said about what has been reported
    before."""
    if not (isinstance(node, TextNode) and node.refused):
        value = node.text if isinstance(node, TextNode) else None
        report.add(Diagnostic(node.position, code, message, hint, value))
    raise Unreadable


_KINDS = {
    TextNode: Text(ja="文字列", en="text"),
    ListNode: Text(ja="リスト（- で始まる行）", en="a list (`- …` lines)"),
    MapNode: Text(ja="「項目名: 値」の組", en="a map (`key: value` lines)"),
}


def other_kind(node: Node, report: Collector, wanted: type[TextNode | ListNode | MapNode]) -> NoReturn:
    """Report that the node is of another kind than wanted. The usual reasons get a message of their own."""
    want, have = _KINDS[wanted], _KINDS[type(node)]
    if isinstance(node, MapNode) and not node.complete:
        raise Unreadable
    if isinstance(node, TextNode):
        if node.missing:
            _nothing(node, report)
        found = list(islice(_slips_in(node), MOST_ALIKE))
        report.add_all(slip.at(node.position.file) for slip in found)
        if found:
            raise Unreadable
    hint = None
    if wanted is ListNode and isinstance(node, TextNode):
        hint = Text(ja=f"[{shown(node.text)}] または「- {shown(node.text)}」の行にしてください",
                    en=f"write `[{shown(node.text)}]`, or a line `- {shown(node.text)}`")
    elif wanted is TextNode and not isinstance(node, TextNode) and node.flow:
        sign = "[" if isinstance(node, ListNode) else "{"
        hint = Text(ja=f'「{sign}」で始まる文なら、文全体を "…" で囲んでください',
                    en=f'if this is a text that begins with `{sign}`, put it in "…"')
    refuse(node, report, "wrong-kind", Text(
        ja=f"ここには{want.ja}が必要ですが、{have.ja}が書かれています",
        en=f"{want.en} is needed here, not {have.en}",
    ), hint)


def _slips_in(node: TextNode) -> Iterator[Slip]:
    """The full-width colons and missing spaces because of which lines with keys have become one text."""
    first = key_slip(node.text, node.position.line, node.position.column)
    if node.style is Style.PLAIN and first is not None:
        yield first
        if node.origin is not None:
            begin, end = node.origin.begin[0] + 1, node.origin.end[0] + 1
            yield from slips(node.origin.lines[begin:end], begin + 1)


def _nothing(node: TextNode, report: Collector) -> NoReturn:
    line = ""
    if node.origin is not None:
        line = node.origin.lines[node.position.line - 1][node.position.column - 1 :]
    hint = Text(ja="値を書くか、項目ごと消してください", en="write a value, or delete the key as well")
    if line.strip().startswith("#"):
        hint = Text(ja='「#」の後は注釈です。文に含めるなら、文全体を "…" で囲んでください',
                    en='what follows `#` is a comment; if it is part of the text, put the text in "…"')
    refuse(node, report, "missing-value", Text(ja="値が書かれていません", en="there is no value here"), hint)


# ---------------------------------------------------------------- text
def text_node(node: Node, report: Collector) -> TextNode:
    """A scalar, kept as a node: for rule text, whose positions are needed later."""
    if not isinstance(node, TextNode):
        other_kind(node, report, TextNode)
    if node.refused:
        raise Unreadable
    if not node.text.strip():
        _nothing(node, report)
    return node


def text(node: Node, report: Collector) -> str:
    """Any text but an empty one."""
    return text_node(node, report).text.rstrip("\n")


def line(node: Node, report: Collector) -> str:
    """A text on one line: a name, a title."""
    found = text(node, report)
    if "\n" in found:
        refuse(node, report, "several-lines", Text(ja="ここには一行で書いてください", en="this has to be on one line"),
               Text(ja="改行を消してください", en="take the line breaks out"))
    return found


def statements(node: Node, report: Collector) -> TextNode:
    """Rule text of several lines: a `|` block, or one line."""
    found = text_node(node, report)
    if found.style is Style.FOLDED or (found.style is not Style.LITERAL and found.lines > 1):
        refuse(found, report, "folded-script", Text(
            ja="規則の文をこの書き方にすると、改行が失われます",
            en="written like this, rule text loses its line breaks",
        ), Text(ja="「|」と書き、次の行から始めてください", en="write `|` and begin on the next line"))
    return found


_WIDE = {0xFF01 + k: 0x21 + k for k in range(94)} | {0x3000: 0x20}
_ANY_WIDE = re.compile("[\uff01-\uff5e\u3000]")


def half_width(value: str) -> str:
    """Full-width letters, digits, signs and spaces replaced by the usual ones, nothing around them."""
    return value.translate(_WIDE).strip()


def _word(
    node: Node, report: Collector, pattern: re.Pattern[str], code: str, what: Text, *changes: tuple[str, str],
) -> str:
    """Text that matches a pattern and has no full-width forms. If it matches once made half-width and the
    changes (pattern, replacement) made, that is suggested."""
    found = text_node(node, report)
    value = unicodedata.normalize("NFC", found.text)
    if pattern.fullmatch(value) and not _ANY_WIDE.search(value):
        return value
    meant = half_width(value)
    for old, new in changes:
        meant = re.sub(old, new, meant)
    refuse(found, report, code, Text(
        ja=f"「{shown(found.text)}」は{what.ja}として使えません",
        en=f"`{shown(found.text)}` cannot be {what.en}",
    ), _write(meant) if pattern.fullmatch(meant) else wide_brackets(value))


def _write(meant: str) -> Text:
    return Text(ja=f"{shown(meant)} と書いてください", en=f"write `{shown(meant)}`")


_IDENTIFIER = re.compile(r"(?!\d+$)[^\W_][\w-]*")
_CLAUSE = re.compile(r"[^\s#,、，:：\[\]{}\"']+")
_CARD = re.compile(r"(?!.*\s[x×*]\s*\d+$)[^\s#,:\[\]{}\"'](?:[^\S\r\n\t](?=\S)|[^\s,])*")


def identifier(node: Node, report: Collector) -> str:
    """A name for something: letters of any language, digits, `-` and `_`; not digits alone."""
    return _word(node, report, _IDENTIFIER, "not-an-identifier", Text(
        ja="名前（文字・数字・-・_。数字だけは不可）",
        en="a name (letters, digits, `-`, `_`; not digits alone)",
    ), (r"[\s.・/]+", "-"))


def clause_id(node: Node, report: Collector) -> str:
    """A clause as the book numbers it, quoted or not: `4.10`, `9-4.i`, `306.5m`."""
    what = Text(ja="条文番号", en="the number of a clause")
    return _word(node, report, _CLAUSE, "not-a-clause", what)


def card_number(node: Node, report: Collector) -> str:
    """A card number, quoted or not."""
    return _word(node, report, _CARD, "not-a-card-number", Text(ja="カード番号", en="a card number"))


_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
_LOOSE_DATE = re.compile(r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?", re.ASCII)


def date(node: Node, report: Collector) -> datetime.date:
    """A day: `2024-05-01`."""
    found = text_node(node, report)
    loose = _LOOSE_DATE.fullmatch(half_width(found.text))
    try:
        day = datetime.date(*map(int, loose.groups())) if loose else None
    except ValueError:
        day = None
    if day is None:
        refuse(found, report, "not-a-date", Text(
            ja=f"「{shown(found.text)}」という日付はありません", en=f"`{shown(found.text)}` is not a date",
        ), Text(ja="2024-05-01 のように書いてください", en="write it like `2024-05-01`"))
    if not _DATE.fullmatch(found.text):
        refuse(found, report, "not-a-date", Text(
            ja=f"日付「{shown(found.text)}」の書き方が違います",
            en=f"the date `{shown(found.text)}` is written differently here",
        ), _write(str(day)))
    return day


_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_TOO_LONG = re.compile(r"[+-]?\d{19,}", re.ASCII)
"""No number of anything that a file names."""


def integer(low: int | None = None, high: int | None = None) -> Shape[int]:
    """A whole number within a range, ends included: `3`, `+1`, `-2`."""

    def read(node: Node, report: Collector) -> int:
        found = text_node(node, report)
        if _TOO_LONG.fullmatch(found.text):
            refuse(found, report, "out-of-range", Text(
                ja=f"{shown(found.text)} は範囲の外です", en=f"{shown(found.text)} is out of range",
            ), _range(low, high))
        if not _INTEGER.fullmatch(found.text):
            meant = re.sub(r"(?<=\d)[,_](?=\d{3})", "", half_width(found.text))
            meant = re.sub(r"^[−‐‒–ー]", "-", meant)
            refuse(found, report, "not-a-number", Text(
                ja=f"「{shown(found.text)}」は半角の整数ではありません",
                en=f"`{shown(found.text)}` is not a whole number",
            ), _write(meant) if _INTEGER.fullmatch(meant) else None)
        number = int(found.text)
        if (low is not None and number < low) or (high is not None and number > high):
            refuse(found, report, "out-of-range", Text(
                ja=f"{number} は範囲の外です", en=f"{number} is out of range",
            ), _range(low, high))
        return number

    return read


def _range(low: int | None, high: int | None) -> Text | None:
    if high is None:
        if low is None:
            return None
        return Text(ja=f"{low} 以上で書いてください", en=f"at least {low} is needed")
    if low is None:
        return Text(ja=f"{high} 以下で書いてください", en=f"at most {high} is possible")
    return Text(ja=f"{low} から {high} までで書いてください", en=f"write a number from {low} to {high}")


_BOOLEANS = {"true": True, "yes": True, "はい": True, "false": False, "no": False, "いいえ": False}


def boolean(node: Node, report: Collector) -> bool:
    """Yes or no: `true`, `false`, `yes`, `no`, `はい`, `いいえ`."""
    found = text_node(node, report)
    value = _BOOLEANS.get(found.text.lower())
    if value is None:
        refuse(found, report, "not-a-boolean", Text(
            ja=f"「{shown(found.text)}」は「はい」でも「いいえ」でもありません",
            en=f"`{shown(found.text)}` is neither yes nor no",
        ), did_you_mean(found.text, _BOOLEANS))
    return value


def choice(kind: type[E], **ja: E) -> Shape[E]:
    """One of the values of an enum; `ja` adds Japanese words: `choice(Kind, 見出し=Kind.HEADING)`."""
    return _one_of({str(member.value): member for member in kind} | ja)


def name_of(kind: type[E], **ja: E) -> Shape[E]:
    """One of the names of an enum, in small letters."""
    return _one_of({member.name.lower(): member for member in kind} | ja)


def _one_of(words: dict[str, E]) -> Shape[E]:

    def read(node: Node, report: Collector) -> E:
        found = text_node(node, report)
        member = words.get(unicodedata.normalize("NFC", found.text))
        if member is None:
            refuse(found, report, "unknown-value", Text(
                ja=f"「{shown(found.text)}」という値はありません",
                en=f"there is no value `{shown(found.text)}`",
            ), did_you_mean(found.text, words, label=Text(ja="書ける値", en="possible values")))
        return member

    return read
