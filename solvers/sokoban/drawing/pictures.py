"""Pictures of levels and replays as PNG, GIF and animated PNG, in sixteen colours.

Sixteen colours need four bits per pixel; a palette padded to 256 would make a GIF five times as large. For each
animation frame only the changed part of the board is stored, and at most one frame is in memory.
"""

import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import GifImagePlugin, Image, ImageDraw

from solvers.sokoban.drawing.draw import column_name
from solvers.sokoban.drawing.fonts import draw_text, drawable, text_width
from solvers.sokoban.drawing.raster import raster
from solvers.sokoban.drawing.sprites import LIGHT, Theme, ground, things
from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.playback import Playback
from solvers.sokoban.position import Position
from solvers.sokoban.replay import replay

MAX_FRAMES = 3_000
EVERY_MOVE_UP_TO = 1_000  # moves; longer replays show only the pushes
MIN_DELAY = 20  # milliseconds; browsers play a GIF with a shorter delay much slower
LAST_DELAY = 2_000
MAX_PIXELS, MAX_FILM_PIXELS = 1_600, 800  # per side; cells of larger boards are smaller
MAX_TITLE = 200
_TITLE_SIZE, _TITLE_HEIGHT = 18, 30
_TITLE_WIDTH = 480  # a small board with a long title is padded on both sides up to this width

Progress = Callable[[int, int], object]

_PAINTS = (
    *("page", "edge", "floor", "wall", "side", "joint", "top", "goal"),
    *("box", "lit", "plank", "home", "gem", "man", "face", "band"),
)
_BACKGROUND, _INK = range(2)


@dataclass(frozen=True)
class Style:
    """Style of a picture: *cell* pixels per cell, a *title* above, a *ruler* with columns A, B ... and rows 1, 2 ...

    *font* is a font file for the title, instead of the system fonts. Letters that no font has are omitted.
    """

    cell: int = 24
    title: str = ""
    ruler: bool = False
    theme: Theme = LIGHT
    font: Path | None = None


PLAIN = Style()


def png(level: Level, style: Style = PLAIN, *, position: Position | None = None, facing: str = "D") -> bytes:
    """Draw *level*, or a *position* of a game on it, as PNG. *facing* is where the player looks: U, R, D or L."""
    board = _Board(level, style, MAX_PIXELS)
    players = (position.player,) if position else level.players
    board.show(position or Position(0, -1, level.boxes), players=players, facing=facing)
    file = BytesIO()
    board.image.save(file, "PNG", optimize=True, bits=4)
    return file.getvalue()


def gif(
    level: Level, moves: Moves, style: Style = PLAIN, *, delay: int = 100, progress: Progress | None = None
) -> bytes:
    """Draw the replay of *moves* on *level* as a looping GIF, *delay* milliseconds per frame.

    Up to 1,000 moves each move is a frame; longer replays show every push, or an even selection if there are more than
    3,000 pushes. The minimum *delay* is 20. *progress* is called with the frames done and their total. The replay ends
    at the solved state or before the first impossible step. Raise BadLevel if the level cannot be judged. Time
    O(moves * boxes + changed pixels).
    """
    parts: list[bytes] = []
    for part, offset, milliseconds in _film(level, moves, style, delay, progress):
        if not parts:
            # Pillow's save_all keeps every frame in memory; these two functions write one frame at a time.
            parts += GifImagePlugin.getheader(part, info={"loop": 0})[0]
        parts += GifImagePlugin.getdata(part, offset, duration=milliseconds, disposal=1)
    return b"".join([*parts, b";"])


