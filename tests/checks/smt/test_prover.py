"""Conditions by themselves, procedure by procedure: what is proved of real decks, and that a planted defect is not proved away."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from rulewright.checks.smt.each import prove_each
from rulewright.checks.smt.prover import Prover
from rulewright.checks.smt.queries.keeping import Decks, largest_game
from rulewright.checks.smt.results import Kept
from rulewright.checks.smt.slices import Passing, Slice, never_lost
from rulewright.checks.smt.sorts import marked
from rulewright.checks.smt.universal import body_of
from rulewright.model.engine.library import load_book
from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import Program

Change = Callable[[int, ir.Instr], ir.Instr]


@pytest.fixture(scope="module")
def sakura() -> Decks:
    return largest_game(load_book("sakura"), {})


@pytest.fixture(scope="module")
def harem_master() -> Decks:
    return largest_game(load_book("harem_master"), {})


def changed(program: Program, rule: str, change: Change) -> Program:
    """The program with a rule changed."""
    fn = program.functions[rule]
    code = [change(pc, i) for pc, i in enumerate(fn.code)]
    assert code != fn.code
    return replace(program, functions={**program.functions, rule: replace(fn, code=code)})


def proved(decks: Decks, condition: str, program: Program | None = None) -> Kept:
    return Prover(marked(program or decks.program), condition, decks.owners, decks.first, 20).prove()


def test_crystals_are_conserved_with_all_cards_of_the_game(sakura: Decks) -> None:
    found = proved(sakura, "crystals_are_conserved")
    assert found.proved == ["crystals_are_conserved"] and not found.failed and found.pieces > 50


def test_crystals_that_come_from_nowhere_are_not_proved_away(sakura: Decks) -> None:
    """Of the two changes of a move the second is left out."""
    moves = [pc for pc, i in enumerate(sakura.program.functions["move_crystals"].code)
             if isinstance(i, ir.Do) and i.function == "change_crystals"]
    broken = changed(sakura.program, "move_crystals", lambda pc, i: ir.Jump(pc + 1) if pc == moves[1] else i)
    found = proved(sakura, "crystals_are_conserved", broken)
    assert not found.proved and "take_damage" in {b.function for b in found.failed["crystals_are_conserved"]}


def test_a_loop_that_loses_crystals_is_found(sakura: Decks) -> None:
    """What wears off at the beginning of a turn takes a crystal from the card and gives two to dust, card by card."""
    dust = next(k for k, x in enumerate(sakura.program.layout.slots) if x.name == "dust")
    broken = changed(sakura.program, "wear_off", lambda _, i: (
        replace(i, value=ir.Const(2)) if isinstance(i, ir.Store) and i.base == dust else i))
    found = proved(sakura, "crystals_are_conserved", broken)
    assert not found.proved and "start_phase" in {b.function for b in found.failed["crystals_are_conserved"]}


def test_a_condition_that_never_begins_to_hold_is_not_proved(sakura: Decks) -> None:
    """A crystal too many is laid out."""
    slot = next(k for k, x in enumerate(sakura.program.layout.slots) if x.name == "dust")
    broken = changed(sakura.program, "lay_crystals", lambda _, i: (
        replace(i, value=ir.Const(1)) if isinstance(i, ir.Store) and i.base == slot else i))
    assert not proved(sakura, "crystals_are_conserved", broken).proved


def test_cards_stay_their_owners(harem_master: Decks) -> None:
    assert proved(harem_master, "own_cards_only").proved == ["own_cards_only"]


def test_a_card_that_goes_to_the_wrong_pile_is_not_proved_away(harem_master: Decks) -> None:
    """What is discarded by the limits goes to the opponent's pile."""
    broken = changed(harem_master.program, "put_away", lambda _, i: (
        replace(i, zone=other_player(i.zone)) if isinstance(i, ir.Put) else i))
    found = proved(harem_master, "own_cards_only", broken)
    assert not found.proved and found.failed


def other_player(zone: ir.Expr) -> ir.Expr:
    """The same zone of the other player, where players' zones lie side by side."""
    assert isinstance(zone, ir.Binary) and zone.op == "add"
    return replace(zone, a=ir.Binary("sub", ir.Const(1), zone.a))


@pytest.mark.slow
def test_nobody_controls_more_characters_than_the_limit(harem_master: Decks) -> None:
    assert proved(harem_master, "six_characters_at_most").proved == ["six_characters_at_most"]


@pytest.mark.slow
def test_a_lost_limit_is_not_proved_away(harem_master: Decks) -> None:
    """A character enters, and nobody looks at the limit."""
    broken = changed(harem_master.program, "use_character", lambda pc, i: (
        ir.Jump(pc + 1) if isinstance(i, ir.Invoke) and i.function == "keep_to_limits" else i))
    found = proved(harem_master, "six_characters_at_most", broken)
    assert not found.proved and "use_character" in {b.function for b in found.failed["six_characters_at_most"]}


