"""What is done to the clocks."""

import shutil
import struct
import subprocess
from pathlib import Path

import psycopg

from tests.chaos.disturbances.trial import Lacking, Trial, goes_on
from tests.chaos.senders import AGAIN, sending

# The round of `prepare` closes in so many hours.
CLOSES_IN = 72
# In seconds: longer than any test waits.
AHEAD = 3600


def jump_clock(trial: Trial) -> None:
    """Move the clock that all share forth and back, with a judge killed while it was ahead."""
    trial.site.set_clock(AHEAD)
    trial.let_people_try(20)
    trial.site.carry_out("die while judging")
    trial.site.set_clock(0)
    held = {row["number"] for row in trial.site.waiting()}
    trial.site.wait_until_judged("a lease that ends in the future keeps nobody waiting", held)


def let_one_judge_run_ahead(trial: Trial) -> None:
    """Set the clock of one judge's machine an hour ahead, and kill it with rows in hand: they wait no hour."""
    trial.site.change_environment("judge 1", CHAOS_SKEW=str(AHEAD))
    trial.site.carry_out("die ahead of time")
    trial.site.change_environment("judge 1", CHAOS_SKEW="0")


def set_the_machines_clock(trial: Trial) -> None:
    """Set the clock that every process sees forth and back by hours around the closing time.

    Who sends while it is after the close is told so, and nothing is stored; before it people go on.
    """
    site, file = trial.site, trial.site.folder / "ahead"
    _set_ahead(file, 0)
    site.change_environment(*site.parts, LD_PRELOAD=str(_false_clock(site.folder)), CHAOS_AHEAD=str(file))
    try:
        site.wait_until("everything is up", site.is_all_up)
        for hours in (CLOSES_IN - 1, CLOSES_IN + 1, CLOSES_IN - 3, CLOSES_IN + 2, 0):
            _set_ahead(file, hours * 3600)
            if hours > CLOSES_IN:
                _is_refused(trial)
            else:
                with sending(site.port, trial.kept):
                    goes_on(trial, f"{hours} hours ahead")
    finally:
        site.change_environment(*site.parts, LD_PRELOAD="")


set_the_machines_clock.is_alone = True  # nobody else sends: they would be refused


def _false_clock(folder: Path) -> Path:
    """A library that is loaded before libc and has its own idea of the time."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise Lacking("no C compiler (apt-get install gcc libc6-dev)")
    made = folder / "clock.so"
    source = Path(__file__).parent.parent / "clock.c"
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", made, source], check=True)
    return made


def _set_ahead(file: Path, seconds: int) -> None:
    """Write it where it is mapped: every process knows at once."""
    with file.open("r+b" if file.exists() else "wb") as mapped:
        mapped.write(struct.pack("q", seconds))


def _is_refused(trial: Trial) -> None:
    for _ in range(3):
        while (said := trial.try_to_send())[0] in AGAIN:
            pass
        status, answer = said
        if (status, answer.get("code")) != (409, "no_round"):
            raise AssertionError(f"after the close a submission was answered {status} {answer}")


def change_the_zone(trial: Trial) -> None:
    """Move the machine, and PostgreSQL, to the other side of the date line."""
    zone = "Pacific/Kiritimati"
    if trial.site.database.startswith("postgres"):
        with psycopg.connect(trial.site.database, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET timezone = '{zone}'")
    trial.site.change_environment(*trial.site.parts, TZ=zone)
    trial.site.wait_until("everything is up", trial.site.is_all_up)
    goes_on(trial, "in another zone")
