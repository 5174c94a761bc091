"""10.7: auto abilities, from the condition that is met to the ability that has been played."""
from ...lang import *
from .abilities import *
from .keywords import *
from .playing import *
from .replacement import *
from .state import *


# ---------------------------------------------------------------- 10.7.2  waiting
@define
def waits(g: Game, of: Option[Player]) -> bool:
    """Does an ability of this master (or of a card without one) wait?"""
    return any(who_plays(g, w) == of for w in g.waiting)


@trigger_policy
def meet(g: Game, ability: Ability, card: Card, cause: Cause) -> None:
    """Each time its condition is met an ability waits once, wherever its card may be afterwards."""
    if Text(ability).replaces:
        if may_replace(g, ability, card):
            g.replacing.add(Replacing(ability, card, card, cause))  #: 10.10.1
    elif counts_once(g) and Applied(ability, card) in g.heard:
        return  #: 10.7.2.1
    elif enabled(g, ability, card):
        note_heard(g, ability, card)
        g.waiting.add(Waiting(ability, card, card, master(g, card), cause))  #: 10.7.2 #: 10.7.2.1
    elif ability in g.card[card].had and sees_the_move(g, card):
        note_heard(g, ability, card)
        g.waiting.add(Waiting(ability, card, card, master_before(g, card), cause))  #: 10.7.4.1.2 #: 10.7.7


@define
def counts_once(g: Game) -> bool:
    """By one reading, cards that move together meet a condition once in all."""
    return g.told is not None and reading("trigger-count-batch") == "once"  #: 10.7.2.1


@step
def note_heard(g: Game, ability: Ability, card: Card) -> None:
    """Remember, while moves made together are told, that the ability has triggered on one of them."""
    if counts_once(g):
        g.heard.add(Applied(ability, card))


@define
def sees_the_move(g: Game, card: Card) -> bool:
    """Does a card that has just left its lane hear of the move that is told, its own or that of another at the same time?"""
    return g.told == card or reading("leave-together") == "see-each-other"  #: 10.7.4.1.2 #: 10.7.4.2


@define
def who_plays(g: Game, w: Waiting) -> Option[Player]:
    """Whose ability is it that waits, if its card has gone to another player meanwhile? A delayed one is its effect's, not its card's."""
    now = zone_player(zone_of(w.card))
    if w.master is not None and now is not None and now != w.master and Text(w.ability).kind != AbilityKind.DELAYED:
        return now if reading("waiting-ability-source-gone") == "card-now" else w.master  #: 10.7.7 #: 3.1.2.3
    return w.master


# ---------------------------------------------------------------- 10.7.3  playing what waits
class Happening(Enum):
    """What became of something due in a check timing."""

    RULES = 1
    RESOLVED = 2
    CANCELLED = 3


@known_as("plays waiting")
@procedure
async def play_waiting(g: Game, of: Option[Player], who: Player) -> Happening:
    """One waiting ability of the master is chosen and played; afterwards it waits once less."""
    w = await choose(who, {w for w in g.waiting if who_plays(g, w) == of})  #: 10.7.3 #: 10.7.3.1
    playable = can_be_played(g, w, who)
    agreed = playable
    if playable:
        agreed = await agree_to_play(g, w, who)
    if agreed:
        await play_auto(g, w, who)  #: 10.7.3
    g.waiting.remove(w)  #: 10.7.3 #: 10.7.3.2 #: 10.7.3.2.1
    if w.this is not None and stays_awake(playable, agreed):
        look_again(g, w.ability, w.this)  #: 10.7.6.1
    return Happening.RESOLVED if agreed else Happening.CANCELLED


@define
def can_be_played(g: Game, w: Waiting, who: Player) -> bool:
    """Is the ability neither used up for the turn nor too dear?"""
    if used_up(g, w):
        return False  #: 10.7.3.2 #: 12.4.2
    if ability_played_by_name(g, w.ability, w.card, who):
        return False  #: 10.7.3.2 #: 12.5.3
    if is_disabled(g, w) and reading("disabled-while-waiting") == "taken-away":
        return False  #: 10.7.3.2
    return not pays_first(w) or payable(g, w.ability, w.card, who)  #: 10.7.3.2 #: 10.4.2.2


@define
def used_up(g: Game, w: Waiting) -> bool:
    """Has the once-per-turn ability been played this turn: by the card as it is or, if that has moved since, as it was when it had it?"""
    if w.this is None:
        return w.ability in g.card[w.card].played_before | marks_kept(g, w.card)
    if enabled(g, w.ability, w.this):
        return played_this_turn(g, w.ability, w.this)
    return w.ability in g.card[w.this].played_before | g.card[w.this].played


@define
def its_card(w: Waiting) -> Option[Obj]:
    """The card that has it, if that is still the same; a delayed one is none of a card's."""
    return None if Text(w.ability).kind == AbilityKind.DELAYED else w.this


@define
def is_disabled(g: Game, w: Waiting) -> bool:
    """Have the abilities of the card that has it become without effect since it triggered?"""
    card = its_card(w)
    return card is not None and card in g.disabled and not enabled(g, w.ability, card)  #: 10.3.2


