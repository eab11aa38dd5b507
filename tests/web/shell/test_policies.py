"""What every answer says to browsers about where it may be used."""

import re

import pytest


@pytest.mark.parametrize("address", ["/en/", "/en/rounds/7/main/", "/admin/login/", "/healthz", "/nothing"])
def test_a_page_of_ours_is_no_part_of_another_site_and_sees_no_device(client, running, address):
    answer = client.get(address)
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert {"camera=()", "microphone=()", "geolocation=()"} <= set(answer.headers["Permissions-Policy"].split(", "))


@pytest.mark.parametrize(
    "address", ["/rounds/7/main/board.png", "/static/contest/site.css", "/api/v1/rounds/", "/rounds.ics"]
)
def test_what_is_there_to_be_shared_may_be_used_by_other_sites(client, running, address):
    answer = client.get(address)
    assert answer.getvalue()  # reading to the end closes a file
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


def test_the_policy_is_written_as_browsers_read_it(client, running):
    policy = client.get("/en/").headers["Permissions-Policy"]
    assert re.fullmatch(r"([a-z-]+=\((self)?\)(, )?)+", policy)
