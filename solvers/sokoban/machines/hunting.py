"""Search for boards that are a vertex: hill climbing with random changes and restarts.

`python -m solvers.sokoban.machines.hunting joint --width 6 --height 6 --boxes 1 --tries 100000 --seed 1` prints the
boards found and the number of boards examined. The same seed finds the same boards.
"""

import argparse
from random import Random

from solvers.sokoban.machines.gadgets import Gadget
from solvers.sokoban.machines.proofs import Proof, Rule, and_vertex, joint, or_vertex, prove_gadget

RULES: dict[str, tuple[Rule, int]] = {"joint": (joint, 2), "or": (or_vertex, 3), "and": (and_vertex, 3)}
_MOST = 3_000
_PATIENCE = 400

Board = list[str]


def hunt(
    rule: Rule, ports: int, size: tuple[int, int], boxes: int, tries: int, seed: int
) -> tuple[list[tuple[Gadget, Proof]], int]:
    """Return proved boards of *size* (width, height) with the given *ports* and *boxes*, and the number examined."""
    random = Random(seed)  # noqa: S311 - nothing secret
    proved = []
    board, best, tries_without_gain, examined = None, -1.0, 0, 0
    for _try in range(tries):
        if board is None or tries_without_gain > _PATIENCE:
            board, best, tries_without_gain = _random_board(random, ports, size, boxes), -1.0, 0
        candidate = _mutate(random, board, size[0])
        gadget = Gadget.parse(
            "|".join("".join(candidate[at : at + size[0]]) for at in range(0, len(candidate), size[0]))
        )
        proof = prove_gadget(gadget, rule, most=_MOST)
        examined += 1
        if proof.is_proved:
            proved.append((gadget, proof))
            board = None
            continue
        score = _score(rule, proof)
        tries_without_gain = 0 if score > best else tries_without_gain + 1
        if score >= best:
            board, best = candidate, score
    return proved, examined


def _score(rule: Rule, proof: Proof) -> float:
    """Return the number of allowed edge reversals, halved if the board can also do something else."""
    if proof.is_sound is None:
        return 0
    reversals = sum(rule(before) and rule(after) for before, after in proof.turns)
    return reversals if proof.is_sound else reversals / 2


def _random_board(random: Random, ports: int, size: tuple[int, int], boxes: int) -> Board:
    width, height = size
    board = ["#"] * (width * height)
    inner = [row * width + column for row in range(1, height - 1) for column in range(1, width - 1)]
    for cell in inner:
        if random.random() < 0.6:
            board[cell] = "-"
    for cell in random.sample(inner, boxes):
        board[cell] = "$"
    border = [cell for cell in range(width * height) if _is_border(cell, size)]
    for letter, cell in zip("abc"[:ports] + "+", random.sample(border, ports + 1), strict=True):
        board[cell] = letter
    return board


def _is_border(cell: int, size: tuple[int, int]) -> bool:
    width, height = size
    row, column = divmod(cell, width)
    return (row in (0, height - 1)) != (column in (0, width - 1))


def _mutate(random: Random, board: Board, width: int) -> Board:
    """Return a changed board: swap one or two squares of the same kind (inner or border), or toggle wall and floor."""
    size = width, len(board) // width
    mutated = board.copy()
    for _step in range(random.randint(1, 2)):
        first = random.randrange(len(board))
        if _is_border(first, size):
            second = random.choice([cell for cell in range(len(board)) if _is_border(cell, size)])
            if {mutated[first], mutated[second]} == {"#", "+"} and random.random() < 0.3:
                # One entrance more or less, but always at least one.
                mutated[first] = mutated[second] = "+" if mutated.count("+") < 2 or random.random() < 0.5 else "#"
                if "+" not in mutated:
                    mutated[second] = "+"
                continue
            mutated[first], mutated[second] = mutated[second], mutated[first]
        elif 0 < first // width < size[1] - 1 and 0 < first % width < width - 1:
            if mutated[first] == "$" or random.random() < 0.3:
                second = random.randint(1, size[1] - 2) * width + random.randint(1, width - 2)
                mutated[first], mutated[second] = mutated[second], mutated[first]
            else:
                mutated[first] = "-" if mutated[first] == "#" else "#"
    return mutated


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rule", choices=RULES)
    for name, default in (("width", 6), ("height", 6), ("boxes", 1), ("tries", 10_000), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    rule, ports = RULES[options.rule]
    proved, examined = hunt(rule, ports, (options.width, options.height), options.boxes, options.tries, options.seed)
    for gadget, proof in proved:
        print("\n".join(gadget.rows), f"{proof.states} states", sep="\n", end="\n\n")
    print(f"{examined} boards looked at, {len(proved)} found")


if __name__ == "__main__":
    main()
