"""The files of deploy/, docker-compose.yml and the Dockerfile fit the code and the manual; `dev.py lint` lists faults.

Django must be set up for a server before this module is imported. No container engine is needed.
"""

import ast
import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings

from contest.front import bodies, connections
from contest.front.__main__ import SECONDS_TO_FINISH
from tooling.folders import ROOT
from tooling.redis import BOUNDS
from tooling.site import Address, beat_command, site_children, web_command, worker_command
from tooling.terminal import print_line

# A fact that must hold, and whether it does.
Fact = tuple[str, bool]
TEXT = (ROOT / "docker-compose.yml").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"].startswith("leitai")}
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
CADDYFILE = (ROOT / "deploy/Caddyfile").read_text("utf-8")
MANUAL = (ROOT / "docs/how-to/operations.md").read_text("utf-8")
# Settings that are the same for every site in containers.
FIXED = {"DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS", "SITE_URL", "BEHIND_PROXY"}


def find_breaches() -> Iterator[str]:
    for facts in (processes(), variables(), defaults(), containers(), image(), proxy()):
        yield from (f"deployment: it is not so that {fact}" for fact, holds in facts if not holds)


def processes() -> Iterator[Fact]:
    """Compare the processes in containers with those that dev.py starts."""
    commands = {
        "web": web_command(Address("0.0.0.0", 8000)),
        "judge": worker_command("judge", "prefork", 2),
        "beat": beat_command(Path("/tmp/celerybeat-schedule")),
    }
    for name, command in commands.items():
        yield f"{name} is started as by dev.py", SERVICES[name]["command"] == ["python", *command]
    yield "Redis has the limits of dev.py", SERVICES["redis"]["command"][-len(BOUNDS) :] == list(BOUNDS)
    (*_others, last) = re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    yield "the image starts the web server", json.loads(last) == SERVICES["web"]["command"]
    hints = ast.parse((ROOT / "contest/celery/waking.py").read_text("utf-8")).body
    constants = [node.value for node in hints if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)]
    named = {constant.value for constant in constants if isinstance(constant.value, str)}
    schedule: dict[str, Any] = settings.CELERY_BEAT_SCHEDULE
    beat = {task["options"]["queue"] for task in schedule.values() if "queue" in task["options"]}
    queues = {settings.CELERY_TASK_DEFAULT_QUEUE, *named, *beat}
    children = site_children(Path("data"), Address("127.0.0.1", 8000), {})
    for place, started in (
        ("on one machine", [child.command for child in children]),
        ("in containers", [service["command"] for service in OURS.values()]),
    ):
        consumed = {command[command.index("-Q") + 1] for command in started if "-Q" in command}
        yield f"every queue has a worker {place}", consumed == queues


def variables() -> Iterator[Fact]:
    """Compare the variables that are read with those of the manual and of the containers."""
    heads = re.findall(r"^\| (`[A-Z_`, ]+`) \|", MANUAL, re.MULTILINE)
    documented = {name for head in heads for name in re.findall(r"`([A-Z_]+)`", head)}
    code = "".join(file.read_text("utf-8") for file in sorted((ROOT / "contest/settings").glob("*.py")))
    operator = re.findall(r"^OPERATOR = .*?for name in (\(.*?\))", code, re.MULTILINE | re.DOTALL)
    read = {
        *re.findall(r"\benv(?:\.\w+)?\(\s*\"([A-Z_]+)\"", code),
        *re.findall(r"_networks\(\"([A-Z_]+)\"", code),
        *(f"OPERATOR_{name.upper()}" for names in operator for name in ast.literal_eval(names)),
        *re.findall(r"\$\{([A-Z_]+)", TEXT),
    } - {"DEBUG", "BOUND_TO"}
    yield f"the manual lists the variables that are read: {sorted(documented ^ read)}", documented == read
    for name, service in OURS.items():
        set_here = service["environment"]
        overridden = {variable for variable in documented & set(set_here) if f"${{{variable}" not in set_here[variable]}
        yield f"{name} gets every other variable from .env", overridden == FIXED
        yield f"{name} reads .env if it exists", service["env_file"] == [{"path": ".env", "required": False}]
        yield f"{name} never runs with DEBUG", set_here["DEBUG"] == "0"
    example = (ROOT / "deploy/example.env").read_text("utf-8")
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD", "SITE_HOST"):
        uses = re.findall(rf"\$\{{{name}([^}}]*)\}}", TEXT)
        is_required = any(use.startswith(":?") for use in uses) and all(use[:2] in ("", ":?") for use in uses)
        yield f"nothing starts without {name}", is_required
        yield f"the example has no {name}", bool(re.search(rf"^{name}=$", example, re.MULTILINE))
    (folder,) = SERVICES["backup"]["command"][-1:]
    same = SERVICES["web"]["environment"]["BACKUP_FOLDER"] == f"${{BACKUP_FOLDER:-{folder}}}"
    yield "the desk looks for backups where they are written", same


