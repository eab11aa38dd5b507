import io
import zipfile
from itertools import cycle

import pytest
from django.contrib.auth.models import User

from contest.library import collection_import, packed_files
from contest.models import Intake, IntakeLevel
from solvers.sokoban import Level
from solvers.sokoban.commands.converting import LINE_READERS, WRITERS
from solvers.sokoban.formats import Entry, Header, Unread
from tests import cast

LEVEL = b"######\n#@ $.#\n######\n\nTitle: Corridor\n"
UNREADABLE = b"\nTypo\n\n####\n#@q#\n####\n"
MOST = 10_000


def zipped(contents: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as packed:
        for name, data in contents.items():
            packed.writestr(name, data)
    return file.getvalue()


def test_only_files_of_levels_are_taken_without_their_folders_in_any_encoding_of_names():
    data = zipped(
        {
            "set/one.SOK": LEVEL,
            "../../two.xsb": LEVEL,
            "readme.md": b"#",
            "__MACOSX/._one.sok": b"x",
            "inner.zip": zipped({"three.sok": LEVEL}),
        }
    )
    assert [file.name for file in packed_files.unpack(data, MOST)] == ["one.SOK", "two.xsb"]
    data = zipped({"abcd.sok": LEVEL}).replace(b"abcd", "推箱".encode("gbk"))
    assert [file.name for file in packed_files.unpack(data, MOST)] == ["推箱.sok"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\3\4 nothing", "cannot be unpacked"),
        (zipped({"one.sok": LEVEL})[:-6] + b"\xff\0\0\0\0\0", "cannot be unpacked"),
        (zipped({"a": LEVEL}).replace(b"a", b"\0"), "cannot be unpacked"),
        (zipped({"one.sok": LEVEL}, zipfile.ZIP_STORED).replace(b"@ $", b"@$ "), "cannot be unpacked"),
        (zipped({"one.sok": LEVEL}, zipfile.ZIP_LZMA), "cannot be unpacked"),
        (zipped({"readme.md": LEVEL}), "no file of levels"),
        (zipped({f"{number}.sok": b"" for number in range(201)}), "limit is 200"),
        (zipped({"one.sok": bytes(MOST + 1)}), "more than 10,000 bytes"),
        (zipped({"one.sok": bytes(MOST), "two.sok": b"#"}), "more than 10,000 bytes"),
        (zipped({f"{number:0200}.sok": b"" for number in range(1_200)}), "too many files"),
    ],
    ids=range(10),
)
def test_an_unusable_zip_is_refused_with_a_message(data, message):
    with pytest.raises(packed_files.BadZip, match=message):
        packed_files.unpack(data, MOST)


def test_a_false_size_in_the_zip_does_not_lift_the_limit():
    data = bytearray(zipped({"one.sok": bytes(MOST * 5)}))
    for mark, at in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        place = data.index(mark) + at
        data[place : place + 4] = (MOST * 5 - 1).to_bytes(4, "little")
    with pytest.raises(packed_files.BadZip):
        packed_files.unpack(bytes(data), MOST)


def test_the_levels_of_all_files_are_read_and_a_file_that_is_not_text_is_reported():
    data = zipped({"one.sok": LEVEL, "two.txt": b"\x7fELF" + bytes(20), "three.sok": LEVEL + UNREADABLE})
    entries = list(packed_files.levels(data, MOST, Header()))
    assert [(type(entry), entry.title, entry.line) for entry in entries] == [
        (Entry, "Corridor", 1),
        (Unread, "two.txt", 6),
        (Entry, "Corridor", 7),
        (Unread, "three.sok: Typo", 15),
    ]
    assert packed_files.count_lines(data, MOST) >= entries[-1].line


IN_FILES = sorted(set(WRITERS) - set(LINE_READERS))


@pytest.mark.django_db
@pytest.mark.parametrize(("form", "count"), [*zip(IN_FILES, cycle([1, 67, 201]))])
def test_any_number_of_levels_in_any_format_is_imported(form, count):
    walls = ("#" * (5 + at % 20) for at in range(count))
    levels = [Level.parse(f"{wall}|#@$.{'-' * (len(wall) - 5)}#|{wall}") for wall in walls]
    text = WRITERS[form]([Entry(number, 0, level) for number, level in enumerate(levels, 1)])
    by = User.objects.create(username="organiser")
    collection_import.work_on(collection_import.start(text.encode(), "levels", at=cast.OPENS, by=by))
    assert Intake.objects.values_list("state", "unread").get() == (Intake.State.READ, 0)
    assert [Level.parse(row.text) for row in IntakeLevel.objects.order_by("place")] == levels
