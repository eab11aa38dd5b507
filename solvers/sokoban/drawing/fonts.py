"""Draw text in runs of one font each: Pillow's own font, then the library's, then those of the system.

The library's fonts have Latin, Greek and Cyrillic letters, kana and 8,800 Chinese characters (`fontfiles`, built by
tooling/assets/fonts.py), so most pictures are the same on every machine. Letters that no font has are omitted.
`FONT_FOLDERS` names the folders to search instead of the system's.
"""

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import cast

from PIL import ImageDraw, ImageFont

_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "C:/Windows/Fonts",
)
# In order of preference: fonts designed for screens first.
_NAMES = (
    "wqy-microhei", "wqy-zenhei", "NotoSansCJK", "NotoSansSC", "SourceHanSans", "DroidSansFallback", "PingFang",
    "msyh", "simhei", "simsun", "STHeiti", "Hiragino Sans GB", "uming", "ukai", "unifont", "DejaVuSans",
)  # fmt: skip
_OWN = tuple(Path(__file__).with_name("fontfiles") / name for name in ("NotoSans.ttf", "NotoSansSC.otf"))
_NOBODY = "\uffff"  # no font has a glyph for it, so fonts draw their "missing" glyph
_PROBED_SIZE = 20

Fonts = tuple[Path | None, ...]  # None is Pillow's own font


def drawable(text: str, *, path: Path | None = None) -> str:
    """Return *text* on one line, without the letters that no font has. With a *path* only that font is tried.

    >>> drawable("Ada\\n \\uffff Lovelace")
    'Ada Lovelace'
    """
    fonts = _fonts(path)
    return " ".join("".join(letter for letter in text if letter.isspace() or _first(letter, fonts) >= 0).split())


def undrawable(text: str, *, path: Path | None = None) -> str:
    """Return the letters of *text* that no font has, each once.

    >>> undrawable("Ada \\uffff")
    '\\uffff'
    """
    fonts = _fonts(path)
    return "".join(letter for letter in dict.fromkeys(text) if not letter.isspace() and _first(letter, fonts) < 0)


def text_width(text: str, size: int, *, path: Path | None = None) -> float:
    """Return the width in pixels of *text* as drawn by `draw_text`."""
    return sum(font.getlength(part) for part, font in _runs(text, size, path))


def draw_text(
    draw: ImageDraw.ImageDraw,
    at: tuple[float, float],
    text: str,
    size: int,
    *,
    fill: int | str,
    anchor: str = "la",
    stroke: int = 0,
    path: Path | None = None,
) -> None:
    """Draw *text* on one line. *anchor* is as in Pillow: "l" or "m" across, then "a" or "m" down."""
    runs = list(_runs(text, size, path))
    if not runs:
        return
    ascent, descent = map(max, zip(*(font.getmetrics() for _, font in runs), strict=True))
    left = at[0] - (text_width(text, size, path=path) / 2 if anchor[0] == "m" else 0)
    base = at[1] + (ascent if anchor[1] == "a" else (ascent - descent) // 2)
    for part, font in runs:
        draw.text((round(left), base), part, fill=fill, font=font, anchor="ls", stroke_width=stroke, stroke_fill=fill)
        left += font.getlength(part)


def _runs(text: str, size: int, path: Path | None) -> Iterator[tuple[str, ImageFont.FreeTypeFont]]:
    """Yield parts of *text* with their fonts; spaces are of the first font, because Chinese fonts have wide ones."""
    fonts = _fonts(path)
    part, at = "", -1
    for letter in drawable(text, path=path):
        found = 0 if letter.isspace() else _first(letter, fonts)
        if found != at and part:
            yield part, _load(fonts[at], size)
            part = ""
        part, at = part + letter, found
    if part:
        yield part, _load(fonts[at], size)


def _fonts(path: Path | None) -> Fonts:
    return (path,) if path else (None, *_OWN, *find_fonts())


@lru_cache(maxsize=10_000)
def _first(letter: str, fonts: Fonts) -> int:
    """Return the index of the first of *fonts* that has *letter*, or -1."""
    return next((at for at, path in enumerate(fonts) if _has(path, letter)), -1)


def _has(path: Path | None, letter: str) -> bool:
    """Return whether the font draws *letter* differently from a missing glyph."""
    try:
        font = _load(path, _PROBED_SIZE)
        return bytes(font.getmask(letter)) != bytes(font.getmask(_NOBODY))
    except OSError:  # a missing or broken font
        return False


@lru_cache(maxsize=64)
def _load(path: Path | None, size: int) -> ImageFont.FreeTypeFont:
    if path:
        return ImageFont.FreeTypeFont(path, size)  # not truetype(), which may load another font of the same name
    return cast(ImageFont.FreeTypeFont, ImageFont.load_default(size))  # the fallback type has no sizes


def find_fonts() -> tuple[Path, ...]:
    """Return the system's font files known to cover Chinese or many other scripts, best first."""
    given = os.environ.get("FONT_FOLDERS")
    return _search(tuple(given.split(os.pathsep)) if given else _FOLDERS)


@lru_cache(maxsize=4)
def _search(folders: tuple[str, ...]) -> tuple[Path, ...]:
    found = [
        (rank, len(file.name), file)
        for folder in folders
        for file in sorted(Path(folder).expanduser().rglob("*.[ot]t[fc]"))
        for rank, name in enumerate(_NAMES)
        if file.name.lower().startswith(name.lower())
    ]
    return tuple(file for _, _, file in sorted(found))
