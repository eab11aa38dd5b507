"""An object of the API is declared once: the file, the answers and the docs are made of it."""

import re
from pathlib import Path

from django.core.management import call_command

from contest.api.objects import tables
from contest.api.objects.components import COMPONENTS, SHAPES
from contest.api.objects.kinds import COUNT, Member, Shape, maybe
from contest.api.objects.rounds import LEVEL
from tests import cast

NUMBERS = {"type": "integer", "minimum": 0}
ROOT = Path(__file__).parents[2]
DOORS = sorted((ROOT / "contest/api").rglob("*.py"))


def test_a_member_more_is_in_the_file_the_answer_and_the_docs(db):
    area = Member("area", COUNT, lambda level: level.width * level.height, "Cells of the board.")
    wider = Shape("Level", LEVEL.words, [*LEVEL.members, area])
    level = cast.a_round().levels.first()
    assert wider.component["properties"]["area"] == {**NUMBERS, "description": "Cells of the board."}
    assert "area" in wider.component["required"]
    assert wider.show(level) == {**LEVEL.show(level), "area": level.width * level.height}
    assert "| `area` | integer | Cells of the board. |" in tables.table(wider)


def test_an_optional_member_is_absent_where_there_is_nothing():
    shape = Shape("", "", [Member("a", maybe(COUNT), len), Member("b", COUNT, lambda _: None, is_optional=True)])
    assert shape.show("xy") == {"a": 2}
    assert shape.component["required"] == ["a"]


def test_every_object_has_a_name_of_its_own():
    assert len(COMPONENTS) == len(SHAPES)


def test_the_tables_of_the_docs_are_up_to_date():
    """Where not: `python3 dev.py manage api_docs`."""
    page = (ROOT / "docs/api.md").read_text()
    assert tables.with_tables(page) == page


def test_the_command_writes_the_tables_of_the_docs(tmp_path, settings):
    settings.TEXTS_DIR, page = tmp_path, tmp_path / "docs/api.md"
    page.parent.mkdir()
    whole = (ROOT / "docs/api.md").read_text()
    page.write_text(re.sub(r"^\|.*\n", "", whole, flags=re.MULTILINE))
    call_command("api_docs")
    assert "| `state` |" in page.read_text()


def test_no_door_writes_an_object_by_hand():
    assert [door.name for door in DOORS if re.search(r"Response\(\s*\{", door.read_text())] == []
