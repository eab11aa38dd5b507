"""Messages, in the reader's language, for the codes and numbers of the puzzle library."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy, pgettext

from contest.models import Level, Slot, Submission, Verdict
from contest.wording import puzzles
from solvers.errors import PuzzleError
from solvers.sokoban.problems import Problem

_WHY = {
    "wall": gettext_lazy("Move %(step)s (%(letter)s) walks into a wall."),
    "off_the_map": gettext_lazy("Move %(step)s (%(letter)s) walks off the board."),
    "box_against_wall": gettext_lazy("Move %(step)s (%(letter)s) pushes a box into a wall."),
    "box_against_box": gettext_lazy("Move %(step)s (%(letter)s) pushes a box into another box."),
    "box_off_the_map": gettext_lazy("Move %(step)s (%(letter)s) pushes a box off the board."),
}
_ERRORS = {
    "foreign_character": gettext_lazy("“%(character)s” is not a character of this text"),
    "dangling_count": gettext_lazy("Nothing follows the count %(count)s"),
    "unbalanced_bracket": gettext_lazy("Unmatched bracket %(bracket)s"),
    "nested_too_deep": gettext_lazy("Brackets are nested more than %(limit)s deep"),
    "too_long": gettext_lazy("This is %(size_words)s long; the limit is %(limit)s"),
    "too_many_parts": gettext_lazy(
        "This text has more than %(limit)s digits, brackets and line breaks: write the moves out on fewer lines"
    ),
    "too_many_lines": gettext_lazy("This text has more than %(limit)s lines, too many for one level"),
    "too_large": gettext_lazy("The board has %(width)s columns and %(height)s rows; the limit is %(limit)s of each"),
    "blank_line": gettext_lazy("Line %(line_number)s is blank: write - for an empty row"),
    "odd_line": gettext_lazy("Line %(line_number)s is between two rows of a board and is not a row"),
    "unknown_alphabet": gettext_lazy("These characters are unknown; these look like walls: %(walls)s"),
    "several_levels": gettext_lazy("This text has %(count)s levels (%(names)s): paste one of them"),
    "tab_inside": gettext_lazy("A row contains a tab: use spaces or -"),
    "no_board": gettext_lazy("There is no board in this text"),
    "bad_level": gettext_lazy("This level cannot be judged: %(problem)s"),
    "mixed_alphabets": gettext_lazy("“%(character)s” is a wall in another notation than the rest of the board"),
    "reverse_mode": gettext_lazy("This is a reverse-mode game: it cannot be submitted"),
    "several_pushers": gettext_lazy("These moves are for several pushers: they cannot be submitted"),
}
_ALL_ERRORS = {**puzzles.ERRORS, **_ERRORS}  # scripts of the contest get only _ERRORS
_PROBLEMS = {
    "players": gettext_lazy("The level has %(players)s pushers; it needs exactly one."),
    "no_boxes": gettext_lazy("The level has no box."),
    "boxes_goals": gettext_lazy("The level has %(boxes)s boxes and %(goals)s goals; they must be equal in number."),
    "open": gettext_lazy("The level is open: the pusher can walk to the edge of the board."),
    "unreachable_box": gettext_lazy("A box is where the pusher can never go."),
    "unreachable_goal": gettext_lazy("A goal is where the pusher can never go."),
    "solved_at_start": gettext_lazy("All boxes are on goals at the start: at least one push is needed."),
    "size": gettext_lazy("The level must have 3 to 100 rows and columns."),
    "reach_boxes_goals": gettext_lazy(
        "In the area the pusher can reach, boxes and goals must be equal in number, and at least one."
    ),
    "lost_box": gettext_lazy("A box that the pusher can never reach is not on a goal: the level cannot be solved."),
    "corner_box": gettext_lazy("A box is in a corner without a goal: the level looks unsolvable."),
    "no_solution": gettext_lazy("The organiser's own solution is missing."),
    "solution_fails": gettext_lazy("The organiser's own solution does not solve the level."),
    "text_empty": gettext_lazy("Title or author is empty."),
    "text_lines": gettext_lazy("Title and author must be one line each."),
    "text_unprintable": gettext_lazy("Title or author contains a character that cannot be shown."),
    "text_long": gettext_lazy("Title and author may have at most 200 characters each."),
    "text_bar": gettext_lazy("A | in title or author is shown as a space by older programs."),
    "leak": gettext_lazy("A text of the round gives away a part of the solution."),
}
TITLE_WORDS = {
    "MMC": gettext_lazy("Moves champion"),
    "MPC": gettext_lazy("Pushes champion"),
    "second": gettext_lazy("Second champion"),
    "lucky": gettext_lazy("Lucky player"),
}
_EMPTY = gettext_lazy("There is no move in this text.")
_TOO_LONG = gettext_lazy("The text would be %(size)s moves long; the limit is %(limit)s.")
_FAR_TOO_LONG = gettext_lazy("The text would be more than 10^18 moves long; the limit is %(limit)s.")


def describe_verdict(submission: Submission) -> str:
    """Return the verdict as a sentence, positions counted from 1 (rule 6.11)."""
    if submission.is_held:
        return _("Waiting for an organiser: something went wrong on our side. You need not send it again.")
    if submission.is_pending:
        return _("Being judged.")
    verdict = _SAYERS[Verdict(submission.verdict)](submission)
    cut = _CUT % {"cut": submission.cut} if submission.cut else ""
    sentences = (verdict, cut, _describe_untried(submission), _describe_left_out(submission))
    # A Chinese full stop has its own space.
    return " ".join(filter(None, sentences)).replace("。 ", "。")


_CUT = ngettext_lazy(
    "%(cut)s move after the level was solved was ignored.",
    "%(cut)s moves after the level was solved were ignored.",
    "cut",
)
_UNTRIED = gettext_lazy(
    "Not all of the text was tried on %(levels)s, because its moves are too many: submit one solution by itself."
)


def _describe_untried(submission: Submission) -> str:
    """Return a sentence on the levels on which a part of the text was not tried (rule 6.8); empty if there are none."""
    slots = submission.why_values.get("untried", [])
    return str(_UNTRIED) % {"levels": pgettext("between parts", ", ").join(map(_slot_name, slots))} if slots else ""


_READINGS = {
    "lines": gettext_lazy("the lines that contain only moves"),
    "whole": gettext_lazy("the whole text"),
    "words": gettext_lazy("words of moves that follow each other"),
    "joined": gettext_lazy("all words of moves, joined"),
    "single lines": gettext_lazy("the words of moves of one line"),
    "single words": gettext_lazy("one word of moves"),
    "directions": gettext_lazy("the words left, right, up and down"),
    "letters": gettext_lazy("all letters l, u, r and d"),
    "letters and arrows": gettext_lazy("all letters l, u, r and d, and arrows"),
}


def describe_reading(submission: Submission) -> str:
    """Return which part of the text was read as moves (rule 6.1); empty if it was judged before that was stored."""
    return str(_READINGS.get(submission.reading, submission.reading))


_LEFT_OUT = gettext_lazy("Not read as moves: %(parts)s.")
_MORE_LEFT_OUT = gettext_lazy("Not read as moves: %(parts)s, and more.")
_LEFT_OUT_PART = gettext_lazy("“%(text)s” (line %(line)s)")
_LISTED_PARTS = 3


def _describe_left_out(submission: Submission) -> str:
    """Return a sentence on the parts of the text that were not read as moves; empty if there are none."""
    shown = [str(_LEFT_OUT_PART) % part for part in submission.left_out]
    if not shown:
        return ""
    message = _MORE_LEFT_OUT if len(shown) > _LISTED_PARTS else _LEFT_OUT
    return str(message) % {"parts": pgettext("between parts", ", ").join(shown[:_LISTED_PARTS])}


def describe_counts(moves: int | None, pushes: int | None) -> str:
    """Return the counts of a solution in words: `3 moves, 1 push`."""
    return _("%(moves)s, %(pushes)s") % {"moves": _describe_moves(moves), "pushes": _describe_pushes(pushes)}


def _describe_moves(count: int | None) -> str:
    return ngettext("%(count)s move", "%(count)s moves", count or 0) % {"count": count}


def _describe_pushes(count: int | None) -> str:
    return ngettext("%(count)s push", "%(count)s pushes", count or 0) % {"count": count}


def _describe_accepted(submission: Submission) -> str:
    counts = describe_counts(submission.moves, submission.pushes)
    return _("Solves %(level)s: %(counts)s.") % {"level": _name_of(submission.level), "counts": counts}


def _name_of(level: Level | None) -> str:
    """Return the name of *level* in sentences: its slot, or "the level" for a visitor's own board."""
    return str(level.get_slot_display()) if level and level.slot else _("the level")