def defaults() -> Iterator[Fact]:
    """Compare the numbers and switches in the manuals with the settings of a server without variables.

    A switch is described by the value that is not its default.
    """
    documented: dict[str, float] = {}
    for page in ("how-to/operations.md", "explanation/vetting.md"):
        text = (ROOT / "docs" / page).read_text("utf-8")
        for head, explanation in re.findall(r"^\| ((?:`[A-Z_]+`(?:, )?)+) \| (.+) \|$", text, re.MULTILINE):
            names = re.findall(r"[A-Z_]+", head)
            if numbers := re.match(r"\d+(?: and \d+)*(?=:|;| \|)", re.sub(r" \(.*?\)", "", explanation)):
                documented |= zip(names, map(float, numbers[0].split(" and ")), strict=True)
            elif switch := re.match(r"`([01])`( \(default\))?", explanation):
                documented[names[0]] = float(switch[1]) if switch[2] else 1 - float(switch[1])
    yield "the manuals give the defaults of more than thirty variables", len(documented) > 30
    del documented["BEHIND_PROXY"]  # which lint sets, as for a server behind a proxy
    for name, value in documented.items():
        yield f"the default of {name} is {value:g}, as documented", getattr(settings, name, value) == value


def containers() -> Iterator[Fact]:
    """Check the rights, the volumes and the order of the containers."""
    ports = [name for name, service in SERVICES.items() if "ports" in service]
    yield "only the proxy can be reached from outside", ports == ["proxy"]
    for name, service in OURS.items():
        python, first, second, *_rest = service["command"]
        module = importlib.util.find_spec(second) if first == "-m" else (ROOT / first).is_file()
        yield f"the command of {name} exists", python == "python" and bool(module)
        yield f"{name} is restarted", (service["restart"] == "unless-stopped") == (name != "migrate")
        yield f"the log of {name} is bounded", service["logging"]["options"] == {"max-size": "10m", "max-file": "5"}
        rights = service["read_only"], service["init"], service["cap_drop"], service["security_opt"]
        bare = rights == (True, True, ["ALL"], ["no-new-privileges:true"])
        yield f"{name} has no privileges", bare and not {"user", "privileged"} & set(service)
        volumes = [f"./backups:{service['command'][-1]}"] if name == "backup" else []
        yield f"{name} writes to no volume but the backups", service.get("volumes", []) == volumes
    for name, service in SERVICES.items():
        for needed, options in service.get("depends_on", {}).items():
            has_check = "test" in SERVICES[needed].get("healthcheck", {})
            has_check = has_check or (needed == "web" and "HEALTHCHECK" in DOCKERFILE)
            ends = options["condition"] == "service_completed_successfully"
            yield f"{name} waits only for services that report their health", has_check or ends
    used = {volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])}
    yield "every volume is declared and used", {name for name in used if name[0] != "."} == set(COMPOSE["volumes"])
    folders = {name for name in used - {"./backups"} if name[0] == "."}
    yield "every folder of a volume exists", all((ROOT / name).exists() for name in folders)


