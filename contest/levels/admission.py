"""Admit a level if it passes the publication check (rule 2.7)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from contest.infra import cache
from contest.models import CollectedLevel, Level
from contest.models.round import check_plain
from contest.vetting import orders
from contest.wording.verdicts import describe_error, describe_problem, describe_step
from solvers import sokoban
from solvers.errors import PuzzleError
from solvers.sokoban.checks import bounds
from solvers.sokoban.checks.gate import faults
from solvers.sokoban.drawing.draw import square_name
from solvers.sokoban.formats.single import read_one
from solvers.sokoban.moves import Moves
from solvers.sokoban.problems import Fault, Problem
from solvers.sokoban.reading.readers import find_solution
from solvers.sokoban.replay import Replay, replay

# Errors that belong to the solution field; all others belong to the text.
_MAX_CELLS = 6
_SOLUTION_FAULTS = frozenset({Fault.NO_SOLUTION, Fault.SOLUTION_FAILS})


@dataclass(frozen=True)
class AdmittedLevel:
    """A board that passed the check, its solution, and warnings for the organiser."""

    board: sokoban.Level
    solution: str = field(repr=False)
    warnings: tuple[str, ...] = ()
    # Rule 2.7: why it may pass although no solution is known.
    unsolved_reason: str = ""


@dataclass(frozen=True)
class Examination:
    """The result of checking a level that may or may not pass: messages by field, and the cells concerned."""

    board: sokoban.Level | None
    errors: Mapping[str, list[str]]
    warnings: tuple[str, ...] = ()
    cells: frozenset[int] = frozenset()
    twins: tuple[Level, ...] = ()
    played: Replay | None = None


def check(
    text: str,
    solution: str,
    *,
    title: str = "",
    author: str = "",
    texts: Iterable[str] = (),
    round_id: int | None = None,
    slot: str = "",
    known: QuerySet[Level] | None = None,
    unsolved_reason: str = "",
    is_vetted: bool = True,
) -> AdmittedLevel:
    """Admit a level, or raise ValidationError with messages for the fields text, solution, title and author.

    *texts* are the other texts of its round, which could reveal the solution. *round_id* is the round the level is for,
    where it is not a duplicate of itself; with *slot*, it must differ from the round's other levels. *known* and
    *is_vetted* as for `examine`. Without a solution it needs an *unsolved_reason*, and vetting without an answer.
    """
    examined = examine(
        text,
        solution,
        title=title,
        author=author,
        texts=texts,
        round_id=round_id,
        slot=slot,
        known=known,
        unsolved_reason=unsolved_reason,
        is_vetted=is_vetted,
    )
    if examined.errors or not (examined.board and examined.played):
        raise ValidationError(dict(examined.errors))
    if not examined.played.is_solved:
        return AdmittedLevel(examined.board, "", examined.warnings, unsolved_reason.strip())
    return AdmittedLevel(examined.board, examined.played.lurd, examined.warnings)


def examine(
    text: str,
    solution: str,
    *,
    title: str = "",
    author: str = "",
    texts: Iterable[str] = (),
    round_id: int | None = None,
    slot: str = "",
    known: QuerySet[Level] | None = None,
    unsolved_reason: str = "",
    is_vetted: bool = False,
) -> Examination:
    """Check a level and report all problems at once; never raise (rule 2.7).

    *known* are the levels to compare with: all, unless the user may not see all. *is_vetted* includes the solver's
    results for organisers.
    """
    board, moves, unread = _parse(text, solution)
    if board is None or unread:
        return Examination(board, {field_: [value] for field_, value in unread.items()})
    problems = faults(board, moves, title=title, author=author, texts=texts)
    known_levels = tuple(twins(board.key, round_id, among=known)) if len(board.players) == 1 else ()
    played = replay(board, moves) if not board.unjudgeable else None
    errors = _messages_by_field(problems.errors, board)
    for name, value in {"title": title, "author": author}.items():
        try:
            check_plain(value)
        except ValidationError as error:
            errors.setdefault(name, []).extend(error.messages)
    if slot and len(board.players) == 1 and (other := same_in_other_slots(board.key, round_id, slot).first()):
        errors.setdefault("text", []).append(repeat_message(other))
    if played and played.step and "solution" in errors:
        errors["solution"].append(describe_step(str(played.why), played.step, moves.steps[played.step - 1]))
    unsolved = _check_unsolved(board, unsolved_reason, errors) if is_vetted and not moves.steps else ()
    return Examination(
        board,
        errors,
        (
            *unsolved,
            *dict.fromkeys(message_with_cells(problem, board) for problem in problems.warnings),
            *(_("This level already exists: %(level)s.") % {"level": level} for level in known_levels),
            *(
                _("This level is public: %(collection)s, no. %(place)s.")
                % {"collection": level.collection, "place": level.place}
                for level in _same_in_collections(board)
            ),
        ),
        frozenset(cell for problem in (*problems.errors, *problems.warnings) for cell in problem.cells),
        known_levels,
        played,
    )


def _check_unsolved(board: sokoban.Level, reason: str, errors: dict[str, list[str]]) -> tuple[str, ...]:
    """Add vetting results for a level without a solution (rule 2.7) to *errors*; return the warnings."""
    search = orders.find_vetting(board.sha256)
    if search and search.is_unsolvable:
        errors.setdefault("text", []).append(_("The solver has proved that this level cannot be solved."))
    elif search and search.is_solved:
        errors["solution"].append(_("The solver has found a solution that you can use."))
    elif reason.strip() and search and search.is_done:
        del errors["solution"]
        return (_("Nobody knows whether this level can be solved; the round's settings will say so."),)
    elif reason.strip():
        errors["unsolved_reason"] = [_("The solver has not finished checking this level. Wait until it has.")]
    return ()


def fill(level: Level, admitted: AdmittedLevel) -> Level:
    """Set on *level* the admitted board and its derived fields; the caller saves."""
    board = admitted.board
    level.text, level.solution = board.published_text, admitted.solution
    level.unsolved_reason = admitted.unsolved_reason
    level.sha256, level.key = board.sha256, board.key
    level.width, level.height, level.boxes = board.width, board.height, len(board.boxes)
    vars(level).pop("board", None)  # the cached board from the previous text
    return level


def least_pushes(level: Level) -> int | None:
    """Return a cached lower bound for the pushes of a solution; None if none is known."""
    return cache.remember(("least pushes", level.sha256), lambda: bounds.least_pushes(level.board))


def twins(key: str, round_id: int | None = None, among: QuerySet[Level] | None = None) -> QuerySet[Level]:
    """Return the same level in other rounds, in any orientation (rule 2.7)."""
    among = Level.objects.all() if among is None else among
    return among.filter(key=key).exclude(round=round_id).select_related("round")


def same_in_other_slots(key: str, round_id: int | None, slot: str) -> QuerySet[Level]:
    """Return the same level in the round's other slots, in any orientation: only the first could be solved."""
    return Level.objects.filter(round=round_id, key=key).exclude(slot=slot)


