"""A round recomputed from its archive alone, by the rulebook: what an outsider does who trusts nobody (rule 24).

It reads a ZIP of format 4, knows docs/reference/archive.md, and takes what the archive does not say from the oracle.
"""

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from . import examples, rulebook
from .history import History, Results, Round, Submission

# The League of Entropy's quicknet (rule 11.14): the time of its first round, and the seconds from one to the next.
GENESIS, PERIOD = 1_692_803_367, 3


class Archive:
    """The files of an archive, parsed; every entry of `submissions.jsonl` and `sealed.jsonl` is a mapping."""

    def __init__(self, file: Path) -> None:
        with zipfile.ZipFile(file) as files:
            texts = {name: files.read(name).decode() for name in files.namelist()}
        self.about, self.opening, self.results, self.boards = (
            json.loads(texts[f"{name}.json"]) for name in ("round", "opening", "results", "boards")
        )
        self.rows, self.links, self.closings, self.answers, self.revisions = (
            [json.loads(line) for line in texts[f"{name}.jsonl"].splitlines()]
            for name in ("submissions", "chain", "closings", "sealed", "revisions")
        )
        blocks = texts["levels.sok"].split("\n\n")
        boards = ["|".join(row for row in block.split("\n") if row[:1] in "# " and row) for block in blocks]
        slots = [level["slot"] for level in self.about["levels"]]
        self.levels = dict(zip(slots, (rulebook.board(board) for board in boards if "#" in board), strict=True))


def faults(archive: Archive) -> Iterator[str]:
    """Yield what is not as the rules say: solutions, tables, chain and closings."""
    history = _history(archive)
    number = archive.about["number"]
    for row in archive.rows:
        played = rulebook.play(archive.levels[row["slot"]], row["lurd"] or "")
        if row["lurd"] and (played.steps, played.is_solved) != (row["lurd"], row["verdict"] == "accepted"):
            yield f"submission {row['number']} plays otherwise"
    expected, shown = _as_shown(history.results(number)), _shown(archive.results)
    yield from (f"{name}: {shown[name]}, not {value}" for name, value in expected.items() if shown[name] != value)
    for verdict, board in (("accepted", "contest"), ("spectator", "spectator")):
        if _numbers(archive.boards[board]) != _ranked(history.rankings(number, verdict)):
            yield f"the {board} board is another"
    yield from _chain_faults(archive)


# Results (rules 8 to 11, 16)


def _history(archive: Archive) -> History:
    """Return the round as the rules know it; players are named by their random numbers."""
    history, about = History(), archive.about
    settings = {**examples.EXAMPLES["settings"], **about["settings"]}
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
        "rankings": _ranked(results.rankings),
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


def _ranked(rankings: Mapping[str, rulebook.Rankings]) -> dict[str, Any]:
    return {
        league: {slot: {by: [one.number for one in ranked] for by, ranked in both.items()} for slot, both in of.items()}
        for league, of in rankings.items()
    }


def _numbers(board: Mapping[str, Any]) -> dict[str, Any]:
    return {
        league: {slot: {by: [row["number"] for row in rows] for by, rows in both.items()} for slot, both in of.items()}
        for league, of in board.items()
    }


# The receipt chain (rule 24.2)


def line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _entry(row: Mapping[str, Any], about: Mapping[str, Any]) -> dict[str, Any]:
    if row["nonce"]:
        assert rulebook.sha256(f"{row['nonce']}|{row['sha256']}") == row["text_seal"]
    names = {"player": "sent_as", "league": "sent_league", "slot": "slot_named", "text": "text_seal"}
    names |= {name: name for name in ("number", "received_at", "reader", "is_hors_concours")}
    return {name: row[held] for name, held in names.items()} | {"round": about["number"], "is_practice": False}


