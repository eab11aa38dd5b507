"""Sprites as pixels: their paths become polygons, drawn several times as large and averaged."""

import re
from collections.abc import Iterator
from itertools import pairwise

from PIL import Image, ImageChops, ImageDraw

from solvers.sokoban.drawing.sprites import CELL, SMALL_BELOW, Theme, sprite

_TOKEN = re.compile(r"[Mhvlcqz]|-?\d*\.?\d+")
_LENGTHS = {"M": 2, "h": 1, "v": 1, "l": 2, "c": 6, "q": 4, "z": 0}
_FINER = 4  # pixels per pixel, averaged
_STEPS = 6  # lines per curve

Point = tuple[float, float]


def raster(names: tuple[str, ...], side: int, theme: Theme) -> Image.Image:
    """Draw the sprites *names* over each other in a square of *side* pixels."""
    size = side * _FINER
    image = Image.new("RGB", (size, size), theme.paints["page"])
    for name in names:
        for paint, path, opacity in sprite(name, skin=theme.skin, is_small=side < SMALL_BELOW):
            mask = Image.new("1", (size, size))
            for polygon in _polygons(path, size / CELL):
                part = Image.new("1", (size, size))
                ImageDraw.Draw(part).polygon(polygon, fill=1)
                mask = ImageChops.logical_xor(mask, part)  # a path within another is a hole
            image.paste(theme.paints[paint], mask=mask.convert("L").point(lambda value, share=opacity: value * share))
    return image.reduce(_FINER)


def _polygons(path: str, scale: float) -> Iterator[list[Point]]:
    """Yield the corners of each part of *path*, in pixels; curves become lines."""
    tokens = iter(_TOKEN.findall(path))
    points: list[Point] = []
    command = ""
    for token in tokens:
        command, first = (token, None) if token in _LENGTHS else (command, token)
        needed = _LENGTHS[command] - (first is not None)
        numbers = [float(number) for number in ([first] if first else []) + [next(tokens) for _ in range(needed)]]
        if command == "z":
            # Pillow draws the pixel of each corner: half a pixel less puts the outline where it belongs.
            yield [(x * scale - 0.5, y * scale - 0.5) for x, y in points]
            points = []
        elif command == "M":
            points = [(numbers[0], numbers[1])]
        else:
            points += _line(points[-1], command, numbers)


def _line(start: Point, command: str, numbers: list[float]) -> list[Point]:
    x, y = start
    if command in "hv":
        return [(x + numbers[0], y) if command == "h" else (x, y + numbers[0])]
    corners = [start, *((x + right, y + down) for right, down in zip(numbers[::2], numbers[1::2], strict=True))]
    steps = 1 if command == "l" else _STEPS
    return [_on_curve(corners, step / steps) for step in range(1, steps + 1)]


def _on_curve(corners: list[Point], share: float) -> Point:
    """Return a point of a Bézier curve (de Casteljau)."""
    while len(corners) > 1:
        corners = [(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share) for (x0, y0), (x1, y1) in pairwise(corners)]
    return corners[0]
