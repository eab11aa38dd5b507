"""Compiled loops over layouts with named pieces: breadth-first search with all 24 orders of the soldiers at once."""

from typing import Any

import numpy as np

from solvers.klotski.searching.kernels import kernel

SOLDIER_SHIFTS = 25  # shifts 1 to 25 move soldiers, higher ones dominoes
_LOWEST = np.full(37, -1, np.int64)
for _bit in range(32):
    _LOWEST[(1 << _bit) % 37] = _bit
LOWEST_BIT = _LOWEST  # the index of the bit, by a power of two modulo 37


@kernel
def advance(
    graph: Any, tables: Any, seen: Any, front: Any, after: Any, active: Any, is_next: Any, active_next: Any
) -> int:
    """Advance by one move from the arrangements in *front*; add those not in *seen* to *after* and *seen*.

    *graph* has starts, targets and shifts of a component, *tables* the turns of shifts, words and bits
    (`Arrangements`). *active* are the layouts in front, whose words are reset to 0; *active_next* receives the next
    ones. Return their number. *is_next* is False everywhere before and after.
    """
    starts, targets, shifts = graph
    turns, by_word, by_bits = tables
    words = seen.shape[1]
    found = 0
    for here in active:
        ours = front[here]
        for edge in range(starts[here], starts[here + 1]):
            there, shift = targets[edge], shifts[edge]
            theirs, known = after[there], seen[there]
            fresh = np.uint32(0)
            if shift == 0:
                for word in range(words):
                    new = ours[word] & ~known[word]
                    known[word] |= new
                    theirs[word] |= new
                    fresh |= new
            elif shift > SOLDIER_SHIFTS:
                way = by_word[turns[shift]]
                for word in range(words):
                    new = ours[word] & ~known[way[word]]
                    known[way[word]] |= new
                    theirs[way[word]] |= new
                    fresh |= new
            else:
                bits = by_bits[turns[shift]]
                for word in range(words):
                    if ours[word]:
                        new = bits[0, ours[word] & 255] | bits[1, ours[word] >> 8 & 255] | bits[2, ours[word] >> 16]
                        new &= ~known[word]
                        known[word] |= new
                        theirs[word] |= new
                        fresh |= new
            if fresh and not is_next[there]:
                is_next[there] = True
                active_next[found] = there
                found += 1
        ours[:] = 0
    for at in range(found):
        is_next[active_next[at]] = False
    return found


@kernel
def record(front: Any, active: Any, count: int, distances: Any, distance: int) -> None:
    """Write *distance* for all arrangements in *front*; *distances* has shape (layouts, 24 * words)."""
    words = front.shape[1]
    for at in range(count):
        ours, row = front[active[at]], distances[active[at]]
        for word in range(words):
            left = ours[word]
            while left:
                lowest = left & (~left + np.uint32(1))
                row[24 * word + LOWEST_BIT[lowest % 37]] = distance
                left ^= lowest


@kernel
def meets(front: Any, seen: Any, active: Any, count: int, images: Any, turns: Any, tables: Any) -> int:
    """Return whether the mirror image of an arrangement in *front* is *seen*: 0 no, 1 in front too, 2 seen earlier.

    *images* and *turns*, by layout, are those of one mirror: its image, and the turns of its words and its soldiers.
    """
    by_word, by_bits = tables
    word_turns, soldier_turns = turns
    words = front.shape[1]
    found = 0
    for at in range(count):
        here = active[at]
        there = images[here]
        if there < 0:
            continue
        way, bits = by_word[word_turns[here]], by_bits[soldier_turns[here]]
        for word in range(words):
            ours = front[here, word]
            if ours:
                image = bits[0, ours & 255] | bits[1, ours >> 8 & 255] | bits[2, ours >> 16]
                image &= seen[there, way[word]]
                if image & ~front[there, way[word]]:
                    return 2
                if image:
                    found = 1
    return found


