from urllib.parse import urlencode

import pytest

pytestmark = pytest.mark.django_db

TWO_ROOMS = "#######\n#--#--#\n#@---$#\n#--#-.#\n#######"
CORRIDOR = "#######\n#@$---#\n#####.#\n#######"


def page(client, language="en", **fields):
    return client.get(f"/{language}/lab/pictures/?{urlencode(fields)}").content.decode()


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
        ({"level": "#####\n#$..#\n#####"}, "The picture needs a level with one player."),
        ({"level": "hello"}, "error"),
        ({"game": "nim", "position": "9 9 9"}, "The picture would have more than 150 parts; draw something smaller."),
        ({"game": "nim", "position": "nine"}, "Write numbers with spaces, such as 3 2."),
        ({"game": "chomp", "position": "1 2"}, "In Chomp no row is longer than the one before."),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_reason(client, fields, text):
    answer = page(client, **fields)
    assert text in answer
    assert answer.count('class="teach"') == 1  # the other picture is the example


def test_a_wrong_number_of_players_is_an_error_of_the_level(client):
    refused = client.get("/en/lab/pictures/", {"level": "#####\n#@@$.#\n#####"}).context["level_form"].errors
    assert set(refused) == {"level"}


def test_the_page_speaks_chinese(client):
    answer = page(client, "zh-hans")
    assert "搜索的图" in answer
    assert "个状态" in page(client, "zh-hans", picture="pushes")
    assert "请画小一些的。" in page(client, "zh-hans", game="nim", position="9 9 9")
