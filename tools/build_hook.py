"""Makes the page's files when hatch builds a wheel or an editable installation: `tools.make`."""

import sys
import types
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class MakeFiles(BuildHookInterface):  # type: ignore[type-arg]  # its parameter is the builder's configuration
    """A step of every build. It needs only what `[build-system]` in `pyproject.toml` requires."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files into the folders from which the wheel is built."""
        sys.path.insert(0, self.root)
        # A source distribution may lack the links in `millrace/`.
        package = types.ModuleType("millrace")
        package.__path__ = [self.root]
        sys.modules["millrace"] = package
        from tools.make import make  # noqa: PLC0415

        make()
