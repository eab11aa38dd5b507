"""Boards by their index and from their cache, beside a slow oracle that sorts everything."""

import itertools
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contest import judging
from contest.infra import cache
from contest.models import Best, Level, Metric, Player, Reader, State, Submission, Verdict
from contest.players import acts as players_acts
from contest.rankings import personal_bests, standings
from tests import cast

pytestmark = pytest.mark.django_db

# player, moves, pushes, minute of receipt
RESULTS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(1, 4), st.integers(1, 4), st.integers(0, 3)), min_size=1, max_size=12
)
_numbers = itertools.count()


def _entered(level: Level, results) -> list[Submission]:
    """Accepted submissions with these results, on the boards in one go."""
    players = {
        place: Player.objects.create(
            nickname=f"P{next(_numbers)}", name_key=f"p{next(_numbers)}", claim_sha256="", created_at=cast.DURING
        )
        for place, *_counts in results
    }
    entered = [
        Submission.objects.create(
            receipt_id=f"r{next(_numbers)}", round=level.round, player=players[place], sent_as=players[place],
            text=b"", sha256=f"{next(_numbers)}", door="api", reader=Reader.RUN_LENGTH, state=State.JUDGED,
            verdict=Verdict.ACCEPTED, judged_at=cast.DURING, level=level, moves=moves, pushes=pushes,
            received_at=cast.DURING + timedelta(minutes=minute),
        )
        for place, moves, pushes, minute in results
    ]  # fmt: skip
    personal_bests.enter([submission.pk for submission in entered])
    Level.objects.filter(pk=level.pk).update(board_version=level.board_version + 1)
    level.refresh_from_db()
    return entered


def _oracle(entered: list[Submission], metric: str) -> list[int]:
    """Rule 8.4, by sorting everything."""

    def key(one: Submission):
        counts = (one.moves, one.pushes) if metric == Metric.MOVES else (one.pushes, one.moves)
        return *counts, one.received_at, one.pk

    first: dict[int, Submission] = {}
    for one in sorted(entered, key=key):
        first.setdefault(one.player_id, one)
    return [one.pk for one in first.values()]


def _front(entered: list[Submission]) -> set[int]:
    """Rule 12.1, by comparing each with each; of equal ones the earliest."""

    def beats(one: Submission, other: Submission) -> bool:
        counts = (one.moves or 0, one.pushes or 0), (other.moves or 0, other.pushes or 0)
        no_worse = all(mine <= theirs for mine, theirs in zip(*counts, strict=True))
        is_equal = counts[0] == counts[1]
        return no_worse and (not is_equal or (one.received_at, one.pk) < (other.received_at, other.pk))

    return {one.pk for one in entered if not any(beats(other, one) for other in entered)}


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(results=RESULTS, start=st.integers(0, 6), limit=st.integers(1, 4))
def test_every_page_and_rank_is_what_sorting_everything_gives(
    during_round, cache_of_its_own, monkeypatch, results, start, limit
):
    """Rules 8.1, 8.2, 8.4, 12.1, 12.2."""
    monkeypatch.setattr(standings, "_FAR", 1)  # every page but the first is found by the ladder
    Best.objects.all().delete()
    Submission.objects.all().delete()
    level = during_round.levels.get(slot="main")
    entered = _entered(level, results)
    front = _front(entered)
    for metric in Metric:
        order = _oracle(entered, metric)
        page = standings.standings(level, metric, start=start, limit=limit)
        assert [(row.rank, row.number) for row in page] == list(enumerate(order, 1))[start : start + limit]
        assert {row.number for row in standings.standings(level, metric) if row.pareto} == front & set(order)
        assert standings.count(level, metric) == len(order)
        for rank, number in enumerate(order, 1):
            holder = next(one for one in entered if one.pk == number)
            assert standings.ranks(holder)[metric] == rank
            assert standings.rank_of(level, metric, holder.player) == rank


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(results=RESULTS, cut=st.integers(0, 12))
def test_best_rows_kept_in_any_batches_are_those_counted_anew(during_round, results, cut):
    """Rules 5.7, 8.4."""
    Best.objects.all().delete()
    Submission.objects.all().delete()
    level = during_round.levels.get(slot="main")
    entered = _entered(level, results)
    Best.objects.all().delete()
    for batch in (entered[cut:], entered[:cut]):  # the later ones first
        personal_bests.enter([submission.pk for submission in batch])
    columns = ("player", "metric", "submission", "first", "second", "received_at")
    kept = set(Best.objects.values_list(*columns))
    personal_bests.recount(level, {one.player for one in entered})
    assert set(Best.objects.values_list(*columns)) == kept


def test_a_board_that_nothing_changed_is_not_counted_again(
    during_round, cache_of_its_own, django_assert_max_num_queries
):
    level = during_round.levels.get(slot="main")
    _entered(level, [(0, 2, 1, 0), (1, 3, 1, 0)])
    before = standings.count(level, "moves"), standings.standings(level, "moves")
    with django_assert_max_num_queries(2):  # the page itself: which rows, and the rows
        assert (standings.count(level, "moves"), standings.standings(level, "moves")) == before


@pytest.mark.parametrize("moves", ["r", "rR"])
def test_only_an_accepted_submission_makes_a_known_board_out_of_date(client, during_round, cache_of_its_own, moves):
    url = "/api/v1/rounds/1/main/standings/"
    level = during_round.levels.get(slot="main")
    _entered(level, [(0, 2, 1, 0)])
    etag = client.get(url)["ETag"]
    cast.send("Ada", moves)
    judging.judge_until_empty()
    assert client.get(url, headers={"If-None-Match": etag}).status_code == (200 if moves == "rR" else 304)


def test_a_poll_of_an_unchanged_board_ranks_nobody(client, during_round, django_assert_max_num_queries):
    url = "/api/v1/rounds/1/main/standings/?by=pushes"
    _entered(during_round.levels.get(slot="main"), [(0, 2, 1, 0)])
    etag = client.get(url)["ETag"]
    with django_assert_max_num_queries(1):
        answer = client.get(url, headers={"If-None-Match": etag})
    assert (answer.status_code, answer.content) == (304, b"")


def test_other_pages_of_a_board_have_other_etags(client, during_round):
    url = "/api/v1/rounds/1/main/standings/"
    queries = ["", "?by=pushes", "?league=bot", "?start=1", "?limit=7", "?around=1"]
    assert len({client.get(url + query)["ETag"] for query in queries}) == len(queries)


@pytest.mark.parametrize("act", ["rename", "country", "erase"])
def test_what_is_said_of_a_player_makes_their_boards_out_of_date(client, during_round, act):
    url = "/api/v1/rounds/1/main/standings/"
    (result,) = _entered(during_round.levels.get(slot="main"), [(0, 2, 1, 0)])
    etag = client.get(url)["ETag"]
    by = None
    acts = {
        "rename": lambda: players_acts.rename(result.player, "Another name", by),
        "country": lambda: players_acts.set_country(result.player, "cn", by),
        "erase": lambda: players_acts.erase(result.player, by),
    }
    acts[act]()
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 200


def test_without_a_cache_boards_are_ranked_anew(during_round, monkeypatch):
    monkeypatch.setattr(cache.breaker, "rests_until", 0.0)
    level = during_round.levels.get(slot="main")
    _entered(level, [(0, 2, 1, 0)])
    assert [standings.count(level, "moves") for _ in range(2)] == [1, 1]
