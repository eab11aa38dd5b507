"""A round recomputed from its archive alone, by the rulebook: what an outsider does who trusts nobody (rule 24).

It reads a ZIP of format 4, knows docs/reference/archive.md, and takes what the archive does not say from the oracle.
"""

import json
import zipfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from . import rulebook
from .history import History, Results, Round, Submission, numbers_of

EXAMPLES = Path(__file__).parents[2] / "contest/static/contest/rules/examples.json"
DEFAULTS: Mapping[str, Any] = json.loads(EXAMPLES.read_text("utf-8"))["settings"]


class Archive:
    """The files of an archive, parsed; every entry of `submissions.jsonl` is a mapping."""

    def __init__(self, file: Path) -> None:
        with zipfile.ZipFile(file) as files:
            texts = {name: files.read(name).decode() for name in files.namelist()}
        self.about, self.results, self.boards = (
            json.loads(texts[f"{name}.json"]) for name in ("round", "results", "boards")
        )
        self.rows, self.links, self.closings, self.revisions = (
            [json.loads(line) for line in texts[f"{name}.jsonl"].splitlines()]
            for name in ("submissions", "chain", "closings", "revisions")
        )
        blocks = texts["levels.sok"].split("\n\n")
        boards = ["|".join(row for row in block.split("\n") if row[:1] in "# " and row) for block in blocks]
        slots = [level["slot"] for level in self.about["levels"]]
        self.levels = dict(zip(slots, (rulebook.board(board) for board in boards if "#" in board), strict=True))


def faults(archive: Archive) -> Iterator[str]:
    """Yield what is not as the rules say: solutions, tables and the links of the chain (rule 24.2)."""
    history = _history(archive)
    number = archive.about["number"]
    for row in archive.rows:
        played = rulebook.play(archive.levels[row["slot"]], row["lurd"] or "")
        if row["lurd"] and (played.steps, played.is_solved) != (row["lurd"], row["verdict"] == "accepted"):
            yield f"submission {row['number']} plays otherwise"
    expected, shown = _as_shown(history.results(number)), _shown(archive.results)
    yield from (f"{name}: {shown[name]}, not {value}" for name, value in expected.items() if shown[name] != value)
    for verdict, board in (("accepted", "contest"), ("spectator", "spectator")):
        if _numbers(archive.boards[board]) != numbers_of(history.rankings(number, verdict)):
            yield f"the {board} board is another"
    link = archive.about["chain_start"]
    for place, entry in enumerate(archive.links):
        link = rulebook.sha256(f"{link}|{entry['leaf']}")
        if link != entry["link"]:
            yield f"link {place} does not follow"


# Results (rules 8 to 11, 16)


def _history(archive: Archive) -> History:
    """Return the round as the rules know it; players are named by their random numbers."""
    history, about = History(), archive.about
    settings = {**DEFAULTS, **about["settings"]}
    lucky = about["lucky"] or {"number": 0}
    opens_at, closes_at = (datetime.fromisoformat(about[name]) for name in ("opens_at", "closes_at"))
    beacon = lucky.get("beacon", {}).get("value")
    round_ = Round(about["number"], opens_at, closes_at, archive.levels, settings, lucky["number"], beacon=beacon)
    round_.void_slots = {level["slot"] for level in about["levels"] if level["void"]}
    round_.rulings = {place: str(ruling["player"]) for place, ruling in enumerate(about["disqualified"])}
    round_.is_cancelled = "cancelled" in about
    round_.published = [
        Results({}, [], {}, [], str(draw["lucky"]) if draw["lucky"] else None, draw["kept_from"], {})
        for draw in (document["draw"] or {"lucky": None, "kept_from": None} for document in archive.revisions[:-1])
    ]
    history.rounds[round_.number] = round_
    for row in archive.rows:
        steps = "r" * (row["moves"] - row["pushes"]) + "R" * row["pushes"]
        judged, at = rulebook.Judged(row["verdict"], row["slot"], steps), datetime.fromisoformat(row["received_at"])
        is_void = bool(row["void"]) or row["is_hors_concours"]
        sender, owner = str(row["sent_as"]), str(row["player"])
        history.sent[row["number"]] = Submission(row["number"], round_.number, owner, "", "", at, judged, is_void)
        history.league[owner] = row["league"]
        history.leads_to |= {sender: owner} if sender != owner else {}
    return history


def _as_shown(results: Results) -> dict[str, Any]:
    return {
        "rankings": numbers_of(results.rankings),
        "points": [(total.player, total.by_moves * 2, total.by_pushes * 2) for total in results.points],
        "champions": dict(results.champions),
        "draw": (results.candidates, results.lucky, results.kept_from),
    }


def _shown(document: Mapping[str, Any]) -> dict[str, Any]:
    draw = document["draw"] or {"candidates": [], "lucky": None, "kept_from": None}
    points = [(str(row["player"]), row["move_half_points"], row["push_half_points"]) for row in document["points"]]
    return {
        "rankings": document["rankings"],
        "points": points,
        "champions": {title: _name(player) for title, player in document["champions"].items()},
        "draw": (list(map(str, draw["candidates"])), _name(draw["lucky"]), draw["kept_from"]),
    }


def _name(player: int | None) -> str | None:
    return str(player) if player else None


def _numbers(board: Mapping[str, Any]) -> dict[str, Any]:
    return {
        league: {slot: {by: [row["number"] for row in rows] for by, rows in both.items()} for slot, both in of.items()}
        for league, of in board.items()
    }
