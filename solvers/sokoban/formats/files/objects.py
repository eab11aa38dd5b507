"""Read levels in JSON: objects with a board, and beside it a title, an author and a solution."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from solvers.errors import PuzzleError
from solvers.sokoban.formats import letslogic
from solvers.sokoban.formats.runs import TextLine
from solvers.sokoban.formats.text import LINE_END

JSON_START = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\"\[{])")
_FARTHEST = 2_000  # characters between two rows that are searched
_BOARDS = ("xsb", "board", "map", "level", "rows", "grid", "puzzle")
_FIELDS = {"Title": ("title", "name"), "Author": ("author", "by"), "": ("lurd", "solution", "moves", "answer")}


def lines_of_json(text: str) -> list[TextLine]:
    """Return the levels in a JSON text, or in lines of JSON, as lines of a .sok file, numbered as in *text*.

    >>> [line.text for line in lines_of_json('{"name": "One", "map": "#####|#@$.#|#####"}')]
    ['#####|#@$.#|#####', 'Title: One', '']
    """
    for texts in ([text], [line for line in text.splitlines() if line.strip()]):
        try:
            documents = [json.loads(each) for each in texts]
        except (ValueError, RecursionError):
            continue
        return [TextLine(*line) for line in _find_levels(documents, text)]
    return []


def _find_levels(documents: list[Any], text: str) -> Iterator[tuple[int, str]]:
    left = documents[::-1]
    place = 0, 1  # index in the text, and its line
    while left:
        value = left.pop()
        if not isinstance(value, (dict, list)):
            continue
        fields = {key.lower(): field for key, field in value.items()} if isinstance(value, dict) else {"board": value}
        board = next((rows for name in _BOARDS if (rows := _rows_of(fields, name))), None)
        if board is None:
            left += reversed(value if isinstance(value, list) else list(fields.values()))
            continue
        begin = place
        for row in board:
            place = _find(row, text, place) or place
            yield place[1], row
        for key, names in _FIELDS.items():
            value = next((field for name in names if isinstance(field := fields.get(name), str)), "")
            if words := " ".join(value.split()):
                line = (_find(value, text, begin) or place)[1]
                yield from [(line, f"{key}: {words}")] if key else [(line, ""), (line, words)]
        yield place[1], ""


def _find(value: str, text: str, place: tuple[int, int]) -> tuple[int, int] | None:
    """Return the index behind *value* in *text*, and its line; None if it is not near *place* or written otherwise."""
    start, line = place
    at = text.find(value, start, start + _FARTHEST)
    return None if at == -1 else (at + len(value), line + len(LINE_END.findall(text, start, at)))


def _rows_of(fields: dict[str, Any], name: str) -> list[str] | None:
    """Return the rows of a board: a text, a list of rows, a list of lists of characters, or letslogic's digits."""
    value = fields.get(name)
    if isinstance(value, list):
        rows = ["".join(map(str, row)) if isinstance(row, list) else row for row in value]
        value = "\n".join(rows) if rows and all(isinstance(row, str) for row in rows) else None
    if not isinstance(value, str):
        return None
    width, height = fields.get("width"), fields.get("height")
    if value.isdecimal() and isinstance(width, int) and isinstance(height, int):
        with suppress(PuzzleError):
            return [*letslogic.parse(value, width, height).rows()]
    rows = value.splitlines()
    return rows if "#" in value or ("H" in value and ("|" in value or len(rows) > 1)) else None
