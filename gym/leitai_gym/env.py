"""The environment for one board. It rests on `solvers.sokoban.Game`, the library's rules of the game."""

from typing import Any, Literal, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from leitai_gym.boards import PLANES, Frame, Pixels, Shape, shape_of
from leitai_gym.curricula import Uniform
from leitai_gym.puzzles import Levels, Puzzle, read_levels
from leitai_gym.rewards import Rewards, check_rewards
from solvers.sokoban import Game, Push

Observation: TypeAlias = Pixels | str
DIRECTIONS = "LURD"  # actions 0 to 3: left, up, right, down
GLYPHS = "#-.$*@+\n"


def planes_space(shape: Shape) -> spaces.Box:
    """Return the space of the planes: walls, goals, boxes and player, each of *shape* rows and columns, 0 or 1."""
    return spaces.Box(0, 1, (len(PLANES), *shape), np.uint8)


class SokobanEnv(gymnasium.Env[Observation, int]):
    """Sokoban on one of *levels*, chosen at each reset: see `puzzles.read_levels` and `curricula`.

    *observation* is "planes", "text" (XSB) or "rgb", for boards of *shape* rows and columns: the largest level's by
    default, filled up with walls. *actions* are "steps" or "pushes". An episode terminates when the level is solved,
    with *end_when_dead* also once it is provably unsolvable; `gymnasium.make` adds the step limit. The page
    docs/how-to/training.md lists spaces, rewards and info.

    Raise ValueError for an unknown choice, and for a level that cannot be played or does not fit (`boards.TooLarge`).
    """

    game: Game  # set by reset, as are the next two
    number: int
    _frame: Frame
    metadata = {"render_modes": ["rgb_array", "ansi"], "render_fps": 8}

    def __init__(
        self,
        levels: Levels | Uniform = None,
        *,
        observation: Literal["planes", "text", "rgb"] = "planes",
        actions: Literal["steps", "pushes"] = "steps",
        rewards: Rewards = Rewards(),  # noqa: B008 - frozen
        shape: Shape | None = None,
        end_when_dead: bool = False,
        cell_pixels: int = 16,
        render_mode: str | None = None,
    ) -> None:
        check_choice("observation", observation, ("planes", "text", "rgb"))
        check_choice("actions", actions, ("steps", "pushes"))
        check_choice("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        check_rewards(rewards)
        check_pixels(cell_pixels)
        self.choice = levels if isinstance(levels, Uniform) else Uniform(levels)
        self.shape = rows, columns = shape_of(self.choice.puzzles, shape)
        self.observation, self.actions, self.rewards, self.end_when_dead = observation, actions, rewards, end_when_dead
        self.cell_pixels, self.render_mode = cell_pixels, render_mode
        size = rows * (columns + 1) - 1
        self.observation_space: Any = {
            "planes": planes_space(self.shape),
            "text": spaces.Text(size, min_length=size, charset=GLYPHS),
            "rgb": spaces.Box(0, 255, (rows * cell_pixels, columns * cell_pixels, 3), np.uint8),
        }[observation]
        self.action_space: Any = spaces.Discrete(4 if actions == "steps" else 4 * rows * columns)
        self._steps = -1  # before the first reset

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode. *options* may name the `level`: its number in the levels, XSB text, a Level or a Puzzle."""
        check_options(options, ("level",))
        super().reset(seed=seed)
        if self._steps > 0 and self.number >= 0:
            self.choice.record(self.number, is_solved=self.game.is_solved())
        number, puzzle = self._choose((options or {}).get("level"))
        self._frame = Frame(puzzle, self.shape)
        self.number, self._steps, self.game = number, 0, Game(puzzle.level)
        self._dead = self.game.is_dead()
        self._legal = self._find_legal()
        return self._observe(), self._info()

    def _choose(self, wanted: Any) -> tuple[int, Puzzle]:
        """Return the number and the puzzle of the next level; the number of a level that is not one of ours is -1."""
        puzzles = self.choice.puzzles
        if wanted is None:
            number = self.choice.choose(self.np_random)
        elif isinstance(wanted, int | np.integer):
            number = int(wanted)
            if not 0 <= number < len(puzzles):
                raise ValueError(f"There is no level {number}: the numbers are 0 to {len(puzzles) - 1}.")
        else:
            return -1, read_levels(wanted)[0]
        return number, puzzles[number]

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carry out *action*; an illegal one changes nothing. Raise ValueError if it is not in the action space."""
        if self._steps < 0:
            raise gymnasium.error.ResetNeeded("Call reset before step.")
        number = np.asarray(action)
        if number.dtype.kind not in "iu" or number.size != 1 or not 0 <= number < self.action_space.n:
            raise ValueError(f"action must be a number from 0 to {self.action_space.n - 1}, not {action!r}.")
        self._steps += 1
        pushes, home, was_dead = self.game.pushes, self._home(), self._dead
        if push := self._legal.get(int(number.item())):
            self.game.push(push) if isinstance(push, Push) else self.game.step(push)
            self._legal = self._find_legal()
            if self.game.pushes > pushes and not was_dead:
                self._dead = self.game.is_dead()
        is_solved, is_newly_dead = self.game.is_solved(), bool(self._dead) and not was_dead
        is_solution = is_solved and self.game.pushes > pushes
        reward = self.rewards.of(change=self._home() - home, is_solution=is_solution, is_newly_dead=is_newly_dead)
        is_over = is_solved or (self.end_when_dead and bool(self._dead))
        return self._observe(), reward, is_over, False, self._info()

    def render(self) -> Any:
        """Return the position as an RGB array or as XSB text, by the render mode."""
        if self._steps < 0:
            raise gymnasium.error.ResetNeeded("Call reset before render.")
        return {None: lambda: None, "ansi": self._text, "rgb_array": self._picture}[self.render_mode]()

    def _find_legal(self) -> dict[int, str | Push]:
        """Return the legal actions, as steps or pushes of the game."""
        if self.actions == "steps":
            return {DIRECTIONS.index(letter.upper()): letter for letter in self.game.legal_steps}
        cell_here = self._frame.cell_here
        return {4 * cell_here(push.box) + DIRECTIONS.index(push.direction): push for push in self.game.legal_pushes}

    def _home(self) -> int:
        return len(set(self.game.boxes).intersection(self.game.level.goals))

    def _observe(self) -> Observation:
        if self.observation == "planes":
            return self._frame.planes_with(self.game.boxes, self.game.player)
        return self._text() if self.observation == "text" else self._picture()

    def _text(self) -> str:
        return self._frame.text_of(str(self.game))

    def _picture(self) -> Pixels:
        facing = self.game.lurd[-1:].upper() or "D"
        return self._frame.picture(self.game.boxes, self.game.player, self.cell_pixels, facing)

    def _info(self) -> dict[str, Any]:
        mask: NDArray[np.int8] = np.zeros(self.action_space.n, np.int8)
        mask[list(self._legal)] = 1
        game, puzzle = self.game, self._frame.puzzle
        return {
            "action_mask": mask,
            "dead": str(self._dead) if self._dead else None,
            "moves": game.moves,
            "pushes": game.pushes,
            "lurd": game.lurd,
            "level": self.number,
            "optimum": puzzle.optimum,
            "title": puzzle.title,
            "source": puzzle.source,
        }


def check_pixels(cell_pixels: object) -> None:
    """Raise ValueError if *cell_pixels* is no number of pixels."""
    if not isinstance(cell_pixels, int) or cell_pixels < 1:
        raise ValueError(f"cell_pixels must be at least 1, not {cell_pixels!r}.")


def check_options(options: dict[str, Any] | None, names: tuple[str, ...]) -> None:
    """Raise ValueError if the *options* of reset have another name than *names*, for example a misspelled one."""
    if unknown := [name for name in options or {} if name not in names]:
        raise ValueError(f"options have no {unknown[0]!r}: they have {' and '.join(names)}.")


def check_choice(name: str, value: object, choices: tuple[object, ...]) -> None:
    """Raise ValueError, which lists the *choices* of the argument *name*, if *value* is another."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, not {value!r}.")
