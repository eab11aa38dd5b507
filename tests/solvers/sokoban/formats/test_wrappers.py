import pytest

from solvers.sokoban.formats import Stated, read_collection
from solvers.sokoban.level import Level

SMALL = "######\n#@$ .#\n######"
ROOM = "########\n#      #\n# $  . #\n#  @   #\n# $  . #\n#      #\n########"
MARKS = {
    "{number} {row}": "line_numbers",
    "[{number}] {row}": "line_numbers",
    "% {row}": "comment_marks",
    "|{row}|": "table_rows",
    '"{row}",': "quoted_rows",
}
KEYS = {text: Level.parse(text).published_text for text in (SMALL, ROOM)}


def read(text):
    collection = read_collection(text)
    remarks = [(remark.code.value, remark.line) for entry in collection.entries for remark in entry.remarks]
    errors = [(one.error.code, one.error.line) for one in collection.unread]
    return [entry.level.published_text for entry in collection.entries], remarks, errors


def marked(form, text=ROOM, first=1):
    return "\n".join(form.format(number=first + at, row=row) for at, row in enumerate(text.split("\n")))


@pytest.mark.parametrize(("form", "code"), MARKS.items())
def test_marks_around_rows_are_removed_with_a_remark(form, code):
    """In addition to single_levels.json."""
    assert read(marked(form)) == ([KEYS[ROOM]], [(code, 1)], [])
    assert read(f"Name\n\n{marked(form, SMALL, 8)}\n\n{ROOM}") == ([KEYS[SMALL], KEYS[ROOM]], [(code, 3)], [])


@pytest.mark.parametrize("text", [f"[code]{ROOM}[/code]", f"~~~xsb\n{ROOM}\n~~~", ROOM.replace("\n", "<br />\n")])
def test_tags_are_no_titles_and_no_rows(text):
    collection = read_collection(text)
    assert [(entry.level.published_text, entry.title) for entry in collection.entries] == [(KEYS[ROOM], "")]


def test_text_behind_a_row_is_left_out_with_a_remark():
    text = ROOM.replace("@   #", "@   #; you")
    assert read(f"{SMALL}\n\n{text}") == ([KEYS[SMALL], KEYS[ROOM]], [("text_behind_row", 8)], [])


@pytest.mark.parametrize("line", ["; half way", "half way"])
def test_a_line_of_text_between_the_rows_of_a_level_is_left_out_with_a_remark(line):
    text = ROOM.replace("#  @", f"{line}\n#  @")
    assert read(f"{SMALL}\n\n{text}\n") == ([KEYS[SMALL], KEYS[ROOM]], [("line_left_out", 8)], [])
    twice = text.replace("#      #\n####", f"{line}\n#      #\n####")
    assert read(twice) == ([KEYS[ROOM]], [("line_left_out", 4), ("line_left_out", 7)], [])


def test_a_line_that_cuts_a_board_with_faults_is_reported_and_the_board_is_not_read_as_two():
    text = ROOM.replace("#  @   #", "#      #\nhalf way")
    assert read(f"{text}\n\n{SMALL}") == ([KEYS[SMALL]], [], [("odd_line", 5)])


def test_a_title_between_two_levels_without_blank_lines_stays_a_title():
    collection = read_collection(f"One\n{SMALL}\nTwo\n{ROOM}\nThree\n{SMALL}")
    assert [entry.title for entry in collection.entries] == ["One", "Two", "Three"]


@pytest.mark.parametrize(("wall", "box", "home"), [("X", "*", "&"), ("B", "X", "%")])
def test_other_programs_alphabets_are_read_with_a_remark(wall, box, home):
    drawn = "#######\n#@ $.*#\n#######"
    text = drawn.translate(str.maketrans({"#": wall, "$": box, "*": home}))
    assert read(f"Maze: 1\n\n{text}") == ([drawn.replace("\n", "|").replace(" ", "-")], [("other_alphabet", 3)], [])


@pytest.mark.parametrize(("alphabet", "found"), [("", []), ("bx", []), ("pusher", ["#####|#@$.-|#####"])])
def test_a_stated_alphabet_is_read_even_where_the_board_is_open(alphabet, found):
    collection = read_collection("XXX: a maze\n\nXXXXX\nX@*.\nXXXXX", stated=Stated(alphabet=alphabet))
    assert [entry.level.published_text for entry in collection.entries] == found
    assert {entry.title for entry in collection.entries} <= {"XXX: a maze"}


def test_an_unknown_alphabet_is_named_by_its_walls():
    collection = read_collection(f"QQQQQQ\nQm oxQ\nQQQQQQ\n\n{SMALL}")
    assert [(one.error.code, one.error.values) for one in collection.unread] == [("unknown_alphabet", {"walls": "Q"})]
    assert len(collection.entries) == 1


@pytest.mark.parametrize("text", ["*******\n* Hi! *\n*******", "+-----+\n|     |\n+-----+", "RRRRR\nRurlR\nRRRRR"])
def test_ornaments_and_moves_are_no_boards(text):
    assert read(f"{SMALL}\n\n{text}") == ([KEYS[SMALL]], [], [])


@pytest.mark.parametrize(
    ("text", "title", "author"),
    [
        ('{"name": "Two", "author": "Ann", "map": "######|#@$ .#|######", "lurd": "RR"}', "Two", "Ann"),
        ('{"levels": [{"map": "111111123041111111", "width": 6, "height": 3, "moves": "RR"}]}', "", ""),
        ('{"xsb": "######\\n#@$ .#\\n######", "lurd": "RR"}\n', "", ""),
        ('["######", "#@$ .#", "######"]\n', "", None),
    ],
)
def test_levels_in_json_are_read(text, title, author):
    (entry,) = read_collection(text).entries
    assert (entry.level.published_text, entry.title) == (KEYS[SMALL], title)
    if author is not None:
        assert (entry.author, [one.lurd for one in entry.solutions]) == (author, ["RR"])


@pytest.mark.parametrize("code", ["{}", "https://example.org/check/#level={}&moves=R"])
def test_compact_codes_and_links_are_read_among_other_levels(code):
    text = f"Two\n{code.format('5AHABDFAH5A')}\n\nThree\n{ROOM}"
    assert [entry.title for entry in read_collection(text).entries] == ["Two", "Three"]


@pytest.mark.parametrize("text", ["http://example.org/?level=12", "ABBA2000", "DEAFBEEF"])
def test_links_of_other_sites_and_words_are_no_levels(text):
    assert read(f"{text}\n\n{SMALL}") == ([KEYS[SMALL]], [], [])


@pytest.mark.parametrize("text", ["{", "[1, 2]", "[" * 5_000, '{"map": 3}', '{"map": "#"}', "[]", '["a", {"b": []}]'])
def test_json_without_levels_has_none(text):
    assert read(text) == ([], [], [])
