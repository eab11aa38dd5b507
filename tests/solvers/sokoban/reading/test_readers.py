import itertools
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.sokoban.level import Level
from solvers.sokoban.reading import readers
from solvers.sokoban.reading.counts import without_counts
from solvers.sokoban.reading.readers import Change, Judgement, Outcome, Reader, candidates, judge

LEVEL = Level.parse("#######|#@  $.#|#     #|#######")
S = "drurR"  # an idle way round, and the push
WRONG = "druuR"


def outcomes(text, level=LEVEL):
    return [judge(level, text, reader).outcome.value for reader in Reader]


ARROWS = str.maketrans("lurdR", "←↑→↓→")
CHINESE = str.maketrans("lurdR", "左上右下右")
FULL = {code: code + 0xFEE0 for code in range(33, 127)}
FOUR = ["solved"] * 4
LOOSE = ["malformed", "malformed", "solved", "solved"]
LEGACY_ONLY = ["malformed", "malformed", "malformed", "solved"]
COUNTED = ["malformed", "solved", "solved", "solved"]
BOARD = "#######\n#@  $.#\n#     #\n#######"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (S.lower(), FOUR),
        (S.upper(), FOUR),
        (S.swapcase(), FOUR),
        ("\r\n dr\r\nu\tr \nR\n\n", FOUR),
        (",".join(S), LOOSE),
        ("dr\u00a0urR", LOOSE),
        ("dr\u200burR", LOOSE),
        ("\ufeff" + S, LOOSE),
        (S.translate(FULL), LOOSE),
        (S.translate(ARROWS), LOOSE),
        (S.translate(CHINESE), LOOSE),
        ("上下右左" + S, ["malformed", "malformed", "illegal", "solved"]),
        ("dr\0urR", LEGACY_ONLY),
        ("dr\burR", LEGACY_ONLY),
        ("drıurR", LEGACY_ONLY),
        ("dr<b>urR</b>", LEGACY_ONLY),
        ("SENEE", ["malformed", "malformed", "malformed", "empty"]),
        ("> dr\n> urR", LOOSE),
        (">>dr\n>>urR", LOOSE),
        ("Solution/Moves 5/1\n" + S, LOOSE),
        ("Solution 5/1: " + S, LOOSE),
        ("Answer:" + S, LOOSE),
        (S + "\nMoves: 5 Pushes: 1", LOOSE),
        (f"{BOARD}\n\n{S}", LOOSE),
        ("dr*urR", LOOSE),
        ("*dr*urR", LEGACY_ONLY),
        ("[]" + S, LEGACY_ONLY),
        ("{}" + S, LEGACY_ONLY),
        ("[]dr\nurR", LEGACY_ONLY),
        ("dru2r", COUNTED),
        ("dru\n2\nr", ["malformed", "solved", "not_solved", "not_solved"]),
        ("dru2\nr", COUNTED),
        ("1(drurR)", COUNTED),
        ("0u" + S, COUNTED),
        (S + "3", LEGACY_ONLY),
        ("2(" + S, LEGACY_ONLY),
        (S + ")", LEGACY_ONLY),
        ("1000000000" + S, ["malformed", "too_long", "too_long", "too_long"]),
        ("9(" * 12 + "u" + ")" * 12, ["malformed", "too_long", "too_long", "too_long"]),
        ("", ["empty"] * 4),
        (" \t\r\n", ["empty"] * 4),
        ("()", ["malformed", "empty", "empty", "empty"]),
        ("3", ["malformed", "malformed", "empty", "empty"]),
        ("du" * 30_000 + S, FOUR),
        ("٣r" + S, LEGACY_ONLY),
        (S + S, FOUR),
        (S + "ud", FOUR),
        (S[:-1], ["not_solved"] * 4),
        (WRONG, ["illegal"] * 4),
        (f"{WRONG}\n\n{S}", ["illegal", "illegal", "solved", "solved"]),
    ],
)
def test_each_reader_forgives_what_it_should(text, expected):
    assert outcomes(text) == expected


def test_a_title_of_the_letters_of_moves_does_not_hide_the_solution():
    assert outcomes("Dull\n" + S) == ["illegal", "illegal", "solved", "solved"]


