"""Picture of the three cases of the number of moves: distances from the corner of a board without borders."""

from solvers.knights.counts import Case, _open_case, open_distance

_COLOURS = {Case.SLANTED: "#dbe7f5", Case.STRAIGHT: "#f4e3c3", Case.SAME: "#ffffff"}
_EXCEPTION_COLOUR = "#f3c6bb"
_INK = "#2b2119"
_LEGEND = (
    (_COLOURS[Case.SLANTED], "x ≤ 2y: ⌈(x + y) / 3⌉"),
    (_COLOURS[Case.STRAIGHT], "x &gt; 2y: ⌈x / 2⌉"),
    (_EXCEPTION_COLOUR, "(1, 0): 3; (2, 2): 4"),
)


def cases_svg(size: int = 13) -> str:
    """Draw a quarter of the plane, *size* squares each way, as an SVG file, one colour for each of the three cases.

    Each square shows the number of moves from the bottom left: the formula of its colour in the legend, with x the
    longer and y the shorter distance, or one more if needed to have the same parity as x + y.

    >>> cases_svg(3)[:60]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 11 6"'

    Time O(size^2).
    """
    width, height = size + 8, max(size, 4) + 2
    squares = "".join(_draw_square(across, up, size) for up in range(size) for across in range(size))
    legend = "".join(
        f'<rect x="{size + 0.5}" y="{at}" width=".8" height=".8" fill="{colour}"/>'
        f'<text x="{size + 1.5}" y="{at + 0.58:g}">{text}</text>'
        for at, (colour, text) in enumerate(_LEGEND)
    )
    numbers = "".join(
        f'<text x="{at + 0.5}" y="{size + 0.6}">{at}</text><text x="-.5" y="{size - at - 0.35:g}">{at}</text>'
        for at in range(size)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {width} {height}" '
        f'width="{width * 32}" height="{height * 32}" font-family="sans-serif" font-size=".45" fill="{_INK}">'
        f'<path d="M-1-1h{width}v{height}h-{width}z" fill="#ffffff"/>'
        f'<g text-anchor="middle">{squares}<g fill-opacity=".6">{numbers}</g></g>{legend}</svg>\n'
    )


def _draw_square(across: int, up: int, size: int) -> str:
    rule = _open_case(max(across, up), min(across, up))
    top = size - 1 - up
    return (
        f'<rect x="{across}" y="{top}" width="1" height="1" stroke="#ffffff" stroke-width=".06"'
        f' fill="{_COLOURS.get(rule, _EXCEPTION_COLOUR)}"/>'
        f'<text x="{across + 0.5}" y="{top + 0.65:g}">{open_distance(across, up)}</text>'
    )
