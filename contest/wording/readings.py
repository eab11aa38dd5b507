"""Messages about how a text with levels was read: what was guessed, changed or left out."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from solvers.sokoban.formats import Collection, Entry, Header, Notice, Unread
from solvers.sokoban.formats.files.roles import Role

# The remarks that are shown: the others are about moves, or about characters that every reader changes.
READINGS = {
    Notice.ENCODING_GUESSED: gettext_lazy(
        "The encoding was guessed: %(encoding)s. If names look wrong, choose another encoding and read the file again."
    ),
    Notice.TITLES_UNCLEAR: gettext_lazy(
        "The names between the boards could belong to the board above or below. Check a few of them. If they are "
        "wrong, choose the other reading and read the file again."
    ),
    Notice.TEXT_BEHIND_ROW: gettext_lazy("Text behind a row was left out: %(text)s"),
    Notice.LINE_LEFT_OUT: gettext_lazy("A line between two rows was left out."),
    Notice.LINE_NUMBERS: gettext_lazy("The line numbers before the rows were removed."),
    Notice.COMMENT_MARKS: gettext_lazy("The comment marks before the rows were removed."),
    Notice.TABLE_ROWS: gettext_lazy("The bars around the rows were removed."),
    Notice.QUOTED_ROWS: gettext_lazy("The quotation marks around the rows were removed."),
    Notice.OTHER_ALPHABET: gettext_lazy(
        "The board was read in another program's characters: %(wall)s wall, %(box)s box, %(home)s box on goal."
    ),
}


ROLES = {
    Role.BLANK: pgettext_lazy("kind of line", "blank"),
    Role.ROW: pgettext_lazy("kind of line", "row"),
    Role.FAULTY_ROW: pgettext_lazy("kind of line", "row of an unreadable board"),
    Role.TITLE: pgettext_lazy("kind of line", "title"),
    Role.AUTHOR: pgettext_lazy("kind of line", "author"),
    Role.NOTE: pgettext_lazy("kind of line", "note"),
    Role.MOVES: pgettext_lazy("kind of line", "moves"),
    Role.LEFT_OUT: pgettext_lazy("kind of line", "left out"),
}


def pack_readings(parts: Iterable[Entry | Unread | Header | Collection]) -> list[list[Any]]:
    """Return the remarks of *parts* of a file that are shown, as code, line and values to store."""
    remarks = (remark for part in parts if not isinstance(part, Unread) for remark in part.remarks)
    return [[remark.code, remark.line, remark.values] for remark in remarks if remark.code in READINGS]


def describe_reading(code: str, line: int, values: dict[str, Any]) -> str:
    """Return a remark of a reader as a sentence, with its line."""
    message = str(READINGS[Notice(code)]) % values
    return _("Line %(line)s: %(words)s") % {"line": line, "words": message} if line else message
