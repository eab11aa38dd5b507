from urllib.parse import urlencode

import pytest

pytestmark = pytest.mark.django_db

TWO_ROOMS = "#######\n#--#--#\n#@---$#\n#--#-.#\n#######"
CORRIDOR = "#######\n#@$---#\n#####.#\n#######"


def page(client, **fields):
    return client.get(f"/en/lab/pictures/?{urlencode(fields)}").content.decode()


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"level": TWO_ROOMS, "picture": "tree-depth"}, "13 squares, 4 back edges, 4 blocks. Cut squares: C3, D3, E3."),
        ({"level": CORRIDOR, "picture": "pushes", "box": "c2"}, "3 states on 3 squares, at most 3 pushes."),
        ({"game": "nim", "position": "3 1"}, "Grundy value of the first position: 2."),
    ],
)
def test_a_picture_of_ones_own_has_its_facts_as_a_description(client, fields, text):
    assert f"<desc>{text}</desc>" in page(client, **fields)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"level": CORRIDOR, "box": "D2"}, "There is no box on D2."),
        ({"game": "nim", "position": "9 9 9"}, "The picture would have more than 150 parts; draw something smaller."),
        ({"game": "nim", "position": "nine"}, "Write numbers with spaces, such as 3 2."),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_reason(client, fields, text):
    answer = page(client, **fields)
    assert text in answer
    assert answer.count('class="teach"') == 1  # the other picture is the example
