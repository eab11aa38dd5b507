"""The environment for many boards, which steps them together on arrays: by numpy, or compiled where numba is installed.

It does the same as `gymnasium.vector.SyncVectorEnv` with environments of `env`: same seeds, observations, rewards and
ends.
"""

import importlib.util
from functools import lru_cache
from itertools import product
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from leitai_gym import stepping
from leitai_gym.boards import BOXES, MAN, PLANES, Frame, Pixels, Shape, shape_of
from leitai_gym.curricula import Uniform
from leitai_gym.env import check_choice, check_options, check_pixels, planes_space
from leitai_gym.puzzles import Levels
from leitai_gym.rewards import Rewards, check_rewards
from solvers.sokoban.checks.deadlocks import deadlock

Flags = NDArray[np.bool_]
Result = tuple[Pixels, NDArray[np.float64], Flags, Flags, dict[str, Any]]


class SokobanVectorEnv(VectorEnv[Pixels, NDArray[np.int64], NDArray[Any]]):
    """Sokoban on *num_envs* boards; observations are planes, actions are steps. For others use `SyncVectorEnv`.

    *levels*, *shape*, *rewards* and *end_when_dead* are those of `SokobanEnv`. An episode is truncated after
    *max_episode_steps* actions; None or -1: never. *dead* adds the test for dead positions to the infos; it is left
    out by default, unless a reward or an end depends on it. *backend* is "numpy", "numba", or "auto": numba
    where it is installed. Raise ValueError for a wrong argument, NoCompiler without numba for "numba".
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 8}

    def __init__(
        self,
        num_envs: int = 1,
        levels: Levels | Uniform = None,
        *,
        rewards: Rewards = Rewards(),  # noqa: B008 - frozen
        shape: Shape | None = None,
        max_episode_steps: int | None = None,
        dead: bool = False,
        end_when_dead: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        backend: Literal["auto", "numpy", "numba"] = "auto",
        observation: Literal["planes"] = "planes",
        actions: Literal["steps"] = "steps",
        cell_pixels: int = 16,
        render_mode: str | None = None,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs must be at least 1, not {num_envs}.")
        for value, offered in ((observation, "planes"), (actions, "steps")):
            if value != offered:
                raise ValueError(f"Only SyncVectorEnv has {value!r}: add vectorization_mode='sync' to make_vec.")
        check_choice("render_mode", render_mode, (None, "rgb_array"))
        check_choice("backend", backend, ("auto", "numpy", "numba"))
        check_rewards(rewards)
        check_pixels(cell_pixels)
        self.num_envs, self.render_mode, self.cell_pixels = num_envs, render_mode, cell_pixels
        self.choice = levels if isinstance(levels, Uniform) else Uniform(levels)
        self.shape = shape_of(self.choice.puzzles, shape)
        self.limit = None if max_episode_steps in (None, -1) else max_episode_steps
        self.end_when_dead, self._tests_dead = end_when_dead, dead or end_when_dead or rewards.dead != 0
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = planes_space(self.shape)
        self.single_action_space = gymnasium.spaces.Discrete(4)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._step = _choose_step(backend)
        self._rewards = np.array([
            rewards.of(change=change, is_solution=is_solution, is_newly_dead=is_newly_dead)
            for change, is_solution, is_newly_dead in product((-1, 0, 1), (False, True), (False, True))
        ]).reshape(3, 2, 2)  # fmt: skip
        self._deltas = np.array([-1, -self.shape[1], 1, self.shape[1]])
        self._lay_out()

    def _lay_out(self) -> None:
        """Create the arrays of the boards and the tables of the levels."""
        n, puzzles = self.num_envs, self.choice.puzzles
        self._frames = [Frame(puzzle, self.shape) for puzzle in puzzles]
        self._starts = np.stack([frame.planes.reshape(-1) for frame in self._frames])
        cells = self.shape[0] * self.shape[1]
        self._first = np.arange(n) * len(PLANES) * cells  # index of each board's first cell
        self._players = np.array([frame.cell_here(frame.level.player) for frame in self._frames])
        self._counts = np.array([len(puzzle.level.boxes) for puzzle in puzzles])
        self._homes = np.array([len({*puzzle.level.boxes}.intersection(puzzle.level.goals)) for puzzle in puzzles])
        columns = {name: [puzzle.optimum.get(name, 0) for puzzle in puzzles] for name in ("pushes", "moves")}
        columns |= {f"_{name}": [name in puzzle.optimum for puzzle in puzzles] for name in ("pushes", "moves")}
        self._optima = {name: np.array(column) for name, column in columns.items()}
        self._texts = {
            name: np.array([getattr(puzzle, name) for puzzle in puzzles], object) for name in ("title", "source")
        }
        at, home, boxes, moves, pushes = (np.zeros(n, np.int64) for _ in range(5))
        letters = np.zeros((n, min(self.limit or 1_000, 1_000) + 2), np.uint8)  # `step` adds columns
        planes = np.zeros(n * len(PLANES) * cells, np.uint8)
        self._boards = stepping.Boards(planes, at, home, boxes, moves, pushes, letters, np.zeros((n, 4), np.bool_))
        self._level, self._steps = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self._change, self._pushed = np.zeros(n, np.int64), np.zeros(n, np.bool_)
        self._dead: NDArray[np.object_] = np.full(n, None, object)
        self._ended, self._all = np.zeros(n, np.bool_), np.ones(n, np.bool_)
        self._rngs: list[np.random.Generator] = []
        self._dead_kind = lru_cache(maxsize=100_000)(self._find_dead)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Pixels, dict[str, Any]]:
        """Begin an episode on every board, or on those that the flags `reset_mask` of *options* choose.

        Board i has the seed *seed* + i, or number i of a list. *options* may also have a `level`: the number of one of
        the levels, or a number for each board.
        """
        check_options(options, ("level", "reset_mask"))
        options = options or {}
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else seed or [None] * self.num_envs
        if len(seeds) != self.num_envs:
            raise ValueError(f"There are {len(seeds)} seeds for {self.num_envs} boards.")
        mask = np.asarray(options.get("reset_mask", self._all))
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise ValueError(f"reset_mask must have {self.num_envs} flags, not {mask!r}.")
        self._rngs = self._rngs or [seeding.np_random(None)[0] for _ in seeds]
        for i, number in enumerate(seeds):
            if number is not None and mask[i]:
                self._rngs[i] = seeding.np_random(number)[0]
        self._begin(np.flatnonzero(mask), options.get("level"))
        return self._observe(), self._infos()

    def step(self, actions: NDArray[np.int64]) -> Result:
        """Step on every board. Raise ValueError for actions that are not in the action space."""
        actions = np.asarray(actions)
        are_numbers = actions.dtype.kind in "iu" and actions.shape == (self.num_envs,)
        if not are_numbers or actions.min() < 0 or actions.max() > 3:
            raise ValueError(f"actions must be {self.num_envs} numbers from 0 to 3, not {actions!r}.")
        actions = actions.astype(np.int64)
        if not self._rngs:
            raise gymnasium.error.ResetNeeded("Call reset before step.")
        boards = self._boards
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            boards.mask[self._ended] = False  # their actions are ignored
        self._step(boards, actions, self._deltas, self._change, self._pushed)
        self._steps += 1
        solved = boards.home == boards.boxes
        newly_dead = self._look_for_dead() if self._tests_dead else np.int64(0)
        rewards: NDArray[np.float64] = self._rewards[
            self._change + 1, (solved & self._pushed).astype(np.int64), newly_dead
        ]
        terminations = solved | (self._dead != None) if self.end_when_dead else solved  # noqa: E711 - of each board
        over = self._steps >= self.limit if self.limit else np.zeros(self.num_envs, np.bool_)
        if self.autoreset_mode == AutoresetMode.NEXT_STEP and self._ended.any():
            rewards[self._ended] = 0.0
            terminations = terminations & ~self._ended
            over = over & ~self._ended
            self._begin(np.flatnonzero(self._ended))
        self._ended = terminations | over
        final = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._ended.any():
            final = self._final_infos()
            self._begin(np.flatnonzero(self._ended))
        if boards.letters.shape[1] <= self._steps.max() + 1:
            self._boards = boards._replace(letters=np.pad(boards.letters, ((0, 0), (0, boards.letters.shape[1]))))
        return self._observe(), rewards, terminations, over, self._infos() | final

    def render(self) -> tuple[Pixels, ...] | None:
        """Return a picture of each board, or None without a render mode."""
        return tuple(self._picture(i) for i in range(self.num_envs)) if self.render_mode else None

    def lurd(self, board: int) -> str:
        """Return the moves on *board* since its last reset, for example to replay a solution."""
        return self._boards.letters[board, : self._boards.moves[board]].tobytes().decode()

    def _begin(self, chosen: NDArray[np.int64], level: Any = None) -> None:
        """Begin an episode on the boards *chosen*."""
        boards = self._boards
        levels = None if level is None else self._read_numbers(level)
        for i in chosen:
            if self._steps[i]:
                self.choice.record(int(self._level[i]), is_solved=bool(boards.home[i] == boards.boxes[i]))
            self._level[i] = self.choice.choose(self._rngs[i]) if levels is None else levels[i]
        numbers = self._level[chosen]
        boards.planes.reshape(self.num_envs, -1)[chosen] = self._starts[numbers]
        boards.at[chosen] = self._first[chosen] + self._players[numbers]
        boards.home[chosen], boards.boxes[chosen] = self._homes[numbers], self._counts[numbers]
        for counts in (boards.moves, boards.pushes, self._steps):
            counts[chosen] = 0
        self._ended[chosen] = False
        self._static = {
            "level": self._level.copy(),
            "optimum": {name: column[self._level] for name, column in self._optima.items()},
            **{name: column[self._level] for name, column in self._texts.items()},
        }
        if self._tests_dead:
            self._dead[chosen] = [self._dead_of(i) for i in chosen]
        stepping.find_legal(boards, self._deltas)

    def _read_numbers(self, level: Any) -> NDArray[np.int64]:
        """Return the number of a level for each board. Raise ValueError unless they are numbers of our levels."""
        numbers, most = np.asarray(level), len(self._frames) - 1
        if numbers.dtype.kind not in "iu" or numbers.shape not in ((), (self.num_envs,)):
            raise ValueError(f"level must be the number of a level, or {self.num_envs} of them, not {level!r}.")
        if numbers.min() < 0 or numbers.max() > most:
            raise ValueError(f"There is no level {level}: the numbers are 0 to {most}.")
        return np.broadcast_to(numbers.astype(np.int64), self.num_envs)

    def _look_for_dead(self) -> NDArray[np.int64]:
        """Test the boards on which a box was pushed; return 1 for each that became dead, 0 for others."""
        newly_dead = np.zeros(self.num_envs, np.int64)
        for i in np.flatnonzero(self._pushed & (self._dead == None)).tolist():  # noqa: E711 - of each board
            self._dead[i] = self._dead_of(i)
            newly_dead[i] = self._dead[i] is not None
        return newly_dead

    def _dead_of(self, board: int) -> str | None:
        planes = self._boards.planes.reshape(self.num_envs, len(PLANES), -1)
        return self._dead_kind(int(self._level[board]), planes[board, BOXES].tobytes())

    def _find_dead(self, number: int, boxes: bytes) -> str | None:
        """Return the name of the test that proves a position of a level unsolvable, or None."""
        level = self._frames[number].level
        found = deadlock(level, self._cells(number, np.frombuffer(boxes, np.uint8)))
        return str(found.kind) if found else None

    def _cells(self, number: int, plane: Pixels) -> list[int]:
        """Return the cells of a level at which a plane of the array is 1."""
        cells = (self._frames[number].cell_of_level(int(cell)) for cell in np.flatnonzero(plane))
        return [cell for cell in cells if cell is not None]

    def _picture(self, board: int) -> Pixels:
        number = int(self._level[board])
        planes = self._boards.planes.reshape(self.num_envs, len(PLANES), -1)[board]
        (player,) = self._cells(number, planes[MAN])
        facing = self.lurd(board)[-1:].upper() or "D"
        return self._frames[number].picture(self._cells(number, planes[BOXES]), player, self.cell_pixels, facing)

    def _observe(self) -> Pixels:
        return self._boards.planes.reshape(self.num_envs, len(PLANES), *self.shape).copy()

    def _infos(self) -> dict[str, Any]:
        boards = self._boards
        infos = {
            "action_mask": boards.mask.astype(np.int8),
            "moves": boards.moves.copy(),
            "pushes": boards.pushes.copy(),
        }
        infos |= {"dead": self._dead.copy()} if self._tests_dead else {}
        infos |= self._static
        return infos | {f"_{name}": self._all for name in infos}

    def _final_infos(self) -> dict[str, Any]:
        """Return observations and infos of the boards that have just ended, before their reset."""
        ended = self._ended.copy()
        last: NDArray[np.object_] = np.full(self.num_envs, None, object)
        lurd = last.copy()
        observations = self._observe()
        for i in np.flatnonzero(ended).tolist():
            last[i], lurd[i] = observations[i], self.lurd(i)
        infos = {name: values for name, values in self._infos().items() if name[0] != "_"} | {"lurd": lurd}
        optimum = infos["optimum"]
        infos["optimum"] = optimum | {f"_{name}": optimum[f"_{name}"] & ended for name in ("pushes", "moves")}
        infos |= {f"_{name}": ended for name in infos}
        return {"final_obs": last, "_final_obs": ended, "final_info": infos, "_final_info": ended}


def _choose_step(backend: str) -> stepping.Step:
    if backend == "auto":
        backend = "numba" if importlib.util.find_spec("numba") else "numpy"
    return stepping.compiled_step() if backend == "numba" else stepping.step
