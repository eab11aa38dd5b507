"""The worked examples of rule 19 as data that anybody can run (docs/reference/rules.md), played by the oracle."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from . import rulebook
from .history import History, Results, Round, Submission, numbers_of

FILE = Path(__file__).parents[2] / "contest/static/contest/rules/examples.json"
EXAMPLES: Mapping[str, Any] = json.loads(FILE.read_text("utf-8"))
ROUNDS: Mapping[str, Mapping[str, Any]] = {example["name"]: example for example in EXAMPLES["rounds"]}
_FIRST = datetime(2026, 1, 1, tzinfo=UTC)


def play(example: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the rules say of a round, in the form of its `expected`."""
    history = History()
    add_round(history, example, 1, _FIRST)
    lead_to(history, example.get("merged", {}))
    return _write(history, history.results(1))


def play_season(example: Mapping[str, Any]) -> list[list[Any]]:
    """Return the season table of several final rounds: [place, player, points]."""
    history = History()
    for number, round_ in enumerate(example["rounds"], 1):
        add_round(history, round_, number, _FIRST + timedelta(weeks=number))
        history.publish(number)
    lead_to(history, example.get("merged_later", {}))
    sums = history.sums("human", lambda _round: True)
    places = history.places("human", lambda _round: True)
    return sorted([place, player, float(sums[player].points)] for player, place in places.items())


def add_round(history: History, example: Mapping[str, Any], number: int, opens_at: datetime) -> None:
    """Add a round and its submissions, numbered from the last one on."""
    settings = {**EXAMPLES["settings"], **example.get("settings", {})}
    lucky = example.get("lucky", {"number": 0, "value": None})
    about = Round(number, opens_at, opens_at + timedelta(days=6), {}, settings, lucky["number"], beacon=lucky["value"])
    about.void_slots = set(example.get("void_levels", ()))
    about.rulings = dict(enumerate(example.get("disqualified", ())))
    history.rounds[number] = about
    first = len(history.sent)
    for place, sent in enumerate(example["submissions"], 1):
        steps = "r" * (sent["moves"] - sent["pushes"]) + "R" * sent["pushes"]
        judged = rulebook.Judged("accepted", sent["slot"], steps)
        at = opens_at + timedelta(minutes=sent["minute"])
        is_void = place in example.get("void", ())
        history.sent[first + place] = Submission(
            first + place, number, sent["player"], "", "", at, judged, is_void=is_void
        )
        history.league[sent["player"]] = "bot" if sent["player"] in example.get("bots", ()) else "human"


def lead_to(history: History, merged: Mapping[str, str]) -> None:
    history.leads_to.update(merged)


def _write(history: History, results: Results) -> dict[str, Any]:
    return {
        "rankings": numbers_of(results.rankings),
        "fronts": {
            league: {slot: sorted(rulebook.front(history.on_board(1, league, slot))) for slot in of}
            for league, of in results.rankings.items()
        },
        "points": [[total.player, float(total.by_moves), float(total.by_pushes)] for total in results.points],
        "champions": dict(results.champions),
        "candidates": list(results.candidates),
        "lucky_player": results.lucky,
    }
