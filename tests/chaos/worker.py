"""The judge's entry point with the sabotage installed."""

import django
from celery.signals import worker_init

from contest.celery import app

__all__ = ["app"]


@worker_init.connect
def install(**_: object) -> None:
    django.setup()
    from tests.chaos import sabotage  # imports the models, which are ready only now

    sabotage.install()
