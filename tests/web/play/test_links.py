import pytest

pytestmark = pytest.mark.django_db
LINK = "/sokoplayer/?w=5&h=3&lvl=HHHHH|Ha$.H|HHHHH"


def test_an_old_link_shows_its_level(client):
    page = client.get(LINK, headers={"Accept-Language": "en"})
    assert page.status_code == 200
    assert "#####\n#@$.#\n#####" in page.content.decode()
    assert 'class="board"' in page.content.decode()


def test_a_size_that_is_not_the_rows_is_told(client):
    page = client.get(LINK.replace("h=3", "h=9"), headers={"Accept-Language": "en"}).content.decode()
    assert "the rows count" in page


@pytest.mark.parametrize("query", ["lvl=", "w=3", "lvl=HHH%7CH<script>H", "lvl=" + "H" * 70_000, "a=1&" * 60])
def test_a_link_without_a_level_is_told_in_words(client, query):
    page = client.get(f"/sokoplayer/?{query}", headers={"Accept-Language": "en"})
    assert page.status_code == 422
    assert "<script>H" not in page.content.decode()
    assert 'role="alert"' in page.content.decode()


def test_the_bare_address_says_what_belongs_there(client):
    assert "lvl=" in client.get("/sokoplayer/").content.decode()
