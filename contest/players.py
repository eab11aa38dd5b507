"""Players without accounts: nicknames, their keys, and the claims that prove them (rules 4.4, 4.5, 4.11, 5.10)."""

import hashlib
import hmac
import secrets
import unicodedata
from datetime import datetime

import regex
from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from contest.lookalikes import fold
from contest.models import Player, Submission
from contest.visibility import Viewer

MAX_GRAPHEMES = 32
MAX_CODE_POINTS = 128
_MAX_CLAIMS = 20
_COOKIE_SECONDS = 10 * 365 * 24 * 3600
_REFUSED_CATEGORIES = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"


class BadName(ValueError):
    """A nickname that cannot be used; `code` says why: empty, too_long or character (with `character`)."""

    def __init__(self, code: str, character: str = "") -> None:
        self.code = code
        self.character = character
        super().__init__(code)


def clean_nickname(text: str) -> str:
    """Rule 4.4: NFC, blanks trimmed and made single, 1 to 32 graphemes. Raise BadName.

    >>> clean_nickname("  Liu   Yi ")
    'Liu Yi'
    """
    if len(text) > 4 * MAX_CODE_POINTS:
        raise BadName("too_long")
    name = " ".join(unicodedata.normalize("NFC", text).split())
    graphemes = regex.findall(r"\X", name)
    if not graphemes:
        raise BadName("empty")
    for grapheme in graphemes:
        for at, character in enumerate(grapheme):
            joins = character in _JOINERS and 0 < at < len(grapheme) - (character == "\u200d")
            if unicodedata.category(character) in _REFUSED_CATEGORIES and not joins:
                raise BadName("character", character)
    if len(graphemes) > MAX_GRAPHEMES or len(name) > MAX_CODE_POINTS:
        raise BadName("too_long")
    return name


def name_key(nickname: str) -> str:
    """Rule 4.5: equal keys are one nickname, one player.

    >>> name_key("STRASSE") == name_key("Straße"), name_key("Anna") == name_key("Аnna")
    (True, True)
    """
    blanks = " ".join(nickname.split())
    return fold(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", blanks).casefold()))


def create(nickname: str, *, country: str, email: str, at: datetime) -> tuple[Player, str]:
    """Make the player of a nickname nobody has used, and the secret that proves it from now on (shown once)."""
    secret = secrets.token_urlsafe(24)
    player = Player.objects.create(
        nickname=nickname,
        name_key=name_key(nickname),
        country=country,
        email=email,
        claim_sha256=_sha256(secret),
        created_at=at,
    )
    return player, secret


def is_proved(player: Player, claim: str, viewer: Viewer | None) -> bool:
    """Rule 4.11: by the claim secret, by the id of one of the player's receipts, or by the browser's cookie."""
    if viewer and player.pk in viewer.claims:
        return True
    if not claim:
        return False
    if hmac.compare_digest(_sha256(claim), player.claim_sha256):
        return True
    return Submission.objects.of(player).filter(receipt_id=claim[:32]).exists() and len(claim) <= 32


def viewer_of(request: HttpRequest) -> Viewer:
    """Read the claim cookie; a claim whose secret no longer fits proves nothing."""
    try:
        kept = signing.loads(request.COOKIES.get(settings.CLAIMS_COOKIE_NAME, ""), salt="claims")
        claims = {int(player): str(secret) for player, secret in kept.items()}
    except (signing.BadSignature, ValueError, AttributeError):
        return Viewer()
    known = Player.objects.filter(pk__in=claims).values_list("pk", "claim_sha256")
    proved = {pk: claims[pk] for pk, sha256 in known if hmac.compare_digest(_sha256(claims[pk]), sha256)}
    # A receipt id proves its player too (rule 4.11): somebody may have come back with nothing else.
    receipts = Submission.objects.filter(receipt_id__in=claims.values()).values_list("player_id", "receipt_id")
    return Viewer(proved | {pk: receipt_id for pk, receipt_id in receipts if claims.get(pk) == receipt_id})


def remember_claim(response: HttpResponse, viewer: Viewer, player_id: int, secret: str) -> None:
    """Let the browser keep the proof of a nickname, beside those it has; the newest comes first."""
    claims = {player_id: secret, **{pk: kept for pk, kept in viewer.claims.items() if pk != player_id}}
    kept = {str(pk): claims[pk] for pk in list(claims)[:_MAX_CLAIMS]}
    response.set_cookie(
        settings.CLAIMS_COOKIE_NAME,
        signing.dumps(kept, salt="claims", compress=True),
        max_age=_COOKIE_SECONDS,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )


def _sha256(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
