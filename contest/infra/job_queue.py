"""Rows as a queue: claim one, prolong it, give it back, close it. One way for everything that workers do.

A row is claimed by whoever sets its token, under a lease by the database's clock, and only who still holds the token
may write what came of it: a worker that is killed loses nothing, one that wakes up late changes nothing, and one whose
own clock runs ahead takes nothing from the others. Each row has a lease of its own, counted from its own claim.
"""

import logging
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db import models
from django.db.models import F, Q, QuerySet

from contest.infra import clock

log = logging.getLogger(__name__)

_NOBODYS = {"claim_token": None, "lease_until": None}
_LOOK_AT = 50  # so many of the oldest are tried before a worker thinks that others have them all


class Job(models.Model):
    """A row that workers claim. *attempts* counts claims that were not given back."""

    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        abstract = True


J = TypeVar("J", bound=Job)


@dataclass(frozen=True)
class Queue(Generic[J]):
    """The rows of *model* that are *open*: which a worker may claim while nobody holds them.

    *open* speaks of the row's own columns only: it is asked again in the very statement that claims. A row claimed
    *most_attempts* times without an end is not claimed again but gets *given_up*, and the time as *given_up_at*, the
    name of a column.
    """

    model: type[J]
    open: Q
    lease: timedelta
    most_attempts: int
    given_up: Mapping[str, Any]
    given_up_at: str = ""

    def has_free(self) -> bool:
        """Return whether an open row is held by nobody, or by a worker silent for longer than the lease."""
        is_free = Q(claim_token=None) | self._is_over(clock.now_at_database())
        return self._rows().filter(self.open, is_free).exists()

    def overdue(self, at: datetime) -> QuerySet[J]:
        """Rows, open or not, whose holder has been silent for longer than the lease."""
        return self._rows().exclude(claim_token=None).filter(self._is_over(at))

    def claim(self, among: QuerySet[J] | None = None, **fields: Any) -> J | None:
        """Take the first free row of *among*, in its order, and write *fields*; None where there is none.

        What was tried too often is given up on the way.
        """
        at, token = clock.now_at_database(), uuid.uuid4()
        among = self._rows().order_by("pk") if among is None else among
        choice = among.filter(self.open, Q(claim_token=None) | self._is_over(at))
        for pk, seen, attempts in list(choice.values_list("pk", "claim_token", "attempts")[:_LOOK_AT]):
            # Whoever changes the row first has it. Only its own columns are asked: they are read anew after a wait.
            row = self._rows().filter(self.open, pk=pk, claim_token=seen, attempts=attempts)
            if attempts >= self.most_attempts:
                ended = {self.given_up_at: at} if self.given_up_at else {}
                if row.update(**_NOBODYS, **self.given_up, **ended):
                    log.error("%s %s was given up after %d attempts.", self.model.__name__, pk, attempts)
            elif row.update(claim_token=token, lease_until=at + self.lease, attempts=attempts + 1, **fields):
                return self._rows().get(claim_token=token)
        return None

    def prolong(self, job: J, **fields: Any) -> bool:
        """Begin the lease anew and write *fields*; False where the claim is lost."""
        until = clock.now_at_database() + self.lease
        return bool(self.row_of(job).update(lease_until=until, **fields))

    def give_back(self, job: J, **fields: Any) -> bool:
        """Let go of a row as if it had not been claimed, and write *fields*."""
        return self.close(job, attempts=F("attempts") - 1, **fields)

    def close(self, job: J, **fields: Any) -> bool:
        """Let go of a row and write *fields*, what came of it; False where the claim is lost."""
        return bool(self.row_of(job).update(**_NOBODYS, **fields))

    def row_of(self, job: J) -> QuerySet[J]:
        """The row, if it is still held by who claimed *job*."""
        return self._rows().filter(pk=job.pk, claim_token=job.claim_token)

    def _rows(self) -> QuerySet[J]:
        return self.model._default_manager.all()

    def _is_over(self, at: datetime) -> Q:
        # No lease is twice that long, so the clock must have been set back.
        return Q(lease_until__lte=at) | Q(lease_until__gt=at + 2 * self.lease)
