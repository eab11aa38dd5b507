"""Inner loops that are worth compiling, written so that plain Python can run them too.

Each function runs unchanged as plain Python or compiled by numba, with the same result: it takes preallocated tables,
does not recurse and calls none of the others. Nothing is compiled, and numba is not imported, before `warm`. That call
costs about a second in a new process (several with an empty cache), so only long-running processes make it: the
solver's queue, a bench. Every other process uses plain Python, which is fast enough for a page.

Boards are flat rows of squares inside a ring that cannot be entered (see `arena.Arena`). Directions are 0 left,
1 up, 2 right, 3 down, so `direction ^ 2` is the opposite one; *deltas* holds each direction's offset.
"""

import importlib.util
from array import array
from collections.abc import Callable, MutableSequence
from heapq import heappop, heappush
from typing import Any, NamedTuple, get_type_hints

from solvers.sokoban.arena import CRATE, FREE

Table = MutableSequence[int]

CAPITAL = 0x20  # the bit that distinguishes upper case from lower case


class Blocks(NamedTuple):
    """Biconnected blocks of the squares where *field* is not 0: see `label_blocks`."""

    field: Table
    deltas: Table
    found: Table
    block: Table


class Pushing(NamedTuple):
    """Result of a search of one box's pushes: *pushes* and *previous* by state, *best* by square, all -1 before it.

    A state is `4 * square + side`: the box's square, and the direction from it in which the player stands. *best* is
    each square's first state. *queue* is scratch, by state.
    """

    pushes: Table
    previous: Table
    best: Table
    queue: Table


