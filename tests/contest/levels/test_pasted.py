import pytest

from contest.levels import pasted

LINK = "http://sokoban.ws/sokoplayer/?w=5&h=3&lvl=HHHHH|Ha$.H|HHHHH"
LONG = 140_000


@pytest.mark.parametrize("word", ["a" * LONG, "?" * LONG, "?lvl=" + " a" * LONG], ids=["letters", "signs", "no level"])
def test_a_long_word_that_is_no_link_is_read(word):
    """In linear time; once it took minutes."""
    assert pasted.read(word) == pasted.PastedLevels()


@pytest.mark.parametrize("text", [f"{LINK}\n\nR", f"R\n{LINK}"])
def test_the_solution_beside_a_link_is_read(text):
    assert [found.solution for found in pasted.read(text).found] == ["R"]


def test_every_link_is_read_and_a_bad_link_is_reported():
    brought = pasted.read(f"{LINK} {LINK}\nhttp://example.org/?lvl=nothing")
    assert (len(brought.found), len(brought.unread)) == (2, 1)
    board = "#####\n#@$.#\n#####\n"
    assert [found.text for found in pasted.read(f"{'a' * LONG} {LINK}\nR").found] == [board.strip()]


@pytest.mark.parametrize(
    "moves",
    ["Moves: 10 Pushes: 5 rRRllldRRR", "1 r\n2 R\n3 R\n4 l\n5 l\n6 l\n7 d\n8 R\n9 R\n10 R", "rRRlll-\ndRRR"],
    ids=["counts before moves", "numbered steps", "a wrap mark"],
)
def test_moves_below_a_single_level_are_read_as_in_the_web_form(moves):
    """Some of their lines are moves by themselves, which do not solve the level."""
    text = f"########\n#@ $ .#\n# $  .#\n########\n\n{moves}\n"
    assert [pasted.read(data).found[0].solution for data in (text, text.encode())] == ["rRRllldRRR"] * 2
