"""What certificates show, and what they do not, in plain words: made, checked, told."""
from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from ...model.engine.interpreter import Interpreter
from ...spec.text import Text
from ..certify.checker import Judged, check
from ..certify.further import Further
from ..certify.positions import MOST
from ..explore.explorer import Exploration, Limits, explore
from ..explore.saturate import MOST_STATES
from ..explore.subject import Subject
from ..findings.record import Certificate, CheckResult, Finding
from .made import Claim, certificate, claim_of, further_of, no_states, parting_claim, world_of
from .table import Table

SHOWS = {
    "play": Text(ja="手順は、一手ごとに、決める人も選んだものも示したとおりに進む", en="the play goes as told, step by step: who decides, and what is taken"),
    "end": Text(ja="その先で、示したとおりに終わる", en="it ends as told"),
    "broken": Text(ja="その局面で条件が成り立たない", en="the condition does not hold there"),
    "open": Text(ja="その選択は誰のものとも定められておらず、選び方で局面が変わる", en="that choice is nobody's, and different positions follow"),
    "closes": Text(ja="手順は進められ、局面が完全に元へ戻る", en="the play can be played, and the position comes back exactly as it was"),
    "keeps": Text(ja="続ける側がそう選ぶ限り、ほかの人や運がどうであっても、終わらない（{closed}局面の外へ出ない）",
                  en="while those who keep it going choose so, it never ends, whatever others and chance do (play stays within {closed} positions)"),
    "exactly": Text(ja="続けられるのは、言った人のほかにいない（誰が止められるかは、言ったとおり）", en="nobody else can keep it going: who can stop it is as told"),
    "round": Text(ja="一周すると、増減したもののほかは元どおりになる", en="after one round all is as before but for what is more or less"),
    "for ever": Text(ja="この先のどの周でも、同じだけ増減する", en="so it does in every round from then on, by as much"),
    "order": Text(ja="一方を先にすると至る結果に、もう一方を先にした時は決して至らない", en="with one first, play can come to a result that it never comes to with the other first"),
    "parting": Text(ja="同じ選択から、二つの解釈で違う局面に至る", en="the same choices lead to what differs under the two readings"),
    "complete": Text(ja="至りうる局面はこの{states}で全部（参照エンジンで{transitions}の手順をすべてたどり直した）",
                     en="these {states} positions are all that play can come to (all {transitions} steps were taken again in the reference engine)"),
    "drawn": Text(ja="{states}局面から{most}局面をくじで選び、その先がどれも表の中にあることを確かめた",
                  en="of {states} positions {most} were drawn by lot, and whatever follows them is in the table"),
    "counts": Text(ja="{states}局面、{transitions}手順（参照エンジンでたどり直した）", en="{states} positions and {transitions} steps (taken again in the reference engine)"),
    "ends": Text(ja="ゲームの終わり方とその数", en="how play ends, and how often"),
    "silent": Text(ja="規定漏れ・食い違い・取り込みの不備で止まる局面は、示したもののほかにない", en="no gap, conflict or fault but those told"),
    "open choices": Text(ja="決める人のいない選択は、示したもののほかにない", en="no choice that nobody owns but those told"),
    "conditions": Text(ja="守られるはずの条件は、示したもののほか、どの局面でも成り立つ", en="what must always hold does, in every position, but for what is told"),
    "no loops": Text(ja="全員が望んでも、終わりなく続けることはできない（運を除く）", en="not even all players together can keep play going for ever"),
    "regions": Text(ja="終わりなく続けられるのは、{loops}か所の中だけ", en="play can be kept going for ever only within {loops} region(s)"),
    "unsat": Text(ja="当てはまるものはないと、z3が文面だけから改めて答えた", en="z3, asked anew from the text alone: there is nothing"),
    "cvc5": Text(ja="cvc5も同じ答え", en="cvc5 says the same"),
}
NOT_SHOWN = {
    "clauses": Text(ja="本の循環条文の当てはめ", en="what the book's clauses about loops make of it"),
    "keepers": Text(ja="誰が止められるか", en="who can stop it"),
    "for ever": Text(ja="この先も同じように増え続けること、誰が止められるか", en="that it goes on growing so, and who can stop it"),
    "forces": Text(ja="誰がその結果を実現できるか", en="who can bring that result about"),
    "symmetry": Text(ja="同じカードの入れ替えを除いて{states}局面であること", en="that they are {states} up to exchanging equal cards"),
    "beyond": Text(ja="打ち切りや上限の先", en="what lies beyond limits and bounds"),
    "grown": Text(ja="上限に達した値の先も同じように進むこと", en="that play goes on alike beyond the values that reached their limit"),
    "orders": Text(ja="指摘していない順番では結果が変わらないこと", en="that orders of which nothing is told make no difference"),
    "others": Text(ja="示したほかに規定漏れ・未規定の選択・成り立たない条件・終わりのない繰り返しがないこと",
                   en="that there is no gap, open choice, broken condition or endless play but what is told"),
    "untold": Text(ja="そのうち{regions}か所で示した繰り返しのどれとも、ほかの繰り返しが同じ形であること", en="that the loops in {regions} of these regions have the form of one that is told"),
    "all": Text(ja="この指摘の証拠は作れなかった", en="no evidence could be made for this finding"),
    "scripted": Text(ja="決められた選択のほかを選んだ場合", en="what other choices than the scripted ones lead to"),
    "together": Text(ja="これらの問いから、言ったことが従うこと", en="that what is told follows from these questions"),
}


