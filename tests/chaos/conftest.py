"""The entrances of the parts, with the sabotage in them, are for processes of their own."""

import pytest

from tests.chaos.disturbances import Lacking, people_meanwhile
from tests.chaos.senders import sending

collect_ignore = ["__main__.py", "prepare.py", "sabotage.py", "settings.py", "worker.py", "wsgi.py"]


@pytest.fixture
def survives():
    """Disturb a site while people send, let it heal, and count."""

    def survives(trial, disturb):
        with sending(trial.site.port, trial.kept, people_meanwhile(disturb)):
            try:
                disturb(trial)
            except Lacking as lacking:
                pytest.skip(str(lacking))
        found = trial.count()
        assert found.is_clean, str(found)

    return survives
