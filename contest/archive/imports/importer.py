"""Import old rounds from archives or tables, for a club that moves here (rules 3.3, 24.1; docs/reference/archive.md).

A round is imported completely or not at all. Submissions keep their own times and are marked as imported. The judge
replays moves as always; a result without moves is accepted as stated and marked as never replayed. Players are
created as imported: nobody can enter under such a name until its owner proves it or an organiser gives it back."""

import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial
from itertools import count
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from contest import judging, players, results, rounds
from contest.archive import format as archived
from contest.archive.imports.incoming import (
    ImportedRound,
    Incoming,
    NotImported,
    assign_readers,
    conflicts,
    levels_of,
    parse_time,
    round_of,
    submission_of,
)
from contest.infra import clock
from contest.models import (
    AuditEntry,
    Disqualification,
    Level,
    LuckyNumber,
    Note,
    Player,
    Round,
    Submission,
    Verdict,
)
from contest.models.level import in_order
from contest.players.entering import find_player, lock_by_name
from contest.players.names import DELETED, keys, no_keys
from contest.rankings import ratings
from contest.rounds import lucky_number
from contest.staff import audit_log
from contest.wording.bilingual import Reason


def store_all(rounds_read: Iterable[Incoming], *, by: audit_log.Actor = None) -> Iterator[ImportedRound]:
    """Import rounds, and rate them once at the end. Raise NotImported with the reasons of the first bad one.

    Each round is a transaction, because it blocks all other writers on SQLite; the rounds before a bad one stay
    imported. Check all with a `Preview` first.
    """
    numbers: list[int] = []
    try:
        for incoming in rounds_read:
            numbers.append(incoming.number)
            yield store(incoming, by=by, rates=False)
    finally:
        list(rate(numbers))


@transaction.atomic
def store(
    incoming: Incoming, *, by: audit_log.Actor = None, rates: bool = True, job: int | None = None
) -> ImportedRound:
    """Import a round, or raise NotImported with all reasons; importing the same round again changes nothing.

    The audit log records the round and its new players with *job*, the import that can be undone (`undo`).
    """
    rounds.lock_calendar()
    if _is_imported(incoming):
        return ImportedRound(incoming.number, is_new=False)
    if faults := list(conflicts(incoming)):
        raise NotImported(*faults)
    at = clock.now()
    round_ = round_of(incoming)
    _save_with_lucky_number(round_, incoming.about["lucky"])
    levels = {level.slot: level for level in levels_of(incoming, round_)}
    for level in levels.values():
        level.save()
    players_by_number, new = _find_or_create_players(
        incoming, partial(_find_player, named=lock_by_name), partial(_create_player, at=at)
    )
    _store_rulings(incoming, round_, players_by_number)
    not_replayed = _store_submissions(incoming, round_, levels, players_by_number)
    _finalise(incoming, round_, players_by_number, at)
    created = sorted(players_by_number[number].pk for number in new)
    after = {"seal": incoming.seal, "source": incoming.source, "submissions": len(incoming.rows)}
    after |= {"import": job, "round": round_.pk, "players": created}
    audit_log.record(by, "import", round_, after=after)
    if rates:
        list(rate([incoming.number]))
    return _summarise(incoming, not_replayed, new)


def rate(numbers: Iterable[int]) -> Iterator[None]:
    """Rate the imported rounds with these *numbers* and all rounds after the first (rule 22.1), some a transaction."""
    final = Round.objects.filter(number__in=list(numbers), is_imported=True).exclude(finalised_at=None)
    return ratings.update_in_steps(*final.select_related("track"))


