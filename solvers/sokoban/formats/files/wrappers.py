"""Read boards inside other text: marks before rows, quotation marks, tags, and other programs' alphabets.

Each table has one line for each kind. A board read by one of them has a remark.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice, pairwise
from operator import ne

from solvers.errors import UnknownAlphabet
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.rows import MIN_ROWS, ROWISH, Allowance, Board
from solvers.sokoban.formats.runs import Run, Segment, TextLine, Unreadable, is_sound, parse_level, parse_row

Reader = Callable[[Iterable[Segment]], Iterator[Segment]]
_Marks = tuple[tuple[Notice, re.Pattern[str]], ...]

_MAX_LINES = 500  # of one paragraph of text
_MAX_LINE = 2_000  # characters

# Marks that are characters of a board too: the whole board decides whether they belong to it.
_BOARD_MARKS = (
    (Notice.LINE_NUMBERS, re.compile(r"[ \t]*(?P<mark>[0-9]{1,4})(?:[.)|][ \t]?|[ \t])(?P<row>.*)")),
    (Notice.COMMENT_MARKS, re.compile(r"[ \t]*(?P<mark>[#*.$+@])[ \t](?P<row>.*)")),
    (Notice.COMMENT_MARKS, re.compile(r"(?P<mark>\+)(?P<row>.*)")),  # of a diff
    (Notice.TABLE_ROWS, re.compile(r"[ \t]*(?P<mark>\|)(?P<row>.*)\|[ \t]*")),
)
# Marks that make a line text.
_TEXT_MARKS = (
    (
        Notice.QUOTED_ROWS,
        re.compile(r"[^\"'`]{0,40}(?P<mark>[\"'`])(?P<row>[^\"'`]*?)(?:\\n)?(?P=mark)[\])};,+\\ \t]*"),
    ),
    (Notice.COMMENT_MARKS, re.compile(r"[ \t]*(?P<mark>//+|;+|%+|--(?!-)|!|'|REM\b)(?P<row>.*)")),
    (Notice.LINE_NUMBERS, re.compile(r"[ \t]*\[?(?P<mark>[0-9]{1,4})[ \t]*[\]:)][ \t]?(?P<row>.*)")),
)
# Characters of other programs for wall, box and box on goal; the others are as in XSB.
ALPHABETS = {
    "pusher": "X*&",  # the mazes of pusher.exe (DOS), as github.com/begoon/sokoban-maps writes them
    "bx": "BX%",  # reported without a source; no program that writes it is known to us
}
_SAME_SIGNS = " .@+-_"
_TAGS = re.compile(
    r"\[/?(?:code|pre|xsb|quote)[^\]]{0,40}\]"  # forums
    r"|</?(?:pre|code|p|div)\b[^>]{0,99}>"  # web pages
    r"|^[ \t]*(?:```|~~~)\w*[ \t]*$",  # Markdown
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{3}|[A-Z][a-z]")
_TAG_LINE = "[tag]"
_LINE_BREAK = re.compile(r"<br[ ]?/?>", re.IGNORECASE)
# Rows of a Markdown table with one square in each cell, and the line under its head.
_CELLS = re.compile(r"[ \t]*\|(?: ?[^|\s]? {0,2}\|){3,}[ \t]*")
_TABLE_LINE = re.compile(r"[ \t]*\|(?: ?:?-+:? ?\|){3,}[ \t]*")


def split_markup(lines: Iterable[TextLine]) -> Iterator[TextLine]:
    """Yield the lines; a tag of a forum or web page that begins or ends a code block becomes a blank line.

    Only lines of tags and rows are changed. The cells of a table with one square each become rows.
    """
    for line in lines:
        text = line.text
        if "|" in text and len(text) <= _MAX_LINE:
            if _CELLS.fullmatch(text):
                yield TextLine(line.number, "".join(cell.strip() or " " for cell in text.strip()[1:-1].split("|")))
                continue
            if _TABLE_LINE.fullmatch(text):
                continue
        if any(sign in text for sign in "[<`~") and len(text) <= 100 * _MAX_LINE:
            rows = _LINE_BREAK.sub("\n", _TAGS.sub(f"\n{_TAG_LINE}\n", text)).split("\n")
            rows = [row for row in rows if row.strip()]
            is_board = all(row == _TAG_LINE or ROWISH.fullmatch(row) for row in rows[:_MAX_LINES])
            if rows != [text] and is_board:
                yield from (TextLine(line.number, "" if row == _TAG_LINE else row) for row in rows)
                continue
        yield line


def translate(lines: Iterable[TextLine], alphabet: str) -> Iterator[TextLine]:
    """Yield the lines; rows in one of ALPHABETS become XSB."""
    signs = ALPHABETS[alphabet]
    table, allowed = str.maketrans(signs, "#$*"), {*signs, *_SAME_SIGNS}
    for line in lines:
        is_row = signs[0] in line.text and allowed.issuperset(line.text.rstrip())
        yield TextLine(line.number, line.text.translate(table)) if is_row else line


def remove_marks(run: Run) -> Run:
    """Remove line numbers, comment marks or bars before the rows of *run*, if the rest is a level."""
    for kind, lines in _unmark(run.lines, _BOARD_MARKS, len(run.lines) + run.uncounted):
        allowance = Allowance()
        rows = [row for line in lines if (row := parse_row(line, allowance)) and not row.error]
        unmarked = Run(rows, 0, run.left_out, kind)
        if len(rows) == len(lines) and is_sound(parse_level(unmarked.rows)):
            return unmarked
    return run


def _unmark(lines: Sequence[TextLine], marks: _Marks, least: int = MIN_ROWS) -> Iterator[tuple[Notice, list[TextLine]]]:
    """Yield *lines* without marks of each kind that at least *least* have: consecutive numbers, or the same sign."""
    for kind, pattern in marks:
        matches = [pattern.fullmatch(line.text) if len(line.text) <= _MAX_LINE else None for line in lines]
        signs = Counter(match["mark"] for match in matches if match)
        if kind != Notice.LINE_NUMBERS and signs:  # a note beside the board may have another mark
            sign = signs.most_common(1)[0][0]
            matches = [match if match and match["mark"] == sign else None for match in matches]
        found = [match["mark"] for match in matches if match]
        is_counted = kind != Notice.LINE_NUMBERS or all(int(low) == int(up) + 1 for up, low in pairwise(found))
        if len(found) >= least and is_counted:
            pairs = zip(lines, matches, strict=True)
            yield kind, [TextLine(line.number, match["row"]) if match else line for line, match in pairs]


def find_wrapped(parts: Iterable[Segment], read: Reader) -> Iterator[Segment]:
    """Find boards in the paragraphs of text among *parts*; *read* reads their lines without the wrapping."""
    for is_paragraph, group in groupby(parts, lambda part: isinstance(part, TextLine) and bool(part.text.strip())):
        while is_paragraph and (paragraph := [*islice(group, _MAX_LINES)]):
            yield from _read_paragraph([line for line in paragraph if isinstance(line, TextLine)], read)
        yield from group


def _read_paragraph(paragraph: list[TextLine], read: Reader) -> Iterator[Segment]:
    originals = {line.number: line for line in paragraph}
    for remark, lines in _readings(paragraph) if len(paragraph) >= MIN_ROWS else ():
        parts = [*read(lines)]
        boards = [part for part in parts if isinstance(part, Board)]
        if boards and all(is_sound(board.level) for board in boards):
            for part in parts:
                if isinstance(part, Board):
                    yield replace(part, remarks=(*part.remarks, replace(remark, line=part.number)))
                else:
                    yield originals[part.number] if isinstance(part, TextLine) else part
            return
    yield from _name_walls(paragraph)


def _readings(paragraph: list[TextLine]) -> Iterator[tuple[Remark, list[TextLine]]]:
    """Yield the lines without marks, and in the characters of other programs."""
    for kind, lines in _unmark(paragraph, _TEXT_MARKS):
        yield Remark(kind), lines
    for name, signs in ALPHABETS.items():
        lines = [*translate(paragraph, name)]
        if sum(map(ne, lines, paragraph)) >= MIN_ROWS:
            yield Remark(Notice.OTHER_ALPHABET, values=dict(zip(("wall", "box", "home"), signs, strict=True))), lines


def _name_walls(paragraph: list[TextLine]) -> Iterator[Segment]:
    """Yield the lines; report those that are drawn like a board but in no known alphabet."""
    for wall, group in groupby(paragraph, lambda line: _wall_of(line.text)):
        lines = list(group)
        signs = set().union(*(line.text.replace(" ", "") for line in lines))
        is_framed = wall and all(set(line.text.strip()) == {wall} for line in (lines[0], lines[-1]))
        if is_framed and len(lines) >= MIN_ROWS and 4 <= len(signs) <= 8:
            number = lines[0].number
            error = UnknownAlphabet(line=number, column=1, walls=wall)
            yield Unreadable(number, error, tuple(line.number for line in lines))
        else:
            yield from lines


def _wall_of(text: str) -> str:
    """Return the sign at both ends of a line that may be a row in an unknown alphabet, or ""."""
    row = text.strip()
    wall = row[:1]
    is_row = len(row) >= MIN_ROWS and wall == row[-1] and wall not in "lurdLURD>"
    return wall if is_row and not _WORD.search(row.strip(wall)) else ""
