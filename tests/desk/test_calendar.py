"""The season's calendar on the desk: who sees what, and moving a round."""

from datetime import timedelta

import pytest

from contest.library import shelf
from contest.models import AuditEntry, Event, Level, Round, Series, Track
from tests import cast
from tests.desk.conftest import member, owner_of, signed_in
from tests.desk.levels.test_queueing import NOW, in_library

PAGE = "/en/desk/calendar/"
DAY = timedelta(days=1)
pytestmark = [pytest.mark.django_db, pytest.mark.clock(NOW)]


@pytest.fixture
def draft(db) -> Round:
    """A draft on the main track, ten days from now, for three weeks."""
    return a_round(1, announced_at=None)


@pytest.fixture
def weekly(db) -> Series:
    """A series on a track of its own, with one level in its queue."""
    Track.objects.create(slug="weekly", title_zh="周赛", title_en="Weekly contest")
    series = Series.objects.create(
        name_zh="周赛", name_en="Weekly", track_id="weekly", first_opens_at=NOW + 2 * DAY, length_days=6
    )
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
