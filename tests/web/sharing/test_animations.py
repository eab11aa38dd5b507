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


def page(replay, kind="gif"):
    return f"/en/rounds/1/replays/{replay.pk}/film/{kind}/"


def file(replay, kind="gif"):
    return f"/rounds/1/replays/{replay.pk}/film.{kind}"


def drawn(client, replay, kind="gif"):
    client.post(page(replay, kind))
    animations.draw_waiting()


def test_a_film_is_ordered_waited_for_and_downloaded(client, closed):
    """Without a script the page reloads until the film is ready. The film is cached and not sent twice."""
    assert "Make the GIF" in client.get(page(closed)).content.decode()
    words = client.post(page(closed), follow=True).content.decode()
    assert "Waiting to be drawn" in words
    assert '<noscript><meta http-equiv="refresh"' in words
    Film.objects.update(frames_done=40, frames=300)
    fragment = client.get(f"{page(closed)}?fragment=1").content.decode()
    assert ("frame 40 of 300" in fragment, "<html" in fragment) == (True, False)
    animations.draw_waiting()
    words = client.get(page(closed)).content.decode()
    assert "refresh" not in words
    for shown in (f'src="{file(closed)}"', f"[img]http://testserver{file(closed)}[/img]"):
        assert shown in words
    answer = client.get(file(closed))
    assert (answer.headers["Content-Type"], answer.content[:6]) == ("image/gif", b"GIF89a")
    assert client.get(file(closed), headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_who_orders_many_films_is_told_when_to_come_back(client, closed, monkeypatch):
    monkeypatch.setattr(animations, "MOST_WAITING", 0)
    answer = client.post(page(closed))
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
    assert "in 60 seconds" in answer.content.decode()


def test_who_saw_a_film_has_seen_a_solution(client, closed, monkeypatch):
    """Rule 20.3."""
    drawn(client, closed)
    with clock.set_to(cast.DURING):
        rival = cast.judged(cast.send("Rival", "rR")).player
    monkeypatch.setattr(players, "viewer_of", lambda request: visibility.Viewer(proved=frozenset({rival.pk})))
    assert client.get(file(closed)).status_code == 200
    assert SeenSolutions.objects.filter(player=rival).exists()


def test_a_replay_that_is_not_there_has_no_film_and_there_are_no_other_formats(client, closed):
    assert client.get("/en/rounds/1/replays/99999999999999999999/film/gif/").status_code == 404
    assert client.get(f"/en/rounds/2/replays/{closed.pk}/film/gif/").status_code == 404
    assert client.get(page(closed, "bmp")).status_code == 404
    assert client.get(file(closed, "bmp")).status_code == 404
