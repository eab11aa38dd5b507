"""Times for display, in the site's time zone (rule 3.5)."""

from datetime import datetime

from contest.infra import identity


def format_day(at: datetime) -> str:
    return at.astimezone(identity.zone()).strftime("%Y-%m-%d")


def format_minute(at: datetime) -> str:
    """Return the date and the time to the minute.

    >>> format_minute(datetime.fromisoformat("2026-11-22T19:30:59Z"))
    '2026-11-23 03:30'
    """
    return at.astimezone(identity.zone()).strftime("%Y-%m-%d %H:%M")


def format_second(at: datetime) -> str:
    return at.astimezone(identity.zone()).strftime("%Y-%m-%d %H:%M:%S")


def format_zoned_minute(at: datetime) -> str:
    return f"{format_minute(at)} {identity.format_offset(at)}"


def format_zoned_second(at: datetime) -> str:
    """Return the date and the time to the second, with the zone's offset then.

    >>> format_zoned_second(datetime.fromisoformat("2026-11-22T19:30:59Z"))
    '2026-11-23 03:30:59 (UTC+8)'
    """
    return f"{format_second(at)} {identity.format_offset(at)}"
