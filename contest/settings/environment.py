"""Environment variables about the site and its web server."""

from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

from contest.infra.site_address import is_loopback, is_loopback_url

BASE_DIR = Path(__file__).resolve().parents[2]
# Files beside the package in a checkout are inside it when installed from a wheel.
IN_CHECKOUT = (BASE_DIR / "manage.py").is_file()
TEXTS_DIR = BASE_DIR if IN_CHECKOUT else BASE_DIR / "contest"


class _Env(environ.Env):  # type: ignore[misc]  # it has no types
    """Read the environment; an empty or malformed value names its variable."""

    def get_value(self, var: str, cast: Any = None, **given: Any) -> Any:
        text = self.ENVIRON.get(var)
        if cast in (bool, int, float) and text is not None:
            if not text.strip():
                raise ImproperlyConfigured(f"{var} is empty. Unset it for the default value.")
            if cast is bool and text.lower() not in _BOOLEANS:
                raise ImproperlyConfigured(f"{var} is 1 or 0, not {text!r}.")
        try:
            return super().get_value(var, cast=cast, **given)
        except ValueError:
            raise ImproperlyConfigured(f"{var} is a number, not {text!r}.") from None


_BOOLEANS = {*environ.Env.BOOLEAN_TRUE_STRINGS, "false", "off", "no", "n", "0"}
env = _Env()

DATA_DIR = Path(env("DATA_DIR", default=str(BASE_DIR / ".data")))
# The folder that `leitai-server init` filled (contest/__main__.py); empty: the settings come from elsewhere.
LEITAI_FOLDER = env("LEITAI_FOLDER", default="")
DEBUG = env.bool("DEBUG", default=False)
# A developer's site is on one machine.
EMBEDDED = env.bool("EMBEDDED", default=DEBUG)
# Over plain http (one machine, local network) cookies have neither Secure nor the __Host- prefix.
HTTPS = env.bool("HTTPS", default=not EMBEDDED)
BEHIND_PROXY = env.bool("BEHIND_PROXY", default=False)
LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=LOOPBACK)
# Host names used by older programs, pointed here by the operator; they use plain http (docs/reference/legacy.md).
LEGACY_HOSTS = env.list("LEGACY_HOSTS", default=[])
ALLOWED_HOSTS = [*ALLOWED_HOSTS, *LEGACY_HOSTS]
# The address the web server listens on, set by the server itself (contest/front): never set it by hand.
BOUND_TO = env("BOUND_TO", default="")
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SITE_URL = env("SITE_URL", default="").rstrip("/")


def _networks(name: str, default: list[str]) -> list[IPv4Network | IPv6Network]:
    """Parse a variable with a comma-separated list of addresses and networks."""
    try:
        return [ip_network(text.strip(), strict=False) for text in env.list(name, default=default)]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} lists addresses and networks such as 10.0.0.0/8: {error}") from None


# X-Forwarded-For is trusted only from these (contest/infra/client_ip.py).
TRUSTED_PROXIES = _networks("TRUSTED_PROXIES", [])


# It signs cookies that anybody can forge. Its beginning is refused as a SECRET_KEY, and `check --deploy` warns of it.
DEVELOPMENT_KEY = "django-insecure-development-key-for-DEBUG-on-localhost-only"


def _secret_key() -> str:
    """Return the key from the environment, or on one machine the one that `dev.py` stores with the data.

    Without either, DEBUG has the development key, unless a setting serves other machines. ALLOWED_HOSTS alone keeps
    nobody out: it limits a header that the client writes.
    """
    key: str = env("SECRET_KEY", default="")
    key_file = DATA_DIR / "secret_key"
    if not key and EMBEDDED and key_file.is_file():
        key = key_file.read_text().strip()
    public = [name for name, is_public in _settings_for_others().items() if is_public]
    if not key and DEBUG and not public:
        return DEVELOPMENT_KEY
    if len(key) < 32 or key.startswith(("django-insecure", "change")):
        why = f" DEBUG=1 has a key for this machine only, not for other machines, as set by: {', '.join(public)}."
        raise ImproperlyConfigured(
            "SECRET_KEY is missing, a placeholder or shorter than 32 characters. To develop on localhost without one, "
            "copy .env.example to .env, or set DEBUG=1. For a server set it to a long random text, for example the "
            "output of: python3 -c 'import secrets; print(secrets.token_urlsafe(50))'"
            + (why if DEBUG and not key else "")
        )
    return key


def _settings_for_others() -> dict[str, bool]:
    """Return each setting that may serve other machines than this one, and whether it does."""
    return {
        "ALLOWED_HOSTS": not set(ALLOWED_HOSTS) <= set(LOOPBACK),
        "BEHIND_PROXY": BEHIND_PROXY,
        "HTTPS": HTTPS,
        "EMBEDDED": not EMBEDDED,
        "SITE_URL": bool(SITE_URL) and not is_loopback_url(SITE_URL),
        "BOUND_TO": bool(BOUND_TO) and not is_loopback(BOUND_TO),
    }


SECRET_KEY = _secret_key()
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])

# The web server (contest/front)

WEB_WORKERS = env.int("WEB_WORKERS", default=1)
# Requests that a process handles concurrently; each may hold a database connection.
WEB_THREADS = env.int("WEB_THREADS", default=32)
# How long a web process keeps answering after SIGTERM, while its probes tell the proxy that it is stopping.
DRAIN_SECONDS = env.float("DRAIN_SECONDS", default=0 if EMBEDDED else 5)
# Size of a web process's pool of PostgreSQL connections; 0: one per thread, for any length of time.
DATABASE_CONNECTIONS = env.int("DATABASE_CONNECTIONS", default=24)
# Behind a proxy, the proxy has to limit them.
CONNECTIONS_PER_ADDRESS = env.int("CONNECTIONS_PER_ADDRESS", default=256)
