"""Animations of public replays: requested by players, drawn by workers, cached in use (docs/reference/sharing.md).

The row is the job (`infra.job_queue`); a lost wake-up only delays it until the next sweep. The file is stored in the
row: web server and worker may be on different machines that share only the database, and on a single machine
there is one place less to maintain.
"""

import hashlib
import logging
import time
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Case, Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from contest import visibility
from contest.infra import clock, rate_limits
from contest.infra.job_queue import Queue
from contest.models import Film, FilmKind, FilmState, Submission
from contest.visibility import Viewer
from solvers.errors import PuzzleError
from solvers.sokoban import Moves
from solvers.sokoban.drawing import pictures

log = logging.getLogger(__name__)

# Raise this by hand when animations look different.
DRAWING_VERSION = 4
LEAST_CELL, LEAST_WIDTH = 32, 400  # pixels; larger boards get the size that fits
LEASE = timedelta(seconds=60)
MAX_ATTEMPTS = 3
MOST_WAITING, MOST_OF_NETWORK = 50, 10
MOST_KEPT = 500
MAX_BYTES = 8 << 20
MOST_BYTES_KEPT = 64 << 20
FAILED_KEPT = timedelta(hours=1)
WORK_SECONDS = 30.0  # then the rest waits for the next wake-up: letters wait in the same queue
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
    given_up={"state": FilmState.FAILED, "network": ""},
)


class _NotOurs(Exception):
    """Another worker has claimed the film meanwhile, or this process must stop."""


def key_of(submission: Submission, kind: str) -> str:
    """Return the cache key of the film: the same for the same board, moves and format."""
    level = submission.level
    if level is None:
        raise ValueError("A film is made of a judged submission.")
    recipe = f"{DRAWING_VERSION}|{kind}|{level.sha256}|{submission.lurd}"
    return hashlib.sha256(recipe.encode()).hexdigest()


def find(submission: Submission, kind: str) -> Film | None:
    """Return the film of a submission that the caller may see, if it was requested before."""
    return Film.objects.without_picture().filter(key=key_of(submission, kind)).first()


def order_film(submission: Submission, kind: str, *, address: str, at: datetime) -> Film:
    """Request the film unless it exists. The caller has checked that the reader may see the submission.

    Raise rate_limits.Busy if the address requests too many new ones, or too many wait, in all or of its network.
    """
    if film := find(submission, kind):
        return film
    rate_limits.pass_door(rate_limits.FILM, address)
    network, limits = rate_limits.wide_network_of(address), {"most": MOST_WAITING, "most_of_network": MOST_OF_NETWORK}
    with transaction.atomic():
        if not rate_limits.has_room(Film.objects.waiting(), network, **limits):
            raise rate_limits.Busy(MOST_WAITING, rate_limits.SPAN_SECONDS)
        times = {"asked_at": at, "used_at": at, "network": network}
        film, _is_new = Film.objects.get_or_create(
            key=key_of(submission, kind), defaults={"submission": submission, "kind": kind, **times}
        )
    return film


def read_picture(film: Film, at: datetime) -> bytes | None:
    """Return the file; None if it is not drawn yet or was deleted. Its use is recorded once an hour."""
    if film.used_at < at - _USE_NOTED:
        Film.objects.filter(pk=film.pk).update(used_at=at)
    content = Film.objects.filter(pk=film.pk).values_list("picture", flat=True).first()
    return None if content is None else bytes(content)


# Drawing


def is_any_waiting() -> bool:
    """Return whether a film waits that no worker draws."""
    return QUEUE.has_free()


def stop() -> None:
    """Release the film that this process draws, and claim no more."""
    global _is_stopping  # noqa: PLW0603 - the signal that ends a process reaches all its threads this way
    _is_stopping = True


def draw_waiting() -> int:
    """Draw queued films for some time; networks take turns. Return how many were drawn."""
    drawn, until = 0, time.monotonic() + WORK_SECONDS
    while not _is_stopping and (film := _claim_film()):
        drawn += _draw(film)
        if time.monotonic() >= until:
            break
    return drawn


def _claim_film() -> Film | None:
    return QUEUE.claim(in_turn(), state=FilmState.RUNNING)


def in_turn() -> QuerySet[Film]:
    """Return the waiting films, first those whose network has the fewest ahead of them."""
    earlier = Film.objects.waiting().filter(network=OuterRef("network"), pk__lt=OuterRef("pk")).order_by()
    counted = Subquery(earlier.values("network").annotate(all=Count("pk")).values("all"))
    before = Case(When(network="", then=0), default=Coalesce(counted, 0), output_field=IntegerField())
    return Film.objects.waiting().order_by(before, "asked_at", "pk")


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
        QUEUE.close(film, state=FilmState.FAILED, network="")
        return False
    done = {"picture": drawn, "size": len(drawn), "frames_done": F("frames"), "used_at": clock.now(), "network": ""}
    return QUEUE.close(film, state=FilmState.DONE, **done)


def _public_submission(film: Film) -> Submission | None:
    """Return the submission if its moves are still public: they may have been withheld since the request."""
    round_ = film.submission.round
    return visibility.replays(_NOBODY, round_, clock.now()).filter(pk=film.submission_id).first()


class _Teller:
    """Writes the progress of a film twice a second, and so extends the lease."""

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


def delete_unused(at: datetime) -> int:
    """Delete the least recently used films beyond the limits; return how many.

    A film can be drawn again from the moves, which are kept for good.
    """
    Film.objects.filter(state=FilmState.FAILED, asked_at__lt=at - FAILED_KEPT).delete()
    count = total = 0
    surplus = []
    for pk, size in Film.objects.filter(state=FilmState.DONE).order_by("-used_at", "-pk").values_list("pk", "size"):
        count, total = count + 1, total + size
        if count > MOST_KEPT or total > MOST_BYTES_KEPT:
            surplus.append(pk)
    return Film.objects.filter(pk__in=surplus).delete()[0] if surplus else 0
