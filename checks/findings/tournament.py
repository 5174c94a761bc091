"""A loop as judges write it down at a tournament (ループ証明): half a page, made of the same record as the page of the finding."""
from __future__ import annotations

from ...model.engine.describe import LUCK
from ...spec.text import Lang, Text
from .page import speaker
from .record import Finding, FindingClass, Play, PlayStep
from .steps import Say, clause_list

NO_LOOP = Text(ja="（{id}）{title}: 循環ではないので、ループ証明の書式はありません。", en="({id}) {title}: no loop, so there is nothing to write in this form.")
HEAD = Text(ja="ループ証明（{id}）", en="Loop, for a tournament report ({id})")
BEFORE = Text(ja="1. 始まる局面", en="1. The position before")
STEPS = Text(ja="2. 一回の手順", en="2. One round, step by step")
AFTER = Text(ja="3. 一回の後に違うもの", en="3. What is different after one round")
STOPS = Text(ja="4. 止めるには", en="4. What would stop it")
SHORTEN = Text(ja="5. 省略", en="5. Shortening")
NAMED = Text(ja="6. 宣言した回数", en="6. How often it was named")
NOTHING = Text(ja="何も違わない（局面は完全に同じ）", en="nothing: the position is exactly the same")
EXCHANGED = Text(ja="一回では同じカードどうしが入れ替わり、{n}回で局面は完全に同じ", en="equal cards change places in one round; after {n} the position is exactly the same")
GROWS = Text(ja="次のものが一回ごとに変わる: {what}", en="with each round: {what}")
NOT_SAID = Text(ja="数が変わる（記録に一回分の合計がない）", en="numbers change (by how much in all is not in the record)")
INSTEAD = Text(ja="手順{step}で、{who}が「{chosen}」の代わりに選べるもの: {others}", en="in step {step}, instead of “{chosen}” {who} could take: {others}")
NOBODY = Text(ja="どのプレイヤーにも、ほかの選択はない", en="no player has another choice on the way")
MAY = Text(ja="省略してよい: 偶然で決まる手順がなく、どの選択も毎回同じ", en="may be shortened: no chance, and each choice is made alike in each round")
MAY_NOT = Text(ja="省略できない: {why}", en="may not be shortened: {why}")
CHANCE = Text(ja="手順{steps}は偶然で決まる", en="chance decides in step {steps}")
OPEN = Text(ja="手順{steps}は、決める人が定められていない", en="in step {steps} the rules do not say who decides")
HIDDEN = Text(ja="伏せられたカードについては、すべて見えているものとして調べた。伏せられた物に触れる手順があれば審判が確かめる",
              en="Hidden cards were taken to be seen by everybody: where a step touches what is hidden, the judge has to look")
BLANK = Text(ja="＿＿回（宣言した者: ＿＿＿＿、承諾した者: ＿＿＿＿）", en="____ times (named by: ________, accepted by: ________)")
AS_SHOWN = Text(ja="手順の始まりの局面（{n}手順でここへ来る）", en="as the round begins ({n} steps lead here)")


def tournament_report(finding: Finding, lang: Lang) -> str:
    """The form, as text. Findings that are no loops are told in one line."""
    say = speaker(lang)
    play = finding.play
    if finding.cls is not FindingClass.LOOP or not play.cycle:
        return say(NO_LOOP, id=finding.id, title=say(finding.title))
    round_ = one_round(play)
    rows = [say(HEAD, id=finding.id), say(finding.title), ""]
    rows += [say(BEFORE), *indented(before(finding, say))]
    rows += [say(STEPS), *indented(step_line(k, s, say) for k, s in enumerate(round_, 1))]
    rows += [say(AFTER), *indented([after(finding, say)])]
    rows += [say(STOPS), *indented(stops(finding, round_, say))]
    rows += [say(SHORTEN), *indented(shortened(round_, say))]
    rows += [say(NAMED), *indented([say(BLANK)])]
    return "\n".join(rows)


def indented(rows: object) -> list[str]:
    """Lines below a heading."""
    return [f"   {line}" for row in rows for line in str(row).splitlines()]  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType, reportUnknownArgumentType]


def one_round(play: Play) -> tuple[PlayStep, ...]:
    """The steps of one round (of several in which equal cards change places, the first)."""
    return play.cycle[: len(play.cycle) // play.rounds] if play.rounds > 1 else play.cycle


def before(finding: Finding, say: Say) -> list[str]:
    """Where it begins."""
    where = finding.moment or finding.position
    lead = [say(AS_SHOWN, n=len(finding.play.stem))] if finding.play.stem else []
    return [*lead, *([say(where)] if where is not None else [])]


def step_line(k: int, s: PlayStep, say: Say) -> str:
    """One step: who does what, by which clauses, and what is different then."""
    who = f"{say(s.decider)}: {say(s.chosen)} " if s.decider is not None and s.chosen is not None else ""
    clauses = clause_list(s.clauses, say)
    changes = "; ".join(map(say, s.changes))
    return f"({k}) {who}[{clauses}]" + (f" → {changes}" if changes else "")


def after(finding: Finding, say: Say) -> str:
    """What one round leaves different."""
    if not finding.growing:
        return say(EXCHANGED, n=finding.play.rounds) if finding.play.rounds > 1 else say(NOTHING)
    changes = [say(c) for s in one_round(finding.play) for c in s.changes]
    return say(GROWS, what="; ".join(changes)) if changes else say(NOT_SAID)


def stops(finding: Finding, round_: tuple[PlayStep, ...], say: Say) -> list[str]:
    """What each player would have to do otherwise."""
    out = [say(INSTEAD, step=k, who=say(s.decider), chosen=say(s.chosen), others=", ".join(map(say, s.alternatives)))
           for k, s in enumerate(round_, 1) if s.decider is not None and s.chosen is not None and s.alternatives]
    return [*([say(finding.stopper)] if finding.stopper is not None else []), *(out or [say(NOBODY)])]


def shortened(round_: tuple[PlayStep, ...], say: Say) -> list[str]:
    """May rounds be left out and only be named? Not where chance or nobody decides."""
    luck = [k for k, s in enumerate(round_, 1) if s.decider is not None and s.decider == LUCK]
    nobody = [k for k, s in enumerate(round_, 1) if s.decider is not None and s.decider.en.startswith("nobody named")]
    why = [say(one, steps=", ".join(map(str, ks))) for one, ks in ((CHANCE, luck), (OPEN, nobody)) if ks]
    return [say(MAY_NOT, why="; ".join(why)) if why else say(MAY), say(HIDDEN)]


__all__ = ["tournament_report"]
