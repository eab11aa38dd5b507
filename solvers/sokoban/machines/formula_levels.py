"""Levels that can be solved exactly when a formula is true, laid out by hand.

The last box, in `AIM`, can be pushed to its goal once the edge from the topmost AND or OR has turned; then all is
turned back, and every box is at home. A variable is a wire between the places of its two literals: it has one box more
than rooms, so at least one of its ends has its box outside the wire, and that literal is false.
"""

from solvers.sokoban.machines.composing import Part, compose
from solvers.sokoban.machines.vertices import AIM, AND, END, OR, PASSABLE, bracket, corner, flip, mirror, straight


def x_and_y() -> str:
    """The formula x ∧ y: true."""
    return compose([Part(AND, 0, 0, "ab"), Part(AIM, 8, -1, "a"), Part(END, 2, 7), Part(mirror(END), 3, -3)])


def x_and_not_x() -> str:
    """The formula x ∧ ¬x: false."""
    return compose(
        [
            Part(AND, 0, 0, "b"),
            Part(AIM, 8, -1, "a"),
            Part(bracket(7), -5, 7, "b"),
            Part(PASSABLE, -5, -5, "b"),
            Part(mirror(bracket(8)), -5, -8, "a"),
            Part(flip(straight(5)), 2, -5, "a"),
        ]
    )


def x_or_not_x() -> str:
    """The formula x ∨ ¬x: true."""
    return compose(
        [
            Part(OR, 0, 0, "a"),
            Part(AIM, 6, -1, "a"),
            Part(bracket(7), -7, 6, "b"),
            Part(PASSABLE, -7, -6, "b"),
            Part(mirror(bracket(7)), -7, -9, "a"),
            Part(straight(6), 0, -6, "a"),
        ]
    )


def x_differs_from_y() -> str:
    """The formula (x ∨ y) ∧ (¬x ∨ ¬y): true."""
    return compose(
        [
            Part(AND, 0, 0, "ab"),
            Part(AIM, 8, -1, "a"),
            Part(flip(corner(9, 5)), 0, 7, "b"),
            Part(mirror(flip(corner(4, 6))), 0, -4, "b"),
            Part(mirror(OR), -6, -6, "ab"),
            Part(PASSABLE, -6, 0, "b"),
            Part(OR, -6, 12),
            Part(mirror(bracket(5)), -11, -9, "a"),
            Part(PASSABLE, -11, -6, "b"),
            Part(straight(12), -11, 6, "b"),
            Part(bracket(5), -11, 18, "b"),
        ]
    )


# Each with its formula in QDIMACS.
FORMULA_LEVELS = (
    ("p cnf 2 2\ne 1 2 0\n1 0\n2 0\n", x_and_y),
    ("p cnf 1 2\ne 1 0\n1 0\n-1 0\n", x_and_not_x),
    ("p cnf 1 1\ne 1 0\n1 -1 0\n", x_or_not_x),
    ("p cnf 2 2\ne 1 2 0\n1 2 0\n-1 -2 0\n", x_differs_from_y),
)
