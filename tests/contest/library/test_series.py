"""Rounds that make themselves (rule 23.1)."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.exceptions import ValidationError
from django.utils import translation

from contest.celery import tasks, waking
from contest.infra import clock
from contest.library import collection_import, series, shelf
from contest.models import LibraryLevel, Round, Series, SeriesRound, Slot
from contest.models.round import default_settings
from contest.rounds import lifecycle
from contest.rules.phases import Phase
from solvers import sokoban
from tests import cast

pytestmark = pytest.mark.django_db

BEIJING = ZoneInfo("Asia/Shanghai")
# A Saturday evening, so that 20 weeks cross the last Sunday of March and the second of March (Europe, America).
FIRST = datetime(2027, 1, 2, 20, tzinfo=BEIJING)
DAY = timedelta(days=1)


def a_series(**fields) -> Series:
    fields = {"name_zh": "周赛", "name_en": "Weekly", "first_opens_at": FIRST, "length_days": 6, **fields}
    return Series.objects.create(**fields)


def a_level(length: int, title: str = "") -> LibraryLevel:
    """A corridor of its own length, ready to be used."""
    board = sokoban.Level.parse(f"{'#' * (length + 4)}|#@$.{'-' * (length - 1)}#|{'#' * (length + 4)}")
    level = LibraryLevel(title=title or f"Corridor {length}", author="Ann")
    return shelf.keep(level, board, "R", at=FIRST - 30 * DAY, by=None, is_confirmed=True)


def fill(of: Series, count: int, slot: str = Slot.MAIN, start: int = 1) -> None:
    for length in range(start, start + count):
        shelf.enqueue(a_level(length), of, slot, by=None)


def test_a_week_before_the_opening_the_round_is_made_and_announced():
    """Rule 23.1."""
    fill(a_series(), 1)
    assert series.advance(FIRST - 7 * DAY - timedelta(seconds=1)) == []
    (round_,) = series.advance(FIRST - 7 * DAY)
    assert (round_.opens_at, round_.closes_at, round_.title_en) == (FIRST, FIRST + 6 * DAY, "Weekly 1")
    assert round_.phase(FIRST - 7 * DAY) is Phase.SCHEDULED
    assert round_.levels.get().title == "Corridor 1"


def test_a_round_is_announced_as_many_days_ahead_as_its_series_says():
    """Rule 23.1."""
    fill(a_series(days_ahead=3), 1)
    assert series.advance(FIRST - 3 * DAY - timedelta(seconds=1)) == []
    assert len(series.advance(FIRST - 3 * DAY)) == 1


def test_a_round_gets_the_titles_prizes_and_settings_of_its_series():
    """Rule 23.1."""
    rules = {**default_settings(), "lucky": False}
    pattern = {"title_en": "{name} No. {number}, {day}/{month} {year}", "prizes_zh": "一本书", "prizes_en": "A book"}
    fill(a_series(settings=rules, **pattern), 1)
    (round_,) = series.advance(FIRST - 7 * DAY)
    assert (round_.title_en, round_.title_zh) == ("Weekly No. 1, 2/1 2027", "周赛 1")
    assert (round_.prizes_zh, round_.prizes_en, round_.settings["lucky"]) == ("一本书", "A book", False)


@pytest.mark.parametrize(
    ("fields", "said"),
    [({"title_en": "{week}"}, "Between braces can stand"), ({"days_ahead": 8}, "after the one before it has opened")],
)
def test_a_series_whose_rounds_could_not_be_made_is_refused(fields, said):
    with translation.override("en"), pytest.raises(ValidationError, match=said):
        a_series(**fields).full_clean()


def test_a_round_that_is_held_back_is_not_made_until_it_is_let_go():
    """Rule 23.1."""
    weekly = a_series()
    fill(weekly, 4)
    series.hold(weekly, 1, at=FIRST - 9 * DAY, by=None)
    assert series.troubles(FIRST - 8 * DAY) == []
    assert series.advance(FIRST - 7 * DAY) == []
    (words,) = series.troubles(FIRST - 7 * DAY)
    assert "Weekly" in words or "周赛" in words
    series.let_go(weekly, 1, by=None)
    assert len(series.advance(FIRST - 6 * DAY)) == 1
    with pytest.raises(ValidationError):
        series.hold(weekly, 1, at=FIRST - 6 * DAY, by=None)


def test_the_turn_after_one_that_is_held_back_keeps_its_time_and_the_levels_wait_on():
    """Rule 23.1."""
    weekly = a_series()
    fill(weekly, 4)
    series.hold(weekly, 1, at=FIRST - 9 * DAY, by=None)
    (round_,) = series.advance(FIRST + DAY)
    assert (round_.opens_at, round_.levels.get().title) == (FIRST + 7 * DAY, "Corridor 1")


def test_every_slot_gives_the_head_of_its_queue():
    """Rule 23.1."""
    weekly = a_series()
    fill(weekly, 2)
    fill(weekly, 2, Slot.EXTRA, start=11)
    (round_,) = series.advance(FIRST - 7 * DAY)
    assert [level.title for level in round_.levels.all()] == ["Corridor 1", "Corridor 11"]
    assert series.waiting(weekly, Slot.EXTRA) == 1


def test_twice_is_once():
    """Rule 23.1."""
    fill(a_series(), 5)
    for _time in range(3):
        series.advance(FIRST - 6 * DAY)
    assert Round.objects.count() == 1


def test_without_a_level_nothing_is_announced_and_the_organisers_are_told_once(django_capture_on_commit_callbacks):
    """Rule 23.1."""
    User.objects.create_superuser("chief", email="chief@example.org")
    a_series()
    for _time in range(3):
        with django_capture_on_commit_callbacks(execute=True):
            series.advance(FIRST - 7 * DAY)
    assert not Round.objects.exists()
    assert [message.to for message in mail.outbox] == [["chief@example.org"], ["chief@example.org"]]
    (words,) = series.troubles(FIRST - 7 * DAY)
    assert SeriesRound.objects.get().trouble in words


def test_trouble_is_said_in_the_organisers_own_language(django_capture_on_commit_callbacks):
    User.objects.create_superuser("chief", email="chief@example.org")
    a_series()
    with django_capture_on_commit_callbacks(execute=True):
        series.advance(FIRST - 7 * DAY)
    said = {}
    for language in ("en", "zh-hans"):
        with translation.override(language):
            (said[language],) = series.troubles(FIRST - 7 * DAY)
    assert "The queue of the main level is empty." in said["en"]
    assert "The queue" not in said["zh-hans"]
    assert len({message.body for message in mail.outbox}) == 2


def test_the_organisers_are_written_to_while_the_queue_runs_short(django_capture_on_commit_callbacks):
    """Rule 23.1: before it is empty."""
    User.objects.create_superuser("chief", email="chief@example.org")
    fill(a_series(), series.SHORT + 1)
    for week, messages in ((0, 0), (1, 2)):
        mail.outbox.clear()
        with django_capture_on_commit_callbacks(execute=True):
            series.advance(FIRST + (week - 1) * 7 * DAY)
        assert len(mail.outbox) == messages


def test_a_level_that_comes_late_still_makes_the_round():
    weekly = a_series()
    series.advance(FIRST - 7 * DAY)
    fill(weekly, 1)
    assert len(series.advance(FIRST - DAY)) == 1
    assert SeriesRound.objects.get().troubles == {}


def test_a_missed_opening_is_left_out_and_the_beat_stays():
    """Nothing opens late because a timer died."""
    fill(a_series(), 3)
    (round_,) = series.advance(FIRST + 2 * DAY)
    assert round_.opens_at == FIRST + 7 * DAY


def test_a_stopped_series_makes_nothing():
    fill(a_series(is_running=False), 1)
    assert series.advance(FIRST - DAY) == []


def test_a_round_in_the_way_is_a_trouble_and_costs_no_level():
    """Rule 2.6."""
    weekly = a_series()
    fill(weekly, 3)
    cast.a_round(opens_at=FIRST - DAY, closes_at=FIRST + DAY, announced_at=FIRST - 20 * DAY)
    assert series.advance(FIRST - 7 * DAY) == []
    assert (series.waiting(weekly), Round.objects.count()) == (3, 1)
    assert SeriesRound.objects.get().trouble


def test_a_level_and_its_mirror_at_the_heads_of_two_queues_are_a_trouble_and_cost_no_level():
    weekly = a_series()
    fill(weekly, 1)
    mirrored = LibraryLevel(title="Mirrored", author="Ann")
    shelf.keep(mirrored, sokoban.Level.parse("#####|#.$@#|#####"), "L", at=FIRST - 30 * DAY, by=None, is_confirmed=True)
    shelf.enqueue(mirrored, weekly, Slot.EXTRA, by=None)
    assert series.advance(FIRST - 7 * DAY) == []
    assert (series.waiting(weekly), series.waiting(weekly, Slot.EXTRA), Round.objects.count()) == (1, 1, 0)
    assert SeriesRound.objects.get().trouble


def test_a_fault_of_one_series_stops_no_other_and_is_told_until_it_is_mended():
    broken = a_series(name_en="Broken", settings=["no", "settings"])
    fill(broken, 5, start=20)
    sound = a_series(name_en="Sound")
    fill(sound, 5)
    assert len(series.advance(FIRST - 7 * DAY)) == 1
    (words,) = series.troubles(FIRST - 7 * DAY)
    assert "Broken stands still: " in words
    assert Series.objects.get(pk=sound.pk).advanced_at == FIRST - 7 * DAY
    Series.objects.filter(pk=broken.pk).update(first_opens_at=FIRST + 70 * DAY, settings=default_settings())
    series.advance(FIRST - 7 * DAY)
    assert series.troubles(FIRST - 7 * DAY) == []


def test_a_worker_goes_on_behind_a_series_that_stands_still(monkeypatch):
    """What comes after the series each minute, collections among it, waits for no faulty one."""
    woken = []
    monkeypatch.setattr(tasks, "_advanced_at", None)
    monkeypatch.setattr(waking, "wake_intakes", lambda: woken.append(True))
    organiser = User.objects.create(username="organiser")
    fill(a_series(settings=["no", "settings"]), 1)
    far = datetime(9999, 12, 1, tzinfo=BEIJING)
    Round.objects.create(number=7, opens_at=far, closes_at=far + DAY)
    collection_import.start(b"#####", "corridors", at=FIRST, by=organiser)
    with clock.set_to(FIRST - 7 * DAY):
        tasks.keep_watch()
    assert Series.objects.get().fault
    assert woken == [True]


def test_a_draft_of_the_year_9999_keeps_no_series_from_going_on():
    fill(a_series(), 3)
    far = datetime(9999, 12, 1, tzinfo=BEIJING)
    Round.objects.create(number=7, opens_at=far, closes_at=far + DAY)
    (round_,) = series.advance(FIRST - 7 * DAY)
    assert round_.number == 8


def test_a_series_that_nobody_looks_at_is_told():
    fill(a_series(), 9)
    series.advance(FIRST - 6 * DAY)
    assert series.troubles(FIRST - 6 * DAY + series.LATE) == []
    (words,) = series.troubles(FIRST - 5 * DAY)
    assert "Look whether a worker runs." in words


def test_a_series_that_cannot_keep_its_beat_is_refused():
    with pytest.raises(ValidationError, match="still be open"):
        a_series(length_days=8).full_clean()
    a_series(length_days=7).full_clean()


def test_each_next_opening_names_the_round_that_is_in_its_way():
    """Rule 2.6."""
    weekly = a_series()
    other = cast.a_round(opens_at=FIRST + 6 * DAY, closes_at=FIRST + 8 * DAY, announced_at=FIRST - 20 * DAY)
    clashes = [opening.clash for opening in series.next_openings(weekly, FIRST - DAY, 3)]
    assert clashes == [None, other, None]


def test_a_short_queue_is_said_before_it_is_empty():
    weekly = a_series()
    fill(weekly, series.SHORT - 1)
    assert len(series.troubles(FIRST - 30 * DAY)) == 1
    fill(weekly, 1, start=50)
    assert series.troubles(FIRST - 30 * DAY) == []


def test_a_used_level_stays_as_it_is():
    fill(a_series(), 1)
    (round_,) = series.advance(FIRST - DAY)
    level = LibraryLevel.objects.get()
    assert (level.state, level.used_in) == ("used", round_)


def test_twenty_weeks_run_by_themselves_through_every_change_of_the_clocks():
    """Rules 3.5, 23.1."""
    weekly = a_series()
    fill(weekly, 20)
    at = FIRST - 8 * DAY
    while at < FIRST + 20 * 7 * DAY:
        with clock.set_to(at.astimezone(UTC)):
            series.advance(at)
            series.advance(at)
        at += timedelta(hours=12)
    made = list(Round.objects.order_by("number"))
    assert [round_.number for round_ in made] == list(range(1, 21))
    assert {round_.opens_at.astimezone(BEIJING).strftime("%a %H:%M") for round_ in made} == {"Sat 20:00"}
    assert [round_.opens_at - FIRST for round_ in made] == [number * 7 * DAY for number in range(20)]
    # Viewers see it move: an hour later by their clocks from the last Sunday of March on.
    assert {round_.opens_at.astimezone(ZoneInfo("Europe/Berlin")).hour for round_ in made} == {13, 14}
    assert {round_.opens_at.astimezone(ZoneInfo("America/New_York")).hour for round_ in made} == {7, 8}
    # Each was announced a week ahead, with its level, and opened by its times alone.
    for round_ in made:
        assert round_.announced_at
        assert timedelta(0) <= round_.opens_at - 7 * DAY + timedelta(hours=12) - round_.announced_at <= DAY
        assert round_.phase(round_.opens_at) is Phase.OPEN
        assert round_.levels.count() == 1


def test_every_three_weeks_is_a_beat_too():
    weekly = a_series(every_weeks=3, length_days=20)
    assert [weekly.opening(number) - FIRST for number in (1, 2, 3)] == [0 * DAY, 21 * DAY, 42 * DAY]
    assert weekly.next_number(FIRST - timedelta(seconds=1)) == 1
    assert weekly.next_number(FIRST) == 2


def test_a_clone_has_the_texts_and_settings_and_new_times():
    first = cast.a_round(settings={**lifecycle.Round().settings, "max_moves": 5_000})
    with clock.set_to(cast.DURING):
        copied = lifecycle.clone(first, at=cast.DURING, by=None)
    assert (copied.number, copied.title_en, copied.max_moves) == (2, "Round", 5_000)
    assert copied.opens_at > first.closes_at
    assert copied.announced_at is None
