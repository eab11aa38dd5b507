"""The state of the site for the desk: each line has a light, a figure and advice."""

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.conf import settings
from django.db.models import Count, Min
from django.template.defaultfilters import filesizeformat
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from contest.archive.witnesses import records
from contest.archive.witnesses.records import Condition
from contest.infra import clock, mail
from contest.library import series
from contest.models import Heartbeat, Part, Series, State, Submission
from contest.ops import asked_backups, health
from contest.outreach.newsletter import delivery, subscriptions

_DAY = 86_400
_NEARLY_FULL, _FULL = 0.8, 0.92


class Light(StrEnum):
    """State of a part of the site, shown by words and a sign, never by colour alone; the worst comes last."""

    GREEN = "green"
    AMBER = "amber"
    RED = "red"

    @property
    def sign(self) -> str:
        return {"green": "✔", "amber": "▲", "red": "✖"}[self]


LIGHT_TEXTS: Mapping[Light, Promise] = {
    Light.GREEN: gettext_lazy("Everything is working."),
    Light.AMBER: gettext_lazy("Something needs attention."),
    Light.RED: gettext_lazy("Something does not work."),
}
_LIGHT_LABELS: Mapping[Light, Promise] = {
    Light.GREEN: gettext_lazy("OK"),
    Light.AMBER: gettext_lazy("needs attention"),
    Light.RED: gettext_lazy("act now"),
}


@dataclass(frozen=True)
class Figure:
    """One line of the panel."""

    name: str
    value: str
    light: Light = Light.GREEN
    # What the operator should do.
    advice: str = ""

    @property
    def words(self) -> str:
        return str(_LIGHT_LABELS[self.light])


def all_figures(at: datetime) -> list[Figure]:
    """Return every line of the panel as of *at*."""
    rows = {beat.part: beat for beat in Heartbeat.objects.all()}
    beats = {part: beat.beat_at for part, beat in rows.items()}
    now = clock.now_at_database()

    def ago(instant: datetime | None) -> float | None:
        return None if instant is None else max(0.0, (now - instant).total_seconds())

    waiting = Submission.objects.waiting().order_by().aggregate(count=Count("pk"), oldest=Min("received_at"))
    held = Submission.objects.filter(state=State.QUARANTINED).count()
    return [
        Figure(_("Database"), _("works")),  # this page needs the database
        _broker_figure(),
        Figure(_("Submissions waiting"), str(waiting["count"])),
        _oldest_figure(ago(waiting["oldest"])),
        _held_figure(held),
        _worker_figure(ago(beats.get(Part.JUDGE))),
        _solver_figure(),
        _disk_figure(),
        _backup_figure(ago(beats.get(Part.BACKUP)), rows[Part.BACKUP].facts if Part.BACKUP in rows else {}),
        _pruning_figure(ago(beats.get(Part.PRUNING)), rows[Part.PRUNING].facts if Part.PRUNING in rows else {}),
        _mail_figure(),
        _letters_figure(at),
        _connection_figure(),
        _queues_figure(at),
        _witnesses_figure(at),
    ]


def summary_figures(ages: health.Ages, trouble: str) -> list[Figure]:
    """Return the lines that need no query beyond *ages*; *trouble* describes what does not work."""
    return [
        Figure(_("Site and judge"), trouble or _("works"), Light.RED if trouble else Light.GREEN),
        _disk_figure(),
        _backup_figure(ages.get(Part.BACKUP), {}),
        _mail_figure(),
        _connection_figure(),
    ]


def _broker_figure() -> Figure:
    if health.broker().is_ready:
        return Figure(_("Redis"), _("works"))
    advice = _("Nothing is lost, but judging is delayed and nobody can sign in. Start Redis.")
    return Figure(_("Redis"), _("does not answer"), Light.RED, advice)


