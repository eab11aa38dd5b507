import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from leitai_gym import Puzzle, Rewards, SokobanEnv, SokobanVectorEnv, TooLarge

from solvers.sokoban import Level

LANE = "#######|#@$-.-#|#######"
STEPS = {letter: number for number, letter in enumerate("LURD")}


@pytest.mark.parametrize("options", [{}, {"observation": "text"}, {"observation": "rgb"}, {"actions": "pushes"}])
def test_the_registered_environment_passes_the_checks_of_gymnasium(options):
    check_env(gymnasium.make("Leitai/Sokoban-v0", render_mode="rgb_array", **options).unwrapped)


def test_an_episode_has_rewards_counts_and_legal_actions():
    env = SokobanEnv(Puzzle(Level.parse(LANE), "Lane", "a test", pushes=2))
    planes, info = env.reset(seed=1)
    assert (info["title"], info["source"], info["optimum"], info["dead"]) == ("Lane", "a test", {"pushes": 2}, None)
    row = dict(zip(["walls", "goals", "boxes", "player"], planes[:, 1].tolist(), strict=True))
    assert row["walls"] == [1, 0, 0, 0, 0, 0, 1]
    assert [row[name].index(1) for name in ("goals", "boxes", "player")] == [4, 2, 1]
    assert info["action_mask"].tolist() == [0, 0, 1, 0]
    results = [env.step(STEPS[letter]) for letter in "LRR"]
    assert [(reward, over, info["lurd"]) for _, reward, over, _, info in results] == [
        (-0.1, False, ""), (-0.1, False, "R"), (pytest.approx(10.9), True, "RR")
    ]  # fmt: skip
    assert env.step(STEPS["L"])[1:3] == (-0.1, True)
    assert results[-1][4]["action_mask"].sum() == 0


def test_a_dead_position_is_named_rewarded_once_and_can_end_the_episode():
    for option in (False, True):
        env = SokobanEnv("######|#----#|#-$.-#|#-@--#|######", rewards=Rewards(dead=-5), end_when_dead=option)
        env.reset()
        results = [env.step(STEPS[letter]) for letter in "UL"]
        assert [(reward, over) for _, reward, over, _, _ in results] == [(-5.1, option), (-0.1, option)]
        assert results[-1][4]["dead"] == "dead_square"


def test_a_push_walks_to_its_box():
    env = SokobanEnv("######|#---@#|#.$--#|######", actions="pushes", shape=(5, 8))
    _, info = env.reset()
    legal = np.flatnonzero(info["action_mask"]).tolist()
    assert legal == [4 * (2 * 8 + 2) + STEPS["L"], 4 * (2 * 8 + 2) + STEPS["R"]]
    assert [*env.step(legal[0])[1:3], env.game.lurd] == [pytest.approx(10.9), True, "ldL"]


def test_one_seed_chooses_the_same_levels():
    one, other = (gymnasium.make("Leitai/Sokoban-v0") for _ in range(2))
    first = [one.reset(seed=seed)[1]["level"] for seed in (7, None, None, None)]
    assert first == [other.reset(seed=seed)[1]["level"] for seed in (7, None, None, None)]
    assert len({*first}) > 1
    assert one.reset(options={"level": LANE})[1]["level"] == -1


@pytest.mark.parametrize("make", [SokobanEnv, lambda levels, **options: SokobanVectorEnv(2, levels, **options)])
def test_wrong_arguments_are_named(make):
    for wrong, message in (
        ({"rewards": {"solved": 1, "sloved": 1}}, "no 'sloved'; it has step, on_goal"),
        ({"shape": 10}, r"rows and columns, such as \(10, 10\), not 10"),
        ({"cell_pixels": 0}, "cell_pixels must be at least 1, not 0"),
    ):
        with pytest.raises(ValueError, match=message):
            make(LANE, **wrong)
    env = make(LANE)
    with pytest.raises(ValueError, match="no 'stage': they have level"):
        env.reset(options={"stage": 0})


@pytest.mark.parametrize("make", [SokobanEnv, lambda levels, **options: SokobanVectorEnv(2, levels, **options)])
def test_what_cannot_be_played_is_refused_with_its_reason(make):
    with pytest.raises(TooLarge, match=r"'Lane' has 3 rows and 7 columns.* use shape=\(3, 7\)"):
        make([Puzzle(Level.parse(LANE), "Lane")], shape=(3, 6))
    with pytest.raises(ValueError, match="cannot be played: open"):
        make("#######|#@$-.--|#######")
    env = make(LANE)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(env.action_space.sample())
    with pytest.raises(ValueError, match="no level 1: the numbers are 0 to 0"):
        env.reset(options={"level": 1})
    env.reset()
    with pytest.raises(ValueError, match="from 0 to 3"):
        env.step(env.action_space.sample() + 4)
