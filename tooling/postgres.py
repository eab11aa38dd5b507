"""A private PostgreSQL server for the tests, on a Unix socket."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
from collections.abc import Iterable
from pathlib import Path

from tooling.environment import plain_environment
from tooling.processes import Child, answers, stop_children, wait_for, wait_for_exit
from tooling.terminal import Problem, cause


def postgres_programs() -> Path | None:
    """Return the folder of the newest PostgreSQL server on this machine."""
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    folders.sort(key=lambda folder: float(folder.parent.name))
    if on_path := shutil.which("postgres"):
        folders.append(Path(on_path).resolve().parent)
    whole = [folder for folder in folders if all((folder / name).exists() for name in ("initdb", "createdb"))]
    return whole[-1] if whole else None


def hand_over(folder: Path) -> list[str]:
    """Give *folder* to a user that PostgreSQL can run as; return a command prefix that switches to that user."""
    if os.geteuid() != 0:
        return []
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            user = pwd.getpwnam(name)
            os.chown(folder, user.pw_uid, user.pw_gid)
            return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", "--"]
    raise Problem("PostgreSQL does not run as root, and there is no user postgres or nobody")


# Settings for databases that may be lost in a power cut.
FORGETFUL = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "shared_buffers=64MB",
    "max_connections=300",
)


def started_postgres(scratch: Path, stack: contextlib.ExitStack, settings: Iterable[str] = FORGETFUL) -> str:
    """Start a PostgreSQL that listens only on a socket in *scratch*, and return the URL of its database."""
    programs = postgres_programs()
    if programs is None:
        raise Problem("no PostgreSQL (apt-get install postgresql)")
    folder = scratch / "postgres"
    folder.mkdir(mode=0o700)
    user, cluster, log, env = hand_over(folder), str(folder / "data"), scratch / "postgres.log", plain_environment()
    initdb = [str(programs / "initdb"), "-A", "trust", "-U", "leitai", "-E", "UTF8", "--locale=C.UTF-8", "-N"]
    if wait_for_exit(Child("initdb", [*initdb, "-D", cluster], env, log, Path("/"), as_user=user), limit=120):
        raise Problem(f"initdb failed: {cause(log.read_text(errors='replace'))}")
    options = [word for setting in ("listen_addresses=", *settings) for word in ("-c", setting)]
    server = [str(programs / "postgres"), "-D", cluster, "-k", str(folder), *options]
    # INT is PostgreSQL's fast shutdown; TERM would wait for connections to close.
    child = Child("postgres", server, env, log, Path("/"), signal.SIGINT, user)
    stack.callback(stop_children, [child])
    child.start()
    createdb = [str(programs / "createdb"), "-h", str(folder), "-U", "leitai", "leitai"]
    wait_for("PostgreSQL", child, lambda: answers(createdb), limit=30)
    return f"postgres://leitai@/leitai?host={folder}&port=5432"
