"""What is said about a finding, and in which order: the page that a meeting can decide on."""
from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from ...spec.groups import grouped
from ...spec.text import Lang, Text
from . import words
from .claims import QUESTION, asked_only, because, given, place
from .layout import Block, Facts, Field, Heading, Items, Para, Table, Title
from .names import NO_NAMES, Names
from .record import (
    Assumption,
    Bounds,
    Certainty,
    ClauseVerdict,
    Decision,
    Finding,
    FindingClass,
    NotAsked,
    Origin,
    Play,
    Settlement,
    WhoCanStop,
    concluded,
)
from .steps import MANY_CLAUSES, Say, cycle_items, merged, stem_table

FIRST_CLAUSES = 5
"""So many clauses are named where there are very many."""


def speaker(lang: Lang) -> Say:
    """Says phrases in a language; texts among the values are said in it too."""

    def say(phrase: Text, **values: object) -> str:
        said = phrase.in_(lang)
        filled = {key: value.in_(lang) if isinstance(value, Text) else value for key, value in values.items()}
        return said.format(**filled) if values else said

    return say


def finding_page(finding: Finding, lang: Lang, names: Names = NO_NAMES, brief: bool = False, ranged: bool = True,
                 as_in: str | None = None) -> list[Block]:
    """The whole page of a finding; a brief one without how far was looked and the control. `ranged`: with how far was looked;
    `as_in`: the finding above that was told with the same play, which is not told again."""
    say = speaker(lang)
    played: list[Block] = [Heading(say(words.STEM)), Para(say(words.SAME_PLAY, id=as_in))] if as_in else [
        *_start(finding, say), *_course(finding, say, names)]
    return [
        *_head(finding, say, names),
        Heading(say(words.SUMMARY)),
        Para(say(finding.summary)),
        *played,
        *_outcomes(finding, say),
        *([] if as_in else [*_conditions(finding, say), *_stoppers(finding, say)]),
        *_verdicts(finding, say, names),
        *_as_written(finding, say),
        *_more(finding, say, names),
        *(_range(finding, say) if ranged and not brief else []),
        *([] if brief or as_in else _control(finding, say)),
        *_question(finding, say, names),
    ]


def _head(finding: Finding, say: Say, names: Names) -> list[Block]:
    decisive, on_the_way = (1, finding.clauses[1:]) if finding.cls is FindingClass.LOOP else (None, ())
    clauses, related = several(finding.clauses[:decisive], say), several((*on_the_way, *finding.related), say)
    if related:
        clauses = (say(words.RELATED, clauses=clauses, related=related) if clauses
                   else say(words.RELATED_ALONE, related=related))
    book = say(names.book(finding.book) or Text.same(finding.book))
    blocks: list[Block] = [
        Title(headline(finding.title, say)), Facts(say(words.FACTS).join([finding.id, *facts(finding, say)])),
        Field(say(words.CONCERNS), say(words.CONCERNED, book=book, clauses=clauses) if clauses else book)
    ]
    if assumed := rests_on(finding):
        blocks.append(Field(say(words.READINGS), readings(finding.book, assumed, say, names, marked=True)))
    if finding.cls is FindingClass.DEAD:  # a claim about every position: what it rests on comes first
        blocks += assumptions(finding.bounds.assumptions, say)
    return blocks


def rests_on(finding: Finding) -> dict[str, str]:
    """The answers to readings that the finding rests on: all that play asked for, but for those of which another answer changes nothing of it."""
    return {name: answer for name, answer in finding.readings.items()
            if name not in idle_readings(finding, ("same", "alike"))}


def idle_readings(finding: Finding, nothing_done: Collection[str] = ("same", "elsewhere")) -> set[str]:
    """The readings of which every answer was checked, and with each the finding is the same (or play does not come to it, if that counts too)."""
    alike = concluded(finding)

    def done(one: Settlement) -> str:  # "alike": this finding is the same, though another one comes
        return "same" if one.same else "alike" if one.effect == "remains" and one.then == alike else one.effect

    return {name for name in {s.reading for s in finding.settlements}
            if all(done(s) in nothing_done for s in finding.settlements if s.reading == name)}


def headline(text: Text, say: Say) -> str:
    """A title, in English with a capital in front."""
    said = say(text)
    return said if said == text.ja and not said.isascii() else said[:1].upper() + said[1:]


