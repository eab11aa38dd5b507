"""Time the script of a key in the player, on a board of 100×100 cells with 500 boxes.

`python -m bench.puzzles.browser_keys URL` opens the board at a running site, such as that of `dev.py run`. The times
are CPU times of the page's main thread: from the key through the timers and frames up to the next key.
"""

import random
import shutil
import sys
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from playwright.sync_api import CDPSession, Page, sync_playwright

from bench.puzzles.browser_paths import CHROMIUM_ARGUMENTS

SIDE, BOXES, WALLS = 100, 500, 400
KEYS, PAUSE_MS = 150, 60
ARROWS = ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown")
SCRIPT = {"EventDispatch", "FireAnimationFrame", "FireIdleCallback", "RunMicrotasks", "TimerFire"}
CATEGORIES = "toplevel,devtools.timeline"


def board(chance: random.Random) -> str:
    """Return a hall with boxes, goals and walls strewn over it."""
    inside = [(row, column) for row in range(2, SIDE - 2) for column in range(2, SIDE - 2)]
    signs = "$" * BOXES + "." * BOXES + "#" * WALLS + "@"
    placed = dict(zip(chance.sample(inside, len(signs)), signs, strict=True))
    edge = {0, SIDE - 1}
    cells = (
        ["#" if edge & {row, column} else placed.get((row, column), "-") for column in range(SIDE)]
        for row in range(SIDE)
    )
    return "|".join(map("".join, cells))


def trace_keys(page: Page, keys: Iterable[str]) -> list[dict[str, Any]]:
    """Press *keys* and return the trace's events of the page's main thread, in order."""
    session: CDPSession = page.context.new_cdp_session(page)
    events: list[dict[str, Any]] = []
    session.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    session.send("Tracing.start", {"categories": CATEGORIES, "transferMode": "ReportEvents"})
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(PAUSE_MS)
    ended: list[object] = []

    def end(data: object) -> None:  # Playwright takes no method of a list.
        ended.append(data)

    session.on("Tracing.tracingComplete", end)
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(PAUSE_MS)
    threads = {(one["pid"], one["tid"]): one["args"]["name"] for one in events if one["name"] == "thread_name"}
    main = [one for one in events if threads.get((one["pid"], one["tid"])) == "CrRendererMain"]
    return sorted((one for one in main if one["ph"] == "X" and one["name"] in SCRIPT), key=lambda one: one["ts"])


def main() -> None:
    chance = random.Random(7)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{sys.argv[1].rstrip('/')}/sokoplayer/?w={SIDE}&h={SIDE}&lvl={quote(board(chance))}")
        page.locator("[data-board]").focus()
        events = trace_keys(page, [chance.choice(ARROWS) for _ in range(KEYS)])
        browser.close()
    costs: list[float] = []
    for event in events:
        if event["name"] == "EventDispatch" and event["args"]["data"]["type"] == "keydown":
            costs.append(0)
        if costs:
            costs[-1] += event["tdur"] / 1000
    costs.sort()
    print(f"{len(costs)} keys, ms of script each: median {costs[len(costs) // 2]:.1f}", end="")
    print(f", p95 {costs[len(costs) * 95 // 100]:.1f}, most {costs[-1]:.1f}")


if __name__ == "__main__":
    main()
