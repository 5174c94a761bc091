"""Random statements, and whole functions of them."""
from __future__ import annotations

from dataclasses import replace

from rulewright.model.ir import nodes as ir
from rulewright.model.ir.program import Function, Handler
from rulewright.model.ir.types import BOOL, NOTHING, CardType, OptionType, RecordType, UnionType

from .expressions import Expressions
from .worlds import KINDS, SMALL

PASS, ENTER = RecordType("Pass", (), True), RecordType("Enter", (("lane", SMALL),))
ACTION = UnionType((PASS, ENTER))
SIGNALS = ("PhaseEnds", "TurnEnds")


class Writer(Expressions):
    """Writes one function: expressions of a kind, and statements."""

    # ------------------------------------------------------------ statements
    def block(self, size: int, depth: int) -> None:
        for _ in range(size):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        luck = self.luck
        ways = [self.assign] * 2
        if self.kind != "define":
            ways += [self.store] * 4 + [self.card_effect] * 4 + [self.container_effect] * 3 + [self.do] * 3
        if depth > 0:
            ways += [lambda: self.branch(depth), lambda: self.each(depth)]
            if self.kind != "define" and not self.in_batch:
                ways += [lambda: self.batch(depth)] * 2
        if self.kind == "procedure" and not self.in_batch:
            ways += [self.choose] * 4 + [self.choose_some] * 2 + [self.invoke] * 3 + [self.consult]
            if depth > 0:
                ways += [lambda: self.loop(depth), lambda: self.attempt(depth)]
        luck.choice(ways)()

    def assign(self) -> None:
        kind = self.luck.choice(KINDS)
        mine = [x for x, k in enumerate(self.kinds) if k == kind]
        value = self.expr(kind)
        self.put(ir.Assign(self.luck.choice(mine) if mine and self.luck.random() < 0.6 else self.local(kind), value, at=self.at()))

    def store(self) -> None:
        kind = self.luck.choice(KINDS)
        base, count = self.luck.choice(self.world.fields[kind])
        op = "set"
        if kind == "int":
            op = self.luck.choice(("set", "set", "add"))
        elif kind in ("cards", "lanes"):
            op = self.luck.choice(("set", "union", "without"))
        value = self.expr(kind) if op != "add" else ir.Const(self.luck.choice((-9, -1, -1, 1, 1, 1, 8)))
        if count > 1 and self.luck.random() < 0.6:
            self.put(ir.Store(base, self.index(count, 2), count, value, op, at=self.at()))  # pyright: ignore[reportArgumentType]
        else:
            self.put(ir.Store(base + self.luck.randrange(count), None, 1, value, op, at=self.at()))  # pyright: ignore[reportArgumentType]

    def some_card(self) -> ir.Expr:
        if self.luck.random() < 0.02:
            return self.expr("card")
        return ir.Binary("max", ir.Const(0), self.expr("card"))

    def card_effect(self) -> None:
        if not self.world.cards:
            return
        luck = self.luck
        way = luck.random()
        if way < 0.6:
            self.put(ir.Put(self.some_card(), self.expr("zone"), luck.random() < 0.6, at=self.at()))
        elif way < 0.75:
            self.put(ir.Shuffle(self.expr("zone"), at=self.at()))
        else:
            self.put(ir.Renew(self.some_card(), at=self.at()))

    def container_effect(self) -> None:
        luck, w = self.luck, self.world
        name = luck.choice(("waiting", "waiting", "notes", "attacks"))
        values = tuple(self.expr(k, 2) for k in w.kinds_of[name])
        if name == "attacks":
            if luck.random() < 0.6:
                x = self.local("int")
                every = (1 << w.containers[name].capacity) - 1
                at = self.put(ir.Branch(ir.Binary("ne", ir.Load(w.containers[name].head), ir.Const(every)), 0)) if luck.random() < 0.95 else -1
                self.put(ir.New(name, values, x, at=self.at()))
                if at >= 0:
                    self.code[at] = replace(self.code[at], otherwise=len(self.code))  # pyright: ignore[reportCallIssue]
                return
            k: ir.Expr = self.expr("int", 2)
            if luck.random() < 0.97:
                k = ir.Unary("lowest", ir.Load(w.containers[name].head))
                at = self.put(ir.Branch(ir.Load(w.containers[name].head), 0))
                self.put(ir.Free(name, k, at=self.at()))
                self.code[at] = replace(self.code[at], otherwise=len(self.code))  # pyright: ignore[reportCallIssue]
                return
            self.put(ir.Free(name, k, at=self.at()))
            return
        full = ir.Load(w.containers[name].head)
        way = luck.random()
        if way < 0.6:
            at = self.put(ir.Branch(ir.Binary("lt", full, ir.Const(w.containers[name].capacity)), 0)) if luck.random() < 0.95 else -1
            self.put(ir.Insert(name, values, at=self.at()))
            if at >= 0:
                self.code[at] = replace(self.code[at], otherwise=len(self.code))  # pyright: ignore[reportCallIssue]
        elif way < 0.9:
            self.put(ir.Remove(name, values, at=self.at()))
        else:
            self.put(ir.Clear(name, at=self.at()))

    def do(self) -> None:
        if self.maker.steps:
            f = self.luck.choice(self.maker.steps)
            args = tuple(self.expr(k, 2) for k in f.params)
            event = self.luck.random() < 0.3
            x = self.local(f.result_kind) if f.result_kind and not event and self.luck.random() < 0.6 else None
            self.put(ir.Do(f.name, args, x, event, at=self.at()))

    def branch(self, depth: int) -> None:
        at = self.put(ir.Branch(self.expr("bool"), 0, at=self.at()))
        self.block(self.luck.randint(1, 2), depth - 1)
        over = self.put(ir.Jump(0, at=self.at()))
        self.code[at] = replace(self.code[at], otherwise=len(self.code))  # pyright: ignore[reportCallIssue]
        self.block(self.luck.randint(0, 2), depth - 1)
        self.code[over] = replace(self.code[over], target=len(self.code))  # pyright: ignore[reportCallIssue]

    def each(self, depth: int) -> None:
        kind, var, offset = self.luck.choice((("cards", "card", 0), ("cards", "card", 0), ("lanes", "int", self.luck.randint(-2, 3))))
        if kind == "cards" and not self.world.cards:
            return
        source = ir.Binary("meet", self.expr(kind), ir.Const(self.luck.randrange(1, 8)))
        rest, x = self.local(kind), self.local(var)
        self.kinds[rest] = ""
        self.put(ir.Assign(rest, source))
        head = self.put(ir.Next(rest, x, offset, 0, at=self.at()))
        self.block(self.luck.randint(1, 2), depth - 1)
        self.put(ir.Jump(head))
        self.code[head] = replace(self.code[head], done=len(self.code))  # pyright: ignore[reportCallIssue]

    def batch(self, depth: int) -> None:
        self.put(ir.BatchBegin(at=self.at()))
        self.in_batch = True
        self.block(self.luck.randint(1, 4), depth - 1)
        self.in_batch = False
        self.put(ir.BatchEnd(at=self.at()))

    # ------------------------------------------------------------ procedures
    def owner(self) -> ir.Owner:
        way = self.luck.random()
        return ir.ByPlayer(self.expr("player")) if way < 0.7 else ir.ByChance() if way < 0.85 else ir.ByNobody("9.9")

    def choose(self) -> None:
        luck = self.luck
        way = luck.random()
        if way < 0.35:
            x = self.local("bool")
            self.put(ir.Choose(self.owner(), (ir.Offer((), ir.Const(1), (ir.Const(0),)), ir.Offer((), ir.Const(1), (ir.Const(1),))), (x,), BOOL, at=self.at()))
        elif way < 0.7:
            offers: list[ir.Offer] = []
            for _ in range(luck.randint(1, 2)):
                var = self.hidden("card")
                source = self.expr("cards")
                self.kinds[var] = "card"
                values = (ir.Local(var) if luck.random() < 0.7 else self.expr("card"), self.expr("int", 1))
                offers.append(ir.Offer((ir.Binder(var, source),), self.expr("bool"), values))
                self.kinds[var] = ""
            if luck.random() < 0.7:
                offers.append(ir.Offer((), ir.Const(1), (ir.Const(-1), ir.Const(0))))
            of = RecordType("Enter", (("card", OptionType(CardType("Card", self.world.cards))), ("number", SMALL)))
            x, y = self.local("card"), self.local("int")
            self.put(ir.Choose(self.owner(), tuple(offers), (x, y), of, at=self.at()))
        else:
            var = self.hidden("int")
            source = self.expr("lanes")
            self.kinds[var] = "int"
            binders = [ir.Binder(var, source, luck.choice((0, 0, -2, 3)))]
            inner = self.hidden("int")
            if luck.random() < 0.4:
                binders.append(ir.Binder(inner, ir.Binary("meet", self.expr("lanes"), ir.Const(luck.randint(1, 31))), luck.randint(0, 2)))
                self.kinds[inner] = "int"
            value = ir.Local(var) if luck.random() < 0.5 else self.expr("int", 1)
            enter = ir.Offer(tuple(binders), self.expr("bool"), (ir.Const(1), value))
            self.kinds[var] = self.kinds[inner] = ""
            x, y = self.local("bool"), self.local("int")
            self.put(ir.Choose(self.owner(), (ir.Offer((), ir.Const(1), (ir.Const(0), ir.Const(0))), enter), (x, y), ACTION, at=self.at()))

    def choose_some(self) -> None:
        x = self.local("cards")
        among = self.expr("cards")
        if self.luck.random() < 0.95:
            among = ir.Binary("meet", among, ir.Const(self.luck.randrange(1 << min(8, max(1, self.world.cards)))))
        self.put(ir.ChooseSome(self.owner(), among, self.expr("int", 1), self.expr("int", 1), x, self.world.types["cards"], at=self.at()))

    def consult(self) -> None:
        self.put(ir.Consult("reading", self.world.reading, at=self.at()))

    def invoke(self) -> None:
        f = self.luck.choice(self.maker.procedures)
        args = tuple(self.expr(k, 2) for k in f.params)
        x = self.local(f.result_kind) if f.result_kind and self.luck.random() < 0.7 else None
        self.put(ir.Invoke(f.name, args, x, at=self.at()))

    def loop(self, depth: int) -> None:
        head = self.put(ir.Label(at=self.at()))
        out = self.put(ir.Branch(self.expr("bool"), 0))
        self.block(self.luck.randint(1, 3), depth - 1)
        self.put(ir.Jump(head))
        self.code[out] = replace(self.code[out], otherwise=len(self.code))  # pyright: ignore[reportCallIssue]

    def go_round(self) -> None:
        """Round after round, so that there are many states."""
        self.block(self.luck.randint(0, 2), 1)
        head = self.put(ir.Label(at=self.at()))
        out = self.put(ir.Branch(ir.Any((self.expr("bool"), self.expr("bool"), self.expr("bool"))), 0))
        for _ in range(self.luck.randint(1, 3)):
            self.choose()
            self.block(self.luck.randint(1, 2), 2)
        self.put(ir.Jump(head))
        self.code[out] = replace(self.code[out], otherwise=len(self.code))  # pyright: ignore[reportCallIssue]

    def attempt(self, depth: int) -> None:
        first = len(self.code)
        self.block(self.luck.randint(1, 3), depth - 1)
        if self.luck.random() < 0.7:
            at = self.put(ir.Branch(ir.All((self.expr("bool"), self.expr("bool"))), 0))
            self.put(ir.Throw(self.luck.choice(SIGNALS), at=self.at()))
            self.code[at] = replace(self.code[at], otherwise=len(self.code))  # pyright: ignore[reportCallIssue]
        over = self.put(ir.Jump(0, at=self.at()))
        for signal in self.luck.sample(SIGNALS, self.luck.randint(1, 2)):
            self.handlers.append(Handler(first, over, signal, len(self.code)))
            self.block(self.luck.randint(0, 2), depth - 1)
        self.code[over] = replace(self.code[over], target=len(self.code))  # pyright: ignore[reportCallIssue]

    # ------------------------------------------------------------ the whole
    def finish(self) -> Function:
        luck = self.luck
        if self.kind != "define" and luck.random() < 0.3:
            at = self.put(ir.Branch(ir.All((self.expr("bool"), self.expr("bool"))), 0))
            kind = luck.choice(("win", "win", "draw", "gap", "conflict", "not modelled", "fault"))
            winner = ir.Binary("sub", self.expr("player"), ir.Const(luck.randint(0, 1))) if kind == "win" else None
            self.put(ir.End(kind, winner, "" if kind in ("win", "draw") else "7.7", at=self.at()))  # pyright: ignore[reportArgumentType]
            self.code[at] = replace(self.code[at], otherwise=len(self.code))  # pyright: ignore[reportCallIssue]
        scope = luck.choice((0, 0, 1, 2, 3)) if self.kind == "procedure" else 0
        if self.kind == "procedure" and self.result is None and luck.random() < 0.4:  # nothing is left to do: its frame is replaced
            f = luck.choice(self.maker.procedures)
            self.put(ir.Invoke(f.name, tuple(self.expr(k, 2) for k in f.params), at=self.at()))
            scope = 0
        self.put(ir.Return(None if self.result is None else self.expr(self.result), at=self.at()))
        of = NOTHING if self.result is None else self.world.types[self.result]
        return Function(self.name, self.kind, self.arity, self.locals, self.code, of, self.handlers, scope)  # pyright: ignore[reportArgumentType]
