"""In which order, and when."""

from __future__ import annotations

from collections.abc import Iterator

from ....spec.text import Text
from ..page import GAME, Page, Said, said
from ..record import Family, Find, Raised, Stake, at, en, ja
from . import language as to

_ORDERED = said(
    r"(?:同時|複数|一度に)[^。]{0,40}(?:発生|誘発|発動|解決|処理|選択|能力|効果|起こ|起き|満た|使用|宣言)[^。]{0,60}(?:ターンプレイヤー|手番|先攻|先手|任意の順|好きな順|望む順|順番|順序|順に|から先|行動側|優先)|"
    r"(?:効果|能力|処理|解決)[^。]{0,24}(?:順番|順序|処理順|解決順|適用順)[^。]{0,20}(?:任意|決定|決め|選|望む|従)|(?:処理順|解決順)を|(?:任意の|好きな|望む)順[^。]{0,12}(?:解決|処理|発動|使用)|ターンプレイヤーから(?:順|先)",
    r"(?:simultaneous|same time).{0,200}(?:active player|turn player|first player|in turn order|clockwise|(?<!none in )(?<!in any )order|priority|(?:come|goe?)s? first)|"
    r"(?:effects?|abilit\w+|triggers?|actions?|resolv\w+)[^.]{0,80}(?:(?:in|choose|chooses|determine|decide|pick)s? (?:the|any|an|which|their own) order|in (?:turn|player|initiative|seat\w*) order|order (?:they|you|he or she) (?:choose|like|want|wish))|\bAPNAP\b",
)


def stacked(page: Page) -> Iterator[Raised]:
    """Several things that go together onto what is kept in order: the deck, or in a book that says so a pile."""
    onto = _ONTO if page.says(_KEPT_IN_ORDER) is None else _ONTO_ANY
    for one in page.sentences:
        match = onto.search(one.text, one.tongue)
        if match is not None and not _ORDER_SAID.search(one.clause.text, one.tongue):
            yield at(one, match.start(), match.end(), "")


_SEVERAL = rf"(?:すべて|全て|全部|[ぁ-ん]なかった札|ほかの札|残(?:り(?:の[^、。]{{0,6}})?|った[^、。]{{0,4}})|{to.TWO_OR_MORE}|まとめて|{to.TOGETHER})"
_SEVERAL_EN = rf"(?:\b(?:all|both|the (?:rest|others?|remaining|remainder)|cards? (?:not|left) \w+|{to.TWO_EN}|them|those|these)\b)"
_ONTO = said(rf"{_SEVERAL}[^、。]{{0,24}}?(?:山札|デッキ)の(?:一番)?(?:上|下|底)(?:に|へ)[^、。]{{0,8}}{to.forms(to.PUT)}[^、。]{{0,6}}",
             rf"{_SEVERAL_EN}[^.;]{{0,50}}?(?<!next )\b(?:on|to|onto|under|at|underneath) (?:the )?(?:top |bottom )?(?:of )?(?:(?:the|their|your|his|its) )(?:\w+['’]s? )?(?:deck|library|draw pile)\b[^.,;]{{0,10}}")
_ONTO_ANY = said(rf"{_ONTO.ja.pattern if _ONTO.ja else ''}|{_SEVERAL}[^、。]{{0,24}}?(?:捨て場|捨て札|山)(?:の(?:一番)?上)?(?:に|へ)[^、。]{{0,8}}{to.forms(to.PUT)}[^、。]{{0,6}}",
                 rf"{_ONTO.en.pattern if _ONTO.en else ''}|{_SEVERAL_EN}[^.;]{{0,60}}?{to.words(to.PUT_EN + ' sweep')} (?:\w+ )?(?:on|onto|to|into)\b[^.,;]{{0,24}}\b{to.TOGETHER_EN}\b")
_KEPT_IN_ORDER = said(r"順(?:番|序)?(?:に重ね|を(?:変え(?:ない|ず|ては)|保))|置かれた順", r"kept in (?:the )?order|in the order (?:they|in which they|the cards) (?:arrived|came|were|are)|order (?:is|must be) kept")
_ORDER_SAID = said(r"順|シャッフル|切[りるっ]|混ぜ|無作為|ランダム|準備", r"\border|shuffl|random|one (?:at a time|by one)|set-?up|\bif\b")


