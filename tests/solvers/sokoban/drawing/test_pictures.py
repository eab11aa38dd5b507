from io import BytesIO

import pytest
from PIL import Image

from solvers.sokoban.drawing.pictures import MAX_FRAMES, Style, apng, gif, png, shown_moves
from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.playback import Playback
from solvers.sokoban.replay import replay

LEVEL = Level.parse("########|#@$.-$-#|#----.-#|#------#|########")
GAME = "RRdrrdll"  # a box is pushed onto a goal and off again; the player stands on both goals
SMALL = Style(cell=8)


def opened(file):
    return Image.open(BytesIO(file))


def frames(file):
    image = opened(file)
    for number in range(image.n_frames):
        image.seek(number)
        yield image.convert("RGB").tobytes(), image.info["duration"]


def test_large_boards_get_smaller_cells():
    level = Level.parse("|".join(["#" * 200, *["#" + "-" * 198 + "#"] * 197, "#@$.".ljust(199, "-") + "#", "#" * 200]))
    assert opened(png(level, Style(cell=64))).size == (1600, 1600)
    assert opened(gif(level, Moves.parse("R"), Style(cell=64))).size == (800, 800)


@pytest.mark.parametrize("film", [gif, apng])
@pytest.mark.parametrize("style", [SMALL, Style(cell=9, ruler=True, title="A title")])
def test_every_frame_of_a_film_is_the_picture_of_its_position(film, style):
    """Frames store only the changed parts; combined again they give the whole picture."""
    result = replay(LEVEL, Moves.parse(GAME))
    assert (result.moves, result.pushes) == (len(GAME), 2)
    looks = zip(Playback(LEVEL, result.lurd), "D" + result.lurd.upper(), strict=True)
    drawn = (png(LEVEL, style, position=position, facing=facing) for position, facing in looks)
    expected = [opened(picture).convert("RGB").tobytes() for picture in drawn]
    assert [pixels for pixels, _ in frames(film(LEVEL, Moves.parse(GAME), style))] == expected


@pytest.mark.parametrize(
    ("lurd", "count", "last"),
    [
        ("l" * 1000, 1001, 1000),
        ("l" * 1001, 2, 1001),
        ("L" * 2_998, 2999, 2_998),
        ("L" * 2_999, 1501, 2_999),
        ("L" * 50_000, 2944, 50_000),
    ],
)
def test_long_replays_show_pushes_only_and_no_more_than_3000_frames(lurd, count, last):
    shown = shown_moves(lurd)
    assert (shown[0], shown[-1]) == (0, last)
    assert len(shown) == count <= MAX_FRAMES
