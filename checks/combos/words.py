"""What `rulewright combos` says, in both languages."""
from __future__ import annotations

from ...spec.text import Text

TITLE = Text("{book}の札 {pool} 種類のうち、一緒に終わらない循環を起こす {sizes} 種類の組", "{book}, {pool} cards: sets of {sizes} that loop together")
FOUND = Text("見つかった組: {count}", "Sets found: {count}")
ALONE = Text("一種類だけで循環を続ける札（同じ札が何枚かあれば、を含む。始め方は別）: {count}", "Cards that go on looping without another one of the pool (with copies of themselves, perhaps; another may have to begin it): {count}")
CARDS = Text("札", "cards")
KIND = Text("種類", "kind")
BEGUN = Text("始め方", "begun by")
BEGUN_BY = Text("{cards}（繰り返しには加わりません。ほかの始め方もあり得ます）", "{cards} (no part of what repeats; there may be other ways)")
LOOP = Text("{title}（{keepers}）", "{title} ({keepers})")
DRAINS = Text("何かを使いながら回る。その先は「続けると」のとおり（誰が止められるかは判定していません）", "goes round and uses something up; what comes of it is told as carried on (who can stop it was not judged)")
CARRIED = Text("続けると", "carried on")
COURSE = {
    "end": Text("各デッキに札を {stock} 枚足すと、{rounds} 周のあと、{end}（{clause}）", "with {stock} more cards in each deck: after {rounds} rounds, {end} ({clause})"),
    "emptied": Text("各デッキに札を {stock} 枚足すと、{rounds} 周するうちに、周の終わりに札がなくなるデッキ: {piles}", "with {stock} more cards in each deck: within {rounds} rounds, decks without a card at the end of a round: {piles}"),
    "on": Text("各デッキに札を {stock} 枚足して {rounds} 周しても、ゲームは続き、各周の終わりにはどのデッキにも札がある",
               "with {stock} more cards in each deck: after {rounds} rounds the game is still on, and each deck had cards at the end of each round"),
    "not": Text("各デッキに札を {stock} 枚足すと、{rounds} 周のあと、同じ選択を続ける手順が見つからないか、勝敗によらずに対戦が止まる（数が範囲を出る、規定がない、など）",
                "with {stock} more cards in each deck: after {rounds} rounds no way was found to make the same choices, or play stops otherwise than by a result (a number leaves its range, a gap in the rules)")}
STOPPED_BY = Text("止める札", "stopped by")
STOPPER = Text("{card}（{place}）", "{card} ({place})")
TRIED_STOPS = Text("試した {tried:,} 種類のうち {count:,} 種類（分からない: {unknown:,}、試していない: {left:,}）", "{count:,} of {tried:,} cards tried (not known: {unknown:,}; not tried: {left:,})")
LACKING = Text("あと一種類で循環しそうな組（確かめていません。新しい札の手がかりです）: {count}", "Sets that one more card might close (not confirmed; a hint for those who invent cards): {count}")
LACKS = Text("あと一種類", "one more")
LACKS_ONE = Text("{needs}、{gives}札", "a card that {needs} and {gives}")
NEEDS = {
    "lets": Text("{what}の能力が誘発する時に使え", "can be used when the ability of {what} can"),
    "zone": Text("{what}の札を使い", "uses cards of {what}"),
    "counts": Text("{what}を使い", "uses {what}"),
    "sets": Text("{what}が変わると使え", "can be used once {what} is changed"),
}
GIVES = {
    "lets": Text("{what}の能力を誘発させる", "lets the ability of {what} be used"),
    "zone": Text("{what}に札を置く", "puts cards into {what}"),
    "counts": Text("{what}を増やす", "raises {what}"),
    "sets": Text("先頭の札の{what}を元に戻す", "sets back {what} of the first card"),
}
WHOSE = Text("自分の{what}", "one's own {what}"), Text("相手の{what}", "the opponent's {what}")
PROGRESS = Text("候補 {done:,}／{all:,}、見つかった組 {found}、{seconds:.0f}秒", "{done:,} of {all:,} candidates, {found} sets found, {seconds:.0f} s")
PREPARING = Text("札のテキストが何をするかを読み取っています", "reading off what the texts of the cards do")
LOOKED = Text("調べた範囲", "How far was looked")
TRIED = Text(
    "テキストの規則文から、一緒に循環しうる組を {candidates:,} 組挙げ、もっともらしい順に {done:,} 組を、そのために作った局面からくじで {plays:,} 回対戦しました（うち {kept:,} 組は前回の結果）。"
    "循環を起こす札をすでに含む {skipped:,} 組は、対戦していません。",
    "The rule text of the cards gave {candidates:,} candidates; of these, the likeliest first, {done:,} were played {plays:,} times by lot from positions made for them ({kept:,} of them in an earlier run). "
    "{skipped:,} that hold cards which were found to loop were left out.")
LEFT = Text("残り {left:,} 組は調べていません（{why}）。もう一度実行すると、続きから調べます。", "{left:,} were not looked at ({why}). The same command goes on from there.")
LEFT_SO_FAR = Text("残り {left:,} 組は調べていません（{why}）。今回は一組も調べ終えていないので、続きに進むにはもっと長い時間が要るかもしれません。",
                   "{left:,} were not looked at ({why}). None was finished in this run, so more time may be needed to go on.")
UNSHOWN = Text("{count:,} 組では対戦が目を引きましたが、循環は示せませんでした。", "In {count:,} a play was remarkable, but no loop was shown.")
CLAIM = Text(
    "示した循環は、そのまわりを3,000局面まで調べて判定し、参照エンジンで再生したものです。ほかの組については、循環が見つからなかったというだけで、起こらないとは言えません。候補に挙がらない組と、ほかの局面は調べていません。",
    "Each loop shown was judged on up to 3,000 positions around it, and replayed in the reference engine. Of any other set it is only said that no loop was found, not that there is none. Sets that are no candidates, and other positions, were not examined.")
NOTHING = Text("候補がないので、何も調べていません。", "There were no candidates, so nothing was examined.")
STOPPED = Text("候補を挙げる前に終わったので、何も調べていません（{why}）。", "Nothing was examined: it ended before there were candidates ({why}).")
UNPLAYED = Text("{count:,} 組は、機械語に翻訳できないため、対戦していません。", "{count:,} could not be compiled, and were not played.")
NO_POSITIONS = Text("この本には、札を置いてみる局面の手本がないので、何も調べていません。", "The book has no positions after which some could be made for cards, so nothing was examined.")
NO_PLACE = Text(
    ja="どの領域に置いても進行が変わるので、試している組のほかの札を置いておく所がなく、何も調べていません。どの規則も見ず、用意した状況でも使わない、順番のない領域を規則の状態に一つ加えると（`aside: Per[Player, Bag]` など）、調べられます。",
    en="Wherever cards lie, play goes otherwise than without them, so there is no place for those that are not tried, and nothing was examined. With a zone without an order that no rule looks at and no scenario uses (such as `aside: Per[Player, Bag]` in the state), it can be.")
NO_TEXTS = Text("札に能力が書かれていないので、何も調べていません。", "The cards have no abilities, so nothing was examined.")
NOT_PLAYED = Text("機械語に翻訳できないため（{why}）、何も調べていません。", "This cannot be compiled ({why}), so nothing was examined.")
SIZE = Text("組の大きさ「{value}」は 2、3、4、または 2..4 のように書いてください", "write the size of sets as 2, 3, 4 or as 2..4, not {value!r}")
