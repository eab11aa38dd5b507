"""The Django app."""

from importlib import import_module
from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.core.checks import Tags, register
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import request_started
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

from contest import celery
from contest.infra import clock, identity, monitoring
from contest.ops import checks, released


def _make_groups(**_signal: Any) -> None:
    """Create the staff roles, which need the permissions that Django creates after migrating."""
    roles = import_module("contest.staff.roles")  # no model can be imported before all apps are ready
    roles.make_groups()


def _make_main_track(**_signal: Any) -> None:
    """Create the main track: every round belongs to a track, so each database needs it."""
    tracks = import_module("contest.rounds.tracks")
    tracks.make_main()


def _publish_own_content(**_signal: Any) -> None:
    """Publish the levels that come with the site, and on a new site the articles: it has something to play and read."""
    installing = import_module("contest.library.own.installing")
    own_posts = import_module("contest.outreach.own_posts")
    if settings.OWN_LEVELS and installing.is_up_to_date():
        installing.install(clock.now())
        own_posts.publish_on_new_site(clock.now())


def _check_logo() -> None:
    """Raise ImproperlyConfigured if SITE_LOGO cannot be used."""
    if settings.SITE_LOGO:
        icons = import_module("contest.rendering.app_icons")  # loads Pillow
        try:
            icons.read_logo(settings.SITE_LOGO)
        except ValueError as error:
            raise ImproperlyConfigured(f"SITE_LOGO: {error}") from None


class ContestConfig(AppConfig):
    name = "contest"
    verbose_name = _("Contest")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Here and not in the package: `python -m contest.verify` loads no app and needs no Celery.
        celery.app.set_default()
        monitoring.start()
        _check_logo()
        request_started.connect(identity.refresh)
        # This app's own permissions exist by then: the signal is sent app by app.
        post_migrate.connect(_make_groups, sender=apps.get_app_config("auth"))
        post_migrate.connect(_make_main_track, sender=self)
        post_migrate.connect(_publish_own_content, sender=self)
        register(checks.proxies, Tags.security, deploy=True)
        register(checks.debug, Tags.security, deploy=True)
        register(checks.witnesses, Tags.security, deploy=True)
        register(checks.addresses, Tags.security, deploy=True)
        register(checks.mail, Tags.security, deploy=True)
        register(checks.broker, Tags.security, deploy=True)
        register(released.check_releases, Tags.database)
