"""Replay many solutions or read many level files, one JSON object per line, for the command line.

The output is ASCII, so it does not depend on the terminal's encoding.

`replay_lines` reads objects with `xsb` (one board) and `lurd` (the moves). For each, in order, it yields

    {"verdict", "moves", "pushes", "index", "step", "why", "cut", "case_corrected"}

*verdict* is solved, not_solved, illegal, malformed, empty, too_long or bad_level. *moves* and *pushes* count what was
played up to the solved state or the first mistake; they are 0 if nothing was replayed. *index* counts characters of
`lurd` from 0, *step* counts moves from 1; both are null if no character or move is at fault. *why* is a code such as
wall, box_against_wall, foreign_character, players, boxes_goals; null for solved, not_solved and empty. An invalid line
yields an object with `verdict` null, `why` "bad_line" and a message in `error`.

`level_lines` yields for each level found in files of any format

    {"file", "number", "line", "title", "author", "xsb", "width", "height", "boxes", "goals",
     "problems", "solutions", "remarks"}

*problems* are strings such as `players=2`, `boxes=4 goals=3`, `open`; *solutions* are the moves in the file that solve
the level. For an unreadable board `xsb` is null, and `problems` and `error` give the reason and position.
"""

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from solvers.errors import BlankLine, PuzzleError
from solvers.sokoban.formats import Entry, Unread, read_file
from solvers.sokoban.formats.xsb import rows_with_blanks
from solvers.sokoban.level import Level
from solvers.sokoban.reading.readers import Judgement, Outcome, Reader, judge


def replay_lines(lines: Iterable[str], reader: Reader | str = Reader.RUN_LENGTH) -> Iterator[str]:
    """Yield one JSON line for each of *lines* that is not blank. Never raise because of a line's content.

    >>> next(replay_lines(['{"xsb": "#####|#@$.#|#####", "lurd": "rR"}']))[:48]
    '{"verdict": "solved", "moves": 1, "pushes": 1, "'
    """
    reader = Reader(reader)
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield json.dumps(_replay_line(line, number, reader))


def _replay_line(line: str, number: int, reader: Reader) -> dict[str, Any]:
    try:
        task = json.loads(line)
        xsb, lurd = task["xsb"], task["lurd"]
    except (ValueError, RecursionError):
        return _bad_line_answer(f"line {number} is not JSON")
    except (TypeError, KeyError, IndexError):
        return _bad_line_answer(f"line {number} is no object with xsb and lurd")
    if not isinstance(xsb, str) or not isinstance(lurd, str):
        return _bad_line_answer(f"line {number}: xsb and lurd must be strings")
    level, error = _parse_level(xsb)
    if level is None:
        return _judgement_as_json(Judgement(Outcome.BAD_LEVEL, why=error.code if error else None))
    return _judgement_as_json(judge(level, lurd, reader))


@lru_cache(maxsize=64)
def _parse_level(xsb: str) -> tuple[Level | None, PuzzleError | None]:
    """Parse a task's board. The text is exactly one board, so a blank line inside it can only be a row of floor."""
    try:
        try:
            return Level.parse(xsb), None
        except BlankLine:
            return Level.parse("\n".join(row if row.strip() else "-" for row in xsb.splitlines())), None
    except PuzzleError as error:
        return None, error


def _judgement_as_json(judgement: Judgement) -> dict[str, Any]:
    return {
        "verdict": judgement.outcome.value,
        "moves": judgement.moves,
        "pushes": judgement.pushes,
        "index": judgement.index,
        "step": judgement.step,
        "why": judgement.why,
        "cut": judgement.cut,
        "case_corrected": judgement.case_corrected,
    }


def _bad_line_answer(message: str) -> dict[str, Any]:
    answer = _judgement_as_json(Judgement(Outcome.MALFORMED, why="bad_line"))
    return {**answer, "verdict": None, "error": message}


def level_lines(files: Iterable[str | Path]) -> Iterator[str]:
    """Yield one JSON line for each level in *files*, and for each file or board that cannot be read.

    Memory O(one level and the text around it).
    """
    for file in files:
        name = str(file)
        try:
            for entry in read_file(Path(file)):
                answer = _level_as_json(entry) if isinstance(entry, Entry) else _unread_as_json(entry)
                yield json.dumps({"file": name, **answer})
        except PuzzleError as error:
            yield json.dumps({"file": name, **_no_level_answer(str(error), error.code)})
        except (OSError, ValueError) as error:  # ValueError: a NUL in the file's name
            yield json.dumps({"file": name, **_no_level_answer(str(error), "not_found")})


def _level_as_json(entry: Entry) -> dict[str, Any]:
    level = entry.level
    return {
        "number": entry.number,
        "line": entry.line,
        "title": entry.title,
        "author": entry.author,
        "xsb": "\n".join(rows_with_blanks(level)),
        "width": level.width,
        "height": level.height,
        "boxes": len(level.boxes),
        "goals": len(level.goals),
        "problems": [str(problem) for problem in entry.problems],
        "solutions": [attempt.lurd for attempt in entry.solutions],
        "remarks": [str(remark) for remark in entry.remarks],
    }


def _no_level_answer(message: str, code: str) -> dict[str, Any]:
    empty = dict.fromkeys(("number", "line", "title", "author", "xsb", "width", "height", "boxes", "goals"))
    return {**empty, "problems": [message], "solutions": [], "remarks": [], "error": code}


def _unread_as_json(unread: Unread) -> dict[str, Any]:
    answer = _no_level_answer(str(unread.error), unread.error.code)
    return {**answer, "number": unread.number, "line": unread.line, "title": unread.title, "author": ""}
