"""Remarks: changes and oddities that a reader reports as warnings although it could read the file."""

from dataclasses import dataclass, field
from enum import StrEnum


class Notice(StrEnum):
    """All remarks of format readers; the value is the stable code."""

    FULL_WIDTH = "full_width"
    ODD_BLANK = "odd_blank"
    INVISIBLE = "invisible"
    QUOTED = "quoted"
    X_AS_BOX = "x_as_box"
    W_AS_WALL = "w_as_wall"
    O_AS_GOAL = "o_as_goal"
    ZERO_COUNT = "zero_count"
    SIZE_DIFFERS = "size_differs"
    NOT_CLASSIC = "not_classic"
    CLAIM_DIFFERS = "claim_differs"
    REPEATED_KEY = "repeated_key"
    OPEN_COMMENT = "open_comment"
    CUT = "cut"
    REVERSE_MODE = "reverse_mode"
    SEVERAL_PUSHERS = "several_pushers"
    UNREAD_MOVES = "unread_moves"
    TOO_MANY_MOVES = "too_many_moves"
    ENCODING_GUESSED = "encoding_guessed"
    TEXT_BEHIND_ROW = "text_behind_row"
    LINE_LEFT_OUT = "line_left_out"
    LINE_NUMBERS = "line_numbers"
    COMMENT_MARKS = "comment_marks"
    TABLE_ROWS = "table_rows"
    QUOTED_ROWS = "quoted_rows"
    OTHER_ALPHABET = "other_alphabet"
    TITLES_UNCLEAR = "titles_unclear"


_WORDS = {
    Notice.FULL_WIDTH: "full-width characters were read as ASCII",
    Notice.ODD_BLANK: "no-break or ideographic blanks were read as blanks",
    Notice.INVISIBLE: "invisible characters were left out",
    Notice.QUOTED: "mail quotes were removed",
    Notice.X_AS_BOX: "X was read as a box",
    Notice.W_AS_WALL: "W was read as a wall",
    Notice.O_AS_GOAL: "o was read as a goal",
    Notice.ZERO_COUNT: "a count of 0 stands for nothing",
    Notice.SIZE_DIFFERS: "the size given is {given}, the rows say {found}",
    Notice.NOT_CLASSIC: "this is not classic Sokoban: {reason}",
    Notice.CLAIM_DIFFERS: "the text claims {claimed}, the replay counts {counted}",
    Notice.REPEATED_KEY: "{key} stands here again with another value; the first counts",
    Notice.OPEN_COMMENT: "the comment has no end; it was read up to the next board",
    Notice.CUT: "{what} was too long and has been cut",
    Notice.REVERSE_MODE: "moves of a reverse-mode game were skipped",
    Notice.SEVERAL_PUSHERS: "moves for several pushers were skipped",
    Notice.UNREAD_MOVES: "moves could not be read: {reason}",
    Notice.TOO_MANY_MOVES: "further moves were skipped: there are too many",
    Notice.ENCODING_GUESSED: "the encoding was guessed: {encoding}",
    Notice.TEXT_BEHIND_ROW: "text behind the row was left out: {text}",
    Notice.LINE_LEFT_OUT: "this line between two rows was left out",
    Notice.LINE_NUMBERS: "line numbers before the rows were removed",
    Notice.COMMENT_MARKS: "comment marks before the rows were removed",
    Notice.TABLE_ROWS: "bars around the rows were removed",
    Notice.QUOTED_ROWS: "quotation marks around the rows were removed",
    Notice.OTHER_ALPHABET: "read in another program's alphabet: {wall} wall, {box} box, {home} box on goal",
    Notice.TITLES_UNCLEAR: "names between the boards may belong to those above or below; read as {place}",
}


@dataclass(frozen=True)
class Remark:
    """One notice, its line in the file (from 1; 0 for the whole file), and the values for its message.

    >>> str(Remark(Notice.CLAIM_DIFFERS, 7, {"claimed": "3/1", "counted": "4/1"}))
    'line 7: the text claims 3/1, the replay counts 4/1'
    """

    code: Notice
    line: int = 0
    values: dict[str, str] = field(default_factory=dict, hash=False)

    @property
    def words(self) -> str:
        return _WORDS[self.code].format_map(self.values)

    def __str__(self) -> str:
        return f"line {self.line}: {self.words}" if self.line else self.words
