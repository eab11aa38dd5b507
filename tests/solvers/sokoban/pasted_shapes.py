"""Generate the shapes in which people paste a right answer: messages, mark-up, tables, other programs' output."""

import json
import random
from collections.abc import Callable, Iterator
from itertools import groupby

GREETINGS = (
    "Hi all,\nI think I found a better one today.",
    "Hello organisers!\n\nHere is my answer for this week:",
    "大家好，这是我的答案：",
    "Добрый день! Моё решение:",
    "こんにちは。今週の解答です。",
    "On Friday Dan wrote:\nwhat about the second box?",
    "Bonjour à tous, voici ma réponse d'hier :",
    "¡Hola! Esta es mi respuesta.",
    "Wow, u r quick! Mine is below.",
    "My first try rrdl was wrong, sorry. Now:",
    "Du, ich hab's!",
)
FAREWELLS = (
    "\nBest regards\nLudwig",
    "\n-- \nSent from my phone",
    "\n谢谢！",
    "\nСпасибо и удачи",
    "\nI'd be glad to hear whether it's fine.",
    "\nMerci d'avance",
    "\nP.S. It took me 3 hours and 2 coffees.",
    "\n以上です。よろしくお願いします。",
)
Shape = Callable[[str, random.Random], str]


def pushes(lurd: str) -> int:
    return sum(step.isupper() for step in lurd)


def pieces(lurd: str, size: int) -> list[str]:
    return [lurd[at : at + size] for at in range(0, len(lurd), size)]


def runs(lurd: str) -> list[tuple[int, str]]:
    return [(len(list(steps)), step) for step, steps in groupby(lurd)]


def counted(lurd: str) -> str:
    return "".join(f"{count if count > 1 else ''}{step}" for count, step in runs(lurd))


def forum(lurd: str, dice: random.Random) -> str:
    tag = dice.choice(("code", "spoiler", "quote", "b", "solution"))
    text = dice.choice((lurd, counted(lurd), "\n".join(pieces(lurd, 12))))
    return f"[{tag}]{text}[/{tag}]"


def mail(lurd: str, dice: random.Random) -> str:
    quote = dice.choice(("> ", ">", ">> ", "> > ", "| ", ": "))
    lines = pieces(lurd, dice.choice((7, 9, 20)))
    head = dice.choice((f"{quote}Kim <kim@mail.example> wrote:\n", f"{quote}Answer\n", ""))
    return head + "\n".join(quote + line for line in lines)


def quoted_printable(lurd: str, dice: random.Random) -> str:
    return "=\r\n".join(pieces(lurd, dice.choice((6, 11, 19))))


def chat(lurd: str, dice: random.Random) -> str:
    clock = f"{dice.randint(0, 23):02}:{dice.randint(0, 59):02}"
    name = dice.choice(("Mia", "Bob", "王芳", "Иван", "ruud", "Dr. Luz"))
    return dice.choice(
        (
            f"[{clock}] {name}: {lurd}",
            f"{name}, {clock}\n{lurd}",
            f"<{name}> {lurd}",
            f"{clock} - {name}: my moves = {lurd} :-)",
            f"@{name} {lurd}!",
        )
    )


def html(lurd: str, dice: random.Random) -> str:
    lines = pieces(lurd, dice.choice((5, 10)))
    return dice.choice(
        (
            f'<p class="moves">{"<br>".join(lines)}</p>',
            f"<pre>{chr(10).join(lines)}</pre>",
            f"<td>12</td><td><b>{lurd}</b></td><td>&nbsp;{len(lurd)}</td>",
            "".join(f"<span style='color:red'>{line}</span><wbr/>" for line in lines),
            f"<textarea rows=3>{lurd}</textarea>",
            "&#8203;".join(lines),
        )
    )


def markdown(lurd: str, dice: random.Random) -> str:
    mark = dice.choice(("*", "_", "~~", "`", "***", "||"))
    return dice.choice(
        (
            f"{mark}{lurd}{mark}",
            f"```text\n{lurd}\n```",
            f"- moves: `{lurd}`\n- pushes: {pushes(lurd)}",
            f"## Result\n\n    {lurd}\n",
            f"| level | moves |\n|---|---|\n| 1 | {lurd} |",
        )
    )


def json_text(lurd: str, dice: random.Random) -> str:
    value: object = dice.choice((lurd, list(lurd), pieces(lurd, 8), counted(lurd)))
    key = dice.choice(("solution", "lurd", "moves", "path", "actions"))
    counts = {"length": len(lurd), "pushes": pushes(lurd), "seconds": 0.25}
    document = dice.choice(({key: value, **counts}, {"id": 17, key: value}, [{**counts, key: value}]))
    return json.dumps(document, indent=dice.choice((None, 2)))


def table(lurd: str, dice: random.Random) -> str:
    row = ["7", dice.choice(("Anna", "李雷", "main")), lurd, str(len(lurd)), str(pushes(lurd))]
    dice.shuffle(row)
    mark = dice.choice((",", ";", "\t", " | "))
    line = mark.join(f'"{cell}"' if dice.random() < 0.3 else cell for cell in row)
    return dice.choice((line, f"no{mark}name{mark}answer\n{line}"))


