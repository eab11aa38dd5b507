"""Proofs of a nickname (rules 4.11, 5.10): secrets, the browser's cookie, an organiser's link.

A receipt's link is no proof: it shows only its own submission, and is meant to be shared.
"""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from contest.models import Door, Player, Prize
from contest.players.names import name_key
from contest.rankings import personal_bests
from contest.staff import audit_log
from contest.staff.audit_log import Actor
from contest.visibility import Viewer

LINK_DAYS = 14
_MAX_CLAIMS = 20
_MAX_SECRET = 64
_COOKIE_SECONDS = 10 * 365 * 24 * 3600


class BadLink(ValueError):
    """A claim link that was used, replaced, has expired, or is invalid."""


@dataclass(frozen=True)
class Claim:
    """A nickname and its new secret."""

    player: Player
    secret: str = field(repr=False)


def is_proved(player: Player, claim: str, viewer: Viewer | None, *, email: str = "", door: Door | None = None) -> bool:
    """Return True if any proof of any of the player's names is valid (rule 4.11).

    *claim* is a secret; *viewer* has the browser's cookie, the login or the API token; *email* is a proof only at the
    old programs' door, which has no other means (docs/reference/legacy.md).
    """
    if viewer and player.pk in viewer.players:
        return True
    if _may_be_proof(claim) and _fits(player, claim):
        return True
    return bool(email) and door == Door.LEGACY and any(_is_address(email, name.email) for name in names_of(player))


def surely_own(viewer: Viewer | None) -> Q:
    """Return a condition on players of a viewer or an account that leaves out those owned for their address alone.

    Anybody may enter another person's address for a new name. That person's account then owns the name (rule 4.11), but
    what was done under it may be the stranger's.
    """
    named = Player.objects.filter(pk__in=viewer.claims if viewer else ())
    claimed = Q(pk__in=named.values("pk")) | Q(pk__in=named.exclude(merged_into=None).values("merged_into"))
    return Q(merged_into=None, email="") | Q(merged_into__email="") | claimed


def names_of(player: Player) -> Iterable[Player]:
    """Yield the rows of all names of the living *player*, the displayed one first."""
    yield player
    if getattr(player, "has_aliases", True):  # set on a player that was locked for entering
        yield from player.aliases.select_related("owner")


def has_owner(player: Player) -> bool:
    """Return whether a name of the living *player* can be proved: it is neither imported nor open."""
    return any(map(can_be_proved, names_of(player)))


def can_be_proved(name: Player) -> bool:
    """Return whether one row has a proof; `has_owner` asks that of all names of a player."""
    return not (name.is_imported or name.is_open or name.erased_at)


def living(player: Player) -> Player:
    """Return the player a name leads to: the one it was merged into, or itself."""
    return player.merged_into or player


def _may_be_proof(text: str) -> bool:
    return 0 < len(text) <= _MAX_SECRET and text.isascii() and text.isprintable()


def _fits(player: Player, claim: str) -> bool:
    sha256 = sha256_of(claim)
    return any(hmac.compare_digest(sha256, name.claim_sha256) for name in names_of(player))


def _is_address(given: str, known: str) -> bool:
    """Compare in constant time, so that a near miss looks like any other."""
    return bool(known) and hmac.compare_digest(given.encode(), known.encode())


def new_secret() -> str:
    return secrets.token_urlsafe(24)


def secret_for(nickname: str, key: str, sha256: str, network: str) -> str:
    """Derive the first secret of *nickname* from its first request's unguessable *key*: a lost answer can be repeated
    for a client of the same *network* that knows the key and the text, and for no other (rule 5.10)."""
    parts = "|".join((name_key(nickname), key, sha256, network))
    digest = salted_hmac("contest.claims", parts, algorithm="sha256").digest()
    return urlsafe_b64encode(digest[:24]).decode()


