import re
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.sokoban.level import Level
from solvers.sokoban.moves import LETTERS
from solvers.sokoban.reading import masks, readers
from solvers.sokoban.reading.readers import Judgement, Reader, candidates, judge
from tests import sizes

LEVEL = Level.parse("#######|#@  $.#|#     #|#######")
S = "drurR"  # a detour, and the push
WRONG = "druuR"
STORED = (Reader.STRICT, Reader.RUN_LENGTH, Reader.LENIENT, Reader.LEGACY)
LOOSE = ["malformed", "malformed", "solved", "solved"]
_SIGNS = "←↑→↓左上右下⬅⬆➡⬇◀▲▶▼◄►⮕⇐⇑⇒⇓ｌｕｒｄＬＵＲＤ"
_STEPS = dict(zip(_SIGNS, "lurd" * 4 + "lrrlurd" + LETTERS, strict=True)) | {letter: letter for letter in LETTERS}


def outcomes(text, level=LEVEL):
    return [judge(level, text, reader).outcome.value for reader in STORED]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[]" + S, LOOSE),
        ("dru\n2\nr", ["malformed", "solved", "solved", "not_solved"]),
        ("()", ["malformed", "empty", "empty", "empty"]),
        ("٣r" + S, LOOSE),
        (S[:-1], ["not_solved"] * 4),
        (f"{WRONG}\n\n{S}", ["illegal", "illegal", "solved", "solved"]),
        ("Dull\n" + S, ["illegal", "illegal", "solved", "solved"]),
        ("1000000000" + S, ["malformed", "too_long", "too_long", "too_long"]),
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
        ("a [1]dr", Reader.LENIENT, 0, None, "foreign_character"),
        ("notes\n [1]dr", Reader.LENIENT, 7, None, "reverse_mode"),
    ],
)
def test_mistakes_are_pointed_at_in_the_text_as_sent(text, reader, index, step, why):
    judgement = judge(LEVEL, text, reader)
    assert (judgement.index, judgement.step, judgement.why) == (index, step, why)


def test_of_several_solutions_all_are_offered_and_the_shortest_is_taken():
    text = f"long\n{S}\nshort\nrrR\nlong\n{S}"
    judgement = judge(LEVEL, text, Reader.LENIENT)
    assert [one.replay.moves for one in judgement.solved] == [5, 3, 5]
    assert (judgement.moves, [one.candidate.start for one in judgement.solved]) == (3, [5, 17, 26])
    assert judge(LEVEL, f"{WRONG}\n\n{WRONG}\n\nrrR", Reader.LENIENT).moves == 3


@pytest.mark.parametrize("symmetry", [0, 1, 7])
def test_a_board_in_the_text_names_the_level(symmetry):
    other = Level.parse("#######|#@ $ .#|#######")
    text = f"{LEVEL.transform(symmetry)}\n\n{S}"
    judgement = judge([other, LEVEL], text, Reader.LENIENT)
    assert (judgement.outcome, judgement.level) == ("solved", 1)
    assert judge([LEVEL, other], f"{other.transform(symmetry)}\n\n{S}", Reader.LENIENT).outcome != "solved"


@pytest.mark.parametrize(
    ("text", "reading", "left_out"),
    [
        (S, "lines", []),
        (f"hello there\n{S}", "lines", [(1, "hello there")]),
        (f"ok:\n\n“{S}”\u200e", "words", [(1, "ok:"), (3, "“"), (3, "”\u200e")]),
        ("dr\\\nurR", "words", [(1, "\\")]),
        ("⬇️➡️⬆️➡️➡️", "words", []),
        (f"Wrong (5/1):\t“{WRONG}”", "words", [(1, "Wrong (5/1):\t“"), (1, "”")]),
        ("a. dr b. ur c. R", "joined", [(1, "a."), (1, "b."), (1, "c.")]),
        ("Down, right: up, right, right", "directions", [(1, ":")]),
        ("xd xr xu xr xR", "letters", [(1, "x")] * 4),
    ],
)
def test_a_judgement_names_its_reading_and_what_it_left_out(text, reading, left_out):
    judgement = judge(LEVEL, text, Reader.LENIENT)
    parts = [(part.line, part.text) for part in judgement.left_out]
    assert (judgement.reading, parts) == (reading, left_out)


def test_numbers_are_counts_unless_only_a_reading_without_counts_solves():
    judgement = judge(LEVEL, f"Moves: 7 Pushes: 2 du{S}\nMoves: 5 Pushes: 2 {S}", Reader.LENIENT)
    assert (judgement.moves, [one.candidate.start for one in judgement.solved]) == (5, [19, 46])
    assert judge(LEVEL, "see: 1d1r1u2r", Reader.LENIENT).replay.lurd == S
    failed = judge(LEVEL, f"Moves: 5 Pushes: 2 {WRONG}", Reader.LENIENT)
    assert (failed.outcome, failed.index, failed.step) == ("illegal", 19, 2)


