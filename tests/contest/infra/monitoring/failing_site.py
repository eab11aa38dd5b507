"""A site whose view, task and log tell secrets; prints what the Sentry SDK sends (test_error_reports runs it)."""

import json
import logging
import sys
from types import ModuleType

import django
import sentry_sdk
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.db import DatabaseError
from django.test import RequestFactory, override_settings
from django.urls import path

from contest.celery import app
from contest.infra import logs

SECRETS = {
    "moves": "rrrRRRlluuU",
    "board": "#######\n#@ $ .#\n#######",
    "email": "ann@example.org",
    "claim": "the-claim-of-ann",
    "receipt": "Rq3vK0hZ8tYw",
    "session": "the-session-cookie",
    "token": "leitai_play_Zx81kQwP",
}


def fail(_request, receipt):
    text = SECRETS["moves"]  # a local variable, as a view has
    raise DatabaseError(
        f"Bad {text!r} at /s/{receipt}/\nDETAIL:  Failing row contains ({', '.join(SECRETS.values())})."
    )


@app.task(name="failing")
def fail_task(moves):
    raise ValueError(f"{moves} by {SECRETS['email']}: {SECRETS['board']!r}")


def main() -> None:
    django.setup()
    sent = []
    sentry_sdk.get_client().transport.capture_envelope = sent.append
    urls = ModuleType("failing_urls")
    urls.urlpatterns = [path("en/s/<str:receipt>/", fail)]
    sys.modules["failing_urls"] = urls
    client = RequestFactory()
    client.cookies[settings.SESSION_COOKIE_NAME] = SECRETS["session"]
    request = client.post(
        f"/en/s/{SECRETS['receipt']}/?claim={SECRETS['claim']}",
        {"moves": SECRETS["moves"], "email": SECRETS["email"]},
        headers={"Authorization": f"Bearer {SECRETS['token']}", "Referer": f"/en/s/{SECRETS['receipt']}/"},
    )
    with override_settings(ROOT_URLCONF="failing_urls", MIDDLEWARE=[], ALLOWED_HOSTS=["testserver"]):
        WSGIHandler()(request.environ, lambda *_: None).close()
    logs.name_request({"HTTP_X_REQUEST_ID": "from-the-proxy"})
    fail_task.apply(args=[SECRETS["moves"]])
    logging.getLogger("contest").error("No receipt /s/%s/ for %s", SECRETS["receipt"], SECRETS["email"])
    events = [item.payload.json for envelope in sent for item in envelope.items]
    print(json.dumps({"secrets": SECRETS, "events": events}))


main()