def _not_solved(submission: Submission) -> str:
    level = submission.level
    return _("Not solved: %(home)s of %(boxes)s boxes are on goals after %(moves)s on %(level)s.") % {
        "home": submission.boxes_home,
        "boxes": level.boxes if level else "?",
        "moves": _describe_moves(submission.moves),
        "level": _name_of(level),
    }


def with_label(label: object, text: object) -> str:
    """Return *text* after their label, with the colon of the reader's language."""
    return f"{label}{pgettext('punctuation', ': ')}{text}"


def _illegal(submission: Submission) -> str:
    text = bytes(submission.text).decode("utf-8", "surrogatepass")
    at = submission.index
    letter = text[at] if at is not None and at < len(text) else submission.why_values.get("letter", "")
    message = str(_WHY[submission.why]) % {"step": submission.step, "letter": letter}
    return with_label(_name_of(submission.level), message) if submission.level and submission.level.slot else message


def _describe_malformed(submission: Submission) -> str:
    message = _from(_ERRORS, submission.why, submission.why_values) or _("These moves cannot be read")
    if submission.index is None:
        return f"{message}."
    return _("%(words)s (character %(index)s).") % {"words": message, "index": submission.index + 1}


def _too_long(submission: Submission) -> str:
    if submission.why == "too_many_parts":
        return f"{_from(_ERRORS, submission.why, submission.why_values)}."
    limit = f"{submission.round.max_moves:,}"
    if size := submission.why_values.get("size"):
        return str(_TOO_LONG) % {"size": f"{size:,}", "limit": limit}
    return str(_FAR_TOO_LONG) % {"limit": limit}


