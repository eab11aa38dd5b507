"""Database rows of players, as tests compare them."""

from contest.models import Best, Player


def players(two):
    """Return the players of *two* receipts, reloaded."""
    return [Player.objects.get(pk=receipt.submission.player_id) for receipt in two]


def bests():
    return set(Best.objects.values_list("level", "board", "player", "metric", "submission"))
