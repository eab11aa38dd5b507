"""Write the tables of the API's objects."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from contest.api.tables import with_tables


class Command(BaseCommand):
    help = "Write the section “Objects” of docs/reference/api.md again, from the objects' declarations."

    def handle(self, *_args: Any, **_options: Any) -> None:
        page: Path = settings.TEXTS_DIR / "docs/reference/api.md"
        page.write_text(with_tables(page.read_text()))
