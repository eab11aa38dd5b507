"""The files of an installed site: its settings, systemd units and the proxy's configuration."""

import os
import re
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, urlsplit

import environ
from django.conf import settings

from contest.installing.questions import EMBEDDED, NONE, SQLITE, listens_on, redis_program

SETTINGS = "leitai.env"
CADDYFILE = "Caddyfile"
UNITS = "systemd"
TARGET = "leitai.target"


def read_settings(folder: Path) -> dict[str, str]:
    """Return the settings in *folder*; none if it has no such file."""
    values: dict[str, str] = {}

    class Reader(environ.Env):  # type: ignore[misc]  # it has no types
        ENVIRON = values

    if (folder / SETTINGS).exists():
        Reader.read_env(folder / SETTINGS)
    return values


def new_settings(folder: Path, answers: Mapping[str, str], present: Mapping[str, str]) -> dict[str, str]:
    """Return the settings for *answers*; those of *present* that no answer decides stay."""
    url, data = urlsplit(answers["address"]), folder / "data"
    has_proxy = url.scheme == "https"
    own = own_services(folder)
    values = {
        "SECRET_KEY": present.get("SECRET_KEY") or secrets.token_urlsafe(50),
        "SITE_URL": answers["address"].rstrip("/"),
        "ALLOWED_HOSTS": ",".join(dict.fromkeys([str(url.hostname), "127.0.0.1"])),
        "HTTPS": str(int(has_proxy)),
        "BEHIND_PROXY": str(int(has_proxy)),
        "TRUSTED_PROXIES": "127.0.0.1" if has_proxy else "",
        "DATABASE_URL": own[SQLITE] if answers["database"] == SQLITE else answers["database"],
        "REDIS_URL": own[EMBEDDED] if answers["redis"] == EMBEDDED else answers["redis"],
        "EMAIL_URL": own[NONE] if answers["mail"] == NONE else answers["mail"],
        "DATA_DIR": str(data),
        "BACKUP_FOLDER": str(folder / "backups"),
        "NUMBA_CACHE_DIR": str(data / "numba"),
    }
    return {"EMAIL_FROM": f"Leitai <leitai@{url.hostname}>"} | dict(present) | values


def own_services(folder: Path) -> dict[str, str]:
    """Return the values of the settings for the answers that need no other server."""
    data = folder / "data"
    return {
        SQLITE: f"sqlite:///{quote(str(data / 'db.sqlite3'))}",
        EMBEDDED: f"unix://{data / 'redis.sock'}",
        NONE: "consolemail://",
    }


def settings_text(values: Mapping[str, str]) -> str:
    """Write *values* so that systemd, django-environ and a shell read the same."""
    lines = ["# The settings of this site (docs/how-to/operations.md, Environment). Restart the site after a change."]
    for name, value in values.items():
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'{name}="{escaped}"')
    return "\n".join(lines) + "\n"


def proxy_text(values: Mapping[str, str]) -> str:
    """Return the configuration of Caddy that deploy/Caddyfile has, for a proxy on the same machine."""
    host, port = listens_on(values["SITE_URL"])
    text = (settings.TEXTS_DIR / "deploy" / "Caddyfile").read_text(encoding="utf-8")
    text = text.replace("web:8000", f"{host}:{port}").replace("{$SITE_HOST}", urlsplit(values["SITE_URL"]).netloc)
    # Caddy 2.6 of Debian 12 does not know it; it only saves the site some work.
    return re.sub(r"\n\s*# A small body.*\n\s*request_buffers .*", "", text)


