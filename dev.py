#!/usr/bin/env python3
"""Set up, run and test Leitai with only Python 3.11 and its standard library.

    python3 dev.py run                    the whole site on this machine; Ctrl-C stops it
    python3 dev.py test [--exhaustive] [-- ...]  every check and every rule once, or every test; args after -- go to
                                          pytest; --limit SECONDS for each suite (2400 by default, 0: no limit)
    python3 dev.py lint                   only the static checks: types, style, layers, wording
    python3 dev.py docs                   the documentation site, in builds/docs
    python3 dev.py chaos [--times N]      kill the processes of a site, in every way four times (python -m tests.chaos)
    python3 dev.py bench [...]            the benchmarks (python -m bench)
    python3 dev.py shots [FOLDER] [-- .]  screenshots of every page, and contact sheets (screenshots)
    python3 dev.py pictures               take the pictures of README.md and of the pages for organisers again
    python3 dev.py extension [FOLDER] [--host URL]  the browser extension (extension/README.md)
    python3 dev.py fuzz-api               more than 20,000 random requests to the API
    python3 dev.py sbom [FILE]            the components of a server with licences, as CycloneDX JSON (sbom.json)
    python3 dev.py release X.Y.Z [--dry-run]  set the version, build and check the packages, print how to publish them
    python3 dev.py pin                    image digests for Docker, fetched now (docker-compose.pins.yml)
    python3 dev.py manage ...             manage.py with the environment of `run`

`run` reads HOST (127.0.0.1), PORT (8000) and DATA_DIR (.data), and passes on DATABASE_URL, REDIS_URL, SECRET_KEY,
ALLOWED_HOSTS and SITE_URL if they are set. `test` reads CHROMIUM (path of the browser), REPORTS (a folder for the
results as JUnit and TAP, and for logs) and REQUIRE_E2E=1 (a missing program is then a failure, not a skip; CI=true
means the same).
"""

from __future__ import annotations

import sys

if sys.platform == "win32":
    sys.exit("Leitai runs on Linux and the like; on Windows use WSL.")
if sys.version_info < (3, 11):  # noqa: UP036 - this line is for users of an older Python
    sys.exit("Leitai needs Python 3.11 or newer; this is %d.%d." % sys.version_info[:2])
from pathlib import Path

from tooling import bill, extension, pins, site, suites
from tooling.folders import ROOT
from tooling.lint import documentation
from tooling.releasing import release
from tooling.terminal import Interrupted, Problem, listen_for_signals, print_line

# Commands that run in .venv as a separate module.
MODULES = {"bench": "bench", "chaos": "tests.chaos"}
# Commands without options.
ALONE = {
    "run": site.run,
    "lint": suites.lint,
    "docs": documentation.build,
    "pictures": suites.pictures,
    "fuzz-api": suites.fuzz_api,
    "pin": pins.pin,
}


def main(arguments: list[str]) -> int:
    """Run the command in *arguments* and return the exit code."""
    act, rest = (arguments[0], arguments[1:]) if arguments else ("--help", [])
    own, extra = (rest[: rest.index("--")], rest[rest.index("--") + 1 :]) if "--" in rest else (rest, [])
    if act not in (*MODULES, "manage") and {"-h", "--help"} & set(own):
        act = "--help"
    if act in ALONE and not rest:
        return ALONE[act]()
    if act == "test" and (options := suites.read_options(own)):
        return suites.test(extra, exhaustive=options[0], limit=options[1])
    if act in MODULES:
        return suites.run_module(MODULES[act], rest)
    if act == "shots" and len(own) <= 1:
        return suites.take_shots(Path(own[0] if own else ROOT / "screenshots").absolute(), extra)
    if act == "extension" and (place := extension.read_options(rest)):
        return extension.command(*place)
    if act == "release" and (chosen := release.read_options(rest)):
        return release.release(*chosen)
    if act == "sbom" and len(rest) <= 1:
        file = Path(rest[0] if rest else "sbom.json")
        print_line(f"{file}: {bill.write_bill(file)} parts")
        return 0
    if act == "manage":
        return site.manage(rest)
    print_line((__doc__ or "").strip())
    return 0 if act in ("--help", "-h", "help") else 2


def run_and_report(arguments: list[str]) -> int:
    """Run *main*; report an error that stops it in one line."""
    listen_for_signals()
    try:
        return main(arguments)
    except Interrupted:
        print_line("Stopped.")
        return 130
    except Problem as problem:
        print(f"dev.py: {problem}", file=sys.stderr)
    except OSError as error:
        place = f": {error.filename}" if error.filename else ""
        print(f"dev.py: {error.strerror or error}{place}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(run_and_report(sys.argv[1:]))
