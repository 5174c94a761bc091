"""A rule book as the register needs it: its clauses, and what cites them. It may have no rules yet."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ...model.engine.compiled import compile_book, made_of
from ...model.engine.library import (
    BookPlace,
    book_places,
    half_a_book,
    load_book,
    read_words,
    rule_text,
    rules_folder,
    shown_path,
)
from ...model.lang.source import Source, attach_clauses, first_line, parts_of, read_source
from ...model.lang.world import CardCopy, CardDef, Rulebook, World
from ...spec.diagnostics import BadInput, Collector, Diagnostic, Position, nearest
from ...spec.document import read_document
from ...spec.groups import grouped
from ...spec.kept import made
from ...spec.nodes import ListNode, MapNode, Node, TextNode
from ...spec.readers import Clause, Clauses, Reading, Term, read_clauses, read_readings, read_terms
from ...spec.reading import stay_inside
from ...spec.text import Text


@dataclass(frozen=True)
class Place:
    """A marked place of the rules: the line with the mark, the rule it stands in, what the rule's docstring says, the
    lines of the statement, and the statement without its marks. `declared`: it is a declaration, never executed."""

    file: str
    path: Path
    line: int
    rule: str
    says: str
    source: str
    first: int
    last: int
    statement: str
    declared: bool = False


@dataclass(frozen=True)
class CaseCite:
    """A stored case that cites a clause."""

    path: Path
    finding: str
    decisive: bool


NAMING = frozenset({"OPEN", "gap", "conflict", "not_modelled"})
"""Words of the rule language that name a clause as text."""


@dataclass
class BookFiles:
    """A rule book's files, read."""

    name: str
    folder: Path
    rules: Path | None
    title: Text
    clauses: Clauses
    terms: tuple[Term, ...]
    readings: tuple[Reading, ...]
    places: Mapping[str, Sequence[Place]] = field(default_factory=dict[str, Sequence[Place]])
    left_out: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """For each clause, where the rules say that a part of it is not modelled: file and line."""
    named: Mapping[str, Sequence[Place]] = field(default_factory=dict[str, Sequence[Place]])
    """For each clause, where the rules name it as text (`OPEN("2.1")`), and no mark on the line does."""
    rule_names: frozenset[str] = frozenset()
    """What the rules, records and enumerations of its modules are called."""

    @cached_property
    def by_id(self) -> dict[str, Clause]:
        """The clauses by their ids."""
        return {c.id.value: c for c in self.clauses.clauses}

    @cached_property
    def read_by(self) -> dict[str, list[Reading]]:
        """The readings that name a clause."""
        return grouped(
            (clause, reading) for reading in self.readings
            for clause in dict.fromkeys(c.value for c in reading.clauses))

    @cached_property
    def terms_of(self) -> dict[str, list[Term]]:
        """The terms that a clause defines."""
        return grouped((term.clause.value, term) for term in self.terms if term.clause is not None)

    @cached_property
    def referring(self) -> dict[str, list[str]]:
        """The clauses that refer to a clause."""
        return grouped((ref.value, clause.id.value) for clause in self.clauses.clauses for ref in clause.refs)


def place_of(target: str) -> tuple[str, BookPlace]:
    """The book of a name, or of a folder with `clauses.yaml`. Raises BadInput."""
    known = book_places()
    if target in known:
        return target, known[target]
    folder = Path(target)
    if (folder / "clauses.yaml").is_file():
        return folder.resolve().name, BookPlace(
            folder, rules_folder(folder, folder.resolve().parent.parent / "model" / "games")
        )
    near = nearest(target, list(known))
    raise BadInput([half_a_book(target) or Diagnostic(None, "unknown-book", Text(
        ja=f"「{target}」という本はありません", en=f"there is no book `{target}`",
    ), Text(
        ja=f"もしかして「{near}」ですか" if near else
           f"あるのは: {'、'.join(sorted(known))}。自分の本は --books フォルダー か spec/本の名前/ で指定します",
        en=f"did you mean `{near}`?" if near else
           f"known: {', '.join(sorted(known))}; for a book of your own use --books FOLDER, or spec/<book>/",
    ), target)])


def open_book(target: str) -> BookFiles:
    """Read a book, and check its rules where it has any. Raises BadInput with what is wrong."""
    name, place = place_of(target)
    folder = place.folder
    if place.rules is not None and book_places().get(name) == place:
        book = load_book(name)
        files = BookFiles(
            name,
            folder,
            place.rules,
            book.vocabulary.title,
            book.clauses,
            read_optional_terms(folder, book.clauses),
            tuple(book.readings.values()),
        )
        check_rules(name)
        files.places = places_of(book.rulebook.sources, folder, place.rules)
        files.left_out = left_out(book.rulebook.sources)
        files.named = named_in(book.rulebook.sources, folder, place.rules)
        files.rule_names = rule_names(book.rulebook.sources)
        return files
    stay_inside(folder)
    if place.rules is not None:
        stay_inside(place.rules)
    clauses = read_clauses(folder / "clauses.yaml")
    readings = folder / "readings.yaml"
    known = clauses.ids
    title = read_words(folder / "words.yaml").title
    sources = read_rules(place.rules, known)
    return BookFiles(
        name,
        folder,
        place.rules,
        title,
        clauses,
        read_optional_terms(folder, clauses),
        read_readings(readings, known).readings if readings.exists() else (),
        places_of(sources, folder, place.rules),
        left_out(sources),
        named_in(sources, folder, place.rules),
        rule_names(sources),
    )


