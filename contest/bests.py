"""Each player's best on each board of a level (rule 8.4): kept as verdicts come, counted anew after a ruling."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import F

from contest.models import Best, Board, Level, Metric, Player, Submission, Verdict


def values(submission: Submission, metric: Metric) -> dict[str, Any]:
    """The columns of the best row that *submission* would be."""
    counts = (submission.moves, submission.pushes)
    first, second = counts if metric == Metric.MOVES else counts[::-1]
    return {
        "submission": submission,
        "league": submission.player.league,
        "first": first,
        "second": second,
        "received_at": submission.received_at,
    }


@transaction.atomic
def recount(level: Level, players: Iterable[Player]) -> None:
    """Make the best rows of *players* on *level* anew from what counts (rule 1.7), and raise the board's version."""
    # Whoever writes to a board holds its level first, as the judge does: no deadlock.
    Level.objects.select_for_update().get(pk=level.pk)
    Level.objects.filter(pk=level.pk).update(board_version=F("board_version") + 1)
    for player in players:
        Best.objects.filter(level=level, player=player).delete()
        Best.objects.bulk_create(_bests(level, player))


def _bests(level: Level, player: Player) -> Iterable[Best]:
    for board, results in _results(level, player):
        for metric in Metric:
            ranked = [values(result, metric) for result in results]
            if ranked:
                best = min(
                    ranked, key=lambda row: (row["first"], row["second"], row["received_at"], row["submission"].pk)
                )
                yield Best(level=level, board=board, player=player, metric=metric, **best)


def _results(level: Level, player: Player) -> Iterable[tuple[Board, list[Submission]]]:
    """What counts on each board; a spectator answer leaves when its player has solved the level (rule 13.6)."""
    judged = Submission.objects.of(player).filter(level=level).without_text().select_related("player")
    contest = list(judged.counted())
    yield Board.CONTEST, contest
    if not contest:
        yield Board.SPECTATOR, list(judged.counted(Verdict.SPECTATOR))
    yield Board.PRACTICE, list(judged.accepted().filter(is_practice=True, voided_at=None))
