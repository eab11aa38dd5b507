"""No answer of the solver solves a level in play, or reveals that a solution was found (rules 4.9, 7.4, 20.4)."""

from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Level, Round, Search, SearchState, Slot
from contest.vetting import asking, worker
from contest.vetting.asking import Asker, Question
from contest.visibility import Viewer
from solvers import sokoban
from solvers.sokoban.solving.searching.first_look import first_look
from tests import cast
from tests.sizes import cases

pytestmark = pytest.mark.django_db

# The level in the slot "extra" of the usual round, with one dead cell added in its right wall.
DUG = "#######|#@----#|#-$--##|#--.-##|#######"
SOLUTION = {"lurd": "rDldR", "moves": 5, "pushes": 2}


def ask(text=DUG, at=cast.DURING, **fields):
    return asking.ask(Question(text, **fields), Asker(Viewer(), "192.0.2.1"), at=at)


def found_in(search, at=cast.DURING):
    return asking.question_by_id(search.public_id, at)


def done(search, lurd=SOLUTION["lurd"]):
    """Close *search* as a worker does that found *lurd* at once."""
    found = {"lurd": lurd, "moves": len(lurd), "pushes": sum(map(str.isupper, lurd))}
    facts = {"answer": "solved", "found": {"pushes": found, "moves": found}, "nodes": 9, "cpu_seconds": 0.1}
    Search.objects.filter(pk=search.pk).update(state=SearchState.DONE, best=2, **facts)
    return search


def test_a_level_in_play_with_a_cell_dug_is_searched_in_vain_for_the_whole_budget(during_round, no_wait):
    searches = [ask(act=act, aim="pushes", seconds=7) for act in ("solve", "prove")]
    worker.work_until_empty(lambda: None)
    for row in (*map(found_in, searches), *Search.objects.all()):
        assert (row.state, row.answer, row.limit, row.found) == (SearchState.DONE, "unknown", "cpu_seconds", {})
        assert (row.cpu_seconds, row.best) == (7.0, None)


@pytest.mark.parametrize("symmetry", cases([0, 5], range(8)))
def test_however_it_is_turned_its_answer_does_not_leave(during_round, symmetry):
    board = sokoban.Level.parse(DUG).transform(symmetry)
    search = done(ask(board.published_text), first_look(board, 10_000)[0])
    row = found_in(search)
    assert (row.answer, row.limit, row.found, row.cpu_seconds) == ("unknown", "cpu_seconds", {}, 10.0)


def test_a_search_that_was_held_can_be_stopped_like_any_other(during_round, no_wait):
    """A result that has not been compared yet shows no count; a solution to be improved is returned unchanged."""
    search = ask(seconds=7)
    worker.work_until_empty(lambda: no_wait[0] > 2 and asking.cancel(search))
    Search.objects.update(best=2)
    assert (found_in(search).state, found_in(search).best) == (SearchState.CANCELLED, None)
    own = "rrllrDldR"
    row = found_in(done(ask(act="optimize", lurd=own)))
    assert (row.answer, row.best_by("moves")["lurd"], row.is_optimal("pushes")) == ("solved", own, False)


def test_what_was_found_before_the_opening_does_not_leave_while_the_level_is_in_play(db):
    cast.a_round()
    early = cast.OPENS - timedelta(hours=1)
    with clock.set_to(early):
        search = done(ask(at=early))
    answers = [found_in(search, at).answer for at in (early, cast.DURING, cast.AFTER)]
    assert answers == ["solved", "unknown", "solved"]


def test_a_level_to_come_is_compared_with_nothing(during_round):
    """Rule 7.4: a missing answer would reveal a future level."""
    during_round.levels.filter(slot=Slot.EXTRA).delete()
    coming = {"opens_at": cast.CLOSES, "closes_at": cast.CLOSES + timedelta(days=7), "commitment": "0" * 64}
    for number, announced_at in ((8, None), (9, cast.DURING)):
        cast.a_level(Round.objects.create(number=number, announced_at=announced_at, **coming), text=cast.CORNER)
    assert found_in(done(ask())).answer == "solved"


def test_there_is_no_hint_on_an_old_level_whose_near_copy_is_in_play(during_round, no_wait):
    old = cast.a_round(2, **cast.earlier(8))
    old.levels.all().delete()
    cast.a_level(old, text=DUG, solution="rDldR")
    level = Level.objects.select_related("round").get(round=old)
    asking.hint(level, "", Asker(Viewer(), "192.0.2.1"), at=cast.DURING)
    with clock.set_to(cast.DURING):
        worker.work_until_empty(lambda: None)
    row = Search.objects.get()
    assert (row.state, row.answer, row.found) == (SearchState.DONE, "unknown", {})
