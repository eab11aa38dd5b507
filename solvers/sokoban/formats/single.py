"""Read the one level of a text that somebody pasted into a field, in any format that files and links have."""

import re
from dataclasses import replace
from itertools import islice

from solvers.errors import PuzzleError, SeveralLevels, TooManyLines
from solvers.sokoban.formats import Entry, Header, Stated, Unread, compact, find_gaps
from solvers.sokoban.formats.collection import read_gaps
from solvers.sokoban.formats.text import LINE_END
from solvers.sokoban.level import Level

MAX_LINES = 2_000  # a text for one level has fewer; each costs some 20 microseconds
_MAX_LEVELS = 20
_MAX_NAMES = 5
_FENCED_JSON = re.compile(r"^(?:```|~~~)json[ \t]*$(.*?)^(?:```|~~~)", re.MULTILINE | re.DOTALL | re.IGNORECASE)
_LINK = re.compile(r"[(<](https?://[^\s()<>]+)[)>]")  # of Markdown
_ROW_TAGS = re.compile(r"(?:\s{0,20}</?(?:p|li|td|tr|tbody|table|[uo]l)\b[^<>]{0,99}>)+", re.IGNORECASE)
_MAY_BE_MARKED = re.compile(r"\s*(?:[0-9]{1,4}[.)|]?|[#*.$+@|])[ \t|#]")


def read_one(text: str) -> Entry:
    r"""Read a text with one level: a board in any alphabet, with or without a title, in a link, a tag or JSON.

    >>> read_one("Level 1\n#####\n#@$.#\n#####").title
    'Level 1'
    >>> print(read_one("https://example.org/editor/#level=5AHABDFAH5A").level.published_text)
    #####|#@$.#|#####

    Raise PuzzleError: TooManyLines, SeveralLevels, or the error of the board. Moves are not read.
    """
    if any(count > MAX_LINES for count, _ in enumerate(LINE_END.finditer(text), 1)):
        raise TooManyLines(limit=MAX_LINES)
    fenced = _FENCED_JSON.search(text)
    text = _LINK.sub(r" \1 ", fenced[1] if fenced else text.replace("\r\r\n", "\n"))
    try:
        plain = Entry(1, 1, Level.parse(text))
    except PuzzleError as error:
        code = text.strip()
        levels = [Entry(1, 1, compact.parse(code))] if compact.CODE.fullmatch(code) else _levels_of(text)
        rows = text if levels else _ROW_TAGS.sub("\n", text)
        if rows != text:  # not a table with a cell for each square
            levels = [each for each in _levels_of(rows) if not each.level.unjudgeable]
        if not levels:
            raise error from None
        return _only(levels)
    marked = _levels_of(text) if _MAY_BE_MARKED.match(text) else []
    return marked[0] if len(marked) == 1 else plain


def _only(levels: list[Entry]) -> Entry:
    distinct = list({entry.level.published_text: entry for entry in reversed(levels)}.values())[::-1]
    if len(distinct) > 1:
        names = [entry.title or f"{entry.level.width} x {entry.level.height}" for entry in distinct[:_MAX_NAMES]]
        more = ", …" if len(distinct) > _MAX_NAMES else ""
        raise SeveralLevels(count=len(distinct), names=", ".join(names) + more)
    return distinct[0]


def _levels_of(text: str) -> list[Entry]:
    """Return the first levels of a text. Raise PuzzleError for a board that cannot be read."""
    header, levels = Header(), list[Entry]()
    gaps, stated = find_gaps([text], header, Stated())
    for entry in read_gaps(islice(gaps, _MAX_LEVELS), header, stated, with_moves=False):
        if isinstance(entry, Unread):
            raise entry.error
        levels.append(replace(entry, remarks=(*header.remarks, *entry.remarks)))
    return levels
