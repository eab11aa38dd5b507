import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.sokoban.formats import Collection, Entry, read_collection, read_file
from solvers.sokoban.formats.slc import write
from solvers.sokoban.level import Level

ONE = Level.parse("#####|#@$.#|#####")
LEVEL = '<Level Id="One" Width="6" Height="3"><L> #####</L><L> #@$.#</L><L> #####</L></Level>'


def slc(levels=LEVEL, head='<?xml version="1.0" encoding="ISO-8859-1"?>', title="Nice é"):
    return (
        f"{head}<SokobanLevels><Title>{title}</Title><Description>About</Description><Email>a@b.c</Email>"
        f'<LevelCollection Copyright="Somebody" MaxWidth="6" MaxHeight="3">{levels}</LevelCollection></SokobanLevels>'
    )


def test_levels_titles_and_authors_are_read_and_the_rows_win_over_the_size_given(tmp_path):
    data = slc(LEVEL + LEVEL.replace('Width="6"', 'Width="7"')).encode("latin-1")
    collection = read_collection(data)
    assert (collection.name, collection.notes, collection.keys) == ("Nice é", "About", {"email": "a@b.c"})
    entry, other = collection.entries
    assert (entry.level, entry.title, entry.author, entry.remarks) == (ONE, "One", "Somebody", ())
    assert (other.level, [remark.code for remark in other.remarks]) == (ONE, ["size_differs"])
    (tmp_path / "levels.txt").write_bytes(data)
    assert list(read_file(tmp_path / "levels.txt")) == [entry, other]


@pytest.mark.parametrize("encoding", ["gb2312", "utf-16"])
def test_the_declared_encoding_is_honoured_and_a_doctype_read_over(encoding):
    head = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE SokobanLevels SYSTEM "http://127.0.0.1:9/x.dtd">'
    assert read_collection(slc(head=head, title="推箱子").encode(encoding)).name == "推箱子"


@pytest.mark.parametrize("encoding", ["zip", "undefined", "unicode_escape"])
@pytest.mark.parametrize("as_", [str, str.encode])
def test_an_unknown_encoding_is_reported(encoding, as_):
    head = f'<?xml version="1.0" encoding="{encoding}"?>'
    (unread,) = read_collection(as_(slc(head=head, title="A"))).unread
    assert unread.error.code == "bad_markup"


@pytest.mark.parametrize(
    ("head", "encoding", "title"),
    [
        ('<?xml version="1.0" encoding="utf-16"?>', "utf-8", "推箱子"),
        ("", "cp1252", "Noël"),
        ("", "utf-8", "Up & down &amp; up"),
    ],
)
def test_wrong_and_missing_declarations_and_bare_ampersands_are_read(head, encoding, title):
    collection = read_collection(slc(head=head, title=title).encode(encoding))
    assert (collection.name, len(collection.entries)) == (title.replace("&amp;", "&"), 1)


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a SYSTEM "http://127.0.0.1:9/x"> %a;',
    ],
)
def test_entities_are_refused(declaration):
    head = f'<?xml version="1.0"?><!DOCTYPE SokobanLevels [{declaration}]>'
    collection = read_collection(slc(head=head, title="A").encode())
    assert ([one.error.code for one in collection.unread], collection.entries) == (["bad_markup"], ())


def test_broken_xml_gives_the_levels_before_it_and_the_place():
    collection = read_collection(slc(f"{LEVEL}\n{LEVEL}\n<Level").partition("</LevelC")[0].encode() + b"<")
    assert len(collection.entries) == 2
    assert [(one.error.code, one.error.line) for one in collection.unread] == [("bad_markup", 3)]


def test_a_level_that_cannot_be_read_is_reported_and_the_rest_is_read():
    collection = read_collection(slc(f'<Level Id="Bad"><L>#q#</L></Level>\n<Level Id="None"></Level>{LEVEL}'))
    unread = [(one.title, one.error.code) for one in collection.unread]
    assert unread == [("Bad", "foreign_character"), ("None", "no_board")]
    assert [entry.number for entry in collection.entries] == [3]


@given(st.text("<>/&;!\"' =SokbanLevlIdL#@$.", max_size=80))
def test_any_markup_is_read_or_reported(text):
    read_collection(f"<?xml?><SokobanLevels>{text}")
    read_collection(f"<?xml version='1.0'?>{text}".encode())


def test_half_a_surrogate_pair_in_markup_is_read_or_reported():
    collection = read_collection(slc(title="Nice \ud800", head=""))
    assert [entry.level for entry in collection.entries if isinstance(entry, Entry)] == [ONE]
    read_collection('<?xml version="1.0"?><SokobanLevels></Level\ud800></SokobanLevels>')


@pytest.mark.parametrize("words", ['Yours & "mine" <1>', "一箱", "tab\tand\x00nothing"])
def test_written_files_can_be_read_back(words):
    drawn = Level.parse("-#####|##-.-#|#@$--#|######")
    entries = (Entry(1, 1, drawn, words, words), Entry(2, 1, ONE, "Two", "Somebody"))
    read = read_collection(write(Collection("All of it", "Somebody", words, entries=entries)))
    plain = " ".join(words.replace("\x00", " ").split())
    assert (read.name, read.author) == ("All of it", "Somebody")
    found = [(one.level, one.title, one.author, one.remarks) for one in read.entries]
    assert found == [(drawn, plain, plain, ()), (ONE, "Two", "Somebody", ())]
