"""What a new draft changes, and what of the model is therefore suspect: for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...spec.text import Lang
from ..findings.as_json import SCHEMA, plain
from ..findings.layout import Block, Field, Heading, Para, Title
from ..findings.page import speaker
from ..findings.steps import Say
from . import words
from .books import BookFiles, CaseCite, Place
from .compare import Comparison, Pair, Reference
from .output import SHORT, shown_file
from .status import TO_WRITE

MANY_PLACES = 6


@dataclass(frozen=True)
class Suspects:
    """What cites a clause: places of the rules, readings, stored cases, terms, other clauses."""

    places: Sequence[Place]
    readings: Sequence[str]
    cases: Sequence[CaseCite]
    terms: Sequence[str]


@dataclass
class UpdateReport:
    """A new draft against the registered one."""

    book: BookFiles
    draft: str
    found: Comparison
    cases: Mapping[str, Sequence[CaseCite]] = field(default_factory=dict[str, Sequence[CaseCite]])
    unplaced: Sequence[str] = ()
    written: Sequence[Path] | None = None

    def suspects(self, clause: str, named: bool = False) -> Suspects:
        """What cites a clause of the registered draft; also what names it as text."""
        book = self.book
        places = [*book.places.get(clause, ()), *(book.named.get(clause, ()) if named else ())]
        return Suspects(places, [r.id.value for r in book.read_by.get(clause, ())],
                        self.cases.get(clause, ()), [t.id.value for t in book.terms_of.get(clause, ())])

    @property
    def reworded(self) -> list[Pair]:
        """Clauses with other words, or with references that do not say what they said."""
        return [p for p in self.found.pairs if p.reworded or p.references]

    @property
    def moved(self) -> list[Pair]:
        """Clauses in another place."""
        return [p for p in self.found.pairs if p.moved]

    @property
    def renumbered(self) -> list[Pair]:
        """Clauses with another number and nothing else."""
        return [p for p in self.found.pairs if p.renumbered and not (p.moved or p.reworded or p.references)]

    @property
    def stale_cases(self) -> list[CaseCite]:
        """Stored cases that cite something suspect."""
        touched = [h.id for h in self.found.gone] + [p.old.id for p in self.found.changed]
        return list({c.path: c for clause in touched for c in self.cases.get(clause, ())}.values())


# ---------------------------------------------------------------- for people
def update_page(report: UpdateReport, lang: Lang, everything: bool) -> list[Block]:
    """What is new, gone, moved, renumbered, reworded; what is suspect; what to do next."""
    say = speaker(lang)
    found, book = report.found, report.book
    same = sum(p.same and not p.followed for p in found.pairs)
    blocks: list[Block] = [Title(say(words.UPDATE, book=book.title, draft=report.draft))]
    counts = [
        (words.NEW, len(found.added)),
        (words.GONE, len(found.gone)),
        (words.REWORDED, len(report.reworded)),
        (words.MOVED, len(report.moved)),
        (words.RENUMBERED, len(report.renumbered)),
        (words.FOLLOWED, sum(bool(p.followed) for p in found.pairs)),
        (words.UNCHANGED, same),
    ]
    blocks.append(Para(say(words.COMMA).join(say(words.COUNTED, what=text, count=n) for text, n in counts)))
    if not found.anything:
        blocks.append(Para(say(words.NOTHING_CHANGED)))
    several: list[tuple[Any, list[tuple[str, str]]]] = [
        (words.REWORDED, [_reworded(report, p, say) for p in report.reworded]),
        (words.GONE, [_gone(report, h.id, say) for h in found.gone]),
        (words.MOVED, [_moved(report, p, say) for p in report.moved]),
        (words.NEW, [(h.id, say(words.NEW_NOTE)) for h in found.added]),
        (words.RENUMBERED, [(_places(p), _gist(report, p.old.id, say)) for p in report.renumbered]),
        (
            words.FOLLOWED,
            [
                (p.new.id, say(words.COMMA).join(f"{r.meant} → {r.says}" for r in p.followed))
                for p in found.pairs
                if p.followed
            ],
        ),
    ]
    for heading, rows in several:
        if not rows:
            continue
        shown = rows if everything else rows[:SHORT]
        blocks.append(Heading(say(heading), say(words.ASIDE[heading])))
        blocks += [Field(f"  {name}", text) for name, text in shown]
        if len(shown) < len(rows):
            blocks.append(Para(say(words.MORE_ROWS, count=len(rows) - len(shown))))
    if report.unplaced:
        blocks += [Heading(say(words.UNPLACED)), Para(say(words.COMMA).join(report.unplaced))]
    return [*blocks, *_next(report, say)]


def _gist(report: UpdateReport, clause: str, say: Say) -> str:
    known = report.book.by_id.get(clause)
    return say(known.gist) if known is not None and known.gist != TO_WRITE else ""


def _places(p: Pair) -> str:
    return p.old.id if p.old.id == p.new.id else f"{p.old.id} → {p.new.id}"


def _reworded(report: UpdateReport, p: Pair, say: Say) -> tuple[str, str]:
    said = [_gist(report, p.old.id, say)]
    if p.reworded:
        said.append(say(words.REPLACED if p.replaced else words.OTHER))
    said += [_reference(r, say) for r in p.references]
    suspects = report.suspects(p.old.id)
    if suspects.places:
        said.append(say(words.WORDING_ONLY))
    return _places(p), "\n".join([*filter(None, said), *_suspects(suspects, say)])


def _reference(r: Reference, say: Say) -> str:
    if r.meant and r.stale:
        return say(words.STALE if r.now else words.STALE_NOWHERE, says=r.meant)
    return say(words.REFERENCE, before=r.meant or "―", after=r.says)


def _gone(report: UpdateReport, clause: str, say: Say) -> tuple[str, str]:
    said = _suspects(report.suspects(clause, named=True), say) or [say(words.NO_SUSPECTS)]
    return clause, "\n".join([*filter(None, [_gist(report, clause, say)]), *said])


def _moved(report: UpdateReport, p: Pair, say: Say) -> tuple[str, str]:
    suspects = report.suspects(p.old.id)
    order = [say(words.ORDER)] if suspects.places else []
    return _places(p), "\n".join([*filter(None, [_gist(report, p.old.id, say)]), *order, *_suspects(suspects, say)])


def _suspects(s: Suspects, say: Say) -> list[str]:
    """The lines that name what cites a clause."""
    lines: list[str] = []
    if s.places:
        shown = [f"{p.file}:{p.line}" for p in s.places[:MANY_PLACES]]
        if len(s.places) > MANY_PLACES:
            shown.append(say(words.AND_MORE, count=len(s.places) - MANY_PLACES))
        lines.append(say(words.SUSPECT_RULES, some=say(words.COMMA).join(shown)))
    if s.readings:
        lines.append(say(words.SUSPECT_READINGS, some=say(words.COMMA).join(s.readings)))
    if s.cases:
        lines.append(say(words.SUSPECT_CASES, some=say(words.COMMA).join(c.finding for c in s.cases)))
    if s.terms:
        lines.append(say(words.SUSPECT_TERMS, some=say(words.COMMA).join(s.terms)))
    return lines


def _next(report: UpdateReport, say: Say) -> list[Block]:
    if report.written is not None:
        cases = [case for case in report.stale_cases if case.path in report.written]
        rows = [shown_file(path) for path in report.written if path not in {case.path for case in cases}]
        said: list[Block] = [
            Heading(say(words.ACCEPTED)),
            Para("\n".join(rows) if rows else say(words.NOTHING_WRITTEN)),
        ]
        if report.stale_cases:
            said.append(Para(say(words.CASES_RENUMBERED, count=len(cases), all=len(report.stale_cases))))
        return said
    if report.found.anything:
        return [Heading(say(words.NEXT)), Para(say(words.NEXT_ACCEPT, draft=report.draft, book=report.book.name))]
    return []


# ---------------------------------------------------------------- for programs
def update_json(report: UpdateReport) -> dict[str, Any]:
    """The same for programs."""
    found = report.found
    return {
        "schema": SCHEMA,
        "kind": "register",
        "book": report.book.name,
        "draft": report.draft,
        "unchanged": sum(p.same and not p.followed for p in found.pairs),
        "new": [h.id for h in found.added],
        "gone": [{"id": h.id, **_suspects_json(report.suspects(h.id, named=True))} for h in found.gone],
        "changed": [_pair_json(report, p) for p in found.changed],
        "followed": [
            {"id": p.old.id, "now": p.new.id, "references": [{"before": r.meant, "after": r.says} for r in p.followed]}
            for p in found.pairs
            if p.followed
        ],
        "unplaced": list(report.unplaced),
        "written": None if report.written is None else [str(p) for p in report.written],
    }


def _pair_json(report: UpdateReport, p: Pair) -> dict[str, Any]:
    suspects = report.suspects(p.old.id)
    what = [name for name, is_so in (("reworded", p.reworded), ("replaced", p.replaced), ("moved", p.moved), (
        "renumbered", p.renumbered), ("references", bool(p.references))) if is_so]
    return {
        "id": p.old.id,
        "now": p.new.id,
        "what": what,
        "behaviour": "wording only, behaviour not checked"
        if suspects.places and (p.reworded or p.references)
        else None,
        "references": [plain(r) | {"stale": r.stale} for r in p.references],  # pyright: ignore[reportOperatorIssue]
        **_suspects_json(suspects),
    }


def _suspects_json(s: Suspects) -> dict[str, Any]:
    return {
        "places": [{"file": p.file, "line": p.line, "function": p.rule} for p in s.places],
        "readings": list(s.readings), "cases": [{"path": str(c.path), "finding": c.finding} for c in s.cases],
        "terms": list(s.terms),
    }
