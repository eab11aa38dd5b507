import os

from django.core.wsgi import get_wsgi_application

# Like the tutorial's site, load the Celery application in the web process, so that delay() finds the broker.
from bench.textbook.celery import app as celery_app

__all__ = ["application", "celery_app"]

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bench.textbook.settings")

application = get_wsgi_application()
