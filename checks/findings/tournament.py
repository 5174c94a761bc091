"""A loop as judges write it down at a tournament (ループ証明): half a page, made of the same record as the page of the finding."""
from __future__ import annotations

from collections.abc import Iterable

from ...model.engine.describe import LUCK
from ...spec.text import Lang, Text
from . import words
from .names import NO_NAMES, Names
from .page import readings, rests_on, scripted, speaker, who_stops
from .record import Finding, Play, PlayStep
from .steps import Say, clause_list, distinct

NO_LOOP = Text(ja="（{id}）{title}: 循環ではないので、ループ証明の書式はありません。", en="({id}) {title}: no loop, so there is nothing to write in this form.")
HEAD = Text(ja="ループ証明（{id}）", en="Loop, for a tournament report ({id})")
READ = Text(ja="前提の解釈のうち、既定でないもの:", en="Readings assumed that are not the default:")
BY_DEFAULT = Text(ja="前提の解釈のうち、既定のもの: {n}", en="Readings assumed that are the default: {n}")
BEFORE = Text(ja="1. 始まる局面", en="1. The position before")
STEPS = Text(ja="2. 一回の手順", en="2. One round, step by step")
AFTER = Text(ja="3. 一回の後に違うもの", en="3. What is different after one round")
STOPS = Text(ja="4. 止められる人と、途中のほかの選択", en="4. Who can stop it, and what else could be chosen on the way")
SHORTEN = Text(ja="5. 省略", en="5. Shortening")
NAMED = Text(ja="6. 宣言した回数", en="6. How often it was named")
NOTHING = Text(ja="何も違わない（局面は完全に同じ）", en="nothing: the position is exactly the same")
SHUFFLED = Text(ja="ただし、途中でシャッフルしたものの並びを除く", en="but for the order of what was shuffled meanwhile")
EXCHANGED = Text(ja="一回では同じカードどうしが入れ替わり、{n}回で局面は完全に同じ", en="equal cards change places in one round; after {n} the position is exactly the same")
GROWS = Text(ja="増減する値か、入れ子の深さだけ（手順に示した値は最初の一回のもの）", en="only what grows, falls or nests (the values in the steps are those of the first round)")
INSTEAD = Text(ja="手順{step}で、{who}が「{chosen}」の代わりに選べるもの: {others}", en="in step {step}, instead of “{chosen}” {who} could take: {others}")
NOT_STOPPING = Text(ja="途中のほかの選択（選んでも止まるとは限らない）:", en="Other choices on the way (which need not stop it):")
NOBODY = Text(ja="どのプレイヤーにも、ほかの選択はない", en="no player has another choice on the way")
MAY = Text(ja="手順には省略を妨げるものがない: 偶然で決まるものがなく、どの選択も毎回同じ", en="nothing in the steps stands against it: none is decided by chance, and each choice is made alike in each round")
MAY_NOT = Text(ja="省略できない: {why}", en="may not be shortened: {why}")
ANEW = Text(ja="手順{steps}はシャッフルする。それが省略の妨げになるかは、審判が決める", en="step {steps} shuffles: whether that stands against it, the judge has to say")
CHANCE = Text(ja="手順{steps}は偶然で決まる", en="chance decides in step {steps}")
OPEN = Text(ja="手順{steps}は、決める人が定められていない", en="in step {steps} the rules do not say who decides")
HIDDEN = Text(ja="伏せられたカードはすべて見えているものとしている。手順の条文が伏せられた物に触れるなら、審判が確かめる",
              en="Hidden cards were taken to be seen by everybody: where a clause of a step touches what is hidden, the judge has to look")
BLANK = Text(ja="＿＿回（宣言した者: ＿＿＿＿、承諾した者: ＿＿＿＿）", en="____ times (named by: ________, accepted by: ________)")
AS_SHOWN = Text(ja="手順の始まりの局面（ここまでの手順の数: {n}）", en="as the round begins (steps that lead here: {n})")


