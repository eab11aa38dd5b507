"""The oracle follows the rulebook: it imports nothing of the site and agrees with the worked examples."""

import ast
import re
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from contest.rules.settings import RoundSettings
from tests.oracle import rulebook
from tests.oracle.rulebook import Result

HERE = Path(__file__).parent
RULES = HERE.parents[1] / "docs/reference"
SETTINGS = RoundSettings().as_json()


@pytest.mark.parametrize("name", ["rulebook.py", "history.py"])
def test_the_oracle_does_not_import_the_site(name):
    imported = set()
    for node in ast.walk(ast.parse((HERE / name).read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add("." * node.level + (node.module or ""))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("__import__", "eval", "exec")
    own = {".", ".rulebook"}
    assert {module.split(".")[0] for module in imported - own} <= sys.stdlib_module_names - {"importlib", "runpy"}


def results(text):
    """Return the results that a worked example lists in order of receipt: `A 500/120, C 510/110`."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    rows = re.findall(r"\b([A-F]) (\d+)/(\d+)", text)
    return [
        Result(number, player, int(moves), int(pushes), at + timedelta(minutes=number))
        for number, (player, moves, pushes) in enumerate(rows, 1)
    ]


def example(number, page="rules.md"):
    return (RULES / page).read_text().split(f"- **{number}** ")[1].split("\n- **")[0]


def rankings(**levels):
    return {
        slot: {metric: rulebook.ranking(rows, order) for metric, order in rulebook.ORDERS.items()}
        for slot, rows in levels.items()
    }


def summarise(ranked, settings=SETTINGS):
    """Return totals, champions and candidates in the notation of the examples."""
    totals = rulebook.points(ranked, settings)
    champions = rulebook.champions(ranked, settings)
    shown = [f"{total.player} {float(total.by_moves + total.by_pushes):g}" for total in totals]
    seats = set(champions.values())
    return shown, champions, [total.player for total in totals if total.player not in seats]


@pytest.mark.parametrize("page", ["rules.md", "rules.zh-hans.md"])
def test_the_worked_example_in_both_languages(page):
    """Rule 19.1."""
    text = example("19.1", page).replace("、", ", ").replace("，", ", ")
    ranked = rankings(main=results(text))
    assert ", ".join(result.player for result in ranked["main"]["moves"]) in text
    assert ", ".join(result.player for result in ranked["main"]["pushes"]) in text
    totals, champions, candidates = summarise(ranked)
    assert ", ".join(totals) in " ".join(text.split())
    assert (champions["moves"], champions["pushes"], champions["second"]) == ("B", "C", None)
    assert (candidates, rulebook.draw(17, candidates)) == (["A", "E", "D"], "D")


def test_the_worked_example_of_a_double_winner():
    """Rule 19.2."""
    rows = results(example("19.1").replace("B 520/110", "B 520/109"))
    totals, champions, candidates = summarise(rankings(main=rows))
    assert ", ".join(totals) in example("19.2")
    assert champions == {"moves": "B", "pushes": "B", "second": "A"}
    assert (candidates, rulebook.draw(17, candidates)) == (["C", "E", "D"], "D")


def test_the_worked_example_of_two_scoring_levels():
    """Rule 19.3."""
    settings = {**SETTINGS, "scoring_levels": ["main", "extra"]}
    ranked = rankings(main=results(example("19.1")), extra=results(example("19.3")))
    totals, _champions, candidates = summarise(ranked, settings)
    assert totals == ["A 75", "D 69", "B 38.5", "F 36.5", "C 36.5", "E 34.5"]
    assert all(total in example("19.3") for total in totals)
    assert candidates == ["A", "D", "F", "E"]


def test_the_worked_examples_of_commitment_and_beacon():
    """Rules 19.4, 19.6."""
    bytes_, sha256 = re.findall(r"`([^`]+)`", example("19.4"))
    assert rulebook.commitment(*bytes_.split("|")) == sha256
    value = re.findall(r"[0-9a-f]{64}", example("19.6"))[0]
    assert f"M = {rulebook.dividend(17, value)}" in example("19.6")
    assert rulebook.draw(rulebook.dividend(17, value), ["A", "E", "D"]) == "D"
