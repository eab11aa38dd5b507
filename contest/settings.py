"""Settings. The only place that reads the environment; docs/operations.md lists the variables.

One code, two sizes: SQLite and an embedded Redis server on one box (`EMBEDDED=1`, what `dev.py run` sets), or
PostgreSQL and Redis with any number of web and worker processes.
"""

from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from contest.rules.settings import RoundSettings

BASE_DIR = Path(__file__).resolve().parent.parent
# What lies beside the package in a checkout lies in it where it was installed from its wheel.
IN_CHECKOUT = (BASE_DIR / "manage.py").is_file()
TEXTS_DIR = BASE_DIR if IN_CHECKOUT else BASE_DIR / "contest"
env = environ.Env()

# What the environment says

DATA_DIR = Path(env("DATA_DIR", default=str(BASE_DIR / ".data")))
EMBEDDED = env.bool("EMBEDDED", default=False)
DEBUG = env.bool("DEBUG", default=False)
# On plain http (one box, local network) cookies go without Secure and the __Host- prefix.
HTTPS = env.bool("HTTPS", default=not EMBEDDED)
BEHIND_PROXY = env.bool("BEHIND_PROXY", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
# Names that older programs know, pointed here by the operator; they speak plain http (docs/legacy.md).
LEGACY_HOSTS = env.list("LEGACY_HOSTS", default=[])
ALLOWED_HOSTS += LEGACY_HOSTS
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SITE_URL = env("SITE_URL", default="").rstrip("/")


def _networks(name: str, default: list[str]) -> list[IPv4Network | IPv6Network]:
    """The addresses and networks that a variable lists, separated by commas."""
    try:
        return [ip_network(text.strip(), strict=False) for text in env.list(name, default=default)]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} lists addresses and networks such as 10.0.0.0/8: {error}") from None


# Only what these add to X-Forwarded-For is believed (contest/infra/client_ip.py).
TRUSTED_PROXIES = _networks("TRUSTED_PROXIES", [])


def _secret_key() -> str:
    """The key of the environment, or on one box the one that `dev.py` keeps beside the data."""
    key: str = env("SECRET_KEY", default="")
    kept = DATA_DIR / "secret_key"
    if not key and EMBEDDED and kept.is_file():
        key = kept.read_text().strip()
    if len(key) < 32 or key.startswith(("django-insecure", "change")):
        raise ImproperlyConfigured(
            "SECRET_KEY is missing, a placeholder or shorter than 32 characters. Set it to a long random text, "
            "for example the output of: python3 -c 'import secrets; print(secrets.token_urlsafe(50))'"
        )
    return key


SECRET_KEY = _secret_key()
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])

# The web server (contest/front)

WEB_WORKERS = env.int("WEB_WORKERS", default=1)
# How many requests a process works on at once; each may hold a database connection.
WEB_THREADS = env.int("WEB_THREADS", default=32)
# How many connections a web process has to PostgreSQL, in a pool; 0: one for each thread, for as long as it likes.
DATABASE_CONNECTIONS = env.int("DATABASE_CONNECTIONS", default=16)
# Behind a proxy it is the proxy that has to bound them.
CONNECTIONS_PER_ADDRESS = env.int("CONNECTIONS_PER_ADDRESS", default=256)

# Database

# Who holds submissions, or a transaction, and is silent for longer than this has lost them (docs/judging.md).
JUDGE_LEASE_SECONDS = env.float("JUDGE_LEASE_SECONDS", default=60.0)

DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'db.sqlite3'}")
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = {
        # Two writers that begin with a read would deadlock into "database is locked"; this makes them queue.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # FULL: a receipt means that it is on the disk, through a power cut too; it costs the wait for the disk.
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA mmap_size=134217728; "
            "PRAGMA journal_size_limit=27103364;"
        ),
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # A process that stalls in its transaction would keep its locks, and whoever waits for them, for ever.
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault(
        "options", f"-c idle_in_transaction_session_timeout={JUDGE_LEASE_SECONDS * 1000:.0f}"
    )
    # Prepared statements need a session of their own: off behind a pooler that shares sessions. A plan is kept only
    # where `prepared.keep_plans` says so: one that must fit every value is a disaster for the pages of a large site.
    if env.bool("PREPARED_STATEMENTS", default=True):
        DATABASES["default"]["ENGINE"] = "contest.infra.postgres"
        DATABASES["default"]["OPTIONS"] |= {"server_side_binding": True, "prepare_threshold": None}

