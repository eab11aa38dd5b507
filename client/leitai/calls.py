"""All calls of the API: their requests, and how their responses are parsed (docs/reference/api.md explains each)."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import httpx

from leitai.base import Shape
from leitai.errors import Refused
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
from leitai.talking import Call, check_key, level_path, name_missing, new_key

S = TypeVar("S", bound=Shape)
Object = dict[str, Any]


@dataclass(frozen=True)
class Page(Generic[S]):
    """Some rows of a list, and the call for the next page; None at the end."""

    rows: list[S]
    following: "Call[Page[S]] | None"


# Reading responses


def content(answer: httpx.Response) -> Object:
    """Return the object of a JSON response. Raise Refused for a refusal, and for a response that is not from Leitai."""
    try:
        payload = answer.json()
    except ValueError:
        payload = None
    if not isinstance(payload, dict):
        raise Refused({"detail": "This is not the answer of a Leitai site."}, answer.status_code)
    if answer.is_error:
        raise Refused(payload, answer.status_code)
    return payload


def _text(answer: httpx.Response) -> str:
    return answer.text if answer.is_success else str(content(answer))


def _bytes(answer: httpx.Response) -> bytes:
    return answer.content if answer.is_success else str(content(answer)).encode()


def read_as(shape: type[S]) -> Callable[[httpx.Response], S]:
    return lambda answer: shape.of(content(answer))


def _rows(shape: type[S]) -> Callable[[httpx.Response], list[S]]:
    return lambda answer: [shape.of(row) for row in content(answer)["results"]]


def _lines(shape: type[S]) -> Callable[[httpx.Response], list[S]]:
    return lambda answer: [shape.of(json.loads(line)) for line in _text(answer).splitlines()]


def pages(path: str, shape: type[S], query: Mapping[str, Any] | None = None) -> Call[Page[S]]:
    """Return the call for a list with links from page to page."""

    def read(answer: httpx.Response) -> Page[S]:
        page = content(answer)
        return Page([shape.of(row) for row in page["results"]], Call(page["next"], read) if page["next"] else None)

    return Call(path, read, query=_without_none(query))


def _ranked_page(path: str, shape: type[S], query: Mapping[str, Any], start: int = 0) -> Call[Page[S]]:
    """Return the call for a list with pages that begin at a rank."""

    def read(answer: httpx.Response) -> Page[S]:
        page = content(answer)
        end = start + len(page["results"])
        is_last = not page["results"] or end >= page["count"]
        return Page(
            [shape.of(row) for row in page["results"]], None if is_last else _ranked_page(path, shape, query, end)
        )

    return Call(path, read, query={**_without_none(query), "start": start})


def _without_none(fields: Mapping[str, Any] | None) -> Object:
    return {name: value for name, value in (fields or {}).items() if value is not None}


# Rounds and levels


def rounds(*, track: str | None = None, phase: str | None = None) -> Call[Page[Round]]:
    return name_missing(pages("rounds/", Round, {"track": track, "phase": phase}), f"Track {track}")


def tracks() -> Call[list[Track]]:
    return Call("tracks/", _rows(Track))


def one_round(number: int) -> Call[Round]:
    return name_missing(Call(f"rounds/{number}/", read_as(Round)), f"Round {number}")


def level(number: int, slot: str) -> Call[Level]:
    return name_missing(Call(level_path(number, slot), read_as(Level)), f"Level {number}/{slot}")


def levels_file(number: int) -> Call[str]:
    return name_missing(Call(f"rounds/{number}/levels.sok", _text), f"Round {number}")


def all_levels() -> Call[list[Level]]:
    return Call("levels.ndjson", _lines(Level))


def optima() -> Call[list[Optimum]]:
    return Call("optima.ndjson", _lines(Optimum))


def archives() -> Call[list[Archive]]:
    return Call("archives/", _rows(Archive))


def dumps() -> Call[list[Dump]]:
    return Call("dumps/", _rows(Dump))


def dump_file(night: str, name: str) -> Call[bytes]:
    return Call(f"dumps/{night}/{name}", _bytes)


# The library


def collections() -> Call[Page[Collection]]:
    return pages("collections/", Collection)


def collection(slug: str) -> Call[Collection]:
    return Call(f"collections/{slug}/", read_as(Collection))


def collection_file(slug: str) -> Call[str]:
    return Call(f"collections/{slug}/levels.sok", _text)


def library(query: Mapping[str, Any]) -> Call[Page[LibraryLevel]]:
    return _ranked_page("levels/", LibraryLevel, {name: _format_value(value) for name, value in query.items()})


# Rankings and results


def standings(number: int, slot: str, *, by: str, league: str | None, board: str | None) -> Call[Page[Row]]:
    query = {"by": by, "league": league, "board": board}
    return name_missing(_ranked_page(level_path(number, slot) + "standings/", Row, query), f"Level {number}/{slot}")


def pareto(number: int, slot: str, *, league: str | None) -> Call[list[Point]]:
    call = Call(level_path(number, slot) + "pareto/", _rows(Point), query=_without_none({"league": league}))
    return name_missing(call, f"Level {number}/{slot}")


def results(number: int, revision: int | None) -> Call[Results]:
    call = Call(f"rounds/{number}/results/", read_as(Results), query=_without_none({"revision": revision}))
    return name_missing(call, f"The result list of round {number}")


def draw(number: int) -> Call[Object]:
    return name_missing(Call(f"rounds/{number}/draw/", content), f"The draw of round {number}")


def chain(number: int) -> Call[Object]:
    return name_missing(Call(f"rounds/{number}/chain/", content), f"The receipt chain of round {number}")


def submissions(number: int, slot: str | None) -> Call[Page[Accepted]]:
    return name_missing(pages(f"rounds/{number}/submissions/", Accepted, {"slot": slot}), f"Round {number}")


def solutions(number: int, slot: str | None) -> Call[Page[Accepted]]:
    call = pages(f"rounds/{number}/solutions/", Accepted, {"slot": slot})
    return name_missing(call, f"The solution list of round {number}")


def all_submissions(since: int) -> Call[list[Accepted]]:
    return Call("submissions.ndjson", _lines(Accepted), query={"since": since})


def all_solutions(since: int) -> Call[list[Accepted]]:
    return Call("solutions.ndjson", _lines(Accepted), query={"since": since})


def events(after: int, *, wait: int, limit: int | None) -> Call[list[Event]]:
    return Call("events/", _lines(Event), query=_without_none({"after": after, "wait": wait or None, "limit": limit}))


# People


def players() -> Call[Page[Player]]:
    return pages("players/", Player)


def player(number: int) -> Call[Player]:
    return Call(f"players/{number}/", read_as(Player))


def hall(*, by: str, league: str | None, track: str | None) -> Call[Page[Tally]]:
    return name_missing(_ranked_page("hall/", Tally, {"by": by, "league": league, "track": track}), f"Track {track}")


def seasons() -> Call[list[Season]]:
    return Call("seasons/", _rows(Season))


def season(name: str, *, league: str | None, track: str | None) -> Call[Page[Tally]]:
    call = _ranked_page(f"seasons/{name}/", Tally, {"league": league, "track": track})
    return name_missing(call, f"Season {name}" if track is None else f"Season {name} or track {track}")


# Submissions


def submit(entry: Mapping[str, Any]) -> Call[Receipt]:
    body = _without_none(entry)
    key = body.pop("idempotency_key", None) or new_key()
    check_key(key)
    return Call("submissions/", read_as(Receipt), "POST", body=body, headers={"Idempotency-Key": key})


def submit_all(entries: Iterable[Mapping[str, Any]]) -> Call[list[Receipt | Refused]]:
    body = {"submissions": [{"idempotency_key": new_key(), **entry} for entry in entries]}

    def read(answer: httpx.Response) -> list[Receipt | Refused]:
        answers = content(answer)["results"]
        return [Receipt.of(item) if "id" in item else Refused(item, item["status"]) for item in answers]

    return Call("submissions/", read, "POST", body=body)


def submission(receipt_id: str, wait: int) -> Call[Submission]:
    return Call(f"submissions/{receipt_id}/", read_as(Submission), query=_without_none({"wait": wait or None}))


def history(query: Mapping[str, Any]) -> Call[Page[Sent]]:
    return pages("submissions/", Sent, {name: _format_value(value) for name, value in query.items()})


def bests(number: int | None) -> Call[list[Best]]:
    return Call("bests/", _rows(Best), query=_without_none({"round": number}))


def check(trial: Mapping[str, Any]) -> Call[Submission]:
    return Call("check/", read_as(Submission), "POST", body=_without_none(trial))


def _format_value(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


# Webhooks


def webhooks() -> Call[list[Webhook]]:
    return Call("webhooks/", _rows(Webhook))


def webhook(number: int) -> Call[Webhook]:
    return Call(f"webhooks/{number}/", read_as(Webhook))


def make_webhook(url: str, events: Iterable[str]) -> Call[Webhook]:
    return Call("webhooks/", read_as(Webhook), "POST", body={"url": url, "events": list(events)})


def test_webhook(number: int) -> Call[Delivery]:
    return Call(f"webhooks/{number}/test/", read_as(Delivery), "POST", body={})


def end_webhook(number: int) -> Call[list[Webhook]]:
    return Call(f"webhooks/{number}/end/", _rows(Webhook), "POST", body={})


def rebuild(moves: str) -> Call[RebuiltLevel]:
    return Call("rebuild/", read_as(RebuiltLevel), "POST", body={"moves": moves})


# The solver


def ask_solver(question: Mapping[str, Any]) -> Call[Search]:
    return Call("solver/", read_as(Search), "POST", body=_without_none(question))


def hint(number: int, slot: str, moves: str) -> Call[Search]:
    call = Call(level_path(number, slot) + "hint/", read_as(Search), "POST", body={"moves": moves})
    return name_missing(call, f"Level {number}/{slot}")


def search(search_id: str) -> Call[Search]:
    return Call(f"solver/{search_id}/", read_as(Search))


def cancel_search(search_id: str) -> Call[Search]:
    return Call(f"solver/{search_id}/cancel/", read_as(Search), "POST", body={})


def token() -> Call[Object]:
    return Call("token/", content)


def limits() -> Call[Object]:
    return Call("limits/", content)


def site_time() -> Call[Object]:
    return Call("time/", content)


def description() -> Call[Object]:
    return Call("openapi.json", content)
