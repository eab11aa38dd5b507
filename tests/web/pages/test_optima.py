"""Proved optima: on the level's page, in the table and its open data, with certificates to download and check."""

import csv
import io
import json
import lzma
from datetime import timedelta

import pytest

from contest.api.feeds import nightly
from contest.infra import clock
from contest.models import Certificate, Level, Search, SearchKind, SeenSolutions
from contest.vetting import certificates, shown
from tests import cast

pytestmark = pytest.mark.django_db
PACKED = lzma.compress(b"a certificate")


@pytest.fixture
def proved(db):
    """A revealed level with two proved optima, one of them without a certificate, and one level of a collection."""
    cast.a_round()
    level = Level.objects.get(slot="extra")
    collected = cast.a_collection(boards=(cast.CORRIDOR,)).levels.get()
    type(collected).objects.update(least_moves=2, least_pushes=1)
    study = shown._new_study(level, cast.AFTER)
    study.found = {name: {"moves": 5, "pushes": 2} for name in ("moves", "pushes")}
    study.state, study.answer, study.least_moves, study.least_pushes = "done", "solved", 5, 2
    study.save()
    certificates.queue_due(cast.AFTER)
    of_collection = Search.objects.get(kind=SearchKind.PROOF, collected=collected)
    for search, kind, number, size in (
        (study, "moves", 5, 1),
        (study, "pushes", 2, 0),
        (of_collection, "moves", 2, 2),
    ):
        content = PACKED + bytes(size) if size else b""
        facts = {"size": len(content), "sha256": f"{number:064x}" if size else "", "engine": "1", "made_at": cast.AFTER}
        Certificate.objects.create(search=search, kind=kind, number=number, content=content, **facts)
    with clock.set_to(cast.AFTER):
        yield level


def test_the_level_page_offers_a_certificate_in_both_languages_and_the_download_is_recorded(proved, client):
    """Rules 7.3, 20.3."""
    for language, words in (("en", "Proved optimal: 5 moves"), ("zh-hans", "已证明最优：5 次移动")):
        page = client.get(f"/{language}/rounds/1/extra/").content.decode()
        assert words in page
        assert f'href="/certificates/{5:064x}.xz"' in page
        assert "Proved optimal: 2 pushes" not in page
    with clock.set_to(cast.DURING):
        cast.send("Ann", "rR", slot="main", round=1)
    assert cast.browser_of("Ann").get(f"/certificates/{5:064x}.xz").content == PACKED + bytes(1)
    assert SeenSolutions.objects.get().player.nickname == "Ann"
    assert client.get("/check_certificate.py").content.startswith(b"#!/usr/bin/env python3")
    with clock.set_to(cast.DURING):
        assert "certificates/" not in client.get("/en/rounds/1/extra/").content.decode()


def test_the_page_of_a_collections_level_offers_its_certificate_unless_the_board_is_in_play(proved, client):
    address = "/en/collections/corridors/1/"
    assert f'href="/certificates/{2:064x}.xz"' in client.get(address).content.decode()
    cast.a_round(2, opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=7))
    page = client.get(address).content.decode()
    assert "no solution has fewer than 2 moves" in page
    assert "certificates/" not in page


def test_the_table_is_the_same_as_page_csv_lines_and_dump(proved, client):
    page = client.get("/en/levels/optima/").content.decode()
    assert page.count("/certificates/") == 2
    lines = [json.loads(line) for line in client.get("/api/v1/optima.ndjson").content.splitlines()]
    assert [
        (line["round"], line["collection"], line["by"], line["number"], bool(line["certificate"])) for line in lines
    ] == [
        (1, None, "moves", 5, True),
        (1, None, "pushes", 2, False),
        (None, "corridors", "moves", 2, True),
    ]
    rows = list(csv.DictReader(io.StringIO(client.get("/en/levels/optima.csv").content.decode("utf-8-sig"))))
    assert [row["number"] for row in rows] == ["5", "2", "2"]
    with clock.set_to(cast.DURING):
        assert client.get("/api/v1/optima.ndjson").content == b"", "the collection's board is in play, too"


def test_a_certificate_that_is_hidden_again_withdraws_the_dumps(proved, client):
    nightly.make_due(clock.now())
    dumps = "/api/v1/dumps/"
    assert len(client.get(dumps).json()["results"]) == 1
    Level.objects.filter(pk=proved.pk).update(sha256="0" * 64)
    assert client.get(dumps).json()["results"] == []
