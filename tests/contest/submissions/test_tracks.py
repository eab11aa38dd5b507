from datetime import timedelta
from unittest.mock import Mock

import pytest

from contest import judging
from contest.infra import clock
from contest.models import MAIN, Round, Slot, Track
from contest.rounds import lucky_number
from contest.submissions import Refused, at_once
from contest.submissions.at_once import Trial
from contest.visibility import Viewer
from tests import cast

pytestmark = pytest.mark.django_db

DEEP = "#####|#-@-#|#---#|#---#|#-$-#|#-.-#|#####"  # solved by dddD, and by no solution of another level
STEEP = "#####|#-@-#|#-$-#|#-.-#|#####"


def beside(track: Track, number: int = 2, boards: dict[str, tuple[str, str]] | None = None, **settings) -> Round:
    round_ = Round(number=number, track=track, announced_at=cast.OPENS, opens_at=cast.OPENS, closes_at=cast.CLOSES)
    round_.settings |= settings
    lucky_number.save_committed(round_)
    for slot, (text, solution) in (boards or {Slot.MAIN: (DEEP, "dddD")}).items():
        cast.a_level(round_, slot, text, solution)
    return round_


@pytest.fixture
def both(weekly):
    with clock.set_to(cast.DURING):
        yield cast.a_round(), beside(weekly)


def verdict(receipt) -> tuple[int, str, str]:
    judging.judge_until_empty()
    row = cast.judged(receipt)
    return row.round.number, row.level.slot if row.level else "", row.verdict


def test_a_text_that_names_no_round_goes_to_the_first_level_it_solves_in_any_open_round(both, monkeypatch):
    """Rules 3.4, 6.8, 6.12: a text that solves nothing, or cannot be tried now, goes to the main round."""
    assert verdict(cast.send("Di", "r"))[:2] == (1, "main")
    assert verdict(cast.send("Ann", "rR")) == (1, "main", "accepted")
    assert verdict(cast.send("Bo", "rDldR")) == (1, "extra", "accepted")
    assert verdict(cast.send("Cy", "dddD")) == (2, "main", "accepted")
    Round.objects.filter(number=1).update(settings={**both[0].settings, "max_moves": 3})  # each round has its own limit
    assert verdict(cast.send("Ed", "dddD")) == (2, "main", "accepted")
    monkeypatch.setattr("contest.judging.outcomes.readers.judge", Mock(side_effect=MemoryError))
    assert cast.send("Fe", "dddD").submission.round.number == 1


def test_tracks_are_tried_in_their_order_whatever_their_rounds_numbers(weekly):
    club = Track.objects.create(slug="club", title_zh="俱乐部", title_en="Club", order=2)
    with clock.set_to(cast.DURING):
        beside(club, 1, {Slot.MAIN: (STEEP, "D")})
        beside(weekly, 3)
        assert verdict(cast.send("Ann", "d")) == (1, "main", "accepted")
        assert verdict(cast.send("Bo", "u"))[0] == 3


def test_a_named_round_track_or_slot_narrows_the_choice(both):
    """Rules 3.8, 6.8, 6.9."""
    assert verdict(cast.send("Ann", "dddD", round=1)) == (1, "extra", "illegal")
    assert verdict(cast.send("Bo", "rR", track="weekly"))[0] == 2
    assert verdict(cast.send("Cy", "dddD", slot="extra"))[0] == 1
    with clock.set_to(cast.CLOSES), pytest.raises(Refused, match="Round 2 closed"):
        cast.send("Di", "dddD", track="weekly")
    assert cast.refused(cast.send, "Di", "rR", slot="extra3").code == "no_level"
    assert cast.refused(cast.send, "Di", "rR", round=1, track="weekly").code == "no_round"


def test_a_refusal_names_the_round_as_its_track_does(both):
    """Rules 2.1, 3.8: a round of a track beside the main one is called by its number there."""
    Round.objects.filter(number=2).update(number_in_track=7, announced_at=cast.OPENS - timedelta(2))
    for at, message in [(cast.OPENS - timedelta(1), "Round weekly-7 opens"), (cast.CLOSES, "Round weekly-7 closed")]:
        with clock.set_to(at):
            assert message in cast.refused(cast.send, "Ann", "dddD", track="weekly").reason
    assert "Round weekly-7 has no" in cast.refused(cast.send, "Ann", "dddD", track="weekly", slot="extra3").reason


def test_a_repeated_text_returns_the_first_receipt_while_the_same_rounds_are_open(both, settings):
    """Rules 5.6, 5.9: and the quota of a player applies to all tracks together."""
    settings.QUOTA_PER_SECONDS = {60: 2}
    first = cast.send("Ann", "dddD")
    claim = first.claim
    again = cast.send("Ann", "dddD", claim=claim)
    assert (again.submission, again.is_new) == (first.submission, False)
    Round.objects.filter(number=2).update(closes_at=cast.DURING)
    later = cast.send("Ann", "dddD", claim=claim)
    assert later.is_new
    assert later.submission.round.number == 1
    assert cast.refused(cast.send, "Ann", "dddDu", claim=claim).code == "quota"


def test_a_trial_returns_the_verdict_of_such_a_submission(both):
    """Rules 6.8, 7.7."""
    tried = at_once.judge(Trial("dddD"), viewer=Viewer(), at=cast.DURING)
    assert (tried.level.round.number, tried.verdict) == (2, "accepted")
    tried = at_once.judge(Trial("dddD", track=MAIN), viewer=Viewer(), at=cast.DURING)
    assert tried.verdict != "accepted"
