"""Parse levels that an organiser pastes or uploads, in any format, with the solutions beside them."""

from dataclasses import dataclass, field

from contest.wording.readings import describe_reading, pack_readings
from contest.wording.verdicts import describe_error
from solvers.sokoban import Level
from solvers.sokoban.formats import Entry, Header, Stated, read_collection, text_of
from solvers.sokoban.formats.sokoplayer import find_links
from solvers.sokoban.reading.readers import find_solution

MAX_UNREAD = 20  # errors to report individually


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


def read(data: str | bytes, *, name: str = "", stated: Stated | None = None) -> PastedLevels:
    """Find the levels in *data*: any format of files, or links, one or many.

    Includes the best solution under a level; for a single level it may be anywhere in the text.

    >>> read("######\\n#@ $.#\\n######\\n\\nrR").found[0].solution
    'rR'

    Raise only PuzzleError, for binary data. Time like `read_collection`.
    """
    collection = read_collection(data, name=name, stated=stated)
    levels = [level_of_entry(entry) for entry in collection.entries]
    if len(levels) == 1 and not collection.entries[0].solutions:
        text = text_of(data, Header(), stated or Stated())
        levels = [_with_solution(levels[0], collection.entries[0].level, text)]
    unread = tuple(describe_error(each.error) for each in collection.unread[:MAX_UNREAD])
    remarks = pack_readings([collection, *collection.entries])[:MAX_UNREAD]
    return PastedLevels(collection.name, tuple(levels), unread, tuple(describe_reading(*each) for each in remarks))


def level_of_entry(entry: Entry) -> PastedLevel:
    """Return the level of a file's entry, with the best solution under it."""
    first = next(iter(entry.attempts), None)  # if none is a solution, the publication check reports why
    best = min(entry.solutions, key=lambda attempt: (attempt.moves, attempt.pushes), default=first)
    return PastedLevel(str(entry.level), entry.title, entry.author, best.lurd if best else "")


def _with_solution(pasted: PastedLevel, level: Level, text: str) -> PastedLevel:
    for link in find_links(text):
        text = text.replace(link, " ")
    solution = find_solution(level, text)
    # A title line that is really the moves is dropped.
    title = "" if solution and pasted.title and find_solution(level, pasted.title) else pasted.title
    return PastedLevel(pasted.text, title, pasted.author, solution or pasted.solution)
