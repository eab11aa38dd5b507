from io import BytesIO
from pathlib import Path

import polib
import pytest
from PIL import Image

from contest.rendering import app_icons, share_cards
from contest.rendering.share_cards import Card
from solvers.sokoban import Level
from solvers.sokoban.drawing import fonts, pictures
from solvers.sokoban.moves import Moves
from tests.cast import CORNER

CATALOGUE = Path(share_cards.__file__).parents[1] / "locale/zh_Hans/LC_MESSAGES/django.po"
SHADES = " .:-=+*#%@"
LEVEL, RULED = Level.parse("######|#@-$.#|#-#--#|######"), pictures.Style(cell=16, ruler=True, title="Two ways")
CARD = Card("Title", "Above", ("one", "two"), CORNER)
LARGEST = "|".join(["#" * 100, *["#" + "-" * 98 + "#"] * 97, "#@$.".ljust(99, "-") + "#", "#" * 100])


def opened(picture):
    with Image.open(BytesIO(picture)) as image:
        image.load()
    return image


def in_letters(picture: bytes, width: int, height: int) -> str:
    """Return a small copy of a picture, a letter for each pixel."""
    small = opened(picture).convert("RGBA").convert("L").resize((width, height), Image.Resampling.BOX)
    letters = [SHADES[shade * len(SHADES) // 256] for shade in small.tobytes()]
    return "\n".join("".join(letters[start : start + width]).rstrip() for start in range(0, len(letters), width))


def test_cards_and_icons_are_as_approved(file_regression):
    own = ("", "蓝", "#008000")
    drawn = {
        "a card": (share_cards.draw_wide(CARD), 100, 40),
        "a card with the site's own mark": (share_cards.draw_wide(Card("", mark=own)), 60, 24),
        "a square card": (share_cards.draw_square(CARD), 50, 25),
        "a board": (share_cards.draw_board(CORNER), 50, 25),
        "a film's first picture": (pictures.gif(LEVEL, Moves.parse("rR"), RULED), 60, 30),
        "an icon": (app_icons.draw(192), 48, 24),
        "a maskable icon": (app_icons.draw(192, is_maskable=True), 48, 24),
        "an own icon": (app_icons.draw(192, own=own), 48, 24),
        "an own icon, two letters": (app_icons.draw(192, is_maskable=True, own=("", "SK", "#008000")), 48, 24),
    }
    texts = [f"{name}:\n{in_letters(*of)}" for name, of in drawn.items()]
    file_regression.check("\n\n".join(texts), basename="cards")


@pytest.mark.parametrize(
    ("draw", "drawn", "size"),
    [
        (share_cards.draw_wide, CARD, (1200, 630)),
        (share_cards.draw_square, CARD, (300, 300)),
        (share_cards.draw_board, CORNER, (400, 300)),
    ],
)
def test_a_card_has_its_size_and_few_bytes(draw, drawn, size):
    picture = draw(drawn)
    assert opened(picture).size == size
    assert len(picture) < 40_000


@pytest.mark.parametrize("draw", [share_cards.draw_wide, share_cards.draw_square])
def test_the_largest_board_and_the_longest_text_fit(draw):
    card = Card("W" * 200, "字" * 200, ("W " * 100,) * 8, LARGEST)
    assert len(draw(card)) < 60_000


def test_a_site_with_its_own_mark_shows_it_instead_of_the_softwares():
    card = Card("", mark=("", "L", "#008000"))
    red, green, blue = opened(share_cards.draw_wide(card)).convert("RGB").getpixel((860, 315))
    assert green > 2 * max(red, blue)


def test_every_word_of_the_site_is_drawn_without_a_font_on_the_machine(monkeypatch, tmp_path):
    monkeypatch.setenv("FONT_FOLDERS", str(tmp_path))
    words = "".join(entry.msgstr for entry in polib.pofile(str(CATALOGUE)))
    assert fonts.undrawable("".join(letter for letter in words if letter.isalpha())) == ""
