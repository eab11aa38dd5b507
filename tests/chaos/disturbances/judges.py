"""What is done to the judges."""

import random
import secrets
import signal
import time

from tests.chaos.disturbances.trial import SOLUTION, Trial, wait_until_at_work, wait_until_done
from tests.chaos.senders import CRASHES, KILLS, Client, Order


def kill_judges(trial: Trial) -> None:
    """Kill judges at work, one after the other, at any moment."""
    for name in ("judge 0", "judge 1"):
        wait_until_at_work(trial, name)
        time.sleep(random.random() / 2)
        trial.site.kill(name)


def kill_judges_with_rows_in_hand(trial: Trial) -> None:
    """Kill one judge in the middle of a replay and one in the middle of the transaction that records."""
    for order in ("die while judging", "die while recording"):
        trial.site.order(order)
        wait_until_done(trial, order)


def stop_a_judge(trial: Trial) -> None:
    """Ask a judge to stop in the middle of its work, as every upgrade does."""
    wait_until_at_work(trial, "judge 0")
    trial.site.kill("judge 0", signal.SIGTERM)


def stall_judge_past_its_lease(trial: Trial) -> None:
    """Stop a judge that holds rows; let it go on when others have judged them."""
    _stall(trial, "stall while judging")


def stall_judge_in_its_transaction(trial: Trial) -> None:
    """Stop a judge that holds locks too, so that the database has to take them from it."""
    _stall(trial, "stall while recording")


def _stall(trial: Trial, order: str) -> None:
    site = trial.site
    site.order(order)
    site.wait_until(f"a judge has carried out: {order}", lambda: any(map(site.is_stalled, site.judges())), 20)
    name = next(filter(site.is_stalled, site.judges()))
    with site.going_on(name):
        before = max(kept.receipt["number"] for kept in trial.kept) if trial.kept else 0
        oldest = min((row["number"] for row in site.waiting()), default=before)
        site.wait_until(
            "others judge what a stalled judge holds",
            lambda: all(row["number"] > oldest for row in site.waiting()),
            20,
        )


def poison_the_judges(trial: Trial) -> None:
    """Send texts that kill or crash every judge that reads them; they cost their sender nothing."""
    nickname = f"x{secrets.token_hex(5)}"
    client, deadly = Client(trial.site.port), []
    for text in [KILLS, CRASHES] + ["rl" * count + SOLUTION for count in range(58)]:
        trial.kept.append(client.send(Order(nickname, text)))
        deadly += [trial.kept[-1].receipt["id"]] if text in (KILLS, CRASHES) else []
    trial.held += deadly
    # The quota is full: this gets through when the two are held for staff, and one of them alone would not do.
    for count in range(58, 60):
        trial.kept.append(client.send(Order(nickname, "rl" * count + SOLUTION)))
    client.close()


def kill_beats(trial: Trial) -> None:
    """Kill one of the two that wake workers from time to time, then the other: neither is missed, nor two too many."""
    for name in [name for name in trial.site.parts if name.startswith("beat")]:
        trial.site.kill(name)
        time.sleep(1)
