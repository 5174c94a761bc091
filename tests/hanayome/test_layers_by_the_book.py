"""Positions with several continuous effects, worked out by hand from 10.9.1.1 to 10.9.1.7: first the clause, then what depends comes later, then time."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from .test_by_the_book import ability, both, event, played, wins_if

MINE = "card in characters(g, you)"
SELF = "card == this"


def does(effect: str, on: str = SELF, when: str = "", **more: object) -> dict[str, object]:
    return ability("permanent", effect=effect, applies_to=on, **({"if": when} if when else {}), **more)


def adds(number: object, on: str = SELF, when: str = "") -> dict[str, object]:
    return does("adds_power", on, when, how_much=str(number))


def sets(number: object, on: str = SELF, when: str = "") -> dict[str, object]:
    return does("sets_power", on, when, how_much=str(number))


def who(ident: str, power: int, *abilities: dict[str, object], person: str = "三玖", **says: object) -> dict[str, object]:
    return {
        "id": ident, "name": both(ident), "kind": "character", "names": [ident], "persons": [person], "power": power,
        "speaks_of": ["二乃", "四葉", "一花"], "abilities": list(abilities), **says}  # fmt: skip


def named(person: str, card: str = "card") -> str:
    return f"goes_by(g, {card}, {{Person.{person}}})"


@dataclass(frozen=True)
class Case:
    """Characters of the first player in the order in which they came (each with its lane's number), and what holds then."""

    cards: Sequence[dict[str, object]]
    holds: str
    hand: tuple[dict[str, object], ...] = ()
    reading: dict[str, str] = field(default_factory=dict)


def power(lane: int, number: int) -> str:
    return f"any(zone_number(zone_of(c)) == {lane} and power(g, c) == {number} for c in characters(g, you))"


def is_called(lane: int, person: str, so: bool = True) -> str:
    return f"any(zone_number(zone_of(c)) == {lane} and {'' if so else 'not '}{named(person, 'c')} for c in characters(g, you))"


def on(lane: int) -> str:
    return f"{MINE} and zone_number(zone_of(card)) == {lane}"


STRONG = f"{MINE} and power(g, card) >= 5"
RISE = event("MY-RISE", "main", "for c in characters(g, you):\n    change_power(g, c, 3)\n")

ONCE = event("MY-ONCE", "main", "for c in characters(g, you):\n    change_power(g, c, 2)\n")
TWICE = event("MY-TWICE", "main", "for c in characters(g, you):\n    change_power(g, c, 1)\nfor c in characters(g, you):\n    change_power(g, c, 1)\n")

FIRST_TWO = f"{MINE} and zone_number(zone_of(card)) <= 2"
IN_ORDER = {"loss-and-gift": "order-of-arising"}


def gives(*more: str, to: str = "") -> list[dict[str, object]]:
    """To the character in lane 2: +2 for itself."""
    return [does("gives_abilities", to or on(2)), adds(2) | {"given": True, **({"only": list(more)} if more else {})}]


DISGUISE = does("adds_persons", persons=["二乃"], everywhere=True)
"""12.9.2."""
TAKES = does("loses_persons", MINE, persons=["二乃"])
TAKEN_LAST = {"names-lost-and-given": "loss-last"}


CASES = {
    # 10.9.1.6: what "is 5" does decides whether "5 or more: +1" applies, so that comes later, though it is older: 2, 5, 6
    "what a later effect makes possible comes after it": Case([who("A", 2, adds(1, STRONG)), who("B", 0, sets(5, on(1)))], power(1, 6)),
    # 10.9.1.7: neither changes how the other applies
    "the newer of two that do not depend is the last: set": Case([who("A", 2, adds(1, on(1))), who("B", 0, sets(5, on(1)))], power(1, 5)),
    "the newer of two that do not depend is the last: added": Case([who("A", 2, sets(5, on(1))), who("B", 0, adds(1, on(1)))], power(1, 6)),
    # 4 <= 5, and 5 <= 5 with the other first: no dependence; by time 5, then 6
    "what no longer meets its condition in the end has been applied": Case(
        [who("A", 4, adds(1, SELF, "power(g, this) <= 5")), who("B", 0, adds(1, on(1)))], power(1, 6)),
    # none of the three depends on one other: by time 4, 5, 6; or 4, and now "4 or less: +1" depends on what is left: 5
    "three additions, of which the oldest ends with the number": Case(
        [who("A", 3, adds(1, SELF, "power(g, this) <= 4")), who("B", 0, adds(1, on(1))), who("C", 0, adds(1, on(1)))], power(1, 6)),
    "three additions, of which the newest ends with the number": Case(
        [who("B", 0, adds(1, on(3))), who("C", 0, adds(1, on(3))), who("A", 3, adds(1, SELF, "power(g, this) <= 4"))], power(3, 5)),
    "additions for the turn are two, if they are said twice": Case(
        [who("A", 3, adds(1, SELF, "power(g, this) <= 4"))], power(1, 6), (TWICE,)),
    "an addition for the turn is one, if it is said once": Case([who("A", 3, adds(1, SELF, "power(g, this) <= 4"))], power(1, 5), (ONCE,)),
    # +1 depends on +3 (2 is less than 5) and then on "is 4": 2, 5, 4
    "it waits for all on which it depends": Case(
        [who("A", 2, adds(1, STRONG)), who("B", 0, adds(3, on(1))), who("C", 0, sets(4, on(1)))], power(1, 4)),
    "by how much it applies is dependence, too": Case(
        [who("A", 2, sets(f"max((power(g, c) for c in characters(g, you) if {named('二乃', 'c')}), default=0)")),
         who("B", 1, person="二乃"), who("C", 0, adds(2, on(2)))], power(1, 3)),
    # 10.9.1.3 before 10.9.1.4: when abilities are lost the name is not there yet
    "a name that is given does not lose abilities to what speaks of that name": Case(
        [who("A", 2, does("adds_persons", persons=["二乃"]), adds(3)), who("B", 0, does("loses_abilities", f"{MINE} and {named('二乃')}"))], power(1, 5)),
    "a printed name does": Case(
        [who("A", 2, adds(3), person="二乃"), who("B", 0, does("loses_abilities", f"{MINE} and {named('二乃')}"))], power(1, 2)),
    "nor does the name of a disguise": Case(
        [who("A", 2, adds(3), DISGUISE), who("B", 0, does("loses_abilities", f"{MINE} and {named('二乃')}"))],
        power(1, 5) + " and " + is_called(1, "二乃")),
    # 10.9.1.7.1: a disguise arose when its card came; by one reading what takes a name has more to take after it
    "a disguise that came later gives the name again": Case([who("A", 0, TAKES), who("B", 0, DISGUISE)], is_called(2, "二乃")),
    "a disguise that came earlier does not": Case([who("A", 0, DISGUISE), who("B", 0, TAKES)], is_called(1, "二乃", False)),
    "the name of a disguise that came later is taken": Case([who("A", 0, TAKES), who("B", 0, DISGUISE)], is_called(2, "二乃", False), reading=TAKEN_LAST),
    # 10.9.1.3 before 10.9.1.5
    "the strength that an ability gives does not lose that ability": Case(
        [who("A", 2, adds(3)), who("B", 0, does("loses_abilities", STRONG))], power(1, 5)),
    "strength until the end of the turn loses none": Case(
        [who("A", 2, adds(3)), who("B", 0, does("loses_abilities", STRONG))], power(1, 8), (RISE,)),
    "an ability that is lost adds nothing, though it is older": Case(
        [who("A", 2, adds(3, MINE)), who("B", 1, does("loses_abilities", on(1)))], power(2, 1)),
    # 10.9.1.4 before 10.9.1.5
    "strength does not give the name that the strong have": Case(
        [who("A", 2, adds(3)), who("B", 0, does("adds_persons", STRONG, persons=["二乃"]))], power(1, 5) + " and " + is_called(1, "二乃", False)),
    "nor does strength until the end of the turn": Case(
        [who("A", 2), who("B", 0, does("adds_persons", STRONG, persons=["二乃"]))], power(1, 5) + " and " + is_called(1, "二乃", False), (RISE,)),
    "printed strength does": Case([who("A", 5), who("B", 0, does("adds_persons", STRONG, persons=["二乃"]))], is_called(1, "二乃")),
    "a name that is given later counts for an older number": Case(
        [who("A", 0, adds(2, f"{MINE} and {named('二乃')}")), who("B", 1), who("C", 0, does("adds_persons", on(2), persons=["二乃"]))], power(2, 3)),
    # 10.9.1.6 within 10.9.1.4 and 10.9.1.3
    "a name that is given later gives another": Case(
        [who("A", 0, does("adds_persons", f"{MINE} and {named('二乃')}", persons=["四葉"])), who("B", 0, does("adds_persons", SELF, persons=["二乃"]))],
        is_called(2, "四葉") + " and " + is_called(1, "四葉", False)),
    "what is disabled by a newer effect disables nothing": Case(
        [who("A", 0, does("disables_abilities", on(2))), who("B", 1, adds(3)), who("C", 0, does("disables_abilities", on(1)))], power(2, 4)),
    "what is disabled by what is disabled works": Case(
        [who("A", 1, adds(3)), who("B", 0, does("disables_abilities", on(1))), who("C", 0, does("disables_abilities", on(2))),
         who("D", 0, does("disables_abilities", on(3)))], power(1, 1)),
    "an ability that was given works": Case(
        [who("A", 0, does("gives_abilities", on(2)), adds(2) | {"given": True}), who("B", 1)], power(2, 3) + " and " + power(1, 0)),
    "an ability that was given by what is lost does not": Case(
        [who("A", 0, does("gives_abilities", on(2)), adds(2) | {"given": True}), who("B", 1), who("C", 0, does("loses_abilities", on(1)))], power(2, 1)),
    # 10.9.1.6 by the reading that stands first: there is more to lose, or to disable, once more has been given; by the other, time alone
    "what is given later is lost": Case([who("A", 0, does("loses_abilities", on(2))), who("B", 1), who("C", 0, *gives())], power(2, 1)),
    "what is given later is disabled": Case([who("A", 0, does("disables_abilities", on(2))), who("B", 1), who("C", 0, *gives())], power(2, 1)),
    "what is given later is not lost, by time": Case(
        [who("A", 0, does("loses_abilities", on(2))), who("B", 1), who("C", 0, *gives())], power(2, 3), reading=IN_ORDER),
    "what is given later is not disabled, by time": Case(
        [who("A", 0, does("disables_abilities", on(2))), who("B", 1), who("C", 0, *gives())], power(2, 3), reading=IN_ORDER),
    "what is given earlier is disabled, by time": Case(
        [who("A", 0, *gives()), who("B", 1), who("C", 0, does("disables_abilities", on(2)))], power(2, 1), reading=IN_ORDER),
    "one of two gifts came later than the loss": Case(
        [who("A", 0, *gives()), who("B", 1), who("C", 0, does("loses_abilities", on(2))), who("D", 0, *gives())], power(2, 3), reading=IN_ORDER),
    "a giver who loses his own has given nothing, by time": Case(
        [who("A", 0, *gives()), who("B", 1), who("C", 0, does("loses_abilities", FIRST_TWO))], power(2, 1), reading=IN_ORDER),
    # 12.10.2, of an ability that is given as of one that is printed
    "what is given is disabled while others are there": Case([who("A", 0, *gives("二乃")), who("B", 1, person="二乃")], power(2, 1)),
    "what is given is enabled while nobody else is": Case([who("A", 0, *gives("三玖")), who("B", 1)], power(2, 3)),
    # 10.9.1.6 by the reading that stands first: how doubling applies changes with the number
    "doubling comes after what sets and adds": Case(
        [who("A", 1, does("doubles_power", SELF)), who("B", 0, sets(3, on(1))), who("C", 0, adds(1, on(1)))], power(1, 8)),
    "two that double do not wait for each other": Case(
        [who("A", 1, does("doubles_power", SELF)), who("B", 0, does("doubles_power", on(1))), who("C", 0, adds(1, on(1)))], power(1, 8)),
    "a name given and taken at one time is gone if something later takes it": Case(
        [who("A", 0), who("B", 0, does("adds_persons", on(1), persons=["二乃"]), does("loses_persons", on(1), persons=["二乃"])),
         who("C", 0, does("loses_persons", on(1), persons=["二乃"]))], is_called(1, "二乃", False)),
    # 10.9.1.6: what asks for a number that is doubled depends on the doubling, which depends on nothing here
    "what adds a doubled number comes after the doubling": Case(
        [who("A", 3, does("doubles_power", SELF)), who("B", 0, adds(f"sum(power(g, c) for c in characters(g, you) if {on(1).replace('card', 'c')})", on(3))),
         who("C", 0)], power(3, 6)),
    "what a doubling takes the ground from does not apply": Case(
        [who("A", 3, does("doubles_power", SELF)), who("B", 0, adds(1, SELF, f"any(power(g, c) <= 5 for c in characters(g, you) if {on(1).replace('card', 'c')})"))],
        power(2, 0)),
    "what a doubling makes possible is not later than what is newer": Case(
        [who("A", 3, does("doubles_power", SELF)),
         who("B", 0, sets(1, on(2), f"any(power(g, c) >= 5 for c in characters(g, you) if {on(1).replace('card', 'c')})")), who("C", 0, sets(2, on(2)))],
        power(2, 2)),
    # 10.9.1.5: an effect for the turn, and one that depends on it
    "what depends on an effect for the turn comes after it": Case([who("A", 2, adds(1, STRONG)), who("B", 0)], power(1, 6), (RISE,)),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_effects_apply_by_clause_then_by_dependence_then_by_time(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    judge = who("MY-JUDGE", 0, wins_if(case.holds))
    lanes = {k + 1: [c["id"]] for k, c in enumerate(case.cards)} | {5: ["MY-JUDGE"]}
    since = {str(c["id"]): {"since": k + 1} for k, c in enumerate(case.cards)}
    place: dict[str, object] = {"first": {"lane": lanes, "hand": [c["id"] for c in case.hand]}, "card": since, "character_played": True}
    policy = ["PlayEvent", "pass"] if case.hand else "pass"
    won, clauses = played(tmp_path, "main-phase", [*case.cards, judge, *case.hand], place, policy, case.reading)
    assert (won, clauses) == (True, set())


@pytest.mark.slow
@pytest.mark.parametrize(("stacked", "number"), [("top-only", 3), ("all", 5)])
def test_a_given_ability_works_where_a_printed_one_would(stacked: str, number: int, tmp_path: Path) -> None:
    """10.3.4.3: given to all cards of a lane it works, as one that is printed, on the topmost character; by one reading on those below, too."""
    text = adds(2, on(1)) | {"given": True}
    giver = who("B", 0, does("gives_abilities", "zone_number(zone_of(card)) == 3"), text)
    cards = [who("A", 1), giver, who("LOW", 0), who("TOP", 0), who("MY-JUDGE", 0, wins_if(power(1, number)))]
    place: dict[str, object] = {"first": {"lane": {1: ["A"], 2: ["B"], 3: ["LOW", "TOP"], 5: ["MY-JUDGE"]}}, "character_played": True}
    won, clauses = played(tmp_path, "main-phase", cards, place, "pass", {"stacked-abilities": stacked})
    assert (won, clauses) == (True, set())


OTHERS = f"{MINE} and card != this"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lost", "given", "clauses"), [(OTHERS, on(2), {"10.9.1.6"}), (on(3), on(3), {"10.9.1.6"}), (on(2), on(2), set()), (on(3), on(2), set())])
@pytest.mark.parametrize("effect", ["loses_abilities", "disables_abilities"])
def test_a_gift_that_is_lost_together_with_what_gives_it_is_a_circle(effect: str, lost: str, given: str, clauses: set[str], tmp_path: Path) -> None:
    """10.9.1.6: the gift depends on a loss that takes it from its giver (lane 3), and that loss on a gift to a card that loses abilities, too. If
    only one of these cards does there is no circle."""
    cards = [who("A", 0, does(effect, lost)), who("B", 1), who("C", 0, *gives(to=given))]
    place: dict[str, object] = {
        "first": {"lane": {1: ["A"], 2: ["B"], 3: ["C"]}}, "card": {c: {"since": k + 1} for k, c in enumerate("ABC")}, "character_played": True}
    assert played(tmp_path, "main-phase", cards, place, "pass")[1] == clauses


UNDECIDED = {
    # either of B's comes first; "is 5" frees A, which is older than "+3": 5 or 8
    "one of two of a time frees what is older": [
        who("A", 0, sets(f"sum(power(g, c) for c in characters(g, you) if {on(2).replace('card', 'c')})", on(3))),
        who("B", 0, adds(3, on(3)), sets(5, on(2))), who("C", 1)],
    # 3, and then nothing sets it; or 5, 7
    "what would set it later does so in one order only": [
        who("A", 4), who("B", 0, sets(3, on(1)), adds(1, on(1))), who("C", 0, sets(7, f"{on(1)} and power(g, card) >= 4"))],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", UNDECIDED)
@pytest.mark.parametrize("turned", [False, True])
def test_what_the_order_of_one_time_decides_is_a_gap(name: str, turned: bool, tmp_path: Path) -> None:
    cards = [c | {"abilities": c["abilities"][::-1]} if turned else c for c in UNDECIDED[name]]  # type: ignore[index]
    place: dict[str, object] = {
        "first": {"lane": {k + 1: [c["id"]] for k, c in enumerate(cards)}}, "card": {str(c["id"]): {"since": k + 1} for k, c in enumerate(cards)},
        "character_played": True}  # fmt: skip
    assert played(tmp_path, "main-phase", cards, place, "pass") == (False, {"10.9.1.7"})


COMES = "c = the({c for c in g.hand[you]})\nif c is not None:\n    await come(g, c, g.lane[you][2], you)\n"
LEVELS = "for c in characters(g, you):\n    set_power(g, c, 1)\n"
RAISES = "for c in characters(g, you):\n    change_power(g, c, 3)\n"


@pytest.mark.slow
@pytest.mark.parametrize(("text", "number"), [(COMES + LEVELS, 3), (LEVELS + COMES, 3), (COMES, 4), (LEVELS + LEVELS.replace("1)", "2)") + COMES, 4),
    (RAISES + LEVELS, 1), (LEVELS + RAISES, 4), (RAISES + COMES + LEVELS, 3), (LEVELS + COMES + RAISES, 6)])
@pytest.mark.parametrize("ordered", [True, False])
def test_what_lasts_is_as_old_as_its_play(text: str, number: int, ordered: bool, tmp_path: Path) -> None:
    """10.9.1.7.2: what comes into a lane meanwhile is younger, whether it does so before or after the sentence with the effect. The
    sentences of one ability keep their order. Whether something else makes times matter does not matter."""
    cards = [
        who("A", 2), who("B", 0, adds(2, on(1))), event("MY-PLAN", "main", text), who("MY-JUDGE", 0, wins_if(power(1, number))),
        who("C", 0, sets(7, on(4))),
    ]  # fmt: skip
    place: dict[str, object] = {"first": {"lane": {1: ["A"], 3: ["C"] if ordered else [], 5: ["MY-JUDGE"]}, "hand": ["MY-PLAN", "B"]}, "character_played": True}
    won, clauses = played(tmp_path, "main-phase", cards, place, ["PlayEvent", "pass"])
    assert (won, clauses) == (True, set())


@pytest.mark.slow
@pytest.mark.parametrize(("text", "number"), [("{move}{raise_}", 1), ("{raise_}{move}", 1), ("{raise_}", 3)])
def test_what_lasts_is_as_old_as_its_play_also_if_what_was_newest_arises_anew(text: str, number: int, tmp_path: Path) -> None:
    """10.9.1.7.1 and .2: A arises anew by its move while the ability is played, so that it is younger than what that ability does."""
    move = "m = the({c for c in characters(g, you) if zone_number(zone_of(c)) == 1})\nif m is not None:\n    move_character(g, m, 2)\n"
    cards = [
        who("A", 0, sets(1, f"{MINE} and card != this")), who("T", 2), who("MY-JUDGE", 0, wins_if(power(3, number))),
        event("MY-PLAN", "main", text.format(move=move, raise_="for c in characters(g, you):\n    change_power(g, c, 2)\n")),
    ]  # fmt: skip
    place: dict[str, object] = {
        "first": {"lane": {1: ["A"], 3: ["T"], 5: ["MY-JUDGE"]}, "hand": ["MY-PLAN"]}, "card": {"A": {"since": 1}}, "character_played": True}
    won, clauses = played(tmp_path, "main-phase", cards, place, ["PlayEvent", "pass"])
    assert (won, clauses) == (True, set())


@pytest.mark.slow
@pytest.mark.parametrize(("effect", "person"), [("adds_persons", "二乃"), ("loses_persons", "風太郎")])
def test_a_hero_has_or_loses_a_person_name_by_an_effect(effect: str, person: str, tmp_path: Path) -> None:
    """10.9.1.4 is about heroes, too."""
    hero = {"id": "MY-HERO", "name": both("hero"), "kind": "hero", "names": ["MY-HERO"], "persons": ["風太郎"], "required_power": 3}
    holds = f"any({named(person, 'h')} for h in heroes(g))"
    for on, has in (("card in heroes(g)", effect == "adds_persons"), (SELF, effect != "adds_persons")):
        cards = [hero, who("A", 0, does(effect, on, persons=[person])), who("MY-JUDGE", 0, wins_if(holds))]
        place: dict[str, object] = {"hero_lane": {1: "MY-HERO"}, "first": {"lane": {1: ["A"], 5: ["MY-JUDGE"]}}, "character_played": True}
        assert played(tmp_path, "main-phase", cards, place, "pass") == (has, set())
