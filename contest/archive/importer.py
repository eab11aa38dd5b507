"""Bring old rounds in, from archives or from tables, for a club that moves in (rules 3.3, 24.1; docs/archive.md).

A round comes in whole or not at all. What was sent keeps its own time and is marked imported; moves are judged by the
judge as always, and a result without moves is taken at its word and marked as never replayed. Players come in as
imported: nobody enters under such a name until its owner proves it or an organiser gives it back.
"""

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from contest import judging, levels, players, results, rounds
from contest.archive import format as archived
from contest.archive.incoming import ImportedRound, Incoming, NotImported
from contest.infra import clock
from contest.models import (
    MAIN,
    AuditEntry,
    Disqualification,
    Door,
    Level,
    LuckyNumber,
    Note,
    Player,
    Reader,
    Round,
    Submission,
    Track,
    Verdict,
)
from contest.players.entering import lock_by_name
from contest.players.names import DELETED, keys, no_keys
from contest.rounds import lucky_number, numbering
from contest.rules import canonical
from contest.staff import audit_log
from contest.wording.bilingual import Reason
from contest.wording.verdicts import problem_words


@transaction.atomic
def store(incoming: Incoming, *, by: audit_log.Actor = None) -> ImportedRound:
    """Bring a round in, or raise NotImported with every reason there is; the same one again changes nothing."""
    rounds.hold_calendar()
    if _is_here(incoming):
        return ImportedRound(incoming.number, is_new=False)
    if faults := list(_conflicts(incoming)):
        raise NotImported(*faults)
    at = clock.now()
    round_ = _round(incoming)
    placed = {level.slot: level for level in _levels(incoming, round_)}
    people, new, known = _players(incoming, at)
    _rulings(incoming, round_, people)
    not_replayed = _submissions(incoming, round_, placed, people)
    _finalise(incoming, round_, people, at, by)
    after = {"seal": incoming.seal, "source": incoming.source, "submissions": len(incoming.rows)}
    audit_log.record(by, "import", round_, after=after)
    return ImportedRound(
        round_.number,
        is_new=True,
        submissions=len(incoming.rows),
        not_replayed=not_replayed,
        new_players=tuple(new),
        known_players=tuple(known),
    )


def _is_here(incoming: Incoming) -> bool:
    done = AuditEntry.objects.filter(act="import", target=f"round {incoming.number}")
    return any(entry.after.get("seal") == incoming.seal for entry in done)


def _conflicts(incoming: Incoming) -> Iterator[str]:
    """What stands in the way, before anything is written."""
    yield from (f"{incoming.source}: {why}" for why in _reasons(incoming))


def _reasons(incoming: Incoming) -> Iterator[str]:
    about, number = incoming.about, incoming.number
    if Round.objects.filter(number=number).exists():
        yield _("there is a round %(number)s already.") % {"number": number}
    closes_at = _time(about["closes_at"])
    if closes_at >= clock.now():
        words = _("round %(number)s closes at %(at)s; only a closed one comes in.")
        yield words % {"number": number, "at": about["closes_at"]}
    if about["make_up_opens_at"] and not about["make_up_closes_at"]:
        yield _("the make-up window has no end.")
    yield from _reasons_of_track(number, about)
    keys: dict[str, str] = {}
    for player in incoming.players.values():
        if player.name == DELETED:
            continue
        try:
            key = players.name_key(players.clean_nickname(player.name))
        except players.BadName as bad:
            words = _("the nickname %(name)s cannot be used. %(why)s")
            yield words % {"name": repr(player.name), "why": bad.words}
            continue
        if key in keys:
            words = _("%(name)s and %(other)s are one nickname (rule 4.5).")
            yield words % {"name": repr(player.name), "other": repr(keys[key])}
        keys[key] = player.name
    for slot, board in incoming.boards.items():
        if board.unjudgeable:
            words = _("the level %(slot)s cannot be judged (%(why)s).")
            yield words % {"slot": slot, "why": problem_words(board.unjudgeable)}


def _reasons_of_track(number: int, about: Mapping[str, Any]) -> Iterator[str]:
    track, place = about.get("track", MAIN), about.get("number_in_track")
    if not Track.objects.filter(slug=track).exists():
        words = _("round %(number)s is of the track %(track)s, which is not here; make it first.")
        yield words % {"number": number, "track": track}
    others = Round.objects.filter(track=track).exclude(announced_at=None)
    if place and others.filter(number_in_track=place).exists():
        yield _("there is a round %(number)s already.") % {"number": f"{track}-{place}"}
    for other in others.overlapping(_time(about["opens_at"]), _time(about["closes_at"])).exclude(number=number):
        words = _("round %(number)s was open while round %(other)s was.")
        yield words % {"number": number, "other": other.number}


