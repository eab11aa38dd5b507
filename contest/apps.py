"""The contest as a Django app."""

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.utils.translation import gettext_lazy as _

# Tasks find their application once the app is loaded; `python -m contest.verify` never loads it, and needs no Celery.
from contest import celery  # noqa: F401 - importing it is the point
from contest import checks


class ContestConfig(AppConfig):
    name = "contest"
    verbose_name = _("Contest")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        register(checks.proxies, Tags.security, deploy=True)
