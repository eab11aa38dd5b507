"""Animations of published replays: ask for one, draw it in a worker, keep it while it is wanted (docs/sharing.md).

The row is the queue (`infra.job_queue`), and a wake-up that is lost costs a sweep's delay. The file lies in the row:
web and worker may be on different machines with nothing in common but the database, and on one box it is one place
less to look after.
"""

import hashlib
import logging
import time
from datetime import datetime, timedelta

from django.db.models import F, Q

from contest import visibility
from contest.infra import clock, rate_limits
from contest.infra.job_queue import Queue
from contest.models import Film, FilmKind, FilmState, Submission
from contest.visibility import Viewer
from solvers.errors import PuzzleError
from solvers.sokoban import Moves
from solvers.sokoban.drawing import pictures

log = logging.getLogger(__name__)

# Raised by hand when films come to look different.
DRAWING_VERSION = 3
LEAST_CELL, LEAST_WIDTH = 32, 400  # pixels; boards too large for that get what fits
LEASE = timedelta(seconds=60)
MAX_ATTEMPTS = 3
MOST_WAITING = 50
MOST_KEPT = 500
MAX_BYTES = 8 << 20
MOST_BYTES_KEPT = 64 << 20
FAILED_KEPT = timedelta(hours=1)
_USE_NOTED = timedelta(hours=1)
_TELL_SECONDS = 0.5
_NOBODY = Viewer()
_DRAW = {FilmKind.GIF: pictures.gif, FilmKind.PNG: pictures.apng}
_is_stopping = False

QUEUE = Queue(
    Film,
    open=Q(state__in=[FilmState.QUEUED, FilmState.RUNNING]),
    lease=LEASE,
    most_attempts=MAX_ATTEMPTS,
    given_up={"state": FilmState.FAILED},
)


class _NotOurs(Exception):
    """Somebody else draws the film by now, or this process has to stop."""


def key_of(submission: Submission, kind: str) -> str:
    """The same board, moves and format are the same film."""
    level = submission.level
    if level is None:
        raise ValueError("A film is made of a judged submission.")
    said = f"{DRAWING_VERSION}|{kind}|{level.sha256}|{submission.lurd}"
    return hashlib.sha256(said.encode()).hexdigest()


def find(submission: Submission, kind: str) -> Film | None:
    """The film of a submission that its reader may see, if somebody has asked for it."""
    return Film.objects.without_picture().filter(key=key_of(submission, kind)).first()


def ask(submission: Submission, kind: str, *, address: str, at: datetime) -> Film:
    """Order the film unless somebody has. The caller has asked visibility for the submission.

    Raise gate.Busy where the address asks for many new ones, or too many wait.
    """
    if film := find(submission, kind):
        return film
    rate_limits.pass_film(address)
    if Film.objects.waiting().count() >= MOST_WAITING:
        raise rate_limits.Busy(MOST_WAITING, rate_limits.SPAN_SECONDS)
    times = {"asked_at": at, "used_at": at}
    film, _is_new = Film.objects.get_or_create(
        key=key_of(submission, kind), defaults={"submission": submission, "kind": kind, **times}
    )
    return film


def picture(film: Film, at: datetime) -> bytes | None:
    """The file; None where there is none yet, or no more. That it was wanted is noted once an hour."""
    if film.used_at < at - _USE_NOTED:
        Film.objects.filter(pk=film.pk).update(used_at=at)
    found = Film.objects.filter(pk=film.pk).values_list("picture", flat=True).first()
    return None if found is None else bytes(found)


# Drawing


def waiting() -> bool:
    """Whether a film waits that no worker draws."""
    return QUEUE.has_free()


def stop() -> None:
    """Give back the film that this process draws, and claim no more."""
    global _is_stopping  # noqa: PLW0603 - the signal that ends a process reaches all its threads this way
    _is_stopping = True


def draw_waiting() -> int:
    """Draw all films that wait, oldest first; return how many were drawn."""
    drawn = 0
    while not _is_stopping and (film := _claim()):
        drawn += _draw(film)
    return drawn


def _claim() -> Film | None:
    return QUEUE.claim(Film.objects.waiting().order_by("asked_at", "pk"), state=FilmState.RUNNING)


def _draw(film: Film) -> bool:
    submission = _public_submission(film)
    if submission is None or submission.level is None:
        QUEUE.row_of(film).delete()
        return False
    try:
        drawn = _DRAW[FilmKind(film.kind)](
            submission.level.board,
            Moves.parse(submission.lurd),
            pictures.Style(cell=max(LEAST_CELL, -(-LEAST_WIDTH // submission.level.width))),
            progress=_Teller(film),
        )
    except _NotOurs:
        QUEUE.give_back(film, state=FilmState.QUEUED)
        return False
    except PuzzleError:
        log.exception("Film %d cannot be drawn.", film.pk)
        drawn = b""
    if not 0 < len(drawn) <= MAX_BYTES:
        QUEUE.close(film, state=FilmState.FAILED)
        return False
    done = {"picture": drawn, "size": len(drawn), "frames_done": F("frames"), "used_at": clock.now()}
    return QUEUE.close(film, state=FilmState.DONE, **done)


def _public_submission(film: Film) -> Submission | None:
    """The moves, if they are still everybody's to see: the film was asked for some time ago."""
    round_ = film.submission.round
    return visibility.replays(_NOBODY, round_, clock.now()).filter(pk=film.submission_id).first()


class _Teller:
    """Writes down how far a film is, twice a second, and so keeps the lease."""

    def __init__(self, film: Film) -> None:
        self._film = film
        self._next = time.monotonic() + _TELL_SECONDS

    def __call__(self, done: int, frames: int) -> None:
        if time.monotonic() < self._next and not _is_stopping:
            return
        if not QUEUE.prolong(self._film, frames_done=done, frames=frames) or _is_stopping:
            raise _NotOurs
        self._next = time.monotonic() + _TELL_SECONDS


# Keeping


def tidy(at: datetime) -> int:
    """Throw away what has not been wanted for longest, beyond what may be kept; return how many went.

    A film can be made again from the moves, which are kept for good.
    """
    Film.objects.filter(state=FilmState.FAILED, asked_at__lt=at - FAILED_KEPT).delete()
    kept = total = 0
    surplus = []
    for pk, size in Film.objects.filter(state=FilmState.DONE).order_by("-used_at", "-pk").values_list("pk", "size"):
        kept, total = kept + 1, total + size
        if kept > MOST_KEPT or total > MOST_BYTES_KEPT:
            surplus.append(pk)
    return Film.objects.filter(pk__in=surplus).delete()[0] if surplus else 0