@pytest.mark.parametrize(
    ("text", "reader", "index", "step", "why"),
    [
        ("drq", Reader.STRICT, 2, None, "foreign_character"),
        (S + "\nx", Reader.STRICT, 6, None, "foreign_character"),
        ("d3", Reader.RUN_LENGTH, 1, None, "dangling_count"),
        ("dru\nU", Reader.STRICT, 4, 4, "wall"),
        ("d 2r2u", Reader.RUN_LENGTH, 5, 5, "wall"),
        ("Solution: d,r,u,u", Reader.LENIENT, 16, 4, "wall"),
        ("notes\n\n>d r\n>u u\n", Reader.LENIENT, 15, 4, "wall"),
        ("\ufeff下右上上", Reader.LENIENT, 4, 4, "wall"),
        ("  <p>druu", Reader.LENIENT, 2, None, "foreign_character"),
        ("  <p>druu", Reader.LEGACY, 8, 4, "wall"),
        ("a [1]dr", Reader.LENIENT, 0, None, "foreign_character"),
        ("notes\n [1]dr", Reader.LENIENT, 7, None, "reverse_mode"),
        ("1{}dr", Reader.LENIENT, 1, None, "several_pushers"),
        ("9999999999u", Reader.LENIENT, None, None, "too_long"),
    ],
)
def test_mistakes_are_pointed_at_in_the_text_as_sent(text, reader, index, step, why):
    judgement = judge(LEVEL, text, reader)
    assert (judgement.index, judgement.step, judgement.why) == (index, step, why)


def test_a_level_that_cannot_be_judged_is_a_bad_level():
    judgement = judge(Level.parse("####|#@@#|####"), S)
    assert (judgement.outcome, judgement.why, judgement.moves) == (Outcome.BAD_LEVEL, "players", 0)


def test_the_first_level_solved_takes_the_text():
    extra = Level.parse("#######|#@  $.#|#    ##|#######")
    assert judge([extra, LEVEL], "rrR").level == 0
    assert judge([LEVEL, extra], "rrR", Reader.LENIENT).level == 0
    assert judge([Level.parse("####|#@@#|####"), LEVEL], "rrR").level == 1


def test_a_failure_names_the_level_where_the_text_got_furthest():
    narrow = Level.parse("#####|#@$.#|#####")
    judgement = judge([narrow, LEVEL], "dru")
    assert (judgement.level, judgement.outcome, judgement.moves) == (1, "not_solved", 3)


def test_the_lenient_reader_offers_all_solutions_and_takes_the_shortest():
    judgement = judge(LEVEL, f"long\n{S}\nshort\nrrR\nlong\n{S}", Reader.LENIENT)
    assert [one.replay.moves for one in judgement.solved] == [5, 3, 5]
    assert (judgement.moves, [one.start for one in judgement.solved]) == (3, [5, 17, 26])


def test_the_legacy_reader_takes_the_first_solution():
    assert judge(LEVEL, f"long\n{S}\nshort\nrrR\n", Reader.LEGACY).moves == 5


def test_paragraphs_are_tried_if_the_whole_block_solves_nothing():
    assert judge(LEVEL, f"{WRONG}\n\n{WRONG}\n\nrrR", Reader.LENIENT).moves == 3


@pytest.mark.parametrize("symmetry", range(8))
def test_a_board_in_the_text_names_the_level(symmetry):
    other = Level.parse("#######|#@ $ .#|#######")
    text = f"{LEVEL.transform(symmetry)}\n\n{S}"
    judgement = judge([other, LEVEL], text, Reader.LENIENT)
    assert (judgement.board, judgement.other_board, judgement.level) == ((1, symmetry), False, 1)


def test_a_board_that_is_none_of_the_levels_is_mentioned():
    judgement = judge(LEVEL, f"#####\n#@$.#\n#####\n\n{S}", Reader.LENIENT)
    assert (judgement.outcome, judgement.board, judgement.other_board) == ("solved", None, True)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        (S, []),
        (S.lower(), ["case"]),
        (S + "u", ["tail"]),
        ("d,r,urR", ["commas"]),
        ("↓rurR", ["arrows"]),
        ("\ufeffdrurR", ["blanks"]),
        ("ｄrurR", ["full_width"]),
        (">dr\n>urR", ["quotes"]),
        ("dr*urR", ["position_mark"]),
        ("hello\n" + S, ["other_text"]),
    ],
)
def test_what_the_lenient_reader_changed_is_said(text, changes):
    assert list(judge(LEVEL, text, Reader.LENIENT).changes) == changes


def test_the_reading_with_all_that_was_sent_goes_first():
    judgement = judge(LEVEL, f"Solution: 1 {S}", Reader.LENIENT)
    assert (judgement.moves, Change.COUNTS in judgement.changes) == (5, False)


@pytest.mark.parametrize("reader", [Reader.LENIENT, Reader.LEGACY])
def test_moves_beside_their_counts_are_read_without_them(reader):
    judgement = judge(LEVEL, f"Moves: 15 Pushes: 4 {S}", reader)
    assert (judgement.outcome, judgement.moves, judgement.pushes) == ("solved", 5, 1)
    assert Change.COUNTS in judgement.changes


def test_of_several_solutions_with_counts_the_shortest_is_taken():
    judgement = judge(LEVEL, f"Moves: 7 Pushes: 2 du{S}\nMoves: 5 Pushes: 2 {S}", Reader.LENIENT)
    assert (judgement.moves, [one.start for one in judgement.solved]) == (5, [19, 46])


