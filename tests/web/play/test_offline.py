import json
import re

from django.contrib.staticfiles import finders


def test_the_service_worker_may_serve_every_page_and_is_revalidated_each_time(client, db):
    answer = client.get("/play-worker.js")
    assert answer.headers["Service-Worker-Allowed"] == "/"
    assert answer.headers["Content-Type"].startswith("text/javascript")


def test_the_service_worker_stores_every_file_of_the_game(client, db):
    shell = json.loads(re.search(r"const SHELL = (\[.*\]);", client.get("/play-worker.js").content.decode())[1])
    names = ("player/page/main.bundle.js", "player.css", "site.css", "skins/classic-day.svg", "skins/classic-night.svg")
    assert {f"/static/contest/{name}" for name in names} <= set(shell)
    assert all(finders.find(address.removeprefix("/static/")) for address in shell)


def test_the_service_worker_stores_the_logo_of_the_site(client, db, settings):
    for logo, count in (("", 0), ("/logo.png", 2)):  # once for the game, once for the lab
        settings.SITE_LOGO = logo
        assert client.get("/play-worker.js").content.decode().count('"/app/icon-192.png"') == count


def test_a_disabled_service_worker_stores_nothing_and_no_page_loads_it(client, running, settings):
    settings.OFFLINE_PLAY = False
    assert "const SHELL = [];" in client.get("/play-worker.js").content.decode()
    assert "play-worker.js" not in client.get("/en/rounds/7/main/play/").content.decode()
