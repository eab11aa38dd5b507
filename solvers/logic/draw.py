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
    clauses = (
        " ∨ ".join("¬" * (literal < 0) + name_of(abs(literal)) for literal in clause) for clause in formula.clauses
    )
    return f"{prefix}: {' ∧ '.join(f'({clause})' for clause in clauses)}"


def svg(formula: Formula, reduction: Reduction, *, heads: Sequence[int] | None = None, title: str = "") -> str:
    """Draw the graph of *reduction*, the reduction of *formula*, with its initial heads or with *heads*.

    An edge has the class red or blue, and on while it points onward; a vertex has the class of its kind.
    """
    heads = reduction.heads if heads is None else heads
    placing = place(reduction.graph)
    width, height = placing.width + 2 * MARGIN, placing.height + 2 * MARGIN
    lines = [_draw_edge(reduction, heads, placing, number) for number in placing.lines]
    vertices = [_draw_vertex(formula, reduction, placing, vertex) for vertex in placing.vertices]
    return (
        '<svg class="graph" xmlns="http://www.w3.org/2000/svg" role="img"'
        f' viewBox="{-MARGIN:g} {-MARGIN:g} {_format_number(width)} {_format_number(height)}"'
        f' width="{round(width * UNIT)}" height="{round(height * UNIT)}">'
        f"<title>{escape(title)}</title>{''.join(lines)}{''.join(vertices)}"
        f"{''.join(_value_labels(reduction, placing))}</svg>"
    )


def kind_of(reduction: Reduction, vertex: int, fed: frozenset[int]) -> str:
    """Return the kind of *vertex*: variable, goal, end, turn, and, or, split."""
    if any(vertex == other for _variable, other in reduction.variables):
        return "variable"
    if vertex == reduction.goal[1]:
        return "goal"
    if vertex in fed:
        return "turn"
    input_weights = [edge.weight for edge in reduction.graph.edges if edge.one == vertex and edge.other != vertex]
    return {(1, 1): "and", (2, 2): "or", (2,): "split"}.get(tuple(input_weights), "end")


def _draw_edge(reduction: Reduction, heads: Sequence[int], placing: Placing, number: int) -> str:
    edge, line = reduction.graph.edges[number], placing.lines[number]
    is_on = heads[number] == edge.one
    colour = "red" if edge.weight == RED else "blue"
    path = "M" + "L".join(f"{_format_number(x)} {_format_number(y)}" for x, y in line)
    arrow = _arrow_path(line if is_on else line[::-1])
    return f'<g class="edge {colour}{" on" if is_on else ""}"><path d="{path}"/><path class="tip" d="{arrow}"/></g>'


def _value_labels(reduction: Reduction, placing: Placing) -> Iterator[str]:
    """Yield the labels at a variable's edges: 1 for true, and 0."""
    for _variable, vertex in reduction.variables:
        outgoing = [number for number, edge in enumerate(reduction.graph.edges) if edge.other == vertex]
        for label, number in zip("10", outgoing, strict=True):
            (x, y), (to_x, to_y) = placing.lines[number][:2]
            yield (
                f'<text class="value" x="{_format_number(x + (to_x - x) * 0.75 + 0.16)}"'
                f' y="{_format_number(y + (to_y - y) * 0.75)}">{label}</text>'
            )


def _arrow_path(line: Sequence[Point]) -> str:
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
    return (
        "M" + "L".join(f"{_format_number(corner_x)} {_format_number(corner_y)}" for corner_x, corner_y in corners) + "Z"
    )


def _draw_vertex(formula: Formula, reduction: Reduction, placing: Placing, vertex: int) -> str:
    x, y = map(_format_number, placing.vertices[vertex])
    kind = kind_of(reduction, vertex, placing.fed)
    radius = {"turn": ".1", "split": ".12", "end": ".12"}.get(kind, ".3")
    label = {"and": "∧", "or": "∨", "goal": "★"}.get(kind, "")
    if kind == "variable":
        variable = next(name for name, position in reduction.variables if position == vertex)
        quantifier = next(quantifier for quantifier, name in formula.prefix if name == variable)
        label = _SIGNS[quantifier] + name_of(variable)
    text = f'<text x="{x}" y="{y}" dy=".12">{label}</text>' if label else ""
    return f'<g class="vertex {kind}"><circle cx="{x}" cy="{y}" r="{radius}"/>{text}</g>'


def _format_number(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