def find_repeats(of_round: Iterable[Level]) -> list[tuple[Level, Level]]:
    """Return each duplicate level of a round, with the first level that it equals."""
    first: dict[str, Level] = {}
    return [(level, first[level.key]) for level in of_round if first.setdefault(level.key, level) is not level]


def repeat_message(other: Level) -> str:
    return _(
        "This level is already in the slot “%(slot)s”, perhaps rotated or mirrored. A round cannot contain the same "
        "level twice."
    ) % {"slot": other.get_slot_display()}


def _same_in_collections(board: sokoban.Level) -> Iterable[CollectedLevel]:
    """Return the same level in public collections, in any orientation: anybody may have solved it."""
    if len(board.players) != 1:
        return []
    return CollectedLevel.objects.filter(key=board.key, is_public=True).select_related("collection")[:3]


def _parse(text: str, solution: str) -> tuple[sokoban.Level | None, Moves, dict[str, str]]:
    errors: dict[str, str] = {}
    board, moves = None, Moves.parse("")
    try:
        board = read_one(text).level
    except PuzzleError as error:
        errors["text"] = describe_error(error)
    try:
        moves = Moves.parse(find_solution(board, solution) or solution if board else solution)
    except PuzzleError as error:
        errors["solution"] = describe_error(error)
    return board, moves, errors


def _messages_by_field(problems: Iterable[Problem], board: sokoban.Level) -> dict[str, list[str]]:
    errors: dict[str, list[str]] = {}
    for problem in problems:
        errors.setdefault(_field(problem), []).append(message_with_cells(problem, board))
    return errors


def message_with_cells(problem: Problem, board: sokoban.Level) -> str:
    """Return a problem's message with the cells concerned, named like the rulers of the drawing."""
    if not problem.cells:
        return describe_problem(problem)
    names = [square_name(board, cell) for cell in problem.cells[:_MAX_CELLS]]
    more = " …" if len(problem.cells) > _MAX_CELLS else ""
    return f"{describe_problem(problem)} ({', '.join(names)}{more})"


def _field(problem: Problem) -> str:
    if problem.code in _SOLUTION_FAULTS:
        return "solution"
    field_ = problem.values.get("field")
    # A leak in another text of the round belongs to no field of the level.
    return str(field_) if field_ in ("title", "author") else "solution" if problem.code == Fault.LEAK else "text"