@kernel
def tighten(
    distances: Any, asked: Any, farthest: int, images: Any, turns: Any, tables: Any, lower: Any, upper: Any
) -> None:
    """Tighten the bounds of the layouts *asked* with the *distances* from one pivot; *farthest* is their maximum.

    *lower* and *upper* have a row for each mirror, and one for the distance to the farthest. *distances* has shape
    (layouts, words * soldiers). If the image cannot be reached, both bounds of that mirror become -1.
    """
    by_word, by_soldier = tables
    word_turns, soldier_turns = turns
    soldiers = len(by_soldier)
    for here in asked:
        ours = distances[here]
        nearest, last = 1 << 14, -1
        for distance in ours:
            if distance >= 0:
                nearest, last = min(nearest, distance), max(last, distance)
        if last < 0:
            continue
        lower[3, here] = max(lower[3, here], last, farthest - nearest)
        upper[3, here] = min(upper[3, here], farthest + nearest)
        for mirror in range(3):
            there = images[mirror, here]
            if there < 0 or upper[mirror, here] < 0:
                continue
            theirs = distances[there]
            way = by_word[word_turns[mirror, here]]
            turn = by_soldier[soldier_turns[mirror, here]]
            least, most = 1 << 14, 0
            is_apart = False
            for word in range(len(way)):
                at, image = word * soldiers, way[word] * soldiers
                for soldier in range(soldiers):
                    distance, other = ours[at + soldier], theirs[image + turn[soldier]]
                    if distance >= 0:
                        if other < 0:
                            is_apart = True
                        least, most = min(least, distance + other), max(most, abs(distance - other))
            if is_apart:
                lower[mirror, here] = upper[mirror, here] = -1
            else:
                lower[mirror, here] = max(lower[mirror, here], most)
                upper[mirror, here] = min(upper[mirror, here], least)


@kernel
def search_small(
    leads: Any, firsts: Any, graph: Any, images: Any, turns: Any, tables: Any, scratch: Any, found: Any
) -> None:
    """Search all arrangements from each of the layouts *leads*; their components begin at *firsts*.

    *found*, shape (5, leads), receives the distance to each mirror image (-1: none) and to the farthest state, and the
    number of reachable states. *scratch*: distances of the largest component, which are all -1 before and
    after, and a queue.
    """
    distances, queue = scratch
    starts, targets, shifts = graph
    shift_turns, by_word, by_soldier = tables
    word_turns, soldier_turns = turns
    soldiers = len(by_soldier)
    size = len(by_word) * soldiers
    for number in range(len(leads)):
        lead, first = leads[number], firsts[number]
        queue[0] = (lead - first) * size
        distances[queue[0]] = 0
        done, met = 0, 1
        while done < met:
            state = queue[done]
            done += 1
            here, arrangement = state // size + first, state % size
            for edge in range(starts[here], starts[here + 1]):
                word, soldier = arrangement // soldiers, arrangement % soldiers
                shift = shifts[edge]
                if size > 1 and shift > SOLDIER_SHIFTS:
                    word = by_word[shift_turns[shift], word]
                elif size > 1 and shift:
                    soldier = by_soldier[shift_turns[shift], soldier]
                after = (targets[edge] - first) * size + word * soldiers + soldier
                if distances[after] < 0:
                    distances[after] = distances[state] + 1
                    queue[met] = after
                    met += 1
        for mirror in range(3):
            image = images[mirror, lead] - first
            found[mirror, number] = -1
            if images[mirror, lead] >= 0 and 0 <= image < len(distances) // size:
                turn = by_word[word_turns[mirror, lead], 0] * soldiers + by_soldier[soldier_turns[mirror, lead], 0]
                found[mirror, number] = distances[image * size + turn]
        found[3, number] = distances[queue[met - 1]]
        found[4, number] = met
        for at in range(met):
            distances[queue[at]] = -1
