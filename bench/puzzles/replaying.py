"""Replay a solution of a million moves: plain Python, the compiled kernel, and the same loop in C."""

import ctypes
import random
import shutil
import subprocess
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bench.figures import Figure, cpu_seconds
from bench.games import long_game
from solvers.sokoban import Moves, kernels, replay
from solvers.sokoban.arena import Arena
from solvers.sokoban.playback import Playback
from solvers.sokoban.replay import play, play_compiled

MOVES = 1_000_000
LONGEST_PLAYBACK = 500_000

C = """
#include <stdint.h>
void play(uint8_t *squares, const uint8_t *goals, uint8_t *letters, const int64_t *deltas, int64_t *result,
          int64_t count, int64_t man, int64_t boxes, int64_t home)
{
    int64_t played = 0, pushes = 0, best_home = -1, best_at = 0;
    for (int64_t at = 0; at < count; at++) {
        uint8_t letter = letters[at] | 0x20;
        int64_t delta = deltas[letter], target = man + delta;
        if (squares[target]) {
            int64_t beyond = target + delta;
            if (squares[target] != 2 || squares[beyond]) break;
            squares[target] = 0;
            squares[beyond] = 2;
            letter ^= 0x20;
            pushes++;
            home += goals[beyond] - goals[target];
            if (home > best_home) { best_home = home; best_at = at + 1; }
        }
        letters[at] = letter;
        man = target;
        played++;
        if (best_home == boxes) break;
    }
    result[0] = played, result[1] = pushes, result[2] = home;
    result[3] = best_home, result[4] = best_at, result[5] = man;
}
"""


def measure() -> Iterator[Figure]:
    """Yield the time of the loops alone, then of whole replays including parsing."""
    yield from _playback()
    level, text = long_game(MOVES)
    whole_plain, loop_plain = cpu_seconds(
        lambda: replay(level, Moves.parse(text)), lambda: play(level.arena, text), runs=5
    )
    begin = time.process_time()
    if not kernels.warm():
        yield Figure("replay, plain Python", loop_plain * 1e3, "ms")
        return
    yield Figure("loading all kernels, once a process", (time.process_time() - begin) * 1e3, "ms")
    with tempfile.TemporaryDirectory() as folder:
        loop_in_c = _in_c(level.arena, text, Path(folder))
        loop_compiled = _compile(level.arena, text)
        if loop_in_c:
            compiled, in_c = cpu_seconds(loop_compiled, loop_in_c, runs=41)
            is_met = compiled <= 2 * in_c
            yield Figure("replay loop, kernel", compiled * 1e3, "ms", "C -O3", in_c * 1e3, "at most 2", is_met)
            yield Figure("replay loop, plain Python", loop_plain * 1e3, "ms", "C -O3", in_c * 1e3)
    (whole,) = cpu_seconds(lambda: replay(level, Moves.parse(text)))
    yield Figure("read and replay, kernel", whole * 1e3, "ms", "plain Python", whole_plain * 1e3)
    for moves in (250, 500, 1_000, 2_000, 10_000):
        short = text[:moves]
        plain, compiled = cpu_seconds(
            partial(play, level.arena, short),
            partial(play_compiled, level.arena, short),
            repeat=20,
        )
        yield Figure(f"{moves:,} moves, kernel", compiled * 1e6, "us", "plain Python", plain * 1e6)


def _playback() -> Iterator[Figure]:
    level, text = long_game(LONGEST_PLAYBACK)
    playback = Playback(level, text)
    numbers = random.Random(1).choices(range(len(playback)), k=200)
    opened, read, position, from_start = cpu_seconds(
        lambda: Playback(level, text),
        lambda: play(level.arena, text),
        lambda: [playback[number] for number in numbers],
        lambda: play(level.arena, text[: len(text) // 2]),
        runs=5,
    )
    yield Figure(f"playback of {LONGEST_PLAYBACK:,} moves made", opened * 1e3, "ms", "its replay", read * 1e3)
    yield Figure("any position of it", position / 200 * 1e3, "ms", "played from the start", from_start * 1e3)


def _compile(arena: Arena, text: str) -> Callable[[], None]:
    squares, goals, letters, deltas, result = map(kernels.view, _tables(arena, text))
    kernel, fresh = kernels.kernel(kernels.play), squares.copy()

    def act() -> None:
        squares[:] = fresh
        kernel(squares, goals, letters, deltas, result, arena.start, arena.boxes, arena.home)
        assert result[0] == len(text)

    return act


def _in_c(arena: Arena, text: str, folder: Path) -> Callable[[], None] | None:
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    (folder / "play.c").write_text(C)
    subprocess.run([compiler, "-O3", "-shared", "-fPIC", "-o", folder / "play.so", folder / "play.c"], check=True)
    loop = ctypes.CDLL(str(folder / "play.so")).play
    tables = _tables(arena, text)
    squares, fresh = tables[0], bytes(tables[0])
    pointers = [ctypes.c_void_p(_address(table)) for table in tables]
    numbers = [ctypes.c_int64(number) for number in (len(text), arena.start, arena.boxes, arena.home)]

    def act() -> None:
        squares[:] = fresh
        loop(*pointers, *numbers)
        assert tables[-1][0] == len(text)  # this also keeps the tables alive as long as the pointers to them

    return act


def _address(table: "bytearray | array[int]") -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(table))


def _tables(arena: Arena, text: str) -> "tuple[bytearray, bytearray, bytearray, array[int], array[int]]":
    deltas, result = array("q", bytes(8 * 128)), array("q", bytes(8 * 6))
    for letter, delta in arena.deltas.items():
        deltas[ord(letter)] = delta
    return bytearray(arena.squares), bytearray(arena.goals), bytearray(text, "ascii"), deltas, result
