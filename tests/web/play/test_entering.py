import json
import re

from tests import cast


def facts(page):
    found = re.search(r'<script type="application/json">(.*?)</script>', page.content.decode(), re.DOTALL)
    return json.loads(found[1])


def test_the_page_contains_the_levels_that_moves_may_solve(client, running, closed, coming):
    """Rules 7.4, 20.1: for practice, those of its round."""
    levels = facts(client.get("/en/submit/"))["levels"]
    assert [(level["round"], level["slot"]) for level in levels] == [(7, "main"), (7, "extra")]
    practice = facts(client.get("/en/submit/?round=6&practice=1"))
    assert practice["isPractice"]
    assert practice["levels"][0]["numbers"] == "/rounds/6/main/numbers.json?practice=1"


def test_all_counts_are_returned_in_the_order_of_both_rankings(client, running):
    """Rule 7.7."""
    for name, moves, pushes in [("Ann", 5, 3), ("Bea", 4, 9)]:
        cast.enter(running, name, moves, pushes, at=running.opens_at)
    answer = client.get("/rounds/7/main/numbers.json").json()
    ranked = {"moves": [[4, 9, "Bea"], [5, 3, "Ann"]], "pushes": [[5, 3, "Ann"], [4, 9, "Bea"]]}
    assert answer == {**ranked, "least": {"moves": 2, "pushes": 2}}
