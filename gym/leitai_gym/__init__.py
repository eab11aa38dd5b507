"""Sokoban for Gymnasium. Importing this package registers `Leitai/Sokoban-v0`.

`env` is the environment for one board, `vector` for many. `puzzles` has the levels and where they come from,
`curricula` their order, `rewards` the rewards. `boards` makes observations and `stepping` steps many boards at once.
`verifiers` and `openenv` are adapters for language models, each with an extra of its name.
"""

import gymnasium

from leitai_gym.boards import TooLarge
from leitai_gym.curricula import Curriculum, Uniform, by_difficulty, by_optimum
from leitai_gym.env import SokobanEnv
from leitai_gym.puzzles import Puzzle, find, from_file, from_site, shipped, with_optimum
from leitai_gym.rewards import Rewards
from leitai_gym.vector import SokobanVectorEnv

__version__ = "0.6.0"

__all__ = [
    "Curriculum",
    "Puzzle",
    "Rewards",
    "SokobanEnv",
    "SokobanVectorEnv",
    "TooLarge",
    "Uniform",
    "by_difficulty",
    "by_optimum",
    "find",
    "from_file",
    "from_site",
    "shipped",
    "with_optimum",
]

STEP_LIMIT = 120  # actions of an episode, as in gym-sokoban

gymnasium.register(
    "Leitai/Sokoban-v0",
    entry_point="leitai_gym.env:SokobanEnv",
    vector_entry_point="leitai_gym.vector:SokobanVectorEnv",
    max_episode_steps=STEP_LIMIT,
)
