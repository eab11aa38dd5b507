import pytest

from solvers.klotski import Layout
from solvers.klotski.people import people
from tests.solvers.klotski.layouts import HENG_DAO_LI_MA


@pytest.mark.parametrize(
    ("layout", "names"),
    [
        ("VCCV VCCV VHHV VooV o..o", "张飞 曹操 赵云 马超 关羽 黄忠 兵 兵 兵 兵"),
        ("oCCo oCCo HHHH HHHH HH..", "兵 曹操 兵 兵 兵 关羽 张飞 赵云 马超 黄忠"),
        ("VCCV VCCV VVVo VVVo .oo.", "关羽 曹操 张飞 赵云 马超 黄忠 兵 兵 兵 兵"),
        ("张曹曹马 张曹曹马 黄关关赵 黄12赵 3..4", "张 曹 马 黄 关 赵 1 2 3 4"),
    ],
)
def test_lying_generals_are_named_first_and_given_names_stay(layout, names):
    assert " ".join(people(Layout.parse(layout))) == names


def test_soldiers_are_numbered_only_if_they_differ():
    assert people(HENG_DAO_LI_MA, "en", is_numbered=True)[-1] == "Soldier 4"
    assert people(HENG_DAO_LI_MA, "en")[1:6:2] == ("Cao Cao", "Ma Chao", "Huang Zhong")
