"""An application for tests of the front server: it returns what it receives, and waits when asked to."""

import errno
import io
import json
from threading import Event, Semaphore
from urllib.parse import parse_qs

import django

from contest.front import doors, listening
from contest.infra import clock

django.setup()

# The newest event (`POST /happen`), and the number of requests for events.
feed = {"newest": 0, "asked": 0}
# Released by each request that waits, and the event that they wait for.
begun = Semaphore(0)
go_on = Event()


def reset():
    feed.update(newest=0, asked=0)
    go_on.clear()
    while begun.acquire(blocking=False):
        pass


def tell_what_happened(environ, start_response):
    """A feed of events like the site's: the events after `after`, or the permission to wait for one for `seconds`."""
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


def answer_batch(calls):
    """Answer bodies "x" as a batch, with their time of arrival. Other requests go to `application`."""
    answers = []
    for environ, start_response in calls:
        body = environ["wsgi.input"].read()
        environ["wsgi.input"] = io.BytesIO(body)
        payload = f"together, {environ[doors.ARRIVED_AT]}".encode() if body == b"x" else None
        if payload:
            start_response("202 Accepted", [("Content-Length", str(len(payload)))])
        answers.append([payload] if payload else None)
    return answers


class Cache:
    def may_answer(self, environ):
        return environ["PATH_INFO"] == "/kept"

    def answer(self, _environ, start_response):
        start_response("200 OK", [("Content-Length", "10")])
        return [b"from cache"]


def dump_request(environ):
    """Return the whole request as JSON, with each byte of the body as one letter."""
    body = environ["wsgi.input"]
    words = {name: value for name, value in environ.items() if isinstance(value, str)}
    payload = json.dumps({"environ": words, "body": body.read().decode("latin-1")}).encode()
    body.seek(0)
    return payload


def application(environ, start_response):
    path, size = environ["PATH_INFO"], int(environ.get("CONTENT_LENGTH") or 0)
    if path == listening.EVENTS:
        return tell_what_happened(environ, start_response)
    if path == "/happen":
        feed["newest"] += 1
    if path in ("/wait", "/large"):
        begun.release()
    if path == "/wait":
        go_on.wait(60)
    if path.endswith("/no-file"):
        raise OSError(errno.EMFILE, "as ordered")
    body = {
        "/large": b"x" * 20_000_000,
        "/names": "\n".join(sorted(name for name in environ if name.startswith("HTTP_"))).encode(),
        "/waited": str(clock.seconds_waited() > 0).encode(),
        "/sender": environ["REMOTE_ADDR"].encode(),
        "/path/\xff\x00": b"as it was sent",
        "/api/v1/submissions/": dump_request(environ),
    }.get(path, f"{environ['REQUEST_METHOD']} {size} {len(environ['wsgi.input'].read())}".encode())
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]


application.answer_batch = answer_batch
application.cache = Cache()
