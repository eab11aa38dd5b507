"""Settings of the site for tests: the one-box defaults unless the environment names other services."""

import atexit
import os
import shutil
import tempfile

os.environ.setdefault("SECRET_KEY", "only-for-tests-0123456789-0123456789-0123456789")
os.environ.setdefault("EMBEDDED", "1")
if "DATA_DIR" not in os.environ:
    os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="leitai-tests-")
    atexit.register(shutil.rmtree, os.environ["DATA_DIR"], ignore_errors=True)
# No server listens there: tests that need a broker get one from REDIS_URL.
os.environ.setdefault("REDIS_URL", "redis://127.0.0.1:1")
# The client must not read the developer's keyring.
os.environ.setdefault("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
# Pictures are drawn as on a machine without fonts.
os.environ.setdefault("FONT_FOLDERS", os.devnull)
# The tests are many players at one address; tests of the rate limits set their own.
os.environ.setdefault("ADDRESS_PER_MINUTE", "1000000")
os.environ.setdefault("FORMS_PER_MINUTE", "1000000")
os.environ.setdefault("FILMS_PER_MINUTE", "1000000")
os.environ.setdefault("BOARDS_PER_MINUTE", "1000000")
os.environ.setdefault("KLOTSKI_PER_MINUTE", "1000000")
os.environ.setdefault("QUESTIONS_PER_MINUTE", "1000000")
os.environ.setdefault("LETTERS_PER_MINUTE", "1000000")

from contest.settings import *  # noqa: F403 - the environment comes first
from contest.settings import CACHES, DATABASES, redis_url

ALLOWED_HOSTS = ["*"]
# Parallel workers share a Redis, and their rows have the same numbers. Separate databases for each worker keep them
# from mixing or clearing each other's data.
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
CACHES["default"]["LOCATION"] = redis_url(2 * _WORKER + 1)
LIMITS_URL = redis_url(2 * _WORKER + 2)
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DATABASES["default"].setdefault("TEST", {})
if template := os.environ.get("TEST_TEMPLATE"):  # migrated once for all workers of a run
    DATABASES["default"]["TEST"]["TEMPLATE"] = template
if "sqlite" in DATABASES["default"]["ENGINE"]:
    # pytest-django does this only for Django's own backend. A file, as a site has, for tests with many connections at
    # once: in memory a second writer is refused instead of waiting.
    file = os.environ.get("TEST_DATABASE")
    DATABASES["default"]["TEST"].setdefault("NAME", f"{file}-{_WORKER}" if file else ":memory:")
    # The test server's threads share one connection. Since Python 3.12 two threads with the same SQL may get one cached
    # statement, and with it the other's parameters: a row that exists was not found (404).
    DATABASES["default"]["OPTIONS"]["cached_statements"] = 0
# Tests begin with no levels.
OWN_LEVELS = False
# No worker process is running that could be waited for.
LEGACY_WAIT_SECONDS = RECEIPT_WAIT_SECONDS = 0.01
# Most tests of staff pages are not about signing in; those that are turn the second factor on.
SECOND_FACTOR_FOR_STAFF = False
# Each test client creates the middleware again, which would scan all 900 static files.
WHITENOISE_AUTOREFRESH = True
