"""The API as methods, with the patience a contest needs: retries that can never enter anything twice."""

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
    """One site, and with a *token* one player.

    *tries* is how often a request is sent before NotReceived; a 429 is obeyed (its Retry-After, at most a minute)
    and counts as a try.
    """

    # Rounds and levels

    def rounds(self, *, track: str | None = None, phase: str | None = None) -> Iterator[Round]:
        """All announced rounds, or those of a track or a phase, newest first."""
        yield from self._rows(calls.rounds(track=track, phase=phase))

    def tracks(self) -> list[Track]:
        """The contests that go on side by side, main first."""
        return self.send(calls.tracks())

    def round(self, number: int | None = None, *, track: str = "main") -> Round | None:
        """The round of that *number*; without one the open round of *track*, or None while there is none."""
        if number is not None:
            return self.send(calls.one_round(number))
        for round_ in self.rounds():
            if round_.phase == "open" and round_.track == track:
                return round_
        return None

    def level(self, number: int, slot: str = "main") -> Level:
        """A level of a round that has opened."""
        return self.send(calls.level(number, slot))

    def levels_file(self, number: int) -> str:
        """A round's levels as the text of a .sok file."""
        return self.send(calls.levels_file(number))

    def all_levels(self) -> list[Level]:
        """The levels of all rounds that have opened."""
        return self.send(calls.all_levels())

    def archives(self) -> list[Archive]:
        """Where the archives of rounds are, newest round first."""
        return self.send(calls.archives())

    def dumps(self) -> list[Dump]:
        """The dumps of all public data, newest night first."""
        return self.send(calls.dumps())

    def dump_file(self, night: str, name: str) -> bytes:
        """A file of a dump as it is sent: compare its SHA-256, and unpack it with gzip."""
        return self.send(calls.dump_file(night, name))

    # The library

    def collections(self) -> Iterator[Collection]:
        """Published collections, newest first."""
        yield from self._rows(calls.collections())

    def collection(self, slug: str) -> Collection:
        """A published collection."""
        return self.send(calls.collection(slug))

    def collection_file(self, slug: str) -> str:
        """Its levels as the text of a .sok file, where its author allows that."""
        return self.send(calls.collection_file(slug))

    def library(self, **wanted: Any) -> Iterator[LibraryLevel]:
        """Levels to play on any day; *wanted* is what docs/api.md names, such as by="easiest" or boxes_to=5."""
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
        """The whole ranking, best first; by default of the league and on the board that the round ranks."""
        yield from self._rows(calls.standings(number, slot, by=by, league=league, board=board))

    def pareto(self, number: int, slot: str = "main", *, league: str | None = None) -> list[Point]:
        """Results that nobody has beaten in both counts (rule 17.1)."""
        return self.send(calls.pareto(number, slot, league=league))

    def results(self, number: int, revision: int | None = None) -> Results:
        """The results of a round, by default as they stand."""
        return self.send(calls.results(number, revision))

    def draw(self, number: int) -> dict[str, Any]:
        """How the lucky player was drawn."""
        return self.send(calls.draw(number))

    def chain(self, number: int) -> dict[str, Any]:
        """The newest link of the receipt chain."""
        return self.send(calls.chain(number))

    def submissions(self, number: int, slot: str | None = None) -> Iterator[Accepted]:
        """What was accepted in a round, newest first."""
        yield from self._rows(calls.submissions(number, slot))

    def solutions(self, number: int, slot: str | None = None) -> Iterator[Accepted]:
        """The same with the moves, once they are public; reading them makes you a spectator there (rule 20.3)."""
        yield from self._rows(calls.solutions(number, slot))

    def all_submissions(self, since: int = 0) -> list[Accepted]:
        """What was accepted in all rounds with a number above *since*."""
        return self.send(calls.all_submissions(since))

    def all_solutions(self, since: int = 0) -> list[Accepted]:
        """All public moves of submissions with a number above *since*."""
        return self.send(calls.all_solutions(since))

    def events(self, after: int = 0, *, wait: int = 0, limit: int | None = None) -> list[Event]:
        """What happened behind the event *after*; with *wait*, up to so many seconds (5 at most) for something to."""
        return self.send(calls.events(after, wait=wait, limit=limit))

    def follow(self, after: int = 0) -> Iterator[Event]:
        """Events behind *after* for ever, each once and in order."""
        while True:
            asked = time.monotonic()
            found = self.events(after, wait=WAIT_SECONDS)
            for event in found:
                yield event
                after = event.number
            if not found:  # a busy site answers at once instead of waiting
                self._sleep(max(0.0, 1.0 - (time.monotonic() - asked)))

    # People

    def players(self) -> Iterator[Player]:
        """All players."""
        yield from self._rows(calls.players())

    def player(self, number: int) -> Player:
        """A player; sums, rating and rounds are in *extra*."""
        return self.send(calls.player(number))

    def hall(self, *, by: str = "points", league: str | None = None, track: str | None = None) -> Iterator[Tally]:
        """The hall of fame of a track, the main one where none is named."""
        yield from self._rows(calls.hall(by=by, league=league, track=track))

    def seasons(self) -> list[Season]:
        """The seasons."""
        return self.send(calls.seasons())

    def season(self, name: str, *, league: str | None = None, track: str | None = None) -> Iterator[Tally]:
        """The ranking of a season, such as "2026", in a track, the main one where none is named."""
        yield from self._rows(calls.season(name, league=league, track=track))

    # What you send, and what became of it

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
        """Enter *moves*. Raise Refused, or NotReceived: then send again with the same *idempotency_key*."""
        entry = {"moves": moves, "nickname": nickname, "country": country, "email": email, "claim": claim}
        where = {"round": round, "track": track, "slot": slot, "practice": practice, "idempotency_key": idempotency_key}
        return self.send(calls.submit({**entry, **where}))

    def submit_all(self, entries: Iterable[Mapping[str, Any]]) -> list[Receipt | Refused]:
        """Enter up to 100 submissions in one request; each is answered for itself, in order.

        An entry has `moves`, and any of the other fields of submit; it gets an idempotency key if it has none.
        """
        return self.send(calls.submit_all(entries))

    def submission(self, receipt_id: str, *, wait: int = 0) -> Submission:
        """A submission as it stands, after *wait* seconds (5 at most) if it is not judged before."""
        return self.send(calls.submission(receipt_id, wait))

    def verdict(self, receipt_id: str, *, patience: float = 60.0) -> Submission:
        """Wait for the verdict, up to *patience* seconds; return the submission as it is then."""
        return self._carry_out(await_verdict(calls.submission(receipt_id, WAIT_SECONDS), patience, self._tries))

    def history(
        self,
        *,
        round: int | None = None,  # noqa: A002 - the API's word
        slot: str | None = None,
        verdict: str | None = None,
        practice: bool | None = None,
        texts: bool | None = None,
    ) -> Iterator[Sent]:
        """What you have sent, newest first; with *texts* the texts, too."""
        query = {"round": round, "slot": slot, "verdict": verdict, "practice": practice, "texts": texts}
        yield from self._rows(calls.history(query))

    def bests(self, round: int | None = None) -> list[Best]:  # noqa: A002 - the API's word
        """Your best results of all levels, or of those of a round."""
        return self.send(calls.bests(round))

    def check(
        self,
        moves: str,
        *,
        board: str | None = None,
        round: int | None = None,  # noqa: A002 - the API's word
        slot: str | None = None,
    ) -> Submission:
        """Judge without entering: on a *board* of your own, or on a published level."""
        return self.send(calls.check({"moves": moves, "board": board, "round": round, "slot": slot}))

    def rebuild(self, moves: str) -> RebuiltLevel:
        """The smallest level on which *moves* are a solution; capitals are pushes."""
        return self.send(calls.rebuild(moves))

    def sealed_answers(self, number: int) -> Iterator[SealedAnswer]:
        """What players vouch for in a round with a hash, newest first."""
        yield from self._rows(sealing.sealed_answers(number))

    def seal(self, number: int, slot: str, *, moves: int, pushes: int, sha256: str) -> SealedAnswer:
        """Vouch for a solution by the SHA-256 of its `sealing.sealed_text`; that text alone opens the answer."""
        entry = {"slot": slot, "moves": moves, "pushes": pushes, "sha256": sha256}
        return self.send(sealing.seal(number, entry))

    def open_sealed(self, text: str) -> Receipt:
        """Open a sealed answer by its text, within a day after the close; it was received when it was sealed."""
        return self.send(sealing.open_sealed(text))

    # Webhooks

    def webhooks(self) -> list[Webhook]:
        """Your webhooks, oldest first; this and what follows takes a token with the scope webhooks."""
        return self.send(calls.webhooks())

    def webhook(self, number: int) -> Webhook:
        """One of them, with its newest deliveries."""
        return self.send(calls.webhook(number))

    def make_webhook(self, url: str, events: Iterable[str]) -> Webhook:
        """Let the site tell *url* of *events*; its `secret` is answered this once."""
        return self.send(calls.make_webhook(url, events))

    def test_webhook(self, number: int) -> Delivery:
        """Let the site send it a test."""
        return self.send(calls.test_webhook(number))

    def end_webhook(self, number: int) -> list[Webhook]:
        """End it; the answer is what is left."""
        return self.send(calls.end_webhook(number))

    # The solver

    def ask_solver(
        self, level: str, *, act: str = "solve", aim: str = "any", lurd: str | None = None, seconds: int | None = None
    ) -> Search:
        """Ask the site's solver to "solve", "prove" or "optimize" a level of your own."""
        question = {"level": level, "act": act, "aim": aim, "lurd": lurd, "seconds": seconds}
        return self.send(calls.ask_solver(question))

    def hint(self, number: int, slot: str, moves: str = "") -> Search:
        """Ask for the next push behind *moves*, in practice (rule 20.4)."""
        return self.send(calls.hint(number, slot, moves))

    def search(self, search_id: str) -> Search:
        """What became of a question to the solver."""
        return self.send(calls.search(search_id))

    def cancel_search(self, search_id: str) -> Search:
        """Stop a search; what it found until then is lost."""
        return self.send(calls.cancel_search(search_id))

    # The site

    def token(self) -> dict[str, Any]:
        """What the site knows of your token."""
        return self.send(calls.token())

    def limits(self) -> dict[str, Any]:
        """How much may be sent."""
        return self.send(calls.limits())

    def time(self) -> datetime:
        """The site's clock."""
        return datetime.fromisoformat(self.send(calls.site_time())["time"])

    def description(self) -> dict[str, Any]:
        """The API described as OpenAPI."""
        return self.send(calls.description())
