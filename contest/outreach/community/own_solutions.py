"""Solutions of a player's own, as opposed to copies of public ones (rule 27.1)."""

from collections.abc import Iterator
from datetime import datetime

from contest import visibility
from contest.models import CollectedLevel, Level, LevelResult, Player, Submission
from contest.models.submission import SCORED
from contest.outreach.community.subjects import Subject
from contest.vetting import shown
from contest.visibility import Viewer
from solvers import sokoban

# The newest own solutions compared, and the moves replayed for it: half a second of CPU.
MOST_OWN = 10
MOST_MOVES = 2_000_000
_STEPS = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}

# Pushes in order: row and column of the box within the reachable part, and the direction.
Trace = tuple[tuple[int, int, int, int], ...]
# Cells of the reachable part: row, column, and whether it is a goal.
Floor = frozenset[tuple[int, int, bool]]


def has_own(player: Player, subject: Subject) -> bool:
    """Return True if *player* has solved *subject* in a way that was not public when they sent it."""
    budget = MOST_MOVES
    for lurd, sent_at in _solutions_of(player, subject):
        own = trace(subject.board, lurd)
        images = set(_images(subject.board, own))
        for board, other in _public_solutions(subject, player, len(own), sent_at):
            budget -= len(other)
            if budget < 0 or (_floor(board), trace(board, other)) in images:
                break
        else:
            return True
    return False


def _solutions_of(player: Player, subject: Subject) -> list[tuple[str, datetime]]:
    if isinstance(subject, CollectedLevel):
        rows = LevelResult.objects.filter(player=player, level=subject).order_by("-received_at")
        return list(rows.values_list("lurd", "received_at")[:MOST_OWN])
    sent = Submission.objects.filter(player=player, level=subject, verdict__in=SCORED).exclude(lurd="")
    return list(sent.order_by("-received_at").values_list("lurd", "received_at")[:MOST_OWN])


def _public_solutions(
    subject: Subject, player: Player, pushes: int, sent_at: datetime
) -> Iterator[tuple[sokoban.Level, str]]:
    """Yield the solutions of others with at least *pushes*, public at *sent_at*, of all rounds with this board."""
    twins = list(Level.objects.filter(key=subject.key).select_related("round")) if subject.key else []
    for level in twins:
        sent = visibility.replays(Viewer(), level.round, sent_at).filter(level=level, received_at__lte=sent_at)
        solutions = sent.exclude(player=player).order_by("pushes").values_list("lurd", "pushes").distinct()
        yield from ((level.board, lurd) for lurd, count in solutions.iterator() if count is None or count >= pushes)
    for level, found in shown.program_solutions(twins, sent_at):
        yield level.board, found


def trace(board: sokoban.Level, lurd: str) -> Trace:
    """Return the pushes of a solution, without walks and without pushes that lead back to an earlier state.

    >>> board = sokoban.Level.parse("######|#@-$.#|######")
    >>> trace(board, "rR") == trace(board, "rlrR") == ((0, 2, 0, 1),)
    True
    """
    top, left = _corner(board)
    row, column = divmod(board.player, board.width)
    boxes = {divmod(cell, board.width) for cell in board.boxes}
    pushes: list[tuple[int, int, int, int]] = []
    reached = {frozenset(boxes): 0}
    for letter in lurd.lower():
        down, right = _STEPS[letter]
        row, column = row + down, column + right
        if (row, column) in boxes:
            boxes.remove((row, column))
            boxes.add((row + down, column + right))
            pushes.append((row - top, column - left, down, right))
            state = frozenset(boxes)
            if (earlier := reached.get(state)) is not None:
                del pushes[earlier:]
                reached = {known: length for known, length in reached.items() if length <= earlier}
            reached[state] = len(pushes)
    return tuple(pushes)


def _floor(board: sokoban.Level) -> Floor:
    goals, (top, left) = set(board.goals), _corner(board)
    cells = ((divmod(cell, board.width), cell in goals) for cell in board.reach)
    return frozenset((row - top, column - left, is_goal) for (row, column), is_goal in cells)


def _corner(board: sokoban.Level) -> tuple[int, int]:
    """Return the first row and column of the reachable part."""
    rows, columns = zip(*(divmod(cell, board.width) for cell in board.reach), strict=True)
    return min(rows), min(columns)


def _images(board: sokoban.Level, pushes: Trace) -> Iterator[tuple[Floor, Trace]]:
    """Yield the board's floor with *pushes*, under the eight symmetries."""
    floor = _floor(board)
    for _turn in range(4):
        last = max(column for _row, column, _is_goal in floor)
        yield floor, pushes
        yield (
            frozenset((row, last - column, is_goal) for row, column, is_goal in floor),
            tuple((row, last - column, down, -right) for row, column, down, right in pushes),
        )
        # A quarter turn anticlockwise.
        floor = frozenset((last - column, row, is_goal) for row, column, is_goal in floor)
        pushes = tuple((last - column, row, -right, down) for row, column, down, right in pushes)
