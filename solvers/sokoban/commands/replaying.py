"""`replay`: play moves on a level and report the verdict."""

import json
from argparse import Namespace
from typing import Any

from solvers.sokoban import batch
from solvers.sokoban.commands.meter import write_lines
from solvers.sokoban.commands.reading import (
    NOT_SOLVED,
    SUCCESS,
    Unusable,
    Verbs,
    add_level_argument,
    add_moves_options,
    read_levels,
    read_moves,
    read_raw_lines,
)
from solvers.sokoban.commands.words import number_of
from solvers.sokoban.metrics import measure
from solvers.sokoban.reading.readers import Judgement, Outcome, Reader, judge
from solvers.sokoban.replay import Replay

_LONGEST_PART = 40  # characters of a part that was left out


def add(verbs: "Verbs[Any]") -> None:
    """Add the command to the command line."""
    command = verbs.add_parser("replay", help="play moves on a level and say what comes of it")
    add_level_argument(command, nargs="?")
    add_moves_options(command)
    command.add_argument(
        "--reader",
        choices=[reader.value for reader in Reader],
        default=Reader.RUN_LENGTH.value,
        help="how the moves are read; default: %(default)s",
    )
    form = command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="answer in JSON")
    form.add_argument(
        "--jsonl", action="store_true", help='many at once: lines {"xsb": ..., "lurd": ...} of a file or standard input'
    )
    command.set_defaults(command=replay)


def replay(options: Namespace) -> int:
    """Play moves on the level, or on each level of the file until one is solved."""
    reader = Reader(options.reader)
    if options.jsonl:
        if options.moves is not None or options.moves_file is not None:
            raise Unusable("With --jsonl the moves stand in the lines.")
        return _replay_lines(options.level or "-", reader)
    if options.level is None:
        raise Unusable("Which level? Name a file, or - for standard input.")
    text = read_moves(options)
    judgement = judge(read_levels(options.level, options.number), text, reader)
    if options.json:
        print(json.dumps(_judgement_as_json(judgement)))
    else:
        print(_describe_judgement(judgement, text))
    return SUCCESS if judgement.outcome == Outcome.SOLVED else NOT_SOLVED


def _replay_lines(name: str, reader: Reader) -> int:
    lines = (line.decode("utf-8", errors="surrogateescape") for line in read_raw_lines(name))
    return write_lines(batch.replay_lines(lines, reader), "replayed")


def _judgement_as_json(judgement: Judgement) -> dict[str, Any]:
    replay_result = judgement.replay
    return {
        "verdict": judgement.outcome.value,
        "level": None if judgement.level is None else judgement.level + 1,
        "moves": judgement.moves,
        "pushes": judgement.pushes,
        "index": judgement.index,
        "step": judgement.step,
        "why": judgement.why,
        "cut": judgement.cut,
        "case_corrected": judgement.case_corrected,
        "metrics": str(measure(replay_result.lurd)) if replay_result else None,
        "lurd": replay_result.lurd if replay_result else None,
        "reading": judgement.reading or None,
        "left_out": [{"line": part.line, "text": part.text} for part in judgement.left_out],
    }


def _describe_judgement(judgement: Judgement, text: str) -> str:
    if judgement.outcome == Outcome.BAD_LEVEL:
        return f"This level cannot be judged: {judgement.problem or judgement.why}."
    parts = ", ".join(f"{part.text[:_LONGEST_PART]!r} (line {part.line})" for part in judgement.left_out)
    left_out_text = f" Not read as moves, among others: {parts}." if parts else ""
    if judgement.replay is None:
        return (str(judgement.error) if judgement.error else "There are no moves in this text.") + left_out_text
    return _describe_replay(judgement, judgement.replay, text) + left_out_text


def _describe_replay(judgement: Judgement, result: Replay, text: str) -> str:
    counts = f"{number_of(result.moves, 'move')}, {number_of(result.pushes, 'push', 'pushes')}"
    level_text = f" Level {judgement.level + 1}." if judgement.level else ""
    boxes_text = f"{result.boxes_home} of {number_of(result.boxes, 'box', 'boxes')} home"
    if judgement.outcome == Outcome.SOLVED:
        cut_text = f" {number_of(result.cut, 'move')} after it not looked at." if result.cut else ""
        return f"Solved: {counts} ({measure(result.lurd)}).{level_text}{cut_text}"
    if judgement.outcome == Outcome.NOT_SOLVED or judgement.index is None or result.why is None:
        return f"Not solved: {counts}, {boxes_text}.{level_text}"
    letter = text[judgement.index]
    return (
        f"Illegal: move {judgement.step} ({letter}, {_text_position(text, judgement.index)}) {result.why.phrase}."
        f" Before it: {counts}, {boxes_text}.{level_text}"
    )


def _text_position(text: str, index: int) -> str:
    line = text.count("\n", 0, index) + 1
    return f"line {line}, column {index - text.rfind(chr(10), 0, index)}"