def numbered(lurd: str, dice: random.Random) -> str:
    mark = dice.choice((". ", ") ", ": ", " ", "\t", " - "))
    size = dice.choice((1, 1, 4, 10))
    first = dice.choice((0, 1, 100))
    return "\n".join(f"{number}{mark}{piece}" for number, piece in enumerate(pieces(lurd, size), first))


def wrapped(lurd: str, dice: random.Random) -> str:
    mark = dice.choice(("\\", "-", "+", "…", " ↵", "¬", "&", "->", " _", "/", "»", "~"))
    return f"{mark}\n".join(pieces(lurd, dice.choice((8, 13, 21))))


def program_output(lurd: str, dice: random.Random) -> str:
    moves, pushed = len(lurd), pushes(lurd)
    return dice.choice(
        (
            f"Solution found in 0.03 s, {moves} moves, {pushed} pushes\nLURD: {lurd}\nNodes: 1203",
            f"m={moves} p={pushed} {lurd}",
            f"solved: true\nsolution: {lurd}\nexplored 88 states",
            f"#1 {lurd} ({moves}/{pushed}) optimal",
            f"Level 1 - {moves} - {pushed} - {lurd}",
            f"[INFO] plan = {' '.join(lurd)}; cost={moves}",
            f"Best Solution {moves}/{pushed} (YASS 2.86 Optimizer)\n{chr(10).join(pieces(lurd, 10))}\n\nTime: 1 s",
            f"ANSWER>{lurd}<END",
            f"result => '{lurd}'",
            f"Steps({moves}): {counted(lurd)}",
        )
    )


def spoken(lurd: str, dice: random.Random) -> str:
    words = {"l": "left", "u": "up", "r": "right", "d": "down"}
    spelled = [dice.choice((str.lower, str.upper, str.title))(words[step.lower()]) for step in lurd]
    return dice.choice((", ", " ", "\n", " -> ", "; ")).join(spelled)


def arrows(lurd: str, dice: random.Random) -> str:
    signs = dice.choice(("←↑→↓", "左上右下"))
    return dice.choice(("", " ", ",", "，", "、", " > ")).join(signs["lurd".index(step.lower())] for step in lurd)


def chinese_counts(lurd: str, dice: random.Random) -> str:
    signs = dict(zip("lurd", "左上右下", strict=True))
    return dice.choice(("", "，", " ", "、")).join(f"{signs[step]}{count}" for count, step in runs(lurd.lower()))


def labelled(lurd: str, dice: random.Random) -> str:
    label = dice.choice(
        ("解法", "答案", "步骤", "解答", "手順", "Решение", "Ходы", "Lösung", "Réponse", "풀이", "Extra 2")
    )
    colon = dice.choice((":", "：", " ", " = ", "→ "[1:], "\n"))
    return f"{label}{colon}{dice.choice((lurd, '“' + lurd + '”', '「' + lurd + '」', lurd + '。'))}"


def marked(lurd: str, dice: random.Random) -> str:
    mark = dice.choice("\u200e\u200f\u202a\u2066\u2069\u061c\u200b\ufeff\u00ad\u2028\u0000\u0008")
    return dice.choice((mark + lurd + mark, mark.join(pieces(lurd, 3)), lurd + mark))


def from_pdf(lurd: str, dice: random.Random) -> str:
    lines = [" ".join(pieces(line, 5)) for line in pieces(lurd, 15)]
    return "ﬁnal proﬁle\n" + dice.choice(("-\n", "\u00ad\n", "\n\f", " \n \n")).join(lines)


def columns(lurd: str, dice: random.Random) -> str:
    lines = pieces(lurd, 10)
    return "\n".join(
        f"{min(at * 10 + 10, len(lurd)):>{dice.choice((4, 6))}}  {line:>10}" for at, line in enumerate(lines)
    )


def stepwise(lurd: str, dice: random.Random) -> str:
    form = dice.choice(("Step {}: {}", "move {} = {}", "({}) {}", "{}/99 {}", "第{}步：{}", "t={} a={}"))
    return "\n".join(form.format(number, step) for number, step in enumerate(lurd, 1))


SHAPES: tuple[Shape, ...] = (
    forum, mail, quoted_printable, chat, html, markdown, json_text, table, numbered, wrapped, program_output, spoken,
    arrows, chinese_counts, labelled, marked, from_pdf, columns, stepwise,
)  # fmt: skip


def pasted_shapes(lurd: str, seed: int, count: int) -> Iterator[tuple[str, str]]:
    """Yield *count* pairs of a shape's name and a text that holds *lurd*; a third has text before and behind."""
    dice = random.Random(seed)
    for number in range(count):
        shape = SHAPES[number % len(SHAPES)]
        text = shape(lurd, dice)
        if number % 3 == 0:
            text = f"{dice.choice(GREETINGS)}\n\n{text}\n{dice.choice(FAREWELLS)}"
        yield shape.__name__, text
