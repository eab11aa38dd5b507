"""Redis as docker-compose.yml starts it; `tooling.lint.deployment` checks the rest of the file."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import redis
import yaml

from tooling.folders import ROOT
from tooling.processes import Child, stop_children, wait_for


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="no redis-server (apt-get install redis-server)")
def test_redis_answers_only_with_the_password_which_its_command_line_does_not_show(tmp_path):
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    password, service = "0123456789abcdef", services["redis"]
    env = dict.fromkeys(service["environment"], password) | {"PATH": os.environ["PATH"]}
    command = [part.replace("$$", "$") for part in service["command"]]
    socket = tmp_path / "redis.sock"
    child = Child("redis", [*command, "--port", "0", "--unixsocket", str(socket)], env, tmp_path / "log", tmp_path)
    child.start()
    try:
        wait_for("Redis", child, socket.exists, limit=15)
        with pytest.raises(redis.AuthenticationError):
            redis.Redis(unix_socket_path=str(socket)).ping()
        url = f"{services['web']['environment']['REDIS_URL'].replace('redis://', 'unix://').split('$')[0]}{password}@"
        assert redis.Redis.from_url(f"{url}{socket}").config_get("maxmemory")["maxmemory"] == str(256 << 20)
        assert password not in Path(f"/proc/{child.process.pid}/cmdline").read_text()
        program, *arguments = service["healthcheck"]["test"][1:]
        check = [program, "-s", str(socket), *arguments]
        wrong = env | {"REDISCLI_AUTH": "wrong"}
        healthy = [subprocess.run(check, env=auth, check=False).returncode for auth in (env, wrong)]
        assert healthy == [0, 1]
    finally:
        stop_children([child])
