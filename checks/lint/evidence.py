"""How sure a finding is: its level, from what speaks for it and against it in the document itself.

A rule knows what looks like a mistake, not whether the document was understood. So each finding brings the independent
signs for it (`Rule.signs` and `Found.signs`: the numbers around it count on but for one; a title stands beside the number;
the word is often there in another spelling). Two are an error, one is a warning, none a hint, and no finding is more than
its rule allows; a rule that was wrong too often needs one more (`Rule.doubted`). Against it speaks that the clauses were not recognised, and that the rule has something to say of more
than a few per cent of what it looks at: that is meant so, or misread, and told once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from ...spec.text import Text
from .counting import numbering
from .findings import Found, Rule, Severity
from .model import Draft

LEVELS = (Severity.HINT, Severity.WARNING, Severity.ERROR)
"""By the number of signs."""
FEW, SHARE = 2, 0.05
"""So many findings of a rule, and so large a share of what it looks at, may be slips; more than both are told once."""


def weighed(
    draft: Draft, rules: Sequence[Rule], found: Sequence[Found], listed: frozenset[str], guesses: bool
) -> tuple[list[Found], list[Text]]:
    """The findings, each with its level, and what is told once instead of findings. Rules that are `listed` have all of
    theirs told; of others, what there are signs against is told if `guesses` are asked for."""
    by_id = {rule.id: rule for rule in rules}
    known = numbering(draft).understood
    told = [one for one in found if one.signs >= 0 or guesses or one.rule in listed]
    counted = [replace(one, signs=one.signs - by_id[one.rule].doubted) for one in told]
    levelled = [replace(one, severity=_level(by_id[one.rule], one, known)) for one in counted]
    notes: list[Text] = []
    kept: list[Found] = []
    for rule_id, group in groupby(sorted(levelled, key=lambda one: one.rule), key=lambda one: one.rule):
        rule, own = by_id[rule_id], list(group)
        weak = [one for one in own if _is_weak(one)]
        often = rule.looks_at is not None and len(weak) > SHARE * rule.looks_at(draft)
        doubted = often or sum(one.severity is Severity.HINT for one in own) > FEW
        if doubted and len(weak) > FEW and rule_id not in listed:
            notes.append(_once(draft, rule, weak))
            own = [one for one in own if not _is_weak(one)]
        kept += own
    return sorted(kept, key=lambda one: one.rank), notes


def _is_weak(one: Found) -> bool:
    return one.signs < len(LEVELS) - 1 or one.severity is Severity.HINT


def _level(rule: Rule, one: Found, known: bool) -> Severity:
    signs = max(0, min(one.signs, LEVELS.index(rule.severity)))
    return LEVELS[signs if known or not rule.of_clauses else 0]


def _once(draft: Draft, rule: Rule, found: Sequence[Found]) -> Text:
    places = draft.located.on(*(one.line for one in found[:3]), more=True)
    return Text(
        ja=f"参考 {rule.id}（{rule.title.ja}）が {len(found)} か所あります（{places.ja}）。読み誤りか、そう書く決まりと思われるため、"
        f"並べません。見るには --select {rule.id}",
        en=f"hint {rule.id} ({rule.title.en}) at {len(found)} places ({places.en}): misread or meant? They are not listed; --select {rule.id} shows them",
    )
