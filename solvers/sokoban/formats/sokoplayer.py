"""Levels in links: of SokoPlayer, with rows in the MF8 alphabet, and of this site's pages.

`http://sokoban.ws/sokoplayer/?w=<width>&h=<height>&lvl=<rows joined by |>`
"""

import re
from urllib.parse import unquote, unquote_plus

from solvers.errors import TooLong
from solvers.sokoban.formats import compact, mf8
from solvers.sokoban.formats.rows import Board, board_of_text, read_size
from solvers.sokoban.level import Level

ADDRESS = "http://sokoban.ws/sokoplayer/"
_LINK = re.compile(r"[?&#](?:lvl|level)=\S|\blvl=\S")  # within a word; for whole words it would take quadratic time
_OWN_LINK = re.compile(r"(?:[?&#]level=|^(?=[A-H0-9]+$))([^&#\s]+)")
_FIELD = re.compile(r"(?:^|[?&])(lvl|w|h)=([^&]*)")
_MAX_LINK = 262_144


def parse(link: str, *, line: int = 0) -> Board:
    """Parse a link, or only its query. The rows count, not the stated size.

    >>> print(parse("?w=5&h=3&lvl=HHHHH|Ha$.H%7CHHHHH").level)
    #####
    #@$.#
    #####

    Rows are separated by `|` or line ends; `-` and blanks are floor; XSB letters work too. Raise PuzzleError.
    """
    if len(link) > _MAX_LINK:
        raise TooLong(size=len(link), limit=_MAX_LINK)
    fields = {name: unquote_plus(value) for name, value in reversed(_FIELD.findall(link.partition("#")[0]))}
    text = fields.get("lvl", "")
    if "H" in text:  # beside walls of MF8, `#` and `@` have one meaning
        text = text.translate(str.maketrans("#@", "Ha"))
    return board_of_text(text, read_size(fields.get("w", "")), read_size(fields.get("h", "")), line=line)


def find_links(text: str) -> list[str]:
    """Return the words of *text* that are links with a level in them.

    >>> find_links("see https://example.org/sokoplayer/?w=5&h=3&lvl=HHHHH|Ha$.H|HHHHH !")
    ['https://example.org/sokoplayer/?w=5&h=3&lvl=HHHHH|Ha$.H|HHHHH']
    """
    return [word for word in text.split() if _LINK.search(word)] if _LINK.search(text) else []


def read_link(link: str, *, line: int = 0) -> Board:
    """Read the level of any link, of SokoPlayer or of this site, or of a compact code. Raise PuzzleError."""
    own = None if "lvl=" in link else _OWN_LINK.search(link)
    if own is None:
        return parse(link, line=line)
    text = unquote(own[1])
    level = compact.parse(text) if compact.CODE.fullmatch(text) else Level.parse(text)
    return Board(line, level, lines=(line,))


def write(level: Level, *, address: str = ADDRESS, escaped: bool = False) -> str:
    """Return the link that plays *level*; HTML and feeds need it *escaped*, with `%7C` instead of `|`.

    >>> write(Level.parse("#####|#@$.#|#####"))
    'http://sokoban.ws/sokoplayer/?w=5&h=3&lvl=HHHHH|Ha$.H|HHHHH'
    """
    rows = mf8.write(level)
    return f"{address}?w={level.width}&h={level.height}&lvl={rows.replace('|', '%7C') if escaped else rows}"
