"""10.10: replacement effects.

A replacement is a permanent ability with `replaces: yes` that listens to what would happen (`when: WouldMove`, `WouldTurn`
or `WouldDraw`) and whose `text:` is what happens in its place; with `optional: yes` and `payable:` it is one of "may".

Texts do things by verbs that replacements can get in the way of: `await place(g, card, to, you)`, `await place_together(g, cards, to,
you)`, `await come(g, card, lane, you)`, `await flip(g, card, face, you)`, `await draw(g, player)` and what is made of these. What the rules
move by themselves (9.4.3.2, 10.6.4.1, 10.6.4.3, rule processing) can be replaced as well. What is done by `exchange`, `move_character` and
`set_episode` is not, though 10.10.1 would have it, nor what playing moves to a resolution zone (10.6.2.3). `move` and `turn_face` ask nobody.

Not as 10.10.1 has it, besides: cards below a character that leaves go unasked, and so does a hero who is turned for a character that has left
(`approach-partner-gone`). Of cards that move together, those to which something else happens move first, so that their abilities do not hear
of the others' leaving (10.7.4.2). Nothing but these events can be replaced: a draw is no move to the hand, and of defeats it is conceding alone
(`WouldConcede`), not 11.3.1 nor `lose_game`. An effect that has been played makes no replacement, unless it gives an ability that is one.
"""
from ...lang import *
from .abilities import *
from .state import *


class WouldMove(Event):  #: 10.10.1
    """A card would go to a zone."""

    card: Option[Obj]
    src: Zone
    to: Zone


class WouldTurn(Event):  #: 10.10.1
    """A card would be turned face up or face down."""

    card: Option[Obj]
    face: Face


class WouldDraw(Event):  #: 10.10.1
    """A player would draw a card."""

    by: Player


@define
def replacements_are_printed() -> bool:
    """Do the cards have replacement abilities?"""
    return any(any(Text(a).replaces for a in Printed(c).abilities) for c in CARDS)


# ---------------------------------------------------------------- 10.10.2  which one, and who decides
@define
def may_replace(g: Game, ability: Ability, card: Card) -> bool:
    """Can the replacement of the card be applied, has it not been applied to this event, and can its choice be made?"""
    return (
        enabled(g, ability, card)
        and not any(x.ability == ability and x.card == card for x in g.applied)
        and (not Text(ability).optional or payable(g, ability, card, stands_in(g, card)))
    )  #: 10.10.1 #: 10.10.2.3 #: 10.10.3


@define
def decider_for_card(g: Game, card: Card, by: Option[Player]) -> Option[Player]:
    """Who puts in order the replacements of what `by` (or the rules) would do to the card; none if nobody is named."""
    if by is not None and reading("replacement-doer-or-master") == "doer":
        return by  #: 10.10.2.2
    whose = master(g, card)
    if whose is not None:
        return whose  #: 10.10.2.1 #: 10.10.2.2
    match reading("replacement-decider-masterless"):
        case "turn-player":
            return g.turn_player  #: 10.5.3.2
        case "first-player":
            return FIRST  #: 6.2.1.6.1
        case _:  # open
            return None  #: 10.10.2.1


# ---------------------------------------------------------------- 10.10.1  in its place
class NothingToChoose(Signal):
    """No target can be chosen, and by one reading that is the end of the whole effect (10.6.3.1.3)."""


@procedure
async def replaced(g: Game, who: Option[Player]) -> bool:
    """Does something else happen in place of the event for which replacements were looked for? Of those found, one is applied;
    those of "may" can be declined."""
    if not g.replacing:
        return False
    while g.replacing:
        r = await choose(who or OPEN("10.10.2.1"), g.replacing)  #: 10.10.2
        g.replacing.remove(r)
        agreed = True
        if Text(r.ability).optional:
            agreed = await may(stands_in(g, r.card))  #: 10.2.1.3.2
        if agreed:
            g.replacing.clear()
            await happens_instead(g, r)  #: 10.10.1 #: 10.10.1.1
            return True
    return False


@step
def remember_source(g: Game, ability: Ability, card: Card) -> None:
    """From now on it is known, if the text asks for that, which its card is."""
    if Text(ability).asks_last:
        g.under_way = card  #: 10.12.2
        g.given_under_way = None if ability in Printed(card).abilities else ability


@procedure
async def happens_instead(g: Game, r: Replacing) -> None:
    """What the replacement says happens; by one reading this is still the same event, as far as it is concerned."""
    if g.paying:
        g.cost_replaced = True  #: 10.10.1.1
    if reading("event-once-replaced") == "same-event":
        g.applied.add(Applied(r.ability, r.card))  #: 10.10.2.3
    before, given_before = g.under_way, g.given_under_way
    remember_source(g, r.ability, r.card)
    try:
        await run_text(g, r.ability, r.this, stands_in(g, r.card), r.cause)  #: 10.10.1 #: 10.2.1.3
    except NothingToChoose:
        pass  # something else has happened all the same (10.6.3.1.3)
    g.under_way, g.given_under_way = before, given_before
    g.applied.remove(Applied(r.ability, r.card))
