"""Private services for a bench: a durable PostgreSQL, Redis, and sites on free ports."""

import os
import secrets
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import django
import psycopg

from tooling.environment import CONTRACT, plain_environment
from tooling.folders import ROOT, private_folder
from tooling.postgres import started_postgres
from tooling.redis import started_redis
from tooling.terminal import Problem

# All other settings as in the machine's PostgreSQL, above all fsync: a receipt means durable. Six sites share the
# server, and the textbook site opens a connection per thread.
DURABLE = ("shared_buffers=256MB", "max_connections=300")


@dataclass
class Services:
    """A private PostgreSQL, and a Redis for each site; `stack` stops them."""

    folder: Path
    stack: ExitStack

    @cached_property
    def postgres_pid(self) -> int:
        """Return the PID of the parent of all backend processes."""
        return int((self.folder / "postgres" / "data" / "postmaster.pid").read_text().split()[0])

    def database_url(self, name: str) -> str:
        return f"postgres://leitai@/{name}?host={self.folder}/postgres&port=5432"

    def conninfo(self, name: str) -> str:
        return f"host={self.folder}/postgres port=5432 user=leitai dbname={name}"

    def create_database(self, name: str) -> None:
        with psycopg.connect(self.conninfo("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')

    def environment(self, site: str) -> dict[str, str]:
        """Return an environment with a private Redis for *site*, and without the developer's variables."""
        folder = self.folder / site
        (folder / "data").mkdir(parents=True)
        env = {name: value for name, value in plain_environment().items() if name not in CONTRACT}
        return env | {
            "REDIS_URL": started_redis(folder, self.stack),
            "DATA_DIR": str(folder / "data"),
            "SECRET_KEY": secrets.token_urlsafe(50),
            "OWN_LEVELS": "0",  # measured sites have only the rows that they are filled with
            "PYTHONPATH": str(ROOT),
        }

    def become(self, site: str) -> None:
        """Configure this process as *site*, with its own database and Redis."""
        self.create_database(site)
        os.environ.update(self.environment(site), DATABASE_URL=self.database_url(site), EMBEDDED="1")
        os.environ["DJANGO_SETTINGS_MODULE"] = "contest.settings"
        django.setup()


@contextmanager
def start_services() -> Iterator[Services]:
    """Start PostgreSQL in a private folder, and stop and remove everything at the end."""
    with ExitStack() as stack:
        folder = private_folder()
        folder.chmod(0o711)  # the database runs as another user and has its folder inside
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        started_postgres(folder, stack, DURABLE)
        yield Services(folder, stack)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


# Cost of processes. The kernel adds a dead child's CPU time to its parent, so the sum of a process tree is complete.

_TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(root: int) -> float:
    """Return the CPU seconds, user and system, of this process and all its children, dead ones included."""
    total = 0
    for pid in family(root):
        fields = _stat(pid)
        total += sum(map(int, fields[11:15])) if fields else 0
    return total / _TICKS


def memory_megabytes(root: int) -> float:
    """Return the memory of this process and its children; shared pages are counted once."""
    total = 0
    for pid in family(root):
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:  # the process has just ended
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def _stat(pid: int) -> list[str]:
    """Return the fields of /proc/pid/stat after the name, which may contain spaces: state, parent, ..."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def family(root: int) -> list[int]:
    """Return the process *root* and all its descendants, *root* first."""
    parents = {int(path.name): _stat(int(path.name)) for path in Path("/proc").iterdir() if path.name.isdigit()}
    found = [root]
    for parent in found:  # the list grows during the loop
        found += [pid for pid, fields in parents.items() if fields and int(fields[1]) == parent]
    return found


def wait_until(what: str, is_so: Callable[[], bool], limit: float = 90, every: float = 0.05) -> None:
    until = time.monotonic() + limit
    while not is_so():
        if time.monotonic() > until:
            raise Problem(f"{what}: not within {limit:.0f} s")
        time.sleep(every)
