import pytest

from solvers.sokoban.formats.boards import segments
from solvers.sokoban.formats.rows import Board
from solvers.sokoban.formats.runs import TextLine, Unreadable, number_lines
from solvers.sokoban.level import Level

ONE = Level.parse("#####|#@$.#|#####")


def parts(text):
    return list(segments(number_lines(text.split("\n"))))


def boards(text):
    return [part.level for part in parts(text) if isinstance(part, Board)]


def errors(text):
    unread = [part.error for part in parts(text) if isinstance(part, Unreadable)]
    return [(error.code, error.line, error.column) for error in unread]


def texts(text):
    return [part.text for part in parts(text) if isinstance(part, TextLine)]


@pytest.mark.parametrize(
    ("text", "remarks"),
    [
        ("#####|#@$.#\n#####", []),
        ("2(2#)#\n#(@)1$2().#0-\n5#", ["zero_count"]),
        ("WWWWW\nWpbo#\nWWWWW", ["w_as_wall", "o_as_goal"]),
        ("#####\n#@X.#\n#####", ["x_as_box"]),
        ("\u3000＃####\n\u3000#@$.#\n\u00a0#####", ["full_width", "odd_blank"]),
        ("#####\n#@$\u200b.#\n#####", ["invisible"]),
    ],
)
def test_one_level_may_be_drawn_in_many_ways_and_what_was_changed_is_remarked(text, remarks):
    """In addition to single_levels.json."""
    (board,) = (part for part in parts(text) if isinstance(part, Board))
    assert (board.level, [remark.code for remark in board.remarks]) == (ONE, remarks)
    assert not errors(text)


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("#####\n-\n-\n#@$.#\n#####", "#####|-----|-----|#@$.#|#####"),
        ("######\n#@$.\n######", "######|#@$.--|######"),
    ],
)
def test_short_rows_are_floor_up_to_the_width(text, board):
    assert [level.published_text for level in boards(text)] == [board]


@pytest.mark.parametrize("line", ["", "\t", "..", "123", "+|+", "WoW", "bpb", "----", "Title: x"])
def test_a_line_that_is_no_row_ends_the_board(line):
    assert boards(f"#####\n#@$.#\n#####\n{line}\n#####\n#@$.#\n#####") == [ONE, ONE]
    assert boards(f"#####|#@$.#|#####\n{line}\n#####|#@$.#|#####|") == [ONE, ONE]


@pytest.mark.parametrize("title", ["+|+", "WoW", "bpb", "----", "#12", "# 3", ".", "Haa!"])
def test_a_title_that_looks_like_a_row_stays_text(title):
    assert boards(f"{title}\n#####\n#@$.#\n#####\n{title}") == [ONE]
    assert texts(f"{title}\n#####\n#@$.#\n#####\n{title}") == [title, title]


def test_fewer_than_three_rows_and_a_tag_without_an_end_are_text():
    assert (texts("####\n#@$.#"), boards("####\n#@$.#")) == (["####", "#@$.#"], [])
    text = "[soko=5,3]\n#####\n#@$.#\n#####"
    assert (texts(text), boards(text)) == (["[soko=5,3]"], [ONE])
    assert boards(f"{text}\n\n[soko=5,3]HHHHH|Ha$.H|HHHHH[/soko]") == [ONE, ONE]


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("x\n\n#####\n  #é#\n#####", "foreign_character", 4, 4),
        ("#####\n#@X$#\n#####", "foreign_character", 2, 3),
        ("#####\n#@$.#\n1000000000#", "too_long", 3, 1),
        ("HHHHH\nH#$.H\nHHHHH", "mixed_alphabets", 2, 2),
    ],
)
def test_a_board_that_cannot_be_read_is_reported_with_its_place(text, code, line, column):
    assert errors(f"{text}\n\n#####\n#@$.#\n#####") == [(code, line, column)]
    assert boards(f"{text}\n\n#####\n#@$.#\n#####") == [ONE]


def test_a_blank_line_that_splits_one_valid_level_is_named():
    assert errors("#####\n#@$.#\n\n#   #\n#####") == [("blank_line", 3, 1)]
    assert errors("#####\n#@$.#\n\n#####") == [("blank_line", 3, 1)]


@pytest.mark.parametrize(
    ("columns", "rows", "is_read"), [(200, 200, True), (201, 200, False), (200, 201, False), (1, 5_000, False)]
)
def test_200_columns_and_rows_can_be_read(columns, rows, is_read):
    text = "\n".join(["#" * columns] * rows)
    assert len(boards(text)) == is_read
    assert [code for code, *_ in errors(text)] == ([] if is_read else ["too_large"])
    assert len(boards(f"{rows}({columns}#|)")) == is_read
