from datetime import date, timedelta

import pytest

from contest.models import CollectedLevel, Level, LibraryLevel, Round, Series, SeriesRound, Track
from contest.organising.season.rows import list_weeks
from contest.organising.season.sheet import Plan, build
from tests import cast

MAIN = Track(slug="main", title_en="Main contest", title_zh="主赛")
WEEKLY = Track(slug="weekly", title_en="Weekly contest", title_zh="周赛")
WEEKS = list_weeks(cast.OPENS.date() - timedelta(days=6), 4)  # OPENS is the Sunday that ends the first one
NOW = WEEKS[0]
DAY = timedelta(days=1)
EMPTY = "The queue of the main level is empty."
pytestmark = pytest.mark.usefixtures("in_english")


def a_round(number=1, track="main", *, opens_at=cast.OPENS, days=7, announced=True, **fields):
    fields |= {"announced_at": NOW - DAY if announced else None, "closes_at": opens_at + days * DAY}
    return Round(pk=number, number=number, track_id=track, opens_at=opens_at, **fields)


def a_series(track="weekly", *, first=cast.OPENS, **fields):
    fields = {"length_days": 6, "is_running": True, **fields}
    return Series(pk=1, name_en="Weekly", name_zh="周赛", track_id=track, first_opens_at=first, **fields)


def waiting(*names):
    return [LibraryLevel(title=name, key=name, width=5, height=3) for name in names]


def sheet(*, tracks=(MAIN, WEEKLY), at=NOW, **rows):
    return build(Plan(tracks=tracks, named=["main", "weekly"], **rows), WEEKS, at)


def main_of(round_, *keys):
    return {round_.pk: [Level(round=round_, slot="main", title=key, key=key) for key in keys or ("K",)]}


def troubles(**rows):
    return {str(entry): entry.troubles for entry in sheet(**rows).entries}


def test_a_round_begins_in_one_week_of_its_track_and_continues_in_the_next():
    shown = sheet(rounds=[a_round(days=10)])
    main = [week.cells[0] for week in shown.weeks]
    assert [[str(entry) for entry in cell.beginning] for cell in main] == [["Round 1"], [], [], []]
    assert [[str(entry) for entry in cell.continuing] for cell in main] == [[], ["Round 1"], ["Round 1"], []]
    assert [week.is_now for week in shown.weeks] == [True, False, False, False]


def test_weeks_begin_on_monday_in_the_sites_time_zone():
    (week,) = list_weeks(date(2026, 11, 1), 1)
    assert week.isoformat() == "2026-10-26T00:00:00+08:00"


def test_weeks_to_come_without_a_round_are_holes():
    shown = sheet(rounds=[a_round()], at=WEEKS[1])
    (main, gaps), (weekly, all_gaps) = shown.holes
    assert (main.slug, gaps) == ("main", [(WEEKS[2], WEEKS[3])])
    assert (weekly.slug, all_gaps) == ("weekly", [(WEEKS[1], WEEKS[3])])


def test_turns_take_the_levels_of_their_queues_in_order_and_one_without_a_level_says_so():
    queues = {1: {"main": waiting("A", "B"), "extra": waiting("C")}}
    shown = sheet(series=[a_series()], queues=queues).entries
    assert [entry.levels for entry in shown] == [["Main · A", "Extra · C"], ["Main · B"], [], []]
    assert [entry.troubles for entry in shown] == [[], [], [EMPTY], [EMPTY]]


def test_levels_of_queues_have_no_names_for_readers_without_the_right():
    plan = Plan([WEEKLY], series=[a_series()], queues={1: {"main": waiting("A")}}, public={"A": CollectedLevel()})
    first = build(plan, WEEKS, NOW).entries[0]
    assert (first.levels, first.notes) == (["Main"], [])


def test_a_turn_that_meets_an_announced_round_is_left_out_and_its_level_waits_for_the_next():
    rows = {"rounds": [a_round(track="weekly")], "series": [a_series()], "queues": {1: {"main": waiting("A")}}}
    _round, first, second, *_later = sheet(**rows).entries
    assert first.troubles == ["Round 1 is open at that time. Only one round may be open at a time."]
    assert (first.levels, second.levels) == ([], ["Main · A"])


@pytest.mark.parametrize(("turn", "expected"), [({"held_at": NOW}, ["on hold"]), ({"round_id": 9}, None)])
def test_a_held_turn_takes_no_level_and_one_with_a_round_is_not_shown(turn, expected):
    turns = {(1, 1): SeriesRound(series_id=1, number=1, **turn)}
    series, announced = a_series(), 0 if expected else 1
    last_numbers = {series.track_id: announced}
    found = troubles(series=[series], queues={1: {"main": waiting("A")}}, turns=turns, last_numbers=last_numbers)
    assert found.get("Weekly 1") == expected
    assert found["Weekly 2"] == []


def test_drafts_clash_with_rounds_of_their_track_alone():
    after = a_round(4, opens_at=cast.OPENS + 7 * DAY, announced=False)  # the first one
    rows = [a_round(1), a_round(2, announced=False), a_round(3, "weekly", announced=False), after]
    levels = {key: some for round_ in rows for key, some in main_of(round_, f"K{round_.pk}").items()}
    assert troubles(rounds=rows, levels=levels) == {
        "Round 1": [],
        "Round 2": ["Round 1 is open at that time. Only one round may be open at a time."],
        "Round 3": [],
        "Round 4": [],
    }


def test_two_plans_for_one_time_name_each_other():
    draft = a_round(1, "weekly", announced=False, days=3)
    found = troubles(rounds=[draft], levels=main_of(draft), series=[a_series()], queues={1: {"main": waiting("A")}})
    end = " is planned for the same time. Only one of them can be announced."
    assert found["Round 1"] == [f"Weekly 1{end}"]
    assert found["Weekly 1"] == [f"Round 1{end}"]


def test_a_series_leaves_out_a_level_of_an_announced_round():
    """Rule 23.2."""
    rows = {"series": [a_series()], "queues": {1: {"main": waiting("A", "B")}}}
    first = sheet(**rows, used={"A": [Level(round=a_round(1), slot="main", key="A")]}).entries[0]
    assert first.levels == ["Main · B"]
    assert first.notes == ["“A” is left out: it is already in Round 1 · Main, perhaps rotated or mirrored."]


def test_a_series_stops_at_the_end_of_the_calendar():
    assert sheet(series=[a_series(first=cast.OPENS.replace(year=9999))]).entries == []
