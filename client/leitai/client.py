"""The API as methods, with the patience a contest needs: retries that can never enter anything twice."""

import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Self

import httpx

from leitai.errors import NotReceived, Refused
from leitai.shapes import Level, Receipt, Round, Row, Submission

LONGEST_PAUSE = 60.0
_FIRST_PAUSE = 0.5
_SERVER_SIDE = (500, 502, 503, 504)


class Client:
    """One site, and with a *token* one player.

    *tries* is how often a request is sent before NotReceived; a 429 is obeyed (its Retry-After, at most a minute)
    and counts as a try.
    """

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        tries: int = 5,
        timeout: float = 15.0,
        language: str = "en",
        http: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        headers = {"Accept-Language": language, "User-Agent": "leitai-python/0.1"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._http = http or httpx.Client(timeout=timeout)
        self._http.headers.update(headers)
        self._base = url.rstrip("/") + "/api/v1/"
        self._tries = tries
        self._sleep = sleep

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections; or use the client in a with statement."""
        self._http.close()

    def rounds(self) -> Iterator[Round]:
        """All announced rounds, newest first."""
        yield from map(Round.of, self._pages("rounds/"))

    def round(self, number: int | None = None) -> Round | None:
        """The round of that *number*; without one the open round, or None while there is none."""
        if number is not None:
            return Round.of(self._get(f"rounds/{number}/"))
        return next((round_ for round_ in self.rounds() if round_.phase == "open"), None)

    def level(self, number: int, slot: str = "main") -> Level:
        return Level.of(self._get(f"rounds/{number}/{slot}/"))

    def standings(self, number: int, slot: str = "main", *, by: str = "moves", league: str = "human") -> Iterator[Row]:
        """The whole ranking, best first."""
        start = 0
        while True:
            query = {"by": by, "league": league, "start": start}
            page = self._get(f"rounds/{number}/{slot}/standings/", query)
            yield from map(Row.of, page["results"])
            start += len(page["results"])
            if not page["results"] or start >= page["count"]:
                return

    def submit(
        self,
        moves: str,
        *,
        nickname: str | None = None,
        country: str | None = None,
        email: str | None = None,
        claim: str | None = None,
        round: int | None = None,  # noqa: A002 - the API's word
        slot: str | None = None,
        idempotency_key: str | None = None,
    ) -> Receipt:
        """Enter *moves*. Raise Refused, or NotReceived: then send again with the same *idempotency_key*."""
        fields = {
            "moves": moves,
            "nickname": nickname,
            "country": country,
            "email": email,
            "claim": claim,
            "round": round,
            "slot": slot,
        }
        body = {name: value for name, value in fields.items() if value is not None}
        key = idempotency_key or uuid.uuid4().hex
        return Receipt.of(self._send("POST", "submissions/", body=body, headers={"Idempotency-Key": key}))

    def submit_all(self, entries: Iterable[Mapping[str, Any]]) -> list[Receipt | Refused]:
        """Enter up to 100 submissions in one request; each is answered for itself, in order.

        An entry has `moves`, and any of the other fields of submit; it gets an idempotency key if it has none.
        """
        items = [{"idempotency_key": uuid.uuid4().hex, **entry} for entry in entries]
        answers = self._send("POST", "submissions/", body={"submissions": items})["results"]
        return [Receipt.of(answer) if "id" in answer else Refused(answer, answer["status"]) for answer in answers]

    def submission(self, receipt_id: str, *, wait: int = 0) -> Submission:
        """A submission as it stands, after *wait* seconds (5 at most) if it is not judged before."""
        return Submission.of(self._get(f"submissions/{receipt_id}/", {"wait": wait} if wait else None))

    def verdict(self, receipt_id: str, *, patience: float = 60.0) -> Submission:
        """Wait for the verdict, up to *patience* seconds; return the submission as it is then."""
        until = time.monotonic() + patience
        while True:
            asked = time.monotonic()
            submission = self.submission(receipt_id, wait=5)
            if submission.is_judged or time.monotonic() >= until:
                return submission
            # A busy site answers at once instead of waiting.
            self._sleep(max(0.0, 1.0 - (time.monotonic() - asked)))

    def check(
        self,
        moves: str,
        *,
        board: str | None = None,
        round: int | None = None,  # noqa: A002 - the API's word
        slot: str | None = None,
    ) -> Submission:
        """Judge without entering: on a *board* of your own, or on a published level."""
        fields = {"moves": moves, "board": board, "round": round, "slot": slot}
        body = {name: value for name, value in fields.items() if value is not None}
        return Submission.of(self._send("POST", "check/", body=body))

    def _pages(self, path: str) -> Iterator[dict[str, Any]]:
        page = self._get(path)
        yield from page["results"]
        while page["next"]:
            page = self._get(page["next"])
            yield from page["results"]

    def _get(self, path: str, query: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return self._send("GET", path, query=query)

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        address = path if "://" in path else self._base + path
        if not address.startswith(self._base):
            raise Refused({"detail": f"The site sends us to another site: {address}"}, 0)
        pause, last = _FIRST_PAUSE, ""
        for attempt in range(self._tries):
            if attempt:
                self._sleep(min(pause, LONGEST_PAUSE))
                pause *= 2
            try:
                answer = self._http.request(method, address, params=query, json=body, headers=headers)
            except httpx.TransportError as error:
                last = str(error) or type(error).__name__
                continue
            if answer.status_code == httpx.codes.TOO_MANY_REQUESTS and attempt + 1 < self._tries:
                pause = float(answer.headers.get("Retry-After", pause))
                continue
            if answer.status_code in _SERVER_SIDE:
                last = f"HTTP {answer.status_code}"
                continue
            return _content(answer)
        raise NotReceived(f"{method} {address}: {last or 'no answer'}, tried {self._tries} times")


def _content(answer: httpx.Response) -> dict[str, Any]:
    try:
        content = answer.json()
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise Refused({"detail": "This is not the answer of a Leitai site."}, answer.status_code)
    if answer.is_error:
        raise Refused(content, answer.status_code)
    return content
