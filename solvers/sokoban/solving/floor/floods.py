"""Player reachability: zones, regions, and the blocks that show what one more box would cut off.

All kernels here take the board as `neighbours` (see `board.Board`) and `blocked`, uint8[n+1]: 1 on boxes and
at the sentinel n. Time O(floor squares) each.
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.compiling import Table, inner, kernel
from solvers.sokoban.solving.floor.tables import fill


@inner
def flood(neighbours: Table, blocked: Table, start: int, mark: Table, stamp: int, queue: Table) -> int:
    """Mark the zone of *start* with *stamp* and write its squares to *queue*. Return its least square."""
    queue[0] = start
    mark[start] = stamp
    least = start
    count = 1
    at = 0
    while at < count:
        here = queue[at]
        at += 1
        least = min(least, here)
        for direction in range(4):
            there = neighbours[here, direction]
            if blocked[there] == 0 and mark[there] != stamp:
                mark[there] = stamp
                queue[count] = there
                count += 1
    return least


@inner
def walk_everywhere(neighbours: Table, blocked: Table, start: int, walked: Table, queue: Table) -> int:
    """Write the player's steps to each square into *walked*, -1 if unreachable; return how many are reachable."""
    fill(walked, -1)
    walked[start] = 0
    queue[0] = start
    count = 1
    at = 0
    while at < count:
        here = queue[at]
        at += 1
        for direction in range(4):
            there = neighbours[here, direction]
            if blocked[there] == 0 and walked[there] < 0:
                walked[there] = walked[here] + 1
                queue[count] = there
                count += 1
    return count


@kernel
def zone_key(
    neighbours: Table, blocked: Table, start: int, zone_keys: Table, mark: Table, stamp: int, queue: Table
) -> int:
    """Mark the zone of *start* with *stamp*; return the XOR of its squares' keys, which identifies the zone."""
    queue[0] = start
    mark[start] = stamp
    key = zone_keys[start]
    count = 1
    at = 0
    while at < count:
        here = queue[at]
        at += 1
        for direction in range(4):
            there = neighbours[here, direction]
            if blocked[there] == 0 and mark[there] != stamp:
                mark[there] = stamp
                key ^= zone_keys[there]
                queue[count] = there
                count += 1
    return key  # type: ignore[no-any-return]


@kernel
def regions(size: int, neighbours: Table, blocked: Table, mark: Table, queue: Table) -> int:
    """Number the connected regions of free floor from 1 in *mark* (0 on boxes); return the number of regions."""
    for square in range(size + 1):
        mark[square] = 0
    count = np.int64(0)
    for square in range(size):
        if blocked[square] == 0 and mark[square] == 0:
            count += 1
            flood(neighbours, blocked, square, mark, count, queue)
    return count  # type: ignore[return-value]


class Blocks(NamedTuple):
    """Biconnected blocks of the free floor, and the effect of removing one square (int32[n+1] each).

    *found* numbers the squares from 1 in depth-first order, 0 on boxes. *last* is the greatest number in a square's
    subtree. *came* is the direction of the step that discovered it (4 at a region's first square). The edge between two
    neighbours is in block `block[the one found later]`; *child* of a block is its second square. *pieces* is the number
    of zones into which the rest of the region splits without the square. *keys* (uint64[n+2], by number) are running
    XORs of zone keys in depth-first order, so the XOR of two of them is a subtree's key. *below* (uint64[n+1]) is the
    key of everything connected only through the square; *first* and *final*, by square, bound its region's numbers.
    """

    found: Table
    last: Table
    low: Table
    came: Table
    turn: Table
    block: Table
    child: Table
    pieces: Table
    order: Table
    first: Table
    final: Table
    keys: Table
    below: Table


def blocks_for(size: int) -> Blocks:
    """Allocate the blocks of a board of *size* floor squares."""
    tables = [np.zeros(size + 2, np.int32) for _ in range(11)]
    return Blocks._make([*tables, np.zeros(size + 2, np.uint64), np.zeros(size + 2, np.uint64)])


@kernel
def label_blocks(size: int, neighbours: Table, blocked: Table, zone_keys: Table, blocks: Blocks) -> int:
    """Fill *blocks* for all regions; return the number of regions.

    Tarjan's algorithm (1972) without recursion. A second pass in discovery order assigns the blocks: a square opens a
    new block if nothing beyond it reaches above its parent, else it joins its parent's.
    """
    found, last, low, came, turn = blocks.found, blocks.last, blocks.low, blocks.came, blocks.turn
    for square in range(size + 1):
        found[square] = 0
        turn[square] = 0
        blocks.pieces[square] = 0
        blocks.below[square] = 0
    blocks.keys[0] = 0
    count = 0
    roots = 0
    labels = 0
    for root in range(size):
        if blocked[root] or found[root]:
            continue
        roots += 1
        begin = count
        square = root
        count += 1
        found[root] = low[root] = count
        came[root] = 4
        blocks.order[count] = root
        blocks.keys[count] = blocks.keys[count - 1] ^ zone_keys[root]
        while True:
            direction = turn[square]
            if direction < 4:
                turn[square] = direction + 1
                there = neighbours[square, direction]
                if blocked[there]:
                    continue
                if found[there] == 0:
                    count += 1
                    found[there] = low[there] = count
                    came[there] = direction
                    blocks.order[count] = there
                    blocks.keys[count] = blocks.keys[count - 1] ^ zone_keys[there]
                    square = there
                elif found[there] < low[square]:
                    low[square] = found[there]
                continue
            last[square] = count
            if came[square] == 4:
                break
            parent = neighbours[square, came[square] ^ 2]
            low[parent] = min(low[parent], low[square])
            square = parent
        for number in range(begin + 1, count + 1):
            square = blocks.order[number]
            blocks.first[square] = begin + 1
            blocks.final[square] = count
            if number == begin + 1:
                continue
            parent = neighbours[square, came[square] ^ 2]
            if low[square] >= found[parent]:
                labels += 1
                blocks.block[square] = labels
                blocks.child[labels] = square
                blocks.pieces[parent] += 1
                blocks.below[parent] ^= blocks.keys[last[square]] ^ blocks.keys[number - 1]
            else:
                blocks.block[square] = blocks.block[parent]
            blocks.pieces[square] += 1
    return roots


@inner
def edge_block(found: Table, block: Table, square: int, side: int) -> int:
    """Return the block of the edge between two free neighbours, from these tables of `Blocks`."""
    return block[side] if found[side] > found[square] else block[square]  # type: ignore[no-any-return]


@inner
def key_without(neighbours: Table, zone_keys: Table, blocks: Blocks, square: int, side: int) -> int:
    """Return the key of the zone of *side*, a neighbour of *square*, as if a box were on *square*. Time O(1)."""
    keys, found = blocks.keys, blocks.found
    top = blocks.child[edge_block(found, blocks.block, square, side)]
    if neighbours[top, blocks.came[top] ^ 2] == square:
        key = keys[blocks.last[top]] ^ keys[found[top] - 1]
    else:
        key = keys[blocks.final[square]] ^ keys[blocks.first[square] - 1] ^ blocks.below[square] ^ zone_keys[square]
    return key  # type: ignore[no-any-return]
