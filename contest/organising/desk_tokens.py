"""API tokens for the desk: `desk_<public id>_<secret>`, valid for 90 days and at most as long as their owner's role.

The API decides what a token permits (docs/reference/api.md): drafts, queues, health; no level texts, no solutions. Only
a person on the desk announces a round, or a series that a person has started, which takes queued levels.
"""

import hashlib
import hmac
import re
import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from contest import rounds
from contest.models import DeskToken, PreparedRound, Round
from contest.organising import checklist
from contest.players.api_tokens import BadToken
from contest.staff import audit_log

DAYS = 90
MOST = 10
_USED_EVERY = timedelta(minutes=1)
_TEXT = re.compile(r"desk_([a-z0-9]{12})_([A-Za-z0-9_-]{43})")


@transaction.atomic
def create_token(user: User, name: str, at: datetime) -> str:
    """Create a token for *user* and return its text, which cannot be read again. Raise ValidationError at the limit."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if DeskToken.objects.filter(user=user).valid(at).count() >= MOST:
        raise ValidationError(_("An organiser has up to %(most)s tokens; revoke one first.") % {"most": MOST})
    public_id = "".join(secrets.choice("abcdefghijkmnpqrstuvwxyz23456789") for _place in range(12))
    secret = secrets.token_urlsafe(32)
    expires_at = at + timedelta(days=DAYS)
    DeskToken.objects.create(
        public_id=public_id, sha256=_sha256(secret), user=user, name=name[:100], created_at=at, expires_at=expires_at
    )
    audit_log.record(user, "desk token made", user, after={"name": name[:100]})
    return f"desk_{public_id}_{secret}"


def find_token(text: str, at: datetime) -> DeskToken:
    """Return the token with this *text*, if its owner is still on the staff. Raise BadToken."""
    match = _TEXT.fullmatch(text)
    token = DeskToken.objects.select_related("user").filter(public_id=match[1]).first() if match else None
    fits = hmac.compare_digest(_sha256(match[2] if match else ""), token.sha256 if token else "0" * 64)
    if token is None or not fits:
        raise BadToken("bad_token", _("This token was not issued by this site."))
    if token.revoked_at or not (token.user.is_active and token.user.is_staff):
        raise BadToken("revoked_token", _("This token was revoked."))
    if token.expires_at <= at:
        raise BadToken("expired_token", _("This token has expired."))
    if token.last_used_at is None or at - token.last_used_at > _USED_EVERY:
        DeskToken.objects.filter(pk=token.pk).update(last_used_at=at)
    vars(token.user)["program"] = token.public_id  # for the audit log
    return token


@transaction.atomic
def revoke_token(token: DeskToken, at: datetime) -> None:
    """Revoke a token; idempotent."""
    if DeskToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=at):
        audit_log.record(token.user, "desk token revoked", token.user, after={"name": token.name})


@transaction.atomic
def prepare_round(round_: Round, *, at: datetime, by: User) -> PreparedRound:
    """Mark a draft as ready, so that the desk offers its publication. Raise ValidationError with what it lacks."""
    round_ = Round.objects.select_for_update(no_key=True).get(pk=round_.pk)
    if rounds.is_announced(round_, at) or round_.cancelled_at:
        raise ValidationError(_("The round is announced already."))
    if missing := checklist.find_unannounceable(round_, at):
        raise ValidationError(missing)
    prepared, _is_new = PreparedRound.objects.update_or_create(round=round_, defaults={"at": at, "by": by})
    audit_log.record(by, "prepare announcement", round_)
    return prepared


def _sha256(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
