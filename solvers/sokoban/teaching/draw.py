"""SVG pictures of the depth-first tree of a floor and of the breadth-first tree of one box's pushes."""

from collections.abc import Sequence

from solvers.sokoban.drawing.draw import square_name
from solvers.sokoban.drawing.outline import outline
from solvers.sokoban.level import GOAL, Level
from solvers.sokoban.position import Position
from solvers.sokoban.teaching.floor_tree import FloorTree, Low, grow_floor_tree
from solvers.sokoban.teaching.push_tree import Push, grow_push_tree
from solvers.tree_drawing import Node, Text, draw_tree, picture

_CELL = 44  # pixels
_COLOURS = 6
_ARROWS = {"": "", "L": "←", "U": "↑", "R": "→", "D": "↓"}


def draw_floor(
    level: Level, *, box: int | None = None, by: Low = Low.NUMBER, text: Text | None = None, standalone: bool = False
) -> str:
    """Draw the depth-first tree on the floor itself: values with low numbers, back edges, blocks and cut squares.

    Lines are edges of the tree, dashed lines are back edges, each block has a colour, and cut squares have a thick
    ring. See `grow_floor_tree` for *box* and the errors.
    """
    tree = grow_floor_tree(level, box=box)
    text = text or Text("Depth-first tree of a floor", describe_floor(level, tree))
    middles = [_middle(level, cell) for cell in tree.cells]
    parts = [
        f'<g transform="scale({_CELL})"><path class="floor" d="{outline(set(tree.cells), level.width)}"/></g>',
        *_shade_blocks(level, tree),
        *(_line("link", middles[tree.parents[at]], middles[at]) for at in range(1, len(middles))),
        *(_line("back", middles[square], middles[ancestor]) for square, ancestor in tree.back_edges),
    ]
    cuts = tree.cut_cells(by)
    for at, (value, low) in enumerate(zip(tree.values(by), tree.lows(by), strict=True)):
        x, y = middles[at]
        first = 1 if by == Low.NUMBER else 0  # numbers count from 1, depths from 0
        parts.append(
            f'<g class="node{" cut" if tree.cells[at] in cuts else ""}"><circle cx="{x:g}" cy="{y:g}" r="15"/>'
            f'<text class="value" x="{x:g}" y="{y + 2:g}">{value + first}</text>'
            f'<text class="low" x="{x:g}" y="{y + 11:g}">{low + first}</text></g>'
        )
    return picture("".join(parts), level.width * _CELL, level.height * _CELL, text, standalone=standalone)


def draw_floor_tree(
    level: Level, *, box: int | None = None, by: Low = Low.NUMBER, text: Text | None = None, standalone: bool = False
) -> str:
    """Draw the depth-first tree from its root down, each node with its value, its low number and its square."""
    tree = grow_floor_tree(level, box=box)
    first = 1 if by == Low.NUMBER else 0
    cuts, values, lows = tree.cut_cells(by), tree.values(by), tree.lows(by)
    notes = [f"{square_name(level, cell)} low {low + first}" for cell, low in zip(tree.cells, lows, strict=True)]
    kinds = ["cut" if cell in cuts else "" for cell in tree.cells]
    root = _nest(tree.parents, [str(value + first) for value in values], notes, kinds)
    text = text or Text("Depth-first tree of a floor", describe_floor(level, tree))
    return draw_tree(root, text, arcs=tree.back_edges, standalone=standalone)


def draw_push_tree(
    level: Level, position: Position, box: int, *, text: Text | None = None, standalone: bool = False
) -> str:
    """Draw the breadth-first tree of the pushes of the box on cell *box*.

    A node has the box's square and an arrow for the push. It is dashed where the box has been on that square before,
    with the player on another side. Raise TooMuchToDraw beyond MOST_STATES.
    """
    tree = grow_push_tree(level, position, box)
    seen: set[int] = set()
    kinds = []
    for push in tree:
        kinds.append("again" if push.cell in seen else "goal" if level.cells[push.cell] & GOAL else "first")
        seen.add(push.cell)
    labels = [square_name(level, push.cell) for push in tree]
    notes = [_ARROWS[push.letter] for push in tree]
    text = text or Text("Breadth-first tree of one box’s pushes", describe_pushes(tree))
    return draw_tree(_nest([push.parent for push in tree], labels, notes, kinds), text, standalone=standalone)


def describe_floor(level: Level, tree: FloorTree) -> str:
    """Return a picture's description in English: counts, and the cut squares by name."""
    cuts = ", ".join(square_name(level, cell) for cell in tree.cut_cells())
    return f"{len(tree.cells)} squares, {len(tree.back_edges)} back edges, {len(tree.blocks())} blocks; cut: {cuts}."


def describe_pushes(tree: Sequence[Push]) -> str:
    """Return a picture's description in English: its counts."""
    squares = len({push.cell for push in tree[1:]})
    return f"{len(tree) - 1} states on {squares} squares; at most {tree[-1].pushes} pushes."


def _nest(parents: Sequence[int], labels: Sequence[str], notes: Sequence[str], kinds: Sequence[str]) -> Node:
    """Return the root of a tree whose nodes follow their parents."""
    children: list[list[Node]] = [[] for _ in parents]
    for at in range(len(parents) - 1, -1, -1):
        node = Node(labels[at], notes[at], kinds[at], tuple(reversed(children[at])))
        if at == 0:
            return node
        children[parents[at]].append(node)
    raise ValueError("no nodes")


def _middle(level: Level, cell: int) -> tuple[float, float]:
    row, column = divmod(cell, level.width)
    return (column + 0.5) * _CELL, (row + 0.5) * _CELL


def _line(name: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    return f'<path class="{name}" d="M{start[0]:g} {start[1]:g}L{end[0]:g} {end[1]:g}"/>'


def _shade_blocks(level: Level, tree: FloorTree) -> list[str]:
    """Colour each block's squares; a cut square, which is in several, is left plain."""
    cuts = set(tree.cut_cells())
    shades = []
    for number, block in enumerate(tree.blocks()):
        for cell in block:
            row, column = divmod(cell, level.width)
            if cell not in cuts:
                place = f'x="{column * _CELL}" y="{row * _CELL}" width="{_CELL}" height="{_CELL}"'
                shades.append(f'<rect class="block b{number % _COLOURS}" {place}/>')
    return shades
