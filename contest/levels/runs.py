"""Runs through the levels that come with the site: which levels, in which order, and the signed start (rule 26.4).

The start token holds the instant of the start and a nonce. The nonce determines the levels, so nothing is stored before
a run is sent, and a client can neither choose its levels nor turn back its clock.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.core import signing

from contest import visibility
from contest.levels import daily
from contest.models import GRADED_SLUG, CollectedLevel, RunMode

MINUTES = timedelta(minutes=3)
# Beside the three minutes: time for the start to reach the browser and for the run to reach the site.
SENDING = timedelta(seconds=15)
# A longer run is not ranked; an older token is refused.
LONGEST = timedelta(days=1)
TOKEN_VALID = timedelta(days=30)
MOST_LEVELS = {RunMode.MINUTES: 40, RunMode.CLEAN: 40, RunMode.TWENTY: 20}
_TOKEN_SALT, _SEAL_SALT = "run", "run-arrival"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True)
class Start:
    """A run that has started, as its token says."""

    mode: RunMode
    nonce: str
    at: datetime

    @property
    def token(self) -> str:
        return signing.dumps([self.mode.value, self.nonce, (self.at - _EPOCH) // _MICROSECOND], salt=_TOKEN_SALT)


def start(mode: RunMode, at: datetime) -> Start:
    return Start(mode, secrets.token_urlsafe(18), at)


def read_token(token: str) -> Start | None:
    """Return the start that this site has signed; None for any other text."""
    try:
        mode, nonce, microseconds = signing.loads(token, salt=_TOKEN_SALT)
        return Start(RunMode(mode), nonce, _EPOCH + microseconds * _MICROSECOND)
    except (signing.BadSignature, ValueError, TypeError):
        return None


def deal(begun: Start) -> list[CollectedLevel]:
    """Return the levels of a run, easiest first; empty if the site has withdrawn them. One query.

    The collection is ordered by proven difficulty. It is cut into as many equal pieces as the run has levels, and the
    nonce picks one level of each, so that a run cannot be learned by heart.
    """
    known = visibility.collected_levels(daily.NOBODY, begun.at).filter(collection__slug=GRADED_SLUG)
    levels = list(known.order_by("place"))
    count = min(MOST_LEVELS[begun.mode], len(levels))
    dealt = []
    for number in range(count):
        piece = levels[number * len(levels) // count : (number + 1) * len(levels) // count]
        digest = hashlib.sha256(f"{begun.nonce}:{number}".encode()).digest()
        dealt.append(piece[int.from_bytes(digest[:8]) % len(piece)])
    return dealt


def is_possible(at: datetime) -> bool:
    """Return False if the site has withdrawn the levels of runs, or has never had them."""
    return visibility.collections(daily.NOBODY, at).filter(slug=GRADED_SLUG).exists()


def seal(begun: Start, sha256: str, at: datetime) -> str:
    """Return proof that the solutions with this hash had arrived at *at*: a name may be given later."""
    return signing.dumps([begun.nonce, sha256, (at - _EPOCH) // _MICROSECOND], salt=_SEAL_SALT)


def arrived_at(begun: Start, sha256: str, sealed: str, at: datetime) -> datetime:
    """Return when the solutions arrived first: at the instant of a valid seal, or now, *at*."""
    try:
        nonce, of, microseconds = signing.loads(sealed, salt=_SEAL_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return at
    return _EPOCH + microseconds * _MICROSECOND if (nonce, of) == (begun.nonce, sha256) else at


def count_time(begun: Start, at: datetime, *, is_complete: bool) -> tuple[timedelta, bool]:
    """Return the time of a run that arrived *at*, and whether it is ranked.

    Only the site's clock counts. Three minutes are three minutes, unless all levels were solved sooner.
    """
    elapsed = at - begun.at
    if begun.mode is not RunMode.MINUTES:
        return elapsed, elapsed <= LONGEST
    return (min(elapsed, MINUTES) if is_complete else MINUTES), elapsed <= MINUTES + SENDING
