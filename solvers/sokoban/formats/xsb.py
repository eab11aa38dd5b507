"""Write levels as plain XSB text, for people to copy and for files; to read it is `boards` and `collection`."""

from collections.abc import Iterable

from solvers.sokoban import runlength
from solvers.sokoban.formats.collection import Entry
from solvers.sokoban.level import Level


def write(entries: Iterable[Entry], *, line_end: str = "\n") -> str:
    r"""Write boards with `Title:` and `Author:` below each, floor as `-`; *line_end* is `\r\n` in files to load down.

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
    """Write *level* on one line, run-length encoded, floor at the end of rows dropped.

    >>> run_length(Level.parse("####--|#-.#--|#--###|#*@--#|#--$-#|#--###|####--"))
    '4#|#-.#|#--3#|#*@--#|#--$-#|#--3#|4#'
    """
    return runlength.encode("|".join(row.rstrip("-") or "-" for row in level.rows()))


def rows_with_blanks(level: Level) -> list[str]:
    """The rows with floor as blanks, none at the end; a row of floor alone is one `-`, as no line may be blank."""
    return [row.replace("-", " ").rstrip() or "-" for row in level.rows()]
