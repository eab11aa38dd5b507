from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import League, Level, Player, Round, Search, SearchKind, SearchState, Slot
from contest.outreach import events
from contest.rankings import personal_bests
from contest.vetting import asking, machine, shown, worker
from contest.vetting.asking import Asker
from contest.visibility import Viewer
from solvers.sokoban import Moves, replay
from tests import cast
from tests.cast import attempt

pytestmark = pytest.mark.django_db

ASKER = Asker(Viewer(), "192.0.2.1")
UNDECIDED = {
    "answer": "unknown", "limit": "cpu_seconds", "proof": "", "found": {}, "nodes": 9, "cpu_seconds": 1.5,
    "least_pushes": 2, "least_moves": 5,
}  # fmt: skip


@pytest.fixture
def round_(db) -> Round:
    return cast.with_settings(cast.a_round(), machine_levels=["main", "extra"], machine_seconds=20)


def work(at=cast.AFTER) -> None:
    with clock.set_to(at):
        while worker.work_until_empty(lambda: None):
            pass  # on a busy machine it leaves the rest to its next call


def outcome_of(level: Level, at=cast.AFTER) -> machine.Outcome | None:
    return next(iter(machine.find_outcomes([level], at)), None)


def refusal(level: Level, asker: Asker = ASKER, at=cast.AFTER) -> str:
    return cast.refused(machine.ask_again, level, asker, at=at).reason


def test_the_levels_of_the_setting_are_tried_once_after_the_reveal(round_):
    """Rule 20.5: and each solution replays."""
    assert machine.queue_due(cast.DURING) == 0
    assert machine.queue_due(cast.CLOSES) == 2
    assert machine.queue_due(cast.AFTER) == 0
    assert {(row.kind, row.seconds, row.given) for row in Search.objects.all()} == {("machine", 20, "")}
    work()
    for level in round_.levels.all():
        outcome = outcome_of(level)
        played = replay(level.board, Moves.parse(outcome.decided.best_by("moves")["lurd"]))
        assert (played.is_solved, played.moves) == (True, outcome.fewest["moves"])
        assert machine.find_solution(level, cast.AFTER)["lurd"] == played.lurd


@pytest.mark.parametrize(
    "changes",
    [
        {"reveal_waits_until": cast.CLOSES + timedelta(days=1)},
        {"cancelled_at": cast.DURING},
        {"is_imported": True},
        {"settings": {"machine_levels": []}},
    ],
    ids=["the reveal waits", "cancelled", "imported", "not set"],
)
def test_no_attempt_is_made_without_a_reveal_or_the_setting(round_, changes):
    """Rule 20.5."""
    if "settings" in changes:
        changes = {"settings": round_.settings | changes["settings"]}
    Round.objects.update(**changes)
    assert machine.queue_due(cast.AFTER) == 0


def test_an_attempt_uses_neither_submitted_solutions_nor_vetting(round_, search_process):
    with clock.set_to(cast.DURING):
        cast.submit("Ann", "rR")
    asked = []
    search_process.answer = lambda question, _report: asked.append(question) or UNDECIDED
    machine.queue_due(cast.AFTER)
    work()
    questions = [(question["kind"], question["given"], question["seconds"]) for question in asked]
    assert questions == [("machine", {}, 20)] * 2


def test_a_level_voided_while_its_attempt_waits_is_not_tried(round_):
    machine.queue_due(cast.AFTER)
    Level.objects.filter(slot=Slot.EXTRA).update(voided_at=cast.AFTER)
    work()
    assert [row.level.slot for row in Search.objects.all()] == ["main"]


@pytest.mark.parametrize("symmetry", [0, 3])
def test_nothing_is_shown_while_the_board_is_in_play_elsewhere(round_, symmetry):
    level = round_.levels.get(slot=Slot.EXTRA)
    attempt(level)
    events.record_events(cast.AFTER)
    other = cast.a_round(2, opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=7))
    other.levels.all().delete()
    cast.a_level(other, text=level.board.transform(symmetry).published_text)
    during = cast.AFTER + timedelta(days=1)
    assert outcome_of(level, during) is None
    assert not machine.open_levels(during)
    assert refusal(level, at=during) == "not_open"
    assert "machine" not in [event.kind for event in events.read_events(0, during)]
    assert "machine" in [event.kind for event in events.read_events(0, cast.AFTER + timedelta(days=8))]
    assert list(machine.open_levels(cast.AFTER - timedelta(minutes=1))) == [level]


