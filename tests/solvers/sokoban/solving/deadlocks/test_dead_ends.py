from contextlib import suppress

import numpy as np

from solvers.sokoban import Level
from solvers.sokoban.solving.board import Hopeless, make_board
from solvers.sokoban.solving.deadlocks import dead_ends as ending
from solvers.sokoban.solving.deadlocks.corral_search import corral_memory_for
from solvers.sokoban.solving.deadlocks.corrals import corrals_for
from solvers.sokoban.solving.deadlocks.dead_ends import MOST_STATES, N_PATTERNS, Deadlocks, dead_ends_for
from solvers.sokoban.solving.deadlocks.freezing import walls_for
from solvers.sokoban.solving.floor.macros import put_boxes, work_for
from tests.solvers.sokoban.solving.doors import door
from tests.solvers.sokoban.solving.full_search import best
from tests.solvers.sokoban.solving.small_boards import placed, unsolved

is_dead_end = door(ending.is_dead_end)
holds_pattern = door(ending.holds_pattern)

# The two boxes at the upper wall block each other, whatever happens to the third.
HELD_PAIR = "#########|#.-$$-..#|#-------#|#--@-$--#|#-------#|#########"


class Asked:
    """The deadlock tests for one board's walls and goals, with the patterns they have learned."""

    def __init__(self, board):
        self.board = board
        count = len(self.board.boxes)
        self.work, self.memory = work_for(board, count), corral_memory_for(board, 1 << 14)
        self.ends = dead_ends_for(board)
        self.tables = Deadlocks(
            board, self.work, walls_for(board), corrals_for(board.size), self.memory, self.ends
        )  # fmt: skip

    def is_dead(self, limit=MOST_STATES):
        board = self.board
        return is_dead_end(self.tables, board.boxes.astype(np.int16), len(board.boxes), board.player, limit)

    def holds(self, boxes, stand):
        board, work = self.board, self.work
        put_boxes(board.size, work.blocked, boxes, len(boxes))
        return holds_pattern(board, work, self.memory, self.ends, stand)

    @property
    def patterns(self):
        return [
            self.ends.patterns[number, : self.ends.sizes[number]].tolist()
            for number in range(self.ends.counts[N_PATTERNS])
        ]


def test_a_state_is_a_dead_end_exactly_where_full_search_finds_no_way():
    dead = 0
    for level, board, _ in unsolved(11, 50):
        is_dead = Asked(board).is_dead()
        assert is_dead == (not best(level).is_solvable), str(level)
        dead += is_dead
    assert dead > 5


def test_a_search_cut_short_calls_nothing_dead_that_is_not():
    for level, board, chance in unsolved(12, 40):
        is_dead = Asked(board).is_dead(limit=chance.randint(2, 30))
        assert not (is_dead and best(level).is_solvable), str(level)


def test_no_position_that_holds_a_pattern_learned_from_another_can_be_solved():
    held = 0
    for level, board, chance in unsolved(13, 50):
        asked = Asked(board)
        for _ in range(30 if asked.is_dead() else 0):
            player, *boxes = chance.sample(sorted(level.reach), len(level.boxes) + 1)
            other = placed(level, boxes, player)
            with suppress(Hopeless):
                there = make_board(other)
                if other.boxes != other.goals and np.array_equal(there.cells, board.cells):
                    is_held = asked.holds(there.boxes.astype(np.int16), there.player)
                    held += is_held
                    assert not (is_held and best(other).is_solvable), str(other)
    assert held > 5


def test_irrelevant_boxes_are_left_out_of_a_pattern():
    asked = Asked(make_board(Level.parse(HELD_PAIR)))
    left, right, free = asked.board.boxes.tolist()
    assert asked.is_dead()
    assert asked.patterns == [[left, right]]
    assert asked.holds(np.array([left, right, free + 1], np.int16), asked.board.player)
    assert not asked.holds(np.array([left, right + 1, free], np.int16), asked.board.player)


def test_a_pattern_says_nothing_of_the_player_in_another_zone():
    """From inside, the player can push the box that would shut him out."""
    outside = Asked(make_board(Level.parse("########|#--$--@#|#--###-#|#.-#---#|########")))
    assert outside.is_dead()
    assert outside.holds(outside.board.boxes.astype(np.int16), outside.board.player)
    inside = int(np.flatnonzero(outside.board.cells == 9)[0])
    assert not outside.holds(outside.board.boxes.astype(np.int16), inside)
