"""Compute the outcome of a submission on its levels: parse, replay, and look for near misses. Writes nothing.

The cost is estimated in advance, so that a costly text can wait for its turn. The constants are upper bounds, not
means, measured with the worst texts of tests/contest/judging/test_cost.py.

Claiming (`judge`), rejudging (`rejudge`, `consistency`) and trials (`dry_run`) all get the same result here.
"""

import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from contest.infra.database.prepared import columns
from contest.judging import suggestions as offers
from contest.models import NOT_REPLAYED, Level, Round, Slot, State, Submission, Verdict
from contest.models.level import in_order
from contest.rules import move_readers
from solvers.sokoban.reading import readers
from solvers.sokoban.reading.masks import COUNTLESS_LINES
from solvers.sokoban.reading.plays import most_steps
from solvers.sokoban.reading.readers import Judgement, Outcome
from solvers.sokoban.reading.spectator import SpectatorAnswer

log = logging.getLogger(__name__)

_LONGEST_PART = 40  # characters of a part of a text that was left out
_SECONDS_A_TEXT = 0.0002
_SECONDS_A_BYTE = 50e-9
_SECONDS_A_STEP = 150e-9

_VERDICT_OF = {
    Outcome.SOLVED: Verdict.ACCEPTED,
    Outcome.NOT_SOLVED: Verdict.NOT_SOLVED,
    Outcome.ILLEGAL: Verdict.ILLEGAL,
    Outcome.MALFORMED: Verdict.MALFORMED,
    Outcome.EMPTY: Verdict.EMPTY,
    Outcome.TOO_LONG: Verdict.TOO_LONG,
}


@dataclass(frozen=True)
class Outcomes:
    """The fields to write for one submission, and the digest of the level texts it was tried on."""

    submission: Submission
    fields: dict[str, Any]
    levels_digest: str


class Statement(NamedTuple):
    """An import's statement about a submission without moves."""

    verdict: Verdict
    level: Level
    moves: int
    pushes: int


def stored_size(text: str, limit: int) -> int:
    """Return the most bytes of the moves of *text*, of up to *limit* steps, that a verdict may store. Time O(text).

    Counts make the moves longer than their text.
    """
    return 0 if readers.has_too_many_parts(text) else min(most_steps(text), limit)


def seconds_for(text: str, limit: int) -> float:
    """Return the most CPU seconds that judging *text*, of up to *limit* steps, can take. Time O(text)."""
    steps = stored_size(text, readers.plays_for(limit).steps)
    return _SECONDS_A_TEXT + len(text) * _SECONDS_A_BYTE + len(Slot) * steps * _SECONDS_A_STEP


def levels_in_order(round_id: int) -> list[Level]:
    """Return the levels of a round: main, extra, extra2, extra3 (rule 6.8). Of the round only the settings are read."""
    sql = _LEVELS.format(columns=columns(Level, "solution"))
    levels = in_order(Level.objects.raw(sql, [round_id]))
    for level in levels:
        stored = vars(level)["of_round"]
        settings = json.loads(stored) if isinstance(stored, str) else stored
        level.round = Round.from_db(level._state.db, ["id", "settings"], [round_id, settings])
    return levels


_LEVELS = """
    SELECT {columns}, contest_round.settings AS of_round
    FROM contest_level JOIN contest_round ON contest_round.id = round_id WHERE round_id = %s
"""


def outcome_of(submission: Submission, levels: list[Level]) -> Outcomes:
    """Replay one submission. Pure computation with a length cap; no transaction is open during it."""
    tried = [level for level in levels if submission.slot_named in ("", level.slot)]
    text, reader = move_readers.readable(bytes(submission.text), submission.reader)
    limit = submission.round.max_moves
    plays = readers.plays_for(limit)
    judgement = readers.judge([level.board for level in tried], text, reader, limit=limit, plays=plays)
    fields = _fields(judgement, tried)
    if judgement.outcome in (Outcome.NOT_SOLVED, Outcome.ILLEGAL):
        others = [level for level in levels if level not in tried]
        spectator = submission.round.takes_spectators
        found = offers.second_look(text, reader, limit, tried=tried, others=others, spectator=spectator, plays=plays)
        fields["turned"] = found.offer
        if found.spectator:
            fields |= _spectator_fields(found.spectator, tried)
    judged_on = [level.sha256 for level in tried]
    if judgement.reading == COUNTLESS_LINES:
        # A text that 0.5.0 refused may be judged again, as in 0.6.0 (rules 6.12, 6.13).
        judged_on.append("counts")
    return Outcomes(submission, fields, hashlib.sha256("\n".join(judged_on).encode()).hexdigest())


