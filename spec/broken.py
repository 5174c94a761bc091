"""What is said about a file that is no YAML: wrong bytes, broken syntax, and the slips of a Japanese
keyboard.

The slips (full-width spaces and colons, tabs) mostly make the YAML parser stumble somewhere else; so when it
stumbles, the lines are looked at for them, and they are reported first.
"""
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ruamel.yaml.error import MarkedYAMLError

from .diagnostics import Diagnostic, Position, shown
from .text import Text

MOST_ALIKE = 50
"""Slips, or invisible characters, of a file that are reported at most."""

# ---------------------------------------------------------------- bytes
UTF8 = Text(
    ja="エディタで「UTF-8」として保存し直してください（または iconv -f CP932 -t UTF-8 old.yaml > new.yaml）",
    en="save it as UTF-8 in your editor, or: iconv -f CP932 -t UTF-8 old.yaml > new.yaml",
)


def not_utf8(data: bytes, file: str, error: UnicodeDecodeError) -> Diagnostic:
    """The bytes are not UTF-8: where the first wrong one is, and what the file seems to be instead."""
    before = data[: error.start].decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    line = before.count("\n") + 1
    position = Position(file, line, len(before) - (before.rfind("\n") + 1) + 1)
    value = f"0x{data[error.start]:02x}"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Diagnostic(position, "not-utf8", Text(
            ja="このファイルは UTF-16 で保存されています。読めるのは UTF-8 だけです",
            en="this file is saved as UTF-16; only UTF-8 can be read",
        ), Text(
            ja="エディタで「UTF-8」として保存し直してください", en="save it as UTF-8 in your editor",
        ), value)
    if error.reason == "unexpected end of data":
        return Diagnostic(position, "not-utf8", Text(
            ja="ファイルが文字の途中で終わっています", en="the file ends in the middle of a character",
        ), Text(ja="ファイルが途中で切れていないか確かめてください", en="perhaps the file is cut off"), value)
    try:
        data.decode("cp932")
    except UnicodeDecodeError:
        return Diagnostic(position, "not-utf8", Text(
            ja=f"UTF-8 として読めないバイト（{value}）があります",
            en=f"here is a byte that is not UTF-8 ({value})",
        ), Text(
            ja="UTF-8 で保存し直してください。ファイルが壊れているのかもしれません",
            en="save the file as UTF-8; perhaps it is damaged",
        ), value)
    return Diagnostic(position, "not-utf8", Text(
        ja="このファイルは Shift_JIS（CP932）で保存されているようです。読めるのは UTF-8 だけです",
        en="this file seems to be saved as Shift_JIS (CP932); only UTF-8 can be read",
    ), UTF8, value)


def invisible(character: str, position: Position) -> Diagnostic:
    """A character that cannot be seen."""
    code = f"U+{ord(character):04X}"
    return Diagnostic(position, "invisible-character", Text(
        ja=f"目に見えない文字（{code}）が入っています", en=f"there is an invisible character here ({code})",
    ), Text(ja="この文字を消してください", en="delete it"), code)


def wide_brackets(value: str) -> Text | None:
    """A hint where the brackets of a list or a record are of full width, and so are none."""
    if not re.search("[［］｛｝]", value):
        return None
    return Text(ja="「［］｛｝」は全角です。半角の [ ] { } で書いてください", en="the brackets are of full width: write `[ ]` and `{ }`")


# ---------------------------------------------------------------- slips
@dataclass(frozen=True)
class Slip:
    """Something typed that YAML takes for something else; line and column count from 1."""

    line: int
    column: int
    code: str
    message: Text
    hint: Text
    value: str

    def at(self, file: str) -> Diagnostic:
        """As a diagnostic."""
        position = Position(file, self.line, self.column)
        return Diagnostic(position, self.code, self.message, self.hint, self.value)


LEADING = re.compile(r"(?P<indent>[ \t\u3000]*)(?P<marks>(?:[-－][ \t\u3000]+)*)(?P<rest>.*)", re.DOTALL)
KEY = re.compile(
    r"""(?P<key>[^\s：:"'#&*!|>%@`\[\]{},、。「」（]{1,30})[ \u3000]*(?P<colon>：|:(?=\u3000|\S))"""
)
BLOCK = re.compile(r"(?:^|[ \u3000:：-])[|>｜＞][-+0-9]*[ \t]*(?:#.*)?$")


