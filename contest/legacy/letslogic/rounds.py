"""Rounds as letslogic programs see them: a round is a collection, its slots are its levels."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet

from contest import submissions, visibility
from contest.infra import clock
from contest.legacy.letslogic.words import NO_BEST, WRONG, Bests, NotAccepted, SolvedLevel, level_of
from contest.levels.files import LAST_ROUND, number_of, place_of
from contest.models import Best, Board, Door, Level, Metric, Round, Token, Verdict
from contest.players import api_tokens
from contest.rankings import standings
from contest.rankings.pareto import ALL_TIME, EVERYONE
from contest.submissions import Entry

PATIENCE = 5.0


def collections(token: Token, at: datetime) -> list[dict[str, Any]]:
    """Return every round that has opened."""
    opened = visibility.opened_rounds(api_tokens.viewer(token), at).filter(number__lte=LAST_ROUND)
    return [
        {
            "id": round_.number,
            "title": str(round_),
            "author": ", ".join(dict.fromkeys(level.author for level in round_.levels.all() if level.author)),
            "description": round_.title or None,
            "levels": len(round_.levels.all()),
        }
        for round_ in opened.prefetch_related("levels")
    ]


def levels(token: Token, number: int, at: datetime) -> list[dict[str, Any]]:
    """Return the levels of a round with the player's own bests; empty if it has not opened."""
    visible_levels = _levels(token, at).filter(round__number=number)
    return [level_of(number_of(level), level, _own_bests(level, token)) for level in visible_levels]


def enter(token: Token, key: int, solution: str, address: str, at: datetime) -> SolvedLevel:
    """Enter a solution of a level in an open round, or as practice in a round that is over (rule 20.1).

    Raise Level.DoesNotExist, submissions.Refused, or NotAccepted with a message.
    """
    number, slot = place_of(key)
    level = _levels(token, at).get(round__number=number, slot=slot)
    before = _own_bests(level, token)
    entry = Entry(
        nickname=token.player.nickname,
        moves=solution,
        round=level.round.number,
        slot=level.slot,
        practice=_takes_practice(level.round),
    )
    receipt = submissions.accept(entry, door=Door.API, viewer=api_tokens.viewer(token), address=address)
    submission = submissions.wait_for_verdict(receipt.submission, settings.LEGACY_WAIT_SECONDS)
    if submission.is_pending:
        submission = submissions.judge_now(submission)
    submission = submissions.wait_for_verdict(submission, PATIENCE) if submission.is_pending else submission
    moves, pushes = submission.moves, submission.pushes
    if submission.verdict != Verdict.ACCEPTED or submission.level_id != level.pk or moves is None or pushes is None:
        raise NotAccepted(WRONG if submission.verdict else f"Received as {submission.number}, still being checked")
    level.refresh_from_db(fields=["board_version"])  # its standings are cached by this version
    return SolvedLevel(moves, pushes, before, _own_bests(level, token))


def solved_levels(token: Token, at: datetime) -> list[Level]:
    """Return the levels on which the player has a best in the contest; practice does not count."""
    bests = Best.objects.filter(level=OuterRef("pk"), player=token.player, board=Board.CONTEST)
    return list(_levels(token, at).filter(Exists(bests)))


def _levels(token: Token, at: datetime) -> QuerySet[Level]:
    return visibility.levels(api_tokens.viewer(token), at).filter(round__number__lte=LAST_ROUND)


def records(token: Token, levels: Iterable[Level]) -> Iterator[tuple[int, Bests]]:
    """Yield the player's bests in contests on *levels*. Ten queries for each."""
    for level in levels:
        if (own_bests := _own_bests(level, token, in_contest=True)) != NO_BEST:
            yield number_of(level), own_bests


def _own_bests(level: Level, token: Token, *, in_contest: bool = False) -> Bests:
    """Return the bests of the token's player by each metric.

    If the round takes practice, the bests are of all time (rule 20.1), because a new solution can still improve them.
    Practice is no record *in_contest*.
    """
    if not in_contest and _takes_practice(level.round):
        league, board = EVERYONE, ALL_TIME
    else:
        league, board = standings.league_of(token.player, level.round), Board.CONTEST
    by_moves, by_pushes = (_best(level, metric, token, league, board) for metric in Metric)
    return by_moves, by_pushes


def _best(level: Level, metric: Metric, token: Token, league: str, board: str) -> dict[str, int] | None:
    rank = standings.rank_of(level, metric, token.player, league, board)
    best = standings.best_rows(level, metric, league, board).filter(player=token.player).first()
    if rank is None or best is None:
        return None
    points = standings.count(level, metric, league=league, board=board) - rank + 1
    return {"rank": rank, "points": points, "moves": best.moves, "pushes": best.pushes}


def _takes_practice(round_: Round) -> bool:
    return visibility.practice_rounds(clock.received_at()).filter(pk=round_.pk).exists()
