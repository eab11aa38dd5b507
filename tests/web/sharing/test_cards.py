import pytest

from contest.web.sharing import cards as pages
from tests import cast


@pytest.fixture
def drawn_cards(monkeypatch):
    drawn = []
    monkeypatch.setitem(pages._SHAPES, "card", lambda card: drawn.append(card) or b"card")
    return drawn


def test_a_player_has_a_card_only_with_public_results(client, during_round, drawn_cards):
    player = cast.send("Ada", "rR").submission.player
    assert client.get(f"/en/players/{player.pk}/card.png").status_code == 404
    cast.enter(during_round, "Ada", 12, 8, at=cast.DURING)
    assert client.get(f"/en/players/{player.pk}/card.png").status_code == 200
    assert drawn_cards[0].title == "Ada"


def test_pages_name_their_card_by_an_absolute_url(client, during_round, settings):
    settings.SITE_URL = "https://contest.example"
    for address in ("rounds/1/", "rounds/1/main/", "rounds/1/main/moves/"):
        page = client.get(f"/en/{address}").content.decode()
        picture = "https://contest.example/en/" + ("rounds/1/main/" if "main" in address else "rounds/1/")
        assert f'<meta property="og:image" content="{picture}card.png">' in page
        assert f'<meta itemprop="image" content="{picture}square.png">' in page
