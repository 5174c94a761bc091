"""What was found in a book, from its stored cases: by severity, each with its smallest case, the question to the authors
and the ways to settle it.

`python -m rulewright.checks.commands.digest hanayome` writes `docs/hanayome.md` and `docs/hanayome.ja.md`.
"""
from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from ...spec.groups import grouped
from ...spec.text import Lang, Text
from ...spec.writing import write_whole
from ..findings import words
from ..findings.formats import markdown
from ..findings.identity import defect
from ..findings.layout import Block, Field, Para, Table
from ..findings.names import Names
from ..findings.page import finding_page, speaker
from ..findings.record import Finding, FindingClass, Severity
from ..runs.names import names
from ..stored import finding_store
from ..stored.cases import Case, read_case


def cases_of(book: str) -> list[Case]:
    """The stored cases of a book that say something about it."""
    cases = [read_case(p) for p in finding_store.case_files(finding_store.stored_cases() / book)]
    return [c for c in cases if c.finding.cls is not FindingClass.DEFECT and c.finding.is_defect]


def by_defect(cases: Iterable[Case]) -> list[list[Case]]:
    """The cases of each defect, the one with the shortest play first; the gravest defects first, then as the book goes."""
    groups = grouped((defect(case.finding), case) for case in cases)
    for group in groups.values():
        group.sort(key=lambda c: (steps(c.finding), c.path.name))
    return sorted(groups.values(), key=lambda g: (rank(g[0].finding), in_order(g[0].finding.clauses), g[0].path.name))


def steps(finding: Finding) -> int:
    """How long its play is."""
    return len(finding.play.stem) + len(finding.play.cycle)


def rank(finding: Finding) -> int:
    """How grave, as a number that grows."""
    order = list(Severity)
    return len(order) if finding.severity is None else order.index(finding.severity)


def in_order(clauses: Sequence[str]) -> list[tuple[int, str]]:
    """The decisive clause, so that 9.4 comes before 10.1."""
    parts = re.split(r"[.\-]", clauses[0]) if clauses else []
    return [(int(p), "") if p.isdecimal() else (0, p) for p in parts]


def digest(book: str, lang: Lang) -> str:
    """The page in Markdown."""
    say, known = speaker(lang), names()
    groups = by_defect(cases_of(book))
    out = [
        f"# {say(words.DIGEST, book=known.book(book) or Text.same(book))}\n\n",
        f"{say(words.DIGEST_HOW, book=book, count=len(groups))}\n\n",
        *markdown([overview(groups, lang)]),
    ]
    for severity in Severity:
        here = [g for g in groups if g[0].finding.severity is severity]
        if here:
            out.append(f"## {say(words.DIGEST_SEVERITY, severity=severity.value, count=len(here))}\n\n")
            out += ["".join(demoted(markdown(blocks(g, lang, known)))) for g in here]
    return "".join(out).rstrip("\n") + "\n"


def overview(groups: Sequence[Sequence[Case]], lang: Lang) -> Table:
    """One line for each defect."""
    say = speaker(lang)
    rows = [
        (
            "" if f.severity is None else f.severity.value,
            f.id,
            say(f.title),
            say(words.CLASS[f.cls]),
            f.clauses[0] if f.clauses else "",
        )
        for f in (g[0].finding for g in groups)
    ]
    return Table(tuple(say(w) for w in words.DIGEST_HEADER), tuple(rows))


def blocks(group: Sequence[Case], lang: Lang, names: Names) -> list[Block]:
    """All about one defect."""
    say, first = speaker(lang), group[0]
    page = finding_page(first.finding, lang, names, brief=True)
    page.append(Field(say(words.DIGEST_CASE), stored(first)))
    if len(group) > 1:
        page.append(Para(say(words.DIGEST_OTHERS, cases=say(words.LIST).join(stored(c) for c in group[1:]))))
    return page


def stored(case: Case) -> str:
    """Where a case lies, as one names it to `rulewright replay`."""
    return f"counterexamples/{case.path.parent.name}/{case.path.name}"


def demoted(pieces: Iterable[str]) -> Iterable[str]:
    """The headings two steps further down."""
    return (f"##{piece}" if piece.startswith("#") else piece for piece in pieces)


def files(book: str, folder: Path) -> dict[Path, str]:
    """The two files and what has to stand in them."""
    return {folder / f"{book}.md": digest(book, "en"), folder / f"{book}.ja.md": digest(book, "ja")}


def main(arguments: Sequence[str]) -> int:
    """`digest BOOK [FOLDER]`."""
    book, *rest = arguments or ["hanayome"]
    for path, text in files(book, Path(rest[0]) if rest else Path("docs")).items():
        write_whole(path, text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