class Preview:
    """Preview the import of files, one after another. Nothing is stored, and no lock is held."""

    def __init__(self) -> None:
        self._rounds: dict[str, Round] = {}  # by seal
        self._players: dict[object, Player] = {}
        self._spare_keys = count(-1, -1)  # primary keys of players that are not stored

    def look_at(self, rounds_read: Iterable[Incoming]) -> list[ImportedRound]:
        """Return the outcome of importing the rounds of one file, or raise NotImported as `store` would."""
        previous_state = self._rounds.copy(), self._players.copy()
        try:
            return [self._look_at(incoming) for incoming in rounds_read]
        except NotImported:
            self._rounds, self._players = previous_state
            raise

    def _look_at(self, incoming: Incoming) -> ImportedRound:
        if incoming.seal in self._rounds or _is_imported(incoming):
            return ImportedRound(incoming.number, is_new=False)
        if faults := list(conflicts(incoming, list(self._rounds.values()))):
            raise NotImported(*faults)
        round_ = round_of(incoming)
        players_by_number, new = _find_or_create_players(incoming, self._find, self._new)
        submissions = [submission_of(row, round_, players_by_number[row.player]) for row in incoming.rows]
        assign_readers(submissions)
        levels = in_order(levels_of(incoming, round_))
        replayed = [
            (row, judging.dry_run(submission, levels))
            for row, submission in zip(incoming.rows, submissions, strict=True)
            if row.lurd
        ]
        _check_verdicts(incoming, replayed)
        self._rounds[incoming.seal] = round_
        return _summarise(incoming, len(submissions) - len(replayed), new)

    def _find(self, archived_player: archived.Player, *, has_number: bool) -> Player | None:
        """Return the stored player, or the one that an earlier file would create."""
        if player := _find_player(archived_player, named=find_player, has_number=has_number):
            return player
        return next(
            (
                self._players[key]
                for key in _player_keys(archived_player, has_number=has_number)
                if key in self._players
            ),
            None,
        )

    def _new(self, archived_player: archived.Player, *, has_number: bool) -> Player:
        player = Player(pk=next(self._spare_keys), league=archived_player.league)
        self._players |= {
            key: player for key in _player_keys(archived_player, has_number=has_number) if key not in self._players
        }
        return player


def _summarise(incoming: Incoming, not_replayed: int, new: Collection[int]) -> ImportedRound:
    return ImportedRound(
        incoming.number,
        is_new=True,
        submissions=len(incoming.rows),
        not_replayed=not_replayed,
        levels=len(incoming.boards),
        solutions=len(incoming.solutions),
        remarks=incoming.remarks,
        new_players=tuple(player.name for number, player in incoming.players.items() if number in new),
        known_players=tuple(player.name for number, player in incoming.players.items() if number not in new),
    )