def several(clauses: Sequence[str], say: Say) -> str:
    """Clauses in a row, the decisive one first; of very many, the first."""
    if len(clauses) <= MANY_CLAUSES:
        return say(words.LIST).join(clauses)
    return say(words.CLAUSES_FIRST, first=say(words.LIST).join(clauses[:FIRST_CLAUSES]), count=len(clauses))


def facts(finding: Finding, say: Say) -> list[str]:
    """Class and certainty, and what has to be said beside them."""
    said = [say(words.CLASS[finding.cls]), say(words.CERTAINTY[finding.certainty])]
    if finding.severity is not None and finding.origin is not None and finding.stake is not None:
        without_texts = finding.origin is Origin.CARDS and not finding.cards
        origin = say(words.FROM_A_POSITION if without_texts else words.ORIGIN[finding.origin])
        stake = say(words.STAKE[finding.stake])
        said.insert(0, say(words.SEVERITY, severity=finding.severity.value, origin=origin, stake=stake))
    if finding.unknown_because and finding.keepers is not WhoCanStop.UNKNOWN:
        said.append(say(words.UNKNOWN, why=finding.unknown_because))
    if finding.invented_cards and finding.origin is not Origin.INVENTED:
        said.append(say(words.INVENTED_CARDS))
    if finding.hint:
        said.append(say(words.HINT))
    if finding.known:
        said.append(say(words.KNOWN))
    if finding.same_as:
        said.append(say(words.SAME_AS, ids=say(words.LIST).join(finding.same_as)))
    return said


def readings(book: str, chosen: Mapping[str, str], say: Say, names: Names, marked: bool = False) -> str:
    """The readings a finding or a run holds under, in the book's words where it has any; `marked` where an answer is not the default."""
    said: list[str] = []
    for reading, alternative in sorted(chosen.items()):
        name = names.reading(book, reading, alternative)
        one = say(name) if name else say(words.READING, question=reading, answer=alternative)
        said.append(say(words.NOT_DEFAULT, reading=one)
                    if marked and names.default(book, reading) not in (None, alternative) else one)
    return say(words.READING_SEPARATOR).join(said)


def _start(finding: Finding, say: Say) -> list[Block]:
    """Where play begins, and the cards with texts."""
    blocks: list[Block] = []
    if finding.position is not None:
        blocks += [Heading(say(words.POSITION)), Para(say(finding.position))]
    elif finding.certainty is Certainty.FROM_SETUP and finding.play.stem:
        blocks += [Heading(say(words.POSITION)), Para(say(words.FROM_SETUP))]
    if told := dict.fromkeys((*finding.cards, *finding.figures)):
        aside = say(words.INVENTED_TEXTS) if finding.invented_cards else ""
        blocks += [Heading(say(words.CARD_TEXTS), aside), Para("\n".join(say(card) for card in told))]
    return blocks


def _course(finding: Finding, say: Say, names: Names) -> list[Block]:
    play = finding.play
    blocks: list[Block] = []
    if play.stem:
        blocks += [Heading(say(words.STEM)), stem_table(play.stem, say, finding.certainty is Certainty.FROM_SETUP)]
    elif play.cycle:
        blocks += [Heading(say(words.STEM)), Para(say(words.FROM_THE_START))]
    if play.end and not play.cycle:
        blocks.append(Para(say(words.ENDING, end=play.end)))
    if finding.moment is not None and play.stem:
        blocks += [Heading(say(words.MOMENT)), Para(say(finding.moment))]
    if play.cycle:
        blocks += _cycle(finding, play, say, names)
        notes: list[str] = []
        if finding.scope:
            across = finding.level == "game" and any(step.turn is not None for step in play.cycle)
            notes.append(say(words.SCOPE_TURNS) if across else say(words.SCOPE, scope=finding.scope))
        if finding.copies > 1:
            notes.append(say(words.COPIES, count=finding.copies - 1))
        if notes:
            blocks.append(Para(say(words.SENTENCE).join(notes)))
    return blocks


