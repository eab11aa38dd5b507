"""The inner loops worth compiling, written so that plain Python runs them too.

Each function here is its own plain twin: it takes preallocated tables, does not recurse, calls none of the others, and
gives the same result compiled by numba or not. Nothing is compiled and numba is not even imported before `warm`, which
costs about a second in a fresh process (several when the cache is empty), so only a process with hours of work ahead
calls it: the solver's queue, a bench. Everybody else gets the plain twins, which are fast enough for a page.

Boards are rows of squares with a ring around them that nothing may enter (see `arena.Arena`). Directions are 0 left,
1 up, 2 right, 3 down, so `direction ^ 2` is the opposite one; *deltas* says how many squares each steps.
"""

import importlib.util
from array import array
from collections.abc import Callable, MutableSequence
from heapq import heappop, heappush
from typing import Any

from solvers.sokoban.arena import CRATE, FREE

Table = MutableSequence[int]

CAPITAL = 0x20  # the bit that tells a capital letter from a small one


def play(
    squares: Table, goals: Table, letters: Table, deltas: Table, result: Table, start: int, boxes: int, home: int
) -> None:
    """Play *letters* on *squares*: what `replay.play` does.

    The letters played become capitals exactly at pushes. *deltas* has 128 entries. *result* becomes: steps played,
    pushes, boxes home, most boxes home after a push (-1: none), after how many steps, and the man's square.
    """
    man = start
    played = pushes = best_at = 0
    best_home = -1
    for at in range(len(letters)):
        letter = letters[at] | CAPITAL
        delta = deltas[letter]
        target = man + delta
        if squares[target] != FREE:
            beyond = target + delta
            if squares[target] != CRATE or squares[beyond] != FREE:
                break
            squares[target] = FREE
            squares[beyond] = CRATE
            letter ^= CAPITAL
            pushes += 1
            home += int(goals[beyond]) - int(goals[target])
            if home > best_home:
                best_home, best_at = home, at + 1
        letters[at] = letter
        man = target
        played += 1
        if best_home == boxes:
            break
    result[0], result[1], result[2], result[3], result[4], result[5] = played, pushes, home, best_home, best_at, man


def flood(field: Table, deltas: Table, start: int, stop: int, came: Table, queue: Table) -> int:
    """Walk from *start* over the squares where *field* is not 0, nearest first, until *stop* is met (-1: never).

    *came* must be 0 everywhere; it becomes the direction of the last step plus 1, and 5 at the start. The squares met
    stand in *queue*, nearest first; return their number. Time O(squares met). (Square -1, the last, is in the ring.)
    """
    came[start] = 5
    queue[0] = start
    count = 1
    at = 0
    while at < count and came[stop] == 0:
        for direction in range(4):
            square = queue[at] + deltas[direction]
            if field[square] and came[square] == 0:
                came[square] = direction + 1
                queue[count] = square
                count += 1
        at += 1
    return count


def label_blocks(
    field: Table, deltas: Table, start: int, found: Table, block: Table,
    low: Table, came: Table, turn: Table, order: Table,
) -> int:  # fmt: skip
    """Label the biconnected blocks of the part of *field* that holds *start*.

    The edge between two neighbours belongs to block `block[the one with the larger found]`; a square can belong to
    several blocks, an edge to one. *found* is the square's number in a depth-first search from 1 on, 0 elsewhere.
    All tables must be 0 everywhere. Return the number of squares. Time O(squares).

    Tarjan's search of 1972 without recursion, and without his stack of edges: in a second pass, in the order found, a
    square opens a new block if nothing beyond it reaches above its parent, and else goes on with its parent's.
    """
    found[start] = low[start] = 1
    order[0] = start
    count = 1
    square = start
    while True:
        direction = turn[square]
        if direction < 4:
            turn[square] = direction + 1
            neighbour = square + deltas[direction]
            if field[neighbour] == 0:
                continue
            if found[neighbour] == 0:
                order[count] = neighbour
                count += 1
                found[neighbour] = low[neighbour] = count
                came[neighbour] = direction
                square = neighbour
            elif found[neighbour] < low[square]:
                low[square] = found[neighbour]
        elif square == start:
            break
        else:
            parent = square - deltas[came[square]]
            low[parent] = min(low[parent], low[square])
            square = parent
    blocks = 0
    for at in range(1, count):
        square = order[at]
        parent = square - deltas[came[square]]
        if low[square] >= found[parent]:
            blocks += 1
            block[square] = blocks
        else:
            block[square] = block[parent]
    return count


