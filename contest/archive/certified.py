"""Certificates of the optima of a round's levels, for `writer` (rule 20.4)."""

import base64
from collections.abc import Iterable, Iterator
from datetime import datetime

from contest import visibility
from contest.models import Certificate, Round
from contest.rules import canonical


def find(round_: Round, at: datetime) -> dict[int, str]:
    """Return the hashes of the public certificates of *round_* by their keys, in the order of the archive."""
    rows = visibility.certificates(at).filter(search__level__round=round_, size__gt=0)
    ordered = rows.order_by("search__level__slot", "kind")
    return {row.pk: row.sha256 for row in ordered if visibility.may_see_proof(row, at)}


def lines(keys: Iterable[int]) -> Iterator[bytes]:
    """Yield each certificate as a line, reading one at a time."""
    for key in keys:
        row = Certificate.objects.select_related("search__level").get(pk=key)
        certificate = {
            "number": row.number,
            "sha256": row.sha256,
            "engine": row.engine,
            "made_at": canonical.instant(row.made_at),
            "xz": base64.b64encode(row.content).decode(),
        }
        slot = row.search.level.slot if row.search.level else ""
        yield f"{canonical.json_line({'slot': slot, 'kind': row.kind, 'certificate': certificate})}\n".encode()
