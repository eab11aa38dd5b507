"""SVG pictures of trees: a layout by leaves, and the style of standalone files."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from solvers.errors import TooMuchToDraw

MOST_NODES = 150
_ROW, _GAP, _HEIGHT, _MARGIN, _LETTER = 62, 10, 34, 12, 8

# Colours of a standalone file. Pages style the same classes.
STYLE = (
    "<style>.teach{font:14px sans-serif;background:#fffdf9;color:#2b2119;--paper:#fffdf9;--zero:#f3d6a8;--soft:#6b5d50}"
    ".teach text{fill:currentColor;text-anchor:middle}.teach .note{font-size:11px;fill:var(--soft)}"
    ".teach .value{font-size:13px}.teach .low{font-size:9px;fill:var(--soft)}"
    ".teach .node>rect,.teach .node>circle{fill:var(--paper);stroke:currentColor}"
    ".teach .again rect{stroke-dasharray:4 3}"
    ".teach .floor{fill:var(--paper);stroke:currentColor;stroke-width:.04}.teach .tip{fill:currentColor}"
    ".teach .zero rect,.teach .goal rect{fill:var(--zero)}.teach .cut :is(rect,circle){stroke-width:3}"
    ".teach .link{fill:none;stroke:currentColor;stroke-width:1.5}"
    ".teach .back{fill:none;stroke:#c8452f;stroke-width:1.5;stroke-dasharray:5 4}"
    ".teach .node .area{stroke:currentColor}.teach .node .block{stroke:none}"
    ".teach .b0{fill:#4f82ab}.teach .b1{fill:#c8452f}.teach .b2{fill:#6d9145}.teach .b3{fill:#8d5fb0}"
    ".teach .b4{fill:#c98a1b}.teach .b5{fill:#2f9c95}.teach .block{fill-opacity:.45}.teach .area{fill-opacity:.13;"
    "stroke:currentColor}.teach .left{text-anchor:start}.teach .big{font-weight:650}"
    "@media(prefers-color-scheme:dark){.teach{background:#191715;color:#eee6da;--paper:#26221e;--zero:#6b4d1d;"
    "--soft:#b9ab9b}}</style>"
)


@dataclass(frozen=True)
class Node:
    """A node of a tree: its label, a smaller note below, and the classes of its style."""

    label: str
    note: str = ""
    kind: str = ""
    children: "tuple[Node, ...]" = ()


@dataclass(frozen=True)
class Text:
    """Title and description of a picture, for screen readers."""

    title: str
    description: str = ""

    def __str__(self) -> str:
        return f"<title>{escape(self.title)}</title><desc>{escape(self.description)}</desc>"


def picture(content: str, width: float, height: float, text: Text, *, standalone: bool) -> str:
    """Wrap *content* in an SVG element, with the style if it is *standalone*."""
    return (
        f'<svg class="teach" xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}">{text}{STYLE if standalone else ""}{content}</svg>'
    )


def draw_tree(root: Node, text: Text, *, arcs: Iterable[tuple[int, int]] = (), standalone: bool = False) -> str:
    """Draw a tree from the top down; *arcs* are further edges between nodes, counted from 0 in preorder.

    Leaves are placed side by side and each parent above the middle of its children. Raise TooMuchToDraw beyond
    MOST_NODES. Time O(nodes).
    """
    places = _place(root)
    middles = [(place.x, _MARGIN + place.depth * _ROW + _HEIGHT / 2) for place in places]
    links = "".join(
        f'<path class="link" d="{_curve(middles[place.parent], middles[at])}"/>'
        for at, place in enumerate(places)
        if place.parent >= 0
    )
    backs = "".join(f'<path class="back" d="{_arc(middles[low], middles[high])}"/>' for low, high in arcs)
    nodes = "".join(_draw_node(place.node, *middle) for place, middle in zip(places, middles, strict=True))
    right = max(place.x + _width(place.node) / 2 for place in places)
    bottom = max(y for _, y in middles) + _HEIGHT / 2
    return picture(links + backs + nodes, right + _MARGIN + 30, bottom + _MARGIN, text, standalone=standalone)


@dataclass
class _Place:
    node: Node
    parent: int
    depth: int
    x: float = 0


def _place(root: Node) -> Sequence[_Place]:
    places: list[_Place] = []
    waiting = [(root, -1, 0)]
    while waiting:
        node, parent, depth = waiting.pop()
        if len(places) == MOST_NODES:
            raise TooMuchToDraw(limit=MOST_NODES)
        waiting += [(child, len(places), depth + 1) for child in reversed(node.children)]
        places.append(_Place(node, parent, depth))
    right: dict[int, float] = {}  # of each row, where the next node may begin
    children: dict[int, list[_Place]] = {}
    for place in places:
        children.setdefault(place.parent, []).append(place)
    edge = float(_MARGIN)
    for at in _leaves_first(places):
        place, half = places[at], _width(places[at].node) / 2
        if own := children.get(at):
            place.x = max((own[0].x + own[-1].x) / 2, right.get(place.depth, _MARGIN) + half)
        else:
            place.x = max(edge, right.get(place.depth, 0)) + half
            edge = place.x + half + _GAP
        right[place.depth] = place.x + half + _GAP
    return places


def _leaves_first(places: Sequence[_Place]) -> Iterator[int]:
    """Yield the places in postorder: each after its children, from the left."""
    open_nodes: list[int] = []
    for at, place in enumerate(places):
        while open_nodes and open_nodes[-1] != place.parent:
            yield open_nodes.pop()
        open_nodes.append(at)
    yield from reversed(open_nodes)


def _width(node: Node) -> float:
    return max(30, _LETTER * len(node.label) + 12, 6.4 * len(node.note) + 10)


def _curve(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x, y), (to_x, to_y) = start, end
    middle = (y + to_y) / 2
    return f"M{x:.1f} {y:.1f}C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}"


def _arc(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x, y), (to_x, to_y) = start, end
    bow = max(x, to_x) + 18 + abs(y - to_y) / 12
    return f"M{x:.1f} {y:.1f}C{bow:.1f} {y:.1f} {bow:.1f} {to_y:.1f} {to_x:.1f} {to_y:.1f}"


def _draw_node(node: Node, x: float, y: float) -> str:
    width = _width(node)
    note = f'<text class="note" x="{x:.1f}" y="{y + 13:.1f}">{escape(node.note)}</text>' if node.note else ""
    return (
        f'<g class="node {node.kind}"><rect x="{x - width / 2:.1f}" y="{y - _HEIGHT / 2:.1f}" width="{width:.1f}"'
        f' height="{_HEIGHT}" rx="7"/><text x="{x:.1f}" y="{y + (0 if node.note else 5):.1f}">'
        f"{escape(node.label)}</text>{note}</g>"
    )
