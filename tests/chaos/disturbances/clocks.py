"""Disturbances of the clocks."""

import psycopg

from tests.chaos.disturbances.trial import Trial, check_service

# Seconds: longer than any test waits.
AHEAD = 3600


def jump_clock(trial: Trial) -> None:
    """Move the shared clock forth and back, with a judge killed while it was ahead."""
    trial.site.set_clock(AHEAD)
    trial.let_people_try(20)
    trial.site.carry_out("die while judging")
    trial.site.set_clock(0)
    held = {row["number"] for row in trial.site.waiting()}
    trial.site.wait_until_judged("a lease that ends in the future keeps nobody waiting", held)


def set_one_clock_ahead(trial: Trial) -> None:
    """Set the clock of one judge's machine an hour ahead, and kill it while it holds rows: they wait no hour."""
    trial.site.change_environment("judge 1", CHAOS_SKEW=str(AHEAD))
    trial.site.carry_out("die ahead of time")
    trial.site.change_environment("judge 1", CHAOS_SKEW="0")


def change_time_zone(trial: Trial) -> None:
    """Move the machine, and PostgreSQL, to the other side of the date line."""
    zone = "Pacific/Kiritimati"
    if trial.site.database.startswith("postgres"):
        with psycopg.connect(trial.site.database, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET timezone = '{zone}'")
    trial.site.change_environment(*trial.site.parts, TZ=zone)
    trial.site.wait_until("everything is up", trial.site.is_all_up)
    check_service(trial, "in another zone")
