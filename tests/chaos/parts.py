import contextlib
import os
import signal
from dataclasses import dataclass
from pathlib import Path

from tooling.environment import plain_environment
from tooling.postgres import hand_over, postgres_programs
from tooling.processes import Child, wait_for_exit


@dataclass
class Part:
    """A process that is restarted whenever it ends, as by an init system, unless it is held down."""

    child: Child
    is_held_down: bool = False

    @property
    def pid(self) -> int:
        assert self.child.process
        return self.child.process.pid

    def is_running(self) -> bool:
        return self.child.exit_code() is None and self.child.process is not None

    def signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, number)


def postgres_child(scratch: Path, log: Path) -> tuple[Child, str]:
    """Return a PostgreSQL with a new cluster, as durable as one in production, and its URL."""
    programs = postgres_programs()
    assert programs, "no PostgreSQL"
    folder = scratch / "postgres"
    folder.mkdir(mode=0o700)
    user, cluster, env = hand_over(folder), str(folder / "data"), plain_environment()
    initdb = [str(programs / "initdb"), "-A", "trust", "-U", "leitai", "-E", "UTF8", "--locale=C.UTF-8", "-N"]
    making = Child("initdb", [*initdb, "-D", cluster], env, log, Path("/"), as_user=user)
    assert not wait_for_exit(making, limit=400), log.read_text(errors="replace")
    # On a small separate disk.
    settings = "listen_addresses= shared_buffers=64MB max_wal_size=64MB min_wal_size=32MB max_connections=80"
    options = [word for setting in settings.split() for word in ("-c", setting)]
    server = [str(programs / "postgres"), "-D", cluster, "-k", str(folder), *options]
    child = Child("postgres", server, env, log, Path("/"), signal.SIGINT, user)
    return child, f"postgres://leitai@/postgres?host={folder}&port=5432"
