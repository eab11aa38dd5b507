"""Check the draw: the beacon's value and round, and whom a revision keeps (rules 11.14, 14.5, 24.2)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from contest.archive import format as archived
from contest.archive.format import FINAL, Submission
from contest.archive.proofs import entries
from contest.archive.reader import Archive
from contest.archive.report import Report
from contest.rules import beacons, tabulation
from contest.rules.settings import RoundSettings

UNSIGNED = "The archive has no signature of the beacon's value: compare the value with the beacon's publication."
UNCHECKED = "The signature of the beacon's value is not checked here: that needs the package py-ecc."


def check(about: Mapping[str, Any], report: Report) -> None:
    """Report a value that the beacon did not publish, and name one that cannot be checked."""
    beacon = (about["lucky"] or {}).get("beacon")
    if not beacon:
        return
    if beacon["round"] != report.beacon_round:
        report.differs(archived.ROUND, f"round {beacon['round']} of the beacon is not the one that the closing binds")
    if beacon["signature"] is None:
        report.remarks += [UNSIGNED] if beacon["value"] else []
        return
    for fault in _signature_faults(beacon, report):
        report.differs(archived.ROUND, fault)


def _signature_faults(beacon: Mapping[str, Any], report: Report) -> Iterator[str]:
    if beacons.value_of(beacon["signature"]) != beacon["value"]:
        yield "the beacon's value is not the SHA-256 of its signature"
    try:
        if not beacons.is_signed(beacon["round"], beacon["signature"]):
            yield f"the beacon did not sign round {beacon['round']} so"
    except beacons.NoCurve:
        report.remarks.append(UNCHECKED)


def check_kept(
    archive: Archive, about: Mapping[str, Any], settings: RoundSettings, rows: Sequence[Submission], report: Report
) -> None:
    """Check that the last revision keeps the earliest player drawn who is still eligible, or else draws (rule 14.5).

    The rulings and merges of earlier revisions are not known. Documents that differ already may hold anything.
    """
    if about["results"] != FINAL or report.differences:
        return
    draws, rows_by_number = [], {row.number: row for row in rows}
    owners = {row.sent_as: row.player for row in rows if row.sent_as is not None}
    for document in archive.revisions():
        draws.append(document["draw"])
        owners |= entries.current_owners(document, rows_by_number)
        seats = {*document["champions"].values()}
    *earlier, last = draws
    if last is None:
        return
    made_at = about["revisions"][-1]["made_at"]
    ineligible = seats | {entry["player"] for entry in about["disqualified"] if entry["ruled_at"] <= made_at}
    drawn = tabulation.drawn_by_revision(enumerate(earlier, 1), last.get("beacon"))
    eligible = [number for number, player in drawn if owners.get(player, player) not in ineligible]
    kept = eligible[0] if eligible and settings.lucky_on_revision == "keep" else None
    if last["kept_from"] != kept:
        how = f"keep the lucky player of revision {kept}" if kept else "draw again"
        report.differs(archived.RESULTS, f"by rule 14.5 its revision had to {how}")
