"""A round's lucky number: chosen, and committed to before anybody can know its effect (rule 11)."""

import json
from contextlib import suppress
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from contest.infra import clock
from contest.models import LuckyNumber, Round
from contest.rules import beacons, lucky_draw, settings
from contest.rules.phases import Phase
from contest.staff import audit_log


@transaction.atomic
def save_committed(round_: Round) -> None:
    """Save *round_* with a commitment (rule 11.3): to a number that nobody sees (rule 11.4), or to the typed one.

    The commitment includes the round's number, so a draft whose number changes gets a new commitment.
    """
    stored = LuckyNumber.objects.filter(round=round_.pk).first() if round_.pk else None
    if stored and stored.is_typed and settings.of(round_.settings).lucky_source == "server":
        stored = None
    if stored and round_.commitment == lucky_draw.commitment(round_.number, stored.number, stored.salt):
        round_.save()
    elif stored and stored.is_typed:
        _commit(round_, stored.number, is_typed=True)
    else:
        _commit(round_, lucky_draw.new_number(), is_typed=False)


@transaction.atomic
def type_number(round_: Round, number: int, *, at: datetime, by: audit_log.Actor) -> None:
    """Set the number L that an organiser typed before the opening (rule 11.3); the page will say so (rule 11.13)."""
    round_ = Round.objects.select_for_update(no_key=True).get(pk=round_.pk)
    at = clock.after_waiting(at)
    if round_.announced_at and round_.opens_at <= at:
        raise ValidationError(_("The round has opened: its lucky number can no longer be changed."))
    if not 0 <= number <= lucky_draw.LARGEST:
        raise ValidationError(
            _("The lucky number is a whole number from 0 to %(most)s.") % {"most": lucky_draw.LARGEST}
        )
    round_.settings = {**round_.settings, "lucky_source": "typed"}
    _commit(round_, number, is_typed=True)
    audit_log.record(by, "type lucky number", round_)


def _is_committed(round_: Round, stored: LuckyNumber | None) -> bool:
    return stored is not None and round_.commitment == lucky_draw.commitment(round_.number, stored.number, stored.salt)


def is_typed(round_: Round) -> bool:
    """Return True if an organiser chose the number (rule 11.13)."""
    return LuckyNumber.objects.filter(round=round_.pk, is_typed=True).exists()


def beacon_of(round_: Round, number: LuckyNumber) -> beacons.BeaconShare | None:
    """Return the beacon's contribution to the round's draw (rule 11.14); None if it uses no beacon."""
    name = settings.of(round_.settings).lucky_beacon
    if name == beacons.NONE:
        return None
    return beacons.BeaconShare(name, _beacon_round(round_, number, name), number.beacon_value or None)


def _beacon_round(round_: Round, number: LuckyNumber, name: str) -> int:
    """Return the beacon's round: the one entered, or bound at the last close (rule 24.2), or else that of 11.14."""
    if number.beacon_round:
        return number.beacon_round
    # The closing before a make-up window binds the draw that was planned then.
    end = round_.opening_ends_at or round_.make_up_closes_at or round_.closes_at
    closing = round_.closing_links.filter(closes_at=end).first() if round_.pk else None
    bound = json.loads(closing.document)["beacon"] if closing else None
    return int(bound) if bound else beacons.BEACONS[name].round_at(round_.draws_at)


def missing_for_draw(round_: Round) -> list[str]:
    """Return messages why the draw is impossible; empty if it is possible (rules 11.15, 14.2)."""
    if not settings.of(round_.settings).lucky:
        return []
    number = LuckyNumber.objects.filter(round=round_).first()
    messages = [] if _is_committed(round_, number) else [_("The lucky number does not match its commitment.")]
    beacon = beacon_of(round_, number) if number else None
    if beacon and beacon.value is None:
        messages.append(_("The value of round %(number)s of %(beacon)s is missing.") % _beacon_values(beacon))
    return messages


@transaction.atomic
def enter_beacon(round_: Round, value: str, *, at: datetime, by: audit_log.Actor) -> None:
    """Store the value that the round's beacon published (rule 11.15); after the final results, revise them (11.16)."""
    round_ = Round.objects.select_for_update(no_key=True).get(pk=round_.pk)
    number = LuckyNumber.objects.get(round=round_)
    beacon = beacon_of(round_, number)
    if beacon is None or not settings.of(round_.settings).lucky:
        raise ValidationError(_("This round mixes no public randomness into its draw."))
    if round_.phase(at) not in (Phase.CLOSED, Phase.FINAL):
        raise ValidationError(_("The value is entered after the close."))
    if at < beacons.BEACONS[beacon.name].time_of(beacon.round):
        raise ValidationError(_("Round %(number)s of %(beacon)s is not published yet.") % _beacon_values(beacon))
    value, signature = _read_value(value.strip().lower(), beacon)
    LuckyNumber.objects.filter(round=round_).update(
        beacon_round=beacon.round, beacon_value=value, beacon_signature=signature
    )
    round_.levels.update(board_version=F("board_version") + 1)
    before = {"value": beacon.value} if beacon.value else {}
    audit_log.record(by, "enter beacon value", round_, before=before, after={"round": beacon.round, "value": value})


def _read_value(text: str, beacon: beacons.BeaconShare) -> tuple[str, str]:
    """Return the value and, if *text* is a signature, the signature. Raise ValidationError for a wrong one."""
    if beacons.is_value(text):
        return text, ""
    if not beacons.is_signature(text):
        raise ValidationError({"value": _("A signature has 96 hexadecimal digits; a value has 64 hexadecimal digits.")})
    # Without the package it is stored unchecked: the archive shows it, and anybody can check it.
    with suppress(beacons.NoCurve):
        if not beacons.is_signed(beacon.round, text):
            message = _("This is no signature of round %(number)s of %(beacon)s.") % _beacon_values(beacon)
            raise ValidationError({"value": message})
    return beacons.value_of(text), text


def _beacon_values(beacon: beacons.BeaconShare) -> dict[str, object]:
    return {"number": beacon.round, "beacon": beacon.name}


def _commit(round_: Round, number: int, *, is_typed: bool) -> None:
    salt = lucky_draw.new_salt()
    round_.commitment = lucky_draw.commitment(round_.number, number, salt)
    round_.save()
    LuckyNumber.objects.update_or_create(round=round_, defaults={"number": number, "salt": salt, "is_typed": is_typed})
