from io import BytesIO
from pathlib import Path

import polib
import pytest
from PIL import Image

from contest.rendering import share_cards
from contest.rendering.share_cards import Card
from solvers.sokoban.drawing import fonts
from tests.cast import CORNER

CATALOGUE = Path(share_cards.__file__).parents[1] / "locale/zh_Hans/LC_MESSAGES/django.po"
CARD = Card("Title", "Above", ("one", "two"), CORNER)
LARGEST = "|".join(["#" * 100, *["#" + "-" * 98 + "#"] * 97, "#@$.".ljust(99, "-") + "#", "#" * 100])


def opened(picture):
    with Image.open(BytesIO(picture)) as image:
        image.load()
    return image


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
