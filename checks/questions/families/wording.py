"""Sentences beside each other, other branches, and what things are after they moved."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from ....spec.text import Text
from ..page import Page, Sentence, Tongue, flat, said
from ..record import Family, Raised, Stake, at, en, ja, plain
from . import language as to


# ---------------------------------------------------------------- two clauses beside each other
def beside_a_check(page: Page) -> Iterator[Raised]:
    """“Immediately”, in a draft that has a time at which such things are looked at."""
    check = page.says(_CHECK)
    for one in page.sentences if check is not None else ():
        match = None if _CONCEDES.search(one.text) else _AT_ONCE.search(one.text, one.tongue)
        if match and one.clause is not check and not _CHECK.search(one.text, one.tongue):
            yield at(one, match.start(), match.end(), "", check)


_CHECK = said(r"チェックタイミング|ルール処理|ルールチェック|状況確認|状況起因|ルールエフェクト|状態(?:チェック|確認)|(?:確かめ|確認す|調べ|数え|判定す|見)る(?:の)?は[^。]{0,20}(?:だけ|のみ|きり|限)|(?:終わり|終了時|始め|開始時)に(?:だけ|のみ|限り|一度だけ)[^。]{0,20}(?:確|調べ|数え|判定)|とき(?:に)?一度だけ(?:確|調べ|数え|判定)|(?:判定|確認|計算|比較|点検)[はを][^。]{0,16}(?:だけ|のみ|限)",
              r"check timing|state[- ]based|rule (?:action|processing)|game state check|rules? check|at no other (?:time|moment|point)|\band not (?:before|earlier|in between|otherwise)\b|\b(?:checked|read|counted|looked at|determined|assessed|judged|tallied) (?:only|solely)\b|\bonly (?:then|at that (?:time|moment|point)|ever)? ?(?:checked|read|counted|looked at|assessed|judged|tallied)\b")
_CONCEDES = re.compile(r"投了|ゲーム[はが]|bonus|concede|\bgame ends|ends the game", re.IGNORECASE)
_AT_ONCE = said(rf"{to.AT_ONCE}、?[^。]{{0,16}}?(?:敗北|負け|勝利|勝ち|終了|終わ|解決|発動|処理|行|失格|脱落|破壊|捨て|置[きくか]|墓地|取り除|沈|消え|倒れ|割れ|壊れ)[^、。]{{0,8}}", rf"\b(?:goes|go|is|are|\w+s)\b [^.,;]{{0,24}}?\b{to.AT_ONCE_EN}\b[^.,;]{{0,12}}|\b(?:at once|right away|straight ?away|instantly|there and then|on the spot|forthwith)\b[^.,;]{{0,24}}|" + r"\bimmediately (?:lose|win|end|is (?:discarded|destroyed|removed)|resolve|shuffle|discard|put|move)\w*\b[^.,;]{0,20}|\b(?:loses?|wins?|ends?)\b[^.,;]{0,12}\bimmediately\b")


_ACT_JA = re.compile(rf"(?:(?P<what>[^、。\sはがもで「」『』（）()]{{0,14}})(?:を|に|が|へ)[もは]?)?(?P<verb>[一-龠ァ-ヶー]{{1,6}})(?:[ぁ-ん]{{0,5}}?|(?<=移動|攻撃|使用|交換|公開|召喚|配置|発動|起動|宣言|参加)は、?[^、。]{{0,14}}?)(?P<how>{to.MAY}|(?:は|が|も)?{to.MUST_NOT}(?=[。、し]|もの|$))")
_ACT_EN = re.compile(rf"\b(?P<how>(?:no|neither|nobody|no one)\b[^.,;]{{0,24}}? (?:may|can|shall)|{to.MUST_NOT_EN}|{to.MAY_EN}) (?:be |also |only |freely |always |ever |then )*(?P<verb>[a-z]{{3,12}})(?: (?P<what>[a-z' -]{{3,40}}?)(?=[.;]|$))?", re.IGNORECASE)
_ALLOWS = re.compile(to.MAY)
_NOT = re.compile(r"ない|ません|ず$|不可|なら|いけ|禁|\bno\b|neither|nobody|not\b|n['’]t|never|forbidden|barred|prohibited", re.IGNORECASE)
_EXCEPTED = re.compile(r"場合を除|を除き|ただし|例外|限り|のみ|以外|しか|かつ|unless|except|only|however|instead|if able", re.IGNORECASE)
_HOWEVER = re.compile(r"いかなる|何人も|決して|一切|たとえ|[てで]も(?![よ良い構か差])|常に|いつでも|どのような|絶対|どんな|\b(?:any|anyone|ever|never|always|even|whatever|regardless|no matter|free to|in all|under no|in no case|at all)\b", re.IGNORECASE)
"""Said of what allows, or forbids, whatever else holds: two that say so can meet."""
_TOO_COMMON = frozenset({"be", "have", "do", "use", "play", "make", "take", "相手", "自分", "場合", "プレイヤー", "player", "players", "card", "cards", "カード"})


def may_and_must_not(page: Page) -> Iterator[Raised]:
    """The same action allowed in one clause and forbidden in another, both without condition, or one of them whatever else holds."""
    allowed: dict[str, list[tuple[Sentence, re.Match[str]]]] = defaultdict(list)
    forbidden: list[tuple[Sentence, re.Match[str]]] = []
    for one in page.sentences:
        for match in () if _EXCEPTED.search(one.text) else (_ACT_JA if one.tongue == "ja" else _ACT_EN).finditer(one.text):
            if _NOT.search(match["how"]) and not _ALLOWS.fullmatch(match["how"]):
                forbidden.append((one, match))
            else:
                allowed[_act(match)].append((one, match))
    for one, match in forbidden:
        verbs = {_act(match)} if one.tongue == "en" else {_act(match), *re.findall("[一-龠]", (match["what"] or "")[-2:])}
        other = next((two for verb in sorted(verbs) for two, may in allowed[verb] if two.clause is not one.clause and _meet(one, match, two, may)), None)
        if other is not None:
            yield at(one, match.start(), match.end(), plain(match[0]), other.clause)


def _act(match: re.Match[str]) -> str:
    """What is done, without its ending."""
    verb = match["verb"].lower()
    return verb[:1] if "一" <= verb[0] <= "龠" and len(verb) == 1 else re.sub(r"(?:ing|ed|d|e)$", "", verb) if verb.isascii() else verb


def _meet(one: Sentence, no: re.Match[str], two: Sentence, may: re.Match[str]) -> bool:
    if no["what"] and may["what"] and plain(no["what"]) == plain(may["what"]):
        return not re.search("[,、]", one.text[: no.start()] + two.text[: may.start()]) or any(map(_HOWEVER.search, (one.text, two.text)))
    shared = {word.casefold() for word in _CONTENT.findall(one.text)} & {word.casefold() for word in _CONTENT.findall(two.text)}
    marked = [bool(_HOWEVER.search(text)) for text in (one.text, two.text)]
    things = [word for word in shared - _TOO_COMMON if _act(may) not in word]
    return _act(may) not in _TOO_COMMON and (any(marked) and len(things) > 1
                                             or all(marked) and (len(_act(may)) > 1 and not _act(may).isascii() or re.search(r"\b(?:it|them)\b", two.text[may.start() :]) is not None))


_TIME_JA = re.compile(r"(?P<what>[^、。\sはもで「」『』（）()をに]{1,12})(?:が|を|に|は)(?P<verb>[一-龠ァ-ヶー]{1,6}(?:[ぁ-ん][一-龠])?)(?P<tense>(?![ぁ-ん]*(?:ない|てい|でい))[ぁ-ん]{1,5})(?:時|とき|際)")


def when_and_after(page: Page) -> Iterator[Raised]:
    """The same event as a time that is coming (〜する時) and one that is over (〜した時)."""
    seen: dict[tuple[str, str], dict[bool, tuple[Sentence, re.Match[str]]]] = defaultdict(dict)
    for one in page.sentences:
        if one.tongue == "en":
            found = [(m, _event(m["event"]), "", m["tense"].lower() == "after" or _IS_OVER.search(m["event"]) is not None) for m in _TIME_EN.finditer(one.text)]
        else:
            found = [(m, plain(m["what"]), m["verb"], m["tense"][-1] in "ただ") for m in _TIME_JA.finditer(one.text)]
        for match, what, verb, over in found:
            seen[what, verb].setdefault(over, (one, match))
    for key, both in seen.items():
        if len(both) == 2 and both[True][0] is not both[False][0]:
            one, match = both[False]
            yield at(one, match.start(), match.end(), "".join(key), both[True][0].clause)


_TIME_EN = re.compile(r"\b(?P<tense>as|when|whenever|after|once) (?P<event>(?:an?|the|this|your|any|one) [^,.;]{5,60}?)(?=[,.;]|$)", re.IGNORECASE)
_IS_OVER = re.compile(r"\b(?:has|have|had)\b", re.IGNORECASE)


def _event(words: str) -> str:
    """The words of what happens, without tense and articles."""
    return " ".join(re.sub(r"(?:ied|ies|ed|en|es|s|e|n)$", "", to.BASES.get(word, word)) for word in re.findall(r"[a-z]+", words.lower()) if word not in _NO_EVENT)


_NO_EVENT = frozenset({"a", "an", "the", "this", "your", "any", "one", "has", "have", "had", "been", "is", "are", "being"})

_POINTS = re.compile(r"^(?:この|これ|その|それ|また|なお|図|This\b|These\b|It\b|If\b|See\b)|とは", re.IGNORECASE)
_CONTENT = re.compile(r"[一-龠々]+|[ァ-ヴー]{2,}|[A-Za-z]{4,}")
_OUTCOME = re.compile(r"勝|敗|負け|ゲームは終|上限|\bwins?\b|\bloses?\b|\bgame ends|\bup to\b|\bat most\b|\blimit\b", re.IGNORECASE)


def said_twice(page: Page) -> Iterator[Raised]:
    """Two sentences of two sections with the same words of content one after the other, about the result or a limit,
    in two wordings."""
    by_words: dict[tuple[str, ...], list[Sentence]] = defaultdict(list)
    for one in page.sentences:
        if 12 <= len(one.text) <= 160 and not _POINTS.search(one.text) and not one.text.rstrip().endswith((":", "：")):
            words = tuple(w for word in _CONTENT.findall(one.text) if (w := word.casefold().removesuffix("s")) not in _SMALL)
            if len(words) >= 4:
                by_words[words].append(one)
    for alike in by_words.values():
        one = alike[0]
        for two in alike[1:]:
            if two.clause is not one.clause and (one.clause.parent is None or two.clause.parent is not one.clause.parent) and _OUTCOME.search(one.text) and _parts(one.text, two.text):
                yield at(one, 0, len(one.text), plain(one.text), two.clause)
                break


def limit_said_twice(page: Page) -> Iterator[Raised]:
    """Two clauses that both say what becomes of what is too much, with the same number in the same place."""
    told: list[tuple[Sentence, frozenset[str], frozenset[str]]] = []
    for one in page.sentences:
        match = _TOO_MUCH.search(one.text) if _GOES.search(one.text) else None
        numbers = frozenset(_ORDINALS.get(word, word) for word in re.findall(r"[0-9]+|[a-z]+|[一二三四五六七八九十]+", one.text.lower()) if _A_NUMBER.fullmatch(word))
        if match is None or not numbers:
            continue
        words = frozenset(word.casefold().removesuffix("s") for word in _CONTENT.findall(one.text)) - _SMALL - _TOO_COMMON
        before = next((two for two, its, around in told if two.clause is not one.clause and its & numbers and len(around & words) > 1), None)
        if before is not None:
            yield at(one, match.start(), match.end(), plain(match[0]), before.clause)
        told.append((one, numbers, words))


_TOO_MUCH = re.compile(rf"{to.DIGITS}\s*{to.UNIT}?(?:を超え|より多|以上(?:にな|ある|持)|目(?:から|以降))[^、。]{{0,12}}|\b(?:more than|beyond|over|in excess of|above) {to.NUMBER_EN}\b[^.,;]{{0,16}}|\b{to.NUMBER_EN} or more\b[^.,;]{{0,16}}|\broom for\b[^.,;]{{0,24}}", re.IGNORECASE)
_GOES = re.compile(rf"捨て|戻[しすさ]|墓|置[きくか]|除[かきく]|\b(?:{to.words('put discard return trash bury land go send mill compost')})\b", re.IGNORECASE)
_A_NUMBER = re.compile(r"[4-9]|[1-9][0-9]+|[四五六七八九十]+|(?:four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)|(?:four|fif|six|seven|eigh|nin|ten)th", re.IGNORECASE)
_ORDINALS = {"fourth": "four", "fifth": "five", "sixth": "six", "seventh": "seven", "eighth": "eight", "ninth": "nine", "tenth": "ten"}


def named_twice(page: Page) -> Iterator[Raised]:
    """Two clauses about the same card, by its name, and the same number of things: one of them keeps to some of what the other leaves open."""
    told: dict[tuple[str, str], Sentence] = {}
    for one in page.sentences:
        for name, count in {(name, count) for name in re.findall("「([^」]{2,12})」", one.text) for count in re.findall(rf"[2-9二三四五六七八九]{to.UNIT}", one.text)}:
            before = told.setdefault((name, count), one)
            match = _ONLY_SOME.search(one.text)
            if match is not None and before.clause is not one.clause and not _ONLY_SOME.search(before.text):
                yield at(one, match.start(), match.end(), name, before.clause)


_ONLY_SOME = re.compile(r"(?:のうち|の中で)[^。]{0,16}(?:だけ|のみ|しか)[^、。]{0,10}")

_SMALL = frozenset({"must", "should", "three", "four", "five", "seven", "eight", "nine", "their", "with", "that", "this"})


def _parts(one: str, two: str) -> bool:
    return plain(one).rstrip("。.") not in plain(two) and plain(two).rstrip("。.") not in plain(one)


_DEFINES_JA = re.compile(r"^[「『‘“【]?(?P<verb>[一-龠ぁ-んァ-ヶー]{2,8}?)(?:こと)?[」』’”】]?(?:とは|は|：|:)[^。]{0,30}?(?P<zone>山札|デッキ|手札|場|墓地|捨て札|トラッシュ|控え室?)(?:の[^。から]{0,8})?(?:から|の(?:札|カード)を)[^。]{0,30}(?:こと|意味|指)")
_VERBS_EN = "discard|draw|play|summon|destroy|banish|return|reveal|mill|salvage|recall"
_DEFINES_EN = re.compile(rf"(?:^to |^[“\"]?)(?P<verb>{_VERBS_EN})[”\"]? (?:means|is to|is)\b[^.]{{0,60}}\bfrom (?:your|the|their|a player's) (?P<zone>hand|deck|table|board|discard pile|field|battlefield)", re.IGNORECASE)


_SAYS = re.compile(r"という言葉|とは|ことです|なりません|ではな|扱[いう]|not (?:count|consider)", re.IGNORECASE)


def used_wider(page: Page) -> Iterator[Raised]:
    """A verb explained for one place, and used of another."""
    defined = [(one, match) for one in page.sentences if (match := (_DEFINES_JA if one.tongue == "ja" else _DEFINES_EN).search(one.text))]
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
_NOUN_EN = re.compile(r"[“\"](?P<word>[a-z][a-z ]{2,20})[”\"] (?:means?|denotes?|is|refers? to|stands? for|describes?|signifies) (?P<what>[^.;]{6,100})", re.IGNORECASE)
_PLACE = re.compile(r"(?P<place>[一-龠ァ-ヶー]{1,6})(?:に(?:置|戻|加え)|へ(?:移|戻)|から)|\b(?:into|onto|out of|from) (?:(?:the|their|your|its|his|own|an?|either|any) |[a-z]+['’]s )+(?P<name>[a-z]{3,12})\b")
_USUAL = ("手札", "山札", "捨て場", "捨て札", "墓地", "墓所", "デッキ", "hand", "deck", "graveyard", "discard pile")
_SOMEWHERE = re.compile(r"[にで][^、。]{0,10}(?:いる|ある|てい|並|置か)|\b(?:in|on|at) (?:the|an?|your|their|its)\b")
_ONE_ONLY = re.compile(r"隣|一人|1人|次の|最も|一番|\b(?:the|next|left|only|one)\b")


def noun_used_wider(page: Page) -> Iterator[Raised]:
    """A noun explained for things in one place and used of another, or for one person and used of several."""
    defined = [(one, match) for one in page.sentences if (match := (_NOUN_JA if one.tongue == "ja" else _NOUN_EN).search(one.text))]
    places = {match["place"] or match["name"] for one in page.sentences for match in _PLACE.finditer(one.text)} if defined else set()
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
_BRANCHES_JA = tuple((re.compile(one), re.compile(other), re.compile("")) for one, other in (
    (r"(?:判定|挑戦|行為|チェック|攻撃|防御|ロール)?[にが]?成功(?:すれば|(?:した|する|の)(?:場合|とき|時|なら)|したら)", r"失敗|成功しな|不成功"),
    (rf"(?:見せ|言い|言う|宣言|選び)[^。]{{0,20}}(?:合っていれば|同じ(?:なら|であれば|だったら)|が(?:同じ|違う)(?:なら|場合))|(?:賽|さいころ|サイコロ|ダイス)を?[^。]{{0,6}}振[^。]{{0,40}}?(?:なら(?!な|び)|れば、|たら、|場合)|(?:見せ|明かし)[^。]{{0,10}}、[^。、はが]{{0,6}}が[^。、はが]{{1,12}}(?:なら|であれば|だったら)", rf"{_ELSE_JA}|どちらも|失敗|外れ|(?:なら|れば|たら|場合|とき).*(?:なら|れば|たら|場合|とき)"),
    (rf"(?:振|投げ|転が)[^。]{{0,30}}?[がで]?出(?:れば|たら|た(?:場合|とき))", rf"{_ELSE_JA}|以上|以下|外れ|失敗|裏"),
    (r"表(?:が出|の場合|なら|だった|であれば|が上)[^、。]{0,6}", r"裏|反対|そうでな"),
    (r"奇数(?:の場合|なら|が出)[^、。]{0,6}", r"偶数|そうでな"),
    (r"一致(?:した|する|している)(?:場合|とき|時|なら)", r"一致しな|不一致|異な|違|そうでな|そうで無"),
    (r"同意(?:すれば|(?:した|する|が得られた)(?:場合|とき|時))", r"同意しな|拒|合意しな|同意がな|同意を得られな|しない場合"),
    (r"じゃんけんに勝[^、。]{0,8}(?:場合|者|人|プレイヤー|とき)", r"負け|あいこ|敗者|後攻|後手"),
    (rf"{_DIE_JA}[^。、]{{0,8}}?{to.DIGITS}以上[^。、]{{0,8}}?{_IF_JA}|{to.DIGITS}以上の(?:目|数)[^。、]{{0,4}}?{_IF_JA}", rf"{_ELSE_JA}|以下|未満|より小|外れ|失敗"),
    (rf"{_DIE_JA}[^。、]{{0,8}}?{to.DIGITS}以下[^。、]{{0,8}}?{_IF_JA}|{to.DIGITS}以下の(?:目|数)[^。、]{{0,4}}?{_IF_JA}", rf"{_ELSE_JA}|以上|超え|より大|外れ|失敗"),
    (rf"{_DIE_JA}が(?:[^。、以]{{1,6}}){_IF_JA}", rf"{_ELSE_JA}|以上|以下|外れ|失敗|裏"),
    (rf"(?:めく(?:っ|り)|公開し|表にし|表に返し|裏返し)(?:た|て|、)?[^。]{{0,24}}?(?:が|、)[^。、がは]{{1,12}}(?:なら(?![なばび])|であれば|だったら|の(?:場合|とき))", rf"{_ELSE_JA}|どちらでも|いずれでも|手札に加えられない|そのまま戻"),
    (r"(?:言い)?当て(?:れば|たら|た(?:場合|とき|者|人|プレイヤー))|当たれば|当たっ(?:たら|た場合)|的中(?:すれば|した)", rf"{_ELSE_JA}|外れ|外し|外す|誤|間違"),
    (r"比べ[^。]{0,20}(?:大き|多|高|強)(?:ければ|い(?:場合|とき|なら))", rf"{_ELSE_JA}|小さ|少な|低|弱|等し|同じ|以下|負け"),
))
_ELSE_EN = r"otherwise|\bif not\b|any other|anything else|\belse\b|no effect|nothing happens|whatever (?:it|the)"
_REVEALS = r"\b(?:reveal|shows? the|turn(?:s|ed)? (?:up|over)|flip|uncover|face up|looks? at the top)"
"""What a card turns out to be is open only where one is turned up."""
_BRANCHES_EN = tuple((re.compile(one, re.IGNORECASE), re.compile(other, re.IGNORECASE), re.compile("".join(beside), re.IGNORECASE)) for one, other, *beside in (
    (r"\bif (?:the |this |that |they |you |it |he or she )?(?:\w+ ){0,3}?(?:succeeds?|is successful|passes the (?:test|check|roll))\b[^.,;]{0,10}", r"\bfail|otherwise|unsuccessful|does not succeed|doesn't succeed|\bif not\b"),
    (r"\bif (?:the coin|it) (?:\w+ ){0,2}?heads\b", r"tails|otherwise"),
    (r"\bif (?:the (?:number|result|roll|sum) is|it is) (?:odd)\b", r"\beven\b|otherwise"),
    (r"\bif (?:the|they|both|two) (?:\w+ ){0,4}?match(?:es)?\b", r"not match|n't match|otherwise|differ|mismatch|if not"),
    (rf"\bon (?:an? )?(?:roll of )?(?:an? )?{to.NUMBER_EN} (?:or (?:more|higher|better|above|over)|and (?:up|above))\b|\bif (?:[\w']+ ){{0,4}}?(?:rolls?|die|dice|result|throw)\b[^.,;]{{0,14}}\b(?:is|are|shows?|comes? (?:up|to)|beats|exceeds|{to.NUMBER_EN})\b[^.,;]{{0,16}}", rf"{_ELSE_EN}|or (?:less|lower|fewer|below|worse|under)|\bless than\b|lower|\bfails?|\bmiss|tails|\bon an? {to.NUMBER_EN}\b(?! or (?:more|higher|better))|smaller"),
    (rf"\bwith (?:an? )?{to.NUMBER_EN}(?: or (?:an? )?{to.NUMBER_EN})?\b(?=[^.]*\b(?:moves?|may|takes?|gains?|is|draws?)\b)", rf"{_ELSE_EN}|\bwith (?:any|a lower|less)", r"\broll|\bdie\b|\bdice\b"),
    (r"\bshould (?:it|the coin|the die) (?:land|come|show|fall|be|turn)\b[^.,;]{0,16}", rf"{_ELSE_EN}|tails|heads(?=.*heads)"),
    (r"\bon an? (?:odd|even) (?:number|roll|result)\b|\bon (?:heads|tails)\b", rf"{_ELSE_EN}|\beven\b.*\bodd\b|\bodd\b.*\beven\b|heads.*tails|tails.*heads"),
    (r"\b(?:rolls?|throws?|toss(?:es)?|flips?) (?:the |an? |two |one )?(?:\w+ )?(?:die|dice|coin)\b[^.]{0,40}\bif\b[^.,;]{0,30}", rf"{_ELSE_EN}|\bif\b.*\bif\b|\bfail|\bless\b|lower"),
    (r"\bif (?:right|correct|the (?:numbers|cards|colours|colors|suits|values) are the same|they match|equal)\b", rf"{_ELSE_EN}|wrong|differ|not the same|mistaken|\bhigher\b"),
    (r"\bguess(?:es)?\b[^.,;]{0,24}\b(?:right|correctly)\b", rf"{_ELSE_EN}|wrong|incorrect|mistaken"),
    (r"\bif [^.,;]{1,30} (?:is|are) (?:higher|greater|larger|bigger|stronger|lower|smaller)\b", rf"{_ELSE_EN}|equal|\btie|same|the other way|lower|smaller|at least", r"\bcompar"),
    (r"\bif (?:they|the guess|he or she|you|the player|it|the call) (?:guess(?:es)? (?:right|correctly)|(?:is|are) (?:right|correct))\b|\b(?:a|the) (?:right|correct) (?:guess|answer|call)\b", rf"{_ELSE_EN}|wrong|incorrect|mistaken"),
    (r"(?:^|[,;] |and )(?:if|should) (?:it|that card|the card|this|the turned-up card|what is turned up)(?:['’]s| is| be| shows?| has| bears) [^.,;]{2,24}|(?:^|: )(?:An?|Any) [a-z]+(?: card)? (?:so revealed |found |turned up )?(?:goes|is (?:put|added|placed|kept|taken|laid|brought|moved)|comes) [^.,;]{0,20}", rf"{_ELSE_EN}|\b(?:is|['’]s|be) not\b|isn['’]t|\bwhichever\b|in either case|either way|the rest|back on", _REVEALS),
    (r"\bif (?:\w+ ){0,4}?(?:agrees?|accepts?|consents?)\b", r"refus|disagree|reject|declin|otherwise|not (?:agree|accept|consent)|if not"),
))


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
                told[key] = bool(_OTHERWISE.search(one.clause.whole)) or any(other.search(clause.text) for clause in page.near(one.clause))
            if not told[key]:
                yield at(one, match.start(), match.end(), plain(match[0]))
                break


# ---------------------------------------------------------------- a loop clause and its cases
_LOOP = said(r"無限|永久循環|(?<!グ)ループ|循環|堂々巡り|ぐるぐる|際限[がもの]?な|果てしな|終わらな(?:い|く)|千日手|同じ(?:局面|盤面|状態|配置|形)が[^。]{0,12}(?:再び|[0-9二三四]度|[0-9二三四]回|繰り)", r"\b(?:it|game|chain|this|that|would|could) never ends?\b|\bwithout end\b|\b(?:goes|go|going|on) for ?ever\b|\b(?:the same|a) position (?:comes?|occurs?|recurs?|repeats?|is repeated|arises?|appears?|returns?)\b|infinite (?:loop|combo|sequence|repetition)|endlessly|endless loop|indefinitely|\bloop of\b|\b(?:a|this|the) [“\"]?loop\b(?=[^.]*(?:action|abilit|effect|mandatory|choice|draw))")
_ALL_CASES = (
    said(r"(?:どちら|いずれ|誰|どの|両)[^。]{0,30}(?:止められな|中断できな|でき(?:ない|ません)|選択がな)|強制|必ず続|自動的", r"no player|neither|nobody|no one|without (?:either|any)|compulsory|cannot be (?:stopped|broken|ended)|mandatory|without a choice|unable to"),
    said(r"(?:片方|一方|一人|1人|いずれか|どちらか)[^。]{0,40}(?:止|中断|回数|宣言|選)", r"(?:one|a|either|the|any|active|turn) (?:player|side|team)[^.]{0,60}(?:stop|number|end|choos|break|declare|action)|must (?:choose|stop|break)"),
    said(r"(?:両|双方|お互い|両者|複数|二人|2人)[^。]{0,60}(?:止|中断|回数|宣言|選|行動)|(?:どの|いずれの)[^。、]{0,8}も[^。、]{0,10}(?:止められ|中断でき)る|非(?:ターンプレイヤー|手番)|[2-9二三]人以上", r"both (?:could|can)|(?:both|more than one|several|each|every|multiple|all) (?:players|sides|teams|player)?[^.]{0,80}(?:stop|number|choos|end|break|declare|action)"),
)


def loop_case_missing(page: Page) -> Iterator[Raised]:
    """A loop clause that does not speak of all three cases: the first that says what it is about, or else that stands under a heading that does."""
    cases = [(one, handled) for one in page.sentences if (handled := _HANDLED.search(one.text, one.tongue)) is not None]
    named = ((one, match) for one, _ in cases if (match := _LOOP.search(one.text, one.tongue)) is not None)
    headed = ((one, handled) for one, handled in cases if page.under(one.clause, _LOOP))
    for one, match in (*named, *headed)[:1]:
        spoken = [clause for clause, text in page.flat if _LOOP.anywhere(text)]
        around = " ".join(text for clause, text in page.flat if clause in spoken or clause.parent in spoken or clause is one.clause.parent)
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
    for clause, text in page.flat:
        found = _AGAIN.search(text)
        sentence = next((one for one in page.sentences if one.clause is clause and found and flat(one.text).rstrip(".。") and flat((found["key"] or found["told"]))[:6] in flat(one.text)), None)
        if found is not None and sentence is not None:
            begin = max(0, flat(sentence.text).find(flat((found["key"] or found["told"]))[:6]))
            yield at(sentence, begin, min(len(sentence.text), begin + len((found["key"] or found["told"]))), "")


_GOES_BACK = said(r"(?:手札|山札|デッキ|手元)(?:に|へ)(?:戻|引っ込|引き上)", r"\bback (?:in|to|into)\b[^.]{0,20}\b(?:hand|deck)\b|\breturns? [^.;]{0,40}\bto (?:\w+ )?(?:\w+['’]s )?(?:hand|deck)\b")
_FOR_GOOD = said(r"(?:ゲーム|遊戯|試合|勝負)(?:が終わる|の終わり|の終了|終了)まで[^。]{0,20}(?:高く|低く|増|減|得る|得ます|持つ|持ち|として扱|上が|下が|加わ)[^、。]{0,8}|(?:以後ずっと|恒久的に|永続的に|いつまでも)[^。]{0,20}(?:高く|低く|増|減|得る|持つ|として扱|上が|下が)[^、。]{0,8}",
                 r"\b(?:until the end of the game|for the rest of the game|permanently|from then on|for good)\b[^.;]{0,20}\b(?:gains?|gets?|has|worth|counts? as|higher|lower|more|less|stronger|weaker|loses?)\b[^.,;]{0,20}|\b(?:gains?|gets?|has|(?:is|becomes) worth|counts? as)\b [^.;]{0,40}\b(?:until the end of the game|for the rest of the game|permanently|from then on)\b")
_AGAIN = re.compile(r"(?P<what>[一-龠ァ-ヶー]{1,8})(?:の?[0-9一-三]?[枚体個隻])?を[^。]{0,20}(?:戻|引き上げ|回収)[^。]{0,40}。[^。]{0,16}(?P<key>(?:その|この|同じ)(?P=what)[はがのを][^、。]{0,14})"
                    r"|\b(?:takes?|returns?|puts?|picks?|moves?|brings?)\b (?:one of (?:the|their|your|his|her) (?:own )?|an? |the |that )(?P<thing>[a-z]{3,12}?)s?\b[^.;]{0,60}?\bback (?:in|to|into|up)\b[^.]{0,80}\. [^.]{0,60}\b(?P<told>(?:the|that|this) (?:same )?(?P=thing)\b (?:is|has|gets|gains|counts|keeps|costs)[^.;,]{0,24})", re.IGNORECASE)

_HANDLED = said(r"場合|とき|時|なら|際|たら|れば", r"\bif\b|\bwhen\b|\bis\b|\bends?\b|\bresult")


FAMILIES = (
    Family(
        "loop-cases", Stake.ENDLESS,
        Text(ja="終わらない連鎖の条文に足りない場合", en="a case that the loop clause leaves out"),
        Text(ja="「{phrase}」: 誰も止められない、一人が止められる、双方が止められる、の三つのうち、書かれていない場合はどうなりますか。",
             en="“{phrase}”: of the three cases (nobody can stop it, one can, both can), what of the one that is not spoken of?"),
        Text(ja="一つの場合だけを決めた条文は、残りの場合を引き分けとも続行とも読ませます。", en="A clause for one case leaves the others to be read as a draw, or as going on."),
        Text(ja="誰も止められなければ引き分け、止められる者は回数を宣言してから止める、双方なら手番のプレイヤーから宣言し少ない方で止まる、とします。",
             en="Nobody: a draw. One: names a number of rounds and stops after it. Both: the turn player names one first, and the smaller counts."),
        (ja("能力が無限に続く場合、引き分けです。", "能力が無限に続く連鎖が起きた場合、どちらのプレイヤーも止められないなら引き分けです。片方が止められるなら、その人が回数を宣言します。双方が止められるなら、双方が回数を宣言します。"),
         en("If a loop of abilities is infinite, the game is a draw.", "If a loop of abilities is infinite and no player can stop it, the game is a draw. If one player can stop it, that player names a number. If both players can stop it, each player names a number.")),
        find=loop_case_missing, once=True, needs=said(r"能力|効果|札|カード", r"abilit|effect|\bcards?\b"),
    ),
    Family(
        "immediately-or-check", Stake.ORDER,
        Text(ja="「直ちに」と確かめる時点", en="“immediately” beside a time of checking"),
        Text(ja="「{phrase}」: 処理の途中でもその場で起こりますか。それとも {other} の確かめる時点まで待ちますか。",
             en="“{phrase}”: right then, in the middle of whatever is under way, or at the time of checking of {other}?"),
        Text(ja="途中で起こるか、待つかで、残りの処理の結果が変わります。", en="It changes what is left of whatever is under way."),
        Text(ja="確かめる時点を持つ本では「次の確かめる時点で」と書き、途中でも起こるものだけをそう断ります。",
             en="A book with such a time says “at the next check”, and marks the few things that happen in between."),
        (ja("札が5枚のプレイヤーは、直ちに敗北します。\n1.3. ルール処理は、効果の解決後に行います。", "札が5枚のプレイヤーは、敗北します。\n1.3. ルール処理は、効果の解決後に行います。"),
         en("A player with five cards immediately loses.\n1.3. State-based actions are checked after an effect.", "A player with five cards loses.\n1.3. State-based actions are checked after an effect.")),
        find=beside_a_check, once=True,
    ),
    Family(
        "may-and-must-not", Stake.WHO,
        Text(ja="許しと禁止", en="allowed and forbidden"),
        Text(ja="「{phrase}」: {other} では同じ行動を許しています。どちらが優先しますか。", en="“{phrase}”: {other} allows the same. Which of the two holds?"),
        Text(ja="両方を字義どおりに読むと、決まりません。", en="Read to the letter, the two contradict each other."),
        Text(ja="禁止を優先する総則を置くか、許す側に「〜の場合を除き」と書き添えます。", en="A general clause that prohibitions win; or the permission names its exceptions."),
        (ja("プレイヤーは札を交換できません。\n1.3. プレイヤーは札を交換できます。", "プレイヤーは札を交換できません。\n1.3. プレイヤーは札を公開できます。"),
         en("Players may not exchange cards.\n1.3. Players may exchange cards.", "Players may not exchange cards.\n1.3. Players may reveal cards.")),
        find=may_and_must_not,
        general=said(r"禁止.{0,40}優先|できない.{0,30}優先|優先.{0,20}(?:禁止|できない)", r"(?:prohibit|can't|cannot|may not|restriction)\w*.{0,80}(?:precedence|prevail|override|takes? priority|wins?\b)"),
    ),
    Family(
        "when-and-after", Stake.WORDING,
        Text(ja="「〜する時」と「〜した時」", en="“as” beside “after” the same event"),
        Text(ja="「{phrase}」: {other} の「〜した時」と同じ時点ですか。違うなら、どちらが先ですか。", en="“{phrase}”: the same moment as that of {other}? If not, which comes first?"),
        Text(ja="二つを使い分けた条文は、間に起こることの順番を決めます。", en="Two ways of saying it make two moments, and what happens in between."),
        Text(ja="「時」は起こる前（置き換えるもの）、「した時」は起こった後、と用語の章で決めて使い分けます。", en="One is before (or instead of) the event, the other after it, as a chapter of terms says."),
        (ja("眷属が攻撃する時、札を1枚引けます。\n1.3. 眷属が攻撃した時、札を1枚捨てます。", "眷属が攻撃した時、札を1枚引けます。\n1.3. 眷属が攻撃した時、札を1枚捨てます。"),
         en("As a unit attacks, draw a card.\n1.3. After a unit attacks, discard a card.", "After a unit attacks, draw a card.\n1.3. After a unit attacks, discard a card.")),
        find=when_and_after,
        general=said(r"「[^」]*時」[^。]{0,20}「[^」]*た時」|する(?:時|とき).{0,30}した(?:時|とき).{0,30}(?:同じ|区別|違|意味)", r"as.{0,20}and.{0,20}after.{0,40}(?:same|differ|mean)"),
    ),
    Family(
        "said-twice", Stake.WORDING,
        Text(ja="同じことを別の言い方で二度", en="said twice, in other words"),
        Text(ja="「{phrase}」: {other} がほぼ同じことを別の言い方で述べています。同じ意味ですか。違うなら、どちらが正しいですか。",
             en="“{phrase}”: {other} says nearly the same otherwise. Is the same meant? If not, which is right?"),
        Text(ja="片方だけが改訂されると、二つは食い違います。", en="Once one of the two is revised, they part."),
        Text(ja="一か所で定め、ほかからは参照します。", en="It is laid down in one place and referred to from the others."),
        (ja("手札の上限は、番の終わりに7枚とします。\n# 札\n手札の上限は番の終わりに8枚です。", "手札の上限は、番の終わりに7枚とします。\n# 札\n場の上限は番の終わりに8枚です。"),
         en("Players keep up to seven cards in hand between turns.\n# Cards\nPlayers keep up to eight cards in hand between turns.",
            "Players keep up to seven cards in hand between turns.\n# Cards\nPlayers keep up to eight cards on the table between turns.")),
        find=lambda page: (*said_twice(page), *limit_said_twice(page), *named_twice(page)),
    ),
    Family(
        "used-wider", Stake.WORDING,
        Text(ja="定義より広い使い方", en="used wider than defined"),
        Text(ja="「{phrase}」: {other} の定義はほかの場所についてのものです。ここでも同じ言葉が同じ意味ですか。", en="“{phrase}”: {other} defines the word for another place. Does it mean the same here?"),
        Text(ja="その言葉に反応する効果が、ここで働くかどうかが変わります。", en="Whatever reacts to the word does, or does not, react here."),
        Text(ja="定義を使い方に合わせて広げるか、別の言葉を使います。", en="The definition is widened, or another word is used."),
        (ja("「捨てる」とは、手札から札を捨て場に置くことを指します。\n1.3. 山札から2枚を捨てます。", "「捨てる」とは、手札から札を捨て場に置くことを指します。\n1.3. 手札から2枚を捨てます。"),
         en("To discard means to put a card from your hand on the pile.\n1.3. Discard two cards from the deck.", "To discard means to put a card from your hand on the pile.\n1.3. Discard two cards from your hand.")),
        find=lambda page: (*used_wider(page), *noun_used_wider(page)),
    ),
    Family(
        "no-otherwise", Stake.ORDER,
        Text(ja="もう一方の場合", en="the other branch"),
        Text(ja="「{phrase}」: そうでなかった場合は、どうなりますか。", en="“{phrase}”: and if not?"),
        Text(ja="手順の片方だけが書かれていると、もう片方で次に何をするか分かりません。", en="A procedure that names one outcome does not say how it goes on after the other."),
        Text(ja="二つの結果を並べて書き、何も起こらないならそう書きます。", en="Both outcomes stand side by side, even where nothing happens in one of them."),
        (ja("判定に成功した場合、札を1枚引きます。", "判定に成功した場合、札を1枚引きます。失敗した場合、番を終えます。"),
         en("If the test succeeds, draw a card.", "If the test succeeds, draw a card. Otherwise the turn ends.")),
        find=no_other_branch,
    ),
    Family(
        "after-move", Stake.WORDING,
        Text(ja="動いた後の「それ」", en="“it” after a move"),
        Text(ja="「{phrase}」: 別の場所へ動いた後も、前と同じものとして数えますか（付いていた効果、数え方、状態は残りますか）。",
             en="“{phrase}”: after it went elsewhere, is it still the same thing (with the effects, counters and states that it had)?"),
        Text(ja="場を離れて戻った札に前の効果が残るかどうかは、裁定で最も多い問いの一つです。", en="Whether a card that left and came back keeps what it had is among the most frequent rulings."),
        Text(ja="総則に、場所を移ったものは新しい別のものとして扱い、追えるのは移した効果だけ、と書きます。", en="One general clause: what changes its place is a new thing; only the effect that moved it can still find it."),
        (ja("場の札を手札に戻し、その札をもう一度場に出します。", "場の札を手札に戻し、別の札を場に出します。"),
         en("Return a card from the table to the hand, then play that card again.", "Return a card from the table to the hand, then play another card.")),
        raised=said(r"(?:手札|山札|デッキ|墓地|捨て札|場|除外|トラッシュ|フィールド)(?:の[^、。]{1,4})?(?:に|へ)(?:戻|置|移|送|加え|出)[^。]{0,16}(?P<key>(?:その|当該)(?:カード|札|キャラ\w*|ユニット|駒|コマ)[はを][^、。]{0,12})",
                    r"\b(?:returns?|puts?|moves?|exiles?|discards?|banish(?:es)?)\b [^.;]{0,50}\b(?:to|into|from|in|onto) (?:the|its|their|your|his)[^.;]{0,30}[,.;]? (?:and|then|and then) (?P<key>[^.;,]{0,20}\b(?:that card|it|that unit|that character|the same card)\b[^.,;]{0,14})"),
        find=lasting,
        needs=said(r"カード|札", r"\bcards?\b"),
        unless=said(r"代わり|かわり|できない|できません|ない場合", r"instead|cannot|can't"),
        general=said(r"(?:領域|場所|ゾーン|エリア)[^。]{0,30}(?:移動|移っ|変わ|離れ)[^。]{0,60}(?:新しい|新たな|別の|同一|引き継|関連|以前|情報|失)", r"(?:new object|changes? zones?|moves? (?:from one|to (?:a|another)) (?:zone|area)|leaves? (?:play|the (?:table|field|board))).{0,120}(?:new|memory|no longer|different|lose|same)"),
    ),
    Family(
        "attached", Stake.WORDING,
        Text(ja="付いているものの行き先", en="what was attached"),
        Text(ja="「{phrase}」: 付けられた側が場を離れる（裏返る、持ち主が変わる）と、付いているものはどうなりますか。",
             en="“{phrase}”: what becomes of it when what carries it leaves, is turned over or changes hands?"),
        Text(ja="残るか、一緒に離れるかが書かれていないと、置き場所のない札ができます。", en="Otherwise there are cards that belong nowhere."),
        Text(ja="支えるものが離れると同時に持ち主の捨て札へ置く、とするのが通例です。", en="Usually it goes to its owner's discard pile at the same time."),
        (ja("道具は場の札に装備します。", "道具は場の札に装備します。装備した札が場を離れると、道具も捨て札になります。"),
         en("A tool card is attached to a unit.", "A tool card is attached to a unit. If the unit leaves the table, discard the tool.")),
        raised=said(r"[^、。]{0,16}(?:装備(?:する|し|され|させ)|付与する|重ねて置|下に重ね|取り付け|(?:キャラ\w*|ユニット|モンスター)(?:カード)?の下に(?:置|入れ))[^、。]{0,10}", r"\b(?:is|are|be|gets?|becomes?) attached to\b[^.,;]{0,24}|\bequip(?:s)? (?:it|them|a|an|the|this)\b[^.,;]{0,24}|\bplaced? (?:\w+ ){0,3}?(?:under|underneath|beneath) (?:a|an|another|that|your|the) (?:\w+ )?(?:unit|character|creature|monster|leader|ally|minion)\b[^.,;]{0,16}"),
        general=said(r"(?:装備|付与|重ね|付い|つけ|付け|下に)[^。]{0,60}(?:離れ|破壊|撤退|墓地|捨て札|除外|一緒|失|取り除|移動)|(?:離れ|破壊|撤退|移動)[^。]{0,60}(?:装備|付与|重ね|付い|つけ|付け|下に)",
                     r"(?:attach|equip|underneath|beneath)\w*[^.]{0,140}(?:leaves?|destroy|discard|removed|defeated|falls? off|goes? with)|attached to nothing|(?:leaves?|destroy|removed|defeated|discard)[^.]{0,120}(?:attach|equip|underneath|beneath|\btools?)"), once=True, needs=said(r"カード|札", r"\bcards?\b"),
    ),
    Family(
        "how-long", Stake.WORDING,
        Text(ja="いつまで続くか", en="for how long"),
        Text(ja="「{phrase}」: いつまで続きますか。", en="“{phrase}”: until when?"),
        Text(ja="終わりのない効果は、ゲームの終わりまで続くとも、その番だけとも読めます。", en="Without an end it can be read as the turn, or the rest of the game."),
        Text(ja="「この番の終わりまで」のように書くか、期限のないものはその番の間、と総則に置きます。", en="“Until the end of the turn”; or a general clause for whatever says nothing."),
        (ja("攻撃された札は使用できなくなります。", "攻撃された札は、次の番の終わりまで使用できなくなります。"),
         en("A unit that was attacked can no longer be used.", "Until the end of the next turn, a unit that was attacked can no longer be used.")),
        raised=said(r"[^、。]{0,16}(?:できなく|出来なく|使えなく|動けなく|行えなく)な(?:る|り)[^、。]{0,4}|[^、。]{0,10}(?:出場|参加)停止[^、。]{0,8}|[^、。]{0,10}(?:眠り|麻痺|凍結|気絶|スタン)(?:状態)?に(?:なる|なります|する|します)(?=。|$)", r"\bcan no longer\b[^.,;]{0,30}|\b(?:is|are|becomes?|be) (?:stunned|frozen|silenced|disabled|suspended|paralyzed|asleep|exhausted|out of play)\b[^.,;]{0,16}"),
        unless=said(r"まで|間|ターン|期間|以降|終了|永続|ゲーム中|分|秒|日|年|次の|ラウンド|限り|一時|試合|場合|しか|でしょう|終わ", r"until|turn|round|rest of|for (?:the|\w+ (?:minutes|seconds|turns|rounds))|while|as long|permanent|during|game|minutes|seconds|when|if"),
        near=said(r"(?:状態|効果|停止)[^。]{0,30}(?:まで|解除|終了|回復|間)", r"until|for the rest|recover|end of (?:the|your|their) (?:turn|round)|remain"),
    ),
    Family(
        "in-principle", Stake.WORDING,
        Text(ja="「原則として」の例外", en="the exceptions to “in principle”"),
        Text(ja="「{phrase}」: 例外はどこに書かれていますか。", en="“{phrase}”: where are the exceptions?"),
        Text(ja="例外の場所が分からない「原則」は、いつでも破れるとも読めます。", en="A principle whose exceptions nobody can find may be broken at any time."),
        Text(ja="例外の条文を挙げるか、例外がなければ「原則」を消します。", en="The exceptions are named; where there are none, the words are struck."),
        (ja("原則として、札は表向きに置きます。", "原則として、札は表向きに置きます。ただし、山札は裏向きです。"),
         en("As a rule, cards are placed face up.", "As a rule, cards are placed face up, except in the deck.")),
        raised=said(r"原則(?:として|的に|、|は)[^、。]{0,24}", r"\b(?:in principle|as a (?:general )?rule|as a general principle)\b[^.;]{0,30}"),
        unless=said(r"ただし|但し|例外|除|場合は|しかし|が、|以外|ものの", r"except|unless|however|but\b|although|otherwise|\bif\b|while|other than|rather|instead"),
        near=said(r"ただし|但し|例外|場合を除|しかし|この限り", r"\bexcept|unless|however|exception|otherwise|\bbut\b"), once=True,
    ),
    Family(
        "no-penalty", Stake.WORDING,
        Text(ja="違反したとき", en="if it is done all the same"),
        Text(ja="「{phrase}」: 違反したらどうなりますか。誰が気付き、どこまで戻しますか。", en="“{phrase}”: what if it is done all the same: who notices, and how far is play taken back?"),
        Text(ja="罰も戻し方もない禁止は、破った者の得になります。", en="Without a penalty, or a way back, breaking it pays."),
        Text(ja="気付いた時点で戻せるところまで戻す、繰り返せば負け、のように一つの条文で決めます。", en="One clause for all: taken back as far as possible; a loss when repeated."),
        (ja("相手の札に触れてはいけません。", "相手の札に触れてはいけません。違反した場合は敗北します。"),
         en("Players are not allowed to touch the opponent's cards.", "Players are not allowed to touch the opponent's cards. The penalty is the loss of the game.")),
        raised=said(r"[^、。]{0,16}(?:見|覗|触|話|相談|助言|順序|数え|書|記録|撮|持ち込|妨害)[^、。]{0,10}(?:(?<!なく)(?<!あっ)(?<!なっ)ては(?:いけない|いけません|ならない|なりません)|禁止(?:です|します|とする|とします|。)|を禁ずる|を禁じ)[^、。]{0,4}", r"\b(?:not allowed|not permitted|prohibited|forbidden|must not|shall not|may not)\b[^.,;]{0,10}\b(?:look|show|touch|talk|discuss|communicate|tell|peek|looking|talking|touching|showing)\b[^.,;]{0,30}"),
        general=said(r"(?:違反|反則|禁止行為|ペナルティ|罰則|失格|警告|不正)[^。]{0,60}(?:場合|とな|とする|与え|敗北|没収|される|します|科|対象)|ペナルティ|失格", r"penalt|disqualif|violat|infraction|\bfoul|forfeit|rules? (?:is|are) broken|illegal (?:move|play|action)"), once=True, named=True,
    ),
    Family(
        "limit-of-time", Stake.WORDING,
        Text(ja="時間を過ぎたとき", en="when the time is over"),
        Text(ja="「{phrase}」: 過ぎたらどうなりますか。途中の行動は数えますか。", en="“{phrase}”: what when it is over, and does what is under way still count?"),
        Text(ja="終わりの合図の瞬間に起きたことが、結果を決めます。", en="What happens at the very signal decides results."),
        Text(ja="過ぎた場合の結果（負け、減点、やり直し）と、合図の時に途中だったものの扱いを書きます。", en="The consequence (a loss, points off, another try), and what counts of what was under way at the signal."),
        (ja("各番は3分以内に終えてください。", "各番は3分以内に終えてください。超えた場合は番を失います。"),
         en("Each turn has to be finished within 3 minutes.", "Each turn has to be finished within 3 minutes, or it is lost.")),
        raised=said(r"[^、。]{0,12}(?:[0-9０-９]+|[一二三四五六七八九]十?|十[一二三四五六七八九])(?:分|秒)(?:間)?(?:以内|まで|とする|とします|です)[^、。]{0,14}|制限時間は[^、。]{0,12}", r"\bwithin (?:\w+ )?(?:\d+|one|two|three|five|ten|fifteen|thirty) (?:minutes?|seconds?)\b[^.,;]{0,20}|\btime limit (?:is|of)\b[^.,;]{0,20}"),
        unless=said(r"超え|過ぎ|失|可能|できる|できます|場合|なければ|休憩|目安|程度|約|推奨|ときは|延長", r"\bif\b|otherwise|\bor\b|lose|fail|after|penal|disqual|forfeit|unless|break|about|approximately|recommended|appeal|protest"),
        near=said(r"超え|超過|過ぎ|経過(?:した|する)|時間切れ|失格|ペナルティ|減点|罰|時間内に|なかった場合|間に合わ|終了(?:した|時|の合図)|遅刻|遅れ", r"exceed|penalt|DNF|disqual|forfeit|time(?:'s| is)? (?:up|over|out|expires?|runs out)|expire|elapse|late\b|overtime|longer than|does not|fails? to|not (?:ready|start|finish)|more than|end of the (?:time|match|game|run)|runs? out|at the end"),
    ),
    Family(
        "gone-player", Stake.RESULT,
        Text(ja="途中でいなくなるプレイヤー", en="a player who is out"),
        Text(ja="「{phrase}」: その人の札や効果、手番の途中だった処理は、どうなりますか。", en="“{phrase}”: what of that player's cards and effects, and of what was under way?"),
        Text(ja="三人以上の対戦では、抜けた人の札が残るかどうかが残りの人の勝敗を変えます。", en="With more than two players, whether the cards stay decides the game of the others."),
        Text(ja="その人の持ち物はすべて取り除き、効果は終わり、手番は次の人に移る、とするのが通例です。", en="Usually everything of theirs leaves, their effects end, and the next player's turn begins."),
        (ja("このゲームは3人以上で遊びます。体力が0のプレイヤーは脱落します。", "このゲームは3人以上で遊びます。体力が0のプレイヤーは脱落します。脱落したプレイヤーの札はすべて取り除きます。"),
         en("The game is for 3 to 5 players. A player without health is eliminated.", "The game is for 3 to 5 players. A player without health is eliminated; all cards of an eliminated player are removed.")),
        raised=said(r"(?:プレイヤー|プレーヤー|者|人)[^。、]{0,14}(?:脱落(?!させ)|リタイア|敗退|ゲームから(?:離れ|抜け))[^、。]{0,10}", r"\b(?:player|team)s?\b[^.,;]{0,30}\b(?:is|are|be) (?:eliminated|knocked out|out of the game)\b[^.,;]{0,16}"),
        general=said(r"(?:脱落|リタイア|退場|敗退|抜け)した?(?:プレイヤー|プレーヤー|者|人)?[^。]{0,12}(?:の|が(?:持|所有|コントロール))[^。]{0,50}(?:取り除|除外|捨て|戻|残|移|消|失)", r"(?:eliminated|defeated) player['’]?s\b|(?:eliminated|knocked out|out of the game|leaves? the game)[^.]{0,120}(?:cards?|pieces?|tokens?|effects?|belongings|resources|removed|discard|return|hand)"), once=True,
        needs=said(r"[3-9３-９三四五六]人|多人数|全員の", r"\b(?:3|three|4|four|5|five|6|six|more) (?:or more )?(?:players|teams)|multiplayer|\b(?:2|two|3|three)\s?(?:-|–|to)\s?\w+ players"),
    ),
)
