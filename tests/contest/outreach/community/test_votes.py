import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from contest.infra import clock
from contest.models import CollectedLevel, LevelResult, Player, Vote
from contest.outreach.community import subjects, votes
from contest.players import acts, merging
from contest.visibility import Viewer
from tests import cast
from tests.contest.outreach.community.conftest import person, viewer


def vote(subject, nickname: str, **given) -> None:
    votes.cast_vote(subject, person(nickname), given, viewer=viewer(nickname), at=clock.now())


def means(subject) -> dict[str, tuple[int, float | None]]:
    annotated = subjects.with_talk(type(subject).objects.filter(pk=subject.pk), Viewer(), clock.now()).get()
    return {str(mean.label): (mean.count, mean.value) for mean in votes.mean_votes(annotated)}


def test_means_are_shown_from_three_votes_on(level):
    """Rule 27.1: a vote can be changed and withdrawn."""
    assert means(level) == {}
    vote(level, "Ann", beautiful=5, hard=1)
    vote(level, "Bo", beautiful=4, hard=2)
    assert means(level) == {"Beautiful": (2, None), "Hard": (2, None)}
    vote(level, "Cy", beautiful=4)
    assert means(level) == {"Beautiful": (3, 4.3), "Hard": (2, None)}
    vote(level, "Ann", beautiful=1)
    assert Vote.objects.filter(player=person("Ann")).values_list("beautiful", "hard", "new").get() == (1, None, None)
    vote(level, "Ann")
    assert Vote.objects.count() == 2


def test_only_solvers_of_the_level_vote_and_only_after_the_reveal(level, collected):
    """Rules 4.11, 26, 27.1, 27.2."""
    for subject in (level, collected):
        with pytest.raises(ValidationError, match="Solve the level first"):
            vote(subject, "Eve", hard=1)
    vote(collected, a_solver("Eve", collected), hard=1)
    assert Vote.objects.get().collected == collected
    with pytest.raises(ValidationError, match="Only the owner"):
        votes.cast_vote(level, person("Ann"), {"hard": 1}, viewer=viewer("Bo"), at=clock.now())
    Player.objects.filter(nickname="Ann").update(league="bot")
    with pytest.raises(ValidationError, match="Programs"):
        vote(level, "Ann", hard=1)
    with clock.set_to(cast.DURING), pytest.raises(ValidationError, match="results are not public yet"):
        vote(level, "Bo", hard=1)


@pytest.mark.parametrize("value", [0, 6, -1])
def test_a_vote_is_a_number_from_1_to_5(level, value):
    with pytest.raises(ValidationError, match="from 1 to 5"):
        vote(level, "Ann", hard=value)
    with pytest.raises(IntegrityError), transaction.atomic():
        Vote.objects.create(level=level, player=person("Ann"), hard=value, cast_at=clock.now())


def test_a_merge_moves_a_vote_unless_the_other_name_has_one(level):
    """Rules 4.13, 15.6, 27.5: otherwise the remaining name's vote counts; undoing the merge restores both."""
    vote(level, "Bo", hard=5)
    merging.merge(person("Bo"), person("Ann"), None, reason="one person")
    assert Vote.objects.get().player == person("Ann")
    merging.unmerge(person("Bo"), None, reason="two people")
    assert Vote.objects.get().player == person("Bo")
    for name, value in (("Ann", 1), ("Cy", 3), ("Dee", 3)):
        vote(level, name, hard=value)
    merging.merge(person("Bo"), person("Ann"), None, reason="one person")
    assert means(level) == {"Hard": (3, 2.3)}
    merging.unmerge(person("Bo"), None, reason="two people")
    assert means(level) == {"Hard": (4, 3.0)}
    acts.erase(person("Bo"), None)
    assert means(level) == {"Hard": (3, 2.3)}


def test_the_stored_means_of_a_collected_level_follow_every_change_of_its_votes(collected):
    """Rules 4.13, 15.6, 27.1: levels are sorted by the means as shown."""
    voters = [a_solver(name, collected) for name in ("Ann", "Bo", "Cy", "Dee")]
    for name, value in zip(voters[:3], (1, 5, 3), strict=True):
        vote(collected, name, hard=value, new=1 if name == "Ann" else None)
    assert stored_means(collected) == (None, 3.0, None)
    vote(collected, "Dee", hard=5)
    merging.merge(person("Bo"), person("Ann"), None, reason="one person")
    assert stored_means(collected) == (None, 3.0, None)
    merging.unmerge(person("Bo"), None, reason="two people")
    assert stored_means(collected) == (None, 3.5, None)
    vote(collected, "Ann")
    assert stored_means(collected)[1] == pytest.approx(13 / 3)
    acts.erase(person("Cy"), None)
    assert stored_means(collected) == (None, None, None)


def a_solver(nickname: str, level: CollectedLevel) -> str:
    """Create a player who has solved *level* and may vote for it."""
    sent = {"lurd": "rrR", "sha256": nickname, "moves": 3, "pushes": 1, "received_at": clock.now()}
    LevelResult.objects.create(
        receipt_id=nickname, level=level, player=person(nickname), sent_as=person(nickname), **sent
    )
    return nickname


def stored_means(level: CollectedLevel) -> tuple[float | None, float | None, float | None]:
    level.refresh_from_db()
    return level.beautiful, level.hard, level.new
