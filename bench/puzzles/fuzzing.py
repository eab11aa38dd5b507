"""Feed random and damaged texts to every reader: only PuzzleError may be raised."""

import random
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec

from bench.figures import Figure
from solvers.errors import PuzzleError
from solvers.sokoban import Level, Moves, runlength

INPUTS = 200_000

BOARD = "####--|#-.#--|#--###|#*@--#|#--$-#|#--###|####--"
LURD = "dlUrrrdLullddrUluRuulDrddrruLdlUU"
MF8 = "[soko=4,9]\nHHHH\nH__H\nH__H\nHH$H\n_HaH\n_H.H\n_HHH\n[/soko]"
COMPACT = "4AHAGFAHA2G3AHAEB2GAHA2GDGAHA2G3AH4A"
LINK = f"http://sokoban.ws/sokoplayer/?w=6&h=7&lvl={COMPACT}"
SLC = (
    '<?xml version="1.0"?><SokobanLevels><Title>T</Title><Level Id="1"><L>####</L><L>#@$.#</L></Level></SokobanLevels>'
)
SOK = f"Title: T\n\n{BOARD}\n\nAuthor: A\nSolution/Moves 33/8\n{LURD}\n"
ALPHABETS = (
    "#@+$*. -_|\n",
    "lurdLURD",
    "lurdLURD0123456789()",
    "#-.$|()0123456789\t\r\n",
    "".join(map(chr, range(128))),
    '<>!="/?&;%:DOCTYPExmlhWwAaBbGgFfEeCc',
    "Title: Author: Solution:\nSolution/Moves 3/1\n> #@$.# lurd 012347",
    "＃＠＄　٣²Ⅷé\u200b\ufeff\U0001f600\ud800\x85\u2028lurd#$.",
)
READERS: dict[str, Callable[[str], object]] = {
    "Level.parse": Level.parse,
    "Moves.parse": Moves.parse,
    "Moves.parse, strict": lambda text: Moves.parse(text, run_length=False),
    "runlength.decode": lambda text: runlength.decode(text, "lurdLURD", limit=10_000),
}
if find_spec("solvers.sokoban.formats"):
    formats = "solvers.sokoban.formats"
    READERS |= {
        "read_collection": import_module(formats).read_collection,
        "read_collection, bytes": lambda text: import_module(formats).read_collection(
            text.encode("utf-8", "surrogatepass")
        ),
        "compact.parse": import_module(f"{formats}.compact").parse,
        "read_one": import_module(f"{formats}.single").read_one,
        "letslogic.parse": lambda text: import_module(f"{formats}.letslogic").parse(text, 6, 7),
        "sokoplayer.parse": import_module(f"{formats}.sokoplayer").parse,
        "candidates": import_module("solvers.sokoban.reading.readers").candidates,
    }


def measure() -> Iterator[Figure]:
    """Yield how many inputs made a reader raise another error; print the first few."""
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
                print(f"input {number}: {name}({text!r}) raised {error!r}", file=sys.stderr)
    yield Figure(f"inputs of {INPUTS:,} that raise another error", wrong, "", target="none", is_met=wrong == 0)
    yield Figure(f"inputs of {INPUTS:,} refused", refused, "")


def _text(chance: random.Random) -> str:
    alphabet = chance.choice(ALPHABETS)
    if chance.random() < 0.5:
        return "".join(chance.choices(alphabet, k=chance.randint(0, 60)))
    letters = list(chance.choice((BOARD, LURD, BOARD.replace("|", "\n"), MF8, COMPACT, LINK, SLC, SOK)))
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(letters))
        letters[at : at + chance.randint(0, 3)] = chance.choices(alphabet, k=chance.randint(0, 3))
        letters = letters or ["#"]
    return "".join(letters)
