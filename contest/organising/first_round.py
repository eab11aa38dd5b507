"""The way to the first round of a new site: what is set, what is missing, and one next step."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from contest.infra import identity, mail
from contest.infra.site_address import is_loopback_url
from contest.models import OWN_SLUGS, Collection, Heartbeat, Level, LibraryLevel, Part, Round, Slot
from contest.organising.checklist import Standing
from contest.staff import second_factors, track_owners


@dataclass(frozen=True)
class Step:
    """A step with its title; *words*, *url* and *label* say how to take it."""

    title: str
    words: str
    url: str
    label: str
    standing: Standing = Standing.LATER


@dataclass(frozen=True)
class Setting:
    """A part of the site that works without being set up, and how to do that; *url* is empty outside the desk."""

    title: str
    is_set: bool
    words: str
    url: str = ""
    label: str = ""


@dataclass(frozen=True)
class FirstRound:
    """The steps to the first round, and the settings that can follow."""

    steps: tuple[Step, ...]
    settings: tuple[Setting, ...]

    @property
    def next(self) -> Step:
        return next(step for step in self.steps if step.standing is Standing.NEXT)


def first_round(user: User, at: datetime) -> FirstRound | None:
    """Return the way to the first round; None once a round was announced, or for staff that may create none.

    One query once there is an announced round, at most eight before.
    """
    may_create = track_owners.may(user, "add_round") and user.has_perm("contest.add_librarylevel")
    if not may_create or Round.objects.exclude(announced_at=None).exists():
        return None
    return FirstRound(_steps(), _settings(user, at))


def _steps() -> tuple[Step, ...]:
    draft = Round.objects.filter(announced_at=None, cancelled_at=None).order_by("opens_at", "pk").first()
    has_main = draft is not None and Level.objects.filter(round=draft, slot=Slot.MAIN).exists()
    has_level = has_main or LibraryLevel.objects.exclude(state=LibraryLevel.State.RETIRED).exists()
    steps = (
        Step(
            _("Add a level"),
            _("Paste a level with your solution, draw one in the editor, or read it from a file."),
            reverse("desk-level-new"),
            _("Add a level"),
        ),
        Step(
            _("Create a round from it"),
            _("Open the level in the library and add it to a round. Number and times are set as usual."),
            reverse("desk-library"),
            _("Open the library"),
        ),
        Step(
            _("Look at the preview and publish"),
            _("The preview shows the round as its players will see it. Until you publish it, nobody else can."),
            reverse("desk-preview", args=[draft]) if draft and has_main else "",
            _("Look at the preview"),
        ),
    )
    done = has_level + has_main
    standings = [Standing.DONE] * done + [Standing.NEXT] + [Standing.LATER] * (len(steps) - done - 1)
    return tuple(replace(step, standing=standing) for step, standing in zip(steps, standings, strict=True))


def factor_message(user: User) -> str:
    """Return until when the second factor may wait, what happens then, and the command for an invitation."""
    message = _(
        "You can do this later, until the site is first opened from another computer. From then on the desk requires "
        "it, and a day after your account was created you also need an invitation. The operator prints one with "
        "%(command)s"
    )
    return message % {"command": f'python3 dev.py manage second_factor {user.username} --invite --reason "It is me"'}


def _settings(user: User, at: datetime) -> tuple[Setting, ...]:
    beats = {beat.part: beat.beat_at for beat in Heartbeat.objects.filter(part__in=(Part.JUDGE, Part.BACKUP))}
    is_judging = Part.JUDGE in beats and (at - beats[Part.JUDGE]).total_seconds() <= settings.CANARY_SECONDS
    own = Collection.objects.filter(Q(slug__in=OWN_SLUGS), withdrawn_at=None).exists()
    health, to_health = reverse("desk-health"), _("Health")
    return (
        Setting(_("Judge"), is_judging, _("Without a worker nothing is judged."), health, to_health),
        Setting(
            _("Two-step verification"),
            second_factors.has_factor(user),
            factor_message(user),
            reverse("desk-second-factor"),
            _("Set it up now"),
        ),
        Setting(
            _("Levels to play at once"),
            own,
            _("The levels that come with the site are withdrawn. You can show them again."),
            reverse("desk-collections"),
            _("Collections"),
        ),
        Setting(
            _("Name of the site"),
            identity.names()[1] not in settings.SOFTWARE_NAMES.values(),
            _("The page “The site” sets it, or the operator by SITE_NAME and SITE_NAME_ZH_HANS."),
            *((reverse("desk-site"), _("The site")) if user.has_perm("auth.change_user") else ()),
        ),
        Setting(
            _("Public address"),
            bool(settings.SITE_URL) and not is_loopback_url(settings.SITE_URL),
            _("The operator sets it by SITE_URL, so that messages and links name it."),
        ),
        Setting(
            _("Mail"),
            not mail.is_printed(),
            _("Set EMAIL_URL, or codes and claim links cannot be sent."),
            health,
            to_health,
        ),
        Setting(_("Backup"), Part.BACKUP in beats, _("No backup has been made yet."), health, to_health),
    )
