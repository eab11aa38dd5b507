from datetime import datetime, timedelta

from defusedxml.ElementTree import fromstring

from contest import results
from contest.infra import clock
from contest.models import Post
from contest.outreach import posts
from contest.players import acts
from contest.web.sharing import cards as pages
from tests import cast

LOCATION = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
LINK = "{http://www.w3.org/1999/xhtml}link"


def paths(client):
    return [path for sheet in locations(client, "/sitemap.xml") for path in locations(client, sheet)]


def locations(client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    return [where.text.removeprefix("http://testserver") for where in fromstring(answer.content).iter(LOCATION)]


def test_the_sitemap_lists_public_pages_in_both_languages(client, during_round):
    player = cast.enter(during_round, "山水", 12, 8, at=cast.DURING).player
    listed = paths(client)
    wanted = {"/en/", "/en/rounds/1/", "/zh-hans/rounds/1/", "/en/rounds/1/main/", "/en/rounds/1/main/moves/"}
    assert wanted <= {*listed}
    assert any(path.startswith(f"/en/players/{player.pk}-") for path in listed)
    assert len(listed) == len(set(listed))
    entry = next(iter(fromstring(client.get("/sitemap-rounds.xml").content)))
    assert {link.get("hreflang") for link in entry.iter(LINK)} == {"zh-hans", "en", "x-default"}


def test_every_page_of_the_sitemap_exists_and_results_from_the_close_on(client, during_round):
    cast.enter(during_round, "Ada", 12, 8, at=cast.DURING)
    assert "/en/rounds/1/results/" not in paths(client)
    with clock.set_to(cast.AFTER):
        listed = [path for path in paths(client) if path.startswith("/en/")]
        assert "/en/rounds/1/results/" in listed
        assert {client.get(path).status_code for path in listed} == {200}


def test_erased_and_merged_players_are_not_in_the_sitemap(client, during_round):
    """Although placings of a final round keep both (rules 4.13, 15.6)."""
    ada, ida, eve = (cast.enter(during_round, name, 12, 8, at=cast.DURING).player for name in ("Ada", "Ida", "Eve"))
    with clock.set_to(cast.AFTER):
        results.finalise(during_round, at=cast.AFTER, by=None)
        cast.merge(ida, ada, None, reason="same person")
        acts.erase(eve, None)
        listed = locations(client, "/sitemap-players.xml")
    assert [path for path in listed if path.startswith("/en/")] == [f"/en/players/{ada.pk}-ada/"]


def test_a_cached_sitemap_names_nobody_erased_and_no_withdrawn_post(client, during_round, cache_of_its_own):
    """Rule 15.6, also for a client that sends the ETag of before."""
    ada = cast.enter(during_round, "Ada", 12, 8, at=cast.DURING).player
    draft = Post(slug="taken-back", title_en="Title", text_en="Text", published_at=cast.DURING)
    post = posts.save(draft, at=cast.DURING, by=None)
    sheets = ("/sitemap-players.xml", "/sitemap-posts.xml")
    before = [client.get(sheet) for sheet in sheets]
    assert all(word in sheet.content for word, sheet in zip((b"-ada/", b"taken-back"), before, strict=True))
    acts.erase(ada, None)
    Post.objects.filter(pk=post.pk).update(published_at=None)
    for sheet, known in zip(sheets, before, strict=True):
        for headers in ({}, {"If-None-Match": known["ETag"]}):
            assert b"<loc>" not in client.get(sheet, headers=headers).content, sheet
            assert client.get(sheet, headers=headers).status_code == 200, sheet


def test_robots_txt_excludes_personal_pages_and_names_the_sitemap(client, settings):
    settings.SITE_URL = "https://contest.example"
    lines = client.get("/robots.txt").content.decode().splitlines()
    for path in ("/en/me/", "/zh-hans/s/", "/en/desk/", "/admin/", "/en/account/", "/en/claim/", "/en/search/"):
        assert f"Disallow: {path}" in lines
    assert "Sitemap: https://contest.example/sitemap.xml" in lines


def test_security_txt_names_the_operators_contact(client, db, settings):
    """RFC 9116: a contact that is a URI, and an expiry within a year."""
    assert client.get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = "mailto:security@example.org"
    fields = dict(line.split(": ", 1) for line in client.get("/.well-known/security.txt").content.decode().splitlines())
    assert fields["Contact"] == "mailto:security@example.org"
    assert clock.now() < datetime.fromisoformat(fields["Expires"]) < clock.now() + timedelta(days=365)
    assert fields["Canonical"].endswith("/.well-known/security.txt")


def test_a_player_has_a_card_only_with_public_results(client, during_round, monkeypatch):
    monkeypatch.setitem(pages._SHAPES, "card", lambda _card: b"card")
    player = cast.send("Ada", "rR").submission.player
    assert client.get(f"/en/players/{player.pk}/card.png").status_code == 404
    cast.enter(during_round, "Ada", 12, 8, at=cast.DURING)
    assert client.get(f"/en/players/{player.pk}/card.png").status_code == 200
    assert [client.get(f"/en/rounds/1/{page}card.png").status_code for page in ("", "main/")] == [200, 200]
