"""What certificates showed: for people and for programs."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...spec.text import Text
from ..findings.as_json import plain
from ..findings.layout import Block, Heading, Para
from ..findings.record import Certificate, CheckResult
from ..findings.steps import Say

TITLE = Text(ja="証拠の検査", en="Certificates")
ACCEPTED = Text(ja="{all}件のうち{good}件を、参照エンジンだけを知る検査器が認めました（{refused}件は退け、{none}件は証拠なし）。",
                en="{good} of {all} accepted by a checker that knows only the reference engine ({refused} refused, {none} without evidence).")
ALL_POSITIONS = Text(ja="局面全体", en="All positions")
SHOWN = Text(ja="示した: {what}。", en="shown: {what}.")
LEFT = Text(ja="示していない: {what}。", en="not shown: {what}.")
REFUSED = Text(ja="退けた: {what}。Rulewright 側の誤りです。", en="refused: {what}. This is a mistake of Rulewright.")
ALIKE = Text(ja="（同じもの{count}件）", en=" ({count} alike)")
NEVER = Text(
    ja="どの証拠も示さないもの: ルールの取り込みが本のとおりであること、重大度、「こう決めれば」の結果、文章の言い回し。",
    en="No certificate shows: that the rules are encoded as the book has them, how grave a finding is, what settlements bring, and the wording.")


def certificate_blocks(results: Sequence[CheckResult], say: Say) -> list[Block]:
    """How many certificates were accepted, what each sort shows, and what was not shown."""
    every = [(result, one) for result in results for one in result.certificates or ()]
    refused = [one for one in every if one[1].refused is not None]
    none = [one for one in every if not one[1].accepted and one[1].refused is None]
    counts = {
        "all": len(every),
        "good": len(every) - len(refused) - len(none),
        "refused": len(refused),
        "none": len(none),
    }
    alike: dict[tuple[str, Certificate], int] = {}
    for result, one in every:
        key = (one.about or f"{say(ALL_POSITIONS)} {result.book}/{result.scenario}", one)
        alike[key] = alike.get(key, 0) + 1
    lines = [Para(f"{about}{say(ALIKE, count=n) if n > 1 else ''} — {told(one, say)}") for (about, one), n in alike.items()]
    return [Heading(say(TITLE)), Para(say(ACCEPTED, **counts)), *lines, Para(say(NEVER))]


def told(one: Certificate, say: Say) -> str:
    """One certificate in words."""
    parts = [] if one.refused is None else [say(REFUSED, what=say(one.refused))]
    for text, what in ((SHOWN, one.shows), (LEFT, one.not_shown)):
        parts += [say(text, what=say(Text(ja="、", en="; ")).join(map(say, what)))] if what else []
    return say(Text(ja="", en=" ")).join(parts)


def certificates_as_json(results: Sequence[CheckResult]) -> list[dict[str, Any]]:
    """The same as data: for each run."""
    return [
        {
            "book": r.book,
            "scenario": r.scenario,
            "readings": dict(sorted(r.readings.items())),
            "certificates": plain(r.certificates or ()),
        }
        for r in results
    ]
