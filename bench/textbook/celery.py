import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bench.textbook.settings")

app = Celery("textbook")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["bench.textbook"])
