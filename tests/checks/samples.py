"""Hand-made findings: what the checks would say, without running any."""
from __future__ import annotations

from dataclasses import replace

from rulewright.checks.findings.identity import finding_id
from rulewright.checks.findings.record import (
    Bounds,
    Certainty,
    CheckResult,
    ClauseVerdict,
    Examined,
    Finding,
    FindingClass,
    Play,
    PlayStep,
    WhoCanStop,
)
from rulewright.spec.text import Text

FIRST = Text("先攻", "the first player")
SECOND = Text("後攻", "the second player")
PASS = Text("何もしない", "does nothing")
USE = Text("手札のカードを使う", "use a card from hand")


def quiet(*clauses: str, changes: tuple[Text, ...] = ()) -> PlayStep:
    """A step in which nobody chooses."""
    return PlayStep(0, None, None, (), clauses, changes)


def hand(who: Text, before: int, after: int) -> Text:
    """How many cards a player holds."""
    return Text(f"{who.ja}の手札 {before}→{after}", f"hand of {who.en} {before}→{after}")


def deck(who: Text, before: int, after: int) -> Text:
    """How many cards are left to draw."""
    return Text(f"{who.ja}のメインデッキ {before}→{after}", f"deck of {who.en} {before}→{after}")


def passes(who: Text, clause: str) -> PlayStep:
    """A player could do something, and does nothing."""
    return PlayStep(0, who, PASS, (USE,), (clause,), ())


TITLE = Text("何もしないだけの対戦で、エンドフェイズが終わらなくなる",
             "When both players do nothing, the end phase never ends")
BOUNDS = Bounds(True, 323, 331, 58, (Text("両者が何もしない場合に限ります。", "Only for players who do nothing."),))
PASS_ONLY = Finding(
    id=finding_id("hanayome", FindingClass.LOOP, ("7.5.3",), WhoCanStop.NOBODY, TITLE),
    cls=FindingClass.LOOP,
    book="hanayome",
    scenario="pass-only",
    title=TITLE,
    summary=Text(
        "7.5.3 は、手札が枚数上限を超えていないことをターン終了の条件の一つにしています。しかし、上限の枚数も、"
        "超えた手札を減らす処理も、総合ルールにありません。上限を超えると、エンドフェイズが同じ状態のまま繰り返されます。",
        "7.5.3 makes it a condition of ending the turn that the hand is not above the hand limit. But the rules "
        "neither say what the limit is nor how a hand above it is reduced. Once it is exceeded, the end phase repeats "
        "unchanged.",
    ),
    clauses=("7.5.3",),
    related=("4.8", "13.1.1", "1.2.3"),
    certainty=Certainty.FROM_SETUP,
    readings={"hand-limit": "limited", "hand-limit-whose": "turn-player"},
    policies=(Text("両者とも何もしない", "both players do nothing"),),
    play=Play(
        stem=(
            quiet("6.2.1", "6.2.2"),
            quiet("7.2.1"),
            passes(FIRST, "7.4.1"),
            quiet("7.5.1", "7.5.2", "7.5.3"),
            quiet("7.2.3", changes=(hand(SECOND, 5, 6), deck(SECOND, 45, 44))),
            quiet("7.2.3", changes=(hand(SECOND, 6, 7), deck(SECOND, 44, 43))),
            passes(SECOND, "7.4.1"),
            quiet("7.5.1", "7.5.2", "7.5.3"),
            quiet("7.2.3", changes=(hand(SECOND, 7, 9), deck(SECOND, 43, 41))),
            passes(SECOND, "7.4.1"),
        ),
        cycle=(quiet("7.5.1", "7.5.2", "7.5.3"),),
        end=Text("4ターン目に引き分け", "a draw in turn 4"),
    ),
    keepers=WhoCanStop.NOBODY,
    stopper=Text("この間、どちらのプレイヤーにもプレイタイミングが来ません。", "Neither player gets to act meanwhile."),
    scope=Text("エンドフェイズ", "the end phase"),
    bounds=BOUNDS,
    assumptions=(Text("投了（1.2.3）は除いています。", "Concession (1.2.3) is left out."),),
    clause_verdicts=(
        ClauseVerdict("13.1.1.1", Text("回数の宣言", "a number is named"), "unclear",
                      Text("誰も行動しておらず、宣言した回数の後に進む先がない",
                           "nobody acts, and after the named number there is nowhere to go on")),
        ClauseVerdict("13.1.1.2", Text("再実行の禁止", "doing it again is forbidden"), "does not apply",
                      Text("ターンプレイヤーの行動による循環ではない",
                           "the loop is not made by the turn player's actions")),
        ClauseVerdict("13.1.1.3", Text("引き分け", "draw"), "applies",
                      Text("両者とも止める方法がない", "neither player can stop it")),
    ),
    question=Text("手札の上限はあるか。あるなら何枚で、いつ、誰が、どこへ減らすか。",
                  "Is there a hand limit? If so, how many, and when, by whom and to where is the hand reduced?"),
)

ORDER = Finding(
    id=finding_id("hanayome", FindingClass.ORDER, ("10.5.3.3", "9.2.1"), None, Text("順番", "order")),
    cls=FindingClass.ORDER,
    book="hanayome",
    scenario="two-waiting",
    title=Text("待機状態の二つの能力の順で、場に残るカードが変わる",
               "The order of two waiting abilities decides which card stays"),
    summary=Text("二つの能力が同時に待機しますが、順番を決める人が未規定です。",
                 "Two abilities wait at the same time; the rules do not say who decides their order."),
    clauses=("10.5.3.3", "9.2.1"),
    certainty=Certainty.FROM_POSITION,
    invented_cards=True,
    play=Play(
        stem=(
            PlayStep(1, FIRST, Text("「A」の能力を先に処理", "process the ability of A first"),
                     (Text("「B」の能力を先に処理", "process the ability of B first"),), ("10.5.3.3",), ()),
        ),
        end=Text("「A」だけが場に残る", "only A stays in play"),
    ),
    bounds=Bounds(False, 1_000_000, 2_400_000, 112),
    unknown_because=Text("調べる局面の上限に達した", "the limit of positions was reached"),
    question=Text("誰が順番を決めるか。", "Who decides the order?"),
)

CHOSEN_LOOP = replace(
    PASS_ONLY,
    id="HANA-9.1-K2R8",
    title=Text("能力を繰り返し使い続けられる", "An ability can be used again and again"),
    play=Play(
        stem=(),
        cycle=(
            PlayStep(0, FIRST, USE, (PASS, Text("登場させる", "put into play")), ("8.1", "9.1"),
                     (hand(FIRST, 3, 2),)),
            quiet("9.4", "9.5", changes=(hand(FIRST, 2, 3),)),
        ),
    ),
    keepers=WhoCanStop.ONE,
    stopper=FIRST,
    hint=True,
    copies=3,
    growing=False,
    policies=(),
    clause_verdicts=(),
    question=None,
)

RESULT = CheckResult(
    book="hanayome",
    scenario="pass-only",
    title=Text("両者が何もしない対戦", "A game in which both players do nothing"),
    readings=PASS_ONLY.readings,
    bounds=BOUNDS,
    findings=(PASS_ONLY, CHOSEN_LOOP),
    examined=(
        Examined(Text("永久循環", "endless loops"), 331, "loops"),
        Examined(Text("決める人のいない順番", "orders that nobody decides"), 0, "order"),
    ),
    outcomes={"draw": 1},
    seconds=0.42,
    symmetry=True,
)
NOTHING_FOUND = replace(RESULT, findings=())
