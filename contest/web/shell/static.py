"""Static files with bundles of scripts. Names have content hashes in production, but not on one machine."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseStorageFinder
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage, StaticFilesStorage
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage

from contest.infra.bundling import bundle

Paths = dict[str, tuple[Storage, str]]
# Entry scripts, each with the name of its bundle.
BUNDLES = {
    "contest/player/page/main.js": "contest/player/page/main.bundle.js",
    "contest/rounds/saved.js": "contest/rounds/saved.bundle.js",
    "contest/shell/ready.js": "contest/shell/ready.bundle.js",
    "contest/first-steps.js": "contest/first-steps.bundle.js",
    "contest/deadlocks.js": "contest/deadlocks.bundle.js",
    "contest/replay/main.js": "contest/replay/main.bundle.js",
    "contest/replay/embed.js": "contest/replay/embed.bundle.js",
    "contest/editor/main.js": "contest/editor/main.bundle.js",
    "contest/beat/main.js": "contest/beat/main.bundle.js",
    "contest/plain/embed.js": "contest/plain/embed.bundle.js",
    "contest/run/main.js": "contest/run/main.bundle.js",
    "contest/lab/klotski-page.js": "contest/lab/klotski-page.bundle.js",
}
_FILES = Path(__file__).parents[2] / "static"


class StaticFiles(StaticFilesStorage):
    """The files under their own names."""

    bundles = BUNDLES


class BundleFinder(BaseStorageFinder):
    """Find the bundles, which each process builds in DATA_DIR when it starts; nothing has to be collected."""

    def __init__(self) -> None:
        folder = settings.DATA_DIR / "bundles"
        for entry, name in BUNDLES.items():
            _replace(folder / name, bundle(entry, lambda path: (_FILES / path).read_text()).encode())
        super().__init__(FileSystemStorage(location=folder))


def _replace(file: Path, content: bytes) -> None:
    """Write *content*, unless it is the same; another process reads the old file or the new one."""
    if not file.is_file() or file.read_bytes() != content:
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(f".{os.getpid()}")
        new.write_bytes(content)
        new.replace(file)


class HashedStaticFiles(ManifestStaticFilesStorage):
    # Off by default; without it a hashed module would import the files without hashes.
    support_js_module_import_aggregation = True
    # Each pass resolves one more level of imports; our longest import chain has eleven modules.
    max_post_process_passes = 20
    bundles = BUNDLES

    def post_process(self, paths: Paths, dry_run: bool = False, **options: Any) -> Iterator[Any]:  # noqa: FBT001, FBT002 - Django's
        """Build the bundles before hashing all files."""
        for entry, name in self.bundles.items():
            if dry_run or entry not in paths:
                continue
            text = bundle(entry, lambda path: _text(*paths[path]))
            self.delete(name)
            self.save(name, ContentFile(text.encode()))
            paths[name] = (self, name)
        yield from super().post_process(paths, dry_run, **options)


def _text(storage: Storage, path: str) -> str:
    with storage.open(path) as file:
        return bytes(file.read()).decode()
