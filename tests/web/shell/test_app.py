import re
from urllib.parse import urljoin

import pytest

pytestmark = pytest.mark.django_db


def manifest(client, language):
    page = client.get(f"/{language}/").content.decode()
    address = re.search(r'<link rel="manifest" href="(.+?)">', page)[1]
    answer = client.get(address)
    assert answer["Content-Type"] == "application/manifest+json"
    return answer.json(), address


def test_the_manifest_is_in_the_pages_language_and_its_id_is_shared(client):
    ids = set()
    for language, name in (("en", "Sokoban contest"), ("zh-hans", "推箱子比赛")):
        content, address = manifest(client, language)
        assert (content["lang"], content["start_url"], content["scope"]) == (language, f"/{language}/", "/")
        assert name in content["name"]
        shortcuts = [urljoin(address, shortcut["url"]) for shortcut in content["shortcuts"]]
        assert all(url.startswith(f"/{language}/") for url in shortcuts)
        assert [client.get(url).status_code for url in shortcuts] == [200] * 4
        ids.add(content["id"])
    assert ids == {"/"}
