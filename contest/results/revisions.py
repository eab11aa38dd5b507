"""Final rounds with published results that differ from a new tabulation, and their revision in one act (rule 14.4).

A worker revises them, each in its own transaction (`organising.long_acts`). A round is tabulated again only if the
boards of its levels have changed since the last comparison.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Max, OuterRef, QuerySet, Subquery, Sum
from django.utils.translation import gettext as _

from contest.infra import clock
from contest.infra.cache import remember
from contest.models import LongAct, Round, Snapshot
from contest.models.round import RoundQuerySet
from contest.rankings import ratings
from contest.results import publish
from contest.results.document import tabulate_revision
from contest.rules.phases import Phase
from contest.staff.audit_log import Actor
from contest.wording.bilingual import Reason


def find_due(at: datetime, among: RoundQuerySet | None = None) -> list[Round]:
    """Return the final rounds, of all or of *among*, that need a revision, by number; one query if no board changed."""
    rounds = Round.objects.all() if among is None else among
    final: QuerySet[Any] = rounds.final(at).annotate(version=Sum("levels__board_version"), revision=_LAST_REVISION)
    changed = final.order_by("number").exclude(tabulated_version=F("version"))
    return [round_ for round_ in changed if _differs(round_, round_.version, round_.revision)]


def is_due(round_: Round, at: datetime) -> bool:
    """Return whether the published results of a final round differ from a new tabulation."""
    version = sum(level.board_version for level in round_.levels.all())
    if round_.phase(at) is not Phase.FINAL or round_.tabulated_version == version:
        return False
    return _differs(round_, version, round_.snapshots.aggregate(Max("revision"))["revision__max"])


@transaction.atomic
def revise_all(rounds: Iterable[Round], reason: Reason, *, at: datetime, by: Actor) -> LongAct:
    """Have a worker publish new results of all *rounds*, oldest first (rules 14.4, 14.5). Raise ValidationError."""
    if LongAct.objects.unended().filter(kind=LongAct.Kind.REVISE).exists():
        raise ValidationError(_("Results are being revised; wait until that is done."))
    keys = [round_.pk for round_ in sorted(rounds, key=lambda round_: round_.number)]
    given = {"rounds": keys, "reason": {"zh": reason.zh, "en": reason.en}}
    return LongAct.objects.ask(LongAct.Kind.REVISE, by, at, given=given, total=len(keys))


def revise_next(job: LongAct) -> int:
    """Publish new results of the next round that still needs them; return 1, or 0 after the last round.

    A round that cannot be revised now is named in the report.
    """
    if job.done >= len(job.given["rounds"]):
        return 0
    round_, at = Round.objects.get(pk=job.given["rounds"][job.done]), clock.now()
    if is_due(round_, at):
        try:
            publish.revise(round_, Reason(**job.given["reason"]), at=at, by=job.asked_by, rates=False)
        except ValidationError as error:
            job.report = [*job.report, f"{round_}: {' '.join(error.messages)}"]
            LongAct.objects.filter(pk=job.pk).update(report=job.report)
    return 1


def rate_revised(job: LongAct) -> list[str]:
    """Rate the rounds that were revised and all that follow, once; return nothing to report."""
    ratings.update(*Round.objects.filter(pk__in=job.given["rounds"][: job.done]).select_related("track"))
    return []


def cancel(job: LongAct) -> dict[str, Any]:
    """Return the fields that end the act after the rounds that are revised, which stay."""
    job = LongAct.objects.select_for_update(of=("self",)).get(pk=job.pk)  # a batch may have ended since
    return {"given": {**job.given, "rounds": job.given["rounds"][: job.done]}}


_LAST_REVISION = Subquery(Snapshot.objects.filter(round=OuterRef("pk")).order_by("-revision").values("revision")[:1])


def _differs(round_: Round, version: int, revision: int | None) -> bool:
    """Tabulate once for each version of the boards; if nothing differs, record that to skip later tabulations."""
    if revision is None:
        return False
    key = ("wants a revision", round_.pk, revision, version)
    is_different = remember(key, lambda: _compare(round_, revision))
    if not is_different:
        Round.objects.filter(pk=round_.pk).update(tabulated_version=version)
    return is_different


def _compare(round_: Round, revision: int) -> bool:
    last = round_.snapshots.get(revision=revision)
    return _serialise_players(last.document) != _serialise_players(tabulate_revision(round_, last))


def _serialise_players(document: Mapping[str, Any]) -> str:
    """Serialise what a revision would change in a document: no moves, engine or revision number."""
    rows = [{name: value for name, value in row.items() if name != "lurd"} for row in document["submissions"]]
    draw = document["draw"] or {}
    drawn = draw.get("lucky"), draw.get("beacon")
    parts = [document["rankings"], document["points"], document["champions"], drawn, rows]
    return json.dumps(parts, sort_keys=True)
