"""The inner loops of the analysis of graphs, over arrays only. See `arrays.Kernel` for how they are run.

Edges lie one behind the other by the state they start from: those of state v are first[v] … first[v + 1] - 1. An
*arena* (see `end_components.Arena`) numbers some states of the graph anew; there `out[e]` is EXIT for an edge that
leads elsewhere, and the number of states for one into the unknown. A *family* of disjoint sets of states is two arrays:
the states of all sets, one set behind the other, each increasing; and where each set begins (with the end at last).
"""

from __future__ import annotations

from .arrays import kernel

EXIT = -1
OPEN_BIT, BOUND_BIT, FRONTIER_BIT, READING_BIT = 1, 2, 4, 8
"""What is not known of a state, as bits."""
_CHANCE, _OPEN, _READING, _FRONTIER = -2, -3, -4, -5  # as in `owned_graph`; a test compares them


@kernel
def breadth_first(first, target, initial, distance, arriving, queue):
    """Distance of each state from the initial one, and the edge by which it is reached; -1 where it is not."""
    distance[initial] = 0
    queue[0] = initial
    head, tail = 0, 1
    while head < tail:
        v = queue[head]
        head += 1
        for e in range(first[v], first[v + 1]):
            w = target[e]
            if w >= 0 and distance[w] < 0:
                distance[w] = distance[v] + 1
                arriving[w] = e
                queue[tail] = w
                tail += 1
    return tail


@kernel
def crosses(states, first, crossing, level):
    """Does an edge of one of the states cross exactly this?"""
    for x in range(len(states)):
        v = states[x]
        for e in range(first[v], first[v + 1]):
            if crossing[e] == level:
                return True
    return False


@kernel
def arena_edges(
    states, first, target, crossing, owner, number, scope, trust, trusting, local_owner, local_first, out, doubtful
):
    """The edges of an arena, what is not known at its states (as bits), and its owners where an open choice is not
    trusted."""
    size, at = len(states), 0
    for v in range(size):
        s = states[v]
        if local_owner[v] == _OPEN:
            doubtful[v] = OPEN_BIT
            if trusting and not trust[s] & OPEN_BIT:
                local_owner[v] = _CHANCE
        local_first[v] = at
        for e in range(first[s], first[s + 1]):
            w = EXIT
            if crossing[e] < scope:
                t = target[e]
                if t >= 0:
                    w = number[t]
                if w < 0:
                    bit, who = 0, s
                    if t < 0:
                        bit = BOUND_BIT
                    elif owner[t] == _FRONTIER:
                        bit, who = FRONTIER_BIT, t
                    elif owner[t] == _READING:
                        bit, who = READING_BIT, t
                    if bit:
                        doubtful[v] |= bit
                        if not trusting or trust[who] & bit:
                            w = size
            out[at] = w
            at += 1
    local_first[size] = at
    return at


@kernel
def reverse(size, first, out, into_first, into):
    """The edges by where they lead: the unknown (number `size`) included, exits not."""
    for e in range(first[size]):
        if out[e] >= 0:
            into_first[out[e] + 1] += 1
    for w in range(size + 1):
        into_first[w + 1] += into_first[w]
    for v in range(size):
        for e in range(first[v], first[v + 1]):
            w = out[e]
            if w >= 0:
                into[into_first[w]] = v
                into_first[w] += 1
    for w in range(size, -1, -1):  # each now stands where the next begins
        into_first[w + 1] = into_first[w]
    into_first[0] = 0
    return 0


