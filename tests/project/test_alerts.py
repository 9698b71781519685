"""The alerts ring when they must and only then, and the pages show all of them with what to do."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.project.alert_cases import CASES, OTHER_FIRING, Series
from tests.project.composition import FOLDER, load
from tests.project.repository import read, run_tool

RULES = [rule for group in load(FOLDER / "alerts.yaml")["groups"] for rule in group["rules"]]
ALERTS: dict[str, dict[str, Any]] = {rule["alert"]: rule for rule in RULES if "alert" in rule}


def checks_of(alert: str, series: Series, at: str, interval: str, *, fires: bool, rules: Path) -> dict[str, Any]:
    """Return a file of tests for promtool: whether an alert fires at a time."""
    firing = f'ALERTS{{alertname="{alert}",alertstate="firing"}}'
    samples = [{"labels": f'{{alertname="{alert}"}}', "value": 1}] if fires else []
    return {
        "rule_files": [str(rules)],
        "evaluation_interval": interval,
        "tests": [
            {
                "name": f"{alert} {'fires' if fires else 'is silent'}",
                "interval": interval,
                "input_series": [{"series": each, "values": values} for each, values in series.items()],
                "promql_expr_test": [
                    {"expr": f"max by (alertname) ({firing})", "eval_time": at, "exp_samples": samples}
                ],
            }
        ],
    }


def write_tests(folder: Path) -> Iterator[Path]:
    """Write the tests of each alert, with the rule and those that record something alone: all at once take minutes."""
    for alert, rule in ALERTS.items():
        rules = folder / f"{alert}.rules.json"
        recording = [each for each in RULES if "record" in each and alert.startswith("Objective")]
        rules.write_text(json.dumps({"groups": [{"name": alert, "rules": [*recording, rule]}]}))
        case = CASES[alert]
        courses = [(case.fires, case.at, True), (case.quiet, case.at, False)]
        courses += [(series, at, True) for name, series, at in OTHER_FIRING.values() if name == alert]
        for number, (series, at, fires) in enumerate(courses):
            path = folder / f"{alert}.{number}.json"
            path.write_text(json.dumps(checks_of(alert, series, at, case.interval, fires=fires, rules=rules)))
            yield path


@pytest.mark.usefixtures("processes")
def test_each_alert_fires_in_its_case_and_is_silent_otherwise(tmp_path: Path) -> None:
    run_tool("promtool", "test", "rules", *map(str, write_tests(tmp_path)))


@pytest.mark.usefixtures("processes")
def test_the_rules_are_valid() -> None:
    run_tool("promtool", "check", "rules", str(FOLDER / "alerts.yaml"))


def test_each_alert_has_a_case_and_says_what_to_do() -> None:
    assert CASES.keys() == ALERTS.keys()
    for rule in ALERTS.values():
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"].keys() == {"summary", "action"}


def test_the_page_shows_each_alert_with_what_it_means_and_what_to_do() -> None:
    """The table is that of the rules; copy what this test expects."""
    expected = [
        f"| {name} | {rule['labels']['severity']} | {shown(rule['annotations']['summary'])} "
        f"| {rule['annotations']['action']} |"
        for name, rule in ALERTS.items()
    ]
    found = re.findall(r"^\| [A-Z]\w+ \| (?:page|ticket) \|.*$", read("docs/alarms.md"), re.MULTILINE)
    assert found == expected, "\n".join(expected)


def shown(summary: str) -> str:
    """Return a summary for readers: `{{ $labels.instance }}` becomes INSTANCE."""
    return re.sub(r"\{\{ \$(?:labels\.)?(\w+).*?\}\}", lambda found: found[1].upper(), summary)


def test_the_page_about_operations_names_the_alerts_of_each_metric() -> None:
    rows = re.findall(r"^\| `(millrace_\w+)` \| .* \| (.*) \|$", read("docs/operations.md"), re.MULTILINE)
    assert len(rows) > 30
    for metric, alarms in rows:
        pattern = re.compile(rf"\b{metric}(?:_bucket|_count|_sum)?\b")
        using = [name for name, rule in ALERTS.items() if pattern.search(rule["expr"])]
        slo = [rule["labels"]["slo"] for rule in RULES if "record" in rule and pattern.search(rule["expr"])]
        expected = [*using, *dict.fromkeys(f"objective for {each}" for each in slo)]
        assert alarms == (", ".join(expected) or "none"), f"{metric}: {', '.join(expected) or 'none'}"
