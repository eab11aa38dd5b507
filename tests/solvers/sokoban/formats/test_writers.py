import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import PuzzleError
from solvers.sokoban.formats import Collection, Entry, compact, letslogic, read_collection, sok, sokoplayer, xsb
from solvers.sokoban.formats.attempts import Attempt, Kind
from solvers.sokoban.level import Level
from tests.solvers.sokoban.formats.boards_drawn import boards, loose_boards

ONE = Level.parse("#####|#@$.#|#####")
like_other_lines = ["; 5", "\ufeffa", ":: x", "Title: x", "####", "WoW", "Solution", "12", "-", "> x", "rR", "|"]
titles = st.text(max_size=20).map(lambda text: " ".join(text.split())) | st.sampled_from(like_other_lines)


@given(loose_boards())
def test_a_level_of_letslogic_reads_back_equal(level):
    """As those of every other format in test_single.py."""
    assert letslogic.parse(letslogic.write(level), level.width, level.height) == level


@pytest.mark.parametrize("write", [sok.write, lambda c: xsb.write(c.entries, line_end="\r\n")])
@given(levels=st.lists(boards(), max_size=4))
def test_a_collection_reads_back_equal(write, levels):
    collection = Collection(entries=tuple(Entry(n, 0, level) for n, level in enumerate(levels, 1)))
    assert [entry.level for entry in read_collection(write(collection)).entries] == levels


@pytest.mark.parametrize(
    "link",
    [
        "https://sokoban.cn/sokoplayer/?lvl=HHHHH%7CHa%24%2EH%7CHHHHH&w=5",
        "w=x&lvl=-HHHHH|+Ha$.H|%20HHHHH",
    ],
)
def test_links_are_read_in_every_spelling(link):
    assert sokoplayer.parse(link).level == ONE


@pytest.mark.parametrize(
    ("read", "code"),
    [
        (lambda: letslogic.parse("1", 1, 2), "wrong_size"),
        (lambda: letslogic.parse("1", 10**9, 10**9), "too_large"),
        (lambda: compact.parse("999999999A"), "too_long"),
        (lambda: compact.parse(""), "no_board"),
        (lambda: sokoplayer.parse("http://x/?w=3"), "no_board"),
        (lambda: sokoplayer.parse("lvl=" + "H" * 300_000), "too_long"),
    ],
)
def test_unreadable_links_are_refused(read, code):
    with pytest.raises(PuzzleError) as refusal:
        read()
    assert refusal.value.code == code


@pytest.mark.parametrize("read", [compact.parse, sokoplayer.parse, lambda text: letslogic.parse(text, 3, 3)])
@given(text=st.one_of(st.text(max_size=40), st.text("HaxX$*.|_-#@ABCDEFG01234567&=lv%", max_size=40)))
def test_any_text_is_a_level_or_refused(read, text):
    with contextlib.suppress(PuzzleError):
        assert read(text)


@given(st.lists(titles, min_size=1, max_size=3))
def test_any_title_survives_a_sok_file(names):
    entries = tuple(Entry(n, 0, ONE, title, "Somebody") for n, title in enumerate(names, 1))
    found = read_collection(sok.write(Collection("All", entries=entries)))
    assert [(entry.title, entry.author, entry.level) for entry in found.entries] == [
        (name, "Somebody", ONE) for name in names
    ]


def test_a_sok_file_has_solutions_and_comments():
    attempt = Attempt(Kind.SOLUTION, "R", 1, 1)
    entry = Entry(1, 0, ONE, "One", "Somebody", "a note\n\nof three lines", attempts=(attempt,))
    text = sok.write(Collection("All", "Somebody else", "about all", entries=(entry,)))
    assert "Solution/Moves 1/1/1/1/1\nR\n" in text
    collection = read_collection(text)
    assert (collection.name, collection.author, collection.notes) == ("All", "Somebody else", "about all")
    (found,) = collection.entries
    assert (found.comments, [one.lurd for one in found.solutions]) == (entry.comments, ["R"])
    assert sok.write(collection) == text
