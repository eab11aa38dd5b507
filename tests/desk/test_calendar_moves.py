from datetime import timedelta

import pytest
from icalendar import Calendar, Event

from contest.models import Round
from tests.desk.conftest import owner_of
from tests.desk.levels.test_queueing import NOW
from tests.desk.test_calendar import a_round

WEEK = timedelta(weeks=1)
pytestmark = [pytest.mark.django_db, pytest.mark.clock(NOW)]


def file_of(*rounds: Round, by: timedelta = WEEK, host: str = "testserver") -> str:
    calendar = Calendar()
    for round_ in rounds:
        event = Event()
        event.add("uid", f"desk-r{round_.pk}@{host}")
        event.add("summary", str(round_))
        event.add("dtstart", round_.opens_at + by)
        event.add("dtend", round_.closes_at + by)
        calendar.add_component(event)
    own = Event()
    own.add("uid", "1@phone")
    own.add("summary", "Dentist")
    calendar.add_component(own)
    return calendar.to_ical().decode()


def send(client, text: str, **fields: str):
    return client.post("/en/desk/calendar/moves/", {"text": text, **fields})


def save(client, text: str):
    return send(client, text, do="save", stamp=send(client, text).context["moves"].stamp)


def times() -> list:
    return list(Round.objects.order_by("number").values_list("opens_at", flat=True))


def test_rounds_move_together_after_a_preview_even_to_where_another_one_was(organiser):
    first, second = a_round(1), a_round(2, days=31)
    second.levels.all().delete()  # equal levels may not be in two rounds
    before, text = times(), file_of(first, second)
    shown = send(organiser, text)
    assert (times(), shown.context["read"].ignored, shown.context["can_save"]) == (before, ["Dentist"], True)
    assert save(organiser, text).status_code == 302
    assert times() == [at + WEEK for at in before]


def test_a_clash_is_shown_and_nothing_is_saved(organiser):
    first, _second = a_round(1), a_round(2, days=31)
    before, text = times(), file_of(first, a_round(3, days=60, announced_at=None))
    assert "Round 1: " in save(organiser, text).context["moves"].faults[0]
    assert times()[:2] == before


def test_a_round_that_somebody_changed_after_the_preview_is_not_saved(organiser):
    round_ = a_round(1)
    answer = send(organiser, file_of(round_), do="save", stamp="old")
    assert (answer.status_code, times()) == (409, [round_.opens_at])


def test_events_of_other_sites_and_rounds_of_other_organisers_do_not_move(organiser):
    round_ = a_round(1)
    assert send(organiser, file_of(round_, host="elsewhere")).context["read"].ignored == ["Round 1", "Dentist"]
    page = save(owner_of("club"), file_of(round_)).context
    assert (page["moves"].unknown, page["can_save"], times()) == (1, False, [round_.opens_at])


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ("BEGIN:VCALENDAR", "x", "This is not an iCalendar file"),
        ("DTSTART:", "X-START:", "Round 1: it has no beginning or no end."),
        ("SUMMARY:Round 1", "SUMMARY:Round 1\r\nRRULE:FREQ=DAILY", "Round 1: a round cannot be repeated."),
    ],
)
def test_a_file_that_cannot_be_read_says_why(organiser, before, after, fault):
    assert fault in send(organiser, file_of(a_round(1)).replace(before, after)).text
