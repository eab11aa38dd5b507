"""SVG pictures of layouts: for pages, whose style sheet sets the colours, and as standalone files with colours."""

from dataclasses import dataclass
from xml.sax.saxutils import escape

from solvers.klotski.layout import COLUMNS, ROWS, Kind, Layout, Piece

EDGE = 0.2  # width of the frame, in cells


@dataclass(frozen=True)
class Theme:
    """Colours of a picture, each `#rrggbb`; *ink* is for outlines and names."""

    background: str
    floor: str
    cao: str
    horizontal: str
    vertical: str
    soldier: str
    ink: str


LIGHT = Theme("#fffdf9", "#f4ecdb", "#c8452f", "#7fa650", "#5b8fb9", "#e0a83a", "#2b2119")
DARK = Theme("#141519", "#2b2b2e", "#d9644c", "#86ad58", "#6b9dc4", "#c7912d", "#e9e6df")
PRINT = Theme("#ffffff", "#ffffff", "#808080", "#c0c0c0", "#d8d8d8", "#f0f0f0", "#000000")
THEMES = {"light": LIGHT, "dark": DARK, "print": PRINT}


def svg(layout: Layout, *, title: str = "", names: bool = False, theme: Theme | None = None, cell: int = 48) -> str:
    """Draw *layout* as an SVG element, one unit per cell; the frame is open at the exit.

    Without a *theme* the SVG is for pages that style the classes frame, floor, cao, horizontal, vertical, soldier and
    name; with one it is standalone, *cell* pixels per cell. *names* writes the names of the pieces on them
    (`Layout.with_names`).

    >>> svg(Layout.parse("VCCVVCCVVHHVVooVo..o"))[:74]
    '<svg class="klotski" xmlns="http://www.w3.org/2000/svg" role="img" viewBox'
    """
    width, height = COLUMNS + 2 * EDGE, ROWS + 2 * EDGE
    size = f' width="{width * cell:g}" height="{height * cell:g}"' if theme else ""
    pieces = (layout.with_names() if names else layout).pieces
    parts = [
        '<svg class="klotski" xmlns="http://www.w3.org/2000/svg" role="img"',
        f' viewBox="-{EDGE} -{EDGE} {width:g} {height:g}"{size}>',
        f"<title>{escape(title)}</title>" if title else "",
        f'<path d="M-{EDGE} -{EDGE}h{width:g}v{height:g}h-{width:g}z" fill="{theme.background}"/>' if theme else "",
        f'<path class="floor"{_fill(theme, "floor")} d="M0 0h{COLUMNS}v{ROWS}h-{COLUMNS}z"/>',
        *(_rectangle(piece, theme) for piece in pieces),
        f'<path class="frame" fill="none"{_line(theme, 0.14)}',
        f' d="M1 {ROWS}.08h-1.08v-{ROWS}.16h{COLUMNS}.16v{ROWS}.16h-1.08"/>',
        *(_name(piece, theme) for piece in pieces if names),
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


def _name(piece: Piece, theme: Theme | None) -> str:
    row, column = divmod(piece.cell, COLUMNS)
    x, y = column + piece.kind.columns / 2, row + piece.kind.rows / 2 + 0.17
    size = 0.9 if piece.kind == Kind.CAO else 0.48
    font = ' font-family="sans-serif"' if theme else ""
    return (
        f'<text class="name"{_fill(theme, "ink")}{font} x="{x:g}" y="{y + (size - 0.48) / 3:g}" font-size="{size}"'
        f' text-anchor="middle">{escape(piece.name[:1])}</text>'
    )


def _fill(theme: Theme | None, name: str) -> str:
    return f' fill="{getattr(theme, name)}"' if theme else ""


def _line(theme: Theme | None, width: float) -> str:
    return f' stroke="{theme.ink}" stroke-width="{width:g}"' if theme else f' stroke-width="{width:g}"'
