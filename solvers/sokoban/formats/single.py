"""Read the one level of a text that somebody pasted into a field, in any format that files and links have."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

from solvers.errors import PuzzleError, SeveralLevels
from solvers.sokoban.formats import compact, sokoplayer
from solvers.sokoban.formats.collection import Entry, Header, Unread, read_levels
from solvers.sokoban.formats.files.objects import lines_of_json, may_be_json
from solvers.sokoban.formats.remarks import Remark
from solvers.sokoban.formats.text import split_lines
from solvers.sokoban.level import Level

_LINK = re.compile(r"[?&#](?:lvl|level)=\S|\blvl=\S")  # within a word; for whole words it would take quadratic time
_OWN_LINK = re.compile(r"[?&#]level=([^&#\s]+)")
_COMPACT = re.compile(r"[A-H0-9]{7,}")
_MAY_BE_MARKED = re.compile(r"\s*(?:[0-9]{1,4}[.)|]?|[#*.$+@|])[ \t|#]")
_MOST_NAMES = 5


@dataclass(frozen=True)
class SingleLevel:
    """The level of a text, its title and author, and what the reader changed or left out."""

    level: Level
    title: str = ""
    author: str = ""
    remarks: tuple[Remark, ...] = ()


def read_one(text: str) -> SingleLevel:
    r"""Read a text with one level: a board in any alphabet, with or without a title, in a link, a tag or JSON.

    >>> read_one("Level 1\n#####\n#@$.#\n#####").title
    'Level 1'
    >>> print(read_one("https://example.org/editor/#level=5AHABDFAH5A").level.published_text)
    #####|#@$.#|#####

    Raise PuzzleError: SeveralLevels, or the error of the board. Moves are not read. Time O(text + cells).
    """
    try:
        level = Level.parse(text)
    except PuzzleError as error:
        return _read_surrounded(text, error)
    marked = _levels_of(text) if _MAY_BE_MARKED.match(text) else []
    return marked[0] if len(marked) == 1 else SingleLevel(level)


def _read_surrounded(text: str, refusal: PuzzleError) -> SingleLevel:
    """Read a text that is more than a board. Raise *refusal* if there is no level in it."""
    if links := find_links(text):
        levels = [SingleLevel(read_link(link)) for link in links]
    elif _COMPACT.fullmatch(text.strip()):
        levels = [SingleLevel(compact.parse(text.strip()))]
    else:
        levels = _levels_of(text)
    distinct = list({found.level.published_text: found for found in reversed(levels)}.values())[::-1]
    if not distinct:
        raise refusal
    if len(distinct) > 1:
        names = [found.title or f"{found.level.width} x {found.level.height}" for found in distinct[:_MOST_NAMES]]
        more = ", …" if len(distinct) > _MOST_NAMES else ""
        raise SeveralLevels(count=len(distinct), names=", ".join(names) + more)
    return distinct[0]


def _levels_of(text: str) -> list[SingleLevel]:
    """Return the levels of a text that is no link. Raise PuzzleError for a board that cannot be read."""
    header = Header()
    lines = lines_of_json(text) if may_be_json(text) else None
    found: list[Entry | Unread] = list(read_levels(lines or split_lines([text]), header, with_moves=False))
    if unread := next((entry for entry in found if isinstance(entry, Unread)), None):
        raise unread.error
    return [
        SingleLevel(entry.level, entry.title, entry.author, (*header.remarks, *entry.remarks))
        for entry in found
        if isinstance(entry, Entry)
    ]


def find_links(text: str) -> list[str]:
    """Return the words of *text* that are links with a level in them.

    >>> find_links("see https://example.org/sokoplayer/?w=5&h=3&lvl=HHHHH|Ha$.H|HHHHH !")
    ['https://example.org/sokoplayer/?w=5&h=3&lvl=HHHHH|Ha$.H|HHHHH']
    """
    return [word for word in text.split() if _LINK.search(word)] if _LINK.search(text) else []


def read_link(link: str) -> Level:
    """Read the level of a SokoPlayer link, or of a link to this site's editor, check page or solver.

    Raise PuzzleError.
    """
    own = None if "lvl=" in link else _OWN_LINK.search(link)
    if own is None:
        return sokoplayer.parse(link).level
    text = unquote(own[1])
    return compact.parse(text) if _COMPACT.fullmatch(text) else Level.parse(text)
