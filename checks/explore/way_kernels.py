"""The inner loops that look at what the ways on from a choice lead to. See `arrays.Kernel` for how they are run."""

from __future__ import annotations

import numpy as np

from .arrays import kernel


@kernel
def first_differing(asked, group, found, open_, owner, join, ended, depth, first, target, seen, budget):
    """For each group of places where an order is chosen, the first one (`asked[x]`) in which it leads to other results: `found[group]`.

    The results of an option are the states in which play has ended or has returned (`depth` at most that of the place's
    `join`), whether play can go round for ever before, and whether something on the way is not known. They are others where
    an option has for certain a result that another one, of which all is known, has not. Where they are the same, it still may matter who
    can bring them about, unless there is one only, or one player decides everything on the way: such places are `open_`. Gives how many places
    were looked at before the budget (of states looked at) was used up. `seen`: 0 for each state.
    """
    stamp, work = 0, 0
    results, stack = np.empty(64, np.int64), np.empty(64, np.int64)
    pending = np.empty(64, np.int64)
    for x in range(len(asked)):
        if found[group[x]] >= 0:
            continue
        if work > budget:
            return x
        k = asked[x]
        options = first[k + 1] - first[k]
        begins = np.empty(options + 1, np.int64)
        endless, vague = np.zeros(options, np.bool_), np.zeros(options, np.bool_)
        alone, who = True, -1
        top = 0
        for o in range(options):
            begins[o] = top
            stamp += 2  # a state on the way now is `stamp`, one that is done `stamp + 1`
            deep = -1
            w = np.int64(target[first[k] + o])
            entering = True
            while True:
                if entering:
                    entering = False
                    if w < 0:
                        vague[o] = True
                    elif seen[w] == stamp:
                        endless[o] = True
                    elif seen[w] != stamp + 1:
                        work += 1
                        if ended[w] or depth[w] <= join[k]:
                            seen[w] = stamp + 1
                            if top == len(results):
                                results = np.concatenate((results, np.empty_like(results)))
                            results[top] = w
                            top += 1
                        else:
                            if first[w] == first[w + 1]:
                                vague[o] = True
                            if first[w + 1] - first[w] > 1:
                                if who == -1:
                                    who = np.int64(owner[w])
                                if owner[w] < 0 or owner[w] != who:
                                    alone = False
                            seen[w] = stamp
                            deep += 1
                            if deep == len(stack):
                                stack = np.concatenate((stack, np.empty_like(stack)))
                                pending = np.concatenate((pending, np.empty_like(pending)))
                            stack[deep] = w
                            pending[deep] = first[w]
                if deep < 0:
                    break
                v = stack[deep]
                if pending[deep] < first[v + 1]:
                    w = np.int64(target[pending[deep]])
                    pending[deep] += 1
                    entering = True
                else:
                    seen[v] = stamp + 1
                    deep -= 1
        begins[options] = top
        differ, unsure = False, False
        for b in range(options):
            if vague[b] or differ:
                unsure = unsure or vague[b]
                continue
            stamp += 2
            for r in range(begins[b], begins[b + 1]):
                seen[results[r]] = stamp
            several = begins[b + 1] - begins[b] + endless[b] > 1
            unsure = unsure or (several and not alone)
            for a in range(options):
                if a == b or differ:
                    continue
                if endless[a] and not endless[b]:
                    differ = True
                for r in range(begins[a], begins[a + 1]):
                    if seen[results[r]] != stamp:
                        differ = True
                        break
        if differ:
            found[group[x]] = k
        elif unsure:
            open_[x] = True
    return len(asked)


@kernel
def parts_ways(states, first, target, matters):
    """Of each state: do its edges lead to different states?"""
    for x in range(len(states)):
        v = states[x]
        for e in range(first[v] + 1, first[v + 1]):
            if target[e] != target[first[v]]:
                matters[x] = True
                break
    return 0


@kernel
def ends_ahead(start, first, target, code, seen, met):
    """The ends (-1 - their numbers stand in `code`) that can be reached from a state."""
    stack = np.empty(64, np.int64)
    stack[0], n = start, 1
    seen[start] = True
    while n > 0:
        n -= 1
        v = stack[n]
        if code[v] < 0 and -1 - code[v] < len(met):
            met[-1 - code[v]] = True
        if n + first[v + 1] - first[v] > len(stack):
            stack = np.concatenate((stack[:n], np.empty(n + 2 * (first[v + 1] - first[v]), np.int64)))
        for e in range(first[v], first[v + 1]):
            w = target[e]
            if w >= 0 and not seen[w]:
                seen[w] = True
                stack[n] = w
                n += 1
    return 0
