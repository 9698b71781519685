"""The composition of a cluster obeys the specification, protects its services, and names only existing things."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import REGISTRY
from typer.testing import CliRunner

from millrace.server.app.cli import app
from millrace.server.runtime import metrics
from tests.project.composition import COMPOSE, FOLDER, SMALL, command_of, load, services
from tests.project.repository import check_schema, read

HOST = "play.example.org"
OTHERS = {
    *("up", "millrace_nodes_wanted", "millrace_backup_timestamp_seconds"),
    *("pg_up", "pg_database_size_bytes", "pg_replication_lag_seconds", "pg_replication_slot_slot_is_active"),
    *("pg_settings_max_connections", "pg_stat_activity_count"),
    *("pg_stat_database_xact_commit", "pg_stat_database_xact_rollback"),
    *("node_filesystem_avail_bytes", "node_filesystem_size_bytes"),
    *("probe_success", "probe_ssl_earliest_cert_expiry", "caddy_http_request_duration_seconds_count"),
}
"""Metrics of Prometheus itself, of backups, of Caddy, and of the exporters for PostgreSQL, machines and sites."""

END = {"migration", "password"}
"""Services that end."""

WITHOUT_HEALTH_CHECK = {*END, "worker", "backup"}
"""The others have no port."""

EVERY_SERVICE = [(path, name) for path in (COMPOSE, SMALL) for name in services(path)]

MILLRACE = ("node", "migration", "worker", "scheduler", "backup")


@pytest.mark.parametrize("path", [COMPOSE, SMALL], ids=lambda path: str(path.name))
@pytest.mark.usefixtures("processes")
def test_the_composition_obeys_the_compose_specification(path: Path) -> None:
    done = check_schema("compose-spec", path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.usefixtures("processes")
def test_a_misspelt_key_would_be_found(tmp_path: Path) -> None:
    path = tmp_path / "compose.yaml"
    path.write_text(COMPOSE.read_text().replace("healthcheck:", "health_check:", 1))
    assert check_schema("compose-spec", path).returncode == 1


@pytest.mark.parametrize(("path", "name"), EVERY_SERVICE)
def test_every_service_is_restricted(path: Path, name: str) -> None:
    service = services(path)[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert 0 < service["pids_limit"] <= 500
    assert service["user"].partition(":")[0] not in ("0", "root", "")
    assert not service.get("privileged")
    limits = service["deploy"]["resources"]["limits"]
    assert limits["cpus"]
    assert limits["memory"]
    assert service["restart"] == ("no" if name in END else "unless-stopped")
    check = service["healthcheck"]
    assert check == {"disable": True} if name in WITHOUT_HEALTH_CHECK else check["test"][0] in ("CMD", "CMD-SHELL")


@pytest.mark.parametrize("path", [COMPOSE, SMALL], ids=lambda path: str(path.name))
def test_everything_referenced_is_declared_and_everything_declared_is_used(path: Path) -> None:
    content, its_services = load(path), services(path).values()
    for kind in ("networks", "secrets", "volumes"):
        used = {name for service in its_services for name in map(_source, service.get(kind, [])) if "/" not in name}
        assert used - {"default"} == set(content.get(kind, ())), kind
    for service in its_services:
        for name, condition in service.get("depends_on", {}).items():
            ends = "service_completed_successfully" if name in END else "service_healthy"
            assert condition == {"condition": ends}
            assert name in services(path)


@pytest.mark.parametrize(("path", "name"), EVERY_SERVICE)
def test_every_foreign_image_can_be_pinned_by_its_digest(path: Path, name: str) -> None:
    service = services(path)[name]
    build = service.get("build", {})
    for image in filter(None, [service.get("image") if not build else None, *build.get("args", {}).values()]):
        assert re.fullmatch(r"\$\{[A-Z_]+_IMAGE:-[\w./-]+:v?\d[\w.-]*\}", image), image
    for source in (read("Dockerfile"), build.get("dockerfile_inline", "")):
        assert set(re.findall(r"^FROM (\S+)", source, re.MULTILINE)) <= {"${PYTHON}", "$${CADDY}"}


def test_the_nodes_read_their_options_from_the_environment_file() -> None:
    for service in (services()["node"], services(SMALL)["millrace"]):
        assert service["env_file"] == [{"path": ".env", "required": False}]


def test_the_small_composition_is_reached_from_this_machine_only() -> None:
    published = [port for service in services(SMALL).values() for port in service.get("ports", ())]
    assert published == ["127.0.0.1:8000:8000"]


def _source(entry: str) -> str:
    return entry.partition(":")[0]


def test_mounted_files_exist() -> None:
    mounted = [
        _source(entry) for service in services().values() for entry in service.get("volumes", []) if entry[0] == "."
    ]
    assert len(mounted) >= 5
    for name in mounted:
        assert (FOLDER / name).exists(), name
    assert (FOLDER / services()["node"]["build"]["context"] / "Dockerfile").is_file()


def test_only_the_proxy_is_reached_from_outside_and_only_nodes_and_commands_reach_the_data() -> None:
    published = {name: service["ports"] for name, service in services().items() if "ports" in service}
    assert published == {"proxy": ["80:8080", "443:8443"], "grafana": ["127.0.0.1:3000:3000"]}
    networks = load(COMPOSE)["networks"]
    assert {name for name, options in networks.items() if options} == {"web", "storage", "bots", "monitoring"}
    assert all(options == {"internal": True} for options in networks.values() if options)
    on_storage = {name for name, service in services().items() if "storage" in service["networks"]}
    assert on_storage == {"node", "migration", "database", "redis", "database-metrics", "backup"}


def test_passwords_are_read_from_files_alone() -> None:
    for secret in load(COMPOSE)["secrets"].values():
        assert set(secret) == {"file"}
        assert secret["file"].startswith("./secrets/")
    assert "/secrets/" in (FOLDER / ".gitignore").read_text().splitlines()
    for name, service in services().items():
        for variable, value in service.get("environment", {}).items():
            if "PASS" in variable:
                assert variable.endswith("_FILE"), variable
                assert value.removeprefix("/run/secrets/") in service["secrets"], f"{name} lacks {value}"
        assert not re.search(r"://[^/@\s]*:[^/@\s]*@", json.dumps(service)), name


def test_services_that_talk_share_a_network() -> None:
    node = services()["node"]
    text = " ".join(command_of("node", MILLRACE_HOST=HOST) + command_of("worker") + command_of("migration"))
    for name in set(re.findall(r"(?:@|://)([a-z]+):\d+", text)):
        assert set(services()[name]["networks"]) & set(node["networks"]), name
    assert set(services()["worker"]["networks"]) & set(services()["scheduler"]["networks"])
    proxied = re.search(r"name (\w+)\n\s+port (\d+)", (FOLDER / "Caddyfile").read_text())
    assert proxied is not None
    assert f"--port={proxied[2]}" in command_of(proxied[1], MILLRACE_HOST=HOST)
    assert set(node["networks"]) & set(services()["proxy"]["networks"]) >= {"web"}
    for job in load(FOLDER / "prometheus.yaml")["scrape_configs"]:
        for target in _targets(job):
            host = target.removeprefix("http://").partition(":")[0]
            assert host == "localhost" or "monitoring" in services()[host]["networks"], host


def _targets(job: dict[str, Any]) -> Iterator[str]:
    for config in job.get("static_configs", []):
        yield from config["targets"]
    for config in job.get("dns_sd_configs", []):
        yield from config["names"]


def test_the_services_of_millrace_run_its_image_with_options_that_exist() -> None:
    user = re.search(r"useradd --uid (\d+)", read("Dockerfile"))
    assert user is not None
    for name in MILLRACE:
        service = services()[name]
        assert service["user"] == f"{user[1]}:{user[1]}"
        if "entrypoint" in service:
            continue
        command, *arguments = command_of(name, MILLRACE_HOST=HOST)
        usage = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "300", "TERM": "dumb"}).output
        for option in (word.partition("=")[0] for word in arguments if word.startswith("--")):
            assert re.search(rf"{option}\b", usage), f"{command} has no {option}"


def test_rules_and_dashboard_name_metrics_that_exist() -> None:
    assert metrics.ROOMS
    known = set(OTHERS)
    for family in REGISTRY.collect():
        known |= {family.name, *(sample.name for sample in family.samples)}
        suffixes = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}.get(family.type, [])
        known |= {family.name + suffix for suffix in suffixes}
    groups = load(FOLDER / "alerts.yaml")["groups"]
    known |= {rule["record"] for group in groups for rule in group["rules"] if "record" in rule}
    rules = [rule["expr"] for group in groups for rule in group["rules"] if not rule["expr"].startswith("vector(")]
    panels = json.loads((FOLDER / "grafana/dashboards/millrace.json").read_text())["panels"]
    shown = [target["expr"] for panel in panels for target in panel["targets"]]
    assert len(rules) >= 10
    assert len(shown) >= 18
    for expression in rules + shown:
        bare = re.sub(r"\{.*?\}|\bby \(.*?\)", "", expression)
        named = set(re.findall(r"\b(?:millrace|process|pg|node|probe|caddy)[_:][\w:]+|\bup\b", bare))
        assert named, expression
        assert named <= known, f"{expression} names {named - known}"


def test_the_dashboard_is_provisioned() -> None:
    (source,) = load(FOLDER / "grafana/provisioning/datasources/prometheus.yaml")["datasources"]
    panels = json.loads((FOLDER / "grafana/dashboards/millrace.json").read_text())["panels"]
    assert {panel["datasource"]["uid"] for panel in panels} == {source["uid"]}
    assert len({panel["id"] for panel in panels}) == len(panels)
    (provider,) = load(FOLDER / "grafana/provisioning/dashboards/files.yaml")["providers"]
    assert f"./grafana/dashboards:{provider['options']['path']}:ro" in services()["grafana"]["volumes"]


def test_the_scheduler_of_bots_is_watched() -> None:
    jobs = {job["job_name"]: list(_targets(job)) for job in load(FOLDER / "prometheus.yaml")["scrape_configs"]}
    assert jobs["bots"] == ["scheduler:8787"]
    rules = [rule for group in load(FOLDER / "alerts.yaml")["groups"] for rule in group["rules"]]
    (rule,) = (rule for rule in rules if rule.get("alert") == "NoBotWorker")
    assert rule["expr"] == 'max(millrace_bot_workers{job="bots"}) == 0'
    panels = json.loads((FOLDER / "grafana/dashboards/millrace.json").read_text())["panels"]
    assert any('millrace_bot_workers{job="bots"}' in target["expr"] for panel in panels for target in panel["targets"])
