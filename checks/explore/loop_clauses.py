"""What a book's own clauses about endless loops say of one, and what depends on it by them.

The clauses are rules on a record of facts about the loop (`loop_facts`). Whether a state is the same is the book's own notion: what
is hidden (`order_anew`) or not seen on the table (`looks_same`) is for its reading to weigh.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ...model.engine.state import End, Option, State
from ...model.engine.vocabulary import filled, join
from ...model.ir import types as t
from ...spec.findings import WhoCanStop
from ...spec.text import Text
from ..findings.record import ClauseVerdict, Stake
from .bans import BARRED_QUESTION, Round, acts, can_decline, round_of
from .loops import Loop
from .owned_graph import Scope
from .subject import Subject

LOOP_QUESTION = "endless loop"
"""The question that verdicts of a book pronounce on if it has a clause about endless loops."""
END_QUESTION = "end of the game by an endless loop"
"""The question by which a book tells whether what such a verdict pronounces ends the game, or only the loop."""
NUMBER_QUESTION = "number on a card"
"""The question by which a book tells what number is seen on a card, where that matters to its clause about loops."""
ABOUT_LOOPS = (LOOP_QUESTION, END_QUESTION, NUMBER_QUESTION, BARRED_QUESTION)
"""All questions of verdicts that are asked about a loop, beside play."""
NO_READINGS: Mapping[str, str] = {}
NOTHING = Text(ja="なし", en="none")
NOT_KNOWN = Text(ja="循環について分かっていないことによる", en="it depends on what is not known of the loop")
CAN_STOP = ((0, 0, 0, 1), (1, 0, 1, 1), (0, 1, 1, 1), (0, 0, 1, 1), (1, 1, 1, 1))
"""Nobody, the turn player, the other one, both only together, or either of them can stop a loop; and that is known."""


def stake_of(book_says: Sequence[ClauseVerdict]) -> Stake | None:
    """What depends on a loop of which the book's clauses pronounce: only the result, where some apply, and each of those breaks the
    loop and lets the game go on. None: what depends on any loop."""
    applying = [v for v in book_says if v.answer == "applies"]
    broken = bool(applying) and all(v.goes_on for v in applying) and not any(v.answer == "unclear" for v in book_says)
    return Stake.RESULT if broken else None


def turn_player_in(subject: Subject, cycle: Sequence[tuple[State, Option]]) -> int:
    """Whose turn it is in a loop (in one across turns, the first player's)."""
    slot = subject.describer.turn_slot
    return min(s.slots[slot] for s, _ in cycle) if slot is not None else 0


def acted_out(subject: Subject, cycle: Sequence[tuple[State, Option]]) -> Round | None:
    """The round as the player goes through it who acts in it: the turn player, if that one does."""
    turn = turn_player_in(subject, cycle)
    return round_of(subject, cycle, turn) or round_of(subject, cycle, 1 - turn)


def makes_an_order_anew(subject: Subject, cycle: Sequence[tuple[State, Option]]) -> bool:
    """Are several cards shuffled in the round, so that their order is not known to be what it was?"""
    return any(subject.tell(state, option)[0].shuffled for state, option in cycle)


def looks_the_same(subject: Subject, cycle: Sequence[tuple[State, Option]]) -> bool:
    """Are all cards after the round where they were, with the same number on them (as the book's `number_on` tells it)?"""
    before, layout = cycle[0][0], subject.program.layout
    after = subject.engine.apply(*cycle[-1]).state
    first, cards = layout.location, range(layout.card_count)
    if any(before.slots[k + c] != after.slots[k + c] for k in (first, layout.rank) for c in cards):
        return False
    rule = next((v.function for v in subject.program.verdicts if v.question == NUMBER_QUESTION), None)
    return rule is not None and all(
        subject.engine.evaluate(rule, before, [c]) == subject.engine.evaluate(rule, after, [c]) for c in cards)


def loop_facts(
    subject: Subject,
    cycle: Sequence[tuple[State, Option]],
    loop: Loop,
    growing: bool,
    turning: Round | None = None,
) -> Mapping[str, int]:
    """What a verdict on an endless loop may ask about it (fields of the book's record of a loop, by name)."""
    d = subject.describer
    turns = {s.slots[d.turn_slot] for s, _ in cycle} if d.turn_slot is not None else {0}
    turn = turn_player_in(subject, cycle)
    within_turn = len(turns) == 1 and loop.scope is not Scope.GAME
    chooses, acting, plays = set[int](), set[int](), set[int]()
    for state, option in cycle:
        at = subject.engine.point(state)
        if at is not None and at.owner >= 0 and len(at.options) > 1:
            chooses.add(at.owner)
            if can_decline(at) and acts(at, option):
                acting.add(at.owner)
        plays |= subject.players_of_waiting(state, option)
    prepared = all(d.before_turns(s) for s, _ in cycle)

    def mine(players: Collection[int]) -> int:
        return int(turn in players and not prepared)

    def others(players: Collection[int]) -> int:
        """Of both players, where it is nobody's turn yet."""
        return int(bool(players) if prepared else 1 - turn in players)
    certain = loop.verdict is not WhoCanStop.UNKNOWN
    stops = {p for p in (0, 1) if certain and loop.keepers and all(p in k for k in loop.keepers)}
    together = certain and loop.verdict is not WhoCanStop.NOBODY
    judged = any(v.question == LOOP_QUESTION for v in subject.program.verdicts)
    return {
        "same_state": int(not growing),
        "looks_same": int(not growing or (judged and looks_the_same(subject, cycle))),
        "order_anew": int(judged and makes_an_order_anew(subject, cycle)),
        "within_turn": int(within_turn),
        "prepared": int(prepared),
        "turn_player": turn,
        "turn_player_acts": mine(acting),
        "other_player_acts": others(acting),
        "turn_player_chooses": mine(chooses),
        "other_player_chooses": others(chooses),
        "turn_player_plays": mine(plays),
        "other_player_plays": others(plays),
        "turn_player_can_stop": mine(stops),
        "other_player_can_stop": others(stops),
        "together_can_stop": int(together),
        "known": int(certain),
        "several_actions": int(turning is not None and len(set(turning.sequence)) > 1),
        "again_elsewhere": int(turning is not None and within_turn and not growing and bool(turning.again_elsewhere)),
    }


def possible_facts(facts: Mapping[str, int], turning: Round | None) -> list[Mapping[str, int]]:
    """The facts as they may be, those that are given first: where it is not known who can stop the loop, for each answer to that; where not
    all of the turn could be looked at, also as if an action of the loop could be taken elsewhere."""
    out = [facts]
    if not facts["known"]:
        who = ("turn_player_can_stop", "other_player_can_stop", "together_can_stop", "known")
        out += [{**facts, **dict(zip(who, can, strict=True))} for can in CAN_STOP]
    if turning is not None and facts["within_turn"] and facts["same_state"] and turning.again_elsewhere is None:
        out += [{**one, "again_elsewhere": 1} for one in out]
    return out


def apply_loop_clause(
    subject: Subject, state: State, facts: Mapping[str, int], turning: Round | None = None,
) -> tuple[ClauseVerdict, ...]:
    """What each verdict of the book on endless loops pronounces on this one."""
    out: list[ClauseVerdict] = []
    functions: list[str] = []
    d, possible = subject.describer, possible_facts(facts, turning)
    words = d.words.words
    assumed = {**{name: answer for name, (_, answer) in subject.defaults.items()}, **subject.readings}
    for v in subject.program.verdicts:
        if v.question != LOOP_QUESTION or not isinstance(v.subject, t.RecordType):
            continue
        functions.append(v.function)
        said, *others = (
            subject.engine.evaluate(v.function, state, [one.get(name, 0) for name, _ in v.subject.fields])
            for one in possible
        )
        clause = v.clauses[0] if v.clauses else ""
        if isinstance(said, End) or any(x != said for x in others):
            why = d.ending(said) if isinstance(said, End) else NOT_KNOWN
            out.append(ClauseVerdict(clause, d.words.of(v.function), "unclear", why, None))
            continue
        applies = not (isinstance(v.answer, t.OptionType) and said == v.answer.none)
        effect = d.value(v.answer, said) if applies else None
        why = reason(
            words,
            v.function,
            applies,
            facts,
            [said for said, x in zip(functions, out, strict=False) if x.answer == "applies"],
            assumed,
        )
        bars: tuple[Text, ...] = ()
        differs = facts["several_actions"] or facts["again_elsewhere"]
        more = words.get(f"{v.function} bars") if applies and differs and turning is not None else None
        if more is not None and turning is not None and (lost := turning.lost) is not None:
            bars, told = lost, filled(
                more, {"who": d.player(turning.who, state), "actions": join(lost) if lost else NOTHING})
            why = Text(ja=f"{why.ja}。{told.ja}", en=f"{why.en}. {told.en}")
        out.append(
            ClauseVerdict(
                clause,
                d.words.of(v.function),
                "applies" if applies else "does not apply",
                why,
                effect,
                bars,
                applies and goes_on_after(subject, state, v.answer, said),
            )
        )
    return tuple(out)


def goes_on_after(subject: Subject, state: State, answer: t.Type, said: int) -> bool:
    """Does the game go on after what a verdict pronounced, by the book's rule about that? Not known to where it has none."""
    rule = next((v for v in subject.program.verdicts if v.question == END_QUESTION), None)
    fate = answer.inner if isinstance(answer, t.OptionType) else answer
    return rule is not None and rule.subject == fate and subject.engine.evaluate(rule.function, state, [said]) == 0


def reason(
    words: Mapping[str, Text], function: str, applies: bool, facts: Mapping[str, int], before: Sequence[str] = (),
    assumed: Mapping[str, str] = NO_READINGS,
) -> Text:
    """Why a verdict applies or not, if the book's words say it: `… yes`, `… yes beside other` where the other one applies too
    (of those `before` it), `… yes unchosen` where nobody acts of their own choice; `… not covered` where nobody can stop the
    loop, `… not alone` where only both players together can, `… not before turns` where the game is still being prepared and so nobody is the turn player, `… not other acts` where
    only the other player acts in it, `… not where reading=answer` where a player acts and that answer is assumed, `… not` otherwise."""
    if applies:
        for other in before:
            if (said := words.get(f"{function} yes beside {other}")) is not None:
                return said
        unchosen = not (facts["turn_player_acts"] or facts["other_player_acts"])
        return (
            (unchosen and words.get(f"{function} yes unchosen"))
            or words.get(f"{function} yes")
            or Text(ja="条件に当たる", en="its condition is met")
        )
    other = facts["other_player_acts"] and not facts["turn_player_acts"]
    key = ("not covered" if not facts["together_can_stop"] else "not before turns" if other and facts["prepared"]
           else "not other acts" if other else "not")
    alone = facts["turn_player_can_stop"] or facts["other_player_can_stop"] or not facts["together_can_stop"]
    if not alone and (said := words.get(f"{function} not alone")) is not None:
        return said
    acts_out = facts["turn_player_acts"] or facts["other_player_acts"]
    for name, said in words.items() if acts_out and key == "not" else ():
        where, _, answer = name.removeprefix(f"{function} not where ").partition("=")
        if name.startswith(f"{function} not where ") and assumed.get(where) == answer:
            return said
    return (
        words.get(f"{function} {key}")
        or words.get(f"{function} not")
        or Text(ja="条件に当たらない", en="its condition is not met")
    )
