import pytest

from contest import players, visibility
from contest.infra import clock
from contest.models import SeenSolutions, Submission
from contest.replays import animations
from tests import cast


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
