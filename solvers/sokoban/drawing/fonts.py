"""Find a font that can draw a title: Pillow's own for Latin letters, one of the machine's for Chinese."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

from solvers.errors import NoFont

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "C:/Windows/Fonts",
)
# In order of preference: fonts made for reading on screens first.
_NAMES = (
    "wqy-microhei", "wqy-zenhei", "NotoSansCJK", "NotoSansSC", "SourceHanSans", "DroidSansFallback", "PingFang",
    "msyh", "simhei", "simsun", "STHeiti", "Hiragino Sans GB", "uming", "ukai", "unifont", "DejaVuSans",
)  # fmt: skip
_NOBODY = "\uffff"  # no font has a glyph for it: they draw the one for what is missing


def font_for(text: str, size: int, *, path: Path | None = None) -> Font:
    """Return a font of *size* pixels with a glyph for every character of *text*.

    With a *path* only that font is tried. Raise NoFont, with the characters that none could draw.
    """
    missing = text
    for font in [_load(path, size)] if path else _fonts(size):
        if font and not (missing := _missing(font, text)):
            return font
    raise NoFont(letters=repr("".join(dict.fromkeys(missing)))[1:-1][:20])


def _fonts(size: int) -> Iterator[Font | None]:
    """Pillow's own font, then those of the machine; looked for only if the first will not do."""
    yield ImageFont.load_default(size)
    for path in find_fonts():
        yield _load(path, size)


@lru_cache(maxsize=1)
def find_fonts(folders: tuple[str, ...] = _FOLDERS) -> tuple[Path, ...]:
    """The font files of the machine whose names are known to have Chinese or much else, best first. Found once."""
    found = [
        (rank, len(file.name), file)
        for folder in folders
        for file in sorted(Path(folder).expanduser().rglob("*.[ot]t[fc]"))
        for rank, name in enumerate(_NAMES)
        if file.name.lower().startswith(name.lower())
    ]
    return tuple(file for _, _, file in sorted(found))


def _load(path: Path, size: int) -> Font | None:
    try:
        return ImageFont.FreeTypeFont(path, size)  # not truetype(): it takes another font of the same name instead
    except OSError:  # no font, or one that is broken: as good as none
        return None


def _missing(font: Font, text: str) -> str:
    """The characters for which the font draws what it draws for a character that it does not have."""
    unknown = bytes(font.getmask(_NOBODY))
    return "".join(letter for letter in text if not letter.isspace() and bytes(font.getmask(letter)) == unknown)
