"""A bot by somebody who has read docs/api.md and nothing else of us: it waits for a round and solves it.

    python3 stranger.py SITE TOKEN

A round may go on for weeks; this one leaves when the feed has told everybody of all that it entered.
"""

import json
import sys
import time
import urllib.request
from collections import deque
from collections.abc import Iterator
from typing import Any

SITE, TOKEN = sys.argv[1:]
STEPS = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}


def ask(address: str, body: object = None) -> Any:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request(address, data, headers), timeout=30)


def follow() -> Iterator[dict[str, Any]]:
    number = 0
    while True:
        with ask(f"{SITE}/api/v1/events/?after={number}&wait=5") as lines:
            for event in map(json.loads, lines):
                number = event["number"]
                yield event
        time.sleep(1)


def solve(board: str) -> str:
    """The fewest moves: every position once, the nearest first."""
    squares = {(row, column): sign for row, line in enumerate(board.split("\n")) for column, sign in enumerate(line)}
    goals = {place for place, sign in squares.items() if sign in ".*+"}
    man = next(place for place, sign in squares.items() if sign in "@+")
    begin = man, frozenset(place for place, sign in squares.items() if sign in "$*")
    ways, waiting = {begin: ""}, deque([begin])
    while waiting:
        man, boxes = position = waiting.popleft()
        if boxes == goals:
            return ways[position]
        for letter, (down, right) in STEPS.items():
            ahead, behind = (man[0] + down, man[1] + right), (man[0] + 2 * down, man[1] + 2 * right)
            pushes = ahead in boxes
            if squares[ahead] == "#" or (pushes and (squares[behind] == "#" or behind in boxes)):
                continue
            after = ahead, (boxes - {ahead} | {behind} if pushes else boxes)
            if after not in ways:
                ways[after] = ways[position] + (letter.upper() if pushes else letter)
                waiting.append(after)
    raise ValueError(f"No solution:\n{board}")


def enter(number: int, level: dict[str, Any]) -> int:
    """Send a solution, wait for what the judge says, and return the submission's number."""
    entry = {"round": number, "slot": level["slot"], "moves": solve(level["board"])}
    with ask(f"{SITE}/api/v1/submissions/", entry) as answer:
        receipt = json.load(answer)
    verdict = {"state": "queued"}
    while verdict["state"] in ("queued", "running"):
        with ask(f"{receipt['url']}?wait=5") as answer:
            verdict = json.load(answer)
    print(level["slot"], entry["moves"], verdict["verdict"], verdict["moves"], verdict["pushes"], flush=True)
    return int(receipt["number"])


entered: set[int] = set()
for event in follow():
    print("event", event["kind"], flush=True)
    if event["kind"] == "opened":
        with ask(f"{SITE}/api/v1/rounds/{event['round']}/") as answer:
            whole = json.load(answer)
        if whole["phase"] == "open":
            entered = {enter(event["round"], level) for level in whole["levels"]}
    if event["kind"] == "accepted" and event["submission"]["number"] in entered:
        entered.remove(event["submission"]["number"])
        if not entered:
            break
