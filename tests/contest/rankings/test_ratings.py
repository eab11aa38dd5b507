import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from contest import judging, results
from contest.infra import clock
from contest.models import League, Placing, Player, Rating, Track
from contest.players import merging
from contest.rankings import rating_levels, ratings
from tests import cast
from tests.contest.outcomes import a_final_round, a_placing, a_player

pytestmark = pytest.mark.django_db


def _rated():
    return list(Rating.objects.order_by("round", "player").values_list("round", "player", "league", "mu", "sigma"))


def _names(league=League.HUMAN):
    return [rated.player.nickname for rated in ratings.current(league)]


def test_who_scores_more_is_rated_higher():
    """Rule 22.1."""
    ratings.update(a_final_round(1, "Ann", "Bo", "Cy"))
    assert _names() == ["Ann", "Bo", "Cy"]
    assert [rated.rounds for rated in ratings.current()] == [1, 1, 1]


def test_the_model_is_openskills_with_its_defaults():
    """Rule 22.1: pinned, so that a library that reckons otherwise does not change ratings unseen."""
    ratings.update(a_final_round(1, "Ann", "Bo"))
    ann, bo = ratings.current()
    assert (round(ann.mu, 4), round(ann.sigma, 4)) == (27.6354, 8.0659)
    assert round(bo.mu, 4) == 22.3646


def test_players_without_points_share_the_last_place():
    """Rule 22.1."""
    ratings.update(a_final_round(1, "Ann", pointless=("Bo", "Cy")))
    ann, bo, cy = ratings.current()
    assert ann.mu > bo.mu == cy.mu
    assert (ann.rank, bo.rank, cy.rank) == (1, 2, 2)


def test_one_who_was_alone_is_compared_with_nobody():
    ratings.update(a_final_round(1, "Ann"))
    assert [(rated.mu, rated.rounds) for rated in ratings.current()] == [(25, 1)]


def test_a_track_may_be_left_out():
    """Rule 22.1."""
    friendly = Track.objects.create(slug="friendly", title_zh="友谊赛", title_en="Friendly", is_rated=False)
    for number, names in enumerate([("Ann", "Bo"), ("Bo", "Ann")], 1):
        ratings.update(a_final_round(number, *names, track=friendly if number > 1 else None))
    once = _rated()
    assert _names() == ["Ann", "Bo"]
    ratings.replay()
    assert _rated() == once


def test_rating_a_round_twice_changes_nothing():
    round_ = a_final_round(1, "Ann", "Bo")
    ratings.update(round_)
    once = _rated()
    ratings.update(round_)
    assert _rated() == once


def test_round_after_round_gives_what_a_replay_gives():
    """Rule 22.1: the history is a function of the placings."""
    for number, names in enumerate([("Ann", "Bo", "Cy"), ("Cy", "Ann"), ("Bo", "Di", "Ann", "Cy")], 1):
        ratings.update(a_final_round(number, *names))
    step_by_step = _rated()
    ratings.replay()
    assert _rated() == step_by_step


def test_a_revision_replays_the_rounds_after_it():
    """Rule 22.1."""
    first, second = a_final_round(1, "Ann", "Bo"), a_final_round(2, "Cy", "Ann")
    ratings.update(first)
    ratings.update(second)
    before = ratings.current()[0]
    Placing.objects.filter(round=first, player=a_player("Ann")).update(move_half_points=0, push_half_points=0)
    ratings.update(first)
    assert ratings.history(a_player("Bo"))[0].mu > 25
    assert ratings.history(a_player("Cy"))[0].mu != before.mu


def test_rounds_before_a_revised_one_are_not_rated_again():
    """Rule 22.1."""
    first, second, third = (a_final_round(number, "Ann", "Bo") for number in (1, 2, 3))
    for round_ in (first, second, third):
        ratings.update(round_)
    rated = {
        round_: set(Rating.objects.filter(round=round_).values_list("pk", flat=True)) for round_ in (first, second)
    }
    ratings.update(second)
    assert set(Rating.objects.filter(round=first).values_list("pk", flat=True)) == rated[first]
    assert not Rating.objects.filter(pk__in=rated[second]).exists()
    assert Rating.objects.count() == 6


def test_an_older_round_made_final_late_takes_its_place_in_the_history():
    second = a_final_round(2, "Cy", "Ann")
    ratings.update(second)
    ratings.update(a_final_round(1, "Ann", "Bo"))
    assert [rating.round.number for rating in ratings.history(a_player("Ann"))] == [1, 2]


