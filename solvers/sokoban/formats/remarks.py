"""Remarks: changes and oddities that a reader reports as warnings although it could read the file."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self


class Notice(StrEnum):
    """All remarks of format readers: the value is the stable code, *template* the message."""

    template: str

    def __new__(cls, code: str, template: str = "") -> Self:
        notice = str.__new__(cls, code)
        notice._value_, notice.template = code, template
        return notice

    FULL_WIDTH = "full_width", "full-width characters were read as ASCII"
    ODD_BLANK = "odd_blank", "no-break or ideographic blanks were read as blanks"
    INVISIBLE = "invisible", "invisible characters were left out"
    QUOTED = "quoted", "mail quotes were removed"
    X_AS_BOX = "x_as_box", "X was read as a box"
    W_AS_WALL = "w_as_wall", "W was read as a wall"
    O_AS_GOAL = "o_as_goal", "o was read as a goal"
    ZERO_COUNT = "zero_count", "a count of 0 stands for nothing"
    SIZE_DIFFERS = "size_differs", "the size given is {given}, the rows say {found}"
    NOT_CLASSIC = "not_classic", "this is not classic Sokoban: {reason}"
    CLAIM_DIFFERS = "claim_differs", "the text claims {claimed}, the replay counts {counted}"
    REPEATED_KEY = "repeated_key", "{key} stands here again with another value; the first counts"
    OPEN_COMMENT = "open_comment", "the comment has no end; it was read up to the next board"
    CUT = "cut", "{what} was too long and has been cut"
    REVERSE_MODE = "reverse_mode", "moves of a reverse-mode game were skipped"
    SEVERAL_PUSHERS = "several_pushers", "moves for several pushers were skipped"
    UNREAD_MOVES = "unread_moves", "moves could not be read: {reason}"
    TOO_MANY_MOVES = "too_many_moves", "further moves were skipped: there are too many"
    ENCODING_GUESSED = "encoding_guessed", "the encoding was guessed: {encoding}"
    TEXT_BEHIND_ROW = "text_behind_row", "text behind the row was left out: {text}"
    LINE_LEFT_OUT = "line_left_out", "this line between two rows was left out"
    LINE_NUMBERS = "line_numbers", "line numbers before the rows were removed"
    COMMENT_MARKS = "comment_marks", "comment marks before the rows were removed"
    TABLE_ROWS = "table_rows", "bars around the rows were removed"
    QUOTED_ROWS = "quoted_rows", "quotation marks around the rows were removed"
    OTHER_ALPHABET = "other_alphabet", "read in another program's alphabet: {wall} wall, {box} box, {home} box on goal"
    TITLES_UNCLEAR = "titles_unclear", "names between the boards may belong to those above or below; read as {place}"


@dataclass(frozen=True)
class Remark:
    """One notice, its line in the file (from 1; 0 for the whole file), and the values for its message.

    >>> str(Remark(Notice.CLAIM_DIFFERS, 7, {"claimed": "3/1", "counted": "4/1"}))
    'line 7: the text claims 3/1, the replay counts 4/1'
    >>> str(Remark(Notice.ENCODING_GUESSED, values={"encoding": "gb18030"}))
    'the encoding was guessed: gb18030'
    """

    code: Notice
    line: int = 0
    values: dict[str, str] = field(default_factory=dict, hash=False)

    @property
    def words(self) -> str:
        return self.code.template.format_map(self.values)

    def __str__(self) -> str:
        return f"line {self.line}: {self.words}" if self.line else self.words
