"""Re-encode pictures uploaded by organisers: scaled for pages, in one format, without any other data of the file."""

import hashlib
from dataclasses import dataclass
from io import BytesIO

from django.utils.translation import gettext as _
from PIL import Image, ImageOps

MOST_BYTES = 10_485_760
MOST_PIXELS = 25_000_000
LONGEST_SIDE = 1_600
# A PNG is stored losslessly if that takes no more bytes than this.
_MOST_EXACT = 262_144
_QUALITY = 80
# By file signature: a marker that costs a pass over the picture or a decompression at each occurrence, and its limit.
# These are scans of a progressive JPEG (a photograph has ten) and colour profiles of a PNG (it has one).
_REPEATED = {b"\xff\xd8": (b"\xff\xda", 300), b"\x89PNG": (b"iCCP", 4)}
# No WebP: its decoder allocates the whole picture before it reports the size.
_FORMATS = ("PNG", "JPEG")


class BadPicture(ValueError):
    """The file is refused, with a message for the uploader."""


@dataclass(frozen=True)
class StoredPicture:
    """A stored picture: WebP with its size in pixels."""

    content: bytes
    width: int
    height: int
    sha256: str


def reencode(content: bytes) -> StoredPicture:
    """Re-encode a PNG or JPEG as WebP: upright, at most 1,600 pixels on a side, without metadata.

    The numbers of pixels and of passes are checked before decoding. Raise BadPicture.
    """
    if len(content) > MOST_BYTES:
        raise BadPicture(
            _("The file has %(size)s bytes; the limit is %(most)s.")
            % {"size": f"{len(content):,}", "most": f"{MOST_BYTES:,}"}
        )
    for beginning, (part, most) in _REPEATED.items():
        if content.startswith(beginning) and content.count(part) > most:
            raise _unreadable()
    try:
        with Image.open(BytesIO(content), formats=_FORMATS) as opened:
            _check(opened)
            opened.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
            # Scaled down before anything copies it; transposing copies even an upright picture.
            opened.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            ImageOps.exif_transpose(opened, in_place=True)
            clean = _alone(opened)
    except BadPicture:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_many_pixels() from None
    except Exception:  # any exception of Pillow for an invalid or truncated file
        raise _unreadable() from None
    written = _encode(clean, is_exact=opened.format == "PNG")
    return StoredPicture(written, *clean.size, hashlib.sha256(written).hexdigest())


def _check(opened: Image.Image) -> None:
    if opened.width * opened.height > MOST_PIXELS:
        raise _too_many_pixels()
    if opened.format == "PNG" and getattr(opened, "is_animated", False):
        raise BadPicture(_("This picture is animated. Upload a still picture."))


def _unreadable() -> BadPicture:
    return BadPicture(_("This file cannot be read: upload a complete PNG or JPEG picture."))


def _too_many_pixels() -> BadPicture:
    return BadPicture(
        _("The picture has too many pixels; the limit is %(most)s million.") % {"most": MOST_PIXELS // 1_000_000}
    )


def _alone(image: Image.Image) -> Image.Image:
    """Copy the pixels to a new image without the file's metadata."""
    sees_through = image.has_transparency_data
    read = image.convert("RGBA" if sees_through else "RGB")
    sheet = Image.new(read.mode, read.size)
    sheet.paste(read)
    return sheet


def _encode(image: Image.Image, *, is_exact: bool) -> bytes:
    if is_exact and len(exact := _webp(image, lossless=True)) <= _MOST_EXACT:
        return exact
    return _webp(image, quality=_QUALITY)


def _webp(image: Image.Image, **options: int) -> bytes:
    file = BytesIO()
    image.save(file, "WEBP", **options)
    return file.getvalue()