def unless_said(raised: Said, answered: Said, unless: Said | None = None) -> Find:
    """What sentences say, in a draft that nowhere answers it. An answer is not counted as one: how many families a draft answers decides
    what is told of it, and what is told with `--all` only is to leave that alone."""

    def find(page: Page) -> Iterator[Raised]:
        if page.says(answered) is not None:
            return
        for one in page.sentences:
            match = raised.search(one.text, one.tongue)
            if match and (unless is None or not unless.search(one.text, one.tongue)):
                yield at(one, match.start(), match.end(), "")

    return find


# ---------------------------------------------------------------- the first hand, drawn anew
_ANEW = said(r"[^、。]{0,14}(?:マリガン|引き直)[^、。]{0,12}", r"\bmulligan\b[^.,;]{0,24}|\b(?:redraw|replace|exchange) (?:your|their|his|a|the) (?:\w+ )?(?:opening |starting |initial )hand\b[^.,;]{0,20}")
_BACK = said(r"[^、。]{0,10}手札[^、。]{0,12}(?:山札|デッキ)に戻[^、。]{0,12}(?:でき|よい|良い)[^、。]{0,6}")
_SETUP = said(r"準備|始め方|開始|初期", r"set-?up|prepar|start|begin|opening")
_TOLD = (
    said(r"順|先攻から|同時", r"order|first player|simultan|same time"),
    said(r"[1１一]度|[1１一]回|何度", r"\bonce\b|\bone\b|any number of times|again"),
    said(r"シャッフル|切り直|山札の?下|一番下|捨て", r"shuffl|bottom|discard|aside"),
    said(r"任意|すべて|全て|好きな枚数|同じ枚数|同数|枚", r"\bany\b|\ball\b|entire|whole|same number|as many"),
)
"""Who begins, how often, where the cards go, and which."""


def drawn_anew(page: Page) -> Iterator[Raised]:
    """A first hand that may be exchanged, where the section does not say all of how."""
    seen: set[int] = set()  # a clause may have very many sentences
    for one in page.sentences:
        if id(one.clause) in seen:
            continue
        match = _ANEW.search(one.text, one.tongue) or _BACK.search(one.text, one.tongue)
        if match and (match.re in (_ANEW.ja, _ANEW.en) or page.under(one.clause, _SETUP)):
            seen.add(id(one.clause))
            around = " ".join(clause.text for clause in page.near(one.clause))
            if not all(told.anywhere(around) for told in _TOLD):
                yield at(one, match.start(), match.end(), "")


