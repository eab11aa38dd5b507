"""A whole private site: real processes in their own folder, killed, paused and restarted by their ids."""

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.site.services import family
from tests import migrated
from tests.chaos import oracle
from tests.chaos.disk import Disk
from tests.chaos.parts import Part, postgres_child
from tests.chaos.senders import LEVELS, PATIENCE, RESPONSE_TIMEOUT
from tooling.environment import CONTRACT, plain_environment
from tooling.folders import private_folder
from tooling.processes import Child, stop_children, wait_for_exit
from tooling.redis import redis_child
from tooling.site import Address, beat_command, web_command, worker_command
from tooling.terminal import last_lines


class Site:
    """Web server, judges, beats, Redis and the database, with the senders' addresses and the disturbances."""

    def __init__(self, folder: Path, *, postgres: bool, pools: Sequence[str], beats: int, lease: float) -> None:
        self.folder = folder
        self.lease = lease
        # Bound without listening: this reserves the port while the web server is down.
        self.place = socket.socket()
        self.place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.place.bind(("127.0.0.1", 0))
        self.port: int = self.place.getsockname()[1]
        self.lock = threading.RLock()
        self.is_over = threading.Event()
        self.parts: dict[str, Part] = {}
        self.orders = folder / "orders"
        self.orders.mkdir()
        self.disk = Disk(folder / "disk")
        self.data = self.disk.folder / "data"
        self.data.mkdir(mode=0o700)
        redis, redis_url = redis_child(folder, folder / "redis.log")
        self.redis_socket = redis_url.removeprefix("unix://")
        self.database = str(self.data / "db.sqlite3")
        database_url = f"sqlite:///{self.database}"
        self._add(redis)
        if postgres:
            child, database_url = postgres_child(self.disk.folder, folder / "postgres.log")
            self.database = database_url
            self._add(child)
        self.env = self._environment(database_url, redis_url)
        address = Address("127.0.0.1", self.port)
        self._add(self._python("web", web_command(address)))
        for number, pool in enumerate(pools):
            arguments = [
                f"judge{number}@%h" if word == "judge@%h" else word for word in worker_command("judge", pool, 2)
            ]
            self._add(self._python(f"judge {number}", arguments))
        for number in range(beats):
            self._add(self._python(f"beat {number}", beat_command(folder / f"schedule-{number}")))

    def _environment(self, database_url: str, redis_url: str) -> dict[str, str]:
        env = {name: value for name, value in plain_environment().items() if name not in CONTRACT}
        return env | {
            "DJANGO_SETTINGS_MODULE": "tests.chaos.settings",
            "CHAOS_FOLDER": str(self.orders),
            "DATA_DIR": str(self.data),
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "SECRET_KEY": secrets.token_urlsafe(50),
            "EMBEDDED": "1",
            "JUDGE_LEASE_SECONDS": str(self.lease),
            "LOG_LEVEL": "WARNING",
        }

    def _add(self, child: Child) -> None:
        self.parts[child.name] = Part(child)

    def _python(self, name: str, arguments: list[str], **more: str) -> Child:
        """Return a part started by the site's own command, with the sabotage installed."""
        swap = {"contest": "tests.chaos.worker", "contest.wsgi:application": "tests.chaos.wsgi:application"}
        command = [sys.executable, *(swap.get(word, word) for word in arguments)]
        env = self.env | {"CHAOS_PART": name} | more
        return Child(name, command, env, self.folder / f"{name.replace(' ', '-')}.log")

    # Up and down

    def start(self, cached_tables: Path | None = None) -> None:
        for name in ("redis", "postgres"):
            if name in self.parts:
                self.parts[name].child.start()
        self.wait_until("the database and Redis answer", self._services_answer)
        if cached_tables and "postgres" not in self.parts:
            self._copy_tables(cached_tables)
        self._run("prepare", "-m", "tests.chaos.prepare")
        for part in self.parts.values():
            if part.child.process is None:
                part.child.start()
        self.watcher = threading.Thread(target=self._watch, daemon=True)
        self.watcher.start()
        self.wait_until("the site answers", self.is_up)

    def _copy_tables(self, folder: Path) -> None:
        """Restore the tables that a test run on SQLite has cached in *folder*, or create and cache them."""
        with migrated.begin(folder, f"file:{self.database}") as keep:
            if not migrated.kept_in(folder).exists():
                self._run("migrate", "manage.py", "migrate")
            keep()

    def _run(self, name: str, *arguments: str) -> None:
        # Unlike a judge, this process may stay idle in a transaction for longer than a short lease.
        child = self._python(name, [*arguments], JUDGE_LEASE_SECONDS="60")
        if wait_for_exit(child, limit=PATIENCE):
            raise AssertionError(f"{name}:\n{last_lines(child.log)}")

    def stop(self) -> None:
        self.is_over.set()
        with contextlib.suppress(AttributeError):
            self.watcher.join()
        for part in self.parts.values():
            if part.is_running():
                part.signal(signal.SIGCONT)
        stop_children([part.child for part in reversed(self.parts.values()) if part.child.process], patience=15)
        self.place.close()

    def _watch(self) -> None:
        while not self.is_over.wait(0.1):
            with self.lock:
                for part in self.parts.values():
                    if not part.is_held_down and not part.is_running():
                        self._start_again(part)

    def _start_again(self, part: Part) -> None:
        part.child.end(0)
        for mark in self.orders.glob(f"* {part.child.name}"):
            mark.unlink()
        part.child.start()
        part.is_held_down = False

    def judges(self) -> list[str]:
        return [name for name in self.parts if name.startswith("judge")]

    # Disturbances

    def kill(self, name: str, by: signal.Signals = signal.SIGKILL) -> None:
        with self.down(name, by):
            pass

    @contextlib.contextmanager
    def down(self, name: str, by: signal.Signals = signal.SIGKILL) -> Iterator[None]:
        part = self.parts[name]
        with self.lock:
            part.is_held_down = True
            part.signal(signal.SIGCONT)
            part.signal(by)
        part.child.process.wait(PATIENCE)
        try:
            yield
        finally:
            with self.lock:
                self._start_again(part)

    def kill_all(self, names: Collection[str]) -> None:
        """Kill every process of these parts at the same moment, as a power cut does, and restart all."""
        killed = [self.parts[name] for name in names]
        with self.lock:
            for part in killed:
                part.is_held_down = True
            for pid in [pid for part in killed for pid in family(part.pid)]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        for part in killed:
            part.child.process.wait(PATIENCE)
        with self.lock:
            for part in killed:
                self._start_again(part)

    def change_environment(self, *names: str, **env: str) -> None:
        for name in names:
            self.parts[name].child.env = self.parts[name].child.env | env
        self.kill_all(names)

    def order(self, name: str) -> None:
        (self.orders / name).touch()

    def carry_out(self, name: str) -> None:
        self.order(name)
        self.wait_until(f"a part carries out: {name}", lambda: self.is_done(name))

    def is_done(self, order: str) -> bool:
        return not (self.orders / order).exists()

    def is_marked(self, mark: str, name: str) -> bool:
        """Return whether this part, since its last start, is "open" for work, has been "at work", or is "stalled"."""
        return (self.orders / f"{mark} {name}").exists()

    @contextlib.contextmanager
    def stalled(self, order: str) -> Iterator[None]:
        self.order(order)
        self.wait_until(f"a part carries out: {order}", lambda: any(self.orders.glob("stalled *")))
        try:
            yield
        finally:
            for mark in self.orders.glob("stalled *"):
                mark.unlink(missing_ok=True)

    def set_clock(self, seconds: float) -> None:
        path = self.orders / "clock"
        path.with_suffix(".new").write_text(str(seconds))
        path.with_suffix(".new").replace(path)

    def redis(self, *arguments: str) -> bytes:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(RESPONSE_TIMEOUT)
            connection.connect(self.redis_socket)
            connection.sendall(" ".join(arguments).encode() + b"\r\n")
            return connection.recv(4096)

    # Queries

    def wait_until(self, condition: str, is_so: Callable[[], bool]) -> None:
        """Wait until *is_so*; fail with the message that *condition* did not come true."""
        until = time.monotonic() + PATIENCE
        while not is_so():
            if time.monotonic() > until:
                logs = "".join(f"\n{name}:\n{last_lines(part.child.log)}" for name, part in self.parts.items())
                raise AssertionError(f"after {PATIENCE:.0f} s it is not so that {condition}{logs}")
            time.sleep(0.05)

    def wait_until_judged(self, condition: str, numbers: Collection[int]) -> None:
        self.wait_until(condition, lambda: not any(row["number"] in numbers for row in self.waiting()))

    def _services_answer(self) -> bool:
        try:
            self.redis("PING")
            return "postgres" not in self.parts or bool(oracle.read(self.database, "SELECT 1"))
        except Exception:  # each client library raises its own error for a missing server
            return False

    def is_up(self) -> bool:
        if not self._services_answer():
            return False
        try:
            return self.get("/api/v1/rounds/1/") is not None
        except OSError:
            return False

    def is_all_up(self) -> bool:
        return self.is_up() and all(self.is_marked("open", name) for name in self.judges())

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=RESPONSE_TIMEOUT) as answer:
            body: bytes = answer.read()
            return body

    def readiness(self) -> dict[str, bool]:
        """Return the state of each part as reported to the operator; empty if there is no response."""
        try:
            text = self.get("/readyz")
        except urllib.error.HTTPError as error:
            text = error.read()
        except OSError:
            return {}
        parts: dict[str, dict[str, Any]] = json.loads(text).get("parts", {})
        return {name: bool(part["ready"]) for name, part in parts.items()}

    def waiting(self) -> oracle.Rows:
        return oracle.read(
            self.database,
            "SELECT number, state, attempts, lease_until FROM contest_submission WHERE state IN ('queued', 'running')",
        )

    def unbound(self) -> oracle.Rows:
        return oracle.read(
            self.database,
            "SELECT number FROM contest_submission WHERE number NOT IN (SELECT submission_id FROM contest_chainlink "
            "WHERE submission_id IS NOT NULL)",
        )

    def heal(self) -> None:
        self.wait_until("every part is up", self.is_all_up)
        self.wait_until("all is judged and bound", lambda: not (self.waiting() or self.unbound()))

    def boards(self) -> dict[tuple[str, str], bytes]:
        return {
            (slot, metric): self.get(f"/api/v1/rounds/1/{slot}/standings/?by={metric}&limit=200")
            for slot in LEVELS
            for metric in ("moves", "pushes")
        }

    def wrong_boards(self) -> list[str]:
        """Return the rankings that differ from the oracle's, or change once all caches are cleared."""
        before = self.boards()
        self.redis("FLUSHALL")
        faults = [f"{place} changed with the cache" for place, shown in self.boards().items() if shown != before[place]]
        for (slot, metric), shown in before.items():
            document, right = json.loads(shown), oracle.board(self.database, slot, metric)
            lines = [oracle.as_line(line) for line in document["results"]]
            if (lines, document["count"]) != (right[:200], len(right)):
                faults.append(f"the ranking of {slot} by {metric} is not what the submissions give")
        return faults


@contextlib.contextmanager
def running(*, postgres: bool, cached_tables: Path | None = None, **sizes: Any) -> Iterator[Site]:
    with contextlib.ExitStack() as stack:
        folder = private_folder()
        folder.chmod(0o711)  # PostgreSQL runs as another user and has its folder inside
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        site = Site(folder, postgres=postgres, **sizes)
        stack.callback(site.disk.close)
        stack.callback(site.stop)
        site.start(cached_tables)
        yield site
