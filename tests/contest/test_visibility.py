from datetime import timedelta

import pytest

from contest import judging, visibility
from contest.visibility import Viewer
from tests import cast

pytestmark = pytest.mark.django_db

STRANGER = Viewer()
BEFORE_ANNOUNCEMENT = cast.OPENS - timedelta(days=8)
BEFORE_OPENING = cast.OPENS - timedelta(microseconds=1)


def public_moves(round_, at):
    return [submission.lurd for submission in visibility.replays(STRANGER, round_, at)]


@pytest.mark.parametrize(
    ("at", "fields", "round_seen", "levels_seen"),
    [
        (BEFORE_ANNOUNCEMENT, {}, False, 0),
        (BEFORE_OPENING, {}, True, 0),
        (cast.OPENS, {}, True, 2),
        (cast.AFTER, {}, True, 2),
        (cast.DURING, {"announced_at": None}, False, 0),
        (cast.DURING, {"cancelled_at": BEFORE_OPENING}, True, 0),
    ],
)
def test_a_level_is_seen_from_the_opening_and_a_round_from_its_announcement(at, fields, round_seen, levels_seen):
    """Rule 7.10: a round cancelled before its opening never shows its levels."""
    cast.a_round(**fields)
    assert visibility.rounds(STRANGER, at).exists() == round_seen
    assert visibility.levels(STRANGER, at).count() == levels_seen


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
    ("public", "closed", "final"), [("at_close", True, True), ("at_final", False, True), ("never", False, False)]
)
def test_when_solutions_become_public_is_a_setting(during_round, public, closed, final):
    """Rule 7.3."""
    during_round.settings["solutions_public"] = public
    during_round.finalised_at = cast.AFTER
    during_round.save()
    cast.send("player", "rR")
    judging.judge_until_empty()
    assert [bool(public_moves(during_round, at)) for at in (cast.CLOSES, cast.AFTER)] == [closed, final]


def test_a_round_cancelled_before_the_close_keeps_its_solutions_and_number(during_round):
    """Rules 7.10, 11.5."""
    cast.send("player", "rR")
    judging.judge_until_empty()
    during_round.cancelled_at = cast.DURING
    during_round.save()
    assert not public_moves(during_round, cast.AFTER)
    assert visibility.lucky_number(during_round, cast.AFTER) is None
    assert visibility.commitment(during_round, cast.AFTER)  # it was public before


def test_a_round_cancelled_after_the_close_stays_as_public_as_before(during_round):
    cast.send("player", "rR")
    judging.judge_until_empty()
    during_round.cancelled_at = cast.AFTER
    during_round.save()
    assert public_moves(during_round, cast.AFTER) == ["rR"]
    assert visibility.lucky_number(during_round, cast.AFTER) is not None
    assert not visibility.may_see_results(during_round, cast.AFTER)


@pytest.mark.parametrize(
    ("at", "settings", "commitment", "number", "preview", "results"),
    [
        (BEFORE_ANNOUNCEMENT, False, False, False, False, False),
        (BEFORE_OPENING, True, False, False, False, False),
        (cast.OPENS, True, True, False, True, False),
        (cast.CLOSES - timedelta(microseconds=1), True, True, False, True, False),
        (cast.CLOSES, True, True, True, True, True),
    ],
)
def test_the_public_fields_of_a_round_by_phase(at, settings, commitment, number, preview, results):
    round_ = cast.a_round()
    assert (
        visibility.settings(round_, at) is not None,
        bool(visibility.commitment(round_, at)),
        visibility.lucky_number(round_, at) is not None,
        visibility.may_preview_points(round_, at),
        visibility.may_see_results(round_, at),
    ) == (settings, commitment, number, preview, results)


@pytest.mark.parametrize(("cancelled_at", "stays"), [(cast.AFTER, True), (cast.DURING, False)])
def test_a_round_cancelled_after_its_reveal_keeps_archive_and_practice(during_round, cancelled_at, stays):
    """Rules 7.10, 20.1, 24.1: the list of rounds agrees with the check of a single round."""
    during_round.cancelled_at = cancelled_at
    during_round.save()
    later = cast.AFTER + timedelta(days=1)
    assert visibility.is_revealed(during_round, later) is stays
    assert visibility.practice_rounds(later).exists() is stays
    assert visibility.archived_rounds(STRANGER, later).exists() is stays


@pytest.mark.parametrize(
    ("fields", "at", "playable"),
    [
        ({}, cast.DURING, 0),
        ({}, cast.CLOSES, 2),
        ({"reveal_waits_until": cast.AFTER}, cast.AFTER - timedelta(microseconds=1), 0),
        ({"reveal_waits_until": cast.AFTER}, cast.AFTER, 2),
        ({"cancelled_at": cast.DURING}, cast.AFTER, 0),
        ({"cancelled_at": cast.AFTER}, cast.AFTER, 2),
    ],
)
def test_levels_can_be_played_on_any_day_from_the_reveal(fields, at, playable):
    """Rules 1.10, 3.10, 7.4, 7.10, 20.1."""
    cast.a_round(**fields)
    assert visibility.playable_levels(STRANGER, at).count() == playable
