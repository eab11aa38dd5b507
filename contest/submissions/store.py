"""Store arrivals, many in one transaction (rules 4.3 to 4.12, 5.5, 5.6, 5.9).

One statement locks all players and one reads their submissions; then each arrival is decided in order, in Python; then
one statement inserts the accepted rows. Each is decided as if those before it had been stored already.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import takewhile
from typing import Any

from django.db import connection
from django.db.models import Q
from django.utils.translation import override

from contest import players
from contest.infra.database import bulk_statements as bulk
from contest.models import Door, Player, Submission
from contest.submissions import eligibility, limits, repeats
from contest.submissions.arrival import Arrival
from contest.submissions.entry import Entry, Receipt, Refused, bad_name
from contest.visibility import Viewer

# The columns to insert; the first one identifies a row.
_COLUMNS = (
    "receipt_id", "round", "player", "sent_as", "slot_named", "text", "sha256", "door", "reader", "idempotency_key",
    "received_at", "is_practice", "is_hors_concours", "cost", "turn_at", "open_network",
)  # fmt: skip


@dataclass(repr=False)
class _Row:
    """An accepted submission that is not written yet; its receipt is the answer at *place*."""

    place: int
    arrival: Arrival
    player: Player
    claim: str | None
    submission: Submission


class Store:
    """The first of *arrivals*, as many as fit into the caller's transaction.

    An arrival is stored alone if it changes its player's row, uses another of the player's names, or must wait for a
    lock on the row. If it is first and others follow, nothing is stored: they must not wait, nor their locks be held.
    """

    def __init__(self, arrivals: Sequence[Arrival]) -> None:
        self._locked = players.lock_all([arrival.entry.nickname for arrival in arrivals])
        new: set[str] = set()
        batch = list(takewhile(lambda arrival: self._fits_batch(arrival, new), arrivals))
        self._is_alone, self._has_others = not batch, len(arrivals) > 1
        self._arrivals = batch or arrivals[:1]
        self._answers: list[Receipt | Refused | None] = [None] * len(self._arrivals)
        self._rows: list[_Row] = []
        self._newest: dict[int, list[Submission]] = {}
        # For players with several arrivals: existing or pending rows with the same texts or keys.
        self._known: dict[int | None, list[Submission]] = {}

    def answers(self) -> Sequence[Receipt | Refused | None]:
        """Return the answer to each arrival; None if it must be stored alone, or its new nickname was just taken.

        Raise Refused for an arrival stored alone, which rolls back its changes.
        """
        if self._is_alone and self._has_others:
            return [None]
        if not self._is_alone:
            self._read_history()
        for place, arrival in enumerate(self._arrivals):
            with override(arrival.language):
                try:
                    self._decide(place, arrival)
                except Refused as refusal:
                    self._refuse(place, refusal)
        self._write()
        return self._answers

    def _fits_batch(self, arrival: Arrival, new: set[str]) -> bool:
        """Return True if nothing is written but its row, and a *new* player's row."""
        key, entry = arrival.name_key, arrival.entry
        if player := self._locked.players.get(key):
            return not vars(player)["has_aliases"] and not players.would_change(player, entry.country, entry.email)
        names = {key, self._locked.free.get(key, key)} - {""}
        if key not in self._locked.free or names & new:
            return False
        new |= names
        return True

    def _read_history(self) -> None:
        """Read the rows that count against quotas, and possible duplicates of players with several arrivals."""
        senders = [self._locked.players.get(arrival.name_key) for arrival in self._arrivals]
        players_by_key = {player.pk: player for player in senders if player}
        self._newest = {pk: [] for pk in players_by_key}
        # While the players are locked, no other process can add rows that count.
        if connection.vendor == "postgresql":
            newest = (
                limits.newest_of_all([player.name_key for player in players_by_key.values()]) if players_by_key else []
            )
        else:
            newest = [row for player in players_by_key.values() for row in limits.newest_of(player)]
        for row in newest:
            self._newest[row.player_id].append(row)
        counts = Counter(player.pk for player in senders if player)
        self._known = {pk: [] for pk, count in counts.items() if count > 1}
        if self._known:
            texts = {arrival.sha256 for arrival in self._arrivals}
            keys = {arrival.entry.idempotency_key for arrival in self._arrivals} - {""}
            duplicates = Submission.objects.filter(
                Q(sha256__in=texts) | Q(idempotency_key__in=keys), sent_as__in=self._known
            )
            for row in duplicates.without_text():
                self._known[row.sent_as_id].append(row)

    def _decide(self, place: int, arrival: Arrival) -> None:
        """Answer the arrival, or queue a row for writing. Raise Refused."""
        sender = self._locked.players.get(arrival.name_key)
        known = self._known.get(sender.pk) if sender else None
        texts_and_keys = {arrival.sha256, arrival.entry.idempotency_key or arrival.sha256}
        if known and any(row._state.adding and texts_and_keys & {row.sha256, row.idempotency_key} for row in known):
            self._write()  # so that it can be found and answered as a repeat
        player, claim = self._admit_sender(arrival)
        network = arrival.network if player.is_open else None
        newest = [] if claim or player.pk is None else self._newest_of(player, network)
        if known and limits.needs_more_queries(newest, len(arrival.text)):
            self._write()
        refusal = limits.over_quota(player, newest, arrival.round, arrival.at, size=len(arrival.text), network=network)
        # After a merge the same text may exist under another name, which no constraint catches.
        if refusal or known or vars(player)["has_aliases"]:
            earlier = repeats.find_earlier(arrival, player) if known is None else repeats.find_same(known, arrival)
            if earlier:
                self._answers[place] = repeats.repeat_receipt(earlier, arrival, player)
                return
        if refusal:
            raise refusal
        submission = Submission(
            receipt_id=secrets.token_urlsafe(18),
            player=player,
            sent_as=player,
            text=arrival.text,
            door=arrival.door,
            idempotency_key=arrival.entry.idempotency_key or None,
            open_network=network or "",
            received_at=arrival.at,
            cost=round(arrival.seconds * 1_000_000),
            turn_at=limits.turn_at(newest, arrival.at, arrival.turn_delay, arrival.share),
            # Practice is open to everybody: it enters no results.
            is_hors_concours=not arrival.entry.practice
            and eligibility.is_hors_concours(arrival.round, player, arrival.viewer),
            **arrival.identity,
        )
        self._rows.append(_Row(place, arrival, player, claim, submission))
        if known is not None:
            known.append(submission)

    def _newest_of(self, player: Player, network: str | None) -> Sequence[Submission]:
        """Return the rows that count against quotas, including pending ones; of one *network*, if given."""
        waiting = [row.submission for row in self._rows if row.player is player]
        if network is not None:
            waiting = [row for row in waiting if row.open_network == network]
            return limits.newest_first([*limits.newest_of(player, network), *waiting])
        if player.pk not in self._newest:
            return limits.newest_of(player)
        return limits.newest_first([*self._newest[player.pk], *waiting])

    def _admit_sender(self, arrival: Arrival) -> tuple[Player, str | None]:
        """Return the sender, locked and proved; or a new player, stored with the pending rows. Raise Refused."""
        entry, known = arrival.entry, None if self._is_alone else self._locked.players.get(arrival.name_key)
        secret = partial(repeats.first_secret, entry, arrival.sha256, arrival.address)
        if self._is_alone or known:
            sender = arrival.door, arrival.viewer, arrival.at, arrival.address
            return _find_or_create_player(entry, arrival.identity, *sender, secret=secret, known=known)
        try:
            players.check_new(entry.nickname)
        except players.BadName as error:
            raise bad_name(error) from None
        limits.pass_gate(arrival.address)
        details: dict[str, Any] = {"country": entry.country, "email": entry.email, "door": arrival.door}
        return players.build_player(entry.nickname, **details, at=arrival.at, secret=secret())

    def _write(self) -> None:
        """Write and answer the pending rows."""
        rows, self._rows = self._rows, []
        players.store_players([row.player for row in rows if row.player.pk is None])
        rows = [row for row in rows if row.player.pk is not None]
        for row in rows:
            row.submission.player = row.submission.sent_as = row.player
        bulk.insert([row.submission for row in rows], _COLUMNS)
        for row in rows:
            # Constraints detect duplicates, which costs less than a query before every insert.
            if row.submission.pk:
                self._answers[row.place] = Receipt(row.submission, row.claim)
                self._newest.get(row.player.pk, []).append(row.submission)
            else:
                self._answer_with_existing(row)

    def _answer_with_existing(self, row: _Row) -> None:
        """Answer with the existing submission."""
        with override(row.arrival.language):
            try:
                earlier = repeats.find_earlier(row.arrival, row.player)
            except Refused as refusal:
                self._refuse(row.place, refusal)
                return
        if earlier is None:
            raise RuntimeError("A submission that is neither new nor there already.")
        self._answers[row.place] = repeats.repeat_receipt(earlier, row.arrival, row.player)

    def _refuse(self, place: int, refusal: Refused) -> None:
        if self._is_alone:
            raise refusal
        self._answers[place] = refusal


