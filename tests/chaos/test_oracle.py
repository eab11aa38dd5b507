"""The oracle must find every kind of fault."""

import sqlite3

import pytest

from tests import cast
from tests.chaos import oracle
from tests.chaos.senders import Order, ReceiptedOrder

TABLES = """
CREATE TABLE contest_level (id, slot, text, board_version);
CREATE TABLE contest_round (id, number);
CREATE TABLE contest_player (id, nickname, archive_number);
CREATE TABLE contest_submission (number, receipt_id, player_id, slot_named, text, sha256, received_at, state, attempts,
                                 verdict, level_id, moves, pushes, round_id, sent_as_id);
CREATE TABLE contest_verification (submission_id);
CREATE TABLE contest_chainlink (position, submission_id, nonce, document, link);
CREATE TABLE contest_best (level_id, player_id, metric, submission_id, first, second, received_at);
"""
AT, SHOWN = "2026-11-01 12:00:00.000000", "2026-11-01T12:00:00.000000Z"


@pytest.fixture
def database(tmp_path):
    """A database with one judged submission and no faults."""
    path = str(tmp_path / "db.sqlite3")
    with sqlite3.connect(path) as connection:
        connection.executescript(TABLES)
        add = connection.execute
        add("INSERT INTO contest_level VALUES (1, 'main', ?, 1)", [cast.CORRIDOR])
        add("INSERT INTO contest_player VALUES (1, 'player', 5)")
        row = ["r1", b"rR", "hash", AT]
        add("INSERT INTO contest_round VALUES (1, 219)")
        add("INSERT INTO contest_submission VALUES (7, ?, 1, '', ?, ?, ?, 'judged', 1, 'accepted', 1, 2, 1, 1, 1)", row)
        add("INSERT INTO contest_verification VALUES (7)")
        opening = oracle.sha256(f"{'0' * 64}|{oracle.sha256('opening|{}')}")
        last = oracle.sha256(f"{opening}|{oracle.sha256(f'abc|219|7|{SHOWN}|hash|5')}")
        links = [0, None, "", "{}", opening, 1, 7, "abc", "", last]
        add("INSERT INTO contest_chainlink VALUES (?, ?, ?, ?, ?), (?, ?, ?, ?, ?)", links)
        add("INSERT INTO contest_best VALUES (1, 1, 'moves', 7, 2, 1, ?), (1, 1, 'pushes', 7, 1, 2, ?)", [AT, AT])
    connection.close()
    return path


COPY = """
INSERT INTO contest_submission
SELECT 8, 'r2', player_id, slot_named, text, sha256, received_at, state, attempts, verdict, level_id, moves, pushes,
       round_id, sent_as_id
FROM contest_submission
"""
KEPT = [ReceiptedOrder(Order("player", "rR"), {"id": "r1", "number": 7, "sha256": "hash", "received_at": SHOWN})]


def test_correct_data_has_no_faults(database):
    assert oracle.find_faults(database, KEPT) == []


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM contest_submission",
        "UPDATE contest_submission SET state = 'running'",
        "UPDATE contest_submission SET state = 'quarantined'",
        "DELETE FROM contest_verification",
        "DELETE FROM contest_chainlink",
        "INSERT INTO contest_verification VALUES (7)",
        COPY,
        "UPDATE contest_chainlink SET link = 'another'",
        "UPDATE contest_submission SET text = X'7272'",
        "UPDATE contest_submission SET moves = 3",
        "UPDATE contest_submission SET verdict = 'illegal'",
        "UPDATE contest_submission SET received_at = '2026-11-01 12:00:00.000001'",
        "DELETE FROM contest_best WHERE metric = 'pushes'",
        "UPDATE contest_best SET first = 1",
        "INSERT INTO contest_best SELECT * FROM contest_best",
        "UPDATE contest_level SET board_version = 2",
    ],
)
def test_each_wrong_row_is_found(database, damage):
    with sqlite3.connect(database) as connection:
        connection.execute(damage)
    connection.close()
    assert oracle.find_faults(database, KEPT)
