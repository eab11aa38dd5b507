"""The site's mark as PNG icons: the organisers' or the operator's own, or the software's (static/contest/mark.svg)."""

from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw

from solvers.sokoban.drawing.fonts import draw_text

# The same shapes and colours as in mark.svg.
_UNITS = 32
_RED, _LINE, _GOLD = "#a3321c", "#fff4e2", "#f2bd4c"
_ROUND, _WIDTH = 6, 2.6
_LETTERS = (0.66, 0.44)  # height of one letter and of two, of the mark's
_FRAME = (7, 7, 25, 25)
_BOX = ((16, 10.4), (21.6, 16), (16, 21.6), (10.4, 16))
# A system may crop all but the middle circle, 80 % of the width across (W3C appmanifest, "safe zone").
_SAFE = 0.85
_PAPER = "#faf7f0"  # behind an operator's logo, where no corner may be transparent
_OWN_SAFE = 0.7  # the corners of a square logo, too, reach into the cropped part
SMALLEST = 512  # pixels, the largest icon
_FINER = 4  # supersampling: drawn this many times as large, then averaged

# A logo, as the path of a PNG file or as WebP, or else letters and their background.
Own = tuple[str | bytes, str, str]


@lru_cache(maxsize=8)
def draw(pixels: int, *, is_maskable: bool = False, own: Own | None = None) -> bytes:
    """Return the mark as a PNG, *pixels* wide and high; a maskable one has square corners and a wider margin.

    *own* is the site's own mark.
    """
    logo, letters, colour = own or ("", "", _RED)
    if logo:
        return _draw_own(pixels, logo, is_maskable=is_maskable)
    size = pixels * _FINER
    image = Image.new("RGBA", (size, size))
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((0, 0, size - 1, size - 1), 0 if is_maskable else _ROUND * size / _UNITS, colour)
    shrink = _SAFE if is_maskable else 1.0
    if letters:
        height = round(size * shrink * _LETTERS[len(letters) > 1])
        draw_text(pen, (size / 2, size / 2), letters, height, fill=_LINE, anchor="mm")
        return _save(image)

    def at(unit: float) -> float:
        return ((unit - _UNITS / 2) * shrink + _UNITS / 2) * size / _UNITS

    left, top, right, bottom = _FRAME
    outer, width = _WIDTH / 2, round(_WIDTH * shrink * size / _UNITS)
    corners = (at(left - outer), at(top - outer), at(right + outer), at(bottom + outer))
    pen.rounded_rectangle(corners, width / 2, outline=_LINE, width=width)
    pen.polygon([(at(x), at(y)) for x, y in _BOX], _GOLD)
    return _save(image)


def _save(image: Image.Image) -> bytes:
    file = BytesIO()
    image.reduce(_FINER).save(file, "PNG", optimize=True)
    return file.getvalue()


def read_logo(path: str | bytes) -> Image.Image:
    """Return a logo: the operator's file, or the bytes of a picture of the desk, which were encoded by ourselves.

    Raise ValueError unless it is square and at least 512 pixels wide.
    """
    name, file_, kind = (path, path, "PNG") if isinstance(path, str) else ("The picture", BytesIO(path), "WEBP")
    try:
        with Image.open(file_, formats=[kind]) as file:
            logo = file.convert("RGBA")
    except (OSError, Image.DecompressionBombError) as error:
        raise ValueError(f"{name} cannot be read as a PNG file: {error}") from None
    if logo.width != logo.height or logo.width < SMALLEST:
        size = f"{logo.width} × {logo.height}"
        raise ValueError(f"{name} has {size} pixels; a logo is square, with at least {SMALLEST} pixels a side.")
    return logo


def _draw_own(pixels: int, path: str | bytes, *, is_maskable: bool) -> bytes:
    image = Image.new("RGBA", (pixels, pixels), _PAPER if is_maskable else None)
    side = round(pixels * _OWN_SAFE) if is_maskable else pixels
    image.alpha_composite(read_logo(path).resize((side, side), Image.Resampling.LANCZOS), ((pixels - side) // 2,) * 2)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
