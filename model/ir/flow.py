"""Facts about control flow: successors, liveness, tail calls, recursion, what spreads along calls."""
from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from functools import cache, reduce
from graphlib import CycleError, TopologicalSorter
from operator import or_
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints

from ...spec.groups import grouped
from .nodes import (
    Assign,
    Binder,
    Branch,
    Call,
    Choose,
    ChooseSome,
    Do,
    End,
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


def several(field: object) -> tuple[object, ...]:
    """What stands in a field: all of it, or the one thing."""
    return field if isinstance(field, tuple) else (field,)  # pyright: ignore[reportUnknownVariableType]


def children(node: Node) -> Iterator[Node]:
    """The nodes directly inside a node."""
    for name in fields_with_nodes(type(node)):
        yield from (x for x in several(getattr(node, name)) if isinstance(x, Node))


def walk(node: Node) -> tuple[Node, ...]:
    """A node and all nodes inside it."""
    return (node, *nodes_inside(node))


def nodes_inside(node: Node) -> tuple[Node, ...]:
    """All nodes inside a node. Kept with the node, which never changes: every pass asks for them again."""
    names = fields_with_nodes(type(node))
    if not names:
        return ()
    kept = node.__dict__.get("inside")
    if kept is None:
        inside: list[Node] = []
        for name in names:  # `children`, without a generator for each of a program's nodes
            for x in several(getattr(node, name)):
                if isinstance(x, Node):
                    inside.append(x)
                    inside += nodes_inside(x)
        kept = node.__dict__["inside"] = tuple(inside)
    return kept


N = TypeVar("N", bound=Node)
K = TypeVar("K", bound=Hashable)


def rewrite(node: N, change: Callable[[Node], Node]) -> N:
    """The node with `change` applied to every node inside it, innermost first, and to itself."""
    new: dict[str, object] = {}
    for name in fields_with_nodes(type(node)):
        field = getattr(node, name)
        old = several(field)
        parts = tuple(rewrite(x, change) if isinstance(x, Node) else x for x in old)
        if any(a is not b for a, b in zip(old, parts, strict=True)):
            new[name] = parts if isinstance(field, tuple) else parts[0]
    out = replace(node, **new) if new else node
    return change(out)  # pyright: ignore[reportReturnType]


def successors(instr: Instr, pc: int) -> tuple[int, ...]:
    """Where control may go after the instruction, exceptions aside."""
    match instr:
        case Return() | Throw() | End():
            return ()
        case Jump(target=t):
            return (t,)
        case Branch(otherwise=t) | Next(done=t):
            return (pc + 1, t)
        case _:
            return (pc + 1,)


def predecessors(fn: Function) -> dict[int, list[int]]:
    """From where control may come to each place, by a signal, too; twice from a branch of which both ways lead there."""
    return grouped(
        (to, pc) for pc, i in enumerate(fn.code)
        for to in (*successors(i, pc), *(h.target for h in fn.handlers if h.first <= pc < h.last)))


def redirected(instr: Instr, to: Callable[[int], int]) -> Instr:
    """The instruction, which jumps where `to` says instead."""
    match instr:
        case Branch(otherwise=t) if t != to(t):
            return replace(instr, otherwise=to(t))
        case Jump(target=t) if t != to(t):
            return replace(instr, target=to(t))
        case Next(done=t) if t != to(t):
            return replace(instr, done=to(t))
        case _:
            return instr


def closure(first: Iterable[K], after: Callable[[K], Iterable[K]]) -> set[K]:
    """All that these lead to, themselves included. `after`: what one leads to directly."""
    seen: set[K] = set()
    todo = list(first)
    while todo:
        x = todo.pop()
        if x not in seen:
            seen.add(x)
            todo += after(x)
    return seen


def functions_used(program: Program, first: Iterable[str], but: Collection[str] = ()) -> set[str]:
    """The functions that these come to by calls, themselves included; names that are no function are passed over, and so are those of `but`."""
    def looked_at(names: Iterable[str]) -> Iterable[str]:
        return (name for name in names if name in program.functions and name not in but)
    return closure(looked_at(first), lambda name: looked_at(calls_of(program.functions[name])))


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
    def behind(pc: int) -> Iterable[int]:
        if pc == len(code):
            return ()
        return (*after(code[pc], pc), *(h.target for h in handlers if h.first <= pc < h.last))
    return closure([0], behind)


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


def may_set(instr: Instr) -> frozenset[int]:
    """Every local that the instruction may set."""
    return frozenset((instr.rest, instr.var)) if isinstance(instr, Next) else assigned(instr)


def used(instr: Instr) -> frozenset[int]:
    """Locals whose value before the instruction matters to it."""
    read = {n.index for n in walk(instr) if isinstance(n, Local)}
    bound = {n.var for n in walk(instr) if isinstance(n, Fold | Binder | PileFind)}
    gone_through = {instr.rest} if isinstance(instr, Next) else set[int]()
    return frozenset((read | gone_through) - bound)


def liveness(fn: Function) -> list[frozenset[int]]:
    """For each place in the code, the locals whose value may still be read."""
    live = live_masks(fn)
    known = {mask: frozenset(members(mask)) for mask in set(live)}
    return [known[mask] for mask in live]


def union(masks: Iterable[int]) -> int:
    """All bits of the masks."""
    return reduce(or_, masks, 0)


def mask_of(numbers: Iterable[int]) -> int:
    """The numbers as bits."""
    mask = 0
    for x in numbers:  # not `union`: it is asked for at each instruction of each program
        mask |= 1 << x
    return mask


def live_masks(fn: Function) -> list[int]:
    """`liveness`, as bit masks."""
    n = len(fn.code)

    def ways(i: Instr, k: int) -> list[tuple[int, int]]:
        """Where control may go from here, and the locals (as bits) that are not set on the way."""
        kept = ~mask_of(assigned(i))
        out = [(k + 1, ~(1 << i.var)), (i.done, ~0)] if isinstance(i, Next) else [(to, kept) for to in successors(i, k)]
        out += ((h.target, ~0) for h in fn.handlers if h.first <= k < h.last)  # a signal leaves before anything is set
        return [(to, kept) for to, kept in out if to < n]

    use = [mask_of(used(i)) for i in fn.code]
    behind = [ways(i, k) for k, i in enumerate(fn.code)]
    live = [0] * n
    changed = True
    while changed:
        changed = False
        for k in range(n - 1, -1, -1):
            now = use[k] | union(live[to] & kept for to, kept in behind[k])
            changed |= now != live[k]
            live[k] = now
    return live


def unassigned(fn: Function) -> dict[int, int]:
    """Locals that may be read before they are set, each with a place in the code where that happens."""
    out: dict[int, int] = {}
    for x in members(live_masks(fn)[0] >> fn.arity << fn.arity):
        def unset_after(i: Instr, pc: int, x: int = x) -> tuple[int, ...]:
            return () if x in assigned(i) else successors(i, pc)

        out[x] = min(
            pc for pc in reachable(fn.code, fn.handlers, unset_after) if pc < len(fn.code) and x in used(fn.code[pc])
        )
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
        g.add_edges_from((f.name, i.function) for i in f.code if isinstance(i, Invoke))
    return g


def endless_calls(functions: Mapping[str, Function]) -> list[list[str]]:
    """Defines and steps that use themselves: each group as a closed chain of names."""
    called = {
        f.name: frozenset(n.function for n in calls_in(f) if not isinstance(n, Invoke)) & functions.keys()
        for f in functions.values()}
    with suppress(CycleError):
        TopologicalSorter(called).prepare()
        return []  # as in nearly every program
    used = {name: closure(others, called.__getitem__) for name, others in called.items()}
    out: list[list[str]] = []
    for start, others in used.items():
        group = {name for name in others if start in used[name]}
        if group and start == min(group):
            import networkx as nx

            inside: nx.DiGraph[str] = nx.DiGraph([(name, other) for name in group for other in called[name] & group])
            back = min(
                (nx.shortest_path(inside, n, start) for n in inside.successors(start)), key=lambda p: (len(p), p)
            )
            out.append([start, *back])
    return sorted(out)


def mark_calls(program: Program) -> None:
    """Set `stop` on calls inside a recursive component, and `tail` where the caller has nothing left to do."""
    procedures = [f for f in program.functions.values() if f.kind == "procedure"]
    called = {f.name: frozenset(i.function for i in f.code if isinstance(i, Invoke)) for f in procedures}
    used = {name: closure([name], called.__getitem__) for name in called}
    for f in procedures:
        code = list(f.code)
        for k, i in enumerate(f.code):
            if isinstance(i, Invoke):
                covered = any(h.first <= k < h.last for h in f.handlers)
                tail = not f.scope and not covered and returns_only(f, k + 1, i.local)
                code[k] = replace(i, stop=f.name in used[i.function], tail=tail)
        f.code = tuple(code)


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


def spread(own: Mapping[str, int], called: Mapping[str, Collection[str]]) -> dict[str, int]:
    """To what each function does itself (as bits), what those do that it calls, directly or not."""
    out = dict(own)
    changed = True
    while changed:
        changed = False
        for name, others in called.items():
            new = out[name] | union(out[f] for f in others)
            changed |= new != out[name]
            out[name] = new
    return out


def members(mask: int) -> list[int]:
    """The places of the bits that are set, smallest first."""
    out: list[int] = []
    while mask:
        lowest = mask & -mask
        out.append(lowest.bit_length() - 1)
        mask ^= lowest
    return out
