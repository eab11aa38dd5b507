"""Check whether scored moves are a reading of the submitted text (docs/reference/archive.md)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from solvers.sokoban.level import Level
from solvers.sokoban.reading.masks import COUNTLESS_LINES
from solvers.sokoban.reading.pasted import read_moves
from solvers.sokoban.reading.plays import most_steps
from solvers.sokoban.reading.readers import Reader, candidates, has_too_many_parts, judge, plays_for
from solvers.sokoban.reading.spectator import spectator_answer

_DECODED_A_STEP = 50  # letters decoded in the time of one replay step


@dataclass
class Origins:
    """Compare scored moves with texts submitted for one of *levels*, of up to *limit* steps.

    *spent* is the cost so far, in replay steps.
    """

    levels: Sequence[Level]
    limit: int
    spent: int = 0

    def is_reading(self, lurd: str, level: Level, text: str, *, is_spectator: bool = False) -> bool:
        """Return whether a reader finds in *text* a solution of *level*, or a spectator answer, scored as *lurd*.

        >>> level = Level.parse("#####|#@$.#|#####")
        >>> Origins([level], 1000).is_reading("R", level, "Moves: 1 Pushes: 1 r")
        True

        *lurd* must be moves of *level* scored by a replay. The text may have been submitted for any level.
        """
        if has_too_many_parts(text):
            return False
        self.spent += len(text) + min(most_steps(text), 8 * self.limit) // _DECODED_A_STEP
        if not is_spectator:
            plain_moves = read_moves(text, 0, self.limit).moves
            # Scored moves end where the level is first solved; the rest of the text is cut.
            if plain_moves and plain_moves.steps[: len(lurd)].lower() == lurd.lower():
                return True
        return (level, lurd) in self._scored(text, level, is_spectator=is_spectator)

    def _scored(self, text: str, level: Level, *, is_spectator: bool) -> Iterator[tuple[Level, str]]:
        """Yield the levels and moves that readers score in *text* if it is sent for *level*, or for any level."""
        readers = (Reader.RUN_LENGTH, Reader.LENIENT, Reader.LENIENT_0_6)
        if not is_spectator:
            readers = (Reader.LENIENT, Reader.LENIENT_0_6, Reader.LEGACY)
        for levels, reader in product(([level], self.levels), readers):
            plays = plays_for(self.limit)
            judgement = judge(levels, text, reader, limit=self.limit, plays=plays)
            scored = [(best.level, best.replay.lurd) for best in judgement.solved if best.replay is judgement.replay]
            if is_spectator:
                # A solution for which counts were left out may have been a spectator answer before 0.6.0.
                is_solved = scored and judgement.reading != COUNTLESS_LINES
                blocks = [] if is_solved else candidates(text, reader, limit=self.limit)
                answer = spectator_answer(levels, [block.moves for block in blocks if block.moves], plays)
                scored = [(answer.level, answer.lurd)] if answer and answer.is_whole else []
            self.spent += plays.played
            yield from ((levels[number], moves) for number, moves in scored)
