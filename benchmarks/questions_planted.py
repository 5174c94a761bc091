"""How many of 40 holes of known kinds does `rulewright questions` ask about?

    python benchmarks/questions_planted.py [--missed]

Each hole is one invented clause in a small rule book that says nothing else about it; what is asked of the same book without
that clause does not count. The clauses were written by whoever wrote the families, after the families: a stranger's would be
harder."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from rulewright.checks.lint.reading import from_text
from rulewright.checks.questions.asking import ask
from rulewright.checks.questions.catalogue import chosen

JA = """1. 総則
1.1. 二人で遊びます。
1.2. 各自、20枚の山札と、表にした拠点を一つ持ちます。
2. 番
2.1. 番は交互に来ます。
2.2. 番には、港に船を並べる段階と、荷を運ぶ段階があります。
3. 船
3.1. 船には速さと荷の数が書かれています。
{}
"""
EN = """1. General
1.1. Two players play.
1.2. Each has a deck of 20 cards and a base, face up.
2. Turns
2.1. Turns alternate.
2.2. A turn has a phase for ships and a phase for freight.
3. Ships
3.1. A ship shows its speed and its freight.
{}
"""


@dataclass(frozen=True)
class Hole:
    """A kind of hole, the clause (3.2 and on) that has it, and the families that ask about it."""

    kind: str
    clause: str
    families: tuple[str, ...]
    book: str = JA


HOLES = (
    Hole("同時の順番", "3.2. 船が入港した時に働く能力が複数の船で同時に発動した場合、すべて解決します。", ("order-at-once",)),
    Hole("同時の順番", "3.2. ターンの終了時に、各船の能力が発動します。", ("order-at-once",)),
    Hole("order of what is at once", "3.2. When two ships arrive, their abilities resolve simultaneously.", ("order-at-once",), EN),
    Hole("選ぶ人", "3.2. 港の船のうち1隻が選ばれ、沖に出ます。", ("who-chooses",)),
    Hole("選ぶ人", "3.2. 嵐の札がめくられたら、次のいずれか一つを適用します。", ("who-chooses",)),
    Hole("chooser", "3.2. When a storm comes, one ship in the harbour is chosen and leaves.", ("who-chooses",), EN),
    Hole("全員が選ぶ", "3.2. 荷を運ぶ段階の終わりに、各プレイヤーは船を1隻選び、沖に出します。", ("all-choose",)),
    Hole("回数のない許可", "3.2. プレイヤーは船の荷を捨て、札を1枚引くことができます。", ("may-how-often",)),
    Hole("permission without a number", "3.2. A player may discard freight to draw a card.", ("may-how-often",), EN),
    Hole("時点のない許可", "3.2. 燈台の札は、いつでも使うことができます。", ("any-time",)),
    Hole("数に足りない", "3.2. 難破した側は、手札から3枚を捨てます。", ("fewer-there",)),
    Hole("数に足りない（上から）", "3.2. 山札の上から5枚を公開し、船を港に置きます。", ("fewer-there", "deck-empty")),
    Hole("fewer than asked", "3.2. The loser of the race discards three cards.", ("fewer-there",), EN),
    Hole("一つもない", "3.2. 番の始めに、山札から1枚引きます。", ("deck-empty",)),
    Hole("none left", "3.2. At the start of a turn, draw a card from your deck.", ("deck-empty",), EN),
    Hole("零を下回る", "3.2. 嵐の間、すべての船の速さを2減らします。", ("below-zero",)),
    Hole("below zero", "3.2. During a storm, reduce the speed of all ships by 2.", ("below-zero",), EN),
    Hole("上限を超える", "3.2. 港に置ける船は最大5枚です。", ("limit-then-what",)),
    Hole("上限の結果がない", "3.2. 手札の上限は6枚です。", ("hand-limit",)),
    Hole("limit without a consequence", "3.2. The maximum hand size is six.", ("hand-limit",), EN),
    Hole("もう一方の場合", "3.2. 航路の判定に成功した場合、荷を1つ得ます。", ("no-otherwise",)),
    Hole("no other branch", "3.2. If the test is successful, the ship arrives.", ("no-otherwise",), EN),
    Hole("終わらない繰り返し", "3.2. 速さが同じ船がめくられたら、この手順を繰り返します。", ("without-end",)),
    Hole("repeat without an end", "3.2. If the speeds are equal, repeat this step.", ("without-end",), EN),
    Hole("不可能な指示", "3.2. 番のプレイヤーは、必ず船を1隻出さなければなりません。", ("impossible",)),
    Hole("impossible instruction", "3.2. In the freight phase a player must discard freight.", ("impossible",), EN),
    Hole("コストの一部", "3.2. コストとして、荷を2つ戻し、札を1枚裏にします。", ("cost-in-part",)),
    Hole("許しと禁止", "3.2. 沖の船に荷を積むことができます。\n3.3. 沖の船に荷を積むことはできません。", ("may-and-must-not",)),
    Hole("permission and prohibition", "3.2. Players may exchange freight.\n3.3. Players may not exchange freight.", ("may-and-must-not",), EN),
    Hole("する時とした時", "3.2. 船が入港する時、荷を1つ得ます。\n3.3. 船が入港した時、札を1枚引きます。", ("when-and-after",)),
    Hole("二度別の言い方", "3.2. 港の船の上限は番の終わりに5枚です。\n4. 港\n4.1. 港の船の上限は番の終わりに6枚とします。", ("said-twice",)),
    Hole("定義より広い", "3.2. 「沈める」とは、港の船を場から捨て札に置くことを指します。\n3.3. 山札の上から2枚を沈めます。", ("used-wider",)),
    Hole("誰のことか", "3.2. プレイヤーが相手の船を沈めた場合、そのプレイヤーは札を1枚引きます。", ("who-is-meant",)),
    Hole("whose", "3.2. If a player sinks a ship of another player, they draw a card.", ("who-is-meant",), EN),
    Hole("知るのは誰か", "3.2. 山札から帆船の札を1枚探し、手札に加えます。", ("seen-by-whom",)),
    Hole("動いた後のそれ", "3.2. 船を手札に戻し、その札をもう一度港に出します。", ("after-move",)),
    Hole("両方が勝つ", "3.2. 荷が10個になったプレイヤーは、ゲームに勝利します。", ("both-win",)),
    Hole("両方が負ける・勝って負ける", "3.2. 拠点を失ったプレイヤーは敗北します。\n3.3. 荷が10個のプレイヤーは勝利します。", ("both-lose", "win-and-lose")),
    Hole("直ちに", "3.2. 荷のない船は、直ちに捨て札に置かれます。\n3.3. ルール処理は、段階の終わりに行います。", ("immediately-or-check",)),
    Hole("変わる数", "3.2. 港の船の枚数と同じ数だけ、荷を得ます。", ("counted-when",)),
)

LATER = (
    Hole("新しい山札もない", "3.2. 山札がなくなったら、捨て札を切って新しい山札にします。", ("pile-empty-too",)),
    Hole("対象がなくなる", "3.2. 能力を使う時は、対象となる港の船を1隻選び、荷を払います。その後、能力を解決します。", ("target-gone",)),
    Hole("端数", "3.2. 嵐に遭った側は、荷の半分を失います。", ("rounding",)),
    Hole("同じ数", "3.2. 荷がいちばん多い人が、先に港を選びます。", ("tie",)),
    Hole("始める人", "3.2. 先攻のプレイヤーは、最初の番に船を出せません。", ("first-player",)),
    Hole("付いているもの", "3.2. 旗の札は、港の船の下に重ねて置きます。", ("attached",)),
    Hole("いつまで", "3.2. 座礁した船は動けなくなります。", ("how-long",)),
    Hole("測れない言葉", "3.2. 相手を不当に急かす行為は反則です。", ("judged-how",)),
    Hole("打ち消されたもの", "3.2. 灯台の能力は、相手の船の能力を無効にします。", ("negated",)),
    Hole("誰でもできる", "3.2. 船が沈んだ時、どのプレイヤーもその荷を引き取ることができます。", ("any-player-may",)),
    Hole("fractions", "3.2. A ship caught in a storm loses half of its freight.", ("rounding",), EN),
    Hole("a tie", "3.2. Whoever has the most freight chooses a harbour first.", ("tie",), EN),
    Hole("who begins", "3.2. The starting player skips the phase for freight in the first turn.", ("first-player",), EN),
    Hole("shuffled afterwards", "3.2. Search your deck for a pilot and reveal it, then put it into your hand.", ("shuffle-after",), EN),
    Hole("no new deck", "3.2. When the deck runs out, shuffle the discard pile to make a new one.", ("pile-empty-too",), EN),
    Hole("a loop", "3.2. A ship's triggered ability goes off whenever its condition is met.", ("no-loop-clause",), EN),
    Hole("how long", "3.2. A ship that has run aground cannot move.", ("how-long",), EN),
    Hole("effects that clash", "3.2. Some abilities prevent ships from leaving the harbour.", ("effects-clash",), EN),
    Hole("modifiers", "3.2. Abilities may add to the speed of a ship or double it.", ("modifiers",), EN),
    Hole("a limit", "3.2. A harbour holds at most four ships.", ("limit-then-what",), EN),
)
"""Written before the grades of questions were made, and looked at once those were done."""


def asked_about(text: str) -> set[tuple[str, str]]:
    """Family and clause of all that is told."""
    found = ask(from_text("draft.md", text), chosen(()))
    return {(one.family.id, name) for one in found.questions if one.sure for name in one.clauses}


def main() -> None:
    """Count."""
    before = {book: asked_about(book.format("")) for book in (JA, EN)}
    for name, holes in (("asked about", HOLES), ("of the later ones", LATER)):
        missed = []
        for hole in holes:
            fresh = asked_about(hole.book.format(hole.clause)) - before[hole.book]
            if not any(family in hole.families and clause.startswith(("3.2", "3.3")) for family, clause in fresh):
                missed.append(hole)
        print(f"{name}: {len(holes) - len(missed)} of {len(holes)}")
        if "--missed" in sys.argv:
            for hole in missed:
                print(f"  {hole.kind}: {hole.clause}")


if __name__ == "__main__":
    main()
