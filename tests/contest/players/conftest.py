import pytest

from contest import judging
from contest.models import Best, Player
from contest.players import BadName, check_new, clean_nickname
from tests.cast import send


@pytest.fixture
def two(during_round):
    """A player and a rival with judged results: the player has fewer moves."""
    player, rival = send("player", "rR"), send("rival", "rlrR")
    judging.judge_until_empty()
    return player, rival


def reason(nickname: str) -> str:
    try:
        check_new(clean_nickname(nickname))
    except BadName as bad:
        return bad.code
    return ""


def players(two):
    return [Player.objects.get(pk=receipt.submission.player_id) for receipt in two]


def bests():
    return set(Best.objects.values_list("level", "board", "player", "metric", "submission"))
