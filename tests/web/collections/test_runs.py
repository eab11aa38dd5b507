from datetime import timedelta

import pytest
from django.test import Client

from contest.infra import clock
from contest.levels import runs as dealing
from contest.models import GRADED_SLUG, CollectedLevel, Player, Run, RunMode
from contest.rankings import runs as boards
from tests import cast

pytestmark = pytest.mark.django_db
SCRIPT = {"Accept": "application/json"}


def way(place: int) -> str:
    return "R" * place


@pytest.fixture(autouse=True)
def corridors(db):
    boards = [f"{'#' * (room + 4)}|#@${'-' * (room - 1)}.#|{'#' * (room + 4)}" for room in range(1, 61)]
    return cast.a_collection(GRADED_SLUG, boards)


def begin(mode: str = RunMode.MINUTES, at=cast.DURING) -> tuple[str, list[int]]:
    with clock.set_to(at):
        begun = Client().post(f"/en/run/{mode}/start/", headers=SCRIPT).json()
    return begun["token"], [level["place"] for level in begun["levels"]]


def send(token: str, moves: str, mode: str = RunMode.MINUTES, after: float = 180, client=None, **more):
    with clock.set_to(cast.DURING + timedelta(seconds=after)):
        fields = {"run_token": token, "moves": moves, "nickname": "Ann", **more}
        return (client or Client()).post(f"/en/run/{mode}/", fields, headers=SCRIPT)


def run_of(nickname: str, mode: str, count: int, after: float) -> Run:
    token, places = begin(mode)
    answer = send(token, text_of(places[:count]), mode, after, nickname=nickname)
    assert answer.status_code == 201, answer.content
    return Run.objects.get(receipt_id=answer.json()["receipt"].rstrip("/").rpartition("/")[2])


def text_of(places: list[int]) -> str:
    return " ".join(f"{place}:{way(place)}" for place in places)


def errors(answer) -> str:
    assert answer.status_code >= 400, answer.content
    return " ".join(reason for reasons in answer.json()["errors"].values() for reason in reasons)


@pytest.mark.parametrize(("mode", "count"), [(RunMode.MINUTES, 40), (RunMode.CLEAN, 40), (RunMode.TWENTY, 20)])
def test_a_run_has_other_levels_each_time_and_they_rise(mode, count):
    (_token, places), (_other, others) = begin(mode), begin(mode)
    assert len(places) == count
    assert places == sorted(set(places))
    assert places != others


def test_boards_rank_by_levels_then_time_then_moves(db):
    """Rule 26.4."""
    for nickname, count, after in (("Slow", 2, 90), ("Far", 3, 99), ("Quick", 2, 80)):
        run_of(nickname, RunMode.TWENTY, count, after)
    rows = boards.board(RunMode.TWENTY)
    assert [(row.player.nickname, row.solved, row.milliseconds) for row in rows] == [
        ("Far", 3, 99_000), ("Quick", 2, 80_000), ("Slow", 2, 90_000)
    ]  # fmt: skip
    assert [boards.rank(row) for row in rows] == [1, 2, 3]


def test_three_minutes_are_three_minutes_unless_all_levels_are_solved():
    assert run_of("Ann", RunMode.MINUTES, 2, 100).milliseconds == 180_000
    assert run_of("Bo", RunMode.MINUTES, 40, 100).milliseconds == 100_000


@pytest.mark.parametrize(("after", "is_ranked"), [(195, True), (196, False)])
def test_the_sites_clock_allows_for_sending_and_no_more(after, is_ranked):
    run = run_of("Ann", RunMode.MINUTES, 2, after)
    assert (run.is_ranked, bool(boards.board(RunMode.MINUTES))) == (is_ranked, is_ranked)
    page = Client().get(run.get_absolute_url()).content.decode()
    assert ("too late" in page) is not is_ranked


def test_a_day_has_its_own_board_and_the_better_run_stays():
    client = Client()
    for later, count in ((0, 3), (86_400, 1)):
        token, places = begin(RunMode.TWENTY, cast.DURING + timedelta(seconds=later))
        assert send(token, text_of(places[:count]), RunMode.TWENTY, later + 60, client).status_code == 201
    today, tomorrow = Run.objects.order_by("pk").values_list("day", flat=True)
    assert [row.solved for row in boards.board(RunMode.TWENTY)] == [3]
    assert [[row.solved for row in boards.board(RunMode.TWENTY, day)] for day in (today, tomorrow)] == [[3], [1]]


def test_the_name_may_come_later_without_the_time_going_on():
    token, places = begin()
    first = send(token, text_of(places[:2]), after=181, nickname="")
    assert first.status_code == 422
    later = send(token, text_of(places[:2]), after=3_600, seal=first.json()["seal"])
    assert later.status_code == 201
    assert Run.objects.get().is_ranked
    other, places = begin()
    stolen = send(other, text_of(places[:2]), after=3_600, seal=first.json()["seal"], nickname="Bo")
    assert stolen.status_code == 201
    assert not Run.objects.get(player__nickname="Bo").is_ranked


def test_a_lost_answer_is_given_again_and_another_run_on_the_token_is_refused():
    token, places = begin()
    key = {"idempotency_key": "0b5ab7ff8a5d4c5e9f0e7d1c3a1f8f64"}
    receipts = [send(token, text_of(places[:2]), **key).json()["receipt"] for _ in range(2)]
    assert receipts[0] == receipts[1]
    assert "sent already" in errors(send(token, text_of(places[:3]), nickname="Bo"))
    assert "sent already" in errors(send(token, text_of(places[:2]), nickname="Cy"))
    assert Run.objects.count() == 1


def test_hostile_runs_are_refused_with_the_reason():
    token, places = begin()
    first, second = places[:2]
    wrong = {
        f"{first}:{way(first)} {first}:{way(first)}": "a level that the run has solved already",
        f"{second}:{way(second)}": "not for the next level",
        f"{first}:{way(first)[:-1]}l": "does not solve its level",
        f"{first}:{way(first)}l": "does not solve its level",
        f"{first}:{way(first)} nonsense": "Solution 2 of the run cannot be read",
        f"{first}:{'r' * 5_001}": "cannot be read",
    }
    for moves, reason in wrong.items():
        assert reason in errors(send(token, moves)), moves
    assert "not started here" in errors(send(token[:-1] + "x", text_of(places[:1])))
    assert "not started here" in errors(send(token, text_of(places[:1]), RunMode.TWENTY))
    assert "too old" in errors(send(token, text_of(places[:1]), after=dealing.TOKEN_VALID.total_seconds() + 1))
    assert not Run.objects.exists()
    assert Client().get("/en/run/four-minutes/").status_code == 404
    CollectedLevel.objects.update(is_public=False)
    assert Client().post("/en/run/three-minutes/start/").status_code == 404


def test_runs_follow_a_merged_name_and_come_back():
    one, other = run_of("Ann", RunMode.TWENTY, 3, 60), run_of("Bo", RunMode.TWENTY, 2, 60)
    cast.merge(one.player, other.player, None, reason="same person")
    assert [(row.player.nickname, row.solved) for row in boards.board(RunMode.TWENTY)] == [("Bo", 3)]
    cast.unmerge(Player.objects.get(nickname="Ann"), None, reason="they are two")
    assert [row.player.nickname for row in boards.board(RunMode.TWENTY)] == ["Ann", "Bo"]
