"""A made-up club: rounds, results and levels in the shape in which MF8's site publishes them."""

import csv
import io
import random
from datetime import datetime, timedelta
from typing import Any

PEOPLE = ["Zhang San", "zhangsan ", "ZhangSan（北京）", "李四", "Wang Wu", "Bo"]


def board(number: int) -> tuple[list[str], str]:
    """Return a board that no other round has, and its solution."""
    width, height = number % 20, number // 20
    inside = width + 3
    rows = ["#" * (inside + 2), f"#@{' ' * width}$.#", *["#" + " " * inside + "#"] * height, "#" * (inside + 2)]
    return rows, "r" * width + "R"


def published(count: int, results: int, seed: int = 8) -> list[dict[str, Any]]:
    """Return *count* rounds as `/api/competition/` has them, each with its list of submissions."""
    chance, first = random.Random(seed), datetime(2005, 1, 1, 20)  # noqa: DTZ001 - MF8 writes Beijing time without zone
    people = [
        *PEOPLE,
        *(f"Player {chr(65 + one % 26)}{one * 7919}" for one in range(max(0, results * 2 - len(PEOPLE)))),
    ]
    found = []
    for number in range(1, count + 1):
        begin = first + number * timedelta(days=30)
        rows, solution = board(number)
        sent = []
        for name in chance.sample(people, results):
            detour = chance.randint(0, 9)
            at = begin + timedelta(minutes=chance.randint(1, 30_000))
            row = {
                "time": f"{at}",
                "name": name,
                "country": chance.choice(["CN", "00", ""]),
                "move": len(solution) + 2 * detour,
            }
            sent.append(row | {"push": 1, "lurd": "" if detour else solution})
        main = {"title": f"第{number}期", "author": "A. Author", "level": "|".join(rows)}
        times = {"begin": f"{begin}", "end": f"{begin + timedelta(days=21)}"}
        sent.sort(key=lambda row: str(row["time"]))
        found.append({"id": number, **times, "main": main, "submission": sent})
    return found


def rounds_table(rounds: list[dict[str, Any]]) -> bytes:
    return _table(["id", "begin", "end"], ([one["id"], one["begin"], one["end"]] for one in rounds))


def results_table(rounds: list[dict[str, Any]]) -> bytes:
    rows = (
        [
            f"第{one['id']}期",
            "主关",
            row["time"].replace("-", "/"),
            row["name"],
            row["country"],
            row["move"],
            row["push"],
            row["lurd"],
        ]
        for one in rounds
        for row in one["submission"]
    )
    headings = ["期号", "关卡", "提交时间", "昵称", "国家", "移动", "推动", "答案"]
    return _table(headings, rows, delimiter=";").decode().encode("gb18030")


def levels_file(rounds: list[dict[str, Any]]) -> str:
    levels = (one["main"] for one in rounds)
    texts = ("{level}\nTitle: {title}\nAuthor: {author}\n".format(**level) for level in levels)
    return "\n".join(texts).replace("|", "\n")


def _table(headings: list[str], rows: Any, **options: Any) -> bytes:
    table = io.StringIO()
    csv.writer(table, **options).writerows([headings, *rows])
    return table.getvalue().encode()
