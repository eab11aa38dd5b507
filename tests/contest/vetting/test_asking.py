import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from contest.infra import clock
from contest.models import Level, Round, Search, SearchKind, SearchState, Slot
from contest.rules.ground import ground_of
from contest.vetting import asking, orders, withholding, worker
from contest.vetting.asking import Asker, Question, Refused
from contest.visibility import Viewer, of_rounds
from solvers import sokoban
from tests import cast
from tests.sizes import cases

pytestmark = pytest.mark.django_db

CORNER = sokoban.Level.parse(cast.CORNER)
ASKER = Asker(Viewer(), "192.0.2.1")
OTHER = "#######|#@--$.#|#-----#|#######"


def ask(text: str = OTHER, asker: Asker = ASKER, at=cast.DURING, **fields) -> Search:
    return asking.ask(Question(text, **fields), asker, at=at)


def refusal_reason(**fields) -> str:
    return cast.refused(ask, **fields).reason


def test_a_question_gets_its_own_search_and_is_deleted_after_a_day(during_round):
    search = ask(act="prove", aim="pushes")
    worker.work_until_empty(lambda: None)
    search = asking.find_question(search.public_id, cast.DURING)
    assert (search.state, search.answer, search.best_by("pushes")["pushes"]) == (SearchState.DONE, "solved", 1)
    assert search.is_optimal("pushes")
    better = ask(act="optimize", aim="moves", lurd="rlrrR")
    assert better.public_id != search.public_id
    worker.work_until_empty(lambda: None)
    assert asking.find_question(better.public_id, cast.DURING).best_by("moves")["lurd"] == "rrR"
    with clock.set_to(cast.DURING + timedelta(days=1, seconds=1)):
        worker.tidy()
    assert not Search.objects.filter(kind=SearchKind.ASKED).exists()


@pytest.mark.parametrize("symmetry", cases([0, 3], range(8)))
def test_a_level_of_an_open_round_is_refused_however_it_is_turned(during_round, symmetry):
    """Rules 4.9, 20.4: one push made by hand changes nothing."""
    after, _ = asking._play(CORNER, "rD")
    assert after.key != CORNER.key
    for board in (CORNER, after):
        assert refusal_reason(text=board.transform(symmetry).published_text) == "in_play"


def ask_and_answer(text, network):
    """Return the result of a question about *text*, and its SQL statements without their values."""
    with CaptureQueriesContext(connection) as sent:
        search = ask(text, Asker(Viewer(), network), act="prove", aim="pushes")
    worker.work_until_empty(lambda: None)
    with CaptureQueriesContext(connection) as read:
        found = asking.find_question(search.public_id, cast.DURING)
    statements = [
        re.sub(r"'[^']*'|\d+(\.\d+)?", "?", query["sql"]) for query in (*sent.captured_queries, *read.captured_queries)
    ]
    return (found.state, found.answer, found.found, found.least_moves, found.least_pushes), statements


@pytest.mark.parametrize(
    ("announced", "symmetry"),
    [({}, 0), ({"announced_at": cast.DURING, "commitment": "0" * 64}, 3)],
    ids=["draft", "scheduled"],
)
def test_a_future_level_takes_the_same_queries_as_any_other(during_round, announced, symmetry):
    """Rule 7.4: neither the queries nor the search reveal that a round or vetting has the level."""
    board = sokoban.Level.parse(OTHER)
    text = board.transform(symmetry).published_text
    before = ask_and_answer(text, "198.51.100.1")
    times = {"opens_at": cast.CLOSES, "closes_at": cast.CLOSES + timedelta(days=7)}
    coming = cast.a_level(Round.objects.create(number=9, **times, **announced), text=OTHER, solution="rrR")
    orders.queue_vetting(coming.board)
    known = {"lurd": "rrlrrR", "moves": 6, "pushes": 1}
    Search.objects.filter(kind=SearchKind.VETTING).update(
        state=SearchState.DONE, answer="solved", found={"pushes": known}, least_moves=6, least_pushes=1
    )
    assert ask_and_answer(text, "198.51.100.2") == before


def test_a_question_from_before_the_opening_is_hidden_while_the_level_is_in_play(db):
    round_ = cast.a_round()
    with clock.set_to(cast.OPENS - timedelta(hours=1)):
        search = ask(cast.CORNER, at=clock.now())
        assert asking.find_question(search.public_id, clock.now())
    assert asking.find_question(search.public_id, cast.DURING) is None
    assert asking.find_question(search.public_id, cast.AFTER)
    Round.objects.filter(pk=round_.pk).update(reveal_waits_until=cast.CLOSES + timedelta(days=1))
    assert asking.find_question(search.public_id, cast.AFTER) is None, "a round that waits may open again"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"text": "#" * 60_000}, "too_large"),
        ({"act": "optimize", "lurd": "r"}, "not_solved"),
        ({"act": "optimize", "lurd": "r)"}, None),
    ],
)
def test_an_invalid_question_is_refused_with_a_reason(during_round, fields, reason):
    assert refusal_reason(**fields) == reason or reason is None
    assert not Search.objects.exists()


def test_reading_an_answer_computes_no_ground_again(during_round, monkeypatch):
    """That of a board of 190 x 190 cells takes half a second, and reading passes no gate."""
    search = ask()
    computed = []
    monkeypatch.setattr(of_rounds, "ground_of", lambda board: computed.append(board.published_text) or ground_of(board))
    assert asking.find_question(search.public_id, cast.DURING)
    assert search.text not in computed


