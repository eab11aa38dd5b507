"""Prizes: announced, won, and handed over (rule 14.8).

Only the winner can enter a delivery address. An organiser's reading of it is logged, and it is erased
when the prize is handed over, goes to another player, or after KEPT_DAYS.
"""

from datetime import date, datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils.translation import gettext as _

from contest.infra import clock
from contest.models import Player, Prize, Sponsor
from contest.models.outreach.prize import LONGEST_CONTACT
from contest.players.acts import lock_own
from contest.staff import audit_log
from contest.staff.audit_log import Actor

KEPT_DAYS = 90
_NO_CONTACT: dict[str, Any] = {"contact": "", "contact_at": None}


@transaction.atomic
def save(row: Prize | Sponsor, *, by: Actor) -> None:
    """Save a prize or a sponsor. Raise ValidationError."""
    row.full_clean()
    stored = type(row)._default_manager.select_for_update().get(pk=row.pk) if row.pk else None
    if isinstance(row, Prize) and isinstance(stored, Prize):
        _check_round(row, stored)
    before = _facts(stored) if stored else {}
    fields = [field.name for field in _fields(row)]
    row.save(update_fields=fields if stored else None)
    act = f"{'change' if stored else 'make'} {row._meta.model_name}"
    audit_log.record(by, act, row, before=before, after=_facts(row))


@transaction.atomic
def award(prize: Prize, player: Player | None, *, by: Actor) -> None:
    """Set or (with None) remove the winner, and erase the previous winner's address. Raise ValidationError."""
    held = _lock(prize)
    if held.round.finalised_at is None:
        raise ValidationError(_("Winners are named once the results are final."))
    if held.handed_at:
        raise ValidationError(_("This prize has been handed over."))
    if player and not player.placings.filter(round=held.round).exists():
        raise ValidationError(_("Only a player ranked in the results of this round can win its prizes."))
    if (player.pk if player else None) == held.player_id:
        return
    Prize.objects.filter(pk=held.pk).give(player)
    Prize.objects.filter(pk=held.pk).update(awarded_at=clock.now() if player else None)
    after = {"player": player.pk if player else None}
    audit_log.record(by, "award prize", held, before={"player": held.player_id}, after=after)


@transaction.atomic
def give_contact(prize: Prize, player: Player, text: str, *, at: datetime, by: Actor) -> None:
    """Store the delivery address of *player*, the winner; an empty text erases it. Raise ValidationError."""
    lock_own(player)  # an erasure, or the next owner, may just have deleted the earlier address
    held = _lock(prize)
    if held.player_id != player.pk or held.handed_at:
        raise ValidationError(_("You do not need to enter delivery details for this prize."))
    text = text.strip()
    if len(text) > LONGEST_CONTACT:
        raise ValidationError(_("At most %(most)s characters.") % {"most": f"{LONGEST_CONTACT:,}"})
    Prize.objects.filter(pk=held.pk).update(contact=text, contact_at=at if text else None)
    audit_log.record(by, "give contact" if text else "take contact back", held)


@transaction.atomic
def read_contact(prize: Prize, *, by: Actor) -> str:
    """Return the winner's address for an organiser, and log the access."""
    held = _lock(prize)
    if held.contact:
        audit_log.record(by, "read contact", held)
    return held.contact


@transaction.atomic
def hand_over(prize: Prize, *, at: datetime, by: Actor) -> None:
    """Mark the prize as handed over and erase the address. Raise ValidationError."""
    held = _lock(prize)
    if held.player_id is None or held.handed_at:
        raise ValidationError(_("Only a prize that was won and not handed over yet can be handed over."))
    Prize.objects.filter(pk=held.pk).update(handed_at=at, **_NO_CONTACT)
    audit_log.record(by, "hand prize over", held)


def forget_old(at: datetime) -> int:
    """Erase addresses given KEPT_DAYS ago or earlier; return how many."""
    return Prize.objects.known_since(at - timedelta(days=KEPT_DAYS)).update(**_NO_CONTACT)


def _lock(prize: Prize) -> Prize:
    return Prize.objects.select_for_update(of=("self",)).select_related("round").get(pk=prize.pk)


def _check_round(row: Prize, stored: Prize) -> None:
    """Keep a won prize in its round: the winner has a place in its results, and maybe in no other."""
    if row.round_id != stored.round_id and (stored.player_id or stored.handed_at):
        raise ValidationError({"round": _("This prize has been won and cannot be moved to another round.")})


def _fields(row: models.Model) -> list[Any]:
    """Return the fields that organisers fill in."""
    return [field for field in row._meta.concrete_fields if field.editable and not field.primary_key]


def _facts(row: models.Model) -> dict[str, Any]:
    values = {field.name: getattr(row, field.attname) for field in _fields(row)}
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in values.items()}