def _spectator(submission: Submission) -> str:
    level = submission.level
    message = _("Spectator answer on %(level)s: %(home)s of %(boxes)s boxes on goals after %(counts)s.")
    return message % {
        "level": _name_of(level),
        "home": submission.boxes_home,
        "boxes": level.boxes if level else "?",
        "counts": describe_counts(submission.moves, submission.pushes),
    }


_SAYERS = {
    Verdict.ACCEPTED: _describe_accepted,
    Verdict.SPECTATOR: _spectator,
    Verdict.NOT_SOLVED: _not_solved,
    Verdict.ILLEGAL: _illegal,
    Verdict.MALFORMED: _describe_malformed,
    Verdict.EMPTY: lambda _submission: str(_EMPTY),
    Verdict.TOO_LONG: _too_long,
}


_OFFERS = {
    "identity": gettext_lazy("These moves solve %(level)s."),
    "clockwise": gettext_lazy("These moves solve %(level)s turned clockwise."),
    "half": gettext_lazy("These moves solve %(level)s turned by 180°."),
    "anticlockwise": gettext_lazy("These moves solve %(level)s turned anticlockwise."),
    "mirrored": gettext_lazy("These moves solve %(level)s with left and right swapped."),
    "upside_down": gettext_lazy("These moves solve %(level)s with top and bottom swapped."),
    "diagonal": gettext_lazy("These moves solve %(level)s mirrored along its main diagonal."),
    "antidiagonal": gettext_lazy("These moves solve %(level)s mirrored along its other diagonal."),
}
_SPECTATOR_OFFER = gettext_lazy("Up to the illegal move this is a spectator answer on %(level)s.")


def describe_offer(submission: Submission) -> str:
    """Return the alternative offered for the same moves (rules 6.9, 6.10, 13.4); empty if there is none."""
    offer = submission.turned
    if not offer:
        return ""
    message = _SPECTATOR_OFFER if offer["spectator"] else _OFFERS[offer["symmetry"]]
    return str(message) % {"level": _slot_name(offer["slot"])}


