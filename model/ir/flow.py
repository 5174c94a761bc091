"""Facts about control flow: successors, liveness, tail calls, recursion, footprints."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints

from .nodes import (
    Assign,
    Binder,
    Branch,
    Call,
    Choose,
    ChooseSome,
    Do,
    End,
    Expr,
    Fold,
    Instr,
    Invoke,
    Jump,
    Local,
    New,
    Next,
    Node,
    PileFind,
    Return,
    Throw,
)
from .program import Function, Handler, Program

if TYPE_CHECKING:
    import networkx as nx  # else loaded when something is compiled: what was compiled before does without


@cache
def fields_with_nodes(of: type[Node]) -> tuple[str, ...]:
    """The fields of a class of nodes in which there can be nodes."""
    hints = get_type_hints(of)
    return tuple(f.name for f in fields(of) if can_be_node(hints[f.name]))


def can_be_node(hint: Any) -> bool:
    return (isinstance(hint, type) and issubclass(hint, Node)) or any(map(can_be_node, get_args(hint)))


def children(node: Node) -> Iterator[Node]:
    """The nodes directly inside a node."""
    for name in fields_with_nodes(type(node)):
        v: Node | tuple[object, ...] | None = getattr(node, name)
        if isinstance(v, Node):
            yield v
        elif v is not None:
            for x in v:
                if isinstance(x, Node):
                    yield x


def walk(node: Node) -> tuple[Node, ...]:
    """A node and all nodes inside it."""
    return (node, *nodes_inside(node))


def nodes_inside(node: Node) -> tuple[Node, ...]:
    """All nodes inside a node. Kept with the node, which never changes: every pass asks for them again."""
    if not fields_with_nodes(type(node)):
        return ()
    kept = node.__dict__.get("inside")
    if kept is None:
        inside: list[Node] = []
        for name in fields_with_nodes(type(node)):
            v: Node | tuple[object, ...] | None = getattr(node, name)
            for c in (v,) if isinstance(v, Node) else v or ():
                if isinstance(c, Node):
                    inside.append(c)
                    inside += nodes_inside(c)
        kept = node.__dict__["inside"] = tuple(inside)
    return kept


N = TypeVar("N", bound=Node)


def rewrite(node: N, change: Callable[[Node], Node]) -> N:
    """The node with `change` applied to every node inside it, innermost first, and to itself."""
    new: dict[str, object] = {}
    for name in fields_with_nodes(type(node)):
        v = getattr(node, name)
        if isinstance(v, Node):
            w = rewrite(v, change)
            if w is not v:
                new[name] = w
        elif isinstance(v, tuple) and any(isinstance(x, Node) for x in v):  # pyright: ignore[reportUnknownVariableType]
            w = tuple(rewrite(x, change) if isinstance(x, Node) else x for x in v)  # pyright: ignore
            if any(a is not b for a, b in zip(v, w, strict=True)):  # pyright: ignore
                new[name] = w
    out = replace(node, **new) if new else node
    return change(out)  # pyright: ignore[reportReturnType]


def successors(instr: Instr, pc: int) -> tuple[int, ...]:
    """Where control may go after the instruction, exceptions aside."""
    match instr:
        case Return() | Throw() | End():
            return ()
        case Jump(target=t):
            return (t,)
        case Branch(otherwise=t):
            return (pc + 1, t)
        case Next(done=t):
            return (pc + 1, t)
        case _:
            return (pc + 1,)


def functions_used(program: Program, first: Iterable[str]) -> set[str]:
    """The functions that these come to by calls, themselves included; names that are no function are passed over."""
    seen: set[str] = set()
    todo = list(first)
    while todo:
        name = todo.pop()
        if name in seen or name not in program.functions:
            continue
        seen.add(name)
        fn = program.functions[name]
        todo += calls_of(fn)
    return seen


def calls_of(fn: Function) -> tuple[str, ...]:
    """The functions that a function calls, each once."""
    return tuple(dict.fromkeys(n.function for n in calls_in(fn)))


def nodes_of(f: Function, *classes: type[N]) -> list[N]:
    """The nodes of these classes in a function, in order."""
    return [n for i in f.code for n in walk(i) if isinstance(n, classes)]


def calls_in(f: Function) -> Sequence[Call | Do | Invoke]:
    """Everything that a function calls."""
    return nodes_of(f, Call, Do, Invoke)


def reachable(
    code: Sequence[Instr], handlers: Sequence[Handler], after: Callable[[Instr, int], Iterable[int]] = successors,
) -> set[int]:
    """Places that control can come to, beginning at the first; `len(code)` if it can run off the end. `after`: where it may go
    after an instruction."""
    seen: set[int] = set()
    todo = [0]
    while todo:
        pc = todo.pop()
        if pc in seen:
            continue
        seen.add(pc)
        if pc < len(code):
            todo += after(code[pc], pc)
            todo += (h.target for h in handlers if h.first <= pc < h.last)
    return seen


def assigned(instr: Instr) -> frozenset[int]:
    """Locals that the instruction always sets."""
    match instr:
        case Assign(local=x) | New(local=x) | ChooseSome(local=x):
            return frozenset((x,))
        case Choose(locals=xs):
            return frozenset(xs)
        case Do(local=x) | Invoke(local=x):
            return frozenset(() if x is None else (x,))
        case _:
            return frozenset()


def bound_inside(instr: Instr) -> frozenset[int]:
    """Locals that serve as variables of folds and offers inside the instruction."""
    out: set[int] = set()
    for n in walk(instr):
        if isinstance(n, Fold | Binder | PileFind):
            out.add(n.var)
    return frozenset(out)


def used(instr: Instr) -> frozenset[int]:
    """Locals whose value before the instruction matters to it."""
    out: set[int] = set()
    bound: set[int] = set()
    for n in walk(instr):
        if isinstance(n, Local):
            out.add(n.index)
        elif isinstance(n, Fold | Binder | PileFind):
            bound.add(n.var)
    if isinstance(instr, Next):
        out.add(instr.rest)
    return frozenset(out - bound)


def liveness(fn: Function) -> list[frozenset[int]]:
    """For each place in the code, the locals whose value may still be read."""
    if len(fn.code) == 1:
        return [used(fn.code[0])]
    known: dict[int, frozenset[int]] = {}
    out: list[frozenset[int]] = []
    for live in live_masks(fn):
        if live not in known:
            known[live] = frozenset(x for x in range(live.bit_length()) if live >> x & 1)
        out.append(known[live])
    return out


def mask_of(locals_: Iterable[int]) -> int:
    out = 0
    for x in locals_:
        out |= 1 << x
    return out


def live_masks(fn: Function) -> list[int]:
    """`liveness`, as bit masks."""
    n = len(fn.code)
    use = [mask_of(used(i)) for i in fn.code]
    stays = [~mask_of(assigned(i)) for i in fn.code]
    to = [[t for t in successors(i, k) if t < n] for k, i in enumerate(fn.code)]
    taken = {k: (i.done, ~(1 << i.var)) for k, i in enumerate(fn.code) if isinstance(i, Next)}
    """Of loops where they end, and the variable: it is set only where a member is taken."""
    caught: dict[int, list[int]] = {}
    for h in fn.handlers:
        for k in range(h.first, h.last):
            caught.setdefault(k, []).append(h.target)
    live = [0] * n
    changed = True
    while changed:
        changed = False
        for k in range(n - 1, -1, -1):
            out = 0
            for t in to[k]:
                out |= live[t]
            if k in taken:
                done, without = taken[k]
                out = (live[k + 1] & without if k + 1 < n else 0) | (live[done] if done != k + 1 and done < n else 0)
            out = use[k] | out & stays[k]
            for t in caught.get(k, ()):  # a signal leaves before the instruction has set anything
                out |= live[t]
            if out != live[k]:
                live[k], changed = out, True
    return live


def unassigned(fn: Function) -> dict[int, int]:
    """Locals that may be read before they are set, each with a place in the code where that happens."""
    if all(x < fn.arity for i in fn.code for x in used(i)):
        return {}
    if not live_masks(fn)[0] >> fn.arity:
        return {}
    live = liveness(fn)
    wanted = live[0] - frozenset(range(fn.arity))
    out: dict[int, int] = {}
    for x in sorted(wanted):
        seen: set[int] = set()
        todo = [0]
        while todo:
            pc = todo.pop(0)
            if pc in seen or pc >= len(fn.code) or x not in live[pc]:
                continue
            seen.add(pc)
            if x in used(fn.code[pc]):
                out[x] = pc
                break
            if x not in assigned(fn.code[pc]):
                todo += successors(fn.code[pc], pc)
                todo += (h.target for h in fn.handlers if h.first <= pc < h.last)
    return out


def live_across_calls(fn: Function, live: list[frozenset[int]]) -> list[frozenset[int]]:
    """For each call, the locals that matter while it runs: those live after it, its result aside; and those that a
    handler reads, should a signal come instead of the result."""
    out: list[frozenset[int]] = []
    for k, i in enumerate(fn.code):
        across = (live[k + 1] if k + 1 < len(live) else frozenset[int]()) - assigned(i)
        for h in fn.handlers:
            if h.first <= k < h.last:
                across |= live[h.target]
        out.append(across)
    return out


def call_graph(program: Program) -> nx.DiGraph[str]:
    """Which procedure invokes which."""
    import networkx as nx

    g: nx.DiGraph[str] = nx.DiGraph()
    for f in program.functions.values():
        g.add_node(f.name)
        for i in f.code:
            if isinstance(i, Invoke):
                g.add_edge(f.name, i.function)
    return g


def endless_calls(functions: Mapping[str, Function]) -> list[list[str]]:
    """Defines and steps that use themselves: each group as a closed chain of names."""
    called = {f.name: frozenset(n.function for n in calls_in(f) if not isinstance(n, Invoke))
              for f in functions.values()}
    if not has_circle(called):
        return []
    import networkx as nx

    g: nx.DiGraph[str] = nx.DiGraph()
    for name, others in called.items():
        g.add_node(name)
        g.add_edges_from((name, other) for other in others)
    out: list[list[str]] = []
    for c in nx.strongly_connected_components(g):
        start = min(c)
        if len(c) > 1 or g.has_edge(start, start):
            inside = g.subgraph(c)
            back = min((nx.shortest_path(inside, n, start) for n in inside.successors(start)), key=lambda p: (len(p), p))
            out.append([start, *back])
    return sorted(out)


def has_circle(called: Mapping[str, Collection[str]]) -> bool:
    """Does anything come back to itself?"""
    left = {name: {x for x in others if x in called} for name, others in called.items()}
    by: dict[str, list[str]] = {name: [] for name in called}
    for name, others in left.items():
        for x in others:
            by[x].append(name)
    todo = [name for name, others in left.items() if not others]
    done = 0
    while todo:
        name = todo.pop()
        done += 1
        for caller in by[name]:
            left[caller].discard(name)
            if not left[caller]:
                todo.append(caller)
    return done < len(called)


def components(called: Mapping[str, Collection[str]]) -> dict[str, int]:
    """The strongly connected component of each function, by its number; those that it calls have smaller ones (Tarjan)."""
    out: dict[str, int] = {}
    number: dict[str, int] = {}
    least: dict[str, int] = {}
    """The smallest number that a function comes back to, as far as is known."""
    open_: list[str] = []
    for first in called:
        if first in number:
            continue
        todo = [(first, iter(called[first]))]
        number[first] = least[first] = len(number)
        open_.append(first)
        while todo:
            name, others = todo[-1]
            other = next((x for x in others if x in called and x not in out), None)
            if other is None:
                todo.pop()
                if todo:
                    caller = todo[-1][0]
                    least[caller] = min(least[caller], least[name])
                if least[name] == number[name]:
                    done = len(out)
                    while name not in out:
                        out[open_.pop()] = done
            elif other in number:
                least[name] = min(least[name], number[other])
            else:
                number[other] = least[other] = len(number)
                open_.append(other)
                todo.append((other, iter(called[other])))
    return out


def mark_calls(program: Program) -> None:
    """Set `stop` on calls inside a recursive component, and `tail` where the caller has nothing left to do."""
    procedures = [f for f in program.functions.values() if f.kind == "procedure"]
    called = {f.name: tuple(dict.fromkeys(i.function for i in f.code if isinstance(i, Invoke)))
              for f in procedures}
    component = components(called)
    sizes = Counter(component.values())
    for f in procedures:
        mine = component[f.name]
        recursive = sizes[mine] > 1 or f.name in called[f.name]
        inside = frozenset(x for x in called[f.name] if recursive and component.get(x) == mine)
        f.code = with_marks(f, inside)


def with_marks(f: Function, inside: frozenset[str]) -> Sequence[Instr]:
    """The code of a function, of which calls to those `inside` its recursive component stop, and last calls are tail calls."""
    code = list(f.code)
    for k, i in enumerate(f.code):
        if isinstance(i, Invoke):
            covered = any(h.first <= k < h.last for h in f.handlers)
            tail = not f.scope and not covered and returns_only(f, k + 1, i.local)
            if (i.function in inside, tail) != (i.stop, i.tail):
                code[k] = replace(i, stop=i.function in inside, tail=tail)
    return tuple(code)


def returns_only(fn: Function, pc: int, result: int | None) -> bool:
    """Does the code from `pc` on do nothing but return the result (or nothing, where there is none)?"""
    seen: set[int] = set()
    while pc not in seen and pc < len(fn.code):
        seen.add(pc)
        match fn.code[pc]:
            case Jump(target=t):
                pc = t
            case Return(value=None):
                return result is None or fn.result.width == 0
            case Return(value=Local(index=x)):
                return x == result
            case _:
                return False
    return False


def callees_first(called: Mapping[str, Collection[str]]) -> list[str]:
    """The functions, each behind those that it calls as far as that can be: what is worked out of both needs few rounds then."""
    out: list[str] = []
    seen: set[str] = set()
    for first in called:
        todo = [(first, False)]
        while todo:
            name, done = todo.pop()
            if done:
                out.append(name)
            elif name not in seen:
                seen.add(name)
                todo.append((name, True))
                todo += [(other, False) for other in called[name] if other not in seen and other in called]
    return out


def spread(own: Mapping[str, int], called: Mapping[str, Collection[str]], order: Sequence[str] | None = None) -> dict[str, int]:
    """To what each function does itself (as bits), what those do that it calls. `order`: `callees_first`, where that is known."""
    out = dict(own)
    calling = [(name, called[name]) for name in order or callees_first(called) if called.get(name)]
    seen: set[str] = set()
    back: set[str] = set()
    """What is called before it was looked at; if it changes then, another round is needed."""
    for name, others in calling:
        seen.add(name)
        for f in others:
            if f not in seen and called.get(f):
                back.add(f)
    again = True
    while again:
        again = False
        for name, others in calling:
            new = before = out[name]
            for f in others:
                new |= out[f]
            if new != before:
                out[name] = new
                again |= name in back
    return out


def members(bits: int) -> Iterator[int]:
    """The places of the bits that are set, smallest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def expressions(instr: Instr) -> Iterator[Expr]:
    """The outermost expressions of an instruction."""
    for c in children(instr):
        if isinstance(c, Expr):
            yield c
        else:
            for d in children(c):
                if isinstance(d, Expr):
                    yield d