@kernel
def prune(nodes, starts, vague, first, out, into_first, into, chooses, unknown, mark, stays, lost):
    """Take away the states from which play may leave their set, and those from which it may then leave.

    `mark` says afterwards which set of the family (counted from 1) a state is still in; the unknown is in each `vague`
    set besides.
    """
    for p in range(len(starts) - 1):
        for x in range(starts[p], starts[p + 1]):
            mark[nodes[x]] = p + 1
    n = 0
    for p in range(len(starts) - 1):
        for x in range(starts[p], starts[p + 1]):
            v, staying = nodes[x], 0
            for e in range(first[v], first[v + 1]):
                w = out[e]
                if w == unknown:
                    if vague[p]:
                        staying += 1
                elif w >= 0 and mark[w] == p + 1:
                    staying += 1
            stays[v] = staying
            if staying == 0 or (staying < first[v + 1] - first[v] and not chooses[v]):
                lost[n] = v
                n += 1
    for k in range(n):
        mark[lost[k]] = -mark[lost[k]]
    while n > 0:
        n -= 1
        w = lost[n]
        p = -mark[w]
        for k in range(into_first[w], into_first[w + 1]):
            v = into[k]
            if mark[v] == p:
                stays[v] -= 1
                if stays[v] == 0 or not chooses[v]:
                    mark[v] = -p
                    lost[n] = v
                    n += 1
    return 0


@kernel
def split(nodes, starts, vague, first, out, into_first, into, unknown, mark, index, low, stack, path, pending, piece,
          many, joined):
    """The strongly connected components of each set of a family; gives how many there are.

    Only states whose `mark` is still that of their set count. `piece` gets the component of each state, or -1; each
    comes after those of its set that it leads to. `many` gets how many components each set has. In a `vague` set the
    unknown leads to every state: what can reach it is one component with it (`joined`); where nothing can, it is a
    component by itself, without a number. Tarjan's algorithm without recursion.
    """
    done = len(index) + 1
    count = 0
    for p in range(len(starts) - 1):
        number, begun = p + 1, count
        for x in range(starts[p], starts[p + 1]):
            piece[nodes[x]] = -1
            index[nodes[x]] = 0
        if vague[p]:  # backwards from the unknown
            n = 0
            for x in range(starts[p], starts[p + 1]):
                v = nodes[x]
                if mark[v] == number:
                    for e in range(first[v], first[v + 1]):
                        if out[e] == unknown:
                            index[v] = done
                            piece[v] = count
                            stack[n] = v
                            n += 1
                            break
            if n > 0:
                joined[count] = True
                count += 1
            else:
                many[p] += 1
            while n > 0:
                n -= 1
                w = stack[n]
                for k in range(into_first[w], into_first[w + 1]):
                    v = into[k]
                    if mark[v] == number and index[v] == 0:
                        index[v] = done
                        piece[v] = piece[w]
                        stack[n] = v
                        n += 1
        last, top = 0, 0
        for x in range(starts[p], starts[p + 1]):
            root = nodes[x]
            if mark[root] != number or index[root] != 0:
                continue
            last += 1
            index[root] = last
            low[root] = last
            stack[top] = root
            top += 1
            deep = 0
            path[0] = root
            pending[0] = first[root]
            while deep >= 0:
                v = path[deep]
                e, end, lowest, deeper = pending[deep], first[v + 1], low[v], False
                while e < end:
                    w = out[e]
                    e += 1
                    if w < 0 or w == unknown or mark[w] != number:
                        continue
                    met = index[w]
                    if met == 0:
                        last += 1
                        index[w] = last
                        low[w] = last
                        stack[top] = w
                        top += 1
                        pending[deep] = e
                        deep += 1
                        path[deep] = w
                        pending[deep] = first[w]
                        deeper = True
                        break
                    if met < lowest:
                        lowest = met
                low[v] = lowest
                if deeper:
                    continue
                deep -= 1
                if lowest == index[v]:
                    while True:
                        top -= 1
                        w = stack[top]
                        index[w] = done
                        piece[w] = count
                        if w == v:
                            break
                    count += 1
                elif lowest < low[path[deep]]:
                    low[path[deep]] = lowest
        many[p] += count - begun
    return count


DROPPED, GOES_ON, WHOLE = 0, 1, 2


