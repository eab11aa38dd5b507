import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.sokoban.level import Level
from solvers.sokoban.reading import readers
from solvers.sokoban.reading.counts import without_counts
from solvers.sokoban.reading.readers import Change, Judgement, Reader, candidates, judge
from tests import sizes

LEVEL = Level.parse("#######|#@  $.#|#     #|#######")
S = "drurR"  # a detour, and the push
WRONG = "druuR"


def outcomes(text, level=LEVEL):
    return [judge(level, text, reader).outcome.value for reader in Reader]


FOUR = ["solved"] * 4
LOOSE = ["malformed", "malformed", "solved", "solved"]
LEGACY_ONLY = ["malformed", "malformed", "malformed", "solved"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("上下右左" + S, ["malformed", "malformed", "illegal", "solved"]),
        (">>dr\n>>urR", LOOSE),
        ("*dr*urR", LEGACY_ONLY),
        ("[]" + S, LEGACY_ONLY),
        ("{}" + S, LEGACY_ONLY),
        ("[]dr\nurR", LEGACY_ONLY),
        ("dru\n2\nr", ["malformed", "solved", "not_solved", "not_solved"]),
        ("dr\n(\nu)2r", ["malformed", "solved", "not_solved", "not_solved"]),
        ("()", ["malformed", "empty", "empty", "empty"]),
        ("٣r" + S, LEGACY_ONLY),
        (S[:-1], ["not_solved"] * 4),
        (f"{WRONG}\n\n{S}", ["illegal", "illegal", "solved", "solved"]),
        ("Dull\n" + S, ["illegal", "illegal", "solved", "solved"]),
    ],
)
def test_each_reader_forgives_what_it_should(text, expected):
    """In addition to readings.json, which the scripts share."""
    assert outcomes(text) == expected


@pytest.mark.parametrize(
    ("text", "reader", "index", "step", "why"),
    [
        ("drq", Reader.STRICT, 2, None, "foreign_character"),
        ("d3", Reader.RUN_LENGTH, 1, None, "dangling_count"),
        ("dru\nU", Reader.STRICT, 4, 4, "wall"),
        ("notes\n\n>d r\n>u u\n", Reader.LENIENT, 15, 4, "wall"),
        ("\ufeff下右上上", Reader.LENIENT, 4, 4, "wall"),
        ("  <p>druu", Reader.LEGACY, 8, 4, "wall"),
        ("a [1]dr", Reader.LENIENT, 0, None, "foreign_character"),
        ("notes\n [1]dr", Reader.LENIENT, 7, None, "reverse_mode"),
        ("1{}dr", Reader.LENIENT, 1, None, "several_pushers"),
    ],
)
def test_mistakes_are_pointed_at_in_the_text_as_sent(text, reader, index, step, why):
    judgement = judge(LEVEL, text, reader)
    assert (judgement.index, judgement.step, judgement.why) == (index, step, why)


def test_the_first_level_solved_takes_the_text():
    extra = Level.parse("#######|#@  $.#|#    ##|#######")
    assert judge([extra, LEVEL], "rrR").level == 0
    assert judge([LEVEL, extra], "rrR", Reader.LENIENT).level == 0
    assert judge([Level.parse("####|#@@#|####"), LEVEL], "rrR").level == 1


def test_a_failure_names_the_level_where_the_text_got_furthest():
    narrow = Level.parse("#####|#@$.#|#####")
    judgement = judge([narrow, LEVEL], "dru")
    assert (judgement.level, judgement.outcome, judgement.moves) == (1, "not_solved", 3)


def test_the_lenient_reader_offers_all_solutions_and_takes_the_shortest_the_legacy_one_the_first():
    text = f"long\n{S}\nshort\nrrR\nlong\n{S}"
    judgement = judge(LEVEL, text, Reader.LENIENT)
    assert [one.replay.moves for one in judgement.solved] == [5, 3, 5]
    assert (judgement.moves, [one.start for one in judgement.solved]) == (3, [5, 17, 26])
    assert judge(LEVEL, text, Reader.LEGACY).moves == 5
    assert judge(LEVEL, f"{WRONG}\n\n{WRONG}\n\nrrR", Reader.LENIENT).moves == 3