def tournament_report(finding: Finding, lang: Lang, names: Names = NO_NAMES) -> str:
    """The form, as text, of a loop and of clauses that say different things of one. Findings without a loop are told in one line."""
    say = speaker(lang)
    play = finding.play
    if finding.keepers is None or not play.cycle:
        return say(NO_LOOP, id=finding.id, title=say(finding.title))
    round_ = one_round(play)
    return "\n".join([
        say(HEAD, id=finding.id), say(finding.title), "", *assumed(finding, say, names),
        say(BEFORE), *indented(before(finding, say)),
        say(STEPS), *indented(step_line(k, s, say) for k, s in enumerate(round_, 1)),
        say(AFTER), *indented([after(finding, say), *([say(SHUFFLED)] if any(s.shuffled for s in round_) else [])]),
        say(STOPS), *indented(stops(finding, round_, say)),
        say(SHORTEN), *indented(shortened(round_, say)),
        say(NAMED), *indented([say(BLANK)]),
    ])


def assumed(finding: Finding, say: Say, names: Names) -> list[str]:
    """How the book is read; the defaults only counted."""
    mine = rests_on(finding)
    others = {name: answer for name, answer in mine.items() if names.default(finding.book, name) != answer}
    usual = len(mine) - len(others)
    return [
        *([say(READ), *indented([readings(finding.book, others, say, names)])] if others else []),
        *([say(BY_DEFAULT, n=usual)] if usual else []),
    ]


def indented(rows: Iterable[str]) -> list[str]:
    """Lines below a heading."""
    return [f"   {line}" for row in rows for line in row.splitlines()]


def one_round(play: Play) -> tuple[PlayStep, ...]:
    """The steps of one round (of several in which equal cards change places, the first) in which there is anything to tell."""
    steps = play.cycle[: len(play.cycle) // play.rounds] if play.rounds > 1 else play.cycle
    return tuple(s for s in steps if s.chosen is not None or s.clauses or s.changes or s.shuffled)


def before(finding: Finding, say: Say) -> list[str]:
    """Where it begins."""
    where = finding.moment or finding.position
    lead = [say(AS_SHOWN, n=len(finding.play.stem))] if finding.play.stem else []
    return [*lead, *([say(where)] if where is not None else [])]


def step_line(k: int, s: PlayStep, say: Say) -> str:
    """One step: who does what, by which clauses, and what is different then."""
    who = say(s.decider) + ": " + say(s.chosen) if s.decider is not None and s.chosen is not None else ""
    clauses = f"[{clause_list(s.clauses, say)}]" if s.clauses else ""
    changes = "; ".join(map(say, s.changes))
    told = who or ("" if changes else say(words.QUIET))
    return " ".join(part for part in (f"({k})", told, clauses, f"→ {changes}" if changes else "") if part)


def after(finding: Finding, say: Say) -> str:
    """What one round leaves different."""
    if finding.growing:
        return say(GROWS)
    return say(EXCHANGED, n=finding.play.rounds) if finding.play.rounds > 1 else say(NOTHING)


def stops(finding: Finding, round_: tuple[PlayStep, ...], say: Say) -> list[str]:
    """Who can stop it, in what was examined; and what else players could choose on the way, though it may not stop it."""
    out: list[str] = []
    for k, s in enumerate(round_, 1):
        if s.decider is not None and s.chosen is not None and s.decider != LUCK:
            others = [x for x in distinct(map(say, s.alternatives)) if x != say(s.chosen)]
            out += (
                [say(INSTEAD, step=k, who=say(s.decider), chosen=say(s.chosen), others=say(words.LIST).join(others))]
                if others
                else []
            )
    return [
        *scripted(finding.policies, say),
        *who_stops(finding, say),
        *([say(NOT_STOPPING), *out] if out else [say(NOBODY)]),
    ]


def shortened(round_: tuple[PlayStep, ...], say: Say) -> list[str]:
    """May rounds be left out and only be named? Not where chance or nobody decides; of an order that is made anew the judge is told."""
    luck = [k for k, s in enumerate(round_, 1) if s.decider is not None and s.decider == LUCK]
    nobody = [k for k, s in enumerate(round_, 1) if s.decider is not None and s.decider.en.startswith("nobody named")]
    anew = [k for k, s in enumerate(round_, 1) if s.shuffled]
    why = [say(one, steps=", ".join(map(str, ks))) for one, ks in ((CHANCE, luck), (OPEN, nobody)) if ks]
    rows = [
        *([say(MAY_NOT, why="; ".join(why))] if why else []),
        *([say(ANEW, steps=", ".join(map(str, anew)))] if anew else []),
    ]
    return [*(rows or [say(MAY)]), say(HIDDEN)]
