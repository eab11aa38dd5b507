"""The worked examples of the rules, and their results in a form that tests can compare."""

import json
from datetime import timedelta
from pathlib import Path

from contest import results
from contest.infra import clock
from contest.wording.bilingual import Reason
from tests import cast

EXAMPLES = json.loads((Path(__file__).parents[3] / "contest/static/contest/rules/examples.json").read_text())
ROUNDS = {example["name"]: example for example in EXAMPLES["rounds"]}
# Rule 19.3 (its main level is rule 19.1's), in order of receipt.
MAIN = [
    (sent["player"], sent["moves"], sent["pushes"]) for sent in ROUNDS["19.3"]["submissions"] if sent["slot"] == "main"
]
REASON = Reason(zh="原因", en="because")
LATER = cast.AFTER + timedelta(days=1)


def finalise(round_, at=cast.AFTER):
    with clock.set_to(at):
        return results.finalise(round_, at=at, by=None)


def revise(round_, at=LATER):
    with clock.set_to(at):
        return results.revise(round_, REASON, at=at, by=None)


def table(round_, at=cast.AFTER):
    shown = results.table(results.current(round_, at))
    return [(row.player.nickname, row.total, row.titles) for row in shown.rows]


def drawn(round_, at=cast.AFTER):
    draw = results.table(results.current(round_, at)).draw
    return [row.player.nickname for row in draw.rows], draw.lucky and draw.lucky.nickname
