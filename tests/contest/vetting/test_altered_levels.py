"""No altered copy of a level in play gets a useful answer (rules 4.9, 20.4)."""

from collections import Counter
from random import Random

import pytest

from contest.infra import clock
from contest.models import Search, Slot
from contest.vetting import asking, worker
from contest.vetting.asking import Asker, Question, Refused
from contest.visibility import Viewer
from solvers import sokoban
from tests import cast
from tests.contest.vetting.alterations import ALTERATIONS, is_useful, levels
from tests.sizes import cases

pytestmark = pytest.mark.django_db
QUESTIONS = [("solve", "any"), ("solve", "pushes"), ("prove", "moves")]


def ask_about(level: sokoban.Level, board: sokoban.Level, number: int) -> str:
    """Ask about *board* while *level* is in play; return "refused", the answer, or "useful"."""
    act, aim = QUESTIONS[number % len(QUESTIONS)]
    asker = Asker(Viewer(), f"10.{number % 256}.{number // 256}.1")
    try:
        search = asking.ask(Question(board.published_text, act, aim, seconds=5), asker, at=cast.DURING)
    except Refused as refused:
        return "refused" if refused.reason == "in_play" else refused.reason
    with clock.set_to(cast.DURING):
        worker.work_until_empty(lambda: None)
    row = asking.find_question(search.public_id, cast.DURING)
    Search.objects.all().delete()
    solutions = [solution["lurd"] for solution in row.found.values()]
    return "useful" if row.is_unsolvable or any(is_useful(level, lurd) for lurd in solutions) else row.answer


@pytest.mark.parametrize(
    ("kind", "copies"), cases(((kind, 1) for kind in ALTERATIONS), ((kind, 100) for kind in ALTERATIONS))
)
def test_no_altered_level_in_play_is_answered_usefully(during_round, no_wait, kind, copies):
    """Useful: moves that solve the level, also with more pushes of one box; a proof that the board has no solution."""
    chance, results, known = Random(f"{kind} {copies}"), Counter(), levels()
    for number in range(copies):
        level = chance.choice(known)
        board, symmetry = ALTERATIONS[kind](level, chance), chance.randrange(8)
        during_round.levels.filter(slot=Slot.EXTRA).delete()
        cast.a_level(during_round, Slot.EXTRA, level.transform(chance.randrange(8)).published_text)
        results[ask_about(level.transform(symmetry), board.transform(symmetry), number)] += 1
    assert results.keys() <= {"refused", "unknown"}, results
