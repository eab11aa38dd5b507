"""Start the web server: `python -m contest.front --host 127.0.0.1 --port 8000 contest.wsgi:application`."""

import argparse
import os
import resource
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "contest.settings")

import uvicorn
from django.conf import settings
from uvicorn.supervisors import Multiprocess

from contest.front.connections import GuardedConnection
from contest.front.gateway import Gateway
from contest.infra.site_address import is_loopback

# Connections that the kernel queues until we accept them; it has its own limit (net.core.somaxconn).
BACKLOG = 8_192
SECONDS_TO_FINISH = 20
# A worker that does not answer for so long is considered hung and replaced; overload alone must not exceed it.
SECONDS_TO_SAY_SOMETHING = 60


def main() -> None:
    """Listen with WEB_WORKERS processes."""
    parser = argparse.ArgumentParser(prog="python -m contest.front", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("application", help="where the WSGI application is: module:name")
    options = parser.parse_args()
    if settings.SECRET_KEY == settings.DEVELOPMENT_KEY and not is_loopback(options.host):
        parser.error(
            f"--host {options.host!r} can be reached from other machines, which could forge every cookie: everybody "
            "knows the key of DEBUG=1. Listen on 127.0.0.1, or set SECRET_KEY to a long random text and unset DEBUG."
        )
    # Set both: imports may have loaded this process's settings already; worker processes read the environment.
    settings.BOUND_TO = os.environ["BOUND_TO"] = options.host
    allow_connections()
    config = uvicorn.Config(
        Gateway(options.application),
        options.host,
        options.port,
        http=GuardedConnection,
        ws="none",
        lifespan="on",
        interface="asgi3",
        workers=settings.WEB_WORKERS,
        backlog=BACKLOG,
        log_config=None,
        access_log=False,
        # contest.infra.client_ip determines the client behind a proxy.
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
        timeout_worker_healthcheck=SECONDS_TO_SAY_SOMETHING,
    )
    if config.workers > 1:
        Multiprocess(config, sockets=[config.bind_socket()]).run()
    else:
        server = uvicorn.Server(config)
        server.run()
        sys.exit(0 if server.started else 1)


def allow_connections() -> None:
    """Raise the limit of open files to the maximum: each connection uses one."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


if __name__ == "__main__":
    main()
