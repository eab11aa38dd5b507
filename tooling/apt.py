"""Debian packages, where we may install them."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from tooling.processes import Child, answers, follow
from tooling.terminal import cause, say


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
