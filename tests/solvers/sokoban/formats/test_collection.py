import itertools
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.sokoban.formats import Entry, Header, Kind, Stated, Unread, read_collection, read_levels
from solvers.sokoban.formats.collection import MAX_NOTES, Notice

BOARD = "#####\n#@$.#\n#####"
FLAT = "######\n#@$ .#\n######"
lines_of_files = st.sampled_from(
    ["", " ", "#####", "#@$.#", "#  #", "-", "Title: x", "Author: y", "; 3", ":: z", "Comment:", "Comment-End:", "rR",
     "Dull", "Solution 1/1", "[]r", "> #####", "> #@$.#", "HHHH", "Ha$.H", "[soko=5,3]", "[/soko]", "word", "3",
     "5#|#@$.#|5#", "#@q.#", "Collection: c", "Answer: r", "999999999u", "9(9(9(9(9(u)))))", "\ufeff#####",
     "＃＃＃", "\t####"]
)  # fmt: skip
LONG = "#######\n#@  $.#\n#######"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"One\n\n{BOARD}\n\nTwo\n\n{BOARD}", ["One", "Two"]),
        (f"notes\nmore notes\n{BOARD}", [""]),
        (f"{BOARD}\n\nTitle: One\n\n{BOARD}\n\nTITLE : Two", ["One", "Two"]),
        (f"; 1\n{BOARD}\n\nnote of the first\n\n; 2\n\n{BOARD}", ["1", "2"]),
        (f"Line\n\n{BOARD}\nTitle: Key", ["Key"]),
        (f"Level 1\n''\n{BOARD}", [""]),
        (f"One\n:: not a title\n{BOARD}", ["One"]),
        (f"WoW\n{BOARD}", ["WoW"]),
    ],
)
def test_titles_stand_above_or_below(text, expected):
    assert [entry.title for entry in read_collection(text).entries] == expected


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        (f"Title: All\n\n{BOARD}\nTitle: One\n\n{BOARD}\nTitle: Two", "All", ["One", "Two"]),
        (f"Collection: All\nTitle: One\n\n{BOARD}\n\n{BOARD}", "All", ["One", ""]),
        (f"Title: One\n\n{BOARD}\n\n{BOARD}", "", ["One", ""]),
    ],
)
def test_a_leading_title_names_the_file_if_boards_have_their_own(text, name, expected):
    collection = read_collection(text)
    assert (collection.name, [entry.title for entry in collection.entries]) == (name, expected)


def test_the_author_of_the_file_is_inherited():
    entries = read_collection(f"Author: A\n\n{BOARD}\nAuthor: B\n\n{BOARD}\nAuthors: C\n\n{BOARD}").entries
    assert [entry.author for entry in entries] == ["B", "C", "A"]
    assert read_collection(BOARD).entries[0].author == ""


def test_the_first_of_a_repeated_key_counts():
    (entry,) = read_collection(f"{BOARD}\nTitle: One\nTitle: One\nTitle: Two\nid: 7\nid: 8\nboxorder: 1 99").entries
    assert (entry.title, entry.keys) == ("One", {"id": "7", "boxorder": "1 99"})
    assert [(remark.code, remark.line) for remark in entry.remarks] == [("repeated_key", 6), ("repeated_key", 8)]


@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ("Comment: first", "first"),
        ("Comment: first\n\nTitle: inside\nComment-End:", "first\n\nTitle: inside"),
    ],
)
def test_a_comment_may_be_a_line_or_a_block(text, comments):
    (entry,) = read_collection(f"{BOARD}\n{text}\nTitle: One").entries
    assert (entry.title, entry.comments, entry.remarks) == ("One", comments, ())


def test_notes_belong_to_the_level_above():
    first, second = read_collection(f"One\n\n{BOARD}\n\na note\nof two lines\n\nTwo\n\n{BOARD}").entries
    assert (first.comments, second.title, second.comments) == ("a note\nof two lines", "Two", "")


def test_too_long_texts_are_truncated_with_a_warning():
    (entry,) = read_collection(f"{BOARD}\nTitle: {'t' * 300}\n{'n ' * MAX_NOTES}").entries
    assert (len(entry.title), len(entry.comments)) == (200, MAX_NOTES)
    assert [remark.code for remark in entry.remarks] == ["cut", "cut"]


def kinds(text):
    (entry,) = read_collection(text).entries
    return [(attempt.kind.value, attempt.title, attempt.lurd, attempt.cut) for attempt in entry.attempts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Solution\nrR", ("solution", "Solution", "rR", 0)),
        ("Solution/Moves 2/1/1/1/1\nr\nR", ("solution", "Solution/Moves 2/1/1/1/1", "rR", 0)),
        ("Tomo\n2r", ("solution", "Tomo", "rR", 0)),
        ("Solution\n1\n0r", None),
        ("Solution\nrrlll", ("solution", "Solution", "rR", 3)),
        ("Solution\nd", ("invalid", "Solution", "", 0)),
        ("SaveGame\nrl", ("saved_game", "SaveGame", "rl", 0)),
    ],
)
def test_moves_under_a_level_are_replayed(text, expected):
    assert kinds(f"######\n#@ $.#\n######\n\n{text}") == ([expected] if expected else [])


