"""What is asked of a layout: to leave the board, to become its mirror image, or any other layout."""

from dataclasses import dataclass

from solvers.choices import Choice
from solvers.klotski.errors import WithoutNames
from solvers.klotski.layout import Layout, Mirror


class Goal(Choice):
    """The goals that players have names for."""

    EXIT = "exit"
    MIRROR = "mirror"
    UPSIDE_DOWN = "upside-down"
    ROTATED = "rotated"


@dataclass(frozen=True)
class Question:
    """From *start* to *target*, without one to the exit; where *is_strict* every piece to its own place."""

    start: Layout
    target: Layout | None = None
    is_strict: bool = False

    def is_answered_by(self, layout: Layout) -> bool:
        """Whether *layout*, reached from the start, is where the question asks to come."""
        if self.target is None:
            return layout.is_solved
        return layout.cells == self.target.cells and (not self.is_strict or layout.names == self.target.names)


def question(layout: Layout, goal: Goal | Layout | str = Goal.EXIT, *, is_strict: bool = False) -> Question:
    """Ask to bring *layout* to a goal or to another layout.

    >>> layout = Layout.parse("VCCVVCCVVHHVVooVo..o")
    >>> question(layout, Goal.MIRROR, is_strict=True).target.names
    ('b', 'C', 'a', 'e', 'd', 'c', '2', '1', '4', '3')
    >>> question(layout, Goal.MIRROR).is_answered_by(layout)
    True

    A strict question names the pieces if they have no names; to go to another layout, both need the same names on
    pieces of the same kinds, else WithoutNames is raised. To leave the board names do not matter.
    """
    if isinstance(goal, Layout):
        if is_strict and _kinds(layout) != _kinds(goal):
            raise WithoutNames
        return Question(layout, goal, is_strict)
    goal = Goal(goal)
    if goal == Goal.EXIT:
        return Question(layout)
    start = layout.with_names() if is_strict else layout
    return Question(start, start.reflect(Mirror(goal.value)), is_strict)


def _kinds(layout: Layout) -> object:
    """Which kind each name has; without names nothing equal to anything."""
    return {piece.name: piece.kind for piece in layout.pieces} if layout.names else object()
