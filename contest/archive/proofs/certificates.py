"""Check the certificates of optima in an archive (docs/reference/certificates.md)."""

import base64
import hashlib
from collections.abc import Mapping

from contest.archive.checks import OPTIMUM, fields_of, refuse
from contest.archive.format import CERTIFICATES
from contest.archive.reader import Archive
from contest.archive.report import Report
from solvers.sokoban.level import Level
from solvers.sokoban.solving.certificates.checking import check_apart, proves


def check(archive: Archive, levels: Mapping[str, Level], report: Report) -> None:
    """Report what the certificates of known kinds prove, and name those of other kinds.

    The checker runs with limits, as a process of its own: a small certificate can take hours.
    """
    seen = set()
    for row in archive.certificates():
        slot, kind = row["slot"], row["kind"]
        where = f"{CERTIFICATES}, {kind} of {slot}"
        if (slot, kind) in seen:
            refuse(where, "stands twice")
        seen.add((slot, kind))
        if slot not in levels:
            report.differs(where, f"there is no level {slot}")
        elif kind not in ("moves", "pushes"):
            report.remarks.append(f"The certificate {kind} of {slot} is not checked here.")
        else:
            proof = fields_of(row["certificate"], where, OPTIMUM)
            packed = base64.b64decode(proof["xz"])
            if (digest := hashlib.sha256(packed).hexdigest()) != proof["sha256"]:
                report.differs(where, f"its SHA-256 is {digest}")
                continue
            message = check_apart(packed, levels[slot].published_text, seconds=archive.limits.seconds)
            if proves(message, kind, proof["number"]):
                report.remarks.append(
                    f"Proved by a certificate: no solution of {slot} has fewer than {proof['number']} {kind}."
                )
            else:
                report.differs(where, f"is said to prove {proof['number']}; the checker says {message}")
