"""Check that a row of `submissions.jsonl` is the entry that its leaf binds, read by the reader it names (rule 24.2)."""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from contest.archive import format as archived
from contest.archive.format import ACCEPTED, SPECTATOR, SealedAnswer, Submission
from contest.archive.report import Report
from contest.rules import canonical
from contest.rules.move_readers import EntryJudge
from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.reading.spectator import spectator_answer
from solvers.sokoban.replay import Verdict, replay

SEALED_READER = "sealed"  # of opened sealed answers, which are submitted after the close


def leaf_faults(row: Submission, about: Mapping[str, Any]) -> Iterator[str]:
    """Yield faults unless the row's facts give its leaf, and its text is there if, and only if, its moves are."""
    entry = {
        "round": about["number"],
        "number": row.number,
        "received_at": row.received_at,
        "player": row.sent_as,
        "league": row.sent_league,
        "slot": row.slot_named,
        "reader": row.reader,
        "is_hors_concours": row.is_hors_concours,
        "is_practice": False,
        "text": row.text_seal,
    }
    if canonical.entry_leaf(entry) != row.leaf:
        yield "its leaf binds other facts than it has"
    opened = (row.nonce, row.sha256, row.text, row.lurd)
    if opened == (None,) * 4:
        return
    if row.nonce is None or row.sha256 is None or row.text is None or row.lurd is None:
        yield "is opened without its nonce, hash, text or moves"
        return
    if hashlib.sha256(base64.b64decode(row.text)).hexdigest() != row.sha256:
        yield "its text has another SHA-256"
    if canonical.text_seal(row.nonce, row.sha256) != row.text_seal:
        yield "does not open its leaf"


def text_faults(row: Submission, judge: EntryJudge) -> Iterator[str]:
    """Yield a fault unless the judge finds in the text, by its reader, the very entry that the row scores."""
    try:
        entry = judge.judge(base64.b64decode(row.text or ""), row.reader or "", row.slot_named or "")
    except UnicodeDecodeError:
        yield "its text is not UTF-8"
        return
    scored = (row.slot, row.lurd, row.moves, row.pushes, row.verdict == SPECTATOR)
    if entry is None or (entry.slot, entry.lurd, entry.moves, entry.pushes, entry.is_spectator) != scored:
        yield f"its moves are no reading of the text that was sent, by the reader {row.reader}"


def check(rows: Sequence[Submission], answers: Sequence[SealedAnswer], report: Report) -> None:
    """Check whose the entries are, and that exactly the opened sealed answers are submissions of that reader."""
    _check_owners(rows, answers, report)
    opened = {answer.submission for answer in answers}
    for row in rows:
        if (row.reader == SEALED_READER) != (row.number in opened):
            how = "is no opened sealed answer" if row.number not in opened else "was not sent as a sealed answer"
            report.differs(f"{archived.SUBMISSIONS}, submission {row.number}", f"by its reader {row.reader} it {how}")


def _check_owners(rows: Sequence[Submission], answers: Iterable[SealedAnswer], report: Report) -> None:
    """Check that what one player sent counts for one player, and name what counts for others than it was sent by."""
    owners: dict[int, int] = {}
    sent = [(f"{archived.SUBMISSIONS}, submission {row.number}", row.sent_as, row.player) for row in rows]
    sent += [(f"{archived.SEALED}, answer {answer.number}", answer.sent_as, answer.player) for answer in answers]
    for where, sender, owner in sent:
        if sender is not None and owners.setdefault(sender, owner) != owner:
            report.differs(where, f"what player {sender} sent counts for two players")
    for owner in sorted(set(owners.values())):
        if owners.get(owner, owner) != owner:
            report.differs(archived.SUBMISSIONS, f"player {owner} is merged into another one, and has others' results")
    for sender, owner in sorted(owners.items()):
        if sender != owner:
            report.remarks.append(f"What player {sender} sent counts for player {owner}: they are said to be one.")
    for number, leagues in sorted({(row.player, (row.sent_league, row.league)) for row in rows}):
        if leagues[0] != leagues[1]:
            report.remarks.append(f"Player {number} sent in the league {leagues[0]}, and counts in {leagues[1]}.")


def current_owners(document: Mapping[str, Any], rows: Mapping[int, Submission]) -> dict[int, int]:
    """Return whose the results of a revision are now, by whose they were then; *rows* are by number (rule 4.13)."""
    return {
        entry["player"]: rows[entry["number"]].player for entry in document["submissions"] if entry["number"] in rows
    }


def replay_faults(row: Submission, lurd: str, level: Level) -> Iterator[str]:
    """Replay the moves: a scored LURD must solve at its last step and not before, with capitals exactly at pushes."""
    moves = Moves.parse(lurd, run_length=False)
    outcome = replay(level, moves)
    if row.verdict == ACCEPTED:
        if outcome.verdict is not Verdict.SOLVED:
            yield f"is said to solve {row.slot}; the replay gives {outcome.verdict}"
            return
        scored, pushes = outcome.lurd, outcome.pushes
    else:
        answer = spectator_answer([level], [moves])
        if outcome.is_solved or answer is None or not answer.is_whole:
            yield f"is said to be a spectator answer on {row.slot}; the replay gives {outcome.verdict}"
            return
        scored, pushes = answer.lurd, answer.pushes
    if scored != lurd:
        yield f"its moves are not the scored ones: the replay scores {len(scored)} of {len(lurd)}, or other capitals"
    if (row.moves, row.pushes) != (len(scored), pushes):
        yield f"is said to have {row.moves} moves and {row.pushes} pushes; the replay has {len(scored)} and {pushes}"
