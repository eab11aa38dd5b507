"""Installation of Debian packages, if this machine allows it."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from tooling.processes import Child, answers, wait_for_exit
from tooling.terminal import cause, print_line


def apt_prefix() -> list[str] | None:
    """Return the command prefix for apt-get, or None if packages cannot be installed."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if answers(["sudo", "-n", "true"]) else None


def apt_install(packages: list[str]) -> bool:
    """Install Debian packages in one call, as root or with passwordless sudo. Return whether that worked."""
    prefix = apt_prefix()
    if prefix is None or not packages:
        return not packages
    print_line(f"Installing Debian packages: {' '.join(packages)} ...")
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "DPkg::Lock::Timeout=120"]
    install_command = [*apt, "install", "-y", "--no-install-recommends", *packages]
    with tempfile.NamedTemporaryFile(suffix=".log") as log:

        def run_apt(command: list[str]) -> bool:
            return wait_for_exit(Child("apt", command, dict(os.environ), Path(log.name)), limit=900, title="  ") == 0

        # Outdated lists name files that the mirror no longer has. Update them first; continue if that fails.
        run_apt([*apt, "update"])
        done = run_apt(install_command)
        if not done:
            print_line(f"  apt-get could not: {cause(log.read().decode(errors='replace'))}")
        return done
