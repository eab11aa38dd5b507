"""What the database says of players, as tests compare it."""

from contest.models import Best, Player


def players(two):
    """The players of *two* receipts, as they are now."""
    return [Player.objects.get(pk=receipt.submission.player_id) for receipt in two]


def bests():
    return set(Best.objects.values_list("level", "board", "player", "metric", "submission"))
