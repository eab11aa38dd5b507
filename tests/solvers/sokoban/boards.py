"""Random small boards, and a second, slow and obvious implementation of the rules, for oracles."""

from hypothesis import strategies as st

from solvers.sokoban import Level
from solvers.sokoban.level import BOX, FLOOR, GOAL, PLAYER, WALL
from solvers.sokoban.position import Position

DIRECTIONS = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}


@st.composite
def levels(draw, *, max_side=5, max_boxes=3, walls=4):
    """Draw a closed room with random walls, boxes and goals: as many boxes as goals, at least one, and a player."""
    width, height = draw(st.integers(2, max_side)), draw(st.integers(2, max_side))
    cells = draw(st.permutations(range(width * height)))
    boxes = draw(st.integers(1, min(max_boxes, width * height - 2)))
    content = [FLOOR] * (width * height)
    content[cells[0]] = PLAYER
    for cell in cells[1 : 1 + boxes]:
        content[cell] = BOX
    for cell in draw(st.permutations(cells))[:boxes]:
        content[cell] |= GOAL
    for cell in cells[1 + boxes : 1 + boxes + draw(st.integers(0, walls))]:
        content[cell] = content[cell] or WALL
    rows = [[WALL, *content[at : at + width], WALL] for at in range(0, len(content), width)]
    return Level.from_cells([[WALL] * (width + 2), *rows, [WALL] * (width + 2)])


def obvious_replay(level, steps):
    """Return (lurd, "solved" or why the next step is impossible or None, boxes home). All checks run at every step."""
    walls, goals, boxes = (_places(level, flag) for flag in (WALL, GOAL, BOX))
    row, column = divmod(level.player, level.width)
    lurd = ""
    for letter in steps.lower():
        down, right = DIRECTIONS[letter]
        target, beyond = (row + down, column + right), (row + 2 * down, column + 2 * right)
        if not _is_on(level, target):
            return lurd, "off_the_map", len(boxes & goals)
        if target in walls:
            return lurd, "wall", len(boxes & goals)
        if target in boxes:
            if not _is_on(level, beyond):
                return lurd, "box_off_the_map", len(boxes & goals)
            if beyond in walls:
                return lurd, "box_against_wall", len(boxes & goals)
            if beyond in boxes:
                return lurd, "box_against_box", len(boxes & goals)
            boxes = boxes - {target} | {beyond}
            lurd += letter.upper()
            if boxes == goals:
                return lurd, "solved", len(boxes)
        else:
            lurd += letter
        row, column = target
    return lurd, None, len(boxes & goals)


def _places(level, flag):
    return {divmod(cell, level.width) for cell, content in enumerate(level.cells) if content & flag}


def _is_on(level, place):
    return 0 <= place[0] < level.height and 0 <= place[1] < level.width


def step(level, position, letter):
    """Return the position after one step in a closed level, or None if the step is impossible."""
    delta = {"l": -1, "u": -level.width, "r": 1, "d": level.width}[letter.lower()]
    target, beyond = position.player + delta, position.player + 2 * delta
    boxes = position.boxes
    if level.cells[target] & WALL:
        return None
    if target in boxes:
        if beyond in boxes or level.cells[beyond] & WALL:
            return None
        boxes = tuple(beyond if box == target else box for box in boxes)
    return Position(position.number + 1, target, boxes)
