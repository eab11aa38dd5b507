"""For which of several open rounds a text is that names none (rule 6.8)."""

import logging
from collections.abc import Sequence

from contest.judging.outcomes import levels_in_order
from contest.models import Reader, Round
from solvers.sokoban.reading import readers
from solvers.sokoban.reading.readers import Outcome

log = logging.getLogger(__name__)


def first_solved(rounds: Sequence[Round], moves: str, slot: str, reader: Reader) -> Round:
    """The first of *rounds* with a level, in *slot* if one is named, that *moves* solve; else the first of them.

    Each is tried as the judge will try it, with its own bounds: time as for so many verdicts, and nothing is written.
    """
    for round_ in rounds:
        boards = [level.board for level in levels_in_order(round_.pk) if slot in ("", level.slot)]
        limit = round_.max_moves
        plays = readers.plays_for(limit)
        try:
            judgement = readers.judge(boards, moves, readers.Reader(reader), limit=limit, plays=plays)
        except Exception:
            # Trouble of ours must not refuse what came in time: it is stored, and the judge will meet it (rule 6.12).
            log.exception("A text could not be tried on round %s", round_.number)
            continue
        if judgement.outcome is Outcome.SOLVED:
            return round_
    return rounds[0]
