from hypothesis import strategies as st

from solvers.sokoban.level import BOX, FLOOR, GOAL, PLAYER, WALL, Level

cells = st.sampled_from([FLOOR, FLOOR, WALL, WALL, GOAL, BOX, BOX | GOAL, PLAYER, PLAYER | GOAL])


@st.composite
def boards(draw, max_side=9):
    width = draw(st.integers(1, max_side))
    rows = draw(st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=max_side))
    framed = [[WALL] * (width + 2), *([WALL, *row, WALL] for row in rows), [WALL] * (width + 2)]
    return Level.from_cells(framed)


@st.composite
def loose_boards(draw, max_side=9):
    rows = draw(st.lists(st.lists(cells, min_size=1, max_size=max_side), min_size=3, max_size=max_side))
    return Level.from_cells([[WALL], *rows])
