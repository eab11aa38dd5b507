import signal

from tests.chaos.disturbances.trial import SOLUTION, Trial
from tests.chaos.senders import CRASHES, KILLS, Client, Order, new_name


def kill_judges_with_rows_in_hand(trial: Trial) -> None:
    trial.site.carry_out("die while judging")
    trial.site.carry_out("die while recording")


def stop_a_judge(trial: Trial) -> None:
    trial.site.wait_until("it is at work", lambda: trial.site.is_marked("at work", "judge 0"))
    trial.site.kill("judge 0", signal.SIGTERM)


def stall_judge_past_its_lease(trial: Trial) -> None:
    _stall(trial, "stall while judging")


def stall_judge_in_its_transaction(trial: Trial) -> None:
    """Pause a judge that also holds locks, so that the database must end its session."""
    _stall(trial, "stall while recording")


def _stall(trial: Trial, order: str) -> None:
    with trial.site.stalled(order):
        held = {row["number"] for row in trial.site.waiting()}
        trial.site.wait_until_judged("others judge what a stalled judge holds", held)


def poison_the_judges(trial: Trial) -> None:
    """Send texts that kill or crash every judge that reads them; they must not count against their sender."""
    nickname, client = new_name(), Client(trial.site.port)
    for text in [KILLS, CRASHES] + ["rl" * count + SOLUTION for count in range(60)]:
        # The quota is full after sixty: the rest pass only if both poisonous texts are held and not counted.
        receipted = client.send(Order(nickname, text))
        trial.receipted.append(receipted)
        trial.held += [receipted.receipt["id"]] if text in (KILLS, CRASHES) else []
    client.connection.close()


def kill_beats(trial: Trial) -> None:
    for name in [name for name in trial.site.parts if name.startswith("beat")]:
        trial.site.kill(name)
        trial.let_people_try(20)
