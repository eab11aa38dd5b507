"""Read boards inside other text: marks before rows, quotation marks, tags, and other programs' alphabets.

Each table has one line for each kind. A board read by one of them has a remark.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import groupby, pairwise

from solvers.errors import UnknownAlphabet
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.rows import MIN_ROWS, ROWISH, Allowance
from solvers.sokoban.formats.runs import Board, Run, Segment, TextLine, Unreadable, parse_judgeable, parse_row

Reader = Callable[[Iterable[Segment]], Iterator[Segment]]

_MAX_LINES = 500  # of one paragraph of text
_MAX_LINE = 2_000  # characters

# Marks that are characters of a board too: the whole board decides whether they belong to it.
_BOARD_MARKS = (
    (Notice.LINE_NUMBERS, re.compile(r"[ \t]*(?P<mark>[0-9]{1,4})(?:[.)|][ \t]?|[ \t])(?P<row>.*)")),
    (Notice.COMMENT_MARKS, re.compile(r"[ \t]*(?P<mark>[#*.$+@])[ \t](?P<row>.*)")),
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
# Characters of other programs, beside the same in XSB.
_ALPHABETS = (
    ("X*& .@+-_", "#$* .@+-_"),  # Begoon's mazes
    ("BX% .@+-_", "#$* .@+-_"),
)
_TAGS = re.compile(
    r"\[/?(?:code|pre|xsb|quote)[^\]]{0,40}\]"  # forums
    r"|</?(?:pre|code|p|div)\b[^>]{0,99}>"  # web pages
    r"|^[ \t]*(?:```|~~~)\w*[ \t]*$",  # Markdown
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{3}|[A-Z][a-z]")
_LINE_BREAK = re.compile(r"<br[ ]?/?>", re.IGNORECASE)


def split_markup(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines; a tag of a forum or web page that begins or ends a code block becomes a blank line.

    Only lines of tags and rows are changed.
    """
    for number, line in lines:
        if ("[" in line or "<" in line or "`" in line or "~" in line) and len(line) <= 100 * _MAX_LINE:
            pieces = _TAGS.split(line)
            rows = [row for piece in pieces for row in _LINE_BREAK.split(piece)]
            if len(rows) > 1 and all(not row.strip() or ROWISH.fullmatch(row) for row in rows):
                for at, piece in enumerate(pieces):
                    yield from ((number, row) for row in _LINE_BREAK.split(piece) if row.strip())
                    if at < len(pieces) - 1:
                        yield number, ""
                continue
        yield number, line


def remove_marks(run: Run) -> Run:
    """Remove line numbers, comment marks or bars before the rows of *run*, if the rest is a level."""
    for kind, pattern in _BOARD_MARKS:
        matches = [pattern.fullmatch(line.raw) for line in run.lines]
        found = [match for match in matches if match]
        if len(found) < len(matches) or run.uncounted or not _are_marks(kind, found):
            continue
        allowance = Allowance()
        rows = [
            parse_row(TextLine(line.number, match["row"]), allowance)
            for line, match in zip(run.lines, found, strict=True)
        ]
        lines = [row for row in rows if row and not row.error]
        level = parse_judgeable([row for line in lines for row in line.rows]) if len(lines) == len(rows) else None
        if level and level.is_closed:
            return Run(lines, 0, run.left_out, kind)
    return run


def _are_marks(kind: Notice, matches: list[re.Match[str]]) -> bool:
    """Return whether the marks are consecutive numbers, or all the same sign."""
    marks = [match["mark"] for match in matches]
    if kind == Notice.LINE_NUMBERS:
        return all(int(lower) == int(upper) + 1 for upper, lower in pairwise(marks))
    return len(set(marks)) == 1


def find_wrapped(parts: Iterable[Segment], read: Reader) -> Iterator[Segment]:
    """Find boards in the paragraphs of text among *parts*; *read* reads their lines without the wrapping."""
    paragraph: list[TextLine] = []
    for part in parts:
        if isinstance(part, TextLine) and part.text.strip() and len(paragraph) < _MAX_LINES:
            paragraph.append(part)
            continue
        yield from _read_paragraph(paragraph, read)
        paragraph = []
        yield part
    yield from _read_paragraph(paragraph, read)


def _read_paragraph(paragraph: list[TextLine], read: Reader) -> Iterator[Segment]:
    if len(paragraph) < MIN_ROWS:
        yield from paragraph
        return
    attempts = (*_unwrap_marks(paragraph), *_translate(paragraph))
    for remark, lines in attempts:
        found = [*read(lines)]
        boards = [part for part in found if isinstance(part, Board)]
        if boards and all(not board.level.unjudgeable and board.level.is_closed for board in boards):
            originals = {line.number: line for line in paragraph}
            for part in found:
                if isinstance(part, Board):
                    located = Remark(remark.code, part.number, remark.values)
                    yield replace(part, remarks=(*part.remarks, located))
                else:
                    yield originals[part.number] if isinstance(part, TextLine) else part
            return
    yield from _name_walls(paragraph)


def _unwrap_marks(paragraph: list[TextLine]) -> Iterator[tuple[Remark, list[TextLine]]]:
    for kind, pattern in _TEXT_MARKS:
        matches = [pattern.fullmatch(line.text) if len(line.text) <= _MAX_LINE else None for line in paragraph]
        if kind != Notice.LINE_NUMBERS and any(matches):  # a note beside the board may have another mark
            sign = Counter(match["mark"] for match in matches if match).most_common(1)[0][0]
            matches = [match if match and match["mark"] == sign else None for match in matches]
        found = [match for match in matches if match]
        if len(found) >= MIN_ROWS and _are_marks(kind, found):
            yield (
                Remark(kind),
                [
                    TextLine(line.number, match["row"]) if match else line
                    for line, match in zip(paragraph, matches, strict=True)
                ],
            )


def _translate(paragraph: list[TextLine]) -> Iterator[tuple[Remark, list[TextLine]]]:
    for signs, meanings in _ALPHABETS:
        table = str.maketrans(signs, meanings)
        is_row = [set(line.text.rstrip()) <= set(signs) and signs[0] in line.text for line in paragraph]
        if sum(is_row) >= MIN_ROWS:
            named = dict(zip(("wall", "box", "home"), signs, strict=False))
            yield (
                Remark(Notice.OTHER_ALPHABET, values=named),
                [
                    TextLine(line.number, line.text.translate(table)) if row else line
                    for line, row in zip(paragraph, is_row, strict=True)
                ],
            )


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
