"""`dev.py run` and `dev.py manage`: the whole site on this machine."""

from __future__ import annotations

import contextlib
import errno
import http.client
import os
import secrets
import shutil
import socket
import time
import urllib.parse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tooling.apt import apt_install
from tooling.environment import CONTRACT, PYTHON, SOLVE, plain_environment, prepare
from tooling.folders import PRIVATE, ROOT, data_folder, socket_folder, writable
from tooling.processes import Child, describe_exit, lock_folder, stop_children, wait_for, wait_for_exit
from tooling.redis import find_redis_server, redis_child, start_redis
from tooling.terminal import Interrupted, Problem, cause, last_lines, pause, print_line


@dataclass(frozen=True)
class Address:
    host: str
    port: int

    def __str__(self) -> str:
        return f"{format_host(self.reachable())}:{self.port}"

    def reachable(self) -> str:
        """Return a host that a browser on this machine can open: a wildcard address is not one."""
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)

    def for_browsers(self) -> str:
        """Return the address by name where it is this machine: browsers have no passkeys for addresses of digits."""
        is_local = self.reachable() in ("127.0.0.1", "::1")
        return f"localhost:{self.port}" if is_local else str(self)


def format_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def listening_address(env: Mapping[str, str]) -> Address:
    """Read HOST and PORT from the environment."""
    port = env.get("PORT") or "8000"
    if not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65535):
        raise Problem(f"PORT={port} is not a port; it must be a number from 1 to 65535.")
    return Address(env.get("HOST") or "127.0.0.1", int(port))