def image() -> Iterator[Fact]:
    """Check the files, the user and the packages of the image."""
    copied = set(re.findall(r"^COPY (?!--from)(\S+)", DOCKERFILE, re.MULTILINE))
    let_in = re.findall(r"^!(.*?)/?$", (ROOT / ".dockerignore").read_text("utf-8"), re.MULTILINE)
    yield "the image copies what .dockerignore lets in", copied == set(let_in)
    yield "what the image copies exists", all((ROOT / name).exists() for name in copied)
    pages = {"docs/site", *(f"docs/reference/{name}" for name in ("api.md", "rules.md", "rules.zh-hans.md"))}
    yield "the image has the pages that the site shows", pages < copied
    final = DOCKERFILE.rsplit("FROM ", 1)[1]
    yield "the hashes of packages are checked", "--require-hashes" in DOCKERFILE
    yield "the image does not run as root", "\nUSER leitai\n" in final
    yield "the image has no compiler", not re.search(r"apt-get|gcc|build-essential", final)
    yield "the image has no key", "SECRET_KEY" not in re.sub(r"RUN SECRET_KEY=\$\(", "", final)
    lists = {name: service["build"]["args"]["REQUIREMENTS"] for name, service in OURS.items()}
    usual = dict.fromkeys(OURS, "${REQUIREMENTS:-base}") | {"solve": "${REQUIREMENTS:-solve}"}
    base, solve, monitoring, dev = map(_pins, ("base", "solve", "monitoring", "dev"))
    only = solve.keys() - base.keys() == {"llvmlite", "numba", "numpy"}
    yield "only the solve worker has the compiler of the searches", lists == usual and only
    in_step = base.items() <= solve.items() <= monitoring.items() <= dev.items()
    yield "the lists of packages have the same versions", in_step


def _pins(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    return dict(re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE))


def proxy() -> Iterator[Fact]:
    """Compare the times of the proxy with those of the site, and its alarms with the manual."""
    yield "the proxy answers plain http", bool(re.search(r"^http:// \{$", CADDYFILE, re.MULTILINE))
    counts = CADDYFILE.count("reverse_proxy "), CADDYFILE.count("import site\n")
    yield "both sites of the proxy have one definition", counts == (1, 2)
    code = (ROOT / "contest/settings/environment.py").read_text("utf-8")
    (drain,) = map(int, re.findall(r'"DRAIN_SECONDS", default=0 if EMBEDDED else (\d+)', code))
    yield "the proxy notices a web process that drains", 2 * _limit("health_interval") < drain
    is_long = _limit("lb_try_duration") > drain + SECONDS_TO_FINISH
    yield "the proxy holds requests for longer than a web process takes to end", is_long
    yield "a post that a process may have received is sent to no other", "lb_retry_match" not in CADDYFILE
    grace = int(SERVICES["web"]["stop_grace_period"].removesuffix("s"))
    yield "a web process has time to drain and to finish", grace > drain + SECONDS_TO_FINISH
    limits = [_limit(name) for name in ("max_header_size", "read_header", "read_body")]
    same = limits == [connections.MOST_HEAD_BYTES, connections.HEAD_SECONDS, bodies.MOST_SECONDS]
    yield "the proxy waits for a head and a body as long as the site", same
    alerts = yaml.safe_load((ROOT / "deploy/alerts.yml").read_text("utf-8"))
    for alarm in (rule["alert"] for group in alerts["groups"] for rule in group["rules"]):
        yield f"the manual has a line for the alarm {alarm}", f"`{alarm}`" in MANUAL


def _limit(name: str) -> int:
    (figure,) = re.findall(rf"\t{name} (\d+)s?\n", CADDYFILE)
    return int(figure)


def main() -> int:
    problems = list(find_breaches())
    for line in problems:
        print_line(line)
    return 1 if problems else 0