def test_words_below_several_solutions_belong_to_the_last_one():
    (entry,) = read_collection("######\n#@ $.#\n######\n\nSolution\nrR\n\nrlrR\n\nrlrlrR\n\na note").entries
    noted = [(attempt.lurd, attempt.notes) for attempt in entry.attempts]
    assert noted == [("rR", ""), ("rlrR", ""), ("rlrlrR", "a note")]


def test_claimed_counts_are_compared():
    (entry,) = read_collection(f"{BOARD}\n\nSolution 2/2\nr").entries
    assert [remark.values for remark in entry.remarks] == [{"claimed": "2/2", "counted": "1/1"}]


@pytest.mark.parametrize(
    ("moves", "code"), [("[]r", "reverse_mode"), ("{r}R", "several_pushers"), ("9u(", "unread_moves")]
)
def test_moves_of_other_games_are_skipped_with_a_note(moves, code):
    (entry,) = read_collection(f"{BOARD}\n\nSolution\n{moves}").entries
    assert ([remark.code for remark in entry.remarks], entry.attempts) == ([code], ())


@pytest.mark.parametrize("text", [f"{BOARD}\nGame: Hexoban", "######\n#@@$.#\n######", f"Game: Hexoban\n\n{BOARD}"])
def test_other_games_are_marked(text):
    assert Notice.NOT_CLASSIC in {remark.code for remark in read_collection(f"{text}\n").entries[0].remarks}


def test_a_level_that_cannot_be_judged_is_read():
    first, second = read_collection("####\n#$.#\n####\n\nSolution\nr\n\n#####\n#@$$#\n#. ##\n#####").entries
    assert [str(problem) for problem in first.problems] == ["players=0"]
    assert [str(problem) for problem in second.problems] == ["boxes=2 goals=1"]
    assert [(attempt.kind, attempt.why) for attempt in first.attempts] == [(Kind.INVALID, "players")]


def test_unreadable_boards_are_reported_and_the_others_are_read():
    collection = read_collection(f"One\n\n{BOARD}\n\nTwo\n\n####\n#@q#\n####\n\nThree\n\n{BOARD}")
    assert [(one.number, one.title, one.line) for one in collection.entries] == [(1, "One", 3), (3, "Three", 15)]
    (unread,) = collection.unread
    assert (unread.number, unread.title, unread.error.line, unread.error.column) == (2, "Two", 10, 3)


@pytest.mark.parametrize("data", ["", ":: only\n:: comments", "a text\nof words", b"\xff\xfe", b""])
def test_a_file_without_levels_has_none(data):
    collection = read_collection(data, name="empty")
    assert (collection.entries, collection.unread, collection.name) == ((), (), "empty")


def test_memory_does_not_grow_with_the_file():
    def lines():
        for number in itertools.count():
            yield from (f"Level {number}", "", *BOARD.split("\n"), "", "Solution", "r", "")

    levels = read_levels(lines())
    for _ in itertools.islice(levels, 50):
        pass
    tracemalloc.start()
    try:
        solved = sum(isinstance(entry, Entry) and len(entry.solutions) for entry in itertools.islice(levels, 150))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (solved, peak < 100_000) == (150, True)


@given(st.lists(lines_of_files | st.text(max_size=9), max_size=25))
def test_any_mixture_of_lines_is_read(lines):
    header = Header()
    for found in read_levels(lines, header):
        assert isinstance(found, (Entry, Unread))
        if isinstance(found, Unread):
            assert found.error.line is not None


def file_of(form, *names):
    return "".join(form.format(name=name, board=board) for name, board in zip(names, (BOARD, FLAT, LONG), strict=True))


@pytest.mark.parametrize(
    "form",
    [
        "{board}\n; {name}\n\n",
        "; {name}\n{board}\n",
        "{name}\n{board}\n=====\n",
        "; {name}\n; Copyright: Ann\n\n{board}\n\n",
        "; {name}\n; ann@example.org\n{board}\n\n",
        "Level 4\n;Author: Ann\n;Title: {name}\n'{name}'\n{board}\n\n",
        "----- {name} -----\n{board}\n\n",
        "标题：{name}\n作者：Ann\n{board}\n\n",
        "// no title\n\n{name}\n\n{board}\n\n",
    ],
)
def test_names_above_or_below_are_decided_by_the_whole_file(form):
    names = ["Alpha", "Beta", "Gamma"]
    collection = read_collection(file_of(form, *names))
    assert [entry.title for entry in collection.entries] == names
    assert {entry.author for entry in collection.entries} <= {"Ann", ""}
    assert collection.remarks == ()


def test_names_that_could_be_above_or_below_are_remarked():
    collection = read_collection(f"; x\n\n{BOARD}\n\n; y\n\n{FLAT}\n\n; z\n")
    assert [remark.values for remark in collection.remarks] == [{"place": "above"}]


@pytest.mark.parametrize(("above", "expected"), [(True, ["x", "y"]), (False, ["y", "z"])])
def test_a_person_may_state_where_names_are(above, expected):
    text = f"; x\n\n{BOARD}\n\n; y\n\n{FLAT}\n\n; z\n"
    collection = read_collection(text, stated=Stated(names_above=above))
    assert ([entry.title for entry in collection.entries], collection.remarks) == (expected, ())


@pytest.mark.parametrize("sign", "=-*~#_")
def test_a_line_of_many_signs_is_read_at_once(sign):
    """A pattern took cubic time: a thousand signs took seconds, as many as here take days."""
    line = sign * 100_000 + "[rR"
    assert not read_collection(line.encode()).entries
