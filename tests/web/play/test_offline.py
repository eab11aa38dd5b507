import json
import re

import pytest

from contest.infra import kept as cached


def constant(client, name):
    return json.loads(re.search(rf"const {name} = (.*);", client.get("/play-worker.js").content.decode())[1])


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_service_worker_stores_the_page_of_saved_levels_with_every_file_it_names(client, db, language):
    page = client.get(constant(client, "OFFLINE")[language]).content.decode()
    named = set(re.findall(r'(?:src|href)="(/static/[^"#]+)', page))
    assert named <= set(constant(client, "ENTRANCE"))


@pytest.mark.parametrize("path", ["/en/", "/en/levels/", "/en/collections/", "/en/help/first-steps/"])
def test_pages_that_lead_to_the_game_register_the_service_worker_if_it_is_enabled(client, db, settings, path):
    for settings.OFFLINE_PLAY in (True, False):
        cached.store.clear()
        assert ("play-worker.js" in client.get(path).content.decode()) is settings.OFFLINE_PLAY


def test_a_disabled_service_worker_stores_nothing_and_no_page_loads_it(client, running, settings):
    settings.OFFLINE_PLAY = False
    assert "const SHELL = [];" in client.get("/play-worker.js").content.decode()
    assert "play-worker.js" not in client.get("/en/rounds/7/main/play/").content.decode()
    assert client.get("/en/saved/").status_code == 404
