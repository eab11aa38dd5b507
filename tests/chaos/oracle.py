"""What must stand in the database, worked out slowly from what was sent: no code of the site is used here."""

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any

import psycopg

from tests.chaos.senders import Kept

STEPS = {"l": (-1, 0), "r": (1, 0), "u": (0, -1), "d": (0, 1)}
SLOTS = ("main", "extra", "extra2", "extra3")
Rows = list[dict[str, Any]]


def read(database: str, query: str) -> Rows:
    """Return the rows of *query* on PostgreSQL (an address) or SQLite (a path)."""
    if database.startswith("postgres"):
        with psycopg.connect(database) as connection, connection.cursor() as cursor:
            return _named(cursor.execute(query))
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        return _named(connection.execute(query))
    finally:
        connection.close()


def _named(cursor: Any) -> Rows:
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@cache
def play(level: str, moves: str) -> tuple[int, int] | None:
    """Moves and pushes up to the first solved state; None where *moves* do not lead there."""
    cells = {(x, y): cell for y, row in enumerate(level.split("|")) for x, cell in enumerate(row)}
    boxes = {at for at, cell in cells.items() if cell in "$*"}
    goals = {at for at, cell in cells.items() if cell in ".*+"}
    player = next(at for at, cell in cells.items() if cell in "@+")
    pushes = 0
    for count, letter in enumerate("".join(moves.split()).lower(), 1):
        if letter not in STEPS:
            return None
        dx, dy = STEPS[letter]
        ahead = player[0] + dx, player[1] + dy
        if cells.get(ahead, "#") == "#":
            return None
        if ahead in boxes:
            behind = ahead[0] + dx, ahead[1] + dy
            if cells.get(behind, "#") == "#" or behind in boxes:
                return None
            boxes = boxes - {ahead} | {behind}
            pushes += 1
        player = ahead
        if boxes == goals:
            return count, pushes
    return None


@dataclass
class Count:
    """What was found; every list holds numbers of submissions, or what is wrong, in words."""

    submissions: int = 0
    lost: list[Any] = field(default_factory=list)
    doubled: list[Any] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        faults = "".join(f"\n  {fault}" for fault in [*self.lost[:5], *self.doubled[:5], *self.wrong[:5]])
        return f"submissions {self.submissions}, lost {len(self.lost)}, doubled {len(self.doubled)}{faults}"

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.doubled or self.wrong)


def count(database: str, kept: Iterable[Kept], held: Sequence[str] = ()) -> Count:
    """Compare the receipts people hold with the rows. *held* are the receipt ids that staff must have got."""
    rows = {row["receipt_id"]: row for row in read(database, "SELECT * FROM contest_submission")}
    receipts = {one.receipt["id"]: one for one in kept}
    found = Count(submissions=len(receipts))
    found.doubled += [f"{row['number']}: nobody holds its receipt" for id_, row in rows.items() if id_ not in receipts]
    verified = Counter(row["submission_id"] for row in read(database, "SELECT submission_id FROM contest_verification"))
    levels = levels_in_order(database)
    for id_, one in receipts.items():
        if (row := rows.get(id_)) is None:
            found.lost.append(f"{one.receipt['number']}: no row")
            continue
        state = "quarantined" if id_ in held else "judged"
        if row["state"] != state:
            found.lost.append(f"{row['number']}: {row['state']}, attempts {row['attempts']}")
        if verified[row["number"]] > (state == "judged"):
            found.doubled.append(f"{row['number']}: {verified[row['number']]} verifications")
        if verified[row["number"]] < (row["state"] == "judged"):
            found.lost.append(f"{row['number']}: no verification")
        if wrong := what_is_wrong(row, one, levels):
            found.wrong.append(f"{row['number']}: {wrong}")
    found.wrong += wrong_bests(database) + wrong_versions(database)
    _count_links(database, found)
    return found


_LINKS = """
SELECT c.position, c.submission_id, c.nonce, c.document, c.link, s.received_at, s.sha256, r.number AS round,
       p.archive_number AS player
FROM contest_chainlink c LEFT JOIN contest_submission s ON s.number = c.submission_id
LEFT JOIN contest_round r ON r.id = s.round_id LEFT JOIN contest_player p ON p.id = s.sent_as_id ORDER BY c.position
"""


def _count_links(database: str, found: Count) -> None:
    """Rule 24.2: every submission is bound once, in order, to all before it."""
    previous, numbers = "0" * 64, []
    for position, row in enumerate(read(database, _LINKS)):
        number, at = row["submission_id"], row["received_at"] and as_shown(row["received_at"])
        if number is None:
            previous = sha256(f"{previous}|{sha256('opening|' + row['document'])}")
        elif row["nonce"]:
            parts = (row["nonce"], row["round"], number, at, row["sha256"], row["player"])
            previous = sha256(f"{previous}|{sha256('|'.join(map(str, parts)))}")
        else:
            previous = link(previous, number, at, row["sha256"])
        numbers += [number] if number else []
        if (row["position"], row["link"]) != (position, previous):
            found.wrong.append(f"{number}: another link of the receipt chain")
            return
    stored = [row["number"] for row in read(database, "SELECT number FROM contest_submission ORDER BY number")]
    found.lost += [f"{number}: not in the receipt chain" for number in stored if number not in set(numbers)]
    if numbers != sorted(numbers):
        found.wrong.append("the receipt chain is out of order")


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def link(previous: str, number: int, received_at: str, sha256_: str) -> str:
    """A link from before there were leaves."""
    return sha256(f"{previous}|{number}|{received_at}|{sha256_}")


