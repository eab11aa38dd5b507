import pytest

from contest import players, visibility
from contest.infra import clock
from contest.models import Film, SeenSolutions, Submission
from contest.replays import animations
from tests import cast


@pytest.fixture
def replay(during_round):
    submission = cast.enter(during_round, "Ada", 2, 1, at=cast.DURING)
    Submission.objects.filter(pk=submission.pk).update(lurd="rR")
    return submission


@pytest.fixture
def closed(replay):
    with clock.set_to(cast.AFTER):
        yield replay


def film_page(replay, kind="gif"):
    return f"/en/rounds/1/replays/{replay.pk}/film/{kind}/"


def film_file(replay, kind="gif"):
    return f"/rounds/1/replays/{replay.pk}/film.{kind}"


def test_a_film_is_requested_drawn_and_downloaded(client, closed):
    """Without a script the page reloads until the film is ready. The film is cached and not sent twice."""
    assert "Create the GIF" in client.get(film_page(closed)).content.decode()
    text = client.post(film_page(closed), follow=True).content.decode()
    assert "Waiting to be drawn" in text
    assert '<noscript> <meta http-equiv="refresh"' in " ".join(text.split())
    Film.objects.update(frames_done=40, frames=300)
    fragment = client.get(f"{film_page(closed)}?fragment=1").content.decode()
    assert ("frame 40 of 300" in fragment, "<html" in fragment) == (True, False)
    animations.draw_waiting()
    text = client.get(film_page(closed)).content.decode()
    assert "refresh" not in text
    for shown in (f'src="{film_file(closed)}"', f"[img]http://testserver{film_file(closed)}[/img]"):
        assert shown in text
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
