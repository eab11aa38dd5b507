"""Properties of every ranking (rules 5.7, 8), checked against the slowest and most obvious implementation."""

import itertools
import random
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contest.infra import clock
from contest.models import Door, Level, Player, Reader, State, Submission, Verdict
from contest.rankings import history, personal_bests, standings
from tests import cast
from tests.oracle import rulebook

pytestmark = pytest.mark.django_db

PLAYERS = 5
# Every example is rolled back, so all can use one contest.
examples = settings(
    max_examples=settings.default.max_examples // 5, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@dataclass(frozen=True)
class Result:
    """One accepted submission; *minute* is its time of receipt, and its place in the list its number."""

    player: int
    moves: int
    pushes: int
    minute: int
    void: bool = False


# Few values, so that many results are equal.
results = st.lists(
    st.builds(
        Result,
        player=st.integers(0, PLAYERS - 1),
        moves=st.integers(4, 8),
        pushes=st.integers(1, 4),
        minute=st.integers(0, 4),
        void=st.booleans(),
    ),
    max_size=14,
)
metrics = st.sampled_from(["moves", "pushes"])


def counted(sent):
    return [
        rulebook.Result(number, one.player, one.moves, one.pushes, one.minute)
        for number, one in enumerate(sent)
        if not one.void
    ]


def obvious(sent, metric):
    """Return the ranking by the rulebook: (player, moves, pushes, number)."""
    ranked = rulebook.ranking(counted(sent), rulebook.ORDERS[metric])
    return [(one.player, one.moves, one.pushes, one.number) for one in ranked]


def obvious_front(sent):
    return rulebook.front(counted(sent))


_versions = itertools.count(1_000, 1_000)


class Contest:
    def __init__(self):
        with clock.set_to(cast.DURING):
            self.round = cast.a_round()
        self.level = Level.objects.select_related("round").get(round=self.round, slot="main")
        self.players = [
            Player.objects.create(nickname=f"p{at}", name_key=f"p{at}", created_at=cast.DURING) for at in range(PLAYERS)
        ]

    def enter(self, sent):
        self.level.bests.all().delete()
        Submission.objects.all().delete()
        self.rows = Submission.objects.bulk_create(
            Submission(
                number=number + 1,
                receipt_id=str(number),
                round=self.round,
                player=self.players[one.player],
                sent_as=self.players[one.player],
                text=b"",
                sha256=str(number),
                door=Door.API,
                reader=Reader.RUN_LENGTH,
                received_at=cast.DURING + timedelta(minutes=one.minute),
                state=State.JUDGED,
                verdict=Verdict.ACCEPTED,
                judged_at=cast.DURING,
                level=self.level,
                moves=one.moves,
                pushes=one.pushes,
                voided_at=cast.DURING if one.void else None,
            )
            for number, one in enumerate(sent)
        )
        # Caches are keyed by the version, which rolling an example back would restore too.
        Level.objects.filter(pk=self.level.pk).update(board_version=next(_versions))
        personal_bests.recount([self.level], {row.player for row in self.rows})
        self.level.refresh_from_db(fields=["board_version"])

    def rows_as(self, rows):
        return [(self.players.index(row.player), row.moves, row.pushes, row.number - 1) for row in rows]

    def board(self, metric):
        return self.rows_as(standings.standings(self.level, metric))

    def taken(self, metric, first, second, player):
        """Return the rank of a hypothetical result; its counts are in the order of the ranking."""
        moves, pushes = (first, second) if metric == "moves" else (second, first)
        return standings.predict_rank(self.level, metric, moves, pushes, player=player)


@pytest.fixture
def contest(db):
    """A contest in which every example stores its results; they are rolled back afterwards."""
    random_contest = Contest()

    @contextmanager
    def holding(sent):
        with transaction.atomic():
            random_contest.enter(sent)
            yield random_contest
            transaction.set_rollback(True)

    return holding


@given(sent=results, metric=metrics, start=st.integers(0, 6), limit=st.integers(1, 4))
@examples
def test_the_ranking_its_pages_and_ranks_agree_with_the_naive_ones(contest, monkeypatch, sent, metric, start, limit):
    """Rules 5.7, 8.1, 8.2, 8.3, 8.4, 8.5, 8.8."""
    order = obvious(sent, metric)
    with contest(sent) as random_contest, monkeypatch.context() as far:
        assert random_contest.board(metric) == order
        rows = standings.standings(random_contest.level, metric)
        assert [row.rank for row in rows] == list(range(1, len(rows) + 1))
        assert len({row.player for row in rows}) == len(rows) == standings.count(random_contest.level, metric)
        assert {row.number - 1 for row in rows if row.pareto} == obvious_front(sent) & {number for *_, number in order}
        far.setattr(standings, "_FAR", 1)  # every page but the first uses the ladder
        page = standings.standings(random_contest.level, metric, start=start, limit=limit)
        assert [(row.rank, row.number - 1) for row in page] == [
            (rank, number) for rank, (*_, number) in enumerate(order, 1)
        ][start : start + limit]
        for rank, (player, *_counts, number) in enumerate(order, 1):
            assert standings.ranks(random_contest.rows[number])[metric] == rank
            assert standings.rank_of(random_contest.level, metric, random_contest.players[player]) == rank


@given(sent=results, metric=metrics, size=st.integers(1, 4), seed=st.integers(0, 99))
@examples
def test_the_live_board_equals_a_recount_in_any_order_of_judging(contest, sent, metric, size, seed):
    with contest(sent) as random_contest:
        counted = random_contest.board(metric)
        random_contest.level.bests.all().delete()
        judged = list(random_contest.rows)
        random.Random(seed).shuffle(judged)
        for at in range(0, len(judged), size):
            personal_bests.enter([one.pk for one in judged[at : at + size]])
        assert random_contest.board(metric) == counted


@given(sent=results, metric=metrics, minute=st.integers(-1, 5))
@examples
def test_the_board_of_a_moment_is_that_of_the_submissions_received_until_then(contest, sent, metric, minute):
    """Rule 7.9."""
    come = [replace(one, void=one.void or one.minute > minute) for one in sent]
    with contest(sent) as random_contest:
        at = cast.DURING + timedelta(minutes=minute)
        then = history.standings_at(random_contest.level, metric, at)
        assert random_contest.rows_as(then) == obvious(come, metric)
        assert history.count_at(random_contest.level, metric, at) == len(then)
        assert history.standings_at(random_contest.level, metric, at, start=1, limit=2) == then[1:3]
        assert {row.number - 1 for row in then if row.pareto} == {row.number - 1 for row in then} & obvious_front(come)
        for player in random_contest.players:
            changes = history.rank_changes(random_contest.level, metric, player)
            assert (changes[-1].rank if changes else None) == standings.rank_of(random_contest.level, metric, player)


@given(sent=results, metric=metrics, moves=st.integers(3, 9), pushes=st.integers(1, 5))
@examples
def test_predicted_ranks_and_needed_improvements_come_true(contest, sent, metric, moves, pushes):
    """Rules 5.7, 7.7: slightly less than needed does not gain one."""
    after = obvious([*sent, Result(0, moves, pushes, 9)], metric)
    with contest(sent) as random_contest:
        level = random_contest.level
        predicted = standings.predict_rank(level, metric, moves, pushes, player=random_contest.players[0])
        assert predicted == 1 + [row[0] for row in after].index(0)
        for rank, player in enumerate((row.player for row in standings.standings(level, metric)), 1):
            need = standings.next_gain(level, metric, player, standings.rows_around(level, metric, player))
            if need is None:
                assert rank == 1
                continue
            assert random_contest.taken(metric, need.first - 1, 10**6, player) == need.rank < rank
            assert random_contest.taken(metric, need.first, need.second, player) == need.rank_by_second < rank
            assert random_contest.taken(metric, need.first, need.second + 1, player) == rank


@given(sent=results, practice=st.lists(st.booleans(), min_size=14, max_size=14), metric=metrics)
@examples
def test_all_time_ranks_contest_and_practice_together(contest, sent, practice, metric):
    """Rule 20.1."""
    with contest(sent) as random_contest:
        chosen = [row.pk for row, is_practice in zip(random_contest.rows, practice, strict=False) if is_practice]
        Submission.objects.filter(pk__in=chosen).update(is_practice=True)
        personal_bests.recount([random_contest.level], random_contest.players)
        random_contest.level.refresh_from_db(fields=["board_version"])
        rows = standings.standings(random_contest.level, metric, board=standings.ALL_TIME)
        assert random_contest.rows_as(rows) == obvious(sent, metric)
        assert [row.number in chosen for row in rows] == [row.is_practice for row in rows]
