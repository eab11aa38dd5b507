"""The Python environment in .venv: exactly what a lock file lists, installed once."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tooling.apt import apt_install
from tooling.folders import ROOT, writable
from tooling.processes import TIMED_OUT, Child, answers, lock_folder, wait_for_exit
from tooling.terminal import Problem, cause, print_line

VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / ".installed"
COMPILED = VENV / ".searches"
SET_UP_LOG = VENV / "set-up.log"
SOLVE = ROOT / "requirements" / "solve.txt"
DEV = ROOT / "requirements" / "dev.txt"
UV = ROOT / "requirements" / "uv.txt"
# Locks that contain every package of a lock: after `test`, `run` has nothing to install.
SATISFIED_BY = {SOLVE: (SOLVE, DEV), DEV: (DEV,)}
ROOM_TO_INSTALL = 800_000_000
CONTRACT = ("SECRET_KEY", "DATABASE_URL", "REDIS_URL", "DATA_DIR", "ALLOWED_HOSTS", "SITE_URL", "EMBEDDED", "DEBUG")


def plain_environment() -> dict[str, str]:
    """Return our environment variables for a child process, with a writable HOME."""
    env = dict(os.environ)
    env.pop("PYTHONHOME", None)
    if not os.access(Path.home(), os.W_OK | os.X_OK):
        env["HOME"] = str(VENV)
        env["UV_NO_CACHE"] = "1"
    return env


def stamp_of(lock: Path, python_version: str) -> str:
    """Return one line that identifies the installation: name and digest of the lock, and the Python version."""
    return f"{lock.name} {hashlib.sha256(lock.read_bytes()).hexdigest()} {python_version}"


def is_installed(lock: Path, stamped: str, python_version: str) -> bool:
    """Return whether an environment stamped with *stamped* holds everything in *lock*."""
    return stamped.strip() in {stamp_of(enough, python_version) for enough in SATISFIED_BY[lock]}


def venv_version() -> str | None:
    """Return the environment's Python version such as "3.11", or None if there is no working environment."""
    script = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([PYTHON, "-c", script], capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def prepare(lock: Path, *, compile_searches: bool = True) -> None:
    """Install what *lock* lists into the environment, unless it is already installed for the Python that runs us.

    Compile the searches too, or the first request would wait for them; `dev.py test` does it in a suite.
    """
    own_version = "%d.%d" % sys.version_info[:2]
    with lock_folder(ROOT):
        version = venv_version()
        stamped = STAMP.read_text() if STAMP.is_file() else ""
        if version != own_version or not is_installed(lock, stamped, version):
            fill(lock, own_version, is_new=version != own_version)
        if compile_searches and not COMPILED.exists():
            print_line("Compiling the searches; this takes a minute or so ...")
            with contextlib.suppress(Problem):
                set_up("compile the searches", [str(PYTHON), "-m", "solvers.sokoban", "warm"])
            COMPILED.touch()


def fill(lock: Path, version: str, *, is_new: bool) -> None:
    """Install what *lock* lists into an environment of this Python *version*, created first if it *is_new*."""
    if shutil.disk_usage(ROOT).free < ROOM_TO_INSTALL:
        raise Problem(f"The environment needs about 800 MB in {ROOT}, and the disk has less than that free.")
    if is_new or not installers():
        create_venv()
    for stamp in (STAMP, COMPILED):
        stamp.unlink(missing_ok=True)
    install(lock)
    STAMP.write_text(stamp_of(lock, version))


def create_venv() -> None:
    """Create .venv, also on Debian or Ubuntu without the python3-venv package."""
    writable(VENV)
    command = [sys.executable, "-m", "venv", "--clear", str(VENV)]
    if not has_ensurepip() and not outside_installers():
        package = "python%d.%d-venv" % sys.version_info[:2]
        if not apt_install([package]) or not has_ensurepip():
            raise Problem(f"This Python cannot create an environment with pip. Try: sudo apt-get install {package}")
    if not has_ensurepip():
        command.append("--without-pip")
    print_line("Creating the Python environment in .venv ...")
    with tempfile.NamedTemporaryFile(suffix=".log") as log:
        set_up("create .venv", command, Path(log.name), limit=180)


def has_ensurepip() -> bool:
    """Check in a new process for ensurepip and venv: apt may just have installed them."""
    return answers([sys.executable, "-c", "import ensurepip, venv"])


def outside_installers() -> list[list[str]]:
    """Return the installers of this machine that can fill an environment without pip."""
    uv = shutil.which("uv")
    commands = [[uv, "pip", "install", "--python", str(PYTHON)]] if uv else []
    pip = [sys.executable, "-m", "pip", "--python", sys.executable]
    if answers([*pip, "--version"]):
        commands.append([sys.executable, "-m", "pip", "--python", str(PYTHON), "install"])
    return commands


def installers() -> list[list[str]]:
    """Return the commands that can install into .venv, its own pip first."""
    own = [[str(PYTHON), "-m", "pip", "install"]] if answers([str(PYTHON), "-m", "pip", "--version"]) else []
    return own + outside_installers()


def install(lock: Path) -> None:
    """Install exactly what *lock* lists with uv, or with pip if uv fails. Hashes are checked, nothing is resolved."""
    print_line("Installing the locked packages; the first time this takes a minute or so ...")
    uv = VENV / "bin" / "uv"
    SET_UP_LOG.write_bytes(b"")
    for installer in installers():
        with contextlib.suppress(Problem):
            if not uv.exists():
                set_up("fetch uv", [*installer, "--require-hashes", "-r", str(UV)], limit=300)
            command = [str(uv), "pip", "sync", "--python", str(PYTHON), "--require-hashes", str(lock)]
            # If Python may not write bytecode, every process would compile the packages again.
            set_up("install", [*command, *(["--compile-bytecode"] if sys.dont_write_bytecode else [])])
            return
        if installer[1:3] == ["-m", "pip"]:
            set_up("install", [*installer, "--require-hashes", "-r", str(lock)])
            return
    raise Problem(f"Could not install the packages: {cause(SET_UP_LOG.read_text(errors='replace'))}")


def set_up(task: str, command: list[str], log: Path = SET_UP_LOG, limit: float = 1_200) -> None:
    """Run one step of the set-up; raise Problem with the cause if it fails."""
    code = wait_for_exit(Child(task, command, plain_environment(), log), limit=limit, title="  ")
    if code == TIMED_OUT:
        raise Problem(f"Could not {task}: not finished after {limit / 60:.0f} minutes.")
    if code:
        raise Problem(f"Could not {task}: {cause(log.read_text(errors='replace'))}")
