"""The sabotaged entry points are not collected: they run in separate processes."""

import pytest

from tests.chaos import site
from tests.chaos.disturbances.trial import Lacking, Trial
from tests.chaos.senders import sending

collect_ignore = ["__main__.py", "prepare.py", "sabotage.py", "settings.py", "worker.py", "wsgi.py"]
# Longer than a judge may be delayed by a busy machine without losing its rows.
LEASE_SECONDS = 5


@pytest.fixture(scope="module")
def trial(request):
    """A site on the services that the module names: PostgreSQL, or one box."""
    cache = getattr(request.config, "cache", None)
    is_long = request.config.getoption("exhaustive")
    pools, beats = (("prefork", "solo", "threads"), 2) if is_long else (("prefork", "solo"), 1)
    tables = cache and cache.mkdir("migrated")
    with site.running(
        postgres=request.module.IS_ON_POSTGRES, pools=pools, beats=beats, lease=LEASE_SECONDS, cached_tables=tables
    ) as running:
        yield Trial(running)


@pytest.fixture
def survives(trial):
    def survives(disturb):
        with sending(trial.site.port, trial.receipted) as trial.crowd:
            try:
                disturb(trial)
            except Lacking as lacking:
                pytest.skip(str(lacking))
        assert trial.faults() == []

    return survives