# Writing


def _time(text: str) -> datetime:
    at = parse_datetime(text)
    if at is None:
        raise NotImported(_("%(text)s is no time.") % {"text": repr(text)})
    return at


def _round(incoming: Incoming) -> Round:
    about = incoming.about
    times = {name: _time(about[name]) if about[name] else None for name in _TIMES}
    round_ = Round(
        number=incoming.number,
        track_id=about.get("track", MAIN),
        title_zh=about["title_zh"],
        title_en=about["title_en"],
        settings=dict(about["settings"]),
        commitment=about["commitment"] or "",
        is_imported=True,
        archive_format=1,
        **times,
        **_read_cancellation(about.get("cancelled")),
    )
    round_.announced_at = round_.announced_at or round_.opens_at
    round_.number_in_track = about.get("number_in_track") or numbering.next_in_track(round_)
    if about["lucky"]:
        round_.save()
        LuckyNumber.objects.create(round=round_, **_lucky(about["lucky"]))
    else:
        lucky_number.save_committed(round_)
    return round_


def _lucky(told: Mapping[str, Any]) -> dict[str, Any]:
    beacon = told.get("beacon") or {"round": None, "value": None}
    plain = {name: told[name] for name in ("number", "salt", "is_typed")}
    return {**plain, "beacon_round": beacon["round"], "beacon_value": beacon["value"] or ""}


def _read_cancellation(told: Mapping[str, Any] | None) -> dict[str, Any]:
    if told is None:
        return {}
    reasons = {"cancel_reason_zh": told["reason_zh"], "cancel_reason_en": told["reason_en"]}
    return {"cancelled_at": _time(told["at"]), **reasons}


_TIMES = ("announced_at", "opens_at", "closes_at", "make_up_opens_at", "make_up_closes_at")


def _levels(incoming: Incoming, round_: Round) -> Iterator[Level]:
    """The levels, each with the shortest solution there is in place of an organiser's own."""
    for told in incoming.about["levels"]:
        slot, void = told["slot"], told["void"] or {}
        solved = [
            row.lurd for row in incoming.rows if row.slot == slot and row.verdict == archived.ACCEPTED and row.lurd
        ]
        level = Level(round=round_, slot=slot, title=told["title"], author=told["author"])
        levels.fill(level, levels.AdmittedLevel(incoming.boards[slot], min(solved, key=len, default="")))
        level.voided_at = _time(void["at"]) if void else None
        level.void_reason_zh, level.void_reason_en = void.get("reason_zh", ""), void.get("reason_en", "")
        level.save()
        yield level


def _players(incoming: Incoming, at: datetime) -> tuple[dict[int, Player], list[str], list[str]]:
    """The players by the file's numbers: those known by number or name, the others new; and the names of both."""
    found: dict[int, Player] = {}
    new: list[str] = []
    known: list[str] = []
    for told in incoming.players.values():
        player = _find_player(told, has_number=incoming.has_numbers)
        (known if player else new).append(told.name)
        found[told.number] = player or _new(told, at, has_number=incoming.has_numbers)
    return found, new, known


def _find_player(told: archived.Player, *, has_number: bool) -> Player | None:
    """Rule 4.5: the same nickname is the same player, wherever it was first used."""
    if has_number and (player := Player.objects.filter(archive_number=told.number).first()):
        return player.merged_into or player
    return None if told.name == DELETED else lock_by_name(told.name)


def _new(told: archived.Player, at: datetime, *, has_number: bool) -> Player:
    player = Player(country=told.country, league=told.league, created_at=at, is_imported=True)
    if has_number:
        player.archive_number = told.number
    if told.name == DELETED:
        player.nickname, player.name_key, player.erased_at = DELETED, secrets.token_hex(16), at
        player.save()
        Player.objects.filter(pk=player.pk).update(**no_keys(player.pk))
    else:
        player.nickname = players.clean_nickname(told.name)
        for name, value in keys(player.nickname).items():
            setattr(player, name, value)
        player.save()
    return player


