"""Steps a CPU second of 256 boards: gym/ with numpy and with numba, beside gym-sokoban in an environment of its own."""

import subprocess
import tempfile
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from leitai_gym import SokobanEnv, SokobanVectorEnv, from_file

from bench.figures import Figure
from tooling.folders import ROOT
from tooling.terminal import Problem

BOARDS, SHAPE, LIMIT = 256, (10, 10), 120
ROUNDS = 5
RIVAL = "gym-sokoban==0.0.6", "gym==0.26.2"
TARGET = 1_000_000
LEVELS = from_file(ROOT / "contest/library/own/graded.sok")[-24:]  # 3 to 5 boxes; gym-sokoban has 4


def measure() -> Iterator[Figure]:
    """Yield the medians of ROUNDS rounds, in which all take turns.

    Ours include the choice of levels and the resets; gym-sokoban makes its rooms before the clock starts.
    """
    options: dict[str, Any] = {"levels": LEVELS, "shape": SHAPE, "max_episode_steps": LIMIT}
    racers: dict[str, Callable[[], float]] = {
        "numpy": _vector(backend="numpy", **options),
        "numba": _vector(backend="numba", **options),
        "numba, with dead positions": _vector(backend="numba", dead=True, **options),
        "one board": _single,
    }
    with _rival() as rival:
        racers["rival"] = rival
        rates = [[race() for race in racers.values()] for _ in range(ROUNDS + 1)][1:]  # the first round warms up
    *ours, baseline = map(median, zip(*rates, strict=True))
    for name, rate in zip(racers, ours, strict=False):
        target = "1,000,000" if name in ("numpy", "numba") else ""
        yield Figure(f"steps, {name}", rate, "/s", RIVAL[0], baseline, target, rate >= TARGET if target else None)


def _vector(**options: Any) -> Callable[[], float]:
    envs = SokobanVectorEnv(BOARDS, **options)
    envs.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, 4, (2_000, BOARDS))

    def race() -> float:
        begin = time.process_time()
        for row in actions:
            envs.step(row)
        return actions.size / (time.process_time() - begin)

    return race


def _single() -> float:
    env = SokobanEnv(LEVELS, shape=SHAPE)
    env.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, 4, 10_000).tolist()
    begin = time.process_time()
    for number, action in enumerate(actions, 1):
        env.step(action)
        if number % LIMIT == 0:
            env.reset()
    return len(actions) / (time.process_time() - begin)


@contextmanager
def _rival() -> Iterator[Callable[[], float]]:
    """Install gym-sokoban into a temporary environment and start it. Raise Problem if that fails."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        for command in (["-m", "pip", "install", "--quiet", *RIVAL], ["-c", "import gym_sokoban"]):
            done = subprocess.run([python, *command], capture_output=True, text=True, check=False)
            if done.returncode:
                raise Problem(f"{RIVAL[0]} does not run: {done.stderr.splitlines()[-1:]}")
        script = Path(__file__).with_name("rival_steps.py")
        command = [str(python), "-W", "ignore", str(script), str(BOARDS), "100"]
        with subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as child:  # fmt: skip
            lines = child.stdout
            assert child.stdin
            assert lines
            lines.readline()  # it is ready

            def race() -> float:
                print(file=child.stdin, flush=True)
                return float(lines.readline())

            yield race
            child.stdin.close()
