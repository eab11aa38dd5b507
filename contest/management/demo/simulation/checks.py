"""Checks of the database after a simulated season; everything is computed again or summed in another way."""

import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from contest.archive import writer
from contest.judging import consistency, receipt_chain
from contest.management.demo.simulation.season import SeasonReport
from contest.models import League, Rating, Round, Submission
from contest.models.season import YEAR
from contest.rankings import ratings
from contest.rules import tabulation
from contest.stats import hall_of_fame, seasons
from contest.visibility import Viewer

_ANYBODY = Viewer()
_AT_ONCE = 2
_PATIENCE = 60.0
_SUMMED = ("rounds", "half_points", "mmc", "mpc", "second", "lucky")


def problems(played: SeasonReport, at: datetime) -> Iterator[str | None]:
    """Yield a message for each inconsistency, and None after each checked round, for a progress bar."""
    finals = list(Round.objects.filter(number__in=played.numbers).order_by("number"))
    _bind(finals)
    yield from _counts(played, finals)
    yield from _sums(at)
    yield from _ratings()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(_AT_ONCE) as workers:
        files = [_archive(round_, at, Path(folder)) for round_ in finals]
        for round_, faults in zip(finals, workers.map(_verify, files), strict=True):
            yield from faults
            yield from _boards(round_)
            yield None


def _bind(finals: Sequence[Round]) -> None:
    """Complete the receipt chain; it can be delayed by concurrent transactions, even in other databases."""
    until = time.monotonic() + _PATIENCE
    unbound = Submission.objects.filter(round__in=finals, chain_link=None)
    while receipt_chain.append_all() or (unbound.exists() and time.monotonic() < until):
        time.sleep(0.05)


def _counts(played: SeasonReport, finals: Sequence[Round]) -> Iterator[str]:
    """Check that each acknowledged submission was judged exactly once."""
    stored = Submission.objects.filter(round__in=finals)
    if stored.waiting().exists():
        yield f"{stored.waiting().count()} submissions were never judged"
    # A text that is sent again gets the first receipt, so there may be more responses than rows.
    if not played.judged == stored.count() <= played.stored:
        yield f"{played.stored} receipts, {stored.count()} submissions, {played.judged} verdicts"


def _boards(round_: Round) -> Iterator[str]:
    """Compare the stored boards with recomputed ones, and the published tables with their submissions."""
    yield from map(str, consistency.boards(round_))
    for snapshot in round_.snapshots.all():
        for table in tabulation.differences(snapshot.document):
            yield f"{snapshot}: {table} is not what its submissions give"


def _sums(at: datetime) -> Iterator[str]:
    """Compare the hall of fame with sums over the published documents, and the seasons with the hall of fame."""
    published = [
        snapshots[-1].document
        for round_ in Round.objects.final(at).prefetch_related("snapshots")
        if (snapshots := sorted(round_.snapshots.all(), key=lambda snapshot: snapshot.revision))
    ]
    stored: dict[int, Counter[str]] = {}
    for league in League:
        for _rank, tally in hall_of_fame.hall(_ANYBODY, at, league=league):
            stored.setdefault(tally.player.archive_number, Counter()).update(
                {name: getattr(tally, name) for name in _SUMMED}
            )
    added = _add_up(published)
    for player in sorted(stored.keys() | added.keys()):
        if +stored.get(player, Counter()) != +added.get(player, Counter()):
            yield f"hall of fame, player {player}: {stored.get(player)}, by the results {added.get(player)}"
    yield from _seasons(at, {player: counts["half_points"] for player, counts in stored.items()})


def _add_up(published: Iterable[Mapping[str, Any]]) -> dict[int, Counter[str]]:
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    for document in published:
        drawn, champions = document["draw"] or {"lucky": None}, document["champions"]
        for player in {row["player"] for row in document["submissions"]} | {drawn["lucky"]} - {None}:
            sums[player]["rounds"] += 1
        for row in document["points"]:
            sums[row["player"]]["half_points"] += row["move_half_points"] + row["push_half_points"]
        titles = {
            "mmc": champions["moves"],
            "mpc": champions["pushes"],
            "second": champions["second"],
            "lucky": drawn["lucky"],
        }
        for title, player in titles.items():
            if player is not None:
                sums[player][title] += 1
    return sums


def _seasons(at: datetime, points: Mapping[int, int]) -> Iterator[str]:
    """Check that the years add up to the hall of fame: each final round belongs to one calendar year."""
    years: Counter[int] = Counter()
    for season in seasons.seasons(_ANYBODY, at):
        if YEAR.fullmatch(season.slug):
            for league in League:
                for _rank, tally in seasons.table(_ANYBODY, season, at, league):
                    years[tally.player.archive_number] += tally.half_points
    if +years != +Counter(points):
        yield "the seasons do not add up to the hall of fame"


def _ratings() -> Iterator[str]:
    """Check that ratings computed round by round equal a complete recomputation."""
    before = _read_ratings()
    with transaction.atomic():
        ratings.replay()
        after = _read_ratings()
        transaction.set_rollback(True)
    if before != after:
        yield f"{len(before)} ratings are not what a replay of the history gives"


def _read_ratings() -> set[tuple[Any, ...]]:
    return set(Rating.objects.values_list("round", "player", "league", "mu", "sigma"))


def _archive(round_: Round, at: datetime, folder: Path) -> Path:
    path = folder / f"round-{round_.number}.zip"
    with path.open("wb") as file:
        file.writelines(writer.write(writer.of(round_, at)))
    return path


def _verify(path: Path) -> list[str]:
    """Verify an archive as anybody can: with the program alone, without the site."""
    done = subprocess.run(  # noqa: S603 - our own program on a file of our own
        [sys.executable, "-m", "contest.verify", path],
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    return [] if done.returncode == 0 else [f"{path.name}: {done.stdout}{done.stderr}"]
