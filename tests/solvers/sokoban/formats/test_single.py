"""Fields that take one level; tests/player/rules/single.test.js reads the same cases."""

import json

import pytest
from hypothesis import given

from solvers.errors import PuzzleError
from solvers.sokoban.formats import Collection, Entry, compact, mf8, slc, sok, sokoplayer, xsb
from solvers.sokoban.formats.single import read_one
from tests.solvers.sokoban.formats.boards_drawn import boards, loose_boards
from tests.solvers.vectors import cases


@cases("single_levels")
def test_one_level_is_read_in_every_form(case):
    try:
        outcome = {"board": read_one(case["text"]).level.published_text}
    except PuzzleError as error:
        outcome = {"error": error.code}
    assert {name: case[name] for name in outcome} == outcome


def test_the_title_the_author_and_what_was_left_out_are_returned():
    found = read_one("#####\n#@$.#  here\n#####\nTitle: One\nAuthor: Ann\n")
    assert (found.title, found.author, [remark.line for remark in found.remarks]) == ("One", "Ann", [2])


def test_several_levels_are_named():
    with pytest.raises(PuzzleError) as refusal:
        read_one("One\n\n#####\n#@$.#\n#####\n\n######\n#@$ .#\n######\n")
    assert refusal.value.values == {"count": 2, "names": "One, 6 x 3"}


@pytest.mark.parametrize("text", ["\n" * 2_001 + "#####\n#@$.#\n#####", "#@$.#\n" * 2_002])
def test_a_text_with_too_many_lines_for_one_level_is_refused_before_it_is_read(text):
    with pytest.raises(PuzzleError) as refusal:
        read_one(text)
    assert (refusal.value.code, refusal.value.values) == ("too_many_lines", {"limit": 2_000})


def file_of(level):
    return Collection("All", "Ann", entries=(Entry(1, 1, level, "Title: 7", "Ann"),))


@pytest.mark.parametrize(
    "write",
    [
        xsb.run_length,
        mf8.write_tagged,
        compact.write,
        sokoplayer.write,
        lambda level: sokoplayer.write(level, address="http://127.0.0.1:8000/sokoplayer/", escaped=True),
        lambda level: f"https://example.org/editor/#level={compact.write(level)}",
        lambda level: sok.write(file_of(level)),
        lambda level: slc.write(file_of(level)),
        lambda level: xsb.write(file_of(level).entries, line_end="\r\n"),
        lambda level: json.dumps({"file": "a.sok", "xsb": str(level), "solutions": []}),
    ],
)
@given(level=boards(max_side=7))
def test_every_text_that_the_site_offers_is_read_by_every_field(write, level):
    if not level.unjudgeable:
        assert read_one(write(level)).level == level


@given(loose_boards())
def test_a_bare_board_is_read_as_level_parse_does(level):
    assert read_one(level.published_text).level == level
