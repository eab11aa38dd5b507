"""Several contests side by side, as readers see them (rule 2.11)."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from contest.infra import clock
from contest.models import Round, Slot, Track
from contest.rounds import lucky_number
from contest.stats import profiles
from contest.visibility import Viewer
from tests import cast
from tests.contest.outcomes import a_final_round, a_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def weekly():
    return Track.objects.create(slug="weekly", title_zh="周赛", title_en="Weekly")


@pytest.fixture
def both(during_round, weekly):
    """The main round, and beside it a later one of the weekly track."""
    round_ = Round(
        number=2,
        track=weekly,
        title_en="Seven days",
        announced_at=cast.OPENS,
        opens_at=cast.OPENS + timedelta(days=1),
        closes_at=cast.DURING + timedelta(days=2),
    )
    lucky_number.save_committed(round_)
    cast.a_level(round_, Slot.MAIN, "#####|#-@-#|#-$-#|#-.-#|#####", "D")
    return during_round, round_


def page(client, address):
    return client.get(address).content.decode()


def test_home_shows_the_main_round_first_and_every_other_open_one(client, both):
    shown = page(client, "/en/")
    assert shown.index('href="/en/rounds/1/"') < shown.index('href="/en/rounds/2/"')
    assert re.search(r'Weekly: <a\s+href="/en/rounds/2/">Seven days</a>', shown)


def test_with_one_track_nothing_is_said_of_tracks(client, during_round):
    for address in ("/en/", "/en/rounds/"):
        assert "Main contest" not in page(client, address)
        assert "tracks/" not in page(client, address)


def test_a_track_has_a_page_with_its_own_rounds(client, both):
    shown = page(client, "/en/tracks/weekly/")
    assert "<h1>Weekly</h1>" in shown
    assert "/en/rounds/2/" in shown
    assert "/en/rounds/1/" not in shown
    assert "<h1>周赛</h1>" in page(client, "/zh-hans/tracks/weekly/")


def test_the_list_of_all_rounds_leads_to_each_track_and_says_which_a_round_is_of(client, both):
    shown = page(client, "/en/rounds/")
    assert 'href="/en/tracks/weekly/">Weekly</a>' in shown
    assert "<small>Weekly</small>" in shown
    assert "<small>Main contest</small>" in shown


def test_nobody_knows_of_a_track_before_its_first_announcement(client, during_round, weekly):
    """Rule 2.8."""
    assert client.get("/en/tracks/weekly/").status_code == 404
    assert "Weekly" not in page(client, "/en/rounds/")


def test_the_page_to_submit_on_has_the_levels_of_all_open_rounds(client, both):
    shown = page(client, "/en/submit/")
    assert "Round 1" in shown
    assert "Round 2" in shown
    with clock.set_to(both[1].closes_at):
        assert "Round 2" not in page(client, "/en/submit/")


@pytest.fixture
def two_finals(weekly):
    """A final round of each track, with a winner of its own."""
    a_final_round(1, "Ann", "Bo")
    a_final_round(2, "Cy", track=weekly)


@pytest.mark.parametrize("table", ["hall/", "seasons/2026/"])
def test_hall_and_seasons_are_of_one_track_main_unless_another_is_chosen(client, two_finals, table):
    """Rules 21.1, 21.2."""
    main, weekly = (page(client, f"/en/{table}{query}") for query in ("", "?track=weekly"))
    assert "Ann" in main
    assert "Cy" not in main
    assert "Cy" in weekly
    assert "Ann" not in weekly
    assert "track=weekly" in main
    assert client.get(f"/en/{table}?track=nothing").status_code == 404


def test_points_of_a_player_are_never_added_across_tracks(two_finals, weekly):
    """Rule 21.2."""
    a_final_round(3, "Ann", track=weekly)
    ann = a_player("Ann")
    at = datetime(2027, 1, 1, tzinfo=UTC)
    tally = profiles.tally(Viewer(), ann, at)
    assert (tally.rounds, tally.half_points) == (1, 79)
    assert len(profiles.rounds_entered(Viewer(), ann, at)) == 2