_SERVICE = """\
[Unit]
Description=Leitai: {about}
Wants=network-online.target
After=network-online.target postgresql.service redis-server.service leitai-redis.service
PartOf=leitai.target

[Service]
User={user}
WorkingDirectory={folder}
EnvironmentFile={folder}/leitai.env
ExecStart={command}
UMask=0077
NoNewPrivileges=yes
PrivateTmp=yes
ProtectSystem=full
"""
_STAYS = """\
Restart=always
RestartSec=2
KillMode=mixed
TimeoutStopSec=40
LimitNOFILE=65536
"""
_TARGET = """\
[Unit]
Description=Leitai: the whole site
Wants={units}

[Install]
WantedBy=multi-user.target
"""
_TIMER = """\
[Unit]
Description=Leitai: a backup every night
PartOf=leitai.target

[Timer]
OnCalendar=*-*-* 19:30:00 UTC
# The first one soon; today's is made only once.
OnActiveSec=5min
"""


def unit_texts(folder: Path, values: Mapping[str, str], user: str) -> dict[str, str]:
    """Return the systemd units by file name. Their output goes to the journal, which limits its own size."""
    texts = {}
    for name, (about, arguments) in _commands(folder, values).items():
        command = " ".join(arguments).replace("%", "%%")
        service = _SERVICE.format(about=about, user=user, folder=folder, command=command)
        if name == "redis":
            service = service.replace(" leitai-redis.service", "")
        texts[f"leitai-{name}.service"] = service + ("Type=oneshot\n" if name == "backup" else _STAYS)
    texts["leitai-backup.timer"] = _TIMER
    wanted = [name for name in texts if name != "leitai-backup.service"]
    return texts | {TARGET: _TARGET.format(units=" ".join(wanted))}


def _commands(folder: Path, values: Mapping[str, str]) -> dict[str, tuple[str, list[str]]]:
    """Return what each service is, and its command (docs/how-to/operations.md, Without Docker)."""
    python, data, backups = sys.executable, values["DATA_DIR"], values["BACKUP_FOLDER"]
    host, port = listens_on(values["SITE_URL"])
    # SQLite has one writer at a time: one process for each queue, which saves memory.
    pools = ("solo", "1"), ("solo", "1")
    if not values["DATABASE_URL"].startswith("sqlite"):
        pools = ("prefork", "2"), ("prefork", "1")
    commands = {
        "web": [python, "-m", "contest.front", "--host", host, "--port", str(port), "contest.wsgi:application"],
        "judge": _worker(python, "judge", *pools[0]),
        "solve": _worker(python, "solve", *pools[1]),
        "beat": [*_celery(python), "beat", "-s", f"{data}/celerybeat-schedule", "--pidfile="],
        "backup": [python, "-m", "contest", "--folder", str(folder), "backup", "--due", backups],
    }
    about = {"web": "web server", "solve": "long jobs, letters and searches", "beat": "periodic jobs"}
    if values["REDIS_URL"] == own_services(folder)[EMBEDDED]:
        commands["redis"] = _redis(data)
    return {name: (about.get(name, name), command) for name, command in commands.items()}


def _celery(python: str) -> list[str]:
    return [python, "-m", "celery", "-A", "contest"]


def _worker(python: str, queue: str, pool: str, processes: str) -> list[str]:
    options = ["-P", pool, "-c", processes, "--without-gossip", "--without-mingle"]
    return [*_celery(python), "worker", "-l", "info", "-Q", queue, *options, "-n", f"{queue}@%h"]


def _redis(data: str) -> list[str]:
    """Return a Redis that listens only on a socket in *data* and stores nothing on disk."""
    options = ["--port", "0", "--unixsocket", f"{data}/redis.sock", "--unixsocketperm", "700", "--dir", data]
    bounds = ["--maxmemory", "256mb", "--maxmemory-policy", "volatile-lru"]
    return [redis_program() or "redis-server", *options, "--save", '""', "--appendonly", "no", *bounds]


def write(path: Path, text: str, mode: int, *, force: bool) -> str:
    """Write a file unless there is one; return what was done. With *force* replace it, at once."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return "unchanged"
    if path.exists() and not force:
        return "kept; it differs from what this version writes, and --force replaces it"
    partial = path.with_name(f"{path.name}.new")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
        file.write(text)
    partial.replace(path)
    return "written"
