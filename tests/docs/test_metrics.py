"""`docs/metrics.md` lists exactly the metrics of the server."""

import re

from prometheus_client.metrics import MetricWrapperBase

from millrace.server import metrics
from tests.project.repository import read


def test_the_page_lists_every_metric() -> None:
    families = [
        family
        for each in vars(metrics).values()
        if isinstance(each, MetricWrapperBase)
        for family in each.describe()
        if family.name
    ]
    counted = {f"{family.name}_total" if family.type == "counter" else family.name for family in families}
    page = read("docs/metrics.md")
    assert set(re.findall(r"\| `(millrace_\w+)` \|", page)) == counted
    for urgency in ("move", "analysis", "exhibition", "pondering"):
        assert f"`{urgency}`" in page
