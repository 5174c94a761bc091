"""Small games, played with equal cards: what names a card in each is another part of the state."""

HANDS = """
class Game(State):
    turn: Player
    deck: Per[Player, Pile]
    hand: Per[Player, Bag]
    trash: Bag
    tapped: Per[Card, bool]
    shown: Set[Card]

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.hand[owner(c)])

@procedure
async def main(g: Game) -> None:
    begin(g)
    while True:
        card = await choose(g.turn, g.hand[g.turn])
        bottom = await may(g.turn)
        if bottom:
            put(card, g.deck[g.turn], at=BOTTOM)
        else:
            put(card, g.deck[g.turn])
        g.tapped[card] = not g.tapped[card]
        if len(g.hand[g.turn]) == 0:
            shuffle(g.deck[g.turn])
            while len(g.deck[g.turn]) > 0:
                drawn = await chance(on_top(g.deck[g.turn]))
                g.shown = g.shown ^ {drawn}
                put(drawn, g.hand[g.turn])
            g.turn = other(g.turn)
"""

HOSTS = """
class Game(State):
    turn: Player
    table: Bag
    trash: Bag
    host: Per[Card, Option[Obj]]
    chosen: Option[Card]
    touched: Per[Card, Set[Card]]
    known: Per[Player, Per[Card, bool]]

class Attach(Record):
    card: Card
    to: Card
class Leave(Record):
    card: Card
class Pass(Inaction):
    pass

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.table)

@step
def leave(g: Game, card: Card) -> None:
    put(card, g.trash)
    g.host[card] = None
    g.known[FIRST][card] = not g.known[FIRST][card]
    g.touched[card] = set()
    renew(card)

@procedure
async def attach(g: Game, card: Card, to: Card) -> None:
    sure = await may(owner(card))
    if sure:
        g.host[card] = to
        g.touched[to] = g.touched[to] ^ {card}
        g.chosen = to

@procedure
async def main(g: Game) -> None:
    begin(g)
    while True:
        match await choose(g.turn, {Pass()} | {Leave(c) for c in g.table} | {
                Attach(a, b) for a in g.table for b in g.table if a != b and g.host[a] is None}):
            case Pass():
                g.turn = other(g.turn)
                g.chosen = None
            case Attach(card, to):
                await attach(g, card, to)
            case Leave(card):
                leave(g, card)
"""

WAITING = """
class Waiting(Record):
    source: Option[Obj]
    target: Card
    times: Annotated[int, Range(0, 2)]

class Game(State):
    turn: Player
    table: Bag
    trash: Bag
    waiting: Multiset[Waiting]
    damage: Per[Card, Annotated[int, Range(0, 2)]]

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.table)

@procedure
async def resolve(g: Game, source: Option[Obj], target: Card) -> None:
    harm = await may(owner(target))
    if harm and source is not None:
        put(target, g.trash)
        renew(target)
    else:
        g.damage[target] = 1 - g.damage[target]

@procedure
async def main(g: Game) -> None:
    begin(g)
    while len(g.table) > 0:
        a = await choose(g.turn, g.table)
        b = await choose(other(g.turn), g.table)
        if len(g.waiting) < 2:
            g.waiting.add(Waiting(a, b, 1))
        again = await may(g.turn)
        if not again:
            while len(g.waiting) > 0:
                w = await choose(OPEN("1"), {x for x in g.waiting})
                g.waiting.remove(w)
                await resolve(g, w.source, w.target)
"""

SETS = """
class Game(State):
    deck: Pile
    hand: Bag
    marked: Set[Card]
    best: Option[Card]

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.hand)

@procedure
async def ask(g: Game, cards: Set[Card], keep: Card) -> None:
    some = await choose_some(FIRST, cards, at_least=0, at_most=2)
    one = await choose(SECOND, cards)
    g.marked = some ^ {one}
    g.best = last(c for c in g.deck if c in cards)
    if one != keep:
        put(keep, g.deck)

@procedure
async def main(g: Game) -> None:
    begin(g)
    while True:
        cards = await choose_some(FIRST, g.hand, at_least=2, at_most=3)
        if len(cards) < 2:
            finish(FIRST)
        keep = await choose(SECOND, cards)
        await ask(g, cards, keep)
        if keep in g.hand:
            put(keep, g.deck, at=BOTTOM)
"""