def fewest_pushes(
    field: Table, deltas: Table, found: Table, block: Table, box: int, walks: Table,
    pushes: Table, previous: Table, best: Table, queue: Table,
) -> None:  # fmt: skip
    """Push one box from *box* in all ways, fewest pushes first.

    A state is `4 * square + side`: where the box is, and in which direction from it the man stands. *found* and
    *block* are those of `label_blocks` with the box lifted: the man walks from one side of the box to another if and
    only if both edges lie in the same block. *walks* has the man's walk to each side at the start, -1 where he cannot.
    *pushes* and *previous*, by state, and *best*, the state that a square is first met in, must be -1 everywhere.
    Time O(squares).
    """
    count = 0
    for side in range(4):
        if walks[side] >= 0:
            queue[count] = best[box] = 4 * box + side
            pushes[4 * box + side] = 0
            count += 1
    at = 0
    while at < count:
        state = queue[at]
        at += 1
        square, side = state >> 2, state & 3
        man = square + deltas[side]
        mine = block[man] if found[man] > found[square] else block[square]
        for other in range(4):
            stand = square + deltas[other]
            target = square - deltas[other]
            after = 4 * target + other
            if field[stand] == 0 or field[target] == 0 or pushes[after] >= 0:
                continue
            if mine == (block[stand] if found[stand] > found[square] else block[square]):
                pushes[after] = pushes[state] + 1
                previous[after] = state
                if best[target] < 0:
                    best[target] = after
                queue[count] = after
                count += 1


def fewest_moves(  # noqa: C901 - one search; a kernel calls no other function, so the steps of it stand here
    field: Table, deltas: Table, found: Table, block: Table, box: int, walks: Table,
    pushes: Table, previous: Table, best: Table, queue: Table, moves: Table, walked: Table,
) -> None:  # fmt: skip
    """Push one box from *box* in all ways, fewest moves first, then fewest pushes; the rest as `fewest_pushes`.

    Dijkstra's search on the same states. A walk around the box is 2 moves around a free corner, 4 around a free side,
    and else a flood that stops when all sides that matter are met. *moves* must be -1 everywhere, *walked* 0.
    Time O(squares) on open ground; O(squares^2) at worst, where every walk is long.
    """
    heap = [(0, 0, 0)]
    heap.pop()
    for side in range(4):
        if walks[side] >= 0:
            state = 4 * box + side
            moves[state] = walks[side]
            pushes[state] = 0
            heappush(heap, (walks[side], 0, state))
    while heap:
        cost, pushed, state = heappop(heap)
        if moves[state] != cost or pushes[state] != pushed:
            continue  # a shorter way was found after this one was put on the heap
        square, side = state >> 2, state & 3
        if best[square] < 0:
            best[square] = state
        man = square + deltas[side]
        mine = block[man] if found[man] > found[square] else block[square]
        wanted = 0
        for other in range(4):
            stand = square + deltas[other]
            target = square - deltas[other]
            if field[stand] == 0 or field[target] == 0:
                continue
            if mine != (block[stand] if found[stand] > found[square] else block[square]):
                continue
            after = 4 * target + other
            walk = 0
            if other == side ^ 2:
                walk = 4
                turn = deltas[side ^ 1]
                corners = field[man + turn] and field[square + turn] and field[stand + turn]
                around = corners or (field[man - turn] and field[square - turn] and field[stand - turn])
            elif other != side:
                walk = 2
                around = field[man + deltas[other]]
            else:
                around = 1
            known = moves[after]
            reach = cost + walk + 1
            if known >= 0 and (known < reach or (known == reach and pushes[after] <= pushed + 1)):
                continue  # not even the shortest walk there is would better it
            if around:
                moves[after] = reach
                pushes[after] = pushed + 1
                previous[after] = state
                heappush(heap, (reach, pushed + 1, after))
            else:
                walked[stand] = -1 - other
                wanted += 1
        if wanted == 0:
            continue
        field[square] = 0
        walked[man] = 1
        queue[0] = man
        met = 1
        at = 0
        while wanted:
            here = queue[at]
            at += 1
            for direction in range(4):
                there = here + deltas[direction]
                if field[there] == 0 or walked[there] > 0:
                    continue
                if walked[there] < 0:
                    other = -1 - walked[there]
                    wanted -= 1
                    after = 4 * (square - deltas[other]) + other
                    known = moves[after]
                    reach = cost + walked[here] + 1
                    if known < 0 or reach < known or (reach == known and pushed + 1 < pushes[after]):
                        moves[after] = reach
                        pushes[after] = pushed + 1
                        previous[after] = state
                        heappush(heap, (reach, pushed + 1, after))
                walked[there] = walked[here] + 1
                queue[met] = there
                met += 1
        for at in range(met):
            walked[queue[at]] = 0
        field[square] = 1


