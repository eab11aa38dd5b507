from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from contest import judging
from contest.infra import clock
from contest.models import CollectedLevel, LevelResult, Player, Vote
from contest.outreach.community import subjects, votes
from contest.players import acts
from contest.submissions import Entry, at_once
from contest.visibility import Viewer
from solvers import sokoban
from tests import cast
from tests.contest.outreach.community.conftest import person, viewer

NETWORKS = [f"198.51.{number}.7" for number in range(5)]


def vote(subject, nickname: str, address: str = "", **given) -> None:
    votes.cast_vote(subject, person(nickname), given, viewer=viewer(nickname), at=clock.now(), address=address)


def others_vote(subject, scale: str, values: list[int], networks: list[str]) -> None:
    """Let new names that may vote do so, from *networks* in turn."""
    for number, value in enumerate(values):
        name = f"Voter {number}"
        if isinstance(subject, CollectedLevel):
            a_solver(name, subject)
        else:
            cast.enter(subject.round, name, 9, 3, at=cast.DURING)
        vote(subject, name, networks[number % len(networks)], **{scale: value})


def means(subject) -> dict[str, tuple[int, float | None]]:
    annotated = subjects.with_talk(type(subject).objects.filter(pk=subject.pk), Viewer(), clock.now()).get()
    return {str(mean.label): (mean.count, mean.value) for mean in votes.mean_votes(annotated)}


def test_means_are_shown_from_eight_votes_of_five_networks_on(level):
    """Rule 27.1: a vote can be changed and withdrawn."""
    assert means(level) == {}
    others_vote(level, "beautiful", [5, 4, 4, 4, 4, 4], NETWORKS)
    vote(level, "Ann", NETWORKS[0], beautiful=4, hard=2)
    assert means(level) == {"Beautiful": (7, None), "Hard": (1, None)}
    vote(level, "Bo", NETWORKS[1], beautiful=5)
    assert means(level) == {"Beautiful": (8, 4.2), "Hard": (1, None)}
    vote(level, "Ann", beautiful=1)
    assert Vote.objects.filter(player=person("Ann")).values_list("beautiful", "hard", "new").get() == (1, None, None)
    vote(level, "Ann")
    assert means(level) == {"Beautiful": (7, None)}


def test_addresses_of_one_site_are_one_network(level):
    """A /24 and a /48: a person with many names shows no mean alone."""
    others_vote(level, "hard", [5] * 12, [f"198.51.100.{number}" for number in range(12)])
    for name, address in (("Ann", "2001:db8:0:1::1"), ("Bo", "2001:db8:0:2::1"), ("Cy", "203.0.113.1"), ("Dee", "")):
        vote(level, name, address, hard=5)
    assert means(level) == {"Hard": (16, None)}
    cast.enter(level.round, "Eve", 9, 3, at=cast.DURING)
    cast.enter(level.round, "Fay", 9, 3, at=cast.DURING)
    vote(level, "Eve", "192.0.2.1", hard=5)
    vote(level, "Fay", "192.0.3.1", hard=5)
    assert means(level) == {"Hard": (18, 5.0)}


def test_the_hash_of_a_network_is_deleted_after_thirty_days_and_its_votes_still_count(level):
    """A network is hashed with the level, so that votes for different levels cannot be linked."""
    others_vote(level, "hard", [4] * 8, NETWORKS)
    assert len(set(Vote.objects.values_list("network", flat=True))) == len(NETWORKS)
    votes.forget_networks(clock.now() + timedelta(days=29))
    assert not Vote.objects.filter(network="").exists()
    votes.forget_networks(clock.now() + timedelta(days=30))
    assert not Vote.objects.exclude(network="").exists()
    assert means(level) == {"Hard": (8, 4.0)}


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
    cast.merge(person("Bo"), person("Ann"), None, reason="one person")
    assert Vote.objects.get().player == person("Ann")
    cast.unmerge(person("Bo"), None, reason="two people")
    assert Vote.objects.get().player == person("Bo")
    others_vote(level, "hard", [3] * 7, NETWORKS)
    vote(level, "Ann", hard=3)
    cast.merge(person("Bo"), person("Ann"), None, reason="one person")
    assert means(level) == {"Hard": (8, 3.0)}
    cast.unmerge(person("Bo"), None, reason="two people")
    assert means(level) == {"Hard": (9, 3.2)}
    acts.erase(person("Bo"), None)
    assert means(level) == {"Hard": (8, 3.0)}