def _oldest_figure(seconds: float | None) -> Figure:
    name = _("Oldest waiting")
    if seconds is None:
        return Figure(name, _("none"))
    light = Light.RED if seconds > settings.WAITING_SECONDS else Light.AMBER if seconds > 30 else Light.GREEN
    advice = _("Check that a worker is running.") if light is not Light.GREEN else ""
    return Figure(name, format_age(seconds), light, advice)


def _held_figure(count: int) -> Figure:
    advice = _("Check them in their round, then send them back for judging.") if count else ""
    return Figure(_("Waiting for an organiser"), str(count), Light.AMBER if count else Light.GREEN, advice)


def _worker_figure(seconds: float | None) -> Figure:
    name, advice = (
        _("Last worker activity"),
        _("No worker is running, so nothing is judged. Start one; waiting submissions are kept."),
    )
    if seconds is None:
        return Figure(name, pgettext("last time", "never"), Light.RED, advice)
    is_late = seconds > settings.CANARY_SECONDS
    return Figure(name, format_age(seconds), Light.RED if is_late else Light.GREEN, advice if is_late else "")


def _solver_figure() -> Figure:
    if health.solver().is_ready:
        return Figure(_("Solver"), _("works"))
    advice = _("Install requirements/solve.txt for the solve worker. Until then only easy levels are solved.")
    return Figure(_("Solver"), _("cannot search: numba is missing"), Light.RED, advice)


