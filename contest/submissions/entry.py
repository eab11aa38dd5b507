"""A sender's input, cleaned or refused with a message; no database queries here."""

from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from contest import players
from contest.models import Slot, Submission
from contest.players.email_addresses import BadAddress, canonical

MAX_TEXT_BYTES = 2_097_152


@dataclass(frozen=True)
class Entry:
    """The sender's input."""

    nickname: str
    moves: str = field(repr=False)
    country: str = ""
    email: str = field(default="", repr=False)
    round: int | None = None
    track: str = ""
    slot: str = ""
    claim: str = field(default="", repr=False)
    idempotency_key: str = ""
    practice: bool = False


@dataclass(frozen=True)
class Receipt:
    """The answer to an accepted submission; *claim* is set only for a new nickname, and only once (rule 5.10)."""

    submission: Submission
    claim: str | None = field(default=None, repr=False)
    is_new: bool = True


class Refused(Exception):
    """A refusal; nothing was stored. Holds a message, the field concerned, and status and code for programs."""

    def __init__(
        self,
        code: str,
        reason: str,
        *,
        status: int = 400,
        field: str = "",
        retry_after: int | None = None,
        fault: str = "",  # a finer code than *code* for the field's error
    ):
        self.code = code
        self.reason = reason
        self.status = status
        self.field = field
        self.retry_after = retry_after
        self.fault = fault
        super().__init__(reason)


class Postponed(Exception):
    """Nothing was stored or counted: accept the entry again, apart from the other requests."""


def entry_of_offer(submission: Submission, claim: str) -> Entry | None:
    """Return the entry for the submission's offer (rule 6.10), proved by *claim* or sign-in; None if no offer."""
    if not submission.turned:
        return None
    return Entry(
        nickname=submission.player.nickname,
        moves=submission.turned["lurd"],
        round=submission.round.number,
        slot=submission.turned["slot"],
        claim=claim,
        practice=submission.is_practice,
    )


def encode_moves(moves: str) -> bytes:
    # surrogatepass: JSON can spell half a surrogate pair; it is stored, and judged malformed like other characters.
    text = moves.encode("utf-8", "surrogatepass")
    if len(text) > MAX_TEXT_BYTES:
        limit = f"{MAX_TEXT_BYTES:,}"
        raise Refused(
            "too_large", _("The moves may have %(limit)s bytes at most.") % {"limit": limit}, status=413, field="moves"
        )
    return text


def clean(entry: Entry) -> Entry:
    """Return the cleaned entry, or raise Refused for the first error."""
    try:
        nickname = players.clean_nickname(entry.nickname)
    except players.BadName as error:
        raise bad_name(error) from None
    country, email = entry.country.strip(), entry.email.strip()
    if country and not (country.isascii() and country.isalnum() and len(country) <= 8):
        raise Refused("bad_country", _("A country or region is a code of up to 8 letters or digits."), field="country")
    if email:
        try:
            email = canonical(email)
        except BadAddress as error:
            raise Refused("bad_email", str(error), field="email") from None
    if entry.slot and entry.slot not in Slot.values:
        raise Refused(
            "no_level",
            _("There is no level with this name. Available: %(slots)s.") % {"slots": ", ".join(Slot.values)},
            status=404,
            field="slot",
        )
    key = entry.idempotency_key
    if key and not (len(key) <= 200 and key.isascii() and key.isprintable()):
        raise Refused(
            "bad_key", _("An idempotency key has up to 200 printable ASCII characters."), field="idempotency_key"
        )
    return replace(entry, nickname=nickname, country=country, email=email)


def bad_name(error: players.BadName) -> Refused:
    return Refused(
        "no_name" if error.code == "empty" else "bad_name", error.message, field="nickname", fault=error.code
    )
