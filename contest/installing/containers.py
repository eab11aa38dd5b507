"""The files of a site in containers: the repository's docker-compose.yml, for an image made from the packages."""

import secrets
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from contest.installing import files
from contest.installing.questions import NONE, BadAnswer
from contest.installing.versions import VERSION

COMPOSE, DOCKERFILE, VALUES = "docker-compose.yml", "Dockerfile", ".env"
QUESTIONS = ("address", "mail", "organiser")  # PostgreSQL, Redis and the proxy are containers too

# What differs from the repository's file: the image, where static files are, and where the proxy's file lies.
_CHANGES = (
    (
        " or several: docker compose up -d --build, with .env made from deploy/example.env.",
        ": docker compose up -d --build.",
    ),
    ("# The commands are those of dev.py run (tests/test_compose.py sees to that); more", "# More"),
    ('{REQUIREMENTS: "${REQUIREMENTS:-base}"}', '{EXTRAS: ""}'),
    ('{REQUIREMENTS: "${REQUIREMENTS:-solve}"}', '{EXTRAS: "[solving]"}'),
    ("  tmpfs: [/tmp]\n  cap_drop", '  tmpfs: [/tmp]\n  volumes: ["data:/data"]\n  cap_drop'),
    (
        "[python, manage.py, migrate, --no-input]",
        '[sh, -c, "python -m contest migrate --no-input && python -m contest collectstatic --no-input"]',
    ),
    ("[python, manage.py, backup,", "[python, -m, contest, backup,"),
    ('["./backups:/backups"]', '["data:/data", "./backups:/backups"]'),
    ("./deploy/Caddyfile:", "./Caddyfile:"),
    ("\nvolumes:\n", "\nvolumes:\n  data:\n"),
    (", see deploy/example.env", ""),
)
_DOCKERFILE = """\
# The image of this site, from the packages of one version; after an upgrade change the number and build again.
FROM python:3.11-slim-bookworm
ARG VERSION={version}
ARG EXTRAS=
RUN useradd --system --uid 10001 --no-create-home --home-dir /nonexistent leitai \\
    && python -m pip install --no-cache-dir --only-binary :all: "leitai-server$EXTRAS==$VERSION" \\
    && install -d -o leitai /data
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 DATA_DIR=/data NUMBA_CACHE_DIR=/tmp/numba
USER leitai
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \\
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["python", "-m", "contest.front", "--host", "0.0.0.0", "--port", "8000", "contest.wsgi:application"]
"""


def texts(answers: Mapping[str, str]) -> dict[str, tuple[str, int]]:
    """Return the files by name, each with its mode. Raise BadAnswer if the containers cannot serve the address."""
    return {
        VALUES: (_values(answers), 0o600),
        COMPOSE: (_compose(), 0o644),
        DOCKERFILE: (_DOCKERFILE.format(version=VERSION), 0o644),
        files.CADDYFILE: (_packaged("deploy/Caddyfile"), 0o644),
    }


def _packaged(name: str) -> str:
    return (settings.TEXTS_DIR / name).read_text(encoding="utf-8")


def _compose() -> str:
    text = _packaged(COMPOSE)
    for old, new in _CHANGES:
        text = text.replace(old, new)
    return text


def _values(answers: Mapping[str, str]) -> str:
    url = urlsplit(answers["address"])
    if url.scheme != "https" or url.port:
        raise BadAnswer("containers answer at an https address without a port, such as https://contest.example")
    if "'" in answers["mail"]:
        raise BadAnswer("write %27 for an apostrophe in the mail server")
    values = {
        "SITE_HOST": str(url.hostname),
        "SECRET_KEY": secrets.token_urlsafe(50),
        "POSTGRES_PASSWORD": secrets.token_hex(32),
        "REDIS_PASSWORD": secrets.token_hex(32),
        "EMAIL_URL": "consolemail://" if answers["mail"] == NONE else answers["mail"],
        "EMAIL_FROM": f"Leitai <leitai@{url.hostname}>",
    }
    lines = [
        "# The settings of this site (docs/how-to/operations.md, Environment). docker compose up -d applies a change."
    ]
    return "\n".join([*lines, *(f"{name}='{value}'" for name, value in values.items())]) + "\n"


def remaining_steps(folder: Path, answers: Mapping[str, str]) -> list[str]:
    """Return the commands that remain, to be copied."""
    create = f"createsuperuser --username {answers['organiser']} --email ''"
    return [
        "",
        "What remains, to be copied:",
        f"  cd {folder}",
        "  sudo install -d -o 10001 -m 700 backups",
        "  sudo docker compose up -d --build",
        f"  sudo docker compose run --rm web python -m contest {create}",
        f"Then sign in at {answers['address'].rstrip('/')}/desk/.",
    ]
