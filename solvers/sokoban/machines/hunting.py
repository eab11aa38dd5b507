"""Search for boards that are a vertex: hill climbing with random changes and restarts.

`python -m solvers.sokoban.machines.hunting joint --width 6 --height 6 --boxes 1 --tries 100000 --seed 1` prints the
boards found and the number of boards examined. The same seed finds the same boards.
"""

import argparse
from random import Random

from solvers.sokoban.machines.gadgets import Gadget
from solvers.sokoban.machines.proofs import Proof, Rule, and_vertex, joint, or_vertex, prove

RULES: dict[str, tuple[Rule, int]] = {"joint": (joint, 2), "or": (or_vertex, 3), "and": (and_vertex, 3)}
_MOST = 3_000
_PATIENCE = 400

Board = list[str]


def hunt(
    rule: Rule, ports: int, size: tuple[int, int], boxes: int, tries: int, seed: int
) -> tuple[list[tuple[Gadget, Proof]], int]:
    """Return proved boards of *size* (width, height) with the given *ports* and *boxes*, and the number examined."""
    lot = Random(seed)  # noqa: S311 - nothing secret
    found = []
    board, best, waited, looked = None, -1.0, 0, 0
    for _try in range(tries):
        if board is None or waited > _PATIENCE:
            board, best, waited = _draw(lot, ports, size, boxes), -1.0, 0
        changed = _change(lot, board, size[0])
        gadget = Gadget.parse("|".join("".join(changed[at : at + size[0]]) for at in range(0, len(changed), size[0])))
        proof = prove(gadget, rule, most=_MOST)
        looked += 1
        if proof.is_proved:
            found.append((gadget, proof))
            board = None
            continue
        score = _score(rule, proof)
        waited = 0 if score > best else waited + 1
        if score >= best:
            board, best = changed, score
    return found, looked


def _score(rule: Rule, proof: Proof) -> float:
    """Return the number of allowed edge reversals, halved if the board can also do something else."""
    if proof.is_sound is None:
        return 0
    made = sum(rule(before) and rule(after) for before, after in proof.turns)
    return made if proof.is_sound else made / 2


def _draw(lot: Random, ports: int, size: tuple[int, int], boxes: int) -> Board:
    width, height = size
    board = ["#"] * (width * height)
    inner = [row * width + column for row in range(1, height - 1) for column in range(1, width - 1)]
    for cell in inner:
        if lot.random() < 0.6:
            board[cell] = "-"
    for cell in lot.sample(inner, boxes):
        board[cell] = "$"
    border = [cell for cell in range(width * height) if _is_border(cell, size)]
    for letter, cell in zip("abc"[:ports] + "+", lot.sample(border, ports + 1), strict=True):
        board[cell] = letter
    return board


def _is_border(cell: int, size: tuple[int, int]) -> bool:
    width, height = size
    row, column = divmod(cell, width)
    return (row in (0, height - 1)) != (column in (0, width - 1))


def _change(lot: Random, board: Board, width: int) -> Board:
    """Return a changed board: swap one or two squares of the same kind (inner or border), or toggle wall and floor."""
    size = width, len(board) // width
    changed = board.copy()
    for _step in range(lot.randint(1, 2)):
        one = lot.randrange(len(board))
        if _is_border(one, size):
            other = lot.choice([cell for cell in range(len(board)) if _is_border(cell, size)])
            if {changed[one], changed[other]} == {"#", "+"} and lot.random() < 0.3:
                # One entrance more or less, but always at least one.
                changed[one] = changed[other] = "+" if changed.count("+") < 2 or lot.random() < 0.5 else "#"
                if "+" not in changed:
                    changed[other] = "+"
                continue
            changed[one], changed[other] = changed[other], changed[one]
        elif 0 < one // width < size[1] - 1 and 0 < one % width < width - 1:
            if changed[one] == "$" or lot.random() < 0.3:
                other = lot.randint(1, size[1] - 2) * width + lot.randint(1, width - 2)
                changed[one], changed[other] = changed[other], changed[one]
            else:
                changed[one] = "-" if changed[one] == "#" else "#"
    return changed


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("rule", choices=RULES)
    for name, default in (("width", 6), ("height", 6), ("boxes", 1), ("tries", 10_000), ("seed", 1)):
        reader.add_argument(f"--{name}", type=int, default=default)
    asked = reader.parse_args()
    rule, ports = RULES[asked.rule]
    found, looked = hunt(rule, ports, (asked.width, asked.height), asked.boxes, asked.tries, asked.seed)
    for gadget, proof in found:
        print("\n".join(gadget.rows), f"{proof.states} states", sep="\n", end="\n\n")
    print(f"{looked} boards looked at, {len(found)} found")


if __name__ == "__main__":
    main()