@define
def has_no_effect(g: Game, w: Waiting) -> bool:
    """Is it played for nothing, because its card's abilities have become without effect?"""
    return is_disabled(g, w) and reading("disabled-while-waiting") == "no-effect"  #: 10.3.2


@define
def pays_first(w: Waiting) -> bool:
    """Is there a cost that is paid as a part of playing?"""
    return Text(w.ability).optional_cost and reading("auto-cost-time") == "at-play"  #: 10.6.2.5


@procedure
async def agree_to_play(g: Game, w: Waiting, who: Player) -> bool:
    """Playing is a duty, except where the ability is once-per-turn or has a cost."""
    if Text(w.ability).once_per_turn:
        plays = await may(who)
        if not plays:
            return False  #: 12.4.2.1
    if Text(w.ability).once_per_turn_by_name:
        plays = await may(who)
        if not plays:
            return False  #: 12.5.3.1
    if pays_first(w):
        pays = await may(who)
        return pays  #: 10.7.3.1.1 #: 10.7.3.2.1
    return True  #: 10.7.3.1


@procedure
async def play_auto(g: Game, w: Waiting, who: Player) -> None:
    """Play and resolve a waiting ability."""
    begin_to_play(g, w.ability, w.this, w.card, who)
    if not has_no_effect(g, w):
        await name_target(g, w.ability, w.card, who)
    await resolve_auto(g, w, who)
    after_resolution(g, who)


@procedure
async def resolve_auto(g: Game, w: Waiting, who: Player) -> None:
    """Pay what is to be paid on the way, and do what the ability says."""
    if pays_first(w):
        paid = await pay(g, w.ability, w.this, who)  #: 10.6.2.5
        if not paid:
            return  #: 10.1.1.2.2
    if not conditions_met(g, w.ability, its_card(w), who):
        return  #: 12.2.3.3
    if has_no_effect(g, w):
        return  #: 10.3.2
    if Text(w.ability).optional_cost and not pays_first(w):
        paid_now = await pay_on_resolving(g, w, who)  #: 10.6.2.5
        if not paid_now:
            return  #: 10.1.1.2.2
    if if_clause_holds(g, w, who):
        await carry_out(g, w.ability, w.this, who, w.cause)  #: 10.6.2.6.1 #: 10.6.2.6.2


@procedure
async def pay_on_resolving(g: Game, w: Waiting, who: Player) -> bool:
    """By one reading the cost of an auto ability is paid, or declined, while it resolves."""
    if not payable(g, w.ability, w.card, who):
        return False  #: 10.4.2.2
    pays = await may(who)
    if not pays:
        return False  #: 10.1.1.2.2
    return await pay(g, w.ability, w.this, who)  #: 10.4.2


@define
def if_clause_holds(g: Game, w: Waiting, who: Player) -> bool:
    """Does what follows "if" in an end-of-turn ability hold, where that is looked at on resolving?"""
    if Text(w.ability).at_turn_end is None or reading("end-trigger-if") == "part-of-condition":
        return True
    return condition(g, w.ability, w.card, who)  #: 10.1.1.2.1


# ------------------------------------------ 7.2.2, 7.5.1, 10.7.5  at the start of a start phase, at the end of the turn
@define
def due_at_turn_end(g: Game, ability: Ability, card: Card) -> bool:
    """Is it an end-of-turn ability of the card whose condition has not been met this turn?"""
    time = Text(ability).at_turn_end
    if time is None or ability in g.card[card].met or not enabled(g, ability, card):
        return False  #: 7.5.1
    if time == TurnEnd.YOURS and not is_turn_of_its_you(g, card):
        return False
    return reading("end-trigger-if") == "at-resolution" or condition(g, ability, card, stands_in(g, card))  #: 7.5.1


@define
def is_turn_of_its_you(g: Game, card: Card) -> bool:
    """Is it the turn of the player to whom the text of the card says "you"? A hero card has no master."""
    whose = master(g, card)
    if whose is None:
        return reading("you-on-a-hero") == "turn-player"  #: 10.5.3.2
    return whose == g.turn_player  #: 3.1.2.3


@define
def turn_end_to_come(g: Game) -> bool:
    """Has some end-of-turn condition still to be met this turn?"""
    return len(g.delayed) > 0 or any(due_at_turn_end(g, a, c) for c in CARDS for a in possible_abilities(c))  #: 7.5.1


@step
def meet_turn_end(g: Game) -> None:
    """The end-of-turn conditions that have not been met this turn are met."""
    for c in CARDS:
        for a in possible_abilities(c):
            if due_at_turn_end(g, a, c):
                g.card[c].met |= {a}
                g.waiting.add(Waiting(a, c, c, master(g, c), NO_CAUSE))  #: 7.5.1
    if g.delayed:
        for d in g.delayed:
            g.waiting.add(Waiting(d.ability, d.card, d.about, d.master, NO_CAUSE))  #: 10.7.5
        g.delayed.clear()  #: 10.7.5.1


