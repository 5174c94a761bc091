"""What the gists of clauses say, in words: orders, persons, permissions, numbers; and which clauses follow each other as steps."""
from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cached_property

from ...model.engine.library import Book
from ...spec.book import ClauseKind
from ...spec.text import Text
from ..questions.page import Said, said

ORDER = said(r"その後|してから|た後|のち|前に|次に|順|先に|続い|まず|最後|同時|場合は?、?直ちに|直後|→",
             r"\bthen\b|\bafter|\bbefore\b|\bfirst\b(?! player| turn)|\bnext\b(?! turn)|\bfinally\b|\bfollow|\border\b|at the same time|simultaneous|\bat once\b|\buntil\b|\bas soon as\b")
EACH = said(r"すべて|全て|全部|全員|全|各|それぞれ|両|ごと|互い|まとめて|残り|ずつ|いずれも|双方|枚数", r"\ball\b|\beach\b|\bevery|\bboth\b|\bwhole\b|\brest\b|\bthose\b|\bthey\b|\bthem\b|\bper\b|\w+s\b")
ALL = said(r"すべて|全て|全部|全員|それぞれ|両方", r"\ball\b|\beach\b|\bevery\b|\bboth\b")
ONE = said(r"いずれか|どれか|一つでも|1つでも|一枚でも|があれば|がいれば|があると|がある|があり|がなければ|ない|しか", r"\bany\b|\bsome\b|\bone\b|\ba\b|\ban\b|\bno\b|\bnone\b|\bthere (?:is|are)\b|\beither\b|\bwithout\b")
CONDITION = said(r"なら|場合|とき|れば|ければ|限り|たら|ない限り|でない|ときに|中は|間|うち|である|のみ|だけ|以外|除",
                 r"\bif\b|\bwhen|\bunless\b|\bonly\b|\bwhile\b|\bwhere\b|\bexcept\b|\bwithout\b|\bas long as\b|\bprovided\b|\bthat\b|\bwho\b|\bnot\b|\bno\b")
AS_FAR = said(r"できる限り|できるだけ|可能な|まで|限度|上限|全部|すべて|足りな|分だけ", r"as (?:much|many|far)|\bup to\b|\bat most\b|\bwhat there is\b|\bpossible\b|\ball\b|\brest\b|\bfewer\b|\bleft\b")
WHEN = said(r"時点|その時|ときの|時に|たとき|前の|現在|開始時|終了時|直前|後の|この時|とき", r"\bat the (?:time|moment|start|beginning|end)\b|\bas it (?:is|was)\b|\bwhen\b|\bnow\b|\bat that\b|\bcurrent|\bbefore\b|\bafter\b|\bonce\b")
ELSE = said(r"でなければ|なければ|そうでない|ない場合|ないとき|ないなら|以外|さもなくば|ほか|他の|残|までは|代わり", r"\bif (?:not|there (?:is|are) (?:no|none))\b|\bunless\b|\botherwise\b|\belse\b|\bno\b|\bnot\b|\bnone\b|\bwithout\b|\binstead\b|\bother\b|\bcannot\b|\bonly\b")
TURN = said(r"(?<!非)(?:ターンプレイヤー|手番プレイヤー|アクティブプレイヤー|ターン・プレイヤー|行動側|攻撃側)", r"(?<!non-)(?<!the other )\b(?:turn player|active player|acting (?:side|player)|attacker|attacking (?:side|player))")
OTHER = said(r"相手|非ターン|非アクティブ|待機側|防御側|攻撃された|受けた側|もう一方", r"\bopponent|\bnon-(?:turn|active)|\bthe other (?:player|side)|\bwaiting (?:side|player)|\battacked (?:side|player)|\bdefend")
OWNER = said(r"持ち主|オーナー|所有者", r"\bowner")
PERSON = said(r"プレイヤー|相手|自分|両者|各自|持ち主|オーナー|側|先攻|後攻|マスター|双方|互い|誰|全員|所有者|使用者|コントロ",
              r"\bplayer|\bopponent|\bowner|\byou\b|\byour\b|\bboth\b|\beach\b|\bside\b|\battacker|\bdefender|\bmaster|\bwho|\bthey\b|\btheir\b|\bone's\b|\bown\b|\bnobody\b|\bcontroller")
