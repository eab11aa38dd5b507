"""Final rounds with published results that differ from a new tabulation, and their revision in one act (rule 14.4).

A round is tabulated again only if the boards of its levels have changed since the last comparison.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet, Sum

from contest.infra.cache import remember
from contest.models import Round
from contest.models.round import RoundQuerySet
from contest.results import publish
from contest.results.document import tabulate_revision
from contest.rules.phases import Phase
from contest.staff.audit_log import Actor
from contest.wording.bilingual import Reason


def find_due(at: datetime, among: RoundQuerySet | None = None) -> list[Round]:
    """Return the final rounds, of all or of *among*, that need a revision, by number; one query if no board changed."""
    rounds = Round.objects.all() if among is None else among
    final: QuerySet[Any] = rounds.final(at).annotate(version=Sum("levels__board_version")).order_by("number")
    return [round_ for round_ in final.exclude(tabulated_version=F("version")) if _differs(round_, round_.version)]


def is_due(round_: Round, at: datetime) -> bool:
    """Return whether the published results of a final round differ from a new tabulation."""
    version = sum(level.board_version for level in round_.levels.all())
    if round_.phase(at) is not Phase.FINAL or round_.tabulated_version == version:
        return False
    return _differs(round_, version)


@transaction.atomic
def revise_all(rounds: Iterable[Round], reason: Reason, *, at: datetime, by: Actor) -> None:
    """Publish new results of all *rounds*, oldest first, in one transaction (rules 14.4, 14.5)."""
    for round_ in sorted(rounds, key=lambda round_: round_.number):
        publish.revise(round_, reason, at=at, by=by)


def _differs(round_: Round, version: int) -> bool:
    """Tabulate once for each version of the boards; if nothing differs, record that to skip later tabulations."""
    last = round_.snapshots.order_by("-revision").first()
    if last is None:
        return False
    key = ("wants a revision", round_.pk, last.revision, version)
    is_different = remember(
        key, lambda: _serialise_players(last.document) != _serialise_players(tabulate_revision(round_, last))
    )
    if not is_different:
        Round.objects.filter(pk=round_.pk).update(tabulated_version=version)
    return is_different


def _serialise_players(document: Mapping[str, Any]) -> str:
    """Serialise what a revision would change in a document: no moves, engine or revision number."""
    rows = [{name: value for name, value in row.items() if name != "lurd"} for row in document["submissions"]]
    draw = document["draw"] or {}
    drawn = draw.get("lucky"), draw.get("beacon")
    parts = [document["rankings"], document["points"], document["champions"], drawn, rows]
    return json.dumps(parts, sort_keys=True)
