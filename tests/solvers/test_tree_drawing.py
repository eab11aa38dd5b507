import pytest

from solvers.errors import TooMuchToDraw
from solvers.tree_drawing import MOST_NODES, Node, Text, draw_tree


def chain(length):
    node = Node("end")
    for at in range(length - 1):
        node = Node(str(at), children=(node,))
    return node


def test_a_tree_has_a_shape_for_each_node_and_a_line_for_each_edge_and_arc():
    root = Node("a & b", "1", "cut", (Node("c"), Node("d", "", "zero", (Node("e"),))))
    svg = draw_tree(root, Text("Title <1>", "Text"), arcs=[(3, 0)])
    assert [svg.count(part) for part in ('class="node', 'class="link"', 'class="back"')] == [4, 3, 1]
    assert "<title>Title &lt;1&gt;</title><desc>Text</desc>" in svg
    assert "a &amp; b" in svg


def test_a_tree_beyond_the_limit_is_refused():
    assert draw_tree(chain(MOST_NODES), Text("")).count('class="node') == MOST_NODES
    with pytest.raises(TooMuchToDraw):
        draw_tree(chain(MOST_NODES + 1), Text(""))
