"""What is done to a site while people send to it. Each ends with everything running again."""

import json
import random
import secrets
import signal
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.chaos import oracle
from tests.chaos.senders import CRASHES, KILLS, Client, Kept, Order
from tests.chaos.site import Site

SOLUTION = "rDldR"


@dataclass
class Trial:
    """A site, the receipts that people hold, and those of what staff must have got."""

    site: Site
    kept: list[Kept] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    slowest_healing: float = 0.0

    def send(self, moves: str = SOLUTION, nickname: str = "", **fields: str) -> Kept:
        """Send as somebody new, and keep the receipt."""
        client = Client(self.site.port)
        try:
            self.kept.append(client.send(Order(nickname or f"x{secrets.token_hex(5)}", moves, **fields)))
        finally:
            client.close()
        return self.kept[-1]

    def count(self) -> oracle.Count:
        """Wait until the site has healed, then count everything."""
        self.slowest_healing = max(self.slowest_healing, self.site.heal())
        found = oracle.count(self.site.database, self.kept, self.held)
        found.wrong += self.site.wrong_boards()
        return found


# The judges


def kill_judges(trial: Trial) -> None:
    """Kill judges at work, one after the other, at any moment."""
    for name in ("judge 0", "judge 1"):
        _wait_until_at_work(trial, name)
        time.sleep(random.random() / 2)
        trial.site.kill(name)


def _wait_until_at_work(trial: Trial, name: str) -> None:
    trial.site.wait_until(f"{name} is at work", lambda: trial.site.is_at_work(name), 30)


def _wait_until_done(trial: Trial, order: str) -> None:
    trial.site.wait_until(f"somebody has carried out: {order}", lambda: trial.site.is_done(order), 30)


def kill_judges_with_rows_in_hand(trial: Trial) -> None:
    """Kill one judge in the middle of a replay and one in the middle of the transaction that records."""
    for order in ("die while judging", "die while recording"):
        trial.site.order(order)
        _wait_until_done(trial, order)


def stop_a_judge(trial: Trial) -> None:
    """Ask a judge to stop in the middle of its work, as every upgrade does."""
    _wait_until_at_work(trial, "judge 0")
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


# The web server


def kill_web(trial: Trial) -> None:
    """Kill the web server with requests in every state."""
    time.sleep(random.random())
    trial.site.kill("web")
    trial.site.wait_until("the web answers", trial.site.is_up, 30)


def kill_web_before_it_answers(trial: Trial) -> None:
    """Kill the web server after a commit, before the answer: whoever sent gets that receipt by the same key."""
    trial.site.order("die before the answer")
    trial.send()
    _wait_until_done(trial, "die before the answer")


def kill_web_in_the_group_commit(trial: Trial) -> None:
    """Kill the web server when the submissions of several people are written together and not yet committed."""
    _send_together_until_done(trial, "die while storing")
    trial.site.wait_until("the web answers", trial.site.is_up, 30)


def stall_web_in_the_group_commit(trial: Trial) -> None:
    """Stop the web server there for a while: whoever sends again gets one receipt for one text."""
    site = trial.site

    def let_go_on() -> None:
        site.wait_until("the web has stopped", lambda: site.is_stalled("web"), 60)
        with site.going_on("web"):
            time.sleep(2)

    helper = threading.Thread(target=let_go_on)
    helper.start()
    _send_together_until_done(trial, "stall while storing")
    helper.join(90)
    site.wait_until("the web answers", site.is_up, 30)


def _send_together_until_done(trial: Trial, order: str) -> None:
    """Let many send at once, so that some are stored together, until the web server has carried out *order*."""

    def send() -> None:
        while not trial.site.is_done(order):
            trial.send()

    trial.site.order(order)
    crowd = [threading.Thread(target=send) for _ in range(12)]
    for one in crowd:
        one.start()
    _wait_until_done(trial, order)
    for one in crowd:
        one.join(120)