FAMILIES = (
    Family(
        "order-at-once", Stake.ORDER,
        Text(ja="同時に起こることの順番", en="the order of what happens at once"),
        Text(ja="「{phrase}」: 同時に起こることの順番を、誰がどう決めますか。", en="“{phrase}”: who decides the order of what happens at once, and how?"),
        Text(ja="順番が結果を変えるとき、決める人がいないと卓で止まります。", en="Where the order matters and nobody decides it, play stops at the table."),
        Text(ja="手番のプレイヤーのものを先にし、同じ人のものはその人が順番を選ぶ、とするのが通例です。",
             en="Usually the turn player's first, and each player orders what is their own."),
        (ja("複数の能力が同時に発動した場合、それらを解決します。", "複数の能力が同時に発動した場合、ターンプレイヤーが順番を選んで解決します。"),
         en("If several abilities trigger simultaneously, they are all resolved.", "If several abilities trigger simultaneously, the turn player chooses the order in which they resolve.")),
        raised=said(r"[^、。]{0,14}同時に?[^、。]{0,6}(?:発生|誘発|発動|解決|満た|起こ|起き|使用|宣言|効果|能力|処理|選|適用|破壊|行動|攻撃|到達|なった)[^、。]{0,8}|(?:ターン|フェイズ|番)(?:の)?(?:開始|終了|始め|終わり)時?に[^。]{0,24}(?:能力|効果)[^。、]{0,10}(?:発動|誘発|処理|解決)[^、。]{0,4}|複数の(?:効果|能力|処理)が(?:同時に)?(?:発生|誘発|発動|適用)[^、。]{0,6}",
                    r"\b(?:effects?|abilit(?:y|ies)|triggers?|events?|actions?|attacks?|conditions?)\b[^.,;]{0,50}(?:\bsimultaneous(?:ly)?\b|\bat (?:exactly )?the same (?:time|moment)\b)[^.,;]{0,20}|\bsimultaneous (?:effects?|abilities|triggers?|actions?|events?)\b[^.,;]{0,20}"),
        unless=said(r"\d(?:条)?に(?:従|よ[りっ])|引き分け|勝利|敗北|負け|できない|できません|同時に(?:行わ|適用)れ(?:る|ます)|同時とみなす|同時に行われた", r"cannot|can't|may not|\bnot\b|\bdraw\b|\bwin|\blose|reveal"),
        also=((said(rf"[^、。]{{0,20}}{to.TOGETHER}[^。]{{0,44}}(?:効果|能力|働き|はたらき|特技|技|作用|文|指示|誘発|発動|起動|処理|解決)[^、。]{{0,10}}|(?:双方|両方|両者|それぞれ)の[^。]{{0,14}}(?:効果|能力|文|働き)[^。]{{0,8}}(?:起こ|行|果た|実行|処理|働)[^、。]{{0,6}}|(?:効果|能力|働き|出来事|文)[^。]{{0,16}}重なっ(?:たら|た(?:場合|とき))[^、。]{{0,10}}|(?:効果|能力|働き|はたらき|特技|作用|指示)[^。]{{0,30}}{to.TOGETHER}[^、。]{{0,14}}|(?:働く|はたらく|起こる|誘発する|発動する|作動する|起きる)[^、。]{{0,12}}(?:いくつか|何{to.UNIT}も|いくつも|複数|[二2２]{to.UNIT}以上)[^、。]{{0,14}}",
                    rf"\b(?:effects?|abilit(?:y|ies)|texts?|powers?|triggers?|instructions?|rules?)\b[^.;]{{0,60}}\b{to.TOGETHER_EN}\b[^.,;]{{0,20}}|\b{to.TOGETHER_EN}\b[^.]{{0,60}}\b(?:effects|abilities|texts|powers|instructions|triggers)\b[^.,;]{{0,20}}|\b(?:effects|abilities|texts|powers|instructions|triggers) of (?:both|all|each)\b[^.,;]{{0,20}}|\b(?:two or more|more than one|several|all|every)\b[^.;]{{0,60}}\bat once\b[^.;]{{0,60}}\b(?:each|all|both|every)\b[^.,;]{{0,24}}|\b(?:two or more|more than one|several|multiple)\b[^.;]{{0,60}}\b(?:at once|at a time|effects?|abilities|powers?|triggers?)\b[^.;]{{0,40}}\b(?:each|all|both|every)\b[^.,;]{{0,24}}"),
               said(r"順(?!番を)|先に|時計|公開|勝|負|引き分け|できない|できません|同時に行われた", r"(?<!none in )\border|choose|decid|reveal|first|clockwise|\bwins?\b|\bloses?\b|\bdraw\b|face[- ]down|may not|cannot|\bnot\b")),
              (said(rf"(?:能力|効果|働き|誘発|処理)[^、。]{{0,12}}{to.TWO_OR_MORE}[^。]{{0,16}}、?[^。]{{0,12}}順(?:番|次|々)?に(?:解決|処理|発動|行)[^、。]{{0,6}}",
                    rf"\b(?:effects|abilities|triggers)\b[^.;]{{0,50}}\b(?:resolved?|carried out|handled|processed) in (?:order|sequence|turn)(?= *[.;]|$)|{to.TWO_EN}[^.;]{{0,20}}\b(?:effects|abilities|triggers)\b[^.;]{{0,50}}\bin (?:order|sequence|turn)(?= *[.;]|$)"),
               said(rf"手番|ターンプレイヤー|先攻|行動側|選|(?<!解)決|好き|任意|望|古い|新しい|先に|早い|遅い|番号|{to.TWO_OR_MORE}[^。]{{0,30}}した順", r"choose|decid|player|first|oldest|newest|\blast\b"))),
        find=stacked,
        general=_ORDERED,
        needs=GAME,
    ),
    Family(
        "all-choose", Stake.ORDER,
        Text(ja="全員が選ぶときの順番", en="everybody chooses"),
        Text(ja="「{phrase}」: 誰から選び、後の人は先の人の選択を見てから選びますか。", en="“{phrase}”: who chooses first, and do the others see that choice before theirs?"),
        Text(ja="相手の選択を見てから選べるなら、後の人が有利です。", en="Whoever sees the other's choice first is better off."),
        Text(ja="手番のプレイヤーから順に選ぶか、伏せて選び同時に公開する、と書きます。", en="In turn order, beginning with the turn player; or secretly, and revealed together."),
        (ja("各プレイヤーは手札を1枚選び、捨てます。", "各プレイヤーは、ターンプレイヤーから順に手札を1枚選び、捨てます。"),
         en("Each player chooses a card from their hand and discards it.", "In turn order, each player chooses a card and discards it.")),
        raised=said(r"(?:各(?:プレイヤー|チーム|自)|(?:両|全|すべての|全ての|お互いの|双方の)(?:プレイヤー|プレーヤー|チーム|員|者)|お互い|それぞれのプレイヤー)[はがに]?[^。]{0,30}?(?:選び|選ぶ|選んで|選択し|選択する|決め(?:る|ます|て)|捨て(?:る|ます)|宣言(?:し|する))",
                    r"\b(?:each|every|both|all) (?:of the )?(?:player|team|side)s?\b[^.,;]{0,40}?\b(?:choose|select|pick|discard|decide|declare|bid)s?\b"),
        unless=said(r"順|同時|先に|後に|先攻|先手|手番|交互|伏せ|裏|秘密|自分の番|自分のターン|デッキ|終了(?:を)?宣言", r"order|simultaneous|secret|same time|face[- ]down|clockwise|starting with|beginning with|on their turn|\bdeck|may\b|\bone:|following|independent|in turn\b|\bpass\b|discards? (?:them|all|their)"),
        near=said(r"順(?:番)?に|同時に|先攻|先手|ターンプレイヤーから|伏せ|裏向き|秘密", r"in (?:turn |player |clockwise )?order|simultaneous|secret|face[- ]down|clockwise|starting with|beginning with|at the same time"),
        not_under=said(r"準備|構築|デッキ", r"set-?up|prepar|construct|deck|components"),
        general=said(r"(?:複数|両|すべて|全て|各|全員).{0,40}(?:選択|選ぶ|選ん|決定).{0,40}(?:ターンプレイヤー|手番|先攻|先手|行動側|親).{0,20}(?:先|から|優先)|(?:ターンプレイヤー|手番|先攻|先手).{0,16}から.{0,12}(?:選|順)|同時選択",
                     r"(?:players|both|more than one).{0,60}(?:choices|choose|decisions?|make).{0,80}(?:active|turn|first) player|in turn order|\bAPNAP\b"),
        needs=GAME,
    ),
    Family(
        "any-time", Stake.ORDER,
        Text(ja="いつでも", en="at any time"),
        Text(ja="「{phrase}」: ほかの効果の処理中や、相手が選んでいる最中でもですか。", en="“{phrase}”: also while something else is being carried out, or another player is choosing?"),
        Text(ja="「いつでも」を文字どおりに読むと、どの処理にも割り込めます。", en="Taken at its word it interrupts everything."),
        Text(ja="行動できる時点を列挙するか、ほかの処理の途中では行えない、と添えます。", en="The moments are listed, or it is said that nothing can be done in the middle of something else."),
        (ja("プレイヤーはいつでも手札の札を使えます。", "プレイヤーは自分の番の始めに手札の札を使えます。"),
         en("A player may use a card from hand at any time.", "A player may use a card from hand at the start of the turn.")),
        raised=said(r"(?:いつでも|任意の(?:時点|タイミング)(?:で|に)|好きな(?:タイミング|時)に)[^、。]{0,14}(?:使|発動|プレイ|宣言|出す|出せ|出し|行[うえいっ]|起動|攻撃|交換|捨て)[^、。]{0,9}(?:る|ます|よい|いい|可能|可)(?:です|とする|とします)?(?=。|$)", r"\b(?:may|can)\b (?:be )?(?:play|use|activate|attack|discard|trade|declare|exchange|swap|spend)\w*\b[^.,;]{0,30}\bat any (?:time|point|moment)\b|\bat any (?:time|point|moment),? [^.]{0,20}\b(?:may|can) (?:play|use|activate|attack|discard|trade|declare|exchange|swap|spend)\b[^.,;]{0,30}"),
        unless=said(r"投了|降参|ギブアップ|中断|確認|見る|数え|閲覧|同意|質問|問|変更(?:さ|し)れ|改定|処理中|解決中|途中|終わらせ|止め|並べ替え|情報|公開|ません|できない|ではな", r"conced|surrender|resign|forfeit|look|count|ask|inspect|check|change these|withdraw|leave|resolving|during|agree|referee|judge|\bread\b|examine|signal|priority|can play|“|”|discuss|request|before|until|call|object|issue|stop|confirm|verif|rearrange|information"),
        near=said(r"(?:処理|解決|効果|行動)(?:の)?(?:中|途中|最中)|割り込|割込|順(?:番)?に|順番で|1件ずつ|１件ずつ", r"while .{0,40}resol|in the middle|interrupt|during the resolution"),
    ),
    Family(
        "replacements", Stake.ORDER,
        Text(ja="同じ出来事を置き換えるものが二つあるとき", en="two replacements of one event"),
        Text(ja="「{phrase}」: 同じ出来事を置き換えるものが複数あるとき、どれを先に適用し、一度置き換えたものをまた置き換えますか。",
             en="“{phrase}”: if several things replace the same event, which applies first, and is what was replaced replaced again?"),
        Text(ja="順番しだいで結果が変わり、互いに置き換え合うと終わりません。", en="The result depends on the order, and two that replace each other never end."),
        Text(ja="影響を受ける側（またはその持ち主）が順を選び、各々一度だけ適用する、とするのが通例です。", en="Whoever is affected chooses, and each applies once to an event."),
        (ja("置換効果がある場合、本来の処理の代わりにその処理を行います。", "置換効果がある場合、本来の処理の代わりにその処理を行います。複数の置換効果がある場合、影響を受けるプレイヤーが順を選びます。"),
         en("A replacement effect makes something happen instead.", "A replacement effect makes something happen instead. If several replacement effects apply, the affected player chooses one.")),
        raised=said(r"[^、。]{0,12}置換(?:効果|する|さ|し)[^、。]{0,12}", r"\breplacement effects?\b[^.,;]{0,20}"),
        general=said(r"(?:複数|二つ以上|2つ以上).{0,30}(?:置換|置き換)|(?:置換|置き換).{0,60}(?:複数|順|一度だけ|二つ以上|2つ以上|選)", r"(?:several|multiple|more than one|two or more).{0,40}replacement|replacement.{0,100}(?:order|chooses?|several|multiple|more than one)"), once=True,
    ),
    Family(
        "first-player", Stake.ORDER,
        Text(ja="誰から始めるか", en="who begins"),
        Text(ja="「{phrase}」: 誰が先に始めるかを、どう決めますか。", en="“{phrase}”: how is it decided who begins?"),
        Text(ja="最初の手番の有利は、決め方しだいで偏ります。", en="Beginning is an advantage, and somebody has to have it."),
        Text(ja="無作為に決めるか、無作為に選ばれた者（または前の対戦の敗者）が選ぶ、と書きます。", en="At random; or whoever is drawn (or lost the last game) chooses."),
        (ja("先攻プレイヤーは最初の番に札を引きません。", "先攻プレイヤーはじゃんけんで決めます。先攻プレイヤーは最初の番に札を引きません。"),
         en("The starting player does not draw in the first turn.", "The starting player is chosen at random. The starting player does not draw in the first turn.")),
        raised=said(r"(?:先攻|先手|スタートプレイヤー(?!マーカー|トークン|カード|駒|コマ)|最初のプレイヤー)[^、。]{0,14}", r"\b(?:the )?(?:first|start(?:ing)?) player\b(?! (?:to|left|who|whose|with|that|may|in|on|token|marker|card|disc|discovers?)\b)[^.,;]{0,20}|\b(?:the player|team|side) (?:who|that) (?:goes|starts|plays) first\b"),
        general=said(r"(?:先攻|先手|先行|先後|後攻|スタートプレイヤー|順番|手番|親|始め).{0,50}(?:(?<![ー攻手]を)(?:決め|決定|選)|ジャンケン|話し合|任意|好き|若い|年[少長上下]|最近|前回|敗者|勝者|くじ|抽選|じゃんけん|ランダム|無作為|コイン|ダイス|サイコロ|とな|取る|とす)|(?:ジャンケン|じゃんけん|ランダム|無作為|コイン|ダイス|サイコロ|くじ|選んだ|選ぶ|勝った).{0,50}(?:先攻|先手|スタートプレイヤー|親)|[者人ー]が(?:先攻|先手|スタートプレイヤー|最初のプレイヤー)[とに]な[るり]",
                     r"\bplayer (?:1|one|a)\b[^.]{0,30}(?:first|starts?|begins?|leads?)|(?:left|right) of the dealer|(?:first player|starting player|goes? first|who (?:starts|begins)|player order|play order|start(?:s|ing)? the game|turn order).{0,100}(?:random|coin|dice|die\b|roll|(?:chosen|decided|determined|selected) by|chooses?|youngest|oldest|bid|agree|(?:most|last) |loser|winner|prefer|lowest|highest|dealer|lots?\b)|(?:random|coin|dice|roll|chooses?|youngest|oldest|winner|loser|most recent|white|black|\bperson\b|player (?:who|with|that)).{0,80}(?:first|start|begin)"), once=True, sure=True,
    ),
    Family(
        "drawn-anew", Stake.ORDER,
        Text(ja="最初の手札の引き直し", en="the first hand drawn anew"),
        Text(ja="「{phrase}」: 戻すのは手札の全部ですか、好きな枚数ですか。どこへ戻し、何枚引き、何度でき、誰が先に決めますか。",
             en="“{phrase}”: the whole hand, or any number of cards? Where do they go, how many are drawn, how often, and who decides first?"),
        Text(ja="最初の手順なので、毎回の対戦で決め方の違いが出ます。", en="It is done in every game, before anything else."),
        Text(ja="先攻から順に一度だけ、戻す札を選んで同じ枚数を引き、戻した札を切る、のように全部を書きます。",
             en="All of it is said: in turn order, once, any number set aside, as many drawn, and those set aside shuffled back."),
        (ja("各プレイヤーは最初の手札を引き直せます。", "先攻から順に、各プレイヤーは一度だけ、最初の手札をすべて引き直し、戻した札をシャッフルします。"),
         en("Each player may redraw their starting hand.", "In turn order, each player may redraw their starting hand once, setting all cards aside first.")),
        find=drawn_anew, once=True, named=True,
    ),
    Family(
        "arising-meanwhile", Stake.ORDER,
        Text(ja="処理の途中で新しく生じた効果", en="effects that arise meanwhile"),
        Text(ja="「{phrase}」: それらを処理している間に新しく生じた効果は、待っているものに加わりますか、それらがすべて済んでから処理しますか。",
             en="“{phrase}”: what of effects that arise while these are carried out: do they join those that wait, or come after all of them?"),
        Text(ja="効果が効果を呼ぶ札があれば、順番しだいで結果が変わります。", en="Where effects cause effects, the order changes the outcome."),
        Text(ja="一つ処理するたびに初めから数え直す（手番のプレイヤーのものが先）か、後から生じたものを先に処理する、と書きます。",
             en="After each one it is looked at anew (the turn player's first); or what arose last comes first."),
        (ja("複数の能力が同時に誘発した場合、ターンプレイヤーから順に処理します。", "複数の能力が同時に誘発した場合、ターンプレイヤーから順に処理します。処理中に新たに誘発した能力は、待っている能力に加わります。"),
         en("If several abilities trigger, the turn player chooses their order.", "If several abilities trigger, the turn player chooses their order. New abilities that trigger while one resolves wait with the others.")),
        find=unless_said(
            said(r"[^、。]{0,14}(?:同時に?|複数)[^。]{0,30}(?:効果|能力|スキル|誘発)[^。]{0,60}(?:順|先に|[1一]つ(?:を|ずつ)?選|あとで|後で)[^、。]{0,12}|ターン・?プレイヤー[^。]{0,20}(?:効果|能力|スキル)[^。]{0,20}(?:先に|から|終え)[^、。]{0,12}",
                 r"\b(?:multiple|several|two or more|both|simultaneous\w*)\b[^.]{0,40}\b(?:abilit(?:y|ies)|effects?|triggers?)\b[^.]{0,80}\b(?:order|first|one at a time|in turn)\b[^.,;]{0,14}|\b(?:abilit(?:y|ies)|effects?|triggers?)\b[^.]{0,30}\b(?:same time|simultaneously)\b[^.]{0,60}\b(?:order|first|chooses|decides)\b[^.,;]{0,14}"),
            said(r"新(?:た|し)[^。]{0,20}(?:発生|誘発|発動|待機)|(?:解決|処理)(?:中|の間|している間)[^。]{0,40}(?:発生|誘発|発動)|割り込|入れ子",
                 r"\b(?:new|additional|further|another|other)\b[^.]{0,30}\b(?:trigger|abilit|effect)[^.]{0,60}\b(?:while|during|as a result|before|after)\b|\b(?:while|during)\b[^.]{0,40}\bresol[^.]{0,80}trigger|\bthe stack\b|\bon the chain\b|\bnested\b"),
            said(r"適用", r"\bappl(?:y|ies|ied)\b")), once=True, named=True,
    ),
    Family(
        "in-response", Stake.ORDER,
        Text(ja="対応・割込の機会", en="a chance to respond"),
        Text(ja="「{phrase}」: 誰が先に行えますか。一度の機会にいくつ行え、それに対してさらに対応できますか。",
             en="“{phrase}”: who may do so first, how many times on one occasion, and also against what was done in response?"),
        Text(ja="二人とも対応したいとき、後から決める人が有利です。", en="Whoever decides last knows more."),
        Text(ja="手番でない側から交互に一つずつ、続けて見送れば終わり、と書きます。", en="One at a time, in turns, beginning with the player whose turn it is not, until all pass in a row."),
        (ja("相手は、対応の札を割り込んで使用できます。", "相手は、対応の札を割り込んで使用できます。交互に割り込み、連続してパスしたら終わります。"),
         en("A player may use a reaction card when a unit attacks.", "A player may use a reaction card when a unit attacks. Players alternate until both pass in succession.")),
        find=unless_said(
            said(r"[^、。]{0,16}(?:割り?込|(?<!と)対応(?:して|する)|応じて|レスポンス|カウンター|クイック)[^、。]{0,16}(?:でき(?!な|ませ)|てもよい|宣言(?:する|し))[^、。]{0,10}",
                 r"\b(?:in response|respond(?:s)? (?:with|by|to)|as a reaction|reaction cards?|interrupt(?:s)? (?:with|by|cards?)|instant cards?)\b[^.,;]{0,30}"),
            said(r"優先権|スタック|チェーン|連続して[^。]{0,20}パス|交互に(?:割|対応|使用)",
                 r"\bpriority\b|\bstack\b|\bchain\b|pass(?:es)? in succession|consecutive|alternat|only one (?:response|reaction|interrupt)|(?:responses?|reactions?|interrupts?)[^.]{0,40}(?:cannot|can't|one)"),
            said(r"代わり|かわり|以下の", r"\binstead\b|following")),
        needs=GAME, once=True, named=True,
    ),
)
