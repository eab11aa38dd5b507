"""No answer of the solver solves a level in play, or reveals that a solution was found (rules 4.9, 7.4, 20.4)."""

from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Level, Round, Search, SearchState, Slot
from contest.vetting import asking, worker
from contest.vetting.asking import Asker, Question
from contest.visibility import Viewer
from tests import cast

pytestmark = pytest.mark.django_db

# The level in the slot "extra" of the usual round with another column: it no longer resembles the level but has its
# solution. And with a moved goal, where the box may also start in a corner without one.
ROOMY = "#######|#@----#|#-$---#|#--.--#|#######"
MOVED, STUCK = "######|#@---#|#-$--#|#.---#|######", "######|#$@--#|#----#|#.---#|######"
SOLUTION = {"lurd": "rDldR", "moves": 5, "pushes": 2}


def ask(text=ROOMY, at=cast.DURING, **fields):
    return asking.ask(Question(text, **fields), Asker(Viewer(), "192.0.2.1"), at=at)


def find_question(search, at=cast.DURING):
    return asking.find_question(search.public_id, at)


def close_search(search, lurd=SOLUTION["lurd"]):
    found = {"lurd": lurd, "moves": len(lurd), "pushes": sum(map(str.isupper, lurd))}
    facts = {"answer": "solved", "found": {"pushes": found, "moves": found}, "nodes": 9, "cpu_seconds": 0.1}
    Search.objects.filter(pk=search.pk).update(state=SearchState.DONE, best=2, **facts)
    return search


def answer_all(at=cast.DURING):
    with clock.set_to(at):
        worker.work_until_empty(lambda: None)


@pytest.mark.parametrize("text", [ROOMY, MOVED, STUCK], ids=["solves the level, too", "goal moved", "unsolvable"])
def test_what_helps_with_a_level_in_play_is_unknown_after_the_whole_budget(during_round, no_wait, text):
    searches = [ask(text, act=act, aim="pushes", seconds=7) for act in ("solve", "prove")]
    answer_all()
    for row in (*map(find_question, searches), *Search.objects.all()):
        assert (row.state, row.answer, row.limit, row.found) == (SearchState.DONE, "unknown", "cpu_seconds", {})
        assert (row.cpu_seconds, row.best, row.proof) == (7.0, None, "")


def test_a_board_that_resembles_a_level_in_play_is_not_searched(during_round, no_wait, search_process, monkeypatch):
    """Neither positions nor parts of a search reveal anything about it."""
    monkeypatch.setattr(search_process, "answer", None)
    seen = []
    search = ask(MOVED, seconds=7)
    with clock.set_to(cast.DURING):
        worker.work_until_empty(lambda: seen.append(find_question(search)))
    assert find_question(search).answer == "unknown"
    assert {(row.part, row.depth, row.bound, row.best) for row in seen} == {("", 0, 0, None)}


def test_a_search_with_a_withheld_answer_can_be_cancelled(during_round, no_wait):
    """Until a search is done it shows no count; a solution to be improved is returned unchanged."""
    search = ask(seconds=7)
    worker.work_until_empty(lambda: no_wait[0] > 2 and asking.cancel(search))
    Search.objects.update(best=2)
    assert (find_question(search).state, find_question(search).best) == (SearchState.CANCELLED, None)
    own = "rrllrDldR"
    search = ask(act="optimize", lurd=own)
    answer_all()
    row = find_question(search)
    assert (row.answer, row.best_by("moves")["lurd"], row.is_optimal("pushes")) == ("solved", own, False)


def test_an_answer_from_before_the_opening_is_withheld_while_the_level_is_in_play(db):
    """A worker compares it with the new level at the first request, which shows a waiting search."""
    cast.a_round()
    early = cast.OPENS - timedelta(hours=1)
    with clock.set_to(early):
        search = close_search(ask(at=early))
    assert find_question(search, early).answer == "solved"
    for _ in range(2):
        waiting = find_question(search)
        assert (waiting.state, waiting.answer, waiting.found) == (SearchState.QUEUED, "", {})
    answer_all()
    assert [find_question(search, at).answer for at in (early, cast.DURING, cast.AFTER)] == [
        "solved",
        "unknown",
        "solved",
    ]


def test_an_answer_about_another_board_returns_after_the_comparison(during_round):
    search = close_search(ask("#######|#@--$.#|#-----#|#######"), "rrR")
    assert find_question(search).state == SearchState.QUEUED
    answer_all()
    assert (find_question(search).answer, find_question(search).found["moves"]["lurd"]) == ("solved", "rrR")


def test_a_future_level_withholds_no_answer(during_round):
    """Rule 7.4: a missing answer would reveal a future level."""
    during_round.levels.filter(slot=Slot.EXTRA).delete()
    coming = {"opens_at": cast.CLOSES, "closes_at": cast.CLOSES + timedelta(days=7), "commitment": "0" * 64}
    for number, announced_at in ((8, None), (9, cast.DURING)):
        cast.a_level(Round.objects.create(number=number, announced_at=announced_at, **coming), text=cast.CORNER)
    searches = [ask(), ask(MOVED)]
    answer_all()
    assert [find_question(search).answer for search in searches] == ["solved", "solved"]


def test_an_old_level_gets_no_hint_while_one_that_resembles_it_is_in_play(during_round, no_wait):
    old = cast.a_round(2, **cast.earlier(8))
    old.levels.all().delete()
    cast.a_level(old, text=ROOMY, solution="rDldR")
    level = Level.objects.select_related("round").get(round=old)
    for moves in ("", "r", "ddrU"):
        asking.ask_for_hint(level, moves, Asker(Viewer(), "192.0.2.1"), at=cast.DURING)
    answer_all()
    for row in Search.objects.all():
        assert (row.state, row.answer, row.found, row.loss) == (SearchState.DONE, "unknown", {}, {})


def test_why_a_position_was_lost_is_hidden_while_the_level_is_in_play_again(db):
    level = cast.a_round().levels.select_related("round").get(slot=Slot.EXTRA)
    with clock.set_to(cast.AFTER):
        search = asking.ask_for_hint(level, "rrdL", Asker(Viewer(), "192.0.2.1"), at=cast.AFTER)
        worker.work_until_empty(lambda: None)
    assert find_question(search, cast.AFTER).loss
    again = cast.a_round(2, opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=7))
    again.levels.all().delete()
    cast.a_level(again, text=ROOMY, solution="rDldR")
    assert find_question(search, cast.AFTER + timedelta(hours=1)).loss == {}
