import pytest

from contest import judging
from contest.models import Best, Board, Disqualification, Submission
from contest.rankings import personal_bests
from tests import cast

pytestmark = pytest.mark.django_db


def _main(round_):
    return round_.levels.get(slot="main")


def test_a_disqualified_player_has_no_best_and_practice_stays_on_its_own_board(during_round):
    """Rules 15.2, 20.1."""
    receipt = cast.send("Ada", "rR")
    judging.judge_until_empty()
    player = receipt.submission.player
    ruling = Disqualification.objects.create(round=during_round, player=player, ruled_at=cast.DURING)
    personal_bests.recount(_main(during_round), [player])
    assert not Best.objects.exists()
    ruling.lifted_at = cast.DURING
    ruling.save()
    personal_bests.recount(_main(during_round), [player])
    assert Best.objects.filter(board=Board.CONTEST).count() == 2
    Submission.objects.update(is_practice=True)
    personal_bests.recount(_main(during_round), [player])
    assert set(Best.objects.values_list("board", flat=True)) == {Board.PRACTICE}