def test_what_fails_without_its_counts_too_is_judged_as_it_was_sent():
    judgement = judge(LEVEL, f"Moves: 5 Pushes: 2 {WRONG}", Reader.LENIENT)
    assert (judgement.outcome, judgement.index, judgement.step) == ("illegal", 19, 2)


def test_candidates_without_their_counts_come_last():
    blocks = candidates("Moves: 3 Pushes: 2 rrU").blocks
    assert [block.moves and block.moves.steps for block in blocks] == ["rrrU", "rrU"]


@given(st.text("lurdLURD 0123456789()/:;=-+\\\n>Moves[{", max_size=60))
def test_leaving_counts_out_invents_no_step(text):
    kept = without_counts(text)
    assert all(now in (before, " ", ":") for before, now in zip(text, kept, strict=True))


def test_the_legacy_reader_says_that_it_filtered():
    assert Change.FILTERED in judge(LEVEL, "d#r#u#r#R", Reader.LEGACY).changes


def test_candidates_can_be_listed_without_a_level():
    reading = candidates("Solution\n2r\n\nu(\n\nfoo\nrr\n\n#######\n#@  $.#\n#     #\n#######")
    assert [(block.start, block.moves and block.moves.steps) for block in reading.blocks] == [(9, None), (21, "rr")]
    assert (getattr(reading.blocks[0].error, "index", None), reading.boards) == (14, (LEVEL,))
    assert getattr(candidates("hello").error, "index", None) == 0
    assert candidates(" ").error is None


@pytest.mark.parametrize(("text", "outcome"), [("du" * 500_000, "not_solved"), ("du" * 500_000 + "d", "too_long")])
@pytest.mark.parametrize("reader", Reader)
def test_a_million_moves_are_judged_and_no_more(text, outcome, reader):
    assert judge(LEVEL, text, reader).outcome == outcome


def test_a_short_text_that_means_too_much_is_not_expanded():
    started = time.process_time()
    assert judge(LEVEL, "2(999999999(999999999u))", Reader.LENIENT).outcome == "too_long"
    assert time.process_time() - started < 1


@pytest.mark.parametrize("part", ["1l", "(l)", "l\n", "0l", "()"])
@pytest.mark.parametrize("reader", [Reader.RUN_LENGTH, Reader.LENIENT, Reader.LEGACY])
def test_a_text_of_very_many_parts_is_not_looked_through(part, reader):
    judgement = judge(LEVEL, part * (readers.MAX_PARTS // sum(not one.isalpha() for one in part) + 1), reader)
    assert (judgement.outcome, judgement.why) == ("too_long", "too_many_parts")


def test_as_many_parts_as_are_allowed_are_read():
    assert judge(LEVEL, "1d1u" * (readers.MAX_PARTS // 2)).outcome == "not_solved"


def test_all_levels_share_the_steps_that_are_played_for_one_text():
    rooms = [
        Level.parse(f"{'#' * size}|#@{'-' * (size - 3)}#|#-$.{'#' * (size - 4)}|{'#' * size}") for size in range(7, 11)
    ]
    plays = readers.plays_for(1_000_000)
    assert judge(rooms, "rl" * 450_000, plays=plays).level == 0
    assert 0 <= plays.left < 900_000


def test_many_blocks_that_decode_to_much_are_bounded():
    started = time.process_time()
    judge(LEVEL, "99999(rl)d\n\nfoo\n" * 10_000, Reader.LENIENT)
    assert time.process_time() - started < 10


@pytest.mark.parametrize("reader", Reader)
@given(text=st.one_of(st.text(max_size=60), st.text("lurdLURD 0123456789()*,[]{}>\n\r#@$.:-HaS", max_size=80)))
def test_any_text_has_an_outcome(reader, text):
    judgement = judge([LEVEL, Level.parse("#####|#@$.#|#####")], text, reader)
    assert isinstance(judgement, Judgement)
    assert judgement.index is None or 0 <= judgement.index <= len(text)


@given(st.lists(st.text("lurdLURD (12)", max_size=12), max_size=4))
def test_what_a_stricter_reader_accepts_a_more_lenient_one_accepts(lines):
    # Only where every line has a letter: to the lenient reader a line of counts or brackets alone is other text.
    text = "\n".join(
        line + "u" if line.strip() and not re.search("[lurd]", line, re.IGNORECASE) else line for line in lines
    )
    solved = [judge(LEVEL, text, reader).outcome == "solved" for reader in Reader]
    assert all(lenient or not strict for strict, lenient in itertools.pairwise(solved))


def test_to_the_lenient_reader_a_line_without_a_letter_is_other_text():
    assert outcomes("dr\n(\nu)2r") == ["malformed", "solved", "not_solved", "not_solved"]
