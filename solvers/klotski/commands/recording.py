"""`records`, `distributions`: recompute the published extremes and the distance distributions."""

import json
import sys
import time
from argparse import Namespace
from typing import Any

from tqdm import tqdm

from solvers.klotski.records import distributions as counting
from solvers.klotski.records.extremes import Extreme, format_extremes
from solvers.klotski.records.published import LABELS, PUBLISHED, SLIP
from solvers.sokoban.commands.reading import NOT_SOLVED, SUCCESS, Verbs, write_output


def add(verbs: "Verbs[Any]") -> None:
    """Add both commands to the command line."""
    recording = verbs.add_parser("records", help="recompute the records of the published study")
    recording.add_argument("--strict", action="store_true", help="also those of named pieces: half a minute")
    recording.add_argument("--json", action="store_true", help="print one JSON object")
    recording.add_argument("--layouts", metavar="FILE", help="also write the layouts that hold the records")
    recording.set_defaults(command=print_records)
    counted = verbs.add_parser("distributions", help="recompute how many layouts are how far: a minute")
    counted.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
    counted.set_defaults(command=print_distributions)


def print_records(options: Namespace) -> int:
    """Print the records next to the published ones. Exit code 1 if any differs, except for the known slip."""
    from solvers.klotski.records.table import STEPS, records  # imports numba

    with tqdm(total=STEPS * (1 + options.strict), disable=None, leave=False, file=sys.stderr) as bar:

        def show(text: str | None) -> None:
            if text is None:
                bar.update()
            else:
                bar.set_description(text)

        figures, extremes = records(is_strict=options.strict, progress=show)
    if options.layouts:
        write_output(_format_extremes(extremes), options.layouts)
    figures["cpu_seconds"] = round(time.process_time(), 2)
    if options.json:
        print(json.dumps(figures))
    else:
        _print_table(figures)
        print(f"\nThe longest way of all {'with names ' if options.strict else ''}begins at")
        longest = extremes["strict_diameter" if options.strict else "diameter"][0]
        print("\n".join("  " + " ".join(str(layout).split()) for layout in longest.layouts))
        print(f"\n{SLIP}")
        print(f"{figures['cpu_seconds']} CPU seconds.")
    return (
        SUCCESS
        if all(figures[key] == PUBLISHED[key] for key in PUBLISHED.keys() & figures.keys() - {"layouts"})
        else NOT_SOLVED
    )


def _format_extremes(extremes: dict[str, Any]) -> str:
    formatted = {
        key: tuple(Extreme(record.value, tuple(record.layouts)) for record in records)
        for key, records in extremes.items()
    }
    return format_extremes(formatted)


def _print_table(figures: dict[str, Any]) -> None:
    for key, label in LABELS.items():
        if key in figures:
            comparison = (
                "as published" if figures[key] == PUBLISHED[key] else f"published: {_format_value(PUBLISHED[key])}"
            )
            print(f"{_pad(label, 38)}{_format_value(figures[key]):<40} {comparison}")


def _format_value(value: Any) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if value and isinstance(value[0], list):
        return " ".join(f"{moves}x{layouts}" for moves, layouts in value)
    return f"{value[0]} ({value[1]})"


def _pad(text: str, width: int) -> str:
    """Pad *text* with blanks to *width* columns; a Chinese character is two columns wide."""
    return text + " " * max(1, width - sum(2 if letter > "\u2e80" else 1 for letter in text))


def print_distributions(options: Namespace) -> int:
    """Compute the file of `solvers.klotski.records.distributions`."""
    with tqdm(disable=None, leave=False, file=sys.stderr, bar_format="{desc} {elapsed}") as bar:
        counts = counting.compute(progress=bar.set_description)
    write_output(counting.format_counts(counts), options.output)
    return SUCCESS
