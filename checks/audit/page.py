"""What an audit found, as blocks of a page: what was looked at; the silent choices that change play, by what the book says of them; the rest."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..findings.layout import Block, Facts, Heading, Para, Title
from ..findings.record import PlayStep
from ..findings.steps import Say
from . import words
from .record import Audit, Basis, Choice, Kind, Outcome, Tried

MOST = 6
"""Choices of a sort that are told in full unless all are wanted."""
STEPS = 4
"""Decisions of a play that are named."""
LONGEST = 90
"""Letters of a rule that are quoted."""
ORDER = list(Kind)


def audit_page(audit: Audit, say: Say, everything: bool) -> list[Block]:
    """The page."""
    blocks: list[Block] = [
        Title(say(words.TITLE, book=audit.book)),
        Heading(say(words.LOOKED)),
        *(Para(text) for text in looked(audit, say)),
    ]
    parted = audit.of(Tried.PARTED)
    for basis in Basis:
        blocks += group(
            [o for o in parted if o.choice.basis is basis and not o.choice.quiet],
            say(words.BASIS[basis]),
            say,
            everything,
            MOST,
        )
    blocks += group([o for o in parted if o.choice.quiet], say(words.QUIET), say, everything, 0)
    others = [o for o in audit.outcomes if o.tried is not Tried.PARTED]
    if others:
        blocks.append(Heading(say(words.OTHERS), str(len(others))))
        for tried, name in words.TRIED.items():
            some = [o for o in others if o.tried is tried]
            if some and not everything:
                blocks.append(Para(f"{say(name)}: {kinds(some, say)}"))
            blocks.extend(
                Para(f"{say(name)}: {o.choice.id}  {place(o.choice)}  {brief(o.choice.code)}")
                for o in (some if everything else ()))
    return blocks


def group(some: Sequence[Outcome], head: str, say: Say, everything: bool, most: int) -> list[Block]:
    """Choices of a sort, the gravest first, so many in full."""
    if not some:
        return []
    ranked = sorted(some, key=weight)
    told = ranked if everything else first_ones(ranked, most)
    left = [o for o in ranked if o not in told]
    return [Heading(head, str(len(some))), *(block for one in told for block in entry(one, say)),
            *([Para(say(words.MORE, count=len(left), kinds=kinds(left, say)))] if left else [])]


def weight(o: Outcome) -> tuple[int, int, int, str, int]:
    """What is told first: what changes more, then by kind, then by how little play it takes."""
    assert o.shown is not None
    return o.shown.stake, ORDER.index(o.choice.kind), len(o.shown.steps), o.choice.file, o.choice.line


def first_ones(some: Sequence[Outcome], most: int) -> list[Outcome]:
    """So many, of every kind in turn, so that none is hidden by another; in the order given."""
    chosen: list[Outcome] = []
    round_of: Counter[Kind] = Counter()
    ranked: list[tuple[int, int]] = []
    for k, o in enumerate(some):
        ranked.append((round_of[o.choice.kind], k))
        round_of[o.choice.kind] += 1
    chosen.extend(some[k] for _, k in sorted(ranked)[:most])
    return sorted(chosen, key=some.index)


def looked(audit: Audit, say: Say) -> list[str]:
    """What was looked at, and within which bounds."""
    if not audit.places:
        return [say(words.NOT_EXAMINED)]
    counts = Counter(o.tried for o in audit.outcomes)
    parted, alike = counts[Tried.PARTED], counts[Tried.ALIKE]
    out = [
        say(
            words.LOOKED_AT,
            places=audit.places,
            fixed=audit.fixed,
            answered=len(audit.answered),
            left=len(audit.outcomes),
            played=parted + alike,
            scenarios=audit.scenarios,
        ),
        say(
            words.CAME,
            parted=parted,
            alike=alike,
            unreached=counts[Tried.NOT_REACHED],
            refused=counts[Tried.REFUSED],
            cut=counts[Tried.CUT],
        ),
        say(words.BOUNDS, scenarios=audit.most_scenarios, states=f"{audit.states:,}"),
    ]
    return out + ([say(words.CUT[audit.cut])] if audit.cut else [])


def entry(o: Outcome, say: Say) -> list[Block]:
    """One choice: its id, where it stands, what is decided, and the play on which it matters."""
    c, shown = o.choice, o.shown
    assert shown is not None
    says = say(words.SAYS[c.kind], code=brief(c.code), instead=brief(c.instead))
    played = say(
        words.DIFFERS, says=says, scenario=shown.scenario, after=after(shown.steps, say), differs=say(shown.differs)
    )
    marked = (
        say(words.MARKED, clauses=say(words.APART).join(c.clauses[:5]) + (" …" if len(c.clauses) > 5 else ""))
        if c.clauses
        else ""
    )
    facts = f"{place(c)}  {c.rule}  {say(words.KIND[c.kind])}  [{c.id}]"
    return [Facts(facts), Para(played + (f" {marked}" if marked else ""))]


def place(c: Choice) -> str:
    return f"{c.file}:{c.line}"


def brief(code: str) -> str:
    """A piece of a rule in one line."""
    line = " ".join(part.split("#:")[0].strip() for part in code.splitlines())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def after(steps: Sequence[PlayStep], say: Say) -> str:
    """The play in a few words."""
    chosen = [s for s in steps if s.decider is not None and s.chosen is not None]
    if not chosen:
        return say(words.AFTER_SILENT, count=len(steps)) if steps else say(words.AT_ONCE)
    named = [f"{say(s.decider)}: {say(s.chosen)}" for s in chosen if s.decider is not None and s.chosen is not None]
    way = "; ".join([*named[:STEPS], *(["…"] if len(named) > STEPS else [])])
    return say(words.AFTER_ONE, way=way) if len(chosen) == 1 else say(words.AFTER, count=len(chosen), way=way)


def kinds(some: Sequence[Outcome], say: Say) -> str:
    """How many of which kind."""
    counts = Counter(o.choice.kind for o in some)
    return say(words.APART).join(
        say(words.COUNTED, what=say(words.KIND[k]), count=counts[k]) for k in ORDER if counts[k]
    )
