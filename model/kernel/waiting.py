"""What waits to be dealt with: one player's before the other's, one by one."""
from ..lang import *


@procedure
async def one_by_one(
    g: State, first: Player, waits: Define[[Player], bool], play: Procedure[[Player], None], check: Step[[], None]
) -> None:
    """As long as something of the first player waits, he plays one thing; then the other player. Before each, what the
    book checks is done. What comes to wait meanwhile is waited for like the rest."""
    while True:
        check(g)
        if waits(g, first):
            await play(g, first)
        elif waits(g, other(first)):
            await play(g, other(first))
        else:
            return