def sha256_of(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


# The browser's cookie


def viewer_of(request: HttpRequest) -> Viewer:
    """Read the claim cookie and the login; a claim with an outdated secret proves nothing."""
    claims, players = _proved_by_cookie(request.COOKIES.get(settings.CLAIMS_COOKIE_NAME, ""))
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return Viewer(claims, frozenset(players))
    return Viewer(claims, frozenset(players | _owned_by(user)), is_organiser=user.is_staff, account=user.pk)


def viewer_of_account(user: User) -> Viewer:
    """Return a viewer with the proofs of the account alone, without a browser."""
    return Viewer(proved=frozenset(_owned_by(user)), account=user.pk)


def _owned_by(user: User) -> set[int]:
    return set(Player.objects.filter(owner=user).values_list(Coalesce("merged_into", "pk"), flat=True))


def _proved_by_cookie(cookie: str) -> tuple[dict[int, str], set[int]]:
    """Return the valid claims of *cookie*, by the name they were given for, and the players they prove."""
    try:
        stored = signing.loads(cookie, salt="claims")
        claims = {int(player): str(secret) for player, secret in stored.items()}
    except (signing.BadSignature, ValueError, AttributeError):
        return {}, set()
    proved: dict[int, str] = {}
    players: set[int] = set()
    for pk, merged_into, sha256 in Player.objects.filter(pk__in=claims).values_list(
        "pk", "merged_into", "claim_sha256"
    ):
        if hmac.compare_digest(sha256_of(claims[pk]), sha256):
            proved[pk] = claims[pk]
            players.add(merged_into or pk)
    return proved, players


def remember_claim(response: HttpResponse, viewer: Viewer, player_id: int, secret: str) -> None:
    """Store the proof of a nickname in the browser's cookie, before the others."""
    _set_cookie(
        response,
        {player_id: secret, **{pk: kept_secret for pk, kept_secret in viewer.claims.items() if pk != player_id}},
    )


def forget_claims(response: HttpResponse, viewer: Viewer, names: Iterable[int] = ()) -> None:
    """Remove the proofs of *names*, or all proofs, from the browser's cookie."""
    dropped = set(names) or set(viewer.claims)
    _set_cookie(response, {pk: kept_secret for pk, kept_secret in viewer.claims.items() if pk not in dropped})


def _set_cookie(response: HttpResponse, claims: dict[int, str]) -> None:
    stored = {str(pk): claims[pk] for pk in list(claims)[:_MAX_CLAIMS]}
    response.set_cookie(
        settings.CLAIMS_COOKIE_NAME,
        signing.dumps(stored, salt="claims", compress=True),
        max_age=_COOKIE_SECONDS,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )


# Claiming with a proof


def find_claim(text: str) -> Claim | None:
    """Return the nickname that the claim secret *text* proves; None if there is none."""
    secret = text.strip()
    if not _may_be_proof(secret):
        return None
    named = Player.objects.filter(claim_sha256=sha256_of(secret)).select_related("merged_into").first()
    return Claim(living(named), secret) if named else None


@transaction.atomic
def renew(player: Player, by: Actor) -> Claim:
    """Give *player* a new secret; all earlier secrets, and the cookies with them, become invalid.

    Unused organisers' links become invalid too. Account, address and tokens stay as they are.
    """
    secret = new_secret()
    _end_secrets(player)
    Player.objects.filter(pk=player.pk).update(claim_sha256=sha256_of(secret))
    audit_log.record(by, "renew claim", player)
    return Claim(player, secret)


@transaction.atomic
def revoke(player: Player, by: Actor) -> None:
    """Revoke all secrets of *player*; only its account and address still prove it."""
    _end_secrets(player)
    audit_log.record(by, "revoke claim", player)


def _end_secrets(player: Player) -> None:
    """Replace the secrets of *player* and its other names by unknown ones; none of them becomes open (rule 4.12)."""
    for name in names_of(Player.objects.select_for_update(no_key=True).get(pk=player.pk)):
        Player.objects.filter(pk=name.pk).update(claim_sha256=sha256_of(new_secret()))


# The organisers' link


def link_token(player: Player, at: datetime, *, forgets: bool = False) -> str:
    """Return a token that gives *player* to the first person who uses it within two weeks.

    It contains a digest of the current proof, so the first link used invalidates the others. With *forgets*, the email
    address and the account stop proving the nickname too, in case another person controls them.
    """
    until = int((at + timedelta(days=LINK_DAYS)).timestamp())
    return signing.dumps([player.pk, _state(player), until, forgets], salt="claim-link")


def linked_player(token: str, at: datetime) -> tuple[Player, bool]:
    """Return the player of *token*, and whether it forgets other proofs. Raise BadLink."""
    try:
        pk, state, until, forgets = signing.loads(token, salt="claim-link")
    except (signing.BadSignature, ValueError, TypeError):
        raise BadLink from None
    player = Player.objects.filter(pk=pk, merged_into=None, erased_at=None).first()
    if not player or at.timestamp() >= until or not hmac.compare_digest(_state(player), state):
        raise BadLink
    return player, bool(forgets)


@transaction.atomic
def take_link(token: str, at: datetime) -> Claim:
    """Use *token*: give its nickname a new secret and revoke every other proof. Raise BadLink."""
    pk = linked_player(token, at)[0].pk
    Player.objects.select_for_update(no_key=True).get(pk=pk)
    player, forgets = linked_player(token, at)  # another request may have used it while this one waited
    if player.is_open:
        personal_bests.refresh_display(player)
    secret = new_secret()
    player.claim_sha256, player.reclaimed_at, player.is_imported = sha256_of(secret), at, False
    if forgets:
        player.email, player.owner = "", None
    player.save(update_fields=["claim_sha256", "reclaimed_at", "is_imported", "email", "owner"])
    player.tokens.filter(revoked_at=None).update(revoked_at=at)
    # The secrets of its other names stop being proofs as well.
    player.aliases.exclude(claim_sha256="").update(claim_sha256=sha256_of(new_secret()))
    if forgets:
        player.aliases.update(email="", owner=None)
    forget_contacts(player)
    audit_log.record(None, "claim", player, after={"by": "link", "forgets": forgets})
    return Claim(player, secret)


def forget_contacts(player: Player) -> None:
    """Erase where prizes of *player* shall go: the owner who said so may be another person than the present one."""
    Prize.objects.filter(player=player).update(contact="", contact_at=None)


def _state(player: Player) -> str:
    """Return a digest of everything that a claim changes."""
    reclaimed_at = player.reclaimed_at.isoformat() if player.reclaimed_at else ""
    return sha256_of(f"{player.claim_sha256}|{reclaimed_at}")[:16]
