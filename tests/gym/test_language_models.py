"""The adapters for language models; each runs where its package is installed, which requirements/dev.txt leaves out."""

import asyncio
from types import SimpleNamespace

import pytest

from solvers.sokoban.dataset import load_levels

LEVELS = load_levels("test", 1)


def test_a_task_of_verifiers_is_scored_by_the_replay_of_its_reply():
    pytest.importorskip("verifiers.v1")
    from leitai_gym.verifiers import SokobanConfig, SokobanTaskset

    tasks = list(SokobanTaskset(SokobanConfig(split="test", grade=1)))
    assert [task.data.id for task in tasks] == [level.id for level in LEVELS]
    assert LEVELS[0].xsb.splitlines()[1] in tasks[0].data.prompt
    for reply, expected in {f"So:\n\nMOVES: {LEVELS[0].solution}": (1.0, 0.0), "I give up.": (0.0, -1.0)}.items():
        trace = SimpleNamespace(last_reply=reply)
        scores = asyncio.run(tasks[0].solved(trace)), asyncio.run(tasks[0].excess_pushes(trace))
        assert scores == expected


def test_an_episode_of_openenv_goes_on_from_the_present_position_to_the_solution():
    pytest.importorskip("openenv.core")
    from leitai_gym.openenv import SokobanAction, SokobanEnvironment, make_app

    environment, solution = SokobanEnvironment(), LEVELS[0].solution
    index = [level.id for level in load_levels("test")].index(LEVELS[0].id)
    begin = environment.reset(split="test", index=index)
    assert begin.metadata == environment.get_task("test", index)
    first = environment.step(SokobanAction(answer=f"MOVES: {solution[:-1]}"))
    assert (first.done, first.reward) == (False, 0.0)
    assert "Not solved yet" in first.text
    last = environment.step(SokobanAction(answer=solution[-1]))
    assert (last.done, last.reward, last.metadata["pushes"]) == (True, 1.0, LEVELS[0].push_optimum)
    with pytest.raises(ValueError, match="reset the environment"):
        environment.step(SokobanAction(answer="l"))
    assert make_app()


def test_an_episode_of_openenv_that_ended_dead_or_after_its_turns_is_over():
    pytest.importorskip("openenv.core")
    from leitai_gym.openenv import MOST_TURNS, SokobanAction, SokobanEnvironment

    environment = SokobanEnvironment()
    environment.reset(split="test", index=0)
    turns = [environment.step(SokobanAction(answer="nothing")) for _ in range(MOST_TURNS)]
    assert [turn.done for turn in turns] == [False] * (MOST_TURNS - 1) + [True]
    with pytest.raises(ValueError, match="reset the environment"):
        environment.step(SokobanAction(answer="l"))
    environment.reset(split="test", index=0)
    assert not environment.step(SokobanAction(answer="nothing")).done


def test_many_long_answers_do_not_end_an_episode_of_openenv():
    pytest.importorskip("openenv.core")
    from leitai_gym.openenv import SokobanAction, SokobanEnvironment

    environment = SokobanEnvironment()
    environment.reset(split="test", index=0)  # a level that begins with a walk to the left
    turns = [environment.step(SokobanAction(answer="MOVES: 500000(lr)")) for _ in range(3)]
    assert turns[-1].metadata["moves"] == 3_000_000
