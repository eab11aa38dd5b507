"""Published collections as letslogic programs see them, as far as their authors allow downloads (rule 26)."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from contest import visibility
from contest.legacy.letslogic.words import NO_BEST, WRONG, Bests, NotAccepted, SolvedLevel, level_of
from contest.levels.files import FIRST_COLLECTED
from contest.library import collection_files
from contest.models import CollectedLevel, League, LevelResult, Metric, Token
from contest.players import api_tokens
from contest.rankings import collected
from contest.submissions import Entry, Refused, at_once


def collections(token: Token, at: datetime) -> list[dict[str, Any]]:
    """Return every published collection that may be downloaded."""
    return [
        {
            "id": FIRST_COLLECTED + collection.pk,
            "title": str(collection),
            "author": collection.author,
            "description": collection.remarks or None,
            "levels": collection.count,
        }
        for collection in visibility.collections(api_tokens.viewer(token), at).filter(may_download=True)
    ]


def count_levels(token: Token, number: int, address: str, at: datetime) -> None:
    """Count the levels of a collection like those of its file. Raise rate_limits.Busy."""
    for collection in visibility.collections(api_tokens.viewer(token), at).filter(pk__in=_keys(number)):
        collection_files.count(collection, address)


def levels(token: Token, number: int, at: datetime) -> list[dict[str, Any]]:
    """Return the levels of a collection with the player's own bests; empty if there is no such collection."""
    visible_levels = _levels(token, at).filter(collection__in=_keys(number)).order_by("place")
    own_bests = _own_bests(token, visible_levels)
    return [level_of(FIRST_COLLECTED + level.pk, level, own_bests.get(level.pk, NO_BEST)) for level in visible_levels]


def enter(token: Token, key: int, solution: str, address: str, at: datetime) -> SolvedLevel:
    """Store a solution. Raise CollectedLevel.DoesNotExist, submissions.Refused, or NotAccepted with a message."""
    matches = _levels(token, at).filter(pk__in=_keys(key))
    level = matches.get()
    if token.player.league == League.BOT:
        raise NotAccepted("Collections rank people alone; a program enters in rounds.")
    before = _own_bests(token, matches).get(level.pk, NO_BEST)
    entry = Entry(nickname=token.player.nickname, moves=solution)
    try:
        receipt = at_once.accept_collected(
            entry, level, viewer=api_tokens.viewer(token), address=address, is_token=True
        )
    except Refused as refusal:
        if refusal.code == "not_solved":
            raise NotAccepted(WRONG) from None
        raise
    return SolvedLevel(
        receipt.result.moves, receipt.result.pushes, before, _own_bests(token, matches).get(level.pk, NO_BEST)
    )


def records(token: Token, at: datetime) -> Iterator[tuple[int, Bests]]:
    """Yield the player's bests by level."""
    for level, bests in _own_bests(token, _levels(token, at)).items():
        yield FIRST_COLLECTED + level, bests


def _keys(number: int) -> list[int]:
    """Return the primary key behind *number* as a list; empty if it is larger than any key."""
    return [number - FIRST_COLLECTED] if number < 2**31 else []


def _levels(token: Token, at: datetime) -> QuerySet[CollectedLevel]:
    """Levels whose collection allows downloads; pages show the others to players, but this API does not."""
    shown = visibility.collected_levels(api_tokens.viewer(token), at).filter(collection__may_download=True)
    return shown.select_related("collection")


def _own_bests(token: Token, levels: QuerySet[CollectedLevel]) -> dict[int, Bests]:
    """Return the bests of the token's player by each metric, for the *levels* that the player has solved."""
    blue, green = (collected.places(levels, metric, token.player) for metric in Metric)
    pushed = {row.level_id: _best(row, rank) for row, rank in green}
    return {row.level_id: (_best(row, rank), pushed[row.level_id]) for row, rank in blue if row.level_id in pushed}


def _best(row: LevelResult, rank: int) -> dict[str, int]:
    return {"rank": rank, "points": row.level.solvers - rank + 1, "moves": row.moves, "pushes": row.pushes}