def test_moves_are_hidden_where_the_round_hides_solutions_and_counts_are_not(round_):
    level = round_.levels.get(slot=Slot.MAIN)
    best = {"lurd": "rR", "moves": 2, "pushes": 1}
    attempt(level, answer="solved", found={"moves": best, "pushes": best})
    cast.with_settings(round_, solutions_public="never")
    level.round.refresh_from_db()
    assert machine.find_solution(level, cast.AFTER) is None
    assert outcome_of(level).fewest == {"moves": 2, "pushes": 1}


def test_open_challenges_are_levels_that_were_tried_and_no_program_has_solved(round_):
    main, extra = round_.levels.order_by("-slot")
    assert not machine.open_levels(cast.AFTER)
    attempt(main)
    attempt(extra)
    cast.enter(round_, "Ann", 9, 3, at=cast.DURING)
    assert list(machine.open_levels(cast.AFTER)) == [main, extra]
    assert outcome_of(main).humans == {"moves": 9, "pushes": 3}
    cast.enter(round_, "Robot", 12, 5, at=cast.DURING)
    Player.objects.filter(nickname="Robot").update(league=League.BOT)
    personal_bests.recount([main], list(Player.objects.filter(nickname="Robot")))
    attempt(extra, at=cast.AFTER + timedelta(minutes=1), answer="unsolvable")
    assert not machine.open_levels(cast.AFTER + timedelta(hours=1))
    assert list(machine.decided_levels(cast.AFTER + timedelta(hours=1))) == [extra]


def test_a_study_that_found_nothing_makes_an_open_challenge(round_):
    level = round_.levels.get(slot=Slot.MAIN)
    study = shown._new_study(level, cast.AFTER)
    study.state, study.answer, study.cpu_seconds = SearchState.DONE, "unknown", 60.0
    study.save()
    assert list(machine.open_levels(cast.AFTER)) == [level]
    assert (outcome_of(level).seconds, outcome_of(level).decided) == (60, None)


def test_anyone_may_ask_for_another_attempt_within_the_limits_of_questions(round_, settings, search_process):
    settings.ASKED_SECONDS, settings.ASKED_SECONDS_PER_DAY, settings.NETWORK_SECONDS_PER_DAY = 30, 60, 60
    main, extra = round_.levels.order_by("-slot")
    assert refusal(main) == "not_open"
    attempt(main)
    attempt(extra)
    search_process.answer = lambda *_asked: UNDECIDED
    assert machine.ask_again(main, ASKER, at=cast.AFTER).seconds == 30
    assert refusal(main) == "waiting"
    work()
    assert refusal(main) == "quota", "a level takes one a day"
    asking.ask(asking.Question("#######|#@--$.#|#-----#|#######", seconds=20), ASKER, at=cast.AFTER)
    assert refusal(extra) == "quota", "questions and attempts share their seconds"
    assert machine.ask_again(extra, Asker(Viewer(), "198.51.100.1"), at=cast.AFTER)
    assert machine.ask_again(main, ASKER, at=cast.AFTER + timedelta(days=2))
    settings.ASKED_SECONDS = 0
    assert refusal(extra) == "closed"


def test_the_visitor_of_an_attempt_is_forgotten_after_a_day_and_the_attempt_stays(round_):
    level = round_.levels.get(slot=Slot.MAIN)
    for state, task in (("done", machine.AGAIN), ("failed", machine.AGAIN), ("cancelled", machine.EVENT)):
        attempt(level, state=state, task=task, network="192.0.2.0/24", owner="player:1")
    with clock.set_to(cast.AFTER + timedelta(days=1, seconds=1)):
        worker.tidy()
    rows = Search.objects.filter(kind=SearchKind.MACHINE, level=level, ended_at=cast.AFTER)
    assert {(row.state, row.owner, row.network) for row in rows} == {("done", "", ""), ("cancelled", "", "")}


def test_an_organiser_starts_another_attempt_with_another_budget_and_stops_it(round_):
    level = round_.levels.get(slot=Slot.MAIN)
    assert "after the reveal" in cast.refusal_of(machine.start, level, 50, at=cast.DURING, by=None)
    machine.start(level, 50, at=cast.AFTER, by=None)
    assert "already waits" in cast.refusal_of(machine.start, level, 60, at=cast.AFTER, by=None)
    machine.stop(round_, by=None)
    machine.start(level, 60, at=cast.AFTER, by=None)
    assert outcome_of(level).waiting.seconds == 60
    assert outcome_of(level).done == []
