"""The shapes in which people paste a right answer: messages, mark-up, tables, other programs' output."""

import json
import random
from collections.abc import Iterator
from itertools import groupby, product

MESSAGES = (
    ("Hi all,\nI think I found a better one today.", "Best regards\nLudwig"),
    ("Hello organisers!\n\nHere is my answer for this week:", "-- \nSent from my phone"),
    ("大家好，这是我的答案：", "谢谢！"),
    ("Добрый день! Моё решение:", "Спасибо и удачи"),
    ("こんにちは。今週の解答です。", "以上です。よろしくお願いします。"),
    ("Bonjour à tous, voici ma réponse d'hier :", "Merci d'avance"),
    ("On Friday Dan wrote:\nwhat about the second box?", "I'd be glad to hear whether it's fine."),
    ("My first try rrdl was wrong, sorry. Now:", "P.S. It took me 3 hours and 2 coffees."),
    ("Wow, u r quick! Mine is below.", "Du, ich hab's!"),
)
# {lines} are pieces of the moves, each on a line.
TEMPLATES = {
    "forum": ("[code]{lurd}[/code]", "[spoiler]{counted}[/spoiler]", "[b]{lines}[/b]", "[solution]{lurd}[/solution]"),
    "chat": (
        *("[9:05] Mia: {lurd}", "王芳, 23:59\n{lurd}", "<Иван> {lurd}", "21:40 - Bob: my moves = {lurd} :-)"),
        *("@ruud {lurd}!", "[0:30] Dr. Luz: {lurd}"),
    ),
    "html": (
        *("<pre>{lines}</pre>", "<td>12</td><td><b>{lurd}</b></td><td>&nbsp;{moves}</td>"),
        "<textarea rows=3>{lurd}</textarea>",
    ),
    "markdown": (
        *("*{lurd}*", "_{lurd}_", "~~{lurd}~~", "`{lurd}`", "***{lurd}***", "||{lurd}||", "```text\n{lurd}\n```"),
        *("- moves: `{lurd}`\n- pushes: {pushes}", "## Result\n\n    {lurd}\n"),
        "| level | moves |\n|---|---|\n| 1 | {lurd} |",
    ),
    "program output": (
        "Solution found in 0.03 s, {moves} moves, {pushes} pushes\nLURD: {lurd}\nNodes: 1203",
        *("m={moves} p={pushes} {lurd}", "solved: true\nsolution: {lurd}\nexplored 88 states"),
        *("#1 {lurd} ({moves}/{pushes}) optimal", "Level 1 - {moves} - {pushes} - {lurd}", "result => '{lurd}'"),
        *("[INFO] plan = {spaced}; cost={moves}", "ANSWER>{lurd}<END", "Steps({moves}): {counted}"),
        "Best Solution {moves}/{pushes} (YASS 2.86 Optimizer)\n{lines}\n\nTime: 1 s",
    ),
    "label": tuple(
        f"{label}{colon}{form}"
        for (label, colon), form in product(
            (
                *(("解法", ":"), ("答案", "："), ("步骤", " "), ("手順", " = "), ("Решение", " "), ("Ходы", "\n")),
                *(("Lösung", ":"), ("Réponse", "："), ("풀이", " = "), ("Extra 2", "\n")),
            ),
            ("{lurd}", "“{lurd}”", "「{lurd}」", "{lurd}。"),
        )
    ),
    "table": tuple(
        f"{head}7{mark}{name}{mark}{{lurd}}{mark}{{moves}}{mark}{{pushes}}"
        for mark, name in product((",", ";", "\t", " | "), ("Anna", '"李雷"'))
        for head in ("", f"no{mark}name{mark}answer\n")
    ),
}
# What stands between two pieces of so many steps, or between two steps.
SEPARATORS = {
    "quoted-printable": (11, ("=\r\n",)),
    "wrapped": (13, [f"{mark}\n" for mark in ("\\", "-", "+", "…", " ↵", "¬", "&", "->", " _", "/", "»", "~")]),
    "PDF": (15, ("-\n", "\u00ad\n", "\n\f", " \n \n")),
    "marks": (3, "\u200e\u200f\u202a\u2066\u2069\u061c\u200b\ufeff\u00ad\u2028\u0000\u0008"),
    "HTML": (10, ("<br>", "&#8203;", "<wbr/>", "</span><span style='color:red'>")),
}
# What stands before each piece of so many steps; {} is its number.
PREFIXES = {
    "mail": (9, ("> ", ">", ">> ", "> > ", "| ", ": ")),
    "numbered": (4, ("{}. ", "{}) ", "{}: ", "{} ", "{}\t", "{} - ")),
    "stepwise": (1, ("Step {}: ", "move {} = ", "({}) ", "{}/99 ", "第{}步：", "t={} a=")),
}
WORDS = {
    "spoken": (("left", "up", "right", "down"), (", ", " ", "\n", " -> ", "; ")),
    "shouted": (("LEFT", "Up", "RIGHT", "Down"), (", ", " ", "\n")),
    "arrows": ("←↑→↓", ("", " ", ",", "，", " > ")),
    "hanzi": ("左上右下", ("", " ", "、", "，")),
}


def pieces(lurd: str, size: int) -> list[str]:
    return [lurd[at : at + size] for at in range(0, len(lurd), size)]


def runs(steps: str) -> list[tuple[str, int]]:
    return [(step, len(list(same))) for step, same in groupby(steps)]


def shapes(lurd: str) -> Iterator[tuple[str, str]]:
    counted = "".join(f"{count if count > 1 else ''}{step}" for step, count in runs(lurd))
    fields = {"lurd": lurd, "counted": counted, "lines": "\n".join(pieces(lurd, 10)), "spaced": " ".join(lurd)}
    fields |= {"moves": str(len(lurd)), "pushes": str(sum(map(str.isupper, lurd)))}
    for name, templates in TEMPLATES.items():
        yield from ((name, template.format(**fields)) for template in templates)
    for name, (size, separators) in SEPARATORS.items():
        yield from ((name, separator.join(pieces(lurd, size))) for separator in separators)
    for name, (size, prefixes) in PREFIXES.items():
        for prefix in prefixes:
            yield name, "\n".join(prefix.format(at) + piece for at, piece in enumerate(pieces(lurd, size), 1))
    for name, (words, separators) in WORDS.items():
        yield from ((name, mark.join(words["lurd".index(step.lower())] for step in lurd)) for mark in separators)
    for mark in ("", "，", " "):
        yield "hanzi with counts", mark.join(f"{'左上右下'['lurd'.index(at)]}{n}" for at, n in runs(lurd.lower()))
    for value, indent in product((lurd, list(lurd), pieces(lurd, 8), counted), (None, 2)):
        yield "JSON", json.dumps([{"length": len(lurd), "seconds": 0.25, "solution": value}], indent=indent)


def pasted_shapes(lurd: str, seed: int) -> Iterator[tuple[str, str]]:
    """Yield each shape's name and a text in it, alone and in a message."""
    dice = random.Random(seed)
    for name, text in shapes(lurd):
        before, behind = dice.choice(MESSAGES)
        yield from ((name, text), (name, f"{before}\n\n{text}\n\n{behind}"))
