"""A headless Firefox driven over Marionette, which every Firefox contains: Playwright drives only its own builds."""

import itertools
import json
import shutil
import socket
import subprocess
from pathlib import Path
from typing import Any

PATIENCE = 300  # seconds for any operation on a busy machine
PREFERENCES = {
    "marionette.port": 0,  # any free port; Firefox reports which
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.disabledForTesting": True,
    "browser.startup.page": 0,
    "dom.serviceWorkers.enabled": False,  # it would continue to fetch after a test has ended
}
LISTENING = "Listening on port "
UNTIL = """
const [script, values, done] = arguments;
const ask = new Function(script);
const look = () => (ask(...values) ? done(true) : setTimeout(look, 30));
look();
"""


def program() -> str | None:
    """Return the path of the Firefox of this machine, or None."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    def __init__(self, folder: Path) -> None:
        """Start Firefox with a new profile in *folder*."""
        path = program()
        assert path
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items())
        (folder / "user.js").write_text("\n".join(lines))
        command = [path, "--headless", "--no-remote", "--marionette", "--profile", str(folder), "about:blank"]
        environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "MOZ_CRASHREPORTER_DISABLE": "1"}
        log = subprocess.PIPE
        self._process = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT, text=True)
        port = next(line.partition(LISTENING)[2] for line in self._process.stdout if LISTENING in line)
        self._numbers = itertools.count(1)
        self._socket = socket.create_connection(("127.0.0.1", int(port)), timeout=PATIENCE)
        self._stream = self._socket.makefile("rwb")
        self._read()  # the greeting with name and version
        self.send_command("WebDriver:NewSession", capabilities={"alwaysMatch": {"pageLoadStrategy": "normal"}})
        self.send_command("WebDriver:SetTimeouts", script=1000 * PATIENCE)

    def send_command(self, command: str, **parameters: Any) -> Any:
        """Send *command* and return its result."""
        sent = json.dumps([0, next(self._numbers), command, parameters]).encode()
        self._stream.write(b"%d:%b" % (len(sent), sent))
        self._stream.flush()
        _kind, _number, fault, answer = self._read()
        assert fault is None, (command, fault)
        return answer

    def _read(self) -> Any:
        length = b"".join(iter(lambda: self._stream.read(1), b":"))
        return json.loads(self._stream.read(int(length)))

    def open(self, address: str) -> None:
        self.send_command("WebDriver:Navigate", url=address)

    def execute(self, script: str, *values: Any) -> Any:
        """Run *script*, the body of a function, with *values* and return its result."""
        return self.send_command("WebDriver:ExecuteScript", script=script, args=list(values))["value"]

    def wait_for(self, script: str, *values: Any) -> None:
        """Wait until *script* returns a true value."""
        self.send_command("WebDriver:ExecuteAsyncScript", script=UNTIL, args=[script, list(values)])

    def press(self, *keys: str) -> None:
        """Press *keys*, given as WebDriver characters."""
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keys", "actions": steps})

    def point(self, x: float, y: float, kind: str = "mouse") -> None:
        """Click at a position, or tap there if *kind* is "touch"."""
        move = {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}
        steps = [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._act({"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": steps})

    def _act(self, source: dict[str, Any]) -> None:
        self.send_command("WebDriver:PerformActions", actions=[source])

    def end(self) -> None:
        self._stream.close()
        self._socket.close()
        self._process.kill()
        self._process.communicate()