def sums(rounds_imported: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return the sums over new rounds, as stored with an import."""
    new = [row for row in rounds_imported if row["is_new"]]
    names = ("submissions", "not_replayed", "levels", "solutions")
    totals = {name: sum(row.get(name, 0) for row in new) for name in names}
    return {
        "rounds": len(new),
        "replayed": totals["submissions"] - totals["not_replayed"],
        "remarks": sum(len(row.get("remarks", ())) for row in new),
        **totals,
    }


def _is_imported(incoming: Incoming) -> bool:
    if not Round.objects.filter(number=incoming.number, is_imported=True).exists():  # it may have been undone
        return False
    imports = AuditEntry.objects.filter(act="import", target=f"round {incoming.number}")
    return any(entry.after.get("seal") == incoming.seal for entry in imports)


def _save_with_lucky_number(round_: Round, lucky: Mapping[str, Any] | None) -> None:
    if lucky:
        round_.save()
        LuckyNumber.objects.create(round=round_, **_lucky_fields(lucky))
    else:
        lucky_number.save_committed(round_)


def _lucky_fields(lucky: Mapping[str, Any]) -> dict[str, Any]:
    beacon = lucky.get("beacon") or {"round": None, "value": None}
    fields = {name: lucky[name] for name in ("number", "salt", "is_typed")}
    return {
        **fields,
        "beacon_round": beacon["round"],
        "beacon_value": beacon["value"] or "",
        "beacon_signature": beacon.get("signature") or "",
    }


def _find_or_create_players(
    incoming: Incoming, find_player: Callable[..., Player | None], make: Callable[..., Player]
) -> tuple[dict[int, Player], set[int]]:
    """Return the players by the file's numbers, and the numbers of the new ones."""
    has_number = incoming.has_numbers
    players_by_number: dict[int, Player] = {}
    new: set[int] = set()
    for archived_player in incoming.players.values():
        player = find_player(archived_player, has_number=has_number)
        if player is None:
            player = make(archived_player, has_number=has_number)
            new.add(archived_player.number)
        players_by_number[archived_player.number] = player
    return players_by_number, new


def _find_player(
    archived_player: archived.Player, *, named: Callable[[str], Player | None], has_number: bool
) -> Player | None:
    """Rule 4.5: the same nickname is the same player, wherever it was first used."""
    if has_number and (player := Player.objects.filter(archive_number=archived_player.number).first()):
        return player.merged_into or player
    return None if archived_player.name == DELETED else named(archived_player.name)


def _player_keys(archived_player: archived.Player, *, has_number: bool) -> list[object]:
    """Return the number and names under which `_find_player` would find this player if it were stored."""
    number: list[object] = [archived_player.number] if has_number else []
    if archived_player.name == DELETED:
        return number
    names = keys(players.clean_nickname(archived_player.name))
    return [*number, names["name_key"], *filter(None, [names["look_key"]])]


def _create_player(archived_player: archived.Player, *, at: datetime, has_number: bool) -> Player:
    player = Player(country=archived_player.country, league=archived_player.league, created_at=at, is_imported=True)
    if has_number:
        player.archive_number = archived_player.number
    if archived_player.name == DELETED:
        player.nickname, player.name_key, player.erased_at = DELETED, secrets.token_hex(16), at
        player.save()
        Player.objects.filter(pk=player.pk).update(**no_keys(player.pk))
    else:
        player.nickname = players.clean_nickname(archived_player.name)
        for name, value in keys(player.nickname).items():
            setattr(player, name, value)
        player.save()
    return player


def _store_rulings(incoming: Incoming, round_: Round, players_by_number: Mapping[int, Player]) -> None:
    for ruling in incoming.about["disqualified"]:
        reasons = {name: ruling[name] for name in ("reason_zh", "reason_en")}
        # Two names in the archive may be one player here.
        Disqualification.objects.get_or_create(
            round=round_,
            player=players_by_number[ruling["player"]],
            defaults={"ruled_at": parse_time(ruling["ruled_at"]), **reasons},
        )
    for ruling in incoming.about["notes"]:
        Note.objects.create(round=round_, **{**ruling, "written_at": parse_time(ruling["written_at"])})


def _store_submissions(
    incoming: Incoming, round_: Round, levels: Mapping[str, Level], players_by_number: Mapping[int, Player]
) -> int:
    """Store the submissions and have them judged; return the number of results that could not be replayed."""
    submissions = [submission_of(row, round_, players_by_number[row.player]) for row in incoming.rows]
    assign_readers(submissions)
    Submission.objects.bulk_create(submissions, batch_size=100)
    rows_by_pk = dict(zip((submission.pk for submission in submissions), incoming.rows, strict=True))
    not_replayed = {
        pk: judging.Statement(Verdict(row.verdict), levels[row.slot], row.moves, row.pushes)
        for pk, row in rows_by_pk.items()
        if not row.lurd
    }
    entered = Submission.objects.filter(round=round_)
    if not_replayed:
        judging.accept_as_reported(entered.filter(pk__in=not_replayed), not_replayed)
    judging.judge_all(entered)
    judged = entered.without_text().select_related("level")
    _check_verdicts(incoming, ((rows_by_pk[submission.pk], submission) for submission in judged))
    return len(not_replayed)


def _check_verdicts(incoming: Incoming, judged: Iterable[tuple[archived.Submission, Submission]]) -> None:
    """Raise NotImported with every row that the judge disagrees with."""
    faults = []
    for row, submission in judged:
        slot = submission.level.slot if submission.level else ""
        judged_values = (submission.verdict, slot, submission.moves, submission.pushes)
        if judged_values != (row.verdict, row.slot, row.moves, row.pushes):
            faults.append(
                _(
                    "%(file)s: submission %(number)s is recorded as %(verdict)s on %(slot)s with %(moves)s moves and "
                    "%(pushes)s pushes; the judge found %(found)s, %(found_moves)s and %(found_pushes)s."
                )
                % {
                    "file": incoming.source,
                    "number": row.number,
                    "verdict": row.verdict,
                    "slot": row.slot,
                    "moves": row.moves,
                    "pushes": row.pushes,
                    "found": submission.verdict or "–",
                    "found_moves": submission.moves,
                    "found_pushes": submission.pushes,
                }
            )
    if faults:
        raise NotImported(*faults)


def _finalise(incoming: Incoming, round_: Round, players_by_number: Mapping[int, Player], at: datetime) -> None:
    """Make the round final if it was; its results are recomputed from the imported rows (rule 14.1)."""
    if incoming.published is None:
        return
    if not incoming.about["revisions"]:
        results.adopt(round_, 1, finalised_at=at, made_at=at)
        return
    revision = incoming.about["revisions"][-1]
    draw = incoming.published["draw"] or {}
    previous_player = players_by_number[draw["lucky"]].archive_number if draw.get("kept_from") else None
    reason = (
        Reason(revision["reason_zh"], revision["reason_en"]) if revision["reason_zh"] + revision["reason_en"] else None
    )
    results.adopt(
        round_,
        revision["revision"],
        finalised_at=parse_time(incoming.about["finalised_at"]),
        made_at=parse_time(revision["made_at"]),
        reason=reason,
        kept=previous_player,
        kept_from=draw.get("kept_from"),
    )
