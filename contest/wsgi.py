"""The WSGI entry point, and the heartbeat that shows the site is up (rule 3.10)."""

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
from contest.web.shell.request import ReadAsUTF8  # noqa: E402

log = logging.getLogger(__name__)
_site.request_class = ReadAsUTF8
application: Callable[..., Iterable[bytes]] = _site
if settings.FAST_PATHS["kept_pages"]:
    application = Entrance(application)
if settings.FAST_PATHS["early_posts"]:
    application = SubmissionEntrance(application)

waits.set_timeouts()
# Otherwise these are loaded during the first request. If no file can be opened then, Django caches an incomplete list
# of tag libraries, and the process lacks `static` for the rest of its life.
engines.all()
get_resolver().url_patterns  # noqa: B018 - accessing it loads it

_BEAT_SECONDS = 15.0
# Once the database is back, effects of the outage must disappear quickly.
_RETRY_SECONDS = 1.0


def _beats() -> bool:
    try:
        outages.beat()
    except Exception as error:  # whatever the database client raises: the process must go on
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
        memory.trim_heap()


def _record_reachability() -> None:
    try:
        first_minutes.end_if_reachable()
    except Exception as error:  # likewise; each visit to the desk tries again
        log.warning("Not remembered that the site can be reached (%s)", error.__class__.__name__)
    finally:
        connection.close()


_record_reachability()
# Once before the first request: an outage that ends now must be recorded before any page is shown.
Thread(target=_keep_beating, kwargs={"is_beating": _beats()}, name="heartbeat", daemon=True).start()
