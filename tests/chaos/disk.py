"""A small separate disk for a site, which can be full or read-only: a tmpfs, if we may mount one."""

import contextlib
import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

MEGABYTES = 512
LACKING = "only root may mount a disk that can be full, and not in every container"


class Disk:
    """A folder; a separate disk if `is_own`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o711)
        self.folder = folder
        self._mounts = 0
        self.is_own = self._mount("-t", "tmpfs", "-o", f"size={MEGABYTES}m,mode=711", "tmpfs")

    def close(self) -> None:
        for _ in range(self._mounts):
            subprocess.run(["umount", "--lazy", self.folder], check=False)
        self._mounts = 0

    def _mount(self, *arguments: str) -> bool:
        if os.geteuid() != 0 or not shutil.which("mount"):
            return False
        done = subprocess.run(["mount", *arguments, self.folder], check=False, capture_output=True).returncode == 0
        self._mounts += done
        return done

    @contextlib.contextmanager
    def full(self) -> Iterator[None]:
        """Fill the disk to the last byte while the block runs."""
        ballast = self.folder / "ballast"
        try:
            with ballast.open("wb", buffering=0) as file:
                self._fill(file.fileno())
            yield
        finally:
            ballast.unlink()

    @staticmethod
    def _fill(file: int) -> None:
        size = 1 << 20
        while size:
            try:
                os.write(file, bytes(size))
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
                size >>= 1

    @contextlib.contextmanager
    def read_only(self) -> Iterator[None]:
        """Make the disk read-only for new openers while the block runs; files that are already open stay writable."""
        # Made read-only at an unused path and then mounted over the folder: a mount in use cannot be made read-only.
        aside = self.folder.with_name(f"{self.folder.name}-closed")
        aside.mkdir(exist_ok=True)
        subprocess.run(["mount", "--bind", self.folder, aside], check=True)
        subprocess.run(["mount", "-o", "remount,bind,ro", aside], check=True)
        assert self._mount("--bind", str(aside))
        subprocess.run(["umount", aside], check=True)
        try:
            yield
        finally:
            # And not unmounted: files opened meanwhile stay open read-only, and their holders must reopen them.
            subprocess.run(["mount", "-o", "remount,bind,rw", self.folder], check=True)
