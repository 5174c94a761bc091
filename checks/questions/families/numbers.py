"""How many: too few, none, below zero, over the limit, when counted."""

from __future__ import annotations

from ....spec.text import Text
from ..page import GAME, said
from ..record import Family, Stake, en, ja
from . import language as to

_AS_MANY = said(
    r"可能な(?:限り|かぎり|範囲|部分)(?![^。、]{0,6}(?:ことができ|ことが出来|コスト|早|速))|(?:できる|出来る|行える)(?:だけ|限り|かぎり|範囲)|実行(?:不可能|できない|不能).{0,40}(?:無視|行わ|何も|実行しな|飛ば|とばす)|不可能な.{0,30}(?:無視|行わ|行いま|飛ば)|(?:足りない|不足する|満たない|未満の?)(?:場合|とき|時|なら)[^。]{0,30}(?:あるだけ|すべて|全て|限り|残り)[^。]{0,20}(?:行|引|捨|選|公開|取|置|払)|(?:足りな|満た(?:な|ず)|少な|不足)[^。]{0,12}(?:ければ|場合|とき|時|なら)[^。]{0,30}(?:ある(?:だけ|分)|いるだけ|全部|何も)|なければ[^。]{0,4}ある(?:だけ|分)",
    r"as (?:much|many)\b[^.]{0,30} as (?:possible|(?:you|they|he or she) can)|(?:do|does|perform|follow|resolve)s? (?:only )?as much|impossible.{0,100}(?:ignor|isn't|is not|not (?:done|happen|perform)|nothing)|ignor.{0,60}impossible|(?:fewer|not enough|insufficient|less than).{0,80}(?:as many|all of|all the|remaining|whatever|the rest|nothing)|\bif able\b|whatever (?:is|are) (?:there|left)",
)
SETUP = said(r"準備|始め方|開始(?:前|時)|構築|デッキ(?:の|を|に|$)|マリガン", r"set-?up|prepar|starting (?:the|a) game|beginning|deck[- ]?(?:building|construction)|construct|mulligan|components")
_DRAW = r"(?:引(?:く|き(?![換替分継渡出返離]|続き)|い(?!分))|ドロー)"
"""Cards are drawn; not the verbs that are made with 引き."""
_TWO = r"(?:[2-9２-９]|[1-9１-９][0-9０-９]|[二三四五六七八九十]|[XＸNＮxn])"
_PIECE = rf"{to.DIGITS}\s*(?:点|{to.UNIT})"
"""Of what is paid."""

