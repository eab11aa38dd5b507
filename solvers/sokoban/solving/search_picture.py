"""Picture of a search: its lower bound over the number of states. Run it to draw that in docs/explanation/solver.md."""

import sys
from collections.abc import Sequence

from solvers.sokoban.making.series import ladder
from solvers.sokoban.solving import exact
from solvers.sokoban.solving.answers import Aim, Solved
from solvers.sokoban.solving.budget import Progress

_WIDTH, _HEIGHT, _MARGIN = 640, 300, 56
_INK, _LINE, _BEST = "#2b2119", "#1d5a9e", "#b5341b"


def search_svg(points: Sequence[tuple[int, int]], optimum: int, title: str) -> str:
    """Draw (states, lower bound) as steps, and the optimum as a line, as a standalone SVG.

    >>> search_svg([(0, 3), (10, 5)], 5, "A search").count("<path")
    1
    """
    most = max(states for states, _ in points) or 1

    def place(states: int, bound: int) -> tuple[float, float]:
        across = _MARGIN + (_WIDTH - 2 * _MARGIN) * states / most
        return across, _HEIGHT - _MARGIN - (_HEIGHT - 2 * _MARGIN) * bound / optimum

    begin = place(*points[0])
    steps = "".join(f"H{place(*point)[0]:.1f}V{place(*point)[1]:.1f}" for point in points[1:])
    right, top = place(most, optimum)
    left, bottom = place(0, 0)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="13" fill="{_INK}"><title>{title}</title>'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fffdf9"/>'
        f'<path d="M{left:.1f} {top:.1f}V{bottom:.1f}H{right:.1f}M{begin[0]:.1f} {begin[1]:.1f}{steps}" fill="none" '
        f'stroke="{_LINE}" stroke-width="2"/>'
        f'<line x1="{left:.1f}" x2="{right:.1f}" y1="{top:.1f}" y2="{top:.1f}" stroke="{_BEST}" '
        f'stroke-dasharray="6 4"/><text x="{left:.1f}" y="{top - 8:.1f}" fill="{_BEST}">optimum: {optimum} moves</text>'
        f'<text x="{left:.1f}" y="{_HEIGHT - 20}">0</text>'
        f'<text x="{right:.1f}" y="{_HEIGHT - 20}" text-anchor="end">{most:,} states met</text>'
        f'<text x="{left + 8:.1f}" y="{begin[1] - 6:.1f}">proven lower bound</text></svg>\n'
    )


def main() -> None:
    """Write to standard output the picture of the proof that the ladder of eight boxes is solved optimally."""
    points: list[tuple[int, int]] = []

    def note(progress: Progress) -> None:
        points.append((progress.nodes, progress.bound))

    answer = exact.prove_exactly(ladder(8).level, Aim.MOVES, report=note)
    if not isinstance(answer, Solved):
        raise SystemExit("The proof did not end.")
    points.append((answer.nodes, answer.moves))
    sys.stdout.write(search_svg(points, answer.moves, "The lower bound climbs while the ladder of eight is proved"))


if __name__ == "__main__":
    main()