def test_players_and_networks_have_quotas_at_once_and_per_day(during_round, settings):
    """The limit per network applies to all names together, and the address is not stored."""
    player = cast.judged(cast.send("Ann", "rR", email="a@example.org")).player
    ann = Asker(Viewer(proved=frozenset({player.pk})), ASKER.address)
    first = ask(asker=ann)
    assert "192.0.2" not in first.network
    assert len(first.network) == 32
    ask(asker=ann)
    assert refusal_reason(asker=ann) == "quota"
    Search.objects.update(state=SearchState.DONE, answer="unknown")
    settings.ASKED_SECONDS_PER_DAY, settings.NETWORK_SECONDS_PER_DAY = 30, 45
    assert refusal_reason(asker=ann, seconds=11) == "quota"
    ask(asker=ann, seconds=10)
    assert refusal_reason(seconds=16) == "quota"
    ask(seconds=15)
    ask(asker=Asker(Viewer(), "198.51.100.7"), seconds=20)
    ask(asker=ann, seconds=20, at=cast.DURING + timedelta(days=1, seconds=1))


def test_a_network_that_asked_for_less_time_goes_first(during_round):
    """One network with ten questions of a minute each holds back no other; its neighbours share its places."""
    for number in range(asking.MOST_PER_NETWORK):
        ask(asker=Asker(Viewer(), f"192.0.2.{number}"), seconds=60)
    assert refusal_reason(asker=Asker(Viewer(), "192.0.2.77")) == "quota"
    worker.QUEUE.close(worker._claim(), state=SearchState.DONE, answer="unknown")
    other = ask(asker=Asker(Viewer(), "198.51.100.7"), at=cast.DURING + timedelta(seconds=1))
    assert worker._claim() == other


def test_the_comparison_of_a_large_board_counts_against_the_quotas(during_round, settings, monkeypatch):
    """200 × 200 cells were compared for nine seconds, and one counted."""
    large = "\n".join(["#" * 200, "#@$." + " " * 195 + "#", *["#" + " " * 198 + "#"] * 197, "#" * 200])
    settings.NETWORK_SECONDS_PER_DAY = 4
    monkeypatch.setattr(withholding, "_COMPARED_CELLS", 40_000)
    assert (ask(seconds=1).compare_seconds, ask(large, seconds=1).compare_seconds) == (0, 2)
    assert refusal_reason(seconds=1) == "quota"


def test_a_full_queue_is_closed_only_for_networks_that_wait_in_it(during_round, monkeypatch):
    monkeypatch.setattr(asking, "MOST_WAITING", 1)
    Search.objects.filter(pk=ask().pk).update(kind=SearchKind.COACH, network="", answer="unknown")
    assert [ask().network, refusal_reason()] == [ASKER.network, "quota"]
    assert ask(asker=Asker(Viewer(), "198.51.100.7"))


def test_stored_answers_that_are_compared_again_hold_back_no_question(during_round):
    Search.objects.filter(pk=ask().pk).update(kind=SearchKind.COACH, network="", asked_at=cast.OPENS)
    question = ask(asker=Asker(Viewer(), "198.51.100.7"))
    assert [worker._claim().pk, worker._claim().network] == [question.pk, ""]


def test_a_question_takes_at_most_the_sites_limit_and_questions_can_be_switched_off(during_round, settings):
    settings.ASKED_SECONDS = 30
    assert ask(seconds=4_000).seconds == 30
    settings.ASKED_SECONDS = 0
    assert refusal_reason() == "closed"


@pytest.fixture
def practised(db):
    cast.a_round()
    with clock.set_to(cast.AFTER):
        yield Level.objects.select_related("round").get(slot=Slot.EXTRA)


def hint(level: Level, moves: str = "", at=cast.AFTER) -> Search:
    return asking.ask_for_hint(level, moves, ASKER, at=at)


def test_a_hint_is_only_the_next_push(practised):
    """Rule 20.4: or that no solution remains, if the box is in a corner without a goal, and which push put it there."""
    search, never = hint(practised), hint(practised, "rrdL")
    worker.work_until_empty(lambda: None)
    never.refresh_from_db()
    assert (never.answer, never.found) == ("unsolvable", {})
    assert (never.loss["push"], never.loss["moves"], len(never.loss["boxes"])) == (1, 3, 1)
    search.refresh_from_db()
    assert search.answer == "solved"
    (lurd,) = {found["lurd"] for found in search.found.values()}
    assert [letter.isupper() for letter in lurd].count(True) == 1
    assert lurd[-1].isupper()


@pytest.mark.parametrize("at", [cast.DURING, cast.CLOSES])
def test_there_is_no_hint_before_the_reveal(during_round, at):
    """Rules 3.10, 20.4: a closed round with a waiting reveal may open again."""
    Round.objects.update(reveal_waits_until=cast.CLOSES + timedelta(days=1))
    level = Level.objects.select_related("round").get(slot=Slot.EXTRA)
    assert cast.refused(hint, level, at=at).reason == "not_practice"


def test_there_is_no_hint_for_an_old_level_that_is_in_play_again_turned(practised):
    other = cast.a_round(2, opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=7))
    other.levels.all().delete()
    cast.a_level(other, text=CORNER.transform(3).published_text)
    assert cast.refused(hint, practised, at=cast.AFTER + timedelta(hours=1)).reason == "in_play"


@pytest.mark.parametrize("moves", ["l", "rDldR", "(", "x"])
def test_moves_that_lead_nowhere_are_refused(practised, moves):
    with pytest.raises(Refused):
        hint(practised, moves)
