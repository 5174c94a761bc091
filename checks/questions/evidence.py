"""How sure a question is: what of the draft speaks for its being worth an author's minute.

A family knows phrases, not whether a book was understood. Of public rule books most of what phrases alone raised was idle; what
was worth reading is of two kinds. Either the family asks of what every such book has to say (`Family.sure`), and the draft is
*silent*: nowhere does it say what would answer the question nearby. Or the question is raised by a numbered clause that states
a rule for itself, in a draft that is mostly made of such clauses and does not yet answer much of what families ask in general. A book that does was gone through
with such questions in mind; what a phrase in it seems to leave open is as a rule settled in words that are not known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..lint.counting import COUNTED
from ..lint.model import Clause, Style, sentences
from .page import Page
from .record import Family

EARLY = 8
"""So many families answered by general clauses, and no more, has a draft that does not answer much: in drafts that were judged they
were none to eight, in large books of long standing eleven and more."""
STATED = 2
"""Sentences of a clause that states a rule for itself."""


def is_begun(page: Page, answered: int) -> bool:
    """Is it a draft of clauses that each state a rule, whose author has begun to answer? `answered`: families that general clauses answer."""
    sizes = Counter(id(one.clause) for one in page.sentences)  # a clause may have very many
    stating = sum(sizes[id(clause)] for clause in page.draft.clauses if id(clause) in sizes and _states(clause))
    return answered <= EARLY and 2 * stating >= len(page.sentences)


def is_sure(page: Page, family: Family, clauses: Sequence[Clause], begun: bool) -> bool:
    """Is what these clauses raise told unless more is asked for? `begun`: see `is_begun`."""
    if family.sure:
        return family.near is None or page.says(family.near) is None
    return not family.named and begun and any(map(_states, clauses))


def _states(clause: Clause) -> bool:
    label = clause.label
    return (
        label is not None
        and clause.style in COUNTED
        and (len(label.parts) > 1 or clause.style is Style.CHAPTER)
        and sum(1 for _ in sentences(clause)) <= STATED
    )
