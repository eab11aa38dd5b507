"""The private address of an organiser's calendar."""

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from icalendar import Calendar, Component

from contest.models import AuditEntry, Track
from contest.staff import account_acts, members, second_factors
from tests.desk.conftest import member, owner_of, signed_in
from tests.desk.levels.test_queueing import NOW
from tests.desk.test_calendar import a_round, weekly  # noqa: F401 - a fixture

PAGE = "/en/desk/calendar/address/"
pytestmark = [pytest.mark.django_db, pytest.mark.clock(NOW)]


def address(client) -> str:
    """Return the address in the client's page; create it if there is none."""
    if not client.get(PAGE).context["url"]:
        client.post(PAGE, {"new": ""})
    return client.get(PAGE).context["url"].removeprefix("http://testserver")


def events(url) -> dict[str, Component]:
    """Return each event by its title, as a program without cookies reads them."""
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
    organiser.post(PAGE, {"new": ""})
    second = address(organiser)
    assert [Client().get(url).status_code for url in (first, second)] == [404, 200]
    organiser.post(PAGE, {"end": ""})
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
        signed_in(user).post(PAGE, {"new": ""})
    assert "A private calendar address was created" in mail.outbox[-1].body
    assert next(act.act for act in account_acts.recent_acts(user)) == "calendar address made"


def test_a_guessed_or_changed_address_is_unknown(organiser):
    url = address(organiser)
    for wrong in (url.replace("calendar/", "calendar/0"), "/en/desk/calendar/0.ics", url.replace(":", "")):
        assert Client().get(wrong).status_code == 404


@pytest.mark.parametrize("role", ["author", "observer", "judge"])
def test_only_organisers_get_an_address(role):
    client = signed_in(member(role))
    assert client.get(PAGE).status_code == 404
    assert client.post(PAGE, {"new": ""}).status_code == 404
