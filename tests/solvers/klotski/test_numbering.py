from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.klotski.moves import layout_after
from solvers.klotski.numbering import firsts, layout_of, number, numbered_moves
from tests.solvers.klotski.layouts import layouts


def placements():
    """Return the layouts of five horizontals by brute force: place dominoes and block, leave two of six cells empty."""
    boards = {"." * 20}
    for letter, width, height in [*[("H", 2, 1)] * 5, ("C", 2, 2)]:
        boards = {after for board in boards for after in put(board, letter, width, height)}
    for board in boards:
        free = [cell for cell, letter in enumerate(board) if letter == "."]
        for empty in combinations(free, 2):
            yield "".join("o" if at in free and at not in empty else letter for at, letter in enumerate(board))


def put(board, letter, width, height):
    for row in range(6 - height):
        for column in range(5 - width):
            cells = [4 * (row + y) + column + x for y in range(height) for x in range(width)]
            if all(board[cell] == "." for cell in cells):
                yield "".join(letter if at in cells else old for at, old in enumerate(board))


def test_the_layouts_of_five_horizontals_equal_an_exhaustive_placement():
    first, last = firsts()[5:]
    assert sorted(layout_of(at).cells for at in range(first, last)) == sorted(placements())


@given(st.integers(0, 363_479))
def test_a_number_leads_to_a_layout_and_back(at):
    assert number(layout_of(at)) == at


@pytest.mark.parametrize("at", [-1, 363_480])
def test_beyond_the_last_layout_there_is_none(at):
    with pytest.raises(IndexError):
        layout_of(at)


@given(layouts)
def test_moves_are_numbered_as_the_layouts_they_lead_to(layout):
    for move, after in numbered_moves(layout):
        assert number(layout_after(layout, move)) == after
