"""API tokens: `leitai_<public id>_<secret>`, 256 random bits shown once; only the SHA-256 is stored."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from contest import players
from contest.models import League, Player, Scope, Token
from contest.players import resting
from contest.staff import audit_log
from contest.visibility import Viewer

MOST_PER_PLAYER = 20
_USED_EVERY = timedelta(minutes=1)
_TEXT = re.compile(r"leitai_([A-Za-z0-9]{12})_([A-Za-z0-9_-]{43})")


class BadToken(Exception):
    """An invalid token, with a message; `code` is bad_token, revoked_token or expired_token."""

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        super().__init__(reason)


class TokenRefused(Exception):
    """The reason why no token can be created, as a message."""


class NotYours(Exception):
    """A nickname that does not belong to the token's player; the message names the player."""


@dataclass(frozen=True)
class NewToken:
    """A new token, and its text, which is shown only this once."""

    token: Token
    text: str = field(repr=False)


@transaction.atomic
def make(
    player: Player,
    by: audit_log.Actor,
    at: datetime,
    *,
    name: str = "",
    scopes: Iterable[str] = (Scope.SUBMIT, Scope.READ),
    expires_at: datetime | None = None,
) -> NewToken:
    """Create a token for *player*; it enters in the player's league (rule 16.2). Raise TokenRefused."""
    proved, player = player, Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if (player.reclaimed_at, player.owner_id) != (proved.reclaimed_at, proved.owner_id):  # it was given away meanwhile
        raise TokenRefused(_("This nickname is no longer yours."))
    if player.merged_into_id or player.erased_at:
        raise TokenRefused(_("This player was merged into another player, or deleted permanently."))
    if player.is_open or player.is_imported:
        raise TokenRefused(_("Nobody owns this nickname yet: ask the organisers for it first."))
    if player.tokens.valid(at).count() >= MOST_PER_PLAYER:
        raise TokenRefused(_("A player has up to %(most)s tokens; revoke one first.") % {"most": MOST_PER_PLAYER})
    public_id = "".join(secrets.choice("abcdefghijkmnpqrstuvwxyz23456789") for _place in range(12))
    secret = secrets.token_urlsafe(32)
    token = Token.objects.create(
        public_id=public_id,
        sha256=_sha256(secret),
        player=player,
        name=name[:100],
        scopes=[Scope(scope).value for scope in scopes],
        created_at=at,
        expires_at=expires_at,
    )
    audit_log.record(by, "token made", player, after={"token": public_id, "scopes": token.scopes})
    return NewToken(token, f"leitai_{public_id}_{secret}")


def make_program(nickname: str, by: audit_log.Actor, at: datetime) -> tuple[Player, str | None]:
    """Create a program under an unused nickname; return the player and the secret for the web (rule 16.2).

    A player who entered as a person stays one; organisers can correct it (rule 16.3). Raise TokenRefused or BadName.
    """
    name = players.clean_nickname(nickname)
    resting.check_unused(name)
    try:
        with transaction.atomic():
            if players.lock_by_name(name):
                raise IntegrityError(name)
            player, secret = players.create(name, country="", email="", at=at)
            Player.objects.filter(pk=player.pk).update(league=League.BOT)
            audit_log.record(by, "program made", player)
    except IntegrityError:
        raise TokenRefused(_("The nickname “%(name)s” belongs to somebody already.") % {"name": name}) from None
    player.league = League.BOT
    return player, secret


def of_text(text: str, at: datetime) -> Token:
    """Return the token for *text*. Raise BadToken.

    An unknown id and a wrong secret cannot be told apart by message or timing.
    """
    match = _TEXT.fullmatch(text)
    token = Token.objects.select_related("player").filter(public_id=match[1]).first() if match else None
    fits = hmac.compare_digest(_sha256(match[2] if match else ""), token.sha256 if token else "0" * 64)
    if token is None or not fits:
        raise BadToken("bad_token", _("This token was not issued by this site."))
    if token.revoked_at:
        raise BadToken("revoked_token", _("This token was revoked."))
    if token.expires_at and token.expires_at <= at:
        raise BadToken("expired_token", _("This token has expired."))
    # At most once a minute: a write for every request would cost more than the answer.
    if token.last_used_at is None or at - token.last_used_at > _USED_EVERY:
        Token.objects.filter(pk=token.pk).update(last_used_at=at)
        token.last_used_at = at
    return token


def viewer(token: Token) -> Viewer:
    """Return the viewer of a token: it proves its player only (rule 4.11)."""
    return Viewer(proved=frozenset([token.player_id]))


def nickname(token: Token, given: str) -> str:
    """Return the nickname that *token* enters under: any name of its player. Raise NotYours."""
    player = token.player
    if not given.strip():
        return player.nickname
    key = players.name_key(given[: 4 * players.MAX_CODE_POINTS])
    if key != player.name_key and not player.aliases.filter(name_key=key).exists():
        message = _("This token belongs to “%(name)s” and cannot submit under another nickname. Omit the nickname.")
        raise NotYours(message % {"name": player.nickname})
    return given


@transaction.atomic
def revoke(token: Token, by: audit_log.Actor, at: datetime) -> None:
    """Revoke a token immediately; idempotent."""
    if Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=at):
        audit_log.record(by, "token revoked", token.player, after={"token": token.public_id})


def _sha256(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