@define
def made_for_later(g: Game, source: Card, which: int) -> Set[Ability]:
    """The delayed ability of this number that stands in the text under way: on the source or, if that was given the text, on what gives it."""
    return {
        a for c in CARDS
        if (c == source if g.given_under_way is None or g.under_way != source
            else g.given_under_way in Printed(c).abilities)
        for a in Printed(c).abilities if Text(a).kind == AbilityKind.DELAYED and Text(a).number == which
    }  #: 10.7.5 # fmt: skip


@step
def at_turn_end(g: Game, source: Card, which: int, about: Option[Obj], you: Player) -> None:
    """An effect of the source's ability makes its delayed ability of this number trigger at the end of the turn."""
    for a in made_for_later(g, source, which):
        if g.in_end_phase and reading("end-trigger-made-late") == "next-turn":
            g.delayed_further.add(Delayed(a, source, about, master_of_effect(g, source, you)))  #: 7.5.1
        else:
            g.delayed.add(Delayed(a, source, about, master_of_effect(g, source, you)))  #: 10.7.5


@step
def at_next_start_phase(g: Game, source: Card, which: int, about: Option[Obj], you: Player) -> None:
    """An effect of the source's ability makes its delayed ability of this number trigger at the start of the next start phase, whoever's."""
    for a in made_for_later(g, source, which):
        g.delayed_to_start.add(Delayed(a, source, about, master_of_effect(g, source, you)))  #: 10.7.5


@step
def meet_start_phase(g: Game) -> None:
    """What was made for the start of this start phase triggers."""
    if g.delayed_to_start:
        for d in g.delayed_to_start:
            g.waiting.add(Waiting(d.ability, d.card, d.about, d.master, NO_CAUSE))  #: 10.7.5
        g.delayed_to_start.clear()  #: 10.7.5.1


@procedure
async def leave_to_come_back(g: Game, card: Card, you: Player) -> None:
    """The card goes to its owner's waiting room, and its delayed ability will speak of it at the end of the turn."""
    if not forbidden(move, g, card, g.waiting_room[owner(card)]):
        stays = await is_replaced(g, card, g.waiting_room[owner(card)], you)
        if not stays:
            move(g, card, g.waiting_room[owner(card)])
    at_turn_end(g, card, 0, card, you)  #: 10.7.5 #: 4.1.4.1


@define
def master_of_effect(g: Game, source: Card, you: Player) -> Option[Player]:
    """Whose an effect is that an ability of the source makes when `you` play it."""
    if zone_of(source) in g.hero_lane and reading("masterless-effect-master") == "masterless":
        return None  #: 4.4.5
    return you  #: 3.1.2.4 #: 10.5.3.2


# ---------------------------------------------------------------- 10.7.6  state triggers
@define
def may_wait_anew(g: Game, ability: Ability, card: Card) -> bool:
    """When the state has ceased, will its coming back count, even while the ability still waits?"""
    waits_still = any(w.ability == ability and w.this == card for w in g.waiting)
    return not waits_still or reading("state-trigger-while-waiting") == "each-time"  #: 10.7.2.1


@step
def note_state(g: Game, ability: Ability, card: Card) -> None:
    """A state trigger whose state has arisen waits; one whose state has ceased may wait anew when it comes back."""
    if state_holds(g, ability, card, stands_in(g, card)) and enabled(g, ability, card):
        if ability not in g.card[card].noted:
            g.card[card].noted |= {ability}
            g.waiting.add(Waiting(ability, card, card, master(g, card), NO_CAUSE))  #: 10.7.6 #: 10.7.6.1
    elif ability in g.card[card].noted and may_wait_anew(g, ability, card):
        g.card[card].noted -= {ability}  #: 10.7.6.1


@step
def note_states(g: Game) -> None:
    """All state triggers look at their states."""
    for c in CARDS:
        for a in possible_abilities(c):
            note_state(g, a, c)  #: 10.7.6


@situation
def states_arise(g: Game) -> None:
    """A state is noted at the moment when it arises or ceases, even in the middle of an effect."""
    if reading("state-trigger-mid-effect") == "any-moment":
        for c in CARDS:
            for a in possible_abilities(c):
                if state_holds(g, a, c, stands_in(g, c)) or a in g.card[c].noted:
                    note_state(g, a, c)  #: 10.7.6.1


@define
def stays_awake(playable: bool, agreed: bool) -> bool:
    """Does a state trigger look at its state again after it was played, declined, or could not be played?"""
    if agreed:
        return True  #: 10.7.6.1
    if playable:
        return reading("optional-state-trigger") == "waits-again"  #: 10.7.6.1
    return reading("unplayable-state-trigger") == "waits-again"  #: 10.7.6.1


@step
def look_again(g: Game, ability: Ability, card: Card) -> None:
    """A state trigger that has been resolved waits again if its state is met."""
    if ability in g.card[card].noted:
        ceased = not (state_holds(g, ability, card, stands_in(g, card)) and enabled(g, ability, card))
        if ceased or reading("state-trigger-when") == "still-holds":
            g.card[card].noted -= {ability}  #: 10.7.6.1
