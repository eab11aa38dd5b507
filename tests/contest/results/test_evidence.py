from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Player, Submission
from contest.results import evidence
from tests import cast
from tests.desk.conftest import member, signed_in

pytestmark = pytest.mark.django_db
# The same push, reached by two walks; and a push of another box.
STRAIGHT, ROUND_ABOUT, OTHER = "uurR", "uulrrR", "rrR"


def sent(round_, nickname: str, lurd: str, *, hours: int, slot: str = "main") -> Submission:
    return cast.enter_moves(round_, nickname, lurd, slot=slot, at=cast.OPENS + timedelta(hours=hours))


def test_the_first_sender_is_listed_first_with_gaps_and_long_walks_first():
    """Rule 15.5: a player is never compared with their own results, nor with other levels."""
    round_ = cast.a_round()
    for nickname, slot in (("Ann", "extra"), ("Ann", "extra"), ("Bo", "main")):
        sent(round_, nickname, "rR", hours=1, slot=slot)
    for nickname in ("Ann", "Bo"):
        sent(round_, nickname, "lL" * 9, hours=60)
    sent(round_, "Bo", STRAIGHT, hours=9)
    sent(round_, "Ann", STRAIGHT, hours=2)
    sent(round_, "Cy", ROUND_ABOUT, hours=50)
    sent(round_, "Di", OTHER, hours=3)
    found = evidence.find_equal_solutions(round_, round_.levels.all())
    names, hour = dict(Player.objects.values_list("pk", "nickname")), timedelta(hours=1)
    assert [[(names[one.player], one.is_same_walk, one.gap / hour) for one in equal.sent] for equal in found] == [
        [("Ann", True, 0), ("Bo", True, 0)],
        [("Ann", True, 0), ("Bo", True, 7), ("Cy", False, 48)],
    ]


def test_the_desk_shows_evidence_after_the_reveal_to_organisers_with_access_to_submissions():
    round_ = cast.a_round()
    rows = [sent(round_, "Ann", STRAIGHT, hours=2), sent(round_, "Bo", STRAIGHT, hours=53)]
    organiser, author = signed_in(member("organiser")), signed_in(member("author"))
    address, player = "/en/desk/rounds/1/equal/", f"/en/desk/people/{rows[1].player_id}/"
    with clock.set_to(cast.DURING):
        assert organiser.get(address).status_code == 404
        assert "/equal/" not in organiser.get("/en/desk/rounds/1/").content.decode()
    with clock.set_to(cast.AFTER):
        shown = organiser.get(address).content.decode()
        assert "+51:00:00" in shown
        assert shown.index(">Ann</a>") < shown.rindex("first sender") < shown.index(">Bo</a>")
        assert all(f"/submissions/{row.pk}/" in shown for row in rows)
        assert f"{address}?player={rows[1].player_id}" in organiser.get(player).content.decode()
        assert author.get(address).status_code == 404
        for nobody in ("999", "x", "9" * 30):
            assert organiser.get(f"{address}?player={nobody}").status_code == 404