def apng(
    level: Level, moves: Moves, style: Style = PLAIN, *, delay: int = 100, progress: Progress | None = None
) -> bytes:
    """Draw the replay as animated PNG; see `gif`. Viewers without animation support show the start."""
    frames: list[bytes] = []
    width = height = sequence = 0
    for count, (part, (left, top), milliseconds) in enumerate(_film(level, moves, style, delay, progress)):
        if not count:
            width, height = part.size
        control = struct.pack(">IIIIIHHBB", sequence, *part.size, left, top, milliseconds, 1000, 0, 0)
        pixels = zlib.compress(_pack(part), 9)
        if count:
            frames += [_chunk(b"fcTL", control), _chunk(b"fdAT", struct.pack(">I", sequence + 1) + pixels)]
        else:
            frames += [_chunk(b"fcTL", control), _chunk(b"IDAT", pixels)]
        sequence += 2 if count else 1
    header = struct.pack(">IIBBBBB", width, height, 4, 3, 0, 0, 0)  # four bits per pixel, palette colour
    return b"".join([
        b"\x89PNG\r\n\x1a\n",
        _chunk(b"IHDR", header),
        _chunk(b"acTL", struct.pack(">II", (sequence + 1) // 2, 0)),
        _chunk(b"PLTE", _palette(style.theme)),
        *frames,
        _chunk(b"IEND", b""),
    ])  # fmt: skip


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _pack(image: Image.Image) -> bytes:
    """Return the pixels, two per byte, each row preceded by filter type 0."""
    row = (image.width + 1) // 2
    pixels = image.tobytes("raw", "P;4")
    return b"".join(b"\0" + pixels[at : at + row] for at in range(0, len(pixels), row))


def shown_moves(lurd: str) -> list[int]:
    """Return the move counts at which an animation of *lurd* has a frame: start, end, and what fits between.

    >>> shown_moves("rRl")
    [0, 1, 2, 3]
    """
    if len(lurd) <= EVERY_MOVE_UP_TO:
        return list(range(len(lurd) + 1))
    pushes = [at for at, letter in enumerate(lurd, 1) if letter.isupper()]
    every = -(-len(pushes) // (MAX_FRAMES - 2))
    return sorted({0, len(lurd), *(pushes[::every] if pushes else ())})


def _film(
    level: Level, moves: Moves, style: Style, delay: int, progress: Progress | None
) -> Iterator[tuple[Image.Image, tuple[int, int], int]]:
    """Yield for each frame the changed part, its offset, and its duration in milliseconds."""
    playback = Playback(level, replay(level, moves).lurd)
    shown = shown_moves(playback.lurd)
    wanted = iter(shown)
    following = next(wanted)
    board = _Board(level, style, MAX_FILM_PIXELS)
    delay = max(MIN_DELAY, delay)
    done = 0
    for position in playback:
        if position.number == following:
            facing = playback.lurd[position.number - 1].upper() if position.number else "D"
            part, offset = board.show(position, players=(position.player,), facing=facing)
            done += 1
            yield part, offset, delay if done < len(shown) else max(delay, LAST_DELAY)
            if progress:
                progress(done, len(shown))
            following = next(wanted, -1)


class _Board:
    """Image of a level on which positions are drawn one after another."""

    def __init__(self, level: Level, style: Style, limit: int) -> None:
        self._level = level
        self._theme = style.theme
        self._ground = [tuple(ground(level, cell)) for cell in range(len(level.cells))]
        self._ruled = 1 if style.ruler else 0
        columns, rows = level.width + self._ruled, level.height + self._ruled
        self._cell = max(2, min(style.cell, limit // max(columns, rows)))
        self._sprites: dict[tuple[str, ...], Image.Image] = {}
        self._shown: dict[int, list[str]] | None = None
        title = drawable(style.title, path=style.font)[:MAX_TITLE]
        title_width = int(text_width(title, _TITLE_SIZE, path=style.font)) + 8 if title else 0
        width = max(columns * self._cell, min(_TITLE_WIDTH, title_width))
        self._left = (width - columns * self._cell) // 2 + self._ruled * self._cell
        self._top = (_TITLE_HEIGHT if title else 0) + self._ruled * self._cell
        self.image = Image.new("P", (width, self._top + level.height * self._cell), _BACKGROUND)
        self.image.putpalette(_palette(style.theme))
        self._draw = ImageDraw.Draw(self.image)
        self._draw.fontmode = "1"  # no anti-aliasing: the palette has no colours for it
        self._write_title(title, style.font)
        if style.ruler:
            self._write_ruler()

    def show(self, position: Position, *, players: tuple[int, ...], facing: str) -> tuple[Image.Image, tuple[int, int]]:
        """Draw changes since the last position; return the changed part and its offset. The first call draws all."""
        before, cells = self._shown, {*position.boxes, *players} - {-1}
        now = {cell: things(self._level, cell, position.boxes, players, facing) for cell in cells}
        self._shown = now
        # If moves are skipped, two frames may show the same position; an animation cannot contain an empty part.
        changed = range(len(self._ground)) if before is None else _changed_cells(before, now) or {*players}
        areas = []
        for cell in changed:
            areas.append(self._area(cell))
            self.image.paste(self._sprite((*self._ground[cell], *now.get(cell, ()))), areas[-1])
        if before is None:
            return self.image, (0, 0)
        lefts, tops, rights, bottoms = zip(*areas, strict=True)
        left, top = min(lefts), min(tops)
        return self.image.crop((left, top, max(rights), max(bottoms))), (left, top)

    def _sprite(self, names: tuple[str, ...]) -> Image.Image:
        """Return the sprites in the nearest colours of the palette; the image's palette has no smoothed edges."""
        if names not in self._sprites:
            drawn = raster(names, self._cell, self._theme)
            self._sprites[names] = drawn.quantize(palette=self.image, dither=Image.Dither.NONE)
        return self._sprites[names]

    def _area(self, cell: int) -> tuple[int, int, int, int]:
        row, column = divmod(cell, self._level.width)
        left, top = column * self._cell + self._left, row * self._cell + self._top
        return left, top, left + self._cell, top + self._cell

    def _write_title(self, title: str, path: Path | None) -> None:
        shown = title
        while shown and text_width(shown, _TITLE_SIZE, path=path) > self.image.width - 8:
            title = title[:-1]
            shown = f"{title}..."
        draw_text(self._draw, (4, _TITLE_HEIGHT // 2), shown, _TITLE_SIZE, fill=_INK, anchor="lm", path=path)

    def _write_ruler(self) -> None:
        size = max(6, self._cell // 2)
        half = self._cell // 2
        for column in range(self._level.width):
            middle = self._left + column * self._cell + half, self._top - half
            draw_text(self._draw, middle, column_name(column), size, fill=_INK, anchor="mm")
        for row in range(self._level.height):
            middle = self._left - half, self._top + row * self._cell + half
            draw_text(self._draw, middle, str(row + 1), size, fill=_INK, anchor="mm")


def _changed_cells(before: dict[int, list[str]], now: dict[int, list[str]]) -> set[int]:
    return {cell for cell in {*before, *now} if before.get(cell) != now.get(cell)}


def _palette(theme: Theme) -> bytes:
    return b"".join(bytes.fromhex(theme.paints[paint][1:]) for paint in _PAINTS)
