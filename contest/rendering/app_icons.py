"""The site's logo (static/contest/mark.svg) as PNG, for systems that accept no SVG app icon."""

from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw

# The same shapes and colours as in mark.svg.
_UNITS = 32
_RED, _LINE, _GOLD = "#a3321c", "#fff4e2", "#f2bd4c"
_ROUND, _WIDTH = 6, 2.6
_FRAME = (7, 7, 25, 25)
_BOX = ((16, 10.4), (21.6, 16), (16, 21.6), (10.4, 16))
# A system may crop all but the middle circle, 80 % of the width across (W3C appmanifest, "safe zone").
_SAFE = 0.85
_FINER = 4  # supersampling: drawn this many times as large, then averaged


@lru_cache(maxsize=8)
def draw(pixels: int, *, is_maskable: bool = False) -> bytes:
    """Return the logo as a PNG, *pixels* wide and high; a maskable one has square corners and a wider margin."""
    size = pixels * _FINER
    image = Image.new("RGBA", (size, size))
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((0, 0, size - 1, size - 1), 0 if is_maskable else _ROUND * size / _UNITS, _RED)
    shrink = _SAFE if is_maskable else 1.0

    def at(unit: float) -> float:
        return ((unit - _UNITS / 2) * shrink + _UNITS / 2) * size / _UNITS

    left, top, right, bottom = _FRAME
    outer, width = _WIDTH / 2, round(_WIDTH * shrink * size / _UNITS)
    corners = (at(left - outer), at(top - outer), at(right + outer), at(bottom + outer))
    pen.rounded_rectangle(corners, width / 2, outline=_LINE, width=width)
    pen.polygon([(at(x), at(y)) for x, y in _BOX], _GOLD)
    file = BytesIO()
    image.reduce(_FINER).save(file, "PNG", optimize=True)
    return file.getvalue()
