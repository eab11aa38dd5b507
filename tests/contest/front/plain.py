"""A site for the front room alone: it says what came to it, and waits where it is told to."""

import errno
import io
import json
import os
import time
from urllib.parse import parse_qs

import django

from contest.front import answers, bodies, connections, doors, listening

django.setup()

# What the site's visitors have seconds for has to be over here in tenths of one.
bodies.GRACE_SECONDS = 1.0
connections.SILENT_SECONDS = 1.0
connections.HEAD_SECONDS = 2.0
connections.IDLE_SECONDS = 1.0
connections.LEAVING_SECONDS = 2.0
listening._LOOK_SECONDS = 0.1
answers.MOST_UNREAD_FOR_ONE = 30_000_000

# What has happened here (`POST /happen`), and how often somebody asked for it.
feed = {"newest": 0, "asked": 0}


def tell_what_happened(environ, start_response):
    """A feed of events such as the site's: what is behind `after`, or that one may wait for it, for `seconds`."""
    feed["asked"] += 1
    asked = parse_qs(environ["QUERY_STRING"])
    after, newest = int(asked["after"][0]), feed["newest"]
    headers = [(listening.SECONDS, asked.get("seconds", ["20"])[0]), (listening.NEWEST, str(newest)), ("X-Ours", "1")]
    if newest > after:
        headers[0] = (listening.SECONDS, "0")
    body = b"".join(b"%d\n" % number for number in range(after + 1, newest + 1))
    length = [("Content-Length", str(len(body)))]
    start_response("200 OK", length + headers if environ.get(listening.WAITS_HERE) else length)
    return [body]


def answer_together(calls):
    """To who says x: how many these are, and for how many milliseconds it is there. Others are for `application`."""
    answers = []
    for environ, start_response in calls:
        body = environ["wsgi.input"].read()
        environ["wsgi.input"] = io.BytesIO(body)
        ago = time.monotonic() - environ[doors.CAME]
        told = f"{len(calls)} together, {ago * 1000:.0f}".encode() if body == b"x" else None
        if told:
            start_response("202 Accepted", [("Content-Length", str(len(told)))])
        answers.append([told] if told else None)
    time.sleep(0.2 if any(answers) else 0.0)
    return answers


def told_of(environ):
    """All that came, as JSON; each byte of the body as one letter."""
    body = environ["wsgi.input"]
    words = {name: value for name, value in environ.items() if isinstance(value, str)}
    told = json.dumps({"environ": words, "body": body.read().decode("latin-1")}).encode()
    body.seek(0)
    return told


def application(environ, start_response):
    if environ["PATH_INFO"] == listening.EVENTS:
        return tell_what_happened(environ, start_response)
    if environ["PATH_INFO"] == "/happen":
        feed["newest"] += 1
    path, size = environ["PATH_INFO"], int(environ.get("CONTENT_LENGTH") or 0)
    if path.startswith("/wait/"):
        time.sleep(float(path.removeprefix("/wait/")))
    if path == "/process":
        time.sleep(0.1)
    if path == "/fail":
        raise RuntimeError("as ordered")
    if path.endswith("/no-file"):
        raise OSError(errno.EMFILE, "as ordered")
    body = {
        "/large": b"x" * 20_000_000,
        "/names": "\n".join(sorted(name for name in environ if name.startswith("HTTP_"))).encode(),
        "/sender": environ["REMOTE_ADDR"].encode(),
        "/asked": str(feed["asked"]).encode(),
        "/process": str(os.getpid()).encode(),
        "/path/\xff\x00": b"as it was sent",
        "/api/v1/submissions/": told_of(environ),
    }.get(path, f"{environ['REQUEST_METHOD']} {size} {len(environ['wsgi.input'].read())}".encode())
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]


application.answer_together = answer_together
