import pytest
from django.core.exceptions import ValidationError

from contest import levels
from contest.models import Level
from tests import cast

pytestmark = pytest.mark.django_db

CORRIDOR = """
  ######
  #@ $.#
  ######
"""


def errors_of(text, solution="rR", **texts):
    with pytest.raises(ValidationError) as refusal:
        levels.check(text, solution, **{"title": "Title", "author": "Author", **texts})
    return refusal.value.message_dict


def admitted(text=CORRIDOR, solution="rR", **texts):
    return levels.check(text, solution, **{"title": "Title", "author": "Author", **texts})


def test_an_admitted_level_has_all_its_fields():
    """Rules 2.3, 2.7."""
    level = levels.fill(Level(), admitted())
    assert admitted("######|#@ $.#|######").board == admitted().board, "lines and bars are the same"
    assert (level.text, level.solution) == ("######|#@-$.#|######", "rR")
    assert (level.width, level.height, level.boxes) == (6, 3, 1)
    assert len(level.sha256) == len(level.key) == 64
    assert admitted(solution="2r lllll").solution == "rR"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "There is no board in this text."),
        ("#####\n#@x.#\n#####", "“x” is not a character of this text (line 2, column 3)."),
        ("######|#--$.#|######", "The level has 0 pushers; it needs exactly one."),
        ("######|#@-$.-|######", "The level is open: the pusher can walk to the edge of the board."),
        (f"#{'#' * 120}|#@-$.#|{'#' * 121}", "The level must have 3 to 100 rows and columns."),
    ],
)
def test_a_bad_board_is_refused_with_a_message(text, reason):
    assert any(message.startswith(reason) for message in errors_of(text)["text"])


@pytest.mark.parametrize(
    ("solution", "reason"),
    [
        ("", "The organiser's own solution is missing."),
        ("r", "The organiser's own solution does not solve the level."),
        ("rx", "“x” is not a character of this text (character 2)."),
        ("(9" * 60, "9"),
    ],
)
def test_a_solution_that_does_not_solve_is_refused_with_a_message(solution, reason):
    assert any(reason in message for message in errors_of(CORRIDOR, solution)["solution"])


def test_a_title_that_gives_the_solution_away_is_refused():
    board = f"{'#' * 13}|#@--------$.#|{'#' * 13}"
    assert "title" in errors_of(board, "8rR", title="Go rrrr rrrr!")
    assert "solution" in errors_of(board, "8rR", texts=["rrrrrrrr"]), "nor may another text of the round"


def test_a_known_level_is_a_warning_even_when_mirrored():
    cast.a_round(7)
    assert admitted("######|#.$-@#|######", "lL", title="", author="").warnings == (
        "Title or author is empty.",
        "This level already exists: Round 7 · Main.",
    )


def test_a_level_occurs_once_in_its_round_even_when_mirrored_but_may_replace_itself():
    """Rules 2.13, 6.8: one text solves one slot, so the second level could never be solved."""
    round_ = cast.a_round(7)
    assert admitted("######|#.$-@#|######", "lL", round_id=round_.pk, slot="main").warnings == ()
    reason = errors_of("######|#.$-@#|######", "lL", round_id=round_.pk, slot="extra2")
    assert "already in the slot “Main”, perhaps rotated or mirrored" in reason["text"][0]