def test_candidates_are_listed_without_a_level_and_countless_ones_last():
    blocks = candidates("Moves: 3 Pushes: 2 rrU")
    assert [block.moves.steps for block in blocks] == ["rrrU", "rrU"]
    blocks = candidates("Solution\n2r\n\nu(\n\nfoo\nrr\n\n#######\n#@  $.#\n#     #\n#######")
    assert [(block.start, block.moves.steps) for block in blocks] == [(9, ""), (21, "rr"), (10, "ru")]
    assert blocks[0].error.index == 14
    assert candidates("hello") == candidates(" ") == ()


_PIECES = [S, WRONG, "rrR", "2r", "r2", "R", " ", "\n", "\n\n", "> ", "Moves: 5 ", "x", "right", "Ruud: ", "3*r "]
_PASTED = st.one_of(
    st.text(max_size=60),
    st.text("lurdLURD 0123456789()/:;=-+\\\n\r>Moves[{<\"'\0\u200e，" + _SIGNS, max_size=60),
    st.lists(st.sampled_from([*_PIECES, "-\n", '"r", 2 ', "向右2步", "▶▶", "⬆️", '<i a="drurR">'])).map("".join),
)


def solves(text, name):
    if not any(masks.readings(text, [name])):
        return False
    with patch.dict(readers.READINGS_OF, {Reader.LENIENT: (name,)}):
        return judge(LEVEL, text, Reader.LENIENT).outcome == "solved"


@given(_PASTED)
def test_no_reading_has_a_step_that_is_not_in_the_text(text):
    """Numbers may move behind their steps and words of direction shrink; steps stay as many, in their order."""
    for mask in masks.readings(text):
        assert len(mask.text) == len(text)
        kept = [sign for sign in mask.text if sign in LETTERS and mask.name != "whole"]
        sources = iter([_STEPS[sign] for sign in text if sign in _STEPS])
        assert all(sign in sources for sign in kept)
        assert all(number in text for number in re.findall("[0-9]", mask.text))


@given(_PASTED.filter(lambda text: not re.search("[0-9]{6}", text)))
def test_the_first_reading_in_the_documented_order_that_solves_is_chosen(text):
    page = (Path(__file__).parents[4] / "docs/reference/formats.md").read_text("utf-8")
    table = page.partition("| reading | moves are")[2].partition("\n\n")[0]
    assert re.findall("^\\| `([a-z ]+)`", table, re.MULTILINE) == [*masks.READINGS]
    chosen = judge(LEVEL, text, Reader.LENIENT)
    solving = next((name for name in masks.READINGS if solves(text, name)), None)
    assert solving == (chosen.reading if chosen.outcome == "solved" else None)


@pytest.mark.parametrize("reader", sizes.cases([Reader.LENIENT], Reader))
def test_a_million_moves_are_judged_and_no_more(reader):
    assert judge(LEVEL, "du" * 500_000, reader).outcome == "not_solved"
    assert judge(LEVEL, "du" * 500_000 + "d", reader).outcome == "too_long"


@pytest.mark.parametrize("part", ["1l", "(l)", "l\n"])
def test_a_text_of_very_many_parts_is_not_looked_through(part):
    judgement = judge(LEVEL, part * (readers.MAX_PARTS // sum(not one.isalpha() for one in part) + 1))
    assert (judgement.outcome, judgement.why) == ("too_long", "too_many_parts")
    assert judge(LEVEL, "1d1u" * (readers.MAX_PARTS // 2)).outcome == "not_solved"


def test_a_long_text_is_read_by_lines_and_letters_only():
    """Else the slowest text of 2 MB would take five times as long."""
    many = "uno, " * 40_000
    texts = f'uno, uno, "{S}".', f"{many}\n{S}", f'{many}"{S}".'
    assert [judge(LEVEL, text, Reader.LENIENT).outcome for text in texts] == ["solved", "solved", "malformed"]


def test_all_blocks_together_decode_to_four_times_the_limit_at_most():
    blocks = candidates("400(rl)d\n\nfoo\n" * 100, limit=1_000)
    assert sum(len(block.moves) for block in blocks) <= 4_000


@pytest.mark.parametrize("reader", Reader)
@given(text=st.one_of(st.text(max_size=60), st.text("lurdLURD 0123456789()*,[]{}>\n\r#@$.:-HaS", max_size=80)))
def test_any_text_has_an_outcome(reader, text):
    judgement = judge([LEVEL, Level.parse("#####|#@$.#|#####")], text, reader)
    assert isinstance(judgement, Judgement)
    assert judgement.index is None or 0 <= judgement.index <= len(text)


@pytest.mark.parametrize("line_end", ["\n", "\r", "\r\n"])
def test_blank_lines_at_the_end_of_a_text_are_read_at_once(line_end):
    """A pattern took quadratic time: 16,000 line ends took three seconds, as many as here take hours."""
    blank = line_end * 1_000_000
    assert masks.lines_mask(f"rR{blank}") == f"rR{blank}"


@pytest.mark.parametrize("beside", ["(", "left, "])
def test_a_number_of_a_million_digits_before_a_step_is_read_at_once(beside):
    """Patterns took quadratic time: 39,000 digits took seven seconds, as many as here take an hour."""
    text = f"{beside}{'1' * 1_000_000}l"
    assert all(len(mask) == len(text) for name in (masks.WORDS, masks.DIRECTIONS) for mask in masks._MASKS[name](text))
