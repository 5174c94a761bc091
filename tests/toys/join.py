"""Two things wait, and are carried out one after the other."""
from rulewright.model.lang import *


class Kind(Enum):
    DOUBLE = 1
    ADD_ONE = 2
    ADD_TWO = 3
    ASK = 4


class Waiting(Record):
    kind: Kind


class Game(State):
    waiting: Multiset[Waiting]
    life: Annotated[int, Range(0, 9)] = 1


@step
def fill(g: Game, one: Kind, two: Kind) -> None:
    g.waiting.add(Waiting(one))
    g.waiting.add(Waiting(two))


@procedure
async def carry_out(g: Game, kind: Kind) -> None:
    match kind:
        case Kind.DOUBLE:
            g.life += g.life  #: 1.1
        case Kind.ADD_ONE:
            g.life += 1  #: 1.2
        case Kind.ADD_TWO:
            g.life += 2  #: 1.3
        case Kind.ASK:
            while g.life == 1:
                again = await may(SECOND)  #: 1.4
                if not again:
                    return


@procedure
async def resolve(g: Game) -> None:
    """The first player orders what waits."""
    while len(g.waiting) > 0:
        w = await choose(FIRST, {w for w in g.waiting})  #: 2.1
        g.waiting.remove(w)
        await carry_out(g, w.kind)


@procedure
async def resolve_open(g: Game) -> None:
    """The rules do not say who orders what waits."""
    while len(g.waiting) > 0:
        w = await choose(OPEN("2.1"), {w for w in g.waiting})  #: 2.1
        g.waiting.remove(w)
        await carry_out(g, w.kind)


@procedure
async def resolve_kinds(g: Game) -> None:
    """The rules do not say which kind comes next."""
    while len(g.waiting) > 0:
        kind = await choose(OPEN("2.2"), {w.kind for w in g.waiting})  #: 2.2
        g.waiting.remove(Waiting(kind))
        await carry_out(g, kind)


@entry("alike at first")
@procedure
async def alike_at_first(g: Game) -> None:
    """From life 1, doubling and adding one are the same; then they are not."""
    fill(g, Kind.DOUBLE, Kind.ADD_ONE)
    await resolve_kinds(g)


@entry("sensitive")
@procedure
async def sensitive(g: Game) -> None:
    fill(g, Kind.DOUBLE, Kind.ADD_ONE)
    await resolve(g)
    g.life += 1


@entry("confluent")
@procedure
async def confluent(g: Game) -> None:
    fill(g, Kind.ADD_ONE, Kind.ADD_TWO)
    await resolve(g)
    g.life += 1


@entry("equal")
@procedure
async def equal(g: Game) -> None:
    fill(g, Kind.DOUBLE, Kind.DOUBLE)
    await resolve(g)
    g.life += 1


@entry("sensitive open")
@procedure
async def sensitive_open(g: Game) -> None:
    fill(g, Kind.DOUBLE, Kind.ADD_ONE)
    await resolve_open(g)
    g.life += 1


@entry("confluent open")
@procedure
async def confluent_open(g: Game) -> None:
    fill(g, Kind.ADD_ONE, Kind.ADD_TWO)
    await resolve_open(g)
    g.life += 1


@entry("loops in one order")
@procedure
async def loops_in_one_order(g: Game) -> None:
    """What is asked first can be asked for ever; what remains is the same."""
    fill(g, Kind.ASK, Kind.ADD_ONE)
    await resolve(g)
    g.life += 1
