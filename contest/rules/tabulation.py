"""Compute all results of a round as a pure function of its counted submissions and settings (rules 8 to 11, 14.1).

The live preview, the final result and recomputations of a published one all use this. It needs no database: its
document contains everything needed to compute it again.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from contest.rules import beacons, lucky_draw, scoring
from contest.rules import canonical as records
from contest.rules import settings as round_settings
from contest.rules.scoring import Champions, Rankings, Total
from contest.rules.settings import RoundSettings

FORMAT = 1  # of the document; incremented when readers must know of a change
HUMAN, ALL = "human", "all"


@dataclass(frozen=True)
class Result:
    """A counted submission (rule 1.7) as input to the rankings."""

    number: int
    player: int
    league: str
    slot: str
    moves: int
    pushes: int
    received_at: datetime


@dataclass(frozen=True)
class Lucky:
    """The revealed inputs of the draw; *previous_player* is the lucky player that a revision keeps (rule 14.5)."""

    commitment: str
    number: int
    salt: str
    is_typed: bool
    previous_player: int | None = None
    previous_revision: int | None = None
    beacon: beacons.BeaconShare | None = None


def lucky_of(
    commitment: str,
    draw: Mapping[str, Any],
    settings: RoundSettings,
    previous_player: int | None,
    previous_revision: int | None,
) -> Lucky:
    """Return a document's number, salt and beacon."""
    beacon = None
    if settings.lucky_beacon != beacons.NONE and draw.get("beacon"):
        beacon = beacons.BeaconShare(settings.lucky_beacon, draw["beacon"]["round"], draw["beacon"]["value"])
    return Lucky(commitment, draw["number"], draw["salt"], draw["is_typed"], previous_player, previous_revision, beacon)


@dataclass(frozen=True)
class RoundTables:
    """The tables of a round. Rankings are by league and slot."""

    rankings: Mapping[str, Mapping[str, tuple[Sequence[Result], Sequence[Result]]]]
    totals: Sequence[Total]
    champions: Champions
    candidates: Sequence[int]
    lucky: int | None


def move_key(result: Result) -> tuple[int, int, datetime, int]:
    """Rules 8.1, 8.4: fewer moves, then fewer pushes, then the earlier submission, then the smaller number."""
    return result.moves, result.pushes, result.received_at, result.number


def push_key(result: Result) -> tuple[int, int, datetime, int]:
    """Rules 8.2, 8.4: fewer pushes, then fewer moves, then the earlier submission, then the smaller number."""
    return result.pushes, result.moves, result.received_at, result.number


def ranking(results: Iterable[Result], key: Callable[[Result], Any]) -> list[Result]:
    """Return each player's best result by *key*, best first (rules 8.3, 8.5)."""
    best: dict[int, Result] = {}
    for result in sorted(results, key=key):
        best.setdefault(result.player, result)
    return list(best.values())


def compute_tables(settings: RoundSettings, results: Iterable[Result], lucky: Lucky | None = None) -> RoundTables:
    """Rank, score, name the champions and draw, from the counted results on the levels that are not void.

    Without *lucky* there are candidates but no draw: the number is not revealed yet, or the draw is off.
    """
    rankings = _rankings(results, together=settings.leagues == "together")
    # Rule 16.4: points, titles and draw are for humans, or for all players if they are ranked together.
    ranked = rankings.get(ALL if settings.leagues == "together" else HUMAN, {})
    levels = {
        slot: Rankings(*([result.player for result in results_by] for results_by in pair))
        for slot, pair in ranked.items()
    }
    totals = scoring.totals(levels, settings.move_points, settings.push_points, settings.scoring_levels)
    champions = scoring.champions(levels.get("main", Rankings()), settings.second_champion)
    holders = [total.player for total in totals]
    candidates = lucky_draw.candidates(holders, champions.seats) if settings.lucky else []
    return RoundTables(rankings, totals, champions, candidates, _draw_lucky(settings, candidates, lucky))


def _rankings(
    results: Iterable[Result], *, together: bool
) -> dict[str, dict[str, tuple[Sequence[Result], Sequence[Result]]]]:
    by_league: dict[str, dict[str, list[Result]]] = {}
    for result in results:
        of_league = by_league.setdefault(ALL if together else result.league, {})
        of_league.setdefault(result.slot, []).append(result)
    return {
        league: {
            slot: (ranking(of_league[slot], move_key), ranking(of_league[slot], push_key))
            for slot in scoring.SLOTS
            if slot in of_league
        }
        for league, of_league in sorted(by_league.items())
    }


def _draw_lucky(settings: RoundSettings, candidates: Sequence[int], lucky: Lucky | None) -> int | None:
    if lucky is None or not settings.lucky:
        return None
    if lucky.previous_player is not None:
        return lucky.previous_player
    number = lucky.number
    if settings.lucky_beacon != beacons.NONE:
        if lucky.beacon is None or lucky.beacon.value is None:
            return None  # rule 11.15: the draw waits for it
        number = beacons.mix(number, lucky.beacon.value)
    index = lucky_draw.lucky_index(number, len(candidates), settings.lucky_formula)
    return None if index is None else candidates[index]


