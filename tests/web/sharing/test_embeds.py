from pathlib import Path
from xml.etree import ElementTree

import brotli
import pytest
from django.contrib.staticfiles import finders

from contest import players, visibility
from contest.infra import clock
from contest.models import SeenSolutions, Submission
from contest.rankings import standings
from contest.replays import animations
from contest.templatetags import sharing
from tests import cast


def oembed(client, address, **query):
    return client.get("/oembed", {"url": f"http://testserver/en/{address}", **query})


def test_only_embed_pages_may_be_framed_by_other_sites(client, during_round):
    """An embed page sets no cookie, is publicly cacheable, and has no forms."""
    for frame in ("embed/level/1/main/", "embed/standings/1/main/?by=pushes"):
        answer = client.get(f"/en/{frame}")
        for directive in ("frame-ancestors *", "default-src 'none'", "script-src 'self'"):
            assert directive in answer.headers["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer.headers
        assert "public" in answer.headers["Cache-Control"]
        assert not answer.cookies
        assert client.post(f"/en/{frame}").status_code == 405
    other = client.get("/en/rounds/1/main/").headers
    assert "frame-ancestors 'none'" in other["Content-Security-Policy"]
    assert other["X-Frame-Options"] == "DENY"
    assert client.get("/en/embed/standings/1/main/?by=luck").status_code == 404


def test_oembed_returns_the_frame_in_the_links_language_and_404_for_other_urls(client, during_round):
    answer = oembed(client, "rounds/1/main/")
    assert 'src="http://testserver/en/embed/level/1/main/"' in answer.json()["html"]
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    description = client.get("/oembed", {"url": "http://testserver/zh-hans/rounds/1/main/pushes/"}).json()
    assert "/zh-hans/embed/standings/1/main/?by=pushes" in description["html"]
    elsewhere = ("http://elsewhere.example/en/rounds/1/", "http://testserver/en/me/")
    for url in ("", "nonsense", *elsewhere, "http://[", "//x"):
        assert client.get("/oembed", {"url": url}).status_code == 404, url


def test_a_badge_shows_only_public_data(client, during_round):
    player = cast.send("山水 & <Söhne>", "rR").submission.player
    assert client.get(f"/en/badge/{player.pk}.svg").status_code == 404
    cast.enter(during_round, player.nickname, 12, 8, at=cast.DURING)
    answer = client.get(f"/en/badge/{player.pk}.svg")
    assert answer.headers["Content-Type"].startswith("image/svg+xml")
    assert answer.headers["Cache-Control"] == "public, max-age=3600"
    drawn = ElementTree.fromstring(answer.content)
    assert "山水 & <Söhne>" in [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]


def test_a_ranking_as_text_escapes_names_that_look_like_formulas(during_round):
    cast.enter_all(during_round, [("=1+1", 12, 8), ("＝1+2", 13, 9)])
    rows = standings.standings(during_round.levels.first(), "pushes")
    assert sharing.ranking_text(rows, "tsv").splitlines()[1:] == ["1\t'=1+1\t12\t8", "2\t'＝1+2\t13\t9"]


def test_a_playable_frame_is_sandboxed_and_reads_nothing(client, during_round):
    cast.a_collection("rooms")
    for frame in ("embed/play/1/main/", "embed/play/collections/rooms/1/"):
        answer = client.get(f"/en/{frame}")
        policy = answer.headers["Content-Security-Policy"]
        assert "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox;" in f"{policy};"
        assert "frame-ancestors *" in policy
        assert ("X-Frame-Options" in answer.headers, bool(answer.cookies)) == (False, False)
        parts = [answer.content, *(Path(finders.find(f"contest/{name}.css")).read_bytes() for name in ("embed", "run"))]
        parts.append(Path(finders.find("contest/plain/embed.bundle.js")).read_bytes())
        assert sum(len(brotli.compress(part)) for part in parts) < 60_000, frame
    for page, frame in (("rounds/1/main/play/", "1/main/"), ("collections/rooms/1/", "collections/rooms/1/")):
        html = oembed(client, page).json()["html"]
        assert f"/en/embed/play/{frame}" in html
        assert 'sandbox="allow-scripts' in html
    assert client.get("/en/embed/play/collections/rooms/9/").status_code == 404


@pytest.fixture
def closed(during_round):
    submission = cast.enter(during_round, "Ada", 2, 1, at=cast.DURING)
    Submission.objects.filter(pk=submission.pk).update(lurd="rR")
    with clock.set_to(cast.AFTER):
        yield submission


def film_page(replay, kind="gif"):
    return f"/en/rounds/1/replays/{replay.pk}/film/{kind}/"


def film_file(replay):
    return f"/rounds/1/replays/{replay.pk}/film.gif"


def test_a_film_is_requested_drawn_and_downloaded(client, closed):
    assert "Create the GIF" in client.get(film_page(closed)).content.decode()
    assert "Waiting to be drawn" in client.post(film_page(closed), follow=True).content.decode()
    animations.draw_waiting()
    assert film_file(closed) in client.get(film_page(closed)).content.decode()
    answer = client.get(film_file(closed))
    assert (answer.headers["Content-Type"], answer.content[:6]) == ("image/gif", b"GIF89a")
    assert client.get(film_file(closed), headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_too_many_films_are_refused_with_retry_after(client, closed, monkeypatch):
    assert client.post(film_page(closed, "png")).status_code == 302
    monkeypatch.setattr(animations, "MOST_WAITING", 1)
    answer = client.post(film_page(closed))
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
    assert "in 60 seconds" in answer.content.decode()


def test_watching_a_film_is_recorded_as_seen(client, closed, monkeypatch):
    """Rule 20.3."""
    client.post(film_page(closed))
    animations.draw_waiting()
    with clock.set_to(cast.DURING):
        rival = cast.judged(cast.send("Rival", "rR")).player
    monkeypatch.setattr(players, "viewer_of", lambda request: visibility.Viewer(proved=frozenset({rival.pk})))
    assert client.get(film_file(closed)).status_code == 200
    assert SeenSolutions.objects.filter(player=rival).exists()
