"""Pictures that organisers bring, made anew: of a size for pages, in one format, with nothing else of their file."""

import hashlib
from dataclasses import dataclass
from io import BytesIO

from django.utils.translation import gettext as _
from PIL import Image, ImageOps

MOST_BYTES = 10_485_760
MOST_PIXELS = 25_000_000
LONGEST_SIDE = 1_600
# A screenshot is kept to the pixel where that takes no more than a photograph would.
_MOST_EXACT = 262_144
_QUALITY = 80
# By the beginning of a file what costs a pass over the whole picture, or the unpacking of a megabyte, each time that it
# stands there, and how often it may: scans of a JPEG that comes by and by, of which a photograph has ten, and profiles
# of the colours of a PNG, which has one.
_REPEATED = {b"\xff\xd8": (b"\xff\xda", 300), b"\x89PNG": (b"iCCP", 4)}
# WebP is left out: its reader makes room for the whole picture before it says how large that is.
_FORMATS = ("PNG", "JPEG")


class BadPicture(ValueError):
    """What is wrong with a file, in words for whoever brought it."""


@dataclass(frozen=True)
class StoredPicture:
    """A picture as it is kept: WebP of so many pixels."""

    content: bytes
    width: int
    height: int
    sha256: str


def make_anew(content: bytes) -> StoredPicture:
    """Read PNG or JPEG and write the picture alone as WebP: upright, 1,600 pixels at most, without metadata.

    How many pixels there are, and how often they are to be read, is looked at before any is. Raise BadPicture.
    """
    if len(content) > MOST_BYTES:
        raise BadPicture(
            _("The file has %(size)s bytes; at most %(most)s can be taken.")
            % {"size": f"{len(content):,}", "most": f"{MOST_BYTES:,}"}
        )
    for beginning, (part, most) in _REPEATED.items():
        if content.startswith(beginning) and content.count(part) > most:
            raise _unreadable()
    try:
        with Image.open(BytesIO(content), formats=_FORMATS) as opened:
            _check(opened)
            opened.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
            # Made small before anything copies it, as turning does even where nothing is to be turned.
            opened.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            ImageOps.exif_transpose(opened, in_place=True)
            clean = _alone(opened)
    except BadPicture:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_many_pixels() from None
    except Exception:  # whatever Pillow raises of a file that is none, or ends too soon
        raise _unreadable() from None
    written = _encode(clean, is_exact=opened.format == "PNG")
    return StoredPicture(written, *clean.size, hashlib.sha256(written).hexdigest())


def _check(opened: Image.Image) -> None:
    if opened.width * opened.height > MOST_PIXELS:
        raise _too_many_pixels()
    if opened.format == "PNG" and getattr(opened, "is_animated", False):
        raise BadPicture(_("This picture moves; bring one that stands still."))


def _unreadable() -> BadPicture:
    return BadPicture(_("This file cannot be read: it wants a whole picture as PNG or JPEG."))


def _too_many_pixels() -> BadPicture:
    return BadPicture(
        _("The picture has too many pixels; at most %(most)s million can be taken.")
        % {"most": MOST_PIXELS // 1_000_000}
    )


def _alone(image: Image.Image) -> Image.Image:
    """The pixels on a new sheet, which knows nothing of the file."""
    sees_through = image.has_transparency_data
    read = image.convert("RGBA" if sees_through else "RGB")
    sheet = Image.new(read.mode, read.size)
    sheet.paste(read)
    return sheet


def _encode(image: Image.Image, *, is_exact: bool) -> bytes:
    if is_exact and len(exact := _webp(image, lossless=True)) <= _MOST_EXACT:
        return exact
    return _webp(image, quality=_QUALITY)


def _webp(image: Image.Image, **how: int) -> bytes:
    file = BytesIO()
    image.save(file, "WEBP", **how)
    return file.getvalue()
