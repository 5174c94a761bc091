"""The inner loop that shows two continuations of play to be the same game. See `arrays.Kernel` for how it is run."""

from __future__ import annotations

import numpy as np

from .arrays import kernel

FRESH, UNDER_WAY, LOOSE = -1, -2, -3
"""What is known of a state without a class: nothing; its ways are being followed; it has none (`game_classes` says why)."""
_CHANCE = -2  # as in `owned_graph`; a test compares them


@kernel
def game_classes(asked, until, owner, ended, depth, first, target, weighed, weights, wanting, cls, most, budget):
    """The classes of what follows the options of some states, as in `games`, in `cls` (FRESH for each state at first): equal ones are the
    same game.

    A leaf, where play has ended or returned (`depth` at most `until`) or was not expanded, is a class of its own, its number; other classes
    have higher numbers. LOOSE is a state from which a loop, the unknown or a state of chance without weights can be come to. `weighed`: where
    in `weights` those of a state begin, or -1; states of chance for which that has to be known are marked in `wanting`. Choices of the same one that
    follow at once are taken together, up to `most` ways, and of chance only as long as numbers are small. Gives how many places were gone
    through before the budget (of ways) was used up.
    """
    leaves, small, large = len(cls), 1 << 18, 1 << 40
    work, count = 0, 0
    stack, pending = np.empty(64, np.int64), np.empty(64, np.int64)
    begins, whose, total = (
        np.zeros(64, np.int64),
        np.empty(64, np.int64),
        np.empty(64, np.int64),
    )  # of each class that is no leaf
    to, part = np.empty(256, np.int64), np.empty(256, np.int64)  # its ways: class and weight
    here, load = np.empty(256, np.int64), np.empty(256, np.int64)
    table = np.full(128, -1, np.int64)
    for x in range(len(asked)):
        if work > budget:
            return x
        for o in range(first[asked[x]], first[asked[x] + 1]):
            deep = -1
            w = np.int64(target[o])
            while True:
                if w >= 0 and cls[w] == FRESH:
                    if ended[w] or depth[w] <= until or first[w] == first[w + 1]:
                        cls[w] = w
                    else:
                        cls[w] = UNDER_WAY
                        deep += 1
                        if deep == len(stack):
                            stack = np.concatenate((stack, np.empty_like(stack)))
                            pending = np.concatenate((pending, np.empty_like(pending)))
                        stack[deep] = w
                        pending[deep] = first[w]
                        work += first[w + 1] - first[w]
                if deep < 0:
                    break
                v = stack[deep]
                if pending[deep] < first[v + 1]:
                    w = np.int64(target[pending[deep]])
                    pending[deep] += 1
                    continue
                deep -= 1
                w = np.int64(-1)
                # all that follows is known: where does it lead?
                begin, end, who = first[v], first[v + 1], owner[v]
                cls[v] = LOOSE
                known, alike = True, True
                if who == _CHANCE and weighed[v] < 0:
                    wanting[v] = end - begin > 1
                for e in range(begin, end):
                    known = known and target[e] >= 0 and cls[target[e]] >= 0
                    alike = alike and known and cls[target[e]] == cls[target[begin]]
                if not known:
                    continue
                if alike:
                    cls[v] = cls[target[begin]]
                    continue
                if who == _CHANCE:
                    if weighed[v] < 0:
                        continue
                    for e in range(end - begin):
                        known = known and weights[weighed[v] + e] < large
                    if not known:
                        continue
                # with the choices of the same one that follow at once, if that does not become too much
                joined, size, unit = who >= 0 or who == _CHANCE, np.int64(0), np.int64(1)
                for e in range(begin, end):
                    c = cls[target[e]] - leaves
                    if not joined:
                        break
                    if who == _CHANCE and weights[weighed[v] + e - begin] >= small:
                        joined = False
                    if c >= 0 and whose[c] == who:
                        size += begins[c + 1] - begins[c]
                        joined = joined and total[c] < small
                        if joined:
                            a, b = unit, total[c]
                            while b > 0:
                                a, b = b, a % b
                            unit = unit // a * total[c]
                            joined = unit < small
                    else:
                        size += 1
                    joined = joined and size <= most
                if not joined:
                    unit, size = np.int64(1), np.int64(end - begin)
                if size > len(here):
                    here, load = np.empty(2 * size, np.int64), np.empty(2 * size, np.int64)
                m = 0
                for e in range(begin, end):
                    c = cls[target[e]] - leaves
                    weight = np.int64(1)
                    if who == _CHANCE:
                        weight = np.int64(weights[weighed[v] + e - begin])
                    if joined and c >= 0 and whose[c] == who:
                        for k in range(begins[c], begins[c + 1]):
                            here[m] = to[k]
                            load[m] = weight * part[k] * (unit // total[c])
                            m += 1
                    else:
                        here[m] = cls[target[e]]
                        load[m] = weight * unit
                        m += 1
                # each once, ascending, in lowest terms
                for k in range(1, m):
                    c, weight, j = here[k], load[k], k
                    while j > 0 and here[j - 1] > c:
                        here[j], load[j] = here[j - 1], load[j - 1]
                        j -= 1
                    here[j], load[j] = c, weight
                size = np.int64(0)
                for k in range(1, m):
                    if here[k] == here[size]:
                        load[size] += load[k]
                    else:
                        size += 1
                        here[size], load[size] = here[k], load[k]
                size += 1
                a, all_ = np.int64(0), np.int64(0)
                for k in range(size):
                    if who != _CHANCE:
                        load[k] = 1
                    b = load[k]
                    while b > 0:
                        a, b = b, a % b
                key = np.int64(who + 8)
                for k in range(size):
                    load[k] //= a
                    all_ += load[k]
                    key = (key * 1_000_003 ^ here[k]) % (1 << 40)
                    key = (key * 1_000_003 ^ load[k] % (1 << 40)) % (1 << 40)
                if size == 1:
                    cls[v] = here[0]
                    continue
                # the class that leads there, if there is one
                place = key % len(table)
                while table[place] >= 0:
                    c = table[place]
                    equal = whose[c] == who and begins[c + 1] - begins[c] == size
                    k = 0
                    while equal and k < size:
                        equal = to[begins[c] + k] == here[k] and part[begins[c] + k] == load[k]
                        k += 1
                    if equal:
                        break
                    place = (place + 1) % len(table)
                if table[place] >= 0:
                    cls[v] = leaves + table[place]
                    continue
                table[place] = count
                cls[v] = leaves + count
                if count + 2 > len(begins):
                    begins = np.concatenate((begins, np.empty_like(begins)))
                    whose = np.concatenate((whose, np.empty_like(whose)))
                    total = np.concatenate((total, np.empty_like(total)))
                used = begins[count]
                if used + size > len(to):
                    to = np.concatenate((to[:used], np.empty(used + 2 * size, np.int64)))
                    part = np.concatenate((part[:used], np.empty(used + 2 * size, np.int64)))
                to[used:used + size] = here[:size]
                part[used:used + size] = load[:size]
                whose[count], total[count], begins[count + 1] = who, all_, used + size
                count += 1
                if 2 * count > len(table):
                    table = np.full(4 * len(table), -1, np.int64)
                    for c in range(count):
                        key = np.int64(whose[c] + 8)
                        for k in range(begins[c], begins[c + 1]):
                            key = (key * 1_000_003 ^ to[k]) % (1 << 40)
                            key = (key * 1_000_003 ^ part[k] % (1 << 40)) % (1 << 40)
                        place = key % len(table)
                        while table[place] >= 0:
                            place = (place + 1) % len(table)
                        table[place] = c
    return len(asked)
