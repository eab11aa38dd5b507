"""Certificates of random small levels, and changes that make them false."""

import lzma
import random
from functools import cache
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

from solvers.sokoban import Level, read_collection
from solvers.sokoban.level import CELL_OF
from solvers.sokoban.solving.answers import Answer, Unsolvable
from solvers.sokoban.solving.certificates import check_certificate, writing
from solvers.sokoban.solving.certificates.tables import Tables
from solvers.sokoban.solving.certificates.writing import certify
from solvers.sokoban.solving.exact import prove_exactly
from tests.solvers.sokoban.solving.full_search import pulled_level, small_level

LOST = [
    entry.level
    for entry in read_collection((Path(__file__).parents[4] / "data/unsolvable.sok").read_text()).entries
    if entry.number in {10, 12, 19, 23, 25, 29, 30, 31, 33, 34, 36, 38, 44, 46, 47, 49, 52, 55, 60}
]
REFUSED, PROVED = "REFUSED", "PROVED"


def check(folder, certificate: bytes, level: Level) -> str:
    (folder / "certificate").write_bytes(certificate)
    (folder / "level.xsb").write_text(str(level))
    try:
        return check_certificate.check(str(folder / "certificate"), str(folder / "level.xsb"))
    except SystemExit as refusal:
        return str(refusal.code)


@cache
def proved(seed: int) -> tuple[Level, Answer]:
    """Return a random level with its proof: by pushes, moves, pushes, and one without a solution, in turn."""
    chance = random.Random(seed)
    if seed % 4 == 3:
        level = LOST[seed % len(LOST)].transform(seed % 8)
    elif seed % 4 == 0:
        level = small_level(chance)
    else:
        level = pulled_level(chance, max_side=6 if seed % 4 == 1 else 5)
    return level, prove_exactly(level, "moves" if seed % 4 == 1 else "pushes")


def change_cell(chance: random.Random, level: Level) -> Level:
    while True:
        cells = bytearray(level.cells)
        cells[chance.randrange(len(cells))] = chance.choice(sorted(set(CELL_OF.values())))
        changed = Level(level.width, level.height, bytes(cells))
        if changed != level:
            return changed


@cache
def certificate_of(seed: int) -> bytes:
    """Return the certificate of `proved`; every other one for pushes uses no prices, and so lists more states."""
    if seed % 4 != 2:
        return certify(*proved(seed))
    use_prices = Tables.use_prices
    with (
        patch.object(Tables, "use_prices", lambda tables, prices: use_prices(tables, [0] * len(prices))),
        patch.object(writing, "_LESSON", 0),
    ):
        return certify(*proved(seed))


def claim_of(answer: Answer) -> str:
    if isinstance(answer, Unsolvable):
        return "PROVED: the level has no solution"
    count = answer.moves if answer.proven == "moves" else answer.pushes
    return f"PROVED: no solution has fewer than {count} {answer.proven}, and the solution in the file has {count}"


@cache
def lines_of(seed: int) -> tuple[str, ...]:
    return tuple(lzma.decompress(certificate_of(seed)).decode().split("\n")[:-2])


def sealed(lines) -> bytes:
    text = "\n".join(lines)
    return lzma.compress(f"{text}\n{sha256(text.encode()).hexdigest()}\n".encode())


def first_state_line(lines) -> int:
    return next(at for at, line in enumerate(lines) if line.startswith("States: ")) + 1


def remove_state(chance, lines):
    at = chance.randrange(first_state_line(lines), len(lines))
    cost, *words = lines[at].split(" ")
    gone = chance.randrange(len(words))
    steps = [int(word, 16) for word in words]
    if gone + 1 < len(steps):
        steps[gone + 1] += steps[gone]
    del steps[gone]
    count(lines, -1)
    lines[at : at + 1] = [" ".join([cost, *(f"{step:x}" for step in steps)])] if steps else []


def add_state(chance, lines):
    at = chance.randrange(first_state_line(lines), len(lines))
    lines[at] += f" {chance.choice([1, 2, chance.randrange(1, 1 << 40)]):x}"
    count(lines, 1)


def move_line(chance, lines):
    at = chance.randrange(first_state_line(lines), len(lines))
    cost, _, words = lines[at].partition(" ")
    lines[at] = f"{int(cost) + chance.choice([-1, 1, 2])} {words}"


def move_state(chance, lines):
    at = chance.randrange(first_state_line(lines), len(lines))
    cost, *words = lines[at].split(" ")
    place = chance.randrange(len(words))
    words[place] = f"{int(words[place], 16) ^ 1 << chance.randrange(40):x}"
    lines[at] = " ".join([cost, *words])


def swap_lines(chance, lines):
    one, other = (chance.randrange(first_state_line(lines) - 1, len(lines)) for _ in "ab")
    lines[one], lines[other] = lines[other], lines[one]


def miscount(chance, lines):
    count(lines, chance.choice([-1, 1, 10]))


def misspell(chance, lines):
    at = chance.randrange(first_state_line(lines), len(lines))
    lines[at] = chance.choice([lines[at].replace(" ", " 0", 1), lines[at] + " ", lines[at].replace(" ", "  ", 1)])


def claim_more(chance, lines):
    kind, _, cost = lines[1].partition(" ")
    lines[1] = f"{kind} {int(cost or 7) + chance.choice([-2, -1, 1, 2])}"


def claim_another(chance, lines):
    lines[1] = "pushes 3" if lines[1] == "unsolvable" else "unsolvable"


def shorten_solution(chance, lines):
    lines[3] = lines[3][:-1] if len(lines[3]) > len("Solution: ") else "Solution: R"


def misplay(chance, lines):
    at = chance.randrange(len("Solution: "), len(lines[3])) if len(lines[3]) > len("Solution: ") else None
    lines[3] = "Solution: l" if at is None else lines[3][:at] + lines[3][at].swapcase() + lines[3][at + 1 :]


def count(lines, more: int) -> None:
    at = first_state_line(lines) - 1
    lines[at] = f"States: {int(lines[at].split()[1]) + more}"


# A change of these leaves a text that proves nothing, even with a new digest: they have only one right form.
OF_STATES = [remove_state, add_state, move_line, move_state, misspell]
OF_ALL = [swap_lines, miscount, claim_more, claim_another, shorten_solution, misplay]


def forge(seed: int, lines) -> list[str]:
    chance = random.Random(seed)
    while True:
        forged = list(lines)
        chance.choice(OF_ALL + (OF_STATES if first_state_line(lines) < len(lines) else []))(chance, forged)
        if forged != list(lines):
            return forged
