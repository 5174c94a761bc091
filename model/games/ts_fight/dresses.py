"""Chapter 7: dresses."""
from ...lang import *
from .basics import *


# ---------------------------------------------------------------- 1  who may wear what
@define
def may_wear(g: Game, p: Player, dress: Card, character: Card) -> bool:
    """May the player put this dress on the character?"""
    if Printed(dress).kind != Kind.DRESS or side(g, character) != p or not is_character(g, character):
        return False  #: 第7章1
    return is_female(g, character) or Attribute.UNISEX in Printed(dress).attributes  #: 第7章1 #: 第6章1「男女兼用」


@define
def counted_dresses(g: Game, character: Card) -> Set[Card]:
    """The dresses of which a character wears one only."""
    return {
        d
        for d in attached(g, character)
        if Printed(d).kind == Kind.DRESS and Attribute.ACCESSORY not in Printed(d).attributes
    }  #: 第7章1 #: 第6章1「装飾品」


# ---------------------------------------------------------------- putting on
@step
def put_on(g: Game, p: Player, dress: Card, character: Card) -> None:
    """The character wears the dress; a dress worn before goes out of play."""
    if Attribute.ACCESSORY not in Printed(dress).attributes:
        for d in counted_dresses(g, character):
            put_out_of_play(g, d)  #: 第7章1
    attach(g, dress, character)  #: 第7章
    shock(g, character, Printed(dress).shock, p)  #: 第7章


@step
def attach(g: Game, card: Card, character: Card) -> None:
    """The card lies with the character from now on."""
    put(card, zone_of(character))  #: 第1章4(3) #: 第1章4(4)
    g.card[card].on = character


@step
def shock(g: Game, character: Card, amount: int, by: Player) -> None:
    """The player of a PL character takes shock damage."""
    whose = side(g, character)
    if whose is not None and is_pl(g, character):
        damage(g, whose, amount, by)  #: 第7章 #: 第8章


# ---------------------------------------------------------------- what is improper
@step
def drop_improper_dresses(g: Game) -> None:
    """By one reading, the proper state after each use includes that dresses are worn by those who may wear them."""
    if reading("proper-state") == "limits-hold":
        for d in CARDS:
            if is_worn_improperly(g, d, g.card[d].on):
                put_out_of_play(g, d)  #: 第5章5.8 #: 第9章2.8


@define
def is_worn_improperly(g: Game, card: Card, wearer: Option[Obj]) -> bool:
    """Is it a dress on a character that it could not be put on now?"""
    return (
        wearer is not None
        and Printed(card).kind == Kind.DRESS
        and not is_female(g, wearer)
        and Attribute.UNISEX not in Printed(card).attributes
    )  #: 第7章1
