"""Source text of rules: modules of a book, and scripts of cards; where each clause mark belongs."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from ...spec.diagnostics import Collector, Diagnostic, Position, nearest, split_lines
from ...spec.kept import made
from ...spec.text import Text
from ..ir.nodes import Mark

CALLER = "caller"
"""In place of a clause, behind the head of a rule: what has no mark of its own in it is done for the clauses of whoever calls it."""
CLAUSE_MARK = re.compile(r"#:\s*([^\s#,]+(?:[\s,]+[^\s#,]+)*)")

MARK_WITHOUT_COLON = re.compile(r"\S.*#(?!:)[ \t]*[:：]?[ \t]*([^\s#:：,、]+(?:[\s,、]+[^\s#:,、]+)*)\s*$")


class Refused(Exception):
    """Something was refused and reported; what depends on it is not looked at."""


@dataclass
class Source:
    """A piece of rule text; `place` maps its lines and columns (1-based) to the file it stands in (for scripts inside YAML)."""

    file: str
    text: str
    place: Callable[[int, int], Position]
    clauses: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    """Clause marks by line."""
    lines: Sequence[str] = ()
    kernel: bool = False
    """It belongs to the kernel, which cites no clauses: what it does is done for the clauses of whoever calls it."""
    walked: dict[ast.AST, tuple[ast.AST, ...]] = field(default_factory=dict[ast.AST, "tuple[ast.AST, ...]"], repr=False)
    attached: dict[ast.AST, Mapping[int, tuple[str, ...]]] = field(
        default_factory=dict[ast.AST, "Mapping[int, tuple[str, ...]]"], repr=False)
    marks: dict[tuple[int, int, tuple[str, ...]], Mark] = field(
        default_factory=dict[tuple[int, int, tuple[str, ...]], Mark], repr=False, compare=False)
    """By line and column (as Python counts them) and clauses: each is made once."""
    set_often: dict[ast.AST, frozenset[str]] = field(
        default_factory=dict[ast.AST, "frozenset[str]"], repr=False, compare=False
    )

    copies: dict[tuple[ast.AST, str, tuple[str, ...]], ast.FunctionDef | ast.AsyncFunctionDef] = field(
        default_factory=dict[tuple[ast.AST, str, "tuple[str, ...]"], "ast.FunctionDef | ast.AsyncFunctionDef"],
        repr=False,
        compare=False,
    )
    """Rules with other rules in place of their parameters, by the rule, the name of what is made and these parameters."""

    @cached_property
    def tree(self) -> ast.Module:
        """What Python's parser makes of it. (What was read before is parsed only where somebody asks for this.)"""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(self.text)

    def nodes(self, tree: ast.AST) -> Sequence[ast.AST]:
        """All nodes of the module's tree, or of a rule in it. A module is compiled for many worlds, so they are kept."""
        if tree not in self.walked:
            self.walked[tree] = tuple(ast.walk(tree))
        return self.walked[tree]

    def set_in_several_places(self, tree: ast.AST) -> frozenset[str]:
        """Names that are assigned more than once in a rule, or changed."""
        if tree not in self.set_often:
            names = Counter(n.id for n in self.nodes(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
            changed = {
                n.target.id for n in self.nodes(tree) if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)
            }
            self.set_often[tree] = frozenset(changed | {name for name, count in names.items() if count > 1})
        return self.set_often[tree]

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """The kernel modules that it names."""
        return tuple(name for _, name in imported(self))

    @cached_property
    def for_callers(self) -> frozenset[int]:
        """Lines marked `#: caller`."""
        return (
            frozenset(line for line, ids in all_marks(self.text) if ids == (CALLER,))
            if f"#: {CALLER}" in self.text
            else frozenset()
        )

    @cached_property
    def records(self) -> tuple[str, ...]:
        """The records that it declares."""
        return tuple(
            n.name for n in self.tree.body
            if isinstance(n, ast.ClassDef) and any(isinstance(b, ast.Name) and b.id == "Record" for b in n.bases))

    @cached_property
    def passed(self) -> tuple[tuple[str, int], ...]:
        """Names that are passed, and where."""
        return tuple((name.id, name.lineno) for name in names_passed(self.nodes(self.tree)))

    @cached_property
    def lines_of_statements(self) -> frozenset[int]:
        """Lines on which a clause mark belongs to a statement, or to one of its parts."""
        out: set[int] = set()
        for node in self.nodes(self.tree):
            if isinstance(node, ast.stmt):
                out |= {node.lineno, node.end_lineno or 0}
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                out |= {*range(first_line(node), node.body[0].lineno)}
            out |= {line for line, _ in parts_of(node, self)}
        return frozenset(out)

    def marks_without_colon(self, clauses: Container[str]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Comments behind code that hold clauses and nothing else: line, column (from 0, in characters), clauses."""
        like = {
            n: tuple(re.split(r"[\s,、]+", found[1]))
            for n, line in enumerate(self.lines, 1)
            if "#" in line and (found := MARK_WITHOUT_COLON.search(line))
        }
        like = {n: ids for n, ids in like.items() if all(one in clauses for one in ids)}
        if like:  # a text may hold such a line, too
            yield from (
                (*t.start, like[t.start[0]])
                for t in comments(self.text)
                if t.start[0] in like and not t.string.startswith("#:")
            )

    def position(self, node: ast.AST) -> Position:
        """Where a node stands. Python counts columns in bytes; people count them in characters."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        if 0 < line <= len(self.lines) and not self.lines[line - 1].isascii():
            column = len(self.lines[line - 1].encode()[:column].decode(errors="ignore"))
        return self.place(line, column + 1)

    def segment(self, node: ast.AST) -> str | None:
        """The first line of the node's text; None if it has none."""
        if not hasattr(node, "end_lineno"):
            return None
        text = ast.get_source_segment(self.text, node)
        return text.split("\n", 1)[0][:80] if text else None


def read_source(
    file: str,
    text: str,
    report: Collector,
    place: Callable[[int, int], Position] | None = None,
    expression: bool = False,
    kernel: bool = False,
) -> Source | None:
    """Parse a module, or a script. Reports a syntax error and gives None."""
    place = place or partial(Position, file)
    if expression:  # a condition may go over several lines
        text, place = parenthesised(text, place)
    try:
        clauses = {line: ids for line, ids in all_marks(text) if ids != (CALLER,)}
        source = Source(file, text, place, clauses, split_lines(text), kernel)
        tree = source.tree
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        line, column = getattr(e, "lineno", None) or 1, getattr(e, "offset", None) or 1
        if isinstance(e, IndentationError) and e.text is not None:
            column = len(e.text) - len(e.text.lstrip()) + 1
        report.add(syntax_error(e, place(line, max(1, column))))
        return None
    if expression and not (len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr)):
        report.add(
            Diagnostic(
                place(1, 2),
                "not-an-expression",
                Text(ja="ここには条件の式を一つだけ書きます", en="one condition is needed here, and nothing else"),
            )
        )
        return None
    return source


def read_module(file: str, text: str, report: Collector, kernel: bool = False) -> Source | None:
    """`read_source` of a whole module; of one that was read before only what is nearly always asked for."""
    fresh: list[Source] = []

    def look() -> tuple[dict[int, tuple[str, ...]], tuple[str, ...], tuple[str, ...]] | None:
        source = read_source(file, text, report, kernel=kernel)
        if source is None:
            return None
        fresh.append(source)
        return source.clauses, source.imports, source.records
    known = made("modules", f"{file}\n{kernel}\n{text}", look, lambda found: found is not None)
    if fresh or known is None:
        return fresh[0] if fresh else None
    clauses, imports, records = known
    source = Source(file, text, partial(Position, file), clauses, split_lines(text), kernel)
    source.imports, source.records = imports, records
    return source


def imported(source: Source) -> Iterator[tuple[ast.ImportFrom, str]]:
    """The kernel modules that a module names: `from ...kernel.decks import *`, in the kernel `from .decks import *`."""
    for node in source.tree.body:
        if not isinstance(node, ast.ImportFrom):
            continue
        parts = (node.module or "").split(".")
        if source.kernel and node.level == 1 and parts[0]:
            yield node, parts[0]
        elif "kernel" in parts:
            behind = parts[parts.index("kernel") + 1 :]
            yield from ((node, name) for name in (behind[:1] or [a.name for a in node.names]))


def parenthesised(
    text: str,
    place: Callable[[int, int], Position],
) -> tuple[str, Callable[[int, int], Position]]:
    """An expression in brackets, so that it may go over several lines; and how its places map to the file."""
    before = text[: len(text) - len(text.lstrip())]
    lines, columns = before.count("\n"), len(before) - before.rfind("\n") - 1

    def inner(line: int, column: int) -> Position:
        return place(line + lines, max(1, column - 1 + columns) if line == 1 else column)

    return f"({text.strip()}\n)", inner


LIKE_ITS_BLOCK = Text(ja="同じまとまりの行と同じ字下げにしてください", en="indent it like the lines that it belongs with")
COMMON = (
    (
        "inconsistent use of tabs",
        Text(ja="字下げにタブと空白が混ざっています", en="tabs and spaces are mixed in the indentation"),
        Text(ja="半角の空白だけにしてください", en="use spaces alone"),
    ),
    (
        "unindent does not match",
        Text(ja="この行の字下げは、前のどの行とも合っていません", en="this line is indented like none before it"),
        LIKE_ITS_BLOCK,
    ),
    (
        "unexpected indent",
        Text(ja="この行は、前の行より余計に字下げされています", en="this line is indented further than the one before"),
        LIKE_ITS_BLOCK,
    ),
    (
        "expected an indented block",
        Text(ja="ここには、字下げした行が要ります", en="an indented line is needed here"),
        Text(ja="何もしないなら `pass` と書いてください", en="write `pass` to do nothing"),
    ),
    (
        r"'(.)' was never closed",
        Text(ja="「{}」が閉じられていません", en="`{}` is not closed"),
        Text(ja="閉じるかっこを書いてください", en="write the closing bracket"),
    ),
    (
        r"unmatched '(.)'",
        Text(ja="この「{}」に対応する、開くかっこがありません", en="nothing opens this `{}`"),
        Text(ja="消すか、開くかっこを書いてください", en="delete it, or write the opening bracket"),
    ),
    (
        r"expected '(:)'",
        Text(ja="ここには「{}」が要ります", en="a `{}` is needed here"),
        Text(ja="「:」を書いてください", en="write `:`"),
    ),
    (
        "(?:Maybe|perhaps) you meant ['\"]==",
        Text(ja="ここでは値を入れられません", en="nothing can be assigned here"),
        Text(ja="比べるなら `==` と書いてください", en="write `==` to compare"),
    ),
    (
        "unterminated (?:triple-quoted )?string",
        Text(ja="文字列が閉じられていません", en="this text is not closed"),
        Text(ja="引用符で閉じてください", en="close it with the quotation mark it begins with"),
    ),
    (
        "closing parenthesis '(.)' does not match opening parenthesis '(.)'",
        Text(ja="「{1}」が「{0}」で閉じられています", en="`{1}` is closed by `{0}`"),
        None,
    ),
    ("Perhaps you forgot a comma", Text(ja="「,」が抜けているようです", en="a `,` seems to be missing"), None),
    ("invalid decimal literal", Text(ja="数の書き方が正しくありません", en="this is no number"), None),
    ("nested too deeply", Text(ja="入れ子が深すぎます", en="this is nested too deeply"), None),
    ("invalid syntax$", Text(ja="規則言語の文法に合いません", en="this is not valid rule text"), None),
)
"""What Python's parser says of common mistakes, what is said instead, and what to write."""


SIGNS = str.maketrans({"≦": "<=", "≤": "<=", "≧": ">=", "≥": ">=", "≠": "!=", "×": "*", "−": "-"})  # of mathematics, as Python writes them


def syntax_error(error: Exception, at: Position) -> Diagnostic:
    """What Python's parser says, in words of ours where the mistake is a common one, and for full-width characters what to write instead."""
    too_deep = isinstance(error, RecursionError | MemoryError)
    what = "nested too deeply" if too_deep else getattr(error, "msg", None) or str(error)
    hint = None
    for pattern, said, instead in COMMON:
        if (found := re.search(pattern, what)) is not None:
            return Diagnostic(
                at, "syntax", Text(ja=said.ja.format(*found.groups()), en=said.en.format(*found.groups())), instead
            )
    wide = re.search(r"invalid (?:non-printable )?character .*?U\+([0-9A-F]+)", what)
    if wide is not None:
        character = chr(int(wide[1], 16))
        plain = unicodedata.normalize("NFKC", character.translate(SIGNS))
        if plain != character and plain.isascii():
            shown = "a plain space" if plain.isspace() else f"`{plain}`"
            hint = Text(ja=f"半角の {'空白' if plain.isspace() else f'`{plain}`'} にしてください", en=f"write {shown}")
    seen = f"ここに使えない文字（U+{wide[1]}）です" if wide is not None else f"構文解析器の英語の説明: {what}"
    return Diagnostic(at, "syntax", Text(ja=f"規則言語として読めません（{seen}）", en=f"this is not valid rule text ({what})"), hint)


def all_marks(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Lines with what is marked on them (`#: 7.2.3`, several allowed; `#: caller` names no clause)."""
    for t in comments(text):
        if t.string.startswith("#:"):
            ids = [i for part in CLAUSE_MARK.findall(t.string) for i in part.replace(",", " ").split()]
            yield t.start[0], tuple(ids)


def comments(text: str) -> Iterator[tokenize.TokenInfo]:
    """The comments of a module; as far as Python can divide its text into words."""
    try:
        yield from (t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == tokenize.COMMENT)
    except (tokenize.TokenError, IndentationError):
        return


def attach_clauses(source: Source, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Mapping[int, tuple[str, ...]]:
    """Clauses of each statement of a function, by `id(node)`; `id(function)` has those of the `def` line.

    A mark belongs to the innermost statement that ends on its line; where none ends there, to the compound statement
    whose header it is; inside a call, to the rules that are passed on the line (by `id` of the name).
    """
    if function not in source.attached:
        source.attached[function] = clauses_of_statements(source, function)
    return source.attached[function]


def clauses_of_statements(
    source: Source, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> dict[int, tuple[str, ...]]:
    """`attach_clauses`, worked out."""
    ends: dict[int, ast.stmt] = {}
    heads: dict[int, ast.stmt] = {}
    others: dict[int, list[ast.AST]] = {}
    nodes = source.nodes(function)
    for node in nodes:
        for line, body in parts_of(node, source):
            others.setdefault(line, []).extend(body)
        if isinstance(node, ast.stmt) and node is not function:
            heads.setdefault(node.lineno, node)
            assert node.end_lineno is not None
            best = ends.setdefault(node.end_lineno, node)
            ends[node.end_lineno] = node if inside(node, best) else best
    for name in names_passed(nodes):
        others.setdefault(name.lineno, []).append(name)
    out: dict[int, tuple[str, ...]] = {}
    further: dict[int, tuple[str, ...]] = {}
    head = range(first_line(function), function.body[0].lineno)
    for line, marks in source.clauses.items():
        belongs = function if line in head else ends.get(line) or heads.get(line)
        if belongs is not None:
            out[id(belongs)] = out.get(id(belongs), ()) + marks
        else:
            further |= dict.fromkeys(map(id, others.get(line, ())), marks)
    return further | out


def names_passed(nodes: Iterable[ast.AST]) -> Iterator[ast.Name]:
    """Names that are arguments of calls: they may be rules."""
    for node in nodes:
        if isinstance(node, ast.Call):
            yield from (a for a in (*node.args, *(k.value for k in node.keywords)) if isinstance(a, ast.Name))


def parts_of(node: ast.AST, source: Source) -> Iterator[tuple[int, Sequence[ast.stmt]]]:
    """Lines of `case …:`, `else:` and `except …:`, with what stands under them."""
    match node:
        case ast.match_case(pattern=pattern, body=body):
            yield pattern.lineno, body
        case ast.ExceptHandler(lineno=line, body=body):
            yield line, body
        case ast.If(body=before, orelse=[first, *_] as body) | ast.For(body=before, orelse=[first, *_] as body):
            for line in range((before[-1].end_lineno or 0) + 1, first.lineno):
                if line <= len(source.lines) and source.lines[line - 1].lstrip().startswith("else"):
                    yield line, body


def marked_lines(source: Source, rules: Container[str] = ()) -> set[int]:
    """Lines on which a clause mark belongs to something; `rules`: what can be passed."""
    return {line for name, line in source.passed if name in rules} | source.lines_of_statements


def first_line(node: ast.stmt) -> int:
    """The line of the first decorator, or of the statement."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])


def inside(a: ast.stmt, b: ast.stmt) -> bool:
    """Does statement `a` lie within `b`?"""
    return (
        (a.lineno, a.col_offset) >= (b.lineno, b.col_offset)
        and a is not b
        and ((a.end_lineno or 0, a.end_col_offset or 0) <= (b.end_lineno or 0, b.end_col_offset or 0))
    )


Hint = tuple[str, str]
"""What to write instead (en, ja)."""


def meant(word: str, known: Iterable[str], otherwise: Hint | None = None) -> Hint | None:
    """The hint that names what was probably meant; `otherwise` where nothing that is known is near."""
    near = nearest(word, known)
    return otherwise if near is None else (f"did you mean `{near}`?", f"`{near}` ではありませんか")


@dataclass
class Reporter:
    """Reports about one source."""

    source: Source
    collector: Collector

    def mark(self, node: ast.AST, clauses: tuple[str, ...] = ()) -> Mark:
        """The node's position and clauses, for the IR."""
        key = getattr(node, "lineno", 1), getattr(node, "col_offset", 0), clauses
        known = self.source.marks.get(key)
        if known is None:
            p = self.source.position(node)
            known = self.source.marks[key] = Mark(p.file, p.line, p.column, clauses)
        return known

    def refuse(self, node: ast.AST, code: str, en: str, ja: str, hint: tuple[str, str] | None = None) -> Refused:
        """Report that something is outside the language; `hint` (en, ja) says what to write instead."""
        self.collector.add(
            Diagnostic(
                self.source.position(node),
                code,
                Text(ja=ja, en=en),
                None if hint is None else Text(ja=hint[1], en=hint[0]),
                self.source.segment(node),
            )
        )
        return Refused()

    def demand(
        self, holds: object, node: ast.AST, code: str, en: str, ja: str, hint: tuple[str, str] | None = None
    ) -> None:
        """Refuse what does not hold. Raises Refused."""
        if not holds:
            raise self.refuse(node, code, en, ja, hint)
