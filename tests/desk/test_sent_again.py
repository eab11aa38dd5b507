"""Forms of the desk that are sent twice, as by a double click, create one row."""

from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import AuditEntry, Banner, Prize, Round, Series
from tests import cast
from tests.desk.conftest import member, owner_of, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.clock(cast.DURING)]
DESK = "/en/desk/"
ROUND = {"opens_at": "2026-12-10T20:00", "closes_at": "2026-12-20T20:00", "title_en": "Winter"}
SERIES = {"name_zh": "周赛", "name_en": "Weekly", "first_opens_at": "2027-01-03T08:00"}
SERIES |= {"every_weeks": "1", "length_days": "6", "days_ahead": "7", "is_running": "on"}
BANNER = {"text_en": "A break.", "shown_from": "2026-11-05T12:00"}
FORMS = {"rounds/new/": (ROUND, Round), "series/": (SERIES, Series), "banner/": (BANNER, Banner)}


@pytest.mark.parametrize("path", FORMS)
def test_a_form_sent_twice_creates_one_row_and_leads_to_it(organiser, path):
    given, model = FORMS[path]
    answers = [organiser.post(DESK + path, given | {"number": "1"}) for _again in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert answers[0].url == answers[1].url
    assert model.objects.count() == AuditEntry.objects.count() == 1


def test_a_prize_is_added_once(organiser):
    prize = {"round": cast.a_round().pk, "what_zh": "杯", "what_en": "Cup"}
    for _again in range(2):
        assert organiser.post(f"{DESK}prizes/", prize).status_code == 302
    assert Prize.objects.count() == 1


def test_a_round_of_a_track_is_created_once(weekly):
    owner = owner_of("weekly")
    answers = [owner.post(f"{DESK}rounds/new/", ROUND | {"track": "weekly"}) for _again in range(2)]
    assert (answers[0].url, Round.objects.count()) == (answers[1].url, 1)


@pytest.mark.parametrize("path", FORMS)
def test_other_values_another_organiser_and_a_later_time_create_another_row(organiser, path):
    given, model = FORMS[path]
    other, second = {name: "Other" for name in given if name.endswith("_en")}, signed_in(member("organiser", "second"))
    organiser.post(DESK + path, given | {"number": "1"})
    organiser.post(DESK + path, given | other | {"number": "2"})
    second.post(DESK + path, given | {"number": "3"})
    assert model.objects.count() == 3
    with clock.set_to(cast.DURING + timedelta(minutes=2)):
        organiser.post(DESK + path, given | {"number": "4"})
    assert model.objects.count() == 4


def test_a_round_is_cloned_once_by_a_double_click_and_the_clone_can_be_cloned(organiser):
    cast.a_round()
    first, second = (organiser.post(f"{DESK}rounds/1/clone/") for _again in range(2))
    assert (first.url, Round.objects.count()) == (second.url, 2)
    with clock.set_to(cast.DURING + timedelta(minutes=2)):
        organiser.post(f"{first.url}clone/")
    assert Round.objects.count() == 3