STEPS = frozenset({ClauseKind.PROCEDURE, ClauseKind.DUTY, ClauseKind.HEADING})
STATES = frozenset({ClauseKind.DEFINITION, ClauseKind.VERDICT, ClauseKind.PROHIBITION})
"""Sorts of clauses that say when nothing happens: one of them is no step."""
_WORDS = {
    2: ("二", "two", "両", "both", "twice", "double", "second"),
    3: ("三", "three", "third"),
    4: ("四", "four"),
    5: ("五", "five"),
    6: ("六", "six"),
    7: ("七", "seven"),
    8: ("八", "eight"),
    9: ("九", "nine"),
    10: ("十", "ten"),
}


class Gists:
    """The clauses of a book by what their gists say."""

    def __init__(self, book: Book) -> None:
        self.clauses = {c.id.value: c for c in book.clauses.clauses}
        self.rank = {c: k for k, c in enumerate(self.clauses)}
        self.readings = {name: frozenset(c.value for c in r.clauses) for name, r in book.readings.items()}

    def says(self, clauses: Iterable[str], what: Said) -> bool:
        """Does the gist of one of them say it, in either language?"""
        return any(found(self.clauses[c].gist, what) for c in clauses if c in self.clauses)

    def names(self, clauses: Iterable[str], who: Said) -> bool:
        """Does one of them, or one that it stands under, name such a person?"""
        return self.says([above for c in clauses for above in self.line(c)], who)

    def permits(self, clauses: Iterable[str]) -> bool:
        """Are they permissions?"""
        return all(self.clauses[c].kind is ClauseKind.PERMISSION for c in clauses if c in self.clauses)

    def states(self, clauses: Iterable[str], number: int) -> bool:
        """Does the gist of one of them state the number, or one that it is the neighbour of (at most 7: fewer than 8)?"""
        for c in clauses:
            gist = self.clauses[c].gist if c in self.clauses else None
            if gist is None:
                continue
            text = unicodedata.normalize("NFKC", f"{gist.ja} {gist.en}").replace(",", "").lower()
            numbers = {int(n) for n in re.findall(r"\d{1,9}", text)}
            numbers |= {n for n, words in _WORDS.items() if any(w in text for w in words)}
            if number in numbers or number + 1 in numbers or number - 1 in numbers:
                return True
        return False

    # ------------------------------------------------------------ where clauses stand
    @cached_property
    def parents(self) -> dict[str, str | None]:
        """The clause each stands under: the longest that its id begins with."""
        out: dict[str, str | None] = {}
        for c in self.clauses:
            above = [q for k in range(len(c) - 1, 0, -1) if (q := c[:k]) in self.clauses and not runs_on(q[-1], c[k])]
            out[c] = above[0] if above else None
        return out

    def line(self, clause: str) -> list[str]:
        """The clause and those that it stands under, the highest first."""
        out: list[str] = []
        at: str | None = clause if clause in self.parents else None
        while at is not None:
            out.append(at)
            at = self.parents[at]
        return out[::-1]

    def in_order(self, first: str, second: str) -> bool | None:
        """Are these two steps of one procedure, in this order (or in the other)? None: they are no such steps."""
        a, b = self.line(first), self.line(second)
        common = sum(1 for x, y in zip(a, b, strict=False) if x == y)
        if common in (0, len(a), len(b)):
            return None
        x, y = a[common], b[common]
        if (
            not {self.clauses[x].kind, self.clauses[y].kind} & STEPS
            or {self.clauses[x].kind, self.clauses[y].kind} & STATES
        ):
            return None
        return self.rank[x] < self.rank[y]

    def asked(self, *clauses: Iterable[str]) -> bool:
        """Is there a reading about a clause of each?"""
        return any(all(about & set(some) for some in clauses) for about in self.readings.values())


def runs_on(last: str, following: str) -> bool:
    """Do they belong to one number (9-5.i does not stand over 9-5.ii)?"""
    return (last.isdigit() and following.isdigit()) or (
        last.isascii() and last.isalpha() and following.isascii() and following.isalpha()
    )


def found(gist: Text, what: Said) -> bool:
    """Does a gist say it, in either language?"""
    return what.search(gist.ja, "ja") is not None or what.search(gist.en, "en") is not None
