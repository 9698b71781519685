"""The composition's monitoring and backups: the configurations are valid, and the commands do what they are for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from millrace.server.storage.backup_file import check_backup
from tests.commands import output_of
from tests.project.composition import FOLDER, command_of, load, services
from tests.project.repository import ROOT, run_tool

pytestmark = pytest.mark.usefixtures("processes")

HOST = "play.example.org"


def script_of(service: str, folder: Path) -> str:
    """Return the shell script that a service runs, with its folders moved into a folder of the test."""
    assert services()[service]["entrypoint"] == ["sh", "-c"]
    (script,) = command_of(service)
    script = script.replace("$$", "$")
    for place in ("/tmp/", "/data", "/metrics/", "/etc/prometheus/"):
        script = script.replace(place, f"{folder}{place}")
    return script


def put_program(folder: Path, name: str, script: str) -> str:
    """Put a program in front of the machine's; return the path for programs."""
    path = folder / "bin" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return f"{path.parent}:{os.environ['PATH']}"


def test_prometheus_finds_its_rules_the_number_of_nodes_and_the_site(tmp_path: Path) -> None:
    for place in ("tmp", "etc/prometheus"):
        (tmp_path / place).mkdir(parents=True)
    config = tmp_path / "etc/prometheus/prometheus.yaml"
    config.write_text((FOLDER / "prometheus.yaml").read_text().replace("/tmp/", f"{tmp_path}/tmp/"))
    (config.parent / "alerts.yaml").symlink_to(FOLDER / "alerts.yaml")
    path = put_program(tmp_path, "prometheus", f'echo "$1" > {tmp_path}/started')
    run_tool("sh", "-c", script_of("prometheus", tmp_path), PATH=path, MILLRACE_HOST=HOST, MILLRACE_NODES="5")
    assert (tmp_path / "started").read_text().strip() == f"--config.file={config}"
    assert "SUCCESS" in run_tool("promtool", "check", "config", str(config))
    assert load(tmp_path / "tmp/site.yaml") == [{"targets": [f"https://{HOST}:8443"]}]
    (group,) = load(tmp_path / "tmp/wanted.yaml")["groups"]
    assert group["rules"] == [{"record": "millrace_nodes_wanted", "expr": "vector(5)"}]
    monitoring = services()["proxy"]["networks"]["monitoring"]
    assert monitoring["aliases"] == ["${MILLRACE_HOST}"], "the probe finds the proxy by the name of the site"


def test_alerts_reach_the_operators(tmp_path: Path) -> None:
    config = load(FOLDER / "alertmanager.yaml")
    (receiver,) = config["receivers"]
    (webhook,) = receiver["webhook_configs"]
    assert webhook == {"url_file": "/run/secrets/alarm_webhook"}
    assert services()["alertmanager"]["secrets"] == ["alarm_webhook"]
    (manager,) = load(FOLDER / "prometheus.yaml")["alerting"]["alertmanagers"]
    assert manager["static_configs"] == [{"targets": ["alertmanager:9093"]}]
    # Debian's amtool is older than `url_file`, with which the address stays out of the configuration.
    older = tmp_path / "alertmanager.yaml"
    older.write_text((FOLDER / "alertmanager.yaml").read_text().replace("url_file: /run", "url: http://localhost"))
    assert "SUCCESS" in run_tool("amtool", "check-config", str(older))
    route = ("amtool", "config", "routes", "test", f"--config.file={older}")
    assert run_tool(*route, "severity=page").strip() == "operators"


def test_inhibited_alerts_exist() -> None:
    alerts = {rule.get("alert") for group in load(FOLDER / "alerts.yaml")["groups"] for rule in group["rules"]}
    for rule in load(FOLDER / "alertmanager.yaml")["inhibit_rules"]:
        for matcher in (*rule["source_matchers"], *rule["target_matchers"]):
            names = matcher.partition('"')[2].rstrip('"').split("|")
            assert alerts.issuperset(names), matcher


def test_the_backup_job_writes_checks_and_notes_a_backup_and_deletes_old_ones(tmp_path: Path) -> None:
    output_of("migrate", "--data-dir", str(tmp_path))
    for place in ("data", "metrics"):
        (tmp_path / place).mkdir()
    old, recent = tmp_path / "data/2026-01-01.backup", tmp_path / "data/2026-02-01.backup"
    for path in (old, recent):
        path.touch()
    os.utime(old, (0, 0))
    script = script_of("backup", tmp_path)
    script = script.replace("postgresql://millrace@database:5432/millrace", f"sqlite:///{tmp_path}/millrace.sqlite3")
    put_program(tmp_path, "millrace", f'exec {sys.executable} -m millrace.server.app.cli "$@"')
    programs = put_program(tmp_path, "sleep", f'echo "$1" > {tmp_path}/pause; kill $PPID')
    subprocess.run(["sh", "-c", script], env={**os.environ, "PATH": programs}, cwd=ROOT, check=False)
    assert (tmp_path / "pause").read_text() == "86400\n", "it succeeded"
    assert not old.exists()
    (written,) = (each for each in (tmp_path / "data").iterdir() if each != recent)
    assert check_backup(written)["matches"] == 0
    noted = (tmp_path / "metrics/backup.prom").read_text()
    assert f"millrace_backup_bytes {float(written.stat().st_size)}" in noted
    assert "millrace_backup_timestamp_seconds 1" in noted
    assert (tmp_path / "metrics/backup.prom").stat().st_mode & 0o777 == 0o644


def test_the_job_writes_where_the_exporter_reads() -> None:
    assert "backup-metrics:/metrics" in services()["backup"]["volumes"]
    exporter = services()["machine-metrics"]
    assert "backup-metrics:/textfile:ro" in exporter["volumes"]
    assert "--collector.textfile.directory=/textfile" in exporter["command"]


def test_no_health_check_asks_whether_a_node_is_ready() -> None:
    """While PostgreSQL is away, no node is; and some orchestrators replace what is unhealthy."""
    assert "/health/live" in services()["node"]["healthcheck"]["test"][-1]
    assert "/health/live" in (ROOT / "Dockerfile").read_text(encoding="utf-8")
