"""Dumps of public data that may be offered: those with only data that is still public."""

from datetime import datetime
from typing import Any

from contest.infra import cache
from contest.models import Dump, Player, Submission
from contest.visibility.of_certificates import certificates
from contest.visibility.of_results import archived_rounds
from contest.visibility.of_rounds import are_solutions_public, levels, opened_rounds
from contest.visibility.of_submissions import may_see_hashes
from contest.visibility.viewer import Viewer

Facts = dict[str, Any]
_WITHDRAWN = "taken back"


def public_facts(at: datetime) -> Facts:
    """Return the keys of public rounds, levels, moves and certificates at *at*, and a digest of withdrawn data.

    Withdrawn are the names of erased players (rule 15.6) and moves that organisers withhold (rule 15.4).
    """
    viewer = Viewer()
    rounds = list(opened_rounds(viewer, at))
    withheld = Submission.objects.filter(is_unpublished=True).order_by("pk").values_list("pk", flat=True)
    erased = Player.objects.exclude(erased_at=None).order_by("pk").values_list("pk", flat=True)
    return {
        "rounds": sorted(round_.pk for round_ in rounds),
        "levels": sorted(levels(viewer, at).values_list("pk", flat=True)),
        "hashes": sorted(round_.pk for round_ in rounds if may_see_hashes(round_, at)),
        "moves": sorted(round_.pk for round_ in rounds if are_solutions_public(round_, at)),
        "certificates": sorted(certificates(at).values_list("pk", flat=True)),
        "archives": sorted(archived_rounds(viewer, at).values_list("pk", flat=True)),
        _WITHDRAWN: cache.digest((list(erased), list(withheld))),
    }


def dumps(viewer: Viewer, at: datetime) -> list[Dump]:  # noqa: ARG001 - they are the same for everybody
    """Return the dumps that may be downloaded, newest first: those with no data withdrawn since."""
    complete = list(Dump.objects.complete().prefetch_related("files"))
    facts = public_facts(at) if complete else {}
    return [dump for dump in complete if _is_still_public(dump.facts, facts)]


def _is_still_public(old_facts: Facts, current_facts: Facts) -> bool:
    return all(
        keys == current_facts[name] if name == _WITHDRAWN else set(keys) <= set(current_facts[name])
        for name, keys in old_facts.items()
    )
