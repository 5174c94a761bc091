"""The rule modules of a new book: its state, the course of a game, and one module for each chapter of the draft.

Each clause stands in its chapter's module as a comment. Where it does something in play there is a rule that says which clause is
*not modelled*: a play that comes there ends, and says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...spec.diagnostics import width
from ..register.rows import quoted
from . import texts
from .cards import Sort
from .guesses import Guesses, Number, Part, Zone
from .naming import Names, name_of
from .tree import Node, short
from .vocabulary import DEFINING

GIST_JA, GIST_EN = 60, 110
FEW = 3
"""Clauses of a chapter; smaller ones that follow each other share a module."""
WIDE = 78


@dataclass(frozen=True)
class Chapter:
    """A chapter of the draft: its module, its title, its clauses."""

    module: str
    title: str
    nodes: tuple[Node, ...]


def chapters_of(roots: Sequence[Node]) -> list[Chapter]:
    """The chapters: what lies at the top; below a single title for all, what lies under that. What has nothing in it goes with what
    follows or precedes it."""
    level = [*roots]
    while (main := _nearly_all(level)) is not None and main.inside:
        at = level.index(main)
        level = [*level[:at], Node(main.piece), *main.inside, *level[at + 1 :]]
    groups: list[list[Node]] = []
    together = False
    for node in level:
        small = len([*node.all]) < FEW
        if small and together:
            groups[-1].append(node)
        else:
            groups.append([node])
            together = small
    numbers = numbers_of(groups)
    names, out = Names(), list[Chapter]()
    for number, nodes in zip(numbers, groups, strict=True):
        first = next((n for n in nodes if n.piece.heading), nodes[0])
        said = name_of(first.title)
        stem = f"ch{number:0{max(len(str(max(numbers))), 2)}d}"
        out.append(Chapter(names.give(f"{stem}_{said}" if said else stem, stem), headline(first), tuple(nodes)))
    return out


def _nearly_all(level: Sequence[Node]) -> Node | None:
    """The one of them in which more than four fifths of all clauses lie."""
    sizes = [len([*node.all]) for node in level]
    most = max(sizes, default=0)
    return level[sizes.index(most)] if most * 5 > sum(sizes) * 4 else None


def numbers_of(groups: Sequence[Sequence[Node]]) -> list[int]:
    """The chapters' own numbers, if they have any that rise (0 for one without); else 1, 2, 3 …"""
    own = [int(found[0]) if (found := re.search(r"\d{1,3}", nodes[0].piece.id)) else 0 for nodes in groups]
    numbered = [n for n in own if n]
    return (
        own
        if len(numbered) > 1 and numbered == sorted(set(numbered)) and own.count(0) < 2
        else [*range(1, len(groups) + 1)]
    )


def headline(node: Node) -> str:
    """The clause's id and its title, as a heading."""
    title = short(node.title, 40)
    return title if name_key(title) == name_key(node.piece.id) else f"{node.piece.id} {title}".strip()


def name_key(text: str) -> str:
    return re.sub(r"\W", "", text)


# ---------------------------------------------------------------- the modules
def state_module(guesses: Guesses, say: texts.Say) -> str:
    """What is printed on cards, and what can change in play."""
    printed = [n for n in guesses.numbers if n.printed]
    lines = [
        f'"""{say(texts.STATE_DOC)}"""',
        "from typing import Any",
        "",
        "from rulewright.model.kernel.turns import *",
        "from rulewright.model.lang import *",
        "",
        "",
        *(line for sort in guesses.sorts for line in sort_lines(sort, say)),
        "class Printed(Definition):",
        f'    """{say(texts.PRINTED_DOC)}"""',
        "",
        *(f"    {n.name}: Annotated[int, Range(0, {n.most})] = 0  {guess(n, say)}" for n in printed),
        *(f"    {sort.name}: {sort.type}" for sort in guesses.sorts),
        "    abilities: Set[Ability]",
        "",
        "",
        "class Says(Definition):",
        f'    """{say(texts.SAYS_DOC)}"""',
        "",
        "    of: Any",
        "",
        "",
        "class Game(Turns):",
        f'    """{say(texts.GAME_DOC)}"""',
        "",
    ]
    lines += [f"    {z.name}: {zone_type(z)}  {guess(z, say)}" for z in guesses.zones]
    lines += [number_line(n, say) for n in guesses.numbers if not n.printed]
    if not guesses.zones:
        lines += [f"    # {say(texts.NO_ZONES)}", "    deck: Per[Player, Pile]", "    hand: Per[Player, Bag]"]
    return "\n".join(lines) + "\n"


def sort_lines(sort: Sort, say: texts.Say) -> list[str]:
    """The type of what a column of the draft's table says of cards."""
    return [f"class {sort.type}(Enum):", f'    """{say(texts.SORT_DOC).format(said=docstring(sort.said))}"""', "",
            *(f"    {member} = {k}" for k, member in enumerate(sort.members.values(), 1)), "", ""]


