"""A round's lucky number: chosen and committed to before anybody can know it matters (rule 11)."""

from django.db import transaction

from contest import draw
from contest.models import LuckyNumber, Round


@transaction.atomic
def save_committed(round_: Round) -> None:
    """Save *round_* with a commitment to a number that nobody sees (rules 11.3, 11.4); keep the one it has.

    The commitment names the round's number, so a draft that changes its number gets a new one.
    """
    kept = LuckyNumber.objects.filter(round=round_.pk).first() if round_.pk else None
    if kept and round_.commitment == draw.commitment(round_.number, kept.number, kept.salt):
        round_.save()
        return
    number, salt = draw.new_number(), draw.new_salt()
    round_.commitment = draw.commitment(round_.number, number, salt)
    round_.save()
    LuckyNumber.objects.update_or_create(round=round_, defaults={"number": number, "salt": salt, "is_typed": False})