def _chain_faults(archive: Archive) -> Iterator[str]:
    about, leaves, link = archive.about, [entry["leaf"] for entry in archive.links], archive.about["chain_start"]
    for place, entry in enumerate(archive.links):
        link = rulebook.sha256(f"{link}|{entry['leaf']}")
        if link != entry["link"]:
            yield f"link {place} does not follow"
    documents = [("opening", archive.opening), *(("closing", closing) for closing in archive.closings)]
    bound = [rulebook.sha256(f"{kind}|{line(document)}") for kind, document in documents]
    if (leaves[:1], leaves[-1:]) != (bound[:1], bound[-1:]) or not set(bound) <= set(leaves):
        yield "the chain does not begin with the opening, or end with the last closing"
        return
    ends = [about[name] for name in ("closes_at", "make_up_closes_at", "opened_until") if about.get(name)]
    if [closing["closes_at"] for closing in archive.closings] != ends:
        yield "another number of closings"
    beacon = (about["lucky"] or {}).get("beacon")
    if beacon and beacon["round"] != archive.closings[-1]["beacon"]:
        yield "the draw is by another round of the beacon than the last closing binds"
    for closing, leaf in zip(archive.closings, bound[1:], strict=True):
        yield from _closing_faults(archive, closing, leaves[: leaves.index(leaf)])


def _closing_faults(archive: Archive, closing: Mapping[str, Any], before: Sequence[str]) -> Iterator[str]:
    about, at = archive.about, datetime.fromisoformat(closing["closes_at"])
    tree = about["tree"]
    link = archive.links[len(before) - 1]["link"] if before else about["chain_start"]
    if (closing["size"], closing["root"], closing["link"]) != (tree["size"] + len(before), _root(tree, before), link):
        yield f"the closing of {at} binds another tree"
    if datetime.fromisoformat(closing["at"]) < at + timedelta(minutes=2):
        yield f"the closing of {at} is too early"
    drawn = int(datetime.fromisoformat(closing["draws_at"]).timestamp()) - GENESIS
    beacon = 1 - -drawn // PERIOD if about["settings"].get("lucky_beacon", "none") != "none" else None
    if closing["beacon"] != beacon:
        yield f"the closing of {at} binds round {closing['beacon']} of the beacon, not {beacon}"
    leaves = [(row, rulebook.sha256(f"entry|{line(_entry(row, about))}")) for row in archive.rows]
    sealed = [(answer, answer["leaf"]) for answer in archive.answers]
    if closing["sealed"] != sum(leaf in before for _answer, leaf in sealed):
        yield f"the closing of {at} binds another number of sealed answers"
    if closing["opened"] is None:
        leaves = [(row, leaf) for row, leaf in leaves if row["reader"] != "sealed"]
    elif closing["opened"] != [answer["number"] for answer in archive.answers if answer["opened_at"]]:
        yield f"the closing of {at} lists other opened answers"
    for row, leaf in (*leaves, *sealed):
        if datetime.fromisoformat(row["received_at"]) < at and leaf not in before:
            yield f"{row['number']} entered late"


def _root(tree: Mapping[str, Any], leaves: Sequence[str]) -> str:
    """Return the root of RFC 6962 over the leaves before the archive's, given by their subtrees, and *leaves*."""
    powers = [1 << bit for bit in reversed(range(tree["size"].bit_length())) if tree["size"] >> bit & 1]
    stack = [(size, bytes.fromhex(peak)) for size, peak in zip(powers, tree["peaks"], strict=True)]
    for leaf in leaves:
        stack.append((1, sha256(b"\0" + bytes.fromhex(leaf)).digest()))
        while len(stack) > 1 and stack[-1][0] == stack[-2][0]:
            (size, left), (_, right) = stack[-2:]
            stack[-2:] = [(2 * size, sha256(b"\1" + left + right).digest())]
    root = stack.pop()[1]
    while stack:
        root = sha256(b"\1" + stack.pop()[1] + root).digest()
    return root.hex()