def zone_type(zone: Zone) -> str:
    """The type of a zone in the state."""
    kind = "Pile" if zone.ordered else "Bag"
    return kind if zone.shared else f"Per[Player, {kind}]"


def number_line(number: Number, say: texts.Say) -> str:
    """A number in the state: one for both players, or each player's."""
    own = f"Annotated[int, Range(0, {number.most})]"
    if number.shared:
        return f"    {number.name}: {own} = {number.start}  {guess(number, say)}"
    first = f" = each({number.start})" if number.start else ""
    return f"    {number.name}: Per[Player, {own}]{first}  {guess(number, say)}"


def guess(one: Zone | Number | Part, say: texts.Say) -> str:
    """The comment behind what was guessed: a heading of one word, alone, would be read as a mark that lacks its colon."""
    return "# " + say(texts.GUESSED).format(
        said=clean(short(one.said.ja, 30)), clause=clean(one.node.piece.id if isinstance(one, Part) else one.clause)
    )


def game_module(guesses: Guesses, chapters: Sequence[Chapter], say: texts.Say) -> str:
    """From the preparation to turn after turn."""
    used = [c.module for c in chapters if any(n is x or n in [*x.all] for n in flow_nodes(guesses) for x in c.nodes)]
    lines = [
        f'"""{say(texts.FLOW_DOC)}"""',
        "from rulewright.model.kernel.turns import *",
        "from rulewright.model.lang import *",
        "",
        *(f"from .{module} import *" for module in dict.fromkeys(used)),
        "from .state import *",
        "",
        "",
        '@entry("setup")',
        "@procedure",
        "async def game(g: Game) -> None:",
        f'    """{say(texts.SETUP_DOC)}"""',
        *(["    await preparation(g)"] if guesses.preparation else []),
        "    begin_turns(g, FIRST)",
        "    await turns(g)",
        "",
        "",
        "@procedure",
        "async def turns(g: Game) -> None:",
        f'    """{say(texts.TURNS_DOC)}"""',
        "    while True:",
        "        await turn(g)",
        "        change_turn(g)",
        "",
        "",
        '@entry("turn")',
        "@procedure(scope=Scope.TURN)",
        "async def turn(g: Game) -> None:",
        f'    """{say(texts.TURN_DOC)}"""',
    ]
    if guesses.parts:
        lines += [f"    await {part.name}(g)  {guess(part, say)}" for part in guesses.parts]
    elif guesses.turn is not None:
        lines += ["    await whole_turn(g)"]
    else:
        first = next((p.id for root in guesses.roots for p in root.doing), guesses.roots[0].piece.id)
        lines += [f"    # {say(texts.NO_TURN)}", f"    not_modelled({quoted(first)})"]
    return "\n".join(lines) + "\n"


def flow_nodes(guesses: Guesses) -> list[Node]:
    """The clauses at which the course of a game comes by."""
    return [
        *(p.node for p in guesses.parts),
        *([guesses.turn] if guesses.turn else []),
        *([guesses.preparation] if guesses.preparation else []),
    ]


