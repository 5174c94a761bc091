"""What a sentence of a shape may leave open, whatever its verbs: a checklist, asked of every sentence where it is wanted.

Families know turns of phrase, and of a stranger's holes they meet one in seven. A shape is wider: a permission without a
time, a number of things without “if there are fewer”, the most of something without “if there is none”. What settles it is looked for
in the sentence, its clause and the beginning of the next, so much of what is asked is settled elsewhere, or plain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ....spec.text import Text
from ..page import Page, Said, Sentence, said
from ..record import Family, Raised, Stake, at, en, ja
from . import language as to
from .structure import results, structure
from .topics import topics


@dataclass(frozen=True)
class Shape:
    """A way in which a sentence may raise a family's question; not where the sentence, its clause or what of the clause (with `beside`:
    and of the beginning of the next) `follows`, says what settles it. `set_up`: is it asked of what is done before the game, too?"""

    family: str
    raised: Said
    in_sentence: Said | None = None
    in_clause: Said | None = None
    follows: Said | None = None
    beside: bool = False
    set_up: bool = True

    def open_at(self, one: Sentence, clause: str, beside: str) -> re.Match[str] | None:
        """Where a sentence raises it, if neither it nor the text of its clause, or of the next, settles it."""
        match = self.raised.search(one.flat, one.tongue)
        if match is None:
            return None
        behind = clause[clause.find(one.flat) + match.start() :]
        settled = ((self.in_sentence, one.flat), (self.in_clause, clause), (self.follows, f"{behind} {beside}" if self.beside else behind))
        return None if any(what is not None and what.search(text, one.tongue) for what, text in settled) else match


# ---------------------------------------------------------------- Japanese
_UNIT = rf"(?:{to.UNIT}|まい|こ|にん|点)"
_PIECES = rf"{to.DIGITS}\s*{_UNIT}"
_SEVERAL = rf"(?:[2-9２-９]|[1-9１-９][0-9０-９]|[二三四五六七八九十])\s*{_UNIT}"
_PEOPLE = r"プレイヤー|相手|持ち主|もちぬし|手番の(?:人|側)|(?:[りたるのい]|が)(?:人|ひと|者)|親|隣|となり|敵軍|自軍|敵|双方|攻撃側|防御側"
_IF_NONE = r"いなければ|なければ(?!な[らり]|いけ)|ない(?:とき|時|場合|なら|人|者|ひと|日|軍|うち)|なかった|空(?:の|で|な|っ)|から(?:っぽ|の(?:とき|ひと))|誰も|だれも|できな|足りな|たりな|満た|尽き|残って|のこって|(?<!用)いない"
_FEWER = said(r"足り|たりな|満た|少な(?:い|け)|あるだけ|在るだけ|ある分|しかな|以上(?:いる|ある)|切れ|尽き|[なけき]なけ|枚なければ", r"\bfewer\b|\bnot enough\b|\btoo few\b|\bas many\b|\bless than\b|\bonly (?:one|two)\b|\binsufficient|\bshort\b|\bas far as\b|\b(?:runs?|ran) (?:out|dry)\b|\bcannot\b|\bcan['’]t\b|\bwhat(?:['’]s| is) (?:there|left)|\bempty \w+ draws")
_SHORT = r"足り|たりな|満た|少な(?:い|け)|あるだけ|在るだけ|ある分|しかな|以上(?:いる|ある)|なければ(?!な)|尽き|切れ|なくな|無くな|空(?:に|の|な|っ|で)|(?:け|き|せ|れ|え)な(?:い|く)|無い|ないとき"
_TIME = said(r"時(?!まで)|とき|段階|フェイズ|番[のにで](?!終わりまで)|ターン(?!終了時?まで|の終わりまで)|初め|はじめ|始め|終わり(?!まで)|おわり(?!まで)|[前後まあ][にえと]に?|直後|途中|代わり|かわり|代え|あいだ|間[にはも、]|うちに|最後|いつでも|たびに|都度", r"\bwhen|\bafter\b|\bbefore\b|\bduring\b|\bat (?:the (?:start|end|beginning|close|same|moment)|any (?:time|moment|point)|dusk|dawn|that (?:time|moment|point))\b|\bwhile\b|\binstead\b|\bturn\b|\bphase\b|\bstep\b|\bthen\b|\buntil\b|\bonly\b|\bin place of\b|\bas an action\b")
_TIMED = said(r"段階|フェイズ|手番|ひと晩|の間に|中に", r"\bstep\b|\bphase\b|\bduring\b")
_OFTEN = said(r"(?:初め|はじめ|始め|終わり)に|[一1１]\s*(?:度|回)|何(?:度|回)|好き|任意|いくら|ごと|ずつ|だけ|かぎり|限|全部|まで|毎|代わり|かわり|いつでも|各|それぞれ", r"\bbefore (?!\w+,)|\b(?:at the (?:start|end|beginning)|once|twice|any number|only|as (?:often|many)|times|both|instead|whenever|up to|at most|one (?:card |action |\w+ )?(?:each|per|a) |each (?:turn|time|round|night|of)|or pass|cards? only|when [^.]*,|after this|(?:one|an?|the) [^.,;]{1,30}\b(?:of|from) )")
_OFTEN_ELSE = said(r"[一1１]\s*(?:手番|晩|ターン|ラウンド)[^。]{0,10}[回度]|[回度](?:まで|限り|を限り)|回数", r"\b(?:once|twice|\w+ times) (?:each|per|in|a|every)\b|\bno more than \w+ (?:times|each)|\bany number\b|\beach\b[^.]{0,20}\bonce\b|\bonce\b")
_TOGETHER = r"みんな|全員|双方|両者|両軍|それぞれ|各自|各(?:プレイヤー|人|軍)|どちら(?:も|の)|すべての|同時に|いっぺんに|いっせいに|ともに"
_MORE = r"(?:多|高|大き|強|少な|低|小さ|弱)"
# ---------------------------------------------------------------- English
_PEOPLE_EN = r"\b(?:players?|opponents?|owners?|controllers?|neighbou?rs?|dealers?|attackers?|defenders?|partners?|winners?|losers?|leaders?|hosts?|captains?|commanders?|whoever|the other|another|some(?:body|one))\b"
_KNOWN, _KNOWN_EN = (r"見せ|みせ|公開|表向きで|全員|双方|だれ|誰|自分だけ|自らのみ|一人で|元の|もとの|戻|もど|残|裏向きに|手札に|処理|茶がら|捨て", r"\bshow\w*|\brevealed|\bto all\b|\bback\b|\balone\b|\bonly\b|\bface[- ]up (?:in|on|beside)\b")
_IF_NONE_EN = r"\bnone\b|\bno (?!more than|fewer|less|one of)|\bnobody|\bno one|\bempty\b|\bunless\b|\bcannot\b|\bcan['’]t\b|\bunable\b|\bwithout\b|\bonly one\b|\bfewer\b|\bnot enough\b|\bimpossible|\bif (?:able|possible)|\bneither|\bshort of\b|\black"
_SHORT_EN = r"\bfewer\b|\bnot enough\b|\btoo few\b|\bas many\b|\bless than\b|\bonly (?:one|two)\b|\binsufficient|\bshort\b|\bas far as\b|\b(?:runs?|ran) (?:out|dry)\b|\bempt\w+|\bexhausted\b|\bcannot\b|\bcan['’]t\b|\bnone\b|\bno \w+ (?:is |are )?(?:left|remain)|\blacks?\b|\bwhat(?:['’]s| is) (?:there|left)"
_SUPERLATIVE = r"\b(?:the|whose|their|your|its) (?:\w+ ){0,2}?(?:\w{3,}(?<!inter)(?<!for)(?<!har)(?<!\br)est|most|least|fewest)\b[^.,;]{0,30}"

SHAPES = (
    *(Shape("may-how-often",
            said(rf"[^、。]{{0,30}}(?:{to.MAY}|(?<!て)(?:て|で)(?:よ|良)く|{to.ABLE})(?<!見てかまいません)(?:よ|ね|もの(?:です|とする))?(?=。|！|$)",
                 r"(?<!who )(?<!that )(?<!which )\b(?:may|(?<!no )(?:is|are) (?:free|allowed|permitted|entitled|at liberty) to|(?<=you )can|(?:has|have) the right to) (?!not\b|never\b|be\b|no\b|only\b|have\b|say\b|still\b|do some|look\b|see\b|examine|concede|resign|quit|skip|decline|carry|hold|contain|stay|bear|take fewer|talk)[^.,;]{3,60}"),
            in_sentence, in_clause, set_up=False)
      for in_sentence, in_clause in ((_TIME, _TIMED), (_OFTEN, _OFTEN_ELSE))),
    *(Shape("fewer-there", raised,
            said(r"まで(?!足|補|引|並)|以上|以下|最初に配|で行う|を持つ|から成|を成|枚[をの]束|遊[びぶ]", r"\bup to\b|\bat least\b|\bis divided\b|\bholds\b|\btakes? \w+ (?:core )?damage|\bno more than \w+ |\bor declines|\bbetween them|\bor (?:more|fewer)\b|\bat most\b|\bno more than\b|\bif (?:there|they|you|that player|a player) (?:are|have|has|is)\b"),
            follows=short, beside=True, set_up=False) for raised, short in (
        (said(rf"[^、。]{{0,12}}{_SEVERAL}(?!まで|以上|以下|未満|ずつ(?:配|引)|より|につき|ごと|の(?:とき|場合))[^。]{{0,30}}?(?:[いうきくぎしすちつにぬびみむりる]|ます|ください|って|して|んで|いて|せ)(?=[、。よね])",
             rf"\b(?!(?:add|adds|pay|pays|gain|gains|gets?|past|every|each|carry|carries|operates?|controls?|dealt|reduces?|is|are|of|has|have|with|costs?|least|most|than|to|for|between|or|and|from|by|exactly|within|numbered|worth|until|under|in|at)\b)[a-z]+ (?:off |out |up |down |back |over )?(?:the (?:top|bottom|last|first|next) |their |your |from \w+ )?{to.TWO_EN} (?:of |different |wounded |other )?(?!times|turns|rounds|points|players|minutes|or\b|and\b|steps|spaces|days)[a-z]+s?\b[^.,;]{{0,20}}"), _FEWER),
        (said(r"[^、。]{0,10}(?:になるまで|だけ)[^、。]{0,8}(?:足し|足す|引|並べ|補|めく|置|加え)[^、。]{0,6}|[^、。]{0,12}[1１一]\s*(?:枚|つ|個|体)ずつ[^。]{0,20}(?:置|並べ|補|配|加え)[^、。]{0,4}",
             r"\b(?:refill\w*|replenish\w*|fills? (?:\w+ ){1,3}to|draws? (?:\w+ ){0,3}until|is (?:then )?(?:dealt(?! with)|given|refilled)|deals? (?:one|an?|\w+ cards?) (?:\w+ ){0,3}to each)\b[^.;]{0,40}"), said(_SHORT, _SHORT_EN)))),
    Shape("none-there",
          said(r"(?:最も|もっとも|いちばん|一番|最[大小高低多少])[^、。]{0,20}|より(?:高|低|多|少な)[^、。]{0,20}", rf"{_SUPERLATIVE}|^\W*(?:Highest|Lowest|Most|Fewest)\b[^.,;]{{0,20}}"),
          said(r"人|者|長|プレイヤー|勝|目指|最初", r"\bplayers?\b|\bwins?\b|\bcaptain|\bthe same\b"),
          said(_IF_NONE, _IF_NONE_EN), set_up=False),
    Shape("none-there",
          said(r"[^、。]{0,16}(?:1|１|一|ひと)\s*(?:枚|つ|人|体|まい|こ|個|隻|り)(?:を|、|だけ)?[^、。]{0,14}(?:選[びぶん]|えら[びぶん]|取[りるっ]|奪|抜|移|戻|もど|捨て|与え)[^、。]{0,4}",
               r"\b(?:an?|one|any|another) [^.,;]{1,30}\b(?:you choose|(?:of|by) (?:your|his or her|his|her|their|its own(?:er['’]s)?) (?:own )?choice|of your choosing)\b[^.,;]{0,20}|\b(?:chooses?|picks?|takes?|selects?|steals?|removes?|sinks?|destroys?|swaps?|sends?|loses?|returns?|flips?) (?:one|an?|any|another) (?!steam|coin|point|candle|damage|card\b|turn|step|action)[^.,;]{3,40}"),
          said(r"まで|山札|ことができ|[てで]もよ|手札|払[いうっ]て", r"\bup to\b|\bmay\b|\bcan\b|\bhand\b|\bdeck\b|\bsupply\b|\bif\b"), follows=said(_IF_NONE + "|" + _SHORT, _IF_NONE_EN + "|" + _SHORT_EN), set_up=False),
    Shape("none-there",
          said(r"[^、。]{0,6}(?:前|まえ)の(?:ラウンド|手番|番|回|人|日|ターン|競り|勝負)[^、。]{0,14}", r"\b(?:previous|preceding|last|earlier) (?:turn|round|hand|trick|day|player|card|game)\b[^.,;]{0,24}|\bin the (?:hand|round|turn|day) before\b"),
          None, said(_IF_NONE + r"|最初|はじめ", _IF_NONE_EN + r"|\bfirst\b|\bsecond\b")),
    Shape("tie",
          said(rf"[^、。]{{0,12}}(?:(?:最も|もっとも|いちばん|一番|最[大小多少])(?![上下左右前後近])[^、。]{{0,20}}|{_MORE}い(?:ほう|方|隊長|者|人|プレイヤー|側)[^、。]{{0,14}})(?!.*(?:{_MORE}い|最も|いちばん|一番))", rf"(?:{_SUPERLATIVE}|\b(?:most|highest|fewest|lowest|more|greater|higher|larger) [^.,;]{{0,20}})(?!.*\b(?:most|highest|fewest|lowest|more|greater|higher|larger)\b)"),
          said(rf"{to.DIGITS}\s*{_UNIT}?より|目指|最初", r"\b(?:no|not|or) (?:more|greater|higher|larger)|more than\b|once more|\bor more\b|at most|(?:equal to|or) (?:or )?(?:greater|more)|\bany more|\bno more|not have more|\brecent"),
          None, said(r"同じ|おなじ|同点|同数|並(?:んだ|べば|ぶ)|等し|引き?分け|どちらでも|全員|みんな", r"\bequal|\bthe same\b|\bties?\b|\btied\b|\bshare|\blevel\b|\btwo or more\b|\bseveral\b|\balike\b|\bdraw\b|\bdrawn\b|\breroll|can['’]t tell")),
    Shape("without-end",
          said(r"[^、。]{0,14}(?:繰り返|くりかえ|くり返|(?<!を)続け(?:る|ます|て)|つづけ|また(?:めく|振|引|同じ)|もう一度(?:振|行|引)|(?:て|で)いき(?:ます|、)|(?:て|で)いく(?=。)|以下同様|順々に)[^、。]{0,12}", r"\b(?:and so (?:on|forth|it goes|it carries on)|over again|again and again|once more|(?:go(?:es)?|starts?|begins?) (?:round |over |all )*again|do it (?:all )?again|repeat(?:s|ed)?|carr(?:y|ies) on(?! with)|keeps? (?:on\b|\w+ing)|goes on|and then again|likewise|thus it \w+)\b[^.;]{0,30}"),
          said(r"まで|ない(?:かぎり|限り)|回数|[0-9０-９一二三四五六七八九]\s*[回周]|[0-9０-９]日|隣|となり|たら(?:終|やめ)|終わ(?:る|り)|おしまい", r"\buntil\b|\btill\b|\btimes\b|\bas (?:long|often) as\b|\bwhile\b|\bfor ?ever\b|\bonly once\b"),
          said(r"なくなるまで|できなくな|おしまい", r"\buntil\b|\btill\b|\bat most\b|\b(?:stops?|ends?) when\b")),
    Shape("without-end",
          said(r"[^、。]{0,14}(?:[1一]\s*手ずつ|交互に|順番に)[^。]*(?:見送|パス|下ろ|降り|やめ)[^、。]{0,8}", r"\b(?:tak(?:e|es|ing) turns|alternat\w+|in turn)\b[^.]*\b(?:pass|declin\w*|drop out|stand)\b[^.,;]{0,20}"),
          None, follows=said(r"終わ|おわ|まで|続けて", r"\bends?\b|\bover\b|\buntil\b|\bin succession\b|\ball (?:have|of)\b|\bboth (?:have|pass)\b|\bin a row\b")),
    Shape("below-zero",
          said(r"[^、。]{0,16}(?:を引いた数|減(?:る|り|ら|じ)|へ(?:る|ら(?!ず))|マイナス|低く|弱く|少な(?:く|い)|下(?:が|げ)|差し引)[^、。]{0,10}", r"\b(?:subtract|take[sn]? (?:\w+ ){0,3}off|knock(?:s|ed)? (?:down|off)|lower(?:s|ed)?|reduc(?:e|es|ed)|minus|less|fewer|drops?|falls? by|loses? (?:\w+ ){0,2}points?)\b[^.,;]{0,40}"),
          said(rf"[0-9０-９一二三四五六七八九]+\s*{to.UNIT}(?:減|へ)|より", r"\b(?:less|fewer|more) than\b|\b(?:no|not) (?:less|fewer|more)\b"),
          said(r"0|０|零|ゼロ|下限|最低|下回|マイナスに", r"\bzero\b|\b0\b|\bminimum\b|\bbelow\b|\bnever (?:less|below)|\bnegative\b|\bleast\b")),
    Shape("below-zero",
          said(r"[^、。]{0,12}(?:標|コマ|計|メーター|目盛|トラック)で(?:示|表|数え|管理)[^、。]{0,6}", r"\b(?:tracked|marked|kept|counted|shown) (?:\w+ )?on\b[^.,;]{0,30}|\b(?:gauge|meter|track) (?:is|holds|goes|runs)\b[^.,;]{0,20}"),
          None, said(r"[0０零]|ゼロ|マイナス|負", r"\bzero\b|\b0\b|\bnegative\b|\bempty\b")),
    Shape("cost-in-part",
          said(rf"[^、。]{{0,10}}(?:{_PIECES}|{to.DIGITS})[^、。]{{0,6}}(?:および|及び|と)[^、。]{{0,14}}(?:{_PIECES}|{to.DIGITS})[^、。]{{0,10}}(?:払|はら|返|捨|渡|減ら|差し出|納め|捧げ|手放)[^、。]{{0,6}}|(?:払|はら)(?:い|って)、?[^、。]{{0,20}}(?:捨|返|戻|捧げ|横に|差し出|手放|置)[^、。]{{0,6}}|[^、。]{{0,8}}(?:代|費用|コスト|代価)(?:のほかに|に加えて?)[^。]{{0,30}}|(?:費用|コスト)には[^。]{{0,24}}含[^、。]{{0,4}}|(?:代金|費用|コスト|代価)は[^。]{{0,20}}(?:および|及び|と)[^、。]{{0,16}}",
               rf"\b(?:pays?|paying|takes?|requires?|needs?|gives? up|giving up|spends?|returns?|costs?|surrenders?|hands? over|strips?|discards?)\b [^.;]{{0,40}}(?:\band|\bplus|\bas well as|\bin addition|\btogether with)\b (?:\w+ing |(?:discards?|exhausts?|sacrifices?|spends?|gives?|returns?|removes?|pays?|loses?) )?(?:{to.NUMBER_EN}|an?|every|its|the same)\b(?! card on)[^.;]{{0,40}}|\bcosts?,? (?:beyond|besides|in addition to|on top of) [^.;]{{0,40}}|\b(?:cost|price) is [^.;]{{0,40}}\b(?:and|plus|together with)\b[^.;]{{0,20}}|\b(?:{to.NUMBER_EN}|an?) [a-z]+[^.,;]{{0,24}}\b(?:plus|together with|as well as)\b (?:{to.NUMBER_EN}|an?) [a-z]+"),
          said(r"できない|払えな|なければ(?!な)|ことができ|てもよ", r"\bcannot\b|\bwithout\b|\bunless\b|\bmay\b"), said(r"払えな|足りな|全部を払|すべて(?:を)?払|全額", r"\bin full\b|\bcannot\b|\bcan['’]t\b|\ball of it\b|\bor neither")),
    Shape("seen-by-whom",
          said(r"[^、。]{0,16}(?:(?<!数を)(?:確かめ|たしかめ|調べ)(?:る|ます|て)|(?:見|のぞ|覗)(?:る|き|く|ます)(?!こと))[^、。]{0,8}", r"\b(?:looks? at|peeks?|turns? (?:it|them)[^.,;]{0,10} ?face[- ]up)\b[^.;]{0,40}"),
          said(r"終わ|条件|勝敗|おしまい|ごとに|たびに|のみが|だけが|同じとき|いつでも|てはならない|られません|何人も|手番", rf"{_KNOWN_EN}|\bmay look\b|\bnobody\b|\bany time\b|\bmay not\b|\bwithout showing\b"), said(_KNOWN)),
    Shape("seen-by-whom",
          said(r"[^、。]{0,12}(?:めく(?:る|り|ります)|表(?:向き)?に(?:する|し(?!た)|します)|(?:山札|束|デッキ|山)(?:から|の中から)[^。引]{0,20}(?:探|さが|選))[^、。]{0,8}", r"\b(?:search\w*|look\w* through|finds? (?:an?|the|one|up)|from (?:\w+ )?hand (?:under|beneath|beside|below|behind))\b[^.;]{0,40}"),
          said(r"何人も", r"\bnobody\b|\bmay not\b"), said(_KNOWN, _KNOWN_EN)),
    Shape("order-at-once",
          said(rf"[^、。]{{0,8}}(?:{_TOGETHER})[^。]{{0,40}}?(?:選|えら|もら|取|と[るり]|引|働|はたら|めく|動|払|渡|移|できる|できます|決め)[^、。]{{0,8}}",
               rf"\b{to.TOGETHER_EN}\b(?<!together)[^.;]{{0,20}}|" + r"\b(?:each|every|all|both|everyone|everybody)\b (?!of (?:his|her|their|your)|ready|heeled)[^.;]{0,40}\b(?:may|passe?s|takes?|chooses?|picks?|names?|decides?|bids?|swaps?|gives?|selected|swept|rolls?)\b[^.,;]{0,30}"),
          said(r"ごとに|につき|全部|すべての?(?:札|カード)", r"\bone of\b|\bnot\b|\bfor each\b"),
          said(r"順(?:に|番|で)?|時計回り|まわり|から(?:先|始|一人)|先に|次に(?:相手|左)|同時|一斉|いっせい|いつでも", r"\border\b|\bclockwise\b|\bfirst\b|\bin turn\b|\bstarting\b|\bbeginning with\b|\bthen the\b|\blast\b|\bsecretly\b|\bfrom (?:the|left|low|top)\b|\bsame time\b|\bat once\b|\bany time\b"), set_up=True),
    Shape("order-at-once",
          said("", r"\b(?:contest|resolve|examine|check|process|carry out|handle|score|do)s? (?:each|every|all)\b[^.;]{0,30}"),
          said("", r"\border\b|\bfirst\b|\bfrom\b|\bat once\b|\bsame time\b|\bone (?:by|after)\b|\bturn\b")),
    Shape("pile-empty-too",
          said(r"[^、。]{0,12}(?:切れ|尽き|なくな|無くな|空(?:になっ|の))[^。]{0,30}(?:まぜ|混ぜ|シャッフル|切[っり]|裏返)[^、。]{0,10}", r"\b(?:runs? (?:out|dry)|empty|exhausted|used up)\b[^.;]{0,50}\b(?:shuffl\w+|turn\w*|flip\w*|recycl\w*)\b[^.,;]{0,30}"),
          None, follows=said(r"それでも|なお|どちらも|両方|無いときは|もなければ|もない", r"\bstill\b|\beven (?:then|so)\b|\bboth\b|\btoo\b|\balso\b|\bneither\b|\bno (?:cards|more)\b")),
    Shape("both-win",
          said(r"[^、。]{0,20}(?:勝ち(?!札)|勝つ|勝利|かち|負け|敗れ|敗北)(?!た|を数|点)[^、。]{0,10}", r"\b(?:wins?|won|lost|loses?|victor|defeated)\b[^.,;]{0,30}"),
          said(r"トリック|勝負に|じゃんけん|競り", r"\btricks?\b|\bfight|\bbattle|\bround\b|\bhand\b(?! (?:running|in a row))|\bduel"),
          said(r"2人以上|二人以上|何人|なんにん|引き?分け|同時に(?:勝|負|満|達)|みんなの(?:勝|かち)|分け合|並んだ", r"\b(?:a|is|are) drawn?\b|\bboth (?:win|lose|reach)|\btwo or more\b|\bmore than one\b|\btied?\b|\bties\b|\bshare[sd]?\b|\bneither\b")),
    Shape("limit-then-what",
          said(rf"[^、。]{{0,14}}{to.DIGITS}\s*(?:{_UNIT}|分|秒|度|粒)?\s*(?:まで(?!に|待|進|繰|続)(?:です|とし|とする|しか|の|。|で)|を(?:超え|こえ|上限|限度)(?:ない|ては)|を限)[^、。]{{0,16}}|[^、。]{{0,14}}(?:上限|限度)(?:は[^、。]{{0,12}}|です|とする)|手札は[^、。]{{0,6}}まで",
               rf"\b(?:must(?:n[’']t| not| never)?[^.;]{{0,20}}(?:above|beyond|over|exceed|more than)|(?:never|may not|cannot|can['’]t|no \w+ (?:may|can|has|have|holds?|bears?)) (?:\w+ ){{0,2}}more (?:\w+ )?than|at most(?! \w+ times)|a maximum of|limit(?:ed)? (?:of|to)|cannot exceed|no more than(?! twice| once| \w+ times)|(?:holds?|bears?|carr(?:y|ies)|seats?|fits?|takes) (?:up to )?{to.NUMBER_EN} [A-Za-z]+(?=[.;]|$)|(?:marked|runs?|goes|numbered|ranges?) from \w+ to|\b(?:minutes?|seconds?)\b)[^.;]{{0,40}}"),
          said(r"選|えら|できる|てよい|引|デッキ|束は", r"\bdeck (?:consists|has|is)|\bif\b|\bup to (?:a|the)\b"),
          said(r"超え(?:た|る|て)|こえ(?:た|る|て)|あふれ|余(?:り|っ)|はみ出|失格|負け|捨て|反則|戻す|戻し|いっぱい|より多い|上回|失われ|置けな|出せな|使えな", r"\bexcess\b|\bsurplus\b|\bforfeit|\b(?:beyond|above|past|over) (?:that|this|it|\w+ )|\bdiscard|\bloses?\b|\breturned\b|\bpenalty\b|\blost\b|\botherwise\b|\bthe rest\b|\bif (?:it|they|a player|you) (?:do|does|is|are|would)\b|\ba (?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|further)\b|\bfull\b|\bcannot be\b|\binstead\b")),
    Shape("impossible",
          said(rf"[^、。]{{0,24}}(?:{to.MUST}|[てで]は(?:ならない|なりません|いけない|いけません)|なければいけ|なきゃ|必ず[^、。]{{0,20}}|かならず[^、。]{{0,20}})[^、。]{{0,4}}", rf"\b(?:{to.MUST_EN}|shall|has? to) (?!not\b|never\b|be\b|no\b)[^.,;]{{3,50}}"),
          said(r"とき|場合|準備", r"\bnot\b|\bnever\b|\bbefore\b"),
          said(r"(?:でき|出来|出せ|置け|払え|いけ|進め|動け)な(?!ければ)|できなければ|なければ(?!な[らり]|いけ)|いなけれ|ない(?:とき|場合|なら)", _IF_NONE_EN)),
    Shape("impossible",
          said(r"[^、。]{0,10}(?:[1-9１-９一二三]\s*(?:層|段|マス|歩|つ|目|列|軒)[^、。]{0,8}(?:深|浅|上|下|前|後|左|右|進|動|戻|もど|退|すす)[^。]{0,8}|(?:隣|となり|左どなり|右どなり|一つ(?:上|下|前|後))の[^、。]{0,8}[へに][^、。]{0,4}(?:移|動|置|渡|押)[^、。]{0,4}|[^、。]{0,8}入れ(?:替え|かえ|換え)[^、。]{0,4})",
               r"\b(?:moves?|drops?|rises?|goes|shifts?|advances?|falls?|climbs?|slides?|pushe?[sd]?|moved|shifted)\b[^.,;]{0,30}\b(?:below|above|next|adjacent|up|down|forwards?|backwards?|left|right|lower|higher|deeper|(?:one|two|three) (?:space|band|level|step|row)s?)\b[^.,;]{0,20}|\b(?:swaps?|exchanges?|switch(?:es)?)\b[^.;]{0,40}"),
          said(r"こと(?:が|も)でき|[てで]もよ|いずれか|左どなりへ渡", r"\bmay\b|\bcan\b|\bface\b|\bleft to right\b|\blantern\b"),
          said(_IF_NONE + r"|より(?:深|浅|上|下)|端",
               _IF_NONE_EN + r"|\bstays?\b|\bedge\b|\balready\b|\bif there is\b"), set_up=False),
    Shape("impossible", said("", r"\ban? \w+ you choose [^.]*\ban? \w+ you choose\b"), None, said("", r"\b(?:no|none|cannot|can['’]t)\b.*\b(?:no|none|cannot|can['’]t)\b")),
    Shape("counted-when",
          said(r"[^、。]{0,14}(?:の(?:枚数|数|差|合計|個数|点数)[^、。]{0,12}|(?:より|も)[^、。]{0,6}(?:多い|少ない)(?:人|ひと|プレイヤー|者)[^、。]{0,10}|(?:1|１|一)\s*(?:枚|個|体|つ|人|点)(?:につき|ごとに)[^、。]{0,16}|と同じ(?:数|枚数|だけ)[^、。]{0,10}|(?<!自)(?<!の)分だけ[^、。]{0,12})", r"\b(?:equal to (?!or)|(?:\d+|one|two|three)\b [^.;]{0,60}\bfor (?:each|every)|for (?:each|every) [^.;]{0,50}, [^.;]{0,30}\b(?:draws?|gains?|loses?|takes?|pays?|deals?|scores?)|as many [^.;]{0,40} as|the number of|the difference|twice the|per (?:card|piece|point)|plus the|who (?:has|have|holds?) (?:more|fewer|less))\b[^.;]{0,40}"),
          said(r"得点|数え(?:る|ます)とき|準備|勝|超え|より多い|より少な|足りな|引けな|回を限|尋ね|聞かれ|複数", r"\bor greater|\btimes in\b|\bhas \+|\bonce for\b|\bmore than twice\b|\bwins?\b|\bopen to\b|\bcannot\b|\bnumber of cards in\b|\bscor(?:e|ing)\b|\bset-?up\b"),
          said(r"数え|時点|決めた時|その時の|数えなおさ|変わっても|後から|置いた後|数えた", r"\bat (?:that|the) (?:moment|time)\b|\bas (?:it|they) (?:last )?(?:begins?|stands?|is|are|was|were)\b|\bcount\b|\bcounted (?:once|when|before|after|as)|\bfixed\b|\bis settled\b")),
    Shape("who-is-meant",
          said(rf"[^、。]{{0,4}}(?:当該の|該当する)[^、。]{{1,6}}[はがの][^、。]{{0,10}}|(?=[^。]*(?:{_PEOPLE})[^。]*(?:{_PEOPLE}))[^。]*?[^、。]{{0,8}}(?:自分|じぶん|自ら|自身|自軍|その(?:人|ひと|者|プレイヤー))[^、。]{{0,14}}|(?:相手|となり|隣|(?<![のし])(?:人|者|ひと))(?:の(?:人|ひと|プレイヤー))?[はがに][^。]{{0,16}}(?:自分|じぶん|自ら|自身)の[^、。]{{1,10}}",
               rf"(?=[^.]*{_PEOPLE_EN}[^.]*{_PEOPLE_EN})[^.]*?\b(?:he|she|they|his|her|their|him|them|your)\b[^.,;]{{0,24}}|(?=[^.]*\b(?:an?|the|each|another) \w+ (?:who|whose|may|must|in whose))[^.]*\byour? [^.,;]{{0,24}}"),
          said(r"それぞれ|各自|各プレイヤー|双方|お互い", r"\beach\b|\bboth\b|\bevery\b")),
    Shape("who-chooses",
          said(rf"[^、。]{{0,16}}(?:[一1１二三2-5]\s*(?:枚|体|つ|人|隻|個|匹)|ひと[つり]|ふた[つり])(?:を|、)?(?![^、。]*(?:引|めく|選|見))[^、。はがを]{{0,12}}[にへ][^、。]{{0,4}}(?:置|移|戻|もど|捨|返|送|渡|加え|入れ)[^、。]{{0,6}}|[一-龠ァ-ヴー]が(?:{_PIECES}|ひと[つり])(?:ずつ)?、[^。]{{0,24}}[へに][^、。]{{0,8}}(?:引っ越|移|動|れま?す|戻|入)[^、。]{{0,4}}|(?:一方|どちらか|片方|だれか|誰か)(?:一人|ひとり)?[をがは][^、。]{{0,10}}(?:先手|先攻|先番|親|最初|始め)[^、。]{{0,8}}",
               r"\b(?:loses?|discards?|sends?|returns?|sacrifices?|destroys?|sinks?|gives?(?: up)?|moves?|puts?|exhausts?) (?:one|two|three|an?|any) (?!steam|coin|point|candle|damage|turn|step)[^.,;]{3,40}|\b[A-Z]?[a-z]+ [^.,;]{0,20}\bare (?:put|sent|moved|returned|discarded|removed|lost|destroyed) [^.;]{0,20}\buntil\b[^.,;]{0,20}|(?<=[:,] )(?-i:an?|one) [^.,;]{3,50} (?:is|are) (?!called|treated)\w+(?:ed|en|wn|t)\b[^.,;]{0,20}|\bone (?:player|side|of (?:you|them|the players)) (?:goes|plays|starts|begins|takes|is|becomes)\b[^.,;]{0,20}"),
          said(r"選|えら|自ら|好き|上から|上の|いちばん|一番|最も|無作為|じゃんけん|山札|束から|山から|残り|手札から|使った|含む|みんな|あなたの|あなたは", r"\bfrom your\b|\bon any\b|\bchoos|\bchoice\b|\bchosen\b|\bpicks?\b|\bpicked\b|\bnam(?:es?|ed)\b|\btop\b|\bbottom\b(?! of)|\brandom|\blast\b|\bsupply\b|\bmay (?!not)|\bleast\b|\bmost\b|\bhighest\b|\blowest\b|\bany number\b|\bfor each\b")),
    Shape("who-chooses",
          said(rf"[^、。]{{0,16}}(?:{_PIECES}|どれか|いずれか|どちらか)[^、。]{{0,14}}(?:[かさたなまらがばわ]れ|え?らば?れ|られ)(?:る|て|、|ます|た(?:もの|駒|カード))[^、。]{{0,8}}", rf"\b(?:{to.NUMBER_EN}|another)\b (?:of (?:the |those |these )?)?[^.,;]{{1,40}}?\b(?!(?:is|are|gets?) (?:called|played|used|worth|drawn|dealt|needed|counted|scored))(?:{to.DONE_TO_EN}|be \w+ed)\b[^.,;]{{0,20}}|\b(?:an?|any) [^.,;]{{1,30}}\b(?:is|are) (?:chosen|selected|picked|taken)\b"),
          said(r"まで|上から|いちばん|一番|最も|者(?:が|に)|プレイヤー(?:が|に)|持ち主が|人が", r"\bby\b|\btop\b|\bbottom\b|\brandom|\bowner\b|\bof (?:your|their|his|her) choice\b|\beach\b|\bevery\b|\bwhichever\b")),
    Shape("who-chooses",
          said(rf"[^、。]{{0,16}}(?:うち|なか|中|どれか|いずれか)[^、。はが]{{0,10}}(?:{_PIECES})?(?:を|だけ)?(?:選[びぶん]|えら[びぶん]|決め)[^、。]{{0,6}}"),
          said(r"[はが][^。]*(?:選[びぶん]|えら[びぶん]|決め)")),
    Shape("immediately-or-check",
          said(rf"[^、。]{{0,16}}(?:{to.AT_ONCE}|すぐに?(?!前|まえ)|その(?:瞬間|場で))[^、。]{{0,16}}", rf"\b{to.AT_ONCE_EN}\b[^.,;]{{0,40}}"),
          said("", r"\b(?:two|three|several|more than one|all|both|many)\b[^.;]{0,40}\bat once\b")),
    Shape("rounding",
          said(r"[^、。]{0,12}(?:半分|半数|はんぶん|分の[一1１]|で割|平均|等分|山分け)[^、。]{0,12}", r"\b(?:half|halve[sd]?|third of|quarter of|divided? (?:by|equally|evenly|among)|split|average|shared? (?:equally|out))\b[^.,;]{0,30}"),
          said(r"半分に折|時間", r"\bhalf an? (?:hour|minute)|\bhalf-?way"), said(r"切り|端数|余り|あまり|割り切れ", r"\bround|\bremainder|\bodd\b|\bfraction|\bleft over")),
    Shape("how-long",
          said(r"[^、。]{0,16}(?:[0-9０-９一二三四五]+\s*(?:点|だけ)?(?:上が|高く|大きく|強く|増え|ふえ)|無視する|扱う|になる|とみなす|できなくなる)[^、。]{0,8}", r"\b(?:gains?|gets?|becomes?|has|costs?|is) [^.;]{0,20}\b(?:\+\d|more|less|stronger|weaker|immune|faster|slower|higher|lower)\b[^.,;]{0,20}"),
          said(r"まで|あいだ|間|限り|かぎり|この手番|その(?:移動|攻撃|番)|とき|今回", r"\buntil|\bfor (?:the|this|that)\b|\bthis\b|\bwhile\b|\bas long\b|\bduring\b|\bpermanent|\bnext\b|\bonce\b|\bwhen\b|\bif\b"),
          said(r"まで|あいだ|限り", r"\buntil\b|\bas long as\b|\bwhile\b|\brest of\b")),
    Shape("said-twice", said(r"(?:つまり|すなわち|要するに|言い(?:かえ|換え)(?:れば|ると)|したがって|ということは|これは[^。]{0,20}ためで)[^。]{0,40}", r"\b(?:in other words|that is to say|which is to say|therefore|bear in mind|this means|so it (?:can|is|does)|to put it|thus|hence|in short)\b[^.]{0,40}")),
)

FAMILIES = (
    Family(
        "none-there",
        Stake.NUMBER,
        Text(ja="当てはまるものがないとき", en="nothing of the kind is there"),
        Text(
            ja="「{phrase}」: 当てはまるものが一つもないときは、どうなりますか。",
            en="“{phrase}”: what if there is none at all?",
        ),
        Text(
            ja="「最も高い」「前の番の」は、初めの番や空の場では何も指しません。",
            en="“The highest” and “the last” name nothing in the first turn, or on an empty table.",
        ),
        Text(
            ja="なければ何も起こらない、または別の決め方をする、と添えます。",
            en="Nothing happens then, or it is decided in another way.",
        ),
        (
            ja("最も戦力の高い札を横にします。", "最も戦力の高い札を横にします。札がなければ何も起こりません。"),
            en(
                "Turn the strongest card on the table.",
                "Turn the strongest card on the table. If there is none, nothing happens.",
            ),
        ),
    ),
)
"""Those that are asked for nothing but the shape of sentences."""


# ---------------------------------------------------------------- of a whole draft
def by_shape(page: Page, families: Sequence[Family]) -> dict[str, list[Raised]]:
    """What the sentences of a draft may leave open, by family: once in a clause. It is not asked where a clause answers the family for the
    whole draft; if that speaks of what is written on cards, not where this is written on cards."""
    found: dict[str, dict[tuple[int, str], Raised]] = {}
    told = {one.id: page.tells(one.general, keywords=one.stake is not Stake.NUMBER)
            for one in families if one.general is not None}

    def add(family: str, raised: Raised, settled: bool = True) -> None:
        answer = told.get(family) if settled else None
        if not answer and (answer is None or not page.of_card(raised.clause)):
            found.setdefault(family, {}).setdefault(raised.where(page), raised)

    for family, raised in (*topics(page), *results(page)):
        add(family, raised, settled=False)
    for family, raised in structure(page):
        add(family, raised)
    texts = [*page.flat, (page.flat[-1][0], "")]
    around = {id(clause): (text, _STOP.split(texts[k + 1][1], maxsplit=1)[0])
              for k, (clause, text) in enumerate(page.flat)}
    for one in page.sentences:
        set_up = page.under(one.clause, _SET_UP)
        for shape in SHAPES:
            match = None if set_up and not shape.set_up else shape.open_at(one, *around[id(one.clause)])
            if match is not None:
                span = shape.raised.search(one.text, one.tongue)  # a text in kana may have blanks between its words
                add(shape.family, at(one, *((0, len(one.text)) if span is None else span.span()), ""))
    return {family: [*places.values()] for family, places in found.items()}


_STOP = re.compile(r"[。.?!]")
_SET_UP = said(r"準備|はじめる前|始める前|構築|ゲームの開始", r"\bstart(?:ing)? the game|\bset-?up\b|\bprepar|\bbefore (?:the|play)|\bgetting ready")