# Every function that `warm` compiles, and the arguments that are bytes; the other tables hold 64-bit numbers.
KERNELS = play, flood, label_blocks, fewest_pushes, fewest_moves
_BYTES = frozenset({"squares", "goals", "letters", "field"})

_compiled: dict[Callable[..., Any], Callable[..., Any]] = {}


def warm() -> bool:
    """Compile the kernels, or load them from numba's cache, for the rest of this process; say whether numba is there.

    The cache lies beside this file, or where NUMBA_CACHE_DIR says if that cannot be written to.
    """
    if importlib.util.find_spec("numba") is None:
        return False
    if not _compiled:
        from numba import njit  # takes most of a second, and most processes never need it

        for function in KERNELS:
            # With the types said beforehand, it is compiled or loaded now and not at its first use.
            _compiled[function] = njit([_signature(function)], cache=True)(function)
    return True


def _signature(function: Callable[..., Any]) -> str:
    """The types of the arguments in numba's words."""
    types = [
        "int64" if kind is int else "uint8[::1]" if name in _BYTES else "int64[::1]"
        for name, kind in function.__annotations__.items()
        if name != "return"
    ]
    return f"({','.join(types)})"


def is_warm() -> bool:
    """Whether `warm` has been called, and numba is there."""
    return bool(_compiled)


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled twin of a function of this module in a warm process, else the function itself."""
    return _compiled.get(function, function)


def table(size: int, fill: int = 0) -> Any:
    """A table of numbers for a kernel: what it reads fastest, compiled or not."""
    if not _compiled:
        return [fill] * size
    import numpy as np  # numba has loaded it

    return np.full(size, fill, np.int64)


def table_of(values: Table) -> Any:
    """A table with these values."""
    return view(array("q", values)) if _compiled else values


def values(filled: Any, count: int) -> list[int]:
    """The first *count* values of a table."""
    first = filled[:count]
    return first.tolist() if _compiled else first  # type: ignore[no-any-return]  # an array of numpy, or a list


def view(memory: Any) -> Any:
    """The same memory, a bytearray or an array, as a kernel wants to see it: changes show on both sides."""
    if not _compiled:
        return memory
    import numpy as np  # numba has loaded it

    return np.frombuffer(memory, np.uint8 if isinstance(memory, bytearray) else np.int64)
