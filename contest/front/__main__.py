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

# What the kernel keeps for us while nobody accepts; it has a bound of its own (net.core.somaxconn).
BACKLOG = 8_192
SECONDS_TO_FINISH = 20
# A process that says nothing for so long hangs, and is replaced; an overloaded machine's are merely slow.
SECONDS_TO_SAY_SOMETHING = 60


def main() -> None:
    """Listen, with as many processes as WEB_WORKERS says."""
    parser = argparse.ArgumentParser(prog="python -m contest.front", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("application", help="where the WSGI application is: module:name")
    options = parser.parse_args()
    # For the settings of this process, which its imports may have read already, and for those of each further one.
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
        # Whom a proxy heard from is for contest.infra.client_ip to say.
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
    """Let this process have as many files open as it may: each connection is one."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


if __name__ == "__main__":
    main()
