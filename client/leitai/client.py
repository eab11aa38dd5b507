# Generated from async_client.py by `python -m tooling.sync_client`: edit that one.
"""The API as methods. Failed requests are retried, and a retry never enters anything twice."""

import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from leitai import calls, sealing
from leitai.connection import Connection
from leitai.errors import Refused
from leitai.sealing import SealedAnswer
from leitai.shapes import (
    Accepted,
    Archive,
    Best,
    Collection,
    Delivery,
    Dump,
    Event,
    Level,
    LibraryLevel,
    Optimum,
    Player,
    Point,
    RebuiltLevel,
    Receipt,
    Results,
    Round,
    Row,
    Search,
    Season,
    Sent,
    Submission,
    Tally,
    Track,
    Webhook,
)
from leitai.talking import WAIT_SECONDS, await_verdict


class Client(Connection):
    """A client of one site and, with a *token*, of one player.

    *tries* is the number of attempts before NotReceived. After a 429 the client waits (its Retry-After, at most a
    minute); this counts as an attempt.
    """

    # Rounds and levels

    def rounds(self, *, track: str | None = None, phase: str | None = None) -> Iterator[Round]:
        """Yield all announced rounds, or those of a track or a phase, newest first."""
        yield from self._rows(calls.rounds(track=track, phase=phase))

    def tracks(self) -> list[Track]:
        """Return the tracks, which are contests that run in parallel, main first."""
        return self.send(calls.tracks())

    def round(self, number: int | None = None, *, track: str = "main") -> Round | None:
        """Return the round *number*; by default the open round of *track*, or None if there is none."""
        if number is not None:
            return self.send(calls.one_round(number))
        for round_ in self.rounds(phase="open"):  # of all tracks: one without public rounds would be a 404
            if round_.track == track:
                return round_
        return None

    def level(self, number: int, slot: str = "main") -> Level:
        """Return a level of a round that has opened."""
        return self.send(calls.level(number, slot))

    def levels_file(self, number: int) -> str:
        """Return a round's levels as the text of a .sok file."""
        return self.send(calls.levels_file(number))

    def all_levels(self) -> list[Level]:
        """Return the levels of all rounds that have opened."""
        return self.send(calls.all_levels())

    def optima(self) -> list[Optimum]:
        """Return the proved optima of public levels, with the URLs of their certificates."""
        return self.send(calls.optima())

    def archives(self) -> list[Archive]:
        """Return the URLs of the archives of rounds, newest round first."""
        return self.send(calls.archives())

    def dumps(self) -> list[Dump]:
        """Return the dumps of all public data, newest night first."""
        return self.send(calls.dumps())

    def dump_file(self, night: str, name: str) -> bytes:
        """Return a file of a dump as it is sent: compare its SHA-256, and unpack it with gzip."""
        return self.send(calls.dump_file(night, name))

    # The library

    def collections(self) -> Iterator[Collection]:
        """Yield the published collections, newest first."""
        yield from self._rows(calls.collections())

    def collection(self, slug: str) -> Collection:
        """Return a published collection."""
        return self.send(calls.collection(slug))

    def collection_file(self, slug: str) -> str:
        """Return a collection's levels as the text of a .sok file, if its author allows that."""
        return self.send(calls.collection_file(slug))

    def library(self, **wanted: Any) -> Iterator[LibraryLevel]:
        """Yield levels to play on any day; docs/reference/api.md has the filters, such as by="easiest", boxes_to=5."""
        yield from self._rows(calls.library(wanted))

    # Rankings and results

    def standings(
        self,
        number: int,
        slot: str = "main",
        *,
        by: str = "moves",
        league: str | None = None,
        board: str | None = None,
    ) -> Iterator[Row]:
        """Yield the whole ranking, best first; by default with the league and the board that the round ranks."""
        yield from self._rows(calls.standings(number, slot, by=by, league=league, board=board))

    def pareto(self, number: int, slot: str = "main", *, league: str | None = None) -> list[Point]:
        """Return the results that nobody has beaten in both counts (rule 12.1)."""
        return self.send(calls.pareto(number, slot, league=league))

    def results(self, number: int, revision: int | None = None) -> Results:
        """Return the results of a round, by default the current ones."""
        return self.send(calls.results(number, revision))

    def draw(self, number: int) -> dict[str, Any]:
        """Return the lucky draw, with all that is needed to repeat it."""
        return self.send(calls.draw(number))

    def chain(self, number: int) -> dict[str, Any]:
        """Return the newest link of the receipt chain."""
        return self.send(calls.chain(number))

    def submissions(self, number: int, slot: str | None = None) -> Iterator[Accepted]:
        """Yield the accepted submissions of a round, newest first."""
        yield from self._rows(calls.submissions(number, slot))

    def solutions(self, number: int, slot: str | None = None) -> Iterator[Accepted]:
        """Yield the same with the moves, once public; reading them makes you a spectator there (rule 20.3)."""
        yield from self._rows(calls.solutions(number, slot))

    def all_submissions(self, since: int = 0) -> list[Accepted]:
        """Return the accepted submissions of all rounds with a number above *since*."""
        return self.send(calls.all_submissions(since))

    def all_solutions(self, since: int = 0) -> list[Accepted]:
        """Return the submissions with public moves and a number above *since*."""
        return self.send(calls.all_solutions(since))

    def events(self, after: int = 0, *, wait: int = 0, limit: int | None = None) -> list[Event]:
        """Return the events after number *after*; with *wait*, wait up to so many seconds (5 at most) for one."""
        return self.send(calls.events(after, wait=wait, limit=limit))

    def follow(self, after: int = 0) -> Iterator[Event]:
        """Yield the events after number *after* forever, each once and in order."""
        while True:
            asked_at = time.monotonic()
            events = self.events(after, wait=WAIT_SECONDS)
            for event in events:
                yield event
                after = event.number
            if not events:  # a busy site answers at once instead of waiting
                self._sleep(max(0.0, 1.0 - (time.monotonic() - asked_at)))

    # People

    def players(self) -> Iterator[Player]:
        """Yield all players."""
        yield from self._rows(calls.players())

    def player(self, number: int) -> Player:
        """Return a player; sums, rating and rounds are in *extra*."""
        return self.send(calls.player(number))

    def hall(self, *, by: str = "points", league: str | None = None, track: str | None = None) -> Iterator[Tally]:
        """Yield the hall of fame of a track, by default the main one."""
        yield from self._rows(calls.hall(by=by, league=league, track=track))

    def seasons(self) -> list[Season]:
        """Return the seasons."""
        return self.send(calls.seasons())

    def season(self, name: str, *, league: str | None = None, track: str | None = None) -> Iterator[Tally]:
        """Yield the ranking of a season, such as "2026", in a track, by default the main one."""
        yield from self._rows(calls.season(name, league=league, track=track))

    # Submissions

    def submit(
        self,
        moves: str,
        *,
        nickname: str | None = None,
        country: str | None = None,
        email: str | None = None,
        claim: str | None = None,
        round: int | None = None,  # noqa: A002 - the API's word
        track: str | None = None,
        slot: str | None = None,
        practice: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Receipt:
        """Enter *moves*. Raise Refused, or NotReceived: then send again with the *idempotency_key* of the error.

        By default the key is a random UUID. The site repeats no claim for a short key or for a digest of the moves.
        """
        entry = {"moves": moves, "nickname": nickname, "country": country, "email": email, "claim": claim}
        scope = {"round": round, "track": track, "slot": slot, "practice": practice, "idempotency_key": idempotency_key}
        return self.send(calls.submit({**entry, **scope}))

    def submit_all(self, entries: Iterable[Mapping[str, Any]]) -> list[Receipt | Refused]:
        """Enter up to 100 submissions in one request; each has its own result, in order.

        An entry has `moves`, and any other arguments of `submit`; it gets an idempotency key if it has none.
        After NotReceived, `send(error.call)` repeats the request with the same keys.
        """
        return self.send(calls.submit_all(entries))

    def submission(self, receipt_id: str, *, wait: int = 0) -> Submission:
        """Return a submission; wait up to *wait* seconds (5 at most) for its verdict."""
        return self.send(calls.submission(receipt_id, wait))

    def verdict(self, receipt_id: str, *, patience: float = 60.0) -> Submission:
        """Wait up to *patience* seconds for the verdict; return the submission, judged or not."""
        asking = await_verdict(calls.submission(receipt_id, WAIT_SECONDS), patience, self._tries, self._shown)
        return self._carry_out(asking)

    def history(
        self,
        *,
        round: int | None = None,  # noqa: A002 - the API's word
        slot: str | None = None,
        verdict: str | None = None,
        practice: bool | None = None,
        texts: bool | None = None,
    ) -> Iterator[Sent]:
        """Yield your submissions, newest first; with *texts* the texts, too."""
        query = {"round": round, "slot": slot, "verdict": verdict, "practice": practice, "texts": texts}
        yield from self._rows(calls.history(query))

    def bests(self, round: int | None = None) -> list[Best]:  # noqa: A002 - the API's word
        """Return your best results on all levels, or on those of a round."""
        return self.send(calls.bests(round))

    def check(
        self,
        moves: str,
        *,
        board: str | None = None,
        round: int | None = None,  # noqa: A002 - the API's word
        slot: str | None = None,
    ) -> Submission:
        """Judge *moves* without entering them: on a *board* of your own, or on a published level."""
        return self.send(calls.check({"moves": moves, "board": board, "round": round, "slot": slot}))

    def rebuild(self, moves: str) -> RebuiltLevel:
        """Return the smallest level on which *moves* are a solution; capitals are pushes."""
        return self.send(calls.rebuild(moves))

    def sealed_answers(self, number: int) -> Iterator[SealedAnswer]:
        """Yield the sealed answers of a round, newest first."""
        yield from self._rows(sealing.sealed_answers(number))

    def seal(self, number: int, slot: str, *, moves: int, pushes: int, sha256: str) -> SealedAnswer:
        """Seal a solution by the SHA-256 of its `sealing.sealed_text`; only that text opens the answer."""
        entry = {"slot": slot, "moves": moves, "pushes": pushes, "sha256": sha256}
        return self.send(sealing.seal(number, entry))

    def open_sealed(self, text: str) -> Receipt:
        """Open a sealed answer by its text, within a day after the close; the time of the sealing counts."""
        return self.send(sealing.open_sealed(text))

    # Webhooks

    def webhooks(self) -> list[Webhook]:
        """Return your webhooks, oldest first. All webhook methods need a token with the scope webhooks."""
        return self.send(calls.webhooks())

    def webhook(self, number: int) -> Webhook:
        """Return a webhook with its newest deliveries."""
        return self.send(calls.webhook(number))

    def make_webhook(self, url: str, events: Iterable[str]) -> Webhook:
        """Register *url* for *events*; the `secret` is returned only this once."""
        return self.send(calls.make_webhook(url, events))

    def test_webhook(self, number: int) -> Delivery:
        """Make the site send a test to a webhook."""
        return self.send(calls.test_webhook(number))

    def end_webhook(self, number: int) -> list[Webhook]:
        """End a webhook; return the remaining ones."""
        return self.send(calls.end_webhook(number))

    def ask_solver(
        self, level: str, *, act: str = "solve", aim: str = "any", lurd: str | None = None, seconds: int | None = None
    ) -> Search:
        """Ask the site's solver to "solve", "prove", "optimize" or "coach" a level of your own."""
        question = {"level": level, "act": act, "aim": aim, "lurd": lurd, "seconds": seconds}
        return self.send(calls.ask_solver(question))

    def hint(self, number: int, slot: str, moves: str = "") -> Search:
        """Ask for the next push after *moves*, in practice (rule 20.4)."""
        return self.send(calls.hint(number, slot, moves))

    def search(self, search_id: str) -> Search:
        """Return a question to the solver, with its progress and its result."""
        return self.send(calls.search(search_id))

    def cancel_search(self, search_id: str) -> Search:
        """Stop a search; its results so far are lost."""
        return self.send(calls.cancel_search(search_id))

    def token(self) -> dict[str, Any]:
        """Return the facts about your token."""
        return self.send(calls.token())

    def limits(self) -> dict[str, Any]:
        """Return the limits on what may be sent."""
        return self.send(calls.limits())

    def time(self) -> datetime:
        """Return the time of the site's clock."""
        return datetime.fromisoformat((self.send(calls.site_time()))["time"])

    def description(self) -> dict[str, Any]:
        """Return the OpenAPI document of the API."""
        return self.send(calls.description())
