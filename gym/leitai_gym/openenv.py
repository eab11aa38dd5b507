"""Sokoban as an OpenEnv environment: the model plays in turns of several moves, and reads the board after each.

`make_app()` returns the web application: `uvicorn --factory leitai_gym.openenv:make_app`.
"""

import random
from typing import Any

from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

from solvers.sokoban import Game, replay
from solvers.sokoban.dataset import SPLITS, DatasetLevel, load_levels
from solvers.sokoban.prompting import describe_attempt, question, read_answer

MOST_TURNS = 20


class SokobanAction(Action):
    """Moves from the present position, in an answer of any form: see `prompting.read_answer`."""

    answer: str = Field(description="Text with moves, such as MOVES: rrUl")


class SokobanObservation(Observation):
    """Text for a model: rules and board, then the result of its moves. *reward* is 1 with the solution."""

    text: str


class SokobanEnvironment(Environment[SokobanAction, SokobanObservation, State]):
    """One level at a time, of the levels in `leitai-solvers`. An episode ends solved, dead, or after MOST_TURNS."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State(episode_id=None, step_count=0)
        self._game = Game(load_levels(SPLITS[0])[0].level)
        self._is_over = False

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, split: str = "train", index: int | None = None,
        **_options: Any,
    ) -> SokobanObservation:  # fmt: skip
        """Begin level *index* of *split*, or one drawn by *seed*. Raise ValueError or IndexError if there is none."""
        levels = load_levels(split)
        entry = random.Random(seed).choice(levels) if index is None else levels[index]  # noqa: S311 - no secret
        self._game, self._is_over = Game(entry.level), False
        self._state = State(episode_id=episode_id, step_count=0)
        return SokobanObservation(text=question(entry.level), metadata=_describe_task(entry))

    def step(self, action: SokobanAction, timeout_s: float | None = None, **_options: Any) -> SokobanObservation:  # noqa: ARG002 - OpenEnv's signature
        """Play the moves up to the first impossible one, and return what they did. The rules decide on the reward.

        Raise ValueError after the end of the episode.
        """
        moves, game = read_answer(action.answer), self._game
        if self._is_over:
            raise ValueError("This episode is over: reset the environment.")
        self._state.step_count += 1
        text = describe_attempt(game.to_level(), moves)
        for letter in replay(game.to_level(), moves).lurd:
            game.step(letter)
        is_solved = game.is_solved()  # by the rules of `replay`; the moves of all turns may be more than it reads
        self._is_over = is_solved or bool(game.is_dead()) or self._state.step_count >= MOST_TURNS
        counts = {"moves": game.moves, "pushes": game.pushes}
        return SokobanObservation(text=text, done=self._is_over, reward=float(is_solved), metadata=counts)

    @property
    def state(self) -> State:
        return self._state

    # The tasks, for OpenEnv's Task API

    def list_splits(self) -> list[str]:
        return list(SPLITS)

    def num_tasks(self, split: str) -> int:
        return len(load_levels(split))

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        return [_describe_task(entry) for entry in load_levels(split)]

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        return self.list_tasks(split)[index]


def _describe_task(entry: DatasetLevel) -> dict[str, Any]:
    return {"id": entry.id, "grade": entry.grade, "push_optimum": entry.push_optimum}


def make_app() -> Any:
    """Return the FastAPI application that serves the environment."""
    return create_app(SokobanEnvironment, SokobanAction, SokobanObservation, env_name="leitai-sokoban")
