"""The values of the server's metrics, for tests."""

from prometheus_client import Counter, Gauge


def value_of(metric: Counter | Gauge) -> float:
    """Return the value of a metric without labels, or of one with its labels given."""
    (family,) = metric.collect()
    return next(sample.value for sample in family.samples if not sample.name.endswith("_created"))
