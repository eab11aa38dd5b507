"""Write .sok collections (Brian Damgaard's format, version 0.19)."""

from collections.abc import Iterator

from solvers.sokoban.formats.attempts import Attempt, Kind
from solvers.sokoban.formats.collection import Collection, Entry, read_levels
from solvers.sokoban.formats.text import split_lines
from solvers.sokoban.formats.xsb import rows_with_blanks
from solvers.sokoban.metrics import measure

WRAP = 70  # columns of moves
_HEADS = {Kind.SOLUTION: "Solution/Moves", Kind.SAVED_GAME: "SaveGame"}
_PROBE = ["#####", "#@$.#", "#####"]


def write(collection: Collection, *, line_end: str = "\n") -> str:
    """Encode *collection* as .sok text: boards with blanks, solutions with their five metrics, moves wrapped."""
    header = [":: Sokoban levels in the .sok format, version 0.19", ""]
    names = {"Collection": collection.name, "Author": collection.author}
    header += [f"{key}: {text}" for key, text in names.items() if text]
    header += _comment(collection.notes)
    parts = ["\n".join(header)]
    parts += ["\n".join(_entry(entry)) for entry in collection.entries]
    return ("\n\n".join(parts) + "\n").replace("\n", line_end)


def _entry(entry: Entry) -> Iterator[str]:
    has_title_line = _is_plain_title(entry.title)
    if has_title_line:
        yield from (entry.title, "")
    yield from rows_with_blanks(entry.level)
    if not has_title_line and entry.title:
        yield f"Title: {entry.title}"
    if entry.author:
        yield f"Author: {entry.author}"
    yield from (f"{key.capitalize()}: {text}" for key, text in entry.keys.items())
    yield from _comment(entry.comments)
    for attempt in _in_order(entry.attempts):
        yield from ("", _head(attempt), *wrap(attempt.lurd))
        if attempt.notes:
            yield from ("", attempt.notes)


def _in_order(attempts: tuple[Attempt, ...]) -> list[Attempt]:
    """Return solutions before saved games; invalid attempts are omitted."""
    games = [attempt for attempt in attempts if attempt.kind in _HEADS and attempt.lurd]
    return sorted(games, key=lambda attempt: list(_HEADS).index(attempt.kind))


def _is_plain_title(title: str) -> bool:
    """Return whether a title line is read back unchanged, and not as a key, head, moves or row."""
    lines = [":: head", "", "Author: somebody", "", title, "", *_PROBE, "", title, "", *_PROBE]
    return bool(title) and [found.title for found in read_levels(split_lines(["\n".join(lines)]))] == [title, title]


def _comment(text: str) -> list[str]:
    return ["Comment:", *text.split("\n"), "Comment-End:"] if text else []


def _head(attempt: Attempt) -> str:
    if attempt.kind == Kind.SOLUTION:
        return f"{_HEADS[attempt.kind]} {attempt.metrics or measure(attempt.lurd)}"
    return f"{_HEADS[attempt.kind]} {attempt.moves}/{attempt.pushes}"


def wrap(lurd: str, width: int = WRAP) -> list[str]:
    """Split moves into lines of *width* letters."""
    return [lurd[at : at + width] for at in range(0, len(lurd), width)]
