"""Backups requested on the desk: a worker writes them to the operator's folder, and no page serves them.

A backup contains email addresses, hidden solutions and lucky numbers, so the desk shows only time, size and count.
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
    """Return whether the operator has configured a folder for backups."""
    return bool(settings.BACKUP_FOLDER)


@transaction.atomic
def ask(by: User) -> bool:
    """Request a backup; return False if a request is pending."""
    if is_asked():
        return False
    Heartbeat.objects.update_or_create(part=Part.ASKED, defaults={"beat_at": clock.now_at_database()})
    audit_log.record(by, "ask for a backup", by)
    return True


def is_asked() -> bool:
    """Return whether a request is newer than the last backup."""
    times = dict(Heartbeat.objects.filter(part__in=(Part.ASKED, Part.BACKUP)).values_list("part", "beat_at"))
    if Part.ASKED not in times:
        return False
    return Part.BACKUP not in times or times[Part.BACKUP] < times[Part.ASKED]


def make() -> Path | None:
    """Make the requested backup, if any. Raise BadBackup; the request then stays pending and is tried again."""
    if not (may_ask() and is_asked()):
        return None
    path = Path(settings.BACKUP_FOLDER) / clock.now().astimezone(UTC).strftime(_NAME)
    backups.write(path)
    return path
