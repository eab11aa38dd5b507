from tests.chaos.disturbances.trial import Trial

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
