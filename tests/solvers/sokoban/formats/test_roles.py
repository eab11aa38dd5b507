import pytest

from solvers.sokoban.formats import Stated
from solvers.sokoban.formats.files.roles import read_lines


def roles(data, stated=None):
    return [",".join(role.value for role in line.roles) for line in read_lines(data, stated)]


def test_the_roles_follow_a_stated_reading():
    text = "; x\n\n#####\n#@$.#\n#####\n\n; y\n"
    assert [roles(text, Stated(names_above=above))[0] for above in (True, False)] == ["title", "note"]


XML = """<?xml version="1.0"?>
<SokobanLevels><Title>All</Title>
<LevelCollection Copyright="Ann">
<Level Id="One">
<L>#####</L>
<L>#@$.#</L>
<L>#####</L>
</Level>
<Level Id="Two"><L>#q#</L></Level>
</LevelCollection></SokobanLevels>"""
JSON = """[
{"title": "One", "author": "Ann",
 "rows": ["#####",
          "#@$.#",
          "#####"],
 "moves": "R"},

{"map": "#####|#@$.#|#####", "name": "Two"}
]"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (XML, ["left_out", "title", "author", "title,author", "row", "row", "row", "left_out",
               "faulty_row,title,author", "left_out"]),
        (JSON, ["left_out", "title,author", "row", "row", "row", "moves", "blank", "row,title", "left_out"]),
        ("[soko=5,3]HHHHH|Ha$.H|HHHHH[/soko]", ["row"]),
        ("; One\n#####\n; odd\n#@$.#\n#####\n\nSolution\nR\n\n####\n#q#\n####\nAuthor: Ben",
         ["title", "row", "left_out", "row", "row", "blank", "moves", "moves", "blank", *["faulty_row"] * 3, "author"]),
        ("Look\nhttps://example.org/editor/#level=5AHABDFAH5A", ["title", "row"]),
    ],
)  # fmt: skip
def test_lines_of_every_format_have_roles(text, expected):
    assert roles(text) == expected


def test_remarks_and_errors_are_at_their_lines():
    lines = read_lines("#####\n#@$.#  here\n#####\n\n###\n#q#\n###\n")
    codes = {line.number: [each.code for each in line.remarks] for line in lines if line.remarks}
    assert codes == {2: ["text_behind_row"], 6: ["foreign_character"]}
