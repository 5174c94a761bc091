"""Lists that are announced (`次の3つの場合`) and do not follow, or have another length."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ....spec.text import Text
from ..findings import Found, Rule, Severity
from ..model import Clause, Draft
from ..numbering import FULL, whole
from .counts import NUMBER, english

_ANNOUNCED = re.compile(
    r"(?:以下|次)の(?:(?:(?P<n>\d{1,2}|[一二三四五六七八九十])"
    r"(?:つ|種類?|個|項目|通り|点|条件|段階|ステップ|要素))"
    r"|とおり|通り|手順|順|条件|場合|いずれか|もの|処理|効果|情報|領域|種類|分類|ルール|項目|ように)"
    # `次の手順に進む`: the one that comes next.
    r"(?!(?:に|へと?)(?:進|移|戻|行[くきっ])|[へ]|まで|から|が(?:始|開始|来|終)|の(?:開始|終了)|番|[一-龠])"
)
_FOLLOWING = re.compile(
    rf"\b(?:the|these|one of the|in the) following (?P<n>{NUMBER})\b(?! or )(?=[^.\n]{{0,60}}:)"
    rf"|\b(?P<m>{NUMBER}) (?:[a-z]+ ){{1,3}}(?:are )?(?:as follows|listed below)\b",
    re.IGNORECASE,
)
_MEASURED = re.compile(r"(?:[\d〇一二三四五六七八九十A-Za-z%％+＋]|[枚点個人回体歳秒分年円つ]|数|値|力|分)[ 　]?$")
"""What stands in front of `以下の場合` where it means "at most": `0 以下の場合`."""
_NAMED = re.compile(r"[「『【《‘<〈][^」』】》’>〉\n]{1,30}[」』】》’>〉]")
_SENTENCE_END = re.compile(r"(?:ます|る|する|です|ある|う|い|す)[。:：]?$|[:：]$|^[。:：]?$")
_RULE = re.compile(r"(?!.*(?:プレイヤー|側|あなた|相手|場合)は)[^。、がにで]{2,24}は、?[^\n]{2,}。")
"""`リーフを置いた船は、…。`: a rule with a subject of its own, not a step of somebody."""


def lists(draft: Draft, rule: Rule) -> Iterable[Found]:
    """A list is announced, and nothing follows; or it does not have as many entries as announced."""
    for index, clause in enumerate(draft.clauses):
        following = draft.clauses[index + 1] if index + 1 < len(draft.clauses) else None
        text = clause.text.translate(FULL)
        for match in _ANNOUNCED.finditer(text):
            if match[0][0] == "以" and _MEASURED.search(text[max(0, match.start() - 4) : match.start()]):
                continue
            if match["n"] and whole(match["n"]) == 1:
                continue  # `次の1つまたは2つ以上`
            count = _entries(clause, text, match)
            if count is None and _nothing_follows(clause, following, text, match):
                message = Text(
                    ja=f"「{match[0]}」とありますが、続くものがありません",
                    en=f"{match[0]!r} announces a list, and nothing follows",
                )
                yield rule.at(clause, match.start(), message, match[0])
            elif count is not None and match["n"] and count != whole(match["n"]):
                message = Text(
                    ja=f"「{match[0]}」とありますが、{count} あります",
                    en=f"{match[0]!r} announces {whole(match['n'])}, there are {count}",
                )
                yield rule.at(clause, match.start(), message, match[0], signs=_counted(clause))

        for match in _FOLLOWING.finditer(text):
            count, said = _entries(clause, text, match), english(match["n"] or match["m"])
            if count is not None and count != said:
                yield rule.at(
                    clause,
                    match.start(),
                    Text(
                        ja=f"「{match[0]}」とありますが、{count} あります",
                        en=f"{match[0]!r} announces {said}, there are {count}",
                    ),
                    match[0],
                    signs=_counted(clause),
                )


def _counted(clause: Clause) -> bool:
    """Are the entries under a clause counted on from one?"""
    numbers = [c.label.parts[-1] for c in clause.children if c.label is not None]
    return bool(numbers) and numbers == list(range(1, len(clause.children) + 1))


# ---------------------------------------------------------------- how many follow
def _entries(clause: Clause, text: str, match: re.Match[str]) -> int | None:
    """How many entries the list has, where that is certain: clauses or items of one kind and nothing else, or bullets on
    the lines right after the announcement."""
    children = clause.children
    bullets = [b for b in clause.bullets if b >= match.start()]
    if bullets and not children:
        return _bullets_in_a_row(clause, bullets, match.start()) or None
    alone = children and not bullets and not _rest(text, match)
    return len(children) if alone and len({c.style for c in children}) == 1 and children[0].label else None


def _bullets_in_a_row(clause: Clause, bullets: list[int], start: int) -> int:
    count, among = 0, frozenset(bullets)
    first: int | None = None
    for block in (b for b in clause.blocks if b > start):
        column = clause.passage.at(block)[1]
        first = column if first is None else first
        if block not in among or column < first:
            break  # the list that this one is in goes on
        count += column == first
    return count


# ---------------------------------------------------------------- whether anything follows
def _nothing_follows(clause: Clause, following: Clause | None, text: str, match: re.Match[str]) -> bool:
    """Is the announcement the last that its clause says, with no list in it, under it, or right behind it?"""
    if clause.children or any(b >= match.start() for b in clause.bullets) or _rest(text, match):
        return False
    sentence = text[match.end() : _sentence_end(text, match)].strip()
    if _NAMED.search(sentence) or len(sentence) > 30 or not _SENTENCE_END.search(sentence):
        return False
    return not _goes_on_in(following, clause) and not _opens(clause)


def _sentence_end(text: str, match: re.Match[str]) -> int:
    end = re.compile(r"[^。\n]*[。\n]?").match(text, match.end())
    return end.end() if end else len(text)


def _rest(text: str, match: re.Match[str]) -> str:
    """What the clause says after the sentence of the announcement."""
    return text[_sentence_end(text, match) :].strip()


def _goes_on_in(following: Clause | None, clause: Clause) -> bool:
    """Is the next clause the list: items after a clause, a heading without a number, or the deeper items of an item
    (`2-1)` after `1)`)?"""
    if following is None:
        return False
    if following.parent is clause.parent and following.is_item != clause.is_item:
        return True
    if following.is_item and following.label is not None and following.label.parts[-1] == 1:
        return True
    if following.heading and following.label is None:
        return True
    own, next_ = clause.label, following.label
    if own is None or next_ is None or not (clause.is_item and following.is_item):
        return False
    return len(next_.parts) > len(own.parts)


def _opens(clause: Clause) -> bool:
    """Do its siblings go through the list (407.1 announces what 407.2, 407.3 … say)? Not if the next one is a rule with
    a subject of its own."""
    if clause.headlike and clause.body:
        return False
    if clause.parent is None:
        return clause.label is not None and clause.label.parts[-1] == 1
    siblings = clause.parent.children[clause.parent.children.index(clause) + 1 :]
    return len(siblings) >= 2 and not _RULE.match(siblings[0].text)


RULES = (
    Rule(
        "list-missing",
        Severity.WARNING,
        Text("予告された列挙がない・数が違う", "announced list missing or of another length"),
        lists,
        of_clauses=True,
    ),
)
