"""What `rulewright combos` says, in both languages."""
from __future__ import annotations

from ...spec.text import Text

TITLE = Text("{book}の札 {pool} 種類のうち、一緒に終わらない循環を起こす {sizes} 種類の組", "{book}, {pool} cards: sets of {sizes} that loop together")
FOUND = Text("見つかった組: {count}", "Sets found: {count}")
ALONE = Text("一種類だけで循環を起こす札（同じ札が何枚かあれば、を含む）: {count}", "Cards that loop without another one of the pool (with copies of themselves, perhaps): {count}")
CARDS = Text("札", "cards")
KIND = Text("種類", "kind")
BEGUN = Text("始め方", "begun by")
BEGUN_BY = Text("{cards}（繰り返しには加わりません。ほかの始め方もあり得ます）", "{cards} (no part of what repeats; there may be other ways)")
LOOP = Text("{title}（{keepers}）", "{title} ({keepers})")
PROGRESS = Text("候補 {done:,}／{all:,}、見つかった組 {found}、{seconds:.0f}秒", "{done:,} of {all:,} candidates, {found} sets found, {seconds:.0f} s")
PREPARING = Text("札のテキストが何をするかを読み取っています", "reading off what the texts of the cards do")
LOOKED = Text("調べた範囲", "How far was looked")
TRIED = Text(
    "テキストの規則文から、一緒に循環しうる組を {candidates:,} 組挙げ、もっともらしい順に {done:,} 組を、そのために作った局面からくじで {plays:,} 回対戦しました（うち {kept:,} 組は前回の結果）。"
    "循環を起こす札をすでに含む {skipped:,} 組は、対戦していません。",
    "The rule text of the cards gave {candidates:,} candidates; of these, the likeliest first, {done:,} were played {plays:,} times by lot from positions made for them ({kept:,} of them in an earlier run). "
    "{skipped:,} that hold fewer cards which loop were left out.")
LEFT = Text("残り {left:,} 組は調べていません（{why}）。もう一度実行すると、続きから調べます。", "{left:,} were not looked at ({why}). The same command goes on from there.")
UNSHOWN = Text("{count:,} 組では対戦が目を引きましたが、循環は示せませんでした。", "In {count:,} a play was remarkable, but no loop was shown.")
CLAIM = Text(
    "示した循環は、そのまわりを3,000局面まで調べて判定し、参照エンジンで再生したものです。ほかの組については、循環が見つからなかったというだけで、起こらないとは言えません。候補に挙がらない組、ほかの局面、循環を止められる札は調べていません。",
    "Each loop shown was judged on up to 3,000 positions around it, and replayed in the reference engine. Of any other set it is only said that no loop was found, not that there is none. Sets that are no candidates, other positions, and which cards of the pool stop a loop were not examined.")
NOTHING = Text("候補がないので、何も調べていません。", "There were no candidates, so nothing was examined.")
STOPPED = Text("候補を挙げる前に終わったので、何も調べていません（{why}）。", "Nothing was examined: it ended before there were candidates ({why}).")
UNPLAYED = Text("{count:,} 組は、機械語に翻訳できないため、対戦していません。", "{count:,} could not be compiled, and were not played.")
NO_POSITIONS = Text("この本には、札を置いてみる局面の手本がないので、何も調べていません。", "The book has no positions after which some could be made for cards, so nothing was examined.")
NOT_PLAYED = Text("機械語に翻訳できないため（{why}）、何も調べていません。", "This cannot be compiled ({why}), so nothing was examined.")
SIZE = Text("組の大きさ「{value}」は 2、3、4、または 2..4 のように書いてください", "write the size of sets as 2, 3, 4 or as 2..4, not {value!r}")