@dataclass(frozen=True)
class Evidence:
    """A certificate as plain data; what it was made from: the table, and of each finding the number of its claim (0: none; claim 0 is
    about all positions)."""

    certificate: dict[str, Any]
    table: Table
    numbers: tuple[int, ...]


def evidence(subject: Subject, out: Exploration, limits: Limits, findings: Sequence[Finding]) -> Evidence:
    """The certificate of all positions that were judged, and of findings. Equal cards are kept apart in it: where they were not, a second
    search is made, by the reference interpreter; and where play was judged beyond bounds, one by the checker's own steps there."""
    plain = replace(subject, symmetry=None)
    starts = subject.starts
    if (said := further_of(subject)) is not None:
        engine = Further(world_of(subject).engine, said)
        starts = [engine.start(x) for x in subject.positions]
        most = MOST_STATES if limits.states is None else min(limits.states, MOST_STATES)
        out = explore(cast(Interpreter, engine), starts, replace(limits, states=most))
    elif subject.symmetry is not None:
        out = explore(subject.engine, subject.starts, limits)
    table = Table(plain, out, starts)
    claims = [claim_of(subject, table, f) for f in findings]
    made = [claim for claim in claims if claim is not None]
    numbers = [0 if claim is None else 1 + sum(c is not None for c in claims[:k]) for k, claim in enumerate(claims)]
    return Evidence(certificate(plain, table.plain(), [table.claim(made), *made]), table, tuple(numbers))


def certified(subject: Subject, out: Exploration, limits: Limits, result: CheckResult) -> tuple[Certificate, ...]:
    """What the checker says of a result: of all positions, and of each finding."""
    if not out.states:  # play left a bound before the first choice
        return tuple(none_made(f.id) for f in result.findings)
    made = evidence(subject, out, limits, result.findings)
    claims, said = made.certificate["claims"], check(json.loads(json.dumps(made.certificate)), [world_of(subject)])
    told = [
        told_of(claims[k], said[k], f, subject) if k else none_made(f.id)
        for k, f in zip(made.numbers, result.findings, strict=True)
    ]
    return (told_of_all(claims[0], said[0], subject, made.table, result, claims[1:]), *told)


