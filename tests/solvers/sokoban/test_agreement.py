"""Python and JavaScript agree on thousands of random boards and texts, and with flood fills."""

import json
import random
import shutil
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from solvers.errors import PuzzleError
from solvers.sokoban import Game, Level, Moves, replay
from solvers.sokoban.checks.deadlocks import dead_squares, frozen_boxes
from solvers.sokoban.formats import compact, mf8, xsb
from solvers.sokoban.metrics import measure
from solvers.sokoban.paths import reach
from solvers.sokoban.playback import Playback
from solvers.sokoban.position import Position
from solvers.sokoban.reading.readers import Reader, judge
from tests import sizes
from tests.solvers.sokoban.oracle import push_routes

ROOT = Path(__file__).resolve().parents[3]
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(not NODE, reason="node is not installed")
MANY = pytest.mark.parametrize("count", sizes.cases([250], [2000]))


def ask(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    command = [str(NODE), str(ROOT / "tests/player/answer.js")]
    answers = subprocess.run(command, input=json.dumps(questions), capture_output=True, text=True, check=True)
    return json.loads(answers.stdout)


def board(dice: random.Random, *, is_judged: bool = False) -> str:
    """Return a random board: often closed, often with one player and as many boxes as goals; always if *is_judged*."""
    width, height = dice.randint(2, 7), dice.randint(2, 6)
    walls = dice.choice([0.1, 0.2, 0.3])
    cells = ["#" if dice.random() < walls else "-" for _ in range(width * height)]
    places = iter(dice.sample(range(width * height), width * height))
    boxes = dice.randint(1, max(1, width * height // 8))
    goals = boxes if is_judged or dice.random() < 0.8 else dice.randint(0, 3)
    players = 1 if is_judged or dice.random() < 0.9 else dice.choice([0, 2])
    for glyph in "$" * boxes + "@" * players:
        cells[next(places)] = glyph
    under = {"-": ".", "$": "*", "@": "+", "#": "."}
    for place in dice.sample(range(width * height), min(goals, width * height)):
        cells[place] = under[cells[place]]
    rows = ["".join(cells[row * width : (row + 1) * width]) for row in range(height)]
    if dice.random() < 0.8:
        rows = ["#" * width, *rows, "#" * width]
        rows = [f"#{row}#" for row in rows]
    return "|".join(rows)


def walk(dice: random.Random, level: Level) -> str:
    """Return random steps, nearly all possible, sometimes with the counts and blanks that people write."""
    steps, played = "", ""
    for _ in range(dice.randint(0, 60)):
        letter = dice.choice("lurdLURD")
        if dice.random() < 0.03 or replay(level, Moves.parse(played + letter)).verdict != "illegal":
            played += letter
            count = dice.choice(["", "", "", "1", "01", " ", "\n"])
            steps += count + letter
    return steps


@MANY
def test_both_read_the_same_of_many_boards(count):
    dice = random.Random(2026)
    texts = [board(dice) for _ in range(count)]
    for text, answer in zip(texts, ask([{"ask": "level", "text": text} for text in texts]), strict=True):
        level = Level.parse(text)
        assert answer == {
            "published": level.published_text,
            "players": list(level.players),
            "boxes": list(level.boxes),
            "goals": list(level.goals),
            "reach": sorted(level.reach),
            "region": sorted(level.region),
            "problems": [[problem.code, problem.values, list(problem.cells)] for problem in level.problems],
            "canonical": level.canonical_form if len(level.players) == 1 else None,
            "turned": level.transform(5).published_text,
            "run_length": xsb.run_length(level),
            "mf8": mf8.write(level),
            "compact": compact.write(level),
            "dead": sorted(dead_squares(level)),
            "frozen": sorted(frozen_boxes(level, level.boxes)),
        }


@MANY
def test_both_replays_agree_in_every_field(count):
    dice = random.Random(3)
    games = []
    for number in range(count):
        level = board(dice, is_judged=number % 10 > 0)
        is_played = number % 3 and not Level.parse(level).unjudgeable
        moves = (
            walk(dice, Level.parse(level)) if is_played else "".join(dice.choices("lurdLURD", k=dice.randint(0, 12)))
        )
        games.append((level, moves))
    answers = ask([{"ask": "replay", "level": level, "moves": moves} for level, moves in games])
    for (level, moves), answer in zip(games, answers, strict=True):
        assert answer == outcome(level, moves), (level, moves)


@MANY
def test_the_browsers_positions_equal_a_game_also_backwards(count):
    dice = random.Random(48)
    games = []
    while len(games) < count:
        level = Level.parse(board(dice, is_judged=True))
        game = Game.from_lurd(level, replay(level, Moves.parse(walk(dice, level))).lurd)
        games += [] if game.is_solved() else [game]
    answers = ask([{"ask": "game", "level": str(game.level), "lurd": game.lurd} for game in games])
    for game, answer in zip(games, answers, strict=True):
        assert answer == {
            "legal": game.legal_steps,
            "player": game.player,
            "boxes": sorted(game.boxes),
            "counts": [game.moves, game.pushes],
            "undone": [game.level.player, list(game.level.boxes)],
        }


def outcome(level: str, moves: str) -> dict[str, Any]:
    try:
        result = replay(Level.parse(level), Moves.parse(moves))
    except PuzzleError as error:
        return {"error": error.code, "index": None, "line": None, "column": None}
    return {**asdict(result), "metrics": asdict(measure(result.lurd))}


@MANY
def test_both_find_the_same_moves_in_pasted_text(count):
    dice = random.Random(104)
    levels = ["#####|#@$.#|#####", "######|#-.-##|#-$@-#|##-$-#|#-.--#|######"]
    moves = ["R", "DrdLulU", "drdlulu", "Dull", "3r", "2(", ")", "4", "*", ",", "→", "上", "ｕ", "999999999(r)"]
    blanks = [" ", "\u3000", "\u200b", "\n", "\n", "\r\n", "\n\n", "\n> ", "> "]
    words = ["Solution 7/3:", "Answer: ", "答案:", "Author: me\n", "lurd: ", "Moves: 7", "Moves: 7 Pushes: 3 ", "7/3 "]
    others = ["-\n", "\\\n", "[2,3]", "[]", "{1}", "\U0001f600", "x", "\0", "\x0b"]
    pieces = moves + blanks + words + others
    texts = ["".join(dice.choices(pieces, k=dice.randint(0, 9))) for _ in range(2 * count)]
    questions = [{"ask": "reading", "levels": levels, "text": text, "limit": 1000} for text in texts]
    boards = [Level.parse(level) for level in levels]
    for text, answer in zip(texts, ask(questions), strict=True):
        judged = judge(boards, text, Reader.LENIENT, limit=1000)
        assert answer == {
            "outcome": judged.outcome,
            "level": judged.level,
            "lurd": judged.replay and judged.replay.lurd,
            "index": judged.index,
            "step": judged.step,
            "why": judged.why,
            "problem": judged.problem,
            "reading": judged.reading,
            "left_out": [[part.line, part.text] for part in judged.left_out],
            "solved": [[one.candidate.start, one.level] for one in judged.solved],
        }, repr(text)


@MANY
def test_pushes_equal_a_flood_fill(count):
    dice = random.Random(1736)
    questions: list[dict[str, Any]] = []
    while len(questions) < count:
        level = Level.parse(board(dice, is_judged=True))
        if len(level.players) == 1:
            questions.append({"ask": "paths", "level": level.published_text, "box": dice.choice(level.boxes)})
    for question, answer in zip(questions, ask(questions), strict=True):
        level, box = Level.parse(question["level"]), question["box"]
        position = Position.start(level)
        assert set(answer["reach"]) == reach(level, position)
        by_moves, by_pushes = push_routes(level, box)
        assert {cell: (moves, pushes) for cell, moves, pushes, _ in answer["fewest_moves"]} == without(by_moves, box)
        assert {cell: (pushes, moves) for cell, moves, pushes, _ in answer["fewest_pushes"]} == without(by_pushes, box)
        assert {cell: pushes for cell, pushes, _ in answer["targets"]} == {
            cell: pushes for cell, (pushes, _moves) in without(by_pushes, box).items()
        }
        for cell, *_, path in answer["fewest_moves"] + answer["fewest_pushes"] + answer["targets"]:
            assert replay(level, Moves.parse(path)).why is None
            assert Playback(level, path)[len(path)].boxes[level.boxes.index(box)] == cell


def without(routes, box):
    return {cell: cost for cell, cost in routes.items() if cell != box}
