"""Run benches, each in a separate process, and print a table."""

import argparse
import os
import sys

from bench.figures import alone, run

BENCHES = {
    "acts": "bench.site.filling.long_acts",
    "boards": "bench.site.boards",
    "busy": "bench.site.busy",
    "contest": "bench.site.contest",
    "importing": "bench.site.filling.importing",
    "judge": "bench.site.judging",
    "fire_judge": "bench.site.fire_judge",
    "round-page": "bench.site.table.round_page",
    "replay": "bench.puzzles.replaying",
    "paths": "bench.puzzles.pushing",
    "collection": "bench.puzzles.reading",
    "fire": "bench.site.fire",
    "fuzz": "bench.puzzles.fuzzing",
    "games": "bench.puzzles.impartial",
    "growth": "bench.site.growth",
    "gym": "bench.puzzles.environments",
    "klotski": "bench.puzzles.klotski",
    "library": "bench.site.library",
    "listeners": "bench.site.listeners",
    "pages": "bench.site.pages",
    "polling": "bench.site.polling",
    "small-boards": "bench.puzzles.small_boards",
    "solving": "bench.puzzles.solving",
    "switches": "bench.site.table.switches",
    "table": "bench.site.table.rows",
}


def main() -> int:
    """Run the benches named on the command line, or all; return how many figures missed their target."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(BENCHES))
    parser.add_argument("--json", action="store_true", help="print one JSON object a figure instead of tables")
    parser.add_argument("--levels", metavar="FOLDER", help="solving: a folder of collections to solve")
    parser.add_argument("--seconds", metavar="S", nargs="+", help="solving: CPU seconds a level; default: 2 and 20")
    parser.add_argument("--runs", metavar="N", help="solving: solve each level N times and take medians; default: 1")
    parser.add_argument("--parts", action="store_true", help="solving: every part of the portfolio alone, too")
    parser.add_argument("--proofs", metavar="S", help="solving: prove in so many CPU seconds a level, and optimize")
    parser.add_argument("--boards", metavar="N", help="small-boards: how many; default: 1,000")
    parser.add_argument("--full", action="store_true", help="fire: all connections of docs/explanation/security.md")
    parser.add_argument("--submissions", metavar="N", help="growth: how many; default: 100,000")
    parser.add_argument("--listeners", metavar="N", help="listeners: how many; default: 5,000")
    options = parser.parse_args()
    settings = {
        "BENCH_LEVELS": options.levels,
        "BENCH_SOLVING_SECONDS": " ".join(options.seconds or ()),
        "BENCH_RUNS": options.runs,
        "BENCH_BOARDS": options.boards,
        "BENCH_PROOFS": options.proofs,
        "BENCH_SUBMISSIONS": options.submissions,
        "BENCH_LISTENERS": options.listeners,
    }
    os.environ |= {name: value for name, value in settings.items() if value}
    if options.parts:
        os.environ["BENCH_PARTS"] = "1"
    if options.full:
        os.environ["BENCH_FULL"] = "1"
    names = options.names or list(BENCHES)
    if unknown := set(names) - BENCHES.keys():
        parser.error(f"there is no bench {', '.join(sorted(unknown))}")
    missed = 0
    # One process per bench: modules loaded by one must not speed up or slow down the next.
    with alone() as processes:
        for name in names:  # one at a time, so that Ctrl-C ends the running bench and starts no other
            missed += processes.submit(run, name, BENCHES[name], as_json=options.json).result()
    return missed


if __name__ == "__main__":
    sys.exit(main())
