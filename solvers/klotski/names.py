"""Named layouts, as players know them.

Only layouts whose published minimum of moves equals the one computed here are listed: names are copied from list to
list, and some are used for more than one layout. The English names are the Chinese ones in pinyin; 横刀立马 is also
sold as the Red Donkey (L'Âne rouge).
"""

from typing import NamedTuple

from solvers.klotski.errors import UnknownName
from solvers.klotski.layout import Layout, Mirror


class Classic(NamedTuple):
    """A layout with its names, and the published minimum of moves to the exit."""

    chinese: str
    english: str
    cells: str
    moves: int

    @property
    def layout(self) -> Layout:
        return Layout(self.cells.replace(" ", ""))


CLASSICS = (
    Classic("横刀立马", "Heng Dao Li Ma", "VCCV VCCV VHHV VooV o..o", 81),
    Classic("指挥若定", "Zhi Hui Ruo Ding", "VCCV VCCV oHHo VooV V..V", 70),
    Classic("将拥曹营", "Jiang Yong Cao Ying", ".CC. VCCV VVVV oVVo HHoo", 72),
    Classic("齐头并进", "Qi Tou Bing Jin", "VCCV VCCV oooo VHHV V..V", 60),
    Classic("兵分三路", "Bing Fen San Lu", "oCCo VCCV VHHV VooV V..V", 72),
    Classic("桃花园中", "Tao Hua Yuan Zhong", "oCCo VCCV VVVV oVVo .HH.", 70),
    Classic("捷足先登", "Jie Zu Xian Deng", "oCCo oCCo .HH. VVVV VVVV", 32),
    Classic("插翅难飞", "Cha Chi Nan Fei", "VCCo VCCo HHoo VHHV V..V", 62),
    Classic("层层设防", "Ceng Ceng She Fang", "VCCV VCCV oHHo oHHo .HH.", 102),
    Classic("水泄不通", "Shui Xie Bu Tong", "VCCo VCCo HHHH HHHH o..o", 79),
    Classic("小燕出巢", "Xiao Yan Chu Chao", "VCCV VCCV HHHH oHHo o..o", 103),
    Classic("近在咫尺", "Jin Zai Zhi Chi", "oVVV oVVV HHoo HHCC ..CC", 98),
    Classic("峰回路转", "Feng Hui Lu Zhuan", "oooV CCVV CCVV .HHV .oHH", 138),
    Classic("小兵探路", "Xiao Bing Tan Lu", "VoCC V.CC HHV. HHVo HHoo", 135),
)


def classic(name: str) -> Classic:
    """Return the layout with a name, in either language; case and blanks do not matter.

    >>> classic("小兵探路").moves, classic("heng dao li ma").chinese
    (135, '横刀立马')

    Raise UnknownName.
    """
    wanted = "".join(name.lower().split())
    for known in CLASSICS:
        if wanted in (known.chinese, "".join(known.english.lower().split())):
            return known
    raise UnknownName(name=name[:40])


def name_of(layout: Layout) -> Classic | None:
    """Return the named layout equal to *layout* or its left-right mirror image, or None."""
    both = {layout.cells, layout.reflect(Mirror.LEFT_RIGHT).cells}
    return next((known for known in CLASSICS if known.layout.cells in both), None)
