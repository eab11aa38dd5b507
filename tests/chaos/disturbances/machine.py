from tests.chaos.disk import LACKING
from tests.chaos.disturbances.trial import Lacking, Trial

# So many responses that every sender has met the trouble, and some twice.
IN_TROUBLE = 20


def fill_the_disk(trial: Trial) -> None:
    """Fill the disk to the last byte: every issued receipt stays valid, and the operator is told."""
    disk = trial.site.disk
    if not disk.is_own:
        raise Lacking(LACKING)
    with disk.full():
        trial.site.wait_until("the operator is told that the disk is full", lambda: not _is_ready(trial, "disk"))
        trial.let_people_try(IN_TROUBLE)
    trial.site.wait_until("the disk is called well again", lambda: _is_ready(trial, "disk"))


def _is_ready(trial: Trial, part: str) -> bool:
    return trial.site.readiness().get(part, False)


def kill_everything(trial: Trial) -> None:
    for _ in range(2):
        trial.site.carry_out("stall while recording")
        trial.site.kill_all(trial.site.parts)
        trial.site.wait_until("everything is up again", trial.site.is_all_up)