def kill_web_in_mid_post(trial: Trial) -> None:
    """Kill the web server with half of a request read; the sender sends it again."""
    order = Order(f"x{secrets.token_hex(5)}", SOLUTION)
    body = json.dumps({"nickname": order.nickname, "moves": order.moves}).encode()
    lines = [
        "POST /api/v1/submissions/ HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        f"Idempotency-Key: {order.key}",
    ]
    head = "\r\n".join([*lines, "", ""]).encode()
    with socket.create_connection(("127.0.0.1", trial.site.port), timeout=10) as connection:
        connection.sendall(head + body[: len(body) // 2])
        time.sleep(0.2)
        trial.site.kill("web")
    trial.site.wait_until("the web answers", trial.site.is_up, 30)
    with socket.create_connection(("127.0.0.1", trial.site.port), timeout=10) as connection:
        connection.sendall(head + body[: len(body) // 2])  # and the line is cut: nothing may come of it
    trial.send(order.moves, order.nickname, key=order.key)


def send_twins(trial: Trial) -> None:
    """Send the same request ten times at once, under a nickname nobody had: all get one receipt."""
    order = Order(f"x{secrets.token_hex(5)}", SOLUTION)
    start, kept = threading.Barrier(10), []

    def send() -> None:
        client = Client(trial.site.port)
        start.wait()
        kept.append(client.send(order))
        client.close()

    twins = [threading.Thread(target=send) for _ in range(10)]
    for twin in twins:
        twin.start()
    for twin in twins:
        twin.join(60)
    if len(kept) != 10 or len({one.receipt["id"] for one in kept}) != 1:
        raise AssertionError(f"ten requests with one key gave {[one.receipt['id'] for one in kept]}")
    trial.kept.append(kept[0])


# Redis


def kill_redis(trial: Trial) -> None:
    """Kill Redis, with everything in it."""
    time.sleep(random.random() / 2)
    trial.site.kill("redis", down=0.3)


def empty_redis(trial: Trial) -> None:
    """Forget every message, mark and count."""
    for _ in range(5):
        time.sleep(0.2)
        trial.site.redis("FLUSHALL")


def pause_redis_then_refuse(trial: Trial) -> None:
    """Let Redis hang, then let nothing listen there; people get their receipts and verdicts all the same."""
    with trial.site.paused("redis"):
        _goes_on_without_redis(trial, 15)
    with trial.site.down("redis"):
        _goes_on_without_redis(trial, 10)


def _goes_on_without_redis(trial: Trial, seconds: float) -> None:
    started = time.monotonic()
    number = trial.send().receipt["number"]
    left = seconds - (time.monotonic() - started)
    if left < 0:
        raise AssertionError(f"a receipt took {time.monotonic() - started:.1f} s")
    trial.site.wait_until(
        "it is judged without Redis", lambda: all(row["number"] != number for row in trial.site.waiting()), left
    )


# The database


def restart_postgres_fast(trial: Trial) -> None:
    """Restart PostgreSQL as an operator does: every connection is cut, every transaction rolled back."""
    time.sleep(random.random())
    trial.site.kill("postgres", signal.SIGINT, down=0.3)


def restart_postgres_at_once(trial: Trial) -> None:
    """Restart PostgreSQL as a power cut does, without the power cut: it recovers from its log."""
    time.sleep(random.random())
    trial.site.kill("postgres", signal.SIGQUIT)


# The clock


def jump_clock(trial: Trial) -> None:
    """Move the clock that all share forth and back, with a judge killed while it was ahead."""
    trial.site.set_clock(240)
    time.sleep(0.5)
    trial.site.order("die while judging")
    _wait_until_done(trial, "die while judging")
    trial.site.set_clock(0)
    trial.site.wait_until("a lease that ends in the future keeps nobody waiting", lambda: _all_moves_on(trial), 20)


def let_one_judge_run_ahead(trial: Trial) -> None:
    """Add a judge whose machine's clock is an hour ahead, and kill it with rows in hand: they wait no hour."""
    name = trial.site.more_judge(CHAOS_SKEW="3600")
    trial.site.order("die ahead of time")
    _wait_until_done(trial, "die ahead of time")
    trial.site.remove(name)


def _all_moves_on(trial: Trial) -> bool:
    """Whether no row of those open now is still open a moment later."""
    open_now = {row["number"] for row in trial.site.waiting()}
    time.sleep(0.2)
    stuck = {row["number"] for row in trial.site.waiting()} & open_now
    return not stuck


Disturbance = Callable[[Trial], None]
# SQLite has no server to restart, nobody to take a lock from a stopped process, and one machine with one clock.
ON_ONE_BOX: tuple[Disturbance, ...] = (
    kill_judges,
    kill_judges_with_rows_in_hand,
    stop_a_judge,
    stall_judge_past_its_lease,
    poison_the_judges,
    kill_web,
    kill_web_before_it_answers,
    kill_web_in_the_group_commit,
    stall_web_in_the_group_commit,
    kill_web_in_mid_post,
    send_twins,
    kill_redis,
    empty_redis,
    pause_redis_then_refuse,
    jump_clock,
)
ON_POSTGRES: tuple[Disturbance, ...] = (
    *ON_ONE_BOX,
    stall_judge_in_its_transaction,
    restart_postgres_fast,
    restart_postgres_at_once,
    let_one_judge_run_ahead,
)
