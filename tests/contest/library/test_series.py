from datetime import datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.exceptions import ValidationError
from django.utils import translation

from contest import rounds
from contest.infra import clock
from contest.library import series, shelf
from contest.models import LibraryLevel, Round, Series, SeriesRound, Slot, Track
from contest.models.round import default_settings
from contest.rounds import lifecycle
from contest.rules.phases import Phase
from solvers import sokoban
from tests import cast

pytestmark = pytest.mark.django_db

BEIJING = ZoneInfo("Asia/Shanghai")
# A Saturday evening. 20 weeks later the clocks of Europe (last Sunday in March) and America (second one) have changed.
FIRST = datetime(2027, 1, 2, 20, tzinfo=BEIJING)
DAY = timedelta(days=1)
a_series = partial(cast.a_series, first_opens_at=FIRST)


def a_level(length: int, title: str = "") -> LibraryLevel:
    board = sokoban.Level.parse(f"{'#' * (length + 4)}|#@$.{'-' * (length - 1)}#|{'#' * (length + 4)}")
    level = LibraryLevel(title=title or f"Corridor {length}", author="Ann")
    return shelf.store_level(level, board, "R", at=FIRST - 30 * DAY, by=None, is_confirmed=True)


def fill(of: Series, count: int, slot: str = Slot.MAIN, start: int = 1) -> None:
    for length in range(start, start + count):
        shelf.enqueue(a_level(length), of, slot, by=None)


@pytest.mark.parametrize("fields", [{}, {"days_ahead": 3}])
def test_the_round_is_created_once_days_before_its_opening_from_the_heads_of_the_queues(fields):
    weekly = a_series(**fields)
    fill(weekly, 2)
    fill(weekly, 2, Slot.EXTRA, start=11)
    at = FIRST - fields.get("days_ahead", 7) * DAY
    assert series.advance(at - timedelta(seconds=1)) == []
    (round_,) = series.advance(at)
    assert series.advance(at) == series.advance(at + DAY) == []
    assert (round_.opens_at, round_.closes_at, round_.title_en) == (FIRST, FIRST + 6 * DAY, "Weekly 1")
    assert round_.phase(at) is Phase.SCHEDULED
    assert [level.title for level in round_.levels.all()] == ["Corridor 1", "Corridor 11"]
    assert (series.count_waiting(weekly), series.count_waiting(weekly, Slot.EXTRA)) == (1, 1)
    assert set(LibraryLevel.objects.filter(state="used").values_list("used_in", flat=True)) == {round_.pk}


@pytest.mark.parametrize(
    "act",
    [
        lambda weekly: series.hold_turn(weekly, 1, at=FIRST, by=None),
        lambda weekly: Series.objects.filter(pk=weekly.pk).update(is_running=False),
    ],
    ids=["held", "stopped"],
)
def test_a_turn_held_or_a_series_stopped_during_the_wait_for_the_lock_gets_no_round(act, monkeypatch):
    weekly = a_series()
    fill(weekly, 1)
    lock = rounds.lock_calendar
    monkeypatch.setattr(rounds, "lock_calendar", lambda: (act(weekly), lock()))
    assert series.advance(FIRST - 7 * DAY) == []
    assert series.count_waiting(weekly) == 1


def test_a_round_gets_the_titles_prizes_and_settings_of_its_series():
    rules = {**default_settings(), "lucky": False}
    pattern = {"title_en": "{name} No. {number}, {day}/{month} {year}", "prizes_zh": "一本书", "prizes_en": "A book"}
    fill(a_series(settings=rules, **pattern), 1)
    (round_,) = series.advance(FIRST - 7 * DAY)
    assert (round_.title_en, round_.title_zh) == ("Weekly No. 1, 2/1 2027", "周赛 1")
    assert (round_.prizes_zh, round_.prizes_en, round_.settings["lucky"]) == ("一本书", "A book", False)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"title_en": "{week}"}, "Allowed between braces"),
        ({"days_ahead": 8}, "after the one before it has opened"),
    ],
)
def test_a_series_that_would_create_invalid_rounds_is_refused(fields, message):
    with translation.override("en"), pytest.raises(ValidationError, match=message):
        a_series(**fields).full_clean()
    a_series(days_ahead=7, length_days=7).full_clean()


def test_a_title_has_the_number_of_the_round_in_its_track():
    """One number a round, also when an organiser made a round of the track between two turns."""
    track = Track.objects.create(slug="weekly", title_zh="每周赛", title_en="Weekly")
    cast.a_round(5, track=track, number_in_track=1, **cast.earlier(1))
    weekly = a_series(track=track, title_zh="{name}第 {number} 期")
    fill(weekly, 1)
    (round_,) = series.advance(FIRST - DAY)
    assert (round_.number_in_track, round_.title_en, round_.title_zh) == (2, "Weekly 2", "周赛第 2 期")
    with translation.override("zh-hans"):
        assert str(round_) == "每周赛第 2 期"


def test_a_turn_that_passed_without_a_round_is_reported_until_the_next_opening():
    """With the reason and what an organiser can do: after the opening the turn is not made."""
    weekly = a_series()
    series.advance(FIRST - DAY)
    (message,) = series.list_troubles(FIRST - DAY)
    assert "The queue of the main level is empty. Once fixed, it is created within a minute." in message
    fill(weekly, 5)
    assert series.advance(FIRST + DAY)[0].opens_at == FIRST + 7 * DAY, "no round opens late"
    with translation.override("en"):
        missed, *others = series.list_troubles(FIRST + DAY)
    assert missed.startswith("Weekly left out its round of 2027-01-02 20:00")
    assert "The queue of the main level is empty. It is not created later. You can create a round yourself" in missed
    assert others == []
    series.advance(FIRST + 7 * DAY)
    assert not any("left out" in message for message in series.list_troubles(FIRST + 8 * DAY))


