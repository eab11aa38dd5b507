"""Lower bounds for the cost of a submission, by part: the web server, the frameworks, the durable writes.

Each part does only its own share, so their sum is a lower bound for any design that uses these parts.
"""

import asyncio
import json
import sys
import time
from collections.abc import Iterator, Sequence
from statistics import median

import psycopg

from bench.figures import Figure
from bench.site import services
from bench.site.contest import CONNECTIONS, TEXTS
from bench.site.load import Client, at_once
from bench.site.sites import Ours, pid
from tooling.processes import Child, stop_children
from tooling.site import Address, web_command

ROUNDS, REQUESTS = 3, 1_000
WRITTEN = 2_000  # rows

_TABLES = """
    CREATE TABLE sent (
        number bigserial PRIMARY KEY, player bigint NOT NULL, sha256 text NOT NULL, text bytea NOT NULL,
        received_at timestamptz NOT NULL DEFAULT clock_timestamp(), verdict text NOT NULL DEFAULT '',
        lurd text NOT NULL DEFAULT '', moves int, pushes int, UNIQUE (player, sha256)
    );
    CREATE TABLE best (player bigint PRIMARY KEY, number bigint NOT NULL, moves int NOT NULL);
    CREATE INDEX waiting ON sent (received_at) WHERE verdict = '';
"""
_SEND = "INSERT INTO sent (player, sha256, text) SELECT * FROM unnest(%s::bigint[], %s::text[], %s::bytea[])"
_TAKE = "SELECT number, player, text FROM sent WHERE verdict = '' ORDER BY received_at LIMIT %s"
_JUDGE = """
    WITH told AS (SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::text[]) AS told(number, player, lurd)),
    judged AS (
        UPDATE sent SET verdict = 'accepted', lurd = told.lurd, moves = 300, pushes = 30
        FROM told WHERE sent.number = told.number RETURNING sent.number, sent.player
    )
    INSERT INTO best SELECT player, max(number), 300 FROM judged GROUP BY player
    ON CONFLICT (player) DO UPDATE SET number = excluded.number
"""


def measure(site: Ours, started: services.Services) -> Iterator[Figure]:
    """Yield the CPU milliseconds per submission: of the web process, then of psycopg and PostgreSQL."""
    yield Figure("floor: the web server, nothing behind it", _web_server(site), "ms")
    yield Figure("floor: the web server, Django and DRF, a text that is refused", _frameworks(site), "ms")
    started.create_database("floors")
    with psycopg.connect(started.conninfo("floors"), autocommit=True, prepare_threshold=1) as connection:
        connection.execute(_TABLES)
        for batch_size in (1, CONNECTIONS):
            name = f"floor: in, read, judged and kept by three statements, {batch_size} at a time"
            yield Figure(name, _three_statements(connection, batch_size, started), "ms")


def _web_server(site: Ours) -> float:
    port = services.free_port()
    command = [*web_command(Address("127.0.0.1", port))[:-1], "bench.site.table.nothing:application"]
    web = Child("nothing", [sys.executable, *command], dict(site.env), site.logs / "nothing.log")
    web.start()
    try:
        services.wait_until("nothing: web", lambda: _answers(port))
        return median(_cpu(web, Client(port), site.submissions, site.body("Ada", TEXTS[0])) for _ in range(ROUNDS))
    finally:
        stop_children([web])


def _answers(port: int) -> bool:
    async def ask() -> bool:
        client = Client(port)
        answer = await client.request("GET", "/healthz")
        client.close()
        return answer.status == 200

    try:
        return asyncio.run(ask())
    except OSError:
        return False


def _frameworks(site: Ours) -> float:
    """Return the cost of a text with an invalid nickname: it is parsed whole, and the database is not queried."""
    refused = {**site.body("", TEXTS[0]), "nickname": 1}
    return median(_cpu(site.web, site.client, site.submissions, refused) for _ in range(ROUNDS))


def _cpu(web: Child, client: Client, path: str, body: object) -> float:
    """Return the CPU milliseconds of the process *web* per request."""

    async def act(number: int) -> None:
        # From many addresses, because submissions per address are limited.
        await client.request("POST", path, body, f"X-Forwarded-For: 10.200.{number >> 8 & 255}.{number & 255}\r\n")

    async def go() -> None:
        await at_once(REQUESTS, CONNECTIONS, act)
        client.close()

    before = services.cpu_seconds(pid(web))
    asyncio.run(go())
    return (services.cpu_seconds(pid(web)) - before) / REQUESTS * 1e3


def _three_statements(
    connection: "psycopg.Connection[tuple[object, ...]]", batch_size: int, started: services.Services
) -> float:
    """Return the CPU milliseconds per row of this process and of PostgreSQL, for statements of *batch_size* rows."""
    taken = []
    for turn in range(ROUNDS):
        before, begin = services.cpu_seconds(started.postgres_pid), time.process_time()
        for first in range(0, WRITTEN, batch_size):
            _pass(connection, range(turn * WRITTEN + first, turn * WRITTEN + first + batch_size))
        own_seconds, database_seconds = time.process_time() - begin, services.cpu_seconds(started.postgres_pid) - before
        taken.append((own_seconds + database_seconds) / WRITTEN * 1e3)
        connection.execute("TRUNCATE sent, best")
    return median(taken)


def _pass(connection: "psycopg.Connection[tuple[object, ...]]", numbers: Sequence[int]) -> None:
    texts = [TEXTS[number % len(TEXTS)].encode() for number in numbers]
    players = [number // 5 for number in numbers]
    connection.execute(_SEND, [players, [json.dumps(number) for number in numbers], texts])
    rows = connection.execute(_TAKE, [len(numbers)]).fetchall()
    lurds = [bytes(text).decode() for _number, _player, text in rows]  # type: ignore[call-overload] # a bytea
    connection.execute(_JUDGE, [[row[0] for row in rows], [row[1] for row in rows], lurds])