def wrong_versions(database: str) -> list[str]:
    """Say which boards changed their version more often than a result came to them."""
    accepted = read(database, "SELECT level_id FROM contest_submission WHERE verdict = 'accepted'")
    results = Counter(row["level_id"] for row in accepted)
    return [
        f"{results[level['id']]} results gave level {level['slot']} version {level['board_version']}"
        for level in read(database, "SELECT id, slot, board_version FROM contest_level")
        if level["board_version"] > results[level["id"]]
    ]


def levels_in_order(database: str) -> Rows:
    levels = read(database, "SELECT id, slot, text FROM contest_level")
    return sorted(levels, key=lambda level: SLOTS.index(level["slot"]))


def solved(row: dict[str, Any], levels: Rows) -> tuple[int, int, int] | None:
    """The first level that the text of *row* solves, with moves and pushes."""
    text = bytes(row["text"]).decode()
    for level in levels:
        if row["slot_named"] in ("", level["slot"]) and (score := play(level["text"], text)):
            return level["id"], *score
    return None


def what_is_wrong(row: dict[str, Any], kept: Kept, levels: Rows) -> str:
    """Say in what *row* differs from what was sent, answered and must have come of it; "" where it does not."""
    if bytes(row["text"]).decode() != kept.order.moves or row["sha256"] != kept.receipt["sha256"]:
        return "not the text that was sent"
    if as_shown(row["received_at"]) != kept.receipt["received_at"]:
        return "not the time on the receipt"
    if row["state"] != "judged":
        return ""
    score = solved(row, levels)
    if (row["verdict"] == "accepted") != (score is not None):
        return f"verdict {row['verdict']}, but the moves give {score}"
    if score and (row["level_id"], row["moves"], row["pushes"]) != score:
        return f"scored {row['level_id'], row['moves'], row['pushes']}, but the moves give {score}"
    return ""


def as_shown(at: datetime | str) -> str:
    """A time as the API writes it, from either database."""
    at = datetime.fromisoformat(at) if isinstance(at, str) else at
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def bests(database: str) -> dict[tuple[int, int, str], tuple[int, int, str, int]]:
    """Every player's least sort key by level and ranking, from the texts of all judged submissions."""
    levels, best = levels_in_order(database), {}
    for row in read(database, "SELECT * FROM contest_submission WHERE state = 'judged'"):
        if score := solved(row, levels):
            level, moves, pushes = score
            for metric, pair in (("moves", (moves, pushes)), ("pushes", (pushes, moves))):
                place, key = (level, row["player_id"], metric), (*pair, as_shown(row["received_at"]), row["number"])
                best[place] = min(best.get(place, key), key)
    return best


def wrong_bests(database: str) -> list[str]:
    """Say where the kept best rows differ from `bests`."""
    kept = {}
    for row in read(database, "SELECT * FROM contest_best"):
        place = row["level_id"], row["player_id"], row["metric"]
        if place in kept:
            return [f"two best rows for {place}"]
        kept[place] = row["first"], row["second"], as_shown(row["received_at"]), row["submission_id"]
    right = bests(database)
    return [
        f"best of (level, player, ranking) {place} is {kept.get(place)}, should be {right.get(place)}"
        for place in sorted(kept.keys() | right.keys())
        if kept.get(place) != right.get(place)
    ]


def board(database: str, slot: str, metric: str) -> bytes:
    """The lines of a ranking as the API must show them, best first."""
    level = next(level["id"] for level in levels_in_order(database) if level["slot"] == slot)
    names = {row["id"]: row["nickname"] for row in read(database, "SELECT id, nickname FROM contest_player")}
    all_bests = bests(database)
    ranked = sorted((key, player) for (at, player, by), key in all_bests.items() if (at, by) == (level, metric))
    front = pareto_front([key for (at, _, by), key in all_bests.items() if (at, by) == (level, "moves")], [
        (key[1], key[0], key[2], key[3]) for (at, _, by), key in all_bests.items() if (at, by) == (level, "pushes")
    ])  # fmt: skip
    lines = []
    for rank, (key, player) in enumerate(ranked, 1):
        moves, pushes = key[:2] if metric == "moves" else (key[1], key[0])
        lines.append(line(rank, player, names[player], moves, pushes, key[2], key[3], pareto=key[3] in front))
    return json.dumps(lines).encode()


def pareto_front(*keys: Iterable[tuple[int, int, str, int]]) -> set[int]:
    """Rule 12: submissions nobody equals or beats in both counts; of equal ones the earliest."""
    results = {key for some in keys for key in some}
    return {
        one[3]
        for one in results
        if not any(other[0] <= one[0] and other[1] <= one[1] and _better(other, one) for other in results)
    }


def _better(other: tuple[int, int, str, int], one: tuple[int, int, str, int]) -> bool:
    return other[:2] != one[:2] or other[2:] < one[2:]


def line(
    rank: int, player: int, name: str, moves: int, pushes: int, received_at: str, number: int, *, pareto: bool
) -> dict[str, Any]:
    return {
        "rank": rank,
        "player": {"number": player, "name": name},
        "moves": moves,
        "pushes": pushes,
        "received_at": received_at,
        "number": number,
        "pareto": pareto,
    }


def as_line(shown: dict[str, Any]) -> dict[str, Any]:
    """The same of a line that the API shows."""
    player = shown["player"]
    names = ("moves", "pushes", "received_at", "number")
    return line(
        shown["rank"], player["number"], player["name"], *(shown[name] for name in names), pareto=shown["pareto"]
    )