def test_people_and_programs_have_ratings_of_their_own():
    """Rule 22.1."""
    a_player("Hal", league=League.BOT)
    a_player("Eva", league=League.BOT)
    round_ = a_final_round(1, "Ann", "Bo")
    a_placing(round_, "Hal", 40)
    a_placing(round_, "Eva", 20)
    ratings.update(round_)
    assert _names() == ["Ann", "Bo"]
    assert _names(League.BOT) == ["Hal", "Eva"]


def test_programs_are_compared_by_the_points_their_own_ranking_would_give(during_round):
    """Rules 16.4, 22.1: they get none in the contest, and are rated all the same."""
    for name, moves in (("Hal", "rlrR"), ("Eva", "rR"), ("Ann", "rlrlrR")):
        cast.send(name, moves)
    Player.objects.exclude(nickname="Ann").update(league=League.BOT)
    judging.judge_until_empty()
    with clock.set_to(cast.AFTER):
        results.finalise(during_round, at=cast.AFTER, by=None)
    assert _names(League.BOT) == ["Eva", "Hal"]
    assert _names() == ["Ann"]
    assert not Placing.objects.filter(league=League.BOT, place__isnull=False).exists()


def test_a_merged_name_is_rated_as_the_player_it_leads_to():
    """Rule 4.13."""
    a_final_round(1, "Ann", "Bo")
    a_final_round(2, "Annie", "Bo")
    Player.objects.filter(nickname="Annie").update(merged_into=a_player("Ann"))
    ratings.replay()
    assert [(rated.player.nickname, rated.rounds) for rated in ratings.current()] == [("Ann", 2), ("Bo", 2)]


def test_a_merge_and_its_undoing_replay_the_history():
    """Rules 4.13, 22.1."""
    for number, names in enumerate((("Ann", "Bo"), ("Annie", "Cy"), ("Bo", "Annie")), 1):
        ratings.update(a_final_round(number, *names))
    before = _rated()
    ann, annie = a_player("Ann"), a_player("Annie")
    merging.merge(annie, ann, None, reason="same person")
    merged = _rated()
    ratings.replay()
    assert merged == _rated() != before
    merging.unmerge(annie, None, reason="not the same")
    assert _rated() == before


def test_a_cancelled_round_is_not_rated():
    round_ = a_final_round(1, "Ann", "Bo")
    ratings.update(round_)
    type(round_).objects.update(cancelled_at=round_.finalised_at)
    ratings.replay()
    assert list(ratings.current()) == []


def test_nobody_is_shown_a_rating_before_the_third_round():
    """Rule 22.1."""
    for number in (1, 2):
        ratings.update(a_final_round(number, "Ann", "Bo"))
    assert [rated.value for rated in ratings.current()] == [None, None]
    assert a_player("Ann").shown_rating is None
    ratings.update(a_final_round(3, "Ann", "Cy"))
    ann = ratings.current()[0]
    assert a_player("Ann").shown_rating == ann.value == round(1000 + 90 * (ann.mu - 3 * ann.sigma))
    assert a_player("Bo").shown_rating is None


def test_what_a_row_shows_follows_revisions_merges_and_leagues():
    """Rules 4.13, 16.2, 22.1."""
    for number in (1, 2, 3):
        ratings.update(a_final_round(number, "Ann", "Bo"))
    ann, bo = a_player("Ann"), a_player("Bo")
    Placing.objects.filter(player=ann).update(move_half_points=0, push_half_points=0)
    ratings.replay()
    assert (a_player("Ann").shown_rating or 0) < (ann.shown_rating or 0)
    merging.merge(bo, a_player("Cy"), None, reason="same person")
    assert (a_player("Bo").shown_rating, a_player("Cy").shown_rating) == (None, a_player("Cy").shown_rating)
    assert a_player("Cy").shown_rating is not None


@pytest.mark.parametrize(
    ("shown", "number", "height"),
    [(-40, 1, 0), (799, 1, 0.99875), (800, 2, 0), (1250, 3, 0.5), (2300, 7, 1), (4000, 7, 1)],
)
def test_a_rating_has_a_level_and_stands_somewhere_in_it(shown, number, height):
    """Rule 22.2."""
    assert (rating_levels.level(shown).number, rating_levels.height(shown)) == (number, height)


def test_who_is_rated_how_is_put_in_order_once_until_a_round_is_rated(cache_of_its_own):
    ratings.update(a_final_round(1, "Ann", "Bo"))
    assert _names() == ["Ann", "Bo"]
    with CaptureQueriesContext(connection) as queries:
        assert _names() == ["Ann", "Bo"]
    assert not [one["sql"] for one in queries if '"sigma"' in one["sql"]]
    for number in (2, 3):
        ratings.update(a_final_round(number, "Bo", "Ann"))
    assert _names() == ["Bo", "Ann"]
    merging.merge(a_player("Bo"), a_player("Ann"), None, reason="same person")
    assert _names() == ["Ann"]
