"""What a whole draft has to say of a topic, in parts: where its clause of that says one part and not another, or no clause says any, it is
asked once, at the clause that is nearest to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..page import Page, Said, said
from ..record import Raised, at


@dataclass(frozen=True)
class Topic:
    """A topic that a family asks about. `parts`: what clauses have to say of it (`within`: such clauses only). `where`: what the clause
    says at which it is asked, the likeliest first."""

    family: str
    parts: tuple[Said, ...]
    where: tuple[Said, ...]
    within: Said | None = None

    def is_open(self, page: Page) -> bool:
        """Does no clause say one of its parts?"""
        texts = [text for _, text in page.flat if self.within is None or self.within.anywhere(text)]
        return not all(any(map(part.anywhere, texts)) for part in self.parts)


_MOVES_AWAY = said(r"(?:区域|場所|領域|置き場|ゾーン|ところ|所)を?(?:移|変|離|動|かわ|うつ)|(?:区域|場所|領域|置き場|ゾーン|ところ|所)[にへ](?:動|移|うつ|行)", r"\b(?:chang\w+|mov\w+|leav\w+|enter\w*|goes|sent) (?:its |to |from |into |between )*(?:an?other |an? |a new |the |one |its |different )*(?:zones?|places?|areas?|piles?|locations?|spaces?)\b")

TOPICS = (
    Topic("order-at-once",
          (said(r"順[^。]{0,30}(?:選|決|好き|任意|自由)|(?:選|決|好き|任意|自由)[^。]{0,14}順", r"\b(?:order|sequence|first)\b[^.]{0,50}\b(?:choos\w+|chose|decid\w+|pick\w*|likes?|wish\w*|prefers?|choice)\b|\b(?:choos\w+|decid\w+|picks?|arranges?)\b[^.]{0,40}\b(?:order|sequence|first)\b"),),
          (said(r"(?:同時|いくつも|複数|重な)[^。]*(?:効果|能力)|(?:効果|能力)[^。]*(?:同時|いくつも|複数|重な)", r"(?:effects?|abilit\w+|triggers?|things)[^.]*(?:same (?:time|moment)|simultaneous|at once|together|waiting)|(?:same (?:time|moment)|simultaneous|together)[^.]*(?:effects?|abilit\w+|triggers?)"),
           said(r"(?:したとき|した時|したら|するたび)」", r"[“\"](?:when\w*|after)[,”\"]|\babilit\w+[^.]{0,40}\bwhen\b")),
          said(r"^(?=.*(?:同時|いくつも|複数|重な|とき」))(?=.*(?:効果|能力))", r"^(?=.*(?:same (?:time|moment)|simultaneous|at once|together|several|waiting|more than one))(?=.*(?:effect|abilit|trigger|thing))")),
    Topic("below-zero",
          (said(r"(?:[0０零]|ゼロ|マイナス|負)(?:点)?(?:に(?:満た|する|とす|な[るり]|も?とど)|より(?:下|小|少)|を下|未満|として|以下|の数)", r"\b(?:zero|0|nothing|nought|negative)\b"),),
          (said(r"引いた|差し引|減じた|マイナス", r"\bminus\b|\bsubtract|\bless the\b|\bdeduct|\bdifference"), said(r"(?:失う|失い|減る|減ら|下が|下げ|引く)", r"\bloses? (?:\w+ )?\w+\b|\breduc\w+|\blower"))),
    Topic("impossible",
          (said(r"(?:でき|行え|従え|果たせ|不可能|かなわ)[^。]{0,16}(?:飛ば|とば|無視|行わ|行い|かぎり|限り|何も|次|つぎ|進)|可能な(?:限り|範囲)", r"\b(?:cannot|can['’]t|could not|impossible|unable|can be)\b[^.]{0,50}\b(?:skip\w*|ignor\w*|pass\w*|nothing|next|go on|far as|move on|lost)|\b(?:skip\w*|ignor\w*|pass over|as (?:much|far) as)\b[^.]{0,40}(?:\bcan\b|cannot|can['’]t|possible|impossible)"),),
          (said(r"(?:効果|指示|文)[^。]{0,14}(?:上から|順に|書かれた)", r"\btop to bottom\b|\binstruction\w*\b|\bin the order (?:written|printed)|\bline by line|\bas written\b"), said(r"効果|能力", r"\beffects?\b|\babilit|\btext\b|\btrigger"))),
    Topic("after-move",
          (said(r"(?:別の|新(?:しい|たな))(?:札|カード|もの|駒)|別物|(?:はじめて|初めて)来|(?:効果|損傷|状態)[^。]{0,14}(?:失|消え|及ばな|引き継が)|以前の|覚えて", r"\bnew (?:object|card|thing|piece|one)\b|\bfresh\b|\bmemory\b|\bremember\w*|\bforget\w*|\bsame (?:card|object|piece|thing)\b|\b(?:anything|everything) (?:that|on)\b|\bno longer the same"),
           said(r"効果", r"\beffects?\b|\bnothing\b|\bmemory\b|\bremember\w*|\bapplied\b|\b(?:every|any)thing\b")),
          (_MOVES_AWAY, said(r"(?:終わりまで|ずっと|限り)(?:続|なる)|に貼|についてまわ", r"\bcounters? on\b|\buntil the end of the (?:game|match)\b|\blasts until\b|\bfor the rest\b|\b(?:leaves?|leave) (?:its|the|play)\b")),
          said(r"移|動|離|変わ|引っ越", r"\b(?:chang|mov|leav)\w*|\benters?\b|\bgoes\b")),
    Topic("counted-when",
          (said(r"数(?:え|を(?:定|決|見))[^。]{0,24}(?:時|とき|前|あと|後|一度|1回|１回|途中|直)|(?:時|とき)[^。]{0,16}(?:数え|数を(?:定|決|見))|(?:数|値)が変わ", r"\bcount\w*\b[^.]{0,30}\b(?:when|once|as|at|again|before|after|begin\w*)\b|\brecount|\bfixed (?:when|as|once)\b|\b(?:when|as|at) [^.]{0,40}\b(?:counted|determined|read)\b"),),
          (said(r"(?<!複)数(?!字)[をのえ][^。]{0,16}(?:効果|数え|参照|ぶん|分だけ)|効果[^。]{0,20}数え|数える|(?:数|数値)を(?:参照|用い|使)", r"\b(?:count\w*|number)\b[^.]{0,40}\beffects?|\b(?:effects?|text)\b[^.]{0,40}\b(?:count\w*|number)|\bcount\b"), said(r"(?:1|１|一)\s*(?:枚|個|つ|体)(?:に?つき|ごと)", r"\bfor (?:each|every)\b"))),
)


def topics(page: Page) -> Iterator[tuple[str, Raised]]:
    """What no clause of a draft says of a topic, by family, at the clause nearest to it."""
    for topic in TOPICS:
        if topic.is_open(page):
            for one, match in [(one, match) for where in topic.where for one in page.sentences
                               if (match := where.search(one.text, one.tongue))][:1]:
                yield topic.family, at(one, *match.span(), "")
