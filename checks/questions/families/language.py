"""The language of rule books, for the patterns of all families: verbs in all their forms, numbers of things, what is allowed, obliged
and forbidden, and how time, limits and repetition are said."""

from __future__ import annotations

import re

# ---------------------------------------------------------------- Japanese
_ROWS = {
    "う": "わいうえおっ",
    "く": "かきくけこい",
    "ぐ": "がぎぐげごい",
    "す": "さしすせそ",
    "つ": "たちつてとっ",
    "ぶ": "ばびぶべぼん",
    "む": "まみむめもん",
    "る": "らりるれろっ",
}
"""The endings of a verb of five rows, by the last letter of its dictionary form: the first makes the passive, the
fourth the potential."""


def _each(verbs: str, five: str, one: str, noun: str) -> str:
    """A pattern of verbs in one form, from the endings of the three kinds: 選ぶ, 捨て|る, 移動 (する)."""
    made = []
    for verb in verbs.split():
        stem, bar, _ = verb.partition("|")
        if verb.endswith("する"):
            made.append(verb[:-2] + "[さしすせ]")
            continue
        row = _ROWS.get(verb[-1])
        made.append(
            stem + one
            if bar
            else verb + noun
            if row is None
            else verb[:-1] + five.format(any=f"[{row}]", a=row[0], e=row[3])
        )
    return f"(?:{'|'.join(made)})"


def forms(verbs: str) -> str:
    """Verbs in any form, plain or polite, passive, causative or potential."""
    return _each(verbs, "{any}", "", "")


def passive(verbs: str) -> str:
    """選ばれ, 捨てられ, 移動され."""
    return _each(verbs, "{a}れ", "られ", "され")


def able(verbs: str) -> str:
    """選べる, 捨てられる, 移動できる, and polite."""
    end = "(?:る|ます)"
    return _each(verbs, "{e}" + end, "ら?れ" + end, "でき" + end)


CHOOSE = "選ぶ 選び出す 選択 指定 指名 決め|る 定め|る"
TAKE = "取る 取り出す 取り除く 取り上げ|る 抜く 抜き取る 抜き出す 奪う 受け取る 拾う 集め|る 外す 除く 除外 失う 没収 引き上げ|る 引き取る 回収 運び出す"
PUT = "置く 出す 戻す 移す 移動 捨て|る 送る 渡す 入れ|る 加え|る 返す 積む 伏せ|る 差し込む 滑り込ませ|る 破棄 破壊 廃棄 除去 追放 交換 配置 並べ|る 沈め|る 倒す 壊す 取り壊す 消す 下げ|る 手放す 裏返す しまう 供え|る 収め|る 埋め|る"
PAY = "払う 支払う 差し出す 納め|る 費やす 捧げ|る 消費 使う"
SHOW = "公開 めくる 見|る 明かす 表にする"
MOVE = f"{TAKE} {PUT} {PAY} {SHOW}"
"""What is done with cards and other things."""
LOWER = "弱まる 弱め|る 下げ|る 下がる 減らす 減る 減ずる 減じ|る 減少 差し引く 落とす 減算 縮め|る 縮む 削る"
HAVE = "持つ 置く 並べ|る 保つ 保持 所持 存在 抱え|る 載せ|る 乗せ|る 蓄え|る 貯め|る 溜め|る 配置 設置 いる ある"
"""Of what lies somewhere for a while, and can be too much there."""

DIGITS = r"(?:[0-9０-９]+|[一二三四五六七八九十]+)"
UNIT = r"(?:枚|軒|足|尾|面|門|体|個|つ|人|名|匹|隻|本|頭|台|粒|羽|組|基|機|艘|輪|束|冊|枝|株|片|段|艇|騎|柱)"
DONE_TO = r"[^、。はがをに]{1,6}(?:[かさたなまらがばわ]|捨て|変え|加え|分け)れ"
"""Any verb in the passive."""
CAN = r"(?:(?:もら|払|使|買|狙|合)え|(?:[出戻移返倒渡回直]|起こ|動か|表に)せ|引け|置け|抜け|選べ|取れ|守れ|打て|得られ|見られ|捨てられ|加えられ|[替換変か]えられ|受け取れ)(?:る|ます)"
"""What a verb is turned into where one is able to: those of play."""
ONE_OR_MORE = rf"{DIGITS}\s*{UNIT}"
TWO_OR_MORE = rf"(?:[2-9２-９]|[1-9１-９][0-9０-９]|[二三四五六七八九十]|[XＸNＮxn])\s*{UNIT}"
MAY = r"(?:(?:こと|事)(?:が|も)(?:でき(?:る|ます)|出来(?:る|ます)|可能|許され(?:る|ます)|認められ(?:る|ます))|[てで]も?(?:よい|よく|良い|いい|かまわない|かまいません|構わない|構いません|差し支えな)|でき(?:る|ます)|出来(?:る|ます)|自由に?(?:です|である|だ))"
ABLE = r"(?:を[^、。]{0,20}(?:[^さま]せ|られ)|[^見任載乗合伏寄済さま]せ|(?:置|引|動|書|聞|開|招)け|(?:払|使|買|狙|もら|行な)え|選べ|取れ|守れ|打て)(?:る|ます)"
# A verb in its potential, whatever the verb; others have its endings too.
MUST = r"(?:な(?:ければ|くては)(?:なりません|ならない|ならず|いけません|いけない)|ねば(?:ならない|なりません|ならぬ|ならず)|ないといけ(?:ない|ません)|ものとする義務|義務を負)"
MUST_NOT = r"(?:[てで]は(?:ならない|なりません|ならず|いけない|いけません)|(?:でき|出来)(?:ない|ません|ず)|禁(?:止|ずる|じ(?:る|ます|られ))|許され(?:ない|ません)|認め(?:られ)?(?:ない|ません)|不可(?:能|とする|です))"
TOGETHER = r"(?:同時|一斉|一度|いちど|一時|一遍|いっぺん|同じ(?:時|とき|瞬間|時機|タイミング))に"
AT_ONCE = r"(?:直ちに|ただちに|即座に|即刻|すぐさま|すぐに|その場で|たちどころに|間を置かず)"
PRICE = r"(?:コスト|費用|代価|代償|対価|支払い?額|料金)"

