"""Expected database contents, computed slowly from the sent texts with the rulebook of `tests.oracle`."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import astuple
from datetime import UTC, datetime
from functools import cache
from typing import Any

import psycopg

from tests.chaos.senders import PATIENCE, ReceiptedOrder
from tests.oracle import rulebook
from tests.oracle.rulebook import SLOTS, Result

Rows = list[dict[str, Any]]


def read(database: str, query: str) -> Rows:
    """Return the rows of *query* on PostgreSQL (a URL) or SQLite (a path)."""
    if database.startswith("postgres"):
        with psycopg.connect(database) as connection, connection.cursor() as cursor:
            return _named(cursor.execute(query))
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=PATIENCE)) as file:
        return _named(file.execute(query))


def _named(cursor: Any) -> Rows:
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@cache
def play(level: str, moves: str) -> tuple[int, int] | None:
    """Return moves and pushes up to the first solved state, or None if *moves* do not lead there."""
    letters = "".join(moves.split())
    if not set(letters.lower()) <= set(rulebook.STEPS):
        return None
    played = rulebook.play(rulebook.board(level), letters)
    return (len(played.steps), sum(map(str.isupper, played.steps))) if played.is_solved else None


def find_faults(database: str, submissions: Iterable[ReceiptedOrder], held: Sequence[str] = ()) -> list[str]:
    """Return the differences between rows and receipts. *held* are the receipt ids that must be held for staff."""
    rows = {row["receipt_id"]: row for row in read(database, "SELECT * FROM contest_submission")}
    receipts = {submission.receipt["id"]: submission for submission in submissions}
    problems = [
        f"{row['number']}: doubled, nobody holds its receipt" for id_, row in rows.items() if id_ not in receipts
    ]
    verified = Counter(row["submission_id"] for row in read(database, "SELECT submission_id FROM contest_verification"))
    levels = levels_in_order(database)
    for id_, submission in receipts.items():
        if (row := rows.get(id_)) is None:
            problems.append(f"{submission.receipt['number']}: lost, no row")
            continue
        state = "quarantined" if id_ in held else "judged"
        if row["state"] != state:
            problems.append(f"{row['number']}: lost, {row['state']}, attempts {row['attempts']}")
        if verified[row["number"]] != (row["state"] == "judged"):
            problems.append(f"{row['number']}: {row['state']}, and {verified[row['number']]} verifications")
        if wrong := find_mismatch(row, submission, levels):
            problems.append(f"{row['number']}: {wrong}")
    return problems + find_wrong_bests(database) + find_wrong_versions(database) + list(find_wrong_links(database))


_LINKS = """
SELECT c.position, c.submission_id, c.closing_of_id, c.nonce, c.document, c.link, s.received_at, s.sha256,
       r.number AS round, p.archive_number AS player
FROM contest_chainlink c LEFT JOIN contest_submission s ON s.number = c.submission_id
LEFT JOIN contest_round r ON r.id = s.round_id LEFT JOIN contest_player p ON p.id = s.sent_as_id ORDER BY c.position
"""


def find_wrong_links(database: str) -> Iterator[str]:
    """Rule 24.2: every submission is bound once, in order, to all before it."""
    previous, numbers = "0" * 64, []
    for position, row in enumerate(read(database, _LINKS)):
        at = row["received_at"] and as_shown(row["received_at"])
        if number := row["submission_id"]:
            numbers.append(number)
            text = rulebook.sha256(f"{row['nonce']}|{row['sha256']}")
            facts = {"round": row["round"], "number": number, "received_at": at, "player": row["player"], "text": text}
            if not facts.items() <= json.loads(row["document"]).items():
                yield f"{number}: its leaf binds other facts"
        kind = "entry" if number else "closing" if row["closing_of_id"] else "opening"
        parts = (kind, row["document"])
        previous = rulebook.sha256(f"{previous}|{rulebook.sha256('|'.join(map(str, parts)))}")
        if (row["position"], row["link"]) != (position, previous):
            yield f"{number}: another link of the receipt chain"
            return
    stored = [row["number"] for row in read(database, "SELECT number FROM contest_submission ORDER BY number")]
    if numbers != stored:
        yield f"the receipt chain holds others than {stored}, or in another order: {numbers}"


def find_wrong_versions(database: str) -> list[str]:
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
    """Return the first level that the text of *row* solves, with moves and pushes."""
    text = bytes(row["text"]).decode()
    for level in levels:
        if row["slot_named"] in ("", level["slot"]) and (score := play(level["text"], text)):
            return level["id"], *score
    return None


def find_mismatch(row: dict[str, Any], submission: ReceiptedOrder, levels: Rows) -> str:
    """Return how *row* differs from the sent text, its receipt and the expected result, or ""."""
    if bytes(row["text"]).decode() != submission.order.moves or row["sha256"] != submission.receipt["sha256"]:
        return "not the text that was sent"
    if as_shown(row["received_at"]) != submission.receipt["received_at"]:
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
    """Return a time as the API writes it, from either database."""
    at = datetime.fromisoformat(at) if isinstance(at, str) else at
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def results(database: str) -> dict[int, list[Result]]:
    levels = levels_in_order(database)
    results_: dict[int, list[Result]] = {level["id"]: [] for level in levels}
    for row in read(database, "SELECT * FROM contest_submission WHERE state = 'judged'"):
        if score := solved(row, levels):
            level, moves, pushes = score
            results_[level].append(Result(row["number"], row["player_id"], moves, pushes, as_shown(row["received_at"])))
    return results_


def find_wrong_bests(database: str) -> list[str]:
    names = ("level_id", "metric", "player_id", "submission_id", "first", "second")
    rows = read(database, "SELECT * FROM contest_best")
    stored = Counter((*(row[name] for name in names), as_shown(row["received_at"])) for row in rows)
    right = Counter(
        (level, metric, result.player, result.number, *order(result)[:2], result.received_at)
        for level, results_ in results(database).items()
        for metric, order in rulebook.ORDERS.items()
        for result in rulebook.ranking(results_, order)
    )
    return [f"best row too many: {row}" for row in stored - right] + [f"no best row: {row}" for row in right - stored]


def board(database: str, slot: str, metric: str) -> list[tuple[Any, ...]]:
    """Return the lines of a ranking: rank, player's name, the fields of the result, whether it is on the front."""
    level = next(level["id"] for level in levels_in_order(database) if level["slot"] == slot)
    names = {row["id"]: row["nickname"] for row in read(database, "SELECT id, nickname FROM contest_player")}
    results_ = results(database)[level]
    front = rulebook.front(results_)
    return [
        (rank, names[result.player], *astuple(result), result.number in front)
        for rank, result in enumerate(rulebook.ranking(results_, rulebook.ORDERS[metric]), 1)
    ]


def as_line(shown: dict[str, Any]) -> tuple[Any, ...]:
    player, names = shown["player"], ("moves", "pushes", "received_at", "pareto")
    return shown["rank"], player["name"], shown["number"], player["number"], *(shown[name] for name in names)