def slips(lines: Sequence[str], first: int = 1) -> Iterator[Slip]:
    """The slips in lines that did not parse, numbered from `first`. Block scalars are left out as far as
    they can be recognised."""
    block: int | None = None
    for number, line in enumerate(lines, first):
        found = LEADING.match(line)
        assert found is not None
        indent, rest = found["indent"], found["rest"]
        if not rest and not found["marks"]:
            if block is None and "\u3000" in indent:
                yield _wide_space(number, indent.index("\u3000") + 1)
            continue
        depth = len(line) - len(line.lstrip(" "))
        if block is not None and depth > block:
            continue
        block = depth if BLOCK.search(line) else None
        if "\t" in indent:
            yield Slip(number, indent.index("\t") + 1, "tab", Text(
                ja="字下げにタブが使われています", en="the indentation has a tab",
            ), SPACES, "\t")
        if "\u3000" in indent + found["marks"]:
            yield _wide_space(number, line.index("\u3000") + 1)
        if "－" in found["marks"]:
            yield Slip(number, line.index("－") + 1, "full-width-dash", Text(
                ja="リストの行頭が全角の「－」です", en="this list item begins with a full-width `－`",
            ), Text(ja="半角の - に直してください", en="write a half-width `-`"), "－")
        slip = key_slip(rest, number, len(line) - len(rest) + 1)
        if slip is not None:
            yield slip


def key_slip(text: str, line: int, column: int) -> Slip | None:
    """Is this text a key with something else than `: ` after it?"""
    found = KEY.match(text)
    if found is None or found["key"].isdigit():
        return None
    key = found["key"]
    at = column + found.start("colon")
    if found["colon"] == "：":
        return Slip(line, at, "full-width-colon", Text(
            ja=f"「{key}」の後のコロンが全角です", en=f"the colon after `{key}` is full-width",
        ), Text(ja=f"半角のコロンと半角スペースにしてください: {key}: …", en=f"write `{key}: …`"), "：")
    if text.startswith("//", found.end()):
        return None
    if text.startswith("\u3000", found.end()):
        return _wide_space(line, at + 1)
    return Slip(line, at, "space-after-colon", Text(
        ja=f"「{key}:」の後に半角スペースがありません", en=f"there is no space after `{key}:`",
    ), Text(ja=f"{key}: … のように書いてください", en=f"write `{key}: …`"), shown(found[0]))


def _wide_space(line: int, column: int) -> Slip:
    return Slip(line, column, "full-width-space", Text(
        ja="全角スペースが使われています", en="there is a full-width space here",
    ), Text(ja="半角スペースに置き換えてください", en="use half-width spaces"), "\u3000")


# ---------------------------------------------------------------- syntax
@dataclass(frozen=True)
class _Problem:
    """What the parser says (a part of it), and what we say."""

    says: str
    code: str
    message: Text
    hint: Text | None = None
    at_beginning: bool = False


QUOTE = Text(
    ja='文の中にこの記号を書くときは、文全体を "…" で囲んでください',
    en='to write it as text, put the whole text in "…"',
)
BEGINNING = Text(
    ja='文の始まりなら、文全体を "…" で囲んでください',
    en='if it is the beginning of a text, put the text in "…"',
)
INDENT = Text(ja="前後の行と字下げをそろえてください", en="compare the indentation with the lines around it")
SPACES = Text(ja="半角スペースに置き換えてください", en="use spaces")
CLOSE = Text(ja="閉じる記号を書いてください。ファイルが途中で切れているのかもしれません",
             en="close it; perhaps the file is cut off")
COLON = Text(ja="ここに「: 」は置けません", en="a `: ` is not possible here")
COLON_HINT = Text(
    ja='文の中の「: 」なら、文全体を "…" で囲みます。そうでなければ、前の行と字下げをそろえてください',
    en='if it is part of a text, put the text in "…"; else compare the indentation with the line before',
)
BACKSLASH = Text(
    ja='"…" の中の「\\」の使い方が正しくありません', en='this use of `\\` inside "…" is not possible',
)
BACKSLASH_HINT = Text(ja="「\\」そのものを書くなら「\\\\」とするか、'…' で囲んでください",
                      en="for the character itself write `\\\\`, or put the text in '…'")

