"""Parse levels that an organiser pastes or uploads, in any format, with the solutions beside them."""

from dataclasses import dataclass, field

from contest.wording.readings import describe_reading, pack_readings
from contest.wording.verdicts import describe_error
from solvers.errors import PuzzleError
from solvers.sokoban import Level
from solvers.sokoban.formats import Entry, Unread, read_collection
from solvers.sokoban.formats.files.roles import Role, line_roles
from solvers.sokoban.formats.single import find_links, read_link
from solvers.sokoban.formats.text import decode, split_lines
from solvers.sokoban.reading.readers import Outcome, Reader, judge

MAX_UNREAD = 20  # errors to report individually
_MAX_STEPS = 1_000_000
_ABOVE = {"above": True, "below": False}


@dataclass(frozen=True)
class PastedLevel:
    """A level from the input; the text is XSB with one row per line."""

    text: str
    title: str = ""
    author: str = ""
    solution: str = field(default="", repr=False)


@dataclass(frozen=True)
class PastedLevels:
    """The levels found, and messages about unreadable parts."""

    name: str = ""
    found: tuple[PastedLevel, ...] = ()
    unread: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def read(data: str | bytes, *, name: str = "", encoding: str = "", names: str = "") -> PastedLevels:
    """Find the levels in *data*: any format of files, or links, one or many.

    Includes the best solution under a level; for a single level it may be anywhere in the text.

    >>> read("######\\n#@ $.#\\n######\\n\\nrR").found[0].solution
    'rR'

    *encoding* and *names* (above, below) are those that the organiser stated. Raise only PuzzleError, for binary data.
    Time like `read_collection`.
    """
    if isinstance(data, str) and (linked := _read_links(data)):
        return linked
    collection = read_collection(data, name=name, encoding=encoding, names_above=_ABOVE.get(names))
    levels = [level_of_entry(entry) for entry in collection.entries]
    if len(levels) == 1 and not levels[0].solution and isinstance(data, str):
        levels = [_with_solution(levels[0], collection.entries[0].level, data)]
    unread = tuple(map(_error_message, collection.unread[:MAX_UNREAD]))
    remarks = pack_readings([collection, *collection.entries])[:MAX_UNREAD]
    return PastedLevels(collection.name, tuple(levels), unread, tuple(describe_reading(*each) for each in remarks))


def lines_of(data: str | bytes, *, encoding: str = "", names: str = "") -> list[tuple[Role, str]]:
    """Return each line of *data*, which is neither XML nor JSON, with the role in which `read` takes it.

    *encoding* and *names* as in `read`. Raise PuzzleError for binary data.
    """
    text = decode(data, encoding=encoding) if isinstance(data, bytes) else data
    return list(zip(line_roles(text, names_above=_ABOVE.get(names)), split_lines([text]), strict=True))


def level_of_entry(entry: Entry) -> PastedLevel:
    """Return the level of a file's entry, with the best solution under it."""
    first = next(iter(entry.attempts), None)  # if none is a solution, the publication check reports why
    best = min(entry.solutions, key=lambda attempt: (attempt.moves, attempt.pushes), default=first)
    return PastedLevel(str(entry.level), entry.title, entry.author, best.lurd if best else "")


def _with_solution(pasted: PastedLevel, level: Level, text: str) -> PastedLevel:
    solution = _solution(level, text)
    # A title line that is really the moves is dropped.
    title = "" if solution and pasted.title and _solution(level, pasted.title) else pasted.title
    return PastedLevel(pasted.text, title, pasted.author, solution)


def _solution(level: Level, text: str) -> str:
    judged = judge([level], text, Reader.LENIENT, limit=_MAX_STEPS)
    return judged.replay.lurd if judged.outcome is Outcome.SOLVED and judged.replay else ""


def _read_links(text: str) -> PastedLevels | None:
    """Return the levels of links; None if there is no link."""
    links = find_links(text)
    if not links:
        return None
    found: list[PastedLevel] = []
    unread: list[str] = []
    for link in links:
        try:
            level = read_link(link)
        except PuzzleError as error:
            unread.append(describe_error(error))
        else:
            rest = text.replace(link, "") if len(links) == 1 else ""
            found.append(PastedLevel(str(level), solution=_solution(level, rest)))
    return PastedLevels("", tuple(found), tuple(unread[:MAX_UNREAD]))


def _error_message(unread: Unread) -> str:
    return describe_error(unread.error)
