from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Round, Search, SearchKind, SearchState
from contest.vetting import coaching, worker
from contest.vetting.asking import Asker
from contest.vetting.coaching import Coached
from contest.visibility import Viewer
from solvers import sokoban
from solvers.sokoban.reading.turned import turned_back
from tests import cast
from tests.sizes import cases

pytestmark = pytest.mark.django_db

ROOM = sokoban.Level.parse("########|#@-----#|#--$--.#|#------#|########")
CORNER = sokoban.Level.parse(cast.CORNER)
# A walk round the room before the best solution, which takes 5 moves.
WASTEFUL = Coached(ROOM, "ddrlrlurRRR", {})
WASTED = 6
# Like the level in the slot "extra" of the usual round, with a detour of two moves.
RESEMBLING = Coached(sokoban.Level.parse("######|#@---#|#-$--#|#.---#|######"), "rlrDrdL", {})
ASKER, OTHER = Asker(Viewer(), "192.0.2.1"), Asker(Viewer(), "198.51.100.1")


def a_copy(symmetry):
    """Return the level "extra" turned by a *symmetry* that is its own inverse, with a detour of two moves."""
    return Coached(CORNER.transform(symmetry), turned_back("rlrDldR", symmetry), {})


def analyse(coached, at=cast.DURING, asker=ASKER):
    coaching.order(coached, asker, at)
    with clock.set_to(at):
        worker.work_until_empty(lambda: None)
    return coaching.find(coached, at)


def lines_of(coached, at=cast.DURING):
    return coaching.cost_lines(coached, coaching.find(coached, at))


def test_a_solution_is_analysed_once_and_the_answer_is_kept_without_its_askers(during_round):
    search = analyse(WASTEFUL)
    assert (search.state, search.kind, bool(search.network)) == (SearchState.DONE, SearchKind.COACH, True)
    coaching.order(WASTEFUL, OTHER, cast.DURING)
    with clock.set_to(cast.DURING + timedelta(days=9)):
        worker.tidy()
    kept = Search.objects.get()
    assert (kept.pk, kept.state, kept.network, kept.stretches) == (search.pk, SearchState.DONE, "", search.stretches)


def test_its_stretches_save_what_they_say_and_the_line_says_what_is_proved(during_round):
    analyse(WASTEFUL)
    moves, pushes = lines_of(WASTEFUL)
    (stretch,) = moves.stretches
    assert (moves.lost, moves.lost_by_walking, moves.is_best_optimal) == (WASTED, WASTED, True)
    assert (stretch.is_walk, stretch.moves, WASTEFUL.lurd[stretch.start : stretch.stop]) == (True, 6, "ddrlrlur")
    assert (pushes.lost, pushes.is_optimal) == (0, True)
    best = Coached(ROOM, "drRRR", {})
    analyse(best)
    assert [(line.lost, line.is_optimal) for line in lines_of(best)] == [(0, True), (0, True)]
    own = len(WASTEFUL.lurd)
    for least, lost in ((own - WASTED, WASTED), (own - WASTED + 1, 0), (own, 0)):
        line, _pushes = lines_of(Coached(ROOM, WASTEFUL.lurd, {"moves": least}))
        assert (line.lost, line.most_saved) == (lost, own - least)


@pytest.mark.parametrize("symmetry", cases([5], (0, 2, 4, 6, 7)))
def test_nothing_is_shown_while_a_copy_of_the_level_is_in_play(during_round, no_wait, search_process, symmetry):
    """Rules 3.10, 4.9: however it is turned, and not searched; a closed round that waits may open again."""
    search_process.answer = None
    copy = a_copy(symmetry)
    assert (analyse(copy).state, lines_of(copy)) == (SearchState.DONE, [])
    Round.objects.update(reveal_waits_until=cast.CLOSES + timedelta(days=1))
    assert lines_of(copy, cast.AFTER) == []


def test_an_answer_is_left_out_while_the_level_is_in_play_again(db, no_wait):
    """Rule 20.4: the stored answer returns after the reveal, without another search."""
    cast.a_round()
    copy, early = a_copy(5), cast.OPENS - timedelta(hours=1)
    analyse(copy, early)
    assert lines_of(copy, early)[0].lost == 2
    assert coaching.find(copy, cast.DURING).state == SearchState.QUEUED
    with clock.set_to(cast.DURING):
        worker.work_until_empty(lambda: None)
    assert lines_of(copy, cast.DURING) == []


def test_an_answer_about_a_board_like_a_level_in_play_is_withheld_until_it_is_asked_again(during_round, no_wait):
    """It would be shown from the reveal on, so it is then searched for at last."""
    search = analyse(RESEMBLING)
    assert (search.state, lines_of(RESEMBLING)) == (SearchState.DONE, [])
    assert coaching.find(RESEMBLING, cast.AFTER) is None
    analyse(RESEMBLING, cast.AFTER)
    assert lines_of(RESEMBLING, cast.AFTER)[0].lost > 0


def test_the_coach_works_within_the_quotas_of_the_solver(during_round, settings):
    settings.COACH_SECONDS, settings.NETWORK_SECONDS_PER_DAY = 20, 30
    coaching.order(WASTEFUL, ASKER, cast.DURING)
    search = Search.objects.get()
    assert (search.seconds, search.megabytes, search.urgency) == (20, settings.SOLVER_MEGABYTES, 1)
    another = Coached(ROOM, "drRRR", {})
    assert cast.refused(coaching.order, another, ASKER, cast.DURING).reason == "quota"
    coaching.order(WASTEFUL, ASKER, cast.DURING)  # it waits already
    for name in ("COACH_SECONDS", "ASKED_SECONDS"):
        setattr(settings, name, 0)
        assert not coaching.is_available(ROOM, WASTEFUL.lurd)
        setattr(settings, name, 20)


def test_only_its_asker_stops_an_analysis_and_everybody_may_ask_again(during_round):
    coaching.order(WASTEFUL, ASKER, cast.DURING)
    coaching.stop(WASTEFUL, OTHER)
    assert Search.objects.get().state == SearchState.QUEUED
    coaching.stop(WASTEFUL, ASKER)
    assert Search.objects.get().state == SearchState.CANCELLED
    named = Asker(Viewer(proved=frozenset({7})), ASKER.address)
    coaching.order(WASTEFUL, named, cast.DURING)
    assert [coaching.may_stop(coaching.find(WASTEFUL, cast.DURING), asker) for asker in (ASKER, named)] == [False, True]
    coaching.stop(WASTEFUL, named)
    analyse(WASTEFUL, asker=OTHER)
    assert lines_of(WASTEFUL)[0].lost == WASTED