def test_play_may_stand_in_what_is_cut_away(harem_master: Decks) -> None:
    """A call of a procedure that writes nothing that is kept is a place at which the condition is asked for: a rule that breaks it
    before such a call and mends it afterwards is found."""
    part = Slice(marked(harem_master.program), "only_characters_in_play")
    rule, at = next((name, pc) for name in sorted(part.used) for pc, i in enumerate(part.program.functions[name].code)
                    if isinstance(i, Passing) and i.local is None and not harem_master.program.functions[name].handlers and name in part.writing)
    field, hand = (next(k for k, z in enumerate(part.layout.zones) if z.field == x) for x in ("field", "hand"))
    other = next(k for k, v in enumerate(harem_master.world.cards) if v.definition.id.startswith("E-"))
    fn = harem_master.program.functions[rule]
    code = [*(shifted(i, at) for i in fn.code[:at]), ir.Put(ir.Const(other), ir.Const(field)), shifted(fn.code[at], at),
            ir.Put(ir.Const(other), ir.Const(hand)), *(shifted(i, at) for i in fn.code[at + 1:])]
    broken = replace(harem_master.program, functions={**harem_master.program.functions, rule: replace(fn, code=code)})
    found = proved(harem_master, "only_characters_in_play", broken)
    assert rule in {b.function for b in found.failed["only_characters_in_play"]}
    assert rule not in {b.function for b in proved(harem_master, "only_characters_in_play").failed.get("only_characters_in_play", [])}


def shifted(i: ir.Instr, at: int) -> ir.Instr:
    """The instruction where one was put in before a place and one behind it."""
    def to(pc: int) -> int:
        return pc + (pc > at) * 2
    match i:
        case ir.Jump(target=x):
            return replace(i, target=to(x))
        case ir.Branch(otherwise=x):
            return replace(i, otherwise=to(x))
        case ir.Next(done=x):
            return replace(i, done=to(x))
        case _:
            return i


def test_nothing_is_written_that_is_not_kept(sakura: Decks) -> None:
    part = Slice(marked(sakura.program), "only_trumps_lie_among_the_trumps")
    assert not any(isinstance(i, ir.Store) and i.base not in part.kept for name in part.used for i in part.program.functions[name].code)


@pytest.mark.parametrize("book", ["sakura", "harem_master", "ts_fight", "shinso", "hanayome"])
def test_no_card_is_ever_lost(book: str) -> None:
    """Nothing but moving says where a card lies; a rule that writes a place itself is told."""
    decks = largest_game(load_book(book), {})
    assert never_lost(decks.program, decks.first)
    place = decks.program.layout.location
    fn = next(fn for fn in decks.program.functions.values() if fn.kind == "step")
    writing = replace(fn, code=[ir.Store(place, None, 1, ir.Const(-1)), *fn.code])
    assert not never_lost(replace(decks.program, functions={**decks.program.functions, fn.name: writing}), decks.first)
    assert not never_lost(decks.program, [-1 if k == place else v for k, v in enumerate(decks.first)])


def test_a_sum_is_one_expression(sakura: Decks) -> None:
    part = Slice(marked(sakura.program), "crystals_are_conserved")
    assert len(part.sums) == 1 and not part.locations
    one = body_of(part.program, "crystals_are_conserved")
    assert isinstance(one, ir.Binary) and one.op == "eq"


def test_without_time_nothing_is_proved(sakura: Decks) -> None:
    found = prove_each(sakura.program, sakura.owners, sakura.first, 0.0)
    assert set(found) == set(sakura.program.invariants)
    assert not any(x.proved for x in found.values()) and all(x.reason for x in found.values())


@pytest.fixture(scope="module")
def hanayome() -> Decks:
    return largest_game(load_book("hanayome"), {})


@pytest.mark.slow
def test_a_hero_lane_has_one_card_at_most(hanayome: Decks) -> None:
    assert proved(hanayome, "one_hero_in_a_lane").proved == ["one_hero_in_a_lane"]


@pytest.mark.slow
def test_heroes_that_all_come_to_one_lane_are_not_proved_away(hanayome: Decks) -> None:
    """In the preparation, each to the first lane."""
    broken = changed(hanayome.program, "prepare", lambda _, i: (
        replace(i, args=(i.args[0], ir.Const(0))) if isinstance(i, ir.Do) and i.function == "move" else i))
    found = proved(hanayome, "one_hero_in_a_lane", broken)
    assert not found.proved and {b.function for b in found.failed["one_hero_in_a_lane"]} == {"prepare"}


@pytest.mark.slow
def test_a_target_that_is_any_card_is_not_proved_away(hanayome: Decks) -> None:
    """Then texts of cards may lay any card where a hero lies."""
    broken = changed(hanayome.program, "target", lambda _, i: anything(hanayome, i) if isinstance(i, ir.Choose) else i)
    found = proved(hanayome, "one_hero_in_a_lane", broken)
    assert not found.proved and "text V-SEATS/1" in {b.function for b in found.failed["one_hero_in_a_lane"]}


def anything(decks: Decks, i: ir.Choose) -> ir.Choose:
    """The choice among all cards."""
    everyone = ir.Const((1 << decks.program.layout.card_count) - 1)
    return replace(i, offers=tuple(replace(o, binders=tuple(replace(b, domain=everyone) for b in o.binders)) for o in i.offers))