def outcome_as_reported(submission: Submission, reported: Statement) -> Outcomes:
    """Return an import's reported verdict, permanently recorded as not replayed."""
    fields = _fields(Judgement(Outcome.EMPTY), []) | {**reported._asdict(), "why": NOT_REPLAYED}
    return Outcomes(submission, fields, "")


def dry_run(submission: Submission, levels: list[Level]) -> Submission:
    """Set on the unsaved *submission* the verdict it would get on *levels*; nothing is written."""
    for name, value in outcome_of(submission, levels).fields.items():
        setattr(submission, name, value)
    submission.state = State.JUDGED
    return submission


def first_solved(rounds: Sequence[Round], moves: str, slot: str) -> Round:
    """Choose the round for a text that names none, among several open *rounds* (rule 6.8): the first with a level, in
    *slot* if one is named, that *moves* solve; else the first of *rounds*.

    Each is tried with the judge's own bounds: takes as long as that many verdicts.
    """
    for round_ in rounds:
        boards = [level.board for level in levels_in_order(round_.pk) if slot in ("", level.slot)]
        limit = round_.max_moves
        plays = readers.plays_for(limit)
        try:
            judgement = readers.judge(boards, moves, readers.Reader.LENIENT, limit=limit, plays=plays)
        except Exception:
            # Our own error must not refuse a text sent in time: it is stored, and the judge will handle it (rule 6.12).
            log.exception("A text could not be tried on round %s", round_.number)
            continue
        if judgement.outcome is Outcome.SOLVED:
            return round_
    return rounds[0]


def _fields(judgement: Judgement, tried: list[Level]) -> dict[str, Any]:
    level = tried[judgement.level] if judgement.level is not None else None
    replayed = judgement.replay
    accepted = judgement.outcome is Outcome.SOLVED
    return {
        "verdict": _VERDICT_OF[judgement.outcome],
        "level": level,
        "lurd": replayed.lurd if replayed and accepted else "",
        "moves": judgement.moves if replayed else None,
        "pushes": judgement.pushes if replayed else None,
        "cut": judgement.cut,
        "case_corrected": accepted and judgement.case_corrected,
        "index": judgement.index,
        "step": judgement.step,
        "why": str(judgement.why or ""),
        "why_values": _plain(judgement.error.values if judgement.error else {}) | _what_was_read(judgement, tried),
        "boxes_home": replayed.boxes_home if replayed else None,
        "turned": None,
    }


def _spectator_fields(answer: SpectatorAnswer, tried: list[Level]) -> dict[str, Any]:
    """Return the fields of a spectator answer (rule 13.3), cut at the first state with all boxes but one home."""
    return {
        "verdict": Verdict.SPECTATOR,
        "level": tried[answer.level],
        "lurd": answer.lurd,
        "moves": answer.moves,
        "pushes": answer.pushes,
        "cut": answer.cut,
        "case_corrected": answer.case_corrected,
        "index": None,
        "step": None,
        "why": "",
        "boxes_home": answer.boxes_home,
    }


def _what_was_read(judgement: Judgement, tried: list[Level]) -> dict[str, Any]:
    """Return what was read as moves, without empty values.

    `reading` is its name, `left_out` lists [line, part], and `untried` the slots on which not all could be tried.
    """
    values = {
        "reading": judgement.reading,
        "left_out": [[part.line, _printable(part.text[:_LONGEST_PART])] for part in judgement.left_out],
        "untried": [tried[number].slot for number in judgement.untried],
    }
    return {name: value for name, value in values.items() if value}


def _printable(text: str) -> str:
    """Name the characters of *text* that cannot be seen or stored: `U+200E`."""
    return "".join(sign if sign.isprintable() else f"U+{ord(sign):04X}" for sign in text)


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """Make values fit a JSON column: PostgreSQL refuses NUL and lone surrogates, so those become code points."""
    return {
        name: value if isinstance(value, int | type(None)) or str(value).isprintable() else _printable(str(value)[0])
        for name, value in values.items()
    }