# Redis: broker, cache and limits in databases of their own

REDIS_URL: str = env("REDIS_URL", default="redis://127.0.0.1:6379")


def redis_url(database: int, *, broker: bool = False) -> str:
    """The address of one Redis database. Celery spells Unix sockets in its own way."""
    base = REDIS_URL.rstrip("/")
    if base.startswith("unix://"):
        socket = base.removeprefix("unix://")
        return f"redis+socket://{socket}?virtual_host={database}" if broker else f"unix://{socket}?db={database}"
    return f"{base}/{database}"


REDIS_PATIENCE = {"socket_connect_timeout": 0.5, "socket_timeout": 1.0}
BROKER_URL = redis_url(0)
LIMITS_URL = redis_url(2)

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": redis_url(1),
        "OPTIONS": REDIS_PATIENCE,
    }
}

# Celery carries hints; the submission table is the queue (docs/judging.md)

CELERY_BROKER_URL = redis_url(0, broker=True)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 120,
    "socket_connect_timeout": 1.0,
    "socket_timeout": 5.0,
    "max_retries": 1,
    "interval_start": 0,
    "interval_max": 0.2,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_SOFT_TIME_LIMIT = 240
CELERY_TASK_TIME_LIMIT = 300
CELERY_TASK_DEFAULT_QUEUE = "judge"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_MAX_TASKS_PER_CHILD = 10_000
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 10.0
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Celery closes the database connection around every task unless told how often it may be used again.
CELERY_DB_REUSE_MAX = 1_000
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "contest.tasks.judge", "schedule": 10.0, "options": {"expires": 10}},
    "advance": {"task": "contest.tasks.advance", "schedule": 60.0, "options": {"expires": 60}},
    "draw": {"task": "contest.tasks.draw", "schedule": 15.0, "options": {"expires": 15, "queue": "solve"}},
    "search": {"task": "contest.tasks.search", "schedule": 15.0, "options": {"expires": 15, "queue": "solve"}},
}

# The application

INSTALLED_APPS = [
    "contest",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.sitemaps",
    "django_countries",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
]
MIDDLEWARE = [
    "contest.middleware.name_the_request",
    "contest.middleware.state_policies",
    "contest.middleware.NoNul",
    "contest.legacy.hosts.without_hsts",
    # Behind a proxy the proxy packs (deploy/Caddyfile); one box stands alone.
    *(["contest.middleware.Packing"] if EMBEDDED else []),
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "contest.middleware.bound_body",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "contest.middleware.name_the_viewer",
    "contest.middleware.remember_the_device",
    "allauth.account.middleware.AccountMiddleware",
    "contest.desk.access.second_factor",
]
ROOT_URLCONF = "contest.urls"
WSGI_APPLICATION = "contest.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [TEXTS_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "contest.web.shell.context.page",
            ],
        },
    }
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Accounts are a convenience of players (docs/players.md): a code by e-mail or a passkey, no passwords, nobody else's
# login. Organisers sign in at /admin/ with theirs, and nowhere else (contest.web.account.adapter).

LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "me"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "contest.web.account.adapter.Adapter"
ACCOUNT_FORMS = {"request_login_code": "contest.web.account.forms.LoginForm"}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*"]
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 600
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
# Nobody learns here whether an address has an account: the answer stands in a message to that address.
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Leitai: "
ACCOUNT_MAX_EMAIL_ADDRESSES = 5
ACCOUNT_SESSION_REMEMBER = True
# Never by name alone, which would let a stranger lock somebody out: contest.infra.attempts counts who asks for a code.
ACCOUNT_RATE_LIMITS = {"request_login_code": None, "confirm_email": "20/m/ip"}
ACCOUNT_USER_DISPLAY = "contest.web.account.adapter.display"
# Players have passkeys; the staff's second factor may be a code besides (contest.desk.access).
MFA_SUPPORTED_TYPES = ["webauthn"]
MFA_TOTP_ISSUER = "Leitai"
SECOND_FACTOR_FOR_STAFF = True
AUTHENTICATION_BACKENDS = ["contest.staff.roles.Backend"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Browsers allow passkeys on plain http for localhost alone.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS

# Who runs the site, in their own words; shown where they are given (contest.web.pages.reading)

OPERATOR = {
    name: words
    for name in ("name", "imprint", "contact", "privacy_contact", "icp_number")
    if (words := env(f"OPERATOR_{name.upper()}", default=""))
}

# Where people tell of faults that endanger somebody: an address such as mailto:… or https://…, shown in security.txt
SECURITY_CONTACT = env("SECURITY_CONTACT", default="")

# Messages: without a server of its own the site prints them to its output

vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
EMAIL_TIMEOUT = 10
# How many letters to subscribers may leave in a minute (contest.outreach.newsletter.delivery).
MAIL_PER_MINUTE = env.int("MAIL_PER_MINUTE", default=60)
# An address that refused so many letters for good, one after another, gets no more until its owner asks again.
MAIL_MOST_REFUSALS = env.int("MAIL_MOST_REFUSALS", default=3)
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env("EMAIL_FROM", default="Leitai <leitai@localhost>")

# Languages and time: stored in UTC, organisers enter and see Beijing time (rule 3.5)

LANGUAGE_CODE = "zh-hans"
LANGUAGES = [("zh-hans", _("Simplified Chinese")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "contest" / "locale"]
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "Asia/Shanghai"

# Static files: one box serves them as they lie; production serves hashed and compressed copies (collectstatic)

STATIC_URL = "/static/"
STATIC_ROOT = None if EMBEDDED else (BASE_DIR if IN_CHECKOUT else DATA_DIR) / "static"
WHITENOISE_USE_FINDERS = EMBEDDED
WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if EMBEDDED
        else "contest.web.shell.static.HashedStaticFiles"
    },
}

# Security

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [
    r"^(healthz|readyz|metrics)$",
    # Older programs follow no redirect (docs/legacy.md).
    r"^(api/competition|submit_result\.php|solution_table\.php)",
]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
if BEHIND_PROXY:
    # Only a proxy of ours sets this header; it must drop the one a client sends.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
_PREFIX = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME = f"{_PREFIX}session"
CSRF_COOKIE_NAME = f"{_PREFIX}csrf"
CLAIMS_COOKIE_NAME = f"{_PREFIX}claims"
DEVICE_COOKIE_NAME = f"{_PREFIX}device"
CSRF_COOKIE_HTTPONLY = True
# A request may be this large where a solution is sent, and elsewhere; the import of level files has its own limit.
MAX_SUBMISSION_BODY = 2_621_440
MAX_BODY = 262_144
# Levels that organisers bring: a collection may have 10 MiB. More is let in, to be refused in the form it came with, so
# that nothing typed beside it is lost; what is no file is bounded by DATA_UPLOAD_MAX_MEMORY_SIZE.
MAX_LEVELS_BODY = 33_554_432
DATA_UPLOAD_MAX_MEMORY_SIZE = 11_534_336
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200

# The bot API

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["contest.api.renderers.JSON"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    "EXCEPTION_HANDLER": "contest.api.errors.problem",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Leitai",
    "DESCRIPTION": "Enter Sokoban rounds, read levels, standings and results. docs/api.md tells how.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "PREPROCESSING_HOOKS": ["contest.api.schema.only_ours"],
    "POSTPROCESSING_HOOKS": ["contest.api.schema.complete"],
    "SORT_OPERATIONS": False,
}

# Whether browsers keep the player for when there is no network; 0 makes them drop what they kept
OFFLINE_PLAY = env.bool("OFFLINE_PLAY", default=True)

# Whether programs written for letslogic.com may call this site (docs/letslogic.md)
LETSLOGIC = env.bool("LETSLOGIC", default=False)

# Whether webhooks may lead into the site's own network, over plain http too: for a closed network only
WEBHOOKS_MAY_STAY_INSIDE = env.bool("WEBHOOKS_MAY_STAY_INSIDE", default=False)

