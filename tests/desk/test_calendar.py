from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from icalendar import Calendar, Component

from contest.library import shelf
from contest.models import AuditEntry, Event, Level, Round, Series, Track
from contest.staff import account_acts, members, second_factors
from tests import cast
from tests.desk.conftest import member, owner_of, signed_in
from tests.desk.levels.test_queueing import NOW, in_library

PAGE = "/en/desk/calendar/"
DAY = timedelta(days=1)
pytestmark = [pytest.mark.django_db, pytest.mark.clock(NOW)]
ADDRESS_PAGE = "/en/desk/calendar/address/"


@pytest.fixture
def draft(db) -> Round:
    return a_round(1, announced_at=None)


@pytest.fixture
def weekly(db) -> Series:
    Track.objects.create(slug="weekly", title_zh="周赛", title_en="Weekly contest")
    series = cast.a_series(NOW + 2 * DAY, track_id="weekly")
    (level,) = in_library(1)
    shelf.enqueue(level, series, "main", by=None)
    return series


def a_round(number, *, days=10, **fields) -> Round:
    opens_at = NOW + days * DAY
    fields.setdefault("announced_at", min(opens_at, NOW) - DAY)
    return cast.a_round(number, opens_at=opens_at, closes_at=opens_at + 21 * DAY, **fields)


def confirm_refused(client, round_) -> bool:
    before = opening()
    move(client, round_, do="save")
    return opening() == before


def move(client, round_, to="2027-02-01T20:00", do="look", **more):
    return client.post(PAGE, {"round": round_.pk, "opens_at": to, "do": do, **more})


def confirm(client, round_, to="2027-02-01T20:00"):
    return move(client, round_, to, "save", stamp=move(client, round_, to).context["stamp"])


def opening() -> str:
    return Round.objects.get().opens_at.isoformat()


def test_organisers_of_tracks_see_and_move_rounds_of_their_tracks_only(draft, weekly):
    own = owner_of("weekly")
    shown = own.get(PAGE).text
    assert "Main · L1" in shown
    assert "Round 1" not in shown
    assert "Main contest" not in shown
    assert move(own, draft).status_code == 422
    assert confirm_refused(own, draft)


@pytest.mark.parametrize(("role", "status"), [("observer", 200), ("judge", 200), ("author", 404), ("operator", 404)])
def test_other_roles_see_what_their_pages_show_and_move_nothing(draft, weekly, role, status):
    client = signed_in(member(role))
    answer = client.get(PAGE)
    assert answer.status_code == status
    assert "L1" not in answer.text
    assert 'name="opens_at"' not in answer.text
    assert confirm_refused(client, draft)


def test_a_level_of_a_hidden_round_is_not_revealed_to_an_organiser_of_another_track(organiser, weekly):
    """Rule 2.12."""
    hidden = a_round(1)
    queued = weekly.queue.get().level
    Level.objects.filter(round=hidden, slot="main").update(key=queued.key)
    assert "“L1” is left out" in organiser.get(PAGE).text
    shown = owner_of("weekly").get(PAGE).text
    assert "Main · L1" in shown
    assert "left out" not in shown


def test_a_move_is_shown_on_the_sheet_first_and_then_saved(organiser, draft):
    answer = move(organiser, draft)
    assert "2027-01-11 08:00" in answer.text
    assert "2027-02-01 20:00" in answer.text
    assert opening() == "2027-01-11T00:00:00+00:00"
    assert confirm(organiser, draft).status_code == 302
    moved = Round.objects.get()
    assert (opening(), moved.closes_at - moved.opens_at) == ("2027-02-01T12:00:00+00:00", 21 * DAY)
    assert set(AuditEntry.objects.get(act="change round").after) == {"opens_at", "closes_at"}


def test_a_move_names_the_clashes_it_brings(organiser, draft, weekly):
    Round.objects.update(track="weekly")
    Series.objects.update(first_opens_at=NOW + 40 * DAY)
    effects = move(organiser, draft, "2027-02-08T08:00").context["effects"]
    assert effects["brings"][0].startswith("Round 1: Weekly 1 is planned for the same time.")
    assert not move(organiser, draft, "2027-01-12T08:00").context["effects"]["brings"]


@pytest.mark.parametrize(
    ("to", "message"),
    [
        ("2026-12-31T22:00", "This time has passed"),
        ("9999-12-01T08:00", "The year 9999 is not valid"),
        ("2027-03-02T08:00", "Only one round may be open at a time: Round 2"),
    ],
)
def test_a_scheduled_round_is_checked_as_edit_checks_it(organiser, to, message):
    """Rule 2.6."""
    round_ = a_round(1)
    a_round(2, days=60)
    for do in ("look", "save"):
        answer = move(organiser, round_, to, do)
        assert (answer.status_code, message in answer.text) == (422, True)
    assert Round.objects.get(number=1).opens_at == round_.opens_at


