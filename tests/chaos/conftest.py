"""The entrances of the parts, with the sabotage in them, are for processes of their own."""

import pytest

from tests.chaos import disturbances, site
from tests.chaos.disturbances import Lacking
from tests.chaos.senders import sending

collect_ignore = ["__main__.py", "prepare.py", "sabotage.py", "settings.py", "worker.py", "wsgi.py"]
# Longer than a judge that is not to be robbed of its rows has to wait for a busy machine.
LEASE_SECONDS = 5


@pytest.fixture(scope="module")
def trial(request):
    """A site on what the module says: PostgreSQL, or one box."""
    cache = getattr(request.config, "cache", None)
    is_long = request.config.getoption("exhaustive")
    pools, beats = (("prefork", "solo", "threads"), 2) if is_long else (("prefork", "solo"), 1)
    tables = cache and cache.mkdir("migrated")
    with site.running(
        postgres=request.module.IS_ON_POSTGRES, pools=pools, beats=beats, lease=LEASE_SECONDS, kept_tables=tables
    ) as running:
        yield disturbances.Trial(running)


@pytest.fixture
def survives(trial):
    """Disturb a site while people send, let it heal, and count."""

    def survives(disturb):
        with sending(trial.site.port, trial.kept) as trial.crowd:
            try:
                disturb(trial)
            except Lacking as lacking:
                pytest.skip(str(lacking))
        assert trial.faults() == []

    return survives
