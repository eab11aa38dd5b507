"""Write levels as plain XSB text, for copying and for files; `boards` and `collection` read it."""

from collections.abc import Iterable

from solvers.sokoban import runlength
from solvers.sokoban.formats.collection import Entry
from solvers.sokoban.level import Level


def write(entries: Iterable[Entry], *, line_end: str = "\n") -> str:
    r"""Write boards with `Title:` and `Author:` below each, floor as `-`; *line_end* is `\r\n` in downloaded files.

    >>> print(write([Entry(1, 1, Level.parse("#####|#@$.#|#####"), "One", "Somebody")]), end="")
    #####
    #@$.#
    #####
    Title: One
    Author: Somebody
    """
    texts = []
    for entry in entries:
        lines = [str(entry.level)]
        lines += [f"{key}: {text}" for key, text in (("Title", entry.title), ("Author", entry.author)) if text]
        texts.append("\n".join([*lines, ""]))
    return "\n".join(texts).replace("\n", line_end)


def run_length(level: Level) -> str:
    """Encode *level* on one line, run-length encoded; floor at row ends is dropped.

    >>> run_length(Level.parse("####--|#-.#--|#--###|#*@--#|#--$-#|#--###|####--"))
    '4#|#-.#|#--3#|#*@--#|#--$-#|#--3#|4#'
    """
    return runlength.encode("|".join(row.rstrip("-") or "-" for row in level.rows()))


def rows_with_blanks(level: Level) -> list[str]:
    """Return rows with floor as blanks, without trailing blanks; a row of floor is one `-`, as no line may be blank."""
    return [row.replace("-", " ").rstrip() or "-" for row in level.rows()]