# The older programs' protocol: how long a submission waits for a worker before the web process judges it itself
LEGACY_WAIT_SECONDS = 0.3

# The contest

# Rule 5.9: how many submissions a player may send in a span of seconds, and in a whole round.
QUOTA_PER_SECONDS = {60: 10, 3_600: 120}
QUOTA_PER_ROUND = 1_000
QUOTA_BYTES_PER_ROUND = 33_554_432
# Rules 5.2, 5.9: a text pushes back its sender's next one by so many times what it costs the judge, so that one player
# or address has a tenth of a judge while others wait. Whose next one would come later than this is refused until then.
TURN_FACTOR = 10
MOST_AHEAD_SECONDS = env.float("MOST_AHEAD_SECONDS", default=30.0)
# The same rule: what passes the gate in a minute, from an address without proof of a nickname and under a token.
ADDRESS_PER_MINUTE = env.int("ADDRESS_PER_MINUTE", default=30)
TOKEN_PER_MINUTE = env.int("TOKEN_PER_MINUTE", default=120)
# How many animations of replays an address may order in a minute; those that are there already cost nothing.
FILMS_PER_MINUTE = env.int("FILMS_PER_MINUTE", default=6)
# How many strict questions of Klotski, a second of a worker each, an address may ask in a minute.
KLOTSKI_PER_MINUTE = env.int("KLOTSKI_PER_MINUTE", default=20)
# How many questions to the solver an address may send in a minute, and what one may cost (docs/vetting.md).
QUESTIONS_PER_MINUTE = env.int("QUESTIONS_PER_MINUTE", default=20)
SOLVER_MEGABYTES = env.int("SOLVER_MEGABYTES", default=1024)
# The longest question, and what one person, or one network together, may ask for in a day. 0 closes the door.
ASKED_SECONDS = env.int("ASKED_SECONDS", default=60)
ASKED_SECONDS_PER_DAY = env.int("ASKED_SECONDS_PER_DAY", default=900)
NETWORK_SECONDS_PER_DAY = env.int("NETWORK_SECONDS_PER_DAY", default=3_600)
HINT_SECONDS = env.int("HINT_SECONDS", default=5)
# What the program may spend on each level after its reveal; 0: nothing is studied.
STUDY_SECONDS = env.int("STUDY_SECONDS", default=60)
# How often an address may ask in a minute that an e-mail address get letters.
LETTERS_PER_MINUTE = env.int("LETTERS_PER_MINUTE", default=5)
# Rule 17: a new round gets a copy of its own; what differs from the rulebook's defaults stands here.
DEFAULT_ROUND_SETTINGS: dict[str, Any] = RoundSettings().as_json()

# When the judge counts as late: so many seconds after its last canary, and with a submission waiting for so long.
# A killed worker's submissions wait for a minute (docs/judging.md), so the second is longer than that.
CANARY_SECONDS = env.int("CANARY_SECONDS", default=30)
WAITING_SECONDS = env.int("WAITING_SECONDS", default=120)
# Without a token /metrics answers this very machine alone.
METRICS_TOKEN = env("METRICS_TOKEN", default="")

# Logs go to standard error, one line each: for people, or as JSON

LOG_FORMAT = env("LOG_FORMAT", default="line")
if LOG_FORMAT not in ("line", "json"):
    raise ImproperlyConfigured(f'LOG_FORMAT is "line" or "json", not {LOG_FORMAT!r}.')
# A line for every request answered.
LOG_REQUESTS = env.bool("LOG_REQUESTS", default=LOG_FORMAT == "json")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"context": {"()": "contest.infra.logs.Context"}},
    "formatters": {"line": {"()": "contest.infra.logs.Line"}, "json": {"()": "contest.infra.logs.JSON"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "filters": ["context"], "formatter": LOG_FORMAT}},
    "root": {"handlers": ["stderr"], "level": env("LOG_LEVEL", default="INFO")},
    # A refusal is the sender's affair; whoever sends a flood of them must not fill the log too.
    "loggers": {"django.request": {"level": "ERROR"}},
}
