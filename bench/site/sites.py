"""The sites that are compared: ours, and the textbook site as shipped, tuned and batched."""

import os
import signal
import socket
import sqlite3
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import psycopg

from bench.site.load import Answer, Client
from bench.site.services import Services, free_port, wait_until
from tooling.processes import Child, stop_children, wait_for_exit
from tooling.site import Address, judge_command, web_command
from tooling.terminal import Problem, last_lines

# The command of a tutorial, and with the options that a careful reader adds.
PLAIN_WORKER = ["-m", "celery", "-A", "bench.textbook.celery", "worker", "-l", "info"]
TUNED_WORKER = [*PLAIN_WORKER, "-P", "solo", "-c", "1", "--without-gossip", "--without-mingle"]


@dataclass
class Site(ABC):
    """A web process, a worker, and the database, which is queried directly for verdicts."""

    name: str
    env: Mapping[str, str]
    database: str  # a psycopg connection string, or the path of an SQLite file
    logs: Path
    port: int = field(default_factory=free_port)
    client: Client = field(init=False)
    web: Child = field(init=False)
    judge: Child = field(init=False)
    more_judges: list[Child] = field(init=False, default_factory=list)

    submissions: ClassVar[str]
    board: ClassVar[str]
    waiting: ClassVar[str]
    judged: ClassVar[str]

    @abstractmethod
    def web_arguments(self) -> list[str]: ...

    @abstractmethod
    def judge_arguments(self) -> list[str]: ...

    @abstractmethod
    def body(self, nickname: str, moves: str) -> dict[str, Any]:
        """Return the body of a submission request."""

    @abstractmethod
    def store_receipt(self, nickname: str, answer: Answer) -> int:
        """Store what the player needs from *answer*, and return the submission's number."""

    def start(self) -> None:
        """Seed the database, start both processes and wait until they answer."""
        self.client = Client(self.port)
        log = self.logs / f"{_plain(self.name)}.log"
        env = dict(self.env)
        self._seed()
        self.web = Child("web", [sys.executable, *self.web_arguments()], env, log)
        self.judge = Child("judge", [sys.executable, *self.judge_arguments()], env, log)
        for child in (self.web, self.judge):
            child.start()
        wait_until(f"{self.name}: web", self._listens)
        wait_until(f"{self.name}: judge", lambda: "ready." in last_lines(log, 200))
        self._rows = _connect(self.database)

    def stop(self) -> None:
        self._rows.close()
        stop_children([self.web, self.judge])

    def pause_judges(self) -> None:
        self._signal(signal.SIGSTOP)

    def resume_judges(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        for judge in (self.judge, *self.more_judges):
            os.killpg(pid(judge), number)

    @contextmanager
    def second_judge(self) -> Iterator[None]:
        """Run a second worker."""
        arguments = [argument.replace("judge@", "second@") for argument in self.judge_arguments()]
        log = self.logs / "second.log"
        judge = Child("second judge", [sys.executable, *arguments], dict(self.env), log)
        judge.start()
        self.more_judges.append(judge)
        try:
            wait_until("second judge", lambda: "ready." in last_lines(log, 200))
            yield
        finally:
            self.more_judges.remove(judge)
            stop_children([judge])

    def fill_queue(self, count: int) -> None:
        """Queue *count* submissions, as if they had been sent."""
        self._seed(str(count))

    def _seed(self, *arguments: str) -> None:
        log = self.logs / "seeding.log"
        command = [sys.executable, "-m", "bench.site.filling.seeding", *arguments]
        if wait_for_exit(Child("seeding", command, dict(self.env), log), limit=300):
            raise Problem(f"{self.name}: nothing to measure on\n{last_lines(log)}")

    def has_waiting(self) -> bool:
        """Return True if a row waits. It stops at the first one: counting all every 50 ms would slow the site."""
        return bool(self.ask(f"SELECT EXISTS ({self.waiting})")[0])

    def is_judged(self, number: int) -> bool:
        return self.ask(self.judged % number) is not None

    def ask(self, sql: str) -> Any:
        return self._rows.execute(sql).fetchone()

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


class Ours(Site):
    """Leitai with everything on: quotas, unique texts, claims, security middleware."""

    submissions = "/api/v1/submissions/"
    board = "/api/v1/rounds/1/main/standings/"
    waiting = "SELECT 1 FROM contest_submission WHERE state IN ('queued', 'running')"
    judged = "SELECT 1 FROM contest_submission WHERE number = %d AND state = 'judged'"

    def web_arguments(self) -> list[str]:
        return web_command(Address("127.0.0.1", self.port))

    def judge_arguments(self) -> list[str]:
        return judge_command()

    def body(self, nickname: str, moves: str) -> dict[str, Any]:
        return {"nickname": nickname, "moves": moves, "claim": self.claims.get(nickname, "")}

    def store_receipt(self, nickname: str, answer: Answer) -> int:
        receipt = answer.json()
        if claim := receipt.get("claim"):
            self.claims[nickname] = claim
        return int(receipt["number"])

    def start(self) -> None:
        self.claims: dict[str, str] = {}
        super().start()


class Shut(Ours):
    """Leitai with low rate limits."""


class WithoutFront(Ours):
    """Leitai before the front server was added: a request occupies one of 32 threads from its first byte on."""

    def web_arguments(self) -> list[str]:
        where = ["--host", "127.0.0.1", "--port", str(self.port), "--blocking-threads", "32"]
        return ["-m", "granian", "--interface", "wsgi", *where, "contest.wsgi:application"]


class Textbook(Site):
    submissions = "/submissions/"
    board = "/levels/1/leaderboard/"
    waiting = "SELECT 1 FROM textbook_submission WHERE status = 'queued'"
    judged = "SELECT 1 FROM textbook_submission WHERE id = %d AND status = 'judged'"

    def web_arguments(self) -> list[str]:
        where = ["--host", "127.0.0.1", "--port", str(self.port)]
        return ["-m", "granian", "--interface", "wsgi", *where, "bench.textbook.wsgi:application"]

    def judge_arguments(self) -> list[str]:
        return TUNED_WORKER if self.env["TEXTBOOK_TUNED"] == "1" else PLAIN_WORKER

    def body(self, nickname: str, moves: str) -> dict[str, Any]:
        return {"level": 1, "nickname": nickname, "text": moves}

    def store_receipt(self, nickname: str, answer: Answer) -> int:  # noqa: ARG002 - the textbook site has no claims
        return int(answer.json()["id"])


def ours(services: Services, name: str = "ours", kind: type[Ours] = Ours, **settings: str) -> Ours:
    """Return our site on PostgreSQL; *settings* are additional environment variables."""
    services.create_database(_plain(name))
    site = _ours(name, services, services.database_url(_plain(name)), services.conninfo(_plain(name)), kind)
    site.env = {**site.env, **settings}
    return site


def sqlite_site(services: Services, kind: type[Ours] = Ours) -> Ours:
    """Return the one-box default: SQLite instead of PostgreSQL."""
    file = services.folder / f"{kind.__name__}.sqlite3"
    name = "ours, embedded" if kind is Ours else kind.__name__
    return _ours(name, services, f"sqlite:///{file}", str(file), kind)


def _ours(name: str, services: Services, url: str, database: str, kind: type[Ours] = Ours) -> Ours:
    env = services.environment(_plain(name)) | {"DATABASE_URL": url, "EMBEDDED": "1", "TRUSTED_PROXIES": "127.0.0.1/32"}
    return kind(name, env | {"DJANGO_SETTINGS_MODULE": "contest.settings"}, database, services.folder)


def textbook(services: Services, *, tuned: bool = False, batched: bool = False) -> Textbook:
    name = f"textbook, {'batched' if batched else 'tuned' if tuned else 'as shipped'}"
    services.create_database(_plain(name))
    env = services.environment(_plain(name)) | {"DATABASE_URL": services.database_url(_plain(name))}
    env |= {"DJANGO_SETTINGS_MODULE": "bench.textbook.settings", "TEXTBOOK_TUNED": str(int(tuned or batched))}
    env |= {"TEXTBOOK_BATCHED": str(int(batched))}
    env |= {"BROKER_URL": f"redis+socket://{env['REDIS_URL'].removeprefix('unix://')}?virtual_host=0"}
    return Textbook(name, env, services.conninfo(_plain(name)), services.folder)


def _plain(name: str) -> str:
    return name.replace(",", "").replace(" ", "_")


def pid(child: Child) -> int:
    assert child.process
    return child.process.pid


def _connect(database: str) -> Any:
    if "=" in database:
        return psycopg.connect(database, autocommit=True)
    return sqlite3.connect(database, isolation_level=None)
