"""Players act in turn."""
from ..lang import *


@procedure
async def alternate(g: State, first: Player, act: Procedure[[Player], bool], enough: int) -> None:
    """Beginning with `first` the players may act, one after the other, until so many in a row have not (`act` says
    whether the player did). If what they do lets them act anew, such windows nest."""
    passed = 0
    who = first
    while passed < enough:
        acted = await act(g, who)
        passed = 0 if acted else passed + 1
        who = other(who)


@procedure
async def answer(g: State, to: T, first: Player, act: Procedure[[Player, T], bool], enough: int) -> None:
    """The same, where `act` is told what the window is for: what is answered, or which of several chances it is."""
    passed = 0
    who = first
    while passed < enough:
        acted = await act(g, who, to)
        passed = 0 if acted else passed + 1
        who = other(who)


@procedure
async def keep_acting(g: State, who: Player, act: Procedure[[Player], bool]) -> None:
    """The player acts until not acting any more."""
    while True:
        if not await act(g, who):
            return
