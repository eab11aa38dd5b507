"""The desk shows whether witnesses and witnessed logs sign (rule 24.2)."""

from datetime import timedelta

import pytest

from contest.archive.witnesses import checkpoints, records
from contest.desk import health
from contest.infra import clock
from contest.models import Checkpoint, Witnessing
from contest.rules import signed_notes
from tests import cast

pytestmark = pytest.mark.django_db
LOG, WITNESS = "log.example/leitai", "witness.example/w"
_LOG_KEY, _ = signed_notes.keys_of(LOG, b"\5" * 32)
_, _WITNESS_KEY = signed_notes.keys_of(WITNESS, b"\6" * 32)
SIGNED, SILENT, REFUSED = Witnessing.Outcome


@pytest.fixture(autouse=True)
def site(settings):
    settings.WITNESSES, settings.WITNESSED_LOGS = [f"{_WITNESS_KEY}@https://witness.example/"], [str(_LOG_KEY)]
    Checkpoint.objects.create(origin=checkpoints.origin(), size=7, root="", note="", made_at=cast.DURING)
    with clock.set_to(cast.DURING):
        yield


def store(outcome, log="", size=7, ago=timedelta(), **fields):
    witness = checkpoints.origin() if log else WITNESS
    records.store(log or checkpoints.origin(), witness, outcome, size, cast.DURING - ago, **fields)


def _figure() -> health.Figure:
    return next(figure for figure in health.all_figures(cast.DURING) if figure.name == "Witnesses")


@pytest.mark.parametrize(
    ("stored", "light", "words"),
    [
        ([], "amber", f"{WITNESS} has not signed"),
        ([(SIGNED,)], "green", "2 sign"),
        ([(SIGNED, "", 7, timedelta(days=9))], "green", "2 sign"),
        ([(SIGNED, "", 6, timedelta(hours=2)), (SILENT,)], "green", "2 sign"),
        ([(SIGNED, "", 6, timedelta(hours=4)), (SILENT,)], "amber", f"{WITNESS} has not signed"),
        ([(SIGNED,), (REFUSED,)], "red", f"{WITNESS} saw another history of localhost/leitai"),
        ([(SIGNED,), (REFUSED, LOG)], "red", f"localhost/leitai saw another history of {LOG}"),
    ],
)
def test_health_has_a_light_for_the_witnesses(stored, light, words):
    for answer in stored:
        store(*answer)
    assert (_figure().light, words in _figure().value) == (light, True), _figure()


def test_a_fork_stays_red_and_is_the_first_task_on_the_desk(organiser):
    store(SIGNED)
    store(REFUSED, LOG, fork="the checkpoint")
    store(SIGNED, LOG)
    assert (_figure().light, f"FORK: {LOG}" in _figure().value) == ("red", True)
    assert f"FORK: {LOG} has signed two different histories" in organiser.get("/en/desk/").content.decode()
