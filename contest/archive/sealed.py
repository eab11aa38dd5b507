"""Check sealed answers (rules 5.11 to 5.13) against the chain, the times and the submissions they became. Pure."""

import base64
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any

from contest.archive import format as archived
from contest.archive.format import SealedAnswer, Submission
from contest.archive.proofs.chain import Chain
from contest.archive.reader import Archive
from contest.archive.report import Report
from contest.rules import canonical
from contest.rules.sealed_answers import OPENING_DAY, BadSealedText, SealedText

# After an outage the reveal may be delayed by this much (rule 3.10).
_REVEAL_DELAY = timedelta(hours=24)


def check_answers(
    archive: Archive, about: Mapping[str, Any], is_open_at: Callable[[str], bool], chain: Chain, report: Report
) -> None:
    """Check that every sealed answer came in time and is bound, and was opened as it was sealed. Time O(bytes)."""
    answers = list(archive.sealed_answers())
    if "opened_until" not in about:
        if answers:
            report.differs(archived.SEALED, "holds answers of a round that takes none")
        return
    report.takes_sealed = True
    for fault in _opening_time_faults(about):
        report.differs(archived.ROUND, fault)
    slots, leaves = {level["slot"] for level in about["levels"]}, set(chain.leaves)
    hashes: set[tuple[str, str]] = set()
    opened_answers: dict[int, SealedAnswer] = {}
    for answer in answers:
        where = f"{archived.SEALED}, answer {answer.number}"
        if answer.slot not in slots:
            report.differs(where, f"there is no level {answer.slot}")
        if (answer.slot, answer.sha256) in hashes:
            report.differs(where, "its hash stands there twice")
        if not is_open_at(answer.received_at):
            report.differs(where, f"was received at {answer.received_at}, when the round was not open")
        if answer.leaf not in leaves:
            report.differs(where, "its leaf is not in the chain")
        for fault in (*_own_faults(answer, about), *([_TWICE] if answer.submission in opened_answers else [])):
            report.differs(where, fault)
        hashes.add((answer.slot, answer.sha256))
        if answer.submission is not None:
            opened_answers[answer.submission] = answer
    report.sealed = len(answers)
    report.opened = sum(answer.opened_at is not None for answer in answers)
    report.bare -= sum(answer.leaf in leaves for answer in answers)
    _check_opened(archive, about, opened_answers, report)


_TWICE = "became a submission that another one became"


def _check_opened(
    archive: Archive, about: Mapping[str, Any], opened_answers: dict[int, SealedAnswer], report: Report
) -> None:
    unmatched = dict(opened_answers)
    for row in archive.submissions() if unmatched else ():
        if answer := unmatched.pop(row.number, None):
            for fault in _opened_faults(row, answer, about):
                report.differs(f"{archived.SEALED}, answer {answer.number}", fault)
    for answer in unmatched.values():
        report.differs(f"{archived.SEALED}, answer {answer.number}", f"there is no submission {answer.submission}")


def _opening_time_faults(about: Mapping[str, Any]) -> Iterator[str]:
    """Yield faults unless the day of opening follows the reveal, and the round became final only after it."""
    closed = archived.instant(about["make_up_closes_at"] or about["closes_at"])
    until = archived.instant(about["opened_until"])
    if until not in (closed + OPENING_DAY, closed + OPENING_DAY + _REVEAL_DELAY):
        yield "opened_until is no day after the reveal"
    if about["finalised_at"] and about["finalised_at"] < about["opened_until"]:
        yield "the round became final before the day of opening was over"


def _own_faults(answer: SealedAnswer, about: Mapping[str, Any]) -> Iterator[str]:
    if answer.pushes > answer.moves:
        yield f"has {answer.pushes} pushes in {answer.moves} moves"
    facts = answer.number, answer.received_at, answer.moves, answer.pushes, answer.sha256, answer.sent_as
    if canonical.sealed_leaf(about["number"], answer.slot, *facts) != answer.leaf:
        yield "does not open its leaf"
    if answer.opened_at is None:
        if answer.submission is not None:
            yield "became a submission and was not opened"
        return
    until = archived.instant(about["opened_until"])
    if not until - OPENING_DAY <= archived.instant(answer.opened_at) < until:
        yield f"was opened at {answer.opened_at}, not in the day after the reveal"


def _opened_faults(row: Submission, answer: SealedAnswer, about: Mapping[str, Any]) -> Iterator[str]:
    """Yield faults unless *row* matches *answer*, and its text, if the moves are published, is the hashed one."""
    for name in ("player", "slot", "received_at", "moves", "pushes"):
        if getattr(row, name) != getattr(answer, name):
            yield f"submission {row.number} has another {name}"
    if row.text is None or row.lurd is None:
        return
    if row.sha256 != answer.sha256:
        yield f"submission {row.number} has another SHA-256"
    try:
        sealed = SealedText.parse(base64.b64decode(row.text).decode("ascii"))
    except (BadSealedText, ValueError):
        yield f"submission {row.number} is no sealed text"
        return
    if (sealed.round, sealed.slot, sealed.player) != (about["number"], answer.slot, answer.sent_as):
        yield f"submission {row.number} was sealed for another round, level or player"
    if not sealed.moves.lower().startswith(row.lurd.lower()):
        yield f"submission {row.number} has other moves than its text"
