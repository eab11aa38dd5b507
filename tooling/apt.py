"""Installation of Debian packages, if this machine allows it."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from tooling.processes import Child, answers, follow
from tooling.terminal import cause, say


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
    say(f"Installing Debian packages: {' '.join(packages)} ...")
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "DPkg::Lock::Timeout=120"]
    install_them = [*apt, "install", "-y", "--no-install-recommends", *packages]
    with tempfile.NamedTemporaryFile(suffix=".log") as log:

        def run_apt(command: list[str]) -> bool:
            return follow(Child("apt", command, dict(os.environ), Path(log.name)), limit=900, title="  ") == 0

        # Outdated lists name files that the mirror no longer has. Update them first; continue if that fails.
        run_apt([*apt, "update"])
        done = run_apt(install_them)
        if not done:
            say(f"  apt-get could not: {cause(log.read().decode(errors='replace'))}")
        return done