def read_optional_terms(folder: Path, clauses: Clauses) -> tuple[Term, ...]:
    """The book's terms, if it has a file of them."""
    path = folder / "terms.yaml"
    return read_terms(path, clauses.ids).terms if path.exists() else ()


def check_rules(name: str, more: Sequence[CardDef] = ()) -> None:
    """Compile the rules once, with every card of the book (and with more cards), so that a mark that means nothing does not count; not
    again while they stay as they are. Raises BadInput."""
    book = load_book(name)
    check_rulebook(book.rulebook, (*book.cards.values(), *more))


def check_rulebook(rulebook: Rulebook, cards: Sequence[CardDef]) -> None:
    """The same, of rules that were read, with these cards. Raises BadInput."""
    entry = next((e for s in rulebook.sources for e in entries(s)), None)
    if entry is not None:
        world = World(tuple(CardCopy(c, 0) for c in cards))
        try:
            made("right-rules", made_of(rulebook, world, entry),
                 lambda: compile_book(rulebook, world, entry) is not None)
        except BadInput as error:  # that rule is wrong itself: nobody asked to begin there
            raise BadInput([d for d in error.diagnostics if d.code != "no-such-entry"] or error.diagnostics) from None
        return
    report = Collector()
    if rulebook.clauses is not None:
        check_marks(rulebook.sources, rulebook.clauses, report)
    report.raise_if_any()


def entries(source: Source) -> Iterator[str]:
    """The places where play can begin."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "entry" and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value


def read_rules(rules: Path | None, known: frozenset[str]) -> list[Source]:
    """The modules of rules that cannot be loaded as a book: parsed, their marks checked against the clauses."""
    report = Collector()
    found: list[Source] = []
    for path in sorted(rules.glob("*.py")) if rules is not None else ():
        source = read_source(shown_path(path), rule_text(path, report), report)
        if source is None:
            continue
        found.append(source)
    check_marks(found, known, report)
    report.raise_if_any()
    return found


def check_marks(sources: Sequence[Source], known: frozenset[str], report: Collector) -> None:
    """Report marks that name no clause of the book."""
    for source in sources:
        for line, ids in source.clauses.items():
            for one in ids:
                if one not in known:
                    column = source.lines[line - 1].find(one, max(source.lines[line - 1].find("#:"), 0)) + 1
                    report.add(Diagnostic(Position(source.file, line, max(column, 1)), "unknown-clause", Text(
                        ja=f"この本に条 {one} はありません", en=f"the book has no clause {one}"), None, one))


# ---------------------------------------------------------------- marked places
def places_of(sources: Sequence[Source], folder: Path, rules: Path | None) -> dict[str, list[Place]]:
    """The marked places of each clause, in the order of the modules; then those in the texts of the book's cards."""
    found: dict[str, list[Place]] = {}
    for source in sources:
        path = rules / Path(source.file).name if rules is not None else Path(source.file)
        for clause, place in marked(source, path):
            found.setdefault(clause, []).append(place)
    for clause, place in marked_cards(folder / "cards.yaml"):
        found.setdefault(clause, []).append(place)
    return found


def left_out(sources: Sequence[Source]) -> dict[str, list[str]]:
    """Where the rules say `not_modelled("…")`, by clause."""
    found: dict[str, list[str]] = {}
    for source in sources:
        for node in ast.walk(source.tree):
            match node:
                case ast.Call(func=ast.Name(id="not_modelled"), args=[ast.Constant(value=str(clause))]):
                    found.setdefault(clause, []).append(f"{source.file}:{node.lineno}")
                case _:
                    pass
    return found


def named_in(sources: Sequence[Source], folder: Path, rules: Path | None) -> dict[str, list[Place]]:
    """Where the rules name a clause as text, and no mark on the line does, by clause; then the marks in the book's phrases, which
    carry nothing out until a card is written in them."""
    found: dict[str, list[Place]] = {}
    for source in sources:
        path = rules / Path(source.file).name if rules is not None else Path(source.file)
        for rule in (n for n in ast.walk(source.tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)):
            for node in ast.walk(rule):
                match node:
                    case ast.Call(func=ast.Name(id=word), args=[ast.Constant(value=str(clause))]) if word in NAMING:
                        if clause and clause not in source.clauses.get(node.lineno, ()):
                            text = source.lines[node.lineno - 1].strip()
                            found.setdefault(clause, []).append(
                                Place(
                                    source.file,
                                    path,
                                    node.lineno,
                                    rule.name,
                                    ast.get_docstring(rule) or "",
                                    text,
                                    node.lineno,
                                    node.end_lineno or node.lineno,
                                    text,
                                    False,
                                )
                            )
                    case _:
                        pass
    for clause, place in marked_cards(folder / "phrases.yaml"):
        found.setdefault(clause, []).append(place)
    return found


