"""Decode bytes, split lines, and fold equivalent characters (docs/reference/formats.md, *Level files*)."""

import re
from collections.abc import Iterable, Iterator
from string import ascii_letters, digits

from solvers.errors import TooLong
from solvers.sokoban.formats.files.encodings import encoding_of

MAX_LINE = 4_194_304  # characters; submitted moves may be on one line
LINE_END = re.compile(r"\r\n|\n\r|\n|\r")


def decode(data: bytes, *, encoding: str = "") -> str:
    """Decode the bytes of a level file; *encoding* overrides the guess of `encoding_of`. Raise NotText.

    >>> decode(b"Andr\\xe9")
    'André'
    """
    return data.decode(encoding or encoding_of([data]).name, errors="replace")


def split_lines(chunks: Iterable[str]) -> Iterator[str]:
    r"""Yield the lines of a text read in chunks, without line ends and byte order marks.

    >>> list(split_lines(["#\r", "\n# #\n\r#"]))
    ['#', '# #', '#']

    Raise TooLong for a line beyond 4 MiB, to bound memory.
    """
    held = ""
    for chunk in chunks:
        held += chunk
        at = 0
        for end in LINE_END.finditer(held):
            if end.end() == len(held) and len(end[0]) == 1:
                break  # its second half may be in the next chunk
            yield held[at : end.start()].lstrip("\ufeff")
            at = end.end()
        held = held[at:]
        if len(held) > MAX_LINE:
            raise TooLong(size=len(held), limit=MAX_LINE)
    yield from (line.lstrip("\ufeff") for line in LINE_END.split(held))


_FULL_WIDTH = {ord(character) + 0xFEE0: character for character in f"#@+$*.-_|()[]{{}}{digits}{ascii_letters}"}
_BLANKS = dict.fromkeys([0xA0, 0x3000], " ")
_INVISIBLE = [0x200B, 0x200C, 0x200D, 0x2060, 0xAD]
_FOLD: dict[int, str | None] = {**_FULL_WIDTH, **_BLANKS, **dict.fromkeys(_INVISIBLE)}
# The code of the remark about each change that `fold` makes.
FOLDED = {"full_width": {*_FULL_WIDTH}, "odd_blank": {*_BLANKS}, "invisible": {*_INVISIBLE}}
# Blanks have no meaning in moves, so dropped characters become blanks and indices do not change.
_ARROWS = dict(zip(map(ord, "←↑→↓左上右下"), "lurdlurd", strict=True))
_OTHER_BLANKS = [0xFEFF, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, ord(","), 0xFF0C]
_FOLD_MOVES = {**_FULL_WIDTH, **_BLANKS, **_ARROWS, **dict.fromkeys([*_INVISIBLE, *_OTHER_BLANKS], " ")}
_QUOTES = re.compile(r">(?: ?>){0,2}")


def fold(line: str) -> str:
    """Return *line* with full-width characters as ASCII, odd blanks as blanks, invisible characters dropped.

    >>> fold("＃＠＄\\u3000＃")
    '#@$ #'
    """
    return line if line.isascii() else line.translate(_FOLD)


def fold_moves(text: str) -> str:
    """Fold moves text: arrows and full-width letters to letters, commas and odd blanks to blanks. Keep all indices.

    >>> fold_moves("→,上,Ｒ")
    'r u R'
    """
    return text.replace(",", " ") if text.isascii() else text.translate(_FOLD_MOVES)


def quotes(line: str) -> int:
    """Return the length of the mail quotes at the start of *line*, at most three `>`."""
    found = _QUOTES.match(line) if line.startswith(">") else None
    return found.end() if found else 0
