"""Examples of each request body in the OpenAPI document, by operation."""

from typing import Any

Examples = dict[str, dict[str, Any]]

_NOTHING: Examples = {"nothing": {"summary": "An empty object", "value": {}}}

EXAMPLES: dict[str, Examples] = {
    "sendEntry": {
        "one": {"summary": "With a token", "value": {"moves": "rR"}},
        "named": {"summary": "Without one", "value": {"nickname": "Ann", "moves": "3r2(lU)R", "country": "CN"}},
        "several": {"summary": "Several at once", "value": {"submissions": [{"moves": "rR"}, {"moves": "rDldR"}]}},
    },
    "sendSealedEntry": {
        "one": {
            "summary": "Two moves and one push",
            "value": {"slot": "main", "moves": 2, "pushes": 1, "sha256": "a9" * 32},
        }
    },
    "sendSealedText": {
        "one": {
            "summary": "The main level of round 219",
            "value": {"text": f"leitai-sealed-1\n219/main\n4711\n{'0' * 32}\nrR"},
        }
    },
    "sendTrial": {
        "board": {"summary": "A board of one's own", "value": {"board": "#####|#@$.#|#####", "moves": "R"}},
        "round": {"summary": "The open round", "value": {"moves": "rR", "slot": "main"}},
    },
    "sendSolutionText": {"one": {"summary": "Two moves and one push", "value": {"moves": "rR"}}},
    "sendQuestion": {
        "solve": {"summary": "Any solution", "value": {"level": "#####|#@$.#|#####", "act": "solve", "seconds": 10}},
        "prove": {
            "summary": "The fewest pushes",
            "value": {"level": "#####|#@$.#|#####", "act": "prove", "aim": "pushes"},
        },
        "optimize": {
            "summary": "A better solution",
            "value": {"level": "######|#@-$.#|######", "act": "optimize", "aim": "moves", "lurd": "rlrR"},
        },
    },
    "sendNothing": _NOTHING,
    "sendPosition": {
        "start": {"summary": "From the start", "value": {}},
        "later": {"summary": "After some moves", "value": {"moves": "rrU"}},
    },
    "makeWebhook": {
        "results": {
            "summary": "Openings and results",
            "value": {"url": "https://hook.example/leitai", "events": ["opened", "final"]},
        }
    },
    "testWebhook": _NOTHING,
    "endWebhook": _NOTHING,
    "makeDraft": {
        "suggested": {"summary": "As the desk suggests", "value": {}},
        "planned": {
            "summary": "With a title and times",
            "value": {
                "title_en": "Winter",
                "opens_at": "2027-01-01T12:00:00+08:00",
                "closes_at": "2027-01-15T12:00:00+08:00",
            },
        },
    },
    "prepareRound": _NOTHING,
    "queueLevels": {
        "two": {"summary": "Two levels for two slots", "value": {"levels": ["17", "18"], "slots": ["main", "extra"]}}
    },
}
