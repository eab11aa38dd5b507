"""The judge's entrance with the sabotage in it."""

import django
from celery.signals import worker_init

from contest.celery import app

__all__ = ["app"]


@worker_init.connect
def install(**_: object) -> None:
    django.setup()
    from tests.chaos import sabotage  # needs the models, which are ready only now

    sabotage.install()
