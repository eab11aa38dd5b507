from datetime import UTC, datetime, timedelta

import pytest

from contest.models import Round, Slot
from contest.rounds import lucky_number
from contest.stats import profiles
from contest.visibility import Viewer
from tests import cast
from tests.contest.outcomes import a_final_round, a_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def both(during_round, weekly):
    times = {"announced_at": cast.OPENS, "opens_at": cast.OPENS + timedelta(days=1)}
    round_ = Round(number=2, track=weekly, title_en="Seven days", closes_at=cast.DURING + timedelta(days=2), **times)
    lucky_number.save_committed(round_)
    cast.a_level(round_, Slot.MAIN, "#####|#-@-#|#-$-#|#-.-#|#####", "D")
    return during_round, round_


def test_a_track_has_a_page_with_its_own_rounds(client, both):
    shown = client.get("/en/tracks/weekly/").text
    assert "/en/rounds/2/" in shown
    assert "/en/rounds/1/" not in shown


def test_a_track_is_hidden_until_its_first_announcement(client, during_round, weekly):
    """Rule 2.8: with only one track, pages do not mention tracks."""
    assert client.get("/en/tracks/weekly/").status_code == 404
    for address in ("/en/", "/en/rounds/"):
        text = client.get(address).text
        assert not any(mention in text for mention in ("Weekly", "Main contest", "tracks/"))


@pytest.fixture
def two_finals(weekly):
    a_final_round(1, "Ann", "Bo")
    a_final_round(2, "Cy", track=weekly)


@pytest.mark.parametrize("table", ["hall/", "seasons/2026/"])
def test_hall_and_seasons_show_the_chosen_track_by_default_main(client, two_finals, table):
    """Rules 21.1, 21.2."""
    main, weekly = (client.get(f"/en/{table}{query}").text for query in ("", "?track=weekly"))
    assert "Ann" in main
    assert "Cy" not in main
    assert "Cy" in weekly
    assert "Ann" not in weekly
    assert "track=weekly" in main
    assert client.get(f"/en/{table}?track=nothing").status_code == 404


def test_points_are_never_added_across_tracks(two_finals, weekly):
    """Rule 21.2."""
    a_final_round(3, "Ann", track=weekly)
    ann = a_player("Ann")
    at = datetime(2027, 1, 1, tzinfo=UTC)
    tally = profiles.tally(Viewer(), ann, at)
    assert (tally.rounds, tally.half_points) == (1, 79)
    assert len(profiles.rounds_entered(Viewer(), ann, at)) == 2
