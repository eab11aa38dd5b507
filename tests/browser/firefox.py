"""A Firefox without a window, driven over Marionette, which every Firefox brings: playwright drives only its own."""

import itertools
import json
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

PATIENCE = 300  # seconds that a busy machine may take to start it, and a page to become what is waited for
PREFERENCES = {
    "marionette.port": 0,  # any; the profile says which
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.disabledForTesting": True,
    "browser.startup.page": 0,
    "dom.serviceWorkers.enabled": False,  # it would go on fetching after a test has ended
}


def program() -> str | None:
    """The Firefox of this machine, or None."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    def __init__(self, folder: Path) -> None:
        """Start it with a new profile in *folder*."""
        path = program()
        assert path
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items())
        (folder / "user.js").write_text("\n".join(lines))
        words = [path, "--headless", "--no-remote", "--marionette", "--profile", str(folder), "about:blank"]
        environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "MOZ_CRASHREPORTER_DISABLE": "1"}
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(words, env=environment, stdout=quiet, stderr=quiet)
        self._numbers = itertools.count(1)
        port = int(_waited(lambda: _text(folder / "MarionetteActivePort")))
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._stream = self._socket.makefile("rwb")
        self._read()  # it says who it is
        self.tell("WebDriver:NewSession", capabilities={"alwaysMatch": {"pageLoadStrategy": "normal"}})

    def tell(self, command: str, **words: Any) -> Any:
        """Let it do *command* and return what comes of it."""
        sent = json.dumps([0, next(self._numbers), command, words]).encode()
        self._stream.write(b"%d:%b" % (len(sent), sent))
        self._stream.flush()
        _kind, _number, fault, answer = self._read()
        assert fault is None, (command, fault)
        return answer

    def _read(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            got = self._stream.read(1)
            assert got, "Firefox has ended"
            length += got
        return json.loads(self._stream.read(int(length[:-1])))

    def open(self, address: str) -> None:
        self.tell("WebDriver:Navigate", url=address)

    def say(self, script: str, *values: Any) -> Any:
        """What *script*, the body of a function, returns for *values*."""
        return self.tell("WebDriver:ExecuteScript", script=script, args=list(values))["value"]

    def wait_for(self, script: str, *values: Any) -> Any:
        """What *script* returns as soon as that is something."""
        return _waited(lambda: self.say(script, *values), script)

    def press(self, *keys: str) -> None:
        """Press *keys*, each a character of WebDriver's."""
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keys", "actions": steps})

    def point(self, x: float, y: float, kind: str = "mouse") -> None:
        """Click at a place, or tap there where *kind* is "touch"."""
        there = {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}
        steps = [there, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._act({"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": steps})

    def _act(self, source: dict[str, Any]) -> None:
        self.tell("WebDriver:PerformActions", actions=[source])

    def end(self) -> None:
        self._stream.close()
        self._socket.close()
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _text(path: Path) -> str:
    return path.read_text().strip() if path.exists() else ""


def _waited(ask: Any, what: str = "Firefox") -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if answer := ask():
            return answer
        time.sleep(0.1)
    raise AssertionError(f"not within {PATIENCE} seconds: {what}")
