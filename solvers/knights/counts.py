"""Length of a shortest knight's path, by arithmetic.

Let a target be x squares away in one direction and y <= x in the other. A move covers at most 3 squares of x + y, at
most 2 of x, and changes the colour of the square. So a path has at least ⌈(x + y) / 3⌉ and at least ⌈x / 2⌉ moves, and
their number is even if and only if x + y is. On a board without borders the least number that satisfies all three is
enough, except for two near targets where these moves cannot be combined: (1, 0) takes 3 moves, and (2, 2) takes 4.

Borders lengthen a path only in the few cases that `Case` lists: on boards of one, two and three rows, and at corners.
Tests compare every pair of squares of all boards to 12 x 12 with a breadth-first search, and pairs to 60 x 60. Larger
boards have no further cases, for this reason: from x = 7 on the first move of `paths` leaves a pair with x >= 5 and a
lower bound one less, and stays on the board. So only pairs with x <= 6 remain. Such a pair, with the two rows and
columns around it as far as they exist, is a board of at most 11 x 11, and every path on it is one on the larger board;
its squares are in its corners, or in the middle of its three rows, only if they are so on the larger board.
"""

from enum import Enum

from solvers.choices import require
from solvers.knights.board import Board, Square


class Case(Enum):
    """The rule that gives the number of moves. The value is for programs; `WORDS` has a sentence for each."""

    SAME = "same"
    SLANTED = "slanted"
    STRAIGHT = "straight"
    BESIDE = "beside"
    TWO_DIAGONAL = "two_diagonal"
    CORNER = "corner"
    CORNERS = "corners"
    MIDDLE_ROW = "middle_row"
    INNER_PAIR = "inner_pair"
    TWO_ROWS = "two_rows"
    UNREACHABLE = "unreachable"


WORDS = {
    Case.SAME: "start and target are one square",
    Case.SLANTED: "x <= 2y: no move goes more than 3 squares of x + y",
    Case.STRAIGHT: "x > 2y: no move goes more than 2 squares of x",
    Case.BESIDE: "side by side: three moves",
    Case.TWO_DIAGONAL: "two squares apart diagonally: four moves",
    Case.CORNER: "a corner and the square diagonally beside it: four moves instead of two",
    Case.CORNERS: "two corners three squares apart: five moves instead of three",
    Case.MIDDLE_ROW: "two squares apart in the middle of three rows: four moves instead of two",
    Case.INNER_PAIR: "the two inner squares of 3 x 4: five moves instead of three",
    Case.TWO_ROWS: "two rows: every move goes two columns and to the other row",
    Case.UNREACHABLE: "no path",
}

# Cases with a fixed number of moves. Some hold on any board, the others only where a border interferes.
_FIXED = {
    Case.SAME: 0,
    Case.BESIDE: 3,
    Case.TWO_DIAGONAL: 4,
    Case.CORNER: 4,
    Case.CORNERS: 5,
    Case.MIDDLE_ROW: 4,
    Case.INNER_PAIR: 5,
}


def distance(board: Board, start: Square, target: Square) -> int | None:
    """Return the length of a shortest path, or None if there is none. Time and memory O(1).

    >>> distance(Board(8, 8), (0, 0), (7, 7))
    6
    >>> distance(Board(10**7, 10**7 + 1), (0, 0), (9_999_998, 10_000_000))
    6666666
    >>> distance(Board(3, 3), (0, 0), (1, 1)) is None
    True

    Raise NotASquare or OffBoard for a value that is not a square of the board.
    """
    require(Board, board=board)
    start, target = board.square(start), board.square(target)
    return _distance(board, start, target)


def case(board: Board, start: Square, target: Square) -> Case:
    """Return the rule that gives the number of moves. Raise like `distance`. Time O(1).

    >>> case(Board(8, 8), (0, 0), (1, 1))
    <Case.CORNER: 'corner'>
    >>> case(Board(8, 8), (0, 0), (7, 0))
    <Case.STRAIGHT: 'straight'>
    """
    require(Board, board=board)
    return _case(board, board.square(start), board.square(target))


