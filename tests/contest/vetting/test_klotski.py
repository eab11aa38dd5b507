import pytest
from django.core.cache import cache

from contest.celery import tasks
from contest.infra import rate_limits as gate
from contest.vetting import klotski
from solvers.klotski import Goal, Layout, question, replay
from solvers.klotski.errors import WithoutNames

HENG_DAO = "aCCbaCCbcddec12e3..4"
UPRIGHT = "abcdabcdeCC1eCC23..4"  # five upright generals: an odd permutation of them cannot be reached


@pytest.fixture
def asked(cache_of_its_own):
    """Return the questions that were sent to a worker."""
    cache.clear()
    return []


def ask(asked, start=HENG_DAO, target=None):
    first = klotski.read(start)
    last = klotski.read(target) if target else question(first, Goal.MIRROR, is_strict=True).target
    return klotski.moves(first, last, address="192.0.2.1", ask=lambda *both: asked.append(both))


def test_the_first_question_goes_to_a_worker_and_the_next_waits_for_it(asked):
    assert ask(asked) is None
    assert ask(asked) is None
    assert len(asked) == 1


def test_the_answer_leads_every_piece_to_its_own_place(asked):
    ask(asked)
    tasks.solve_klotski(*asked[0])
    (moves,) = ask(asked)
    start = Layout.parse(HENG_DAO)
    assert replay(question(start, Goal.MIRROR, is_strict=True), moves).is_solved
    assert len(asked) == 1
    swapped = UPRIGHT.translate(str.maketrans("ab", "ba"))
    ask(asked, UPRIGHT, swapped)
    tasks.solve_klotski(*asked[1])
    assert ask(asked, UPRIGHT, swapped) == (None,), "that there is no way is an answer too"


def test_boards_without_names_or_that_name_other_pieces_are_refused(asked):
    with pytest.raises(WithoutNames):
        klotski.read("VCCVVCCVVHHVVooVo..o")
    with pytest.raises(WithoutNames):
        ask(asked, HENG_DAO, HENG_DAO.replace("1", "9"))


def test_an_address_asks_only_so_often(asked, monkeypatch):
    def busy(address):
        raise gate.Busy(1, 7)

    monkeypatch.setattr(gate, "pass_klotski", busy)
    with pytest.raises(gate.Busy):
        ask(asked)
    assert asked == []
