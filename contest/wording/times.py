"""Times for display, in Beijing time (rule 3.5)."""

from datetime import datetime
from zoneinfo import ZoneInfo

BEIJING = ZoneInfo("Asia/Shanghai")
ZONE = "(UTC+8)"


def format_day(at: datetime) -> str:
    return at.astimezone(BEIJING).strftime("%Y-%m-%d")


def format_minute(at: datetime) -> str:
    """Return the date and the time to the minute.

    >>> format_minute(datetime.fromisoformat("2026-11-22T19:30:59Z"))
    '2026-11-23 03:30'
    """
    return at.astimezone(BEIJING).strftime("%Y-%m-%d %H:%M")


def format_second(at: datetime) -> str:
    return at.astimezone(BEIJING).strftime("%Y-%m-%d %H:%M:%S")
