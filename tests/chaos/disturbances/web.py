import json
import socket
from concurrent.futures import ThreadPoolExecutor

from tests.chaos.disturbances.trial import SOLUTION, Trial
from tests.chaos.senders import Client, Order, new_name, sending

# So many at once that some are stored as a batch.
MANY = 12


def kill_web_before_it_answers(trial: Trial) -> None:
    """Kill the web server after a commit, before the response: the sender gets that receipt by the same key."""
    trial.site.order("die before the answer")
    trial.send()
    trial.site.wait_until("the web has died", lambda: trial.site.is_done("die before the answer"))


def kill_web_in_the_group_commit(trial: Trial) -> None:
    """Kill the web server while submissions of several senders are written as a batch and not yet committed."""
    with sending(trial.site.port, trial.receipted, size=MANY, rest=0):
        trial.site.carry_out("die while storing")
    trial.send()


def stall_web_in_the_group_commit(trial: Trial) -> None:
    """Pause the web server there: a client that disconnects and sends the text again gets one receipt."""
    impatient, order = Client(trial.site.port, timeout=2 * trial.site.lease), Order(new_name(), SOLUTION)
    with sending(trial.site.port, trial.receipted, size=MANY, rest=0), trial.site.stalled("stall while storing"):
        impatient.post(order)
        impatient.connection.close()
    trial.send(order)


def kill_web_during_a_request(trial: Trial) -> None:
    order = Order(new_name(), SOLUTION)
    body = json.dumps({"nickname": order.nickname, "moves": order.moves}).encode()
    head = (
        "POST /api/v1/submissions/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nIdempotency-Key: {order.key}\r\n\r\n"
    )
    half = head.encode() + body[: len(body) // 2]
    with socket.create_connection(("127.0.0.1", trial.site.port)) as connection:
        connection.sendall(half)
        trial.send()  # a later request is answered, so the half has been read
        trial.site.kill("web")
    trial.site.wait_until("the web answers", trial.site.is_up)
    with socket.create_connection(("127.0.0.1", trial.site.port)) as connection:
        connection.sendall(half)  # and disconnect: this half must have no effect
    trial.send(order)


def send_twins(trial: Trial) -> None:
    order = Order(new_name(), SOLUTION)
    with ThreadPoolExecutor(10) as twins:
        ids = {submission.receipt["id"] for submission in twins.map(lambda _twin: trial.send(order), range(10))}
    assert len(ids) == 1, f"ten requests with one key gave {ids}"