@kernel
def sort_out(nodes, starts, piece, many, joined, first, out, kind, sizes):
    """What becomes of each component: WHOLE if its set has no other; dropped if it is a state without an edge to
    itself; else it goes on. And its size."""
    for p in range(len(starts) - 1):
        for x in range(starts[p], starts[p + 1]):
            v = nodes[x]
            c = piece[v]
            if c < 0:
                continue
            sizes[c] += 1
            if many[p] == 1:
                kind[c] = WHOLE
            elif sizes[c] > 1 or joined[c]:
                kind[c] = GOES_ON
            elif kind[c] == DROPPED:
                for e in range(first[v], first[v + 1]):
                    if out[e] == v:
                        kind[c] = GOES_ON
                        break
    return 0


@kernel
def spread(nodes, piece, place, number, to, label):
    """Put the states of each component where they belong in a new family (from `place` on; -1: not there), and write
    down its number (-1: it has none)."""
    for x in range(len(nodes)):
        v = nodes[x]
        c = piece[v]
        if c >= 0:
            if place[c] >= 0:
                to[place[c]] = v
                place[c] += 1
            if number[c] >= 0:
                label[v] = number[c]
    return 0


@kernel
def renumber(label, fresh):
    """Number the sets by their smallest states. `fresh`: the new number of each; -1 before."""
    count = 0
    for v in range(len(label)):
        c = label[v]
        if c >= 0:
            if fresh[c] < 0:
                fresh[c] = count
                count += 1
            label[v] = fresh[c]
    return count


@kernel
def clear(nodes, mark):
    """Forget the marks of some states."""
    for x in range(len(nodes)):
        mark[nodes[x]] = 0
    return 0


@kernel
def marks(nodes, starts, mark):
    """Mark the states of each set with its number, counted from 1."""
    for p in range(len(starts) - 1):
        for x in range(starts[p], starts[p + 1]):
            mark[nodes[x]] = p + 1
    return 0


@kernel
def common(small, large, answer):
    """Of each set of one labelling: the set of another that contains all of it, or -1. `answer` is -2 before."""
    for v in range(len(small)):
        c = small[v]
        if c >= 0:
            if answer[c] == -2:
                answer[c] = large[v]
            elif answer[c] != large[v]:
                answer[c] = -1
    return 0


@kernel
def leaving(part, label, first, out, leaves):
    """The states of a part (which all have one label) with an edge that leads out of it."""
    number = label[part[0]]
    for x in range(len(part)):
        v = part[x]
        for e in range(first[v], first[v + 1]):
            if out[e] < 0 or label[out[e]] != number:
                leaves[x] = True
                break
    return 0


@kernel
def uniform(nodes, starts, label, answer):
    """Of each set of a family: the label that all its states have; -1 if they differ, -2 if all have none."""
    for p in range(len(starts) - 1):
        same = label[nodes[starts[p]]]
        differ = False
        for x in range(starts[p] + 1, starts[p + 1]):
            if label[nodes[x]] != same:
                differ = True
                break
        answer[p] = -1 if differ else -2 if same < 0 else same
    return 0


@kernel
def tell(nodes, mark, first, out, told):
    """Note the edges that stay inside one marked set."""
    for x in range(len(nodes)):
        v = nodes[x]
        for e in range(first[v], first[v + 1]):
            w = out[e]
            if w >= 0 and mark[w] == mark[v]:
                told[e] = True
    return 0


@kernel
def arrows(nodes, starts, mark, states, first, out, graph_first, crossing, fresh, told, fresh_sources, new_sources):
    """How many states of each set have an edge inside it that is fresh (crosses exactly that), or that is not told."""
    for p in range(len(starts) - 1):
        a, b = 0, 0
        for x in range(starts[p], starts[p + 1]):
            v = nodes[x]
            has_fresh, has_new = False, False
            move = graph_first[states[v]] - first[v]
            for e in range(first[v], first[v + 1]):
                w = out[e]
                if w >= 0 and mark[w] == p + 1:
                    if crossing[e + move] == fresh:
                        has_fresh = True
                    if not told[e]:
                        has_new = True
            a += has_fresh
            b += has_new
        fresh_sources[p] = a
        new_sources[p] = b
    return 0
