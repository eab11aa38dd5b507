"""A backup as operators have them, where the site could read it: no address answers with one."""

from django.conf import settings

from tests.leaks.scene import Scene

NAME = "leitai-2026-11-21T120000Z.zip"
_MARK = "tables-of-a-backup"


def plant(made: Scene) -> None:
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    (settings.DATA_DIR / NAME).write_text(_MARK)
    made.hide("backup", _MARK)
