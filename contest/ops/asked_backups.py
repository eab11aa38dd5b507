"""A backup that somebody asks for on the desk: a worker makes it in the operator's folder, and no page serves it.

It holds addresses, hidden solutions and lucky numbers, so the desk tells of it no more than when, how large, how many.
"""

from datetime import UTC
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from contest.infra import clock
from contest.models import Heartbeat, Part
from contest.ops import backups
from contest.staff import audit_log

_NAME = "leitai-%Y-%m-%dT%H%M%SZ.zip"


def may_ask() -> bool:
    """Whether the operator has named a folder for it."""
    return bool(settings.BACKUP_FOLDER)


@transaction.atomic
def ask(by: User) -> bool:
    """Ask for one; False where one is asked for already."""
    if is_asked():
        return False
    Heartbeat.objects.update_or_create(part=Part.ASKED, defaults={"beat_at": clock.now_at_database()})
    audit_log.record(by, "ask for a backup", by)
    return True


def is_asked() -> bool:
    """Whether one is wanted that is newer than all there are."""
    beats = dict(Heartbeat.objects.filter(part__in=(Part.ASKED, Part.BACKUP)).values_list("part", "beat_at"))
    if Part.ASKED not in beats:
        return False
    return Part.BACKUP not in beats or beats[Part.BACKUP] < beats[Part.ASKED]


def make() -> Path | None:
    """Make the backup that was asked for, if any. Raise BadBackup; it stays asked for then, and is tried again."""
    if not (may_ask() and is_asked()):
        return None
    made = Path(settings.BACKUP_FOLDER) / clock.now().astimezone(UTC).strftime(_NAME)
    backups.write(made)
    return made
