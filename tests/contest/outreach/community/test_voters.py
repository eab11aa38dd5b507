"""Names that may vote: with a counted submission, or a practice solution of their own (rule 27.1)."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from contest import judging
from contest.infra import clock
from contest.models import CollectedLevel, Door, Player, Vote
from contest.outreach.community import votes
from contest.submissions import Entry, accept, at_once
from contest.visibility import Viewer
from solvers import sokoban
from tests import cast

PUBLIC = cast.SOLUTIONS["extra"]
# With a walk, with moves behind the solution, with pushes there and back, and in another letter case.
COPIES = [PUBLIC, "rlrDldR", f"{PUBLIC}ll", "dRurrdLulDldR", PUBLIC.lower()]
OWN = "dRurD"
TURNED = str(sokoban.Level.parse(cast.CORNER).transform(5)).replace("\n", "|")


@pytest.fixture
def level(db):
    """A revealed level that Ann has solved."""
    with clock.set_to(cast.DURING):
        round_ = cast.a_round()
        cast.send("Ann", PUBLIC, slot="extra")
        judging.judge_until_empty()
    with clock.set_to(cast.CLOSES + timedelta(days=1)):
        yield round_.levels.get(slot="extra")


def practise(name: str, moves: str) -> Player:
    accept(Entry(name, moves, round=1, slot="extra", practice=True), door=Door.API)
    judging.judge_until_empty()
    return Player.objects.get(nickname=name)


def vote(subject, player: Player) -> None:
    viewer = Viewer(proved=frozenset({player.pk}))
    votes.cast_vote(subject, player, {"hard": 5}, viewer=viewer, at=clock.now(), address="192.0.2.7")


def test_copies_of_public_solutions_give_no_votes(level):
    """The attack: one address sends a public solution under many new names, and votes with each."""
    for number, moves in enumerate(COPIES):
        with pytest.raises(ValidationError, match="in your own way"):
            vote(level, practise(f"Copy {number}", moves))
    vote(level, practise("Bo", OWN))
    with pytest.raises(ValidationError, match="in your own way"):
        vote(level, practise("Cy", OWN))
    assert Vote.objects.get().player.nickname == "Bo"


def test_a_name_with_a_counted_submission_votes_on_all_that_it_has_solved(level):
    with clock.set_to(cast.DURING):
        claim = cast.send("Dee", "rR", slot="main").claim
        judging.judge_until_empty()
    accept(Entry("Dee", PUBLIC, round=1, slot="extra", practice=True, claim=claim or ""), door=Door.API)
    judging.judge_until_empty()
    vote(level, Player.objects.get(nickname="Dee"))
    assert Vote.objects.count() == 1


def test_a_public_solution_is_a_copy_on_the_same_board_turned_in_a_collection(level):
    cast.a_collection(boards=[TURNED])
    turned = CollectedLevel.objects.get()
    assert turned.key == level.key

    def solve(name: str, moves: str) -> Player:
        at_once.accept_collected(Entry(name, moves), turned)
        return Player.objects.get(nickname=name)

    with pytest.raises(ValidationError, match="in your own way"):
        vote(turned, solve("Copy", _turned(PUBLIC)))
    vote(turned, solve("Own", _turned(OWN)))


def _turned(moves: str) -> str:
    """Return *moves* as they solve the turned board."""
    return moves.translate(str.maketrans("lurdLURD", "drulDRUL"))