class ChapterModule:
    """The module of a chapter: its clauses as comments, and a rule that is not modelled yet wherever something is done."""

    def __init__(self, chapter: Chapter, guesses: Guesses, names: Names, say: texts.Say) -> None:
        self.chapter = chapter
        self.say = say
        self.names = names
        self.gist = GIST_JA if guesses.lang == "ja" else GIST_EN
        self.parts: dict[str, list[Part]] = {}
        for part in guesses.parts:
            self._note(part)
        self.fixed = {
            node.piece.id: name
            for node, name in ((guesses.preparation, "preparation"), (guesses.turn, "whole_turn"))
            if node is not None
        }
        self.lines: list[str] = []

    def _note(self, part: Part) -> None:
        self.parts.setdefault(part.node.piece.id, []).append(part)
        for inner in part.parts:
            self._note(inner)

    def text(self) -> str:
        """The module."""
        for node in self.chapter.nodes:
            self._block(node, True)
        head = [f'"""{docstring(self.chapter.title)}"""']
        if any(line.startswith("async def") for line in self.lines):
            head += ["from rulewright.model.lang import *", "", "from .state import *"]
        return "\n".join([*head, *self.lines]).rstrip() + "\n"

    def _block(self, node: Node, top: bool) -> None:
        """A clause with what is in it: one rule if it is a part of play or has no parts; else its parts, one after the other."""
        own = node.piece.id
        if own in self.parts:
            self._heading(node)
            for part in self.parts[own]:
                self._part(part)
        elif own in self.fixed:
            self._rule(node, self.fixed[own], headline(node))
        elif (top or self._has_fixed(node)) and node.inside:
            self._heading(node)
            if own := self._own(node):
                self.lines += ["", *own]
            loose: list[Node] = []
            for inner in node.inside:
                if inner.inside or self._has_fixed(inner):
                    self._loose(loose)
                    loose = []
                    self._block(inner, False)
                else:
                    loose.append(inner)
            self._loose(loose)
        else:
            self._section(node)

    def _has_fixed(self, node: Node) -> bool:
        return any(n.piece.id in self.parts or n.piece.id in self.fixed for n in node.all)

    def _loose(self, nodes: Sequence[Node]) -> None:
        """Clauses without parts, side by side."""
        if not nodes:
            return
        doing = [] if self._defines(nodes[0]) else [p for n in nodes for p in n.doing]
        comments = [line for n in nodes for line in self._comments(n, 0)]
        if doing:
            self._stub(
                self._name(nodes[0]),
                headline(nodes[0]) if len(nodes) == 1 else f"{nodes[0].piece.id} – {nodes[-1].piece.id}",
                comments,
                doing[0].id,
            )
        else:
            self.lines += ["", *comments]

    def _section(self, node: Node) -> None:
        self._heading(node)
        if node.doing and not self._defines(node):
            self._rule(node, self._name(node), headline(node))
        else:
            self.lines += [*self._own(node), *(line for n in node.inside for line in self._comments(n, 0))]

    def _part(self, part: Part) -> None:
        entry = part.name.replace("_", "-")
        if not part.parts:
            says = (
                headline(part.node)
                if len(self.parts[part.node.piece.id]) == 1
                else f"{part.node.piece.id} {part.said.ja}"
            )
            self._rule(part.node, part.name, says, entry, "STEP" if part.step else "PHASE", heading=False)
            return
        inside = {p.node.piece.id: p for p in part.parts}
        body = [f"    {line}" for line in self._own(part.node)]
        for node in part.node.inside:
            inner = inside.get(node.piece.id)
            if inner is None:
                body += [f"    {line}" for line in self._comments(node, 0)]
            else:
                body.append(f"    await {inner.name}(g)  {guess(inner, self.say)}")
        self._write(part.name, headline(part.node), body, entry, "STEP" if part.step else "PHASE")
        for inner in part.parts:
            self._heading(inner.node)
            self._part(inner)

    def _rule(self, node: Node, name: str, says: str, entry: str = "", scope: str = "", heading: bool = True) -> None:
        if heading and not self._under_heading:
            self._heading(node)
        comments = [*self._own(node), *(line for n in node.inside for line in self._comments(n, 0))]
        first = next(iter(node.doing), node.piece)
        self._stub(name, says, comments, first.id, entry, scope)

    def _stub(
        self, name: str, says: str, comments: Sequence[str], clause: str, entry: str = "", scope: str = ""
    ) -> None:
        self._write(
            name, says, [*(f"    {line}" for line in comments), f"    not_modelled({quoted(clause)})"], entry, scope
        )

    def _write(self, name: str, says: str, body: Sequence[str], entry: str, scope: str) -> None:
        self.lines += [
            *([] if self._under_heading else ["", ""]),
            *([f'@entry("{entry}")'] if entry else []),
            f"@procedure(scope=Scope.{scope})" if scope else "@procedure",
            f"async def {name}(g: Game) -> None:",
            f'    """{docstring(says)}"""',
            *body,
        ]

    @property
    def _under_heading(self) -> bool:
        return bool(self.lines) and self.lines[-1].startswith("# ----")

    def _heading(self, node: Node) -> None:
        title = clean(headline(node))
        if not (len(self.chapter.nodes) == 1 and node is self.chapter.nodes[0]):
            self.lines += ["", "", f"# {'-' * max(8, WIDE - width(title))} {title}"]

    def _own(self, node: Node) -> list[str]:
        """What the clause itself says, if it is more than its title."""
        lines = [line for line in node.piece.text.split("\n") if line.strip()]
        if node.piece.heading and len(lines) < 2:
            return []
        said = short("\n".join(lines[1:]), self.gist) if node.piece.heading else short(node.piece.text, self.gist)
        return [f"# {clean(f'{node.piece.id} {said}')}"]

    def _comments(self, node: Node, depth: int) -> Iterator[str]:
        """The clause and those in it, one line each."""
        title = short(node.piece.text, self.gist)
        said = title if name_key(short(node.title, 40)) == name_key(node.piece.id) else f"{node.piece.id} {title}"
        yield f"# {'  ' * depth}{clean(said)}"
        for inner in node.inside:
            yield from self._comments(inner, depth + 1)

    def _defines(self, node: Node) -> bool:
        """Does the chapter, or the section, only say what things are?"""
        return bool(DEFINING.search(self.chapter.title) or DEFINING.search(node.title))

    def _name(self, node: Node) -> str:
        """A name for a section: its number, else its title, else a number."""
        digits = "_".join(re.findall(r"[0-9]+|[A-Za-z]+", node.piece.id)).lower()
        if re.search(r"\d", digits) and node.piece.id.isascii():
            return self.names.give(f"section_{digits}", "section")
        return self.names.give(name_of(node.title), "section", "section")


def clean(text: str) -> str:
    """What can stand in a comment: one line that is no clause mark."""
    return re.sub(r"^:+", "", short(text, 10_000)).strip()


def docstring(text: str) -> str:
    """What can stand between the quotes of a docstring."""
    return clean(text).replace("\\", "/").replace('"', "'")
