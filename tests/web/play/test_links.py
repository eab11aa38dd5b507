import pytest

pytestmark = pytest.mark.django_db
LINK = "/sokoplayer/?w=5&h=3&lvl=HHHHH|Ha$.H|HHHHH"
REBUILT = "######\n#---.#\n#@$###\n#--#--\n####--"


def test_a_sokoplayer_link_shows_its_level_or_is_refused_with_a_message(client):
    page = client.get(LINK, headers={"Accept-Language": "en"})
    assert (page.status_code, "#####\n#@$.#\n#####" in page.text, 'class="board"' in page.text) == (200, True, True)
    wrong_size = client.get(LINK.replace("h=3", "h=9"), headers={"Accept-Language": "en"})
    assert "the rows count" in wrong_size.text
    for query in ("lvl=", "w=3", "lvl=HHH%7CH<script>H", "lvl=" + "H" * 70_000, "a=1&" * 60):
        page = client.get(f"/sokoplayer/?{query}", headers={"Accept-Language": "en"})
        assert page.status_code == 422
        assert "<script>H" not in page.content.decode()
        assert 'role="alert"' in page.content.decode()


def test_posted_moves_redirect_to_their_url_unless_too_long(client):
    page = client.post("/lurd2xsb/", {"moves": "dr UluRR\n"})
    assert page["Location"] == "/lurd2xsb/drUluRR"
    page = client.get(page["Location"], headers={"Accept-Language": "en"})
    assert (REBUILT in page.text, '"moves": "drUluRR"' in page.text) == (True, True)
    page = client.post("/lurd2xsb/", {"moves": "R" + "lr" * 2000}, headers={"Accept-Language": "en"})
    assert page.status_code == 200
    assert "data-player" in page.content.decode()


def test_moves_without_a_level_are_refused_with_a_message(client):
    for moves, message in {"rl": "push", "R%3Cscript%3E": "letter", "Rrl9999999(r)": "", "R1000000r": ""}.items():
        page = client.get(f"/lurd2xsb/{moves}", headers={"Accept-Language": "en"})
        assert page.status_code == 422
        assert "<script>" not in page.content.decode().split("<main")[1]
        assert message in page.content.decode()
        assert "data-player" not in page.content.decode()