def _disk_figure() -> Figure:
    disk = shutil.disk_usage(settings.DATA_DIR if settings.DATA_DIR.exists() else settings.BASE_DIR)
    share = disk.used / disk.total
    light = Light.RED if share > _FULL else Light.AMBER if share > _NEARLY_FULL else Light.GREEN
    value = _("%(free)s GB free of %(all)s") % {"free": disk.free // 10**9, "all": disk.total // 10**9}
    advice = (
        _("Free some space: when the disk is full, submissions cannot be stored.") if light is not Light.GREEN else ""
    )
    return Figure(_("Disk"), value, light, advice)


def _backup_figure(seconds: float | None, facts: dict[str, int]) -> Figure:
    """Return age, size and number of backups. The file itself is for the operator only; no page serves it."""
    name, advice = _("Last backup"), _advise_backup()
    if seconds is None:
        return Figure(name, pgettext("last time", "never"), Light.RED, advice)
    light = Light.RED if seconds > 7 * _DAY else Light.AMBER if seconds > 2 * _DAY else Light.GREEN
    parts = [format_age(seconds)]
    if facts:
        parts += [
            filesizeformat(facts["bytes"]),
            ngettext("%(count)s file in its folder", "%(count)s files in its folder", facts["kept"])
            % {"count": facts["kept"]},
        ]
    return Figure(name, " · ".join(parts), light, advice if light is not Light.GREEN else "")


def _advise_backup() -> str:
    """Return the button, if the operator allows it, or else the command of this kind of installation."""
    if asked_backups.may_ask():
        return _("An organiser can make one here: “Back up now”.")
    program = "python manage.py" if settings.IN_CHECKOUT else "leitai-server"
    if settings.EMBEDDED and settings.IN_CHECKOUT:
        program = "python3 dev.py manage"
    return _("Make one: %(command)s") % {"command": f"{program} backup FILE.zip"}


def _pruning_figure(seconds: float | None, facts: dict[str, int]) -> Figure:
    """Return how many rejected texts were pruned in all, and the bytes that they no longer take (rule 15.8)."""
    name = _("Long rejected texts pruned")
    if seconds is None:
        return Figure(name, pgettext("last time", "never"))
    return Figure(
        name,
        " · ".join((format_age(seconds), f"{facts.get('texts', 0):,}", filesizeformat(facts.get("bytes", 0)))),
    )


def _mail_figure() -> Figure:
    if mail.is_printed():
        advice = _("Set EMAIL_URL, or codes and claim links cannot be sent.")
        return Figure(_("Mail"), _("no server: messages are printed, not sent"), Light.AMBER, advice)
    return Figure(_("Mail"), _("goes to a server"))


def _letters_figure(at: datetime) -> Figure:
    """Return the state of the emails to subscribers."""
    name = _("Subscription emails")
    if not subscriptions.is_configured():
        advice = _("Set EMAIL_URL and SITE_URL, or subscribers get no email.")
        return Figure(name, _("none are sent"), Light.AMBER, advice)
    letters = delivery.queue_condition(at)
    parts = [
        _("%(count)s waiting") % {"count": letters.waiting},
        _("%(count)s refused since yesterday") % {"count": letters.failed} if letters.failed else "",
        _("%(count)s in doubt since yesterday") % {"count": letters.doubtful} if letters.doubtful else "",
        _("%(count)s paused after too many bounces") % {"count": letters.resting} if letters.resting else "",
    ]
    light = Light.RED if letters.is_late else Light.GREEN if letters.is_well else Light.AMBER
    advice = _("Check that a worker is running, and check the messages of the mail server.") if letters.is_late else ""
    return Figure(name, ", ".join(filter(None, parts)), light, advice)


def _connection_figure() -> Figure:
    if settings.HTTPS:
        return Figure(_("Connection"), "https")
    return Figure(_("Connection"), _("http: only for your own network"), Light.AMBER)


def _queues_figure(at: datetime) -> Figure:
    troubles = series.list_troubles(at)
    stopped = Series.objects.filter(is_running=True).exclude(fault="").exists() if troubles else False
    advice = _("Look at the times of the series.") if stopped else _("Add levels and queue them.")
    advice = advice if troubles else ""
    light = Light.RED if stopped else Light.AMBER if troubles else Light.GREEN
    return Figure(_("Level queues"), " ".join(troubles) or _("filled"), light, advice)


_CONDITION_TEXTS: Mapping[Condition, Promise] = {
    Condition.LATE: gettext_lazy("%(witness)s has not signed the checkpoints of %(log)s for more than three hours."),
    Condition.REFUSED: gettext_lazy("%(witness)s saw another history of %(log)s and signs it no more."),
    Condition.FORK: gettext_lazy("FORK: %(log)s has signed two different histories; %(witness)s has the evidence."),
}


def _witnesses_figure(at: datetime) -> Figure:
    """Return the state of the countersignatures, given and received; the status page lists them one by one."""
    lines = records.report(at)
    troubles = witness_troubles(lines)
    is_red = any(line.condition in (Condition.REFUSED, Condition.FORK) for line in lines)
    light = Light.RED if is_red else Light.AMBER if troubles else Light.GREEN
    signed = _("%(count)s sign") % {"count": len(lines) - len(troubles)}
    manual = _("See “Checkpoints and witnesses” in the manual (docs/reference/archive.md). Delete nothing.")
    advice = manual if is_red else ""
    return Figure(_("Witnesses"), " ".join(troubles) or (signed if lines else _("none")), light, advice)


def witness_troubles(lines: Iterable[records.Line]) -> list[str]:
    """Return a sentence for each countersigning that is late, refused, or shows a fork."""
    return [
        str(_CONDITION_TEXTS[line.condition]) % {"log": line.log, "witness": line.witness}
        for line in lines
        if line.condition in _CONDITION_TEXTS
    ]


def format_age(seconds: float) -> str:
    """Return how long ago something happened, in words."""
    if seconds < 120:
        return ngettext("%(count)s second ago", "%(count)s seconds ago", int(seconds)) % {"count": int(seconds)}
    minutes = int(seconds // 60)
    if minutes < 120:
        return ngettext("%(count)s minute ago", "%(count)s minutes ago", minutes) % {"count": minutes}
    hours = minutes // 60
    if hours < 48:
        return ngettext("%(count)s hour ago", "%(count)s hours ago", hours) % {"count": hours}
    return ngettext("%(count)s day ago", "%(count)s days ago", hours // 24) % {"count": hours // 24}
