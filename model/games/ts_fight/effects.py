"""Chapter 8: effects."""
from ...lang import *
from .dresses import *


@define
def is_ts_effect(card: Card) -> bool:
    """Does the effect card change its target into another character?"""
    return any(Text(a).ts for a in Printed(card).abilities)  #: 第8章1


@define
def is_exchange(card: Card) -> bool:
    """Is it a TS effect by which two characters exchange their bodies?"""
    return is_ts_effect(card) and Attribute.EXCHANGE in Printed(card).attributes  #: 第10章5


@step
def put_effect(g: Game, p: Player, effect: Card, character: Card) -> None:
    """The effect lies on the character, be it the opponent's; the player of a PL character takes its shock damage."""
    attach(g, effect, character)  #: 第8章 #: 第1章3.3
    shock(g, character, Printed(effect).shock, p)  #: 第8章
