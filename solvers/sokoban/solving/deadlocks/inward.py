"""PI-corral pruning of macro moves: if a closed region must be opened first, keep only the moves that open it."""

from solvers.sokoban.solving.board import Board
from solvers.sokoban.solving.compiling import inner
from solvers.sokoban.solving.deadlocks.corrals import NOTHING, Corrals, choose_corral
from solvers.sokoban.solving.floor.macros import Work


@inner
def keep_inward(board: Board, work: Work, corrals: Corrals, moves: int) -> int:
    """Keep, of the first *moves* in `work.moves`, those into a corral that must be opened first; return how many stay.

    The player's zone is the one stamped last in `work.mark`, as `macro_moves` leaves it. Every macro move of a box of
    such a corral begins with a push inward. If no move can open it, none stay: the state is lost.
    """
    listed, mark = work.moves, work.mark
    held = choose_corral(board, work.blocked, mark, mark[board.size + 1], corrals)
    if held == NOTHING:
        return moves
    kept = 0
    for move in range(moves):
        inward = False
        for at in range(held):
            if corrals.chosen[at] == listed.source[move]:
                inward = True
        if inward:
            listed.source[kept] = listed.source[move]
            listed.target[kept] = listed.target[move]
            listed.stand[kept] = listed.stand[move]
            listed.zone[kept] = listed.zone[move]
            listed.regions[kept] = listed.regions[move]
            listed.box[kept] = listed.box[move]
            kept += 1
    return kept
