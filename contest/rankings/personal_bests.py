"""Each player's best on each board of a level (rule 8.4): kept as verdicts come, counted anew after a ruling."""

from collections.abc import Collection, Iterable
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from contest.models import Best, Board, Level, Metric, Placing, Player, Submission, Verdict
from contest.models.submission import SubmissionQuerySet

_Place = tuple[Any, str, int, str]  # level, board, player, metric
_Key = tuple[Any, ...]


def enter(judged: Collection[Submission]) -> None:
    """Let what counts of *judged*, whose verdicts have just been written, onto its boards.

    The caller holds their levels. Whose they are is read only now: since the claim, a merger may have given one to
    another player (rule 4.13).
    """
    by_number = {submission.pk: submission for submission in judged}
    entered: list[tuple[Board, Submission]] = []
    for board, counted in _counted(Submission.objects.filter(pk__in=by_number)):
        if any(_is_for(board, submission) for submission in judged):
            for row in counted.select_related("player").only("pk", "player"):
                by_number[row.pk].player = row.player
                entered.append((board, by_number[row.pk]))
    keep(entered)
    if any(submission.round.takes_spectators for submission in judged):
        _see_spectators_off(judged)


def _is_for(board: Board, submission: Submission) -> bool:
    """Whether *board* is the one that could take it; whether it does is for the database to say."""
    if submission.is_practice:
        return board == Board.PRACTICE
    return board == (Board.SPECTATOR if submission.verdict == Verdict.SPECTATOR else Board.CONTEST)


def _counted(judged: SubmissionQuerySet) -> Iterable[tuple[Board, SubmissionQuerySet]]:
    """What of *judged* each board takes (rules 1.7, 13.5, 20.1)."""
    yield Board.CONTEST, judged.counted()
    yield Board.SPECTATOR, judged.counted(Verdict.SPECTATOR)
    yield Board.PRACTICE, judged.practised()


def _see_spectators_off(judged: Collection[Submission]) -> None:
    """Rule 13.6: who has solved the level leaves its spectator board, whichever was judged first."""
    solved = Best.objects.filter(board=Board.CONTEST, level=OuterRef("level"), player=OuterRef("player"))
    Best.objects.filter(
        Exists(solved),
        board=Board.SPECTATOR,
        level__in={submission.level_id for submission in judged},
        player__in={submission.player_id for submission in judged},
    ).delete()


def keep(results: Iterable[tuple[Board, Submission]]) -> None:
    """Let each of *results* take its player's best rows where it is better; an equal one sent later never does.

    The caller holds their levels, so nobody writes between the reading and the writing.
    """
    best: dict[_Place, tuple[_Key, Submission]] = {}
    for board, result in results:
        for metric in Metric:
            place, key = (result.level_id, board, result.player_id, metric), _key(metric, result)
            if place not in best or key < best[place][0]:
                best[place] = key, result
    levels, players = {place[0] for place in best}, {place[2] for place in best}
    held = Best.objects.filter(level__in=levels, player__in=players)
    for level, board, player, metric, *key in held.values_list("level", "board", "player", "metric", *Best.KEY):
        place = level, board, player, metric
        if place in best and tuple(key) <= best[place][0]:
            del best[place]
    Best.objects.bulk_create(
        [_row(place, key, result) for place, (key, result) in best.items()],
        update_conflicts=True,
        unique_fields=["level", "board", "player", "metric"],
        update_fields=["submission", "league", "first", "second", "received_at"],
    )


def _key(metric: str, result: Submission) -> _Key:
    """Rule 8.4: the columns of Best.KEY, in their order."""
    counts = (result.moves, result.pushes) if metric == Metric.MOVES else (result.pushes, result.moves)
    return *counts, result.received_at, result.pk


def _row(place: _Place, key: _Key, result: Submission) -> Best:
    level, board, player, metric = place
    columns = {"level_id": level, "board": board, "player_id": player, "metric": metric, "league": result.player.league}
    return Best(**columns, **dict(zip(Best.KEY, key, strict=True)))


@transaction.atomic
def show_anew(player: Player) -> None:
    """Raise the version of every board whose lists name *player*: what they say of them has changed.

    The list of submissions names them also where they stand on no board, by what was voided.
    """
    levels = Level.objects.filter(
        Q(pk__in=Best.objects.filter(player=player).values("level"))
        | Q(pk__in=Submission.objects.of(player).exclude(level=None).values("level"))
        | Q(round__in=Placing.objects.filter(player=player).values("round"))
    )
    # In one order, as all who write to boards hold them.
    held = list(levels.select_for_update().order_by("pk").values_list("pk", flat=True))
    Level.objects.filter(pk__in=held).update(board_version=F("board_version") + 1)


@transaction.atomic
def recount(level: Level, players: Iterable[Player]) -> None:
    """Make the best rows of *players* on *level* anew from what counts (rule 1.7), and raise the board's version."""
    # Whoever writes to a board holds its level first, as the judge does: no deadlock.
    Level.objects.select_for_update().get(pk=level.pk)
    Level.objects.filter(pk=level.pk).update(board_version=F("board_version") + 1)
    for player in players:
        Best.objects.filter(level=level, player=player).delete()
        judged = Submission.objects.of(player).filter(level=level).without_text().select_related("player")
        rows = [(board, result) for board, counted in _counted(judged) for result in counted]
        keep(rows)
        _see_spectators_off([result for _board, result in rows])