def test_the_turn_after_a_held_one_keeps_its_time_and_the_levels_stay_queued():
    weekly = a_series()
    fill(weekly, 4)
    series.hold_turn(weekly, 1, at=FIRST - 9 * DAY, by=None)
    assert series.list_troubles(FIRST - 8 * DAY) == []
    assert series.advance(FIRST - 7 * DAY) == []
    (message,) = series.list_troubles(FIRST - 7 * DAY)
    assert "Weekly" in message or "周赛" in message
    (round_,) = series.advance(FIRST + DAY)
    assert (round_.opens_at, round_.levels.get().title) == (FIRST + 7 * DAY, "Corridor 1")
    with pytest.raises(ValidationError):
        series.hold_turn(weekly, 2, at=FIRST + DAY, by=None)


def test_without_a_level_no_round_is_announced_and_the_organisers_get_one_email(django_capture_on_commit_callbacks):
    """Rule 23.1. A level that is added later still leads to a round."""
    User.objects.create_superuser("chief", email="chief@example.org")
    weekly = a_series()
    for _time in range(3):
        with django_capture_on_commit_callbacks(execute=True):
            series.advance(FIRST - 7 * DAY)
    assert not Round.objects.exists()
    assert [message.to for message in mail.outbox] == [["chief@example.org"], ["chief@example.org"]]
    assert len({message.body for message in mail.outbox}) == 2
    for language, phrase in (("en", "The queue of the main level is empty."), ("zh-hans", "周赛")):
        with translation.override(language):
            assert phrase in series.list_troubles(FIRST - 7 * DAY)[0]
    fill(weekly, 1)
    assert len(series.advance(FIRST - DAY)) == 1
    assert SeriesRound.objects.get().troubles == {}


def test_the_organisers_are_warned_by_email_of_a_short_queue(django_capture_on_commit_callbacks):
    """Rule 23.1: before the queue is empty."""
    User.objects.create_superuser("chief", email="chief@example.org")
    fill(a_series(), series.SHORT + 1)
    for week, messages in ((0, 0), (1, 2)):
        mail.outbox.clear()
        with django_capture_on_commit_callbacks(execute=True):
            series.advance(FIRST + (week - 1) * 7 * DAY)
        assert len(mail.outbox) == messages
        assert len(series.list_troubles(FIRST + (week - 1) * 7 * DAY)) == bool(messages)


def test_an_overlapping_round_is_reported_and_uses_no_level():
    weekly = a_series()
    fill(weekly, 3)
    cast.a_round(opens_at=FIRST - DAY, closes_at=FIRST + DAY, announced_at=FIRST - 20 * DAY)
    assert series.advance(FIRST - 7 * DAY) == []
    assert (series.count_waiting(weekly), Round.objects.count()) == (3, 1)
    assert SeriesRound.objects.get().trouble


def test_a_failing_series_stops_no_other_and_is_reported_until_fixed():
    broken = a_series(name="Broken", settings=["no", "settings"])
    fill(broken, 5, start=20)
    sound = a_series(name="Sound")
    fill(sound, 5)
    assert len(series.advance(FIRST - 7 * DAY)) == 1
    (message,) = series.list_troubles(FIRST - 7 * DAY)
    assert "Broken has stopped: " in message
    assert Series.objects.get(pk=sound.pk).advanced_at == FIRST - 7 * DAY
    Series.objects.filter(pk=broken.pk).update(first_opens_at=FIRST + 70 * DAY, settings=default_settings())
    series.advance(FIRST - 7 * DAY)
    assert series.list_troubles(FIRST - 7 * DAY) == []


def test_a_series_that_no_worker_processes_is_reported():
    fill(a_series(), 9)
    series.advance(FIRST - 6 * DAY)
    assert series.list_troubles(FIRST - 6 * DAY + series.LATE) == []
    (message,) = series.list_troubles(FIRST - 5 * DAY)
    assert "Check that a worker is running." in message


@pytest.mark.parametrize(
    ("first", "opens", "at", "following"),
    [
        ("2027-07-03T18:00:00Z", "2027-11-13T19:00:00Z", "2027-11-13T18:30:00Z", 20),
        ("2027-01-02T19:00:00Z", "2027-05-15T18:00:00Z", "2027-05-15T18:30:00Z", 21),
    ],
)
def test_openings_are_counted_by_the_local_hour_also_after_a_clock_change(settings, first, opens, at, following):
    settings.TIME_ZONE = "Europe/Paris"
    weekly = a_series(first_opens_at=datetime.fromisoformat(first))
    assert weekly.opening(20) == datetime.fromisoformat(opens)
    assert weekly.next_number(datetime.fromisoformat(at)) == following


def test_a_clone_has_the_texts_and_settings_and_new_times():
    first = cast.a_round(settings={**lifecycle.Round().settings, "max_moves": 5_000})
    with clock.set_to(cast.DURING):
        copied = lifecycle.clone(first, at=cast.DURING, by=None)
    assert (copied.number, copied.title_en, copied.max_moves) == (2, "Round", 5_000)
    assert copied.opens_at > first.closes_at
    assert copied.announced_at is None
