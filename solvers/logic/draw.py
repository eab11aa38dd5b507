"""SVG picture of a formula's graph, for pages whose style sheet colours its classes."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot
from xml.sax.saxutils import escape

from solvers.logic.constraint_graphs import RED
from solvers.logic.formulas import Formula, Quantifier
from solvers.logic.placing import Placing, Point, place
from solvers.logic.reducing import Reduction

MARGIN = 0.6
UNIT = 44  # pixels per unit
_TIP_AT = 0.6  # fraction of the last segment of a line: edges cross in the middle
_NAMES = "xyzw"
_SIGNS = {Quantifier.EXISTS: "∃", Quantifier.FORALL: "∀"}


def name_of(variable: int) -> str:
    """Return x, y, z and w for the first four variables, then x5, x6, ..."""
    return _NAMES[variable - 1] if variable <= len(_NAMES) else f"x{variable}"


def in_signs(formula: Formula) -> str:
    """Return *formula* in mathematical notation.

    >>> in_signs(Formula.parse("p cnf 2 2\\na 1 0\\ne 2 0\\n1 2 0\\n-1 -2 0\\n"))
    '∀x ∃y: (x ∨ y) ∧ (¬x ∨ ¬y)'
    """
    prefix = " ".join(_SIGNS[quantifier] + name_of(variable) for quantifier, variable in formula.prefix)
    clauses = (" ∨ ".join("¬" * (one < 0) + name_of(abs(one)) for one in clause) for clause in formula.clauses)
    return f"{prefix}: {' ∧ '.join(f'({clause})' for clause in clauses)}"


def svg(formula: Formula, made: Reduction, *, heads: Sequence[int] | None = None, title: str = "") -> str:
    """Draw the graph *made* from *formula*, with its initial heads or with *heads*.

    An edge has the class red or blue, and on while it points onward; a vertex has the class of its kind.
    """
    heads = made.heads if heads is None else heads
    placing = place(made.graph)
    width, height = placing.width + 2 * MARGIN, placing.height + 2 * MARGIN
    lines = [_edge(made, heads, placing, number) for number in placing.lines]
    vertices = [_vertex(formula, made, placing, vertex) for vertex in placing.vertices]
    return (
        '<svg class="graph" xmlns="http://www.w3.org/2000/svg" role="img"'
        f' viewBox="{-MARGIN:g} {-MARGIN:g} {_short(width)} {_short(height)}"'
        f' width="{round(width * UNIT)}" height="{round(height * UNIT)}">'
        f"<title>{escape(title)}</title>{''.join(lines)}{''.join(vertices)}{''.join(_values(made, placing))}</svg>"
    )


def kind_of(made: Reduction, vertex: int, fed: frozenset[int]) -> str:
    """Return the kind of *vertex*: variable, goal, end, turn, and, or, split."""
    if any(vertex == one for _variable, one in made.variables):
        return "variable"
    if vertex == made.goal[1]:
        return "goal"
    if vertex in fed:
        return "turn"
    taking = [edge.weight for edge in made.graph.edges if edge.one == vertex and edge.other != vertex]
    return {(1, 1): "and", (2, 2): "or", (2,): "split"}.get(tuple(taking), "end")


def _edge(made: Reduction, heads: Sequence[int], placing: Placing, number: int) -> str:
    edge, line = made.graph.edges[number], placing.lines[number]
    is_on = heads[number] == edge.one
    colour = "red" if edge.weight == RED else "blue"
    path = "M" + "L".join(f"{_short(x)} {_short(y)}" for x, y in line)
    arrow = _arrow(line if is_on else line[::-1])
    return f'<g class="edge {colour}{" on" if is_on else ""}"><path d="{path}"/><path class="tip" d="{arrow}"/></g>'


def _values(made: Reduction, placing: Placing) -> Iterator[str]:
    """Yield the labels at a variable's edges: 1 for true, and 0."""
    for _variable, vertex in made.variables:
        begun = [number for number, edge in enumerate(made.graph.edges) if edge.other == vertex]
        for words, number in zip("10", begun, strict=True):
            (x, y), (to_x, to_y) = placing.lines[number][:2]
            yield (
                f'<text class="value" x="{_short(x + (to_x - x) * 0.75 + 0.16)}"'
                f' y="{_short(y + (to_y - y) * 0.75)}">{words}</text>'
            )


def _arrow(line: Sequence[Point]) -> str:
    """Return an arrowhead on the last segment of *line*."""
    (x, y), (to_x, to_y) = list(pairwise(line))[-1]
    length = hypot(to_x - x, to_y - y)
    along_x, along_y = (to_x - x) / length * 0.14, (to_y - y) / length * 0.14
    middle_x, middle_y = x + (to_x - x) * _TIP_AT, y + (to_y - y) * _TIP_AT
    corners = (
        (middle_x + along_x, middle_y + along_y),
        (middle_x - along_x - along_y, middle_y - along_y + along_x),
        (middle_x - along_x + along_y, middle_y - along_y - along_x),
    )
    return "M" + "L".join(f"{_short(one)} {_short(other)}" for one, other in corners) + "Z"


def _vertex(formula: Formula, made: Reduction, placing: Placing, vertex: int) -> str:
    x, y = map(_short, placing.vertices[vertex])
    kind = kind_of(made, vertex, placing.fed)
    radius = {"turn": ".1", "split": ".12", "end": ".12"}.get(kind, ".3")
    words = {"and": "∧", "or": "∨", "goal": "★"}.get(kind, "")
    if kind == "variable":
        variable = next(one for one, there in made.variables if there == vertex)
        quantifier = next(quantifier for quantifier, one in formula.prefix if one == variable)
        words = _SIGNS[quantifier] + name_of(variable)
    text = f'<text x="{x}" y="{y}" dy=".12">{words}</text>' if words else ""
    return f'<g class="vertex {kind}"><circle cx="{x}" cy="{y}" r="{radius}"/>{text}</g>'


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
