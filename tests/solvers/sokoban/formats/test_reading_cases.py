"""Inputs that were read wrongly, from the shared data; the other tests of this folder have cases of their own."""

import pytest

from solvers.sokoban.formats import read_collection
from solvers.sokoban.formats.single import read_one
from tests.solvers.shared_data import SHARED_DATA

FOLDER = SHARED_DATA / "reading_cases"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the shared test data is not here")


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("l01_text_behind_a_row.txt", ["", "", ""]),
        ("l02_comment_between_rows.txt", ["", "", ""]),
        ("l04_line_numbers.txt", [""]),
        ("l06_titles_below_comments.sok", ["First", "Second", "Third"]),
        ("l07_copyright_line_is_title.sok", ["Micro / Level 26", "Micro / Level 66"]),
        ("l10_quoted_name_behind_comments.txt", ["Clover", "Heart"]),
        ("l11_shift_jis.txt", ["撃ち合い"]),
        ("l12_windows_1251.txt", ["Первый уровень"]),
        ("l13_utf8_with_one_bad_byte.txt", ["横刀立马 one", "近在咫尺"]),
        ("l14_slc_empty_copyright.slc", ["one"]),
        ("l15_slc_says_utf16_is_utf8.slc", ["雪"]),
        ("l18_separator_lines.txt", ["Level 1", "Level 2", "Level 3"]),
        ("l19_zh_keys.txt", ["雪人", "冰人"]),
        ("l21_quoted_rows.txt", [""]),
        ("l22_fence_is_title.txt", [""]),
        ("l25_latin1_doubled_accent.txt", ["Père Noël", "Une caisse créée"]),
        ("l26_gbk_one_hanzi.txt", ["雪"]),
        ("l29_title_key_above_tight.txt", ["Alpha", "Beta", "Gamma"]),
        ("l30_note_below_and_solution.sok", ["Alpha", "Beta", "Gamma"]),
    ],
)
def test_files_have_these_titles(name, titles):
    collection = read_collection((FOLDER / name).read_bytes())
    assert ([entry.title for entry in collection.entries], collection.unread) == (titles, ())


@pytest.mark.parametrize(
    ("name", "authors"),
    [
        ("l07_copyright_line_is_title.sok", ["", ""]),
        ("l10_quoted_name_behind_comments.txt", ["A Person", "B Person"]),
        ("l11_shift_jis.txt", ["山田 太郎"]),
        ("l12_windows_1251.txt", ["Иван Петров"]),
        ("l14_slc_empty_copyright.slc", ["A Person"]),
        ("l19_zh_keys.txt", ["张三", "李四"]),
    ],
)
def test_files_have_these_authors(name, authors):
    assert [entry.author for entry in read_collection((FOLDER / name).read_bytes()).entries] == authors


def test_the_alphabet_of_begoon_is_read():
    collection = read_collection((FOLDER / "l23_begoon_alphabet.txt").read_bytes())
    assert [entry.level.published_text for entry in collection.entries] == ["#####|#@$.#|#####", "######|#@-$.#|######"]


def test_every_solution_of_a_file_with_names_below_is_read():
    collection = read_collection((FOLDER / "l30_note_below_and_solution.sok").read_bytes())
    assert [[one.lurd for one in entry.solutions] for entry in collection.entries] == [["R"], ["rR"], ["rrR"]]


@pytest.mark.parametrize("name", ["b02_title_and_board.txt", "b04_plain_mf8.txt", "l04_line_numbers.txt"])
def test_fields_for_one_level_read_these(name):
    assert read_one((FOLDER / name).read_text("utf-8")).level.published_text == "#####|#@$.#|#####"


def test_fields_for_one_level_read_our_own_mf8_text():
    level = read_one((FOLDER / "b01_own_mf8_copy.txt").read_text("utf-8")).level
    assert (level.width, level.height, level.problems) == (8, 6, ())
