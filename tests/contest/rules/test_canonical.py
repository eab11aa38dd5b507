from contest.rules.canonical import json_page


def test_a_json_page_has_a_single_readable_spelling():
    assert json_page({"b": 1, "a": ["é"]}) == '{\n "a": [\n  "é"\n ],\n "b": 1\n}\n'
