"""Certificates of what searches proved: checked without the solver, stored, and made for optima that have none.

Those of vetting are for organisers. `visibility.certificates` decides which others are public.
"""

import base64
import hashlib
import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Exists, F, IntegerField, OuterRef, Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

import solvers
from contest import visibility
from contest.infra import cache, clock
from contest.models import URGENCY, Certificate, CollectedLevel, Level, Metric, Search, SearchKind, SearchState
from contest.visibility import Viewer
from solvers.sokoban.solving.certificates.checking import check_apart, proves

log = logging.getLogger(__name__)

CHECK_SECONDS = 60
MOST_WAITING = 10
_ALARM_SECONDS = 3600


def check_all(
    search: Search, written: Mapping[str, Mapping[str, Any]], meanwhile: Callable[[], object]
) -> list[Certificate]:
    """Return the rows of those *written* certificates of *search* that the checker accepts, and log the others."""
    rows = []
    for kind, proof in written.items():
        packed, number = base64.b64decode(proof["packed"]), proof["number"]
        message = check_apart(packed, search.text, seconds=CHECK_SECONDS, meanwhile=meanwhile) if packed else ""
        if packed and not proves(message, kind, number):
            log.error("The certificate %s %s of search %d is not accepted: %s", kind, number, search.pk, message)
            continue
        sha256 = hashlib.sha256(packed).hexdigest() if packed else ""
        facts = {"size": len(packed), "sha256": sha256, "engine": solvers.__version__, "made_at": clock.now()}
        rows.append(Certificate(search=search, kind=kind, number=number, content=packed, **facts))
    return rows


def store(rows: Iterable[Certificate]) -> None:
    """Store certificates; one from an earlier attempt of the search stays unless the new one has more content."""
    for row in rows:
        Certificate.objects.filter(search=row.search, kind=row.kind, size__lte=row.size).delete()
    Certificate.objects.bulk_create(rows, ignore_conflicts=True)


def queue_due(at: datetime) -> int:
    """Queue proofs of public optima without a certificate, a few at a time; return how many."""
    room = (
        MOST_WAITING - Search.objects.filter(kind=SearchKind.PROOF).waiting().count() if settings.STUDY_SECONDS else 0
    )
    rows = [_new_proof(level, at, level=level) for level in _studied_before(at)[: max(room, 0)]]
    rows += [_new_proof(level, at, collected=level) for level in _collected(at)[: max(room - len(rows), 0)]]
    return len(Search.objects.bulk_create(rows, ignore_conflicts=True))


def _studied_before(at: datetime) -> QuerySet[Level]:
    """Return levels with a proved optimum from a study that wrote no certificates."""
    studies = Search.objects.filter(kind=SearchKind.STUDY, state=SearchState.DONE, certificates=None).order_by()
    found: dict[str, Any] = {
        f"best_{name}": Cast(KT(f"found__{name}__{name}"), IntegerField()) for name in Metric.values
    }
    is_optimal = Q(best_pushes=F("least_pushes")) | Q(best_moves=F("least_moves"))
    optimal = studies.annotate(**found).filter(is_optimal, level=OuterRef("pk"))
    known = Search.objects.filter(kind=SearchKind.PROOF, level=OuterRef("pk")).order_by()
    return visibility.studied_levels(at).filter(Exists(optimal)).exclude(Exists(known)).order_by("-pk")


def _collected(at: datetime) -> QuerySet[CollectedLevel]:
    known = Search.objects.filter(kind=SearchKind.PROOF, collected=OuterRef("pk")).order_by()
    proved = visibility.collected_levels(Viewer(), at).exclude(least_moves=None).exclude(least_pushes=None)
    return proved.exclude(Exists(known)).order_by("pk")


def _new_proof(board: Level | CollectedLevel, at: datetime, **of: Any) -> Search:
    facts = {"urgency": URGENCY[SearchKind.PROOF], "text": board.text, "sha256": board.sha256, "asked_at": at}
    budget = {"seconds": settings.STUDY_SECONDS, "megabytes": settings.SOLVER_MEGABYTES}
    return Search(kind=SearchKind.PROOF, **facts, **budget, **of)


def raise_alarms() -> None:
    """Log every optimum that a counted result beats, once an hour; none of them is public any more."""
    for row in Certificate.objects.beaten().defer("content").select_related("search"):
        if cache.is_first(f"beaten certificate {row.pk}", _ALARM_SECONDS):
            log.critical("A result beats a proved optimum, which is impossible: certificate %d, %s.", row.pk, row)
