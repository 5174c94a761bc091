"""Who decides, who is meant, what is known to whom."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....spec.text import Text
from ..page import GAME, Page, said
from ..record import Family, Raised, Stake, at, en, ja
from . import language as to

PERSON_JA = (
    r"プレイヤー|プレーヤー|自分|自身|相手|あなた|対戦者|参加者|選手|競技者|チーム|審判|主審|審査|先攻|後攻|先手|後手|側|持ち主|オーナー|所有者|コントロール|コントローラー|"
    r"者[はがにの、]|員[はがにの、]|人[はがにの、]|親[はが]|子[はが]|手番|ディーラー|主催|運営|司会|ＧＭ|GM|マスター|お互い|各自|全員|委員|ランダム|無作為|ジャッジ|スタッフ|記録係|君|貴方|使い手|王"
)
PERSON_EN = (
    r"\bby\b|\bplayers?\b|\bteams?\b|\byou\b|\bopponents?\b|\breferees?\b|\bjudges?\b|\bcaptains?\b|\bowner|\bcontroller\b|\bdealer\b|\brandom|\bcommittee|\borgani[sz]|\bside\b|\bofficials?|"
    r"\bhost\b|\badmiral|\bpresident|\bleader\b|\bhe\b|\bshe\b|\bthey\b|\bwho\b"
)
_AGENT_JA = r"(?:プレイヤー|人|者|側|主|相手|自分|親|子|審判|全員)(?:によって|により|の手で|[はがに][^。]{0,24}?(?:選|指|決|定))"
_SETTLED_JA = r"無作為|ランダム|自動的|くじ|サイコロ|賽"
_SETTLED_EN = r"\bby (?:its|his|her|their|your|each|whoever|that|(?:the|an?) (?:\w+ )?(?:player|owner|opponent|dealer|judge|referee|host|winner|loser|controller|attacker|defender|side|team))\b|\brandom|\bchoice\b|\blots?\b|\bautomatic"
_DONE = r"(?:プレイ(?!ヤー)|起動|発動|捨て|引(?:く|き|い)|交換|支払|戻す|攻撃|召喚|購入|破棄|回復|出す|置く|(?:カード|札|能力|効果|スキル|アイテム|トークン|ポイント|資源|コイン|宝石|手札)[^、。]{0,6}(?:使用|使う|公開|移動|装備|獲得|配置|宣言))"


def you_among_players(page: Page) -> Iterator[Raised]:
    """“You” in a clause that names another player, in a book that speaks of players from outside."""
    others = [
        one for one in page.sentences if one.tongue == "en" and not _YOU.search(one.text) and _PLAYER.search(one.text)
    ]
    told = [one for one in page.sentences if one.tongue == "en" and _YOU.search(one.text)]
    for one in told if len(others) > _FROM_OUTSIDE * len(told) else ():
        match, other = _YOU.search(one.text), _OTHER.search(one.clause.text)
        if match is not None and other is not None:
            yield at(one, match.start(), min(len(one.text), match.end() + 30), "you")


_YOU = re.compile(r"\byour?\b(?! (?:see|know))", re.IGNORECASE)
_PLAYER = re.compile(r"\bplayers?\b|\bopponent\b|\bowner\b", re.IGNORECASE)
_OTHER = re.compile(r"\bopponent['’]?s?\b|\b(?:the )?other player\b|\banother player\b|\bneighbou?r\b", re.IGNORECASE)
_FROM_OUTSIDE = 3
"""So many sentences that speak of players, for each that speaks to one, has a book that speaks of them from outside."""

FAMILIES = (
    Family(
        "who-chooses", Stake.WHO,
        Text(ja="選ぶ人が書かれていない", en="a choice without a chooser"),
        Text(ja="「{phrase}」: 誰が選び（決め）ますか。", en="“{phrase}”: who chooses?"),
        Text(ja="選ぶ人の違いは、しばしば有利不利そのものです。", en="Who chooses is often the whole difference between good and bad."),
        Text(ja="選ぶ人を主語に置くか、特に書かれていなければ効果の使用者（行動する側）が選ぶ、と総則に置きます。",
             en="The chooser is the subject of the sentence; or a general clause says that it is the one who uses the effect unless told otherwise."),
        (ja("場の札の中から1枚が選ばれ、捨て札になります。", "場の札の中からターンプレイヤーが1枚を選び、捨て札にします。"),
         en("One of the cards on the table is chosen and discarded.", "One of the cards on the table is chosen by the turn player and discarded.")),
        raised=said(r"[^、。]{0,14}(?:[0-9０-９一二三]+\s?(?:枚|つ|人|体|隻|個|名|組)|いずれか|どれか)[^、。]{0,8}(?:選ばれ|選択され|決定され|決められ)(?:る|ます|、|た後|て)|(?:いずれか|どちらか)(?:の)?(?:一方|片方|1つ|一つ|１つ)?(?:が|を|に)[^、。]{0,16}(?:適用|行[うい]|処理|実行)[^、。]{0,6}",
                    r"\b(?:one|two|three|an?|another)\b [^.,;]{0,40}\b(?:is|are|will be|gets?|must be) (?:then )?(?:chosen|selected|picked)\b(?! up| to\b)[^.,;]{0,20}"),
        unless=said(PERSON_JA + r"|選ばれた(?!後)|選択された(?!後)|自動的|によって|により|こと(?:も|は)な", PERSON_EN + r"|\b(?:if|when|after|once|unless|as|which|that|where|who|how)\b[^,]*\b(?:chosen|selected|picked)\b"),
        also=((said(rf"[^、。]{{0,14}}{to.ONE_OR_MORE}[^、。]{{0,8}}{to.passive(to.CHOOSE)}(?:る|ます|、|て)", rf"\b(?:{to.NUMBER_EN}|some|an?|another)\b [^.,;]{{0,40}}\b(?:is|are|gets?|must be) (?:then )?(?:chosen|selected|picked|named|designated|singled out)\b[^.,;]{{0,20}}"),
               said(rf"{_AGENT_JA}|{_SETTLED_JA}|選ばれた|選択された|者に選", rf"{_SETTLED_EN}|\b(?:you|they|he or she|who)\b|\b(?:if|when|after|once|unless|as|which|that|where|how)\b[^,]*\b(?:chosen|selected|picked|named)\b")),
              (said(rf"[^、。]{{0,14}}(?:{to.ONE_OR_MORE}が、?[^、。]{{0,10}}?|が{to.ONE_OR_MORE}、?|(?:いずれか|どれか)の[^、。]{{1,8}}が、?){to.DONE_TO}(?:る|ます|、|て)(?!とき|時|場合|たび|際|こと|もの)[^、。]{{0,6}}", rf"\b(?:{to.NUMBER_EN}|a single)\b (?:of (?:the |those |these )?)?[^.,;]{{1,30}}?\b(?!(?:is|are|gets?) (?:drawn|dealt|shuffled|rolled|needed|used|counted|scored|added|called|played|gained|lost|left)\b){to.DONE_TO_EN}\b(?! (?:to|for|by|face)\b)[^.,;]{{0,20}}"),
               said(rf"{_AGENT_JA}|{_SETTLED_JA}|上から|一番|いちばん|最も|(?:その|この|残り)[^、。]{{0,6}}{to.ONE_OR_MORE}|[ぁ-ん]た{to.ONE_OR_MORE}|ごと|(?:配|引か|使わ|数え|得)られ|引かれ|使われ|準備|最初|開始", rf"{_SETTLED_EN}|\b(?:players?|opponents?|owners?|you|they|he|she|who|team|controller) (?:\w+ )?(?:chooses?|selects?|picks?|puts?|takes?|has|have|may|must|can|is|are)\b|\bplayer['’]s\b|\b(?:top|bottom|last|first|each|every|all|only|for|per|(?:this|that|these|those) \w+ (?:is|are|gets?))\b|\b(?:if|when|whenever|after|once|unless|as|which|where|how)\b[^,]*{to.DONE_TO_EN}\b|\bset-?up"))),
        near=said(r"(?:プレイヤー|使用者|者|側|相手|自分|審判|主催者?)[はが][^。]{0,40}(?:選|決|指定)|が(?:決め(?!られ)|選(?:び|ぶ|ん)|選択(?!され))", r"\b(?:player|controller|referee|judge|owner|team|you|host|captain|organi[sz]ers?)s? (?:\w+ ){0,3}(?:choose|select|pick|decide)|chosen by|selected by"),
        general=said(r"(?:特に|明記|指定|書かれて).{0,30}(?:ない|ある場合を除).{0,50}(?:使用者|コントローラー|プレイヤー|自分).{0,20}(?:選|決)", r"unless (?:otherwise|stated|specified).{0,80}(?:choose|controller|decide)"),
        needs=GAME,
    ),
    Family(
        "may-how-often", Stake.WHO,
        Text(ja="いつ、何度できるか", en="when, and how often, one may"),
        Text(ja="「{phrase}」: いつ、一つの番（機会）に何度できますか。", en="“{phrase}”: when, and how many times in a turn (or on one occasion)?"),
        Text(ja="回数のない許可は、何度でも、と読まれます。", en="A permission without a number is read as any number of times."),
        Text(ja="「自分の番に一度」「可能なかぎり何度でも」のように、時点と回数をともに書きます。", en="Both are said: once in each of one's own turns; any number of times, as long as it can be paid."),
        (ja("プレイヤーは手札を1枚捨て、札を1枚引くことができます。", "プレイヤーは自分の番に1回、手札を1枚捨て、札を1枚引くことができます。"),
         en("A player may discard a card to draw a card.", "Once per turn, a player may discard a card to draw a card.")),
        raised=said(r"[^、。]{0,24}" + _DONE + r"[^、。]{0,8}(?:(?:こと|事)(?:が|も)(?:でき(?:る|ます)|出来(?:る|ます)|可能(?:です|である|だ)?)|でき(?:る|ます)|可能(?:です|である|だ))(?=。|$)",
                    r"\b(?:player|team|you|they|he or she|opponent|captain|side|active player|turn player)s? (?:may|can) (?:also |then |choose to |instead )?(?:activate|discard|draw|exchange|swap|attack|summon|buy|trade|re-?roll|heal|(?:use|pay|gain|look at) (?:[\w']+ ){1,4}?(?:cards?|abilit(?:y|ies)|effects?|powers?|items?|tokens?|skills?|coins?|resources?|deck|hand))\b[^.,;]{0,40}"),
        unless=said(r"(?<!こと)では、|回|度|何枚|いくつ|好きなだけ|任意の(?:数|枚数|回)|まで|時|とき|場合|際|たび|ごと|限り|代わり|以内|以降|だけ|のみ|しか|いつでも|間は|なら|たら|れば|後|ターン(?:の|に)(?:一|1)|フェイズ(?:開始|終了)|ステップ|つずつ|とは|能力(?:です|であ|を)|カード(?:です|であ|は)|もの|すべて|全て|条件|"
                          r"せずに|そのまま|ても|対象|任意|制限|数は|順番は|(?<!プレイヤー)(?<!チーム)(?<!者)(?<!側)(?<!自分)は[^、。]|元に|選択|または|か、|そのカード|できますが|能力|効果|により|として|これを|宣言した",
                    r"\bonce\b|\btwice\b|times?\b|\bany number\b|as many|\bup to\b|\bwhen(?:ever)?\b|\bif\b|\bafter\b|\bbefore\b|\beach\b|\bper\b|\bonly\b|\binstead\b|\bat (?:the|any)|\bonce\b|\bno more\b|\bas long\b|\buntil\b|\bor\b|\bunless\b|"
                    r"\bevery\b|\ball\b|\bduring\b|\bwhile\b|\bthis way\b|\bthat\b|\bto (?:help|track|indicate|show)|without\b|\bas (?:a|an|normal|usual)\b|\bnot\b|which|\bfrom now|\bin order\b|\bone\b|\bmeans\b|rather than|\[|\(cost|“|”|enters|from among|provided"),
        also=((said(rf"[^、。]{{0,20}}{to.forms(to.MOVE)}[^、。]{{0,3}}(?:こと(?:で|により|によって)|と引き換えに|と、|ば、|た(?:[一-龠ァ-ヶー]{{1,6}})は、?)[^。]{{0,40}}?(?:{to.MAY}|{to.able(to.MOVE + ' 引く 動かす 使う 得|る')})(?=。|$)|[^、。]{{2,20}}を[^、。はが]{{1,8}}[てで]、[^。は]{{2,24}}(?:{to.MAY}|{to.CAN})(?=。|$)|[^、。が]{{2,20}}を[^、。はが]{{1,8}}(?:と|ば)、[^。は]{{2,24}}(?:{to.MAY}|{to.CAN})(?=。|$)|[^、。]{{0,20}}{to.forms(to.MOVE)}[^、。]{{0,3}}(?:ことができ|ても?よく|てかまわず)、?そう(?:すると|すれば|したら|した場合)[^、。]{{0,20}}"
                    rf"|[^、。]{{0,20}}を[^、。]{{0,6}}[一-龠][ぁ-ん]{{1,3}}こと(?:で|により|によって)[^。]{{0,40}}?(?:{to.MAY}|{to.CAN})(?=。|$)|[^、。]{{0,20}}(?:{to.ONE_OR_MORE}|点)と引き換えに[^。]{{0,30}}{to.MAY}(?=。|$)|[^、。]{{0,20}}{to.forms(to.PAY + ' 捨て|る 沈め|る 犠牲に')}て、?[^。]{{0,30}}(?:{to.MAY}|{to.able(to.MOVE + ' 引く 動かす 得|る')})(?=。|$)",
                    rf"\b{to.MAY_EN} (?:also )?[a-z]+ (?:an?|the|it|{to.NUMBER_EN})\b[^.,;]{{0,50}} (?:and (?:draw|gain|take|ready|score|heal)|(?:for|to gain|to draw) (?:{to.NUMBER_EN}|an?|another))\b[^.,;]{{0,20}}|\bby \w+ing [^.,;]{{2,40}},? [^.,;]{{1,24}}\b{to.MAY_EN}\b[^.,;]{{0,24}}|^\W*\w+ing (?:{to.NUMBER_EN}|an?) [^.,;]{{2,24}} (?:lets|allows|permits|entitles)\b[^.,;]{{0,30}}|^\W*(?:for|against|at the cost of|in return for) (?:{to.NUMBER_EN}|an?) [^.,;]{{2,24}},? [^.,;]{{0,24}}\b{to.MAY_EN}\b[^.,;]{{0,24}}|\b{to.MAY_EN} (?:also |then |freely |be )?{to.words(to.MOVE_EN)}\b [^.;]{{0,110}}?(?:\band (?:draws?|gains?|read(?:y|ies)|scores?)\b[^.;]{{0,30}}\bfor (?:it|doing so|that)\b|\bto {to.words(to.MOVE_EN + ' draw gain ready heal score win flip untap')}\b|\bin exchange for\b|\bby doing so\b|\bin return\b|, (?:and (?:thereby )?|thereby )?(?:draw|gain|ready|heal|scor)ing\b)[^.,;]{{0,20}}"
                    rf"|\bby {to.words(to.MOVE_EN)}\b [^.,;]{{0,40}},? [^.,;]{{0,30}}\b{to.MAY_EN} {to.words(to.MOVE_EN + ' draw gain ready heal')}\b[^.,;]{{0,30}}"),
               said(r"(?:時|とき|場合|際|たび|間)(?:に|は|、|だけ|、)|番(?:の(?!終わりまで)|に|中)|ターン(?!終了時?まで|の終わりまで)|フェイズ|フェーズ|(?<!こと)では、|回|(?<![一程適])度|限り|だけ|のみ|ごと|いつでも|好きな|開始|終了(?!時?まで)|前に|次の|最初|代わり|以下の|なら、|準備|構築|デッキ|全員|各|そのカード|とは|もの",
                    r"\bonce\b|\btwice\b|\btimes?\b|any number|as many|\bup to\b|\bwhen(?:ever)?\b|\bif\b(?! (?:they|he or she|you|it|there) (?:ha(?:s|ve)|is|are) any\b)|\bafter\b|\bbefore\b|\beach\b|\bevery\b|\bper\b|\bonly\b|instead|\bat (?:the|any|dawn|dusk)|\bduring\b|\bwhile\b|\bon (?:your|their|his) turn|\bturns?\b|\bphase\b|\bstep\b|as long|until|unless|\bthis way\b|\bnot\b|set-?up|\bin the \w+ (?:step|phase)|which")),),
        not_under=said(r"ステップ|フェイズ|フェーズ|段階", r"\bphase|\bstep|\bturn|action"),
        near=said(r"[0-9０-９一二三四五六七八九十]+\s*(?:回|度)(?:だけ|まで|のみ|しか|、|ずつ|以上)|何度でも|何回でも|好きな(?:だけ|回数)|任意の回数|できるタイミング|行うタイミング|以下の(?:手順|条件|時|タイミング|場合)|フェイズに行|フェイズでは|フェーズでは|次の行動|アクションを|行動を",
                  r"\bonce (?:per|each|a|in)\b|any number of times|as many times|times (?:per|each|a|in)|\beach turn\b|\bper turn\b|\bactions?\b|following|\bonly once\b|\bphase\b|\b(?:this|that|which) step\b|\bon (?:your|their|his) turn"),
        needs=GAME,
    ),
    Family(
        "who-is-meant", Stake.WHO,
        Text(ja="「自分」「その人」が二通りに読める", en="two people “they” can be"),
        Text(ja="「{phrase}」: 誰のことですか。この文には二人（二組）が出てきます。", en="“{phrase}”: which of the two people in this sentence?"),
        Text(ja="二人が出てくる文の代名詞は、札の文面でも裁定でも最も多く争われます。", en="Pronouns in a sentence with two people are what players argue about most."),
        Text(ja="「攻撃側」「その札の持ち主」のように役の名で言い直します。", en="The role is named again: the attacker, the owner of the card."),
        (ja("プレイヤーが相手の札を取った場合、そのプレイヤーは札を1枚引きます。", "プレイヤーが相手の札を取った場合、取られた側は札を1枚引きます。"),
         en("If a player takes a card from another player, they draw a card.", "If a player takes a card from another player, the former draws a card.")),
        raised=said(r"(?:プレイヤー|チーム|選手|自分)[がはの][^。]{0,24}(?:他の(?:プレイヤー|チーム|選手|者)|別の(?:プレイヤー|チーム|選手)|相手(?:プレイヤー|チーム|選手)?)[のがをにへ][^。]{0,40}(?P<key>(?:その|当該|同)(?:プレイヤー|チーム|選手)[はがのをに][^、。]{0,12})",
                    r"\b(?:a|the|one|any|that|active) (?:\w+ )?(?:player|team|robot|character) (?:takes?|steals?|attacks?|touches|tags?|hits?|captures?|defeats?|destroys?|chooses?|targets?|blocks?|challenges?|sinks?|gives?|trades?|kills?|fouls?|pushes)\b[^.;]{0,40}\b(?:an|another|the other|an opposing|their|his|the opposing) (?:\w+ )?(?:player|team|opponent|robot|character)s?\b[^.;]{0,50}, (?P<key>(?:they|he|she|that player|that team|he or she) (?!each|both|all)[a-z]+[^.,;]{0,24})"),
        unless=said(r"相手は|他のプレイヤーは|それぞれ|両", r"\bboth\b|\beach\b"),
        also=((said(r"[一-龠ァ-ヶー](?<!時)(?<!際)(?<!場合)に(?:は|も)?、?[^。]{0,10}?(?P<key>(?:自分|自身|自ら|己)の[^。]{0,30}?[一-龠]{1,3}[ぁ-ん]{0,2}?(?:[かさたなまらがばわ]せ|させ)(?:る|ます|、|て))",
                    r"\b(?:makes?|has|have|lets?|forces?|asks?|tells?|orders?|compels?|causes?) (?:the|an?|another|any|one|that) (?:\w+ )?[a-z]+ (?:(?:on|to) (?:the|their) \w+ )?(?:to )?(?:choose|pick|take|draw|turn|give|discard|put|lose|show|reveal|move|sacrifice|return|pay)\b[^.;]{0,40}?(?P<key>\b(?:their|his or her|his|her)(?: own)? \w+)[^.,;]{0,20}"),
               said(r"それぞれ|両|各", r"\beach\b|\bboth\b")),),
        find=you_among_players,
        needs=GAME,
    ),
    Family(
        "seen-by-whom", Stake.WHO,
        Text(ja="動かした札を誰が見るか", en="who sees what was moved"),
        Text(ja="「{phrase}」: その札は相手に見せますか。条件に合うことを誰が確かめますか。", en="“{phrase}”: is it shown to the others, and who makes sure that it is what was asked for?"),
        Text(ja="見えないまま条件付きで選べると、条件を確かめる人がいません。", en="Where a condition is met out of sight, nobody can check it."),
        Text(ja="条件のある札は公開してから加える、条件のない札は見せない、とします。", en="What had to fulfil a condition is revealed first; what did not stays hidden."),
        (ja("山札から赤の札を1枚探し、手札に加えます。", "山札から赤の札を1枚探し、相手に見せてから手札に加えます。"),
         en("Search your deck for a red card and put it into your hand.", "Search your deck for a red card, reveal it, and put it into your hand.")),
        raised=said(r"(?:山札|デッキ|束)[^。]{0,12}(?:から|の中|を見)[^。]{0,36}(?:探し|サーチ|選び|選んで|選択し|抜[きい]|取り出)[^。]{0,24}(?:手札|加え|置|出)", r"\b(?:search|look (?:through|at)|go through) (?:your|their|his|the|a|that player's) (?:\w+ )?(?:deck|library|draw pile|pile)\b[^.]{0,60}\b(?:hand|put|take|keep)\b"),
        unless=said(r"公開|見せ|表向き|確認させ|示し|明か|効果が|ことがあ|できる。|場合", r"reveal|show|face[- ]up|without|\bif\b|effect"),
        also=((said(rf"(?:その|この|それらの)(?:中|うち)(?:に|から|の)[^。]{{1,14}}?(?:があれば|なら|(?<!札)(?<!カード)を?{to.ONE_OR_MORE})[^。]{{0,14}}手(?:札|元)(?:に|へ)(?:加え|入れ|移)[^、。]{{0,10}}|(?:山札|デッキ)の(?:中の|上{to.ONE_OR_MORE}(?:から|の中の))[^、。]{{2,12}}(?:札|カード|{to.UNIT})[^、。]{{0,14}}手札(?:に|へ|とし)[^、。]{{0,8}}", r"\b(?:an?|one|any|each) (?!of\b|card\b)(?:[a-z-]+ ){1,2}(?:card )?(?:from )?(?:among|of) (?:them|these|those)\b[^.;]{0,40}\bhand\b[^.,;]{0,10}|\b(?:an?|one) (?!card)[a-z]+ (?:card|one|unit|piece) (?:among|in|of) the (?:top|bottom|first) [^.;]{0,40}\bhand\b|\b(?:fetch|find|get|take|pull)(?:es|s)? (?:an?|one|any) (?!card (?:from|out|in))[^.;]{3,40} (?:from|in|out of) (?:the|your|their|his) (?:deck|library|draw pile)\b[^.;]{0,30}\bhand\b"), said(r"公開|見せ|表|示し|明か", r"reveal|show|face[- ]up")),
              (said(rf"(?:手札|手)(?:から|の|{to.DIGITS}枚)[^。]{{0,20}}(?:裏向き|裏側|裏返し|伏せ|見えないよう|隠し)[^。]{{0,24}}{to.forms('置く 出す 重ね|る 差し込む 入れ|る 伏せ|る おく')}[^、。]{{0,6}}|手札から[^。]{{0,20}}伏せ(?:て|る|ます)[^、。]{{0,8}}", rf"\b{to.words(to.PUT_EN)}\b [^.;]{{0,24}}\b(?:from|of|out of) (?:\w+ )?hand\b[^.;]{{0,16}}\bface[- ]down\b[^.,;]{{0,30}}|\bfrom (?:the |their |your )?hand (?:is|are) \w+ [^.;]{{0,24}}face[- ]down\b[^.,;]{{0,20}}|\b{to.words(to.PUT_EN)}\b [^.;]{{0,30}}\bface[- ]down\b [^.;]{{0,20}}(?:from|out of) (?:\w+ )?hand\b[^.,;]{{0,20}}"),
               said(r"(?<!相手に)見(?!えな)|確認|公開|同時|一斉|いっせい|開[くきい]|表に|めく|準備", r"\blook|\bsee|reveal|secret|simultaneous|turned? (?:face )?up|\bpeek|set-?up"))),
        near=said(r"公開|見せ|表向き|示し|明か", r"reveal|\bshow|face[- ]up"),
    ),
    Family(
        "shuffle-after", Stake.WHO,
        Text(ja="山札を見た後に切るか", en="is the deck shuffled afterwards"),
        Text(ja="「{phrase}」: 見終わった山札は切り直しますか。残りはどの順で戻しますか。", en="“{phrase}”: is the deck shuffled afterwards; in which order do the rest go back?"),
        Text(ja="見た人だけが、続きの並びを知ったままになります。", en="Otherwise one player knows what comes next."),
        Text(ja="山札全体を見た後は切り直し、上から数枚を見ただけなら残りの戻し方（順、上か下か）を書きます。",
             en="After a search the deck is shuffled; after a look at the top, it is said how the rest go back."),
        (ja("山札から札を1枚探し、公開して手札に加えます。", "山札から札を1枚探し、公開して手札に加え、山札を切り直します。"),
         en("Search your deck for a card, reveal it and put it into your hand.", "Search your deck for a card, reveal it, put it into your hand and shuffle the deck.")),
        raised=said(r"(?:山札|デッキ)(?:の中)?(?:から|を)[^。]{0,24}(?:探|サーチ)[^、。]{0,12}|(?:山札|デッキ)の中(?:から|を)[^。]{0,24}(?:選|見)[^、。]{0,10}", r"\b(?:search(?:es)?|looks? through) (?:your|their|his|the|a) (?:\w+ )?(?:deck|library|draw pile)\b[^.,;]{0,24}"),
        unless=said(r"シャッフル|切(?:り直|る|ります)|混ぜ|デッキ構築|構築|準備", r"shuffl|before the game|building|“|”|replac|keyword|effect"),
        near=said(r"シャッフル|切り直|混ぜ", r"shuffl"),
    ),
    Family(
        "judged-how", Stake.WHO,
        Text(ja="人によって変わる言葉", en="a word that everybody reads otherwise"),
        Text(ja="「{phrase}」: 何をもってそう言えますか。誰が判断しますか。", en="“{phrase}”: by what measure, and who judges?"),
        Text(ja="測れない言葉で決まる罰や許可は、その場の力関係で決まります。", en="What cannot be measured is decided by whoever insists."),
        Text(ja="数や例で示すか、審判の判断による（異議の扱いも）と書きます。", en="Figures or examples; or the judge decides, and it is said whether one can appeal."),
        (ja("著しく長い考慮は反則とします。", "5分を超える考慮は反則とします。"),
         en("A player who takes an excessive amount of time is penalised.", "A player who takes more than five minutes is penalised.")),
        raised=said(r"(?P<key>適当な(?:方法|回数|時間|距離|場所)|適宜|なるべく|極力|できるだけ(?:早|速|近|多)|著しく|過度[のに]|不当[なに]|不適切な|適切な(?:物|もの|形|状態)に|合理的な|妥当な|常識的な|極端[なに]|必要以上に|速やかに|すみやかに|悪質)[^、。]{0,18}",
                    r"\b(?P<key>excessive(?:ly)?|reasonabl[ey] (?:amount|time|effort|distance|number|period)|unreasonabl[ey]|inappropriate(?:ly)?|in a timely manner)\b[^.,;]{0,30}"),
        unless=said(r"(?:対象|タイミング|時点|時機)(?:が|は)不適切|審判|主審|審査員|ジャッジ|委員|主催者|運営|判断|裁定|例えば|など|とは|適切な(?:順|領域|場所|位置|処理|カード)|適切に(?:処理|解決|定)", r"referee|judge|official|discretion|opinion|decid|committee|e\.g|such as|for example|means|organi[sz]er|jury|marshal|admin|\bGM\b|staff|host|moderator|agree|director|\bTDs?\b|^\W*\w+(?:\W+\w+){0,3}\W*$"),
        near=said(r"(?:審判|主審|審査員|ジャッジ|委員会?|主催者|運営)[^。]{0,24}(?:判断|裁定|決|認)", r"(?:referee|judge|official|committee|organi[sz]er|jury|marshal|admin|staff|host|moderator)s?\b[^.]{0,40}(?:decid|determin|discretion|judg|decision)"),
        general=said(r"(?:審判|主審|ジャッジ|審査員|主催者|運営|委員会).{0,30}(?:判断|裁定|決定).{0,16}(?:最終|従|絶対)", r"(?:referee|judge|official|committee|organi[sz]er|jury|host|admin)s?.{0,60}(?:final|binding)|(?:decision|ruling)s?.{0,40}(?:is|are) final"),
        needs=said(r"反則|失格|減点|警告|審判|大会|罰", r"\bfouls?\b|disqualif|penali?[sz]|penalt|\breferee|\btournament|\bcompetition"),
    ),
)
