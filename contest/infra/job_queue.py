"""Database rows as a job queue: claim, extend the lease, release, complete. All workers use this.

A worker claims a row by setting its token, with a lease by the database's clock. Only the worker that still holds the
token may write the result. So a killed worker loses no job, a late one overwrites nothing, and one with a fast clock
takes no jobs from others. Each row has its own lease, counted from its own claim.
"""

import logging
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db import models, transaction
from django.db.models import F, Q, QuerySet

from contest.infra import clock

log = logging.getLogger(__name__)

_UNCLAIMED = {"claim_token": None, "lease_until": None}
_MAX_CANDIDATES = 50  # a worker tries this many of the oldest rows before it assumes that others hold all of them


class Job(models.Model):
    """A row that workers claim. *attempts* counts claims, except those given back (`Queue.give_back`)."""

    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        abstract = True


J = TypeVar("J", bound=Job)


@dataclass(frozen=True)
class Queue(Generic[J]):
    """The rows of *model* that match *open*, which workers may claim while no other worker holds them.

    *open* may use only the row's own columns: the claiming UPDATE checks it again. A row claimed *most_attempts* times
    without a result is not claimed again but updated with *given_up*, and with the time in the column *given_up_at*.
    *given_up* may be a function of the locked row that returns the fields, after it has undone what is half done.
    """

    model: type[J]
    open: Q
    lease: timedelta
    most_attempts: int
    given_up: Mapping[str, Any] | Callable[[J], Mapping[str, Any]]
    given_up_at: str = ""

    def has_free(self) -> bool:
        """Return whether an open row is unclaimed or its lease has expired."""
        is_free = Q(claim_token=None) | self._lease_expired(clock.now_at_database())
        return self._rows().filter(self.open, is_free).exists()

    def overdue(self, at: datetime) -> QuerySet[J]:
        """Return rows, open or not, with an expired lease."""
        return self._rows().exclude(claim_token=None).filter(self._lease_expired(at))

    def claim(self, candidates: QuerySet[J] | None = None, **fields: Any) -> J | None:
        """Claim the first free row of *candidates*, in its order, and write *fields*; return None if there is none.

        Rows with too many attempts are given up on the way.
        """
        at, token = clock.now_at_database(), uuid.uuid4()
        candidates = self._rows().order_by("pk") if candidates is None else candidates
        free_rows = candidates.filter(self.open, Q(claim_token=None) | self._lease_expired(at))
        for pk, old_token, attempts in list(free_rows.values_list("pk", "claim_token", "attempts")[:_MAX_CANDIDATES]):
            # Compare-and-set on the row's own columns only: after waiting for a lock the database reads them again.
            row = self._rows().filter(self.open, pk=pk, claim_token=old_token, attempts=attempts)
            if attempts >= self.most_attempts:
                if self._give_up(row, at):
                    log.error("%s %s was given up after %d attempts.", self.model.__name__, pk, attempts)
            elif row.update(claim_token=token, lease_until=at + self.lease, attempts=attempts + 1, **fields):
                return self._rows().get(claim_token=token)
        return None

    @transaction.atomic
    def _give_up(self, row: QuerySet[J], at: datetime) -> bool:
        """Update a row with too many attempts; return False if another worker was faster."""
        end_time = {self.given_up_at: at} if self.given_up_at else {}
        if not callable(self.given_up):
            return bool(row.update(**_UNCLAIMED, **self.given_up, **end_time))
        job = row.select_for_update().first()
        return job is not None and bool(row.update(**_UNCLAIMED, **self.given_up(job), **end_time))

    def prolong(self, job: J, **fields: Any) -> bool:
        """Renew the lease and write *fields*; return False if the claim is lost."""
        until = clock.now_at_database() + self.lease
        return bool(self.row_of(job).update(lease_until=until, **fields))

    def give_back(self, job: J, **fields: Any) -> bool:
        """Release a row as if it had not been claimed, and write *fields*."""
        return self.close(job, attempts=F("attempts") - 1, **fields)

    def close(self, job: J, **fields: Any) -> bool:
        """Release a row and write its result *fields*; return False if the claim is lost."""
        return bool(self.row_of(job).update(**_UNCLAIMED, **fields))

    def row_of(self, job: J) -> QuerySet[J]:
        """Return the row if the claim of *job* still holds."""
        return self._rows().filter(pk=job.pk, claim_token=job.claim_token)

    def _rows(self) -> QuerySet[J]:
        return self.model._default_manager.all()

    def _lease_expired(self, at: datetime) -> Q:
        # No lease is twice that long, so the clock must have been set back.
        return Q(lease_until__lte=at) | Q(lease_until__gt=at + 2 * self.lease)
