import struct
import zlib
from io import BytesIO

import pytest
from PIL import Image, PngImagePlugin

from contest.rendering import pictures

MARK = b"39.9042N-116.4074E"


def a_file(kind: str = "PNG", size: tuple[int, int] = (40, 20), mode: str = "RGB", **options) -> bytes:
    file = BytesIO()
    sheet = Image.new(mode, size, "red" if mode == "RGB" else 0)
    sheet.save(file, kind, **options)
    return file.getvalue()


def turned_by_a_quarter() -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112] = 6
    return exif


def read(drawn: pictures.StoredPicture) -> Image.Image:
    return Image.open(BytesIO(drawn.content))


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def claimed(width: int, height: int) -> bytes:
    """Return a PNG of a few bytes that claims this size, and expands to as many pixels if decoded."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1_000_000)))


@pytest.mark.parametrize(
    ("file", "size"),
    [
        (a_file("PNG"), (40, 20)),
        (a_file("JPEG"), (40, 20)),
        (a_file("JPEG", (4_000, 2_000)), (1_600, 800)),
        (a_file("JPEG", (40, 20), exif=turned_by_a_quarter()), (20, 40)),
    ],
    ids=["PNG", "JPEG", "large", "on its side"],
)
def test_every_picture_is_reencoded_as_webp_rotated_and_scaled_down(file, size):
    drawn = pictures.reencode(file)
    assert (read(drawn).format, read(drawn).size, (drawn.width, drawn.height)) == ("WEBP", size, size)


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_metadata_is_removed(kind):
    exif = Image.Exif()
    exif[0x010E] = MARK.decode()
    exif.get_ifd(0x8825)[1] = MARK.decode()
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Comment", MARK.decode())
    beside = {"pnginfo": texts} if kind == "PNG" else {"comment": MARK, "xmp": MARK}
    file = a_file(kind, exif=exif, icc_profile=MARK, **beside)
    assert MARK in file
    drawn = pictures.reencode(file)
    assert MARK not in drawn.content
    assert not set(read(drawn).info) & {"exif", "xmp", "icc_profile"}


@pytest.mark.parametrize("side", [5_001, 60_000])
def test_a_picture_that_declares_too_many_pixels_is_not_decoded(side, monkeypatch):
    monkeypatch.setattr(Image.Image, "load", lambda _self: pytest.fail("was read"))
    with pytest.raises(pictures.BadPicture, match="limit is 25 million"):
        pictures.reencode(claimed(side, side))


def test_a_file_that_is_too_large_is_not_parsed(monkeypatch):
    monkeypatch.setattr(Image, "open", lambda *_args, **_kwargs: pytest.fail("was opened"))
    with pytest.raises(pictures.BadPicture, match="limit is 10,485,760"):
        pictures.reencode(bytes(pictures.MOST_BYTES + 1))


def repeating(part: str, times: int) -> bytes:
    """Return a file of some kilobytes with its picture, or its colour profile, repeated *times* times."""
    if part == "profile":
        whole = a_file()
        return whole[:33] + chunk(b"iCCP", b"a\0\0" + zlib.compress(bytes(900_000))) * times + whole[33:]
    whole = a_file("JPEG", (400, 400), mode="L", progressive=True)
    last = whole.rindex(b"\xff\xda")
    return whole[:-2] + whole[last:-2] * times + whole[-2:]


@pytest.mark.parametrize(("part", "times", "more"), [("scan", 20, 280), ("profile", 1, 4)])
def test_a_picture_with_too_many_passes_is_refused_undecoded(part, times, more, monkeypatch):
    """Half a megabyte of scans took 14 seconds; ten megabytes would have taken five minutes."""
    assert pictures.reencode(repeating(part, times)).width > 0
    monkeypatch.setattr(Image, "open", lambda *_args, **_kwargs: pytest.fail("was opened"))
    with pytest.raises(pictures.BadPicture, match="cannot be read"):
        pictures.reencode(repeating(part, times + more))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "PNG or JPEG"),
        (a_file()[:60], "PNG or JPEG"),
        (a_file("JPEG")[:-200], "PNG or JPEG"),
        (a_file("GIF"), "PNG or JPEG"),
        (a_file(save_all=True, append_images=[Image.new("RGB", (40, 20), "blue")]), "animated"),
    ],
    ids=["nothing", "half a PNG", "half a JPEG", "GIF", "one that moves"],
)
def test_other_files_are_refused_with_a_message(content, message):
    with pytest.raises(pictures.BadPicture, match=message):
        pictures.reencode(content)
