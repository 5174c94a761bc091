"""A book of which some rules, or whole files, are others: tried beside it, and written nowhere in it.

A Python file has rules (events, constants): each takes the place of the book's rule of the same name, and what the book does not have comes to it. Any
other file takes the place of the book's file of its name."""
from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from ...model.engine.library import book_places
from ...model.lang.source import Source, first_line, read_source
from ...spec.diagnostics import BadInput, Collector, Diagnostic, Position, did_you_mean
from ...spec.own_folder import working_folder
from ...spec.reading import file_text, plain_bytes
from ...spec.text import Text
from ...spec.writing import write_whole
from . import edited

RULES = "rules"


@dataclass(frozen=True)
class Lines:
    """Lines of a module that come from a file: `count` of them, from `first` in the module and from `line` in the file, counted from 1."""

    module: str
    first: int
    count: int
    file: str
    line: int


@dataclass(frozen=True)
class Patched:
    """Such a book, in `folder` under its own name."""

    folder: Path
    lines: tuple[Lines, ...]

    @contextmanager
    def told_where_written(self) -> Iterator[None]:
        """What is wrong with what is tried is told of the lines of its files. Raises BadInput."""
        try:
            yield
        except BadInput as error:
            raise BadInput([replace(d, position=self.written_at(d.position)) for d in error.diagnostics]) from None

    def written_at(self, at: Position | None) -> Position | None:
        """Where something was written that stands here in the patched book."""
        for some in self.lines if at is not None else ():
            if at is not None and at.file == some.module and some.first <= at.line < some.first + some.count:
                return replace(at, file=some.file, line=at.line - some.first + some.line)
        return at


def patched(book: str, files: Sequence[Path]) -> Patched:
    """The book with these files. Raises BadInput for one that fits nothing in it."""
    place, report = book_places()[book], Collector()
    content: dict[str, str | bytes] = {}
    for path in edited.stamps(book):
        of_rules = place.rules is not None and path.parent == place.rules
        content[f"{RULES}/{path.name}" if of_rules else path.relative_to(place.folder).as_posix()] = plain_bytes(path)
    modules = {
        name: text.decode()
        for name, text in content.items()
        if name.startswith(f"{RULES}/") and isinstance(text, bytes)
    }
    lines: list[Lines] = []
    for file in files:
        if file.suffix == ".py":
            lines += put_in(modules, str(file), file_text(file), report)
        elif file.name in content:
            content[file.name] = plain_bytes(file)
        else:
            report.add(
                Diagnostic(
                    Position(str(file), 1, 1),
                    "no-such-file-in-book",
                    Text(ja=f"{book} に {file.name} というファイルはありません", en=f"{book} has no file {file.name}"),
                    did_you_mean(file.name, content),
                    file.name,
                )
            )
    report.raise_if_any()
    content |= modules
    digest = hashlib.sha256(repr(sorted(content.items())).encode()).hexdigest()[:16]
    folder = working_folder("tried") / digest
    for name, text in content.items():
        write_whole(folder / book / name, text, lasting=False, own=True)
    return Patched(folder, tuple(replace(one, module=str(folder / book / one.module)) for one in lines))


def put_in(modules: dict[str, str], file: str, text: str, report: Collector) -> list[Lines]:
    """Put the rules of a file in place of those of the same names; new ones to the end of the module of the first. Gives where they stand."""
    patch = read_source(file, text, report)
    if patch is None:
        return []
    rules = [(name, node) for node in patch.tree.body if (name := name_of(node, patch, report))]
    stand = {
        name: (module, node)
        for module, said in modules.items()
        for node in ast.parse(said).body
        for name in [named(node)]
        if name
    }
    home = next((stand[name][0] for name, _ in rules if name in stand), None)
    if home is None:
        name = rules[0][0] if rules else ""
        report.add(Diagnostic(Position(file, 1, 1), "no-such-rule", Text(
            ja="この本にある規則が一つもありません", en="no rule of this file is one of the book"), did_you_mean(name, stand), name))
        return []
    lines: list[Lines] = []
    for module in modules:
        rows, moved = modules[module].splitlines(), 0
        here = sorted(
            (first_line(stand[name][1]), stand[name][1].end_lineno or 0, node)
            for name, node in rules
            if name in stand and stand[name][0] == module
        )
        here += [(len(rows) + 1, len(rows), node) for name, node in rules if name not in stand and module == home]
        for first, last, node in here:
            new = patch.lines[first_line(node) - 1 : node.end_lineno]
            rows[first - 1 + moved : last + moved] = new
            lines.append(Lines(module, first + moved, len(new), file, first_line(node)))
            moved += len(new) - (last - first + 1)
        modules[module] = "\n".join(rows) + "\n"
    return lines


def name_of(node: ast.stmt, source: Source, report: Collector) -> str:
    """The name of what is defined; nothing of an import or of words. What else stands there is reported."""
    name = named(node)
    if not (name or isinstance(node, ast.Import | ast.ImportFrom | ast.Expr)):
        report.add(
            Diagnostic(
                Position(source.file, node.lineno, node.col_offset + 1),
                "not-a-rule",
                Text(
                    ja="ここに書けるのは、規則と名前のある値だけです",
                    en="only rules and values with a name can stand here",
                ),
                None,
                source.lines[node.lineno - 1].strip(),
            )
        )
    return name


def named(node: ast.stmt) -> str:
    """The name that a statement defines, if it defines one."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case _:
            return ""
