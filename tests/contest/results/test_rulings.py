import pytest

from contest import judging, visibility
from contest.models import AuditEntry, Metric, Player
from contest.rankings import standings
from contest.results import rulings
from contest.visibility import Viewer
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db


REASON = Reason(zh="原因", en="because")
TAKEN_BACK = Reason(en="revoked")


@pytest.fixture
def submissions(during_round):
    """Ada's better and worse result, and Bo's between them."""
    return cast.enter_all(during_round, [("Ada", 5, 2), ("Ada", 9, 4), ("Bo", 7, 3)])


def ranking(round_, metric=Metric.MOVES):
    level = round_.levels.get(slot="main")
    return [(row.rank, row.player.nickname, row.moves) for row in standings.standings(level, metric)]


def test_a_void_submission_stays_in_the_list_with_its_reason(during_round, submissions):
    """Rules 7.4, 15.1, 15.4, 15.6: and is published unless the organiser says no."""
    rulings.void(submissions[0], REASON, at=cast.DURING, by=None, note="told us by mail")
    rulings.void(submissions[1], REASON, at=cast.DURING, by=None, is_unpublished=True)
    shown = set(visibility.replays(Viewer(), during_round, cast.CLOSES))
    assert [submission in shown for submission in submissions] == [True, False, True]
    rulings.unvoid(submissions[1], TAKEN_BACK, by=None)
    assert submissions[1] in visibility.replays(Viewer(), during_round, cast.CLOSES)
    listed = visibility.accepted_submissions(Viewer(), cast.DURING).get(pk=submissions[0].pk)
    assert (listed.voided_at, listed.void_reason_zh, listed.void_reason_en) == (cast.DURING, "原因", "because")
    assert (listed.moves, listed.void_note) == (5, "told us by mail")


def test_only_an_accepted_submission_can_be_voided_and_only_once(during_round, submissions):
    """Rules 1.6, 15.1."""
    receipt = cast.send("Cy", "r")
    judging.judge_until_empty()
    for submission in (receipt.submission, submissions[0]):
        assert cast.refusal_of(rulings.unvoid, submission, TAKEN_BACK, by=None)
    assert "accepted" in cast.refusal_of(rulings.void, receipt.submission, REASON, at=cast.DURING, by=None)
    rulings.void(submissions[0], REASON, at=cast.DURING, by=None)
    assert "already" in cast.refusal_of(rulings.void, submissions[0], REASON, at=cast.DURING, by=None)


def test_nothing_of_a_disqualified_player_counts(during_round, submissions):
    """Rules 1.7, 15.2: in this round only."""
    ada = Player.objects.get(nickname="Ada")
    other = cast.a_round(2, opens_at=cast.CLOSES, closes_at=cast.CLOSES + (cast.CLOSES - cast.OPENS))
    cast.enter(other, "Ada", 5, 2, at=cast.CLOSES)
    rulings.disqualify(during_round, ada, REASON, at=cast.DURING, by=None)
    assert ranking(during_round) == ranking(during_round, Metric.PUSHES) == [(1, "Bo", 7)]
    (ruling,) = visibility.disqualifications(during_round, cast.DURING)
    assert (ruling.player, ruling.reason_en) == (ada, "because")
    assert ranking(other) == [(1, "Ada", 5)]
    assert "already" in cast.refusal_of(rulings.disqualify, during_round, ada, REASON, at=cast.DURING, by=None)


def test_submissions_during_a_disqualification_count_once_it_is_lifted(during_round):
    """Rules 15.2, 15.3."""
    receipt = cast.send("Ada", "rlrR")
    judging.judge_until_empty()
    ruling = rulings.disqualify(during_round, receipt.submission.player, REASON, at=cast.DURING, by=None)
    cast.send("Ada", "rR", claim=receipt.claim)
    judging.judge_until_empty()
    assert ranking(during_round) == []
    rulings.lift(ruling, TAKEN_BACK, at=cast.DURING, by=None)
    assert ranking(during_round) == [(1, "Ada", 2)]
    assert "already" in cast.refusal_of(rulings.lift, ruling, TAKEN_BACK, at=cast.DURING, by=None)


def test_every_ruling_is_recorded_with_its_reason(during_round, submissions):
    ada = Player.objects.get(nickname="Ada")
    rulings.void(submissions[0], REASON, at=cast.DURING, by=None)
    rulings.unvoid(submissions[0], TAKEN_BACK, by=None)
    ruling = rulings.disqualify(during_round, ada, REASON, at=cast.DURING, by=None)
    rulings.lift(ruling, TAKEN_BACK, at=cast.DURING, by=None)
    entries = AuditEntry.objects.order_by("pk")
    assert [entry.act for entry in entries] == ["void", "unvoid", "disqualify", "lift disqualification"]
    assert [entry.reason for entry in entries] == ["原因 / because", "revoked"] * 2
    assert entries[1].before["reason"] == "because"
    assert entries[3].before == {"player": ada.pk}
