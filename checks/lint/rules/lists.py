"""Lists that are announced and do not follow, or have another length."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ....spec.text import Text
from ..findings import Found, Rule, Severity
from ..model import Clause, Draft
from ..numbering import FULL, whole

_ANNOUNCED = re.compile(
    r"(?:以下|次)の(?:(?:(?P<n>\d{1,2}|[一二三四五六七八九十])(?:つ|種類?|個|項目|通り|点|条件|段階|ステップ|要素))|とおり|通り|手順|順|条件|場合|いずれか|もの|処理|効果|情報|領域|種類|分類|ルール|項目|ように)"
)
_ENUMERATED = re.compile(r"[「『【《‘<〈][^」』】》’>〉\n]{1,30}[」』】》’>〉]")


def lists(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A list is announced, and nothing follows; or it does not have as many entries as announced."""
    order = {id(c): i for i, c in enumerate(draft.clauses)}
    for clause in draft.clauses:
        text = clause.text.translate(FULL)
        for match in _ANNOUNCED.finditer(text):
            end = re.compile(r"[^。\n]*[。\n]?").match(text, match.end())
            rest = text[end.end() if end else match.end() :].strip()
            sentence = text[match.end() : end.end() if end else len(text)]
            entries = [c for c in clause.children if c.label is not None]
            bullets = [b for b in clause.bullets if b >= match.start()]
            following = draft.clauses[order[id(clause)] + 1] if order[id(clause)] + 1 < len(draft.clauses) else None
            named = len(_ENUMERATED.findall(rest)) + len(_ENUMERATED.findall(sentence))
            nothing = (
                not clause.children
                and not bullets
                and not rest
                and not named
                and not (
                    following is not None and following.parent is clause.parent and following.is_item != clause.is_item
                )
                and not (following is not None and following.heading and following.label is None)
                and not (
                    clause.is_item
                    and following is not None
                    and following.label is not None
                    and following.is_item
                    and len(following.label.parts) > len(clause.label.parts if clause.label else ())
                )
            )
            opening = _opens(clause)
            ends = not opening and _stops(text, match, end.end() if end else len(text))
            if nothing and ends:
                yield rule.at(
                    clause,
                    match.start(),
                    Text(
                        ja=f"「{match[0]}」とありますが、続くものがありません",
                        en=f"{match[0]!r} announces a list, and nothing follows",
                    ),
                    match[0],
                )
            elif match["n"] and entries and len(entries) == len(clause.children) and not rest:
                count, said = len(entries), whole(match["n"])
                same = len({c.style for c in entries}) == 1
                if same and count != said and not bullets:
                    yield rule.at(
                        clause,
                        match.start(),
                        Text(
                            ja=f"「{match[0]}」とありますが、{count} あります",
                            en=f"{match[0]!r} announces {said}, there are {count}",
                        ),
                        match[0],
                    )
            elif match["n"] and bullets and not entries:
                run = _run(clause, bullets, match.start())
                if run and run != whole(match["n"]):
                    yield rule.at(
                        clause,
                        match.start(),
                        Text(
                            ja=f"「{match[0]}」とありますが、{run} あります",
                            en=f"{match[0]!r} announces {whole(match['n'])}, there are {run}",
                        ),
                        match[0],
                    )


def _opens(clause: Clause) -> bool:
    """Do its siblings go through the list (407.1 announces what 407.2, 407.3 … say)? Not if the next one begins with a
    subject of its own that does nothing, as a rule does and a step does not."""
    if (clause.headlike and clause.body) or clause.parent is None or clause.parent.children[0] is not clause:
        return False
    siblings = clause.parent.children[1:]
    return len(siblings) >= 2 and not _RULE.match(siblings[0].text)


_RULE = re.compile(r"(?!.*(?:プレイヤー|側|あなた|相手|場合)は)[^。、がにで]{2,24}は、?[^\n]{2,}。")
"""`リーフを置いた船は、…。`"""


def _stops(text: str, match: re.Match[str], end: int) -> bool:
    """Is the announcement the last that is said?"""
    tail = text[match.end() : end].strip()
    return (
        text[end:].strip() == ""
        and len(tail) <= 30
        and (re.search(r"(?:ます|る|する|です|ある|う|い|す|い)[。:：]?$|[:：]$|^[。:：]?$", tail) is not None)
    )


def _run(clause: Clause, bullets: list[int], start: int) -> int:
    """Bullets on the lines right after the announcement."""
    blocks = [b for b in clause.blocks if b > start]
    count = 0
    for block in blocks:
        if block not in bullets:
            break
        count += 1
    return count


RULES = (
    Rule(
        "list-missing",
        Severity.WARNING,
        Text("予告された列挙がない・数が違う", "announced list missing or of another length"),
        lists,
    ),
)
