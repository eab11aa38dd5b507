"""Bring a level in: through the gate or not at all (rule 2.7)."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from contest.models import Level
from contest.words import error_words, problem_words
from solvers import sokoban
from solvers.errors import PuzzleError
from solvers.sokoban.gate import faults
from solvers.sokoban.level import Fault, Problem
from solvers.sokoban.moves import Moves
from solvers.sokoban.replay import replay

# Where the fault of a level stands; everything else is in its text.
_SOLUTION_FAULTS = frozenset({Fault.NO_SOLUTION, Fault.SOLUTION_FAILS})


@dataclass(frozen=True)
class Passed:
    """A board that passed the gate, its solution, and what the organiser should look at, in words."""

    board: sokoban.Level
    solution: str = field(repr=False)
    warnings: tuple[str, ...] = ()


def check(
    text: str,
    solution: str,
    *,
    title: str = "",
    author: str = "",
    texts: Iterable[str] = (),
    round_id: int | None = None,
) -> Passed:
    """Let a level through the gate, or raise ValidationError with words for the fields text, solution, title, author.

    *texts* are the other texts of its round, which could give the solution away; *round_id* is the round the level is
    for, where it is not "known".
    """
    board, moves = _parse(text, solution)
    found = faults(board, moves, title=title, author=author, texts=texts)
    if found.errors:
        raise ValidationError(_by_field(found.errors))
    warnings = [*map(problem_words, found.warnings), *_known(board, round_id)]
    return Passed(board, replay(board, moves).lurd, tuple(warnings))


def fill(level: Level, passed: Passed) -> Level:
    """Give *level* the board that passed, and the facts that follow from it; the caller saves."""
    board = passed.board
    level.text, level.solution = board.published_text, passed.solution
    level.sha256, level.key = board.sha256, board.key
    level.width, level.height, level.boxes = board.width, board.height, len(board.boxes)
    vars(level).pop("board", None)  # the board drawn from the text before
    return level


def _parse(text: str, solution: str) -> tuple[sokoban.Level, Moves]:
    errors: dict[str, str] = {}
    board, moves = None, Moves.parse("")
    try:
        board = sokoban.Level.parse(text)
    except PuzzleError as error:
        errors["text"] = error_words(error)
    try:
        moves = Moves.parse(solution)
    except PuzzleError as error:
        errors["solution"] = error_words(error)
    if board is None or errors:
        raise ValidationError(dict(errors))
    return board, moves


def _by_field(problems: Iterable[Problem]) -> dict[str, list[str]]:
    errors: dict[str, list[str]] = {}
    for problem in problems:
        errors.setdefault(_field(problem), []).append(problem_words(problem))
    return errors


def _field(problem: Problem) -> str:
    if problem.code in _SOLUTION_FAULTS:
        return "solution"
    field_ = problem.values.get("field")
    # A leak in a text of the round has no field of the level.
    return str(field_) if field_ in ("title", "author") else "solution" if problem.code == Fault.LEAK else "text"


def _known(board: sokoban.Level, round_id: int | None) -> Iterable[str]:
    """Where this level was before, however it was turned then (rule 2.7)."""
    for level in Level.objects.filter(key=board.key).exclude(round=round_id).select_related("round"):
        yield _("This level is known: %(level)s.") % {"level": level}
