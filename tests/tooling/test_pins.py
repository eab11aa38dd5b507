import hashlib
import json

import pytest
import yaml

from tooling import pins
from tooling.folders import ROOT
from tooling.terminal import Problem

CHALLENGE = 'Bearer realm="https://auth.example/token",service="registry",scope="repository:library/postgres:pull"'


@pytest.fixture(autouse=True)
def _file(tmp_path, monkeypatch):
    monkeypatch.setattr(pins, "FILE", tmp_path / "pins.yml")


class Registry:
    def __init__(self, **headers: str) -> None:
        self.headers = headers
        self.requested: list[str] = []

    def __call__(self, address, headers):
        self.requested.append(address)
        if address.startswith("https://auth.example/token?"):
            return 200, {}, json.dumps({"token": "leave"}).encode()
        if headers.get("Authorization") != "Bearer leave":
            return 401, {"www-authenticate": CHALLENGE}, b""
        return 200, self.headers, address.encode()


def test_every_service_is_pinned_to_the_received_digest():
    registry = Registry()
    pins.pin(registry)
    pinned = yaml.safe_load(pins.FILE.read_text())["services"]
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    assert pinned.keys() == services.keys()
    address = "https://registry-1.docker.io/v2/library/postgres/manifests/17-bookworm"
    assert address in registry.requested
    expected = hashlib.sha256(address.encode()).hexdigest()
    assert pinned["postgres"] == {"image": f"postgres:17-bookworm@sha256:{expected}"}
    assert pinned["web"]["build"]["args"]["PYTHON"].startswith("python:3.11-slim-bookworm@sha256:")


@pytest.mark.parametrize(
    ("registry", "message"),
    [
        (Registry(**{"docker-content-digest": "sha256:0"}), "arrived damaged"),
        (lambda *_: (404, {}, b""), "answers 404"),
    ],
)
def test_a_wrong_or_missing_image_is_not_pinned(registry, message):
    with pytest.raises(Problem, match=message):
        pins.pin(registry)
    assert not pins.FILE.exists()


def test_a_token_is_requested_over_https_only():
    image = pins.Image.parse("postgres:17")
    with pytest.raises(Problem, match="account"):
        pins.fetch_digest(image, lambda *_asked: (401, {"www-authenticate": 'Bearer realm="http://auth.example"'}, b""))
