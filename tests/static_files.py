"""The site's static files, looked at once in a run of tests."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.conf import settings
from whitenoise.middleware import WhiteNoiseMiddleware

# Whatever changes what is found, or the headers it is sent with.
NAMES = ("DEBUG", "FORCE_SCRIPT_NAME", "STATIC", "STORAGES", "WHITENOISE")


@contextmanager
def remember() -> Iterator[None]:
    """Let each middleware have what the first one found with the same settings.

    Every client of a test makes the middleware anew, which then looks at each of some 900 files: as much work as four
    requests. No test writes among them.
    """
    look, found = WhiteNoiseMiddleware.add_files_from_finders, {}

    def add_files(middleware: WhiteNoiseMiddleware) -> None:
        about = repr([(name, getattr(settings, name)) for name in dir(settings) if name.startswith(NAMES)])
        if about not in found:
            look(middleware)
            found[about] = dict(middleware.files)
        middleware.files = dict(found[about])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add_files)
        yield
