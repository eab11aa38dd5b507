import pytest
from django.core.cache import cache

from contest.celery import tasks
from contest.vetting import klotski
from solvers.klotski import Goal, Layout, question, replay

HENG_DAO = "aCCbaCCbcddec12e3..4"
UPRIGHT = "abcdabcdeCC1eCC23..4"  # five upright generals: an odd permutation of them cannot be reached


@pytest.fixture
def sent(cache_of_its_own):
    cache.clear()
    return []


def request_moves(sent, start=HENG_DAO, target=None):
    first = klotski.parse_layout(start)
    last = klotski.parse_layout(target) if target else question(first, Goal.MIRROR, is_strict=True).target
    return klotski.find_moves(first, last, address="192.0.2.1", ask=lambda *both: sent.append(both))


def test_the_answer_leads_every_piece_to_its_own_place(sent):
    assert [request_moves(sent) for _time in range(2)] == [None, None]
    tasks.solve_klotski(*sent[0])
    (moves,) = request_moves(sent)
    start = Layout.parse(HENG_DAO)
    assert replay(question(start, Goal.MIRROR, is_strict=True), moves).is_solved
    assert len(sent) == 1
    swapped = UPRIGHT.translate(str.maketrans("ab", "ba"))
    request_moves(sent, UPRIGHT, swapped)
    tasks.solve_klotski(*sent[1])
    assert request_moves(sent, UPRIGHT, swapped) == (None,), "that there is no way is an answer too"