ATTACKS = """
class Attack(Record):
    attacker: Option[Obj]
    target: Option[Card]
    strength: Annotated[int, Range(0, 3)]

class Game(State):
    table: Bag
    trash: Bag
    attacks: Pool[Attack]
    leading: Option[Ref[Attack]]

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.table)

@procedure
async def main(g: Game) -> None:
    begin(g)
    while len(g.table) > 1:
        a = await choose(FIRST, g.table)
        t = await choose(SECOND, g.table - {a})
        if len(g.attacks) < 2:
            r = g.attacks.new(Attack(a, t, 1))
            more = await may(FIRST)
            if more:
                g.attacks[r].strength += 1
            g.leading = r
        else:
            r = await choose(SECOND, {x for x in g.attacks})
            dead = g.attacks[r].target
            g.attacks.free(r)
            g.leading = None
            if dead is not None and zone_of(dead) == g.table:
                put(dead, g.trash)
                renew(dead)
"""

POWERS = """
class Game(State):
    table: Bag
    power: Per[Card, Annotated[int, Range(0, 2)]]
    guarded: Per[Player, Per[Card, bool]]

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.table)

@procedure
async def main(g: Game) -> None:
    begin(g)
    while True:
        card = await choose(FIRST, g.table)
        p = owner(card)
        with restored(g.power[card], g.guarded[p][card]):
            g.power[card] += 1
            g.guarded[p][card] = True
            also = await choose(SECOND, g.table)
            g.power[also] += 1
            g.guarded[p][also] = not g.guarded[p][also]
            stop = await may(FIRST)
            if stop:
                g.power[also] = 0
"""

SITUATIONS = """
class Game(State):
    turn: Player
    table: Bag
    trash: Bag
    hurt: Per[Card, bool]
    lost: Per[Player, bool]

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.table)

@define
def who(g: Game) -> Player:
    return g.turn

@situation
@settled_by(who)
async def dies(g: Game, card: Card) -> None:
    when(g.hurt[card] and card in g.table)
    saved = await may(owner(card))
    g.hurt[card] = False
    if not saved:
        put(card, g.trash)
        g.lost[owner(card)] = True

@situation
@settled_by(who)
async def revives(g: Game, p: Player) -> None:
    when(g.lost[p] and len(g.trash) > 1)
    back = await choose(p, g.trash)
    g.lost[p] = False
    put(back, g.table)

@procedure
async def main(g: Game) -> None:
    begin(g)
    while True:
        some = await choose_some(g.turn, g.table, at_least=1, at_most=2)
        with simultaneously():
            for c in some:
                g.hurt[c] = True
        g.turn = other(g.turn)
"""

ABILITIES = """
class Hit(Event):
    card: Card
    by: Option[Obj]

class Waiting(Record):
    ability: Ability
    source: Option[Obj]
    cause: Cause

class Game(State):
    table: Bag
    waiting: Multiset[Waiting]
    marks: Per[Card, bool]

@trigger_policy
def met(g: Game, ability: Ability, card: Card, cause: Cause) -> None:
    if len(g.waiting) < 3:
        g.waiting.add(Waiting(ability, card, cause))

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.table)

@procedure
async def main(g: Game) -> None:
    begin(g)
    while True:
        card = await choose(FIRST, g.table)
        by = await choose(SECOND, g.table)
        emit(Hit(card, by))
        while len(g.waiting) > 0:
            w = await choose(OPEN("2"), {x for x in g.waiting})
            g.waiting.remove(w)
            await run_text(g, w.ability, w.source, FIRST, w.cause)
"""

SWITCHES = """
class Game(State):
    tapped: Per[Card, bool]

@procedure
async def main(g: Game) -> None:
    while True:
        card = await choose(FIRST, CARDS)
        g.tapped[card] = not g.tapped[card]
"""

ACTIONS = """
class Pass(Inaction):
    pass
class Mark(Record):
    card: Card
class Swap(Record):
    one: Card
    two: Card
Action = Pass | Mark | Swap

class Game(State):
    left: Bag
    right: Bag
    marks: Per[Card, bool]

@step
def begin(g: Game) -> None:
    for c in CARDS:
        put(c, g.left)

@procedure
async def perform(g: Game, act: Action) -> None:
    sure = await may(SECOND)
    if sure:
        match act:
            case Pass():
                pass
            case Mark(card):
                g.marks[card] = not g.marks[card]
            case Swap(one, two):
                put(one, g.right)
                put(two, g.left)

@procedure
async def main(g: Game) -> None:
    begin(g)
    while True:
        act = await choose(FIRST, {Pass()} | {Mark(c) for c in g.left} | {
            Swap(a, b) for a in g.left for b in CARDS})
        await perform(g, act)
"""
