"""Time the player's path finding in a browser and in node, compared with a plain flood fill in the same run.

`python -m bench.puzzles.browser_paths` measures in Chromium, with `--node` in node.
"""

import json
import shutil
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

MEASURE = """async (module) => {
    const { measurePaths, measurePlayback } = await import(module);
    return { paths: measurePaths(), playback: measurePlayback() };
}"""

CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Files(SimpleHTTPRequestHandler):
    """Static file server for the project: browsers load no modules from the file system."""

    def log_message(self, *_: object) -> None:
        """Log no requests."""


def in_chromium(measure: str, module: str) -> Any:
    """Call *measure*, the source of a JavaScript function, with the URL *module* in a page and return its result."""
    from playwright.sync_api import sync_playwright  # a development dependency, missing where only node is measured

    chromium = shutil.which("chromium")
    if not chromium:
        sys.exit("There is no chromium on the path. Try --node.")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(ROOT)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/package.json")
        measured = page.evaluate(measure, module)
        browser.close()
    server.shutdown()
    return measured


def in_node() -> Any:
    script = f"({MEASURE})('./bench/puzzles/browser_paths.js').then((found) => console.log(JSON.stringify(found)))"
    result = subprocess.run(["node", "-e", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def main() -> None:
    measured = in_node() if "--node" in sys.argv[1:] else in_chromium(MEASURE, "/bench/puzzles/browser_paths.js")
    print("All places one box can be pushed to, milliseconds, medians")
    print(f"{'':32} {'floor':>6} {'places':>6} {'first':>8} {'pushes':>8} {'moves':>8} {'flood':>9} {'ratio':>7}")
    for row in measured["paths"]:
        flood = f"{row['flood']:9.1f} {row['flood'] / row['pushes']:6.0f}x" if row["flood"] else f"{'-':>9}"
        print(
            f"{row['name']:32} {row['floor']:6} {row['targets']:6} {row['first']:8.2f} {row['pushes']:8.3f}"
            f" {row['moves']:8.2f} {flood}"
        )
    print("\nA long recording, milliseconds")
    print(f"{'':32} {'verify':>8} {'keyframes':>9} {'seek':>8}")
    for row in measured["playback"]:
        print(f"{row['name']:32} {row['verify']:8.1f} {row['keyframes']:9.1f} {row['seek']:8.3f}")


if __name__ == "__main__":
    main()
