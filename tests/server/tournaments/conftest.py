"""The calendar of a module's tests."""

from pathlib import Path

import pytest


@pytest.fixture
def calendar(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file with the module's `CALENDAR`."""
    path = tmp_path / "calendar.toml"
    path.write_text(request.module.CALENDAR)
    return path
