"""deploy/: the operator's files, checked by the programs that read them, if those are installed."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from contest.front import doors
from contest.infra import clock
from contest.models import Heartbeat, Intake, Part, Series
from contest.ops import metrics
from tests.cast import DURING
from tests.leaks.addresses import addresses

DEPLOY = Path(__file__).parents[3] / "deploy"
ALERTS = DEPLOY / "alerts.yml"
CADDYFILE = (DEPLOY / "Caddyfile").read_text()
DASHBOARD = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
QUERIES = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
RULES = {rule["alert"]: rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]}
PROMTOOL = os.environ.get("PROMTOOL") or shutil.which("promtool")
CADDY = shutil.which("caddy")

with_promtool = pytest.mark.skipif(PROMTOOL is None, reason="no promtool (apt-get install prometheus)")
with_caddy = pytest.mark.skipif(CADDY is None, reason="no caddy (apt-get install caddy)")


def run(*command: str, **more: str) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env=os.environ | more, cwd=DEPLOY
    )
    return f"{done.returncode}\n{done.stdout}{done.stderr}"


@pytest.fixture
def page(own_redis, settings, db, django_user_model):
    """Return /metrics of a site on which every event has happened once, as the series of a rule test."""
    settings.LIMITS_URL = own_redis[1]
    metrics._counted.clear()
    with clock.set_to(DURING):
        for part in Part:
            Heartbeat.objects.create(part=part, beat_at=DURING)
        Series.objects.create(name_en="Weekly", first_opens_at=DURING, advanced_at=DURING)
        Intake.objects.create(brought_at=DURING, brought_by=django_user_model.objects.create(username="organiser"))
        metrics.count_submission("api")
        metrics.count_refusal("api", "quota")
        metrics.count_verdicts([("accepted", 0.2)])
        metrics.count_failed_task("tasks.mail")
        text = metrics.render_page().decode()
    found = re.findall(r"^(leitai_\S+) (\S+)$", text, re.MULTILINE)
    return [{"series": 'up{job="leitai"}', "values": "1x30"}] + [
        {"series": name, "values": f"{value}+1x30" if "_total" in name or "_bucket" in name else f"{value}x30"}
        for name, value in found
    ]


def run_promtool(tmp_path: Path, *tests: dict[str, object], **only: object) -> str:
    """Return the output of Prometheus' own engine for rule tests: *tests*, or *only* one."""
    file = tmp_path / "test.yml"
    tests = [{"interval": "1m", **test} for test in (tests or [only])]
    file.write_text(yaml.safe_dump({"rule_files": [str(ALERTS)], "evaluation_interval": "1m", "tests": tests}))
    return run(str(PROMTOOL), "test", "rules", str(file))


@with_promtool
def test_every_query_of_the_dashboard_finds_something_on_a_real_page(page, tmp_path):
    """Evaluate each query in promtool at 30 minutes: `count` of no series returns no sample, so the test fails."""
    asked = [
        {"expr": f"count({query}) > bool 0", "eval_time": "30m", "exp_samples": [{"labels": "{}", "value": 1}]}
        for query in QUERIES
    ]
    output = run_promtool(tmp_path, input_series=page, promql_expr_test=asked)
    assert output.startswith("0\n"), output


@with_promtool
def test_no_alarm_fires_on_a_healthy_site(page, tmp_path):
    well = [series for series in page if "failed_tasks" not in series["series"]]
    quiet = [{"eval_time": "30m", "alertname": name, "exp_alerts": []} for name in RULES]
    output = run_promtool(tmp_path, input_series=well, alert_rule_test=quiet)
    assert output.startswith("0\n"), output


ALARMS = {
    "SiteDown": {'up{job="leitai"}': "0x30"},
    "DatabaseDown": {"leitai_database_up": "0x30"},
    "JudgeSilent": {"leitai_canary_age_seconds": "31x30"},
    "VerdictsLate": {"leitai_oldest_waiting_seconds": "61x30"},
    "DiskNearlyFull": {"leitai_disk_free_bytes": "9e8x30"},
    "Outage": {"leitai_outages": "0x10 1x20"},
    "RedisDown": {"leitai_redis_up": "0x30"},
    "WaitingForOrganiser": {"leitai_held": "1x30"},
    "NoBackup": {"leitai_backup_age_seconds": "93601x30"},
    "SeriesStandsStill": {'leitai_series_fault{series="1"}': "1x30"},
    "LettersLate": {"leitai_letters_oldest_due_seconds": "3601x30"},
    "LettersRefused": {'leitai_letters_lately{state="failed"}': "21x30"},
    "IntakeStandsStill": {"leitai_intakes_oldest_seconds": "3601x30"},
    "TasksFail": {'leitai_failed_tasks_total{task="tasks.mail"}': "0+1x30"},
    "SlowVerdicts": {
        'leitai_judge_seconds_bucket{le="5.0"}': "0x30",
        'leitai_judge_seconds_bucket{le="60.0"}': "0+5x30",
        'leitai_judge_seconds_bucket{le="+Inf"}': "0+5x30",
    },
}


@with_promtool
def test_each_alarm_fires_in_its_situation(tmp_path):
    """One run for all alarms: each fires by its own series, and no other does."""
    tests = []
    for name, series in ALARMS.items():
        shown = [{"series": key, "values": values} for key, values in series.items()]
        firing = {"expr": f'count(ALERTS{{alertname="{name}",alertstate="firing"}})', "eval_time": "25m"}
        firing["exp_samples"] = [{"labels": "{}", "value": 1}]
        tests.append({"input_series": shown, "promql_expr_test": [firing]})
    output = run_promtool(tmp_path, *tests)
    assert output.startswith("0\n"), output


def test_the_proxy_accepts_the_largest_body_of_every_page_and_no_larger_one():
    largest = max(doors.most_bytes(f"/{address.pattern}") for address in addresses())
    both_sites = re.search(r"^\(site\) \{\n(.*?)^\}\n", CADDYFILE, re.MULTILINE | re.DOTALL)[1]
    assert re.findall(r"^\trequest_body(.*?)\{\n\t\tmax_size (\d+)\n\t\}$", both_sites, re.MULTILINE) == [
        (" ", str(largest))
    ]
    assert CADDYFILE.count("max_size") == 1
    assert largest == settings.MAX_FILES_BODY


@with_caddy
def test_caddy_accepts_its_configuration(tmp_path):
    """Debian 12 has Caddy 2.6, which accepts everything but `request_buffers` (2.7)."""
    file = tmp_path / "Caddyfile"
    text = CADDYFILE
    version = [int(part) for part in re.findall(r"\d+", run(str(CADDY), "version").splitlines()[1])[:2]]
    file.write_text(text if version >= [2, 7] else re.sub(r"^\s*request_buffers .*\n", "", text, flags=re.MULTILINE))
    output = run(str(CADDY), "adapt", "--adapter", "caddyfile", "--config", str(file), SITE_HOST="contest.example")
    assert output.startswith("0\n"), output
    assert '"contest.example"' in output
