"""In which order, and when."""

from __future__ import annotations

from collections.abc import Iterator

from ....spec.text import Text
from ..page import GAME, Page, said
from ..record import Family, Raised, Stake, at, en, ja
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
        unless=said(r"引き分け|勝利|敗北|負け|できない|できません|同時に(?:行わ|適用)れ(?:る|ます)|同時とみなす|同時に行われた", r"cannot|can't|may not|\bnot\b|\bdraw\b|\bwin|\blose|reveal"),
        also=((said(rf"[^、。]{{0,20}}{to.TOGETHER}[^。]{{0,44}}(?:効果|能力|働き|はたらき|特技|技|作用|文|指示|誘発|発動|起動|処理|解決)[^、。]{{0,10}}|(?:双方|両方|両者|それぞれ)の[^。]{{0,14}}(?:効果|能力|文|働き)[^。]{{0,8}}(?:起こ|行|果た|実行|処理|働)[^、。]{{0,6}}|(?:効果|能力|働き|出来事|文)[^。]{{0,16}}重なっ(?:たら|た(?:場合|とき))[^、。]{{0,10}}|(?:効果|能力|働き|はたらき|特技|作用|指示)[^。]{{0,30}}{to.TOGETHER}[^、。]{{0,14}}|(?:働く|はたらく|起こる|誘発する|発動する|作動する|起きる)[^、。]{{0,12}}(?:いくつか|何{to.UNIT}も|いくつも|複数|[二2２]{to.UNIT}以上)[^、。]{{0,14}}",
                    rf"\b(?:effects?|abilit(?:y|ies)|texts?|powers?|triggers?|instructions?|rules?)\b[^.;]{{0,60}}\b{to.TOGETHER_EN}\b[^.,;]{{0,20}}|\b{to.TOGETHER_EN}\b[^.]{{0,60}}\b(?:effects|abilities|texts|powers|instructions|triggers)\b[^.,;]{{0,20}}|\b(?:effects|abilities|texts|powers|instructions|triggers) of (?:both|all|each)\b[^.,;]{{0,20}}|\b(?:two or more|more than one|several|all|every)\b[^.;]{{0,60}}\bat once\b[^.;]{{0,60}}\b(?:each|all|both|every)\b[^.,;]{{0,24}}|\b(?:two or more|more than one|several|multiple)\b[^.;]{{0,60}}\b(?:at once|at a time|effects?|abilities|powers?|triggers?)\b[^.;]{{0,40}}\b(?:each|all|both|every)\b[^.,;]{{0,24}}"),
               said(r"順(?!番を)|先に|時計|公開|勝|負|引き分け|できない|できません|同時に行われた", r"(?<!none in )\border|choose|decid|reveal|first|clockwise|\bwins?\b|\bloses?\b|\bdraw\b|face[- ]down|may not|cannot|\bnot\b")),),
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
        raised=said(r"(?:先攻|先手|スタートプレイヤー|最初のプレイヤー)[^、。]{0,14}", r"\b(?:the )?(?:first|starting) player\b(?! (?:to|left|who)\b)[^.,;]{0,20}|\b(?:the player|team|side) (?:who|that) (?:goes|starts|plays) first\b"),
        general=said(r"(?:先攻|先手|先行|先後|後攻|スタートプレイヤー|順番|手番|親|始め).{0,50}(?:決め|決定|選|ジャンケン|じゃんけん|ランダム|無作為|コイン|ダイス|サイコロ|とな|取る|とす)|(?:ジャンケン|じゃんけん|ランダム|無作為|コイン|ダイス|サイコロ|くじ|選んだ|選ぶ|勝った).{0,50}(?:先攻|先手|スタートプレイヤー|親)|[者人ー]が(?:先攻|先手|スタートプレイヤー|最初のプレイヤー)[とに]な[るり]",
                     r"\bplayer (?:1|one|a)\b[^.]{0,30}(?:first|starts?|begins?|leads?)|(?:left|right) of the dealer|(?:first player|starting player|goes? first|who (?:starts|begins)|player order|play order|start(?:s|ing)? the game|turn order).{0,100}(?:random|coin|dice|die\b|roll|chosen|chooses?|decide|determin|youngest|oldest|bid|agree|most recent|loser|winner)|(?:random|coin|dice|roll|chooses?|youngest|oldest|winner|loser|most recent|white|black).{0,80}(?:first|start|begin)"), once=True,
    ),
)