def open_distance(x: int, y: int) -> int:
    """Return the moves to a target x squares in one direction and y in the other, on a board without borders.

    >>> [open_distance(*target) for target in ((6, 6), (5, 7), (8, 9), (50, 50), (0, 7), (15, 80))]
    [4, 4, 7, 34, 5, 41]
    """
    x, y = max(abs(x), abs(y)), min(abs(x), abs(y))
    rule = _open_case(x, y)
    return _FIXED[rule] if rule in _FIXED else lower_bound(x, y)


def lower_bound(x: int, y: int) -> int:
    """Return the least number >= ⌈(x + y) / 3⌉ and ⌈x / 2⌉ that is even if and only if x + y is.

    >>> lower_bound(7, 0), lower_bound(8, 9)
    (5, 7)
    """
    x, y = max(x, y), min(x, y)
    least = max((x + y + 2) // 3, (x + 1) // 2)
    return least + (least + x + y) % 2


def _distance(board: Board, start: Square, target: Square) -> int | None:
    rule = _case(board, start, target)
    if (moves := _FIXED.get(rule)) is not None or rule == Case.UNREACHABLE:
        return moves
    x, y = abs(start[0] - target[0]), abs(start[1] - target[1])
    return max(x, y) // 2 if rule == Case.TWO_ROWS else lower_bound(x, y)


def _case(board: Board, start: Square, target: Square) -> Case:
    if start == target:
        return Case.SAME
    down, across = abs(start[0] - target[0]), abs(start[1] - target[1])
    x, y = max(down, across), min(down, across)
    narrow_side = min(board.rows, board.columns)
    if narrow_side == 3:
        special = _case_of_three(board, start, target)
        if special:
            return special
    elif narrow_side < 3:
        return _case_of_two(board, down, across)
    if x == y == 1 and (_is_corner(board, start) or _is_corner(board, target)):
        return Case.CORNER
    if x == 3 and y == 0 and _is_corner(board, start) and _is_corner(board, target):
        return Case.CORNERS
    return _open_case(x, y)


def _open_case(x: int, y: int) -> Case:
    if x == 0:
        return Case.SAME
    if (x, y) == (1, 0):
        return Case.BESIDE
    if (x, y) == (2, 2):
        return Case.TWO_DIAGONAL
    return Case.STRAIGHT if x > 2 * y else Case.SLANTED


def _case_of_two(board: Board, down: int, across: int) -> Case:
    """Return the case on one or two rows: each move goes two columns left or right, and to the other row."""
    if board.columns < board.rows:
        down, across = across, down
    moves, rest = divmod(across, 2)
    is_possible = min(board.rows, board.columns) == 2 and rest == 0 and moves % 2 == down
    return Case.TWO_ROWS if is_possible else Case.UNREACHABLE


def _case_of_three(board: Board, start: Square, target: Square) -> Case | None:
    """Return the special cases of three rows: the middle row, where a knight has half its moves."""
    if board.rows == board.columns and (1, 1) in (start, target):
        return Case.UNREACHABLE
    if board.rows == 3 and start[0] == target[0] == 1:
        separation = abs(start[1] - target[1])
    elif board.columns == 3 and start[1] == target[1] == 1:
        separation = abs(start[0] - target[0])
    else:
        return None
    if separation == 2:
        return Case.MIDDLE_ROW
    is_inner = (
        max(board.rows, board.columns) == 4 and separation == 1 and start[0] + start[1] + target[0] + target[1] == 5
    )
    return Case.INNER_PAIR if is_inner else None


def _is_corner(board: Board, square: Square) -> bool:
    return square[0] in (0, board.rows - 1) and square[1] in (0, board.columns - 1)
