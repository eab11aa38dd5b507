"""The site's settings for tests: on one box unless the environment names other services."""

import atexit
import os
import shutil
import tempfile

os.environ.setdefault("SECRET_KEY", "only-for-tests-0123456789-0123456789-0123456789")
os.environ.setdefault("EMBEDDED", "1")
if "DATA_DIR" not in os.environ:
    os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="leitai-tests-")
    atexit.register(shutil.rmtree, os.environ["DATA_DIR"], ignore_errors=True)
# Nothing listens there: a test that needs a broker starts with one in REDIS_URL.
os.environ.setdefault("REDIS_URL", "redis://127.0.0.1:1")
# The tests are many players at one address; those of the gate set a limit of their own.
os.environ.setdefault("ADDRESS_PER_MINUTE", "1000000")
os.environ.setdefault("FILMS_PER_MINUTE", "1000000")
os.environ.setdefault("BOARDS_PER_MINUTE", "1000000")
os.environ.setdefault("KLOTSKI_PER_MINUTE", "1000000")
os.environ.setdefault("QUESTIONS_PER_MINUTE", "1000000")
os.environ.setdefault("LETTERS_PER_MINUTE", "1000000")

from contest.settings import *  # noqa: F403 - the environment comes first

ALLOWED_HOSTS = ["*"]
# Tests that run beside each other share a Redis, and their rows have the same numbers: each worker has its databases,
# so that nothing mixes and none empties another's.
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
CACHES["default"]["LOCATION"] = redis_url(2 * _WORKER + 1)  # noqa: F405
LIMITS_URL = redis_url(2 * _WORKER + 2)  # noqa: F405
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DATABASES["default"].setdefault("TEST", {})  # noqa: F405
if template := os.environ.get("TEST_TEMPLATE"):  # a database that has been migrated for all workers of a run
    DATABASES["default"]["TEST"]["TEMPLATE"] = template  # noqa: F405
if "sqlite" in DATABASES["default"]["ENGINE"]:  # noqa: F405
    # What pytest-django does by itself for Django's own backend alone.
    DATABASES["default"]["TEST"].setdefault("NAME", ":memory:")  # noqa: F405
# No worker is there to wait for.
LEGACY_WAIT_SECONDS = RECEIPT_WAIT_SECONDS = 0.01
# Most tests of the staff's pages are not about how somebody came in; those that are ask for the second factor.
SECOND_FACTOR_FOR_STAFF = False
# Each test client makes the middleware again, which would look through all 900 static files.
WHITENOISE_AUTOREFRESH = True
