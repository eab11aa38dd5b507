"""Names of erased players rest for a year (rule 15.6): nobody can pose as the person who left.

Only keyed hashes of the name and of its look are stored, without the player.
"""

from collections.abc import Iterable
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac

from contest.infra import clock
from contest.models import Player, RestingName
from contest.players.names import BadName, check_new, keys, no_key
from contest.staff import audit_log
from contest.staff.audit_log import Actor


def rest(names: Iterable[Player], at: datetime) -> None:
    """Let the present names of these rows rest; call it before they are erased."""
    for name in names:
        if name.name_key != no_key(name.pk):  # it was not released before
            RestingName.objects.update_or_create(
                name_digest=_hash("name", name.name_key),
                defaults={"look_digest": _hash("look", keys(name.nickname)["look_key"]), "erased_at": at},
            )


def find(nickname: str) -> RestingName | None:
    """Return the resting name that *nickname* is, or looks like."""
    names, looks = (set(digests) - {""} for digests in zip(*_digests(nickname), strict=True))
    resting = RestingName.objects.filter(erased_at__gt=clock.now() - RestingName.REST)
    return resting.filter(Q(name_digest__in=names) | Q(look_digest__in=looks)).first()


def find_all(nicknames: Iterable[str]) -> set[str]:
    """Return those of *nicknames* that rest, or look like names that do; one query."""
    rows = RestingName.objects.filter(erased_at__gt=clock.now() - RestingName.REST)
    held = {digest for row in rows.values_list("name_digest", "look_digest") for digest in row if digest}
    return {nickname for nickname in nicknames if held and not held.isdisjoint(digests(nickname))}


def digests(nickname: str) -> list[str]:
    """Return the digests by which *nickname* may rest, also under the site's earlier keys."""
    return [digest for pair in _digests(nickname) for digest in pair]


def check_unused(nickname: str) -> None:
    """Check an unused name like `check_new`, and that it does not rest. Raise BadName."""
    check_new(nickname)
    if find(nickname):
        raise BadName("resting")


@transaction.atomic
def lift(resting: RestingName, by: Actor, *, reason: str) -> None:
    """End the rest of a name, so that anybody can use it."""
    audit_log.record(by, "lift rest", resting, reason=reason)
    resting.delete()


def forget_old(at: datetime) -> int:
    """Delete the hashes of names that have rested long enough; return how many."""
    return RestingName.objects.filter(erased_at__lte=at - RestingName.REST).delete()[0]


def _digests(nickname: str) -> list[tuple[str, str]]:
    names = keys(nickname)
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return [(_hash("name", names["name_key"], key), _hash("look", names["look_key"], key)) for key in secrets]


def _hash(kind: str, key: str, secret: str | None = None) -> str:
    """Return the digest of a key; "" for an empty one, which many names share."""
    if not key:
        return ""
    return salted_hmac(f"contest.resting.{kind}", key, secret=secret, algorithm="sha256").hexdigest()
