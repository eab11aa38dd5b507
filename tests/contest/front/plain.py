"""A site for the front room alone: it says what came to it, and waits where it is told to."""

import os
import time

import django

from contest.front import bodies, connections

django.setup()

# What the site's visitors have seconds for has to be over here in tenths of one.
bodies.GRACE_SECONDS = 1.0
connections.SILENT_SECONDS = 1.0
connections.HEAD_SECONDS = 2.0
connections.IDLE_SECONDS = 1.0
connections.LEAVING_SECONDS = 2.0


def application(environ, start_response):
    path, size = environ["PATH_INFO"], int(environ.get("CONTENT_LENGTH") or 0)
    if path.startswith("/wait/"):
        time.sleep(float(path.removeprefix("/wait/")))
    if path == "/process":
        time.sleep(0.1)
    if path == "/fail":
        raise RuntimeError("as ordered")
    body = {
        "/large": b"x" * 20_000_000,
        "/names": "\n".join(sorted(name for name in environ if name.startswith("HTTP_"))).encode(),
        "/sender": environ["REMOTE_ADDR"].encode(),
        "/process": str(os.getpid()).encode(),
        "/path/\xff\x00": b"as it was sent",
    }.get(path, f"{environ['REQUEST_METHOD']} {size} {len(environ['wsgi.input'].read())}".encode())
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]
