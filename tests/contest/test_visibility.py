from datetime import timedelta

import pytest

from contest import judging, visibility
from contest.infra import clock
from contest.replays import public
from contest.visibility import Viewer
from tests import cast, chain

pytestmark = pytest.mark.django_db

STRANGER = Viewer()
BEFORE_ANNOUNCEMENT = cast.OPENS - timedelta(days=8)
BEFORE_OPENING = cast.OPENS - timedelta(microseconds=1)


def public_moves(round_, at):
    return [submission.lurd for submission in visibility.replays(STRANGER, round_, at)]


@pytest.mark.parametrize(
    ("fields", "at", "round_seen", "levels_seen", "playable"),
    [
        ({}, BEFORE_ANNOUNCEMENT, False, 0, 0),
        ({}, BEFORE_OPENING, True, 0, 0),
        ({}, cast.OPENS, True, 2, 0),
        ({}, cast.CLOSES - timedelta(microseconds=1), True, 2, 0),
        ({}, cast.CLOSES, True, 2, 2),
        ({"reveal_waits_until": cast.AFTER}, cast.AFTER - timedelta(microseconds=1), True, 2, 0),
        ({"reveal_waits_until": cast.AFTER}, cast.AFTER, True, 2, 2),
        ({"announced_at": None}, cast.DURING, False, 0, 0),
        ({"cancelled_at": BEFORE_OPENING}, cast.DURING, True, 0, 0),
        ({"cancelled_at": cast.DURING}, cast.AFTER, True, 2, 0),
        ({"cancelled_at": cast.AFTER}, cast.AFTER, True, 2, 2),
    ],
)
def test_each_phase_shows_a_round_its_levels_and_the_game(fields, at, round_seen, levels_seen, playable):
    """Rules 1.10, 3.10, 7.4, 7.10, 20.1: a round cancelled before its opening never shows its levels."""
    cast.a_round(**fields)
    assert visibility.rounds(STRANGER, at).exists() == round_seen
    assert visibility.levels(STRANGER, at).count() == levels_seen
    assert visibility.playable_levels(STRANGER, at).count() == playable


def test_rejected_and_pending_submissions_are_in_no_public_list(during_round):
    """Rules 6.14, 7.9."""
    accepted, rejected = cast.send("player", "rR"), cast.send("rival", "r")
    judging.judge_until_empty()
    cast.send("stranger", "rR")
    listed = visibility.accepted_submissions(STRANGER, cast.DURING)
    assert [row.pk for row in listed] == [accepted.submission.pk]
    assert public_moves(during_round, cast.AFTER) == ["rR"]
    assert bytes(visibility.by_receipt(rejected.submission.receipt_id).text) == b"r", "its sender's for ever"


@pytest.mark.parametrize(
    ("setting", "cancelled_at", "events"),
    [
        ("at_close", None, ["close", "", ""]),
        ("at_final", None, ["final", "final", ""]),
        ("never", None, ["nothing"] * 3),
        ("at_close", cast.DURING, ["nothing"] * 3),
        ("at_final", cast.DURING, ["nothing"] * 3),
    ],
)
def test_a_setting_decides_when_solutions_become_public(during_round, setting, cancelled_at, events):
    """Rules 7.3, 7.10: *events* are what they wait for during the round, at its close and when it is final."""
    cast.submit("player", "rR")
    during_round.settings["solutions_public"] = setting
    during_round.cancelled_at = cancelled_at
    during_round.finalised_at = None if cancelled_at else cast.AFTER
    during_round.save()
    times = (cast.DURING, cast.CLOSES, cast.AFTER)
    assert [public.waits_for(during_round, at) for at in times] == events
    assert [bool(public_moves(during_round, at)) for at in times] == [event == "" for event in events]


@pytest.mark.parametrize(("cancelled_at", "stays"), [(cast.AFTER, True), (cast.DURING, False)])
def test_a_cancelled_round_stays_as_public_as_it_was(during_round, cancelled_at, stays):
    """Rules 7.10, 11.5, 20.1, 24.1: the list of rounds agrees with the check of a single round."""
    cast.submit("player", "rR")
    during_round.cancelled_at = cancelled_at
    during_round.save()
    later = cast.AFTER + timedelta(days=1)
    with clock.set_to(later):
        chain.append_all()
    assert bool(public_moves(during_round, later)) is stays
    assert (visibility.lucky_number(during_round, later) is not None) is stays
    assert visibility.commitment(during_round, later), "it was public before"
    assert not visibility.may_see_results(during_round, later)
    assert visibility.is_revealed(during_round, later) is stays
    assert visibility.practice_rounds(later).exists() is stays
    assert visibility.archived_rounds(STRANGER, later).exists() is stays
