"""The oracle agrees with the worked examples of the rulebook."""

import re
from pathlib import Path

import pytest

from contest.rules.settings import RoundSettings
from tests.oracle import examples, rulebook

RULES = Path(__file__).parents[2] / "docs/reference"
SETTINGS = RoundSettings().as_json()


def example(number, page="rules.md"):
    return " ".join((RULES / page).read_text().split(f"- **{number}** ")[1].split("\n- **")[0].split())


@pytest.mark.parametrize("name", examples.ROUNDS)
def test_the_oracle_computes_the_examples_of_rounds(name):
    """Rules 19.1 to 19.3, 19.6, 19.7."""
    assert examples.play(examples.ROUNDS[name]) == examples.ROUNDS[name]["expected"]


@pytest.mark.parametrize("season", examples.EXAMPLES["seasons"], ids=lambda season: season["name"])
def test_the_oracle_computes_the_examples_of_seasons(season):
    """Rules 4.13, 19.7, 21.1."""
    assert examples.play_season(season) == season["expected"]


def test_the_oracle_computes_the_examples_of_draws_and_hashes():
    """Rules 5.11, 11.2, 11.9, 11.10, 11.14, 19.4, 19.7."""
    for draw in examples.EXAMPLES["draws"]:
        assert rulebook.dividend(draw["number"], draw["value"]) == draw["dividend"]
        assert rulebook.draw(draw["dividend"], range(draw["candidates"])) == draw["index"]
    assert all(rulebook.sha256(hashed["text"]) == hashed["sha256"] for hashed in examples.EXAMPLES["hashes"])
    assert {draw["value"] for draw in examples.EXAMPLES["draws"]} > {None}


def test_the_examples_cite_rules_that_exist_and_have_the_defaults_of_the_settings():
    """Rules 17.1, 19.7."""
    law = (RULES / "rules.md").read_text()
    kinds = ("rounds", "seasons", "draws", "hashes")
    cited = {number for kind in kinds for entry in examples.EXAMPLES[kind] for number in entry["rules"]}
    assert all(f"- **{number}** " in law for number in cited)
    assert examples.EXAMPLES["settings"].items() <= SETTINGS.items()


@pytest.mark.parametrize("page", ["rules.md", "rules.zh-hans.md"])
@pytest.mark.parametrize("name", ["19.1", "19.2", "19.3", "19.6"])
def test_the_rules_write_out_the_results_of_the_examples(name, page):
    text = example(name, page).replace("、", ", ").replace("，", ", ")
    expected = examples.ROUNDS[name]["expected"]
    assert ", ".join(expected["candidates"]) in text or name == "19.6"
    points = expected["points"] if name != "19.6" else []
    assert all(f"{player} {by_moves + by_pushes:g}" in text for player, by_moves, by_pushes in points)
    for sent in examples.ROUNDS[name]["submissions"] if name == "19.1" else ():
        assert f"{sent['player']} {sent['moves']}/{sent['pushes']}" in text


def test_the_rules_write_out_the_hashes_of_the_examples():
    committed, mixed, _sealed = examples.EXAMPLES["hashes"]
    assert re.findall(r"`([^`]+)`", example("19.4")) == [committed["text"], committed["sha256"]]
    assert mixed["text"].split("|")[1] in example("19.6")
    assert f"M = {int(mixed['sha256'][:13], 16)}" in example("19.6")
