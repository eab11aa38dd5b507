"""Read and judge a text by the reader that its receipt names (rules 6.2, 6.8, 13.3): the same in judge and verifier.

A reader that reads differently than before gets a new name, so that an older text is read as it was when it was judged.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from contest.rules import sealed_answers
from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.reading import readers
from solvers.sokoban.reading.plays import Plays, most_steps
from solvers.sokoban.reading.readers import Outcome, Reader
from solvers.sokoban.reading.spectator import SpectatorAnswer, spectator_answer

# At most this many parts of a pasted text that may be moves are examined for a spectator answer.
MAX_TEXTS = 10
_DECODED_A_STEP = 50  # letters decoded in the time of one replay step


class MoveReader(NamedTuple):
    """A reader of the library, and the part of the stored text that it reads."""

    reader: Reader
    moves_in: Callable[[str], str] = str


# By the name in a submission and its leaf. The first three are of 0.6.0 and earlier.
READERS: Mapping[str, MoveReader] = {
    "rle": MoveReader(Reader.RUN_LENGTH),
    "lenient": MoveReader(Reader.LENIENT_0_6),
    "legacy": MoveReader(Reader.LEGACY),
    "pasted": MoveReader(Reader.LENIENT),
    "sealed": MoveReader(Reader.STRICT, sealed_answers.moves_in),
}


def readable(text: bytes, name: str) -> tuple[str, Reader]:
    """Return what the reader *name* reads of a stored text, and that reader. Raise UnicodeDecodeError."""
    move_reader = READERS[name]
    return move_reader.moves_in(text.decode("utf-8", "surrogatepass")), move_reader.reader


def possible_moves(text: str, reader: Reader, limit: int) -> Sequence[Moves]:
    """Return the parts of *text* that may be a spectator answer, which the judge examines in this order."""
    found = readers.candidates(text, reader, limit=limit)
    return [block.moves for block in found if block.moves and block.moves.steps][:MAX_TEXTS]


@dataclass(frozen=True)
class Entry:
    """A scored text: its slot, the scored moves and their counts; *is_spectator* if it solves no level (rule 13.3)."""

    slot: str
    lurd: str = field(repr=False)
    moves: int
    pushes: int
    is_spectator: bool = False


@dataclass
class EntryJudge:
    """Judge stored texts on the *levels* of a round, by slot in their order; *limit* bounds the steps of a text.

    *spent* is the cost so far, in replay steps.
    """

    levels: Mapping[str, Level]
    limit: int
    takes_spectators: bool
    spent: int = 0

    def judge(self, text: bytes, reader: str, slot_named: str) -> Entry | None:
        """Return the entry that the judge finds in *text*; None if it scores nothing. Raise UnicodeDecodeError."""
        moves_text, library_reader = readable(text, reader)
        tried = [slot for slot in self.levels if slot_named in ("", slot)]
        plays = readers.plays_for(self.limit)
        judgement = self._judge_on(tried, moves_text, library_reader, plays)
        entry = None
        if judgement.outcome is Outcome.SOLVED and judgement.replay and judgement.level is not None:
            found = judgement.replay
            entry = Entry(tried[judgement.level], found.lurd, found.moves, found.pushes)
        elif self.takes_spectators and judgement.outcome in (Outcome.NOT_SOLVED, Outcome.ILLEGAL):
            entry = self._spectator_entry(tried, moves_text, library_reader, plays)
        decoded = 0 if readers.has_too_many_parts(moves_text) else min(most_steps(moves_text), 8 * self.limit)
        self.spent += len(text) + decoded // _DECODED_A_STEP + plays.played
        return entry

    def _judge_on(self, slots: Sequence[str], text: str, reader: Reader, plays: Plays) -> readers.Judgement:
        return readers.judge([self.levels[slot] for slot in slots], text, reader, limit=self.limit, plays=plays)

    def _spectator_entry(self, tried: Sequence[str], text: str, reader: Reader, plays: Plays) -> Entry | None:
        """Return the spectator answer in a text that solves none of the levels; a misnamed solution is none."""
        others = [slot for slot in self.levels if slot not in tried]
        if others and self._judge_on(others, text, reader, plays).outcome is Outcome.SOLVED:
            return None
        texts = possible_moves(text, reader, self.limit)
        answer: SpectatorAnswer | None = spectator_answer([self.levels[slot] for slot in tried], texts, plays)
        if answer is None or not answer.is_whole:
            return None
        return Entry(tried[answer.level], answer.lurd, answer.moves, answer.pushes, is_spectator=True)
