from datetime import timedelta
from io import BytesIO

import pytest
from PIL import Image

from contest.infra import clock
from contest.models import Level
from contest.web.sharing import cards as pages
from tests import cast


@pytest.fixture
def told(monkeypatch):
    """Record the cards that are drawn."""
    drawn = []
    monkeypatch.setitem(pages._SHAPES, "card", lambda card: drawn.append(card) or b"card")
    return drawn


def test_an_open_round_has_pictures(client, during_round, any_fonts):
    Level.objects.update(title="七箱 Seven boxes")
    for address, size in {
        "/en/rounds/1/card.png": (1200, 630),
        "/zh-hans/rounds/1/main/card.png": (1200, 630),
        "/en/rounds/1/main/square.png": (300, 300),
    }.items():
        answer = client.get(address)
        assert answer.headers["Content-Type"] == "image/png"
        with Image.open(BytesIO(answer.content)) as image:
            assert image.size == size
    assert client.get("/rounds/1/main/board.png").status_code == 200
    assert client.get("/en/rounds/1/nothing.png").status_code == 404


def test_before_the_opening_a_rounds_picture_shows_no_level_and_before_the_announcement_there_is_none(
    client, during_round, told
):
    """Rules 2.8, 7.4."""
    with clock.set_to(cast.OPENS - timedelta(seconds=1)):
        assert client.get("/en/rounds/1/card.png").status_code == 200
    (card,) = told
    assert (card.title, card.board, card.over) == ("Round 1", "", "")
    with clock.set_to(cast.OPENS - timedelta(days=8)):
        assert client.get("/en/rounds/1/card.png").status_code == 404


def test_a_level_says_the_best_numbers(client, during_round, told):
    cast.enter_all(during_round, [("Ada", 12, 8), ("Rival", 14, 6)])
    client.get("/en/rounds/1/main/card.png")
    assert {"Fewest moves: 12", "Fewest pushes: 6"} <= set(told[0].facts)


def test_a_player_has_a_picture_once_there_is_something_public(client, during_round, told):
    player = cast.send("Ada", "rR").submission.player
    assert client.get(f"/en/players/{player.pk}/card.png").status_code == 404
    cast.enter(during_round, "Ada", 12, 8, at=cast.DURING)
    assert client.get(f"/en/players/{player.pk}/card.png").status_code == 200
    assert told[0].title == "Ada"


def test_without_a_chinese_font_chinese_pages_have_english_pictures(client, during_round, told, no_font):
    client.get("/zh-hans/rounds/1/card.png")
    assert told[0].over == "Round 1"


def test_a_picture_is_not_sent_twice_to_who_has_it(client, during_round):
    etag = client.get("/en/rounds/1/main/card.png").headers["ETag"]
    assert client.get("/en/rounds/1/main/card.png", headers={"If-None-Match": etag}).status_code == 304
    cast.enter(during_round, "Ada", 12, 8, at=cast.DURING)
    assert client.get("/en/rounds/1/main/card.png", headers={"If-None-Match": etag}).status_code == 200


def test_pages_name_their_picture_by_its_whole_address(client, during_round, settings):
    settings.SITE_URL = "https://contest.example"
    for address in ("rounds/1/", "rounds/1/main/", "rounds/1/main/moves/"):
        page = client.get(f"/en/{address}").content.decode()
        picture = "https://contest.example/en/" + ("rounds/1/main/" if "main" in address else "rounds/1/")
        assert f'<meta property="og:image" content="{picture}card.png">' in page
        assert f'<meta itemprop="image" content="{picture}square.png">' in page


def test_a_picture_follows_the_theme_and_no_cache_keeps_it_for_others(client, during_round):
    light, dark = (client.get(f"/rounds/1/main/{look}.svg") for look in ("light", "dark"))
    assert light["Content-Type"] == "image/svg+xml"
    assert light.content != dark.content
    assert "private" in light["Cache-Control"]
    assert client.get("/rounds/1/main/purple.svg").status_code == 404
