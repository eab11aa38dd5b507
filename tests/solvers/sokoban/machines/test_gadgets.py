from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.sokoban.machines import Gadget

SIDE = 5


@st.composite
def gadgets(draw):
    """Draw boards of 5 by 5 with a port at the top, maybe one on the left and an entrance, and up to two boxes."""
    inner = draw(st.lists(st.sampled_from("--#$"), min_size=9, max_size=9).filter(lambda cells: cells.count("$") <= 2))
    rows = ["#" * SIDE, *("#" + "".join(inner[at : at + 3]) + "#" for at in (0, 3, 6)), "#" * SIDE]
    cells = list("".join(rows))
    cells[draw(st.integers(1, 3))] = "a"
    if draw(st.booleans()):
        cells[SIDE * draw(st.integers(1, 3))] = "b"
    if draw(st.booleans()):
        cells[SIDE * SIDE - 1 - draw(st.integers(1, 3))] = "+"
    return Gadget(tuple("".join(cells[at : at + SIDE]) for at in range(0, SIDE * SIDE, SIDE)))


def boards(gadget):
    """Return all reachable boxes and lanes, step by step, with the player on an exact cell or outside."""
    floor = {cell for cell, letter in enumerate(gadget.text) if letter != "#"}
    first = (
        frozenset(cell for cell, letter in enumerate(gadget.text) if letter == "$"),
        tuple((0, True) for _port in gadget.ports),
        "outside",
    )
    seen, todo = {first}, [first]
    while todo:
        for then in steps(gadget, floor, *todo.pop()):
            if then not in seen:
                seen.add(then)
                todo.append(then)
    return {(boxes, lanes) for boxes, lanes, _man in seen}


def steps(gadget, floor, boxes, lanes, man):
    for at, port in enumerate(gadget.ports):
        yield from lane_steps(port, floor, boxes, lanes, at, man)
    if man == "outside":
        yield from ((boxes, lanes, cell) for cell in floor - boxes if gadget.text[cell] == "+")
        return
    if gadget.text[man] == "+":
        yield boxes, lanes, "outside"
    for step in (1, -1, SIDE, -SIDE):
        to, beyond = beside(floor, man, step), beside(floor, man + step, step)
        if to is not None and to not in boxes:
            yield boxes, lanes, to
        elif to is not None and beyond is not None and beyond not in boxes:
            yield boxes - {to} | {beyond}, lanes, to


def beside(floor, cell, step):
    to = cell + step
    return to if to in floor and (abs(step) > 1 or to // SIDE == cell // SIDE) else None


def lane_steps(port, floor, boxes, lanes, at, man):
    _letter, cell, inwards = port
    count, is_full = lanes[at]

    def lane(count, is_full):
        return (*lanes[:at], (count, is_full), *lanes[at + 1 :])

    if man == cell:
        yield boxes, lane(count, False), cell if is_full else "outside"
    elif man == cell + inwards and cell in boxes and not is_full:
        yield boxes - {cell}, lane(count - 1, True), cell
    elif man == "outside" and is_full and cell not in boxes:
        yield boxes | {cell}, lane(count + 1, False), "outside"
    elif man == "outside" and not is_full:
        if count <= 0:
            yield boxes, lane(count, True), "outside"
        if cell not in boxes:
            yield boxes, lanes, cell
        elif cell + inwards in floor - boxes:
            yield boxes - {cell} | {cell + inwards}, lanes, cell


@settings(deadline=None)
@given(gadgets())
def test_the_successors_of_a_board_equal_single_steps(gadget):
    seen, todo = {gadget.start}, [gadget.start]
    while todo:
        for then in gadget.successors(todo.pop()):
            if then not in seen:
                seen.add(then)
                todo.append(then)
    found = {
        (
            frozenset(cell for cell in range(SIDE * SIDE) if state.boxes >> cell & 1),
            tuple((lane.inside, lane.is_full) for lane in state.lanes),
        )
        for state in seen
    }
    assert found == boards(gadget)


def test_ports_are_read_with_the_way_inwards():
    gadget = Gadget.parse("#a###|b---+|#--$#|###c#")
    assert gadget.ports == (("a", 1, 5), ("b", 5, 1), ("c", 18, -5))
    assert gadget.start.boxes == 1 << 13