def _rulings(incoming: Incoming, round_: Round, people: Mapping[int, Player]) -> None:
    for told in incoming.about["disqualified"]:
        Disqualification.objects.create(
            round=round_,
            player=people[told["player"]],
            ruled_at=_time(told["ruled_at"]),
            reason_zh=told["reason_zh"],
            reason_en=told["reason_en"],
        )
    for told in incoming.about["notes"]:
        Note.objects.create(round=round_, **{**told, "written_at": _time(told["written_at"])})


def _submissions(incoming: Incoming, round_: Round, placed: Mapping[str, Level], people: Mapping[int, Player]) -> int:
    """Store what was sent, and have it judged; return how many results could not be replayed."""
    made = [_submission(row, round_, people[row.player]) for row in incoming.rows]
    _tell_apart(made)
    Submission.objects.bulk_create(made, batch_size=100)
    told = dict(zip((submission.pk for submission in made), incoming.rows, strict=True))
    unplayed = {
        pk: judging.Statement(Verdict(row.verdict), placed[row.slot], row.moves, row.pushes)
        for pk, row in told.items()
        if not row.lurd
    }
    entered = Submission.objects.filter(round=round_)
    if unplayed:
        judging.take_at_their_word(entered.filter(pk__in=unplayed), unplayed)
    judging.judge_all(entered)
    faults = []
    for submission in entered.without_text().select_related("level"):
        row = told[submission.pk]
        slot = submission.level.slot if submission.level else ""
        found = (submission.verdict, slot, submission.moves, submission.pushes)
        if found != (row.verdict, row.slot, row.moves, row.pushes):
            faults.append(
                _(
                    "%(file)s: submission %(number)s is said to be %(verdict)s on %(slot)s with %(moves)s moves and "
                    "%(pushes)s pushes; the judge says %(found)s, %(found_moves)s and %(found_pushes)s."
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
    return len(unplayed)


def _submission(row: archived.Submission, round_: Round, player: Player) -> Submission:
    void = row.void or {}
    told = {"moves": row.moves, "pushes": row.pushes}
    if row.sha256 is None:  # not even the text's hash is published (rule 24.2)
        told["number"] = row.number
    text = (row.lurd or canonical.json_line(told)).encode()
    return Submission(
        receipt_id=secrets.token_urlsafe(18),
        original_number=row.number,
        round=round_,
        player=player,
        sent_as=player,
        slot_named=row.slot,
        text=text,
        sha256=row.sha256 or hashlib.sha256(text).hexdigest(),
        door=Door.IMPORT,
        reader=Reader.RUN_LENGTH,
        received_at=_time(row.received_at),
        is_imported=True,
        is_hors_concours=row.is_hors_concours,
        is_unpublished=row.lurd is None,
        voided_at=_time(void["at"]) if void else None,
        void_reason_zh=void.get("reason_zh", ""),
        void_reason_en=void.get("reason_en", ""),
    )


_READERS = (Reader.RUN_LENGTH, Reader.LENIENT, Reader.LEGACY)


def _tell_apart(made: Iterable[Submission]) -> None:
    """The same text may have come in by doors that read differently (rule 5.6); plain moves read alike in all."""
    seen: dict[tuple[int, str, str], int] = {}
    for submission in made:
        key = (submission.player.pk, submission.slot_named, submission.sha256)
        seen[key] = seen.get(key, -1) + 1
        if seen[key] >= len(_READERS):
            words = _("The same text stands more than %(count)s times for one player and level.")
            raise NotImported(words % {"count": len(_READERS)})
        submission.reader = _READERS[seen[key]]


def _finalise(
    incoming: Incoming, round_: Round, people: Mapping[int, Player], at: datetime, by: audit_log.Actor
) -> None:
    """Make a round final that was; its results are computed here, from what was brought in (rule 14.1)."""
    if incoming.published is None:
        return
    if not incoming.about["revisions"]:
        results.finalise(round_, at=at, by=by)
        return
    revision = incoming.about["revisions"][-1]
    drawn = incoming.published["draw"] or {}
    kept = people[drawn["lucky"]].archive_number if drawn.get("kept_from") else None
    words = (
        Reason(revision["reason_zh"], revision["reason_en"]) if revision["reason_zh"] + revision["reason_en"] else None
    )
    results.adopt(
        round_,
        revision["revision"],
        finalised_at=_time(incoming.about["finalised_at"]),
        made_at=_time(revision["made_at"]),
        reason=words,
        kept=kept,
        kept_from=drawn.get("kept_from"),
    )
