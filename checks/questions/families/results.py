"""Who wins, and whether it ends."""

from __future__ import annotations

from collections.abc import Iterator

from ....spec.text import Text
from ..page import Page, said
from ..record import Family, Raised, Stake, at, en, ja
from . import beside

_WINS = said(
    r"(?:勝利|勝ち|勝者)(?:[とに]な(?!ら[ずな])|とし|です|する|します|を収め|$|。)|(?:プレイヤー|人|者|チーム)が勝(?:つ|ちます)(?=。|$)",
    r"\bwins? (?:the (?:game|match|battle|duel|round)|immediately|at once)|\b(?:is|are|becomes?) the winner|\b(?:player|side|team|opponent|other|(?:whoever|player) \w+[^.,;]{0,40}) wins(?! the| an? | this| that)\b|\bhas won(?! the| an? | this| that)\b",
)
_LOSES = said(
    r"(?:プレイヤー|プレーヤー|チーム|者|側|人)(?:は|が|の)[^。]{0,24}(?:敗北|負け)(?:となり|になり|とな|にな|とし|です|する|します|ます|$|。)",
    r"\b(?:decks?|cards?|hand|li(?:fe|ves)|health|hp|points?|base|pieces?|units?|tokens?|king|money|zero|0|no)\b[^.]{0,80}\bloses? (?:the (?:game|match|battle|duel)|immediately|at once)|\b(?:whoever|players?(?= \w)|side that|anyone who) [^.;]{0,60}\b(?:loses(?: (?:the (?:game|match|duel)|at once|immediately)|(?=[.;]|$| and\b))|has lost\b|is defeated\b)",
)
_DRAW = (
    r"同時に[^。]{0,30}(?:勝利|敗北|勝ち|負け|勝者|引き?分け)|(?:勝利|敗北|勝ち|負け|勝者)[^。]{0,50}同時|(?:同点|同数|同着|時間切れ|どちらも)[^。]{0,40}引き?分け|"
    r"(?:両者|双方|両方|全員|お互い|両プレイヤー|(?:全て|すべて)のプレイヤー)[^。]{0,40}(?:(?:勝利|敗北|勝ち|負け)[^。]{0,30}引き?分け|満た)|"
    r"(?:両者|双方|両方|お互い|両プレイヤー)(?:の|が|とも)(?![^。]{0,40}(?:合意|同意|承諾|望|申))[^。]{0,30}(?:場合|とき|時|なら|たら)[^。]{0,12}引き?分け"
)
_DRAW_EN = (
    r"\b(?:is|as|in|a|declared) (?:a )?(?:draw|tie)\b|\bdrawn game|\b(?:game|match|duel|round) is drawn|win and lose|lose and win|simultaneously.{0,60}(?:win|los)|(?:win|los).{0,80}(?:simultaneous|same time)|"
    r"same time.{0,80}(?:win|los)|both (?:players|teams|sides) (?:would )?(?:win|lose)|share(?:s|d)? (?:the )?(?:victory|win)|tie(?:s|d)? for|tie-?break"
)

_MOST = r"(?:最も|もっとも|一番(?![上下左右前後]))(?![早速]く)"
"""Of what stands out; not the card on top of a pile, nor who is first where players take turns."""

_FIRST_TO = said(
    r"(?:先に|最初に|いち早く)[^。]{0,16}[0-9０-９]+\s*(?:点|ポイント)[^。]{0,24}(?:勝(?!利点)|優勝)",
    r"\bfirst (?:player |team |one |side |person )?(?:to|who) (?:reach|score|get|earn|collect|accumulate)\w*\b[^.;]{0,30}\d+[^.,;]{0,40}",
)
_SCORED_TOGETHER = said(
    r"ラウンドの?(?:終了|終わり)[^。]{0,40}(?:得点|[0-9０-９]点)|(?:全員|各プレイヤー|それぞれ)[^。]{0,20}得点",
    r"\b(?:each|every|(?:the )?end of (?:the|each|a)) (?:round|hand|deal)\b[^.]{0,80}\b(?:scores?|points?)\b|\b(?:each|every|all) players? (?:scores?|earns?|gains?)\b",
)