@pytest.mark.parametrize("symmetry", [0, 1, 7])
def test_a_board_in_the_text_names_the_level(symmetry):
    other = Level.parse("#######|#@ $ .#|#######")
    text = f"{LEVEL.transform(symmetry)}\n\n{S}"
    judgement = judge([other, LEVEL], text, Reader.LENIENT)
    assert (judgement.board, judgement.other_board, judgement.level) == ((1, symmetry), False, 1)
    assert judge(other, text, Reader.LENIENT).other_board


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
def test_the_lenient_reader_reports_its_changes(text, changes):
    assert list(judge(LEVEL, text, Reader.LENIENT).changes) == changes
    assert Change.FILTERED in judge(LEVEL, "d#r#u#r#R", Reader.LEGACY).changes


def test_moves_are_read_without_their_counts_if_nothing_is_solved_with_counts():
    judgement = judge(LEVEL, f"Moves: 7 Pushes: 2 du{S}\nMoves: 5 Pushes: 2 {S}", Reader.LENIENT)
    assert (judgement.moves, [one.start for one in judgement.solved]) == (5, [19, 46])
    assert Change.COUNTS in judgement.changes
    assert Change.COUNTS not in judge(LEVEL, f"Solution: 1 {S}", Reader.LENIENT).changes
    failed = judge(LEVEL, f"Moves: 5 Pushes: 2 {WRONG}", Reader.LENIENT)
    assert (failed.outcome, failed.index, failed.step) == ("illegal", 19, 2)


def test_candidates_are_listed_without_a_level_and_countless_ones_last():
    blocks = candidates("Moves: 3 Pushes: 2 rrU").blocks
    assert [block.moves and block.moves.steps for block in blocks] == ["rrrU", "rrU"]
    reading = candidates("Solution\n2r\n\nu(\n\nfoo\nrr\n\n#######\n#@  $.#\n#     #\n#######")
    assert [(block.start, block.moves and block.moves.steps) for block in reading.blocks] == [(9, None), (21, "rr")]
    assert (reading.blocks[0].error.index, reading.boards) == (14, (LEVEL,))
    assert candidates("hello").error.index == 0
    assert candidates(" ").error is None


@given(st.text("lurdLURD 0123456789()/:;=-+\\\n>Moves[{", max_size=60))
def test_leaving_counts_out_invents_no_step(text):
    kept = without_counts(text)
    assert all(now in (before, " ", ":") for before, now in zip(text, kept, strict=True))


@pytest.mark.parametrize("reader", sizes.cases([Reader.LENIENT], Reader))
def test_a_million_moves_are_judged_and_no_more(reader):
    assert judge(LEVEL, "du" * 500_000, reader).outcome == "not_solved"
    assert judge(LEVEL, "du" * 500_000 + "d", reader).outcome == "too_long"


@pytest.mark.parametrize("part", ["1l", "(l)", "l\n"])
def test_a_text_of_very_many_parts_is_not_looked_through(part):
    judgement = judge(LEVEL, part * (readers.MAX_PARTS // sum(not one.isalpha() for one in part) + 1))
    assert (judgement.outcome, judgement.why) == ("too_long", "too_many_parts")
    assert judge(LEVEL, "1d1u" * (readers.MAX_PARTS // 2)).outcome == "not_solved"


def test_all_levels_share_the_steps_that_are_played_for_one_text():
    rooms = [
        Level.parse(f"{'#' * size}|#@{'-' * (size - 3)}#|#-$.{'#' * (size - 4)}|{'#' * size}") for size in range(7, 11)
    ]
    plays = readers.plays_for(1_000_000)
    assert judge(rooms, "rl" * 450_000, plays=plays).level == 0
    assert 0 <= plays.left < 900_000


def test_all_blocks_together_decode_to_four_times_the_limit_at_most():
    blocks = candidates("400(rl)d\n\nfoo\n" * 100, limit=1_000).blocks
    assert sum(len(block.moves) for block in blocks if block.moves) <= 4_000


@pytest.mark.parametrize("reader", Reader)
@given(text=st.one_of(st.text(max_size=60), st.text("lurdLURD 0123456789()*,[]{}>\n\r#@$.:-HaS", max_size=80)))
def test_any_text_has_an_outcome(reader, text):
    judgement = judge([LEVEL, Level.parse("#####|#@$.#|#####")], text, reader)
    assert isinstance(judgement, Judgement)
    assert judgement.index is None or 0 <= judgement.index <= len(text)
