"""The contest: a Django project and its one app."""

from contest.celery import app as celery_app

__all__ = ["celery_app"]
