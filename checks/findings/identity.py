"""The stable id of a finding: the same defect has the same id in every run, on every machine."""
from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable
from dataclasses import replace

from ...model.engine.library import lasting_names
from ...spec.lasting import by_lasting_names
from ...spec.text import Text
from .record import Finding, FindingClass, WhoCanStop

ALPHABET = "23456789ACDEFGHJKMNPQRTVWXY"
"""No letter or digit that is easily taken for another when read aloud or copied by hand."""
SUFFIX = 4


def prefix(book: str) -> str:
    """The book in an id: initials of a name of several words (`harem_master`: HM), else its first four letters."""
    words = book.split("_")
    return ("".join(word[:1] for word in words) if len(words) > 1 else book[:4]).upper()


def finding_id(
    book: str, cls: FindingClass, clauses: tuple[str, ...], keepers: WhoCanStop | None, title: Text
) -> str:
    """`HANA-7.5.3-H7Q2`: the book, the decisive clause, and four characters that tell findings of a clause apart.

    Depends on the book, class, clauses, keepers and Japanese title, and on nothing else: not on the scenario, the
    readings or the play, which may change while the defect stays the same. Clauses that have other numbers now are named as they
    first were, here and in the title, so that a new edition changes no id.
    """
    names = lasting_names(book)
    clauses = tuple(names.get(clause, clause) for clause in clauses)
    said = "\n".join(
        [book, cls.value, " ".join(clauses), keepers.value if keepers else "", by_lasting_names(title.ja, names)]
    )
    number = int.from_bytes(hashlib.sha256(said.encode()).digest())
    suffix = ""
    for _ in range(SUFFIX):
        number, digit = divmod(number, len(ALPHABET))
        suffix += ALPHABET[digit]
    return "-".join([prefix(book), *clauses[:1], suffix])


Defect = tuple[FindingClass, tuple[str, ...], WhoCanStop | None, str]


def defect(finding: Finding) -> Defect:
    """What stays the same of a defect under other readings, though it is come to by way of other clauses (and so has
    another id): class, decisive clause, who can stop it, title."""
    return finding.cls, finding.clauses[:1], finding.keepers, finding.title.ja


SEPARATOR = "; "


def about(finding: Finding) -> str:
    """What a finding is about, in a line that no new number, name of a rule or word changes: class, clauses by their lasting names, who can
    stop it, scenario."""
    names = lasting_names(finding.book)
    keepers = finding.keepers.value if finding.keepers else "-"
    return SEPARATOR.join(
        [finding.cls.value, ", ".join(names.get(c, c) for c in finding.clauses), keepers, finding.scenario]
    )


def parts_of(said: str) -> tuple[str, str, str, str]:
    """Class, clauses, who can stop it and scenario of what a finding is about; nothing of what is not written so."""
    parts = said.split(SEPARATOR)
    return (parts[0], parts[1], parts[2], parts[3]) if len(parts) == 4 else ("", "", "", "")


def one_defect(said: str) -> Hashable:
    """What two findings have in common that are one defect under two ids, by what they are about: clauses that contradict each other, whatever
    the play (or the question about every position) that shows it; a loop around the same clauses that the same players can stop, whatever part
    of play it is met in. None where that does not say it: which of the players can stop a loop is not in it."""
    cls, clauses, keepers, _ = parts_of(said)
    if cls == FindingClass.CONFLICT.value or (cls == FindingClass.LOOP.value and keepers != WhoCanStop.ONE.value):
        return cls, frozenset(clauses.split(", ")), keepers
    return None


def each_once(findings: Iterable[Finding]) -> list[Finding]:
    """Each finding once, the first of those with the same id. Only loops that different players can stop are different
    though their ids are the same: a later one gets an id of its own."""
    first: dict[str, str] = {}
    out: dict[str, Finding] = {}
    for f in findings:
        who = f.stopper.ja.partition("（")[0] if f.keepers is WhoCanStop.ONE and f.stopper is not None else ""
        if first.setdefault(f.id, who) != who:
            title = Text(ja=f"{f.title.ja}\n{who}", en=f.title.en)
            f = replace(f, id=finding_id(f.book, f.cls, f.clauses, f.keepers, title))
        out.setdefault(f.id, f)
    return list(out.values())
