"""A small separate disk for a site, which can be full: a tmpfs, if we may mount one."""

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
        self.is_own = self._mount("-t", "tmpfs", "-o", f"size={MEGABYTES}m,mode=711", "tmpfs")

    def close(self) -> None:
        if self.is_own:
            subprocess.run(["umount", "--lazy", self.folder], check=False)

    def _mount(self, *arguments: str) -> bool:
        if os.geteuid() != 0 or not shutil.which("mount"):
            return False
        return subprocess.run(["mount", *arguments, self.folder], check=False, capture_output=True).returncode == 0

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
