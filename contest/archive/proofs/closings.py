"""Check the links that bind a round's closings: nothing entered after them, and nothing was left out (rule 24.2)."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from contest.archive import format as archived
from contest.archive.format import SealedAnswer, Submission
from contest.archive.proofs.chain import Chain
from contest.archive.proofs.entries import SEALED_READER
from contest.archive.reader import Archive
from contest.archive.report import Report
from contest.rules import beacons, canonical
from contest.rules.sealed_answers import OPENING_DAY
from contest.rules.settings import RoundSettings

# After an outage the reveal may be delayed by this much (rule 3.10).
REVEAL_DELAY = timedelta(hours=24)
DELAYED = "The draw came a day later than usual: an outage before the close is said to have delayed it (rule 3.10)."


def check(
    archive: Archive,
    about: Mapping[str, Any],
    settings: RoundSettings,
    rows: Sequence[Submission],
    chain: Chain,
    report: Report,
) -> None:
    """Check every closing against the chain, the times and the entries before and after it. Time O(links)."""
    documents, answers = list(archive.closings()), list(archive.sealed_answers())
    places = {leaf: place for place, leaf in enumerate(chain.leaves)}
    roots = chain.roots(document["size"] for document in documents)
    if [document["closes_at"] for document in documents] != _expected_instants(about):
        report.differs(archived.CLOSINGS, "does not bind each close of the round once, in order")
    if documents and chain.leaves and chain.leaves[-1] != canonical.closing_leaf(documents[-1]):
        report.differs(archived.CHAIN, "does not end with the round's last closing")
    for number, document in enumerate(documents, 1):
        where = f"{archived.CLOSINGS}, line {number}"
        place = places.get(canonical.closing_leaf(document))
        if place is None:
            report.differs(where, "its leaf is not in the chain")
            continue
        report.bare -= 1
        chain.last_closing = chain.before + place + 1
        faults = [*_place_faults(document, place, roots, chain), *_fact_faults(document, about, settings)]
        faults += _answer_faults(document, place, places, answers)
        for fault in faults:
            report.differs(where, fault)
        if document is documents[-1]:
            report.beacon_round = document["beacon"]
            report.remarks += _remarks(document, about, settings)
        for fault in _late(document, place, places, rows, answers):
            report.differs(archived.CHAIN, fault)


def _expected_instants(about: Mapping[str, Any]) -> list[str]:
    """Return the instants at which the round closed: its close, that of a make-up window, and that of the openings."""
    ends = (about["closes_at"], about["make_up_closes_at"], about.get("opened_until"))
    return [end for end in ends if end]


def _place_faults(document: Mapping[str, Any], place: int, roots: Mapping[int, bytes], chain: Chain) -> Iterator[str]:
    if document["size"] != chain.before + place:
        yield f"stands after {chain.before + place} leaves, and binds {document['size']}"
        return
    if roots.get(document["size"], b"").hex() != document["root"]:
        yield "binds another root than the tree of the leaves before it has"
    if document["link"] != (chain.links[place - 1] if place else chain.start):
        yield "binds another link than the one before it"


def _fact_faults(document: Mapping[str, Any], about: Mapping[str, Any], settings: RoundSettings) -> Iterator[str]:
    if document["round"] != about["number"]:
        yield f"is of round {document['round']}"
    if document["at"] < document["closes_at"]:
        yield f"was bound at {document['at']}, before the close"
    draws_at = archived.instant(document["draws_at"])
    # A closing before a make-up window knows nothing of it yet.
    usual = {_usual_draw(end, settings) for end in (about["closes_at"], about["make_up_closes_at"]) if end}
    if not usual & {draws_at, draws_at - REVEAL_DELAY}:
        yield "its draw is at none of the instants that follow from the close"
    beacon = beacons.BEACONS.get(settings.lucky_beacon)
    if document["beacon"] != (beacon.round_at(draws_at) if beacon else None):
        yield "binds another round of the beacon than the one that follows from its draw"


def _usual_draw(end: str, settings: RoundSettings) -> datetime:
    """Return when the draw comes after this close (rule 11.5)."""
    return archived.instant(end) + (OPENING_DAY if settings.sealed_answers else timedelta())


def _remarks(document: Mapping[str, Any], about: Mapping[str, Any], settings: RoundSettings) -> Iterator[str]:
    usual = _usual_draw(about["make_up_closes_at"] or about["closes_at"], settings)
    if document["draws_at"] != canonical.instant(usual):
        yield DELAYED


def _answer_faults(
    document: Mapping[str, Any], place: int, places: Mapping[str, int], answers: Sequence[SealedAnswer]
) -> Iterator[str]:
    """Yield faults if sealed answers are missing, or were opened otherwise than the closing binds."""
    bound = sum(places.get(answer.leaf, place) < place for answer in answers)
    if document["sealed"] != bound:
        yield f"binds {document['sealed']} sealed answers; before it stand {bound}"
    if document["opened"] is not None:
        opened = [answer.number for answer in answers if answer.opened_at is not None]
        if document["opened"] != opened:
            yield f"binds {len(document['opened'])} opened sealed answers; {archived.SEALED} has others"


def _late(
    document: Mapping[str, Any],
    place: int,
    places: Mapping[str, int],
    rows: Sequence[Submission],
    answers: Sequence[SealedAnswer],
) -> Iterator[str]:
    """Yield each entry that was received before this close by its own time, and stands behind its closing."""
    is_of_openings = document["opened"] is not None
    entered = [(f"sealed answer {answer.number}", answer.received_at, answer.leaf) for answer in answers]
    entered += [
        (f"submission {row.number}", row.received_at, row.leaf or "")
        for row in rows
        if is_of_openings or row.reader != SEALED_READER
    ]
    for what, received_at, leaf in entered:
        if received_at < document["closes_at"] and places.get(leaf, place) > place:
            yield f"{what} entered late: it stands behind the closing of {document['closes_at']}"
