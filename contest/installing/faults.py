"""Faults of an installed site that `leitai-server doctor` reports, each with the command that mends it."""

import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from django.conf import settings
from django.core import checks, mail
from django.db import Error

from contest.celery import app
from contest.infra import mail as site_mail
from contest.installing import files, versions
from contest.models import Part
from contest.ops import checks as checks_of_site
from contest.ops import health

# The alarm NoBackup (deploy/alerts.yml) has the same limit.
_OLDEST_BACKUP_SECONDS = 93_600
_PATIENCE_SECONDS = 5


@dataclass(frozen=True)
class Fault:
    """A fault, and the command or act that mends it."""

    text: str
    mend: str
    # The operator may have chosen it.
    is_remark: bool = False


def find_faults(*, with_address: bool) -> Iterator[Fault]:
    """Yield the faults, the most basic first; *with_address* also asks the site at its public address."""
    yield from _readable_files()
    yield from _settings()
    if not health.disk().is_ready:
        yield Fault("The disk is full.", f"du -xh --max-depth=2 {settings.DATA_DIR} | sort -h")
    has_broker = health.broker().is_ready
    if not has_broker:
        yield Fault("Redis does not answer, or takes no more data.", _restart("redis"))
    try:
        yield from _tables()
    except Error as error:
        yield Fault(f"The database does not answer: {error}".strip(), "systemctl status postgresql; check DATABASE_URL")
    yield from _workers() if has_broker else ()
    yield from _mail()
    if with_address:
        yield from _address()


def _restart(name: str) -> str:
    """Return the command that starts a unit again and shows why it stopped."""
    return f"sudo systemctl restart leitai-{name}; journalctl -u leitai-{name} -n 30"


def _readable_files() -> Iterator[Fault]:
    folder = Path(settings.LEITAI_FOLDER) if settings.LEITAI_FOLDER else None
    secret = [settings.DATA_DIR, versions.backup_folder(), *([folder / files.SETTINGS] if folder else [])]
    for path in secret:
        if path.exists() and (mode := stat.S_IMODE(path.stat().st_mode)) & 0o077:
            yield Fault(
                f"Other users of this machine can read {path} (mode {mode:o}).", versions.as_owner(f"chmod go= {path}")
            )


def _settings() -> Iterator[Fault]:
    for message in checks.run_checks(include_deployment_checks=True):
        # Django's own ask for https, which a closed network may not have.
        is_chosen = not settings.HTTPS and str(message.id).startswith("security.")
        if message.is_silenced() or is_chosen or message.id == checks_of_site.NO_MAIL:  # `_mail` names that
            continue
        yield Fault(f"{message.msg} ({message.id})", message.hint or f"{versions.program()} check --deploy")


def _tables() -> Iterator[Fault]:
    pending = versions.unapplied_migrations()
    if pending:
        text = f"The tables are of another version: {len(pending)} migrations are missing, the first {pending[0][1]}."
        yield Fault(text, f"{versions.program()} upgrade")
        return
    ages = health.ages()
    if ages.get(Part.WEB, _PATIENCE_SECONDS * 60) >= 60:
        yield Fault("No web server has written to the database for a minute.", _restart("web"))
    if ages.get(Part.JUDGE, settings.CANARY_SECONDS + 1) > settings.CANARY_SECONDS:
        yield Fault("The judge has not judged its test lately.", f"{_restart('judge')}; {_restart('beat')}")
    backup = ages.get(Part.BACKUP)
    if backup is None or backup > _OLDEST_BACKUP_SECONDS:
        age = "There is no backup." if backup is None else f"The last backup is {backup / 3600:.0f} hours old."
        yield Fault(age, f"{versions.program()} backup --due {versions.backup_folder()}")


def _workers() -> Iterator[Fault]:
    queues = {queue["name"] for worker in active_queues().values() for queue in worker}
    for name in sorted({"judge", "solve"} - queues):
        yield Fault(f"No worker of the queue {name} answers.", _restart(name))
    if not health.solver().is_ready:
        install = versions.install_command(f"leitai-server[solving]=={versions.VERSION}")
        yield Fault("The solver cannot search: numba is missing.", f"{install} && {_restart('solve')}")


def active_queues() -> Mapping[str, Any]:
    """Return the queues of each worker that answers."""
    return app.control.inspect(timeout=2).active_queues() or {}


def _mail() -> Iterator[Fault]:
    if site_mail.is_printed():
        text = "There is no mail server: nobody can sign in by a code."
        yield Fault(text, f"set EMAIL_URL in {_settings_file()}", is_remark=True)
        return
    try:
        connection = mail.get_connection(timeout=_PATIENCE_SECONDS)
        connection.open()
        connection.close()
    except OSError as error:  # SMTPException too
        yield Fault(f"The mail server cannot be used: {error}", f"check EMAIL_URL in {_settings_file()}")


def _settings_file() -> str:
    return str(Path(settings.LEITAI_FOLDER) / files.SETTINGS) if settings.LEITAI_FOLDER else "the environment"


def _address() -> Iterator[Fault]:
    try:
        httpx.get(f"{settings.SITE_URL}/healthz", timeout=_PATIENCE_SECONDS).raise_for_status()
    except httpx.HTTPError as error:
        text = f"{settings.SITE_URL} does not answer as it should: {error}"
        yield Fault(text, "check the DNS entry; systemctl status caddy; journalctl -u caddy -n 30")