# ---------------------------------------------------------------- English
_IRREGULAR = {
    "put": "puts?|putting",
    "set": "sets?|setting",
    "take": "takes?|took|taken|taking",
    "choose": "chooses?|chose|chosen|choosing",
    "draw": "draws?|drew|drawn|drawing",
    "lose": "loses?|lost|losing",
    "win": "wins?|won|winning",
    "give": "gives?|gave|given|giving",
    "steal": "steals?|stole|stolen|stealing",
    "bring": "brings?|brought|bringing",
    "lay": "lays?|laid|laying",
    "lie": "lies?|lay|lain|lying",
    "keep": "keeps?|kept|keeping",
    "hold": "holds?|held|holding",
    "have": "has|have|had|having",
    "pay": "pays?|paid|paying",
    "send": "sends?|sent|sending",
    "stand": "stands?|stood|standing",
    "spend": "spends?|spent|spending",
    "be": "is|are|be|being|been",
    "sink": "sinks?|sank|sunk|sinking",
    "slide": "slides?|slid|sliding",
    "throw": "throws?|threw|thrown|throwing",
    "sweep": "sweeps?|swept|sweeping",
    "shed": "sheds?|shedding",
    "go": "goes|go|went|gone|going",
    "leave": "leaves?|left|leaving",
}
BASES = {form.removesuffix("s?"): base for base, forms_ in _IRREGULAR.items() for form in forms_.split("|")}
"""Irregular forms, and the verbs that they are of."""
_DOUBLED = re.compile(r"[^aeiou][aeiou][bdgmnprt]")


def _regular(verb: str) -> str:
    if verb.endswith("e"):
        return f"{verb}[sd]?|{verb[:-1]}ing"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb}(?:ing)?|{verb[:-1]}ie[sd]"
    if _DOUBLED.fullmatch(verb[-3:]) and len(verb) < 6:
        return f"{verb}s?|{verb}{verb[-1]}(?:ed|ing)"
    return f"{verb}(?:e?s|ed|ing)?"


def words(verbs: str) -> str:
    """English verbs in any form."""
    return "(?:" + "|".join(_IRREGULAR.get(verb) or _regular(verb) for verb in verbs.split()) + ")"


TAKE_EN = "take remove lift strip steal pull seize collect confiscate lose gather grab sweep"
PUT_EN = "put place move return send bring slide slip add discard trash bury lay give pass hand sacrifice destroy exile banish sink shed throw tuck transfer shift exchange swap mill compost douse burn drop scrap hide"
PAY_EN = "pay spend exhaust give surrender sacrifice"
SHOW_EN = "reveal flip turn look"
MOVE_EN = f"{TAKE_EN} {PUT_EN} {PAY_EN} {SHOW_EN}"
HAVE_EN = "have hold keep contain lie stand be own control carry sit rest contain store stay remain"
LOWER_EN = "reduce decrease subtract lower deduct diminish drop dock shorten weaken shrink cut"

NUMBER_EN = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|X|N)"
DONE_TO_EN = r"(?:is|are|gets?) (?:then )?(?:\w+(?:ed|en|wn|rn|unk|ung|ught|nt)|put|set|cut|sold|laid|lit|lost|shut) ?(?:out|off|away|down|up|over|back)?"
"""Any verb in the passive."""
TWO_EN = r"(?:two|three|four|five|six|seven|eight|nine|ten|X|N|[2-9]|1\d)"
MAY_EN = r"(?:may|can|(?:is|are) (?:free|allowed|permitted|entitled|at liberty) to|(?:has|have) the right to|(?:is|are) open to \w+ \w+ to)"
MUST_EN = r"(?:must|ha(?:s|ve) to|(?:is|are) (?:obliged|required|forced|bound) to)"
MUST_NOT_EN = r"(?:may not|must not|shall not|can ?not|can['’]t|mustn['’]t|(?:is|are) (?:not (?:allowed|permitted|free)|forbidden|barred|prohibited)(?: to| from)?|may (?:never|in no case)|can never|never)"
TOGETHER_EN = r"(?:simultaneous(?:ly)?|at (?:exactly )?the same (?:time|moment|instant)|all at once|together|in one go|in the same (?:moment|instant))"
AT_ONCE_EN = r"(?:immediately|at once|right away|straight ?away|instantly|there and then|then and there|on the spot|forthwith|as soon as|the moment)"
PRICE_EN = r"(?:costs?|prices?|fees?|payment|toll)"