def test_the_stored_means_of_a_collected_level_follow_every_change_of_its_votes(collected):
    """Rules 4.13, 15.6, 27.1: levels are sorted by the means as shown."""
    others_vote(collected, "hard", [3] * 6, NETWORKS)
    for name, value in (("Ann", 3), ("Bo", 5)):
        vote(collected, a_solver(name, collected), hard=value, new=1)
    assert stored_means(collected) == (None, 3.25, None)
    vote(collected, a_solver("Cy", collected), hard=3)
    cast.merge(person("Bo"), person("Ann"), None, reason="one person")
    assert stored_means(collected) == (None, 3.0, None)
    cast.unmerge(person("Bo"), None, reason="two people")
    assert stored_means(collected)[1] == pytest.approx(29 / 9)
    vote(collected, "Ann")
    assert stored_means(collected) == (None, 3.25, None)
    acts.erase(person("Cy"), None)
    assert stored_means(collected) == (None, None, None)


def a_solver(nickname: str, level: CollectedLevel) -> str:
    sent = {"lurd": "rrR", "sha256": nickname, "moves": 3, "pushes": 1, "received_at": clock.now()}
    LevelResult.objects.create(
        receipt_id=nickname, level=level, player=person(nickname), sent_as=person(nickname), **sent
    )
    return nickname


def stored_means(level: CollectedLevel) -> tuple[float | None, float | None, float | None]:
    level.refresh_from_db()
    return level.beautiful, level.hard, level.new


PUBLIC = cast.SOLUTIONS["extra"]
# With a walk, with moves behind the solution, with pushes there and back, and in another letter case.
COPIES = [PUBLIC, "rlrDldR", f"{PUBLIC}ll", "dRurrdLulDldR", PUBLIC.lower()]
OWN = "dRurD"


@pytest.fixture
def solved(db):
    with clock.set_to(cast.DURING):
        round_ = cast.a_round()
        cast.submit("Ann", PUBLIC, slot="extra")
    with clock.set_to(cast.CLOSES + timedelta(days=1)):
        yield round_.levels.get(slot="extra")


def practise(name: str, moves: str, claim: str = "") -> str:
    cast.submit(name, moves, round=1, slot="extra", practice=True, claim=claim)
    return name


def test_copies_of_public_solutions_give_no_votes(solved):
    """The attack: one address sends a public solution under many new names, and votes with each (rule 27.1)."""
    for number, moves in enumerate(COPIES):
        with pytest.raises(ValidationError, match="in your own way"):
            vote(solved, practise(f"Copy {number}", moves), hard=5)
    vote(solved, practise("Bo", OWN), hard=5)
    with pytest.raises(ValidationError, match="in your own way"):
        vote(solved, practise("Cy", OWN), hard=5)
    assert Vote.objects.get().player.nickname == "Bo"


def test_a_name_with_a_counted_submission_votes_on_all_that_it_has_solved(solved):
    with clock.set_to(cast.DURING):
        claim = cast.send("Dee", "rR", slot="main").claim
        judging.judge_until_empty()
    vote(solved, practise("Dee", PUBLIC, claim), hard=5)
    assert Vote.objects.count() == 1


def test_a_public_solution_is_a_copy_on_the_same_board_turned_in_a_collection(solved):
    board = sokoban.Level.parse(cast.CORNER).transform(5)
    turned = cast.a_collection(boards=[board.published_text]).levels.get()
    assert turned.key == solved.key

    def solve(name: str, moves: str) -> str:
        at_once.accept_collected(Entry(name, moves.translate(str.maketrans("lurdLURD", "drulDRUL"))), turned)
        return name

    with pytest.raises(ValidationError, match="in your own way"):
        vote(turned, solve("Copy", PUBLIC), hard=5)
    vote(turned, solve("Own", OWN), hard=5)
