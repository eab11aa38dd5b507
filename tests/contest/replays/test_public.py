import pytest

from contest.replays import public
from tests import cast


@pytest.mark.parametrize(
    ("setting", "cancelled_at", "events"),
    [
        ("at_close", None, ["close", "", ""]),
        ("at_final", None, ["final", "final", ""]),
        ("never", None, ["nothing"] * 3),
        ("at_close", cast.DURING, ["nothing"] * 3),
        ("at_final", cast.DURING, ["nothing"] * 3),
    ],
)
def test_the_event_that_makes_replays_public_is_named(during_round, setting, cancelled_at, events):
    """Rules 7.3, 7.10."""
    during_round.settings["solutions_public"] = setting
    during_round.cancelled_at = cancelled_at
    during_round.finalised_at = None if cancelled_at else cast.AFTER
    during_round.save()
    assert [public.waits_for(during_round, at) for at in (cast.DURING, cast.CLOSES, cast.AFTER)] == events