def _cycle(finding: Finding, play: Play, say: Say, names: Names) -> list[Block]:
    """What repeats: once, where it comes back the same but for equal cards."""
    def clause(number: str) -> str:
        gist = names.clause(finding.book, number)
        if gist:
            told.append(number)
        return f"{number} {say(gist)}" if gist else number

    told: list[str] = []
    items = cycle_items(play.cycle[:len(play.cycle) // play.rounds], say, clause)
    aside = say(words.CYCLE_EXACT if any(step.decider for step in play.cycle) else words.CYCLE_NOBODY)
    if finding.growing:
        aside = say(words.CYCLE_GROWING)
    elif play.rounds > 1:
        aside = say(words.CYCLE_ROUND, rounds=play.rounds)
    if any(step.shuffled for step in play.cycle):
        aside += say(words.CYCLE_SHUFFLED)
    gists = [Para(say(words.GISTS))] if told else []
    return [Heading(say(words.CYCLE), aside), Items(tuple(items)), *gists]


def _conditions(finding: Finding, say: Say) -> list[Block]:
    """The conditions that would have to be met for a loop to end, and which are not."""
    if not finding.conditions:
        return []
    rows: list[tuple[str, ...]] = []
    for one in finding.conditions:
        missing = say(words.NOT_MET) if one.because is None else say(words.NOT_MET_BECAUSE, because=one.because)
        rows.append((" ".join(one.clauses), say(one.says), say(words.MET) if one.met else missing))
    return [Heading(say(words.CONDITIONS)), Table(tuple(say(word) for word in words.CONDITIONS_HEADER), tuple(rows))]


def _more(finding: Finding, say: Say, names: Names) -> list[Block]:
    """Other plays that show it."""
    blocks: list[Block] = []
    for number, play in enumerate(finding.more, 1):
        blocks.append(Heading(say(words.ANOTHER, number=number)))
        if play.stem:
            blocks.append(stem_table(play.stem, say, finding.certainty is Certainty.FROM_SETUP))
        if play.end and not play.cycle:
            blocks.append(Para(say(words.ENDING, end=play.end)))
        if play.cycle:
            blocks += _cycle(finding, play, say, names)
    return blocks


def _control(finding: Finding, say: Say) -> list[Block]:
    """The situation in which it does not happen."""
    control = finding.control
    if control is None:
        return []
    phrase = words.CONTROL_PINNED if control.pinned else words.CONTROL_OPEN
    told = say(phrase, title=control.title, scenario=f"{finding.book}/{control.scenario}")
    if control.about is not None:
        told = say(words.SENTENCE).join([told, say(words.CONTROL_DIFFERS, about=control.about)])
    return [Heading(say(words.CONTROL)), Para(told)]


def _outcomes(finding: Finding, say: Say) -> list[Block]:
    """What the ways on lead to, one beside the other."""
    if not finding.outcomes:
        return []
    rows = tuple(
        (say(one.first), say(words.LIST).join(merged(say(change) for change in one.then)) or say(words.NOTHING_ELSE))
        for one in finding.outcomes
    )
    return [Heading(say(words.OUTCOMES_DIFFER)), Table(tuple(say(word) for word in words.OUTCOMES_DIFFER_HEADER), rows)]


def _stoppers(finding: Finding, say: Say) -> list[Block]:
    said = who_stops(finding, say)
    return [Heading(say(words.STOPPERS)), Para(say(words.SENTENCE).join(said))] if said else []


def who_stops(finding: Finding, say: Say) -> list[str]:
    """Who can stop a loop, in sentences; of other findings nothing."""
    if finding.keepers is None:
        return []
    if finding.keepers is WhoCanStop.UNKNOWN and finding.unknown_because:
        said = [say(words.UNKNOWN, why=finding.unknown_because)]
    elif finding.keepers is WhoCanStop.ONE:
        said = [say(words.KEEPERS[WhoCanStop.ONE], who=finding.stopper or words.ONE_PLAYER)]
    else:
        more = (
            finding.stopper if finding.keepers is WhoCanStop.NOBODY else None
        )  # of two players, the sentence says who they are
        said = [say(words.KEEPERS[finding.keepers]), *([say(more)] if more else [])]
    return said + [say(one) for one in (*([finding.goes_on] if finding.goes_on else []), *finding.assumptions)]


def _verdicts(finding: Finding, say: Say, names: Names) -> list[Block]:
    verdicts = finding.clause_verdicts
    if not verdicts:
        return []
    if not finding.play.cycle:
        return _contradicting(finding.book, verdicts, say, names)
    shared = _shared_part([verdict.clause for verdict in verdicts])
    heading = say(words.APPLIED, clause=shared) if shared else say(words.APPLIED_ANY)
    rows = tuple((f"{verdict.clause} {say(verdict.says)}", say(words.ANSWER[verdict.answer]), say(verdict.why))
                 for verdict in verdicts)
    return [Heading(heading), Table(tuple(say(word) for word in words.ANSWER_HEADER), rows)]


def _contradicting(book: str, verdicts: Sequence[ClauseVerdict], say: Say, names: Names) -> list[Block]:
    """What clauses that disagree say, each with what it is about."""
    rows: dict[str, list[str]] = {}
    for verdict in verdicts:
        gist = names.clause(book, verdict.clause)
        rows.setdefault(f"{verdict.clause} {say(gist)}" if gist else verdict.clause, []).append(
            say(verdict.effect or verdict.says)
        )
    gists = [Para(say(words.GISTS))] if any(names.clause(book, verdict.clause) for verdict in verdicts) else []
    table = Table(tuple(say(word) for word in words.SAYS_HEADER),
                  tuple((clause, say(words.LIST).join(told)) for clause, told in rows.items()))
    return [Heading(say(words.CONTRADICTING)), table, *gists]


def _shared_part(clauses: list[str]) -> str:
    """The part of the book that all the clauses lie in: 13.1 for 13.1.1 and 13.1.2; the clause itself if alone."""
    if len(clauses) == 1:
        return clauses[0]
    shared: list[str] = []
    for parts in zip(*(clause.split(".") for clause in clauses), strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return ".".join(shared)


def _as_written(finding: Finding, say: Say) -> list[Block]:
    if not (finding.play.cycle and finding.play.end):
        return []
    return [Para(say(words.AS_WRITTEN, end=finding.play.end))]


def _range(finding: Finding, say: Say) -> list[Block]:
    said = [*scripted(finding.policies, say), *bounds(finding.bounds, say)]
    if finding.cls is not FindingClass.DEAD and asked_only(finding.bounds):
        said.append(
            say(words.LOOKED_UNDER, given=say(words.LIST).join(say(given(a)) for a in finding.bounds.assumptions))
        )
    if finding.keepers is None:
        said += [say(assumption) for assumption in finding.assumptions]
    return [Heading(say(words.RANGE)), Para(say(words.SENTENCE).join(said))]


def assumptions(those: Sequence[Assumption], say: Say) -> list[Block]:
    """What is taken as given, for the first lines of a page."""
    return [Field(say(words.GIVEN), "\n".join(headline(given(a), say) for a in those))] if those else []


def not_asked(places: Sequence[NotAsked], say: Say) -> list[Block]:
    """The places of which nothing is said, each with the reason; those of one rule with the same reason once."""
    rows = dict.fromkeys(
        (say(QUESTION[x.question]) if x.question in QUESTION else "", say(place(x)), say(because(x))) for x in places
    )
    return ([Heading(say(words.NOT_ASKED)), Table(tuple(say(word) for word in words.NOT_ASKED_HEADER), tuple(rows))]
            if rows else [])


def bulleted(lines: Iterable[str], say: Say) -> str:
    """Lines, each with a mark before it."""
    return "\n".join(say(words.BULLET, line=line) for line in lines)


def scripted(policies: Sequence[Text], say: Say) -> list[str]:
    """That only what the policies choose was looked at; several have a line each."""
    if len(policies) > 1:
        return [
            say(words.POLICIES_EACH, policies=bulleted(map(say, policies), say))
        ]
    return [say(words.POLICIES, policies=say(policy)) for policy in policies]


def bounds(bounds: Bounds, say: Say) -> list[str]:
    """How far was looked, as sentences."""
    if asked_only(bounds):
        return notes(bounds, say)
    looked = say(words.LOOKED_AT, states=f"{bounds.states:,}", transitions=f"{bounds.transitions:,}",
                 depth=f"{bounds.depth:,}")
    if bounds.omission is None:
        return [say(words.COMPLETE if bounds.complete else words.CUT_OFF), looked, *notes(bounds, say)]
    missed = say(words.OMISSION, probability=f"{bounds.omission:.1e}")
    return [say(words.COMPLETE_BY_PRINTS if bounds.complete else words.CUT_OFF), looked, missed, *notes(bounds, say)]


def notes(bounds: Bounds, say: Say) -> list[str]:
    """Where and why the search stopped, as sentences."""
    return [headline(note, say).rstrip("。.") + say(words.FULL_STOP) for note in bounds.notes]


def _question(finding: Finding, say: Say, names: Names) -> list[Block]:
    if finding.question is None:
        return []
    asked = [say(finding.question)]
    if finding.cls is FindingClass.CONFLICT:
        asked += _preferred(finding, say)
    return [Heading(say(words.QUESTION)), Para("\n".join(dict.fromkeys(asked))),
            *_asked_about(finding, finding.question, say, names), *_settlements(finding, say, names),
            Para(decision(finding.decision, say) if finding.decision else say(words.DECISION))]


def _preferred(finding: Finding, say: Say) -> list[str]:
    """What follows if one of several clauses counts; by which numbers, the table has said."""
    by_clause = grouped(
        (v.clause, say(v.effect) if finding.play.cycle else say(words.SAID_OF, about=v.why, says=v.says))
        for v in finding.clause_verdicts if v.answer == "applies" and v.effect is not None and v.clause)
    return [
        say(words.PREFERRED, clause=clause, effect=say(words.LIST).join(told)) for clause, told in by_clause.items()
    ]


def _asked_about(finding: Finding, question: Text, say: Say, names: Names) -> list[Block]:
    """What the clauses are about that the question names, where no table has said it."""
    if finding.clause_verdicts and not finding.play.cycle:
        return []
    clauses = dict.fromkeys((*finding.clauses, *(verdict.clause for verdict in finding.clause_verdicts)))
    named = [c for c in clauses if re.search(rf"(?<![\w.]){re.escape(c)}(?!\w|\.\w)", question.en)]
    gists = [(c, gist) for c in named if (gist := names.clause(finding.book, c)) is not None]
    return [Para("\n".join(say(words.GIST_OF, clause=c, gist=gist) for c, gist in gists))] if gists else []


def decision(decided: Decision, say: Say) -> str:
    """What was decided, in a line."""
    said = [say(words.DECIDED_ABOUT, status=words.DECIDED[decided.status])]
    for name in ("reason", "person", "date", "edition"):
        value = getattr(decided, name)
        if value is not None:
            said.append(say(words.DECISION_PART[name], value=" ".join(value.split())))
    return say(words.DECISION_SEPARATOR).join(said)


def _settlements(finding: Finding, say: Say, names: Names) -> list[Block]:
    """What the readings of the book would make of it: under each question its answers, those first that settle it. Questions of
    which no answer makes a difference are only named."""
    if not finding.settlements:
        return []
    idle = idle_readings(finding)
    asked = grouped((one.reading, one) for one in finding.settlements if one.effect != "elsewhere")
    order = sorted(asked, key=lambda name: not any(s.effect == "resolved" for s in asked[name]))
    rows: list[tuple[str, ...]] = []
    for name in order:
        if name not in idle:
            rows.append((say(asked[name][0].question),))
            rows += _answers(finding, asked[name], say, names)
    blocks: list[Block] = [Heading(say(words.SETTLEMENTS))]
    if rows:
        blocks.append(Table(tuple(say(word) for word in words.SETTLEMENTS_HEADER), tuple(rows)))
    if apart := [say(words.QUESTION_ANSWER, question=one.question, answer=one.gist) for one in finding.settlements
                 if one.effect == "elsewhere"]:
        blocks.append(Para(say(words.NOT_REACHED, answers="\n".join(apart))))
    if same := [say(asked[name][0].question) for name in order if name in idle]:
        blocks.append(
            Para(say(words.NO_DIFFERENCE, questions=bulleted(same, say)))
        )
    open_one = next((s for s in finding.settlements if s.effect == "not checked"), None)
    if open_one is not None:
        blocks.append(Para(say(words.TRY_IT, target=f"{finding.book}/{finding.scenario}", reading=open_one.reading,
                               answer=open_one.answer)))
    return blocks


def _answers(finding: Finding, answers: Sequence[Settlement], say: Say, names: Names) -> list[tuple[str, ...]]:
    """The answers to one question, those with the same effect together where they are numbers."""
    told: dict[str, list[str]] = {}
    for one in answers:
        number = one.answer.isdigit()
        told.setdefault(_effect(finding, one, say, names) + ("" if number else f"\0{one.answer}"), []).append(
            say(one.gist)
        )
    return [(say(words.SETTLED, answer=say(words.SAME_EFFECT).join(gists)), effect.partition("\0")[0])
            for effect, gists in told.items()]


def _effect(finding: Finding, one: Settlement, say: Say, names: Names) -> str:
    """What an answer does: to the finding, and in play."""
    told = say(words.EFFECT[one.effect])
    if one.then is not None:
        then = say(one.then)
        told = say(words.EFFECT_THEN, effect=told, then=then[:1].upper() + then[1:])
    if one.new:
        told += say(words.EFFECT_NEW, new=one.new)
    if one.under:
        told += "\n" + say(
            words.WITH_OTHERS, readings=readings(finding.book, one.under, say, names).replace("\n", say(words.LIST))
        )
    return told
