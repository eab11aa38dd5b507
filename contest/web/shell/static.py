"""Static files under names that change with their content, so that browsers may keep them for good."""

from collections.abc import Iterator
from typing import Any

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from django.core.files.base import ContentFile
from django.core.files.storage import Storage

from contest.infra.bundling import bundle

Paths = dict[str, tuple[Storage, str]]


class HashedStaticFiles(ManifestStaticFilesStorage):
    # Off by default; without it a hashed module would go on importing the files without a hash.
    support_js_module_import_aggregation = True
    # Each pass brings the hashes one import further; our longest way from a page to a rule has eleven modules.
    max_post_process_passes = 20
    # Scripts that come with all they import in one file, and the name of that.
    bundles = {
        "contest/player/page/main.js": "contest/player/page/main.bundle.js",
        "contest/first-steps.js": "contest/first-steps.bundle.js",
        "contest/replay/main.js": "contest/replay/main.bundle.js",
        "contest/replay/embed.js": "contest/replay/embed.bundle.js",
        "contest/editor/main.js": "contest/editor/main.bundle.js",
    }

    def post_process(self, paths: Paths, dry_run: bool = False, **options: Any) -> Iterator[Any]:  # noqa: FBT001, FBT002 - Django's
        """Make the bundles before all files get their hashes."""
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
