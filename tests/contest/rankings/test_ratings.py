from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from contest import judging, results
from contest.infra import clock
from contest.models import League, Placing, Player, Rating, Round, Submission, Track
from contest.rankings import history, personal_bests, rating_levels, ratings, standings
from tests import cast
from tests.contest.outcomes import a_final_round, a_player
from tests.contest.rankings.conftest import names

pytestmark = pytest.mark.django_db


def _rated():
    return list(Rating.objects.order_by("round", "player").values_list("round", "player", "league", "mu", "sigma"))


def _names(league=League.HUMAN):
    return [rated.player.nickname for rated in ratings.current(league)]


def test_the_model_is_that_of_openskill_with_its_defaults():
    """Rule 22.1: pinned, so that a change in the library does not change ratings unnoticed.

    A player alone in a round is compared with nobody.
    """
    ratings.update(a_final_round(1, "Ann"))
    assert [(rated.mu, rated.rounds) for rated in ratings.current()] == [(25, 1)]
    Round.objects.update(cancelled_at=cast.AFTER)
    ratings.replay()
    assert list(ratings.current()) == []
    ratings.update(a_final_round(2, "Ann", "Bo"))
    ann, bo = ratings.current()
    assert (round(ann.mu, 4), round(ann.sigma, 4)) == (27.6354, 8.0659)
    assert (round(bo.mu, 4), bo.rounds) == (22.3646, 1)


def test_players_without_points_share_the_last_place():
    ratings.update(a_final_round(1, "Ann", pointless=("Bo", "Cy")))
    ann, bo, cy = ratings.current()
    assert ann.mu > bo.mu == cy.mu
    assert (ann.rank, bo.rank, cy.rank) == (1, 2, 2)


def test_rating_round_by_round_gives_the_same_as_a_replay():
    """Rule 22.1: the history depends only on the placings; a track may be excluded."""
    friendly = Track.objects.create(slug="friendly", title_zh="友谊赛", title_en="Friendly", is_rated=False)
    played = [("Ann", "Bo", "Cy"), ("Cy", "Ann"), ("Bo", "Di", "Ann", "Cy"), ("Di", "Ann")]
    for number in (2, 1, 3, 3):  # an older round made final late, and one rated twice
        round_ = Round.objects.filter(number=number).first() or a_final_round(number, *played[number - 1])
        ratings.update(round_)
    ratings.update(a_final_round(4, *played[3], track=friendly))
    step_by_step = _rated()
    assert [rating.round.number for rating in ratings.history(a_player("Ann"))] == [1, 2, 3]
    ratings.replay()
    assert _rated() == step_by_step


def test_programs_are_compared_by_the_points_their_own_ranking_would_give(during_round):
    """Rules 16.4, 22.1: they get no points in the contest, but they are rated."""
    for name, moves in (("Hal", "rlrR"), ("Eva", "rR"), ("Ann", "rlrlrR")):
        cast.send(name, moves)
    Player.objects.exclude(nickname="Ann").update(league=League.BOT)
    judging.judge_until_empty()
    with clock.set_to(cast.AFTER):
        results.finalise(during_round, at=cast.AFTER, by=None)
    assert _names(League.BOT) == ["Eva", "Hal"]
    assert _names() == ["Ann"]
    assert not Placing.objects.filter(league=League.BOT, place__isnull=False).exists()


def test_a_merge_and_its_undo_replay_the_history():
    for number, players in enumerate((("Ann", "Bo"), ("Annie", "Cy"), ("Bo", "Annie")), 1):
        ratings.update(a_final_round(number, *players))
    before = _rated()
    ann, annie = a_player("Ann"), a_player("Annie")
    cast.merge(annie, ann, None, reason="same person")
    merged = _rated()
    ratings.replay()
    assert merged == _rated() != before
    cast.unmerge(annie, None, reason="not the same")
    assert _rated() == before


def test_a_rating_is_shown_from_the_third_round():
    for number in (1, 2):
        ratings.update(a_final_round(number, "Ann", "Bo"))
    assert [rated.value for rated in ratings.current()] == [None, None]
    assert a_player("Ann").shown_rating is None
    ratings.update(a_final_round(3, "Ann", "Cy"))
    ann = ratings.current()[0]
    assert a_player("Ann").shown_rating == ann.value == round(1000 + 90 * (ann.mu - 3 * ann.sigma))
    assert a_player("Bo").shown_rating is None


@pytest.mark.parametrize(
    ("shown", "number", "height"),
    [(-40, 1, 0), (799, 1, 0.99875), (800, 2, 0), (1250, 3, 0.5), (2300, 7, 1), (4000, 7, 1)],
)
def test_a_rating_has_a_level_and_a_position_in_it(shown, number, height):
    """Rule 22.2."""
    assert (rating_levels.level(shown).number, rating_levels.height(shown)) == (number, height)


def test_rating_many_rounds_takes_as_many_queries_as_few(django_assert_max_num_queries):
    """An import rates hundreds of rounds, and SQLite has one writer at a time."""
    for number in range(1, 13):
        a_final_round(number, "Ann", "Bo")
    with CaptureQueriesContext(connection) as few:
        ratings.update(*Round.objects.filter(number__gt=10))
    with django_assert_max_num_queries(len(few)):
        ratings.replay()


def minute(number):
    return cast.DURING + timedelta(minutes=number)


def test_the_previous_rank_is_that_of_the_board_at_that_moment(example):
    for submission in Submission.objects.order_by("number"):
        for metric in ("moves", "pushes"):
            just_before = submission.received_at - timedelta(microseconds=1)
            rows = history.standings_at(example, metric, just_before)
            rank = next((row.rank for row in rows if row.player == submission.player), None)
            assert history.ranks_before(submission, [metric])[metric] == rank


def test_a_pending_submission_appears_with_its_verdict_at_its_time_of_receipt(example):
    """Rule 7.9."""
    late = cast.enter(example.round, "F", 400, 100, at=minute(2))
    Submission.objects.filter(pk=late.pk).update(state="queued", verdict="", judged_at=None)
    personal_bests.recount([example], [late.player])
    assert "F" not in names(history.standings_at(example, "moves", minute(4)))
    Submission.objects.filter(pk=late.pk).update(state="judged", verdict="accepted", judged_at=cast.AFTER)
    personal_bests.recount([example], [late.player])
    assert names(history.standings_at(example, "moves", minute(2)))[0] == "F"
    assert names(history.standings_at(example, "moves", minute(1))) == ["A", "C"]


def test_the_best_count_falls_step_by_step(example):
    """Rule 8.9: the first player to reach a count need not lead."""
    assert standings.standings(example, "moves")[0].player.nickname == "B"
    cast.enter(example.round, "F", 490, 300, at=minute(9))
    assert [(row.player.nickname, row.moves) for row in history.progress(example, "moves")] == [("A", 500), ("F", 490)]
    pushes = history.progress(example, "pushes")
    assert [(row.player.nickname, row.pushes) for row in pushes] == [("A", 120), ("C", 110)]


def test_a_void_level_has_no_past(example):
    """Rule 2.10."""
    example.voided_at = cast.DURING
    assert history.standings_at(example, "moves", cast.AFTER) == []
    assert list(history.progress(example, "moves")) == []
