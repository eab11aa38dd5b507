"""Pictures that teach: the trees behind push paths, drawn for any level.

`floor_tree` searches the floor depth first and finds blocks and cut squares · `push_tree` searches the pushes of one
box breadth first · `draw` makes SVG pictures of both.
"""

from solvers.sokoban.teaching.draw import draw_floor, draw_floor_tree, draw_push_tree
from solvers.sokoban.teaching.floor_tree import FloorTree, Low, grow_floor_tree
from solvers.sokoban.teaching.push_tree import Push, grow_push_tree

__all__ = [
    "FloorTree",
    "Low",
    "Push",
    "draw_floor",
    "draw_floor_tree",
    "draw_push_tree",
    "grow_floor_tree",
    "grow_push_tree",
]
