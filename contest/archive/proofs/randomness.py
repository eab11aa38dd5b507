"""Check a beacon's value by its signature, and its round by the closing of the round (rules 11.14, 24.2)."""

from collections.abc import Iterator, Mapping
from typing import Any

from contest.archive import format as archived
from contest.archive.report import Report
from contest.rules import beacons

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
