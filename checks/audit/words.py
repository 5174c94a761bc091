"""What is said around silent choices, in Japanese and English."""
from __future__ import annotations

from ...spec.text import Text
from .record import Basis, Kind, Stake, Tried

TITLE = Text("{book}: 印のある条文が言わないのに、規則が決めていること", "{book}: what its rules decide that no marked clause says")
LOOKED = Text("調べたこと", "Looked at")
LOOKED_AT = Text("規則の中の決めごと {places} か所。条文の印か解釈が決めているもの {fixed}、回答済み {answered}。残り {left} のうち {played} を別の書き方に変え、用意された状況（{scenarios}）の中で元の規則と並べて進めた。",
                 "Places where the rules decide something: {places}; fixed by a clause mark or a reading: {fixed}; answered already: {answered}. Of the other {left}, {played} were written "
                 "otherwise and played beside the rules as they are, in scenarios of the book (of {scenarios}).")
UNMATCHED = Text("回答のうち、今の決めごとのどれにも当たらないもの（規則が変わったか、今は条文の印か解釈が決めている）: {ids}",
                 "Answers that fit nothing that the rules decide now (they were changed, or a clause mark or a reading fixes it): {ids}")
CAME = Text("進行が分かれた {parted}、分かれなかった {alike}。並べていないもの: この範囲でどの状況も通らない {unreached}、別の書き方を試せない {refused}、打ち切り {cut}。",
            "Play differs: {parted}; is the same: {alike}. Not played: reached by no scenario within these bounds: {unreached}; could not be tried otherwise: {refused}; cut off: {cut}.")
BOUNDS = Text("一か所につき小さい順に {scenarios} 状況まで、状況ごとに {states} 局面の組まで、数がその範囲にあるうちで、その状況の解釈のもとで。「同じ」はこの範囲のことで、「通らない」は各状況の {states} 局面まで、同じく数の範囲のうちのこと。"
              "条文が何を言うかは印と要旨から判断している。",
              "Each place in up to {scenarios} scenarios, the smallest first, each up to {states} pairs of positions, while numbers are in their ranges, and under its own readings: \"the same\" holds within these bounds, "
              "\"reached by no scenario\" of up to {states} positions of each, while numbers are in their ranges. What clauses say is judged by marks and gists.")
