"""Effects of an act, found by running it and rolling it back, so that they are exactly what the act changes.

Organisers see them before they decide (rules 6.13, 15.3): changes in rankings, points and titles, the public notes,
and the entries in the audit log.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from threading import get_ident
from typing import Any

from django.db import transaction
from django.db.models.signals import post_save
from django.utils.translation import gettext as _

from contest import results, visibility
from contest.models import AuditEntry, Note, Player, Round, Slot
from contest.rules import scoring
from contest.rules.phases import Phase
from contest.wording.verdicts import TITLE_WORDS

# Key of a table of a round: a ranking (league, slot, metric), the points, or a title. A table maps each player to a
# value; smaller is better: the rank, the negated half points, or 1 for a title.
_Table = tuple[str, ...]
_Tables = dict[_Table, dict[int, int]]
_POINTS = ("points",)


@dataclass(frozen=True)
class Change:
    """A player whose value in a table of a round changes; an empty value means not in the table."""

    round: Round
    table: str
    player: Player
    before: str
    after: str
    is_better: bool


@dataclass(frozen=True)
class Consequences:
    """The effects of an act, prepared for the template."""

    changes: list[Change]
    notes: list[Note]
    entries: list[AuditEntry]
    # Final rounds with changed rankings: the published results stay as they are until a revision (rule 14.4).
    final: list[Round]
    effects: list[str]

    @property
    def gaining(self) -> int:
        return len({change.player.pk for change in self.changes if change.is_better})

    @property
    def losing(self) -> int:
        return len({change.player.pk for change in self.changes if not change.is_better})


def preview_act(
    act: Callable[[], object],
    rounds: Iterable[Round],
    at: datetime,
    effects: Callable[[], Iterable[str]] = tuple,
) -> Consequences:
    """Run *act*, compute the tables of *rounds* and its other *effects*, and roll back. Its errors are raised here too.

    The act must change only rows: a message that was sent cannot be rolled back.
    """
    keys = [round_.pk for round_ in rounds]
    # Outside the transaction, which blocks other writers.
    before = _all_tables(keys, at)
    with transaction.atomic(), _watch_rows(Note) as notes, _watch_rows(AuditEntry) as entries:
        try:
            act()
            after = _all_tables(keys, at)
            other_effects = list(effects())
        finally:
            transaction.set_rollback(True)
    changes = list(_changes(before, after))
    final = {change.round.pk: change.round for change in changes if change.round.phase(at) is Phase.FINAL}
    return Consequences(changes, notes, entries, list(final.values()), other_effects)


@contextmanager
def _watch_rows(model: Any) -> Iterator[list[Any]]:
    """Collect the rows of *model* that this thread creates in the block; rows of other threads are not the act's."""
    rows: list[Any] = []
    own = get_ident()

    def collect(instance: Any, *, created: bool, **_signal: Any) -> None:
        if created and get_ident() == own:
            rows.append(instance)

    post_save.connect(collect, sender=model, weak=False)
    try:
        yield rows
    finally:
        post_save.disconnect(collect, sender=model)


def _all_tables(rounds: Iterable[int], at: datetime) -> dict[int, _Tables]:
    return {round_.pk: _tables(round_, at) for round_ in Round.objects.filter(pk__in=rounds)}


def _tables(round_: Round, at: datetime) -> _Tables:
    """Return the current rankings; points and titles as published, or as they would be (rules 8.7, 14.1)."""
    live, current = results.live(round_, at), results.current(round_, at)
    player_of = {row["number"]: row["player"] for row in live["submissions"]}
    found: _Tables = {
        (league, slot, metric): {player_of[number]: rank for rank, number in enumerate(numbers, 1)}
        for league, of_league in live["rankings"].items()
        for slot, both in of_league.items()
        for metric, numbers in both.items()
    }
    if visibility.may_preview_points(round_, at):
        found[_POINTS] = {
            row["player"]: -(row["move_half_points"] + row["push_half_points"]) for row in current["points"]
        }
    if visibility.may_see_results(round_, at):
        champions, drawn = current["champions"], current["draw"] or {"lucky": None}
        holders = {"MMC": champions["moves"], "MPC": champions["pushes"], "second": champions["second"]}
        holders["lucky"] = drawn["lucky"]
        found |= {("title", title): {player: 1} for title, player in holders.items() if player}
    return found


def _changes(before: dict[int, _Tables], after: dict[int, _Tables]) -> Iterator[Change]:
    moved = [
        (key, table, player, was, now)
        for key in before
        for table in sorted(before[key].keys() | after[key].keys())
        for player, was, now in _moves_between(before[key].get(table, {}), after[key].get(table, {}))
    ]
    rounds = Round.objects.in_bulk({key for key, *_rest in moved})
    numbers = {player for _key, _table, player, _was, _now in moved}
    players = {player.archive_number: player for player in Player.objects.filter(archive_number__in=numbers)}
    for key, table, player, was, now in moved:
        is_better = was is None or (now is not None and now < was)
        yield Change(
            rounds[key], _label(table), players[player], _show_value(table, was), _show_value(table, now), is_better
        )


def _moves_between(before: dict[int, int], after: dict[int, int]) -> Iterator[tuple[int, int | None, int | None]]:
    """Yield the players with a changed value, the best first."""
    pairs = [(player, before.get(player), after.get(player)) for player in before.keys() | after.keys()]
    best = sorted(pairs, key=lambda pair: (min(value for value in pair[1:] if value is not None), pair[0]))
    return (pair for pair in best if pair[1] != pair[2])


def _label(table: _Table) -> str:
    if table == _POINTS:
        return _("points")
    if table[0] == "title":
        return str(TITLE_WORDS[table[1]])
    _league, slot, metric = table
    by = {"moves": _("%(level)s by moves"), "pushes": _("%(level)s by pushes")}[metric]
    return by % {"level": Slot(slot).label}


def _show_value(table: _Table, value: int | None) -> str:
    if value is None:
        return ""
    if table == _POINTS:
        return scoring.half_points(-value)
    return "✓" if table[0] == "title" else str(value)