FAMILIES = (
    Family(
        "deck-empty",
        Stake.RESULT,
        Text(ja="山札が尽きたとき", en="the deck has run out"),
        Text(ja="「{phrase}」: 山札に札がないときは、どうしますか。", en="“{phrase}”: what if the deck is empty?"),
        Text(
            ja="負ける、捨て札を切り直す、何も起こらない、のどれとも読めます。",
            en="One may lose, reshuffle the discard pile, or do nothing: all three are usual.",
        ),
        Text(
            ja="山札の尽きたプレイヤーは負ける、または捨て札を切って新しい山札とする、と書き、捨て札もないときまで決めます。",
            en="Its owner loses; or the discard pile becomes the new deck, and what happens if that is empty too.",
        ),
        (
            ja(
                "自分の番の始めに、山札から札を1枚引きます。",
                "自分の番の始めに、山札から札を1枚引きます。山札がない場合は引きません。",
            ),
            en(
                "At the start of the turn, draw a card from the deck.",
                "At the start of the turn, draw a card from the deck. If the deck is empty, draw nothing.",
            ),
        ),
        raised=said(
            rf"(?:山札|デッキ|(?<!捨て札の)(?<!捨札の)山)[^。]{{0,14}}(?:から|を)[^。]{{0,12}}(?:{_DRAW}|めく|取(?:る|り(?![除消])|っ)|手札に加え|補充)[^、。]{{0,8}}|(?:カード|札)を[^、。]{{0,4}}枚[^、。]{{0,4}}{_DRAW}[^、。]{{0,8}}",
            r"\bdraws? (?:(?!\bfrom\b)[^.,;]){0,30}\bfrom (?:the|their|your|his or her|his|its) (?:\w+ )?(?:deck|draw pile|stack|library)\b|\bdraws? (?:the top|\w+) cards?\b[^.,;]{0,16}|\b(?:add|take|put)s? the top card of (?:your|their|the|his or her) (?:\w+ )?(?:deck|draw pile|library)\b[^.,;]{0,16}",
        ),
        unless=said(
            r"準備|開始前|初期手札|引き直|シャッフル|手札(?:の中)?から[^。]{0,16}(?:引|取)|(?:引いた|引く|引かれた)(?:とき|時|場合|たび|際)",
            r"setup|set up|opening hand|starting hand|beginning of the game|\bshuffl|\b(?:if|when|whenever|after|before) (?:you|a player|players|they|he|she|it) draws?\b|\b(?:to|on) the bottom of (?:its|the)\b|\bfrom [^.,;]{0,24}\bhand\b|\bcards? (?:for|marked|that|which)\b",
        ),
        general=said(
            r"(?:山札|デッキ|カードの?束|山|城|ライブラリー?)[^。]{0,24}(?:(?<![0-9０-９])[0０]枚|〇枚|零枚|なくな|無くな|ない(?:場合|時|とき|なら|プレイヤー)|無い(?:場合|時|とき|人|なら)|切れ|尽き|空[にのでと]|引けな|引ききっ|使い切|使い果|足りな|不足|１枚も|1枚も|残ってい?な|[がはも](?:な|無)(?:く|けれ|かった))|(?:引けな|引くことができな)(?:い|かっ)|デッキアウト|山札切れ",
            r"(?:deck|draw pile|stack|library|pile)\b[^.]{0,60}(?:empty|runs? out|ran out|exhaust|no (?:more )?cards|deplet|insufficient|not enough|last card|zero cards|out of)|\bempty (?:deck|draw pile|library)|(?:no (?:more )?cards|(?<!\d)0 cards|zero cards|not enough cards|fewer cards|run(?:s)? out of cards|out of cards)[^.]{0,60}(?:deck|draw|library|pile)|\bdraws?\b[^.;]{0,40}\bcannot\b|cannot draw|can't draw|unable to draw|instead of drawing|no (?:more )?cards (?:left )?to draw|cards (?:will |are |have )?(?:eventually )?(?:be |been )?(?:used up|exhausted|run out)",
        ),
        once=True,
        not_under=SETUP,
        needs=said(r"山札|デッキ|束|山", r"\b(?:deck|draw pile|library|stack)\b"),
        sure=True,
        near=said(
            r"切り直|(?:捨て札|墓地|トラッシュ)[^。]{0,20}(?:シャッフル|混ぜ|山札)",
            r"\breshuffl|\bshuffl[^.]{0,40}\bdiscard|\bdiscard[^.]{0,60}\bshuffl|exhausts? (?:your|their|the) (?:\w+ )?deck|\bnew (?:draw )?(?:deck|pile)\b|\b(?:supply|stock) is empty|\blast (?:[a-z]+ )?card\b|no longer draw",
        ),
    ),
    Family(
        "pile-empty-too",
        Stake.NUMBER,
        Text(ja="切り直す捨て札もないとき", en="nothing to reshuffle"),
        Text(
            ja="「{phrase}」: 捨て札もないとき、引いている途中だったとき（残りを続けて引くか）は、どうしますか。",
            en="“{phrase}”: what if that pile is empty too, and does a draw under way go on?",
        ),
        Text(ja="終盤には両方が尽きます。", en="Late in the game both run out."),
        Text(
            ja="残りを続けて引く、両方ないなら引かない、と書きます。",
            en="The draw goes on with the new deck; if both are empty, nothing is drawn.",
        ),
        (
            ja(
                "山札がなくなった場合、捨て札を切り直して新しい山札とします。",
                "山札がなくなった場合、捨て札を切り直して新しい山札とし、残りの枚数を引きます。捨て札もない場合は引きません。",
            ),
            en(
                "When the deck is empty, shuffle the discard pile to form a new deck.",
                "When the deck is empty, shuffle the discard pile to form a new deck and continue. If the discard pile is empty as well, draw nothing.",
            ),
        ),
        raised=said(
            r"(?:山札|デッキ|束)[^。]{0,24}(?:なくな|無くな|(?<![0-9０-９])[0０]枚|尽き|切れ|空に|ない場合|ないとき|引けな)[^。]{0,20}(?:捨て|墓地|トラッシュ|除外|使用済)[^。]{0,16}(?:シャッフル|切り|混ぜ|戻)",
            r"\b(?:deck|draw pile|pile|stack)\b[^.]{0,40}\b(?:empty|runs? out|exhausted|no (?:more )?cards)\b[^.]{0,40}\b(?:shuffl|reshuffl)[^.]{0,30}|\bno (?:more )?cards\b[^.]{0,30}\b(?:deck|pile|stack)\b[^.]{0,40}\b(?:re)?shuffl[^.]{0,30}|\b(?:shuffle|reshuffle)\b[^.]{0,40}\bdiscard\b[^.]{0,50}\b(?:deck|draw pile|pile)\b",
        ),
        unless=said(r"も(?:ない|無い|なけれ)|残り|続け", r"\bboth\b|\balso\b|\bstill\b|as well|continu|remain"),
        near=said(
            r"捨て札も|墓地も|どちらも|両方(?:とも)?(?:ない|0)|残りの?枚数|続けて引",
            r"\bboth\b.{0,40}(?:empty|out)|discard.{0,40}(?:also|is|too|as well).{0,20}empty|no cards (?:left )?in (?:either|both)|continue (?:drawing|to draw)|(?:still|also) (?:empty|no)",
        ),
        once=True,
        sure=True,
    ),
    Family(
        "fewer-there",
        Stake.NUMBER,
        Text(ja="指示された数に足りないとき", en="fewer than the number asks for"),
        Text(
            ja="「{phrase}」: その数だけないときは、あるだけ行いますか、何も行いませんか。",
            en="“{phrase}”: if there are fewer, as many as there are, or nothing at all?",
        ),
        Text(
            ja="「2枚捨てる」を1枚の手札に言われたとき、捨てるのか免れるのかが変わります。",
            en="Told to discard two, a player with one either loses it or keeps it.",
        ),
        Text(
            ja="総則に、足りなければ可能な限り行う、と一度書きます。コストだけは全部払えなければ払えない、とします。",
            en="One general clause: as many as possible. Costs are the exception: all or nothing.",
        ),
        (
            ja("相手は手札を2枚捨てます。", "相手は手札を2枚捨てます。足りない場合は、あるだけ捨てます。"),
            en(
                "The opponent discards two cards from hand.",
                "The opponent discards two cards from hand, or as many as possible.",
            ),
        ),
        raised=said(
            r"(?P<key>[^、。はが\s]{0,10}(?:を|から|の上から|の中から))?"
            + _TWO
            + r"\s*(?:枚|個|つ|体|人|匹)(?:の[^、。かられ]{1,10})?(?:を)?(?:捨て|選(?:ぶ|び|ん)|公開|除外|破棄|めく|取り除|失(?:う|い)|支払|移動|取(?:る|り)|墓地|見(?:る|て)|破壊)[^、。]{0,6}",
            r"\b(?:discards?|chooses?|selects?|reveals?|removes?|looks? at|takes?|returns?|sacrifices?|destroys?|loses?|mills?|exiles?|banish(?:es)?)\b (?:the top |their top |your top |exactly )?(?:two|three|four|five|six|seven|eight|nine|ten|X|[2-9]|1\d)\b (?:[a-z-]+ ){0,3}?(?:cards?|tokens?|units?|characters?|dice|counters?|tiles?|cubes?|pieces?|points?)\b",
        ),
        unless=said(
            r"まで|以上|以下|未満|準備|開始時|初期|構築|最初の手札|マリガン|コスト|できる|できます|組み?|ずつ配|シャッフル|引き直|デッキに|ゲームの(?:開始|最初)|ない場合|場合の|とは|満たない|以内",
            r"up to|at least|or more|or fewer|at most|setup|\bsetup\b|that|which|each round|start of the game|begin the game|starting|opening|\bmay\b|\bcan\b|cost|mulligan|\bif\b|when you|whenever|deck[- ]?build|as many|each deck|\bpay",
        ),
        also=(
            (
                said(
                    rf"(?P<key>[^、。はが\s]{{1,10}}(?:を|から|の上から|の中から|のうち)){to.TWO_OR_MORE}(?!まで|以上|以下|未満|ずつ|につき|を?{_DRAW}|を?配)(?:を)?[一-龠](?<!配)[ぁ-ん一-龠]{{1,4}}|(?P<key2>[^、。はが\s]{{0,10}}(?:を|から|の上から|の中から|のうち))?{to.TWO_OR_MORE}(?!まで|以上|以下|未満|ずつ|につき)(?:の[^、。かられ]{{1,10}})?(?:を[^、。]{{0,8}}?)?{to.forms(to.CHOOSE + ' ' + to.MOVE)}[^、。]{{0,6}}",
                    rf"\b{to.words(to.MOVE_EN)}\b (?:off |over |away |back |out |from (?:\w+ )?hand )?(?:the (?:top|bottom|last|first|next) |their top |your top |exactly |any )?{to.TWO_EN} (?!(?:[a-z-]+ )?(?:times|turns|steps|rounds|spaces|players|ways|minutes|seconds|points|actions|phases|sides)\b)(?:[a-z-]+ ){{0,2}}?[a-z]+s\b|\b(?:top|bottom) {to.TWO_EN} (?:[a-z-]+ )?cards? (?:of|in|from) [^.,;]{{2,24}}|(?:^|[,;] |\b(?:then|and|it|player|who|owner|host|guest|loser|winner|caster|opponent) )(?!(?:draw|deal|shuffle|roll|have|has|start|begin|receive|get|need)s?\b)[a-z]+ (?:off |over |out |up )?{to.TWO_EN} (?:of )?(?:the |their |your |its )?(?:[\w'’-]+ ){{1,3}}?(?:from|of|in|out of|off) (?!play\b)[^.,;]{{2,24}}|\b(?!(?:has|is|needs|costs|draws|drafts|deals|receives|gains|gets|scores|begins|starts|lasts|plays|contains|holds|consists|this|players|cards|takes|counts|does|was|its|less|plus|minus|equals|requires|wins|loses|earns|shows|rolls|rows|of)\b)[a-z]{{3,}}s (?:out |down |up |off |over |away |back )?{to.TWO_EN} (?:[a-z-]+ ){{0,2}}?[a-z]+s\b(?<!turns)(?<!times)(?<!steps)(?<!points)(?<!spaces)(?<!rounds)(?<!seconds)(?<!minutes)|\b(?:turns?|flips?) {to.TWO_EN} of\b[^.,;]{{0,24}}|\b{to.TWO_EN} (?:of )?(?:the |their |your |its )?(?:[\w'’-]+ ){{1,3}}?(?:go|return|are (?:moved|put|returned|discarded|sunk|destroyed|removed|given)) (?:back |in|to|on|out|under)[^.,;]{{0,20}}",
                ),
                said(
                    r"以下の|準備|開始|初期|構築|最初|マリガン|コスト|費用|ことができる|できます|(?:て|で)も?よい|配|シャッフル|引き直|デッキに|不足|足りな|満た|ない(?:場合|なら|とき)|場合の|とは|以内|能力|のうち[^、。]*のうち|箱|銀行|共通",
                    r"up to|at least|or more|or fewer|at most|set-?up|\bthat\b|which|each round|start of|begin|starting|opening|\bmay\b|\bcan\b|cost|mulligan|\bif\b|when(?:ever)?\b|deck[- ]?build|as many|each deck|\bpay|fewer|unable|supply|bank|reserve|\bbox\b|player who|those who|before the",
                ),
            ),
        ),
        near=said(_AS_MANY.ja.pattern if _AS_MANY.ja else "", _AS_MANY.en.pattern if _AS_MANY.en else ""),
        general=_AS_MANY,
        once=True,
        not_under=SETUP,
        needs=GAME,
    ),
    Family(
        "impossible",
        Stake.NUMBER,
        Text(ja="できないことを求められたとき", en="told to do what cannot be done"),
        Text(ja="「{phrase}」: それができないときは、どうなりますか。", en="“{phrase}”: what if it cannot be done?"),
        Text(
            ja="「必ず」は、できない場合に進めなくなります。",
            en="A duty that cannot be fulfilled brings play to a stop.",
        ),
        Text(
            ja="総則に、不可能な指示は行わず次へ進む、と一度書きます。",
            en="One general clause: what is impossible is not done, and play goes on.",
        ),
        (
            ja(
                "プレイヤーは自分の番に必ず札を1枚出さなければなりません。",
                "プレイヤーは自分の番に必ず札を1枚出さなければなりません。出せない場合は番を終えます。",
            ),
            en(
                "A player must play a card in each turn.",
                "A player must play a card in each turn. A player who cannot passes.",
            ),
        ),
        raised=said(
            r"必ず[^、。]{0,24}(?:出|置|捨|選|支払|移動|攻撃|使用|宣言|行(?:う|わ|い)|公開|払)[^、。]{0,14}|[^、。]{0,14}(?:出さ|置か|捨て|選ば|支払わ|移動し|攻撃し|払わ|移動さ)(?:せ)?なければ(?:なりません|ならない|いけない|いけません)",
            r"\b(?:player|team|you|they|opponent|unit|character|robot|he or she)s? must (?:then |immediately |first |also |always )?(?:attack|discard|reveal|sacrifice|block|give up|(?:play|move|place|take|return|remove|give) (?:a|an|one|two|their|its|his|the|another|your) (?:\w+ ){0,2}?(?:cards?|units?|pieces?|pawns?|tokens?|characters?|coins?|dice|tiles?|resources?))\b[^.,;]{0,36}",
        ),
        unless=said(
            r"可能|できない|出来ない|ない場合|限り|場合を除|とき|場合|際|には|にあたり|前に|後に|まで(?:に)?|ために|る時|払わなければ(?:、|使)|たら|見え|ジャッジ|審判|主審|スタッフ|運営",
            r"\bif\b|\bable\b|\bunless\b|possible|cannot|can't|\bwhen\b|\bbefore\b|in order to|\bto (?:use|play|do|attack|build|make)|until|within|\bonly\b",
        ),
        also=(
            (
                said(
                    rf"[^、。]{{0,16}}を?[^、。]{{0,10}}[一-龠](?<!行)(?<!守)[ぁ-ん]{{0,3}}(?<!で){to.MUST}|必ず[^、。]{{0,24}}{to.forms(to.CHOOSE + ' ' + to.MOVE + ' 攻め|る 攻め落とす 攻撃')}[^、。]{{0,8}}|[^、。]{{0,20}}{to.forms(to.MOVE)}る?こと(?:とする|とします)?(?=。|$)",
                    rf"\b{to.MUST_EN} (?:then |first |also |always |now )?(?!(?:be|have|pay|wait|stop|say|announce|declare|shuffle|keep|look|turn|do|make|wear|endure|use|know|remain|finish|win|score|reach)\b)[a-z]+ (?:over |out |up |down |back |off )?(?:an?|one|two|three|another|the|any|their|its|his|her|your) [^.,;]{{0,40}}",
                ),
                said(
                    r"可能|でき|できない|出来ない|ない(?:場合|なら)|なければ(?:使|出せ)|限り|場合を除|とき|場合|際|には|にあたり|前に|後に|まで|ために|る時|払わ|見え|審判|主審|準備|構築|費用|コスト|以上|以下",
                    r"\bif\b|\bable\b|\bunless\b|possible|cannot|can['’]t|\bwhen\b|\bbefore\b|\bafter\b(?! (?:that|this)\b)|in order|until|within|\bonly\b|set-?up|referee|judge|\bcost|\bthat (?:can|has|have|is|are)\b|\beach time\b|\bmore\b|\bfewer\b",
                ),
            ),
        ),
        near=said(
            r"できない(?:場合|とき|時|なら|プレイヤー|者)|でき(?:なければ|ません)|なければ(?:、|パス|番|何も)|不可能|可能な(?:限り|ら)|出せない|置けない|払えない|引けない",
            r"\bcannot\b|\bcan't\b|unable|if able|if possible|impossible|\bno (?:legal|valid|such)\b|does not have|doesn't have|if (?:there (?:is|are) no|not possible)",
        ),
        general=said(
            r"(?:実行|履行)?(?:不可能|できない)(?:な)?(?:こと|指示|行動|部分|処理|効果).{0,40}(?:行わ|行いま|無視|実行しな|飛ば|起こ)|可能な限り|行える限り|できる限り(?:多く|実行|行)",
            r"impossible.{0,100}(?:ignor|isn't|is not|not (?:done|happen|perform)|nothing)|ignor.{0,60}impossible|as much (?:of it )?as possible|bankrupt|insufficient funds",
        ),
        once=True,
        not_under=SETUP,
        needs=GAME,
    ),
    Family(
        "cost-in-part",
        Stake.NUMBER,
        Text(ja="コストの一部だけ払えるとき", en="a cost that can be paid in part"),
        Text(
            ja="「{phrase}」: 一部しか払えないとき、払い始めることはできますか。払った分は戻りますか。",
            en="“{phrase}”: if only part of it can be paid, may one begin, and is what was paid given back?",
        ),
        Text(
            ja="払った分だけ得をする、途中でやめて損をする、の両方が起こります。",
            en="Players either profit from a part, or lose it.",
        ),
        Text(
            ja="全部を払えなければ払えない（使用できない）、途中で払えなくなれば使用前に戻す、とします。",
            en="All or nothing: what cannot be paid in full cannot be used; if it fails half-way, everything goes back.",
        ),
        (
            ja(
                "コストとして、手札を1枚捨て、場の札を1枚横にします。",
                "コストとして、手札を1枚捨て、場の札を1枚横にします。すべて支払えない場合は使用できません。",
            ),
            en(
                "As a cost, discard a card and turn a card on the table.",
                "As a cost, discard a card and turn a card on the table. If you cannot pay all of it, you cannot use the effect.",
            ),
        ),
        raised=said(
            r"コスト(?:を|の)?[^。、]{0,10}(?:支払|払)[^、。]{0,10}|コストとして(?!扱)[^。、]{0,30}",
            r"\bas (?:a|an additional|part of the) cost,? [^.;]{0,40}\band\b[^.;]{0,20}|\bcosts? consists? of\b[^.;]{0,30}\band\b[^.;]{0,20}",
        ),
        unless=said(
            r"(?:支払|払)(?:った(?:り|とは|ものと)|わずに|われ(?:てい|た)場合)|払わなく",
            r"without paying|is not considered",
        ),
        also=(
            (
                said(
                    rf"{to.PRICE}[^。]{{0,16}}?{_PIECE}[^。、]{{0,8}}?(?:と|および|及び|ならびに|並びに|、|に加え|かつ)[^。、]{{0,12}}{_PIECE}|{_PIECE}(?:と|および|及び|ならびに|並びに)[^、。]{{0,10}}{_PIECE}(?:が必要|が要|を要|がかか)[^、。]{{0,6}}|{to.ONE_OR_MORE}(?:と|および|及び|ならびに|並びに)[^、。]{{0,10}}{to.ONE_OR_MORE}を[^、。]{{0,6}}{to.forms('払う 支払う 差し出す 納め|る 費やす 捧げ|る')}[^、。]{{0,6}}|{_PIECE}(?:と|および|及び)[^、。]{{0,10}}{_PIECE}を(?:箱|共通|銀行|倉)[^、。]{{0,4}}{to.forms('返す 戻す')}[^、。]{{0,6}}|{to.PRICE}[^。]{{0,6}}、[^。]{{0,10}}{_PIECE}を[^、。]{{0,14}}、[^、。]{{0,10}}{_PIECE}[^、。]{{0,14}}"
                    rf"|(?:使う|出す|唱える|起動する|発動する|置く|呼ぶ|建てる|撃つ)(?:には|ために(?:は)?|前に|ときは)、?[^。]{{0,30}}{to.ONE_OR_MORE}[^。、]{{1,12}}、[^。]{{0,24}}{to.ONE_OR_MORE}[^。、]{{1,12}}",
                    rf"\b(?:costs|the (?:cost|price|fee|payment)|\w+ing (?:\w+ ){{0,3}}(?:takes|needs|requires))\b[^.;]{{0,30}}\b(?:{to.NUMBER_EN}|an?)\b [^.,;]{{1,24}}\b(?:and|plus|as well as|together with)\b (?:{to.NUMBER_EN}|another|an?)\b[^.,;]{{0,20}}|\b(?:pays?|spends?|gives? (?:up|back)|surrenders?)\b (?:{to.NUMBER_EN}|an?)\b [^.,;]{{1,24}} (?:and|plus|as well as) (?:\w+ )?(?:{to.NUMBER_EN}|another|an?)\b[^.,;]{{0,20}}"
                    rf"|\bto (?:play|use|launch|cast|build|summon|activate|plant|put down|call) [^.,;]{{1,24}}, [^.;]{{0,20}}?{to.words(to.MOVE_EN)} (?:{to.NUMBER_EN}|an?)\b [^.,;]{{1,40}} and {to.words(to.MOVE_EN)} [^.,;]{{1,30}}|\bpaid (?:for )?(?:by|with) \w+ing (?:{to.NUMBER_EN}|an?) [^.,;]{{1,24}} and [^.,;]{{3,30}}|\bto \w+ (?:it|an?|the) ?[^.,;]{{0,20}}, (?:{to.NUMBER_EN}|an?) [^.;]{{1,50}} and (?:{to.NUMBER_EN}|an?|another) [^.,;]{{1,30}}|\b(?:before|in order for|for) [^.,;]{{1,24}} (?:is|are|may be|can be|to be) (?:played|planted|used|put down|built|activated|launched|summoned|laid)\b,? [^.;]{{1,20}} {to.words(to.MOVE_EN)} [^.;]{{1,60}} and {to.words(to.MOVE_EN)} [^.,;]{{1,30}}",
                ),
                said(
                    r"または|もしくは|か、|いずれか|なければ|1枚につき|ごとに",
                    r"\bor\b|\beither\b|for example|\beach\b|cannot|unless",
                ),
            ),
        ),
        general=said(
            rf"{to.PRICE}[^。]{{0,30}}(?:一部|すべて|全て|全部|全額|そろえ|揃え)|"
            + r"(?:支払|払)(?:え|うことができ|うことが出来|いきれ|い切れ)な|コスト[^。]{0,40}(?:一部(?:だけ|のみ|しか)|不足|足りな|払えるだけ)|(?:一部|すべて|全て|全部)[^。]{0,16}(?:支払|払)",
            r"(?:cannot|can't|unable|unless|only if|not enough|fails? to).{0,50}(?:pay|afford|cost)|pay.{0,40}(?:in full|all of|partial|fully|entire)|partial.{0,20}(?:pay|cost)|(?:all|full|entire|total|whole) (?:of the )?(?:costs?|prices?)",
        ),
        once=True,
    ),
    Family(
        "below-zero",
        Stake.NUMBER,
        Text(ja="零を下回るとき", en="below zero"),
        Text(
            ja="「{phrase}」: 0を下回りますか。下回った値はどう扱いますか。",
            en="“{phrase}”: can it go below zero, and what does that count as?",
        ),
        Text(
            ja="負の値は、後から足す値や比べる値を変えます。",
            en="A negative value changes what is added to it or compared with it later.",
        ),
        Text(
            ja="0未満にはならない、または負の値のまま足し引きし、数としては0と扱う、と総則に書きます。",
            en="One general clause: nothing goes below zero; or values may be negative, and count as zero where something is done so many times.",
        ),
        (
            ja(
                "この札が表の間、相手の攻撃力を2減らします。",
                "この札が表の間、相手の攻撃力を2減らします。0未満にはなりません。",
            ),
            en(
                "While this card is face up, reduce the opponent's power by 2.",
                "While this card is face up, reduce the opponent's power by 2, to a minimum of 0.",
            ),
        ),
        raised=said(
            r"(?P<key>[^、。はがを\s]{1,10})[がを][^、。]{0,14}(?:減らし|減らす|減少(?:し|す|させ)|マイナス|引いた(?:数|値|点)|差し引|減算)[^、。]{0,10}|[-−－][0-9０-９XＸ]+(?:する|され|され|修正|点)[^、。]{0,8}",
            r"\b(?:reduce|decrease|subtract|lower)s?\b (?:\w+ )?(?:[\w'’]+ ){0,3}?(?:power|strength|cost|score|points?|value|attack|level|defen[cs]e|speed)\b[^.,;]{0,30}",
        ),
        unless=said(
            r"[0-9０-９一二三四五](?:枚|回|体|隻|人|本)を?減|0未満|０未満|0以下|０以下|下回|最低|下限|0にな|０にな|負の|以上|枚数|残り|まで減|回数を減|いただ|時間|人数|最小|体力|ライフ|ＨＰ|HP|ダメージ",
            r"minimum|below|less than|at least|zero|\b0\b|negative|not be reduced|can't|cannot|not lose|loses? the game|\bif (?:a|the|you|they)",
        ),
        also=(
            (
                said(
                    rf"(?P<key>[^、。はがを\s]{{1,10}})[をがは]、?[^、。]{{0,18}}?{to.DIGITS}(?:点|ポイント)?(?:だけ|ずつ)?(?:を)?(?:{to.forms(to.LOWER)}|低く(?:する|なる|し|なり)|弱く(?:する|なる|し|なり))[^、。]{{0,8}}|(?P<key2>[^、。はがを\s]{{1,10}})から{to.DIGITS}(?:点)?を?(?:引く|引き(?:ます|、)|減|差し引)[^、。]{{0,6}}|(?:点|得点|値)[^、。]{{0,6}}{to.DIGITS}点?(?:だけ|ずつ)?を?失[うい][^、。]{{0,6}}",
                    rf"\b(?:{to.words(to.LOWER_EN)}|slower|weaker|lower|smaller|less|down|falls?|sinks?)\b [^.;]{{0,40}}?\bby (?:{to.NUMBER_EN}|that|the|its|as much)\b[^.,;]{{0,24}}|\b(?:takes?|taking|knocks?|docks?|deducts?|deducting) (?:{to.NUMBER_EN}|that many|as many) (?:\w+ )?(?:off|away|from)?[^.,;]{{0,6}}\b(?:points?|strength|power)\b (?:off|away from|from)\b (?!the (?:deck|table|board|supply|pile))[^.,;]{{0,24}}|\b(?:deducts?|subtracts?) (?:{to.NUMBER_EN}|that many) from\b[^.,;]{{0,24}}|\b(?:takes?|knocks?) (?:\d+|one|two|three|four|five) off\b[^.,;]{{0,24}}|\b(?:loses?|forfeits?) (?:{to.NUMBER_EN}|that many|as many) points?\b[^.,;]{{0,20}}|\b{to.NUMBER_EN} (?:points? )?(?:less|lower|weaker|slower)\b(?! than)[^.,;]{{0,16}}|\bminus (?:\d+|one|two|three|four|five)\b[^.,;]{{0,16}}",
                ),
                said(
                    r"[0-9０-９一二三四五](?:枚|回|体|隻|人|本)を?減|0未満|０未満|0以下|０以下|下回|最低|下限|(?<![0-9])0に|負の|以上|枚数|枚|まで減|回数|時間|人数|最小|体力|ライフ|ＨＰ|HP|ダメージ|費用|コスト|分|秒|反則|減点",
                    r"minimum|below|less than|at least|\bzero\b|\b0\b|negative|not be (?:reduced|lowered)|can['’]?t|cannot|not lose|loses? the game|\bif (?:a|the|you|they)|\bcards?\b(?=[^.]*\bfrom\b)|\bcosts?\b|\bprice\b|penal|\bfouls?\b|health|\blife\b|damage",
                ),
            ),
        ),
        near=said(
            r"0(?:未満|以下|を下回|より小)|０(?:未満|以下|を下回)|下限|負の(?:値|数)|マイナスの?(?:値|に|点)|最低",
            r"below (?:zero|0)|minimum|negative|less than (?:zero|0)|at least (?:zero|0|one|1)|\bto (?:0|zero)\b",
        ),
        general=said(
            r"(?:0|０|零)(?:未満|以下|を下回|より小さ)|負の(?:値|数)|マイナスの(?:値|数|場合)|マイナスに",
            r"\bfloor\b|(?:\b0|zero) or (?:below|less|fewer|under|lower)|below (?:zero|0)|negative (?:number|value|score|result|amount)|less than (?:zero|0)|never (?:go )?(?:below|negative)|(?:reach|pass)(?:es)? (?:or passes )?(?:zero|0)\b|[-−]\d+ (?:points?|\(negative)",
        ),
        once=True,
        needs=GAME,
    ),
    Family(
        "rounding",
        Stake.NUMBER,
        Text(ja="端数", en="fractions"),
        Text(
            ja="「{phrase}」: 割り切れないときは、切り上げますか、切り捨てますか。",
            en="“{phrase}”: is it rounded up or down?",
        ),
        Text(ja="奇数のたびに答えが要ります。", en="Every odd number asks for an answer."),
        Text(
            ja="総則に、端数は切り捨て（または切り上げ）、と一度書きます。",
            en="One general clause: round down (or up).",
        ),
        (
            ja("手札の半分を捨てます。", "手札の半分（端数切り上げ）を捨てます。"),
            en("Discard half of your hand.", "Discard half of your hand, rounded up."),
        ),
        raised=said(
            r"[^、。]{0,12}(?:の半分|半数|半額|2分の1|２分の１|二分の一|3分の1|三分の一|で割(?:る|った|り切)|平均(?:値|点)?(?:を|が|は|と|で))[^、。]{0,12}",
            r"\b(?:half (?:of )?(?:the |their |your |its |his or her |that )(?:\w+ )?(?:number|cards?|hand|points?|damage|deck|score|total|value|cost|life|health|coins?|tokens?|units?|money|resources?|amount|strength|power)|\bhalves? (?:the|your|their|its|all|that|one)\b[^.,;]{0,20}(?:damage|cost|score|points|life|health|power|number|value)|the average (?:of|score|time|value)|(?:split|divided|shared) (?:equally|evenly)|one third of|two thirds of)[^.,;]{0,30}",
        ),
        unless=said(
            r"切り?上げ|切り?捨て|端数|四捨五入|コート|時間|時間の半|後半|前半|以上|超え|以下|図|フィールドの半|半分に(?:折|切)|割り込",
            r"round|half[- ]time|half of the (?:field|court|board|table|game|pitch|arena|track)|halfway|second half|first half|at least|more than|or more|less than|minutes|width|length|diameter|height",
        ),
        near=said(
            r"切り?上げ|切り?捨て|端数|四捨五入|小数",
            r"remainder|odd chip|left ?over|\bdecimal|\bround(?:ed|ing)? (?:up|down|to)|fraction",
        ),
        general=said(
            r"(?:端数|小数|割り切れ).{0,40}(?:切|四捨|無視)|切り(?:上げ|捨て)",
            r"\bround(?:ed|ing)?\b.{0,30}(?:up|down|nearest)|\bfractions?\b",
        ),
        once=True,
    ),
    Family(
        "hand-limit",
        Stake.NUMBER,
        Text(ja="手札の上限を超えたとき", en="over the hand limit"),
        Text(
            ja="「{phrase}」: 超えたらどうなりますか。いつ確かめますか。",
            en="“{phrase}”: what happens when it is exceeded, and when is that looked at?",
        ),
        Text(
            ja="引いた直後に捨てるのか、番の終わりまで持てるのかで、強さが変わります。",
            en="Holding more until the end of the turn, or not, makes a different game.",
        ),
        Text(
            ja="自分の番の終わりに、上限になるまで自分で選んで捨てる、とするのが通例です。",
            en="Usually cut down at the end of one's own turn, by one's own choice.",
        ),
        (
            ja("手札の上限は7枚です。", "手札の上限は7枚です。超えた場合、番の終わりに7枚になるまで捨てます。"),
            en(
                "The maximum hand size is seven cards.",
                "The maximum hand size is seven cards. Discard the excess at the end of your turn.",
            ),
        ),
        raised=said(
            r"手札[^、。]{0,10}(?:上限|最大)[^、。]{0,8}[0-9０-９一二三四五六七八九十]+[^、。]{0,8}|手札は[^、。]{0,6}[0-9０-９]+枚まで[^、。]{0,10}",
            r"\b(?:maximum|max\.?) hand size (?:is|of)\b[^.,;]{0,20}|\bhand (?:size )?limit (?:is|of)\b[^.,;]{0,20}|\b(?:maximum|max\.?|at most|no more than|up to) (?:of )?\w+ cards? in (?:a |the |their |your |his )?hand\b[^.,;]{0,16}",
        ),
        unless=said(r"上限(?:は|が)?(?:ない|なし|ありません)|初期|開始", r"\bno maximum|starting|begin|setup"),
        general=said(
            r"手札[^。]{0,50}(?:超え|超過|上回|以上|上限|なるまで|なるよう|余分)[^。]{0,40}(?:捨て|伏せ|引けな|(?:引く|保持|持つ|加える)[^。]{0,8}でき(?:な|ま)|戻|墓地|トラッシュ|除)|(?:超え|超過|上回)[^。]{0,40}(?:捨て|手札)|(?:なるまで|なるよう)[^。]{0,10}捨て",
            r"discard[^.]{0,60}(?:down to|until|excess|extra|hand size|maximum|limit)|(?:more|over|above|exceed\w*)[^.]{0,60}(?:hand|cards)[^.]{0,60}discard|hand size[^.]{0,60}discard|limited to [^.]{0,40}by the end",
        ),
        once=True,
    ),
    Family(
        "limit-then-what",
        Stake.NUMBER,
        Text(ja="上限を超えたとき", en="a limit without a consequence"),
        Text(
            ja="「{phrase}」: 超えたら（超えることになるとき）どうなりますか。いつ確かめますか。",
            en="“{phrase}”: what happens when it is exceeded (or would be), and when is that looked at?",
        ),
        Text(
            ja="置けない、すぐ捨てる、番の終わりに捨てる、では遊び方が変わります。",
            en="Not allowed, discarded at once, or at the end of the turn: three different games.",
        ),
        Text(
            ja="場は新しく置けない（または一つを選んで捨ててから置く）、数値は上限の値になる、と書くのが通例です。",
            en="Usually: nothing more can be put on a full table (or one is discarded first), numbers stop at the limit.",
        ),
        (
            ja("場に置ける札は最大5枚です。", "場に置ける札は最大5枚です。超える場合は置けません。"),
            en(
                "A player may control up to five units.",
                "A player may control up to five units. Units beyond that are discarded.",
            ),
        ),
        raised=said(
            r"[^、。]{0,14}(?:上限|最大(?:枚数|数|値)?)は[^、。]{0,14}[0-9０-９一二三四五六七八九十]+[^、。]{0,8}|[^、。]{0,14}最大(?:で)?[0-9０-９]+(?:枚|個|体|つ|人)[^、。]{0,12}|[^、。]{0,14}[0-9０-９]+(?:枚|個|体|つ)まで(?:しか)?(?:置|持|保持|配置|存在|所持|並べ|設置|貯め|出し)[^、。]{0,10}",
            r"\b(?:maximum|max\.?) (?:number of [a-z ]{2,24}|limit|capacity) (?:is|of|are)\b[^.,;]{0,40}|\b(?:may|can) (?:only )?(?:have|hold|keep|control|carry|own) (?:up to|at most|no more than|a maximum of) \w+\b[^.,;]{0,24}|\bno more than (?:\w+) (?:cards?|tokens?|units?|characters?|items?) (?:in|on)\b[^.,;]{0,24}",
        ),
        unless=said(
            r"[0-9０-９一二三四五六七八九十]\s*(?:枚|個|体|つ|人)目|手札|デッキ|上限(?:は|が)?(?:ない|なし|ありません)|選(?:ぶ|び|ん)|引(?:く|き)|山札|人数|人まで参加|定員|文字|超え|超過|上回|以上にな|捨て|参加|チーム|分|できない|できません|秒|サイズ|重|ファイル|同名|構築|参照",
            r"\bhand\b|deck|\bno maximum|exceed|excess|discard|more than that|player count|dimension|weight|voltage|mm\b|cm\b|kg\b|minutes|seconds|participants|members|team|size of|players|people|entries|cop(?:y|ies)|sideboard|organi[sz]ation|races?\b",
        ),
        also=(
            (
                said(
                    rf"[^、。]{{0,14}}{to.DIGITS}\s*{to.UNIT}?(?:を超え(?:て|る[^、。]{{0,10}}を)|より多(?:く|い)(?:の?[^、。]{{0,8}}を)?|を上回[りる][^、。]{{0,8}}を?)[^、。]{{0,16}}{to.forms(to.HAVE)}[^、。]{{0,6}}(?:まま[^。]{{0,20}})?{to.MUST_NOT}"
                    rf"|[^、。]{{0,14}}{to.ONE_OR_MORE}(?:以内|以下)(?:で|に)(?:なければ|なくては|保|とど|抑|収)[^、。]{{0,8}}|[^、。]{{0,14}}{to.ONE_OR_MORE}しか{to.forms('持つ 保つ 抱え|る 貯め|る 蓄え|る 保持 所持')}[^、。]{{0,4}}(?:ない|ません)|[^、。]{{0,14}}{to.DIGITS}\s*{to.UNIT}?(?:を超え|より(?:多|大き|高)く)(?:は)?(?:なら)?(?:ない|ません|ることは?(?:ない|ありません))(?=。|$)"
                    rf"|[^、。]{{0,14}}{to.ONE_OR_MORE}を(?:超え|上回っ)ては(?:なら|いけ)(?:ない|ません)|[^、。]{{0,14}}{to.ONE_OR_MORE}より多く(?:は)?[^、。]{{1,10}}(?:ない|ません)(?=。|$)|[^、。]{{0,14}}{to.ONE_OR_MORE}を超える[^、。]{{1,10}}[がをは][^、。]{{0,10}}{to.MUST_NOT}|[^、。]{{0,14}}{to.DIGITS}\s*{to.UNIT}?より上[^、。]{{0,6}}(?:なら|いか|上が)(?:ない|ません)|[^、。]{{0,14}}最大で?{to.ONE_OR_MORE}[^、。]{{0,6}}|[^、。]{{0,14}}{to.ONE_OR_MORE}以[内下]で{to.forms(to.HAVE)}[^、。]{{0,8}}|[^、。]{{0,20}}は、?[^、。]{{0,8}}{to.ONE_OR_MORE}まで(?:です|である|だ)?(?=。|$)|[^、。]{{0,20}}{to.ONE_OR_MORE}(?:までと(?:する|します|し、)|が(?:限度|限界)|以内と(?:する|します)|を限度)[^、。]{{0,4}}|[^、。]{{0,14}}(?:{to.forms(to.HAVE)}|置け|持て|保て)[^、。]{{0,16}}は[^、。]{{0,8}}{to.ONE_OR_MORE}まで(?:です|である|だ)?(?=。|$)|[^、。]{{0,14}}{to.DIGITS}\s*{to.UNIT}?を(?:超え|上回)る(?:こと|の)は{to.MUST_NOT}|[^、。]{{0,14}}(?:高々|多くとも|多くても|せいぜい){to.ONE_OR_MORE}[^、。]{{0,12}}",
                    rf"\b(?:at most|no more than|not more than|never more than|a maximum of|up to) {to.NUMBER_EN} (?:[\w-]+ ){{0,3}}?(?:(?:shall|may|can|must|should|ever|will) )*{to.words(to.HAVE_EN)}\b[^.,;]{{0,24}}|\b(?:may|can|shall|must|will)\b(?: only)? (?:ever )?{to.words(to.HAVE_EN)}\b [^.,;]{{0,12}}?\b(?:at most|no more than|a maximum of|only)\b {to.NUMBER_EN}[^.,;]{{0,20}}"
                    rf"|\b{to.MUST_NOT_EN} {to.words(to.HAVE_EN)} [^.,;]{{0,14}}\b(?:more than|over|above|in excess of) {to.NUMBER_EN}\b[^.,;]{{0,20}}|\b(?:no|neither|nobody|no one)\b (?:\w+ ){{0,3}}?(?:ever )?(?:{to.words(to.HAVE_EN)}|rises?|goes|exceeds?|climbs?|grows?) (?:[\w']+ ){{0,3}}?(?:above|over|beyond|more than|past) {to.NUMBER_EN}\b[^.,;]{{0,16}}|\b{to.words(to.HAVE_EN)} {to.NUMBER_EN} (?:[\w-]+ ){{1,6}}at (?:the )?most\b|\b{to.NUMBER_EN} (?:[\w-]+ ){{0,3}}(?:and|but) no more\b|\b{to.MUST_NOT_EN} (?:go|rise|climb|get|grow|exceed) ?(?:above|beyond|over|past)? {to.NUMBER_EN}\b[^.,;]{{0,16}}|\bthe most\b [^.,;]{{3,40}} is {to.NUMBER_EN}\b|\b{to.NUMBER_EN} [^.,;]{{0,24}}\bis the (?:maximum|limit|most)\b[^.,;]{{0,12}}|\b(?:no|neither) [^.,;]{{1,20}} (?:may|can|shall) {to.words(to.HAVE_EN)} more than {to.NUMBER_EN}\b[^.,;]{{0,16}}|\bno \w+ \w+s more than {to.NUMBER_EN}\b[^.,;]{{0,16}}|\b(?:is|are) limited to {to.NUMBER_EN}\b[^.,;]{{0,16}}|\b(?:is|there['’]s|there is) (?:only )?room for (?:only )?{to.NUMBER_EN}\b[^.,;]{{0,16}}|\bnever (?:\w+ ){{0,2}}?(?:above|over|beyond|past|more than) {to.NUMBER_EN}\b[^.,;]{{0,16}}",
                ),
                said(
                    r"手札|デッキ|構築|山札|人数|参加|チーム|文字|開始時|初期|超え(?:た|る)(?:場合|とき|分|と)|余|捨て|同名|秒|分間|選|引[くき]|準備",
                    r"\bhand\b|deck|(?<!not )(?<!never )exceed|excess|discard|more than that|dimension|weight|voltage|\b(?:mm|cm|kg)\b|minutes|seconds|participants|members|team|people|entries|cop(?:y|ies)|sideboard|organi[sz]|races?\b|\bif\b|\bwhen|instead|choose|players?\b[^.]*\bpriority|\bso\b|hence|therefore|\btimes?\b|players? (?:may|can) (?:play|take part)|until|set-?up",
                ),
            ),
        ),
        near=said(
            r"超え(?:(?:た|る)(?:分|場合|とき|時|と、|なら|ことになる)|れば)|超過|上回(?:った|れば|る(?:分|場合|とき|時|と、))|以上にな|いっぱい|満杯|置け(?:ない|ません)|(?:まで|ように|なるよう|余分|余剰)[^。]{0,10}捨て|(?:置|出|加え|増や|受け取)[^。]{0,6}(?:こと(?:は|が)でき|ことは出来)(?:ない|ません)|(?:でき|出せ|持て)(?:ない|ません)",
            r"(?<!not )(?<!never )exceed|excess|more than (?:that|this|the|\w+ cards)|discard (?:down|until)|over the limit|is full|too many|(?:beyond|above) (?:that|this|it|the)\b|(?:cannot|can['’]?t|may not) (?:\w+ )?(?:be )?(?:add|put|place|play|gain|take|draw|receive|summon|deploy|build)|\bmust (?:discard|remove)",
        ),
        general=said(
            r"(?:上限|最大).{0,40}(?:超え|超過|上回).{0,60}(?:場合|とき|時|なら|代わり|可能な限り)",
            r"(?:exceed|above|beyond|over) (?:the|its|their|a|that) (?:limit|maximum|cap).{0,60}",
        ),
    ),
    Family(
        "counted-when",
        Stake.NUMBER,
        Text(ja="数える時点", en="counted when"),
        Text(
            ja="「{phrase}」: この数はいつ数えますか。使うと決めたときですか、処理するときですか。途中で変わったら数え直しますか。",
            en="“{phrase}”: counted when: as it is announced, or as it is carried out? Counted again if it changes meanwhile?",
        ),
        Text(
            ja="支払いや割り込みで数が変わると、二つの答えが違います。",
            en="Wherever paying, or an answer, changes the number, the two differ.",
        ),
        Text(
            ja="処理するその時に一度だけ数え、以後は変えない、とするのが通例です。",
            en="Usually once, as it is carried out, and not again.",
        ),
        (
            ja("場の札の枚数に等しい数の札を引きます。", "処理時の場の札の枚数に等しい数の札を引きます。"),
            en(
                "Draw cards equal to the number of cards on the table.",
                "Draw cards equal to the number of cards on the table at the time the effect resolves.",
            ),
        ),
        raised=said(
            r"[^、。]{0,16}の(?:枚数|数|値|合計|個数|人数)(?:と(?:同じ|等しい)|に等しい|だけ|分だけ|の分|ぶん)[^、。]{0,14}",
            r"\b(?:draws?|gains?|discards?|deals?|loses?|heals?)\b[^.;(]{0,40}\b(?:equal to the (?:number|total|amount|value|sum) of|for each|for every)\b[^.,;]{0,34}",
        ),
        unless=said(
            r"時点|時に|時の|解決|になる|処理中|終了時|開始時|最後に|得点|点を|点数|得点計算|準備|デッキ|場合|ゲームに勝|とき|とする|時$|直前|任意の(?:値|数|枚数|個数)|(?:取り除|捨て|支払|払|引|選ば?|公開|破棄|破壊|除外|戻|ドロー|めく)(?:った|いた|れた|した|し|れ|た)[^、。の]{0,10}の(?:枚数|個数|数)",
            r"(?:discarded|removed|paid|revealed|chosen|destroyed|drawn|returned|exiled|sacrificed|spent)(?: this way)?\b|at the time|when|at the (?:end|start|beginning)|resol|setup|once the|final|at that|each (?:player|team)|end of|during|score|scoring|at setup",
        ),
        also=(
            (
                said(
                    rf"(?P<key>[一-龠ァ-ヶー]{{1,6}})(?:から|の|を)[^。]{{0,30}}{to.forms(to.MOVE)}[^。]{{0,24}}(?P=key)(?:に(?:ある|いる|残る)[^、。]{{1,6}})?の(?:枚数|数|個数)(?:と(?:同じ|等しい)|に等しい|だけ|分)[^、。]{{0,14}}|(?:{to.PRICE}|強さ|力|[^、。の]{{1,6}}(?=は、?[^、。]{{0,16}}に等し))は、?[^、。]{{0,16}}の(?:枚数|[一-龠]?数|個数|合計)(?:と(?:同じ|等し)|に等し|である|です|とする|とします)[^、。]{{0,8}}",
                    rf"\b(?:{to.PRICE_EN}|power|strength|value|worth|size|cargo|\w+(?= equals)|^\W*(?:the|its) \w+(?= of [^.;]{{1,24}} is the number))\b[^.;]{{0,30}}\b(?:equals?|is (?:equal to |always |as (?:great|high|large|much) as )?)\b ?the (?:number|total|sum|amount) of\b[^.,;]{{0,34}}|\bas many [^.,;]{{1,20}} as (?!possible\b|(?:you|they|he|she|it)\b|needed\b)[^.,;]{{3,30}}",
                ),
                said(
                    r"時点|準備|得点計算|(?:取り除|捨て|支払|払|引|選|公開|破棄|破壊|除外|戻|めく)(?:いた|った|れた|した|んだ|た)[^、。の]{0,10}の",
                    r"at the time|as it is|when\b|set-?up|scor",
                ),
            ),
        ),
        near=said(
            r"時点(?:で|の)|(?:処理|解決|宣言|使用)(?:時|する(?:時|とき))に?(?:数|参照|決|計算)",
            r"at (?:the|that) (?:time|moment|point)|when (?:the|it|this) .{0,20}resol|is (?:calculated|counted|determined)",
        ),
        general=said(
            r"(?:数値|情報|値|枚数|数).{0,30}(?:参照|数え|決定|計算|確認).{0,30}(?:時点|時に|解決)|(?:解決|処理)(?:する)?(?:時|時点)の?(?:数|値|情報|状態)",
            r"(?:information|number|value|amount|count)s?.{0,60}(?:determined|calculated|counted|checked).{0,50}(?:when|once|resol|at the time|as)",
        ),
        once=True,
        needs=GAME,
        named=True,
    ),
)
