"""The web server's entrance, and the beat that shows it is open (rule 3.10)."""

import logging
import os
import time
from collections.abc import Callable, Iterable
from threading import Thread

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "contest.settings")

_site = get_wsgi_application()

from django.conf import settings  # noqa: E402 - Django has to be set up before this and what follows is imported
from django.db import connection  # noqa: E402
from django.template import engines  # noqa: E402
from django.urls import get_resolver  # noqa: E402

from contest.entrance.pages import Entrance  # noqa: E402
from contest.entrance.posts import SubmissionEntrance  # noqa: E402
from contest.front import memory  # noqa: E402
from contest.infra.postgres import waits  # noqa: E402
from contest.ops import metrics, outages  # noqa: E402
from contest.staff import first_minutes  # noqa: E402

log = logging.getLogger(__name__)
application: Callable[..., Iterable[bytes]] = _site
if settings.FAST_PATHS["kept_pages"]:
    application = Entrance(application)
if settings.FAST_PATHS["early_posts"]:
    application = SubmissionEntrance(application)

waits.bound()
# All are read at the first request else. Where no file can be opened then, Django keeps the tag libraries that it
# found, and the process knows no `static` for as long as it lives.
engines.all()
get_resolver().url_patterns  # noqa: B018 - a look reads it

_BEAT_SECONDS = 15.0
# After a database that was away is back, what an outage holds back must not show for long.
_RETRY_SECONDS = 1.0


def _beats() -> bool:
    try:
        outages.beat()
    except Exception as error:  # whatever the database's client raises: the process goes on, and says what it can
        log.warning("No heartbeat (%s)", error.__class__.__name__)
        return False
    finally:
        connection.close()
    return True


def _keep_beating(*, is_beating: bool) -> None:
    while True:
        time.sleep(_BEAT_SECONDS if is_beating else _RETRY_SECONDS)
        is_beating = _beats()
        metrics.flush()
        memory.give_back()


def _say_who_reaches_us() -> None:
    try:
        first_minutes.end_where_reached()
    except Exception as error:  # the same: each visit to the desk looks again
        log.warning("Not remembered that the site can be reached (%s)", error.__class__.__name__)
    finally:
        connection.close()


_say_who_reaches_us()
# Once before the first request: a silence that ends now is written down before anything is shown.
Thread(target=_keep_beating, kwargs={"is_beating": _beats()}, name="heartbeat", daemon=True).start()
