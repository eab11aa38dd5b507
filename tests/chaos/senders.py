"""People who send as a good client does: one key for each submission, and again until there is a receipt."""

import contextlib
import http.client
import json
import random
import secrets
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class LevelToSend:
    """A level, its solutions, and walks that lead back to where they began."""

    text: str
    solutions: tuple[str, ...]
    loops: tuple[str, ...]


LEVELS = {
    # Few moves here cost pushes, and few pushes moves: the two rankings differ.
    "main": LevelToSend(
        "#######|##----#|#---#-#|#--$.-#|#--#@-#|#######",
        ("uLulldRR", "ruuulldldR"),
        ("rl", "ud", "ruld", "urdl"),
    ),
    "extra": LevelToSend("######|#@---#|#-$--#|#--.-#|######", ("rDldR",), ("rl", "rrll", "du", "rrrlll")),
}
# In a text: what becomes of the judge that reads it.
KILLS, CRASHES = "kills the judge", "crashes the judge"
SENT_ONCE = 0.9
PLAYER_SENDS = 40
PATIENCE = 90.0
NO_ANSWER = 0


@dataclass(frozen=True)
class Order:
    """What a person wants to send."""

    nickname: str
    moves: str
    slot: str = ""
    key: str = field(default_factory=lambda: secrets.token_hex(16))


@dataclass(frozen=True)
class Kept:
    """A receipt in the hands of its owner."""

    order: Order
    receipt: dict[str, Any]


class Refusal(Exception):
    """The site said no where it should have said yes."""


class Client:
    """One person's connection; it tries again until it has a receipt."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.connection: http.client.HTTPConnection | None = None
        self.retries = 0
        self.claims: dict[str, str] = {}
        self.slowest = 0.0

    def send(self, order: Order) -> Kept:
        """Send until there is a receipt. Raise Refusal where the site refuses, or gives none for PATIENCE seconds."""
        body = {"nickname": order.nickname, "moves": order.moves, "slot": order.slot}
        if claim := self.claims.get(order.nickname):
            body["claim"] = claim
        until, wait = time.monotonic() + PATIENCE, 0.05
        while True:
            status, answer = self.post(body, order.key)
            if status == 202:
                self.claims.setdefault(order.nickname, answer.get("claim") or answer["id"])
                return Kept(order, answer)
            if status not in (NO_ANSWER, 429, 503):
                raise Refusal(f"{status} {answer}")
            if time.monotonic() > until:
                raise Refusal(f"no receipt after {PATIENCE:.0f} s; at last {status} {answer}")
            self.retries += 1
            time.sleep(wait)
            wait = min(2 * wait, 1.0)

    def post(self, body: dict[str, str], key: str) -> tuple[int, dict[str, Any]]:
        """Return the status and the answer, or NO_ANSWER."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        started = time.monotonic()
        try:
            self.connection = self.connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            self.connection.request("POST", "/api/v1/submissions/", json.dumps(body), headers)
            response = self.connection.getresponse()
            text = response.read()
            answer = json.loads(text) if "json" in response.headers.get("Content-Type", "") else {}
        except (OSError, http.client.HTTPException, ValueError):
            self.close()
            return NO_ANSWER, {}
        self.slowest = max(self.slowest, time.monotonic() - started)
        return response.status, answer

    def close(self) -> None:
        if self.connection:
            self.connection.close()
            self.connection = None


class Sender(threading.Thread):
    """A thread of people, one after the other, each under a new nickname."""

    def __init__(self, crowd: "Crowd", seed: int) -> None:
        super().__init__(name=f"sender-{seed}", daemon=True)
        self.crowd = crowd
        self.chance = random.Random(seed)
        self.client = Client(crowd.port)

    def run(self) -> None:
        try:
            while not self.crowd.is_over.is_set():
                self._one_person()
        except Exception as trouble:  # the crowd's owner raises it in the thread that counts
            self.crowd.troubles.append(trouble)
        finally:
            self.client.close()

    def _one_person(self) -> None:
        nickname = f"p{secrets.token_hex(5)}"
        sent: set[str] = set()
        for _ in range(PLAYER_SENDS):
            order = self._order(nickname, sent)
            kept = self.client.send(order)
            self.crowd.kept.append(kept)
            if self.chance.random() > SENT_ONCE:
                again = self.client.send(order)
                if again.receipt["id"] != kept.receipt["id"]:
                    raise Refusal(f"two receipts for one key: {kept}, {again}")
            if self.crowd.is_over.wait(self.crowd.rest * self.chance.random() * 2):
                return

    def _order(self, nickname: str, sent: set[str]) -> Order:
        """Something this person has not sent yet."""
        while (moves := some_moves(self.chance)) in sent:
            pass
        sent.add(moves)
        return Order(nickname, moves, self.chance.choice(["", "", "main", "extra"]))


def some_moves(chance: random.Random) -> str:
    """Mostly a solution after a walk, sometimes one that fails, in letters of either case."""
    level = chance.choice(list(LEVELS.values()))
    walk = "".join(chance.choices(level.loops, k=chance.randrange(14)))
    ending = chance.choice([*level.solutions] * 5 + ["", "llll", "no moves at all", "uuuu"])
    return "".join(chance.choice([letter, letter.upper()]) for letter in walk + ending)


class Crowd:
    """Several senders at once, and all their receipts."""

    def __init__(self, port: int, size: int = 6, rest: float = 0.06) -> None:
        self.port = port
        self.rest = rest
        self.kept: list[Kept] = []
        self.troubles: list[Exception] = []
        self.is_over = threading.Event()
        self.senders = [Sender(self, random.randrange(2**32)) for _ in range(size)]

    @property
    def retries(self) -> int:
        return sum(sender.client.retries for sender in self.senders)

    def finish(self) -> None:
        """Let everybody get the receipt they wait for, then go home; raise what went wrong for one of them."""
        self.is_over.set()
        for sender in self.senders:
            sender.join(PATIENCE + 20)
        if self.troubles:
            raise self.troubles[0]


@contextlib.contextmanager
def sending(port: int, kept: list[Kept], size: int = 6, rest: float = 0.06) -> Iterator[Crowd]:
    """Let a crowd send while the block runs; its receipts go to *kept*."""
    crowd = Crowd(port, size, rest)
    for sender in crowd.senders:
        sender.start()
    try:
        yield crowd
    finally:
        try:
            crowd.finish()
        finally:
            kept += crowd.kept
