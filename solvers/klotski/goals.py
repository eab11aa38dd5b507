"""Goals: bring a layout to the exit, to its mirror image, or to any other layout."""

from dataclasses import dataclass

from solvers.choices import Choice, require
from solvers.klotski.errors import WithoutNames
from solvers.klotski.layout import Layout, Mirror


class Goal(Choice):
    """Goals that players have names for."""

    EXIT = "exit"
    MIRROR = "mirror"
    UPSIDE_DOWN = "upside-down"
    ROTATED = "rotated"


@dataclass(frozen=True)
class Question:
    """The goal for *start*: *target*, or the exit if None. If *is_strict*, every piece must reach its place."""

    start: Layout
    target: Layout | None = None
    is_strict: bool = False

    def is_answered_by(self, layout: Layout) -> bool:
        """Return whether *layout*, reached from the start, satisfies the goal."""
        if self.target is None:
            return layout.is_solved
        return layout.cells == self.target.cells and (not self.is_strict or layout.names == self.target.names)


def question(layout: Layout, goal: Goal | Layout | str = Goal.EXIT, *, is_strict: bool = False) -> Question:
    """Return the question how to bring *layout* to a goal or to another layout.

    >>> layout = Layout.parse("VCCVVCCVVHHVVooVo..o")
    >>> question(layout, Goal.MIRROR, is_strict=True).target.names
    ('b', 'C', 'a', 'e', 'd', 'c', '2', '1', '4', '3')
    >>> question(layout, Goal.MIRROR).is_answered_by(layout)
    True

    A strict question names the pieces if they have no names. For another layout as the goal, both need the same names
    on pieces of the same kinds, else WithoutNames is raised. For the exit names do not matter.
    """
    require(Layout, layout=layout)
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
    """Map each name to its kind; without names return an object that equals nothing."""
    return {piece.name: piece.kind for piece in layout.pieces} if layout.names else object()
