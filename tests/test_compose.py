"""docker-compose.yml and the Dockerfile. No container engine is started; the commands themselves run natively."""

import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import redis
import yaml
from django.conf import settings

from tooling.processes import Child, stop_children, wait_for
from tooling.redis import BOUNDS
from tooling.site import Address, beat_command, site_children, web_command, worker_command

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docker-compose.yml").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"].startswith("leitai")}
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def test_the_file_follows_the_compose_specification():
    schemas = importlib.import_module("check_jsonschema.builtin_schemas")
    specification = jsonschema.Draft202012Validator(schemas.get_builtin_schema("vendor.compose-spec"))
    assert [error.message for error in specification.iter_errors(COMPOSE)] == []
    assert not specification.is_valid(yaml.safe_load(TEXT.replace("command:", "comand:")))


@pytest.mark.parametrize(
    ("service", "command"),
    [
        ("web", web_command(Address("0.0.0.0", 8000))),
        ("judge", worker_command("judge", "prefork", 2)),
        ("beat", beat_command(Path("/tmp/celerybeat-schedule"))),
    ],
)
def test_commands_and_limits_of_redis_match_dev_py(service, command):
    assert SERVICES[service]["command"] == ["python", *command]
    assert SERVICES["redis"]["command"][-len(BOUNDS) :] == list(BOUNDS)


def test_every_queue_has_a_worker_on_one_machine_and_in_containers():
    hints = ast.parse((ROOT / "contest/celery/waking.py").read_text())
    constants = [
        node.value for node in hints.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    ]
    named = {constant.value for constant in constants if isinstance(constant.value, str)}
    schedule: dict[str, Any] = settings.CELERY_BEAT_SCHEDULE
    beat = {task["options"]["queue"] for task in schedule.values() if "queue" in task["options"]}
    queues = {settings.CELERY_TASK_DEFAULT_QUEUE, *named, *beat}
    children = site_children(Path("data"), Address("127.0.0.1", 8000), {})
    for commands in ([child.command for child in children], [service["command"] for service in OURS.values()]):
        assert {command[command.index("-Q") + 1] for command in commands if "-Q" in command} == queues


def test_the_image_starts_the_web_server():
    command = re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    assert json.loads(command[-1]) == SERVICES["web"]["command"]


# Settings that are the same for every site in containers.
FIXED = {"DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS", "SITE_URL", "BEHIND_PROXY"}


def documented() -> set[str]:
    """Return the settings in the operator's manual."""
    manual = (ROOT / "docs" / "how-to" / "operations.md").read_text()
    heads = re.findall(r"^\| (`[A-Z_`, ]+`) \|", manual, re.MULTILINE)
    return {name for head in heads for name in re.findall(r"`([A-Z_]+)`", head)}


def read_by_the_site() -> set[str]:
    code = "".join(file.read_text() for file in sorted((ROOT / "contest" / "settings").glob("*.py")))
    operator = re.search(r"^OPERATOR = .*?for name in (\(.*?\))", code, re.MULTILINE | re.DOTALL)
    return {
        *re.findall(r"\benv(?:\.\w+)?\(\s*\"([A-Z_]+)\"", code),
        *re.findall(r"_networks\(\"([A-Z_]+)\"", code),
        *(f"OPERATOR_{name.upper()}" for name in ast.literal_eval(operator[1])),
    }


def test_the_manual_lists_every_setting_that_is_read():
    read_by_compose = set(re.findall(r"\$\{([A-Z_]+)", TEXT))
    assert documented() == (read_by_the_site() | read_by_compose) - {"DEBUG", "BOUND_TO"}


@pytest.mark.parametrize("service", OURS)
def test_every_setting_of_the_manual_reaches_the_site_from_env(service):
    assert OURS[service]["env_file"] == [{"path": ".env", "required": False}]
    set_here = OURS[service]["environment"]
    overridden = {name for name in documented() & set(set_here) if f"${{{name}" not in str(set_here[name])}
    assert overridden == FIXED
    assert set_here["DEBUG"] == "0", "whatever a developer's .env says"


def test_only_the_proxy_can_be_reached_from_outside_and_it_answers_plain_http():
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    assert re.search(r"^http:// \{$", (ROOT / "deploy" / "Caddyfile").read_text(), re.MULTILINE)


@pytest.mark.parametrize("name", ["SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD", "SITE_HOST"])
def test_a_secret_has_no_default_and_nothing_starts_without_it(name):
    uses = re.findall(rf"\$\{{{name}([^}}]*)\}}", TEXT)
    assert any(use.startswith(":?") for use in uses)
    assert all(use == "" or use.startswith(":?") for use in uses)
    assert re.search(rf"^{name}=$", (ROOT / "deploy" / "example.env").read_text(), re.MULTILINE)


