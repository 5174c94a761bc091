"""Linting a draft from file to report: what a command, or a program, asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from ...spec.diagnostics import Collector, Diagnostic, did_you_mean
from ...spec.text import Text
from .evidence import weighed
from .findings import Found, Rule, Severity
from .model import Draft, Known, Line, Style
from .outline import outline
from .reading import Source, read
from .rules import (
    counts,
    leftovers,
    letters,
    lists,
    numbers,
    parallels,
    references,
    series,
    slips,
    spelling,
    steps,
    terms,
    texts,
    wording,
)
from .terms import read_known, sudachi
from .trouble import trouble

RULES: tuple[Rule, ...] = (
    *references.RULES,
    *steps.RULES,
    *numbers.RULES,
    *texts.RULES,
    *parallels.RULES,
    *lists.RULES,
    *counts.RULES,
    *series.RULES,
    *wording.RULES,
    *slips.RULES,
    *leftovers.RULES,
    *letters.RULES,
    *spelling.RULES,
    *terms.RULES,
)
"""All rules, in the order in which they are listed."""
BY_ID = {rule.id: rule for rule in RULES}
_IGNORE = re.compile(r"rulewright:\s*ignore(?P<file>-file)?(?P<ids>(?:[\s,]+[a-z]+(?:-[a-z]+)*)*)")


@dataclass(frozen=True)
class Options:
    """How to lint. `select` and `ignore` are ids of rules, or beginnings of them up to a hyphen."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    hints: bool = False
    encoding: str | None = None
    changes: str = "accepted"
    terms: Path | None = None
    dictionary: bool = True
    baseline: frozenset[str] = frozenset()


@dataclass
class Report:
    """What was recognised in a draft, and what was found."""

    source: Source
    draft: Draft
    found: list[Found]
    hidden: int = 0
    """Findings that the baseline or comments in the draft hide."""
    guesses: bool = True
    """Were guesses asked for?"""
    analyser: str = "script"
    rules: list[Rule] = field(default_factory=list)

    @property
    def serious(self) -> list[Found]:
        """Errors and warnings."""
        return [one for one in self.found if one.severity is not Severity.HINT]


def chosen_rules(options: Options) -> list[Rule]:
    """The rules that are asked for. Raises BadInput for an id that does not exist."""
    report = Collector()
    for name in (*options.select, *options.ignore):
        if not any(_names(name, rule) for rule in RULES):
            report.add(
                Diagnostic(
                    None,
                    "no-such-rule",
                    Text(ja=f"「{name}」という規則はありません", en=f"there is no rule {name!r}"),
                    did_you_mean(name, [*BY_ID]),
                    name,
                )
            )
    report.raise_if_any()
    rules = [rule for rule in RULES if not options.select or any(_names(name, rule) for name in options.select)]
    return [rule for rule in rules if not any(_names(name, rule) for name in options.ignore)]


def _names(name: str, rule: Rule) -> bool:
    return rule.id == name or rule.id.startswith(f"{name}-")


def lint(path: Path, options: Options) -> Report:
    """Lint a file. Raises BadInput where it cannot be read, or where nothing was recognised in it."""
    rules = chosen_rules(options)
    known = known_beside(path, options)
    if options.changes != "both":
        return lint_source(read(path, options.encoding, options.changes), options, rules, known)
    report = lint_source(read(path, options.encoding, "accepted"), options, rules, known)
    before = lint_source(read(path, options.encoding, "original"), options, rules, known)
    there = {one.fingerprint for one in report.found}
    for one in before.found:
        if one.fingerprint not in there:
            message = Text(ja=f"変更前のみ: {one.message.ja}", en=f"before the changes only: {one.message.en}")
            report.found.append(replace(one, message=message, fix=None))
    report.found.sort(key=lambda one: one.rank)
    return report


def known_beside(path: Path, options: Options) -> Known:
    if options.terms is not None:
        return read_known(options.terms)
    beside = path.parent / "terms.yaml"
    return read_known(beside) if beside.is_file() else Known()


def lint_source(source: Source, options: Options, rules: Sequence[Rule], known: Known | None = None) -> Report:
    """Lint what was read."""
    draft = outline(source.file, source.lines, source.places)
    refuse_unrecognised(draft)
    draft.known = known or Known()
    draft.dictionary = options.dictionary
    named = frozenset(rule.id for rule in rules if any(_names(name, rule) for name in options.select))
    looked = {rule.id: list(islice(rule.check(draft, rule), MOST)) for rule in rules}
    found = _unique(one for every in looked.values() for one in every)
    comments = _comments(source)
    kept = [one for one in found if not _silenced(one, comments) and one.fingerprint not in options.baseline]
    hidden = len(found) - len(kept)
    kept, notes = weighed(draft, rules, kept, named, options.hints)
    analyser = "sudachi" if options.dictionary and sudachi() is not None else "script"
    notes += [
        Text(
            ja=f"{rule} は {MOST:,} か所まで調べて打ち切りました",
            en=f"{rule} was looked for no further than {MOST:,} places",
        )
        for rule, every in looked.items()
        if len(every) == MOST
    ]
    noted = replace(source, notes=[*source.notes, *notes])
    return Report(noted, draft, kept, hidden, options.hints or bool(named), analyser, list(rules))


MOST = 5_000
"""Findings of one rule: where there are more, the text was not understood, and time would go to lists that nobody reads."""
def _unique(found: Iterable[Found]) -> list[Found]:
    """In order of place; what two passes of a rule say of the same place counts once."""
    by_place = {(one.rule, one.line, one.column, one.shown): one for one in found}
    return sorted(by_place.values(), key=lambda one: one.rank)


def refuse_unrecognised(draft: Draft) -> None:
    """A draft without any clause or heading is no draft: saying "nothing found" would be untrue."""
    styles = draft.styles
    if any(count for style, count in styles.items() if style is not Style.HEADING) or any(
        c.heading for c in draft.clauses
    ):
        return
    first = next((line for line in draft.lines if line.text.strip()), Line(1, ""))
    raise trouble(
        draft.file,
        "nothing-recognised",
        "条文の番号も見出しも見つかりません。何も調べていません",
        "no clause numbers and no headings were recognised: nothing was looked at",
        Text(
            ja="使える番号: 10.5.3.1.、215.4b、§9、9-2-1、第3章、Article 4、(2)、①、Markdown の見出し（#）",
            en="numbers that are known: 10.5.3.1., 215.4b, §9, 9-2-1, 第3章, Article 4, (2), ①, Markdown headings (#)",
        ),
        first.number,
        1,
    )


# ---------------------------------------------------------------- comments in the draft
Comments = list[tuple[frozenset[str], frozenset[int] | None]]


def _silenced(one: Found, comments: Comments) -> bool:
    return any(
        lines is None or one.line in lines
        for ids, lines in comments
        if not ids or any(_names(name, BY_ID[one.rule]) for name in ids)
    )


def _comments(source: Source) -> Comments:
    """Rules (none: all) and lines (none: all) of every `rulewright: ignore` comment: its own line, and the next that
    says something."""
    found: list[tuple[frozenset[str], frozenset[int] | None]] = []
    lines = (source.text or "").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        match = _IGNORE.search(line) if "rulewright:" in line else None
        if match is None:
            continue
        ids = frozenset(name for name in re.split(r"[\s,]+", match["ids"]) if any(_names(name, rule) for rule in RULES))
        if match["file"]:
            found.append((ids, None))
            continue
        following = next((n for n in range(number + 1, len(lines) + 1) if lines[n - 1].strip()), number)
        found.append((ids, frozenset({number, following})))
    return found
