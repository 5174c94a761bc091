"""Where the numbers of clauses stand in a draft: at the clauses themselves, in the table of contents, in references."""
from __future__ import annotations

import bisect
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...spec.diagnostics import shown
from ...spec.text import Text
from ..findings.formats import in_markdown
from .citations import register_of
from .findings import excerpt
from .model import Clause, Draft, Style
from .numbering import same_width


@dataclass(frozen=True)
class Mention:
    """The number of a clause at a place (line and column from 1): `written` as it stands there, in the clause `within`
    (None: in the table of contents). `heads`: the clause itself stands there."""

    line: int
    column: int
    written: str
    name: str
    meant: Clause
    within: Clause | None
    heads: bool = False

    @property
    def end(self) -> int:
        """The column behind it."""
        return self.column + len(self.written)


@dataclass(frozen=True)
class Change:
    """Something else is to stand at a place."""

    line: int
    column: int
    old: str
    new: str


class NotRenamed(Exception):
    """A clause cannot be called so. `said`: why."""

    def __init__(self, said: Text) -> None:
        super().__init__(said.en)
        self.said = said


_NUMBER = {
    Style.DOTTED: re.compile(r"\d{1,4}(?:\.\d{1,4}){0,19}[a-z]?"),
    Style.DASHED: re.compile(r"\d{1,4}(?:-\d{1,4}){1,19}[a-z]?"),
    Style.PLAIN: re.compile(r"\d{1,4}"),
}
"""How the numbers that can be changed are written."""
_DEEPER = re.compile(r"[.\-]\d|[a-z]")


class Places:
    """The places of a draft; `text` are its lines as they stand in the file."""

    def __init__(self, draft: Draft, text: Sequence[str]) -> None:
        self.draft, self.text = draft, text
        self.register = register_of(draft)

    @cached_property
    def mentions(self) -> list[Mention]:
        """All of them, in the order of the file."""
        found = [*self._heads(self.draft.numbered, True), *self._references()]
        if self.draft.contents is not None:
            found += self._heads(self.draft.contents.entries, False)
        return sorted(found, key=lambda one: (one.line, one.column))

    def at(self, line: int, column: int) -> Mention | None:
        """The one at a place (from 1), or right behind it."""
        k = bisect.bisect_right(self.mentions, (line, column), key=lambda one: (one.line, one.column)) - 1
        one = self.mentions[k] if k >= 0 else None
        return one if one is not None and one.line == line and column <= one.end else None

    def of(self, clause: Clause) -> list[Mention]:
        """Those that mean a clause."""
        return self._by_clause[id(clause)]

    @cached_property
    def _by_clause(self) -> defaultdict[int, list[Mention]]:
        found: defaultdict[int, list[Mention]] = defaultdict(list)
        for one in self.mentions:
            found[id(one.meant)].append(one)
        return found

    def _heads(self, clauses: Sequence[Clause], themselves: bool) -> Iterator[Mention]:
        for clause in clauses:
            if clause.label is None:
                continue
            written = clause.label.written
            column = self._line(clause.line).find(written, max(0, clause.column - 1)) + 1
            named = [clause] if themselves else self.register.by_name.get((clause.book, clause.label.name), [])
            if column and named:
                yield Mention(
                    clause.line,
                    column,
                    written,
                    clause.label.name,
                    named[0],
                    clause if themselves else None,
                    themselves,
                )

    def _references(self) -> Iterator[Mention]:
        for one in self.register.citations:
            meant = self.register.targets(one)
            if meant and (one.sure or one.clause is not meant[0]):
                line, column = one.clause.passage.at(one.offset)
                yield Mention(line, column, one.written, one.name, meant[0], one.clause)

    def _line(self, number: int) -> str:
        return self.text[number - 1] if 0 < number <= len(self.text) else ""

    # ------------------------------------------------------------ told
    def told(self, clause: Clause) -> Text:
        """A clause in short, and where it is referred to, as Markdown."""
        users = dict.fromkeys(one.within.name for one in self.of(clause) if one.within is not None and not one.heads)
        head = f"**{in_markdown(self.draft.placed(clause))}** {in_markdown(excerpt(clause.title, 200))}"
        if not users:
            return Text(ja=f"{head}\n\nどこからも参照されていません。", en=f"{head}\n\nNo reference to it was recognised.")
        named = [*map(in_markdown, users)][:12]
        more = len(users) - len(named)
        return Text(ja=f"{head}\n\n参照元: {'、'.join(named)}" + (f"、ほか {more}" if more else ""),
                    en=f"{head}\n\nReferred to in {', '.join(named)}" + (f" and {more} more" if more else ""))

    # ------------------------------------------------------------ renaming
    def renamed(self, clause: Clause, to: str) -> list[Change]:
        """What to change so that a clause, and all below it, has another number everywhere. Raises NotRenamed."""
        label = clause.label
        shape = _NUMBER.get(clause.style)
        if label is None or shape is None:
            raise NotRenamed(Text(ja="この形の番号は変更できません（変更できる番号: 3.2.1、3-2-1、704）",
                                  en="a number of this form cannot be changed (those that can: 3.2.1, 3-2-1, 704)"))
        to, old = same_width(to).strip().rstrip("."), label.name
        if not shape.fullmatch(to):
            raise NotRenamed(Text(ja=f"「{shown(to)}」は「{old}」と同じ形の番号ではありません",
                                  en=f"“{shown(to)}” is not a number of the form of {old}"))
        mine = {
            id(c): c
            for c in self.draft.numbered
            if c.book == clause.book
            and c.chapter is clause.chapter
            and c.label is not None
            and c.style in _NUMBER
            and under(c.label.name, old)
        }
        for c in mine.values():
            assert c.label is not None
            name = to + c.label.name[len(old):]
            if any(
                id(o) not in mine and o.chapter is clause.chapter
                for o in self.register.by_name.get((clause.book, name), [])
            ):
                raise NotRenamed(Text(ja=f"「{name}」という条文はすでにあります", en=f"there is a clause {name} already"))
        changes: list[Change] = []
        for one in self.mentions:
            if (
                one.meant.book != clause.book
                or not under(one.name, old)
                or (id(one.meant) not in mine and not self._inside(one.meant, mine))
            ):
                continue
            if self._line(one.line)[one.column - 1 : one.end - 1] != one.written or not same_width(
                one.written
            ).startswith(old):
                raise NotRenamed(Text(ja=f"{one.line} 行目の「{one.written}」を書き換えられません。何も変更していません",
                                      en=f"{one.written} in line {one.line} cannot be rewritten; nothing was changed"))
            changes.append(Change(one.line, one.column, one.written, to + same_width(one.written)[len(old):]))
        return changes

    def _inside(self, clause: Clause, mine: dict[int, Clause]) -> bool:
        """Is it an item of one of these?"""
        return clause.is_item and any(id(above) in mine for above in clause.ancestors())


def under(name: str, top: str) -> bool:
    """Is it this number, or one below it? `3.2.1` and `3.2a` are below `3.2`, `3.21` is not."""
    return name == top or (name.startswith(top) and _DEEPER.match(name, len(top)) is not None)
