"""Boxes that nobody can push again, found where the last push may have made some."""

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import Table, kernel


@kernel
def freezes(board: Board, blocked: Table, moved: int, cluster: Table, frozen: Table) -> bool:
    """Whether the box just pushed to *moved* is frozen in a set of boxes of which one is off its goal.

    *blocked* uint8[n+1] has all boxes. An axis of a box is blocked by a wall or a frozen box on either side, or by dead
    squares on both; a frozen set is one whose boxes have both axes blocked. Of all boxes connected with *moved*
    (*cluster*, with *frozen* uint8[n+1] all 0 before and after), those with a free axis leave until none has.
    The test is sound: the first box of a frozen set to be pushed would end on a dead square. Time O(boxes²) at worst,
    O(1) where *moved* has a free axis even if all boxes were walls.
    """
    if _is_free(board, blocked, moved):
        return False
    count = 1
    cluster[0] = moved
    frozen[moved] = 1
    at = 0
    while at < count:
        for direction in range(4):
            there = board.neighbours[cluster[at], direction]
            if there != board.size and blocked[there] and frozen[there] == 0:
                frozen[there] = 1
                cluster[count] = there
                count += 1
        at += 1
    frozen[board.size] = 1
    changed = True
    while changed and frozen[moved]:
        changed = False
        for at in range(count):
            box = cluster[at]
            if frozen[box] and _is_free(board, frozen, box):
                frozen[box] = 0
                changed = True
    lost = False
    for at in range(count):
        box = cluster[at]
        if frozen[moved] and frozen[box] and board.goal[box] == 0:
            lost = True
    for at in range(count):
        frozen[cluster[at]] = 0
    frozen[board.size] = 0
    return lost


@kernel
def _is_free(board: Board, walls: Table, box: int) -> bool:
    """Whether a box can be pushed along one of its axes if everything in *walls*, the sentinel too, stands for ever."""
    for direction in range(2):
        one, other = board.neighbours[box, direction], board.neighbours[box, direction + 2]
        if walls[one] == 0 and walls[other] == 0 and not (board.dead[one] and board.dead[other]):
            return True
    return False