def entrant(entry: Entry, sha256: str, viewer: Viewer | None, at: datetime, address: str) -> tuple[Player, str | None]:
    """Return the player of a person's *entry*, locked and proved, and a new player's secret; *sha256* is the text's.

    The caller has checked the limit of *address*. A retry with the key and text of a request with a lost answer gets
    the same secret (rule 5.10). Raise Refused.
    """

    def find(proof: str) -> tuple[Player, str | None]:
        secret = partial(repeats.first_secret, entry, sha256, address)
        proved = replace(entry, claim=proof)
        return _find_or_create_player(proved, {"sha256": sha256}, Door.WEB, viewer, at, "", secret=secret)

    def secret_again() -> str:
        return "" if entry.claim else repeats.secret_again(entry, sha256, at, address)

    try:
        player, claim = find(entry.claim or secret_again())
    except Refused:
        # The same request, sent twice at once, may have created the nickname while this one waited.
        if not (secret := secret_again()):
            raise
        player, claim = find(secret)
    return player, claim or repeats.repeated_claim(entry, player, sha256, at, address)


def _find_or_create_player(
    entry: Entry,
    identity: dict[str, Any],
    door: Door,
    viewer: Viewer | None,
    at: datetime,
    address: str,
    *,
    secret: Callable[[], str],
    known: Player | None = None,
) -> tuple[Player, str | None]:
    """Return the player of the nickname, locked and proved; or a new one with its secret.

    *known* is the player, if already locked; *address* is "" if it has passed its limit.
    """
    details: dict[str, Any] = {"claim": entry.claim, "email": entry.email, "country": entry.country}
    details |= {"door": door, "viewer": viewer, "unproved": partial(limits.pass_gate, address)}
    player, claim = known, None
    try:
        if player:
            players.admit(player, **details)
        else:
            player, claim = players.enter(entry.nickname, at=at, secret=secret(), **details)
    except players.BadName as error:
        raise bad_name(error) from None
    except players.NameTaken as taken:
        player = taken.player
        if not repeats.is_repeat(entry, player, identity):
            raise Refused("name_taken", str(taken), status=409, field="nickname") from None
    eligibility.check_door(player, door)
    return player, claim
