"""Steps of gym-sokoban, run by a Python that has it: prints steps a CPU second for each line on standard input."""

import copy
import random
import sys
import time

from gym_sokoban.envs.sokoban_env import SokobanEnv

ROOMS = 2  # each takes seconds to make


def main(boards: int, steps: int) -> None:
    """Step on *boards* boards of 10 by 10 squares with 4 boxes; rooms are not made while the clock runs."""
    rooms = [SokobanEnv(dim_room=(10, 10), num_boxes=4, max_steps=1 << 60) for _ in range(ROOMS)]
    copies = [copy.deepcopy(rooms[at % ROOMS]) for at in range(boards)]
    chance = random.Random(1)
    print("ready", flush=True)
    for _line in sys.stdin:
        actions = [chance.randrange(1, 5) for _ in range(boards * steps)]
        begin = time.process_time()
        for at, action in enumerate(actions):
            copies[at % boards].step(action, observation_mode="tiny_rgb_array")
        print(boards * steps / (time.process_time() - begin), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