@pytest.mark.parametrize("service", OURS)
def test_commands_of_services_exist_run_without_privileges_and_restart(service):
    ours = OURS[service]
    assert (ours["restart"] == "unless-stopped") == (service != "migrate")
    assert ours["logging"]["options"] == {"max-size": "10m", "max-file": "5"}
    python, first, second, *_rest = ours["command"]
    assert python == "python"
    assert importlib.util.find_spec(second) if first == "-m" else (ROOT / first).is_file()
    assert (ours["read_only"], ours["init"], ours["cap_drop"]) == (True, True, ["ALL"])
    assert ours["security_opt"] == ["no-new-privileges:true"]
    assert not {"user", "privileged"} & set(ours)
    assert ours.get("volumes", []) == (["./backups:/backups"] if service == "backup" else [])


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="no redis-server (apt-get install redis-server)")
def test_redis_answers_only_with_the_password_which_its_command_line_does_not_show(tmp_path):
    password, service = "0123456789abcdef", SERVICES["redis"]
    env = dict.fromkeys(service["environment"], password) | {"PATH": os.environ["PATH"]}
    command = [part.replace("$$", "$") for part in service["command"]]
    socket = tmp_path / "redis.sock"
    child = Child("redis", [*command, "--port", "0", "--unixsocket", str(socket)], env, tmp_path / "log", tmp_path)
    child.start()
    try:
        wait_for("Redis", child, socket.exists, limit=15)
        with pytest.raises(redis.AuthenticationError):
            redis.Redis(unix_socket_path=str(socket)).ping()
        url = f"{SERVICES['web']['environment']['REDIS_URL'].replace('redis://', 'unix://').split('$')[0]}{password}@"
        assert redis.Redis.from_url(f"{url}{socket}").config_get("maxmemory")["maxmemory"] == str(256 << 20)
        assert password not in Path(f"/proc/{child.process.pid}/cmdline").read_text()
        program, *arguments = service["healthcheck"]["test"][1:]
        check = [program, "-s", str(socket), *arguments]
        wrong = env | {"REDISCLI_AUTH": "wrong"}
        healthy = [subprocess.run(check, env=auth, check=False).returncode for auth in (env, wrong)]
        assert healthy == [0, 1]
    finally:
        stop_children([child])


def test_a_service_waits_only_for_services_that_report_their_health():
    for service in SERVICES.values():
        for needed, options in service.get("depends_on", {}).items():
            check = SERVICES[needed].get("healthcheck", {})
            has_check = "test" in check or (needed == "web" and "HEALTHCHECK" in DOCKERFILE)
            assert has_check or options["condition"] == "service_completed_successfully"


def test_every_volume_is_declared_and_used():
    used = {volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])}
    assert {name for name in used if not name.startswith(".")} == set(COMPOSE["volumes"])
    assert all((ROOT / name).exists() for name in used - {"./backups"} if name.startswith("."))


def test_the_image_copies_existing_files_that_the_site_reads():
    copied = set(re.findall(r"^COPY (?!--from)(\S+)", DOCKERFILE, re.MULTILINE))
    let_in = re.findall(r"^!(.*?)/?$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert copied == set(let_in)
    assert all((ROOT / name).exists() for name in copied)
    assert {"docs/site", *(f"docs/reference/{name}" for name in ("api.md", "rules.md", "rules.zh-hans.md"))} < copied


def test_the_image_does_not_run_as_root_and_its_packages_are_checked():
    final = DOCKERFILE.rsplit("FROM ", 1)[1]
    assert "--require-hashes" in DOCKERFILE
    assert "\nUSER leitai\n" in final
    assert not re.search(r"apt-get|gcc|build-essential", final)
    assert "SECRET_KEY" not in re.sub(r"RUN SECRET_KEY=\$\(", "", final)


def pins(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "requirements" / f"{name}.txt").read_text(), re.MULTILINE))


def test_only_the_solve_worker_has_the_compiler_of_the_searches():
    lists = {name: service["build"]["args"]["REQUIREMENTS"] for name, service in OURS.items()}
    assert lists == dict.fromkeys(OURS, "${REQUIREMENTS:-base}") | {"solve": "${REQUIREMENTS:-solve}"}
    assert pins("solve").keys() - pins("base").keys() == {"llvmlite", "numba", "numpy"}
    assert pins("base").items() <= pins("solve").items() <= pins("monitoring").items() <= pins("dev").items()


def test_the_desk_looks_for_backups_in_the_folder_of_the_backup_service():
    folder = SERVICES["backup"]["command"][-1]
    assert SERVICES["web"]["environment"]["BACKUP_FOLDER"] == f"${{BACKUP_FOLDER:-{folder}}}"
    assert SERVICES["backup"]["volumes"] == [f"./backups:{folder}"]
    assert set(COMPOSE["x-site"]["environment"]) < set(SERVICES["web"]["environment"])