CUT = {
    "seconds": Text("時間の上限に達したので、残りは調べていない。", "The time limit was reached; the rest was not looked at."),
    "user": Text("中断されたので、残りは調べていない。", "Interrupted; the rest was not looked at."),
    "memory": Text("メモリの上限に達したので、残りは調べていない。", "The memory limit was reached; the rest was not looked at."),
    "lost": Text("プロセスが失われたので、その分は調べていない。", "A process was lost, and with it what it was looking at."),
}
NOT_EXAMINED = Text("調べていない: 規則に、探した種類の決めごとのある場所がない（0）。", "Not examined: the rules have no place of the kinds that were looked for (0).")
BASIS = {
    Basis.AGAINST: Text("印のある条文の要旨は、ほかのことを言っている", "The gists of the marked clauses say something else"),
    Basis.UNMARKED: Text("条文の印がない", "No clause is marked"),
    Basis.APART: Text("条文の印はあるが、順番を言うものがない", "Clauses are marked, and none of them gives the order"),
    Basis.NOT_SAID: Text("条文の印はあるが、その要旨には見当たらない", "A clause is marked, and its gist has no word of it"),
}
QUIET = Text("印のない効果、値を置くだけの順番（多くは記録のための書き方）", "Effects without a mark, and where in a course a field is set (often bookkeeping)")
KIND = {
    Kind.DECIDER: Text("決める人", "who decides"),
    Kind.DEFAULT_PLAYER: Text("名指しのない所のプレイヤー", "a player where none is named"),
    Kind.ORDER: Text("二つの効果の順番", "the order of two effects"),
    Kind.FALLBACK: Text("そうでないとき", "what happens otherwise"),
    Kind.DUTY: Text("尋ねずに行うこと", "done without asking"),
    Kind.EACH: Text("全部か一つか", "each or one"),
    Kind.DONE: Text("行えたときか、試みたときか", "done or tried"),
    Kind.WHEN: Text("いつの値か", "as of when"),
    Kind.CONDITION: Text("条件", "a condition"),
    Kind.CONSTANT: Text("数", "a number"),
}
SAYS = {
    Kind.DECIDER: Text("`{instead}` が決める: `{code}`。ほかの人が決めると", "`{instead}` decides: `{code}`. If somebody else does"),
    Kind.DEFAULT_PLAYER: Text("`{code}`。もう一人だと", "`{code}`. With the other player instead"),
    Kind.ORDER: Text("先に `{code}`、次に `{instead}`。逆の順番だと", "First `{code}`, then `{instead}`. The other way round"),
    Kind.FALLBACK: Text("`{code}`。ここで別のことが起こると", "`{code}`. If something else happens there"),
    Kind.DUTY: Text("`{code}` を尋ねずに行う。行わないと", "`{code}` is done without asking. Left undone"),
    Kind.EACH: Text("`{code}`。全部でなく一つ（または逆）だと", "`{code}`. One instead of all (or the other way round)"),
    Kind.DONE: Text("`{code}`。全部できるときだけ行う（または、できたかどうかを問わない）と", "`{code}`. Only if all of it can be done (or whether it was done or not)"),
    Kind.WHEN: Text("`{code}` をここで見る。前後の別の時点（`{instead}`）で見ると", "`{code}` is looked at here. At the other moment (`{instead}`)"),
    Kind.CONDITION: Text("`{code}` が要る。これを問わないと", "`{code}` has to hold. If that does not matter"),
    Kind.CONSTANT: Text("`{instead}` という数: `{code}`。一つ大きいと", "The number `{instead}`: `{code}`. One more"),
}
DIFFERS = Text("{says}、{scenario} で{after}{differs}。", "{says}: in {scenario}, {after}{differs}.")
AT_ONCE = Text("すぐに", "at once ")
AFTER = Text("{count} 手（{way}）の後で", "after {count} decisions ({way}) ")
AFTER_ONE = Text("1 手（{way}）の後で", "after one decision ({way}) ")
AFTER_SILENT = Text("選ぶところのない {count} 段階の後で", "after steps without a choice ({count}) ")
MARKED = Text("印: {clauses}", "Marked: {clauses}")
STAKE = {
    Stake.END: Text("終わり方が変わる", "changes how play ends"),
    Stake.OPTIONS: Text("誰が何を選べるかが変わる", "changes who can choose what"),
    Stake.POSITION: Text("局面が変わる", "changes the position"),
}
MORE = Text("ほかに {count} 件（{kinds}）。--all で全部。", "{count} more ({kinds}); --all shows them.")
OTHERS = Text("進行の違いを示せなかったもの", "What was not shown to change play")
TRIED = {
    Tried.ALIKE: Text("この範囲では同じ", "the same within these bounds"),
    Tried.NOT_REACHED: Text("この範囲でどの状況も通らない", "reached by no scenario within these bounds"),
    Tried.REFUSED: Text("別の書き方を試せない", "could not be tried otherwise"),
    Tried.CUT: Text("打ち切り", "cut off"),
}
NEXT = Text("それぞれ、条文が決めていれば印（#: 条文）を付け、二通りに読めるなら readings.yaml の問いにし、どうでもよければ {file} に理由を書きます（番号: because: …）。",
            "Each: mark it with the clause that says so (#: CLAUSE), or ask it as a reading (readings.yaml), or write into {file} why it does not matter (ID: because: …).")
PREPARING = Text("状況の進み方を記録しています（{done}/{all}）", "noting what scenarios come to ({done} of {all})")
PROGRESS = Text("別の書き方を試しています（{done}/{all}）", "trying what could stand there instead ({done} of {all})")
NO_KIND = Text("--only: {name} という種類はありません。", "--only: there is no kind {name!r}.")
APART = Text("、", ", ")
COUNTED = Text("{what} {count}", "{what} {count}")
