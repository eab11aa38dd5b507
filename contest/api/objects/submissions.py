"""What is sent, and what becomes of it, as JSON Schema: entries, receipts, submissions, trials."""

from contest.api.objects.shapes import (
    ADDRESS,
    BOOLEAN,
    COUNT,
    HASH,
    INTEGER,
    MAYBE_TEXT,
    SLOTS,
    STATES,
    TEXT,
    TIME,
    VERDICTS,
    Schema,
    many,
    maybe,
    one_of,
    ref,
    shape,
    with_words,
)

_BY_METRIC = shape("Ranks by both counts; null where this submission holds none.", {
    "moves": maybe(INTEGER),
    "pushes": maybe(INTEGER),
})  # fmt: skip
_TURNED = shape("What to send instead, so that it counts (rules 6.9, 6.10, 13.4).", {
    "symmetry": with_words(TEXT, "How the board lay for which these moves are a solution; identity: as it lies."),
    "slot": with_words(maybe(one_of(*SLOTS)), "Null on a board of one's own."),
    "lurd": TEXT,
    "moves": COUNT,
    "pushes": COUNT,
    "spectator": with_words(BOOLEAN, "Whether it is the possible part of a text, as a spectator answer."),
})  # fmt: skip
_VERDICT: dict[str, Schema] = {
    "verdict": one_of(*VERDICTS),
    "slot": with_words(
        maybe(one_of(*SLOTS)),
        "The level it solves; if none, the one on which it got furthest. Null on a board of one's own.",
    ),
    "moves": with_words(maybe(COUNT), "Taken at the first solved state."),
    "pushes": maybe(COUNT),
    "cut": with_words(COUNT, "Moves behind the solved state, which do not count."),
    "case_corrected": with_words(BOOLEAN, "Whether capitals did not stand exactly at the pushes."),
    "index": with_words(maybe(COUNT), "Where it failed: character of the text, from 0."),
    "step": with_words(maybe(COUNT), "Where it failed: move, from 1."),
    "why": with_words(maybe(TEXT), "Why it failed, as a code."),
    "detail": with_words(TEXT, "The verdict in words, in the language of Accept-Language."),
    "boxes_home": maybe(COUNT),
    "boxes": maybe(COUNT),
    "turned": maybe(ref("Turned")),
}
_SENT: dict[str, Schema] = {
    "moves": with_words(TEXT, "LURD in any letter case; white space and run-length such as 3r2(lU) allowed."),
    "nickname": with_words(MAYBE_TEXT, "1 to 32 characters; not needed with a token."),
    "round": with_words(maybe(INTEGER), "Without it: the open round."),
    "slot": with_words(MAYBE_TEXT, "main, extra, extra2 or extra3; without it the level is found."),
    "country": with_words(MAYBE_TEXT, "Up to 8 letters or digits, such as CN."),
    "email": with_words(MAYBE_TEXT, "Shown to nobody."),
    "claim": with_words(MAYBE_TEXT, "Proves a nickname that was used before."),
    "practice": with_words(maybe(BOOLEAN), "For a round that has closed; enters no results."),
    "idempotency_key": with_words(MAYBE_TEXT, "For an item of a batch; else the header."),
}

SUBMISSIONS: dict[str, Schema] = {
    "Entry": shape("A submission on its way in. Other members are ignored.", _SENT, optional=[*_SENT][1:]),
    "Batch": shape(
        "Up to 100 submissions, each for itself.", {"submissions": many(ref("Entry"), minItems=1, maxItems=100)}
    ),
    "Trial": shape("Moves to judge: on a board of one's own, or on the levels of a round.", {
        "moves": TEXT,
        "board": with_words(MAYBE_TEXT, "XSB rows, separated by line ends or |."),
        "round": maybe(INTEGER),
        "slot": maybe(one_of(*SLOTS)),
    }, optional=["board", "round", "slot"]),
    "Receipt": shape("The submission is stored and will be judged exactly once.", {
        "id": with_words(TEXT, "Secret; keep it."),
        "number": INTEGER,
        "received_at": TIME,
        "sha256": HASH,
        "url": ADDRESS,
        "claim": with_words(TEXT, "Once, with a new nickname; it proves the nickname from now on."),
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
        "text": with_words(TEXT, "As it was sent, where that is asked for."),
    }, optional=["text"]),
    "BestList": shape("A player's best results.", {
        "results": many(shape("The best on one board of a level by one count.", {
            "round": INTEGER,
            "slot": one_of(*SLOTS),
            "board": one_of("contest", "spectator", "practice"),
            "by": one_of("moves", "pushes"),
            "moves": COUNT,
            "pushes": COUNT,
            "number": with_words(INTEGER, "Of the submission."),
            "received_at": TIME,
        })),
    }),
    "Tried": shape(
        "What the verdict would be; nothing was stored.",
        {"round": with_words(maybe(INTEGER), "Null on a board of one's own."), **_VERDICT,
         "ranks": with_words(ref("Ranks"), "Those it would take now.")},
    ),
}  # fmt: skip
