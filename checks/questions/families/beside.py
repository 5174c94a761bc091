"""What is found by looking at sentences beside each other: two clauses of one thing, branches without the other, things that moved."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from ..page import Page, Sentence, Tongue, flat, said
from ..record import Raised, at, plain
from . import language as to


# ---------------------------------------------------------------- two clauses beside each other
def beside_a_check(page: Page) -> Iterator[Raised]:
    """“Immediately”, in a draft that has a time at which such things are looked at."""
    check = page.says(_CHECK)
    for one in page.sentences if check is not None else ():
        match = None if _CONCEDES.search(one.text) else _AT_ONCE.search(one.text, one.tongue)
        if match and one.clause is not check and not _CHECK.search(one.text, one.tongue):
            yield at(one, match.start(), match.end(), "", check)


_CHECK = said(r"チェックタイミング|ルール処理|ルールチェック|状況確認|状況起因|ルールエフェクト|状態(?:チェック|確認)|(?:確かめ|確認す|調べ|数え|判定す|見)る(?:の)?は[^。]{0,20}(?:だけ|のみ|きり|限)|(?:終わり|終了時|始め|開始時)に(?:だけ|のみ|限り|一度だけ)[^。]{0,20}(?:確|調べ|数え|判定)|とき(?:に)?(?:だけ|のみ|一度だけ|限り)(?:確|調べ|数え|判定)|(?:判定|確認|計算|比較|点検)[はを][^。]{0,16}(?:だけ|のみ|限)",
              r"check timing|state[- ]based|rule (?:action|processing)|game state check|rules? check|at no other (?:time|moment|point)|\band not (?:before|earlier|in between|otherwise)\b|\b(?:checked|read|counted|looked at|determined|assessed|judged|tallied) (?:only|solely)\b|\bonly (?:then|at that (?:time|moment|point)|ever)? ?(?:checked|read|counted|looked at|assessed|judged|tallied)\b")
_CONCEDES = re.compile(r"投了|ゲーム[はが]|bonus|concede|\bgame ends|ends the game", re.IGNORECASE)
_AT_ONCE = said(rf"{to.AT_ONCE}、?[^。]{{0,16}}?(?:敗北|負け|勝利|勝ち|終了|終わ|解決|発動|処理|行|失格|脱落|破壊|捨て|置[きくか]|墓地|取り除|沈|消え|倒れ|割れ|壊れ)[^、。]{{0,8}}", rf"\b(?:goes|go|is|are|\w+s)\b [^.,;]{{0,24}}?\b{to.AT_ONCE_EN}\b[^.,;]{{0,12}}|\b(?:at once|right away|straight ?away|instantly|there and then|on the spot|forthwith)\b[^.,;]{{0,24}}|" + r"\bimmediately (?:lose|win|end|is (?:discarded|destroyed|removed)|resolve|shuffle|discard|put|move)\w*\b[^.,;]{0,20}|\b(?:loses?|wins?|ends?)\b[^.,;]{0,12}\bimmediately\b")


_TOO_COMMON = frozenset(
    {"be", "hav", "do", "us", "play", "mak", "tak", "相手", "自分", "場合", "プレイヤー", "player", "card", "カード", "the", "and",
     "any", "may", "not", "never", "must", "can", "one", "even", "with", "that", "their", "for", "are", "who", "has",
     "its", "this", "from"}
)


def _things(text: str) -> set[str]:
    """What a sentence is about: its nouns and verbs, without plurals."""
    return {re.sub(r"(?<=[a-z]{2}[xsh])es$|s$", "", word.casefold())
            for word in re.findall(r"[一-龠々]+|[ァ-ヴー]{2,}|[A-Za-z]{3,}", text)} - _TOO_COMMON


_POINTS = re.compile(r"^(?:この|これ|その|それ|また|なお|図|This\b|These\b|It\b|If\b|See\b)|とは", re.IGNORECASE)
_CONTENT = re.compile(r"[一-龠々]+|[ァ-ヴー]{2,}|[A-Za-z]{4,}")
_OUTCOME = re.compile(r"勝|敗|負け|ゲームは終|上限|\bwins?\b|\bloses?\b|\bgame ends|\bup to\b|\bat most\b|\blimit\b", re.IGNORECASE)


def said_twice(page: Page) -> Iterator[Raised]:
    """Two sentences of two sections with the same words of content one after the other, about the result or a limit,
    in two wordings."""
    by_words: dict[tuple[str, ...], list[Sentence]] = defaultdict(list)
    for one in page.sentences:
        if 12 <= len(one.text) <= 160 and not _POINTS.search(one.text) and not one.text.rstrip().endswith((":", "：")):
            words = tuple(
                w for word in _CONTENT.findall(one.text) if (w := word.casefold().removesuffix("s")) not in _SMALL
            )
            if len(words) >= 4:
                by_words[words].append(one)
    for alike in by_words.values():
        one = alike[0]
        for two in alike[1:]:
            if (two.clause is not one.clause
                and (one.clause.parent is None or two.clause.parent is not one.clause.parent)
                and _OUTCOME.search(one.text) and _parts(one.text, two.text)):
                yield at(one, 0, len(one.text), plain(one.text), two.clause)
                break


def limit_said_twice(page: Page) -> Iterator[Raised]:
    """Two clauses that both say what becomes of what is too much, with the same number in the same place."""
    told: list[tuple[Sentence, frozenset[str], frozenset[str]]] = []
    for one in page.sentences:
        match = _TOO_MUCH.search(one.text) if _GOES.search(one.text) else None
        numbers = frozenset(_ORDINALS.get(word) or word
                            for word in re.findall(r"[0-9]+|[a-z]+|[一二三四五六七八九十]+", one.text.lower())
                            if _A_NUMBER.fullmatch(word))
        if match is None or not numbers:
            continue
        words = frozenset(_things(one.text) - _SMALL - numbers)
        before = next((two for two, its, around in told
                       if two.clause is not one.clause and its & numbers and len(around & words) > 1),
                      None)
        if before is not None:
            yield at(one, match.start(), match.end(), plain(match[0]), before.clause)
        told.append((one, numbers, words))


_CASE = said(r"^(?P<case>[^、。]{2,40}(?:(?:とき|時|場合)(?:は|に|には)?|なら(?:ば)?|であれば|たら|れば))、(?P<then>[^。]+)",
             r"^(?P<case>(?:If|When|Where|With|In case of|On) [^,.;]{4,70}), (?P<then>[^.]+)")
_RESULT = said(r"勝(?!負|敗)|優勝|敗北|負け|引き?分け", r"\bwins?\b|\bwinner\b|\bloses?\b|\bdraw\b|\btie\b")
_GOES_ON = said(r"それで?も|さらに|なお|次に|続け|ただし|その(?:うち|中)", r"\bstill\b|\btoo\b|\balso\b|\bthen\b|\bthat\b|\bnext\b|\bbut\b|\bexcept")


def two_results(page: Page) -> Iterator[Raised]:
    """Two clauses that begin with the same case, in the same words, and give it different results."""
    told: dict[str, tuple[Sentence, str]] = {}
    for one in page.sentences:
        match = _CASE.search(one.flat, one.tongue)
        if match is None or not _RESULT.search(match["then"], one.tongue) or _GOES_ON.search(one.flat, one.tongue):
            continue
        then = plain(match["then"])
        two, before = told.setdefault(re.sub(r"[にはば]+$", "", plain(match["case"])), (one, then))
        if two.clause is not one.clause and then not in before and before not in then:
            yield at(one, 0, len(one.text.rstrip("。. ")), plain(match["case"]), two.clause)


_TOO_MUCH = re.compile(rf"{to.DIGITS}\s*{to.UNIT}?(?:を超え|より多|以上(?:にな|ある|いる|持)|目(?:の|から|以降))[^、。]{{0,12}}|\b(?:more than|beyond|over|in excess of|above) {to.NUMBER_EN}\b[^.,;]{{0,16}}|\b{to.NUMBER_EN} or more\b[^.,;]{{0,16}}|\ban? (?:fourth|fifth|sixth|seventh|eighth|ninth|tenth) [^.,;]{{1,16}}|\broom for\b[^.,;]{{0,24}}", re.IGNORECASE)
_GOES = re.compile(rf"捨て|戻[しすさ]|墓|置[きくか]|除[かきく]|\b(?:{to.words('put discard return trash bury land go send mill compost')})\b", re.IGNORECASE)
_A_NUMBER = re.compile(r"[4-9]|[1-9][0-9]+|[四五六七八九十]+|(?:four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)|(?:four|fif|six|seven|eigh|nin|ten)th", re.IGNORECASE)
_ORDINALS = {"fourth": "four", "fifth": "five", "sixth": "six", "seventh": "seven", "eighth": "eight", "ninth": "nine",
             "tenth": "ten"}


def all_said_twice(page: Page) -> Iterator[Raised]:
    """In the same words one after the other, or with one limit."""
    yield from said_twice(page)
    yield from limit_said_twice(page)


_SMALL = frozenset(
    {"must", "should", "three", "four", "five", "seven", "eight", "nine", "their", "with", "that", "this"}
)


def _parts(one: str, two: str) -> bool:
    return plain(one).rstrip("。.") not in plain(two) and plain(two).rstrip("。.") not in plain(one)


_DEFINES_JA = re.compile(r"^[「『‘“【]?(?P<verb>[一-龠ぁ-んァ-ヶー]{2,8}?)(?:こと)?[」』’”】]?(?:とは|は|：|:)[^。]{0,30}?(?P<zone>山札|デッキ|手札|場|墓地|捨て札|トラッシュ|控え室?)(?:の[^。から]{0,8})?(?:から|の(?:札|カード)を)[^。]{0,30}(?:こと|意味|指)")
_VERBS_EN = "discard|draw|play|summon|destroy|banish|return|reveal|mill|salvage|recall"
_DEFINES_EN = re.compile(rf"(?:^to |^[“\"]?)(?P<verb>{_VERBS_EN})[”\"]? (?:means|is to|is)\b[^.]{{0,60}}\bfrom (?:your|the|their|a player's) (?P<zone>hand|deck|table|board|discard pile|field|battlefield)", re.IGNORECASE)


_SAYS = re.compile(r"という言葉|とは|ことです|なりません|ではな|扱[いう]|not (?:count|consider)", re.IGNORECASE)


def used_wider(page: Page) -> Iterator[Raised]:
    """A verb explained for one place, and used of another."""
    defined = [(one, match) for one in page.sentences
               if (match := (_DEFINES_JA if one.tongue == "ja" else _DEFINES_EN).search(one.text))]
    uses = {(one.tongue, stem): _use(one.tongue, stem) for one, match in defined for stem in [_stem(match)]}
    sizes = {len(stem) for _, stem in uses}
    used: dict[tuple[Tongue, str], list[tuple[Sentence, re.Match[str]]]] = defaultdict(list)
    """For each place the first two sentences that use a verb of it: one of them may be that which explains it."""
    for two in page.sentences if defined else ():
        told: set[str] = set()
        for stem, at_ in _words(two, sizes) if not _SAYS.search(two.text) else ():
            use = uses.get((two.tongue, stem)) if stem not in told else None
            found = use.search(two.text, max(0, at_ - _REACH), at_ + _REACH) if use is not None else None
            if found is not None:
                told.add(stem)
                kept = used[two.tongue, stem]
                if sum(other["zone"].lower() == found["zone"].lower() for _, other in kept) < 2:
                    kept.append((two, found))
    for one, match in defined:
        for two, found in used[one.tongue, _stem(match)]:
            if two is not one and found["zone"].lower() != match["zone"].lower():
                yield at(two, found.start(), found.end(), plain(match["verb"]), one.clause)
                break


_NOUN_JA = re.compile(r"[「『](?P<word>[^」』]{1,10})[」』]とは、?(?P<what>[^。]{2,60}?)(?:を?(?:いう|いいます|言[いう]|指[すし]|意味|呼[びぶ])|のこと)")
_NOUN_EN = re.compile(r"[“\"](?P<word>[a-z][a-z -]{2,20})[”\"] (?:means?|denotes?|is|refers? to|stands? for|describes?|signifies) (?P<what>[^.;]{6,100})", re.IGNORECASE)
_PLACE = re.compile(r"(?P<place>[一-龠ァ-ヶー]{1,6})(?:に(?:置|戻|加え)|へ(?:移|戻)|から)|\b(?:into|onto|out of|from) (?:(?:the|their|your|its|his|own|an?|either|any) |[a-z]+['’]s )+(?P<name>[a-z]{3,12})\b")
_USUAL = ("手札", "山札", "捨て場", "捨て札", "墓地", "墓所", "デッキ", "hand", "deck", "graveyard", "discard pile")
_SOMEWHERE = re.compile(r"[にで][^、。]{0,10}(?:いる|ある|てい|並|置か)|\b(?:in|on|at) (?:the|an?|your|their|its)\b")
_ONE_ONLY = re.compile(r"隣|一人|1人|次の|最も|一番|\b(?:the|next|left|only|one)\b")


def noun_used_wider(page: Page) -> Iterator[Raised]:
    """A noun explained for things in one place and used of another, or for one person and used of several."""
    defined = [(one, match) for one in page.sentences
               if (match := (_NOUN_JA if one.tongue == "ja" else _NOUN_EN).search(one.text))]
    places = ({match["place"] or match["name"] for one in page.sentences for match in _PLACE.finditer(one.text)}
              if defined else set())
    for one, match in defined:
        word, what = re.escape(match["word"]), match["what"]
        several = rf"{word}は?(?:、|の)?(?:全員|すべて|全て|みな|皆|それぞれ)|(?:各|すべての|全ての){word}|\b(?:all|each|every|both)(?: of)?(?: the)? {word}s?\b" if _ONE_ONLY.search(what) else "(?!)"
        here = "|".join(re.escape(place) for place in (*sorted(places), *_USUAL) if place not in what)
        of_place = rf"(?:{here})(?:の|から|にある|にいる)[^、。]{{0,8}}{word}|\b{word}s?\b[^.;]{{0,60}}\b(?:out of|from|in|on|at) (?:[\w'’]+ ){{0,3}}?(?:{here})\b" if here and _SOMEWHERE.search(what) else "(?!)"
        use = re.compile(f"{several}|{of_place}", re.IGNORECASE)
        for two in page.sentences:
            if two is not one and not _SAYS.search(two.text) and (found := use.search(two.text)) is not None:
                yield at(two, found.start(), found.end(), plain(word), one.clause)
                break


def all_used_wider(page: Page) -> Iterator[Raised]:
    """Verbs, and nouns."""
    yield from used_wider(page)
    yield from noun_used_wider(page)


_REACH = 120
"""Letters around a verb in which the place stands that it is used of."""


def _stem(defines: re.Match[str]) -> str:
    """The verb of a definition without its end in kana, in small letters."""
    verb = defines["verb"].lower()
    return verb[:-1] if "ぁ" <= verb[-1] <= "ん" else verb


def _use(tongue: Tongue, stem: str) -> re.Pattern[str]:
    """How a verb is used of a place."""
    if tongue == "ja":
        return re.compile(rf"(?P<zone>山札|デッキ|手札|場|墓地|捨て札|トラッシュ)(?:の上|の下)?(?:から|の)[^。、]{{0,14}}{re.escape(stem)}")
    return re.compile(rf"\b{stem}\w* [^.;,]{{0,40}}from (?:your|the|their|a player's) (?:top of (?:your|the|their) )?(?P<zone>hand|deck|table|board|discard pile|field|battlefield)", re.IGNORECASE)


def _words(one: Sentence, sizes: set[int]) -> Iterator[tuple[str, int]]:
    """What may be a verb in a sentence, and where: in Japanese any letters, so many."""
    if one.tongue == "en":
        return ((word[0].lower(), word.start()) for word in re.finditer(_VERBS_EN, one.text, re.IGNORECASE))
    return ((one.text[at_ : at_ + size], at_) for at_ in range(len(one.text)) for size in sizes)


# ---------------------------------------------------------------- the other branch
_DIE_JA = r"(?:賽|サイコロ|さいころ|ダイス|出目|出た目|目の合計|コイン|硬貨)"
_IF_JA = r"(?:が出(?:れば|たら|た(?:場合|とき|者|人))|なら(?!な)|であれば|だったら|の(?:場合|とき)|を出(?:せば|した))"
_ELSE_JA = r"以外|そうでな|さもな|でなけれ|でない|なければ|違|異な|ほかの|他の|何が出"
_BRANCHES_JA = tuple((re.compile(one), re.compile(other), re.compile("".join(beside))) for one, other, *beside in (
    (r"(?:判定|挑戦|行為|チェック|攻撃|防御|ロール)?[にが]?成功(?:すれば|(?:した|する|の)(?:場合|とき|時|なら)|したら)", r"失敗|成功しな|不成功"),
    (r"(?:見せ|言い|言う|宣言|選び)[^。]{0,20}(?:合っていれば|同じ(?:なら|であれば|だったら)|が(?:同じ|違う)(?:なら|場合))|(?:賽|さいころ|サイコロ|ダイス)を?[^。]{0,6}振[^。]{0,40}?(?:なら(?!な|び)|れば、|たら、|場合)|(?:見せ|明かし)[^。]{0,10}、[^。、はが]{0,6}が[^。、はが]{1,12}(?:なら|であれば|だったら)", rf"{_ELSE_JA}|どちらも|失敗|外れ|(?:なら|れば|たら|場合|とき).*(?:なら|れば|たら|場合|とき)"),
    (r"(?:振|投げ|転が)[^。]{0,30}?[がで]?出(?:れば|たら|た(?:場合|とき))", rf"{_ELSE_JA}|以上|以下|外れ|失敗|裏"),
    (r"表(?:が出|の場合|なら|だった|であれば|が上)[^、。]{0,6}", r"裏|反対|そうでな"),
    (r"奇数(?:の場合|なら|が出)[^、。]{0,6}", r"偶数|そうでな"),
    (r"一致(?:した|する|している)(?:場合|とき|時|なら)", r"一致しな|不一致|異な|違|そうでな|そうで無"),
    (r"同意(?:すれば|(?:した|する|が得られた)(?:場合|とき|時))", r"同意しな|拒|合意しな|同意がな|同意を得られな|しない場合"),
    (r"じゃんけんに勝[^、。]{0,8}(?:場合|者|人|プレイヤー|とき)", r"負け|あいこ|敗者|後攻|後手"),
    (rf"{_DIE_JA}[^。、]{{0,8}}?{to.DIGITS}以上[^。、]{{0,8}}?{_IF_JA}|{to.DIGITS}以上の(?:目|数)[^。、]{{0,4}}?{_IF_JA}", rf"{_ELSE_JA}|以下|未満|より小|外れ|失敗"),
    (rf"{_DIE_JA}[^。、]{{0,8}}?{to.DIGITS}以下[^。、]{{0,8}}?{_IF_JA}|{to.DIGITS}以下の(?:目|数)[^。、]{{0,4}}?{_IF_JA}", rf"{_ELSE_JA}|以上|超え|より大|外れ|失敗"),
    (rf"{_DIE_JA}が(?:[^。、以]{{1,6}}){_IF_JA}", rf"{_ELSE_JA}|以上|以下|外れ|失敗|裏"),
    (r"(?:めく(?:っ|り)|公開し|表にし|表に返し|裏返し)(?:た|て|、)?[^。]{0,24}?(?:が|、)[^。、がは]{1,12}(?:なら(?![なび])|であれば|だったら|の(?:場合|とき))", rf"{_ELSE_JA}|どちらでも|いずれでも|手札に加えられない|そのまま戻"),
    (r"^[^、。はが]{1,10}(?:であれば|ならば|なら(?!な)|だったら)、", rf"{_ELSE_JA}|どちらでも", r"めく[りっ]|表に|公開"),
    (r"合計[^。、]{0,8}(?:より(?:大き|小さ|多|少な)(?:ければ|い場合)|を超え(?:れば|た場合))", rf"{_ELSE_JA}|以上|以下|小さ|大き.*小さ|等し"),
    (r"(?:言い)?当て(?:れば|たら|た(?:場合|とき|者|人|プレイヤー))|当たれば|当たっ(?:たら|た場合)|的中(?:すれば|した)", rf"{_ELSE_JA}|外れ|外し|外す|誤|間違"),
    (r"比べ[^。]{0,20}(?:大き|多|高|強)(?:ければ|い(?:場合|とき|なら))", rf"{_ELSE_JA}|小さ|少な|低|弱|等し|同じ|以下|負け"),
))
_ELSE_EN = r"otherwise|\bif not\b|any other|anything else|\belse\b|no effect|nothing happens|whatever (?:it|the)"
_REVEALS = r"\b(?:reveal|shows? the|turn(?:s|ed)? (?:up|over)|flip|uncover|face up|looks? at the top)"
"""What a card turns out to be is open only where one is turned up."""
_BRANCHES_EN = tuple(
    (re.compile(one, re.IGNORECASE), re.compile(other, re.IGNORECASE), re.compile("".join(beside), re.IGNORECASE))
    for one, other, *beside in (
        (
            r"\bif (?:the |this |that |they |you |it |he or she )?(?:\w+ ){0,3}?(?:succeeds?|is successful|passes the (?:test|check|roll))\b[^.,;]{0,10}",
            r"\bfail|otherwise|unsuccessful|does not succeed|doesn't succeed|\bif not\b",
        ),
        (r"\bif (?:the coin|it) (?:\w+ ){0,2}?heads\b", r"tails|otherwise"),
        (r"\bif (?:the (?:number|result|roll|sum) is|it is) (?:odd)\b", r"\beven\b|otherwise"),
        (r"\bif (?:the|they|both|two) (?:\w+ ){0,4}?match(?:es)?\b",
         r"not match|n't match|otherwise|differ|mismatch|if not"),
        (
            rf"\bon (?:an? )?(?:roll of )?(?:an? )?{to.NUMBER_EN} (?:or (?:more|higher|better|above|over)|and (?:up|above))\b|\bif (?:[\w']+ ){{0,4}}?(?:rolls?|die|dice|result|throw)\b[^.,;]{{0,14}}\b(?:is|are|shows?|comes? (?:up|to)|beats|exceeds|{to.NUMBER_EN})\b[^.,;]{{0,16}}",
            rf"{_ELSE_EN}|or (?:less|lower|fewer|below|worse|under)|\bless than\b|lower|\bfails?|\bmiss|tails|\bon an? {to.NUMBER_EN}\b(?! or (?:more|higher|better))|smaller",
        ),
        (
            rf"\bwith (?:an? )?{to.NUMBER_EN}(?: or (?:an? )?{to.NUMBER_EN})?\b(?=[^.]*\b(?:moves?|may|takes?|gains?|is|draws?)\b)",
            rf"{_ELSE_EN}|\bwith (?:any|a lower|less)",
            r"\broll|\bdie\b|\bdice\b",
        ),
        (r"\bshould (?:it|the coin|the die) (?:land|come|show|fall|be|turn)\b[^.,;]{0,16}",
         rf"{_ELSE_EN}|tails|heads(?=.*heads)"),
        (
            r"\bon an? (?:odd|even) (?:number|roll|result)\b|\bon (?:heads|tails)\b|\bon an? (?:one|two|three|four|five|six|[1-6])\b(?=,? (?:the|an?|it|you|they|that player|draw|move)\b)",
            rf"{_ELSE_EN}|\beven\b.*\bodd\b|\bodd\b.*\beven\b|heads.*tails|tails.*heads",
        ),
        (
            r"\b(?:rolls?|throws?|toss(?:es)?|flips?) (?:the |an? |two |one )?(?:\w+ )?(?:die|dice|coin)\b[^.]{0,40}\bif\b[^.,;]{0,30}",
            rf"{_ELSE_EN}|\bif\b.*\bif\b|\bfail|\bless\b|lower",
        ),
        (r"\bif (?:right|correct|the (?:numbers|cards|colours|colors|suits|values) are the same|they match|equal)\b",
         rf"{_ELSE_EN}|wrong|differ|not the same|mistaken|\bhigher\b"),
        (r"\bif (?:an?|the) [a-z]+ (?:is|was) (?:shown|revealed|turned up|found)\b", _ELSE_EN),
        (r"\bguess(?:es)?\b[^.,;]{0,24}\b(?:right|correctly)\b", rf"{_ELSE_EN}|wrong|incorrect|mistaken"),
        (r"\bif [^.,;]{1,30} (?:is|are) (?:higher|greater|larger|bigger|stronger|lower|smaller)\b",
         rf"{_ELSE_EN}|equal|\btie|same|the other way|lower|smaller|at least", r"\bcompar"),
        (
            r"\bif (?:they|the guess|he or she|you|the player|it|the call) (?:guess(?:es)? (?:right|correctly)|(?:is|are) (?:right|correct))\b|\b(?:a|the) (?:right|correct) (?:guess|answer|call)\b",
            rf"{_ELSE_EN}|wrong|incorrect|mistaken",
        ),
        (
            r"(?:^|[,;] |and )(?:if|should) (?:it|that card|the card|this|the turned-up card|what is turned up)(?:['’]s| is| be| shows?| has| bears) [^.,;]{2,24}|(?:^|: )(?:An?|Any) [a-z]+(?: card)? (?:so revealed |found |turned up )?(?:goes|is (?:put|added|placed|kept|taken|laid|brought|moved)|comes) [^.,;]{0,20}",
            rf"{_ELSE_EN}|\b(?:is|['’]s|be) not\b|isn['’]t|\bwhichever\b|in either case|either way|the rest|back on",
            _REVEALS,
        ),
        (r"\bif (?:\w+ ){0,4}?(?:agrees?|accepts?|consents?)\b",
         r"refus|disagree|reject|declin|otherwise|not (?:agree|accept|consent)|if not"),
    )
)


_OTHERWISE = re.compile(r"そうでな(?:い|け|か)|そうで無|さもな(?:い|け)|\botherwise\b|\bif not\b", re.IGNORECASE)
"""Said in the clause itself it names the other branch, whatever the first one is."""
_PERMITS = re.compile(r"でき(?:る|ます)。?$|\b(?:may|can)\b")


def no_other_branch(page: Page) -> Iterator[Raised]:
    """One of two outcomes with what follows, and the other nowhere around."""
    told: dict[tuple[int, re.Pattern[str]], bool] = {}
    for one in page.sentences:
        for branch, other, beside in _BRANCHES_JA if one.tongue == "ja" else _BRANCHES_EN:
            match = branch.search(one.text)
            if match is None or _PERMITS.search(one.text) or not beside.search(one.clause.text):
                continue
            key = id(one.clause), other
            if key not in told:  # a clause may have very many sentences
                told[key] = bool(_OTHERWISE.search(one.clause.whole)) or any(
                    other.search(clause.text) for clause in page.near(one.clause)
                )
            if not told[key]:
                yield at(one, match.start(), match.end(), plain(match[0]))
                break


# ---------------------------------------------------------------- a loop clause and its cases
_LOOP = said(r"無限|永久循環|(?<!グ)ループ|循環|堂々巡り|ぐるぐる|際限[がもの]?な|(?:いつまでも|延々と)[^。]{0,14}(?:続|繰り)|果てしな|終わらな(?:い|く)|千日手|同じ(?:局面|盤面|状態|配置|形)が[^。]{0,12}(?:再び|[0-9二三四]度|[0-9二三四]回|繰り)", r"\b(?:it|game|chain|this|that|would|could) never ends?\b|\bwithout end\b|\bfor ?ever\b|\b(?:the same|a) position (?:comes?|occurs?|recurs?|repeats?|is repeated|arises?|appears?|returns?)\b|infinite (?:loop|combo|sequence|repetition)|endlessly|endless loop|indefinitely|\bloops?\b|\bround and round\b|\bstuck\b")
_ALL_CASES = (
    said(r"(?:どちら|いずれ|誰|だれ|どの|両|何人|止められ|選べ)[^。]{0,30}(?:な(?:い|け|か|し)|ません)|強制|必ず続|自動的", r"\bno \w+ (?:can|could|is able|has a)|\bneither\b|\bnobody\b|\bno one\b|\bnone\b|without (?:either|any)|compulsory|cannot be (?:stopped|broken|ended)|mandatory|without a choice|unable to"),
    said(r"(?:片方|一方|一人|1人|いずれか|どちらか)[^。]{0,40}(?:止|中断|回数|宣言|選)|(?:止め|やめ|中断|別の|ほかの|選)[^。]{0,16}(?:者|人|側|プレイヤー|手番)|(?:者|人|側|プレイヤー|長)[がは][^。]{0,20}(?:止め|やめ|中断|別の|選)", r"(?:one|a|either|the|any|active|turn) (?:player|side|team)[^.]{0,60}(?:stop|number|end|choos|break|declare|action)|\b(?:can|could|must|able to) (?:choose|stop|break|end|leave|interrupt)"),
    said(r"(?:両|双方|お互い|両者|複数|何人も|二人|2人)[^。]{0,60}(?:止|中断|回数|宣言|選|行動|から|先)|(?:どの|いずれの|どちら)[^。、]{0,8}も[^。、]{0,10}(?:止められ|中断でき)る|非(?:ターンプレイヤー|手番)|[2-9二三]人以上", r"\b(?:both|several|two or more|more than one)\b (?:\w+ )?(?:can|could)|(?:both|more than one|several|each|every|multiple|all) (?:players|sides|teams|player)?[^.]{0,80}(?:stop|number|choos|end|break|declare|action)"),
)


def loop_case_missing(page: Page) -> Iterator[Raised]:
    """A loop clause that does not speak of all three cases: the first that says what it is about, or else that stands under a heading that does."""
    cases = [(one, handled) for one in page.sentences if (handled := _HANDLED.search(one.text, one.tongue)) is not None]
    named = ((one, match) for one, _ in cases if (match := _LOOP.search(one.text, one.tongue)) is not None)
    headed = ((one, handled) for one, handled in cases
              if page.under(one.clause, _LOOP) or _LOOP.search(flat(one.clause.text), one.tongue))
    for one, match in (*named, *headed)[:1]:
        spoken = [clause for clause, text in page.flat if _LOOP.anywhere(text)]
        around = " ".join(text for clause, text in page.flat
                          if clause in spoken or clause.parent in spoken or clause is one.clause.parent)
        if not all(case.anywhere(around) for case in _ALL_CASES):
            yield at(one, match.start() if _LOOP.anywhere(match[0]) else 0, min(len(one.text), match.end() + 14), "")


# ---------------------------------------------------------------- what is still said of a thing that moved
def lasting(page: Page) -> Iterator[Raised]:
    """What is changed for the whole game, or spoken of again, where it can go back to a hand."""
    back = page.says(_GOES_BACK)
    for one in page.sentences:
        match = _FOR_GOOD.search(one.text, one.tongue) if back is not None else None
        if match is not None:
            yield at(one, match.start(), match.end(), "", back)
    for clause, ones in groupby(page.sentences, attrgetter("clause")):
        found = _AGAIN.search(flat(clause.text))
        if found is None:
            continue
        key = found["key"] or found["told"]
        sentence = next((one for one in ones if flat(key)[:6] in one.flat), None)
        if sentence is not None:
            begin = max(0, sentence.flat.find(flat(key)[:6]))
            yield at(sentence, begin, min(len(sentence.text), begin + len(key)), "")


_GOES_BACK = said(r"(?:手札|山札|デッキ|手元)(?:に|へ)(?:戻|引っ込|引き上)", r"\bback (?:in|to|into)\b[^.]{0,20}\b(?:hand|deck)\b|\breturns? [^.;]{0,40}\bto (?:\w+ )?(?:\w+['’]s )?(?:hand|deck)\b")
_FOR_GOOD = said(r"(?:ゲーム|遊戯|試合|勝負)(?:が終わる|の終わり|の終了|終了)まで[^。]{0,20}(?:高く|低く|増|減|得る|得ます|持つ|持ち|として扱|上が|下が|加わ)[^、。]{0,8}|(?:以後ずっと|恒久的に|永続的に|いつまでも)[^。]{0,20}(?:高く|低く|増|減|得る|持つ|として扱|上が|下が)[^、。]{0,8}",
                 r"\b(?:until the end of the game|for the rest of the game|permanently|from then on|for good)\b[^.;]{0,20}\b(?:gains?|gets?|has|worth|counts? as|higher|lower|more|less|stronger|weaker|loses?)\b[^.,;]{0,20}|\b(?:gains?|gets?|has|(?:is|becomes) worth|counts? as)\b [^.;]{0,40}\b(?:until the end of the game|for the rest of the game|permanently|from then on)\b")
_AGAIN = re.compile(r"(?P<what>[一-龠ァ-ヶー]{1,8})(?:の?[0-9一-三]?[枚体個隻])?を[^。]{0,20}(?:戻|引き上げ|回収)[^。]{0,40}。[^。]{0,16}(?P<key>(?:その|この|同じ)(?P=what)[はがのを][^、。]{0,14})"
                    r"|\b(?:takes?|returns?|puts?|picks?|moves?|brings?)\b (?:one of (?:the|their|your|his|her) (?:own )?|an? |the |that )(?P<thing>[a-z]{3,12}?)s?\b[^.;]{0,60}?\bback (?:in|to|into|up)\b[^.]{0,80}\. [^.]{0,60}\b(?P<told>(?:the|that|this) (?:same )?(?P=thing)\b (?:is|has|gets|gains|counts|keeps|costs)[^.;,]{0,24})", re.IGNORECASE)

_HANDLED = said(r"場合|とき|時|なら|際|たら|れば", r"\bif\b|\bwhen\b|\bis\b|\bends?\b|\bresult")
