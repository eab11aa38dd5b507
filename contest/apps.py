"""The contest as a Django app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ContestConfig(AppConfig):
    name = "contest"
    verbose_name = _("Contest")
    default_auto_field = "django.db.models.BigAutoField"
