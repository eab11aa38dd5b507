"""The API's objects as JSON Schema (2020-12), for the OpenAPI file. tests/api holds every answer to them."""

from collections.abc import Mapping, Sequence
from typing import Any

Schema = dict[str, Any]

INTEGER: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "number"}
BOOLEAN: Schema = {"type": "boolean"}
TEXT: Schema = {"type": "string"}
TIME: Schema = {
    "type": "string",
    "format": "date-time",
    "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$",
    "description": "UTC, with microseconds.",
}
HASH: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
ADDRESS: Schema = {"type": "string", "format": "uri"}

SLOTS = ("main", "extra", "extra2", "extra3")
PHASES = ("scheduled", "open", "closed", "final", "cancelled")
VERDICTS = ("pending", "accepted", "spectator", "not_solved", "illegal", "malformed", "empty", "too_long")
STATES = ("queued", "running", "judged", "held")
EVENTS = (
    "announced", "opened", "closed", "revealed", "final", "revised", "cancelled", "note", "accepted", "best", "post",
)  # fmt: skip
TITLES = ("MMC", "MPC", "second", "lucky")


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def maybe(schema: Schema) -> Schema:
    """The same, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def said(schema: Schema, words: str) -> Schema:
    return {**schema, "description": words}


def one_of(*choices: str) -> Schema:
    return {"type": "string", "enum": list(choices)}


def many(schema: Schema, **bounds: int) -> Schema:
    return {"type": "array", "items": schema, **bounds}


def shape(words: str, members: Mapping[str, Schema], *, optional: Sequence[str] = ()) -> Schema:
    """An object with these members; all but the *optional* ones are always there."""
    required = [name for name in members if name not in optional]
    return {"type": "object", "description": words, "properties": dict(members), "required": required}


def page_of(name: str) -> Schema:
    link = maybe(ADDRESS)
    return shape("A page; follow next until it is null.", {"next": link, "previous": link, "results": many(ref(name))})


def ranking_of(words: str, **members: Schema) -> Schema:
    """A part of a ranked list."""
    return shape(words, {**members, "count": said(COUNT, "How many rows there are in all.")})


_BY_METRIC = shape("Ranks by both counts; null where this submission holds none.", {
    "moves": maybe(INTEGER),
    "pushes": maybe(INTEGER),
})  # fmt: skip
_TURNED = shape("What to send instead, so that it counts (rules 6.9, 6.10, 13.4).", {
    "symmetry": said(TEXT, "How the board lay for which these moves are a solution; identity: as it lies."),
    "slot": said(maybe(one_of(*SLOTS)), "Null on a board of one's own."),
    "lurd": TEXT,
    "moves": COUNT,
    "pushes": COUNT,
    "spectator": said(BOOLEAN, "Whether it is the possible part of a text, as a spectator answer."),
})  # fmt: skip
_VERDICT: dict[str, Schema] = {
    "verdict": one_of(*VERDICTS),
    "slot": said(
        maybe(one_of(*SLOTS)),
        "The level it solves; if none, the one on which it got furthest. Null on a board of one's own.",
    ),
    "moves": said(maybe(COUNT), "Taken at the first solved state."),
    "pushes": maybe(COUNT),
    "cut": said(COUNT, "Moves behind the solved state, which do not count."),
    "case_corrected": said(BOOLEAN, "Whether capitals did not stand exactly at the pushes."),
    "index": said(maybe(COUNT), "Where it failed: character of the text, from 0."),
    "step": said(maybe(COUNT), "Where it failed: move, from 1."),
    "why": said(maybe(TEXT), "Why it failed, as a code."),
    "detail": said(TEXT, "The verdict in words, in the language of Accept-Language."),
    "boxes_home": maybe(COUNT),
    "boxes": maybe(COUNT),
    "turned": maybe(ref("Turned")),
}
_RESULT: dict[str, Schema] = {
    "player": ref("Player"),
    "moves": COUNT,
    "pushes": COUNT,
    "received_at": TIME,
    "number": said(INTEGER, "Of the submission."),
}
_ROUND: dict[str, Schema] = {
    "number": INTEGER,
    "phase": one_of(*PHASES),
    "title": said(TEXT, "In the language of Accept-Language."),
    "announced_at": TIME,
    "opens_at": TIME,
    "closes_at": TIME,
    "finalised_at": maybe(TIME),
    "settings": said(maybe({"type": "object", "additionalProperties": True}), "See the rulebook, section 17."),
    "commitment": said(maybe(HASH), "Of the lucky number, from the opening."),
    "levels": said(many(ref("Level")), "Absent until the round has opened."),
}
_TALLY: dict[str, Schema] = {
    "player": ref("Player"),
    "rounds": COUNT,
    "half_points": COUNT,
    "mmc": COUNT,
    "mpc": COUNT,
    "second": COUNT,
    "lucky": COUNT,
    "firsts_by_moves": COUNT,
    "firsts_by_pushes": COUNT,
    "first": said(INTEGER, "First round with a place."),
    "last": INTEGER,
}
_SEASON: dict[str, Schema] = {"season": TEXT, "title": TEXT, "begins_at": TIME, "ends_at": TIME}
_BOARD: dict[str, Schema] = {
    "round": INTEGER,
    "slot": one_of(*SLOTS),
    "league": one_of("human", "bot", "all"),
    "board_version": said(COUNT, "Raised by whatever changes the board."),
    "provisional": BOOLEAN,
    "void": BOOLEAN,
}
_ACCEPTED: dict[str, Schema] = {
    **_RESULT,
    "slot": maybe(one_of(*SLOTS)),
    "hors_concours": BOOLEAN,
    "void": maybe(ref("Void")),
    "sha256": said(maybe(HASH), "Of the text, from the close."),
}
_LUCKY: dict[str, Schema] = {"number": COUNT, "salt": TEXT, "is_typed": BOOLEAN}
_MAYBE_TEXT = maybe(TEXT)
_SENT: dict[str, Schema] = {
    "moves": said(TEXT, "LURD in any letter case; white space and run-length such as 3r2(lU) allowed."),
    "nickname": said(_MAYBE_TEXT, "1 to 32 characters; not needed with a token."),
    "round": said(maybe(INTEGER), "Without it: the open round."),
    "slot": said(_MAYBE_TEXT, "main, extra, extra2 or extra3; without it the level is found."),
    "country": said(_MAYBE_TEXT, "Up to 8 letters or digits, such as CN."),
    "email": said(_MAYBE_TEXT, "Shown to nobody."),
    "claim": said(_MAYBE_TEXT, "Proves a nickname that was used before."),
    "practice": said(maybe(BOOLEAN), "For a round that has closed; enters no results."),
    "idempotency_key": said(_MAYBE_TEXT, "For an item of a batch; else the header."),
}

COMPONENTS: dict[str, Schema] = {
    "Entry": shape("A submission on its way in. Other members are ignored.", _SENT, optional=[*_SENT][1:]),
    "Batch": shape(
        "Up to 100 submissions, each for itself.", {"submissions": many(ref("Entry"), minItems=1, maxItems=100)}
    ),
    "Trial": shape("Moves to judge: on a board of one's own, or on the levels of a round.", {
        "moves": TEXT,
        "board": said(_MAYBE_TEXT, "XSB rows, separated by line ends or |."),
        "round": maybe(INTEGER),
        "slot": maybe(one_of(*SLOTS)),
    }, optional=["board", "round", "slot"]),
    "Receipt": shape("The submission is stored and will be judged exactly once.", {
        "id": said(TEXT, "Secret; keep it."),
        "number": INTEGER,
        "received_at": TIME,
        "sha256": HASH,
        "url": ADDRESS,
        "claim": said(TEXT, "Once, with a new nickname; it proves the nickname from now on."),
    }, optional=["claim"]),
    "BatchAnswer": shape(
        "For each submission, in order: a receipt, or the problem it would have been answered with alone.",
        {"results": many({"anyOf": [ref("Receipt"), ref("Problem")]})},
    ),
    "Turned": _TURNED,
    "Ranks": _BY_METRIC,
    "Void": shape("No longer counted, and why.", {"reason": TEXT, "at": TIME}),
    "Submission": shape("A submission as its holder sees it.", {
        "id": TEXT,
        "number": INTEGER,
        "round": INTEGER,
        "practice": BOOLEAN,
        "state": one_of(*STATES),
        "void": maybe(ref("Void")),
        **_VERDICT,
        "ranks": ref("Ranks"),
        "received_at": TIME,
        "judged_at": maybe(TIME),
        "chain_link": maybe(HASH),
    }),
    "Sent": shape("A line of what a player has sent.", {
        "id": TEXT,
        "number": INTEGER,
        "round": INTEGER,
        "slot": maybe(one_of(*SLOTS)),
        "practice": BOOLEAN,
        "state": one_of(*STATES),
        "verdict": one_of(*VERDICTS),
        "moves": maybe(COUNT),
        "pushes": maybe(COUNT),
        "received_at": TIME,
        "void": maybe(ref("Void")),
        "url": ADDRESS,
    }),
    "Tried": shape(
        "What the verdict would be; nothing was stored.",
        {"round": said(maybe(INTEGER), "Null on a board of one's own."), **_VERDICT,
         "ranks": said(ref("Ranks"), "Those it would take now.")},
    ),
    "Level": shape("A level as published.", {
        "round": INTEGER,
        "slot": one_of(*SLOTS),
        "title": TEXT,
        "author": TEXT,
        "board": said(TEXT, "XSB rows joined by newlines; floor is -."),
        "width": COUNT,
        "height": COUNT,
        "boxes": COUNT,
        "sha256": HASH,
        "board_version": COUNT,
        "void": maybe(ref("Void")),
    }),
    "Round": shape("A round in a list.", _ROUND, optional=["levels"]),
    "WholeRound": shape("A round with all that is public of it.", {
        **_ROUND,
        "cancelled": maybe(shape("When and why.", {"at": TIME, "reason": TEXT})),
        "lucky": said(maybe(shape("The lucky number.", _LUCKY)), "From the reveal."),
        "notes": many(shape("A note of the organisers.", {"at": TIME, "what": TEXT, "why": TEXT})),
        "disqualified": many(shape("A ruling.", {"player": ref("Player"), "reason": TEXT})),
        "archive": said(maybe(ADDRESS), "The ZIP with everything, when it is ready."),
    }, optional=["levels"]),
    "Player": shape("A player.", {
        "number": INTEGER,
        "name": TEXT,
        "country": TEXT,
        "league": one_of("human", "bot"),
    }),
    "Row": shape("A line of a ranking.", {"rank": INTEGER, **_RESULT, "pareto": BOOLEAN, "practice": BOOLEAN}),
    "Standings": ranking_of("A ranking of a level.", **_BOARD, by=one_of("moves", "pushes"),
                            board=one_of("contest", "spectator", "all_time"), results=many(ref("Row"))),
    "Result": shape("A result.", _RESULT),
    "Front": ranking_of("The Pareto front of a level.", **_BOARD, results=many(
        shape("A point, and who equalled it later.", {**_RESULT, "equalled": many(ref("Result"))}))),
    "Accepted": shape("An accepted submission.", _ACCEPTED),
    "Solution": shape("An accepted submission with its moves.", {**_ACCEPTED, "lurd": TEXT}),
    "AcceptedLine": shape("An accepted submission, in a list of all rounds.", {"round": INTEGER, **_ACCEPTED}),
    "SolutionLine": shape("The same with its moves.", {"round": INTEGER, **_ACCEPTED, "lurd": TEXT}),
    "Event": shape("Something that happened; which members it has hangs on its kind.", {
        "number": INTEGER,
        "kind": one_of(*EVENTS),
        "at": said(TIME, "By the rules: an opening happens at its time."),
        "url": ADDRESS,
        "round": INTEGER,
        "submission": ref("Accepted"),
        "stands": said(BOOLEAN, "Whether the submission is still accepted and not void."),
        "by": said(one_of("moves", "pushes"), "The ranking it leads."),
        "revision": INTEGER,
        "note": shape("A note of the organisers.", {"kind": TEXT, "what": TEXT, "why": TEXT}),
        "post": said(TEXT, "Its title."),
    }, optional=["url", "round", "submission", "stands", "by", "revision", "note", "post"]),
    "ArchiveList": shape("The archives that may be taken away, newest round first.", {
        "results": many(shape("One.", {"round": INTEGER, "url": ADDRESS})),
    }),
    "Results": shape("The results of a round as they stand.", {
        "round": INTEGER,
        "preview": said(BOOLEAN, "Of an open round: points as they would be, without titles."),
        "provisional": BOOLEAN,
        "revision": maybe(INTEGER),
        "revisions": many(INTEGER),
        "made_at": maybe(TIME),
        "reason": said(_MAYBE_TEXT, "Of a revision."),
        "sha256": said(maybe(HASH), "Of the whole document."),
        "document": said(maybe(ADDRESS), "The whole document, from which everything can be computed again."),
        "champions": shape("Who holds the titles, with points or without; null where nobody does.", {
            "moves": maybe(ref("Player")),
            "pushes": maybe(ref("Player")),
            "second": maybe(ref("Player")),
        }),
        "lucky_player": maybe(ref("Player")),
        "points": many(shape("A line of the results.", {
            "place": INTEGER,
            "player": ref("Player"),
            "move_half_points": COUNT,
            "push_half_points": COUNT,
            "titles": many(one_of(*TITLES)),
        })),
    }),
    "Draw": shape("The lucky draw, with all that is needed to draw again.", {
        "round": INTEGER,
        "commitment": HASH,
        **_LUCKY,
        "formula": TEXT,
        "candidates": many(ref("Player")),
        "index": maybe(COUNT),
        "lucky": maybe(ref("Player")),
        "kept_from": said(maybe(INTEGER), "The revision whose lucky player stayed."),
    }),
    "Chain": shape("A link of the receipt chain.", {
        "round": INTEGER,
        "number": maybe(INTEGER),
        "link": maybe(HASH),
    }),
    "Profile": shape("A player's page.", {
        "number": INTEGER,
        "name": TEXT,
        "country": TEXT,
        "league": one_of("human", "bot"),
        "total": maybe(shape("Sums over final rounds.", _TALLY)),
        "rating": maybe(shape("OpenSkill.", {"mu": NUMBER, "sigma": NUMBER})),
        "rounds": many(shape("A final round the player entered.", {
            "round": INTEGER,
            "place": maybe(INTEGER),
            "half_points": COUNT,
            "titles": many(one_of(*TITLES)),
        })),
        "best_levels": many(shape("Ranks on a level.", {
            "round": INTEGER,
            "slot": one_of(*SLOTS),
            "rank_by_moves": INTEGER,
            "rank_by_pushes": INTEGER,
        })),
        "pareto": many(shape("A point of a Pareto front that the player holds.", {
            "round": maybe(INTEGER),
            "slot": maybe(one_of(*SLOTS)),
            "number": INTEGER,
            "moves": maybe(COUNT),
            "pushes": maybe(COUNT),
        })),
    }),
    "Tally": shape("A player's sums.", {"rank": INTEGER, **_TALLY}),
    "Hall": ranking_of("The hall of fame.", by=TEXT, league=one_of("human", "bot"), results=many(ref("Tally"))),
    "Season": shape("A season.", _SEASON),
    "Seasons": ranking_of("The seasons, latest first.", results=many(ref("Season"))),
    "WholeSeason": ranking_of("A season and its table.", **_SEASON, rounds=many(INTEGER),
                              league=one_of("human", "bot"), results=many(ref("Tally"))),
    "Token": shape("What a token is.", {
        "id": TEXT,
        "name": TEXT,
        "player": ref("Player"),
        "scopes": many(one_of("submit", "read")),
        "created_at": TIME,
        "expires_at": maybe(TIME),
        "last_used_at": maybe(TIME),
        "per_minute": COUNT,
    }),
    "Question": shape("A question to the solver.", {
        "level": said(TEXT, "In any usual form."),
        "act": said(one_of("solve", "prove", "optimize"), "To optimize takes a solution in lurd."),
        "aim": one_of("any", "pushes", "moves"),
        "lurd": TEXT,
        "seconds": said(COUNT, "CPU seconds; more than the site allows means the most."),
    }, optional=["act", "aim", "lurd", "seconds"]),
    "Position": shape("A position of a level in practice.", {"moves": said(TEXT, "That lead to it.")}),
    "Nothing": shape("An empty object.", {}),
    "Search": shape("What the solver was asked, how far it is, what it found.", {
        "id": TEXT,
        "url": ADDRESS,
        "state": one_of("queued", "running", "done", "cancelled", "failed"),
        "answer": said(maybe(one_of("solved", "unsolvable", "unknown")), "Null until it is done."),
        "limit": said(maybe(TEXT), "What ended a search that came to no answer."),
        "lurd": said(maybe(TEXT), "The solution; of a hint the moves to the end of the next push."),
        "moves": maybe(COUNT),
        "pushes": maybe(COUNT),
        "optimal": said(maybe(one_of("pushes", "moves")), "No solution has fewer, as was proved."),
        "lower_bound_pushes": said(COUNT, "No solution has fewer."),
        "lower_bound_moves": said(COUNT, "No solution has fewer."),
        "bound": said(COUNT, "Of what is being looked for, so far."),
        "best": said(maybe(COUNT), "Of what is being looked for, so far."),
        "depth": COUNT,
        "nodes": said(COUNT, "Positions met."),
        "cpu_seconds": NUMBER,
        "seconds": said(COUNT, "CPU seconds it may take."),
    }),
    "Time": shape("The clock that counts.", {"time": TIME}),
    "Limits": shape("What may be sent, and how much of it.", {
        "player": shape("A player's submissions.", {
            "in_seconds": many(shape("A span.", {"seconds": INTEGER, "most": INTEGER})),
            "in_a_round": INTEGER,
            "bytes_in_a_round": INTEGER,
        }),
        "address": shape("New nicknames and trials from one address.", {"per_minute": INTEGER}),
        "token": shape("Submissions and trials under one token.", {"per_minute": INTEGER}),
        "batch": INTEGER,
        "moves_bytes": INTEGER,
        "body_bytes": INTEGER,
        "page": INTEGER,
        "solutions_page": INTEGER,
        "wait_seconds": INTEGER,
    }),
    "FieldError": shape("What is wrong with one member.", {
        "field": TEXT,
        "code": TEXT,
        "detail": TEXT,
        "index": said(COUNT, "Of the character, from 0."),
    }, optional=["index"]),
    "Problem": shape("A refusal (RFC 9457).", {
        "type": TEXT,
        "title": TEXT,
        "status": INTEGER,
        "code": said(TEXT, "For programs; never changes."),
        "detail": said(TEXT, "In the language of Accept-Language."),
        "errors": many(ref("FieldError")),
        "retry_after": said(INTEGER, "Seconds; also in the header Retry-After."),
    }, optional=["retry_after"]),
} | {f"{name}Page": page_of(name) for name in ("Round", "Sent", "Accepted", "Solution", "Player")}  # fmt: skip


def closed(schema: Any) -> Any:
    """The same schema without room for members it does not name: what tests hold answers to."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(one) for name, one in schema.items()}
    if "properties" in inner and inner.get("type") == "object":
        inner.setdefault("additionalProperties", False)
    return inner
