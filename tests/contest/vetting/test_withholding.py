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


def find_question(search, at=cast.DURING):
    return asking.find_question(search.public_id, at)


def close_search(search, lurd=SOLUTION["lurd"]):
    """Close *search* as a worker does that found *lurd* at once."""
    found = {"lurd": lurd, "moves": len(lurd), "pushes": sum(map(str.isupper, lurd))}
    facts = {"answer": "solved", "found": {"pushes": found, "moves": found}, "nodes": 9, "cpu_seconds": 0.1}
    Search.objects.filter(pk=search.pk).update(state=SearchState.DONE, best=2, **facts)
    return search


def test_a_near_copy_of_a_level_in_play_is_unknown_after_the_whole_budget(during_round, no_wait):
    searches = [ask(act=act, aim="pushes", seconds=7) for act in ("solve", "prove")]
    worker.work_until_empty(lambda: None)
    for row in (*map(find_question, searches), *Search.objects.all()):
        assert (row.state, row.answer, row.limit, row.found) == (SearchState.DONE, "unknown", "cpu_seconds", {})
        assert (row.cpu_seconds, row.best) == (7.0, None)


@pytest.mark.parametrize("symmetry", cases([0, 5], range(8)))
def test_the_answer_is_withheld_in_every_orientation(during_round, symmetry):
    board = sokoban.Level.parse(DUG).transform(symmetry)
    search = close_search(ask(board.published_text), first_look(board, 10_000)[0])
    row = find_question(search)
    assert (row.answer, row.limit, row.found, row.cpu_seconds) == ("unknown", "cpu_seconds", {}, 10.0)


def test_a_search_with_a_withheld_answer_can_be_cancelled(during_round, no_wait):
    """A result that has not been compared yet shows no count; a solution to be improved is returned unchanged."""
    search = ask(seconds=7)
    worker.work_until_empty(lambda: no_wait[0] > 2 and asking.cancel(search))
    Search.objects.update(best=2)
    assert (find_question(search).state, find_question(search).best) == (SearchState.CANCELLED, None)
    own = "rrllrDldR"
    row = find_question(close_search(ask(act="optimize", lurd=own)))
    assert (row.answer, row.best_by("moves")["lurd"], row.is_optimal("pushes")) == ("solved", own, False)


def test_an_answer_from_before_the_opening_is_withheld_while_the_level_is_in_play(db):
    cast.a_round()
    early = cast.OPENS - timedelta(hours=1)
    with clock.set_to(early):
        search = close_search(ask(at=early))
    answers = [find_question(search, at).answer for at in (early, cast.DURING, cast.AFTER)]
    assert answers == ["solved", "unknown", "solved"]


def test_a_future_level_withholds_no_answer(during_round):
    """Rule 7.4: a missing answer would reveal a future level."""
    during_round.levels.filter(slot=Slot.EXTRA).delete()
    coming = {"opens_at": cast.CLOSES, "closes_at": cast.CLOSES + timedelta(days=7), "commitment": "0" * 64}
    for number, announced_at in ((8, None), (9, cast.DURING)):
        cast.a_level(Round.objects.create(number=number, announced_at=announced_at, **coming), text=cast.CORNER)
    assert find_question(close_search(ask())).answer == "solved"


def test_an_old_level_gets_no_hint_while_a_near_copy_is_in_play(during_round, no_wait):
    old = cast.a_round(2, **cast.earlier(8))
    old.levels.all().delete()
    cast.a_level(old, text=DUG, solution="rDldR")
    level = Level.objects.select_related("round").get(round=old)
    asking.ask_for_hint(level, "", Asker(Viewer(), "192.0.2.1"), at=cast.DURING)
    with clock.set_to(cast.DURING):
        worker.work_until_empty(lambda: None)
    row = Search.objects.get()
    assert (row.state, row.answer, row.found) == (SearchState.DONE, "unknown", {})