def play(
    squares: Table, goals: Table, letters: Table, deltas: Table, result: Table, start: int, boxes: int, home: int
) -> None:
    """Play *letters* on *squares*, like `replay.play`.

    Played letters become capitals exactly at pushes. *deltas* has 128 entries. *result* receives steps, pushes, boxes
    on goals, most boxes on goals after a push (-1: no push), steps until that maximum, and the player's square.
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
    """Search breadth-first from *start* over squares where *field* is not 0, until *stop* is reached (-1: never).

    *came* must be all 0; it receives the direction of the last step plus 1, and 5 at the start. *queue* receives the
    squares reached, nearest first; return their number. Time O(squares reached). (Square -1, the last, is in the ring.)
    """
    came[start] = 5
    queue[0] = start
    count, at = 1, 0
    while at < count and came[stop] == 0:
        for direction in range(4):
            square = queue[at] + deltas[direction]
            if field[square] and came[square] == 0:
                came[square] = direction + 1
                queue[count] = square
                count += 1
        at += 1
    return count


def label_blocks(blocks: Blocks, start: int, low: Table, came: Table, turn: Table, order: Table) -> int:
    """Label the biconnected blocks of the component of *field* that contains *start*.

    The edge between two neighbours belongs to block `block[the one with the larger found]`. A square can belong to
    several blocks, an edge to one. *found* is the square's number in a depth-first search, from 1; 0 if not reached.
    All tables must be all 0. Return the number of squares reached. Time O(squares).

    Tarjan's algorithm (1972) without recursion and without its edge stack. A second pass in discovery order replaces
    the stack: a square opens a new block if nothing beyond it reaches above its parent, else it joins its parent's.
    """
    field, deltas, found, block = blocks
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
    last = 0
    for at in range(1, count):
        square = order[at]
        parent = square - deltas[came[square]]
        if low[square] >= found[parent]:
            last += 1
            block[square] = last
        else:
            block[square] = block[parent]
    return count


def fewest_pushes(blocks: Blocks, box: int, walks: Table, pushing: Pushing) -> None:
    """Push one box from *box* in all possible ways, fewest pushes first (breadth-first search).

    *blocks* comes from `label_blocks` with the box lifted: the player can walk from one side of the box to another if
    and only if both edges lie in the same block. *walks* holds the player's walk to each side at the start, -1 if
    impossible. Time O(squares).
    """
    field, deltas, found, block = blocks
    pushes, previous, best, queue = pushing
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
        player_block = block[man] if found[man] > found[square] else block[square]
        for other in range(4):
            stand = square + deltas[other]
            target = square - deltas[other]
            after = 4 * target + other
            if field[stand] == 0 or field[target] == 0 or pushes[after] >= 0:
                continue
            if player_block == (block[stand] if found[stand] > found[square] else block[square]):
                pushes[after] = pushes[state] + 1
                previous[after] = state
                if best[target] < 0:
                    best[target] = after
                queue[count] = after
                count += 1


def fewest_moves(  # noqa: C901 - one search; a kernel calls no other function, so all its steps are inline
    blocks: Blocks, box: int, walks: Table, pushing: Pushing, moves: Table, walked: Table
) -> None:
    """Push one box from *box* in all possible ways, fewest moves first, then fewest pushes. See `fewest_pushes`.

    Dijkstra's algorithm on the same states. A walk around the box takes 2 moves around a free corner and 4 around a
    free side; any other walk needs a flood fill, which stops once all relevant sides are reached. *moves* must be all
    -1, *walked* all 0. Time O(squares) on open floor; O(squares^2) in the worst case, if every walk is long.
    """
    field, deltas, found, block = blocks
    pushes, previous, best, queue = pushing
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
            continue  # stale heap entry: a shorter path was found since
        square, side = state >> 2, state & 3
        if best[square] < 0:
            best[square] = state
        man = square + deltas[side]
        player_block = block[man] if found[man] > found[square] else block[square]
        wanted = 0
        for other in range(4):
            stand = square + deltas[other]
            target = square - deltas[other]
            if field[stand] == 0 or field[target] == 0:
                continue
            if player_block != (block[stand] if found[stand] > found[square] else block[square]):
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
            known, reach = moves[after], cost + walk + 1
            if known >= 0 and (known < reach or (known == reach and pushes[after] <= pushed + 1)):
                continue  # even the shortest possible walk would be no improvement
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
        met, at = 1, 0
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
                    known, reach = moves[after], cost + walked[here] + 1
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


# Functions that `warm` compiles, and the names of arguments that hold bytes; all other tables hold 64-bit integers.
KERNELS = play, flood, label_blocks, fewest_pushes, fewest_moves
_BYTES = frozenset({"squares", "goals", "letters", "field"})

_compiled: dict[Callable[..., Any], Callable[..., Any]] = {}


def warm() -> bool:
    """Compile the kernels, or load them from numba's cache, for this process. Return False if numba is not installed.

    The cache is next to this file, or in NUMBA_CACHE_DIR if that directory is not writable.
    """
    if importlib.util.find_spec("numba") is None:
        return False
    if not _compiled:
        from numba import njit  # imported here: it takes most of a second, and most processes never need it

        for function in KERNELS:
            # With explicit types numba compiles or loads the function now, not at its first call.
            _compiled[function] = njit([tuple(_types(function))], cache=True)(function)
    return True


def _types(function: Callable[..., Any] | type) -> list[Any]:
    """Return numba's types of a kernel's parameters, or of a named tuple's tables."""
    from numba import types

    def type_of(name: str, kind: Any) -> Any:
        if kind in (int, Table):
            number = types.uint8 if name in _BYTES else types.int64
            return number if kind is int else number[::1]
        tables = _types(kind)
        same = len(set(tables)) == 1
        return types.NamedUniTuple(tables[0], len(tables), kind) if same else types.NamedTuple(tables, kind)

    return [type_of(name, kind) for name, kind in get_type_hints(function).items() if name != "return"]


def is_warm() -> bool:
    """Return whether `warm` has compiled the kernels, which requires numba."""
    return bool(_compiled)


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the compiled version of a kernel in a warm process, else the function itself."""
    return _compiled.get(function, function)


def table(size: int, fill: int = 0) -> Any:
    """Return a table of *size* integers in the form fastest for a kernel: a NumPy array if warm, else a list."""
    if not _compiled:
        return [fill] * size
    import numpy as np  # numba has already imported it

    return np.full(size, fill, np.int64)


def table_of(values: Table) -> Any:
    """Return a table with these values."""
    return view(array("q", values)) if _compiled else values


def values(filled: Any, count: int) -> list[int]:
    """Return the first *count* values of a table as a list."""
    first = filled[:count]
    return first.tolist() if _compiled else first  # type: ignore[no-any-return]  # a NumPy array or a list


def view(memory: Any) -> Any:
    """Return a kernel's view of a bytearray or array; it shares memory, so changes are visible on both sides."""
    if not _compiled:
        return memory
    import numpy as np  # numba has already imported it

    return np.frombuffer(memory, np.uint8 if isinstance(memory, bytearray) else np.int64)