def _slot_name(slot: str) -> str:
    return str(Slot(slot).label) if slot else _("the level")


def offer_button(submission: Submission) -> str:
    """Return the label of the button beside the offer."""
    if not submission.turned:
        return ""
    if submission.turned["spectator"]:
        return _("Submit the legal part")
    if submission.turned["symmetry"] != "identity":
        return _("Turn it back and submit")
    return _("Submit it for %(level)s") % {"level": _slot_name(submission.turned["slot"])}


def for_scripts() -> dict[str, str]:
    """Return the messages above as templates, so that a page's script uses the same wording."""
    named = {"why": _WHY, "error": _ERRORS, "problem": _PROBLEMS, "turned": _OFFERS}
    messages = {f"{kind}_{code}": str(message) for kind, table in named.items() for code, message in table.items()}
    return messages | {
        "solves": _("Solves %(level)s: %(counts)s."),
        "notSolved": _("Not solved: %(home)s of %(boxes)s boxes are on goals after %(moves)s on %(level)s."),
        "counts": _("%(moves)s, %(pushes)s"),
        "oneMove": _describe_moves(1),
        "someMoves": ngettext("%(count)s move", "%(count)s moves", 2),
        "onePush": _describe_pushes(1),
        "somePushes": ngettext("%(count)s push", "%(count)s pushes", 2),
        "leftOut": str(_LEFT_OUT),
        "moreLeftOut": str(_MORE_LEFT_OUT),
        "leftOutPart": str(_LEFT_OUT_PART),
        "betweenParts": pgettext("between parts", ", "),
        "empty": str(_EMPTY),
        "tooLong": str(_TOO_LONG),
        "farTooLong": str(_FAR_TOO_LONG),
        "atCharacter": _("%(words)s (character %(index)s)."),
    }


def error_sentences() -> dict[str, str]:
    """Return the error messages for levels and moves as templates, by `error-` and their codes."""
    return {f"error-{code}": str(message) for code, message in _ERRORS.items()}


def describe_error(error: PuzzleError) -> str:
    """Return an error of the puzzle library with its position, in the reader's language."""
    message = _from(_ALL_ERRORS, error.code, error.values) or str(error).rstrip(".")
    return _at(message, error.index, error.line, error.column)


def describe_unread(code: str, values: dict[str, Any], line: int | None, column: int | None) -> str:
    """Return the message of an error stored as code and values."""
    return _at(_from(_ALL_ERRORS, code, values) or _("This board cannot be read"), None, line, column)


def _at(message: str, index: int | None, line: int | None, column: int | None) -> str:
    if line is not None:
        return _("%(words)s (line %(line)s, column %(column)s).") % {
            "words": message,
            "line": line,
            "column": column or 1,
        }
    if index is not None:
        return _("%(words)s (character %(index)s).") % {"words": message, "index": index + 1}
    return _("%(words)s.") % {"words": message}


def describe_step(why: str, step: int, letter: str) -> str:
    """Return why a step, counted from 1, is impossible."""
    return str(_WHY[why]) % {"step": step, "letter": letter}


def problem_templates() -> dict[str, str]:
    """Return the message template of every problem by code, for a script that checks levels itself."""
    return {code: str(message) for code, message in _PROBLEMS.items()}


def describe_problem(problem: Problem) -> str:
    """Return a problem of a level in the reader's language."""
    return _from(_PROBLEMS, problem.code, problem.values) or str(problem)


def _from(table: dict[str, Any], code: str, values: dict[str, Any]) -> str:
    try:
        return str(table[code]) % values
    except (KeyError, ValueError):
        return ""


def describe_undecided(waiting: int, held: int) -> tuple[str, ...]:
    """Return messages on a round's undecided submissions: *waiting* for the judge, and *held* for an organiser."""
    messages: list[str] = []
    if waiting:
        messages.append(
            ngettext("%(count)s submission is not judged yet.", "%(count)s submissions are not judged yet.", waiting)
            % {"count": waiting}
        )
    if held:
        messages.append(
            ngettext(
                "%(count)s submission is waiting for an organiser.",
                "%(count)s submissions are waiting for an organiser.",
                held,
            )
            % {"count": held}
        )
    return tuple(messages)
