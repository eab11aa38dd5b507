"""The long form: `python3 dev.py chaos [--times N] [arguments for pytest]` runs every disturbance N times."""

import argparse
import os
import sys

import pytest


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="dev.py chaos", description=__doc__)
    parser.add_argument("--times", type=int, default=4, help="how often each is done, in any order (4)")
    wanted, rest = parser.parse_known_args(arguments)
    os.environ["CHAOS_TIMES"] = str(wanted.times)
    return pytest.main(["-v", "-m", "chaos", "--exhaustive", "tests/chaos", *rest])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
