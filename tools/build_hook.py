"""Makes the page's files when hatch builds a wheel or an editable installation: `tools.make`."""

import runpy
import sys
import tempfile
import types
from pathlib import Path
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
        if self.target_name == "wheel" and version == "standard":
            build_data["force_include"].update(self._commit_file())

    def _commit_file(self) -> dict[str, str]:
        """Return the file that records a wheel's commit. An editable installation reads the checkout instead."""
        commit = runpy.run_path(str(Path(self.root, "millrace", "release.py")))["read_commit"](Path(self.root))
        if not commit:
            return {}
        file = Path(tempfile.mkdtemp(), "commit.txt")
        file.write_text(f"{commit}\n", encoding="ascii")
        return {str(file): "millrace/commit.txt"}