PROBLEMS = (
    _Problem("'\\t' that cannot start", "tab", Text(
        ja="ここではタブは使えません", en="a tab is not possible here"), SPACES),
    _Problem("that cannot start any token", "reserved-character", Text(
        ja="この記号で文を始めることはできません", en="a text cannot begin with this character"), QUOTE),
    _Problem("while scanning an anchor", "reserved-character", Text(
        ja="「&」で文を始めることはできません", en="a text cannot begin with `&`"), QUOTE, True),
    _Problem("while scanning an alias", "reserved-character", Text(
        ja="「*」で文を始めることはできません", en="a text cannot begin with `*`"), QUOTE, True),
    _Problem("tag", "reserved-character", Text(
        ja="「!」で文を始めることはできません", en="a text cannot begin with `!`"), QUOTE, True),
    _Problem("directive", "reserved-character", Text(
        ja="「%」で行を始めることはできません", en="a line cannot begin with `%`"), QUOTE, True),
    _Problem("could not find expected ':'", "not-a-pair", Text(
        ja="この行は「項目名: 値」の形にも「- 値」の形にもなっていません",
        en="this line is neither `key: value` nor `- item`"), INDENT, True),
    _Problem("sequence entries are not allowed", "list-here", Text(
        ja="ここから「- 」のリストを始めることはできません", en="a `- ` list cannot begin here"),
        Text(ja="リストは次の行から始めてください", en="begin the list on the next line")),
    _Problem("mapping values are not allowed", "colon-here", COLON, COLON_HINT),
    _Problem("found unexpected ':'", "colon-here", COLON, COLON_HINT),
    _Problem("mapping keys are not allowed", "question-mark", Text(
        ja="「? 」で行を始めることはできません", en="a line cannot begin with `? `"), QUOTE),
    _Problem("block scalar", "block-scalar", Text(
        ja="「|」で始まる複数行の文の書き方が正しくありません",
        en="this use of `|` for a text of several lines is not possible"), Text(
        ja="「|」の後には何も書かず、次の行から同じ字下げで書いてください",
        en="write nothing after `|`, and indent all its lines equally")),
    _Problem("unknown escape", "escape", BACKSLASH, BACKSLASH_HINT),
    _Problem("escape sequence", "escape", BACKSLASH, BACKSLASH_HINT),
    _Problem("quoted scalar", "unclosed-quote", Text(
        ja="引用符が閉じられていません", en="this quotation mark is never closed"), CLOSE, True),
    _Problem("flow sequence", "unclosed-bracket", Text(
        ja="この「[」の中が正しくありません。「]」で閉じていないか、「,」が抜けています",
        en="this `[` is not closed by `]`, or a `,` is missing in it"), BEGINNING, True),
    _Problem("flow mapping", "unclosed-bracket", Text(
        ja="この「{」の中が正しくありません。「}」で閉じていないか、「,」が抜けています",
        en="this `{` is not closed by `}`, or a `,` is missing in it"), BEGINNING, True),
    _Problem("expected <block end>", "indentation", Text(
        ja="この行の字下げが、前の行と合っていません",
        en="the indentation of this line does not fit the lines before it"), INDENT),
    _Problem("expected the node content", "unexpected-character", Text(
        ja="ここにこの記号は置けません", en="this character is not possible here"), QUOTE),
    _Problem("document", "after-the-end", Text(
        ja="文書の終わりの後に、まだ何か書かれています",
        en="something follows after the end of the document"), INDENT),
)
AFTER_VALUE = _Problem("expected <block end>", "after-the-value", Text(
    ja="値の後に余分な文字があります", en="there is something more after the value"), Text(
    ja="引用符が正しく閉じているか確かめてください。「\"」や「[」で始まる文なら、文全体を '…' で囲みます",
    en="check that the quotation marks match; if the text begins with `\"` or `[`, put all of it in '…'"))
OTHER = _Problem("", "not-yaml", Text(
    ja="ここから先が YAML として読めません", en="from here on this is not valid YAML"))


def syntax_error(error: Exception, file: str, lines: Sequence[str], reached: Position) -> list[Diagnostic]:
    """What is wrong with a file that the parser refused: the slips in its lines, and the parser's complaint
    unless a slip explains it. `reached` is how far the parser had come."""
    problem, position = OTHER, reached
    if isinstance(error, MarkedYAMLError):
        said = f"{error.context or ''}: {error.problem or ''}"
        problem = next((p for p in PROBLEMS if p.says in said), OTHER)
        marks = (error.context_mark, error.problem_mark)
        for mark in marks if problem.at_beginning else reversed(marks):
            if mark is not None:
                position = Position(file, mark.line + 1, mark.column + 1)
                break
    position = _onto_a_line(position, lines)
    if problem.code == "indentation" and lines[position.line - 1][: position.column - 1].strip("- "):
        problem = AFTER_VALUE
    found = list(islice(slips(lines), MOST_ALIKE))
    near = {position.line, _line_before(position.line, lines)}
    diagnostics = [slip.at(file) for slip in found]
    if not any(slip.line in near for slip in found):
        value = lines[position.line - 1][position.column - 1 :].strip() or None
        diagnostics.append(Diagnostic(position, problem.code, problem.message, problem.hint, value))
    return diagnostics


def _onto_a_line(position: Position, lines: Sequence[str]) -> Position:
    """A position after the last character is moved to the end of the last line that has any."""
    line = min(position.line, len(lines))
    column = position.column if line == position.line else len(lines[line - 1]) + 1
    while line > 1 and not lines[line - 1].strip(" \t"):
        line -= 1
        column = len(lines[line - 1]) + 1
    return Position(position.file, line, column)


def _line_before(line: int, lines: Sequence[str]) -> int:
    """The line before, blank ones left out."""
    line -= 1
    while line > 1 and not lines[line - 1].strip(" \t"):
        line -= 1
    return line
