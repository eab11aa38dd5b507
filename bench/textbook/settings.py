"""Settings from `startproject` and the first pages of the manuals of Django, DRF and Celery."""

import os

import environ

BATCHED = os.environ.get("TEXTBOOK_BATCHED") == "1"
TUNED = BATCHED or os.environ.get("TEXTBOOK_TUNED") == "1"

SECRET_KEY = os.environ["SECRET_KEY"]
ALLOWED_HOSTS = ["*"]
DATABASES = {"default": environ.Env().db("DATABASE_URL")}
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "rest_framework",
    "bench.textbook.apps.Textbook",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "bench.textbook.urls"
WSGI_APPLICATION = "bench.textbook.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True

CELERY_BROKER_URL = os.environ["BROKER_URL"]

if TUNED:
    DATABASES["default"]["CONN_MAX_AGE"] = None
    REST_FRAMEWORK = {
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "UNAUTHENTICATED_USER": None,
    }
    CELERY_TASK_IGNORE_RESULT = True
    CELERY_WORKER_PREFETCH_MULTIPLIER = 64
    # Otherwise Celery closes the database connection around every task, whatever CONN_MAX_AGE is.
    CELERY_DB_REUSE_MAX = 10_000

if BATCHED:
    REST_FRAMEWORK |= {"DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"]}
    # API clients do not sign in with a session, and API responses are not shown in frames.
    MIDDLEWARE = ["django.middleware.security.SecurityMiddleware", "django.middleware.common.CommonMiddleware"]
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": f"{os.environ['REDIS_URL']}?db=1",
        }
    }
