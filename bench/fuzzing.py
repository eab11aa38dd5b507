"""Random and damaged texts into every reader: only PuzzleError may come out."""

import random
import time
from collections.abc import Callable, Iterator

from bench.figures import Figure
from solvers.errors import PuzzleError
from solvers.sokoban import Level, Moves, runlength

INPUTS = 200_000

BOARD = "####--|#-.#--|#--###|#*@--#|#--$-#|#--###|####--"
LURD = "dlUrrrdLullddrUluRuulDrddrruLdlUU"
ALPHABETS = (
    "#@+$*. -_|\n",
    "lurdLURD",
    "lurdLURD0123456789()",
    "#-.$|()0123456789\t\r\n",
    "".join(map(chr, range(128))),
    "＃＠＄　٣²Ⅷé\u200b\ufeff\U0001f600\ud800\x85\u2028lurd#$.",
)
READERS: dict[str, Callable[[str], object]] = {
    "Level.parse": Level.parse,
    "Moves.parse": Moves.parse,
    "Moves.parse, strict": lambda text: Moves.parse(text, run_length=False),
    "runlength.decode": lambda text: runlength.decode(text, "lurdLURD", limit=10_000),
}


def measure() -> Iterator[Figure]:
    """Yield how many of the inputs made a reader fall over; print the first few."""
    chance = random.Random(time.time_ns())
    wrong = refused = 0
    for number in range(INPUTS):
        text = _text(chance)
        name, read = chance.choice(list(READERS.items()))
        try:
            read(text)
        except PuzzleError:
            refused += 1
        except Exception as error:
            wrong += 1
            if wrong <= 5:
                print(f"input {number}: {name}({text!r}) raised {error!r}")
    yield Figure(f"inputs of {INPUTS:,} that raise another error", wrong, "", target="none", is_met=wrong == 0)
    yield Figure(f"inputs of {INPUTS:,} refused", refused, "")


def _text(chance: random.Random) -> str:
    alphabet = chance.choice(ALPHABETS)
    if chance.random() < 0.5:
        return "".join(chance.choices(alphabet, k=chance.randint(0, 60)))
    letters = list(chance.choice((BOARD, LURD, BOARD.replace("|", "\n"))))
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(letters))
        letters[at : at + chance.randint(0, 3)] = chance.choices(alphabet, k=chance.randint(0, 3))
        letters = letters or ["#"]
    return "".join(letters)
