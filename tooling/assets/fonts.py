"""Build the fonts of pictures: `python3 -m tooling.assets.fonts NotoSans-Regular.ttf NotoSansCJK-Regular.ttc`.

The files come from the Debian packages fonts-noto-core and fonts-noto-cjk (SIL Open Font License); fonttools must be
installed. The output is two subsets in solvers/sokoban/drawing/fontfiles: Latin, Greek and Cyrillic letters with signs;
and kana, full-width forms, all characters of GB 2312 and the frequent ones of Big5, in their simplified shapes.
"""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

OUTPUT = Path(__file__).parents[2] / "solvers/sokoban/drawing/fontfiles"
_LATIN = (
    "U+0020-024F,U+0300-036F,U+0370-03FF,U+0400-052F,U+1E00-1FFF,U+2010-2027,U+2030-205E,U+20A0-20BF,U+2100-214F,"
    "U+2190-2193,U+2212,U+2248,U+2260-2265,U+25A0-25FF,U+2605-2606"
)
_SIMPLIFIED = 2  # the font of the collection whose shapes are those of the mainland
_GB_2312 = (range(0xB0, 0xF8), [range(0xA1, 0xFF)], "gb2312")
_BIG5 = (range(0xA4, 0xC7), [range(0x40, 0x7F), range(0xA1, 0xFF)], "big5")  # its frequent characters
_KANA = "U+3000-30FF,U+FF01-FF65"


def main(latin: str, cjk: str) -> None:
    _build(latin, "NotoSans.ttf", f"--unicodes={_LATIN}")
    characters = [*_characters_of(*_GB_2312), *_characters_of(*_BIG5)]
    codes = ",".join(f"{ord(character):X}" for character in characters)
    _build(cjk, "NotoSansSC.otf", f"--font-number={_SIMPLIFIED}", f"--unicodes={_KANA},{codes}")


def _characters_of(leads: Iterable[int], trails: list[range], encoding: str) -> Iterator[str]:
    for lead in leads:
        for trail in (byte for part in trails for byte in part):
            yield from bytes([lead, trail]).decode(encoding, "ignore")


def _build(source: str, name: str, *options: str) -> None:
    tables = "BASE,VORG,vhea,vmtx,GSUB,GPOS,GDEF"
    arguments = ["--no-hinting", "--layout-features=", f"--drop-tables+={tables}", f"--output-file={OUTPUT / name}"]
    subprocess.run([sys.executable, "-m", "fontTools.subset", source, *options, *arguments], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
