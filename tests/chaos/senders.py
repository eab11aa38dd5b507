"""Senders that behave as good clients: one key for each submission, and retries until there is a receipt."""

import contextlib
import http.client
import itertools
import json
import secrets
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple


class LevelToSend(NamedTuple):
    """A level, its solutions, and walks that return to their start."""

    text: str
    solutions: tuple[str, ...]
    loops: tuple[str, ...]


LEVELS = {
    # Fewer moves need more pushes and vice versa: the two rankings differ.
    "main": LevelToSend(
        "#######|##----#|#---#-#|#--$.-#|#--#@-#|#######",
        ("uLulldRR", "ruuulldldR"),
        ("rl", "ud", "ruld", "urdl"),
    ),
    "extra": LevelToSend("######|#@---#|#-$--#|#--.-#|######", ("rDldR",), ("rl", "rrll", "du", "rrrlll")),
}
# Text that kills or crashes the judge that reads it.
KILLS, CRASHES = "kills the judge", "crashes the judge"
SENT_ONCE = 0.9
PLAYER_SENDS = 40
# Seconds: only a broken site takes longer, on any machine.
PATIENCE = 600.0
# Seconds after which a sender without an answer disconnects.
RESPONSE_TIMEOUT = 60.0
NO_ANSWER = 0
_numbers = itertools.count(1)


def new_name() -> str:
    return f"p{next(_numbers)}"


@dataclass(frozen=True)
class Order:
    nickname: str
    moves: str
    slot: str = ""
    key: str = field(default_factory=lambda: secrets.token_hex(16))


@dataclass(frozen=True)
class ReceiptedOrder:
    order: Order
    receipt: dict[str, Any]


class Refusal(Exception):
    """The site refused a request that it should have accepted."""


class Client:
    """A sender's connection; it retries until it has a receipt. *tries* counts its requests."""

    def __init__(self, port: int, timeout: float = RESPONSE_TIMEOUT) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
        self.tries = 0
        self.secrets_by_name: dict[str, str] = {}

    def send(self, order: Order) -> ReceiptedOrder:
        """Send until there is a receipt. Raise Refusal if the site refuses, or gives none for PATIENCE seconds."""
        until, wait = time.monotonic() + PATIENCE, 0.05
        while True:
            status, answer = self.post(order)
            if status == 202:
                self.secrets_by_name.setdefault(order.nickname, answer.get("claim") or answer["id"])
                return ReceiptedOrder(order, answer)
            if status not in (NO_ANSWER, 429, 503) or time.monotonic() > until:
                raise Refusal(f"{status} {answer}")
            time.sleep(wait)
            wait = min(2 * wait, 1.0)

    def post(self, order: Order) -> tuple[int, dict[str, Any]]:
        body = {"nickname": order.nickname, "moves": order.moves, "slot": order.slot}
        if secret := self.secrets_by_name.get(order.nickname):
            body["claim"] = secret
        headers = {"Content-Type": "application/json", "Idempotency-Key": order.key}
        self.tries += 1
        try:
            self.connection.request("POST", "/api/v1/submissions/", json.dumps(body), headers)
            response = self.connection.getresponse()
            text = response.read()
            answer = json.loads(text) if "json" in response.headers.get("Content-Type", "") else {}
        except (OSError, http.client.HTTPException, ValueError):
            self.connection.close()  # it is reopened automatically
            return NO_ANSWER, {}
        return response.status, answer


class Sender(threading.Thread):
    def __init__(self, crowd: "Crowd", seed: int) -> None:
        super().__init__(name=f"sender-{seed}", daemon=True)
        self.crowd = crowd
        self.chance = Random(seed)
        self.client = Client(crowd.port)

    def run(self) -> None:
        try:
            while not self.crowd.is_over.is_set():
                self._send_as_one_player()
        except Exception as trouble:  # raised again in the main thread by the crowd
            self.crowd.troubles.append(trouble)
        finally:
            self.client.connection.close()

    def _send_as_one_player(self) -> None:
        nickname = new_name()
        sent: set[str] = set()
        for _ in range(PLAYER_SENDS):
            order = self._order(nickname, sent)
            receipted = self.client.send(order)
            self.crowd.receipted.append(receipted)
            if self.chance.random() > SENT_ONCE:
                repeated = self.client.send(order)
                if repeated.receipt["id"] != receipted.receipt["id"]:
                    raise Refusal(f"two receipts for one key: {receipted}, {repeated}")
            if self.crowd.is_over.wait(self.crowd.rest * self.chance.random() * 2):
                return

    def _order(self, nickname: str, sent: set[str]) -> Order:
        while (moves := some_moves(self.chance)) in sent:
            pass
        sent.add(moves)
        return Order(nickname, moves, self.chance.choice(["", "", "main", "extra"]))


def some_moves(chance: Random) -> str:
    """Return mostly a solution after a walk, sometimes one that fails, in upper and lower case."""
    level = chance.choice(list(LEVELS.values()))
    walk = "".join(chance.choices(level.loops, k=chance.randrange(14)))
    ending = chance.choice([*level.solutions] * 5 + ["", "llll", "no moves at all", "uuuu"])
    return "".join(chance.choice([letter, letter.upper()]) for letter in walk + ending)


class Crowd:
    def __init__(self, port: int, size: int = 6, rest: float = 0.06) -> None:
        self.port = port
        self.rest = rest
        self.receipted: list[ReceiptedOrder] = []
        self.troubles: list[Exception] = []
        self.is_over = threading.Event()
        self.senders = [Sender(self, next(_numbers)) for _ in range(size)]

    @property
    def tries(self) -> int:
        return sum(sender.client.tries for sender in self.senders)

    def finish(self) -> None:
        """Let every sender get the receipt it waits for, then stop; raise the first error of a sender."""
        self.is_over.set()
        for sender in self.senders:
            sender.join()
        if self.troubles:
            raise self.troubles[0]


@contextlib.contextmanager
def sending(port: int, submissions: list[ReceiptedOrder], size: int = 6, rest: float = 0.06) -> Iterator[Crowd]:
    crowd = Crowd(port, size, rest)
    for sender in crowd.senders:
        sender.start()
    try:
        yield crowd
    finally:
        try:
            crowd.finish()
        finally:
            submissions += crowd.receipted
