"""The page about metrics lists exactly the server's metrics, with their descriptions."""

import re

from prometheus_client import REGISTRY

from millrace.server.runtime import metrics
from tests.project.repository import read

ROW = re.compile(r"^\| `(millrace_\w+)` \| (.*) \|$", re.MULTILINE)

SUFFIXES = {"counter": "_total", "info": "_info"}
"""What Prometheus adds to the names of such metrics."""


def described() -> dict[str, str]:
    """Return the description of each metric by name, as sent to Prometheus."""
    assert metrics.CONNECTIONS is not None, "the metrics are registered"
    families = [family for family in REGISTRY.collect() if family.name.startswith("millrace_")]
    return {family.name + SUFFIXES.get(family.type, ""): family.documentation for family in families}


def test_the_page_describes_every_metric() -> None:
    page = read("docs/metrics.md")
    assert dict(ROW.findall(page)) == described()
    for urgency in ("move", "analysis", "exhibition", "background", "pondering"):
        assert f"`{urgency}`" in page