def test_players_learn_of_a_scheduled_round_that_is_moved_later(organiser):
    round_ = a_round(1)
    assert "What changes for the players" in move(organiser, round_).text
    confirm(organiser, round_)
    assert Event.objects.get().kind == Event.Kind.POSTPONED


def test_a_round_that_another_organiser_changed_is_shown_again(organiser, draft):
    stamp = move(organiser, draft).context["stamp"]
    Round.objects.update(title_en="Other")
    answer = move(organiser, draft, do="save", stamp=stamp)
    assert answer.status_code == 409
    assert "Another organiser changed this round" in answer.text
    assert opening() == "2027-01-11T00:00:00+00:00"


def test_an_opened_round_cannot_be_moved(organiser):
    round_ = a_round(1, days=-3)
    assert 'name="opens_at"' not in organiser.get(PAGE).text
    assert move(organiser, round_).status_code == 422


@pytest.mark.parametrize("query", ["since=nonsense&move=x", "since=2099-12-31&weeks=52"])
def test_any_span_can_be_asked_for(organiser, draft, query):
    assert organiser.get(f"{PAGE}?{query}").status_code == 200


def address(client) -> str:
    if not client.get(ADDRESS_PAGE).context["url"]:
        client.post(ADDRESS_PAGE, {"new": ""})
    return client.get(ADDRESS_PAGE).context["url"].removeprefix("http://testserver")


def events(url) -> dict[str, Component]:
    answer = Client().get(url)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert "private" in answer["Cache-Control"]
    return {str(event["summary"]): event for event in Calendar.from_ical(answer.content).walk("VEVENT")}


@pytest.mark.usefixtures("weekly")
def test_drafts_rounds_and_turns_are_in_it_with_their_times_and_without_levels(organiser):
    round_ = a_round(1)
    a_round(2, days=40, announced_at=None)
    url = address(organiser)
    shown = events(url)
    scheduled = shown["Round 1 (scheduled)"]
    assert (scheduled["status"], scheduled.start, scheduled.end) == ("CONFIRMED", round_.opens_at, round_.closes_at)
    assert scheduled["url"].endswith("/en/desk/rounds/1/")
    assert shown["Round 2 (draft)"]["status"] == shown["Weekly 1 (to come)"]["status"] == "TENTATIVE"
    text = Client().get(url).text
    assert "L1" not in text
    assert "main of 1" not in text
    assert "Round 2" not in Client().get("/rounds.ics").text


def test_an_organiser_of_a_track_reads_only_that_track():
    a_round(1)
    Track.objects.create(slug="club", title_zh="俱乐部", title_en="Club")
    a_round(2, track_id="club", number_in_track=1)
    assert list(events(address(owner_of("club")))) == ["Club 1 (scheduled)"]


def test_another_address_ends_the_first_and_end_ends_all(organiser):
    first = address(organiser)
    organiser.post(ADDRESS_PAGE, {"new": ""})
    second = address(organiser)
    assert [Client().get(url).status_code for url in (first, second)] == [404, 200]
    organiser.post(ADDRESS_PAGE, {"end": ""})
    assert Client().get(second).status_code == 404
    assert AuditEntry.objects.filter(act="calendar address ended").count() == 1


@pytest.mark.parametrize(
    "end",
    [
        lambda user: members.give_role(user, "author", by=None),
        lambda user: second_factors.reset(user, None, reason="lost"),
        lambda user: User.objects.filter(pk=user.pk).update(is_active=False),
        lambda user: User.objects.filter(pk=user.pk).update(is_staff=False),
        lambda user: user.groups.clear(),
        lambda user: members.end_sessions(user, by=None),
        lambda user: signed_in(user).post("/en/me/sessions/end/"),
    ],
)
def test_it_ends_with_the_right_to_see_rounds_and_by_signing_out_everywhere(end):
    user = member("organiser")
    url = address(signed_in(user))
    end(user)
    assert Client().get(url).status_code == 404


def test_a_new_address_is_mailed_to_its_owner(django_capture_on_commit_callbacks):
    """As a stolen session could create one that outlives it."""
    user = member("organiser")
    user.email = "organiser@example.org"
    user.save()
    with django_capture_on_commit_callbacks(execute=True):
        signed_in(user).post(ADDRESS_PAGE, {"new": ""})
    assert "A private calendar address was created" in mail.outbox[-1].body
    assert next(act.act for act in account_acts.recent_acts(user)) == "calendar address made"


def test_a_guessed_or_changed_address_is_unknown(organiser):
    url = address(organiser)
    for wrong in (url.replace("calendar/", "calendar/0"), "/en/desk/calendar/0.ics", url.replace(":", "")):
        assert Client().get(wrong).status_code == 404


@pytest.mark.parametrize("role", ["author", "observer", "judge"])
def test_only_organisers_get_an_address(role):
    client = signed_in(member(role))
    assert client.get(ADDRESS_PAGE).status_code == 404
    assert client.post(ADDRESS_PAGE, {"new": ""}).status_code == 404
