"""Ratings are those of the tracks that count (rule 22.1), whatever happens at once (PostgreSQL)."""

import pytest

from contest import results
from contest.infra import clock
from contest.models import Track
from contest.rankings import ratings
from contest.rounds import tracks
from tests import cast
from tests.contest import test_at_once
from tests.contest.test_at_once import at_once, rated, two_closed_rounds

pytestmark = test_at_once.pytestmark


def turned(*, is_rated: bool) -> Track:
    track = Track.objects.get()
    track.is_rated = is_rated
    return track


@pytest.mark.parametrize("is_rated", [True, False])
def test_a_round_made_final_while_its_track_is_changed_is_rated_as_the_track_is_then(is_rated):
    earlier, later = two_closed_rounds()
    tracks.save(turned(is_rated=not is_rated), by=None)
    with clock.set_to(cast.AFTER):
        results.finalise(earlier, at=cast.AFTER, by=None)
        raised = at_once(
            lambda: tracks.save(turned(is_rated=is_rated), by=None),
            lambda: results.finalise(later, at=cast.AFTER, by=None),
        )
    assert (raised, len(rated())) == ([None, None], 6 * is_rated)


def test_two_changes_of_a_track_at_once_leave_the_ratings_of_the_second():
    earlier, _later = two_closed_rounds()
    with clock.set_to(cast.AFTER):
        results.finalise(earlier, at=cast.AFTER, by=None)
        ceases, again = turned(is_rated=False), turned(is_rated=True)
        raised = at_once(lambda: tracks.save(ceases, by=None), lambda: tracks.save(again, by=None))
        made = rated()
        ratings.replay()
    assert (raised, made) == ([None, None], rated())
