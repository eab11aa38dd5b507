from random import Random

import pytest
from django.core.management import CommandError, call_command

from contest.management.demo import simulation
from contest.management.demo.simulation import courses
from contest.models import Round, Submission
from solvers.sokoban import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.replay import replay
from tests import cast


@pytest.mark.parametrize("care", [0.0, 0.5, 1.0])
def test_every_attempt_solves_its_level_and_is_reproducible_by_seed(care):
    for seed in range(12):
        random, again = Random(seed), Random(seed)
        course = courses.course(random)
        attempt = course.attempt(random, care)
        assert courses.course(again).attempt(again, care) == attempt
        played = replay(Level.parse(course.text), Moves.parse(attempt))
        assert played.verdict == "solved"
        assert played.moves >= min(map(len, course.solutions))


@pytest.fixture
def played(db):
    season = simulation.Season(opens_at=simulation.first_opening(cast.DURING), count=2, players=12, seed=1)
    assert [round_.phase(cast.DURING) for round_ in season] == ["final"] * 2
    return season.played


# The chain waits for every transaction of the cluster, including the test's own, and for numbers drawn by others.
@pytest.mark.xdist_group("cluster")
@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_a_small_season_is_entered_and_its_results_are_consistent(capsys):
    call_command("simulate", rounds=2, players=12, seed=1)
    output = capsys.readouterr().out
    assert "Rounds 1 to 2" in output
    assert "all 2 archives verify offline" in output
    assert {"web", "api"} == set(Submission.objects.values_list("door", flat=True))


def test_a_season_has_every_kind_of_event_of_real_seasons(played):
    """Rules 3.8, 16.2, 20.1: early and late submissions, programs, practice, texts that solve nothing."""
    assert played.refused >= 4
    assert played.practised
    assert set(Submission.objects.values_list("player__league", flat=True)) == {"human", "bot"}
    assert Submission.objects.exclude(verdict="accepted").exists()
    assert played.judged == Submission.objects.count()


def test_a_database_with_rounds_is_not_changed(during_round):
    with pytest.raises(CommandError, match="--yes"):
        call_command("simulate", rounds=1, players=1)
    assert Round.objects.count() == 1


def test_a_season_is_added_before_existing_rounds(during_round):
    """Rule 2.6."""
    Round.objects.update(number=40)
    opens_at = simulation.first_opening(cast.DURING)
    (round_,) = simulation.Season(opens_at=opens_at, count=1, players=4, seed=1)
    assert round_.number == 41
    assert round_.closes_at < cast.OPENS


def test_a_season_has_bounds(db):
    for wrong in ({"rounds": 0}, {"rounds": 501}, {"players": 0}, {"players": 10_001}):
        with pytest.raises(CommandError, match="1 to 500 rounds"):
            call_command("simulate", **wrong)
