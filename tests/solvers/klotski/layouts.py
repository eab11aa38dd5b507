import random

from hypothesis import strategies as st

from solvers.klotski import Layout
from solvers.klotski.numbering import firsts, layout_of

HENG_DAO_LI_MA = Layout.parse("VCCV VCCV VHHV VooV o..o")
XIAO_BING_TAN_LU = Layout.parse("VoCC V.CC HHV. HHVo HHoo")

layouts = st.integers(0, firsts()[-1] - 1).map(layout_of)


def connected(count, horizontals, seed=1):
    from solvers.klotski.searching.graph import graph  # numba

    whole, chance = graph(horizontals), random.Random(seed)
    sizes = whole.part_bounds[1:] - whole.part_bounds[:-1]
    first, last = map(int, whole.part_bounds[sizes.argmax() :][:2])
    return [whole.layout(chance.randrange(first, last)) for _ in range(count)]


def some(count, horizontals=None, seed=1):
    chance = random.Random(seed)
    first, last = (0, firsts()[-1]) if horizontals is None else firsts()[horizontals : horizontals + 2]
    return [layout_of(chance.randrange(first, last)) for _ in range(count)]
