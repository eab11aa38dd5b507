"""SVG pictures of layouts: for pages, whose style sheet sets the colours, and as standalone files with colours."""

from dataclasses import dataclass
from xml.sax.saxutils import escape

from solvers.klotski.layout import COLUMNS, ROWS, Kind, Layout, Piece
from solvers.klotski.people import lines_of, people

EDGE = 0.2  # width of the frame, in cells


@dataclass(frozen=True)
class Theme:
    """Colours of a picture, each `#rrggbb`; *ink* is for outlines.

    *cao_name* is for the name on Cao Cao, *name* for those on the others, with a contrast of at least 4.5.
    """

    background: str
    floor: str
    cao: str
    horizontal: str
    vertical: str
    soldier: str
    ink: str
    cao_name: str
    name: str


LIGHT = Theme("#fffdf9", "#f4ecdb", "#b5412b", "#7fa650", "#5b8fb9", "#e0a83a", "#2b2119", "#fff4e2", "#2b2119")
DARK = Theme("#141519", "#2b2b2e", "#d9644c", "#86ad58", "#6b9dc4", "#c7912d", "#e9e6df", "#0c0c0e", "#0c0c0e")
PRINT = Theme("#ffffff", "#ffffff", "#808080", "#c0c0c0", "#d8d8d8", "#f0f0f0", "#000000", "#000000", "#000000")
THEMES = {"light": LIGHT, "dark": DARK, "print": PRINT}


def svg(
    layout: Layout,
    *,
    title: str = "",
    names: str = "",
    is_numbered: bool = False,
    theme: Theme | None = None,
    cell: int = 48,
) -> str:
    """Draw *layout* as an SVG element, one unit per cell; the frame is open at the exit.

    Without a *theme* the SVG is for pages that style the classes frame, floor, cao, horizontal, vertical, soldier and
    name; with one it is standalone, *cell* pixels per cell. *names* is the language in which the names of the pieces
    are written on them (`people`), "zh" or "en"; *is_numbered* tells the soldiers apart.

    >>> svg(Layout.parse("VCCVVCCVVHHVVooVo..o"))[:74]
    '<svg class="klotski" xmlns="http://www.w3.org/2000/svg" role="img" viewBox'
    """
    width, height = COLUMNS + 2 * EDGE, ROWS + 2 * EDGE
    size = f' width="{width * cell:g}" height="{height * cell:g}"' if theme else ""
    labels = people(layout, names, is_numbered=is_numbered) if names else ("",) * len(layout.pieces)
    parts = [
        '<svg class="klotski" xmlns="http://www.w3.org/2000/svg" role="img"',
        f' viewBox="-{EDGE} -{EDGE} {width:g} {height:g}"{size}>',
        f"<title>{escape(title)}</title>" if title else "",
        f'<path d="M-{EDGE} -{EDGE}h{width:g}v{height:g}h-{width:g}z" fill="{theme.background}"/>' if theme else "",
        f'<path class="floor"{_fill(theme, "floor")} d="M0 0h{COLUMNS}v{ROWS}h-{COLUMNS}z"/>',
        *(
            f"<g>{_rectangle(piece, theme)}{_name(piece, name, theme)}</g>"
            for piece, name in zip(layout.pieces, labels, strict=True)
        ),
        f'<path class="frame" fill="none"{_line(theme, 0.14)}',
        f' d="M1 {ROWS}.08h-1.08v-{ROWS}.16h{COLUMNS}.16v{ROWS}.16h-1.08"/>',
        "</svg>",
    ]
    return "".join(parts)


def _rectangle(piece: Piece, theme: Theme | None) -> str:
    row, column = divmod(piece.cell, COLUMNS)
    name = piece.kind.name.lower()
    return (
        f'<rect class="{name}"{_fill(theme, name)}{_line(theme, 0.04)} x="{column + 0.05:g}" y="{row + 0.05:g}"'
        f' width="{piece.kind.columns - 0.1:g}" height="{piece.kind.rows - 0.1:g}" rx=".12"/>'
    )


def _name(piece: Piece, name: str, theme: Theme | None) -> str:
    if not name:
        return ""
    lines, size = lines_of(name, piece.kind)
    row, column = divmod(piece.cell, COLUMNS)
    x, top = column + piece.kind.columns / 2, row + piece.kind.rows / 2 - size * (len(lines) / 2 - 0.85)
    font = ' font-family="sans-serif"' if theme else ""
    colour = "cao_name" if piece.kind == Kind.CAO else "name"
    return "".join(
        f'<text class="name"{_fill(theme, colour)}{font} x="{x:g}" y="{top + size * at:.4g}"'
        f' font-size="{size:g}" text-anchor="middle">{escape(line)}</text>'
        for at, line in enumerate(lines)
    )


def _fill(theme: Theme | None, name: str) -> str:
    return f' fill="{getattr(theme, name)}"' if theme else ""


def _line(theme: Theme | None, width: float) -> str:
    return f' stroke="{theme.ink}" stroke-width="{width:g}"' if theme else f' stroke-width="{width:g}"'
