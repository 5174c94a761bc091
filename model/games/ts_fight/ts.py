"""Chapter 10: TS, the change of a character into one of another sex, and how it ends."""
from ...lang import *
from .basics import *
from .dresses import *
from .effects import *
from .state import *


# ---------------------------------------------------------------- what is possible
@define
def may_change(g: Game, p: Player, effect: Ability, character: Card, form: Card) -> bool:
    """Can the player change the character into this one from the hand?"""
    return (
        Printed(form).kind == Kind.CHARACTER
        and Printed(form).sex != sex(g, character)
        and not has_been_changed(g, character)
        and names_allow(g, p, character, form)
        and (Text(effect).into == Into.ANY or not Printed(form).persons)
        and not name_is_taken_for_form(g, character, form)
    )  #: 第10章 #: 第10章2


@define
def names_allow(g: Game, p: Player, character: Card, form: Card) -> bool:
    """A form with a personal name is for own characters, and who has a name keeps it."""
    if Printed(form).persons and side(g, character) != p:
        return False  #: 第10章
    known = persons(g, character)
    return not known or len(known & Printed(form).persons) > 0  #: 第10章


@define
def name_is_taken_for_form(g: Game, character: Card, form: Card) -> bool:
    """By one reading, the limit on equal names applies to what a character is changed into as well."""
    whose = side(g, character)
    return whose is not None and reading("name-limit-scope") == "forms-too" and name_is_taken(g, whose, form)  #: 第3章4.1


@define
def name_is_taken(g: Game, p: Player, card: Card) -> bool:
    """Is there a card with the same name or personal name on the player's side, and does that matter?"""
    if Attribute.MOB in Printed(card).attributes:
        return False  #: 第3章4.1 #: 第4章1「MOB」
    return any(
        not g.card[c].face_down
        and (Printed(c).names == Printed(card).names or (Printed(c).persons & Printed(card).persons))
        for c in g.pl_zone[p] | g.helper_zone[p]
    )  #: 第3章4.1


# ---------------------------------------------------------------- 2  using TS effects
@step
def change(g: Game, p: Player, effect: Card, character: Card, form: Card) -> None:
    """The new form goes on the base character, the effect beside it."""
    attach(g, form, character)  #: 第10章2
    g.card[character].form = form  #: 第10章2
    put_effect(g, p, effect, character)  #: 第10章2
    if reading("form-shock") == "counts":
        shock(g, character, Printed(form).shock, p)  #: 第1章3.1(5)


# ---------------------------------------------------------------- 3  ending a TS
@action
def change_back(g: Game, character: Card) -> None:
    """All cards on the character go out of play, except that a personal name it got stays beneath."""
    if by_exchange(g, character):
        undo_exchange(g, character)  #: 第10章5
        return
    if g.card[character].form is None:
        return  # it is in no TS any more #: 第10章3
    for c in attached(g, character):
        if not stays_beneath(g, character, c):
            put_out_of_play(g, c)  #: 第10章3
    g.card[character].form = None  #: 第10章3


@define
def stays_beneath(g: Game, character: Card, card: Card) -> bool:
    """Does the card stay to show the personal name? The lowest one with a name does; by the next sentence, every form
    with a name."""
    if not is_named(g, card):
        return False  #: 第10章3
    if is_named(g, character) or any(is_named(g, c) for c in attached(g, character) - {card}):
        return reading("second-named-form") == "stays-too" or card != g.card[character].form  #: 第10章3
    return True  #: 第10章3


@define
def is_named(g: Game, card: Card) -> bool:
    """Is it a character card with a personal name, face up?"""
    return Printed(card).kind == Kind.CHARACTER and len(Printed(card).persons) > 0 and not g.card[card].face_down


# ---------------------------------------------------------------- 4.1  setting the PL character
@define
def may_set(g: Game, p: Player, card: Card) -> bool:
    """Can the male character card become the player's PL character?"""
    pl = pl_character(g, p)
    return (
        pl is not None
        and g.card[pl].face_down
        and not is_ts_player(g, p)
        and Printed(card).kind == Kind.CHARACTER
        and Printed(card).sex == Sex.MALE
        and not name_is_taken_for_form(g, pl, card)
    )  #: 第10章4.1


