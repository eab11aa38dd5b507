"""Static files with content hashes in their names, so that browsers may cache them for good."""

from collections.abc import Iterator
from typing import Any

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from django.core.files.base import ContentFile
from django.core.files.storage import Storage

from contest.infra.bundling import bundle

Paths = dict[str, tuple[Storage, str]]


class HashedStaticFiles(ManifestStaticFilesStorage):
    # Off by default; without it a hashed module would import the files without hashes.
    support_js_module_import_aggregation = True
    # Each pass resolves one more level of imports; our longest import chain has eleven modules.
    max_post_process_passes = 20
    # Entry scripts, each with the name of its bundle.
    bundles = {
        "contest/player/page/main.js": "contest/player/page/main.bundle.js",
        "contest/first-steps.js": "contest/first-steps.bundle.js",
        "contest/replay/main.js": "contest/replay/main.bundle.js",
        "contest/replay/embed.js": "contest/replay/embed.bundle.js",
        "contest/editor/main.js": "contest/editor/main.bundle.js",
    }

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
