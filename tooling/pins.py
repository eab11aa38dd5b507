"""`dev.py pin`: resolve the image tags of docker-compose.yml and the Dockerfile to digests, fetched now."""

from __future__ import annotations

import hashlib
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass

from tooling.folders import ROOT
from tooling.terminal import Problem, print_line

FILE = ROOT / "docker-compose.pins.yml"
_TYPES = ", ".join(
    f"application/vnd.{kind}+json"
    for kind in ("oci.image.index.v1", "docker.distribution.manifest.list.v2", "oci.image.manifest.v1",
                 "docker.distribution.manifest.v2")
)  # fmt: skip
_PATIENCE = 30
_MOST_BYTES = 4_000_000

Fetch = Callable[[str, dict[str, str]], tuple[int, dict[str, str], bytes]]


@dataclass(frozen=True)
class Image:
    """The name of an image: *registry*, *repository* and *tag*."""

    registry: str
    repository: str
    tag: str

    @classmethod
    def parse(cls, name: str) -> Image:
        """Parse an image name as Docker does.

        >>> Image.parse("postgres:17-bookworm")
        Image(registry='registry-1.docker.io', repository='library/postgres', tag='17-bookworm')
        >>> Image.parse("ghcr.io/owner/name:2").registry
        'ghcr.io'
        """
        path, _colon, tag = name.partition(":") if "/" not in name else _split_last(name)
        first, _slash, rest = path.partition("/")
        if rest and ("." in first or ":" in first):
            return cls(first, rest, tag or "latest")
        return cls("registry-1.docker.io", path if rest else f"library/{path}", tag or "latest")


def _split_last(name: str) -> tuple[str, str, str]:
    folder, _slash, last = name.rpartition("/")
    path, colon, tag = last.partition(":")
    return f"{folder}/{path}", colon, tag


def pin(fetch: Fetch | None = None) -> int:
    """Fetch each digest and write the override file; write nothing if a digest cannot be fetched."""
    request = fetch or request_url
    compose, dockerfile = (ROOT / "docker-compose.yml").read_text(), (ROOT / "Dockerfile").read_text()
    named = services(compose)
    base = re.findall(r"^ARG PYTHON=(\S+)$", dockerfile, re.MULTILINE)[0]
    digests = {name: fetch_digest(Image.parse(name), request) for name in sorted({*named.values(), base})}
    lines = ["# Made by `dev.py pin` of what was fetched then. Delete it to follow the tags again.", "", "services:"]
    lines += [f"  {service}: {{image: {name}@{digests[name]}}}" for service, name in named.items()]
    lines += [
        f"  {service}: {{build: {{args: {{PYTHON: {base}@{digests[base]}}}}}}}" for service in own_services(compose)
    ]
    FILE.write_text("\n".join(lines) + "\n")
    for name, digest_ in digests.items():
        print_line(f"{name}@{digest_}")
    print_line(f"{FILE.name} is written. In .env: COMPOSE_FILE=docker-compose.yml:{FILE.name}")
    return 0


def services(compose: str) -> dict[str, str]:
    """Return the image of each service that is not built here."""
    return {name: image for name, image in _images(compose) if not image.startswith("leitai")}


def own_services(compose: str) -> list[str]:
    """Return the services that are built here."""
    of_others = services(compose)
    return [name for name in _names(compose) if name not in of_others]


def _names(compose: str) -> list[str]:
    part = re.split(r"^services:\n", compose, flags=re.MULTILINE)[1]
    return re.findall(r"^  ([a-z]+):$", re.split(r"^\S", part, flags=re.MULTILINE)[0], re.MULTILINE)


def _images(compose: str) -> list[tuple[str, str]]:
    part = re.split(r"^services:\n", compose, flags=re.MULTILINE)[1]
    return re.findall(r"^  ([a-z]+):\n(?:    .*\n|\n)*?    image: (\S+)$", part, re.MULTILINE)


def fetch_digest(image: Image, fetch: Fetch) -> str:
    """Return the digest of an image: the SHA-256 of its manifest, computed from the received bytes."""
    address = f"https://{image.registry}/v2/{image.repository}/manifests/{image.tag}"
    status, headers, body = fetch(address, {"Accept": _TYPES})
    if status == 401:
        token = _fetch_token(headers.get("www-authenticate", ""), fetch)
        status, headers, body = fetch(address, {"Accept": _TYPES, "Authorization": f"Bearer {token}"})
    if status != 200:
        raise Problem(f"{image.registry} answers {status} for {image.repository}:{image.tag}; nothing is written.")
    expected = f"sha256:{hashlib.sha256(body).hexdigest()}"
    if headers.get("docker-content-digest", expected) != expected:
        raise Problem(f"{image.repository}:{image.tag} arrived damaged; nothing is written.")
    return expected


def _fetch_token(challenge: str, fetch: Fetch) -> str:
    """Fetch a read token from the address in the registry's *challenge*; this needs no account."""
    parameters = dict(re.findall(r'(\w+)="([^"]*)"', challenge))
    realm = parameters.pop("realm", "")
    if not realm.startswith("https://"):
        raise Problem("The registry requires an account.")
    status, _headers, body = fetch(f"{realm}?{urllib.parse.urlencode(parameters)}", {})
    try:
        answer = json.loads(body)
        return str(answer.get("token") or answer["access_token"])
    except (ValueError, KeyError, AttributeError):
        raise Problem(f"The registry refuses read access ({status}).") from None


def request_url(address: str, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers with lower-case names, and body."""
    request = urllib.request.Request(address, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:
            return answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read(_MOST_BYTES)
    except urllib.error.HTTPError as error:
        return error.code, {k.lower(): v for k, v in error.headers.items()}, b""
    except OSError as error:
        raise Problem(f"{urllib.parse.urlsplit(address).hostname} cannot be reached ({error}).") from None
