"""No error report and no trace holds a text of a player, a secret or an address."""

import pytest

from contest.infra.monitoring.scrubbing import scrub_text

BOARD = "#####\n#@$.#\n#####"
ROW = "value too long\nDETAIL:  Failing row contains (7, ann@example.org, 3rUl\nrR, the-claim)."


@pytest.mark.parametrize(
    "private",
    [
        "rrrRRR", "LLuurRdD", "3r2U4lRD5u", BOARD, BOARD.replace("\n", "|"), repr(BOARD), "6#|#@-$.#|6#",
        "  #####\n ##@$.#\n #######", "ann@example.org", "leitai_play_Rq3vK0hZ8tYw", "/en/s/Rq3vK0hZ8tYw/",
        "desk_0123456789ab_Rq3vK0hZ8tYw", "whsec_Rq3vK0hZ8tYw+/Rq3v=", "/en/desk/invitation/Rq3vK0hZ8tYw/",
        "/zh-hans/collected/Rq3vK0hZ8tYw/", "/api/v1/rebuild/2(rU)3l2(dR)/", "/lurd2xsb/r(uR)4(dL)2u", "rR(lU)4dDl",
        "2(rU)3l2(dR)", "/lurd2xsb/9(rU)",
    ],
)  # fmt: skip
def test_private_text_is_removed(private):
    shown = scrub_text(f"Cannot read {private} now")
    assert shown.startswith("Cannot read ")
    assert shown.endswith(" now")
    for part in ("rR", "#@", "$.", "ann@", "Rq3v", "r2U", "rU", "uR", "lU"):
        assert part not in shown


def test_a_row_quoted_by_postgresql_is_removed_to_its_end():
    assert scrub_text(ROW) == "value too long\nDETAIL: …"


@pytest.mark.parametrize(
    "text",
    [
        "relation \"contest_round\" does not exist\nLINE 1: SELECT * FROM contest_round", "dull", "rule 7.5", "a # b",
        "Issue #12, #13 and #14", "call(1) of (2)(3)", "desk_tokens_user_id", "/en/desk/invitation/<str:code>/",
    ],
)  # fmt: skip
def test_other_text_stays(text):
    assert scrub_text(text) == text
