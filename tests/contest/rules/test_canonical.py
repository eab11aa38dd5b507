from contest.rules.canonical import json_page


def test_a_page_of_json_has_one_spelling_which_people_can_read():
    assert json_page({"b": 1, "a": ["é"]}) == '{\n "a": [\n  "é"\n ],\n "b": 1\n}\n'
