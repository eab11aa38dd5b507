from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import BytesIO
from itertools import repeat

import pytest
from django.db import connection, connections
from PIL import Image

from contest.celery import tasks, waking
from contest.infra import clock, rate_limits
from contest.models import Film, FilmState, Submission
from contest.ops import backups
from contest.replays import animations
from solvers.sokoban.drawing import pictures
from tests import cast

AT = cast.AFTER


@pytest.fixture
def replay(during_round):
    with clock.set_to(AT):
        yield cast.enter_moves(during_round, "Ada", "rR")


def order(submission, kind="gif", address=""):
    return animations.order_film(submission, kind, address=address, at=AT)


@pytest.mark.parametrize(("kind", "form"), [("gif", "GIF"), ("png", "PNG")])
def test_a_worker_draws_what_was_ordered(replay, kind, form):
    order(replay, kind)
    assert animations.draw_waiting() == 1
    film = animations.find(replay, kind)
    with Image.open(BytesIO(animations.read_picture(film, AT))) as picture:
        assert (picture.format, picture.n_frames, film.size) == (form, 3, len(animations.read_picture(film, AT)))
        assert picture.width >= animations.LEAST_WIDTH


def test_ordering_the_same_film_again_returns_the_same_row(replay):
    again = cast.enter_moves(replay.round, "Rival", "rR")
    assert order(replay) == order(replay) == order(again)
    assert order(replay) != order(replay, "png")


@pytest.mark.django_db(transaction=True)
def test_concurrent_orders_create_one_film(replay):
    if connection.vendor != "postgresql":
        pytest.skip("an SQLite database of the tests lies in one process's memory")

    def order_and_close(submission):
        try:
            return order(submission).pk
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as people:
        assert len(set(people.map(order_and_close, repeat(replay, 8)))) == 1


def test_a_stopping_worker_releases_its_film(replay, monkeypatch):
    order(replay)
    monkeypatch.setattr(animations, "_is_stopping", False)
    monkeypatch.setattr(pictures, "shown_moves", lambda lurd: animations.stop() or [0, 1, 2])
    assert animations.draw_waiting() == 0
    film = animations.find(replay, "gif")
    assert (film.state, film.attempts, film.claim_token) == (FilmState.QUEUED, 0, None)


def test_a_film_is_in_no_backup_and_none_is_drawn_of_a_replay_hidden_after_the_order(replay):
    """Rule 15.4."""
    order(replay)
    assert not backups._rows_to_save(Film).exists()
    assert backups._rows_to_save(Submission).exists()
    Submission.objects.filter(pk=replay.pk).update(is_unpublished=True)
    assert animations.draw_waiting() == 0
    assert not Film.objects.exists()


def test_a_failed_film_is_reported_and_deleted_after_an_hour(replay, monkeypatch):
    other = cast.enter_moves(replay.round, "Bo", "rR")
    Submission.objects.filter(pk=replay.pk).update(lurd="nonsense")
    replay.refresh_from_db()
    order(replay)
    assert animations.draw_waiting() == 0
    assert animations.find(replay, "gif").state == FilmState.FAILED
    monkeypatch.setattr(animations, "MAX_BYTES", 10)
    waking.wake_drawer()  # the tests' broker address has no listener
    order(other)
    tasks.draw()
    assert animations.find(other, "gif").state == FilmState.FAILED, "it is too large"
    animations.delete_unused(AT + animations.FAILED_KEPT + timedelta(seconds=1))
    assert animations.find(replay, "gif") is None


def test_the_least_recently_used_films_are_deleted_first(replay, monkeypatch):
    for kind in ("gif", "png"):
        order(replay, kind)
    animations.draw_waiting()
    with clock.set_to(AT + timedelta(days=1)):
        animations.read_picture(animations.find(replay, "gif"), clock.now())
    monkeypatch.setattr(animations, "MOST_BYTES_KEPT", animations.find(replay, "gif").size)
    assert animations.delete_unused(AT + timedelta(days=1)) == 1
    assert animations.find(replay, "gif")
    assert not animations.find(replay, "png")


@pytest.mark.parametrize("limit", ["MOST_WAITING", "MOST_OF_NETWORK"])
def test_the_number_of_waiting_films_is_limited_but_not_for_a_network_that_has_none(replay, monkeypatch, limit):
    monkeypatch.setattr(animations, limit, 1)
    assert order(replay, address="192.0.2.1") == order(replay, address="192.0.2.2")
    with pytest.raises(rate_limits.Busy):
        order(replay, "png", address="192.0.2.2")
    order(replay, "png", address="198.51.100.1")
    animations.draw_waiting()
    assert not Film.objects.exclude(network="").exists()


def test_networks_take_turns_with_their_films(replay):
    other = cast.enter_moves(replay.round, "Rival", "lrrR")
    ordered = [order(replay, address="192.0.2.1"), order(replay, "png", address="192.0.2.2")]
    late = order(other, address="198.51.100.1")
    assert [animations._claim_film() for _film in range(3)] == [ordered[0], late, ordered[1]]


def test_films_leave_time_for_the_other_work_of_the_queue(replay, monkeypatch):
    """Letters waited for as long as a network ordered films faster than they were drawn."""
    order(replay), order(replay, "png")
    monkeypatch.setattr(animations, "WORK_SECONDS", 0.0)
    woken = []
    monkeypatch.setattr(waking, "wake_drawer", lambda: woken.append(Film.objects.waiting().count()))
    tasks.draw()
    tasks.draw()
    assert woken == [1]
