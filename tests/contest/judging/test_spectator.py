import pytest

from contest.infra import clock
from contest.judging import claims, judge
from contest.models import Best, Board, Slot, Submission, Verdict
from contest.models.round import default_settings
from contest.rankings import personal_bests
from contest.replays import public
from tests import cast
from tests.cast import judged, send, submit

pytestmark = pytest.mark.django_db

TWO_BOXES = "#######|#@$.--#|#-$.--#|#######"
SOLUTION = "RldR"


@pytest.fixture
def round_(db):
    with clock.set_to(cast.DURING):
        round_ = cast.a_round(settings={**default_settings(), "spectator": True})
        cast.a_level(round_, Slot.EXTRA2, TWO_BOXES, SOLUTION)
        yield round_


def boards():
    return {(row.board, row.player.nickname, row.moves, row.pushes) for row in Best.objects.select_related("player")}


def test_all_boxes_but_one_home_is_a_spectator_answer_cut_at_its_first_such_state(round_):
    """Rules 13.3, 13.5."""
    row = submit("player", "Rl")
    assert (row.verdict, row.level.slot, row.lurd, row.cut) == (Verdict.SPECTATOR, "extra2", "R", 1)
    assert (row.moves, row.pushes, row.boxes_home, row.turned) == (1, 1, 1, None)
    assert boards() == {(Board.SPECTATOR, "player", 1, 1)}
    assert "SaveGame" in public.collection(row)


def test_without_the_setting_it_is_not_solved(during_round):
    """Rule 13.2."""
    cast.a_level(during_round, Slot.EXTRA2, TWO_BOXES, SOLUTION)
    assert submit("player", "Rl", slot="extra2").verdict == Verdict.NOT_SOLVED
    assert boards() == set()


def test_a_text_with_an_impossible_step_is_illegal_and_its_possible_part_is_offered(round_):
    """Rule 13.4."""
    row = submit("player", "Rluu", slot="extra2")
    assert (row.verdict, row.turned["spectator"], row.turned["lurd"]) == (Verdict.ILLEGAL, True, "R")
    assert (row.turned["symmetry"], row.turned["slot"], boards()) == ("identity", "extra2", set())


def test_a_player_leaves_the_spectator_board_by_solving_the_level_until_that_is_void(round_):
    """Rules 13.6, 15.1."""
    claim = send("player", "Rl").claim
    submit("rival", "Rl")
    solved = submit("player", SOLUTION, claim=claim)
    assert boards() == {(Board.SPECTATOR, "rival", 1, 1), (Board.CONTEST, "player", 4, 2)}
    Submission.objects.filter(pk=solved.pk).update(voided_at=cast.DURING)
    personal_bests.recount([solved.level], [solved.player])
    assert boards() == {(Board.SPECTATOR, name, 1, 1) for name in ("rival", "player")}


def test_a_spectator_answer_judged_after_the_solution_does_not_come_back(round_):
    solved = send("player", SOLUTION)
    answer = send("player", "Rl", claim=solved.claim)
    for _row in (solved, answer):
        judge.judge_claimed(claims.claim(1))
    assert judged(answer).verdict == Verdict.SPECTATOR
    assert boards() == {(Board.CONTEST, "player", 4, 2)}