@step
def set_pl(g: Game, p: Player, card: Card) -> None:
    """The card goes on the face-down one, and is PL character and base character from now on."""
    old = pl_character(g, p)
    if old is None:
        return
    put(card, g.pl_zone[p])  #: 第10章4.1
    g.card[card].tired = g.card[old].tired
    for c in attached(g, old):
        g.card[c].on = card
    g.card[old].on = card
    g.card[old].tired = False


# ---------------------------------------------------------------- 5  exchange
@define
def may_exchange(g: Game, p: Player, helper: Card) -> bool:
    """Can the helper, outside the TS state, exchange bodies with the PL character of its side?"""
    whose = side(g, helper)
    if whose is None or not is_helper(g, helper) or has_been_changed(g, helper):
        return False  #: 第10章 #: 第10章5
    pl = pl_character(g, whose)
    return differs_in_sex(g, pl, helper) and names_allow_exchange(g, p, pl, helper)  #: 第10章5


@define
def differs_in_sex(g: Game, pl: Option[Obj], helper: Card) -> bool:
    """Is there a PL character outside the TS state, of another sex than the helper?"""
    return pl is not None and not has_been_changed(g, pl) and sex(g, pl) != sex(g, helper)  #: 第10章 #: 第10章5


@define
def names_allow_exchange(g: Game, p: Player, pl: Option[Obj], helper: Card) -> bool:
    """By one reading each of the two is changed into the other, as far as personal names allow that."""
    if pl is None or not (persons(g, pl) | persons(g, helper)) or reading("exchange-names") == "not-limited":
        return True  #: 第10章5
    return side(g, helper) == p and len(persons(g, pl) & persons(g, helper)) > 0  #: 第10章


@step
def exchange(g: Game, p: Player, effect: Card, helper: Card) -> None:
    """The helper and the PL character change places, with all that lies on them; the effect lies in the PL zone."""
    whose = side(g, helper)
    if whose is None:
        return
    pl = pl_character(g, whose)
    if pl is None:
        return
    change_places(g, pl, helper)  #: 第10章5
    g.card[helper].exchanged_with = pl  #: 第10章5
    put_effect(g, p, effect, helper)  #: 第10章5
    if reading("form-shock") == "counts":
        shock(g, helper, Printed(shown(g, helper)).shock, p)  #: 第1章3.1(5)


@step
def change_places(g: Game, a: Card, b: Card) -> None:
    """Two characters change places, with all that lies on them."""
    go_to(g, a, zone_of(b), b, zone_of(a))


@step
def go_to(g: Game, a: Card, there: Zone, b: Card, here: Zone) -> None:
    """Two characters go to zones at the same time, with all that lies on them."""
    going, coming = attached(g, a) | {a}, attached(g, b) | {b}
    with simultaneously():
        for c in going:
            put(c, there)  #: 第10章5
        for c in coming:
            put(c, here)  #: 第10章5


@define
def by_exchange(g: Game, character: Card) -> bool:
    """Has the character come where it is by an exchange?"""
    return any(is_exchange(c) for c in attached(g, character))  #: 第10章5


@step
def undo_exchange(g: Game, character: Card) -> None:
    """Both go back where they were. If the base character is not in play any more, the TS cannot be ended."""
    before, whose = g.card[character].exchanged_with, side(g, character)
    if before is None or whose is None:
        return  #: 第10章3
    for c in attached(g, character):
        if is_exchange(c):
            put_out_of_play(g, c)  #: 第10章3
    if reading("exchange-undone") == "former-places":
        go_to(g, before, g.pl_zone[whose], character, g.helper_zone[whose])  #: 第10章5
    else:
        change_places(g, before, character)  #: 第10章5
    g.card[character].exchanged_with = None
