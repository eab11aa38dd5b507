"""Settings. Only this package reads the environment; docs/how-to/operations.md lists the variables.

One code base, two sizes: SQLite and an embedded Redis server on one machine (`EMBEDDED=1`, set by `dev.py run`), or
PostgreSQL and Redis with any number of web and worker processes. Modules: `environment` · `databases` · `celery` ·
`application` · `security` · `limits` · `monitoring` ·
`site`; the rest is here.
"""

# ruff: noqa: F403 - Django wants all settings in one module

from email.utils import formataddr
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

import solvers
from contest.settings.application import *
from contest.settings.celery import *
from contest.settings.databases import *
from contest.settings.environment import *
from contest.settings.environment import BASE_DIR, DATA_DIR, DEBUG, EMBEDDED, IN_CHECKOUT, env
from contest.settings.limits import *
from contest.settings.monitoring import *
from contest.settings.security import *
from contest.settings.site import *
from contest.settings.site import SITE_NAME

# Operator details, shown if they are set (contest.web.pages.reading)

OPERATOR = {
    name: value
    for name in ("name", "imprint", "contact", "privacy_contact", "icp_number")
    if (value := env(f"OPERATOR_{name.upper()}", default=""))
}

# Contact for reporting vulnerabilities: an address such as mailto:… or https://…, shown in security.txt
SECURITY_CONTACT = env("SECURITY_CONTACT", default="")

# E-mail: without a mail server the site prints messages to its output

try:
    globals().update(env.email_url("EMAIL_URL", default="consolemail://"))
except (ImproperlyConfigured, ValueError):
    raise ImproperlyConfigured("EMAIL_URL is an address such as smtp+tls://user:password@host:587.") from None
if globals()["EMAIL_BACKEND"].endswith(".smtp.EmailBackend"):
    EMAIL_BACKEND = "contest.infra.mail.Server"
EMAIL_TIMEOUT = 10
# Maximum of letters to subscribers per minute (contest.outreach.newsletter.delivery).
MAIL_PER_MINUTE = env.int("MAIL_PER_MINUTE", default=60)
# After this many consecutive permanent failures an address gets no more letters until its owner subscribes again.
MAIL_MOST_REFUSALS = env.int("MAIL_MOST_REFUSALS", default=3)
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env("EMAIL_FROM", default=formataddr((SITE_NAME, "leitai@localhost")))

# Languages

LANGUAGES = [("zh-hans", _("Simplified Chinese")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "contest" / "locale"]
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
USE_TZ = True

# Static files: one machine serves the originals and bundles of them, with DEBUG=1 only the originals; production serves
# hashed and compressed copies (collectstatic).

STATIC_URL = "/static/"
STATIC_ROOT = None if EMBEDDED else (BASE_DIR if IN_CHECKOUT else DATA_DIR) / "static"
WHITENOISE_USE_FINDERS = EMBEDDED
WHITENOISE_AUTOREFRESH = DEBUG
# Levels in sandboxed frames of other sites have no origin of their own, and load scripts and sprites as from elsewhere.
WHITENOISE_ALLOW_ALL_ORIGINS = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else f"contest.web.shell.static.{'StaticFiles' if EMBEDDED else 'HashedStaticFiles'}"
    },
}
STATICFILES_DIRS = [("contest/skins", Path(solvers.__file__).with_name("sokoban") / "drawing/skins")]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    *(["contest.web.shell.static.BundleFinder"] if EMBEDDED and not DEBUG else []),
]

# The bot API

REST_FRAMEWORK = {
    "DEFAULT_PARSER_CLASSES": ["contest.api.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["contest.api.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "contest.api.renderers.AlwaysJSON",
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_AUTHENTICATION_CLASSES": ["contest.api.authentication.Bearer"],
    "DEFAULT_PERMISSION_CLASSES": ["contest.api.permissions.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["contest.api.throttling.PostThrottle"],
    "UNAUTHENTICATED_USER": None,
    "EXCEPTION_HANDLER": "contest.api.exceptions.problem",
    "DEFAULT_PAGINATION_CLASS": "contest.api.pagination.NewestFirst",
    "DEFAULT_SCHEMA_CLASS": "contest.api.schema.AutoSchema",
}
SPECTACULAR_SETTINGS = {
    "DESCRIPTION": "Enter Sokoban rounds, read levels, standings and results. docs/reference/api.md tells how.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "PREPROCESSING_HOOKS": ["contest.api.schema.only_ours"],
    "POSTPROCESSING_HOOKS": ["contest.api.schema.complete"],
    "SORT_OPERATIONS": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
}

# Whether a migrated database gets the levels that come with the site; withdrawn ones stay withdrawn
OWN_LEVELS = env.bool("OWN_LEVELS", default=True)

# Whether browsers store the player for offline use; 0 makes them delete what they stored
OFFLINE_PLAY = env.bool("OFFLINE_PLAY", default=True)

# Whether visitors are counted by country and day; only the counts are stored (docs/how-to/operations.md)
COUNT_VISITORS = env.bool("COUNT_VISITORS", default=False)

# Whether programs written for letslogic.com may call this site (docs/reference/letslogic.md)
LETSLOGIC = env.bool("LETSLOGIC", default=False)

# Whether webhooks may connect to the site's own network, also over plain http: only for a closed network
WEBHOOKS_MAY_STAY_INSIDE = env.bool("WEBHOOKS_MAY_STAY_INSIDE", default=False)

# Checkpoints of the receipt chain (docs/reference/archive.md): their origin, 64 hexadecimal digits of a secret key
# (default: derived from SECRET_KEY), logs that this site countersigns (keys), and its witnesses (key@address to be
# asked; a key alone sends its signatures)
CHECKPOINT_ORIGIN = env("CHECKPOINT_ORIGIN", default="")
CHECKPOINT_KEY = env("CHECKPOINT_KEY", default="")
WITNESSED_LOGS = env.list("WITNESSED_LOGS", default=[])
WITNESSES = env.list("WITNESSES", default=[])

# How long a submission waits for a worker before the web process judges it itself: for older programs, and for a
# receipt page that has been open for some seconds
LEGACY_WAIT_SECONDS = 0.3
RECEIPT_WAIT_SECONDS = 1

# Logs go to standard error, one line per entry: as text, or as JSON

LOG_FORMAT = env("LOG_FORMAT", default="line")
if LOG_FORMAT not in ("line", "json"):
    raise ImproperlyConfigured(f'LOG_FORMAT is "line" or "json", not {LOG_FORMAT!r}.')
# One line per request.
LOG_REQUESTS = env.bool("LOG_REQUESTS", default=LOG_FORMAT == "json")
# Two lines per Celery task.
LOG_TASKS = env.bool("LOG_TASKS", default=False)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"context": {"()": "contest.infra.logs.Context"}, "suspicion": {"()": "contest.infra.logs.Suspicion"}},
    "formatters": {"line": {"()": "contest.infra.logs.Line"}, "json": {"()": "contest.infra.logs.JSON"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "filters": ["context", "suspicion"], "formatter": LOG_FORMAT}
    },
    "root": {"handlers": ["stderr"], "level": env("LOG_LEVEL", default="INFO")},
    "loggers": {
        # A flood of refused requests must not fill the log too.
        "django.request": {"level": "ERROR"},
        # Celery logs two lines per task; periodic tasks run several times a second, or expire while a search runs.
        **{
            name: {"level": "INFO" if LOG_TASKS else "WARNING"}
            for name in ("celery.worker.strategy", "celery.worker.request", "celery.app.trace", "celery.beat")
        },
    },
}