def certified_parting(a: Subject, b: Subject, limits: Limits, finding: Finding) -> Certificate:
    """The certificate that two readings part."""
    claim = parting_claim(a, b, limits, finding)
    if claim is None:
        return none_made(finding.id)
    (said,) = check(certificate(a, no_states(a), [claim]), [world_of(a), world_of(b)])
    return told_of(claim, said, finding, a)


def certified_questions(results: Sequence[CheckResult], texts: Sequence[str]) -> tuple[Certificate, ...]:
    """The questions to which there was nothing, asked again."""
    empty: dict[str, Any] = {"form": 1, "book": "", "further": None, "table": {"base": [], "list": []}}
    claims = [
        {"kind": "query", "about": f"SMT-LIB {k}", "text": text, "expected": "unsat"} for k, text in enumerate(texts, 1)
    ]
    made = [told_of(claim, check({**empty, "claims": [claim]})[0]) for claim in claims]
    ends = [none_made("ends") for result in results if any(x.question == "ends" for x in result.examined)]
    return (*made, *ends, *(none_made(f.id) for result in results for f in result.findings))


def none_made(about: str) -> Certificate:
    """Nothing was shown of it."""
    return Certificate(about, False, not_shown=(NOT_SHOWN["all"],))


def told_of(claim: Claim, said: Judged, finding: Finding | None = None, subject: Subject | None = None) -> Certificate:
    """What the checker says of a claim about a finding."""
    if said.refused:
        return Certificate(claim["about"], False, refused=Text.same(said.refused))
    closed = max((len(c["states"]) for c in claim.get("closed", ())), default=0)
    shows = tuple(filled(SHOWS[word], closed=f"{closed:,}") for word in said.shown)
    left: list[str] = []
    if claim["kind"] == "loop":
        left = (
            ["for ever"]
            if "round" in said.shown and "for ever" not in said.shown
            else ["keepers"]
            if "exactly" not in said.shown
            else []
        )
        left = [*left, *(["clauses"] if finding is not None and finding.clause_verdicts else [])]
    elif claim["kind"] in ("order", "query"):
        left = [{"order": "forces", "query": "together"}[claim["kind"]]]
    if subject is not None and subject.policies:
        left.append("scripted")
    return Certificate(claim["about"], True, shows, tuple(NOT_SHOWN[word] for word in left))


def told_of_all(
    claim: Claim, said: Judged, subject: Subject, table: Table, result: CheckResult, claims: Sequence[Claim],
) -> Certificate:
    """What the checker says of all positions."""
    if said.refused:
        return Certificate("", False, refused=Text.same(said.refused))
    numbers = {
        "states": f"{claim['states']:,}",
        "transitions": f"{claim['transitions']:,}",
        "most": f"{MOST:,}",
        "loops": f"{len(claim['loops']):,}",
    }
    names = {"open": "open choices", "broken": "conditions"}
    words = [word for word in said.shown if word != "counts" or "complete" not in said.shown]
    shows = tuple(filled(SHOWS[names.get(word, word)], **numbers) for word in words)
    left: list[Text] = []
    if subject.symmetry is not None and result.bounds.states != claim["states"]:
        left.append(filled(NOT_SHOWN["symmetry"], states=f"{result.bounds.states:,}"))
    if not claim["complete"]:
        left.append(NOT_SHOWN["grown" if result.bounds.complete else "beyond"])
    else:
        left += [
            *([NOT_SHOWN["others"]] if "drawn" in said.shown else []),
            NOT_SHOWN["orders"],
            *([NOT_SHOWN["scripted"]] if subject.policies else []),
        ]
        if untold := claim["loops"] and table.untold([c for c in claims if c["kind"] == "loop"], claim["loops"]):
            left.append(filled(NOT_SHOWN["untold"], regions=untold))
    return Certificate("", True, shows, tuple(left))


def filled(text: Text, **numbers: object) -> Text:
    """A text with its numbers."""
    return Text(ja=text.ja.format(**numbers), en=text.en.format(**numbers))
