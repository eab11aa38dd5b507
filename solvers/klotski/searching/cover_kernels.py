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
    graph: Any, tables: Any, seen: Any, front: Any, next_front: Any, active: Any, is_next: Any, next_active: Any
) -> int:
    """Advance by one move from the arrangements in *front*; add those not in *seen* to *next_front* and *seen*.

    *graph* has starts, targets and shifts of a component, *tables* the turns of shifts, words and bits
    (`Arrangements`). *active* are the layouts in front, whose words are reset to 0; *next_active* receives the next
    ones. Return their number. *is_next* is False everywhere before and after.
    """
    starts, targets, shifts = graph
    turns, by_word, by_bits = tables
    words = seen.shape[1]
    next_count = 0
    for layout in active:
        front_words = front[layout]
        for edge in range(starts[layout], starts[layout + 1]):
            neighbour, shift = targets[edge], shifts[edge]
            next_words, seen_words = next_front[neighbour], seen[neighbour]
            any_new = np.uint32(0)
            if shift == 0:
                for word in range(words):
                    new = front_words[word] & ~seen_words[word]
                    seen_words[word] |= new
                    next_words[word] |= new
                    any_new |= new
            elif shift > SOLDIER_SHIFTS:
                word_map = by_word[turns[shift]]
                for word in range(words):
                    new = front_words[word] & ~seen_words[word_map[word]]
                    seen_words[word_map[word]] |= new
                    next_words[word_map[word]] |= new
                    any_new |= new
            else:
                bits = by_bits[turns[shift]]
                for word in range(words):
                    if front_words[word]:
                        new = (
                            bits[0, front_words[word] & 255]
                            | bits[1, front_words[word] >> 8 & 255]
                            | bits[2, front_words[word] >> 16]
                        )
                        new &= ~seen_words[word]
                        seen_words[word] |= new
                        next_words[word] |= new
                        any_new |= new
            if any_new and not is_next[neighbour]:
                is_next[neighbour] = True
                next_active[next_count] = neighbour
                next_count += 1
        front_words[:] = 0
    for index in range(next_count):
        is_next[next_active[index]] = False
    return next_count


@kernel
def record(front: Any, active: Any, count: int, distances: Any, distance: int) -> None:
    """Write *distance* for all arrangements in *front*; *distances* has shape (layouts, 24 * words)."""
    words = front.shape[1]
    for index in range(count):
        front_words, row = front[active[index]], distances[active[index]]
        for word in range(words):
            rest = front_words[word]
            while rest:
                lowest = rest & (~rest + np.uint32(1))
                row[24 * word + LOWEST_BIT[lowest % 37]] = distance
                rest ^= lowest


@kernel
def meets(front: Any, seen: Any, active: Any, count: int, images: Any, turns: Any, tables: Any) -> int:
    """Return whether the mirror image of an arrangement in *front* is *seen*: 0 no, 1 in front too, 2 seen earlier.

    *images* and *turns*, by layout, are those of one mirror: its image, and the turns of its words and its soldiers.
    """
    by_word, by_bits = tables
    word_turns, soldier_turns = turns
    words = front.shape[1]
    result = 0
    for index in range(count):
        layout = active[index]
        image = images[layout]
        if image < 0:
            continue
        word_map, bits = by_word[word_turns[layout]], by_bits[soldier_turns[layout]]
        for word in range(words):
            front_words = front[layout, word]
            if front_words:
                image_words = bits[0, front_words & 255] | bits[1, front_words >> 8 & 255] | bits[2, front_words >> 16]
                image_words &= seen[image, word_map[word]]
                if image_words & ~front[image, word_map[word]]:
                    return 2
                if image_words:
                    result = 1
    return result


@kernel
def tighten(
    distances: Any, layouts: Any, farthest: int, images: Any, turns: Any, tables: Any, lower: Any, upper: Any
) -> None:
    """Tighten the bounds of *layouts* with the *distances* from one pivot; *farthest* is their maximum.

    *lower* and *upper* have a row for each mirror, and one for the distance to the farthest. *distances* has shape
    (layouts, words * soldiers). If the image cannot be reached, both bounds of that mirror become -1.
    """
    by_word, by_soldier = tables
    word_turns, soldier_turns = turns
    soldiers = len(by_soldier)
    for layout in layouts:
        own_distances = distances[layout]
        nearest, last = 1 << 14, -1
        for distance in own_distances:
            if distance >= 0:
                nearest, last = min(nearest, distance), max(last, distance)
        if last < 0:
            continue
        lower[3, layout] = max(lower[3, layout], last, farthest - nearest)
        upper[3, layout] = min(upper[3, layout], farthest + nearest)
        for mirror in range(3):
            image = images[mirror, layout]
            if image < 0 or upper[mirror, layout] < 0:
                continue
            image_distances = distances[image]
            word_map = by_word[word_turns[mirror, layout]]
            soldier_map = by_soldier[soldier_turns[mirror, layout]]
            least, most = 1 << 14, 0
            is_unreachable = False
            for word in range(len(word_map)):
                own_index, image_index = word * soldiers, word_map[word] * soldiers
                for soldier in range(soldiers):
                    distance, other = (
                        own_distances[own_index + soldier],
                        image_distances[image_index + soldier_map[soldier]],
                    )
                    if distance >= 0:
                        if other < 0:
                            is_unreachable = True
                        least, most = min(least, distance + other), max(most, abs(distance - other))
            if is_unreachable:
                lower[mirror, layout] = upper[mirror, layout] = -1
            else:
                lower[mirror, layout] = max(lower[mirror, layout], most)
                upper[mirror, layout] = min(upper[mirror, layout], least)


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
        expanded, reached = 0, 1
        while expanded < reached:
            state = queue[expanded]
            expanded += 1
            layout, arrangement = state // size + first, state % size
            for edge in range(starts[layout], starts[layout + 1]):
                word, soldier = arrangement // soldiers, arrangement % soldiers
                shift = shifts[edge]
                if size > 1 and shift > SOLDIER_SHIFTS:
                    word = by_word[shift_turns[shift], word]
                elif size > 1 and shift:
                    soldier = by_soldier[shift_turns[shift], soldier]
                neighbour = (targets[edge] - first) * size + word * soldiers + soldier
                if distances[neighbour] < 0:
                    distances[neighbour] = distances[state] + 1
                    queue[reached] = neighbour
                    reached += 1
        for mirror in range(3):
            image = images[mirror, lead] - first
            found[mirror, number] = -1
            if images[mirror, lead] >= 0 and 0 <= image < len(distances) // size:
                turn = by_word[word_turns[mirror, lead], 0] * soldiers + by_soldier[soldier_turns[mirror, lead], 0]
                found[mirror, number] = distances[image * size + turn]
        found[3, number] = distances[queue[reached - 1]]
        found[4, number] = reached
        for index in range(reached):
            distances[queue[index]] = -1
