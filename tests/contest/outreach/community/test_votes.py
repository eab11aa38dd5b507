import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from contest.infra import clock
from contest.models import CollectedLevel, Level, LevelResult, Player, Vote
from contest.outreach.community import subjects, votes
from contest.players import acts, merging
from contest.visibility import Viewer
from tests import cast
from tests.contest.outreach.community.conftest import person, viewer


def vote(subject, nickname: str, **given) -> None:
    votes.cast(subject, person(nickname), given, viewer=viewer(nickname), at=clock.now())


def means(subject) -> dict[str, tuple[int, float | None]]:
    found = subjects.with_talk(type(subject).objects.filter(pk=subject.pk), Viewer(), clock.now()).get()
    return {str(mean.label): (mean.count, mean.value) for mean in votes.means(found)}


def test_means_are_shown_from_three_votes_on(level):
    """Rule 27.1."""
    vote(level, "Ann", beautiful=5, hard=1)
    vote(level, "Bo", beautiful=4, hard=2)
    assert means(level) == {"Beautiful": (2, None), "Hard": (2, None)}
    vote(level, "Cy", beautiful=4)
    assert means(level) == {"Beautiful": (3, 4.3), "Hard": (2, None)}


def test_nobody_has_voted(level):
    assert means(level) == {}


def test_a_vote_changes_and_is_taken_back(level):
    """Rule 27.1."""
    vote(level, "Ann", beautiful=5, new=2)
    vote(level, "Ann", beautiful=1)
    assert Vote.objects.values_list("beautiful", "hard", "new").get() == (1, None, None)
    vote(level, "Ann")
    assert not Vote.objects.exists()


def test_only_who_solved_the_level_votes(level):
    """Rule 27.1."""
    with pytest.raises(ValidationError, match="Solve the level first"):
        vote(level, "Eve", hard=1)


def test_a_level_of_a_collection_is_voted_for_by_who_solved_it(collected):
    """Rules 26, 27.1."""
    with pytest.raises(ValidationError, match="Solve the level first"):
        vote(collected, "Ann", hard=1)
    sent = {"lurd": "rrR", "sha256": "", "moves": 3, "pushes": 1, "received_at": clock.now()}
    ann = person("Ann")
    LevelResult.objects.create(receipt_id="one", level=collected, player=ann, sent_as=ann, **sent)
    vote(collected, "Ann", hard=1)
    assert Vote.objects.get().collected == collected


def test_nobody_votes_under_anothers_name(level):
    """Rules 4.11, 27.1."""
    with pytest.raises(ValidationError, match="Only the owner"):
        votes.cast(level, person("Ann"), {"hard": 1}, viewer=viewer("Bo"), at=clock.now())


def test_programs_do_not_vote(level):
    """Rule 27.1."""
    Player.objects.filter(nickname="Ann").update(league="bot")
    with pytest.raises(ValidationError, match="Programs"):
        vote(level, "Ann", hard=1)


def test_nobody_votes_before_the_reveal(during_round):
    """Rule 27.2."""
    cast.enter_all(during_round, [("Ann", 9, 3)])
    with pytest.raises(ValidationError, match="results are not out yet"):
        vote(during_round.levels.get(slot="main"), "Ann", hard=1)


@pytest.mark.parametrize("value", [0, 6, -1])
def test_a_vote_is_a_number_from_1_to_5(level, value):
    with pytest.raises(ValidationError, match="from 1 to 5"):
        vote(level, "Ann", hard=value)
    with pytest.raises(IntegrityError), transaction.atomic():
        Vote.objects.create(level=level, player=person("Ann"), hard=value, cast_at=clock.now())


def test_merged_players_have_one_vote(level):
    """Rules 4.13, 27.5: that of the name that stays; parted again each has their own."""
    for name, value in (("Ann", 1), ("Bo", 5), ("Cy", 3), ("Dee", 3)):
        vote(level, name, hard=value)
    merging.merge(person("Bo"), person("Ann"), None, reason="one person")
    assert means(level) == {"Hard": (3, 2.3)}
    merging.unmerge(person("Bo"), None, reason="two people")
    assert means(level) == {"Hard": (4, 3.0)}


def test_a_merge_takes_a_vote_along_where_the_other_has_none(level):
    """Rules 4.13, 27.5."""
    vote(level, "Bo", hard=5)
    merging.merge(person("Bo"), person("Ann"), None, reason="one person")
    assert Vote.objects.get().player == person("Ann")
    merging.unmerge(person("Bo"), None, reason="two people")
    assert Vote.objects.get().player == person("Bo")


def test_votes_of_an_erased_player_go(level):
    """Rules 15.6, 27.5."""
    vote(level, "Ann", hard=5)
    acts.erase(person("Ann"), None)
    assert not Vote.objects.exists()


def test_the_means_of_a_level_of_a_collection_stay_beside_it_through_all_that_becomes_of_votes(collected):
    """Rules 4.13, 15.6, 27.1: as means are shown, so levels are put in order."""
    voters = [a_solver(name, collected) for name in ("Ann", "Bo", "Cy", "Dee")]
    for name, value in zip(voters[:3], (1, 5, 3), strict=True):
        vote(collected, name, hard=value, new=1 if name == "Ann" else None)
    assert kept(collected) == (None, 3.0, None)
    vote(collected, "Dee", hard=5)
    merging.merge(person("Bo"), person("Ann"), None, reason="one person")
    assert kept(collected) == (None, 3.0, None)
    merging.unmerge(person("Bo"), None, reason="two people")
    assert kept(collected) == (None, 3.5, None)
    vote(collected, "Ann")
    assert kept(collected)[1] == pytest.approx(13 / 3)
    acts.erase(person("Cy"), None)
    assert kept(collected) == (None, None, None)


def a_solver(nickname: str, level: CollectedLevel) -> str:
    """Somebody who has solved *level* and may vote for it."""
    sent = {"lurd": "rrR", "sha256": nickname, "moves": 3, "pushes": 1, "received_at": clock.now()}
    LevelResult.objects.create(
        receipt_id=nickname, level=level, player=person(nickname), sent_as=person(nickname), **sent
    )
    return nickname


def kept(level: CollectedLevel) -> tuple[float | None, float | None, float | None]:
    level.refresh_from_db()
    return level.beautiful, level.hard, level.new


@pytest.mark.parametrize("model", [Level, CollectedLevel])
def test_votes_for_all_levels_of_a_list_are_one_question(model, level, collected, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert list(subjects.with_talk(model.objects.all(), Viewer(), clock.now()))