def race(page: Page) -> Iterator[Raised]:
    """Who is first to have so many points, where all are given theirs at once."""
    for one in page.sentences if page.says(_SCORED_TOGETHER) is not None else ():
        match = _FIRST_TO.search(one.text, one.tongue)
        if match is not None:
            yield at(one, match.start(), match.end(), "")


FAMILIES = (
    Family(
        "both-win",
        Stake.RESULT,
        Text(ja="二人が同時に勝つとき", en="both win at once"),
        Text(
            ja="「{phrase}」: 二人（二組）が同時にこの条件を満たしたら、どうなりますか。引き分けですか、どちらかが優先しますか。",
            en="“{phrase}”: what if two players (or sides) fulfil this at the same moment: a draw, or does one of them come first?",
        ),
        Text(
            ja="勝敗そのものが決まりません。一つの効果や得点計算が両方に届くと起こります。",
            en="The game has no result. It happens wherever one effect, or one scoring, reaches both.",
        ),
        Text(
            ja="引き分けとするか、手番のプレイヤーを先に見ると書きます。得点で争うものは、順位を分ける基準を順に挙げます。",
            en="Most books call it a draw, or look at the player whose turn it is first; where points decide, they list tie-breakers in order.",
        ),
        (
            ja(
                "場の札が5枚になったプレイヤーはゲームに勝利します。",
                "場の札が5枚になったプレイヤーはゲームに勝利します。同時に満たした場合は引き分けです。",
            ),
            en(
                "A player with five cards on the table wins the game.",
                "A player with five cards wins the game. If both have five, the game is a draw.",
            ),
        ),
        raised=_WINS,
        unless=said(
            r"」の勝|相手|対戦相手|もう一方|[A-ZＡ-Ｚ]の|戦闘力|敗北|負け|場合は引き|決闘に勝|戦闘に勝|最も|最(?:多|高|大|少|小|低)|一番|多い|高い|大き|小さ|少な|ラウンド|最後|場合|勝ったプレイヤー|そのプレイヤー|正解|勝利条件とは|じゃんけん|先に|最初に|いち早く|残った|(?<![枚点個つ本人0-9０-９])より(?:多く|少なく|高く|低く)|(?:親|先攻|後攻|先手|後手|先番|後番|手番|ターンプレイヤー)(?:の?(?:プレイヤー|人|側|者))?[がは](?:ゲームに|ゲームの)?(?:勝|優勝)",
            r"opponent|than (?:the|any|all) others?\b|\b(?:dealer|(?:turn|active|start|starting|second) player) (?:wins|is the winner)\b|loses?\b|most|highest|first|last|fewest|lowest|remaining|best of|\bif no\b|\buntil\b|\bone player\b|\bthat player\b|\bguess|correct|\b(?:if|when|whenever|after|unless) (?:you|they|a player|the player|both players)\W+wins?\b",
        ),
        general=said(_DRAW, _DRAW_EN),
        once=True,
    ),
    Family(
        "both-lose",
        Stake.RESULT,
        Text(ja="二人が同時に負けるとき", en="both lose at once"),
        Text(
            ja="「{phrase}」: 二人（全員）が同時にこの条件を満たしたら、どうなりますか。",
            en="“{phrase}”: what if both (or all) fulfil this at the same moment?",
        ),
        Text(
            ja="負けた者のほかが勝つ、と決めているだけでは、全員が負けると勝者がいません。",
            en="Where the one who has not lost wins, nobody wins if all lose.",
        ),
        Text(
            ja="引き分けとするのが普通です。三人以上では、同時に脱落した者の順位も決めます。",
            en="Usually a draw; with more than two players, books also rank those who go out together.",
        ),
        (
            ja(
                "山札がなくなったプレイヤーは敗北します。",
                "山札がなくなったプレイヤーは敗北します。両者が同時に敗北した場合は引き分けです。",
            ),
            en(
                "A player whose deck is empty loses the game.",
                "A player whose deck is empty loses the game. If both would lose, the game is a draw.",
            ),
        ),
        raised=_LOSES,
        unless=said(
            r"敗北した(?:場合|時|とき)|負けた(?:場合|時|とき)|戦闘|バトル|じゃんけん|引き分け|意図|ように|もう一方|それ以外|反則|投了|降参",
            r"draw|\btie|\bby\b|:\s*$|\bfoul|\bthat player\b|\bconced|\bresign",
        ),
        general=said(_DRAW, _DRAW_EN),
        once=True,
    ),
    Family(
        "two-results",
        Stake.RESULT,
        Text(ja="一つの場合に二つの結果", en="two results of one case"),
        Text(
            ja="「{phrase}」: {other} は、同じ場合に別の結果を定めています。どちらに従いますか。",
            en="“{phrase}”: {other} lays down another result of the same case. Which of the two counts?",
        ),
        Text(ja="両方が当てはまると、結果が決まりません。", en="Where both apply, there is no result."),
        Text(
            ja="比べるものを一つの条文に順に挙げるか、後のほうに「それも同じときは」と書き添えます。",
            en="One clause lists what is compared, in order; or the later one begins with “if that is equal too”.",
        ),
        (
            ja(
                "点が同じときは、先攻が勝利します。\n1.3. 点が同じときは、石の多いプレイヤーが勝利します。",
                "点が同じときは、石の多いプレイヤーが勝利します。\n1.3. 石の数も同じときは、先攻が勝利します。",
            ),
            en(
                "If the points are equal, the first player wins.\n1.3. If the points are equal, the player with more stones wins.",
                "If the points are equal, the player with more stones wins.\n1.3. If the stones are equal too, the first player wins.",
            ),
        ),
        find=beside.two_results,
    ),
    Family(
        "win-and-lose",
        Stake.RESULT,
        Text(ja="一人が同時に勝ち、負けるとき", en="one player wins and loses at once"),
        Text(
            ja="「{phrase}」: 一人が勝つ条件と負ける条件を同時に満たしたら、どちらですか。",
            en="“{phrase}”: if one player fulfils a condition of winning and one of losing at the same moment, which counts?",
        ),
        Text(
            ja="同じ出来事で両方が満たされる場面は、作る人が思うより多く起こります。",
            en="One event brings about both more often than authors expect.",
        ),
        Text(
            ja="負けを優先する、勝ちを優先する、先に確かめる順を定める、のいずれかを書きます。",
            en="Books say that losing goes before winning, or the other way round, or in which order conditions are looked at.",
        ),
        (
            ja(
                "場の札が5枚になったプレイヤーは勝利します。山札がなくなったプレイヤーは敗北します。",
                "場の札が5枚になったプレイヤーは勝利します。山札がなくなったプレイヤーは敗北します。両方を満たした場合、そのプレイヤーは敗北します。",
            ),
            en(
                "A player with five cards wins the game. A player whose deck is empty loses the game.",
                "A player with five cards wins the game. A player whose deck is empty loses the game. Losing takes precedence over winning.",
            ),
        ),
        raised=_LOSES,
        unless=said(
            r"敗北した(?:場合|時|とき)|負けた(?:場合|時|とき)|戦闘に|バトルに|じゃんけん|対戦相手|投了|降参",
            r"opponent|\bconced|\bresign|\bbefore\b|\bother (?:one |player |side )?(?:has won|wins)\b",
        ),
        needs=_WINS,
        general=said(
            r"(?:勝利|勝ち).{0,60}(?:敗北|負け).{0,60}(?:同時|両方|優先|双方)|(?:敗北|負け).{0,60}(?:勝利|勝ち).{0,60}(?:同時|両方|優先|双方)|両方を満た|"
            r"\d(?:と|、|および|及び)[\d.]*\d.{0,30}(?:同時|両方|双方|ともに|共に).{0,40}(?:勝|敗|負)",
            r"\d and [\d.]*\d\b.{0,40}\b(?:same|both|at once|together)\b.{0,40}\b(?:wins?|loses?)\b|both [\d.]*\d and \d.{0,60}\b(?:wins?|loses?)\b|\b(?:wins?|lose?s?)\b.{0,80}\b(?:wins?|loses?)\b.{0,80}(?:same time|simultaneous)|precedence over|(?:both|simultaneous|same time).{0,60}win.{0,40}los",
        ),
        once=True,
    ),
    Family(
        "tie",
        Stake.RESULT,
        Text(ja="最も多い者、先の者が二人いるとき", en="two with the most, two at once"),
        Text(
            ja="「{phrase}」: 同じ値の者（物）が複数あるとき（同時に届いたとき）は、どうしますか。",
            en="“{phrase}”: what if several are equal (or get there at the same time)?",
        ),
        Text(
            ja="比べて決める規則は、等しいときに止まります。", en="A rule that compares stops where things are equal."
        ),
        Text(
            ja="次に比べるもの（手数、残り時間など）、再戦、手番のプレイヤーが選ぶ、分け合う、のどれかを書きます。",
            en="What is compared next (moves, time left), another round, the turn player's choice, or sharing.",
        ),
        (
            ja(
                "得点が最も多いプレイヤーが先に選びます。",
                "得点が最も多いプレイヤーが先に選びます。同点の場合はじゃんけんで決めます。",
            ),
            en(
                "The player with the most points chooses first.",
                "The player with the most points chooses first. If tied, the youngest chooses.",
            ),
        ),
        raised=said(
            rf"{_MOST}[^、。]{{0,24}}?(?P<key>勝利(?!条件|点|ポイント)|勝者|優勝)|{_MOST}[^、。のを]{{0,12}}?(?:(?:多|少な|高|低|大き|小さ|強|弱)[いくかっ]|[速早][いか])[^、。]{{0,12}}?(?:プレイヤー|プレーヤー|チーム|者|人(?!数)|選手|方(?![法向針])|組(?!み)|キャラ\w*|ユニット)"
            r"|最(?:多|高|大|少|小|低)(?:得点|得?票数?|点数?|値|スコア|ポイント|枚数|合計)?(?:の|を[^、。0-9０-９]{1,8}|だった|である)(?:プレイヤー|プレーヤー|チーム|人|者|方)(?!数)"
            r"|最(?:多|高|大|少|小|低)(?:得点|得?票|点|スコア|ポイント|獲得|保有|所持)者"
            r"|(?:得点|点数|合計|スコア|ポイント|数)[^、。]{0,8}(?:大き|多|高)い(?:方|ほう)|(?:大き|多|高|小さ|少な)い(?:方|ほう|プレイヤー|チーム|人|者)[がの][^。]{0,6}勝(?!利条件|利点|負)[^、。]{0,4}|上位\s*[0-9０-９]+\s*(?:名|チーム|人|組|位)[^、。]{0,14}|最も?多くの?票[^、。]{0,14}|最多の?票[^、。]{0,14}",
            r"(?:\b(?:player|team|side|one|those)s? (?:with|who has|having|that has|that have) the )?(?<!at )\b(?:most|fewest|highest|lowest|greatest|least|largest|smallest|richest)\b[^.;,]{0,60}?\b(?P<key>wins(?! the (?:trick|hand|fight|battle|bid|auction))|is (?:declared )?the winner)\b"
            r"|\b(?:player|team|side|one|character|those)s? (?:with|who has|having|that has|that have) the (?:most|fewest|highest|lowest|greatest|least|largest|smallest)\b[^.,;]{0,25}"
            r"|\bwhoever (?:has|rolls|scores) the (?:most|highest|lowest|fewest)[^.,;]{0,25}"
            r"|\b(?:only )?the top (?:\d+|two|three|four|five|six|eight|ten) (?:\w+ )?(?:teams|players|competitors|robots)\b[^.,;]{0,24}|\b(?:highest|lowest)[- ](?:scor|roll)\w+ (?:player|team)|\b(?:receives?|gets?|got|with|having) the most votes\b[^.,;]{0,24}",
        ),
        unless=said(
            r"枚数分|同じ|同点|同数|(?<![ァ-ヶー])タイ(?![ァ-ヶー])|タイブレ|等し|複数|サイコロ|ダイス|出目",
            r"house rule|\broll|\bdice\b|\btie|\bare equal|drawn?\b",
        ),
        near=said(
            r"同点|同数|同値|同着|同順位|同率|同位(?!置)|同スコア|同得点|並んだ(?:場合|とき|時|ら)|等しい(?:場合|とき|時|なら)|同じ(?:場合|なら|とき|時|だった)|タイ(?:の|ブレ)|引き?分け|複数(?:いる|ある|の場合)|やり直",
            r"\bties?\b|\btied\b|tie-?break|\b(?:is|are|out|be) equal\b(?! to)|equal (?:scores?|points|totals?)|same (?:\w+ )?(?:number|amount|score|total|value|result)\b(?! of (?:cards|players))|re-?roll|\bdraw is|\b(?:on|in|is|as) a draw\b",
        ),
        general=said(
            r"同(?:点|数|順位|着|率|位|スコア|得点)の(?:場合|とき|時|チーム|プレイヤー)|同(?:点|着|率|スコア|得点)(?:なら|時|は|だ|とな|にな)|タイブレー?ク",
            r"\btie-?break|^ties?\b|\bties? (?:in|for|at|are)\b|in (?:the )?(?:case|event) of (?:a )?(?:ties?|draw)\b|(?:on|if there is) a tie\b|\btied? for (?:the )?(?:most|highest|lowest|first|win|score)",
        ),
        find=race,
        sure=True,
    ),
    Family(
        "without-end",
        Stake.ENDLESS,
        Text(ja="終わりのない繰り返し", en="a repetition without an end"),
        Text(
            ja="「{phrase}」: いつまで繰り返しますか。終わらないこと（状態が変わらないこと）はありませんか。",
            en="“{phrase}”: until when? Can it go on for ever, with nothing changing?",
        ),
        Text(
            ja="終わる条件のない繰り返しは、ゲームを終わらせません。",
            en="A repetition without a stop keeps the game from ending.",
        ),
        Text(
            ja="回数の上限か、満たされたら止まる条件を書き、それでも終わらないときの結果（引き分けなど）を添えます。",
            en="A number of times, or a condition that stops it, and what happens where neither comes (a draw, say).",
        ),
        (
            ja("同じ場合は、この手順を繰り返します。", "同じ場合は、この手順を3回まで繰り返します。"),
            en(
                "If the cards are equal, repeat this process.",
                "If the cards are equal, repeat this process up to three times.",
            ),
        ),
        raised=said(
            r"(?:これ|それ|この\w{0,6}|手順|処理|過程|以上|上記|同様)[^、。]{0,6}を?(?:もう一度)?(?:繰り?返|くりかえ|くり返)(?:す|します|し行う|してください|される|されます)(?=。|$)",
            r"\brepeat(?:s|ed)? (?:this|(?:the |these |that )?(?:process|procedure|steps?|sequence|roll|phase|round|draw)|from|step)\b[^.,;]{0,40}|\bstart(?:s)? over (?:from|with|at)\b[^.,;]{0,30}",
        ),
        unless=said(
            r"まで|回|限り|間|たびに|ごとに|進め|ターン|ラウンド|勝|敗|チェック|できません|できない|ない限り|うちは|度|いかなる|終わ|終了|任意|好きな|順に|交互|入れ替え|交代",
            r"\buntil\b|\bwhile\b|\btimes\b|as long as|\bonce\b|as many|any number|cannot|can't|\bmay not\b|for each|each|every|unless|offen[cs]e|penalt|violat|\balso\b|\bbut with\b|\bfor the other\b|\bswap|\bother side\b",
        ),
        also=(
            (
                said(
                    r"[^、。]{0,16}(?:れば|たら|なら|た場合|たび(?:に)?)、?[^。]{0,16}?(?:もう一度|再び|さらに一度|また)[^、。]{0,10}?(?:振[るり]|引[くき]|行[うい]|やり直|比べ|めく[るり]|投げ|出し合)[^、。]{0,6}(?=。|$)|(?:代わる代わる|替わる替わる|かわるがわる)[^。]{0,30}(?:ていく|続ける|続けます|ていきます)(?=。|$)|[^、。]{0,12}(?:具合|調子)に続け(?:る|ます|ていく|ていきます)(?=。|$)|[^、。]{0,12}(?:交互に(?:行う|行い|繰り)|何度も(?:行|繰り)|同様に続け|同じ手順をまた)[^、。]{0,6}(?=。|$)|[^、。]{0,12}(?:以下(?:同様|同じ|これ)[^、。]{0,12}|(?:同じこと|これ|それ|やり取り|交換)を(?:ずっと)?続け(?:る|ます|ていく|ていきます)(?=。|$)|(?:また|再び|もう一度)(?:初め|始め|最初|頭)から(?:やり直|始め|行)[^、。]{0,6}|(?:を|に|と|も)繰り?返(?:す|します|していく|していきます|し続ける)(?=。|$)|(?:最初|初め|始め|はじめ)の?(?:手順|段階|ステップ|項)?(?:に|へ)戻(?:る|ります)(?=。|$))",
                    r"\b(?:over and over|again and again|back and forth)\b[^.,;]{0,16}|\b(?:go|goes) back to (?:the )?(?:first|start|beginning|top|step)\b[^.,;]{0,16}|\b(?:go|goes) on \w+ing\b[^.,;]{0,30}|\b(?:this|so it) goes on\b[^.,;]{0,10}|\bin alternation\b[^.,;]{0,10}|\b(?:if|whenever|each time|as often as) [^.;]{3,50}\b(?:(?:roll|throw|draw|flip|toss)s? (?:once )?(?:again|more|another)|(?:rolled|thrown|drawn|flipped|tossed|done|repeated) (?:once )?(?:again|more)|starts over)\b[^.,;]{0,16}|\b(?:if|whenever) [^.;]{0,40}\b(?:alike|the same|equal|match|matches|tied|a tie)\b[^.;]{0,20}\b(?:again|one more|another)\b[^.,;]{0,16}|\bgone through again\b|\bkeeps? (?:on )?(?:doing|taking|moving|passing|drawing|paying|swapping|trading|alternating|discarding|rolling|flipping|going)\b[^.,;]{0,30}|\b(?:continues?|goes on|go on|carr(?:y|ies) on) (?:doing so|in (?:this|that) (?:way|manner|fashion)|like (?:this|that)|alternat\w+)\b[^.,;]{0,16}|\bdo(?:es)? (?:it|this|so|the same) again\b[^.,;]{0,16}|\b(?:starts?|begins?) (?:again|afresh|anew|all over)\b[^.,;]{0,20}",
                ),
                said(
                    r"まで|回|限り|うちは|(?<!もう)[0-9一二三]度|終わ|終了|決着|ターン|ラウンド|勝者|敗|できな|ごとに|好き|任意|順に|番を|番は|手番",
                    r"\buntil\b|\btill\b|\bwhile\b|\btimes\b|as long as|\bonce\b|as many|cannot|can['’]t|\bmay not\b|unless|offen[cs]e|penalt|\bclockwise\b|\bturns?\b|\bgame\b|(?<!way )\brounds?\b|e\.g\.|such as|\bmay\b|\bcan\b|[0-9], ",
                ),
            ),
        ),
        near=said(
            r"繰り?返.{0,40}(?:まで|終了|終わ|決ま)|(?:まで|決まったら|終了|終わ).{0,40}繰り?返|回(?:まで)?繰り?返",
            r"repeat.{0,120}until|until.{0,120}repeat|otherwise,? |up to \w+ times",
        ),
    ),
    Family(
        "no-loop-clause",
        Stake.ENDLESS,
        Text(ja="終わらない連鎖", en="a chain that never ends"),
        Text(
            ja="「{phrase}」: 能力や効果が互いに呼び合って終わらなくなったら、どうなりますか。",
            en="“{phrase}”: what if abilities set each other off for ever?",
        ),
        Text(
            ja="札が増えるほど、終わらない組み合わせは必ず生まれます。",
            en="With more cards, combinations that never end are bound to come up.",
        ),
        Text(
            ja="誰も止められないなら引き分け、一人が止められるならその者が回数を宣言、双方が止められるなら手番のプレイヤーから回数を宣言、と分けて書くのが通例です。",
            en="Commonly in three cases: nobody can stop it (a draw), one player can (who names a number of rounds), both can (each names one, the turn player first).",
        ),
        (
            ja(
                "誘発能力は、その条件が満たされるたびに発動します。",
                "誘発能力は、条件が満たされるたびに発動します。無限に続く場合は引き分けです。",
            ),
            en(
                "A triggered ability triggers whenever its condition is met.",
                "A triggered ability triggers whenever its condition is met. An infinite loop ends in a draw.",
            ),
        ),
        raised=said(
            r"[^、。]{0,12}(?:誘発(?:能力|効果|型|する)|自動能力|自動効果|トリガー(?:能力|効果)|自動型)[^、。]{0,14}",
            r"\b(?:triggered|trigger|automatic|auto) (?:abilit|effect)\w+",
        ),
        general=said(
            r"無限|永久循環|(?<!グ)ループ|終わらな(?:い|く)|果てしな|循環",
            r"infinite|endless|\bloops?\b|forever|indefinite",
        ),
        once=True,
    ),
)
