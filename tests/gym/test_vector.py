"""The vector environment does what single environments do, which rest on Game, with numpy and with numba."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from leitai_gym import Rewards, SokobanEnv, SokobanVectorEnv, Uniform, shipped

BOARDS, STEPS, LIMIT = 8, 250, 60
LEVELS = [shipped(grade)[number] for grade in (1, 3) for number in (0, 7, 11)]
OPTIONS = {"levels": LEVELS, "rewards": Rewards(dead=-3.0), "end_when_dead": True, "shape": (9, 10)}


@pytest.mark.parametrize("backend", ["numpy", "numba"])
@pytest.mark.parametrize("mode", AutoresetMode)
def test_it_does_what_single_environments_do(backend, mode):
    make = lambda: gymnasium.wrappers.TimeLimit(SokobanEnv(**OPTIONS), LIMIT)  # noqa: E731
    slow = SyncVectorEnv([make] * BOARDS, autoreset_mode=mode)
    fast = SokobanVectorEnv(BOARDS, max_episode_steps=LIMIT, autoreset_mode=mode, backend=backend, **OPTIONS)
    assert (slow.observation_space, slow.action_space) == (fast.observation_space, fast.action_space)
    rng, ends = np.random.default_rng(3), np.zeros(2)
    outcomes: list = [slow.reset(seed=5), fast.reset(seed=5)]
    for _ in range(STEPS):
        expected, values = outcomes
        assert all(map(np.array_equal, expected[:-1], values[:-1]))
        assert_same(expected[-1], values[-1])
        actions = rng.integers(0, 4, BOARDS)
        outcomes = [slow.step(actions), fast.step(actions)]
        ends += [outcomes[0][2].sum(), outcomes[0][3].sum()]
        ended = outcomes[0][2] | outcomes[0][3]
        if mode == AutoresetMode.DISABLED and ended.any():
            one, other = (env.reset(options={"reset_mask": ended})[0] for env in (slow, fast))
            assert np.array_equal(one, other)
    assert ends.min() > 5
    assert {fast.lurd(i) for i in range(BOARDS)} == {env.unwrapped.game.lurd for env in slow.envs}


def assert_same(expected, infos):
    """Compare what both have; the vector environment gives the moves only of episodes that ended."""
    assert expected.keys() - infos.keys() <= {"lurd", "_lurd"}
    for name in expected.keys() & infos.keys():
        if isinstance(expected[name], dict):
            assert_same(expected[name], infos[name])
        elif name[0] != "_":
            mask = expected[f"_{name}"] & infos[f"_{name}"]
            assert np.array_equal(expected[f"_{name}"], infos[f"_{name}"]), name
            assert all(map(np.array_equal, expected[name][mask], infos[name][mask])), name


class Noted(Uniform):
    def __init__(self, levels):
        super().__init__(levels)
        self.noted = []

    def record(self, number, *, is_solved):
        self.noted.append((number, is_solved))


@pytest.mark.parametrize("backend", ["numpy", "numba"])
def test_the_action_that_only_resets_a_truncated_board_solves_nothing(backend):
    slow, fast = Noted("######|#@$-.#|######"), Noted("######|#@$-.#|######")
    single = SyncVectorEnv([lambda: gymnasium.wrappers.TimeLimit(SokobanEnv(slow), 1)])
    for env in (single, SokobanVectorEnv(1, fast, max_episode_steps=1, backend=backend)):
        env.reset(seed=1)
        for _ in range(4):
            env.step(np.array([2]))
    assert fast.noted == slow.noted == [(0, False), (0, False)]


def test_a_limit_costs_no_memory_before_it_is_reached():
    envs = SokobanVectorEnv(2, "#######|#@--$.#|#######", max_episode_steps=10**12, backend="numpy")
    envs.reset()
    for step in range(3_000):
        envs.step(np.full(2, 2 * (step % 2 == 0)))
    assert envs.lurd(1) == "rl" * 1_500
