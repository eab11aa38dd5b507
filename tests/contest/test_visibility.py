from datetime import timedelta

import pytest

from contest import judging, visibility
from contest.models import Submission
from contest.visibility import Viewer
from tests import cast

pytestmark = pytest.mark.django_db

STRANGER = Viewer()
BEFORE_ANNOUNCEMENT = cast.OPENS - timedelta(days=8)
BEFORE_OPENING = cast.OPENS - timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("at", "round_seen", "levels_seen"),
    [
        (BEFORE_ANNOUNCEMENT, False, 0),
        (BEFORE_OPENING, True, 0),
        (cast.OPENS, True, 2),
        (cast.AFTER, True, 2),
    ],
)
def test_a_level_is_seen_from_the_opening_and_a_round_from_its_announcement(at, round_seen, levels_seen):
    cast.a_round()
    assert visibility.rounds(STRANGER, at).exists() == round_seen
    assert visibility.levels(STRANGER, at).count() == levels_seen


def test_a_round_never_announced_stays_hidden_whatever_its_times_say():
    cast.a_round(announced_at=None)
    assert not visibility.rounds(STRANGER, cast.DURING).exists()
    assert not visibility.levels(STRANGER, cast.DURING).exists()


def test_a_round_cancelled_before_it_opened_never_shows_its_levels():
    """Rule 7.10."""
    cast.a_round(cancelled_at=BEFORE_OPENING)
    assert not visibility.levels(STRANGER, cast.DURING).exists()


def test_rejected_and_pending_submissions_are_in_no_public_list(during_round):
    """Rules 6.14, 7.9."""
    accepted, rejected = cast.send("player", "rR"), cast.send("rival", "r")
    judging.judge_until_empty()
    cast.send("stranger", "rR")
    listed = visibility.accepted(STRANGER, cast.DURING)
    assert [row.pk for row in listed] == [accepted.submission.pk]
    assert rejected.submission.pk


def test_a_solution_is_the_senders_alone_until_the_round_closes(during_round):
    """Rules 7.3, 7.5."""
    receipt = cast.send("player", "rR")
    judging.judge_until_empty()
    submission = Submission.objects.select_related("round").get()
    player = Viewer({submission.player_id: receipt.claim or ""})
    just_before = cast.CLOSES - timedelta(microseconds=1)
    assert not visibility.may_see_solution(STRANGER, submission, just_before)
    assert visibility.may_see_solution(player, submission, just_before)
    assert visibility.may_see_solution(STRANGER, submission, cast.CLOSES)


def test_results_show_from_the_close(during_round):
    assert not visibility.may_see_results(during_round, cast.DURING)
    assert visibility.may_see_results(during_round, cast.CLOSES)