@dataclass(frozen=True)
class Publication:
    """The facts about a round in a document, besides its tables."""

    round: int
    revision: int
    engine: int
    levels: Sequence[Mapping[str, Any]]  # slot, sha256, void
    lurds: Mapping[int, str]  # by submission; rules 7.3 and 15.4 decide which


def document(
    settings: RoundSettings, round_tables: RoundTables, lucky: Lucky | None, facts: Publication
) -> dict[str, Any]:
    """Return a round's results as JSON (rule 14.3): half points, and players by number, never by name."""
    return {
        "format": FORMAT,
        "round": facts.round,
        "revision": facts.revision,
        "engine": facts.engine,
        "settings": settings.as_published(),
        "levels": [dict(level) for level in facts.levels],
        "submissions": [_row(result, facts.lurds.get(result.number)) for result in _ranked_once(round_tables)],
        **_tables(round_tables),
        "draw": _draw(settings, round_tables, lucky),
    }


def tables(published: Mapping[str, Any]) -> dict[str, Any]:
    """Recompute rankings, points, champions and draw of a published document from its ranked submissions.

    A draw kept from an earlier revision is copied from the document, because it depends on that revision's candidates.
    """
    settings = round_settings.parse(published["settings"])
    drawn = published["draw"]
    lucky = None
    if drawn is not None:
        previous_revision = drawn["kept_from"]
        previous_player = drawn["lucky"] if previous_revision else None
        lucky = lucky_of(drawn["commitment"], drawn, settings, previous_player, previous_revision)
    void = {level["slot"] for level in published["levels"] if level["void"]}
    results = [_read(row) for row in published["submissions"] if row["slot"] not in void]
    round_tables = compute_tables(settings, results, lucky)
    return {**_tables(round_tables), "draw": _draw(settings, round_tables, lucky)}


def drawn_by_revision(
    draws: Iterable[tuple[int, Mapping[str, Any] | None]], beacon: Mapping[str, Any] | None
) -> list[tuple[int, int]]:
    """Return the lucky players of published *draws*, with the revision that drew each; the earliest first (rule 14.5).

    *draws* are by revision. One with another value of the *beacon*, which proved wrong, does not count (rule 11.16).
    """
    drawn: dict[int, int] = {}
    for revision, draw in draws:
        if draw and draw["lucky"] is not None and draw.get("beacon") == beacon:
            # A kept player was drawn by an earlier revision, which an imported round may lack.
            drawn.setdefault(draw["kept_from"] or revision, draw["lucky"])
    return sorted(drawn.items())


def differences(published: Mapping[str, Any]) -> list[str]:
    """Return the names of tables in a published document that do not follow from its submissions; empty if all do."""
    return [name for name, table in tables(published).items() if published.get(name) != table]


def canonical(published: Mapping[str, Any]) -> bytes:
    """Return the canonical encoding of a document, the input of its SHA-256."""
    return records.json_line(published).encode()


def digest(published: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical(published)).hexdigest()


def _tables(round_tables: RoundTables) -> dict[str, Any]:
    return {
        "rankings": {
            league: {
                slot: {"moves": _numbers(by_moves), "pushes": _numbers(by_pushes)}
                for slot, (by_moves, by_pushes) in levels.items()
            }
            for league, levels in round_tables.rankings.items()
        },
        "points": [
            {
                "place": place,
                "player": total.player,
                "move_half_points": total.by_moves,
                "push_half_points": total.by_pushes,
            }
            for place, total in enumerate(round_tables.totals, 1)
        ],
        "champions": {
            "moves": round_tables.champions.moves,
            "pushes": round_tables.champions.pushes,
            "second": round_tables.champions.second,
        },
    }


def _draw(settings: RoundSettings, round_tables: RoundTables, lucky: Lucky | None) -> dict[str, Any] | None:
    """Return everything needed to repeat the draw (rule 11.11)."""
    if lucky is None or not settings.lucky:
        return None
    return {
        "commitment": lucky.commitment,
        "number": lucky.number,
        "salt": lucky.salt,
        "is_typed": lucky.is_typed,
        "formula": settings.lucky_formula,
        "candidates": list(round_tables.candidates),
        "lucky": round_tables.lucky,
        "kept_from": lucky.previous_revision,
        **({"beacon": asdict(lucky.beacon)} if lucky.beacon else {}),
    }


def _ranked_once(round_tables: RoundTables) -> list[Result]:
    """Return every ranked submission once, by number."""
    rankings = [
        results_by for levels in round_tables.rankings.values() for pair in levels.values() for results_by in pair
    ]
    return sorted({result for results_by in rankings for result in results_by}, key=lambda result: result.number)


def _numbers(results: Iterable[Result]) -> list[int]:
    return [result.number for result in results]


def _row(result: Result, lurd: str | None) -> dict[str, Any]:
    return {
        "number": result.number,
        "player": result.player,
        "league": result.league,
        "slot": result.slot,
        "moves": result.moves,
        "pushes": result.pushes,
        "received_at": records.instant(result.received_at),
        "lurd": lurd,
    }


def _read(row: Mapping[str, Any]) -> Result:
    received_at = datetime.fromisoformat(row["received_at"])
    return Result(row["number"], row["player"], row["league"], row["slot"], row["moves"], row["pushes"], received_at)
