"""The contest as a Django app."""

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.utils.translation import gettext_lazy as _

from contest import celery, checks


class ContestConfig(AppConfig):
    name = "contest"
    verbose_name = _("Contest")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Here and not in the package: `python -m contest.verify` loads no app, and needs no Celery.
        celery.app.set_default()
        register(checks.proxies, Tags.security, deploy=True)
