"""The inner loop that looks for a shortest closed walk. See `arrays.Kernel` for how it is run."""

from __future__ import annotations

import numpy as np

from .arrays import kernel

FRESH, NEW = 1, 2


@kernel
def shortest(nodes, number, by_new, mark, states, first, out, graph_first, crossing, fresh, told, distance, done, came,
             local, budget):
    """A shortest closed walk inside a set that has a fresh edge and one that is not told, as edges.

    Breadth first over pairs of a state and the kinds of edges used so far, from each state with a fresh edge (or a new
    one: `by_new`), nearest first; around those that are done. Stops when the budget of edges is used up and there is
    such a walk. `came`: 4 for each state of the set, 0 before and after; `local`: where in the set a state is.
    """
    n = len(nodes)
    roots = 0
    keys = np.empty(n, np.int64)
    for x in range(n):
        local[nodes[x]] = x
    for x in range(n):
        v = nodes[x]
        move = graph_first[states[v]] - first[v]
        for e in range(first[v], first[v + 1]):
            w = out[e]
            if (w >= 0 and mark[w] == number
                and ((by_new and not told[e]) or (not by_new and crossing[e + move] == fresh))):
                keys[roots] = distance[states[v]] * np.int64(n) + x
                roots += 1
                break
    order = np.sort(keys[:roots])
    best = np.empty(0, np.int64)
    queue = np.empty(64, np.int64)
    work = 0
    for r in range(roots):
        below = len(best)
        if below and work > budget:
            break
        x = order[r] % n
        root = x * 4
        goal = root | FRESH | NEW
        queue[0] = root
        layer, tail, length, looked, found = 0, 1, 1, 0, False
        while layer < tail and not found and (below == 0 or (length < below and looked <= budget - work)):
            end = tail
            for q in range(layer, end):
                place = queue[q]
                v = nodes[place // 4]
                move = graph_first[states[v]] - first[v]
                for e in range(first[v], first[v + 1]):
                    w = out[e]
                    if w < 0 or mark[w] != number:
                        continue
                    looked += 1
                    kinds = place % 4
                    if crossing[e + move] == fresh:
                        kinds |= FRESH
                    if not told[e]:
                        kinds |= NEW
                    reached = local[w] * np.int64(4) + kinds
                    if came[reached] != 0 or done[w]:
                        continue
                    came[reached] = e * 4 + place % 4 + 1
                    if tail == len(queue):
                        queue = np.concatenate((queue, np.empty_like(queue)))
                    queue[tail] = reached
                    tail += 1
                    if reached == goal:
                        found = True
                        break
                if found:
                    break
            layer = end
            length += 1
        if found:  # the way back
            steps = np.empty(length, np.int64)
            at, place = length, goal
            while at == length or place != root:
                code = np.int64(came[place]) - 1
                e = code // 4
                at -= 1
                steps[at] = e
                low, high = 0, len(first) - 1  # the state from which the edge starts
                while high - low > 1:
                    middle = (low + high) // 2
                    if first[middle] <= e:
                        low = middle
                    else:
                        high = middle
                place = local[low] * np.int64(4) + code % 4
            best = steps[at:]
        work += looked
        for q in range(tail):
            came[queue[q]] = 0
        done[nodes[x]] = True
    for r in range(roots):
        done[nodes[order[r] % n]] = False
    return best
