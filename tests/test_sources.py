"""Every place that docs/reference/sources.md names exists; its links are checked by the docs' own check."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.urls import Resolver404, resolve
from django.utils.translation import override

from contest.models import OWN_POST_SLUGS
from solvers.sokoban import __main__ as sokoban

PAGE = Path(__file__).parents[1] / "docs/reference/sources.md"
ROWS = [line.split("|")[1:-1] for line in PAGE.read_text().splitlines() if re.match(r"\| [^-]", line)]
PLACES = sorted({place for row in ROWS for place in re.findall("`([^`]+)`", row[2])})


def _is_page(path: str) -> bool:
    for prefix in ("", "/en"):
        try:
            with override("en"):
                resolve(prefix + path)
        except Resolver404:
            continue
        return not path.startswith("/posts/") or path == "/posts/" or path.split("/")[2] in OWN_POST_SLUGS
    return False


@pytest.mark.parametrize("place", PLACES)
def test_a_place_of_the_list_exists(place):
    if place.startswith("/"):
        assert _is_page(place)
    elif place.startswith("python -m "):
        module, *command = place.removeprefix("python -m ").split()
        assert find_spec(f"{module}.__main__")
        assert module != "solvers.sokoban" or command[0] in sokoban.COMMANDS
    elif not place.startswith("--"):
        assert find_spec(place)
