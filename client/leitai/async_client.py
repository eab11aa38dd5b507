"""The API as coroutines: `AsyncClient` has the methods of `Client`, and waits without holding anybody up."""

import time
from collections.abc import AsyncIterator, Iterable, Mapping
from datetime import datetime
from typing import Any

from leitai import calls, sealing
from leitai.connection import AsyncConnection
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


class AsyncClient(AsyncConnection):
    """The twin of `Client` for asyncio: `await client.level(7)`, `async for row in client.standings(7)`."""

    # Rounds and levels

    async def rounds(self, *, track: str | None = None, phase: str | None = None) -> AsyncIterator[Round]:
        """All announced rounds, or those of a track or a phase, newest first."""
        async for row in self._rows(calls.rounds(track=track, phase=phase)):
            yield row

    async def tracks(self) -> list[Track]:
        """The contests that go on side by side, main first."""
        return await self.send(calls.tracks())

    async def round(self, number: int | None = None, *, track: str = "main") -> Round | None:
        """The round of that *number*; without one the open round of *track*, or None while there is none."""
        if number is not None:
            return await self.send(calls.one_round(number))
        async for round_ in self.rounds():
            if round_.phase == "open" and round_.track == track:
                return round_
        return None

    async def level(self, number: int, slot: str = "main") -> Level:
        """A level of a round that has opened."""
        return await self.send(calls.level(number, slot))

    async def levels_file(self, number: int) -> str:
        """A round's levels as the text of a .sok file."""
        return await self.send(calls.levels_file(number))

    async def all_levels(self) -> list[Level]:
        """The levels of all rounds that have opened."""
        return await self.send(calls.all_levels())

    async def archives(self) -> list[Archive]:
        """Where the archives of rounds are, newest round first."""
        return await self.send(calls.archives())

    async def dumps(self) -> list[Dump]:
        """The dumps of all public data, newest night first."""
        return await self.send(calls.dumps())

    async def dump_file(self, night: str, name: str) -> bytes:
        """A file of a dump as it is sent: compare its SHA-256, and unpack it with gzip."""
        return await self.send(calls.dump_file(night, name))

    # The library

    async def collections(self) -> AsyncIterator[Collection]:
        """Published collections, newest first."""
        async for row in self._rows(calls.collections()):
            yield row

    async def collection(self, slug: str) -> Collection:
        """A published collection."""
        return await self.send(calls.collection(slug))

    async def collection_file(self, slug: str) -> str:
        """Its levels as the text of a .sok file, where its author allows that."""
        return await self.send(calls.collection_file(slug))

    async def library(self, **wanted: Any) -> AsyncIterator[LibraryLevel]:
        """Levels to play on any day; *wanted* is what docs/api.md names, such as by="easiest" or boxes_to=5."""
        async for row in self._rows(calls.library(wanted)):
            yield row

    # Rankings and results

    async def standings(
        self,
        number: int,
        slot: str = "main",
        *,
        by: str = "moves",
        league: str | None = None,
        board: str | None = None,
    ) -> AsyncIterator[Row]:
        """The whole ranking, best first; by default of the league and on the board that the round ranks."""
        async for row in self._rows(calls.standings(number, slot, by=by, league=league, board=board)):
            yield row

    async def pareto(self, number: int, slot: str = "main", *, league: str | None = None) -> list[Point]:
        """Results that nobody has beaten in both counts (rule 17.1)."""
        return await self.send(calls.pareto(number, slot, league=league))

    async def results(self, number: int, revision: int | None = None) -> Results:
        """The results of a round, by default as they stand."""
        return await self.send(calls.results(number, revision))

    async def draw(self, number: int) -> dict[str, Any]:
        """How the lucky player was drawn."""
        return await self.send(calls.draw(number))

    async def chain(self, number: int) -> dict[str, Any]:
        """The newest link of the receipt chain."""
        return await self.send(calls.chain(number))

    async def submissions(self, number: int, slot: str | None = None) -> AsyncIterator[Accepted]:
        """What was accepted in a round, newest first."""
        async for row in self._rows(calls.submissions(number, slot)):
            yield row

    async def solutions(self, number: int, slot: str | None = None) -> AsyncIterator[Accepted]:
        """The same with the moves, once they are public; reading them makes you a spectator there (rule 20.3)."""
        async for row in self._rows(calls.solutions(number, slot)):
            yield row

    async def all_submissions(self, since: int = 0) -> list[Accepted]:
        """What was accepted in all rounds with a number above *since*."""
        return await self.send(calls.all_submissions(since))

    async def all_solutions(self, since: int = 0) -> list[Accepted]:
        """All public moves of submissions with a number above *since*."""
        return await self.send(calls.all_solutions(since))

    async def events(self, after: int = 0, *, wait: int = 0, limit: int | None = None) -> list[Event]:
        """What happened behind the event *after*; with *wait*, up to so many seconds (5 at most) for something to."""
        return await self.send(calls.events(after, wait=wait, limit=limit))

    async def follow(self, after: int = 0) -> AsyncIterator[Event]:
        """Events behind *after* for ever, each once and in order."""
        while True:
            asked = time.monotonic()
            found = await self.events(after, wait=WAIT_SECONDS)
            for event in found:
                yield event
                after = event.number
            if not found:  # a busy site answers at once instead of waiting
                await self._sleep(max(0.0, 1.0 - (time.monotonic() - asked)))

    # People

    async def players(self) -> AsyncIterator[Player]:
        """All players."""
        async for row in self._rows(calls.players()):
            yield row

    async def player(self, number: int) -> Player:
        """A player; sums, rating and rounds are in *extra*."""
        return await self.send(calls.player(number))

    async def hall(
        self, *, by: str = "points", league: str | None = None, track: str | None = None
    ) -> AsyncIterator[Tally]:
        """The hall of fame of a track, the main one where none is named."""
        async for row in self._rows(calls.hall(by=by, league=league, track=track)):
            yield row

    async def seasons(self) -> list[Season]:
        """The seasons."""
        return await self.send(calls.seasons())

    async def season(self, name: str, *, league: str | None = None, track: str | None = None) -> AsyncIterator[Tally]:
        """The ranking of a season, such as "2026", in a track, the main one where none is named."""
        async for row in self._rows(calls.season(name, league=league, track=track)):
            yield row

    # What you send, and what became of it

    async def submit(
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
        """Enter *moves*. Raise Refused, or NotReceived: then send again with the same *idempotency_key*."""
        entry = {"moves": moves, "nickname": nickname, "country": country, "email": email, "claim": claim}
        where = {"round": round, "track": track, "slot": slot, "practice": practice, "idempotency_key": idempotency_key}
        return await self.send(calls.submit({**entry, **where}))

    async def submit_all(self, entries: Iterable[Mapping[str, Any]]) -> list[Receipt | Refused]:
        """Enter up to 100 submissions in one request; each is answered for itself, in order.

        An entry has `moves`, and any of the other fields of submit; it gets an idempotency key if it has none.
        """
        return await self.send(calls.submit_all(entries))

    async def submission(self, receipt_id: str, *, wait: int = 0) -> Submission:
        """A submission as it stands, after *wait* seconds (5 at most) if it is not judged before."""
        return await self.send(calls.submission(receipt_id, wait))

    async def verdict(self, receipt_id: str, *, patience: float = 60.0) -> Submission:
        """Wait for the verdict, up to *patience* seconds; return the submission as it is then."""
        return await self._carry_out(await_verdict(calls.submission(receipt_id, WAIT_SECONDS), patience, self._tries))

    async def history(
        self,
        *,
        round: int | None = None,  # noqa: A002 - the API's word
        slot: str | None = None,
        verdict: str | None = None,
        practice: bool | None = None,
        texts: bool | None = None,
    ) -> AsyncIterator[Sent]:
        """What you have sent, newest first; with *texts* the texts, too."""
        query = {"round": round, "slot": slot, "verdict": verdict, "practice": practice, "texts": texts}
        async for row in self._rows(calls.history(query)):
            yield row

    async def bests(self, round: int | None = None) -> list[Best]:  # noqa: A002 - the API's word
        """Your best results of all levels, or of those of a round."""
        return await self.send(calls.bests(round))

    async def check(
        self,
        moves: str,
        *,
        board: str | None = None,
        round: int | None = None,  # noqa: A002 - the API's word
        slot: str | None = None,
    ) -> Submission:
        """Judge without entering: on a *board* of your own, or on a published level."""
        return await self.send(calls.check({"moves": moves, "board": board, "round": round, "slot": slot}))

    async def rebuild(self, moves: str) -> RebuiltLevel:
        """The smallest level on which *moves* are a solution; capitals are pushes."""
        return await self.send(calls.rebuild(moves))

    async def sealed_answers(self, number: int) -> AsyncIterator[SealedAnswer]:
        """What players vouch for in a round with a hash, newest first."""
        async for row in self._rows(sealing.sealed_answers(number)):
            yield row

    async def seal(self, number: int, slot: str, *, moves: int, pushes: int, sha256: str) -> SealedAnswer:
        """Vouch for a solution by the SHA-256 of its `sealing.sealed_text`; that text alone opens the answer."""
        entry = {"slot": slot, "moves": moves, "pushes": pushes, "sha256": sha256}
        return await self.send(sealing.seal(number, entry))

    async def open_sealed(self, text: str) -> Receipt:
        """Open a sealed answer by its text, within a day after the close; it was received when it was sealed."""
        return await self.send(sealing.open_sealed(text))

    # Webhooks

    async def webhooks(self) -> list[Webhook]:
        """Your webhooks, oldest first; this and what follows takes a token with the scope webhooks."""
        return await self.send(calls.webhooks())

    async def webhook(self, number: int) -> Webhook:
        """One of them, with its newest deliveries."""
        return await self.send(calls.webhook(number))

    async def make_webhook(self, url: str, events: Iterable[str]) -> Webhook:
        """Let the site tell *url* of *events*; its `secret` is answered this once."""
        return await self.send(calls.make_webhook(url, events))

    async def test_webhook(self, number: int) -> Delivery:
        """Let the site send it a test."""
        return await self.send(calls.test_webhook(number))

    async def end_webhook(self, number: int) -> list[Webhook]:
        """End it; the answer is what is left."""
        return await self.send(calls.end_webhook(number))

    # The solver

    async def ask_solver(
        self, level: str, *, act: str = "solve", aim: str = "any", lurd: str | None = None, seconds: int | None = None
    ) -> Search:
        """Ask the site's solver to "solve", "prove" or "optimize" a level of your own."""
        question = {"level": level, "act": act, "aim": aim, "lurd": lurd, "seconds": seconds}
        return await self.send(calls.ask_solver(question))

    async def hint(self, number: int, slot: str, moves: str = "") -> Search:
        """Ask for the next push behind *moves*, in practice (rule 20.4)."""
        return await self.send(calls.hint(number, slot, moves))

    async def search(self, search_id: str) -> Search:
        """What became of a question to the solver."""
        return await self.send(calls.search(search_id))

    async def cancel_search(self, search_id: str) -> Search:
        """Stop a search; what it found until then is lost."""
        return await self.send(calls.cancel_search(search_id))

    # The site

    async def token(self) -> dict[str, Any]:
        """What the site knows of your token."""
        return await self.send(calls.token())

    async def limits(self) -> dict[str, Any]:
        """How much may be sent."""
        return await self.send(calls.limits())

    async def time(self) -> datetime:
        """The site's clock."""
        return datetime.fromisoformat((await self.send(calls.site_time()))["time"])

    async def description(self) -> dict[str, Any]:
        """The API described as OpenAPI."""
        return await self.send(calls.description())
