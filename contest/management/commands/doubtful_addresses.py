"""List email addresses that count as proof only after their owner enters a code sent there; masked, with owner.

Also list the names that accounts owned by their address before 0.7.0. Strangers may have made them and still hold a
secret: --end-secrets ends all secrets and tokens of these names. Their owners sign in and make new tokens.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from allauth.account.models import EmailAddress
from django.core.management.base import BaseCommand, CommandParser
from django.db.models import Count

from contest.models import Player, Subscriber
from contest.players import accounts
from contest.players.email_addresses import canonical_or_none, mask


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--end-secrets", action="store_true", help="end the secrets and tokens of the names listed")

    def handle(self, *, end_secrets: bool, **_options: Any) -> None:
        lines = [*_of_accounts(), *_without_form("player", Player), *_without_form("letters to subscriber", Subscriber)]
        for line in lines:
            self.stdout.write(line)
        self.stdout.write(f"{len(lines)} doubtful addresses")
        for player in accounts.find_unended_names():
            if end_secrets:
                accounts.end_secrets(player, None)
            state = "ended" if end_secrets else "work"
            self.stdout.write(f"player {player.pk}: secrets from before its account {state}")


def _of_accounts() -> Iterator[str]:
    """Yield unverified addresses without a canonical form, with an internationalised domain, or of several accounts."""
    shared = EmailAddress.objects.values("email").annotate(rows=Count("pk")).filter(rows__gt=1).values_list("email")
    shared_by = {email for (email,) in shared}
    for row in EmailAddress.objects.filter(verified=False).order_by("user", "pk"):
        if canonical_or_none(row.email) != row.email:
            why = "has no form that letters reach for certain: ask its owner for another one"
        elif row.email in shared_by:
            why = "is given by several accounts: the first that answers a code has it"
        elif "@xn--" in row.email or ".xn--" in row.email:
            why = "has a domain in other letters: its owner signs in with it once more"
        else:
            continue
        yield f"account {row.user_id}: {mask(row.email)} {why}"


def _without_form(kind: str, model: Any) -> Iterable[str]:
    for row in model.objects.exclude(email="").order_by("pk").only("pk", "email").iterator():
        if canonical_or_none(row.email) != row.email:
            yield f"{kind} {row.pk}: {mask(row.email)} has no form that letters reach for certain"
