import pytest

from solvers.sokoban.formats import Header, Notice, Stated, read_collection, read_file
from solvers.sokoban.formats.files.encodings import encoding_of

BOARD = "#####\n#@$.#\n#####\n"


def file_of(*titles):
    return "".join(f"{BOARD}Title: {title}\nAuthor: Somebody\n\n" for title in titles)


@pytest.mark.parametrize(
    ("encoding", "titles"),
    [
        ("cp932", ["倉庫番", "はじめの一歩"]),
        ("euc_jp", ["十字路の謎", "やさしい問題"]),
        ("cp1251", ["Лабиринт", "Маленькая комната"]),
        ("cp1250", ["Łatwy początek", "Źródło"]),
        ("cp1252", ["Une fée", "L’armée créée"]),  # two accents in a row do not make it Chinese
        ("big5", ["倉庫番", "第三個迷宮"]),
        ("gb18030", ["推箱子", "回家的路"]),
        ("cp949", ["창고지기", "작은 방"]),
    ],
)
def test_old_encodings_are_detected_and_the_guess_is_remarked(encoding, titles):
    collection = read_collection(file_of(*titles).encode(encoding))
    assert [entry.title for entry in collection.entries] == titles
    assert [remark.code for remark in collection.remarks] == [Notice.ENCODING_GUESSED]


@pytest.mark.parametrize(("letters", "is_utf_8"), [("éàü", False), ("éàüö", True)])
def test_text_with_four_letters_for_each_broken_byte_is_still_utf_8(letters, is_utf_8):
    assert (encoding_of([letters.encode() + b"\xe9"]).name == "utf-8") is is_utf_8


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("titles", [["café"], ["Łódź"], ["Первый"], ["雪"], ["plain"], ["Åke", "創意"]])
def test_utf_8_and_a_byte_order_mark_are_certain(titles, encoding):
    collection = read_collection(file_of(*titles).encode(encoding))
    assert ([entry.title for entry in collection.entries], collection.remarks) == (titles, ())


@pytest.mark.parametrize("encoding", ["unicode_escape", "raw_unicode_escape"])
def test_a_declared_encoding_turns_no_escape_into_a_nul_or_a_surrogate(encoding):
    """No database stores them."""
    data = f'<?xml encoding="{encoding}"?>'.join(["From ", f"\n\n{BOARD}Title: \\ud800 \\u0000 é\n"])
    assert read_collection(data.encode("cp1252")).entries[0].title == r"\ud800 \u0000 é"


def test_a_broken_byte_spoils_one_character_of_a_utf_8_file():
    data = file_of("第一关 abc", "第二关").encode().replace(b"abc", b"a\xe9c")
    assert [entry.title for entry in read_collection(data).entries] == ["第一关 a\ufffdc", "第二关"]


def test_a_person_may_name_the_encoding():
    collection = read_collection(file_of("Ÿ").encode("cp1252"), stated=Stated("cp1252"))
    assert (collection.entries[0].title, collection.remarks) == ("Ÿ", ())


def test_a_file_is_read_as_its_bytes_would_be(tmp_path):
    path, header = tmp_path / "levels.txt", Header()
    path.write_bytes(f"推箱子\r\n\r\n{BOARD}".encode("gb18030"))
    assert [entry.title for entry in read_file(path, header)] == ["推箱子"]
    assert [remark.code for remark in header.remarks] == [Notice.ENCODING_GUESSED]


def test_the_encoding_does_not_depend_on_how_the_bytes_are_cut():
    data = file_of("倉庫番", "はじめの一歩").encode("cp932")
    assert {encoding_of([data[:at], data[at:]]) for at in range(0, len(data), 7)} == {encoding_of([data])}
