"""Hand-made levels that can be solved if and only if a formula is true.

The last box, in `AIM`, can be pushed to its goal once the edge of the topmost AND or OR has been reversed. Then every
reversal is undone, and every box is on its goal. A variable is a wire between its two literals. It has one box more
than it can hold, so at least one end has its box outside the wire, and that literal is false.
"""

from solvers.sokoban.machines.composing import Part, compose
from solvers.sokoban.machines.vertices import AIM, AND, END, OR, PASSABLE, bracket, corner, flip, mirror, straight


def x_and_y() -> str:
    """Return the level of the formula x ∧ y: true."""
    return compose([Part(AND, 0, 0, "ab"), Part(AIM, 8, -1, "a"), Part(END, 2, 7), Part(mirror(END), 3, -3)])


def x_and_not_x() -> str:
    """Return the level of the formula x ∧ ¬x: false."""
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
    """Return the level of the formula x ∨ ¬x: true."""
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
    """Return the level of the formula (x ∨ y) ∧ (¬x ∨ ¬y): true."""
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


# Formulas in QDIMACS, each with the function that builds its level.
FORMULA_LEVELS = (
    ("p cnf 2 2\ne 1 2 0\n1 0\n2 0\n", x_and_y),
    ("p cnf 1 2\ne 1 0\n1 0\n-1 0\n", x_and_not_x),
    ("p cnf 1 1\ne 1 0\n1 -1 0\n", x_or_not_x),
    ("p cnf 2 2\ne 1 2 0\n1 2 0\n-1 -2 0\n", x_differs_from_y),
)