def check_port(address: Address) -> None:
    """Raise Problem if the site cannot listen on *address*, before any process is started."""
    try:
        addresses = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, socket_address = addresses[0]
        with socket.socket(family, kind, protocol) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(socket_address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            hint = f"Choose another: PORT={address.port + 1} python3 dev.py run"
            raise Problem(f"Port {address.port} on {address.host} is in use. {hint}") from None
        why = error.strerror or error
        raise Problem(f"Cannot listen on {format_host(address.host)}:{address.port}: {why}.") from None


def own_names(address: Address) -> list[str]:
    """Return the default of ALLOWED_HOSTS: the names of this machine."""
    names = ["localhost", "127.0.0.1", "[::1]"]
    if address.host in ("localhost", "::1") or address.host.startswith("127."):
        return [*names, format_host(address.host)]
    names.append(socket.gethostname())
    if address.reachable() == address.host:
        return [*names, format_host(address.host)]
    # Listening on every address. Connecting a datagram socket reveals the outgoing address without sending anything.
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        names.append(probe.getsockname()[0])
    return names


def secret_key(data: Path) -> str:
    """Return the site's secret key; create it once, readable only by its owner."""
    path = data / "secret_key"
    if not path.exists():
        temporary = path.with_suffix(".new")
        temporary.unlink(missing_ok=True)
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
        temporary.replace(path)
    return path.read_text().strip()


def site_environment(data: Path, address: Address, redis_url: str) -> dict[str, str]:
    """Return the settings of the whole site on one machine. Variables that are already set take precedence."""
    defaults = {
        "DATABASE_URL": f"sqlite:///{urllib.parse.quote(str(data / 'db.sqlite3'))}",
        "REDIS_URL": redis_url,
        "ALLOWED_HOSTS": ",".join(dict.fromkeys(own_names(address))),
        "SITE_URL": f"http://{address.for_browsers()}",
        "EMBEDDED": "1",
    }
    env = defaults | {name: value for name, value in plain_environment().items() if value or name not in CONTRACT}
    env.pop("DEBUG", None)
    env["DATA_DIR"] = str(data)
    if not env.get("SECRET_KEY"):
        env["SECRET_KEY"] = secret_key(data)
    return env


def web_command(address: Address) -> list[str]:
    options = ["--host", address.host, "--port", str(address.port)]
    return ["-m", "contest.front", *options, "contest.wsgi:application"]


def worker_command(queue: str, pool: str, processes: int = 1) -> list[str]:
    """Return the command of a Celery worker named after its queue."""
    options = ["-P", pool, "-c", str(processes), "--without-gossip", "--without-mingle"]
    return ["-m", "celery", "-A", "contest", "worker", "-l", "info", "-Q", queue, *options, "-n", f"{queue}@%h"]


def judge_command() -> list[str]:
    """Return the command of the judge on one machine: one process, which saves memory and has no time limits."""
    return worker_command("judge", "solo")


def solve_command() -> list[str]:
    """Return the command of the worker for long tasks; its searches run in separate processes."""
    return worker_command("solve", "solo")


def beat_command(schedule: Path) -> list[str]:
    return ["-m", "celery", "-A", "contest", "beat", "-s", str(schedule), "--pidfile="]


def site_children(data: Path, address: Address, env: dict[str, str]) -> list[Child]:
    """Return web server, workers and periodic jobs, each with its own log."""
    commands = {
        "web": web_command(address),
        "judge": judge_command(),
        "solve": solve_command(),
        "beat": beat_command(data / "celerybeat-schedule"),
    }
    return [
        Child(name, [str(PYTHON), *arguments], env, data / "logs" / f"{name}.log")
        for name, arguments in commands.items()
    ]


def run() -> int:
    """Start the whole site and keep it running until it is interrupted."""
    address = listening_address(os.environ)
    data = writable(data_folder(), PRIVATE)
    with lock_folder(data, f"Another `dev.py run` already uses {data}. Stop it, or set DATA_DIR to another folder."):
        check_port(address)
        prepare(SOLVE)
        rotate_logs(writable(data / "logs"))
        with own_redis(data) as (redis, redis_url):
            env = site_environment(data, address, redis_url)
            return serve(address, site_children(data, address, env), redis, env)


def rotate_logs(logs: Path) -> None:
    """Rename the logs of the previous run to *.log.1."""
    for log in logs.glob("*.log"):
        log.replace(log.with_suffix(".log.1"))


@contextlib.contextmanager
def own_redis(data: Path) -> Iterator[tuple[Child | None, str]]:
    """Start a Redis for the site and stop it last, or use the one that REDIS_URL names."""
    if given := os.environ.get("REDIS_URL"):
        yield None, given
        return
    if find_redis_server() is None:  # on Python 3.14 no package contains one
        apt_install(["redis-server"])
    folder = socket_folder(data)
    child, url = redis_child(folder, data / "logs" / "redis.log")
    url_file = data / "redis_url"  # so that `dev.py manage` finds it too
    try:
        url_file.write_text(url)
        start_redis(child, url)
        yield child, url
    finally:
        stop_children([child])
        url_file.unlink(missing_ok=True)
        if folder != data:
            shutil.rmtree(folder, ignore_errors=True)


def serve(address: Address, site: list[Child], redis: Child | None, env: dict[str, str]) -> int:
    """Migrate, load the demo, start the processes in *site*, and restart those that stop."""
    web, judge, solve, beat = site
    is_up = False
    try:
        print_line("Preparing the database ...")
        if message := prepare_database(env):
            print_line(message)
        web.start()
        judge.start()
        wait_for("The site", web, lambda: is_healthy(address, env), limit=90)
        with contextlib.suppress(Problem):  # a slow judge starts later; its log level may hide the message
            wait_for("The judge", judge, lambda: "ready." in last_lines(judge.log, 200), limit=20)
        solve.start()
        beat.start()
        is_up = True
        at = f"http://{address.for_browsers()}"
        print_line(f"\nLeitai is at {at}/, its desk at {at}/desk/   Ctrl-C stops it.\n")
        restart_children([*site, redis] if redis else site)
    except Interrupted:
        print_line("\nStopping ...")
        if not is_up:
            raise
    finally:
        stop_children(reversed(site))
    return 0


# `manage.py migrate` and `manage.py demo` in one process, so that a second start does not load Django twice.
MIGRATE_AND_DEMO = """
import django
from django.core.management import call_command
django.setup()
call_command("migrate", verbosity=0, interactive=False, skip_checks=False)
call_command("demo")
"""


def prepare_database(env: dict[str, str]) -> str:
    """Migrate, load the demo and return its output. The log is deleted, because a password may be in it."""
    log = Path(env["DATA_DIR"]) / "logs" / "database.log"
    command = [str(PYTHON), "-c", MIGRATE_AND_DEMO]
    # The verdicts of the demo, one line each, are of no interest to the person who starts the site.
    quiet = {"DJANGO_SETTINGS_MODULE": "contest.settings", "LOG_LEVEL": "WARNING"}
    code = wait_for_exit(Child("database", command, env | quiet, log), limit=600)
    output = log.read_text(errors="replace")
    if code:
        raise Problem(f"The database could not be prepared: {cause(output)}   (all of it: {log})")
    log.unlink()
    return output.strip()


def is_healthy(address: Address, env: Mapping[str, str]) -> bool:
    connection = http.client.HTTPConnection(address.reachable(), address.port, timeout=5)
    try:
        host = env["ALLOWED_HOSTS"].split(",")[0].lstrip(".*") or "localhost"
        connection.request("GET", "/healthz", headers={"Host": host})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def backoff(deaths: list[float], now: float) -> float | None:
    """Return the seconds to wait before a restart after *deaths* at these times; None after five in a minute: give up.

    >>> [backoff([100.0] * count, 101.0) for count in (1, 2, 3, 4, 5)]
    [0.5, 1.0, 2.0, 4.0, None]
    >>> backoff([0.0] * 9 + [100.0], 101.0)
    0.5
    """
    recent = sum(now - death < 60 for death in deaths)
    return 0.5 * 2 ** (recent - 1) if recent < 5 else None


MOST_LOG = 20_000_000


def rotate_log(log: Path, most: int = MOST_LOG) -> None:
    """Rotate a log that has grown beyond *most* bytes: copy it to *.log.1, then truncate it; its process writes on.

    A line written between the two steps is lost, which is better than a full disk.
    """
    if log.is_file() and log.stat().st_size > most:
        shutil.copyfile(log, log.with_suffix(".log.1"))
        os.truncate(log, 0)


def restart_children(children: list[Child]) -> None:
    """Restart every child that stops, until we are interrupted; raise Problem if a child keeps stopping."""
    deaths: dict[str, list[float]] = {child.name: [] for child in children}
    start_at: dict[str, float] = {}
    while True:
        pause(0.2)
        now = time.monotonic()
        for child in children:
            if child.log:
                rotate_log(child.log)
            if child.name in start_at:
                if now >= start_at[child.name]:
                    del start_at[child.name]
                    child.start()
            elif (code := child.exit_code()) is not None:
                child.end(0)  # kill its remaining children, which may hold the port
                deaths[child.name].append(now)
                wait = backoff(deaths[child.name], now)
                if wait is None:
                    raise Problem(f"{child.name} keeps stopping. The end of {child.log}:\n{last_lines(child.log)}")
                ending = f"{child.name} stopped ({describe_exit(code)})"
                print_line(f"{ending}; starting it again in {wait:g} s. Its log: {child.log}")
                start_at[child.name] = now + wait


def manage(arguments: list[str]) -> int:
    """Replace this process by manage.py, with the environment of `run`.

    Raise Problem if there is no site: a command would begin an empty one, where perhaps another folder was meant.
    """
    data = data_folder()
    if not (data.is_dir() or os.environ.get("DATABASE_URL") or arguments[:1] in (["migrate"], ["restore"])):
        how = "Start it with `python3 dev.py run`, or set DATA_DIR as for your site."
        raise Problem(f"There is no site in {data}. {how}")
    writable(data, PRIVATE)
    prepare(SOLVE)
    url_file = data / "redis_url"
    redis_url = url_file.read_text() if url_file.is_file() else f"unix://{socket_folder(data) / 'redis.sock'}"
    env = site_environment(data, listening_address(os.environ), redis_url)
    os.chdir(ROOT)
    os.execve(PYTHON, [str(PYTHON), "manage.py", *arguments], env)
