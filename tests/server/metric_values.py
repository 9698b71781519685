"""The values of the server's metrics, for tests."""

from prometheus_client import Counter, Gauge, Histogram


def value_of(metric: Counter | Gauge) -> float:
    """Return the value of a metric without labels, or of one with its labels given."""
    (family,) = metric.collect()
    return next(sample.value for sample in family.samples if not sample.name.endswith("_created"))


def count_and_seconds(metric: Histogram) -> tuple[float, float]:
    """Return the number of observations of a histogram without labels, and their sum."""
    (family,) = metric.collect()
    values = {sample.name: sample.value for sample in family.samples if not sample.labels}
    return values[f"{family.name}_count"], values[f"{family.name}_sum"]
