"""Two things wait (`one`, `two`). Whichever comes first, the same can come of it; but who can bring it about, knowing what, with what chance?"""
from rulewright.model.lang import *


class Kind(Enum):
    NOTHING = 0
    TURN = 1
    GIVE = 2
    MINE = 3
    ALSO_MINE = 4
    YOURS = 5
    DIE = 6
    LOADED = 7
    EVEN = 8
    IN_TURN = 9
    VETO = 10
    ANYBODY = 11
    OPEN_OR_MINE = 12
    AGAIN = 13


class Waiting(Record):
    kind: Kind


class Game(State):
    one: Kind
    two: Kind
    wins: bool
    later: bool
    waiting: Multiset[Waiting]
    turned: bool
    a: Annotated[int, Range(0, 9)]
    b: Annotated[int, Range(0, 9)]


@define
def whoever(g: Game) -> Player:
    return SECOND if g.turned else FIRST


@procedure
async def carry_out(g: Game, kind: Kind) -> None:
    match kind:
        case Kind.NOTHING:
            g.b = 7
        case Kind.TURN:
            g.turned = True  #: 1.1
        case Kind.GIVE:
            n = await choose(whoever(g), {1, 5})
            g.a = n  #: 1.2
        case Kind.MINE:
            n = await choose(FIRST, {1, 5})
            g.a = n
        case Kind.ALSO_MINE:
            n = await choose(FIRST, {1, 5})
            g.b = n
        case Kind.YOURS:
            n = await choose(SECOND, {1, 5})
            g.b = n
        case Kind.DIE:
            n = await chance({1, 5})
            g.b = n
        case Kind.LOADED:
            n = await chance({1 if k < (2 if g.turned else 3) else 5 for k in {1, 2, 3}})
            g.a = n
        case Kind.EVEN:
            n = await chance({1, 5})
            if not g.turned:
                m = await chance({1, 5})
                n = n if n == m else m
            g.a = n
        case Kind.IN_TURN:
            while True:
                again = await may(whoever(g))  #: 1.3
                if not again:
                    return
                g.a = 1 - g.a
                again = await may(other(whoever(g)))  #: 1.3
                if not again:
                    return
                g.a = 1 - g.a
        case Kind.VETO:
            n = 1
            if not g.turned:
                n = await choose(SECOND, {1, 5})
            lets = await may(FIRST)
            if lets and g.turned:
                n = await choose(SECOND, {1, 5})
            g.a = n if lets else 3
        case Kind.ANYBODY:
            n = await choose(OPEN("1.4"), {1, 5})
            g.a = n
        case Kind.OPEN_OR_MINE:
            if g.turned:
                n = await choose(OPEN("1.5"), {1, 5})
                g.a = n
            else:
                m = await choose(FIRST, {1, 5})
                g.a = m
        case Kind.AGAIN:
            while g.a == 0:
                n = await chance({0, 1, 5})
                m = await choose(whoever(g), {n, 3})
                g.a = m if n > 0 else 0


@procedure
async def resolve(g: Game) -> None:
    """The rules do not say who orders what waits."""
    while len(g.waiting) > 0:
        w = await choose(OPEN("2.1"), {w for w in g.waiting})  #: 2.1
        g.waiting.remove(w)
        await carry_out(g, w.kind)


@entry("nobody")
@procedure
async def nobody(g: Game) -> None:
    g.waiting.add(Waiting(g.one))
    g.waiting.add(Waiting(g.two))
    await resolve(g)
    if g.later:
        leaves = await may(FIRST)
        g.b = 9 if leaves else 8
    if g.wins and g.a == 5:
        finish(SECOND)


@entry("somebody")
@procedure
async def somebody(g: Game) -> None:
    """The first player orders what waits."""
    g.waiting.add(Waiting(g.one))
    g.waiting.add(Waiting(g.two))
    while len(g.waiting) > 0:
        w = await choose(FIRST, {w for w in g.waiting})  #: 2.2
        g.waiting.remove(w)
        await carry_out(g, w.kind)


@entry("twice")
@procedure
async def twice(g: Game) -> None:
    """What waits at first decides who wins; what waits then does not."""
    g.waiting.add(Waiting(g.one))
    g.waiting.add(Waiting(g.two))
    await resolve(g)
    if g.a == 5:
        finish(SECOND)
    g.waiting.add(Waiting(Kind.MINE))
    g.waiting.add(Waiting(Kind.YOURS))
    await resolve(g)
