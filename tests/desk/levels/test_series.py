from datetime import timedelta

import pytest

from contest.desk.levels import series as series_pages
from contest.infra import clock
from contest.library import series, shelf
from contest.models import AuditEntry, Series, Slot, Track
from contest.models.round import default_settings
from tests import cast
from tests.contest.library.test_series import fill
from tests.desk.levels.test_queueing import NOW, in_library

ALL = "/en/desk/series/"
pytestmark = [pytest.mark.django_db, pytest.mark.clock(NOW)]


@pytest.fixture
def weekly() -> Series:
    return cast.a_series(NOW + timedelta(days=2))


def page_of(series: Series) -> str:
    return f"{ALL}{series.pk}/"


def fields(**changed):
    given = {"name_zh": "周赛", "name_en": "Weekly", "first_opens_at": "2027-01-03T08:00", "every_weeks": "1"}
    return {**given, "length_days": "6", "days_ahead": "7", "is_running": "on", "do": "save", **changed}


def test_another_organisers_changes_are_not_overwritten(organiser, weekly):
    stamp = series.version_stamp(weekly)
    assert organiser.post(page_of(weekly), fields(stamp=stamp, length_days="5")).status_code == 302
    answer = organiser.post(page_of(weekly), fields(stamp=stamp, name_en="Mine"))
    assert answer.status_code == 409
    assert "changed this series after you opened the form" in answer.text
    assert 'value="Mine"' in answer.text
    assert (Series.objects.get().name_en, Series.objects.get().length_days) == ("Weekly", 5)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"length_days": "8"}, "still be open when the next one opens"),
        ({"first_opens_at": "2026-12-01T08:00"}, "This time has passed"),
        ({"first_opens_at": "9999-12-01T08:00"}, "The year 9999 is not valid"),
        ({"rules": '{"lucky_source": "typed"}'}, "let the server draw them"),
    ],
)
def test_an_invalid_series_is_refused_with_a_message(organiser, changed, message):
    answer = organiser.post(ALL, fields(**changed))
    assert (answer.status_code, message in answer.text) == (422, True)
    assert not Series.objects.exists()


def test_a_first_opening_of_long_ago_may_stay(organiser, weekly):
    with clock.set_to(NOW + timedelta(days=30)):
        given = fields(stamp=series.version_stamp(weekly), name_en="Other")
        assert organiser.post(page_of(weekly), given).status_code == 302


def test_the_round_that_goes_out_next_is_shown_and_can_be_held_back(organiser, weekly):
    """Rule 23.1."""
    (level,) = in_library(1)
    shelf.enqueue(level, weekly, "main", by=None)
    Series.objects.update(title_en="{name} in {year}", prizes_en="A book")
    page, turn = page_of(weekly), {"turn": "1"}
    text = organiser.get(page).text
    assert 'name="turn" value="1"' in text
    assert "Weekly in 2027 · 周赛 1" in text
    assert "A book" in text
    organiser.post(page, turn | {"do": "hold"})
    assert "On hold: this round is not announced" in organiser.get(page).text
    assert series.advance(NOW) == []
    organiser.post(page, turn | {"do": "let-go"})
    (round_,) = series.advance(NOW)
    assert round_.title_en == "Weekly in 2027"
    assert "2027-01-10" in organiser.get(page).text.partition("Next round")[2]


def test_the_settings_of_a_series_are_edited_and_the_record_says_what_changed(organiser, weekly):
    page = organiser.get(page_of(weekly))
    settings = {field.name: field.value() for field in page.context["form"].of_settings}
    given = fields(stamp=series.version_stamp(weekly), **settings | {"lucky": "False"}, final_after_days="3")
    assert organiser.post(page_of(weekly), given).status_code == 302
    changed = Series.objects.get()
    assert (changed.settings, changed.final_after_days) == ({**default_settings(), "lucky": False}, 3)
    assert set(AuditEntry.objects.get(act="change series").after) == {"settings", "final_after_days"}


def test_with_four_eyes_a_series_cannot_finalise_by_itself(organiser, weekly, settings):
    """Rule 14.7."""
    assert "quiet days" in organiser.get(page_of(weekly)).text
    settings.FOUR_EYES = True
    assert "quiet days" not in organiser.get(page_of(weekly)).text


def test_long_queues_have_pages_and_moves_return_to_the_same_page(organiser, weekly, monkeypatch):
    monkeypatch.setattr(series_pages, "PER_PAGE", 2)
    fill(weekly, 3)
    fill(weekly, 1, Slot.EXTRA, start=11)
    second = organiser.get(f"{page_of(weekly)}?page=2")
    assert [(count, len(rows)) for _slot, count, rows in second.context["queues"]][:2] == [(3, 1), (1, 0)]
    assert ('start="3"' in second.text, second.context["next_levels"][0][0].place) == (True, 1)
    (last,) = second.context["queues"][0][2]
    moved = organiser.post(f"{page_of(weekly)}?page=2", {"do": "first", "queued": last[0].pk})
    assert moved.url.endswith("?page=2")
    assert weekly.queue.filter(slot=Slot.MAIN).first() == last[0]


def test_a_weekly_contest_beside_the_main_one_is_created_on_one_page(organiser):
    made = organiser.post(ALL, fields(new_track="weekly"), follow=True)
    assert made.status_code == 200
    weekly = Series.objects.get()
    assert (weekly.track.slug, weekly.track.title_zh, weekly.track.title_en) == ("weekly", "周赛", "Weekly")
    assert "2 rounds" not in organiser.get(ALL).text
    for slug, message in (("weekly", "already exists"), ("No Spaces", "Small letters")):
        refused = organiser.post(ALL, fields(new_track=slug))
        assert (refused.status_code, message in refused.text) == (422, True)
    assert Track.objects.count() == 2


def test_a_track_is_renamed_and_excluded_from_ratings_on_the_desk(organiser):
    Track.objects.create(slug="weekly", title_zh="周赛", title_en="Weekly")
    changed = {"title_zh": "每周赛", "title_en": "Every week", "order": "3"}
    assert organiser.post("/en/desk/tracks/weekly/", changed).status_code == 302
    track = Track.objects.get(slug="weekly")
    assert (str(track), track.order, track.is_rated) == ("Every week", 3, False)
    assert AuditEntry.objects.filter(act="change track").exists()
    assert "order" not in organiser.get("/en/desk/tracks/main/").context["form"].fields
