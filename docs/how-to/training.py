"""Play Sokoban in Gymnasium: 1,000 random episodes, ten solved levels, two pictures (docs/how-to/training.md).

    python training.py                    needs leitai-gym[solving]
    python training.py --wheels FOLDER    makes an empty environment, installs leitai-gym from FOLDER, and runs there

The pictures are written to the present folder.
"""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

BOARDS, EPISODES = 64, 1_000


def main() -> None:
    look_at_the_environment()
    play_at_random()
    solve_ten_levels()
    render_two_levels()


def look_at_the_environment() -> None:
    import gymnasium
    import leitai_gym  # noqa: F401 - registers the environment

    env = gymnasium.make("Leitai/Sokoban-v0", render_mode="ansi")
    planes, info = env.reset(seed=2)
    print(env.render())
    print("Planes", planes.shape, "proved optimum", info["optimum"], "legal now", info["action_mask"])
    _, reward, terminated, truncated, info = env.step(2)  # right
    print("Reward", reward, "solved", terminated, "at the limit", truncated, "moves so far", info["lurd"])


def play_at_random() -> None:
    """Play legal steps at random on all boards until enough episodes have ended."""
    import gymnasium
    import numpy as np

    envs = gymnasium.make_vec("Leitai/Sokoban-v0", num_envs=BOARDS, dead=True)
    _, infos = envs.reset(seed=1)
    chance = np.random.default_rng(1)
    episodes = solved = dead = 0
    while episodes < EPISODES:
        actions = (chance.random((BOARDS, 4)) * infos["action_mask"]).argmax(axis=1)
        _, _, terminated, truncated, infos = envs.step(actions)
        ended = terminated | truncated
        episodes += int(ended.sum())
        solved += int(terminated.sum())
        dead += sum(kind is not None for kind in infos["dead"][ended])
    print(f"{episodes} random episodes: {solved} solved, {dead} ended in a position that is provably dead")


def solve_ten_levels() -> None:
    """Solve two levels of each grade, and play the solutions in the environment."""
    import gymnasium
    from leitai_gym import shipped

    from solvers.sokoban import solve

    puzzles = [puzzle for grade in range(1, 6) for puzzle in shipped(grade)[:2]]
    env = gymnasium.make("Leitai/Sokoban-v0", levels=puzzles, max_episode_steps=1_000)
    for number, puzzle in enumerate(puzzles):
        env.reset(options={"level": number})
        total, terminated = 0.0, False
        for letter in solve(puzzle.level).lurd:
            _, reward, terminated, _, info = env.step("LURD".index(letter.upper()))
            total += float(reward)
        assert terminated
        print(f"{puzzle.title}: {info['moves']}/{info['pushes']}, proved {puzzle.optimum}, return {total:.1f}")


def render_two_levels() -> None:
    import gymnasium
    from PIL import Image

    env = gymnasium.make("Leitai/Sokoban-v0", render_mode="rgb_array", cell_pixels=32)
    for number in range(2):
        env.reset(options={"level": number})
        Image.fromarray(env.render()).save(f"level-{number}.png")
        print(f"level-{number}.png")


def run_in_empty_environment(wheels: str) -> None:
    """Install the wheels in the folder *wheels* into an empty environment, and run this file there."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        command = [python, "-m", "pip", "install", "--quiet", "--find-links", wheels, "leitai-gym[solving]"]
        subprocess.run(command, check=True)
        subprocess.run([python, Path(__file__).absolute()], check=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--wheels"]:
        run_in_empty_environment(sys.argv[2])
    else:
        main()
