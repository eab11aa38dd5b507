"""People who send as a good client does: one key for each submission, and again until there is a receipt."""

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
# In seconds: what only a site that is broken makes anybody wait for, however busy the machine is.
PATIENCE = 600.0
# And after how long a sender without an answer hangs up.
HANGS_UP = 60.0
NO_ANSWER = 0
_numbers = itertools.count(1)


def new_name() -> str:
    """A nickname that nobody has in any site of this process."""
    return f"p{next(_numbers)}"


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
    """One person's connection; it tries again until it has a receipt. *tries* counts how often it has asked."""

    def __init__(self, port: int, hangs_up: float = HANGS_UP) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=hangs_up)
        self.tries = 0
        self.claims: dict[str, str] = {}

    def send(self, order: Order) -> Kept:
        """Send until there is a receipt. Raise Refusal where the site refuses, or gives none for PATIENCE seconds."""
        until, wait = time.monotonic() + PATIENCE, 0.05
        while True:
            status, answer = self.post(order)
            if status == 202:
                self.claims.setdefault(order.nickname, answer.get("claim") or answer["id"])
                return Kept(order, answer)
            if status not in (NO_ANSWER, 429, 503) or time.monotonic() > until:
                raise Refusal(f"{status} {answer}")
            time.sleep(wait)
            wait = min(2 * wait, 1.0)

    def post(self, order: Order) -> tuple[int, dict[str, Any]]:
        """Return the status and the answer, or NO_ANSWER."""
        body = {"nickname": order.nickname, "moves": order.moves, "slot": order.slot}
        if claim := self.claims.get(order.nickname):
            body["claim"] = claim
        headers = {"Content-Type": "application/json", "Idempotency-Key": order.key}
        self.tries += 1
        try:
            self.connection.request("POST", "/api/v1/submissions/", json.dumps(body), headers)
            response = self.connection.getresponse()
            text = response.read()
            answer = json.loads(text) if "json" in response.headers.get("Content-Type", "") else {}
        except (OSError, http.client.HTTPException, ValueError):
            self.connection.close()  # it opens again by itself
            return NO_ANSWER, {}
        return response.status, answer


class Sender(threading.Thread):
    """A thread of people, one after the other, each under a new nickname."""

    def __init__(self, crowd: "Crowd", seed: int) -> None:
        super().__init__(name=f"sender-{seed}", daemon=True)
        self.crowd = crowd
        self.chance = Random(seed)
        self.client = Client(crowd.port)

    def run(self) -> None:
        try:
            while not self.crowd.is_over.is_set():
                self._one_person()
        except Exception as trouble:  # the crowd's owner raises it in the thread that counts
            self.crowd.troubles.append(trouble)
        finally:
            self.client.connection.close()

    def _one_person(self) -> None:
        nickname = new_name()
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


def some_moves(chance: Random) -> str:
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
        self.senders = [Sender(self, next(_numbers)) for _ in range(size)]

    @property
    def tries(self) -> int:
        return sum(sender.client.tries for sender in self.senders)

    def finish(self) -> None:
        """Let everybody get the receipt they wait for, then go home; raise what went wrong for one of them."""
        self.is_over.set()
        for sender in self.senders:
            sender.join()
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
