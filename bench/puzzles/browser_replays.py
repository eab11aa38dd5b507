"""Time opening and using a replay of half a million moves in a real browser.

The times are script times; the work of the GPU is not included. The moves come from memory, not over a
network.
"""

from bench.puzzles.browser_paths import in_chromium

MEASURE = "async (module) => (await import(module)).measureReplays()"
COLUMNS = ("first", "open", "piece", "seek", "visits", "routes", "difference")


def main() -> None:
    print("A replay of half a million moves, milliseconds")
    print(f"{'':24}" + "".join(f"{name:>11}" for name in COLUMNS))
    for row in in_chromium(MEASURE, "/bench/puzzles/browser_replays.js"):
        print(f"{row['name']:24}" + "".join(f"{row[name]:11.2f}" for name in COLUMNS))


if __name__ == "__main__":
    main()
