"""The values of the server's metrics, for tests."""

from prometheus_client import REGISTRY


def value_of(name: str, **labels: str) -> float:
    """Return a metric's value; 0 if nothing has been recorded with these labels."""
    return REGISTRY.get_sample_value(name, labels) or 0.0
