"""A round's lucky number: chosen and committed to before anybody can know it matters (rule 11)."""

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from contest.models import LuckyNumber, Round
from contest.rules import lucky_draw, settings
from contest.staff import audit_log


@transaction.atomic
def save_committed(round_: Round) -> None:
    """Save *round_* with a commitment (rule 11.3): to a number that nobody sees (rule 11.4), or to the one typed.

    The commitment names the round's number, so a draft that changes its number gets a new one.
    """
    kept = LuckyNumber.objects.filter(round=round_.pk).first() if round_.pk else None
    if kept and kept.is_typed and settings.of(round_.settings).lucky_source == "server":
        kept = None
    if kept and round_.commitment == lucky_draw.commitment(round_.number, kept.number, kept.salt):
        round_.save()
    elif kept and kept.is_typed:
        _commit(round_, kept.number, is_typed=True)
    else:
        _commit(round_, lucky_draw.new_number(), is_typed=False)


@transaction.atomic
def type_number(round_: Round, number: int, *, at: datetime, by: audit_log.Actor) -> None:
    """Let an organiser choose L before the opening (rule 11.3); the page will say so (rule 11.13)."""
    round_ = Round.objects.select_for_update().get(pk=round_.pk)
    if round_.announced_at and round_.opens_at <= at:
        raise ValidationError(_("The round has opened: its lucky number stays."))
    if not 0 <= number <= lucky_draw.LARGEST:
        raise ValidationError(
            _("The lucky number is a whole number from 0 to %(most)s.") % {"most": lucky_draw.LARGEST}
        )
    round_.settings = {**round_.settings, "lucky_source": "typed"}
    _commit(round_, number, is_typed=True)
    audit_log.record(by, "type lucky number", round_)


def is_as_committed(round_: Round) -> bool:
    """Whether number and salt are those behind the commitment (rule 14.2)."""
    kept = LuckyNumber.objects.filter(round=round_).first()
    return kept is not None and round_.commitment == lucky_draw.commitment(round_.number, kept.number, kept.salt)


def is_typed(round_: Round) -> bool:
    """Whether an organiser chose the number (rule 11.13)."""
    return LuckyNumber.objects.filter(round=round_.pk, is_typed=True).exists()


def _commit(round_: Round, number: int, *, is_typed: bool) -> None:
    salt = lucky_draw.new_salt()
    round_.commitment = lucky_draw.commitment(round_.number, number, salt)
    round_.save()
    LuckyNumber.objects.update_or_create(round=round_, defaults={"number": number, "salt": salt, "is_typed": is_typed})
