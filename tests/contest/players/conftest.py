import pytest

from contest import judging
from tests.cast import send


@pytest.fixture
def two(during_round):
    """A player and a rival with judged results: the player has fewer moves."""
    player, rival = send("player", "rR"), send("rival", "rlrR")
    judging.judge_until_empty()
    return player, rival
