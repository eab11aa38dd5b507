"""What is done to the web server."""

import json
import random
import secrets
import socket
import threading
import time

from tests.chaos.disturbances.trial import SOLUTION, Trial, wait_until_done
from tests.chaos.senders import Client, Order


def kill_web(trial: Trial) -> None:
    """Kill the web server with requests in every state."""
    time.sleep(random.random())
    trial.site.kill("web")
    trial.site.wait_until("the web answers", trial.site.is_up, 30)


def kill_web_before_it_answers(trial: Trial) -> None:
    """Kill the web server after a commit, before the answer: whoever sent gets that receipt by the same key."""
    trial.site.order("die before the answer")
    trial.send()
    wait_until_done(trial, "die before the answer")


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
    wait_until_done(trial, order)
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