def rule_names(sources: Sequence[Source]) -> frozenset[str]:
    """What is defined in modules of rules."""
    return frozenset(node.name for source in sources for node in source.tree.body
                     if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef))


def marked(source: Source, path: Path) -> Iterator[tuple[str, Place]]:
    """Each mark of a module with its place."""
    statements = statements_of(source)
    owners = [n for n in ast.walk(source.tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    for line, ids in source.clauses.items():
        around = [n for n in owners if first_line(n) <= line <= (n.end_lineno or n.lineno)]
        owner = around[-1] if around else None
        first, last = statements.get(line, (line, line))
        declared = not any(isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) and not is_contract(n) for n in around)
        says = ast.get_docstring(owner) if owner is not None else ast.get_docstring(source.tree)
        for clause in dict.fromkeys(ids):
            yield clause, Place(source.file, path, line, owner.name if owner else "", says or "",
                                source.lines[line - 1].strip(), first, last,
                                without_marks(source.lines[first - 1 : last]), declared)


def is_contract(rule: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Does it state something of a procedure? Play does not look at it; proofs do."""
    return any(
        isinstance(d, ast.Call) and isinstance(d.func, ast.Name) and d.func.id in ("expects", "ensures", "decreases")
        for d in rule.decorator_list
    )


def statements_of(source: Source) -> dict[int, tuple[int, int]]:
    """For each line with a mark in a rule, the first and last line of what is marked."""
    found: dict[int, tuple[int, int]] = {}
    for function in ast.walk(source.tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        owned = attach_clauses(source, function)
        for node in ast.walk(function):
            if id(node) in owned and isinstance(node, ast.stmt):
                last = node.end_lineno or node.lineno
                head = range(first_line(function), function.body[0].lineno)
                for line in head if node is function else (last, node.lineno):
                    if line in source.clauses:
                        found.setdefault(line, (node.lineno, last))
            for line, body in parts_of(node, source):
                if line in source.clauses and body:
                    found.setdefault(line, (body[0].lineno, body[-1].end_lineno or body[-1].lineno))
    return found


def marked_cards(path: Path) -> Iterator[tuple[str, Place]]:
    """Each mark in the texts of cards, or of phrases."""
    if not path.exists():
        return
    for card, key, script in scripts(read_document(path)):
        source = read_source(str(path), script.text, Collector())
        if source is None:
            continue
        for line, ids in source.clauses.items():
            at = script.place(line, 1)[0]
            for clause in dict.fromkeys(ids):
                yield clause, Place(f"{path.parent.name}/{path.name}", path, at, f"{card} {key}", "",
                                    source.lines[line - 1].strip(), at, at, without_marks([source.lines[line - 1]]))


def without_marks(lines: Sequence[str]) -> str:
    """Lines of rules without the clause marks at their ends."""
    return "\n".join(line.partition("#:")[0].rstrip() for line in lines)


def scripts(node: Node, card: str = "") -> Iterator[tuple[str, str, TextNode]]:
    """The texts below a node that hold clause marks: card or phrase, key, text."""
    match node:
        case MapNode(entries=inside):
            named = node.get("id") or node.get("phrase") or node.get("定型文")
            card = card or (named.text if isinstance(named, TextNode) else "")
            for entry in inside:
                if isinstance(entry.value, TextNode):
                    if "#:" in entry.value.text:
                        yield card, entry.key.text, entry.value
                else:
                    yield from scripts(entry.value, card)
        case ListNode(items=items):
            for item in items:
                yield from scripts(item, card)
        case _:
            return


# ---------------------------------------------------------------- stored cases
def cited_in_cases(folder: Path) -> dict[str, list[CaseCite]]:
    """For each clause the stored cases that cite it; a file that is no case is left out (`verify` tells)."""
    found: dict[str, list[CaseCite]] = {}
    for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else ():
        try:
            node = read_document(path)
        except BadInput:
            continue
        finding = node.get("finding") if isinstance(node, MapNode) else None
        if not isinstance(finding, MapNode):
            continue
        name = finding.get("id")
        decisive = set(_texts(finding.get("clauses")))
        everything = dict.fromkeys([*_texts(finding.get("clauses")), *_clauses_below(finding)])
        for clause in everything:
            found.setdefault(clause, []).append(
                CaseCite(path, name.text if isinstance(name, TextNode) else path.stem, clause in decisive))
    return found


def _clauses_below(node: Node) -> Iterator[str]:
    match node:
        case MapNode(entries=inside):
            for entry in inside:
                if entry.key.text in ("clauses", "related"):
                    yield from _texts(entry.value)
                elif entry.key.text == "clause" and isinstance(entry.value, TextNode):
                    yield entry.value.text
                else:
                    yield from _clauses_below(entry.value)
        case ListNode(items=items):
            for item in items:
                yield from _clauses_below(item)
        case _:
            return


def _texts(node: Node | None) -> list[str]:
    return [i.text for i in node.items if isinstance(i, TextNode)] if isinstance(node, ListNode) else []
